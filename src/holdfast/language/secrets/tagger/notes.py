"""Selects the notes and messages in which the network may find a secret that they do not name."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from holdfast.language.secrets.unnamed import LONGEST_NOTE


def handing_over(texts: Sequence[str], others: Collection[int]) -> set[int]:
    """Returns the indexes of notes and messages, besides others, in which the network may find a secret that
    they do not name."""
    notes = [
        place for place, text in enumerate(texts) if place not in others and 0 < len(text) <= LONGEST_NOTE
    ]
    if not notes:
        return set()
    from holdfast.language.secrets.tagger.decide import may_hand_over  # NumPy and its weights take time

    return {place for place in notes if may_hand_over(texts[place])}
