"""A state machine that runs each step on the oracle and on another store."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis.stateful import RuleBasedStateMachine, invariant

from holdfast import HoldfastError
from tests.fakes import ManualClock
from tests.support import memory_on, open_store


class TwoStores(RuleBasedStateMachine):
    """Runs each step on the oracle and on another store; a subclass says what it looks at, and compares."""

    kind = "sqlite"
    every = 1
    """Changes from one look at everything to the next."""

    def __init__(self) -> None:
        super().__init__()
        self.changes = self.seen = 0
        self.folder = tempfile.TemporaryDirectory()
        self.clock = ManualClock()
        self.stores = [open_store(kind, Path(self.folder.name)) for kind in ("oracle", self.kind)]
        self.ids: list[str] = []
        self.seed = 0

    def teardown(self) -> None:
        try:
            self.look()  # also at what a step left that was refused
        finally:
            for store in self.stores:
                store.close()
            self.folder.cleanup()

    def look(self) -> None:
        """Compares everything that is seen."""
        raise NotImplementedError

    @invariant()
    def everything_agrees(self) -> None:
        if self.changes - self.seen >= self.every:
            self.seen = self.changes
            self.look()

    def answers(self, user: str, act: Any, agent: str | None = None) -> list[tuple[str, Any]]:
        """The result of an act on each store, or the code of its error."""
        self.seed += 1
        results = []
        for store in self.stores:
            memory = memory_on(store, user=user, agent=agent, clock=self.clock, seed=self.seed)
            try:
                results.append(("ok", act(memory)))
            except HoldfastError as error:
                results.append(("error", error.code))
        return results
