"""Fits how much each trait of a later statement speaks for an update: `python -m benchmarks.updates [FILE]`.

A logistic regression over the pairs (best result, one of the next) that recall compares, for the questions of
the half of the project's own pairs that is there for tuning and of further files of pairs. Prints the weights
for `features/recall/updating.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import astuple, fields
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from holdfast import Memory
from holdfast.bootstrap import open_service
from holdfast.config import Settings
from holdfast.features.recall import search
from holdfast.features.recall.updating import COMPARED_MAX, Evidence, signs_of
from holdfast.language.manner import QuestionAim
from tools.evaluation.corpus import Corpus
from tools.evaluation.sets.collection import load_collection
from tools.evaluation.sets.updates import UPDATES, load_updates

PENALTY = 0.5
"""Of the squares of the weights."""
URGENCY = 0.6
"""Added to the weight of "now": who asks so expects a change, and few pairs that are no updates have it."""
MARGIN = 0.3
"""Taken off, so that an update has to be likelier than not by some way."""


def compared(corpora: Sequence[Corpus]) -> Iterator[tuple[tuple[float, ...], bool]]:
    """Yields the signs of each pair that recall compares, and whether its later statement answers."""
    for corpus in corpora:
        with TemporaryDirectory() as folder:
            service = open_service(
                Settings(store=str(Path(folder) / "updates.db"), user="fit"), clock=partial(int, corpus.now)
            )
            with Memory.over(service) as memory:
                corpus.fill(memory)
                for question in corpus.questions:
                    is_update = corpus.name.startswith(UPDATES) or "later" in question.category
                    with patch.object(
                        search, "newer_first", side_effect=lambda pairs, *_: list(pairs)
                    ) as ranked:
                        memory.recall(question.text, **corpus.where)
                    ((pairs, text, wanted),) = (call.args for call in ranked.call_args_list)
                    if QuestionAim.PRESENT not in wanted:
                        continue
                    for later in pairs[1:COMPARED_MAX]:
                        signs = signs_of(pairs[0], later, text, wanted)
                        if signs is not None:
                            yield signs, is_update and later[1].external_id in question.gold
                    service.pending.drop()


def fitted(signs: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the weights of a logistic regression, the last one without penalty; Newton's method."""
    weights: NDArray[np.float64] = np.zeros(signs.shape[1])
    penalty = np.full(len(weights), PENALTY)
    penalty[-1] = 1e-6
    for _ in range(50):
        chance = 1 / (1 + np.exp(-signs @ weights))
        slope = signs.T @ (chance - right) + penalty * weights
        weights -= np.linalg.solve((signs.T * (chance * (1 - chance))) @ signs + np.diag(penalty), slope)
    return weights


def main() -> None:
    corpora = [*load_updates("tuned"), *(corpus for path in sys.argv[1:] for corpus in load_collection(path))]
    rows = list(compared(corpora))
    signs, right = (np.array(column, float) for column in zip(*rows, strict=True))
    weights = fitted(signs, right)
    names = [field.name for field in fields(Evidence)]
    weights[names.index("now")] += URGENCY
    weights[names.index("none")] -= MARGIN
    print(f"{len(rows)} pairs, {int(right.sum())} updates")
    for name, weight, used in zip(names, weights, astuple(Evidence()), strict=True):
        print(f"{name:10} {weight:6.2f}  (in use: {used})")


if __name__ == "__main__":
    main()
