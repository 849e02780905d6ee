"""Skips upstream tests by a table of reasons; a test that no longer exists is an error."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest


def skipping(table: Mapping[str, str]) -> Callable[..., None]:
    """Returns a hook that skips tests by their names, or by a part of their names behind `*`."""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(items: Sequence[Any]) -> None:
        unused = set(table)
        for item in items:
            for name, reason in table.items():
                if item.originalname == name or (name[0] == "*" and name[1:] in item.nodeid):
                    item.add_marker(pytest.mark.skip(reason=reason))
                    unused.discard(name)
        if unused and len(items) > 20:
            raise pytest.UsageError(f"upstream has no tests {sorted(unused)}")

    return pytest_collection_modifyitems
