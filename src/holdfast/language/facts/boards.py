"""Makes the lists of conversations from what was stated, oldest first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from holdfast.core.facts import LAST, Act, Stated, Statement
from holdfast.language.facts import changes
from holdfast.language.facts.becoming import become
from holdfast.language.facts.change_forms import read
from holdfast.language.facts.changes import Change
from holdfast.language.facts.lists import Board, position_named
from holdfast.language.facts.topics import BUILT_IN, DISLIKED, Topics, stem_of

COLOURS = frozenset(map(stem_of, ("favorite_colors", "disliked_colors")))
"""The lists of which a colour in lower case may be a value."""
SPOKEN_FOR = 10 * 60 * 1000
"""Milliseconds for which words that name neither a list nor its values mean the list that was spoken of."""


@dataclass(slots=True)
class _Conversation:
    """The lists that a conversation spoke of, the last one at the end."""

    boards: list[Board] = field(default_factory=list)
    at: int = 0


def boards(statements: Iterable[Stated], topics: Topics = BUILT_IN) -> dict[str, Board]:
    """Returns the state of each topic after statements, which are given oldest first.

    A topic has the key with which it was named first. A change concerns the list that it names, else the one
    whose values it names, else the one that its conversation spoke of last.
    """
    by_topic: dict[str, Board] = {}
    by_stem: dict[str, Board] = {}
    conversations: dict[tuple[str | None, str | None], _Conversation] = {}
    for turn, entry in enumerate(statements):
        topic = entry.statement.topic
        spoken = conversations.setdefault((entry.project, entry.session), _Conversation())
        board = by_stem.get(stem_of(topic)) if topic else None
        if entry.statement.act is Act.CHANGE:
            board = _change(entry, turn, spoken, board or (Board(topic) if topic else None), topics)
        elif topic:
            board = board or Board(topic)
            board.apply(entry, turn)
        if board is None:
            continue
        by_stem.setdefault(stem_of(board.topic), board)
        by_topic.setdefault(board.topic, board)
        spoken.boards = [*(other for other in spoken.boards if other is not board), board]
        spoken.at = entry.at
    return by_topic


def _change(
    entry: Stated, turn: int, conversation: _Conversation, named_board: Board | None, topics: Topics
) -> Board | None:
    """Changes the list that a sentence concerns, or puts it in doubt; returns it, None if there is none."""
    sentence = entry.statement.value
    became = become(sentence)
    if became is not None:
        return _become(entry, turn, conversation, *became)
    others = [board for board in reversed(conversation.boards) if board.facts and board is not named_board]
    parsed = [
        (board, changes.parse(sentence, [fact.value for fact in board.facts], board.topic, topics))
        for board in ([] if named_board is None else [named_board]) + others
    ]
    is_recent = entry.at - conversation.at <= SPOKEN_FOR
    concerned = _concerned(parsed, sentence)
    if len(concerned) == 1:
        ((board, change),) = concerned
        made = read(change, board.topic)
        if made and all(_is_possible(board, statement) for statement in made):
            if change.names_list or change.names_value or is_recent or not _adds(made):
                for statement in made:
                    board.apply(replace(entry, statement=statement), turn)
                return board
            return None
    doubted = [
        board
        for board, change in concerned
        if board.facts and (change.names_list or (is_recent and change.refers))
    ]
    for board in doubted:
        board.doubt = entry
    return doubted[-1] if doubted else None


def _become(
    entry: Stated, turn: int, conversation: _Conversation, rank: int, value: str, is_colour: bool
) -> Board | None:
    """Gives a rank of the list that a conversation speaks of another value; returns the list, None if it
    speaks of none that has this rank."""
    board = (
        conversation.boards[-1] if conversation.boards and entry.at - conversation.at <= SPOKEN_FOR else None
    )
    if board is None or not board.has(f"#{rank}") or (is_colour and stem_of(board.topic) not in COLOURS):
        return None
    values = [fact.value.casefold() for fact in board.facts]
    if value.casefold() not in values:
        made = Statement(board.topic, Act.REPLACE, value, None, f"#{rank}")
    else:
        made = Statement(board.topic, Act.PLACE, value, len(values) if rank == LAST else rank)
    board.apply(replace(entry, statement=made), turn)
    return board


def _concerned(parsed_changes: Sequence[tuple[Board, Change]], sentence: str) -> list[tuple[Board, Change]]:
    """Returns the lists that a sentence concerns: those that it names, else the last one with a value that it
    names, else the one that was spoken of last, if it speaks of ranks, of all, or of something new."""
    named = [(board, change) for board, change in parsed_changes if change.names_list]
    if len(named) > 1:
        dislikes = changes.DISLIKES.search(sentence) is not None
        named = [board for board in named if board[0].topic.startswith(DISLIKED) is dislikes] or named
    if named:
        return named
    with_values = [(board, change) for board, change in parsed_changes if change.names_value]
    return with_values[:1] or list(parsed_changes[:1])


def _is_possible(board: Board, statement: Statement) -> bool:
    """Returns whether the positions that a statement refers to are in the list."""
    referred = [statement.value] if statement.act in (Act.REMOVE, Act.SWAP) else []
    if statement.act in (Act.REPLACE, Act.SWAP, Act.BEFORE, Act.AFTER):
        referred.append(statement.other or "")
    if statement.act is Act.PLACE and position_named(statement.value) is not None:
        referred.append(statement.value)
    return all(board.has(value) for value in referred)


def _adds(statements: Sequence[Statement]) -> bool:
    return any(statement.act is Act.ADD for statement in statements)
