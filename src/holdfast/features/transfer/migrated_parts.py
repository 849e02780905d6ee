"""Parts of a store besides memories that a migration carries, and what it leaves behind (S4.51)."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.errors import HoldfastError
from holdfast.core.jobs import OPEN
from holdfast.core.views import personal_view
from holdfast.features.files import folders
from holdfast.features.modulemap.module_maps import restore_map
from holdfast.features.service import Service

if TYPE_CHECKING:
    from holdfast.core.folders import Folder

Entry = tuple[str | None, int | None, Hashable]
"""An entry of a part: its owner and number, if it is one user's own, and what identifies it."""

CARRIED: Mapping[str, str] = {
    "projects": "projects",
    "sessions": "sessions",
    "sources": "sources",
    "memories": "memories",
    "module_maps": "module maps",
    "folders": "folders",
    "folder_projects": "folders",
    "metrics": "metrics",
}
"""Tables whose rows are carried, and the part of the report that counts them."""
DERIVED: Mapping[str, str] = {
    "pools": "the places of memories",
    "passages": "computed from memories",
    "blocks": "computed from memories",
    "facts": "computed from memories",
    "summaries": "computed from memories",
    "models": "vectors are made by the model of the other store",
    "vectors": "vectors are made by the model of the other store",
    "files": "read again from the folders",
    "renames": "read again from the folders",
    "seals": "computed from memories",
    "counters": "of one store",
    "erased": "of one store",
    "untidied": "of one store",
    "storage": "counted where memories are stored",
    "secrets": "of one store",
    "tenants": "of one store",
    "spool": "the input of jobs",
}
"""Tables whose rows the other store makes by itself, and from what."""
LEFT: Mapping[str, str] = {
    "members": "members: --members lets them in",
    "keys": "API keys: they open this store only; make new ones with `holdfast keys create`",
    "replays": "responses that are repeated to clients of this service that send a request again",
    "requests": "requests to share, which wait for a decision here",
    "findings": "what a scan found here: a scan there finds it again",
    "jobs": "jobs that are not finished",
    "language_models": "language models: add them there, where what they are sent has to be accepted anew",
    "model_calls": "the ledger of calls of language models",
    "given": "what working sessions were given",
    "cited": "what citations of contexts stand for",
    "tallies": "counts of what working sessions were given",
    "events": "the log of this store, which stays its proof, with its policies, holds and consents;"
    " each memory takes its history along",
    "tombstones": "marks of forgotten texts, which only this store can read; marks of ids go along",
    "forgotten": "marks of passages that were forgotten, which only this store can read",
}
"""Tables whose rows stay behind, and what they are."""


def carry(source: Service, target: Service, excluded_projects: Collection[str]) -> dict[str, str]:
    """Carries the maps, folders and metrics that one user sees, and returns what could not be stored, with
    the reason. What is there already stays as it is."""
    refused: dict[str, str] = {}
    view = personal_view(source.principal)
    _carry_owners(source, target, excluded_projects)
    with source.store.read() as snap:
        maps = [
            (project.name, stored)
            for project in snap.projects(view)
            if project.name not in excluded_projects
            and (stored := snap.module_map(view, project.number)) is not None
        ]
        metrics = snap.metrics(view, None, limit=1_000_000)
    for name, module_map in maps:
        try:
            restore_map(target, name, module_map)
        except HoldfastError as error:
            refused[f"module map of {name}"] = error.message
    for folder in _folders(source, excluded_projects):
        try:
            folders.add_folder(
                target, folder.root, name=folder.name, visibility=folder.visibility.value,
                projects=[name for name in folder.projects if name not in excluded_projects],
                include=folder.include, exclude=folder.exclude, watched=folder.watched,
            )  # fmt: skip
        except HoldfastError as error:
            refused[f"folder {folder.slug}"] = error.message
    if metrics:
        with target.store.write() as tx:
            tx.add_metrics(metrics)
    return refused


def _carry_owners(source: Service, target: Service, excluded_projects: Collection[str]) -> None:
    """Gives the projects that one user's records brought their owners: the user, or whoever else it is."""
    user, named = source.principal.user, target.principal.user
    with source.store.read() as snap:
        before = {project.name: project for project in snap.projects(personal_view(source.principal))}
    with target.store.write() as tx:
        for project in tx.projects(personal_view(target.principal)):
            old = before.get(project.name)
            if old is None or project.name in excluded_projects or project.created_at != old.created_at:
                continue
            owner = named if old.owner == user else old.owner if project.owner == named else project.owner
            if project.owner != owner:
                tx.put_project(replace(project, owner=owner))


def entries(
    source: Service, target: Service, excluded_projects: Collection[str], sources: Collection[str] | None
) -> dict[str, tuple[set[Entry], set[Entry]]]:
    """Returns for each part the entries that one user has in the source, and those of them that are in the
    target. What several users have in common, such as a project, is the same entry for each. `sources` are
    the ids of the sources that are carried; None for all."""
    ours, theirs = personal_view(source.principal), personal_view(target.principal)
    with source.store.read() as here, target.store.read() as there:
        projects = [
            project
            for project in here.projects(ours)
            if project.listed and project.name not in excluded_projects
        ]
        stored_projects = {project.name: project for project in there.projects(theirs)}
        sessions = here.sessions(ours)
        session_ids = [
            session.external_id for session in sessions if session.project not in excluded_projects
        ]
        stored_ids = {session.external_id for session in there.sessions(theirs)}
        digests = [source.digest for source in here.sources(ours) if sources is None or source.id in sources]
        stored_digests = {source.digest for source in there.sources(theirs)}
        maps = [project.name for project in projects if here.module_map(ours, project.number) is not None]
        stored_maps = {
            name
            for name in maps
            if name in stored_projects and there.module_map(theirs, stored_projects[name].number) is not None
        }
        metrics = {
            (metric.name, metric.at, metric.evaluator) for metric in here.metrics(ours, None, limit=1_000_000)
        }
        stored_metrics = {
            (metric.name, metric.at, metric.evaluator)
            for metric in there.metrics(theirs, None, limit=1_000_000)
        }
    roots = [folder.root for folder in _folders(source, excluded_projects)]
    stored_roots = {folder.root for folder in _folders(target, ())}
    user = source.principal.user
    return {
        "projects": _entries([project.name for project in projects], stored_projects),
        "sessions": _entries(session_ids, stored_ids, user),
        "sources": _entries(digests, stored_digests, user),
        "module maps": _entries(maps, stored_maps),
        "folders": _entries(roots, stored_roots, user),
        "metrics": _entries(list(metrics), stored_metrics),
    }


def _entries(
    here: Sequence[Hashable], there: Collection[Hashable], owner: str | None = None
) -> tuple[set[Entry], set[Entry]]:
    """Returns the entries of a part, and those that are in the target. Those of an owner are numbered, since
    they may have several alike."""
    numbered = [(owner, None if owner is None else number, key) for number, key in enumerate(here)]
    return set(numbered), {entry for entry in numbered if entry[2] in there}


def left_behind(source: Service) -> dict[str, int | None]:
    """Returns the tables of one user whose rows stay behind, with their numbers; None where the number is not
    known, and without those that are empty."""
    view = personal_view(source.principal)
    with source.store.read() as snap:
        counts: dict[str, int | None] = {
            "requests": len(snap.requests(view)),
            "jobs": len(snap.jobs(view, states=OPEN, limit=1_000)),
            "language_models": len(snap.language_models(view)),
            "model_calls": sum(model_usage.calls for model_usage in snap.model_usage(view, since=0)),
            "tallies": len(snap.tallies(view, None, None)),
            "keys": None,
            "events": None,
            "tombstones": None,
            "forgotten": None if snap.folders(view) else 0,
        }
    return {name: count for name, count in counts.items() if count != 0}


def _folders(service: Service, excluded_projects: Collection[str]) -> list[Folder]:
    """Returns the folders of the user that are connected to a project which is not excluded, or to none."""
    with service.store.read() as snap:
        visible = snap.folders(personal_view(service.principal))
    own = [folder for folder in visible if folder.owner == service.principal.user]
    return [folder for folder in own if not folder.projects or set(folder.projects) - set(excluded_projects)]
