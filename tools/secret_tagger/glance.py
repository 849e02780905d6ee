"""Teaches the tagger to pass over texts at a glance: a sum over words, of what the network makes of texts.

`python -m tools.secret_tagger.glance` adds the weights to `network.npz`, by NumPy alone. They are those of a
logistic regression on each word and its neighbours, and the least sum of a text in which the network is
nearly sure of a secret.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from holdfast.language.secrets.find import proposals
from holdfast.language.secrets.handover.find import names_secrets
from holdfast.language.secrets.tagger.decide import SURE
from holdfast.language.secrets.tagger.network import DATA, GLANCED, Floats, Network, Piece, network
from holdfast.language.secrets.tagger.tokens import tokens_of
from tools.evaluation.corpora.ordinary import ordinary_memories
from tools.secret_tagger.documents import documents
from tools.secret_tagger.labelled import (
    AUTHORS,
    FORM_AUTHORS,
    Labelled,
    conversations,
    filled,
    generated,
    hidden,
    of_rules,
    texts_of,
)
from tools.secret_tagger.varied import varied

_LONGEST = 1_200  # characters of a text that are read
_WIDTH = 2 * GLANCED + 1
_BATCH = 512
_ROUNDS = 4
_RATE = 5e-3
_SOME = 0.3
"""Probability from which a word counts for more, and how much more."""
_MORE = 14
NEARLY = 0.8
"""Probability of a secret in the texts that are read at least; a secret is found with `SURE`."""


def read(texts: Iterable[Labelled]) -> list[Piece]:
    """Return the texts that the network would read, in which rules find nothing."""
    pieces = []
    for labelled in texts:
        data, found = proposals(labelled.text[:_LONGEST])
        if found or not names_secrets(data):
            continue
        text = data.decode("utf-8", "replace")
        if tokens := tokens_of(text):
            pieces.append(Piece(text, tokens, ()))
    return pieces


def texts(
    authors: Sequence[str], form_authors: Sequence[str], chats: str | None, folder: Path | None
) -> list[Labelled]:
    """Return all texts that are learned from."""
    every: list[Labelled] = []
    for number, source in enumerate([*map(texts_of, authors), of_rules()]):
        every += [*source, *varied(source, 5, number), *hidden(source)]
    for number, author in enumerate(form_authors):
        every += filled(author, 6, number)
    every += [*generated(), *map(Labelled, ordinary_memories(1, 3_000))]
    every += documents(folder) if folder else []
    return every + (conversations(chats, 12_000, 77) if chats else [])


class Seen:
    """Pieces as rows of the words in them and beside them, with what the network makes of them."""

    def __init__(self, reader: Network, pieces: Sequence[Piece]) -> None:
        self.lengths = [len(piece.tokens) for piece in pieces]
        chances = [
            chance for at in range(0, len(pieces), 256) for chance in reader.chances(pieces[at : at + 256])
        ]
        self.chances: Floats = np.concatenate(chances)
        self.surest = np.array([chance.max() for chance in chances])
        place: dict[str, int] = {}
        rows = []
        nothing = np.zeros(GLANCED, np.int64)
        for piece in pieces:
            words = np.array([place.setdefault(word, len(place) + 1) for word, _, _ in piece.tokens])
            padded = np.concatenate([nothing, words, nothing])
            rows.append(np.lib.stride_tricks.sliding_window_view(padded, _WIDTH))
        self.windows: NDArray[np.int64] = np.concatenate(rows)
        made = reader.by_themselves(list(place))
        self.words: Floats = np.concatenate([np.zeros((1, made.shape[1]), np.float32), made])

    def sums(self, weights: Floats) -> Floats:
        """Return the largest sum of each piece."""
        parts = self.words @ weights.T
        sums = parts[self.windows, np.arange(_WIDTH)].sum(1)
        starts = np.cumsum([0, *self.lengths[:-1]])
        largest: Floats = np.maximum.reduceat(sums, starts)
        return largest


def learned(seen: Seen, seed: int = 1) -> Floats:
    """Return the weights of a word and of its neighbours, by their distance."""
    rng = np.random.default_rng(seed)
    weights: Floats = np.zeros((_WIDTH, seen.words.shape[1]), np.float32)
    mean, square, bias, step = np.zeros_like(weights), np.zeros_like(weights), -2.0, 0
    for round_ in range(_ROUNDS):
        order = rng.permutation(len(seen.chances))
        for at in range(0, len(order), _BATCH):
            batch = order[at : at + _BATCH]
            x, wanted = seen.words[seen.windows[batch]], seen.chances[batch]
            guessed = 1 / (1 + np.exp(-np.einsum("nkd,kd->n", x, weights, optimize=True) - bias))
            wrong = (guessed - wanted) * (1 + _MORE * (wanted > _SOME)) / len(batch)
            slope = np.einsum("n,nkd->kd", wrong, x, optimize=True) + 1e-5 * weights
            step += 1
            mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope * slope
            rate = _RATE * (1 - round_ / _ROUNDS)
            weights -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
            bias -= 5 * rate * float(wrong.sum())
    return weights.astype(np.float16).astype(np.float32)


def main() -> None:
    """Add the weights to the file of the tagger, or measure an author by the texts of the others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chats", help="a gzip file of utterances without secrets, one a line")
    parser.add_argument("--documents", type=Path, help="a folder with documents of packages")
    parser.add_argument("--leave-out", choices=AUTHORS, help="leave out the texts of one author")
    options = parser.parse_args()
    reader = network()
    authors = [name for name in AUTHORS if name != options.leave_out]
    seen = Seen(reader, read(texts(authors, FORM_AUTHORS, options.chats, options.documents)))
    weights = learned(seen)
    least = seen.sums(weights)[seen.surest >= NEARLY].min()
    if options.leave_out:
        source = texts_of(options.leave_out)
        seen = Seen(reader, read([*source, *varied(source, 5, 0)]))
        sure = seen.surest >= SURE
        lost = sure & (seen.sums(weights) < least)
        sys.stdout.write(f"passed over {lost.sum()} of {sure.sum()} texts in which the network is sure\n")
    else:
        with np.load(DATA) as file:
            arrays = {name: file[name] for name in file.files}
        arrays["glance"] = weights.astype(np.float16)
        arrays["glance:least"] = np.array([least], np.float32)
        np.savez(DATA, allow_pickle=False, **arrays)
    passed = (seen.sums(weights) >= least).mean()
    sys.stdout.write(f"{len(seen.lengths)} texts, {passed:.0%} of them read\n")


if __name__ == "__main__":
    main()
