"""Finds conventions that a repository states in its own files, to be proposed to a person (S4.7)."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from holdfast.core.module_map import BuildSystem, TestFramework
from holdfast.features.modulemap.findings import SEED_MAX, SEEDS_MAX, Seed
from holdfast.features.modulemap.scan.files import Reader
from holdfast.features.modulemap.scan.toml import toml_of

RULES_A_FILE = 12
"""Most rules of one file of prose."""
_AGENT_FILES = (
    "AGENTS.md", "CLAUDE.md", "GEMINI.md", "MEMORY.md", ".cursorrules", ".windsurfrules", ".clinerules",
    ".github/copilot-instructions.md", "CONTRIBUTING.md", ".github/CONTRIBUTING.md", "docs/CONTRIBUTING.md",
)  # fmt: skip
_RULE_FOLDERS = (".cursor/rules/", ".windsurf/rules/")
_READMES = ("README.md", "README.rst", "README")
_ITEM = re.compile(r"^[ \t]{0,6}(?:[-*+•]|\d{1,3}[.)])[ \t]+(.{12,400})$")
_FRONT_MATTER = re.compile(r"\A---\n(?:.{0,500}\n){0,50}?---\n")
_PROSE = re.compile(r"^[ \t]{0,3}[A-Za-z`\"'*_\[(].{3,1000}$")
_HEADING = re.compile(r"^(?:#{1,6}[ \t]+(.{1,200})|(.{3,200})\n[=~^-]{3,})$", re.MULTILINE)
_DEVELOPING = re.compile(
    r"contribut|develop|convention|style|guideline|coding|rules?\b|standards|testing|commit", re.IGNORECASE
)
_RULE = re.compile(
    r"\b(?:always|never|must|should|shall|do not|don['’]t|avoid|prefer|required?|only|no|not|every|all|use"
    r"|keep|run|write|follow|ensure|make sure|name|add|format|commit|document|test)\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!;])\s+(?=[A-Z`\"'])")
_ORDER = re.compile(
    r"(?:please )?(?:always|never|do not|don['’]t|avoid|prefer|use|run|keep|write|follow|ensure|make sure"
    r"|name|add|format|commit|document|test|put|place|indent|import|return|raise|log|call|wrap|validate|check"
    r"|update|create|store|treat|limit|squash|rebase|sign|open|prefix|pin|set|define|mark|handle|group|sort"
    r"|declare|separate|ask|branch)\b|we (?:only |always |never |do not |don['’]t )?"
    r"(?:use|keep|write|name|prefer|follow|commit|deploy|test|format|run|pin)\b"
    r"|[\w\s`/-]{3,60}\b(?:is|are) "
    r"(?:named|written|kept|stored|placed|formatted|tested|squashed|generated|sorted|released)\b"
    r"|.*\b(?:must|should|shall|never|always|only|required|forbidden|not allowed)\b",
    re.IGNORECASE,
)
"""A sentence of prose that states a rule: it begins with an order, or says what must be."""
_LINK = re.compile(r"!?\[([^\]]{0,200})\]\([^)]{0,400}\)")
_SECTION = re.compile(r"^\[(.{1,100})\]$")


def seeds_of(
    reader: Reader, paths: Collection[str], build: BuildSystem | None, tests: TestFramework | None
) -> list[Seed]:
    """Returns the conventions that files state, the most important first; deterministic."""
    unique: dict[tuple[str, str], None] = {}
    for path, text in _conventions(reader, frozenset(paths), build, tests):
        clean = " ".join(text.split())
        if len(clean) <= SEED_MAX:
            unique.setdefault((path, clean))
    return [Seed(text, path, _key(path, text)) for path, text in unique][:SEEDS_MAX]


def _key(path: str, text: str) -> str:
    return hashlib.sha256(f"{path}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _conventions(
    reader: Reader, paths: frozenset[str], build: BuildSystem | None, tests: TestFramework | None
) -> Iterator[tuple[str, str]]:
    """Yields the conventions that configuration files state, each with its file."""
    yield from _commands(paths, build, tests)
    for path, read in (
        (".editorconfig", _editorconfig), ("pyproject.toml", _pyproject), ("ruff.toml", _ruff_file),
        ("biome.json", _biome), (".prettierrc", _prettier), (".prettierrc.json", _prettier),
        (".eslintrc.json", _eslint), (".eslintrc", _eslint), ("tsconfig.json", _tsconfig),
    ):  # fmt: skip
        if path in paths:
            try:
                for text in read(reader.text(path)):
                    yield path, f"{text} ({path})"
            except (ValueError, RecursionError):
                continue  # JSON with comments, or a broken file: it states no readable convention
    rules = [path for path in sorted(paths) if path.startswith(_RULE_FOLDERS)]
    for path in [*(candidate for candidate in _AGENT_FILES if candidate in paths), *rules]:
        yield from ((path, text) for text in _rules(reader.text(path), everywhere=True))
    for path in (candidate for candidate in _READMES if candidate in paths):
        yield from ((path, text) for text in _rules(reader.text(path), everywhere=False))


def _commands(
    paths: frozenset[str], build: BuildSystem | None, tests: TestFramework | None
) -> Iterator[tuple[str, str]]:
    """Yields the commands to build and test, each with its file."""
    files = ("package.json", "pyproject.toml", "Cargo.toml", "go.mod", "pom.xml", "Makefile", "composer.json")
    file = next((name for name in files if name in paths), None)
    if file is None:
        return
    lines = dict(build.commands) if build is not None else {}
    if tests is not None and tests.run_command:
        lines["test"] = tests.run_command
    listed = ", ".join(f"{goal} with `{line}`" for goal, line in sorted(lines.items()))
    if listed:
        yield file, f"Commands of this project: {listed}."


def _rules(text: str, *, everywhere: bool) -> Iterator[str]:
    """Yields list items and, in files of rules, sentences that state a rule; of a README only list items in
    sections about development."""
    count = 0
    inside = everywhere
    fenced = False
    prose: list[str] = []
    lines = _FRONT_MATTER.sub("", text).split("\n")[:2_000]
    for spot, line in enumerate(lines):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        follows = lines[spot + 1] if spot + 1 < len(lines) else ""
        heading = None if fenced else _HEADING.match(line) or _HEADING.match(f"{line}\n{follows}")
        if heading is not None:
            inside = everywhere or _DEVELOPING.search(heading[1] or heading[2] or "") is not None
            continue
        item = _ITEM.match(line) if inside and not fenced else None
        if item is not None:
            rule = _plain(item[1])
            rules = [rule] if _RULE.search(rule) or (everywhere and _ORDER.match(rule)) else []
        elif everywhere and not fenced and _PROSE.match(line):
            prose.append(line.strip())
            if _PROSE.match(follows):
                continue
            rules = [rule for rule in _SENTENCE_END.split(_plain(" ".join(prose))) if _ORDER.match(rule)]
            prose = []
        else:
            continue
        for rule in rules:
            is_order = everywhere and _ORDER.match(rule) is not None and not rule.endswith(":")
            if len(rule.split()) >= (3 if is_order else 4):
                yield rule
                count += 1
            if count >= RULES_A_FILE:
                return


def _plain(text: str) -> str:
    return _LINK.sub(r"\1", text).replace("**", "").replace("__", "").strip()


def _editorconfig(text: str) -> Iterator[str]:
    """Yields what an .editorconfig states."""
    section = ""
    settings: dict[str, str] = {}
    for line in text.split("\n")[:500]:
        header = _SECTION.match(line.strip())
        if header is not None:
            section = header[1]
        elif section == "*" and "=" in line and not line.lstrip().startswith(("#", ";")):
            name, _, value = line.partition("=")
            settings[name.strip().lower()] = value.strip().lower()[:40]
    style, size = settings.get("indent_style"), settings.get("indent_size")
    if style in ("space", "tab"):
        yield f"Indent with {'tabs' if style == 'tab' else f'{size or 4} spaces'}"
    if settings.get("end_of_line") in ("lf", "crlf"):
        yield f"Line ends are {settings['end_of_line'].upper()}"
    if settings.get("max_line_length", "").isdigit():
        yield f"Lines have at most {settings['max_line_length']} characters"


def _pyproject(text: str) -> Iterator[str]:
    """Yields what the tool tables of a pyproject.toml state."""
    tool = _object(toml_of(text).get("tool"))
    yield from _ruff(_object(tool.get("ruff")))
    black = _object(tool.get("black"))
    if black:
        length = black.get("line-length", 88)
        yield f"Python code is formatted with Black, line length {length}"
    if _object(tool.get("mypy")).get("strict") is True:
        yield "Types are checked with mypy in strict mode"


def _ruff_file(text: str) -> Iterator[str]:
    yield from _ruff(toml_of(text))


def _ruff(ruff: Mapping[str, Any]) -> Iterator[str]:
    """Yields the line length and at most 40 of the selected rules from settings of Ruff; older ones name the
    rules outside of `lint`."""
    if isinstance(ruff.get("line-length"), int):
        yield f"Python code is checked with Ruff, line length {ruff['line-length']}"
    selected = _object(ruff.get("lint")).get("select", ruff.get("select"))
    if isinstance(selected, list) and selected and all(isinstance(rule, str) for rule in selected):
        yield f"Ruff rules that hold: {', '.join(selected[:40])}"


def _biome(text: str) -> Iterator[str]:
    """Yields what the configuration of Biome states."""
    config = _object(json.loads(text))
    formatter = _object(config.get("formatter"))
    if formatter.get("indentStyle") in ("tab", "space"):
        yield f"Biome formats with {formatter['indentStyle']}s"
    quotes = _object(_object(config.get("javascript")).get("formatter")).get("quoteStyle")
    if quotes in ("single", "double"):
        yield f"JavaScript has {quotes} quotes"


def _prettier(text: str) -> Iterator[str]:
    """Yields what the configuration of Prettier states."""
    config = _object(json.loads(text))
    parts = []
    if isinstance(config.get("semi"), bool):
        parts.append("semicolons" if config["semi"] else "no semicolons")
    if isinstance(config.get("singleQuote"), bool):
        parts.append("single quotes" if config["singleQuote"] else "double quotes")
    if isinstance(config.get("tabWidth"), int):
        parts.append("tabs" if config.get("useTabs") is True else f"{config['tabWidth']} spaces")
    if isinstance(config.get("printWidth"), int):
        parts.append(f"lines of at most {config['printWidth']} characters")
    if parts:
        yield f"Prettier formats with {', '.join(parts)}"


def _eslint(text: str) -> Iterator[str]:
    """Yields what the configuration of ESLint states."""
    config = _object(json.loads(text))
    bases = config.get("extends")
    named = [bases] if isinstance(bases, str) else bases if isinstance(bases, list) else []
    if named and all(isinstance(name, str) for name in named):
        yield f"ESLint holds the code to {', '.join(named[:10])}"
    rules = [
        name
        for name, level in _object(config.get("rules")).items()
        if (level[0] if isinstance(level, list) and level else level) in ("error", 2)
    ]
    if rules:
        yield f"ESLint refuses what breaks {', '.join(rules[:20])}"


def _tsconfig(text: str) -> Iterator[str]:
    if _object(_object(json.loads(text)).get("compilerOptions")).get("strict") is True:
        yield "TypeScript is compiled in strict mode"


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
