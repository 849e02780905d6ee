"""The write path of new texts: validates drafts, embeds them, and stores them in one transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from holdfast.core.errors import HoldfastError, Refusal
from holdfast.core.record import Kept, Outcome, Status
from holdfast.core.spans import Value, spanned
from holdfast.features.admission.draft import Draft
from holdfast.features.memories.exclusions import gate_of
from holdfast.features.memories.prepare import Prepared, prepare
from holdfast.features.memories.store_admitted import store_admitted
from holdfast.features.service import Service


def remember(service: Service, draft: Draft) -> Kept:
    """Stores one text and returns its outcome, which may be a refusal by policy.

    Raises InvalidInput, NotFound or Conflict for a draft that cannot be stored.
    """
    outcomes, errors = _remember(service, [draft])
    error = errors.get(0)
    if error is not None and not isinstance(error, Refusal):
        raise error
    return outcomes[0]


def remember_many(service: Service, drafts: Sequence[Draft], *, rehearse: bool = False) -> list[Kept]:
    """Stores many texts in one transaction and returns one outcome for each (S2.20).

    An invalid draft is refused and does not stop the others. With `rehearse` the transaction is rolled back:
    the outcomes are those it would have had.
    """
    return _remember(service, drafts, rehearse=rehearse)[0]


def store_prepared(
    service: Service, drafts: Sequence[Draft], prepared: Prepared, *, rehearse: bool = False
) -> list[Kept]:
    """Stores drafts that were prepared before, as `remember_many` does."""
    return _remember(service, drafts, prepared, rehearse=rehearse)[0]


def rehearsed(service: Service, drafts: Sequence[Draft]) -> Iterator[Kept]:
    """Yields the result of admission for texts about entities that do not exist yet."""
    now, gate = service.clock(), gate_of(service)
    for draft in drafts:
        try:
            memory = gate.admit(draft, id=service.new_id(now), now=now).memory
        except HoldfastError as error:
            yield Kept(Outcome.REFUSED, None, error.in_full, code=error.code)
            continue
        if memory.status is Status.PENDING:
            reason = f"waits for review: {memory.status_reason}"
            yield Kept(Outcome.PENDING, None, reason, memory.redactions)
        else:
            outcome = Outcome.REDACTED if memory.redactions else Outcome.CREATED
            yield Kept(outcome, None, "would be stored", memory.redactions)


def _count_outcomes(result: tuple[list[Kept], dict[int, HoldfastError]]) -> Mapping[str, Value]:
    """Returns the number of texts by outcome, as attributes of a span."""
    outcomes = result[0]
    counts: dict[str, Value] = {"holdfast.texts": len(outcomes)}
    for name, count in Counter(entry.outcome.value for entry in outcomes).items():
        counts[f"holdfast.outcome.{name}"] = count
    return counts


@spanned("holdfast.remember", _count_outcomes)
def _remember(
    service: Service, drafts: Sequence[Draft], prepared: Prepared | None = None, *, rehearse: bool = False
) -> tuple[list[Kept], dict[int, HoldfastError]]:
    """Prepares drafts unless that was done, and stores them. Returns outcomes and errors, these by index."""
    if prepared is None:
        now = service.clock()
        ids = [service.new_id(now) for _ in drafts]
        prepared = prepare(gate_of(service), service.embedder, drafts, ids, now)
    outcomes, errors = store_admitted(service, drafts, prepared, rehearse=rehearse)
    errors = {**prepared.errors, **errors}
    for index, error in errors.items():
        outcomes[index] = Kept(Outcome.REFUSED, None, error.in_full, code=error.code)
    return [outcomes[index] for index in range(len(drafts))], errors
