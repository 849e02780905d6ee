"""The table of frames, in groups that are looked for in one scan of a text."""

from __future__ import annotations

from holdfast.language.secrets.handover.frame import Frame
from holdfast.language.secrets.handover.number_frames import NUMBERS
from holdfast.language.secrets.handover.word_frames import ANSWERED, KEYED, NOTED, OTHERS, PHRASES, WORDS

GROUPS: tuple[tuple[Frame, ...], ...] = (
    NUMBERS,
    WORDS,
    (*PHRASES, *NOTED, *KEYED, *ANSWERED, *OTHERS),
)
"""Groups of frames; each group is looked for in one scan of a text."""
WAYS_IN = (
    ("sure", "lock"), ("code", "asks"), ("words_1",), ("words_2",), ("words_3",), ("words_4",),
)  # fmt: skip
"""Classes of which a text has one if anything is told in it, by pattern (one has too many states)."""
