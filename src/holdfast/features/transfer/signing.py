"""Signatures of exports: each record carries a code over itself and all before it, by a key of the store."""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from holdfast.core.views import personal_view
from holdfast.features.service import Service

MAC = "mac"
"""The key of the code in a record."""


class Chain:
    """The codes of the records of one export, in their order: a record that is changed, added, dropped or
    moved breaks it, and all that follow are not the store's own."""

    def __init__(self, service: Service) -> None:
        with service.store.read() as snap:
            self._key = snap.signing_key(personal_view(service.principal))
        self._last = b""
        self.is_whole = True

    def code(self, record: Mapping[str, Any]) -> str:
        """Returns the code of the next record."""
        plain = json.dumps(_without_code(record), sort_keys=True, separators=(",", ":")).encode()
        self._last = hmac.digest(self._key, self._last + plain, "sha256")
        return self._last.hex()

    def holds(self, record: Mapping[str, Any]) -> bool:
        """Returns whether the next record, and each before it, is as this store wrote it."""
        code = record.get(MAC)
        expected = self.code(record) if self.is_whole else ""
        self.is_whole = self.is_whole and isinstance(code, str) and hmac.compare_digest(code, expected)
        return self.is_whole


def signed(service: Service, records: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yields the records with their codes."""
    chain = Chain(service)
    for record in records:
        yield {**record, MAC: chain.code(record)}


def _without_code(record: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name != MAC}
