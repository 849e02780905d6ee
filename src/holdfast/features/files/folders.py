"""Adds folders as sources, connects them to projects, lists and removes them (S1.3, S1.50, S1.63–S1.65)."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from holdfast.core.arguments import checked_flag, checked_limit, checked_names, safe_repr
from holdfast.core.errors import AccessDenied, InvalidInput, NotFound
from holdfast.core.folders import (
    FOLDER,
    STALE_AFTER,
    File,
    FileState,
    Folder,
    FolderState,
    FolderStatus,
    chunk_stats,
    slug_of,
)
from holdfast.core.jobs import INDEX, REINDEX, Job, cancelled
from holdfast.core.places import Role, Visibility, visibility_of
from holdfast.core.sources import Source
from holdfast.core.views import ANY_STATE, personal_view
from holdfast.features.access.permission import check_may_take_away_all, check_shares
from holdfast.features.access.places import PlaceResolver
from holdfast.features.admission.names import checked_name
from holdfast.features.jobs import jobs
from holdfast.features.review.sharing import check_is_person
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader, Writer

GENERAL = "general"
"""The project of a folder without a named project (S1.63)."""
PATTERNS_MAX = 200
PATTERN_MAX = 500
NAME_MAX = 200


def add_folder(
    service: Service,
    root: str,
    *,
    name: str | None = None,
    projects: object = None,
    include: object = (),
    exclude: object = (),
    visibility: str = Visibility.PRIVATE,
    watched: bool = True,
) -> Folder:
    """Makes a folder a source of some projects, of `GENERAL` if none is named.

    The same root again is connected to further projects and takes these settings. `root` is the real path of
    a folder. Nothing is read yet. Raises InvalidInput, and Refusal `person_needed` for a machine that would
    let others see files.
    """
    title = root.rstrip("/").rpartition("/")[2] or "root" if name is None else name
    title = _clean(service, title, "name", NAME_MAX)
    if not service.admission.storable([root]):
        raise InvalidInput(
            "the path of the folder contains something that looks like a secret", code="secret_in_name"
        )
    homes = None if projects is None else checked_names(projects, "project")
    if homes is not None and not homes:
        raise InvalidInput("a folder belongs to at least one project", code="argument_invalid")
    shared_with, is_watched = visibility_of(visibility), checked_flag(watched, "watch")
    if shared_with is not Visibility.PRIVATE:
        check_shares(service, shared_with)
        check_is_person(service.principal)
    included, excluded = _patterns(service, include, "include"), _patterns(service, exclude, "exclude")
    now, view = service.clock(), personal_view(service.principal)
    with service.store.write() as tx:
        own_folders = [existing for existing in tx.folders(view) if existing.owner == service.principal.user]
        previous = next((existing for existing in own_folders if existing.root == root), None)
        if previous is None:
            slugs = {existing.slug for existing in own_folders}
            folder = Folder(
                service.new_id(now), service.principal.user, slug_of(title, slugs),
                title, root, now, shared_with, included, excluded, is_watched,
            )  # fmt: skip
            tx.put_source(_source(folder))
        elif previous.visibility is not shared_with:
            raise InvalidInput(
                f"{previous.slug} is {previous.visibility.value}", code="argument_invalid",
                hint="remove it and add it again to change its visibility",
            )  # fmt: skip
        else:
            state = FolderState.IDLE if previous.state is FolderState.DISABLED else previous.state
            folder = replace(
                previous, name=title, include=included, exclude=excluded, watched=is_watched, state=state
            )
        tx.put_folder(folder)
        if homes is None:
            homes = [GENERAL] if previous is None else []
        for home in homes:
            tx.connect(view, folder.id, PlaceResolver(service, tx, now).project(home).number, True)
        _event(service, tx, now, "add_folder", folder.id, {"projects": len(homes)})
        return find_folder(tx, service, folder.id)


def _source(folder: Folder) -> Source:
    digest = hashlib.sha256(f"{FOLDER}\0{folder.root}".encode()).hexdigest()
    return Source(folder.id, folder.owner, FOLDER, digest, folder.created_at)


def _clean(service: Service, value: object, argument: str, maximum: int) -> str:
    clean = service.admission.clean_text(value) if isinstance(value, str) and len(value) <= maximum else ""
    if not clean:
        raise InvalidInput(f"{argument} is a text of at most {maximum} characters", code="argument_invalid")
    return clean


def _patterns(service: Service, values: object, argument: str) -> tuple[str, ...]:
    """Returns checked patterns of paths. Raises InvalidInput."""
    patterns = [values] if isinstance(values, str) else values
    if not isinstance(patterns, Sequence) or len(patterns) > PATTERNS_MAX:
        raise InvalidInput(
            f"{argument} is a list of at most {PATTERNS_MAX} patterns", code="argument_invalid"
        )
    return tuple(_clean(service, pattern, f"a pattern of {argument}", PATTERN_MAX) for pattern in patterns)


def find_folder(reader: Reader, service: Service, name: object) -> Folder:
    """Returns the visible folder with this id or slug, one's own first. Raises NotFound
    `source_not_found`."""
    known = reader.folders(personal_view(service.principal))
    known.sort(key=lambda candidate: candidate.owner != service.principal.user)
    folder = next((candidate for candidate in known if name in (candidate.id, candidate.slug)), None)
    if folder is None:
        raise NotFound(
            f"there is no folder {safe_repr(name)}", code="source_not_found", hint=_suggestion(name, known)
        )
    return folder


def _suggestion(name: object, folders: Sequence[Folder]) -> str | None:
    """Returns a suggestion such as `did you mean flask-dir?`, also for a folder's name or path."""
    from difflib import get_close_matches

    slugs_by_text = {
        text.casefold(): candidate.slug
        for candidate in folders
        for text in (candidate.slug, candidate.name, candidate.root)
    }
    matches = get_close_matches(str(name)[:200].casefold(), slugs_by_text, 2, 0.6)
    slugs = dict.fromkeys(slugs_by_text[text] for text in matches)
    return f"did you mean {' or '.join(slugs)}?" if slugs else None


def find_own_folder(reader: Reader, service: Service, name: object) -> Folder:
    """Returns one's own folder; only its owner changes a folder. Raises NotFound `source_not_found`."""
    folder = find_folder(reader, service, name)
    if folder.owner != service.principal.user:
        raise NotFound(f"you own no folder {safe_repr(name)}", code="source_not_found")
    return folder


def connect(service: Service, name: str, project: str, *, connected: bool = True) -> Folder:
    """Shows a folder in another project, or removes it from one, at once (S1.50).

    Raises NotFound, and Refusal `person_needed` for a machine that would let others see files.
    """
    now, view = service.clock(), personal_view(service.principal)
    with service.store.write() as tx:
        folder = find_own_folder(tx, service, name)
        if connected:
            if folder.visibility is not Visibility.PRIVATE:
                check_is_person(service.principal)
            home = PlaceResolver(service, tx, now).project(checked_name(project, "project"))
        else:
            existing = tx.project(view, checked_name(project, "project"))
            if existing is None or existing.number not in folder.numbers:
                raise NotFound(
                    f"{folder.slug} is not connected to project {safe_repr(project)}",
                    code="project_not_found",
                )
            home = existing
        if tx.connect(view, folder.id, home.number, connected):
            action = "connect_folder" if connected else "disconnect_folder"
            _event(service, tx, now, action, folder.id, {"project": home.id})
        return find_folder(tx, service, folder.id)


def remove(service: Service, name: str) -> int:
    """Erases a folder with everything that was indexed from it; the files on disk stay (S1.64, S1.68).

    Returns the number of erased memories. Raises NotFound, and Refusal `edited_by_person` for an agent if a
    person pinned or edited a passage.
    """
    now, view = service.clock(), personal_view(service.principal)
    with service.store.write() as tx:
        folder = find_own_folder(tx, service, name)
        passages = personal_view(service.principal, replace(ANY_STATE, kinds=frozenset({"passage"})))
        check_may_take_away_all(service.principal, tx, passages, lambda memory: memory.source == folder.id)
        for job in tx.jobs(view, subject=folder.id):
            if job.is_open or job.is_dead:
                tx.put_job(view, cancelled(job, now))
        erased = tx.drop_folder(view, folder.id)
        _event(service, tx, now, "remove_folder", folder.id, {"count": erased})
    service.store.scrub()
    return erased


def queue(service: Service, name: str, *, anew: bool = False) -> Job:
    """Queues the indexing of a folder, with `anew` of all its files; a waiting job is not queued twice.
    Raises NotFound."""
    kind = REINDEX if checked_flag(anew, "anew") else INDEX
    with service.store.write() as tx:
        folder = find_own_folder(tx, service, name)
        job = jobs.enqueue(service, tx, kind, now=service.clock(), subject=folder.id)
    service.changes.spoil(folder.id)  # a waiting job may be a watcher's, which scans only some paths
    service.bell.ring()
    return job


def to_watch(service: Service) -> list[Folder]:
    """Returns the folders of the whole tenant that are to be watched."""
    with service.store.read() as snap:
        return snap.watched_folders(personal_view(service.principal))


def queue_for_owner(service: Service, folder: Folder, paths: Iterable[str]) -> Job:
    """Queues the indexing of some paths of a folder, "" for all, on behalf of its owner.

    The owner may be another user than the one who watches it.
    """
    now = service.clock()
    role = service.principal.role if folder.owner == service.principal.user else Role.MEMBER
    job = Job(service.new_id(now), folder.owner, INDEX, now, now, role=role, subject=folder.id)
    service.changes.hear(folder.id, paths, job.id)  # before a worker can see the job
    with service.store.write() as tx:
        queued = tx.add_job(job)
    service.changes.queued(folder.id, job.id, queued.id)
    service.bell.ring()
    return queued


def list_folders(service: Service) -> list[FolderStatus]:
    """Returns all visible folders, oldest first, each with its last job (S1.64)."""
    with service.store.read() as snap:
        return [_status(snap, service, folder) for folder in snap.folders(personal_view(service.principal))]


def status(service: Service, name: str) -> FolderStatus:
    """Returns a folder's indexing status. Raises NotFound."""
    with service.store.read() as snap:
        return _status(snap, service, find_folder(snap, service, name))


def _status(snap: Reader, service: Service, folder: Folder) -> FolderStatus:
    """Returns a folder with its counts and its last job."""
    view = personal_view(service.principal)
    job: Job | None = None
    with suppress(AccessDenied):  # a credential limited to projects sees no jobs
        job = next(iter(_jobs(snap, service, folder, 1)), None)
    began = folder.started_at or 0
    if folder.state is FolderState.INDEXING:
        if job is not None and (job.finished_at or 0) >= began:
            folder = replace(folder, state=FolderState.ERROR, error=job.error or job.state.value)
        elif service.clock() - began > STALE_AFTER:
            folder = replace(folder, state=FolderState.ERROR, error="interrupted")
    return FolderStatus(folder, snap.file_counts(view, folder.id), job)


def jobs_of(service: Service, name: str, *, limit: int = 10) -> list[Job]:
    """Returns the jobs that indexed a folder of one's own, newest first (S1.9, S1.64). Raises NotFound."""
    checked_limit(limit)
    with service.store.read() as snap:
        return _jobs(snap, service, find_own_folder(snap, service, name), limit)


def _jobs(snap: Reader, service: Service, folder: Folder, limit: int) -> list[Job]:
    return snap.jobs(personal_view(service.principal), subject=folder.id, limit=limit)


def files(
    service: Service, name: str, *, state: str | None = None, after: str = "", limit: int = 100
) -> list[File]:
    """Returns files of a folder by path, after a path: indexed, skipped and failed, with the reason (S1.4).

    Raises NotFound, InvalidInput.
    """
    checked_limit(limit)
    if not isinstance(after, str):
        raise InvalidInput("after must be a path", code="argument_invalid")
    states: Collection[FileState] | None = None if state is None else {_file_state(state)}
    with service.store.read() as snap:
        folder = find_folder(snap, service, name)
        view = personal_view(service.principal)
        return snap.files(view, folder.id, states=states, after=after, limit=limit)


def stats(service: Service, name: str) -> dict[str, Any]:
    """Returns figures about the passages of a folder (S1.65). Raises NotFound."""
    with service.store.read() as snap:
        folder = find_folder(snap, service, name)
        return chunk_stats(snap.chunk_sizes(personal_view(service.principal), folder.id))


def _file_state(value: object) -> FileState:
    """Returns the state of files with a name. Raises InvalidInput, which lists the states."""
    try:
        return FileState(value)  # type: ignore[arg-type]
    except ValueError:
        hint = ", ".join(FileState)
        raise InvalidInput(
            f"there is no state {safe_repr(value)}", code="argument_invalid", hint=hint
        ) from None


def _event(service: Service, tx: Writer, now: int, action: str, subject: str, detail: dict[str, Any]) -> None:
    tx.add_event(at=now, actor=service.principal.label, action=action, subject=subject, detail=detail)
