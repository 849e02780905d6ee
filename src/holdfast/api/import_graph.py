"""The entities, observations and relations of an import."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from holdfast.api.import_target import Target
from holdfast.core.errors import HoldfastError, InvalidInput
from holdfast.core.record import Kept, Origin, Outcome, folded
from holdfast.core.text import normalise
from holdfast.features.access.places import Selection
from holdfast.features.admission.draft import Draft
from holdfast.features.graph import graph
from holdfast.features.memories.remember import rehearsed, remember_many
from holdfast.features.service import Service
from holdfast.features.transfer.formats.model import ImportedEntity, Link

if TYPE_CHECKING:
    from holdfast.api.import_report import Report

UNRESOLVED = "note"
"""The type of an entity that is made because a link names it."""


class GraphIntake:
    """Stores what an import says of entities, and reports each outcome. `source` is that of the import."""

    source: str | None = None

    def __init__(
        self, service: Service, name: str, target: Target, report: Report, advance: Callable[[int], None]
    ) -> None:
        self._service = service
        self._name = name
        self._target = target
        self._report = report
        self._advance = advance
        self._dry = report.dry_run
        self._entities: list[ImportedEntity] = []
        self._ids: dict[str, str] = {}

    @property
    def waits(self) -> bool:
        """Returns whether entities were added that are not stored yet."""
        return bool(self._entities)

    def add(self, entity: ImportedEntity) -> None:
        """Adds an entity with its observations, for the next `keep`."""
        self._entities.append(entity)

    def keep(self) -> None:
        """Stores the entities that were added, with their observations."""
        things, self._entities = self._entities, []
        observed: list[tuple[str, Draft]] = []
        for thing in things:
            id = self._entity(thing.name, thing.type)
            for observation in thing.observations:
                metadata = {"category": observation.category} if observation.category else None
                about = () if id is None else (id,)
                draft = Draft(
                    observation.text, "observation", title=thing.name, about=about, tags=observation.tags,
                    metadata=metadata, visibility=self._target.visibility, taken_from=Origin.IMPORT,
                    source=self.source,
                    anew=self._target.with_forgotten,
                )  # fmt: skip
                observed.append((thing.name, draft))
        drafts = [draft for _, draft in observed]
        results = rehearsed(self._service, drafts) if self._dry else remember_many(self._service, drafts)
        for (name, draft), outcome in zip(observed, results, strict=True):
            self._report.add("observation", name, draft.text[:60], outcome)
        self._advance(len(observed))

    def _entity(self, name: str, type: str) -> str | None:
        """Returns the id of an entity, created if it is new; None if it was refused or this is a dry run."""
        try:
            if self._dry:
                clean = graph.clean_name(self._service, name, "entity name")
                draft = self._target.draft(clean, "entity", self.source, title=clean, metadata={"type": type})
                (result,) = remember_many(self._service, [draft], rehearse=True)
            else:
                result = graph.create(self._service, name, type, None, self._statement())
        except HoldfastError as error:
            if error.exit_status >= 5:
                raise
            result = Kept(Outcome.REFUSED, None, error.in_full, code=error.code)
        self._report.add("entity", self._name, name, result)
        self._advance(1)
        if result.memory is None:
            return None
        self._ids.setdefault(folded(normalise(name).text), result.memory.id)
        return result.memory.id

    def _statement(self) -> graph.Statement:
        """Returns the place and source that imported entities and relations are stored with."""
        target = self._target
        return graph.Statement(
            target.project, workspace=target.workspace, visibility=target.visibility, source=self.source,
            taken_from=Origin.IMPORT,
        )  # fmt: skip

    def relate(self, link: Link) -> None:
        """Stores a relation between two entities."""
        result: Kept
        try:
            ends = [self._end(name, link) for name in (link.subject, link.target)]
            if self._dry:
                graph.clean_name(self._service, link.type, "relation type")
                result = Kept(Outcome.CREATED, None, "would be stored")
            else:
                result = graph.relate(self._service, ends[0], link.type, ends[1], self._statement())
        except HoldfastError as error:
            if error.exit_status >= 5:
                raise
            result = Kept(Outcome.REFUSED, None, error.in_full, code=error.code)
        self._report.add("relation", link.subject, f"{link.type} {link.target}", result)
        self._advance(1)

    def _end(self, name: str, link: Link) -> str:
        """Returns the entity that a link names: of this import, else an existing one, else created if the
        format allows it.
        """
        key = folded(normalise(name).text)
        if key in self._ids:
            return self._ids[key]
        where = Selection(self._target.project, workspace=self._target.workspace)
        entities = graph.page(self._service, name, None, where, limit=1, cursor=None).entities
        if entities:
            self._ids[key] = entities[0].id
            return entities[0].id
        made = None
        if link.make:
            self._report.seen["entity"] += 1
            made = self._entity(name, UNRESOLVED)
        if made is None:
            raise InvalidInput(f"there is no entity {name!r:.80}", code="entity_not_found")
        return made
