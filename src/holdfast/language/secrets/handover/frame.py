"""The frames in which a secret is told: what is on both sides of it, and what must be spoken of nearby.

In a pattern, `{class}` stands for the words of a class of the lexicon, and `<slot>` for the value.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A frame with a sentence that it is for, and one that looks like it and holds no secret."""

    pattern: str
    near: tuple[str, ...]
    """Classes of which one is spoken of nearby; `a+b` asks for both."""
    example: str
    unlike: str
    within: str = "around"
    """Where it is spoken of: in the same `sentence`, `before` the value, or some lines `around` it."""


FEW = r"(?:[ \t]+[^\s.?!:;,=\0]+){0,3}?"
OF = r"(?:[ \t]+(?:f\x{fc}rs?|vo[mn]|zu[rm]?|de[rs]|am|im)(?:[ \t]+{det})?[ \t]+[^\s.,:;!?\0]+)?"
SOME = r"(?:,?[ \t]+[^\s.?!:;,=\0]+)*?"
