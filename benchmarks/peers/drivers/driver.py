"""What a driver does: the few calls that every memory in the comparison can answer.

Drivers and `worker.py` run in the peer's own interpreter and import it and the standard library only.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

DIM = 256
EVERYWHERE = "*"
"""Stands for all projects in a question."""


def address(folder: Path) -> str:
    """Where the server of this peer is: whoever started it has written that into the folder."""
    return (folder / "address").read_text("utf-8").strip()


def floats(vector: bytes) -> list[float]:
    """A stored vector as numbers."""
    return array("f", vector).tolist()


@dataclass(frozen=True, slots=True)
class Text:
    """A text of the workload, with its vector (little-endian float32) already made.

    Only a turn of a conversation has what follows `vector`; `said` is then the bare words, while `text` also
    tells who said them and when.
    """

    project: str
    text: str
    vector: bytes
    id: str | None = None
    session: str | None = None
    speaker: str | None = None
    at: str | None = None
    said: str | None = None


class Driver:
    """A peer on one folder. Every call but `open` may raise whatever the peer raises."""

    def __init__(self, vector_of: Callable[[str], bytes]) -> None:
        """`vector_of` knows the texts of the command in hand: for peers that call an embedder themselves."""
        self.vector_of = vector_of

    def open(self, folder: Path) -> None:
        """Opens the store in this folder, which exists; makes it when there is none."""
        raise NotImplementedError

    def add(self, project: str, items: Sequence[Text]) -> None:
        """Keeps these texts of one project; has kept them when it returns."""
        raise NotImplementedError

    def settle(self) -> None:
        """What the peer's documents advise after a bulk load."""

    def recall(self, project: str, query: Text, limit: int) -> list[str]:
        """The best texts of a project, or of `EVERYWHERE` (or the ids that `add` was given), best first."""
        raise NotImplementedError

    def texts(self) -> set[str]:
        """Every text that is held, in all projects."""
        raise NotImplementedError

    def close(self) -> None:
        """Gives up the store."""
