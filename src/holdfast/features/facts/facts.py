"""Facts about lists and preferences of the user: read and edited."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from holdfast.core.arguments import checked_limit
from holdfast.core.errors import InvalidInput, NotFound, Refusal
from holdfast.core.facts import (
    RANK_MAX,
    RANKED_MAX,
    SINGLE_MAX,
    Act,
    Fact,
    FactChange,
    FactEdit,
    Stated,
    Statement,
)
from holdfast.core.kinds import STATEMENT
from holdfast.core.places import NAME_MAX, usable_name
from holdfast.core.times import When, to_millis
from holdfast.core.views import View, personal_view
from holdfast.features.access.permission import why_not_change
from holdfast.features.access.places import Selection, view_of
from holdfast.features.service import Service
from holdfast.language.facts.boards import boards
from holdfast.language.facts.lists import Board, folded, position_named
from holdfast.language.facts.topics import Topic, alike, stem_of
from holdfast.language.facts.values import clean_value
from holdfast.stores.base.ports import Reader

NOT_STORED = "I don't have that stored yet."
"""The answer if nothing is stored (S1.32)."""


# reading


def known_topics(service: Service) -> tuple[Topic, ...]:
    """Returns the topics of the registry."""
    return service.topics.all


def list_facts(
    service: Service, topic: str | None, selection: Selection, *, limit: int | None = None
) -> tuple[Fact, ...]:
    """Returns the values of a topic by rank, followed by the single preference unless it counts as rank 1; of
    all topics if none is named (S1.29)."""
    if limit is not None:
        checked_limit(limit)
    with service.store.read() as snap:
        boards = read_boards(snap, service, selection)
    chosen = [boards[key] for key in sorted(boards)]
    if topic is not None:
        chosen = [board_of(boards, service.topics.resolve(topic))]
    facts = [fact for board in chosen for fact in board.facts]
    return tuple(fact for fact in facts if limit is None or (fact.rank or 1) <= limit)


def get_fact(service: Service, topic: str, rank: int | None, selection: Selection) -> Fact:
    """Returns the value of one rank, or without a rank the single preference. Raises NotFound
    `fact_not_found`."""
    registered = service.topics.resolve(topic)
    if rank is not None:
        _checked_rank(rank)
    with service.store.read() as snap:
        board = board_of(read_boards(snap, service, selection), registered)
    fact = board.preference if rank is None else board.at(rank)
    if fact is None:
        raise NotFound(NOT_STORED, code="fact_not_found")
    return fact


def fact_history(service: Service, topic: str, selection: Selection) -> tuple[FactChange, ...]:
    """Returns every change of a topic, oldest first."""
    registered = service.topics.resolve(topic)
    with service.store.read() as snap:
        return tuple(board_of(read_boards(snap, service, selection), registered).changes)


def read_boards(reader: Reader, service: Service, selection: Selection) -> dict[str, Board]:
    """Returns the values in a place, by topic: of one conversation if a session is named, else of all
    (S1.34)."""
    view = view_in(reader, service, selection)
    if view is None:
        return {}
    return boards(reader.facts(view, now=service.clock()), service.topics)


def board_of(by_topic: dict[str, Board], topic: Topic) -> Board:
    """Returns the values of a topic, whether it was named in the singular or the plural."""
    return _existing_board(by_topic, topic.key) or Board(topic.key)


def board_like(by_topic: dict[str, Board], topic: Topic) -> Board:
    """Returns the values of a topic; where it has none, of one that means the same (films for movies)."""
    boards = (_existing_board(by_topic, key) for key in (topic.key, *alike(topic.key)))
    return next(filter(None, boards), Board(topic.key))


def _existing_board(by_topic: dict[str, Board], key: str) -> Board | None:
    stem = stem_of(key)
    return next((board for name, board in by_topic.items() if stem_of(name) == stem), None)


def view_in(reader: Reader, service: Service, selection: Selection) -> View | None:
    """Returns the view of a place, narrowed to a conversation if one is named; None if there is none."""
    view = view_of(reader, service.principal, selection)
    if selection.session is None:
        return view
    session = reader.session(personal_view(service.principal), selection.session)
    return None if session is None else view.narrowed(replace(view.filter, session=session.number))


# editing: each call is recorded by a memory of kind `statement`, admitted, audited and erased like any other


@dataclass(frozen=True, slots=True)
class Telling:
    """The place and time of a statement."""

    project: str | None = None
    session: str | None = None
    workspace: str | None = None
    visibility: str | None = None
    external_id: str | None = None
    at: When | None = None


def set_fact(service: Service, topic: str, value: str, rank: int | None, telling: Telling) -> FactEdit:
    """Stores the value of a rank, or without one the single preference; the later one by `at` wins (S1.20,
    S1.22)."""
    if rank is None:
        return _apply(service, topic, telling, (Act.SINGLE, value))
    return _apply(service, topic, telling, (Act.SET, value, _checked_rank(rank)))


def replace_list(service: Service, topic: str, values: Sequence[str], telling: Telling) -> FactEdit:
    """Replaces the whole list (S1.21)."""
    ranked = [(Act.LIST, value, rank) for rank, value in enumerate(_checked_values(values), 1)]
    return _apply(service, topic, telling, *ranked)


def add_values(service: Service, topic: str, values: Sequence[str], telling: Telling) -> FactEdit:
    """Appends values; one that is in the list stays where it is, and a note says so (S1.35)."""
    return _apply(service, topic, telling, *((Act.ADD, value) for value in _checked_values(values)))


def move_value(service: Service, topic: str, value: str, rank: int, telling: Telling) -> FactEdit:
    """Moves a value to a rank, or inserts it there; the others shift (S1.35)."""
    return _apply(service, topic, telling, (Act.PLACE, value, _checked_rank(rank)))


def remove_value(service: Service, topic: str, value: str, telling: Telling) -> FactEdit:
    """Removes a value, or a position such as `#2`, from the list. What stated it stays, and so does the
    history."""
    return _apply(service, topic, telling, (Act.REMOVE, value))


def clear(service: Service, topic: str, telling: Telling) -> FactEdit:
    """Removes all values of a topic. What stated them stays, and so does the history."""
    return _apply(service, topic, telling, (Act.CLEAR,))


def _apply(service: Service, topic: str, telling: Telling, *operations: tuple[Any, ...]) -> FactEdit:
    """Stores operations on a list as one statement; returns the list after them, and what they changed."""
    from holdfast.features.admission.draft import Draft
    from holdfast.features.memories.remember import remember
    from holdfast.language.facts import notation

    key = service.topics.resolve(topic).key
    statements = tuple(
        Statement(key, act, _checked_value(value, act), rank)
        for act, value, rank in ((*operation, None, None)[:3] for operation in operations)
    )
    if service.principal.is_machine:
        _check_may_state(service, statements, telling)
    external_id = telling.external_id
    outcome = remember(
        service,
        Draft(
            notation.written(statements),
            kind=STATEMENT,
            project=telling.project,
            session=telling.session,
            workspace=telling.workspace,
            visibility=telling.visibility,
            external_id=_external_id(external_id, statements[0]),
            metadata={"via": service.interface} | ({"message": external_id} if external_id else {}),
            at=telling.at,
        ),
    )
    if outcome.memory is None:
        raise Refusal(outcome.reason, code=outcome.code or "text_empty")
    selection = Selection(telling.project, telling.session, telling.workspace)
    with service.store.read() as snap:
        view = view_in(snap, service, selection)
        stated = [] if view is None else snap.facts(view, now=service.clock())
    before = boards((fact for fact in stated if fact.memory != outcome.memory.id), service.topics)
    registered = service.topics[key]
    board = board_of(boards(stated, service.topics), registered)
    return FactEdit(tuple(board.facts), tuple(board.notes[len(board_of(before, registered).notes) :]))


def _external_id(id: str | None, statement: Statement) -> str | None:
    """Returns the external id of the record: a message may state several values, each by a call of its own,
    and the same call again changes nothing (S1.19)."""
    if id is None:
        return None
    usable_name(id, "external id")
    whole = f"{id} {statement.topic} {statement.rank or statement.act}"
    return whole if len(whole) <= NAME_MAX else hashlib.sha256(whole.encode()).hexdigest()


def _check_may_state(service: Service, statements: Sequence[Statement], telling: Telling) -> None:
    """Raises Refusal `edited_by_person` if a machine's edit would remove or move a value that a memory states
    which a person pinned or edited (S4.53)."""
    now = service.clock()
    with service.store.read() as snap:
        view = view_in(snap, service, Selection(telling.project, telling.session, telling.workspace))
        stated = [] if view is None else snap.facts(view, now=now)
        memories = snap.several(view, sorted({fact.memory for fact in stated}), now=now) if view else []
    refusals = {
        memory.id: refusal
        for memory in memories
        if (refusal := why_not_change(service.principal, memory)) is not None
    }
    at = now if telling.at is None else to_millis(telling.at, name="at")
    new = [Stated(statement, "", at) for statement in statements]
    topic = Topic(statements[0].topic, "", "", ())
    after = boards(sorted([*stated, *new], key=lambda statement: statement.at), service.topics)
    remaining = {(fact.rank, fact.value) for fact in _facts_of(board_of(after, topic))}
    for fact in _facts_of(board_of(boards(stated, service.topics), topic)):
        if fact.memory in refusals and (fact.rank, fact.value) not in remaining:
            raise refusals[fact.memory]


def _facts_of(board: Board) -> list[Fact]:
    return [*board.ranked, *filter(None, [board.preference])]


def _checked_rank(rank: object) -> int:
    if isinstance(rank, bool) or not isinstance(rank, int) or not 1 <= rank <= RANK_MAX:
        raise InvalidInput(f"a rank must be a whole number from 1 to {RANK_MAX}", code="argument_invalid")
    return rank


def _checked_values(values: object) -> list[str]:
    """Returns the values of a list of facts. Raises InvalidInput."""
    if (
        isinstance(values, str | bytes)
        or not isinstance(values, Sequence)
        or not 1 <= len(values) <= RANK_MAX
    ):
        raise InvalidInput(f"values must be a list of 1 to {RANK_MAX} texts", code="argument_invalid")
    once: dict[str, str] = {}
    for value in values:
        if not isinstance(value, str):
            raise InvalidInput(f"a value must be text, not {type(value).__name__}", code="text_not_string")
        once.setdefault(folded(value), value)
    return list(once.values())


def _checked_value(value: object, act: Act) -> str:
    """Returns a value without control characters and outer punctuation, cut to the maximum length (S1.39)."""
    if act is Act.CLEAR:
        return ""
    if not isinstance(value, str):
        raise InvalidInput(f"a value must be text, not {type(value).__name__}", code="text_not_string")
    if act in (Act.REMOVE, Act.PLACE) and position_named(value.strip()):
        return value.strip()
    clean = clean_value(value, SINGLE_MAX if act is Act.SINGLE else RANKED_MAX)
    if not clean:
        raise InvalidInput("the value is empty", code="text_empty")
    return clean
