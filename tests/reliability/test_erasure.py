"""Erasure: canaries in every field, then the search for their bytes in every file (GATES: forget --hard)."""

from __future__ import annotations

import json
import os
import random
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from holdfast.api.memory import Memory
from holdfast.core.errors import StoreError
from holdfast.stores.sqlite.store import SqliteStore
from holdfast.workers import queue_import
from tests.reliability.canaries import FIELDS, Canaries, look, plant
from tests.reliability.naming_rows import tables_naming
from tests.reliability.tampering import populate
from tests.reliability.workload import open_memory, opened, text_of
from tests.support import PATIENCE, memory_on, open_store


def surround(memory: Memory, *, first: int, count: int, sized: bool = False) -> None:
    """Memories around the canaries, so that pages split and merge."""
    rng = random.Random(first)
    for slot in range(first, first + count):
        memory.remember(
            text_of(slot, words=rng.choice((3, 12, 60, 300)) if sized else 12),
            external_id=f"x-{rng.getrandbits(64):x}",
        )


def test_s2_36_no_byte_of_an_erased_memory_is_left(tmp_path: Path) -> None:
    birds = Canaries(1)
    with opened(tmp_path / "a.db") as memory:
        surround(memory, first=100, count=20)
        id = plant(memory, birds)
        surround(memory, first=200, count=20)
        assert len(birds.found(tmp_path)) >= 10, "the search finds what is there"
        memory.forget(id, reason=f"because of {birds['reason']}")
        memory.forget(id, hard=True)
        assert birds.found(tmp_path) == [], "while the store is open"
        memory.recall(birds["text"])
    assert birds.found(tmp_path) == []


@pytest.mark.parametrize("kind", ["note", "message", "passage"])
def test_s2_36_a_long_text_leaves_no_byte(tmp_path: Path, kind: str) -> None:
    """Overflow pages, several passages and their vectors."""
    birds = Canaries(2)
    with opened(tmp_path / "a.db") as memory:
        surround(memory, first=100, count=10)
        slot = 1
        if kind == "note":
            id = plant(memory, birds, slot=slot)
            memory.revise(id, text=f"{text_of(5, words=1_500)} {birds['text']} {birds['revised']}")
        else:
            id = plant(memory, birds, kind=kind, slot=slot, long=True)
        surround(memory, first=200, count=10)
        memory.forget(id, hard=True)
        assert birds.found(tmp_path) == []
    assert birds.found(tmp_path) == []


def test_s2_36_earlier_versions_leave_no_byte(tmp_path: Path) -> None:
    birds = Canaries(3)
    with opened(tmp_path / "a.db") as memory:
        id = plant(memory, birds)
        surround(memory, first=100, count=10)
        memory.revise(id, text=f"{text_of(2)} {birds['revised']}", title=birds["revisedtitle"])
        memory.revise(id, text=text_of(3), title="nothing", tags=[], metadata={}, summary="nothing")
        assert birds.found(tmp_path)
        memory.forget(id, hard=True)
        assert birds.found(tmp_path) == []
    assert birds.found(tmp_path) == []


@pytest.mark.parametrize("which", ["old", "new"])
def test_s2_36_each_side_of_a_supersession_leaves_no_byte(tmp_path: Path, which: str) -> None:
    old, new = Canaries(4), Canaries(5)
    with opened(tmp_path / "a.db") as memory:
        first = memory.remember(f"The keeper of the lighthouse is {old['text']}", kind="fact").memory
        assert first is not None
        second = memory.remember(f"Now it is {new['text']}", kind="fact", supersedes=first.id).memory
        assert second is not None
        memory.forget((first if which == "old" else second).id, hard=True)
        gone, stays = (old, new) if which == "old" else (new, old)
        assert gone.found(tmp_path) == []
        assert stays.found(tmp_path)
    assert gone.found(tmp_path) == []


def test_s2_36_what_waited_because_of_an_erased_memory_does_not_quote_it(tmp_path: Path) -> None:
    """The reason why a memory waits for review may tell what it contradicts, but not in its words."""
    birds = Canaries(6)
    path = tmp_path / "a.db"
    with opened(path) as person:
        stored = person.remember(f"The keeper of the lighthouse is {birds['text']}", kind="fact").memory
        assert stored is not None
        person.pin(stored.id)
    with Memory(path, user="ana", agent="robot") as robot:
        robot.remember("The keeper of the lighthouse is Barnaby", kind="fact")
    with opened(path) as person:
        person.forget(stored.id, hard=True)
        assert birds.found(tmp_path) == []


def test_s0_3_a_deleted_session_leaves_no_byte(tmp_path: Path) -> None:
    birds = Canaries(7)
    with opened(tmp_path / "a.db") as memory:
        memory.sessions.create(
            birds["session"], name=birds["sessionname"], metadata={birds["key"]: birds["sessionmeta"]}
        )
        memory.add_messages(
            [
                {"role": birds["role"], "name": birds["speaker"], "content": f"{text_of(n)} {birds['text']}",
                 "id": f"{birds['external']}-{n}", "metadata": {birds["key"]: birds["value"]}}
                for n in range(40)
            ],
            session=birds["session"],
        )  # fmt: skip
        memory.add_messages([{"role": "user", "content": text_of(77)}], session="other")
        assert memory.recall(birds["text"], session=birds["session"])
        assert birds.found(tmp_path)
        assert memory.sessions.delete(birds["session"]) == 40
        assert birds.found(tmp_path) == []
    assert birds.found(tmp_path) == []


def test_s0_30_a_purged_project_leaves_no_byte(tmp_path: Path) -> None:
    """Of anybody: memories, private conversations, entities, facts, settings, folders, maps, imports that
    wait, deliveries, and the name of the project itself."""
    birds, store = Canaries(13), tmp_path / "store"
    store.mkdir()
    project = f"shop {birds['scope']}"
    code = tmp_path / "code"
    code.mkdir()
    (code / "package.json").write_text(json.dumps({"name": "shop", "description": birds["value"]}))
    (code / "till.py").write_text(f"def {birds['text']}():\n    return '{birds['text']}'\n")
    with opened(store / "a.db") as memory, memory.as_user("ben") as ben:
        surround(memory, first=100, count=10)
        memory.projects.create(project, description=birds["title"], notes=birds["summary"])
        for one, where in ((memory, "private"), (ben, "project")):
            stored = one.remember(
                f"The {birds['text']} is broken", project=project, visibility=where, title=birds["title"],
                tags=[birds["tag"]], metadata={birds["key"]: birds["value"]},
                external_id=birds["external"], branch=birds["branch"], workspace=birds["speaker"],
            ).memory  # fmt: skip
            assert stored is not None
            one.revise(stored.id, text=f"The {birds['revised']} is broken", title=birds["revisedtitle"])
            one.add_messages(
                [{"role": "user", "content": f"I love {birds['value']}", "id": birds["external"]}],
                session=birds["session"], project=project,
            )  # fmt: skip
            one.sessions.update(birds["session"], name=birds["sessionname"])
            ada = one.entities.create(f"Ada {birds['role']}", project=project).memory
            assert ada is not None
            one.entities.observe(ada.id, [f"Ada has a {birds['evidence']}"])
            one.context(birds["text"], project=project, session=birds["session"])
        memory.maps.scan(code, project=project)
        memory.folders.index(memory.folders.add(code, project=project).id)
        line = json.dumps({"role": "user", "content": birds["text"], "session": birds["reason"]})
        queue_import(memory._service, line.encode(), project=project)
        assert len({place.split()[0] for place in birds.found(store)}) == len(FIELDS) - 1
        purged = memory.projects.purge(project)
        assert (purged.sessions, purged.folders) == (2, 1)
        assert birds.found(store) == []
    assert birds.found(store) == []


def test_s2_36_an_erased_entity_leaves_no_byte_in_what_spoke_of_it(tmp_path: Path) -> None:
    """Its name stands in relations and observations of others, too, and they go with it."""
    birds = Canaries(12)
    path = tmp_path / "a.db"
    name = f"{birds['title']} {birds['speaker']}"
    with opened(path) as memory:
        surround(memory, first=100, count=10)
        memory.entities.create(name, birds["role"], notes=birds["text"], visibility="team")
        memory.entities.create("Acme", "organization", visibility="team")
        memory.entities.observe(
            name, [f"{text_of(1)} {birds['summary']}"], evidence={"by": birds["evidence"]}
        )
        memory.entities.relate(name, birds["scope"], "Acme")
        memory.entities.relate("Acme", f"has {birds['branch']}", name)
        surround(memory, first=200, count=10)
        with Memory(path, user="ben") as other:
            other.entities.observe(name, [f"{text_of(2)} {birds['reason']}"])
            other.entities.relate("Acme", birds["external"], name)
            other.recall(name)
        memory.entities.create(name, birds["role"], notes=birds["revised"])
        assert memory.recall(f"{birds['summary']} {name}", mode="words")
        assert len(birds.found(tmp_path)) >= 10
        memory.entities.delete(name, hard=True)
        assert birds.found(tmp_path) == []
        assert [entity.name for entity in memory.entities.list().entities] == ["Acme"]
        assert memory.doctor().healthy
    assert birds.found(tmp_path) == []


@pytest.mark.parametrize("seed", range(3))
def test_s2_36_page_splits_and_moves_leave_no_copies(tmp_path: Path, seed: int) -> None:
    """Rows that were moved between pages as others came and went; the whole lot is erased in any order."""
    rng = random.Random(seed)
    flocks = [Canaries(1_000 + 100 * seed + n) for n in range(25)]
    with opened(tmp_path / "a.db") as memory:
        surround(memory, first=10_000, count=15, sized=True)
        ids = []
        for number, birds in enumerate(flocks):
            ids.append(plant(memory, birds, slot=number, kind=rng.choice(("note", "message"))))
            surround(memory, first=20_000 + 50 * number, count=rng.randrange(6), sized=True)
        for number in rng.sample(range(25), 12):
            if memory.get(ids[number]).kind == "note":
                memory.revise(
                    ids[number],
                    text=f"{text_of(number, 5, words=rng.choice((2, 90)))} {flocks[number]['text']}",
                )
        for number in rng.sample(range(25), 25):
            memory.forget(ids[number], hard=True)
            surround(memory, first=40_000 + 50 * number, count=rng.randrange(3), sized=True)
            assert flocks[number].found(tmp_path) == []
    assert [place for birds in flocks for place in birds.found(tmp_path)] == []


def test_s2_36_the_file_is_rebuilt(tmp_path: Path) -> None:
    """Rows that were moved leave copies in the free space of pages, about one in several thousand, which
    overwriting what is deleted does not reach: nothing but a file without free space is sure."""
    path = tmp_path / "a.db"
    with opened(path) as memory:
        surround(memory, first=100, count=5)
        text = text_of(1, words=60_000)
        result = memory.add_messages([{"role": "user", "content": text}], session="s")
        assert result[0].memory is not None
        memory.forget(result[0].memory.id, hard=True)
        assert path.stat().st_size < len(text)
        assert memory.doctor().healthy


def test_s2_36_writing_goes_on_where_the_file_cannot_be_rebuilt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The eraser is told that bytes are left; others are not held up, and the next opening completes it."""
    birds = Canaries(11)
    path = tmp_path / "a.db"
    with opened(path) as memory:
        id = plant(memory, birds)
        long = memory.add_messages([{"role": "user", "content": text_of(1, words=60_000)}], session="s")
        assert long[0].memory is not None
        with monkeypatch.context() as patched:
            full = StoreError("no room to rebuild the file", code="store_full")

            def fail(_: SqliteStore, again: bool = False) -> None:
                memory._service.store._scrub_due = True  # type: ignore[attr-defined]
                raise full

            patched.setattr(SqliteStore, "_scrub", fail)
            for erased in (id, long[0].memory.id):
                with pytest.raises(StoreError):
                    memory.forget(erased, hard=True)
            assert memory.remember(text_of(7)).memory is not None
            assert "still in" in caplog.text
            memory.close()
    with opened(path) as memory:
        memory.remember(text_of(8))
        assert birds.found(tmp_path) == []
        assert path.stat().st_size < len(long[0].memory.text)


def test_s2_36_erased_while_another_process_has_the_store_open(tmp_path: Path) -> None:
    """The other process has read the memory and holds it in its caches; its connections stay open."""
    birds = Canaries(8)
    path = tmp_path / "a.db"
    with opened(path) as memory:
        id = plant(memory, birds)
        seen_read, seen_write = os.pipe()
        go_read, go_write = os.pipe()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                other = open_memory(path)
                look(other, birds, branch=birds["branch"])
                os.write(seen_write, b"1")
                os.read(go_read, 1)
                status = 0 if not other.recall(birds["text"], branch=birds["branch"], mode="words") else 2
                other.close()
            finally:
                os._exit(status)
        os.read(seen_read, 1)
        memory.forget(id, hard=True)
        assert birds.found(tmp_path) == [], "both have it open"
        os.write(go_write, b"1")
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 0
        assert birds.found(tmp_path) == []
        for end in (seen_read, seen_write, go_read, go_write):
            os.close(end)
    assert birds.found(tmp_path) == []


def test_s2_36_erased_while_a_reader_holds_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The bytes leave the log as soon as the reader lets go: with the next write, or on closing."""
    birds = Canaries(9)
    monkeypatch.setattr("holdfast.stores.sqlite.store.SCRUB_TIMEOUT", 50)
    with opened(tmp_path / "a.db") as memory:
        id = plant(memory, birds)
        store = memory._service.store
        holding, release = threading.Event(), threading.Event()

        def hold() -> None:
            with store.read():
                holding.set()
                release.wait(PATIENCE)

        reader = threading.Thread(target=hold)
        reader.start()
        holding.wait(PATIENCE)
        memory.forget(id, hard=True)
        assert "in use" in caplog.text
        monkeypatch.setattr("holdfast.stores.sqlite.store.SCRUB_TIMEOUT", 600_000)
        assert memory.remember(text_of(499)).memory is not None, "who writes does not wait for the reader"
        release.set()
        reader.join()
        memory.remember(text_of(500))
        assert birds.found(tmp_path) == []


@pytest.mark.parametrize("moment", ["before", "after"])
def test_s2_36_an_erasure_that_was_killed_is_completed_at_the_next_opening(
    tmp_path: Path, moment: str
) -> None:
    """Killed between COMMIT and the emptying of the log: the next opening empties it."""
    birds = Canaries(10)
    path = tmp_path / "a.db"
    with opened(path) as memory:
        id = plant(memory, birds)
    child = os.fork()
    if child == 0:
        scrub = SqliteStore.scrub

        def dying(store: SqliteStore) -> None:
            if moment == "after":
                scrub(store)
            os.kill(os.getpid(), signal.SIGKILL)

        setattr(SqliteStore, "scrub", dying)  # noqa: B010  (it is a method)
        try:
            memory = open_memory(path)
            memory.revise(id, text=f"{text_of(2)} {birds['revised']}")
            memory.forget(id, hard=True)
        finally:
            os._exit(1)
    os.waitpid(child, 0)
    with opened(path) as memory:
        assert birds.found(tmp_path) == []
        assert memory.doctor().healthy
    assert birds.found(tmp_path) == []


def test_no_row_of_any_table_names_a_user_whose_everything_was_deleted(tmp_path: Path) -> None:
    """The tables are those of the catalogue, filled by `populate`; a new one is looked at as well."""
    store = open_store("sqlite", tmp_path)
    memory = memory_on(store)
    populate(memory, tmp_path)
    path = tmp_path / "store.db"
    named = tables_naming(rows_of(path), "ana")
    assert {"untidied", "jobs", "tombstones", "memories", "model_calls"} <= named
    deleted = memory.delete_all("ana")
    assert deleted.proof is not None
    assert deleted.proof.holds
    assert memory.doctor().problems == ()
    store.close()
    assert tables_naming(rows_of(path), "ana") == set()


def rows_of(path: Path) -> Iterator[tuple[str, dict[str, object]]]:
    connection = apsw.Connection(str(path))
    schema = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    for (table,) in list(connection.execute(schema)):
        cursor = connection.execute(f'SELECT * FROM "{table}"')  # noqa: S608
        for row in cursor:
            columns = [column for column, _ in cursor.get_description()]
            yield table, {k: v for k, v in zip(columns, row, strict=True) if not isinstance(v, bytes)}
    connection.close()
