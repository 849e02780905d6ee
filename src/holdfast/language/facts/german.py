"""Rewrites a German question about lists into the English words of the grammar of questions.

Nouns of topics stay as they are: they are looked up in whatever language they were stated.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from holdfast.language.facts.lexicon import GERMAN_NUMBERS, GERMAN_ORDINALS, NUMBERS, ORDINALS

_GERMAN = re.compile(
    r"\b(?:mein\w{0,2}|ich|lieblings\w*|welche\w?|wer|wie|wieviele?|nenne?|zeige?|zähle?|sage?"
    r"|und die|und der|und das|platz"
    r"|(?:zweit|dritt|viert|fünft)\w*|liebste\w?|hasse)\b"
)
_ENGLISH = re.compile(r"\b(?:my|the|what|which|favou?rite|list of|i)\b")
_WORD_OF = {rank: word for word, rank in ORDINALS.items()}
_NUMBER_OF = {count: word for word, count in NUMBERS.items()}
_STEMS = "|".join(GERMAN_ORDINALS)
_COUNTS = "|".join(GERMAN_NUMBERS)


def _ordinal(match: re.Match[str]) -> str:
    return _WORD_OF[GERMAN_ORDINALS[match[1]]]


def _place(stem: str) -> str:
    return f"number {GERMAN_ORDINALS[stem]} on my list"


def _number(match: re.Match[str]) -> str:
    return _NUMBER_OF[GERMAN_NUMBERS[match[0]]]


_RULES: list[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]] = [
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (rf"\b({_STEMS})-?(?:meist)?liebste\w?\b", lambda match: f"{_ordinal(match)} favorite"),
        (
            rf"\bbei mir (?:auf )?(?:platz|rang|position|nummer|stelle) (\d+|{_COUNTS})\b",
            r"number \1 on my list",
        ),
        (r"\bbei mir\b", " "),
        (r"\b(?:mag|esse|trinke|höre|lese) ich (?:gar |überhaupt |wirklich )?nicht\b", "do i hate"),
        (rf"\ban ({_STEMS})e[rn] (?:stelle|position)\b", lambda match: _place(match[1])),
        (rf"\bauf (?:dem )?(?:platz|rang|position|nummer|stelle) (\d+|{_COUNTS})\b", r"number \1 on my list"),
        (rf"\bauf (?:dem |meinem )?({_STEMS})en (?:platz|rang)\b", lambda match: _place(match[1])),
        (r"\bauf (?:dem )?(?:letzten platz|platz letzter)\b|\bganz unten\b", "last on my list"),
        (r"\bganz oben\b|\bauf dem ersten platz\b", "first on my list"),
        (r"\b(?:platz|rang|nummer|nr\.?)\b", "number"),
        (rf"\b({_STEMS})(?:e[rsnm]?|ens)\b", _ordinal),
        (rf"\b(?:{_COUNTS})\b", _number),
        (r"\bvorletzte\w?\b", "second to last"),
        (r"\bletzte\w?\b", "last"),
        (r"\blieblings-?(?=\w)", "favorite "),
        (r"\bunliebste\w?\b|\bam wenigsten beliebte\w?\b", "least favorite"),
        (r"\bliebste\w?\b|\bfavorit(?:en)?\b", "favorite"),
        (r"\bam (?:aller)?(?:liebsten|meisten|besten)\b", "best"),
        (r"\bam wenigsten\b", "least"),
        (r"\bauf meiner liste\b", "on my list"),
        (r"\bliste meiner\b|\brangliste meiner\b", "list of my"),
        (r"\bmeine\w? liste\b", "my list"),
        (r"\bwie (?:lautet|lauten|heißt|heißen|war|waren)\b", "what is"),
        (r"\bwie ?viele?\b", "how many"),
        (r"\bwas (?:sind|waren)\b", "what are"),
        (r"\bwas (?:ist|war)\b", "what is"),
        (r"\bwelche\w? (?:sind|waren)\b", "which are"),
        (r"\bwelche\w?\b", "which"),
        (r"\bwer\b", "who"),
        (r"\bwas\b", "what"),
        (r"\bzähle? (.{1,80}?) auf\b|\bliste (.{1,80}?) auf\b", lambda match: f"list {match[1] or match[2]}"),
        (r"\b(?:kannst|könntest) du (?:mir )?", ""),
        ((
            r"\b(?:nenne?|zeige?|sage?|verrate?|gib|nennen|zeigen|sagen|auflisten|aufzählen)(?: mir"
            r"| uns)?\b"
        ), "tell me"),
        ((
            r"\bhabe? ich (?:dir )?(?:als )?(?=.*\b(?:genannt|gesagt|erzählt|gespeichert"
            r"|angegeben)\b)"
        ), "have i told you "),
        (r"\b(?:genannt|gesagt|erzählt|gespeichert|angegeben)\b", ""),
        (r"\bhabe? ich\b", "do i have"),
        (r"\b(?:mag|esse|trinke|höre|lese|spiele|schaue|sehe|liebe) ich\b", "do i like"),
        (r"\b(?:hasse ich|kann ich nicht (?:leiden|ausstehen)|meide ich)\b", "do i hate"),
        (r"\bich (?:am )?best (?:mag|esse|trinke|höre|lese)\b", "i like best"),
        (r"\bsind\b", "are"),
        (r"\b(?:ist|steht|kommt|liegt)\b", "is"),
        (r"\bwar(?:en)?\b", "was"),
        (r"\bmein(?:e[rsnm]?)?\b", "my"),
        (r"\b(?:der|die|das|den|dem|des)\b", "the"),
        (r"\bund\b", "and"),
        (r"\b(?:von|aller?)\b", "of"),
        ((
            r"\b(?:bitte|denn|eigentlich|nochmal|noch mal|noch einmal|mal|doch|gleich|jetzt|gerade"
            r"|nochmals|schnell|alle|meinst du)\b"
        ), " "),
    )
]  # fmt: skip
_GENITIVE = re.compile(
    r"\b(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|number \w+) my\b"
)


def in_english(text: str) -> str | None:
    """Returns a German question in lower case with English words around its nouns; None if it is not
    German."""
    low = text.lower()
    if not _GERMAN.search(low) or _ENGLISH.search(low):
        return None
    for pattern, replacement in _RULES:
        low = pattern.sub(replacement, low)
    low = _GENITIVE.sub(r"\1 of my", low)
    return " ".join(low.split()).replace(" ?", "?").replace(" ,", ",")
