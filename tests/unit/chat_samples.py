"""Builders of chat exports in the true formats, and short forms of what is asserted about them."""

import io
import json
import zipfile
from typing import Any

import pytest

from holdfast.domain.errors import InvalidInput
from holdfast.importers import ChatExport, read_chat_text

Json = dict[str, Any]


def read(document: object, **options: str) -> ChatExport:
    """The export that this JSON document is."""
    return read_chat_text(json.dumps(document), **options)


def said(export: ChatExport) -> list[list[tuple[str, str]]]:
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
