"""`holdfast eval`: asks the labelled questions of a file and reports how well recall finds their answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import click

from holdfast.cli import output
from holdfast.cli.face import Face, command, hide_store_options, mode_option, pass_face
from holdfast.core.errors import InvalidInput

AT = (1, 5, 10)
"""Numbers of hits among which answers are counted; reciprocal ranks are those among the last."""
HINT = (
    'expected is JSON such as {"docs": [{"id": "a", "text": "The code is 4711."}],'
    ' "questions": [{"text": "What is the code?", "gold": ["a"]}]}'
)


class Question(NamedTuple):
    """A question and the ids of all documents that answer it."""

    text: str
    gold: frozenset[str]


@command("eval")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@mode_option
@pass_face
def eval_(face: Face, file: Path, mode: str) -> None:
    """Measure how well recall answers your own questions.

    FILE is JSON: {"docs": [{"id": "a", "text": "..."}], "questions": [{"text": "...", "gold": ["a"]}]}.
    `gold` lists the ids of the documents that answer the question. A document may have other arguments of
    `remember`, such as title, kind, session or at. The documents are stored in a temporary store, which is
    removed afterwards.
    """
    from holdfast.cli.ending import cleaned_up
    from holdfast.cli.progress import progress

    docs, questions = _read(file)
    with cleaned_up(), progress("asking questions", len(questions)) as advance:
        refused, ranks = _ask(docs, questions, mode, advance)
    number = len(questions)
    results = list(zip(questions, ranks, strict=True))
    recall = {
        k: sum(sum(n <= k for n in at) / len(question.gold) for question, at in results) / number for k in AT
    }
    mrr = sum(1 / at[0] for at in ranks if at) / number
    missed = [question.text for question, at in results if not at]
    if face.json:
        shares = {f"recall_at_{k}": round(share, 4) for k, share in recall.items()} | {"mrr": round(mrr, 4)}
        counts = {"docs": len(docs), "questions": number}
        output.json({"mode": mode, **counts, **shares, "missed": missed, "refused": refused})
        return
    columns = ("mode", "docs", "questions", *(f"R@{k}" for k in AT), "MRR")
    cells = (f"{100 * share:.1f}" for share in (*recall.values(), mrr))
    output.table(columns, [(mode, f"{len(docs):,}", f"{number:,}", *cells)])
    for id, reason in refused.items():
        output.note(f"Document {id} was refused: {reason}")
    for text in missed:
        output.note(f"Not answered by the first {AT[-1]} hits: {output.one_line(text, 70)}")


hide_store_options(eval_)


def _read(file: Path) -> tuple[dict[str, dict[str, Any]], list[Question]]:
    """Returns documents by id, as arguments of `remember`, and questions. Raises InvalidInput
    `dataset_invalid`."""
    import json

    if not file.is_file():
        raise _invalid(file, "it is not a regular file")
    try:
        data = json.loads(file.read_text(encoding="utf-8-sig"))
        docs = {
            str(doc["id"]): {"kind": "passage"} | {name: doc[name] for name in doc if name != "id"}
            for doc in data["docs"]
        }
        questions = [
            Question(question["text"], frozenset(map(str, question["gold"])))
            for question in data["questions"]
        ]
    except (LookupError, TypeError, ValueError, RecursionError) as error:
        raise _invalid(file, f"{error!r:.200}") from error
    if not questions:
        raise _invalid(file, "it has no questions")
    for number, question in enumerate(questions, 1):
        if not question.gold:
            raise _invalid(file, f"question {number} has no gold")
        if unknown := question.gold - docs.keys():
            raise _invalid(file, f"question {number} names {min(unknown)!r:.100}, which is no document")
    return docs, questions


def _invalid(file: Path, problem: str) -> InvalidInput:
    return InvalidInput(f"{file} holds no labelled questions: {problem}", code="dataset_invalid", hint=HINT)


def _ask(
    docs: dict[str, dict[str, Any]], questions: list[Question], mode: str, advance: Callable[[int], None]
) -> tuple[dict[str, str], list[list[int]]]:
    """Returns why documents were refused, by id, and for each question the ranks of its gold."""
    from tempfile import TemporaryDirectory

    from holdfast.api.memory import Memory
    from holdfast.bootstrap import open_service
    from holdfast.config import Settings

    refused: dict[str, str] = {}
    ids: dict[str, set[str]] = {}  # of the documents of each memory: equal ones are one memory
    ranks = []
    with TemporaryDirectory(prefix="holdfast-eval-") as folder:
        service = open_service(Settings(store=str(Path(folder) / "eval.db"), user="evaluation"))
        with Memory.over(service) as memory:
            for id, result in zip(docs, memory.remember_many(list(docs.values())), strict=True):
                if result.memory is None:
                    refused[id] = result.reason or "refused"
                else:
                    ids.setdefault(result.memory.id, set()).add(id)
            for question in questions:
                hits = memory.recall(question.text, project="*", limit=AT[-1], mode=mode)
                ranks.append([n for n, hit in enumerate(hits, 1) for _ in ids[hit.memory.id] & question.gold])
                service.pending.drop()  # what answered one question must not rank higher for the next
                advance(1)
    return refused, ranks
