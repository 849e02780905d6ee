"""Entity types: how a payload becomes entities, and an entity a fingerprint and a description."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import Any

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import InvalidInput
from holdfast.core.kinds import KINDS
from holdfast.core.places import NAME_MAX
from holdfast.core.reconciled import (
    CHART,
    CODE_CELL,
    CONNECTION,
    DATA_TABLE,
    FILE,
    FILE_ID,
    SHEET_TABLE,
    Entities,
    Entity,
)  # fmt: skip
from holdfast.features.reconcile import texts
from holdfast.language.code_outline import outline

FORM = 10
"""The form of descriptions: another one computes all of them again."""
ENTITIES_MAX = 100_000
TITLE_MAX = 200


@dataclass(frozen=True, slots=True)
class Description:
    """The description of an entity, as it is stored."""

    title: str
    text: str
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class EntityType:
    """The rule by which entities of one type are described: `kind` of the memory, whether it belongs to the
    `file` or the `team`, and what makes the description of an entity in a source with a name."""

    name: str
    kind: str
    scope: str
    describe: Callable[[Entity, str], Description]


def fingerprints_of(entities: Entities, name: str) -> list[str]:
    """Returns the digests of what the descriptions of entities are computed from (S3.8), with what each is
    called, so that no two of a source have the same. Raises InvalidInput `payload_invalid` for what cannot be
    written."""
    with _plain_only():
        return _digests(entities.types, zip(entities.ids, entities.data, strict=True), name)


def contents_of(entities: Sequence[Entity]) -> list[str]:
    """Returns the digests of what entities hold, whatever they and their source are called: by these, what
    was renamed is recognised."""
    return _digests([entity.type for entity in entities], map(_without_name, entities), "")


def _digests(types: Sequence[str], values: Iterable[object], name: str) -> list[str]:
    """Returns a digest for each value of an entity of a type. It begins with how entities of the type are
    described: another way describes all of them again."""
    encode = _encoder()
    hashers = {}
    for type in set(types):
        entity_type = type_of(type)
        form = _as_json([FORM, entity_type.name, entity_type.kind, entity_type.scope, name])
        hashers[type] = hashlib.blake2b(form, digest_size=16)
    digests = []
    for type, value in zip(types, values, strict=True):
        try:
            written = encode(value)
        except (TypeError, ValueError, OverflowError):
            written = _as_json(value)
        digest = hashers[type].copy()
        digest.update(written)
        digests.append(digest.hexdigest())
    return digests


@cache
def _encoder() -> Callable[[object], bytes]:
    """Returns the function that writes plain data as MessagePack: the same bytes on every machine, whatever
    the order of keys (decision 110)."""
    from msgspec.msgpack import Encoder

    return Encoder(order="deterministic").encode


def _as_json(value: object) -> bytes:
    """Writes as JSON what MessagePack cannot hold, such as integers of more than 64 bits and lone surrogates.
    In MessagePack its first byte would begin neither an object nor an array, so the two are never equal."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def check_plain(entities: Iterable[Entity]) -> None:
    """Checks that the data of entities are plain JSON, since a fingerprint can also be computed of more, such
    as dates. Raises InvalidInput `payload_invalid`."""
    with _plain_only():
        for entity in entities:
            json.dumps(entity.data)


@contextmanager
def _plain_only() -> Iterator[None]:
    """Turns the errors of encoders into InvalidInput `payload_invalid`."""
    try:
        yield
    except (TypeError, ValueError, RecursionError) as error:
        raise _invalid(f"a payload must be plain JSON: {error}") from None


def _without_name(entity: Entity) -> dict[str, Any]:
    """Returns the data of an entity without its name and that of its sheet."""
    left_out = {"sheet", "name"} if entity.data.get("name") == entity.id else {"sheet"}
    if left_out.isdisjoint(entity.data):
        return entity.data
    return {key: value for key, value in entity.data.items() if key not in left_out}


def _titled(entity: Entity, default: str) -> str:
    return " ".join(str(entity.data.get("title") or default).split())[:TITLE_MAX]


def _table(entity: Entity, name: str) -> Description:
    """Describes a table; one without a name is titled by its sheet and range, or else by its id."""
    data = entity.data
    spot = f"{data['sheet']}!{data['bounds']}" if data.get("sheet") and data.get("bounds") else entity.id
    label = str(data.get("name") or spot)
    title = _titled(entity, name if label == name else f"{label} ({name})")
    return Description(title, texts.table_text(data, name))


def _cell(entity: Entity, name: str) -> Description:
    """Describes a cell of a notebook or sheet."""
    data = entity.data
    language = str(data.get("language") or "code")
    spot = (
        f"{data['sheet']}!{data['position']}" if data.get("sheet") else str(data.get("position") or entity.id)
    )
    seen = outline(str(data.get("code") or ""), language)
    gist = seen.gist()
    section = f"{data['section']}, {spot.lower()}" if data.get("section") else spot
    under = "" if data.get("sheet") else f"{section}{f': {gist}' if gist else ''} ({name})"
    title = _titled(entity, data.get("name") or under or f"{language} cell at {spot} ({name})")
    tags = texts.concepts_of([*seen.imports, *seen.defines])
    return Description(title, texts.code_text(data, name, seen), tags)


def _chart(entity: Entity, name: str) -> Description:
    label = texts.chart_label({"name": entity.id, **entity.data})
    return Description(_titled(entity, f"{label} ({name})"), texts.chart_text(entity.data, name))


def _file(entity: Entity, name: str) -> Description:
    return Description(_titled(entity, name), texts.file_text(entity.data, name))


def _connection(entity: Entity, name: str) -> Description:
    """Describes a connection to a database."""
    data = entity.data
    kind = str(data.get("connectionKind") or data.get("kind") or "database")
    tables = [
        str(table.get("name") if isinstance(table, Mapping) else table) for table in data.get("tables") or ()
    ][:50]
    title = _titled(entity, f"{kind}: {data.get('name') or name}")
    return Description(title, texts.connection_text(data, name), (), {"tables": tables} if tables else None)


def _other(entity: Entity, name: str) -> Description:
    """Describes an entity of a type that nobody registered."""
    data = entity.data
    tags = texts.concepts_of(data.get("tags") or ())
    return Description(
        _titled(entity, f"{data.get('name') or entity.id} ({name})"), texts.other_text(data, name), tags
    )


_TYPES: dict[str, EntityType] = {
    entity_type.name: entity_type
    for entity_type in (
        EntityType(FILE, "file_summary", "file", _file),
        EntityType(CODE_CELL, "code_cell_summary", "file", _cell),
        EntityType(DATA_TABLE, "data_table_summary", "file", _table),
        EntityType(SHEET_TABLE, "sheet_table_summary", "file", _table),
        EntityType(CONNECTION, "connection_summary", "team", _connection),
        EntityType(CHART, "part_summary", "file", _chart),
    )
}


def register(type: EntityType) -> None:
    """Registers an entity type of a client, or replaces one. Raises InvalidInput for a kind that holds no
    descriptions, and for a scope other than `file` and `team`."""
    if not KINDS[type.kind].is_derived or type.scope not in ("file", "team"):
        raise InvalidInput(
            f"entities of type {safe_repr(type.name)} cannot be described as {type.kind} in scope"
            f" {type.scope}",
            code="argument_invalid",
            hint="use a kind that ends with _summary, and the scope file or team",
        )
    _TYPES[type.name] = type


def type_of(name: str) -> EntityType:
    """Returns an entity type; one that nobody registered is described by what its client says of it."""
    return _TYPES.get(name) or EntityType(name, "part_summary", "file", _other)


_FORMS: Mapping[str, tuple[str, type]] = {
    **dict.fromkeys(("columns", "tables", "tags"), ("a list", list)),
    "counts": ("an object", dict),
}
"""The forms of what is read of data, in words and as types."""


def description_of(entity: Entity, name: str) -> Description:
    """Returns the description of an entity. Raises InvalidInput `payload_invalid` for data that do not
    fit its type, such as columns that are not a list."""
    try:
        return type_of(entity.type).describe(entity, name)
    except (TypeError, ValueError, AttributeError, LookupError, OverflowError):
        raise _invalid(_misshapen(entity.data) or "the data of an entry do not fit its type") from None


def _misshapen(data: Mapping[str, Any]) -> str | None:
    """Returns what is wrong with the form of data, if it is one of the known fields."""
    for key, (form, kind) in _FORMS.items():
        if data.get(key) and not isinstance(data[key], kind):
            return f"{key} must be {form}"
    references = data.get("references")
    if isinstance(references, list) and not all(isinstance(reference, Mapping) for reference in references):
        return "references must be a list of objects"
    columns = data.get("columns") or ()
    if any(
        not isinstance(column.get("values") or [], list) for column in columns if isinstance(column, Mapping)
    ):
        return "values of a column must be a list"
    return None


def id_of(entity: Entity) -> str:
    """Returns the external id of an entity's description: its own id, shortened if no name is so long."""
    if len(entity.id) <= NAME_MAX and entity.id.isprintable() and entity.id.strip():
        return entity.id
    plain = (
        "".join(character if character.isprintable() else "�" for character in entity.id).strip()
        or entity.type.lower()
    )
    return f"{plain[: NAME_MAX - 20]}~{hashlib.sha256(entity.id.encode()).hexdigest()[:12]}"


# payloads


class _Misshapen(Exception):
    """An entry that lacks what every entry has."""


def entities_of(payload: object) -> Entities:
    """Returns the entities of a payload: of a list of them, or of a grid with sheets and cells (S3.5).

    Raises InvalidInput `payload_invalid`.
    """
    if not isinstance(payload, Mapping):
        raise _invalid("a payload must be an object")
    listed = payload.get("entities")
    try:
        entities = _entities_of(listed) if isinstance(listed, list) else Entities.of(_of_grid(payload))
    except KeyError as error:
        raise _invalid(f"a payload has an entry without {error}") from None
    except _Misshapen as error:
        raise _invalid(f"a payload has an entry without {error}") from None
    except (TypeError, AttributeError, ValueError):
        raise _invalid("an entry of a payload is not an object or has a field of the wrong type") from None
    if len(entities) > ENTITIES_MAX:
        raise _invalid(f"a payload may have at most {ENTITIES_MAX:,} entities")
    if len(set(entities.ids)) < len(entities):
        (type, id), count = Counter(zip(entities.types, entities.ids, strict=True)).most_common(1)[0]
        if count > 1:
            raise _invalid(f"two entities of type {type} have the id {safe_repr(id)}")
    return entities


_TYPE, _ID, _DATA = itemgetter("type"), itemgetter("id"), itemgetter("data")


def _entities_of(values: list[Any]) -> Entities:
    """Returns the entities of a list, each attribute of all of them checked at once."""
    types, ids = list(map(_TYPE, values)), list(map(_ID, values))
    try:
        data = list(map(_DATA, values))
        is_whole = _are_all(data, dict)
    except KeyError:
        is_whole = False
    if not is_whole:  # what could not be read may come without data
        data = [{} if (entry := value.get("data")) is None else entry for value in values]
    errors: list[str | None] = [None] * len(values)
    if not is_whole or sum(map(len, values)) > 3 * len(values):  # some have more than a type, an id and data
        errors = [None if (entry := value.get("error")) is None else str(entry) for value in values]
    if not (_are_all(types, str) and _are_all(ids, str) and _are_all(data, dict)):
        raise _Misshapen("a type, an id and data")
    if not all(0 < len(type) <= 60 for type in set(types)):
        raise _Misshapen("a type of 1 to 60 characters")
    return Entities(types, ids, data, errors)


def _are_all(values: list[Any], kind: type) -> bool:
    return all(issubclass(type_, kind) for type_ in set(map(type, values)))


def _of_grid(payload: Mapping[str, Any]) -> Iterator[Entity]:
    """Yields the entities of a grid. The file itself is described if it is more than a cell (S3.11)."""
    sheets, cells, tables = (payload.get(name) or [] for name in ("sheets", "codeCells", "sheetTables"))
    if not sheets and not cells and not tables and "sheets" not in payload:
        raise _invalid("a payload has entities, or sheets")
    described = [_cell_of(cell) for cell in cells]
    counts: dict[str, int] = {"code cell": sum(entity.error is None for entity in described)}
    for sheet in sheets:
        described += [
            Entity(
                DATA_TABLE,
                f"{sheet['name']}:{table.get('bounds')}",
                {"sheet": sheet["name"], **_picked(table, "name", "columns", "bounds", "rows")},
            )
            for table in sheet.get("dataTables") or ()
        ]
        for connection in sheet.get("connections") or ():
            key = connection.get("id") or connection.get("connectionId")
            if key:
                described.append(
                    Entity(CONNECTION, str(key), _picked(connection, "name", "connectionKind", "tables"))
                )
        for name, key in (("data table", "dataTables"), ("connection", "connections"), ("chart", "charts")):
            counts[name] = counts.get(name, 0) + len(sheet.get(key) or ())
    described += [
        Entity(
            SHEET_TABLE,
            f"{table['sheetName']}:{table.get('bounds')}",
            {"sheet": table["sheetName"], **_picked(table, "columns", "bounds", "rows", "cols")},
        )
        for table in tables
    ]
    counts["sheet table"] = len(tables)
    yield from described
    is_more = any(count for name, count in counts.items() if name != "code cell")
    if is_more or counts["code cell"] > 1:
        whole = {
            "kind": "Spreadsheet", "sheets": [str(sheet["name"]) for sheet in sheets],
            "charts": _part_names(sheets, "charts"),
            "tables": _part_names(sheets, "dataTables", "codeTables"),
            "connections": _part_names(sheets, "connections"), "counts": counts,
        }  # fmt: skip
        yield Entity(FILE, FILE_ID, whole)
    elif counts["code cell"] + sum(bool(cell.get("hasError")) for cell in cells) > 1:
        yield Entity(FILE, FILE_ID, {}, "a cell of it failed")  # what is known of it stays (S3.10)


def _part_names(sheets: Sequence[Mapping[str, Any]], *keys: str) -> list[str]:
    """Returns what parts of sheets are called: by their name, else by their kind, else by their place."""
    return [
        str(part.get("name") or part.get("connectionKind") or f"{sheet['name']}!{part.get('bounds')}")
        for sheet in sheets
        for key in keys
        for part in sheet.get(key) or ()
    ]


def _cell_of(cell: Mapping[str, Any]) -> Entity:
    """Returns a code cell; one that failed or is blank is not described, and keeps what is known (S3.10)."""
    code = str(cell.get("code") or "")
    error = "it failed" if cell.get("hasError") else None if code.strip() else "it is blank"
    data = {
        "sheet": cell["sheetName"], "position": str(cell["position"]),
        **_picked(cell, "name", "language", "code", "outputShape"),
    }  # fmt: skip
    return Entity(CODE_CELL, f"{cell['sheetName']}:{cell['position']}", data, error)


def _picked(value: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: value[name] for name in names if value.get(name) is not None}


def _invalid(why: str) -> InvalidInput:
    return InvalidInput(
        why, code="payload_invalid",
        hint='{"name": "sales.xlsx", "entities": [{"type": "DATA_TABLE", "id": "orders", "data": {…}}]}',
    )  # fmt: skip
