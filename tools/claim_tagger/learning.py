"""The network of statements in PyTorch: its training, and its weights as the package reads them."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from holdfast.core.claims import GROUP_OF
from holdfast.language.claims.learned.network import DILATIONS
from holdfast.language.vocabulary import DIMENSIONS
from tools.training import train_averaged

WIDTH, WORD = 192, 64
READINGS = {"parts": 3, "types": len(GROUP_OF), "states": 3}
"""What is read of each token, and the number of its classes."""
IGNORED = -100
"""The label of tokens of which nothing is to be learned."""
_LOSS_WEIGHTS = {"parts": 1.0, "types": 0.6, "states": 0.6}
_DROPOUT, _LOSS_SCALE, _BATCH = 0.3, 16.0, 16


@dataclass(slots=True)
class Example:
    """A message as the network sees it: the properties, word, meaning and three labels of each token."""

    properties: NDArray[np.int64]
    words: NDArray[np.int64]
    meaning: NDArray[np.float32]
    labels: NDArray[np.int64]


class Tagger(nn.Module):
    """The network that `holdfast.language.claims.learned.network` computes."""

    def __init__(self, properties: int, words: int) -> None:
        super().__init__()
        self.property = nn.EmbeddingBag(properties + 1, WIDTH, mode="sum", padding_idx=properties)
        self.word = nn.Embedding(words + 1, WORD)  # the last is that of all other words
        self.enter = nn.Linear(DIMENSIONS + WORD, WIDTH)
        self.layers = nn.ModuleList(
            nn.Conv1d(WIDTH, WIDTH, 3, padding=step, dilation=step) for step in DILATIONS
        )
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(len(DILATIONS) + 1))
        self.readings = nn.ModuleList(nn.Linear(WIDTH, count) for count in READINGS.values())
        self.drop = nn.Dropout(_DROPOUT)
        nn.init.normal_(self.property.weight, 0, 0.1)
        nn.init.normal_(self.word.weight, 0, 0.1)

    def forward(self, properties: Any, words: Any, meaning: Any, mask: Any) -> list[Any]:
        count, length = mask.shape
        whole = mask.unsqueeze(-1)
        x = self.enter(torch.cat([meaning, self.word(words)], -1))
        x = x + self.property(properties.view(count * length, -1)).view(count, length, -1)
        x = self.drop(torch.relu(self.norms[0](x))) * whole
        for layer, norm in zip(self.layers, list(self.norms)[1:], strict=True):
            x = (x + self.drop(torch.relu(norm(layer(x.transpose(1, 2)).transpose(1, 2))))) * whole
        return [reading(x) for reading in self.readings]


def trained(examples: Sequence[Example], sizes: tuple[int, int], rounds: int, seed: int) -> Tagger:
    """Return a network that has learned the examples."""
    torch.manual_seed(seed)
    network = Tagger(*sizes)

    def loss_of(arrays: tuple[Any, ...]) -> Any:
        properties, words, meaning, mask, labels = arrays
        # what the network must do without now and then
        properties[torch.rand(properties.shape) < 0.1] = sizes[0]
        words[torch.rand(words.shape) < 0.2] = sizes[1]
        meaning = meaning * (torch.rand(mask.shape) > 0.1).unsqueeze(-1)
        loss = sum(
            weight
            * nn.functional.cross_entropy(
                read.transpose(1, 2), labels[:, number], ignore_index=IGNORED, reduction="sum"
            )
            for number, (read, weight) in enumerate(
                zip(network(properties, words, meaning, mask), _LOSS_WEIGHTS.values(), strict=True)
            )
        )
        return loss / (mask.sum().sqrt() * _LOSS_SCALE)

    learned: Tagger = train_averaged(
        network, lambda rng: _batches(examples, sizes, rng), loss_of, math.ceil(len(examples) / _BATCH),
        rounds=rounds, seed=seed, warmup_steps=150,
    )  # fmt: skip
    return learned


def _batches(
    examples: Sequence[Example], sizes: tuple[int, int], rng: random.Random
) -> Iterator[tuple[Any, ...]]:
    """Yield the examples in batches of like length, in random order."""
    order = sorted(range(len(examples)), key=lambda at: len(examples[at].words) + 8 * rng.random())
    groups = [order[at : at + _BATCH] for at in range(0, len(order), _BATCH)]
    rng.shuffle(groups)
    for group in groups:
        chosen = [examples[at] for at in group]
        length = max(len(example.words) for example in chosen)
        widest = max(example.properties.shape[1] for example in chosen)
        properties = np.full((len(chosen), length, widest), sizes[0], np.int64)
        words = np.full((len(chosen), length), sizes[1], np.int64)
        meaning = np.zeros((len(chosen), length, DIMENSIONS), np.float32)
        mask = np.zeros((len(chosen), length), np.float32)
        labels = np.full((len(chosen), len(READINGS), length), IGNORED, np.int64)
        for row, example in enumerate(chosen):
            count = len(example.words)
            properties[row, :count, : example.properties.shape[1]] = example.properties
            words[row, :count], meaning[row, :count] = example.words, example.meaning
            mask[row, :count], labels[row, :, :count] = 1, example.labels
        yield tuple(map(torch.from_numpy, (properties, words, meaning, mask, labels)))


def arrays_of(network: Tagger) -> dict[str, NDArray[np.float32]]:
    """Return the weights by the names under which the package reads them."""
    of = {name: value.detach().numpy() for name, value in network.named_parameters()}
    arrays = {
        "property": of["property.weight"][:-1],
        "word": of["word.weight"] @ of["enter.weight"][:, -WORD:].T,
        "meaning": of["enter.weight"][:, :-WORD].T,
        "meaning:bias": of["enter.bias"],
    }
    for number in range(len(DILATIONS)):
        name, weights = f"layer{number}", of[f"layers.{number}.weight"]
        arrays[name] = np.stack(
            [weights[:, :, at].T for at in range(3)]
        )  # the one before, itself, the one after
        arrays[f"{name}:bias"] = of[f"layers.{number}.bias"]
    for number in range(len(DILATIONS) + 1):
        arrays[f"norm{number}"] = of[f"norms.{number}.weight"]
        arrays[f"norm{number}:bias"] = of[f"norms.{number}.bias"]
    for number, name in enumerate(READINGS):
        arrays[name] = of[f"readings.{number}.weight"].T
        arrays[f"{name}:bias"] = of[f"readings.{number}.bias"]
    return arrays
