"""`holdfast ask` and `holdfast facts`: for people and as JSON (S1.24, S1.72)."""

from __future__ import annotations

import json
import re
from pathlib import Path

from holdfast.cli.facts import PASSAGE_MAX
from tests.cli.support import error_of, run, run_json


def test_s1_72_lists_are_stored_edited_and_asked_for_from_the_command_line() -> None:
    output = run_json("facts", "replace", "colors", "Blue", "Green", "Black", "--project", "p")
    assert [(fact["rank"], fact["value"]) for fact in output["facts"]] == [
        (1, "Blue"),
        (2, "Green"),
        (3, "Black"),
    ]
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
    assert answer == "Your favorite color ranked second is Teal. [M1]\n"
    spelled = run("ask", "what is my second favourite colour?", "--project", "p").stdout
    assert spelled == "Your favourite colour ranked second is Teal. [M1]\n"
    assert run_json("ask", "list my favorite colors", "--project", "p")["text"] == "1) Red\n2) Teal\n3) Green"


def test_of_a_time_in_which_nothing_was_said_no_match_of_another_is_shown() -> None:
    run("remember", "The trip to Bled was the best of the year")
    completed = run("ask", "what did we talk about in 2019?")
    assert completed.stdout == "Nothing is stored that was said from 2019-01-01 to 2019-12-31.\n"
    assert completed.stderr == ""
    of_matter = run("ask", "what did I say about the trip in 2019?").stdout
    assert of_matter.startswith("No stored fact answers this. Best matches:\n[M1]")
    assert "The trip to Bled was the best of the year" in of_matter


def test_what_a_person_notes_is_fairly_sure_and_what_would_have_to_be_reviewed_is_not() -> None:
    run("remember", "I play the cello")
    run("remember", "Likes the oboe", "--kind", "preference", "--confidence", "0.5")
    shown = run("about").stdout
    assert "Plays the cello  (fairly sure)" in shown
    assert "Likes the oboe  (unsure, waits for review" in shown
    sure = {b["value"]: b["confidence"] for group in run_json("about")["groups"] for b in group["beliefs"]}
    noted = {memory["text"]: memory["confidence"] for memory in run_json("list")["memories"]}
    assert sure["the cello"] == noted["I play the cello"] == 0.6


def test_hits_that_are_unlikely_to_answer_are_called_so() -> None:
    run("remember", "The paint for the kitchen is green, and the code of the shop is on the tin")
    doubt = "Nothing here seems to answer that"
    for command in ("recall", "ask"):
        asked = run(command, "which planets did the astronomer paint?")
        assert "kitchen" in asked.stdout
        assert doubt in asked.stderr
        assert "the chance that any of them answers is rated 0." in asked.stderr
        assert doubt not in run(command, "what is the paint for the kitchen?").stderr


def test_s1_32_nothing_stored_is_said_plainly() -> None:
    run("remember", "The kitchen is green")
    completed = run("ask", "my favorite color?")
    assert completed.stdout == "I don't have that stored yet.\n"
    assert completed.stderr == ""
    run("remember", "Ben says his favorite color is orange")
    completed = run("ask", "my favorite color?")
    assert completed.stdout == "I don't have that stored yet.\n"
    title, match = completed.stderr.splitlines()
    assert title == "Not stored as a fact. Best matches:"
    assert re.fullmatch(r"\[M1\] \(person, [\d-]{10}\) Ben says his favorite color is orange", match)
    assert run_json("ask", "my favorite color?")["fact_not_found"] is True
    recalled = run("ask", "what is green?").stdout
    assert re.fullmatch(
        r"No stored fact answers this. Best matches:\n\[M1\] \(person, [\d-]{10}\) The kitchen is green\n",
        recalled,
    )
    assert run("ask", "zyzzyva quux").stdout == "Nothing found.\n"
    assert "Nothing is stored here" in run("facts").stdout
    assert "Nothing is stored here" in run("facts", "history", "colors").stdout
    assert "favorite_tv" in run("facts", "topics").stdout
    assert run_json("facts", "topics")["topics"][0]["key"] == "favorite_colors"
    assert error_of("facts", "get", "colors", "1", status=3)["code"] == "fact_not_found"
    assert error_of("facts", "list", "?!", status=2)["code"] == "topic_unknown"
    assert error_of("ask", status=2)["code"] == "argument_invalid"


def test_matches_for_a_question_about_oneself_are_not_passed_off_as_about_oneself() -> None:
    run("remember", "My friend Tobias is allergic to nuts.")
    about_others = "No statement about you answers this. Best matches, which may be about others:\n[M1]"
    assert run("ask", "am I allergic to nuts?").stdout.startswith(about_others)
    assert run("ask", "is anybody allergic to nuts?").stdout.startswith("No stored fact answers this. ")
    of_another = run("ask", "where does Tobias live?").stdout
    assert of_another.startswith("No statement about Tobias answers this. Best matches:\n[M1]")
    run("remember", "I am allergic to nuts.")
    assert run("ask", "am I allergic to nuts?").stdout.startswith("Yes. ")


def test_s1_24_hits_that_are_much_weaker_than_the_best_are_not_shown() -> None:
    run("remember", "Ana keeps the spare keys of the office in the blue drawer. " + "And so on. " * 80)
    for n in range(9):
        run("remember", f"The office has {n} windows")
    output = run("ask", "where does Ana keep the spare keys of the office?").stdout
    hits = run_json("ask", "where does Ana keep the spare keys of the office?", "-n", "9")["hits"]["hits"]
    shown = [hit for hit in hits[:5] if hit["score"] >= 0.6 * hits[0]["score"]]
    assert 0 < len(shown) < len(hits)
    assert output.count("[M") == len(shown)
    label = len("[M1] (person, 2026-01-01) ")
    assert PASSAGE_MAX - 20 < max(map(len, output.splitlines())) - label <= PASSAGE_MAX + len(" …")


def test_s1_17_any_noun_is_a_topic() -> None:
    run("facts", "add", "restaurants in Leipzig", "Luigi's")
    assert "is Luigi's." in run("ask", "what is my favourite restaurant in Leipzig?").stdout
    for name in ("", 'a"b', "?"):
        assert "hiking boots" in error_of("facts", "list", name, status=2)["hint"]


def test_a_topic_is_cleared() -> None:
    run("facts", "replace", "teas", "Assam", "Sencha")
    assert "Nothing is stored here" in run("facts", "clear", "teas").stdout
    assert run("ask", "what is my favourite tea?").stdout == "I don't have that stored yet.\n"


def test_what_an_import_states_is_there_and_the_rest_is_hinted_at(tmp_path: Path) -> None:
    messages = [
        {"role": "user", "content": "My favourite colour is dark green, my second favourite is ochre."}
    ]
    file = tmp_path / "messages.json"
    file.write_text(json.dumps(messages))
    errors = run("import", str(file)).stderr
    source = run_json("sources", "list")["sources"][0]["id"]
    assert f"Extract what you said about yourself in it: holdfast extract --source {source}\n" in errors
    assert "is ochre." in run("ask", "what is my second favourite colour?").stdout
    assert "--source" not in run("import", str(file), "--extract").stderr
    assert "--source" not in run("import", str(file), "--dry-run").stderr
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# Kitchen\n\nIt is green.")
    assert "--source" not in run("import", str(tmp_path / "notes")).stderr
