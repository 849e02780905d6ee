"""Correcting what is believed in About, in a real browser: the statement, not the message it was said in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.web import served
from holdfast import Memory
from tests.web.pages import expect, settled, signed_in

pytestmark = [pytest.mark.process, pytest.mark.filterwarnings("ignore")]
COLOURS = """button => [getComputedStyle(button).color, (() => {
  const other = document.createElement("i");
  other.style.color = "var(--on-accent)";
  button.append(other);
  const found = getComputedStyle(other).color;
  other.remove();
  return found;
})()]"""
"""The colour of a button's text, and of a primary button's."""
SAID = "I live in Porto and I'm allergic to peanuts."


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "own.db", user="ana") as memory:
        memory.add_messages([{"role": "user", "content": SAID, "at": "2025-01-07"}], session="chat")
        yield memory


@pytest.fixture
def page(chromium: Any, memory: Memory, tmp_path: Path) -> Iterator[Any]:
    with served(tmp_path / "own.db") as url, signed_in(chromium, memory, url, "/about") as page:
        yield page


def test_a_statement_is_corrected_and_its_message_stays(page: Any, memory: Memory) -> None:
    belief = page.get_by_role("article").filter(has_text="Lives in Porto")
    belief.get_by_role("button", name="Correct").click()
    dialog = page.get_by_role("dialog", name="What is true?")
    dialog.get_by_text("That stays in the conversation").wait_for()
    field = dialog.get_by_label("In these words, or in your own")
    expect(field).to_have_value("Lives in Porto")
    expect(dialog.get_by_role("button", name="Correct it")).to_be_disabled()
    field.fill("I moved to Braga")
    dialog.get_by_role("button", name="Correct it").click()
    corrected = page.get_by_role("article").filter(has_text="I moved to Braga")
    corrected.get_by_text("Why, and what it was before").click()
    corrected.get_by_text("Corrected", exact=True).wait_for()
    corrected.locator("del").get_by_text("Lives in Porto").wait_for()
    corrected.get_by_text("“I live in Porto").wait_for()
    page.get_by_role("article").filter(has_text="Is allergic to peanuts").wait_for()
    (message,) = memory.sessions.messages("chat", limit=5).memories
    assert (message.text, message.version) == (SAID, 1)
    assert memory.recall("Braga")[0].memory.text == "I moved to Braga"
    (hit,) = [hit for hit in memory.recall("where do I live?", disputes=True) if hit.memory.id == message.id]
    assert [other.text for other in hit.contradicted_by] == ["I moved to Braga"]
    page.locator(".toast").filter(has_text="Corrected.").get_by_role("button", name="Undo").click()
    page.get_by_role("article").filter(has_text="Lives in Porto").wait_for()
    corrected.wait_for(state="detached")


def test_a_correction_of_what_changed_meanwhile_is_refused_with_its_words_kept(
    page: Any, memory: Memory
) -> None:
    page.get_by_role("article").filter(has_text="Lives in Porto").get_by_role(
        "button", name="Correct"
    ).click()
    dialog = page.get_by_role("dialog", name="What is true?")
    dialog.get_by_label("In these words, or in your own").fill("Lives in Braga")
    memory.correct(memory.about().group("places")[0].id, "Lives in Faro", was="Lives in Porto")
    page.get_by_role("article").filter(has_text="Lives in Faro").wait_for()
    dialog.get_by_role("button", name="Correct it").click()
    dialog.get_by_role("alert").get_by_text("no longer believed").wait_for()
    expect(dialog.get_by_label("In these words, or in your own")).to_have_value("Lives in Braga")


def test_what_was_read_from_a_message_is_dismissed_and_the_message_stays(page: Any, memory: Memory) -> None:
    """By one button, or with a rule for its kind; both are listed as rules, and nowhere as memories."""
    belief = page.get_by_role("article").filter(has_text="Lives in Porto")
    belief.get_by_role("button", name="Not true").click()
    belief.wait_for(state="detached")
    assert memory.sessions.messages("chat", limit=5).memories[0].text == SAID
    page.get_by_text("Not believed: Lives in Porto").wait_for()
    page.locator(".toast").filter(has_text="The message stays").get_by_role("button", name="Undo").click()
    belief.wait_for()
    belief.get_by_role("button", name="More about").click()
    page.get_by_role("menuitem", name="Never remember this kind").click()
    dialog = page.get_by_role("dialog", name="Never remember this kind")
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        colours = dialog.get_by_role("button", name="Never remember it").evaluate(COLOURS)
        assert colours[0] == colours[1], f"text is not that of a primary button: {scheme}"
    assert dialog.get_by_role("radio").first.bounding_box()["width"] < 20
    dialog.get_by_role("button", name="Never remember it").click()
    belief.wait_for(state="detached")
    page.goto(page.url.partition("/about")[0] + "/timeline?month=2025-01")
    page.get_by_text(SAID).first.wait_for()
    page.goto(page.url.partition("/timeline")[0] + "/timeline")
    page.get_by_role("heading", name="Timeline").wait_for()
    settled(page)
    expect(page.get_by_text("Not believed")).to_have_count(0)
    assert memory.sessions.messages("chat", limit=5).memories[0].text == SAID
