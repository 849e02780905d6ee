"""`holdfast about`: what is believed of you, or of a person, place or thing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from holdfast.cli import output
from holdfast.cli.face import Face, command, id_given, pass_face
from holdfast.cli.inputs import text_given
from holdfast.cli.places import note_missing
from holdfast.cli.progress import progress
from holdfast.core.ids import short_id

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.core.claims import About, Belief
    from holdfast.core.quotations import BeliefSource, OtherBelief

_SURE = ((0.85, "sure"), (0.6, "fairly sure"), (0.0, "unsure"))
"""Least confidence of each word: what is unsure is what would have to be reviewed, were it knowledge."""
QUOTE_MAX = 90
"""Characters shown of a quotation."""


@command(operation="about")
@click.argument("name", nargs=-1)
@pass_face
def about(face: Face, name: tuple[str, ...], **options: Any) -> None:
    """Show what is known about you, or about NAME: a person, place or thing.

    Each line shows since when, how certain, who said it, and the id of the memory behind it, which `show`,
    `revise`, `pin` and `forget` take. Without --project it covers everything of yours.
    """
    with face.open() as memory:
        note_missing(memory, options)
        answer = _read_on(lambda: memory.about(" ".join(name) or None, **options))
    if face.json:
        output.json(answer.as_dict())
        return
    if not answer.groups:
        output.say("Nothing is known about you yet.")
        output.note(
            'Store something: holdfast remember --kind profile "I live in Porto", or import your chats.'
        )
    for group in answer.groups:
        output.say(group.title, bold=True)
        for belief in group.beliefs:
            _show(belief)
        output.say()
    if answer.groups:
        output.note(
            "Correct one: holdfast correct ID TEXT. Not true: holdfast dismiss ID. Keep one: holdfast pin ID."
            " Forget the whole message or memory behind one: holdfast forget ID"
        )


@command(operation="correct")
@click.argument("id")
@click.argument("text", nargs=-1)
@pass_face
def correct(face: Face, id: str, text: tuple[str, ...], **options: Any) -> None:
    """Say what is true instead of something that `about` shows.

    ID is that of its memory. What you said otherwise stays, as what was believed before. TEXT is in the words
    of `about`, or in your own. If the memory says several things, --was names the line.
    """
    with face.open() as memory:
        result = memory.correct(id_given(memory, id), text_given(text, None, pipe=False) or "", **options)
    saved = result.memory
    face.done(
        result.as_dict(), result.reason if saved is None else f"Corrected: {output.one_line(saved.text, 70)}"
    )


@command(operation="dismiss")
@click.argument("id")
@pass_face
def dismiss(face: Face, id: str, **options: Any) -> None:
    """Say that something that `about` shows is not true.

    ID is that of its memory, which stays; `holdfast forget` forgets all of it. If the memory says several
    things, --was names the line.
    """
    with face.open() as memory:
        result = memory.dismiss(id_given(memory, id), **options)
    if (rule := result.memory) is None:
        face.done(result.as_dict(), result.reason)
        return
    waits = " once it is approved" if rule.status == "pending" else ""
    face.done(
        result.as_dict(), f"{output.one_line(rule.text, 90)}{waits}",
        f"The message or memory that says so is kept. Undo: holdfast forget {short_id(rule.id)}",
    )  # fmt: skip


def _read_on(ask: Callable[[], About]) -> About:
    """Asks until all texts are read, which takes a while after an import."""
    answer = ask()
    if not answer.unread:
        return answer
    with progress("reading what you said", answer.unread) as advance:
        left = answer.unread + 1
        while 0 < answer.unread < left:
            left = answer.unread
            answer = ask()
            advance(left - answer.unread)
    if answer.unread:  # a credential that only reads keeps nothing of what it has read
        output.note(
            f"{output.pluralize(answer.unread, 'older text')} could not be read with this credential."
        )
    return answer


def _show(belief: Belief) -> None:
    """Shows a belief with its sources, and the beliefs that it replaces or that contradict it."""
    from holdfast.features.beliefs.phrases import time_in_words

    marks = [
        time_in_words(belief),
        f"until {belief.until}" if belief.until else "",
        next(word for least, word in _SURE if belief.confidence >= least),
        "pinned" if belief.pinned else "",
        f"waits for review: {belief.pending}" if belief.pending else "",
    ]
    output.say(f"  {belief.text}  ({', '.join(filter(None, marks))})")
    output.say(_line(belief.sources[0], len(belief.sources) - 1), dim=True)
    for label, others in (("before", belief.replaced), ("but also", belief.contradicts)):
        for other in others:
            _show_other(label, other)


def _show_other(label: str, other: OtherBelief) -> None:
    output.say(f"    {label}: {other.text} ({other.reason})", dim=label == "before")
    output.say(_line(other.source, 0), dim=True)


def _line(source: BeliefSource, more: int) -> str:
    """Returns a source of a belief as a line: its id, when and by whom, and the quote."""
    from holdfast.core.times import to_iso

    quote = output.one_line(source.quote, QUOTE_MAX)
    again = f", {output.pluralize(more, 'more time', 'more times')}" if more else ""
    attribution = f"{output.day(to_iso(source.at))}  {source.said_by}"
    return f'      {short_id(source.memory)}  {attribution}: "{quote}"{again}'
