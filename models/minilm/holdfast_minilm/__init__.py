"""The files of all-MiniLM-L6-v2 with eight-bit weights: `model.onnx`, `tokenizer.json` and `model.json`."""

from pathlib import Path

FOLDER = Path(__file__).parent / "model"
