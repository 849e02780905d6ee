"""dbt projects: models, seeds and snapshots with what they select from, and what their files say of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

from holdfast.core.errors import InvalidInput
from holdfast.core.reconciled import CONNECTION, DATA_TABLE, FILE, FILE_ID, Entity, payload_with
from holdfast.readers.extras import required
from holdfast.readers.leftovers import LISTED_MAX, visible, why_alone
from holdfast.readers.tabular import table_of

PROJECT = "dbt_project.yml"
_DOCUMENTS = (".yml", ".yaml")
_KINDS = {"model": (".sql", ".py"), "snapshot": (".sql", ".py"), "seed": (".csv",)}
"""The endings of the files of each kind."""
_WRITTEN = {
    "target": "made by dbt", "logs": "made by dbt", "dbt_packages": "packages of others",
    "dbt_modules": "packages of others",
}  # fmt: skip
"""Folders of a project that nobody writes by hand, and why they are left out."""
_REF = re.compile(r"""\bref\(\s*(?:['"][\w.-]+['"]\s*,\s*)?['"]([\w.-]+)['"]""")
_SOURCE = re.compile(r"""\bsource\(\s*['"]([\w.-]+)['"]\s*,\s*['"]([\w.-]+)['"]""")
_MATERIALIZED = re.compile(r"""\bmaterialized\s*=\s*['"](\w+)['"]""")
_COMMENTED = re.compile(r"\{#.*?#\}|--[^\n]*|/\*.*?\*/", re.DOTALL)
_EXPRESSION = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_STATEMENT = re.compile(r"\{%.*?%\}", re.DOTALL)
_VALUE, _LOOP = "\1", "\0"
"""What stands for them in SQL: a value or part of a name, and what may make any number of columns."""
_PART = re.compile(r"(?i)'(?:[^']|'')*'|[(),]|\b(?:select|from|union|intersect|except)\b")
_LAST_NAME = re.compile(r"""(?i)(?:\A|[.]|\bas\s+|[)\w]\s+)(?:["`]([^"`]+)["`]|([a-z_]\w*))\Z""")
"""The name of a selected column: `name`, `t.name`, `… as name`, `max(x) name`."""
_NO_NAME = frozenset("end null true false".split())
_COMMENT = re.compile(r"\A\s*(?:--[^\n]*\n\s*|\{#.*?#\}\s*)+", re.DOTALL)


def read(root: Path) -> dict[str, Any]:
    """Returns the payload of a project. Raises InvalidInput `extra_missing`, `file_unreadable`."""
    yaml = required("yaml", "data", "a dbt project")
    try:
        project = yaml.safe_load((root / PROJECT).read_text("utf-8")) or {}
        documented = _documented(root, yaml)
    except (OSError, ValueError, yaml.YAMLError) as error:
        mark = getattr(error, "problem_mark", None)
        why = f"line {mark.line + 1} of a .yml file is not valid YAML" if mark else "a file cannot be read"
        raise InvalidInput(
            f"{root.name} cannot be read as a dbt project: {why}", code="file_unreadable",
            hint=f"check {PROJECT} and the .yml files beside the models",
        ) from None  # fmt: skip
    name = str(project.get("name") or root.name)
    models = list(_models(root, project, documented))
    sources = {str(source): about for source, about in documented["sources"].items()}
    for source, about in sources.items():
        models.append(Entity(CONNECTION, f"source {source}", {"name": source, "kind": "dbt source", **about}))
    files = list(_sources(root, project))
    whole = {
        "kind": "dbt project", "about": project.get("description"), "sources": list(sources),
        "models": [path.stem for kind, path in files if kind == "model"],
        "snapshots": [path.stem for kind, path in files if kind == "snapshot"],
        "seeds": [path.stem for kind, path in files if kind == "seed"],
    }  # fmt: skip
    entities = [*models, Entity(FILE, FILE_ID, {key: value for key, value in whole.items() if value})]
    skipped = list(islice(_left_out(root, project), LISTED_MAX))
    return {**payload_with(name, "dbt", entities), "skipped": skipped}


def _left_out(root: Path, project: dict[str, Any]) -> Iterator[dict[str, str]]:
    """Yields each visible file that is not read, with the reason; a folder that dbt writes is one."""
    read = {path for _, path in _sources(root, project)}
    for name in sorted(_WRITTEN):
        if (root / name).is_dir():
            yield {"file": f"{name}/", "why": _WRITTEN[name]}
    for path in visible(root):
        parts = path.relative_to(root).parts
        if not path.is_file() or path in read or parts[0] in _WRITTEN or path.suffix in _DOCUMENTS:
            continue
        if path.is_symlink():
            why = "it is a link"
        elif (alone := why_alone(path)) is not None:
            why = alone
        else:
            why = "neither a model, a seed, a snapshot nor a .yml file"
        yield {"file": path.relative_to(root).as_posix(), "why": why}


def _files(root: Path, folders: list[str], suffixes: tuple[str, ...]) -> Iterator[Path]:
    """Yields the files of a dbt project with one of the suffixes, inside the project only."""
    inside = root.resolve()
    for folder in folders:
        if not (root / folder).resolve().is_relative_to(inside):
            continue  # a project names what is in it, not other folders of the machine
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in suffixes and path.is_file() and not path.is_symlink():
                yield path


def _folders(project: dict[str, Any], key: str, default: str) -> list[str]:
    paths = project.get(f"{key}-paths") or project.get("source-paths" if key == "model" else "", [default])
    return [str(folder) for folder in (paths if isinstance(paths, list) else [default])] or [default]


def _documented(root: Path, yaml: Any) -> dict[str, dict[str, Any]]:
    """Returns what the .yml files say of models, seeds and sources, by name."""
    result: dict[str, dict[str, Any]] = {"models": {}, "sources": {}}
    for path in _files(root, ["."], _DOCUMENTS):
        if _WRITTEN.keys() & set(path.relative_to(root).parts):
            continue
        whole = yaml.safe_load(path.read_text("utf-8"))
        if not isinstance(whole, dict):
            continue
        for key in ("models", "seeds", "snapshots"):
            for entry in whole.get(key) or () if isinstance(whole.get(key), list) else ():
                result["models"][str(entry.get("name"))] = entry
        for source in whole.get("sources") or () if isinstance(whole.get("sources"), list) else ():
            tables = [
                {"name": str(table.get("name"))}
                | ({"about": table["description"]} if table.get("description") else {})
                for table in source.get("tables") or ()
            ]
            about = {"about": source.get("description"), "tables": tables}
            result["sources"][str(source.get("name"))] = {key: value for key, value in about.items() if value}
    return result


def _models(root: Path, project: dict[str, Any], documented: dict[str, dict[str, Any]]) -> Iterator[Entity]:
    """Yields the models and seeds of a dbt project, with what its files say of them."""
    for kind, path in _sources(root, project):
        about = documented["models"].get(path.stem, {})
        if kind != "seed":
            text = path.read_text("utf-8", "replace")
            about = {"stored": _materialization(root, project, kind, path), **about}
            yield Entity(DATA_TABLE, path.stem, _model(path, text, kind, about))
            continue
        about = _model(path, "", kind, about)
        seed = table_of(path, path.stem)
        if seed.error is None:
            by_name = {column["name"]: column for column in about.get("columns", ())}
            columns = [{**column, **by_name.get(column["name"], {})} for column in seed.data["columns"]]
            about = {**seed.data, **about, "columns": columns, "partial": False}
        yield Entity(DATA_TABLE, path.stem, about)


def _materialization(root: Path, project: dict[str, Any], kind: str, path: Path) -> str | None:
    """Returns what the project's file says of how a model is stored: for all, for a folder above it, or for
    it alone; what is nearer counts."""
    folders = [root / folder for folder in _folders(project, kind, f"{kind}s")]
    above = next(folder for folder in folders if path.is_relative_to(folder))
    configured: Any = project
    stored = None
    own_name = project.get("name")
    named = (own_name,) if isinstance(own_name, str) else ()
    for name in (f"{kind}s", *named, *path.relative_to(above).with_suffix("").parts):
        configured = configured.get(name)
        if not isinstance(configured, dict):
            break
        own = configured.get("+materialized", configured.get("materialized"))
        stored = own if isinstance(own, str) else stored
    return stored


def _sources(root: Path, project: dict[str, Any]) -> Iterator[tuple[str, Path]]:
    """Yields the files of models, snapshots and seeds, each with its kind."""
    for kind, suffixes in _KINDS.items():
        for path in _files(root, _folders(project, kind, f"{kind}s"), suffixes):
            yield kind, path


def _model(path: Path, text: str, kind: str, about: dict[str, Any]) -> dict[str, Any]:
    """Returns a model, seed or source of dbt, from its SQL and what the project says about it."""
    columns, keys, references = [], [], []
    for column in about.get("columns") or ():
        name = str(column.get("name"))
        tests = {
            test if isinstance(test, str) else next(iter(test), ""): {} if isinstance(test, str) else test
            for test in column.get("data_tests") or column.get("tests") or ()
        }
        if {"unique", "not_null"} <= tests.keys():
            keys.append(name)
        link = _arguments(tests, "relationships")
        if target := _REF.search(str(link.get("to", ""))):
            field = [str(link["field"])] if link.get("field") else []
            references.append({"table": target[1], "columns": [name], "to": field})
        values = _arguments(tests, "accepted_values").get("values")
        model = {
            "name": name, "type": column.get("data_type"), "comment": column.get("description"),
            "values": [str(value) for value in values] if isinstance(values, list) else None,
        }  # fmt: skip
        columns.append({key: value for key, value in model.items() if value})
    columns, is_whole = _with_selected(columns, selected(text) if path.suffix == ".sql" else None)
    parts = list(
        dict.fromkeys([*_REF.findall(text), *(".".join(source) for source in _SOURCE.findall(text))])
    )
    config, match = about.get("config"), _MATERIALIZED.search(text)
    stored = config.get("materialized") if isinstance(config, dict) else None
    stored = match[1] if match else stored or about.get("stored")
    says = _COMMENT.match(text)
    comment = about.get("description") or (re.sub(r"[-{}#]+", " ", says[0]) if says else None)
    data = {
        "kind": f"dbt {kind}", "name": path.stem, "comment": comment, "columns": columns, "keys": keys,
        "references": references, "computed_from": parts,
        "partial": not is_whole, "stored": stored,
        "text": re.sub(r"\s+", " ", text)[:4_000],
    }  # fmt: skip
    return {key: value for key, value in data.items() if value}


def _with_selected(
    columns: list[dict[str, Any]], names: list[str] | None
) -> tuple[list[dict[str, Any]], bool]:
    """Returns the columns of a model, those that no file documents too, and whether these are all: they are
    not if what it selects is not known, such as `*`."""
    if names is None:
        return columns, False
    by_name = {str(column["name"]).lower(): column for column in columns}
    return [by_name.pop(name.lower(), {"name": name}) for name in names] + [*by_name.values()], True


def selected(text: str) -> list[str] | None:
    """Returns the names of the columns that a statement selects in the end; None if it does not say so."""
    plain = _STATEMENT.sub(_LOOP, _EXPRESSION.sub(_VALUE, _COMMENTED.sub(" ", text)))
    depth, starts, ends = 0, -1, -1
    commas: list[int] = []
    for match in _PART.finditer(plain):
        part, at = match[0].lower(), match.start()
        depth += {"(": 1, ")": -1}.get(part, 0)
        if depth:
            continue
        if part == "select":
            starts, ends, commas = match.end(), -1, []
        elif part == "from" and ends < 0:
            ends = at
        elif part == "," and ends < 0:
            commas.append(at)
        elif part in ("union", "intersect", "except"):
            return None
    if starts < 0 or ends < 0:
        return None
    edges = [starts - 1, *commas, ends]
    items = [plain[edge + 1 : other].strip() for edge, other in pairwise(edges)]
    names = [_LAST_NAME.search(item) for item in items if _LOOP not in item]
    columns = [name[1] or name[2] for name in names if name and (name[2] or "").lower() not in _NO_NAME]
    return columns if len(columns) == len(items) else None


def _arguments(tests: dict[str, Any], name: str) -> dict[str, Any]:
    """Returns the arguments of a test of a column; none if the column does not have it."""
    stated = tests.get(name, {}).get(name) or {}
    arguments = stated.get("arguments", stated) if isinstance(stated, dict) else {}
    return arguments if isinstance(arguments, dict) else {}
