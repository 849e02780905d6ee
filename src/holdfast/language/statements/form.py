"""Reads texts of English and German into words of one form: spelling, signs, numbers, short forms."""

from __future__ import annotations

import re
from functools import lru_cache

from holdfast.language.statements.amounts import NUMBERS, split_unit, with_amounts
from holdfast.language.statements.openings import (
    ENGLISH_MARKS,
    FILLERS,
    FRONTS,
    GERMAN_FRONTS,
    GERMAN_MARKS,
    LEAD,
    OPENS,
    TRAIL,
    TURNED,
)
from holdfast.language.statements.wordings import (
    DAYS,
    ENGLISH,
    ENGLISH_PHRASES,
    GERMAN,
    GERMAN_DAYS,
    GERMAN_PHRASES,
    REPEATED,
    SEPARABLE,
    SHORT_FORMS,
    SHORTENED,
    STREETS,
    TITLES,
)
from holdfast.language.statements.words import CONTAINERS, EXPANSIONS, FUNCTION, TWO_FACED, words

_MARKUP = re.compile(
    r"^\s*(?:#{1,6}|[-*+•>])\s+|(\*\*)(?=\S)(.+?)(?<=\S)\1|(?<![\w*])\*(?=\S)([^*]+)(?<=\S)\*(?![\w*])"
    r"|(?<!\w)(__?)(?=\S)(\w+ [^_]+)(?<=\S)\4(?!\w)"
)
_ALL_QUOTED = re.compile(r'"([^"]{12,})"[.!]?')
_SPAN = re.compile(r'`([^`\n]+)`|("[^"\n]*")')
_GERMAN_SPACED = re.compile(r"\b(z|d|u)\. (B|h|a)\.|\b(i)\. ?d\. ?R\.")
_CIE = re.compile(r"\b(re|con|per|de)cie(?=v)")
_HYPHENATED = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
FOLDED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
"""Umlauts as they are written without such keys."""
_UMLAUT = re.compile("[äöüÄÖÜ]")
_MASSES = re.compile(r"(?i)(?:ma|bu|flo)(?:ss|ß)")
"""German words of which the one with ß is another than the one without."""
_TWO_FACED = TWO_FACED | words("sie ihr ihre ihren ihrem ihrer ihres ihnen pole weg")
"""Words that are another one with a capital."""
_OPENING = (
    (
        ENGLISH_MARKS
        | GERMAN_MARKS
        | OPENS
        | FUNCTION
        | ENGLISH.keys()
        | {*ENGLISH.values()}
        | GERMAN.keys()
        | FRONTS
        | GERMAN_FRONTS
    )
    | {phrase for phrases in (ENGLISH_PHRASES, GERMAN_PHRASES) for phrase in phrases}
    | {number for numbers in NUMBERS.values() for number in numbers}
) - _TWO_FACED | {"may", "will", "it", "in", "or", "am", "who", "make"}
"""Words that may open a text and have no capital within one."""
_CLOSERS = ".,;:!?)]}"
_STOPS = frozenset(".,;:!?")
_LONGEST = 1_200
"""Characters of a text that is read."""
EXACT = "`"
"""First character of a word of code."""


def forms(first: str, second: str) -> tuple[list[str], list[str], str] | None:
    """Returns the words of two texts in one form, and their language; None if they are not in one language
    or too long."""
    if max(len(first), len(second)) > _LONGEST:
        return None
    one, other = _language(first), _language(second)
    if one != other and one and other:
        return None
    lang = one or other
    a, b = list(_read(first, lang)), list(_read(second, lang))
    for own, like in ((a, b), (b, a)):
        _settle_code(own, like)
        _settle_is(own, like)
        _settle_hyphens(own, like)
    _settle_case(a, b, is_one_case=_is_one_case(first))
    _settle_case(b, a, is_one_case=_is_one_case(second))
    if lang == "de":
        a, b = _settle_umlauts(a, b)
    return a, b, lang


@lru_cache(512)
def _language(text: str) -> str:
    words = [word.strip(".,;:!?()").lower() for word in text.split()]
    english = sum(word in ENGLISH_MARKS for word in words)
    german = sum(word in GERMAN_MARKS for word in words) + bool(_UMLAUT.search(text) or "ß" in text)
    return "en" if english > german else "de" if german > english else ""


@lru_cache(512)
def _read(text: str, lang: str) -> tuple[str, ...]:
    """Returns the words of a text; the first of a sentence keeps its capital, code is marked."""
    text = _without_markup(text)
    tokens: list[str] = []
    at = 0
    for span in _SPAN.finditer(text):
        _chunks(tokens, text[at : span.start()], lang)
        if span[1]:
            tokens += [EXACT + part for part in span[1].split()]
        else:
            tokens.append(span[2])
        at = span.end()
    _chunks(tokens, text[at:], lang)
    while tokens and tokens[-1] == ".":
        tokens.pop()
    if not tokens:
        return ()
    tokens[0] = _opening(tokens[0])
    tokens = with_amounts(_worded(tokens, lang), lang)
    if lang == "en":
        tokens = _said_shortly(_phrased(_english(tokens), ENGLISH_PHRASES))
    elif lang == "de":
        tokens = _german(tokens)
    return tuple(_without_idle_commas(tokens))


def _opening(token: str) -> str:
    """Returns the first word of a sentence in small letters if it is one that has no capital within one."""
    low = token.lower()
    return low if low in _OPENING and token == low.capitalize() else token


def _english(tokens: list[str]) -> list[str]:
    """Returns words by those that stand for them; a short form before "folder" or "branch" is a name."""
    after = (*tokens[1:], "")
    return [
        token if token in SHORT_FORMS and following in CONTAINERS else ENGLISH.get(token, token)
        for token, following in zip(tokens, after, strict=True)
    ]


def _said_shortly(tokens: list[str]) -> list[str]:
    """Returns English words with what grammar can write in two ways in the shorter one."""
    if tokens[:2] == ["do", "not"]:
        tokens[:2] = ["never"]
    if tokens[-2:] in (["any", "more"], ["any", "longer"]) and "do" in tokens:
        n = tokens.index("do")
        if tokens[n + 1] == "not":
            tokens[n : n + 2] = ["no", "longer"]
            del tokens[-2:]
    for n in range(len(tokens) - 1, -1, -1):
        token, after = tokens[n], tokens[n + 1] if n + 1 < len(tokens) else "."
        if token[0] == "@" and n > 1 and tokens[n - 1] == "on" and tokens[n - 2] in ("is", "falls"):
            tokens[n - 2 : n] = ["is"]
        elif token in REPEATED and (after in FRONTS or not after[0].isalpha()):
            tokens[n : n + 1] = REPEATED[token]
        elif token == "'d" and after in ("like", "prefer", "love", "rather", "want"):
            tokens[n] = "would"
        elif (
            token in ("lives", "resides", "sits") and after == "in" and "/" in "".join(tokens[n + 2 : n + 3])
        ):
            tokens[n] = "is"
    return tokens


def _german(tokens: list[str]) -> list[str]:
    """Returns German words by those that stand for them, separable verbs among them."""
    tokens = _phrased([GERMAN.get(token, token) for token in tokens], GERMAN_PHRASES)
    for n, token in enumerate(tokens):
        if token == "da" and (n == 0 or tokens[n - 1] == ","):
            tokens[n] = "weil"
        elif (whole := SEPARABLE.get((token, tokens[-1]))) and len(tokens) > n + 1:
            tokens[n] = whole
            return tokens[:-1]
    return tokens


def _without_markup(text: str) -> str:
    """Returns a text without markup, openings and closings that say nothing."""
    text = text.replace("…", "...")
    text = _MARKUP.sub(lambda match: match[2] or match[3] or match[5] or "", text).strip()
    if quoted := _ALL_QUOTED.fullmatch(text):
        text = quoted[1]
    for _ in range(3):
        lead = LEAD.match(text)
        if lead is None or lead.end() == len(text):
            break
        text = text[lead.end() :]
    if turned := TURNED.match(text):
        text = "Übrigens " + text[turned.end() :]
    return TRAIL.sub("", text)


def _chunks(tokens: list[str], text: str, lang: str) -> None:
    """Adds the tokens of a text, with one form for short forms, titles and dashes."""
    text = _GERMAN_SPACED.sub(lambda match: "i.d.R." if match[3] else f"{match[1]}.{match[2]}.", text)
    if lang == "en" and "cie" in text:
        text = _CIE.sub(r"\1cei", text)
    attached = bool(tokens) and not text[:1].isspace()
    for chunk in text.split():
        low = chunk.lower()
        if attached and not any(map(str.isalnum, chunk)):
            tokens += [{"!": ".", ";": "."}.get(sign, sign) for sign in chunk]
            attached = False
            continue
        attached = False
        if low in SHORTENED:
            tokens += SHORTENED[low].split()
        elif chunk.isalpha() and low not in TITLES:  # as most are: `_chunk` would do the same
            tokens += EXPANSIONS[low] if lang == "en" and low in EXPANSIONS else [chunk]
        elif chunk[-1] in _STOPS and lang == "en" and chunk[:-1].isalpha() and low not in TITLES:
            tokens += EXPANSIONS.get(low[:-1]) or [chunk[:-1]]
            tokens.append({"!": ".", ";": "."}.get(chunk[-1], chunk[-1]))
        elif low in ("-", "--", "---", "—"):
            tokens.append("–")
        elif low in TITLES and (lang or low[-1] == ".") and not (tokens and tokens[-1][0].isdecimal()):
            tokens.append(TITLES[low] if low[-1] == "." or chunk[0].isupper() else chunk)
        else:
            _chunk(tokens, chunk, lang)


def _chunk(tokens: list[str], chunk: str, lang: str) -> None:
    """Adds the tokens of a chunk between spaces: its brackets and marks, and the words that it is made of."""
    if not any(map(str.isalnum, chunk)) and chunk in (".", "..", "/", "*"):
        tokens.append(EXACT + chunk)  # an argument: "git add ."
        return
    start, end = 0, len(chunk)
    while start < end and chunk[start] in "([{":
        tokens.append(chunk[start])
        start += 1
    is_dotted = re.match(r"\d{1,2}\.\d{1,2}\.(?!\d)", chunk[start:]) is not None or chunk[-4:].lower() in (
        "a.m.",
        "p.m.",
    )
    while (
        end > start
        and chunk[end - 1] in _CLOSERS
        and not (chunk[end - 1] in ")]}" and re.search(r"[(\[{]", chunk[start:end]))
    ):
        if is_dotted and chunk[end - 1] == "." and chunk[start:end].count(".") == 2:
            break
        end -= 1
    core, tail = chunk[start:end], chunk[end:]
    low = core.lower()
    if lang == "de" and low.endswith("str") and len(low) > 5 and tail[:1] == ".":
        tokens.append(core + "aße")
        tail = tail[1:]
    elif core.isalpha() or not core:
        tokens += EXPANSIONS[low] if lang == "en" and low in EXPANSIONS else [core] if core else []
    elif lang == "en" and low in EXPANSIONS:
        tokens += EXPANSIONS[low]
    elif lang == "en" and low.endswith("'d"):
        tokens += [word for word in (core[:-2], "'d") if word]
    elif lang == "en" and low == "let's":
        tokens.append(low)
    elif "'" in core and core.replace("'", "").isalpha() and core.lower().endswith(("'s", "s'")):
        tokens += [word for word in (core[: core.rindex("'")], "'s") if word]  # apart: "Maria 's"
    elif (days := core.split("-")) and len(days) == 2 and all(day in DAYS for day in days):
        tokens += [days[0], "to", days[1]]
    else:
        tokens += split_unit(core)
    for sign in tail:
        tokens.append({"!": ".", ";": "."}.get(sign, sign))


def _worded(tokens: list[str], lang: str) -> list[str]:
    """Returns words without fillers, with "&" read as "and" and small letters after the end of a sentence."""
    result: list[str] = []
    for n, token in enumerate(tokens):
        if token in FILLERS and not (n and tokens[n - 1] in ("not", "nicht")):
            continue
        if token == "&":
            token = "und" if lang == "de" else "and"
        elif token == "an" and lang == "en":
            token = "a"
        elif n and tokens[n - 1] in (".", ":", "–") and _opening(token) != token:
            token = _opening(token)
        elif token == "I" and lang == "en":
            token = "i"
        elif token in ("(", ")"):
            token = ","
        elif lang:
            token = _spelled_out(tokens, n, lang)
        result.append(token)
    return result


def _spelled_out(tokens: list[str], n: int, lang: str) -> str:
    """Returns a word with the short forms of weekdays and streets written out."""
    token = tokens[n]
    before, after = tokens[n - 1] if n else "", tokens[n + 1] if n + 1 < len(tokens) else ""
    if lang == "en":
        if token in STREETS and before[:1].isupper() | before[:1].isdecimal() and not after[:1].isupper():
            return STREETS[token]
        if token in ("Sat", "Sun") and before in ("on", "every", "to", "until", "by", "this", "next"):
            return {"Sat": "Saturday", "Sun": "Sunday"}[token]
        return DAYS.get(token, token)
    if (
        n
        and token in GERMAN_DAYS
        and (before in ("am", "bis", "ab", "jeden") or after in ("um", "ab", "bis"))
    ):
        return GERMAN_DAYS[token]
    return token.replace("E-Mail", "Email")


def _phrased(
    tokens: list[str], phrases: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]]
) -> list[str]:
    """Returns the tokens with every listed phrase replaced. `phrases` has phrases and what replaces them by
    their first word; the first that fits counts."""
    if phrases.keys().isdisjoint(tokens):
        return tokens
    result: list[str] = []
    at = 0
    while at < len(tokens):
        for phrase, replaced in phrases.get(tokens[at], ()):
            if tuple(tokens[at : at + len(phrase)]) == phrase:
                result += replaced
                at += len(phrase)
                break
        else:
            result.append(tokens[at])
            at += 1
    return result


def _without_idle_commas(tokens: list[str]) -> list[str]:
    """Returns the words without commas before conjunctions and pronouns, unless both "and" and "or" are
    there, which commas may group. The comma after an opening clause stays."""
    while tokens and tokens[-1] == ",":
        tokens = tokens[:-1]
    if tokens.count("–") == 2:
        tokens = ["," if token == "–" else token for token in tokens]
    elif "–" in tokens:
        tokens = [":" if token == "–" else token for token in tokens]
    if "," not in tokens or ("and" in tokens and "or" in tokens) or ("und" in tokens and "oder" in tokens):
        return tokens
    stays = tokens.index(",") if tokens[0] in FRONTS or tokens[0] in GERMAN_FRONTS else -1
    after = (*tokens[1:], "")
    return [
        token
        for n, (token, following) in enumerate(zip(tokens, after, strict=True))
        if token != "," or n == stays or following not in OPENS
    ]


# what is settled by the other text


def _settle_code(tokens: list[str], other: list[str]) -> None:
    """Takes the mark off words of code that the other text writes without it."""
    for n, token in enumerate(tokens):
        if token[0] == EXACT and token not in other and token[1:] in other:
            tokens[n] = token[1:]


def _settle_is(tokens: list[str], other: list[str]) -> None:
    """Reads "the server's down" as the other text does that has "is" there."""
    if "'s" in tokens and "'s" not in other and tokens.count("is") + 1 == other.count("is"):
        tokens[:] = ["is" if token == "'s" else token for token in tokens]


def _settle_hyphens(tokens: list[str], other: list[str]) -> None:
    """Writes words with hyphens as the other text does: "sign-offs", "signoffs"; "on-call", "on call"."""
    for n in range(len(tokens) - 1, -1, -1):
        token = tokens[n]
        if "-" not in token or token in other or not _HYPHENATED.fullmatch(token):
            continue
        parts = token.split("-")
        joined = "".join(parts)
        if joined in other and parts[0] not in ("re", "co", "un"):
            tokens[n] = joined
        elif any(other[m : m + len(parts)] == parts for m in range(len(other))):
            tokens[n : n + 1] = parts


def _is_one_case(text: str) -> bool:
    """Returns whether a text is all in small letters, in capitals, or with a capital for each word, even
    small ones."""
    if text.islower() or text.isupper():
        return True
    _, *later = [word for word in text.split() if word[0].isalpha()] or [""]
    return all(word[0].isupper() for word in later) and any(
        word.lower() in ENGLISH_MARKS or word.lower() in GERMAN_MARKS for word in later
    )


def _settle_case(tokens: list[str], other: list[str], *, is_one_case: bool) -> None:
    """Writes the words that open a sentence, and those of a text all in one case, as the other text does."""
    spellings: dict[str, str | None] = {}
    for token in other:
        low = token.lower()
        spellings[low] = token if spellings.get(low, token) == token else None
    for n, token in enumerate(tokens):
        if not (n == 0 or is_one_case or tokens[n - 1] in (".", ":", "–", "?")) or not token[:1].isalpha():
            continue
        like = spellings.get(token.lower())
        if like and like != token and token.lower() not in _TWO_FACED:
            tokens[n] = like


def _settle_umlauts(a: list[str], b: list[str]) -> tuple[list[str], list[str]]:
    """Reads "ae" for "ä" and "ss" for "ß" if one of the texts has none of these letters."""
    texts = " ".join(a), " ".join(b)
    if any(not _UMLAUT.search(text) for text in texts) and any(_UMLAUT.search(text) for text in texts):
        a, b = ([token.translate(FOLDED) for token in tokens] for tokens in (a, b))
    if any("ß" not in text for text in texts) and any("ß" in text for text in texts):
        a, b = (
            [token if _MASSES.match(token) else token.replace("ß", "ss") for token in tokens]
            for tokens in (a, b)
        )
    return a, b
