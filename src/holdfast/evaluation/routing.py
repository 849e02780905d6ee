"""The router of facts, measured on labelled utterances: those its rules were written with, and others."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from holdfast.domain.facts_route import Asked, Request, route
from holdfast.domain.facts_topics import BUILT_IN, Topics

PARTS = ("tuned", "held_out")
"""The parts of the set: what the rules were written with, and what was written after they were frozen."""
RECALL = "-"
"""The label of what is a question for recall."""


@dataclass(frozen=True, slots=True)
class Routed:
    """One utterance: what it asks, and what the router made of it."""

    text: str
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class Routing:
    """How one part was routed. A route counts as right only with the right topic, rank and limit."""

    part: str
    all: tuple[Routed, ...]

    @property
    def asked(self) -> int:
        """Utterances that ask facts."""
        return sum(one.expected != RECALL for one in self.all)

    @property
    def routed(self) -> int:
        """Utterances that the router gave to facts."""
        return sum(one.found != RECALL for one in self.all)

    @property
    def right(self) -> int:
        """Those among both for which it understood exactly what is asked."""
        return sum(one.found == one.expected != RECALL for one in self.all)

    @property
    def precision(self) -> float:
        """Share of what was given to facts that was right."""
        return self.right / self.routed if self.routed else 1.0

    @property
    def recall(self) -> float:
        """Share of what asks facts that was right."""
        return self.right / self.asked if self.asked else 1.0

    @property
    def wrong(self) -> tuple[Routed, ...]:
        """What was not right, either way."""
        return tuple(one for one in self.all if one.found != one.expected)

    def as_dict(self) -> dict[str, object]:
        """Plain JSON for `--json`."""
        return {
            "part": self.part,
            "utterances": len(self.all),
            "asked": self.asked,
            "routed": self.routed,
            "right": self.right,
            "precision": round(self.precision, 4),
            "recall": round(self.recall, 4),
            "wrong": [{"text": one.text, "expected": one.expected, "found": one.found} for one in self.wrong],
        }


def labelled(part: str) -> list[tuple[str, str]]:
    """The utterances of a part as (label, text)."""
    lines = (Path(__file__).parent / f"routing_{part}.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.partition("\t") for line in lines if line and not line.startswith("#")]
    return [(label, text) for label, _, text in pairs]


def measure(part: str, topics: Topics = BUILT_IN) -> Routing:
    """Routes every utterance of a part."""
    told = ((label, text, _label(route(text, topics), topics)) for label, text in labelled(part))
    return Routing(part, tuple(Routed(text, label, found) for label, text, found in told))


def _label(requests: tuple[Request, ...], topics: Topics) -> str:
    return "+".join(_written(one, topics) for one in requests) or RECALL


def _written(one: Request, topics: Topics) -> str:
    topic = "?" if one.topic is None else topics[one.topic].category
    if one.asked is Asked.BEST:
        return f"! {topic}"
    if one.asked is Asked.ORDINAL:
        return f"{one.rank} {topic}"
    return f"1:{one.limit} {topic}" if one.limit else f"* {topic}"
