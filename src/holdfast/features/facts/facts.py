"""Facts about lists and preferences of the user: read, edited, and used in answers without a model."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from holdfast.core.arguments import checked_count, checked_limit
from holdfast.core.errors import InvalidInput, NotFound
from holdfast.core.facts import (
    RANK_MAX,
    RANKED_MAX,
    SINGLE_MAX,
    Act,
    Answer,
    Fact,
    FactChange,
    FactEdit,
    MessageStatement,
    QuestionType,
    Request,
    Statement,
)
from holdfast.core.hits import Hit, Hits
from holdfast.core.times import When, to_millis
from holdfast.core.views import View, personal_view
from holdfast.features.access.permission import why_not_change
from holdfast.features.access.places import Selection, view_of
from holdfast.features.recall import recall, uses
from holdfast.features.service import Service
from holdfast.language.facts.lists import Board, boards, folded
from holdfast.language.facts.route import route
from holdfast.language.facts.statements import clean_value
from holdfast.language.facts.topics import Topic
from holdfast.language.facts.words import word_of_rank
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
    keys = None if topic is None else [service.topics.named(topic).key]
    with service.store.read() as snap:
        boards_by_topic = _read_boards(snap, service, selection, keys)
    facts = [fact for key in sorted(boards_by_topic) for fact in boards_by_topic[key].facts]
    return tuple(fact for fact in facts if limit is None or (fact.rank or 1) <= limit)


def get_fact(service: Service, topic: str, rank: int | None, selection: Selection) -> Fact:
    """Returns the value of one rank, or without a rank the single preference. Raises NotFound
    `fact_not_found`."""
    key = service.topics.named(topic).key
    if rank is not None:
        _checked_rank(rank)
    with service.store.read() as snap:
        board = _read_boards(snap, service, selection, [key]).get(key, Board(key))
    fact = board.preference if rank is None else board.at(rank)
    if fact is None:
        raise NotFound(NOT_STORED, code="fact_not_found")
    return fact


def fact_history(service: Service, topic: str, selection: Selection) -> tuple[FactChange, ...]:
    """Returns every change of a topic, oldest first."""
    key = service.topics.named(topic).key
    with service.store.read() as snap:
        return tuple(_read_boards(snap, service, selection, [key]).get(key, Board(key)).changes)


def _read_boards(
    reader: Reader, service: Service, selection: Selection, keys: Collection[str] | None
) -> dict[str, Board]:
    """Returns the values in a place, by topic: of one conversation if a session is named, else of all
    (S1.34)."""
    view = _view(reader, service, selection)
    if view is None:
        return {}
    return boards(reader.facts(view, keys, now=service.clock()))


def _view(reader: Reader, service: Service, selection: Selection) -> View | None:
    view = view_of(reader, service.principal, selection)
    if selection.session is None:
        return view
    session = reader.session(personal_view(service.principal), selection.session)
    return None if session is None else view.narrowed(replace(view.filter, session=session.number))


# editing: each edit is a message that states it, so it is admitted, audited and erased like any other


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
    registered = service.topics.named(topic)
    if rank is None:
        return _apply(service, registered, [(Act.SINGLE, value, None)], telling)
    return _apply(service, registered, [(Act.SET, value, _checked_rank(rank))], telling)


def replace_list(service: Service, topic: str, values: Sequence[str], telling: Telling) -> FactEdit:
    """Replaces the whole list (S1.21)."""
    ranked = [(Act.LIST, value, rank) for rank, value in enumerate(_checked_values(values), 1)]
    return _apply(service, service.topics.named(topic), ranked, telling)


def add_values(service: Service, topic: str, values: Sequence[str], telling: Telling) -> FactEdit:
    """Appends values; one that is in the list stays where it is, and a note says so (S1.35)."""
    added = [(Act.ADD, value, None) for value in _checked_values(values)]
    return _apply(service, service.topics.named(topic), added, telling)


def move_value(service: Service, topic: str, value: str, rank: int, telling: Telling) -> FactEdit:
    """Moves a value to a rank, or inserts it there; the others shift (S1.35)."""
    return _apply(service, service.topics.named(topic), [(Act.PLACE, value, _checked_rank(rank))], telling)


def remove_value(service: Service, topic: str, value: str, telling: Telling) -> FactEdit:
    """Removes a value from the list. The messages that stated it stay, and so does the history."""
    return _apply(service, service.topics.named(topic), [(Act.REMOVE, value, None)], telling)


def _apply(
    service: Service, topic: Topic, operations: Sequence[tuple[Act, str, int | None]], telling: Telling
) -> FactEdit:
    from holdfast.features.admission.draft import Draft
    from holdfast.features.memories.remember import remember
    from holdfast.language.facts.wording import message_stating

    statements = tuple(
        Statement(topic.key, act, _checked_value(value, act), rank) for act, value, rank in operations
    )
    text = message_stating(statements, service.topics)
    if service.principal.is_machine:
        _check_may_state(service, topic, statements, telling)
    outcome = remember(
        service,
        Draft(
            text,
            kind="message",
            role="user",
            project=telling.project,
            session=telling.session,
            workspace=telling.workspace,
            visibility=telling.visibility,
            external_id=telling.external_id,
            at=telling.at,
        ),
    )
    selection = Selection(telling.project, telling.session, telling.workspace)
    with service.store.read() as snap:
        view = _view(snap, service, selection)
        stated = [] if view is None else snap.facts(view, [topic.key], now=service.clock())
    board = Board(topic.key)
    notes: list[str] = []
    for statement in stated:
        before = len(board.notes)
        board.apply(statement)
        if outcome.memory is not None and statement.message == outcome.memory.id:
            notes += board.notes[before:]
    return FactEdit(tuple(board.facts), tuple(notes))


def _check_may_state(
    service: Service, topic: Topic, statements: Sequence[Statement], telling: Telling
) -> None:
    """Raises Refusal `edited_by_person` if a machine's edit would remove or move a value from a message that
    a person pinned or edited (S4.53)."""
    now = service.clock()
    with service.store.read() as snap:
        view = _view(snap, service, Selection(telling.project, telling.session, telling.workspace))
        stated = [] if view is None else snap.facts(view, [topic.key], now=now)
        messages = (
            snap.several(view, sorted({statement.message for statement in stated}), now=now) if view else []
        )
    refusals = {
        message.id: refusal
        for message in messages
        if (refusal := why_not_change(service.principal, message)) is not None
    }
    at = now if telling.at is None else to_millis(telling.at, name="at")
    new = [MessageStatement(statement, "", at) for statement in statements]
    after = boards(sorted([*stated, *new], key=lambda statement: statement.at))[topic.key]
    remaining = {(fact.rank, fact.value) for fact in _facts_of(after)}
    for fact in _facts_of(boards(stated).get(topic.key, Board(topic.key))):
        if fact.message in refusals and (fact.rank, fact.value) not in remaining:
            raise refusals[fact.message]


def _facts_of(board: Board) -> list[Fact]:
    return [*board.ranked, *filter(None, [board.preference])]


def _checked_rank(rank: object) -> int:
    if isinstance(rank, bool) or not isinstance(rank, int) or not 1 <= rank <= RANK_MAX:
        raise InvalidInput(f"a rank must be a whole number from 1 to {RANK_MAX}", code="argument_invalid")
    return rank


def _checked_values(values: object) -> list[str]:
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
    if not isinstance(value, str):
        raise InvalidInput(f"a value must be text, not {type(value).__name__}", code="text_not_string")
    clean = clean_value(value, SINGLE_MAX if act is Act.SINGLE else RANKED_MAX)
    if not clean:
        raise InvalidInput("the value is empty", code="text_empty")
    return clean


# asking


def ask(service: Service, text: str, selection: Selection, *, limit: int = 10) -> Answer:
    """Answers a question: an ordinal or a list from facts, or with the statement that nothing is stored;
    everything else by recall (S1.24, S1.32). Nothing is guessed, and no model is used."""
    text = recall.checked_query(text)
    checked_count(limit, "limit")
    requests = route(text, service.topics)
    if not requests:
        hits = recall.recall(service, text, selection, limit=limit, flagged=False)
        text = "\n\n".join(
            f"{hit.citation} ({hit.memory.provenance}) {hit.passage or hit.memory.text}" for hit in hits
        )
        return Answer(text, False, False, False, hits)
    checked_limit(limit)
    now = service.clock()
    with service.store.read() as snap:
        boards_by_topic = _read_boards(snap, service, selection, None)
        answering = _AnswerBuilder(service, boards_by_topic, selection)
        texts = [answering.answer(request) for request in requests]
        if answering.unclear:
            return Answer(service.topics.question, False, False, True, Hits(()))
        view = view_of(snap, service.principal, selection)
        memories = {memory.id: memory for memory in snap.several(view, list(answering.cited), now=now)}
    hits = Hits(
        tuple(
            Hit(memories[id], 1.0, f"[M{place}]", {"fact": 1.0}, memories[id].text)
            for id, place in answering.cited.items()
            if id in memories
        ),
        len(memories),
    )
    uses.note(service, [hit.memory.id for hit in hits], now)
    return Answer("\n".join(texts), bool(answering.cited), answering.missing, False, hits)


def is_known(service: Service, text: str, selection: Selection) -> bool:
    """Returns whether `ask` would find anything there. No use is counted."""
    requests = route(recall.checked_query(text), service.topics)
    if not requests:
        return bool(recall.search(service, text, selection, limit=1).ranked)
    with service.store.read() as snap:
        answering = _AnswerBuilder(service, _read_boards(snap, service, selection, None), selection)
        for request in requests:
            answering.answer(request)
    return bool(answering.cited)


class _AnswerBuilder:
    """Answers requests one by one and collects the messages that are cited."""

    def __init__(self, service: Service, boards_by_topic: dict[str, Board], selection: Selection) -> None:
        self._topics = service.topics
        self._boards = boards_by_topic
        self.cited: dict[str, int] = {}
        self.missing = False
        self.unclear = False
        spoken = [
            board for board in boards_by_topic.values() if board.items and selection.session is not None
        ]
        latest = max(spoken, key=lambda board: board.ranked_at, default=None)
        # of one conversation only: elsewhere the latest topic may be of another one (S1.30)
        self._latest = None if latest is None else latest.topic

    def answer(self, request: Request) -> str:
        """Returns the text of one answer (S1.31–S1.33)."""
        key = request.topic or self._latest
        if key is None:
            self.unclear = True
            return ""
        topic, board = self._topics[key], self._boards.get(key, Board(key))
        if request.asked is QuestionType.LIST:
            return self._answer_list(topic, board, request)
        if request.asked is QuestionType.COUNT:
            return self._answer_count(topic, board)
        if request.asked is QuestionType.BEST:
            first = board.first
            if first is not None and first.rank is None:
                return f"Your {topic.label} is **{first.value}**. {self._cite(first)}"
            return (
                self._answer_missing()
                if first is None
                else self._format_ranked(topic, first, word_of_rank(1))
            )
        if request.asked is QuestionType.LEAST and not board.is_ranked:
            return self._answer_missing()
        return self._answer_rank(topic, board, request)

    def _answer_rank(self, topic: Topic, board: Board, request: Request) -> str:
        """Returns the value of one rank, from the top or from the end."""
        rank, last = request.rank or 1, len(board.items)
        if 1 <= rank <= last:
            fact = board.at(last + 1 - rank if request.from_end else rank)
            if fact is None:  # other ranks are stored, this one is not
                return self._answer_missing()
            return self._format_ranked(
                topic, fact, _word_from_end(rank) if request.from_end else word_of_rank(rank)
            )
        if rank == 1 and board.preference is not None and not request.from_end:
            return f"Your {topic.label} is **{board.preference.value}**. {self._cite(board.preference)}"
        if request.from_end and not last:
            return self._answer_missing()
        return self._answer_beyond(
            topic, board, f"{word_of_rank(rank)} one{' from the end' * request.from_end}"
        )

    def _answer_list(self, topic: Topic, board: Board, request: Request) -> str:
        """Returns lines with their ranks: all, the first or last ones, or those from one rank to another."""
        ranked, alone = board.ranked, board.preference
        first = request.rank or 1
        if request.from_end:
            facts = ranked[-request.limit :] if request.limit else ranked
        else:
            end = request.limit or len(board.items)
            facts = [fact for fact in ranked if first <= (fact.rank or 0) <= end]
        for fact in facts:
            self._cite(fact)
        if facts:
            return "\n".join(f"{fact.rank}) {fact.value}" for fact in facts)
        if first > len(board.items) and first > 1:
            return self._answer_beyond(topic, board, f"{word_of_rank(first)} one")
        if alone is None or ranked or request.from_end:
            return self._answer_missing()
        self._cite(alone)
        return f"1) {alone.value}"

    def _answer_count(self, topic: Topic, board: Board) -> str:
        """Returns the number of stored values."""
        facts = board.ranked or list(filter(None, [board.preference]))
        for fact in facts:
            self._cite(fact)
        return f"You have {_amount(len(facts), topic)} stored." if facts else self._answer_missing()

    def _answer_beyond(self, topic: Topic, board: Board, missing: str) -> str:
        """Returns the answer to a rank beyond the end of the list (S1.33)."""
        count = len(board.ranked) or (1 if board.preference else 0)
        if not count:
            return self._answer_missing()
        self.missing = True
        return f"I only have {_amount(count, topic)} stored, so there is no {missing} yet."

    def _format_ranked(self, topic: Topic, fact: Fact, word: str) -> str:
        return f"Your {topic.label} ranked {word} is **{fact.value}**. {self._cite(fact)}"

    def _answer_missing(self) -> str:
        self.missing = True
        return NOT_STORED

    def _cite(self, fact: Fact) -> str:
        place = self.cited.setdefault(fact.message, len(self.cited) + 1)
        return f"[M{place}]"


def _amount(count: int, topic: Topic) -> str:
    return f"{count} {topic.label if count == 1 else topic.plural}"


def _word_from_end(rank: int) -> str:
    """Returns "last", "second to last", "third to last" and so on."""
    return "last" if rank == 1 else f"{word_of_rank(rank)} to last"
