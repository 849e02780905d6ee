"""JSON schemas of requests and responses, derived from the signatures and results of operations."""

from __future__ import annotations

import inspect
import os
import types
import typing
from collections.abc import Collection, Mapping
from dataclasses import is_dataclass
from datetime import date
from enum import Enum
from functools import partial
from typing import Annotated, Any, Union

from pydantic import BaseModel, ConfigDict, Field, create_model

from holdfast.api.operation import ITEMS_MAX, Operation, Parameter
from holdfast.api.parameters import parameter_of
from holdfast.core.wire import hints_of, keys_of

Schema = dict[str, Any]
_PLAIN: Mapping[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    Any: {},
}


class Body(BaseModel):
    """A request body: nothing is converted, unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)

    def params(self) -> dict[str, Any]:
        """Returns the fields that were sent, scopes as pairs."""
        return {name: _argument(getattr(self, name)) for name in self.model_fields_set}


class ScopeIn(Body):
    """A narrower scope: type and id."""

    type: str = Field(examples=["paper"])
    id: str | None = Field(None, examples=["2301.1"])


def _argument(value: Any) -> Any:
    """Returns a value of a body as the argument of an operation."""
    if isinstance(value, ScopeIn):
        return value.type, value.id
    if isinstance(value, list):
        return [_item(item) for item in value]
    return value


def _item(value: Any) -> Any:
    """Returns an object of arguments with its scope as a pair."""
    if isinstance(value, dict) and isinstance(value.get("scope"), dict):
        return {**value, "scope": tuple(value["scope"].get(name) for name in ("type", "id"))}
    return value


# requests


def argument_type(annotation: Any, *, in_query: bool) -> Any:
    """Returns the JSON type of a Python argument: lists for collections, text or numbers for times."""
    if typing.get_origin(annotation) in (Union, types.UnionType):
        inner = [argument_type(member, in_query=in_query) for member in typing.get_args(annotation)]
        inner = [member for member in dict.fromkeys(inner) if member is not None]
        if in_query:
            several = [member for member in inner if typing.get_origin(member) is list]
            plain = [member for member in inner if member in (str, bool, int)][-1:]
            inner = [*(several or plain), *_null(inner)]
        return Union[tuple(inner)]  # noqa: UP007
    return _argument_type(annotation, in_query=in_query)


def _null(inner: list[Any]) -> list[Any]:
    return [type(None)] if type(None) in inner else []


def _argument_type(annotation: Any, *, in_query: bool) -> Any:
    """Returns the type that a parameter has in a request, None if it is left out."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Annotated:
        return argument_type(arguments[0], in_query=in_query)
    if origin is os.PathLike or (isinstance(annotation, type) and issubclass(annotation, date)):
        return None  # a path of another machine, and a time in a form that JSON has not
    if origin is tuple:
        return str if in_query else ScopeIn
    if origin is not None and issubclass(origin, Mapping):
        return dict[str, float] if arguments[1] is float else dict[str, Any]
    if origin is not None and issubclass(origin, Collection):
        return list[str] if arguments[0] is str else list[Any]
    return annotation


def body_model(operation: Operation, names: list[str]) -> type[Body]:
    """Returns the model of the body of an operation, with these of its arguments."""
    fields: dict[str, Any] = {}
    for name in names:
        declared = operation.signature.parameters[name]
        kind = argument_type(declared.annotation, in_query=False)
        options = field_options(parameter_of(operation, name))
        if kind == list[Any] or kind == list[str]:
            options["max_length"] = ITEMS_MAX if declared.default is inspect.Parameter.empty else None
        if declared.default is inspect.Parameter.empty:
            fields[name] = (kind, Field(**options))
        elif isinstance(declared.default, tuple):
            fields[name] = (
                kind,
                Field(default_factory=partial(list, declared.default), **options),
            )
        else:
            plain = isinstance(declared.default, str | int | float)
            fields[name] = (kind, Field(declared.default if plain else None, **options))
            if not plain and type(None) not in typing.get_args(kind):
                fields[name] = (kind | None, fields[name][1])
    title = "".join(part.capitalize() for part in operation.name.replace(".", "_").split("_"))
    about = inspect.cleandoc(operation.function.__doc__ or "").partition("\n\n")[0]
    return create_model(f"{title}In", __base__=Body, __doc__=" ".join(about.split()), **fields)


def field_options(parameter: Parameter) -> dict[str, Any]:
    """Returns the description of a parameter as options of a field or query parameter."""
    extra = {
        name: value
        for name, value in (
            ("minimum", parameter.minimum), ("maximum", parameter.maximum), ("items", parameter.items),
        )
        if value is not None
    }  # fmt: skip
    options: dict[str, Any] = {"description": parameter.about}
    if parameter.example is not None:
        options["examples"] = [parameter.example]
    if extra:
        options["json_schema_extra"] = dict(extra)
    return options


# responses


class Schemas:
    """Schemas of results by name, as the OpenAPI document lists them."""

    def __init__(self) -> None:
        self.definitions: dict[str, Schema] = {}
        self._names: dict[type, str] = {}

    def response(self, operation: Operation) -> Schema:
        """Returns the response schema of an operation, wrapped in its key."""
        declared = operation.signature.return_annotation
        if isinstance(operation.key, tuple):
            parts = zip(operation.key, typing.get_args(declared), strict=True)
            return _object({key: self.of(member) for key, member in parts})
        return self.of(declared) if operation.key is None else _object({operation.key: self.of(declared)})

    def of(self, declared: Any) -> Schema:
        """Returns the schema of a declared type; those of dataclasses are references."""
        if declared in _PLAIN:
            return dict(_PLAIN[declared])
        origin, arguments = typing.get_origin(declared), typing.get_args(declared)
        if origin is Annotated:
            return {"type": "string"} if "holdfast.time" in arguments else self.of(arguments[0])
        if origin in (Union, types.UnionType):
            return {"anyOf": [self.of(member) for member in arguments]}
        if origin is not None and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.of(arguments[1])}
        if origin is not None and issubclass(origin, Collection):
            return {"type": "array", "items": self.of(arguments[0])}
        if isinstance(declared, type) and issubclass(declared, Enum):
            return {"type": "string", "enum": [member.value for member in declared]}
        if is_dataclass(declared) and isinstance(declared, type):
            return {"$ref": f"#/components/schemas/{self._define(declared)}"}
        return {}

    def _define(self, cls: type) -> str:
        """Adds the schema of a class to the definitions, and returns its name."""
        if cls in self._names:
            return self._names[cls]
        name = cls.__name__
        if name in self.definitions:
            name = f"{cls.__module__.rpartition('.')[2].capitalize()}{name}"
        self._names[cls] = name
        self.definitions[name] = {}  # for what refers to itself
        about = inspect.cleandoc(cls.__doc__ or "").partition("\n\n")[0]
        optional = frozenset(key.key for key in keys_of(cls) if key.wire.optional)
        schema = {**_object(self._properties(cls), optional), "description": " ".join(about.split())}
        self.definitions[name] = {"title": name, **schema}
        return name

    def _properties(self, cls: type) -> dict[str, Schema]:
        """Returns the schemas of the attributes of a class, by key."""
        hints = hints_of(cls)
        properties: dict[str, Schema] = {}
        for key in keys_of(cls):
            if key.wire.hidden:
                continue
            if key.is_computed:
                getter = typing.cast(property, getattr(cls, key.attribute)).fget
                hint = hints_of(getter, cls)["return"]
            else:
                hint = hints[key.attribute]
            if key.wire.flat:
                properties |= self._properties(hint)
                continue
            properties[key.key] = self.of(hint)
            if key.wire.about:
                properties[key.key]["description"] = key.wire.about
        return properties


def _object(properties: dict[str, Schema], optional: frozenset[str] = frozenset()) -> Schema:
    """Returns the schema of an object without other properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }
