"""Output of `holdfast review`: memories that wait, and decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from holdfast.cli import output
from holdfast.core.ids import short_id

if TYPE_CHECKING:
    from holdfast.core.record import Memory
    from holdfast.core.review import Decision, Waiting


def print_decision(decision: Decision) -> None:
    """Prints one decision in a line."""
    if decision.code is not None:
        output.say(f"Refused: {short_id(decision.id) or 'a decision'}: {decision.reason}", fg="red")
        return
    text = output.one_line(decision.memory.text, 60) if decision.memory else ""
    output.done(f"{decision.result.value.capitalize()}: {short_id(decision.id)} {text}")
    if decision.related is not None:
        output.note(f"memory {decision.related} gave way to it")
    if decision.result.value == "pending":
        output.note(f"it waits on: {decision.reason}")
    if decision.result.value == "asked":
        output.note(decision.reason)


def shown_item(item: Waiting) -> None:
    """Prints a memory that waits, with everything that a person needs to decide."""
    memory = item.memory
    if memory.title:
        output.say(output.wrapped(memory.title), bold=True)
    output.say(output.wrapped(memory.text))
    facts = {
        "why it waits": item.why,
        "kind": memory.kind,
        "where": where_of(memory),
        "said by": f"{memory.created_by} ({memory.origin.value}), {day_of(memory)}",
        "confidence": f"{memory.confidence:.2f}",
        "evidence": output.one_line(_evidence(memory), 200),
        "source": memory.source or "",
        "removed": ", ".join(memory.redactions),
        "instead of": item.contradicts.text if item.contradicts else "",
    }
    for name, value in facts.items():
        if value:
            click.echo(click.style(f"{name:<14}", dim=True) + output.one_line(value))


def where_of(memory: Memory) -> str:
    """Returns the workspace, project, session and scope of a memory in one text."""
    place = [memory.place.workspace, memory.project, memory.session]
    if memory.scope.type != "global":
        place.append(":".join(filter(None, (memory.scope.type, memory.scope.id))))
    return " / ".join(filter(None, place))


def _evidence(memory: Memory) -> str:
    """Returns what shows a memory in words: each entry with its name."""
    words = []
    for name, value in memory.evidence.items():
        listed = ", ".join(map(str, value)) if isinstance(value, list | tuple) else value
        words.append(f"{name.replace('_', ' ')}: {listed}")
    return "; ".join(words)


def day_of(memory: Memory) -> str:
    return output.day(str(memory.as_dict()["at"]))
