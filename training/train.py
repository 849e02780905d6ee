"""Step 3: trains the token table on the teachers' vectors and on natural text pairs, and writes it out."""

from __future__ import annotations

import argparse
import collections
import json
import os
import random
import re
import time
from collections.abc import Iterator
from multiprocessing import Pool
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from table import DIM, DIMS, KNOWN, WORD_BUCKETS, fold, vocabulary, words, write
from teach import read, translated

ASKED = (
    "what did {} say about {}", "when did {} {}", "what about {}", "tell me about {}", "which {} did I mention",
    "do you remember {}", "how was {}", "where is {}", "what is {}", "who {}", "why {}", "{}", "{}", "{}",
)  # fmt: skip
NAMES = ("I", "we", "you", "they", "she", "he", "the user", "my friend")
CODE = ("python {}", "{} python", "how to {} in python", "{}", "how to {}", "{} in java", "android {}", "{} javascript")
LIKED = (
    "I prefer {}", "I love {}", "I really like {}", "I can't stand {}", "I always avoid {}", "I'm allergic to {}",
    "I'm not a fan of {}", "I only want {}", "please never suggest {}", "I feel uncomfortable with {}", "I enjoy {}",
    "my favourite is {}", "I dislike {}",
)  # fmt: skip
WISHED = (
    "can you recommend {}", "what {} would you suggest for me?", "I'm looking for {}", "help me choose {}",
    "what are good options for {}?", "any ideas about {}?", "which {} should I pick?", "suggest me {} for the weekend",
)  # fmt: skip
SPELLED = 0.06
"""Share of rarer words that are replaced by their spelling, so that the buckets learn to stand for words."""
WRITTEN_OTHERWISE = 0.35
"""Share of English texts that are also learned word for word in each of the other languages."""
LONGEST = 160


def shared(meta: dict) -> None:
    """Prepares a process for reading texts as rows."""
    global VOCABULARY, SEEN, RARE, ENTRIES, SYNONYMS, COMMON  # noqa: PLW0603
    VOCABULARY, SEEN = vocabulary(meta["known"]), {}
    RARE = dict(zip(meta["known"], meta["frequency"], strict=True))
    COMMON = np.argsort(-np.array(meta["frequency"]))[:12_000]
    COMMON = np.isin(np.arange(len(meta["known"])), COMMON)
    ENTRIES, SYNONYMS = meta["entries"], meta["synonyms"]


def bag(text: str, rng: random.Random) -> tuple[list[int], list[float]]:
    rows: list[int] = []
    for token in words(text)[:LONGEST]:
        found = SEEN.get(token)
        if found is None:
            found = VOCABULARY.rows(token)
            if len(token) < 30:
                SEEN[token] = found
        rare = len(found) == 1 and found[0] < len(COMMON) and not COMMON[found[0]] and token.isascii()
        if rare and rng.random() < SPELLED:
            found = VOCABULARY.spelled(token.lower())
        rows += found
    counts = collections.Counter(rows[: 2 * LONGEST])
    return list(counts), [n**0.5 for n in counts.values()]


def otherwise(text: str, language: str, rng: random.Random) -> str:
    """An English text word for word in another language; words without an entry stay if they are rare."""
    entries = ENTRIES[language]
    out = []
    for token in words(text)[:LONGEST]:
        word = token.lower()
        found = entries.get(word) or entries.get(re.sub(r"(?:s|es|ed|ing|d)$", "", word)) or entries.get(re.sub(r"(?:ed|ing)$", "e", word))
        if found:
            out.append(rng.choice(found))
        elif RARE.get(word, 0) < 1e-4:
            out.append(token)
    return " ".join(out)


def asked(text: str, rng: random.Random) -> str:
    """A short question made of a few of a text's telling words, some of them replaced by synonyms."""
    tokens = [w for w in words(text) if RARE.get(w.lower(), 0.0) < 1e-3]
    if len(tokens) < 3:
        return ""
    size = rng.randint(2, min(5, len(tokens) - 1))
    at = rng.randint(0, len(tokens) - size)
    picked = [t if rng.random() > 0.5 or t.lower() not in SYNONYMS else rng.choice(SYNONYMS[t.lower()]) for t in tokens[at : at + size]]
    form = rng.choice(ASKED)
    return form.format(*([rng.choice(NAMES)] if form.count("{}") > 1 else []), " ".join(picked))


Flat = tuple[np.ndarray, np.ndarray, np.ndarray]


def flat(bags: Iterator[tuple[list[int], list[float]]]) -> Flat:
    rows: list[int] = []
    weights: list[float] = []
    sizes: list[int] = []
    for of_text, of_row in bags:
        rows += of_text
        weights += of_row
        sizes.append(len(of_text))
    return np.array(rows, np.int32), np.array(weights, np.float32), np.array(sizes, np.int64)


def read_part(job: tuple[str, int, list[str]]) -> Flat:
    how, seed, texts = job
    rng = random.Random(seed)
    if how == "plain":
        return flat(bag(t, rng) for t in texts)
    if how == "asked":
        return flat(bag(asked(t, rng), rng) for t in texts)
    return flat(bag(otherwise(t, how, rng), rng) for t in texts)


def all_bags(pool: Pool, how: str, texts: list[str], seed: int) -> Flat:  # type: ignore[valid-type]
    jobs = [(how, seed + i, texts[i : i + 4000]) for i in range(0, len(texts), 4000)]
    parts = pool.map(read_part, jobs, chunksize=1)  # type: ignore[attr-defined]
    return tuple(np.concatenate(p) for p in zip(*parts, strict=True))  # type: ignore[return-value]


class Bags:
    """Texts as rows with weights, flat on the device."""

    def __init__(self, parts: list[Flat], device: str) -> None:
        self.rows = torch.from_numpy(np.concatenate([p[0] for p in parts])).to(device)
        self.weights = torch.from_numpy(np.concatenate([p[1] for p in parts])).to(device)
        self.sizes = torch.from_numpy(np.concatenate([p[2] for p in parts])).to(device)
        self.begins = self.sizes.cumsum(0) - self.sizes

    def pooled(self, table: torch.Tensor, items: torch.Tensor) -> torch.Tensor:
        sizes = self.sizes[items]
        offsets = sizes.cumsum(0) - sizes
        index = torch.repeat_interleave(self.begins[items] - offsets, sizes) + torch.arange(int(sizes.sum()), device=items.device)
        return F.embedding_bag(self.rows[index].long(), table, offsets, mode="sum", per_sample_weights=self.weights[index])


def seeded(meta: dict, targets: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """First values: the target of each word times a/(a+p), for spellings what their words share."""
    known = meta["known"]
    vocab = vocabulary(known)
    a = 1e-3
    frequency = np.array(meta["frequency"])
    size = len(known) + WORD_BUCKETS + vocab._gram_buckets
    table = np.zeros((size, DIM), np.float32)
    table[: len(known)] = targets * (a / (a + frequency))[:, None]
    for i, word in enumerate(known):  # a character or a short word of Chinese shares its longer words' meaning
        if not word.isascii():
            table[i] *= 0.5
    noise = rng.standard_normal((size - len(known), DIM)).astype(np.float32)
    table[len(known) :] = noise / np.linalg.norm(noise, axis=1, keepdims=True) * 0.3
    base = len(known) + WORD_BUCKETS
    grams = table[base:] * 0.1
    for i, word in enumerate(known):
        if len(word) > 3 and word.isascii():
            np.add.at(grams, np.array(vocab.grams(word)) - base, targets[i])
    table[base:] = grams / np.linalg.norm(grams, axis=1, keepdims=True) * 0.2
    return table


def dictionary(meta: dict, texts: list[str], records: np.ndarray) -> dict[str, dict[str, list[str]]]:
    """For each language the words that translate an English word, commoner ones more often."""
    found: dict[str, dict[str, list[str]]] = {k: collections.defaultdict(list) for k in list(KNOWN)[1:]}
    share = {f"{k} {w}": p for w, k, p in zip(meta["known"], meta["language"], meta["frequency"], strict=True)}
    for number, name in enumerate(meta["sources"]):
        if translated(name):
            language = name[-2:]
            for _, i, j in records[records[:, 0] == number].tolist():
                a, b = texts[i].lower(), texts[j]
                a = a.removeprefix("to ").removeprefix("a ").removeprefix("the ")
                if a.isalpha() and a.isascii() and len(b) < 25 and b.isalpha():
                    common = share.get(f"{language} {fold(b).casefold()}", 0)
                    found[language][a] += [b] * (1 + int(np.log10(1 + common * 1e7)))
    return {k: dict(v) for k, v in found.items()}


def agreement(student: torch.Tensor, taught: torch.Tensor, scale: float) -> torch.Tensor:
    """Cross entropy between the teacher's and the student's distributions over the batch, row by row."""
    eye = torch.eye(len(student), dtype=torch.bool, device=student.device)
    s, t = (student * scale).masked_fill(eye, -1e4), (taught * scale).masked_fill(eye, -1e4)
    p = F.softmax(t, -1)
    return (p * (F.log_softmax(t, -1) - F.log_softmax(s, -1))).sum(-1).mean()


def contrast(a: torch.Tensor, b: torch.Tensor, scale: float) -> torch.Tensor:
    near = a @ b.T * scale
    right = torch.arange(len(a), device=a.device)
    return (F.cross_entropy(near, right) + F.cross_entropy(near.T, right)) / 2


class Learner:
    """The table with an Adam whose step is in proportion to a row's first length: frequent words are short, and
    stay exact. `mean` follows the table slowly."""

    def __init__(self, values: torch.Tensor) -> None:
        self.values = values.clone().requires_grad_(True)
        self.mean = values.clone()
        self.first, self.second = torch.zeros_like(values), torch.zeros_like(values)
        lengths = values.norm(dim=1, keepdim=True)
        self.pace = (lengths / lengths.median()).clamp(0.03, 1.5)
        self.step = 0

    @torch.no_grad()
    def move(self, rate: float) -> None:
        g = self.values.grad
        self.step += 1
        self.first.lerp_(g, 0.1)
        self.second.mul_(0.99).addcmul_(g, g, value=0.01)
        c1, c2 = 1 - 0.9**self.step, 1 - 0.99**self.step
        touched = (g != 0).any(1, keepdim=True)
        self.values -= rate * self.pace * touched * (self.first / c1) / ((self.second / c2).sqrt() + 1e-8)
        self.values.grad = None
        self.mean.lerp_(self.values, max(0.002, 1 / (self.step + 1)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="folder of the run-time files")
    parser.add_argument("--seed", type=int, default=20261123)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--rate", type=float, default=0.001)
    parser.add_argument("--scale", type=float, default=20.0, help="1/temperature")
    parser.add_argument("--size", type=int, default=2048, help="texts of a batch")
    parser.add_argument("--kl", type=float, default=1.0)
    parser.add_argument("--cosine", type=float, default=1.5)
    parser.add_argument("--natural", type=float, default=0.25)
    parser.add_argument("--asked", type=float, default=0.1)
    parser.add_argument("--across", type=float, default=0.3, help="weight of translations")
    parser.add_argument("--liked", type=float, default=0.05, help="weight of preferences and wishes")
    parser.add_argument("--words", type=float, default=0.3)
    parser.add_argument("--foreign", type=float, default=0.5, help="share of texts of other languages")
    parser.add_argument("--nested", type=float, default=0.3, help="weight of the losses on the first 64 or 128 dimensions")
    parser.add_argument("--keep", type=float, default=0.1, help="share of the first table in what is written")
    parser.add_argument("--limit", type=int, default=10**9, help="texts read, for trials")
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(options.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    began = time.time()
    stored = options.work / "bags.pt"
    meta, texts, records = read(options.work)
    targets = np.load(options.work / "targets.npz")
    language, count = targets["language"], len(texts)
    if stored.exists():
        data = torch.load(stored, weights_only=False)
    else:
        data = bags_of(meta, texts, records, language, options.seed)
        torch.save(data, stored.with_suffix(".part"))
        stored.with_suffix(".part").rename(stored)
    print(f"bags after {time.time() - began:.0f} s", flush=True)
    bags = Bags(data["parts"], device)
    t = torch.from_numpy(targets["texts"]).to(device)
    tw = torch.from_numpy(targets["words"]).to(device).float()
    usable = bags.sizes > 0

    def items(numbers: np.ndarray) -> torch.Tensor:
        rows = torch.from_numpy(numbers).long().to(device)
        return rows[usable[rows].all(1)] if rows.ndim == 2 else rows[usable[rows]]

    own = items(np.flatnonzero(language == 0))
    others = items(np.flatnonzero(language > 0))
    written = torch.from_numpy(data["same"]).to(device)  # what the last texts say word for word in other languages
    written_items = torch.arange(data["first"], data["first"] + len(written), device=device)
    fine = usable[written_items]
    written_items, written = written_items[fine], written[fine]
    natural = {k: items(v) for k, v in data["natural"].items() if len(v) > options.size}
    across = {k: items(v) for k, v in data["across"].items() if len(v) > 20}
    questions, liked = items(data["asked"]), items(data["liked"])
    spelled = torch.arange(data["spelled"], data["spelled"] + len(tw), device=device)
    print({k: len(v) for k, v in (natural | across).items()}, len(own), len(others), len(written), len(questions), len(liked), flush=True)
    odds = torch.tensor([len(v) ** 0.6 * (2.0 if k in {"pythonen", "codeen"} else 1.0) for k, v in natural.items()])
    names = list(natural)
    of_language = collections.defaultdict(list)
    for name, pairs in across.items():
        of_language[name[-2:]].append(pairs)
    seed = torch.from_numpy(seeded(meta, targets["words"].astype(np.float32), np.random.default_rng(options.seed))).to(device)
    learner = Learner(seed)

    def pick(rows: torch.Tensor, size: int) -> torch.Tensor:
        return rows[torch.randint(len(rows), (min(size, len(rows)),), device=device)]

    # half of a batch are neighbours: groups of near texts by the first principal directions of their targets
    centres = F.normalize(t[pick(torch.cat([own, others]), 256)].float(), dim=-1)
    labels = torch.cat([(part.float() @ centres.T).argmax(1) for part in t.split(65_536)])
    order = torch.cat([own, others])
    order = order[labels[order].argsort()]
    starts = torch.searchsorted(labels[order].contiguous(), torch.arange(257, device=device))
    shown: dict[str, list[float]] = collections.defaultdict(list)
    for step in range(options.steps):
        rate = options.rate * min(1, (step + 1) / 200) * max(0.02, 1 - step / options.steps)
        size = options.size
        abroad = int(size * options.foreign)
        group = int(torch.randint(256, ()))
        low, high = int(starts[group]), int(starts[group + 1])
        near = order[low:high]
        chosen = [pick(own, (size - abroad) // 2), pick(others, abroad // 4), pick(near, size // 2) if len(near) else own[:0]]
        single = torch.cat(chosen)
        same = torch.randint(len(written), (abroad // 4,), device=device)
        numbers = torch.cat([single, written_items[same]])
        wanted = F.normalize(t[torch.cat([single, written[same]])].float(), dim=-1)
        name = names[int(torch.multinomial(odds, 1))]
        pair = pick(natural[name], size // 2)
        foreign = list(of_language)[int(torch.randint(len(of_language), ()))]
        both = torch.cat([pick(p, size // (2 * len(of_language[foreign]))) for p in of_language[foreign]])
        question, like = pick(questions, size // 2), pick(liked, size // 2)
        word = torch.randint(len(tw), (size,), device=device)
        groups = [numbers, pair[:, 0], pair[:, 1], both[:, 0], both[:, 1], question[:, 0], question[:, 1], like[:, 0], like[:, 1], spelled[word]]
        pooled = bags.pooled(learner.values, torch.cat(groups)).split([len(g) for g in groups])
        pooled = [*pooled, learner.values[word]]
        cut = DIMS[int(torch.randint(len(DIMS) - 1, ()))]
        loss = torch.zeros((), device=device)
        for weight, dim in ((options.nested, cut), (1 - options.nested, DIM)):
            z = [F.normalize(p[:, :dim], dim=-1, eps=1e-6) for p in pooled]
            aim = F.normalize(wanted[:, :dim], dim=-1)
            aim_words = F.normalize(tw[word][:, :dim], dim=-1)
            parts = {
                "cosine": options.cosine * (1 - (z[0] * aim).sum(1)).mean(),
                "kl": options.kl * agreement(z[0] @ z[0].T, wanted @ wanted.T, options.scale),
                "natural": options.natural * contrast(z[1], z[2], options.scale),
                "across": options.across * contrast(z[3], z[4], options.scale),
                "asked": options.asked * contrast(z[5], z[6], options.scale),
                "liked": options.liked * contrast(z[7], z[8], options.scale),
                "words": options.words * ((1 - (z[10] * aim_words).sum(1)).mean() + 0.5 * (1 - (z[9] * aim_words).sum(1)).mean()),
            }
            loss = loss + weight * sum(parts.values())
        loss.backward()
        learner.move(rate)
        if step % 20 == 0:
            for k, v in parts.items():
                shown[k].append(float(v))
        if (step + 1) % 500 == 0 or step + 1 == options.steps:
            line = " ".join(f"{k} {np.mean(v[-20:]):.3f}" for k, v in shown.items())
            print(f"{step + 1} {time.time() - began:.0f}s row {learner.values.norm(dim=1).mean():.3f} {line}", flush=True)
    table = ((1 - options.keep) * learner.mean + options.keep * seed).float().cpu().numpy()
    write(options.out, meta["known"], table)
    np.save(options.out / "table.f16.npy", table.astype(np.float16))


def bags_of(meta: dict, texts: list[str], records: np.ndarray, language: np.ndarray, seed: int) -> dict:
    """All texts as rows, and which of them belong together."""
    rng = random.Random(seed)
    synonyms: dict[str, list[str]] = {}
    meta = meta | {"entries": dictionary(meta, texts, records), "synonyms": synonyms}
    print({k: len(v) for k, v in meta["entries"].items()}, "entries for", list(meta["entries"]), flush=True)
    by_source = {name: records[records[:, 0] == i][:, 1:] for i, name in enumerate(meta["sources"])}
    for name in ("wordneten", "thesaurusen"):
        for i, j in by_source.get(name, np.zeros((0, 2), int)).tolist():
            if j >= 0 and texts[j].isalpha() and texts[i].split(" (")[0].isalpha():
                synonyms.setdefault(texts[i].split(" (")[0].lower(), []).append(texts[j].lower())
    natural, across, coded, liked_texts = {}, {}, [], []
    extra: list[str] = []

    def add(text: str) -> int:
        extra.append(text)
        return len(texts) + len(extra) - 1

    for name, pairs in by_source.items():
        pairs = pairs[pairs[:, 1] >= 0]
        if translated(name):
            across[name] = pairs
            continue
        if name in {"pythonen", "codeen"}:
            pairs = np.array([(add(rng.choice(CODE).format(texts[i].rstrip(".").lower())) if rng.random() < 0.5 else i, j) for i, j in pairs.tolist()])
        natural[name] = pairs
    wished: list[tuple[int, int]] = []
    for i, j in by_source.get("wordneten", np.zeros((0, 2), int)).tolist():
        term, meaning = texts[i].split(", ")[0], texts[j].split(";")[0] if j >= 0 else ""
        if 3 < len(term) < 30 and 8 < len(meaning) < 80 and rng.random() < 0.5 and term.islower():
            meaning = re.sub(r"^(?:a|an|the|any|any of various|of or relating to) ", "", re.sub(r"\([^)]*\)", "", meaning)).strip()
            wished.append((add(rng.choice(LIKED).format(term)), add(rng.choice(WISHED).format(" ".join(meaning.split()[:6])))))
    chatty = [i for name in ("chaten", "htmlen", "texten", "fortunesen", "wordneten") for i in np.unique(by_source.get(name, np.zeros((0, 2), int))[:, 0]).tolist()]
    chatty = [i for i in chatty if rng.random() < 0.5]
    english = np.flatnonzero(language == 0).tolist()
    with Pool(min(os.cpu_count() or 1, 16), shared, (meta,)) as pool:
        parts = [all_bags(pool, "plain", texts, seed), all_bags(pool, "plain", extra, seed + 1)]
        at = len(texts) + len(extra)
        parts.append(all_bags(pool, "asked", [texts[i] for i in chatty], seed + 2))
        questions = np.stack([np.arange(at, at + len(chatty)), np.array(chatty)], 1)
        at += len(chatty)
        first, same = at, []
        for number, code in enumerate(list(KNOWN)[1:]):
            chosen = [i for i in english if rng.random() < WRITTEN_OTHERWISE / 2]
            parts.append(all_bags(pool, code, [texts[i] for i in chosen], seed + 10 + number))
            same += chosen
        at = first + len(same)
    vocab = vocabulary(meta["known"])
    parts.append(flat((list(set(vocab.spelled(w))), [1.0] * len(set(vocab.spelled(w)))) for w in meta["known"]))
    return {"parts": parts, "natural": natural, "across": across, "asked": questions, "liked": np.array(wished), "first": first, "same": np.array(same), "spelled": at}


if __name__ == "__main__":
    main()
