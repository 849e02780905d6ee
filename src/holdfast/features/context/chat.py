"""Content of a context for a conversation: its person, people and things, what was said, what answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from holdfast.core.claims import PAST, Belief
from holdfast.core.kinds import ENTITIES, KINDS, SAID
from holdfast.core.places import Visibility
from holdfast.core.projects import Project
from holdfast.core.record import Memory, Status, folded
from holdfast.core.views import Filter
from holdfast.features.access.places import Selection, find_session, view_of
from holdfast.features.beliefs.about import beliefs_in
from holdfast.features.beliefs.fold import group_of, words_of
from holdfast.features.beliefs.phrases import in_one_line
from holdfast.features.beliefs.reading import Reading
from holdfast.features.beliefs.rivals import contradicted
from holdfast.features.context.packing import LeftOut
from holdfast.features.context.parts import Line
from holdfast.features.context.rendering import memory_line, one_line, scope_of_line
from holdfast.features.graph.mentions import quotes_of
from holdfast.features.recall import delivery_log
from holdfast.features.recall.ranking import Ranked
from holdfast.features.recall.search import search, selected, turns_around
from holdfast.features.service import Service
from holdfast.features.sessions.summaries import Summaries, best_of
from holdfast.features.staleness import staleness
from holdfast.language.injection import injection_flags

if TYPE_CHECKING:
    from holdfast.core.views import View
    from holdfast.stores.base.ports import Reader

INSTRUCTIONS = "You are a helpful assistant who remembers earlier conversations with this person."
"""The instructions of a conversation whose project and settings have none (S0.35)."""
LIMIT = 8
"""Memories that answer the prompt, unless the caller says how many (S2.26)."""
CONFIDENT = 0.35
"""Confidence from which a memory is taken to have to do with the prompt."""
WINDOW = 20
"""Latest messages that a program is taken to have in its own prompt."""
WINDOW_MAX = 1_000
READ_MAX = 50
"""Texts that are read for what they claim, at most, of those that nothing has read yet."""
RECENT_MAX = 10
"""Maximum number of messages directly before these that are included in full."""
EARLIER_MAX = 400
"""Maximum number of messages of one conversation that are read for rows of its summary not yet stored."""
SUMMARY, EACH = 6, 40
"""Lines of the summary of a conversation, and the number of messages for each further line."""
OTHERS_MAX, LOOKED_AT = 4, 100
"""Number of latest other conversations that get one line each, and of those that are looked through."""
BELIEFS_MAX = 60
ENTITIES_MAX, LINKS_MAX = 5, 30
"""Most entities that a prompt brings up, and most observations and relations of them."""
NAME_WORDS, NAMES_MAX = 4, 400
"""Most words of a name in a prompt, and most names that are looked up."""
PASSAGE_MAX, TURN_MAX = 480, 200
"""Most characters of a memory that answers, and of what was said before and after it."""
SEARCHED = tuple(name for name, kind in KINDS.items() if kind.recalled and name not in ENTITIES)
_FAVOURITES = ("favourite", "dislikes")
"""Attributes of beliefs that are a part of their own."""


@dataclass(frozen=True, slots=True)
class Talk:
    """The content of a context before it is packed; `number` is that of its project, 0 for none."""

    recipient: delivery_log.Recipient | None
    delivered: frozenset[str]
    number: int
    instructions: str
    lines: Sequence[Line]
    left_out: Sequence[LeftOut]
    degraded: str | None


def find(
    service: Service, prompt: str | None, selection: Selection, *, boost: Mapping[str, float] | None,
    window: int, limit: int, least: float, is_included: Callable[[Memory], bool],
) -> Talk:  # fmt: skip
    """Finds what a conversation should know to answer a prompt; without one, what it should know anyway.

    `window` is the number of latest messages of the session that the caller has already: they are not
    repeated (S0.32). Everything is read through the view of the selection.
    """
    now = service.clock()

    def usable(memory: Memory) -> bool:
        return is_included(memory) and not memory.is_kept_from_prompts

    plain = replace(selection, kinds=None)
    result = None
    if prompt is not None:
        searching = replace(selection, kinds=SEARCHED)
        result = search(service, prompt, searching, limit=limit, spare=window, boost=boost, flagged=False)
    mentioned = _mentioned(service, prompt, plain) if prompt is not None else []
    reading, summaries = Reading(READ_MAX), Summaries(service, most=EARLIER_MAX)
    with service.store.read() as snap:
        view = view_of(snap, service.principal, plain)
        recipient = delivery_log.recipient_of(view, selection)
        delivered = delivery_log.delivered_keys(snap, view, recipient)
        session, latest = _latest(snap, service, view, selection, window + RECENT_MAX)
        latest, before = latest[:window], [memory for memory in latest[window:] if usable(memory)]
        having = {memory.id for memory in latest}
        lines = [*_person(snap, service, view, prompt or "", is_included, reading)]
        lines += _entities(snap, view, prompt or "", mentioned, now, usable)
        if result is not None:
            included: dict[str, list[str]] = {}
            for line in lines:
                included.setdefault(line.id, []).append(line.text)
            best = selected(result, limit=limit + len(included), exclude=having, min_confidence=least)
            best = [pair for pair in best if usable(pair[1]) and not _is_included(pair[1], included)][:limit]
            turns = turns_around(snap, view, result, now)
            compared = staleness.compared(snap, view, [memory for _, memory in best])
            lines += _answers(best, [memory for memory, _ in compared], turns, having, included, usable)
        present_ids = having | {memory.id for memory in before}
        lines += _summary(
            summaries, snap, view, session, lambda memory: memory.id not in present_ids and usable(memory)
        )
        lines += _other_talks(summaries, snap, view, session, usable)
        lines += [_line(memory, "recent", _turn(memory)) for memory in before[:RECENT_MAX]]
        present = [memory for memory in latest if not memory.is_kept_from_prompts]
        talk = Talk(
            recipient, delivered, view.context.project or 0, _instructions(snap, service, view, selection),
            lines,
            [LeftOut(memory.id, "window", memory.kind, None, memory_line(memory)) for memory in present],
            None if result is None else result.degraded,
        )  # fmt: skip
    reading.keep(service, view)
    summaries.keep()
    return talk


def _instructions(snap: Reader, service: Service, view: View, selection: Selection) -> str:
    """Returns the instructions of the project, else those of the settings, else the built-in ones (S0.35)."""
    name = selection.project
    if name is None and selection.session is not None:
        session = find_session(snap, service.principal, selection.session)
        name = session.project if session else None
    project = None if name is None else snap.project(view, name)
    own = None
    if project is not None and project.system_prompt and _is_trusted(snap, service, view, project):
        own = project.system_prompt
    return own or service.system_prompt or INSTRUCTIONS


def _is_trusted(snap: Reader, service: Service, view: View, project: Project) -> bool:
    """Returns whether the user follows the instructions of a project: their own, those of a project that is
    expressly for others, and of colleagues in a team, but not those of any other user of the tenant."""
    if not service.shares:
        return project.owner == view.user
    if project.owner in (None, view.user):
        return True
    if project.visibility is None:
        return snap.has_members(view)
    return project.visibility is not Visibility.PRIVATE


def _latest(
    snap: Reader, service: Service, view: View, selection: Selection, limit: int
) -> tuple[int | None, list[Memory]]:
    """Returns the number of the session, None for none, and its latest messages, the last one first."""
    if selection.session is None:
        return None, []
    session = find_session(snap, service.principal, selection.session, selection.project)
    if session is None:
        return None, []
    return session.number, _messages(snap, service, view, session.number, limit)


def _messages(snap: Reader, service: Service, view: View, session: int, limit: int) -> list[Memory]:
    """Returns the latest messages of a session, the last one first."""
    narrowed = view.narrowed(Filter(session=session, kinds=SAID))
    return snap.page(narrowed, limit=limit, cursor=None, now=service.clock()).memories


def _summary(
    summaries: Summaries, snap: Reader, view: View, session: int | None, usable: Callable[[Memory], bool]
) -> Iterator[Line]:
    """Yields the messages that summarise the earlier part of a conversation (S0.38)."""
    if session is None:
        return
    rolled = summaries.of(snap, view, session)
    lines = [line for line in rolled.lines if usable(line[0])]
    for message, text in best_of(lines, SUMMARY + rolled.messages // EACH):
        yield _line(message, "summary", _turn(message, text))


def _other_talks(
    summaries: Summaries, snap: Reader, view: View, session: int | None, usable: Callable[[Memory], bool]
) -> Iterator[Line]:
    """Yields one message for each of the latest other conversations of the project, or of those that have
    none: what is going on there (S0.5)."""
    here = view.context.project
    limit = OTHERS_MAX + 1 if here is not None else LOOKED_AT
    sessions = snap.sessions(view, project=here, limit=limit, archived=False)
    others = [
        conversation
        for conversation in sessions
        if conversation.project_number == here and conversation.number != session
    ][:OTHERS_MAX]
    for talk in others:
        parts = summaries.of(snap, view, talk.number).parts[-2:]
        latest = [line for _, lines in parts for line in lines if usable(line[0])]
        for message, text in best_of(latest, 1):
            name = _name(talk.name)
            named = f"in “{name}”: " if name else ""
            yield _line(message, "summary", f"{named}{_turn(message, text)}")


# the person


def _person(
    snap: Reader, service: Service, view: View, prompt: str, is_included: Callable[[Memory], bool],
    reading: Reading,
) -> Iterator[Line]:  # fmt: skip
    """Yields what is believed of the person: how they want to be answered and what is pinned first, then what
    the prompt is about, then who they are."""
    prompt_words = words_of(prompt)

    def usable(memory: Memory, type: str) -> bool:
        """Returns whether a memory may say something of this type; how they want to be answered holds
        everywhere."""
        is_known = memory.status is not Status.PENDING and not memory.is_kept_from_prompts
        return is_known and (type == "instruction" or is_included(memory))

    def order(belief: Belief) -> tuple[object, ...]:
        first = belief.pinned or belief.type == "instruction"
        shared = len(prompt_words & words_of(f"{belief.text} {belief.attribute.replace('_', ' ')}"))
        return (not first, -shared, group_of(belief) != "who", -belief.at)

    beliefs = [belief for belief in beliefs_in(snap, service, view, reading, usable) if belief.status != PAST]
    chosen = sorted(beliefs, key=order)[:BELIEFS_MAX]
    sources = snap.several(view, [belief.id for belief in chosen], now=service.clock())
    memories = {memory.id: memory for memory in sources}
    for belief in chosen:
        memory = memories.get(belief.id)
        if memory is None:
            continue
        part = "facts" if belief.attribute in _FAVOURITES else "about"
        yield replace(_line(memory, part, in_one_line(belief)), confidence=belief.confidence, at=belief.at)


# people and things


def _mentioned(service: Service, prompt: str, selection: Selection) -> list[str]:
    """Returns the ids of entities that answer a prompt, found by what is known of them."""
    searching = replace(selection, kinds=tuple(ENTITIES))
    result = search(service, prompt, searching, limit=ENTITIES_MAX, flagged=False)
    best = selected(result, limit=2 * ENTITIES_MAX, min_confidence=CONFIDENT)
    ids = [id for _, memory in best for id in (memory.about or (memory.id,))]
    return list(dict.fromkeys(ids))[:ENTITIES_MAX]


def _entities(
    snap: Reader, view: View, prompt: str, ids: Sequence[str], now: int, usable: Callable[[Memory], bool]
) -> Iterator[Line]:
    """Yields the entities that a prompt names or brings up, and what is known one relation away (S0.36)."""
    named = snap.entities_named(view, _names_in(prompt), now=now) if prompt else []
    by_id = {memory.id: memory for memory in snap.several(view, ids, now=now)}
    candidates = [*named[:ENTITIES_MAX], *filter(None, map(by_id.get, ids))]
    entities = {memory.id: memory for memory in candidates if usable(memory)}
    links = snap.links(view, list(entities), limit=LINKS_MAX, now=now) if entities else []
    about: dict[str, list[Memory]] = {}
    for link in filter(usable, links):
        about.setdefault(next(id for id in link.about if id in entities), []).append(link)
    for id, entity in entities.items():
        own = about.get(id, [])
        name, type = _name(entity.title or entity.text), _name(entity.metadata.get("type"))
        notes = "" if entity.text == (entity.title or entity.text) else f": {entity.text}"
        for message, start, end in () if notes else quotes_of(snap, view, entity, now=now, limit=1):
            notes = f": {one_line(message.text[start:end], TURN_MAX)}" if usable(message) else ""
        if not name or not (notes or own):
            continue
        yield _line(entity, "entities", f"{name}{f', {type}' if type else ''}{notes}")
        for link in own:
            text = link.text if link.kind == "relation" else f"{name}: {link.text}"
            yield _line(link, "entities", text)


def _names_in(prompt: str) -> list[str]:
    """Returns what could be names in a prompt: its words, and those next to each other."""
    words = re.findall(r"[^\s.,;:!?\"()\[\]]+", prompt)
    runs = (
        " ".join(words[start : start + count])
        for count in range(NAME_WORDS, 0, -1)
        for start in range(len(words) - count + 1)
    )
    return list(dict.fromkeys(map(folded, runs)))[:NAMES_MAX]


# what answers


def _answers(
    best: Sequence[tuple[Ranked, Memory]],
    memories: Sequence[Memory],
    turns: Mapping[str, tuple[Memory | None, Memory | None]],
    having: set[str],
    included: Mapping[str, Sequence[str]],
    usable: Callable[[Memory], bool],
) -> Iterator[Line]:
    """Yields the memories that answer, each with what was said before and after it; of those that contradict
    each other both, the newer with the older. `having` and `included` are what the prompt has already."""
    older = {winner.id: memory for memory, winner in contradicted(memories)}
    shown = {*having}
    for (ranked, _), memory in zip(best, memories, strict=True):
        start, end = ranked.passage
        if memory.id in shown:
            continue  # shown beside a better match
        shown.add(memory.id)
        if memory.kind not in SAID:
            yield _line(memory, "memories", memory_line(memory, older.get(memory.id)))
            continue
        neighbours = []
        for place, turn in zip(("before it", "after it"), turns.get(memory.id, ()), strict=False):
            if turn is None or turn.id in shown or _is_included(turn, included) or not usable(turn):
                continue
            shown.add(turn.id)
            neighbours.append(replace(_line(turn, "memories", _turn(turn)), place=place))
        text = _turn(memory, memory.text[start:end], PASSAGE_MAX)
        yield replace(_line(memory, "memories", text), neighbours=tuple(neighbours))


def _is_included(memory: Memory, included: Mapping[str, Sequence[str]]) -> bool:
    """Returns whether one of the lines of a memory has all its words that matter: most beliefs say a part."""
    words, lines = words_of(memory.text), included.get(memory.id, ())
    return len(memory.text) <= PASSAGE_MAX and any(words <= words_of(line) for line in lines)


def _name(name: object, before: str = "") -> str:
    """Returns a name in one line; nothing for one that reads like an instruction, also with the mark that
    stands before what somebody says."""
    named = one_line(name, TURN_MAX) if isinstance(name, str) else ""
    return "" if injection_flags(named + before) else named


def _turn(memory: Memory, text: str | None = None, limit: int = TURN_MAX) -> str:
    """Returns what somebody said in one line, after the name."""
    who = _name(memory.name, ":") or memory.role
    utterance = one_line(memory.text if text is None else text, limit)
    return f"{who}: {utterance}" if who else utterance


def _line(memory: Memory, part: str, text: str) -> Line:
    return Line(
        part, memory.id, memory.kind, one_line(text, 2 * PASSAGE_MAX), memory.provenance, memory.confidence,
        memory.at, memory.tags, scope_of_line(memory), memory.about_file,
    )  # fmt: skip
