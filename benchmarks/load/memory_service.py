"""Fills or serves mcp-memory-service, in its own interpreter, with vectors that cost nothing.

As a module: `fill PROJECTS` keeps the lines of standard input, `serve PORT` serves; the environment
names the store.
"""

# mypy: disable-error-code="import-not-found,import-untyped"

from __future__ import annotations

import asyncio
import hashlib
import os
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import uvicorn
from mcp_memory_service.models.memory import Memory
from mcp_memory_service.storage.sqlite_vec import SqliteVecMemoryStorage
from mcp_memory_service.utils.hashing import generate_content_hash

DIM = 256
BATCH = 1_000


class _Bytes:
    """Stands where the service keeps its embedding model."""

    embedding_dimension = DIM

    def encode(self, texts: Sequence[str], **_: Any) -> Any:
        digests = [hashlib.shake_256(text.encode()).digest(DIM) for text in texts]
        rows = np.stack([np.frombuffer(digest, np.uint8) for digest in digests]).astype(np.float32) - 128
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


async def _initialize(self: Any) -> None:
    self.embedding_model = _Bytes()
    self.embedding_dimension = DIM


SqliteVecMemoryStorage._initialize_embedding_model = _initialize


async def _fill(texts: Sequence[str], projects: int) -> None:
    storage = SqliteVecMemoryStorage(os.environ["MCP_MEMORY_SQLITE_PATH"])
    await storage.initialize()
    share = len(texts) // projects
    for start in range(0, len(texts), min(BATCH, share)):
        memories = [
            Memory(content=text, content_hash=generate_content_hash(text), tags=[], memory_type="observation")
            for text in texts[start : start + min(BATCH, share)]
        ]
        await storage.store_batch(memories, store=f"p{start // share}")
    await storage.close()


def main() -> None:
    """Does what the arguments say."""
    what, number = sys.argv[1], int(sys.argv[2])
    if what == "fill":
        asyncio.run(_fill(sys.stdin.read().splitlines(), number))
        return
    from mcp_memory_service.web.app import app

    uvicorn.run(app, host="127.0.0.1", port=number, log_level="warning")


if __name__ == "__main__":
    main()
