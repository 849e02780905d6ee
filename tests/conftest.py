"""Fixtures that all tests share, an empty home and a clock set by hand, and the profile of Hypothesis."""

from __future__ import annotations

import gc
import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import pytest

from tests import warm
from tests.fakes import ManualClock
from tests.profiles import load_profile
from tests.templates import copy_new_stores
from tests.temporary import use_memory

if TYPE_CHECKING:
    from tests.postgres.sharing import Shared

load_profile()
use_memory()
warm.use()
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # of the processes that tests start, as of a command
gc.disable()  # what is collected stays to the end
LONG = (
    "agents/test_clients", "contract/test_congruence", "contract/test_noninterference", "http/test_fuzz",
    "http/test_worlds", "mcp/test_inspector", "mcp/test_worlds", "reliability/test_kill",
)  # fmt: skip
"""Modules with tests that take ten seconds and more each."""
UNSET = (
    "HOLDFAST_STORE", "HOLDFAST_USER", "HOLDFAST_AGENT", "HOLDFAST_CACHE_MB", "HOLDFAST_KEY",
    "HOLDFAST_KEY_FILE",
)  # fmt: skip
COPIED = ("cli", "contract", "http", "mcp", "models", "tools")
"""Folders of tests that do not look at how a store is made."""
ROOT = Path(__file__).parents[1]
_numbers = count()


@pytest.fixture(scope="session")
def _connections() -> Iterator[Shared]:
    from tests.postgres.sharing import Shared

    shared = Shared()
    yield shared
    shared.close()


@pytest.fixture(autouse=True)
def _surroundings(request: pytest.FixtureRequest) -> Iterator[None]:
    """Gives each test an empty home, logs as in a new process, and stores that cost little to make. It is one
    fixture that asks for no other, since 15,000 tests pay for each, and two thirds of them need no folder."""
    homes = request.getfixturevalue("tmp_path") if "tmp_path" in request.fixturenames else _new_homes()
    home, folder = homes / "home", request.path.parent.name
    with pytest.MonkeyPatch.context() as patch:
        for name in UNSET:
            patch.delenv(name, raising=False)
        patch.setenv("HOME", str(home))
        patch.setenv("XDG_DATA_HOME", str(home / "data"))
        patch.setenv("XDG_CONFIG_HOME", str(home / "config"))
        patch.setenv("XDG_STATE_HOME", str(home / "state"))
        # a service or worker that an earlier test started in this process keeps its logs to itself
        for logger in map(logging.getLogger, ("holdfast", "holdfast.http")):
            patch.setattr(logger, "propagate", True)
            patch.setattr(logger, "disabled", False)
            patch.setattr(logger, "level", logging.NOTSET)
        logging.disable(logging.NOTSET)  # also forgets which logger was enabled for which level
        if folder in COPIED:
            copy_new_stores(patch)
        is_shared = folder != "postgres" and not request.config.getoption("pooler", None)
        if is_shared and request.node.get_closest_marker("postgres"):
            request.getfixturevalue("_connections").share(patch)
        yield
    if "tmp_path" not in request.fixturenames:
        shutil.rmtree(homes, ignore_errors=True)


def _new_homes() -> Path:
    """Returns a path where nothing is."""
    return Path(tempfile.gettempdir(), f"holdfast-home-{os.getpid()}-{next(_numbers)}")


def pytest_collection(session: pytest.Session) -> None:
    """Has each process of a run begin to load its modules at another place: what is not compiled yet is
    compiled by one of them, where each would compile all of it at the same time. They are collected as
    always afterwards, so that what fails to load is told there."""
    if _processes() == 1:
        return
    folders = [Path(arg).resolve() for arg in session.config.args]
    modules = sorted(path for folder in folders if folder.is_dir() for path in folder.rglob("test_*.py"))
    for path in modules[_first_of(len(modules)) :]:
        with suppress(Exception, pytest.skip.Exception):
            import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))


def _processes() -> int:
    return int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))


def _first_of(things: int) -> int:
    """Returns at which of so many things this process begins."""
    number = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    return things * int(number) // _processes()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what runs on PostgreSQL, so that `-m "not postgres"` leaves it out, and brings the modules into
    an order."""
    for item in items:
        parameters = getattr(getattr(item, "callspec", None), "params", {})
        if item.path.parent.name == "postgres" or "postgres" in parameters.values():
            item.add_marker(pytest.mark.postgres)
    items.sort(key=lambda item: _turn(item.path))
    if _processes() > 1:
        _read_constants()


@cache
def _turn(path: Path) -> tuple[int, int]:
    """Returns when a module comes: first those of this folder, about the shape of the code, then long ones,
    since one at the end would keep a process busy while the others have nothing to do. The others come as by
    chance, but in each run alike: a run that is cut off has tried something of everything."""
    name = f"{path.parent.name}/{path.stem}"
    group = 0 if path.parent == ROOT / "tests" else 1 if name in LONG else 2
    return group, crc32(name.encode())


def _read_constants() -> None:
    """Has each process begin at another module to read the constants from which Hypothesis draws. It keeps
    those of each module in a file, where the other processes find them."""
    with suppress(ImportError):  # it is no public part of Hypothesis, which does it by itself otherwise
        from hypothesis.internal.constants_ast import constants_from_module, is_local_module_file

        files = {name: getattr(module, "__file__", None) for name, module in sys.modules.items()}
        names = sorted(name for name, file in files.items() if file and is_local_module_file(file))
        first = _first_of(len(names))
        for name in names[first:] + names[:first]:
            constants_from_module(sys.modules[name])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Says whether the processes of a test may be forks."""
    warm.allow(item.path)


def pytest_collection_finish() -> None:
    """Looks for garbage again, but not among the modules and the tests."""
    gc.freeze()
    gc.enable()


@pytest.fixture
def clock() -> ManualClock:
    """The clock of `memory`."""
    return ManualClock()
