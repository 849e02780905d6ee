"""Answers what was said at a time: the conversations of that time, or what they say of a matter."""

from __future__ import annotations

from dataclasses import replace

from holdfast.core.facts import Answer
from holdfast.core.hits import Hit, Hits
from holdfast.core.kinds import SAID
from holdfast.core.pages import each
from holdfast.core.record import Memory
from holdfast.core.shortening import shortened
from holdfast.core.times import to_iso
from holdfast.features.access.places import Selection
from holdfast.features.facts.answers import cited, of_hits
from holdfast.features.facts.facts import view_in
from holdfast.features.recall import recall, uses
from holdfast.features.recall.results import titles_of
from holdfast.features.service import Service
from holdfast.language.dates.points import Period
from holdfast.language.dates.talk import AskedOfTalk

PAGE = 1_000
_KINDS = (*sorted(SAID), "note")
"""Kinds of what was said, and of what was noted in between."""
_LINE_MAX = 160
"""Characters that are quoted of a conversation."""


def said_then(service: Service, text: str, question: AskedOfTalk, selection: Selection, limit: int) -> Answer:
    """Returns what was said in the latest period of a question in which anything was: what answers its
    matter, or the conversations, newest first. Says so if nothing was said then."""
    for period in question.periods:
        then = replace(selection, kinds=_KINDS, since=period.start, until=period.end)
        if question.has_matter:
            hits = recall.recall(service, text, then, limit=limit, flagged=False)
            answer = of_hits(hits) if hits else None
        else:
            answer = _conversations(service, then, period, limit)
        if answer is not None:
            return answer
    earlier = ", nor in the same time of earlier years" if len(question.periods) > 1 else ""
    nothing = "Nothing about it is stored" if question.has_matter else "Nothing is stored that was said"
    return Answer(f"{nothing} {_in_words(question.periods[0])}{earlier}.", False, True, False, Hits(()))


def _conversations(service: Service, selection: Selection, period: Period, limit: int) -> Answer | None:
    """Returns the conversations of a period, each with the first message of the user in it."""
    now = service.clock()
    with service.store.read() as snap:
        view = view_in(snap, service, selection)
        if view is None:
            return None
        messages = [
            memory
            for memory in each(lambda cursor: snap.page(view, limit=PAGE, cursor=cursor, now=now))
            if memory.role not in ("assistant", "system", "tool") and not memory.is_kept_from_prompts
        ]
        first: dict[int | str, Memory] = {}
        for memory in sorted(messages, key=lambda memory: (memory.at, memory.id)):
            first.setdefault(memory.place.session or memory.id, memory)
        titles = titles_of(snap, service.principal, list(first.values()))
    if not first:
        return None
    newest = sorted(first.values(), key=lambda memory: (-memory.at, memory.id))
    hits = [
        Hit(memory, 1.0, f"[M{number}]", {}, memory.text, titles.get(memory.place.session or 0))
        for number, memory in enumerate(newest[:limit], 1)
    ]
    uses.note(service, [hit.memory.id for hit in hits], now)
    lines = [f"Said {_in_words(period)}:", *map(_line, hits)]
    if len(newest) > limit:
        lines.append(f"… and {len(newest) - limit} more")
    return Answer("\n".join(lines), True, False, False, Hits(tuple(hits), len(newest)))


def _line(hit: Hit) -> str:
    title = f"{hit.conversation}: " if hit.conversation else ""
    return f'{cited(hit)} {title}"{shortened(" ".join(hit.memory.text.split()), _LINE_MAX)}"'


def _in_words(period: Period) -> str:
    """Returns a period as its days: "from 2026-07-01 to 2026-07-31", "on 2026-07-03"."""
    first, last = to_iso(period.start)[:10], to_iso(period.end - 1)[:10]
    return f"on {first}" if first == last else f"from {first} to {last}"
