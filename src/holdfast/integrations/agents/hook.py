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
        self._done = threading.Event()
        self._timer.start()

    def _wait(self, seconds: float) -> None:
        self._done.wait(seconds)
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
    try:
        return min(max(float(os.environ.get(DEADLINE_VARIABLE, DEADLINE)), 0.1), 60.0)
    except ValueError:
        return DEADLINE


def _run(arguments: list[str], deadline: Deadline) -> None:
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
    _answer(client, names[1], payload, happening, options, deadline)


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


def _answer(
    client: Client, event: str, payload: dict[str, Any], happening: Happening, options: dict[str, str],
    deadline: Deadline,
) -> None:  # fmt: skip
    from holdfast import config
    from holdfast.integrations.agents.clients import TEXT_MAX
    from holdfast.integrations.agents.places import is_local, place_of
    from holdfast.integrations.agents.running import running_for

    answered = False

    def say(answer: Mapping[str, Any]) -> str:
        """Writes an answer; returns why there is none."""
        nonlocal answered
        text = answer.get("text", "")
        if not text or len(text) > TEXT_MAX:
            return _reason(answer, happening, request)
        answered = True
        deadline.say(_json(client.answer(event, text)))
        return ""

    def hint(memory: Memory) -> None:
        """Tells the user which project the folder seems to belong to, if it belongs to none."""
        nonlocal answered
        if text := request.hint(memory):
            answered = True
            deadline.say(_json({client.notice: text}))

    settings = config.load(store=options.get("store"), user=options.get("user"))
    request = place_of(payload, happening, options.get("project"), client.session_of(payload))
    whereabouts = request.whereabouts
    if not is_local(settings.store):
        whereabouts = {**whereabouts, "folder": None}  # paths of this machine mean others there
    paused = _paused(request)
    if paused and not (happening.forgets or happening.learns):
        raise NoAnswer(paused)
    is_hinted = happening.event == "start" and client.notice is not None and request.may_be_of_a_project
    asked = [("compact", whereabouts)] if happening.forgets else []
    if happening.event is not None and not paused:
        asked.append((happening.event, {**whereabouts, **request.about}))
    reason = paused or f"{event} is not answered, only noted"
    service = running_for(settings.store)
    if service is not None and service.user == settings.user and not happening.learns:
        answers = [
            service.ask(client.name, {"event": name, **arguments}, deadline.seconds)
            for name, arguments in asked
        ]
        if all(answer is not None for answer in answers):
            for answer in answers:
                reason = say(answer or {})
            if is_hinted and not paused and not answered:
                with _memory(client, settings) as memory:
                    hint(memory)
            if not answered:
                raise NoAnswer(reason)
            return
    with _memory(client, settings, as_person=happening.learns) as memory:
        for name, arguments in asked:
            reason = say(memory.agents.event(name, **arguments).as_dict())
        if is_hinted and not paused and not answered:
            hint(memory)
        news = ""
        if happening.learns and paused:
            _pass_over(memory, payload, request)
        elif happening.learns:
            reason, news = _learn(memory, payload, request)
        elif happening.event == "start" and not paused and (left := _cut_off(memory, payload, request)):
            with _memory(client, settings, as_person=True) as person:
                news = _news(_learn_cut_off(person, left, request))
        if news and client.notice is not None and not answered:
            answered = True
            deadline.say(_json({client.notice: news}))
    if not answered:
        raise NoAnswer(reason)


def _json(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)


def _reason(answer: Mapping[str, Any], happening: Happening, request: Request) -> str:
    """Returns why a response has no text that can be given, as far as it says."""
    if not answer:
        return "the running service did not respond in time"
    if answer.get("text"):
        return f"the text is longer than the client shows ({len(answer['text']):,} characters)"
    project, folder = request.whereabouts["project"], next(iter(request.whereabouts["folder"]), None)
    named = f"project {project}" if project else f"the project of {folder}, if it has one,"
    left_out = [one["reason"] for one in answer.get("left_out", ())]
    if given := left_out.count("given"):
        return f"what fits in {named} was given to this session before ({given})"
    if project is None and folder is None:
        return (
            "the home folder belongs to no project: start the agent in a project's folder, or use --project"
        )
    if project is None:
        return (
            f"no project is known for {folder}, or nothing in it fits (`holdfast folders list` shows folders"
            " with their projects, --project names one)"
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

    found = pause_at(request.base, time.time_ns() // 1_000_000)
    return "" if found is None else "hooks are paused here (`holdfast agents resume` ends it)"


def _transcript(payload: dict[str, Any]) -> Path | None:
    """Returns the transcript that an event names, None if it names none."""
    from pathlib import Path

    named = payload.get("transcript_path", payload.get("transcriptPath"))
    return Path(named) if isinstance(named, str) and named else None


def _learn(memory: Memory, payload: dict[str, Any], request: Request) -> tuple[str, str]:
    """Learns from the transcript of the session, as far as it is new, and from sessions before it that were
    cut off; returns what was done instead of answering, and what the user is told of it."""
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
    lessons = [lesson for one in learned for lesson in one.lessons]
    told = [shortened(one.candidate.text, LESSON_MAX) for one in lessons if one.outcome in new]
    lines = [f"Holdfast learned: {text}" for text in told]
    waiting = [one.candidate.text for one in lessons if one.outcome is Outcome.PENDING]
    if waiting:
        what = "1 lesson waits" if len(waiting) == 1 else f"{len(waiting)} lessons wait"
        lines.append(f"Holdfast: {what} for your decision (`holdfast review`), no agent gets it before:")
        lines += [f"  - {shortened(text, LESSON_MAX)}" for text in waiting[:WAITING_SHOWN]]
    return "\n".join(lines)
