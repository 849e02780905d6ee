"""The tool `about`: what is known about the user, for a client bound to a project or not."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from pathlib import Path

from mcp import Client

from holdfast import Memory
from tests.mcp.support import call_tool, inside, using


def test_a_client_is_told_what_belongs_to_its_place(tmp_path: Path) -> None:
    """Of a client's project what was said there; all of it only where the client has what is personal."""
    with Memory(tmp_path / "team.db", user="ana") as memory:
        for project, text in ((None, "I'm allergic to nuts."), ("shop", "I work at Nordwind.")):
            memory.add_messages([{"role": "user", "content": text}], session=f"s-{project}", project=project)

    def expect(*texts: str) -> Callable[[Client], Awaitable[None]]:
        async def talk(client: Client) -> None:
            beliefs = (await call_tool(client, "about"))["beliefs"]
            assert [belief["text"] for belief in beliefs] == list(texts)
            assert all(belief["said_by"] == "person" and belief["id"] for belief in beliefs)

        return talk

    path = tmp_path / "team.db"
    using(inside(path, "--project", "shop"), expect("Works at Nordwind"))
    using(inside(path), expect("Works at Nordwind", "Is allergic to nuts"))


def test_a_bound_client_is_not_told_either_what_held_before_elsewhere(tmp_path: Path) -> None:
    """Not as what was replaced or contradicts, nor as the longer words for the same; and what belongs to its
    place is not hidden behind what was said later elsewhere."""
    path = tmp_path / "team.db"
    with Memory(path, user="ana") as memory:
        memory.remember("I live in Berlin", kind="profile", at="2025-01-01")
        memory.remember("I have diabetes", kind="profile", at="2025-01-01")
        said = (
            "I moved to Porto.",
            "I do not have diabetes.",
            "I work at Nordwind.",
            "I'm allergic to nuts.",
        )
        turns = [{"role": "user", "content": text, "at": "2025-02-01"} for text in said]
        memory.add_messages(turns, session="s", project="shop")
        memory.remember("I work at Südwind", kind="profile", at="2025-03-01")
        memory.remember("I'm allergic to nuts from Brazil", kind="profile", at="2025-03-01")
        memory.remember("Always answer in English", kind="preference")

    async def talk(client: Client) -> None:
        beliefs = (await call_tool(client, "about"))["beliefs"]
        assert not re.search("Berlin|Has diabetes|Südwind|Brazil", str(beliefs))
        assert {"Lives in Porto", "Works at Nordwind", "Always answer in English"} <= {
            belief["text"] for belief in beliefs
        }

    using(inside(path, "--project", "shop"), talk)
