"""Questions that are answered from facts, without a model, and all others by recall."""

from __future__ import annotations

import re
from dataclasses import replace

from holdfast.core.arguments import checked_count, checked_limit
from holdfast.core.facts import Act, Answer, Fact, QuestionType, Request, Stated
from holdfast.core.hits import Hit, Hits
from holdfast.core.kinds import SAID
from holdfast.core.record import Origin
from holdfast.core.times import to_iso
from holdfast.features.access.places import Selection, view_of
from holdfast.features.facts.facts import NOT_STORED, board_like, read_boards, view_in
from holdfast.features.recall import recall, uses
from holdfast.features.recall.search import search
from holdfast.features.service import Service
from holdfast.language.facts.asking import FactQuestion, may_ask, requests_in
from holdfast.language.facts.lists import Board
from holdfast.language.facts.statements import statements_of
from holdfast.language.facts.topics import Topic
from holdfast.language.facts.words import word_of_rank
from holdfast.stores.base.ports import Reader

LATEST = 6
"""Messages in which it is looked up whether a conversation is about a list."""
NUMBERED = 200
"""Messages in which it is looked up whether a number beyond the end of a list is that of something else."""
ACKNOWLEDGED = 20
"""Characters of a message such as "ok, thanks", which changes no subject."""

_BRITISH = re.compile(r"\bfavourite|colour", re.IGNORECASE)
_AMERICAN = re.compile(r"\b((?:fa|fla)vo|colo)r")


def ask(service: Service, text: str, selection: Selection, *, limit: int = 10) -> Answer:
    """Answers a question: an ordinal or a list from facts, or with the statement that nothing is stored;
    everything else by recall (S1.24, S1.32). Nothing is guessed, and no model is used."""
    text = recall.checked_query(text)
    checked_count(limit, "limit")
    if may_ask(text):
        answer = _answer(service, text, selection, limit)
        if answer is not None:
            return answer
    return of_hits(recall.recall(service, text, selection, limit=limit, flagged=False))


def of_hits(hits: Hits) -> Answer:
    """Returns what recall found as an answer: each passage with its citation, who said it and when."""
    text = "\n\n".join(f"{cited(hit)} {hit.passage or hit.memory.text}" for hit in hits)
    return Answer(text, False, False, False, hits)


def cited(hit: Hit) -> str:
    """Returns the citation of a hit with who said it and when: "[M1] (person, 2026-07-03)"."""
    return f"{hit.citation} ({hit.memory.provenance}, {to_iso(hit.memory.at)[:10]})"


def _answer(service: Service, text: str, selection: Selection, limit: int) -> Answer | None:
    """Returns the answer from facts; None if the question is one for recall."""
    now = service.clock()
    with service.store.read() as snap:
        answering = _answering(snap, service, text, selection)
        if not answering.requests:
            return None
        checked_limit(limit)
        texts = [answering.answer(request) for request in answering.requests]
        if answering.unclear:
            return Answer(answering.question, False, False, True, Hits(()))
        if answering.doubts:
            texts.append(f"This may have changed since: {' '.join(answering.doubts)}. What holds now?")
        view = view_of(snap, service.principal, selection)
        memories = {memory.id: memory for memory in snap.several(view, list(answering.citations), now=now)}
    texts += [
        f"[M{place}] was stated by {memories[id].created_by}, not by you."
        for id, place in answering.citations.items()
        if id in memories and memories[id].origin is Origin.AGENT
    ]
    hits = Hits(
        tuple(
            Hit(memories[id], 1.0, f"[M{place}]", {"fact": 1.0}, memories[id].text)
            for id, place in answering.citations.items()
            if id in memories
        ),
        len(memories),
    )
    uses.note(service, [hit.memory.id for hit in hits], now)
    if answering.doubts:
        return Answer("\n".join(texts), False, False, True, hits)
    return Answer("\n".join(texts), bool(answering.citations), answering.missing, False, hits)


def is_known(service: Service, text: str, selection: Selection) -> bool:
    """Returns whether `ask` would find anything there. No use is counted."""
    text = recall.checked_query(text)
    with service.store.read() as snap:
        answering = _answering(snap, service, text, selection)
        for request in answering.requests:
            answering.answer(request)
    if not answering.requests:
        return bool(search(service, text, selection, limit=1, flagged=False).ranked)
    return bool(answering.citations)


def _answering(snap: Reader, service: Service, text: str, selection: Selection) -> _AnswerBuilder:
    """Returns what answers a question from the facts of a place; without requests if recall should answer."""
    boards = read_boards(snap, service, selection)
    question = requests_in(text, service.topics, [key for key, board in boards.items() if board.facts])
    builder = _AnswerBuilder(question, boards, selection, is_british=_BRITISH.search(text) is not None)
    if question.refers and not (
        _is_about_a_list(snap, service, selection)
        and not any(_numbers_another(snap, service, selection, rank) for rank in builder.ranks_beyond)
    ):
        builder.requests = ()
    return builder


def _numbers_another(snap: Reader, service: Service, selection: Selection, rank: int) -> bool:
    """Returns whether a conversation gives a number to something else: "Issue #12 is about the login"."""
    view = view_in(snap, service, selection)
    if view is None:
        return False
    narrowed = view.narrowed(replace(view.filter, kinds=SAID))
    number = re.compile(rf"(?:#\s?|\b(?:no\.|nr\.|number|issue|ticket|bug|task)\s?){rank}\b", re.IGNORECASE)
    page = snap.page(narrowed, limit=NUMBERED, cursor=None, now=service.clock())
    return any(
        number.search(memory.text) and not requests_in(memory.text, service.topics, ()).refers
        for memory in page.memories
    )


def _is_about_a_list(snap: Reader, service: Service, selection: Selection) -> bool:
    """Returns whether what the user said last in a conversation was about a list, so that "#12" means its
    rank and not an issue with this number."""
    view = None if selection.session is None else view_in(snap, service, selection)
    if view is None:
        return False
    narrowed = view.narrowed(replace(view.filter, kinds=SAID))
    for memory in snap.page(narrowed, limit=LATEST, cursor=None, now=service.clock()).memories:
        if memory.role not in ("user", None) or (len(memory.text) > ACKNOWLEDGED and memory.role is None):
            continue
        stated = statements_of(memory.text, service.topics)
        if stated and all(statement.act is Act.CHANGE for statement in stated):
            continue
        if stated or requests_in(memory.text, service.topics, ()).requests:
            return True
        if len(memory.text) > ACKNOWLEDGED or any(char.isdigit() for char in memory.text):
            return False
    return True


class _AnswerBuilder:
    """Answers the requests of a question one by one and collects the memories that are cited."""

    def __init__(
        self,
        question: FactQuestion,
        boards_by_topic: dict[str, Board],
        selection: Selection,
        *,
        is_british: bool,
    ) -> None:
        self.requests = question.requests
        self._topics = question.topics
        self._boards = boards_by_topic
        self._is_british = is_british
        self.citations: dict[str, int] = {}
        self.missing = False
        self.unclear = False
        self.doubts: list[str] = []
        """Changes of the requested lists that were not understood, each with its citation."""
        spoken = [
            board for board in boards_by_topic.values() if board.items and selection.session is not None
        ]
        latest = max(spoken, key=lambda board: board.ranked_at, default=None)
        # of one conversation only: elsewhere the latest topic may be of another one (S1.30)
        self._latest = None if latest is None else latest.topic

    @property
    def ranks_beyond(self) -> list[int]:
        """Returns the ranks that were asked for without a topic and are beyond the list spoken of last."""
        last = len(self._boards[self._latest].items) if self._latest in self._boards else 0
        bare = [
            request
            for request in self.requests
            if request.topic is None and request.question_type is QuestionType.ORDINAL
        ]
        return [request.rank for request in bare if request.rank is not None and request.rank > last]

    @property
    def question(self) -> str:
        """Returns the question that asks which topic is meant."""
        stored = (self._topics[key].category for key, board in self._boards.items() if board.facts)
        categories = [topic.category for topic in self._topics.all]
        return f"Which category ({'/'.join(dict.fromkeys([*categories, *stored]))})?"

    def answer(self, request: Request) -> str:
        """Returns the text of one answer (S1.31–S1.33)."""
        key = request.topic or self._latest
        if key is None:
            self.unclear = True
            return ""
        topic = self._topics[key]
        board = board_like(self._boards, topic)
        if board.doubt is not None and board.facts:
            self._doubt(board.doubt)
        if request.question_type is QuestionType.LIST:
            return self._answer_list(topic, board, request)
        if request.question_type is QuestionType.COUNT:
            return self._answer_count(topic, board)
        if request.question_type is QuestionType.BEST:
            first = board.first
            if first is not None and first.rank is None:
                return self._format_alone(topic, first)
            return (
                self._answer_missing()
                if first is None
                else self._format_ranked(topic, first, word_of_rank(1))
            )
        if request.question_type is QuestionType.LEAST and not board.is_ranked:
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
            return self._format_alone(topic, board.preference)
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
        return f"You have {self._amount(len(facts), topic)} stored." if facts else self._answer_missing()

    def _answer_beyond(self, topic: Topic, board: Board, rank_text: str) -> str:
        """Returns the answer to a rank beyond the end of the list (S1.33)."""
        count = len(board.ranked) or (1 if board.preference else 0)
        if not count:
            return self._answer_missing()
        self.missing = True
        return f"I only have {self._amount(count, topic)} stored, so there is no {rank_text} yet."

    def _format_alone(self, topic: Topic, fact: Fact) -> str:
        return f"Your {self._spelled(topic.label)} is **{fact.value}**. {self._cite(fact)}"

    def _format_ranked(self, topic: Topic, fact: Fact, word: str) -> str:
        return f"Your {self._spelled(topic.label)} ranked {word} is **{fact.value}**. {self._cite(fact)}"

    def _answer_missing(self) -> str:
        self.missing = True
        return NOT_STORED

    def _amount(self, count: int, topic: Topic) -> str:
        return f"{count} {self._spelled(topic.label if count == 1 else topic.plural)}"

    def _spelled(self, label: str) -> str:
        """Returns the label of a topic in the spelling of the question."""
        return _AMERICAN.sub(r"\1ur", label) if self._is_british else label

    def _cite(self, fact: Fact) -> str:
        return self._citation_of(fact.memory)

    def _citation_of(self, memory: str) -> str:
        place = self.citations.setdefault(memory, len(self.citations) + 1)
        return f"[M{place}]"

    def _doubt(self, doubt: Stated) -> None:
        """Notes that a list may have changed, and what was said of it."""
        self.doubts.append(f'"{doubt.statement.value}" {self._citation_of(doubt.memory)}')


def _word_from_end(rank: int) -> str:
    """Returns "last", "second to last", "third to last" and so on."""
    return "last" if rank == 1 else f"{word_of_rank(rank)} to last"
