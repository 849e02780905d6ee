"""Triggers for clients: when a file that changes all the time is reconciled (S3.23).

A client notes what happens to its files and calls `run_due` when `next_at` says so. Events of one kind wait
for each other (debounce), a file rests between two runs (cooldown), and nothing is lost: what happens while a
file rests or runs leads to one more run, and one that failed gives the file free at once and is planned again
a cooldown later.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

DELAYS: Mapping[str, float] = {
    **dict.fromkeys(("code_cell", "import", "add_data_table", "grid_to_data_table"), 5.0),
    **dict.fromkeys(
        (
            "set_cells", "paste", "cut", "autocomplete", "flatten_data_table", "data_table_mutations",
            "move_cells", "switch_data_table_kind", "first_row_as_header",
        ),
        15.0,
    ),
    "open": 2.5,
    "regenerate": 0.0,
}  # fmt: skip
"""Seconds that events of each kind wait for another one."""
OTHER = 15.0
"""Seconds for a kind of event that is not listed."""
COOLDOWN = 60.0
"""Seconds between the beginnings of two runs for one file."""
REGENERATE = "regenerate"
"""The event of a person who asks for a run: it waits for nothing."""
_RETRY = "retry"
"""The event of a run that failed."""


@dataclass(slots=True)
class _File:
    """The state of one file: when each kind of event is due, and until when the file rests."""

    due: dict[str, float] = field(default_factory=dict)
    first: float | None = None
    rests_until: float = 0.0
    running: bool = False

    def next_at(self, cooldown: float) -> float | None:
        """Returns when the file is run next; None if nothing happened, or while it runs."""
        if not self.due or self.running:
            return None
        soonest = min(self.due.values())
        if self.first is not None:  # events that never stop do not put it off for ever
            soonest = min(soonest, self.first + cooldown)
        return soonest if REGENERATE in self.due else max(soonest, self.rests_until)


class Triggers:
    """The triggers of a client. `run` reconciles one file and raises if that fails; `clock` counts seconds.

    Thread-safe: events may be noted while files run.
    """

    def __init__(
        self, run: Callable[[str], object], *, clock: Callable[[], float] = time.monotonic,
        cooldown: float = COOLDOWN, delays: Mapping[str, float] = DELAYS,
    ) -> None:  # fmt: skip
        self._run, self._clock, self._cooldown, self._delays = run, clock, cooldown, delays
        self._files: dict[str, _File] = {}
        self._lock = threading.Lock()

    def note(self, file: str, event: str) -> None:
        """Notes that something happened to a file. A kind of event with a longer delay never puts off one
        with a shorter delay."""
        now = self._clock()
        with self._lock:
            state = self._files.setdefault(file, _File())
            state.due[event] = now + self._delays.get(event, OTHER)
            state.first = now if state.first is None else state.first

    def note_opened(self, file: str, *, has_content: bool, is_described: bool) -> None:
        """Notes that a file was opened: one with content that is not described yet is run soon."""
        if has_content and not is_described:
            self.note(file, "open")

    def next_at(self) -> float | None:
        """Returns the time of the clock at which `run_due` has something to do; None for nothing."""
        with self._lock:
            times = [state.next_at(self._cooldown) for state in self._files.values()]
        return min((time for time in times if time is not None), default=None)

    def run_due(self) -> dict[str, Exception | None]:
        """Runs the files that are due, and returns each with the error of its run."""
        now = self._clock()
        with self._lock:
            due = [
                file
                for file, state in self._files.items()
                if (at := state.next_at(self._cooldown)) is not None and at <= now
            ]
            for file in due:
                state = self._files[file]
                state.due, state.first, state.running = {}, None, True
                state.rests_until = now + self._cooldown
        return {file: self._run_file(file) for file in due}

    def _run_file(self, file: str) -> Exception | None:
        """Runs one file. If it fails, the file is given free: the next event runs it, or else its retry."""
        error: Exception | None = None
        try:
            self._run(file)
        except Exception as failure:
            error = failure
        with self._lock:
            state = self._files[file]
            state.running = False
            if error is not None:
                state.rests_until = 0.0
                state.due[_RETRY] = self._clock() + self._cooldown
        return error
