"""`holdfast try`: the whole of Holdfast at work on real input, in a memory that is removed at the end."""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from holdfast.cli import output
from holdfast.cli.face import Face, Usage, command, pass_face

if TYPE_CHECKING:
    from holdfast.api.import_report import Report
    from holdfast.api.memory import Memory
    from holdfast.core.hits import Hits

LIMIT = 10
"""Hits looked at for each question."""
EXCERPT = 170
"""Characters shown of an answer."""

_ABOUT_THIS = (
    ("What happens to passwords and keys in what I want remembered?", "docs/security.md", "file"),
    ("How do I accept a loss after a rollback that was meant?", "docs/reference/commands.md", "file"),
    ("Which commit laid the first domain, engine and store?", "Lay the house", "commit"),
)
"""Questions about this repository: with the document, or the opening of the commit message, that answers."""


@command("try")
@click.option("--keep", metavar="PATH", help="Keep the store in this new file.")
@click.option("--serve", is_flag=True, help="Serve it afterwards over HTTP and MCP, until Ctrl-C.")
@click.option("--port", type=click.IntRange(0, 65535), default=5858, metavar="N",
              help="With --serve: the port (default 5858; a free one if it is 0 or in use).")  # fmt: skip
@click.option("--for", "seconds", type=click.FloatRange(min=0), metavar="SECONDS",
              help="With --serve: stop after this time.")  # fmt: skip
@pass_face
def try_(face: Face, keep: str | None, serve: bool, port: int, seconds: float | None) -> None:
    """Demonstrate Holdfast on a chat export and this repository.

    Imports a chat export and this repository's documents and history, and answers questions from them. It
    works in a temporary store, which is removed unless --keep is given.
    """
    if serve and face.json:
        raise Usage("--serve prints lines for people", "leave out --json")
    with _place(keep) as store:
        trial = Trial(face, store)
        trial.run()
        if serve:
            from holdfast.cli.trial_serving import serve_trial

            serve_trial(face, store, port, seconds)
    if face.json:
        output.json(trial.result)
    else:
        trial.farewell(keep)


@contextmanager
def _place(keep: str | None) -> Iterator[str]:
    """Yields the path of the trial store: a temporary one, or the one to keep. Raises Usage if it exists."""
    if keep is None:
        from tempfile import TemporaryDirectory

        from holdfast.cli.ending import cleaned_up

        with cleaned_up(), TemporaryDirectory(prefix="holdfast-try-") as folder:
            yield str(Path(folder) / "try.db")
    elif Path(keep).exists():
        raise Usage(f"{keep} exists already", "--keep takes a new file")
    else:
        yield keep


class Trial:
    """One run: reads, asks, counts and times; `result` holds all of it as plain JSON."""

    def __init__(self, face: Face, store: str) -> None:
        self._face = face
        self._store = store
        self._began = time.perf_counter()
        self.result: dict[str, Any] = {}

    def run(self) -> None:
        """Runs all stages in their order."""
        from holdfast import __version__

        self._say(f"Holdfast {__version__}: a trial in a temporary memory", bold=True)
        with self._face.open(self._store, create=True) as memory:
            self._chat(memory)
            self._repository(memory)
            self._questions(memory)
            began = time.perf_counter()
            events = memory.audit.verify()
            took = time.perf_counter() - began
            self.result["audit"] = {"events": events, "verified": True, "seconds": round(took, 3)}
            self._head("Audit", took)
            self._say(f"  The chain of {output.pluralize(events, 'event')} verifies.")
        self.result["seconds"] = round(time.perf_counter() - self._began, 3)

    def farewell(self, keep: str | None) -> None:
        """Prints what to try next."""
        output.say()
        outcome = f"the memory stays in {keep}" if keep else "the temporary memory is removed"
        output.done(f"Done in {self.result['seconds']:.1f} s; {outcome}.")
        name = _own_name()
        store = f" --store {keep}" if keep else ""
        output.say("Try next:")
        if keep:
            # the chat belongs to no project; the current folder may have the name of a project of this store
            output.say(f'  {name} recall "what does the flat cost per night?" --no-project{store}')
        decision = '"We chose JWT over sessions: the API is public"'
        output.say(f"  {name} remember {decision} --kind decision --project shop")
        output.say(f'  {name} recall "why not sessions?" --project shop')
        if not keep:
            output.say(f"  {name} import ~/Downloads/conversations.json")

    # the stages

    def _chat(self, memory: Memory) -> None:
        """Imports the example chat."""
        from holdfast.api.importing import import_path
        from holdfast.cli.imports import described
        from holdfast.cli.progress import progress

        file = _examples() / "chatgpt-export.json"
        began = time.perf_counter()
        with progress("keeping messages") as advance:
            report = import_path(memory, file, advance=advance)
        took = time.perf_counter() - began
        self.result["chat"] = {"file": file.name, **report.as_dict(), "seconds": round(took, 3)}
        self._head(f"A chat: {file.name}, {described(report)}", took)
        if not self._face.json:
            _show_chat(report)

    def _repository(self, memory: Memory) -> None:
        """Remembers the documents and the history of this repository."""
        from holdfast.cli import trial_sources as sources
        from holdfast.cli.remember import tally

        root = sources.checkout()
        if root is None:
            self.result["repository"] = None
            self._say("\nDocuments and history: left out, this is not a checkout")
            return
        began = time.perf_counter()
        left_out: dict[str, str] = {}
        sections, commits = sources.documents(root, left_out.__setitem__), sources.commits(root)
        items = [section.as_item() for section in sections] + [commit.as_item() for commit in commits]
        results = memory.remember_many([{**item, "project": "holdfast"} for item in items])
        took = time.perf_counter() - began
        files, counts = len({section.file for section in sections}), tally(results)
        self.result["repository"] = {
            "documents": files,
            "sections": len(sections),
            "commits": len(commits),
            "outcomes": counts,
            "left_out": left_out,
            "seconds": round(took, 3),
        }
        summary = f"{output.pluralize(files, 'document')} and {output.pluralize(len(commits), 'commit')}"
        self._head(f"This repository: {summary}", took)
        for name, count in counts.items():
            self._say(f"  {'kept' if name == 'created' else name:<11}{count:>7,}")
        for result in results:
            if result.memory is not None and result.redactions:
                what = ", ".join(dict.fromkeys(map(output.taken_out, result.redactions)))
                self._say(f"  removed from {result.memory.title or result.memory.id}: {what}", dim=True)
        for file, reason in left_out.items():
            self._say(output.wrapped(f"{file}: {reason}", 2), fg="yellow")

    def _questions(self, memory: Memory) -> None:
        """Asks the example questions and shows how often the expected memory came first."""
        questions = list(_chat_questions()) + list(_own_questions(memory))
        memory.recall("a first question loads the index", project="*")
        answers = [self._ask(memory, *question) for question in questions]
        times = sorted(answer["milliseconds"] for answer in answers)
        self._head(f"Questions: {len(answers)}, asked of everything at once", sum(times) / 1000)
        for answer in answers:
            self._show_answer(answer)
        ranks = [answer["rank"] for answer in answers if answer["rank"]]
        self.result["questions"] = answers
        first, three = sum(rank == 1 for rank in ranks), sum(rank <= 3 for rank in ranks)
        self._say(
            f"\n  Of {len(answers)} expected memories {first} came first, {three} among the first three,"
            f" {len(ranks)} among the first {LIMIT}. Median {times[len(times) // 2]:.1f} ms a question."
        )

    def _ask(self, memory: Memory, question: str, answer: str, expected_id: str) -> dict[str, Any]:
        """Asks one question. Returns the rank of the expected memory and the time in milliseconds."""
        began = time.perf_counter()
        hits = memory.recall(question, project="*", limit=LIMIT)
        took = time.perf_counter() - began
        rank = next((n for n, hit in enumerate(hits, 1) if _is(hit.memory, expected_id)), None)
        return {
            "question": question,
            "expected": answer,
            "rank": rank,
            "milliseconds": round(took * 1000, 2),
            "first": _first_hit(memory, hits, question) if hits else None,
        }

    def _show_answer(self, answer: dict[str, Any]) -> None:
        """Shows the first hit for a question, and whether it is the expected one."""
        if self._face.json:
            return
        rank, first = answer["rank"], answer["first"]
        mark = {1: ("✓", "green"), None: ("✗", "red")}.get(rank, (str(rank), "yellow"))
        click.echo(f"\n  {click.style(mark[0], fg=mark[1])} {click.style(answer['question'], bold=True)}")
        if first is None:
            output.say("    nothing found")
            return
        output.say(output.wrapped(f"{first['excerpt']}", 4))
        output.say(f"    {first['citation']} {first['source']}", dim=True)
        if rank is None:
            output.say(f"    expected but not among the first {LIMIT}: {answer['expected']}", fg="red")
        elif rank > 1:
            output.say(f"    expected, and found at place {rank}: {answer['expected']}", fg="yellow")

    # telling

    def _say(self, line: str, **style: Any) -> None:
        if not self._face.json:
            output.say(line, **style)

    def _head(self, title: str, seconds: float) -> None:
        self._say(f"\n{title} ({seconds:.2f} s)", bold=True)


def _examples() -> Path:
    from holdfast.cli.trial_sources import examples_folder

    return examples_folder()


def _chat_questions() -> Iterator[tuple[str, str, str]]:
    text = (_examples() / "questions.json").read_text(encoding="utf-8")
    for question in json.loads(text)["questions"]:
        yield question["question"], question["answer"], question["message_id"]


def _own_questions(memory: Memory) -> Iterator[tuple[str, str, str]]:
    """Returns the questions about the repository whose answer was available to be stored."""
    memories = []
    cursor: str | None = None
    while True:
        page = memory.list(project="holdfast", limit=1000, cursor=cursor)
        memories += page.memories
        cursor = page.cursor
        if cursor is None:
            break
    for question, answer, what in _ABOUT_THIS:
        for result in memories:
            if what == "file" and result.metadata.get("file") == answer:
                yield question, answer, f"file:{answer}"
                break
            if what == "commit" and result.metadata.get("commit") and result.text.startswith(answer):
                yield question, result.text.splitlines()[0], str(result.external_id)
                break


def _is(memory: Any, expected: str) -> bool:
    return expected in (memory.external_id, f"file:{memory.metadata.get('file')}")


def _first_hit(memory: Memory, hits: Hits, question: str) -> dict[str, Any]:
    """Returns the first hit with its source and an excerpt."""
    hit = hits[0]
    recalled = hit.memory
    day = output.day(recalled.as_dict()["at"])
    if recalled.session is not None:
        name = memory.sessions.get(recalled.session).name
        source = f"{name or recalled.session}, {recalled.name or recalled.role}, {day}"
    elif "commit" in recalled.metadata:
        source = f"commit {recalled.metadata['commit'][:10]}, {day}"
    else:
        source = recalled.title or recalled.id
    return {
        "citation": hit.citation,
        "id": recalled.id,
        "score": round(hit.score, 4),
        "source": source,
        "excerpt": excerpt(hit.passage or recalled.text, question),
    }


def excerpt(text: str, question: str) -> str:
    """Returns the part of a text that shares most words with a question, in whole words on one line."""
    line = output.one_line(text)
    if len(line) <= EXCERPT:
        return line
    stems = {word[:5] for word in _words(question) if len(word) > 3}
    words = line.split(" ")
    starts = [0, *(place for place in range(1, len(words)) if words[place - 1][-1:] in ".!?:;")]

    def part(start: int) -> str:
        shown = ""
        for word in words[start:]:
            if len(shown) + len(word) > EXCERPT:
                return shown.rstrip() + " …"
            shown += word + " "
        return shown.rstrip()

    def shared(start: int) -> int:
        return len(stems & {word[:5] for word in _words(part(start))})

    best = max(starts, key=lambda start: (shared(start), -start))
    return ("… " if best else "") + part(best)


def _words(text: str) -> list[str]:
    return "".join(c if c.isalnum() else " " for c in text.lower()).split()


def _show_chat(report: Report) -> None:
    """Shows the report of the import, and each redaction with the text around it."""
    from holdfast.cli.imports import show_report

    show_report(report)
    for result in report.redacted:
        if result.memory is not None:
            what = ", ".join(dict.fromkeys(map(output.taken_out, result.redactions)))
            output.say(f"  removed: {what}: {_around_redaction(result.memory.text)}", dim=True)


def _around_redaction(text: str) -> str:
    """Returns the part of a text around the first redaction."""
    line = output.one_line(text)
    at = max(line.find("[REDACTED"), 0)
    start = max(line.rfind(" ", 0, max(at - 30, 0)) + 1, 0)
    return ("… " if start else "") + output.one_line(line[start:], 64)


def _own_name() -> str:
    """Returns how to call this program: by its name if the shell finds it, otherwise by its path."""
    own = Path(sys.argv[0])
    if shutil.which("holdfast") or own.name != "holdfast":
        return "holdfast"
    try:
        return str(own.absolute().relative_to(Path.cwd()))
    except ValueError:
        return str(own.absolute())
