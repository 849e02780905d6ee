"""`quality`: measures the acceptance metrics, prints them, and records them in a store if asked to."""

from __future__ import annotations

import click

from holdfast.cli import output
from holdfast.cli.ending import cleaned_up
from holdfast.cli.face import Face, command, pass_face
from holdfast.cli.quality import show_metrics
from holdfast.config import load
from holdfast.core.metrics import all_passed, rated
from holdfast.core.places import Principal
from holdfast.features.maintenance.metrics import store_metrics
from holdfast.stores.base.clock import wall_clock
from tools.evaluation import acceptance
from tools.evaluation.extraction import PartRead, is_unseen


@command()
@click.option("--store-result", is_flag=True, help="Record the figures in your own store.")
@pass_face
def quality(face: Face, store_result: bool) -> int:
    """Measure the acceptance metrics: extraction, recall, deletion, leaks.

    On messages labelled by hand and on temporary memories; takes about twenty seconds. Leaves with status 1
    if a target is missed.
    """
    settings = load(store=face.store, user=face.user, agent=face.agent)
    evaluator = Principal(settings.user, agent=settings.agent).label
    with cleaned_up():
        measured = acceptance.measure()
    metrics = rated(measured.counts, evaluator, wall_clock())
    if store_result:
        with face.open(create=True) as memory:
            store_metrics(memory._service, metrics)
    passed = all_passed(metrics)
    if face.json:
        extraction = {part.part: _figures(part) for part in measured.parts}
        more = {"extraction": extraction, "unseen": is_unseen(), "stored": store_result}
        output.json({"metrics": [one.as_dict() for one in metrics], "passed": passed, **more})
    else:
        show_metrics(metrics, times=False)
        for part in measured.parts:
            output.say(f"  extraction, {part.part}: {_described(part)}")
        if not is_unseen():
            output.note(
                "Rules have changed since the held-out messages were written: they are not all unseen."
            )
        output.done("All targets are met." if passed else "A target is missed.")
    return 0 if passed else 1


def _figures(part: PartRead) -> dict[str, int]:
    return {
        "messages": len(part.all),
        "stated": part.stated,
        "found": part.found,
        "right": part.right,
        "silent": part.silent,
        "polluted": part.polluted,
    }


def _described(part: PartRead) -> str:
    return (
        f"{part.right} of {part.found} candidates right, {part.right} of {part.stated} statements found,"
        f" {part.polluted} of {part.silent} silent messages polluted"
    )
