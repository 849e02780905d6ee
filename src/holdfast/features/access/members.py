"""Members of a tenant: adding, changing roles, removing; and their effect on credentials (S4.53)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import AccessDenied, Conflict, NotFound, Refusal
from holdfast.core.members import Member, lesser, role_of
from holdfast.core.places import Role
from holdfast.core.views import personal_view
from holdfast.features.access.access import TOKEN, Grant
from holdfast.features.access.reach import check_administers
from holdfast.features.admission.names import checked_name
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader, Writer

_MANY = (Role.MEMBER, Role.SERVICE)
"""Roles of many users who are no team, where there are no members."""


def bound_grant(service: Service, grant: Grant, *, only_members: bool = False) -> Grant:
    """Returns a grant with the role of its user's membership, looked up for each request; unchanged if the
    tenant has no members, unless `only_members` come in. Raises AccessDenied `not_a_member`."""
    principal = grant.principal
    view = personal_view(principal)
    with service.store.read() as snap:
        member = snap.member(view, principal.user)
        if member is None and not only_members and not snap.has_members(view):
            return replace(grant, is_apart=grant.credential == TOKEN and principal.role in _MANY)
    if member is None or member.removed_at is not None:
        raise AccessDenied(
            "the credential is valid, but its user is not a member of this team",
            code="not_a_member",
            hint="an owner or admin of the team adds members",
        )
    role = lesser(principal.role, member.role) if grant.names_role else member.role
    return replace(grant, principal=replace(principal, role=role))


def add_member(service: Service, user: str, role: str = Role.MEMBER) -> Member:
    """Adds a user, for the first time or again; the first one of a tenant must be an owner. From then on only
    members have access. Raises InvalidInput, Conflict `already_member` or `owner_needed`, AccessDenied,
    Refusal `person_needed`."""
    (member,) = add_members(service, [(user, role)])
    return member


def add_members(
    service: Service, members: Iterable[tuple[str, str]], *, only_new: bool = False
) -> list[Member]:
    """Adds users with their roles: all of them, or none if one is refused.

    With `only_new`, users who are or were members are left unchanged and not returned: that is checked in the
    same transaction. Raises the errors of `add_member`.
    """
    named = [(checked_name(user, "user"), role_of(role)) for user, role in members]
    now = service.clock()
    with service.store.write() as tx:
        view = personal_view(service.principal)
        return [
            _add_member(tx, service, name, role, now)
            for name, role in named
            if not only_new or tx.member(view, name) is None
        ]


def _add_member(tx: Writer, service: Service, name: str, role: Role, now: int) -> Member:
    """Adds a member, in the transaction. Raises Conflict `already_member` or `owner_needed`."""
    principal = service.principal
    _check_may_change(tx, service, "members.add", None, role)
    existing = tx.member(personal_view(principal), name)
    if existing is not None and existing.removed_at is None:
        if existing.role is role:
            return existing
        raise Conflict(
            f"{safe_repr(name)} is already a member, as {existing.role.value}",
            code="already_member",
            hint=f"holdfast members role {name} {role.value}",
        )
    if role is not Role.OWNER and not tx.has_members(personal_view(principal)):
        raise Conflict(
            "the first member of a team must be an owner",
            code="owner_needed",
            hint="holdfast members add NAME --role owner",
        )
    member = Member(name, role, principal.label, now)
    tx.put_member(member)
    _add_event(service, tx, now, "add_member", member)
    return member


def list_members(service: Service) -> list[Member]:
    """Returns the members of the tenant by name, without those who were removed."""
    with service.store.read() as snap:
        return [
            member for member in snap.members(personal_view(service.principal)) if member.removed_at is None
        ]


def set_role(service: Service, user: str, role: str) -> Member:
    """Changes the role of a member from the next request on. Raises NotFound, InvalidInput, Conflict
    `owner_needed`, Refusal, AccessDenied."""
    new_role = role_of(role)
    now = service.clock()
    with service.store.write() as tx:
        _check_may_manage(service, "members.set_role")
        member = _current_member(service, tx, user)
        _check_may_change(tx, service, "members.set_role", member, new_role)
        if member.role is new_role:
            return member
        changed = replace(member, role=new_role)
        tx.put_member(changed)
        _add_event(service, tx, now, "set_role", changed)
    return changed


def remove_member(service: Service, user: str) -> Member:
    """Removes a user from the next request on, whatever credentials they hold; their memories stay. Raises
    NotFound, Conflict `owner_needed`, Refusal, AccessDenied."""
    now = service.clock()
    with service.store.write() as tx:
        _check_may_manage(service, "members.remove")
        member = _current_member(service, tx, user)
        _check_may_change(tx, service, "members.remove", member, None)
        removed = replace(member, removed_at=now)
        tx.put_member(removed)
        _add_event(service, tx, now, "remove_member", removed)
    return removed


def carry_members(service: Service, tx: Writer, members: Iterable[Member]) -> int:
    """Sets members to those of a store that a backup replaces, so that nobody who was removed since comes
    back. Returns how many changed."""
    existing = {member.user: member for member in tx.members(personal_view(service.principal))}
    changed = [member for member in members if existing.get(member.user) != member]
    for member in changed:
        before = existing.get(member.user)
        is_new = before is None or before.removed_at is not None
        tx.put_member(member)
        action = "remove_member" if member.removed_at is not None else "add_member" if is_new else "set_role"
        _add_event(service, tx, service.clock(), action, member)
    return len(changed)


def _current_member(service: Service, reader: Reader, user: str) -> Member:
    """Returns the member with a name. Raises NotFound also for one who was removed, InvalidInput."""
    name = checked_name(user, "user")
    member = reader.member(personal_view(service.principal), name)
    if member is None or member.removed_at is not None:
        raise NotFound(f"{safe_repr(name)} is not a member", code="member_not_found")
    return member


def _check_may_manage(service: Service, operation: str) -> None:
    """Raises Refusal `person_needed` or AccessDenied `not_permitted`, before anybody is looked up, so that an
    unauthorised caller does not learn who is a member."""
    if service.principal.is_machine:
        raise Refusal("only a person may manage members", code="person_needed")
    check_administers(service, operation)


def _check_may_change(
    reader: Reader, service: Service, operation: str, member: Member | None, role: Role | None
) -> None:
    """Raises Refusal `person_needed`; AccessDenied `not_permitted` if the role does not allow the operation,
    or if anybody but an owner, by credential and membership, would appoint or remove an owner; Conflict
    `owner_needed` if no owner would be left."""
    principal = service.principal
    _check_may_manage(service, operation)
    was = None if member is None else member.role
    if Role.OWNER not in (was, role) or was is role:
        return
    members = {
        member.user: member.role
        for member in reader.members(personal_view(principal))
        if member.removed_at is None
    }
    # who opened the store need not be a member; who used a credential must be
    unknown = None if members and service.by_credential else Role.OWNER
    if not principal.role is members.get(principal.user, unknown) is Role.OWNER:
        raise AccessDenied("only an owner may appoint or remove an owner", code="not_permitted")
    if was is Role.OWNER and list(members.values()).count(Role.OWNER) == 1:
        raise Conflict(
            f"{safe_repr(member.user if member else '')} is the last owner of the team",
            code="owner_needed",
            hint="appoint another owner first",
        )


def _add_event(service: Service, tx: Writer, now: int, action: str, member: Member) -> None:
    detail = {"user": member.user, "role": member.role.value}
    tx.add_event(at=now, actor=service.principal.label, action=action, subject=None, detail=detail)
