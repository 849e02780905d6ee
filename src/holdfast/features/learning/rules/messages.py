"""Finds what messages teach by their place in the session: objections, decisions, explanations of changes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from holdfast.core.shortening import shortened
from holdfast.features.learning.rules.assistant_rules import ASSISTANT
from holdfast.features.learning.rules.log import CHANGES, Act, Step, WorkCandidate
from holdfast.features.learning.rules.phrases import (
    SAID_MAX,
    is_complaint,
    is_momentary,
    phrase_in,
    sentences_of,
)
from holdfast.features.learning.rules.rules import CORRECTED, DEAD_END, FEEDBACK
from holdfast.features.learning.rules.subjects import symbols_in
from holdfast.features.learning.rules.user_rules import USER

DECISION = "decision"
REDACTION = "[REDACTED"
"""Start of the mark that replaces a secret: a sentence with a secret is no rule."""
TEXT_MAX = 400
NEAR = 6
"""Steps between an explanation and the change that it is about."""
EXPLAINED_MAX = 5
"""Most explanations of one session."""
WORDS_MIN = 6
AROUND = 2
"""Most sentences that follow what a phrase found in the words of the assistant."""
ENDED = "Dead end: "
_WORK = CHANGES | {Act.SAID, Act.COMMAND}

_ACK = re.compile(
    r"^(?:(?:(?:no+|nope|hm+|right|nice|good|great|fine|wait|stop|well|careful|perfect|cool)(?:[,.!:;]|\s[—-]|(?=\s+no\b))"
    r"|(?:ok(?:ay)?|yes|yep|thanks|thank you|and|but|also|so|oh|ah|sorry|hold on|lol|haha)\b)[,.!:;\s—-]*)+",
    re.IGNORECASE,
)
"""How an answer begins that says nothing yet. Some of these words need a stop after them: "no need to", "stop using"."""
_OBJECTION = re.compile(
    r"(?i)^\W*(?:no+|nope|stop|wrong|don'?t|do not|never|leave|careful|wait|not like|that'?s (?:not|wrong)|that is (?:not|wrong))\b"
)
_DECIDED = re.compile(
    r"(?i)\b(?:we|i)(?: have|'ve| had)? (?:just |all |both )?(?:decided|agreed|chose|chosen|picked|settled|opted|went with|go with"
    r"|keep|stay with|stick (?:to|with))\b"
)
_WEIGHED = re.compile(
    r"(?i)\b(?:rather than|instead of|over|against|and not|in favou?r of|because|since|as|so that|due to|to avoid)\b|[:;]"
)
_OBJECTS = re.compile(
    r"(?i)\b(?:don'?t|do not|doesn'?t|never|not|stop \w+ing|no longer|must|has to|have to|avoid|leave \w+|instead|rather than"
    r"|on purpose|purposely|intend(?:ed|s)|deliberate(?:ly)?|by design|keep (?:it|that|them|the|this)|from now on|everywhere"
    r"|always|remember|only|wrong|careful|matters|important|belongs|supposed to|meant to|nobody|no one"
    r"|(?:like|as) (?:the (?:rest|others?)|every(?:where|thing) else|elsewhere|we do|we did))\b"
)
"""Words against the work in hand, or beyond it."""
_AGAINST = re.compile(
    r"(?i)(?:, (?:and )?(?:not|no longer|nicht)|\b(?:instead of|rather than|(?:an)?statt)) (?:with |mit )?(`?[\w./-]*\w`?)"
)
"""Matches what a rule replaces: "instead of npm"; the group is the name."""
_HABIT = re.compile(
    r"(?i)\bour (?:\w+ )?\w+ (?:are|is|go|goes|use|uses|live|lives|run|runs|have|has|need|needs|must)\b|\bwe (?!should|could|can|need|will|'ll|want|have to|are|get|see|saw|got|had|were|might|may|must)[a-z]+"
)
_REPORTS = re.compile(
    r"(?i)(?<!there are )(?<!there is )(?<!only )\bstill\b|\bi(?:'m| am)? (?:get|got|see|saw|have|tried|ran|am|think|guess|wonder)\b|same (?:error|problem|result)"
    r"|\b(?:it|that|this) (?:fails|crashes|says|prints|hangs|works)\b|\bdid(?:n't| not) (?:work|help|compile)"
    r"|\bdoes(?:n't| not) (?:work|compile|start)\b|\bnever mind\b|\bworry\b|\b(?:later|for now|at the moment|right now|today)\b"
    r"|\bi (?:don't|always|never|only|just) (?:see|get|find|want(?! you to)|know|understand)\b"
)
"""Reports of how it went, which are over when they are read again."""
_ORDERS = re.compile(
    r"(?i)^(?:now |next |then |please |also |and |so |can you |could you |you can )*(?:add|write|create|run|make|fix|update|rename|move|remove"
    r"|delete|check|look|show|explain|commit|push|refactor|implement|try|continue|go|do|test|tidy|format|bump|open|read|find"
    r"|tell|give|merge|rebase|revert|undo|redo|apply|finish|start|summari[sz]e|document|review)\b"
)
_STATES = re.compile(
    r"(?i)^(?:test|commit|review|format|document|build|release|run|check|merge) [\w-]+(?: [\w-]+)? (?:are|is|go|goes|must|should|have|need)\b"
)
"""A statement whose first word is a noun, though it could be an order: "commit messages are"."""
_REASON = re.compile(
    r"(?i)\b(?:because|since|so|thus|therefore|otherwise|hence|due to|which|as|but|only|unless|until|before|after|must|has to"
    r"|have to|cannot|can't|never|instead|although|while|without|once|when)\b|: "
)
_EXPLAINS = re.compile(
    r"(?i)\b(?:because|since|hence|therefore|thus|otherwise|so that|due to|on purpose|by design|which (?:is why|means)"
    r"|found (?:it|out|the \w+)|figured (?:it )?out|what (?:actually |really )?happens|the (?:cause|reason|culprit) (?:is|was))\b"
    r"|(?i:^(?:found|the cause|the reason)\b\s?:)"
)
"""Words of an explanation that needs no name of code to be one."""
_BACK = re.compile(
    r"(?i)^(?:but |and |so )?(?:that|this|it|they|these|those)\b(?! \w+ (?:approach|way|idea)\b)"
)
"""Words that refer to the sentence before."""
_REFERS = re.compile(
    r"(?i)\b(?:it|its|that|this|they|them|their|these|those|there|so|then|instead|therefore|thus|hence|such|one|ones|both)\b"
)
"""Words by which a rule may refer to what was said before it."""
_WORD = re.compile(r"[^\W\d_]{4,}")
_ONE_WORD = re.compile(r"\W*([\w+#-]{2,20})[.,;:!](?=\s)")
_PLAN = re.compile(
    r"(?i)^(?:(?:ok(?:ay)?|now|next|then|so|first|and)[, ]+)*(?:i'll|i will|let me|let's|i'd|i would|i'm going to|i am going to"
    r"|i need to|i can|i should|we should|shall|would you|do you|looking|checking|running|reading)\b"
)
_DONE = re.compile(
    r"(?i)^(?:done|fixed|all (?:green|good|tests)|tests? pass|it works|works|ready|finished|both|tested|i(?:'ve| have)"
    r" (?:added|updated|changed|fixed|made|moved|removed|implemented)|the (?:tests?|change|fix|feature|\w+) (?:is|are)"
    r" (?:in place|done|green|ready|fixed)|here is|summary)\b"
)
_GAVE_UP = re.compile(
    r"(?i)\b(?:(?:did|does|do|will|would|can|could)(?:n't| not)(?: \w+)? (?:help|work|do|fly)|cannot work|impossible|not possible"
    r"|g(?:i|a)ve up|giving up|went back|back to|revert(?:ed|ing)|dead end|no use|in vain|pointless|fail(?:s|ed) because"
    r"|approach (?:fails|failed))\b"
)


def messages_in(steps: Sequence[Step]) -> Iterator[WorkCandidate]:
    """Yields what messages teach beyond what single phrases tell (`phrases_in`): the first message of the user
    is the task, and only what follows the work can be about it."""
    explained: list[tuple[int, WorkCandidate]] = []
    is_begun = False
    for step in steps:
        is_begun = is_begun or step.act in _WORK or (step.act is Act.TOLD and is_complaint(step.target))
        if len(step.target) > SAID_MAX:
            continue
        if step.act is Act.TOLD and is_begun:
            is_against = _is_redone(step, steps) or _is_against_done(step, steps)
            yield from _said_by_user(step, is_against, _choice(step, steps))
        elif step.act is Act.SAID:
            explained += _said_by_assistant(step, steps)
    explained.sort(key=lambda item: -item[0])
    yield from (candidate for _, candidate in explained[:EXPLAINED_MAX])


def with_reason(candidate: WorkCandidate, steps: Sequence[Step]) -> WorkCandidate:
    """Returns what a phrase found with the sentences around it that belong to it, as a reason does: those that
    follow, and those before where a person states the first rule of a message or the words refer back to them."""
    if candidate.rule not in (FEEDBACK, CORRECTED, DEAD_END):
        return candidate
    is_said_by_user = candidate.rule == FEEDBACK
    belongs = _belongs if is_said_by_user else _explains
    text = candidate.text.removeprefix(ENDED)
    sentences, core = sentences_of(steps[candidate.steps[0] - 1].target), text.casefold()
    place = next(
        (index for index, sentence in enumerate(sentences) if core in sentence.casefold()), len(sentences)
    )
    after = list(takewhile(belongs, sentences[place + 1 :]))
    before = list(takewhile(belongs, reversed(sentences[:place])))[::-1]
    if not is_said_by_user:
        after, before = after[:AROUND], sentences[max(0, place - 1) : place] if _BACK.search(text) else []
    elif len(before) != place or not _is_of(text, before):
        before = []
    whole = _joined(
        map(_without_acknowledgement, [*before, text, *after]) if is_said_by_user else [*before, text, *after]
    )
    return replace(candidate, text=f"{ENDED}{whole}" if candidate.text.startswith(ENDED) else whole)


def _is_of(rule: str, before: Sequence[str]) -> bool:
    """Returns whether a rule refers to the sentences before it, or speaks of something in them."""
    words = {word[:5] for word in _WORD.findall(rule.casefold())}
    return _REFERS.search(rule) is not None or any(
        word[:5] in words for sentence in before for word in _WORD.findall(sentence.casefold())
    )


def _explains(sentence: str) -> bool:
    """Returns whether a sentence of the assistant goes on with an explanation."""
    is_own = phrase_in(sentence, ASSISTANT) is None and len(sentence.split()) >= WORDS_MIN
    return is_own and not (sentence.endswith("?") or _PLAN.search(sentence) or _DONE.search(sentence))


def _belongs(sentence: str) -> bool:
    """Returns whether a sentence of a person gives a reason or a fact, and is no rule of its own."""
    is_own = phrase_in(sentence, USER) is None and len(sentence.split()) >= WORDS_MIN
    return is_own and not (sentence.endswith("?") or _REPORTS.search(sentence) or _is_order(sentence))


def _is_redone(step: Step, steps: Sequence[Step]) -> bool:
    """Returns whether a file that was changed in the turn before a message is changed again after it."""
    place = step.number - 1
    before = list(takewhile(lambda other: other.act is not Act.TOLD, reversed(steps[:place])))
    after = takewhile(lambda other: other.act is not Act.TOLD, steps[place + 1 :])
    changed = {other.target for other in before if other.act in CHANGES and not other.failed}
    return any(other.act in CHANGES and other.target in changed for other in after)


def _is_against_done(step: Step, steps: Sequence[Step]) -> bool:
    """Returns whether a message sets something against what a command of the turn before ran: ", not pytest"."""
    before = takewhile(lambda other: other.act is not Act.TOLD, reversed(steps[: step.number - 1]))
    ran = {word for other in before if other.act is Act.COMMAND for word in other.target.casefold().split()}
    return any(name.strip("`").casefold() in ran for name in _AGAINST.findall(step.target))


def _choice(step: Step, steps: Sequence[Step]) -> str:
    """Returns the one word with which a message answers a question that names it; empty if it does not."""
    messages = (other for other in reversed(steps[: step.number - 1]) if other.act in (Act.SAID, Act.TOLD))
    question, answer = next(messages, None), _ONE_WORD.match(step.target)
    if (
        question is None
        or question.act is not Act.SAID
        or answer is None
        or not _without_acknowledgement(answer[0])
    ):
        return ""
    is_named = answer[1].casefold() in re.findall(r"[\w+#-]+", question.target.casefold())
    return answer[1] if is_named and question.target.rstrip().endswith("?") else ""


def _said_by_user(step: Step, is_against: bool, choice: str) -> Iterator[WorkCandidate]:
    """Yields the lessons that a message of the user states; `choice` is the word that answers a question."""
    sentences = [
        sentence for sentence in map(_without_acknowledgement, sentences_of(step.target))
        if sentence
        and not (
            sentence.endswith("?")
            or _REPORTS.search(sentence)
            or is_momentary(sentence)
            or REDACTION in sentence
        )
    ]  # fmt: skip
    statements = [sentence for sentence in sentences if not _is_order(sentence)]
    is_short = bool(choice and statements) and not statements[0].casefold().startswith(choice.casefold())
    text = _joined([choice, *statements] if is_short else statements)
    if len(text.split()) < WORDS_MIN and not _is_cjk(text):
        return
    if _DECIDED.search(text) and _WEIGHED.search(text):
        yield _candidate(step, "decision", text, 0.8, DECISION, "the user stated a decision")
    elif not any(phrase_in(sentence, USER) for sentence in sentences_of(step.target)):
        strong = bool(_OBJECTS.search(text) or _HABIT.search(text))
        if strong or _names(text):
            reason = "the user objected to the work" if strong else "the user explained something"
            is_certain = strong and (is_against or _OBJECTION.search(step.target) is not None)
            confidence = 0.75 if is_certain else 0.65 if strong else 0.6
            yield _candidate(step, "human_feedback", text, confidence, FEEDBACK, reason)


def _said_by_assistant(step: Step, steps: Sequence[Step]) -> Iterator[tuple[int, WorkCandidate]]:
    """Yields the explanation in a message, with its weight: it gives a reason, in plain words or naming code, and is
    beside a change in the same turn."""
    sentences = [
        sentence for sentence in sentences_of(step.target)
        if not (_PLAN.search(sentence) or _DONE.search(sentence) or sentence.endswith("?"))
    ]  # fmt: skip
    text = _joined(sentences)
    if not sentences or any(phrase_in(sentence, ASSISTANT) for sentence in sentences):
        return
    is_decision = bool(_DECIDED.search(text) and _WEIGHED.search(text))
    reasons = len(_REASON.findall(text)) + len(_EXPLAINS.findall(text))
    if len(text.split()) < WORDS_MIN or not reasons or not (is_decision or _change_near(step, steps)):
        return
    names = _names(text) + len(_known_in(steps).intersection(re.findall(r"\w+", text)))
    if is_decision:
        yield 9, _candidate(step, "decision", text, 0.6, DECISION, "the assistant stated a decision")
    elif _GAVE_UP.search(text):
        reason = "the assistant gave a way up"
        yield 8, _candidate(step, "gotcha", f"Dead end: {text}", 0.55, DEAD_END, reason, dead_end=True)
    elif names:
        reason = "the assistant explained a change"
        weight = min(3, names) + min(3, reasons)
        yield weight, _candidate(step, "session_insight", text, 0.5, CORRECTED, reason)
    elif _EXPLAINS.search(text):
        reason = "the assistant gave a reason for a change"
        yield min(3, reasons), _candidate(step, "session_insight", text, 0.5, CORRECTED, reason)


def _candidate(
    step: Step, kind: str, text: str, confidence: float, rule: str, reason: str, *, dead_end: bool = False
) -> WorkCandidate:
    return WorkCandidate(kind, text, confidence, rule, reason, (step.number,), dead_end=dead_end)


def _change_near(step: Step, steps: Sequence[Step]) -> bool:
    """Returns whether a file was changed shortly before or after a step, in the same turn."""
    place = step.number - 1
    for direction in (
        range(place + 1, min(len(steps), place + 1 + NEAR)),
        range(place - 1, max(-1, place - 1 - NEAR), -1),
    ):
        for index in direction:
            if steps[index].act is Act.TOLD:
                break
            if steps[index].act in CHANGES and not steps[index].failed:
                return True
    return False


def _names(text: str) -> int:
    """Returns how many names of code a text has: in marks, or written as names, options, files and numbers."""
    others = re.findall(
        r"(?<!\w)--?[a-z][\w-]+|\b[\w-]+\.(?:\w{1,5})\b|\b[A-Z]{2,}\b|\b\d[\d.,]*\b|[\w-]+/[\w./-]+|\w+=\w+",
        text,
    )
    return len({*symbols_in(text), *others})


def _known_in(steps: Sequence[Step]) -> frozenset[str]:
    """Returns the plain words that are names of code in this session: they were searched for or defined."""
    searched = (step.target for step in steps if step.act is Act.SEARCH)
    return frozenset(name for step in steps for name in step.symbols) | {
        name for name in searched if name.isidentifier() and len(name) > 3
    }


def _is_order(sentence: str) -> bool:
    """Returns whether a sentence only says what to do next."""
    is_order = _ORDERS.search(sentence) is not None and _STATES.search(sentence) is None
    return is_order and not (_OBJECTS.search(sentence) or _HABIT.search(sentence))


def _without_acknowledgement(sentence: str) -> str:
    return _ACK.sub("", sentence).strip()


def _joined(sentences: Iterable[str]) -> str:
    """Returns sentences as one text, each with a full stop."""
    sentences = [*sentences]
    if len(sentences) == 1:
        return sentences[0][:1].upper() + sentences[0][1:]
    text = " ".join(sentence if sentence[-1:] in ".!。！" else f"{sentence}." for sentence in sentences)
    text = shortened(text, TEXT_MAX)
    return text[:1].upper() + text[1:]


def _is_cjk(text: str) -> bool:
    return sum("\u4e00" <= char <= "\u9fff" for char in text) >= WORDS_MIN
