"""Keys: where they are read, what is said when they are missing or wrong, and that they are told nowhere."""

from __future__ import annotations

import json
import logging
import os
import traceback
from pathlib import Path

import apsw
import pytest

from holdfast import HoldfastError, Memory
from holdfast.core.errors import StoreError
from holdfast.stores.sqlite.cipher import Form, StoreKey, form_of, new_key_file, read_key_file
from holdfast.stores.sqlite.configured_key import key_of
from holdfast.stores.sqlite.connection import connect
from holdfast.stores.sqlite.conversion import convert
from tests.cli.support import error_of, process, run, run_json
from tests.encryption.support import OTHER, key_set, opened, settings
from tests.support import KEY

TEXT = "The lighthouse keeper counts the ships"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """An encrypted store with one memory."""
    path = tmp_path / "store" / "a.db"
    path.parent.mkdir()
    with opened(path) as memory:
        memory.remember(TEXT)
    return path


def state(folder: Path) -> dict[str, bytes]:
    """Every file with its bytes."""
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.parametrize(
    ("key", "code"),
    [(None, "key_missing"), (OTHER, "key_wrong")],
)
def test_s4_55_an_encrypted_store_opens_with_its_key_only(
    path: Path, key: StoreKey | None, code: str
) -> None:
    """The error has a code of its own and a hint; nothing is touched, nothing is made beside the store."""
    before = state(path.parent)
    with pytest.raises(StoreError) as error:
        opened(path, key)
    assert error.value.code == code
    assert error.value.hint
    assert state(path.parent) == before
    with opened(path) as memory:
        assert memory.recall("lighthouse")[0].memory.text == TEXT


@pytest.mark.parametrize(
    ("key", "code"),
    [(None, "key_missing"), (OTHER, "key_wrong")],
)
def test_s4_55_a_log_that_was_left_behind_survives_a_wrong_key(
    path: Path, key: StoreKey | None, code: str
) -> None:
    memory = opened(path)
    memory.remember("Written into the log")
    left = path.parent.parent / "left"
    left.mkdir()
    for file in path.parent.iterdir():
        (left / file.name).write_bytes(file.read_bytes())
    memory.close()
    assert (left / "a.db-wal").stat().st_size > 0
    with pytest.raises(StoreError) as error:
        opened(left / "a.db", key)
    assert error.value.code == code
    with opened(left / "a.db") as again:
        assert again.recall("log")[0].memory.text == "Written into the log"
        assert again.doctor().problems == ()


def test_s4_55_a_plain_store_is_refused_where_a_key_is_set(tmp_path: Path) -> None:
    """There is no way back to writing without encryption but to say so."""
    path = tmp_path / "a.db"
    opened(path, None).close()
    with pytest.raises(StoreError) as error:
        opened(path)
    assert error.value.code == "store_not_encrypted"
    assert form_of(path) is Form.PLAIN


def test_s4_55_a_new_store_is_encrypted_where_a_key_is_set(tmp_path: Path) -> None:
    opened(tmp_path / "a.db").close()
    assert form_of(tmp_path / "a.db") is Form.SEALED
    with pytest.raises(StoreError) as error:
        Memory(tmp_path / "b.db", key_file=tmp_path / "absent")
    assert error.value.code == "key_missing"
    assert "holdfast encrypt --key-file" in str(error.value.hint)
    assert not (tmp_path / "b.db").exists()
    with pytest.raises(StoreError) as error:  # another key would not open it
        Memory(tmp_path / "a.db", key_file=tmp_path / "absent")
    assert error.value.code == "key_missing"
    assert "is encrypted" in str(error.value.hint)
    assert "holdfast encrypt" not in str(error.value.hint)


def test_s4_55_status_says_whether_a_store_is_encrypted(tmp_path: Path) -> None:
    plain = str(tmp_path / "plain.db")
    run("--store", plain, "remember", "something")
    assert "encryption  off" in run("--store", plain, "doctor").stdout
    assert run_json("--store", plain, "doctor")["encryption"] == "off"
    with opened(tmp_path / "a.db") as memory:
        assert memory.doctor().encryption == "ChaCha20-Poly1305, key from HOLDFAST_KEY"


def test_a_key_file_holds_bytes_or_digits_for_its_owner_only(tmp_path: Path) -> None:
    file = tmp_path / "key"
    made = new_key_file(file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert read_key_file(file).secret == made.secret
    with pytest.raises(HoldfastError) as error:
        new_key_file(file)
    assert error.value.code == "key_unusable"
    file.write_bytes(made.secret)
    assert read_key_file(file).secret == made.secret
    for mode in (0o640, 0o604, 0o620):
        file.chmod(mode)
        with pytest.raises(HoldfastError, match="others") as error:
            read_key_file(file)
        assert error.value.code == "key_unusable"


@pytest.mark.parametrize("text", ["", "correct horse battery staple", "ab" * 31, "ab" * 33, "zz" * 32])
def test_what_is_no_key_is_refused_and_not_quoted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    file = tmp_path / "key"
    file.write_text(text)
    file.chmod(0o600)
    with pytest.raises(HoldfastError) as error:
        Memory(tmp_path / "a.db", key_file=file)
    assert error.value.code == "key_unusable"
    assert not text or text not in shown(error.value)
    monkeypatch.setenv("HOLDFAST_KEY", text)
    if text:
        with pytest.raises(HoldfastError) as error:
            Memory(tmp_path / "a.db")
        assert error.value.code == "key_unusable"
        assert text not in shown(error.value)
    assert not (tmp_path / "a.db").exists()


def test_a_key_does_not_stand_in_the_configuration_file(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "config" / "holdfast"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text(f'key = "{KEY.text}"\n')
    with pytest.raises(HoldfastError) as error:
        Memory(tmp_path / "a.db")
    assert error.value.code == "config_invalid"
    assert KEY.text not in str(error.value)
    file = tmp_path / "key"
    made = new_key_file(file)
    (folder / "config.toml").write_text(f'key_file = "{file}"\n')
    with Memory(tmp_path / "a.db") as memory:
        assert "key file" in memory.doctor().encryption
    assert key_of(settings(tmp_path / "a.db", key_file=file)) == made


def test_s4_55_the_command_line_tells_by_code_and_status(path: Path) -> None:
    error = error_of("--store", str(path), "recall", "lighthouse", status=5)
    assert error["code"] == "key_missing"
    with key_set(OTHER):
        error = error_of("--store", str(path), "recall", "lighthouse", status=5)
    assert error["code"] == "key_wrong"
    with key_set(KEY):
        assert TEXT in run("--store", str(path), "--user", "ana", "recall", "lighthouse").stdout


def shown(error: BaseException | None) -> str:
    """What a report of an error may show: its message, its causes, and the variables of all our frames."""
    told = ""
    while error is not None:
        told += str(error)
        for frame, _ in traceback.walk_tb(error.__traceback__):
            if "tests" not in Path(frame.f_code.co_filename).parts:
                told += repr(frame.f_locals)
        error = error.__cause__ or error.__context__
    return told


def test_s4_55_the_key_is_told_nowhere(
    path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not by errors with all their causes, logs, events, reports, exports or the arguments of a process."""
    caplog.set_level(logging.DEBUG)
    texts = [KEY.text, OTHER.text, repr(KEY.secret), repr(OTHER.secret)]
    told = [repr(KEY), str(KEY), repr(settings(path, KEY))]
    with pytest.raises(StoreError) as wrong:
        opened(path, OTHER)
    told.append(shown(wrong.value))

    def full(*_: object) -> None:
        raise OSError("no")

    with monkeypatch.context() as broken:
        broken.setattr("holdfast.stores.sqlite.conversion.os.replace", full)
        with pytest.raises(StoreError) as failed:
            convert(path, KEY, OTHER)
    told.append(shown(failed.value))
    with opened(path) as memory:
        told += [str(event.as_dict()) for event in memory.audit.list()]
        told.append(str(memory.doctor().as_dict()))
        told += list(memory.export())
        told.append(Path("/proc/self/cmdline").read_text())
    with key_set(OTHER):
        completed = process("--store", str(path), "--debug", "recall", "x")
    told += [completed.stdout.decode(), completed.stderr.decode(), caplog.text]
    assert [text for text in texts for one in told if text in one] == []


def test_s4_55_sqlite_s_own_error_of_a_copy_is_not_kept(path: Path) -> None:
    """Its message holds the address with the key; the error that is raised hangs on nothing."""
    from holdfast.stores.sqlite.conversion import _copy

    source = connect(path, writable=True, key=KEY, addresses=True)
    source.execute("BEGIN")  # VACUUM is refused inside a transaction
    try:
        with pytest.raises(apsw.Error) as error:
            _copy(source, path.parent / "copy", OTHER)
    finally:
        source.close()
    assert OTHER.text not in shown(error.value)
    assert error.value.__context__ is None
    assert error.value.__cause__ is None


def test_several_openings_in_one_process_keep_their_locks(tmp_path: Path) -> None:
    """Looking at the header must not let go of the locks that the process has on the file."""
    path = tmp_path / "a.db"
    with opened(path) as first:
        first.remember("one")
        with first._service.store.write() as tx:
            tx.add_event(at=1, actor="user:ana", action="test", subject=None, detail={})
            assert form_of(path) is Form.SEALED
            pid = os.fork()
            if pid == 0:
                try:
                    connection = connect(path, writable=True, key=KEY)
                    connection.set_busy_timeout(0)
                    connection.execute("BEGIN IMMEDIATE")
                except apsw.BusyError:
                    os._exit(7)
                os._exit(0)
            assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
        with opened(path) as second:
            assert second.recall("one")
        assert first.doctor().problems == ()


def test_s4_55_the_note_of_a_migration_beside_an_encrypted_store_names_nobody(
    path: Path, tmp_path: Path
) -> None:
    """It is plain: it tells where the memories are and no more; beside a plain store it names the users."""
    there, back = str(tmp_path / "there.db"), str(tmp_path / "back.db")
    with key_set(KEY):
        run("--store", str(path), "--user", "ana", "migrate", "--to", there, "--yes")
        errors = run("--store", str(path), "--user", "ana", "recall", "lighthouse").stderr
    assert "migrated" in errors
    assert there in errors
    note = json.loads(Path(f"{path}.moved").read_text("utf-8"))
    assert (note["to"], note["users"], note["memories"]) == (there, [], 1)
    assert set(note) == {"to", "at", "users", "memories"}
    run("--store", back, "--user", "ana", "remember", "The gulls are loud")
    run("--store", back, "--user", "ana", "migrate", "--to", str(tmp_path / "third.db"), "--yes")
    assert json.loads(Path(f"{back}.moved").read_text("utf-8"))["users"] == ["ana"]
