"""Two-session tasks over real packages: what the first session taught, and whether the second gets it."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest import mock

from holdfast import Memory
from holdfast.core.record import Memory as Record
from holdfast.features.context import context as contexts
from holdfast.features.context import experience
from holdfast.features.context.packing import Context
from holdfast.features.learning import learn as learning
from holdfast.features.learning.rules import lessons
from holdfast.features.learning.rules.log import WorkCandidate
from holdfast.features.modulemap.findings import Scan
from holdfast.features.modulemap.scan.scan import scan

PARTS = (
    "tuned", "held_out", "seen", "fresh", "second_author", "second_author_held_out", "third_author",
)  # fmt: skip
"""The files of tasks in their order. Each of the first four was held out until the next was written, by the
author of the rules; the next two are by somebody who had not seen the rules, which were changed for the
first of them only; the last is by another such author, and many of its other prompts name the same file."""
AUTHORS = (PARTS[:4], PARTS[4:6], PARTS[6:])
"""The parts of each author."""
GIVEN_LEAST, ELSEWHERE_MOST = 0.8, 0.05
"""Targets: the share of lessons given where they are asked for, and shown elsewhere."""
ROOT = "/home/ana/work"
_TIME = "2026-05-01T09:{:02}:{:02}.000Z"


@dataclass(slots=True)
class Task:
    """Two sessions: the steps of the first, as marks with their text, and what the second asks.

    `lesson` is a pattern of what is to be shown for the prompt `ask`, and not to `elsewhere`; without that it
    holds for the whole project.
    """

    package: str
    number: int
    steps: list[tuple[str, str]] = field(default_factory=list)
    lesson: str = ""
    ask: str = ""
    elsewhere: str | None = None

    @property
    def files(self) -> list[str]:
        """Returns the files that the first session changed, in their order."""
        return [*dict.fromkeys(text.split()[0] for mark, text in self.steps if mark == "e")]


@dataclass(frozen=True, slots=True)
class Result:
    """How a task ended: whether its lesson was learned, shown where asked, given by hooks, shown elsewhere.

    Hooks tell at that prompt and at the file that the first session changed, and what holds for the whole
    project at the start. A convention, such as the command that runs the tests, always holds for all of it.
    """

    task: Task
    learned: bool
    shown: bool
    given: bool
    shown_elsewhere: bool | None
    is_convention: bool


def tasks_of(part: str) -> list[Task]:
    """Returns the tasks of a part of the set."""
    text = (Path(__file__).parent / f"learning_{part}.txt").read_text("utf-8")
    tasks: list[Task] = []
    for line in text.splitlines():
        mark, _, rest = line.partition(" ")
        if mark == "@":
            tasks.append(Task(rest.split()[0], len(tasks)))
        elif mark == "=":
            tasks[-1].lesson = rest
        elif mark == "?":
            tasks[-1].ask = rest
        elif mark == "-":
            tasks[-1].elsewhere = rest
        elif mark and mark != "#":
            tasks[-1].steps.append((mark, rest))
    return tasks


def measure(part: str, without: str | None = None) -> list[Result]:
    """Returns the results of all tasks of a part, each package with one memory for all its tasks."""
    tasks = tasks_of(part)
    results: list[Result] = []
    with tempfile.TemporaryDirectory() as temp, ExitStack() as stack:
        stack.enter_context(_without(without))
        for package in dict.fromkeys(task.package for task in tasks):
            folder = Path(temp) / package
            results += _of_package(
                folder, package, [task for task in tasks if task.package == package], without
            )
    return results


@contextmanager
def taught(folder: Path, package: str, tasks: Sequence[Task], *, mapped: bool = True) -> Iterator[Memory]:
    """Opens a memory in a folder that has learned from the first sessions of all tasks of a package."""
    folder.mkdir(parents=True)
    with Memory(folder / "memory.db", user="ana") as memory:
        memory._service.learning_trust = "all"
        if mapped:
            memory.maps.merge(_scan_of(package), project=package)
        for task in tasks:
            path = folder / f"session-{task.number}.jsonl"
            path.write_text(transcript(task), "utf-8")
            memory.learn(path, project=package)
        yield memory


def lessons_of(memory: Memory, package: str) -> list[Record]:
    """Returns all that was learned of a package."""
    return [*memory.list(project=package, tags=["learned"], limit=500).memories]


def opening(memory: Memory, task: Task, session: str) -> list[Context]:
    """Returns what hooks give in a session beside its prompt: at the file that the first session changed, and
    at the start for a task about the whole project."""
    at = partial(memory.agents.event, project=task.package, session=session)
    return [*([at("start")] if task.elsewhere is None else []), at("file", files=task.files[:1])]


def _of_package(folder: Path, package: str, tasks: Sequence[Task], without: str | None) -> Iterator[Result]:
    with taught(folder, package, tasks, mapped=without != "module map") as memory:
        known = lessons_of(memory, package)
        for task in tasks:
            lesson = re.compile(task.lesson)

            def shown(prompt: str, lesson: re.Pattern[str] = lesson) -> bool:
                entries = memory.context(prompt, project=package).entries
                return any(lesson.search(entry.line) for entry in entries)

            def given(task: Task = task, lesson: re.Pattern[str] = lesson) -> bool:
                session = f"second-{task.number}"
                at_prompt = memory.agents.event("prompt", project=package, session=session, prompt=task.ask)
                events = [at_prompt, *opening(memory, task, session)]
                return any(lesson.search(entry.line) for context in events for entry in context.entries)

            learned = [one for one in known if lesson.search(one.text)]
            yield Result(
                task, bool(learned), shown(task.ask), given(),
                None if task.elsewhere is None else shown(task.elsewhere),
                any(one.kind == "convention" for one in learned),
            )  # fmt: skip


@cache
def _scan_of(package: str) -> Scan:
    """Returns what a scan finds in the sources of an installed package, read once for all measurements."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise LookupError(f"the package {package} is not installed")
    source = Path(spec.submodule_search_locations[0])
    with tempfile.TemporaryDirectory() as temp:
        folder = Path(temp)
        shutil.copytree(
            source, folder / package, ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyi")
        )
        (folder / "pyproject.toml").write_text(f'[project]\nname = "{package}"\nversion = "1"\n', "utf-8")
        return scan(folder, package)


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    part: int
    whole: int

    @property
    def value(self) -> float:
        return self.part / self.whole if self.whole else 0.0

    def __str__(self) -> str:
        return f"{self.part} of {self.whole} ({self.value:.2f})"


@dataclass(frozen=True, slots=True)
class Figure:
    """What a measurement gave, with everything or without one part: lessons learned, shown, given and shown
    elsewhere, there apart from conventions."""

    without: str | None
    learned: Share
    shown: Share
    given: Share
    elsewhere: Share
    conventions: Share
    missed: tuple[str, ...]
    parts: Mapping[str, Figure] = field(default_factory=dict)

    @property
    def is_enough(self) -> bool:
        """Returns whether the targets are met."""
        return self.given.value >= GIVEN_LEAST and self.elsewhere.value <= ELSEWHERE_MOST

    def as_dict(self) -> dict[str, Any]:
        """Returns the figures for JSON."""
        shares = ("learned", "shown", "given", "elsewhere", "conventions")
        whole = {name: round(getattr(self, name).value, 3) for name in shares}
        return {
            "without": self.without,
            **whole,
            "parts": {name: one.as_dict() for name, one in self.parts.items()},
        }


def figure_of(without: str | None, parts: Sequence[str] = PARTS) -> Figure:
    """Returns the figures of all tasks and of each part of the set, without one part of the program if it is
    named."""
    by_part = {part: measure(part, without) for part in parts}
    whole = _figure(without, [result for results in by_part.values() for result in results])
    return replace(whole, parts={part: _figure(without, results) for part, results in by_part.items()})


def _figure(without: str | None, results: Sequence[Result]) -> Figure:
    asked = [result for result in results if result.shown_elsewhere is not None]

    def share(flags: Sequence[bool | None]) -> Share:
        return Share(sum(map(bool, flags)), len(flags))

    return Figure(
        without,
        share([result.learned for result in results]),
        share([result.shown for result in results]),
        share([result.given for result in results]),
        share([result.shown_elsewhere for result in asked if not result.is_convention]),
        share([result.shown_elsewhere for result in asked if result.is_convention]),
        tuple(f"{result.task.package}: {result.task.ask}" for result in results if not result.shown),
    )


def _unless(rule: str, candidate: WorkCandidate) -> WorkCandidate | None:
    return None if candidate.rule == rule else candidate


def _patched_candidates(change: Callable[[WorkCandidate], WorkCandidate | None]) -> Any:
    whole = lessons.candidates_in

    def changed(*arguments: Any, **options: Any) -> tuple[tuple[WorkCandidate, ...], int]:
        candidates, left_out = whole(*arguments, **options)
        return tuple(one for one in map(change, candidates) if one is not None), left_out

    return mock.patch.object(learning, "candidates_in", changed)


def _patched_signals(**usual: float) -> Any:
    """Replaces signals by what they are on average."""
    whole = experience.signals_of

    def changed(*arguments: Any) -> list[tuple[Record, experience.Signals]]:
        return [(memory, replace(signals, **usual)) for memory, signals in whole(*arguments)]

    return mock.patch.object(experience, "signals_of", changed)


ABLATIONS: dict[str, Callable[[], Any]] = {
    "module map": nullcontext,
    "files and symbols": lambda: _patched_candidates(lambda one: replace(one, files=(), symbols=())),
    "symbols": lambda: _patched_candidates(lambda one: replace(one, symbols=())),
    "what was worked on": lambda: _patched_candidates(lambda one: replace(one, task=None)),
    "nearness of what was learned": lambda: mock.patch.object(
        contexts, "near_experience", return_value={}
    ),
    "nearness of other modules": lambda: _patched_signals(nearest_module=experience.UNCOMPARED),
    **{
        f"rule {rule}": partial(_patched_candidates, partial(_unless, rule))
        for rule in (
            "user_correction", "decision", "self_correction", "dead_end", "error_retry", "command_found",
            "co_access",
        )
    },
}  # fmt: skip
"""The parts that can be left out, to see what each is good for."""


@contextmanager
def _without(part: str | None) -> Iterator[None]:
    with ExitStack() as stack:
        if part is not None:
            stack.enter_context(ABLATIONS[part]())
        yield


# transcripts in the forms of the three clients


def transcript(task: Task) -> str:
    """Returns the first session of a task as one of three clients writes it, in turn."""
    write = (_claude, _codex, _gemini)[task.number % 3]
    return "".join(f"{json.dumps(entry)}\n" for entry in write(task, list(_calls(task))))


@dataclass(frozen=True, slots=True)
class Call:
    """A step of a session: its mark and text, its id, and for a command the exit code and the output."""

    mark: str
    text: str
    number: int
    exit: int = 0
    output: str = "ok"

    @property
    def time(self) -> str:
        return _TIME.format(self.number // 60, self.number % 60)

    @property
    def path(self) -> str:
        return f"{ROOT}/{self.text.split()[0]}"

    @property
    def written(self) -> str:
        """Returns what an edit wrote: a definition of what it names."""
        names = self.text.split()[1:]
        return "\n".join(
            f"class {name}:\n    pass" if name[0].isupper() else f"def {name}():\n    pass" for name in names
        )


def _calls(task: Task) -> Iterator[Call]:
    marks = task.steps
    for number, (mark, text) in enumerate(marks):
        if mark == "!":
            continue
        result = marks[number + 1][1] if number + 1 < len(marks) and marks[number + 1][0] == "!" else "0 ok"
        code, _, output = result.partition(" ")
        yield Call(mark, text, number, int(code) if mark == "$" else 0, output)


def _claude(task: Task, calls: Iterable[Call]) -> Iterator[dict[str, Any]]:
    tools: dict[str, Callable[[Call], tuple[str, dict[str, Any]]]] = {
        "r": lambda call: ("Read", {"file_path": call.path}),
        "g": lambda call: ("Grep", {"pattern": call.text}),
        "e": lambda call: ("Edit", {"file_path": call.path, "old_string": "", "new_string": call.written}),
        "$": lambda call: ("Bash", {"command": call.text}),
    }

    def entry(role: str, content: Any, call: Call) -> dict[str, Any]:
        return {
            "type": role, "message": {"role": role, "content": content}, "timestamp": call.time, "cwd": ROOT,
            "sessionId": f"s-{task.package}-{task.number}", "isSidechain": False, "gitBranch": "main",
        }  # fmt: skip

    for call in calls:
        if call.mark in ">:":
            content = call.text if call.mark == ">" else [{"type": "text", "text": call.text}]
            yield entry("user" if call.mark == ">" else "assistant", content, call)
            continue
        name, given = tools[call.mark](call)
        id = f"toolu_{call.number}"
        yield entry("assistant", [{"type": "tool_use", "id": id, "name": name, "input": given}], call)
        output = f"Exit code {call.exit}\n{call.output}" if call.exit else call.output
        result = {"type": "tool_result", "tool_use_id": id, "content": output, "is_error": call.exit != 0}
        yield entry("user", [result], call)


def _codex(task: Task, calls: Iterable[Call]) -> Iterator[dict[str, Any]]:
    def item(call: Call, **payload: Any) -> dict[str, Any]:
        return {"timestamp": call.time, "type": "response_item", "payload": payload}

    id = f"s-{task.package}-{task.number}"
    yield {"timestamp": _TIME.format(0, 0), "type": "session_meta", "payload": {"id": id, "cwd": ROOT}}
    for call in calls:
        if call.mark in ">:":
            role, kind = ("user", "input_text") if call.mark == ">" else ("assistant", "output_text")
            yield item(call, type="message", role=role, content=[{"type": kind, "text": call.text}])
            continue
        path, key = call.text.split()[0], f"call_{call.number}"
        command = {"r": f"sed -n '1,200p' {path}", "g": f"rg -n '{call.text}' .", "$": call.text}.get(
            call.mark
        )
        if command is None:
            body = "\n".join(f"+{line}" for line in call.written.splitlines())
            patch = f"*** Begin Patch\n*** Update File: {path}\n@@\n{body}\n*** End Patch\n"
            yield item(call, type="custom_tool_call", name="apply_patch", call_id=key, input=patch)
            yield item(
                call, type="custom_tool_call_output", call_id=key, output="Exit code: 0\nOutput:\nSuccess."
            )
            continue
        arguments = json.dumps({"cmd": command, "workdir": ROOT})
        yield item(call, type="function_call", name="exec_command", call_id=key, arguments=arguments)
        output = f"Wall time: 0.1 seconds\nProcess exited with code {call.exit}\nOutput:\n{call.output}"
        yield item(call, type="function_call_output", call_id=key, output=output)


def _gemini(task: Task, calls: Iterable[Call]) -> Iterator[dict[str, Any]]:
    tools: dict[str, Callable[[Call], tuple[str, dict[str, Any]]]] = {
        "r": lambda call: ("read_file", {"file_path": call.text}),
        "g": lambda call: ("grep_search", {"pattern": call.text}),
        "e": lambda call: ("replace", {"file_path": call.text.split()[0], "new_string": call.written}),
        "$": lambda call: ("run_shell_command", {"command": call.text}),
    }
    yield {"sessionId": f"s-{task.package}-{task.number}", "projectHash": "0" * 64, "kind": "main"}
    for call in calls:
        entry: dict[str, Any] = {"id": f"m{call.number}", "timestamp": call.time}
        if call.mark == ">":
            yield {**entry, "type": "user", "content": [{"text": call.text}]}
            continue
        entry |= {"type": "gemini", "content": call.text if call.mark == ":" else ""}
        yield entry
        if call.mark == ":":
            continue
        name, given = tools[call.mark](call)
        ended = f"\nExit Code: {call.exit}" if call.exit else ""
        response = {"output": f"Output: {call.output}{ended}"}
        tool: dict[str, Any] = {"id": f"t{call.number}", "name": name, "args": given, "status": "success"}
        tool["result"] = [{"functionResponse": {"name": name, "response": response}}]
        yield {**entry, "toolCalls": [tool]}
