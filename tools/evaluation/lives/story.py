"""The timeline of a generated person: facts that begin and end, and when they are mentioned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from tools.evaluation.lives.values import pool

LANGUAGES = ("en", "de")
SEQUENCES = {
    "home": ("city", 4, "homecorr"),
    "job": ("employer", 3, "jobleft"),
    "partner": ("partner", 2, "expartner"),
    "pet": ("pet", 2, "petgone"),
    "diet": ("diet", 2, "dietdropped"),
}
"""What one holds after another: the slot, how many, and the event that says that one ended."""
LASTING = {
    "name": ("name", 1), "age": ("age", 1), "origin": ("origin", 1), "role": ("role", 1),
    "child": ("child", 2), "sibling": ("sibling", 2), "allergy": ("allergen", 2),
    "condition": ("condition", 2), "like": ("like", 5), "dislike": ("dislike", 4), "hobby": ("hobby", 3),
    "language": ("language", 2), "education": ("field", 1), "possession": ("car", 2), "plan": ("plan", 4),
}  # fmt: skip
"""What holds from some day on: the slot and how many."""
DROPPED = 2
"""Plans that are dropped again."""
INSTRUCTIONS = 12
REPEATED = (2, 6)
"""How often what holds is told again."""
OF_A_LANGUAGE = frozenset(
    "role allergen condition diet like dislike hobby plan language field car".split()
)  # fmt: skip
"""Slots whose words are those of one language, which a fact keeps."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something true of the person from a point of the life on, 0 to 1, and perhaps only until another.

    `before` is the value that held before it, for what holds one after another.
    """

    event: str
    slot: str
    value: str
    language: str | None
    begins: float
    ends: float | None = None
    before: str = ""

    @property
    def ending(self) -> str:
        """The event that says that it ended."""
        return SEQUENCES[self.event][2] if self.event in SEQUENCES else "plandropped"


@dataclass(frozen=True, slots=True)
class Mention:
    """That a fact, or its end, is told at a point of the life."""

    at: float
    event: str
    fact: Fact | None


def facts(half: str, rng: Random) -> list[Fact]:
    """Returns what is true of the person of a half, and when."""
    return [*_sequences(half, rng), *_lasting(half, rng)]


def mentions(facts: list[Fact], rng: Random) -> list[Mention]:
    """Returns when each fact is told, told again, and taken back, in order."""
    told = [one for fact in facts for one in _of(fact, rng)]
    told += [Mention(rng.random(), "instruction", None) for _ in range(INSTRUCTIONS)]
    return sorted(told, key=lambda mention: mention.at)


def _sequences(half: str, rng: Random) -> Iterator[Fact]:
    for event, (slot, count, _) in SEQUENCES.items():
        language = rng.choice(LANGUAGES) if slot in OF_A_LANGUAGE else None
        values = _sample(half, slot, language, count + 1, rng)
        first = values.pop() if len(values) > count else ""
        steps = [(number + 0.4 * rng.random()) / count for number in range(count)]
        for number, value in enumerate(values):
            ends = steps[number + 1] if number + 1 < count else None
            before = values[number - 1] if number else first
            yield Fact(event, slot, value, language, steps[number], ends, before)


def _lasting(half: str, rng: Random) -> Iterator[Fact]:
    for event, (slot, count) in LASTING.items():
        by_language = {name: _sample(half, slot, name, count, rng) for name in LANGUAGES}
        for number in range(count):
            language = rng.choice(LANGUAGES) if slot in OF_A_LANGUAGE else None
            begins = 0.8 * rng.random()
            dropped = event == "plan" and number < DROPPED
            ends = begins + (1 - begins) * (0.4 + 0.5 * rng.random()) if dropped else None
            yield Fact(event, slot, by_language[language or "en"][number], language, begins, ends)


def _sample(half: str, slot: str, language: str | None, count: int, rng: Random) -> list[str]:
    values = pool(half, language or "en", slot)
    return rng.sample(values, min(count, len(values)))


def _of(fact: Fact, rng: Random) -> Iterator[Mention]:
    last = fact.ends if fact.ends is not None else 1.0
    corrects = fact.event == "home" and fact.before and rng.random() < 0.6
    yield Mention(fact.begins, "homecorr" if corrects else fact.event, fact)
    for _ in range(rng.randint(*REPEATED)):
        yield Mention(fact.begins + (last - 0.03 - fact.begins) * rng.random(), fact.event, fact)
    if fact.ends is not None and fact.event != "home":
        yield Mention(fact.ends, fact.ending, fact)
        yield Mention(fact.ends + 0.03, fact.ending, fact)
