"""Whether a model of likeness could propose merges that no rule makes: how many are right at every limit.

Of each labelled pair that `compare` does not call the same, with equal numbers, names and negations, twelve
measures are taken: the cosines of all-MiniLM-L6-v2 (the extra `neural`) and of the built-in embedder, how
well the words of one text are found in the other by what the network makes of them in their sentence, and
the words left over. A regression over them is fitted on one half of `benchmarks/merging_pairs.jsonl` (even
first byte of the SHA-256 of both texts), and asked about the other half, or about all of another file.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.embeddings.static import StaticEmbedder
from holdfast.language.statements.compare import Verdict, compare
from holdfast.language.statements.words import NEGATIONS, words
from tools.evaluation import logistic

PAIRS = Path(__file__).parent / "merging_pairs.jsonl"
LIMITS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
FOLDS = 5
RIDGE = 3.0
MEASURES = (
    "neural cosine", "built-in cosine", "words found", "least word of the first", "least word of the second",
    "least word", "mean word", "equal words", "words left over", "least left over", "mean left over",
    "length",
)  # fmt: skip
_WORD = re.compile(r"[\w']+")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NAME = re.compile(r"(?<=[\w,;:] )[A-ZÄÖÜ][\w']+")
_FUNCTION = words(
    """
    a an the is are was were be been being of to in on at for with by and or as it its this that these
    those there their his her our my your i we you he she they has have had do does did will would which
    who what when where der die das den dem des ein eine einen einem einer ist sind war und oder von zu im
    am an für mit als es sie er wir ich auf bei aus nach wird werden hat haben dass
    """
)
_NOT = frozenset(NEGATIONS) | frozenset("nicht kein keine keinen keinem keiner nie niemals ohne".split())
Array = NDArray[np.float64]


class Measurer:
    """Takes the measures of pairs."""

    def __init__(self) -> None:
        self._static = StaticEmbedder(256)

    @cached_property
    def _model(self) -> tuple[Any, Any]:
        import onnxruntime
        from holdfast_minilm import FOLDER
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(str(FOLDER / "model.onnx"), options)
        return session, Tokenizer.from_file(str(FOLDER / "tokenizer.json"))

    def measures(self, first: str, second: str) -> list[float]:
        """Returns the measures of a pair, as `MEASURES` names them."""
        (one, own, vectors), (other, others, their_vectors) = self._read(first), self._read(second)
        whole = self._static.embed([first, second])
        likeness = vectors @ their_vectors.T
        ours, theirs = likeness.max(1), likeness.max(0)
        content = [at for at, word in enumerate(own) if word not in _FUNCTION]
        their_content = [at for at, word in enumerate(others) if word not in _FUNCTION]
        ours, theirs = ours[content or [0]], theirs[their_content or [0]]
        have, their_have = {own[at] for at in content}, {others[at] for at in their_content}
        least, mean = self._left_over(sorted(have - their_have), sorted(their_have - have))
        return [
            float(one @ other), float(whole[0] @ whole[1]),
            float(likeness.max(1).mean() + likeness.max(0).mean()),
            float(ours.min()), float(theirs.min()), float(min(ours.min(), theirs.min())),
            float(ours.mean() + theirs.mean()), len(have & their_have) / max(1, len(have | their_have)),
            float(len(have ^ their_have)), least, mean, float(abs(len(have) - len(their_have))),
        ]  # fmt: skip

    def _left_over(self, ours: list[str], theirs: list[str]) -> tuple[float, float]:
        if not (ours and theirs):
            return (0.0, 0.0) if ours or theirs else (1.0, 1.0)
        vectors = self._static.embed([*ours, *theirs])
        likeness = vectors[: len(ours)] @ vectors[len(ours) :].T
        best = np.concatenate([likeness.max(1), likeness.max(0)])
        return float(best.min()), float(best.mean())

    def _read(self, text: str) -> tuple[Array, list[str], Array]:
        """Returns the vector of a text, its words, and the vectors of these in it."""
        session, tokenizer = self._model
        read = tokenizer.encode(text)
        ids = np.array([read.ids], np.int64)
        states = session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})[0][0]
        places: dict[int, list[int]] = {}
        for at, word in enumerate(read.word_ids):
            if word is not None:
                places.setdefault(word, []).append(at)
        spans = {
            word: text[read.offsets[own[0]][0] : read.offsets[own[-1]][1]] for word, own in places.items()
        }
        kept = [word for word, said in spans.items() if any(one.isalnum() for one in said)]
        vectors = np.array([_unit(states[places[word]].mean(0)) for word in kept])
        return _unit(states.mean(0)), [spans[word].lower() for word in kept], vectors


def _unit(vector: Array) -> Array:
    return vector / np.linalg.norm(vector)


def may_agree(first: str, second: str) -> bool:
    """Returns whether two texts have the same numbers, the same names, and are both denied or neither."""
    said = [{word.lower().removesuffix("'s") for word in _WORD.findall(text)} for text in (first, second)]
    names = [{name.lower().removesuffix("'s") for name in _NAME.findall(text)} for text in (first, second)]
    numbers = [sorted(_NUMBER.findall(text)) for text in (first, second)]
    denied = [bool(one & _NOT) for one in said]
    has_names = names[0] <= said[1] and names[1] <= said[0]
    return numbers[0] == numbers[1] and has_names and denied[0] == denied[1]


def chances_of(values: Array, measures: Array, same: Array) -> Array:
    """Returns the probability that pairs say the same, by a regression over pairs with labels."""
    bias, *slopes = logistic.fitted(measures, same, ridge=RIDGE)
    chances: Array = 1 / (1 + np.exp(-(values @ np.array(slopes) + bias)))
    return chances


def main() -> None:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--held-out", type=Path, help="labelled pairs, instead of the other half")
    held_out = parser.parse_args().held_out
    measurer = Measurer()
    pairs = _pairs(PAIRS)
    learned, asked = [one for one in pairs if _is_even(one)], [one for one in pairs if not _is_even(one)]
    asked = asked if held_out is None else _pairs(held_out)
    (known, same, _), (other, their_same, every) = _measured(measurer, learned), _measured(measurer, asked)
    folds = np.arange(len(same)) % FOLDS
    checked = np.zeros(len(same))
    for fold in range(FOLDS):
        checked[folds == fold] = chances_of(known[folds == fold], known[folds != fold], same[folds != fold])
    chances = chances_of(other, known, same)
    print(
        f"{len(same)} pairs to learn from, {int(same.sum())} the same; {len(their_same)} to be asked about,"
    )
    print(f"{int(their_same.sum())} the same, of {every} that say the same and that no rule merges")
    for at, name in enumerate(MEASURES):
        best = max(_best(known[:, at], same), _best(-known[:, at], same))
        print(f"  {name:26} alone: {best} right at a precision of 0.9, on what was learned from")
    for limit in LIMITS:
        mine, theirs = checked >= limit, chances >= limit
        print(
            f"  limit {limit}: cross-validated {int(same[mine].sum())} of {int(mine.sum())} right,"
            f" asked {int(their_same[theirs].sum())} of {int(theirs.sum())}"
        )


def _pairs(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def _is_even(pair: dict[str, Any]) -> bool:
    return hashlib.sha256((pair["first"] + pair["second"]).encode()).digest()[0] % 2 == 0


def _measured(measurer: Measurer, pairs: list[dict[str, Any]]) -> tuple[Array, Array, int]:
    """Returns the measures of the pairs that no rule merges and that may agree, whether these are the same,
    and how many that are the same no rule merges."""
    left = [one for one in pairs if compare(one["first"], one["second"]).verdict is not Verdict.SAME]
    kept = [one for one in left if may_agree(one["first"], one["second"])]
    measures = [measurer.measures(one["first"], one["second"]) for one in kept]
    same = np.array([float(one["same"]) for one in kept])
    return np.array(measures), same, sum(one["same"] for one in left)


def _best(scores: Array, same: Array) -> int:
    """Returns the most that are right above a limit of one measure, at a precision of 0.9."""
    right = np.cumsum(same[np.argsort(-scores, kind="stable")])
    good = right / np.arange(1, len(right) + 1) >= 0.9
    return int(right[good].max()) if good.any() else 0


if __name__ == "__main__":
    main()
