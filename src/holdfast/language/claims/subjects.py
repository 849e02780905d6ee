"""Checks whether a value is of the sort that a question asks for, such as a sport or an editor."""

from __future__ import annotations

import re
from itertools import pairwise

from holdfast.language.claims.lexicon import WORDS, class_of_word

_BY_THEMSELVES = {
    "sport": ("sport",), "language": ("speaks",),
    "workplace": ("employer", "works_in", "self_employed", "retired", "unemployed"),
}  # fmt: skip
"""Attributes whose values are of a sort by themselves."""
_CLASSES = {"sport": "sport", "language": "lang", "instrument": "instrument"}
"""Sorts of which the lexicon of claims knows the words, with the class that they have there."""
_NAMES = {
    "editor": r"vs ?code|visual studio|pycharm|intellij|webstorm|phpstorm|goland|clion|rider|jetbrains|eclipse"
    r"|netbeans|xcode|android studio|neo ?vim|n?vim?|emacs|sublime|notepad\+*|nano|helix|zed|cursor|kate|atom"
    r"|rstudio|jupyter\w*|editor|ide",
    "browser": r"firefox|chrom(?:e|ium)|safari|edge|opera|vivaldi|brave|librewolf|tor browser|browser",
    "system": r"linux|ubuntu|debian|fedora|arch|mint|nixos|opensuse|windows(?: \d+)?|mac ?os|os x|freebsd|ios"
    r"|android|operating system|betriebssystem",
    "phone": r"i?phone|pixel|galaxy|fairphone|oneplus|xiaomi|nokia|android|handy|smartphone",
    "computer": r"macbook|i?mac|thinkpad|xps|chromebook|framework|surface|laptop|notebook|computer|pc|desktop"
    r"|rechner",
    "workplace": r"(?:at|for|with|bei|beim|für) \w.*",
}
_SORTS = (
    ("sport", r"sports?|sport(?:arten)?"),
    ("language", r"languages?|sprachen?"),
    ("instrument", r"(?:musical )?instruments?|(?:musik)?instrumente?"),
    ("editor", r"(?:code |text |code-?|text-?)?editors?|ides?"),
    ("browser", r"(?:web )?browsers?"),
    ("system", r"operating systems?|os|betriebssysteme?"),
    ("phone", r"(?:smart)?phones?|handys?|smartphones?"),
    ("computer", r"computers?|laptops?|notebooks?|rechner"),
)


def sort_of(noun: str) -> str | None:
    """Returns the sort that a noun in a question names; None if its words are not known."""
    return next((sort for sort, nouns in _SORTS if re.fullmatch(nouns, noun)), None)


def is_of_sort(sort: str, attribute: str, value: str) -> bool:
    """Returns whether the value of a claim names something of a sort."""
    if attribute in _BY_THEMSELVES.get(sort, ()):
        return True
    parts = [value] if sort == "workplace" else heads_of(value)
    return any(_is_part_of_sort(sort, attribute, part) for part in parts)


def _is_part_of_sort(sort: str, attribute: str, part: str) -> bool:
    """Returns whether one of the things in a value is of a sort."""
    if (names := _NAMES.get(sort)) is not None:
        return re.search(rf"(?<!\w)(?:{names})(?!\w)", part, re.IGNORECASE) is not None
    if sort == "instrument" and attribute == "plays":  # there are more instruments than the lexicon has
        return not _is_part_of_sort("sport", attribute, part)
    if sort == "sport" and _WITHOUT_DOING.match(part):
        return False
    words = WORDS.findall(part)
    if sort == "sport" and attribute == "hobby":  # football pictures are no sport
        words = words[-1:]
    pairs = [f"{first}-{second}" for first, second in pairwise(words)]
    return any(class_of_word(word) == _CLASSES[sort] for word in (*words, *pairs))


def heads_of(value: str) -> list[str]:
    """Returns the things that a value names one beside another, before anything that is said of them."""
    return _BESIDE.split(_BEHIND_NOUN.split(value, maxsplit=1)[0])


_WITHOUT_DOING = re.compile(
    r"(?:watch|read|collect|follow|writ|talk|listen|draw|paint|coach|schau|guck|seh|les|sammel|sammle)\w* ",
    re.IGNORECASE,
)
"""Matches what opens the name of something that somebody does with a sport other than to do it."""
_BESIDE = re.compile(r"\s*(?:,|;|&|\+|\b(?:and|und)\b)\s*(?:(?:and|und)\s)?", re.IGNORECASE)
_BEHIND_NOUN = re.compile(
    r"(?:^|\s)(?:with|without|for|of|from|in|on|at|to|by|like|about|near|since|called|named|that|which|who|where|but"
    r"|instead|now|mit|ohne|für|von|vom|aus|im|am|an|auf|bei|beim|zu|zum|zur|wie|seit|namens|statt|aber)\s",
    re.IGNORECASE,
)
