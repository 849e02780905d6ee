"""Step 3: trains the token table on the teacher's similarities and on natural text pairs, and writes it out."""

from __future__ import annotations

import argparse
import collections
import json
import pickle
import random
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from table import DIM, records, vocabulary, write

from holdfast.embeddings.static import DIMS, words

NCE_SHARE = {"wordnet": 110_000, "thesaurus": 50_000, "dictionary": 80_000}  # the rest is taken whole
ASKED = (
    "what did {} say about {}", "when did {} {}", "what about {}", "tell me about {}", "which {} did I mention",
    "do you remember {}", "how was {}", "where is {}", "what is {}", "who {}", "why {}", "{}", "{}", "{}",
)  # fmt: skip
NAMES = ("I", "we", "you", "they", "she", "he", "the user", "my friend")


class Bags:
    """Texts as bags of rows with weights (the square root of each row's count), packed in flat arrays."""

    def __init__(self) -> None:
        self.rows: list[int] = []
        self.weights: list[float] = []
        self.starts = [0]

    def add(self, rows: list[int], power: float) -> int:
        counts = collections.Counter(rows)
        self.rows.extend(counts.keys())
        self.weights.extend(float(n) ** power for n in counts.values())
        self.starts.append(len(self.rows))
        return len(self.starts) - 2

    def pack(self) -> None:
        self.r = np.array(self.rows, np.int64)
        self.w = np.array(self.weights, np.float32)
        self.s = np.array(self.starts, np.int64)
        self.rows, self.weights = [], []

    def take(self, items: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        lengths = self.s[items + 1] - self.s[items]
        offsets = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        index = np.repeat(self.s[items] - offsets, lengths) + np.arange(lengths.sum())
        return self.r[index], self.w[index], offsets


class Table:
    """The token table with lazy Adam: only the rows of a batch are read, differentiated and moved."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = torch.from_numpy(values.copy())
        self.first = torch.zeros_like(self.values)
        self.second = torch.zeros_like(self.values)
        # A row moves in proportion to its length: frequent words are short, and stay exact instead of noisy.
        norms = self.values.norm(dim=1, keepdim=True)
        self.pace = (norms / norms.median()).clamp(0.03, 1.5)
        self.step = 0

    def pooled(self, bags: Bags, groups: list[np.ndarray]) -> tuple[list[torch.Tensor], tuple]:
        parts = [bags.take(g) for g in groups]
        rows = np.concatenate([p[0] for p in parts])
        unique, inverse = np.unique(rows, return_inverse=True)
        index = torch.from_numpy(unique)
        local = self.values[index].requires_grad_(True)
        out, at = [], 0
        for r, w, offsets in parts:
            inside = torch.from_numpy(inverse[at : at + len(r)])
            at += len(r)
            z = F.embedding_bag(inside, local, torch.from_numpy(offsets), mode="sum", per_sample_weights=torch.from_numpy(w))
            out.append(z)
        return out, (index, local)

    def move(self, handle: tuple, rate: float, b1: float = 0.9, b2: float = 0.99) -> None:
        index, local = handle
        g = local.grad
        self.step += 1
        m = self.first[index].mul_(b1).add_(g, alpha=1 - b1)
        v = self.second[index].mul_(b2).addcmul_(g, g, value=1 - b2)
        self.first[index], self.second[index] = m, v
        c1, c2 = 1 - b1 ** min(self.step, 1000), 1 - b2 ** min(self.step, 1000)
        self.values[index] -= rate * self.pace[index] * (m / c1) / ((v / c2).sqrt() + 1e-8)


def agreement(student: torch.Tensor, taught: torch.Tensor, scale: float, teacher_scale: float, own: bool) -> torch.Tensor:
    """Cross entropy between the teacher's and the student's distributions over the batch, row by row."""
    s, t = student * scale, taught * teacher_scale
    if own:
        eye = torch.eye(len(s), dtype=torch.bool)
        s, t = s.masked_fill(eye, -1e4), t.masked_fill(eye, -1e4)
    p = F.softmax(t, -1)
    return (p * (F.log_softmax(t, -1) - F.log_softmax(s, -1))).sum(-1).mean()


def nested(share: float, cut: int, *vectors: torch.Tensor) -> list[tuple[float, list[torch.Tensor]]]:
    """The vectors cut to their first dimensions, and whole, at unit length, with the weight of the loss on them."""
    dims = [(share, cut), (1 - share, DIM)] if share else [(1.0, DIM)]
    return [(weight, [F.normalize(v[:, :dim], dim=-1, eps=1e-6) for v in vectors]) for weight, dim in dims]


def asked(text: str, rare: dict[str, float], synonyms: dict[str, list[str]], rng: random.Random) -> str:
    """A short question made of a few of a text's telling words, some of them replaced by synonyms."""
    tokens = [w for w in words(text) if rare.get(w.lower(), 1.0) < 2e-3]
    if len(tokens) < 3:
        return ""
    size = rng.randint(2, min(5, len(tokens) - 1))
    at = rng.randint(0, len(tokens) - size)
    picked = [t if rng.random() > 0.5 or t.lower() not in synonyms else rng.choice(synonyms[t.lower()]) for t in tokens[at : at + size]]
    form = rng.choice(ASKED)
    return form.format(*([rng.choice(NAMES)] if form.count("{}") > 1 else []), " ".join(picked))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=20261121)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--rate", type=float, default=0.003)
    parser.add_argument("--scale", type=float, default=20.0, help="1/temperature of the student")
    parser.add_argument("--teacher-scale", type=float, default=20.0)
    parser.add_argument("--power", type=float, default=0.5, help="weight of a word that occurs n times is n**power")
    parser.add_argument("--nce", type=float, default=1.0)
    parser.add_argument("--cosine", type=float, default=2.0)
    parser.add_argument("--kl", type=float, default=1.0)
    parser.add_argument("--asked", type=float, default=0.15, help="share of batches of generated questions")
    parser.add_argument("--natural", type=float, default=0.27, help="share of batches of natural pairs")
    parser.add_argument("--nested", type=float, default=0.0, help="weight of the loss on the first 64 or 128 dimensions")
    parser.add_argument("--start", default="seed", help="name of the table in the work folder that is trained further")
    parser.add_argument("--limit", type=int, default=10**9, help="records read, for trials")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    rng = random.Random(options.seed)
    nrng = np.random.default_rng(options.seed)
    known, frequency, word_vectors, _ = pickle.loads((options.work / "words.pkl").read_bytes())
    terms, _, term_vectors = pickle.loads((options.work / "terms.pkl").read_bytes())
    vocab = vocabulary(known, terms)
    seen: dict[str, tuple[int, ...]] = {}
    order = np.argsort(-frequency)
    common = np.zeros(len(known), bool)
    common[order[:3000]] = True
    rare = dict(zip(known, frequency.tolist(), strict=True))
    bags = Bags()

    def add(text: str) -> int:
        rows: list[int] = []
        for token in words(text)[:100]:
            found = seen.get(token)
            if found is None:
                found = seen[token] = vocab.rows(token)
            if len(found) == 1 and found[0] < len(known) and not common[found[0]] and rng.random() < 0.06:
                found = vocab.spelled(known[found[0]])
            rows += found
        return bags.add([*rows, *vocab.terms(rows)], options.power)

    # Teacher's texts.
    taught_a, taught_b, teach_a, teach_b, single, teach_single = [], [], [], [], [], []
    for path in sorted((options.work / "taught").glob("[0-9]*.json")):
        data = np.load(path.with_suffix(".npz"))
        a, b, has_b = data["a"].astype(np.float32), data["b"].astype(np.float32), data["has_b"]
        for i, record in enumerate(json.loads(path.read_text())):
            if len(words(record["a"])) == 0:
                continue
            if has_b[i] and len(words(record["b"])):
                taught_a.append(add(record["a"])), taught_b.append(add(record["b"]))
                teach_a.append(a[i]), teach_b.append(b[i])
            else:
                single.append(add(record["a"])), teach_single.append(a[i])
    # Natural pairs and generated questions.
    synonyms: dict[str, list[str]] = {}
    pairs: dict[str, list[tuple[int, int]]] = collections.defaultdict(list)
    questions: list[tuple[int, int]] = []
    budget = dict(NCE_SHARE)
    everything = list(records(options.corpus))
    rng.shuffle(everything)
    for record in everything:
        if record["s"] in {"wordnet", "thesaurus"} and record["b"].count(" ") == 0 and record["a"].split(" (")[0].isalpha():
            synonyms.setdefault(record["a"].split(" (")[0].lower(), []).append(record["b"].lower())
    for record in everything[: options.limit]:
        source, a, b = record["s"], record["a"], record["b"]
        if budget.get(source, 1) <= 0:
            continue
        if b and words(a) and words(b):
            budget[source] = budget.get(source, 10**9) - 1
            if source == "python" and rng.random() < 0.5:
                a = rng.choice(["python {}", "{} python", "how to {} in python", "{}"]).format(a.rstrip(".").lower())
            pairs[source].append((add(a), add(b)))
        if options.asked and source in {"chat", "html", "text", "fortunes", "wordnet"} and rng.random() < 0.5:
            text = b if source == "html" and b else a
            question = asked(text, rare, synonyms, rng)
            if question and words(question):
                questions.append((add(question), add(text)))
    spelled = [bags.add(list(vocab.spelled(w)), 1.0) for w in known]
    whole = [bags.add([i], 1.0) for i in range(len(known))]
    named = [bags.add([*pairs[0], *vocab.terms(pairs[0])], 1.0) for pairs in terms]
    bags.pack()
    spelled_items, whole_items, term_items = np.array(spelled), np.array(whole), np.array(named)
    question_items = np.array(questions)
    pair_items = {s: np.array(p) for s, p in pairs.items() if len(p) > 600}
    print({s: len(p) for s, p in pair_items.items()}, len(taught_a), "taught pairs", len(single), "taught singles", len(questions), "questions", flush=True)

    def tensor(rows: list[np.ndarray]) -> torch.Tensor:
        return F.normalize(torch.from_numpy(np.stack(rows)), dim=-1)

    ta, tb, ts = tensor(teach_a), tensor(teach_b), tensor(teach_single)
    tw, tt = F.normalize(torch.from_numpy(word_vectors), dim=-1), F.normalize(torch.from_numpy(term_vectors), dim=-1)
    project = torch.from_numpy(np.load(options.work / f"{options.start}.projection.npy"))
    mean = torch.cat([ta, ts]).mean(0)

    def target(t: torch.Tensor) -> torch.Tensor:
        return F.normalize((t - mean) @ project, dim=-1)

    def far(z: torch.Tensor, t: torch.Tensor) -> torch.Tensor:
        return 1 - (z * F.normalize(t[:, : z.shape[1]], dim=-1)).sum(1).mean()

    ia, ib, isg = np.array(taught_a), np.array(taught_b), np.array(single)

    def clusters(t: torch.Tensor, k: int = 64) -> list[np.ndarray]:
        centres = t[torch.from_numpy(nrng.choice(len(t), k, replace=False))]
        for _ in range(8):
            label = torch.cat([(part @ centres.T).argmax(1) for part in t.split(8192)])
            centres = F.normalize(torch.stack([t[label == j].sum(0) + 1e-6 for j in range(k)]), dim=-1)
        return [np.flatnonzero((label == j).numpy()) for j in range(k)]

    pair_clusters, single_clusters = clusters(ta), clusters(ts)

    def gather(groups: list[np.ndarray], total: int, size: int) -> np.ndarray:
        near: list[np.ndarray] = []
        while sum(map(len, near)) < size // 2:
            group = groups[nrng.integers(len(groups))]
            if len(group):
                near.append(nrng.choice(group, min(len(group), size // 4), replace=False))
        return np.unique(np.concatenate([*near, nrng.integers(total, size=size // 2)]))

    table = Table(np.load(options.work / f"{options.start}.npy"))
    start_norm = table.values.norm(dim=1).mean().item()
    print("mean row length", start_norm)
    names = list(pair_items)
    odds = np.array([len(pair_items[s]) ** 0.7 * (1.6 if s == "python" else 1.0) for s in names])
    odds /= odds.sum()
    odds_of_kinds = np.array([0.3, 0.2, options.natural, options.asked, 0.08, 0.04])
    odds_of_kinds /= odds_of_kinds.sum()
    began, shown = time.time(), collections.defaultdict(list)
    for step in range(options.steps):
        rate = options.rate * min(1, (step + 1) / 200) * max(0.02, 1 - step / options.steps)
        kind = nrng.choice(["pairs", "single", "nce", "asked", "words", "terms"], p=odds_of_kinds)
        cut = int(nrng.choice(DIMS[:-1]))
        loss, figures = torch.zeros(()), {}
        if kind == "pairs":
            pick = gather(pair_clusters, len(ia), 384)
            whole_vectors, handle = table.pooled(bags, [ia[pick], ib[pick]])
            a, b = ta[pick], tb[pick]
            taught = [(a @ b.T, False), (b @ a.T, False), (a @ a.T, True), (b @ b.T, True)]
            wanted_a, wanted_b = target(a), target(b)
            for weight, (za, zb) in nested(options.nested, cut, *whole_vectors):
                own = [za @ zb.T, zb @ za.T, za @ za.T, zb @ zb.T]
                kl = sum(
                    agreement(mine, theirs, options.scale, options.teacher_scale, same) / 4
                    for mine, (theirs, same) in zip(own, taught, strict=True)
                )
                cosine = (far(za, wanted_a) + far(zb, wanted_b)) / 2
                loss = loss + weight * (options.kl * kl + options.cosine * cosine)
                figures = {"kl": kl.item(), "cos": 1 - cosine.item()}
        elif kind == "single":
            pick = gather(single_clusters, len(isg), 640)
            whole_vectors, handle = table.pooled(bags, [isg[pick]])
            t = ts[pick]
            taught, wanted = t @ t.T, target(t)
            for weight, (z,) in nested(options.nested, cut, *whole_vectors):
                kl = agreement(z @ z.T, taught, options.scale, options.teacher_scale, True)
                cosine = far(z, wanted)
                loss = loss + weight * (options.kl * kl + options.cosine * cosine)
                figures = {"kl1": kl.item(), "cos1": 1 - cosine.item()}
        elif kind == "words":
            pick = nrng.integers(len(known), size=768)
            whole_vectors, handle = table.pooled(bags, [whole_items[pick], spelled_items[pick]])
            wanted = target(tw[pick])
            for weight, (z, y) in nested(options.nested, cut, *whole_vectors):
                loss = loss + weight * options.cosine * (far(z, wanted) + 0.5 * far(y, wanted))
                figures = {"spell": 1 - far(y, wanted).item()}
        elif kind == "terms":
            pick = nrng.integers(len(terms), size=512)
            whole_vectors, handle = table.pooled(bags, [term_items[pick]])
            wanted = target(tt[pick])
            for weight, (z,) in nested(options.nested, cut, *whole_vectors):
                loss = loss + weight * options.cosine * far(z, wanted)
                figures = {"term": 1 - far(z, wanted).item()}
        else:
            source = names[nrng.choice(len(names), p=odds)]
            items = question_items if kind == "asked" else pair_items[source]
            pick = nrng.integers(len(items), size=512)
            whole_vectors, handle = table.pooled(bags, [items[pick, 0], items[pick, 1]])
            right = torch.arange(len(pick))
            for weight, (za, zb) in nested(options.nested, cut, *whole_vectors):
                logits = za @ zb.T * options.scale
                nce = (F.cross_entropy(logits, right) + F.cross_entropy(logits.T, right)) / 2
                loss = loss + weight * options.nce * nce
                figures = {"asked" if kind == "asked" else f"nce:{source}": nce.item()}
        for name, figure in figures.items():
            shown[name].append(figure)
        loss.backward()
        with torch.no_grad():
            table.move(handle, rate)
        if (step + 1) % 500 == 0:
            line = " ".join(f"{k} {np.mean(v[-100:]):.3f}" for k, v in sorted(shown.items()))
            print(f"{step + 1} {time.time() - began:.0f}s row {table.values.norm(dim=1).mean():.3f} {line}", flush=True)
            if (step + 1) % 1500 == 0:
                write(options.out, known, terms, table.values.numpy())
    write(options.out, known, terms, table.values.numpy())
    np.save(options.work / f"{options.out.name}.npy", table.values.numpy())


if __name__ == "__main__":
    main()
