"""docs/mcp.md lists what there is: tools with what they change, clients, addresses and prompts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from holdfast.mcp import resources
from holdfast.mcp.install import CLIENTS
from holdfast.mcp.profiles import PROFILES, profile_named
from holdfast.mcp.prompts import PROMPTS
from tests.cli.support import run

PAGE = (Path(__file__).parents[2] / "docs" / "mcp.md").read_text("utf-8")


def table(head: str) -> list[list[str]]:
    """All rows below the heads that begin so."""
    found = []
    for block in PAGE.split(f"| {head} |")[1:]:
        rows = block.split("\n\n")[0].splitlines()[2:]
        found += [[cell.strip().strip("`") for cell in row.strip("|").split("|")] for row in rows]
    return found


def test_the_tables_of_tools_are_what_the_profiles_hold() -> None:
    tools = [tool for name in PROFILES for tool in profile_named(name).tools]
    changes = {
        tool.name: "takes away" if tool.destroys else "nothing" if tool.reads else "adds" for tool in tools
    }
    assert table("tool") == [[tool.name, tool.title, changes[tool.name]] for tool in tools]


def test_the_other_tables_are_complete() -> None:
    assert [row[0] for row in table("address")] == [
        resources.PINNED,
        *(one.uri for one in resources.TEMPLATES),
    ]
    assert table("prompt") == [[one.name, one.description] for one in PROMPTS]
    installs = [[one.title, f"holdfast mcp install {one.name}"] for one in CLIENTS.values()]
    assert [row[:2] for row in table("client")] == installs


@pytest.mark.parametrize("client", CLIENTS)
def test_the_files_of_clients_are_where_the_page_says(client: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    told = dict(zip(CLIENTS, (row[2] for row in table("client")), strict=True))
    assert str(CLIENTS[client].user()) == told[client].replace("~", str(Path.home()))


@pytest.mark.parametrize("name", [*CLIENTS, *PROFILES])
def test_the_help_names_every_client_and_profile(name: str) -> None:
    assert name in re.findall(r"[\w-]+", run("mcp", "install", "--help").stdout)
