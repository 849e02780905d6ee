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
from holdfast.core.review import Deleted
from holdfast.core.views import GONE, personal_view
from holdfast.core.wire import read_record
from holdfast.features.audit.audit import verify_audit
from holdfast.features.memories.browse import pages
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader

LENGTH = 32
"""Hexadecimal digits of a digest."""


def issue(snap: Reader, service: Service, counts: Deleted, event: Event, ids: Iterable[str]) -> Certificate:
    """Issues the certificate of an erasure, within its transaction."""
    key = _key(snap, service)
    digests = tuple(sorted(_digest(key, id) for id in ids))
    certificate = Certificate(
        counts.user, event.at, event.hash, len(digests), counts.sessions, counts.imports,
        counts.folders, digests,
    )  # fmt: skip
    return replace(certificate, signature=_signature(key, certificate))


def check(service: Service, content: Mapping[str, Any]) -> Checked:
    """Compares a certificate with the store. Raises InvalidInput if it is none; Damaged if the chain of
    events is broken."""
    try:
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
        view = personal_view(Principal(certificate.user), replace(GONE, owner=certificate.user), closed=True)
        back = sum(_digest(key, one.id) in digests for one in pages(snap, view))
    expected = _signature(key, replace(certificate, signature=""))
    return Checked(hmac.compare_digest(expected, certificate.signature), is_there, back)


def _key(snap: Reader, service: Service) -> bytes:
    return hmac.digest(snap.signing_key(personal_view(service.principal)), b"certificates", "sha256")


def _digest(key: bytes, id: str) -> str:
    return hmac.digest(key, b"erased " + id.encode(), "sha256").hex()[:LENGTH]


def _signature(key: bytes, certificate: Certificate) -> str:
    plain = json.dumps(certificate.as_dict(), sort_keys=True, separators=(",", ":")).encode()
    return hmac.digest(key, b"signed " + plain, "sha256").hex()
