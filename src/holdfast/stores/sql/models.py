"""Language models and the ledger of their calls in an SQL store."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holdfast.core.language_models import LanguageModel, ModelCall, ModelUsage
    from holdfast.core.views import View


class SqlModelReader(ABC):
    """The mixin of the reader for language models."""

    @abstractmethod
    def _dicts(self, name: str, values: dict[str, Any]) -> list[dict[str, Any]]: ...
    @abstractmethod
    def _all(self, name: str, values: dict[str, Any]) -> list[tuple[Any, ...]]: ...

    def language_models(self, view: View) -> list[LanguageModel]:
        from holdfast.core.language_models import LanguageModel

        return [LanguageModel(**row) for row in self._dicts("language_models", {})]

    def model_usage(self, view: View, *, since: int, model: str | None = None) -> list[ModelUsage]:
        from holdfast.core.language_models import MICROS, ModelUsage

        rows = self._all("model_usage", {"since": since, "model": model})
        return [
            ModelUsage(
                name, provider, operation, outcome, calls, read, written, cost / MICROS, millis / 1_000
            )
            for name, provider, operation, outcome, calls, read, written, cost, millis in rows
        ]


class SqlModelWriter(SqlModelReader):
    """The mixin of the writer for language models."""

    @abstractmethod
    def _run(self, name: str, values: dict[str, Any]) -> None: ...
    @abstractmethod
    def _rows_of(self, name: str, values: dict[str, Any]) -> list[tuple[Any, ...]]: ...

    def put_language_model(self, model: LanguageModel) -> None:
        self._run("put_language_model", asdict(model))

    def drop_language_model(self, name: str) -> bool:
        return bool(self._rows_of("drop_language_model", {"name": name}))

    def put_model_call(self, call: ModelCall) -> None:
        self._run("put_model_call", asdict(call))
