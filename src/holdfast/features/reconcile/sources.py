"""Sources whose content is described: found or made, listed, renamed, opened to readers, and removed."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from holdfast.core.arguments import checked_names, safe_repr
from holdfast.core.errors import InvalidInput, NotFound, Refusal
from holdfast.core.places import NAME_MAX, Place, Principal, Role, Scope, Visibility, visibility_of
from holdfast.core.reconciled import DescribedSource, Fingerprint
from holdfast.core.sources import Source
from holdfast.core.views import GONE, View, personal_view
from holdfast.features.access.permission import check_shares
from holdfast.features.access.places import PlaceResolver
from holdfast.features.admission.digests import keyed_digest
from holdfast.features.admission.names import checked_name
from holdfast.features.service import Service
from holdfast.features.transfer.sources import delete_source
from holdfast.stores.base.ports import Reader, Writer

FILE_MAX = 1_000
"""Most characters of what a source is called by its client, such as a path."""
SCOPE = "file"
"""The scope type of descriptions that belong to one source; its id is the name of the source."""


def described_view(source: Source) -> View:
    """Returns the view of everything that the owner of a source may read, forgotten memories included: with
    it descriptions are compared and written, whoever of its members reconciles."""
    return personal_view(Principal(source.owner), GONE)


def described_place(source: Source, scope: str) -> Place:
    """Returns the place of a description in the scope of the file or of the team."""
    own = Scope(SCOPE, source.metadata["scope"]) if scope == SCOPE else Scope()
    return replace(source.place, scope=own)


def scope_id(name: str) -> str:
    """Returns the id of the scope of a source with a name. Raises InvalidInput."""
    return checked_name(name[-NAME_MAX:], "name")


def find_described(reader: Reader, service: Service, file: str, project: str | None) -> Source | None:
    """Returns the source that a client calls `file` in a project: one's own, else one that is shared."""
    view = personal_view(service.principal)
    home = None if project is None else reader.project(view, project)
    if project is not None and home is None:
        return None
    digest = digest_of(service, file, None if home is None else home.number)
    matches = [source for source in reader.described(view) if source.digest == digest]
    own = [source for source in matches if source.owner == service.principal.user]
    live = [source for source in (*own, *matches) if source.deleted_at is None]
    return next(iter([*live, *own]), None)


def existing_described(reader: Reader, service: Service, id: str) -> Source:
    """Returns a source by its id, or by the name that a client calls it by, in any project. Raises NotFound
    `source_not_found`."""
    seen = [
        source for source in reader.described(personal_view(service.principal)) if source.deleted_at is None
    ]
    named = [source for source in seen if id == source.id]
    if not named:
        named = [source for source in seen if source.digest == digest_of(service, id, source.project)]
        named = named or [source for source in seen if source.filename == id]
    if len(named) > 1:
        raise InvalidInput(
            f"{len(named)} sources are called {safe_repr(id, 60)}", code="argument_invalid",
            hint="use the id of one: " + ", ".join(source.id for source in named[:5]),
        )  # fmt: skip
    if not named:
        raise NotFound(
            f"there is no source {safe_repr(id, 60)}", code="source_not_found",
            hint="list what is described: holdfast described list",
        )  # fmt: skip
    return named[0]


def digest_of(service: Service, file: str, project: int | None) -> str:
    """Returns what a source is found by: the digest of what its client calls it, in its project."""
    return keyed_digest(service.store.digest_key, json.dumps(["described", file, project]))


def checked_file(file: object) -> str:
    """Returns what a client calls a source. Raises InvalidInput `argument_invalid`."""
    if not isinstance(file, str) or not file.strip() or len(file) > FILE_MAX or not file.isprintable():
        raise InvalidInput(
            f"file must be a name of 1 to {FILE_MAX:,} visible characters", code="argument_invalid",
            hint="such as the path of a file, or the address of a database without a password",
        )  # fmt: skip
    return file


def new_source(
    service: Service, file: str, name: str, platform: str, *, project: str | None, visibility: str | None,
    members: Collection[str] | None,
) -> Source:  # fmt: skip
    """Builds a source that is not stored yet. Its project is resolved when it is (`settled`)."""
    now = service.clock()
    in_project = project is not None
    chosen = None if visibility is None else visibility_of(visibility)
    if chosen is Visibility.PROJECT and not in_project:
        raise InvalidInput("visibility project needs a project", code="place_invalid")
    check_shares(service, chosen or Visibility.PRIVATE)
    is_shared = in_project and service.principal.is_machine and service.shares
    default = Visibility.PROJECT if is_shared else Visibility.PRIVATE
    return Source(
        id=service.new_id(now),
        owner=service.principal.user,
        platform=checked_name(platform, "platform"),
        digest=digest_of(service, file, None),
        ingested_at=now,
        filename=service.admission.clean_text(name)[:FILE_MAX],
        metadata={
            "scope": scope_id(name),
            "file": service.admission.clean_text(file),
        },
        visibility=chosen or default,
        members=_checked_members(members),
    )


def with_project_number(
    service: Service, tx: Writer, source: Source, file: str, project: str | None, now: int
) -> Source:
    """Returns a new source with the number of its project, in the transaction that stores it."""
    if project is None:
        return _with_readers(source)
    home = PlaceResolver(service, tx, now).project(project)
    visibility = source.visibility
    if visibility is Visibility.PRIVATE and home.visibility is not None and service.shares:
        visibility = home.visibility
    digest = digest_of(service, file, home.number)
    return _with_readers(replace(source, project=home.number, visibility=visibility, digest=digest))


def _with_readers(source: Source) -> Source:
    """Returns a source whose members can read it. Raises InvalidInput for members of a private one."""
    if source.members and source.visibility in (None, Visibility.PRIVATE):
        raise InvalidInput(
            "a private source is seen by its owner alone, members or not", code="argument_invalid",
            hint="with visibility team or project, members are those of them who may read it",
        )  # fmt: skip
    return source


def _checked_members(members: object) -> tuple[str, ...] | None:
    if members is None:
        return None
    return tuple(sorted({checked_name(name, "member") for name in checked_names(members, "members")}))


def why_not_reconcile(principal: Principal, source: Source) -> Refusal | None:
    """Returns the refusal to reconcile a source: its owner, its members and admins may."""
    if principal.user in (source.owner, *(source.members or ())) or principal.role is Role.ADMIN:
        return None
    return Refusal(
        f"source {source.filename} belongs to another user", code="not_yours",
        hint="its owner adds you as a member of it; describe a file of your own under another name",
    )  # fmt: skip


def list_described(service: Service, file: str | None = None) -> list[DescribedSource]:
    """Returns the sources whose content is described, as far as they are visible, oldest first; with `file`
    those that a client calls so."""
    with service.store.read() as snap:
        rows = [
            source for source in snap.described(personal_view(service.principal)) if source.deleted_at is None
        ]
        if file is not None:
            rows = [source for source in rows if source.digest == digest_of(service, file, source.project)]
        return [_described(snap, service, source) for source in rows]


def get_described(service: Service, id: str) -> DescribedSource:
    """Returns one source. Raises NotFound `source_not_found`."""
    with service.store.read() as snap:
        return _described(snap, service, existing_described(snap, service, id))


def update_described(
    service: Service, id: str, *, name: str | None = None, members: Collection[str] | None = None,
    open_to_all: bool = False,
) -> DescribedSource:  # fmt: skip
    """Renames a source, or sets who may read it: `members` besides its owner, or all whom its visibility
    includes. The owner and admins only. Raises NotFound, Refusal `not_yours`."""
    now = service.clock()
    with service.store.write() as tx:
        source = existing_described(tx, service, id)
        if source.owner != service.principal.user and service.principal.role is not Role.ADMIN:
            raise Refusal(f"source {source.filename} belongs to another user", code="not_yours")
        changes: dict[str, Any] = {}
        if name is not None:
            changes["filename"] = checked_name(name, "name")
        if members is not None or open_to_all:
            changes["members"] = None if open_to_all else _checked_members(members)
        if not changes:
            raise InvalidInput("name a new name, or members", code="argument_invalid")
        source = tx.put_source(_with_readers(replace(source, **changes)))
        readers = None if source.members is None else len(source.members)
        detail: Mapping[str, Any] = {"members": readers} if "members" in changes else {"renamed": True}
        tx.add_event(
            at=now, actor=service.principal.label, action="update_source", subject=source.id,
            detail=dict(detail),
        )  # fmt: skip
    with service.store.read() as snap:
        return _described(snap, service, source)


def _described(reader: Reader, service: Service, source: Source) -> DescribedSource:
    """Returns a source with the number of its descriptions."""
    view = personal_view(service.principal)
    names = {project.number: project.name for project in reader.projects(view)}
    rows: Sequence[Fingerprint] = reader.fingerprints(view, source.id)
    return DescribedSource(
        id=source.id,
        name=source.filename or "",
        file=str(source.metadata.get("file")),
        platform=source.platform,
        owner=source.owner,
        project=names.get(source.project or 0),
        visibility=(source.visibility or Visibility.PRIVATE).value,
        members=source.members,
        sequence=source.sequence,
        complete=source.applied == source.sequence,
        reconciled_at=source.ingested_at,
        stamp=source.metadata.get("stamp"),
        memories=sum(row.deleted_at is None and not row.is_proposal for row in rows),
    )


def delete_described(service: Service, id: str, *, hard: bool = False) -> int:
    """Removes a source of one's own with its descriptions; with `hard` erases them. Returns their number.
    Raises NotFound, Refusal `not_yours`."""
    with service.store.read() as snap:
        source = existing_described(snap, service, id)
    if source.owner != service.principal.user:
        raise Refusal(f"source {source.filename} belongs to another user", code="not_yours")
    return delete_source(service, source.id, hard=hard)
