"""Reader of Letta's agent files (.af), with blocks of memory and messages, and of the passages of its API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from holdfast.features.transfer.formats.fields import (
    as_list,
    as_map,
    clean,
    identifier,
    line_of,
    role_of,
    stable_id,
    text_of,
    time_of,
)
from holdfast.features.transfer.formats.model import ChatMessage, Conversation, Item, Note, Skip

_BLOCKS = {"human": "profile", "persona": "context"}
"""The kind of a block of memory by its label; of all others `note`."""


def recognises(item: object) -> bool:
    """Returns whether an item is an agent file, the older form with one agent, or a passage."""
    fields = as_map(item)
    if _is_passage(fields):
        return True
    return ("agents" in fields and "blocks" in fields) or ("agent_type" in fields and "core_memory" in fields)


def items(values: Iterator[object], skip: Skip) -> Iterator[Item]:
    """Yields the blocks and passages as notes, and what was said as a conversation for each agent."""
    for value in values:
        fields = as_map(value)
        if _is_passage(fields):
            yield from _note(fields, "passage", skip)
            continue
        agents = [as_map(agent) for agent in as_list(fields.get("agents"))] or [fields]
        blocks = as_list(fields.get("blocks")) + as_list(fields.get("core_memory"))
        for block in blocks:
            yield from _note(as_map(block), "block", skip)
        for agent in agents:
            for passage in as_list(agent.get("passages")) + as_list(agent.get("archival_memory")):
                yield from _note(as_map(passage), "passage", skip)
            yield from _conversation(agent, skip)
        for passage in as_list(fields.get("passages")) if "agents" in fields else ():
            yield from _note(as_map(passage), "passage", skip)


def _is_passage(fields: dict[str, Any]) -> bool:
    """Returns whether this is a passage, which agent files do not hold since Letta 0.16."""
    return str(fields.get("id")).startswith("passage-") and isinstance(fields.get("text"), str)


def _note(fields: dict[str, Any], item_type: str, skip: Skip) -> Iterator[Note]:
    """Yields a block or passage of an agent as a note; empty ones are skipped."""
    text = fields.get("value") if item_type == "block" else fields.get("text")
    label = line_of(fields.get("label")) or ""
    id = identifier(fields.get("id")) or label
    if not isinstance(text, str) or not clean(text):
        skip(f"{item_type} {label or id}", "no text", item_type)
        return
    description = line_of(fields.get("description"))
    yield Note(
        clean(text),
        stable_id("letta", item_type, id or clean(text)),
        kind=_BLOCKS.get(label, "note"),
        title=label or None,
        metadata={"description": description} if description else {},
        at=time_of(fields.get("created_at")),
        item_type=item_type,
    )


def _conversation(agent: dict[str, Any], skip: Skip) -> Iterator[Conversation]:
    """Yields the messages of an agent as a conversation."""
    name = line_of(agent.get("name")) or "agent"
    id = stable_id("letta", identifier(agent.get("id")) or name)
    messages: list[ChatMessage] = []
    for number, value in enumerate(as_list(agent.get("messages"))):
        fields = as_map(value)
        role, _ = role_of(fields.get("role"))
        text = text_of(fields.get("content", fields.get("text")))
        if role not in ("user", "assistant") or not text:
            skip(f"{name} message {number}", "not said by the user or the agent", "message")
            continue
        own = identifier(fields.get("id")) or stable_id(id, number, text)
        messages.append(ChatMessage(role, text, None, time_of(fields.get("created_at")), own, number))
    if messages:
        yield Conversation(id, name, tuple(messages), messages[0].at)
