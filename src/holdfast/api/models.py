"""Language models: the operations of `Memory.models`."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.api.operation import Area, operation
from holdfast.core.embedding_models import CATALOGUE, EmbeddingModel
from holdfast.core.jobs import Job
from holdfast.core.language_models import LanguageModel, ModelUsage
from holdfast.core.times import When
from holdfast.features.access.access import Need
from holdfast.features.models import registry
from holdfast.features.models.probe import ModelTest, try_model


class Models(Area):
    """Language models that may be used, and the ledger of their calls.

    None is needed: nothing but `answer` and `propose` uses one. Only owners and admins in person manage them,
    and nothing is sent to another machine before an owner has accepted that.
    """

    @operation("POST /models", Need.MANAGE, command="models add")
    def add(
        self,
        name: str,
        model: str,
        *,
        provider: str = "openai",
        url: str | None = None,
        price_in: float | None = None,
        price_out: float | None = None,
        tokens_per_day: int | None = None,
        tokens_per_month: int | None = None,
        cost_per_day: float | None = None,
        cost_per_month: float | None = None,
        timeout: int | None = None,
        dimensions: int | None = None,
    ) -> LanguageModel:
        """Adds a language model under a name of your own. The first one is used where none is named.

        `provider` is the form of its requests: openai for all that speak like it, such as Ollama, vLLM,
        llama.cpp, LM Studio and OpenRouter with their `url`; anthropic; gemini. Prices are dollars for a
        million tokens; a call that could exceed a budget is refused. With `dimensions` it is a model that
        embeds, for the setting `embedder`. Raises InvalidInput, Conflict `model_exists`, AccessDenied
        `model_address_refused`.
        """
        return registry.add_model(
            self._service, name, model, provider=provider, url=url, timeout=timeout, dimensions=dimensions,
            price_in=price_in,
            price_out=price_out, tokens_per_day=tokens_per_day, tokens_per_month=tokens_per_month,
            cost_per_day=cost_per_day, cost_per_month=cost_per_month,
        )  # fmt: skip

    @operation("GET /models", Need.MANAGE, command="models list", changes=False, key="models")
    def list(self) -> Sequence[LanguageModel]:
        """Returns the language models, oldest first, each with its disclosure. Keys are not shown."""
        return registry.list_models(self._service)

    @operation("GET /models/catalogue", Need.READ, command="models catalogue", key="models")
    def catalogue(self) -> Sequence[EmbeddingModel]:
        """Returns the known embedding models, each with its dimensions, advice, and the number of texts that
        one call embeds. Others can be added as well."""
        return CATALOGUE

    @operation("POST /models/{name}/accept", Need.MANAGE, command="models accept", tail=True, errors=(409,))
    def accept(self, name: str) -> LanguageModel:
        """Records that an owner has read the disclosure of a model and accepts it. Raises NotFound."""
        return registry.accept(self._service, name)

    @operation("POST /models/{name}/test", Need.MANAGE, command="models test", tail=True, errors=(409,))
    def test(self, name: str) -> ModelTest:
        """Asks a model for a sum in JSON: whether it answers, how fast, and in the form that was asked for.
        No content is sent. Raises NotFound, HoldfastError `model_unreachable` and others."""
        return try_model(self._service, name)

    @operation(
        "POST /models/propose", Need.JOBS, command="models propose", status=202, errors=(404, 409)
    )  # fmt: skip
    def propose(self, session: str) -> Job:
        """Queues a job in which the first model proposes memories of a conversation, and returns the job.

        Each proposal quotes a message, and what its quotation does not say is refused; the rest waits for
        review. Messages are shown to a model once. Raises NotFound, Conflict `model_not_accepted`.
        """
        from holdfast.features.models import propose

        return propose.queue(self._service, session)

    @operation(
        "POST /models/summarise", Need.JOBS, command="models summarise", status=202, errors=(404, 409)
    )  # fmt: skip
    def summarise(self, session: str) -> Job:
        """Queues a job in which the first model chooses the sentences that sum a conversation up, and returns
        the job.

        It quotes; what no message says letter by letter is refused, and where it has nothing, what rules
        chose stays. `sessions.summary` shows the result. Raises NotFound, Conflict `model_not_accepted`.
        """
        from holdfast.features.models import summarise

        return summarise.queue(self._service, session)

    @operation("DELETE /models/{name}", Need.MANAGE, command="models remove", tail=True)
    def remove(self, name: str) -> LanguageModel:
        """Removes a model. The ledger of its calls stays. Raises NotFound."""
        return registry.remove_model(self._service, name)

    @operation("GET /models/usage", Need.MANAGE, command="models usage", changes=False, key="usage")
    def usage(self, *, since: When | None = None) -> Sequence[ModelUsage]:
        """Returns what models were used for in the last 30 days, or since a time: calls, tokens, dollars and
        seconds by model, operation and outcome."""
        return registry.usage(self._service, since=since)
