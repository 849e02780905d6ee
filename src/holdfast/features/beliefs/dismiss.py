"""Dismissing what is believed: a record beside what is never remembered, and the message stays."""

from __future__ import annotations

import hashlib

from holdfast.core.errors import InvalidInput
from holdfast.core.kinds import EXCLUSION
from holdfast.core.record import Kept
from holdfast.features.access.places import Selection
from holdfast.features.admission.draft import Draft
from holdfast.features.beliefs.correct import believed, wordings_of
from holdfast.features.beliefs.corrections import corrected_by, evidence_of
from holdfast.features.beliefs.dismissals import DISMISSAL
from holdfast.features.beliefs.fold import axis_of
from holdfast.features.memories.browse import get
from holdfast.features.memories.remember import remember
from holdfast.features.service import Service

NOT_BELIEVED = "Not believed: "


def dismiss(service: Service, id: str, selection: Selection, *, was: str | None, name: str | None) -> Kept:
    """Keeps that a belief read from a memory is not to be believed; the memory stays as it is. Raises
    NotFound, Conflict `changed_meanwhile`, InvalidInput for a memory that is the statement itself."""
    belief = believed(service, id, selection, was, name)
    memory = get(service, belief.id)
    if memory.kind == belief.attribute or corrected_by(memory) is not None:
        raise InvalidInput(
            "this memory is the statement itself", code="argument_invalid",
            hint=f"forget it: holdfast forget {memory.id}",
        )  # fmt: skip
    values = wordings_of(service, belief) or [belief.value]
    what = "\0".join((axis_of(belief.attribute), belief.subject or "", str(belief.positive), belief.value))
    digest = hashlib.sha256(what.casefold().encode()).hexdigest()[:16]
    draft = Draft(
        NOT_BELIEVED + belief.text, kind=EXCLUSION, external_id=DISMISSAL, scope=(EXCLUSION, digest),
        visibility="private", evidence=evidence_of(belief, values),
    )  # fmt: skip
    return remember(service, draft)
