"""Fixtures of the HTTP tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.http.support import Site, site


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Site]:
    """A service that ana uses on her own machine, without a password."""
    with site(tmp_path) as opened:
        yield opened


@pytest.fixture
def team(tmp_path: Path) -> Iterator[Site]:
    """A service that asks everybody for a credential."""
    with site(tmp_path, local=False) as opened:
        yield opened
