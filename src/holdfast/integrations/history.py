"""`History`, the messages of a conversation, as frameworks store and read them in order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any
from uuid import uuid4

from holdfast.api.memory import Memory
from holdfast.core.arguments import LIMIT_MAX
from holdfast.core.errors import InvalidInput, NotFound
from holdfast.core.pages import each
from holdfast.core.record import Memory as Record
from holdfast.integrations.documents import packed


class History:
    """The messages of one conversation. A text comes back to the character by `text_of`, but for secrets."""

    def __init__(self, memory: Memory, session: str, *, project: str | None = None) -> None:
        self.memory = memory
        self._session = session
        self._project = project

    def records(self) -> list[Record]:
        """Returns the messages in their order; none if the conversation does not exist yet."""
        messages = partial(self.memory.sessions.messages, self._session, limit=LIMIT_MAX)
        with suppress(NotFound):
            return list(each(lambda cursor: messages(cursor=cursor)))
        return []

    def append(self, messages: Iterable[tuple[str, str, Mapping[str, Any]]]) -> None:
        """Appends messages: role, text and metadata of each. Raises InvalidInput if one cannot be stored; the
        others are."""
        entries = []
        for role, text, metadata in messages:
            content, form = packed(text)
            entries.append(
                {"id": uuid4().hex, "role": role, "content": content, "metadata": {**metadata, **form}}
            )
        if not entries:
            return
        for result in self.memory.add_messages(entries, session=self._session, project=self._project):
            if result.memory is None:
                raise InvalidInput(result.reason, code="argument_invalid")

    def remove(self, record: Record) -> bool:
        """Forgets a message. Returns False if somebody else has."""
        try:
            self.memory.forget(record.id)
        except NotFound:
            return False
        return True
