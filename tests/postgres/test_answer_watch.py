"""Waits for answers are bounded in a process without descriptors, and are not those of a forked one."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support import PATIENCE

pytestmark = pytest.mark.process

_PROGRAM = """
import os, socket, threading, time
from holdfast.stores.postgres.answer_watch import REPLICA_TIMEOUT, AnswerWatch

watch = AnswerWatch("host=127.0.0.1 port=1")
ours, theirs = socket.socketpair()
other, _ = socket.socketpair()


def fork():
    child = os.fork()
    if not child:
        with watch.waiting(other):
            time.sleep(REPLICA_TIMEOUT + 1)
        os._exit(0)
    children.append(child)


children = []
with watch.waiting(ours):
    thread = threading.Thread(target=fork)
    thread.start()
    thread.join()
os.waitpid(children[0], 0)
ours.send(b"whole")
print(theirs.recv(10))
"""


def test_a_forked_process_does_not_break_off_what_its_parent_waits_for() -> None:
    completed = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=True)

    assert completed.stdout == "b'whole'\n"


_STARVED = """
import os, resource, socket
from holdfast.stores.postgres.answer_watch import AnswerWatch

watch = AnswerWatch("host=127.0.0.1 port=1")
ours, theirs = socket.socketpair()
resource.setrlimit(resource.RLIMIT_NOFILE, (theirs.fileno() + 9,) * 2)
try:
    while True:
        os.dup(0)
except OSError:
    pass
with watch.waiting(ours):
    print(ours.recv(10))
"""


def test_a_process_without_descriptors_does_not_wait_for_ever() -> None:
    completed = subprocess.run(
        [sys.executable, "-c", _STARVED], capture_output=True, text=True, check=True, timeout=PATIENCE
    )

    assert completed.stdout == "b''\n"
