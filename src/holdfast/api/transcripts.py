"""Sessions of coding agents on this machine: finds their transcripts and learns from them, by project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdfast.config import settings_folder
from holdfast.core.errors import HoldfastError
from holdfast.core.record import Outcome

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.features.learning.rules.log import Learned

CLIENTS: dict[str, tuple[Callable[[], Path], tuple[str, ...]]] = {
    "Claude Code": (lambda: settings_folder("CLAUDE_CONFIG_DIR", ".claude"), ("projects/*/*.jsonl",)),
    "Codex": (
        lambda: settings_folder("CODEX_HOME", ".codex"),
        ("sessions/**/rollout-*.jsonl", "archived_sessions/rollout-*.jsonl"),
    ),
    "Gemini CLI": (
        lambda: settings_folder("GEMINI_CLI_HOME", "") / ".gemini",
        ("tmp/*/chats/session-*.jsonl", "tmp/*/chats/session-*.json"),
    ),
    "Copilot CLI": (
        lambda: settings_folder("COPILOT_HOME", ".copilot"),
        ("session-state/*/events.jsonl",),
    ),
}
"""The clients, with the folder of each and the files in it that are transcripts."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """A transcript, with the folder that its session worked in, if it says so."""

    client: str
    path: Path
    folder: Path | None


@dataclass(slots=True)
class Account:
    """The counts of one project: sessions by client, lessons by outcome, and sessions with nothing new."""

    project: str
    sessions: Counter[str] = field(default_factory=Counter)
    lessons: Counter[Outcome] = field(default_factory=Counter)
    unchanged: int = 0

    @property
    def kept(self) -> int:
        """Returns how many lessons are kept or wait, without those that were known."""
        return self.lessons.total() - self.lessons[Outcome.DUPLICATE] - self.lessons[Outcome.REFUSED]

    def as_dict(self) -> dict[str, Any]:
        """Returns the account for JSON."""
        outcomes = {outcome.value: count for outcome, count in sorted(self.lessons.items())}
        return {
            "project": self.project, "sessions": dict(self.sessions), "unchanged": self.unchanged,
            "lessons": outcomes,
        }  # fmt: skip


def transcripts() -> Iterator[Transcript]:
    """Yields the transcripts of all clients on this machine, the oldest first. Nothing is written."""
    from holdfast.features.transfer.formats.worklog import root_of

    files = [
        (path.stat().st_mtime_ns, client, path)
        for client, (home, patterns) in CLIENTS.items()
        for pattern in patterns
        for path in _files(home(), pattern)
    ]
    for _, client, path in sorted(files):
        root = root_of(path)
        yield Transcript(client, path, None if root is None else Path(root))


def _files(home: Path, pattern: str) -> Iterator[Path]:
    """Yields the files of a folder that match a pattern; none if it cannot be read."""
    try:
        yield from (path for path in home.glob(pattern) if path.is_file() and not path.is_symlink())
    except OSError:  # a folder that may not be read has none
        return


def unread(memory: Memory, paths: Iterable[Path]) -> list[Path]:
    """Returns the transcripts that have lines which were not learned from yet; those that cannot be read have
    none."""
    return [path for path, read, end in _read(memory, paths) if read < end]


def started_transcripts(memory: Memory, paths: Iterable[Path]) -> list[Path]:
    """Returns the transcripts that were learned from, be it in part."""
    return [path for path, read, _ in _read(memory, paths) if read]


def _read(memory: Memory, paths: Iterable[Path]) -> list[tuple[Path, int, int]]:
    """Returns how far transcripts were learned from, and where they end, in bytes."""
    from holdfast.features.transfer.formats.worklog import end_of

    ends = {}
    for path in paths:
        with suppress(HoldfastError):
            ends[end_of(path)] = path
    read = memory.log_positions([position.key for position in ends]) if ends else {}
    return [(path, read[position.key], position.offset) for position, path in ends.items()]


def learn_new(memory: Memory, path: Path, project: str) -> Learned:
    """Learns from what a transcript has gained since it was last learned from. A service is sent only that,
    with the context that it needs. Raises InvalidInput."""
    if not memory.is_remote:
        return memory.learn(path, project=project, resume=True)
    from holdfast.features.transfer.formats.worklog import events_of, read_new

    log = read_new(path, lambda key: memory.log_positions([key])[key])
    learned = memory.learn(events_of(log), project=project)
    return replace(learned, more=log.position is not None and log.position.more)


def pass_over(memory: Memory, path: Path, project: str | None) -> None:
    """Notes a transcript as read to its end, so that nothing before it is learned; in a service only for a
    session in a project. Raises InvalidInput."""
    from holdfast.features.transfer.formats.worklog import end_of, events_of

    end = end_of(path)
    if memory.is_remote and project is not None:
        from holdfast.features.learning.rules.log import SessionLog

        memory.learn(events_of(SessionLog(path.stem, (), position=end)), project=project)
    elif not memory.is_remote:
        from holdfast.features.learning import positions

        positions.pass_over(memory._service, end)


def project_of(memory: Memory, folder: Path | None) -> str | None:
    """Returns the project of the folder of a session: its own, or a new one with the name of its Git
    repository; None if it has none, as the home folder, or if another project has its name or remote."""
    from holdfast.api.checkout import is_home, name_of, project_at, project_like, root_of

    if folder is None or is_home(folder):
        return None
    project = project_at(memory, folder)
    if project is not None or project_like(memory, folder) is not None:
        return project
    return name_of(root_of(folder)) or None


def learn_all(
    memory: Memory, transcripts: Iterable[tuple[Transcript, str]], *, dry_run: bool = False,
    advance: Callable[[int], None] = lambda _: None, on_error: Callable[[Path, HoldfastError], None],
) -> list[Account]:  # fmt: skip
    """Learns from transcripts, each for its project, from where each was left; returns an account for each
    project. What is interrupted goes on with the next call."""
    from holdfast.api.checkout import name_of, root_of
    from holdfast.api.folder_trust import trust_folder

    accounts: dict[str, Account] = {}
    trusted: set[Path] = set()
    for transcript, project in transcripts:
        account = accounts.setdefault(project, Account(project))
        is_changed = False
        try:
            for learned in _portions(memory, transcript.path, project, dry_run):
                account.lessons.update(lesson.outcome for lesson in learned.lessons)
                is_changed = is_changed or learned.steps > 0
        except HoldfastError as error:
            on_error(transcript.path, error)
            continue
        account.sessions[transcript.client] += 1
        account.unchanged += not is_changed
        advance(1)
        folder = transcript.folder
        if (
            not dry_run
            and folder is not None
            and folder.is_dir()
            and (root := root_of(folder)) not in trusted
        ):
            trusted.add(root)
            if name_of(root) == project:
                trust_folder(root, project)
    return list(accounts.values())


def _portions(memory: Memory, path: Path, project: str, dry_run: bool) -> Iterator[Any]:
    """Learns from a transcript in portions, and yields the result of each."""
    if dry_run or path.suffix != ".jsonl":
        yield memory.learn(path, project=project, dry_run=dry_run)
        return
    while True:
        learned = learn_new(memory, path, project)
        yield learned
        if not learned.more:
            return
