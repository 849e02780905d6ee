"""An embedder over an ONNX model in a local folder, such as all-MiniLM-L6-v2: no download, no network."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import HoldfastError, InvalidInput
from holdfast.core.extras import how_to_install
from holdfast.embeddings.unit import unit

TOKENS_MAX = 256
"""Tokens of a text that are read; MiniLM was trained on no more."""
BATCH = 32
MODELS = ("model.onnx", "onnx/model.onnx")
"""Where a folder has the model, beside `tokenizer.json`."""


class OnnxEmbedder:
    """An embedder that runs `model.onnx` with the tokens of `tokenizer.json`, and takes the mean of its last
    layer. The model is named after its folder and its content, so that another one is another model."""

    local = False

    def __init__(self, folder: Path) -> None:
        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ModuleNotFoundError as error:
            raise HoldfastError(
                "an ONNX embedder needs onnxruntime and tokenizers", code="extra_missing",
                hint=how_to_install("onnx"),
            ) from error  # fmt: skip
        file = next((folder / name for name in MODELS if (folder / name).is_file()), None)
        if file is None or not (folder / "tokenizer.json").is_file():
            raise InvalidInput(
                f"{safe_repr(str(folder))} holds no ONNX embedder", code="config_invalid",
                hint="a folder with tokenizer.json and model.onnx or onnx/model.onnx",
            )  # fmt: skip
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        self._session: Any = onnxruntime.InferenceSession(str(file), options, ["CPUExecutionProvider"])
        self._inputs = {model_input.name for model_input in self._session.get_inputs()}
        self._tokenizer: Any = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(TOKENS_MAX)
        self._tokenizer.enable_padding()
        self._lock = threading.Lock()  # padding is a state of the tokenizer
        with file.open("rb") as content:
            digest = hashlib.file_digest(content, "sha256").hexdigest()[:8]
        self.model = f"onnx:{folder.name}:{digest}"
        self.dim: int = self._run(["dimensions"]).shape[1]

    def embed(
        self, texts: Sequence[str], *, query: bool = False, emphasis: Mapping[str, float] | None = None
    ) -> NDArray[np.float32]:
        """Returns unit vectors ``(len(texts), dim)``."""
        parts = [self._run(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
        return np.concatenate(parts) if parts else np.zeros((0, self.dim), np.float32)

    def _run(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Returns the unit vectors of texts, one row each; vectors of tokens are averaged."""
        with self._lock:
            encoded = self._tokenizer.encode_batch(list(texts))
        ids = np.array([encoding.ids for encoding in encoded], np.int64)
        mask = np.array([encoding.attention_mask for encoding in encoded], np.int64)
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (layer, *_) = self._session.run(None, {k: v for k, v in inputs.items() if k in self._inputs})
        if layer.ndim == 3:  # a vector for each token
            weights = mask[:, :, None].astype(np.float32)
            layer = (layer * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1.0)
        return unit(layer)
