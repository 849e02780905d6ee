"""Certificates of deletion: what a store states, signed, about an erasure, tied to its chain of events.

A certificate holds counts, times and keyed digests of random ids: it has no text, and only who has the key of
the store can match a digest with an id.
"""

from __future__ import annotations

from dataclasses import field

from holdfast.core.value_classes import value_class
from holdfast.core.wire import Millis, Plain, computed, wire


@value_class
class Certificate(Plain):
    """A statement that memories were erased by `user`: their own, or with `owners` those of these
    users, in a `project` if one is named; that `user` redacted a `version` of one; or that `user`
    removed a `member`. `head` is the hash of the event that records it, and so of the chain up to it;
    its number would say how much others do."""

    user: str
    at: Millis
    head: str
    memories: int
    sessions: int
    imports: int
    folders: int
    digests: tuple[str, ...] = field(
        metadata=wire(about="Keyed digests of the ids that were erased, as far as they are known.")
    )
    signature: str = field(default="", metadata=wire(about="By the key of the store, over all the rest."))
    owners: tuple[str, ...] = field(
        default=(), metadata=wire(about="Whose memories they were, if not those of the user alone.")
    )
    project: str | None = field(default=None, metadata=wire(about="The project that was purged."))
    member: str | None = field(default=None, metadata=wire(about="The member who was removed from the team."))
    keys: int = field(default=0, metadata=wire(about="API keys of that member, which open nothing any more."))
    version: int | None = field(
        default=None,
        metadata=wire(
            about="The version of a memory whose text was redacted; the memory itself may be there."
        ),
    )
    backups: int | None = field(
        default=None,
        metadata=wire(about="Backups of the store that still hold what was erased; null if nobody looked."),
    )
    unreached: int = field(
        default=0,
        metadata=wire(
            about="Folders and buckets where the store had made backups and none could be seen: what is there"
            " still holds what was erased."
        ),
    )
    stay: int = field(
        default=0,
        metadata=wire(about="Memories of that member that stay, as far as who issues it may see them."),
    )


@value_class
class Checked(Plain):
    """The answer of a store about a certificate: whether it signed it, whether its chain of events, verified
    whole, still holds the event, and how many of the memories that it names are there again; of a redacted
    version 1 if its text is there again, of a removed member 1 if the user is a member again."""

    signed: bool
    in_chain: bool
    back: int

    @property
    @computed
    def holds(self) -> bool:
        return self.signed and self.in_chain and not self.back
