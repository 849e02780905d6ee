"""Selects a session's candidates, best first and within its cap, and summarizes them (S4.43)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from holdfast.core.shortening import shortened
from holdfast.features.learning.rules.commands import fetches
from holdfast.features.learning.rules.log import (
    ACCESSES,
    CHANGES,
    Act,
    SessionLog,
    SessionType,
    WorkCandidate,
)
from holdfast.features.learning.rules.messages import messages_in, with_reason
from holdfast.features.learning.rules.phrases import phrases_in
from holdfast.features.learning.rules.replies import replies_in
from holdfast.features.learning.rules.signals import pairs_in, refuted_in, retries_in, searches_in
from holdfast.features.learning.rules.subjects import RULES, with_subject
from holdfast.features.learning.rules.taken_back import taken_back

BULLETS_MIN, BULLETS_MAX = 3, 5
BULLET_CHARS = 200
TASK_MAX = 500
"""Most characters of a task that fits into one line."""
FILES_SHOWN = 3
AGREED = 0.05
"""Confidence that a candidate gains each time the session shows it again."""

_HEADS = {
    "human_feedback": "You said",
    "gotcha": "Trap",
    "error_pattern": "Error",
    "convention": "Convention",
    "environment_quirk": "Environment",
    "codebase_discovery": "Code",
    "dependency_relation": "Code",
    "session_insight": "Insight",
    "decision": "Decision",
}


def candidates_in(
    log: SessionLog, type: SessionType, *, before: int = 0
) -> tuple[tuple[WorkCandidate, ...], int]:
    """Returns the candidates of a session, best first, and how many exceed the cap of its type; `before` were
    found in earlier parts of the log.

    Steps that were read before are context: what they show alone is no candidate.

    Of a failed session only the dead ends remain (S4.73). Duplicates are merged with a higher confidence.
    """
    withdrawn = taken_back(log.steps)
    candidates = [one for one in _found_in(log) if not _is_of(one, withdrawn)]
    once: dict[tuple[str, str], WorkCandidate] = {}
    for candidate in candidates:
        if (log.failed and not candidate.dead_end) or max(candidate.steps) <= log.read_before:
            continue
        key = (candidate.kind, " ".join(candidate.text.casefold().split()))
        existing = once.get(key)
        if existing is None:
            once[key] = candidate
        else:
            sure = min(0.9, max(existing.confidence, candidate.confidence) + AGREED)
            steps = tuple(dict.fromkeys((*existing.steps, *candidate.steps)))
            once[key] = replace(existing, confidence=round(sure, 2), steps=steps)
    ordered = sorted(once.values(), key=lambda candidate: (-candidate.confidence, candidate.steps))
    cap = max(0, type.cap - before)
    return tuple(with_subject(candidate, log) for candidate in ordered[:cap]), max(0, len(ordered) - cap)


def withdrawn_in(log: SessionLog) -> tuple[WorkCandidate, ...]:
    """Returns what was learned from earlier parts of a log and is taken back in this one."""
    withdrawn = {number: by for number, by in taken_back(log.steps).items() if number <= log.read_before < by}
    return tuple(one for one in _found_in(log) if _is_of(one, withdrawn)) if withdrawn else ()


def outdated_in(log: SessionLog) -> tuple[WorkCandidate, ...]:
    """Returns what a log shows and then refutes: that a command fails which worked later, as after a fix."""
    holds = {candidate.text for candidate in retries_in(log.steps)}
    return tuple(candidate for candidate in refuted_in(log.steps) if candidate.text not in holds)


def _found_in(log: SessionLog) -> list[WorkCandidate]:
    """Returns what all rules find, duplicates and context included."""
    return [
        *retries_in(log.steps),
        *(with_reason(candidate, log.steps) for candidate in phrases_in(log.steps)),
        *messages_in(log.steps),
        *replies_in(log.steps),
        *searches_in(log.steps),
        *pairs_in(log.steps),
        *_outcome(log),
    ]


def _is_of(candidate: WorkCandidate, messages: Container[int]) -> bool:
    """Returns whether a candidate is what one of some messages of the user said."""
    return candidate.rule in RULES and max(candidate.steps) in messages


def _outcome(log: SessionLog) -> list[WorkCandidate]:
    """Returns the outcome of the task, if the log marks it as done and files were changed for it."""
    task = next((step for step in log.steps if step.act is Act.TOLD), None)
    changes = [step for step in log.steps if step.act in CHANGES and not step.failed]
    files = tuple(dict.fromkeys(step.target for step in changes))
    if not log.is_complete or task is None or not files or len(task.target) > TASK_MAX:
        return []
    more = f" and {len(files) - FILES_SHOWN} others" if len(files) > FILES_SHOWN else ""
    text = f"Done: {_line(task.target)} (changed {', '.join(files[:FILES_SHOWN])}{more})"
    steps = (task.number, changes[-1].number)
    return [
        WorkCandidate(
            "task_outcome", text, 0.5, "task_outcome", "the log says that it was done", steps, files
        )
    ]


def web_from(log: SessionLog) -> int | None:
    """Returns the number of the first step that brought in web content, or None (S4.45)."""
    for step in log.steps:
        if step.act is Act.WEB or (step.act is Act.COMMAND and fetches(step.target)):
            return step.number
    return None


def is_after_web(candidate: WorkCandidate, web: int | None) -> bool:
    """Returns whether any evidence for a candidate came after web content (S4.45)."""
    return web is not None and max(candidate.steps) > web


def bullets_of(log: SessionLog, lessons: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Returns a summary of three to five lines.

    These are the lessons, given as kind and clean text, best first, supplemented by what the session worked
    on (S4.43). Empty for a session without steps.
    """
    bullets = [_bullet(kind, text) for kind, text in lessons[:BULLETS_MAX]]
    more = iter(_figures(log))
    while len(bullets) < BULLETS_MIN:
        line = next(more, None)
        if line is None:
            break
        bullets.append(line)
    return tuple(bullets)


def _figures(log: SessionLog) -> list[str]:
    """Returns the figures of a session as lines."""
    counts = Counter(step.act for step in log.steps)
    lines = []
    if log.files:
        folders = Counter(
            str(PurePosixPath(step.target).parent) for step in log.steps if step.act in ACCESSES
        )
        most = folders.most_common(1)[0][0]
        folder_note = "" if most == "." else f", most of all in {most}"
        lines.append(f"Worked with {_pluralize(len(log.files), 'file')}{folder_note}")
    if counts[Act.COMMAND]:
        failed = sum(step.failed for step in log.steps if step.act is Act.COMMAND)
        ran = _pluralize(counts[Act.COMMAND], "command")
        lines.append(f"Ran {ran}, {failed} of them failed" if failed else f"Ran {ran}, none failed")
    if counts[Act.SEARCH]:
        lines.append(f"Searched the code {_pluralize(counts[Act.SEARCH], 'time')}")
    if log.steps:
        lines.append(f"Took {_pluralize(len(log.steps), 'step')}" + (" and failed" if log.failed else ""))
    return lines


def _bullet(kind: str, text: str) -> str:
    # dead ends and outcomes have their own opening
    head = "" if text.startswith(("Dead end:", "Done:")) else f"{_HEADS.get(kind, 'Learned')}: "
    return head + _line(text)


def _line(text: str) -> str:
    return shortened(" ".join(text.split()), BULLET_CHARS)


def _pluralize(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
