"""Lessons of one session are shown in the next: tasks over real packages (table in docs/learning.md)."""

from __future__ import annotations

from tools.evaluation.learning import figure_of


def test_what_a_session_taught_is_shown_in_the_next_in_other_words() -> None:
    figure = figure_of(None)
    assert figure.learned.whole >= 120
    assert figure.learned.value >= 0.9
    assert figure.elsewhere.value <= 0.05
    first = [figure.parts[name] for name in ("tuned", "held_out")]
    assert sum(part.shown.part for part in first) >= 0.8 * sum(part.shown.whole for part in first)
    assert figure.shown.value >= 0.72, "below the target of 0.8, which docs/learning.md says"
