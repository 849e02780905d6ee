"""Reads two short statements into comparable tokens: words, names, numbers with units, exact spans."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from holdfast.language.statements.text import is_number
from holdfast.language.statements.words import (
    ACRONYMS,
    ARTICLE_COUNTS,
    ARTICLES,
    COMMON,
    CONTAINERS,
    EVIDENCE,
    EXPANSIONS,
    FOREIGN,
    FRONTS,
    FUNCTION,
    LETTERED,
    OPEN_CLAUSE,
    PARTICLES,
    SHORT,
    SYNONYMS,
    TECH,
    TITLES,
    TWO_FACED,
    UNITS,
)

_SPECIAL = frozenset(ARTICLES) | frozenset(EXPANSIONS) | frozenset(SYNONYMS) | CONTAINERS | {"please"}
"""Words that are replaced, expanded or dropped."""
_HEEDED = ARTICLE_COUNTS | FUNCTION
"""Words before which an article is significant."""
_DOTTED = TITLES | frozenset(EXPANSIONS)
_OPENERS, _CLOSERS, _BRACKETS = "([{", ".,;:!?…)]}。", ")]}"
_SPAN = re.compile(r'(`[^`\n]*`|"[^"\n]*"|(?<![\w\)])\'[^\'\n]*\'(?!\w)|«[^«»\n]*»)')
_NUMBER = re.compile(r"([+-]?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(%|[A-Za-z]+)?")
_CLOCK = re.compile(r"0?(\d{1,2}):(\d\d)(am|pm)?", re.IGNORECASE)
_HYPHENATED = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)+")
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$.-]*(?:[/\\][\w$.-]+)*(?:\(\))?")
_LEAD = re.compile(
    r"(?:(?:note|reminder|remember|fyi|btw|nb)\s*:|(?:fyi|btw|by the way),|note that\b|remember (?:that|to)\b"
    r"|make sure (?:that|to)\b|be sure to\b)\s*",
    re.IGNORECASE,
)
_TRAIL = re.compile(r",? (?:please|thanks|thank you|by the way)[.!]?$", re.IGNORECASE)
_DIGITS = frozenset("0123456789+-")
_MARKED = re.compile("[\n`\"'«]")
"""Signs of quotes, code or several lines."""
_SMILES = frozenset({":)", ":-)", "(:"})


@dataclass(slots=True)
class Statement:
    """The tokens of a text in order, the article before each, and properties of the whole text.

    A token is a lower-case word, a name (capitalised), a number (opens with a digit or sign), an exact span
    (opens with one of `EXACT`) or a sign. "." separates sentences.
    """

    tokens: list[str] = field(default_factory=list)
    articles: dict[int, str] = field(default_factory=dict)
    """The article ("a", "the") before a token, by its position."""
    openings: set[int] = field(default_factory=set)
    """Positions whose capital may only be that of a sentence's first word."""
    fronted: int = -1
    """Position at which the first phrase of the first sentence ended with a comma, or -1."""
    joints: list[int] = field(default_factory=list)
    """Positions of dropped commas before "and" or "or", which group when the sentence has both."""
    english: bool = False
    """Whether there is evidence of English and none of another language."""
    foreign: bool = False
    caseless: bool = False
    """Whether the writer uses no capitals at all."""


def read(old: str, new: str) -> tuple[Statement, Statement]:
    """Reads two normalized texts. Linear in their length; a common beginning is read once."""
    old, new = _message(old), _message(new)
    if not (_MARKED.search(old) or _MARKED.search(new)):
        first, second = old.split(), new.split()
        shared = 0
        while shared < min(len(first), len(second)) and first[shared] == second[shared]:
            shared += 1
        reader = _Reader()
        reader.chunks(first[:shared])
        other = reader.copy()
        reader.chunks(first[shared:])
        other.chunks(second[shared:])
    else:
        reader, other = _Reader(), _Reader()
        reader.lines(old)
        other.lines(new)
    return reader.finish(old), other.finish(new)


def _message(text: str) -> str:
    """Returns a text without openings and closings such as "note that" and "please"."""
    if lead := _LEAD.match(text):
        text = text[lead.end() :]
    end = text[-20:]
    if trail := _TRAIL.search(end):
        text = text[: len(text) - len(end) + trail.start()]
    return text


class _Reader:
    """A builder of one `Statement`."""

    __slots__ = (
        "article",
        "comma",
        "first_phrase",
        "foreign",
        "pending",
        "short",
        "start",
        "statement",
        "tokens",
    )

    def __init__(self) -> None:
        self.statement = Statement()
        self.tokens = self.statement.tokens
        self.article = ""
        self.comma = False
        self.pending = False
        """Whether the next word follows an article, a comma or a number."""
        self.start = True
        self.first_phrase = True
        self.short: tuple[int, str] | None = None
        """The last short form ("db") and its position."""
        self.foreign = False

    def copy(self) -> _Reader:
        """Returns a reader in the same state."""
        twin = _Reader()
        made = self.statement
        twin.statement = Statement(
            made.tokens.copy(), made.articles.copy(), made.openings.copy(), made.fronted, made.joints.copy()
        )
        twin.tokens = twin.statement.tokens
        twin.article, twin.comma, twin.pending = self.article, self.comma, self.pending
        twin.start, twin.first_phrase, twin.foreign = self.start, self.first_phrase, self.foreign
        twin.short = self.short
        return twin

    def lines(self, text: str) -> None:
        for line in text.split("\n"):
            self.line(line)

    def line(self, line: str) -> None:
        if self.tokens and line[:1] and not line[0].islower():
            self.stop(".")
        attached = False
        for n, piece in enumerate(_SPAN.split(line)):
            if n % 2:
                self.span(piece)
                attached = True
            elif piece:
                self.chunks(piece.split(), attached and not piece[0].isspace())

    def span(self, piece: str) -> None:
        """Adds a quoted or code span: exact, except that an identifier matches without its marks."""
        inside = piece[1:-1]
        if piece[0] == "`":
            shaped = _IDENTIFIER.fullmatch(inside) and not inside.isalpha()
            self.put(("=" if shaped else "`") + inside)
        else:
            self.put('"' + inside)

    def chunks(self, chunks: list[str], attached: bool = False) -> None:
        """Adds words between spaces. `attached`: the first one directly follows a span."""
        tokens, articles = self.tokens, self.statement.articles
        for chunk in chunks:
            if chunk.islower() and chunk.isalpha() and chunk.isascii():
                # The most frequent cases first: a common word, and one after an article.
                if chunk in _SPECIAL or (
                    self.pending and (self.comma or not self.article or chunk in _HEEDED)
                ):
                    self.word(chunk)
                else:
                    if self.pending:
                        articles[len(tokens)] = self.article
                        self.article = ""
                        self.pending = False
                    tokens.append(chunk)
                    self.start = False
            elif not chunk.isascii():
                self.mixed(chunk, attached)
            elif chunk.isalpha():
                self.capital(chunk)
            elif chunk.isdecimal():
                self.put(chunk)
            elif chunk[-1] in ".,:" and chunk[:-1].isalpha() and chunk.lower() not in _DOTTED:
                core = chunk[:-1]
                if core.islower():
                    self.word(core)
                else:
                    self.capital(core)
                self.sign(chunk[-1])
            else:
                self.mixed(chunk, attached)
            attached = False

    def word(self, word: str) -> None:
        """Adds a word in lower case."""
        tokens = self.tokens
        if word in ARTICLES and not (tokens and tokens[-1] in LETTERED):
            self.flush_article()
            self.article = ARTICLES[word]
            self.pending = True
        elif word in EXPANSIONS:
            for part in EXPANSIONS[word]:
                self.put(part)
        elif word in ("am", "pm") and self.after_number() and self.clock(tokens[-1], word):
            pass
        elif word in UNITS and self.after_number():
            self.put(UNITS[word])
        elif word != "please":
            if word in CONTAINERS and self.short and self.short[0] == len(tokens) - 1:
                tokens[-1] = self.short[1]
            self.put(SYNONYMS.get(word, word))
            if word in SHORT:
                self.short = (len(tokens) - 1, word)

    def after_number(self) -> bool:
        return bool(self.tokens) and not self.article and is_number(self.tokens[-1])

    def capital(self, word: str) -> None:
        """Adds a capitalised word: a name, an acronym, an opening word or an emphasis."""
        low = word.lower()
        if word == "I":
            self.put("i")
        elif len(word) == 1 or word[1:].islower():
            if self.start and (low in COMMON or low in _SPECIAL):
                self.word(low)
            elif self.start and len(word) > 1:
                self.put(SYNONYMS.get(low, low) if low in TECH else word)
                self.statement.openings.add(len(self.tokens) - 1)
            else:
                self.put(SYNONYMS.get(low, low) if low in TECH else word)
        elif word in UNITS and self.after_number():
            self.put(UNITS[word])
        elif word.isupper():
            if low in ACRONYMS or (low in FUNCTION and low not in TWO_FACED) or low in ARTICLES:
                self.word(low)
            else:
                self.put(word)
        elif low in TECH or (word[-1] == "s" and word[:-1].isupper() and low in ACRONYMS):
            self.word(low)
        else:
            self.put("=" + word)

    def mixed(self, chunk: str, attached: bool) -> None:
        """Adds a chunk with signs, digits or letters beyond ASCII."""
        if chunk in _SMILES:
            return
        low = chunk.lower()
        if low in EXPANSIONS:
            self.word(low)
            return
        if low in TITLES:
            self.put(chunk[:-1])
            return
        start, end = 0, len(chunk)
        while start < end and chunk[start] in _OPENERS:
            self.put(chunk[start])
            start += 1
        paired = any(sign in _OPENERS for sign in chunk[start:])
        while end > start and chunk[end - 1] in _CLOSERS and not (paired and chunk[end - 1] in _BRACKETS):
            end -= 1
        core, tail = chunk[start:end], chunk[end:]
        if core:
            self.core(core)
        elif not attached and tail.strip(_BRACKETS):
            # Punctuation that stands alone is an argument ("git add .").
            self.put("=" + tail)
            return
        for sign in tail:
            self.sign(sign)

    def core(self, core: str) -> None:
        """Reads a word without the marks around it: a name, number, time, possessive, or exact text."""
        if core.isalpha() and core.isascii():
            if core.islower():
                self.word(core)
            else:
                self.capital(core)
            return
        low = core.lower()
        if low in EXPANSIONS or low in TECH:
            self.word(low)
        elif number := _NUMBER.fullmatch(core):
            self.number(core, number)
        elif clock := _CLOCK.fullmatch(core):
            self.put(f"{clock[1]}:{clock[2]}")
            if clock[3]:
                self.clock(self.tokens[-1], clock[3].lower())
        elif core.count("'") == 1 and core.replace("'", "").isalpha():
            word, _, rest = core.rpartition("'")
            if word and rest in ("s", ""):
                self.core(word)
                self.put("'s")
            else:
                self.put(low if rest == "d" else "=" + core)
        elif _HYPHENATED.fullmatch(core):
            self.put(low if core[1:].islower() and (self.start or core[0].islower()) else "=" + core)
        elif core.isalpha():
            self.foreign = self.foreign or not core[0].isupper()
            self.put(core)
        else:
            self.put(core if len(core) == 1 or core[0].isdecimal() else "=" + core)

    def number(self, core: str, match: re.Match[str]) -> None:
        sign, whole, fraction, unit = match.groups()
        digits = sign + whole.replace(",", "") + (fraction or "")
        if unit is None:
            self.put(digits)
        elif unit in UNITS:
            self.put(digits)
            self.put(UNITS[unit])
        else:
            self.put(core)
            if unit.lower() in ("am", "pm"):
                self.clock(digits, unit.lower())

    def clock(self, last: str, half: str) -> bool:
        """Turns the last token into a time if `last` ("10", "10:30") before "am" or "pm" is one.

        "2 pm" is "14:00"; "10 am" stays "10:00am", because "10:00" alone may be in the evening.
        """
        hour, _, minute = last.partition(":")
        if not hour.isdecimal() or len(hour) > 2 or not 1 <= int(hour) <= 12:
            return False
        full = int(hour) % 12 + (12 if half == "pm" else 0)
        self.pending = False
        self.tokens[-1] = f"{full}:{minute or '00'}{half if 1 <= full <= 12 else ''}"
        return True

    def sign(self, sign: str) -> None:
        if sign == ",":
            self.flush_article()
            self.comma = self.pending = True
        elif sign in ".;!…。":
            self.stop(".")
        elif sign == "?":
            self.stop("?")
        else:
            self.put(sign)
            self.start = sign == ":"

    def stop(self, sign: str) -> None:
        """Ends a sentence."""
        self.flush_article()
        self.comma = self.first_phrase = self.pending = False
        tokens = self.tokens
        if sign == "?" or (tokens and tokens[-1] != "."):
            tokens.append(sign)
        self.start = True

    def flush_article(self) -> None:
        """Adds a pending article without a noun as a token of its own: it is a letter or a name."""
        if self.article:
            token, self.article = self.article, ""
            self.put(token)

    def put(self, token: str) -> None:
        tokens = self.tokens
        if self.comma:
            self.comma = False
            self.put_comma(token)
        if self.article:
            if token in ARTICLE_COUNTS or (self.article == "a" and token in FUNCTION):
                tokens.append(self.article)
            else:
                self.statement.articles[len(tokens)] = self.article
            self.article = ""
        tokens.append(token)
        self.start = False
        self.pending = token[0] in _DIGITS

    def put_comma(self, following: str) -> None:
        """Keeps a comma only where it may change the meaning."""
        tokens = self.tokens
        if not tokens:
            return
        if self.first_phrase and tokens[0] in FRONTS:
            self.statement.fronted = len(tokens)
        elif following not in OPEN_CLAUSE:
            tokens.append(",")
        elif following in ("and", "or"):
            self.statement.joints.append(len(tokens))
        self.first_phrase = False

    def finish(self, text: str) -> Statement:
        self.flush_article()
        made, tokens = self.statement, self.tokens
        while tokens and tokens[-1] == ".":
            tokens.pop()
        if not FOREIGN.isdisjoint(tokens):
            # "Bram de Vries" is not French.
            self.foreign = self.foreign or any(
                token in FOREIGN and not (token in PARTICLES and n and tokens[n - 1][0].isupper())
                for n, token in enumerate(tokens)
            )
        if not text.isascii():
            self.foreign = self.foreign or any(ord(sign) > 0x24F and sign.isalpha() for sign in text)
        made.caseless = text.islower()
        made.foreign = self.foreign
        made.english = not self.foreign and (
            "the" in made.articles.values() or not EVIDENCE.isdisjoint(tokens)
        )
        return made
