"""Finds passwords that are said: `log in as lena with …`, "what is the password?", "it's …"."""

from __future__ import annotations

from functools import cache
from typing import Any

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.harmless import Form, is_harmless, is_text
from holdfast.language.secrets.names import ALL_NAMES, CODES, FOREIGN_NAMES, SPOKEN_NAMES
from holdfast.language.secrets.part import MAX_VALUE, WORD, Part, Spans, stripped
from holdfast.language.secrets.values import has_number, is_distinctive
from holdfast.language.secrets.words import AFTER_A_VALUE, COMPOUNDS, FUNCTION_WORDS, POINTERS, is_state

SIGN_IN = (
    r"\b(?:log(?:ged|s|ging)?[ -]?(?:in|on)|sign(?:ed|s|ing)?[ -]?(?:in|on)|creds?|credentials"
    r"|zugang(?:sdaten)?|anmeld(?:en|ung|edaten|e)|meld(?:e|en|est|et)|einloggen|identifiants?|connecte(?:r"
    r"|z)?|connexion|acc\x{e8}s|credenciales|acceso|inicia\w*(?: sesi\x{f3}n)?|(?:entr(?:a|ar|o|e|ez)"
    r"|acced(?:e|er|i|ere)|connecte(?:z-vous|-toi)|collegati) (?:con|com|avec|como))\b"
)
ACCOUNT = r"\b(?:account|konto|compte|cuenta|user(?:name)?|benutzer(?:name)?|utilisateur|usuario)\b"
_BASIC = (
    r"(?:http[ -])?basic[ -]auth(?:entication|orization)?(?:[ \t]+(?:credentials?|creds|user|login|data))?"
)
_NAME = r"[\"'`]?[\w.@+\\-]{2,64}[\"'`]?"
_AS = (
    r"(?:[ \t]+(?:is|are|was|with|as|ist|sind|mit|als|dich|avec|comme|es|son|con|como|to|at|on|for|the"
    r"|:)){0,3}"
)

ENTRY = (
    r"\b(?:(?:get|log|let|sign)(?:ting|ging|ing)?[ \t]+(?:(?:you|me|us|yourself)[ \t]+)?(?:in|into|on)"
    r"|(?:to|can|could|must|will|please|kannst|du|puoi|puedes|tu peux|om te|kunt|aby|by)[ \t]+(?:unlock|open"
    r"|access|enter|entsperren|\x{f6}ffnen|entrare|accedere|entrar|acceder|entrer|acc\x{e9}der|inloggen"
    r"|wej\x{15b}\x{107})|komm(?:e|st|t)?|zaloguj\w*|einloggen|anmelden|inloggen|logg?uj\w*)\b"
)
"""Words for getting in somewhere, of which a sentence may go on with a password."""
_KEY = r"(?:key|token|secret|credentials?|log-?in|pin)"
_IS = r"(?:is|ist|est|es|was|as|als|comme|como|\x{e8}|to|jest|that is|(?:that|this|it|c)['\x{2019}](?:s|est))"
_THE = (
    r"(?:(?:the|a|my|your|our|his|her|its|das|mein|dein|unser|le|mon|ton|votre|la|mi|tu|su|new|neues|nouveau"
    r"|nueva|wifi|wi-fi|wlan|admin|root|master|login|het|mijn|die|meine|der|el|il|mia|moje)[ \t]+){0,3}"
)
_STATED = (
    r"(?:[ \t]+(?:is|was|are|ist|est|es|\x{e8}|to|jest|lautet|should be|will be|now"
    r"|c['\x{2019}]est)){1,2}[ \t]*:?|[ \t]*[:=]"
)

_CHANGED = (
    r"(?:chang\w*|updat\w*|reset|rotat\w*|replac\w*|switch\w*|(?:ge)?\x{e4}nder\w*|changé\w*|cambi\w*|gewijzigd"
    r"|wijzig\w*|zmieni\w*|promijen\w*|изменён|изменен|сменил\w*)"
)
_CHANGEABLE = rf"{SPOKEN_NAMES}|\bpass\b|\bpin\b|\b{_KEY}\b"

# Kind, pattern and, for some, literals of which a sentence has at least one.
_SPOKEN: tuple[tuple[str, ...], ...] = (
    # log in as lena with hunter2; login lena / hunter2; creds: lena/hunter2
    (
        "pair",
        rf"(?:{SIGN_IN}{_AS}(?: \w+)?[ \t]*[:=]?[ \t]*{_NAME}[ \t]+(?:with|using|mit|avec|con|and|und|&"
        rf"|//?|\|)|{SIGN_IN}[ \t]*[:=][ \t]*{_NAME}[ \t]*[,;]"
        rf"|{ACCOUNT}{_AS}[ \t]*:?[ \t]*{_NAME}[ \t]+//?)[ \t]+{WORD}",
    ),
    # entra con lena y hunter2
    ("with", rf"{SIGN_IN}[ \t]+{_NAME}[ \t]+(?:y|e|et)[ \t]+{WORD}", " con | com | avec | como "),
    (
        "tight",
        rf"\b(?:log-?ins?|creds?|credentials|zugang(?:sdaten)?|anmeldedaten|identifiants?|credenciales"
        rf"|acc\x{{e8}}s|acceso|user ?/ ?pass(?:word)?|username ?/ ?password"
        r"|account)(?:[ \t]+(?:is|are|with|as|using|ist"
        rf"|sind|sont|est|son|for[^:\n\0]{{1,30}}:"
        rf"|f\x{{fc}}r[^:\n\0]{{1,30}}:))?(?:[ \t]*[:=]|[ \t]+[-\x{{2013}}\x{{2014}}])?[ \t]+"
        rf"[\"'`]?[\w.@+-]{{2,64}}[ \t]?[/:][ \t]?{WORD}",
    ),
    # basic auth for the wiki is lena:hunter2; after basic auth (lena / hunter2)
    (
        "tight",
        rf"\b{_BASIC}(?:[ \t]+(?:for|of|on|to|f\x{{fc}}r|pour|para)[ \t]+(?:[\w.-]+[ \t]+){{1,4}}?)?"
        rf"(?:[ \t]*(?:[:=(]|\b(?:is|are|was|with|as|using|ist|mit|est|avec|es|con)\b)){{0,2}}[ \t]*"
        rf"(?:user[ \t]+)?{_NAME}[ \t]*[:/,][ \t]*{WORD}",
        "basic",
    ),
    # use hunter2 as the password
    (
        "as",
        rf"{WORD}[\"'`\x{{201d}}]?[,;]?(?:[ \t]+[-\x{{2013}}\x{{2014}}])?[ \t]+(?:gets you"
        rf" [^\n\0,.]{{1,40}}, )?{_IS}[ \t]+{_THE}(?:{SPOKEN_NAMES})(?:[ \t]*[.,;!)\n]|[ \t]*$"
        rf"|[ \t]+(?:for|of|to|on|f\x{{fc}}r|pour|para|and|und|et|y|du|de|del|di|van|voor|do|der|vom)\b)",
    ),
    # is hunter2 a good password?
    *(
        (
            "asked",
            r"(?:^|[.,:;!?][ \t]*|\b(?:and|but|or|think|und|oder)[ \t]+)(?:is|ist|est|es|\x{e8})"
            rf"[ \t]+{value}[ \t]+(?:an?|eine?|une?|una)[ \t]+(?:\w+[ \t]+)?(?:good|strong|safe|secure"
            r"|decent|okay|ok|bad|weak|gutes|sicheres|starkes|schwaches|schlechtes|bonne?|buena|mala|buona)"
            rf"[ \t]+(?:enough[ \t]+)?(?:{SPOKEN_NAMES})",
        )
        for value in (
            WORD + r"[\"'`\x{201c}\x{201d}]?",
            r"[\"'`\x{201c}\x{201e}]([^\"'`\x{201c}-\x{201e}\n\0]{3,64})[\"'`\x{201c}\x{201d}]",
        )
    ),
    # change the password of the router to hunter2
    (
        "to",
        rf"\b(?:set|chang\w*|updat\w*|reset|rotat\w*|replac\w*|switch\w*|ge\x{{e4}}ndert|ge\x{{e4}}nder\w*"
        rf"|ändere|setze|chang\x{{e9}}\w*"
        rf"|cambi\w*)\b[^\n\0.?!]{{0,60}}?(?:{ALL_NAMES}|log-?in)(?:[ \t]+from[ \t]+[^\s\0]+)?"
        rf"(?:[^\n\0.?!:=]{{0,60}}[ \t])??(?:to|auf|zu|en|\x{{e0}}|a|with)[ \t]+{WORD}",
        "set chang updat rotat replac switch nder cambi",
    ),
    # the password was changed from hunter2 to another; changed the PIN from 7731 to 4410
    (
        "from",
        rf"\b(?:{_CHANGED}\b[^\n\0.?!]*?(?:{_CHANGEABLE})|(?:{_CHANGEABLE})[^\n\0.?!]*?"
        rf"(?:\b{_CHANGED}|[ \t]went))(?:[ \t][^\n\0.?!:=]*?)?[ \t]+(?:from|von|de|da|van|z|od|из|с)"
        rf"[ \t]+{WORD}[\"'`\x{{201d}}]?[ \t]+"
        rf"(?:to|into|auf|zu|in|\x{{e0}}|a|naar|na|на|->|=>|\x{{2192}})[ \t]",
        " from | von | de | da | van | z | od | \u0438\u0437 | \u0441 ",
    ),
    (
        "from",
        rf"(?:{_CHANGEABLE})[^\n\0.?!:=]*?[ \t](?:von|van)[ \t]+{WORD}[ \t]+(?:auf|in|naar|zu)[ \t]"
        r"[^\n\0.?!]+(?:ge\x{e4}ndert|gesetzt|gewechselt|gewijzigd|veranderd)",
        "ndert gesetzt gewechselt gewijzigd veranderd",
    ),
    # password updated: hunter2 -> another
    (
        "from",
        rf"(?:{_CHANGEABLE})[^\n\0.?!:=]*?{_CHANGED}[ \t]*:?[ \t]+{WORD}[ \t]*(?:->|=>|\x{{2192}})",
        "-> => \u2192",
    ),
    # pass / hunter2 / lena; lena / hunter2 / password
    ("weak", rf"(?:{SPOKEN_NAMES}|\b\w?pass)[ \t]+/[ \t]+{WORD}", " / "),
    ("weak", rf"[ \t]/[ \t]+{WORD}[ \t]+/[ \t]+(?:{SPOKEN_NAMES}|\w?pass\b)", " / "),
    # login lena hunter2; log in as lena hunter2
    (
        "account",
        rf"(?:^|[,;:(.][ \t]*)(?:(?:the|my|our|use)[ \t]+)?(?:log[ -]?in|sign in|creds?|credentials"
        r"|account)"
        rf"(?:[ \t]*:|[ \t]+(?:as|is|with))?[ \t]+{_NAME}[ \t]+{WORD}[\"'`]?[ \t]*(?:[.,;!)\r\n]|$)",
        "log sign cred account",
    ),
    (
        "netrc",
        rf"\b(?:machine|login|user(?:name)?|benutzer|utilisateur"
        rf"|usuario)[ \t]+[^\s\0]+\s+(?:login[ \t]+[^\s\0]+\s+)?(?:password|passwd|pass|pw|passwort"
        rf"|kennwort)[ \t]+{WORD}",
    ),
    # user lena password hunter2; wifi: password hunter2; sign in with the password hunter2
    (
        "cue",
        r"(?:(?:\b(?:using|use|need|needs|with|mit|avec|con|try|enter|type|tippe|login|user"
        r"|username|machine|benutzer"
        rf"|utilisateur|usuario|jako)\b(?:[^\n\0.?!]|[.?!][^\s\0]){{0,60}}?[ \t\"'(]|[:,;/(][ \t]"
        rf"|^[ \t]*)(?:{SPOKEN_NAMES})|\b(?:and|und|et|y|e|en|,)[ \t]+(?:pass|pw)\b|\n[ \t]*(?:password"
        rf"|passwd))[ \t]+{WORD}",
    ),
    # the password that I gave you is hunter2
    (
        "gap",
        rf"(?:{SPOKEN_NAMES})\b(?:[ \t,]+[\pL\d_'\x{{2019}}@/-]+){{1,9}}?(?:[ \t,]+(?:is|was|ist|war|lautet"
        rf"|est|es|to|\x{{e8}}|should be|will be|it['\x{{2019}}]s|c['\x{{2019}}]est|w\x{{e4}}re)[ \t]*:?"
        rf"|[ \t]*:)[ \t]+{WORD}",
    ),
    # you can get in with hunter2
    (
        "weak",
        rf"{ENTRY}(?:[ \t]+[^\s\0.]+){{0,5}}?[ \t]+(?:with|using|use|by entering|mit|con|avec|met|z"
        rf"|has\x{{142}}em)[ \t]+(?:code[ \t]+|pin[ \t]+|{_KEY}[ \t]+)?{WORD}",
        "with us ent mit con avec met z has",
    ),
    # use 7731 to open the gate; enter hunter2 at the prompt
    (
        "weak",
        r"\b(?:use|type|enter|try|punch in|key in|tippe|gib|saisis|tapez|inserisci|introduce|wpisz)[ \t]+"
        r"(?:(?:the|this|code|pin|key|den|das|le|il|el|kod)[ \t]+){0,2}"
        rf"{WORD}[\"'`]?(?:,[ \t]+(?:that|it|this)['\x{{2019}} ]i?s|[ \t]+(?:to|at|on|for|as|if|when|bei"
        rf"|pour|per|para))\b[^\n\0]{{0,40}}(?:\bcode\b|\bpin\b|{SPOKEN_NAMES}|{_KEY}|open|unlock|gate|door)",
        "use type enter try punch key tippe gib saisis tapez inserisci introduce wpisz",
    ),
    # when prompted for a passphrase, enter hunter2
    (
        "weak",
        rf"(?:prompt(?:ed|s)|asked|asks)\b[^\n\0.]{{0,30}}(?:{SPOKEN_NAMES}),?[ \t]+"
        rf"(?:just[ \t]+)?(?:enter|type|use|say)[ \t]+{WORD}",
        "prompt ask",
    ),
    # the door code is 7731; the key for the billing API is hunter2
    (
        "weak",
        rf"(?:{CODES}|\b(?:the|my|our|your|new|this|here['\x{{2019}}]s)[ \t]+(?:[\w-]+[ \t]+){{0,2}}{_KEY}\b)"
        rf"(?:[ \t]+(?:for|of|to|on|from|in|you|we|i|that|which|per|pour|para|f\x{{fc}}rs?|del?|der|du|do"
        rf"|van|voor)\b(?:[ \t]+[\w'\x{{2019}}-]+){{0,7}}?(?:{_STATED})|(?:{_STATED})?)[ \t]+{WORD}",
    ),
    (
        "weak",
        rf"{WORD}[\"'`]?[,;]?[ \t]+{_IS}[ \t]+{_THE}(?:{CODES}|(?:pin|log-?in|code|{_KEY})[ \t]+(?:for|of"
        rf"|to|from)\b)",
    ),
    # it's hunter2, the password for the NAS; set it to hunter2 (that's the admin password)
    (
        "numbered",
        rf"{WORD}[\"'`]?(?:,[ \t]+|[ \t]*\([ \t]*|[ \t]+[-\x{{2013}}\x{{2014}}][ \t]+)(?:{_IS}[ \t]+)?"
        r"(?:the|my|our|your|das|mein|unser|dein|le|mon|notre|la|mi|nuestra|il|het|mijn)[ \t]+"
        rf"(?:[\w-]+[ \t]+){{0,2}}(?:{SPOKEN_NAMES})"
        r"(?:[ \t]*[.,;!)\n]|[ \t]*$|[ \t]+(?:for|of|to|on|f\x{fc}r|pour|para|de|del|du|voor)\b)",
    ),
    # try hunter2 for the password
    (
        "numbered",
        rf"\b(?:try|use|take|enter|nimm|nehmt|probier\w*)[ \t]+{WORD}[\"'`]?[ \t]+"
        rf"(?:for|f\x{{fc}}r|pour|para)[ \t]+{_THE}(?:{SPOKEN_NAMES})(?:[ \t]*[.,;!)\n]|[ \t]*$)",
    ),
    # new password → hunter2
    (
        "numbered",
        rf"(?:{SPOKEN_NAMES})(?:[ \t]*\([^)\n\0]{{1,40}}\))?[ \t]*(?:->|=>|\x{{2192}})[ \t]*{WORD}",
        "-> => \u2192",
    ),
    # мой пароль hunter2
    ("foreign", rf"(?:{FOREIGN_NAMES})(?:[ \t]*\([^)\n\0]{{1,40}}\))?[ \t]*:?[ \t]+{WORD}"),
    # my password for the router? hunter2
    ("weak", rf"(?:{SPOKEN_NAMES})[^\n\0?]{{0,60}}\?[ \t]+{WORD}", "?"),
    # ich habe das Passwort auf hunter2 geändert
    (
        "as",
        rf"(?:{SPOKEN_NAMES})[^\n\0.?!:=]{{0,40}}[ \t](?:auf|zu|op|na)[ \t]+{WORD}[\"'`\x{{201d}}]?[ \t]+"
        r"(?:ge\x{e4}ndert|gesetzt|zur\x{fc}ckgesetzt|gezet|veranderd)",
        "ndert gesetzt gezet veranderd",
    ),
    # wrong password, it should be hunter2; the PIN changed, it is hunter2 now
    (
        "weak",
        rf"(?:{SPOKEN_NAMES}|{_KEY})\b[^\n\0]{{0,50}}(?:[,;?!]|[ \t]-)[ \t]*"
        rf"(?:(?:but|new|it|that|now|the|value|current|correct|right|one|sondern|es|c)(?:['\x{{2019}}](?:s"
        rf"|est))?[ \t]*){{1,4}}(?:is|be|should be|must be|ist|to)?[ \t]*:?[ \t]+{WORD}",
    ),
    # password hunter2
    ("direct", rf"(?:{SPOKEN_NAMES})[ \t]+{WORD}"),
)


@cache
def _patterns() -> list[tuple[str, str, tuple[bytes, ...]]]:
    return [(kind, f"(?im){pattern}", _literals(*cues)) for kind, pattern, *cues in _SPOKEN]


def _literals(cues: str = "") -> tuple[bytes, ...]:
    """Returns literals that blanks separate, or bars where they hold blanks themselves."""
    parts = cues.split("|") if cues.startswith(" ") else cues.split()
    return tuple(part.encode() for part in parts)


def is_argument(value: str) -> bool:
    """Returns whether the next argument of a call or pair of a log follows: `port=5432`."""
    name, _, assigned = value.partition("=")
    is_name = name.isidentifier() and len(name) > 2 and (name.islower() or name.isupper())
    return is_name and assigned.translate(_PLAIN).isalnum()


_PLAIN = str.maketrans("-_./:", "aaaaa")


@cache
def _loose_name() -> Any:
    """Returns a pattern of the names of passwords that no sign binds to a value."""
    return byte_pattern(rf"(?i){SPOKEN_NAMES}(?:[ \t,]+[^\s=:|]|[ \t]*[.,;!)\n]|[ \t]*$)")


@cache
def _account() -> Any:
    return byte_pattern(rf"(?i){SIGN_IN}|{ACCOUNT}|\b(?:machine|login|user)[ \t]|\b{_BASIC}")


@cache
def _password_names() -> Any:
    return byte_pattern(f"(?i){SPOKEN_NAMES}")


def in_speech(text: Part) -> Spans:
    """Yields the passwords that sentences state, by the patterns of `_spoken` and the conditions of each
    kind."""
    data = text.data
    has_name = text.has(_loose_name())
    has_account = text.has(_account())
    has_key = text.has(byte_pattern(rf"(?i)\b{_KEY}\b"))
    lower = data[text.begin : text.end].lower()
    has_digit = any(digit in lower for digit in b"0123456789")
    possible = {
        **dict.fromkeys(("pair", "with", "tight", "netrc", "account"), has_account),
        **dict.fromkeys(("to", "from"), has_name or has_key),
        **dict.fromkeys(("weak", "cue"), True),
        **dict.fromkeys(("as", "gap", "direct"), has_name),
        "asked": text.has(_password_names()),
        "numbered": has_digit and text.has(_password_names()),
        "foreign": has_digit,
    }
    for kind, pattern, cues in _patterns():
        if not possible[kind] or (cues and not any(map(lower.__contains__, cues))):
            continue
        for match in text.matches(byte_pattern(pattern)):
            start = match.start(1)
            value = stripped(match.group(1)[:MAX_VALUE], b".,:;)]}>!?\\/")
            if not value:
                continue
            spelled = value.decode("utf-8", "replace")
            if b"=" in value and kind != "netrc" and is_argument(spelled):
                continue
            if kind == "weak" and not is_distinctive(spelled):
                continue
            if kind in ("numbered", "foreign") and not (is_distinctive(spelled) or has_number(spelled)):
                continue
            if kind == "gap" and not is_distinctive(spelled) and _leads_on(match.group(), value):
                continue
            if kind == "account" and not (is_distinctive(spelled) and _is_account(match.group())):
                continue
            if kind == "direct" and not _begins_word(data, match.start()):
                continue
            if kind == "cue" and (length := _spoken_phrase(data, start, len(value))) > len(value):
                yield start, start + length, "password"
                continue
            if kind in ("to", "from") and not is_distinctive(spelled) and not _is_set(match.group()):
                continue
            if _is_spoken(kind, spelled, data, start, start + len(value)):
                length = _spoken_phrase(data, start, len(value)) if kind == "pair" else len(value)
                yield start, start + length, "password"


_OF_SIGN_IN = frozenset(
    "attempt attempts code duration error errors failed failure fails from id ip latency port rate screen"
    " session status succeeded success time timeout took total url via".split()
)


def _leads_on(clause: bytes, value: bytes) -> bool:
    """Returns whether `to` precedes the value, which is more often a purpose: `your password twice to
    confirm`."""
    return clause.rpartition(value)[0].rstrip(b" \t\"'`").lower().endswith(b" to")


def _is_account(clause: bytes) -> bool:
    """Returns whether the word before a value names an account, and does not speak of signing in."""
    name = clause.decode("utf-8", "replace").lower().split()[-2].strip("\"'`:,")
    return not (
        name in FUNCTION_WORDS
        or name in POINTERS
        or name in COMPOUNDS
        or name in _OF_SIGN_IN
        or is_state(name)
    )


def _is_set(clause: bytes) -> bool:
    """Returns whether a password is set, and not its policy or its page."""
    name = _password_names().search(clause)
    after = clause[name.end() :].split()[0].decode("utf-8", "replace").lower() if name else ""
    return name is not None and (after in ("for", "of") or after not in COMPOUNDS)


def _is_spoken(kind: str, value: str, data: bytes, start: int, end: int) -> bool:
    """Returns whether the value that a pattern of a kind found is a password, by its form and what follows
    it."""
    if len(value) < 3 or is_harmless(value, Form.LOOSE, is_password=True):
        return False
    first = value.partition(",")[0]
    if first != value and (first.lower() in COMPOUNDS or is_harmless(first, Form.LOOSE, is_password=True)):
        return False  # `password reset,30`
    if kind == "direct" and data[max(0, start - 1) : start] in (b'"', b"'", b"`"):
        return False  # that is an assignment, and was judged as one
    if kind in ("netrc", "numbered", "foreign"):
        return True
    if is_distinctive(value) or (has_number(value) and not value.islower() and "_" in value):
        return kind != "direct" or not value.startswith(("(", "[", "{", "<", "-", "_", "="))
    if kind == "asked" and " " in value:
        return not is_text(value, quoted=True)
    if not value.replace("-", "").replace("_", "").replace(".", "").isalnum() or kind == "direct":
        return False
    after = data[end : end + 24]
    if kind in ("as", "asked", "with", "tight", "from"):
        return not (
            kind in ("as", "with") and value.istitle() and value.isalpha()
        )  # "Patience is the password."
    stripped = after.lstrip(b" \t\"'`\xe2\x80\x9d")
    if not stripped or stripped[:1] in b".,;!?)\n\r":
        return True
    if kind == "gap":
        return False
    word = stripped.split()[0].decode("utf-8", "replace").strip(".,;!?").lower() if stripped.split() else ""
    return (kind in ("pair", "to", "cue") and word in _AFTER_SPEECH) or (kind == "cue" and word == "to")


def _begins_word(data: bytes, start: int) -> bool:
    """Returns whether the word around a name is one of a sentence, not of a path, a variable or an option."""
    floor = max(0, start - 64)
    while start > floor and (data[start - 1 : start].isalnum() or data[start - 1] in b"_-.\xc3\xbc"):
        start -= 1
    return not start or data[start - 1] not in b"$%{=/<@&"


_AFTER_SPEECH = AFTER_A_VALUE | frozenset(
    "an this today yesterday last now then ge\u00e4ndert gesetzt on at after before because since today heute"
    " gestern dann".split()
)


def _spoken_phrase(data: bytes, start: int, length: int) -> int:
    """Returns the length of a passphrase of several words that ends its line."""
    line = data[start : start + MAX_VALUE].split(b"\n", 1)[0].split(b"\0", 1)[0].rstrip(b" \t\r.,;!?)\"'`")
    words = line.decode("utf-8", "replace").split()
    if (
        not 3 <= len(words) <= 12
        or words[0] in COMPOUNDS
        or not all(word.isalpha() and word == word.lower() for word in words)
    ):
        return length
    return length if is_text(" ".join(words), quoted=False) else len(line)
