"""The network of the tagger in PyTorch: its training, and its weights as the package reads them."""

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

from tools.training import train_averaged

WIDTH, WORD = 64, 24
_HEADS, _DILATIONS = 4, (1, 1, 2, 4)
_DROPPED = 0.25
_LOSS = 16.0


@dataclass(slots=True)
class Example:
    """A text as the network sees it: of each token the properties, the word, the meaning and the label."""

    properties: NDArray[np.int64]
    words: NDArray[np.int64]
    meaning: NDArray[np.float32]
    labels: NDArray[np.float32]
    weight: float


class Tagger(nn.Module):
    """The network that `holdfast.language.secrets.tagger.network` computes."""

    def __init__(self, properties: int, words: int, meaning: int) -> None:
        super().__init__()
        self.property = nn.EmbeddingBag(properties + 1, WIDTH, mode="sum", padding_idx=properties)
        self.word = nn.Embedding(words + 1, WORD)  # the last is that of all other words
        self.enter = nn.Linear(meaning + WORD, WIDTH)
        self.around = nn.ModuleList(
            nn.Conv1d(WIDTH, WIDTH, 3, padding=step, dilation=step) for step in _DILATIONS
        )
        self.last = nn.Conv1d(WIDTH, WIDTH, 3, padding=1)
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(len(_DILATIONS) + 2))
        self.attention = nn.Linear(WIDTH, 3 * WIDTH)
        self.joined = nn.Linear(WIDTH, WIDTH)
        self.out = nn.Linear(WIDTH, 1)
        self.drop = nn.Dropout(_DROPPED)
        nn.init.normal_(self.property.weight, 0, 0.1)
        nn.init.normal_(self.word.weight, 0, 0.1)

    def forward(self, properties: Any, words: Any, meaning: Any, mask: Any) -> Any:
        count, length = mask.shape
        whole = mask.unsqueeze(-1)
        x = self.enter(torch.cat([meaning, self.word(words)], -1))
        x = x + self.property(properties.view(count * length, -1)).view(count, length, -1)
        x = self.drop(torch.relu(self.norms[0](x))) * whole
        for number, layer in enumerate(self.around):
            x = (x + self._step(layer, x, number + 1)) * whole
        queries, keys, values = (
            part.view(count, length, _HEADS, -1).transpose(1, 2) for part in self.attention(x).chunk(3, -1)
        )
        scores = (
            queries @ keys.transpose(-1, -2) / math.sqrt(WIDTH / _HEADS) + (mask[:, None, None] - 1) * 1e4
        )
        seen = (torch.softmax(scores, -1) @ values).transpose(1, 2).reshape(count, length, -1)
        x = (x + self.drop(self.joined(seen))) * whole
        return self.out(x + self._step(self.last, x, len(_DILATIONS) + 1)).squeeze(-1)

    def _step(self, layer: Any, x: Any, number: int) -> Any:
        return self.drop(torch.relu(self.norms[number](layer(x.transpose(1, 2)).transpose(1, 2))))


def trained(examples: Sequence[Example], sizes: tuple[int, int, int], rounds: int, seed: int) -> Tagger:
    """Return a network that has learned the examples."""
    torch.manual_seed(seed)
    network, batch = Tagger(*sizes), 32

    def loss_of(arrays: tuple[Any, ...]) -> Any:
        properties, words, meaning, mask, labels, weight = arrays
        # what the network must do without now and then
        properties[torch.rand(properties.shape) < 0.08] = sizes[0]
        words[torch.rand(words.shape) < 0.15] = sizes[1]
        meaning = meaning * (torch.rand(mask.shape) > 0.1).unsqueeze(-1)
        result = network(properties, words, meaning, mask)
        loss = nn.functional.binary_cross_entropy_with_logits(result, labels, reduction="none")
        return (loss * mask * weight[:, None]).sum() / (mask.sum().sqrt() * _LOSS)

    learned: Tagger = train_averaged(
        network, lambda rng: _batches(examples, batch, sizes, rng), loss_of, math.ceil(len(examples) / batch),
        rounds=rounds, seed=seed, warmup_steps=200,
    )  # fmt: skip
    return learned


def _batches(
    examples: Sequence[Example], size: int, sizes: tuple[int, int, int], rng: random.Random
) -> Iterator[tuple[Any, ...]]:
    """Yield the examples in batches of like length, in random order."""
    order = sorted(range(len(examples)), key=lambda at: len(examples[at].labels) + 8 * rng.random())
    groups = [order[at : at + size] for at in range(0, len(order), size)]
    rng.shuffle(groups)
    for group in groups:
        chosen = [examples[at] for at in group]
        length = max(len(example.labels) for example in chosen)
        widest = max(example.properties.shape[1] for example in chosen)
        properties = np.full((len(chosen), length, widest), sizes[0], np.int64)
        words = np.full((len(chosen), length), sizes[1], np.int64)
        meaning = np.zeros((len(chosen), length, sizes[2]), np.float32)
        mask, labels = np.zeros((2, len(chosen), length), np.float32)
        for row, example in enumerate(chosen):
            count = len(example.labels)
            properties[row, :count, : example.properties.shape[1]] = example.properties
            words[row, :count], meaning[row, :count] = example.words, example.meaning
            mask[row, :count], labels[row, :count] = 1, example.labels
        weights = np.array([example.weight for example in chosen], np.float32)
        yield tuple(map(torch.from_numpy, (properties, words, meaning, mask, labels, weights)))


def chances(network: Tagger, examples: Sequence[Example], sizes: tuple[int, int, int]) -> list[NDArray[Any]]:
    """Return the probabilities of the tokens of each example."""
    found = []
    with torch.no_grad():
        for example in examples:
            (batch,) = _batches([example], 1, sizes, random.Random(0))
            found.append(torch.sigmoid(network(*batch[:4]))[0].numpy())
    return found


def arrays_of(network: Tagger) -> dict[str, NDArray[np.float32]]:
    """Return the weights by the names under which the package reads them."""
    of = {name: value.detach().numpy() for name, value in network.named_parameters()}
    meaning = of["enter.weight"][:, :-WORD].T
    arrays = {
        "property": of["property.weight"][:-1], "meaning": meaning, "in:bias": of["enter.bias"],
        "word": of["word.weight"] @ of["enter.weight"][:, -WORD:].T,
        "joined": of["joined.weight"].T, "joined:bias": of["joined.bias"],
        "out": of["out.weight"][0], "out:bias": of["out.bias"],
        "last": _folded(of["last.weight"]), "last:bias": of["last.bias"],
    }  # fmt: skip
    for at, name in enumerate(("query", "key", "value")):
        part = slice(at * WIDTH, (at + 1) * WIDTH)
        arrays[name] = of["attention.weight"][part].T
        arrays[f"{name}:bias"] = of["attention.bias"][part]
    for number in range(len(_DILATIONS)):
        arrays[f"conv{number}"] = _folded(of[f"around.{number}.weight"])
        arrays[f"conv{number}:bias"] = of[f"around.{number}.bias"]
    for number in range(len(_DILATIONS) + 2):
        arrays[f"norm{number}"] = of[f"norms.{number}.weight"]
        arrays[f"norm{number}:bias"] = of[f"norms.{number}.bias"]
    return arrays


def _folded(weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a convolution as the matrices of the neighbour before, of the row itself and of that behind."""
    return np.stack([weights[:, :, at].T for at in range(weights.shape[2])])
