"""The review on a terminal: shows what waits one by one and takes a key for each."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from holdfast.cli import output
from holdfast.cli.review_output import print_decision, shown_item
from holdfast.core.errors import HoldfastError, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.api.memory import Memory
    from holdfast.core.review import Decision, Waiting

PAGE = 50
KEYS = {"a": "approve", "r": "reject", "e": "edit and approve", "s": "skip", "q": "quit"}
BESIDE = "b"
"""Approve, and let stand what it contradicts: asked only where there is something."""


def work_through(memory: Memory, where: dict[str, Any]) -> None:
    """Shows each memory that waits and does what the person says, until all were shown or they leave."""
    done: Counter[str] = Counter()
    for item in _items(memory, where):
        output.say("─" * output.width(), dim=True)
        shown_item(item)
        result = _ask(memory, item)
        if result is None:
            break
        done[result] += 1
    if not done:
        waits = memory.review.inbox(limit=1, **where).items
        output.say("Nothing was decided." if waits else "No memories are waiting for review.")
        return
    output.say(", ".join(f"{count} {what}" for what, count in done.items()) + ".")


def _items(memory: Memory, where: dict[str, Any]) -> Iterator[Waiting]:
    """Yields the items of the inbox, page by page."""
    cursor: str | None = None
    while True:
        page = memory.review.inbox(limit=PAGE, cursor=cursor, **where)
        yield from page.items
        cursor = page.cursor
        if cursor is None:
            return


def _ask(memory: Memory, item: Waiting) -> str | None:
    """Returns the outcome for one memory, None to leave. After a decision that fails, asks again."""
    keys = dict(KEYS)
    if item.found is not None:
        keys = {"a": "redact it, for good", "r": "leave it as it is", "s": "skip", "q": "quit"}
    if item.asks is not None:
        keys = {"a": f"let the {item.asks} see it", **dict(list(KEYS.items())[1:])}
        del keys["e"]  # it is somebody else's text
    if item.contradicts is not None:
        keys = {"a": "approve in its place", BESIDE: "approve both", **dict(list(KEYS.items())[1:])}
    prompt = "  ".join(f"[{key}] {what}" for key, what in keys.items())
    while True:
        click.echo(click.style(prompt, fg="cyan") + " ", nl=False)
        try:
            key = click.getchar().lower()
        except EOFError:
            key = "q"
        click.echo(key if key in keys else "")
        if key == "q":
            return None
        if key == "s":
            return "skipped"
        if key not in keys:
            continue
        try:
            decision = _do(memory, item, key)
        except StoreError:
            raise
        except HoldfastError as error:
            output.say(error.in_full, fg="red")
            continue
        if decision is not None:
            print_decision(decision)
            return decision.result.value


def _do(memory: Memory, item: Waiting, key: str) -> Decision | None:
    """Applies the decision of a pressed key. Returns the decision, or None if the key has none."""
    id = item.memory.id
    if item.found is not None:
        (decision,) = memory.scan_decide([id] if key == "a" else (), [id] if key == "r" else ())
        return decision
    if key == "r":
        return memory.review.reject(id)
    if key == "e":
        try:
            text = click.edit(item.memory.text)
        except click.ClickException as error:
            output.say(error.format_message(), fg="red")
            return None
        if text is None or text.strip() == item.memory.text:
            output.say("The text was not changed.")
            return None
        return memory.review.edit(id, text=text)
    return memory.review.approve(id, beside=key == BESIDE, if_version=item.memory.version)
