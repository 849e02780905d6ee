"""Consents of users: given or withdrawn, for a purpose, folded from the chain of events."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from holdfast.core.events import Event
from holdfast.core.wire import Millis, Plain

CONSENTS = "consents"
"""The register: the subject of the events."""
GIVEN, WITHDRAWN = "give_consent", "withdraw_consent"
MODELS = "models"
"""The purpose of sending what a user keeps or asks to language models of others, which Holdfast enforces."""


@dataclass(frozen=True, slots=True)
class Consent(Plain):
    """One act: `user` gave or withdrew consent to a purpose. `by` is who recorded it."""

    user: str
    purpose: str
    given: bool
    at: Millis
    by: str


def acts_of(events: Iterable[Event]) -> list[Consent]:
    """Returns the acts in the events of the register, oldest first."""
    return [
        Consent(event.detail["user"], event.detail["purpose"], event.action == GIVEN, event.at, event.actor)
        for event in events
        if event.action in (GIVEN, WITHDRAWN)
    ]


def standing(acts: Iterable[Consent]) -> list[Consent]:
    """Returns the last act of each user and purpose, in the order of their names."""
    last = {(act.user, act.purpose): act for act in acts}
    return [last[key] for key in sorted(last)]


def withdrawn(events: Iterable[Event], purpose: str) -> frozenset[str]:
    """Returns the users whose last act for a purpose is a withdrawal. Who never said anything is none."""
    latest = standing(acts_of(events))
    return frozenset(consent.user for consent in latest if consent.purpose == purpose and not consent.given)
