"""Candidates that `holdfast extract` and `holdfast learn` found, as a table with their outcomes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.cli import output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.features.extraction.candidates import Extracted
    from holdfast.features.learning.rules.log import Lesson

_OUTCOMES = {
    "created": "kept", "redacted": "kept", "pending": "for review", "superseded": "changed",
    "duplicate": "known", "merged": "known", "refused": "refused",
}  # fmt: skip


def show_candidates(candidates: Sequence[Extracted | Lesson]) -> None:
    """Prints a row for each candidate, if there are any."""
    rows = [
        (_OUTCOMES[result.outcome.value], result.candidate.kind, f"{result.candidate.confidence:.2f}",
         output.one_line(result.candidate.text, 80), result.candidate.rule)
        for result in candidates
    ]  # fmt: skip
    if rows:
        output.table(("became", "kind", "sure", "text", "rule"), rows)


def note_candidates(candidates: Sequence[Extracted | Lesson], dry_run: bool) -> None:
    """Notes what to do with candidates that were not stored, or that wait for review."""
    if dry_run:
        output.note("Nothing was stored. Run it without --dry-run to store it.")
    elif any(result.outcome.value == "pending" for result in candidates):
        output.note("Review what is pending: holdfast review")
