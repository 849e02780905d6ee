"""The token table: choosing its words, its first values from the teacher, and writing it for the run time."""

from __future__ import annotations

import collections
import gzip
import json
import math
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from zlib import crc32

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))
from holdfast.embeddings.static import _PARTS, DIMS, Vocabulary, fold, words  # noqa: E402

MODEL = "holdfast-static-2"
DIM = DIMS[-1]
WORD_BUCKETS, GRAM_BUCKETS = 2048, 3072
TERMS = 4096
KNOWN = 51_800  # with the rest, rows of 256 int8, a 16-bit weight and a 32-bit key each: under 16 MB
SOURCE_WEIGHT = {"chat": 2.0, "python": 1.2, "html": 1.0, "text": 1.0, "wordnet": 0.6, "dictionary": 0.5}


Terms = Sequence[Sequence[tuple[int, int]]]
"""For each term the pairs of words' rows that write it, the commonest first."""


def records(path: Path) -> Iterator[dict[str, str]]:
    with gzip.open(path, "rt") as lines:
        for line in lines:
            yield json.loads(line)


def candidates(text: str) -> Iterator[str]:
    """Lower-case words of a text. Names in mixed case count by their parts, so that they meet the plain words."""
    for token in words(text):
        if len(token) <= 30:
            folded = fold(token)
            parts = _PARTS.findall(folded)
            if len(parts) > 1:
                yield from (p.casefold() for p in parts)
            if sum(p.isalpha() for p in parts) < 2:
                yield folded.casefold()


def count(corpus: Path) -> dict[str, collections.Counter[str]]:
    counts: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for record in records(corpus):
        counts[record["s"]].update(set(candidates(f"{record['a']} {record['b']}")))
    return counts


def choose(counts: dict[str, collections.Counter[str]], pieces: list[str]) -> list[str]:
    """The known words: the teacher's own whole words, small numbers and years, then the most widely used."""
    kept: dict[str, None] = dict.fromkeys(str(n) for n in [*range(101), *range(1900, 2041)])
    kept |= dict.fromkeys(p for p in pieces if re.fullmatch(r"[a-z]{2,}", p))
    score: collections.Counter[str] = collections.Counter()
    for source, counter in counts.items():
        weight = SOURCE_WEIGHT.get(source, 0.8)
        for word, n in counter.items():
            if n > 1:
                score[word] += weight * math.log(n)  # type: ignore[assignment]
    keys = {crc32(w.encode()) for w in kept}
    for word, _ in score.most_common():
        if len(kept) >= KNOWN:
            break
        if re.fullmatch(r"[a-z]{1,20}|[a-z]{1,8}[0-9]{1,3}|[^\W\d_]{2,12}", word) and crc32(word.encode()) not in keys:
            kept[word] = None
            keys.add(crc32(word.encode()))
    unique = {crc32(w.encode()): w for w in reversed(list(kept))}
    return [unique[k] for k in sorted(unique)]


def vocabulary(known: list[str], terms: Terms = ()) -> Vocabulary:
    keys = np.array([crc32(w.encode()) for w in known], np.uint32)
    return Vocabulary(keys, WORD_BUCKETS, GRAM_BUCKETS, lines(terms))


def lines(terms: Terms) -> np.ndarray:
    """What the run time keeps of the terms: left row, right row and number of each way to write one."""
    flat = [(left, right, i) for i, pairs in enumerate(terms) for left, right in pairs]
    return np.array(flat, np.uint16).reshape(-1, 3)


def seed_table(
    known: list[str], vectors: np.ndarray, frequency: np.ndarray, terms: Terms, term_vectors: np.ndarray,
    term_frequency: np.ndarray, a: float, seed: int,
) -> np.ndarray:  # fmt: skip
    """First values: the teacher's vector of each word times a/(a+p), for spellings what their words share, and for
    a term half of what its words lack of its own vector times a/(a+p)."""
    rng = np.random.default_rng(seed)
    vocab = vocabulary(known)
    table = np.zeros((len(known) + WORD_BUCKETS + GRAM_BUCKETS, vectors.shape[1]), np.float32)
    table[: len(known)] = vectors * (a / (a + frequency))[:, None]
    base = len(known) + WORD_BUCKETS
    noise = rng.standard_normal((WORD_BUCKETS + GRAM_BUCKETS, vectors.shape[1])).astype(np.float32)
    table[len(known) :] = noise / np.linalg.norm(noise, axis=1, keepdims=True) * 0.3
    grams = table[base:] * 0.1
    for i, word in enumerate(known):
        if len(word) > 3:
            np.add.at(grams, np.array(vocab.grams(word)) - base, vectors[i])
    table[base:] = grams / np.linalg.norm(grams, axis=1, keepdims=True) * 0.2
    pairs = np.array([t[0] for t in terms])
    whole = term_vectors * (a / (a + term_frequency))[:, None]
    return np.concatenate([table, 0.5 * (whole - table[pairs[:, 0]] - table[pairs[:, 1]])]).astype(np.float32)


def quantised(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """int8 rows and 16-bit integer weights whose products stand for the float rows, up to one common scale."""
    largest = np.maximum(np.abs(table).max(axis=1), 1e-12)
    weights = np.maximum(1, np.rint(largest / largest.max() * 65535)).astype(np.uint16)
    rows = np.rint(table / largest[:, None] * 127).astype(np.int8)
    return rows, weights


def write(folder: Path, known: list[str], terms: Terms, table: np.ndarray) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rows, weights = quantised(table)
    np.save(folder / "static.rows.npy", rows)
    np.save(folder / "static.weights.npy", weights)
    np.save(folder / "static.keys.npy", np.array([crc32(w.encode()) for w in known], np.uint32))
    np.save(folder / "static.terms.npy", lines(terms))
    meta = {"model": MODEL, "word_buckets": WORD_BUCKETS, "gram_buckets": GRAM_BUCKETS}
    (folder / "static.json").write_text(json.dumps(meta, indent=1) + "\n", "utf-8")
