"""Admission under the rules of what is never to be remembered."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.kinds import EXCLUSION
from holdfast.core.places import Principal
from holdfast.features.access.scoped_store import unlimited
from holdfast.features.memories.own_rules import rules_in
from holdfast.features.service import Service

if TYPE_CHECKING:
    from holdfast.features.admission.admission import Admission
    from holdfast.language.exclusion import Exclusion
    from holdfast.stores.base.ports import Reader


def exclusions_in(reader: Reader, principal: Principal, now: int) -> tuple[Exclusion, ...]:
    """Returns what is never to be remembered of a principal's user."""
    memories = rules_in(reader, principal, EXCLUSION, now)
    if not memories:
        return ()
    from holdfast.language.exclusion import exclusion_of  # its grammar is slow to compile

    rules = tuple(exclusion_of(memory.text) for memory in memories)
    # a refusal must not show the rules to a credential that may not read them
    return rules if unlimited(reader) is reader else tuple(replace(rule, text="") for rule in rules)


def gate_of(service: Service, reader: Reader | None = None) -> Admission:
    """Returns the admission of texts that people say and agents keep, which leaves out what is excluded;
    within a transaction with its `reader`."""
    if reader is None:
        with service.store.read() as snap:
            return gate_of(service, snap)
    exclusions = exclusions_in(reader, service.principal, service.clock())
    return replace(service.admission, exclusions=exclusions) if exclusions else service.admission
