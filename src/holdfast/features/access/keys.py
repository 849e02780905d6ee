"""API keys: created, shown once, stored as a digest, and revoked; each change is an event."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any

from holdfast.core.arguments import checked_flag, checked_names, safe_repr
from holdfast.core.errors import AccessDenied, InvalidInput, NotFound
from holdfast.core.members import lesser, role_of
from holdfast.core.places import Principal, Role
from holdfast.core.projects import Project
from holdfast.core.times import When, to_millis
from holdfast.core.views import personal_view
from holdfast.core.wire import Plain, wire
from holdfast.features.access.access import LOCAL, Grant
from holdfast.features.access.permission import check_in_person
from holdfast.features.access.scoped_store import ScopedStore
from holdfast.features.admission.names import checked_name
from holdfast.features.service import Service
from holdfast.stores.base.keys import API, Key, KeyRing
from holdfast.stores.base.ports import Reader

PREFIX = "holdfast"
SECRET_BYTES = 32
"""Random bytes of a key: too many to guess, so that a plain digest protects it."""


@dataclass(frozen=True, slots=True)
class NewKey(Plain):
    """A key that was created, with its text, which is never shown again."""

    created: Key = field(metadata=wire(flat=True))
    text: str = field(metadata=wire(name="key", about="The text of the key; it is shown this once."))


def create(service: Service, user: str | None, *, role: str | None, **options: Any) -> NewKey:
    """Creates a key on behalf of the principal. Raises InvalidInput, AccessDenied `not_permitted`, Refusal
    `person_needed`."""
    principal = service.principal
    check_in_person(principal, "creates keys")
    owner = principal.user if user is None else checked_name(user, "user")
    with service.store.read() as snap:
        member = snap.member(personal_view(principal), owner)
    if service.by_credential:
        own = principal.role
        requested = role_of(role) if role is not None else own
        if owner != principal.user or lesser(requested, own) is not requested:
            raise AccessDenied(
                "a credential creates keys for its own user only, with no more than its role",
                code="not_permitted",
                hint="`holdfast keys create` beside the store creates others",
            )
    else:
        requested = role_of(role) if role is not None else member.role if member is not None else Role.MEMBER
    checked_flag(options.get("write", True), "write")
    return NewKey(*create_key(service, user=owner, role=requested, **options))


def list_keys(service: Service) -> list[Key]:
    """Returns all keys of programs, oldest first."""
    return [key for key in service.keys.all() if key.purpose == API]


def revoke(service: Service, id: str) -> Key:
    """Revokes a key of a program on behalf of the principal. Raises NotFound, Refusal `person_needed`."""
    check_in_person(service.principal, "ends keys")
    if all(key.id != id for key in list_keys(service)):
        raise NotFound(f"there is no key {safe_repr(id)}", code="key_not_found")
    return revoke_key(service, id)


def create_key(
    service: Service,
    *,
    user: str,
    role: str = Role.MEMBER,
    name: str | None = None,
    agent: str | None = None,
    projects: Collection[str] | None = None,
    write: bool = True,
    expires_at: When | None = None,
) -> tuple[Key, str]:
    """Creates a key and returns it with its secret text, which is returned only here and never stored.

    Raises InvalidInput.
    """
    now = service.clock()
    expiry = None if expires_at is None else to_millis(expires_at, name="expires_at")
    if expiry is not None and expiry <= now:
        raise InvalidInput("expires_at is in the past", code="time_invalid")
    id = service.randomness(6).hex()
    text = new_secret(service, id)
    key = Key(
        id=id,
        digest=digest_of(text),
        user=checked_name(user, "user"),
        role=role_of(role),
        created_at=now,
        name=None if name is None else checked_name(name, "name"),
        agent=None if agent is None else checked_name(agent, "agent"),
        projects=None if projects is None else _checked_projects(projects),
        write=write,
        expires_at=expiry,
    )
    with service.store.write() as tx:
        tx.add_event(
            at=now,
            actor=service.principal.label,
            action="create_key",
            subject=id,
            detail={"user": key.user, "role": key.role.value, "write": write, "expires_at": expiry},
        )
        service.keys.put(key)
    return key, text


def revoke_key(service: Service, id: str) -> Key:
    """Revokes a key at once, in every process. Revoking twice does no harm. Raises NotFound."""
    now = service.clock()
    with service.store.write() as tx:
        key = next((key for key in service.keys.all() if key.id == id), None)
        if key is None:
            raise NotFound(f"there is no key {safe_repr(id)}", code="key_not_found")
        if key.revoked_at is not None:
            return key
        revoked = replace(key, revoked_at=now)
        tx.add_event(at=now, actor=service.principal.label, action="revoke_key", subject=key.id, detail={})
        service.keys.put(revoked)
        return revoked


def is_key(text: str) -> bool:
    """Returns whether a credential looks like one of our keys."""
    return text.startswith(f"{PREFIX}_")


def new_secret(service: Service, id: str) -> str:
    """Returns the text of a new key with an id."""
    secret = base64.urlsafe_b64encode(service.randomness(SECRET_BYTES)).rstrip(b"=").decode()
    return f"{PREFIX}_{id}_{secret}"


def grant_of(ring: KeyRing, text: str, now: int) -> Grant:
    """Returns the grant of a key. Raises AccessDenied `credential_invalid` for unknown and revoked keys
    alike, or `credential_expired`."""
    return grant_of_key(matching(ring.all(), text, now, purpose=API), now)


def matching(keys: Collection[Key], text: str, now: int, *, purpose: str) -> Key:
    """Returns the key with a secret text, if it is valid for a purpose. Raises AccessDenied."""
    digest = digest_of(text)
    match: Key | None = None
    for key in keys:
        if hmac.compare_digest(key.digest, digest) and key.purpose == purpose:
            match = key
    if match is None:
        raise invalid_credential()
    _check_valid(match, now)
    return match


def grant_of_key(key: Key, now: int) -> Grant:
    """Returns the grant of a key that was found. Raises AccessDenied if it was revoked or has expired."""
    _check_valid(key, now)
    return Grant(
        Principal(key.user, key.role, key.agent),
        key.write,
        None if key.projects is None else frozenset(key.projects),
        key.expires_at,
        f"key:{key.id}",
    )


def _check_valid(key: Key, now: int) -> None:
    if key.revoked_at is not None:
        raise invalid_credential()
    if key.expires_at is not None and now >= key.expires_at:
        raise AccessDenied("the key has expired", code="credential_expired", hint="request a new one")


def invalid_credential() -> AccessDenied:
    """Builds the error for an unknown credential; it never says why."""
    return AccessDenied("the credential is not valid", code="credential_invalid")


def service_for(service: Service, grant: Grant) -> Service:
    """Returns a service with the permissions of a credential, over the store, embedder and clock of
    another."""
    by_credential = grant.credential != LOCAL
    acting = replace(
        service.acting_as(grant.principal), by_credential=by_credential, may_write=grant.write,
        is_apart=grant.is_apart,
    )  # fmt: skip
    if grant.projects is not None:
        acting.store = ScopedStore(service.store, acting.principal, grant.projects)
    return acting


def _checked_projects(values: Collection[str]) -> tuple[str, ...]:
    names = tuple(sorted({checked_name(name, "project") for name in checked_names(values, "projects")}))
    if not names:
        raise InvalidInput("the list of projects of a key may not be empty", code="argument_invalid")
    return names


def digest_of(text: str) -> str:
    """Returns what is stored of a secret text."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def limit_keys(service: Service, reader: Reader, project: Project, to: str | None, now: int) -> None:
    """Replaces the former name of a project in the keys that are limited to it, or removes it. For a user who
    has a project of their own with this name, that is the one that keys mean."""
    name = project.name
    for key in service.keys.all():
        if key.projects is not None and name in key.projects:
            if project.space:
                is_meant = key.user == project.space
            else:
                is_meant = reader.project(personal_view(Principal(key.user)), name) is None
            if not is_meant:
                continue
            projects = {project for project in key.projects if project != name} | ({to} if to else set())
            ended = None if projects else key.revoked_at or now
            service.keys.put(
                replace(key, projects=tuple(sorted(projects)), revoked_at=ended or key.revoked_at)
            )
