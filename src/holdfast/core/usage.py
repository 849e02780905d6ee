"""Usage statistics: what memory did for a session, a project and the whole store, in numbers."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import field, fields
from typing import TYPE_CHECKING

from holdfast.core.text import CHARS_PER_TOKEN
from holdfast.core.value_classes import value_class
from holdfast.core.wire import Plain, described, wire

if TYPE_CHECKING:
    from holdfast.core.module_map import Module

SEARCH_TOKENS = 300
"""Estimated tokens of a search for the location of something: some 30 lines of matches."""
FILE_TOKENS = 500
"""Estimated tokens of the first look at a file: 2,000 characters of it."""
FILES_OPENED = 5
"""Estimated maximum number of files that an agent opens to know a module."""
ESTIMATE = (
    f"It counts a search ({SEARCH_TOKENS} tokens) and opening up to {FILES_OPENED} files (at most"
    f" {FILE_TOKENS} each) for every delivered module, but no more than reading its indexed files would cost,"
    " minus the tokens that memory delivered."
)
"""How the saved tokens are computed: nothing else is measured."""
GROWS_FROM, GROWS_TO, GROWTH = 0.5, 0.85, 0.02
"""Each use moves the confidence of knowledge by this share towards the highest value that a machine may
state. Knowledge below the first value keeps its confidence until a person confirms it."""


def growth(uses: int) -> float:
    """Returns the share by which a number of uses moves it, however they are batched."""
    return 1 - (1 - GROWTH) ** uses


KEPT_DAYS = 90
"""Days after its last use for which the record of what a session was given is kept."""


def session_key(session: str) -> str:
    """Returns a digest of the name of a session, which may be anything: nothing of it is stored."""
    return hashlib.sha256(f"session:{session}".encode("utf-8", "surrogatepass")).hexdigest()[:32]


def module_key(module: str) -> str:
    """Returns a digest of the name of a module, for the record of what a session was given."""
    return hashlib.sha256(f"module:{module}".encode("utf-8", "surrogatepass")).hexdigest()[:32]


def discovery_tokens(modules: Collection[Module], sizes: Mapping[str, int]) -> int:
    """Returns the estimated tokens that an agent would read to find its way about in unknown modules: one
    search and a look at up to five files for each, and no more than all files of the module. `sizes` has
    those of files that are indexed, in bytes; others count nothing. The estimate is lower than what
    transcripts show, on purpose."""
    return sum(_reading(module, sizes) for module in modules)


def _reading(module: Module, sizes: Mapping[str, int]) -> int:
    files = [sizes[path] // CHARS_PER_TOKEN for path in module.files if path in sizes]
    opened = sum(min(FILE_TOKENS, tokens) for tokens in files[:FILES_OPENED])
    return min(SEARCH_TOKENS + opened, sum(files))


@value_class
class Tally(Plain):
    """Counts of what was given, in sessions and outside.

    `memories_injected` came from contexts, `memory_hits` from searches; a memory counts once for each
    session. `tokens_with` is the size of all of that, `tokens_without` the estimated cost of finding the
    modules.
    """

    contexts: int = 0
    memories_injected: int = 0
    search_memory_calls: int = 0
    memory_hits: int = 0
    tokens_with: int = field(default=0, metadata=wire(name="discovery_tokens_with_memory"))
    tokens_without: int = field(default=0, metadata=wire(name="discovery_tokens_without_memory"))

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))

    @property
    @described(ESTIMATE, name="discovery_tokens_saved")
    def tokens_saved(self) -> int:
        """Returns the estimated tokens that memory saved, never less than 0."""
        return max(0, self.tokens_without - self.tokens_with)


@value_class
class Delivery:
    """The delivery of a memory to a working session: the number of its project (0 for none), the digest of
    the session's name, when it was first given (UTC epoch milliseconds), and the label of who asked."""

    project: int
    session: str
    at: int
    actor: str


@value_class
class Cited:
    """One citation of a context: its number, the id of the memory, and the number of the context's project (0
    for none)."""

    citation: int
    id: str
    project: int


@value_class
class DeliveredContext:
    """A context that was given: its id, the number of its project (0 for none), the digest of its session
    (empty for none), the ids of its memories by the numbers of their citations, and when (UTC epoch
    milliseconds)."""

    context: str
    project: int
    session: str
    ids: dict[int, str]
    at: int
