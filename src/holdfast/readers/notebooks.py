"""Notebooks (.ipynb): what each code cell does and shows, under which heading, with which kernel."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from holdfast.core.errors import InvalidInput
from holdfast.core.reconciled import CODE_CELL, FILE, FILE_ID, Entity, payload_with
from holdfast.language.code_outline import Outline, outline
from holdfast.language.pii import risks_of_all

SUFFIX = ".ipynb"
_HEADING = re.compile(r"^\s{0,3}(#{1,6})\s+(.+?)\s*#*\s*$", re.MULTILINE)
_TABLE_SIZE = re.compile(r"(\d+) rows × (\d+) columns")
_TAG = re.compile(r"<[^>]+>")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_NO_PROSE = re.compile(r"\s*(?:#|[-+>|]|[*]\s|\d+\.|!\[|<|```|~~~|\$\$|---|\[\d+\])")
"""The beginning of what is no paragraph: a heading, a list, a table, an image or code."""
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_EMPHASIS = re.compile(r"(?<!\w)[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}(?!\w)")
PROSE_MIN = 20
"""Fewest characters of a paragraph that says what a notebook or a cell is for."""
_SUMMED = ("imports", "reads", "fits", "writes", "draws")
"""The parts of the outlines of cells that are united in the description of the notebook."""
_SERIES = re.compile(r"\n(?:.*\bLength: (\d+), )?.*\bdtype: \w+\s*\Z")
"""The end of a printed series of pandas. Its values are left out, as those of tables are."""
OUTPUT_MAX = 200
"""Most characters of one output that are quoted."""


def read(path: Path) -> dict[str, Any]:
    """Returns the payload of a notebook of version 3 or 4. Raises InvalidInput `file_unreadable`."""
    try:
        whole = json.loads(path.read_text("utf-8-sig"))
        cells = whole["cells"] if "cells" in whole else whole["worksheets"][0]["cells"]
        metadata = whole.get("metadata", {})
        entities = _entities(cells, metadata)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        why = "it has no list of cells"
        if isinstance(error, json.JSONDecodeError):
            why = f"line {error.lineno} is not valid JSON"
        raise InvalidInput(
            f"{path.name} cannot be read as a notebook: {why}", code="file_unreadable",
            hint="open it in Jupyter and save it again",
        ) from None  # fmt: skip
    return payload_with(path.name, "notebook", entities)


def _entities(cells: list[Mapping[str, Any]], metadata: Mapping[str, Any]) -> list[Entity]:
    """Returns the code cells of a notebook, each with its section and what introduced it, and the notebook
    itself."""
    kernel = metadata.get("kernelspec", {})
    named = metadata.get("language_info", {}).get("name"), kernel.get("language"), metadata.get("language")
    language = str(next(filter(None, named), "python"))
    described: list[Entity] = []
    headings: list[str] = []
    about, section, introduced = "", None, ""
    seen: list[Outline] = []
    failing: list[str] = []
    number = 0
    for cell in cells:
        source = _text(cell.get("source", cell.get("input", "")))
        if cell["cell_type"] == "markdown":
            titles = [plain_text(match[2]).rstrip(":") for match in _HEADING.finditer(source)]
            headings += titles
            section = titles[-1] if titles else section
            paragraphs = _paragraphs(source)
            if not number:
                about = about or next(
                    (paragraph for paragraph in paragraphs if not paragraph.endswith(":")), ""
                )
            prose = [paragraph for paragraph in paragraphs if not paragraph.endswith(":")] or paragraphs
            introduced = prose[-1] if prose else ""
        elif cell["cell_type"] == "code":
            number += 1
            if not source.strip():
                continue
            data = {"position": f"Cell {number}", "section": section, "language": language, "code": source}
            if introduced not in ("", about) and not any(risks_of_all([introduced])):
                data["introduced"] = re.sub(r":$", "…", introduced)
            introduced = ""
            own, error = _outputs(cell.get("outputs", []))
            id = str(cell.get("id") or cell.get("metadata", {}).get("id") or f"cell {number}")
            data = {key: value for key, value in {**data, **own}.items() if value}
            described.append(Entity(CODE_CELL, id, data, error))
            if not error:
                seen.append(outline(source, language))
            elif source.strip():
                failing.append(f"Cell {number}")
    summed = {name: dict.fromkeys(item for cell in seen for item in getattr(cell, name)) for name in _SUMMED}
    whole = {
        "kind": "Notebook", "about": about, "sections": list(dict.fromkeys(headings)),
        **{name: list(values) for name, values in summed.items()},
        "runs_with": kernel.get("display_name") or language, "failing": ", ".join(failing),
        "counts": {"code cell": len(described)},
    }  # fmt: skip
    return [*described, Entity(FILE, FILE_ID, {key: value for key, value in whole.items() if value})]


def _paragraphs(source: str) -> list[str]:
    """Returns the paragraphs of a markdown cell, without code, lists, tables and headings, as plain text."""
    prose = re.sub(r"(?ms)^(```|~~~).*?^\1[^\n]*$", "", source)
    blocks = (
        plain_text(" ".join(lines))
        for block in re.split(r"\n\s*\n", prose)
        if (lines := [line for line in block.splitlines() if not _NO_PROSE.match(line)])
    )
    return [block for block in blocks if len(block) >= PROSE_MIN]


def plain_text(text: str) -> str:
    """Returns a line of markdown without its marks."""
    return " ".join(_EMPHASIS.sub("", _LINK.sub(r"\1", _TAG.sub("", text))).split())


def _outputs(outputs: list[Mapping[str, Any]]) -> tuple[dict[str, Any], str | None]:
    """Returns what the outputs of a cell show, and the error that it ended with. Rows of tables are left out:
    they may be personal."""
    shape, texts, error = None, [], None
    for output in outputs:
        kind = output.get("output_type")
        if kind in ("error", "pyerr"):
            why = _COLOUR.sub("", _text(output.get("evalue")))
            error = f"it ended with {output.get('ename', 'an error')}: {why}"
        data = output.get("data", output)
        if any(key in data for key in ("image/png", "image/svg+xml", "image/jpeg", "png", "svg")) or any(
            "plotly" in key or "vega" in key or "bokeh" in key for key in data
        ):
            shape = "a chart"
        elif "text/html" in data and "<table" in _text(data["text/html"]):
            sized = _TABLE_SIZE.search(_text(data["text/html"]))
            rows = _text(data["text/html"]).count("<tr") - 1
            shape = (
                f"a table of {sized[1]} rows and {sized[2]} columns" if sized else f"a table of {rows} rows"
            )
        elif kind == "stream" and output.get("name") != "stderr":
            texts += [line for line in _text(output.get("text")).splitlines() if line.strip()][:2]
        elif series := _SERIES.search(_text(data.get("text/plain"))):
            lines = _text(data["text/plain"]).splitlines()
            named = len(lines[0].split()) == 1  # the name of the index, above the values
            shape = f"a series of {series[1] or len(lines) - 1 - named} values"
        elif "text/plain" in data and not _TABLE_SIZE.search(_text(data["text/plain"])):
            texts += _text(data["text/plain"]).splitlines()[:1]
    shown = [_COLOUR.sub("", _TAG.sub("", text)).strip()[:OUTPUT_MAX] for text in texts]
    shown = [
        output for output in shown if output and not re.search(r" at 0x[0-9a-f]+>|^<?Figure size", output)
    ]
    clean = [output for output, risk in zip(shown, risks_of_all(shown), strict=True) if not risk]
    return {"outputShape": shape, "outputs": clean[:3]}, error


def _text(value: Any) -> str:
    return "".join(map(str, value)) if isinstance(value, list) else str(value or "")
