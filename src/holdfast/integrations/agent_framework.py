"""`HoldfastContextProvider` and `HoldfastHistoryProvider` for Microsoft's agent-framework, over a memory."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any
from uuid import uuid4

from agent_framework import AgentSession, ContextProvider, HistoryProvider, Message, SessionContext

from holdfast.api.memory import Memory
from holdfast.core.record import Memory as Record
from holdfast.integrations.assistant import Assistant
from holdfast.integrations.documents import text_of
from holdfast.integrations.history import History

Memories = Memory | Callable[[AgentSession], Memory]
"""A memory, or a function that returns that of the user of a session, such as by `session.state`."""
_SAID = ("user", "assistant")
_TEXT = frozenset({"type", "text"})
_REST_MAX = 8_000
"""Characters of what a message has beside its text that are stored as metadata."""


class HoldfastContextProvider(ContextProvider):
    """A provider that gives each run what is remembered about its input, and stores what is said in it.

    Input and responses are messages of the conversation with the id of the session. What is remembered, at
    most `budget` tokens, is a message before the input. Pass `stores=False` beside a
    `HoldfastHistoryProvider`, which stores the same messages.
    """

    def __init__(
        self,
        memory: Memories,
        *,
        project: str | None = None,
        budget: int = 1_000,
        personal: bool = True,
        stores: bool = True,
        source_id: str = "holdfast",
    ) -> None:
        super().__init__(source_id)
        self._memory = memory
        self._project = project
        self._budget = budget
        self._personal = personal
        self._stores = stores

    async def before_run(
        self, *, agent: Any, session: AgentSession, context: SessionContext, state: dict[str, Any]
    ) -> None:
        """Adds what is remembered about the input."""
        prompt = "\n".join(message.text for message in context.input_messages if message.role == "user")
        recalled = await asyncio.to_thread(
            self._assistant(session).context, prompt, session=session.session_id, budget=self._budget
        )
        if recalled:
            context.extend_messages(self, [Message("user", [recalled])])

    async def after_run(
        self, *, agent: Any, session: AgentSession, context: SessionContext, state: dict[str, Any]
    ) -> None:
        """Stores what was said. Raises InvalidInput if it cannot be stored."""
        messages = [*context.input_messages, *(context.response.messages if context.response else ())]
        turns = [
            {"id": uuid4().hex, "role": message.role, "content": message.text, "name": message.author_name}
            for message in messages
            if message.role in _SAID
        ]
        if self._stores:
            await asyncio.to_thread(self._assistant(session).add, turns, session=session.session_id)

    def _assistant(self, session: AgentSession) -> Assistant:
        memory = self._memory if isinstance(self._memory, Memory) else self._memory(session)
        return Assistant(memory, self._project, self._personal)


class HoldfastHistoryProvider(HistoryProvider):
    """A provider that keeps the history of sessions as messages of conversations, where recall finds them.

    Messages of text are stored as they were said; other ones, such as calls of tools and their results, as
    JSON. The options are those of `HistoryProvider`.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        project: str | None = None,
        source_id: str = "holdfast_history",
        **options: Any,
    ) -> None:
        super().__init__(source_id, **options)
        self._memory = memory
        self._project = project

    async def get_messages(
        self, session_id: str | None, *, state: dict[str, Any] | None = None, **_: Any
    ) -> list[Message]:
        """Returns the messages of a session in their order."""
        records = await asyncio.to_thread(self._history(session_id).records)
        return [_message(record) for record in records]

    async def save_messages(
        self,
        session_id: str | None,
        messages: Sequence[Message],
        *,
        state: dict[str, Any] | None = None,
        **_: Any,
    ) -> None:
        """Appends messages to a session. Raises InvalidInput if one cannot be stored; the others are."""
        await asyncio.to_thread(self._history(session_id).append, map(_message_parts, messages))

    def _history(self, session_id: str | None) -> History:
        return History(self._memory, session_id or self.source_id, project=self._project)


def _message_parts(message: Message) -> tuple[str, str, dict[str, Any]]:
    """Returns role, text and metadata of a message; of one that is not text alone, JSON as its text."""
    whole = message.to_dict()
    contents = whole.get("contents") or []
    rest = {name: value for name, value in whole.items() if name != "contents" and value}
    is_text = len(contents) == 1 and {name for name, value in contents[0].items() if value} <= _TEXT
    if is_text and message.text.strip() and len(json.dumps(rest)) <= _REST_MAX:
        return message.role, message.text, {"rest": rest}
    return message.role, json.dumps(whole, ensure_ascii=False), {"whole": True}


def _message(record: Record) -> Message:
    """Returns a record as a message of the framework."""
    text = text_of(record)
    if record.metadata.get("whole"):
        with suppress(ValueError):  # unless a secret was removed with what surrounded it
            return Message.from_dict(json.loads(text))
    rest = record.metadata.get("rest") or {"role": record.role or "user"}
    return Message.from_dict({**rest, "contents": [{"type": "text", "text": text}]})
