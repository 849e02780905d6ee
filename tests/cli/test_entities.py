"""`holdfast entities`: the graph from the command line, for people and as JSON (S0.41)."""

from __future__ import annotations

from tests.cli.support import error_of, run, run_json


def test_s0_41_a_graph_is_built_shown_and_taken_down() -> None:
    made = run_json("entities", "create", "Ada", "--type", "person", "--project", "p")
    assert (made["outcome"], made["memory"]["metadata"]) == ("created", {"type": "person"})
    run("entities", "create", "Acme", "--type", "organization", "--notes", "makes anvils", "--project", "p")
    told = run_json("entities", "observe", "Ada", "likes tea", "plays the cello", "--project", "p")
    assert [result["outcome"] for result in told["results"]] == ["created", "created"]
    related = run_json("entities", "relate", "Ada", "works_at", "Acme", "--project", "p")
    assert related["memory"]["text"] == "Ada works_at Acme"
    shown = run_json("entities", "show", "ada", "--project", "p")
    assert [observation["text"] for observation in shown["observations"]] == ["likes tea", "plays the cello"]
    assert shown["relations"][0]["target"]["name"] == "Acme"
    text = run("entities", "show", made["memory"]["id"]).stdout
    assert "- likes tea" in text
    assert "Ada → works_at → Acme" in text
    assert [e["name"] for e in run_json("entities", "search", "cello", "--project", "p")["entities"]] == [
        "Ada"
    ]
    output = run_json("entities", "unobserve", "Ada", "likes tea", "--project", "p")
    assert output == {"observations": 1, "hard": False}
    assert [e["id"] for e in run_json("entities", "list", "--name", "ada", "--project", "p")["entities"]] == [
        made["memory"]["id"]
    ]
    listed = run_json("entities", "list", "--project", "p", "--type", "organization")
    assert [entity["notes"] for entity in listed["entities"]] == ["makes anvils"]
    near = run_json("entities", "neighbourhood", "Acme", "--project", "p")
    assert [entity["name"] for entity in near["entities"]] == ["Acme", "Ada"]
    assert run_json("entities", "unrelate", "Ada", "works_at", "Acme", "--project", "p")["relations"] == 1
    assert "with its observations and relations" in run("entities", "delete", "Ada", "--project", "p").stdout
    run("restore", made["memory"]["id"])
    run_json("entities", "delete", "Ada", "--project", "p", "--hard", "--yes")
    assert "Acme" in run("entities", "list", "--project", "p").stdout


def test_entities_without_a_word_more_lists_them_and_says_when_there_are_none() -> None:
    run("remember", "a note")
    assert "no entities" in run("entities").stdout
    run("entities", "create", "Ada")
    assert "concept" in run("entities").stdout
    run("entities", "create", "Ben")
    assert "holdfast entities list --cursor" in run("entities", "list", "-n", "1").stderr


def test_what_is_not_there_or_not_kept_is_told() -> None:
    run("entities", "create", "Ada", "--type", "person")
    run("entities", "create", "Ada", "--type", "place")
    assert error_of("entities", "show", "Bert", status=3)["code"] == "entity_not_found"
    assert error_of("entities", "show", "Ada", status=4)["code"] == "entity_ambiguous"
    assert error_of("entities", "delete", "Ada", "--type", "place", "--hard", status=2)["code"] == (
        "argument_invalid"
    )
    assert error_of("entities", "create", "*", status=2)["code"] == "place_invalid"
    run("entities", "observe", "Ada", " ", "--type", "person", status=4)
    assert "Forgotten" in run("entities", "delete", "Ada", "--type", "place").stdout
    assert run("entities", "neighbourhood", "Ada", "-n", "1").stdout.count("person") == 1
