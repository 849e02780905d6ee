"""The templates of lives: lines of `dev.txt` and `held_out.txt` with the form each is written in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Template:
    """A line to fill in: its text with labels and slots, and its form, such as `fragment` or `correction`."""

    form: str
    text: str


@cache
def templates(half: str) -> dict[tuple[str, str], tuple[Template, ...]]:
    """Returns the templates of a half by language and event."""
    path = Path(__file__).with_name(f"{half}.txt")
    by_event: dict[tuple[str, str], list[Template]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            _, language, event = line.split()
            lines = by_event.setdefault((language, event), [])
        elif line and not line.startswith("#"):
            form, _, text = line.partition(" ")
            lines.append(Template(form, text))
    return {key: tuple(lines) for key, lines in by_event.items()}
