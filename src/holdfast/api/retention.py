"""Retention policies and legal holds: the operations of `Memory.retention`."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.api.operation import Area, Parameter, operation
from holdfast.core.retention import Due, Hold, Policy
from holdfast.features.access.access import Need
from holdfast.features.retention import applying, policies


class Retention(Area):
    """Policies that say how long memories stay, by kind and project, and legal holds, which keep them.

    A service or worker erases each day what policies let go, of everybody, but never what a hold covers, nor
    what a person pinned or edited. A new, changed or removed policy erases nothing on its first day. Only
    owners and admins in person decide here.
    """

    @operation("POST /retention", Need.MANAGE, command="retention set", errors=(404,))
    def set(self, days: int | None, *, kind: str | None = None, project: str | None = None) -> Policy:
        """Sets how many days memories stay after they were last changed: those of a kind, of a project, of
        both, or all. Null: for good. The narrowest policy counts: first those of a project. Raises NotFound,
        InvalidInput.
        """
        return policies.set_policy(self._service, days, kind=kind, project=project)

    @operation("POST /retention/remove", Need.MANAGE, command="retention remove", errors=(404,))
    def remove(self, *, kind: str | None = None, project: str | None = None) -> Policy:
        """Removes the policy of a kind, of a project, of both, or the one of all, so that the next wider one
        counts. Raises NotFound.
        """
        return policies.remove_policy(self._service, kind=kind, project=project)

    @operation("GET /retention", Need.MANAGE, command="retention list", changes=False, key="policies")
    def list(self) -> Sequence[Policy]:
        """Returns the policies in the order in which they count."""
        return policies.list_policies(self._service)

    @operation(
        "GET /retention/preview", Need.MANAGE, command="retention preview", changes=False, errors=(404,),
        params={"days": Parameter("As if memories stayed so many days after they were last changed.")},
    )  # fmt: skip
    def preview(
        self, days: int | None = None, *, kind: str | None = None, project: str | None = None, limit: int = 10
    ) -> Due:
        """Returns what the policies would erase now, in counts and at most `limit` examples; with `days` as
        if that policy was set for a kind and project. Nothing is changed. Raises NotFound, InvalidInput.
        """
        return applying.preview(self._service, days, kind=kind, project=project, limit=limit)

    @operation("POST /retention/holds", Need.MANAGE, command="retention hold", errors=(404, 409))
    def hold(self, name: str, *, user: str | None = None, project: str | None = None) -> Hold:
        """Places a legal hold on what a user keeps, on what is in a project, on what that user keeps there,
        or on everything. Until it is lifted nothing of that is erased, by policies, purges or persons; to
        forget hides as always. Raises Conflict `hold_exists`, NotFound.
        """
        return policies.place_hold(self._service, name, user=user, project=project)

    @operation("GET /retention/holds", Need.MANAGE, command="retention holds", changes=False, key="holds")
    def holds(self) -> Sequence[Hold]:
        """Returns the legal holds in place, oldest first."""
        return policies.list_holds(self._service)

    @operation("DELETE /retention/holds/{name}", Need.MANAGE, command="retention lift", tail=True)
    def lift(self, name: str) -> Hold:
        """Lifts a legal hold. Raises NotFound."""
        return policies.lift_hold(self._service, name)
