"""Acceptance metrics: their targets, and measured values with sample size, evaluator and time (S2.39)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import InvalidInput
from holdfast.core.wire import Millis, Plain, computed


@dataclass(frozen=True, slots=True)
class Target:
    """The value that a metric has to reach, or with `at_most` may not exceed, and its meaning."""

    value: float
    at_most: bool
    meaning: str

    def is_met(self, value: float) -> bool:
        """Returns whether a value meets the target."""
        return value <= self.value if self.at_most else value >= self.value


TARGETS: Mapping[str, Target] = {
    "extraction_precision": Target(0.85, False, "share of extracted candidates that were stated so"),
    "false_positive_rate": Target(0.05, True, "share of messages that state nothing, yet gave a candidate"),
    "retrieval_hit_rate": Target(0.80, False, "share of questions with an answer among the first ten hits"),
    "injection_pollution_rate": Target(0.02, True, "share of hits that recall should not have given out"),
    "deletion_compliance": Target(1.0, False, "share of deleted memories of which nothing comes back"),
    "cross_user_leak_rate": Target(0.0, True, "share of questions answered with another user's memory"),
    "cross_scope_leak_rate": Target(0.0, True, "share of questions answered from another project or session"),
}
"""Every metric and its target (S2.39)."""


@dataclass(frozen=True, slots=True)
class Metric(Plain):
    """One measured value: a share from 0 to 1 of `sample_size` cases, with the evaluator and the time (UTC
    epoch milliseconds)."""

    name: str
    value: float
    sample_size: int
    evaluator: str
    at: Millis

    @property
    def goal(self) -> Target:
        """Returns the target of the metric."""
        return TARGETS[self.name]

    @property
    @computed
    def target(self) -> float:
        """Returns the value that the metric should reach."""
        return self.goal.value

    @property
    @computed
    def at_most(self) -> bool:
        """Returns whether lower values are better."""
        return self.goal.at_most

    @property
    @computed
    def passed(self) -> bool:
        """Returns whether the value meets its target."""
        return self.goal.is_met(self.value)


def metric_named(name: object) -> str:
    """Returns the name of a metric unchanged. Raises InvalidInput `argument_invalid` for an unknown one."""
    if isinstance(name, str) and name in TARGETS:
        return name
    raise InvalidInput(
        f"there is no metric {safe_repr(name)}", code="argument_invalid", hint=f"one of {', '.join(TARGETS)}"
    )


def rated(counts: Mapping[str, tuple[int, int]], evaluator: str, at: int) -> tuple[Metric, ...]:
    """Builds metrics from (counted, total) pairs; those with a total of 0 are left out."""
    return tuple(
        Metric(name, counted / total, total, evaluator, at)
        for name, (counted, total) in counts.items()
        if total
    )


def all_passed(metrics: Sequence[Metric]) -> bool:
    """Returns whether at least one metric was measured and all meet their targets."""
    return bool(metrics) and all(metric.passed for metric in metrics)
