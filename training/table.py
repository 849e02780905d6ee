"""The token table: choosing its words, and writing it for the run time."""

from __future__ import annotations

import collections
import gzip
import json
import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))
from holdfast.embeddings.static import _PARTS, DIMS, Vocabulary, fold, words  # noqa: E402
from holdfast.language.vocabulary import LEVELS  # noqa: E402

MODEL = "holdfast-static-3"
DIM = DIMS[-1]
WORD_BUCKETS, GRAM_BUCKETS = 2048, 6144
KNOWN = {"en": 52_000, "de": 28_000, "fr": 19_000, "es": 19_000, "zh": 16_000}
"""Words of each language that are known; what is spelled alike counts for the first."""
SOURCE_WEIGHT = {"chat": 2.0, "python": 1.2, "code": 1.2, "html": 1.0, "text": 1.0, "wordnet": 0.6, "dictionary": 0.5}


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


def choose(
    counts: dict[str, collections.Counter[str]], pieces: list[str], common: dict[str, list[str]]
) -> dict[str, str]:
    """The known words with their language: of English the teacher's own whole words, small numbers and years, the
    commonest of `common`, then what most kinds of text use; of other languages the commonest, and what the texts
    of that language (`counts` by language) use most."""
    kept = dict.fromkeys([*map(str, [*range(101), *range(1900, 2041)])], "en")
    kept |= dict.fromkeys((p for p in pieces if re.fullmatch(r"[a-z]{2,}", p)), "en")
    kept |= dict.fromkeys(common["en"][:24_000], "en")
    score: collections.Counter[str] = collections.Counter()
    for source, counter in counts.items():
        if source not in KNOWN:
            weight = SOURCE_WEIGHT.get(source, 0.8)
            for word, n in counter.items():
                if n > 1:
                    score[word] += weight * math.log(n)  # type: ignore[assignment]
    for word, _ in score.most_common():
        if len(kept) >= KNOWN["en"]:
            break
        if re.fullmatch(r"[a-z]{1,20}|[a-z]{1,8}[0-9]{1,3}", word):
            kept.setdefault(word, "en")
    for language in list(KNOWN)[1:]:
        wanted = KNOWN[language]
        ranked: dict[str, float] = {word: math.log(rank + 10) for rank, word in enumerate(common[language])}
        for rank, (word, n) in enumerate(counts[language].most_common(wanted)):
            ranked[word] = min(ranked.get(word, 99), math.log(rank + 10) + 1.5)
        added = 0
        for word in sorted(ranked, key=lambda w: (ranked[w], w)):
            if added >= wanted:
                break
            if re.fullmatch(r"[\u3400-\u9fff]{1,4}" if language == "zh" else r"[a-z]{1,24}", word) and word not in kept:
                kept[word] = language
                added += 1
    unique = {crc32(word.encode()): word for word in reversed(list(kept))}
    return {unique[key]: kept[unique[key]] for key in sorted(unique)}


def vocabulary(known: list[str]) -> Vocabulary:
    return Vocabulary(np.array([crc32(w.encode()) for w in known], np.uint32), WORD_BUCKETS, GRAM_BUCKETS)


def quantised(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """4-bit codes, two in a byte, and 16-bit integer weights; level times weight stands for the float number, up to
    one common scale."""
    levels = np.array(LEVELS, np.float32)
    between = (levels[1:] + levels[:-1]) / 2
    scale = np.maximum(np.sqrt((table**2).mean(axis=1)), 1e-12)[:, None] / 46.0
    for _ in range(3):  # the best scale for the codes, the best codes for the scale
        codes = np.searchsorted(between, table / scale).astype(np.uint8)
        meant = levels[codes]
        scale = np.maximum((table * meant).sum(1) / (meant * meant).sum(1), 1e-12)[:, None]
    weights = np.maximum(1, np.rint(scale[:, 0] / scale.max() * 65535)).astype(np.uint16)
    return codes[:, ::2] | codes[:, 1::2] << 4, weights


def write(folder: Path, known: list[str], table: np.ndarray) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rows, weights = quantised(table)
    np.save(folder / "static.rows.npy", rows)
    np.save(folder / "static.weights.npy", weights)
    np.save(folder / "static.keys.npy", np.array([crc32(w.encode()) for w in known], np.uint32))
    meta = {"model": MODEL, "word_buckets": WORD_BUCKETS, "gram_buckets": GRAM_BUCKETS}
    (folder / "static.json").write_text(json.dumps(meta, indent=1) + "\n", "utf-8")
