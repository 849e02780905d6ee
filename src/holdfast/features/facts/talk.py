"""Answers what was said at a time: the conversations of that time, or what they say of a matter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from holdfast.core.facts import Answer
from holdfast.core.hits import Hit, Hits
from holdfast.core.kinds import SAID
from holdfast.core.pages import each
from holdfast.core.record import Memory
from holdfast.core.shortening import shortened
from holdfast.core.times import to_iso
from holdfast.core.views import View
from holdfast.features.access.places import Selection
from holdfast.features.facts.answers import cited, of_hits
from holdfast.features.facts.facts import view_in
from holdfast.features.recall import recall, uses
from holdfast.features.recall.query_vector import Mode
from holdfast.features.recall.results import titles_of
from holdfast.features.recall.search import search
from holdfast.features.service import Service
from holdfast.language.dates.points import Period
from holdfast.language.dates.talk import AskedOfTalk
from holdfast.stores.base.ports import Reader

PAGE = 1_000
"""Messages that are read at once."""
BEGINNING = 20
"""Messages of a conversation that are read at once for its first one of the user."""
PERIODS_OF_MATTER = 2
"""Periods, the latest ones, that are searched for a matter."""
_KINDS = (*sorted(SAID), "note")
"""Kinds of what was said, and of what was noted in between."""
_LINE_MAX = 160
"""Characters that are quoted of a conversation."""


def said_then(
    service: Service, text: str, question: AskedOfTalk, selection: Selection, limit: int
) -> Answer | None:
    """Returns what was said in the latest period of a question in which anything was: what answers its
    matter, or the conversations, newest first. If nothing was said then, it says so; of a matter, which may
    itself name the time ("the budget of 2024"), it returns None."""
    if question.matter:
        return _of_matter(service, text, question, selection, limit)
    for period in question.periods:
        answer = _conversations(service, _within(selection, period), period, limit)
        if answer is not None:
            return answer
    earlier = ", nor in the same time of earlier years" if len(question.periods) > 1 else ""
    nothing = f"Nothing is stored that was said {_in_words(question.periods[0])}{earlier}."
    return Answer(nothing, False, True, False, Hits(()))


def _of_matter(
    service: Service, text: str, question: AskedOfTalk, selection: Selection, limit: int
) -> Answer | None:
    """Returns what recall finds in the first period in which a word of the matter was said."""
    for period in question.periods[:PERIODS_OF_MATTER]:
        within = _within(selection, period)
        if search(service, question.matter, within, limit=1, mode=Mode.WORDS, flagged=False).ranked:
            return of_hits(recall.recall(service, text, within, limit=limit, flagged=False))
    return None


def _within(selection: Selection, period: Period) -> Selection:
    return replace(selection, kinds=_KINDS, since=period.start, until=period.end)


def _conversations(service: Service, selection: Selection, period: Period, limit: int) -> Answer | None:
    """Returns the latest conversations of a period, each with the first message of the user in it."""
    now = service.clock()
    with service.store.read() as snap:
        view = view_in(snap, service, selection)
        if view is None:
            return None
        latest = _latest(snap, view, period, limit + 1, now)
        first = [_first(snap, view, memory, now) for memory in latest[:limit]]
        titles = titles_of(snap, service.principal, first)
        searched = snap.count(view, now=now)
    if not first:
        return None
    first.sort(key=lambda memory: (-memory.at, memory.id))
    hits = [
        Hit(memory, 1.0, f"[M{number}]", {}, memory.text, titles.get(memory.place.session or 0))
        for number, memory in enumerate(first, 1)
    ]
    uses.note(service, [hit.memory.id for hit in hits], now)
    lines = [f"Said {_in_words(period)}:", *map(_line, hits)]
    if len(latest) > limit:
        lines.append("… and more before")
    return Answer("\n".join(lines), True, False, False, Hits(tuple(hits), searched))


def _latest(snap: Reader, view: View, period: Period, count: int, now: int) -> list[Memory]:
    """Returns the last message of the user in each of the latest conversations, newest first. The period is
    read from its end: all of it, or windows that shrink where one holds over a page and grow where it is
    empty."""
    latest: list[Memory] = []
    sessions = set(view.filter.outside or ())
    end, span = period.end, period.end - period.start
    while end > period.start and len(latest) < count:
        start = max(end - span, period.start)
        outside = frozenset(sessions) or None
        window = view.narrowed(replace(view.filter, since=start, until=end, outside=outside))
        page = snap.conversation(window, limit=PAGE, cursor=None, now=now)
        if page.cursor is not None and end - start > 1:
            span = max((end - start) // 4, 1)
            continue
        memories = page.memories if page.cursor is None else _messages(snap, window, PAGE, now)
        last = {memory.place.session or memory.id: memory for memory in memories if _is_of_user(memory)}
        latest += sorted(last.values(), key=lambda memory: (-memory.at, memory.id))
        sessions.update(session for session in last if isinstance(session, int))
        end, span = start, span if last else 2 * span
    return latest[:count]


def _first(snap: Reader, view: View, memory: Memory, now: int) -> Memory:
    """Returns the first message of the user in the conversation that a message is from."""
    if memory.place.session is None:
        return memory
    inside = view.narrowed(replace(view.filter, session=memory.place.session))
    return next(filter(_is_of_user, _messages(snap, inside, BEGINNING, now)), memory)


def _messages(snap: Reader, view: View, size: int, now: int) -> Iterator[Memory]:
    return each(lambda cursor: snap.conversation(view, limit=size, cursor=cursor, now=now))


def _is_of_user(memory: Memory) -> bool:
    return memory.role not in ("assistant", "system", "tool") and not memory.is_kept_from_prompts


def _line(hit: Hit) -> str:
    title = f"{hit.conversation}: " if hit.conversation else ""
    return f'{cited(hit)} {title}"{shortened(" ".join(hit.memory.text.split()), _LINE_MAX)}"'


def _in_words(period: Period) -> str:
    """Returns a period as its days: "from 2026-07-01 to 2026-07-31", "on 2026-07-03"."""
    first, last = to_iso(period.start)[:10], to_iso(period.end - 1)[:10]
    return f"on {first}" if first == last else f"from {first} to {last}"
