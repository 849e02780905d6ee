"""The files around the code: workflows, the lock file and the decision records hold to their own rules."""

from __future__ import annotations

import re
import runpy
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def jobs_of(workflow: Path) -> dict[str, Any]:
    jobs: dict[str, Any] = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"]
    return jobs


def test_there_are_workflows() -> None:
    assert {path.stem for path in WORKFLOWS} == {"check", "release", "test"}


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_every_action_is_pinned_by_hash_with_its_version(workflow: Path) -> None:
    uses = re.findall(r"^\s*-? ?uses: (.+)$", workflow.read_text(encoding="utf-8"), re.MULTILINE)
    assert uses
    pinned = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\$/\.github/workflows/\w+\.yml")
    assert [use for use in uses if not pinned.fullmatch(use)] == []


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_have_no_permission_that_a_job_does_not_name(workflow: Path) -> None:
    assert yaml.safe_load(workflow.read_text(encoding="utf-8"))["permissions"] == {}
    for name, job in jobs_of(workflow).items():
        assert job["permissions"], name


def test_one_action_has_one_version_in_all_workflows() -> None:
    versions: dict[str, set[str]] = {}
    for workflow in WORKFLOWS:
        for name, version in re.findall(
            r"uses: ([\w./-]+)@(\S+ # \S+)", workflow.read_text(encoding="utf-8")
        ):
            versions.setdefault(name, set()).add(version)
    assert {name: found for name, found in versions.items() if len(found) > 1} == {}


def test_the_suite_runs_on_every_python_that_the_package_names() -> None:
    matrix = jobs_of(ROOT / ".github" / "workflows" / "test.yml")["test"]["strategy"]["matrix"]
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["project"]["classifiers"]))
    assert matrix["python"] == named
    assert PROJECT["project"]["requires-python"] == f">={named[0]}"


def test_workflows_run_targets_that_the_makefile_has() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    used = {
        target
        for path in WORKFLOWS
        for target in re.findall(r"\bmake ([a-z-]+)", path.read_text(encoding="utf-8"))
    }
    assert used
    assert used <= targets


def test_the_lock_file_names_only_the_public_index() -> None:
    text = (ROOT / "uv.lock").read_text(encoding="utf-8")
    hosts = {urlsplit(address).netloc for address in re.findall(r"\w+://[^\s\"]+", text)}
    assert hosts == {"files.pythonhosted.org", "pypi.org"}


def test_the_lock_file_holds_what_the_project_asks_for() -> None:
    lock = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))
    (project,) = (package for package in lock["package"] if package["name"] == "holdfast")
    locked = project["metadata"]["requires-dist"], *project["metadata"]["requires-dev"].values()
    asked = (
        PROJECT["project"]["dependencies"],
        *PROJECT["project"]["optional-dependencies"].values(),
        *PROJECT["dependency-groups"].values(),
    )
    in_lock = {requirement["name"] for part in locked for requirement in part} | {"holdfast"}
    assert in_lock == {_name(requirement) for part in asked for requirement in part}, "run `make lock`"


def _name(requirement: str) -> str:
    return re.split(r"[\[<>=!~; ]", requirement)[0].lower().replace("_", "-")


RECORDS = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.stem[:4])
def test_a_decision_record_has_its_parts_and_is_short(record: Path) -> None:
    text = record.read_text(encoding="utf-8")
    assert text.startswith(f"# {int(record.stem[:4])}. ")
    assert re.search(
        r"^Status: (proposed|accepted|superseded by \[\d+\]\(\S+\)), \d{4}-\d\d-\d\d$", text, re.MULTILINE
    )
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["Context", "Decision", "Measured", "Consequences"]
    assert len(text.splitlines()) <= 40


def test_the_index_lists_every_decision_record() -> None:
    index = (ROOT / "docs" / "decisions" / "index.md").read_text(encoding="utf-8")
    listed = re.findall(r"\]\((\d{4}-[\w-]+\.md)\)", index)
    assert listed == [record.name for record in RECORDS], "add a row to docs/decisions/index.md"
    numbers = [record.stem[:4] for record in RECORDS]
    assert len(set(numbers)) == len(numbers)


def test_the_site_has_every_page_that_its_pages_link_to() -> None:
    patterns = runpy.run_path(str(ROOT / "tools" / "site" / "conf.py"))["include_patterns"]
    pages = {page for pattern in patterns for page in ROOT.glob(pattern.replace("**.md", "**/*.md"))}
    targets = {
        (page.parent / target).resolve()
        for page in pages
        for target in re.findall(r"\]\(([\w./-]+\.md)[)#]", page.read_text(encoding="utf-8"))
    }
    assert len(pages) > 80
    assert {path.relative_to(ROOT) for path in targets - pages} == set()
