"""Reader of Claude's conversations.json and design chats: conversations with their messages (S2.21)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from holdfast.features.transfer.formats.assemble import REPLACED, on_screen
from holdfast.features.transfer.formats.fields import (
    as_list,
    as_map,
    by_time,
    identifier,
    left_out,
    line_of,
    media_of,
    role_of,
    stable_id,
    text_of,
    time_of,
)
from holdfast.features.transfer.formats.model import ATTACHMENT, CONVERSATION, PART, Draft, Skip, Thread


def recognises(item: object) -> bool:
    """Returns whether an item is a conversation of Claude's export."""
    return isinstance(as_map(item).get("chat_messages"), list) or _is_design_chat(item)


def _is_design_chat(item: object) -> bool:
    return any(
        isinstance(as_map(as_map(message).get("content")).get("contentBlocks"), list)
        for message in as_list(as_map(item).get("messages"))
    )


def threads(items: Iterator[object], skip: Skip) -> Iterator[Thread]:
    """Yields each conversation in the order of its list, without branches abandoned by an edit."""
    for number, item in enumerate(items, 1):
        if not recognises(item):
            skip(f"item {number}", "not a Claude conversation", CONVERSATION)
            continue
        fields = as_map(item)
        thread = Thread(
            id=identifier(fields.get("uuid")),
            title=line_of(fields.get("name")) or line_of(fields.get("title")),
            created_at=time_of(fields.get("created_at")),
            project=line_of(as_map(fields.get("project")).get("name")),
            updated_at=_updated_at(fields),
        )
        if _is_design_chat(item):
            thread.drafts.extend(_designed(as_map(message)) for message in fields["messages"])
        else:
            for message in _visible(fields, thread, skip):
                thread.drafts.extend(_drafts(message))
            if text_of(fields.get("summary")):
                skip(thread.label, "a summary by the program", "summary")
        yield thread


def _updated_at(conversation: dict[str, Any]) -> int | None:
    """Returns when a conversation was last changed; if that is missing, when its last message was said."""
    messages = [*as_list(conversation.get("chat_messages")), *as_list(conversation.get("messages"))]
    times = (time_of(as_map(message).get("created_at")) for message in messages)
    return time_of(conversation.get("updated_at")) or max(filter(None, times), default=None)


def _visible(conversation: dict[str, Any], thread: Thread, skip: Skip) -> list[dict[str, Any]]:
    """Returns the messages of the branch on screen, and notes those that later versions replaced; all of them
    if the export names no parents."""
    messages = []
    for message in as_list(conversation["chat_messages"]):
        if isinstance(message, dict):
            messages.append(message)
        else:
            skip(thread.label, "not a message")
    by_id = {uuid: message for message in messages if isinstance(uuid := message.get("uuid"), str)}
    parents = {uuid: _parent(message) for uuid, message in by_id.items()}
    if len(by_id) < len(messages) or not any(parents.values()):
        return messages
    # the plain export does not name the branch in view
    leaf = conversation.get("current_leaf_message_uuid")
    chain = on_screen(parents, leaf, lambda uuid: by_time(by_id[uuid].get("created_at")))
    visible = set(chain)
    for uuid, message in by_id.items():
        if uuid not in visible:
            drafts = _drafts(message)
            for draft in drafts:
                skip(thread.label, REPLACED, draft.item_type)
            for _ in _named_files(message):
                skip(thread.label, REPLACED, ATTACHMENT)
            thread.replaced.extend(draft.id for draft in drafts if draft.id is not None)
    return [by_id[uuid] for uuid in chain]


def _parent(message: dict[str, Any]) -> str | None:
    """Returns the id of the message before one; first messages have a parent in common that is no message."""
    parent = message.get("parent_message_uuid")
    return parent if isinstance(parent, str) else None


def _drafts(message: dict[str, Any]) -> list[Draft]:
    """Returns a message, followed by the texts of the files that were attached to it."""
    role, name = role_of(message.get("sender"))
    at, id = time_of(message.get("created_at")), identifier(message.get("uuid"))
    attachments = [as_map(attachment) for attachment in as_list(message.get("attachments"))]
    named = _named_files(message)
    draft = Draft(
        role=role,
        # `text` repeats the blocks, but with a placeholder where a tool was used
        content=text_of(message.get("content")) or text_of(message.get("text")),
        name=name,
        at=at,
        id=id,
        attached=tuple(
            name for name in (_file_name(attachment) for attachment in (*attachments, *named)) if name
        ),
        left_out=(
            *left_out(message.get("content")),
            *((ATTACHMENT, media_of(attachment) or "a file without its text") for attachment in named),
        ),
    )
    texts = [
        Draft(
            "unknown",
            text_of(attachment.get("extracted_content")),
            _file_name(attachment) or "an attached file",
            at,
            None if id is None else stable_id(id, ATTACHMENT, number),
            ATTACHMENT,
        )
        for number, attachment in enumerate(attachments)
    ]
    return [draft, *texts]


def _named_files(message: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the files of a message of which the export has the name only: some are listed twice, and some
    again among those with their text."""
    names = {_file_name(as_map(attachment)) for attachment in as_list(message.get("attachments"))}
    files: dict[str, dict[str, Any]] = {}
    for file in (*as_list(message.get("files_v2")), *as_list(message.get("files"))):
        fields = as_map(file)
        key = _file_name(fields) or identifier(fields.get("file_uuid"))
        if key is not None and key not in names:
            files.setdefault(key, fields)
    return list(files.values())


def _file_name(fields: dict[str, Any]) -> str | None:
    return line_of(fields.get("file_name"))


def _designed(message: dict[str, Any]) -> Draft:
    """Returns a message of a design chat, whose text is in blocks of its own form."""
    content = as_map(message.get("content"))
    blocks = as_list(content.get("contentBlocks"))
    texts = [text_of(as_map(block).get("text")) for block in blocks if as_map(block).get("type") == "text"]
    others = [as_map(block).get("type") for block in blocks if as_map(block).get("type") != "text"]
    role, name = role_of(message.get("role"))
    reasons = {"thinking": "thoughts of the model", "tool_call": "call of a tool"}
    return Draft(
        role=role,
        content="\n".join(filter(None, texts)) or text_of(content.get("content")),
        name=name,
        at=time_of(message.get("created_at")) or time_of(content.get("timestamp")),
        id=identifier(message.get("uuid")),
        left_out=tuple((PART, reasons.get(str(kind), "a part without text")) for kind in others)
        + tuple((ATTACHMENT, "a file of a design") for _ in as_list(content.get("attachments"))),
    )
