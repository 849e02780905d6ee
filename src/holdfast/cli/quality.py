"""`holdfast quality`: shows the acceptance metrics that were recorded in a store, and records others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from holdfast.cli import output
from holdfast.cli.face import Face, Usage, command, pass_face
from holdfast.cli.times import TIME

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.core.metrics import Metric


@command()
@click.argument("name", required=False)
@click.option("--limit", "-n", type=int, default=30, metavar="N", help="Maximum number of rows (default 30).")
@click.option("--record", type=float, metavar="VALUE", help="Record this value of NAME.")
@click.option(
    "--sample-size", type=int, metavar="N", help="With --record: the number of cases it was measured on."
)
@click.option("--evaluator", metavar="NAME", help="With --record: who or what measured it.")
@click.option("--at", type=TIME, metavar="TIME", help="With --record: when (default: now).")
@pass_face
def quality(
    face: Face, name: str | None, limit: int, record: float | None, sample_size: int | None,
    evaluator: str | None, at: Any,
) -> None:  # fmt: skip
    """Show recorded quality metrics, newest first.

    NAME selects one metric. --record stores a value that your own evaluation measured.
    """
    if record is not None:
        if name is None or sample_size is None or evaluator is None:
            raise Usage(
                "a value needs the name of its metric, a sample size and an evaluator",
                "holdfast quality retrieval_hit_rate --record 0.9 --sample-size 50 --evaluator nightly",
            )
        with face.open() as memory:
            made = memory.record_quality(name, record, sample_size=sample_size, evaluator=evaluator, at=at)
        face.done(made.as_dict(), f"Recorded: {made.name} is {made.value:g}")
        return
    with face.open() as memory:
        metrics = memory.quality(name, limit=limit)
    if face.json:
        output.json({"metrics": [metric.as_dict() for metric in metrics]})
    elif metrics:
        show_metrics(metrics, times=True)
    else:
        output.note("No metrics are recorded in this store.")


def show_metrics(metrics: Sequence[Metric], *, times: bool) -> None:
    """Prints metrics with their targets, with `times` also when and by whom each was measured."""
    from holdfast.core.times import to_iso

    rows = []
    for metric in metrics:
        sign = "≤" if metric.at_most else "≥"
        row = (metric.name, f"{metric.value:.4f}", f"{sign} {metric.target:g}", f"{metric.sample_size:,}",
               "yes" if metric.passed else "NO")  # fmt: skip
        rows.append((*row, output.minute(to_iso(metric.at)), metric.evaluator) if times else row)
    columns = ("metric", "value", "target", "of", "met")
    output.table((*columns, "measured", "by") if times else columns, rows)
