"""`holdfast models`: language models, what they disclose, what they cost, and their keys."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from holdfast.cli import output
from holdfast.cli.face import Face, Usage, ask, listing_group, pass_face, yes_option

if TYPE_CHECKING:
    from holdfast.core.language_models import LanguageModel


@listing_group()
def models() -> None:
    """List, add, test and remove language models. Only `ask --answer`, `models propose`, `models summarise`
    and `models describe` need one."""


@models.command("list")
@pass_face
def list_(face: Face) -> None:
    """List the language models, oldest first. The first is the default."""
    with face.open() as memory:
        models = [model.as_dict() for model in memory.models.list()]
    face.table(
        "models",
        models,
        ("name", "model", "for", "at", "budget", "may be used"),
        lambda model: (
            output.one_line(model["name"]), output.one_line(model["model"]), _purpose(model), model["url"],
            _budget(model),
            "yes" if model["is_ready"] else "after: holdfast models accept",
        ),
        "There are no language models. None is needed.",
        "Add one on this machine: holdfast models add local gemma3 --url http://localhost:11434/v1",
    )  # fmt: skip


@models.command()
@pass_face
def catalogue(face: Face) -> None:
    """List known embedding models, with their dimensions and advice."""
    with face.open() as memory:
        models = [model.as_dict() for model in memory.models.catalogue()]
    face.table(
        "models",
        models,
        ("model", "dimensions", "advice", "served by", "texts in a call"),
        lambda model: (
            model["model"], f"{model['dimensions']:,}", model["advice"], model["served_by"],
            f"{model['batch']}",
        ),
        "No model is known.",
        "Add one: holdfast models add NAME MODEL --dimensions 768 --url http://localhost:11434/v1",
    )  # fmt: skip


@models.command(operation="models.add", leave_out=("name", "model"))
@click.argument("name")
@click.argument("model")
@click.option("--accept", is_flag=True, help="Accept, as the owner, that content is sent to the model.")
@pass_face
def add(face: Face, name: str, model: str, accept: bool, **options: Any) -> None:
    """Add a language model: a NAME of your own, and the provider's name of the MODEL.

    \b
    holdfast models add local gemma3 --url http://localhost:11434/v1
    holdfast models add claude claude-sonnet-4-5 --provider anthropic
    holdfast models add gpt gpt-4.1-mini --cost-per-month 5 --price-in 0.4 --price-out 1.6

    Content sent to a model on another machine leaves yours. What that means is shown, and nothing is sent
    before you accept it.
    """
    with face.open(create=True) as memory:
        added = memory.models.add(name, model, **options)
        if not added.is_ready and (accept or _agrees(face, added)):
            added = memory.models.accept(added.name)
    _print(face, added, f"Added: {output.one_line(added.name)}")


@models.command("accept")
@click.argument("name")
@yes_option
@pass_face
def accept_(face: Face, name: str, yes: bool) -> None:
    """Accept, as the owner, that content is sent to the model NAME. It first shows what that means."""
    with face.open() as memory:
        selected = next((model for model in memory.models.list() if model.name == name), None)
        if selected is not None and not selected.is_ready:
            ask(f"{selected.disclosure} Accept that?", yes)
        _print(face, memory.models.accept(name), f"Accepted: {output.one_line(name)} may be used")


@models.command()
@click.argument("name")
@pass_face
def test(face: Face, name: str) -> None:
    """Ask the model NAME for a sum, to check that it answers in the requested form. None of your content is
    sent."""
    with face.open() as memory:
        result = memory.models.test(name)
    form = (
        "in the form asked for" if result.keeps_schema else "NOT in the form asked for: it proposes nothing"
    )
    face.done(result.as_dict(), f"{output.one_line(name)} answered in {result.seconds:.1f} s, {form}")


@models.command()
@click.argument("name")
@click.option("--stdin", "from_stdin", is_flag=True, help="Read the key from standard input.")
@click.option("--forget", is_flag=True, help="Remove the key from the keychain.")
@pass_face
def key(face: Face, name: str, from_stdin: bool, forget: bool) -> None:
    """Store the API key for the address of the model NAME in the system's keychain.

    It is used for this address only. Without a keychain, name a file in the setting model_key_files, or set
    the provider's variable: OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY.
    """
    from holdfast.models.addresses import origin_of
    from holdfast.models.keys import forget_key, store_key

    with face.open() as memory:
        selected = next((model for model in memory.models.list() if model.name == name), None)
    if selected is None:
        raise Usage(f"there is no model {output.short(name)}", "holdfast models list")
    if forget:
        forget_key(selected.url)
    else:
        store_key(selected.url, _key_given(from_stdin))
    origin = origin_of(selected.url)
    face.done(
        {"address": origin, "key": not forget}, f"{'Forgotten' if forget else 'Kept'}: the key for {origin}"
    )


@models.command()
@click.argument("session")
@pass_face
def propose(face: Face, session: str) -> None:
    """Queue a job in which the first model proposes memories from the conversation SESSION.

    Each proposal quotes a message. A proposal that its quotation does not support word for word is refused;
    the others wait for review.
    """
    with face.open() as memory:
        job = memory.models.propose(session)
    face.done(
        job.as_dict(), f"Queued: {job.id}", "A service runs it, or `holdfast worker --once`.",
        f"Its progress: holdfast jobs show {job.id}",
    )  # fmt: skip


@models.command()
@click.argument("session")
@pass_face
def summarise(face: Face, session: str) -> None:
    """Queue a job in which the first model chooses the sentences that summarise the conversation SESSION.

    The summary only quotes; `holdfast sessions summary SESSION` shows it.
    """
    with face.open() as memory:
        job = memory.models.summarise(session)
    face.done(
        job.as_dict(), f"Queued: {job.id}", "A service runs it, or `holdfast worker --once`.",
        f"Its progress: holdfast jobs show {job.id}",
    )  # fmt: skip


@models.command()
@click.argument("source", metavar="PATH|URL|SOURCE")
@pass_face
def describe(face: Face, source: str) -> None:
    """Queue a job in which the first model describes the code cells and the whole of a source.

    SOURCE was reconciled before; its file or database is read again and shown to the model. What the model
    says that is not in it is refused, and what you pinned or edited stays.
    """
    from holdfast.features.reconcile.opening import is_here, name_of, read_source
    from holdfast.readers.servers import is_address

    with face.open() as memory:
        if is_address(source) or os.path.exists(source):
            record, path = memory.described.get(name_of(source)), source
        else:
            record = memory.described.get(source)
            path = record.file if is_here(record.file, record.stamp) else ""
        payload = read_source(path) if path else None
        job = memory.described.describe(record.id, payload)
    face.done(
        job.as_dict(), f"Queued: {job.id}", "A service runs it, or `holdfast worker --once`.",
        f"Its progress: holdfast jobs show {job.id}",
    )  # fmt: skip


@models.command()
@click.argument("name")
@yes_option
@pass_face
def remove(face: Face, name: str, yes: bool) -> None:
    """Remove the model NAME. Its proposals and the record of its calls stay."""
    with face.open() as memory:
        ask(f"Remove the model {name}?", yes)
        removed = memory.models.remove(name)
    face.done(removed.as_dict(), f"Removed: {output.one_line(name)}")


@models.command(operation="models.usage")
@pass_face
def usage(face: Face, **options: Any) -> None:
    """Show the use of models in the last 30 days: calls, tokens, dollars and seconds."""
    with face.open() as memory:
        rows = [row.as_dict() for row in memory.models.usage(**options)]
    face.table(
        "usage",
        rows,
        ("model", "for", "outcome", "calls", "tokens in", "out", "dollars", "seconds"),
        lambda row: (
            output.one_line(row["model"]), row["operation"], row["outcome"], f"{row['calls']:,}",
            f"{row['tokens_in']:,}", f"{row['tokens_out']:,}", f"{row['cost']:.4f}", f"{row['seconds']:.1f}",
        ),
        "No language model was used.",
    )  # fmt: skip


def _agrees(face: Face, model: LanguageModel) -> bool:
    if face.json or sys.stdin is None or not sys.stdin.isatty():
        return False
    output.note(output.wrapped(model.disclosure))
    return click.confirm("Accept that?", err=True)


def _key_given(from_stdin: bool) -> str:
    """Returns the API key from standard input, or asks for it on a terminal. Raises Usage."""
    if from_stdin:
        key = sys.stdin.readline().strip()
    elif sys.stdin is not None and sys.stdin.isatty():
        key = click.prompt("API key", hide_input=True, err=True).strip()
    else:
        raise Usage("there is no key", "pipe it into `holdfast models key NAME --stdin`")
    if not key.isascii() or not key.isprintable() or not key:
        raise Usage("this is not an API key", "give the key alone, on one line")
    return key


def _purpose(model: dict[str, Any]) -> str:
    return "texts" if model["dimensions"] is None else f"vectors ({model['dimensions']})"


def _budget(model: dict[str, Any]) -> str:
    """Returns the budget of a model in words."""
    parts = []
    for period in ("day", "month"):
        if (tokens := model[f"tokens_per_{period}"]) is not None:
            parts.append(f"{tokens:,} tokens a {period}")
        if (cost := model[f"cost_per_{period}"]) is not None:
            parts.append(f"${cost:g} a {period}")
    return ", ".join(parts) or "none"


def _print(face: Face, model: LanguageModel, line: str) -> None:
    notes = [model.disclosure]
    if not model.is_ready:
        notes.append(f"It is not used before an owner accepts that: holdfast models accept {model.name}")
    face.done(model.as_dict(), line, *notes, f"Try it: holdfast models test {model.name}")
