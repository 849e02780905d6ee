"""The worked examples of docs/how-to-change.md: they apply to the package of today, work, and touch few
files."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import test_architecture
from tests.support import PATIENCE

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "how-to-change.md"

COMMON = """
from pathlib import Path
from click.testing import CliRunner
from holdfast import InvalidInput, Memory
from holdfast.cli.main import cli
from tests.http.support import site

def command(*words):
    return CliRunner().invoke(cli, words).output
"""
FIELD = """
with Memory("field.db") as memory:
    first = memory.remember("The van is booked", kind="fact", mood="calm").memory
    memory.remember("The door is red", kind="fact", mood="angry")
    assert [one.text for one in memory.list(mood="calm").memories] == ["The van is booked"]
    assert [hit.memory.mood for hit in memory.recall("the van or the door", mood="angry")] == ["angry"]
    assert memory.revise(first.id, mood="glad").memory.mood == "glad"
    assert any('"mood":"glad"' in line for line in memory.export())
    for read in (memory.list, lambda **given: memory.recall("the van", **given)):
        try:
            read(mood=5)
        except InvalidInput:
            continue
        raise AssertionError("a mood that is no text was not refused")
assert "The mood in which it was said" in command("recall", "--help")
assert "glad" in command("show", first.id, "--store", "field.db")
assert "The door" in command("list", "--mood", "angry", "--store", "field.db")
with site(Path()) as here:
    sent = {"text": "The van is booked", "mood": "calm"}
    assert here.call("POST", "/v1/memories", sent).json()["memory"]["mood"] == "calm"
    assert here.call("GET", "/v1/memories?mood=angry").json()["memories"] == []
    assert here.client().list(mood="calm").memories[0].mood == "calm"
"""
VERB = """
import asyncio
from holdfast import AsyncMemory

with site(Path()) as here:
    for memory in (Memory("verb.db"), here.client()):
        first = memory.remember("Deploys run on Tuesdays", project="shop").memory
        memory.remember("Deploys need two approvals", project="shop")
        assert [hit.memory.text for hit in memory.similar(first.id)] == ["Deploys need two approvals"]
    route = f"/v1/memories/{first.id}/similar?limit=1"
    assert here.call("GET", route).json()["hits"][0]["memory"]["text"] == "Deploys need two approvals"
assert "Deploys need" in command("similar", Memory("verb.db").list(project="shop").memories[-1].id,
    "--limit", "1", "--store", "verb.db")

async def similar(id):
    async with AsyncMemory("verb.db") as memory:
        return await memory.similar(id)
assert len(asyncio.run(similar(Memory("verb.db").list(project="shop").memories[-1].id))) == 1
"""
STORED = """
with site(Path()) as here:
    for memory in (Memory("stored.db"), here.client()):
        memory.remember("Deploys run on Tuesdays", kind="convention", project="shop")
        assert memory.projects.kinds("shop") == {"convention": 1}
    assert here.call("GET", "/v1/projects/shop/kinds").json() == {"kinds": {"convention": 1}}
assert "convention" in command("projects", "kinds", "shop", "--store", "stored.db")
"""
STORE = """
address = f"folder://{Path.cwd()}?tenant=ana"
with Memory(address) as memory:
    memory.remember("Deploys run on Tuesdays")
assert Path("ana.db").exists()
assert "Deploys" in command("recall", "when do deploys run?", "--store", address)
"""
EXAMPLES = {
    "A field of the record": (10, FIELD),
    "An operation": (5, VERB),
    "An operation with a method of the store": (8, STORED),
    "A kind of store": (3, STORE),
}
"""By the heading of an example: how many source files it may touch at most, and a program that proves it."""


def diff_of(heading: str) -> str:
    """Returns the diff of an example."""
    section = PAGE.read_text("utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    (diff,) = re.findall(r"^```diff\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    return str(diff)


def files_of(heading: str) -> list[str]:
    """Returns the files that an example adds or changes."""
    return re.findall(r"^\+\+\+ b/(\S+)$", diff_of(heading), re.MULTILINE)


@pytest.mark.parametrize("heading", EXAMPLES)
def test_an_example_touches_few_source_files(heading: str) -> None:
    files = files_of(heading)
    assert all(file.startswith("src/holdfast/") for file in files)
    assert 0 < len(set(files)) <= EXAMPLES[heading][0]
    assert f": {len(files)} source files" in PAGE.read_text("utf-8") or heading == "A kind of store"


def changed_copy(heading: str, folder: Path) -> Path:
    """Returns a copy of the package to which an example was applied."""
    package = folder / "src" / "holdfast"
    # with what is compiled of it: its times stay, so that only what the example changes is compiled anew
    shutil.copytree(ROOT / "src" / "holdfast", package, ignore=lambda _, names: {"data", "static"} & {*names})
    for data in ("embeddings/data", "language/secrets/tagger/data"):
        (package / data).symlink_to(ROOT / "src" / "holdfast" / data)
    apply = ["git", "apply", "--verbose", "-"]
    alone = {**os.environ, "GIT_CEILING_DIRECTORIES": str(folder.parent)}
    completed = subprocess.run(
        apply, cwd=folder, input=diff_of(heading), env=alone, capture_output=True, text=True, check=False
    )
    assert completed.returncode == 0, f"the example has to follow the code: {completed.stderr}"
    return package


@pytest.mark.parametrize("heading", EXAMPLES)
def test_an_example_applies_and_works(heading: str, tmp_path: Path) -> None:
    """On a copy of the package, through Python, the command line and HTTP."""
    changed_copy(heading, tmp_path)
    home = tmp_path / "home"
    home.mkdir()
    path = os.pathsep.join([str(tmp_path / "src"), str(ROOT)])
    own = {name: value for name, value in os.environ.items() if not name.startswith(("HOLDFAST_", "XDG_"))}
    completed = subprocess.run(
        [sys.executable, "-c", COMMON + EXAMPLES[heading][1]],
        cwd=home, env={**own, "PYTHONPATH": path, "HOME": str(home)},
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert completed.returncode == 0, completed.stderr


RULES = (
    test_architecture.test_every_file_says_what_it_is_for_in_one_line,
    test_architecture.test_every_sql_file_says_what_it_is_for,
    test_architecture.test_files_are_short,
    test_architecture.test_every_public_function_of_core_and_features_has_a_docstring,
    test_architecture.test_docstrings_begin_with_a_verb_or_a_noun,
)


@pytest.mark.parametrize("heading", EXAMPLES)
def test_an_example_keeps_the_rules(heading: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is copied from the page is not refused by the linter or the rules of files."""
    package = changed_copy(heading, tmp_path)
    changed = [package.parents[1] / file for file in files_of(heading)]
    ruff = [str(Path(sys.executable).with_name("ruff"))]
    config = ["--quiet", "--no-cache", "--config", str(ROOT / "pyproject.toml")]
    python = [str(file) for file in changed if file.suffix == ".py"]
    for check in (["check"], ["format", "--diff"]):
        completed = subprocess.run(
            [*ruff, *check, *config, *python], capture_output=True, text=True, check=False
        )
        assert completed.returncode == 0, completed.stdout
    monkeypatch.setattr(test_architecture, "SOURCE", package)
    monkeypatch.setattr(test_architecture, "FILES", [file for file in changed if file.suffix == ".py"])
    for rule in RULES:
        rule()
