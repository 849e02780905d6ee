"""`holdfast import transcripts`: learns from the sessions of coding agents on this machine."""

from __future__ import annotations

import shlex
from collections import Counter
from pathlib import Path

from holdfast.api.transcripts import Account, Transcript, learn_all, project_of, transcripts
from holdfast.cli import output
from holdfast.cli.face import REFUSED, Face
from holdfast.core.errors import HoldfastError
from holdfast.core.record import Outcome


def import_transcripts(face: Face, project: str | None, *, dry_run: bool) -> int:
    """Learns from all sessions that are found, or with a project from those of the current folder."""
    from holdfast.api.checkout import root_of
    from holdfast.cli.progress import progress

    sessions = list(transcripts())
    failures: list[tuple[Path, HoldfastError]] = []
    with face.open(create=True) as memory:
        if project is not None:
            here = root_of(Path.cwd())
            chosen = [
                (transcript, project)
                for transcript in sessions
                if transcript.folder is not None
                and (transcript.folder.is_relative_to(here) or root_of(transcript.folder) == here)
            ]
            homeless: list[Transcript] = []
        else:
            folders = {transcript.folder: project_of(memory, transcript.folder) for transcript in sessions}
            named = [(transcript, folders[transcript.folder]) for transcript in sessions]
            chosen = [(path, name) for path, name in named if name is not None]
            homeless = [path for path, name in named if name is None]
        title = "looking at sessions" if dry_run else "learning from sessions"
        with progress(title, estimate=lambda: len(chosen)) as advance:
            accounts = learn_all(
                memory, chosen, dry_run=dry_run, advance=advance,
                on_error=lambda path, error: failures.append((path, error)),
            )  # fmt: skip
    if face.json:
        output.json({
            "projects": [account.as_dict() for account in accounts],
            "without_project": dict(Counter(str(transcript.folder) for transcript in homeless)),
            "failed": [{"path": str(path), "code": error.code} for path, error in failures],
            "dry_run": dry_run,
        })  # fmt: skip
    else:
        _show(accounts, homeless, failures, dry_run=dry_run)
    return REFUSED if failures else 0


def _show(
    accounts: list[Account],
    homeless: list[Transcript],
    failures: list[tuple[Path, HoldfastError]],
    *,
    dry_run: bool,
) -> None:
    """Shows what was learned from transcripts, and which were not read."""
    if not accounts and not homeless and not failures:
        output.say("No sessions of Claude Code, Codex, Gemini CLI or Copilot CLI were found.")
        return
    rows = [
        (
            account.project,
            ", ".join(f"{client} {count:,}" for client, count in sorted(account.sessions.items())),
            f"{account.unchanged:,}", f"{account.kept - account.lessons[Outcome.PENDING]:,}",
            f"{account.lessons[Outcome.PENDING]:,}", f"{account.lessons[Outcome.DUPLICATE]:,}",
        )
        for account in accounts
    ]  # fmt: skip
    output.table(("project", "sessions", "nothing new", "learned", "waiting", "known"), rows)
    total = sum(account.sessions.total() for account in accounts)
    unchanged = sum(account.unchanged for account in accounts)
    if total == unchanged:
        output.done(f"Nothing new in {output.pluralize(total, 'session')}.")
    else:
        sessions = output.pluralize(total - unchanged, "session")
        output.done(f"{'Would learn' if dry_run else 'Learned'} from {sessions}.")
    for folder, count in Counter(
        str(transcript.folder or "an unknown folder") for transcript in homeless
    ).items():
        output.note(
            f"{output.pluralize(count, 'session')} in {folder} left out: it belongs to no project. There:"
            " holdfast import transcripts --project NAME"
        )
    for path, error in failures:
        output.note(f"{path} was left out: {error.in_full}")
    if dry_run:
        output.note("Nothing was kept.")
    elif any(account.lessons[Outcome.PENDING] for account in accounts):
        output.note("Review what is pending: holdfast review")
    elif projects := [account.project for account in accounts if account.kept]:
        output.note(f"See what was learned: holdfast list --project {shlex.quote(projects[0])}")
