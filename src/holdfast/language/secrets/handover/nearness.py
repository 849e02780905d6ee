"""Checks what is spoken of around a value."""

from __future__ import annotations

import re

from holdfast.language.secrets.handover.lexicon import class_pattern

_BEFORE, _AFTER, _CLOSE = 240, 120, 160  # bytes around a value in which it is said what it is
_SENTENCE_END = re.compile(rb"[.!?]\s|\n")


def is_spoken_of(data: bytes, near: tuple[str, ...], within: str, start: int, end: int) -> bool:
    """Returns whether one of the classes `near` a value occurs: `before` it, in its `sentence` or `around`
    it."""
    if not near:
        return True
    begin, stop = max(0, start - _BEFORE), end + _AFTER
    if within == "before":
        begin, stop = max(0, start - _CLOSE), start
    elif within == "sentence":
        ends = [match.end() for match in _SENTENCE_END.finditer(data, begin, start)]
        begin = ends[-1] if ends else begin
        after = _SENTENCE_END.search(data, end, stop)
        stop = after.start() if after else stop
    window = data[begin:stop]
    return any(all(class_pattern(name).search(window) for name in classes.split("+")) for classes in near)
