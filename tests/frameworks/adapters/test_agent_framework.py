"""The providers for Microsoft's agent-framework, under an agent whose model is scripted."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from holdfast import Memory

pytest.importorskip("agent_framework")

from agent_framework import (
    Agent,
    AgentSession,
    BaseChatClient,
    ChatResponse,
    Content,
    FunctionInvocationLayer,
    Message,
    tool,
)

from holdfast.integrations.agent_framework import HoldfastContextProvider, HoldfastHistoryProvider


class Client(FunctionInvocationLayer, BaseChatClient):  # type: ignore[misc]
    """A model that gives these responses in turn, and notes what it was asked."""

    def __init__(self, *responses: Any) -> None:
        super().__init__()
        self.responses = list(responses)
        self.requests: list[list[Any]] = []

    def _inner_get_response(self, *, messages: Any, stream: bool, options: Any, **_: Any) -> Any:
        async def respond() -> Any:
            self.requests.append(list(messages))
            return ChatResponse(messages=[Message("assistant", [self.responses.pop(0)])])

        return respond()

    @property
    def asked(self) -> str:
        return "\n".join(message.text for message in self.requests[-1])


def test_an_agent_is_given_what_was_said_in_another_session(host: Memory) -> None:
    client = Client("I will keep that in mind.", "Pasta.")
    agent = Agent(client=client, context_providers=[HoldfastContextProvider(host, project="cooking")])
    asyncio.run(agent.run("I'm allergic to nuts.", session=AgentSession(session_id="s1")))
    assert client.asked == "I'm allergic to nuts."
    stored = host.sessions.messages("s1").memories
    assert [(one.role, one.text, one.project) for one in stored] == [
        ("user", "I'm allergic to nuts.", "cooking"),
        ("assistant", "I will keep that in mind.", "cooking"),
    ]
    asyncio.run(agent.run("What am I allergic to?", session=AgentSession(session_id="s2")))
    known, question = client.requests[-1]
    assert "allergic to nuts" in known.text
    assert question.text == "What am I allergic to?"


def test_users_and_projects_are_apart(host: Memory) -> None:
    client = Client(*["I see."] * 5)

    def ask(text: str, user: str, project: str, session: str) -> str:
        provider = HoldfastContextProvider(
            lambda session: host.as_user(session.state["user"]), project=project
        )
        one = AgentSession(session_id=session)
        one.state["user"] = user
        asyncio.run(Agent(client=client, context_providers=[provider]).run(text, session=one))
        return client.asked

    ask("The code of the oven is 4711.", "alex", "cooking", "s1")
    assert "4711" in ask("What is the code of the oven?", "alex", "cooking", "s2")
    assert "4711" not in ask("What is the code of the oven?", "kim", "cooking", "s1")
    assert "4711" not in ask("What is the code of the oven?", "alex", "work", "s3")


def test_history_comes_back_as_it_was(host: Memory) -> None:
    provider = HoldfastHistoryProvider(host)
    messages = [
        Message("system", ["Be brief.\n"]),
        Message("user", ["  Bake a cake\r\n"], author_name="alex", message_id="m1"),
        Message("assistant", [Content.from_function_call(call_id="c1", name="oven", arguments={"to": 200})]),
        Message("tool", [Content.from_function_result(call_id="c1", result="hot")]),
        Message("user", ["Look:", Content.from_uri("https://example.com/cake.png", media_type="image/png")]),
        Message("assistant", [""], additional_properties={"tone": "kind"}),
        Message("assistant", ["Baked."], additional_properties={"log": "x" * 20_000}),
    ]  # fmt: skip

    async def run() -> list[Any]:
        assert await provider.get_messages("s1") == []
        await provider.save_messages("s1", messages[:2])
        await provider.save_messages("s1", [])
        await provider.save_messages("s1", messages[2:])
        return await provider.get_messages("s1")

    loaded = asyncio.run(run())
    assert [message.to_dict() for message in loaded] == [message.to_dict() for message in messages]
    assert host.recall("cake", session="s1")[0].memory.text == "Bake a cake"


def test_an_agent_goes_on_where_another_process_stopped(host: Memory) -> None:
    @tool(approval_mode="never_require")
    def oven(degrees: int) -> str:
        """Heats the oven."""
        return f"The oven has {degrees} degrees"

    call = Content.from_function_call(call_id="c1", name="oven", arguments={"degrees": 200})
    first = Client(call, "It is hot.")
    agent = Agent(client=first, tools=[oven], context_providers=[HoldfastHistoryProvider(host)])
    asyncio.run(agent.run("Heat the oven", session=AgentSession(session_id="s1")))

    second = Client("Now it bakes.")
    agent = Agent(client=second, tools=[oven], context_providers=[HoldfastHistoryProvider(host)])
    asyncio.run(agent.run("Put the cake in", session=AgentSession(session_id="s1")))
    assert [message.role for message in second.requests[0]] == [
        "user",
        "assistant",
        "tool",
        "assistant",
        "user",
    ]
    assert "200 degrees" in str(second.requests[0][2].contents[0].result)


def test_histories_of_users_and_sessions_are_apart(host: Memory) -> None:
    async def run() -> None:
        alex, kim = (HoldfastHistoryProvider(host.as_user(user)) for user in ("alex", "kim"))
        await alex.save_messages("s1", [Message("user", ["I like tea"])])
        assert await kim.get_messages("s1") == []
        assert await alex.get_messages("s2") == []
        assert len(await alex.get_messages("s1")) == 1

    asyncio.run(run())


def test_context_and_history_together_store_once(host: Memory) -> None:
    client = Client("I see.")
    providers = [HoldfastHistoryProvider(host), HoldfastContextProvider(host, stores=False)]
    agent = Agent(client=client, context_providers=providers)
    asyncio.run(agent.run("I like tea.", session=AgentSession(session_id="s1")))
    assert len(host.sessions.messages("s1").memories) == 2
