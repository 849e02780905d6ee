"""Labelled pairs of statements: what a person says the newer one is to the older (S4.24, S4.25).

The labels were written before the code that is tested with them. Every third pair of the first 528 is
"held-out": it was not looked at while the rules were written. The topic "traps" was written against the
rules when they were known.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Pair:
    """An older statement, a newer one, and the verdict of a person."""

    part: str
    topic: str
    expected: str
    old: str
    new: str


def load() -> list[Pair]:
    """All labelled pairs."""
    lines = Path(__file__).with_name("sameness_pairs.jsonl").read_text(encoding="utf-8").splitlines()
    return [Pair(**json.loads(line)) for line in lines]
