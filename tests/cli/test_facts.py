"""`holdfast ask` and `holdfast facts`: for people and as JSON (S1.24, S1.72)."""

from __future__ import annotations

from tests.cli.support import error_of, run, run_json


def test_s1_72_lists_are_stored_edited_and_asked_for_from_the_command_line() -> None:
    made = run_json("facts", "replace", "colors", "Blue", "Green", "Black", "--project", "p")
    assert [(one["rank"], one["value"]) for one in made["facts"]] == [(1, "Blue"), (2, "Green"), (3, "Black")]
    run("facts", "add", "colors", "Red", "--project", "p")
    assert "already at #2" in run("facts", "add", "colors", "green", "--project", "p").stderr
    run("facts", "move", "colors", "Red", "1", "--project", "p")
    run("facts", "set", "colors", "Teal", "2", "--project", "p")
    run("facts", "remove", "colors", "Black", "--project", "p")
    run("facts", "set", "candies", "Twix", "--project", "p")
    listed = run_json("facts", "list", "--project", "p")["facts"]
    assert [(one["topic"], one["rank"], one["value"]) for one in listed] == [
        ("favorite_candies", None, "Twix"),
        ("favorite_colors", 1, "Red"),
        ("favorite_colors", 2, "Teal"),
        ("favorite_colors", 3, "Green"),
    ]
    assert "Teal" in run("facts", "list", "colors", "-n", "2", "--project", "p").stdout
    assert run("facts", "get", "colors", "2", "--project", "p").stdout == "Teal\n"
    assert run_json("facts", "get", "candy", "--project", "p")["kind"] == "single"
    assert "Teal" in run("facts", "history", "colors", "--project", "p").stdout
    assert run_json("facts", "history", "colors", "--project", "p")["changes"][0]["after"] == 1
    answer = run("ask", "what", "is", "my", "second", "favorite", "color?", "--project", "p").stdout
    assert answer == "Your favorite color ranked second is **Teal**. [M1]\n"
    assert run_json("ask", "list my favorite colors", "--project", "p")["text"] == "1) Red\n2) Teal\n3) Green"


def test_s1_32_nothing_stored_is_said_plainly() -> None:
    run("remember", "The kitchen is green")
    assert run("ask", "my favorite color?").stdout == "I don't have that stored yet.\n"
    assert run_json("ask", "my favorite color?")["fact_not_found"] is True
    assert "kitchen" in run("ask", "what is green?").stdout
    assert "Nothing is stored here" in run("facts").stdout
    assert "Nothing is stored here" in run("facts", "history", "colors").stdout
    assert "favorite_tv" in run("facts", "topics").stdout
    assert run_json("facts", "topics")["topics"][0]["key"] == "favorite_colors"
    assert error_of("facts", "get", "colors", "1", status=3)["code"] == "fact_not_found"
    assert error_of("facts", "list", "spaceships", status=2)["code"] == "topic_unknown"
    assert error_of("ask", status=2)["code"] == "argument_invalid"


def test_the_router_is_measured() -> None:
    told = run_json("eval", "routing")["parts"]
    assert [part["part"] for part in told] == ["tuned", "held_out"]
    assert "precision" in run("eval", "routing").stdout.lower()
