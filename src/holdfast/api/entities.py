"""The entity graph: the operations of `Memory.entities`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from holdfast.api.operation import Area, Parameter, operation
from holdfast.api.places import Place
from holdfast.core.graph import Drawing, Entity, EntityPage, Graph
from holdfast.core.record import Kept
from holdfast.core.times import When
from holdfast.features.access.access import Need
from holdfast.features.access.places import Selection
from holdfast.features.graph import graph


class Provenance(Place, total=False):
    """The place and origin of something that is stored, and who sees it."""

    visibility: str | None
    origin: str | None
    confidence: float | None
    evidence: Mapping[str, Any] | None
    source: str | None


class Statement(Provenance, total=False):
    """The place, origin and time of a statement, and who sees it."""

    at: When | None


class Entities(Area):
    """The entity graph: entities, observations about them, and relations between them.

    An entity is named by its id, or by its name in a place: a project, the project of a session, or the
    shared pool.
    """

    @operation("POST /entities", Need.WRITE, command="entities create", keeps=True, errors=(404,))
    def create(
        self,
        name: str,
        type: str = "concept",
        *,
        notes: str | None = None,
        **provenance: Unpack[Provenance],
    ) -> Kept:
        """Creates an entity, or returns the one with this name and type. `notes`, if given, replace those
        of an existing entity.
        """
        return graph.create(self._service, name, type, notes, graph.Statement(**provenance))

    @operation("GET /entities/{entity}", Need.READ, command="entities show", errors=(409,), tail=True)
    def get(
        self,
        entity: str,
        *,
        type: str | None = None,
        **place: Unpack[Place],
    ) -> Entity:
        """Returns one entity with its observations. Raises NotFound, or Conflict if entities of several
        types have the name and no type is given.
        """
        return graph.get(self._service, entity, type, Selection(**place))

    @operation("GET /entities", Need.READ, command="entities list", errors=(409,))
    def list(
        self,
        *,
        name: str | None = None,
        type: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
        **place: Unpack[Place],
    ) -> EntityPage:
        """Returns entities of a place with their observations, newest first, page by page. With a `name`,
        returns all that have it, on one page.
        """
        return graph.page(self._service, name, type, Selection(**place), limit=limit, cursor=cursor)

    @operation("POST /entities/search", Need.READ, command="entities search", key="entities")
    def search(
        self,
        query: str,
        *,
        type: str | None = None,
        limit: int = 10,
        **place: Unpack[Place],
    ) -> tuple[Entity, ...]:
        """Returns the entities that match a query best, best first. Searches their names, notes,
        observations and relations.
        """
        return graph.search(self._service, query, type, Selection(**place), limit=limit)

    @operation(
        "POST /entities/{entity}/observe", Need.WRITE, command="entities observe", key="results", tail=True
    )
    def observe(
        self,
        entity: str,
        texts: Sequence[str],
        *,
        type: str | None = None,
        **statement: Unpack[Statement],
    ) -> Sequence[Kept]:
        """Stores observations about an entity: one memory and one outcome for each text. Each is recalled,
        revised and forgotten like any other memory. Raises NotFound.
        """
        return graph.observe(self._service, entity, texts, type, graph.Statement(**statement))

    @operation(
        "POST /entities/{entity}/unobserve",
        Need.WRITE,
        command="entities unobserve",
        key="memories",
        erases="hard",
        tail=True,
    )
    def unobserve(
        self,
        entity: str,
        texts: Sequence[str],
        *,
        type: str | None = None,
        hard: bool = False,
        **place: Unpack[Place],
    ) -> int:
        """Forgets observations by their texts, or with `hard` erases them. Returns the number of
        observations. Raises NotFound if there is no such entity.
        """
        return graph.unobserve(self._service, entity, texts, type, Selection(**place), hard=hard)

    @operation("POST /entities/relate", Need.WRITE, command="entities relate", keeps=True, errors=(404,))
    def relate(
        self,
        subject: str,
        type: str,
        target: str,
        **statement: Unpack[Statement],
    ) -> Kept:
        """Stores a relation between two entities, such as ("Ada", "works_at", "Acme"). A relation that
        exists is a duplicate. Both entities must be in the same project, and only users who see both see
        the relation. Raises NotFound, InvalidInput.
        """
        return graph.relate(self._service, subject, type, target, graph.Statement(**statement))

    @operation(
        "POST /entities/unrelate",
        Need.WRITE,
        command="entities unrelate",
        key="memories",
        erases="hard",
        errors=(404,),
    )
    def unrelate(
        self,
        subject: str,
        type: str,
        target: str,
        *,
        hard: bool = False,
        **place: Unpack[Place],
    ) -> int:
        """Forgets a relation, or with `hard` erases it. Returns the number of relations: one stated
        privately and to the team is two. Raises NotFound.
        """
        return graph.unrelate(self._service, subject, type, target, Selection(**place), hard=hard)

    @operation("POST /entities/neighbourhood", Need.READ, command="entities neighbourhood", errors=(404,))
    def neighbourhood(
        self,
        entities: str | Sequence[str],
        *,
        limit: int = 50,
        **place: Unpack[Place],
    ) -> Graph:
        """Returns entities, all entities one relation away, and these relations, newest first up to
        `limit`. Raises NotFound.
        """
        return graph.neighbourhood(self._service, entities, Selection(**place), limit=limit)

    @operation(
        "GET /graph", Need.READ, why="a drawing, for programs that draw", errors=(409,),
        params={"limit": Parameter("The maximum number of entities.", minimum=1, maximum=5_000)},
    )  # fmt: skip
    def drawing(self, *, limit: int = 5_000, **place: Unpack[Place]) -> Drawing:
        """Returns the entities of a place with positions for a drawing, those with most relations first, and
        the relations among them. The same graph always has the same positions.
        """
        return graph.drawing(self._service, Selection(**place), limit=limit)

    @operation(
        "DELETE /entities/{entity}",
        Need.WRITE,
        command="entities delete",
        status=204,
        erases="hard",
        tail=True,
    )
    def delete(
        self,
        entity: str,
        *,
        type: str | None = None,
        hard: bool = False,
        reason: str | None = None,
        **place: Unpack[Place],
    ) -> None:
        """Forgets an entity with its observations and relations; `Memory.restore` brings them back. With
        `hard` every byte is erased. Raises NotFound.
        """
        graph.delete(self._service, entity, type, Selection(**place), hard=hard, reason=reason)
