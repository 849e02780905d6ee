"""Facts, that is ranked lists and single preferences: the operations of `Memory.facts`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from holdfast.api.operation import Area, operation
from holdfast.api.places import Place
from holdfast.core.facts import Fact, FactChange, FactEdit
from holdfast.core.times import When
from holdfast.features.access.access import Need
from holdfast.features.access.places import Selection
from holdfast.features.facts import facts
from holdfast.language.facts.topics import Topic


class FactPlace(Place, total=False):
    """The place and time of a statement, and who sees it."""

    visibility: str | None
    external_id: str | None
    at: When | None


class Facts(Area):
    """Ranked lists and single preferences that the user stated, such as favorite colors.

    Facts are extracted from what the user said when it is stored. A call to set them is recorded as a
    statement with who made it, which is no message and is not recalled. A topic is any noun phrase, or its
    key: `hiking boots`, `favorite_hiking_boots`; `disliked colors` is what is not liked. With a session,
    statements of this conversation count; without one, statements anywhere in the project, or in the shared
    pool.
    """

    @operation("GET /facts", Need.READ, command="facts list", key="facts", errors=(409,))
    def list(
        self,
        topic: str | None = None,
        *,
        as_of: When | None = None,
        limit: int | None = None,
        **place: Unpack[Place],
    ) -> tuple[Fact, ...]:
        """Returns the current facts of a topic by rank, or of all topics. `limit` returns only the first
        ranks, `as_of` the facts that were valid at that time. Raises InvalidInput `topic_unknown`.
        """
        return facts.list_facts(self._service, topic, Selection(**place, as_of=as_of), limit=limit)

    @operation("GET /facts/value", Need.READ, command="facts get", errors=(404, 409))
    def get(
        self,
        topic: str,
        rank: int | None = None,
        *,
        as_of: When | None = None,
        **place: Unpack[Place],
    ) -> Fact:
        """Returns the value of one rank, or without a rank the single preference. Raises NotFound."""
        return facts.get_fact(self._service, topic, rank, Selection(**place, as_of=as_of))

    @operation("POST /facts/set", Need.WRITE, command="facts set", errors=(404,))
    def set(
        self,
        topic: str,
        value: str,
        rank: int | None = None,
        **place: Unpack[FactPlace],
    ) -> FactEdit:
        """Stores the value of a rank, or without a rank the single preference. The latest statement by `at`
        counts. A rank beyond the end of the list appends the value.
        """
        return facts.set_fact(self._service, topic, value, rank, facts.Telling(**place))

    @operation("POST /facts/replace", Need.WRITE, command="facts replace", errors=(404,))
    def replace(
        self,
        topic: str,
        values: Sequence[str],
        **place: Unpack[FactPlace],
    ) -> FactEdit:
        """Replaces a whole list."""
        return facts.replace_list(self._service, topic, values, facts.Telling(**place))

    @operation("POST /facts/add", Need.WRITE, command="facts add", errors=(404,))
    def add(
        self,
        topic: str,
        values: Sequence[str],
        **place: Unpack[FactPlace],
    ) -> FactEdit:
        """Appends values to a list. A value that is already in it keeps its rank, and a note says so."""
        return facts.add_values(self._service, topic, values, facts.Telling(**place))

    @operation("POST /facts/move", Need.WRITE, command="facts move", errors=(404,))
    def move(
        self,
        topic: str,
        value: str,
        rank: int,
        **place: Unpack[FactPlace],
    ) -> FactEdit:
        """Moves a value to a rank, or inserts it there. The other values shift, and ranks stay contiguous."""
        return facts.move_value(self._service, topic, value, rank, facts.Telling(**place))

    @operation("POST /facts/remove", Need.WRITE, command="facts remove", errors=(404,))
    def remove(
        self,
        topic: str,
        value: str,
        **place: Unpack[FactPlace],
    ) -> FactEdit:
        """Removes a value, or a position such as `#2`, from a list. What stated it stays in the history;
        `Memory.forget` a message to undo its statement.
        """
        return facts.remove_value(self._service, topic, value, facts.Telling(**place))

    @operation("POST /facts/clear", Need.WRITE, command="facts clear", errors=(404,))
    def clear(self, topic: str, **place: Unpack[FactPlace]) -> FactEdit:
        """Removes all values of a topic. What stated them stays in the history."""
        return facts.clear(self._service, topic, facts.Telling(**place))

    @operation("GET /facts/history", Need.READ, command="facts history", key="changes", errors=(409,))
    def history(
        self,
        topic: str,
        **place: Unpack[Place],
    ) -> tuple[FactChange, ...]:
        """Returns every change of a topic, oldest first, with what stated it."""
        return facts.fact_history(self._service, topic, Selection(**place))

    @operation("GET /facts/topics", Need.READ, command="facts topics", key="topics")
    def topics(self) -> tuple[Topic, ...]:
        """Returns the registered topics: the built-in ones and those of the setting `topics`. Any other noun
        phrase is a topic as well.
        """
        return facts.known_topics(self._service)
