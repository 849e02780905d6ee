"""The memory service of Google's Agent Development Kit, also under a runner whose model is scripted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from holdfast import Memory
from holdfast.core.errors import InvalidInput

pytest.importorskip("google.adk")

from google.adk.agents import Agent
from google.adk.events.event import Event
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService, Session
from google.adk.tools import load_memory
from google.genai import types

from holdfast.integrations.google_adk import HoldfastMemoryService

SCOPE = {"app_name": "cooking", "user_id": "alex"}


def event(id: str, text: str, author: str = "user", *parts: Any) -> Any:
    content = types.Content(parts=[types.Part(text=text), *parts] if text else list(parts))
    return Event(id=id, author=author, content=content, timestamp=1_767_225_600.0, invocation_id="i")


def session(*events: Any, id: str = "s1", **scope: str) -> Any:
    return Session(id=id, events=list(events), **(SCOPE | scope))


def searched(service: Any, query: str, **scope: str) -> list[str]:
    response = asyncio.run(service.search_memory(query=query, **(SCOPE | scope)))
    return [entry.content.parts[0].text for entry in response.memories]


def add(service: Any, *sessions: Any) -> None:
    for talk in sessions:
        asyncio.run(service.add_session_to_memory(talk))


def test_what_was_said_in_a_session_is_found(host: Memory) -> None:
    service = HoldfastMemoryService(host)
    add(service, session(event("1", "I'm allergic to nuts."), event("2", "Noted.", "cook")))
    response = asyncio.run(service.search_memory(query="allergic", **SCOPE))
    entry = response.memories[0]
    assert (entry.content.parts[0].text, entry.author, entry.content.role) == (
        "I'm allergic to nuts.", "user", "user"
    )  # fmt: skip
    assert entry.timestamp == "2026-01-01T00:00:00Z"
    assert [memory.author for memory in response.memories if memory.content.role == "model"] == ["cook"]


def test_a_session_is_added_as_often_as_one_likes(host: Memory) -> None:
    service = HoldfastMemoryService(host)
    one, two = event("1", "I like olives."), event("2", "I like tea.")
    add(service, session(one), session(one, two), session(one, two))
    alex = host.as_user("alex")
    assert [m.text for m in alex.sessions.messages("cooking/s1").memories] == [
        "I like olives.", "I like tea."
    ]  # fmt: skip


def test_events_are_added_to_what_is_there(host: Memory) -> None:
    service = HoldfastMemoryService(host)
    add(service, session(event("1", "I like olives.")))
    more = {"session_id": "s1", "custom_metadata": {"source": "chat"}, **SCOPE}
    asyncio.run(service.add_events_to_memory(events=[event("2", "I like tea.")], **more))
    asyncio.run(service.add_events_to_memory(events=[event("3", "I like bread.")], **SCOPE))
    asyncio.run(service.add_events_to_memory(events=[], **SCOPE))
    assert set(searched(service, "I like")) == {"I like olives.", "I like tea.", "I like bread."}
    response = asyncio.run(service.search_memory(query="tea", **SCOPE))
    assert response.memories[0].custom_metadata["source"] == "chat"


def test_thoughts_calls_and_empty_events_are_left_out(host: Memory) -> None:
    service = HoldfastMemoryService(host)
    call = types.Part(function_call=types.FunctionCall(name="oven", args={"degrees": 200}))
    thought = types.Part(text="Perhaps cake", thought=True)
    add(service, session(event("1", "", "cook", call), event("2", "Bake it.", "cook", thought, call)))
    assert searched(service, "cake oven bake") == ["Bake it."]
    add(service, session(Event(id="3", author="user", invocation_id="i"), id="s2"))


def test_users_and_apps_are_apart(host: Memory) -> None:
    service = HoldfastMemoryService(host)
    add(
        service,
        session(event("1", "The code is 12 for alex at cooking")),
        session(event("1", "The code is 34 for kim at cooking"), user_id="kim"),
        session(event("1", "The code is 56 for alex at work"), app_name="work"),
    )
    host.as_user("alex").remember("The code is 78, outside of all apps")
    assert searched(service, "code") == ["The code is 12 for alex at cooking"]
    assert searched(service, "code", user_id="kim") == ["The code is 34 for kim at cooking"]
    assert searched(service, "code", app_name="work") == ["The code is 56 for alex at work"]
    assert searched(service, "code", user_id="bob") == []
    (other,) = asyncio.run(service.search_memory(query="code", **(SCOPE | {"user_id": "kim"}))).memories
    asyncio.run(service.delete_memory(memory_id=other.id, **SCOPE))
    asyncio.run(service.delete_memory(memory_id=other.id, app_name="work", user_id="kim"))
    assert searched(service, "code", user_id="kim")


def test_what_is_deleted_does_not_come_back_with_its_session(host: Memory) -> None:
    service = HoldfastMemoryService(host)
    both = session(event("1", "I like olives."), event("2", "I like tea."))
    add(service, both)
    entry = asyncio.run(service.search_memory(query="olives", **SCOPE)).memories[0]
    asyncio.run(service.delete_memory(memory_id=entry.id, **SCOPE))
    asyncio.run(service.delete_memory(memory_id=entry.id, **SCOPE))
    asyncio.run(service.delete_memory(memory_id=None, **SCOPE))
    add(service, both)
    assert searched(service, "I like olives") == ["I like tea."]


def test_memories_are_added_as_they_are(host: Memory) -> None:
    service = HoldfastMemoryService(host)
    content = types.Content(parts=[types.Part(text="The oven needs ten minutes")])
    entries = [MemoryEntry(content=content, timestamp="2026-01-02T00:00:00Z", custom_metadata={"by": "kim"})]
    asyncio.run(service.add_memory(memories=entries, **SCOPE))
    (record,) = host.as_user("alex").list(project="cooking").memories
    assert (record.text, record.metadata["by"], record.visibility) == (
        "The oven needs ten minutes", "kim", "private"
    )  # fmt: skip
    assert searched(service, "oven") == ["The oven needs ten minutes"]
    empty = [MemoryEntry(content=types.Content(parts=[]))]
    with pytest.raises(InvalidInput):
        asyncio.run(service.add_memory(memories=empty, **SCOPE))


def test_what_is_never_remembered_is_left_out_without_an_error(host: Memory) -> None:
    host.as_user("alex").never("my salary")
    service = HoldfastMemoryService(host)
    add(service, session(event("1", "My salary is 90,000 euros"), event("2", "I like tea.")))
    assert searched(service, "salary tea") == ["I like tea."]


class Model(BaseLlm):
    """A model that loads memory when it is asked a question, and answers with what it was told."""

    async def generate_content_async(self, llm_request: Any, stream: bool = False) -> AsyncIterator[Any]:
        last = llm_request.contents[-1].parts[-1]
        if last.function_response is not None:
            part = types.Part(text=f"I was told: {last.function_response.response}")
        elif last.text.endswith("?"):
            part = types.Part(function_call=types.FunctionCall(name="load_memory", args={"query": last.text}))
        else:
            part = types.Part(text="I see.")
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


def test_an_agent_finds_by_its_tool_what_was_said_in_another_session(host: Memory) -> None:
    sessions, service = InMemorySessionService(), HoldfastMemoryService(host)
    agent = Agent(name="cook", model=Model(model="scripted"), tools=[load_memory])
    runner = Runner(app_name="cooking", agent=agent, session_service=sessions, memory_service=service)

    async def say(text: str, session_id: str) -> str:
        message = types.Content(role="user", parts=[types.Part(text=text)])
        scope = {"user_id": "alex", "session_id": session_id}
        if await sessions.get_session(app_name="cooking", **scope) is None:
            await sessions.create_session(app_name="cooking", **scope)
        replies = [event async for event in runner.run_async(new_message=message, **scope)]
        ended = await sessions.get_session(app_name="cooking", **scope)
        await service.add_session_to_memory(ended)
        return str(replies[-1].content.parts[0].text)

    assert asyncio.run(say("I'm allergic to nuts.", "s1")) == "I see."
    assert "allergic to nuts" in asyncio.run(say("What am I allergic to?", "s2"))
