"""Step 2: what each text and word should be near: vectors of both teachers in the space of the first.

English texts keep their vector of MiniLM. A map from e5's space to MiniLM's is learned from English texts and from
translations; a text of another language gets its mapped vector, averaged with MiniLM's of its translations. All is
centred and turned by its principal axes, of which the first 256 are kept.
"""

from __future__ import annotations

import argparse
import json
import lzma
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from table import DIM, KNOWN, fold
from teachers import HIDDEN, Teacher



class Bridge(torch.nn.Module):
    """From e5's space to MiniLM's."""

    def __init__(self, wide: int = 2048) -> None:
        super().__init__()
        self.straight = torch.nn.Linear(HIDDEN, HIDDEN)
        self.bent = torch.nn.Sequential(torch.nn.Linear(HIDDEN, wide), torch.nn.GELU(), torch.nn.Linear(wide, HIDDEN))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.normalize(self.straight(x) + self.bent(x), dim=-1)


def read(work: Path) -> tuple[dict, list[str], np.ndarray]:
    meta = json.loads((work / "words.json").read_text())
    with lzma.open(work / "texts.xz", "rt", newline="\n") as lines:
        texts = [line.rstrip("\n") for line in lines]
    return meta, texts, np.load(work / "records.npy")


def translated(name: str) -> bool:
    """Whether a source holds English texts with their translation."""
    return "|" in name and "!|" not in name


def languages(meta: dict, records: np.ndarray, count: int) -> np.ndarray:
    """The language of each text, by its place in KNOWN's order: en, de, fr, es, zh."""
    order = list(KNOWN)
    found = np.zeros(count, np.int8)
    for number, name in enumerate(meta["sources"]):
        part = records[records[:, 0] == number]
        language = order.index(name[-2:])
        if language:
            sides = part[:, 2:] if translated(name) else part[:, 1:]
            found[sides[sides >= 0].ravel()] = language
    for number, name in enumerate(meta["sources"]):  # what is English somewhere is English
        if translated(name):
            found[records[records[:, 0] == number, 1]] = 0
    return found



def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=12)
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(20261123)
    began = time.time()
    meta, texts, records = read(options.work)
    language = languages(meta, records, len(texts))
    words, of_word = meta["written"], np.array([list(KNOWN).index(k) for k in meta["language"]])
    every = [*texts, *words]
    english = np.flatnonzero(np.concatenate([language, of_word]) == 0)
    cached = options.work / "vectors.npz"
    if cached.exists():
        stored = np.load(cached)
        own, many = stored["own"], stored["many"]
    else:
        own = np.zeros((len(every), HIDDEN), np.float16)
        own[english] = Teacher(options.work / "teachers.npz", "minilm", 128).embed([every[i] for i in english])
        print(f"{len(english)} English texts and words after {time.time() - began:.0f} s", flush=True)
        many = Teacher(options.work / "teachers.npz", "e5").embed(every)
        np.savez(cached, own=own, many=many)
    print(f"{len(every)} texts and words after {time.time() - began:.0f} s", flush=True)
    is_translated = np.isin(records[:, 0], [i for i, name in enumerate(meta["sources"]) if translated(name)])
    pairs = records[is_translated][:, 1:]
    x = torch.from_numpy(np.concatenate([english, pairs[:, 1]]))
    y = torch.from_numpy(np.concatenate([english, pairs[:, 0]]))
    e5, minilm = torch.from_numpy(many).to(device), torch.from_numpy(own).to(device)
    held = torch.randperm(len(pairs))[:4000] + len(english)
    bridge = Bridge().to(device)
    centre = e5[x[: len(english)].to(device)].float().mean(0)
    steps = options.epochs * (len(x) // 8192 + 1)
    optimiser = torch.optim.AdamW(bridge.parameters(), 1e-3, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 2e-3, total_steps=steps)
    allowed = torch.ones(len(x), dtype=torch.bool)
    allowed[held] = False
    usable = allowed.nonzero()[:, 0]
    for _ in range(steps):
        pick = usable[torch.randint(len(usable), (8192,))]
        a, b = ((e5[x[pick].to(device)].float() - centre) * 3), minilm[y[pick].to(device)].float()
        z = bridge(a)
        near = z @ b.T * 20
        right = torch.arange(len(pick), device=device)
        loss = (1 - (z * b).sum(1)).mean() + 0.1 * F.cross_entropy(near, right)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    with torch.no_grad():
        mapped = torch.cat([bridge((part.float() - centre) * 3) for part in e5.split(65_536)])
        print(f"bridge after {time.time() - began:.0f} s: English {F.cosine_similarity(mapped[x[usable[:20000]].to(device)], minilm[y[usable[:20000]].to(device)].float()).mean():.3f}"
              f" translations {F.cosine_similarity(mapped[x[held].to(device)], minilm[y[held].to(device)].float()).mean():.3f}", flush=True)
        target = mapped.clone()
        added, number = torch.zeros_like(mapped), torch.zeros(len(mapped), device=device)
        a, b = (torch.from_numpy(np.ascontiguousarray(pairs[:, i])).long().to(device) for i in (0, 1))
        added.index_add_(0, b, minilm[a].float())
        number.index_add_(0, b, torch.ones(len(b), device=device))
        # words of other languages: what their entries in dictionaries mean
        at = {f"{k} {w}": i + len(texts) for i, (w, k) in enumerate(zip(meta["known"], meta["language"], strict=True))}
        to, of = [], []
        order = list(KNOWN)
        for i, j in pairs.tolist():
            word = texts[j]
            if len(word) < 25 and (row := at.get(f"{order[language[j]]} {fold(word).casefold()}")):
                to.append(row), of.append(i)
        rows, meant = torch.tensor(to, device=device), torch.tensor(of, device=device)
        added.index_add_(0, rows, minilm[meant].float())
        number.index_add_(0, rows, torch.ones(len(rows), device=device))
        several = number > 0
        target[several] = F.normalize(F.normalize(added[several], dim=-1) + mapped[several], dim=-1)
        chosen = torch.from_numpy(english).to(device)
        target[chosen] = minilm[chosen].float()
        # a plain mean over languages, so that no one language's mean is a direction
        for k in range(1, 5):
            part = torch.from_numpy(np.flatnonzero(np.concatenate([language, of_word]) == k)).to(device)
            target[part] = F.normalize(target[part], dim=-1)
        mean = target[: len(texts)].mean(0)
        sample = torch.cat([target[: len(texts)][torch.randperm(len(texts), device=device)[:60_000]], target[len(texts) :]])
        basis = torch.linalg.eigh((sample - mean).T @ (sample - mean))[1].flip(1)[:, : DIM]
        whole = torch.cat([F.normalize((part - mean) @ basis, dim=-1) for part in target.split(65_536)])
        kept = torch.cat([(((part - mean) @ basis).norm(dim=-1) / (part - mean).norm(dim=-1)) ** 2 for part in target[: len(texts)].split(65_536)])
        print(f"{DIM} dimensions keep {kept.mean():.3f}; {int(several.sum())} with translations; {len(rows)} entries of words")
    np.savez(options.work / "targets.npz", texts=whole[: len(texts)].half().cpu().numpy(), words=whole[len(texts) :].half().cpu().numpy(), language=language)


if __name__ == "__main__":
    main()
