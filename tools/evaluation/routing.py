"""The router of facts, measured on labelled utterances: those its rules were written with, and others."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from holdfast.core.facts import QuestionType, Request
from holdfast.language.facts.route import route
from holdfast.language.facts.topics import Topics, with_custom

PARTS = ("tuned", "tuned_topics", "held_out")
"""The parts of the set: what the rules were written with, first for the built-in topics and then for others
of the settings, and what an author wrote who did not know them."""
_TOPICS = "# topics: "
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
    pairs = [line.partition("\t") for line in _lines(part) if line and not line.startswith("#")]
    return [(label, text) for label, _, text in pairs]


def topics_of(part: str) -> Topics:
    """The topics of a part: the built-in ones and those that its lines `# topics: books = novels; cars` add,
    as the setting `topics` does."""
    custom: dict[str, list[str]] = {}
    for line in _lines(part):
        if line.startswith(_TOPICS):
            for one in line.removeprefix(_TOPICS).split("; "):
                name, _, nouns = one.partition(" = ")
                custom[name] = nouns.split(", ") if nouns else []
    return with_custom(custom)


def measure(part: str) -> Routing:
    """Routes every utterance of a part."""
    topics = topics_of(part)
    told = ((label, text, _label(route(text, topics), topics)) for label, text in labelled(part))
    return Routing(part, tuple(Routed(text, label, found) for label, text, found in told))


def _lines(part: str) -> list[str]:
    return (Path(__file__).parent / f"routing_{part}.txt").read_text(encoding="utf-8").splitlines()


def _label(requests: tuple[Request, ...], topics: Topics) -> str:
    return "+".join(_in_words(one, topics) for one in requests) or RECALL


def _in_words(request: Request, topics: Topics) -> str:
    topic = "?" if request.topic is None else topics[request.topic].category
    sign = "-" if request.from_end else ""
    if request.question_type is QuestionType.LIST:
        if request.limit is None:
            return f"* {topic}"
        return (
            f"-{request.limit}: {topic}"
            if request.from_end
            else f"{request.rank or 1}:{request.limit} {topic}"
        )
    if request.question_type is QuestionType.COUNT:
        return f"n {topic}"
    if request.question_type is QuestionType.BEST:
        return f"! {topic}"
    return f"{'!' if request.question_type is QuestionType.LEAST else ''}{sign}{request.rank} {topic}"
