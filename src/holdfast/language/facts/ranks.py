"""Parses ranks in questions: "second", "#2", "third from the bottom", "last two", "items 2 to 4"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.language.facts.phrases import QUANTITIES
from holdfast.language.facts.words import Word, rank_of


@dataclass(frozen=True, slots=True)
class Span:
    """A range of ranks, `first` to `last`, counted from the end if `from_end`.

    `is_slice` distinguishes "top one" from "first", `least` "least favorite" from "last", `is_place` "last
    place" from "last".
    """

    first: int
    last: int
    from_end: bool = False
    is_slice: bool = False
    least: bool = False
    is_place: bool = False


@dataclass(frozen=True, slots=True)
class Ranked:
    """A sentence with its ranks: `kinds` has a letter per word (`R` a rank, `N` a slice), `spans` their
    ranges."""

    words: tuple[Word, ...]
    kinds: str
    spans: dict[int, Span]


_NUMBER = r"(?:k[dno]|kh|[doh]k?|e[dh])"
"""One number of a range, as classes of words: "number two", "#2", "second place", "item 3"."""
_FORMS = re.compile(
    r"(?P<least>(?:o(?:pa*)?)?L(?=a*f))"  # least favorite
    rf"|(?P<range>[kep]?a*[ke]?(?:n|{_NUMBER})~a*{_NUMBER})"  # items 2 to 4
    r"|(?P<last_n>Lv?[dh])|(?P<n_last>dL)"  # last two; two last
    r"|(?P<first_place>tk)|(?P<n_at_last>dpa*L)"  # top spot; two at the bottom
    r"|(?P<from_last>(?:k?[dno]|h)(?:pa*)?(?:L(?!v?d)|E)k?)"  # third from the bottom
    r"|(?P<noun_from_last>[oh]Tpa*(?:L(?!v?d)|E))"  # third book from the end
    r"|(?P<from_top>(?:k?[do]|h)pa*t(?![dn]))"  # second from the top
    r"|(?P<last>L(?:&n|pn)?k?|E)"  # last; last but one
    r"|(?P<at_top>(?:pa*)?t(?=&p?a*[LEohk])|(?:(?<=[LEok]&)|(?<=[LEok]&[pa])"
    r"|(?<=[LEok]&pa))t(?![dn])|(?<=v)t(?=[p.,]|$))"  # the top and the bottom; placed top
    r"|(?P<top_n>t[dh](?!k))|(?P<n_top>dt)|(?P<first_n>od)"  # top 3; 3 top; first two
    r"|(?P<rank>(?:e?k|e|na*k)[dn]k?|[ke]h|hk?|ok?|dk)"  # number two; #2; second place
    r"|(?P<n>d(?=a*[fPTe]|pa*[mf]))"  # three colors
)
"""The forms of a rank over classes of words (`words`), the more particular ones first."""


_SECOND_LAST = frozenset(
    {
        "penultimate",
        "next to last",
        "last but one",
        "second to bottom",
        "one before last",
        "one before the last",
    }
)
_RANGE = re.compile(r"(?<=[dohn])[>~](?=a*k?[doh])")
"""What joins two numbers to a range; `>` is "to" or a dash."""
_SEVERAL = re.compile(r"([ke][dnh](?:[,&]+h)*[,&]+)[dn](?![fPT])")
"""numbers 2, 3 and 4"""


def _letter(word: Word) -> str:
    """Returns the class of a word; `>` for a word that joins a range between numbers."""
    return ">" if word.text in ("to", "-", "–", "—") else word.kind


def with_ranks(words: Sequence[Word]) -> Ranked:
    """Returns a sentence with its ranks parsed, each as one word."""
    kinds = _RANGE.sub("~", "".join(_letter(word) for word in words))
    kinds = "".join(word.kind if letter == ">" else letter for word, letter in zip(words, kinds, strict=True))
    kinds = re.sub("(?<=o)S", "a", re.sub("(?<=m)([dn])S", r"\1t", kinds))  # my two best, my third best
    if re.search("ma*[TP]?l|mS", kinds):
        kinds = re.sub("S(?=[dn])", "t", kinds)  # the best two on my list
    for i, word in enumerate(words):
        if word.kind == "d" and i > 1 and words[i - 1].text == "at" and kinds[i - 2] in "bviD":
            kinds = f"{kinds[:i]}h{kinds[i + 1 :]}"  # what sits at five on my list
    while (several := _SEVERAL.sub(r"\1h", kinds)) != kinds:
        kinds = several
    made: list[Word] = []
    letters: list[str] = []
    spans: dict[int, Span] = {}
    done = 0
    for match in _FORMS.finditer(kinds):
        span = _span(match, words)
        if span is None:
            continue
        made += words[done : match.start()]
        letters += kinds[done : match.start()]
        spans[len(made)] = span
        letters.append("N" if span.is_slice else "R")
        made.append(words[match.start()])
        if match.lastgroup == "noun_from_last":  # the third book from the end
            made.append(words[match.start() + 1])
            letters.append("T")
        done = match.end()
    made += words[done:]
    letters += kinds[done:]
    return Ranked(tuple(made), "".join(letters), spans)


def _span(match: re.Match[str], words: Sequence[Word]) -> Span | None:
    """Returns the ranks that a form means, None if it is no rank after all."""
    inside = words[match.start() : match.end()]
    numbers = [number for word in inside if (number := _number(word)) is not None]
    first = numbers[0] if numbers else 1
    form = match.lastgroup
    is_place = match[0] == "E" or (
        any(word.kind == "h" or word.kind == "k" for word in inside) and inside[-1].text != "number"
    )
    if first < 1 or (not numbers and form not in ("least", "last", "first_place", "at_top")):
        return None
    if form == "range":
        is_range = len(numbers) == 2 and first <= numbers[1]
        return Span(first, numbers[1], is_slice=True) if is_range else None
    if form in ("least", "last"):
        is_second = any(word.text in _SECOND_LAST for word in inside) or "n" in match[0]  # last but one
        back = 2 if is_second else first
        return Span(back, back, from_end=True, least="least" in inside[-1].text, is_place=is_place)
    if form in ("last_n", "n_last") or (form == "n_at_last" and inside[1].text != "from"):
        return Span(1, first, from_end=True, is_slice=True)
    if form == "noun_from_last" and inside[2].text != "from":
        return None
    if form in ("from_last", "noun_from_last", "n_at_last"):
        return Span(first, first, from_end=True, is_place=True)
    if form == "first_n":
        return Span(1, numbers[-1], is_slice=True) if first == 1 else None
    if form in ("top_n", "n_top", "n"):
        return Span(1, first, is_slice=True)
    return Span(first, first, is_place=is_place)


def _number(word: Word) -> int | None:
    """Returns the number that a word names, as a rank or an amount, or None."""
    if word.kind not in "ohdn":
        return None
    amount = next((QUANTITIES[part] for part in word.text.split() if part in QUANTITIES), None)
    return amount or rank_of(word.text)
