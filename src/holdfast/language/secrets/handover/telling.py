"""Decides whether a value in a frame is told as a secret: numbers, codes, words and phrases."""

from __future__ import annotations

from dataclasses import dataclass

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.handover.vocabulary import (
    DESCRIBES,
    MAY_BEGIN,
    MAY_NOT_BEGIN,
    SAID_OTHERWISE,
    TALK,
    VERBS,
)
from holdfast.language.secrets.harmless import Form, is_harmless
from holdfast.language.secrets.nearby import TECHNICAL
from holdfast.language.secrets.values import has_number, is_distinctive, is_name_like
from holdfast.language.secrets.words import (
    COMPOUNDS,
    FUNCTION_WORDS,
    POINTERS,
    SECRET_WORDS,
    UNITS,
    is_state,
)

_PARTICIPLE = (
    r"(?:ab|an|auf|aus|ein|um|weg|zur\x{fc}ck)?(?:ge[a-z\x{e4}\x{f6}\x{fc}]{3,}(?:t|en)|(?:ver|be|er|ent"
    r"|zer)[a-z\x{e4}\x{f6}\x{fc}]{3,}(?:t|en))|(?:cambi|salv|blocc|sbagli|dimentic|aggiorn|modific|registr"
    r"|memorizz|complic|olvid|guard|caduc|bloque|actualiz|almacen|anot|apunt|configur|compart|compromet)"
    r"(?:at|ad|id|ut)[oaie]s?|scadut[oa]|pers[oa]|perdid[oa]|rubat[oa]|robad[oa]|[a-z]+(?:ies|tion)"
    r"|[a-z]{2,}ly|[a-z]{3,}\x{e9}e?s?"
)
# What is entered in a form counts something.
_IN_A_FORM = (
    r"(?i)\s+(?:in(?:to)?|as|on|im|ins|als|dans|en|nel)\s+(?:(?:the|a|das|dem|le|la|el"
    r"|il)\s+)?(?:\w+\s+)?(?:form|field|column|cell|table|page|amount|menu|search|quantity|year"
    r"|formular|feld|spalte|zelle|tabelle|suche|champ|case|campo|casilla|casella)\b"
)
_QUALITY = (
    r"(?:al|ous|ive|ary|ory|ic|ent|ant|less|ful|able|ible|ing|ed|ly|lich|isch|ig|bar|sam|los|haft|iv|ell"
    r"|eux|euse|if|ique|oso|osa|ivo|iva|ico|ica|ale|are)$"
)
"""Endings of adjectives."""
_JOINED = 14  # letters of a word that is rather several, joined
_YEAR = r"(?:19|20)\d\d"
_KNOWN_NUMBERS = frozenset(
    ("110", "112", "911", "999", "116117", "0800", "1000", "10000", "100", "404", "500")
)
_DATE = r"(?:19|20)\d\d-\d\d?(?:-\d\d?)?|\d\d?-\d\d?-(?:19|20)\d\d|\d{3}-\d{3}-\d{4}"
"""Dates, and numbers to call."""
# What precedes a number that counts, dates or numbers something.
_COUNTED = (
    r"(?i)(?:\b(?:parcel|paket|package|shelf|locker|since|on|in|until|from|by|of|around|about|before|after"
    r"|during|over|under|than|least|most|only|nearly|almost|year|seit|im|bis|von|vor|nach"
    r"|jahr|depuis|jusqu'en|avant|apr\x{e8}s|environ|desde|hasta|antes|dal|nel|fino|circa|room|page|port"
    r"|ports|ticket|issue|order|no|nr|line|build|extension|ext|flat|house|suite|unit|row|seat|bus|flight|tel"
    r"|phone|zimmer|raum|seite|linie|hausnummer|durchwahl|platz|bahn|chambre|salle|page|habitaci\x{f3}n"
    r"|stanza"
    r"|version|v|id|art|artikel|model|modell|serial|eur|usd|chf|gbp|rs|ca)\.?|[#\x{20ac}$\x{a3}/.])[ \t:#]*$"
)
# What binds a number so that even one that may be a year is told.
_BINDS = (
    r"(?i)(?:\b(?:is|are|was|to|with|mit|avec|con|ist|lautet|est|es|auf|enter|type|press|(?:punch|type|key"
    r"|tap) in|use|dial|code|pin|passcode|combination|tape[sz]?|marca[s]?|digita)"
    r"|\w+code|\x{e8}|[:=]|\bit's|\x{2019}s)[ \t\"'`*]*$"
)
_ENDS_NUMBER = (
    r"(?i)(?:[.,;:!?)\]\"\x{201d}\x{201c}'\x{2019}\x{2026}\x{2013}\x{2014}\x{3002}\x{ff0c}]+(?:[^\d\w]|$)"
    r"|[\x{ff0c}\x{3002},]|\s*$|\s*\n|\s+(?:[-\x{2013}\x{2014}(&/]|(?:and|then|und|et|y|e|dann|puis|luego|poi"
    r"|to|um|zum"
    r"|pour|para|per|at|am|im|an|on|in|from|ab|bis|until|before|within|entro|avant|binnen|innerhalb|because"
    r"|weil|denn|parce|perch\x{e9}|porque|it|but|aber|mais|pero|ma|if|wenn|si|se|please|bitte|now|jetzt"
    r"|ein(?:geben|gegeben|tippen|zugeben)?|auf|followed|inklusive|including|avec|with|mit|con|like|wie|comme"
    r"|como|come|since|seit|when|or|oder|ou|o|for|f\x{fc}r|again|geht|rein|frei|hash|star|eingestellt|gesetzt"
    r"|gedreht"
    r"|(?:I|I'm|ich) (?:think|guess|glaube?|sure)|glaub|je crois|creo|credo|same|after|nach|apr\x{e8}s"
    r"|despu\x{e9}s|dopo|\x{f6}ffnen|aufmachen|entsperren|entriegeln|unscharf|scharf|schalten|ausschalten"
    r"|deaktivieren|abrir|aprire|ouvrir|maintenant|ahora|adesso|ora"
    r"|on the|dr\x{fc}cken|w\x{e4}hlen|tippen|gedr\x{fc}ckt|push|pull|desde|depuis|da|dal|twice"
    r"|ist|is|or)\b))"
)
_ENDS_WORD = (
    r"(?i)[\"'\x{2019}\x{201d}\x{201c}\x{bb}*)]*(?:[.,;!)\x{2026}\x{3002}\x{ff0c}]|\s*$|\s*\n"
    r"|\s+(?:[-\x{2013}\x{2014}(]|ein[ \t]*(?:[.,!]|$)|(?:and"
    r"|und|et|y|e|since|seit|depuis|desde|in (?:small|capital|lower)|with (?:a|the|two)"
    r"|in klein\w*|mit|en min\w*|in minus\w*|with|when|wenn|damals|back|now|jetzt|again|ge\x{e4}ndert|gesetzt"
    r"|eingestellt|gew\x{e4}hlt|genommen|vergeben|eingerichtet|verwendet|benutzt|for|f\x{fc}r|followed|please"
    r"|bitte|and|then|dann|everywhere|today|heute)\b))"
)


def _begins(pattern: str, text: str) -> bool:
    return byte_pattern(pattern).match(text.encode("utf-8", "replace")) is not None


def _finds(pattern: str, text: str) -> bool:
    return byte_pattern(pattern).search(text.encode("utf-8", "replace")) is not None


def _is(pattern: str, text: str) -> bool:
    return byte_pattern(pattern).fullmatch(text.encode("utf-8", "replace")) is not None


@dataclass(frozen=True, slots=True)
class Value:
    """A value with some of the text before and after it."""

    text: str
    before: str = ""
    after: str = ""


def is_number(value: Value) -> bool:
    """Returns whether digits may open something: neither a year, a measure nor a number to call."""
    digits = "".join(filter(str.isdigit, value.text))
    if not 4 <= len(digits) <= 12 or digits in _KNOWN_NUMBERS:
        return False
    if not ("-" in value.text or _begins(_ENDS_NUMBER, value.after)):
        return False
    if _is(_DATE, value.text) or _begins(_IN_A_FORM, value.after):
        return False
    return _finds(_BINDS, value.before) or not (_is(_YEAR, value.text) or _finds(_COUNTED, value.before))


def is_hashed(value: Value) -> bool:
    """Returns whether digits end with the hash or the star of a keypad."""
    return (
        len(value.text) > 4 and value.text.strip("*#") not in _KNOWN_NUMBERS and not value.after[:1].isalnum()
    )


def is_short_number(value: Value) -> bool:
    """Returns whether this is the three digits of a lock with three wheels."""
    return (
        value.text not in _KNOWN_NUMBERS
        and _begins(r"[,;.]?(?:\s|$)", value.after)
        and _begins(_ENDS_NUMBER, value.after)
    )


def is_code(value: Value) -> bool:
    """Returns whether this is a number, or capitals with digits among them."""
    if value.text.strip("*#").replace("-", "").replace(" ", "").isdigit():
        return is_number(value)
    letters = sum(map(str.isalpha, value.text))
    digits = sum(map(str.isdigit, value.text))
    is_short = digits >= 2 and letters >= 1 and 4 <= letters + digits <= 12
    if not _finds(r"(?i)code|c\x{f3}digo|codice|intercom|combination|\bpin\b", value.before):
        return False
    return is_short and _begins(_ENDS_NUMBER, value.after)


def is_dialled(value: Value) -> bool:
    """Returns whether digits are given one by one."""
    return len(set(value.text)) > 2


def is_ascii(value: Value) -> bool:
    """Returns whether letters and digits of a keyboard are surrounded by Chinese characters."""
    return value.text.isdigit() or is_word(value.text)


def is_spelled(value: Value) -> bool:
    """Returns whether letters are given one by one."""
    return len(set(value.text.lower())) > 3


def ends_clause(value: Value) -> bool:
    """Returns whether a word ends its clause and says nothing about a secret."""
    return _begins(_ENDS_WORD, value.after) and is_word(value.text)


def is_clause(value: Value) -> bool:
    """Returns whether a word is a clause of its own."""
    return is_word(value.text) and not _finds(_QUALITY, value.text)


def is_named(value: Value) -> bool:
    """Returns whether a word before `as the password` may be one; a verb there says what is used as one."""
    return value.text.lower() not in VERBS and is_word(value.text)


def is_noted(value: Value) -> bool:
    """Returns whether a word or a few may be a value whose spelling is given."""
    return is_phrase(value) if " " in value.text else is_word(value.text)


def is_distinct(value: Value) -> bool:
    """Returns whether a word is none of the language, or has a number."""
    return (is_distinctive(value.text) or has_number(value.text)) and ends_clause(value)


def is_strange(value: Value) -> bool:
    """Returns whether a word is none of the language."""
    return is_distinctive(value.text) and ends_clause(value)


def is_phrase(value: Value) -> bool:
    """Returns whether several words neither describe a secret nor are a remark about one."""
    words = [word.strip("'\u2019").lower() for word in value.text.split()]
    if not 2 <= len(words) <= 12 or not all(any(map(str.isalpha, word)) for word in words):
        return False
    if value.after[:1] == "?" or any(map(str.isdigit, value.text)) or words[0] in MAY_NOT_BEGIN:
        return False
    is_labelled = value.before.rstrip()[-1:] == ":"
    if words[0] in FUNCTION_WORDS and (len(words) < 4 or not (is_labelled or words[0] in MAY_BEGIN)):
        return False
    if any(word in DESCRIBES for word in words):
        return False
    return (is_labelled and len(words) > 3) or not is_state(words[0])


def is_drawn(value: Value) -> bool:
    """Returns whether several words make no sentence and describe nothing."""
    words = value.text.lower().split()
    spoken = sum(word in FUNCTION_WORDS or word in TALK for word in words)
    return len(words) > 2 and not spoken and not any(map(is_state, words[:-1])) and is_phrase(value)


def is_name(value: Value) -> bool:
    """Returns whether a word or a few may answer a security question."""
    words = value.text.split()
    if value.after[:1] == "?" or len(words) > 5:
        return False
    if len(words) == 1:
        return is_word(value.text)
    first = words[0].lower()
    is_one = value.text[:1].isupper() or is_phrase(value)
    return is_one and first not in FUNCTION_WORDS and not is_state(first)


def is_word(text: str) -> bool:
    """Returns whether a word is none that is said of secrets, or in place of one."""
    lower = text.lower()
    if len(text) < 3 or lower in SAID_OTHERWISE or lower in COMPOUNDS:
        return False
    if lower.strip("'\u2019") in FUNCTION_WORDS:
        return False
    if text.isdigit():
        return len(text) >= 4 and not _is(_YEAR, text)
    if TECHNICAL.fullmatch(text) or "://" in text or text[0] in "/$%{<[(@#-" or "=" in text:
        return False
    if "_" in text and text.replace("_", "").isalpha() and is_name_like(text):
        return False  # an identifier: `valid_user`
    if not is_distinctive(text):
        if lower in UNITS or lower in SECRET_WORDS or lower in POINTERS or "'" in text or "\u2019" in text:
            return False
        if text == lower and len(text) < _JOINED and _is(_PARTICIPLE, text):
            return False
    return not is_harmless(text, Form.LOOSE, is_password=True)


def is_answer(text: str) -> bool:
    """Returns whether a word may answer a question for a password, also one that may be an identifier
    elsewhere."""
    if is_distinctive(text) or ("_" in text and text.replace("_", "").isalpha()):
        return text[0] not in "/$<{[(" and not is_harmless(text, Form.LOOSE, is_password=True)
    return is_word(text)


def is_noun(text: str, *, is_stated: bool) -> bool:
    """Returns whether a word has none of the endings of adjectives; after "it is", whether it is a name or a
    long word."""
    return not text.islower() or (not _finds(_QUALITY, text) and (not is_stated or len(text) > 7))


def is_unlike_talk(text: str) -> bool:
    """Returns whether several words have none of the persons and verbs of a conversation."""
    return TALK.isdisjoint(word.strip("'\u2019").lower() for word in text.split())
