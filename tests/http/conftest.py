"""Fixtures of the HTTP tests: most run on a file, those of the modules named here on PostgreSQL as well."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import authorities
from tests.http.support import Site, site

authorities.share()
BOTH = ("test_access", "test_backups", "test_jobs", "test_members", "test_transfer")
"""What is of the store as much as of HTTP: who comes in, work beside the requests, large answers."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Runs a test that needs a service on both stores where its module asks for it."""
    if "backend" in metafunc.fixturenames and metafunc.module.__name__.rpartition(".")[2] in BOTH:
        metafunc.parametrize("backend", ("sqlite", "postgres"), indirect=True)


@pytest.fixture
def backend(request: pytest.FixtureRequest) -> str | None:
    """The address of the store of a service; None for a file."""
    if getattr(request, "param", "sqlite") == "sqlite":
        return None
    from tests.postgres.server import fresh_url

    return fresh_url()


@pytest.fixture
def here(tmp_path: Path, backend: str | None) -> Iterator[Site]:
    """A service that ana uses on her own machine, without a password."""
    with site(tmp_path, store=backend) as opened:
        yield opened


@pytest.fixture
def team(tmp_path: Path, backend: str | None) -> Iterator[Site]:
    """A service that asks everybody for a credential."""
    with site(tmp_path, local=False, store=backend) as opened:
        yield opened
