"""The place where messages lose their secrets: the rules that find them register here, above the core."""

from __future__ import annotations

from collections.abc import Callable

_masks: list[Callable[[str], str]] = []


def mask_with(function: Callable[[str], str]) -> None:
    """Sets the function that replaces secrets in a text for people."""
    _masks[:] = [function]


def masked(text: str) -> str:
    """Returns a text for people, such as the message of an error, without the secrets in it."""
    for function in _masks:
        text = function(text)
    return text
