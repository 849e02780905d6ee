"""`HoldfastSession`, a session of the OpenAI Agents SDK: the history of a conversation in a memory."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from holdfast.api.memory import Memory
from holdfast.core.record import Memory as Record
from holdfast.integrations.documents import text_of
from holdfast.integrations.history import History

Item = dict[str, Any]


class HoldfastSession:
    """A session that keeps its items as messages of a conversation, where recall finds them.

    It implements the protocol `Session`. Messages of text are stored as they were said; other items, such as
    calls of tools and their outputs, as JSON. What is popped or cleared is forgotten and can be restored.
    """

    def __init__(
        self, session_id: str, memory: Memory, *, project: str | None = None, session_settings: Any = None
    ) -> None:
        self.session_id = session_id
        self.session_settings = session_settings
        self._history = History(memory, session_id, project=project)

    async def get_items(self, limit: int | None = None) -> list[Item]:
        """Returns the items in their order; with a limit, the last ones."""
        if limit is None and self.session_settings is not None:
            settings = self.session_settings
            limit = settings.get("limit") if isinstance(settings, Mapping) else settings.limit
        records = await asyncio.to_thread(self._history.records)
        return [
            _item(record) for record in (records if limit is None else records[-limit:] if limit > 0 else ())
        ]

    async def add_items(self, items: Sequence[Mapping[str, Any]]) -> None:
        """Appends items. Raises InvalidInput if one cannot be stored; the others are."""
        messages = [_message(dict(item)) for item in items]
        await asyncio.to_thread(self._history.append, messages)

    async def pop_item(self) -> Item | None:
        """Removes and returns the last item; None if there is none."""
        return await asyncio.to_thread(self._pop)

    async def clear_session(self) -> None:
        """Removes all items."""
        await asyncio.to_thread(self._clear)

    def _pop(self) -> Item | None:
        while records := self._history.records():
            if self._history.remove(records[-1]):  # otherwise another one has popped it
                return _item(records[-1])
        return None

    def _clear(self) -> None:
        for record in self._history.records():
            self._history.remove(record)


def _message(item: Item) -> tuple[str, str, Item]:
    """Returns role, text and metadata of an item as a message."""
    plain = (
        item.keys() == {"role", "content"} and isinstance(item["content"], str) and item["content"].strip()
    )
    text = item["content"] if plain else json.dumps(item, ensure_ascii=False)
    return item.get("role") or "tool", text, {"item": not plain}


def _item(record: Record) -> Item:
    """Returns a message as the item it was made of; as plain text if its JSON can no longer be read."""
    text = text_of(record)
    if record.metadata.get("item"):
        with suppress(ValueError):
            return dict(json.loads(text))
    return {"role": record.role or "user", "content": text}
