"""A store is backed up before its schema is migrated and before its key changes, and goes back by it."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from holdfast.api.backing_up import list_backups, read_backup
from holdfast.api.encryption import decrypt, encrypt, rekey
from holdfast.api.memory import Memory
from holdfast.api.restoring import restore
from holdfast.bootstrap import open_service
from holdfast.config import Settings
from holdfast.core.errors import StoreError
from holdfast.stores.sqlite import migrate
from holdfast.stores.sqlite.sql import migrations
from tests.support import KEY

TEXT = "The lamp room is locked at night"


def settings(path: Path, *, sealed: bool = False) -> Settings:
    return Settings(str(path), "ana", key=KEY.text if sealed else None)


def opened(own: Settings) -> Memory:
    return Memory.over(open_service(own))


def texts(own: Settings) -> list[str]:
    with opened(own) as memory:
        assert memory.doctor().problems == ()
        return [record.text for record in memory.list().memories]


def a_newer_holdfast(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """The next version of Holdfast, with one more migration, until the patch is undone."""
    steps = [*migrations(), (migrate.schema_version() + 1, "CREATE TABLE moods (memory INTEGER);")]
    monkeypatch.setattr(migrate, "migrations", lambda: steps)
    return monkeypatch


@pytest.mark.parametrize("sealed", [False, True])
def test_a_migration_is_undone_by_the_backup_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sealed: bool
) -> None:
    own = settings(tmp_path / "a.db", sealed=sealed)
    with opened(own) as memory:
        memory.remember(TEXT)
    assert list_backups(own) == []  # a new store has nothing to lose
    with monkeypatch.context() as patch:
        a_newer_holdfast(patch)
        with opened(own) as memory:
            memory.remember("The boat is blue")
        (backup,) = list_backups(own)
        opened(own).close()
        assert list_backups(own) == [backup]
    assert (backup.before, backup.memories, backup.problems) == ("migration", 1, ())
    assert backup.encryption == ("ChaCha20-Poly1305" if sealed else "off")
    assert (TEXT.encode() in Path(backup.path).read_bytes()) is not sealed
    with pytest.raises(StoreError) as refused:  # the version before does not read what the newer one wrote
        opened(own)
    assert refused.value.code == "store_newer"
    restore(own, list_backups(own)[0])
    assert texts(own) == [TEXT]


def test_what_others_changed_before_a_migration_stays_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = settings(tmp_path / "a.db")
    with opened(own) as memory:
        memory.remember(TEXT)
    with closing(apsw.Connection(own.store)) as connection:
        connection.execute("UPDATE memories SET title = 'another'")
    a_newer_holdfast(monkeypatch)
    with opened(own) as memory:
        assert any("rows of memories were changed" in problem for problem in memory.doctor().problems)


def test_a_failed_backup_stops_a_migration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And one who wants to goes on without it."""
    own = replace(settings(tmp_path / "a.db"), backup_folder=str(tmp_path / "a.db" / "no folder"))
    with opened(own) as memory:
        memory.remember(TEXT)
    before = (tmp_path / "a.db").read_bytes()
    a_newer_holdfast(monkeypatch)
    with pytest.raises(StoreError) as failed:
        opened(own)
    assert (failed.value.code, "HOLDFAST_BACKUP_BEFORE_CHANGES=off" in (failed.value.hint or "")) == (
        "backup_failed", True,
    )  # fmt: skip
    assert (tmp_path / "a.db").read_bytes() == before
    with opened(replace(own, backup_before_changes="off")) as memory:
        assert [record.text for record in memory.list().memories] == [TEXT]


def test_no_conversion_leaves_a_plain_copy_or_goes_without_one(tmp_path: Path) -> None:
    """Each backup has the key that the store has afterwards, so that it can be restored with it."""
    own = settings(tmp_path / "a.db")
    first, second = tmp_path / "first.key", tmp_path / "second.key"
    with opened(own) as memory:
        memory.remember(TEXT)
    encrypt(own, key_file=first)
    sealed = replace(own, key_file=str(first))
    rekey(sealed, key_file=second)
    sealed = replace(own, key_file=str(second))
    made = list_backups(sealed)
    assert [(one.before, one.encryption) for one in made] == [
        ("change of its key", "ChaCha20-Poly1305"), ("encryption", "ChaCha20-Poly1305"),
    ]  # fmt: skip
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and TEXT.encode() in path.read_bytes()]
    restore(sealed, made[0])
    assert texts(sealed) == [TEXT]
    decrypt(sealed)
    assert list_backups(own)[0].encryption == "off"
    restore(own, read_backup(list_backups(own)[0].path))
    assert texts(own) == [TEXT]
    blocked = replace(own, backup_folder=str(tmp_path / "a.db" / "no folder"))
    with pytest.raises(StoreError) as failed:
        encrypt(blocked, key_file=tmp_path / "third.key")
    assert failed.value.code == "backup_failed"
    assert texts(own) == [TEXT]
    encrypt(replace(blocked, backup_before_changes="off"), key_file=tmp_path / "third.key")
    assert texts(replace(own, key_file=str(tmp_path / "third.key"))) == [TEXT]
