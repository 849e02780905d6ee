"""The protocol of moving a tenant from one database server to another, and the error where it is no more."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from holdfast.core.errors import StoreMoved
from holdfast.core.value_classes import value_class

if TYPE_CHECKING:
    from holdfast.config import Settings


def moved_error(location: str, *, to: str | None) -> StoreMoved:
    """Returns the error for a tenant that was moved to the server `to` of a directory of tenants, or with
    `to` None for the copy of one that is not used yet."""
    what = "is the copy of a tenant that is being moved" if to is None else f"was moved to {to}"
    error = StoreMoved(
        f"{location} {what}", code="store_moved",
        hint="open it by the directory of tenants; an interrupted move goes on with the same command",
    )  # fmt: skip
    error.to = to
    return error


@value_class
class TenantState:
    """The state of a tenant at a server: whether it is there, where it was moved to, and where it is being
    copied from. `memories` counts them with their versions. `can_resume` says that the copy holds a whole
    snapshot, which only has to be brought up to date."""

    exists: bool
    memories: int = 0
    moved_to: str | None = None
    copied_from: str | None = None
    can_resume: bool = False


class TenantMoves(Protocol):
    """Moving tenants between servers of one kind. Settings name a tenant at a server, by the owner of the
    tables where rows are copied or deleted."""

    def state(self, settings: Settings) -> TenantState:
        """Returns what a server knows of a tenant. Raises StoreError."""

    def move(
        self,
        source: Settings,
        target: Settings,
        *,
        here: str,
        there: str,
        resume: bool,
        before: Callable[[str], None],
    ) -> dict[str, int]:
        """Copies a tenant that is in use, compares every row, and marks it as moved from the server `here` to
        `there`, from when on it is used nowhere but there; returns the rows of each table. Writers wait only
        while the last changes are copied. Killed at any point, it is at one of both; with `resume` the copy
        of an interrupted move is brought up to date. `before` is called with the name of each step. Raises
        StoreError, StoreBusy, Damaged."""

    def settle(self, target: Settings, *, here: str) -> None:
        """Lets the copy of a tenant be used that was moved from the server `here`. Raises StoreError, also if
        there is none."""

    def drop(self, settings: Settings, *, is_marked: bool) -> None:
        """Deletes a tenant that was moved, or the copy that is not used yet; `is_marked` keeps the mark that
        says where it went. Raises StoreError, InvalidInput for any other."""
