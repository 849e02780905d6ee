"""Answers questions about people from what is believed of them, others from facts or by recall."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from holdfast.core.arguments import checked_limit
from holdfast.core.claims import CURRENT, PAST, PLAN, STATEMENT, Belief
from holdfast.core.facts import Answer
from holdfast.core.hits import Hit, Hits
from holdfast.core.places import ANYWHERE
from holdfast.core.record import Memory, Status
from holdfast.core.times import to_iso
from holdfast.features.access.places import Selection
from holdfast.features.beliefs.about import MENTION, beliefs_in, beliefs_of_name
from holdfast.features.beliefs.corrections import CORRECTED
from holdfast.features.beliefs.fold import words_of
from holdfast.features.beliefs.phrases import in_one_line, phrases_of
from holdfast.features.beliefs.reading import READ_AT_ONCE, Reading
from holdfast.features.facts import answers
from holdfast.features.facts.facts import view_in
from holdfast.features.facts.talk import said_then
from holdfast.features.recall import recall, uses
from holdfast.features.service import Service
from holdfast.language.claims.asked_of_others import AskedOfNamed, asked_of_named
from holdfast.language.claims.asking import AskedOfPerson, asked_of_person
from holdfast.language.claims.subjects import heads_of, is_of_sort
from holdfast.language.claims.yes_or_no import YesOrNo, is_species
from holdfast.language.dates.talk import asked_of_talk
from holdfast.language.work import is_for_work

SHOWN_MAX = 5
"""Most beliefs in an answer."""

_RELATIONS = words_of(
    "kid kids child children wife husband spouse partner girlfriend boyfriend siblings pet pets kind kinder"
    " frau mann freundin freund geschwister haustier haustiere"
)
"""Words that only repeat what was asked: "Children: kids" says neither who they are nor how many."""


def ask(service: Service, text: str, selection: Selection, *, limit: int = 10) -> Answer:
    """Answers a question: what somebody asks about themselves ("where do I live?") or about somebody with a
    name ("where does Jonas work?") from what `about` shows, what was said at a time ("what did we talk about
    in July?") from the messages of that time, all others from facts or by recall (S1.24, S1.32). Nothing is
    guessed, and no model is used."""
    text = recall.checked_query(text)
    question = asked_of_person(text) or asked_of_named(text)
    if question is not None:
        checked_limit(limit)
        answer = _answer(service, question, selection, limit)
        if answer is not None:
            return answer
    talk = asked_of_talk(text, service.clock())
    if talk is not None:
        checked_limit(limit)
        answer = said_then(service, text, talk, selection, limit)
        if answer is not None:
            return answer
    return answers.ask(service, text, selection, limit=limit)


def _answer(
    service: Service, question: AskedOfPerson | AskedOfNamed, selection: Selection, limit: int
) -> Answer | None:
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
        results = beliefs_in(snap, service, view, reading, usable)
        if isinstance(question, AskedOfNamed):
            results = beliefs_of_name(snap, service, selection, view, question.name, usable, results)
            verdict, chosen = Verdict.NONE, _of_named(results, question)
        else:
            verdict, chosen = _answering(results, question)
        chosen = chosen[: min(limit, SHOWN_MAX)]
        memories = {
            memory.id: memory for memory in snap.several(view, [answer.id for answer in chosen], now=now)
        }
    reading.keep(service, view)
    chosen = [answer for answer in chosen if answer.id in memories]
    if not chosen:
        return None
    cited = {id: f"[M{number}]" for number, id in enumerate(dict.fromkeys(answer.id for answer in chosen), 1)}
    hits = [Hit(memories[id], 1.0, mark, {"fact": 1.0}, memories[id].text) for id, mark in cited.items()]
    uses.note(service, list(cited), now)
    stated = "\n".join(_in_words(answer, cited[answer.id], memories[answer.id]) for answer in chosen)
    is_unclear = verdict is Verdict.UNCLEAR
    return Answer(f"{verdict}{stated}", not is_unclear, False, is_unclear, Hits(tuple(hits), len(hits)))


class Verdict(StrEnum):
    """First word of an answer."""

    NONE = ""
    YES = "Yes. "
    NO = "No. "
    UNCLEAR = "That is not clear:\n"


def _of_named(beliefs: list[Belief], question: AskedOfNamed) -> list[Belief]:
    """Returns the beliefs that answer a question about somebody with a name, those that hold first and
    what is quoted last. Of a sentence that only mentions them it is not clear whom it is about."""
    matches = [
        belief
        for belief in beliefs
        if question.is_answered_by(belief.value)
        and (belief.attribute != MENTION or question.is_subject_of(belief.text))
    ]
    return sorted(
        matches, key=lambda belief: (belief.attribute == MENTION, belief.status == PAST, -belief.at)
    )


def _answering(beliefs: list[Belief], question: AskedOfPerson) -> tuple[Verdict, list[Belief]]:
    """Returns the beliefs that answer a question: those of the best attribute that has any; of a question
    with yes or no for an answer those that give it."""
    if question.closed is not None:
        of_them = [belief for belief in beliefs if belief.attribute in question.attributes]
        of_them.sort(key=lambda belief: (question.attributes.index(belief.attribute), -belief.at))
        proving = [belief for belief in of_them if belief.subject is None and not _is_as_written(belief)]
        return _decided(proving, question.closed)
    matches = [belief for belief in beliefs if belief.subject is None and _fits(belief, question)]
    if question.together:
        return Verdict.NONE, sorted(matches, key=lambda belief: (not _is_corrected(belief), -belief.at))
    matches.sort(key=lambda belief: (question.attributes.index(belief.attribute), -belief.at))
    return Verdict.NONE, [answer for answer in matches if answer.attribute == matches[0].attribute]


def _fits(belief: Belief, question: AskedOfPerson) -> bool:
    """Returns whether a belief holds and has what an open question asks for as its subject."""
    required = words_of((None if question.species else question.value) or question.noun or "")
    is_named = question.sort is not None or question.noun is not None
    return (
        _kind_of(belief) in question.attributes
        and belief.status == (PLAN if belief.type == "plan" else CURRENT)
        and (belief.positive or not (question.together or is_named))
        and required <= words_of(f"{belief.value} {belief.since or ''}")
        and _adds(belief.value, words_of(question.value or question.noun or ""))
        and (question.species is None or is_species(question.species, belief.value))
        and (question.noun is None or any(required <= words_of(head) for head in heads_of(belief.value)))
        and (question.sort is None or is_of_sort(question.sort, belief.attribute, belief.value))
    )


def _kind_of(belief: Belief) -> str:
    """Returns the attribute of a belief; of one of which only the type is known, that and whether it is a
    correction."""
    if belief.attribute != STATEMENT:
        return belief.attribute
    return f"{'corrected' if _is_corrected(belief) else STATEMENT}.{belief.type}"


def _is_corrected(belief: Belief) -> bool:
    return any(other.reason == CORRECTED for other in belief.replaced)


def _is_as_written(belief: Belief) -> bool:
    """Returns whether a belief is a correction that was not read, and may affirm or deny."""
    is_whole = belief.text.casefold() == belief.value.casefold()
    return is_whole and (_is_corrected(belief) or phrases_of(belief.attribute)[0] != "{}")


def _adds(value: str, question_words: frozenset[str]) -> bool:
    """Returns whether a value says more than the words of a question do."""
    words = words_of(value)
    return not words or not words <= _RELATIONS | question_words


def _decided(about: list[Belief], question: YesOrNo) -> tuple[Verdict, list[Belief]]:
    """Returns yes or no with the beliefs that say so; both, if what holds says both. What has ended counts
    only where nothing says what holds."""
    for status in (CURRENT, PAST):
        by_answer = {
            answer: [
                belief for belief in about if belief.status == status and _says(belief, question) is answer
            ]
            for answer in (True, False)
        }
        if by_answer[True] and by_answer[False]:
            return Verdict.UNCLEAR, [*by_answer[True][:2], *by_answer[False][:2]]
        if by_answer[True] or by_answer[False]:
            return (Verdict.YES, by_answer[True]) if by_answer[True] else (Verdict.NO, by_answer[False])
    return Verdict.NONE, []


def _says(belief: Belief, question: YesOrNo) -> bool | None:
    return question.answer(
        belief.attribute,
        belief.value,
        positive=belief.positive,
        has_ended=belief.status == PAST,
        names=_names,
    )


def _names(words: str, value: str) -> bool:
    required = words_of(words)
    return bool(required) and required <= words_of(value)


def _in_words(belief: Belief, citation: str, memory: Memory) -> str:
    line = in_one_line(belief)
    end = "" if line.endswith((".", "!", "…")) else "."
    return f"{line}{end} {citation} ({memory.provenance}, {to_iso(belief.at)[:10]})"
