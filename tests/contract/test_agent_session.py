"""The session of the OpenAI Agents SDK on every store."""

from __future__ import annotations

import asyncio
from typing import Any

from holdfast.integrations.openai_agents import HoldfastSession
from holdfast.stores.base.ports import Store
from tests.support import memory_on

ITEMS: list[dict[str, Any]] = [
    {"role": "user", "content": "Which city has the bridge?\r\n"},
    {"type": "function_call", "call_id": "c1", "name": "look", "arguments": '{"q": "bridge"}'},
    {"type": "function_call_output", "call_id": "c1", "output": ""},
    {
        "role": "assistant",
        "content": [{"type": "output_text", "text": "San Francisco"}],
        "status": "completed",
    },
    {"role": "user", "content": ""},
]


def test_items_come_back_in_their_order(store: Store) -> None:
    async def run() -> None:
        memory = memory_on(store)
        session, other = HoldfastSession("s1", memory), HoldfastSession("s2", memory)
        assert await session.get_items() == []
        assert await session.pop_item() is None
        await session.add_items(ITEMS[:2])
        await session.add_items(ITEMS[2:])
        await other.add_items(ITEMS[:1])
        assert await session.get_items() == ITEMS
        assert await session.get_items(2) == ITEMS[-2:]
        assert await HoldfastSession("s1", memory, session_settings={"limit": 1}).get_items() == ITEMS[-1:]
        assert await session.pop_item() == ITEMS[-1]
        assert await session.get_items(0) == []
        assert await session.get_items() == ITEMS[:-1]
        (hit, *_) = memory.recall("bridge in which city", session="s1")
        assert hit.memory.text == "Which city has the bridge?"
        await session.clear_session()
        assert await session.get_items() == []
        assert await other.get_items() == ITEMS[:1]
        await session.add_items(ITEMS[:1])
        assert await session.get_items() == ITEMS[:1]

    asyncio.run(run())


def test_items_of_several_tasks_are_all_added(store: Store) -> None:
    async def run() -> None:
        session = HoldfastSession("s1", memory_on(store))
        await asyncio.gather(
            *(session.add_items([{"role": "user", "content": f"message {n}"}]) for n in range(8))
        )
        items = [await session.pop_item() for _ in range(8)]
        assert sorted(item["content"] for item in items if item) == [f"message {n}" for n in range(8)]

    asyncio.run(run())
