"""Acceptance metrics, stored with the data they were measured on (S2.39)."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.core.arguments import checked_count, checked_limit, safe_repr
from holdfast.core.errors import InvalidInput
from holdfast.core.metrics import Metric, metric_named
from holdfast.core.times import When, to_millis
from holdfast.core.views import personal_view
from holdfast.features.admission.names import checked_name
from holdfast.features.service import Service


def store_metrics(service: Service, metrics: Sequence[Metric]) -> None:
    """Stores measured metrics."""
    now = service.clock()
    with service.store.write() as tx:
        tx.add_metrics(metrics)
        detail = {"metrics": len(metrics), "passed": sum(metric.passed for metric in metrics)}
        tx.add_event(at=now, actor=service.principal.label, action="evaluate", subject=None, detail=detail)


def record_metric(
    service: Service, name: str, value: object, sample_size: object, evaluator: str, at: When | None
) -> Metric:
    """Records one metric that was measured elsewhere. Raises InvalidInput."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidInput(
            f"value must be a share from 0 to 1, not {safe_repr(value)}", code="argument_invalid"
        )
    count = checked_count(sample_size, "sample_size")
    if count == 0:
        raise InvalidInput("sample_size must be 1 or more: nothing was measured", code="argument_invalid")
    when = service.clock() if at is None else to_millis(at, name="at")
    metric = Metric(metric_named(name), float(value), count, checked_name(evaluator, "evaluator"), when)
    store_metrics(service, [metric])
    return metric


def list_metrics(service: Service, name: str | None = None, *, limit: int = 30) -> list[Metric]:
    """Returns stored metrics, newest first, of one metric if a name is passed. Raises InvalidInput."""
    checked_limit(limit)
    if name is not None:
        metric_named(name)
    with service.store.read() as snap:
        return snap.metrics(personal_view(service.principal), name, limit=limit)
