"""The long forms of three properties of tests/contract: sharing, noninterference, congruence.

Examples are drawn in batches, each with a seed of its own, until there are enough or the time is over. Each
run says how many it had and with which seed to go on, so that the counts of several runs add up.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from hypothesis import Phase, given, seed, settings
from hypothesis.stateful import run_state_machine_as_test
from hypothesis.strategies import SearchStrategy

from tests.contract import test_congruence as congruence
from tests.contract import test_noninterference as noninterference
from tests.contract import test_shared_versions as sharing
from tests.contract.two_stores import TwoStores
from tests.fakes import HashEmbedder
from tests.profiles import PATIENT
from tests.support import open_store

Batch = Callable[[Counter[str], Any, int], None]
"""Draws examples with a seed, checks them, and counts them by kind."""

HISTORIES, PAIRS = 100, 50
"""Examples of a batch; pairs for each view."""
SHIPPED = "shipped embedder"
"""A kind of pair: on a file, with the embedder of the package."""
MACHINES = 5
"""Batches that have as many machines as the small form."""
REPORT_INTERVAL = 30.0
"""Seconds between two lines of progress."""
FOUND = (Phase.generate,)
"""A failure is told as it was found: shrinking takes minutes."""


def run(name: str, goal: int, seconds: float, first: int) -> tuple[str, list[str]]:
    """Runs one of PROPERTIES until it has so many examples or the time is over; returns what was counted, and
    what was wrong."""
    batch, counts, problems = PROPERTIES[name], Counter[str](), list[str]()
    number, until, said = first, time.monotonic() + seconds, time.monotonic()
    while counts.total() < goal and time.monotonic() < until and not problems:
        chosen = settings(deadline=None, database=None, phases=FOUND, suppress_health_check=PATIENT)
        try:
            batch(counts, chosen, number)
        except BaseExceptionGroup as error:
            problems += [f"seed {number}: {one!r} {one.__notes__}" for one in error.exceptions]
        except Exception as error:
            problems.append(f"seed {number}: {error!r} {getattr(error, '__notes__', '')}")
        number += 1
        if time.monotonic() > said + REPORT_INTERVAL:
            said = time.monotonic()
            print(f"... {figures(counts)}, next seed {number}", file=sys.stderr, flush=True)
    return f"{figures(counts)}, seeds {first} to {number - 1}", problems


def figures(counts: Counter[str]) -> str:
    """Returns counts as text."""
    kinds = ", ".join(f"{kind} {one:,}" for kind, one in sorted(counts.items()))
    return f"{counts.total():,} ({kinds})"


def _drawn(
    strategy: SearchStrategy[Any], many: int, chosen: Any, number: int, act: Callable[[Any], None]
) -> None:
    """Calls a function with some examples of a strategy, drawn with a seed."""
    seed(number)(settings(chosen, max_examples=many)(given(strategy)(lambda example: act(example))))()


def _sharing(counts: Counter[str], chosen: Any, number: int) -> None:
    """Draws histories on the oracle, and one in ten on a file."""

    def check(kind: str, acts: list[Any]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            store = open_store(kind, Path(folder))
            try:
                sharing.check(store, acts)
            finally:
                store.close()
        counts[kind] += 1

    for kind, many in (("oracle", HISTORIES * 9 // 10), ("sqlite", HISTORIES // 10)):
        _drawn(sharing.ACTS, many, chosen, number, partial(check, kind))


def _noninterference(counts: Counter[str], chosen: Any, number: int) -> None:
    """Compares pairs of worlds for each view; one kind of store in each batch, in the small form's shares."""
    kinds = [kind for kind, share in noninterference.PAIRS.items() for _ in range(share // 10)]
    kind = [*kinds, SHIPPED][number % (len(kinds) + 1)]
    store, embedder = (kind, HashEmbedder()) if kind in kinds else ("sqlite", noninterference.EMBEDDER)

    def compare(seen: str, history: list[Any]) -> None:
        noninterference.compare_worlds(store, seen, history, embedder)
        counts[kind] += 1

    for seen in noninterference.SEEN:
        _drawn(noninterference.histories(seen), PAIRS, chosen, number, partial(compare, seen))


class _Counting(TwoStores):
    """A state machine that counts its steps."""

    counts: ClassVar[Counter[str]]
    steps = -1
    """Everything is looked at once before the first."""

    def check_invariants(self, *args: Any, **options: Any) -> None:
        super().check_invariants(*args, **options)
        self.steps += 1

    def teardown(self) -> None:
        super().teardown()
        self.counts[self.kind] += self.steps


def _congruence(counts: Counter[str], chosen: Any, number: int) -> None:
    """Runs steps on each kind of store, in the shares of the small form."""
    for machine in (congruence.Congruence, congruence.OnBlocks, congruence.OnPostgres):
        counted = type(machine.__name__, (_Counting, machine), {"counts": counts})
        share = congruence.EXAMPLES[machine.kind] // MACHINES
        drawn = settings(chosen, max_examples=share, stateful_step_count=congruence.STEPS)
        run_state_machine_as_test(seed(number)(counted), settings=drawn)


PROPERTIES: dict[str, Batch] = {
    "sharing": _sharing,
    "noninterference": _noninterference,
    "congruence": _congruence,
}
