"""Masks private and secret parts of a long text and leaves every other character in its place.

A text that is cut into parts is masked first as a whole: a part shows neither the tag that makes it private
nor the whole of a secret that the cut divides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.language.private import FilePrivacy, overwritten, privacy_of_file
from holdfast.language.secrets.entropy import ENTROPY_THRESHOLD
from holdfast.language.secrets.find import find_secrets

_FIRST = 0x10F000
"""First of the private-use characters that replace secrets, two per type so that neighbours differ."""
_MOST = 0x800
_RUN = re.compile(f"([{chr(_FIRST)}-{chr(_FIRST + _MOST - 1)}])(?:\n*\\1)*")


@dataclass(frozen=True, slots=True)
class MaskedText:
    """A masked text with the length and the lines of the original.

    Private blocks are spaces, secrets are placeholder characters. `types` are the types of the secrets,
    `private` the starts of private blocks. `unclosed` counts the characters of blocks that are never closed.
    """

    text: str
    types: tuple[str, ...] = ()
    private: tuple[int, ...] = ()
    unclosed: int = 0

    def part(self, start: int, end: int) -> tuple[str, tuple[str, ...]]:
        """Returns a part of the text for display and the types of the secrets in it.

        Every secret that begins in the part shows as `[REDACTED: <type>]`. One that continues from before is
        omitted.
        """
        if not self.types:
            return self.text[start:end], ()
        begin = start
        while begin and self.text[begin - 1] == "\n":
            begin -= 1
        before = self.text[begin - 1 : begin] if begin else ""
        types: list[str] = []

        def marker(match: re.Match[str]) -> str:
            if match[1] == before and not self.text[start : start + match.start()].strip("\n"):
                return ""
            types.append(self._type(match))
            return f"[REDACTED: {types[-1]}]"

        return _RUN.sub(marker, self.text[start:end]), tuple(types)

    def display_form(self, name: str) -> str:
        """Returns a name or heading taken from the text in a form for display."""
        if not self.types:
            return name
        return _RUN.sub(lambda match: f"[REDACTED: {self._type(match)}]", name)

    def _type(self, match: re.Match[str]) -> str:
        return self.types[min((ord(match[1]) - _FIRST) // 2, len(self.types) - 1)]


def without_private(text: str, *, is_page: bool = False) -> tuple[str, FilePrivacy]:
    """Returns the text of a file with blanks in place of private blocks, and what was private in it."""
    privacy = privacy_of_file(text, is_page=is_page)
    if privacy.mentions:
        text = _with_substitutes(text, privacy.mentions)
    if privacy.cuts:
        text = overwritten(text, [(start, end, " ") for start, end, _ in privacy.cuts])
    return text, privacy


def masked(text: str, *, entropy: float | None = ENTROPY_THRESHOLD, is_page: bool = False) -> MaskedText:
    """Masks private blocks and secrets in the text of a file, in linear time (S4.20–S4.22).

    Tags that are only spoken of become `[private]`, so that no part is read in another way. `entropy` is that
    of `find_secrets`, `is_page` that of `privacy_of_file`.
    """
    text, privacy = without_private(text, is_page=is_page)
    private = tuple(start for start, _, is_block in privacy.cuts if is_block)
    secrets = find_secrets(text, entropy=entropy)
    if not secrets:
        return MaskedText(text, (), private, privacy.unclosed)
    types = tuple(dict.fromkeys(finding.type for finding in secrets))
    spans = [
        (finding.start, finding.end, chr(_FIRST + 2 * types.index(finding.type) + number % 2))
        for number, finding in enumerate(secrets)
    ]
    return MaskedText(overwritten(text, spans), types, private, privacy.unclosed)


def _with_substitutes(text: str, spans: Sequence[tuple[int, int, str]]) -> str:
    """Returns the text with each range replaced by a text of the same length."""
    pieces: list[str] = []
    position = 0
    for start, end, substitute in spans:
        pieces += (text[position:start], substitute)
        position = end
    return "".join((*pieces, text[position:]))
