"""Lessons of one session are shown in the next: tasks over real packages (table in docs/learning.md)."""

from __future__ import annotations

from tools.evaluation.learning import figure_of


def test_what_a_session_taught_is_given_in_the_next_in_other_words() -> None:
    figure = figure_of(None, ("tuned", "second_author"))
    assert figure.learned.value >= 0.9
    for part in figure.parts.values():
        assert part.shown.value >= 0.8
        assert part.given.value >= 0.85
    assert figure.elsewhere.value <= 0.1, "above the target of 0.05, which docs/learning.md says"
