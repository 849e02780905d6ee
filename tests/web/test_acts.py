"""What people come to the web interface for, done in a real browser over the demo data of the tour.

Somebody corrects one fact of imported chats and erases one conversation; a developer finds out why an agent
was told something wrong; a lead decides about many proposals; and somebody does it by keyboard alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.web import served
from holdfast import Memory
from holdfast.features.access.keys import create_key
from holdfast.features.beliefs.reading import READ_AT_ONCE
from holdfast.workers import worker_for
from tests.web.pages import expect, new_page, sign_in
from tools.tour.demo import OWNER, PROJECT, fill

pytestmark = [pytest.mark.process, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tour")
    fill(folder / "tour.db", folder / "shop")
    return folder / "tour.db"


@pytest.fixture(scope="module")
def home(store: Path) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOLDFAST_ROOTS", str(store.parent.resolve()))
        with served(store) as url:
            yield url


@pytest.fixture
def memory(store: Path) -> Iterator[Memory]:
    with Memory(store, user=OWNER) as memory:
        yield memory


@pytest.fixture
def page(chromium: Any, home: str, memory: Memory) -> Iterator[Any]:
    """A page that is signed in by a link pasted into one that is open already."""
    with new_page(chromium, viewport={"width": 1360, "height": 900}) as page:
        page.goto(home)
        page.get_by_role("heading", name="Sign in to Holdfast").wait_for()
        sign_in(page, memory, home)
        yield page


def test_one_fact_is_corrected_and_one_conversation_is_gone(page: Any, home: str, memory: Memory) -> None:
    page.get_by_role("searchbox", name="Search memories").fill("support hours")
    page.get_by_role("list", name="Results").get_by_text("Support answers on weekdays").first.click()
    panel = page.get_by_role("complementary", name="Memory")
    panel.get_by_role("button", name="Edit").click()
    panel.get_by_label("Text").fill("Support answers on weekdays from 7 to 19 (Berlin).")
    panel.get_by_role("button", name="Save").click()
    panel.locator("ins").filter(has_text="19").first.wait_for()  # the history shows the difference
    fact = memory.list(project=PROJECT, kinds="fact").memories
    assert "from 7 to 19" in {one.title: one.text for one in fact}["Support hours"]

    page.goto(f"{home}/conversations")
    page.get_by_role("link", name="Four days in Lisbon").click()
    page.get_by_role("heading", name="Four days in Lisbon").wait_for()
    messages = page.get_by_role("list", name="Messages").get_by_role("article")
    messages.nth(5).wait_for()
    page.get_by_role("button", name="Conversation actions").click()
    page.get_by_role("menuitem", name="Archive").click()
    page.get_by_text("Archived: nothing that was said in it is recalled.").first.wait_for()
    page.get_by_role("link", name="All conversations").click()
    page.get_by_role("link", name="Starting the cello").wait_for()
    page.get_by_role("link", name="Four days in Lisbon").wait_for(state="detached")
    page.get_by_role("button", name="Archived").click()
    page.get_by_role("link", name="Four days in Lisbon").click()
    page.get_by_role("button", name="Conversation actions").click()
    page.get_by_role("menuitem", name="Bring it back").click()
    page.get_by_text("Brought back: it is recalled again.").first.wait_for()
    assert [
        session.archived
        for session in memory.sessions.list(limit=50).sessions
        if session.name == "Four days in Lisbon"
    ] == [False]
    page.get_by_role("button", name="Conversation actions").click()
    page.get_by_role("menuitem", name="Erase the conversation").click()
    page.get_by_role("button", name="Erase for good").click()
    page.get_by_role("heading", name="Conversations").wait_for()
    page.get_by_role("link", name="Starting the cello").wait_for()
    expect(page.get_by_role("link", name="Four days in Lisbon")).to_have_count(0)
    assert "Lisbon" not in str([session.name for session in memory.sessions.list(limit=50).sessions])


def test_s3_35_a_description_is_read_again_from_its_file(
    page: Any, home: str, memory: Memory, store: Path
) -> None:
    path = store.parent / "moorings.csv"
    path.write_text("boat,fee\na,1\nb,2\n")
    memory.reconcile(path)
    (record,) = memory.list(scope=("file", "moorings.csv"), limit=5).memories
    path.write_text("boat,fee,season\na,1,summer\nb,2,winter\nc,3,winter\n")
    page.goto(f"{home}/?memory={record.id}")
    panel = page.get_by_role("complementary", name="Memory")
    panel.get_by_role("button", name="Read again").click()
    page.get_by_text("moorings.csv: 1 updated.").first.wait_for()
    panel.get_by_text("season (text").first.wait_for()  # the panel shows the new description
    panel.get_by_role("button", name="Read again").click()
    page.get_by_text("moorings.csv: nothing has changed.").first.wait_for()
    path.unlink()
    panel.get_by_role("button", name="Read again").click()
    page.get_by_text("is no longer there").first.wait_for()
    assert "season" in memory.get(record.id).text


def test_s3_16_a_file_that_the_service_may_read_is_described(
    page: Any, home: str, memory: Memory, store: Path
) -> None:
    (store.parent / "berths.csv").write_text("berth,depth\na,1\nb,2\n")
    page.goto(f"{home}/sources")
    form = page.get_by_role("form", name="Describe a file")
    expect(form.get_by_label("Of the service, below")).to_have_value(str(store.parent.resolve()))
    form.get_by_label("the file or folder").fill("../no.csv")
    form.get_by_role("button", name="Describe it").click()
    form.get_by_role("alert").filter(has_text=str(store.parent.resolve())).wait_for()
    form.get_by_label("the file or folder").fill("berths.csv")
    form.get_by_role("button", name="Describe it").click()
    page.get_by_text("berths.csv: 1 created.").first.wait_for()
    page.get_by_role("list", name="Files and databases").get_by_text("berths.csv", exact=True).wait_for()
    (record,) = memory.list(scope=("file", "berths.csv"), limit=5).memories
    assert "depth (integer, 1 to 2" in record.text


def test_whoever_was_second_loses_nothing(page: Any, home: str, memory: Memory) -> None:
    stored = memory.remember("The kettle is red", project="garden").memory
    assert stored is not None
    page.goto(f"{home}/?project=garden&memory={stored.id}")
    panel = page.get_by_role("complementary", name="Memory")
    panel.get_by_role("button", name="Edit").click()
    panel.get_by_label("Text").fill("The kettle is green")
    memory.revise(stored.id, text="The kettle is blue")
    panel.get_by_text("Somebody else changed it meanwhile").wait_for()  # before anything is saved
    assert memory.get(stored.id).text == "The kettle is blue"
    panel.get_by_role("button", name="Save over theirs").click()
    panel.get_by_label("Text").wait_for(state="detached")
    assert [one.text for one in memory.history(stored.id) if one.text][-2:] == [
        "The kettle is blue", "The kettle is green",
    ]  # fmt: skip
    older = panel.get_by_role("listitem").filter(has_text="blue").last
    older.get_by_role("button", name="Bring this text back").click()
    page.get_by_text("The older text is back.").first.wait_for()
    assert memory.get(stored.id).text == "The kettle is blue"
    panel.get_by_role("button", name="Forget").click()
    page.locator(".toast").filter(has_text="Forgotten").get_by_role("button", name="Undo").click()
    page.get_by_text("Undone.").first.wait_for()
    assert memory.get(stored.id).deleted_at is None


def test_a_memory_is_pinned_moved_and_taken_along(page: Any, home: str, memory: Memory) -> None:
    stored = memory.remember("The ladder is in the shed", project="garden").memory
    assert stored is not None
    page.goto(f"{home}/?project=garden&memory={stored.id}")
    panel = page.get_by_role("complementary", name="Memory")
    panel.get_by_role("button", name="Pin").wait_for()
    page.keyboard.press("p")
    panel.get_by_role("button", name="Unpin").wait_for()
    assert memory.get(stored.id).pinned
    panel.get_by_role("button", name="More actions").focus()
    page.keyboard.press("ArrowDown")  # the menu opens by keyboard
    page.get_by_role("menuitem", name=PROJECT, exact=True).click()
    page.get_by_text(f"Moved to {PROJECT}.").first.wait_for()
    assert stored.id in {record.id for record in memory.list(project=PROJECT, limit=200).memories}

    page.goto(f"{home}/projects")
    switch = page.get_by_role("article").filter(has_text="garden").get_by_role("switch")
    for on, words in ((False, "Memory is off in garden"), (True, "Memory is on in garden")):
        switch.click()
        page.get_by_text(words).first.wait_for()
        garden = {project.name: project for project in memory.projects.list()}["garden"]
        assert (garden.state.value == "active") is on

    page.goto(f"{home}/settings")
    page.get_by_role("radio", name="Dark").click()
    expect(page.locator("html")).to_have_css("color-scheme", "dark")
    page.get_by_role("button", name="Check it").click()
    page.get_by_text("Healthy: nothing is wrong.").wait_for()
    with page.expect_download() as begun:
        page.get_by_role("link", name="Export (.jsonl)").click()
    assert "The ladder is in the shed" in begun.value.path().read_text("utf-8")


def test_a_kind_of_belief_is_excluded_and_allowed_again(page: Any, home: str, memory: Memory) -> None:
    page.goto(f"{home}/about")
    belief = page.get_by_role("article").filter(has_text="Lives in Braga")
    belief.get_by_role("button", name="More about").click()
    page.get_by_role("menuitem", name="Never remember this kind").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Everything under “Home and places”").click()
    dialog.get_by_role("button", name="Never remember it").click()
    belief.wait_for(state="detached")  # it was forgotten as well
    rule = page.get_by_role("listitem").filter(has=page.get_by_role("button", name="Allow again"))
    rule.get_by_text("places", exact=True).wait_for()
    refused = memory.remember("I live in Porto now.", kind="profile")
    assert (refused.memory, refused.code) == (None, "excluded")
    rule.get_by_role("button", name="Allow again").click()
    rule.wait_for(state="detached")
    assert memory.remember("I live in Porto now.", kind="profile").memory is not None


def test_a_timeline_shows_what_held_on_a_day(page: Any, home: str) -> None:
    page.goto(f"{home}/timeline?by=held&day=2026-11-15&project={PROJECT}")
    page.get_by_role("list", name="What held").get_by_text("from 9 to 17").first.wait_for()
    page.get_by_label("Day", exact=True).fill("2026-11-22")
    page.get_by_role("list", name="What held").get_by_text("from 8 to 18").first.wait_for()


def test_why_an_agent_was_told_something(page: Any, home: str, memory: Memory) -> None:
    page.goto(f"{home}/context?project={PROJECT}&budget=500")
    page.get_by_label("Task or prompt").fill("customers are logged out after five minutes")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Left out").wait_for()
    page.get_by_text("No room: the budget is used up").wait_for()
    page.get_by_role("link", name="is relative in our gateway").first.click()
    panel = page.get_by_role("complementary", name="Memory")
    delivered = panel.locator("details").filter(has_text="Given to")
    delivered.get_by_text("claude-code").wait_for()
    delivered.get_by_role("link", name="Customers are logged out").click()
    page.get_by_role("heading", name="Customers are logged out").wait_for()
    page.get_by_text("Learned from this conversation").click()
    page.get_by_text("Cart totals round per line").wait_for()
    page.goto(f"{home}/?q=logged+out&project={PROJECT}")
    results = page.get_by_role("list", name="Results")
    results.get_by_role("button", name="found by").first.click()
    results.get_by_text("Words of the question stand in it").first.wait_for()
    results.get_by_role("button", name="What was said around it").first.click()
    results.get_by_text("And what does the gateway expect?").first.wait_for()
    page.get_by_role("button", name="just missed").click()
    page.get_by_role("list", name="Just missed").get_by_role("article").first.wait_for()


def told_in_inbox(memory: Memory) -> set[tuple[str, str, str]]:
    """What waits, who proposed it, and why it waits."""
    return {(item.memory.id, item.memory.created_by, item.why) for item in memory.review.inbox().items}


def test_many_proposals_are_decided_by_keyboard_and_taken_back(page: Any, home: str, memory: Memory) -> None:
    waiting = told_in_inbox(memory)
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Command").wait_for()
    page.keyboard.type("inbox")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Inbox").wait_for()
    page.get_by_role("list", name="Waiting").get_by_role("article").first.wait_for()
    page.keyboard.press("j")
    for _ in range(3):
        page.keyboard.press("Shift+J")
    page.get_by_text("4 selected").wait_for()
    page.keyboard.press("a")
    page.get_by_text("Approved: 4 memories.").first.wait_for()
    assert len({item.memory.id for item in memory.review.inbox().items}) == len(waiting) - 4
    page.keyboard.press("u")
    page.get_by_text("4 wait again.").first.wait_for()
    assert told_in_inbox(memory) == waiting
    page.keyboard.press("r")
    page.get_by_text("Rejected.", exact=True).first.wait_for()
    assert len(memory.review.inbox().items) == len(waiting) - 1
    page.get_by_label("Select all").check()
    page.keyboard.press("a")  # the letters work while a box has the focus
    page.get_by_text("Nothing waits for you").wait_for()
    page.keyboard.press("u")
    page.get_by_text(f"{len(waiting) - 1} wait again.").first.wait_for()
    assert told_in_inbox(memory) < waiting


def test_what_a_scan_found_is_left_taken_back_and_redacted(page: Any, home: str, memory: Memory) -> None:
    before = Memory.over(replace(memory._service, secret_entropy=8.0))
    stored = before.remember("The pump is opened with 9fK2xQ7vLm3RtZ8pWs4NbY6cHd5J").memory
    assert stored is not None
    memory.scan_queue()
    worker_for(memory._service, threads=1).run_due()
    page.goto(f"{home}/inbox")
    item = (
        page.get_by_role("list", name="Waiting").get_by_role("article").filter(has_text="The pump is opened")
    )
    item.get_by_text("A scan found high_entropy (1) in its text").wait_for()
    item.get_by_role("button", name="Leave as it is").click()
    page.get_by_text("Left as it is.").first.wait_for()
    item.wait_for(state="detached")
    page.keyboard.press("u")
    item.get_by_role("button", name="Redact").click()
    question = page.get_by_role("dialog", name="Redact for good?")
    assert "9fK2xQ7v" in memory.get(stored.id).text, "nothing is erased before the answer"
    question.get_by_role("button", name="Redact").click()
    page.get_by_text("Redacted.").first.wait_for()
    assert memory.get(stored.id).text == "The pump is opened with [REDACTED: high_entropy]"


def test_several_are_forgotten_or_archived_at_once_and_come_back(
    page: Any, home: str, memory: Memory
) -> None:
    page.goto(f"{home}/?project={PROJECT}&kinds=decision,convention")
    listed = page.get_by_role("list", name="Memories").get_by_role("article")
    listed.nth(2).wait_for()
    before = memory.count(project=PROJECT)
    page.keyboard.press("j")
    page.keyboard.press("x")
    page.keyboard.press("Shift+J")
    tools = page.get_by_role("toolbar", name="Selected memories")
    tools.get_by_text("2 selected").wait_for()
    tools.get_by_role("button", name="Forget").click()
    page.get_by_text("Forgotten: 2 memories.").first.wait_for()
    assert memory.count(project=PROJECT) == before - 2
    page.locator(".toast").filter(has_text="Forgotten").get_by_role("button", name="Undo").click()
    page.get_by_text("Brought back: 2 memories.").first.wait_for()
    assert memory.count(project=PROJECT) == before

    page.goto(f"{home}/?project={PROJECT}&q=cents+and+floats")
    page.get_by_role("list", name="Results").get_by_text("Money in integer cents").first.wait_for()
    page.get_by_role("button", name="Select", exact=True).click()
    page.get_by_label("Select Money in integer cents").check()
    tools.get_by_role("button", name="Move to").click()
    page.get_by_role("menuitem", name="garden").click()
    page.get_by_text("Moved to garden: 1 memory.").first.wait_for()
    page.locator(".toast").filter(has_text="Moved").get_by_role("button", name="Undo").click()
    page.get_by_text(f"Moved back to {PROJECT}: 1 memory.").first.wait_for()
    assert memory.count(project=PROJECT) == before

    page.goto(f"{home}/conversations")
    page.get_by_role("list", name="Conversations").get_by_role("link").nth(2).wait_for()
    page.get_by_role("button", name="Select", exact=True).click()
    page.get_by_label("Filter by title").fill("I ")
    page.get_by_label("Select all").check()
    tools = page.get_by_role("toolbar", name="Selected conversations")
    tools.get_by_role("button", name="Archive").click()
    page.get_by_text("Archived, and no longer recalled:").first.wait_for()
    archived = {session.name for session in memory.sessions.list(archived=True).sessions}
    assert {"I take cello lessons on Thursdays", "I prefer short answers with an example"} <= archived
    page.locator(".toast").filter(has_text="Archived").get_by_role("button", name="Undo").click()
    page.get_by_text("Brought back:").first.wait_for()
    assert memory.sessions.list(archived=True).sessions == ()


def test_what_many_messages_say_of_somebody_appears_by_itself(page: Any, home: str, memory: Memory) -> None:
    """An answer reads some hundred new messages, the newest first; the page asks until all are read."""
    talk = [{"role": "user", "content": "My sister Lena lives in Vienna.", "at": "2019-05-01"}]
    talk += [
        {"role": "user", "content": f"Page {n} of the atlas shows a river."} for n in range(READ_AT_ONCE + 20)
    ]
    for start in range(0, len(talk), 100):
        memory.add_messages(talk[start : start + 100], session="atlas")
    page.goto(f"{home}/about")
    page.get_by_text("Lena").first.wait_for()


def test_who_sees_a_new_memory_is_chosen_and_the_preset_is_that_of_the_project(
    page: Any, home: str, memory: Memory
) -> None:
    memory.projects.create("pier", visibility="project")
    page.goto(f"{home}/")
    page.get_by_role("button", name="Remember").first.click()
    dialog = page.get_by_role("dialog", name="Remember something")
    seen = dialog.get_by_label("Visibility")
    expect(seen).to_have_value("private")
    dialog.locator("select").nth(1).select_option("pier")
    expect(seen).to_have_value("project")
    seen.select_option("team")
    dialog.get_by_label("What should be remembered?").fill("We deploy on Tuesdays")
    dialog.get_by_role("button", name="Remember").click()
    dialog.wait_for(state="detached")
    kept = next(
        record for record in memory.list(project="pier", kinds=["note"]).memories if "Tuesdays" in record.text
    )
    assert (kept.text, kept.visibility) == ("We deploy on Tuesdays", "team")


def test_the_audit_log_begins_with_the_newest(page: Any, home: str, memory: Memory) -> None:
    memory.remember("The rake is new", project="garden")
    page.goto(f"{home}/audit")
    newest = page.get_by_role("list", name="Events").get_by_role("listitem").first
    newest.get_by_text(str(memory.audit.verify()), exact=True).wait_for()


def test_a_key_is_made_shown_once_and_ended(page: Any, home: str, memory: Memory) -> None:
    page.goto(f"{home}/members")
    page.get_by_role("button", name="New key").click()
    dialog = page.get_by_role("dialog", name="New key")
    dialog.get_by_label("What it is for").fill("Laptop")
    dialog.get_by_label("May").select_option("read")
    dialog.get_by_role("button", name="Make the key").click()
    shown = page.get_by_role("dialog", name="Copy the key now").locator("code").inner_text()
    assert shown.startswith("holdfast_")
    page.get_by_role("button", name="Done").click()
    (key,) = memory.keys.list()
    assert (key.name, key.user, key.write) == ("Laptop", OWNER, False)
    assert shown not in page.content()
    page.get_by_role("button", name="End Laptop").click()
    page.get_by_role("button", name="End it").click()
    page.get_by_text("Laptop has ended.").first.wait_for()
    assert memory.keys.list()[0].revoked_at is not None


def test_the_map_says_the_same_drawn_and_as_a_list(page: Any, home: str, memory: Memory) -> None:
    drawing = memory.entities.drawing(project=PROJECT)
    page.goto(f"{home}/map?view=graph&project={PROJECT}")
    page.get_by_text(f"{len(drawing.entities)} things, {len(drawing.relations)} relations").wait_for()
    page.locator(".graph-canvas canvas").wait_for()
    page.get_by_label("Filter things").fill("stripe")
    page.get_by_role("link", name="Stripe", exact=True).click()
    page.get_by_role("complementary", name="Memory").get_by_text("Card payments.").wait_for()
    page.goto(f"{home}/map?project={PROJECT}")
    for group in ("Rules", "Traps"):
        page.get_by_role("heading", name=group).wait_for()
    page.get_by_role("button", name="Traps").click()
    page.get_by_role("heading", name="Traps").wait_for(state="detached")
    page.get_by_role("button", name="By file").click()
    page.get_by_role("heading", name="About no file").wait_for()


def test_a_search_is_narrowed_to_what_people_said_by_its_address(
    page: Any, home: str, memory: Memory
) -> None:
    memory.remember("The quay of Redis closes at nine", origin="agent", confidence=0.9, project=PROJECT)
    page.goto(f"{home}/?q=Redis&project={PROJECT}")
    results = page.get_by_role("list", name="Results")
    results.get_by_text("The quay of Redis").first.wait_for()
    page.get_by_role("button", name="Trust").click()
    page.get_by_role("menuitem", name="Only what people said").click()
    page.get_by_role("button", name="Trust: only what people said").wait_for()
    results.get_by_text("The quay of Redis").first.wait_for(state="detached")
    results.get_by_role("article").first.wait_for()
    expect(page).to_have_url(re.compile("trust=people"))


def test_what_memory_saved_and_which_traps_were_shown(page: Any, home: str, memory: Memory) -> None:
    searches = memory.stats().work.search_memory_calls
    page.goto(f"{home}/?q=Redis")
    page.get_by_role("list", name="Results").get_by_text("Redis has to be 7").first.wait_for()
    assert memory.stats().work.search_memory_calls == searches, "a person who looks is no use of memory"
    page.goto(f"{home}/statistics")
    page.get_by_role("heading", name="Reading before work").wait_for()
    page.get_by_text("Estimated, not measured:").wait_for()
    traps = page.get_by_role("list", name="Traps shown to agents most often")
    traps.get_by_text("is relative in our gateway").first.wait_for()
    page.get_by_role("link", name="Search", exact=True).click()
    everything = page.get_by_role("status").filter(has_text="memories")
    everything.wait_for()
    page.get_by_role("button", name="Knowledge").click()  # a filter that stands in the address
    page.wait_for_url("**/?kinds=*")
    page.get_by_role("button", name="From", exact=True).click()
    page.get_by_role("menuitemcheckbox", name="Agents and models").click()
    page.keyboard.press("Escape")
    page.wait_for_url("**origins=agent*")


def test_s3_34_the_team_view_shows_what_is_shared_and_how_sure_it_is(page: Any, home: str) -> None:
    page.goto(f"{home}/map")
    cards = page.locator(".knowledge")
    cards.filter(has_text="I am allergic to peanuts").wait_for()  # ana's own
    page.get_by_role("button", name="Team", exact=True).click()
    page.get_by_text("shared with the team").wait_for()
    page.get_by_role("button", name="By topic", pressed=True).wait_for()
    cards.filter(has_text="Where synonyms are").wait_for()  # jonas shares it
    expect(cards.filter(has_text="allergic")).to_have_count(0)
    expect(cards.filter(has_not_text="% sure")).to_have_count(0)
    expect(cards.filter(has_not=page.locator(".badge", has_text="Team"))).to_have_count(0)


def test_a_member_is_offered_only_what_they_may_change(chromium: Any, store: Path, memory: Memory) -> None:
    _, key = create_key(memory._service, user="jonas")
    with served(store, "--require-credential") as url, new_page(chromium) as page:
        page.goto(url)
        page.get_by_label("API key").fill(key)
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("searchbox").first.wait_for()
        page.goto(f"{url}/?kinds=fact&project={PROJECT}")
        page.get_by_role("button", name="Select", exact=True).click()
        page.get_by_role("checkbox", name="Select Where synonyms are", disabled=False).wait_for()
        expect(page.get_by_role("checkbox", name="Select Support hours")).to_be_disabled()
        page.get_by_role("checkbox", name="Select all").check()
        page.get_by_text("1 selected").wait_for()
        page.get_by_role("list", name="Memories").get_by_text("Support hours").first.click()
        panel = page.get_by_role("complementary", name="Memory")
        panel.get_by_text("It belongs to somebody else").wait_for()
        expect(panel.get_by_role("button", name="Edit")).to_have_count(0)
