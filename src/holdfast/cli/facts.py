"""`holdfast ask` and `holdfast facts`: questions, and ranked lists and preferences that the user stated."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from holdfast.cli import output, passages
from holdfast.cli.face import Face, Usage, command, listing_group, pass_face, project_option
from holdfast.cli.inputs import text_given
from holdfast.cli.places import EVERYWHERE, note_missing, with_project

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.api.memory import Memory
    from holdfast.core.facts import Fact, FactEdit
    from holdfast.core.hits import Hit, Hits

WEAKEST = 0.6
"""Share of the best hit's score below which hits are not shown."""
NEAREST = 3
"""Statements that are shown beside the answer that nothing is stored."""
PASSAGE_MAX = 600
"""Characters shown of a hit."""
_BOLD = re.compile(r"(?<= is )\*\*(.+?)\*\*(?=\.(?: |$))", re.MULTILINE)
"""Matches the marks around the value in an answer, which is Markdown."""


@command(operation="ask", leave_out=("text",))
@click.argument("question", nargs=-1)
@project_option
@click.option("--limit", "-n", type=int, default=5, metavar="N", help="Maximum number of hits (default 5).")
@click.option(
    "--answer", "in_words", is_flag=True, help="Let a language model write the answer, with citations."
)
@click.option("--model", metavar="NAME", help="With --answer: the model to use (default: the first).")
@pass_face
def ask(face: Face, question: tuple[str, ...], in_words: bool, model: str | None, **options: Any) -> None:
    """Answer QUESTION from stored facts, or else by recall.

    Questions about ranked lists, such as "what is my second favorite color?" or "how many …?", are answered
    from facts, or with a note that none is stored; questions about yourself, such as "where do I live?", from
    what `holdfast about` shows. For all other questions it shows the best matches, which need not be answers;
    --json prints all hits. With --answer a language model words the answer (see `holdfast models`).
    """
    text = text_given(question, None, pipe=False)
    if text is None:
        raise Usage("there is nothing to answer", 'ask something: holdfast ask "list my favorite colors"')
    if model is not None and not in_words:
        raise Usage("--model is for --answer", "holdfast ask --answer --model NAME QUESTION")
    if in_words:
        _answer(face, text, options, model)
        return
    with face.open() as memory:
        put = with_project(memory, options)
        answer = memory.ask(text, **put)
        note_missing(memory, options, answer.hits)
        is_of_time = _is_of_time(text)
        missing = answer.fact_not_found and not answer.used_facts and not is_of_time
        nearest = memory.recall(text, limit=NEAREST, **_place_of(put)) if missing and not face.json else None
        is_nowhere = put["project"] != EVERYWHERE and not answer.hits and not is_of_time
        elsewhere = is_nowhere and _is_elsewhere(memory, text)
    if elsewhere:
        outside = " and without --session" if options["session"] else ""
        output.note(f"There is something about it elsewhere: ask again with --project '*'{outside}")
    if face.json:
        output.json(answer.as_dict())
    elif answer.label is not None or not answer.hits:
        output.say(_BOLD.sub(r"\1", answer.text) or "Nothing found.")
        if nearest:
            output.note("Not stored as a fact. Best matches:")
            output.note("\n".join(_best_hits(nearest)))
    else:
        output.say(_heading(text))
        output.say("\n\n".join(_best_hits(answer.hits)))
        output.note_doubt(answer.hits)


def _answer(face: Face, text: str, options: dict[str, Any], model: str | None) -> None:
    """Prints an answer of a language model as it arrives, then the memories that it cites."""
    import json

    from holdfast.core.errors import HoldfastError

    pieces: list[str] = []
    end: dict[str, Any] = {}
    with face.open() as memory:
        for line in memory.answer(text, **with_project(memory, options), model=model):
            part = json.loads(line)
            if "text" not in part:
                end = part
                continue
            pieces.append(part["text"])
            if not face.json:
                click.echo(output.printable(part["text"]), nl=False)
        if not face.json:
            output.say()
        if "error" in end:
            error = end["error"]
            raise HoldfastError(error["message"], code=error["code"], hint=error["hint"])
        if face.json:
            output.json({"text": "".join(pieces), **end})
            return
        for citation in end["citations"]:
            cited = memory.get(citation["id"])
            output.say(f"{citation['citation']} {output.one_line(cited.text, 90)}", dim=True)
            output.say(f"     {cited.provenance}, {output.day(cited.as_dict()['at'])}, {cited.id}", dim=True)
    if end["unknown"]:
        output.note(f"The model cites memories that it was not shown: {', '.join(end['unknown'])}")
    if end["model"] and not end["citations"]:
        output.note("The answer cites no memory: it may be made up.")


def _heading(text: str) -> str:
    """Returns what stands above the best matches, which may be about others than a question is."""
    from holdfast.language.claims.asked_of_others import asked_of_named
    from holdfast.language.claims.asking import asked_of_person

    if asked_of_person(text) is not None:
        return "No statement about you answers this. Best matches, which may be about others:"
    if (named := asked_of_named(text)) is not None:
        return f"No statement about {named.name} answers this. Best matches:"
    return "No stored fact answers this. Best matches:"


def _is_of_time(text: str) -> bool:
    """Returns whether a question asks for all that was said at a time, which no match of another answers."""
    from holdfast.language.dates.talk import asked_of_talk
    from holdfast.stores.base.clock import wall_clock

    asked = asked_of_talk(text, wall_clock())
    return asked is not None and not asked.matter


def _is_elsewhere(memory: Memory, text: str) -> bool:
    """Returns whether `--project '*'` would find something. A local store counts no use of memories."""
    if memory.is_remote:
        return bool(memory.ask(text, project=EVERYWHERE, limit=1).hits)
    from holdfast.features.access.places import Selection
    from holdfast.features.facts.answers import is_known

    return is_known(memory._service, text, Selection(project=EVERYWHERE))


def _place_of(options: dict[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in ("project", "session", "workspace")}


def _best_hits(hits: Hits) -> list[str]:
    """Returns the hits that are not much weaker than the best one, each with its citation."""
    return [_line(hit) for hit in hits if hit.score >= WEAKEST * hits[0].score]


def _line(hit: Hit) -> str:
    """Returns a hit as one text: citation, provenance, and its passage, or the memory's text if it has none,
    cut to `PASSAGE_MAX` characters. A passage of a file comes below the place where it is."""
    text = hit.passage or hit.memory.text
    place = passages.where(hit.memory, hit.passage or None)
    text = text.strip() if place is None else passages.whole_lines(hit.memory.text, text).strip("\n")
    text = text if len(text) <= PASSAGE_MAX else text[:PASSAGE_MAX].rstrip() + " …"
    if place is not None:
        return f"{hit.citation} ({hit.memory.provenance}) {place}\n{text}"
    return f"{hit.citation} ({hit.memory.provenance}, {output.day(hit.memory.as_dict()['at'])}) {text}"


@listing_group()
def facts() -> None:
    """List and edit ranked lists and single preferences. TOPIC is a noun, such as "hiking boots"."""


@facts.command("list", operation="facts.list")
@click.argument("topic", required=False)
@project_option
@pass_face
def list_(face: Face, topic: str | None, **options: Any) -> None:
    """List the current values of a topic, or of all topics."""
    with face.open() as memory:
        facts = memory.facts.list(topic, **with_project(memory, options))
        note_missing(memory, options, facts)
    if face.json:
        output.json({"facts": [fact.as_dict() for fact in facts]})
    else:
        _table(facts)


@facts.command(operation="facts.get")
@click.argument("topic")
@click.argument("rank", type=int, required=False)
@project_option
@pass_face
def get(face: Face, topic: str, rank: int | None, **options: Any) -> None:
    """Show the value of one rank, or without a rank the single preference."""
    with face.open() as memory:
        note_missing(memory, options)
        fact = memory.facts.get(topic, rank, **with_project(memory, options))
    if face.json:
        output.json(fact.as_dict())
    else:
        output.say(fact.value)


@facts.command("set", operation="facts.set")
@click.argument("topic")
@click.argument("value")
@click.argument("rank", type=int, required=False)
@project_option
@pass_face
def set_(face: Face, topic: str, value: str, rank: int | None, **options: Any) -> None:
    """Store the value of a rank, or without a rank the single preference."""
    with face.open(create=True) as memory:
        _print_edit(face, memory.facts.set(topic, value, rank, **with_project(memory, options)))


@facts.command(operation="facts.replace")
@click.argument("topic")
@click.argument("values", nargs=-1, required=True)
@project_option
@pass_face
def replace(face: Face, topic: str, values: tuple[str, ...], **options: Any) -> None:
    """Replace a whole list."""
    with face.open(create=True) as memory:
        _print_edit(face, memory.facts.replace(topic, values, **with_project(memory, options)))


@facts.command(operation="facts.add")
@click.argument("topic")
@click.argument("values", nargs=-1, required=True)
@project_option
@pass_face
def add(face: Face, topic: str, values: tuple[str, ...], **options: Any) -> None:
    """Append values to a list."""
    with face.open(create=True) as memory:
        _print_edit(face, memory.facts.add(topic, values, **with_project(memory, options)))


@facts.command(operation="facts.move")
@click.argument("topic")
@click.argument("value")
@click.argument("rank", type=int)
@project_option
@pass_face
def move(face: Face, topic: str, value: str, rank: int, **options: Any) -> None:
    """Move a value to a rank, or insert it there."""
    with face.open(create=True) as memory:
        _print_edit(face, memory.facts.move(topic, value, rank, **with_project(memory, options)))


@facts.command(operation="facts.remove")
@click.argument("topic")
@click.argument("value")
@project_option
@pass_face
def remove(face: Face, topic: str, value: str, **options: Any) -> None:
    """Remove a value, or a position such as "#2", from a list. Its history keeps the statement."""
    with face.open() as memory:
        _print_edit(face, memory.facts.remove(topic, value, **with_project(memory, options)))


@facts.command(operation="facts.clear")
@click.argument("topic")
@project_option
@pass_face
def clear(face: Face, topic: str, **options: Any) -> None:
    """Remove all values of a topic. Its history keeps the statements."""
    with face.open() as memory:
        _print_edit(face, memory.facts.clear(topic, **with_project(memory, options)))


@facts.command(operation="facts.history")
@click.argument("topic")
@project_option
@pass_face
def history(face: Face, topic: str, **place: Any) -> None:
    """Show every change of a topic, oldest first."""
    with face.open() as memory:
        changes = memory.facts.history(topic, **with_project(memory, place))
        note_missing(memory, place, changes)
    if face.json:
        output.json({"changes": [change.as_dict() for change in changes]})
        return
    if not changes:
        output.say("Nothing is stored here.")
        return
    rows = []
    for change in changes:
        record = change.as_dict()
        ranks = "→".join(str(rank) if rank else "–" for rank in (change.before, change.after))
        value = output.one_line(change.value, 60)
        rows.append((output.day(record["at"]), change.act, ranks, value, change.by, change.memory))
    output.table(("said", "act", "rank", "value", "by", "source"), rows)


@facts.command()
@pass_face
def topics(face: Face) -> None:
    """List the topics; the setting `topics` adds more."""
    with face.open() as memory:
        rows = [topic.as_dict() for topic in memory.facts.topics()]
    face.table(
        "topics",
        rows,
        ("topic", "category", "nouns"),
        lambda topic: (topic["key"], topic["category"], ", ".join((*topic["nouns"], *topic["weak"]))),
    )


def _print_edit(face: Face, edit: FactEdit) -> None:
    """Shows the facts that an edit left."""
    if face.json:
        output.json(edit.as_dict())
        return
    _table(edit.facts)
    for note in edit.notes:
        output.note(note)


def _table(facts: Sequence[Fact]) -> None:
    """Shows facts as a table."""
    if not facts:
        output.say("Nothing is stored here.")
        output.note('State one in a message, or: holdfast facts add colors "Blue" "Green"')
        return
    rows = [
        (fact.topic, str(fact.rank or "–"), output.one_line(fact.value, 60), fact.memory) for fact in facts
    ]
    output.table(("topic", "rank", "value", "source"), rows)
