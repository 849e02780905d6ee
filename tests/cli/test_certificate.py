"""A certificate of deletion is written by `delete-all` and checked by `audit verify`."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.support import error_of, remembered, run, run_json


def test_a_certificate_is_written_and_checked_later(tmp_path: Path) -> None:
    user = run_json("show", remembered("The gate is green"))["owner"]
    file = tmp_path / "certificate.json"
    run("delete-all", "--confirm", user, "--certificate", str(file))
    content = json.loads(file.read_text())
    assert content["memories"] == 1
    assert "green" not in file.read_text()
    assert "The certificate holds" in run("audit", "verify", "--certificate", str(file)).stdout
    file.write_text(json.dumps({**content, "memories": 2}))
    assert "did not sign it" in run("audit", "verify", "--certificate", str(file), status=7).stdout
    file.write_text("no JSON")
    assert error_of("audit", "verify", "--certificate", str(file), status=2)["code"] == "argument_invalid"


def test_a_refused_deletion_leaves_no_file_and_names_the_option(tmp_path: Path) -> None:
    user = run_json("show", remembered("The gate is green"))["owner"]
    file = tmp_path / "certificate.json"
    error = error_of("delete-all", "--certificate", str(file), status=2)
    assert "--confirm" in str(error["hint"])
    assert not file.exists()
    run("delete-all", "--dry-run", "--certificate", str(file))
    assert not file.exists()
    run("delete-all", "--confirm", user, "--certificate", str(file))
    assert json.loads(file.read_text())["memories"] == 1
    again = error_of("delete-all", "--confirm", user, "--certificate", str(file), status=2)
    assert "exists" in again["message"]
    assert json.loads(file.read_text())["memories"] == 1


def test_a_purge_writes_a_certificate_too(tmp_path: Path) -> None:
    remembered("The gate is green", "--project", "shop")
    file = tmp_path / "certificate.json"
    run("projects", "purge", "shop", "--yes", "--certificate", str(file))
    content = json.loads(file.read_text())
    assert (content["project"], content["memories"]) == ("shop", 1)
    assert "The certificate holds" in run("audit", "verify", "--certificate", str(file)).stdout


def test_the_certificate_of_an_event_is_issued_and_checked_later(tmp_path: Path) -> None:
    run("forget", remembered("The gate is green"), "--hard", "--yes")
    (event,) = [one for one in run_json("audit", "list")["events"] if one["action"] == "erase"]
    file = tmp_path / "certificate.json"
    file.write_text(run("audit", "certificate", str(event["sequence"])).stdout)
    assert "The certificate holds" in run("audit", "verify", "--certificate", str(file)).stdout
    assert error_of("audit", "certificate", "1", status=2)["code"] == "argument_invalid"


def test_a_redacted_version_has_a_certificate(tmp_path: Path) -> None:
    """Of the version alone: the memory is still there, and that the text is not is checked."""
    id = remembered("The gate opens with 4711")
    run("revise", id, "The gate is green")
    run("redact", id, "1", "--yes")
    (event,) = [one for one in run_json("audit", "list")["events"] if one["action"] == "redact"]
    file = tmp_path / "certificate.json"
    file.write_text(run("audit", "certificate", str(event["sequence"])).stdout)
    content = json.loads(file.read_text())
    assert (content["version"], content["memories"], len(content["digests"])) == (1, 0, 1)
    assert run_json("show", id)["text"] == "The gate is green"
    assert "The certificate holds" in run("audit", "verify", "--certificate", str(file)).stdout
