"""The peers: what to install, which driver runs it, and what a reader of the table should know about it."""

from __future__ import annotations

from dataclasses import dataclass

YARDSTICK = "by-hand"
HERE = "."
"""Stands in `requirements` for this repository; extras may follow it."""


@dataclass(frozen=True, slots=True)
class Peer:
    """One column of the table. `driver` is module:class below `benchmarks.peers.drivers`; `distribution` is
    the package whose version is shown; peers with the same requirements share an environment."""

    name: str
    driver: str
    requirements: tuple[str, ...]
    distribution: str
    searches: str
    note: str


_MEM0 = ("mem0ai",)
_SERVICE = ("mcp-memory-service",)

_ALL = (
    Peer(
        "holdfast", "holdfast:Messages", (HERE,), "holdfast", "words, vectors, session",
        "`add_messages`; embeds on its own, so that its times and memory hold the model's, too",
    ),
    Peer(
        "holdfast-notes", "holdfast:Notes", (HERE,), "holdfast", "words, vectors",
        "`remember`: compared with what is known, besides; given LoCoMo as flat text, like the peers",
    ),
    Peer(
        YARDSTICK, "by_hand:ByHand", ("sqlite-vec",), "sqlite-vec", "words, vectors",
        "sqlite-vec and FTS5 in a script, no embedder; the yardstick of the ratios",
    ),
    Peer(
        "langgraph", "langgraph_store:LangGraph", ("langgraph-checkpoint-sqlite",),
        "langgraph-checkpoint-sqlite", "vectors", "SqliteStore",
    ),
    Peer("chroma", "chroma:Chroma", ("chromadb",), "chromadb", "vectors", "PersistentClient, one collection"),
    Peer(
        "lancedb", "lance:Lance", ("lancedb",), "lancedb", "vectors",
        "exact scan behind an index by project; `optimize` after the load",
    ),
    Peer(
        "mem0", "mem0_local:Qdrant", _MEM0, "mem0ai", "vectors",
        "`infer=False`, its default store (qdrant, local); telemetry switched off",
    ),
    Peer(
        "mem0-faiss", "mem0_local:Faiss", (*_MEM0, "faiss-cpu"), "mem0ai", "vectors",
        "`infer=False` over faiss; telemetry switched off",
    ),
    Peer(
        "mcp-memory-service", "mcp_memory_service_:Semantic", _SERVICE, "mcp-memory-service", "vectors",
        "its default search; merging of similar texts switched off",
    ),
    Peer(
        "mcp-memory-hybrid", "mcp_memory_service_:Hybrid", _SERVICE, "mcp-memory-service", "words, vectors",
        "the same with its hybrid search",
    ),
    Peer(
        # With the newest torch, txtai fetches five gigabytes of CUDA; of this one there is a build without.
        "txtai", "txtai_hybrid:Txtai", ("txtai", "torch==2.13.0"), "txtai", "words, vectors",
        "saved after each add, which rewrites the index; embedder's packages included",
    ),
)  # fmt: skip

PEERS = {peer.name: peer for peer in _ALL}

_TEAM = (f"{HERE}[postgres,server]",)

TEAM = (
    Peer(
        "holdfast, SQLite", "holdfast:Messages", _TEAM, "holdfast", "words, vectors, session",
        "the library on a file; the yardstick",
    ),
    Peer(
        "holdfast, PostgreSQL", "holdfast:Postgres", _TEAM, "holdfast", "words, vectors, session",
        "the library on the server",
    ),
    Peer(
        "holdfast serve", "holdfast:Service", _TEAM, "holdfast", "words, vectors, session",
        "its HTTP service on the same tenant, asked by its own client",
    ),
    Peer(
        "Chroma's server", "chroma:Server", ("chromadb",), "chromadb", "vectors",
        "`chroma run`, asked by its own client; vectors are given",
    ),
    Peer(
        "mem0, pgvector", "mem0_local:Pgvector", ("mem0ai", "psycopg[binary,pool]"), "mem0ai", "vectors",
        "`infer=False`, a database of the same server, with the HNSW index that it makes; vectors are given",
    ),
)  # fmt: skip
"""What `benchmarks.peers.team` compares: what a team would run."""
