"""Classifies the words of a text, so that the grammar of facts is written over classes.

A class is a letter. So a sentence is a string of letters, and what may follow what is a regular expression:
`m[az]*f[TP]` matches "my very own favorite color". The letters are, for questions:

    q question word     c command             s auxiliary verb      H "how many"          u "you"
    w "me"              i "I"                 m "my"                O "in my opinion"     y somebody else's
    b "is"              D "did", "have"       v told, ranked        J a time that is past
    f "favorite"        F "favorites"         l "list"              e "item"              T, P a topic's noun
    t "top"             L "last", "least"     S "best"              E "end"               k "number", "place"
    n "one"             d number              o ordinal             h #N                  ~ "to" of a range
    p preposition       & "and", "or"         a adjective or article that changes nothing
    z filler            , and . marks         x everything else, which no pattern contains

`T` is a noun in the singular, `P` in the plural. `ranks.with_ranks` replaces the words of a rank by `R`, and
those of several ranks by `N`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from holdfast.language.facts.lexicon import NUMBERS, ORDINALS
from holdfast.language.facts.topics import Topic, Topics, parted, singular_of

CLASSES = {
    "q": "what which wat whats",
    "b": "is are was were be s re r comes come sits ranks stands",
    "m": "my mine",
    "y": "your ur his her hers their theirs our ours its whose yours everyone's everybody's people's"
    " someone's",
    "k": "number no nr num rank position spot place slot",
    "t": "top highest",
    "f": "favorite favourite fave fav favorit favourit",
    "F": "favorites favourites faves favs",
    "l": "list ranking rankings lists",
    "c": "show tell give name recall display print read enumerate remind repeat share recite state return"
    " output"
    " remember know see hear retrieve gimme fetch specify identify say mention"
    " report reveal present produce lookup"
    " names telling showing giving check provide supply echo cite restate dump itemize",
    "w": "me us",
    "i": "i",
    "u": "you u",
    "s": "can could would will do does may might",
    "D": "did have had has",
    "v": "put listed placed said told gave mentioned picked chose set stored saved shared wrote named called"
    " stated like hold add added pick choose entered recorded registered declared"
    " marked rated consider prefer love",
    "a": "the a exact actual main real true latest updated single all every each any of those these both"
    " full whole complete entire current absolute all-time very own ranked stored"
    " saved different personal various ultimate most",
    "p": "on in from at as among within for to into",
    "&": "and or plus also then but & +",
    "z": "again please now currently today ever overall so far right then there exactly already though"
    " pls plz"
    " thanks thank thx ok okay hey hi hello well btw actually just quickly once more kindly yeah yes hmm"
    " um uh oh yo"
    " earlier before back out still too"
    " it that up anyway anyways alright great cool perfect nice sorry listen finally lastly next lol haha"
    " buddy dude man"
    " mate assistant holdfast bot here only really otherwise"
    " numbered ordered sorted maybe perhaps simply",
    "n": "one",
    "L": "last bottom lowest penultimate least",
    "e": "ones item items entry choice pick value",
    ",": ", : ; - – — ( ) …",
    ".": ". ! ?",
}
"""The words of each class; "one" may be a number or a noun. `phrases` has those of questions alone."""

FAVOURITE = "fF"
_CLASS = {word: kind for kind, words in CLASSES.items() for word in words.split()}
_TOKEN = re.compile(r"#\s?\d{1,9}(?![\w.])|\d{1,9}(?:st|nd|rd|th)\b|[^\W_]+(?:['-][^\W_]+){0,4}|[^\s\w]|_")
_ORDINAL_DIGITS = re.compile(r"\d{1,9}(?:st|nd|rd|th)")
_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " "})
_BEFORE_NOUN = "fohtdnqmPTL"
"""Classes before a word that is a noun there, such as "show" in "my favorite show"."""
_RUN_TOGETHER = {"whats": "what", "wats": "what", "whos": "who"}
WORDS_MAX = 400


@dataclass(frozen=True, slots=True)
class Word:
    """A word, mark or noun of a topic, with its class and its position in the text."""

    text: str
    kind: str
    start: int
    end: int
    topic: Topic | None = None


def words_of(text: str, topics: Topics) -> list[Word]:
    """Returns the words of a text, up to `WORDS_MAX`.

    A noun of several words is one word; of adjacent nouns, as in "TV show colors", the longest is the topic.
    """
    return classed(tokens_of(text), topics)


Token = tuple[str, int, int]
"""A word or mark in lower case, with its start and end in the text."""


def tokens_of(text: str) -> list[Token]:
    """Returns the words and marks of a text, up to `WORDS_MAX`."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text.translate(_QUOTES).lower()):
        tokens += _split(match[0], match.start(), match.end())
        if len(tokens) >= WORDS_MAX:
            break
    return tokens


def classed(
    tokens: Sequence[Token],
    topics: Topics,
    phrase: Callable[[Sequence[str], int], tuple[str, int] | None] | None = None,
) -> list[Word]:
    """Returns tokens with their classes.

    `phrase` looks up a phrase that begins at an index of the plain words and returns its classes and length.
    Nouns of topics come before phrases.
    """
    plain = [token for token, _, _ in tokens]
    words: list[Word] = []
    i = 0
    while i < len(tokens):
        token, start, end = tokens[i]
        match = topics.at(plain, i)
        if match is not None and (not match[2] or _is_noun(words, plain, i)) and not _is_rank(plain, i):
            topic, count, _ = match
            end = tokens[i + count - 1][2]
            noun = " ".join(plain[i : i + count])
            _add_noun(words, Word(noun, "P" if _is_plural(noun) else "T", start, end, topic))
            i += count
            continue
        phrase_match = None if phrase is None else phrase(plain, i)
        if phrase_match is not None:
            kinds, count = phrase_match
            end = tokens[i + count - 1][2]
            words += [Word(" ".join(plain[i : i + count]), kind, start, end) for kind in kinds]
            i += count
            continue
        words.append(Word(token, _class_of(token), start, end))
        i += 1
    return words


def _is_rank(plain: list[str], i: int) -> bool:
    """Returns whether a word such as "number" belongs to a rank, though a topic has that name."""
    if _CLASS.get(plain[i].removesuffix("s")) != "k":
        return False
    after = plain[i + 1] if i + 1 < len(plain) else ""
    if after in NUMBERS or after.isdigit() or after.startswith("#"):
        return True
    before = plain[i - 1] if i else ""
    if after == "of" and _CLASS.get(before) != "f":
        return plain[i] == "number" and plain[i + 2 : i + 3] not in (["mine"], ["all"], ["me"])
    return not plain[i].startswith("number") and (_is_ordinal(before) or before in ("last", "bottom"))


def _split(token: str, start: int, end: int) -> list[tuple[str, int, int]]:
    """Splits contractions: `what's` is two words; a possessive such as `Ana's` stays one."""
    head, mark, tail = token.rpartition("'")
    if mark and tail in ("s", "re") and head in ("what", "which", "that", "here", "those", "who", "one"):
        return [(head, start, start + len(head)), ("is" if tail == "s" else "are", start + len(head), end)]
    if mark and tail in ("ve", "d") and head in ("what", "which", "who"):
        return [(head, start, start + len(head)), ("have" if tail == "ve" else "did", start + len(head), end)]
    if token in _RUN_TOGETHER:
        return [(_RUN_TOGETHER[token], start, end - 1), ("is", end - 1, end)]
    if "-" in token and token not in _CLASS:
        parts = token.split("-")
        if all(part in _CLASS or part in NUMBERS or _is_ordinal(part) or part.isdigit() for part in parts):
            starts = [start + sum(map(len, parts[:i])) + i for i in range(len(parts))]
            if all(part.isdigit() for part in parts):
                parts, starts = (
                    [parts[0], "-", *parts[1:]],
                    [starts[0], starts[0] + len(parts[0]), *starts[1:]],
                )
            return [(part, at, at + len(part)) for part, at in zip(parts, starts, strict=True)]
    return [(token, start, end)]


def _is_noun(words: list[Word], plain: list[str], i: int) -> bool:
    """Returns whether "show" is a noun here: after "favorite", a rank, a number, "my" or "which"."""
    if plain[i - 1 : i] in (["every"], ["each"], ["a"], ["another"], ["many"]):
        return True
    if plain[i].endswith("s") and plain[i + 1 : i + 3] in (["on", "my"], ["in", "my"]):
        return True
    before = _BEFORE_NOUN + "alp" * plain[i].endswith("s")
    if plain[i + 1 : i + 2] == ["number"] or "".join(plain[i + 1 : i + 2]).startswith("#"):
        return True
    if not words or words[-1].kind not in before:
        return False
    return plain[i + 1 : i + 2] not in (["me"], ["us"], ["my"], ["the"], ["you"], ["up"], ["that"])


@lru_cache(maxsize=1_000)
def _is_plural(noun: str) -> bool:
    head = parted(noun)[0]
    return head.endswith("s") and (singular_of(noun) != noun or head.endswith("ies"))


def _add_noun(words: list[Word], noun: Word) -> None:
    """Adds the noun of a topic; after another such noun both become one word, with the longer as topic."""
    if words and words[-1].topic is not None:
        last = words.pop()
        longest = max((last, noun), key=lambda word: len(word.text))
        noun = Word(longest.text, noun.kind, last.start, noun.end, longest.topic)
    words.append(noun)


def _class_of(token: str) -> str:
    """Returns the letter of a token's class: "y" for any other possessive, "x" for what no list has."""
    if _is_ordinal(token):
        return "o"
    if token[0] == "#" and len(token) > 1:
        return "h"
    if token in _CLASS:
        return _CLASS[token]
    if token in NUMBERS or (token.isascii() and token.isdigit()):
        return "d"
    if len(token) == 1 and token > "\u2190" and not token.isalnum():  # an emoji carries no meaning
        return "z"
    return "y" if token.endswith("'s") else "x"


def _is_ordinal(token: str) -> bool:
    return token in ORDINALS or bool(_ORDINAL_DIGITS.fullmatch(token))


def rank_of(token: str) -> int | None:
    """Returns the rank that an ordinal, a number or #N names, or None."""
    digits = re.sub(r"\D", "", token)
    return int(digits) if digits else ORDINALS.get(token) or NUMBERS.get(token)


def word_of_rank(rank: int) -> str:
    """Returns a rank in words up to ten, then as 11th, 22nd."""
    for word, number in ORDINALS.items():
        if number == rank <= 10:
            return word
    ending = {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th") if rank % 100 not in (11, 12, 13) else "th"
    return f"{rank}{ending}"
