"""Writes docs/reference/*.md from the code (kinds, errors, settings, commands, the Python face),
the OpenAPI document, and docs/requirements.md from docs/requirements.toml and the names of the tests.

`make docs` runs it; `tests/test_docs.py` fails when what it would write differs from what is there.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import re
import tempfile
import tomllib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum, EnumType
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import click

import holdfast
from holdfast import config
from holdfast.api.areas import Areas
from holdfast.api.memory import Memory
from holdfast.core import errors
from holdfast.core.consents import Consent
from holdfast.core.errors import CODES, HoldfastError
from holdfast.core.events import Event
from holdfast.core.facts import Answer, Fact, FactChange, FactEdit
from holdfast.core.folders import File, FileCounts, Folder, FolderStatus, Indexed
from holdfast.core.graph import Entity, EntityPage, Graph, Relation
from holdfast.core.jobs import Job
from holdfast.core.kinds import AGENT_MAX_CHARS, AGENT_SESSION_LIMIT, KINDS, Kind, Nature
from holdfast.core.members import Member
from holdfast.core.metrics import Metric
from holdfast.core.module_map import (
    BuildSystem,
    Infrastructure,
    Module,
    ModuleMap,
    TestFramework,
)
from holdfast.core.module_map import Service as CodeService
from holdfast.core.projects import Project, Session
from holdfast.core.retention import Hold, Policy
from holdfast.core.review import Cleared, Decision, Flagged, Inbox, Proof, Related, Waiting
from holdfast.core.sources import Source
from holdfast.features.extraction.candidates import Candidate, Extracted, Extraction
from holdfast.features.extraction.rules import BARS, RULES
from holdfast.features.learning.rules.log import Learned, Lesson, WorkCandidate
from holdfast.features.maintenance.doctor import Report
from holdfast.features.modulemap.findings import Scanned
from holdfast.features.modulemap.match import Match
from holdfast.features.reading.file_tree import Content, Entry
from holdfast.language.facts.topics import Topic
from holdfast.stores.base.ports import Page

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "holdfast"
FOLDER = ROOT / "docs" / "reference"
OPENAPI = FOLDER / "openapi.json"
REQUIREMENTS = ROOT / "docs" / "requirements.toml"
TESTS = ROOT / "tests"
NOTICE = "<!-- Written by `make docs` from the code. Change the code, not this file. -->"

RESULTS = (
    Page,
    Project,
    Session,
    Source,
    Entity,
    Relation,
    Graph,
    EntityPage,
    Answer,
    Fact,
    FactEdit,
    FactChange,
    Topic,
    Folder,
    FolderStatus,
    FileCounts,
    File,
    Indexed,
    Entry,
    Content,
    Job,
    Extraction,
    Extracted,
    Candidate,
    Learned,
    Lesson,
    WorkCandidate,
    Metric,
    Inbox,
    Waiting,
    Decision,
    Member,
    Flagged,
    Related,
    Cleared,
    Proof,
    ModuleMap,
    Module,
    BuildSystem,
    TestFramework,
    CodeService,
    Infrastructure,
    Match,
    Scanned,
    Event,
    Report,
    Consent,
    Policy,
    Hold,
)
"""What else the Python face gives back."""
STATUSES = ("done", "partly", "planned")
"""How far a requirement is."""
SHOWN = 3
"""How many tests that carry the number of a requirement its row names."""
ROW_IN_NAME = re.compile(r"(?<![a-z0-9])(s[0-4]_\d+|m_\d+)(?:_to_(s[0-4]_\d+|m_\d+))?(?![0-9])")
"""The number of a requirement, or a range of them, in the name of a test."""
REQUIREMENTS_NOTICE = (
    "<!-- Written by `make docs` from docs/requirements.toml and the tests. Change these, not this file. -->"
)
ARGUMENTS = {"store": "path"}
"""Settings that `Memory` takes under another name."""

EXAMPLE = """\
from holdfast import Memory

with Memory("team.db", user="ana") as memory:
    kept = memory.remember("We chose JWT over sessions: the API is public", kind="decision", project="shop")
    print(kept.outcome.value, kept.reason)

    memory.add_messages(
        [{"role": "user", "name": "Caroline", "content": "Is the cart done?", "at": "2026-05-07T13:56:00Z"}],
        session="chat-1",
        project="shop",
    )
    for hit in memory.recall("why not sessions?", project="shop", limit=3):
        print(hit.citation, round(hit.score, 2), hit.memory.text)

    memory.revise(kept.memory.id, text="We chose JWT over sessions: the API is public and has many clients")
    for change in memory.history(kept.memory.id):
        print(change.version, change.action, change.text)
    print(memory.audit.verify(), "events verify")
"""


@cache
def pages() -> dict[str, str]:
    """Every generated page by its file name."""
    made = {
        "kinds": kinds,
        "errors": error_codes,
        "settings": settings,
        "commands": commands,
        "python": python,
        "extraction-rules": extraction_rules,
    }
    return {f"{name}.md": f"{NOTICE}\n\n{page().strip()}\n" for name, page in made.items()}


def openapi() -> str:
    """The OpenAPI document of the service with one response for all errors, which are `Problem` everywhere.

    The web interface has its types from it."""
    from holdfast.bootstrap import open_service
    from holdfast.features.access.access import Grant
    from holdfast.http.app import create_app
    from holdfast.http.problems import MEDIA_TYPE
    from holdfast.http.signin import Entrance

    with tempfile.TemporaryDirectory() as folder:
        service = open_service(config.load(store=Path(folder) / "none.db", user="nobody"))
        entrance = Entrance(service, service.keys, local=Grant(service.principal))
        document = create_app(entrance).openapi()
        entrance.close()
    for methods in document["paths"].values():
        for described in methods.values():
            done = {status: one for status, one in described["responses"].items() if status < "400"}
            described["responses"] = done | {"default": {"$ref": "#/components/responses/Problem"}}
    document["components"]["responses"] = {
        "Problem": {
            "description": "The request failed; `status`, `code` and `hint` say why.",
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
    }
    return json.dumps(document, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def extraction_rules() -> str:
    """The rules of extraction with the examples that test them, and what keeps them away."""
    head = ("rule", "kind", "confidence", "finds", "does not find")
    rows = [
        (
            code(rule.name),
            rule.kind,
            f"{rule.confidence:.2f}",
            "; ".join(map(code, rule.yes)),
            "; ".join(map(code, rule.no)),
        )
        for rule in RULES
    ]
    bars = [
        (bar.name, bar.reach, "; ".join(code(text.replace("\n", " ⏎ ")) for text in bar.stops))
        for bar in BARS
    ]
    return "\n\n".join(
        [
            "# Rules of extraction",
            "What each rule finds in a clause of what a user said, in the order in which they are tried. The"
            " examples are the tests of the rule. The patterns stand in"
            " `src/holdfast/features/extraction/rules.py`: [extraction](../extraction.md).",
            table(head, rows),
            "## Patterns that disable all rules",
            "Where one of these is found, nothing in the sentence, or in the whole message, is taken for a"
            " statement of the user.",
            table(("bar", "reach", "stops"), bars),
        ]
    )


def kinds() -> str:
    """Kinds by nature, with their policies."""
    parts = [
        "# Kinds of memory",
        "A kind says what a memory is. All that depends on it comes from this one table"
        " (`src/holdfast/core/kinds.py`). Half-life: days after which the share of freshness in the score"
        " has halved; *never* means evergreen, and so does *(project)* for what is in no project: knowledge"
        " about a person does not fade. Life: days until the memory leaves recall unless it is pinned;"
        " *setting* means never, unless [`expiry_days`](settings.md) says after how many days."
        " The score is multiplied by the weight. Age is counted by the scorer: `assistant` from the time the"
        " memory speaks of, `agent` from its last use; for `evidence` it hardly counts.",
        f"An agent's own knowledge and entities take at most {AGENT_MAX_CHARS:,} characters each and"
        f" {AGENT_SESSION_LIMIT} memories a session, whatever the table says.",
    ]
    about = {
        Nature.EVIDENCE: "What was said or written. Kept verbatim, never merged and never held for review;"
        " the same external id in the same conversation is kept once.",
        Nature.KNOWLEDGE: "What is held to be true. Exact repeats and plain restatements merge. A"
        " contradiction that is recognised takes the place of the older memory of the same kind and place:"
        " a plain denial, or one other value (a number, a name, a date, one of two that exclude each other)"
        " where a sentence has room for one, all else in the text being the same. That is done for English,"
        " and for settings such as `MAX_RETRIES = 3` in any language; what is in doubt, in other words or on"
        " several lines is not recognised. Such memories stand side by side, each told with its date.",
        Nature.DERIVED: "What a file, a table, a cell, a conversation or a project is about, computed from it"
        " again when it changes ([reconciling](../reconcile.md)). The same by what it describes, never by its"
        " text; a person's edit or pin is never overwritten.",
        Nature.ENTITY: "Things that are talked about, one for each name and type in a project and known only"
        " there; what was observed of them, and how they stand to each other.",
    }
    head = ("kind", "label", "meaning", "half-life", "life", "characters", "weight", "scorer")
    for nature, text in about.items():
        rows = [_kind_row(kind) for kind in KINDS.values() if kind.nature is nature]
        parts += [f"## {nature.value.capitalize()}", text, table(head, rows)]
    return "\n\n".join(parts)


def _kind_row(kind: Kind) -> tuple[str, ...]:
    return (
        code(kind.name),
        kind.label,
        kind.meaning,
        "never" if kind.half_life is None else f"{kind.half_life:g} d{' (project)' * kind.personal}",
        "setting" if kind.expires else "–" if kind.ttl is None else f"{kind.ttl} d",
        f"{kind.max_chars:,}",
        f"{kind.weight:g}",
        kind.scorer.value,
    )


def error_codes() -> str:
    """Error classes with their exit statuses, and codes with the classes that carry them."""
    cli, face = (importlib.import_module(f"holdfast.cli.{name}") for name in ("main", "face"))
    classes = error_classes()
    tree = [
        (code(name), code(kind.__mro__[1].__name__), str(kind.exit_status), first_paragraph(kind))
        for name, kind in classes.items()
    ]
    raised = raised_by()
    rows = []
    for name, meaning in CODES.items():
        carriers = raised.get(name, [])
        statuses = " or ".join(dict.fromkeys(str(classes[carrier].exit_status) for carrier in carriers))
        rows.append((code(name), ", ".join(map(code, carriers)) or "–", statuses or "–", meaning))
    return "\n\n".join([
        "# Errors",
        "Every error is a `HoldfastError` with a `code` that stays the same between versions, a `message` for"
        " people and, where there is something to be done, a `hint`. `str(error)` is the message;"
        " a traceback shows the hint below it. With `--json` the command line prints"
        ' `{"error": {"code", "message", "hint"}}` and leaves with the status below; Python raises the'
        " class.",
        "In a batch (`remember_many`, `add_messages`) an item that cannot be kept raises nothing: its outcome"
        " is `refused`, with the code and the reason.",
        "## Classes",
        table(("class", "base", "exit status", "meaning"), tree),
        f"The exit status is 0 on success, {face.REFUSED} also if an item of a batch was refused or a file to"
        " import is incomplete, 1 if a part of a source could not be read,"
        f" {cli.INTERRUPTED} if it was interrupted,"
        f" and {cli.BROKEN_PIPE} if the reader of its output has closed it. An error outside of this tree is"
        " reported as `internal_error` with status 1: please report it.",
        "## Codes",
        table(("code", "class", "exit status", "meaning"), rows),
    ])  # fmt: skip


def error_classes() -> dict[str, type[HoldfastError]]:
    """Every error class by name, in the order of the source."""
    return {
        name: value
        for name, value in vars(errors).items()
        if inspect.isclass(value) and issubclass(value, HoldfastError)
    }


@cache
def raised_by() -> dict[str, list[str]]:
    """Which classes the code raises with each error code."""
    classes = error_classes()
    found: dict[str, set[str]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in classes:
                for keyword in node.keywords:
                    if keyword.arg == "code" and isinstance(keyword.value, ast.Constant):
                        found.setdefault(str(keyword.value.value), set()).add(node.func.id)
    return {name: sorted(carriers, key=list(classes).index) for name, carriers in found.items()}


def settings() -> str:
    """Settings with their variable, key, argument and default."""
    told = attribute_docs(SOURCE / "config.py", "Settings")
    arguments = inspect.signature(config.load).parameters
    rows = []
    for field in fields(config.Settings):
        meaning, _, stated = told[field.name].partition(" Default: ")
        default = stated.rstrip(".") if stated else f"`{field.default}`"
        argument = code(ARGUMENTS.get(field.name, field.name)) if field.name in arguments else "–"
        variable = code(f"HOLDFAST_{field.name.upper()}")
        rows.append((code(field.name), variable, argument, default, meaning))
    return "\n\n".join([
        "# Settings",
        "An argument of `Memory` (or an option of the command line) wins over an environment variable, which"
        " wins over the file `$XDG_CONFIG_HOME/holdfast/config.toml` (`~/.config` where that variable is not"
        " set). All are optional: with none, Holdfast works.",
        "Relative paths in the file, that of `onnx:FOLDER` too, start at its folder, wherever a program runs;"
        " elsewhere they start at the current folder. Where only the current folder has what the file names"
        " by a relative `store`, `backup_folder` or `backup_key_file`, that is an error, `config_invalid`:"
        " another one would be made beside the file. `sentence-transformers:NAME` is left to its library."
        " A variable takes those of files with keys and of `backup_folder` by absolute paths, or from `~`,"
        " alone.",
        table(("key in the file", "environment variable", "argument", "default", "meaning"), rows),
        "The command line also reads `NO_COLOR` (any value: no colours) and `HOLDFAST_DEBUG` (any value: the"
        " same as `--debug`). `holdfast serve` lets the C library's `MALLOC_ARENA_MAX` stand.",
        "With the extra `holdfast[otel]`, spans are sent by OTLP over HTTP as the standard variables of"
        " OpenTelemetry say: `OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` or"
        " `OTEL_TRACES_EXPORTER` (`otlp`) turns them on, `OTEL_SDK_DISABLED` (`true`) off;"
        " [HTTP](../http.md#monitoring) says what they hold.",
        "`XDG_DATA_HOME` (default `~/.local/share`), `XDG_CONFIG_HOME` (default `~/.config`) and"
        " `XDG_STATE_HOME` (default `~/.local/state`, the last result of the command line and"
        " where a service runs) are read as"
        " everywhere else. An unknown key or an unusable value is an error, `config_invalid`: a setting that"
        " is silently ignored is worse than none.",
        '```toml\n# ~/.config/holdfast/config.toml\nuser = "ana"\ncache_mb = 256\n```',
    ])  # fmt: skip


def commands() -> str:
    """Every command with its arguments and options, from click's own help."""
    root = root_command()
    top = click.Context(root, info_name="holdfast")
    parts = [
        "# Commands",
        (root.help or "").strip(),
        "These options may stand before or behind the name of any command; `--version` stands alone.",
        _options(root, top),
    ]
    index = [
        (f"[`{context.command_path}`](#{_anchor(context.command_path)})", command.get_short_help_str(99))
        for command, context in walk(root, top)
    ]
    parts.append(table(("command", "what it does"), index))
    shared = {name for parameter in root.get_params(top) for name in parameter.opts}
    for command, context in walk(root, top):
        usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
        parts += [f"## {context.command_path}", f"```text\n{usage}\n```"]
        parts += [_prose(command.help or ""), _options(command, context, shared)]
    return "\n\n".join(filter(None, parts))


def _prose(text: str) -> str:
    """Help as Markdown: what click is told to leave as it is (behind a backspace) becomes a code block."""
    paragraphs = inspect.cleandoc(text.split("\f")[0]).split("\n\n")
    return "\n\n".join(
        f"```text\n{inspect.cleandoc(part[2:])}\n```" if part.startswith("\b\n") else part
        for part in paragraphs
    )


def root_command() -> click.Group:
    """The group behind `holdfast`."""
    return importlib.import_module("holdfast.cli.main").cli  # type: ignore[no-any-return]


def walk(group: click.Group, context: click.Context) -> Iterator[tuple[click.Command, click.Context]]:
    """Every command below a group with its context, groups before their commands, hidden ones left out."""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        inner = click.Context(command, info_name=name, parent=context)
        yield command, inner
        if isinstance(command, click.Group):
            yield from walk(command, inner)


def _options(command: click.Command, context: click.Context, without: Collection[str] = ()) -> str:
    rows = []
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if isinstance(parameter, click.Option) and record and not {*parameter.opts} & {*without, "--help"}:
            rows.append((code(record[0]), " ".join(record[1].split())))
    return table(("option", "meaning"), rows) if rows else ""


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def python() -> str:
    """The Python face: methods with their signatures, and what they return."""
    parts = [
        "# Python",
        "`from holdfast import Memory` is all that is needed; `AsyncMemory` has the same methods to be"
        " awaited and is used with `async with`. Times are given as a datetime, epoch milliseconds, ISO 8601"
        " or any date that python-dateutil reads, and come back as UTC epoch milliseconds (`as_dict()` writes"
        " ISO 8601).",
        f"```python\n{EXAMPLE}```",
    ]
    faces = [("Memory", Memory), *((f"Memory.{name}", area) for name, area in areas())]
    for title, face in faces:
        parts += [f"## {title}", inspect.getdoc(face) or ""]
        if face is Memory:
            parts.append(f"```text\nMemory{signature(face.__init__)}\n```")
        for name, member in public(face):
            parts += [f"### {title}.{name}", first_words(member)]
            if not isinstance(member, property):
                parts.insert(-1, f"```text\n{name}{signature(member)}\n```")
    parts += ["## What comes back", "In these types `Memory` is the record, exported as `Record`."]
    results: list[tuple[str, Any]] = [
        (name, getattr(holdfast, name))
        for name in ("Kept", "Record", "Hits", "Hit", "Change", "Outcome", "Status")
    ]
    results += [(kind.__name__, kind) for kind in RESULTS]
    for name, kind in results:
        parts += [f"### {name}", inspect.getdoc(kind) or "", _members(kind)]
    return "\n\n".join(parts)


def _members(kind: Any) -> str:
    told = attribute_docs(Path(inspect.getfile(kind)), kind.__name__)
    if isinstance(kind, EnumType):
        values = [(code(str(member.value)), told.get(member.name, "")) for member in kind]  # type: ignore[var-annotated]
        return table(("value", "meaning"), values)
    assert is_dataclass(kind)
    rows = [(code(field.name), code(str(field.type)), _default(field.default)) for field in fields(kind)]
    return table(("field", "type", "default"), rows)


def _default(value: object) -> str:
    return "" if value is MISSING else code(shown(value))


def requirements() -> str:
    """Returns the page of requirements: what each row is, how far it is, and which tests prove it."""
    areas = tomllib.loads(REQUIREMENTS.read_text("utf-8"))
    tests = tests_by_row()
    titles = {area: f"{area} · {about['title']}" for area, about in areas.items()}
    totals = [
        (f"[{titles[area]}](#{_anchor(titles[area])})", *_counts(about)) for area, about in areas.items()
    ]
    parts = [
        REQUIREMENTS_NOTICE,
        "# Requirements",
        "Holdfast unifies the capabilities of five memory systems. Each row below is one of them; the last"
        " table says what Holdfast does where the five disagree.",
        "*Done*: all of the row holds, and tests prove it. *Partly*: some of it holds, and the row says what"
        " is missing. *Planned*: not built yet.",
        "A test whose name carries the number of a row proves that row: `pytest -k s4_21_` runs the tests of"
        f" S4.21. The tables name the first {SHOWN} of them, after tests of other names that prove the row."
        " The rows are kept in [requirements.toml](requirements.toml).",
        table(("area", *STATUSES), totals),
    ]
    for area, about in areas.items():
        parts.append(f"## {titles[area]}")
        sections = about.get("sections", {})
        rows: list[tuple[str, ...]] = []
        for number, row in numbered(about):
            if number in sections:
                parts += [*_requirement_table(rows), f"### {sections[number]}"]
                rows = []
            name = f"{area}.{number}"
            rows.append((name, row["status"], _meaning(row), _proofs(row, tests.get(name, []))))
        parts += _requirement_table(rows)
    return "\n\n".join(parts) + "\n"


def numbered(area: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Returns the rows of an area of docs/requirements.toml with their numbers."""
    return [(key, row) for key, row in area.items() if key.isdigit()]


def _counts(area: dict[str, Any]) -> tuple[str, ...]:
    statuses = [row["status"] for _, row in numbered(area)]
    return tuple(str(statuses.count(status)) for status in STATUSES)


def _requirement_table(rows: Sequence[tuple[str, ...]]) -> list[str]:
    return [table(("row", "status", "requirement", "tests"), rows)] if rows else []


def _meaning(row: dict[str, Any]) -> str:
    missing = f" *Missing:* {row['missing']}" if "missing" in row else ""
    return f"**{row['title']}.** {row['text']}{missing}"


def _proofs(row: dict[str, Any], numbered: Sequence[str]) -> str:
    names = [*row.get("tests", []), *numbered[:SHOWN]]
    return ", ".join(map(code, names)) + (" and more" if len(numbered) > SHOWN else "")


@cache
def tests_by_row() -> dict[str, list[str]]:
    """Returns the tests whose names carry the number of a row, by row: `test_s1_12_to_s1_16_ranked_lists`
    carries five."""
    found: dict[str, list[str]] = {}
    for name in test_names():
        for first, last in ROW_IN_NAME.findall(name):
            area, number = first.split("_")
            end = last.split("_")[1] if last else number
            for row in range(int(number), int(end) + 1):
                found.setdefault(f"{area.upper()}.{row}", []).append(name)
    return found


@cache
def test_names() -> list[str]:
    """Returns the names of all test functions, in the order of files and lines."""
    return [
        node.name
        for path in sorted(TESTS.rglob("test_*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    ]


def areas() -> Iterator[tuple[str, type[Any]]]:
    """The areas of a memory by name, in the order of the source."""
    for name, member in vars(Areas).items():
        if isinstance(member, cached_property):
            yield (
                name,
                getattr(
                    importlib.import_module(f"holdfast.api.{name}"), member.func.__annotations__["return"]
                ),
            )


def public(face: type[Any]) -> Iterator[tuple[str, Any]]:
    """Public methods and properties of a class, in the order of the source."""
    for name, member in vars(face).items():
        if name.startswith("_"):
            continue
        if isinstance(member, classmethod):
            yield name, member.__func__
        elif inspect.isfunction(member) or isinstance(member, property):
            yield name, member


def signature(function: Callable[..., Any]) -> str:
    """A signature as it is written, one parameter a line where it is long."""
    given = inspect.signature(function)
    words: list[str] = []
    is_bare = False
    for parameter in given.parameters.values():
        if parameter.name in ("self", "cls"):
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not is_bare:
            words.append("*")
            is_bare = True
        stars = "*" * (
            2 if parameter.kind is parameter.VAR_KEYWORD else parameter.kind is parameter.VAR_POSITIONAL
        )
        default = "" if parameter.default is parameter.empty else f" = {shown(parameter.default)}"
        words.append(f"{stars}{parameter.name}: {parameter.annotation}{default}")
    result = "" if given.return_annotation in (given.empty, "None") else f" -> {given.return_annotation}"
    line = f"({', '.join(words)}){result}"
    if len(line) <= 90:
        return line
    return "(\n    " + ",\n    ".join(words) + f",\n){result}"


def shown(value: object) -> str:
    """A default without addresses: functions by name, enumerations by value."""
    if inspect.isfunction(value):
        return value.__name__
    return repr(value.value) if isinstance(value, Enum) else repr(value)


def attribute_docs(path: Path, name: str) -> dict[str, str]:
    """The strings that stand behind the attributes of a class, by attribute."""
    told: dict[str, str] = {}
    for node in ast.parse(path.read_text("utf-8")).body:
        if not isinstance(node, ast.ClassDef) or node.name != name:
            continue
        for before, after in zip(node.body, node.body[1:], strict=False):
            if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                target = before.target if isinstance(before, ast.AnnAssign) else None
                if isinstance(before, ast.Assign):
                    target = before.targets[0]  # type: ignore[assignment]
                if isinstance(target, ast.Name):
                    told[target.id] = " ".join(str(after.value.value).split())
    return told


def first_words(member: object) -> str:
    """The docstring of a method."""
    return inspect.getdoc(member) or ""


def first_paragraph(member: object) -> str:
    """The first paragraph of a docstring on one line."""
    return " ".join((inspect.getdoc(member) or "").split("\n\n")[0].split())


def code(text: str) -> str:
    """Text as code that may stand in a table."""
    return f"`{text}`" if text else ""


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A Markdown table."""
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)


def _cell(text: str) -> str:
    """Text with what Markdown would take for the end of a cell or for HTML outside code escaped."""
    parts = re.split(r"(`[^`]*`)", text.replace("|", "\\|"))
    return "".join(part if part.startswith("`") else part.replace("<", "&lt;") for part in parts)


def main() -> None:
    """Writes all pages."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, "utf-8")
    REQUIREMENTS.with_suffix(".md").write_text(requirements(), "utf-8")
    OPENAPI.write_text(openapi(), "utf-8")


if __name__ == "__main__":
    main()
