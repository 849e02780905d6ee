"""Many cases as one test: each test costs some milliseconds where it runs, where it is reported, and in each
process that collects it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any


def each(names: str, cases: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Calls a test with every case, as `pytest.mark.parametrize` with the same arguments does, and fails with
    the errors of all cases that failed, each of which names its case. It is for tests without fixtures."""
    arguments = [name.strip() for name in names.split(",")]
    rows = list(cases)
    assert rows, "a test without a case"

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def run(**others: Any) -> None:
            errors: list[Exception] = []
            for row in rows:
                values = row if len(arguments) > 1 else (row,)
                case = dict(zip(arguments, values, strict=True))
                try:
                    test(**case, **others)
                except Exception as error:
                    error.add_note(f"in the case {case!r}")
                    errors.append(error)
            if errors:
                raise ExceptionGroup(f"{len(errors)} of {len(rows)} cases failed", errors)

        signature = inspect.signature(test)
        left = [parameter for name, parameter in signature.parameters.items() if name not in arguments]
        run.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return run

    return decorate
