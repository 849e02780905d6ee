"""Undo in the inbox, in a real browser: of every kind of decision, by the key, the button, and in bulk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.web import served
from holdfast import Memory
from holdfast.core.places import Principal, Role
from tests.contract.test_reconcile import payload, table
from tests.web.pages import signed_in

pytestmark = [pytest.mark.process, pytest.mark.filterwarnings("ignore")]
SHARED, NEWS, RIVAL, DOUBT = (
    "The merger is called Bluebird",
    "20 rows",
    "Use spaces for indentation",
    "A mast",
)


@contextmanager
def filled(path: Path) -> Iterator[tuple[Memory, str]]:
    """Gives a store and its service; its inbox holds a request to share, news of a description, a
    contradiction and a doubt."""
    with Memory(path, user="ana") as ana:
        ben = Memory.over(replace(ana._service, principal=Principal("ben", Role.MEMBER)))
        stored = ben.remember(SHARED).memory
        assert stored is not None
        ben.review.move(stored.id, visibility="team")
        ana.reconcile("x", payload(table("a", 10)))
        (described,) = ana.list(scope=("file", "shop.db")).memories
        ana.revise(described.id, text="Every boat, as Ana knows them")
        ana.reconcile("x", payload(table("a", 20)))
        ana.remember("Use tabs for indentation", kind="convention")
        ana.remember(RIVAL, kind="convention", confidence=0.3)
        ana.remember(DOUBT, status="pending")
        with served(path) as url:
            yield ana, url


@contextmanager
def inbox(chromium: Any, memory: Memory, url: str) -> Iterator[Any]:
    with signed_in(chromium, memory, url, "/inbox") as page:
        page.get_by_text("4 wait for you").wait_for()
        yield page


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Memory, str]]:
    """One store for all decisions that are taken back: the next finds it as it was."""
    with filled(tmp_path_factory.mktemp("undo") / "team.db") as found:
        yield found


@pytest.fixture
def memory(team: tuple[Memory, str]) -> Memory:
    return team[0]


@pytest.fixture
def page(chromium: Any, team: tuple[Memory, str]) -> Iterator[Any]:
    with inbox(chromium, *team) as page:
        yield page


def state(memory: Memory) -> Any:
    """What waits and why, and what everybody recalls."""
    waiting = [
        (
            item.memory.id,
            item.why,
            item.asks,
            item.contradicts and item.contradicts.id,
            item.memory.visibility,
        )
        for item in memory.review.inbox().items
    ]
    cleo = Memory.over(replace(memory._service, principal=Principal("cleo", Role.MEMBER)))
    return waiting, *(sorted(record.text for record in who.list(limit=50).memories) for who in (memory, cleo))


@pytest.mark.parametrize(
    ("text", "button", "says"),
    [
        (SHARED, "Share", "Approved."), (SHARED, "Keep private", "Rejected."),
        (NEWS, "Approve", "Approved."), (NEWS, "Keep both", "Approved"), (NEWS, "Reject", "Rejected."),
        (RIVAL, "Approve", "Approved."), (RIVAL, "Keep both", "Approved"), (RIVAL, "Reject", "Rejected."),
        (DOUBT, "Approve", "Approved."), (DOUBT, "Reject", "Rejected."),
    ],
)  # fmt: skip
def test_s2_35_each_decision_is_undone(page: Any, memory: Memory, text: str, button: str, says: str) -> None:
    before = state(memory)
    item = page.get_by_role("article").filter(has_text=text).first
    item.get_by_role("button", name=button, exact=True).click()
    toast = page.locator(".toast").filter(has_text=says)
    toast.wait_for()
    page.get_by_text("3 wait for you").wait_for()
    assert state(memory) != before
    toast.get_by_role("button", name="Undo").click()
    page.get_by_text("It waits again.").first.wait_for()
    page.get_by_text("4 wait for you").wait_for()
    assert state(memory) == before
    assert memory.doctor().problems == ()


def test_s2_35_many_decisions_are_undone_at_once(page: Any, memory: Memory) -> None:
    before = state(memory)
    for button in ("Approve selected", "Reject selected"):
        page.get_by_label("Select all").check()
        page.get_by_role("button", name=button).click()
        page.get_by_text("Nothing waits for you").wait_for()
        page.keyboard.press("u")
        page.get_by_text("4 wait again.").first.wait_for()
        page.get_by_text("4 wait for you").wait_for()
        assert state(memory) == before
    assert memory.doctor().problems == ()


def test_s2_35_what_somebody_changed_since_is_left_and_said(chromium: Any, tmp_path: Path) -> None:
    with filled(tmp_path / "team.db") as (memory, url), inbox(chromium, memory, url) as page:
        _change_between(page, memory)


def _change_between(page: Any, memory: Memory) -> None:
    for text in (DOUBT, RIVAL):
        page.get_by_role("article").filter(has_text=text).first.get_by_label("Select").check()
    page.get_by_role("button", name="Approve selected").click()
    page.get_by_text("Approved: 2 memories.").first.wait_for()
    (mast,) = [record for record in memory.list(limit=50).memories if record.text == DOUBT]
    memory.revise(mast.id, text="A tall mast")
    page.keyboard.press("u")
    page.get_by_text("Not taken back: ").first.wait_for()
    page.get_by_text("It waits again.").first.wait_for()
    page.get_by_text("3 wait for you").wait_for()
    assert memory.get(mast.id).text == "A tall mast"
    assert memory.get(mast.id).status == "approved"
