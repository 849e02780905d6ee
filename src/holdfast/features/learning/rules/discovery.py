"""Counts from a log how far a session had to look before it found the file that it then changed first."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from holdfast.features.learning.rules.log import CHANGES, LOOKS, Act, Step

OPENED_MAX = 200
"""Files for which it is remembered when they were first looked at."""


def discovery_of(
    before: Mapping[str, Any], steps: Iterable[Step], *, with_memory: bool, project: int | None
) -> dict[str, Any]:
    """Returns what is known after further steps of a session, as JSON.

    Until a file is changed: the `tokens` of all looks, and what they were before the first look at each
    `opened` file. From then on: `found`, the tokens before the first look at that file, whether the session
    was given memory until then, and the number of its project.
    """
    if "found" in before:
        return dict(before)
    tokens, opened = int(before.get("tokens", 0)), dict(before.get("opened", {}))
    for step in steps:
        if step.act in CHANGES and not step.failed:
            tokens_before = opened.get(_key(step.target), tokens)
            return {"found": tokens_before, "with_memory": with_memory, "project": project}
        if step.act is Act.READ and not step.failed and len(opened) < OPENED_MAX:
            opened.setdefault(_key(step.target), tokens)
        if step.act in LOOKS:
            tokens += step.size
    return {"tokens": tokens, "opened": opened}


def _key(path: str) -> str:
    """Returns a short digest of a path: no name of a file is kept."""
    return hashlib.sha256(path.encode("utf-8", "surrogatepass")).hexdigest()[:16]
