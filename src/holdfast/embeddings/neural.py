"""The built-in embedder and a neural one in one vector, whose cosine is the weighted mean of both."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from holdfast.core.errors import HoldfastError
from holdfast.core.extras import how_to_install
from holdfast.embeddings.static import StaticEmbedder
from holdfast.embeddings.unit import unit
from holdfast.language.english import is_english

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.embeddings.onnx import OnnxEmbedder

SHARE = 2 / 3
"""Share of the neural cosine in the whole, chosen on the sets of docs/retrieval.md."""
NEEDED = ("holdfast_minilm", "onnxruntime", "tokenizers")


class NeuralEmbedder:
    """An embedder of the built-in vectors, which know five languages, with those of all-MiniLM-L6-v2 beside
    them, which reads English sentences as a whole; texts in other languages keep the former alone.

    Its model runs on this machine, from a package, and is opened when it is first needed. It takes
    milliseconds for a text, so that vectors are made by jobs after a write.
    """

    local = False
    cosine_floor = 0.25 * (1 - SHARE) ** 0.5
    """The least cosine of a hit that shares no word: between two languages the built-in part alone speaks."""

    def __init__(self, dim: int) -> None:
        if missing := [name for name in NEEDED if find_spec(name) is None]:
            raise HoldfastError(
                f"the neural embedder needs {', '.join(missing)}", code="extra_missing",
                hint=how_to_install("neural"),
            )  # fmt: skip
        self._static = StaticEmbedder(dim)
        about = json.loads((self._folder / "model.json").read_text("utf-8"))
        self.dim: int = self._static.dim + about["dim"]
        self.model = f"{self._static.model}+{about['model']}"
        self.knows = self._static.knows
        self.represented = self._static.represented

    def embed(
        self, texts: Sequence[str], *, query: bool = False, emphasis: Mapping[str, float] | None = None
    ) -> NDArray[np.float32]:
        """Returns unit vectors ``(len(texts), dim)``: the built-in ones, then the neural ones, which are zero
        for a text in another language."""
        static = self._static.embed(texts, emphasis=emphasis)
        neural = np.zeros((len(texts), self._neural.dim), np.float32)
        if read := [place for place, text in enumerate(texts) if is_english(text)]:
            neural[read] = self._neural.embed([texts[place] for place in read], query=query)
        return unit(np.hstack([(1 - SHARE) ** 0.5 * static, SHARE**0.5 * neural]))

    @cached_property
    def _neural(self) -> OnnxEmbedder:
        from holdfast.embeddings.onnx import OnnxEmbedder

        return OnnxEmbedder(self._folder)

    @property
    def _folder(self) -> Path:
        """Returns the folder of the model, which is a package of its own."""
        from holdfast_minilm import FOLDER

        folder: Path = FOLDER
        return folder
