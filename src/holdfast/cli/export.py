"""`holdfast export`: everything of one's own, or the rules of a project."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import click

from holdfast.cli import output
from holdfast.cli.face import Face, Usage, command, pass_face, project_option
from holdfast.cli.imports import PLURALS
from holdfast.cli.json_option import json_object
from holdfast.cli.places import project_meant


@command()
@click.option(
    "--format", "-f", "format", metavar="NAME", default="jsonl", help="jsonl (default) or markdown."
)
@click.option(
    "--user-data", is_flag=True, help="Also the audit events about you: all that is kept of one user."
)
@click.option(
    "--metadata",
    metavar="JSON",
    callback=json_object,
    help="Only memories with this metadata, and their projects, sessions and sources.",
)
@click.option(
    "--output", "-o", "target", metavar="FILE", help="Write to this new file (default: standard output)."
)
@click.option(
    "--to", metavar="FILE", help="Write only the rules of a project, into a marked block of this file."
)
@project_option
@pass_face
def export(
    face: Face, format: str, user_data: bool, metadata: dict[str, Any] | None, target: str | None,
    to: str | None, project: str | None,
) -> None:  # fmt: skip
    """Export everything of yours; `holdfast import` reads it back.

    With --to, such as `--to CLAUDE.md`, write the approved conventions, decisions and corrections of a
    project into a marked block of a file that agents read. Nothing outside the block changes.

    The export has memories in every state with all their versions, entities and relations, projects, sessions
    and sources. It includes forgotten memories; erased ones no longer exist.
    """
    if to is not None:
        from holdfast.cli.rules_block import write_block

        with face.open() as memory:
            home = project_meant(memory, project, "the rules of a project are written")
            count, private, others = write_block(memory, Path(to), home)
        result = {"path": to, "project": home, "rules": count, "private": private, "no_rules": others}
        face.done(result, f"Wrote {output.pluralize(count, 'rule')} of {home} to {to}")
        if private and not face.json:
            output.note(
                f"Left out {output.pluralize(private, 'private rule')}."
                " `holdfast revise ID --visibility project` makes one the project's."
            )
        if others and not face.json:
            output.note(
                "Left out of the rules by their kind, such as notes:"
                f" {output.pluralize(others, 'memory', 'memories')}."
                " `holdfast revise ID --kind convention --visibility project` makes one a rule of the"
                " project."
            )
        return
    if project is not None:
        raise Usage("--project is for --to", "an export holds all projects")
    counts: Counter[str] = Counter()
    with face.open() as memory, _open_target(target) as stream:
        for line in memory.export(format=format, user_data=user_data, metadata=metadata):
            stream.write(line)
            if (match := _RECORD.match(line)) is not None:
                counts[match[1]] += 1
        if not memory.is_remote and memory._service.store.encryption is not None:
            output.note("The export is not encrypted; the store is.")
    if target is not None:
        for frame in ("header", "end"):
            del counts[frame]
        if face.json:
            output.json({"path": target, "format": format, "records": dict(counts)})
        else:
            output.done(f"Exported to {target}")
            parts = [output.pluralize(count, what, PLURALS.get(what)) for what, count in counts.items()]
            output.note(", ".join(parts) or "It has no records.")


_RECORD = re.compile(r'(?:<!-- holdfast )?\{"type":"([a-z]+)"')
"""Matches the start of a record, in JSON Lines and in Markdown; the group is its type."""


@contextmanager
def _open_target(target: str | None) -> Iterator[IO[str]]:
    """Opens the output, or a new file that only its owner can read, and that appears whole or not at all."""
    if target is None:
        # texts stay what they are, whatever the terminal can show
        sys.stdout.flush()
        stream = open(sys.stdout.fileno(), "w", encoding="utf-8", newline="\n", closefd=False)  # noqa: SIM115
        with stream:
            yield stream
        return
    path = Path(target)
    if path.exists():
        raise Usage(f"{target} is there already", "name a new file, or remove it first")
    part = path.with_name(f".{path.name}.part")
    try:
        opened = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    except OSError as error:
        raise Usage(f"{target} cannot be written: {error.strerror}") from error
    try:
        with open(opened, "w", encoding="utf-8", newline="\n") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        part.rename(path)
    finally:
        part.unlink(missing_ok=True)
