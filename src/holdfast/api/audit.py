"""The audit log: the operations of `Memory.audit`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from holdfast.api.operation import Area, Parameter, operation
from holdfast.core.certificates import Certificate, Checked
from holdfast.core.events import Event
from holdfast.features.access.access import Need
from holdfast.features.audit import audit


def _after_page(params: dict[str, Any], page: Sequence[Event]) -> dict[str, Any]:
    return {**params, "before" if params.get("newest_first") else "after": page[-1].sequence}


CERTIFICATE = {"certificate": Parameter("What `certificate`, or an erasure as `certificate`, returned.")}


class Audit(Area):
    """The hash-chained audit log of every change and who made it."""

    @operation("GET /audit/verify", Need.AUDIT, command="audit verify", changes=False, key="events")
    def verify(self) -> int:
        """Verifies the whole hash chain and returns the number of events. Raises Damaged."""
        return audit.verify_audit(self._service)

    @operation(
        "POST /audit/certificate", Need.AUDIT, command="audit verify", changes=False, params=CERTIFICATE
    )
    def check(self, certificate: Mapping[str, Any]) -> Checked:
        """Compares a certificate, as `certificate`, `delete_all`, `projects.purge`, `review.clear` or
        `review.revert` returned it, with the store: whether the store signed it, whether the chain of events
        still holds that event, and whether any of the memories, or the member, is there again. Raises
        InvalidInput, Damaged.
        """
        from holdfast.features.audit.certificates import check

        return check(self._service, certificate)

    @operation("GET /audit/certificate", Need.AUDIT, command="audit certificate", changes=False)
    def certificate(self, event: int) -> Certificate:
        """Returns the certificate of an event of the log, by its number: of any erasure, such as
        `forget(hard=True)` or what a policy erased, of a version that was redacted or cleaned, or of a
        member who was removed. Of an erasure it says what the event does: the id is known where one
        memory was erased, elsewhere the counts. Of a member it says how many keys open nothing any
        more, and how many memories stay with the team. `check` verifies it. Raises InvalidInput.
        """
        from holdfast.features.audit.certificates import issue_for

        return issue_for(self._service, event)

    @operation(
        "GET /audit/events",
        Need.AUDIT,
        command="audit list",
        changes=False,
        key="events",
        next_page=_after_page,
    )
    def list(
        self, *, after: int = 0, before: int | None = None, newest_first: bool = False,
        limit: int | None = 100,
    ) -> Sequence[Event]:  # fmt: skip
        """Returns audit events after the event number `after` and before the number `before`: oldest first,
        or with `newest_first` the last ones first."""
        return audit.list_events(
            self._service, after=after, before=before, newest_first=newest_first, limit=limit
        )

    def __iter__(self) -> Iterator[Event]:
        return iter(self.list(limit=None))
