"""The slots of frames: what a value looks like, and what decides whether it is told."""

from __future__ import annotations

from collections.abc import Callable

from holdfast.language.secrets.handover import telling
from holdfast.language.secrets.handover.telling import Value

_OPENING = r"\"\x{201c}\x{201d}\x{201e}\x{ab}"
_STOPS = rf"\0.!?;:,{_OPENING}\x{{bb}}()\x{{2013}}\x{{2014}}\x{{2026}}"
_DIGITS = r"\d(?:-\d){2,9}|\d{2,4}(?:-\d{2,4}){1,4}|\d{3} \d{3}|\d{3,12}"
_MIXED = r"(?-i:[A-Z]{0,3}-?\d[A-Z\d]{1,5}(?:-[A-Z\d]{2,6})*)"
_WORD = rf"['`*_{_OPENING}]{{0,2}}([^\s`{_OPENING}\x{{bb}}\0]+)"
_PHRASE = rf"[{_OPENING}]?([^\s{_STOPS}][^\n{_STOPS}]+)"

SLOTS: dict[str, tuple[str, Callable[[Value], bool]]] = {
    "<number>": (
        rf"['`*_\x{{2019}}{_OPENING}]{{0,2}}([*#]{{0,2}}(?:{_DIGITS})[*#]{{0,2}})",
        telling.is_number,
    ),
    "<code>": (
        rf"['`*_\x{{2019}}{_OPENING}]{{0,2}}([*#]{{0,2}}(?:{_DIGITS}|{_MIXED})[*#]?)",
        telling.is_code,
    ),
    "<dialled>": (r"(\d(?:-\d){3,9}[*#]?)\b", telling.is_dialled),
    "<hashed>": (r"([*#]?\d{3,8}[*#])", telling.is_hashed),
    "<short>": (r"(\d{3})", telling.is_short_number),
    "<ascii>": (r"([!-+\--:<-~]{4,32})", telling.is_ascii),
    "<spelled>": (r"([^\s\0-](?:-[^\s\0-]){3,20})", telling.is_spelled),
    "<word>": (_WORD, telling.ends_clause),
    "<clause>": (r"([^\s.,:;!?\"'()=\0]+)[.!](?: |\n|$)", telling.is_clause),
    "<quoted>": (rf"([^\s.,{_OPENING}\x{{bb}}\0]+)", telling.is_clause),
    "<named>": (_WORD, telling.is_named),
    "<distinct>": (_WORD, telling.is_distinct),
    "<strange>": (_WORD, telling.is_strange),
    "<name>": (_PHRASE, telling.is_name),
    "<drawn>": (_PHRASE, telling.is_drawn),
    "<phrase>": (_PHRASE, telling.is_phrase),
}
"""Slot -> pattern, of which the group is the value, and what decides on it."""
