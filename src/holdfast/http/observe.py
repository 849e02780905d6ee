"""Observability: Prometheus metrics and one log line for each request, neither with text of memories."""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from starlette.types import Scope

from holdfast.core.jobs import Backlog
from holdfast.stores.base.registry import LOGGERS

if TYPE_CHECKING:
    from holdfast.core.storage import Quotas, Totals
    from holdfast.stores.base.read_counts import ReadCounts

METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
OTHER = "_OTHER"
"""The name of any other method in metrics, spans and logs: what a caller makes up is no label."""
LASTING = ("jobs.events", "stream")
"""Operations that last as long as what they tell of."""
SLOW_SECONDS = 0.5
"""Requests that take longer are values as slow."""
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

log = logging.getLogger("holdfast.http")


class Watch:
    """Counts and times requests by operation: a fixed set of labels, never a path or an id.

    One of several processes counts in files that they share, and shows the sums; figures of a process are
    left out.
    """

    def __init__(self, slow_seconds: float = SLOW_SECONDS, *, is_one_of_several: bool = False) -> None:
        self._slow = slow_seconds
        self.registry = CollectorRegistry()
        self._exposed = CollectorRegistry() if is_one_of_several else self.registry
        if is_one_of_several:
            MultiProcessCollector(self._exposed)  # type: ignore[no-untyped-call]
        else:
            ProcessCollector(registry=self.registry)
        self._requests = Counter(
            "holdfast_requests",
            "Requests that were answered.",
            ["method", "operation", "status"],
            registry=self.registry,
        )
        self._seconds = Histogram(
            "holdfast_request_seconds", "Seconds until the answer.", ["operation"],
            buckets=BUCKETS, registry=self.registry,
        )  # fmt: skip
        self._running = Gauge(
            "holdfast_requests_running", "Requests that are being worked on.", registry=self.registry,
            multiprocess_mode="livesum",
        )  # fmt: skip
        self.outcomes = Counter(
            "holdfast_outcomes", "What became of texts to be remembered.", ["outcome"], registry=self.registry
        )
        self._jobs = Gauge(
            "holdfast_jobs", "Background jobs by state.", ["state"], registry=self.registry,
            multiprocess_mode="mostrecent",
        )  # fmt: skip

        self._storage = Gauge(
            "holdfast_storage", "What all users keep, and the most of one of them.", ["of", "unit"],
            registry=self.registry, multiprocess_mode="mostrecent",
        )  # fmt: skip
        self._quota = Gauge(
            "holdfast_quota", "The most that may be kept, where there is a quota.", ["of", "unit"],
            registry=self.registry, multiprocess_mode="mostrecent",
        )  # fmt: skip
        self._reads = Counter(
            "holdfast_reads",
            "Readings of a store with standbys, by server, and why no standby served them.",
            ["server", "reason"], registry=self.registry,
        )  # fmt: skip
        self._lag = Gauge(
            "holdfast_standby_lag_seconds", "Seconds by which a standby was behind when it was last asked.",
            ["server"], registry=self.registry, multiprocess_mode="mostrecent",
        )  # fmt: skip
        self._counts: Callable[[], ReadCounts | None] = lambda: None
        self._totals: dict[tuple[str, str], int] = {}

    def follow_reads(self, counts: Callable[[], ReadCounts | None]) -> None:
        """Sets where the readings of the store are counted."""
        self._counts = counts

    def note_jobs(self, backlog: Backlog) -> None:
        """Sets the gauges of pending background work."""
        for state in ("queued", "running", "dead"):
            self._jobs.labels(state).set(getattr(backlog, state))

    def note_storage(self, totals: Totals, quotas: Quotas) -> None:
        """Sets the gauges of what is kept, and of the quotas that there are."""
        for of, unit, used, most in (
            ("store", "versions", totals.versions, quotas.store_versions),
            ("store", "bytes", totals.bytes, quotas.store_bytes),
            ("largest_user", "versions", totals.most_versions, quotas.versions),
            ("largest_user", "bytes", totals.most_bytes, quotas.bytes),
        ):
            self._storage.labels(of, unit).set(used)
            if most:
                self._quota.labels(of, unit).set(most)

    def begin(self) -> None:
        """Counts a request that has arrived."""
        self._running.inc()

    def end(self, scope: Scope, status: int, seconds: float) -> None:
        """Counts and times a request that was responded to, or whose client disconnected (status 0)."""
        operation = scope.get("operation", "none")
        self._running.dec()
        self._note_reads()
        self._requests.labels(scope["requested_method"], operation, str(status)).inc()
        self._seconds.labels(operation).observe(seconds)
        problem = scope.get("problem")
        is_slow = seconds >= self._slow and operation not in LASTING
        level = logging.WARNING if is_slow or status >= 500 else logging.INFO
        log.log(
            level,
            "slow" if is_slow else "request",
            extra={
                "request_id": scope["request_id"],
                "operation": operation,
                "method": scope["requested_method"],
                "status": status,
                "ms": round(seconds * 1000, 1),
                "credential": scope.get("credential"),
                "code": None if problem is None else problem.code,
                "reason": None if status != 401 else _why_refused(problem),
            },
        )

    def _note_reads(self) -> None:
        """Adds the readings that the store has counted since the last request."""
        counts = self._counts()
        if counts is None:
            return
        for labels, count in list(counts.served.items()):
            before = self._totals.get(labels, 0)
            self._totals[labels] = count
            if count != before:  # it begins again where a tenant was moved
                self._reads.labels(*labels).inc(count - before if count > before else count)
        for server, seconds in list(counts.lag.items()):
            self._lag.labels(server).set(seconds)

    def failed(self, error: Exception, request_id: str) -> None:
        """Logs an unexpected error. Its text may contain user data, so only its type and location are
        logged.
        """
        frame = error.__traceback__
        while frame is not None and frame.tb_next is not None:
            frame = frame.tb_next
        place = f"{frame.tb_frame.f_code.co_filename}:{frame.tb_lineno}" if frame else None
        log.error(
            "unexpected", extra={"request_id": request_id, "code": type(error).__name__, "place": place}
        )

    def text(self) -> bytes:
        """Returns all metrics in the Prometheus text format."""
        return generate_latest(self._exposed)


def _why_refused(problem: Exception | None) -> str | None:
    """Returns why a credential was refused: for the log, never for the response."""
    cause = None if problem is None else problem.__cause__
    return None if cause is None else str(cause) or type(cause).__name__


FIELDS = ("request_id", "operation", "method", "status", "ms", "credential", "code", "place", "reason")
OURS = ("holdfast", "uvicorn")
"""Loggers whose messages name no place by themselves."""
DRIVERS = (*LOGGERS, "asyncio")
"""Loggers of libraries that write about connections, with addresses and paths."""

_PLACES = re.compile(
    r"""\w+://[^\s'"]+ | "[^"]*" | '[^']*' | (?<![\w.])(?:~|\.{1,2})?/[^\s:;,'"()]+"""
    r"""| \b[A-Za-z]:[\\/][^\s:;,'"()]* | [\w.~@+-]+(?:[\\/][\w.~@+-]+)+[\\/]?"""
    r"""| \b[\w-]+(?:\.[\w-]+)*\.(?:db|sock|head|pem|key|toml|json)\b"""
    r"""| (?:\b(?!\d+:)[\w-]+(?:\.[\w-]+)*|\[[\da-fA-F:.]+\]):\d{1,5}\b"""
    r"""| \([\da-fA-F:.]{3,}\) | \b\d{1,3}(?:\.\d{1,3}){3}\b | (?<=port\ )\d+"""
    r"""| \b\w+=[^\s)]+ | (?<=\bhost\ )[^\s:]+ | [\da-fA-F:]*::[\da-fA-F:]*""",
    re.VERBOSE,
)
"""Addresses, quoted names, paths, names of files, hosts and ports, and parts of a connection string."""


def without_places(text: str) -> str:
    """Returns the first line of a message with `…` for addresses, names and paths."""
    return _PLACES.sub("…", (text.splitlines() or [""])[0])


class JsonLines(logging.Formatter):
    """A log formatter that writes one JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Returns the record with the known fields as JSON; others are left out."""
        line: dict[str, Any] = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
        }
        line |= {name: value for name in FIELDS if (value := _value(record, name)) is not None}
        return json.dumps(line, ensure_ascii=True)


class PlainLines(logging.Formatter):
    """A log formatter for people: one line with time, operation, status and duration."""

    def format(self, record: logging.LogRecord) -> str:
        """Returns the record as one line with the values of the known fields."""
        values = (_value(record, name) for name in ("operation", "status", "code", "place", "reason"))
        parts = [self.formatTime(record, "%H:%M:%S"), _message(record)]
        parts += [str(value) for value in values if value is not None]
        if (ms := getattr(record, "ms", None)) is not None:
            parts.append(f"{ms} ms")
        return " ".join(parts)


def _message(record: logging.LogRecord) -> str:
    is_ours = record.name.partition(".")[0] in OURS
    return record.getMessage() if is_ours else without_places(record.getMessage())


def _value(record: logging.LogRecord, name: str) -> Any:
    value = getattr(record, name, None)
    return without_places(value) if name == "reason" and value is not None else value


def log_to_errors(*, as_json: bool = True, level: str = "INFO") -> None:
    """Sends the logs of the service, of its server and of the database driver to standard error, as JSON
    lines or as lines for people. Logs of the MCP SDK are dropped, since they may quote requests.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if as_json else PlainLines())
    for name in (*OURS, *DRIVERS):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(level if name == "holdfast" or (as_json and name in OURS) else "WARNING")
    silent = logging.getLogger("mcp")
    silent.handlers = [logging.NullHandler()]
    silent.propagate = False
