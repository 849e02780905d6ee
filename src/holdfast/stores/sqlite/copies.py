"""Copies of a store in a file: made while it is in use, and put in its place while nobody uses it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

import apsw

from holdfast.config import Settings
from holdfast.core.errors import Damaged, HoldfastError, StoreBusy, StoreError
from holdfast.core.events import Event, Head
from holdfast.core.retention import REGISTERS
from holdfast.stores.base.backend import Home, Since
from holdfast.stores.base.rows import Contents
from holdfast.stores.sql.rows import event_of
from holdfast.stores.sql.team import member_of
from holdfast.stores.sqlite.cipher import (
    SCHEME_SHOWN,
    Form,
    StoreKey,
    form_of,
    new_key_file,
    read_key_file,
    sync_folder,
)
from holdfast.stores.sqlite.configured_key import key_of
from holdfast.stores.sqlite.connection import connect, opens, translated
from holdfast.stores.sqlite.conversion import fill
from holdfast.stores.sqlite.digest_key import digest_key
from holdfast.stores.sqlite.head import HeadFile, head_line
from holdfast.stores.sqlite.leftovers import RESTORING, settle, sibling
from holdfast.stores.sqlite.opening import is_logged
from holdfast.stores.sqlite.safe_files import read_beside
from holdfast.stores.sqlite.sql import statements
from holdfast.stores.sqlite.tenant_rows import read_rows, write_rows

_BESIDE = (".head", ".secret")


class FileCopies:
    """Copies of the file of a store with its head and the key of its digests, under the same encryption, or
    under the key of the setting `backup_key_file`.

    The digests of API keys and the payloads of jobs stay where they are: a copy opens nothing to anybody.
    """

    def home(self, settings: Settings) -> Home:
        path = Path(settings.store).resolve()
        return Home(str(path), Path(settings.store).stem, path)

    def exists(self, settings: Settings) -> bool:
        return Path(settings.store).exists()

    def settings_of(self, settings: Settings, copy: Path) -> Settings:
        key = _key_of_copy(settings, copy)  # the keychain knows it by the path of the store
        text = None if key is None else key.text
        # a copy is tried out and thrown away, or is a backup itself
        return replace(settings, store=str(copy), key=text, key_file=None, backup_before_changes="off")

    def copy(self, settings: Settings, target: Path) -> None:
        path, key = Path(settings.store).resolve(), key_of(settings)
        copy_whole(path, target, key, backup_key(settings) or key)

    def memories(self, copy: Settings) -> int:
        with _reading(Path(copy.store), key_of(copy)) as connection:
            return int((connection.execute(statements("converting.sql")["numbers"]).fetchone() or (0,))[0])

    @contextmanager
    def held(self, settings: Settings) -> Iterator[None]:
        path = Path(settings.store).resolve()
        with ExitStack() as stack:
            try:
                alone = stack.enter_context(HeadFile.alone(sibling(path, ".head")))
            except OSError as error:
                raise _failed(path, error) from error
            if not alone:
                raise _busy(path)
            yield

    def since(self, settings: Settings, copy: Path) -> Since:
        path = Path(settings.store).resolve()
        with _reading(copy, _key_of_copy(settings, copy)) as source:
            head = Head(*source.execute(statements("reading.sql")["last_event"]).fetchone() or ())
            was = dict(source.execute(statements("converting.sql")["owners"]))
            conversations, imports = _named_rows(source, "conversations"), _named_rows(source, "imports")
            copied, projects = _registers(source), _projects(source)
        with _reading(path, key_of(settings)) as here:
            follows = _holds_event(here, head)
            there = dict(here.execute(statements("converting.sql")["owners"]))
            removed = [(owner, id) for id, owner in was.items() if id not in there] if follows else []
            # digests say something only to the key that made them
            has_key = _content(sibling(path, ".secret")) == _content(sibling(copy, ".secret"))
            tombstones: dict[str, dict[str, bool]] = {}
            for owner, digest, by_person in (
                here.execute(statements("converting.sql")["all_tombstones"]) if has_key else ()
            ):
                tombstones.setdefault(owner, {})[digest] = bool(by_person)
            return Since(
                follows, _grouped(removed), _registers(here), copied, tombstones,
                _grouped(here.execute(statements("converting.sql")["hidden"])),
                [member_of(row) for row in _dicts(here, "members")],
                _grouped(_redacted(here)) if follows else {},
                _grouped(_cleaned(here)) if follows else {},
                _grouped(sorted(conversations - _named_rows(here, "conversations"))) if follows else {},
                _grouped(sorted(imports - _named_rows(here, "imports"))) if follows else {},
                _left_projects(projects, _projects(here)) if follows else {},
            )  # fmt: skip

    def put_back(self, settings: Settings, copy: Settings, *, change: int | None) -> None:
        path, source = Path(settings.store).resolve(), Path(copy.store)
        draft = sibling(path, RESTORING)
        try:
            settle(path)
            try:
                _create(draft)
                with translated(source):
                    _copy(source, draft, key_of(copy), key_of(settings))
                if (secret := _content(sibling(source, ".secret"))) is not None:
                    _write(sibling(draft, ".secret"), secret)
                _write(sibling(draft, ".head"), _content(sibling(source, ".head")) or b"")
                sync_folder(path.parent)
                _close_log(path, key_of(settings))
                os.replace(draft, path)
                sync_folder(path.parent)
            finally:
                settle(path)
        except OSError as error:
            raise _failed(path, error) from error

    def write_rows(self, settings: Settings, target: Path, contents: Contents) -> None:
        try:
            _create(target)
            with (
                translated(target),
                closing(connect(target, writable=True, key=backup_key(settings))) as file,
            ):
                write_rows(file, target, contents)
                head = Head(*file.execute(statements("reading.sql")["last_event"]).fetchone() or ())
            _write(sibling(target, ".head"), head_line(head))
            _write(sibling(target, ".secret"), contents.digest_key)
            _sync(target)
        except OSError as error:
            raise _failed(target, error) from error

    def checked(self, settings: Settings, copy: Path) -> tuple[int, int, str]:
        key = backup_key(settings)
        return (*numbers_in(copy, key), encryption_by(key))

    @contextmanager
    def reading_rows(self, copy: Settings) -> Iterator[Contents]:
        path = Path(copy.store)
        with _reading(path, key_of(copy)) as connection, connection:
            yield read_rows(connection, digest_key(sibling(path, ".secret")))


def copy_whole(path: Path, target: Path, key: StoreKey | None, new: StoreKey | None) -> None:
    """Copies a store, which may be in use, with its head and the key of its digests into a new file with the
    key `new`. Raises StoreError."""
    try:
        # read before, so that it is never ahead of the copy unless the store has lost something
        sidecars = {ending: _content(sibling(path, ending)) for ending in _BESIDE}
        _create(target)
        with translated(path):
            _copy(path, target, key, new)
        for ending, content in sidecars.items():
            if content is not None:
                _write(sibling(target, ending), content)
    except OSError as error:
        raise _failed(target, error) from error


def numbers_in(copy: Path, key: StoreKey | None) -> tuple[int, int]:
    """Returns the numbers of memories and events in a copy, which stays at its schema. Raises Damaged."""
    with translated(copy), closing(connect(copy, writable=False, key=key)) as connection:
        if connection.execute("PRAGMA integrity_check(1)").get != "ok":
            raise Damaged(
                f"the copy of {copy} is damaged",
                code="store_damaged",
                hint="check the store: holdfast doctor",
            )
        memories, events = connection.execute(statements("converting.sql")["numbers"]).fetchone() or (0, 0)
        return int(memories), int(events)


def encryption_by(key: StoreKey | None) -> str:
    """Returns the name of the encryption of a copy with a key."""
    return "off" if key is None else SCHEME_SHOWN


def _busy(path: Path) -> StoreBusy:
    return StoreBusy(
        f"{path} is in use",
        code="store_busy",
        hint="stop every program that uses it, such as `holdfast serve`, then restore again",
    )


def backup_key(settings: Settings) -> StoreKey | None:
    """Returns the key of new backups, made if it is missing; None if they have that of their store."""
    if settings.backup_key_file is None:
        return None
    path = Path(settings.backup_key_file)
    return read_key_file(path) if path.exists() else new_key_file(path)


def _key_of_copy(settings: Settings, copy: Path) -> StoreKey | None:
    """Returns the key that opens a copy: that of backups, or that of the store, which it was made of or is to
    be. Raises StoreError `key_missing`."""
    form = form_of(copy)
    if form is Form.PLAIN:
        return None
    if form is not Form.SEALED:
        return key_of(settings)
    file = settings.backup_key_file
    keys = [read_key_file(Path(file))] if file is not None and Path(file).exists() else []
    for key in (*keys, key_of(settings)):
        if key is not None and opens(copy, key):
            return key
    raise StoreError(
        "the backup is encrypted, and no key that was given opens it",
        code="key_missing",
        hint="set HOLDFAST_BACKUP_KEY_FILE to its key file, or HOLDFAST_KEY_FILE to that of its store",
    )


def _copy(path: Path, target: Path, key: StoreKey | None, new: StoreKey | None) -> None:
    """Copies a database into an empty file, in one read transaction, and syncs the copy: by SQLite's backup,
    or row by row if it gets another key."""
    is_same = (key and key.secret) == (new and new.secret)
    source = connect(path, writable=False, key=key, addresses=not is_same)
    try:
        if not is_same:
            fill(source, target, new)
        copy = connect(target, writable=True, key=new)
        try:
            if is_same:
                with copy.backup("main", source, "main") as step:
                    step.step(-1)
            else:
                copy.pragma("journal_mode", "wal")
        finally:
            copy.close()
    finally:
        source.close()
    _sync(target)


def _sync(path: Path) -> None:
    """Makes a file and its entry in the folder durable."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    sync_folder(path.parent)


@contextmanager
def _reading(path: Path, key: StoreKey | None) -> Iterator[apsw.Connection]:
    with translated(path), closing(connect(path, writable=False, key=key)) as connection:
        yield connection


def _dicts(connection: apsw.Connection, name: str) -> list[dict[str, Any]]:
    cursor = connection.execute(statements("reading.sql")[name])
    return [dict(zip((column for column, _ in cursor.get_description()), row, strict=True)) for row in cursor]


def _registers(connection: apsw.Connection) -> list[Event]:
    """Returns the events of the registers of the tenant, such as policies and holds, in their order."""
    events = [
        event_of(row)
        for name in REGISTERS
        for row in connection.execute(statements("reading.sql")["events_of"], {"id": name})
    ]
    return sorted(events, key=attrgetter("sequence"))


def _holds_event(connection: apsw.Connection, head: Head) -> bool:
    """Returns whether the history of a store goes on from an event: what it lacks then was erased."""
    statement = statements("reading.sql")["hash_of_event"]
    return head == Head() or connection.execute(statement, {"sequence": head.sequence}).get == head.hash


T = TypeVar("T")


def _grouped(rows: Iterable[tuple[str, T]]) -> dict[str, list[T]]:
    groups: dict[str, list[T]] = {}
    for owner, row in rows:
        groups.setdefault(owner, []).append(row)
    return groups


def _named_rows(connection: apsw.Connection, label: str) -> set[tuple[str, str]]:
    return {(owner, id) for owner, id in connection.execute(statements("converting.sql")[label])}


def _projects(connection: apsw.Connection) -> dict[str, str | None]:
    return dict(connection.execute(statements("converting.sql")["named_projects"]))


def _left_projects(was: dict[str, str | None], here: dict[str, str | None]) -> dict[str, bool]:
    """Returns the projects that were purged since, and (false) of those that belong to nobody since."""
    return {id: id not in here for id, owner in was.items() if id not in here or (owner and not here[id])}


def _redacted(connection: apsw.Connection) -> list[tuple[str, tuple[str, int]]]:
    rows = connection.execute(statements("converting.sql")["redacted"])
    return [(owner, (id, version)) for owner, id, version in rows]


def _cleaned(connection: apsw.Connection) -> list[tuple[str, tuple[str, int, bool]]]:
    rows = connection.execute(statements("converting.sql")["cleaned"])
    return [(owner, (id, version, bool(personal))) for owner, id, version, personal in rows]


def _close_log(path: Path, key: StoreKey | None) -> None:
    """Brings the write-ahead log into the file and removes it: beside another file it would destroy that.
    Raises StoreBusy while somebody reads the file, such as a backup: what is in the log would be lost if this
    process were killed next."""
    is_read = False
    if path.exists():
        with suppress(apsw.Error, HoldfastError):  # a damaged file is replaced all the same
            connection = connect(path, writable=True, key=key)
            try:
                connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
                connection.pragma("journal_mode", "delete")
            except (apsw.BusyError, apsw.LockedError):
                is_read = is_logged(path)
            finally:
                connection.close()
    if is_read:
        raise _busy(path)
    for ending in ("-wal", "-shm", "-journal"):
        sibling(path, ending).unlink(missing_ok=True)


def _content(path: Path) -> bytes | None:
    try:
        return read_beside(path)
    except FileNotFoundError:
        return None


def _write(path: Path, content: bytes) -> None:
    """Writes a file as a whole and puts it in the place of the old one."""
    fresh = sibling(path, ".new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with open(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(descriptor)
    os.replace(fresh, path)


def _create(path: Path) -> None:
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW, 0o600))


def _failed(path: Path, error: OSError) -> StoreError:
    """Returns the error for a file that could not be written, with the reason that the system gives."""
    return StoreError(
        f"{path} could not be written: {error.strerror or type(error).__name__}",
        code="store_io",
        hint="check the folder and the space on its disk, then run it again; the store is as it was",
    )
