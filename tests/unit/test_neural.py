"""The neural embedder: both vectors in one. Its model runs in `make models`; here it has a stand-in."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from holdfast import HoldfastError, config
from holdfast.bootstrap import open_service
from holdfast.core.extras import how_to_install
from holdfast.embeddings import neural, onnx
from holdfast.embeddings.neural import SHARE, NeuralEmbedder
from holdfast.embeddings.static import StaticEmbedder
from tests.fakes import HashEmbedder

ENGLISH = ["The harbour opens at six", "When can boats enter the port?", "def open_port():", "Ada Lovelace"]
OTHERS = ["Wann öffnet der Hafen?", "Le port ouvre à six heures", "El puerto abre a las seis", "港口六点开放"]


class StandIn(HashEmbedder):
    """Stands in for the model in a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(json.loads((folder / "model.json").read_text())["dim"])


@pytest.fixture
def embedder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> NeuralEmbedder:
    """The embedder over a package that has a stand-in for the model."""
    model = tmp_path / "holdfast_minilm" / "model"
    model.mkdir(parents=True)
    (model / "model.json").write_text('{"model": "stand-in", "dim": 32}')
    (model.parent / "__init__.py").write_text(f"from pathlib import Path\nFOLDER = Path({str(model)!r})\n")
    monkeypatch.delitem(sys.modules, "holdfast_minilm", raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(neural, "NEEDED", ("holdfast_minilm",))
    monkeypatch.setattr(onnx, "OnnxEmbedder", StandIn)
    return NeuralEmbedder(64)


def test_the_cosine_is_the_weighted_mean_of_both(embedder: NeuralEmbedder) -> None:
    rows = embedder.embed(ENGLISH)
    static, other = StaticEmbedder(64).embed(ENGLISH), HashEmbedder(32).embed(ENGLISH)
    mean = (1 - SHARE) * static @ static.T + SHARE * other @ other.T
    assert rows.shape == (len(ENGLISH), embedder.dim) == (4, 96)
    np.testing.assert_allclose(rows @ rows.T, mean, atol=1e-6)
    assert embedder.represented("harbour") == 1
    assert (StaticEmbedder(64).model, "stand-in") == tuple(embedder.model.split("+"))


def test_texts_in_other_languages_have_the_built_in_vector_alone(embedder: NeuralEmbedder) -> None:
    rows = embedder.embed([*OTHERS, *ENGLISH])
    np.testing.assert_allclose(rows[:4, :64], StaticEmbedder(64).embed(OTHERS), atol=1e-6)
    assert not rows[:4, 64:].any()
    assert rows[4:, 64:].any(axis=1).all()


def test_a_text_without_anything_has_the_zero_vector_of_the_built_in_part(embedder: NeuralEmbedder) -> None:
    (row,) = embedder.embed([""])
    assert not row[:64].any()
    assert np.isfinite(row).all()


def test_the_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neural, "NEEDED", ("holdfast_minilm", "no_such_package"))
    monkeypatch.setenv("HOLDFAST_EMBEDDER", "neural")
    with pytest.raises(HoldfastError) as raised:
        open_service(config.load(store=tmp_path / "a.db", user="ana"))
    assert (raised.value.code, raised.value.hint) == ("extra_missing", how_to_install("neural"))
