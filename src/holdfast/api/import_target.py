"""Target of an import, and the forms in which its items get there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from holdfast.features.transfer.formats.model import ChatMessage
from holdfast.features.transfer.restore import RECORD_TYPES


@dataclass(frozen=True, slots=True)
class Target:
    """The target of an import, with the argument names of `remember`. With `gives_way`, a conversation that
    is already stored stays in its project, and what belongs to a project of the export goes there; with
    `moves` a stored conversation is moved to the target.
    """

    project: str | None = None
    workspace: str | None = None
    visibility: str | None = None
    gives_way: bool = False
    moves: bool = False
    anew: bool = False
    """Whether what was forgotten is stored again."""
    vouched: bool = False
    """Whether a person says that an export of Holdfast is their own."""

    def project_of(self, own: str | None) -> str | None:
        """Returns the project of an item whose project in the export is `own`."""
        if self.project is None or (self.gives_way and own is not None):
            return own
        return self.project


def record_type(record: Mapping[str, Any]) -> str:
    """Returns the type of a record of Holdfast's own export, `record` if it is not known."""
    kind = record.get("type")
    return kind if isinstance(kind, str) and kind in RECORD_TYPES else "record"


def message_fields(message: ChatMessage) -> dict[str, Any]:
    """Returns a message of an export with the field names of `add_messages`."""
    fields: dict[str, Any] = {
        "role": message.role, "content": message.content, "name": message.name, "at": message.at,
        "id": message.id, "position": message.index,
    }  # fmt: skip
    return {**fields, "metadata": {"attachments": list(message.attached)}} if message.attached else fields
