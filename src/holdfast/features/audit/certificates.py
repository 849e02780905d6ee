"""Certificates of deletion: issued with the erasure or for its event, and checked against the store later."""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from holdfast.core.arguments import checked_count
from holdfast.core.certificates import Certificate, Checked
from holdfast.core.errors import HoldfastError, InvalidInput
from holdfast.core.events import Event
from holdfast.core.history import REDACTED
from holdfast.core.places import Principal, user_of
from holdfast.core.scanning import CLEAN
from holdfast.core.views import GONE, personal_view
from holdfast.core.wire import read_record
from holdfast.features.audit.audit import verify_audit
from holdfast.features.memories.browse import pages
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader

LENGTH = 32
"""Hexadecimal digits of a digest."""
_LATER: dict[str, Any] = {
    "owners": [], "project": None, "member": None, "keys": 0, "version": None, "stay": 0,
    "backups": None, "unreached": 0,
}  # fmt: skip
"""What certificates of earlier forms do not have, and what that means."""
_COUNTS = {
    "apply_retention": "memories",
    "clear": "count",
    "delete_all": "count",
    "delete_session": "erased",
    "erase": None,
    "erase_source": "count",
    "purge_deleted": "memories",
    "purge_project": "memories",
    "revert": "count",
}
"""The events of erasures, and where each has the number of memories; one memory is named by the event."""
_REDACTED = ("redact", CLEAN)
"""The events that erased a version of a memory, or what the rules found in it."""


def issue(
    snap: Reader, service: Service, event: Event, ids: Iterable[str], *, sessions: int = 0, imports: int = 0,
    folders: int = 0, owners: tuple[str, ...] = (), project: str | None = None, backups: int | None = None,
    unreached: int = 0,
) -> Certificate:  # fmt: skip
    """Issues the certificate of an erasure by the principal, within its transaction; `ids` are those of the
    memories. See `Certificate` for the rest."""
    key = _key(snap, service)
    digests = tuple(sorted(_digest(key, id) for id in ids))
    certificate = Certificate(
        service.principal.user, event.at, event.hash, len(digests), sessions, imports, folders, digests,
        owners=owners, project=project, backups=backups, unreached=unreached,
    )  # fmt: skip
    return replace(certificate, signature=_signature(key, certificate))


def issue_for(service: Service, sequence: int) -> Certificate:
    """Issues the certificate of an event that is in the chain: of any erasure, with what the event says about
    it, or of a member who was removed. Raises InvalidInput if there is no such event, or if it is neither."""
    view = personal_view(service.principal)
    with service.store.read() as snap:
        event = next(iter(snap.events(view, after=checked_count(sequence, "event") - 1, limit=1)), None)
        if event is None or event.sequence != sequence:
            raise InvalidInput(f"there is no event {sequence}", code="argument_invalid", hint=_WHERE)
        is_erasure = event.action in _COUNTS and event.detail.get("hard", True)
        if not is_erasure and event.action not in ("remove_member", *_REDACTED):
            message = f"event {sequence} erased nothing and removed nobody: {event.action}"
            raise InvalidInput(message, code="argument_invalid", hint=_WHERE)
        key = _key(snap, service)
        if event.action in _REDACTED:
            certificate = _of_version(key, event)
        else:
            certificate = _of_member(snap, service, event) if not is_erasure else _of_erasure(key, event)
        return replace(certificate, signature=_signature(key, certificate))


_WHERE = "holdfast audit list --newest-first"


def _of_erasure(key: bytes, event: Event) -> Certificate:
    """Returns the certificate of an erasure."""
    counted = _COUNTS[event.action]
    names_one = counted is None and event.subject is not None
    owner = event.detail.get("owner")
    return Certificate(
        user_of(event.actor), event.at, event.hash, 1 if counted is None else event.detail[counted],
        event.detail.get("sessions", int(event.action == "delete_session")),
        int(event.action == "erase_source"), event.detail.get("folders", 0),
        (_digest(key, event.subject or ""),) if names_one else (),
        owners=() if owner in (None, user_of(event.actor)) else (owner,),
    )  # fmt: skip


def _of_version(key: bytes, event: Event) -> Certificate:
    digests = (_digest(key, event.subject or ""),)
    version = event.detail["version"]
    return Certificate(user_of(event.actor), event.at, event.hash, 0, 0, 0, 0, digests, version=version)


def _of_member(snap: Reader, service: Service, event: Event) -> Certificate:
    """Returns the certificate of the removal of a member."""
    user = event.detail["user"]
    # as far as who asks may see it: what the member kept in private is still theirs alone
    shared = personal_view(service.principal, replace(GONE, owner=user), closed=True)
    return Certificate(
        user_of(event.actor), event.at, event.hash, 0, 0, 0, 0, (), member=user,
        keys=sum(key.user == user and key.revoked_at is None for key in service.keys.all()),
        stay=snap.count(shared, now=service.clock()),
    )  # fmt: skip


def check(service: Service, content: Mapping[str, Any]) -> Checked:
    """Compares a certificate with the store. Raises InvalidInput if it is none; Damaged if the chain of
    events is broken."""
    try:
        content = {**_LATER, **content}
        certificate = read_record(Certificate, content)
        written = certificate.as_dict()
    except (LookupError, TypeError, ValueError, AttributeError, HoldfastError) as error:
        raise InvalidInput("this is not a certificate of deletion", code="argument_invalid") from error
    if written != content:
        raise InvalidInput("this is not a certificate of deletion", code="argument_invalid")
    is_there, event_action = False, ""

    def noting(events: Iterable[Event]) -> Iterable[Event]:
        nonlocal is_there, event_action
        for event in events:
            if event.hash == certificate.head:
                is_there, event_action = True, event.action
            yield event

    verify_audit(service, noting)
    with service.store.read() as snap:
        key, digests = _key(snap, service), set(certificate.digests)
        back = int(_is_member(snap, service, certificate.member))
        for owner in certificate.owners or (certificate.user,):
            if not digests:
                break
            view = personal_view(Principal(owner), replace(GONE, owner=owner), closed=True)
            ids = [memory.id for memory in pages(snap, view) if _digest(key, memory.id) in digests]
            if certificate.version is not None:
                is_whole = event_action == "redact"
                back += sum(
                    memory.version == certificate.version and is_whole and memory.text != REDACTED
                    for memory in snap.versions(view, ids)
                )
            else:
                back += len(ids)
    expected = _signature(key, replace(certificate, signature=""))
    return Checked(hmac.compare_digest(expected, certificate.signature), is_there, back)


def _is_member(snap: Reader, service: Service, user: str | None) -> bool:
    member = None if user is None else snap.member(personal_view(service.principal), user)
    return member is not None and member.removed_at is None


def _key(snap: Reader, service: Service) -> bytes:
    return hmac.digest(snap.signing_key(personal_view(service.principal)), b"certificates", "sha256")


def _digest(key: bytes, id: str) -> str:
    return hmac.digest(key, b"erased " + id.encode(), "sha256").hex()[:LENGTH]


def _signature(key: bytes, certificate: Certificate) -> str:
    content = certificate.as_dict()
    signed = {name: value for name, value in content.items() if value != _LATER.get(name, ...)}
    plain = json.dumps(signed, sort_keys=True, separators=(",", ":")).encode()
    return hmac.digest(key, b"signed " + plain, "sha256").hex()
