"""The hook command: answers an event of a client within its deadline, or is silent, and always succeeds.

Whatever happens (no store, a locked or broken one, any input), the process ends by itself with status 0, and
standard output holds the client's JSON or nothing. Asked by HOLDFAST_DEBUG, it says on standard error in one
line why there is no answer. Imports are late: this runs at every prompt.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.api.memory import Memory
    from holdfast.config import Settings
    from holdfast.features.learning.rules.log import Learned
    from holdfast.integrations.agents.clients import Client, Happening
    from holdfast.integrations.agents.places import Request

DEADLINE = 0.9
"""Seconds after which the process ends, whatever it is doing; a client sees it end within a second."""
EXPLAINING = 0.05
"""Seconds that the deadline leaves for saying that it has passed."""
DEADLINE_VARIABLE = "HOLDFAST_HOOK_SECONDS"
"""The environment variable with another deadline, for a slow machine."""
INPUT_MAX = 32 << 20
"""Bytes of input that are looked at."""
LESSON_MAX = 160
"""Characters of a lesson that its user is shown."""
WAITING_SHOWN = 3
"""Lessons that wait for review, of which its user is shown the text."""
OPTIONS = ("--store", "--user", "--project")
DEBUG_VARIABLE = "HOLDFAST_DEBUG"
"""The environment variable with which the reason for no answer is said; `--debug` adds the traceback."""


class NoAnswer(Exception):
    """The reason why an event has no answer."""


class Deadline:
    """The end of this process: once the answer was begun it is completed, and nothing comes after it."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._lock = threading.Lock()
        self._timer = threading.Thread(target=self._wait, args=(seconds,), daemon=True)
        self._finished = threading.Event()
        self._timer.start()

    def _wait(self, seconds: float) -> None:
        """Ends the process when the deadline passes, after saying so if that is asked for."""
        self._finished.wait(seconds)
        reason = f"the deadline of {seconds:g} seconds has passed ({DEADLINE_VARIABLE} sets another)"
        explaining = threading.Thread(target=explain, args=(reason,), daemon=True)
        explaining.start()
        explaining.join(EXPLAINING)  # nobody may read standard error, and a full pipe is waited for
        self.end()

    def say(self, text: str) -> None:
        """Writes the answer as a whole."""
        with self._lock:
            data = text.encode("utf-8")
            while data:
                data = data[os.write(1, data) :]

    def end(self) -> None:
        """Ends the process with success."""
        with self._lock:
            os._exit(0)


def main(arguments: list[str]) -> None:
    """Answers one event and ends the process: `CLIENT EVENT`, with options of the store and the project."""
    deadline = Deadline(_seconds())
    try:
        _run(arguments, deadline)
    except NoAnswer as reason:
        explain(str(reason))
    except BaseException as error:  # nothing may reach the client
        explain(_described(error))
        if "--debug" in arguments:
            import traceback

            traceback.print_exception(error)
    finally:
        deadline.end()


def explain(reason: str) -> None:
    """Writes why there is no answer to standard error, in one line, if that was asked for."""
    if os.environ.get(DEBUG_VARIABLE):
        line = f"holdfast hook: no answer: {' '.join(reason.split())}\n"
        with contextlib.suppress(OSError):
            os.write(2, line.encode("utf-8", "backslashreplace"))


def _described(error: BaseException) -> str:
    """Returns what went wrong in one line, with the hint of an error of ours."""
    from holdfast.core.errors import HoldfastError

    if not isinstance(error, HoldfastError):
        return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"{error.message} ({error.code})" + (f". {error.hint}" if error.hint else "")


def _seconds() -> float:
    """Returns the seconds until the deadline, from the environment if it names a valid number."""
    try:
        return min(max(float(os.environ.get(DEADLINE_VARIABLE, DEADLINE)), 0.1), 60.0)
    except ValueError:
        return DEADLINE


def _run(arguments: list[str], deadline: Deadline) -> None:
    """Reads the event on standard input and answers it. Raises NoAnswer with the reason if it has none."""
    import signal

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: os._exit(0))
    if "--debug" in arguments:
        os.environ.setdefault(DEBUG_VARIABLE, "1")
    names, options = _parsed(arguments)
    content = _input()
    if len(names) != 2:
        raise NoAnswer("the command line has to name CLIENT and EVENT")
    if not content:
        raise NoAnswer(f"there is no event on standard input, or one of more than {INPUT_MAX >> 20} MB")
    import json

    from holdfast.integrations.agents.clients import CLIENTS

    client = CLIENTS.get(names[0])
    if client is None:
        raise NoAnswer(f"there is no client {names[0]}; there are {', '.join(CLIENTS)}")
    try:
        payload = json.loads(content)
    except ValueError as error:
        raise NoAnswer(f"the event on standard input is not JSON: {error}") from None
    if not isinstance(payload, dict):
        raise NoAnswer("the event on standard input is not a JSON object")
    if names[1] not in client.events:
        raise NoAnswer(f"{client.title} has no event {names[1]}; its hooks are {', '.join(client.events)}")
    happening = client.read(names[1], payload)
    if happening.event is None and not happening.forgets and not happening.learns:
        raise NoAnswer(f"this {names[1]} names no file, and no command that failed")
    if not os.environ.get(DEBUG_VARIABLE):
        import logging

        logging.disable(logging.CRITICAL)  # such as that the disk is full: standard error is the client's
    _Exchange(client, names[1], payload, happening, options, deadline).answer()


def _parsed(arguments: list[str]) -> tuple[list[str], dict[str, str]]:
    """Returns the names and the options of the command line; what is none of them is left out."""
    names, options, rest = [], {}, iter(arguments)
    for word in rest:
        option, equals, value = word.partition("=")
        if option in OPTIONS:
            options[option[2:]] = value if equals else next(rest, "")
        elif not word.startswith("-"):
            names.append(word)
    return names, options


def _input() -> bytes:
    """Returns standard input, read to its end so that no client writes into a closed pipe; nothing for what
    is too large, or a terminal."""
    if os.isatty(0):
        return b""
    parts, size = [], 0
    while part := os.read(0, 1 << 20):
        size += len(part)
        if size <= INPUT_MAX:
            parts.append(part)
    return b"".join(parts) if size <= INPUT_MAX else b""


class _Exchange:
    """One event of a client, with what is needed to answer it. At most one answer or notice is written."""

    def __init__(
        self, client: Client, event: str, payload: dict[str, Any], happening: Happening,
        options: dict[str, str], deadline: Deadline,
    ) -> None:  # fmt: skip
        from holdfast import config
        from holdfast.integrations.agents.places import place_of

        self.client, self.event, self.payload, self.happening = client, event, payload, happening
        self.settings = config.load(store=options.get("store"), user=options.get("user"))
        self.request = place_of(payload, happening, options.get("project"), client.session_of(payload))
        self.paused = _paused(self.request)
        self._deadline = deadline
        self._is_written = False
        self._reason = ""

    def answer(self) -> None:
        """Answers the event through the service that runs for the store, else with the store itself, and
        learns from the session if the event is about that. Raises NoAnswer if nothing was written."""
        if self.paused and not (self.happening.forgets or self.happening.learns):
            raise NoAnswer(self.paused)
        self._reason = self.paused or f"{self.event} is not answered, only noted"
        calls = self._calls()
        answers = None if self.happening.learns else self._ask_service(calls)
        if answers is None:
            with _memory(self.client, self.settings, as_person=self.happening.learns) as memory:
                for name, arguments in calls:
                    self._write_answer(memory.agents.event(name, **arguments).as_dict())
                if self._may_hint():
                    self._write_notice(self.request.hint(memory))
                self._write_notice(self._learn_or_catch_up(memory))
        else:
            for response in answers:
                self._write_answer(response)
            if self._may_hint():
                with _memory(self.client, self.settings) as memory:
                    self._write_notice(self.request.hint(memory))
        if not self._is_written:
            raise NoAnswer(self._reason)

    def _calls(self) -> list[tuple[str, dict[str, Any]]]:
        """Returns the events to pass to `agents.event`, each with its arguments."""
        from holdfast.integrations.agents.places import is_local

        whereabouts = self.request.whereabouts
        if not is_local(self.settings.store):
            whereabouts = {**whereabouts, "folder": None}  # paths of this machine mean others there
        calls = [("compact", whereabouts)] if self.happening.forgets else []
        if self.happening.event is not None and not self.paused:
            calls.append((self.happening.event, {**whereabouts, **self.request.about}))
        return calls

    def _ask_service(self, calls: list[tuple[str, dict[str, Any]]]) -> list[Mapping[str, Any]] | None:
        """Returns the answers of the service that runs for the store and its user; None if there is no such
        service or it left a call unanswered."""
        from holdfast.integrations.agents.running import running_for

        service = running_for(self.settings.store)
        if service is None or service.user != self.settings.user:
            return None
        answers = [
            service.ask(self.client.name, {"event": name, **arguments}, self._deadline.seconds)
            for name, arguments in calls
        ]
        return None if None in answers else [answer or {} for answer in answers]

    def _may_hint(self) -> bool:
        """Returns whether to tell the user which project the folder seems to belong to."""
        is_start = self.happening.event == "start" and not self.paused and not self._is_written
        return is_start and self.client.notice is not None and self.request.may_be_of_a_project

    def _learn_or_catch_up(self, memory: Memory) -> str:
        """Learns from the session, or at the start of one from earlier ones that were cut off. Returns the
        news for the user, empty if there is none."""
        if self.happening.learns and self.paused:
            _pass_over(memory, self.payload, self.request)
        elif self.happening.learns:
            self._reason, news = _learn(memory, self.payload, self.request)
            return news
        elif self.happening.event == "start" and not self.paused:
            transcripts = _cut_off(memory, self.payload, self.request)
            if transcripts:
                with _memory(self.client, self.settings, as_person=True) as person:
                    return _news(_learn_cut_off(person, transcripts, self.request))
        return ""

    def _write_answer(self, response: Mapping[str, Any]) -> None:
        """Writes the text of a response in the form of the client, or keeps the reason why there is none."""
        from holdfast.integrations.agents.clients import TEXT_MAX

        text = response.get("text", "")
        if not text or len(text) > TEXT_MAX:
            self._reason = _reason(response, self.happening, self.request, self._project())
            return
        self._write(self.client.answer(self.event, text))

    def _project(self) -> str | None:
        """Returns the project of the event; that of the folder is looked up only if the reason is said."""
        from holdfast.integrations.agents.places import is_local

        named: str | None = self.request.whereabouts["project"]
        if named or not os.environ.get(DEBUG_VARIABLE) or not is_local(self.settings.store):
            return named
        with _memory(self.client, self.settings) as memory:
            return self.request.project_in(memory)

    def _write_notice(self, text: str) -> None:
        """Writes a notice for the user, if there is one, the client shows it and nothing was written."""
        if text and self.client.notice is not None and not self._is_written:
            self._write({self.client.notice: text})

    def _write(self, answer: object) -> None:
        """Writes a JSON document to standard output."""
        self._is_written = True
        self._deadline.say(_json(answer))


def _json(value: object) -> str:
    """Returns a value as JSON, with letters of all scripts as they are."""
    import json

    return json.dumps(value, ensure_ascii=False)


def _reason(answer: Mapping[str, Any], happening: Happening, request: Request, project: str | None) -> str:
    """Returns why a response has no text that can be given, as far as it says."""
    if not answer:
        return "the running service did not respond in time"
    if answer.get("text"):
        return f"the text is longer than the client shows ({len(answer['text']):,} characters)"
    folder = next(iter(request.whereabouts["folder"]), None)
    named = f"project {project}" if project else "what is known outside of projects"
    left_out = [excluded["reason"] for excluded in answer.get("left_out", ())]
    if given_count := left_out.count("given"):
        return f"what fits in {named} was given to this session before ({given_count})"
    if project is None and folder is None:
        return (
            "the home folder belongs to no project: start the agent in a project's folder, or use --project"
        )
    if project is None:
        return (
            f"no project is known for {folder} (`holdfast folders list` shows folders with their projects,"
            " --project names one)"
        )
    match happening.event:
        case "start":
            return f"nothing in {named} is shown at the start of a session"
        case "file" if not request.about["files"]:
            return "the files are outside of the folder of the project"
        case "file":
            return f"no trap known in {named} is about {', '.join(request.about['files'][:3])}"
    return f"nothing in {named} fits with enough confidence (`holdfast context` shows what comes near)"


def _memory(client: Client, settings: Settings, *, as_person: bool = False) -> Memory:
    """Opens the store, which has to be there, and on this machine unless others may be used, for the agent;
    for its user where their session is learned from, in which it is the person that speaks. Raises
    HoldfastError."""
    from dataclasses import replace

    from holdfast import config
    from holdfast.api.memory import Memory
    from holdfast.bootstrap import open_service
    from holdfast.core.errors import InvalidInput
    from holdfast.integrations.agents.places import is_local

    if settings.hook_network == "off" and not is_local(settings.store):
        raise InvalidInput(
            "hooks use no other machine",
            code="config_invalid",
            hint='the setting hook_network = "on" lets them',
        )
    agent = None if as_person else settings.agent or client.name
    if config.is_service(settings.store):
        return Memory(settings.store, agent=agent)
    service = open_service(replace(settings, agent=agent), create=False)
    service.interface = "hook"
    return Memory.over(service)


def _paused(request: Request) -> str:
    """Returns why hooks are silent now: a person has paused them; empty if not."""
    import time

    from holdfast.integrations.agents.pauses import pause_at

    pause = pause_at(request.base, time.time_ns() // 1_000_000)
    return "" if pause is None else "hooks are paused here (`holdfast agents resume` ends it)"


def _transcript(payload: dict[str, Any]) -> Path | None:
    """Returns the transcript that an event names, None if it names none."""
    from pathlib import Path

    named = payload.get("transcript_path", payload.get("transcriptPath"))
    return Path(named) if isinstance(named, str) and named else None


def _learn(memory: Memory, payload: dict[str, Any], request: Request) -> tuple[str, str]:
    """Learns from the transcript of the session, as far as it is new, and from sessions before it that were
    cut off; returns what was done instead of answering, and the news for the user."""
    import gc

    from holdfast.api.transcripts import learn_new

    gc.enable()

    transcript, project = _transcript(payload), request.project_to_learn_in(memory)
    if project is None:
        return "nothing is learned from a session whose folder belongs to no project", ""
    if transcript is None or not transcript.is_file():
        return "nothing is learned: the event names no transcript that is there", ""
    learned = [learn_new(memory, transcript, project)]
    learned += _learn_cut_off(memory, _cut_off(memory, payload, request), request)
    return "the session was learned from; this event gets no answer", _news(learned)


def _pass_over(memory: Memory, payload: dict[str, Any], request: Request) -> None:
    """Notes that nothing is learned of what the session said until now."""
    from holdfast.api.transcripts import pass_over

    transcript = _transcript(payload)
    if transcript is not None and transcript.is_file():
        pass_over(memory, transcript, request.whereabouts["project"])


def _cut_off(memory: Memory, payload: dict[str, Any], request: Request) -> list[Path]:
    """Returns the transcripts of sessions in this repository that no hook saw the end of."""
    import time

    from holdfast.integrations.agents.cut_off import cut_off

    transcript = _transcript(payload)
    if transcript is None or request.base is None:
        return []
    return cut_off(memory, transcript, request.base, time.time_ns() // 1_000_000)


def _learn_cut_off(memory: Memory, paths: list[Path], request: Request) -> list[Learned]:
    """Learns from sessions that were cut off, in the project of the folder, and returns what each taught."""
    if not paths or (project := request.project_to_learn_in(memory)) is None:
        return []
    from holdfast.api.transcripts import learn_new

    return [learn_new(memory, path, project) for path in paths]


def _news(learned: list[Learned]) -> str:
    """Returns what sessions have just taught, for its user and not for the model: they may forget it, and
    nobody else decides on what waits."""
    from holdfast.core.record import Outcome
    from holdfast.core.shortening import shortened

    new = (Outcome.CREATED, Outcome.REDACTED, Outcome.SUPERSEDED)
    lessons = [lesson for session in learned for lesson in session.lessons]
    texts = [shortened(lesson.candidate.text, LESSON_MAX) for lesson in lessons if lesson.outcome in new]
    lines = [f"Holdfast learned: {text}" for text in texts]
    waiting = [lesson.candidate.text for lesson in lessons if lesson.outcome is Outcome.PENDING]
    if waiting:
        what = "1 lesson waits" if len(waiting) == 1 else f"{len(waiting)} lessons wait"
        lines.append(f"Holdfast: {what} for your decision (`holdfast review`), no agent gets it before:")
        lines += [f"  - {shortened(text, LESSON_MAX)}" for text in waiting[:WAITING_SHOWN]]
    return "\n".join(lines)
