"""The command `qa`: answers the questions of a data set by a language model, and judges the answers."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from holdfast.api.memory import Memory
from holdfast.cli import output
from tools.evaluation.qa import FORMATS, Judge, Result, agreement, by_model, by_words, evaluate


@click.command()
@click.argument("path", type=click.Path())
@click.option("--format", "form", type=click.Choice(list(FORMATS)), default="locomo", show_default=True)
@click.option("--model", required=True, help="The model that answers, as its provider calls it.")
@click.option("--provider", default="openai", show_default=True)
@click.option("--url", help="Its address.")
@click.option("--judge", help="The model that judges; without one, rules over words do.")
@click.option("--judge-provider", default="openai", show_default=True)
@click.option("--judge-url", help="Its address.")
@click.option("--questions", type=int, default=100, show_default=True, help="At most so many, evenly spaced.")
@click.option("--timeout", type=int, default=600, show_default=True, help="Seconds for one call.")
def qa(
    path: str, form: str, model: str, provider: str, url: str | None, judge: str | None,
    judge_provider: str, judge_url: str | None, questions: int, timeout: int,
) -> None:  # fmt: skip
    """Question answering: PATH is locomo10.json, or a file of LongMemEval.

    The data is sent to the models that are named. Their keys come from the environment or the keychain, as of
    `holdfast models`.
    """

    def add(memory: Memory, name: str, *options: Any) -> str:
        added = memory.models.add(name, options[0], provider=options[1], url=options[2], timeout=timeout)
        if not added.is_ready:
            memory.models.accept(name)
        return name

    def judge_of(memory: Memory) -> Judge:
        if judge is None:
            return by_words
        return by_model(memory, add(memory, "judge", judge, judge_provider, judge_url))

    results = evaluate(
        FORMATS[form](path),
        lambda memory: add(memory, "answerer", model, provider, url),
        judge_of,
        most=questions,
    )
    with TemporaryDirectory() as folder, Memory(Path(folder) / "judge.db", user="qa") as memory:
        trust = agreement(judge_of(memory))
    _print(results)
    output.say(
        f"The judge ({judge or 'rules over words'}) agrees on {trust.share:.0%} of {trust.number}"
        f" labelled answers (kappa {trust.kappa:.2f}), and accepts {trust.accepts_wrong:.0%} of wrong ones."
    )


def _print(results: dict[str, Result]) -> None:
    rows = [
        (name, f"{one.right / one.asked:.1%}", str(one.asked), str(one.silent))
        for name, one in results.items()
    ]
    asked, right = sum(one.asked for one in results.values()), sum(one.right for one in results.values())
    rows.append(
        ("all", f"{right / max(asked, 1):.1%}", str(asked), str(sum(one.silent for one in results.values())))
    )
    output.table(("questions", "judged right", "asked", "no answer"), rows)
    for problem in dict.fromkeys(one.problem for one in results.values() if one.problem):
        output.say(f"no answer: {problem}")
