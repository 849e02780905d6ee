"""Multi-word terms: fixed pairs of words whose meaning, by the teacher, is not the sum of the words."""

from __future__ import annotations

import collections
import math
import sys
from array import array
from pathlib import Path

import numpy as np
from table import SOURCE_WEIGHT, TERMS, records, vocabulary
from teacher import Teacher

from holdfast.embeddings.static import words

Pair = tuple[int, int]
GAP = 65_535  # a row that no known word has: between texts, and for every word that is not known
CANDIDATES = 12_000
FUNCTION_WORDS = frozenset(
    """a about above after again against all also although always am among an and another any anybody anyone anything
    are as at be because been before being below between both but by can cannot could did didn do does doesn doing don
    done during each either else enough etc even ever every everyone everything few for from get gets getting go goes
    going gone gonna got had has hasn have haven having he hello her here hers hi him his how however if in instead into
    is isn it its itself just ll let like lot make makes many may maybe me might more most much must my myself need
    needs neither never no nobody none nor not nothing now of off ok okay on once one ones only onto or other others our
    out over own per please quite rather re really said same say says see several shall she should shouldn since so some
    somebody someone something soon still such sure take than thank thanks that the their them themselves then there
    these they thing things think this those though three through thus to too toward two under until up upon us use
    used uses using usually ve very via want wants was wasn way we well went were weren what when where whether which
    while who whom whose why will with within without won would wouldn yeah yes yet you your yours""".split()
)
PARTICLES = frozenset("up off out in on down over away back".split())  # "log in", "set up"


def flat_rows(corpus: Path, known: list[str]) -> dict[str, np.ndarray]:
    """The rows of all words of each source in their order, with gaps between texts."""
    vocab = vocabulary(known)
    seen: dict[str, list[int]] = {}
    out: dict[str, array[int]] = collections.defaultdict(lambda: array("H"))
    for record in records(corpus):
        into = out[record["s"]]
        for text in (record["a"], record["b"]):
            for token in words(text):
                found = seen.get(token)
                if found is None:
                    rows = [r if r < len(known) else GAP for r in vocab.rows(token)]
                    found = seen[token] = rows
                into.extend(found)
            into.append(GAP)
    return {source: np.frombuffer(rows, np.uint16) for source, rows in out.items()}


def collocations(corpus: Path, known: list[str]) -> set[tuple[str, str]]:
    """The two-word entries of WordNet and of the dictionaries in the corpus."""
    found: set[tuple[str, str]] = set()
    for record in records(corpus):
        if record["s"] in {"wordnet", "dictionary"}:
            for entry in record["a"].lower().split(", "):
                parts = words(entry)
                if len(parts) == 2:
                    found.add((parts[0], parts[1]))
    return found


def singulars(known: list[str], vectors: np.ndarray) -> np.ndarray:
    """For every word the row of its singular, if the teacher takes the two for near, else its own row."""
    at = {word: i for i, word in enumerate(known)}
    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    base = np.arange(len(known))
    for i, word in enumerate(known):
        for ending, instead in (("ies", "y"), ("es", ""), ("s", "")):
            j = at.get(word.removesuffix(ending) + instead) if word.endswith(ending) and len(word) > 4 else None
            if j is not None and float(unit[i] @ unit[j]) > 0.6:
                base[i] = j
                break
    return base


def candidates(corpus: Path, known: list[str], vectors: np.ndarray) -> list[tuple[float, float, list[Pair]]]:
    """(score, share of all words, the pairs of rows that are the term, the commonest first), best first."""
    flat = flat_rows(corpus, known)
    size = sum(map(len, flat.values()))
    single = np.zeros(65_536)
    total: collections.Counter[Pair] = collections.Counter()
    score: dict[Pair, float] = collections.defaultdict(float)
    sources: collections.Counter[Pair] = collections.Counter()
    fit = np.array([len(w) > 1 and w.isalpha() and w.isascii() for w in known])
    first = fit & np.array([w not in FUNCTION_WORDS and w not in PARTICLES for w in known])
    second = fit & np.array([w not in FUNCTION_WORDS or w in PARTICLES for w in known])
    first, second = (np.append(x, np.zeros(65_536 - len(known), bool)) for x in (first, second))
    base = singulars(known, vectors)
    forms: dict[Pair, collections.Counter[Pair]] = collections.defaultdict(collections.Counter)
    for source in sorted(flat):
        rows = flat[source]
        single += np.bincount(rows, minlength=65_536)
        left, right = rows[:-1], rows[1:]
        usable = first[left] & second[right] & (left != right)
        keys, counts = np.unique(left[usable].astype(np.uint32) << 16 | right[usable], return_counts=True)
        of_source: collections.Counter[Pair] = collections.Counter()
        often = counts > 1
        for key, n in zip(keys[often].tolist(), counts[often].tolist(), strict=True):
            pair = (key >> 16, key & 0xFFFF)
            term = (pair[0], int(base[pair[1]]))
            forms[term][pair] += n
            of_source[term] += n
        total.update(of_source)
        sources.update(of_source.keys())
        weight = SOURCE_WEIGHT.get(source, 0.8)
        for term, n in of_source.items():
            score[term] += weight * math.log(n)
    entries = collocations(corpus, known)
    alone = np.zeros(65_536)
    np.add.at(alone, np.append(base, np.arange(len(known), 65_536)), single)
    out = []
    for term, n in total.items():
        information = math.log(n * size / (single[term[0]] * alone[term[1]]))
        pairs = [pair for pair, _ in forms[term].most_common()]
        listed = any((known[a], known[b]) in entries for a, b in pairs)
        # of what no dictionary lists, only what several kinds of text say: chat has its fixed phrases, code too
        if (sources[term] > 1 and n >= 20 and information > 3.5) or (listed and n >= 5 and information > 2):
            out.append((score[term] * (1.5 if listed else 1.0), n / size, pairs))
    return sorted(out, key=lambda c: (-c[0], c[2]))[:CANDIDATES]


def choose_terms(
    corpus: Path, known: list[str], vectors: np.ndarray, frequency: np.ndarray, sif: float, teacher: Teacher
) -> tuple[list[list[Pair]], np.ndarray, np.ndarray]:
    """The terms that are common and that the teacher takes for more than their words, with its vectors."""
    found = candidates(corpus, known, vectors)
    taught = teacher.embed([f"{known[c[2][0][0]]} {known[c[2][0][1]]}" for c in found], 1024, progress=True)
    centred = vectors - vectors.mean(0)
    rows = centred * (sif / (sif + frequency))[:, None]
    pairs = np.array([c[2][0] for c in found])
    summed = rows[pairs[:, 0]] + rows[pairs[:, 1]]
    own = taught - vectors.mean(0)
    alike = (summed * own).sum(1) / np.linalg.norm(summed, axis=1) / np.linalg.norm(own, axis=1)
    worth = np.array([c[0] for c in found]) * (1 - alike)
    best = np.sort(np.argsort(-worth, kind="stable")[:TERMS])
    return [found[i][2] for i in best], np.array([found[i][1] for i in best], np.float32), taught[best]


def main() -> None:
    """Prints the terms of a work folder, for a look at them."""
    import pickle

    work = Path(sys.argv[1])
    known = pickle.loads((work / "words.pkl").read_bytes())[0]
    for pairs in pickle.loads((work / "terms.pkl").read_bytes())[0]:
        print(" | ".join(f"{known[a]} {known[b]}" for a, b in pairs))


if __name__ == "__main__":
    main()
