"""Reader of ChatGPT's conversations.json: trees of messages, and what it remembers (S2.21)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from holdfast.features.transfer.formats.assemble import REPLACED, on_screen
from holdfast.features.transfer.formats.assistant_memory import Memories
from holdfast.features.transfer.formats.fields import (
    as_list,
    as_map,
    by_time,
    first,
    identifier,
    left_out,
    line_of,
    media_of,
    role_of,
    text_of,
    time_of,
)
from holdfast.features.transfer.formats.model import (
    ATTACHMENT,
    CONVERSATION,
    Draft,
    ForeignProject,
    Note,
    Skip,
    Thread,
)

_PROJECT = re.compile(r"g-p-[0-9a-zA-Z]{8,64}")
"""Ids of projects; those of custom GPTs, whose chats are in no project, begin with `g-` alone."""

_INTERNAL = frozenset({"thoughts", "reasoning_recap", "tether_browsing_display", "system_error"})
"""Content types that are never shown as a message."""

_MARK = re.compile("\ue200([a-z_]*)(?:\ue202([^\ue200\ue201]*))?\ue201")
"""ChatGPT's inline marks in private-use characters: name, payload."""


def recognises(item: object) -> bool:
    """Returns whether an item is a conversation of ChatGPT's export."""
    return isinstance(as_map(item).get("mapping"), dict)


def threads(items: Iterator[object], skip: Skip) -> Iterator[Thread | Note | ForeignProject]:
    """Yields each conversation as it appears on screen: without abandoned branches, hidden messages, tools;
    before it its project, if that is new. What ChatGPT remembers follows: custom instructions as they were
    last, and its memories."""
    memories = Memories("chatgpt")
    projects: set[str] = set()
    for number, item in enumerate(items, 1):
        if not recognises(item):
            skip(f"item {number}", "not a ChatGPT conversation", CONVERSATION)
            continue
        fields = as_map(item)
        thread = Thread(
            id=identifier(fields.get("conversation_id")) or identifier(fields.get("id")),
            title=line_of(fields.get("title")),
            created_at=time_of(fields.get("create_time")),
            project=None if (project := _project(fields)) is None else project.name,
            updated_at=_updated_at(fields),
        )
        if project is not None and project.name not in projects:
            projects.add(project.name)
            yield project
        for message in _in_order(fields, thread, skip):
            reason = _remembered(message, memories, thread) or _why_hidden(message)
            if reason is None:
                thread.drafts.append(_draft(message))
                continue
            skip(thread.label, reason)
            for what, why in _left_out(message):
                if what == ATTACHMENT:
                    skip(thread.label, why, what)
        yield thread
    yield from memories.notes()


def _project(conversation: dict[str, Any]) -> ForeignProject | None:
    """Returns the project that a conversation is in. Exports hold its id and not its name, so it is named by
    the id, and described by a conversation of it."""
    ids = (conversation.get(key) for key in ("gizmo_id", "conversation_template_id"))
    id = next((id for id in ids if isinstance(id, str) and _PROJECT.fullmatch(id)), None)
    if id is None:
        return None
    title = line_of(conversation.get("title")) or "a conversation without a title"
    return ForeignProject(f"chatgpt-{id[4:16]}", f"ChatGPT's project {id}, with “{title[:200]}”", mark=id)


def _updated_at(conversation: dict[str, Any]) -> int | None:
    """Returns when a conversation was last changed; if that is missing, when its last message was said."""
    nodes = (as_map(as_map(node).get("message")) for node in conversation["mapping"].values())
    times = (time_of(message.get("create_time")) for message in nodes)
    return time_of(conversation.get("update_time")) or max(filter(None, times), default=None)


def _in_order(conversation: dict[str, Any], thread: Thread, skip: Skip) -> list[dict[str, Any]]:
    """Returns the messages on the screen in reading order, and notes those that later versions replaced.

    The chain of parents from `current_node` is what the person last saw. It takes precedence over time: an
    edited question leaves its old branch behind, and some messages on the chain have no time.
    """
    messages: dict[str, dict[str, Any]] = {}
    parents: dict[str, str | None] = {}
    for key, node in conversation["mapping"].items():
        parent, message = as_map(node).get("parent"), as_map(node).get("message")
        parents[key] = parent if isinstance(parent, str) else None
        if isinstance(message, dict):
            messages[key] = message
        elif message is not None:
            skip(thread.label, "not a message")
    chain = on_screen(
        parents,
        conversation.get("current_node"),
        lambda key: by_time(messages.get(key, {}).get("create_time")),
    )
    visible = set(chain)
    for key, message in messages.items():
        if key not in visible:
            hidden = _why_hidden(message)
            skip(thread.label, hidden or REPLACED)
            if hidden is None and (id := identifier(message.get("id"))) is not None:
                thread.replaced.append(id)
            for what, why in _left_out(message):
                if what == ATTACHMENT:
                    skip(thread.label, why, what)
    return [messages[key] for key in chain if key in messages]


def _is_placeholder(message: dict[str, Any]) -> bool:
    """Returns whether a message is the empty system message at the start of every chat."""
    return as_map(message.get("author")).get("role") == "system" and not _text(message)


def _why_hidden(message: dict[str, Any]) -> str | None:
    """Returns the reason why a message was not shown, or None if it was on screen."""
    author = as_map(message.get("author")).get("role")
    if _is_placeholder(message):
        return "an empty system message"
    if as_map(message.get("metadata")).get("is_visually_hidden_from_conversation") is True:
        return "hidden in the chat"
    if message.get("weight") == 0:
        return "hidden in the chat"
    if author == "tool":
        return "output of a tool"
    if author == "assistant" and message.get("recipient") not in (None, "all"):
        return "call of a tool"
    kind = as_map(message.get("content")).get("content_type")
    if isinstance(kind, str) and kind in _INTERNAL:
        return "internal to the model"
    return None


def _remembered(message: dict[str, Any], memories: Memories, thread: Thread) -> str | None:
    """Takes what ChatGPT remembers from a message, and returns what that is; None for others."""
    content = as_map(message.get("content"))
    at = time_of(message.get("create_time")) or thread.created_at
    kind, recipient = content.get("content_type"), message.get("recipient")
    if kind == "user_editable_context":
        data = as_map(as_map(message.get("metadata")).get("user_context_message_data"))
        about_user = first(data, ("about_user_message",)) or content.get("user_profile")
        about_answers = first(data, ("about_model_message",)) or content.get("user_instructions")
        memories.add_instructions(about_user, about_answers, at)
        return "custom instructions, taken as such"
    if kind == "model_editable_context":
        memories.add_list(content.get("model_set_context"), at)
        return "memories of ChatGPT, taken as such"
    if recipient == "bio" and as_map(message.get("author")).get("role") == "assistant":
        memories.add(_text(message), at)
        return "a memory of ChatGPT, taken as such"
    return None


def _left_out(message: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """Returns the parts and attachments of a message that are not taken, each once: an uploaded picture is
    listed among its parts and in its metadata."""
    parts = left_out(message.get("content"))
    named = [media_of(as_map(attachment)) for attachment in _attachments(message)]
    for reason in [reason for what, reason in parts if what == ATTACHMENT]:
        if reason in named:
            named.remove(reason)
    return (*parts, *((ATTACHMENT, reason or "a file without its text") for reason in named))


def _attachments(message: dict[str, Any]) -> list[Any]:
    return as_list(as_map(message.get("metadata")).get("attachments"))


def _draft(message: dict[str, Any]) -> Draft:
    """Returns a message with the names of its attachments and the parts of it that are not taken."""
    role, name = role_of(message.get("author"))
    names = (line_of(as_map(attachment).get("name")) for attachment in _attachments(message))
    return Draft(
        role=role,
        content=_text(message),
        name=name,
        at=time_of(message.get("create_time")),
        id=identifier(message.get("id")),
        attached=tuple(name for name in names if name),
        left_out=_left_out(message),
    )


def _text(message: dict[str, Any]) -> str:
    return _MARK.sub(_plain, text_of(message.get("content"))).strip()


def _plain(mark: re.Match[str]) -> str:
    """Replaces a mark that names a thing by its name, and one that cites a page by nothing."""
    name, payload = mark[1], mark[2] or ""
    if name == "url":
        return payload.split("\ue202")[0]
    if name != "entity":
        return ""
    try:
        return str(json.loads(payload)[1])
    except (ValueError, LookupError, TypeError, RecursionError):
        return ""
