"""Shortening of lines between words."""

from __future__ import annotations


def shortened(line: str, limit: int) -> str:
    """Returns a line of at most `limit` characters: a longer one ends between two words, with an ellipsis.
    Where there is no space in its second half, as in Chinese, it ends anywhere."""
    if len(line) <= limit:
        return line
    head = line[: limit - 1]
    if not line[limit - 1].isspace():
        space = head.rfind(" ")
        head = head[:space] if space >= limit // 2 else head
    return head.rstrip(" ,;:") + "…"
