"""Calls of language models: only of accepted ones, within their budgets, each recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from holdfast.core.consents import CONSENTS, MODELS, withdrawn
from holdfast.core.errors import Conflict, HoldfastError, Refusal
from holdfast.core.language_models import STARTED, SUCCESS, LanguageModel, ModelCall
from holdfast.core.text import count_tokens
from holdfast.core.views import personal_view
from holdfast.features.models.registry import model_named
from holdfast.features.service import Service
from holdfast.models.base import Completion, Message, Tokens
from holdfast.models.client import ModelClient
from holdfast.models.keys import key_of
from holdfast.stores.base.ports import Reader


class ModelSession:
    """One model, for one operation of one user. Content of the users in `refusing` is not sent to it."""

    def __init__(
        self, service: Service, model: LanguageModel, operation: str, refusing: frozenset[str] = frozenset()
    ) -> None:
        self._service = service
        self.refusing = refusing
        self._operation = operation
        self.model = model

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None, *, limit: int
    ) -> Completion:
        """Returns an answer of at most `limit` tokens. Raises HoldfastError, Conflict `model_budget`."""
        with self._recorded(messages, limit) as tokens:
            return self._client().complete(messages, schema, limit=limit, tokens=tokens)

    def stream(self, messages: Sequence[Message], *, limit: int) -> Iterator[str]:
        """Yields the text of an answer as it arrives. Raises HoldfastError, Conflict `model_budget`."""
        with self._recorded(messages, limit) as tokens:
            yield from self._client().stream(messages, limit=limit, tokens=tokens)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Returns a vector for each text. Raises HoldfastError, Conflict `model_budget`."""
        with self._recorded([Message("user", text) for text in texts], 0) as tokens:
            return self._client().embed(texts, tokens=tokens)

    def _client(self) -> ModelClient:
        key = key_of(self.model.url, dict(self._service.model_key_files))
        return ModelClient(self.model, key)

    @contextmanager
    def _recorded(self, messages: Sequence[Message], limit: int) -> Iterator[Tokens]:
        """Enters a call in the ledger with the most that it may take, in the transaction that checks the
        budget, and afterwards what it took."""
        service, model = self._service, self.model
        now = service.clock()
        most = sum(count_tokens(message.text) for message in messages)
        call = ModelCall(
            service.new_id(now), now, service.principal.user, model.name, model.provider, self._operation,
            STARTED, most, limit, model.cost(most, limit), 0,
        )  # fmt: skip
        with service.store.write() as tx:
            _check_budget(tx, service, model, call)
            tx.put_model_call(call)
        tokens, outcome = Tokens(), "interrupted"
        try:
            yield tokens
            outcome = SUCCESS
        except HoldfastError as error:
            outcome = error.code
            raise
        finally:
            if tokens.sent and not tokens.read:
                tokens.read = most
            ended = replace(
                call, outcome=outcome, tokens_in=tokens.read, tokens_out=tokens.written,
                cost=model.cost(tokens.read, tokens.written), millis=max(0, service.clock() - now),
            )  # fmt: skip
            with service.store.write() as tx:
                tx.put_model_call(ended)


def model_for(service: Service, name: str | None, operation: str, *, discloses: bool = True) -> ModelSession:
    """Returns a model to use for an operation. Raises NotFound `model_not_found`, and Conflict
    `model_not_accepted` unless the operation discloses nothing, or that was accepted; Refusal
    `consent_withdrawn`."""
    with service.store.read() as snap:
        model = model_named(snap, service, name)
        refusing = withdrawn_from(snap, service, model)
    if discloses and service.principal.user in refusing:
        raise Refusal(
            f"{service.principal.user} has withdrawn consent that content is sent to {model.host}",
            code="consent_withdrawn", hint="holdfast consents give models",
        )  # fmt: skip
    if discloses and not model.is_ready:
        raise Conflict(
            f"nobody has accepted yet that content is sent to {model.host}", code="model_not_accepted",
            hint=f"an owner reads what that means and accepts it: holdfast models accept {model.name}",
        )  # fmt: skip
    return ModelSession(service, model, operation, refusing)


def withdrawn_from(snap: Reader, service: Service, model: LanguageModel) -> frozenset[str]:
    """Returns the users who do not consent that content of theirs is sent to a model; nobody, if it runs on
    this machine."""
    events = () if model.is_local else snap.register(personal_view(service.principal), CONSENTS)
    return withdrawn(events, MODELS)


def _check_budget(snap: Reader, service: Service, model: LanguageModel, call: ModelCall) -> None:
    """Raises Conflict `model_budget` if a call could exceed a budget."""
    day = datetime.fromtimestamp(call.at / 1_000, UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    view = personal_view(service.principal)
    for period, start, tokens_max, cost_max in (
        ("day", day, model.tokens_per_day, model.cost_per_day),
        ("month", day.replace(day=1), model.tokens_per_month, model.cost_per_month),
    ):
        if tokens_max is None and cost_max is None:
            continue
        used = snap.model_usage(view, since=int(start.timestamp() * 1_000), model=model.name)
        tokens = (
            sum(model_usage.tokens_in + model_usage.tokens_out for model_usage in used)
            + call.tokens_in
            + call.tokens_out
        )
        cost = sum(model_usage.cost for model_usage in used) + call.cost / 1_000_000
        for most, total, unit in ((tokens_max, tokens, "tokens"), (cost_max, cost, "dollars")):
            if most is not None and total > most:
                raise Conflict(
                    f"the call could take {model.name} over its {most:,g} {unit} of this {period}",
                    code="model_budget", hint="see `holdfast models usage`",
                )  # fmt: skip
