"""Consents of users: recorded as events, by themselves or by an owner or admin for them, in person."""

from __future__ import annotations

from holdfast.core.consents import CONSENTS, GIVEN, WITHDRAWN, Consent, acts_of, standing
from holdfast.core.errors import AccessDenied
from holdfast.core.views import personal_view
from holdfast.features.access.permission import check_in_person
from holdfast.features.access.reach import administers
from holdfast.features.admission.names import checked_name
from holdfast.features.service import Service
from holdfast.stores.base.ports import Writer


def record_consent(service: Service, purpose: str, user: str | None, *, given: bool) -> Consent:
    """Records that a user, without a name the caller, gave or withdrew consent to a purpose. Raises
    InvalidInput, AccessDenied, Refusal `person_needed`."""
    check_in_person(service.principal, "gives or withdraws consent")
    whose = _user(service, user)
    with service.store.write() as tx:
        return add_consent(service, tx, checked_name(purpose, "purpose"), whose, given=given)


def add_consent(service: Service, tx: Writer, purpose: str, user: str, *, given: bool) -> Consent:
    """Adds the event of a consent within a transaction."""
    event = tx.add_event(
        at=service.clock(), actor=service.principal.label, action=GIVEN if given else WITHDRAWN,
        subject=CONSENTS, detail={"user": user, "purpose": purpose},
    )  # fmt: skip
    return acts_of([event])[0]


def list_consents(service: Service, user: str | None, *, history: bool = False) -> list[Consent]:
    """Returns what a user, without a name the caller, has consented to: the last act of each purpose, or with
    `history` all, oldest first. Raises AccessDenied, InvalidInput."""
    whose = _user(service, user)
    with service.store.read() as snap:
        acts = acts_of(snap.register(personal_view(service.principal), CONSENTS))
    own = [act for act in acts if act.user == whose]
    return own if history else standing(own)


def _user(service: Service, user: str | None) -> str:
    """Returns the user whom a consent is of. Raises AccessDenied for another than the caller, unless an owner
    or admin asks who is not one of many that share nothing."""
    principal = service.principal
    whose = principal.user if user is None else checked_name(user, "user")
    if whose != principal.user and not administers(service):
        raise AccessDenied("consents of others are for owners and admins", code="not_permitted")
    return whose
