"""The entity graph: entities, relations and neighbourhoods, stored as memories (S0.4, S0.36)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from holdfast.core.kinds import KINDS
from holdfast.core.pages import Listing
from holdfast.core.places import Visibility
from holdfast.core.record import Memory, Origin, Status, folded
from holdfast.core.wire import Millis, Plain, computed, described, from_plain, shown_from, wire

ENTITY_TYPES = ("person", "place", "project", "technology", "concept", "organization")
"""The usual types of entities (S0.37); any other name is a valid type as well."""
ENTITY_GONE: Final = "an entity it speaks of is gone"
"""Reason why an observation or a relation is hidden: its entity was forgotten, or moved to another project
without the other one. It is restored with the entity."""
LINKS = frozenset(name for name, kind in KINDS.items() if kind.ends)
"""The kinds that refer to entities: observations and relations."""
OBSERVATIONS_MAX = 1_000
"""Maximum number of observations returned with the entities of one response, newest first."""

NAMES: Final = "names"
"""The rule in the evidence of what was read from messages: an entity that they name, or a relation."""
MESSAGES_MAX = 100
"""Most messages in the evidence of one, the earliest."""

_WIDTH = (Visibility.PRIVATE, Visibility.PROJECT, Visibility.TEAM)


@dataclass(frozen=True, slots=True)
class Node(Plain):
    """The id, name and type of an entity."""

    id: str
    name: str
    type: str | None


@dataclass(frozen=True, slots=True)
class Entity(Plain):
    """A person, place, project or other thing. `memory` is its record; `observations` are memories, oldest
    first.

    `mentions` counts the visible observations and relations that refer to it, and the messages that it was
    read from; `last_seen_at` is the time when it or a link to it was last recorded, in UTC epoch
    milliseconds.
    """

    memory: Memory
    observations: tuple[Memory, ...] = ()
    mentions: int = field(
        default=0, metadata=wire(about="How many observations, relations and messages speak of it.")
    )
    last_seen_at: Millis = field(
        default=0, metadata=wire(about="When it, or what speaks of it, was recorded last.")
    )

    @property
    @computed
    def id(self) -> str:
        return self.memory.id

    @property
    @computed
    def name(self) -> str:
        return self.memory.title or self.memory.text

    @property
    @computed
    def type(self) -> str | None:
        return type_of(self.memory)

    @property
    @computed
    def notes(self) -> str | None:
        """Returns the notes on it; None if there is nothing but its name."""
        return None if self.memory.text == self.name else self.memory.text

    project = shown_from("memory.project", str | None)
    workspace = shown_from("memory.place.workspace", str | None)
    owner = shown_from("memory.place.owner", str)
    visibility = shown_from("memory.visibility", Visibility)
    status = shown_from("memory.status", Status)
    origin = shown_from("memory.origin", Origin)
    source = shown_from("memory.source", str | None)
    created_by = shown_from("memory.created_by", str)
    recorded_at = shown_from("memory.recorded_at", Millis)
    updated_at = shown_from("memory.updated_at", Millis)

    @property
    def node(self) -> Node:
        """Returns id, name and type."""
        return Node(self.id, self.name, self.type)


@dataclass(frozen=True, slots=True)
class Relation(Plain):
    """A directed relation from one entity, the subject, to another, the target. `memory` is its record."""

    memory: Memory
    subject: Entity = field(metadata=wire(hidden=True))
    target: Entity = field(metadata=wire(hidden=True))

    @property
    @described(name="subject")
    def from_node(self) -> Node:
        """Returns the id, name and type of the subject."""
        return self.subject.node

    @property
    @described(name="target")
    def to_node(self) -> Node:
        """Returns the id, name and type of the target."""
        return self.target.node

    visibility = shown_from("memory.visibility", Visibility)
    evidence = shown_from("memory.evidence", dict[str, Any])
    created_by = shown_from("memory.created_by", str)
    recorded_at = shown_from("memory.recorded_at", Millis)

    @property
    @computed
    def id(self) -> str:
        return self.memory.id

    @property
    @computed
    def type(self) -> str:
        return type_of(self.memory) or ""


@dataclass(frozen=True, slots=True)
class Graph(Plain):
    """Entities and the relations among them; `truncated` says that there are more relations."""

    entities: tuple[Entity, ...]
    relations: tuple[Relation, ...]
    truncated: bool = field(default=False, metadata=wire(about="There are more relations than the limit."))

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Graph:
        """Reads a graph from JSON; the ends of a relation are among its entities."""
        entities: tuple[Entity, ...] = from_plain(tuple[Entity, ...], value["entities"])
        ends = {entity.id: replace(entity, observations=()) for entity in entities}
        relations = tuple(
            Relation(
                from_plain(Memory, relation["memory"]),
                ends[relation["subject"]["id"]],
                ends[relation["target"]["id"]],
            )
            for relation in value["relations"]
        )
        return cls(entities, relations, value["truncated"])


@dataclass(frozen=True, slots=True)
class Spot(Plain):
    """An entity of a drawing, with its position; `group` numbers what is closely related, 0 the largest."""

    id: str
    name: str
    type: str | None
    x: float = field(metadata=wire(digits=1))
    y: float = field(metadata=wire(digits=1))
    group: int
    relations: int


@dataclass(frozen=True, slots=True)
class Edge(Plain):
    """A relation of a drawing; its ends are places in the list of entities."""

    id: str
    subject: int
    target: int
    type: str


@dataclass(frozen=True, slots=True)
class Drawing(Plain):
    """The entities of a place with their positions, and their relations; `truncated` says that there are
    more of either."""

    entities: tuple[Spot, ...]
    relations: tuple[Edge, ...]
    truncated: bool = field(default=False, metadata=wire(about="There are more than the limit."))


@dataclass(frozen=True, slots=True)
class EntityPage(Plain, Listing[Entity]):
    """One page of a list of entities and the cursor of the next page (None: this is the last)."""

    LISTS = "entities"

    entities: tuple[Entity, ...]
    cursor: str | None


def type_of(memory: Memory) -> str | None:
    """Returns the type of an entity or a relation; None for an entity without one."""
    type = memory.metadata.get("type")
    return type if isinstance(type, str) else None


def messages_naming(memory: Memory) -> list[str]:
    """Returns the ids of the messages that an entity or a relation was read from; none if it was not."""
    named = memory.evidence.get("messages")
    is_read = memory.evidence.get("rule") == NAMES and isinstance(named, list)
    return [id for id in named or () if isinstance(id, str)] if is_read else []


def is_only_named(memory: Memory) -> bool:
    """Returns whether all that is known of an entity is that messages name it: they say more than it does."""
    is_bare = memory.kind == "entity" and folded(memory.text) == folded(memory.title or "")
    return is_bare and bool(messages_naming(memory))


def entities_of(
    memories: Iterable[Memory], observations: Iterable[Memory], mentions: dict[str, tuple[int, int]]
) -> tuple[Entity, ...]:
    """Builds entities in the order of `memories`, each with its observations; `mentions` holds count and last
    time by id."""
    observations_by_id: dict[str, list[Memory]] = {}
    for observation in observations:
        observations_by_id.setdefault(observation.about[0], []).append(observation)
    return tuple(
        Entity(
            memory,
            tuple(reversed(observations_by_id.get(memory.id, ()))),
            mentions.get(memory.id, (0, 0))[0] + len(messages_naming(memory)),
            max(memory.updated_at, mentions.get(memory.id, (0, 0))[1]),
        )
        for memory in memories
    )


def relations_of(links: Iterable[Memory], entities: Iterable[Entity]) -> tuple[Relation, ...]:
    """Builds the relations whose two entities are both among `entities`."""
    nodes = {entity.id: replace(entity, observations=()) for entity in entities}
    return tuple(
        Relation(link, nodes[link.about[0]], nodes[link.about[1]])
        for link in links
        if nodes.keys() >= set(link.about)
    )


def preferred_entity(memories: Sequence[Memory], user: str) -> Memory:
    """Returns the memory that is meant among entities of one name and type in several pools: the user's own
    before those of others, the least visible first, then the oldest."""
    return min(
        memories, key=lambda m: (m.place.owner != user, _WIDTH.index(m.visibility), m.recorded_at, m.id)
    )


def narrowest(visibilities: Iterable[Visibility]) -> Visibility:
    """Returns the visibility that the fewest people have."""
    return min(visibilities, key=_WIDTH.index)


@dataclass(frozen=True, slots=True)
class End:
    """The state of an entity that a link depends on: its project, by number, and whether it is forgotten."""

    project: int | None
    forgotten: bool


def is_in_sight(ends: Sequence[End]) -> bool:
    """Returns whether a link between these entities is visible: none of them is forgotten, and all are in the
    same project (S0.13, S0.47)."""
    return len({end.project for end in ends}) == 1 and not any(end.forgotten for end in ends)
