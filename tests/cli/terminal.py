"""A command at a terminal, for tests of what it asks a person."""

from __future__ import annotations

import os
import pty
import subprocess
import termios
import time

from tests.cli.support import HOLDFAST
from tests.support import PATIENCE


class Terminal:
    """A command with a terminal for its input and output, whose prompts are waited for before typing."""

    def __init__(self, *args: str, **env: str) -> None:
        self._leader, follower = pty.openpty()
        settings = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40", "NO_COLOR": "1", **env}
        self._running = subprocess.Popen(
            [HOLDFAST, *args], stdin=follower, stdout=follower, stderr=follower, env=settings
        )
        os.close(follower)
        self.shown = ""
        self._read_to = 0

    def until(self, text: str) -> str:
        """Reads until a text is shown that was not seen before; returns what came up to it."""
        while text not in self.shown[self._read_to :]:
            part = self._read()
            assert part, f"{text!r} was not shown: {self.shown[self._read_to :]}"
        start = self._read_to
        self._read_to = self.shown.index(text, start) + len(text)
        return self.shown[start : self._read_to]

    def type(self, line: str) -> None:
        os.write(self._leader, line.encode())

    def press(self, key: str) -> None:
        """Presses a key once single keys are read: what comes before is thrown away, lest it decide something
        that was not seen."""
        while termios.tcgetattr(self._leader)[3] & termios.ICANON:
            assert self._running.poll() is None
            time.sleep(0.01)
        os.write(self._leader, key.encode())

    def end(self) -> int:
        """Reads to the end; the exit status."""
        while self._read():
            pass
        os.close(self._leader)
        return self._running.wait(PATIENCE)

    def _read(self) -> str:
        try:
            part = os.read(self._leader, 65_536).decode(errors="replace").replace("\r", "")
        except OSError:  # the other side has left
            part = ""
        self.shown += part
        return part
