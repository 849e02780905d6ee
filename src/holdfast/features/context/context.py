"""The context of a task, of files, of a project or of a conversation, found and packed (S4.35, S0.34)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.arguments import checked_count, checked_flag, checked_limit, checked_names
from holdfast.core.errors import InvalidInput
from holdfast.core.places import ANYWHERE
from holdfast.core.record import Memory, Origin
from holdfast.core.spans import Value, spanned
from holdfast.core.staleness import remaining
from holdfast.core.usage import DeliveredContext, Tally, discovery_tokens, module_key
from holdfast.core.value_classes import value_class
from holdfast.features.access.places import NOWHERE, Selection, view_of
from holdfast.features.access.reach import seen_map
from holdfast.features.beliefs.rivals import RULES, successors
from holdfast.features.context import descriptions, usage
from holdfast.features.context.experience import LEARNED, near_experience, without_files
from holdfast.features.context.matched_files import (
    MatchedFiles,
    is_close,
    matching_modules,
    nearest_modules,
    of_own_files,
    similar_to,
)
from holdfast.features.context.packing import (
    CHAT,
    KIND_WEIGHTS,
    STANDING,
    Context,
    Offer,
    Role,
    checked_budget,
    pack,
    role_named,
)
from holdfast.features.context.rating import Answer, content_stems, rate_answers
from holdfast.features.recall import delivery_log, recall, uses
from holdfast.features.recall.search import search
from holdfast.features.service import Service
from holdfast.features.staleness import staleness
from holdfast.stores.base.ports import Reader

if TYPE_CHECKING:
    from holdfast.core.module_map import Module, TestFramework
    from holdfast.core.views import View

SEARCHED = 24
"""Maximum number of memories considered because they answer the task."""
ABOUT_FILES = 200
"""Maximum number of memories considered because they are about files of the modules, newest first."""
STANDING_MAX = 100
"""Maximum number of pinned memories, and of conventions and the like, that are considered, newest first."""

ALWAYS = frozenset({"convention", "constraint", "human_feedback"})
"""Kinds that are included for every task if there is room: they hold for the whole project."""
FAILURES = frozenset({"error_pattern", "gotcha", "pr_finding", "pr_gotcha", "task_outcome"})
"""Kinds whose latest memories are included for a role that sees the whole project."""
PAIRS = frozenset({"dependency_relation"})
"""Kinds that are about several files alike, the newest of which come with each of them, as lessons do."""
OPEN_WORK = frozenset({"todo", "goal", "context", "task_outcome", "project"})
"""Kinds that say what is being worked on."""


def _span_attributes(context: Context) -> Mapping[str, Value]:
    return {"holdfast.memories": len(context.entries), "holdfast.tokens": context.tokens}


@spanned("holdfast.context", _span_attributes)
def context(
    service: Service,
    task: str | None,
    selection: Selection,
    *,
    role: str,
    budget: int,
    repeat: bool | None = None,
    files: Collection[str] = (),
    boost: Mapping[str, float] | None = None,
    min_confidence: float | None = None,
    limit: int | None = None,
    window: int | None = None,
    parts: object = None,
    personal: bool = True,
    record: bool = True,
    is_included: Callable[[Memory], bool] = lambda _: True,
) -> Context:
    """Returns the knowledge for a task, packed into a budget of tokens, with the ids of the memories used.

    It consists of the matched modules of the module map and of memories: pinned ones, those that hold for the
    project, those about files of these modules (S4.32), those that answer the task, and descriptions of the
    tables and files that it is about. With `min_confidence` there are only memories that answer the task at
    least so surely, and nothing beside them. Without a task it consists of what is known about `files`, and
    without these of what is going on in the project.
    With a session, unless `repeat`, memories that it was given before are left out (S4.37), and so is what it
    taught itself, but when it asks what is going on, as after a compaction. `is_included` says
    which memories the recipient may have, without `personal` those of the project and preferences about work;
    `limit` is the most memories, and `boost` multiplies the scores of what answers by type of scope (S3.31).
    The role `chat` is a conversation, which gets what `chat` finds in `parts`; it repeats by default, as its
    prompt is made anew for each message. Without `record` nothing counts as given, as when a person looks
    what an agent would get. The same clock and store give the same text.
    Raises InvalidInput.
    """
    text = None if task is None else recall.checked_query(task)
    tokens = checked_budget(budget)
    if limit is not None:
        checked_limit(limit)
    if ANYWHERE in (selection.project, selection.workspace):
        raise InvalidInput("a context needs one project, not all", code="argument_invalid")
    paths = _checked_paths(files, text)
    recall.checked_boost(boost)
    least = None if min_confidence is None else recall.checked_confidence(min_confidence)
    selection = replace(selection, personal=personal)
    again = role == CHAT if repeat is None else checked_flag(repeat, "repeat")
    record = checked_flag(record, "record")
    if role == CHAT:
        if paths:
            raise InvalidInput("a conversation has no files: name a task", code="argument_invalid")
        return _for_chat(
            service, text, selection, tokens, boost=boost, again=again, least=least, limit=limit,
            window=window, parts=parts, is_included=is_included, record=record,
        )  # fmt: skip
    if window is not None or parts is not None:
        raise InvalidInput(
            "window and parts are for conversations", code="argument_invalid", hint=f'role "{CHAT}"'
        )
    return _for_agent(
        service, text, paths, selection, role_named(role), tokens, boost=boost, again=again,
        least=least or 0.0, limit=limit, is_included=is_included, record=record,
    )  # fmt: skip


def _checked_paths(files: Collection[str], text: str | None) -> list[str]:
    """Returns the paths of a context about files. Raises InvalidInput."""
    paths = checked_names(files, "files")
    if not all(path.isprintable() for path in paths):
        raise InvalidInput("files must be paths in visible characters", code="argument_invalid")
    if text is not None and paths:
        raise InvalidInput("a context is for a task or about files, not both", code="argument_invalid")
    return paths


def _for_agent(
    service: Service, text: str | None, paths: Sequence[str], selection: Selection, role: Role,
    budget: int, *, boost: Mapping[str, float] | None, again: bool, least: float, limit: int | None,
    is_included: Callable[[Memory], bool], record: bool,
) -> Context:  # fmt: skip
    """Returns the context of an agent that works on a task or on files, or begins."""
    selection = replace(selection, kinds=tuple(KIND_WEIGHTS))
    if text is not None:
        content = _for_task(service, text, selection, role, least, boost)
    else:
        content = _about_files(service, paths, selection) if paths else _going_on(service, selection)
    offers = [
        offer
        for offer in content.offers
        if not offer.memory.is_kept_from_prompts and is_included(offer.memory)
    ]
    modules, delivered = content.modules, frozenset[str]() if again else frozenset(content.delivered)
    if (text is not None or paths) and not again:  # what is going on is asked for where nothing is known
        delivered |= {offer.memory.id for offer in offers if _is_taught_in(offer.memory, selection.session)}
    if text is not None and least:  # a module comes with what was learned about it
        fresh = {offer.module for offer in offers if offer.memory.id not in delivered}
        modules = [module for module in modules if module.name in fresh]
    packed = pack(
        text or "", selection.project or content.project, modules, offers,
        tests=content.tests, role=role, budget=budget, limit=limit,
        delivered=delivered, degraded=content.degraded,
    )  # fmt: skip
    if not record:
        return packed
    unseen = [module for module in modules if module_key(module.name) not in content.delivered]
    reading = discovery_tokens(unseen, usage.sizes_of(service, selection, unseen)) if unseen else 0
    return _recorded(service, packed, content.recipient, content.number, unseen, reading)


def _for_chat(
    service: Service, text: str | None, selection: Selection, budget: int, *,
    boost: Mapping[str, float] | None, again: bool, least: float | None, limit: int | None,
    window: int | None, parts: object, is_included: Callable[[Memory], bool], record: bool,
) -> Context:  # fmt: skip
    """Returns the context of a conversation."""
    from holdfast.features.context import chat
    from holdfast.features.context.parts import checked_parts, pack_parts

    budgets = checked_parts(parts)
    latest = chat.WINDOW if window is None else checked_count(window, "window")
    if latest > chat.WINDOW_MAX:
        raise InvalidInput(f"window may be at most {chat.WINDOW_MAX:,} messages", code="argument_invalid")
    talk = chat.find(
        service, text, selection, boost=boost, window=latest, limit=chat.LIMIT if limit is None else limit,
        least=chat.CONFIDENT if least is None else least, is_included=is_included,
    )  # fmt: skip
    packed = pack_parts(
        talk.instructions, talk.lines, role=CHAT, budget=budget, parts=budgets,
        delivered=() if again else talk.delivered, left_out=talk.left_out, degraded=talk.degraded,
    )  # fmt: skip
    return _recorded(service, packed, talk.recipient, talk.number, (), 0) if record else packed


@value_class
class _ContextContent:
    """The possible content of a context, and its recipient; `number` is that of the project, 0 for none."""

    recipient: delivery_log.Recipient | None
    delivered: Collection[str]
    number: int
    offers: Sequence[Offer]
    project: str | None = None
    modules: Sequence[Module] = ()
    tests: TestFramework | None = None
    degraded: str | None = None


def _for_task(
    service: Service, text: str, selection: Selection, audience: Role, least: float,
    boost: Mapping[str, float] | None,
) -> _ContextContent:  # fmt: skip
    """Finds what a task needs to know; with a confidence of at least `least`, only what answers it."""
    now = service.clock()
    result = search(service, text, selection, limit=SEARCHED, boost=boost, flagged=False)
    named = descriptions.find(service, text, selection, least)
    with service.store.read() as snap:
        view = view_of(snap, service.principal, selection)
        recipient = delivery_log.recipient_of(view, selection)
        delivered = delivery_log.delivered_keys(snap, view, recipient)
        home = view.context.project
        module_map = seen_map(snap, service, view, home) if home else None
        similar = similar_to(service, text)
        every_match = matching_modules(module_map, text, similar)
        matches = [match for match in every_match[: audience.modules] if is_close(match, every_match)]
        files = MatchedFiles(module_map, matches)
        topic = without_files(text)
        to_topic = similar if topic == text else similar_to(service, topic) if topic else None
        modules_near = nearest_modules(module_map, to_topic)
        # without a least confidence all rules are offered anyway; one word is near to many by chance
        stated = ALWAYS if least and len(content_stems(topic)) > 1 else frozenset[str]()
        experience = {}
        if topic:
            experience = near_experience(snap, view, result, modules_near, to_topic, now=now, stated=stated)
        memories = [memory for memory, _ in experience.values()]
        if not least:
            files.rename(staleness.former_paths(snap, view, files.paths))
            memories += [*_page(snap, view, now, pinned=True), *_page(snap, view, now, kinds=ALWAYS)]
            memories += _page(snap, view, now, kinds=FAILURES) if audience.sees_project else []
            if files.paths:
                about = snap.about_files(view, files.paths, limit=ABOUT_FILES, now=now)
                memories += of_own_files(view, about)
        compared = staleness.compared(snap, view, memories)
        rules = _page(snap, view, now, kinds=RULES) if least else []
    answers = rate_answers(result, text, least)
    offers = []
    compared += [(memory, result.stale.get(memory.id)) for _, memory in result.ranked]
    for memory, change in {memory.id: (memory, change) for memory, change in compared}.values():
        answer = answers.get(memory.id, Answer())
        if memory.id in experience:
            answer = replace(answer, fit=max(answer.fit, min(1.0, experience[memory.id][1])))
        is_far = LEARNED in memory.tags and memory.id not in experience
        is_answer = answer.fit > 0 and not is_far
        if is_answer if least else _is_relevant(memory, answer, files, audience, is_far=is_far):
            offers.append(Offer(memory, answer.fit, *files.place(memory), remaining(change)))
    offers = _with_successors(offers, rules) + [Offer(memory, fit) for memory, fit in named]
    modules = [match.module for match in matches]
    tests = None if module_map is None else module_map.test_framework
    number = view.context.project or 0
    return _ContextContent(
        recipient, delivered, number, offers, files.project, modules, tests, result.degraded
    )


def _about_files(service: Service, paths: Sequence[str], selection: Selection) -> _ContextContent:
    """Finds what is known about files, also under their former paths."""
    now = service.clock()
    with service.store.read() as snap:
        view = view_of(snap, service.principal, selection)
        recipient = delivery_log.recipient_of(view, selection)
        delivered = delivery_log.delivered_keys(snap, view, recipient)
        every = {*paths, *staleness.former_paths(snap, view, frozenset(paths))}
        memories = snap.about_files(view, every, limit=ABOUT_FILES, now=now)
        several = [*_page(snap, view, now, kinds=PAIRS), *_page(snap, view, now, tags=frozenset({LEARNED}))]
        memories += [memory for memory in several if not every.isdisjoint(memory.about_files)]
        memories = of_own_files(view, memories)
        memories = list({memory.id: memory for memory in memories}.values())
        compared = staleness.compared(snap, view, memories)
        rules = _page(snap, view, now, kinds=RULES)
        described = descriptions.of_files(snap, view, paths, now=now)
    # passages and seeds come from the file: its reader has them; what a table holds is not read at a glance
    offers = [
        Offer(memory, 1.0, holds=remaining(change))
        for memory, change in compared
        if memory.origin is not Origin.FILE
    ]
    offers = _with_successors(offers, rules) + [Offer(memory, 1.0) for memory in described]
    return _ContextContent(recipient, delivered, view.context.project or 0, offers)


def _with_successors(offers: list[Offer], rules: Sequence[Memory]) -> list[Offer]:
    """Returns offers with the rules that hold in place of some of them, which may fit less by their words."""
    offered = {offer.memory.id: offer for offer in offers}
    replacements = successors((offer.memory for offer in offers), rules)
    missing = {rule.id: offered[id] for id, rule in replacements.items() if rule.id not in offered}
    by_id = {rule.id: rule for rule in replacements.values()}
    return [*offers, *(replace(offer, memory=by_id[id], holds=1.0) for id, offer in missing.items())]


def _going_on(service: Service, selection: Selection) -> _ContextContent:
    """Finds what is going on: open work, decisions, conventions and what is pinned, the newest first."""
    now = service.clock()
    with service.store.read() as snap:
        view = view_of(snap, service.principal, selection)
        recipient = delivery_log.recipient_of(view, selection)
        delivered = delivery_log.delivered_keys(snap, view, recipient)
        memories = [*_page(snap, view, now, pinned=True), *_page(snap, view, now, kinds=STANDING)]
        memories += _page(snap, view, now, kinds=OPEN_WORK)
        compared = staleness.compared(snap, view, memories)
    unique = list({memory.id: (memory, change) for memory, change in compared}.values())
    unique.sort(key=lambda pair: -pair[0].recorded_at)
    offers = [
        Offer(memory, 1 - place / len(unique), holds=remaining(change))
        for place, (memory, change) in enumerate(unique)
    ]
    return _ContextContent(recipient, delivered, view.context.project or 0, offers)


def _page(
    snap: Reader, view: View, now: int, *, pinned: bool | None = None, kinds: frozenset[str] | None = None,
    tags: frozenset[str] = frozenset(),
) -> list[Memory]:  # fmt: skip
    """Returns the newest memories of the view that are pinned, of some kinds, or have all of some tags."""
    within = view.filter
    narrower = replace(
        within, pinned=pinned, kinds=within.kinds if kinds is None else kinds,
        tags=(within.tags or frozenset()) | tags or None,
    )  # fmt: skip
    return snap.page(view.narrowed(narrower), limit=STANDING_MAX, cursor=None, now=now).memories


def _is_relevant(memory: Memory, answer: Answer, files: MatchedFiles, role: Role, *, is_far: bool) -> bool:
    """Returns whether a memory is relevant to the task: it is about a file of the task's modules, answers the
    task, holds for the whole project, or is pinned. A memory about a file of other modules has to answer it
    well, since the modules may have been missed (S4.71). What a session learned must not be far from it."""
    if memory.pinned or role.sees_project or _holds_everywhere(memory):
        return True
    if is_far or LEARNED in memory.tags:
        return not is_far
    if files.is_elsewhere(memory):
        return answer.is_sure
    return answer.fit > 0 or files.place(memory)[0] is not None


def _is_taught_in(memory: Memory, session: str | None) -> bool:
    """Returns whether a session taught a memory itself, and so has it."""
    return session is not None and LEARNED in memory.tags and memory.evidence.get("session") == session


def _holds_everywhere(memory: Memory) -> bool:
    """Returns whether a memory is a rule of the whole project: about no file, or only read from one, such as
    AGENTS.md."""
    return memory.kind in ALWAYS and (memory.about_file is None or memory.origin is Origin.FILE)


def _recorded(
    service: Service, packed: Context, recipient: delivery_log.Recipient | None, number: int,
    fresh: Sequence[Module], reading: int,
) -> Context:  # fmt: skip
    """Counts and records the memories given, and `fresh` modules that the session has not seen, with what
    `reading` them would have cost. Memories included with every task say nothing about their use (S4.33), so
    only the others are counted as used. Returns the context with the id by which its citations can be
    resolved (S1.52)."""
    now = service.clock()
    used = [entry.id for entry in packed.entries if entry.tier == 2]
    if not packed.text:
        uses.note(service, used, now)
        return packed
    delivery = None
    if packed.entries and number != NOWHERE:
        packed = replace(packed, id=service.new_id(now))
        ids = {place: entry.id for place, entry in enumerate(packed.entries, 1)}
        delivery = DeliveredContext(
            str(packed.id), number, "" if recipient is None else recipient.key, ids, now
        )
    tally = Tally(
        contexts=1,
        memories_injected=len(packed.entries),
        tokens_with=packed.tokens,
        tokens_without=reading,
    )
    outside = (number, tally) if recipient is None and number != NOWHERE else None
    uses.note(service, used, now, outside, injected=packed.ids, citations=delivery)
    keys = [*packed.ids, *(module_key(module.name) for module in fresh)]
    delivery_log.record(service, recipient, keys, tally, now)
    return packed
