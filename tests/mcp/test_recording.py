"""The tools that record, bullet by bullet: bounds of texts and results, low value, errors (S4.40, S4.41)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holdfast import HoldfastError, Memory
from holdfast.mcp.profiles import PROFILES, profile_named
from holdfast.mcp.tools import ClientContext, run_tool
from tests.unit.work_samples import EVENTS, TRANSCRIPT, as_lines

TOOLS = {tool.name: tool for name in PROFILES for tool in profile_named(name).tools}
SHOP = ClientContext("shop")


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[Memory]:
    """The memory as a coding agent has it."""
    with Memory(tmp_path / "team.db", user="ana", agent="coder") as memory:
        yield memory


def call(memory: Memory, tool: str, **given: Any) -> dict[str, Any]:
    """What a tool answers in project shop."""
    return run_tool(TOOLS[tool], lambda: memory, SHOP, given)


def test_s4_40_the_four_tools_are_offered_to_an_agent() -> None:
    """record_memory is `remember` and search_memory is `recall` here."""
    offered = {tool.name for tool in profile_named("agent").tools}
    assert {"remember", "record_gotcha", "recall", "update_module_map"} <= offered


def test_s4_40_a_gotcha_has_10_to_500_characters(agent: Memory) -> None:
    for text in ("x" * 9, "y" * 501):
        with pytest.raises(HoldfastError) as caught:
            call(agent, "record_gotcha", text=text)
        assert caught.value.code == "argument_invalid"
    assert call(agent, "record_gotcha", text="Use port 81")["kept"]
    assert call(agent, "record_gotcha", text="word " * 99 + "end")["kept"]


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("src/auth.py", {"file": "src/auth.py"}),
        ("src/auth.py:refresh", {"file": "src/auth.py", "symbol": "refresh"}),
        ("src/auth.rs::Session::refresh()", {"file": "src/auth.rs", "symbol": "Session.refresh"}),
        ("src/auth.py:12", {"file": "src/auth.py"}),
    ],
)
def test_s4_32_a_gotcha_may_name_a_definition_as_on_the_command_line(
    agent: Memory, told: str, kept: dict[str, str]
) -> None:
    answer = call(agent, "record_gotcha", text="It must not be called twice", file=told)
    assert agent.get(answer["id"]).metadata == kept


def test_s4_32_an_agent_confirms_what_holds_as_before(tmp_path: Path, agent: Memory) -> None:
    """A trap that names a definition is stale when that changes, and no more once it is confirmed."""
    work = tmp_path / "work"
    work.mkdir()
    (work / "auth.py").write_text("def refresh():\n    return 1\n\n\ndef other():\n    return 1\n")
    folder = agent.folders.add(work, project="shop").id
    agent.folders.index(folder)
    id = call(agent, "record_gotcha", text="It must not be called twice", file="auth.py:refresh")["id"]

    def is_stale() -> bool:
        return "stale" in call(agent, "get_memory", id=id)["memory"]

    for changed in ("def refresh():\n    return 1\n\n\ndef other():\n    return 2\n", None):
        assert not is_stale()
        (work / "auth.py").write_text(changed or "def refresh():\n    return 2\n")
        agent.folders.index(folder)
    assert is_stale()
    assert call(agent, "confirm", id=id) == {"id": id}
    assert not is_stale()
    assert [change["action"] for change in call(agent, "history", id=id)["changes"]][-1] == "confirm"


def test_s4_32_what_cannot_be_confirmed_says_why(agent: Memory) -> None:
    id = call(agent, "remember", text="The till prints twice when it is cold")["id"]
    with pytest.raises(HoldfastError, match="it refers to no file") as caught:
        call(agent, "confirm", id=id)
    assert caught.value.code == "nothing_to_change"


def test_s4_40_a_search_gives_3_unless_asked_and_8_at_most(agent: Memory) -> None:
    for number in range(12):
        agent.remember(f"Queue q{number} is drained by worker w{number}", kind="gotcha", project="shop")
    assert len(call(agent, "recall", query="which worker drains the queue?")["memories"]) == 3
    assert len(call(agent, "recall", query="which worker drains the queue?", limit=8)["memories"]) == 8
    with pytest.raises(HoldfastError, match="maximum is 8"):
        call(agent, "recall", query="queue", limit=9)


@pytest.mark.parametrize(
    "text", ["completed successfully", "All tests passed.", "Task completed successfully!"]
)
def test_s4_40_a_text_of_low_value_is_refused(agent: Memory, text: str) -> None:
    for tool in ("remember", "record_gotcha"):
        answer = call(agent, tool, text=text)
        assert (answer["kept"], answer["outcome"], answer["code"]) == (False, "refused", "text_low_value")


@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_s4_41_whatever_fails_is_an_error_with_a_code(tool: str) -> None:
    """A store that breaks in the middle of a call gives a HoldfastError whose words tell nothing."""

    def broken() -> Memory:
        raise OSError("disk on fire: secret plan")

    required = TOOLS[tool].input["required"]
    with pytest.raises(HoldfastError) as caught:
        run_tool(TOOLS[tool], broken, SHOP, dict.fromkeys(required, "secret plan"))
    assert caught.value.code in ("internal_error", "argument_invalid")
    assert "secret plan" not in str(caught.value)


def test_s4_42_a_runner_hands_in_a_log(agent: Memory) -> None:
    answer = call(agent, "learn", log=as_lines(TRANSCRIPT), session_type="terminal")
    assert answer["bullets"][0] == "You said: Don't edit the generated files in src/gen"
    assert [lesson["outcome"] for lesson in answer["lessons"]] == ["pending", "pending"]
    assert agent.get(answer["lessons"][0]["memory"]).project == "shop"
    assert (
        call(agent, "learn", log=as_lines(EVENTS), failed=True, dry_run=True)["lessons"][0]["rule"]
        == "dead_end"
    )
    with pytest.raises(HoldfastError, match="there is no current project"):
        run_tool(TOOLS["learn"], lambda: agent, ClientContext(), {"log": as_lines(EVENTS)})
    with pytest.raises(HoldfastError) as caught:
        call(agent, "learn", log="no log")
    assert caught.value.code == "format_unknown"
