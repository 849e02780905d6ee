"""Correcting what is believed: a person says what is true, and what said otherwise stays as evidence."""

from __future__ import annotations

from collections.abc import Mapping

from holdfast.core.claims import Belief
from holdfast.core.errors import Conflict, InvalidInput
from holdfast.core.places import ANYWHERE
from holdfast.core.record import Kept, Memory, Outcome
from holdfast.features.access.places import Selection, view_of
from holdfast.features.admission.draft import Draft
from holdfast.features.beliefs.about import about
from holdfast.features.beliefs.corrections import CERTAINTY, corrected_by, evidence_of, states_nothing
from holdfast.features.beliefs.fold import axis_of, is_same_value
from holdfast.features.beliefs.reading import claims_of_memory
from holdfast.features.facts.facts import Telling, list_facts, replace_list, set_fact
from holdfast.features.graph.graph import Statement, observe
from holdfast.features.memories import browse
from holdfast.features.memories.remember import remember
from holdfast.features.memories.revise import revise
from holdfast.features.memories.revision import Revision
from holdfast.features.service import Service

_KINDS: Mapping[str, str] = {
    "preference": "preference", "aversion": "preference", "habit": "preference",
    "instruction": "preference", "plan": "goal",
}  # fmt: skip
"""The kind of a correction by the type of what it corrects; of all others it is a profile."""
_LISTS = ("favourite", "dislikes")
"""Attributes of beliefs that come from ranked lists."""


def correct(
    service: Service, id: str, text: str, selection: Selection, *, was: str | None = None,
    name: str | None = None,
) -> Kept:  # fmt: skip
    """Stores what is true in the place of a belief that rests on a memory, and returns the outcome. `was` is
    the belief as it is shown, for a memory that says several things; `name` that of the person or thing it is
    about, None for the user.

    A memory that is the statement itself is revised, and a list gets new values. Of what was said in a
    message, or among other things, the message stays, and a memory of its own says what is true. Raises
    NotFound, Conflict `changed_meanwhile`, InvalidInput, Refusal.
    """
    belief = believed(service, id, selection, was, name)
    memory = browse.get(service, belief.id)
    is_statement = memory.kind == belief.attribute or corrected_by(memory) is not None
    if states_nothing(text):
        verb = "forget" if is_statement else "dismiss"
        raise InvalidInput(
            "this says that it is wrong, and not what is true instead", code="argument_invalid",
            hint=f"to believe it no longer: holdfast {verb} {memory.id}",
        )  # fmt: skip
    if is_statement:  # it is the statement itself
        titled = f"{memory.title}: "
        stated = text.removeprefix(titled) if memory.title and belief.text.startswith(titled) else text
        return revise(service, memory.id, Revision(text=stated))
    wordings = wordings_of(service, belief)
    if belief.attribute == "mention":
        return _observed(service, belief, memory, text, name)
    if not wordings and belief.attribute in _LISTS:
        return _replace_values(service, belief, memory, text)
    draft = Draft(
        text=text, kind=_KINDS.get(belief.type, "profile"), evidence=evidence_of(belief, wordings),
        project=memory.project, workspace=memory.place.workspace, confidence=CERTAINTY,
    )  # fmt: skip
    return remember(service, draft)


def believed(service: Service, id: str, selection: Selection, was: str | None, name: str | None) -> Belief:
    """Returns the belief that rests on a memory. Raises NotFound, Conflict, InvalidInput."""
    memory = browse.get(service, id)
    resting = [
        belief
        for belief in about(service, name, selection).beliefs
        if memory.id in {source.memory for source in belief.sources}
    ]
    matches = [belief for belief in resting if was in (None, belief.text)]
    if not matches:
        believed = "; ".join(belief.text for belief in resting)
        raise Conflict(
            "this is no longer believed", code="changed_meanwhile",
            hint=f"what memory {memory.id} says now: {believed or 'nothing that is believed'}",
        )  # fmt: skip
    if len(matches) > 1:
        raise InvalidInput(
            f"memory {memory.id} says several things", code="argument_invalid",
            hint="name one: " + ", ".join(f"`was={belief.text}`" for belief in matches),
        )  # fmt: skip
    return matches[0]


def wordings_of(service: Service, belief: Belief) -> list[str]:
    """Returns the values of the claims that a belief rests on, in each wording, the newest first."""
    ids = list(dict.fromkeys(source.memory for source in belief.sources))
    with service.store.read() as snap:
        view = view_of(snap, service.principal, Selection(ANYWHERE, workspace=ANYWHERE))
        memories = {memory.id: memory for memory in snap.several(view, ids, now=service.clock())}
    claims = [claim for id in ids if id in memories for claim in claims_of_memory(memories[id])]
    subject = belief.subject or ""
    return list(
        dict.fromkeys(
            claim.value
            for claim in claims
            if axis_of(claim.attribute) == axis_of(belief.attribute)
            and claim.subject.casefold() == subject.casefold()
            and is_same_value(claim.value, belief.value)
        )
    )


def _observed(service: Service, belief: Belief, message: Memory, text: str, name: str | None) -> Kept:
    """Notes what is true of a thing, in the place of a sentence that a message says of it."""
    statement = Statement(project=message.project, evidence=evidence_of(belief, [belief.value]))
    (result,) = observe(service, name or "", [text], None, statement)
    return result


def _replace_values(service: Service, belief: Belief, memory: Memory, text: str) -> Kept:
    """Gives a list or a preference other values."""
    label, _, _ = belief.value.partition(": ")
    before, _, after = text.partition(f"{label}: ")
    values = [value.strip() for value in after.rstrip(".").split(",") if value.strip()]
    expected, _, _ = belief.text.partition(f"{label}: ")
    if not values or before.strip().lower() not in ("", expected.strip().lower()):
        raise InvalidInput(
            "this is a list", code="argument_invalid", hint=f"write it as `{belief.text}`, with other values"
        )
    topic = ("favorite_" if belief.attribute == "favourite" else "disliked_") + label.replace(" ", "_")
    telling = Telling(project=memory.project, workspace=memory.place.workspace)
    stated = list_facts(service, topic, Selection(memory.project, workspace=memory.place.workspace))
    is_ranked = any(fact.rank is not None for fact in stated)
    if is_ranked:
        facts = replace_list(service, topic, values, telling).facts
    if not is_ranked or any(fact.rank is None for fact in stated):
        facts = set_fact(service, topic, values[0] if is_ranked else ", ".join(values), None, telling).facts
    return Kept(Outcome.SUPERSEDED, browse.get(service, facts[0].memory), "the list is replaced")
