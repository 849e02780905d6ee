"""Fits the curve of confidence and tells how far it carries: `python -m benchmarks.confidence SET …`.

Each set's first memory is asked some of its own questions and as many that belong to other sets. A logistic
regression over the cosine, the share of the question's words and the size of the view separates the two, each
set counting the same; chosen without a set, it is measured on it.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from holdfast import Memory
from holdfast.bootstrap import open_service
from holdfast.config import Settings
from holdfast.features.agents.events import CONFIDENCE
from holdfast.features.recall import search
from holdfast.features.recall.confidence import SIZE_MAX, SIZE_MIN, STATIC
from holdfast.features.recall.ranking import rank
from tools.evaluation.corpus import Corpus, Question
from tools.evaluation.sets.own import load_own
from tools.evaluation.sets_command import sets_in

ASKED = 90
"""Questions of each sort that are asked of a set."""
HITS = 10
PENALTY = 0.3
"""Of the squares of the weights."""
BINS = 10

Floats = NDArray[np.float64]
Asked = tuple[Floats, bool]
"""1, cosine, words and size of each text that may answer a question, and whether one does."""


def first_memory(corpora: Sequence[Corpus]) -> Corpus:
    """Returns what the first memory of a set holds in the end, with all its questions."""
    parts = [corpora[0]]
    for corpus in corpora[1:]:
        if not corpus.continues:
            break
        parts.append(corpus)
    questions = tuple(question for part in parts for question in part.questions)
    return replace(
        parts[0],
        fill=lambda memory: [kept for part in parts for kept in part.fill(memory)],
        questions=questions,
    )


def asked_of(corpus: Corpus, own: Sequence[Question], foreign: Sequence[Question]) -> list[Asked]:
    """Asks both sorts of questions of one memory."""
    with TemporaryDirectory() as folder:
        settings = Settings(store=str(Path(folder) / "confidence.db"), user="confidence")
        service = open_service(settings, clock=partial(int, corpus.now))
        with Memory.over(service) as memory:
            corpus.fill(memory)
            asked = []
            for has_answer, questions in ((True, own), (False, foreign)):
                for question in questions:
                    with patch.object(search, "rank", wraps=rank) as ranking:
                        memory.recall(question.text, limit=HITS, **corpus.where)
                    service.pending.drop()
                    (signals,), options = ranking.call_args_list[0]
                    asked.append((_known(signals, options), has_answer))
            return asked


def _known(signals: Any, options: Mapping[str, Any]) -> Floats:
    size = np.log10(np.clip(signals.total, SIZE_MIN, SIZE_MAX) / 1_000)
    hits = {entry.number for entry in rank(signals, **{**options, "limit": HITS})}
    places = {place for place, number in enumerate(signals.number.tolist()) if number in hits}
    beside = {int(side[place]) for side in (signals.previous, signals.following) for place in places}
    chosen = sorted(places | beside - {-1})
    words = np.minimum(signals.words / (signals.most or 1.0), 1.0)
    rows = [(1.0, max(float(signals.cosine[place]), 0.0), float(words[place]), size) for place in chosen]
    return np.array(rows or [(1.0, 0.0, 0.0, size)])


def fitted(sets: Mapping[str, Sequence[Asked]]) -> Floats:
    """Returns the weights in the order of `Curve`; the surest text stands for a question."""
    weights = np.array(STATIC, float)
    penalty = np.full(len(weights), PENALTY)
    penalty[0] = 1e-6
    for _ in range(10):
        best = [
            (known[int((known @ weights).argmax())], has, 1 / len(asked))
            for asked in sets.values()
            for known, has in asked
        ]
        rows, right, share = (np.array(column, float) for column in zip(*best, strict=True))
        share /= share.mean()
        for _ in range(30):
            chance = 1 / (1 + np.exp(-rows @ weights))
            curvature = (rows.T * (share * chance * (1 - chance))) @ rows + np.diag(penalty)
            weights = weights - np.linalg.solve(
                curvature, rows.T @ (share * (chance - right)) + penalty * weights
            )
    return weights


def chances(questions: Sequence[Asked], weights: Floats) -> Floats:
    """Returns the confidence of each question."""
    return np.array([1 / (1 + np.exp(-(known @ weights).max())) for known, _ in questions])


def auc(own: Floats, foreign: Floats) -> float:
    """Returns how often a question with an answer is surer than one without."""
    return float(np.mean((own[:, None] > foreign) + 0.5 * (own[:, None] == foreign)))


def tell(label: str, sure: Floats, has: NDArray[np.bool_]) -> None:
    """Prints how well confidence tells questions with an answer from others."""
    brier = float(np.mean((sure - has) ** 2))
    answerable, foreign = (100 * float(np.mean(sure[which] >= CONFIDENCE)) for which in (has, ~has))
    print(f"{label:22} AUC {auc(sure[has], sure[~has]):.3f}  Brier {brier:.3f}  hits at {CONFIDENCE}:"
          f" {answerable:.1f} % of the answerable, {foreign:.1f} % of the foreign")  # fmt: skip


def main() -> None:
    loaded = {"own": first_memory(list(load_own()))}
    loaded |= {
        name: first_memory(list(corpora)) for path in sys.argv[1:] for name, corpora in sets_in(Path(path))
    }
    loaded = {name: corpus for name, corpus in loaded.items() if not any(q.rivals for q in corpus.questions)}
    random = Random(0)
    sets: dict[str, list[Asked]] = {}
    for name, corpus in loaded.items():
        count = ASKED // (len(loaded) - 1)
        foreign = [
            question
            for other, one in loaded.items()
            if other != name
            for question in random.sample(one.questions, min(count, len(one.questions)))
        ]
        own = random.sample(corpus.questions, min(ASKED, len(corpus.questions)))
        sets[name] = asked_of(corpus, own, foreign)
        print(f"{name}: {len(sets[name])} questions", file=sys.stderr, flush=True)
    without = {left: fitted({name: asked for name, asked in sets.items() if name != left}) for left in sets}
    print("fitted on all", fitted(sets).round(2).tolist())
    sure = {name: chances(asked, without[name]) for name, asked in sets.items()}
    has = {name: np.array([answer for _, answer in asked]) for name, asked in sets.items()}
    for name in sets:
        tell(f"without {name}", sure[name], has[name])
    all_sure, all_has = np.concatenate([*sure.values()]), np.concatenate([*has.values()])
    tell("left out, together", all_sure, all_has)
    held = np.concatenate([chances(asked, np.array(STATIC, float)) for asked in sets.values()])
    tell("curve in use", held, all_has)
    for low in np.arange(BINS) / BINS:
        here = (all_sure >= low) & (all_sure < low + 1 / BINS)
        if here.any():
            means = f"{all_sure[here].mean():.2f} | {all_has[here].mean():.2f}"
            print(f"| {low:.1f} to {low + 0.1:.1f} | {here.sum()} | {means} |")


if __name__ == "__main__":
    main()
