"""The pages on HTTP: every curl example runs and answers as it says, every call that is named exists."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from holdfast.api.catalogue import EXCEPTIONS, OPEN_ROUTES, operations
from holdfast.api.operation import ITEMS_MAX
from holdfast.http.body_limit import PARTS_MAX
from holdfast.http.gate import BODY_MAX, BODY_SECONDS, IMPORT_MAX, SIGN_IN_MAX
from holdfast.http.operations import REASONS
from holdfast.http.serve import GRACE_SECONDS, HEAD_SECONDS, PORT
from holdfast.http.tokens import AGAIN_SECONDS, KEEP_SECONDS
from tests.http.support import Site
from tests.http.test_process import served
from tests.support import PATIENCE

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "http.md").read_text("utf-8")
SEEDS = (DOCS / "reference" / "seed-endpoints.md").read_text("utf-8")
CALLS = {f"{one.method} /v1{one.path}" for one in operations().values() if one.path} | set(OPEN_ROUTES)
CALLS |= {one.route for one in EXCEPTIONS if one.route}


@pytest.mark.process
@pytest.mark.skipif(shutil.which("curl") is None, reason="the examples need curl")
def test_every_curl_example_runs_and_answers_as_it_says(tmp_path: Path) -> None:
    """All in order, in one shell, as a reader would type them. Where JSON follows a block, the first answer
    of the block holds it; `…` stands for anything."""
    found = re.findall(r"^```sh\n(.*?)^```\n(?:\n```json\n(.*?)^```)?", PAGE, re.MULTILINE | re.DOTALL)
    assert len(found) > 8
    with served(tmp_path / "home.db") as (_, url):
        script = ["set -euo pipefail", 'curl() { command curl --fail-with-body "$@"; echo; }']
        for n, (block, _) in enumerate(found):
            failing = "curl -s http://127.0.0.1:5858/v1/memories/none"
            text = block.replace(failing, f"{failing} || true")
            script += [f"echo '#{n}'", text]
        environment = {
            **os.environ,
            "HOLDFAST_STORE": str(tmp_path / "home.db"),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }
        completed = subprocess.run(
            ["bash", "-c", "\n".join(script).replace(f"http://127.0.0.1:{PORT}", url)],
            capture_output=True, text=True, env=environment, cwd=tmp_path, check=False, timeout=PATIENCE,
        )  # fmt: skip
    assert completed.returncode == 0, completed.stdout + completed.stderr
    answers = re.split(r"^#\d+\n", completed.stdout, flags=re.MULTILINE)[1:]
    assert len(answers) == len(found)
    for (block, expected), answer in zip(found, answers, strict=True):
        if expected:
            first = next(line for line in answer.splitlines() if line.startswith("{"))
            _check_holds(json.loads(first), json.loads(expected), block)


@pytest.mark.process
def test_the_program_that_signs_tokens_for_its_users_runs(tmp_path: Path) -> None:
    """The blocks of the chat application that need a service, which is started as the page says, once the
    first block has written its keys."""
    page = (DOCS / "chat-application.md").read_text("utf-8")
    first, *blocks = re.findall(r"^```python service\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    started = next(part for part in page.split("```") if "--jwt-issuer" in part)
    words = started.replace("\\\n", "").split()
    options = [str(tmp_path / word) if word == "chat-keys.json" else word for word in words]
    local, rest = f"http://127.0.0.1:{PORT}", "\n".join(blocks)
    code = f"{first}\nprint('written', flush=True)\nexec({rest!r}.replace({local!r}, input()))"
    with subprocess.Popen(
        [sys.executable, "-W", "error", "-c", code], text=True, cwd=tmp_path,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as program:  # fmt: skip
        assert program.stdout is not None
        line = program.stdout.readline()
        while line and line != "written\n":
            line = program.stdout.readline()
        with served(tmp_path / "chat.db", *options[options.index("--require-credential") :]) as (_, url):
            _, error = program.communicate(url + "\n", timeout=PATIENCE)
    assert program.returncode == 0, error


def test_the_document_of_the_service_names_no_row_of_the_requirements(here: Site) -> None:
    assert re.findall(r"\b[SM]\d?\.\d+\b", json.dumps(here.app.openapi())) == []


def _check_holds(told: Any, expected: Any, where: str) -> None:
    if expected == "…":
        assert told, where
    elif isinstance(expected, dict):
        for name, value in expected.items():
            _check_holds(told[name], value, f"{where}: {name}")
    elif isinstance(expected, list):
        assert len(told) == len(expected), where
        for one, other in zip(told, expected, strict=True):
            _check_holds(one, other, where)
    else:
        assert told == expected, where


def test_the_limits_that_the_page_names_are_those_in_force() -> None:
    for text in (
        f"127.0.0.1:{PORT}",
        f"more than {BODY_MAX >> 20} MiB, {IMPORT_MAX >> 20} MiB for an import",
        f"or {SIGN_IN_MAX >> 10} KiB to sign in",
        f"more than {PARTS_MAX:,} lists, objects and members",
        f"more than {ITEMS_MAX:,} items",
        f"after {HEAD_SECONDS:.0f} seconds without a complete head",
        f"after {BODY_SECONDS:.0f} seconds without a complete body",
        f"up to {GRACE_SECONDS} seconds",
        f"at most every {AGAIN_SECONDS:.0f} seconds",
        f"also fetched every {KEEP_SECONDS / 60:.0f} minutes",
    ):
        assert text in " ".join(PAGE.split()), text


def test_every_status_is_explained() -> None:
    table = PAGE.partition("## Errors")[2].partition("## Sending")[0]
    told = {
        int(status)
        for row in re.findall(r"^\| ([\d, ]+) \|", table, re.MULTILINE)
        for status in row.split(",")
    }
    assert told == set(REASONS)


@pytest.mark.parametrize("page", [PAGE, SEEDS], ids=["http", "seeds"])
def test_every_call_that_is_named_exists(page: str) -> None:
    ours = re.sub(r"^\| [^|]+ \|", "|", page, flags=re.MULTILINE) if page is SEEDS else page
    named = set(re.findall(r"`((?:GET|POST|PUT|PATCH|DELETE) /(?:v1|health|metrics)[^`?]*)[`?]", ours))
    assert named
    assert named - CALLS == set()


def test_every_endpoint_of_the_five_documents_has_its_call() -> None:
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.*?) ?\|$", SEEDS, re.MULTILINE)
    rows = [row for row in rows if row[0] not in ("theirs", "---")]
    assert len(rows) > 60
    for theirs, ours, _ in rows:
        assert "`" in theirs
        assert re.search(r"`(?:GET|POST|PUT|PATCH|DELETE) /", ours), theirs
