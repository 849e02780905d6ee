"""Trains the network of statements with labelled chats and writes what the package reads."""

from __future__ import annotations

import argparse
import gzip
import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import torch
from numpy.typing import NDArray

from holdfast.core.claims import GROUP_OF, PAST
from holdfast.language.claims.learned.network import (
    BEGINS,
    DATA,
    DENIED,
    GOES_ON,
    HOLDS,
    IS_PAST,
    OUTSIDE,
    TABLES,
    meanings_of,
)
from holdfast.language.claims.learned.properties import Token, of_form, of_places, tokens_of
from holdfast.language.vocabulary import vocabulary
from tools.claim_tagger.learning import IGNORED, READINGS, Example, arrays_of, trained
from tools.evaluation.labelled_chats import conversations
from tools.secret_tagger.documents import text_of

CHATS = (Path(__file__).parent / "chats", Path(__file__).parents[1] / "evaluation" / "chats")
"""Folders of the chats that are learned from; of the second, what is not held out."""
TYPES = tuple(sorted(GROUP_OF))
_FREQUENT = 3  # messages in which a word or property has to stand to be learned
_MOST_WORDS = 3_000
_PARAGRAPH = re.compile(r"\n\s*\n|\n\s*[*-] ")
_OF_ONESELF = re.compile(r"\b(?:i|my|me|mine|we|our|us|ich|mich|mir|mein\w*|wir|uns\w*)\b", re.IGNORECASE)
_WANTED = re.compile(
    r"^(?:\w+[,.!]? ){0,3}(?:I want to|I would like|I'd like|I need|I'm looking|I am looking|can you find)\b",
    re.IGNORECASE,
)
_MOST_OF_OTHERS, _MOST_WANTED = 3_500, 1_500
_LENGTHS = range(20, 500)  # characters of a paragraph
_OF_A_PACKAGE = 12


@dataclass(slots=True)
class Message:
    """A message with the properties and labels of its tokens."""

    tokens: list[Token]
    names: list[list[str]]
    labels: NDArray[np.int64]


def messages_of(rows: Iterable[Mapping[str, Any]]) -> list[Message]:
    """Return the messages of the users in conversations."""
    result = []
    for row in rows:
        for number, message in enumerate(row["messages"]):
            tokens = tokens_of(message["content"])
            if message["role"] == "user" and tokens:
                own = [one for one in row["statements"] if one["message"] == number]
                names = [
                    [*of_form(token.text), *of_place]
                    for token, of_place in zip(tokens, of_places(tokens), strict=True)
                ]
                result.append(Message(tokens, names, _labels(tokens, own)))
    return result


def paragraphs(folder: Path) -> list[str]:
    """Return paragraphs and lines of documents, of every second package (a folder in it): in them nobody
    speaks of themself."""
    rng = random.Random(5)
    found: list[str] = []
    for package in sorted(folder.iterdir()):
        if crc32(package.name.encode()) % 2 == 0 and package.is_dir() and not package.is_symlink():
            texts = (text_of(path) for path in sorted(package.rglob("*")))
            parts = {" ".join(part.split()) for text in texts for part in _PARAGRAPH.split(text)}
            usable = sorted(part for part in parts if len(part) in _LENGTHS and not _OF_ONESELF.search(part))
            found += rng.sample(usable, min(len(usable), _OF_A_PACKAGE))
    return found


def utterances(path: Path) -> list[str]:
    """Return lines of dialogues in which nobody speaks of themself, or only of what they want now."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        lines = sorted({line.strip() for line in file})
    rng = random.Random(5)
    of_others = [line for line in lines if not _OF_ONESELF.search(line)]
    wanted = [line for line in lines if _WANTED.search(line)]
    return rng.sample(of_others, _MOST_OF_OTHERS) + rng.sample(wanted, _MOST_WANTED)


def _labels(tokens: Sequence[Token], statements: Iterable[Mapping[str, Any]]) -> NDArray[np.int64]:
    """Return for each token what it is to a statement, and of which type and state this is."""
    labels = np.full((len(READINGS), len(tokens)), IGNORED, np.int64)
    labels[0] = OUTSIDE
    for statement in statements:
        start, end = statement["start"], statement["start"] + len(statement["quote"])
        inside = [at for at, token in enumerate(tokens) if token.start < end and start < token.end]
        is_denied = statement["polarity"] == "negative" and statement["type"] != "aversion"
        labels[0, inside] = [BEGINS, *[GOES_ON] * (len(inside) - 1)]
        labels[1, inside] = TYPES.index(statement["type"])
        labels[2, inside] = IS_PAST if statement["status"] == PAST else DENIED if is_denied else HOLDS
    return labels


class Encoder:
    """Turns tokens into numbers: the properties and words of the messages that are learned, and meanings."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self.properties = _frequent(
            {name for names in message.names for name in names} for message in messages
        )
        self.words = _frequent(
            {token.text.lower() for token in message.tokens if token.text.isalpha()} for message in messages
        )[:_MOST_WORDS]
        self._property = {name: at for at, name in enumerate(self.properties)}
        self._word = {word: at for at, word in enumerate(self.words)}

    @property
    def sizes(self) -> tuple[int, int]:
        return len(self.properties), len(self.words)

    def example(self, message: Message) -> Example:
        indexes = [
            [self._property[name] for name in names if name in self._property] for names in message.names
        ]
        table = np.full((len(indexes), max(map(len, indexes))), len(self.properties), np.int64)
        for row, found in zip(table, indexes, strict=True):
            row[: len(found)] = found
        words = [self._word.get(token.text.lower(), len(self.words)) for token in message.tokens]
        meanings = meanings_of(message.tokens)
        return Example(table, np.array(words), meanings, message.labels)

    def stored(self, arrays: Mapping[str, NDArray[np.float32]]) -> dict[str, NDArray[Any]]:
        """Return what the package reads: weights of 8 and 16 bits, and vocabularies."""
        stored: dict[str, NDArray[Any]] = {"vocabulary!": np.array(crc32(vocabulary()), np.uint32)}
        for name, words in (("properties!", self.properties), ("words!", self.words), ("types!", TYPES)):
            stored[name] = np.frombuffer("\0".join(words).encode(), np.uint8)
        for name, array in arrays.items():
            if name in TABLES:
                scale = (np.abs(array).max(1, keepdims=True) / 127).astype(np.float16).astype(np.float32)
                stored[name] = np.rint(array / np.maximum(scale, 1e-9)).astype(np.int8)
                stored[f"{name}:scale!"] = scale.astype(np.float16)
            else:
                stored[name] = array.astype(np.float16)
        return stored


def _frequent(sets: Iterable[set[str]]) -> list[str]:
    """Return the members of at least so many sets, the most frequent first."""
    counts = Counter(name for names in sets for name in names)
    return [
        name
        for name, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
        if count >= _FREQUENT
    ]


def main() -> None:
    """Make the file of the network."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--leave-out", nargs="*", default=[], help="files of chats to leave out, by name")
    parser.add_argument("--documents", type=Path, help="a folder with documents of packages")
    parser.add_argument("--dialogues", type=Path, help="a gzip file of utterances, one a line")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=DATA)
    options = parser.parse_args()
    torch.set_num_threads(1)
    files = [
        file
        for folder in CHATS
        for file in sorted(folder.glob("*.txt"))
        if file.stem != "held_out" and file.stem not in options.leave_out
    ]
    messages = messages_of(row for file in files for row in conversations(file.read_text(encoding="utf-8")))
    texts: list[str] = paragraphs(options.documents) if options.documents else []
    texts += utterances(options.dialogues) if options.dialogues else []
    messages += messages_of(
        {"messages": [{"role": "user", "content": text}], "statements": []} for text in texts
    )
    encoder = Encoder(messages)
    network = trained(list(map(encoder.example, messages)), encoder.sizes, options.rounds, options.seed)
    np.savez_compressed(options.out, allow_pickle=False, **encoder.stored(arrays_of(network)))
    statements = sum(int((message.labels[0] == BEGINS).sum()) for message in messages)
    sys.stdout.write(f"{len(messages)} messages, {statements} statements\n")


if __name__ == "__main__":
    main()
