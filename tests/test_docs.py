"""The documents say what the code does: nothing undocumented or stale, no dead link, every example runs."""

from __future__ import annotations

import ast
import os
import pwd
import re
import runpy
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import click
import pytest

import holdfast
from holdfast.config import Settings
from holdfast.core.errors import CODES
from holdfast.core.kinds import KINDS
from tests.support import PATIENCE

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "docs" / "reference"
FOREIGN = {".git", "build", "dist", "node_modules", "__pycache__"}
"""Folders whose files are not ours to check; environments and hidden caches are left out by `files`."""
HIDDEN = {".ci", ".editorconfig", ".github", ".gitignore", ".pre-commit-config.yaml"}
"""Hidden things that belong to the project."""
NUMBERED = {"CONTRIBUTING.md", "requirements.md"}
"""Pages for people who work on the code, which name requirements by their numbers."""
FACES = ("api", "cli", "http", "mcp")
"""Folders of the package whose docstrings become help, schemas and reference."""
ROWS = {"S0": 47, "S1": 73, "S2": 42, "S3": 43, "S4": 73, "M": 8}
"""How many requirements each area has."""
WRITTEN = {"seed-endpoints.md", "openapi.json"}
"""Files of the reference that other tests check: the page that is written by hand (tests/http/test_pages.py),
and what depends on the version of FastAPI (tests/http/test_operations.py)."""


@cache
def generator() -> dict[str, Any]:
    """docs/generate.py, which is a script and not a module of the package."""
    return runpy.run_path(str(ROOT / "docs" / "generate.py"))


def files() -> Iterator[Path]:
    """The project's own files."""
    for folder, folders, names in os.walk(ROOT):
        here = Path(folder)
        folders[:] = [
            name
            for name in folders
            if (not name.startswith(".") or name in HIDDEN)
            and name not in FOREIGN
            and not name.endswith(".egg-info")
            and not (here / name / "pyvenv.cfg").exists()
        ]
        yield from (here / name for name in names if not name.startswith(".") or name in HIDDEN)


def documents() -> list[Path]:
    """All Markdown files of the project."""
    return sorted(path for path in files() if path.suffix == ".md")


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def test_what_users_read_names_no_row_of_the_requirements() -> None:
    """Neither pages nor help nor the document of the HTTP service: (S2.7) tells a reader nothing."""
    row = re.compile(r"\b[SM]\d?\.\d+\b")
    pages = [path for path in documents() if path.name not in NUMBERED]
    assert {path.name: row.findall(read(path)) for path in pages if row.search(read(path))} == {}
    root = generator()["root_command"]()
    for command, context in generator()["walk"](root, click.Context(root, info_name="holdfast")):
        assert row.findall(command.get_help(context)) == [], context.command_path
    assert row.findall(" ".join(CODES.values())) == []
    faces = [path for name in FACES for path in (ROOT / "src" / "holdfast" / name).rglob("*.py")]
    assert len(faces) > 50
    assert [str(path) for path in faces if row.search(read(path))] == []
    told = [text for path in (ROOT / "src").rglob("*.py") for text in _messages(path) if row.search(text)]
    assert told == []


def _messages(path: Path) -> Iterator[str]:
    """What errors of a file say: the texts that are given to them."""
    for node in ast.walk(ast.parse(read(path))):
        if isinstance(node, ast.Call) and any(keyword.arg == "code" for keyword in node.keywords):
            for part in ast.walk(node):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.value


# the reference


def test_the_reference_is_what_the_code_would_write() -> None:
    for name, text in generator()["pages"]().items():
        assert read(REFERENCE / name) == text, f"docs/reference/{name} is stale: run `make docs`"


def test_every_page_of_the_reference_is_generated() -> None:
    assert {path.name for path in REFERENCE.iterdir()} - WRITTEN == set(generator()["pages"]())


def test_every_kind_is_documented() -> None:
    page = read(REFERENCE / "kinds.md")
    assert [kind for kind in KINDS if f"| `{kind}` |" not in page] == []


def test_every_error_code_is_documented_and_raised() -> None:
    page, raised = read(REFERENCE / "errors.md"), generator()["raised_by"]()
    assert [code for code in CODES if f"| `{code}` |" not in page] == []
    assert [code for code in CODES if code not in raised] == [], "a code that nothing raises"
    assert [code for code in raised if code not in CODES] == [], "a code that is not in the catalogue"


def test_every_code_of_the_command_line_is_documented() -> None:
    """Those that it tells itself, without an error of the tree."""
    page, codes = read(REFERENCE / "errors.md"), set()
    for path in (ROOT / "src" / "holdfast" / "cli").glob("*.py"):
        codes |= set(re.findall(r'_fail\(arguments, "(\w+)"', read(path)))
    assert codes
    assert [code for code in sorted(codes) if f"`{code}`" not in page] == []


def test_every_setting_is_documented() -> None:
    page = read(REFERENCE / "settings.md")
    for field in fields(Settings):
        assert f"| `{field.name}` | `HOLDFAST_{field.name.upper()}` |" in page
    told = generator()["attribute_docs"](ROOT / "src" / "holdfast" / "config.py", "Settings")
    assert set(told) == {field.name for field in fields(Settings)}, "a setting without a word about it"


def test_every_environment_variable_that_is_read_is_documented() -> None:
    page, names = read(REFERENCE / "settings.md"), set()
    for path in (ROOT / "src").rglob("*.py"):
        names |= set(re.findall(r'os\.environ(?:\.get\(|\[)\s*"(\w+)"', read(path)))
    assert "XDG_DATA_HOME" in names
    assert [name for name in sorted(names) if f"`{name}`" not in page] == []


def test_every_command_and_option_is_documented() -> None:
    page, root = read(REFERENCE / "commands.md"), generator()["root_command"]()
    walked = list(generator()["walk"](root, click.Context(root, info_name="holdfast")))
    assert walked
    for command, context in walked:
        section = page.partition(f"\n## {context.command_path}\n")[2].partition("\n## ")[0]
        assert section, f"{context.command_path} is not documented"
        assert command.help, f"{context.command_path} has no help"
        shared = page.partition("\n## ")[0]
        for option in (param for param in command.params if isinstance(param, click.Option)):
            if option.hidden:
                continue
            assert option.help, f"{context.command_path} {option.opts[-1]} has no help"
            assert option.opts[-1] in section or option.opts[-1] in shared


WORD_LISTS = {"facts/words.py"}
"""Files whose strings are words of the language and not sentences for people."""


def test_commands_that_messages_and_pages_name_exist() -> None:
    """Every `holdfast X Y` of a string in the source and of the code in a page, also across the end of a
    line: what stands behind a group has to be a command of it, and options have to be of the command."""
    root = generator()["root_command"]()
    told = [(path, text) for path in (ROOT / "src").rglob("*.py") for text in _strings(path)]
    told += [(path, text) for path in documents() for text in _code(read(path))]
    named = {
        (" ".join(words.split()), path.name)
        for path, text in told
        if "/".join(path.parts[-2:]) not in WORD_LISTS
        for words in re.findall(r"(?<![\w./-])holdfast(?: +(?:--)?[a-z][a-z-]*(?![\w/.]))+", text)
    }
    assert len(named) > 100
    wrong = {f"{where}: `{words}`" for words, where in named if not _resolves(words.split()[1:], root)}
    assert wrong == set()


def _strings(path: Path) -> Iterator[str]:
    """The strings of a source file on one line each, f-strings as wholes."""
    tree = ast.parse(read(path))
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            yield " ".join(node.value.split())
        elif isinstance(node, ast.JoinedStr):
            texts = [str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values]
            yield " ".join("".join(texts).split())


def _code(page: str) -> Iterator[str]:
    """The commands in blocks of code, and those between backticks, each on one line."""
    fences = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
    for block in fences.findall(page):
        yield from re.findall(r"(?:^|[|;&$(])[ ]*(holdfast [^|;&\n]+)", block, re.MULTILINE)
    for paragraph in fences.sub("\n\n", page).split("\n\n"):
        yield from (" ".join(code.split()) for code in re.findall(r"`(holdfast\s[^`]+)`", paragraph))


def _resolves(words: list[str], command: click.Command) -> bool:
    context = click.Context(command)
    while isinstance(command, click.Group) and words and not words[0].startswith("--"):
        found = command.get_command(context, words[0])
        if found is None:
            return False
        command, words = found, words[1:]
    options = {name for param in command.get_params(context) for name in (*param.opts, *param.secondary_opts)}
    return all(word in options for word in words if word.startswith("--"))


# the requirements


def requirements() -> dict[str, dict[str, Any]]:
    """Returns the rows of docs/requirements.toml by name."""
    areas = tomllib.loads(read(ROOT / "docs" / "requirements.toml"))
    return {f"{area}.{n}": row for area, about in areas.items() for n, row in generator()["numbered"](about)}


def test_the_page_of_requirements_is_what_the_rows_and_the_tests_give() -> None:
    page = read(ROOT / "docs" / "requirements.md")
    assert page == generator()["requirements"](), "docs/requirements.md is stale: run `make docs`"


def test_every_requirement_has_its_row() -> None:
    expected = [f"{area}.{number}" for area, count in ROWS.items() for number in range(1, count + 1)]
    assert list(requirements()) == expected
    page = read(ROOT / "docs" / "requirements.md")
    assert [name for name in expected if page.count(f"\n| {name} | ") != 1] == []


def test_every_requirement_says_what_holds_and_what_is_missing() -> None:
    for name, row in requirements().items():
        assert row["status"] in generator()["STATUSES"], name
        assert row["title"], name
        assert row["text"].endswith("."), name
        assert ("missing" in row) == (row["status"] == "partly"), (
            f"{name}: only what is partly done misses something"
        )
        assert set(row) <= {"title", "text", "status", "missing", "tests"}, name


def test_no_test_names_a_requirement_that_does_not_exist() -> None:
    assert set(generator()["tests_by_row"]()) - set(requirements()) == set()


def test_what_is_done_is_proved_and_what_is_planned_is_not() -> None:
    """Whoever adds the first test of a planned row gives it another status."""
    found, names = generator()["tests_by_row"](), set(generator()["test_names"]())
    for name, row in requirements().items():
        listed, carrying = row.get("tests", []), found.get(name, [])
        assert set(listed) <= names, f"{name} lists a test that does not exist"
        assert set(listed) & set(carrying) == set(), f"{name} lists a test that carries its number"
        if row["status"] == "done":
            assert listed or carrying, f"{name} is done, and no test proves it"
        if row["status"] == "planned":
            assert not listed, f"{name} is planned and has tests"
            assert not carrying, f"{name} is planned and has tests"


def test_a_range_in_the_name_of_a_test_names_every_row_of_it() -> None:
    found = generator()["tests_by_row"]()
    assert all("test_s1_12_to_s1_16_ranked_lists" in found[f"S1.{number}"] for number in range(12, 17))


# the pages written by hand


def test_the_changelog_has_the_current_version() -> None:
    text = read(ROOT / "CHANGELOG.md")
    versions = re.findall(r"^## \[([^\]]+)\]", text, re.MULTILINE)
    assert holdfast.__version__ in versions
    assert versions[0] in ("Unreleased", holdfast.__version__)


def test_the_changelog_knows_only_the_sections_of_keep_a_changelog() -> None:
    sections = re.findall(r"^### (.+)$", read(ROOT / "CHANGELOG.md"), re.MULTILINE)
    assert sections
    assert set(sections) <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def _anchors(text: str) -> set[str]:
    """What GitHub makes of the headings."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def test_every_relative_link_leads_somewhere() -> None:
    dead = []
    for page in documents():
        prose = re.sub(r"^```.*?^```|`[^`\n]*`", "", read(page), flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"!?\[[^\]]*\]\(([^)\s]+)[^)]*\)", prose):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            goal = (page.parent / name).resolve() if name else page
            if not goal.exists() or (anchor and anchor not in _anchors(read(goal))):
                dead.append(f"{page.relative_to(ROOT)}: {target}")
    assert dead == []


def architecture() -> str:
    """The overview, and the pages that it leads to."""
    pages = [ROOT / "docs" / "ARCHITECTURE.md", *sorted((ROOT / "docs" / "architecture").glob("*.md"))]
    return "\n".join(map(read, pages))


def test_the_overview_of_the_architecture_is_one_screen_and_leads_to_every_page() -> None:
    text = read(ROOT / "docs" / "ARCHITECTURE.md")
    assert len(text.splitlines()) <= 70
    pages = {path.name for path in (ROOT / "docs" / "architecture").glob("*.md")}
    assert set(re.findall(r"\]\(architecture/([\w-]+\.md)\)", text)) == pages


def test_every_path_that_the_pages_name_exists() -> None:
    """Whole paths, and those within the package such as `core/places.py` or `stores/base/`."""
    text = architecture() + read(ROOT / "CONTRIBUTING.md")
    named = set(re.findall(r"`((?:src|tests|docs|benchmarks|tools|examples)/[\w./-]+)`", text))
    package = ROOT / "src" / "holdfast"
    folders = "|".join(sorted(path.name for path in package.iterdir() if path.is_dir()))
    inner = re.findall(rf"`((?:{folders})/(?:[\w/]+(?:\.(?:py|sql)|/))?|\w+\.py)`", text)
    named |= {f"src/holdfast/{path}" for path in inner}
    assert len(named) > 30
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


def test_every_folder_of_the_package_is_in_the_overview() -> None:
    overview, package = read(ROOT / "docs" / "ARCHITECTURE.md"), ROOT / "src" / "holdfast"
    folders = sorted(path.name for path in package.iterdir() if (path / "__init__.py").exists())
    assert [name for name in folders if f"`{name}/`" not in overview] == []
    code_map = read(ROOT / "docs" / "architecture" / "code-map.md")
    features = [path.name for path in (package / "features").iterdir() if (path / "__init__.py").exists()]
    assert [name for name in sorted(features) if f"`features/{name}/`" not in code_map] == []


def test_everything_that_the_architecture_names_is_defined() -> None:
    """Classes as `Admitted`, methods as `View.allows`, functions as `rank()`, tables as `KINDS`."""
    text = re.sub(r"^```.*?^```", "", architecture(), flags=re.MULTILINE | re.DOTALL)
    named = set(re.findall(r"`([A-Z][a-z]\w*(?:\.\w+)?|\w+\(\)|[A-Z]{4,})`", text)) - {"UPDATE", "TMPDIR"}
    assert len(named) > 40
    assert sorted({name.removesuffix("()") for name in named} - _definitions()) == []


def _definitions() -> set[str]:
    """Names of functions, classes, their members and constants in the package."""
    found = set()
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(read(path))):
            if not isinstance(node, ast.ClassDef | ast.Module):
                continue
            prefix = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
            for one in node.body:
                match one:
                    case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                        found.add(prefix + one.name)
                    case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                        found.add(prefix + name)
    return found


def test_no_file_names_a_folder_of_the_machine_it_was_made_on() -> None:
    """Neither the checkout nor the home or environment of whoever runs the tests."""
    private = {str(ROOT), sys.prefix, os.path.realpath(sys.prefix)}
    home = Path(pwd.getpwuid(os.getuid()).pw_dir)
    private |= {str(home)} if len(home.parts) > 2 else set()
    if sys.prefix == sys.base_prefix:
        private -= {sys.prefix, os.path.realpath(sys.prefix)}
    pattern = re.compile(
        rb"(?<![\w.~/:-])(?:" + b"|".join(re.escape(os.fsencode(p)) for p in private) + rb")(?![\w-])"
    )
    temporary = re.compile(rb"(?<![\w.~/:-])/tmp/\w")
    found = [
        str(path.relative_to(ROOT))
        for path in files()
        if pattern.search(data := path.read_bytes()) or (path.suffix == ".md" and temporary.search(data))
    ]
    assert found == []


# the examples


def _examples() -> list[Path]:
    return [page for page in documents() if "\n```python\n" in read(page)]


def test_the_readme_shows_the_python_face() -> None:
    assert ROOT / "README.md" in _examples()


@pytest.mark.parametrize("page", _examples(), ids=lambda page: str(page.relative_to(ROOT)))
def test_the_python_examples_run(page: Path) -> None:
    """All blocks of a page in order, as a reader would type them, by somebody who has never used Holdfast.
    Where a page says what it prints, that is all it prints."""
    blocks = re.findall(r"^```python\n(.*?)^```$", read(page), re.MULTILINE | re.DOTALL)
    done = _run_at_home([sys.executable, "-W", "error", "-c", "\n".join(blocks)])
    assert done.returncode == 0, done.stderr
    printed = re.findall(r"^It prints:\n\n```text\n(.*?)^```$", read(page), re.MULTILINE | re.DOTALL)
    assert not printed or done.stdout == "".join(printed)


WALKS = {
    "coding-agent.md": (
        "[GOTCHA] shop/sessions.py [M1]",
        "gotcha, stale",
        "Confirmed for the current state of its file:",
        "Files: shop/sessions.py, shop/photos.py",
        "Searches for `renew` led to shop/sessions.py",
        "Approved:",
    ),
    "my-chats.md": (
        "7 conversations",
        "Thursdays at 18:30",
        "Is learning the cello",
        "Erased:",
        "Backed up:",
    ),
}
"""Pages to follow from above to below, and what their commands print on the way."""


@pytest.mark.parametrize("page", WALKS)
def test_a_page_to_follow_runs_as_it_is_written(page: str) -> None:
    """All commands of the page in order, in one shell, by somebody who has never used Holdfast."""
    text = read(ROOT / "docs" / page)
    assert text.count("\n") <= 120
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    here = str(Path(sys.executable).parent)
    script = "\n".join([f'PATH="{here}:$PATH"', f"ln -s '{ROOT / 'examples'}' examples", *blocks])
    done = _run_at_home(["sh", "-euc", script])
    assert done.returncode == 0, done.stderr
    for part in WALKS[page]:
        assert part in done.stdout, part


def test_the_example_of_the_package_runs() -> None:
    """The one that `help(holdfast)` shows."""
    text = (holdfast.__doc__ or "").partition("\n\n")[2]
    assert text.startswith("from holdfast import Memory")
    done = _run_at_home([sys.executable, "-W", "error", "-c", text])
    assert (done.returncode, done.stdout) == (0, "We chose JWT over sessions: the API is public\n"), (
        done.stderr
    )


def _run_at_home(command: list[str]) -> subprocess.CompletedProcess[str]:
    with tempfile.TemporaryDirectory() as home:
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("HOLDFAST_", "XDG_"))
        }
        return subprocess.run(
            command, cwd=home, env={**kept, "HOME": home}, capture_output=True, text=True, timeout=PATIENCE
        )


# one version


def test_the_package_has_one_version() -> None:
    project = tomllib.loads(read(ROOT / "pyproject.toml"))
    assert project["tool"]["hatch"]["version"]["path"] == "src/holdfast/_version.py"
    assert "version" not in project["project"]
