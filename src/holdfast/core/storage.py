"""Amounts that users keep in a store, and the quotas of them."""

from __future__ import annotations

from typing import NoReturn

from holdfast.core.errors import Refusal
from holdfast.core.value_classes import value_class

MB = 1_000_000


@value_class
class Amount:
    """Amount that a user keeps: each version of a memory counts, also of one that was forgotten and not
    erased, and the bytes of its text and metadata."""

    versions: int = 0
    bytes: int = 0


@value_class
class Growth(Amount):
    """Amount that `owner` keeps after a transaction that adds to it."""

    owner: str = ""


@value_class
class Totals(Amount):
    """Amount that all `users` of a store keep, and the most that one of them keeps."""

    users: int = 0
    most_versions: int = 0
    most_bytes: int = 0


@value_class
class Quotas:
    """Limits of what each user, and all users of a store together, may keep; 0: any amount."""

    versions: int = 0
    bytes: int = 0
    store_versions: int = 0
    store_bytes: int = 0

    @property
    def of_store(self) -> bool:
        """Returns whether all users together are bounded."""
        return bool(self.store_versions or self.store_bytes)

    def __bool__(self) -> bool:
        return bool(self.versions or self.bytes or self.of_store)

    def check_user(self, amount: Amount) -> None:
        """Raises Refusal `quota_exceeded` if a user would keep more than one may."""
        _check(amount, self.versions, self.bytes, "you may keep", "quota_")

    def check_store(self, amount: Amount) -> None:
        """Raises Refusal `quota_exceeded` if all users together would keep more than they may."""
        _check(amount, self.store_versions, self.store_bytes, "this store may keep", "quota_store_")


NO_QUOTAS = Quotas()


def _check(amount: Amount, versions: int, size: int, subject: str, setting: str) -> None:
    """Raises Refusal if an amount exceeds a limit of versions or bytes; 0 is no limit."""
    if versions and amount.versions > versions:
        _refuse(f"{subject} {versions:,} versions of memories", f"{setting}memories")
    if size and amount.bytes > size:
        _refuse(f"{subject} {size // MB:,} MB", f"{setting}mb")


def _refuse(limit: str, setting: str) -> NoReturn:
    """Raises Refusal for a limit that would be exceeded."""
    raise Refusal(
        f"nothing was stored: {limit}, and this would be more", code="quota_exceeded",
        hint=f"`holdfast forget --hard` makes room; whoever runs the store can raise {setting}",
    )  # fmt: skip
