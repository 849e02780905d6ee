"""`sets`: many labelled sets in one table, beside BM25, with ranges by paired bootstrap."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from holdfast import __version__
from holdfast.bootstrap import STATIC
from holdfast.cli import output
from holdfast.cli.ending import cleaned_up
from holdfast.cli.face import Face, command, hide_store_options, pass_face
from holdfast.cli.progress import progress
from tools.evaluation.corpus import Corpus
from tools.evaluation.metrics import Answer, ndcg_at, recall_at
from tools.evaluation.run import BM25, LIMIT, MODES, evaluate
from tools.evaluation.sets.beam import load_beam
from tools.evaluation.sets.codesearch import load_codesearch
from tools.evaluation.sets.collection import SUFFIXES, load_collection
from tools.evaluation.sets.locomo import load_locomo
from tools.evaluation.sets.own import load_own
from tools.evaluation.sets.updates import load_updates

HYBRID = MODES[0]
OTHERS = (*MODES[1:], BM25)
"""What recall is compared with."""
DRAWS = 2_000
"""Samples of the bootstrap."""
RANGE = (2.5, 97.5)
"""Percentiles of a range: 95 of 100 samples are in it."""

Scores = dict[str, dict[str, list[float]]]
"""The score of each question in per cent, by figure and by mode."""


@command()
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    metavar="N",
    help="Ask at most N questions of each set, evenly spaced.",
)
@click.option(
    "--embedder", default=STATIC, metavar="NAME", show_default=True,
    help="The embedder, as the setting of this name.",
)  # fmt: skip
@click.option(
    "--before", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
    help="An earlier output of --json on the same sets: show what has changed since.",
)  # fmt: skip
@pass_face
def sets(face: Face, paths: tuple[Path, ...], sample: int | None, embedder: str, before: Path | None) -> None:
    """Recall on many sets in one table, beside words alone, vectors alone and BM25 on passages.

    PATHS are labelled sets in one form (JSON or JSON.gz), copies of LoCoMo, BEAM or CoSQA, and folders of
    these; Holdfast's own set comes first. Ranges are those of the differences, by paired bootstrap.
    """
    earlier: dict[str, Scores] = json.loads(before.read_text()).get("sets", {}) if before else {}
    found: dict[str, Scores] = {}
    for name, corpora in list(_all_sets(paths)):  # what is no set is refused before anything is asked
        corpora = corpora if sample is None else _sampled(corpora, sample)
        questions = sum(len(corpus.questions) for corpus in corpora)
        with cleaned_up(), progress(name, questions * len(MODES)) as advance:
            report = evaluate(corpora, name=name, modes=(*MODES, BM25), embedder=embedder, advance=advance)
        found[name] = _scores(report.answers)
        if not face.json:
            output.note(
                f"{name}: {output.pluralize(report.texts, 'text')}, {output.pluralize(questions, 'question')}"
            )
    if face.json:
        output.json({"version": __version__, "sample": sample, "sets": found})
        return
    columns = ("set", "asked", "figure", HYBRID, *OTHERS, *(f"- {other}" for other in OTHERS[::2]))
    rows = [row for name, scores in found.items() for row in _rows(name, scores, earlier.get(name, {}))]
    output.table((*columns, "- before") if before else columns, [row if before else row[:-1] for row in rows])


def _all_sets(paths: Sequence[Path]) -> Iterator[tuple[str, list[Corpus]]]:
    """Yields each set with its name. Raises InvalidInput."""
    yield "own", list(load_own())
    yield "own updates", list(load_updates())
    for path in paths:
        for name, corpora in sets_in(path):
            yield name, list(corpora)


def sets_in(path: Path) -> Iterator[tuple[str, Iterator[Corpus]]]:
    """Yields each set in a file or folder with its name."""
    name = path.name.partition(".")[0]
    if path.is_dir():
        if (path / "code_idx_map.txt").exists():
            yield name, load_codesearch(path)
        elif any(path.glob("*/chat.json")) or (path / "chat.json").exists():
            yield name, load_beam(path)
        else:
            for entry in sorted(path.iterdir()):
                if entry.is_dir() or entry.name.endswith(SUFFIXES):
                    yield from sets_in(entry)
        return
    with path.open("rb") as file:
        is_list = file.read(64).lstrip().startswith(b"[")
    yield name, load_locomo(path) if is_list else load_collection(path)


def _sampled(corpora: list[Corpus], count: int) -> list[Corpus]:
    """Returns the corpora with at most so many questions in all, evenly spaced."""
    total = sum(len(corpus.questions) for corpus in corpora)
    wanted = {number * total // count for number in range(count)} if total > count else set(range(total))
    sampled, first = [], 0
    for corpus in corpora:
        kept = [one for number, one in enumerate(corpus.questions, first) if number in wanted]
        first += len(corpus.questions)
        sampled.append(replace(corpus, questions=tuple(kept)))
    return sampled


def _scores(answers: Mapping[str, Sequence[Answer]]) -> Scores:
    """Returns the score of every question: which of two comes first where that is asked for, else recall and
    gain."""
    asked = answers[HYBRID]
    if all(one.ahead is not None for one in asked):
        categories = dict.fromkeys(one.category for one in asked)
        return {
            f"ahead: {category}": {
                mode: [100.0 * bool(one.ahead) for one in of_mode if one.category == category]
                for mode, of_mode in answers.items()
            }
            for category in categories
        }
    measures = {"R@10": recall_at, "nDCG@10": ndcg_at}
    return {
        figure: {
            mode: [100 * measure(one.ranks, one.gold, LIMIT) for one in of_mode]
            for mode, of_mode in answers.items()
        }
        for figure, measure in measures.items()
    }


def _rows(name: str, scores: Scores, earlier: Scores) -> Iterator[tuple[str, ...]]:
    for figure, by_mode in scores.items():
        own = np.array(by_mode[HYBRID])
        means = [f"{np.mean(by_mode[mode]):.1f}" for mode in (HYBRID, *OTHERS)]
        before = earlier.get(figure, {}).get(HYBRID, [])
        differences = [difference(own, np.array(by_mode[other])) for other in OTHERS[::2]]
        since = difference(own, np.array(before)) if len(before) == len(own) else ""
        yield name, f"{len(own):,}", figure, *means, *differences, since


def difference(own: NDArray[Any], other: NDArray[Any]) -> str:
    """Returns the mean difference of two scores of the same questions with its range."""
    differences = own - other
    drawn = np.random.default_rng(0).integers(0, len(own), (DRAWS, len(own)))
    low, high = np.percentile(differences[drawn].mean(axis=1), RANGE)
    return f"{differences.mean():+.1f} [{low:+.1f}, {high:+.1f}]"


hide_store_options(sets)
