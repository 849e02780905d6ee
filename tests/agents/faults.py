"""What can be wrong with a store while a client sends prompts."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw

Fault = Callable[[Path], contextlib.AbstractContextManager[None]]


@contextlib.contextmanager
def _locked(store: Path) -> Iterator[None]:
    with contextlib.closing(apsw.Connection(str(store))) as db:
        db.execute("BEGIN EXCLUSIVE")
        yield


@contextlib.contextmanager
def _corrupt(store: Path) -> Iterator[None]:
    whole = store.read_bytes()
    store.write_bytes(whole[: len(whole) // 2] + os.urandom(4_096) + whole[len(whole) // 2 + 4_096 :])
    yield
    store.write_bytes(whole)


@contextlib.contextmanager
def _read_only(store: Path) -> Iterator[None]:
    """Also for the administrator, who may write what nobody may: its folder takes no new file."""
    files = [*store.parent.glob(f"{store.name}*")]
    for file in files:
        file.chmod(0o444)
    yield
    for file in files:
        file.chmod(0o600)


@contextlib.contextmanager
def _without_store(store: Path) -> Iterator[None]:
    away = store.with_suffix(".away")
    store.rename(away)
    yield
    away.replace(store)


@contextlib.contextmanager
def _slow(store: Path) -> Iterator[None]:
    """A pipe in place of the store: who opens it waits for ever."""
    with _without_store(store):
        os.mkfifo(store)
        yield
        store.unlink()


@contextlib.contextmanager
def _full(store: Path) -> Iterator[None]:
    """A copy of the store on a file system that has not a byte left, which only an administrator may make."""
    disk = store.with_suffix(".disk")
    disk.mkdir(exist_ok=True)
    size = store.stat().st_size + (64 << 10)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(disk)], check=True)
    try:
        copy = shutil.copy(store, disk / store.name)
        with (disk / "filler").open("wb", buffering=0) as filler, contextlib.suppress(OSError):
            while filler.write(bytes(4_096)):
                pass
        with _without_store(store):
            store.symlink_to(copy)
            yield
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


@contextlib.contextmanager
def _killed(store: Path) -> Iterator[None]:
    """The hooks of this store are killed as soon as they are seen."""
    ended = threading.Event()

    def kill() -> None:
        while not ended.wait(0.02):
            for folder in Path("/proc").glob("[0-9]*"):
                with contextlib.suppress(OSError, ValueError):
                    line = (folder / "cmdline").read_bytes()
                    if (
                        b"holdfast\0hook\0" in line
                        and f"HOLDFAST_STORE={store}\0".encode() in (folder / "environ").read_bytes()
                    ):
                        time.sleep(random.uniform(0, 0.4))
                        os.kill(int(folder.name), 9)

    thread = threading.Thread(target=kill)
    thread.start()
    yield
    ended.set()
    thread.join()


@contextlib.contextmanager
def _none(_: Path) -> Iterator[None]:
    yield


FAULTS: dict[str, Fault] = {
    "none": _none, "locked": _locked, "corrupt": _corrupt, "read-only": _read_only, "gone": _without_store,
    "slow": _slow, "killed": _killed,
}  # fmt: skip
if os.getuid() == 0:
    FAULTS["full"] = _full
