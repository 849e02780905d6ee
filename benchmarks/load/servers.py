"""The services under load: how each is filled, started and asked.

Peers get their vectors for nothing (`vector_of`): what is measured is the service, not a model. Holdfast
embeds on its own.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from benchmarks.load.wire import Request
from benchmarks.peers.catalogue import PEERS
from benchmarks.peers.environments import install, interpreter, sandbox
from benchmarks.speed import PROJECTS, fill, questions, sentences
from holdfast import Memory

DIM = 256
LIMIT = 10
START_SECONDS = 120.0
INSTALL_SECONDS = 1_200.0
BATCH = 1_000


def vector_of(text: str) -> list[float]:
    """A vector that depends on the text alone."""
    return [byte / 128 - 1 for byte in hashlib.shake_256(text.encode()).digest(DIM)]


class Server:
    """A service in a process of its own. Use it as a context manager: leaving it kills the process."""

    name = ""

    def __init__(self, home: Path, environments: Path) -> None:
        self.home = home / self.name
        self.home.mkdir(parents=True)
        self.environments = environments
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None

    def prepare(self, count: int) -> None:
        """Fills the store with `count` texts, spread evenly over projects, before the service starts."""

    def settle(self, count: int) -> None:
        """The same over the running service, for those that can be filled in no other way."""

    def command(self) -> list[str]:
        """What starts it."""
        raise NotImplementedError

    @property
    def ready(self) -> str:
        """The path that answers 200 when it is up."""
        raise NotImplementedError

    def recalls(self) -> Iterator[Request]:
        """Questions to one project after the other, without end."""
        raise NotImplementedError

    def writes(self, seed: int) -> Iterator[Request]:
        """Texts to keep, without end."""
        raise NotImplementedError

    def __enter__(self) -> Server:
        with open(self.home / "output.txt", "wb") as output:
            self._process = subprocess.Popen(
                self.command(), cwd=self.home, env=self.environment(), stdout=output, stderr=output
            )
        until = time.monotonic() + START_SECONDS
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{self.ready}", timeout=5):
                    return self
            except (OSError, urllib.error.URLError):
                if self._process.poll() is not None or time.monotonic() > until:
                    said = (self.home / "output.txt").read_text("utf-8", "replace")
                    raise SystemExit(f"{self.name} did not start:\n{said[-2_000:]}") from None
                time.sleep(0.1)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def environment(self) -> dict[str, str]:
        """The environment variables of the process."""
        return sandbox(self.home)

    def rss(self) -> float:
        """Resident memory in MiB, of the process and those it started."""
        assert self._process is not None
        pages = sum(_resident(pid) for pid in _family(self._process.pid))
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    def waits(self) -> str:
        """What requests waited for since the last time, in words, where that can be known."""
        return ""

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """One request outside the measurement."""
        asked = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            json.dumps(body).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(asked, timeout=120) as answer:
            return json.load(answer)


class Holdfast(Server):
    """`holdfast serve`, as it is."""

    name = "holdfast"
    ready = "/health/ready"

    def prepare(self, count: int) -> None:
        with Memory(self.home / "load.db", user="load") as memory:
            fill(memory, count, PROJECTS, 1)

    def command(self) -> list[str]:
        store = ["--store", str(self.home / "load.db"), "--user", "load"]
        command = str(Path(sys.executable).with_name("holdfast"))
        return [command, *store, "serve", "--port", str(self.port), "--no-mcp"]

    def recalls(self) -> Iterator[Request]:
        for project, query in _asked():
            yield Request("/v1/recall", {"query": query, "project": project, "limit": LIMIT})

    def writes(self, seed: int) -> Iterator[Request]:
        for project, text in _kept(seed):
            yield Request("/v1/memories", {"text": text, "kind": "message", "project": project})


class HoldfastOnPostgres(Holdfast):
    """The same service on a tenant of a real PostgreSQL server on this machine."""

    name = "holdfast-postgres"
    _store = ""

    def prepare(self, count: int) -> None:
        # imported here: the server is started with it, and the others need none
        from tests.postgres.server import as_superuser, fresh_url

        self._store = fresh_url()
        with Memory(self._store, user="load") as memory:
            fill(memory, min(count, BATCH), PROJECTS, 1)
            with as_superuser("holdfast") as connection:
                connection.execute("ANALYZE")  # as any server has done after its first minutes
            if count > BATCH:
                fill(memory, count - BATCH, PROJECTS, 2)

    def command(self) -> list[str]:
        store = ["--store", self._store, "--user", "load"]
        served = [*store, "serve", "--port", str(self.port), "--no-mcp"]
        return [sys.executable, "-m", "benchmarks.load.observed", *served]

    def environment(self) -> dict[str, str]:
        return super().environment() | {"HOLDFAST_POOL_FILE": str(self._pool_file)}

    def waits(self) -> str:
        assert self._process is not None
        self._pool_file.unlink(missing_ok=True)
        self._process.send_signal(signal.SIGUSR1)
        until = time.monotonic() + 10
        while not self._pool_file.exists():
            if time.monotonic() > until:
                return "the pool does not tell"
            time.sleep(0.02)
        pool = json.loads(self._pool_file.read_text("utf-8"))
        asked, queued = pool.get("requests_num", 0), pool.get("requests_queued", 0)
        waited = pool.get("requests_wait_ms", 0) / max(queued, 1)
        return (
            f"pool: {pool['pool_size']} connections, {queued:,} of {asked:,} waited for one,"
            f" {waited:.0f} ms each, {pool.get('requests_errors', 0)} in vain"
        )

    @property
    def _pool_file(self) -> Path:
        return self.home / "pool.json"


class Chroma(Server):
    """Chroma's server: vectors are made by the client, who sends them along; no search by words."""

    name = "chroma"
    ready = "/api/v2/heartbeat"
    _collection = ""

    def command(self) -> list[str]:
        python = install(PEERS["chroma"], self.environments, interpreter(), INSTALL_SECONDS)
        return [str(python.with_name("chroma")), "run", "--path", str(self.home), "--port", str(self.port)]

    def settle(self, count: int) -> None:
        base = "/api/v2/tenants/default_tenant/databases/default_database/collections"
        made = self.post(base, {"name": "load", "configuration": {"hnsw": {"space": "cosine"}}})
        self._collection = f"{base}/{made['id']}"
        texts = sentences(1)
        for start in range(0, count, BATCH):
            several = list(itertools.islice(texts, min(BATCH, count - start)))
            self.post(f"{self._collection}/add", self._added(several, f"p{start * PROJECTS // count}", start))

    def recalls(self) -> Iterator[Request]:
        for project, query in _asked():
            yield Request(
                f"{self._collection}/query",
                {
                    "query_embeddings": [vector_of(query)],
                    "n_results": LIMIT,
                    "where": {"project": project},
                    "include": ["documents"],
                },
            )

    def writes(self, seed: int) -> Iterator[Request]:
        for number, (project, text) in enumerate(_kept(seed)):
            yield Request(f"{self._collection}/add", self._added([text], project, f"{seed}-{number}"))

    @staticmethod
    def _added(texts: list[str], project: str, label: object) -> dict[str, Any]:
        return {
            "ids": [f"{label}-{i}" for i in range(len(texts))],
            "documents": texts,
            "embeddings": [vector_of(text) for text in texts],
            "metadatas": [{"project": project}] * len(texts),
        }


class MemoryService(Server):
    """mcp-memory-service's HTTP API; merging of similar texts is switched off, vectors cost nothing."""

    name = "mcp-memory-service"
    ready = "/api/health"

    def prepare(self, count: int) -> None:
        texts = "\n".join(itertools.islice(sentences(1), count)).encode()
        command = [*self._launcher(), "fill", str(PROJECTS)]
        subprocess.run(command, env=self.environment(), input=texts, check=True)

    def command(self) -> list[str]:
        return [*self._launcher(), "serve", str(self.port)]

    def environment(self) -> dict[str, str]:
        return super().environment() | {
            "MCP_ALLOW_ANONYMOUS_ACCESS": "true",
            "MCP_HTTP_ENABLED": "true",
            "MCP_MEMORY_STORAGE_BACKEND": "sqlite_vec",
            "MCP_MEMORY_SQLITE_PATH": str(self.home / "memory.db"),
        }

    def _launcher(self) -> list[str]:
        python = install(PEERS[self.name], self.environments, interpreter(), INSTALL_SECONDS)
        return [str(python), "-m", "benchmarks.load.memory_service"]

    def recalls(self) -> Iterator[Request]:
        for project, query in _asked():
            yield Request("/api/search", {"query": query, "n_results": LIMIT, "store": project})

    def writes(self, seed: int) -> Iterator[Request]:
        for project, text in _kept(seed):
            yield Request("/api/memories", {"content": text, "memory_type": "observation", "store": project})


SERVERS = {one.name: one for one in (Holdfast, HoldfastOnPostgres, Chroma, MemoryService)}


def _asked() -> Iterator[tuple[str, str]]:
    for number, query in enumerate(questions(5)):
        yield f"p{number % PROJECTS}", query


def _kept(seed: int) -> Iterator[tuple[str, str]]:
    for number, text in enumerate(sentences(seed)):
        yield f"p{number % PROJECTS}", text


def _family(pid: int) -> Iterator[int]:
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            yield from _family(int(child))


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except FileNotFoundError:
        return 0
