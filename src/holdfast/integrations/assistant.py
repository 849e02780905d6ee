"""`Assistant`, what the adapters to agent frameworks share: a memory and a place, with text for a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from holdfast.api.memory import Memory
from holdfast.core.errors import HoldfastError, InvalidInput
from holdfast.core.hits import Hits
from holdfast.core.kinds import KINDS
from holdfast.core.record import Kept, Outcome
from holdfast.core.record import Memory as Record
from holdfast.core.times import to_iso
from holdfast.features.recall.recall import QUERY_MAX

RECALLED = 8
"""Memories that a tool shows."""
_SAVED = {
    Outcome.PENDING: "Waits until a person has looked at it",
    Outcome.DUPLICATE: "Known already",
    Outcome.MERGED: "Known already",
}


@dataclass(frozen=True, slots=True)
class Assistant:
    """A memory and the place in it that an agent of a framework is bound to.

    The user is that of `memory`, the place is fixed: no text of a model chooses either. With a `project`,
    what the user has outside of projects is included unless `personal` is False; what is in other projects
    never is. What is stored is seen by its user alone, unless `visibility` is "project" or "team".
    """

    memory: Memory
    project: str | None = None
    personal: bool = True
    visibility: str = "private"

    def remember(self, text: str, kind: str) -> str:
        """Stores a text that a model wrote, and returns the outcome in words; an unknown kind becomes a
        note."""
        try:
            result = self.memory.remember(
                text, kind=kind if kind in KINDS else "note", project=self.project,
                visibility=self.visibility, origin="agent",
            )  # fmt: skip
        except HoldfastError as error:
            return f"Not saved: {error.in_full}"
        if result.memory is None or result.outcome is Outcome.REFUSED:
            return f"Not saved: {result.reason}"
        return f"{_SAVED.get(result.outcome, 'Saved')}, with the id {result.memory.id}."

    def recall(self, query: str) -> str:
        """Returns what is remembered about a query, a line for each memory, with its id."""
        lines = [
            f"- {hit.memory.id} ({hit.memory.kind}, {hit.memory.said_by}, {to_iso(hit.memory.at)[:10]}): "
            f"{' '.join((hit.passage or hit.memory.text).split())}"
            for hit in self.search(query, limit=RECALLED)
        ]
        return "\n".join(lines) or "Nothing is remembered about this."

    def forget(self, id: str) -> str:
        """Forgets a memory that `recall` has shown, and returns the outcome in words. What a person pinned or
        edited stays, as does what is elsewhere."""
        try:
            record = self.memory.get(id)
            if not self.holds(record):
                return f"There is no memory {id}."
            if record.pinned or record.edited:
                return f"A person pinned or edited memory {id}: only a person may forget it."
            self.memory.forget(record.id)
        except HoldfastError as error:
            return f"Not forgotten: {error.in_full}"
        return "Forgotten."

    def holds(self, record: Record) -> bool:
        """Returns whether a memory is in the place."""
        return record.project == self.project or (record.project is None and self.personal)

    def search(self, query: str, **options: Any) -> Hits:
        """Returns the memories of the place that match a query, best first, but what reads like instructions
        to a model."""
        return self.memory.recall(
            query[:QUERY_MAX], project=self.project, personal=self.personal, flagged=False, **options
        )

    def context(self, message: str, *, session: str | None = None, budget: int, window: int = 0) -> str:
        """Returns what helps to answer a message; empty if nothing is known. `window` is the number of the
        session's latest messages that the prompt has already. Instructions of the project are left out:
        agents have their own."""
        if not message.strip():
            return ""
        context = self.memory.context(
            message[:QUERY_MAX], project=self.project, session=session, role="chat", budget=budget,
            window=window, personal=self.personal, parts={"instructions": 0},
        )  # fmt: skip
        return context.text if context.entries else ""

    def add(self, messages: Iterable[Mapping[str, Any]], *, session: str) -> list[Kept]:
        """Stores messages of a conversation, each id once. What the user wants never to be remembered is left
        out. Raises InvalidInput for the first other one that cannot be stored; the others are."""
        non_blank = [message for message in messages if message["content"].strip()]
        if not non_blank:
            return []
        results = self.memory.add_messages(
            non_blank, session=session, project=self.project, visibility=self.visibility
        )
        for result in results:
            if result.outcome is Outcome.REFUSED and result.code != "excluded":
                raise InvalidInput(result.reason, code=result.code or "argument_invalid")
        return results
