"""`holdfast never`: what is never to be remembered."""

from __future__ import annotations

import click

from holdfast.cli import output
from holdfast.cli.face import Face, Usage, command, pass_face
from holdfast.cli.inputs import text_given
from holdfast.core.ids import short_id


@command(operation="never", leave_out=("text", "id"))
@click.argument("text", nargs=-1)
@click.option("--like", "id", metavar="ID", help="A memory to use as the example, instead of TEXT.")
@pass_face
def never(face: Face, text: tuple[str, ...], id: str | None) -> None:
    """Never store anything like TEXT; without TEXT, list the exclusions.

    TEXT is an example in a few words, such as `my salary`, or a group of `holdfast about`, such as `health`.
    What is already stored stays. `holdfast forget ID` removes a memory or an exclusion.
    """
    example = text_given(text, None, pipe=False)
    if example is not None and id is not None:
        raise Usage("an example is a text or a memory, not both", "leave one of them out")
    if example is None and id is None:
        _list(face)
        return
    from holdfast.cli.face import id_given

    with face.open(create=True) as memory:
        kept = memory.never(example, id=None if id is None else id_given(memory, id))
    rule = kept.memory
    if face.json:
        output.json(kept.as_dict())
    elif rule is None:
        output.say(f"Not stored: {kept.reason}")
    elif rule.status == "pending":
        output.done(
            f"Waits for review: nothing like “{output.one_line(rule.text, 70)}”  ({short_id(rule.id)})"
        )
    else:
        output.done(f"Never stored from now on: “{output.one_line(rule.text, 70)}”  ({short_id(rule.id)})")
        output.note(f"Remove it: holdfast forget {short_id(rule.id)}")


def _list(face: Face) -> None:
    with face.open() as memory:
        found = memory.list(kinds=["exclusion"], limit=1_000).memories
    if face.json:
        output.json({"exclusions": [rule.as_dict() for rule in found]})
        return
    if not found:
        output.say("There are no exclusions.")
        output.note("Add one: holdfast never my salary, or holdfast never --like ID")
        return
    for rule in found:
        output.say(f"{short_id(rule.id)}  {output.one_line(rule.text, 90)}")
    output.note("Remove one: holdfast forget ID")
