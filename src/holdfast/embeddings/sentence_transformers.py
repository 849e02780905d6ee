"""An embedder over a model of the package sentence-transformers, by its name or in a local folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.core.errors import HoldfastError
from holdfast.core.extras import how_to_install


class SentenceTransformersEmbedder:
    """An embedder that runs a model on this machine. A name is downloaded once by the package itself."""

    local = False

    def __init__(self, name: str) -> None:
        try:
            from sentence_transformers import SentenceTransformer
        except ModuleNotFoundError as error:
            raise HoldfastError(
                "this embedder needs sentence-transformers", code="extra_missing",
                hint=how_to_install("sentence-transformers"),
            ) from error  # fmt: skip
        self._model: Any = SentenceTransformer(name)
        self.model = f"sentence-transformers:{name}"
        self.dim = int(self._model.get_sentence_embedding_dimension() or 0)

    def embed(
        self, texts: Sequence[str], *, query: bool = False, emphasis: Mapping[str, float] | None = None
    ) -> NDArray[np.float32]:
        """Returns unit vectors ``(len(texts), dim)``."""
        if not texts:
            return np.zeros((0, self.dim), np.float32)
        rows = self._model.encode(list(texts), normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(rows, np.float32)
