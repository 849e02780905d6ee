"""Reads sentences by which what holds a rank is something else now: "my second one is now Dune".

Much may be said of what holds a rank ("my second one is now in school"): only names and colours are values.
"""

from __future__ import annotations

import re

from holdfast.language.facts.lexicon import rank_named

_ENGLISH = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last"
_GERMAN = "erste|zweite|dritte|vierte|fünfte|sechste|siebte|achte|neunte|zehnte|letzte"
_RANK = (
    rf"(?i:(?:(?:the|my) (?P<a>{_ENGLISH})(?: (?:one|pick|choice|favou?rite|favou?rite one))?"
    rf"|(?:meine?|der|die|das) (?P<b>{_GERMAN})[rs]?"
    r"|(?:(?:the|my|meine?) )?(?P<c>#[1-9]\d?|(?:number|nummer|platz) \w+)))"
)
_IS, _NOW = "(?i:is|ist|'s)", "(?i:now|jetzt|nun|inzwischen)"
_NAME = r"[A-ZÄÖÜ][\w'&-]*(?: (?:(?:of|the|de|la|and|von|der|und|&) (?=[A-ZÄÖÜ]))?[A-ZÄÖÜ\d][\w'&-]*){0,4}"
_COLOURS = (
    "red blue green yellow orange purple violet pink brown black white grey gray turquoise teal mauve beige"
    " cyan magenta maroon navy indigo lilac ochre olive scarlet crimson silver gold khaki lavender rot blau"
    " grün gelb lila violett rosa braun schwarz weiß grau türkis silber ocker oliv"
)
_COLOUR = rf"(?i:(?:(?:dark|light|dunkel|hell)[ -]?)?(?:{_COLOURS.replace(' ', '|')}))"
_VALUE = rf"(?:{_COLOUR}|{_NAME})"
_FORMS = [
    re.compile(form)
    for form in (
        rf"{_RANK} ?{_IS} (?:{_NOW} (?P<x>{_VALUE})|(?P<y>{_VALUE}) {_NOW})",
        rf"(?P<x>{_VALUE}) {_IS} {_NOW} {_RANK}",
    )
]
_STATES = frozenset(
    "done open closed merged fixed live online offline ready available gone sold dead broken empty full free"
    " busy late active mine yours his hers ours theirs better worse married retired fertig offen geschlossen"
    " erledigt tot kaputt frei leer voll verheiratet weg verkauft student rentner".split()
)
"""What is said of things, also with a capital letter ("#2 is now Done")."""


def may_become(low: str) -> bool:
    """Returns whether a text in lower case may give a rank to something; fast, since it runs on every
    text."""
    return bool(re.search(r"\b(?:now|jetzt|nun|inzwischen)\b", low))


def become(sentence: str) -> tuple[int, str, bool] | None:
    """Returns a rank, -1 for the last, what holds it now, and whether that is a colour; None if a sentence
    says nothing of the kind."""
    for form in _FORMS:
        match = form.fullmatch(sentence)
        if match is None:
            continue
        parts = match.groupdict()
        rank = rank_named(next(parts[key] for key in "abc" if parts.get(key)))
        value = parts["x"] or parts.get("y") or ""
        is_colour = re.fullmatch(_COLOUR, value) is not None
        if rank and (is_colour or not (value.split()[0].lower() in _STATES or value.endswith("'s"))):
            return rank, value, is_colour
    return None
