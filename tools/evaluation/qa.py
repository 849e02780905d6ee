"""Question answering by language models: LoCoMo and LongMemEval, answered and judged by any model.

A model answers each question from what Holdfast finds (`Memory.answer`). Another one, or rules over words,
judges whether the answer says what the reference says. How far a judge can be believed is measured with it,
on a sample that was labelled by hand (`judge_sample.jsonl`).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from holdfast.api.memory import Memory
from holdfast.core.errors import HoldfastError
from holdfast.features.models.calls import model_for
from holdfast.models.base import Message
from tools.evaluation.corpus import Source
from tools.evaluation.sets.locomo import CATEGORIES, PROJECT, load_locomo

LONGMEMEVAL = Source(
    "LongMemEval",
    "a file such as longmemeval_s.json, a list of questions with `haystack_sessions`",
    "https://github.com/xiaowu0162/LongMemEval (MIT)",
)
SAMPLE = Path(__file__).with_name("judge_sample.jsonl")
UNANSWERABLE = "not mentioned"
"""The reference of a question that the conversation does not answer."""
_NUMBERS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
            "eight": "8", "nine": "9", "ten": "10"}  # fmt: skip
_EMPTY = frozenset("a an the in at on of to is was were she he it they and since am der die das".split())
_REFUSALS = re.compile(
    r"(?i)do(?:es)? not (?:say|mention|contain|answer)|no memory|cannot find|nothing is remembered"
    r"|not mentioned|keine erinnerung|not (?:stored|known)"
)
VERDICT = {
    "type": "object",
    "properties": {"correct": {"type": "boolean"}},
    "required": ["correct"],
    "additionalProperties": False,
}
RULES = """\
You judge whether an answer to a question says the same as a reference answer. It may say it in other words,
or say more. It is wrong if it says something else, only a part, both, or that it does not know. If the
reference is "not mentioned", only an answer that says so is correct. Answer with JSON: {"correct": true} or
{"correct": false}."""

Judge = Callable[[str, str, str], bool]
"""Returns whether an answer to a question says what its reference says."""


@dataclass(frozen=True, slots=True)
class Case:
    """A question with its reference, and the conversations that may answer it."""

    question: str
    reference: str
    category: str


@dataclass(frozen=True, slots=True)
class Talks:
    """What one memory holds, and the questions about it."""

    fill: Callable[[Memory], object]
    cases: tuple[Case, ...]
    where: Mapping[str, Any]


def locomo_cases(path: str) -> Iterator[Talks]:
    """Yields the conversations of LoCoMo with their questions and references. Raises InvalidInput."""
    samples = json.loads(Path(path).read_text("utf-8"))
    for corpus, sample in zip(load_locomo(path), samples, strict=True):
        cases = tuple(
            Case(
                one["question"],
                str(one.get("answer", UNANSWERABLE)),
                CATEGORIES.get(one["category"], "other"),
            )
            for one in sample["qa"]
        )
        yield Talks(corpus.fill, cases, {"project": PROJECT})


def longmemeval_cases(path: str) -> Iterator[Talks]:
    """Yields the questions of LongMemEval, each with its own conversations. Raises InvalidInput."""
    for number, one in enumerate(LONGMEMEVAL.read_json(LONGMEMEVAL.path(path)), 1):
        try:
            talks = list(
                zip(one["haystack_session_ids"], one["haystack_dates"], one["haystack_sessions"], strict=True)
            )
            reference = UNANSWERABLE if str(one["question_id"]).endswith("_abs") else str(one["answer"])
            case = Case(one["question"], reference, one["question_type"])
        except (KeyError, TypeError, ValueError) as error:
            raise LONGMEMEVAL.invalid(f"question {number} has another form ({error!r})") from error

        def fill(memory: Memory, talks: Sequence[Any] = talks) -> object:
            for id, date, turns in talks:
                at = re.sub(r"\s*\(\w+\)\s*", " ", str(date)).replace("/", "-").strip()
                messages = [{"role": turn["role"], "content": turn["content"], "at": at} for turn in turns]
                memory.add_messages(messages, session=str(id))
            return None

        yield Talks(fill, (case,), {})


FORMATS: Mapping[str, Callable[[str], Iterator[Talks]]] = {
    "locomo": locomo_cases,
    "longmemeval": longmemeval_cases,
}


def by_words(_: str, reference: str, answer: str) -> bool:
    """Judges by words alone: the answer has every word and number of the reference, and denies nothing."""
    if reference == UNANSWERABLE:
        return _REFUSALS.search(answer) is not None
    wanted, found = _words(reference), _words(answer)
    denies = {"not", "never", "no", "dislikes"}
    return wanted <= found and not (found & denies) - wanted and _REFUSALS.search(answer) is None


def _words(text: str) -> set[str]:
    words = re.findall(r"\w+", re.sub(r"\[M\d+\]", " ", text).casefold())
    return {_NUMBERS.get(word, word) for word in words} - _EMPTY


def by_model(memory: Memory, name: str) -> Judge:
    """Returns the judge that asks a model; an answer of it that cannot be used is a no."""
    session = model_for(memory._service, name, "judge")

    def judge(question: str, reference: str, answer: str) -> bool:
        text = f"Question: {question}\nReference: {reference}\nAnswer: {answer}"
        try:
            return (
                session.complete([Message("system", RULES), Message("user", text)], VERDICT, limit=50).data[
                    "correct"
                ]
                is True
            )
        except (HoldfastError, KeyError):
            return False

    return judge


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far a judge agrees with people on the sample: the share, how much of that is beyond chance (Cohen's
    kappa), and how often it accepts what people called wrong."""

    share: float
    kappa: float
    accepts_wrong: float
    number: int


def agreement(judge: Judge) -> Agreement:
    """Measures a judge on the labelled sample."""
    rows = [json.loads(line) for line in SAMPLE.read_text("utf-8").splitlines()]
    pairs = Counter((row["correct"], judge(row["question"], row["gold"], row["answer"])) for row in rows)
    number = pairs.total()
    share = (pairs[True, True] + pairs[False, False]) / number
    said, right = pairs[True, True] + pairs[False, True], pairs[True, True] + pairs[True, False]
    chance = (said * right + (number - said) * (number - right)) / number**2
    wrong = number - right
    return Agreement(share, (share - chance) / (1 - chance), pairs[False, True] / wrong, number)


@dataclass(frozen=True, slots=True)
class Result:
    """How many answers of a category were judged right, of how many; `silent` are those that the model gave
    no answer to, and `problem` is why it gave none to the last of them."""

    right: int = 0
    asked: int = 0
    silent: int = 0
    problem: str = ""


def evaluate(
    talks: Iterator[Talks], add: Callable[[Memory], str], judge_of: Callable[[Memory], Judge], *, most: int
) -> dict[str, Result]:
    """Asks at most so many questions, evenly spaced over all conversations; returns the results by category.
    `add` adds the answering model to a memory and returns its name."""
    results: dict[str, Result] = {}
    conversations = list(talks)
    total = sum(len(one.cases) for one in conversations)
    chosen = {number * total // most for number in range(most)} if most < total else set(range(total))
    before = 0
    for one in conversations:
        asked = [case for place, case in enumerate(one.cases, before) if place in chosen]
        before += len(one.cases)
        if not asked:
            continue
        with TemporaryDirectory() as folder, Memory(Path(folder) / "qa.db", user="qa") as memory:
            one.fill(memory)
            name, judge = add(memory), judge_of(memory)
            for case in asked:
                text, problem = _answer(memory, case.question, one.where, name)
                right = not problem and judge(case.question, case.reference, text)
                so_far = results.get(case.category, Result())
                results[case.category] = Result(
                    so_far.right + right,
                    so_far.asked + 1,
                    so_far.silent + bool(problem),
                    problem or so_far.problem,
                )
    return results


def _answer(memory: Memory, question: str, where: Mapping[str, Any], name: str) -> tuple[str, str]:
    """Returns an answer, and why there is none."""
    try:
        lines = [json.loads(line) for line in memory.answer(question, **where, model=name)]
    except HoldfastError as error:
        return "", error.message
    failed = lines[-1].get("error")
    return "".join(line.get("text", "") for line in lines), json.dumps(failed) if failed else ""
