"""The part of the store protocol for language models: which may be used, and the ledger of their calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.core.language_models import LanguageModel, ModelCall, ModelUsage
    from holdfast.core.views import View


class ModelReader(Protocol):
    """Reads language models and their use. They are of the whole tenant and contain no text."""

    def language_models(self, view: View) -> list[LanguageModel]:
        """Returns the language models of the tenant, oldest first."""

    def model_usage(self, view: View, *, since: int, model: str | None = None) -> list[ModelUsage]:
        """Returns the calls since a time, of one model if one is named, added up by model, operation and
        outcome."""


class ModelWriter(ModelReader, Protocol):
    """Writes language models and their calls."""

    def put_language_model(self, model: LanguageModel) -> None:
        """Adds a language model; of one that is there, sets who accepted the disclosure."""

    def drop_language_model(self, name: str) -> bool:
        """Deletes a language model; its calls stay in the ledger. Returns whether there was one."""

    def put_model_call(self, call: ModelCall) -> None:
        """Adds a call to the ledger, or records its end."""
