"""`holdfast retention` shows what would go before a policy is set, and keeps what a hold covers."""

from __future__ import annotations

from tests.cli.support import error_of, remembered, run, run_json


def test_a_policy_is_shown_set_listed_and_removed() -> None:
    remembered("The gate is green")
    assert "There are no policies" in run("retention").stdout
    assert error_of("retention", "set", "--kind", "note", status=2)["code"] == "argument_invalid"
    refused = error_of("retention", "set", "--days", "30", "--kind", "note", status=2)
    assert "0 memories now" in refused["message"]
    assert "There are no policies" in run("retention", "list").stdout
    completed = run("retention", "set", "--days", "30", "--kind", "note", "--yes")
    assert "Would be erased now: 0 memories" in completed.stdout
    assert "Set: kind note stays 30 days" in completed.stdout
    assert run_json("retention", "set", "--keep", "--kind", "decision")["days"] is None
    listed = run_json("retention", "list")["policies"]
    assert [(one["kind"], one["days"]) for one in listed] == [("decision", None), ("note", 30)]
    assert run_json("retention", "preview", "--days", "1", "--kind", "note")["memories"] == 0
    assert "Removed: kind note" in run("retention", "remove", "--kind", "note").stdout
    assert error_of("retention", "remove", "--kind", "note", status=3)["code"] == "policy_not_found"


def test_a_hold_keeps_a_person_from_erasing() -> None:
    id = remembered("The gate is green")
    owner = run_json("show", id)["owner"]
    assert f"Held: user {owner} (case)" in run("retention", "hold", "case", "--of", owner).stdout
    assert run_json("audit", "list")["events"][-1]["actor"] == f"user:{owner}"
    assert error_of("forget", id, "--hard", "--yes", status=4)["code"] == "legal_hold"
    assert run_json("show", id)["text"] == "The gate is green"
    assert run_json("retention", "holds")["holds"][0]["user"] == owner
    assert "case" in run("retention", "holds").stdout
    error_of("retention", "lift", "case", status=2)
    assert error_of("retention", "lift", "nope", status=3)["code"] == "hold_not_found"
    assert "Lifted: case" in run("retention", "lift", "case", "--yes").stdout
    run("forget", id, "--hard", "--yes")
    assert error_of("show", id, status=3)["code"] == "memory_not_found"


def test_an_agent_decides_nothing() -> None:
    remembered("The gate is green")
    refused = error_of("--agent", "coder", "retention", "set", "--days", "1", "--yes", status=4)
    assert refused["code"] == "person_needed"
