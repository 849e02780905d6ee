"""Commands of the evaluation: ask the labelled questions of a data set and print how well recall does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from holdfast import __version__
from holdfast.cli import output
from holdfast.cli.ending import cleaned_up
from holdfast.cli.face import Decorator, Face, global_options, hide_store_options, pass_face, several
from holdfast.cli.main import Program
from holdfast.cli.progress import progress
from holdfast.features.recall.recall import mode_of
from tools.evaluation import (
    MODES,
    Corpus,
    Figures,
    Report,
    evaluate,
    load_beam,
    load_codesearch,
    load_locomo,
    load_own,
)
from tools.evaluation import fit_lessons as fitting
from tools.evaluation.facts import measure as measure_facts
from tools.evaluation.learning import ABLATIONS, Figure, figure_of
from tools.evaluation.learning_aside import ASIDE, given_aside
from tools.evaluation.life_command import life
from tools.evaluation.qa_command import qa
from tools.evaluation.quality_command import quality
from tools.evaluation.routing import PARTS, measure
from tools.evaluation.sets_command import sets

ALL = "all"
"""The mode that stands for every mode."""


def _modes(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the modes, each once; without any, hybrid. Raises InvalidInput `mode_unknown`."""
    if ALL in values:
        return MODES
    return tuple(dict.fromkeys(mode_of(one).value for one in values)) or MODES[:1]


_mode = click.option(
    "--mode", "modes", metavar="MODE", multiple=True, callback=_modes,
    help="hybrid (default), words, vectors or all (may be repeated).",
)  # fmt: skip
_options: Decorator = several(_mode, pass_face)
_path: Decorator = several(click.argument("path", type=click.Path()), _mode, pass_face)

cli = Program(
    "evaluation",
    params=list(global_options()),
    help="Measure how well recall finds what answers a question. Fills a temporary memory with a data set,"
    " asks its questions, and removes the memory again. Public data sets are not in the repository: give the"
    " path of a copy.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


@cli.command()
@_path
def locomo(face: Face, path: str, modes: tuple[str, ...]) -> None:
    """Evidence recall on LoCoMo: PATH is its locomo10.json."""
    _evaluate(face, "locomo", lambda: load_locomo(path), modes)


@cli.command()
@_path
def beam(face: Face, path: str, modes: tuple[str, ...]) -> None:
    """Evidence recall on BEAM: PATH is a folder of chats, such as chats/100K."""
    _evaluate(face, "beam", lambda: load_beam(path), modes)


@cli.command()
@_path
def codesearch(face: Face, path: str, modes: tuple[str, ...]) -> None:
    """Code search on CoSQA: PATH is its folder with code_idx_map.txt and a cosqa-retrieval file."""
    _evaluate(face, "codesearch", lambda: load_codesearch(path), modes)


@cli.command()
@_options
def own(face: Face, modes: tuple[str, ...]) -> None:
    """Holdfast's own set, which is generated: chats, decisions, code, manuals, several languages."""
    _evaluate(face, "own", load_own, modes)


@cli.command()
@click.option("--parts", is_flag=True, help="Also measure how it falls without each part; takes minutes.")
@pass_face
def learning(face: Face, parts: bool) -> int:
    """Whether a second session gets what a first one taught: tasks over installed packages.

    Leaves with status 1 if less than 0.8 is given where it is asked, or more than 0.05 shown elsewhere.
    """
    with cleaned_up():
        figures = figure_of(None)
        without = [figure_of(name) for name in ABLATIONS] if parts else []
    if face.json:
        output.json({"whole": figures.as_dict(), "without": [one.as_dict() for one in without]})
    else:
        columns = ("", "learned", "shown", "given", "shown elsewhere", "conventions elsewhere")
        rows = [
            _learning_row(one, f"without {one.without}" if one.without else "all parts")
            for one in (figures, *without)
        ]
        output.table(
            columns, rows + [_learning_row(one, f"tasks {name}") for name, one in figures.parts.items()]
        )
        for task in figures.missed:
            output.note(f"not shown: {task}")
    return 0 if figures.is_enough else 1


def _learning_row(figure: Figure, name: str) -> tuple[str, ...]:
    counts = (figure.learned, figure.shown, figure.given, figure.elsewhere, figure.conventions)
    return (name, *map(str, counts))


@cli.command("learning-aside")
@pass_face
def learning_aside(_: Face) -> None:
    """How many prompts that have nothing to do with a lesson are given one."""
    with cleaned_up():
        rows = [(name, str(given_aside(prompts))) for name, prompts in ASIDE.items()]
    output.table(("prompts", "given something"), rows)


@cli.command("fit-lessons")
@pass_face
def fit_lessons(_: Face) -> None:
    """Train the weights by which a lesson fits a task; show what limits give on authors left out."""
    with cleaned_up():
        pairs, outcomes = fitting.pairs_of()
    bias, *weights = fitting.fitted(pairs)
    output.note(f"bias {bias:.2f}, weights {', '.join(f'{weight:.2f}' for weight in weights)}")
    scores = fitting.scores_left_out(pairs)
    rows = []
    for name, parts in fitting.GROUPS.items():
        chosen = [number for number, pair in enumerate(pairs) if pair.part in parts]
        own = [one for one in outcomes if one.part in parts]
        for limit in fitting.LIMITS:
            at = fitting.point([pairs[number] for number in chosen], own, scores[chosen], limit)
            rows.append((name, f"{limit:.2f}", *map(str, (at.shown, at.given, at.elsewhere, at.others))))
    output.table(("tasks", "limit", "shown", "given", "shown elsewhere", "lessons of other tasks"), rows)


@cli.command()
@pass_face
def routing(face: Face) -> None:
    """Which questions are answered from facts: precision and recall on utterances labelled by hand."""
    parts = [measure(part) for part in PARTS]
    if face.json:
        output.json({"parts": [part.as_dict() for part in parts]})
        return
    columns = ("part", "utterances", "ask facts", "routed", "right", "precision", "recall")
    output.table(
        columns,
        [
            (
                p.part,
                *map(str, (len(p.all), p.asked, p.routed, p.right)),
                f"{p.precision:.3f}",
                f"{p.recall:.3f}",
            )
            for p in parts
        ],
    )
    for part in parts:
        for one in part.wrong:
            output.note(f"{part.part}: {one.text!r} asks {one.expected}, was read as {one.found}")


@cli.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@pass_face
def facts(face: Face, path: Path) -> None:
    """Which facts are taken from the labelled conversations of a file, and how questions are answered."""
    score = measure_facts(path)
    if face.json:
        output.json(score.as_dict())
        return
    told = score.as_dict()
    for part in ("topics", "questions"):
        figures = told[part]
        output.say(", ".join(f"{name.replace('_', ' ')} {figure}" for name, figure in figures.items()))
    for line in score.wrong:
        output.note(line)


@cli.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--errors", is_flag=True, help="Also list what was missed and what was wrong.")
@pass_face
def about(face: Face, path: Path, errors: bool) -> None:
    """What is read of people's statements about themselves, in the labelled conversations of a file."""
    from tools.evaluation.about import measure, measure_changes

    if path.is_file() and '"sessions"' in path.read_text(encoding="utf-8")[:20_000]:
        output.json(measure_changes(path))
        return
    score = measure(path)
    if face.json:
        output.json(score.as_dict())
        return
    figures = score.as_dict()
    for name, figure in figures.items():
        if not isinstance(figure, dict):
            output.say(f"{name.replace('_', ' '):<30} {figure}")
    columns = ("type", "statements", "precision", "recall")
    rows = [
        (type, str(part["statements"]), f"{part['precision']:.3f}", f"{part['recall']:.3f}")
        for type, part in figures["by_type"].items()
    ]
    output.table(columns, rows)
    for line in score.errors if errors else ():
        output.note(line)


@cli.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
def sides(path: Path) -> None:
    """Both sides of contradictions and the newer side of updates: PATH is a folder of BEAM chats."""
    from tools.evaluation.sides import measure

    with cleaned_up():
        output.json(measure(path))


@cli.command()
@click.argument("path", type=click.Path(exists=True, file_okay=False, path_type=Path))
@pass_face
def entities(face: Face, path: Path) -> None:
    """Which people, places and things are read from the labelled messages of a folder."""
    from tools.evaluation.entities import measure

    halves = measure(path)
    if face.json:
        output.json({name: asdict(half) for name, half in halves.items()})
        return
    for name, half in halves.items():
        output.say(f"{name}: {half.messages} messages", bold=True)
        for title, score in (("named", half.mentions), ("kept", half.kept), ("relations", half.relations)):
            rows = [(type, *map(str, counts)) for type, *counts in score.rows()]
            output.table((title, "labelled", "read", "right"), rows)
        merged = f"{half.merged} of {half.same} pairs, falsely {half.falsely_merged} of {half.other}"
        output.say(f"names of one: {merged}")


def _evaluate(face: Face, name: str, load: Callable[[], Iterator[Corpus]], modes: tuple[str, ...]) -> None:
    corpora = list(load())
    questions = sum(len(corpus.questions) for corpus in corpora)
    with cleaned_up(), progress("asking questions", questions * len(modes)) as advance:
        report = evaluate(corpora, name=name, modes=modes, advance=advance)
    if face.json:
        output.json(_as_dict(report))
        return
    for mode in modes:
        _show(report, mode)


def _as_dict(report: Report) -> dict[str, Any]:
    return {**report.as_dict(), "version": __version__}


def _show(report: Report, mode: str) -> None:
    corpora = output.pluralize(report.corpora, "corpus", "corpora")
    output.say(f"{report.name}, {mode}: {corpora}, {output.pluralize(report.texts, 'text')}", bold=True)
    columns = ("category", "asked", "R@5", "R@10", "MRR", "nDCG@10", "tokens", "passages", "p50 ms", "p95 ms")
    rows = [_row(category, one) for category, one in report.by_category(mode).items()]
    output.table(columns, [*rows, _row("all", report.overall(mode))])
    kept = report.outcomes.get("created", 0) + report.outcomes.get("redacted", 0)
    if kept != report.texts:
        why = ", ".join(f"{code} ({count:,})" for code, count in report.refusals.items())
        told = f"{output.pluralize(report.texts - kept, 'text')} not kept as given: {report.outcomes}"
        output.note(f"{told}; refused: {why}" if why else told)
    if report.unanswerable:
        questions = output.pluralize(report.unanswerable, "question")
        output.note(f"{questions} cannot be answered, since no answer was kept: counted as missed")
    output.say()


def _row(category: str, figures: Figures) -> tuple[str, ...]:
    shares = (figures.recall_at_5, figures.recall_at_10, figures.mrr, figures.ndcg_at_10)
    return (
        category,
        f"{figures.questions:,}",
        *(f"{100 * share:.1f}" for share in shares),
        f"{figures.tokens:,.0f}",
        f"{figures.passage_tokens:,.0f}",
        f"{figures.p50_ms:.2f}",
        f"{figures.p95_ms:.2f}",
    )


cli.add_command(life)
for _command in cli.commands.values():
    hide_store_options(_command)
cli.add_command(qa)
cli.add_command(quality)
cli.add_command(sets)


def main() -> None:
    """The entry point of `python -m tools.evaluation`."""
    cli.main(prog_name="python -m tools.evaluation")
