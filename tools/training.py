"""The training that both networks share: AdamW, a rate that falls to zero, averaged weights."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import nn

_RATE, _DECAY, _CLIPPED = 2e-3, 0.02, 1.0
_SETTLED = 0.6
"""Share of the steps after which the weights are averaged."""


def train_averaged(
    network: Any,
    batches: Callable[[random.Random], Iterable[Any]],
    loss_of: Callable[[Any], Any],
    steps_of_round: int,
    *,
    rounds: int,
    seed: int,
    warmup_steps: int,
) -> Any:
    """Return a network that has learned batches, its weights the mean of every tenth of the last steps.

    `loss_of` a batch is minimized; the rate rises for `warmup_steps`, then falls to zero."""
    rng = random.Random(seed)
    step, steps = 0, rounds * steps_of_round
    optimizer = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=_DECAY)
    mean = torch.optim.swa_utils.AveragedModel(network)
    for _ in range(rounds):
        for batch in batches(rng):
            for group in optimizer.param_groups:
                group["lr"] = _RATE * min(1.0, step / warmup_steps) * (1 - step / steps) + 1e-6
            optimizer.zero_grad()
            loss_of(batch).backward()
            nn.utils.clip_grad_norm_(network.parameters(), _CLIPPED)
            optimizer.step()
            step += 1
            if step > _SETTLED * steps and (step % 10 == 0 or step == steps):
                mean.update_parameters(network)
    if not mean.n_averaged:
        raise ValueError(f"{steps} steps are too few")
    mean.module.eval()
    return mean.module
