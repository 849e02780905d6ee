"""Language models that a tenant may use, and the ledger of their calls. No text of a memory, and no key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from holdfast.core.wire import Millis, Plain, computed, read_record, wire

PROVIDERS: Mapping[str, tuple[str, str]] = {
    "openai": ("OpenAI", "https://api.openai.com/v1"),
    "anthropic": ("Anthropic", "https://api.anthropic.com"),
    "gemini": ("Google Gemini", "https://generativelanguage.googleapis.com"),
}
"""The forms of request that are spoken, with the provider and its address. `openai` is also spoken by Ollama,
vLLM, llama.cpp, LM Studio, OpenRouter and others, at addresses of their own."""
TIMEOUT = 120
"""Seconds that one call may take, unless the model says otherwise."""
MICROS = 1_000_000
"""Parts of a dollar in which costs are counted: the price of a token, where a million costs a dollar."""
STARTED = "started"
"""The outcome of a call whose end was not recorded yet."""
SUCCESS = "success"


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageModel(Plain):
    """A language model: where it is reached, what it may cost, and who accepted that content is sent there.

    Prices are dollars for a million tokens; budgets are tokens and dollars for a day and a calendar month
    (UTC), None for no limit.
    """

    name: str
    provider: str
    model: str
    url: str
    price_in: float | None = None
    price_out: float | None = None
    tokens_per_day: int | None = None
    tokens_per_month: int | None = None
    cost_per_day: float | None = None
    cost_per_month: float | None = None
    timeout: int = TIMEOUT
    dimensions: int | None = field(
        default=None, metadata=wire(about="Of the vectors of a model that embeds; null for one that writes.")
    )
    added_by: str
    added_at: Millis
    accepted_by: str | None = None
    accepted_at: Millis | None = None

    @property
    @computed
    def host(self) -> str:
        """Returns the host that receives what is sent."""
        place = self.url.partition("://")[2].partition("/")[0]
        return place[1:].partition("]")[0] if place.startswith("[") else place.partition(":")[0]

    @property
    @computed
    def is_local(self) -> bool:
        """Returns whether the model runs on the machine that asks it, so that nothing leaves it."""
        return self.host in ("localhost", "127.0.0.1", "::1")

    @property
    @computed
    def disclosure(self) -> str:
        """Returns what happens to content once the model is used."""
        if self.is_local:
            return f"Model {self.model} runs on this machine ({self.url}): nothing leaves it."
        what = (
            "Questions, the memories found for them, and conversations to extract from leave this machine"
            if self.dimensions is None
            else "All memories and questions leave this machine, to be turned into vectors"
        )
        return (
            f"{what}:"
            f" they are sent to {self.host} ({PROVIDERS[self.provider][0]} protocol, model {self.model})."
            " What is done with them there, Holdfast cannot see or undo: not by forgetting, not by erasing."
        )

    @property
    @computed
    def is_ready(self) -> bool:
        """Returns whether it may be used: nothing leaves the machine, or that was accepted."""
        return self.is_local or self.accepted_at is not None

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> LanguageModel:
        """Reads a model from JSON."""
        return read_record(cls, value)

    def cost(self, tokens_in: int, tokens_out: int) -> int:
        """Returns the price of so many tokens in millionths of a dollar; 0 without prices."""
        return round(tokens_in * (self.price_in or 0.0) + tokens_out * (self.price_out or 0.0))


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call of a model: an entry of the ledger. `cost` is in millionths of a dollar, `millis` its
    duration; until its end it counts what it may take at most."""

    id: str
    at: int
    owner: str
    model: str
    provider: str
    operation: str
    outcome: str
    tokens_in: int
    tokens_out: int
    cost: int
    millis: int


@dataclass(frozen=True, slots=True)
class ModelUsage(Plain):
    """The calls of one model for one operation with one outcome, added up."""

    model: str
    provider: str
    operation: str
    outcome: str = field(metadata=wire(about="`success`, `started`, or the code of the error."))
    calls: int
    tokens_in: int
    tokens_out: int
    cost: float = field(metadata=wire(about="Dollars, by the prices of the model.", digits=6))
    seconds: float = field(metadata=wire(digits=3))
