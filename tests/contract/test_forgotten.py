"""What was forgotten stays forgotten: imports, extraction and agents report it, and a person can lift it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from holdfast import HoldfastError, Memory
from holdfast.api.importing import import_bytes
from holdfast.core.errors import Refusal
from holdfast.core.views import GONE, personal_view
from holdfast.stores.base.ports import Store
from tests.fakes import ManualClock
from tests.support import memory_on

AT = "2026-01-02T10:00:00Z"
CHAT = [
    {
        "uuid": "m1",
        "sender": "human",
        "text": "My locker is the seventh, with the blue horse",
        "created_at": AT,
    },
    {"uuid": "m2", "sender": "assistant", "text": "Noted.", "created_at": AT},
]


def conversation(messages: list[dict[str, str]], title: str = "") -> bytes:
    chat = {"uuid": "c1", "name": title, "created_at": AT, "chat_messages": messages}
    return json.dumps([chat]).encode()


def imported(memory: Memory, messages: list[dict[str, str]] = CHAT, **options: Any) -> dict[str, int]:
    report = import_bytes(memory, conversation(messages), filename="conversations.json", **options)
    assert report.total == sum(report.items[what] for what in ("message", "note", "memory"))
    return {name: count for name, count in report.outcomes.items() if count}


def first(memory: Memory) -> str:
    (found,) = [record for record in memory.list(project="*").memories if "locker" in record.text]
    return found.id


@pytest.mark.parametrize("hard", [False, True])
def test_a_forgotten_message_is_not_imported_again(memory: Memory, hard: bool) -> None:
    imported(memory)
    memory.forget(first(memory), hard=hard)
    changed = [CHAT[0] | {"text": "My locker is the eighth, with the blue horse"}, *CHAT[1:]]
    assert imported(memory) == {"forgotten": 1, "duplicate": 1}
    assert imported(memory, changed) == {"forgotten": 1, "duplicate": 1}
    renamed = [CHAT[0] | {"uuid": "other"}, *CHAT[1:]]
    assert imported(memory, renamed)["forgotten"] == 1
    assert not [hit for hit in memory.recall("locker code").items if "locker" in hit.memory.text]
    assert imported(memory, dry_run=True)["forgotten"] == 1
    assert imported(memory, with_forgotten=True) == {"created": 1, "duplicate": 1}
    assert imported(memory) == {"duplicate": 2}


def test_what_is_restored_is_no_longer_forgotten(memory: Memory) -> None:
    imported(memory)
    id = first(memory)
    memory.forget(id)
    memory.restore(id)
    assert imported(memory) == {"duplicate": 2}


@pytest.mark.parametrize("how", ["session", "source-hard", "revert-hard"])
def test_what_is_erased_with_its_session_or_source_stays_away(memory: Memory, how: str) -> None:
    imported(memory)
    if how == "session":
        memory.sessions.delete(memory.sessions.list()[0].external_id)
    else:
        source, hard = memory.sources.list()[0].id, how.endswith("hard")
        if how.startswith("source"):
            memory.sources.delete(source, hard=hard)
        else:
            memory.review.revert(source, hard=hard)
    assert imported(memory) == {"forgotten": 2}
    assert memory.count(project="*") == 0
    assert imported(memory, with_forgotten=True) == {"created": 2}


def test_another_message_with_the_same_text_is_imported(memory: Memory) -> None:
    imported(memory)
    memory.forget(first(memory), hard=True)
    more = [CHAT[0] | {"uuid": "m9", "created_at": "2026-01-05T10:00:00Z"}]
    assert imported(memory, [*CHAT, *more]) == {"forgotten": 1, "duplicate": 1, "created": 1}


def test_a_note_is_known_by_its_text_in_its_place(memory: Memory) -> None:
    note = memory.remember("The alarm code is on the fridge", project="home").memory
    assert note is not None
    lines = "".join(memory.export()).encode()
    memory.forget(note.id, hard=True)
    assert import_bytes(memory, lines, filename="a.jsonl").outcomes["forgotten"] == 1
    assert memory.count(project="*") == 0
    assert import_bytes(memory, lines, filename="a.jsonl", with_forgotten=True).outcomes["created"] == 1
    memory.forget(memory.list(project="home").memories[0].id)
    assert import_bytes(memory, lines, filename="a.jsonl").outcomes["forgotten"] == 1
    assert import_bytes(memory, lines, filename="a.jsonl", with_forgotten=True).outcomes["created"] == 1
    assert [record.text for record in memory.list(project="home").memories] == [note.text]


def test_a_person_may_say_again_what_they_forgot_and_an_agent_may_not(store: Store) -> None:
    ana, agent = memory_on(store), memory_on(store, agent="coder")
    place: dict[str, Any] = {"project": "home", "visibility": "private"}
    stored = ana.remember("The alarm code is on the fridge", **place).memory
    assert stored is not None
    ana.forget(stored.id)
    again = agent.remember("The alarm code is on the fridge", **place)
    assert (again.outcome, again.memory) == ("forgotten", None)
    assert agent.remember("The alarm code is on the fridge", project="barn").outcome == "created"
    assert ana.remember("The alarm code is on the fridge", **place).outcome == "created"
    assert agent.remember("The alarm code is on the fridge", **place).outcome == "duplicate"
    own = agent.remember("Run the tests with make", **place).memory
    assert own is not None
    agent.forget(own.id)  # what no person forgot, an agent may learn again
    assert agent.remember("Run the tests with make", **place).outcome == "created"
    with pytest.raises(Refusal):
        imported(agent, with_forgotten=True)


@pytest.mark.parametrize("hard", [False, True])
def test_an_agent_brings_nothing_back_by_a_full_stop_or_another_kind(store: Store, hard: bool) -> None:
    ana, agent = memory_on(store), memory_on(store, agent="coder")
    stored = ana.remember("Ida is allergic to C# and nuts", kind="fact", title="Ida").memory
    assert stored is not None
    ana.forget(stored.id, hard=hard)
    place: dict[str, Any] = {"visibility": "private"}
    for text, kind in (
        ("Ida is allergic to C# and nuts.", "fact"), ("ida is allergic  to c# and nuts", "fact"),
        ("Ida is allergic to C# and nuts", "profile"), ("“Ida is allergic to C# and nuts!”", "note"),
    ):  # fmt: skip
        assert agent.remember(text, kind=kind, **place).outcome == "forgotten", text
    assert agent.remember("Ida is allergic to C++ and nuts", kind="fact", **place).outcome == "created"
    dots = ana.remember("…", kind="note").memory
    assert dots is not None
    ana.forget(dots.id, hard=hard)
    assert agent.remember("!!!", kind="note", **place).outcome == "created"
    assert ana.remember("Ida is allergic to C# and nuts!", kind="profile").outcome == "created"
    assert agent.remember("Ida is allergic to C# and nuts", kind="note", **place).outcome != "forgotten"


@pytest.mark.parametrize("hard", [False, True])
def test_a_program_that_sends_a_whole_conversation_again_brings_nothing_back(
    memory: Memory, hard: bool
) -> None:
    """With the ids of its messages: without one, the same words are said again."""
    talk = [
        {"role": "user", "content": "My locker is the blue one", "id": "m1"},
        {"role": "assistant", "content": "Noted", "id": "m2"},
    ]
    stored = memory.add_messages(talk, session="s")[0].memory
    assert stored is not None
    memory.forget(stored.id, hard=hard)
    assert [message.outcome for message in memory.add_messages(talk, session="s")] == [
        "forgotten",
        "duplicate",
    ]
    said = {"role": "user", "content": "My locker is the blue one"}
    assert memory.add_messages([said], session="s")[0].outcome == "created"
    if not hard:
        memory.restore(stored.id)
        assert memory.add_messages(talk, session="s")[0].outcome == "duplicate"


def test_what_one_person_forgot_others_may_keep(store: Store) -> None:
    ana, ben = memory_on(store), memory_on(store, user="ben")
    imported(ana)
    ana.forget(first(ana))
    assert imported(ben) == {"created": 2}


def test_erasing_a_text_erases_the_copies_that_were_forgotten_before(store: Store) -> None:
    ana = memory_on(store)
    for _ in range(2):
        stored = ana.remember("The alarm code is on the fridge").memory
        assert stored is not None
        ana.forget(stored.id)
    elsewhere = ana.remember("The alarm code is on the fridge", project="home").memory
    last = ana.remember("The alarm code is on the fridge").memory
    assert last is not None
    assert elsewhere is not None
    ana.forget(elsewhere.id)
    ana.forget(last.id, hard=True)
    with store.read() as snap:
        rest = snap.page(personal_view(ana._service.principal, GONE), limit=9, cursor=None, now=0).memories
    assert [one.id for one in rest] == [elsewhere.id]
    assert ana.doctor().problems == ()


def test_the_title_of_an_import_goes_with_it(memory: Memory) -> None:
    import_bytes(memory, conversation(CHAT, "Divorce lawyer in Porto"), filename="conversations.json")
    assert memory.sessions.list()[0].name == "Divorce lawyer in Porto"
    memory.review.revert(memory.sources.list()[0].id, hard=True)
    assert not memory.sessions.list()


def test_what_was_purged_with_its_project_stays_away_until_a_person_lifts_it(store: Store) -> None:
    """For everybody who kept something there; others may keep the same, and it is another project now."""
    ana, ben = memory_on(store, seed=1), memory_on(store, user="ben", seed=2)
    for memory in (ana, ben):
        assert imported(memory, project="shop") == {"created": 2}
    ana.remember("Tabs in the shop", kind="convention", project="shop", source=None)
    ana.projects.purge("shop")
    for memory in (ana, ben):
        assert imported(memory, project="shop") == {"forgotten": 2}
        assert list(memory.recall("locker code", project="shop")) == []
    cleo = memory_on(store, user="cleo", seed=3)
    assert cleo.remember("Tabs in the shop", project="shop").memory is not None
    assert imported(cleo, project="shop") == {"created": 2}
    assert imported(ana, project="shop", with_forgotten=True) == {"created": 2}
    assert imported(ana, project="shop") == {"duplicate": 2}


def test_nothing_of_what_was_forgotten_stands_in_the_file(tmp_path: Path, clock: ManualClock) -> None:
    import hashlib

    path = tmp_path / "store.db"
    with Memory(path, user="ana") as memory:
        imported(memory)
        memory.forget(first(memory), hard=True)
    content = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.suffix != ".secret")
    text = CHAT[0]["text"]
    for guess in (text, text.lower(), json.dumps(text), json.dumps(["message", text])):
        for made in (hashlib.sha256, hashlib.sha1, hashlib.md5):
            digest = made(guess.encode())
            assert digest.digest() not in content
            assert digest.hexdigest().encode() not in content
    with Memory(path, user="ana") as memory:
        assert imported(memory) == {"forgotten": 1, "duplicate": 1}


def test_a_key_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    with Memory(tmp_path / "store.db", user="ana") as memory:
        stored = memory.remember("The alarm code is on the fridge").memory
        assert stored is not None
        (tmp_path / "store.db.secret").symlink_to(tmp_path / "elsewhere")
        with pytest.raises(HoldfastError) as error:
            memory.forget(stored.id)
        assert error.value.code == "keys_unusable"
        assert not (tmp_path / "elsewhere").exists()
