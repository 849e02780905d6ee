"""Descriptions of things without a model: what a table holds, what a cell does, what a file is for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from holdfast.language.code_outline import Outline

Data = Mapping[str, Any]

COLUMNS_SHOWN = 40
"""Most columns that a description lists with their details; further ones are named only."""
COLUMNS_NAMED = 200
LISTED = 20
"""Most entries of any other list (S3.24)."""
LINES_KEPT = 4
WORDS_KEPT = 300
"""Most characters of a comment, a docstring or an output that a description quotes."""


def table_text(data: Data, name: str) -> str:
    """Describes a table: rows, grain, keys, references, and for each column its type, range, how much of it
    is empty, and its comment."""
    columns = [
        column if isinstance(column, Mapping) else {"name": str(column)}
        for column in data.get("columns") or ()
    ]
    kind = str(data.get("kind") or "table")
    where = f"in sheet {data['sheet']} of {name}" if data.get("sheet") else f"in {name}"
    where = "" if data.get("name") == name else where  # a file of one table
    spot = f" at {data['bounds']}" if data.get("bounds") else ""
    size = [_with_noun(data["rows"], "row")] if isinstance(data.get("rows"), int) else []
    size += (
        [_with_noun(len(columns), "documented column" if data.get("partial") else "column")]
        if columns
        else []
    )
    parts = [" ".join(f"{_capitalized(kind)} {data.get('name') or ''} {where}{spot}".split())]
    parts[0] += f": {', '.join(size)}." if size else "."
    parts += [_sentence(data["comment"])] if data.get("comment") else []
    parts += _grain(data)
    for reference in _several(data.get("references")):
        ours, theirs = ", ".join(reference.get("columns", ())), ", ".join(reference.get("to", ()))
        verb = "refers" if len(reference.get("columns", ())) < 2 else "refer"
        parts.append(f"{ours} {verb} to {reference.get('table')}" + (f" ({theirs})." if theirs else "."))
    others = _several(data.get("referenced_by"))
    parts += [f"{_first_of(others)} {'refers' if len(others) == 1 else 'refer'} to it."] if others else []
    if origins := _several(data.get("computed_from")):
        parts.append(f"Computed from {_first_of(origins)}.")
    elif data.get("definition"):
        parts.append(_sentence(f"Computed as: {data['definition']}"))
    parts += [f"Stored as {data['stored']}."] if data.get("stored") else []
    if columns:
        keys = [str(key) for key in _several(data.get("keys"))]
        is_part = isinstance(data.get("sampled"), int)  # what repeats after it is not known
        shown = "; ".join(
            column_text(column, is_key=is_part or [column.get("name")] == keys)
            for column in columns[:COLUMNS_SHOWN]
        )
        rest = [str(column.get("name")) for column in columns[COLUMNS_SHOWN:COLUMNS_NAMED]]
        part = f" in the first {data['sampled']:,} rows" if is_part else ""
        parts.append(f"Columns{part}: {shown}{'; also ' + ', '.join(rest) if rest else ''}.")
    formulas = _several(data.get("formulas"))
    if formulas:
        parts.append(f"Formulas: {'; '.join(map(str, formulas[:LISTED]))}.")
    return " ".join(parts)


def chart_text(data: Data, name: str) -> str:
    """Describes a chart: what it shows of which cells, by what."""
    where = f"in sheet {data['sheet']} of {name}" if data.get("sheet") else f"in {name}"
    place = f" at {data['place']}" if data.get("place") else ""
    parts = [f"{chart_label(data)} {where}{'' if place.strip() in chart_label(data) else place}."]
    if shows := _several(data.get("shows")):
        parts.append(f"Shows {_first_of(shows)}" + (f" by {data['by']}." if data.get("by") else "."))
    parts += [f"Axes: {_first_of(_several(data['axes']))}."] if data.get("axes") else []
    return " ".join(parts)


def chart_label(data: Data) -> str:
    """Returns the kind and the name of a chart, without saying the kind twice."""
    kind, label = str(data.get("kind") or "Chart"), str(data.get("name") or "")
    if not label:
        return kind
    is_named = re.search(rf"\b{re.escape(kind)}\b", label, re.IGNORECASE)
    return _capitalized(label) if is_named else f"{kind} {label}"


def column_text(column: Data, *, is_key: bool = False) -> str:
    """Describes a column, such as `age (integer, 18 to 94, 3% empty)`."""
    kind = column.get("type") if column.get("type") not in (None, "", "empty") else column.get("declared")
    notes = [str(kind)] if kind else []
    low, high = column.get("min"), column.get("max")
    values = column.get("values")
    if values:
        notes.append("one of " + ", ".join(map(str, values)) if len(values) > 1 else f"always {values[0]}")
    elif low is not None and high is not None:
        first, last = _range(low, high)
        notes.append(f"always {first}" if low == high else f"{first} to {last}")
    if column.get("different"):
        notes.append(f"{_with_noun(column['different'], 'value')}, not shown")
    if column.get("unique") and not is_key:
        notes.append("each value once")
    empty = column.get("empty")
    if isinstance(empty, int | float) and empty > 0:
        notes.append("all empty" if empty >= 1 else f"{max(1, round(empty * 100))}% empty")
    if column.get("personal"):
        notes.append("personal data, values not shown")
    if column.get("unit"):
        notes.append(f"in {column['unit']}")
    text = f"{column.get('name')} ({', '.join(notes)})" if notes else str(column.get("name"))
    return f"{text}: {_truncated(str(column['comment'])).rstrip('.')}" if column.get("comment") else text


def _range(low: Any, high: Any) -> tuple[str, str]:
    """Returns the ends of a range in one form: with commas from ten thousand on, so that years have none."""
    ends = [end for end in (low, high) if isinstance(end, int | float)]
    comma = "," if any(abs(end) >= 10_000 for end in ends) else ""

    def formatted(value: Any) -> str:
        if isinstance(value, float):
            is_plain = 1 <= abs(value) < 1e15
            return f"{value:{comma}.2f}".rstrip("0").rstrip(".") if is_plain else f"{value:.3g}"
        return f"{value:{comma}}" if isinstance(value, int) else str(value)

    return formatted(low), formatted(high)


def _grain(data: Data) -> list[str]:
    keys = [str(key) for key in _several(data.get("keys"))]
    if data.get("grain"):
        return [_sentence(str(data["grain"]))]
    return [f"One row for each {' and '.join(keys)}."] if keys else []


def code_text(data: Data, name: str, outline: Outline) -> str:
    """Describes code: what it says of itself, what it imports, reads, computes, draws and shows."""
    language = str(data.get("language") or "code")
    spot = data.get("position")
    where = f"at {spot} in sheet {data['sheet']} of {name}" if data.get("sheet") else f"in {name}"
    if spot is not None and not data.get("sheet"):
        where = f"{str(spot).lower().removeprefix('cell ')} of {name}"
    label = f" {data['name']}" if data.get("name") else ""
    what = "Formula" if language.lower() == "formula" else f"{language[:1].upper()}{language[1:]} cell"
    parts = [f"{what}{label} {where}."]
    parts += [f"Section {data['section']}."] if data.get("section") else []
    says = outline.says or str(data.get("introduced") or "")
    parts += [_sentence(says)] if says else []
    for verb, names in (
        ("Imports", outline.imports), ("Defines", outline.defines), ("Reads", outline.reads),
        ("Uses", outline.uses), ("Computes", outline.computes), ("Adds columns", outline.adds),
        ("Groups by", outline.groups), ("Fits", outline.fits), ("Calls", outline.calls),
        ("Writes", outline.writes), ("Draws", outline.draws), ("Shows", outline.shows),
    ):  # fmt: skip
        if names:
            parts.append(f"{verb} {_first_of(names)}.")
    if what == "Formula" and data.get("code"):
        parts.append(f"Formula: {_truncated(str(data['code']))}.")
    if data.get("outputShape") and not (outline.draws and data["outputShape"] == "a chart"):
        parts.append(f"Result: {data['outputShape']}.")
    outputs = [_truncated(" ".join(str(output).split())) for output in _several(data.get("outputs"))]
    if outputs:
        parts.append(f"Output: {'; '.join(outputs[:LINES_KEPT])}.")
    return " ".join(parts)


def file_text(data: Data, name: str) -> str:
    """Describes a file: what it is for, what it holds, how it is built."""
    kind = str(data.get("kind") or "File")
    parts = [f"{kind} {name}."]
    parts += [_sentence(str(data["about"]))] if data.get("about") else []
    for label, key in (
        ("Sheets", "sheets"), ("Sections", "sections"), ("Tables", "tables"), ("Views", "views"),
        ("Links", "links"), ("Charts", "charts"), ("Models", "models"),
        ("Snapshots", "snapshots"), ("Seeds", "seeds"), ("Modules", "modules"),
        ("Files", "files"), ("Sources", "sources"), ("Entry points", "entry_points"), ("Imports", "imports"),
        ("Reads", "reads"), ("Fits", "fits"), ("Writes", "writes"), ("Draws", "draws"),
        ("Connections", "connections"),
    ):  # fmt: skip
        if values := _several(data.get(key)):
            count = f" ({len(values):,})" if len(values) > 1 else ""
            parts.append(f"{label}{count}: {_first_of([_sized(value) for value in values])}.")
    counts = data.get("counts") or {}
    if counts:
        contents = [_with_noun(count, what) for what, count in counts.items() if count]
        parts += [f"It has {', '.join(contents)}."] if contents else []
    if data.get("runs_with"):
        parts.append(f"Runs with {data['runs_with']}.")
    if data.get("failing"):
        failing = data["failing"]
        parts.append(
            f"{failing} ended with an error."
            if isinstance(failing, str)
            else f"{_with_noun(failing, 'cell')} ended with an error."
        )
    return " ".join(parts)


def connection_text(data: Data, name: str) -> str:
    """Describes a data connection by what it offers."""
    kind = str(data.get("connectionKind") or data.get("kind") or "database")
    label = _capitalized(kind) + ("" if " " in kind else " connection")
    parts = [f"{label} {data.get('name') or name}."]
    parts += [_sentence(str(data["about"]))] if data.get("about") else []
    if tables := _several(data.get("tables")):
        parts.append(
            f"It offers {_with_noun(len(tables), 'table')}: {_first_of([_sized(table) for table in tables])}."
        )
        described = [table for table in tables[:LISTED] if isinstance(table, Mapping) and table.get("about")]
        parts += [f"{table.get('name')}: {_sentence(str(table['about']))}" for table in described]
    parts += [f"Links: {_first_of(_several(data['links']))}."] if data.get("links") else []
    return " ".join(parts)


def other_text(data: Data, name: str) -> str:
    """Describes anything else by what its client says of it, else by its data."""
    if data.get("summary"):
        return str(data["summary"])
    parts = [f"{data.get('kind') or 'Part'} {data.get('name') or ''} of {name}.".replace("  ", " ")]
    parts += [_sentence(str(data["description"]))] if data.get("description") else []
    for key, value in data.items():
        if key in ("name", "title", "kind", "description", "tags") or value in (None, "", [], {}):
            continue
        shown = ", ".join(map(str, value[:LISTED])) if isinstance(value, list) else str(value)
        parts.append(_sentence(f"{key.replace('_', ' ').capitalize()}: {shown}"))
    return " ".join(parts)


# words


def rounded(count: int) -> str:
    """Returns a count in words: exact up to a thousand, then to two digits, so that it is seldom news."""
    if count <= 1_000:
        return f"{count:,}"
    step = 10 ** (len(str(count)) - 2)
    return f"about {round(count / step) * step:,}"


def _sized(value: Any) -> str:
    """Returns the name of a part, with its rows if they are known."""
    if not isinstance(value, Mapping):
        return str(value)
    rows = value.get("rows")
    size = "empty" if rows == 0 else _with_noun(rows, "row") if isinstance(rows, int) else ""
    return f"{value.get('name')} ({size})" if size else str(value.get("name"))


def _first_of(values: Sequence[Any]) -> str:
    """Returns the first entries of a list, and how many more there are."""
    more = f" and {len(values) - LISTED:,} more" if len(values) > LISTED else ""
    return ", ".join(map(str, values[:LISTED])) + more


def _capitalized(kind: str) -> str:
    """Returns a kind of thing at the beginning of a sentence; dbt is written small there, too."""
    return kind if kind.startswith("dbt ") else f"{kind[:1].upper()}{kind[1:]}"


def _with_noun(count: int, noun: str) -> str:
    return f"{rounded(count)} {noun if count == 1 else noun + 's'}"


def _sentence(text: str) -> str:
    plain = _truncated(" ".join(text.split()))
    if plain.partition(" ")[0].isalpha() and plain.partition(" ")[0].islower():  # no name such as read_csv
        plain = plain[:1].upper() + plain[1:]
    return plain if plain.endswith((".", "!", "?", "…")) else f"{plain}."


def _truncated(text: str, most: int = WORDS_KEPT) -> str:
    """Returns a text that is not too long: cut at the end of a sentence, else after a word."""
    if len(text) <= most:
        return text
    head = text[: most - 1]
    end = head.rfind(". ")
    return head[: end + 1] if end > most // 2 else head.rsplit(" ", 1)[0].rstrip(",;:") + "…"


def _several(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else ()


def concepts_of(names: Iterable[str], most: int = 5) -> tuple[str, ...]:
    """Returns the first different short names, as tags (S3.12)."""
    plain = (" ".join(str(name).split()) for name in names)
    return tuple(dict.fromkeys(text for text in plain if 0 < len(text) <= 40))[:most]
