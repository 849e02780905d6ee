"""Lessons of one session are shown in the next: tasks over real packages (docs/measured/learning.md)."""

from __future__ import annotations

from dataclasses import astuple

import numpy as np

from holdfast.features.context import experience
from tools.evaluation.fit_lessons import fitted, pairs_of, point
from tools.evaluation.learning import figure_of


def test_what_a_session_taught_is_given_in_the_next_in_other_words() -> None:
    figure = figure_of(None, ("tuned", "second_author"))
    assert figure.learned.value >= 0.9
    for part in figure.parts.values():
        assert part.shown.value >= 0.5
        assert part.given.value >= 0.9
    assert figure.elsewhere.value <= 0.05


def test_the_name_of_a_file_does_not_make_a_task_fit_all_that_is_about_the_file() -> None:
    assert experience.without_files("see src/auth/config.py, and Session.close() too") == (
        "see  , and Session.close() too"
    )


def test_a_fit_has_the_signs_of_the_weights_and_separates_lessons_of_other_tasks() -> None:
    pairs, outcomes = pairs_of(("tuned",))
    bias, *weights = fitted(pairs)
    assert [weight > 0 for weight in weights] == [weight > 0 for weight in astuple(experience.WEIGHTS)]
    scores = np.array([bias + np.dot(weights, pair.signals) for pair in pairs])
    strict, lax = point(pairs, outcomes, scores, 1.0), point(pairs, outcomes, scores, -2.0)
    assert strict.shown.value < lax.shown.value
    assert strict.elsewhere.value <= 0.05
    assert strict.given.value >= 0.9
