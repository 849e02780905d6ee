"""Ending by a signal: what was made for the time of a command is removed, as it is by Ctrl-C."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGTERM, signal.SIGHUP)
AGAIN = 0.01
"""Seconds after which a signal is sent again whose exception was dropped."""


@contextmanager
def cleaned_up() -> Iterator[None]:
    """Turns SIGTERM and SIGHUP into an exit that runs every `finally`, with the status of a shell: 128 plus
    the signal. A signal that is ignored, as SIGHUP under nohup, or handled already is left alone.

    Python drops an exception that is raised inside a finalizer or a callback of a weak reference. Where the
    signal arrives in one of these, it is sent again until its exception is raised elsewhere.
    """
    if threading.current_thread() is not threading.main_thread():  # only there signals can be caught
        yield
        return
    before = {
        number: signal.getsignal(number) for number in SIGNALS if signal.getsignal(number) is signal.SIG_DFL
    }
    ends = {128 + number: number for number in before}
    raised, in_hook = threading.Event(), False
    main, report = threading.get_ident(), sys.unraisablehook

    def end(number: int, _: FrameType | None) -> None:
        if in_hook:  # it would be dropped there, too
            return
        for signal_number in before:  # a second one must not break off the removal
            signal.signal(signal_number, signal.SIG_IGN)
        raised.set()
        raise SystemExit(128 + number)

    def catch() -> None:
        for number in before:
            signal.signal(number, end)

    def send(number: int) -> None:
        while not raised.wait(AGAIN):
            signal.pthread_kill(main, number)

    def send_again(dropped: sys.UnraisableHookArgs) -> None:
        nonlocal in_hook
        error = dropped.exc_value
        if not isinstance(error, SystemExit) or error.code not in ends:
            report(dropped)
            return
        in_hook = True
        raised.clear()
        catch()
        threading.Thread(target=send, args=(ends[error.code],), daemon=True).start()
        in_hook = False

    sys.unraisablehook = send_again
    catch()
    try:
        yield
    finally:
        sys.unraisablehook = report
        for signal_number, handler in before.items():
            signal.signal(signal_number, handler)
