"""`HoldfastMemoryBlock`, a memory block of LlamaIndex over a memory."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.memory import BaseMemoryBlock
from pydantic import Field

from holdfast.api.memory import Memory
from holdfast.core.text import count_tokens
from holdfast.integrations.assistant import Assistant

_SAID = {MessageRole.USER: "user", MessageRole.ASSISTANT: "assistant", MessageRole.CHATBOT: "assistant"}


class HoldfastMemoryBlock(BaseMemoryBlock[str]):
    """A block of long-term memory: what leaves the short-term memory is stored as messages of a conversation,
    and what is remembered about the latest message comes back, in at most `budget` tokens.

    It remembers across conversations of the user of `memory`, within a `project` if one is given.
    """

    name: str = Field(default="holdfast")
    memory: Memory
    project: str | None = None
    budget: int = 1_000
    personal: bool = True

    async def _aget(
        self, messages: list[ChatMessage] | None = None, session_id: str | None = None, **_: Any
    ) -> str:
        """Returns what is remembered about the latest message of the user; empty if nothing is."""
        user_messages = [message for message in messages or () if message.role == MessageRole.USER]
        prompt = (user_messages[-1].content if user_messages else None) or ""
        return await asyncio.to_thread(
            self._assistant.context, prompt, session=session_id, budget=self.budget
        )

    async def _aput(self, messages: list[ChatMessage]) -> None:
        """Stores what user and assistant said. Raises InvalidInput if a message cannot be stored; the others
        are."""
        by_session: dict[str, list[dict[str, str]]] = {}
        for message in messages:
            if message.role in _SAID:
                session = str(message.additional_kwargs.get("session_id") or self.name)
                by_session.setdefault(session, []).append(
                    {"id": uuid4().hex, "role": _SAID[message.role], "content": message.content or ""}
                )
        for session, contents in by_session.items():
            await asyncio.to_thread(self._assistant.add, contents, session=session)

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """Returns the content without its last lines, so many tokens less; None if no memory is left in
        it."""
        lines = content.splitlines(keepends=True)
        while lines and tokens_to_truncate > 0:
            tokens_to_truncate -= count_tokens(lines.pop())
        return "".join(lines) if any(line.startswith("- [") for line in lines) else None

    @property
    def _assistant(self) -> Assistant:
        return Assistant(self.memory, self.project, self.personal)
