"""An embedder that asks a model over HTTP, and a cache of what it answered.

Each call needs the acceptance of what the model discloses, keeps to its budget and is in the ledger, as
that of a model that writes.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from holdfast.core.embedding_models import BATCH
from holdfast.core.errors import InvalidInput
from holdfast.core.times import DAY
from holdfast.features.models.calls import model_for
from holdfast.features.models.registry import model_named
from holdfast.features.service import Service

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CACHED_MAX = 4_096
CACHED_FOR = 7 * DAY
"""Milliseconds that a vector stays in the cache (S4.47)."""


class VectorCache:
    """Vectors by keyed digests of their texts, in the memory of one process. Erasing empties it."""

    def __init__(self) -> None:
        self._key = os.urandom(32)
        self._rows: OrderedDict[bytes, tuple[int, NDArray[np.float32]]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, text: str, now: int) -> NDArray[np.float32] | None:
        """Returns the vector of a text, if it is there and not too old."""
        with self._lock:
            at, row = self._rows.get(self._digest(text), (0, None))
            return row if row is not None and now - at < CACHED_FOR else None

    def put(self, text: str, row: NDArray[np.float32], now: int) -> None:
        """Adds the vector of a text; the oldest goes if there are too many."""
        with self._lock:
            self._rows[self._digest(text)] = now, row
            while len(self._rows) > CACHED_MAX:
                self._rows.popitem(last=False)

    def clear(self) -> None:
        """Drops all vectors."""
        with self._lock:
            self._rows.clear()

    def _digest(self, text: str) -> bytes:
        data = text.encode("utf-8", "surrogatepass")
        return hashlib.blake2b(data, key=self._key, digest_size=16).digest()


class RemoteEmbedder:
    """An embedder that asks a model over HTTP, by the name that it was added under."""

    local = False

    def __init__(self, service: Service, name: str) -> None:
        with service.store.read() as snap:
            model = model_named(snap, service, name)
        if model.dimensions is None:
            raise InvalidInput(
                f"{name} is not an embedding model", code="config_invalid",
                hint="remove it, and add it again with --dimensions",
            )  # fmt: skip
        self.model = f"{model.host}:{model.model}"
        self.dim = model.dimensions
        self.cache = VectorCache()
        self._service = service
        self._name = name

    def embed(
        self, texts: Sequence[str], *, query: bool = False, emphasis: Mapping[str, float] | None = None
    ) -> NDArray[np.float32]:
        """Returns unit vectors ``(len(texts), dim)``. Secrets are taken out of a query before it is sent.
        Raises HoldfastError."""
        import numpy as np

        from holdfast.embeddings.unit import unit

        if query:
            texts = [self._service.admission.clean_text(text) or " " for text in texts]
        now = self._service.clock()
        rows = {text: self.cache.get(text, now) for text in texts}
        missing = [text for text, row in rows.items() if row is None]
        session = model_for(self._service, self._name, "embed") if missing else None
        for start in range(0, len(missing), BATCH):
            batch = missing[start : start + BATCH]
            assert session is not None
            for text, row in zip(batch, unit(np.array(session.embed(batch))), strict=True):
                self.cache.put(text, row, now)
                rows[text] = row
        return np.array([rows[text] for text in texts], np.float32).reshape(len(texts), self.dim)
