"""Finds short replies of the user that name another command: "nope, pnpm" after `npm install`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from holdfast.features.learning.rules.commands import Run, run_of
from holdfast.features.learning.rules.log import Act, Step, WorkCandidate
from holdfast.features.learning.rules.phrases import phrase_in
from holdfast.features.learning.rules.rules import FEEDBACK
from holdfast.features.learning.rules.user_rules import USER
from holdfast.language.statements.rivals import OBJECTS

REPLY_MAX = 60
"""Most characters of a reply that is looked at: a longer one is read by its phrases."""
_NAME = r"`?[\w./-]*\w`?"
_REPLY = re.compile(
    r"(?i)^\W*(?:(?:no+|nope|nah|wrong|stop|wait|nein|nee|nö|falsch|halt)[\s,.!:;—-]+)*"
    rf"(?:(?:not|nicht) ({_NAME})[\s,.;:—-]+)?"
    r"(?:(?:please|bitte|use|take|run|nimm|nutze?|with|mit|via|it's|but|sondern)\s+)*"
    rf"({_NAME}(?: {_NAME})??)"
    r"(?:,?\s+(?:please|bitte|here|hier|instead|stattdessen))*"
    rf"(?:,?\s+(?:and |und )?(?:not|nicht|statt|instead of|rather than)\s+({_NAME}))?"
    r"(?:,?\s+(?:please|bitte|here|hier))*[\W]*$"
)
"""A reply that is a name and little else; the first and the last group name what it is not."""


def replies_in(steps: Sequence[Step]) -> Iterator[WorkCandidate]:
    """Yields the corrections in short replies that name a program in place of one that was just run.

    The commands show that it is one: the next ones do the same work with what was named, or both are known
    alternatives of each other, or the reply names the other itself.
    """
    for place, step in enumerate(steps):
        if step.act is not Act.TOLD or len(step.target) > REPLY_MAX or phrase_in(step.target, USER):
            continue
        match = _REPLY.match(step.target.strip())
        if match is None:
            continue
        named = match[2].replace("`", "")
        denied = {(match[group] or "").strip("`").casefold() for group in (1, 3)} - {""}
        ran = _runs(takewhile(_is_in_turn, reversed(steps[:place])))
        replaced = _corrected(named, denied, ran, _runs(takewhile(_is_in_turn, steps[place + 1 :])))
        if replaced is not None:
            text = f"Use `{named}`, not `{replaced}`"
            reason = "the user named another command"
            yield WorkCandidate("human_feedback", text, 0.85, FEEDBACK, reason, (step.number,))


def _is_in_turn(step: Step) -> bool:
    return step.act is not Act.TOLD


def _runs(steps: Iterator[Step]) -> list[Run]:
    return [run for step in steps if step.act is Act.COMMAND and (run := run_of(step.target)) is not None]


def _corrected(command: str, denied: set[str], ran: Sequence[Run], next_: Sequence[Run]) -> str | None:
    """Returns the command of the turn before, the last first, in place of which the reply names another."""
    words = command.split()
    follow = next((run for run in next_ if run.tool.split()[: len(words)] == words), None)
    for run in ran:
        tool = run.tool.split()[0]
        if tool == words[0] or (denied and tool.casefold() not in denied):
            continue
        is_redone = follow is not None and _is_same_work(run, follow)
        if is_redone or denied or (follow is None and _are_alternatives(tool, command)):
            return run.program if len(words) > 1 and not denied else tool
    return None


def _is_same_work(run: Run, follow: Run) -> bool:
    """Returns whether a command does the work of another with another program, and does not only wrap it."""
    first, second = run.tool.split(), follow.tool.split()
    shared = {word for word in first[1:] if not word.startswith("-")}.intersection(second[1:])
    return run.key == follow.key or (first[0] not in second and bool(shared))


def _are_alternatives(tool: str, command: str) -> bool:
    one, other = OBJECTS.get(tool.casefold()), OBJECTS.get(command.casefold())
    return one is not None and other is not None and one[0] == other[0] and one != other
