"""Titles of conversations: the name of a session is the title of its first message, for recall to find."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from holdfast.core.kinds import SAID
from holdfast.core.places import NAME_MAX, Visibility
from holdfast.core.record import Memory, Status
from holdfast.core.views import ANY_STATE, GONE, View, personal_view
from holdfast.features.memories import embed
from holdfast.features.memories.browse import in_order
from holdfast.features.service import Service
from holdfast.language.injection import injection_flags
from holdfast.stores.base.ports import Reader, Writer

PAGE = 20
"""Messages that are read at a time to find the first one."""


def title_of(name: str) -> str:
    """Returns the name of a conversation as a title: one line, no longer than the name of a session."""
    return " ".join(name.split())[:NAME_MAX].strip()


def settle(
    service: Service, tx: Writer, sessions: Iterable[int], *, former: Mapping[int, str | None] | None = None,
    anew: bool = False,
) -> dict[str, Memory]:  # fmt: skip
    """Puts the names of sessions of the principal on their first messages, as the titles of these, and takes
    `former` names off. Returns the messages that were changed, by id.

    Only a message that its owner alone sees gets the name, since nobody else sees the names of sessions; one
    that an import shared with its title keeps that. A title of its own stays with a message, and the next one
    gets the name. A name that reads like an instruction to a model is on no message. With `anew` the first
    message gets it although another one has it.
    """
    names = tx.session_names(personal_view(service.principal), numbers := sorted(set(sessions)))
    changes: list[tuple[Memory, str | None]] = []
    former = former or {}
    for number in numbers:
        if number in names or number in former:
            changes += _changes(tx, service, number, names.get(number), former.get(number), anew)
    return _write(service, tx, changes)


def settle_added(service: Service, tx: Writer, messages: Iterable[Memory]) -> dict[str, Memory]:
    """Puts the names of sessions on new messages that are the first. Returns those that were changed, by
    id."""
    numbers = {
        number
        for memory in messages
        if memory.kind in SAID and (memory.title or memory.visibility is Visibility.PRIVATE)
        if (number := memory.place.session) is not None
    }
    return settle(service, tx, numbers) if numbers else {}


def pass_on(service: Service, tx: Writer, removed: Iterable[Memory]) -> None:
    """Gives the titles of conversations to the next messages, after the first were forgotten or erased."""
    titled = {
        memory.id: number
        for memory in removed
        if memory.title and (number := memory.place.session) is not None
    }
    if not titled:
        return
    names = tx.session_names(personal_view(service.principal), set(titled.values()))
    there = tx.several(personal_view(service.principal, GONE, closed=True), [*titled], now=0)
    of_sessions = [
        memory
        for memory in there
        if memory.kind in SAID and _is_of_session(memory, (names.get(titled[memory.id]),))
    ]
    _write(service, tx, [(memory, None) for memory in of_sessions])
    settle(service, tx, names)


def _changes(
    tx: Writer, service: Service, number: int, name: str | None, former: str | None, anew: bool
) -> Iterator[tuple[Memory, str | None]]:
    """Yields what has to change in one session: messages with their new titles."""
    view = personal_view(service.principal, replace(ANY_STATE, session=number, kinds=SAID), closed=True)
    titled = [memory for memory in tx.titled(view, number) if _is_of_session(memory, (name, former))]
    title = None if name is None else title_of(name)
    if title and injection_flags(title):  # else it would keep from prompts what was said
        title = None
    current = {memory.id for memory in titled if title_of(memory.title or "") == title}
    own = [memory for memory in titled if memory.id not in current or memory.visibility is Visibility.PRIVATE]
    if title and len(own) == 1 and own[0].id in current and _may_have(own[0]) and not anew:
        return
    first = _first(tx, view, {memory.id for memory in titled}) if title else None
    for memory in own:
        if first is None or memory.id != first.id:
            yield memory, None
    if first is not None and first.id not in current:
        yield first, title


def _first(reader: Reader, view: View, titled: set[str]) -> Memory | None:
    """Returns the first message of a session that may have its name; `titled` have no title of their own."""
    private = frozenset({Visibility.PRIVATE})
    live = replace(view.filter, statuses=frozenset({Status.APPROVED}), visibilities=private)
    messages = in_order(reader, view.narrowed(live), now=0)
    return next(
        (
            message
            for message in messages
            if _may_have(message) and (message.title is None or message.id in titled)
        ),
        None,
    )


def _may_have(memory: Memory) -> bool:
    return memory.visibility is Visibility.PRIVATE and memory.status is Status.APPROVED


def _is_of_session(memory: Memory, names: Sequence[str | None]) -> bool:
    """Returns whether the title of a message is a name of its conversation, not one of its own. An import
    puts that on the message at position 0."""
    if memory.title is None:
        return False
    is_given = title_of(memory.title) in {title_of(name) for name in names if name is not None}
    return is_given or (memory.kind == "message" and memory.position == 0 and not memory.edited)


def _write(service: Service, tx: Writer, changes: Sequence[tuple[Memory, str | None]]) -> dict[str, Memory]:
    """Gives messages their new titles, with the words and vectors that follow. Returns them by id."""
    if not changes:
        return {}
    titled = [service.admission.retitled(memory, title) for memory, title in changes]
    vectors = embed.embed_now(service.embedder, titled)
    tx.retitle(
        personal_view(service.principal, GONE, closed=True),
        list(zip(titled, vectors, strict=True)),
        service.embedder.model,
    )
    now = service.clock()
    for admitted, rows in zip(titled, vectors, strict=True):
        embed.queue(service, tx, admitted.memory, rows, now)
    return {admitted.memory.id: admitted.memory for admitted in titled}
