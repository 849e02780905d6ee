"""The start of the command `holdfast` and of `python -m holdfast`: hooks run without the other commands."""

from __future__ import annotations

import sys


def main() -> None:
    """Runs the installed command."""
    if sys.argv[1:2] == ["hook"] and not {"--help", "-h"} & {*sys.argv}:
        from holdfast.integrations.agents.hook import main as hook

        hook(sys.argv[2:])
    from holdfast.cli.main import main as command

    command()


if __name__ == "__main__":
    main()
