"""The store contract: import sources (S2.4, S2.5), the agent's saving tool (S2.38), audit (S2.6)."""

from __future__ import annotations

import hashlib
import math

import pytest

from holdfast import HoldfastError, Memory
from holdfast.engine.ports import Store
from holdfast.integrations.tools import save_to_memory
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
    kept = ana.add_messages(message, session="s", source=source.id)[0].memory
    assert kept is not None
    assert ana.get(kept.id).source == source.id
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
    kept = memory.remember("The boat is red", project="shop").memory
    assert kept is not None
    memory.add_messages([{"role": "user", "content": f"m{i}"} for i in range(50)], session="s")
    memory.revise(kept.id, text="The boat is blue")
    memory.pin(kept.id)
    memory.forget(kept.id)
    memory.restore(kept.id)
    memory.sessions.move("s", project="shop")
    memory.forget(kept.id, hard=True)
    actions = [event.action for event in memory.audit]
    assert actions == [
        "create_project", "remember", "create_session", "remember_batch", "revise", "pin", "forget",
        "restore", "move_session", "erase",
    ]  # fmt: skip
    assert memory.audit.verify() == len(actions)
    assert next(e for e in memory.audit if e.action == "remember_batch").detail["count"] == 50
    assert "boat" not in repr(list(memory.audit))
