"""Chooses the weights of ranking on several labelled sets together: `python -m benchmarks.tune`.

Candidates are collected once through recall itself; then each weight in turn is moved over its values while
the others stay, until nothing gets better. What counts is the sum of each set's own figure, so that a gain on
one set alone does not pay. Weights that are chosen without a set are measured on it (`--leave-out`), which
says how far they carry.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from holdfast import Memory
from holdfast.bootstrap import open_service
from holdfast.config import Settings
from holdfast.core.views import ANY_STATE, personal_view
from holdfast.features.recall import search
from holdfast.features.recall.ranking import WEIGHTS, Weights, rank
from holdfast.features.service import Service
from holdfast.language.dates.points import Period
from holdfast.language.manner import QuestionAim
from holdfast.stores.base.signals import Signals
from tools.evaluation import Corpus, load_beam, load_codesearch, load_locomo
from tools.evaluation.metrics import ndcg_at, recall_at

VALUES: dict[str, Sequence[float]] = {
    "vector": (0.5, 0.7, 1.0, 1.4, 2.0, 2.8),
    "previous": (0.1, 0.2, 0.3, 0.4),
    "following": (0.1, 0.2, 0.3, 0.4),
    "session": (0.3, 0.5, 0.8, 1.1),
    "assistant": (-0.1, -0.2, -0.25, -0.3, -0.4),
    "asking": (0.0, -0.1, -0.2, -0.3, -0.4),
    "opening": (0.0, 0.1, 0.2, 0.3, 0.4),
    "stating": (0.0, 0.1, 0.2, 0.3, 0.4),
    "code": (1.0, 1.3, 1.5, 2.0),
    "named": (0.0, 0.05, 0.1, 0.15),
    "time": (0.0, 0.15, 0.25, 0.4),
    "then": (0.0, 0.3, 0.5, 0.8),
    "long": (8, 12, 16, 24),
    "preferring": (0.0, 0.3, 0.45, 0.6, 0.8),
    "suiting": (1.0, 1.5, 2.0),
    "affirming": (0.0, -0.2, -0.4, -0.6),
}
TARGETS = {"locomo": ("r10", "mrr"), "beam": ("r10",), "codesearch": ("ndcg",)}
"""What counts of each set: both of LoCoMo's by half."""
LEAST_GAIN = 0.05
"""Percentage points below which a change is noise."""


@dataclass(frozen=True)
class Asked:
    """One question with its candidates, and which of these are right; `gold` counts all that would be."""

    signals: Signals
    periods: tuple[Period, ...]
    length: int
    wanted: QuestionAim
    now: int
    right: frozenset[int]
    gold: int


def collect(corpora: Sequence[Corpus]) -> list[Asked]:
    """Asks every question once and keeps what ranking was given."""
    asked: list[Asked] = []
    for corpus in corpora:
        with TemporaryDirectory() as folder:
            service = open_service(
                Settings(store=str(Path(folder) / "tune.db"), user="tune"), clock=partial(int, corpus.now)
            )
            with Memory.over(service) as memory:
                corpus.fill(memory)
                numbers = _numbers(service)
                for question in corpus.questions:
                    with patch.object(search, "rank", wraps=rank) as ranking:
                        memory.recall(question.text, **corpus.where)
                    (signals,), options = ranking.call_args
                    right = frozenset(numbers[id] for id in question.gold if id in numbers)
                    asked.append(
                        Asked(
                            signals,
                            options["periods"],
                            options["length"],
                            options["wanted"],
                            corpus.now,
                            right,
                            len(question.gold),
                        )
                    )
                    service.pending.drop()
    return asked


def _numbers(service: Service) -> dict[str, int]:
    """The store's number of each external id."""
    with service.store.read() as snap:
        view = personal_view(service.principal, ANY_STATE)
        everything = range(1, snap.count(view, now=0) + 1)
        return {m.external_id: n for n, m in snap.numbered(view, everything, now=0) if m.external_id}


def measured(questions: Sequence[Asked], weights: Weights) -> dict[str, float]:
    """Means over all questions of one set, in percent."""
    totals = {"r10": 0.0, "mrr": 0.0, "ndcg": 0.0}
    for one in questions:
        best = rank(
            one.signals, now=one.now, limit=50, periods=one.periods, length=one.length, intent=one.wanted,
            weights=weights,
        )  # fmt: skip
        ranks = tuple(place for place, hit in enumerate(best, 1) if hit.number in one.right)
        totals["r10"] += recall_at(ranks, one.gold, 10)
        totals["mrr"] += 1 / ranks[0] if ranks else 0.0
        totals["ndcg"] += ndcg_at(ranks, one.gold, 10)
    return {name: 100 * total / len(questions) for name, total in totals.items()}


def altered(weights: Weights, name: str, value: float) -> Weights:
    """Returns the weights with another value of one of them."""
    return Weights(**{**asdict(weights), name: value})


def worth(sets: dict[str, list[Asked]], weights: Weights) -> float:
    """What is made as large as possible: the mean of the sets' own figures."""
    found = {name: measured(asked, weights) for name, asked in sets.items()}
    parts = [sum(found[name][part] for part in TARGETS[name]) / len(TARGETS[name]) for name in found]
    return sum(parts) / len(parts)


def tuned(sets: dict[str, list[Asked]], weights: Weights = WEIGHTS) -> Weights:
    """Moves one weight at a time until nothing gets better."""
    best = worth(sets, weights)
    while True:
        before = best
        for name, values in VALUES.items():
            for value in values:
                other = altered(weights, name, value)
                if (found := worth(sets, other)) > best + LEAST_GAIN:
                    best, weights = found, other
            print(f"{best:7.2f}  {name} = {getattr(weights, name)}", file=sys.stderr, flush=True)
        if best == before:
            return weights


def report(label: str, sets: dict[str, list[Asked]], weights: Weights) -> dict[str, object]:
    """Prints and returns what some weights reach on each set."""
    figures = {name: measured(asked, weights) for name, asked in sets.items()}
    told = "  ".join(
        f"{name} R@10 {f['r10']:.1f} MRR {f['mrr']:.1f} nDCG {f['ndcg']:.1f}" for name, f in figures.items()
    )
    print(f"{label:24}  {told}", flush=True)
    return {"label": label, "weights": asdict(weights), "figures": figures}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--locomo", type=Path, required=True)
    parser.add_argument("--beam", type=Path, required=True)
    parser.add_argument("--codesearch", type=Path, required=True)
    parser.add_argument("--leave-out", action="store_true", help="also choose without each set in turn")
    parser.add_argument("--sweep", action="store_true", help="also show each weight alone over its values")
    parser.add_argument("--only-measure", action="store_true", help="show what the present weights reach")
    options = parser.parse_args()
    sets = {
        "locomo": collect(list(load_locomo(options.locomo))),
        "beam": collect(list(load_beam(options.beam))),
        "codesearch": collect(list(load_codesearch(options.codesearch))),
    }
    report("present weights", sets, WEIGHTS)
    if options.sweep:
        for name, values in VALUES.items():
            for value in values:
                report(f"{name} {value}", sets, altered(WEIGHTS, name, value))
    if options.only_measure or options.sweep:
        return
    chosen = tuned(sets)
    print(json.dumps(report("chosen on all", sets, chosen)["weights"]))
    for left in sets if options.leave_out else ():
        others = {name: asked for name, asked in sets.items() if name != left}
        report(f"chosen without {left}", sets, tuned(others))


if __name__ == "__main__":
    main()
