"""The log of what each session was given, so that nothing is repeated, with its costs (S4.37, S4.60)."""

from __future__ import annotations

import logging
from collections.abc import Collection
from typing import TYPE_CHECKING

from holdfast.core.errors import InvalidInput, StoreError
from holdfast.core.times import DAY
from holdfast.core.usage import KEPT_DAYS, Tally, session_key
from holdfast.core.value_classes import value_class
from holdfast.core.views import View, personal_view
from holdfast.features.access.places import NOWHERE, Selection, view_of
from holdfast.features.recall import uses

if TYPE_CHECKING:
    from holdfast.features.service import Service
    from holdfast.stores.base.ports import Reader

log = logging.getLogger("holdfast")


@value_class
class Recipient:
    """The working session that receives memories: its project (0: none) and a digest of its name. It need not
    be a stored conversation."""

    project: int
    key: str


def recipient_of(view: View, selection: Selection) -> Recipient | None:
    """Returns the recipient of a selection; None without a session, or in a project that does not exist."""
    project = view.context.project or 0
    if selection.session is None or project == NOWHERE:
        return None
    return Recipient(project, session_key(selection.session))


def delivered_keys(reader: Reader, view: View, recipient: Recipient | None) -> frozenset[str]:
    """Returns what a session was given before: ids of memories and digests of modules."""
    return frozenset() if recipient is None else reader.delivered(view, recipient.project, recipient.key)


NO_RECIPIENT: tuple[None, frozenset[str]] = (None, frozenset())
"""No session, and nothing given."""


def delivered_before(service: Service, selection: Selection) -> tuple[Recipient | None, frozenset[str]]:
    """Returns the recipient and what it was given before. Raises InvalidInput `argument_invalid` without a
    session."""
    if selection.session is None:
        raise InvalidInput(
            "repeat=False needs a session",
            code="argument_invalid",
            hint="pass the name of the session",
        )
    with service.store.read() as snap:
        view = view_of(snap, service.principal, selection)
        recipient = recipient_of(view, selection)
        return recipient, delivered_keys(snap, view, recipient)


def record(
    service: Service, recipient: Recipient | None, keys: Collection[str], tally: Tally, now: int
) -> None:
    """Stores what a session was given, durably, so that other processes know it too.

    A failure to record never breaks a reader (S4.41): at worst a memory is repeated.
    """
    if recipient is None:
        return
    view = personal_view(service.principal)
    try:
        with service.store.write() as tx:
            uses.write(service, tx)
            tx.deliver(
                view,
                recipient.project,
                recipient.key,
                sorted(keys),
                tally,
                actor=service.principal.label,
                now=now,
                before=now - KEPT_DAYS * DAY,
            )
    except StoreError as error:
        log.warning("the memories given to a session could not be recorded: %s", error.code)
