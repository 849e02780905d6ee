"""Descriptions of things without a model: what a table holds, what a cell does, what a file is for."""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

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
    columns = [one if isinstance(one, Mapping) else {"name": str(one)} for one in data.get("columns") or ()]
    kind = str(data.get("kind") or "table").capitalize()
    where = f"in sheet {data['sheet']} of {name}" if data.get("sheet") else f"in {name}"
    spot = f" at {data['bounds']}" if data.get("bounds") else ""
    size = [_counted(data["rows"], "row")] if isinstance(data.get("rows"), int) else []
    size += [_counted(len(columns), "column")] if columns else []
    parts = [f"{kind} {data.get('name') or data.get('bounds') or ''} {where}{spot}".replace("  ", " ")]
    parts[0] += f": {', '.join(size)}." if size else "."
    parts += [_sentence(data["comment"])] if data.get("comment") else []
    parts += _grain(data)
    for reference in _several(data.get("references")):
        ours, theirs = ", ".join(reference.get("columns", ())), ", ".join(reference.get("to", ()))
        parts.append(f"{ours} refers to {reference.get('table')}" + (f" ({theirs})." if theirs else "."))
    parts += [_sentence(f"Computed as: {data['definition']}")] if data.get("definition") else []
    parts += [f"Stored as {data['stored']}."] if data.get("stored") else []
    if columns:
        keys = [str(one) for one in _several(data.get("keys"))]
        shown = "; ".join(
            column_text(one, is_key=[one.get("name")] == keys) for one in columns[:COLUMNS_SHOWN]
        )
        rest = [str(one.get("name")) for one in columns[COLUMNS_SHOWN:COLUMNS_NAMED]]
        parts.append(f"Columns: {shown}{'; also ' + ', '.join(rest) if rest else ''}.")
    formulas = _several(data.get("formulas"))
    if formulas:
        parts.append(f"Formulas: {'; '.join(map(str, formulas[:LISTED]))}.")
    return " ".join(parts)


def column_text(column: Data, *, is_key: bool = False) -> str:
    """Describes a column, such as `age (integer, 18 to 94, 3% empty)`."""
    notes = [str(column["type"])] if column.get("type") else []
    low, high = column.get("min"), column.get("max")
    values = column.get("values")
    if values:
        notes.append("one of " + ", ".join(map(str, values)) if len(values) > 1 else f"always {values[0]}")
    elif low is not None and high is not None:
        notes.append(f"always {low}" if low == high else f"{low} to {high}")
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
    return f"{text}: {_cut(str(column['comment'])).rstrip('.')}" if column.get("comment") else text


def _grain(data: Data) -> list[str]:
    keys = [str(one) for one in _several(data.get("keys"))]
    if data.get("grain"):
        return [_sentence(str(data["grain"]))]
    return [f"One row for each {' and '.join(keys)}."] if keys else []


def code_text(data: Data, name: str) -> str:
    """Describes code: what it says of itself, what it imports, reads, computes, draws and prints, and how it
    ended."""
    language = str(data.get("language") or "code")
    code = str(data.get("code") or "")
    spot = data.get("position")
    where = f"at {spot} in sheet {data['sheet']} of {name}" if data.get("sheet") else f"in {name}"
    if spot is not None and not data.get("sheet"):
        where = f"{str(spot).lower().removeprefix('cell ')} of {name}"
    seen = read_python(code) if language.lower().startswith("python") else read_other(code, language)
    label = f" {data['name']}" if data.get("name") else ""
    what = "Formula" if language.lower() == "formula" else f"{language[:1].upper()}{language[1:]} cell"
    parts = [f"{what}{label} {where}."]
    parts += [f"Section {data['section']}."] if data.get("section") else []
    parts += [_sentence(seen["says"])] if seen["says"] else []
    for verb, names in (
        ("Imports", "imports"), ("Defines", "defines"), ("Reads", "reads"), ("Uses", "uses"),
        ("Computes", "assigns"), ("Writes", "writes"), ("Draws", "draws"),
    ):  # fmt: skip
        if seen[names]:
            parts.append(f"{verb} {', '.join(seen[names][:LISTED])}.")
    if what == "Formula" and code:
        parts.append(f"Formula: {_cut(code)}.")
    if data.get("outputShape"):
        parts.append(f"Result: {data['outputShape']}.")
    outputs = [_cut(" ".join(str(one).split())) for one in _several(data.get("outputs"))]
    if outputs:
        parts.append(f"Output: {'; '.join(outputs[:LINES_KEPT])}.")
    if data.get("ended"):
        parts.append(f"It ended with an error: {_cut(str(data['ended']))}.")
    return " ".join(parts)


def file_text(data: Data, name: str) -> str:
    """Describes a file: what it is for, what it holds, how it is built."""
    kind = str(data.get("kind") or "File")
    parts = [f"{kind} {name}."]
    parts += [_sentence(str(data["about"]))] if data.get("about") else []
    for label, key in (
        ("Sheets", "sheets"), ("Sections", "sections"), ("Tables", "tables"), ("Views", "views"),
        ("Charts", "charts"), ("Models", "models"), ("Modules", "modules"), ("Files", "files"),
        ("Sources", "sources"), ("Imports", "imports"), ("Connections", "connections"),
    ):  # fmt: skip
        values = _several(data.get(key))
        if values:
            more = f" and {len(values) - LISTED:,} more" if len(values) > LISTED else ""
            parts.append(f"{label} ({len(values):,}): {', '.join(map(str, values[:LISTED]))}{more}.")
    counts = data.get("counts") or {}
    if counts:
        held = [_counted(count, what) for what, count in counts.items() if count]
        parts += [f"It has {', '.join(held)}."] if held else []
    if data.get("runs_with"):
        parts.append(f"Runs with {data['runs_with']}.")
    if data.get("failing"):
        parts.append(f"{_counted(data['failing'], 'cell')} ended with an error.")
    return " ".join(parts)


def connection_text(data: Data, name: str) -> str:
    """Describes a data connection by what it offers."""
    kind = str(data.get("connectionKind") or data.get("kind") or "database")
    tables = [str(one) for one in _several(data.get("tables"))]
    more = f" and {len(tables) - LISTED:,} more" if len(tables) > LISTED else ""
    listed = (
        f" It offers {_counted(len(tables), 'table')}: {', '.join(tables[:LISTED])}{more}." if tables else ""
    )
    about = f" {_sentence(str(data['about']))}" if data.get("about") else ""
    label = f"{kind[:1].upper()}{kind[1:]}" + ("" if " " in kind else " connection")
    return f"{label} {data.get('name') or name}.{about}{listed}"


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


# code


_READS = ("read_csv", "read_excel", "read_parquet", "read_json", "read_sql", "read_table", "open", "load",
          "scan_csv", "scan_parquet", "connect", "get", "read_sql_query", "read_feather")  # fmt: skip
_WRITES = ("to_csv", "to_excel", "to_parquet", "to_json", "to_sql", "savefig", "dump", "write", "write_csv",
           "write_parquet", "write_html", "to_html")  # fmt: skip
_DRAWS = ("plot", "scatter", "bar", "barh", "hist", "line", "pie", "boxplot", "heatmap", "imshow", "lineplot",
          "barplot", "scatterplot", "histplot", "choropleth", "treemap", "histogram", "area",
          "fill_between")  # fmt: skip
_CHARTED = frozenset({"plot", "plt", "sns", "px", "go", "ax", "alt", "fig", "axes", "df", "plotly", "pyplot"})


def _nothing() -> dict[str, Any]:
    keys = ("imports", "defines", "reads", "uses", "assigns", "writes", "draws")
    return {"says": "", **{key: [] for key in keys}}


def read_python(code: str) -> dict[str, Any]:
    """Returns what Python code says and does, by its syntax tree; by its lines if it has none."""
    lines = [line for line in code.splitlines() if not re.match(r"\s*[%!?]", line)]
    try:
        tree = ast.parse("\n".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return read_other(code, "python")
    seen = _nothing()
    seen["says"] = ast.get_docstring(tree) or _leading_comment(code)
    assigned: list[str] = []
    for step in tree.body:
        if isinstance(step, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            seen["defines"].append(step.name)
            seen["says"] = seen["says"] or ast.get_docstring(step) or ""
        for target in getattr(step, "targets", [getattr(step, "target", None)]):
            assigned += [one.id for one in ast.walk(target) if isinstance(one, ast.Name)] if target else []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            seen["imports"] += [alias.name.split(".")[0] for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            seen["imports"] += [(node.module or ".").split(".")[0]]
        elif isinstance(node, ast.Call):
            _note_call(node, seen)
    known = {*assigned, *seen["imports"], *seen["defines"]}
    local = {one.arg for one in ast.walk(tree) if isinstance(one, ast.arg)}
    names = [one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)]
    aliases = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    bound = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    outside = known | local | aliases | bound | _BUILT_IN | _ALIASES
    foreign = [one for one in names if one not in outside]
    seen["uses"] = [one for one, _ in Counter(foreign).most_common(LISTED)]
    seen["assigns"] = [one for one in dict.fromkeys(assigned) if not one.startswith("_")]
    for key in ("imports", "reads", "writes", "draws"):
        seen[key] = list(dict.fromkeys(seen[key]))
    return seen


_BUILT_IN = frozenset(dir(builtins))
_ALIASES = frozenset({"pd", "np", "plt", "sns", "px", "go", "alt", "pl", "tf", "sp", "display"})
"""Names of packages that other cells import."""


def _note_call(node: ast.Call, seen: dict[str, Any]) -> None:
    function = node.func
    called = getattr(function, "attr", None) or getattr(function, "id", "")
    owner = ""
    if isinstance(function, ast.Attribute):
        root = function.value
        if getattr(root, "attr", "") == "plot":  # monthly.plot.bar()
            owner = "plot"
        while not owner and isinstance(root, ast.Attribute | ast.Call | ast.Subscript):
            root = getattr(root, "func", None) or root.value  # type: ignore[union-attr]
        owner = owner or getattr(root, "id", "")
    given = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    if called in _DRAWS and (owner in _CHARTED or "plot" in called or called in ("heatmap", "choropleth")):
        titled = [
            str(one.value.value)
            for one in node.keywords
            if one.arg in ("title", "x", "y") and isinstance(one.value, ast.Constant)
        ]
        seen["draws"].append(
            f"a {called} chart" + (f" of {', '.join([*given, *titled])}" if given or titled else "")
        )
    elif called in ("title", "set_title") and given:
        seen["draws"].append(f'"{_cut(given[0])}"')
    elif called in _READS and given:
        seen["reads"].append(_cut(given[0]))
    elif called in _WRITES and given:
        seen["writes"].append(_cut(given[0]))


_COMMENT = re.compile(r"^\s*(?:#|//|--|')\s*(.+)$")
_SQL_FROM = re.compile(r"\b(?:from|join)\s+([\w.\"`]+)", re.IGNORECASE)
_IMPORTED = re.compile(r"^\s*(?:import|from|library|require|use)\s*\(?['\"]?([\w./@-]+)", re.MULTILINE)
_ASSIGNED = re.compile(r"^\s*(?:const|let|var)?\s*([A-Za-z_]\w*)\s*(?:=|<-)(?!=)", re.MULTILINE)
_SHEET_REFERENCE = re.compile(r"\$?[A-Z]{1,3}\$?\d+(?::\$?[A-Z]{1,3}\$?\d+)?")


def read_other(code: str, language: str) -> dict[str, Any]:
    """Returns what code in another language says and does, by its lines."""
    seen = _nothing()
    seen["says"] = _leading_comment(code)
    name = language.lower()
    if "sql" in name or re.match(r"\s*(?:with|select)\b", code, re.IGNORECASE):
        seen["reads"] = list(dict.fromkeys(_SQL_FROM.findall(code)))
    elif name == "formula":
        seen["uses"] = list(dict.fromkeys(_SHEET_REFERENCE.findall(code)))
    else:
        seen["imports"] = list(dict.fromkeys(_IMPORTED.findall(code)))
        seen["assigns"] = list(dict.fromkeys(_ASSIGNED.findall(code)))
    return seen


def _leading_comment(code: str) -> str:
    lines: list[str] = []
    for line in code.splitlines():
        if match := _COMMENT.match(line):
            lines.append(match[1].strip(" #*-="))
        elif line.strip() or lines:
            break
    return " ".join(filter(None, lines[:LINES_KEPT]))


# words


def rounded(count: int) -> str:
    """Returns a count in words: exact up to a thousand, then to two digits, so that it is seldom news."""
    if count <= 1_000:
        return f"{count:,}"
    step = 10 ** (len(str(count)) - 2)
    return f"about {round(count / step) * step:,}"


def _counted(count: int, what: str) -> str:
    return f"{rounded(count)} {what if count == 1 else what + 's'}"


def _sentence(text: str) -> str:
    plain = _cut(" ".join(text.split()))
    plain = plain[:1].upper() + plain[1:]
    return plain if plain.endswith((".", "!", "?", "…")) else f"{plain}."


def _cut(text: str, most: int = WORDS_KEPT) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _several(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else ()


def concepts_of(names: Iterable[str], most: int = 5) -> tuple[str, ...]:
    """Returns the first different short names, as tags (S3.12)."""
    plain = (" ".join(str(one).split()) for one in names)
    return tuple(dict.fromkeys(one for one in plain if 0 < len(one) <= 40))[:most]
