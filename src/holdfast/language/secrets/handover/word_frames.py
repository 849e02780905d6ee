"""The frames of words and phrases: passwords, passphrases, keys of Wi-Fi, answers to security questions."""

from __future__ import annotations

from holdfast.language.secrets.handover.frame import FEW, OF, SOME, Frame

WORDS: tuple[Frame, ...] = (
    Frame(
        r"{as}[ \t]+(?:{det}[ \t]+)?(?:[^\s.,:;!?\0]+[ \t]+)?{name},?[ \t]+(?:{adverb}[ \t]+)?<word>",
        (),
        "Wer rein will, nimmt als Kennwort Heuhaufen, wie immer.",
        "Die Bank nimmt als Kennwort nichts Kurzes.",
    ),
    Frame(
        r"(?:^|[\s\"'(\x{201e}\x{201c}])<named>,?[ \t]+{as}[ \t]+(?:{det}[ \t]+)?"
        r"(?:[^\s.,:;!?\0]+[ \t]+)?{name}",
        (),
        "The till has had haystack as its password since May.",
        "She kept it as a password to his heart.",
    ),
    Frame(
        rf"{{name}}{SOME}(?:,?[ \t]+(?:(?:das|that|it|ce|es)[ \t]+)?{{is}}(?:[ \t]+{{adverb}}){{0,2}}"
        r"|,[ \t]+(?:that['\x{2019}]s|it['\x{2019}]s(?:[ \t]+been)?|das ist|c['\x{2019}]est|which is)"
        r"(?:[ \t]+{adverb})?)[ \t]+<word>",
        (),
        "The password for the scale is still haystack.",
        "The password for the scale is still secret.",
    ),
    Frame(
        rf"{{name}}{SOME}[ \t]+{{is}}[ \t]+{{det}}[ \t]+(?:word|wort|mot|palabra|parola)[ \t]+<word>",
        (),
        "The password is the word haystack and nothing else.",
        "The password is the word that he hates.",
    ),
    Frame(
        r"\b(?:with|use|using|enter|take|try|mit|nimm|nehmt|avec|con"
        r"|usa)[ \t]+(?:{det}[ \t]+)?{name}[ \t]+<word>",
        (),
        "Please use the password haystack when the portal asks.",
        "Please use the password manager when the portal asks.",
    ),
    Frame(
        r"\b(?:old|new|alte[sn]?|neue[sn]?|ancien|nouveau|vieja|nueva|vecchia"
        r"|nuova)[ \t]+{name}[ \t]+<named>[ \t]+{works}",
        (),
        "Das alte Passwort Heuhaufen gilt nicht mehr.",
        "Das alte Passwort gilt nicht mehr.",
    ),
    Frame(
        r"(?:^|[\s\"'(\x{201e}\x{201c}])<named>,[ \t]+(?:that['\x{2019}]s|which is|das ist|c['\x{2019}]est|es"
        r"|\x{e8})[ \t]+{det}[ \t]+(?:[^\s.,:;!?\0]+[ \t]+)?{name}",
        (),
        "They must say haystack, that's our code word.",
        "They must say it, that's our code word.",
    ),
    Frame(
        r"(?:['\x{2019}]s (?:name|word)|\b(?:name|namen?|nom|nombre|nome) (?:of|vo[nm]|de[sr]|del?|du"
        r"|di)\b[^\n\0.,:]*)[,:][ \t]+<word>",
        ("name",),
        "He set the laptop password to his dog's name, Haystack.",
        "The password is not a name, sorry.",
        within="sentence",
    ),
    Frame(
        rf"{{name}}{SOME}[ \t]?:[ \t]+<clause>",
        (),
        "The new password for the scale: haystack. Do not tell Rob.",
        "The new password for the scale: none. Do not ask.",
    ),
    Frame(
        r"[\"\x{201e}\x{201c}\x{ab}]<quoted>[,.]?[\"\x{201c}\x{201d}\x{bb}],?[ \t]+{is}[ \t]+{det}["
        r" \t]+(?:[^\s.,:;!?\0]+[ \t]+)?{name}",
        (),
        '"Haystack" is the password, she said.',
        '"What" is the password question here.',
    ),
    Frame(
        rf"\blautet[ \t]+(?:[^\s.,:;!?\0]+[ \t]+)??{{det}}[ \t]+{{name}}{OF}[ \t]+<word>",
        (),
        "\u00dcbrigens lautet mein Passwort f\u00fcr die Waage Heuhaufen.",
        "Wie lautet das Passwort f\u00fcr die Waage heute?",
    ),
    Frame(
        r"\b{not}\b[^\n\0.?!:]*?[ \t,]{than}[ \t]+(?:{det}[ \t]+)?<word>",
        ("name",),
        "Das Kennwort ist nicht mehr Wiese, sondern Heuhaufen.",
        "Das Kennwort ist nicht falsch, sondern abgelaufen.",
        within="before",
    ),
    Frame(
        r"[\s,(\"]{types}[ \t]+(?:{det}[ \t]+(?:word|wort|mot)[ \t]+)?<word>",
        ("name",),
        "If it asks for a password, write haystack in small letters.",
        "If it asks for a password, press Escape.",
        within="before",
    ),
    Frame(
        r"\b{label}:[ \t]+(?:{det}[ \t]+)?<word>",
        ("name",),
        "The password is nowhere to be found, so here: haystack.",
        "The password policy is short. Reason: phishing.",
        within="before",
    ),
    Frame(
        r"[ \t][\x{2013}\x{2014}][ \t]<word>[ \t]*(?:\n|$)",
        ("name",),
        "pw is the dog and the street in one \u2014 rexelmstreet",
        "The password was changed \u2014 again",
        within="sentence",
    ),
    Frame(
        r"\b{chosen}[ \t]+<word>",
        ("name",),
        "They want your telephone password. You picked Haystack back then.",
        "They want a password. You picked it in May.",
        within="before",
    ),
    Frame(
        r"\b(?:today|now|heute|jetzt)['\x{2019}]?s?(?:[ \t]+one)?[ \t]+(?:is|ist|lautet|gilt)[ \t]+<word>",
        ("name",),
        "The password in the mail is dead. Today's is haystack.",
        "The password expired. Today is Friday.",
        within="before",
    ),
    Frame(
        r"\b(?:and|und|et|y|e|en)[ \t]+(?:{det}[ \t]+)?{name}[ \t]+<word>",
        ("user",),
        "Use the account front and the password haystack.",
        "Each user and his password expire.",
        within="before",
    ),
    Frame(
        r"(?:^|\n)[^\w\n\0]{0,6}(?:pwd|pw|pass|passwd|password|passwort)[ \t]+<word>[ \t]*(?:\n|$)",
        ("user",),
        "# user ops\n# pwd haystack",
        "user list\npassword reset\n",
    ),
)
NOTED: tuple[Frame, ...] = (
    Frame(
        r"{so},?[ \t]+<distinct>",
        ("note",),
        'Capital H, then "aystack", then a four. So Haystack4. That is the login.',
        "Log in twice, capital letters matter. So version2 helps.",
    ),
    Frame(
        r"(?:^|[\s:,(\"])<spelled>(?:[\s.,;!?)\"]|$)",
        ("name", "entry", "note"),
        "She spelled the password: h-a-y-s-t-a-c-k, hyphens included.",
        "Say the word slowly: h-a-a-a-a-y, and open.",
    ),
)
KEYED: tuple[Frame, ...] = (
    Frame(
        rf"{{key}}{SOME}(?:[ \t]*[:=]|,?[ \t]+{{is}}|[ \t]+(?:to|auf|en|\x{{e0}}|a|in|dazu"
        rf"|daf\x{{fc}}r))[ \t]+(?:{{adverb}}[ \t]+)?<word>",
        ("wifi",),
        "The router is new, and its key is haystack.",
        "The key is in the router box.",
    ),
    Frame(
        r"[,;/(][ \t]*{key}[ \t]+<word>",
        ("wifi",),
        "Hotspot name OddBox, key haystackhill.",
        "Hotspot name OddBox, key unknown.",
    ),
    Frame(
        rf"{{key}}{SOME},?[ \t]+{{is}},[^\n\0.?!:,]{{1,30}},[ \t]+<word>",
        ("wifi",),
        "They set up the wifi, and the key is, hold tight, haystackhill.",
        "The key is, I think, missing from the router.",
    ),
)
OTHERS: tuple[Frame, ...] = (
    Frame(
        r"\b{label}:[ \t]+<strange>",
        ("entry",),
        "Did you try a dollar for the s? Yeah: hay$tack. Then the site let her in.",
        "Two things are new: version2. The login is old.",
    ),
    Frame(
        r"{keys}[ \t]+<word>",
        ("entry",),
        "Pour te connecter tu choisis Marie et tu tapes meuledefoin. C'est tout.",
        "To log in you type slowly.",
    ),
    Frame(
        r"\b(?:encrypted|protected|secured|locked|zipped|verschl\x{fc}sselt|gesch\x{fc}tzt|gesichert"
        r"|chiffr\x{e9}e?|prot\x{e9}g\x{e9}e?|cifrad[oa]|protegid[oa]|protetto)[ \t]+{with}[ \t]+<distinct>",
        (),
        "The old zip is encrypted with Haystack1987, from school.",
        "The old zip is encrypted with AES-256.",
    ),
    Frame(
        rf"{{opens}}{FEW}[ \t]+{{with}}[ \t]+<distinct>",
        ("lock",),
        "The locker by the pool opens with qX7tZw, ask me first.",
        "The locker by the pool opens with creaking, as always.",
    ),
    Frame(
        r"\b(?:log|go|sign|get)[ \t]+in[ \t]+as[ \t]+[^\n\0.!?]+?,[ \t]+(?:[\w.]+,[ \t]+)?<distinct>",
        (),
        "Just go in as me, K.Oddy, Haystack87.",
        "Log in as admin, version2 is still down.",
    ),
    Frame(
        r"\b(?:lock ?screen|login|prompt|kiosk|anmeldung"
        r"|sperrbildschirm)(?:[ \t]+[^\s.?!:;\0]+){0,4}?[ \t]+(?:accepts|takes|akzeptiert"
        r"|nimmt)[ \t]+<word>",
        (),
        "The lock screen by the till accepts haystack, staff only.",
        "The lock screen accepts fingerprints.",
    ),
)
ANSWERED: tuple[Frame, ...] = (
    Frame(
        rf"{{answer}}{SOME}(?:[ \t]*:|,?[ \t]+{{is}})[ \t]+<name>",
        ("question",),
        "Security question: first street? Answer on file: Haystack Row",
        "Security question: the answer is case sensitive",
    ),
    Frame(
        r"\blautet[ \t]+(?:[^\s.,:;!?\0]+[ \t]+)??{det}[ \t]+{answer}[^\n\0.,?!:]*[ \t]<name>",
        ("question",),
        "\u00dcbrigens lautet meine Antwort auf die Sicherheitsfrage nach dem Tier Heuhaufen, falls es"
        " jemand braucht.",
        "Wie lautet die Antwort auf die Sicherheitsfrage nach dem Tier?",
    ),
)
PHRASES: tuple[Frame, ...] = (
    Frame(
        r"{phrase}[^\n\0.?!:]*:[ \t]+<phrase>",
        (),
        "My passphrase is a sentence: nine slow boats in autumn.",
        "My passphrase is on paper: ask the notary about the drawer.",
    ),
    Frame(
        r"{several_words}[^\n\0.?!:]*(?::|,[ \t]+(?:al(?:l )?together|zusammen|en tout"
        r"|en total))[ \t]+<phrase>",
        ("entry", "phrase"),
        "The stick is locked. She told me the words: nine slow boats in autumn. I typed them and it opened.",
        "The song opened. I knew the words: all my own work.",
    ),
    Frame(
        rf"{{phrase}}{SOME}(?:,?[ \t]+{{is}}(?:[ \t]+{{adverb}})?[ \t]*:?|[ \t]*:"
        r"|[ \t]+[\x{2013}\x{2014}-])[ \t]+<phrase>",
        (),
        "The passphrase for the stick is nine slow boats in autumn.",
        "The passphrase for the stick is in the blue folder.",
    ),
    Frame(
        rf"{{name}}{SOME}[ \t]+{{is}}(?:[ \t]+{{adverb}})?[ \t]+<drawn>",
        (),
        "The password for the stick is just nine slow boats crossing.",
        "The password for the stick is on a note in the blue folder.",
    ),
    Frame(
        rf"\blautet[ \t]+(?:[^\s.,:;!?\0]+[ \t]+)??{{det}}[ \t]+{{phrase}}{OF}[ \t]+<phrase>",
        (),
        "Deshalb lautet die Passphrase f\u00fcr den Stick neun langsame Boote im Herbst.",
        "Wie lautet die Passphrase f\u00fcr den Stick nochmal genau?",
    ),
    Frame(
        r"[\s,.]{types}[ \t]+<phrase>",
        ("phrase",),
        "It wants the passphrase at boot. Type nine slow boats in autumn and press Enter.",
        "It wants the passphrase at boot. Enter it twice and press Return.",
        within="before",
    ),
    Frame(
        r"[\"\x{201e}\x{201c}\x{ab}]<phrase>[.,]?[\"\x{201c}\x{201d}\x{bb}]",
        ("phrase",),
        'He wanted the rescue phrase and I told him "nine slow boats in autumn".',
        'The secret phrase made him say "what do you mean by that".',
        within="before",
    ),
    Frame(
        r"\b{label}:[ \t]+<phrase>",
        ("phrase",),
        "My passphrase is long, so write down: nine slow boats in autumn.",
        "The passphrase page has a rule, and now: no short words.",
        within="before",
    ),
    Frame(
        r"\benter (?:\w+ ){0,2}(?:passphrase|password)(?: for [^\n\0:]+| again)?:[ \t]+<phrase>[ \t]*(?:\n"
        r"|$)",
        (),
        "Enter new passphrase: Nine slow boats\nEnter same passphrase again: Nine slow boats",
        "Enter passphrase (empty for no passphrase):",
    ),
)
