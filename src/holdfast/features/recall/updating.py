"""Updates: of two statements about the same thing, the later first where a question is about the present."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, replace
from operator import mul
from typing import TYPE_CHECKING

from holdfast.core.kinds import KINDS, Nature
from holdfast.core.value_classes import value_class
from holdfast.language.manner import QuestionAim
from holdfast.language.updates import STATEMENT_MAX, update_traits
from holdfast.language.values import asks_value, changed, gives_value, names_alike

if TYPE_CHECKING:
    from holdfast.core.record import Memory
    from holdfast.features.recall.ranking import Ranked

Pair = tuple["Ranked", "Memory"]

COMPARED_MAX = 10
"""Best results among which an update is looked for."""
STEPS_MAX = 3
"""Updates of updates that are followed."""


@value_class
class Evidence:
    """Weights of the signs of an update, in log odds: `benchmarks/updates.py` fits them."""

    ended: float = 2.19
    begun: float = 1.41
    former: float = 2.14
    subject: float = 1.71
    person: float = -2.57
    answer: float = 1.47
    score: float = 1.84
    """Of the later one's score as a share of the earlier one's."""
    cosine: float = 3.96
    """Of the later one's vector and the question's."""
    now: float = 1.06
    """The question says "now": its author expects that something has changed."""
    none: float = -6.52


EVIDENCE = Evidence()


def newer_first(pairs: Sequence[Pair], question: str, intent: QuestionAim) -> list[Pair]:
    """Returns ranked memories with the update of the best one before it, if the question is about the present
    and one of the next is surely an update. Only statements of the same person are compared."""
    order = list(pairs)
    if QuestionAim.PRESENT not in intent or len(order) < 2 or order[0][1].pinned:
        return order
    for _ in range(STEPS_MAX):
        updates = [
            (chance, -place, place)
            for place in range(1, min(len(order), COMPARED_MAX))
            if (chance := _log_odds(order[0], order[place], question, intent)) > 0
        ]
        if not updates:
            break
        order.insert(0, _raised(order.pop(max(updates)[2]), order[0][0].score))
    return order


def _raised(pair: Pair, score: float) -> Pair:
    """Returns a result with the score of the one that it updates; the difference counts as time."""
    ranked, memory = pair
    gain = score - ranked.score
    return replace(
        ranked, score=score, why={**ranked.why, "time": ranked.why.get("time", 0.0) + gain}
    ), memory


def _log_odds(earlier: Pair, later: Pair, question: str, intent: QuestionAim) -> float:
    """Returns the log odds that a memory updates another, -1 for what is out of the question."""
    signs = signs_of(earlier, later, question, intent)
    return -1.0 if signs is None else sum(map(mul, astuple(EVIDENCE), signs))


def signs_of(earlier: Pair, later: Pair, question: str, intent: QuestionAim) -> tuple[float, ...] | None:
    """Returns the signs of an update in the order of `Evidence`, from the surest sentence of the later text;
    None if it is out of the question."""
    (best, old), (ranked, new) = earlier, later
    if not (_is_statement(old) and _is_statement(new)) or _speaker(old) != _speaker(new):
        return None
    if (new.holds_from, ranked.number) <= (old.holds_from, best.number):
        return None
    traits = update_traits(question, old.text, new.text, urgent=QuestionAim.NOW in intent)
    if not traits:
        return None
    surest = max(traits, key=lambda trait: sum(map(mul, astuple(EVIDENCE), trait)))
    share = ranked.score / best.score if best.score > 0 else 0.0
    return (*surest, share, max(ranked.cosine, 0.0), float(QuestionAim.NOW in intent), 1.0)


def _is_statement(memory: Memory) -> bool:
    """Returns whether a memory can state or replace a fact."""
    return (
        len(memory.text) <= STATEMENT_MAX
        and memory.role != "assistant"
        and memory.kind != "passage"
        and KINDS[memory.kind].nature in (Nature.EVIDENCE, Nature.KNOWLEDGE)
        and not memory.text.endswith("?")
    )


def _speaker(memory: Memory) -> tuple[object, ...]:
    return memory.place.owner, memory.role, memory.name


def changed_first(pairs: Sequence[Pair], question: str) -> list[Pair]:
    """Returns ranked memories with the latest that says that the value a question asks for has changed ("has
    increased to 12") before the best earlier one of the same person that gives a value."""
    order = list(pairs)
    if len(order) < 2 or not asks_value(question):
        return order
    best = order[:COMPARED_MAX]
    changes = [
        place
        for place, (_, memory) in enumerate(best)
        if place and _is_said(memory) and changed(question, memory.text)
    ]
    for latest in sorted(changes, key=lambda place: _time(best[place]), reverse=True):
        for place in range(latest):
            if _changes(best[latest], best[place], question):
                order.insert(place, _raised(order.pop(latest), best[place][0].score))
                return order
    return order


def _changes(later: Pair, earlier: Pair, question: str) -> bool:
    """Returns whether an earlier result gives the value that a later one says has changed."""
    old, new = earlier[1], later[1]
    return (
        _is_said(old)
        and not old.pinned
        and _time(earlier) < _time(later)
        and _speaker(old) == _speaker(new)
        and gives_value(question, old.text)
        and names_alike(question, old.text, new.text)
    )


def _is_said(memory: Memory) -> bool:
    """Returns whether a memory may state a value: evidence or knowledge, but no passage of a file, and
    nothing that an assistant said."""
    return (
        memory.role != "assistant"
        and memory.kind != "passage"
        and KINDS[memory.kind].nature in (Nature.EVIDENCE, Nature.KNOWLEDGE)
    )


def _time(pair: Pair) -> tuple[int, int]:
    ranked, memory = pair
    return memory.holds_from, ranked.number
