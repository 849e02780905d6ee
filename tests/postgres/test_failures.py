"""What can befall a server: killed, full, turned into a standby, gone. Nothing acknowledged is lost, callers
are told to try again, and no other store takes its place (S4.50, GATES)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

from holdfast import Memory
from holdfast.core.errors import StoreError
from tests.cli.support import HOLDFAST, error_of, run_json
from tests.http.support import site
from tests.mcp.support import call_tool, refused, using
from tests.postgres.failing import RETRYABLE, kill_rounds
from tests.postgres.server import APPLICATION, Server
from tests.support import awaited, texts


def test_gates_a_server_killed_again_and_again_loses_nothing_and_its_writers_go_on(own: Server) -> None:
    ledger = kill_rounds(own, rounds=4, writers=3, seed=1, reach=0.3)
    assert ledger.problems == []
    assert set(ledger.errors) <= RETRYABLE
    assert sum(ledger.errors.values()) >= 2
    assert len(ledger.acknowledged) >= 12


def test_gates_a_full_disk_is_told_and_everything_acknowledged_is_there(own: Server) -> None:
    """The server says what it says then, at the last statement of a write; `benchmarks.soak postgres --small`
    fills a real one."""
    address = own.url(APPLICATION, tenant="full")
    with own.as_superuser("holdfast") as connection, Memory(address, user="ana") as memory:
        memory.remember("Before", kind="message")
        connection.execute(FULL)
        try:
            for _ in range(2):
                with pytest.raises(StoreError) as raised:
                    memory.remember("My favourite colour is red", kind="message", role="user")
                assert raised.value.code == "store_full"
                assert "acknowledged is safe" in str(raised.value.hint)
            assert memory.remember("What needs no room is kept", kind="message").outcome == "created"
        finally:
            connection.execute("DROP FUNCTION holdfast.full() CASCADE")
        assert memory.remember("My favourite colour is red", kind="message", role="user").outcome == "created"
        assert texts(memory.list())[::-1] == [
            "Before", "What needs no room is kept", "My favourite colour is red",
        ]  # fmt: skip
        assert memory.audit.verify() == 3
        assert memory.doctor().problems == ()


FULL = """
CREATE FUNCTION holdfast.full() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE 'No space left on device' USING ERRCODE = 'disk_full'; END $$;
CREATE TRIGGER no_room BEFORE INSERT ON holdfast.facts EXECUTE FUNCTION holdfast.full();
"""


@pytest.mark.direct("an address with several servers is the pooler's to have")
def test_gates_a_standby_can_be_read_and_takes_over(own: Server) -> None:
    """An address with both servers: reading goes on when the first one is gone, writing when the other one
    was promoted, by the memory that was open all the time."""
    standby = own.standby(own.folder.with_name("standby"))
    try:
        both = own.url(APPLICATION, tenant="followed").replace(
            "host=", f"host={str(standby.folder).replace('/', '%2F')}%2C"
        )
        with Memory(own.url(APPLICATION, tenant="followed"), user="ana") as first:
            first.remember("Before", kind="message")
        _until_there(standby)
        with Memory(both, user="ana") as memory:
            own.halt()
            assert texts(memory.recall("before")) == ["Before"]
            with pytest.raises(StoreError) as raised:
                memory.remember("Now?", kind="message")
            assert raised.value.code == "store_read_only"
            standby.promote()
            assert memory.remember("Now", kind="message").outcome == "created"
            assert texts(memory.list()) == ["Now", "Before"]
            assert memory.audit.verify() >= 2
    finally:
        own.resume()
        standby.halt()
        standby.stop()
        shutil.rmtree(standby.folder, ignore_errors=True)


def _until_there(standby: Server) -> None:
    text = "SELECT count(*) FROM holdfast.events WHERE tenant_id = 'followed'"
    with standby.as_superuser("holdfast") as connection:
        awaited(lambda: connection.execute(text).fetchone() == (1,))


def test_s4_50_a_team_store_that_is_away_is_told_on_every_face_and_no_other_is_used(
    own: Server, tmp_path: Path
) -> None:
    """The command line, HTTP and Python; and they work again, without a new start, when it is back."""
    address = own.url(APPLICATION, tenant="away")
    run_json("remember", "My own diary", "--user", "ana")
    with Memory(address, user="ana") as team:
        team.remember("We chose JWT")
        run_json("login", address)
        with site(tmp_path, store=address) as here:
            own.halt()
            for _ in range(2):
                answer = here.call("POST", "/v1/recall", {"query": "JWT"})
                assert (answer.status_code, answer.json()["code"]) == (503, "store_unavailable")
                assert int(answer.headers["retry-after"]) > 0
                assert "memory unavailable" in answer.json()["detail"]
            assert here.call("GET", "/health/ready").status_code == 503
            assert here.call("GET", "/health/live").status_code == 200
            for command in (("recall", "diary"), ("remember", "Where does this go?"), ("list",)):
                error = error_of(*command, "--user", "ana", status=5)
                assert (error["code"], "memory unavailable" in error["message"]) == (
                    "store_unavailable",
                    True,
                )
                assert "no other store" in error["hint"]
            with pytest.raises(StoreError) as raised:
                team.recall("JWT")
            assert raised.value.code == "store_unavailable"
            own.resume()
            assert here.call("POST", "/v1/recall", {"query": "JWT"}).status_code == 200
            assert texts(team.recall("JWT")) == ["We chose JWT"]
    output = run_json("list", "--user", "ana")
    assert [memory["text"] for memory in output["memories"]] == ["We chose JWT"]
    run_json("logout")
    output = run_json("list", "--user", "ana")
    assert [memory["text"] for memory in output["memories"]] == ["My own diary"]


def test_s4_49_an_agent_works_where_its_user_is_logged_in_and_is_told_when_that_is_away(own: Server) -> None:
    """The server of MCP that a client started goes over to the team's store and back without a new start."""
    address = own.url(APPLICATION, tenant="team")
    home = {name: os.environ[name] for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    command = StdioServerParameters(command=HOLDFAST, args=["mcp", "--user", "ana"], env=home)
    with Memory(address, user="ana") as memory:
        memory.remember("The team's")

    async def talk(client: Client) -> None:
        async def found() -> list[str]:
            return [record["text"] for record in (await call_tool(client, "list_memories"))["memories"]]

        await call_tool(client, "remember", text="My own")
        assert await found() == ["My own"]
        run_json("login", address)
        assert await found() == ["The team's"]
        own.halt()
        assert await refused(client, "list_memories") == "store_unavailable"
        assert await refused(client, "remember", text="Where does this go?") == "store_unavailable"
        own.resume()
        assert await found() == ["The team's"]
        run_json("logout")
        assert await found() == ["My own"]

    using(command, talk)


def test_s4_49_whom_one_logs_in_to_is_checked_and_shown_without_a_password(own: Server) -> None:
    address = own.url(APPLICATION, tenant="checked")
    assert error_of("login", address, status=5)["code"] == "store_unavailable"  # there is no such tenant
    assert error_of("login", "team.db", status=2)["code"] == "argument_invalid"
    secret = "postgresql://app:geheim@127.0.0.1:1/holdfast?tenant=team"
    for given in (secret, secret.replace(":geheim", "") + "&password=geheim"):
        assert "geheim" not in str(error_of("login", given, status=2))
    assert run_json("login")["logged_in"] is False
    shown = run_json("login", "--store", secret + "&password=geheim")["store"]
    assert shown == "postgresql://app@127.0.0.1:1/holdfast?tenant=team"
    Memory(address, user="ana").close()
    assert run_json("login", address) == {"store": address, "logged_in": True}
    assert run_json("logout")["logged_in"] is False
