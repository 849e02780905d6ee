"""The test of a language model: a call without any content, which shows whether it can be used."""

from __future__ import annotations

from dataclasses import dataclass, field

from holdfast.core.wire import Plain, wire
from holdfast.features.models.calls import model_for
from holdfast.features.service import Service
from holdfast.models.base import Message

_SCHEMA = {
    "type": "object",
    "properties": {"sum": {"type": "integer"}},
    "required": ["sum"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class ModelTest(Plain):
    """The result of a test: the model answered. `keeps_schema`: with the JSON that it was asked for."""

    name: str
    keeps_schema: bool
    seconds: float = field(metadata=wire(digits=3))


def try_model(service: Service, name: str) -> ModelTest:
    """Asks a model for a sum in JSON. No content is sent. Raises NotFound, HoldfastError `model_…`."""
    session = model_for(service, name, "test", discloses=False)
    began = service.clock()
    question = 'What is 17 + 25? Answer with JSON: {"sum": NUMBER}'
    answer = session.complete([Message("user", question)], _SCHEMA, limit=200)
    keeps = isinstance(answer.data.get("sum"), int)
    return ModelTest(session.model.name, keeps, max(0, service.clock() - began) / 1_000)
