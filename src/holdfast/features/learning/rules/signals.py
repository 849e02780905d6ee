"""Finds passive signals: overcome errors, repeated searches, files used together (S4.73)."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from holdfast.features.learning.rules.commands import (
    PURPOSES,
    Run,
    changes_shell,
    error_of,
    has_own_status,
    is_elsewhere,
    is_of_cd,
    not_started,
    only_looks,
    own_fault,
    prepares,
    run_of,
    signature,
    without_verbosity,
)
from holdfast.features.learning.rules.log import ACCESSES, CHANGES, Act, Step, WorkCandidate

RETRIES = 2
"""Fewest attempts after the first failure, including the successful one."""
SEARCHES = 3
"""Fewest repetitions of a search."""
TOGETHER = 3
"""Fewest places of a session at which two files are used together."""
NEAR = 5
"""Steps within which something follows, or two files are used together."""
PAIRS_MAX = 3
"""Most pairs of files of one session."""
STEPS_MAX = 12
"""Most steps that are listed as evidence."""
FILES_SHOWN = 3
FOUND = "command_found"
"""The rule that finds the command that works where others failed."""
QUERY_MIN, QUERY_MAX = 3, 80


@dataclass(slots=True)
class _Attempts:
    """The failed runs of one command since it last worked."""

    failures: list[tuple[Step, Run, str]] = field(default_factory=list)

    def repeated(self) -> str | None:
        """Returns the last error that occurred at least twice, or None."""
        counts = Counter(signature(error) for _, _, error in self.failures if error)
        for _, _, error in reversed(self.failures):
            if error and counts[signature(error)] >= RETRIES:
                return error
        return None


@dataclass(frozen=True, slots=True)
class _Lesson:
    """A lesson of attempts at one thing: the run that failed in `failed_step`, and the one that worked. With
    `is_of_call` it says that another call of the same program works."""

    candidate: WorkCandidate
    failed_step: Step
    failed: Run
    worked: Run
    is_of_call: bool = False

    def is_shown_by(self, run: Run) -> bool:
        """Returns whether a run that worked shows the lesson."""
        is_same_call = not self.is_of_call or run.variables == self.worked.variables
        return run.program == self.worked.program and is_same_call

    def is_refuted_by(self, step: Step, run: Run, steps: Sequence[Step]) -> bool:
        """Returns whether a run that worked is later one of what the lesson says to fail: by its own exit
        status, without the same error, and with neither a preparation nor a change of folder in between."""
        if self.is_of_call:
            is_same = without_verbosity(run) == without_verbosity(self.failed)
        elif self.candidate.rule == FOUND:
            same = (run.key, run.program, run.variables)
            is_same = same == (self.failed.key, self.failed.program, self.failed.variables)
        else:
            return False
        if not is_same or step.number <= max(self.candidate.steps) or not has_own_status(step.target):
            return False
        error = signature(error_of(self.failed_step.output))
        if any(signature(error_of(line)) == error for line in step.output.splitlines()):
            return False
        between = steps[self.failed_step.number : step.number - 1]
        lines = [item.target for item in between if item.act is Act.COMMAND]
        lines += [line for line in run.before if line not in self.failed.before]
        return not any(map(changes_shell, lines)) and not is_elsewhere(step.target, self.failed_step.target)


def retries_in(steps: Sequence[Step]) -> Iterator[WorkCandidate]:
    """Yields lessons from commands that failed and were retried: what finally worked, and what never did."""
    return (candidate for candidate, refuted_at in _lessons_in(steps) if refuted_at is None)


def refuted_in(steps: Sequence[Step]) -> Iterator[WorkCandidate]:
    """Yields lessons that a command fails which worked later in the session, as after a fix."""
    return (candidate for candidate, refuted_at in _lessons_in(steps) if refuted_at is not None)


def _lessons_in(steps: Sequence[Step]) -> Iterator[tuple[WorkCandidate, int | None]]:
    """Yields lessons of retries, each with the number of the step that refutes it, if one does."""
    open_: dict[str, _Attempts] = defaultdict(_Attempts)
    worked: list[tuple[Step, Run]] = []
    lessons: list[_Lesson] = []
    for step in steps:
        run = run_of(step.target) if step.act is Act.COMMAND else None
        if run is None:
            continue
        if step.failed:
            error = error_of(step.output)
            if not is_of_cd(error):  # the command did not run
                open_[run.key].failures.append((step, run, error))
            continue
        worked.append((step, run))
        key = run.key if run.key in open_ else None
        if key is None and not prepares(run.line):
            key = _tried_instead(open_, run, step)
        if key is not None:
            lessons += _overcome(open_.pop(key), step, run, steps)
    for lesson in lessons:
        candidate = lesson.candidate
        numbers = [step.number for step, run in worked if lesson.is_shown_by(run)]
        is_proved = len(numbers) >= RETRIES and "at times" not in candidate.text
        shown = tuple(dict.fromkeys((*candidate.steps, *numbers)))[:STEPS_MAX]
        refuted_at = next(
            (step.number for step, run in worked if lesson.is_refuted_by(step, run, steps)), None
        )
        yield replace(candidate, is_proved=is_proved, steps=shown), refuted_at
    for attempts in open_.values():
        yield from ((candidate, None) for candidate in _dead_end(attempts))


def _tried_instead(open_: dict[str, _Attempts], run: Run, step: Step) -> str | None:
    """Returns the key of the attempts that a command replaced: the last command before it could not start or
    was called wrongly, and nothing was changed since."""
    for key, attempts in reversed(open_.items()):
        last, failed, error = attempts.failures[-1]
        is_wrong = not_started(error) or failed.tool.split()[0] == run.tool.split()[0]
        if (
            is_wrong
            and not _is_misspelt(failed, run)
            and step.number - last.number <= RETRIES
            and _is_like(failed, run)
        ):
            return key
    return None


def _is_misspelt(failed_run: Run, run: Run) -> bool:
    """Returns whether a command is the other one with letters in another order: a slip teaches nothing."""
    return failed_run.program != run.program and sorted(failed_run.program) == sorted(run.program)


def _is_like(failed_run: Run, run: Run) -> bool:
    """Returns whether two commands are for the same thing: they share a word of their names or arguments, or
    one is a script that the other names."""
    return (
        bool(_parts_of(failed_run.tool) & _parts_of(run.tool))
        or "/" in run.program
        or "/" in failed_run.program
    )


def _parts_of(tool: str) -> frozenset[str]:
    return frozenset(part for part in re.split(r"\W+|_", tool.casefold()) if len(part) > 2)


def _overcome(attempts: _Attempts, step: Step, run: Run, steps: Sequence[Step]) -> Iterator[_Lesson]:
    """Yields lessons of attempts that finally succeeded: the right command, and how an error was overcome."""
    failures = attempts.failures
    others = [failure for failure in failures if failure[1].program != run.program]
    is_changed = others and any(item.act in CHANGES for item in steps[others[-1][0].number : step.number - 1])
    wrong = [
        failure for failure in others
        if not_started(failure[2])
        or not (is_changed or own_fault(failure[2]) or step.number - failure[0].number > NEAR)
    ]  # fmt: skip
    if wrong:
        last, failed, _ = wrong[-1]
        yield _Lesson(_command_found(wrong, step, run), last, failed, run)
        attempts = _Attempts([failure for failure in failures if failure not in wrong])
    error = attempts.repeated()
    if not attempts.failures:
        return
    last, failed, last_error = attempts.failures[-1]
    is_repeated = error is not None and len(attempts.failures) >= RETRIES
    between = steps[last.number : step.number - 1]
    remedy = _remedy(between, failed, run, error or last_error, is_repeated=is_repeated)
    if remedy is not None and last_error and (is_repeated or _is_plain(remedy[1], last_error)):
        error = error or last_error
        kind, how, files = remedy
        reason = f"the error came {len(attempts.failures)} times before it worked"
        text = f"`{failed.line}` fails with “{error}”{how}"
        shown = _step_numbers(attempts.failures, step)
        candidate = WorkCandidate(kind, text, 0.7, "error_retry", reason, shown, files)
        yield _Lesson(candidate, last, failed, run, is_of_call=how.endswith("works"))


def _is_plain(remedy: str, error: str) -> bool:
    """Returns whether one failure is enough: another call or a preparation made it work, and the error is not
    one of the work in hand."""
    return not own_fault(error) and ("has run" in remedy or remedy.endswith("works"))


def _command_found(wrong: list[tuple[Step, Run, str]], step: Step, run: Run) -> WorkCandidate:
    """Returns the lesson that a command works where others failed."""
    _, failed, error = wrong[-1]
    purpose = PURPOSES.get(run.work or failed.work or "")
    kind = "convention" if purpose else "environment_quirk"
    begin = f"{purpose} `{run.program}`" if purpose else f"Here it is `{run.program}`"
    text = f"{begin}; `{failed.program}` fails: {error.removeprefix(failed.program + ': ')}"
    return WorkCandidate(
        kind, text, 0.75, FOUND, "the command was found by trial", _step_numbers(wrong, step)
    )


def _step_numbers(failures: list[tuple[Step, Run, str]], step: Step) -> tuple[int, ...]:
    return (*(failed_step.number for failed_step, _, _ in failures[-STEPS_MAX + 1 :]), step.number)


def _remedy(
    between: Sequence[Step], failed_run: Run, successful_run: Run, error: str, *, is_repeated: bool
) -> tuple[str, str, tuple[str, ...]] | None:
    """Returns what was done before it worked: kind of memory, continuation of the sentence, files. After an
    error that came twice, this is also a command that is not known to prepare anything, if it alone did
    something.

    None if nothing can be learned, as from a failed assertion.
    """
    done = [run.line for run in _succeeded(between)]
    prepared = [line for line in done if prepares(line)]
    acts = dict.fromkeys(line for line in done if not only_looks(line))
    if is_repeated and not prepared and len(acts) == 1 and not any(item.act in CHANGES for item in between):
        prepared = [*acts]
    is_same = successful_run.line == failed_run.line
    prepared += [
        item
        for item in successful_run.before
        if (is_same or prepares(item)) and item not in failed_run.before
    ]
    changed = tuple(dict.fromkeys(item.target for item in between if item.act in CHANGES and not item.failed))
    if prepared:
        return "gotcha", f" until `{prepared[-1]}` has run", ()
    if successful_run.line != failed_run.line and not changed:
        return "gotcha", f"; `{successful_run.line}` works", ()
    if changed and not own_fault(error):
        names = ", ".join(changed[:FILES_SHOWN]) + (" and others" if len(changed) > FILES_SHOWN else "")
        return "error_pattern", f"; a change in {names} solved it", changed
    if not changed and successful_run.line == failed_run.line and not between:
        return "environment_quirk", " at times and passes when it is run again unchanged", ()
    return None


def _succeeded(between: Sequence[Step]) -> Iterator[Run]:
    for step in between:
        run = run_of(step.target) if step.act is Act.COMMAND and not step.failed else None
        if run is not None:
            yield run


def _dead_end(attempts: _Attempts) -> Iterator[WorkCandidate]:
    """Yields the dead end of a command that failed repeatedly and never worked."""
    error = attempts.repeated()
    if error is None or len(attempts.failures) <= RETRIES:
        return
    _, failed, _ = attempts.failures[-1]
    text = f"Dead end: `{failed.line}` kept failing with “{error}” and was not solved in that session"
    steps = tuple(step.number for step, _, _ in attempts.failures)[-STEPS_MAX:]
    reason = f"it failed {len(attempts.failures)} times and never worked"
    yield WorkCandidate("gotcha", text, 0.5, "error_retry", reason, steps, dead_end=True)


def searches_in(steps: tuple[Step, ...]) -> Iterator[WorkCandidate]:
    """Yields repeated searches with the file that was opened for them."""
    by_query: dict[str, list[int]] = defaultdict(list)
    original: dict[str, str] = {}
    for place, step in enumerate(steps):
        query = " ".join(step.target.split()).strip("'\"")
        if step.act is Act.SEARCH and QUERY_MIN <= len(query) <= QUERY_MAX:
            by_query[query.casefold()].append(place)
            original.setdefault(query.casefold(), query)
    for key, places in by_query.items():
        if len(places) < SEARCHES:
            continue
        opened: Counter[str] = Counter()
        for place in places:
            after = steps[place + 1 : place + 1 + NEAR]
            paths = (
                step_after.target
                for step_after in after
                if step_after.act in ACCESSES and not step_after.failed
            )
            opened.update([*dict.fromkeys(paths)])  # of equal counts, the first that was opened wins
        if opened:
            path = opened.most_common(1)[0][0]
            numbers = tuple(steps[place].number for place in places)[:STEPS_MAX]
            reason = f"it was searched for {len(places)} times"
            text = f"Searches for `{original[key]}` led to {path}"
            yield WorkCandidate("codebase_discovery", text, 0.6, "repeated_search", reason, numbers, (path,))


def pairs_in(steps: tuple[Step, ...]) -> Iterator[WorkCandidate]:
    """Yields pairs of files that were used within a few steps of each other at several places of the session.

    A step counts for one place only. If both were changed, one depends on the other.
    """
    recent: list[tuple[int, Step]] = []
    places: dict[tuple[str, str], list[int]] = defaultdict(list)
    for index, step in enumerate(steps):
        if step.act not in ACCESSES or step.failed:
            continue
        recent = [(at, item) for at, item in recent if index - at <= NEAR]
        for at, other in recent:
            if other.target == step.target:
                continue
            pair = (min(step.target, other.target), max(step.target, other.target))
            if not places[pair] or places[pair][-1] < at:
                places[pair].append(index)
        recent.append((index, step))
    frequent = [(pair, occurrences) for pair, occurrences in places.items() if len(occurrences) >= TOGETHER]
    frequent.sort(key=lambda item: (-len(item[1]), item[0]))
    changed = {item.target for item in steps if item.act in CHANGES and not item.failed}
    selected = [item for item in frequent if changed & set(item[0])][:PAIRS_MAX]
    for (first, second), occurrences in selected:
        both = first in changed and second in changed
        kind = "dependency_relation" if both else "codebase_discovery"
        text = (
            f"{first} and {second} are changed together"
            if both
            else f"{first} and {second} are used together"
        )
        numbers = tuple(steps[at].number for at in occurrences)[:STEPS_MAX]
        reason = f"they were used within {NEAR} steps at {len(occurrences)} places"
        yield WorkCandidate(kind, text, 0.5, "co_access", reason, numbers, (first, second))
