"""What pages show of a store with beliefs, files, rules and several kinds of memory, in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.web import served
from holdfast import Memory
from tests.web.pages import Traffic, came_true, expect, signed_in

pytestmark = [pytest.mark.process, pytest.mark.filterwarnings("ignore")]
HOME, MOVED = "I live in Porto.", "I moved to Braga."
NOTE = "The lamp room is locked at night"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("seen")
    with Memory(folder / "own.db", user="ana") as memory:
        for text, day in ((HOME, "2025-01-07"), (MOVED, "2025-03-09")):
            memory.add_messages([{"role": "user", "content": text, "at": day}], session=day, extract=False)
        memory.remember(NOTE, kind="note", project="light")
        memory.as_user("ana", agent="coder").remember("Build with make", kind="note", project="light")
        memory.never("my shoe size")
        (folder / "boats.csv").write_text("boat,fee\na,1\nb,2\n")
        memory.reconcile(folder / "boats.csv")
        (folder / "code").mkdir()
        (folder / "code" / "lamp.py").write_text("# Lamps\ndef on():\n    return 1\n")
        memory.folders.index(memory.folders.add(folder / "code", project="light").id)
    return folder / "own.db"


@pytest.fixture(scope="module")
def home(store: Path) -> Iterator[str]:
    with served(store) as url:
        yield url


@pytest.fixture
def memory(store: Path) -> Iterator[Memory]:
    with Memory(store, user="ana") as memory:
        yield memory


@pytest.fixture
def page(chromium: Any, home: str, memory: Memory) -> Iterator[Any]:
    with signed_in(chromium, memory, home, "/") as page:
        yield page


def test_the_start_page_is_ready_to_be_asked(page: Any) -> None:
    page.get_by_text(NOTE).first.wait_for()
    page.keyboard.type("locked at night")
    page.get_by_role("list", name="Results").get_by_text("The lamp room").first.wait_for()


def test_keys_that_are_typed_while_the_palette_loads_go_into_it(page: Any, home: str, memory: Memory) -> None:
    (note,) = memory.list(kinds="note", origins="user", project="light").memories
    held: list[Any] = []
    page.goto("about:blank")  # the page that is open loads the palette a second after it shows
    page.route(re.compile(r"/assets/Palette-"), lambda route: held.append(route))
    page.goto(f"{home}/?memory={note.id}&project=light")
    page.get_by_role("complementary", name="Memory").get_by_role("button", name="Pin").wait_for()
    page.keyboard.press("Control+k")
    page.keyboard.type("p")
    page.get_by_role("textbox", name="Command").wait_for()
    assert not memory.get(note.id).pinned
    assert came_true(page, lambda: held)
    held[0].continue_()
    command = page.get_by_role("combobox", name="Command")
    command.wait_for()
    page.keyboard.type("rojects")
    expect(command).to_have_value("projects")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Projects").wait_for()
    assert not memory.get(note.id).pinned


def test_the_timeline_asks_for_no_passages_of_files(page: Any, home: str) -> None:
    traffic = Traffic(page)
    for by in ("", "?by=learned"):
        traffic.begin()
        page.goto(f"{home}/timeline{by}")
        page.get_by_role("list", name="Timeline").get_by_text(NOTE).wait_for()
        lists = [json.loads(text)["memories"] for _, text in traffic.bodies("/v1/memories?")]
        kinds = {one["kind"] for listed in lists for one in listed}
        assert "note" in kinds
        assert not {"passage", "exclusion"} & kinds


def test_what_held_on_a_day_has_what_was_believed_then(page: Any, home: str) -> None:
    for day, believed, other in (("2025-02-01", "Porto", "Braga"), ("2025-04-01", "Braga", "Porto")):
        page.goto(f"{home}/timeline?by=held&day={day}")
        held = page.get_by_role("list", name="What held")
        held.get_by_text(f"Lives in {believed}").wait_for()
        expect(held.get_by_text(f"Lives in {other}")).to_have_count(0)
    page.goto(f"{home}/timeline?by=held&day=2024-01-01")
    page.get_by_role("heading", name="Nothing was known").wait_for()


def test_numbers_beside_filters_are_those_of_what_is_left(page: Any, home: str) -> None:
    page.goto(f"{home}/?origins=user&project=light")
    page.get_by_role("status").get_by_text("1 memory", exact=True).wait_for()
    expect(page.get_by_role("button", name="Knowledge 1")).to_have_count(1)
    page.get_by_role("button", name="Kind", exact=True).click()
    page.get_by_role("menuitemcheckbox", name="Notes and facts 1").click()
    page.keyboard.press("Escape")
    expect(page.get_by_role("list", name="Memories").get_by_role("article")).to_have_count(1)


def test_a_context_for_a_conversation_says_what_an_assistant_is_told(page: Any, home: str) -> None:
    page.goto(f"{home}/context")
    page.get_by_role("button", name="A conversation").click()
    page.get_by_label("Latest message").fill("Where could I go on Sunday?")
    page.get_by_role("button", name="Show", exact=True).click()
    page.get_by_role("heading", name="About you").wait_for()
    page.get_by_text("Lives in Braga").first.wait_for()
    page.get_by_role("button", name="Prompt").click()
    page.get_by_text("INSTRUCTIONS").wait_for()


def test_a_fact_is_as_sure_on_each_page(page: Any, home: str, memory: Memory) -> None:
    stored = memory.remember("I prefer tea to coffee", kind="preference").memory
    assert stored is not None
    memory.review.feedback(stored.id, "helpful")
    page.goto(f"{home}/about?memory={stored.id}")
    sure = re.compile(r"\d+% sure")
    belief = page.get_by_role("article").filter(has_text="tea").get_by_text(sure).first.inner_text()
    expect(page.get_by_role("complementary", name="Memory").get_by_text(sure).first).to_contain_text(belief)
    page.goto(f"{home}/context?role=chat&task=tea")
    expect(page.get_by_role("article").filter(has_text="tea").get_by_text(sure).first).to_have_text(belief)
    memory.forget(stored.id, hard=True)


def test_acts_name_the_memory_that_they_were_about(page: Any, home: str) -> None:
    page.goto(f"{home}/audit")
    page.get_by_role("list", name="Events").get_by_role("link", name=NOTE).click()
    page.get_by_role("complementary", name="Memory").get_by_text(NOTE).first.wait_for()


def test_what_is_known_of_a_file_is_removed_after_a_question(page: Any, home: str, memory: Memory) -> None:
    page.goto(f"{home}/sources")
    page.get_by_role("button", name="Actions for boats.csv").click()
    page.get_by_role("menuitem", name="Remove what is known of it").click()
    asked = page.get_by_role("dialog", name="Remove what is known of boats.csv?")
    asked.get_by_text("The file itself stays").wait_for()
    asked.get_by_role("button", name="Remove").click()
    page.get_by_text("What was known of boats.csv is removed.").first.wait_for()
    assert not memory.list(scope=("file", "boats.csv")).memories
    assert not memory.described.list()


def test_what_is_kept_is_shown_with_its_quotas(chromium: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("HOLDFAST_QUOTA_MEMORIES", "10")
    monkeypatch.setenv("HOLDFAST_QUOTA_STORE_MB", "5")
    with Memory(tmp_path / "own.db", user="ana") as memory, served(tmp_path / "own.db") as url:
        memory.remember_many([{"text": f"Lamp {n} is lit"} for n in range(9)])
        with signed_in(chromium, memory, url, "/statistics") as page:
            page.get_by_text("9 of 10 versions").wait_for()
            page.get_by_text("Nearly full").wait_for()
            page.get_by_text("of 5 MB").wait_for()
