"""`holdfast import chat`: keeps the messages of a chat export and accounts for every one."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from holdfast.cli import output
from holdfast.cli.face import REFUSED, Face, group, pass_face, project_option

if TYPE_CHECKING:
    from holdfast.domain.memories import Kept
    from holdfast.importers import ChatExport, Conversation
    from holdfast.memory import Memory

BATCH = 1_000
"""Messages kept in one transaction: durable together, and progress is seen."""
REASONS_SHOWN = 20


@dataclass(slots=True)
class Account:
    """What became of every message of an export: each is in `outcomes`, or in the export's `skipped`."""

    outcomes: Counter[str] = field(default_factory=Counter)
    redactions: Counter[str] = field(default_factory=Counter)
    redacted: list[Kept] = field(default_factory=list)
    refused: list[dict[str, Any]] = field(default_factory=list)

    def add(self, conversation: Conversation, ids: list[str], kept: list[Kept]) -> None:
        """Counts the outcomes of some messages of one conversation."""
        for id, one in zip(ids, kept, strict=True):
            self.outcomes[one.outcome.value] += 1
            if one.redactions and one.outcome.value != "duplicate":
                self.redactions.update(one.redactions)
                self.redacted.append(one)
            if one.outcome.value == "refused":
                place = {"session": conversation.id, "message": id}
                self.refused.append({**place, "code": one.code, "reason": one.reason})


def keep_export(
    memory: Memory,
    export: ChatExport,
    advance: Callable[[int], None],
    *,
    filename: str,
    project: str | None = None,
    visibility: str | None = None,
    workspace: str | None = None,
) -> Account:
    """Keeps all conversations of an export, each as a session with its title; its messages name the export
    as their source (S2.4)."""
    account = Account()
    source = memory.sources.add(
        export.platform,
        export.sha256,
        filename=filename,
        message_count=export.message_count,
        conversation_count=len(export.conversations),
    )
    for conversation in export.conversations:
        for start in range(0, len(conversation.messages), BATCH):
            part = conversation.messages[start : start + BATCH]
            messages = [
                {
                    "role": m.role,
                    "content": m.content,
                    "name": m.name,
                    "at": m.at,
                    "id": m.id,
                    "position": m.index,
                }
                for m in part
            ]
            kept = memory.add_messages(
                messages,
                session=conversation.id,
                project=project,
                visibility=visibility,
                workspace=workspace,
                source=source.id,
            )
            account.add(conversation, [m.id for m in part], kept)
            advance(len(part))
        _name(memory, conversation, source.id)
    return account


def _name(memory: Memory, conversation: Conversation, source: str) -> None:
    """Gives a session that has no name yet its title, and says where it came from."""
    from holdfast.domain.errors import HoldfastError

    try:
        session = memory.sessions.get(conversation.id)
        if session.name is None and not session.metadata:
            memory.sessions.create(conversation.id, name=conversation.title, metadata={"source": source})
    except HoldfastError as error:
        # a title that cannot be used is no reason to lose the messages; a broken store is
        if error.exit_status >= 5:
            raise


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
        output.json({"file": file, **as_dict(export, account), "seconds": round(seconds, 3)})
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


def as_dict(export: ChatExport, account: Account) -> dict[str, Any]:
    """The whole account as plain JSON."""
    return {
        "platform": export.platform,
        "sha256": export.sha256,
        "conversations": len(export.conversations),
        "messages": export.message_count,
        "outcomes": dict(account.outcomes),
        "redactions": dict(account.redactions),
        "refused": account.refused,
        "skipped": [{"where": s.where, "reason": s.reason, "count": s.count} for s in export.skipped],
    }


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
