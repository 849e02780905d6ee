"""Conversions: a store is encrypted, made plain or given another key as a whole or not at all."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from holdfast import HoldfastError
from holdfast.api.encryption import encrypt
from holdfast.core.errors import Damaged, StoreBusy
from holdfast.stores.sqlite import conversion, leftovers
from holdfast.stores.sqlite.cipher import Form, StoreKey, form_of
from holdfast.stores.sqlite.connection import connect, opens
from holdfast.stores.sqlite.conversion import convert
from tests.cli.support import error_of, run, run_json
from tests.encryption.support import OTHER, hash_of, opened, readable, settings, stored
from tests.encryption.test_canaries import fill
from tests.reliability.canaries import Canaries
from tests.support import KEY

CHANGES = {
    "encrypt": (None, KEY),
    "rekey": (KEY, OTHER),
    "decrypt": (KEY, None),
}


def make(folder: Path, key: StoreKey | None, birds: Canaries) -> Path:
    """A store with memories, an API key and a job whose work lies in the spool."""
    folder.mkdir()
    path = folder / "a.db"
    with opened(path, key) as memory:
        fill(memory, birds)
    return path


def content_of(path: Path, key: StoreKey | None, birds: Canaries) -> tuple[Any, ...]:
    """What a store and the files beside it say; each of them has to be there whole."""
    with opened(path, key) as memory:
        assert memory.doctor().problems == ()
        [job] = [one for one in memory.jobs.list() if one.kind == "import"]
        assert memory._service.spool is not None
        texts = {record.text for record in memory.list(project="*", limit=100).memories}
        assert memory.recall(birds["text"], branch=birds["branch"])
        return (
            memory.count(project="*"), frozenset(texts), memory._service.spool.read(job.id),
            [one.name for one in memory._service.keys.all()],
        )  # fmt: skip


def key_at(path: Path, *keys: StoreKey | None) -> StoreKey | None:
    """The key with which a store opens now."""
    if form_of(path) is Form.PLAIN:
        return None
    [key] = [key for key in keys if key is not None and opens(path, key)]
    return key


@pytest.mark.parametrize("change", CHANGES)
def test_s4_55_a_store_is_converted_in_place_with_all_beside_it(tmp_path: Path, change: str) -> None:
    old, new = CHANGES[change]
    birds = Canaries(21)
    path = make(tmp_path / "store", old, birds)
    before, digest = content_of(path, old, birds), hash_of(path, old)
    convert(path, old, new)
    assert hash_of(path, new) == digest
    assert content_of(path, new, birds) == before
    assert {file.name for file in path.parent.iterdir()} == {"a.db", "a.db.head", "a.db.keys", "a.db.spool"}
    assert path.stat().st_mode & 0o777 == 0o600
    if new is not None:
        assert birds.found(path.parent) == []
        head = (path.parent / "a.db.head").read_bytes()
        values = {value: table for value, table in stored(path, new).items() if value not in head}
        assert readable(path.parent, values) == {}
    with opened(path, new) as memory:
        memory.remember("Written after it")
        assert memory.audit.verify()


@pytest.mark.parametrize("change", CHANGES)
def test_s4_55_a_conversion_that_is_killed_leaves_one_whole_store(tmp_path: Path, change: str) -> None:
    """Killed at every call that opens, names, syncs or removes a file, and around the copy."""
    old, new = CHANGES[change]
    birds = Canaries(22)
    first = make(tmp_path / "first", old, birds)
    before = content_of(first, old, birds)
    seen: set[bool] = set()
    n, ended = 0, False
    while not ended:
        n += 1
        folder = tmp_path / f"{n}"
        path = folder / "a.db"
        copytree(first.parent, folder)
        ended = killed(path, old, new, n) == 0
        key = key_at(path, old, new)
        assert content_of(path, key, birds) == before, f"killed at call {n}"
        names = {file.name for file in folder.rglob("*")}
        assert not any(name.endswith((".converting", ".erasing")) for name in names), (n, names)
        if key is not None:
            assert birds.found(folder) == [], f"killed at call {n}"
        seen.add(key is not old)
    assert seen == {True, False}
    assert n > 12


def killed(path: Path, old: StoreKey | None, new: StoreKey | None, n: int) -> int:
    """Converts in a child that is killed before its n-th call; 0 if there were fewer."""
    pid = os.fork()
    if pid == 0:
        left = n

        def before(call: Callable[..., Any]) -> Callable[..., Any]:
            def counted(*args: Any, **options: Any) -> Any:
                nonlocal left
                left -= 1
                if left <= 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                return call(*args, **options)

            return counted

        for name in ("fsync", "replace", "link", "unlink", "open"):
            setattr(os, name, before(getattr(os, name)))
        for module, name in ((conversion, "_copy"), (conversion, "_finished"), (leftovers, "erase")):
            setattr(module, name, before(getattr(module, name)))
        status = 1
        try:
            convert(path, old, new)
            status = 0
        finally:
            os._exit(status)
    status = os.waitpid(pid, 0)[1]
    assert os.WIFSIGNALED(status) or os.waitstatus_to_exitcode(status) == 0
    return 0 if os.WIFEXITED(status) else 1


def test_s4_55_a_store_that_is_open_elsewhere_is_not_converted(tmp_path: Path) -> None:
    birds = Canaries(23)
    path = make(tmp_path / "store", None, birds)
    with opened(path, None) as memory:
        with pytest.raises(StoreBusy, match="in use by another process"):
            convert(path, None, KEY)
        memory.remember("Still plain")
    convert(path, None, KEY)
    assert form_of(path) is Form.SEALED


def test_a_copy_that_is_not_the_same_is_not_put_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make(tmp_path / "store", None, Canaries(24))
    digest = hash_of(path, None)
    copied = conversion._copy

    def spoiled(source: Any, draft: Path, key: StoreKey | None) -> None:
        copied(source, draft, key)
        copy = connect(draft, writable=True, key=key)
        copy.execute("UPDATE memories SET text = text || '.' WHERE rowid = 1")
        copy.close()

    monkeypatch.setattr(conversion, "_copy", spoiled)
    with pytest.raises(Damaged, match="nothing was changed"):
        convert(path, None, KEY)
    assert hash_of(path, None) == digest
    assert {file.name for file in path.parent.iterdir()} == {"a.db", "a.db.head", "a.db.keys", "a.db.spool"}


def test_s4_55_the_old_file_is_overwritten(tmp_path: Path) -> None:
    birds = Canaries(25)
    path = make(tmp_path / "store", None, birds)
    descriptor = os.open(path, os.O_RDONLY)
    try:
        assert birds["text"].encode() in os.pread(descriptor, 10_000_000, 0)
        convert(path, None, KEY)
        assert set(os.pread(descriptor, 10_000_000, 0)) == {0}
    finally:
        os.close(descriptor)


def test_a_store_is_encrypted_where_there_are_no_hard_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    birds = Canaries(26)
    path = make(tmp_path / "store", None, birds)

    def refused(*_: object) -> None:
        raise PermissionError("no links here")

    monkeypatch.setattr(os, "link", refused)
    descriptor = os.open(path, os.O_RDONLY)
    convert(path, None, KEY)
    assert set(os.pread(descriptor, 10_000_000, 0)) == {0}
    os.close(descriptor)
    assert birds.found(path.parent) == []


def test_s4_55_the_commands_convert_and_leave_events(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, file, next_file = tmp_path / "a.db", tmp_path / "key", tmp_path / "next"
    store = ("--store", str(path))
    run(*store, "remember", "The ferry leaves at seven")
    assert error_of(*store, "encrypt", status=2)["code"] == "key_unusable"
    assert error_of(*store, "rekey", "--key-file", str(file), status=5)["code"] == "store_not_encrypted"
    assert run_json(*store, "encrypt", "--key-file", str(file)) == {
        "encryption": "on", "key": f"the key file {file}",
    }  # fmt: skip
    assert form_of(path) is Form.SEALED
    monkeypatch.setenv("HOLDFAST_KEY_FILE", str(file))
    assert "ferry" in run(*store, "recall", "ferry").stdout
    run(*store, "encrypt", "--key-file", str(file), status=2)
    run(*store, "rekey", "--key-file", str(file), status=2)
    run(*store, "rekey", status=2)
    run(*store, "rekey", "--key-file", str(next_file))
    assert "key does not open" in run(*store, "recall", "ferry", status=5).stderr
    monkeypatch.setenv("HOLDFAST_KEY_FILE", str(next_file))
    run(*store, "decrypt", status=2)
    run(*store, "decrypt", "--yes")
    assert form_of(path) is Form.PLAIN
    assert run("--store", str(path), "recall", "ferry", status=5).stderr.count("not encrypted") == 1
    monkeypatch.delenv("HOLDFAST_KEY_FILE")
    actions = [event["action"] for event in run_json(*store, "audit", "list")["events"]]
    assert [action for action in actions if action != "use"] == ["remember", "encrypt", "rekey", "decrypt"]


def test_a_store_that_is_not_there_is_made_encrypted(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    encrypt(settings(path), key_file=tmp_path / "key")
    assert form_of(path) is Form.SEALED


def test_what_is_no_store_is_not_converted(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but long enough to be looked at closely " * 200)
    before = path.read_bytes()
    with pytest.raises(HoldfastError) as error:
        convert(path, None, KEY)
    assert error.value.code == "store_not_a_database"
    with pytest.raises(HoldfastError) as error:
        convert(path, KEY, None)
    assert error.value.code == "store_not_a_database"
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == ["notes.txt"]
