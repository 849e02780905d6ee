"""Tokens that an agent reads until a first right file is open: with grep, and with the context (S4.60).

    python -m benchmarks.discovery FOLDER     (a folder that holds the unpacked packages of `TASKS`)

Both agents are scripts and read alike. Without a memory the agent lists the files, greps for the words of its
task, rarest first, and opens what matches best, sources before tests and documentation. With one it reads the
context, opens the sources that it names in its order, then tests, and goes on like the other if none of
it was right.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from holdfast import Memory

LISTED = 200
"""Lines of a listing that are read."""
MATCHES = 50
"""Lines of what grep prints for one word that are read."""
PAGE = 200
"""Lines of a file that are read at a time; the first page of the right file is counted."""
OPENED = 25
"""Files that are opened before an agent gives up."""

_SOURCES = {".py", ".js", ".ts", ".go", ".rs", ".java"}
_ASIDE = re.compile(
    r"(^|/)(tests?|testing|docs?|examples?|benchmarks?|dist|__tests__)(/|$)|(^|/)test_|[._]test\."
)
_BRACES = re.compile(r"([^\s,{}]*)\{([^{}]*)\}([^\s,{}]*)")
_FILLERS = frozenset(
    "about after again although another because does from have into more only that their them then there "
    "they this when where which while with without wrong wrongly fails broken".split()
)


@dataclass(frozen=True, slots=True)
class Task:
    """What somebody asks of an agent, in which package, and the files of which one has to be found."""

    package: str
    text: str
    files: tuple[str, ...]


TASKS = (
    Task("flask", "the session cookie is not marked secure although it is set in the configuration",
         ("src/flask/sessions.py",)),
    Task("flask", "nested blueprints lose the url prefix of their parent",
         ("src/flask/sansio/blueprints.py", "src/flask/blueprints.py")),
    Task("flask", "the run command does not find the application factory", ("src/flask/cli.py",)),
    Task("flask", "decimal values are wrong in JSON responses", ("src/flask/json/provider.py",)),
    Task("flask", "streamed templates lose the request context",
         ("src/flask/templating.py", "src/flask/helpers.py")),
    Task("requests", "the authorization header leaks to another host on a redirect",
         ("src/requests/sessions.py",)),
    Task("requests", "digest authentication fails when the challenge has no qop", ("src/requests/auth.py",)),
    Task("requests", "proxies from the environment ignore no_proxy with a network range",
         ("src/requests/utils.py",)),
    Task("requests", "uploading several files with unicode names breaks", ("src/requests/models.py",)),
    Task("httpx", "limits of the connection pool do not reach the proxy transport",
         ("httpx/_transports/default.py",)),
    Task("httpx", "decoding brotli responses fails at the end of the stream", ("httpx/_decoders.py",)),
    Task("httpx", "query parameters are encoded twice", ("httpx/_urls.py", "httpx/_urlparse.py")),
    Task("click", "completion for zsh prints nothing", ("src/click/shell_completion.py",)),
    Task("click", "the progress bar flickers when output is no terminal", ("src/click/_termui_impl.py",)),
    Task("click", "a prompt for a password shows its default", ("src/click/termui.py",)),
    Task("rich", "columns of a table are cut off in narrow terminals", ("rich/table.py",)),
    Task("rich", "tracebacks do not show local variables", ("rich/traceback.py",)),
    Task("axios", "cancelling a request with a token leaks listeners", ("lib/cancel/CancelToken.js",)),
    Task("axios", "nested objects become wrong form data", ("lib/helpers/toFormData.js",)),
    Task("fastify", "a parser for a custom content type is not inherited by plugins",
         ("lib/content-type-parser.js",)),
)  # fmt: skip
"""Written before either agent was run."""


class Reading:
    """What one agent has read so far, in tokens of four characters."""

    def __init__(self, root: Path, task: Task) -> None:
        self._root = root
        self._right = frozenset(task.files)
        self._opened: set[str] = set()
        self.tokens = 0
        self.found = False

    def take(self, text: str) -> None:
        """Reads some output."""
        self.tokens += -(-len(text) // 4)

    def open(self, files: Iterator[str]) -> None:
        """Opens files until a right one is open, nothing is left, or patience is."""
        for path in files:
            if self.found or len(self._opened) >= OPENED:
                return
            if path in self._opened or not (self._root / path).is_file():
                continue
            self._opened.add(path)
            lines = (self._root / path).read_text("utf-8", errors="replace").splitlines()
            self.take("\n".join(lines[:PAGE]))
            self.found = path in self._right


class Repository:
    """The texts of one package, for listing and for grep."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.texts = {
            path.relative_to(root).as_posix(): path.read_text("utf-8", errors="replace")
            for path in sorted(root.rglob("*"))
            if path.suffix in _SOURCES and path.is_file()
        }

    @property
    def listing(self) -> str:
        """The paths, sources first, as far as they are read."""
        return "\n".join(sorted(self.texts, key=_rank)[:LISTED])

    def grep(self, word: str) -> tuple[list[str], str]:
        """The files with a word, and as much of the matching lines as is read."""
        pattern = re.compile(re.escape(word), re.IGNORECASE)
        files, lines = [], []
        for path in sorted(self.texts, key=_rank):
            found = [line for line in self.texts[path].splitlines() if pattern.search(line)]
            files += [path] if found else []
            lines += [f"{path}:{line.strip()[:160]}" for line in found]
        return files, "\n".join(lines[:MATCHES])


def _rank(path: str) -> tuple[bool, str]:
    return bool(_ASIDE.search(path)), path


def by_grep(repository: Repository, task: Task, reading: Reading) -> None:
    """Lists, greps and opens."""
    reading.take(repository.listing)
    words = [w for w in re.findall(r"[a-z_]{4,}", task.text.lower()) if w not in _FILLERS]
    stems = list(dict.fromkeys(word[:-1] if word.endswith("s") else word for word in words))
    found = {stem: repository.grep(stem) for stem in stems}
    worth: dict[str, float] = {}
    for stem in sorted(found, key=lambda one: len(found[one][0])):
        files, output = found[stem]
        reading.take(output)
        for path in files:
            worth[path] = worth.get(path, 0.0) + 1 / len(files)
    reading.open(iter(sorted(worth, key=lambda path: (_rank(path)[0], -worth[path], path))))


def by_context(memory: Memory, repository: Repository, task: Task, reading: Reading) -> None:
    """Reads the context and opens what it names; falls back to grep."""
    text = memory.context(task.text, project=task.package).text
    reading.take(text)
    named = _GROUP.sub(_split_group, text)
    places = {path: named.find(path) for path in repository.texts}
    shown = [path for path in places if places[path] >= 0]
    reading.open(iter(sorted(shown, key=lambda path: (_rank(path)[0], places[path]))))
    if not reading.found:
        by_grep(repository, task, reading)


_GROUP = re.compile(r"([^\s,{}]*)\{([^{}\n]*)\}([^\s,{}]*)")
"""Files of one folder together, as a context names them: `auth/{config,tokens}.py`."""


def _split_group(group: re.Match[str]) -> str:
    """The files of a group, each by itself."""
    return ", ".join(f"{group[1]}{name}{group[3]}" for name in group[2].split(","))


def main() -> int:
    """Prints one table; exit status 1 if a package is not there."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path, help="holds the unpacked packages, each as NAME-VERSION")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    roots: dict[str, Path] = {}
    for name in dict.fromkeys(task.package for task in TASKS):
        versions = sorted(options.folder.glob(f"{name}-[0-9]*"))
        if not versions:
            print(f"there is no {name} in {options.folder}", file=sys.stderr)
            return 1
        roots[name] = versions[-1]
    rows = []
    with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "memory.db") as memory:
        repositories = {name: Repository(root) for name, root in roots.items()}
        for name, root in roots.items():
            memory.maps.scan(root, project=name)
        for task in TASKS:
            repository = repositories[task.package]
            without, with_ = Reading(repository.root, task), Reading(repository.root, task)
            by_grep(repository, task, without)
            by_context(memory, repository, task, with_)
            rows.append((task, without, with_))
    if options.json:
        print(json.dumps([[t.package, t.text, a.tokens, a.found, b.tokens, b.found] for t, a, b in rows]))
        return 0
    print(f"{'package':10} {'grep':>8} {'context':>8}  task")
    for task, a, b in rows:
        print(f"{task.package:10} {_in_words(a):>8} {_in_words(b):>8}  {task.text}")
    for what, pick in (("median", median), ("total", sum)):
        print(
            f"{what:10} {pick(a.tokens for _, a, _ in rows):8.0f} {pick(b.tokens for _, _, b in rows):8.0f}"
        )
    print(f"{'found':10} {sum(a.found for _, a, _ in rows):8} {sum(b.found for _, _, b in rows):8}")
    return 0


def _in_words(reading: Reading) -> str:
    return str(reading.tokens) if reading.found else f"{reading.tokens}*"


if __name__ == "__main__":
    raise SystemExit(main())
