"""Blanks the markup of a page, so that rules for prose read what people read."""

from __future__ import annotations

import re

from holdfast.core.text import byte_pattern

_ENDS = r"(?i)</(?:a|b|body|code|dd|div|dt|em|h[1-6]|html|i|li|ol|p|pre|span|strong|table|tbody|t[dhr]|ul)>"
_MARKUP = re.compile(rb"(?i)</?[a-z][^<>]*>?|<!--[^<>]*-->|&(?:#x?[0-9a-f]{1,6}|[a-z]{2,8});")
_FEW = 3
"""End tags of HTML that make a text a page."""


def without_markup(data: bytes) -> bytes:
    """Returns a page with spaces in the place of its tags and entities, everything else where it was; a text
    that is no page as it is."""
    if data.count(b"</") < _FEW or len(byte_pattern(_ENDS).findall(data)) < _FEW:
        return data
    return _MARKUP.sub(lambda match: b" " * len(match.group()), data)
