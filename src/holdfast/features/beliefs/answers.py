"""Answers questions about the person from what is believed of them, others from facts or by recall."""

from __future__ import annotations

from dataclasses import replace

from holdfast.core.arguments import checked_limit
from holdfast.core.claims import CURRENT, PLAN, Belief
from holdfast.core.facts import Answer
from holdfast.core.hits import Hit, Hits
from holdfast.core.places import ANYWHERE
from holdfast.core.record import Memory, Status
from holdfast.core.times import to_iso
from holdfast.features.access.places import Selection
from holdfast.features.beliefs.about import beliefs_in
from holdfast.features.beliefs.fold import words_of
from holdfast.features.beliefs.phrases import in_one_line
from holdfast.features.beliefs.reading import READ_AT_ONCE, Reading
from holdfast.features.facts import answers
from holdfast.features.facts.facts import view_in
from holdfast.features.recall import recall, uses
from holdfast.features.service import Service
from holdfast.language.claims.asking import AskedOfPerson, asked_of_person
from holdfast.language.work import is_for_work

SHOWN_MAX = 5
"""Most beliefs in an answer."""


def ask(service: Service, text: str, selection: Selection, *, limit: int = 10) -> Answer:
    """Answers a question: what somebody asks about themselves ("where do I live?") from what `about` shows,
    all others from facts or by recall (S1.24, S1.32). Nothing is guessed, and no model is used."""
    text = recall.checked_query(text)
    question = asked_of_person(text)
    if question is not None:
        checked_limit(limit)
        answer = _answer(service, question, selection, limit)
        if answer is not None:
            return answer
    return answers.ask(service, text, selection, limit=limit)


def _answer(service: Service, question: AskedOfPerson, selection: Selection, limit: int) -> Answer | None:
    """Returns the beliefs that answer a question, each with its source; None if there is none."""
    if (selection.project, selection.session, selection.workspace) == (None, None, None):
        selection = replace(selection, project=ANYWHERE, workspace=ANYWHERE)
    reading, now = Reading(READ_AT_ONCE), service.clock()

    def usable(memory: Memory, _type: str) -> bool:
        is_known = memory.status is not Status.PENDING and not memory.is_kept_from_prompts
        return is_known and (selection.personal or is_for_work(memory))

    with service.store.read() as snap:
        view = view_in(snap, service, selection)
        if view is None:
            return None
        found = _answering(beliefs_in(snap, service, view, reading, usable), question)[
            : min(limit, SHOWN_MAX)
        ]
        memories = {memory.id: memory for memory in snap.several(view, [one.id for one in found], now=now)}
    reading.keep(service, view)
    found = [one for one in found if one.id in memories]
    if not found:
        return None
    cited = {id: f"[M{number}]" for number, id in enumerate(dict.fromkeys(one.id for one in found), 1)}
    hits = [Hit(memories[id], 1.0, mark, {"fact": 1.0}, memories[id].text) for id, mark in cited.items()]
    uses.note(service, list(cited), now)
    text = "\n".join(_stated(one, cited[one.id], memories[one.id]) for one in found)
    return Answer(text, True, False, False, Hits(tuple(hits), len(hits)))


def _answering(beliefs: list[Belief], question: AskedOfPerson) -> list[Belief]:
    """Returns the beliefs that answer a question: those of the best attribute that has any."""
    order = {attribute: place for place, attribute in enumerate(question.attributes)}
    wanted = words_of(question.value or "")
    found = [
        belief
        for belief in beliefs
        if belief.attribute in order
        and belief.subject is None
        and belief.status == (PLAN if belief.attribute.startswith("plan") else CURRENT)
        and wanted <= words_of(belief.value)
    ]
    return sorted(found, key=lambda belief: (order[belief.attribute], -belief.at))


def _stated(belief: Belief, citation: str, memory: Memory) -> str:
    return f"{in_one_line(belief)}. {citation} ({memory.provenance}, {to_iso(belief.at)[:10]})"
