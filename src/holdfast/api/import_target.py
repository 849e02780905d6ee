"""Target of an import, and the forms in which its items get there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypedDict

from holdfast.core.record import Origin
from holdfast.features.admission.draft import Draft
from holdfast.features.transfer.formats.model import ChatMessage
from holdfast.features.transfer.restore import RECORD_TYPES


class ImportOptions(TypedDict, total=False):
    """The arguments of `import_path` that say where items go; see there."""

    project: str | None
    workspace: str | None
    visibility: str | None
    moves: bool
    with_forgotten: bool
    vouched: bool


@dataclass(frozen=True, slots=True)
class Target:
    """The target of an import, from `ImportOptions`. With `gives_way`, what belongs to a project of the
    export goes there.
    """

    project: str | None = None
    workspace: str | None = None
    visibility: str | None = None
    moves: bool = False
    with_forgotten: bool = False
    vouched: bool = False
    gives_way: bool = False

    def project_of(self, name: str | None) -> str | None:
        """Returns the project of an item whose project in the export is `name`."""
        if self.project is None or (self.gives_way and name is not None):
            return name
        return self.project

    def draft(self, text: str, kind: str, source: str | None, **more: Any) -> Draft:
        """Returns the draft of a text of the import, in the project of the target unless `more` names one."""
        more.setdefault("project", self.project)
        return Draft(
            text, kind, workspace=self.workspace, visibility=self.visibility, taken_from=Origin.IMPORT,
            source=source, anew=self.with_forgotten, **more,
        )  # fmt: skip


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
