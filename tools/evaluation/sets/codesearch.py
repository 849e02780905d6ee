"""CoSQA: what people ask a search engine about Python, and the function that answers it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.evaluation.corpus import Corpus, Question, Source, remember_all

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.core.record import Kept

SOURCE = Source(
    "CoSQA",
    "a folder with code_idx_map.txt and cosqa-retrieval-dev-500.json or cosqa-retrieval-test-500.json"
    " (or one of these two files, the map beside it)",
    "https://github.com/Jun-jie-Huang/CoCLR, data/search (MIT)",
)
PROJECT = "codesearch"

_QUESTIONS = re.compile(r"cosqa-retrieval-(dev|test)\b.*\.json")


def load_codesearch(path: str | Path) -> Iterator[Corpus]:
    """One corpus: every function a passage, nothing but its code. The split is the category.

    `path` is the folder of the data set, or one file of questions in it. Raises InvalidInput.
    """
    root = SOURCE.path(path)
    if not root.exists():
        raise SOURCE.missing(root)
    files = sorted(root.iterdir()) if root.is_dir() else [root]
    splits = {found[1]: file for file in files if (found := _QUESTIONS.fullmatch(file.name))}
    if not splits:
        raise SOURCE.invalid(f"{root} holds no questions")
    folder = root if root.is_dir() else root.parent
    code = SOURCE.read_json(folder / "code_idx_map.txt")
    try:
        asked = {split: (file, SOURCE.read_json(file)) for split, file in splits.items()}
        corpus = _corpus(code, asked)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise SOURCE.invalid(f"{root} has another form ({error!r})") from error
    yield corpus


def _corpus(code: dict[str, int], queries: dict[str, tuple[Path, list[dict[str, Any]]]]) -> Corpus:
    items = [
        {"text": text, "kind": "passage", "external_id": str(index), "project": PROJECT}
        for text, index in code.items()
    ]
    known = {item["external_id"] for item in items}
    questions = tuple(
        Question(
            SOURCE.question(one["doc"], f"{file}, question {number}"),
            frozenset({str(one["retrieval_idx"])}),
            split,
        )
        for split, (file, group) in queries.items()
        for number, one in enumerate(group, 1)
        if str(one["retrieval_idx"]) in known
    )

    def fill(memory: Memory) -> list[Kept]:
        return remember_all(memory, items)

    return Corpus("cosqa", fill, questions, {"project": PROJECT})
