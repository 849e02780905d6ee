"""Columns of the table of memories: decoding and encoding of each field, from its declaration."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import Field, fields
from enum import StrEnum
from functools import lru_cache
from operator import attrgetter
from typing import Any

from holdfast.core import record
from holdfast.core.fields import declared_of
from holdfast.core.kinds import KINDS
from holdfast.core.places import Place, Scope, Visibility
from holdfast.core.record import Memory, entity_key, external_key, is_unique_by_text
from holdfast.core.values import record_of
from holdfast.language.work import traits_of
from holdfast.stores.sql.decoding import decoding, object_of

_JOINED = {"project": "j.name", "session": "s.external_id"}
"""Fields that hold a name from another table."""
_BEGUN = {"place": "m.owner", "about": "m.subject"}
"""Fields of several columns, by the first of them."""
_REST = ("p.visibility", "p.workspace", "p.project", "m.session", "m.scope_type", "m.scope_id", "m.branch",
         "p.source", "m.file", "m.target")  # fmt: skip
"""The other columns of these fields, as `memory_of` takes them."""

_FIELDS = {field.name: field for field in fields(Memory)}
_AT = {name: place for place, name in enumerate(_FIELDS)}
_STORED = tuple(name for name, field in _FIELDS.items() if declared_of(field).stored)
_OWN = tuple(name for name in _STORED if name not in _BEGUN)
"""Fields that have one column each."""

READ = (
    "m.number",
    *(
        "NULL" if name not in _STORED else _BEGUN.get(name) or _JOINED.get(name, f"m.{name}")
        for name in _FIELDS
    ),
    *_REST,
)
"""What a memory is read from: its number, which no record holds, the fields in their order, and the rest."""


@decoding
def memory_of(row: tuple[Any, ...]) -> Memory:
    """Returns the memory in a row of `READ`."""
    (_, *values, visibility, workspace, project, session, scope_type, scope_id, branch, folder, file,
     target) = row  # fmt: skip
    for place, decode in _DECODED:
        values[place] = decode(values[place])
    scope = _scope(scope_type, scope_id)
    place, about = _AT["place"], _AT["about"]
    values[place] = record_of(
        Place,
        (values[place], _VISIBILITIES[visibility], workspace, project, session, scope, branch, folder, file),
    )
    subject = values[about]
    values[about] = () if subject is None else (subject,) if target is None else (subject, target)
    return record_of(Memory, values)


def values_of(memory: Memory, *, pool: int, written_in: int, change: int) -> dict[str, Any]:
    """Returns the bindings that store a memory: the values of `WRITTEN`."""
    values = dict(zip(_WRITTEN_FROM, _read(memory), strict=True))
    for name, encode in _ENCODED:
        values[name] = encode(values[name])
    about = memory.about
    values["manner"] = int(traits_of(memory))
    values["pool"] = pool
    values["written_in"] = written_in
    values["change"] = change
    values["subject"] = about[0] if about else None
    values["target"] = about[1] if len(about) > 1 else None
    values["external_key"] = external_key(memory.kind, memory.place, memory.external_id)
    values["unique_hash"] = memory.content_hash if is_unique_by_text(memory) else None
    values["entity_key"] = entity_key(memory)
    return values


_WRITTEN_FROM = {
    **{name: name for name in _OWN if name not in _JOINED},
    "owner": "place.owner",
    "session": "place.session",
    "scope_type": "place.scope.type",
    "scope_id": "place.scope.id",
    "branch": "place.branch",
    "file": "place.file",
    "holds_from": "holds_from",
    "about_file": "about_file",
}
"""The columns that are written as the record has them, and where it has them."""
WRITTEN = (
    *_WRITTEN_FROM, "manner", "pool", "written_in", "change", "subject", "target", "external_key",
    "unique_hash", "entity_key",
)  # fmt: skip
"""All columns that storing a memory fills, but for its number and whether it is the current version."""

_read: Callable[[Memory], tuple[Any, ...]] = attrgetter(*_WRITTEN_FROM.values())
_scope = lru_cache(256)(Scope)
_VISIBILITIES = {value.value: value for value in Visibility}


plain = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""Returns compact JSON."""


def _list(text: str) -> tuple[str, ...]:
    return () if text == "[]" else tuple(json.loads(text))


def _codec(field: Field[Any]) -> tuple[Callable[[Any], Any] | None, Callable[[Any], Any] | None]:
    """Returns the decoder and encoder of a field's values by its type; None for plain ones."""
    kind = str(field.type).partition("[")[0].partition(" ")[0]
    if field.name == "kind":
        return {name: name for name in KINDS}.__getitem__, None
    if kind == "bool":
        return bool, None
    if kind == "tuple":
        return _list, lambda value: plain(value) if value else "[]"
    if kind == "dict":
        return object_of, lambda value: plain(value) if value else "{}"
    values = getattr(record, kind, None)
    if isinstance(values, type) and issubclass(values, StrEnum):
        return {member.value: member for member in values}.__getitem__, attrgetter("_value_")
    return None, None


_DECODED = [(_AT[name], decode) for name in _OWN if (decode := _codec(_FIELDS[name])[0])]
_ENCODED = [(name, encode) for name in _OWN if (encode := _codec(_FIELDS[name])[1])]
