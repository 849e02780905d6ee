"""The start of the command `holdfast` and of `python -m holdfast`: hooks run without the other commands."""

from __future__ import annotations

import gc
import os
import sys

COLLECT_EVERY = 20_000
"""Objects that are made between two collections. Python's default is 700, and most of the some 100,000 that a
start makes stay."""


def main() -> None:
    """Runs the installed command."""
    gc.set_threshold(COLLECT_EVERY, 20, 100)
    # NumPy would start threads for products larger than any here: a third of the processor time of a command
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if sys.argv[1:2] == ["hook"] and not {"--help", "-h"} & {*sys.argv}:
        gc.disable()  # it ends before there is anything to collect; learning from a transcript enables it
        from holdfast.integrations.agents.hook import main as hook

        hook(sys.argv[2:])
    from holdfast.cli.main import main as command

    try:
        command()
    finally:
        gc.freeze()  # at its end Python would look through everything that is left, for nothing


if __name__ == "__main__":
    main()
