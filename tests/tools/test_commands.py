"""`make eval`: figures as a table or as JSON, and errors that say what is expected."""

from __future__ import annotations

import gzip
import json
import re
import signal
import sys
from functools import partial
from pathlib import Path

import pytest

from holdfast.core.metrics import TARGETS
from tests.cli import support
from tests.cli.support import leaves_nothing_when_ended
from tests.tools.test_evaluation import beam_folder, cosqa_folder, locomo_file
from tools.evaluation import acceptance
from tools.evaluation.commands import cli

run = partial(support.run, program=cli)
run_json = partial(support.run_json, program=cli)
error_of = partial(support.error_of, program=cli)
FIGURES = {
    "questions", "recall_at_5", "recall_at_10", "mrr", "ndcg_at_10", "tokens", "passage_tokens", "p50_ms",
    "p95_ms",
}  # fmt: skip


def test_locomo_prints_one_row_for_each_category_and_one_for_all(tmp_path: Path) -> None:
    lines = run("locomo", str(locomo_file(tmp_path))).stdout.splitlines()
    assert lines[0] == "locomo, hybrid: 1 corpus, 3 texts"
    assert lines[1].split() == [
        "CATEGORY", "ASKED", "R@5", "R@10", "MRR", "NDCG@10", "TOKENS", "PASSAGES", "P50", "MS", "P95", "MS",
    ]  # fmt: skip
    assert [line.split()[:2] for line in lines[2:6]] == [
        ["single-hop", "1"], ["multi-hop", "1"], ["adversarial", "1"], ["all", "3"],
    ]  # fmt: skip
    assert re.fullmatch(r"all +3( +\d+\.\d){4}( +\d+){2}( +\d+\.\d\d){2}", lines[5])


def test_json_holds_the_same_and_nothing_else_is_printed(tmp_path: Path) -> None:
    output = run_json("locomo", str(locomo_file(tmp_path)))
    assert (output["name"], output["corpora"], output["texts"], output["outcomes"]) == (
        "locomo",
        1,
        3,
        {"created": 3},
    )
    assert output["version"]
    assert output["model"]
    assert list(output["modes"]) == ["hybrid"]
    hybrid = output["modes"]["hybrid"]
    assert set(hybrid["overall"]) == FIGURES
    assert {name: category["questions"] for name, category in hybrid["categories"].items()} == {
        "single-hop": 1, "multi-hop": 1, "adversarial": 1,
    }  # fmt: skip
    assert hybrid["categories"]["single-hop"]["recall_at_10"] == 1


def test_beam_and_codesearch_take_a_folder(tmp_path: Path) -> None:
    beam = run_json("beam", str(beam_folder(tmp_path / "b")))
    assert list(beam["modes"]["hybrid"]["categories"]) == ["knowledge update", "information extraction"]
    code = run_json("codesearch", str(cosqa_folder(tmp_path)))
    assert code["modes"]["hybrid"]["categories"]["dev"]["questions"] == 1


def test_own_needs_no_path() -> None:
    output = run_json("own", "--mode", "words")
    assert output["texts"] >= 300
    assert len(output["modes"]["words"]["categories"]) >= 8


def test_the_modes_are_told_one_after_the_other(tmp_path: Path) -> None:
    file = str(locomo_file(tmp_path))
    lines = run("locomo", file, "--mode", "words", "--mode", "vectors").stdout.splitlines()
    titles = [line for line in lines if line.startswith("locomo, ")]
    assert titles == ["locomo, words: 1 corpus, 3 texts", "locomo, vectors: 1 corpus, 3 texts"]
    assert list(run_json("locomo", file, "--mode", "all")["modes"]) == ["hybrid", "words", "vectors"]


def test_texts_that_are_not_kept_are_told(tmp_path: Path) -> None:
    file = locomo_file(tmp_path)
    samples = json.loads(file.read_text())
    samples[0]["conversation"]["session_2"][0]["text"] = " "
    file.write_text(json.dumps(samples))
    result = run("locomo", str(file))
    assert "1 text not kept as given: {'created': 2, 'refused': 1}" in result.stderr


@pytest.mark.parametrize(
    ("question", "why"),
    [("", "the query is empty"), (7, "not int"), (None, "not NoneType"), ("x" * 100_000, "at most")],
)
def test_a_question_that_cannot_be_asked_is_named_with_its_file(
    question: object, why: str, tmp_path: Path
) -> None:
    locomo = locomo_file(tmp_path)
    samples = json.loads(locomo.read_text())
    samples[0]["qa"][1]["question"] = question
    locomo.write_text(json.dumps(samples))
    beam = beam_folder(tmp_path / "b")
    asked = beam / "10" / "probing_questions.json"
    probing = json.loads(asked.read_text())
    probing["information_extraction"][0]["question"] = question
    asked.write_text(json.dumps(probing))
    code = cosqa_folder(tmp_path)
    split = next((code if code.is_dir() else code.parent).glob("cosqa-retrieval-dev*.json"))
    docs = json.loads(split.read_text())
    docs[0]["doc"] = question
    split.write_text(json.dumps(docs))
    for name, path, places in (
        ("locomo", locomo, (str(locomo), "conversation 1, question 2")),
        ("beam", beam, (str(asked), "question 1 of information_extraction")),
        ("codesearch", code, (str(split), "question 1")),
    ):
        error = error_of(name, str(path), status=2)
        assert error["code"] == "dataset_invalid"
        for part in (*places, why):
            assert part in error["message"]


def test_a_number_without_end_is_a_fault_of_the_file(tmp_path: Path) -> None:
    file = locomo_file(tmp_path)
    file.write_text(file.read_text().replace('"category": 4', f'"category": {"7" * 5_000}'))
    error = error_of("locomo", str(file), status=2)
    assert error["code"] == "dataset_invalid"
    assert f"{file} holds a number of more than" in error["message"]
    assert "sys." not in error["message"]


@pytest.mark.parametrize("name", ["locomo", "beam", "codesearch"])
def test_an_empty_path_is_not_the_folder_one_is_in(name: str) -> None:
    error = error_of(name, "", status=2)
    assert (error["code"], error["message"]) == ("argument_invalid", "the argument PATH is empty")


def test_questions_whose_answer_was_refused_are_told(tmp_path: Path) -> None:
    file = locomo_file(tmp_path)
    samples = json.loads(file.read_text())
    samples[0]["conversation"]["session_2_date_time"] = "some day"
    samples[0]["qa"][1]["evidence"] = ["D1:2"]
    file.write_text(json.dumps(samples))
    result = run("locomo", str(file))
    assert "1 text not kept as given" in result.stderr
    assert "refused: time_invalid (1)" in result.stderr
    assert "1 question cannot be answered, since no answer was kept: counted as missed" in result.stderr
    output = run_json("locomo", str(file))
    assert (output["refusals"], output["unanswerable"]) == ({"time_invalid": 1}, 1)


def test_a_conversation_of_which_nothing_is_kept_is_refused(tmp_path: Path) -> None:
    file = locomo_file(tmp_path)
    samples = json.loads(file.read_text())
    for session in ("session_1", "session_2"):
        samples[0]["conversation"][f"{session}_date_time"] = "some day"
    file.write_text(json.dumps(samples))
    error = error_of("locomo", str(file), status=2)
    assert error["code"] == "dataset_invalid"
    assert "nothing of 'talk-1' can be kept" in error["message"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_no_folder_behind(number: signal.Signals, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tools.evaluation", "own"]
    leaves_nothing_when_ended(command, number, "holdfast-eval", tmp_path)


@pytest.mark.parametrize("name", ["locomo", "beam", "codesearch"])
def test_a_path_that_is_not_there_has_status_2(name: str, tmp_path: Path) -> None:
    error = error_of(name, str(tmp_path / "nothing"), status=2)
    assert error["code"] == "file_not_found"
    assert "https://" in error["hint"]


@pytest.mark.parametrize("name", ["beam", "codesearch"])
def test_a_folder_with_something_else_has_status_2(name: str, tmp_path: Path) -> None:
    error = error_of(name, str(tmp_path), status=2)
    assert error["code"] == "dataset_invalid"
    assert "expected" in error["hint"]


def test_a_data_set_without_answers_has_status_2(tmp_path: Path) -> None:
    file = locomo_file(tmp_path)
    samples = json.loads(file.read_text())
    samples[0]["qa"] = []
    file.write_text(json.dumps(samples))
    assert error_of("locomo", str(file), status=2)["code"] == "dataset_invalid"


def test_an_unknown_mode_has_status_2() -> None:
    assert error_of("own", "--mode", "telepathy", status=2)["code"] == "mode_unknown"


def test_a_missing_path_has_status_2() -> None:
    assert error_of("locomo", status=2)["code"] == "argument_invalid"


def test_only_commands_that_use_a_store_offer_options_that_choose_one() -> None:
    for command, offered in (("own", False), ("locomo", False), ("quality", True)):
        shown = run(command, "--help").stdout
        assert all((option in shown) is offered for option in ("--store", "--user", "--agent"))
        assert "--json" in shown


def test_the_router_is_measured() -> None:
    parts = run_json("routing")["parts"]
    assert [part["part"] for part in parts] == ["tuned", "tuned_topics", "held_out"]
    assert "precision" in run("routing").stdout.lower()


def test_s2_39_quality_is_measured_kept_and_shown(tmp_path: Path) -> None:
    store = ["--store", str(tmp_path / "a.db"), "--user", "ana"]
    result = run_json("quality", "--store-result", *store)
    assert result["passed"] is True
    assert [metric["name"] for metric in result["metrics"]] == list(TARGETS)
    assert set(result["extraction"]) == {"tuned", "held_out"}
    metrics = support.run_json("quality", *store)["metrics"]
    assert sorted(one["name"] for one in metrics) == sorted(TARGETS)
    assert {one["evaluator"] for one in metrics} == {"user:ana"}
    assert all(one["sample_size"] > 20 for one in metrics)
    (one,) = support.run_json("quality", "deletion_compliance", *store)["metrics"]
    assert one["value"] == 1.0
    assert "deletion_compliance" in support.run("quality", *store).stdout


def test_s2_39_a_missed_target_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured = acceptance.Measured({"deletion_compliance": (1, 2), "retrieval_hit_rate": (0, 0)}, ())
    monkeypatch.setattr(acceptance, "measure", lambda: measured)
    store = ["--store", str(tmp_path / "a.db")]
    result = run("quality", *store, status=1)
    assert "A target is missed." in result.stdout + result.stderr
    assert "retrieval_hit_rate" not in result.stdout
    assert not (tmp_path / "a.db").exists()


def set_files(folder: Path) -> Path:
    """A folder with a set of documents, one of which is asked for before the others are there, and with
    pairs."""
    docs = [
        {"id": "a", "text": "The blue key opens the gate."},
        {"id": "b", "text": "The shed is empty."},
        {"id": "c", "text": "The gate was painted."},
    ]
    questions = [
        {"text": "What opens the gate?", "gold": ["a"]},
        {"text": "What about the gate?", "gold": ["c"], "upto": 2},
    ]
    corpora = [{"name": "garden", "chat": True, "docs": docs, "questions": questions}]
    with gzip.open(folder / "garden.json.gz", "wt") as file:
        json.dump({"corpora": corpora}, file)
    pairs = [["Anna likes tea.", "Ben hates tea.", "Who likes tea?", "Who hates tea?"]]
    (folder / "tastes.json").write_text(json.dumps({"pairs": pairs}))
    return folder


def test_many_sets_stand_in_one_table_with_what_changed(tmp_path: Path) -> None:
    folder = set_files(tmp_path)
    output = run_json("sets", str(folder), "--sample", "4")
    assert set(output["sets"]) == {"own", "own updates", "garden", "tastes"}
    garden = output["sets"]["garden"]["R@10"]
    assert list(garden) == ["hybrid", "words", "vectors", "bm25"]
    assert garden["hybrid"] == garden["bm25"] == [0.0, 100.0]  # the first was asked before its answer came
    assert set(output["sets"]["tastes"]) == {
        f"ahead: {which}, {form}" for which in ("first", "second") for form in ("notes", "messages")
    }
    assert output["sets"]["tastes"]["ahead: second, notes"]["bm25"] == [100.0]
    earlier = tmp_path / "earlier.txt"
    earlier.write_text(json.dumps(output))
    table = run("sets", str(folder), "--sample", "4", "--before", str(earlier)).stdout.splitlines()
    assert table[0].split()[-2:] == ["-", "BEFORE"]
    rows = [line.split() for line in table if line.startswith("garden")]
    assert [row[:5] for row in rows] == [
        ["garden", "2", "R@10", "50.0", "50.0"],
        ["garden", "2", "nDCG@10", "50.0", "50.0"],
    ]
    assert all(line.endswith("+0.0 [+0.0, +0.0]") for line in table[1:])


@pytest.mark.parametrize("content", ["{", '{"corpora": [{}]}', '{"pairs": [["a", "b"]]}', '{"corpora": []}'])
def test_what_is_no_set_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "set.json"
    file.write_text(content)
    assert error_of("sets", str(file), status=2)["code"] == "dataset_invalid"
