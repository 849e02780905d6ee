"""Verification of a transfer: compares the records of an export with a store by hash (S4.51)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from holdfast.core.errors import HoldfastError
from holdfast.core.fields import declared_of
from holdfast.core.places import Place, Visibility
from holdfast.core.record import Memory
from holdfast.core.views import GONE, personal_view
from holdfast.core.wire import keys_of
from holdfast.features.transfer.restore import Restorer
from holdfast.features.transfer.restore_writer import Version

COMPARED = (
    *(field.name for field in fields(Memory) if declared_of(field).compared and field.name != "place"),
    *(key.key for key in keys_of(Place) if not key.wire.hidden and key.key != "owner"),
)
"""The fields that must be equal: text, times, place and state. Counts of uses may change."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The comparison of one memory: `why` it differs, or None. `id` is that of the export."""

    id: str
    digest: bytes
    why: str | None = None


def compared(
    restoring: Restorer, records: Sequence[dict[str, Any]], duplicates: Mapping[str, str]
) -> list[Verdict]:
    """Returns one verdict for each record of a memory.

    The record is validated again and the result is compared, so a secret redacted during the transfer is no
    difference. `duplicates` maps ids to existing memories that were kept instead.
    """
    view = personal_view(restoring.service.principal, GONE, closed=True)
    expected: list[tuple[str, str, bytes, str | None]] = []
    for record in records:
        id = str(record["id"])
        try:
            versions = restoring.admitted(record).versions
        except HoldfastError as error:
            expected.append((id, "", b"", f"refused: {error.code}"))
            continue
        expected.append(
            (id, duplicates.get(id, restoring.id_here(id)), _digest(map(_expected, versions)), None)
        )
    with restoring.service.store.read() as snap:
        stored: dict[str, list[Memory]] = {}
        for version in snap.versions(view, [stored_id for _, stored_id, _, why in expected if why is None]):
            stored.setdefault(version.id, []).append(version)
    verdicts = []
    for id, stored_id, digest, why in expected:
        if why is None and stored_id not in stored:
            why = "it is not there"
        elif (
            why is None
            and id not in duplicates
            and _digest(version.as_dict() for version in stored[stored_id]) != digest
        ):
            why = "it is different there"
        verdicts.append(Verdict(id, digest, why))
    return verdicts


def _expected(version: Version) -> dict[str, Any]:
    """Returns the fields that a stored version should have; its place is not resolved yet and comes from the
    record."""
    admitted = version.admitted
    return admitted.memory.as_dict() | {
        "scope": {"type": admitted.scope.type, "id": admitted.scope.id},
        "visibility": (admitted.visibility or Visibility.PRIVATE).value,
        "project": version.project,
        "session": version.session,
    }


def _digest(versions: Iterable[dict[str, Any]]) -> bytes:
    fields = [{name: version[name] for name in COMPARED} for version in versions]
    plain = json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).digest()
