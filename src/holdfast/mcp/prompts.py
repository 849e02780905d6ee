"""Prompts that a person can start with one command: recall before a task, save what was learned."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from holdfast.core.errors import InvalidInput
from holdfast.mcp import records
from holdfast.mcp.tools import ClientContext

if TYPE_CHECKING:
    from holdfast.api.memory import Memory

RECALLED = 8


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt. `arguments` are name and meaning, each required; `write` returns the text."""

    name: str
    title: str
    description: str
    arguments: tuple[tuple[str, str], ...]
    write: Callable[[Callable[[], Memory], ClientContext, dict[str, str]], str]


def render(
    prompt: Prompt, memory: Callable[[], Memory], client: ClientContext, arguments: dict[str, str] | None
) -> str:
    """Returns the text of a prompt. Raises HoldfastError."""
    arguments = arguments or {}
    for name, meaning in prompt.arguments:
        if not arguments.get(name, "").strip():
            raise InvalidInput(f"{name} is missing", code="argument_invalid", hint=meaning)
    return prompt.write(memory, client, arguments)


def _before(memory: Callable[[], Memory], client: ClientContext, arguments: dict[str, str]) -> str:
    """Returns the prompt that begins a task with what is known about it, without flagged memories."""
    task = arguments["task"]
    hits = memory().recall(
        task, project=client.project, session=client.session, limit=RECALLED, flagged=False,
        personal=client.has_personal,
    )  # fmt: skip
    if not hits:
        context = "Nothing is stored about it yet."
    else:
        context = json.dumps(records.framed(map(records.hit, hits)), ensure_ascii=False, indent=2)
    return (
        f"I want you to do this:\n\n{task}\n\nThis is what the memory knows about it:\n\n{context}\n\n"
        "Say in a few lines which of it matters here, citing it as [M1], and what contradicts the task or"
        " looks outdated. Recall more if something is missing. Then begin."
    )


def _after(_: Callable[[], Memory], __: ClientContext, ___: dict[str, str]) -> str:
    """Returns the prompt that saves what a session taught."""
    return (
        "Look back over this session and save what a later session would need, with the memory tools:\n"
        "- decisions with their reasons, conventions, and what I prefer or corrected (remember);\n"
        "- traps that cost time, and how to avoid them (record_gotcha);\n"
        "- memories that turned out to be wrong (remember with replaces, or forget).\n"
        "One self-contained statement each. Omit what the code or its history shows, progress reports and"
        " secrets. Recall first to avoid duplicates. Then summarize in three to five points what you saved"
        " and what was refused."
    )


PROMPTS = (
    Prompt(
        "recall_before_task",
        "Recall before a task",
        "Begin a task with what is known about it.",
        (("task", "The task."),),
        _before,
    ),
    Prompt(
        "save_what_was_learned",
        "Save what was learned",
        "End a session: save decisions, preferences and traps for the next one.",
        (),
        _after,
    ),
)
