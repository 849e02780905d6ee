"""Kinds of store: each registers by its scheme, and one that is new needs its module and one row."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from holdfast import HoldfastError, InvalidInput, Memory
from holdfast.api.encryption import encrypt
from holdfast.bootstrap import prepare_database
from holdfast.config import Settings, load, scheme_of
from holdfast.features.access.keys import create_key
from holdfast.stores.base.backend import Backend, Engine, Moved, Opened, Schema
from holdfast.stores.base.keys import MemoryKeys
from holdfast.stores.base.registry import BACKENDS, backend_of
from holdfast.stores.sqlite.spool import Spool
from tests.cases import each
from tests.oracle import OracleStore


class OracleBackend:
    """The oracle as a kind of store of its own, such as `oracle://name`."""

    administration = None
    encryption = None
    copies = None

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._keys = MemoryKeys()
        self.opened: list[tuple[str, bool]] = []

    def open(self, settings: Settings, *, create: bool = True) -> Opened:
        self.opened.append((settings.store, create))
        return Opened(OracleStore(), Spool(self._folder / "spool"), self._keys)

    def engine(self) -> Engine:
        return Engine("none")

    def schema(self, settings: Settings) -> Schema | None:
        return None

    @property
    def moves(self) -> None:
        return None

    def makes_file(self, location: str) -> bool:
        return False

    def without_password(self, location: str) -> str:
        return location

    def from_anywhere(self, location: str) -> str:
        return location

    def moved(self, location: str) -> Moved | None:
        return None

    def note_moved(self, location: str, moved: Moved) -> None:
        pass


@pytest.fixture
def registered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OracleBackend:
    module = ModuleType("a_module_of_a_store")
    backend: Backend = OracleBackend(tmp_path)
    module.BACKEND = backend  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(BACKENDS, "oracle", module.__name__)
    assert isinstance(backend, OracleBackend)
    return backend


def test_a_new_kind_of_store_needs_one_row(registered: OracleBackend) -> None:
    with Memory("oracle://team", user="ana") as memory:
        memory.remember("The harbour is red")
        assert [hit.memory.text for hit in memory.recall("harbour")] == ["The harbour is red"]
        key, _ = create_key(memory._service, user="ben")
        assert list(memory._service.keys.all()) == [key]
    assert registered.opened == [("oracle://team", True)]


def test_what_a_kind_of_store_cannot_do_is_refused(registered: OracleBackend) -> None:
    with pytest.raises(InvalidInput) as error:
        encrypt(load(store="oracle://team"))
    assert error.value.code == "argument_invalid"
    for location in ("oracle://team", "team.db"):
        with pytest.raises(InvalidInput, match="is not the address of a database"):
            prepare_database(load(store=location), application="app")


def test_a_scheme_that_nobody_registered_is_refused() -> None:
    with pytest.raises(HoldfastError, match="scheme 'mysql'") as error:
        Memory("mysql://root@localhost/memory")
    assert error.value.code == "config_invalid"


@pytest.mark.parametrize(
    ("store", "scheme"),
    [
        ("postgresql://ana@db/x?tenant=t", "postgresql"),
        ("postgres://db/x", "postgres"),
        ("https://memory.example", "https"),
        ("notes.db", ""),
        ("/srv/notes.db", ""),
        ("a:/b", ""),
        ("./odd://notes.db", ""),
    ],
)
def test_a_path_has_no_scheme(store: str, scheme: str) -> None:
    assert scheme_of(store) == scheme


@each("scheme", sorted(set(BACKENDS) - {""}))
@each(
    "address, shown",
    [
        ("://ana:secret@db/x?tenant=t", "://ana@db/x?tenant=t"),
        ("://db/x?password=secret&tenant=t", "://db/x?tenant=t"),
        ("://db/x?tenant=t", "://db/x?tenant=t"),
    ],
)
def test_a_password_is_not_shown(scheme: str, address: str, shown: str) -> None:
    assert backend_of(scheme + address).without_password(scheme + address) == scheme + shown
