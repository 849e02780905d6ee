"""The evaluation: measures by hand, data sets read as they are laid out, and the project's own set."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.api.memory import Memory
from holdfast.core.errors import InvalidInput
from holdfast.core.times import to_iso
from tools.evaluation import (
    MODES,
    Answer,
    Corpus,
    Question,
    Report,
    evaluate,
    figures,
    load_beam,
    load_codesearch,
    load_locomo,
    load_own,
)
from tools.evaluation.metrics import ndcg_at, percentile, recall_at
from tools.evaluation.sides import measure as both_sides

# measures


def answer(gold: int, ranks: tuple[int, ...], first: int | None, ms: float = 1.0) -> Answer:
    return Answer("any", gold, ranks, first, 100.0, 40.0, ms)


def test_measures_are_those_of_the_textbook() -> None:
    found = figures([answer(2, (1, 7), 1, 1.0), answer(1, (), 20, 3.0), answer(1, (), None, 2.0)])
    assert found.questions == 3
    assert found.recall_at_5 == pytest.approx((1 / 2 + 0 + 0) / 3)
    assert found.recall_at_10 == pytest.approx((2 / 2 + 0 + 0) / 3)
    assert found.mrr == pytest.approx((1 + 1 / 20 + 0) / 3)
    # gains 1/log2(2) and 1/log2(8) of at best 1/log2(2) and 1/log2(3)
    assert found.ndcg_at_10 == pytest.approx((1 + 1 / 3) / (1 + 0.6309297535714574) / 3)
    assert (found.tokens, found.passage_tokens) == (100.0, 40.0)
    assert (found.p50_ms, found.p95_ms) == (2.0, 3.0)


def test_no_answers_have_no_mean() -> None:
    with pytest.raises(ValueError, match="no answers"):
        figures([])


@given(st.integers(1, 30), st.sets(st.integers(1, 10), max_size=10))
def test_recall_and_gain_are_shares(more: int, ranks: set[int]) -> None:
    gold = max(more, len(ranks))
    given_ranks = tuple(sorted(ranks))
    assert 0 <= recall_at(given_ranks, gold, 5) <= recall_at(given_ranks, gold, 10) <= 1
    assert 0 <= ndcg_at(given_ranks, gold, 10) <= 1 + 1e-12


@given(st.integers(1, 30))
def test_the_best_order_gains_everything(gold: int) -> None:
    assert ndcg_at(tuple(range(1, min(gold, 10) + 1)), gold, 10) == pytest.approx(1)


@given(st.sets(st.integers(2, 10), min_size=1, max_size=9))
def test_a_better_rank_gains_more(ranks: set[int]) -> None:
    better = {min(ranks) - 1, *(ranks - {min(ranks)})}
    assert ndcg_at(tuple(better), 10, 10) > ndcg_at(tuple(ranks), 10, 10)


@given(st.lists(st.floats(0, 1e6), min_size=1), st.sampled_from([0.5, 0.95, 1.0]))
def test_a_percentile_is_the_least_value_that_covers_its_share(values: list[float], share: float) -> None:
    found = percentile(values, share)
    assert found in values
    assert sum(value <= found for value in values) >= share * len(values)
    assert sum(value < found for value in values) < share * len(values)


# data sets, in small copies of their layouts


def written(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def locomo_file(folder: Path) -> Path:
    turns = [
        {"speaker": "Ada", "dia_id": "D1:1", "text": "I adopted a tortoise."},
        {"speaker": "Ben", "dia_id": "D1:2", "text": "Look at mine!", "blip_caption": "a photo of a parrot"},
    ]
    later = [{"speaker": "Ada", "dia_id": "D2:1", "text": "The tortoise is called Zoe."}]
    sample = {
        "sample_id": "talk-1",
        "conversation": {
            "speaker_a": "Ada", "speaker_b": "Ben",
            "session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": turns,
            "session_2_date_time": "4:04 pm on 9 June, 2023", "session_2": later,
            "session_3_date_time": "4:04 pm on 9 July, 2023",
        },
        "qa": [
            {"question": "Which pet has Ada?", "answer": "a tortoise", "category": 4, "evidence": ["D1:1"]},
            {"question": "What is on Ben's photo?", "category": 1, "evidence": ["D1:2; D02:01"]},
            {"question": "Who is Zoe?", "category": 5, "evidence": ["D2:1", "D9:9"]},
            {"question": "Nobody knows", "category": 3, "evidence": []},
            {"question": "Nobody said it", "category": 3, "evidence": ["D9:9"]},
        ],
    }  # fmt: skip
    return written(folder / "locomo.json", [sample])


def beam_folder(folder: Path, *, nested: bool = False) -> Path:
    user = {"role": "user", "id": 0, "content": "I keep bees.", "time_anchor": "March-15-2024"}
    reply = {"role": "assistant", "id": 1, "content": "Bees need flowers."}
    chat = [
        {"batch_number": 1, "time_anchor": None, "turns": [[user, reply]]},
        {"batch_number": 2, "time_anchor": "some day", "turns": [
            [{"role": "user", "id": 2, "content": "The honey is sold out."}]]},
    ]  # fmt: skip
    questions = {
        "knowledge_update": [
            {
                "question": "What about honey?",
                "source_chat_ids": {"original_info": [0], "updated_info": [2, 99]},
            }
        ],
        "information_extraction": [{"question": "Which insects?", "source_chat_ids": [[0], 1]}],
        "abstention": [{"question": "Who is the king?"}],
    }
    one = folder / "chats" / "10"
    written(one / "chat.json", chat)
    written(one / ("probing_questions" if nested else ".") / "probing_questions.json", questions)
    return folder / "chats"


def cosqa_folder(folder: Path) -> Path:
    code = {"def add(a, b):\n    return a + b": 0, "def read(path):\n    return open(path).read()": 1}
    written(folder / "code_idx_map.txt", code)
    asked = [{"doc": "python sum of two numbers", "retrieval_idx": 0}, {"doc": "lost", "retrieval_idx": 9}]
    written(folder / "cosqa-retrieval-dev-500.json", asked)
    return folder


def filled(corpus: Corpus, folder: Path) -> Memory:
    memory = Memory(folder / "filled.db", user="ana")
    assert {kept.outcome.value for kept in corpus.fill(memory)} == {"created"}
    return memory


def test_locomo_is_one_message_for_each_turn_with_speaker_date_and_photo(tmp_path: Path) -> None:
    (corpus,) = load_locomo(locomo_file(tmp_path))
    assert corpus.name == "talk-1"
    with filled(corpus, tmp_path) as memory:
        known = {record.external_id: record for record in memory.list(**corpus.where).memories}
    assert set(known) == {"D1:1", "D1:2", "D2:1"}
    assert known["D1:2"].text == "Look at mine! [a photo of a parrot]"
    assert (known["D1:2"].name, known["D1:2"].session) == ("Ben", "session-1")
    assert to_iso(known["D2:1"].at) == "2023-06-09T16:04:00Z"


def test_locomo_asks_what_the_conversation_can_answer(tmp_path: Path) -> None:
    (corpus,) = load_locomo(locomo_file(tmp_path))
    assert corpus.questions == (
        Question("Which pet has Ada?", frozenset({"D1:1"}), "single-hop"),
        Question("What is on Ben's photo?", frozenset({"D1:2", "D2:1"}), "multi-hop"),
        Question("Who is Zoe?", frozenset({"D2:1"}), "adversarial"),
    )


@pytest.mark.parametrize("nested", [False, True])
def test_beam_is_a_session_for_each_batch_with_its_date(tmp_path: Path, nested: bool) -> None:
    (corpus,) = load_beam(beam_folder(tmp_path, nested=nested))
    assert corpus.name == "10"
    with filled(corpus, tmp_path) as memory:
        known = {record.external_id: record for record in memory.list(**corpus.where).memories}
    assert {id: (one.role, one.session) for id, one in known.items()} == {
        "0": ("user", "batch-1"), "1": ("assistant", "batch-1"), "2": ("user", "batch-2"),
    }  # fmt: skip
    assert {to_iso(known[id].at) for id in "01"} == {"2024-03-15T00:00:00Z"}
    assert known["2"].at == known["2"].recorded_at, "a date that cannot be read is left out"


def test_beam_takes_the_ids_of_all_sources(tmp_path: Path) -> None:
    root = beam_folder(tmp_path)
    (corpus,) = load_beam(root)
    assert corpus.questions == (
        Question("What about honey?", frozenset({"0", "2"}), "knowledge update"),
        Question("Which insects?", frozenset({"0", "1"}), "information extraction"),
    )
    (alone,) = load_beam(root / "10")
    assert alone.questions == corpus.questions


@pytest.mark.parametrize(
    ("role", "content", "text"),
    [
        ("user", "I keep bees. Can you help? ->-> 1,2", "I keep bees. Can you help?"),
        ("user", "What do bees eat?->-> 3, N/A\n", "What do bees eat?"),
        ("user", "Turn a -> b into a ->-> 1, then stop.", "Turn a -> b into a ->-> 1, then stop."),
        ("assistant", "The last line reads ->-> 1,2", "The last line reads ->-> 1,2"),
    ],
)
def test_beam_loses_the_marker_of_planned_messages(
    role: str, content: str, text: str, tmp_path: Path
) -> None:
    root = beam_folder(tmp_path)
    chat = json.loads((root / "10" / "chat.json").read_text())
    chat[1]["turns"] = [[{"role": role, "id": 2, "content": content}]]
    written(root / "10" / "chat.json", chat)
    (corpus,) = load_beam(root)
    with filled(corpus, tmp_path) as memory:
        (kept,) = (record for record in memory.list(**corpus.where).memories if record.external_id == "2")
    assert kept.text == text


def test_cosqa_is_code_and_nothing_else(tmp_path: Path) -> None:
    (corpus,) = load_codesearch(cosqa_folder(tmp_path))
    assert corpus.questions == (Question("python sum of two numbers", frozenset({"0"}), "dev"),)
    with filled(corpus, tmp_path) as memory:
        known = {record.external_id: record for record in memory.list(**corpus.where).memories}
    assert set(known) == {"0", "1"}
    assert known["0"].text.startswith("def add")
    (same,) = load_codesearch(tmp_path / "cosqa-retrieval-dev-500.json")
    assert same.questions == corpus.questions


def test_cosqa_keeps_its_splits_apart(tmp_path: Path) -> None:
    cosqa_folder(tmp_path)
    written(tmp_path / "cosqa-retrieval-test-500.json", [{"doc": "open a file", "retrieval_idx": 1}])
    (corpus,) = load_codesearch(tmp_path)
    assert [question.category for question in corpus.questions] == ["dev", "test"]
    (held_out,) = load_codesearch(tmp_path / "cosqa-retrieval-test-500.json")
    assert [question.text for question in held_out.questions] == ["open a file"]


# what is not the data set

LOADERS: dict[str, Callable[[str | Path], Iterator[Corpus]]] = {
    "locomo": load_locomo, "beam": load_beam, "codesearch": load_codesearch,
}  # fmt: skip
WRONG = {
    "object": ("{}", "dataset_invalid"),
    "list of text": ('["x"]', "dataset_invalid"),
    "list of objects": ('[{"conversation": {"session_1": [{}]}, "qa": []}]', "dataset_invalid"),
    "numbers": ("[1]", "dataset_invalid"),
    "null": ("null", "dataset_invalid"),
    "no JSON": ("{", "dataset_invalid"),
    "nested without end": ("[" * 200_000, "dataset_invalid"),
}


def expect(code: str, load: Callable[[], Any]) -> InvalidInput:
    with pytest.raises(InvalidInput) as caught:
        load()
    assert caught.value.code == code
    assert caught.value.hint
    assert "expected" in caught.value.hint
    assert "https://" in caught.value.hint, "where to get it"
    return caught.value


@pytest.mark.parametrize("name", LOADERS)
def test_a_path_that_is_not_there_is_told(name: str, tmp_path: Path) -> None:
    expect("file_not_found", lambda: list(LOADERS[name](tmp_path / "nothing")))


@pytest.mark.parametrize("case", WRONG)
def test_a_file_that_is_not_locomo_is_told(case: str, tmp_path: Path) -> None:
    text, code = WRONG[case]
    (tmp_path / "x.json").write_text(text)
    expect(code, lambda: list(load_locomo(tmp_path / "x.json")))


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.parametrize("name", ["chat.json", "probing_questions.json"])
def test_a_chat_that_is_not_beam_is_told(case: str, name: str, tmp_path: Path) -> None:
    text, code = WRONG[case]
    root = beam_folder(tmp_path)
    (root / "10" / name).write_text(text)
    if (case, name) == ("object", "chat.json"):
        assert next(load_beam(root)).questions == (), "a chat without messages answers nothing"
    elif (case, name) == ("object", "probing_questions.json"):
        assert next(load_beam(root)).questions == ()
    else:
        expect(code, lambda: list(load_beam(root)))


@pytest.mark.parametrize("case", sorted(set(WRONG) - {"object"}))
@pytest.mark.parametrize("name", ["code_idx_map.txt", "cosqa-retrieval-dev-500.json"])
def test_a_folder_that_is_not_cosqa_is_told(case: str, name: str, tmp_path: Path) -> None:
    text, code = WRONG[case]
    (cosqa_folder(tmp_path) / name).write_text(text)
    expect(code, lambda: list(load_codesearch(tmp_path)))


def test_the_wrong_sort_of_path_is_told(tmp_path: Path) -> None:
    expect("not_a_file", lambda: list(load_locomo(tmp_path)))
    file = written(tmp_path / "x.json", [])
    expect("dataset_invalid", lambda: list(load_beam(file)))
    expect("dataset_invalid", lambda: list(load_beam(tmp_path)))
    expect("dataset_invalid", lambda: list(load_codesearch(file)))
    expect("dataset_invalid", lambda: list(load_codesearch(tmp_path)))
    (tmp_path / "latin.json").write_bytes(b'["\xe9"]')
    expect("dataset_invalid", lambda: list(load_locomo(tmp_path / "latin.json")))


# running


def small() -> Corpus:
    texts = {
        "a": "The kiln in the cellar needs a new thermostat.",
        "b": "Our ferry to the island leaves at a quarter past seven.",
        "c": "Grandfather collected stamps from Uruguay.",
    }
    items = [{"text": text, "external_id": id, "project": "p"} for id, text in texts.items()]
    return Corpus(
        "small",
        lambda memory: memory.remember_many(items),
        (
            Question("When does the ferry leave?", frozenset({"b"}), "plain"),
            Question("thermostat of the kiln", frozenset({"a"}), "plain"),
            Question("stamps from Uruguay", frozenset({"c", "absent"}), "half"),
            Question("xylophone", frozenset({"c"}), "hopeless"),
        ),
        {"project": "p"},
    )


def without_times(report: Report) -> dict[str, Any]:
    """What a report says, without what a clock said."""
    return {
        "outcomes": report.outcomes,
        "answers": {
            m: [replace(one, milliseconds=0.0) for one in all_] for m, all_ in report.answers.items()
        },
    }


def test_a_report_counts_by_category_and_overall() -> None:
    seen: list[int] = []
    report = evaluate([small()], name="small", modes=("words",), advance=seen.append)
    assert (report.corpora, report.texts, report.outcomes) == (1, 3, {"created": 3})
    assert seen == [1] * 4
    by_category = report.by_category("words")
    assert list(by_category) == ["plain", "half", "hopeless"]
    assert (by_category["plain"].mrr, by_category["plain"].recall_at_5) == (1, 1)
    assert (by_category["half"].mrr, by_category["half"].recall_at_10) == (1, 0.5)
    assert (by_category["hopeless"].mrr, by_category["hopeless"].ndcg_at_10) == (0, 0)
    assert report.overall("words").recall_at_10 == pytest.approx((1 + 1 + 0.5 + 0) / 4)
    assert report.overall("words").tokens > 0
    assert json.loads(json.dumps(report.as_dict()))["modes"]["words"]["overall"]["questions"] == 4


def test_an_answer_below_the_tenth_place_counts_for_the_reciprocal_rank_only() -> None:
    items = [
        {"text": f"cistern number {n} holds rain", "external_id": str(n), "kind": "passage", "project": "p"}
        for n in range(1, 21)
    ]
    question = Question("cistern", frozenset({"1"}), "deep")
    corpus = Corpus("deep", lambda memory: memory.remember_many(items), (question,), {"project": "p"})
    (answer,) = evaluate([corpus], name="deep", modes=("words",)).answers["words"]
    assert answer.ranks == ()
    assert answer.first == 20, "equal ones come newest first"


def test_the_figures_do_not_depend_on_the_order_of_the_questions() -> None:
    """What was given out for one question is not counted as used when the next one is ranked."""
    corpus = replace(small(), questions=small().questions * 20)
    forward = evaluate([corpus], name="small")
    backward = evaluate([replace(corpus, questions=corpus.questions[::-1])], name="small")
    ranks = [one.ranks for one in forward.answers["hybrid"]]
    assert ranks == [one.ranks for one in backward.answers["hybrid"]][::-1]
    assert ranks[:4] * 20 == ranks


def test_a_set_without_questions_is_an_error() -> None:
    with pytest.raises(InvalidInput) as caught:
        evaluate([replace(small(), questions=())], name="small")
    assert caught.value.code == "dataset_invalid"


def test_settings_and_stores_of_the_user_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_STORE", str(tmp_path / "mine.db"))
    monkeypatch.setenv("HOLDFAST_AGENT", "coder")
    evaluate([small()], name="small")
    assert not (tmp_path / "mine.db").exists()


# the project's own set

CATEGORIES = {
    "paraphrase", "plain", "speaker", "reply", "several", "time", "chinese-japanese", "decision",
    "identifier", "near-duplicate", "code", "document",
}  # fmt: skip


@pytest.fixture(scope="module")
def own() -> Report:
    """One run of the own set in every mode."""
    return evaluate(load_own(), name="own", modes=MODES)


def test_the_own_set_is_varied_and_everything_in_it_is_kept(own: Report) -> None:
    (corpus,) = load_own()
    assert set(own.outcomes) == {"created"}
    assert own.texts >= 300
    assert len(corpus.questions) >= 150
    counted = Counter(question.category for question in corpus.questions)
    assert set(counted) == CATEGORIES
    assert min(counted.values()) >= 12
    assert len({question.text for question in corpus.questions}) == len(corpus.questions)


def test_every_answer_of_the_own_set_is_in_it(tmp_path: Path) -> None:
    (corpus,) = load_own()
    with filled(corpus, tmp_path) as memory:
        page = memory.list(limit=1000, **corpus.where)
        known = [record.external_id for record in page.memories]
    assert page.cursor is None
    assert len(set(known)) == len(known)
    assert {id for question in corpus.questions for id in question.gold} <= set(known)


def test_the_own_set_changes_on_purpose_only(tmp_path: Path) -> None:
    """Figures of two versions compare only if they speak of the same set."""
    (corpus,) = load_own()
    told = hashlib.sha256()
    with filled(corpus, tmp_path) as memory:
        for record in sorted(
            memory.list(limit=1000, **corpus.where).memories, key=lambda m: m.external_id or ""
        ):
            told.update(f"{record.external_id}\0{record.text}\0{record.name}\0{record.title}\0".encode())
    for question in corpus.questions:
        told.update(f"{question.text}\0{sorted(question.gold)}\0{question.category}\0".encode())
    assert told.hexdigest() == "2b97c83b011f1b7a9835b054f604399b3397d45c1417aaaccc3c7c84bcd30518"


def test_the_own_set_is_found_well_enough(own: Report) -> None:
    """Floors, a bit below what plain fusion of words and vectors reaches."""
    overall = own.overall("hybrid")
    assert overall.recall_at_10 >= 0.62
    assert overall.mrr >= 0.47
    assert overall.ndcg_at_10 >= 0.50


@pytest.mark.parametrize("mode", ["words", "vectors"])
def test_words_and_meaning_together_find_more_than_either_alone(own: Report, mode: str) -> None:
    both, alone = own.overall("hybrid"), own.overall(mode)
    assert both.recall_at_10 > alone.recall_at_10
    assert both.ndcg_at_10 > alone.ndcg_at_10
    assert both.mrr > alone.mrr


def test_a_run_can_be_repeated_to_the_digit(own: Report) -> None:
    again = evaluate(load_own(), name="own")
    assert without_times(again) == without_times(replace(own, answers={"hybrid": own.answers["hybrid"]}))


def test_both_sides_of_a_contradiction_and_the_newer_of_an_update_are_counted(tmp_path: Path) -> None:
    chats = beam_folder(tmp_path)
    asked = chats / "10" / "probing_questions.json"
    questions = json.loads(asked.read_text())
    sides = {"first_statement": [0], "second_statement": [2]}
    questions["contradiction_resolution"] = [
        {"question": "Do I keep bees, and is the honey sold?", "source_chat_ids": sides},
        {
            "question": "Do I keep bees?",
            "source_chat_ids": {"first_statement": [0], "second_statement": [98]},
        },
        {"question": "Which side is named?", "source_chat_ids": [0, 2]},
    ]
    asked.write_text(json.dumps(questions))
    assert both_sides(chats) == {
        "contradictions": 2,
        "both_sides_in_first_5": 0.5,
        "updates": 1,
        "newer_in_first_10": 1.0,
        "newer_before_older": 1.0,
    }
