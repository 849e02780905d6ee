"""The frames in which a secret is told: what stands on both sides of it, and what must be spoken of nearby.

In a pattern, `{class}` stands for the words of a class of the lexicon, and `<slot>` for the value.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A frame with a sentence that it is for, and one that looks like it and holds no secret."""

    pattern: str
    near: tuple[str, ...]
    """Classes of which one is spoken of nearby; `a+b` asks for both."""
    example: str
    unlike: str
    within: str = "around"
    """Where it is spoken of: in the same `sentence`, `before` the value, or some lines `around` it."""


_FEW = r"(?:[ \t]+[^\s.?!:;,=\0]+){0,3}?"
_OF = r"(?:[ \t]+(?:f\x{fc}rs?|vo[mn]|zu[rm]?|de[rs]|am|im)(?:[ \t]+{det})?[ \t]+[^\s.,:;!?\0]+)?"
_SOME = r"(?:,?[ \t]+[^\s.?!:;,=\0]+)*?"

NUMBERS: tuple[Frame, ...] = (
    Frame(
        rf"{{opens}}{_FEW}[ \t]+{{with}}[ \t]+(?:{{det}}[ \t]+)?(?:(?:code|pin|number)[ \t]+)?<number>",
        ("lock", "sure", "code"),
        "The back gate opens with 6605, no hash.",
        "The season opens with 1200 runners at the gate.",
    ),
    Frame(
        r"{types}[ \t]+(?:(?:{det}|code|pin|kod|c\x{f3}digo|codice|number|nummer|star"
        r"|stern)[ \t]+){0,2}<number>",
        ("sure", "lock+code", "lock+opens", "code+opens"),
        "At the shed's keypad you punch in 6605 and wait.",
        "Enter 1500 as the amount, the code review is next door.",
    ),
    Frame(
        r"<number>[ \t]+(?:und (?:dann )?(?:raute|stern)[ \t]+)?{typed}",
        ("sure", "lock", "code"),
        "Am Panel muss 6605 eingegeben werden.",
        "Im Formular wurden 6605 eingegeben.",
    ),
    # the code of the side gate has become 6605
    Frame(
        rf"{{sure}}{_SOME}(?:[ \t]*[:=,(\x{{2013}}\x{{2014}}-]"
        rf"|[ \t]+{{is}}(?:[ \t]+{{adverb}})?(?:[ \t]+{{det}})?[ \t]*:?)?[ \t]*<code>",
        (),
        "Der Hofcode ab Montag 6605*, bitte weitersagen.",
        "The door code has 4 digits since 2019.",
    ),
    Frame(
        rf"{{code}}{_SOME}(?:[ \t]*[:=,(]"
        rf"|[ \t]+{{is}}(?:[ \t]+{{adverb}})?(?:[ \t]+{{det}})?[ \t]*:?)?[ \t]+<number>",
        ("lock",),
        "For the barn the code you want is 6605.",
        "The page behind the door shows error code 6605.",
    ),
    Frame(
        r"(?:\b(?:mine|yours|ours|his|hers|theirs|today['\x{2019}]s|the (?:new|current|right) one|deiner"
        r"|meiner|der neue|le nouveau|el nuevo"
        r"|il nuovo)(?:[ \t]+(?:for|f\x{fc}r|pour|para|per)(?:[ \t]+[^\s.?!:;\0]+){1,3}?)?"
        r"|\b(?-i:[A-Z])\w+['\x{2019}]s|\bit|\bes|\bthey gave (?:me|us)"
        r"|\btoday)[ \t]*(?:['\x{2019}]s"
        r"|[ \t]{is}(?:[ \t]+{adverb})?(?:[ \t]+{det})?)?[ \t]*:?[ \t]+<number>",
        ("sure", "lock+code", "code+opens"),
        "All got a door code: yours is 6605, Ida's is 6606.",
        "We counted codes: yours is 1200 lines, Ida's is 900.",
    ),
    Frame(
        r"\b(?:enter|press|dial|type|(?:punch|type|key|tap) in|tippe|tippst|tape[sz]?|composez?|marca[s]?"
        r"|digita|dr\x{fc}ckst?|gibst|gib)[ \t]+(?:(?:du|ihr|man|dort|da|{det})[ \t]+){0,2}<number>",
        ("lock",),
        "The allotment gate: ring, or enter 6605 and push.",
        "Enter 1500 in the form by the door.",
        within="sentence",
    ),
    Frame(
        r"{types}[ \t]+(?:(?:{det}|code)[ \t]+){0,2}<number>",
        ("asks",),
        "The boiler asks for the service level, there you type 6605.",
        "He asks how many: enter 1500 pieces.",
        within="before",
    ),
    # digit by digit
    Frame(
        r"[\s:,(\"\x{201e}\x{201c}]<dialled>",
        ("sure", "lock", "code", "name"),
        "The shed lock was set anew, it is the 6-6-0-5 from now on.",
        "The goals fell 1-0-2-3 by quarter.",
    ),
    Frame(
        r"\b{then},?[ \t]+<number>",
        ("lock_code",),
        "At the keypad it is star, then 6605, then star.",
        "First 6605 steps, then 1500 by the harbour.",
        within="before",
    ),
    Frame(
        r"[,:;\x{2013}\x{2014}-][ \t]+<number>",
        ("lock_code",),
        "He forgot the PIN of the card. I told him again, 6605, but delete this.",
        "He forgot the PIN of the card. In 2014, 6605 people did.",
        within="before",
    ),
    Frame(
        r"{vault}[^\n\0.?!]*?[ \t]{set}[ \t]+{to}[ \t]+(?:{det}[ \t]+)?<number>",
        (),
        "Der Safe im Flur steht auf 660566.",
        "Der Safe steht auf dem Tisch.",
    ),
    Frame(
        r"[\s:,(\"'\x{2019}]<hashed>",
        ("lock", "sure", "code"),
        "Front door's 6605#, the back door just push.",
        "Front door in the song: 1000* and more.",
        within="sentence",
    ),
    Frame(
        r"{code}[ \t]+(?:for|to|f\x{fc}r|zum|zur|pour|para|per)[ \t][^\n\0.?!:]+:[ \t]+<number>",
        (),
        "Code for the boat house changed again: 660571.",
        "Error code for the boat house pump: 660571.",
    ),
    Frame(
        rf"{{lock}}{_FEW}:[ \t]+<number>[,;]?[ \t]+{{then}}",
        (),
        "Side door: 6605, then lift the handle.",
        "Side door: 1200, kitchen door: 1850.",
    ),
    # nobody in the sentence says what the number is, but what it opens
    Frame(
        r"(?:[,:;\x{2013}\x{2014}-][ \t]+|[(\"\x{201e}\x{201c}])(?:{then}[ \t]+)?<number>",
        ("sure",),
        "He unlocked the tablet while I watched, 6605, and laughed.",
        "She unlocked three levels in 2014, 1380 players had not.",
        within="sentence",
    ),
    Frame(
        rf"{{set}}{_FEW}[ \t]+{{to}}[ \t]+(?:(?:{{det}}|code|pin)[ \t]+){{0,2}}<number>",
        ("lock_code", "code", "vault"),
        "I have set the lockbox to 6605.",
        "I have set the oven to 1800.",
        within="sentence",
    ),
    Frame(
        r"(?-i:\bP[IU]K ?[12]?)[ \t]*[:=]?[ \t]+<number>",
        (),
        "SIM of the meter: PIN 6605, PUK 66050123",
        "PIN pads 2024",
    ),
    Frame(
        rf"{{lock_code}}(?:{_SOME}(?:[ \t]*[:=]|[ \t]+{{is}}|[ \t]+(?:to|auf|sur|en|su)))?[ \t]+<short>",
        (),
        "Bikes are behind the house, combination lock 660.",
        "The padlock cost 120 kroner.",
    ),
    Frame(
        r"{set}[ \t]+(?:{det}[ \t]+)?(?:wheels|dials|r\x{e4}der|r\x{e4}dchen|molettes|ruedas"
        r"|rotelle)[ \t]+{to}[ \t]+<short>",
        (),
        "On my locker I set the wheels to 660.",
        "I set the wheels to 120 kilometres.",
    ),
    Frame(
        r"(?:密码|口令)[^\n\0。!?]{0,16}?(?:[:：是为]|成了?)[ \t]*<ascii>",
        (),
        "车库的密码换成了660512，请记住。",
        "密码错误，请在24小时后重试。",
    ),
)

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
        rf"{{name}}{_SOME},?[ \t]+(?:(?:das|that|it|ce|es)[ \t]+)?(?:{{is}}|that['\x{{2019}}]s"
        rf"|it['\x{{2019}}]s)[ \t]+(?:{{adverb}}[ \t]+){{0,2}}<word>",
        (),
        "The password for the scale is still haystack.",
        "The password for the scale is still secret.",
    ),
    Frame(
        rf"{{name}}{_SOME}[ \t]+{{is}}[ \t]+{{det}}[ \t]+(?:word|wort|mot|palabra|parola)[ \t]+<word>",
        (),
        "The password is the word haystack and nothing else.",
        "The password is the word that he hates.",
    ),
    Frame(
        rf"{{name}}{_SOME}[ \t]?:[ \t]+<clause>",
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
        rf"\blautet[ \t]+(?:[^\s.,:;!?\0]+[ \t]+)??{{det}}[ \t]+{{name}}{_OF}[ \t]+<word>",
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
        r"(?:^|[.:;!?\x{2013}\x{2014}\x{2026}\n,(][ \t]*[\"'\x{201e}\x{201c}\x{ab}]?[ \t]*|{is}[ \t]+"
        r"|{types}[ \t]+|{with}[ \t]+|\b(?:so|also)[ \t]+)<noted>"
        r"[\"'\x{201c}\x{201d}\x{bb}]?(?:[ \t]*[,.;:(\x{2013}\x{2014}-]{1,2}[ \t]*|[ \t]+){note}",
        ("name", "entry", "phrase"),
        "To log in use haystack, all lowercase.",
        "Spell the brand as Haystack, one word.",
    ),
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
        rf"{{key}}{_SOME}(?:[ \t]*[:=]|,?[ \t]+{{is}}|[ \t]+(?:to|auf|en|\x{{e0}}|a|in|dazu"
        rf"|daf\x{{fc}}r))[ \t]+(?:{{adverb}}[ \t]+)?<word>",
        ("wifi",),
        "The router is new, and its key is haystack.",
        "The key is in the router box.",
    ),
    Frame(
        rf"{{key}}{_SOME},?[ \t]+{{is}},[^\n\0.?!:,]{{1,30}},[ \t]+<word>",
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
        r"|chiffr\x{e9}e?|prot\x{e9}g\x{e9}e?"
        r"|cifrad[oa]|protegid[oa]|protetto)[ \t]+{with}[ \t]+<distinct>",
        (),
        "The old zip is encrypted with Haystack1987, from school.",
        "The old zip is encrypted with AES-256.",
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
        rf"{{answer}}{_SOME}(?:[ \t]*:|,?[ \t]+{{is}})[ \t]+<name>",
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
        r"{several_words}[^\n\0.?!:]*(?::|,[ \t]+(?:al(?:l )?together|zusammen|en tout"
        r"|en total))[ \t]+<phrase>",
        ("entry", "phrase"),
        "The stick is locked. She told me the words: nine slow boats in autumn. I typed them and it opened.",
        "The song opened. I knew the words: all my own work.",
    ),
    Frame(
        rf"{{phrase}}{_SOME}(?:,?[ \t]+{{is}}(?:[ \t]+{{adverb}})?[ \t]*:?|[ \t]*:"
        rf"|[^\n\0.?!:]*:)[ \t]+<phrase>",
        (),
        "The passphrase for the stick is nine slow boats in autumn.",
        "The passphrase for the stick is in the blue folder.",
    ),
    Frame(
        rf"\blautet[ \t]+(?:[^\s.,:;!?\0]+[ \t]+)??{{det}}[ \t]+{{phrase}}{_OF}[ \t]+<phrase>",
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


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Frames that are looked for in one scan of a text."""

    frames: tuple[Frame, ...]


GROUPS = (
    Group(NUMBERS),
    Group(WORDS),
    Group((*PHRASES, *NOTED, *KEYED, *ANSWERED, *OTHERS)),
)
WAYS_IN = ("sure", "lock", "code", "asks", "words")
"""Classes of which a text has one if anything is told in it."""
