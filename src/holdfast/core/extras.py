"""Commands that install optional parts of Holdfast."""

from __future__ import annotations


def how_to_install(extra: str) -> str:
    """Returns the command that installs an extra, for hints of errors."""
    return f"pip install 'holdfast[{extra}]', in a clone of its repository '.[{extra}]'"
