"""The store contract: import sources (S2.4, S2.5), the agent's saving tool (S2.38), audit (S2.6)."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from holdfast import HoldfastError, Memory
from holdfast.api.catalogue import permissions
from holdfast.api.importing import import_path
from holdfast.features.access.access import Need
from holdfast.integrations.tools import save_to_memory
from holdfast.stores.base.ports import Store
from tests.support import memory_on, texts

SHA = hashlib.sha256(b"export").hexdigest()


def test_s2_4_the_same_content_is_the_same_source(memory: Memory) -> None:
    first = memory.sources.add(
        "chatgpt", SHA, filename="conversations.json", message_count=3, metadata={"v": 1}
    )
    assert memory.sources.add("chatgpt", SHA, filename="copy.json") == first
    assert memory.sources.list() == [first]
    with pytest.raises(HoldfastError) as error:
        memory.sources.add("chatgpt", "no hash")
    assert error.value.code == "argument_invalid"


def test_s2_5_memories_name_their_source_and_other_users_have_none(store: Store) -> None:
    ana, ben = memory_on(store), memory_on(store, user="ben")
    source = ana.sources.add("chatgpt", SHA)
    message = [{"role": "user", "content": "the boat is red"}]
    stored = ana.add_messages(message, session="s", source=source.id)[0].memory
    assert stored is not None
    assert ana.get(stored.id).source == source.id
    assert ben.sources.list() == []
    refused = ben.add_messages(message, session="s", source=source.id)[0]
    assert (refused.outcome, refused.code) == ("refused", "source_not_found")
    assert ben.sources.add("chatgpt", SHA).id != source.id


def test_s2_38_the_saving_tool_tells_what_became_of_it(store: Store) -> None:
    memory = memory_on(store, agent="coder")
    saved = save_to_memory(memory, "Retries are capped at three", kind="gotcha")
    assert (saved["saved"], saved["created"], saved["skipped"]) == (True, 1, 0)
    again = save_to_memory(memory, "Retries are capped at three", kind="gotcha")
    assert (again["saved"], again["outcome"]) == (False, "duplicate")
    assert memory.get(save_to_memory(memory, "A thing of its own", kind="no-such-kind")["id"]).kind == "note"
    scoped = save_to_memory(memory, "Figure 3 is wrong", scope_type="paper", scope_id="p1")
    assert texts(memory.list(scope=("paper", "p1"))) == ["Figure 3 is wrong"]
    assert scoped["saved"]
    for confidence in (math.nan, -0.1, 1.1):
        refused = save_to_memory(memory, "Odd", confidence=confidence)
        assert (refused["saved"], refused["skipped"], refused["id"]) == (False, 1, None)


def test_s2_6_every_mutation_is_one_event_and_a_batch_of_messages_is_one(memory: Memory) -> None:
    stored = memory.remember("The boat is red", project="shop").memory
    assert stored is not None
    memory.add_messages([{"role": "user", "content": f"m{i}"} for i in range(50)], session="s")
    memory.revise(stored.id, text="The boat is blue")
    memory.pin(stored.id)
    memory.forget(stored.id)
    memory.restore(stored.id)
    memory.sessions.update("s", project="shop")
    memory.forget(stored.id, hard=True)
    actions = [event.action for event in memory.audit]
    assert actions == [
        "create_project", "remember", "create_session", "remember_batch", "revise", "pin", "forget",
        "restore", "move_session", "erase",
    ]  # fmt: skip
    assert memory.audit.verify() == len(actions)
    assert next(e for e in memory.audit if e.action == "remember_batch").detail["count"] == 50
    assert "boat" not in repr(list(memory.audit))


SECRETIVE = "walrus"
"""A word of every text below: no event may hold it."""
Act = tuple[str, Callable[[], Any], str]
"""An operation, a call of it, and the action of its event."""


def _acts(memory: Memory, folder: Path) -> Iterator[Act]:
    """Every operation that changes what is the caller's own, each where there is something to change."""

    def kept(text: str, **more: Any) -> str:
        stored = memory.remember(f"{SECRETIVE} {text}", **more).memory
        assert stored is not None
        return stored.id

    messages = [{"role": "user", "content": f"I love {SECRETIVE} tea", "id": "m"}]
    yield "projects.create", lambda: memory.projects.create("shop"), "create_project"
    yield "projects.update", lambda: memory.projects.update("shop", notes=SECRETIVE), "update_project"
    yield "remember", lambda: kept("is red"), "remember"
    yield "remember_many", lambda: memory.remember_many([f"{SECRETIVE} is tall"]), "remember"
    yield "never", lambda: memory.never(f"{SECRETIVE} shoes"), "remember"
    lived = memory.add_messages([{"role": "user", "content": "I live in Porto.", "id": "p"}])[0].memory
    owned = memory.add_messages([{"role": "user", "content": f"I own a {SECRETIVE}.", "id": "o"}])[0].memory
    assert lived is not None
    assert owned is not None
    yield "dismiss", lambda: memory.dismiss(owned.id), "remember"
    yield "correct", lambda: memory.correct(lived.id, f"Lives in {SECRETIVE}"), "remember"
    yield "sessions.create", lambda: memory.sessions.create("s"), "create_session"
    yield "sessions.create", lambda: memory.sessions.create("s", name=SECRETIVE), "update_session"
    yield "sessions.create", lambda: memory.sessions.create("s", metadata={"a": SECRETIVE}), "update_session"
    yield "sessions.update", lambda: memory.sessions.update("s", name=f"{SECRETIVE} two"), "rename_session"
    yield "sessions.update", lambda: memory.sessions.update("s", project="shop"), "move_session"
    yield "add_messages", lambda: memory.add_messages(messages, session="s"), "remember"
    yield "add_episode", lambda: memory.add_episode(SECRETIVE, "Yes", session="s"), "remember"
    yield "extract", lambda: memory.extract(session="s"), "extract"
    log = [{"type": "user", "text": f"No, use the {SECRETIVE} instead of npm"}]
    yield "learn", lambda: memory.learn(log, project="shop"), "learn"
    yield "sessions.delete", lambda: memory.sessions.delete("s"), "delete_session"
    id = kept("sings in the morning")
    yield "revise", lambda: memory.revise(id, text=f"{SECRETIVE} sings at night"), "revise"
    yield "redact", lambda: memory.redact(id, 1), "redact"
    yield "pin", lambda: memory.pin(id), "pin"
    yield "forget", lambda: memory.forget(id), "forget"
    yield "restore", lambda: memory.restore(id), "restore"
    yield "review.move", lambda: memory.review.move(id, project="shop"), "move"
    yield "review.feedback", lambda: memory.review.feedback(id, "helpful"), "feedback"
    yield "review.wrong", lambda: memory.review.wrong(id, note=SECRETIVE), "wrong"
    kept("is on page one", scope=("paper", "1"))
    yield "review.clear", lambda: memory.review.clear(("paper", "1")), "clear"
    (folder / "a.py").write_text("LIFE = 3600\n")
    files = memory.folders.add(folder, project="shop")
    memory.folders.index(files.id)
    about = kept("lasts an hour", kind="gotcha", project="shop", metadata={"file": "a.py"})
    (folder / "a.py").write_text("LIFE = 7200\n")
    memory.folders.index(files.id)
    yield "review.confirm", lambda: memory.review.confirm(about), "confirm"
    ends: dict[str, Any] = {"subject": "Ada", "type": "builds", "target": f"{SECRETIVE} engines"}
    yield "entities.create", lambda: memory.entities.create("Ada", notes=SECRETIVE), "remember"
    memory.entities.create(ends["target"])
    yield "entities.observe", lambda: memory.entities.observe("Ada", [SECRETIVE]), "remember"
    yield "entities.unobserve", lambda: memory.entities.unobserve("Ada", [SECRETIVE]), "forget"
    yield "entities.relate", lambda: memory.entities.relate(**ends), "remember"
    yield "entities.unrelate", lambda: memory.entities.unrelate(**ends), "forget"
    yield "projects.retag", lambda: memory.projects.retag("shop", "barn"), "retag"
    yield "entities.delete", lambda: memory.entities.delete("Ada"), "forget"
    yield "facts.set", lambda: memory.facts.set("colors", f"{SECRETIVE} blue", 1), "remember"
    yield "facts.add", lambda: memory.facts.add("colors", [f"{SECRETIVE} red"]), "remember"
    yield "facts.move", lambda: memory.facts.move("colors", f"{SECRETIVE} red", 1), "remember"
    yield "facts.remove", lambda: memory.facts.remove("colors", f"{SECRETIVE} red"), "remember"
    yield "facts.replace", lambda: memory.facts.replace("colors", [f"{SECRETIVE} grey"]), "remember"
    yield "facts.clear", lambda: memory.facts.clear("colors"), "remember"
    yield "projects.move", lambda: memory.projects.move("shop", "yard"), "retag"
    yield "maps.scan", lambda: memory.maps.scan(folder, project="shop", seed=False), "scan_map"
    yield (
        "maps.update",
        lambda: memory.maps.update("auth", project="shop", keywords=[SECRETIVE]),
        "update_module",
    )
    yield "maps.opened", lambda: memory.maps.opened(["a.py"], project="shop", session="s"), "open_files"
    yield "maps.delete", lambda: memory.maps.delete("shop"), "delete_map"
    file, held = f"{SECRETIVE}.db", {"platform": "sqlite", "entities": []}
    yield "described.apply", lambda: memory.described.apply(file, held, sequence=1), "add_source"
    yield "described.update", lambda: memory.described.update(file, name=SECRETIVE), "update_source"
    yield "described.delete", lambda: memory.described.delete(file), "delete_source"
    for end in ("", "!"):
        memory.remember(f"The lamp is lit at dusk{end}", kind="convention", external_id=f"lamp{end}")
    asked = "Please have a look at this workbook with me, it is about our customers, all of them."
    answer = f"I looked at the sheets of the workbook. {'This is all that I can say about them. ' * 4}"
    for session, text in (
        ("i", f"The {SECRETIVE} rate counts trials."),
        ("j", f"The {SECRETIVE} rates need it."),
    ):
        turns = [("user", asked), ("assistant", answer), ("user", text)]
        memory.add_messages([{"role": role, "content": one} for role, one in turns], session=session)
    scope = ("file", "churn.xlsx")
    yield "insights", lambda: memory.insights("i", scope=scope), "remember"
    yield "insights", lambda: memory.insights("j", scope=scope), "merge"
    (insight,) = memory.list(kinds="chat_insight", scope=scope).memories
    yield "review.separate", lambda: memory.review.separate(insight.id), "separate"
    yield "review.tidy", lambda: memory.review.tidy(dry_run=False), "supersede"


def test_s2_6_an_import_that_names_its_conversations_says_so_in_one_event(
    memory: Memory, tmp_path: Path
) -> None:
    """A title that cannot be a name is put on one line; the event tells how many and from where."""
    title = f"About the {SECRETIVE}\n{'and more ' * 40}"
    talk = {"uuid": "c1", "name": title, "created_at": "2026-01-02T03:04:05Z",
            "chat_messages": [{"uuid": "m1", "sender": "human", "text": "Hello"}]}  # fmt: skip
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([talk, {**talk, "uuid": "c2"}]))
    import_path(memory, path)
    (told,) = [event for event in memory.audit if event.action == "update_session"]
    (source,) = memory.sources.list()
    assert told.detail == {"count": 2, "source": source.id}
    names = {session.name for session in memory.sessions.list()}
    assert names == {f"About the {SECRETIVE} {'and more ' * 40}"[:200].strip()}
    assert SECRETIVE not in repr(list(memory.audit))


def test_s2_6_every_operation_that_writes_adds_an_event_without_a_text(
    memory: Memory, tmp_path: Path
) -> None:
    """By the table of operations: one that is added there has to be tried here."""
    folder = tmp_path / "code"
    folder.mkdir()
    tried = set()
    for name, act, action in _acts(memory, folder):
        before = len(list(memory.audit))
        act()
        assert action in [event.action for event in list(memory.audit)[before:]], name
        tried.add(name)
    writing = {name for name, permission in permissions().items() if permission.need is Need.WRITE}
    assert tried == writing - {
        "agents.event",
        "answer",
    }  # notes what it does by others; in the ledger of models
    assert SECRETIVE not in repr(list(memory.audit))
    digests = {
        name
        for event in memory.audit
        for name, value in event.detail.items()
        if re.search("[0-9a-f]{32}", repr(value).replace("-", "x"))
    }
    assert digests <= {"ids_sha256"}  # over random ids: no text can be guessed by it
    assert memory.audit.verify() == len(list(memory.audit))
