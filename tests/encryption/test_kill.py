"""Durability of encrypted stores: writers that are killed, and pages that are not what was written."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.core.errors import StoreError
from tests.encryption.support import opened
from tests.reliability.killing import Tally, kill_rounds
from tests.reliability.nursery import Nursery
from tests.reliability.points import POINTS
from tests.support import KEY

PAGE = 4096


def test_s4_55_nothing_acknowledged_is_lost_when_a_writer_of_an_encrypted_store_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_KEY", KEY.text)
    tally = Tally()
    with Nursery() as nursery:
        kill_rounds(nursery, tmp_path / "a.db", rounds=len(POINTS), seed=5, tally=tally, ops=30)
    assert tally.problems == []
    assert tally.kills == len(POINTS)
    assert set(tally.by_point) == set(POINTS)
    assert tally.acknowledged > 60


def filled(path: Path) -> bytes:
    """The bytes of a closed store of many pages."""
    with opened(path) as memory:
        memory.remember_many([f"Ferry {n} leaves harbour {n * 7}" for n in range(200)])
    return path.read_bytes()


def trouble(path: Path) -> str | None:
    """What opening a store or the doctor says of it; None if all is well."""
    try:
        with opened(path) as memory:
            return "; ".join(memory.doctor().problems) or None
    except StoreError as error:
        return error.code


def test_s4_55_a_page_that_was_changed_is_noticed(tmp_path: Path) -> None:
    """Every page carries a tag: one flipped bit is found wherever it is, also where no text stands."""
    whole = filled(tmp_path / "a.db")
    assert trouble(tmp_path / "a.db") is None
    pages = len(whole) // PAGE
    assert pages > 20
    for page in range(0, pages, max(1, pages // 12)):
        changed = bytearray(whole)
        changed[page * PAGE + 777] ^= 1
        (tmp_path / f"{page}.db").write_bytes(changed)
        assert trouble(tmp_path / f"{page}.db"), f"page {page}"


def test_s4_55_pages_that_were_exchanged_are_noticed(tmp_path: Path) -> None:
    """The tag of a page binds its number."""
    whole = bytearray(filled(tmp_path / "a.db"))
    third, fourth = slice(2 * PAGE, 3 * PAGE), slice(3 * PAGE, 4 * PAGE)
    whole[third], whole[fourth] = whole[fourth], whole[third]
    (tmp_path / "b.db").write_bytes(whole)
    assert trouble(tmp_path / "b.db")
