"""Reads from git which files change together, how often, and their renames."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

COMMITS = 400
"""Most commits that are read, newest first."""
WIDE = 30
"""Most files of a commit that shows which files belong together."""
RENAMES = 200
"""Most added or removed files of a commit that git compares by content and not only by hash."""
SECONDS = 8.0
OUTPUT_MAX = 8 << 20
"""Seconds and bytes after which git is stopped; its output until then is used."""

# Repositories are untrusted: commands of their configuration are disabled, and nothing is fetched.
_SAFE = (
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.pager=cat",
    "-c", "core.sshCommand=false", "-c", "log.showSignature=false",
    "-c", "diff.external=", "-c", "core.attributesFile=/dev/null", "-c", "gpg.program=false",
)  # fmt: skip
# settings of a partial clone, whose missing objects git would fetch
_PARTIAL = (
    "config",
    "--get-regexp",
    r"^(extensions\.partialclone|remote\..*\.(promisor|partialclonefilter))$",
)
_LOG = (
    "log", "--no-merges", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-color",
    "--no-mailmap", "-M", f"-l{RENAMES}", "--name-status", "--relative", "-z", "--format=%x01",
    f"-n{COMMITS}", "--", ".",
)  # fmt: skip
# against the index and not the working tree, for which git would run filters of the repository
_STAGED = (
    "diff-index", "--cached", "--no-ext-diff", "--no-textconv", "-M", f"-l{RENAMES}", "--name-status",
    "--relative", "-z", "HEAD", "--", ".",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class History:
    """The number of commits of each file and each pair of files, and the new paths of renamed files.

    `renamed` is by old path, without paths that another file has today.
    """

    changes: Counter[str] = field(default_factory=Counter)
    together: Counter[tuple[str, str]] = field(default_factory=Counter)
    renamed: dict[str, str] = field(default_factory=dict)


def history_of(root: Path, paths: Collection[str]) -> History:
    """Returns the history of a folder in a git repository; an empty one without a repository or git."""
    if not any((folder / ".git").exists() for folder in (root, *root.parents)):
        return History()
    changes: Counter[str] = Counter()
    together: Counter[tuple[str, str]] = Counter()
    present = frozenset(paths)
    became: dict[str, str] = {}
    staged, log = _git_output(root)
    for commit in (staged, *log.split("\x01")):
        touched, renames = _read(commit)
        for old, new in renames:  # newest first: the new path may have been renamed again since
            if old not in present:
                became.setdefault(old, became.get(new, new))
        if commit is staged:
            continue
        files = sorted(touched & present)
        changes.update(files)
        if len(files) <= WIDE:
            together.update(
                (first, second) for spot, first in enumerate(files) for second in files[spot + 1 :]
            )
    return History(changes, together, {old: new for old, new in became.items() if new in present})


def _read(commit: str) -> tuple[set[str], list[tuple[str, str]]]:
    """Parses the files of a commit, and its renames as (old, new) paths."""
    parts = iter(part.lstrip("\n") for part in commit.split("\0"))
    touched: set[str] = set()
    renames: list[tuple[str, str]] = []
    for status in parts:
        if not status:
            continue
        path = next(parts, "")
        if status[0] in "RC":
            new = next(parts, "")
            if status[0] == "R" and new:
                renames.append((path, new))
            path = new
        touched.add(path)
    return touched, renames


def _git_output(root: Path) -> tuple[str, str]:
    """Returns git's output about the staged changes, and about commits."""
    git = shutil.which("git")
    if git is None:
        return "", ""
    environment = {
        "PATH": os.pathsep.join((os.path.dirname(git), os.defpath)), "HOME": os.devnull, "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_NO_REPLACE_OBJECTS": "1",
        # an allowlist with no existing protocol, which overrides the repository's own settings
        "GIT_ALLOW_PROTOCOL": "none",
    }  # fmt: skip
    if not _is_whole([git, "-C", str(root), *_SAFE, *_PARTIAL], environment):
        return "", ""
    command = [git, "-C", str(root), *_SAFE]
    return _run_git([*command, *_STAGED], environment), _run_git([*command, *_LOG], environment)


def _run_git(command: list[str], environment: dict[str, str]) -> str:
    """Returns the output of a git command, within limits of time and size; empty without git."""
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=environment,
        )  # fmt: skip
    except OSError:
        return ""
    stop = threading.Timer(SECONDS, process.kill)
    stop.start()
    try:
        assert process.stdout is not None
        data = process.stdout.read(OUTPUT_MAX)
    finally:
        process.kill()
        process.communicate()
        stop.cancel()
    return data.decode("utf-8", "replace")


def _is_whole(command: list[str], environment: dict[str, str]) -> bool:
    """Returns whether the repository is complete, so that git will not fetch anything: its settings for that
    are absent."""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=environment, timeout=SECONDS, check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 1
