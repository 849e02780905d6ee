"""`HoldfastMemoryService`, a memory service of Google's Agent Development Kit over a memory."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from google.adk.events.event import Event
from google.adk.memory import BaseMemoryService
from google.adk.memory.base_memory_service import SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions import Session
from google.genai import types

from holdfast.api.memory import Memory
from holdfast.core.arguments import LIMIT_MAX
from holdfast.core.errors import InvalidInput, NotFound
from holdfast.core.hits import Hit
from holdfast.core.pages import each
from holdfast.core.record import Outcome
from holdfast.core.times import to_iso
from holdfast.integrations.assistant import Assistant


class HoldfastMemoryService(BaseMemoryService):
    """A memory service that stores events as messages of a conversation, where recall finds them.

    A user of the kit is a user of the store, an app is a project, and nothing is seen by another user or from
    another app. Instead of a store a function may be passed that returns the memory of a user, such as a
    service with the API key of that user. A search returns at most `limit` memories.
    """

    def __init__(self, memory: Memory | Callable[[str], Memory], *, limit: int = 10) -> None:
        self._memory_of = memory.as_user if isinstance(memory, Memory) else memory
        self._limit = limit

    async def add_session_to_memory(self, session: Session) -> None:
        """Stores the events of a session that have text, each once. Raises InvalidInput if one cannot be
        stored; the others are."""
        await self.add_events_to_memory(
            app_name=session.app_name, user_id=session.user_id, events=session.events, session_id=session.id
        )

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Stores events that have text, each once, with `custom_metadata`. Raises InvalidInput if one cannot
        be stored; the others are."""
        messages = [_message(event, custom_metadata or {}) for event in events]
        session = f"{app_name}/{session_id or 'events'}"
        await asyncio.to_thread(_add, self._assistant(app_name, user_id), messages, session)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Stores texts as notes. Raises InvalidInput if one cannot be stored; the others are."""
        assistant = self._assistant(app_name, user_id)
        notes: list[dict[str, Any]] = [
            {
                "text": _text(entry.content), "at": entry.timestamp, "name": entry.author,
                "project": app_name, "visibility": assistant.visibility,
                "metadata": {**(custom_metadata or {}), **entry.custom_metadata},
            }
            for entry in memories
        ]  # fmt: skip
        for result in await asyncio.to_thread(assistant.memory.remember_many, notes):
            if result.outcome is Outcome.REFUSED and result.code != "excluded":
                raise InvalidInput(result.reason, code=result.code or "argument_invalid")

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """Returns the memories of a user in an app that match a query, best first."""
        if not query.strip():
            return SearchMemoryResponse()
        hits = await asyncio.to_thread(self._assistant(app_name, user_id).search, query, limit=self._limit)
        return SearchMemoryResponse(memories=[_entry(hit) for hit in hits])

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Forgets the memory with an id that a search has returned, if there is one."""
        if memory_id:
            await asyncio.to_thread(_forget, self._assistant(app_name, user_id), memory_id)

    def _assistant(self, app: str, user: str) -> Assistant:
        return Assistant(self._memory_of(user), app, personal=False)


def _add(assistant: Assistant, messages: Sequence[dict[str, Any]], session: str) -> None:
    """Stores messages but those that were deleted: a session is added again whenever it goes on."""
    place: dict[str, Any] = {"project": assistant.project, "session": session}
    listed = partial(assistant.memory.list, **place, kinds="message", status="deleted", limit=LIMIT_MAX)
    deleted = {record.external_id for record in each(lambda cursor: listed(cursor=cursor))}
    assistant.add([message for message in messages if message["id"] not in deleted], session=session)


def _forget(assistant: Assistant, id: str) -> None:
    with suppress(NotFound):
        if assistant.holds(assistant.memory.get(id)):
            assistant.memory.forget(id)


def _message(event: Event, metadata: Mapping[str, object]) -> dict[str, Any]:
    """Returns an event as a message to add to a session."""
    text, is_user = _text(event.content), event.author == "user"
    named = event.id or hashlib.sha256(f"{event.author}\n{event.timestamp}\n{text}".encode()).hexdigest()
    return {
        "id": named,
        "role": "user" if is_user else "assistant",
        "content": text,
        "at": event.timestamp * 1_000,
        "name": None if is_user else event.author or None,
        "metadata": dict(metadata),
    }


def _text(content: types.Content | None) -> str:
    """Returns the text of a content, without thoughts, calls of functions and data."""
    parts = (content.parts if content is not None else None) or []
    return "\n".join(part.text for part in parts if part.text and not part.thought)


def _entry(hit: Hit) -> MemoryEntry:
    """Returns a hit as an entry of the framework."""
    record = hit.memory
    is_model = record.role not in (None, "user")
    return MemoryEntry(
        id=record.id, author=record.name or record.role or record.said_by, timestamp=to_iso(record.at),
        content=types.Content(parts=[types.Part(text=record.text)], role="model" if is_model else "user"),
        custom_metadata={**record.metadata, "kind": record.kind, "confidence": hit.confidence},
    )  # fmt: skip
