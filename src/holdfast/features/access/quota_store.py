"""A store that refuses what would exceed a quota."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from holdfast.core.places import Principal
from holdfast.core.views import personal_view
from holdfast.stores.base.wrapper import StoreWrapper

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.core.storage import Quotas
    from holdfast.stores.base.ports import Store, Writer


class QuotaStore(StoreWrapper):
    """A store whose transactions end with a look at the quotas of those users for whom they add versions of
    memories. What adds none is never refused: reading, forgetting, erasing, redacting, deciding."""

    def __init__(self, store: Store, quotas: Quotas) -> None:
        super().__init__(store)
        self._quotas = quotas

    @contextmanager
    def write(self, *, patience: int | None = None) -> Iterator[Writer]:
        """Opens a transaction, which is rolled back with Refusal `quota_exceeded` if it adds too much."""
        with self._store.write(patience=patience) as tx:
            yield tx
            grown = tx.grown()
            for user in grown:
                self._quotas.check_user(user)
            if grown and self._quotas.of_store:
                self._quotas.check_store(tx.storage_of_all(personal_view(Principal(grown[0].owner))))
