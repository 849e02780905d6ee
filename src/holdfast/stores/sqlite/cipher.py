"""The key of an encrypted store: reading it, checking which files need one, and the errors."""

from __future__ import annotations

import os
import stat
from dataclasses import field
from enum import Enum
from pathlib import Path

from holdfast.core.errors import InvalidInput, StoreError
from holdfast.core.value_classes import value_class

SCHEME = "chacha20"
"""SQLite3 Multiple Ciphers' name for ChaCha20-Poly1305: every page with a random nonce and a tag that also
binds its number (S4.55)."""
SCHEME_SHOWN = "ChaCha20-Poly1305"
KEY_BYTES = 32

_PLAIN = b"SQLite format 3\0"
_HEADER = 24
_SIZES = slice(20, 24)
_SEALED_SIZES = b"\x20\x40\x20\x20"
"""What is readable in the first page of an encrypted file: 32 bytes at the end of each page are the
cipher's, then three constants of every SQLite file."""


@value_class
class StoreKey:
    """A key of 256 random bits, and a description of its source. Its bytes are in no `repr`."""

    secret: bytes = field(repr=False)
    source: str

    def __post_init__(self) -> None:
        if not isinstance(self.secret, bytes) or len(self.secret) != KEY_BYTES:
            raise InvalidInput(
                f"the key from {self.source} is not one of {KEY_BYTES} bytes",
                code="key_unusable",
                hint=f"{KEY_BYTES} random bytes, or the same as {2 * KEY_BYTES} hexadecimal digits",
            )

    @classmethod
    def new(cls, source: str) -> StoreKey:
        """Returns a new random key."""
        return cls(os.urandom(KEY_BYTES), source)

    @classmethod
    def from_text(cls, text: str, source: str) -> StoreKey:
        """Returns a key from its hexadecimal digits. Raises InvalidInput `key_unusable`, which does not
        quote it.
        """
        secret, text = _secret_of(text), ""  # reports of errors may show the variables of each frame
        return cls(secret, source)

    @property
    def text(self) -> str:
        """Returns its hexadecimal digits, for storage."""
        return self.secret.hex()


class Form(Enum):
    """The kind of a file by its first bytes."""

    NEW = "new"
    """Absent or empty."""
    PLAIN = "plain"
    SEALED = "sealed"
    OTHER = "other"


def form_of(path: Path) -> Form:
    """Returns the form of a store's file, without its key. An unreadable file is `OTHER`."""
    import apsw

    if not path.exists() or not path.stat().st_size:
        return Form.NEW
    try:
        # by SQLite: a process that closes a file of its own on a database lets go of all locks it has on it
        file = apsw.VFSFile("unix", str(path), [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0])
        try:
            header = file.xRead(_HEADER, 0)
        finally:
            file.xClose()
    except apsw.Error:
        return Form.OTHER
    if header.startswith(_PLAIN):
        return Form.PLAIN
    return Form.SEALED if header[_SIZES] == _SEALED_SIZES else Form.OTHER


def check_form(path: Path, key: StoreKey | None) -> None:
    """Raises StoreError `key_missing` for an encrypted store without a key, `store_not_encrypted` for a
    plain one with a key. The store is not touched.
    """
    form = form_of(path)
    if form is Form.SEALED and key is None:
        raise StoreError(
            f"{path} is encrypted and no key was given",
            code="key_missing",
            hint="set HOLDFAST_KEY_FILE or HOLDFAST_KEY, or install 'holdfast[keychain]' if the key is there",
        )
    if form is Form.PLAIN and key is not None:
        raise StoreError(
            f"{path} is not encrypted, and a key is set ({key.source})",
            code="store_not_encrypted",
            hint="`holdfast encrypt` encrypts it; without a key it is used as it is",
        )


def wrong_key(path: Path) -> StoreError:
    """Returns the error for a key that does not open a store."""
    return StoreError(
        f"the key does not open {path}, or its first page is damaged",
        code="key_wrong",
        hint="use the key with which it was encrypted; nobody can read it without",
    )


def read_key_file(path: Path, *, is_sealed: bool = False) -> StoreKey:
    """Returns the key in a file that only its owner can read: 32 bytes, or their hexadecimal digits. For a
    store that `is_sealed` already, the error does not suggest creating another key.

    Raises StoreError `key_missing` if there is none, InvalidInput `key_unusable` if others may read it.
    """
    source = f"the key file {path}"
    try:
        # without waiting for the writer of a pipe
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            content = file.read(4 * KEY_BYTES)
    except FileNotFoundError:
        raise StoreError(
            f"there is no key file {path}", code="key_missing",
            hint="the store is encrypted: nothing but the key it was encrypted with opens it; check the path"
            " in HOLDFAST_KEY_FILE, or bring the file back from its copy"
            if is_sealed else f"`holdfast encrypt --key-file {path}` makes one and encrypts the store",
        ) from None  # fmt: skip
    except OSError as error:
        raise InvalidInput(
            f"{source} cannot be read: {error.strerror}", code="key_unusable", hint="check its permissions"
        ) from error
    if not stat.S_ISREG(mode) or mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise InvalidInput(
            f"{source} may be used by others than its owner", code="key_unusable", hint=f"chmod 600 {path}"
        )
    if len(content) != KEY_BYTES:
        content = _secret_of(content.decode("ascii", "replace"))
    return StoreKey(content, source)


def _secret_of(text: str) -> bytes:
    """Returns the key with these hexadecimal digits; empty if they are invalid."""
    try:
        secret = bytes.fromhex(text.strip())
    except ValueError:
        return b""
    return secret if len(secret) == KEY_BYTES else b""


def new_key_file(path: Path) -> StoreKey:
    """Creates a key and stores it in a new file, durably, for its owner only. Raises InvalidInput."""
    key = StoreKey.new(f"the key file {path}")
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "w", encoding="ascii") as file:
            file.write(key.text + "\n")
            file.flush()
            os.fsync(file.fileno())
        sync_folder(path.parent)
    except OSError as error:
        raise InvalidInput(
            f"the key file {path} cannot be made: {error.strerror}", code="key_unusable",
            hint="name a file that does not exist, in a folder that you may write",
        ) from error  # fmt: skip
    return key


def sync_folder(folder: Path) -> None:
    """Makes what was renamed in a folder durable. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
