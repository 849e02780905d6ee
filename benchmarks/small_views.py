"""Asks how far confidence carries in small views: `python -m benchmarks.small_views SET.json …`.

From the first corpus of each set, in one form (`tools/evaluation/sets/collection.py`), views of 5 to 100
documents are drawn: the answers of a few of its questions and documents that stand together. They are asked
these questions, others of the same corpus whose answers they lack, and questions of the other sets.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from benchmarks.confidence import Asked, asked_of, chances, tell
from holdfast.features.recall.confidence import STATIC
from tools.evaluation.corpus import Corpus, Question
from tools.evaluation.sets.collection import PROJECT, SOURCE, fill_documents

DRAWS = {5: 6, 20: 6, 50: 3, 100: 3}
"""Views of each size that are drawn from a set."""
ASKED = 8
"""Answerable questions of a view at most, and at most one for five documents."""
LACKING = 4
FOREIGN = 2
"""Questions of each other set."""
GOLD = 3
"""Most answers of a question."""

Drawn = tuple[Corpus, list[Question], list[Question]]


def drawn(corpus: Mapping[str, Any], size: int, random: Random) -> Drawn:
    """Returns a view of so many documents, questions that it answers, and others that it does not."""
    docs = corpus["docs"]
    known = {str(doc["id"]) for doc in docs}
    questions = [
        Question(question["text"], frozenset(map(str, question["gold"])), "")
        for question in corpus["questions"]
        if question["gold"] and len(question["gold"]) <= GOLD and {*map(str, question["gold"])} <= known
    ]
    held: set[str] = set()
    for question in random.sample(questions, min(len(questions), max(1, size // 5), ASKED)):
        if len(held | question.gold) <= size:
            held |= question.gold
    rest = [str(doc["id"]) for doc in docs if str(doc["id"]) not in held]
    start = random.randrange(max(1, len(rest) - size))
    held |= {*rest[start : start + size - len(held)]}
    own = [question for question in questions if question.gold <= held][:ASKED]
    lacking = [question for question in questions if question.gold.isdisjoint(held)]
    kept = [doc for doc in docs if str(doc["id"]) in held]
    fill = partial(fill_documents, docs=kept, chat=bool(corpus.get("chat")))
    view = Corpus(str(size), fill, tuple(own), {"project": PROJECT})
    return view, own, random.sample(lacking, min(LACKING, len(lacking)))


def main() -> None:
    """Prints how well confidence tells the questions apart, by size."""
    loaded = {name: SOURCE.read_json(Path(name))["corpora"][0] for name in sys.argv[1:]}
    random = Random(0)
    asked: dict[int, dict[str, list[Asked]]] = defaultdict(lambda: defaultdict(list))
    for (name, one), size in ((pair, size) for pair in loaded.items() for size in DRAWS):
        for _ in range(DRAWS[size]):
            corpus, own, lacking = drawn(one, size, random)
            foreign = [
                Question(random.choice(other["questions"])["text"], frozenset(), "")
                for path, other in loaded.items()
                if path != name
                for _ in range(FOREIGN)
            ]
            found = asked_of(corpus, own, [*lacking, *foreign])
            asked[size]["own"] += found[: len(own)]
            asked[size]["lacking"] += found[len(own) : len(own) + len(lacking)]
            asked[size]["foreign"] += found[len(own) + len(lacking) :]
        print(f"{name}: {size}", file=sys.stderr, flush=True)
    weights = np.array(STATIC, float)
    for size, parts in asked.items():
        for sort in ("foreign", "lacking"):
            known = [*parts["own"], *parts[sort]]
            has = np.array([answered for _, answered in known])
            tell(f"{size} memories, {sort} ({has.sum()}, {(~has).sum()})", chances(known, weights), has)


if __name__ == "__main__":
    main()
