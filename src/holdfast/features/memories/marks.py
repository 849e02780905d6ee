"""Marks: tombstones of external ids, by keys that an export takes along so that another store can check them.

A mark tells which message, document or note was forgotten, to those who have its id and the key; it says
nothing of a text. Ids that a reader may have made from a text have no marks.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Iterator

from holdfast.core.kinds import KINDS
from holdfast.core.record import Memory
from holdfast.core.views import View
from holdfast.features.service import Service
from holdfast.stores.base.ports import Reader

MARK = "id:"
"""How a mark begins among the tombstones of a user."""
_KEY = "key:"
"""How the key of another store begins there; it is masked by the key of this one."""
KEYS_MAX = 32
"""Maximum number of stores from which a user takes marks: each costs a digest of each text that enters."""
MARKS_MAX = 1_000
"""Maximum number of marks of each sort in a record."""
SHAPE = re.compile(r"id:[0-9a-f]{64}", re.ASCII)
"""The shape of a mark."""
_SALT = 16
_DERIVED = re.compile(r"[0-9a-f]{32}", re.ASCII)
"""The shape of the ids that readers of exports make themselves, some of them from a text (`stable_id`)."""


def mark_of(key: bytes, memory: Memory, purged: str | None = None) -> str | None:
    """Returns the mark of a memory, None for one without an id of its own. What belongs to a conversation is
    known in it, whatever project the conversation is in; everything else in its place, by the name of the
    project. `purged` is the project that it went with."""
    id, place = memory.external_id, memory.place
    if id is None or _DERIVED.fullmatch(id):
        return None
    where: list[str | None] = ["session", memory.session]
    if memory.session is None or not KINDS[memory.kind].is_evidence:
        scope = place.scope
        where = ["place", memory.project, place.workspace, scope.type, scope.id, place.branch]
    content = json.dumps([memory.kind, purged, *where, id]).encode()
    return MARK + hmac.digest(key, content, "sha256").hex()


def own_key(service: Service) -> bytes:
    """Returns the key of the marks that this store makes for the user. Other digests have another one, which
    no export contains."""
    return hmac.digest(service.store.digest_key, f"marks\n{service.principal.user}".encode(), "sha256")


def taken_keys(service: Service, reader: Reader, view: View) -> list[bytes]:
    """Returns the keys of other stores whose marks the user took."""
    keys = (_unmasked(service, row) for row, _ in reader.buried(view, _KEY, after="", limit=KEYS_MAX))
    return [key for key in keys if key is not None]


def masked(service: Service, key: bytes) -> str:
    """Returns the tombstone that holds a key of another store; it says nothing without the key of this
    one."""
    salt = hashlib.sha256(key).digest()[:_SALT]
    return _KEY + (salt + _mixed(service, salt, key)).hex()


def all_marks(reader: Reader, view: View) -> Iterator[list[tuple[str, bool]]]:
    """Yields all marks of the user in pages, each with whether a person forgot."""
    after = ""
    while page := reader.buried(view, MARK, after=after, limit=MARKS_MAX):
        yield page
        after = page[-1][0]


def _unmasked(service: Service, row: str) -> bytes | None:
    content = bytes.fromhex(row.removeprefix(_KEY))
    salt = content[:_SALT]
    key = _mixed(service, salt, content[_SALT:])
    return key if hashlib.sha256(key).digest()[:_SALT] == salt else None


def _mixed(service: Service, salt: bytes, key: bytes) -> bytes:
    pad = hmac.digest(service.store.digest_key, b"masked\n" + salt, "sha256")
    return bytes(one ^ other for one, other in zip(key, pad, strict=True))
