"""Moving a tenant to another server of a directory of tenants: previewed, verified, resumed, confirmed.

What is done so far is known from the marks of both servers alone: `move` after an interruption does what is
left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from holdfast.api.memory import Memory
from holdfast.config import Settings
from holdfast.core.errors import InvalidInput
from holdfast.core.wire import Plain
from holdfast.stores.base.registry import backend_of
from holdfast.stores.base.tenant_directory import Directory, changing, read_directory
from holdfast.stores.base.tenant_moves import TenantMoves, TenantState


@dataclass(frozen=True, slots=True)
class MovePlan(Plain):
    """The plan of a move. `copied` is `nothing` before the first try, `part` if an interrupted one left a
    copy that is brought up to date, `unusable` if it is made anew, `all` if only the directory is left to
    change, `mark` if the server holds only the mark that says where the tenant went from there. `memories`
    counts all versions."""

    tenant: str
    source: str
    target: str
    memories: int
    copied: str


@dataclass(frozen=True, slots=True)
class MoveResult(Plain):
    """The outcome of a move: the rows that were copied and compared, and the events of the chain that was
    verified at the new server. The old copy stays at `source` until the move is confirmed."""

    tenant: str
    source: str
    target: str
    rows: int
    events: int


def preview_move(settings: Settings, file: Path, tenant: str, server: str, *, owner: str | None) -> MovePlan:
    """Returns what moving a tenant to a server would do. Raises InvalidInput, NotFound, StoreError."""
    directory = read_directory(file)
    here = directory.server_of(tenant)
    if here == server:
        raise InvalidInput(f"{tenant} is at {server} already", code="nothing_to_change")
    if tenant in directory.old:
        raise InvalidInput(
            f"the copy of {tenant} at {directory.old[tenant]} from its last move is not dropped yet",
            code="argument_invalid", hint=f"confirm that move: holdfast tenants confirm {file} {tenant}",
        )  # fmt: skip
    moves, source, target = _ends(settings, directory, tenant, here, server, owner)
    before, after = moves.state(source), moves.state(target)
    if before.moved_to not in (None, server):
        raise InvalidInput(
            f"{tenant} was moved to {before.moved_to}", code="argument_invalid",
            hint=f"finish that first: holdfast tenants move {file} {tenant} {before.moved_to}",
        )  # fmt: skip
    if not before.exists:
        raise InvalidInput(f"{here} has no tenant {tenant}", code="argument_invalid")
    return MovePlan(tenant, here, server, before.memories, _copied(before, after, tenant, here, server))


def _copied(before: TenantState, after: TenantState, tenant: str, here: str, server: str) -> str:
    """Returns how far a tenant was copied to a server: `all`, `part`, `unusable`, `mark` or `nothing`. Raises
    InvalidInput if the server has another tenant of that name."""
    if before.moved_to == server:
        return "all"
    if not after.exists:
        return "nothing"
    if after.copied_from == here:
        return "part" if after.can_resume else "unusable"
    if after.moved_to is not None and not after.memories:
        return "mark"
    raise InvalidInput(
        f"{server} has a tenant {tenant}", code="argument_invalid",
        hint="an old copy is dropped by: holdfast tenants confirm",
    )  # fmt: skip


def move_tenant(
    settings: Settings, file: Path, tenant: str, server: str, *, owner: str | None,
    before: Callable[[str], None] = lambda _: None,
) -> MoveResult:  # fmt: skip
    """Moves a tenant to another server of a directory, or finishes a move that was interrupted.

    The chain of events is verified first. Then every row is copied and compared while others read and write;
    writers wait only for the last changes. From one moment on the tenant is used at the new server alone;
    services that find it by the directory go on there. `owner` is the role that owns the tables. Raises
    InvalidInput, Damaged, StoreBusy, StoreError.
    """
    with changing(file) as directory:  # to its end, so that no other run drops what this one has copied
        plan = preview_move(settings, file, tenant, server, owner=owner)
        moves, source, target = _ends(settings, directory, tenant, plan.source, server, owner)
        rows = 0
        if plan.copied == "all":
            moves.settle(target, here=plan.source)
        else:
            _verified(settings, directory.address(plan.source, tenant))
            if plan.copied in ("unusable", "mark"):
                before("drop")
                moves.drop(target, is_marked=False)
            resume = plan.copied == "part"
            copied = moves.move(source, target, here=plan.source, there=server, resume=resume, before=before)
            rows = sum(copied.values())
        before("directory")
        directory.tenants[tenant] = server
        directory.old[tenant] = plan.source
    events = _verified(settings, directory.address(server, tenant))
    return MoveResult(tenant, plan.source, server, rows, events)


def confirm_move(settings: Settings, file: Path, tenant: str, *, owner: str | None) -> str:
    """Deletes the old copy of a tenant that was moved; returns the server that held it. Raises InvalidInput,
    StoreError."""
    read_directory(file)  # raises where there is no file: `changing` would make one
    # locked to the end: another operator could move the tenant back while its old copy is dropped
    with changing(file) as directory:
        if tenant not in directory.old:
            raise InvalidInput(f"there is no old copy of {tenant}", code="nothing_to_change")
        old = directory.old[tenant]
        now = directory.server_of(tenant)
        moves, source, target = _ends(settings, directory, tenant, old, now, owner)
        source_state, there = moves.state(source), moves.state(target)
        if source_state.exists and source_state.moved_to is None:
            raise InvalidInput(f"{tenant} is in use at {old}", code="argument_invalid")
        if not there.exists or there.moved_to is not None or there.copied_from is not None:
            raise InvalidInput(
                f"{tenant} is not in use at {now}: the copy at {old} stays", code="argument_invalid",
                hint=f"see where it is: holdfast tenants list {file}",
            )  # fmt: skip
        moves.drop(source, is_marked=True)
        del directory.old[tenant]
    return old


def _ends(
    settings: Settings, directory: Directory, tenant: str, here: str, there: str, owner: str | None
) -> tuple[TenantMoves, Settings, Settings]:
    """Returns how to move, and the settings of a tenant at two servers, as the owner of their tables."""
    role = f"&user={owner}" if owner else ""
    source, target = (
        replace(settings, store=directory.address(server, tenant) + role) for server in (here, there)
    )
    moves = backend_of(source.store).moves
    assert moves is not None  # no other server comes into a directory
    return moves, source, target


def _verified(settings: Settings, address: str) -> int:
    """Verifies the chain of events of a tenant; returns its events. Raises Damaged."""
    with Memory(address, user=settings.user) as memory:
        return memory.audit.verify()
