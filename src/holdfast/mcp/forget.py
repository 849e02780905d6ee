"""The tool `forget`, which asks the user before it takes away what they wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.api.replaced import replaced_by
from holdfast.core.ids import short_id
from holdfast.core.kinds import EXCLUSION
from holdfast.core.record import PERSONS
from holdfast.core.record import Memory as Record
from holdfast.core.shortening import shortened
from holdfast.core.times import to_iso
from holdfast.mcp.tools import ClientContext, Question, Tool, flag, needing_consent, record, text

if TYPE_CHECKING:
    from holdfast.api.memory import Memory

ASKED_MAX = 500
"""Characters of a memory in a question to the user."""


def _question(memory: Memory, client: ClientContext, arguments: dict[str, Any]) -> Question | None:
    """Returns the question for the user about a memory in their own words, or one that replaced such a
    memory; None for one that is the agent's to forget, or that no agent may forget."""
    target = client.own(memory, arguments["id"])
    if target.kind == EXCLUSION or not needing_consent(memory, [target]):
        return None
    theirs = _words_of_a_person(memory, target) or target
    day = to_iso(theirs.at)[:10]
    whose = f"what you said on {day}" if theirs.said_by == "person" else f"what you imported, of {day}"
    said = f"{whose}: {shortened(theirs.text, ASKED_MAX)}"
    if theirs is not target:
        said = f"what an agent put in the place of {said}"
    return Question(f"{target.id} {target.version}", f"Forget {said}")


def _words_of_a_person(memory: Memory, target: Record) -> Record | None:
    """Returns a memory that a person wrote or imported, else the nearest such one that it replaced, itself or
    by others: they stay superseded when it is forgotten."""
    step: Record | None = target
    while step is not None and step.said_by not in PERSONS:
        step = replaced_by(memory, step)
    return step


def _forget(memory: Memory, client: ClientContext, arguments: dict[str, Any]) -> dict[str, Any]:
    """Forgets a memory; returns what it had replaced only if the client may see that."""
    replaced = replaced_by(memory, client.own(memory, arguments["id"]))
    memory.forget(arguments["id"], reason=arguments.get("reason"))
    done = {"id": arguments["id"], "forgotten": True, "undo": f"holdfast restore {arguments['id']}"}
    if replaced is None or not client.sees(replaced):
        return done
    return {**done, "superseded": short_id(replaced.id)}


FORGET = Tool(
    "forget",
    "Forget a memory",
    "Remove one memory from recall. Use it only when the user asks for it, or a memory is clearly"
    " wrong and nothing replaces it; to correct it use remember with replaces. All of a"
    " message goes. A person can restore it, and is asked before their words go; what they"
    " pinned or edited stays.",
    record(
        "id",
        id=text("Id of a memory from recall or list_memories.", maxLength=100),
        reason=text("Why, in a few words.", maxLength=500),
    ),
    record(
        "id forgotten undo",
        superseded=text("Id of what it had replaced; a person can restore it."),
        id=text("Id of the memory."),
        forgotten=flag("True: it is no longer recalled."),
        undo=text("The command that restores it."),
    ),
    _forget,
    ("forget",),
    destroys=True,
    question=_question,
)
