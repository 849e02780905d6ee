"""Certificates of deletion: issued with the erasure, and checked against the store later."""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from holdfast.core.certificates import Certificate, Checked
from holdfast.core.errors import HoldfastError, InvalidInput
from holdfast.core.events import Event
from holdfast.core.places import Principal
from holdfast.core.views import GONE, personal_view
from holdfast.core.wire import read_record
from holdfast.features.audit.audit import verify_audit
from holdfast.features.memories.browse import pages
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader

LENGTH = 32
"""Hexadecimal digits of a digest."""
_LATER: dict[str, Any] = {"owners": [], "project": None}
"""What certificates of the first form do not have, and what that means."""


def issue(
    snap: Reader, service: Service, event: Event, ids: Iterable[str], *, sessions: int = 0, imports: int = 0,
    folders: int = 0, owners: tuple[str, ...] = (), project: str | None = None,
) -> Certificate:  # fmt: skip
    """Issues the certificate of an erasure by the principal, within its transaction; `ids` are those of the
    memories. See `Certificate` for the rest."""
    key = _key(snap, service)
    digests = tuple(sorted(_digest(key, id) for id in ids))
    certificate = Certificate(
        service.principal.user, event.at, event.hash, len(digests), sessions, imports, folders, digests,
        owners=owners, project=project,
    )  # fmt: skip
    return replace(certificate, signature=_signature(key, certificate))


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
    is_there = False

    def noting(events: Iterable[Event]) -> Iterable[Event]:
        nonlocal is_there
        for event in events:
            is_there = is_there or event.hash == certificate.head
            yield event

    verify_audit(service, noting)
    with service.store.read() as snap:
        key, digests = _key(snap, service), set(certificate.digests)
        back = 0
        for owner in certificate.owners or (certificate.user,):
            view = personal_view(Principal(owner), replace(GONE, owner=owner), closed=True)
            back += sum(_digest(key, one.id) in digests for one in pages(snap, view))
    expected = _signature(key, replace(certificate, signature=""))
    return Checked(hmac.compare_digest(expected, certificate.signature), is_there, back)


def _key(snap: Reader, service: Service) -> bytes:
    return hmac.digest(snap.signing_key(personal_view(service.principal)), b"certificates", "sha256")


def _digest(key: bytes, id: str) -> str:
    return hmac.digest(key, b"erased " + id.encode(), "sha256").hex()[:LENGTH]


def _signature(key: bytes, certificate: Certificate) -> str:
    content = certificate.as_dict()
    signed = {name: value for name, value in content.items() if value != _LATER.get(name, ...)}
    plain = json.dumps(signed, sort_keys=True, separators=(",", ":")).encode()
    return hmac.digest(key, b"signed " + plain, "sha256").hex()
