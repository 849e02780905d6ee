"""Restores beside other processes: what these write is kept, whenever the restore replaces the store."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from holdfast import Memory
from holdfast.api.backing_up import back_up, read_backup
from holdfast.api.restoring import restore
from holdfast.config import Settings
from holdfast.core.errors import StoreBusy
from holdfast.core.record import Outcome
from holdfast.stores.base.backup_files import Backup
from holdfast.stores.sqlite.copies import FileCopies
from tests.reliability.test_backups import FIRST, SECOND, remembered, settings, texts
from tests.support import PATIENCE

WRITER = """
import random, sys, time
from holdfast import HoldfastError, Memory
for number in range(15):
    text = f"Note {number} of the lamp room says {random.getrandbits(60)}"
    try:
        with Memory(sys.argv[1], user="ana") as memory:
            assert memory.remember(text, project="shop").memory is not None
        print("kept", text, flush=True)
    except HoldfastError as error:
        print("refused", error.code, flush=True)
    time.sleep(0.05 + random.random() * 0.2)
"""


@pytest.mark.process
def test_what_others_write_around_a_restore_is_in_the_store_or_in_the_copy_aside(tmp_path: Path) -> None:
    path, own = tmp_path / "a.db", settings(tmp_path / "a.db")
    with Memory(path, user="ana") as memory:
        remembered(memory, FIRST)
    made, _ = back_up(own)
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True, env=os.environ
    )
    aside: set[str] = set()
    restores = 0
    while writer.poll() is None:
        with suppress(StoreBusy):
            saved = restore(own, made).saved
            assert saved is not None
            restore(own, read_backup(saved), into=tmp_path / f"{restores}.db")
            aside |= texts(tmp_path / f"{restores}.db")
            restores += 1
        time.sleep(0.1)
    output, _ = writer.communicate(timeout=PATIENCE)
    lines = [line.partition(" ") for line in output.splitlines()]
    acknowledged = {text for what, _, text in lines if what == "kept"}
    refusals = {text for what, _, text in lines if what == "refused"}
    assert restores > 1
    assert len(acknowledged) > 5
    assert acknowledged <= aside | texts(path)
    assert refusals <= {"store_busy", "store_unavailable"}


@pytest.mark.process
def test_a_restore_that_is_killed_leaves_one_store_with_its_own_head_and_key(tmp_path: Path) -> None:
    """Killed at every call that syncs, names, removes or overwrites a file: by the backup of another store,
    which has another head and another key of digests."""
    first, other, forgotten = tmp_path / "first" / "a.db", tmp_path / "b.db", "The hat is yellow"
    first.parent.mkdir()
    for path, text in ((first, FIRST), (other, SECOND)):
        with Memory(path, user="ana") as memory:
            remembered(memory, text)
            memory.forget(remembered(memory, forgotten))
    made, _ = back_up(settings(other))
    n, is_done, seen = 0, False, set()
    while not is_done:
        n += 1
        path = tmp_path / f"{n}" / "a.db"
        shutil.copytree(first.parent, path.parent)
        is_done = _restored(settings(path), made, dies_at=n)
        [text] = texts(path)
        seen.add(text)
        with Memory(path, user="ana", agent="helper") as memory:
            assert memory.remember(forgotten, project="shop").outcome is Outcome.FORGOTTEN, n
        names = {file.name for file in path.parent.iterdir()}
        assert names == {"a.db", "a.db.head", "a.db.secret", "backups"}, n
    assert seen == {FIRST, SECOND}
    assert n > 12


def _restored(own: Settings, backup: Backup, *, dies_at: int) -> bool:
    """Restores in a child that is killed at a call of the exchange; returns whether there were fewer."""
    pid = os.fork()
    if pid == 0:
        left, status, put_back = dies_at, 1, FileCopies.put_back

        def counting(call: Callable[..., Any]) -> Callable[..., Any]:
            def counted(*args: Any, **options: Any) -> Any:
                nonlocal left
                left -= 1
                if left <= 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                return call(*args, **options)

            return counted

        def dying(*args: Any, **options: Any) -> None:
            for name in ("fsync", "replace", "unlink", "pwrite"):
                setattr(os, name, counting(getattr(os, name)))
            put_back(*args, **options)

        FileCopies.put_back = dying  # type: ignore[method-assign]
        try:
            restore(own, backup)
            status = 0
        finally:
            os._exit(status)
    status = os.waitpid(pid, 0)[1]
    assert os.WIFSIGNALED(status) or os.waitstatus_to_exitcode(status) == 0
    return os.WIFEXITED(status)
