"""Trains the tagger and writes what the package reads, or measures an author that was left out."""

from __future__ import annotations

import argparse
import pickle
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import torch
from numpy.typing import NDArray

from holdfast.language.secrets.find import proposals
from holdfast.language.secrets.handover.find import names_secrets
from holdfast.language.secrets.tagger.decide import character_at
from holdfast.language.secrets.tagger.properties import of_places, of_word
from holdfast.language.secrets.tagger.tokens import Token, tokens_of
from holdfast.language.vocabulary import vocabulary
from tools.secret_tagger.documents import documents
from tools.secret_tagger.labelled import (
    AUTHORS,
    FORM_AUTHORS,
    Labelled,
    beside,
    conversations,
    filled,
    generated,
    hidden,
    labels,
    of_rules,
    requests,
    texts_of,
)
from tools.secret_tagger.learning import Example, arrays_of, chances, trained
from tools.secret_tagger.meaning import packed
from tools.secret_tagger.varied import varied

_DATA = Path(__file__).parents[2] / "src" / "holdfast" / "language" / "secrets" / "tagger" / "data"
_LONGEST = 1_200  # characters of a text that are read
_FREQUENT = 4  # texts in which a word has to stand to be one of its own
_MOST_WORDS = 1_500


@dataclass(slots=True)
class Read:
    """A text as it is when the tagger decides on it."""

    text: str
    tokens: list[Token]
    names: list[list[str]]
    labels: list[bool]
    secrets: tuple[str, ...]
    found: list[tuple[int, int, str]]
    speaks: bool
    weight: float


def read(texts: Iterable[Labelled], weight: float) -> list[Read]:
    """Return texts with the properties and labels of their tokens."""
    made = []
    for labelled in texts:
        data, spans = proposals(labelled.text[:_LONGEST])
        text = data.decode("utf-8", "replace")
        tokens = tokens_of(text)
        found = [(character_at(data, start), character_at(data, end), kind) for start, end, kind in spans]
        names = [
            [*of_word(token.text)[0], *of_place]
            for token, of_place in zip(tokens, of_places(text, tokens, found), strict=True)
        ]
        marked = labels(text, tokens, labelled.secrets)
        if tokens:
            speaks = bool(found) or names_secrets(data)
            made.append(Read(text, tokens, names, marked, labelled.secrets, found, speaks, weight))
    return made


class Encoder:
    """Turns tokens into numbers: the properties and words of the texts that are learned, and meanings."""

    def __init__(self, texts: Sequence[Read]) -> None:
        self.properties = sorted({name for text in texts for names in text.names for name in names})
        counts = Counter(
            word
            for text in texts
            for word in {
                token.text.lower() for token, label in zip(text.tokens, text.labels, strict=True) if not label
            }
        )
        self.words = [
            word
            for word, count in counts.most_common(_MOST_WORDS)
            if count >= _FREQUENT and not any(map(str.isdigit, word)) and "\0" not in word
        ]
        self.codes, self.centres = packed()
        self._property = {name: at for at, name in enumerate(self.properties)}
        self._word = {word: at for at, word in enumerate(self.words)}

    @property
    def sizes(self) -> tuple[int, int, int]:
        return len(self.properties), len(self.words), self.centres.shape[0] * self.centres.shape[2]

    def example(self, text: Read) -> Example:
        indexes = [[self._property[name] for name in names if name in self._property] for names in text.names]
        table = np.full((len(indexes), max(map(len, indexes))), len(self.properties), np.int64)
        for row, found in zip(table, indexes, strict=True):
            row[: len(found)] = found
        return Example(
            table,
            np.array([self._word.get(token.text.lower(), len(self.words)) for token in text.tokens]),
            np.stack([self._meaning(token.text) for token in text.tokens]),
            np.array(text.labels, np.float32),
            text.weight,
        )

    def _meaning(self, word: str) -> NDArray[np.float32]:
        rows = list(of_word(word)[1])
        if not rows:
            return np.zeros(self.sizes[2], np.float32)
        codes = self.codes[rows]
        mean: NDArray[np.float32] = (
            self.centres[np.arange(codes.shape[1]), codes].reshape(len(rows), -1).mean(0)
        )
        return mean

    def stored(self, arrays: dict[str, NDArray[np.float32]]) -> dict[str, NDArray[Any]]:
        """Return what the package reads: weights of 16 bits, and vocabularies."""
        stored: dict[str, NDArray[Any]] = {
            "codes!": self.codes,
            "vocabulary!": np.array(crc32(vocabulary()), np.uint32),
        }
        for name, words in (("properties!", self.properties), ("words!", self.words)):
            stored[name] = np.frombuffer("\0".join(words).encode(), np.uint8)
        for name, array in {**arrays, "centres": self.centres}.items():
            stored[name] = array.astype(np.float16)
        return stored


def learned_texts(
    authors: Sequence[str], form_authors: Sequence[str], chats: str | None, folder: Path | None
) -> list[Read]:
    """Return all texts that are learned from."""
    texts: list[Read] = []
    for number, source in enumerate([*map(texts_of, authors), of_rules()]):
        texts += read(source, 1.0)
        texts += read(varied(source, 2, number), 0.3)
        texts += read(hidden(source), 0.3)
        texts += read(beside(source, number), 0.3)
    for number, author in enumerate(form_authors):
        texts += read(filled(author, 4, number), 0.3)
        texts += read(beside(filled(author, 1, number + 100), number), 0.3)
    texts += read(generated(), 0.5)
    texts += read(requests(), 0.3)
    if chats:
        texts += read(conversations(chats, 2_500), 0.3)
    if folder:
        texts += read(documents(folder), 0.3)
    return texts


def main() -> None:
    """Make the file of the tagger, or measure an author by the texts of the others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chats", help="a gzip file of utterances without secrets, one a line")
    parser.add_argument("--documents", type=Path, help="a folder with documents of packages")
    parser.add_argument(
        "--leave-out", choices=(*AUTHORS, *FORM_AUTHORS), nargs="+", default=[], help="leave out authors"
    )
    parser.add_argument("--rounds", type=int, default=13)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=_DATA / "network.npz")
    options = parser.parse_args()
    torch.set_num_threads(1)
    authors, form_authors = (
        [author for author in every if author not in options.leave_out] for every in (AUTHORS, FORM_AUTHORS)
    )
    texts = learned_texts(authors, form_authors, options.chats, options.documents)
    encoder = Encoder(texts)
    examples = [encoder.example(text) for text in texts]
    network = trained(examples, encoder.sizes, options.rounds, options.seed)
    if not {*options.leave_out}.isdisjoint(AUTHORS):
        left_out = read(
            [text for name in AUTHORS if name in options.leave_out for text in texts_of(name)], 1.0
        )
        found = chances(network, [encoder.example(text) for text in left_out], encoder.sizes)
        options.out.write_bytes(pickle.dumps((left_out, found)))
    else:
        np.savez(options.out, allow_pickle=False, **encoder.stored(arrays_of(network)))
    sys.stdout.write(f"{len(texts)} texts, {sum(len(text.tokens) for text in texts)} tokens\n")


if __name__ == "__main__":
    main()
