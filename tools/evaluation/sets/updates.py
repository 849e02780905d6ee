"""Statements and later ones: whether a question about the present finds the newer first, and only then."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tools.evaluation.corpus import Corpus, Question
from tools.evaluation.sets.collection import PROJECT, fill_documents

FILE = Path(__file__).with_suffix(".txt")
UPDATES = "updates"
"""Heading of the pairs of which the later statement answers; in all others it is the earlier."""


def load_updates(half: str | None = None) -> Iterator[Corpus]:
    """Yields the sections of the file, each as notes and as messages; of one half ("tuned", "held out") or of
    both."""
    for heading, lines in _sections().items():
        if half is None or heading.endswith(half):
            for form in ("notes", "messages"):
                yield _corpus(heading, lines, form)


def _sections() -> dict[str, list[list[str]]]:
    sections: dict[str, list[list[str]]] = {}
    lines: list[list[str]] = []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            lines = sections.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            lines.append([part.strip() for part in line.split("|")])
    return sections


def _corpus(heading: str, lines: list[list[str]], form: str) -> Corpus:
    docs = [
        {"id": f"{number}:{place}", "text": text, "kind": "note"}
        for number, (earlier, later, _) in enumerate(lines)
        for place, text in (("earlier", earlier), ("later", later))
    ]
    right, wrong = ("later", "earlier") if heading.startswith(UPDATES) else ("earlier", "later")
    questions = tuple(
        Question(
            asked, frozenset({f"{number}:{right}"}), f"{heading}, {form}", frozenset({f"{number}:{wrong}"})
        )
        for number, (_, _, asked) in enumerate(lines)
    )
    fill = partial(fill_documents, docs=docs, chat=form == "messages")
    return Corpus(f"{heading}, {form}", fill, questions, {"project": PROJECT})
