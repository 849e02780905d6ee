"""The tool `about`: what is known about the user, for a client bound to a project or not."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from mcp import Client

from holdfast import Memory
from tests.mcp.support import stdio, told, using


def test_a_client_is_told_what_belongs_to_its_place(tmp_path: Path) -> None:
    """Of a client's project what was said there; all of it only where the client has what is personal."""
    with Memory(tmp_path / "team.db", user="ana") as memory:
        for project, text in ((None, "I'm allergic to nuts."), ("shop", "I work at Nordwind.")):
            memory.add_messages([{"role": "user", "content": text}], session=f"s-{project}", project=project)

    def expect(*texts: str) -> Callable[[Client], Awaitable[None]]:
        async def talk(client: Client) -> None:
            beliefs = (await told(client, "about"))["beliefs"]
            assert [one["text"] for one in beliefs] == list(texts)
            assert all(one["said_by"] == "person" and one["id"] for one in beliefs)

        return talk

    path = tmp_path / "team.db"
    using(stdio(path, "--project", "shop"), expect("Works at Nordwind"))
    using(stdio(path), expect("Works at Nordwind", "Is allergic to nuts"))
