"""The command `life` of the evaluation: a generated life, read and compared with what is true of it."""

from __future__ import annotations

from typing import Any

import click

from holdfast.cli import output
from holdfast.cli.ending import cleaned_up
from holdfast.cli.face import Face, pass_face
from tools.evaluation.lives.values import HALVES


@click.command()
@click.option("--half", type=click.Choice(HALVES), help="Only the life of this half; both without.")
@click.option(
    "--lives", default=4, show_default=True, help="How many lives are read for precision and recall."
)
@click.option("--seed", default=1, show_default=True, help="The seed of the first.")
@click.option("--errors", is_flag=True, help="Also list what was missed and what was wrong, of `dev` only.")
@click.option("--page", "shows_page", is_flag=True, help="Also print the page about the person.")
@pass_face
def life(face: Face, half: str | None, lives: int, seed: int, errors: bool, shows_page: bool) -> None:
    """What is read of a generated life of 300 conversations whose truth is known."""
    from tools.evaluation import life as lived

    for name in (half,) if half else HALVES:
        with cleaned_up():
            score = lived.read(name, lives, seed)
            page = lived.page(name, seed)
            asked = lived.unchanged(name, seed)
        figures = {**score.as_dict(), "page": page.as_dict(), "asked": asked}
        figures["by"] = {key: share for key, share in figures["by"].items() if " " not in key}
        parts = lived.tables(score)
        if face.json:
            output.json({"half": name, **figures, "parts": parts})
        else:
            _show(name, figures, parts)
        lines = page.text if shows_page and name == HALVES[0] else ()
        missed = score.errors if errors and name == HALVES[0] else []
        for line in (*lines, *missed):
            output.note(line)


def _show(half: str, figures: dict[str, Any], parts: dict[str, dict[str, tuple[int, int]]]) -> None:
    output.say(f"{half}: {figures['conversations']} conversations", bold=True)
    for name, figure in figures.items():
        if name not in ("by_type", "conversations"):
            output.say(f"{name.replace('_', ' '):<30} {figure}")
    rows = [
        (type, str(part["statements"]), f"{part['precision']:.3f}", f"{part['recall']:.3f}")
        for type, part in figures["by_type"].items()
    ]
    output.table(("type", "statements", "precision", "recall"), rows)
    for name, counts in parts.items():
        table = [
            (value, str(made), str(made - found), f"{found / made:.3f}")
            for value, (found, made) in counts.items()
        ]
        output.table((name, "statements", "missed", "recall"), table)
