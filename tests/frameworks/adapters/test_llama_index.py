"""The memory block of LlamaIndex, in a memory whose short-term part is small."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from holdfast import Memory

pytest.importorskip("llama_index.core")

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import Memory as LlamaMemory

from holdfast.integrations.llama_index import HoldfastMemoryBlock


def put(block: Any, *texts: str, session: str = "s1", role: str = "user") -> None:
    messages = [ChatMessage(role=role, content=text) for text in texts]
    asyncio.run(block.aput(messages, from_short_term_memory=True, session_id=session))


def get(block: Any, prompt: str, session: str = "s2") -> str:
    return str(asyncio.run(block.aget([ChatMessage(role="user", content=prompt)], session_id=session)))


def test_what_was_put_comes_back_for_a_message_about_it(host: Memory) -> None:
    block = HoldfastMemoryBlock(memory=host)
    put(block, "I'm allergic to nuts.", "The bus leaves at nine.")
    assert "allergic to nuts" in get(block, "What am I allergic to?")
    stored = host.sessions.messages("s1").memories
    assert [(one.role, one.text) for one in stored] == [
        ("user", "I'm allergic to nuts."), ("user", "The bus leaves at nine.")
    ]  # fmt: skip
    assert get(block, "") == ""
    assert asyncio.run(block.aget()) == ""


def test_calls_of_tools_and_messages_without_text_are_not_stored(host: Memory) -> None:
    block = HoldfastMemoryBlock(memory=host)
    put(block, "{'degrees': 200}", role="tool")
    put(block, "You are a cook.", role="system")
    put(block, "")
    assert not host.sessions.list().sessions


def test_users_and_projects_are_apart(host: Memory) -> None:
    alex, kim = host.as_user("alex"), host.as_user("kim")
    put(HoldfastMemoryBlock(memory=alex, project="cooking"), "The code of the oven is 4711.")
    assert "4711" in get(HoldfastMemoryBlock(memory=alex, project="cooking"), "What is the code of the oven?")
    for block in (
        HoldfastMemoryBlock(memory=kim, project="cooking"),
        HoldfastMemoryBlock(memory=alex, project="work"),
        HoldfastMemoryBlock(memory=alex),
    ):
        assert "4711" not in get(block, "What is the code of the oven?")


def test_a_block_that_takes_nothing_from_short_term_memory_stores_nothing(host: Memory) -> None:
    put(HoldfastMemoryBlock(memory=host, accept_short_term_memory=False), "I like tea.")
    assert not host.sessions.list().sessions


def test_content_is_shortened_from_its_end(host: Memory) -> None:
    block = HoldfastMemoryBlock(memory=host)
    put(block, "I'm allergic to nuts.", "I love pasta with olives.", "I live in Graz.", "I work as a nurse.")
    content = get(block, "What am I allergic to?")
    shorter = asyncio.run(block.atruncate(content, 40))
    assert shorter is not None
    assert content.startswith(shorter)
    assert len(content) - len(shorter) >= 100
    assert asyncio.run(block.atruncate(content, 0)) == content
    assert asyncio.run(block.atruncate(content, 10_000)) is None


def test_what_leaves_a_short_memory_is_found_by_the_next_conversation(host: Memory) -> None:
    def conversation(id: str) -> Any:
        block = HoldfastMemoryBlock(memory=host, project="cooking", priority=1)
        return LlamaMemory.from_defaults(
            session_id=id, token_limit=400, token_flush_size=20, chat_history_token_ratio=0.1,
            memory_blocks=[block], tokenizer_fn=str.split,
        )  # fmt: skip

    async def run() -> str:
        first = conversation("s1")
        for text in (
            "I'm allergic to nuts.",
            *(f"Filler {number} of many words here" * 3 for number in range(8)),
        ):
            await first.aput_messages([
                ChatMessage(role="user", content=text), ChatMessage(role="assistant", content="I see.")
            ])  # fmt: skip
        second = conversation("s2")
        messages = await second.aget(input="What am I allergic to?")
        return "\n".join(str(message.content) for message in messages)

    assert "allergic to nuts" in asyncio.run(run())
    assert host.recall("allergic", project="cooking")[0].memory.session == "s1"
