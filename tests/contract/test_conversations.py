"""The store contract, reading one conversation in its order, page by page (S0.39)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from holdfast import InvalidInput, Memory, NotFound, Outcome
from holdfast.features.access.access import Grant
from holdfast.features.access.keys import service_for
from holdfast.stores.base.ports import Store
from tests.fakes import ManualClock
from tests.profiles import examples
from tests.support import memory_on, open_store, service_on


def messages_of(memory: Memory, session: str, limit: int = 50) -> list[str]:
    """All that was said in a session, read in pages of a size."""
    found: list[str] = []
    cursor: str | None = None
    while True:
        page = memory.sessions.messages(session, limit=limit, cursor=cursor)
        assert len(page.memories) <= limit
        found += [record.text for record in page.memories]
        cursor = page.cursor
        if cursor is None:
            return found


def test_s0_39_a_conversation_is_read_in_its_order(memory: Memory) -> None:
    """By time, what has the same time as it was kept, and nothing but what was said in this session."""
    memory.add_messages([{"role": "user", "content": f"line {n}"} for n in range(5)], session="talk")
    memory.add_messages([{"role": "user", "content": "long ago", "at": "2020-01-01"}], session="talk")
    memory.add_episode("and then?", "the end", session="talk")
    memory.add_messages([{"role": "user", "content": "elsewhere"}], session="other")
    memory.remember("The talk is about lines", kind="fact", session="talk")
    lines = ["long ago", *(f"line {n}" for n in range(5)), "User: and then?\nAssistant: the end"]
    for limit in (1, 3, 50):
        assert messages_of(memory, "talk", limit) == lines
    assert memory.sessions.get("talk").message_count == len(lines)


def test_s0_39_a_text_that_was_changed_stays_at_its_place(memory: Memory) -> None:
    lines = [{"role": "user", "content": f"line {n}", "id": f"m{n}"} for n in range(4)]
    memory.add_messages(lines, session="talk")
    first = memory.sessions.messages("talk", limit=2)
    memory.add_messages([{"role": "user", "content": "line one", "id": "m1"}], session="talk")
    assert messages_of(memory, "talk") == ["line 0", "line one", "line 2", "line 3"]
    rest = memory.sessions.messages("talk", cursor=first.cursor)
    assert [record.text for record in rest.memories] == ["line 2", "line 3"]


def test_s0_39_what_was_forgotten_is_left_out_and_the_session_may_move(memory: Memory) -> None:
    result = memory.add_messages([{"role": "user", "content": f"line {n}"} for n in range(3)], session="talk")
    assert result[1].memory is not None
    memory.forget(result[1].memory.id)
    memory.sessions.update("talk", project="shop")
    assert messages_of(memory, "talk", 1) == ["line 0", "line 2"]


def test_s0_39_a_session_of_somebody_else_is_no_session(store: Store) -> None:
    clock = ManualClock()
    ana, ben = (memory_on(store, user=name, clock=clock) for name in ("ana", "ben"))
    ana.add_messages([{"role": "user", "content": "hers"}], session="talk", visibility="team")
    with pytest.raises(NotFound) as missing:
        ben.sessions.messages("talk")
    assert missing.value.code == "session_not_found"
    ben.add_messages([{"role": "user", "content": "his"}], session="talk")
    assert (messages_of(ana, "talk"), messages_of(ben, "talk")) == (["hers"], ["his"])


def test_s0_39_a_credential_of_one_project_reads_its_sessions_alone(store: Store) -> None:
    service = service_on(store)
    ana = Memory.over(service)
    for session, project in (("in", "shop"), ("out", "barn"), ("free", None)):
        ana.add_messages([{"role": "user", "content": session}], session=session, project=project)
    limited = Memory.over(service_for(service, Grant(service.principal, projects=frozenset({"shop"}))))
    assert messages_of(limited, "in") == ["in"]
    for session in ("out", "free", "never"):
        with pytest.raises(NotFound):
            limited.sessions.messages(session)


@pytest.mark.on_a_file
@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"limit": 0}, "limit_invalid"),
        ({"limit": 1001}, "limit_invalid"),
        ({"cursor": "x"}, "cursor_invalid"),
        ({"cursor": "01900000-0000-7000-8000-000000000000.1"}, "cursor_invalid"),
    ],
)
def test_s0_39_what_cannot_be_a_page_is_refused(
    memory: Memory, options: dict[str, object], code: str
) -> None:
    memory.add_messages([{"role": "user", "content": "hello"}], session="talk")
    with pytest.raises(InvalidInput) as refused:
        memory.sessions.messages("talk", **options)  # type: ignore[arg-type]
    assert refused.value.code == code


@settings(max_examples=examples(40))
@given(
    times=st.lists(st.none() | st.integers(0, 3), max_size=12),
    size=st.integers(1, 5),
    changed=st.sets(st.integers(0, 11)),
)
def test_s0_39_pages_of_any_size_are_the_whole(
    times: list[int | None], size: int, changed: set[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Stores agree, and the order is that of the times, stably sorted, whatever was changed since."""
    clock = ManualClock()
    now = clock()
    for kind in ("oracle", "sqlite"):
        store = open_store(kind, Path(tmp_path_factory.mktemp("pages")))
        memory = memory_on(store, clock=clock)
        for n, at in enumerate(times):
            message = {"role": "user", "content": f"line {n}", "id": f"m{n}"}
            memory.add_messages([message | ({} if at is None else {"at": at})], session="talk")
        for n in sorted(changed & set(range(len(times)))):
            memory.add_messages([{"role": "user", "content": f"changed {n}", "id": f"m{n}"}], session="talk")
        order = sorted(range(len(times)), key=lambda n: now if (at := times[n]) is None else at)
        expected = [f"changed {n}" if n in changed else f"line {n}" for n in order]
        if times:
            assert messages_of(memory, "talk", size) == expected
        store.close()


def test_messages_with_calls_of_tools_are_kept(memory: Memory) -> None:
    call = {
        "id": "c1",
        "type": "function",
        "function": {"name": "find_boats", "arguments": '{"colour": "red"}'},
    }
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": "Which boats are red?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "The Petrel is red"},
        {"role": "assistant", "content": [
            {"type": "text", "text": "Let me look."},
            {"type": "tool_use", "id": "t1", "name": "find_masts", "input": {"height": 9}},
        ]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "One mast"}]},
    ]  # fmt: skip
    result = memory.add_messages(messages)
    assert [one.outcome for one in result] == ["created"] * 5
    texts = [one.memory.text for one in result if one.memory]
    assert texts[1:] == [
        'find_boats({"colour": "red"})', "The Petrel is red",
        'Let me look.\nfind_masts({"height": 9})', "One mast",
    ]  # fmt: skip
    assert result[2].memory is not None
    assert result[2].memory.origin == "tool"
    for wrong in (
        {"role": "assistant", "tool_calls": "x"},
        {"role": "assistant", "tool_calls": [{"id": "c"}]},
    ):
        assert memory.add_messages([wrong])[0].code == "message_invalid"


def test_what_a_tool_returned_is_never_the_word_of_the_person(memory: Memory) -> None:
    """Anthropic sends results of tools in messages of the user."""
    page = {
        "type": "tool_result",
        "tool_use_id": "t1",
        "content": [{"type": "text", "text": "I live in Moscow."}],
    }
    picture = {"type": "tool_result", "tool_use_id": "t2", "content": [{"type": "image", "source": {}}, 5]}
    token = {
        "type": "tool_result",
        "tool_use_id": "t3",
        "content": "I am Boris. ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
    }
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": [page], "id": "m1"},
        {"role": "user", "content": [token, {"type": "text", "text": "I live in Lima."}], "id": "m2"},
        {"role": "user", "content": [picture, {"type": "text", "text": "What is on it?"}], "id": "m3"},
        {"role": "assistant", "content": [{"type": "reasoning", "text": "Hm."}, "A cat."]},
    ]  # fmt: skip
    result = memory.add_messages(messages, session="talk", extract=True)
    said = [one.memory for one in result]
    assert [(one.text, one.said_by) for one in said if one] == [
        ("I live in Moscow.", "tool"), ("I live in Lima.", "person"), ("What is on it?", "person"),
        ("A cat.", "assistant"),
    ]  # fmt: skip
    assert result[1].redactions
    stored = memory.sessions.messages("talk").memories
    assert [one.role for one in stored] == ["tool", "tool", "user", "user", "assistant"]
    assert [belief.text for group in memory.about().groups for belief in group.beliefs] == ["Lives in Lima"]
    again = memory.add_messages(messages[:3], session="talk")
    assert {one.outcome for one in again} == {Outcome.DUPLICATE}


def test_messages_without_a_session_are_one_conversation_of_their_place(memory: Memory) -> None:
    for project in (None, "shop", "shop"):
        memory.add_messages([{"role": "user", "content": "Is the till open?"}], project=project)
    assert {(session.project, session.message_count) for session in memory.sessions.list()} == {
        (None, 1),
        ("shop", 2),
    }


def test_sessions_are_listed_page_by_page_though_they_change(memory: Memory, clock: ManualClock) -> None:
    """Nothing is skipped or repeated but what moved to the top in between."""
    for n in range(7):
        memory.sessions.create(f"talk-{n}", project="shop" if n % 2 else None)
        clock.forward(millis=n % 2)
    names = [session.external_id for session in memory.sessions.list()]
    assert len(names) == 7
    for limit in (1, 2, 7, 50):
        found: list[str] = []
        cursor = None
        while True:
            page = memory.sessions.list(limit=limit, cursor=cursor)
            found += [one.external_id for one in page]
            cursor = page.cursor
            if cursor is None:
                break
        assert found == names
    first = memory.sessions.list(limit=3)
    clock.forward(days=1)
    memory.sessions.update(names[1], name="Changed")
    memory.sessions.delete(names[2])  # the last of the page
    assert {session.external_id for session in memory.sessions.list(cursor=first.cursor)} >= set(names[4:])
    shop = memory.sessions.list(project="shop", limit=2)
    rest = memory.sessions.list(project="shop", cursor=shop.cursor)
    assert len({one.external_id for one in [*shop, *rest]}) == 3


def test_a_list_and_its_counts_are_narrowed_to_a_session(memory: Memory) -> None:
    for session, project in (("talk", "shop"), ("other", "shop"), ("free", None)):
        memory.add_messages(
            [{"role": "user", "content": f"said in {session}"}], session=session, project=project
        )
    memory.remember("The shop is open", project="shop")
    assert [record.text for record in memory.list(session="talk").memories] == ["said in talk"]
    assert [record.text for record in memory.list(session="free").memories] == ["said in free"]
    assert memory.list(session="talk", stale=True).memories == []
    assert (memory.count(session="talk"), memory.count(project="shop")) == (1, 3)
    assert memory.facets(session="talk").kinds == {"message": 1}
    for asked in (memory.list, memory.count, memory.facets):
        with pytest.raises(NotFound) as error:
            asked(session="nowhere")
        assert error.value.code == "session_not_found"
    assert memory.recall("open shop", session="nowhere").items == ()
