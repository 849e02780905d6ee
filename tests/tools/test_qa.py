"""Question answering by models: both data sets, over a real socket, with judges that are measured."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from holdfast.api.memory import Memory
from tests.models.providers import Json, Provider, provider
from tools.evaluation.qa import (
    FORMATS,
    UNANSWERABLE,
    Case,
    Result,
    Talks,
    agreement,
    by_model,
    by_words,
    evaluate,
)

LOCOMO = [
    {
        "sample_id": "one",
        "conversation": {
            "speaker_a": "Ana", "speaker_b": "Ben",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [{"speaker": "Ana", "dia_id": "D1:1", "text": "My dog is called Miso"}],
        },
        "qa": [
            {"question": "What is the dog of Ana called?", "answer": "Miso", "evidence": ["D1:1"],
             "category": 4},
            {"question": "What is the cat of Ana called?", "adversarial_answer": "Tofu", "evidence": ["D1:1"],
             "category": 5},
        ],
    }
]  # fmt: skip
LONGMEMEVAL = [
    {
        "question_id": "q1", "question_type": "single-session-user", "question": "What is my dog called?",
        "answer": "Miso", "haystack_session_ids": ["s1"], "haystack_dates": ["2023/05/08 (Mon) 13:56"],
        "haystack_sessions": [[{"role": "user", "content": "My dog is called Miso", "has_answer": True}]],
    }
]  # fmt: skip


def says(prompt: str, schema: Json | None) -> str:
    """Answers from what it is shown; judges by whether the reference is in the answer."""
    if schema is None:
        return "Miso [M1]." if "dog" in prompt.partition("Memories:")[0] else "The memories do not say."
    text = prompt.rpartition("Question: ")[2]
    reference, answer = text.partition("Reference: ")[2].split("\nAnswer: ")
    right = "not say" in answer if reference == UNANSWERABLE else reference in answer
    return json.dumps({"correct": right})


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    """A provider whose key is known."""
    with provider("openai", says) as server:
        keys = tmp_path / "key"
        keys.write_text("sk-1")
        monkeypatch.setenv("HOLDFAST_MODEL_KEY_FILES", json.dumps({server.url: str(keys)}))
        yield server


def adds(url: str) -> Callable[[Memory], str]:
    """Returns what adds a model at an address to a memory."""
    return lambda memory: memory.models.add("m", "some-model", url=url).name


@pytest.mark.parametrize(("form", "data", "asked"), [("locomo", LOCOMO, 2), ("longmemeval", LONGMEMEVAL, 1)])
def test_a_model_answers_from_what_is_found_and_is_judged(
    tmp_path: Path, form: str, data: list[Json], asked: int, server: Provider
) -> None:
    file = tmp_path / "data.json"
    file.write_text(json.dumps(data))
    for judge_of in (lambda memory: by_model(memory, "m"), lambda memory: by_words):
        results = evaluate(FORMATS[form](str(file)), adds(server.url), judge_of, most=10)
        assert sum(result.asked for result in results.values()) == asked
        assert all(result == Result(result.asked, result.asked) for result in results.values()), results
    with Memory(tmp_path / "judge.db") as memory:
        adds(server.url)(memory)
        trust = agreement(by_model(memory, "m"))
    assert server.wrong == []
    assert trust.number == 40
    assert 0 < trust.share < 1
    assert agreement(by_words).accepts_wrong < 0.5


def test_few_questions_are_spread_over_all_conversations(server: Provider) -> None:
    judged: list[str] = []

    def judge(question: str, reference: str, answer: str) -> bool:
        judged.append(question)
        return True

    def fill(memory: Memory) -> object:
        return memory.add_messages([{"role": "user", "content": "My dog is called Miso"}], session="s")

    talks = (
        Talks(fill, tuple(Case(f"Is dog {talk}{n} called Miso?", "Miso", "one") for n in range(4)), {})
        for talk in "abc"
    )
    results = evaluate(talks, adds(server.url), lambda memory: judge, most=3)
    assert results == {"one": Result(3, 3)}
    assert judged == [f"Is dog {talk}0 called Miso?" for talk in "abc"]


def test_a_model_that_cannot_be_reached_is_named_as_the_reason() -> None:
    def fill(memory: Memory) -> object:
        return memory.add_messages(
            [{"role": "user", "content": "The dog of Ana is called Miso"}], session="s"
        )

    talks = iter([Talks(fill, (Case("What is the dog of Ana called?", "Miso", "one"),), {})])
    result = evaluate(talks, adds("http://127.0.0.1:9/v1"), lambda memory: by_words, most=1)["one"]
    assert (result.right, result.asked, result.silent) == (0, 1, 1)
    assert "cannot be reached" in result.problem
