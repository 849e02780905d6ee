"""Files, databases and the like whose content is described: the operations of `Memory.described`."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict, Unpack

from holdfast.api.operation import Area, operation
from holdfast.core.errors import InvalidInput, Refusal
from holdfast.core.hits import Hits
from holdfast.core.jobs import Job
from holdfast.core.reconciled import DescribedSource, Reconciled, Refreshed, Unread, payload_with
from holdfast.features.access.access import Need
from holdfast.features.reconcile import sources

TRIES = 3
"""Times that a source is read again because a newer reading was applied meanwhile."""


class Readers(TypedDict, total=False):
    """The project of a source, and who may read its descriptions."""

    project: str | None
    visibility: str | None
    members: Collection[str] | None


class Described(Area):
    """Sources whose content is described and kept current: each table, cell or other part is a memory.

    `id` is the id of a source, or what it was called when it was reconciled, such as its path.
    """

    def scan(
        self,
        path: str | os.PathLike[str],
        *,
        project: str | None = None,
        visibility: str | None = None,
        members: Collection[str] | None = None,
        dry_run: bool = False,
    ) -> Reconciled:
        """Reads a file, folder or database of this machine and reconciles what it holds. A reading that
        was overtaken by a newer one is repeated. Of a folder of tables, its tables: `scan_all` reads its
        workbooks, notebooks and databases as well.

        One that was renamed keeps what is known of it, if it holds the same and the old path is gone: a copy
        is another source. Of a known file that was deleted, descriptions are removed, and come back with it.
        Raises NotFound, InvalidInput.
        """
        place: Readers = {"project": project, "visibility": visibility, "members": members}
        return self._scan(path, place, dry_run=dry_run)

    def scan_all(
        self,
        path: str | os.PathLike[str],
        *,
        only: Collection[str] = (),
        changed_only: bool = False,
        dry_run: bool = False,
        progress: Callable[[int, int], None] | None = None,
        **readers: Unpack[Readers],
    ) -> Refreshed:
        """Reconciles a source as `scan` does, and of a folder of tables also each workbook, notebook and
        database below it, as a source of its own. Those of them that are gone are removed.

        `only` are kinds: tables, workbooks, notebooks, databases; with `changed_only` files that seem
        unchanged are not read again. What could not be read is among the failures, and what is known of it
        stays. `progress` is called with the number of sources that are done and their total. Raises NotFound
        and InvalidInput for the path itself.
        """
        from holdfast.features.reconcile import opening

        kinds = opening.checked_kinds(only)
        root, project = opening.name_of(path), readers.get("project")
        if not opening.is_folder_of_tables(root):
            if only:
                raise InvalidInput(
                    f"{os.path.basename(root)} is no folder of tables, of which kinds of files can be chosen",
                    code="argument_invalid", hint="reconcile it without `only`",
                )  # fmt: skip
            return Refreshed((self._scan(path, readers, dry_run=dry_run),))
        own = opening.own_sources(root, kinds)
        files = [root, *own] if opening.TABLES in kinds else own
        results, failures = list[Reconciled](), list[Unread]()
        for done, file in enumerate(files, 1):
            existing = next((source for source in self.list(file=file) if source.project == project), None)
            if existing is None or not changed_only or opening.may_have_changed(file, existing.stamp):
                try:
                    results.append(self._scan(file, readers, dry_run=dry_run, excluded=own))
                except (InvalidInput, Refusal) as error:
                    id = None if existing is None else existing.id
                    name = os.path.basename(root) if file == root else os.path.relpath(file, root)
                    failures.append(Unread(id, name, file, error.code, error.in_full))
            if progress is not None:
                progress(done, len(files))
        for source in self.list():
            if source.project == project and opening.is_gone_below(source.file, source.stamp, root, kinds):
                results.append(self._scan(source.file, readers, dry_run=dry_run))
        return Refreshed(tuple(results), tuple(failures))

    def _scan(
        self,
        path: str | os.PathLike[str],
        place: Readers,
        *,
        dry_run: bool,
        excluded: Collection[str] = (),
    ) -> Reconciled:
        """Reads one source and reconciles what it holds. Files that are `excluded`, and those that are
        sources already, are not listed as left out."""
        from holdfast.features.reconcile import opening

        project = place.get("project")
        for _ in range(TRIES):
            file = opening.name_of(path)
            existing = next((source for source in self.list(file=file) if source.project == project), None)
            former: Sequence[DescribedSource] = ()
            stamp = opening.stamp_of(file)
            if existing is not None and opening.is_gone(file, existing.stamp):
                new = opening.renamed_to(file, existing.stamp, {source.file for source in self.list()})
                if new is not None:
                    return self._scan(new, place, dry_run=dry_run)
                payload = payload_with(existing.name, existing.platform, ())
            else:
                payload = opening.read_source(path)
                skipped = payload.get("skipped", ())
                if existing is None or skipped:
                    others = [source for source in self.list() if source.project == project]
                    named = {*excluded, *(other.file for other in others)}
                    payload["skipped"] = [
                        entry for entry in skipped if os.path.join(file, entry["file"]) not in named
                    ]
                    if existing is None:
                        former = [
                            other for other in others if opening.may_be_renamed(other.file, other.stamp, file)
                        ]
            is_nothing = existing is None and not payload["entities"]  # no source is made of it
            is_whole = not any(entity.get("error") for entity in payload["entities"])
            if stamp is not None:  # what could not be read is read again next time
                payload["stamp"] = stamp if is_whole else stamp.partition(":")[0]
            before = former if existing is None else [existing]
            result = self.apply(
                file, payload, **place, formerly=[source.id for source in former],
                sequence=1 + max((source.sequence for source in before), default=0),
                dry_run=dry_run or is_nothing,
            )  # fmt: skip
            if not result.outdated:
                break
        return replace(result, dry_run=dry_run)

    def refresh(self, *, dry_run: bool = False) -> Refreshed:
        """Reads again the files and folders of this machine that have changed since they were reconciled:
        whose files have other names, sizes or times, were renamed or deleted, or could not be read. Returns
        what changed of each, and the failures: what is known of these stays. What others own is left out.
        """
        from holdfast.features.reconcile.opening import may_have_changed

        results, failures = [], []
        for source in self.list():
            if not may_have_changed(source.file, source.stamp):
                continue
            try:
                result = self.scan(source.file, project=source.project, dry_run=dry_run)
            except (InvalidInput, Refusal) as error:
                if error.code != "not_yours":
                    failures.append(Unread(source.id, source.name, source.file, error.code, error.in_full))
                continue
            results.append(result)
            failures += [
                Unread(
                    source.id, source.name, source.file, "file_unreadable", f"{change.entity}: {change.why}"
                )
                for change in result.changes
                if change.action == "failed"
            ]
        return Refreshed(tuple(results), tuple(failures))

    @operation(
        "GET /described/roots",
        Need.IMPORTS,
        why="a person at the machine reads every file",
        changes=False,
        key="roots",
        handler="described:roots",
    )
    def roots(self) -> Sequence[str]:
        """Returns the folders below which `read` reads: of a service those of its setting `roots`, in this
        process all."""
        return [os.path.abspath(os.sep)]

    @operation("POST /described/read", Need.IMPORTS, command="reconcile", handler="described:read")
    def read(self, path: str, **readers: Unpack[Readers]) -> Reconciled:
        """Reads a file or folder of the machine that the store is on and reconciles what it holds, as `scan`
        does for this machine. A service reads only what is below its `roots`. Raises NotFound, InvalidInput,
        AccessDenied `root_not_allowed`.
        """
        return self.scan(path, **readers)

    @operation(
        "POST /described/{id}/regenerate",
        Need.IMPORTS,
        command="reconcile",
        tail=True,
        handler="described:regenerate",
    )
    def regenerate(self, id: str) -> Reconciled:
        """Reads a file or folder of this machine again, whether it seems to have changed or not, and
        reconciles what it holds. A service reads only what its setting `roots` allows. Raises NotFound,
        InvalidInput `file_not_found` for what was read elsewhere or is gone, Refusal `not_yours`.
        """
        source = self._readable(id)
        return self.scan(source.file, project=source.project)

    @operation("POST /described", Need.WRITE, command="reconcile", errors=(409,))
    def apply(
        self,
        file: str,
        payload: Mapping[str, Any],
        *,
        sequence: int | None = None,
        formerly: Collection[str] = (),
        dry_run: bool = False,
        **readers: Unpack[Readers],
    ) -> Reconciled:
        """Reconciles what a source holds with what is known of it: what is new is described, what has
        changed gets a new version, what is gone is removed, and what a person pinned or edited stays.
        `formerly` are ids of sources that are gone: if exactly one of them held the same, this is it under
        a new name. Raises InvalidInput, Refusal, Conflict.
        """
        from holdfast.features.reconcile.reconcile import payload_of, reconcile

        return reconcile(
            self._service, payload_of(file, payload, sequence), formerly=formerly, dry_run=dry_run, **readers
        )

    @operation("POST /described/queue", Need.IMPORTS, command="reconcile", status=202)
    def queue(
        self,
        file: str,
        payload: Mapping[str, Any],
        *,
        sequence: int | None = None,
        **readers: Unpack[Readers],
    ) -> Job:
        """Checks a payload and leaves it to a worker, as `apply` would do it; payloads that were accepted
        are applied in their order. Raises InvalidInput, Refusal.
        """
        from holdfast.features.reconcile.queueing import queue
        from holdfast.features.reconcile.reconcile import payload_of

        checked = payload_of(file, payload, sequence)
        if (members := readers.get("members")) is not None:
            readers["members"] = [*members]
        return queue(self._service, checked, payload, **readers)

    @operation(
        "POST /described/{id}/describe",
        Need.IMPORTS,
        command="models describe",
        status=202,
        errors=(409,),
        tail=True,
        handler="described:describe",
    )
    def describe(self, id: str, payload: Mapping[str, Any] | None = None) -> Job:
        """Queues a job in which the first model describes the code cells and the whole of a source, and
        returns the job.

        It is shown the payload; without one, a source of this machine is read again. What it says that the
        payload does not is refused, and the description by rules stays. What a person pinned or edited, or
        has changed since, is left alone. Raises NotFound, InvalidInput, Conflict `model_not_accepted`.
        """
        from holdfast.features.models.describe import queue
        from holdfast.features.reconcile.opening import read_source

        if payload is None:
            payload = read_source(self._readable(id).file)
        return queue(self._service, id, payload)

    @operation("GET /described", Need.READ, command="described list", key="sources")
    def list(self, *, file: str | None = None) -> Sequence[DescribedSource]:
        """Returns all visible sources whose content is described, oldest first; with `file` those that a
        client calls so, in any project."""
        return sources.list_described(self._service, file)

    @operation("GET /described/{id}", Need.READ, command="described show", tail=True)
    def get(self, id: str) -> DescribedSource:
        """Returns a source: how many descriptions it has, and when it was last reconciled. Raises
        NotFound."""
        return sources.get_described(self._service, id)

    @operation("GET /described/{id}/related", Need.READ, command="described related", tail=True)
    def related(self, id: str, *, limit: int = 5) -> Hits:
        """Returns of the sources that are most like one their most similar description, best first. Raises
        NotFound."""
        from holdfast.features.reconcile.related import related

        return related(self._service, id, limit=limit)

    @operation("PATCH /described/{id}", Need.WRITE, command="described update", tail=True)
    def update(
        self,
        id: str,
        *,
        name: str | None = None,
        members: Collection[str] | None = None,
        open_to_all: bool = False,
    ) -> DescribedSource:
        """Renames a source, or sets who may read what it holds besides its owner; with `open_to_all`
        everybody whom its visibility includes. Raises NotFound, InvalidInput, Refusal `not_yours`."""
        return sources.update_described(
            self._service, id, name=name, members=members, open_to_all=open_to_all
        )

    @operation(
        "DELETE /described/{id}",
        Need.WRITE,
        command="described delete",
        key="memories",
        erases="hard",
        tail=True,
    )
    def delete(self, id: str, *, hard: bool = False) -> int:
        """Removes a source with its descriptions, but for those that a person pinned or edited; with `hard`
        erases all of them. Reconciling it again brings back what was not erased. Returns their number.
        Raises NotFound, Refusal.
        """
        return sources.delete_described(self._service, id, hard=hard)

    def _readable(self, id: str) -> DescribedSource:
        """Returns a source that was read on this machine and is still there. Raises NotFound, InvalidInput
        `file_not_found`."""
        from holdfast.features.reconcile.opening import is_here

        source = self.get(id)
        if not is_here(source.file, source.stamp):
            raise InvalidInput(
                f"{source.name} was not read on this machine, or is no longer there", code="file_not_found",
                hint="reconcile it where it is: holdfast reconcile PATH",
            )  # fmt: skip
        return source
