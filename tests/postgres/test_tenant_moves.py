"""Tenants over two servers: routed by a directory, moved while they are written, interrupted and resumed."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from psycopg import sql

from holdfast import Memory, config
from holdfast.api.backing_up import back_up
from holdfast.api.restoring import restore
from holdfast.api.tenant_moves import confirm_move, move_tenant, preview_move
from holdfast.core.errors import Damaged, HoldfastError, InvalidInput, StoreError
from holdfast.core.places import Role
from holdfast.stores.base.tenant_directory import changing
from holdfast.stores.postgres import tenant_moves
from tests.cli.support import error_of, run_json
from tests.http.support import site
from tests.postgres.server import APPLICATION, OWNER, Server
from tests.support import PATIENCE, texts

pytestmark = pytest.mark.direct("each server is reached by an address of its own")
STEPS = ("copy", "catch up", "hold", "finish", "switch", "settle", "directory")


@pytest.fixture(scope="module")
def other(own: Server) -> Iterator[Server]:
    """A second server, which nobody follows."""
    copy = own.standby(own.folder.with_name("other"))
    copy.promote()
    yield copy
    copy.halt()
    copy.stop()
    shutil.rmtree(copy.folder, ignore_errors=True)


@pytest.fixture
def file(own: Server, other: Server, tmp_path: Path) -> Path:
    """A directory of both servers."""
    path = tmp_path / "tenants.json"
    for name, server in (("a", own), ("b", other)):
        run_json("tenants", "server", str(path), name, server.url(APPLICATION))
    return path


def test_a_tenant_is_moved_while_it_is_written_whatever_is_killed(
    own: Server, other: Server, file: Path
) -> None:
    """The move is killed before each of its steps, and its writer goes on all the time."""
    run_json("tenants", "add", str(file), "busy", "a")
    settings = config.load(store=f"tenants://{file}?tenant=busy", user="ana")
    written: list[str] = []
    problems: list[HoldfastError] = []
    end = threading.Event()

    def write() -> None:
        with Memory(settings.store, user="ana") as memory:
            while not end.is_set():
                text = f"Note {len(written)} of the harbour"
                try:
                    memory.remember(text, kind="message")
                except HoldfastError as error:
                    problems.append(error)
                    return
                written.append(text)
                assert texts(memory.list(limit=1)) == [text]

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for step in STEPS:
            _await_more(written)
            _killed_before(step, settings, file, "b")
            copied = preview_move(settings, file, "busy", "b", owner=OWNER).copied
            assert copied == {"copy": "nothing", "settle": "all", "directory": "all"}.get(step, "part")
        _await_more(written)
        before = len(written)
        done = move_tenant(settings, file, "busy", "b", owner=OWNER)
        _await_more(written)
    finally:
        end.set()
        writer.join()
    assert problems == []
    assert done.events >= before
    with Memory(settings.store, user="ana") as memory:
        assert texts(memory.list(limit=1_000))[::-1] == written
        assert memory.audit.verify() >= len(written)
        assert memory.doctor().problems == ()
    with pytest.raises(StoreError) as raised:
        Memory(own.url(APPLICATION, tenant="busy"), user="ana")
    assert raised.value.code == "store_moved"
    with pytest.raises(StoreError) as raised:
        back_up(config.load(store=own.url(OWNER, tenant="busy"), user="ana"), to=file.parent / "backups")
    assert raised.value.code == "store_moved"
    with Memory(other.url(APPLICATION, tenant="busy"), user="ana") as memory:
        assert memory.audit.verify() >= len(written)
    confirmed: list[str] = []
    confirming = threading.Thread(
        target=lambda: confirmed.append(confirm_move(settings, file, "busy", owner=OWNER))
    )
    with changing(file):  # as another move does to its end, which could bring it back there
        confirming.start()
        confirming.join(0.5)
        assert _rows_of(own, "busy")["memories"]
    confirming.join()
    assert confirmed == ["a"]
    _killed_before("drop", settings, file, "a")  # of the mark that is left
    for table in ("tenants", "memories", "events", "keys", "secrets", "seals"):
        with own.as_superuser("holdfast") as connection:
            query = sql.SQL("SELECT count(*) FROM holdfast.{} WHERE tenant_id = 'busy'")
            left = connection.execute(query.format(sql.Identifier(table))).fetchone()
        assert left == (1 if table == "tenants" else 0,), table  # the mark says where it went


def test_what_is_changed_and_erased_meanwhile_is_so_at_the_new_server(
    own: Server, other: Server, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before each step texts are erased, redacted, revised, moved and taken back; the copy has every row of
    the tenant, and no text that is gone. A transaction that somebody left open makes no round longer."""
    monkeypatch.setattr(tenant_moves, "FEW", 60)
    run_json("tenants", "add", str(file), "changed", "a")
    settings = config.load(store=f"tenants://{file}?tenant=changed", user="ana")
    steps: list[str] = []
    with Memory(settings.store, user="ana") as memory:

        def prepare(step: str) -> None:
            for part in ("erased", "redacted", "moved", "forgotten"):
                result = memory.remember(
                    f"The {part} thing of {step} is a canary", external_id=f"{part}-{step}",
                    project=f"old {step}", title=f"On {part} {step}",
                )  # fmt: skip
                assert result.memory is not None
                made[part, step] = result.memory.id
            talk = [{"role": "user", "content": f"A canary was said before {step}"}]
            memory.add_messages(talk, session=f"talk {step}")

        def change(step: str) -> None:
            if step not in changing:
                return
            steps.append(step)
            memory.forget(made["erased", step], hard=True)
            memory.remember(
                f"The erased place of {step}", external_id=f"erased-{step}", project=f"old {step}"
            )
            memory.revise(made["redacted", step], text=f"Revised before {step}", title="Another")
            memory.redact(made["redacted", step], 1)
            memory.review.move([made["moved", step]], project=f"new {step}")
            memory.forget(made["forgotten", step])
            memory.sessions.delete(f"talk {step}")
            memory.projects.update(f"new {step}", description=f"Said before {step}")

        made: dict[tuple[str, str], str] = {}
        changing = ("copy", "catch up", "hold")
        for step in changing:
            prepare(step)
        with own.as_superuser("holdfast") as left_open:
            left_open.execute("BEGIN")
            left_open.execute("SELECT pg_current_xact_id()")
            move_tenant(settings, file, "changed", "b", owner=OWNER, before=change)
        assert steps == ["copy", "catch up", "hold"]
        assert memory.audit.verify()
        assert memory.doctor().problems == ()
    rows = [_rows_of(server, "changed") for server in (own, other)]
    assert rows[0] == rows[1]
    there = str(rows[1])
    for step in changing:
        for gone in (
            f"The erased thing of {step}",
            f"The redacted thing of {step}",
            f"was said before {step}",
        ):
            assert gone not in there
        assert f"Revised before {step}" in there


def test_rows_that_somebody_else_changed_are_not_moved(own: Server, file: Path) -> None:
    """Seals tell them: the tenant stays where it is, and the next try copies it anew."""
    run_json("tenants", "add", str(file), "foreign", "a")
    settings = config.load(store=f"tenants://{file}?tenant=foreign", user="ana")
    with Memory(settings.store, user="ana") as memory:
        memory.remember("The vault is blue")
        with own.as_superuser("holdfast") as connection:
            connection.execute("UPDATE holdfast.memories SET use_count = 7 WHERE tenant_id = 'foreign'")
        with pytest.raises(Damaged):
            move_tenant(settings, file, "foreign", "b", owner=OWNER)
        memory.accept_loss()
        memory.remember("Said meanwhile")
        assert preview_move(settings, file, "foreign", "b", owner=OWNER).copied == "unusable"
        move_tenant(settings, file, "foreign", "b", owner=OWNER)
        assert set(texts(memory.list())) == {"The vault is blue", "Said meanwhile"}


def test_a_tenant_of_a_directory_is_restored_from_its_backup(file: Path, tmp_path: Path) -> None:
    run_json("tenants", "add", str(file), "restored", "a")
    settings = config.load(store=f"tenants://{file}?tenant=restored", user="ana")
    with Memory(settings.store, user="ana") as memory:
        memory.remember("The vault is blue")
    made, _ = back_up(settings, to=tmp_path / "backups")
    assert restore(settings, made, into=tmp_path / "restored.db").memories == 1
    with Memory(tmp_path / "restored.db", user="ana") as memory:
        assert texts(memory.list()) == ["The vault is blue"]


def test_a_service_goes_on_at_the_new_server_with_its_keys_and_certificates(
    own: Server, file: Path, tmp_path: Path
) -> None:
    run_json("tenants", "add", str(file), "served", "a")
    store = f"tenants://{file}?tenant=served"
    outdated = shutil.copy(file, tmp_path / "outdated.json")
    with site(tmp_path, store=store) as here:
        key = here.key("ana", role=Role.OWNER)

        def recall(query: str) -> list[str]:
            response = here.call("POST", "/v1/recall", {"query": query}, key=key)
            assert response.status_code == 200
            return [hit["memory"]["text"] for hit in response.json()["hits"]]

        for text in ("The vault is blue", "To be erased"):
            headers = {"Idempotency-Key": text}
            made = here.call("POST", "/v1/memories", {"text": text}, key=key, headers=headers).json()[
                "memory"
            ]["id"]
        assert here.call("DELETE", f"/v1/memories/{made}?hard=true", key=key).status_code == 204
        client = here.client(key)
        erased = next(one.sequence for one in client.audit.list(newest_first=True) if one.action == "erase")
        certificate = client.audit.certificate(erased).as_dict()
        assert recall("vault") == ["The vault is blue"]
        shown = run_json("tenants", "move", str(file), "served", "b", "--owner", OWNER, "--dry-run")
        assert (shown["copied"], shown["memories"]) == ("nothing", 1)
        moved = run_json("tenants", "move", str(file), "served", "b", "--owner", OWNER, "--yes")
        assert moved["events"] >= 2
        assert recall("vault") == ["The vault is blue"]
        assert here.call("POST", "/v1/memories", {"text": "Said at b"}, key=key).status_code in (200, 201)
        assert client.audit.check(certificate).holds
    assert run_json("tenants", "list", str(file))["tenants"] == {"served": "b"}
    refused = error_of("tenants", "move", str(file), "served", "a", "--owner", OWNER, "--yes", status=2)
    assert "tenants confirm" in refused["hint"]
    run_json("tenants", "confirm", str(file), "served", "--owner", OWNER, "--yes")
    with Memory(f"tenants://{outdated}?tenant=served", user="ana") as memory:
        assert set(texts(memory.list())) == {"Said at b", "The vault is blue"}
    run_json("tenants", "move", str(file), "served", "a", "--owner", OWNER, "--yes")
    with Memory(store, user="ana") as memory:
        assert set(texts(memory.list())) == {"Said at b", "The vault is blue"}


def test_a_directory_is_checked(file: Path) -> None:
    for command in (
        ("server", str(file), "c", "postgresql://app:secret@db/holdfast"),
        ("server", str(file), "c", "postgresql://app@db/holdfast?tenant=x"),
        ("server", str(file), "c", "team.db"),
        ("server", "/nowhere/tenants.json", "c", "postgresql://app@db/holdfast"),
        ("add", str(file), "eve", "nowhere"),
        ("move", str(file), "nobody", "b"),
    ):
        assert error_of("tenants", *command, status=2 if command[0] == "server" else 3)
    for store in (f"tenants://{file}", "tenants:///nowhere.json?tenant=x", f"tenants://host{file}?tenant=x"):
        with pytest.raises(InvalidInput):
            Memory(store, user="ana")


def _killed_before(step: str, settings: config.Settings, file: Path, server: str) -> None:
    """Moves the tenant in another process, which is killed before a step."""
    child = os.fork()
    if child == 0:
        try:
            move_tenant(
                settings, file, "busy", server, owner=OWNER,
                before=lambda name: os.kill(os.getpid(), signal.SIGKILL) if name == step else None,
            )  # fmt: skip
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), f"it was not killed before {step}"


def _rows_of(server: Server, tenant: str) -> dict[str, list[str]]:
    """Returns the rows of each table of a tenant as text."""
    tables = "SELECT relname FROM pg_class WHERE relnamespace = 'holdfast'::regnamespace AND relkind = 'r'"
    query = sql.SQL("SELECT t::text FROM holdfast.{} t WHERE tenant_id = %s ORDER BY 1")
    with server.as_superuser("holdfast") as connection:
        names = [str(name) for (name,) in connection.execute(tables)]
        return {
            name: [str(row) for (row,) in connection.execute(query.format(sql.Identifier(name)), (tenant,))]
            for name in names
            if name not in ("schema_versions", "tenants")
        }


def _await_more(written: list[str]) -> None:
    before, until = len(written), time.monotonic() + PATIENCE
    while len(written) < before + 5:
        assert time.monotonic() < until
        time.sleep(0.01)
