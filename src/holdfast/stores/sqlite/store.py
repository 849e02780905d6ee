"""The SQLite store: opening, snapshots, transactions, checking, scrubbing, closing."""

from __future__ import annotations

import logging
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property, partial
from pathlib import Path

import apsw

from holdfast.core.errors import Damaged, StoreError
from holdfast.core.events import Head
from holdfast.stores.base.derived import Derive
from holdfast.stores.base.ports import Reader, Writer
from holdfast.stores.index.segments import Index
from holdfast.stores.sql.reader import Models
from holdfast.stores.sqlite.alone import alone_in
from holdfast.stores.sqlite.blocks import DUE, are_due, write_blocks
from holdfast.stores.sqlite.check import explained, problems
from holdfast.stores.sqlite.cipher import SCHEME_SHOWN, StoreKey, check_form
from holdfast.stores.sqlite.connection import (
    BUSY_TIMEOUT,
    begin,
    cannot_open,
    connect,
    damaged,
    full,
    read_only,
    translated,
    turn,
)
from holdfast.stores.sqlite.digest_key import digest_key, key_problems
from holdfast.stores.sqlite.head import HeadFile, history_lost
from holdfast.stores.sqlite.leftovers import settle
from holdfast.stores.sqlite.migrate import migrate
from holdfast.stores.sqlite.opening import is_logged, open_reader, open_writer_if_room, shut
from holdfast.stores.sqlite.reader import SqliteReader
from holdfast.stores.sqlite.rebuilding import rebuild_file
from holdfast.stores.sqlite.replays import ReplayFile
from holdfast.stores.sqlite.safe_files import check_beside
from holdfast.stores.sqlite.seals import Seals, seal_all
from holdfast.stores.sqlite.sql import statements
from holdfast.stores.sqlite.writer import SqliteWriter

CACHE_BYTES = 512 * 1024 * 1024
"""What the index segments of one process may hold."""
SCRUB_TIMEOUT = 2_000
"""Milliseconds to wait for readers until the write-ahead log can be emptied."""
ALONE_TIMEOUT = 2.0
"""Seconds for which a writer waits for readers that keep other processes out."""
FREE_MIN, FREE_MAX, FREE_SHARE = 1_000_000, 100_000_000, 0.25
"""Free bytes below which a file is never compacted, above which it always is, and the share in between."""

log = logging.getLogger("holdfast")


class SqliteStore:
    """One tenant in one file. Any number of threads and processes may have it open.

    Opening checks the header, the schema version and the end of the event chain, and after an unclean end
    the whole file (GATES). Where the disk has no room for the index of the write-ahead log, and no other
    process has made one, the store is read only, by one process at a time, until a write finds room. Raises
    StoreError or Damaged.
    """

    def __init__(
        self,
        path: Path,
        *,
        vfs: str | None = None,
        cache_bytes: int = CACHE_BYTES,
        key: StoreKey | None = None,
        before_migration: Callable[[], None] = lambda: None,
    ) -> None:
        # a link and what it leads to are one store: its keys, its head and its log are in one place
        self.path = path = Path(os.path.realpath(path))
        self._key = key
        self._index = Index(cache_bytes)
        self._models: Models = {}
        self.replays = ReplayFile(Path(f"{path}.replays"), key)
        self._write_lock = threading.RLock()
        self._free: list[apsw.Connection] = []
        self._closed = False
        self._scrub_due = False
        self._blocks_later = 0
        """Writes until it is looked again whether blocks are due."""
        self._lost: Damaged | None = None
        if path.is_dir() or not path.parent.is_dir():
            raise cannot_open(path)
        check_beside(path)
        check_form(path, key)
        self._open_writer = partial(open_writer_if_room, path, vfs=vfs, key=key)
        self._open_reader = partial(open_reader, path, vfs=vfs, key=key)
        self._explained = partial(explained, path, partial(connect, path, writable=False, vfs=vfs, key=key))
        if not path.exists():
            self._create()
        self._read_only = not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))
        # before any connection: the log of a file that was replaced is deleted by the last one to close it
        self._head = HeadFile(Path(f"{path}.head"), writable=not self._read_only)
        self._alone, self._writer = alone_in(path), None
        self._finalizer = weakref.finalize(self, shut, self._free, None, self._head)
        try:
            self._file_identity = self._file()
            has_log = is_logged(path)
            with self._alone.changed:
                may_write = not (self._read_only or self._alone.readers)
                self._writer = self._open_writer() if may_write else None
                self._has_room = self._read_only or self._writer is not None
                if self._writer is None:
                    self._open_reader(alone=not self._has_room).close()
            self._finalizer.detach()
            self._finalizer = weakref.finalize(self, shut, self._free, self._writer, self._head)
            self._head.create()  # only now is it known to be one of ours, which may have files next to it
            self._check_open()
            if self._head.is_alone and not self._read_only:
                settle(path)
            if self._writer is not None:
                with self._explained():
                    migrate(self._writer, path, before_migration)
                    self._seals = Seals(self._writer)
                    self._scrub_due = self._is_unscrubbed(self._writer)
            if not self._has_room:
                log.warning("the disk of %s is full: it is read by one process at a time", path)
            self._lost = self._find_loss()
            if has_log and self._head.is_alone:
                self._recover()
        except BaseException:
            self._scrub_due = False  # a file that is not understood is left alone
            self.close()
            raise

    @property
    def location(self) -> str:
        return str(self.path)

    @property
    def encryption(self) -> str | None:
        return None if self._key is None else f"{SCHEME_SHOWN}, key from {self._key.source}"

    @cached_property
    def digest_key(self) -> bytes:
        return digest_key(Path(f"{self.path}.secret"))

    @property
    def reads(self) -> None:
        return None

    @property
    def lost(self) -> Damaged | None:
        return self._lost

    @contextmanager
    def read(self) -> Iterator[Reader]:
        self._check_open()
        with self._explained():
            connection = self._reader()
            try:
                connection.execute("BEGIN")
                yield SqliteReader(connection, self._index, self._models, self._head)
            finally:
                with suppress(apsw.Error):
                    connection.execute("ROLLBACK")
                self._put_back(connection)

    @contextmanager
    def write(self, *, patience: int | None = None) -> Iterator[Writer]:
        self._check_open()
        self._require_writer()
        if self._lost is not None:
            raise self._lost
        with turn(self._write_lock, self.path, patience), self._explained():
            self._check_open()
            self._scrub_if_due()
            connection = self._require_writer()
            begin(connection, patience)
            loaded: list[int] = []
            try:
                transaction = SqliteWriter(connection, self._index, self._models, self._head, self._seals)
                loaded, before = transaction.loaded, transaction.last_event
                yield transaction
                transaction.finish()
                connection.execute("COMMIT")
            except BaseException:
                with suppress(apsw.Error):
                    connection.execute("ROLLBACK")
                self._seals.undo()
                # loaded while the transaction had rows in hand that are now as they were
                self._index.drop(loaded)
                raise
            if transaction.last_event != before:
                self._note(transaction.last_event)
            self._write_blocks_if_due()

    def reindex(self) -> None:
        """Writes the blocks of the index anew, from the rows."""
        self._require_writer()
        with self._write_lock, translated(self.path):
            self._check_open()
            self._write_blocks(anew=True)

    def _write_blocks_if_due(self) -> None:
        """Writes the blocks of the index if enough has changed: after what was written is committed, so that
        it stands whatever happens to them; what they lack is read from the rows."""
        assert self._writer is not None
        self._blocks_later -= 1
        if self._blocks_later > 0:
            return
        try:
            if are_due(self._writer):
                self._write_blocks(patience=0)  # who is writing will see to it
        except (apsw.BusyError, apsw.LockedError):
            return
        except Exception as error:  # whatever damage makes of a row: what was written stands
            self._blocks_later = DUE  # not at each write
            log.warning("blocks of the index of %s were not written: %s", self.path, error)

    def _write_blocks(self, *, anew: bool = False, patience: int | None = None) -> None:
        assert self._writer is not None
        begin(self._writer, patience)
        try:
            write_blocks(self._writer, anew=anew)
            self._seals.store(self._writer)
            self._writer.execute("COMMIT")
        except BaseException:
            with suppress(apsw.Error):
                self._writer.execute("ROLLBACK")
            raise
        finally:
            self._seals.undo()

    def check(self, *, thorough: bool, derive: Derive | None = None) -> list[str]:
        messages = ([str(self._lost)] if self._lost else []) + key_problems(Path(f"{self.path}.secret"))
        with self.read() as snap:
            assert isinstance(snap, SqliteReader)
            return messages + problems(snap.connection, thorough=thorough, derive=derive)

    def compact(self) -> int:
        if self._writer is None:
            return 0
        with self._write_lock, translated(self.path):
            self._check_open()
            free, pages, size = (
                int(self._writer.pragma(name)) for name in ("freelist_count", "page_count", "page_size")
            )
            if free * size < FREE_MIN or (free * size < FREE_MAX and free < pages * FREE_SHARE):
                return 0
            self._scrub(rebuild=True)
            return (pages - int(self._writer.pragma("page_count"))) * size

    def scrub(self) -> None:
        """Rebuilds the file if something was erased since it was last rebuilt, and empties the write-ahead
        log; if a reader of another process holds it, the next write tries again.

        `secure_delete` overwrites what is deleted, but not the copies that rows leave in the free space of a
        page when they are moved to another: only rebuilding removes those.
        """
        if self._writer is not None:
            self.replays.blank()  # they may name a session or project in which nothing was kept
            self._scrub()

    def _scrub(self, *, rebuild: bool = False, again: bool = False) -> None:
        """Scrubs; `again` is another try, which waits for nobody: who copies the log would stop writes."""
        assert self._writer is not None
        with self._write_lock, translated(self.path):
            self._scrub_due = True
            # it holds up every other writer while it waits for readers
            self._writer.set_busy_timeout(0 if again else SCRUB_TIMEOUT)
            try:
                if rebuild or self._is_unscrubbed(self._writer):
                    self.replays.blank()
                    rebuild_file(self._writer)
                    self._note_scrubbed(self._writer)
                frames, _ = self._writer.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
                self._scrub_due = frames > 0
            except (apsw.BusyError, apsw.LockedError):
                pass
            finally:
                self._writer.set_busy_timeout(BUSY_TIMEOUT)
            if self._scrub_due and not again:
                log.warning("the write-ahead log is in use; erased bytes leave it with the next write")

    def accept(self) -> None:
        writer = self._require_writer()
        with self._write_lock, translated(self.path), writer:
            seal_all(writer)
            self._seals.undo()
        self._head.write(self._last_event(writer), force=True)
        self._lost = None

    def close(self) -> None:
        """Closes all connections; the last one to close empties the write-ahead log."""
        if not self._closed:
            self._scrub_if_due()
            with self._write_lock:  # what another thread is writing is finished first
                self._closed = True
                self._finalizer()

    def _scrub_if_due(self) -> None:
        """Runs a postponed scrub; if the disk is too full to rebuild the file, writing goes on."""
        if self._scrub_due and self._lost is None and self._writer is not None:
            was_erased = self._is_unscrubbed(self._writer)
            try:
                self._scrub(again=True)
            except StoreError as error:
                if was_erased:
                    log.warning("erased bytes are still in %s: %s", self.path, error)

    # opening

    def _create(self) -> None:
        try:
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
        except OSError as error:
            raise cannot_open(self.path) from error

    def _file(self) -> tuple[int, int]:
        """Returns the identity of the file at the path, which a conversion replaces."""
        try:
            state = os.stat(self.path)
        except OSError as error:
            raise cannot_open(self.path) from error
        return state.st_dev, state.st_ino

    def _find_room(self) -> bool:
        """Opens the store for writing if there is room again; called while nobody reads it alone. Returns
        whether there is."""
        if not self._has_room and (writer := self._open_writer()) is not None:
            try:
                with self._explained():
                    self._seals = Seals(writer)
                    self._scrub_due = self._scrub_due or self._is_unscrubbed(writer)
            except BaseException:
                writer.close()
                raise
            self._finalizer.detach()
            self._finalizer = weakref.finalize(self, shut, self._free, writer, self._head)
            self._writer, self._has_room = writer, True
        return self._has_room

    def _require_writer(self) -> apsw.Connection:
        """Returns the connection that writes. Raises StoreError if the store, or the disk, allows none."""
        if not self._has_room:
            with self._alone.changed:
                self._alone.changed.wait_for(lambda: not self._alone.readers, ALONE_TIMEOUT)
                if self._alone.readers or not self._find_room():
                    raise full(self.path)
        if self._writer is None:
            raise read_only(self.path)
        return self._writer

    def _reader(self) -> apsw.Connection:
        """Returns a connection that reads; on a full disk one that keeps other processes out."""
        if not self._has_room:
            with self._alone.changed:
                if self._alone.readers or not self._find_room():
                    connection = self._open_reader(alone=True)
                    self._alone.readers += 1
                    return connection
        try:
            return self._free.pop()
        except IndexError:
            return self._open_reader(alone=False)

    def _put_back(self, connection: apsw.Connection) -> None:
        """Keeps a connection for the next reader, or closes it; on a full disk that lets writers go on."""
        if not self._has_room:
            with self._alone.changed:
                connection.close()
                self._alone.readers -= 1
                self._alone.changed.notify_all()
        # a frozen connection would not notice that somebody began to write
        elif self._closed or self._read_only:
            connection.close()
        else:
            self._free.append(connection)

    def _find_loss(self) -> Damaged | None:
        """Returns an error if the file ends before the last acknowledged event; reading goes on then,
        writing does not.
        """
        acknowledged = self._head.read()
        if acknowledged.sequence == 0:
            return None
        values = {"sequence": acknowledged.sequence}
        with translated(self.path):
            connection = self._writer or self._reader()
            try:
                last = self._last_event(connection)
                there = connection.execute(statements("reading.sql")["hash_of_event"], values).get
            finally:
                if connection is not self._writer:
                    self._put_back(connection)
        return None if there == acknowledged.hash else history_lost(self.path, acknowledged, last)

    def _recover(self) -> None:
        """Recovers after an unclean end: checks the file and removes traces of an interrupted erasure."""
        with self.read() as snap:
            assert isinstance(snap, SqliteReader)
            issues = problems(snap.connection, thorough=False)
        if issues:
            raise damaged(self.path, issues[0])
        self._scrub_due = True
        self._scrub_if_due()

    def _note(self, head: Head) -> None:
        """Notes what is committed; it stands even if the note fails, which only weakens the alarm."""
        try:
            self._head.write(head)
        except OSError as error:
            log.warning("the acknowledged head of %s could not be noted: %s", self.path, error)

    def _note_scrubbed(self, connection: apsw.Connection) -> None:
        try:
            with connection:
                connection.execute(statements("writing.sql")["note_scrubbed"])
                self._seals.store(connection)
        finally:
            self._seals.undo()

    @staticmethod
    def _is_unscrubbed(connection: apsw.Connection) -> bool:
        """Returns whether something was erased since the file was last rebuilt."""
        return bool(connection.execute(statements("reading.sql")["is_unscrubbed"]).get)

    @staticmethod
    def _last_event(connection: apsw.Connection) -> Head:
        last = connection.execute(statements("reading.sql")["last_event"]).fetchone()
        return Head(*last) if last else Head()

    def _check_open(self) -> None:
        """Raises StoreError if the store was closed, or if its file was replaced or removed: what is
        written into it would be acknowledged and lost.
        """
        if self._closed:
            raise StoreError("this memory was closed", code="store_closed", hint="open it again")
        if self._file() != self._file_identity:
            raise StoreError(
                f"{self.path} was replaced while it was open", code="store_unavailable", hint="open it again"
            )
