"""Backups: made while the store is used, restored whole or not at all, without what was erased."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.api import backing_up
from holdfast.api.backing_up import back_up, drill, list_backups, newest, read_backup
from holdfast.api.memory import Memory
from holdfast.api.restoring import Outlasting, preview_restore, restore
from holdfast.bootstrap import open_service
from holdfast.config import Settings
from holdfast.core.errors import (
    Damaged,
    InvalidInput,
    NotFound,
    Refusal,
    StoreBusy,
    StoreError,
)
from holdfast.core.times import DAY
from holdfast.features.jobs.schedule import plan_regular
from holdfast.stores.base.backup_files import Backup, beyond, expiries, surplus
from holdfast.stores.base.clock import wall_clock
from holdfast.stores.sqlite.store import SqliteStore
from holdfast.stores.sqlite.writer import SqliteWriter
from holdfast.workers import worker_for
from tests.fakes import ManualClock
from tests.support import KEY, awaited

FIRST, SECOND = "The lamp room is locked at night", "The boat is blue and leaks a little"


def settings(path: Path, *, sealed: bool = False) -> Settings:
    return Settings(str(path), "ana", key=KEY.text if sealed else None)


def opened(path: Path, *, sealed: bool = False, monkeypatch: pytest.MonkeyPatch | None = None) -> Memory:
    if sealed:
        assert monkeypatch is not None
        monkeypatch.setenv("HOLDFAST_KEY", KEY.text)
    return Memory(path, user="ana")


def remembered(memory: Memory, text: str) -> str:
    stored = memory.remember(text, project="shop").memory
    assert stored is not None
    return stored.id


def texts(path: Path) -> set[str]:
    with Memory(path, user="ana") as memory:
        assert memory.doctor().problems == ()
        return {record.text for record in memory.list(project="shop").memories}


@pytest.mark.parametrize("sealed", [False, True])
def test_s4_56_a_restored_store_is_as_it_was_but_for_what_was_erased(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sealed: bool
) -> None:
    """What was erased since stays erased and is known as forgotten; it comes back only by wish."""
    path, own = tmp_path / "a.db", settings(tmp_path / "a.db", sealed=sealed)
    with opened(path, sealed=sealed, monkeypatch=monkeypatch) as memory:
        secret, lamp = remembered(memory, "The safe stands in the seventh room"), remembered(memory, FIRST)
        memory.forget(remembered(memory, "A text that was erased before"), hard=True)
        made, _ = back_up(own)
        remembered(memory, SECOND)
        memory.forget(secret, hard=True)
        memory.revise(lamp, text="The lamp room is open")
        with pytest.raises(StoreBusy):
            restore(own, made)
    assert newest(own, as_of=datetime.now(UTC)) == made
    done = restore(own, made)
    assert texts(path) == {FIRST}
    assert done.erased
    with Memory(path, user="ana") as memory:
        events = memory.audit.list(limit=None)
        assert memory.audit.verify() == len(events)
        assert events[-1].action == "restore_backup"
        matches = memory.recall("where is the lamp room?", project="shop")
        assert [match.memory.text for match in matches] == [FIRST]
    assert done.saved is not None
    again = restore(own, read_backup(done.saved))
    assert texts(path) == {"The lamp room is open", SECOND}
    restore(own, made, with_erased=True)
    assert texts(path) == {FIRST, "The safe stands in the seventh room"}
    restore(own, read_backup(str(again.saved)), into=tmp_path / "b.db")
    assert texts(tmp_path / "b.db") == {FIRST}
    with pytest.raises(InvalidInput):
        restore(own, made, into=tmp_path / "b.db")


@pytest.mark.parametrize("sealed", [False, True])
def test_s4_56_backups_have_a_key_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sealed: bool
) -> None:
    """Also of a store that is not encrypted; and one from before the setting is restored all the same."""
    path, plain = tmp_path / "a.db", settings(tmp_path / "a.db", sealed=sealed)
    own = replace(plain, backup_key_file=str(tmp_path / "backup.key"))
    with opened(path, sealed=sealed, monkeypatch=monkeypatch) as memory:
        remembered(memory, FIRST)
        old, _ = back_up(plain)
        made, _ = back_up(own)
        remembered(memory, SECOND)
        assert back_up(own)[0].problems == ()
        assert drill(own).is_sound
    assert (old.encryption, made.encryption) == (
        "ChaCha20-Poly1305" if sealed else "off",
        "ChaCha20-Poly1305",
    )
    assert (FIRST.encode() in Path(old.path).read_bytes()) is not sealed
    assert not [
        one
        for one in (tmp_path / "backups").glob(f"{Path(made.path).name}*")
        if FIRST.encode() in one.read_bytes()
    ]
    assert Path(own.backup_key_file or "").stat().st_mode & 0o77 == 0
    for other in (plain, replace(own, backup_key_file=str(tmp_path / "other.key"))):
        with pytest.raises(StoreError) as refused:
            restore(other, made)
        assert refused.value.code == "key_missing"
    assert texts(path) == {FIRST, SECOND}
    for one in (made, old):
        saved = restore(own, one).saved
        assert texts(path) == {FIRST}
        assert saved is not None
        restore(own, read_backup(saved))
        assert texts(path) == {FIRST, SECOND}
    restore(own, made, into=tmp_path / "b.db")
    assert texts(tmp_path / "b.db") == {FIRST}


def test_a_restore_that_is_refused_leaves_alone_what_another_one_writes(tmp_path: Path) -> None:
    own, target = Settings(store=str(tmp_path / "a.db"), user="ana"), tmp_path / "b.db"
    with Memory(own.store, user="ana") as memory:
        memory.remember(FIRST)
    made = back_up(own)[0]
    draft = tmp_path / "b.db.restoring"
    draft.write_bytes(b"the other one is writing")
    with (tmp_path / "b.db.head").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(StoreBusy):
            restore(own, made, into=target)
    assert draft.read_bytes() == b"the other one is writing"
    restore(own, made, into=target)
    assert not draft.exists()
    with Memory(target, user="ana") as memory:
        assert memory.doctor().healthy


def test_a_version_that_was_redacted_since_stays_redacted(tmp_path: Path) -> None:
    """Also where it is the present one of the backup: the memory is then forgotten."""
    path, own = tmp_path / "a.db", settings(tmp_path / "a.db")
    with Memory(path, user="ana") as memory:
        first, second = (
            remembered(memory, "The safe is from Zanzibar"),
            remembered(memory, "The door is from Mombasa"),
        )
        memory.revise(second, text="The door is from Ninove")
        made, _ = back_up(own)
    with Memory(path, user="ana") as memory:
        memory.revise(first, text="The safe is open")
        memory.redact(first, 1)
        memory.redact(second, 1)
    done = restore(own, made)
    assert done.erased == 2
    assert texts(path) == {"The door is from Ninove"}
    with Memory(path, user="ana") as memory:
        assert [one.text for one in memory.history(second) if one.version] == [
            "[redacted]", "The door is from Ninove",
        ]  # fmt: skip
        assert memory.restore(first).text == "[redacted]"
        assert memory.doctor().problems == ()
    assert not any(word in path.read_bytes() for word in (b"Zanzibar", b"Mombasa"))
    restore(own, made, with_erased=True)
    assert texts(path) == {"The safe is from Zanzibar", "The door is from Ninove"}


def test_what_a_scan_took_out_since_stays_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the rest of the memory comes back with the backup."""
    path, own, token = tmp_path / "a.db", settings(tmp_path / "a.db"), "9fK2xQ7vLm3RtZ8pWs4NbY6cHd5J"
    monkeypatch.setenv("HOLDFAST_SECRET_ENTROPY", "8")
    with Memory(path, user="ana") as memory:
        id = remembered(memory, f"The drawer holds {token} or ana@harbour.example")
        made, _ = back_up(own)
    monkeypatch.delenv("HOLDFAST_SECRET_ENTROPY")
    with Memory(path, user="ana") as memory:
        assert memory.scan_decide(id, personal=True)[0].code is None
    clean = "The drawer holds [REDACTED: high_entropy] or [REDACTED_EMAIL]"
    assert texts(path) == {clean}
    assert restore(own, made).erased == 1
    assert texts(path) == {clean}
    assert token.encode() not in path.read_bytes()
    restore(own, made, with_erased=True)
    assert texts(path) == {f"The drawer holds {token} or ana@harbour.example"}


def test_what_was_erased_to_the_last_stays_erased(tmp_path: Path) -> None:
    path, own = tmp_path / "a.db", settings(tmp_path / "a.db")
    with Memory(path, user="ana") as memory:
        remembered(memory, FIRST)
        remembered(memory, SECOND)
    made, _ = back_up(own)
    with Memory(path, user="ana") as memory:
        memory.delete_all("ana")
    restore(own, made)
    assert texts(path) == set()


def test_a_restore_lifts_no_hold_and_keeps_what_was_decided_since(tmp_path: Path) -> None:
    """Holds, policies, consents and members stand as in the store that is replaced, as the events that made
    them; what was forgotten since is shown again, and what was erased since is not imported again."""
    path, own = tmp_path / "a.db", settings(tmp_path / "a.db")
    with Memory(path, user="ana") as memory:
        lamp = remembered(memory, FIRST)
        memory.members.add("ana", "owner")
        memory.members.add("bob")
        for name in ("old", "moved", "stays"):
            memory.retention.hold(name, user="bob" if name == "moved" else None)
        made, _ = back_up(own)
    with Memory(path, user="ana") as memory:
        memory.forget(lamp)
        memory.retention.lift("old")
        memory.retention.lift("moved")
        memory.retention.lift("stays")
        later = remembered(memory, "Said after the backup")
        memory.forget(later, hard=True)
        memory.retention.hold("stays")
        memory.retention.hold("moved", project="shop")
        memory.retention.hold("new", user="bob")
        memory.retention.set(30, kind="note")
        memory.consents.withdraw("models")
        memory.members.remove("bob")
        holds, policies = memory.retention.holds(), memory.retention.list()
        consents, members = memory.consents.list(), memory.members.list()
    expected = Outlasting(True, ("stays", "moved", "new"), ("old", "moved", "stays"), 1, 1, 1)
    assert preview_restore(own, made) == expected
    assert restore(own, made).kept == expected
    assert preview_restore(own, made) == expected, "the backup did not change, nor what stands"
    with Memory(path, user="ana") as memory:
        assert sorted(memory.retention.holds(), key=repr) == sorted(holds, key=repr)
        assert memory.retention.list() == policies
        assert (memory.consents.list(), memory.members.list()) == (consents, members)
        event = memory.audit.list(limit=None)[-1]
        assert (event.action, event.detail["carried"]) == ("restore_backup", 8)
        assert memory.doctor().problems == ()
        with pytest.raises(Refusal):
            memory.forget(lamp, hard=True)
        again = memory.remember("Said after the backup", project="shop", origin="import")
        assert again.outcome == "forgotten"
        assert memory.remember(FIRST, project="shop", origin="import").outcome == "duplicate"


def test_a_hold_outlasts_the_restore_of_another_store(tmp_path: Path) -> None:
    """Even if that one has a hold of its name, which covers something else."""
    path, own, other = tmp_path / "a.db", settings(tmp_path / "a.db"), settings(tmp_path / "b.db")
    for store, user in ((path, "bob"), (tmp_path / "b.db", "cy")):
        with Memory(store, user="ana") as memory:
            memory.retention.hold("case", user=user)
    made, _ = back_up(other)
    restore(own, made)
    with Memory(path, user="ana") as memory:
        assert {(hold.name, hold.user) for hold in memory.retention.holds()} == {
            ("case", "cy"),
            ("case (carried)", "bob"),
        }


def test_a_backup_is_made_while_others_write(tmp_path: Path) -> None:
    """It holds what was acknowledged before it, and nothing in halves."""
    path, own = tmp_path / "a.db", settings(tmp_path / "a.db")
    done = threading.Event()
    acknowledged: list[int] = []

    def write() -> None:
        with Memory(path, user="ana") as memory:
            while not done.is_set():
                number = len(acknowledged)
                remembered(memory, f"The crate {number} holds {number * 7} lamps of glass")
                acknowledged.append(number)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(3):
            awaited(lambda: len(acknowledged) >= 5)
            before = len(acknowledged)
            made, _ = back_up(own)
            assert made.problems == ()
            assert made.memories >= before
    finally:
        done.set()
        writer.join()
    restore(own, made)
    with Memory(path, user="ana") as memory:
        assert memory.count(project="shop") == made.memories <= len(acknowledged)
        assert memory.doctor().problems == ()


def test_s4_56_workers_make_backups_by_schedule_and_try_them_out(tmp_path: Path) -> None:
    """One a day by whichever worker is first, and a drill each week; a drill without a sound backup fails."""
    path, clock = tmp_path / "a.db", ManualClock(wall_clock())
    own = Settings(str(path), "ana", backup_folder=str(tmp_path / "safe"))
    with Memory.over(open_service(own, clock=clock)) as memory:
        remembered(memory, FIRST)

        def run_day() -> list[str]:
            clock.now += DAY
            services = [memory._service, open_service(own, clock=clock)]
            try:
                threads = [
                    threading.Thread(target=worker_for(service, own, threads=1).run_due)
                    for service in services
                ]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
            finally:
                services[1].store.close()
            new = [job for job in memory.jobs.list(limit=1_000) if job.finished_at == clock.now]
            return sorted(f"{job.kind} {job.state}" for job in new)

        assert worker_for(memory._service, own, threads=1).run_due() == 0, "a store of today waits a day"
        days = [run_day() for _ in range(8)]
        usual = ["backup success", "upkeep success"]
        assert days == [*[usual] * 6, ["backup success", "drill success", "upkeep success"], usual]
        made = list_backups(own, to=tmp_path / "safe")
        assert {one.memories for one in made} == {1}
        assert not any(one.problems for one in made)
        for one in made:
            Path(one.path).write_bytes(Path(one.path).read_bytes()[:-1] + b"x")
        for job in memory.jobs.list(state="queued"):
            memory.jobs.cancel(job.id)
        plan_regular(memory._service, {"drill": 1})
        clock.now += 1
        worker_for(memory._service, own, threads=1).run_due()
        drills = [job for job in memory.jobs.list(state="queued") if job.kind == "drill"]
        assert [job.error for job in drills] == ["store_damaged"], "tried again later"


def test_what_a_worker_did_while_the_clock_was_ahead_delays_nothing(tmp_path: Path) -> None:
    """Neither what succeeded, failed or waits since, nor a store that was begun then."""
    today = wall_clock()
    path, clock = tmp_path / "a.db", ManualClock(today + 500 * DAY)
    own = Settings(str(path), "ana", backup_folder=str(tmp_path / "safe"))

    def due() -> dict[str, int | None]:
        return {job.kind: job.next_try for job in memory.jobs.list(state="queued")}

    with Memory.over(open_service(own, clock=clock)) as memory:
        remembered(memory, FIRST)
        worker = worker_for(memory._service, own, threads=1)
        clock.now = today
        worker.run_due()
        begun = due()
        assert begun["backup"] == today + DAY
        clock.now = today + 400 * DAY
        assert worker.run_due() >= 2
        clock.now = today + DAY
        worker.run_due()
        waiting = due()
        assert waiting.keys() == begun.keys()
        assert waiting["backup"] == today + 2 * DAY
        clock.now = today + 2 * DAY
        worker.run_due()
        done = [job.kind for job in memory.jobs.list(state="success") if job.finished_at == clock.now]
        assert sorted(done) == ["backup", "upkeep"]
        clock.now = today + 400 * DAY
        for backup in list_backups(own):
            Path(backup.path).unlink()
        (tmp_path / "safe").rename(tmp_path / "elsewhere")
        (tmp_path / "safe").write_text("no folder")
        for _ in range(9):
            clock.now += DAY // 3
            worker.run_due()
        assert {job.kind for job in memory.jobs.list(state="error")} >= {"backup"}
        (tmp_path / "safe").unlink()
        clock.now = today + 4 * DAY
        worker.run_due()
        assert list_backups(own), "what failed then is tried again"


def test_a_worker_without_backups_makes_none_that_another_planned(tmp_path: Path) -> None:
    """Neither where they were turned off, nor beside a process that makes them each week."""
    path, clock = tmp_path / "a.db", ManualClock(wall_clock())
    weekly = Settings(str(path), "ana", backup_days=7, backup_folder=str(tmp_path / "safe"))
    with Memory.over(open_service(weekly, clock=clock)) as memory:

        def due() -> dict[str, int | None]:
            return {job.kind: job.next_try for job in memory.jobs.list(state="queued")}

        remembered(memory, FIRST)
        worker_for(memory._service, weekly, threads=1).run_due()
        planned = due()
        assert planned.keys() >= {"backup", "drill"}
        clock.now += 120_000
        assert worker_for(memory._service, replace(weekly, backup_days=0), threads=1).run_due() == 0
        assert due() == planned


def test_s4_56_a_service_over_an_older_store_backs_up_before_its_first_drill(tmp_path: Path) -> None:
    path, clock = tmp_path / "a.db", ManualClock(wall_clock())
    own = Settings(str(path), "ana", backup_folder=str(tmp_path / "safe"))
    with Memory.over(open_service(own, clock=clock)) as memory:
        remembered(memory, FIRST)
        clock.now += 8 * DAY
        plan_regular(memory._service, {"drill": DAY})
        worker_for(memory._service, own, threads=1).run_due()
        drills = [job for job in memory.jobs.list() if job.kind == "drill"]
        assert [job.state for job in drills] == ["success"]
        assert len(list_backups(own, to=tmp_path / "safe")) >= 1


@pytest.mark.parametrize("sealed", [False, True])
def test_s4_58_a_file_with_much_free_space_is_compacted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sealed: bool
) -> None:
    path = tmp_path / "a.db"
    with opened(path, sealed=sealed, monkeypatch=monkeypatch) as memory:
        remembered(memory, FIRST)
        store = memory._service.store
        assert store.compact() == 0, "there is nothing to give back"
        writer = cast(SqliteStore, store)._writer
        assert writer is not None
        writer.execute(
            "CREATE TABLE junk (a); INSERT INTO junk VALUES (zeroblob(3_000_000)); DROP TABLE junk"
        )
        store.scrub()
        before = path.stat().st_size
        freed = store.compact()
        assert 3_000_000 <= freed == before - path.stat().st_size
        assert store.compact() == 0
        assert [hit.memory.text for hit in memory.recall("lamp", project="shop")] == [FIRST]


def test_a_backup_that_was_changed_or_is_none_is_refused(tmp_path: Path) -> None:
    path, own = tmp_path / "a.db", settings(tmp_path / "a.db")
    with Memory(path, user="ana") as memory:
        remembered(memory, FIRST)
    with pytest.raises(NotFound):
        newest(own)
    made, _ = back_up(own)
    assert drill(own).is_sound
    file = Path(made.path)
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    with pytest.raises(Damaged):
        restore(own, read_backup(file))
    with pytest.raises(Damaged):
        drill(own)
    with pytest.raises(NotFound):
        read_backup(path)
    assert texts(path) == {FIRST}
    assert {mode & 0o077 for mode in (os.stat(one).st_mode for one in file.parent.iterdir())} == {0}


def with_noted(**values: Any) -> Callable[[bytes], bytes]:
    """Returns a change of a note."""
    return lambda note: json.dumps({**json.loads(note), **values}).encode()


@pytest.mark.parametrize(
    "change",
    [
        lambda _: b"[" * 200_000, lambda _: b'{"own":' * 100_000, lambda _: b"[]", lambda _: b"\xff\xfe",
        with_noted(events=None), with_noted(size=float("inf")), with_noted(own="many"), with_noted(own=[]),
        with_noted(number=None), with_noted(encryption=None), with_noted(made_at=None),
        with_noted(made_at="9" * 400), with_noted(problems=3), with_noted(store=None),
        with_noted(tried_at={}),
    ],
)  # fmt: skip
def test_a_note_that_cannot_be_read_hides_no_other_backup(
    tmp_path: Path, change: Callable[[bytes], bytes]
) -> None:
    path, own = tmp_path / "a.db", settings(tmp_path / "a.db")
    with Memory(path, user="ana") as memory:
        remembered(memory, FIRST)
        made, _ = back_up(own)
        torn, _ = back_up(own)
    note = Path(f"{torn.path}.json")
    note.write_bytes(change(note.read_bytes()))
    assert [(backup.path, bool(backup.problems)) for backup in list_backups(own)] == [
        (made.path, False),
        (torn.path, True),
    ]
    assert newest(own) == made
    assert drill(own).backup == made.path
    with pytest.raises(NotFound):
        read_backup(torn.path)
    restore(own, newest(own))
    assert texts(path) == {FIRST}


@pytest.mark.parametrize("ending", [".head", ".secret"])
def test_a_backup_with_another_file_next_to_it_is_refused(tmp_path: Path, ending: str) -> None:
    """Exchanged, short, empty, added or gone: what was forgotten would come back, or a loss go unnoticed."""
    path, own = tmp_path / "a.db", settings(tmp_path / "a.db")
    with Memory(path, user="ana") as memory:
        bare, _ = back_up(own, to=tmp_path / "bare")
        memory.forget(remembered(memory, FIRST))
        remembered(memory, SECOND)
    made, _ = back_up(own)
    file = Path(f"{made.path}{ending}")
    content = file.read_bytes()
    for other in (content[::-1], content[:-1], b"", None):
        file.unlink()
        if other is not None:
            file.write_bytes(other)
        with pytest.raises(Damaged, match="not what was written") as refused:
            restore(own, made)
        assert refused.value.code == "store_damaged"
        with pytest.raises(Damaged):
            drill(own)
        file.write_bytes(content)
    assert drill(own).is_sound
    assert not Path(f"{bare.path}.secret").exists()
    Path(f"{bare.path}.secret").write_bytes(bytes(32))
    with pytest.raises(Damaged):
        drill(own, to=tmp_path / "bare")
    note = Path(f"{made.path}.json")
    values = json.loads(note.read_text())
    note.write_text(json.dumps({key: values[key] for key in values if key not in ("beside", "number")}))
    assert restore(own, read_backup(made.path)).memories == 1, "as noted by an earlier version"


def test_the_doctor_finds_a_key_of_digests_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Memory(path, user="ana") as memory:
        memory.forget(remembered(memory, FIRST))
        assert memory.doctor().healthy
        for content in (b"", bytes(31), bytes(33)):
            Path(f"{path}.secret").write_bytes(content)
            assert "does not hold a key" in memory.doctor().problems[0]


def test_a_place_of_backups_that_is_read_only_is_tried_and_restored_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A restore in place names the folder that cannot take what it would replace."""
    path, own = tmp_path / "a.db", settings(tmp_path / "a.db")
    with Memory(path, user="ana") as memory:
        remembered(memory, FIRST)
        made, _ = back_up(own)
        remembered(memory, SECOND)
    folder, make, write = Path(made.path).parent, os.mkdir, os.open

    def refuse(path: Any) -> None:
        if Path(os.fspath(path)).is_relative_to(folder):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    def mkdir(path: Any, *rest: Any, **options: Any) -> None:
        refuse(path)
        make(path, *rest, **options)

    def opened_as(path: Any, flags: int, *rest: Any, **options: Any) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            refuse(path)
        return write(path, flags, *rest, **options)

    monkeypatch.setattr(os, "mkdir", mkdir)
    monkeypatch.setattr(os, "open", opened_as)
    assert drill(own).is_sound
    assert list_backups(own) == [made]
    restore(own, made, into=tmp_path / "b.db")
    assert texts(tmp_path / "b.db") == {FIRST}
    with pytest.raises(StoreError, match="Read-only file system"):
        restore(own, made)
    assert texts(path) == {FIRST, SECOND}
    elsewhere = replace(own, backup_folder=str(tmp_path / "elsewhere"))
    assert restore(elsewhere, made).saved is not None
    assert texts(path) == {FIRST}
    absent = settings(tmp_path / "not" / "there.db")
    assert restore(absent, made, into=tmp_path / "c.db").memories == 1
    assert {one.name for one in tmp_path.iterdir() if "scratch" in one.name} == set()


def test_a_store_that_cannot_be_read_is_copied_aside_and_replaced(tmp_path: Path) -> None:
    path, own = tmp_path / "a.db", settings(tmp_path / "a.db")
    with Memory(path, user="ana") as memory:
        remembered(memory, FIRST)
    made, _ = back_up(own)
    path.write_bytes(b"no database at all" * 500)
    assert preview_restore(own, made) == Outlasting(known=False)
    done = restore(own, made)
    assert done.kept == Outlasting(known=False)
    assert texts(path) == {FIRST}
    assert (Path(str(done.saved)) / "a.db").read_bytes().startswith(b"no database")


@given(
    st.lists(st.tuples(st.integers(0, 40), st.booleans()), max_size=30), st.integers(1, 5), st.integers(0, 9)
)
def test_the_newest_and_one_of_each_day_stay(made: list[tuple[int, bool]], keep: int, days: int) -> None:
    backups = sorted(
        (
            Backup(str(number), "a.db", quarter * DAY // 4, 1, 1, 1, "", "", () if sound else ("damaged",))
            for number, (quarter, sound) in enumerate(made)
        ),
        key=lambda one: (one.made_at, one.path),
        reverse=True,
    )
    gone = set(surplus(backups, keep, days))
    sound = [backup for backup in backups if not backup.problems]
    assert not gone & set(sound[:keep])
    last = sorted({one.made_at // DAY for one in sound}, reverse=True)[:days]
    assert {backup.made_at // DAY for backup in backups if backup not in gone} >= set(last)
    assert len(backups) - len(gone) <= keep + days


def test_copies_before_changes_roll_by_themselves_and_the_last_that_holds_much_stays() -> None:
    """A backup is never let go for emptier ones that are newer, and what no backup follows has no end."""

    def made(number: int, memories: int, before: str | None = None) -> Backup:
        at = 40 * DAY - number * DAY // 24
        return Backup(str(number), "a.db", at, 1, memories, 1, "", "", before=before)

    copies = [made(number, 0, "restore") for number in range(5)]
    empty = [made(number, 2) for number in range(5, 8)]
    full, fuller, before = made(8, 145), made(9, 146), made(10, 100)
    there = [*copies, *empty, full, fuller, before]
    assert beyond(there, 3, 1) == [full]
    assert surplus(there, 3, 1) == [*copies[3:], fuller, before]
    assert expiries([*empty, full], 40 * DAY, 1).keys() == {one.path for one in empty}


def test_a_clock_that_was_ahead_makes_no_older_backup_the_newest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does a restore of an older one, after which the chain of events is shorter than before."""
    path, own, today = tmp_path / "a.db", settings(tmp_path / "a.db"), wall_clock()
    with Memory(path, user="ana") as memory:
        first, _ = back_up(own, to=tmp_path / "apart")
        remembered(memory, FIRST)
        for day in range(300, 308):
            monkeypatch.setattr(backing_up, "wall_clock", lambda day=day: today + day * DAY)
            stale, _ = back_up(own)
    monkeypatch.setattr(backing_up, "wall_clock", lambda: today)
    restore(own, first)
    for keep, days in ((3, 7), (1, 1)):
        with Memory(path, user="ana") as memory:
            remembered(memory, SECOND)
        made, deleted = back_up(own, keep=keep, days=days)
        assert made.path not in deleted
        assert newest(own) == made
        assert drill(own).backup == made.path
    assert stale.path in deleted
    assert list_backups(own)[0].path == made.path
    restore(own, newest(own))
    assert texts(path) == {SECOND}


def test_a_backup_of_an_earlier_version_is_the_newest_if_it_was_made_last(tmp_path: Path) -> None:
    """Also between numbered ones; one whose time is to come counts as the oldest."""
    own, now = settings(tmp_path / "a.db"), wall_clock()
    with Memory(tmp_path / "a.db", user="ana") as memory:
        remembered(memory, FIRST)
        made = [back_up(own, keep=9)[0].path for _ in range(6)]
    times = [now + DAY, now - 5_000, now - 4_000, now - 3_000, now - 2_000, now - 1_000]
    for index, (path, at) in enumerate(zip(made, times, strict=True)):
        note = Path(f"{path}.json")
        content = {**json.loads(note.read_bytes()), "made_at": at, "number": index}
        if index in (0, 2, 5):
            del content["number"]
        note.write_text(json.dumps(content))
    assert [backup.path for backup in list_backups(own)] == made[::-1]
    assert newest(own).path == made[5]


def test_no_backup_is_numbered_where_the_others_cannot_be_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, list_folder = settings(tmp_path / "a.db"), Path.iterdir
    with Memory(tmp_path / "a.db", user="ana") as memory:
        remembered(memory, FIRST)
    made, _ = back_up(own)

    def refused(path: Path) -> Any:
        if path == Path(made.path).parent:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return list_folder(path)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "iterdir", refused)
        for act in (back_up, list_backups):
            with pytest.raises(StoreError, match="cannot be listed") as failed:
                act(own)
            assert failed.value.code == "store_io"
    assert list_backups(own) == [made]


def test_the_newest_backup_is_none_that_a_restore_made(tmp_path: Path) -> None:
    """However often a restore is repeated, and whatever is backed up afterwards, the data stays in reach."""
    path, own = tmp_path / "a.db", settings(tmp_path / "a.db")
    with Memory(path, user="ana") as memory:
        for text in (FIRST, SECOND, "The key hangs behind the clock"):
            remembered(memory, text)
        made, _ = back_up(own)
        memory.delete_all("ana")
    for _ in range(5):
        assert newest(own) == made
        done = restore(own, newest(own))
        assert (done.memories, done.in_backup, done.erased) == (0, 3, 3)
        assert texts(path) == set()
    assert [backup.before for backup in list_backups(own)] == ["restore"] * 3 + [None]
    for _ in range(4):
        assert made.path not in back_up(own, keep=1, days=1)[1]
    found = read_backup(made.path)
    assert restore(own, found, with_erased=True).memories == 3
    assert len(texts(path)) == 3


def test_the_copy_of_what_a_restore_replaced_stays_also_if_it_has_problems(tmp_path: Path) -> None:
    """Of what was kept after the backup there is no other copy."""
    path, own = tmp_path / "a.db", settings(tmp_path / "a.db")
    with Memory(path, user="ana") as memory:
        remembered(memory, FIRST)
        made, _ = back_up(own)
        remembered(memory, SECOND)
    with closing(apsw.Connection(str(path))) as file:
        file.execute("UPDATE memories SET text = 'changed by somebody' WHERE number = 1")
    done = restore(own, made)
    assert read_backup(str(done.saved)).problems
    back_up(own, keep=1, days=1)
    assert Path(str(done.saved)).exists()


def test_projects_that_were_erased_since_stay_erased(tmp_path: Path) -> None:
    path, own = tmp_path / "a.db", settings(tmp_path / "a.db")
    with Memory(path, user="ana") as memory:
        ben = memory.as_user("ben")
        for name in ("purged", "deleted", "shared"):
            memory.projects.create(name, notes="from Tom", description="secret")
        ben.projects.create("stays", notes="Ben's")
        ben.remember(FIRST, project="shared")
        made, _ = back_up(own)
        memory.projects.purge("purged")
        memory.delete_all("ana")
    restore(own, made)
    with Memory(path, user="ben") as memory:
        there = [
            (project.name, project.owner, project.notes, project.description)
            for project in memory.projects.list()
        ]
        assert there == [("shared", None, None, None), ("stays", "ben", "Ben's", None)]
        assert memory.count(project="shared") == 1
        assert memory.doctor().problems == ()


def test_conversations_and_imports_that_were_erased_since_stay_erased(tmp_path: Path) -> None:
    """Their titles and the names of their files are data like the messages; the others stay."""
    path, own = tmp_path / "a.db", settings(tmp_path / "a.db")
    messages = [{"role": "user", "content": "My safe is blue", "id": "m1"}]
    with Memory(path, user="ana") as memory:
        source = memory.sources.add("chatgpt", "0" * 64, filename="mine.zip").id
        for session in ("gone", "stays", "anew"):
            memory.sessions.create(session, name=f"Title of {session}")
            memory.add_messages(messages, session=session)
        made, _ = back_up(own)
        memory.sessions.delete("gone")
        memory.sources.delete(source, hard=True)
    restore(own, made)
    with Memory(path, user="ana") as memory:
        assert {talk.name for talk in memory.sessions.list()} == {"Title of stays", "Title of anew"}
        assert memory.sources.list() == []
    restore(own, made, with_erased=True)
    with Memory(path, user="ana") as memory:
        assert len(memory.sessions.list()) == 3


def test_deleting_everything_says_what_backups_hold_and_deletes_them_by_wish(tmp_path: Path) -> None:
    path, own = tmp_path / "a.db", settings(tmp_path / "a.db")
    with Memory(path, user="ana") as memory:
        remembered(memory, FIRST)
        made, _ = back_up(own)
        assert memory.delete_all(dry_run=True).backups == 1
        with pytest.raises(InvalidInput, match="backups still hold it"):
            memory.delete_all()
        done = memory.delete_all("ana")
        assert (done.backups, done.backups_deleted) == (1, 0)
        assert done.certificate is not None
        assert done.certificate.backups == 1
        done = memory.delete_all("ana", with_backups=True)
        assert (done.backups, done.backups_deleted) == (0, 1)
        assert done.certificate is not None
        assert done.certificate.backups == 0
        assert memory.audit.check(done.certificate.as_dict()).holds
    assert list(Path(made.path).parent.iterdir()) == []


def test_deleting_everything_deletes_a_backup_whose_note_cannot_be_read(tmp_path: Path) -> None:
    """It is counted, and no rule lets it go before: what it holds is unknown. Others' backups stay."""
    path, own = tmp_path / "a.db", settings(tmp_path / "a.db")
    folder = tmp_path / "backups"
    with Memory(path, user="ana") as memory, Memory(tmp_path / "b.db", user="ana") as other:
        remembered(memory, FIRST)
        remembered(other, SECOND)
        torn = [Path(back_up(own)[0].path) for _ in range(2)]
        Path(f"{torn[0]}.json").write_bytes(b"")
        Path(f"{torn[1]}.json").unlink()
        Path(f"{torn[1]}.json").symlink_to("/dev/null")
        others = Path(back_up(settings(tmp_path / "b.db"))[0].path)
        Path(f"{others}.json").write_bytes(b"{")
        for _ in range(3):
            back_up(own, keep=1, days=1)
        listed = memory.backups.list().backups
        ends = {Path(one.path): (one.expires_at, one.restore) for one in listed if one.problems}
        assert ends == dict.fromkeys(torn, (None, ""))
        assert memory.delete_all(dry_run=True).backups == 3
        assert memory.delete_all("ana", with_backups=True).backups_deleted == 3
    assert {one for one in folder.iterdir() if not one.name.startswith("b-")} == set()
    assert others.exists()


@pytest.mark.parametrize("fault", [b"[1]", errno.EACCES, errno.EIO])
def test_deleting_everything_leaves_what_may_be_another_stores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: bytes | int
) -> None:
    """By a file of the same name, or because its note is withheld for now; the error names it."""
    shared, read = str(tmp_path / "shared"), Path.open
    monkeypatch.setenv("HOLDFAST_BACKUP_FOLDER", shared)
    mine, theirs = tmp_path / "lamps" / "notes.db", tmp_path / "boats" / "notes.db"
    if not isinstance(fault, bytes):
        theirs = theirs.with_name("apart.db")
    for path, text in ((mine, FIRST), (theirs, SECOND)):
        path.parent.mkdir()
        with Memory(path, user="ana") as memory:
            remembered(memory, text)
        made = [Path(back_up(replace(settings(path), backup_folder=shared))[0].path) for _ in range(2)]
        if path == mine:
            (whole, withheld) = made
    doubtful = made[0] if isinstance(fault, bytes) else withheld
    if isinstance(fault, bytes):
        Path(f"{doubtful}.json").write_bytes(fault)

    def refused(path: Path, *values: Any, **options: Any) -> Any:
        if isinstance(fault, int) and path == Path(f"{doubtful}.json"):
            raise OSError(fault, os.strerror(fault))
        return read(path, *values, **options)

    with Memory(mine, user="ana") as memory, monkeypatch.context() as patch:
        patch.setattr(Path, "open", refused)
        with pytest.raises(StoreError) as left:
            memory.delete_all("ana", with_backups=True)
    assert doubtful.name in str(left.value)
    assert (doubtful.exists(), whole.exists()) == (True, False)
    assert all(path.exists() for path in made if path != doubtful)


def test_a_backup_that_is_made_while_everything_is_deleted_goes_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The certificate that says that there is none is true."""
    path, own = tmp_path / "a.db", settings(tmp_path / "a.db")
    with Memory(path, user="ana") as memory:
        remembered(memory, FIRST)
        before = back_up(own)[0]
        erase, unfinished = SqliteWriter.erase, before.path.replace(".db", "")[:-4] + "0000.db"

        def erase_meanwhile(*values: Any) -> int:
            back_up(own)
            Path(unfinished).write_bytes(b"half of a copy")
            return erase(*values)

        monkeypatch.setattr(SqliteWriter, "erase", erase_meanwhile)
        done = memory.delete_all("ana", with_backups=True)
        assert done.certificate is not None
        assert (done.certificate.backups, done.backups, done.backups_deleted) == (0, 0, 2)
        assert memory.audit.check(done.certificate.as_dict()).holds
    assert list(Path(before.path).parent.iterdir()) == []


@pytest.mark.parametrize("every", [1, 3])
def test_a_backup_goes_when_the_list_says(every: int) -> None:
    """Days of backups are gone through one by one, as a service makes and deletes them."""
    interval, now = every * DAY, 40 * DAY + DAY // 2
    hours = [0, 2, 5, 30, 60, 200, 400]
    known = [
        Backup(f"old-{n}", "a.db", now - hour * DAY // 24, 1, 1, 1, "", "", ("torn",) if n == 1 else ())
        for n, hour in enumerate(hours)
    ]
    expected, there, at = expiries(known, now, every), list(known), known[0].made_at
    assert expiries(known, now, 0) == {}
    gone: dict[str, int] = {}
    while len(gone) < len(known):
        at += interval
        there.insert(0, replace(known[0], path=f"new-{at}", made_at=at))
        for one in surplus(there, 3, 7):
            there.remove(one)
            if one in known:
                gone[one.path] = at
    assert gone == expected
    assert expected["old-1"] == known[0].made_at + interval, "a damaged one goes with the next sound one"


@pytest.mark.process
def test_a_restore_that_is_killed_leaves_one_whole_store(tmp_path: Path) -> None:
    path, own = tmp_path / "a.db", settings(tmp_path / "a.db")
    with Memory(path, user="ana") as memory:
        remembered(memory, FIRST)
    made, _ = back_up(own)
    with Memory(path, user="ana") as memory:
        remembered(memory, SECOND)
    command = [
        sys.executable,
        "-m",
        "holdfast",
        "--store",
        str(path),
        "--user",
        "ana",
        "restore",
        made.path,
        "--yes",
    ]
    for number in range(8):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.15 + 0.08 * number)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert texts(path) in ({FIRST}, {FIRST, SECOND})
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert texts(path) == {FIRST}
    assert all(backup.problems == () for backup in list_backups(own))
