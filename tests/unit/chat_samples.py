"""Builders of chat exports in the true formats, and short forms of what is asserted about them."""

import io
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, BinaryIO

import pytest

from holdfast.core.errors import InvalidInput
from holdfast.features.transfer.formats import files
from holdfast.features.transfer.formats.chat import ChatReader
from holdfast.features.transfer.formats.containers import InFile
from holdfast.features.transfer.formats.model import REST, Conversation, Skipped

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ChatExport:
    """All of one export, read at once. `sha256` is that of the file as it was given (S2.4)."""

    platform: str
    sha256: str
    conversations: tuple[Conversation, ...]
    skipped: tuple[Skipped, ...]

    @property
    def breaks_off(self) -> bool:
        """Whether a file was not read to its end, as one that was cut off."""
        return any(skipped.reason.startswith(REST) for skipped in self.skipped)

    @property
    def message_count(self) -> int:
        return sum(len(conversation.messages) for conversation in self.conversations)

    @property
    def skipped_count(self) -> int:
        return sum(skipped.count for skipped in self.skipped)


def read_chat(path: Path | str, *, platform: str | None = None) -> ChatExport:
    """The whole of a file."""
    with files.open_file(Path(path)) as stream:
        return _read(stream, Path(path).name, platform)


def read_chat_text(data: str | bytes, *, filename: str = "", platform: str | None = None) -> ChatExport:
    """The whole of a pasted text or of the bytes of an upload."""
    stream = io.BytesIO(data.encode("utf-8", "replace") if isinstance(data, str) else data)
    return _read(stream, PurePath(filename).name or "the text", platform)


def _read(stream: BinaryIO, name: str, platform: str | None) -> ChatExport:
    reading = ChatReader(InFile(stream, name), platform)
    sha256 = files.digest(stream, name)
    conversations = tuple(item for item in reading if isinstance(item, Conversation))
    assert reading.platform is not None
    return ChatExport(reading.platform, sha256, conversations, reading.skipped)


def read(document: object, **options: str) -> ChatExport:
    """The export that this JSON document is."""
    return read_chat_text(json.dumps(document), **options)


def messages_by_conversation(export: ChatExport) -> list[list[tuple[str, str]]]:
    """Roles and texts, by conversation."""
    return [[(m.role, m.content) for m in c.messages] for c in export.conversations]


def reasons(export: ChatExport) -> dict[str, int]:
    """How many items were skipped for which reason."""
    totals: dict[str, int] = {}
    for skipped in export.skipped:
        totals[skipped.reason] = totals.get(skipped.reason, 0) + skipped.count
    return totals


def fails(code: str, data: str | bytes, **options: str) -> InvalidInput:
    """The error with this code that the data gives."""
    with pytest.raises(InvalidInput) as caught:
        read_chat_text(data, **options)
    assert caught.value.code == code
    return caught.value


def node(
    key: str,
    parent: str | None,
    role: str = "user",
    text: str | None = None,
    at: float | None = None,
    **message: Any,
) -> Json:
    """One node of a ChatGPT mapping."""
    content = {"content_type": "text", "parts": [text if text is not None else key]}
    body = {"id": f"m-{key}", "author": {"role": role}, "create_time": at, "content": content} | message
    return {"id": key, "parent": parent, "children": [], "message": body}


def chatgpt(*nodes: Json, current: str | None = None) -> Json:
    """A conversation of ChatGPT's export."""
    mapping = {n["id"]: n for n in nodes}
    conversation = {"id": "c-1", "title": "A chat", "create_time": 1_770_000_000.25, "mapping": mapping}
    return conversation | ({"current_node": current} if current else {})


def claude(*messages: Any, **fields: Any) -> Json:
    """A conversation of Claude's export."""
    return {
        "uuid": "k-1",
        "name": "Talk",
        "created_at": "2026-02-03T09:00:00.5Z",
        "chat_messages": list(messages),
    } | fields


def turn(
    uuid: str,
    sender: str,
    text: str,
    parent: str | None = None,
    at: str | None = "2026-02-03T09:00:01Z",
    **fields: Any,
) -> Json:
    """A message of Claude's export."""
    return {
        "uuid": uuid,
        "sender": sender,
        "text": text,
        "parent_message_uuid": parent,
        "created_at": at,
    } | fields


def content(role: str, *texts: str) -> Json:
    """One turn of a Gemini call."""
    return {"role": role, "parts": [{"text": text} for text in texts]}


def record(title: str, time: str | None, *answers: str, **fields: Any) -> Json:
    """One activity record of Google Takeout."""
    html = {"safeHtmlItem": [{"html": answer} for answer in answers]} if answers else {}
    return (
        {"header": "Gemini Apps", "products": ["Gemini Apps"], "title": title, "time": time} | html | fields
    )


def archive(members: dict[str, str | bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive with these files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as target:
        for name, data in members.items():
            target.writestr(name, data)
    return buffer.getvalue()
