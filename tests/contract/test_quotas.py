"""Quotas: what would exceed one is refused as a whole, and nothing else is."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holdfast import HoldfastError, Memory
from holdfast.bootstrap import open_service
from holdfast.config import load
from holdfast.core.storage import Quotas
from holdfast.core.views import personal_view
from holdfast.features.access.quota_store import QuotaStore
from holdfast.stores.base.ports import Store
from tests.support import memory_on, service_on, texts

NOTE = "The till of the {} shop is emptied at noon"
NAMES = ("north", "south", "east", "west", "harbour", "station")


def bounded(store: Store, quotas: Quotas, **who: Any) -> Memory:
    """Memory with quotas, by default Ana's."""
    return Memory.over(replace(service_on(QuotaStore(store, quotas), **who), quotas=quotas))


def refused(memory: Memory, text: str, **options: object) -> HoldfastError:
    with pytest.raises(HoldfastError) as raised:
        memory.remember(text, **options)  # type: ignore[arg-type]
    assert raised.value.code == "quota_exceeded"
    return raised.value


def stored_size(memory: Memory) -> tuple[int, int]:
    storage = memory.stats().storage
    assert storage is not None
    return storage.versions, storage.bytes


def test_what_is_full_can_be_read_forgotten_and_erased(store: Store) -> None:
    memory = bounded(store, Quotas(3))
    first = memory.remember(NOTE.format("north")).memory
    assert first is not None
    memory.revise(first.id, text=NOTE.format("south"))
    memory.remember(NOTE.format("harbour"))
    error = refused(memory, NOTE.format("station"))
    assert "3 versions" in error.message
    assert "quota_memories" in str(error.hint)
    assert texts(memory.list()) == [NOTE.format("harbour"), NOTE.format("south")]
    assert texts(memory.recall("till of the harbour shop"))[0] == NOTE.format("harbour")
    with pytest.raises(HoldfastError):
        memory.revise(first.id, text=NOTE.format("west"))
    assert memory.get(first.id).text == NOTE.format("south")
    memory.pin(first.id)
    memory.forget(first.id)
    refused(memory, NOTE.format("station"))  # it can still be restored
    memory.restore(first.id)
    assert NOTE.format("south") in "".join(memory.export())
    memory.forget(first.id, hard=True)
    memory.remember(NOTE.format("station"))
    assert stored_size(memory)[0] == 2
    assert store.check(thorough=True) == []


def test_a_batch_is_kept_as_a_whole_or_not_at_all(store: Store) -> None:
    memory = bounded(store, Quotas(4))
    memory.remember(NOTE.format("north"))
    messages = [{"role": "user", "content": NOTE.format(name)} for name in NAMES[1:5]]
    with pytest.raises(HoldfastError) as raised:
        memory.add_messages(messages, session="chat")
    assert raised.value.code == "quota_exceeded"
    assert stored_size(memory)[0] == 1
    memory.add_messages(messages[:3], session="chat")
    assert stored_size(memory)[0] == 4


def test_each_user_has_a_share_and_all_together_a_limit(store: Store) -> None:
    ana = bounded(store, Quotas(2, store_versions=3))
    ben = ana.as_user("ben")
    for memory, names in ((ana, NAMES[:2]), (ben, NAMES[2:3])):
        for name in names:
            memory.remember(NOTE.format(name), visibility="team")
    refused(ana, NOTE.format("west"))  # her own, and Ben's are not counted
    assert "this store may keep 3" in refused(ben, NOTE.format("west")).message
    ana.forget(ana.list(owner="ana").memories[0].id, hard=True)
    ben.remember(NOTE.format("west"))
    with store.read() as snap:
        total = snap.storage_of_all(personal_view(ana._service.principal))
    assert (total.versions, total.users, total.most_versions) == (3, 2, 2)


def test_bytes_count_with_metadata(store: Store) -> None:
    memory = memory_on(store)
    memory.remember("Zwölf Gläser", metadata={"shelf": "β"})
    assert stored_size(memory) == (1, len("Zwölf Gläser".encode()) + len('{"shelf":"β"}'.encode()))
    small = bounded(store, Quotas(bytes=60))
    refused(small, NOTE.format("north"))
    small.remember("Six cups")
    small.delete_all("ana")
    assert stored_size(small) == (0, 0)
    assert store.check(thorough=True) == []


def test_redacting_goes_on_where_everything_is_full(store: Store) -> None:
    plain = "The door opens with the word swordfish since Monday"
    roomy = memory_on(store, user="ana")
    stored = roomy.remember(plain).memory
    assert stored is not None
    full = bounded(store, Quotas(1, bytes=len(plain)))
    full.forget(stored.id)
    full.redact(stored.id, 1)
    assert stored_size(full)[0] == 1
    assert store.check(thorough=True) == []


def test_what_all_users_keep_is_for_owners_and_admins(store: Store) -> None:
    ana, ben = memory_on(store, user="ana"), memory_on(store, user="ben", role="member")
    ana.remember("One")
    ben.remember("Two")
    alone = ana.stats().storage
    assert alone is not None
    assert alone.store is None  # nothing bounds them together
    whole = bounded(store, Quotas(store_versions=9)).stats().storage
    assert whole is not None
    assert whole.store is not None
    assert (whole.versions, whole.store.versions, whole.store.quota_memories) == (1, 2, 9)
    own = bounded(store, Quotas(store_versions=9), role="member", user="ben").stats().storage
    assert own is not None
    assert (own.versions, own.store) == (1, None)


def test_settings_name_the_quotas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"MEMORIES": 5, "MB": 2, "STORE_MEMORIES": 7, "STORE_MB": 3}.items():
        monkeypatch.setenv(f"HOLDFAST_QUOTA_{name}", str(value))
    service = open_service(load(store=tmp_path / "a.db", user="ana"))
    assert service.quotas == Quotas(5, 2_000_000, 7, 3_000_000)
    storage = Memory.over(service).stats().storage
    assert storage is not None
    assert (storage.quota_memories, storage.quota_bytes) == (5, 2_000_000)
    assert storage.store is not None
    assert (storage.store.quota_memories, storage.store.quota_bytes) == (7, 3_000_000)
    service.store.close()


def test_users_of_a_program_who_share_nothing_do_not_learn_what_others_keep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_QUOTA_STORE_MEMORIES", "7")
    for sharing in ("off", "auto"):
        monkeypatch.setenv("HOLDFAST_SHARING", sharing)
        service = open_service(load(store=tmp_path / f"{sharing}.db", user="ana"))
        storage = Memory.over(service).as_user("ben").stats().storage
        assert storage is not None
        assert (storage.store is None) == (sharing == "off")
        service.store.close()


def test_of_writers_at_once_only_as_many_as_fit_are_told_that_it_is_kept(store: Store) -> None:
    memory = bounded(store, Quotas(3))

    def keep(name: str) -> str:
        try:
            return memory.remember(NOTE.format(name)).outcome.value
        except HoldfastError as error:
            return error.code

    with ThreadPoolExecutor(len(NAMES)) as pool:
        told = sorted(pool.map(keep, NAMES))
    assert told == ["created"] * 3 + ["quota_exceeded"] * 3
    assert stored_size(memory)[0] == 3
