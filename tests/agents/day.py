"""Records a day with the real Claude Code: its first session teaches, its second, in other words, gets it.

The model is a stand-in on the loopback. It plays a script, and at the end repeats what Holdfast gave it. The
recording is an asciicast, and the same as a page to read: `make agents AGENTS=--record`.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.agents.bench import HOLDFAST, Bench
from tests.agents.model import Model

ROOT = Path(__file__).resolve().parents[2]
CAST, PAGE = ROOT / "docs" / "agents-day.cast", ROOT / "docs" / "agents-day.md"
WIDTH, HEIGHT = 110, 32
KEY, THINKING = 0.04, 0.8
"""Seconds from key to key, and before a command, of a person who is not there."""
PROMPT = "$ "
HOME = "/home/ana"
FILES = {
    "shop/uploads.py": "from shop.sessions import renew\n\n\ndef upload(photo, token):\n"
    "    return photo, renew(token)\n",
    "shop/sessions.py": "def renew(token):\n    return token + 3600\n",
    "shop/__init__.py": "",
    "Makefile": "check:\n\t@python3 -m compileall -q shop && echo 2 files are fine\n",
}
ASKED = "uploads of large photos end with a 401, have a look at shop/uploads.py"
CORRECTED = (
    "no, never renew the token inside of upload: renew it before the first byte, the server checks it once"
)
OTHER_WORDS = "customers are thrown out while they send a big picture"
_ANSI = re.compile(
    r"\x1b\[[0-9;?<>=]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\([A-Z0-9]|\x1b[=>78]|[\x07\x0e\x0f\r]"
)
_BAR = "━━"
"""What a bar of progress is drawn with, which is over when the recording is read."""


@dataclass(slots=True)
class Recording:
    """What a terminal showed, as events of an asciicast: seconds and text."""

    events: list[tuple[float, str]] = field(default_factory=list)
    seconds: float = 0.0

    def show(self, text: str, after: float = 0.0) -> None:
        """Adds what appears some seconds after the last event."""
        self.seconds += after
        self.events.append((round(self.seconds, 3), text))

    def type(self, line: str) -> None:
        """Adds a command as a person types it."""
        self.show(PROMPT)
        for number, key in enumerate(line):
            self.show(key, KEY if number else THINKING)
        self.show("\r\n", KEY)

    def cast(self) -> str:
        """Returns the recording as an asciicast, version 2."""
        head = {
            "version": 2,
            "width": WIDTH,
            "height": HEIGHT,
            "idle_time_limit": 2,
            "title": "A day with Holdfast",
        }
        lines = [head, *([at, "o", text] for at, text in self.events)]
        return "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)


def text_of(cast: str) -> str:
    """Returns what an asciicast shows, as plain lines."""
    events = [json.loads(line) for line in cast.splitlines()[1:]]
    text = _ANSI.sub("", "".join(shown for _, kind, shown in events if kind == "o"))
    return "\n".join(line.rstrip() for line in text.splitlines() if _BAR not in line) + "\n"


@dataclass(frozen=True, slots=True)
class Day:
    """The home and the checkout of Ana, who has a client of npm and Holdfast."""

    bench: Bench
    model: Model

    @property
    def home(self) -> Path:
        return self.bench.root / "home"

    def environment(self) -> dict[str, str]:
        """Returns the environment of the shell, with Holdfast and the client on its path."""
        env = self.bench.environment(self.model.url)
        for name in (
            "HOLDFAST_STORE",
            "XDG_CONFIG_HOME",
            "XDG_DATA_HOME",
            "XDG_STATE_HOME",
            "XDG_CACHE_HOME",
        ):
            del env[name]
        own = self.home / ".local" / "bin"
        own.mkdir(parents=True)
        (own / "holdfast").symlink_to(HOLDFAST)
        return env | {
            "PATH": f"{own}:{env['PATH']}", "TERM": "xterm-256color", "HOLDFAST_HOOK_SECONDS": "10",
            "COLUMNS": str(WIDTH),
        }  # fmt: skip

    def plain(self, text: str) -> str:
        """Returns a text as it is on Ana's machine."""
        installed = Path(HOLDFAST).parent
        places = {self.bench.shop: f"{HOME}/shop", self.home: HOME, installed: f"{HOME}/.local/bin"}
        for path, name in places.items():
            text = text.replace(str(path), name)
        return text


def recorded(bench: Bench) -> str:
    """Returns the asciicast of the day."""
    uploads, check = (
        str(bench.shop / "shop" / "uploads.py"),
        {"command": "make check", "description": "check"},
    )
    first, second = (
        FILES["shop/uploads.py"].splitlines()[-1],
        "    token = renew(token)\n    return photo, token",
    )
    model = Model([
        ("Read", {"file_path": uploads}),
        ("Bash", {"command": "make test", "description": "test"}),
        ("Bash", check),
        ("Edit", {"file_path": uploads, "old_string": first, "new_string": second}),
        ("Bash", check),
        "The token ran out during the upload. upload() renews it at its start now; `make check` is happy.",
        ("Edit", {"file_path": uploads, "old_string": second, "new_string": "    return photo, token"}),
        ("Bash", check),
        "Understood: upload() takes a token that its caller has renewed.",
        _what_hooks_gave,
    ])  # fmt: skip
    day = Day(bench, model)
    try:
        for name, text in FILES.items():
            (bench.shop / name).parent.mkdir(parents=True, exist_ok=True)
            (bench.shop / name).write_text(text, "utf-8")
        env = day.environment()
        subprocess.run(["git", "init", "--quiet"], cwd=bench.shop, check=True, env=env)
        recording = Recording()
        for line in LINES:
            recording.type(line)
            for seconds, text in _shown(line, env, bench.shop):
                recording.show(day.plain(text), seconds)
        return recording.cast()
    finally:
        model.close()


LINES = (
    "holdfast map scan . --project shop",
    "holdfast agents install claude-code 2>&1 | grep -e +++ -e Claude",
    f'claude -p "{ASKED}" --allowedTools Read Edit Bash',
    f'claude -p "{CORRECTED}" --continue --allowedTools Read Edit Bash',
    "holdfast list --project shop",
    f'claude -p "{OTHER_WORDS}"',
    "holdfast stats --project shop",
)
"""What Ana types."""
_GIVEN = re.compile(
    r"(\w+) hook additional context: (## PROJECT MEMORY.*?lasting facts with remember\.)", re.DOTALL
)


def _what_hooks_gave(request: str) -> str:
    """Answers with what hooks put into the request."""
    whole = "\n".join(_texts(json.loads(request)["messages"]))
    given = [f"--- by the hook {event}:\n{text}" for event, text in _GIVEN.findall(whole)]
    return "Before I open a file, my context has this from memory.\n" + "\n".join(given)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts(list(value.values()))
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)


def _shown(line: str, env: dict[str, str], folder: Path) -> Iterator[tuple[float, str]]:
    """Runs a command in a terminal and yields what it shows, with the seconds since what was before."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
    process = subprocess.Popen(
        ["bash", "-c", line], env=env, cwd=folder, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave
    )
    os.close(slave)
    before, rest = time.monotonic(), b""
    while True:
        try:
            part = os.read(master, 1 << 16)
        except OSError as error:
            if error.errno != errno.EIO:  # the terminal's way to say that nobody writes any more
                raise
            part = b""
        if not part:
            break
        whole, _, rest = (rest + part).rpartition(b"\n")
        if whole:  # in whole lines, so that a path is never cut
            now = time.monotonic()
            yield now - before, (whole + b"\n").decode("utf-8", "replace")
            before = now
    if rest:
        yield time.monotonic() - before, rest.decode("utf-8", "replace")
    os.close(master)
    if process.wait() != 0:
        raise SystemExit(f"{line}: exit status {process.returncode}")


def page_of(cast: str) -> str:
    """Returns the page that shows a recording as text."""
    return f"""# A day with Claude Code, recorded

This page records two sessions of the real client from npm, with hooks set up by one command. A model on the
loopback replaces Claude: it plays a script, and in the second session it repeats what Holdfast gave it.
Everything else is real. [The recording](agents-day.cast) is an asciicast:
`asciinema play docs/agents-day.cast` shows it. `make agents AGENTS=--record` generates both again.

```text
{text_of(cast)}```

In the first session Ana corrects her agent. Nobody stores anything explicitly: at the end of the session, a
hook reads the transcript of the client. The prompt of the second session has no word of the correction.
Before the agent opens a file, hooks give it the correction, how the tests run, and where the files are.
More: [coding agents](agents.md), [learning from work](learning.md).
"""


def record(bench: Bench) -> None:
    """Writes the recording and its page."""
    cast = recorded(bench)
    CAST.write_text(cast, "utf-8")
    PAGE.write_text(page_of(cast), "utf-8")
