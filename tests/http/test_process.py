"""`holdfast serve` as a process: where it listens, how it ends, and what it does with callers who dawdle."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import httpx
import pytest

from holdfast import Memory
from holdfast.api.backing_up import list_backups
from holdfast.config import Settings
from tests.cli.support import error_of, run, run_json
from tests.support import PATIENCE

pytestmark = pytest.mark.process
HOLDFAST = [sys.executable, "-P", "-c", "from holdfast.cli.main import main; main()"]


@contextmanager
def served(
    store: Path | str, *options: str, log: int | IO[str] = subprocess.PIPE
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A running service and its address. One that logs more than a pipe holds needs a file for its `log`."""
    environment = {**os.environ, "HOLDFAST_USER": "ana"}
    process = subprocess.Popen(
        [*HOLDFAST, "serve", "--store", str(store), "--port", "0", "--json", *options],
        stdout=subprocess.PIPE, stderr=log, text=True, env=environment,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        lines = ""
        while "}" not in lines:
            line = process.stdout.readline()
            assert line, process.stderr.read() if process.stderr else ""
            lines += line
        yield process, json.loads(lines)["url"]
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=PATIENCE)


def ended(process: subprocess.Popen[str]) -> list[dict[str, Any]]:
    """The log lines of a service that was asked to end, each JSON."""
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    return [json.loads(line) for line in errors.splitlines()]


def test_s1_1_the_service_works_and_ends_when_asked(tmp_path: Path) -> None:
    """On 127.0.0.1, without a password; what was read is counted before it ends (S2.33)."""
    with served(tmp_path / "team.db") as (process, url):
        assert url.startswith("http://127.0.0.1:")
        assert httpx.get(f"{url}/health", timeout=PATIENCE).json() == {"status": "ok"}
        with Memory(url) as client:
            result = client.remember("We chose JWT over sessions", kind="decision")
            assert client.recall("why JWT?")[0].memory == result.memory
            assert client.path == url
        lines = ended(process)
        requests = [line["operation"] for line in lines if line["message"] in ("request", "slow")]
        assert requests == ["live", "remember", "recall"]
        assert "JWT" not in json.dumps(lines)
    with Memory(tmp_path / "team.db", user="ana") as memory:
        assert result.memory is not None
        assert memory.get(result.memory.id).use_count == 1
        assert memory.doctor().healthy


def test_asked_to_end_it_finishes_what_is_under_way(tmp_path: Path) -> None:
    """A request whose body is still arriving when the signal comes is read, done and answered."""
    with served(tmp_path / "team.db") as (process, url):
        body = json.dumps({"text": "The shop opens at nine"}).encode()
        with _connected(url) as late:
            late.sendall(_head(url, len(body)) + body[:10])
            httpx.get(f"{url}/health/live", timeout=PATIENCE)  # by now the server works on the first request
            process.send_signal(signal.SIGTERM)
            threading.Timer(0.3, lambda: late.sendall(body[10:])).start()
            assert _answer(late).startswith("HTTP/1.1 201")
        ended(process)
    with Memory(tmp_path / "team.db", user="ana") as memory:
        assert memory.count() == 1


def test_killed_it_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    kept: list[str] = []
    with served(tmp_path / "team.db") as (process, url):
        started = threading.Event()

        def write(writer: int) -> None:
            with httpx.Client(base_url=url, timeout=PATIENCE) as http:
                for n in range(10_000):
                    text = f"Writer {writer} was at gate {n}"
                    try:
                        answer = http.post("/v1/memories", json={"text": text, "kind": "passage"})
                    except httpx.TransportError:
                        return
                    assert answer.status_code == 201
                    kept.append(text)
                    if len(kept) > 60:
                        started.set()

        threads = [threading.Thread(target=write, args=(writer,)) for writer in range(4)]
        for thread in threads:
            thread.start()
        assert started.wait(PATIENCE)
        process.send_signal(signal.SIGKILL)
        for thread in threads:
            thread.join(PATIENCE)
    with Memory(tmp_path / "team.db", user="ana") as memory:
        found: set[str] = set()
        cursor: str | None = None
        while True:
            page = memory.list(limit=1_000, cursor=cursor)
            found |= {record.text for record in page.memories}
            cursor = page.cursor
            if cursor is None:
                break
        assert set(kept) <= found
        assert memory.doctor().healthy


@contextmanager
def _connected(url: str) -> Iterator[socket.socket]:
    found = re.fullmatch(r"http://(.+):(\d+)", url)
    assert found
    with socket.create_connection((found[1], int(found[2])), timeout=PATIENCE) as connection:
        yield connection


def _head(url: str, length: int) -> bytes:
    host = url.removeprefix("http://")
    return (
        f"POST /v1/memories HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {length}\r\nConnection: close\r\n\r\n"
    ).encode()


def _answer(connection: socket.socket) -> str:
    received = b""
    while part := connection.recv(65_536):
        received += part
    return received.decode("latin-1")


SHORT = """
from holdfast.http import serve
serve.HEAD_SECONDS = 2
from holdfast.cli.main import main
main()
"""


def test_a_head_that_drips_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a slow loris sends it: a byte now and then, to keep the connection busy for ever."""
    monkeypatch.setattr(f"{__name__}.HOLDFAST", [sys.executable, "-c", SHORT])
    with served(tmp_path / "team.db") as (_, url):
        for opening in (b"", b"GET /v1/kinds HTTP/1.1\r\nHost: localhost\r\n"):
            with _connected(url) as loris:
                loris.sendall(opening)
                loris.settimeout(0.05)
                dropped = False
                until = time.monotonic() + PATIENCE
                while not dropped and time.monotonic() < until:
                    try:
                        dropped = loris.recv(100) == b""
                    except TimeoutError:
                        try:
                            loris.sendall(b"X" if opening else b"")
                        except OSError:
                            dropped = True
                    except OSError:
                        dropped = True
                assert dropped
        assert httpx.get(f"{url}/health/live", timeout=PATIENCE).status_code == 200
        # and who keeps a connection open may ask again later
        with httpx.Client(base_url=url, timeout=PATIENCE) as http:
            assert [http.get("/health/live").status_code for _ in range(2)] == [200, 200]
            threading.Event().wait(3)
            assert http.get("/health/live").status_code == 200


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /v1/kinds HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET /v1/kinds HTTP/1.1\r\n\r\n",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"POST /v1/memories HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        b"POST /v1/memories HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    ],
    ids=["tls", "version", "hosts", "no-host", "long", "lengths", "negative"],
)
def test_what_is_no_proper_request_is_refused(sent: bytes, shared: str) -> None:
    with _connected(shared) as connection:
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        try:
            answer = _answer(connection)
        except ConnectionResetError:
            answer = ""
    assert answer == "" or re.match(r"HTTP/1\.1 4\d\d ", answer), answer[:100]
    assert httpx.get(f"{shared}/health/live", timeout=PATIENCE).status_code == 200


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One service for tests that only knock."""
    folder = tmp_path_factory.mktemp("shared")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        with served(folder / "team.db") as (_, url):
            yield url


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "memory.example"])
def test_an_open_address_is_refused_without_credentials(tmp_path: Path, host: str) -> None:
    arguments = ("serve", "--store", str(tmp_path / "team.db"), "--host", host)
    error = error_of(*arguments, status=2)
    assert error["code"] == "config_invalid"
    assert "--require-credential" in error["hint"]
    assert "no credential could exist" in error_of(*arguments, "--require-credential", status=2)["message"]


def test_half_a_provider_and_half_an_origin_are_refused(tmp_path: Path) -> None:
    arguments = ("serve", "--store", str(tmp_path / "team.db"))
    error = error_of(*arguments, "--jwt-issuer", "https://id.example", status=2)
    assert error["code"] == "argument_invalid"
    assert error_of(*arguments, "--allow-origin", "*", status=2)["code"] == "config_invalid"


def test_s1_73_a_second_service_on_the_same_port_says_so(shared: str, tmp_path: Path) -> None:
    port = shared.rpartition(":")[2]
    error = error_of("serve", "--store", str(tmp_path / "team.db"), "--port", port, status=2)
    assert error["code"] == "config_invalid"
    assert "another instance may be running" in error["hint"]
    assert error_of("serve", "--host", "no.such.host.invalid", "--require-credential", status=2)


def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdfast.cli.serve.NEEDED", ("no_such_package",))
    error = error_of("serve", "--store", str(tmp_path / "team.db"), status=1)
    assert error["code"] == "extra_missing"
    assert "holdfast[server]" in error["hint"]


def test_keys_are_made_listed_and_revoked_on_the_command_line(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "team.db"))
    output = run_json("keys", "create", "--for", "ben", "--project", "shop", "--read-only", *store)
    text = output.pop("key")
    assert (output["user"], output["role"], output["projects"], output["write"]) == (
        "ben",
        "member",
        ["shop"],
        False,
    )
    assert run_json("keys", "list", *store) == {"keys": [output]}
    assert text not in run("keys", *store).output
    assert run("keys", "create", *store).stdout.startswith("holdfast_")
    with served(tmp_path / "team.db", "--require-credential") as (_, url):
        mine = {"X-API-Key": text}
        assert httpx.get(f"{url}/v1/projects", timeout=PATIENCE).status_code == 401
        assert httpx.get(f"{url}/v1/projects", headers=mine, timeout=PATIENCE).json() == {"projects": []}
        assert run_json("keys", "revoke", output["id"], "--yes", *store)["revoked_at"]
        assert httpx.get(f"{url}/v1/projects", headers=mine, timeout=PATIENCE).status_code == 401
    assert error_of("keys", "revoke", "none", "--yes", *store, status=3)["code"] == "key_not_found"


def test_at_a_terminal_it_greets_and_logs_for_people(tmp_path: Path) -> None:
    """The address, the API, how to sign in and how to stop; no JSON unless it is asked for."""
    for options, as_json in (((), False), (("--log-format", "json"), True)):
        shown = _at_a_terminal(tmp_path / "team.db", *options)
        url = re.search(r"http://127\.0\.0\.1:\d+", shown)
        assert url
        for part in ("Ctrl-C", f"{url[0]}/openapi.json", f"{url[0]}/mcp", "sign in", "holdfast keys create"):
            assert part in shown
        assert (re.search('"message": "(request|slow)"', shown) is not None) is as_json
        assert (re.search("(request|slow) live 200", shown) is not None) is not as_json


def _at_a_terminal(store: Path, *options: str) -> str:
    """What a service shows at a terminal while it is asked one thing, and ends by Ctrl-C."""
    import pty
    import tty

    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    process = subprocess.Popen(
        [*HOLDFAST, "serve", "--store", str(store), "--port", "0", *options],
        stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ, "NO_COLOR": "1"},
    )  # fmt: skip
    os.close(theirs)
    shown = ""
    try:
        while "sign in" not in shown:
            shown += os.read(ours, 4096).decode()
        url = re.search(r"http://127\.0\.0\.1:\d+", shown)
        assert url
        assert httpx.get(f"{url[0]}/health/live", timeout=PATIENCE).status_code == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # the other end has closed
                return shown
            if not part:
                return shown
            shown += part.decode()
    finally:
        process.kill()
        process.wait(PATIENCE)
        os.close(ours)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_s4_56_a_service_makes_a_backup_when_it_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: str
) -> None:
    """One, whatever the number of its processes, that holds what was acknowledged."""
    monkeypatch.setenv("HOLDFAST_BACKUP_ON_EXIT", "on")
    store = tmp_path / "team.db"
    with served(store, "--workers", workers) as (process, url):
        with Memory(url) as client:
            client.remember("We chose JWT over sessions", kind="decision")
        ended(process)
    assert [(backup.memories, backup.problems) for backup in list_backups(Settings(str(store), "ana"))] == [
        (1, ())
    ]
