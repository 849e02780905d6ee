"""`holdfast context` and `holdfast stats`: what an agent should know before a task, and what that did."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from holdfast.cli import output
from holdfast.cli.face import Face, Usage, command, pass_face, project_option, seen_from_option
from holdfast.cli.inputs import text_given
from holdfast.cli.places import note_missing, with_project
from holdfast.cli.recall import boost_option, boosts_of

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.core.usage_results import Discovery, Stats, Storage, StoreStorage
    from holdfast.features.context.packing import Context

ALL_BRANCHES = "*"
CHAT = "chat"
"""The role that needs no task."""
PROJECTS_SHOWN = 5
LESS_NEAR_CHARS = 80
"""Characters of what recall finds where a context is empty."""


@command(operation="context", leave_out=("task",))
@click.argument("task", nargs=-1)
@project_option
@click.option("--session", metavar="ID", help="A working session, which gets nothing twice.")
@click.option("--workspace", metavar="NAME", help="A workspace.")
@click.option("--branch", metavar="NAME", help="A branch (default: the one checked out here; '*' for all).")
@boost_option
@click.option("--role", metavar="ROLE", default="coder", help="coder (default), planner, qa or chat.")
@click.option(
    "--budget", type=int, default=1_800, metavar="TOKENS", help="Maximum number of tokens (default 1800)."
)
@click.option("--repeat/--no-repeat", default=None, help="Include memories that the session received before.")
@click.option("--write", metavar="FILE", help="Write to this file instead of standard output.")
@click.option("--quiet", is_flag=True, help="For hooks: print nothing but the context, and never fail.")
@pass_face
def context(face: Face, task: tuple[str, ...], write: str | None, quiet: bool, **options: Any) -> None:
    """Print what an agent should know before it starts TASK, as text for a prompt.

    It names the modules that the task concerns and their files, the project's conventions and decisions, and
    lessons from earlier work.

    Without a project it uses only what is stored outside of projects. What was said in conversations, such as
    imported chats, is included with --role chat.

    With --role chat, TASK is the latest message of a conversation, and the context says who the user is and
    what was said about the subject before, each with its source.
    """
    try:
        made, project, elsewhere = _build_context(face, task, options)
        if write is not None:
            write_file(Path(write), made.text)
    except Exception as error:
        if not quiet:
            raise
        # an agent goes on without memory rather than not at all
        output.note(f"holdfast: memory unavailable ({getattr(error, 'code', type(error).__name__)})")
        return
    if face.json:
        output.json(made.as_dict())
    elif write is None and made.text:
        click.echo(output.printable(made.text), nl=False)
    if quiet:
        return
    if not face.json:
        _print_result(made, write, project, elsewhere)


@command()
@click.argument("context")
@pass_face
def citations(face: Face, context: str) -> None:
    """Show the memories that the citations [M1], [M2] … of an earlier context refer to.

    CONTEXT is the id that `holdfast context --json` prints. It is kept for 90 days.
    """
    with face.open() as memory:
        rows = [citation.as_dict() for citation in memory.citations(context)]
    face.table(
        "citations",
        rows,
        ("citation", "id", "kind", "text"),
        lambda citation: (
            citation["citation"], citation["memory"]["id"], citation["memory"]["kind"],
            output.one_line(citation["memory"]["text"], 80),
        ),
        "All that it cited is gone.",
    )  # fmt: skip


def _build_context(
    face: Face, task: tuple[str, ...], options: dict[str, Any]
) -> tuple[Context, str | None, str]:
    """Returns the context, its project, and where else to look if nothing is known. Raises NotFound for a
    project that does not exist."""
    text = text_given(task, None, pipe=False)
    if text is None and options["role"] != CHAT:
        raise Usage("there is no task", 'name one: holdfast context "users are logged out after 5 minutes"')
    with face.open() as memory:
        put = with_project(memory, {**options, "branch": _branch(options["branch"])})
        put["boost"] = boosts_of(options["boost"]) or None
        note_missing(memory, {"project": options["project"]})
        made = memory.context(text, **put)
        if made.text:
            return made, put["project"], ""
        ways = [_less_near(memory, text, put["project"])] if text and not made.left_out else []
        if put["project"] is None:
            ways.append(_elsewhere(memory, options["role"]))
        return made, put["project"], " ".join(filter(None, ways))


def _less_near(memory: Memory, task: str, project: str | None) -> str:
    """Returns what recall finds that is not near enough for a context, or is of a kind that it does not give;
    empty if it finds nothing."""
    hits = memory.recall(task, project=project, limit=1, record=False)
    if not hits:
        return ""
    best = output.one_line(hits[0].memory.text, LESS_NEAR_CHARS)
    surely = f"{hits[0].confidence:.2f} of 1"
    return f"`holdfast recall` finds what is less near or of another kind (confidence {surely}): {best}"


def _elsewhere(memory: Memory, role: str) -> str:
    """Returns where something may be known: in conversations, which tasks of a project get nothing of, and in
    projects."""
    ways = []
    if role != CHAT and memory.sessions.list(limit=1).sessions:
        ways.append("What was said in conversations: --role chat.")
    names = [project.name for project in memory.projects.list()]
    if names:
        shown = ", ".join(output.one_line(name, 40) for name in names[:PROJECTS_SHOWN])
        more = f" and {len(names) - PROJECTS_SHOWN} more" if len(names) > PROJECTS_SHOWN else ""
        ways.append(f"What is known of a project: --project NAME ({shown}{more}).")
    return " ".join(ways)


def _branch(branch: str | None) -> str | None:
    """Returns the branch: the named one, otherwise the one that is checked out here; None for all."""
    from holdfast.api.checkout import checkout_here

    if branch is None and (here := checkout_here()) is not None:
        return here.branch
    return None if branch == ALL_BRANCHES else branch


def write_file(path: Path, text: str) -> None:
    """Puts a text in place of a file at once, so that no reader finds half of it. Raises InvalidInput."""
    import os
    from tempfile import mkstemp

    from holdfast.core.errors import InvalidInput
    from holdfast.features.reading.safe_open import is_special, link_on_the_way

    if link := link_on_the_way(Path.cwd(), path):
        raise InvalidInput(
            f"{str(link)!r} is a link, and nothing is written through it", code="file_unreadable",
            hint="name the file that it leads to, if that is what you mean",
        )  # fmt: skip
    if is_special(path):
        raise InvalidInput(
            f"{str(path)!r} is not a regular file, and stays as it is", code="file_unreadable",
            hint="name a file",
        )  # fmt: skip
    draft = None
    try:
        handle, draft = mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
        os.replace(draft, path)
    except OSError as error:
        if draft is not None:
            Path(draft).unlink(missing_ok=True)
        raise InvalidInput(
            f"{str(path)!r} cannot be written: {error.strerror}",
            code="file_unreadable",
            hint="check the path",
        ) from error


def _print_result(context: Context, file: str | None, project: str | None, elsewhere: str) -> None:
    """Notes the size of a context, what it is about and what was left out."""
    if not context.text:
        output.note(_why_empty(context, project, elsewhere))
        return
    size = f"{context.tokens:,} tokens, {output.pluralize(len(context.entries), 'memory', 'memories')}"
    modules = (
        f"; about {', '.join(output.one_line(name, 40) for name in context.modules)}"
        if context.modules
        else ""
    )
    left = _left_out(context)
    where = f" in {file}" if file else ""
    beyond = f" ({', '.join(left)})" if left else ""
    of = f" of project {project}" if project else ""
    output.note(f"{size}{of}{where}{modules}{beyond}")
    if context.degraded:
        output.note(context.degraded)


_REASONS = {
    "given": "given before",
    "budget": "had no room",
    "limit": "beyond --limit",
    "window": "in the latest messages",
    "contradicted": "contradicted by a newer one",
}
"""Why memories were left out of a context, by the code."""


def _left_out(context: Context) -> list[str]:
    """Returns how many memories were left out of a context, for each reason."""
    counts = Counter(left_out.reason for left_out in context.left_out)
    return [f"{counts[code]:,} {words}" for code, words in _REASONS.items() if counts[code]]


def _why_empty(context: Context, project: str | None, elsewhere: str) -> str:
    """Returns why a context is empty, and what to do about it."""
    counts = Counter(left_out.reason for left_out in context.left_out)
    if counts["budget"]:
        beyond = output.pluralize(counts["budget"], "memory", "memories")
        return f"{beyond} had no room in {context.budget} tokens: --budget"
    if counts.keys() - {"given"}:
        return f"Nothing else fits this task: {', '.join(_left_out(context))}."
    if counts:
        received = output.pluralize(counts["given"], "memory", "memories")
        return f"This session received all of it before ({received})."
    if project is None:
        return (
            "Nothing near enough to this task is known outside of projects."
            f" {elsewhere or 'Begin with a project: holdfast folders add . --project NAME'}"
        )
    return (
        f"Nothing near enough to this task is known in project {project} yet. {elsewhere}\n"
        f"Create a map of the repository: holdfast map scan --project {project}"
    )


@command(operation="stats")
@seen_from_option
@click.option("--session", metavar="ID", help="Only what this working session received.")
@click.option(
    "--measure", is_flag=True, help="Measure the time of an embedding, a search and a durable write."
)
@pass_face
def stats(face: Face, **options: Any) -> None:
    """Show statistics of recall and context, with an estimate of the tokens saved."""
    from holdfast.core.usage import ESTIMATE

    with face.open() as memory:
        statistics = memory.stats(**options)
        note_missing(memory, {**options, "session": None})
    if face.json:
        output.json(statistics.as_dict())
        return
    output.fields(dict(_rows(statistics)), width=24)
    output.note(f"The saved tokens are an estimate. {ESTIMATE}")


def _discovery(discovery: Discovery) -> str:
    """Returns the tokens that sessions read before they found the right file, with memory and without."""
    parts = [
        f"{tokens:,.0f} tokens {words} memory ({output.pluralize(count, 'session')})"
        for words, tokens, count in (
            ("with", discovery.tokens_with, discovery.sessions_with),
            ("without", discovery.tokens_without, discovery.sessions_without),
        )
        if tokens is not None
    ]
    return "; ".join(parts)


def _storage(storage: Storage | StoreStorage) -> str:
    """Returns what the user or all of them keep, and how much of a quota that is."""
    of_versions = f" of {storage.quota_memories:,}" if storage.quota_memories else ""
    of_bytes = f" of {storage.quota_bytes / 1e6:,.0f} MB" if storage.quota_bytes else ""
    return f"{storage.versions:,}{of_versions} versions, {storage.bytes / 1e6:,.1f} MB{of_bytes}"


def _rows(stats: Stats) -> list[tuple[str, str]]:
    """Returns the figures of the statistics as rows of label and value."""
    work, took = stats.work, stats.latencies
    rows = [
        ("memories", f"{stats.memories:,}"),
        ("passages of files", f"{stats.passages:,}"),
        ("mean confidence", "–" if stats.confidence is None else f"{stats.confidence:.2f}"),
        ("map coverage", "none" if stats.coverage is None else f"{stats.coverage:.0%} of modules mapped"),
        ("sessions given memory", f"{stats.sessions:,}"),
        (
            "contexts",
            f"{work.contexts:,}, {output.pluralize(work.memories_injected, 'memory', 'memories')} delivered",
        ),
        (
            "searches",
            f"{work.search_memory_calls:,}, {output.pluralize(work.memory_hits, 'memory', 'memories')} found",
        ),
        ("tokens with memory", f"{work.tokens_with:,}"),
        ("tokens without (est.)", f"{work.tokens_without:,}"),
        ("tokens saved (est.)", f"{work.tokens_saved:,}"),
    ]
    if stats.discovery is not None and (stats.discovery.sessions_with or stats.discovery.sessions_without):
        rows.append(("discovery (measured)", _discovery(stats.discovery)))
    if stats.storage is not None:
        rows.append(("storage", _storage(stats.storage)))
        if (whole := stats.storage.store) is not None:
            rows.append(("storage of the store", _storage(whole)))
    if took is not None:
        for name in ("embedding", "search", "write"):
            value = getattr(took, name)
            rows.append((f"{name} takes", "–" if value is None else f"{value:.2f} ms"))
    return rows
