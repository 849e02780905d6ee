"""The hook command: answers an event of a client within its deadline, or is silent, and always succeeds.

Whatever happens (no store, a locked or broken one, any input), the process ends by itself with status 0, and
standard output holds the client's JSON or nothing. Imports are late: this runs at every prompt.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.config import Settings
    from holdfast.integrations.agents.clients import Client, Happening

DEADLINE = 0.9
"""Seconds after which the process ends, whatever it is doing; a client sees it end within a second."""
DEADLINE_VARIABLE = "HOLDFAST_HOOK_SECONDS"
"""The environment variable with another deadline, for a slow machine."""
INPUT_MAX = 32 << 20
"""Bytes of input that are looked at."""
OPTIONS = ("--store", "--user", "--project")


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
    except BaseException as error:  # nothing may reach the client
        if os.environ.get("HOLDFAST_DEBUG"):
            import traceback

            traceback.print_exception(error)
    finally:
        deadline.end()


def _seconds() -> float:
    try:
        return min(max(float(os.environ.get(DEADLINE_VARIABLE, DEADLINE)), 0.1), 60.0)
    except ValueError:
        return DEADLINE


def _run(arguments: list[str], deadline: Deadline) -> None:
    import signal

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: os._exit(0))
    names, options = _parsed(arguments)
    content = _input()
    if len(names) != 2 or not content:
        return
    import json

    from holdfast.integrations.agents.clients import CLIENTS

    client, payload = CLIENTS.get(names[0]), json.loads(content)
    if client is None or not isinstance(payload, dict):
        return
    happening = client.read(names[1], payload)
    if happening.event is None and not happening.forgets and not happening.learns:
        return
    if not os.environ.get("HOLDFAST_DEBUG"):
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
    from holdfast.integrations.agents.places import place_of
    from holdfast.integrations.agents.running import running_for

    def say(text: str) -> None:
        if text and len(text) <= TEXT_MAX:
            import json

            deadline.say(json.dumps(client.answer(event, text), ensure_ascii=False))

    settings = config.load(store=options.get("store"), user=options.get("user"))
    request = place_of(payload, happening, options.get("project"), client.session_of(payload))
    asked = [("compact", request.whereabouts)] if happening.forgets else []
    if happening.event is not None:
        asked.append((happening.event, request.arguments))
    service = running_for(settings.store)
    if service is not None and service.user == settings.user and not happening.learns:
        answers = [
            service.ask(client.name, {"event": name, **arguments}, deadline.seconds)
            for name, arguments in asked
        ]
        if all(answer is not None for answer in answers):
            for answer in answers:
                say(answer.get("text", "") if answer else "")
            return
    with _memory(client, happening, settings) as memory:
        for name, arguments in asked:
            say(memory.agents.event(name, **arguments).text)
        if happening.learns:
            _learn(memory, payload, request.project_to_learn_in(memory))


def _memory(client: Client, happening: Happening, settings: Settings) -> Memory:
    """Opens the store, which has to be there and on this machine, for the agent; for its user where their
    session is learned from, in which it is the person that speaks. Raises HoldfastError."""
    from dataclasses import replace

    from holdfast import config
    from holdfast.api.memory import Memory
    from holdfast.bootstrap import open_service
    from holdfast.core.errors import InvalidInput
    from holdfast.integrations.agents.places import is_local

    if not is_local(settings.store):
        raise InvalidInput("hooks use no network", code="config_invalid")
    agent = None if happening.learns else settings.agent or client.name
    if config.is_service(settings.store):
        return Memory(settings.store, agent=agent)
    service = open_service(replace(settings, agent=agent), create=False)
    service.interface = "hook"
    return Memory.over(service)


def _learn(memory: Memory, payload: dict[str, Any], project: str | None) -> None:
    """Learns from the transcript of the session, as far as it is new."""
    import gc
    from pathlib import Path

    gc.enable()

    transcript = payload.get("transcript_path", payload.get("transcriptPath"))
    if project is not None and isinstance(transcript, str) and os.path.isfile(transcript):
        memory.learn(Path(transcript), project=project, resume=True)
