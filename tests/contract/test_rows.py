"""The store contract, rows of the requirements that no other file of the suite names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apsw
import pytest

from holdfast import HoldfastError, Memory
from holdfast.stores.base.ports import Store
from holdfast.stores.sqlite.migrate import schema_version
from tests.fakes import BrokenEmbedder, ManualClock
from tests.support import memory_on, texts


def say(memory: Memory, session: str, text: str, project: str | None = None) -> None:
    memory.add_messages([{"role": "user", "content": text}], session=session, project=project)


def test_s0_39_a_session_is_renamed_and_moved_at_once_or_not_at_all(memory: Memory) -> None:
    memory.sessions.create("s", project="shop", name="First")
    before = memory.sessions.get("s")
    events = len(list(memory.audit))
    refused: list[Any] = [
        {"name": "New", "project": "*"},
        {"name": "New", "project": "a\nb"},
        {"name": "*", "project": None},
    ]
    for changes in refused:
        with pytest.raises(HoldfastError):
            memory.sessions.update("s", **changes)
        assert memory.sessions.get("s") == before
    with pytest.raises(HoldfastError, match="a name, a project or archived"):
        memory.sessions.update("s")
    with pytest.raises(TypeError):
        memory.sessions.update("s", metadata="x")  # type: ignore[call-arg]
    assert len(list(memory.audit)) == events
    after = memory.sessions.update("s", name="New", project=None)
    assert (after.name, after.project) == ("New", None)
    assert [event.action for event in memory.audit][events:] == ["rename_session", "move_session"]


@pytest.mark.parametrize("name", ["x" * 201, "x" * 30_000, "two\nlines", "", "  ", "*"])
def test_s0_39_a_session_is_named_by_one_rule(memory: Memory, name: str) -> None:
    memory.sessions.create("known")
    acts: list[Any] = [
        lambda: memory.sessions.create("known", name=name),
        lambda: memory.sessions.create("fresh", name=name),
        lambda: memory.sessions.update("known", name=name),
    ]
    for act in acts:
        with pytest.raises(HoldfastError, match="session name") as caught:
            act()
        assert caught.value.code == "place_invalid"
    assert [(session.external_id, session.name) for session in memory.sessions.list()] == [("known", None)]


def test_s0_1_a_session_has_an_outer_id_a_name_a_project_and_metadata(memory: Memory) -> None:
    result = memory.sessions.create("chat-1", project="shop", name="First", metadata={"model": "x"})
    assert (result.external_id, result.project, result.name, result.metadata) == (
        "chat-1",
        "shop",
        "First",
        {"model": "x"},
    )
    assert memory.sessions.create("chat-1").metadata == {"model": "x"}
    assert memory.sessions.update("chat-1", name="Second").name == "Second"
    assert [event.action for event in memory.audit][-1] == "rename_session"
    assert memory.sessions.update("chat-1", name="Second").name == "Second"  # nothing to do, no event
    assert [event.action for event in memory.audit].count("rename_session") == 1
    say(memory, "chat-1", "hello")
    assert memory.sessions.get("chat-1").message_count == 1
    assert result.as_dict()["id"] == "chat-1"
    for limit, cursor in ((0, None), (1, "x"), (1, "WzEsMl0"), (1, "W251bGwsIiIsMV0")):
        with pytest.raises(HoldfastError):
            memory.sessions.list(limit=limit, cursor=cursor)


def test_s0_9_s0_12_s0_13_two_projects_never_see_each_other(memory: Memory) -> None:
    for project in ("one", "two"):
        say(memory, f"{project}-a", f"the boat of {project} is red", project)
        say(memory, f"{project}-b", "unrelated", project)
        memory.remember(f"boat of {project}", kind="entity", title="Boat", project=project)
    for project in ("one", "two"):
        found = texts(memory.recall("boat", session=f"{project}-b"))
        assert sorted(found) == [f"boat of {project}", f"the boat of {project} is red"]


def test_s0_10_s0_24_sessions_without_a_project_share_one_pool_and_nothing_else(memory: Memory) -> None:
    say(memory, "a", "the boat is red")
    say(memory, "b", "the boat is fast")
    say(memory, "c", "the boat is secret", "shop")
    assert sorted(texts(memory.recall("boat", session="b"))) == ["the boat is fast", "the boat is red"]


def test_s0_14_s0_16_s0_17_the_project_is_looked_up_at_every_call(memory: Memory) -> None:
    say(memory, "a", "the boat is red")
    say(memory, "b", "hello", "shop")
    for _ in range(2):
        assert memory.recall("boat", session="b", kinds="message").items == ()
        memory.sessions.update("a", project="shop")
        assert texts(memory.recall("boat", session="b", kinds="message")) == ["the boat is red"]
        memory.remember("the boat", kind="entity", title="Boat", project="shop")
        assert len(memory.recall("boat", session="a")) == 2
        memory.sessions.update("a", project=None)
        assert texts(memory.recall("boat", session="a")) == ["the boat is red"]


def test_s0_22_a_message_for_an_unknown_session_makes_it(memory: Memory) -> None:
    say(memory, "never-made", "hello")
    assert memory.sessions.get("never-made").project is None


def test_s0_27_s0_28_lists_and_words_obey_the_same_scope_as_vectors(memory: Memory) -> None:
    for project in ("one", "two"):
        say(memory, project, f"the boat of {project}", project)
        memory.remember(f"boat of {project}", kind="entity", title="Boat", project=project)
    say(memory, "free", "the boat of nobody")
    for mode in ("words", "vectors", "hybrid"):
        assert all("one" in text for text in texts(memory.recall("boat of", project="one", mode=mode)))
    assert texts(memory.list(project="one", kinds="entity")) == ["boat of one"]
    assert texts(memory.list(project="one", kinds="message")) == ["the boat of one"]
    assert texts(memory.list(session="free", kinds="message")) == ["the boat of nobody"]


def test_s0_21_s0_29_failed_embeddings_are_counted_and_repaired(store: Store) -> None:
    embedder = BrokenEmbedder()
    memory = memory_on(store, embedder=embedder)
    result = memory.add_episode("the boat is red", "noted", session="s")
    assert result.outcome == "created"
    assert memory.doctor().waiting == 1
    assert memory.maintain() == (0, 1)
    assert memory.doctor().waiting == 1
    embedder.broken = False
    assert memory.maintain() == (1, 0)
    assert memory.doctor().problems == ()


def test_s1_40_a_message_is_found_in_the_same_turn(memory: Memory) -> None:
    message = {
        "role": "user",
        "content": "my dentist is in Porto",
        "id": "m1",
        "at": "2026-01-01T00:00:00Z",
        "position": 4,
    }
    stored = memory.add_messages([message], session="s", project="p")[0].memory
    assert stored is not None
    assert (stored.role, stored.external_id, stored.position, stored.session, stored.project) == (
        "user",
        "m1",
        4,
        "s",
        "p",
    )
    assert texts(memory.recall("dentist in Porto", session="s"))[0] == "my dentist is in Porto"


@pytest.mark.parametrize(
    "message",
    [{"role": "user"}, "hello", {"content": 7}, {"content": "x", "who": "y"}, {"content": "x", "role": 1}],
)
def test_a_bad_message_is_refused_and_stops_no_other(memory: Memory, message: Any) -> None:
    outcomes = memory.add_messages([message, {"role": "user", "content": "good"}], session="s")
    assert [k.outcome for k in outcomes] == ["refused", "created"]
    assert outcomes[0].code in ("message_invalid", "text_not_string")


def test_s2_1_s2_3_a_memory_has_the_fields_and_statuses_of_the_record(memory: Memory) -> None:
    stored = memory.remember("The boat is red").memory
    assert stored is not None
    record = stored.as_dict()
    assert set(record) >= {
        "id", "owner", "workspace", "scope", "kind", "text", "content_hash", "confidence", "status",
        "supersedes", "expires_at", "last_used_at", "use_count", "pii_risk", "tags", "evidence", "source",
        "recorded_at", "updated_at", "deleted_at", "deleted_reason",
    }  # fmt: skip
    assert record["confidence"] == 0.6
    for status in ("pending", "rejected", "approved"):
        assert memory.revise(stored.id, status=status).memory.status == status  # type: ignore[union-attr]


def test_s2_13_only_what_is_approved_live_and_valid_is_read(memory: Memory, clock: ManualClock) -> None:
    memory.remember("boat approved")
    memory.remember("boat pending", status="pending")
    for name in ("rejected", "deleted", "expired"):
        stored = memory.remember(
            f"boat {name}", expires_at=clock.now + 1000 if name == "expired" else None
        ).memory
        assert stored is not None
        if name == "rejected":
            memory.revise(stored.id, status="rejected")
        if name == "deleted":
            memory.forget(stored.id)
    clock.forward(millis=1000)
    assert texts(memory.recall("boat")) == ["boat approved"]
    assert texts(memory.list()) == ["boat approved"]
    assert memory.count() == 1
    assert "boat deleted" in texts(memory.list(include="deleted"))
    assert "boat pending" in texts(memory.list(include="pending"))


def test_s4_16_the_schema_version_stands_in_the_file(tmp_path: Path) -> None:
    with Memory(tmp_path / "a.db") as memory:
        memory.remember("The boat is red")
    file = apsw.Connection(str(tmp_path / "a.db"))
    assert file.pragma("user_version") == schema_version() == 1
    assert file.pragma("integrity_check") == "ok"
    file.close()


def test_s4_23_the_scanner_stands_in_every_write_path(memory: Memory) -> None:
    secret = "sk-" + "ant-" + "api03-" + "Zx9Kq2Lm8Vb4Nc7Pd1Rt5Yw3" * 3
    plain = memory.remember("The boat is red").memory
    assert plain is not None
    writes = [
        memory.remember(f"key {secret}"),
        *memory.remember_many([f"another key {secret}"]),
        *memory.add_messages(
            [{"role": "user", "content": f"k {secret}", "metadata": {"a": secret}}], session="s"
        ),
        memory.add_episode(f"see {secret}", "ok", session="s"),
        memory.revise(plain.id, text=f"now {secret}", title=secret),
        memory.remember(f"entity {secret}", kind="entity", title=f"E {secret}"),
    ]
    memory.sources.add("chatgpt", "0" * 64, filename=f"{secret}.json", metadata={"k": secret})
    memory.forget(plain.id, reason=f"leaked {secret}")
    seen = repr([write.as_dict() for write in writes]) + repr(memory.list(include="deleted", limit=100))
    seen += repr(memory.sources.list()) + repr(list(memory.audit)) + repr(memory.history(writes[0].memory.id))  # type: ignore[union-attr]
    assert secret not in seen
    assert all("redacted" in (k.outcome.value, *(["redacted"] if k.redactions else [])) for k in writes)
