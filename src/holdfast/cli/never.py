"""`holdfast never`: what is never to be remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from holdfast.cli import output
from holdfast.cli.face import Face, Usage, ask, command, pass_face, yes_option
from holdfast.cli.inputs import text_given
from holdfast.core.errors import HoldfastError
from holdfast.core.ids import short_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.api.memory import Memory
    from holdfast.core.pages import PageOf
    from holdfast.core.record import Memory as Stored

SHOWN = 5
"""Memories shown of those that are stored already."""


@command(operation="never", leave_out=("text", "id"))
@click.argument("text", nargs=-1)
@click.option("--like", "id", metavar="ID", help="A memory to use as the example, instead of TEXT.")
@click.option(
    "--erase-stored", is_flag=True, help="Erase what is stored and like it, whole messages, for good."
)
@yes_option
@pass_face
def never(face: Face, text: tuple[str, ...], id: str | None, erase_stored: bool, yes: bool) -> None:
    """Never store anything like TEXT; without TEXT, list the exclusions.

    TEXT is an example in a few words, such as `my salary`, or a group of `holdfast about`, such as `health`.
    What is already stored stays, and is counted; --erase-stored erases it. `holdfast forget ID` removes a
    memory or an exclusion.
    """
    example = text_given(text, None, pipe=False)
    if example is not None and id is not None:
        raise Usage("an example is a text or a memory, not both", "leave one of them out")
    if example is None and id is None:
        _list(face)
        return
    from holdfast.cli.face import id_given

    with face.open(create=True) as memory:
        result = memory.never(example, id=None if id is None else id_given(memory, id))
        rule = result.memory
        applies = rule is not None and rule.status == "approved"
        stored = [] if rule is None or not applies else _like(memory, rule)
        if stored and not face.json:
            _preview(stored)
        erased = _erased(memory, stored, yes) if erase_stored and stored else []
    if face.json:
        ids = [memory.id for memory in stored]
        output.json({**result.as_dict(), "stored": {"count": len(ids), "ids": ids, "erased": erased}})
    elif rule is None:
        output.say(f"Not stored: {result.reason}")
    elif rule.status == "pending":
        output.done(
            f"Waits for review: nothing like “{output.one_line(rule.text, 70)}”  ({short_id(rule.id)})"
        )
    else:
        output.done(f"Never stored from now on: “{output.one_line(rule.text, 70)}”  ({short_id(rule.id)})")
        if erased:
            output.note(f"Erased for good: {output.pluralize(len(erased), 'memory', 'memories')}, each whole")
        elif stored:
            output.note("To erase what is stored as well: the same command with --erase-stored")
        output.note(f"Remove it: holdfast forget {short_id(rule.id)}")


def _like(memory: Memory, rule: Stored) -> list[Stored]:
    """Returns one's own memories that say something like a rule; passages of files are not concerned."""
    from holdfast.cli.progress import progress
    from holdfast.core.kinds import UNASKED
    from holdfast.core.pages import each
    from holdfast.language.exclusion import exclusion_of, taken_out

    examples = [exclusion_of(rule.text)]

    def page(cursor: str | None) -> PageOf[Stored]:
        return memory.list(project="*", workspace="*", kinds=UNASKED, limit=1_000, cursor=cursor)

    owner = rule.place.owner
    matches = []
    with progress("memories compared") as advance:
        for candidate in each(page):
            if candidate.place.owner == owner and taken_out(candidate.text, examples)[1]:
                matches.append(candidate)
            advance(1)
    return matches


def _preview(memories: Sequence[Stored]) -> None:
    """Prints how many stored memories an exclusion covers, and the first `SHOWN` of them."""
    output.say(f"Stored already and like it: {output.pluralize(len(memories), 'memory', 'memories')}")
    for memory in memories[:SHOWN]:
        output.say(f"  {short_id(memory.id)}  {output.one_line(memory.text, 90)}")
    if len(memories) > SHOWN:
        output.say(f"  and {len(memories) - SHOWN:,} more; --json lists their ids", dim=True)


def _erased(memory: Memory, stored: Sequence[Stored], yes: bool) -> list[str]:
    """Erases memories for good, after asking; returns the ids of those that could be erased."""
    ask(f"Erase {output.pluralize(len(stored), 'memory', 'memories')} for good, each whole?", yes)
    done = []
    for sample in stored:
        try:
            memory.forget(sample.id, hard=True)
            done.append(sample.id)
        except HoldfastError as error:
            output.say(f"not erased: {short_id(sample.id)}: {error.message}", fg="yellow")
    return done


def _list(face: Face) -> None:
    """Shows the exclusions."""
    with face.open() as memory:
        exclusions = memory.list(kinds=["exclusion"], limit=1_000).memories
    if face.json:
        output.json({"exclusions": [rule.as_dict() for rule in exclusions]})
        return
    if not exclusions:
        output.say("There are no exclusions.")
        output.note("Add one: holdfast never my salary, or holdfast never --like ID")
        return
    for rule in exclusions:
        output.say(f"{short_id(rule.id)}  {output.one_line(rule.text, 90)}")
    output.note("Remove one: holdfast forget ID")
