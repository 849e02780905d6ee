"""An oracle that notes what it is asked: what asks the same of one store asks the same of all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from holdfast.stores.base.ports import Reader, Writer
from tests.oracle import OracleStore


class TracedStore(OracleStore):
    """A store in memory with the calls of its transactions, in order: `asked`."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, str]] = []

    @contextmanager
    def read(self) -> Iterator[Reader]:
        """Opens a transaction that reads."""
        self.asked.append(("read", ""))
        with super().read() as transaction:
            yield _Traced(transaction, self.asked)

    @contextmanager
    def write(self, *, patience: int | None = None) -> Iterator[Writer]:
        """Opens a transaction that writes."""
        self.asked.append(("write", ""))
        with super().write(patience=patience) as transaction:
            yield _Traced(transaction, self.asked)


class _Traced:
    """A transaction that notes each call with its arguments."""

    def __init__(self, transaction: Any, asked: list[tuple[str, str]]) -> None:
        self._transaction, self._asked = transaction, asked

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._transaction, name)
        return self._noting(name, found) if callable(found) else found

    def _noting(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        def called(*args: Any, **options: Any) -> Any:
            self._asked.append((name, _written((args, options))))
            return method(*args, **options)

        return called


def _written(value: Any) -> str:
    """Returns what tells values apart; of one that cannot be written out, something of its own."""
    try:
        return repr(value)
    except ValueError:  # a number of too many digits
        return repr(object())
