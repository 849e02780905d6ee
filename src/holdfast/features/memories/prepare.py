"""Preparation of new texts before their transaction: validates, cleans and embeds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from holdfast.core.errors import HoldfastError
from holdfast.features.admission.draft import Draft
from holdfast.features.memories import embed
from holdfast.stores.base.admitted import Admitted

if TYPE_CHECKING:
    from holdfast.features.admission.admission import Admission
    from holdfast.stores.base.ports import Embedder, Vectors


@dataclass(frozen=True, slots=True)
class Prepared:
    """The result of everything that comes before the transaction, which may run in another process.

    `admitted` are the valid texts with their vectors, `errors` the errors of the others, both by the index
    of the draft. `now` is the time of validation.
    """

    now: int
    admitted: Sequence[tuple[int, Admitted, Vectors | None]]
    errors: Mapping[int, HoldfastError]


def prepare(
    admission: Admission, embedder: Embedder, drafts: Sequence[Draft], ids: Sequence[str], now: int
) -> Prepared:
    """Validates drafts, each under its new id, and embeds the valid ones."""
    results = admission.admit_all(drafts, ids=ids, now=now)
    refused = {index: result for index, result in enumerate(results) if isinstance(result, HoldfastError)}
    valid = [(index, result) for index, result in enumerate(results) if not isinstance(result, HoldfastError)]
    vectors = embed.embed_now(embedder, [admitted for _, admitted in valid])
    pairs = zip(valid, vectors, strict=True)
    return Prepared(now, [(index, admitted, rows) for (index, admitted), rows in pairs], refused)
