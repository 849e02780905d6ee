"""Audit events: one per mutation, chained by hash so that no row can be changed, removed or moved (S2.6)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from holdfast.core.errors import Damaged
from holdfast.core.value_classes import value_class
from holdfast.core.wire import Millis, Plain

canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode
"""Returns JSON that is the same for equal values."""
REQUEST_MARK = "request"
"""The detail of an event that identifies the request with an idempotency key by which it was added."""
GENESIS = "0" * 64
"""The hash that the first event is chained to."""


@value_class
class Head:
    """The end of a chain: the number of its last event and that event's hash."""

    sequence: int = 0
    hash: str = GENESIS


@value_class
class Event(Plain):
    """One audit row.

    `subject` is an id. `detail` holds ids, counts and codes: never text of a memory, so that events survive
    erasure, nor a digest of one, from which a reader of the chain could guess the text.
    """

    sequence: int
    at: Millis
    actor: str
    action: str
    subject: str | None
    detail: dict[str, Any]
    hash: str


def chained(
    head: Head, at: int, actor: str, action: str, subject: str | None, detail: dict[str, Any]
) -> Event:
    """Builds the event that follows `head`."""
    sequence = head.sequence + 1
    digest = _digest(head.hash, sequence, at, actor, action, subject, detail)
    return Event(sequence, at, actor, action, subject, detail, digest)


def verify(events: Iterable[Event], head: Head) -> int:
    """Checks a whole chain against its head and returns how many events it has.

    Raises Damaged `audit_broken` naming the first event that was changed, removed or moved, or
    `history_lost` when the chain ends before `head`.
    """
    last = Head()
    for event in events:
        expected = chained(last, event.at, event.actor, event.action, event.subject, event.detail)
        if (event.sequence, event.hash) != (expected.sequence, expected.hash):
            raise Damaged(
                f"the audit chain breaks at event {expected.sequence}: it was changed, removed or moved",
                code="audit_broken",
                hint="compare with a backup; the events before it verify",
            )
        last = Head(event.sequence, event.hash)
        if last.sequence == head.sequence and last.hash != head.hash:
            raise Damaged(
                f"event {head.sequence} is not the one that was acknowledged",
                code="audit_broken",
                hint="the chain was rewritten; compare with a backup",
            )
    if last.sequence < head.sequence:
        raise Damaged(
            f"the chain ends at event {last.sequence}, but event {head.sequence} was acknowledged",
            code="history_lost",
            hint="the file was rolled back or its write-ahead log was damaged; restore a backup",
        )
    return last.sequence


def _digest(
    previous: str,
    sequence: int,
    at: int,
    actor: str,
    action: str,
    subject: str | None,
    detail: dict[str, Any],
) -> str:
    """Returns the SHA-256 of an event and the digest before it, in hexadecimal digits."""
    body = canonical([previous, sequence, at, actor, action, subject, detail])
    return hashlib.sha256(body.encode()).hexdigest()
