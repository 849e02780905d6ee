"""Results of operations on projects and sessions, apart from `projects`: a start does not build them."""

from __future__ import annotations

from collections.abc import Iterable

from holdfast.core.certificates import Certificate
from holdfast.core.pages import Listing
from holdfast.core.projects import Session
from holdfast.core.value_classes import value_class
from holdfast.core.wire import Plain


@value_class
class Share(Plain):
    """The share of one person in a project, in numbers: live memories and the entities among them, forgotten
    memories, conversations, indexed folders that are in no other project, and the live memories that only
    this person sees."""

    owner: str
    memories: int = 0
    entities: int = 0
    forgotten: int = 0
    sessions: int = 0
    folders: int = 0
    private: int = 0


@value_class
class Contents(Plain):
    """The shares in a project, by person: all for those who may purge it, else that of the caller, `user`."""

    project: str
    user: str
    shares: tuple[Share, ...]

    @property
    def total(self) -> Share:
        """Returns the sum of all shares."""
        return _sum_of(self.shares)

    @property
    def others(self) -> Share:
        """Returns the sum of the shares of everybody but the caller."""
        return _sum_of(share for share in self.shares if share.owner != self.user)

    @property
    def own(self) -> Share:
        """Returns the share of the caller."""
        return next((share for share in self.shares if share.owner == self.user), Share(self.user))


def _sum_of(shares: Iterable[Share]) -> Share:
    every = list(shares)
    names = ("memories", "entities", "forgotten", "sessions", "folders", "private")
    return Share("", *(sum(getattr(share, name) for share in every) for name in names))


@value_class
class Purged(Plain):
    """The numbers of what was erased with a project, of everybody. `rows` counts versions of memories. The
    `certificate` can be checked later."""

    name: str
    memories: int
    sessions: int
    folders: int
    rows: int
    certificate: Certificate | None = None


@value_class
class Moved(Plain):
    """The numbers of the caller's memories, without messages, and of conversations that moved."""

    project: str
    memories: int
    sessions: int


@value_class
class SessionPage(Plain, Listing[Session]):
    """One page of conversations, last changed first, and the cursor of the next (None: the last)."""

    LISTS = "sessions"

    sessions: tuple[Session, ...]
    cursor: str | None = None
