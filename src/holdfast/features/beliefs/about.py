"""Tells what is believed of a person or thing: from claims, lists, knowledge and the entity graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from holdfast.core.arguments import checked_flag
from holdfast.core.claims import (
    CURRENT,
    GROUPS,
    STATEMENT,
    About,
    Belief,
    BeliefGroup,
    Claim,
    claim_of,
    plain,
)
from holdfast.core.errors import NotFound
from holdfast.core.facts import Act, Fact, Statement
from holdfast.core.pages import each
from holdfast.core.places import ANYWHERE, usable_name
from holdfast.core.quotations import OtherBelief
from holdfast.core.record import Memory, Status
from holdfast.core.views import View
from holdfast.features.access.places import Selection, view_of
from holdfast.features.beliefs.corrections import CORRECTED, corrected_by
from holdfast.features.beliefs.dismissals import dismissals_in, is_dismissed
from holdfast.features.beliefs.fold import beliefs, group_of, is_same_value, said_in, words_of
from holdfast.features.beliefs.named import quotes_by_name, unsaid
from holdfast.features.beliefs.reading import READ_AT_ONCE, Reading
from holdfast.features.facts.facts import view_in
from holdfast.features.graph.mentions import Quote, quotes_of, with_other_names
from holdfast.features.service import Service
from holdfast.language.claims.version import RULES
from holdfast.language.facts.boards import boards
from holdfast.language.work import is_for_work
from holdfast.stores.base.ports import Reader

PAGE = 1_000
_TYPES = {
    "profile": "who", "preference": "preference", "goal": "plan", "todo": "plan", "constraint": "instruction",
}  # fmt: skip
"""Kinds of knowledge about a person, with the type of belief that they are."""
_SAID = "Said and noted"
"""Title of what was said of somebody or something by name."""
MENTION = "mention"
"""Attribute of a sentence that names somebody or something."""
QUOTES_MAX = 20
"""Most messages that are quoted of an entity, the newest."""
Usable = Callable[[Memory, str], bool]
"""Says whether a memory may support a belief of a type."""
_SUPPORTED = frozenset({Status.APPROVED, Status.PENDING})


def about(service: Service, name: str | None, selection: Selection, *, personal: bool = True) -> About:
    """Returns what is believed of the user, or of the person, place or thing with a name; without `personal`
    from projects, and preferences about work. Raises NotFound `entity_not_found`."""
    usable: Usable = (lambda *_: True) if checked_flag(personal, "personal") else _of_work
    if name is not None:
        usable_name(name, "name")
    if (selection.project, selection.session, selection.workspace) == (None, None, None):
        selection = replace(selection, project=ANYWHERE, workspace=ANYWHERE)
    reading = Reading(READ_AT_ONCE)
    with service.store.read() as snap:
        view = view_in(snap, service, selection)
        results = [] if view is None else beliefs_in(snap, service, view, reading, usable)
        if name is not None:
            results = beliefs_of_name(snap, service, selection, view, name, usable, results)
    if view is not None:
        reading.keep(service, view)
    if name is not None and not results and not reading.left_out:
        raise NotFound(
            f"nothing is known of {name!r:.60}", code="entity_not_found",
            hint="`holdfast about` shows what is known of you; `holdfast entities list` shows names",
        )  # fmt: skip
    by_group: dict[str, list[Belief]] = {}
    for belief in results:
        by_group.setdefault(group_of(belief), []).append(belief)
    groups = [
        BeliefGroup(group, title if name is None or group != "other" else _SAID, tuple(by_group[group]))
        for group, (title, _) in GROUPS.items()
        if group in by_group
    ]
    return About(name, tuple(groups), reading.left_out)


def beliefs_in(snap: Reader, service: Service, view: View, reading: Reading, usable: Usable) -> list[Belief]:
    """Returns what is believed of the user from all that a view shows, and that is usable: what is not, has
    no part in any belief, nor in what a belief replaced or is contradicted by."""
    now = service.clock()
    by_memory: dict[str, list[Statement]] = {}
    for fact in snap.facts(view, now=now, claims=RULES):
        by_memory.setdefault(fact.memory, []).append(fact.statement)
    ids = list(by_memory)
    memories = {
        memory.id: memory
        for start in range(0, len(ids), PAGE)
        for memory in snap.several(view, ids[start : start + PAGE], now=now)
    }
    for memory in sorted(memories.values(), key=lambda memory: (-memory.at, memory.id)):
        if any(
            statement.act is Act.READING for statement in by_memory[memory.id]
        ):  # by other rules, or not at all
            by_memory[memory.id] = [*reading.statements(memory)]
    claims = [
        said_in(memories[id], claim_of(statement))
        for id, statements in by_memory.items()
        if id in memories
        for statement in statements
        if statement.act is Act.CLAIM and usable(memories[id], claim_of(statement).type)
    ]
    read = {entry.source.memory for entry in claims}
    dismissals = dismissals_in(snap, service.principal, now)
    claims = [entry for entry in claims if not is_dismissed(entry.claim, dismissals)]
    results = beliefs(claims)
    lists = _of_lists(snap, view, now, results, usable)
    results += [belief for belief in lists if not is_dismissed(belief, dismissals)]
    results += _of_knowledge(snap, service, view, read, usable)
    return results


def _of_work(memory: Memory, type: str) -> bool:
    """Returns whether a memory says something of work; how the user wants to be answered holds everywhere."""
    return type == "instruction" or is_for_work(memory)


def _of_lists(snap: Reader, view: View, now: int, existing: Sequence[Belief], usable: Usable) -> list[Belief]:
    """Returns the ranked lists and single preferences that no claim says."""
    results = []
    stated = snap.facts(view, now=now)
    ids = list(dict.fromkeys(fact.memory for fact in stated))
    memories = {
        memory.id
        for start in range(0, len(ids), PAGE)
        for memory in snap.several(view, ids[start : start + PAGE], now=now)
        if usable(memory, "preference")
    }
    for board in boards(fact for fact in stated if fact.memory in memories).values():
        facts: list[Fact] = [*board.ranked, *filter(None, [board.preference])]
        values = list(dict.fromkeys(fact.value for fact in facts))
        if (
            not values
            or board.doubt is not None
            or any(
                belief.attribute in ("favourite", "dislikes")
                and is_same_value(belief.value, ", ".join(values))
                for belief in existing
            )
        ):
            continue
        sources = {fact.memory: fact for fact in facts}
        saying = snap.several(view, list(sources), now=now)
        is_liked = not board.topic.startswith("disliked_")
        label = board.topic.removeprefix("disliked_").removeprefix("favorite_").replace("_", " ")
        claim = Claim(
            "preference" if is_liked else "aversion", "favourite" if is_liked else "dislikes",
            f"{label}: {', '.join(values)}", is_liked, certainty=0.95,
        )  # fmt: skip
        results += beliefs(said_in(memory, claim) for memory in sorted(saying, key=lambda memory: memory.at))
    return results


def _of_knowledge(
    snap: Reader, service: Service, view: View, used_ids: set[str], usable: Usable
) -> list[Belief]:
    """Returns what was kept about the person in other words than a claim's."""
    narrowed = replace(
        view.filter, kinds=frozenset(_TYPES), statuses=_SUPPORTED, owner=service.principal.user
    )
    inside, now = view.narrowed(narrowed), service.clock()
    memories = each(lambda cursor: snap.page(inside, limit=PAGE, cursor=cursor, now=now))
    unsaid = ((memory, _of_memory(memory)) for memory in memories if memory.id not in used_ids)
    return [belief for memory, belief in unsaid if usable(memory, belief.type)]


def _of_memory(memory: Memory) -> Belief:
    """Returns a memory of a rule or preference as a belief."""
    type = _TYPES[memory.kind]
    if memory.title and "nstruction" in memory.title:
        type = "instruction"
    claim = Claim(type, memory.kind, memory.text, certainty=memory.confidence)
    (belief,) = beliefs([said_in(memory, claim)])
    titled = f"{memory.title}: {memory.text}" if memory.title else memory.text
    return replace(belief, text=titled)


def _speaks_of(belief: Belief, name: str) -> bool:
    """Returns whether subject and value of a belief contain all words of a name; a statement never does."""
    if belief.attribute == STATEMENT:  # its sentence is quoted whole
        return False
    words = words_of(name)
    spoken = words_of(" ".join(filter(None, (belief.subject, belief.value))))
    return bool(words) and words <= spoken


def beliefs_of_name(
    snap: Reader, service: Service, selection: Selection, inside: View | None, name: str, usable: Usable,
    results: Sequence[Belief],
) -> list[Belief]:  # fmt: skip
    """Returns what is believed of whoever or whatever has a name, given all `results` of the user: those that
    speak of it, with what is noted and was said of it by name."""
    speaking = [belief for belief in results if _speaks_of(belief, name)]
    return speaking + _of_name(snap, service, selection, inside, name, usable, speaking)


def _of_name(
    snap: Reader, service: Service, selection: Selection, inside: View | None, name: str, usable: Usable,
    existing: Sequence[Belief],
) -> list[Belief]:  # fmt: skip
    """Returns the notes, observations and relations of the entities with a name, or of which it is another
    name, and what was said `inside` a view of them, or of whoever else is named so."""
    from holdfast.core.record import folded

    view, now = view_of(snap, service.principal, selection), service.clock()
    inside = inside or view.narrowed(replace(view.filter, session=0))  # a session that is not there
    entities = with_other_names(snap, view, snap.entities_named(view, [folded(name)], now=now), now=now)
    memories: list[Memory] = [
        entity for entity in entities if plain(entity.text) != plain(entity.title or entity.text)
    ]
    memories += snap.links(view, [entity.id for entity in entities], limit=PAGE, now=now)
    quotes = {
        (message.id, start): (message, start, end)
        for entity in entities
        for message, start, end in quotes_of(snap, inside, entity, now=now, limit=QUOTES_MAX)
        if usable(message, "other")
    }
    for message, start, end in quotes_by_name(snap, service, inside, name, limit=QUOTES_MAX):
        if usable(message, "other") and not any(
            _overlaps(quote, message, start, end) for quote in quotes.values()
        ):
            quotes[message.id, start] = (message, start, end)
    newest = sorted(quotes.values(), key=_newest, reverse=True)[:QUOTES_MAX]
    quotations = unsaid([_said_of(*quote) for quote in newest], existing)
    results = [*_facts_about((memory for memory in memories if usable(memory, "other")), quotations)]
    corrected = {other.text for belief in results for other in belief.replaced}
    results += [belief for belief in quotations if belief.text not in corrected]
    dismissals = dismissals_in(snap, service.principal, now)
    return [belief for belief in results if not is_dismissed(belief, dismissals)]


def _overlaps(quote: Quote, message: Memory, start: int, end: int) -> bool:
    return quote[0].id == message.id and quote[1] < end and start < quote[2]


def _newest(quote: Quote) -> tuple[int, str, int]:
    message, start, _ = quote
    return message.at, message.id, -start


def _said_of(message: Memory, start: int, end: int) -> Belief:
    """Returns a sentence of a message as it was said."""
    claim = Claim(
        "other",
        MENTION,
        message.text[start:end],
        start=start,
        end=end,
        certainty=message.confidence,
        status=CURRENT,
    )
    (belief,) = beliefs([said_in(message, claim)])
    return replace(belief, text=" ".join(message.text[start:end].split()))


def _facts_about(memories: Iterable[Memory], quotations: Sequence[Belief]) -> Iterable[Belief]:
    """Yields what is noted of a thing, with the sentences of messages that it corrects."""
    for memory in memories:
        claim = Claim("other", memory.kind, memory.text, certainty=memory.confidence, status=CURRENT)
        (belief,) = beliefs([said_in(memory, claim)])
        wrong = corrected_by(memory)
        replaced = [] if wrong is None else [entry for entry in quotations if entry.value in wrong.values]
        others = tuple(OtherBelief(entry.text, entry.sources[0], CORRECTED) for entry in replaced)
        yield replace(belief, text=memory.text, replaced=others)
