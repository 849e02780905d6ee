"""`holdfast scan`: what today's rules find in what was stored before, and the decisions on it."""

from __future__ import annotations

import json

from tests.cli.support import error_of, remembered, run, run_json

TOKEN = "9fK2xQ7vLm3RtZ8pWs4NbY6cHd5J"


def stored(text: str) -> str:
    """The id of a memory that was stored under older rules."""
    output = run("remember", text, "--json", HOLDFAST_SECRET_ENTROPY="8").stdout
    id: str = json.loads(output)["memory"]["id"]
    return id


def test_what_is_found_is_proposed_and_decided_on() -> None:
    first, second = stored(f"The pump opens with {TOKEN}"), stored(f"The lamp turns with {TOKEN[::-1]}")
    third = stored(f"Lena signs {TOKEN[1:]} and has lena@harbour.example")
    remembered("The boat is blue")
    shown = run("scan").stdout
    assert TOKEN not in shown
    assert "[REDACTED: high_entropy]" in shown
    assert "Found in 3 of 4 memories in 4 versions." in shown
    output = run_json("scan", "--personal")
    assert (output["memories"], output["kept"]) == (4, 0)
    assert {one["id"]: one["types"] for one in output["found"]}[third] == {"email": 1, "high_entropy": 1}
    assert error_of("scan", "--accept", first, status=2)["code"] == "argument_invalid"  # nobody said yes
    assert "redacted in 1 version" in run("scan", "--accept", first, "--yes").stdout
    assert "stays as it is" in run("scan", "--refuse", second).stdout
    results = run_json("scan", "--personal", "--accept-all", "--yes")["results"]
    assert [one["id"] for one in results] == [third]
    result = run("scan", "--personal")
    assert "Nothing was found in 4 memories in 4 versions." in result.stdout
    assert "1 more stay as they are" in result.stderr
    assert run_json("show", first)["text"] == "The pump opens with [REDACTED: high_entropy]"
    assert run_json("show", third)["text"] == "Lena signs [REDACTED: high_entropy] and has [REDACTED_EMAIL]"
    assert run_json("show", second)["text"].endswith(TOKEN[::-1])
    assert run_json("scan", "--accept", first, "--yes", status=4)["results"][0]["code"] == "nothing_to_change"


def test_who_erases_something_is_told_that_backups_still_hold_it() -> None:
    first, second, third = (
        stored(f"The {name} {TOKEN}") for name in ("buoy carries", "lamp turns with", "pump opens with")
    )
    run("revise", second, "The lamp is away")
    assert "backup" not in run("forget", first, "--hard", "--yes").stderr
    run("backup")
    text = "1 backup made before may hold it"
    assert text in run("redact", second, "1", "--yes").stderr
    assert text in run("scan", "--accept", third, "--yes").stderr
    assert text in run("forget", third, "--hard", "--yes").stderr
    assert text not in run("forget", second).stderr
