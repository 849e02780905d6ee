"""Remember: from a draft to a durable memory, or the reason why not. The one write path of new texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress

from holdfast.domain.errors import HoldfastError, InvalidInput, NotFound, Refusal
from holdfast.domain.memories import Kept, Outcome
from holdfast.engine import embed, uses
from holdfast.engine.admit import Admitted, Draft, admit
from holdfast.engine.deciding import Desk
from holdfast.engine.service import Service
from holdfast.engine.spans import Value, spanned


def remember(service: Service, draft: Draft) -> Kept:
    """Keeps one text. Raises InvalidInput or Conflict for what cannot be kept; refusals by policy are told
    as an outcome."""
    kept, errors = _keep(service, [draft])
    error = errors.get(0)
    if error is not None and not isinstance(error, Refusal):
        raise error
    return kept[0]


def remember_many(service: Service, drafts: Sequence[Draft], *, rehearse: bool = False) -> list[Kept]:
    """Keeps many texts in one transaction, one outcome each; a bad one is refused and never stops the
    others (S2.20). With `rehearse` the transaction is undone: the outcomes are what would become of them."""
    return _keep(service, drafts, rehearse=rehearse)[0]


def _became(outcome: tuple[list[Kept], dict[int, HoldfastError]]) -> Mapping[str, Value]:
    """How many texts became what."""
    counts: dict[str, Value] = {"holdfast.texts": len(outcome[0])}
    for name, count in Counter(kept.outcome.value for kept in outcome[0]).items():
        counts[f"holdfast.outcome.{name}"] = count
    return counts


@spanned("holdfast.remember", _became)
def _keep(
    service: Service, drafts: Sequence[Draft], *, rehearse: bool = False
) -> tuple[list[Kept], dict[int, HoldfastError]]:
    now = service.clock()
    errors: dict[int, HoldfastError] = {}
    passed: list[tuple[int, Draft, Admitted]] = []
    for index, draft in enumerate(drafts):
        try:
            id = service.new_id(now)
            admitted = admit(draft, service.principal, id=id, now=now, entropy=service.secret_entropy,
                             topics=service.topics)  # fmt: skip
            passed.append((index, draft, admitted))
        except HoldfastError as error:
            errors[index] = error
    vectors = embed.embed_now(service, [admitted for _, _, admitted in passed])
    outcomes: dict[int, Kept] = {}
    if passed:
        # what is refused leaves nothing behind, not even a project: neither alone nor among others
        with suppress(_NothingKept), service.store.write() as tx:
            desk = Desk(service, tx, now)
            for (index, draft, admitted), rows in zip(passed, vectors, strict=True):
                try:
                    with tx.attempt():
                        outcomes[index] = desk.keep(draft, admitted, rows)
                except (InvalidInput, NotFound, Refusal) as error:
                    errors[index] = error
                    desk.forget_places()
                except HoldfastError as error:
                    if error.code != "session_in_other_project":
                        raise
                    errors[index] = error
                    desk.forget_places()
            if rehearse or not outcomes:
                raise _NothingKept
            desk.close()
            uses.write(service, tx)
        if not rehearse and any(rows is None for rows in vectors):
            service.bell.ring()
    for index, refused in errors.items():
        outcomes[index] = Kept(Outcome.REFUSED, None, str(refused), code=refused.code)
    return [outcomes[index] for index in range(len(drafts))], errors


class _NothingKept(Exception):
    """Undoes a transaction in which every text was refused, or a rehearsal."""
