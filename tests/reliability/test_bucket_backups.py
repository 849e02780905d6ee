"""Backups in a bucket: as those in a folder, complete or not there, and gone when they are deleted."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from holdfast import Memory
from holdfast.api import backing_up
from holdfast.api.backing_up import back_up, drill, list_backups, newest, read_backup
from holdfast.api.restoring import Outlasting, preview_restore, restore
from holdfast.config import Settings, load
from holdfast.core.errors import Damaged, InvalidInput, NotFound, StoreError
from holdfast.core.times import DAY
from holdfast.features.backups.backups import delete_backups
from holdfast.stores.base import bucket
from holdfast.stores.base.backup_addresses import location_of
from holdfast.stores.base.backup_files import Backup, note_of
from holdfast.stores.base.clock import wall_clock
from tests.cli.support import run, run_json
from tests.object_store import ObjectStore, object_store
from tests.support import PATIENCE

FIRST, SECOND = "The lamp room is locked at night", "The boat is blue and leaks a little"


@pytest.fixture(scope="module")
def server() -> Iterator[ObjectStore]:
    with object_store() as found:
        yield found


@pytest.fixture
def own(server: ObjectStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings of a store with one memory, whose backups go into a prefix of the test's own."""
    for name, value in server.variables.items():
        monkeypatch.setenv(name, value)
    remembered(tmp_path / "a.db", FIRST)
    folder = f"s3://backups/{tmp_path.name}"
    return Settings(str(tmp_path / "a.db"), "ana", backup_folder=folder)


def remembered(path: Path | str, text: str) -> str:
    with Memory(path, user="ana") as memory:
        stored = memory.remember(text, project="shop").memory
        assert stored is not None
        return stored.id


def texts(path: Path | str) -> set[str]:
    with Memory(path, user="ana") as memory:
        assert memory.doctor().problems == ()
        return {record.text for record in memory.list(project="shop").memories}


def objects(server: ObjectStore, own: Settings) -> dict[str, bytes]:
    """Every version of every object of a store's backups."""
    client, prefix = server.client(), str(own.backup_folder).removeprefix("s3://backups/")
    found = client.list_object_versions(Bucket="backups", Prefix=prefix)
    contents = {}
    for one in (*found.get("Versions", ()), *found.get("DeleteMarkers", ())):
        name = f"{one['Key'].rpartition('/')[2]} {one['VersionId']}"
        contents[name] = b""
        if "Size" in one:
            body = client.get_object(Bucket="backups", Key=one["Key"], VersionId=one["VersionId"])["Body"]
            contents[name] = body.read()
    return contents


def names(server: ObjectStore, own: Settings) -> set[str]:
    return {name.partition(" ")[0] for name in objects(server, own)}


def belonging(paths: list[str]) -> set[str]:
    return {f"{path.rpartition('/')[2]}{ending}" for path in paths for ending in ("", ".head", ".json")}


@contextmanager
def answering(answer: Callable[[str], tuple[int, str]]) -> Iterator[str]:
    """Runs a server that answers each request by its path; yields its address."""

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, text = answer(self.path)
            self.send_response(status)
            self.send_header("Content-Length", str(len(text.encode())))
            self.end_headers()
            with suppress(OSError):
                self.wfile.write(text.encode())

        do_PUT = do_HEAD = do_DELETE = do_GET

        def log_message(self, *values: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{running.server_port}"
        finally:
            running.shutdown()
            thread.join()


def test_s4_56_the_commands_back_up_to_a_bucket_try_and_restore(own: Settings, tmp_path: Path) -> None:
    to, store = str(own.backup_folder), ("--store", own.store, "--user", "ana")
    output = run_json(*store, "backup", "--to", to)
    assert output["path"].startswith(f"{to}/a-")
    assert list_backups(own)[0].digest == output["digest"]
    remembered(own.store, SECOND)
    later = run_json(*store, "backup", "--to", f"{to}/")
    assert [backup["path"] for backup in run_json(*store, "backup", "--list", "--to", to)["backups"]] == [
        later["path"], output["path"],
    ]  # fmt: skip
    tried = run_json(*store, "drill", "--to", to)
    assert (tried["sound"], tried["backup"]) == (True, later["path"])
    assert run_json(*store, "backup", "--list", "--to", to)["backups"][0]["tried_at"]
    run(*store, "restore", output["path"], "--yes")
    assert texts(own.store) == {FIRST}
    run(*store, "restore", "--latest", "--to", to, "--yes")
    assert texts(own.store) == {FIRST, SECOND}
    run(*store, "restore", output["path"], "--into", str(tmp_path / "b.db"))
    assert texts(tmp_path / "b.db") == {FIRST}
    assert {path.name for path in tmp_path.iterdir()} >= {"a.db", "b.db", "backups"}
    assert not list(tmp_path.rglob("holdfast-scratch-*"))


def test_s4_56_the_setting_names_the_bucket(own: Settings, server: ObjectStore, tmp_path: Path) -> None:
    """For backups before changes, too; what is erased stays so, and old ones are deleted."""
    with pytest.raises(NotFound, match="s3://"):
        newest(own)
    with Memory(own.store, user="ana") as memory:
        secret = memory.remember("The safe stands in the seventh room", project="shop").memory
        assert secret is not None
        made, _ = back_up(own)
        memory.forget(secret.id, hard=True)
    assert read_backup(made.path) == made
    assert preview_restore(own, made) == Outlasting(erased=1)
    done = restore(own, made)
    assert (done.erased, texts(own.store)) == (1, {FIRST})
    assert done.saved is not None
    assert done.saved.startswith("s3://")
    assert [backup.before for backup in list_backups(own)] == ["restore", None]
    again, deleted = back_up(own, keep=1, days=1)
    assert deleted == [made.path]
    assert names(server, own) >= belonging([again.path, done.saved])
    assert made.path.rpartition("/")[2] not in names(server, own)
    assert not (tmp_path / "backups").exists()


def test_s4_56_what_is_sent_is_encrypted_if_asked(own: Settings, server: ObjectStore, tmp_path: Path) -> None:
    sealed = replace(own, backup_key_file=str(tmp_path / "backup.key"))
    made, _ = back_up(sealed)
    assert made.encryption == "ChaCha20-Poly1305"
    assert drill(sealed).is_sound
    assert objects(server, own)
    assert not [name for name, content in objects(server, own).items() if FIRST.encode() in content]
    with pytest.raises(StoreError) as refused:
        drill(own)
    assert refused.value.code == "key_missing"


def test_an_object_that_was_changed_or_has_gone_is_no_backup(own: Settings, server: ObjectStore) -> None:
    made, _ = back_up(own)
    key = made.path.removeprefix("s3://backups/")
    client = server.client()
    content = bytearray(client.get_object(Bucket="backups", Key=key)["Body"].read())
    content[len(content) // 2] ^= 1
    client.put_object(Bucket="backups", Key=key, Body=bytes(content))
    for act in (lambda: drill(own), lambda: restore(own, made)):
        with pytest.raises(Damaged):
            act()
    client.delete_object(Bucket="backups", Key=key)
    assert list_backups(own) == []
    with pytest.raises(NotFound):
        restore(own, made)
    assert texts(own.store) == {FIRST}


KILLING = """
import os, signal, socket, sys
left, send = int(sys.argv[1]), socket.socket.sendall
def sendall(self, *values):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
    return send(self, *values)
socket.socket.sendall = sendall
from holdfast.cli.main import main
sys.argv[1:] = sys.argv[2:]
main()
"""
EVERY = int(os.environ.get("HOLDFAST_TEST_KILL_EVERY", "11"))
UPTO = int(os.environ.get("HOLDFAST_TEST_KILL_UPTO", "1000"))
"""Kills at every so many'th piece that a backup sends, up to one of them. With many kills there is always a
next one, since each backup lists those that the ones before left."""


@pytest.mark.process
def test_a_backup_that_is_killed_while_it_is_sent_is_none_and_goes(
    own: Settings, server: ObjectStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = back_up(own)
    remembered(own.store, SECOND)
    command = [sys.executable, "-c", KILLING]
    words = ["--store", own.store, "--user", "ana", "backup", "--to", str(own.backup_folder), "--keep", "99"]
    kills = 0
    for number in range(1, UPTO, EVERY):
        completed = subprocess.run([*command, str(number), *words], capture_output=True, timeout=PATIENCE)
        if completed.returncode == 0:
            break
        assert completed.returncode == -signal.SIGKILL, completed.stderr
        kills += 1
        found = list_backups(own)
        assert found[-1] == first
        assert all(one.problems == () for one in found)
    assert kills >= 20 / EVERY
    for one in list_backups(own):
        restore(own, one, into=tmp_path / "into.db")
        assert texts(tmp_path / "into.db") == ({FIRST} if one == first else {FIRST, SECOND})
        for path in tmp_path.glob("into.db*"):
            path.unlink()
    assert list(tmp_path.glob("holdfast-scratch-*")) == []
    there = wall_clock()
    monkeypatch.setattr(backing_up, "wall_clock", lambda: there + 2 * DAY)
    back_up(own, keep=99)
    left = {name for name in names(server, own) if not name.endswith(".making")}
    assert left == belonging([backup.path for backup in list_backups(own)])


def test_parts_of_an_upload_that_was_interrupted_go(
    own: Settings, server: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, prefix = server.client(), str(own.backup_folder).removeprefix("s3://backups/")
    key = f"{prefix}/a-20261101T120000Z-0a1b.db"
    client.put_object(Bucket="backups", Key=f"{key}.making", Body=b"")
    upload = client.create_multipart_upload(Bucket="backups", Key=key)["UploadId"]
    client.upload_part(Bucket="backups", Key=key, UploadId=upload, PartNumber=1, Body=b"half")
    back_up(own)
    assert f"{key}.making" in server.keys("backups"), "it may be being made"
    there = wall_clock()
    monkeypatch.setattr(backing_up, "wall_clock", lambda: there + 2 * DAY)
    back_up(own)
    assert f"{key}.making" not in server.keys("backups")
    assert not client.list_multipart_uploads(Bucket="backups", Prefix=prefix).get("Uploads")


def test_a_large_copy_arrives_as_it_was_sent(own: Settings, tmp_path: Path) -> None:
    location, content = location_of(str(own.backup_folder)), os.urandom(1 << 20) * 20
    with location.drafting("big.db", tmp_path) as draft:
        draft.write_bytes(content)
        location.publish(draft, note_of(Backup("", "a", 0, len(content), 0, 0, "", "")))
    location.fetch("big.db", tmp_path / "back")
    assert hashlib.sha256((tmp_path / "back").read_bytes()).digest() == hashlib.sha256(content).digest()
    location.delete("big.db")
    assert location.names() == {}


def test_erasure_reaches_every_version_in_the_bucket(
    own: Settings, server: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = server.client()
    state = {"Status": "Enabled"}
    client.put_bucket_versioning(Bucket="backups", VersioningConfiguration=state)
    try:
        made, _ = back_up(own)
        assert drill(own).is_sound  # writes the note again
        assert back_up(own, keep=1, days=1)[1] == [made.path]
        assert made.path.rpartition("/")[2] not in names(server, own)
        monkeypatch.setenv("HOLDFAST_BACKUP_FOLDER", str(own.backup_folder))
        with Memory(own.store, user="ana") as memory:
            (backup,) = memory.backups.list().backups
            assert backup.path in backup.restore
            assert memory.delete_all(dry_run=True).backups == 1
            done = memory.delete_all("ana", with_backups=True)
        assert (done.backups, done.backups_deleted) == (0, 1)
        assert objects(server, own) == {}
    finally:
        state["Status"] = "Suspended"
        client.put_bucket_versioning(Bucket="backups", VersioningConfiguration=state)


def test_a_backup_that_is_made_while_all_are_deleted_goes(
    own: Settings, server: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_BACKUP_FOLDER", str(own.backup_folder))
    back_up(own)
    with (
        Memory(own.store, user="ana") as memory,
        pytest.raises(StoreError, match="deleted while it was made") as refused,
    ):
        back_up(own, advance=lambda _: [delete_backups(memory._service)].clear())
    assert refused.value.code == "store_io"
    assert objects(server, own) == {}


def test_each_cause_has_a_code_of_its_own_and_no_message_has_a_key(
    own: Settings, server: ObjectStore, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def code(to: str | None = None, **variables: str) -> str:
        with monkeypatch.context() as patch:
            for name, value in variables.items():
                patch.setenv(name, value)
            with pytest.raises(StoreError) as refused:
                back_up(own, to=to)
        shown = f"{refused.value} {refused.value.hint} {refused.value.__cause__}"
        for value in (*variables.values(), server.variables["AWS_SECRET_ACCESS_KEY"]):
            assert not value or value.startswith("http") or value not in shown
        return refused.value.code

    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{closed.getsockname()[1]}"
        assert code(AWS_ENDPOINT_URL=nobody) == "bucket_unreachable"
    assert code("s3://nothing-here/x") == "bucket_not_found"
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    assert code() == "bucket_credentials"
    assert code(AWS_PROFILE="nobody") == "bucket_credentials"
    reader = server.user("reader", "s3:ListBucket", "s3:GetObject")
    with server.checking():
        assert code(**reader) == "bucket_not_permitted"
        assert code(**{**reader, "AWS_SECRET_ACCESS_KEY": "another-secret"}) == "bucket_credentials"
    for address in ("s3://AKIAX:geheim@b/x", "s3://", "s3:///x", "s3://b/x?y", "gs://bucket"):
        with pytest.raises(InvalidInput) as invalid:
            back_up(own, to=address)
        assert "geheim" not in str(invalid.value)


def test_who_may_only_add_backs_up_and_is_told_what_stays(
    own: Settings, server: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    back_up(own)
    for name, value in server.user("adder", "s3:ListBucket", "s3:GetObject", "s3:PutObject").items():
        monkeypatch.setenv(name, value)
    with server.checking():
        words = ("--store", own.store, "--user", "ana", "backup", "--keep", "1", "--days", "1")
        output = run(*words, "--to", str(own.backup_folder)).output
        assert "Too many, and cannot be deleted" in output
        assert len(list_backups(own)) == 2


@pytest.mark.parametrize(
    ("status", "answer", "expected"),
    [(403, "RequestTimeTooSkewed", "clock_skewed"), (400, "ExpiredToken", "bucket_credentials"),
     (500, "InternalError", "bucket_failed")],
)  # fmt: skip
def test_what_the_server_answers_is_told_by_its_code(
    own: Settings, monkeypatch: pytest.MonkeyPatch, status: int, answer: str, expected: str
) -> None:
    """Of errors that the server of the tests does not know."""
    body = f"<Error><Code>{answer}</Code><Message>secret detail</Message></Error>"
    with answering(lambda _: (status, body)) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        with pytest.raises(StoreError) as refused:
            list_backups(own)
    assert refused.value.code == expected
    assert "secret detail" not in f"{refused.value}{refused.value.hint}"


WHOLE = "<IsTruncated>false</IsTruncated>"


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        (307, ""),
        (200, ""),
        (200, "<html><body>Sign in to the network</body></html>"),
        (200, f"<R>{WHOLE}<Contents><Key>a.db</Key></Contents></R>"),
        (200, f"<R>{WHOLE}<Contents><LastModified>2026-01-01T00:00:00Z</LastModified></Contents></R>"),
        (200, f"<R>{WHOLE}<Contents><Key>a</Key><LastModified>soon</LastModified></Contents></R>"),
        (200, f"<R>{WHOLE}<Contents><Key>a</Key><LastModified>70000-02-03T00:00:00Z</LastModified>"
         "</Contents></R>"),
    ],
)  # fmt: skip
def test_what_is_no_list_is_neither_an_empty_one_nor_unexpected(
    own: Settings, monkeypatch: pytest.MonkeyPatch, status: int, answer: str
) -> None:
    with answering(lambda _: (status, answer)) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        with pytest.raises(StoreError) as refused:
            list_backups(own)
    assert refused.value.code == "bucket_failed"


@pytest.mark.parametrize("is_bucket", [True, False])
def test_a_note_of_more_than_a_megabyte_is_shown_as_damage(
    own: Settings, tmp_path: Path, is_bucket: bool
) -> None:
    to = str(own.backup_folder if is_bucket else tmp_path / "kept")
    kept_one, grown = (back_up(own, to=to)[0] for _ in range(2))
    location, note = location_of(to), f"{grown.name}.json"
    location.write(note, (location.read([note])[note] or b"") + b" " * 1_000_000)
    assert location.read([note]) == {}
    listed = {backup.path: backup for backup in list_backups(own, to=to)}
    assert (set(listed), listed[kept_one.path]) == ({kept_one.path, grown.path}, kept_one)
    assert listed[grown.path].problems == ("its note cannot be read",)


def test_a_list_that_never_ends_is_given_up(own: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = itertools.count()

    def endless(_: str) -> tuple[int, str]:
        token = f"<NextContinuationToken>t{next(tokens)}</NextContinuationToken>"
        return 200, f"<R><IsTruncated>true</IsTruncated>{token}</R>"

    with answering(endless) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        monkeypatch.setattr(bucket, "PAGES_MAX", 30)
        with pytest.raises(StoreError, match="more than 30 pages") as refused:
            list_backups(own)
    assert refused.value.code == "bucket_failed"


def test_a_copy_of_another_length_than_was_noted_is_not_fetched(own: Settings, server: ObjectStore) -> None:
    made, _ = back_up(own)
    key = made.path.removeprefix("s3://backups/")
    server.client().put_object(Bucket="backups", Key=key, Body=b"\0" * (made.size + 1))
    with pytest.raises(Damaged, match="its length differs") as refused:
        drill(own)
    assert refused.value.code == "store_damaged"


@contextmanager
def passing_on(server: ObjectStore, send: Callable[[Any, str, bytes], bool]) -> Iterator[str]:
    """Runs a server that passes requests to another one; `send` may answer one itself, by its path and what
    the other one answered. Yields its address."""

    class Passing(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = urllib.request.Request(
                server.variables["AWS_ENDPOINT_URL"] + self.path, method=self.command,
                headers={"Authorization": str(self.headers["Authorization"])},
            )  # fmt: skip
            with urllib.request.urlopen(asked, timeout=PATIENCE) as found:
                content, headers = found.read(), found.headers
            with suppress(OSError):
                if send(self, self.path, content):
                    return
                self.send_response(200)
                for name in ("Content-Length", "Content-Type", "Last-Modified", "ETag"):
                    if headers[name] is not None:
                        self.send_header(name, headers[name])
                self.end_headers()
                self.wfile.write(content)

        do_HEAD = do_GET

        def log_message(self, *values: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Passing) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{running.server_port}"
        finally:
            running.shutdown()
            thread.join()


def test_a_note_of_which_only_a_part_arrives_is_no_note(
    own: Settings, server: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, _ = back_up(own)

    def halve(handler: Any, path: str, content: bytes) -> bool:
        if not path.partition("?")[0].endswith(".db.json"):
            return False
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content[: len(content) // 2])
        handler.close_connection = True
        return True

    with passing_on(server, halve) as address, monkeypatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", address)
        with pytest.raises(StoreError) as refused:
            list_backups(own)
    assert refused.value.code == "bucket_failed"
    assert list_backups(own) == [made]


def test_a_copy_whose_pieces_never_end_is_given_up(
    own: Settings, server: ObjectStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, _ = back_up(own)
    pieces, most = itertools.count(), 200

    def pour(handler: Any, path: str, content: bytes) -> bool:
        if handler.command != "GET" or not path.partition("?")[0].endswith(".db"):
            return False
        handler.protocol_version = "HTTP/1.1"
        handler.send_response(200)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        handler.close_connection = True
        while next(pieces) < most:
            handler.wfile.write(b"100000\r\n" + bytes(1 << 20) + b"\r\n")
        return True

    with passing_on(server, pour) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        with pytest.raises(Damaged, match="its length differs"):
            location_of(str(own.backup_folder)).fetch(made.name, tmp_path / "poured")
    assert next(pieces) < most
    assert (tmp_path / "poured").stat().st_size <= made.size


@pytest.mark.parametrize(
    "typed", ["S3://backups/mine", "s3:/backups/mine", "s3:backups", "sftp:/host/mine", ' "s3://backups"']
)
def test_a_mistyped_address_is_no_folder(typed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    remembered(tmp_path / "a.db", FIRST)
    before = set(tmp_path.iterdir())
    with pytest.raises(InvalidInput, match="neither a folder") as refused:
        back_up(Settings(str(tmp_path / "a.db"), "ana"), to=typed)
    assert refused.value.code == "argument_invalid"
    monkeypatch.setenv("HOLDFAST_BACKUP_FOLDER", typed)
    with pytest.raises(InvalidInput, match="neither a folder"):
        back_up(load(store=tmp_path / "a.db", user="ana"))
    assert set(tmp_path.iterdir()) == before


def test_a_bucket_with_too_short_a_name_is_told() -> None:
    with pytest.raises(InvalidInput) as refused:
        location_of("s3://q/mine")
    assert "3 to 255" in str(refused.value.hint)


def test_a_folder_of_backups_may_begin_with_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    remembered(tmp_path / "a.db", FIRST)
    output = run_json("--store", str(tmp_path / "a.db"), "--user", "ana", "backup", "--to=~/safe")
    assert Path(output["path"]).parent == tmp_path / "safe"
    assert read_backup(f"~/safe/{Path(output['path']).name}").digest == output["digest"]
    with pytest.raises(InvalidInput):
        location_of("/mnt/\udcff")


def test_the_setting_takes_an_address_as_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOLDFAST_BACKUP_FOLDER", "s3://backups/a//b")
    assert load(store=tmp_path / "a.db", user="ana").backup_folder == "s3://backups/a//b"
    monkeypatch.setenv("HOLDFAST_BACKUP_FOLDER", "~/safe")
    assert load(store=tmp_path / "a.db", user="ana").backup_folder == str(Path.home() / "safe")


def test_scratch_folders_of_killed_processes_go_and_others_stay(tmp_path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from holdfast.stores.base.scratch import scratch\n"
        "with scratch(Path(sys.argv[1])) as folder:\n"
        "    (folder / 'x').write_text('text'); print(json.dumps(str(folder)), flush=True); sys.stdin.read()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", f"import json\n{code}", str(tmp_path)], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    folder = Path(json.loads(process.stdout.readline()))
    from holdfast.stores.base.scratch import clear

    clear(tmp_path)
    assert (folder / "x").exists(), "its process uses it"
    process.kill()
    process.communicate(timeout=PATIENCE)
    clear(tmp_path)
    assert not folder.exists()
