"""The entity graph: creating, reading and removing entities, observations and relations (S0.4, S0.36)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from holdfast.core.arguments import LIMIT_MAX, checked_flag, checked_limit, safe_repr
from holdfast.core.errors import Conflict, InvalidInput, NotFound
from holdfast.core.graph import (
    OBSERVATIONS_MAX,
    Drawing,
    Edge,
    Entity,
    EntityPage,
    Graph,
    Spot,
    entities_of,
    preferred_entity,
    relations_of,
    type_of,
)
from holdfast.core.pages import each
from holdfast.core.places import usable_name
from holdfast.core.record import Kept, Memory, Origin, folded
from holdfast.core.text import normalise
from holdfast.core.views import ANY_STATE, Filter, View, personal_view
from holdfast.features.access.permission import check_may_take_away, why_not_take_away
from holdfast.features.access.places import Selection, view_of
from holdfast.features.recall import recall as recalling
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader

if TYPE_CHECKING:
    from holdfast.core.times import When
    from holdfast.features.admission.draft import Draft

_ID_LENGTH = 36
CENTRES_MAX = 1_000
"""Maximum number of entities in a request for a neighbourhood."""


@dataclass(frozen=True, slots=True)
class Statement:
    """The place, origin, confidence and evidence of an entity, an observation or a relation."""

    project: str | None = None
    session: str | None = None
    workspace: str | None = None
    visibility: str | None = None
    origin: str | None = None
    confidence: float | None = None
    evidence: Mapping[str, Any] | None = None
    source: str | None = None
    at: When | None = None
    status: str | None = None
    taken_from: Origin | None = None

    @property
    def place(self) -> Selection:
        """Returns where the entities are that it names."""
        return Selection(self.project, self.session, self.workspace)

    def fields(self) -> dict[str, Any]:
        """Returns the fields as arguments of a draft."""
        return {name: getattr(self, name) for name in self.__slots__}

    def fields_of_link(self) -> dict[str, Any]:
        """Returns the same without project and workspace, which are those of the linked entities."""
        return replace(self, project=None, workspace=None).fields()


# writing


def create(service: Service, name: str, type: str, notes: str | None, statement: Statement) -> Kept:
    """Returns the entity with this name and type in its place; creates it if there is none (S0.26). Notes
    replace its notes; without notes it is left unchanged. Raises InvalidInput.

    Unless a visibility is named, an entity that is visible there counts as the same.
    """
    from holdfast.features.memories.remember import remember

    name, type = clean_name(service, name, "entity name"), clean_name(service, type, "entity type")
    if statement.visibility is None:
        with service.store.read() as snap:
            view = view_of(snap, service.principal, statement.place)
            candidates = snap.entities_named(view, [folded(name)], now=service.clock())
            candidates = [
                memory
                for memory in candidates
                if type_of(memory) == type
                if notes is None or why_not_take_away(service.principal, snap, memory) is None
            ]
        if candidates:
            entity = preferred_entity(candidates, service.principal.user)
            statement = replace(statement, visibility=entity.visibility.value)
    return remember(service, entity_draft(name, type, notes, statement))


def entity_draft(name: str, type: str, notes: str | None, statement: Statement) -> Draft:
    """Returns the draft of an entity."""
    from holdfast.features.admission.draft import Draft

    return Draft(
        text=name if notes is None else notes,
        kind="entity",
        title=name,
        metadata={"type": type},
        **statement.fields(),
    )


def observe(
    service: Service, entity: str, texts: Sequence[str], type: str | None, statement: Statement
) -> list[Kept]:
    """Stores observations of an entity in one transaction, one memory and one outcome for each text. The same
    text again is a duplicate. Raises NotFound, InvalidInput."""
    from holdfast.features.admission.draft import Draft
    from holdfast.features.memories.remember import remember_many

    _checked_texts(texts)
    with service.store.read() as snap:
        memory, _ = _resolve(snap, service, entity, type, statement.place)
    return remember_many(
        service,
        [
            Draft(
                text=text, kind="observation", title=Entity(memory).name, about=(memory.id,),
                **statement.fields_of_link(),
            )
            for text in texts
        ],
    )  # fmt: skip


def relate(service: Service, subject: str, type: str, target: str, statement: Statement) -> Kept:
    """Stores a relation between two entities; the same again is a duplicate (S0.4). Raises NotFound,
    InvalidInput `entities_apart`."""
    from holdfast.features.memories.remember import remember

    type = clean_name(service, type, "relation type")
    with service.store.read() as snap:
        ends = [_resolve(snap, service, name, None, statement.place)[0] for name in (subject, target)]
    return remember(service, relation_draft(ends[0], type, ends[1], statement))


def relation_draft(subject: Memory, type: str, target: Memory, statement: Statement) -> Draft:
    """Returns the draft of a relation between two entities."""
    from holdfast.features.admission.draft import Draft

    return Draft(
        text=f"{Entity(subject).name} {type} {Entity(target).name}",
        kind="relation",
        metadata={"type": type},
        about=(subject.id, target.id),
        **statement.fields_of_link(),
    )


def unobserve(
    service: Service, entity: str, texts: Sequence[str], type: str | None, selection: Selection, *, hard: bool
) -> int:
    """Forgets the caller's observations with these texts, or with `hard` erases them. Returns their number;
    unknown texts are ignored. Raises NotFound, Refusal `not_yours`."""
    requested = {" ".join(text.split()) for text in _checked_texts(texts)}
    with service.store.read() as snap:
        memory, view = _resolve(snap, service, entity, type, selection)
        links = snap.links(_of_kind(view, "observation"), [memory.id], limit=None, now=service.clock())
    return _remove(service, [link for link in links if " ".join(link.text.split()) in requested], hard)


def unrelate(
    service: Service, subject: str, type: str, target: str, selection: Selection, *, hard: bool
) -> int:
    """Forgets the caller's relations of this type between two entities, or with `hard` erases them. Returns
    their number. Raises NotFound `relation_not_found`, Refusal `not_yours`."""
    type = clean_name(service, type, "relation type")
    with service.store.read() as snap:
        start, view = _resolve(snap, service, subject, None, selection)
        end, _ = _resolve(snap, service, target, None, selection)
        links = snap.links(_of_kind(view, "relation"), [start.id], limit=None, now=service.clock())
    matches = [link for link in links if link.about == (start.id, end.id) and type_of(link) == type]
    if not matches:
        raise NotFound(
            f"there is no relation {safe_repr(type)} between these entities", code="relation_not_found"
        )
    return _remove(service, matches, hard)


def _remove(service: Service, links: Sequence[Memory], hard: bool) -> int:
    """Forgets the links that the user may change. Returns how many."""
    from holdfast.features.memories import forget

    checked_flag(hard, "hard")
    with service.store.read() as snap:
        own = [link for link in links if why_not_take_away(service.principal, snap, link) is None]
        if links and not own:
            check_may_take_away(service.principal, snap, links[0])
    for link in own:
        if hard:
            forget.erase(service, link.id)
        else:
            forget.forget(service, link.id)
    return len(own)


def delete(
    service: Service, entity: str, type: str | None, selection: Selection, *, hard: bool, reason: str | None
) -> Memory:
    """Forgets an entity with its observations and relations, which `restore` reverts; or with `hard` erases
    every byte. Raises NotFound, Refusal."""
    from holdfast.features.memories import forget

    checked_flag(hard, "hard")
    with service.store.read() as snap:
        memory, _ = _resolve(snap, service, entity, type, selection)
    if hard:
        forget.erase(service, memory.id)
    else:
        forget.forget(service, memory.id, reason=reason)
    return memory


# reading


def get(service: Service, entity: str, type: str | None, selection: Selection) -> Entity:
    """Returns one entity, by its id or by its name in a place, with its observations. Raises NotFound,
    Conflict `entity_ambiguous`."""
    with service.store.read() as snap:
        memory, view = _resolve(snap, service, entity, type, selection)
        return _load_entities(snap, service, view, [memory])[0]


def page(
    service: Service,
    name: str | None,
    type: str | None,
    selection: Selection,
    *,
    limit: int,
    cursor: str | None,
) -> EntityPage:
    """Returns a page of the entities of a place with their observations, most recently recorded first
    (S0.41); with a name, all of that name on one page."""
    checked_limit(limit)
    type = _checked_type(type)
    with service.store.read() as snap:
        view, now = view_of(snap, service.principal, selection), service.clock()
        if name is not None:
            matches = [
                memory for memory in _entities_named(snap, view, name, now) if type in (None, type_of(memory))
            ]
            return EntityPage(_load_entities(snap, service, view, matches[::-1]), None)
        listed = snap.entities(view, type=type, limit=limit, cursor=cursor, now=now)
        return EntityPage(_load_entities(snap, service, view, listed.memories), listed.cursor)


def search(
    service: Service, query: str, type: str | None, selection: Selection, *, limit: int
) -> tuple[Entity, ...]:
    """Returns the entities that answer a query best, best first: found by their names and notes, their
    observations and relations (S0.36)."""
    checked_limit(limit)
    type = _checked_type(type)
    link_selection = replace(selection, kinds=("entity", "observation", "relation"))
    # several hits may be about one entity
    hits = recalling.recall(service, query, link_selection, limit=min(10 * limit, LIMIT_MAX))
    ids = list(dict.fromkeys(id for hit in hits for id in hit.memory.about or (hit.memory.id,)))
    with service.store.read() as snap:
        view = view_of(snap, service.principal, selection)
        memories = {memory.id: memory for memory in snap.several(view, ids, now=service.clock())}
        best = [memories[id] for id in ids if id in memories and type in (None, type_of(memories[id]))]
        return _load_entities(snap, service, view, best[:limit])


def neighbourhood(
    service: Service, entities: str | Sequence[str], selection: Selection, *, limit: int
) -> Graph:
    """Returns the entities with these ids or names, those one relation away, and these relations, newest
    first up to a limit (S0.36, S0.41). Raises NotFound."""
    checked_limit(limit)
    names = [entities] if isinstance(entities, str) else entities
    if not isinstance(names, list | tuple) or len(names) > CENTRES_MAX:
        raise InvalidInput(f"entities must be at most {CENTRES_MAX:,} names or ids", code="argument_invalid")
    now = service.clock()
    with service.store.read() as snap:
        resolved = [_resolve(snap, service, name, None, selection) for name in names]
        centres = list({memory.id: memory for memory, _ in resolved}.values())
        if not centres:
            return Graph((), ())
        views = {view for _, view in resolved}
        view = views.pop() if len(views) == 1 else personal_view(service.principal, Filter())
        links = snap.links(
            _of_kind(view, "relation"), [centre.id for centre in centres], limit=limit + 1, now=now
        )
        linked_ids = dict.fromkeys(id for link in links[:limit] for id in link.about)
        known_ids = {centre.id for centre in centres}
        neighbours = {
            memory.id: memory
            for memory in snap.several(view, [id for id in linked_ids if id not in known_ids], now=now)
        }
        graph_entities = _load_entities(
            snap, service, view, [*centres, *(neighbours[id] for id in linked_ids if id in neighbours)]
        )
        return Graph(
            graph_entities, relations_of(links[:limit], graph_entities), truncated=len(links) > limit
        )


DRAWN_MAX = 5_000
"""Maximum number of entities of a drawing."""


def drawing(service: Service, selection: Selection, *, limit: int) -> Drawing:
    """Returns the entities of a place with positions for a drawing, and their relations. The same entities
    and relations have the same positions. Entities with most relations come first; what is beyond `limit`,
    and relations beyond twice as many, is left out."""
    from holdfast.features.graph.layout import positions

    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= DRAWN_MAX:
        raise InvalidInput(f"limit must be from 1 to {DRAWN_MAX:,}", code="limit_invalid")
    now = service.clock()
    with service.store.read() as snap:
        view = view_of(snap, service.principal, selection)
        seen = each(lambda cursor: snap.entities(view, type=None, limit=LIMIT_MAX, cursor=cursor, now=now))
        entities = {memory.id: memory for memory in islice(seen, limit + 1)}
        ids = list(entities)[:limit]
        links = snap.links(_of_kind(view, "relation"), ids, limit=2 * limit + 1, now=now)
    is_cut = len(entities) > limit or len(links) > 2 * limit
    relations = [link for link in links[: 2 * limit] if {*link.about} <= {*ids}]
    degrees = Counter(id for link in relations for id in link.about)
    ids.sort(key=lambda id: (-degrees[id], id))
    place = {id: i for i, id in enumerate(ids)}
    relations.sort(key=lambda link: link.id)
    ends = [(place[link.about[0]], place[link.about[1]]) for link in relations]
    points, groups = positions(len(ids), ends)
    spots = tuple(
        Spot(
            id, entities[id].title or entities[id].text, type_of(entities[id]), round(float(x), 1),
            round(float(y), 1), group, degrees[id],
        )
        for id, (x, y), group in zip(ids, points, groups, strict=True)
    )  # fmt: skip
    edges = tuple(Edge(link.id, *end, type_of(link) or "") for link, end in zip(relations, ends, strict=True))
    return Drawing(spots, edges, is_cut)


# helpers


def _checked_texts(texts: object) -> Sequence[str]:
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        raise InvalidInput("observations must be a list of texts", code="argument_invalid")
    return texts


def clean_name(service: Service, value: object, label: str) -> str:
    """Returns the stored form of a name or type. Names cannot be redacted, so one with a secret is refused:
    InvalidInput `secret_in_name`, or `place_invalid` for an invalid name; Refusal `excluded`."""
    from holdfast.features.admission.names import checked_name
    from holdfast.features.memories.exclusions import gate_of

    name = checked_name(" ".join(value.split()) if isinstance(value, str) else value, label)
    clean = gate_of(service).clean_text(name)
    if "[REDACTED" in clean and "[REDACTED" not in name:
        raise InvalidInput(f"the {label} contains what looks like a secret", code="secret_in_name")
    return usable_name(clean, label)


def _resolve(
    reader: Reader, service: Service, entity: object, type: str | None, selection: Selection
) -> tuple[Memory, View]:
    """Returns an entity by its id, in any place, or by its name in a place; and the view that sees it."""
    principal, now = service.principal, service.clock()
    if not isinstance(entity, str) or not entity.strip() or len(entity) > 1_000:
        raise _entity_not_found(entity)
    if len(entity) == _ID_LENGTH and entity.isprintable():
        by_id = reader.get(personal_view(principal, ANY_STATE), entity)
        if by_id is not None and by_id.kind == "entity" and _checked_type(type) in (None, type_of(by_id)):
            return by_id, personal_view(principal, Filter())
    view = view_of(reader, principal, selection)
    matches = [
        memory
        for memory in _entities_named(reader, view, entity, now)
        if _checked_type(type) in (None, type_of(memory))
    ]
    if not matches:
        raise _entity_not_found(entity)
    types = sorted({type_of(memory) or "" for memory in matches})
    if len(types) > 1:
        raise Conflict(
            f"there are entities {safe_repr(entity)} of the types {', '.join(types)}",
            code="entity_ambiguous",
            hint="pass the type, or the id",
        )
    return preferred_entity(matches, principal.user), view


def _entities_named(reader: Reader, view: View, name: str, now: int) -> list[Memory]:
    if not isinstance(name, str):
        raise InvalidInput(f"a name must be text, not {safe_repr(name)}", code="argument_invalid")
    return reader.entities_named(view, [folded(normalise(name).text)], now=now)


def _load_entities(
    reader: Reader, service: Service, view: View, memories: Sequence[Memory]
) -> tuple[Entity, ...]:
    """Returns entities with the observations and mentions that the view shows."""
    now = service.clock()
    ids = [memory.id for memory in memories]
    observations = reader.links(_of_kind(view, "observation"), ids, limit=OBSERVATIONS_MAX, now=now)
    return entities_of(memories, observations, reader.mentions(view, ids, now=now))


def _of_kind(view: View, kind: str) -> View:
    return view.narrowed(replace(view.filter, kinds=frozenset({kind})))


def _checked_type(value: str | None) -> str | None:
    return None if value is None else usable_name(value, "type")


def _entity_not_found(entity: object) -> NotFound:
    return NotFound(f"there is no entity {safe_repr(entity, 60)}", code="entity_not_found")
