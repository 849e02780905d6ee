"""The nine operations of the MCP reference memory server over the entity graph, with plain JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from holdfast.api.memory import Memory
from holdfast.core.arguments import LIMIT_MAX
from holdfast.core.errors import InvalidInput, NotFound
from holdfast.core.graph import Entity, Relation, entities_of, relations_of
from holdfast.core.pages import each
from holdfast.core.record import Kept, Outcome, folded
from holdfast.core.record import Memory as Record
from holdfast.core.text import normalise

_NEW = (Outcome.CREATED, Outcome.REDACTED, Outcome.PENDING, Outcome.SUPERSEDED)
QUERY_MAX = 2_048
"""Most characters of a query, as in the reference server."""

Json = dict[str, Any]


class ReferenceGraph:
    """The tools of the reference server with its arguments and results.

    Existing items are skipped; a missing entity is an error when adding and ignored when deleting; an entity
    is deleted with its relations.

    A name is one entity, whatever its type, in one place: a project, or the shared pool. Differences from the
    reference: names are compared without regard to case and white space, an entity has the same observation
    once, secrets are redacted, personal data waits for review, deletions can be restored, and each entity,
    relation and list of observations is a transaction of its own.
    """

    def __init__(self, memory: Memory, *, project: str | None = None, workspace: str | None = None) -> None:
        self._memory = memory
        self._place: dict[str, Any] = {"project": project, "workspace": workspace}

    # adding

    def create_entities(self, entities: Sequence[Mapping[str, Any]]) -> Json:
        """Creates entities with name, entityType and observations; known names are skipped."""
        parsed = [
            (_text(item, "name"), _text(item, "entityType"), _texts(item, "observations"))
            for item in entities
        ]
        created: list[Json] = []
        for name, type, observations in parsed:
            if self._entities_named(name):
                continue
            result = self._memory.entities.create(name, type, **self._place)
            if result.outcome in _NEW and result.memory is not None:
                observed = self._memory.entities.observe(result.memory.id, observations)
                created.append({"name": name, "entityType": type, "observations": _added(observed)})
        return {"entities": created}

    def create_relations(self, relations: Sequence[Mapping[str, Any]]) -> Json:
        """Creates relations with from, to and relationType; known ones are skipped.

        Raises NotFound before anything is created if an entity is missing.
        """
        parsed = [_triple(item) for item in relations]
        ends = {name: self._required(name).id for start, _, end in parsed for name in (start, end)}
        created = []
        for start, type, end in parsed:
            if self._memory.entities.relate(ends[start], type, ends[end]).outcome in _NEW:
                created.append(_relation(start, type, end))
        return {"relations": created}

    def add_observations(self, observations: Sequence[Mapping[str, Any]]) -> Json:
        """Adds contents to entities by entityName; known ones are skipped.

        Raises NotFound before anything is added if an entity is missing.
        """
        parsed = [(_text(item, "entityName"), _texts(item, "contents")) for item in observations]
        entities = [self._required(name) for name, _ in parsed]
        results = []
        for entity, (name, contents) in zip(entities, parsed, strict=True):
            observed = self._memory.entities.observe(entity.id, contents)
            results.append({"entityName": name, "addedObservations": _added(observed)})
        return {"results": results}

    # deleting

    def delete_entities(self, names: Sequence[str]) -> Json:
        """Deletes entities with their observations and relations; missing ones are listed in the message."""
        by_name = {name: self._entities_named(name) for name in _names(names)}
        for entity in {match.id: match for matches in by_name.values() for match in matches}.values():
            self._memory.entities.delete(entity.id)
        missing = [name for name in names if not by_name[name]]
        if not missing:
            return _message("Entities deleted successfully")
        return _message(
            f"Deleted {len(names) - len(missing)} of {len(names)} entities. Not found: {', '.join(missing)}"
        )

    def delete_observations(self, deletions: Sequence[Mapping[str, Any]]) -> Json:
        """Deletes observations by their contents; missing ones are counted in the message."""
        parsed = [(_text(item, "entityName"), _texts(item, "observations")) for item in deletions]
        deleted, missing = 0, []
        for name, contents in parsed:
            matches = self._entities_named(name)
            deleted += sum(self._memory.entities.unobserve(item.id, contents) for item in matches)
            missing += [] if matches else [name]
        requested = sum(len(contents) for _, contents in parsed)
        if deleted == requested:
            return _message("Observations deleted successfully")
        names = f" Entities not found: {', '.join(missing)}" if missing else ""
        return _message(f"Deleted {deleted} of {requested} observations.{names}")

    def delete_relations(self, relations: Sequence[Mapping[str, Any]]) -> Json:
        """Deletes relations by from, to and relationType; missing ones match nothing."""
        deleted = 0
        for start, type, end in [_triple(item) for item in relations]:
            ends = self._entities_named(start), self._entities_named(end)
            if all(ends):
                try:
                    self._memory.entities.unrelate(ends[0][0].id, type, ends[1][0].id)
                    deleted += 1
                except NotFound:
                    pass
        if deleted == len(relations):
            return _message("Relations deleted successfully")
        return _message(f"Deleted {deleted} of {len(relations)} relations. The rest matched nothing.")

    def deleted_by(self, tool: str, argument: Any) -> list[Record]:
        """Returns what a call of one of these tools would delete."""
        if tool == "delete_entities":
            return self._with_links(
                [match for name in _names(argument) for match in self._entities_named(name)]
            )
        if tool == "delete_observations":
            parsed = [(_text(item, "entityName"), _texts(item, "observations")) for item in argument]
            return [
                observation
                for name, contents in parsed
                for entity in self._entities_named(name)
                for observation in entity.observations
                if " ".join(observation.text.split()) in {" ".join(text.split()) for text in contents}
            ]
        requested = {
            (folded(start), folded(type), folded(end)) for start, type, end in map(_triple, argument)
        }
        _, relations = self._loaded()
        return [
            relation.memory
            for relation in relations
            if tuple(map(folded, (relation.subject.name, relation.type, relation.target.name))) in requested
        ]

    def _with_links(self, entities: Sequence[Entity]) -> list[Record]:
        """Returns the memories of entities, of their observations and of their relations."""
        ids = {entity.id for entity in entities}
        links = [link for kind in ("observation", "relation") for link in self._all(kind)]
        return [entity.memory for entity in entities] + [link for link in links if ids & set(link.about)]

    # reading

    def read_graph(self) -> Json:
        """Returns all entities and relations, in the order of their creation."""
        entities, relations = self._graph()
        return {"entities": [_entity(item) for item in entities], "relations": relations}

    def search_nodes(self, query: str) -> Json:
        """Returns the entities whose name, type or observations contain the query, case-insensitively, and
        their relations."""
        if not isinstance(query, str) or len(query) > QUERY_MAX:
            raise InvalidInput(
                f"a query is text of at most {QUERY_MAX:,} characters", code="argument_invalid"
            )
        needle = query.lower()
        entities, relations = self._graph()
        matches = [
            item
            for item in entities
            if any(
                needle in text.lower()
                for text in (item.name, item.type or "", *map(_text_of, item.observations))
            )
        ]
        return _touching(matches, relations)

    def open_nodes(self, names: Sequence[str]) -> Json:
        """Returns the entities with these names, and their relations."""
        requested = {folded(normalise(name).text) for name in _names(names)}
        entities, relations = self._graph()
        return _touching([item for item in entities if folded(item.name) in requested], relations)

    # helpers

    def _entities_named(self, name: str) -> Sequence[Entity]:
        """Returns the entities with a name, of any type; the oldest first."""
        return self._memory.entities.list(name=name, **self._place).entities[::-1]

    def _required(self, name: str) -> Entity:
        matches = self._entities_named(name)
        if not matches:
            raise NotFound(f"Entity with name {name} not found", code="entity_not_found")
        return matches[0]

    def _graph(self) -> tuple[tuple[Entity, ...], list[Json]]:
        """Returns the whole graph of the place."""
        entities, relations = self._loaded()
        return entities, [_relation(item.subject.name, item.type, item.target.name) for item in relations]

    def _loaded(self) -> tuple[tuple[Entity, ...], tuple[Relation, ...]]:
        """Returns all entities and relations of the place."""
        entities = entities_of(self._all("entity"), self._all("observation")[::-1], {})
        return entities, relations_of(self._all("relation"), entities)

    def _all(self, kind: str) -> list[Record]:
        listed = partial(self._memory.list, **self._place, kinds=kind, limit=LIMIT_MAX)
        return list(each(lambda cursor: listed(cursor=cursor)))[::-1]


def _touching(entities: Sequence[Entity], relations: Iterable[Json]) -> Json:
    """Returns entities as JSON, with all relations that begin or end at one of them."""
    names = {item.name for item in entities}
    return {
        "entities": [_entity(item) for item in entities],
        "relations": [item for item in relations if item["from"] in names or item["to"] in names],
    }


def _entity(entity: Entity) -> Json:
    """Returns an entity as the reference server writes it: one without a type has an empty one."""
    return {
        "name": entity.name,
        "entityType": entity.type or "",
        "observations": [observation.text for observation in entity.observations],
    }


def _relation(start: str, type: str, end: str) -> Json:
    return {"from": start, "to": end, "relationType": type}


def _text_of(observation: Record) -> str:
    return observation.text


def _added(results: Iterable[Kept]) -> list[str]:
    return [result.memory.text for result in results if result.outcome in _NEW and result.memory is not None]


def _message(message: str) -> Json:
    return {"success": True, "message": message}


def _text(item: Mapping[str, Any], name: str) -> str:
    value = item.get(name) if isinstance(item, Mapping) else None
    if not isinstance(value, str):
        raise InvalidInput(f"{name} is missing or not text", code="argument_invalid")
    return value


def _texts(item: Mapping[str, Any], name: str) -> list[str]:
    return _names(item.get(name) if isinstance(item, Mapping) else None)


def _names(values: object) -> list[str]:
    if not isinstance(values, list | tuple) or not all(isinstance(value, str) for value in values):
        raise InvalidInput("the argument is not a list of texts", code="argument_invalid")
    return list(values)


def _triple(item: Mapping[str, Any]) -> tuple[str, str, str]:
    return _text(item, "from"), _text(item, "relationType"), _text(item, "to")
