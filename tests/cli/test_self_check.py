"""`holdfast self check`: what of an installation is missing, changed, shadowed or out of reach."""

from __future__ import annotations

import base64
import hashlib
import os
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

from holdfast.api import installation
from holdfast.stores.sqlite import migrate
from holdfast.stores.sqlite.sql import migrations
from tests.cli.support import HOLDFAST, remembered, run, run_json

OWN = str(Path(HOLDFAST).parent)
_packages = cache(packages_distributions)


@pytest.fixture(autouse=True)
def _packages_listed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists the packages of this environment once: to do so takes most of a check."""
    monkeypatch.setattr(installation, "packages_distributions", _packages)


def checks(*args: str, status: int = 0) -> dict[str, dict[str, Any]]:
    """The checks by their names; of several with one name the last."""
    output = run_json("self", "check", *args, status=status)
    assert output["whole"] is (status == 0)
    assert all(check["advice"] for check in output["checks"] if check["state"] == "problem")
    return {check["name"]: check for check in output["checks"]}


def test_this_installation_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", OWN)
    found = checks()
    names = {"version", "python", "files", "web", "path", "database", "embedder", "extras", "store",
             "encryption", "keychain", "settings", "configured store"}  # fmt: skip
    assert names <= found.keys()
    working = (
        "python",
        "path",
        "database",
        "embedder",
        "store",
        "encryption",
        "settings",
        "configured store",
    )
    assert {name: found[name]["state"] for name in working} == dict.fromkeys(working, "ok")
    assert "does not exist yet" in found["configured store"]["found"]
    remembered("The gate is green")
    assert ", schema 1" in checks()["configured store"]["found"]
    assert "The installation is whole." in run("self", "check").stdout


def test_another_installation_that_comes_first_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "holdfast"
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{OWN}")
    path = checks(status=7)["path"]
    assert path["state"] == "problem"
    assert str(other) in path["found"]
    monkeypatch.setenv("PATH", f"{OWN}{os.pathsep}{tmp_path}")
    assert checks()["path"]["state"] == "note"
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    assert OWN in checks()["path"]["advice"]


def test_files_are_compared_with_what_was_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that comes first on the path of Python, with a record of its files."""
    info, file = tmp_path / "holdfast-9.9.dist-info", tmp_path / "holdfast_files" / "data.bin"
    info.mkdir()
    file.parent.mkdir()
    file.write_bytes(b"as it was")
    digest = base64.urlsafe_b64encode(hashlib.sha256(b"as it was").digest()).decode().rstrip("=")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: holdfast\nVersion: 9.9\n")
    (info / "RECORD").write_text(
        f"holdfast_files/data.bin,sha256={digest},9\nholdfast-9.9.dist-info/RECORD,,\n"
    )

    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PATH", OWN)

    def files(status: int) -> tuple[str, str]:
        found = checks(status=status)["files"]
        return found["state"], found["found"]

    assert files(0) == ("ok", "all 1 are as they were installed")
    file.write_bytes(b"damaged")
    assert files(7) == ("problem", "1 of 1 not as they were installed: holdfast_files/data.bin")
    file.unlink()
    assert files(7) == ("problem", "1 of 1 missing: holdfast_files/data.bin")


def test_a_store_that_cannot_be_used_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", OWN)
    damaged = tmp_path / "a.db"
    damaged.write_bytes(b"not a database" * 1_000)
    store = checks("--store", str(damaged), status=7)["configured store"]
    assert store["state"] == "problem"
    store = checks("--store", "http://127.0.0.1:9", status=7)["configured store"]
    assert "does not answer" in store["found"]
    assert checks("--store", "gopher://x", status=7)["configured store"]["state"] == "problem"
    with monkeypatch.context() as patch:
        patch.setenv("HOLDFAST_BACKUP_DAYS", "x")
        assert checks(status=7)["settings"]["state"] == "problem"
    remembered("The gate is green")
    steps = [*migrations(), (migrate.schema_version() + 1, "SELECT 1;")]
    monkeypatch.setattr(migrate, "migrations", lambda: steps)
    store = checks()["configured store"]
    assert (store["state"], "schema 1, this is 2" in store["found"]) == ("note", True)
