"""Ending by a signal: what was made for the time of a command is removed, as it is by Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def cleaned_up() -> Iterator[None]:
    """Turns SIGTERM and SIGHUP into an exit that runs every `finally`, with the status of a shell: 128 plus
    the signal. A signal that is ignored, as SIGHUP under nohup, or handled already is left alone.
    """
    if threading.current_thread() is not threading.main_thread():  # only there signals can be caught
        yield
        return
    before = {one: signal.getsignal(one) for one in SIGNALS if signal.getsignal(one) is signal.SIG_DFL}

    def end(number: int, _: FrameType | None) -> None:
        for one in before:  # a second one must not break off the removal
            signal.signal(one, signal.SIG_IGN)
        raise SystemExit(128 + number)

    for one in before:
        signal.signal(one, end)
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
