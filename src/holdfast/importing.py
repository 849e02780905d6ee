"""Importing: keeps what an export of another program holds, and accounts for every message."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holdfast.domain.memories import Kept
    from holdfast.importers import ChatExport, Conversation
    from holdfast.memory import Memory

BATCH = 1_000
"""Messages kept in one transaction: durable together, and progress is seen."""


@dataclass(slots=True)
class Account:
    """What became of every message of an export: each is in `outcomes`, or in the export's `skipped`."""

    outcomes: Counter[str] = field(default_factory=Counter)
    redactions: Counter[str] = field(default_factory=Counter)
    redacted: list[Kept] = field(default_factory=list)
    refused: list[dict[str, Any]] = field(default_factory=list)

    def add(self, conversation: Conversation, ids: list[str], kept: list[Kept]) -> None:
        """Counts the outcomes of some messages of one conversation."""
        for id, one in zip(ids, kept, strict=True):
            self.outcomes[one.outcome.value] += 1
            if one.redactions and one.outcome.value != "duplicate":
                self.redactions.update(one.redactions)
                self.redacted.append(one)
            if one.outcome.value == "refused":
                place = {"session": conversation.id, "message": id}
                self.refused.append({**place, "code": one.code, "reason": one.reason})

    def as_dict(self, export: ChatExport) -> dict[str, Any]:
        """The whole account as plain JSON."""
        return {
            "platform": export.platform,
            "sha256": export.sha256,
            "conversations": len(export.conversations),
            "messages": export.message_count,
            "outcomes": dict(self.outcomes),
            "redactions": dict(self.redactions),
            "refused": self.refused,
            "skipped": [{"where": s.where, "reason": s.reason, "count": s.count} for s in export.skipped],
        }


def keep_export(
    memory: Memory,
    export: ChatExport,
    advance: Callable[[int], None],
    *,
    filename: str,
    project: str | None = None,
    visibility: str | None = None,
    workspace: str | None = None,
) -> Account:
    """Keeps all conversations of an export, each as a session with its title; its messages name the export
    as their source (S2.4)."""
    account = Account()
    source = memory.sources.add(
        export.platform,
        export.sha256,
        filename=filename,
        message_count=export.message_count,
        conversation_count=len(export.conversations),
    )
    for conversation in export.conversations:
        for start in range(0, len(conversation.messages), BATCH):
            part = conversation.messages[start : start + BATCH]
            messages = [
                {
                    "role": m.role,
                    "content": m.content,
                    "name": m.name,
                    "at": m.at,
                    "id": m.id,
                    "position": m.index,
                }
                for m in part
            ]
            kept = memory.add_messages(
                messages,
                session=conversation.id,
                project=project,
                visibility=visibility,
                workspace=workspace,
                source=source.id,
            )
            account.add(conversation, [m.id for m in part], kept)
            advance(len(part))
        _name(memory, conversation, source.id)
    return account


def _name(memory: Memory, conversation: Conversation, source: str) -> None:
    """Gives a session that has no name yet its title, and says where it came from."""
    from holdfast.domain.errors import HoldfastError

    try:
        session = memory.sessions.get(conversation.id)
        if session.name is None and not session.metadata:
            memory.sessions.create(conversation.id, name=conversation.title, metadata={"source": source})
    except HoldfastError as error:
        # a title that cannot be used is no reason to lose the messages; a broken store is
        if error.exit_status >= 5:
            raise
