"""`holdfast import chat`: keeps the messages of a chat export and accounts for every one."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from holdfast.cli import output
from holdfast.cli.face import REFUSED, Face, group, pass_face, project_option
from holdfast.importing import Account, keep_export

if TYPE_CHECKING:
    from holdfast.importers import ChatExport

REASONS_SHOWN = 20


@group("import")
def import_() -> None:
    """Bring in what other programs know."""


@import_.command()
@click.argument("file", type=click.Path())
@project_option
@click.option(
    "--platform", metavar="NAME", help="chatgpt, claude, gemini, generic or text; found out if left out."
)
@click.option("--workspace", metavar="NAME", help="A workspace.")
@click.option("--visibility", metavar="WHO", help="private, team or project.")
@pass_face
def chat(face: Face, file: str, platform: str | None, **where: str | None) -> int:
    """Keep the messages of a chat export FILE.

    Reads conversations.json or the .zip of ChatGPT and Claude, Gemini from Google Takeout, lists of messages
    (.json, .jsonl) and text with roles. Importing again keeps nothing twice.
    """
    from holdfast.cli.progress import progress
    from holdfast.importers import read_chat

    began = time.perf_counter()
    export = read_chat(file, platform=platform)
    with face.open(create=True) as memory, progress("keeping messages", export.message_count) as advance:
        account = keep_export(memory, export, advance, filename=Path(file).name, **where)
    seconds = time.perf_counter() - began
    if face.json:
        output.json({"file": file, **account.as_dict(export), "seconds": round(seconds, 3)})
    else:
        output.say(f"{file}: {described(export)}", bold=True)
        show_account(export, account)
        output.done(
            f"{output.counted(sum(account.outcomes.values()), 'message')} accounted for in {seconds:.1f} s."
        )
        _next_step(account, where["project"])
    return REFUSED if account.refused else 0


def described(export: ChatExport) -> str:
    """`chatgpt export, 7 conversations, 110 messages`."""
    conversations = output.counted(len(export.conversations), "conversation")
    return f"{export.platform} export, {conversations}, {output.counted(export.message_count, 'message')}"


_NAMES = {
    "created": "kept",
    "redacted": "redacted",
    "superseded": "changed",
    "pending": "for review",
    "duplicate": "known",
    "merged": "merged",
    "refused": "refused",
}


def show_account(export: ChatExport, account: Account) -> None:
    """The account in words: what was kept, redacted, known, refused and skipped, each with its reasons."""
    for outcome, name in _NAMES.items():
        if count := account.outcomes[outcome]:
            why = ""
            if outcome == "redacted":
                why = "kept without " + ", ".join(
                    f"{label} ({n})" for label, n in account.redactions.most_common()
                )
            _row(name, count, why)
            if outcome == "refused":
                _refusals(account)
    reasons: Counter[str] = Counter()
    for skipped in export.skipped:
        reasons[skipped.reason] += skipped.count
    if reasons:
        told = ", ".join(f"{reason} ({count:,})" for reason, count in reasons.most_common(REASONS_SHOWN))
        _row("skipped", export.skipped_count, told)


def _refusals(account: Account) -> None:
    for refused in account.refused[:REASONS_SHOWN]:
        output.say(f"              {refused['session']} / {refused['message']}: {refused['reason']}")
    if (more := len(account.refused) - REASONS_SHOWN) > 0:
        output.say(f"              and {more:,} more; --json lists them all")


def _row(name: str, count: int, why: str) -> None:
    line = f"  {name:<11}{count:>7,}   "
    if why:
        line += output.wrapped(why, len(line)).lstrip()
    output.say(line.rstrip())


def _next_step(account: Account, project: str | None) -> None:
    option = f" --project {project}" if project else ""
    if account.outcomes["refused"] == sum(account.outcomes.values()):
        return
    output.note(f'Ask it something: holdfast recall "what did we decide?"{option}')
