"""OpenTelemetry spans, if the SDK is installed and configured by the OTEL_ variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from opentelemetry import propagate, trace
from opentelemetry.trace import SpanKind, Status, StatusCode

from holdfast._version import __version__
from holdfast.core.errors import HoldfastError
from holdfast.core.spans import Mark, Spans, Value
from holdfast.stores.base.wrapper import StoreWrapper

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from opentelemetry.trace import TracerProvider

    from holdfast.features.service import Service
    from holdfast.stores.base.ports import Embedder, Store, Writer


class OtelSpans:
    """Spans of one tracer. An error is recorded by its code or type, because its message may quote
    content."""

    def __init__(self, provider: TracerProvider) -> None:
        self._tracer = provider.get_tracer("holdfast", __version__)

    @contextmanager
    def span(
        self, name: str, attributes: Mapping[str, Value] = {}, *, carrier: Mapping[str, str] | None = None
    ) -> Iterator[Mark]:
        """Opens a span around the block."""
        with self._tracer.start_as_current_span(
            name,
            context=None if carrier is None else propagate.extract(carrier),
            kind=SpanKind.INTERNAL if carrier is None else SpanKind.SERVER,
            attributes=attributes,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield span.set_attributes
            except BaseException as error:
                kind = error.code if isinstance(error, HoldfastError) else type(error).__name__
                span.set_attribute("error.type", kind)
                span.set_status(Status(StatusCode.ERROR, kind))
                raise


class WatchedStore(StoreWrapper):
    """A store with a span around each transaction, from waiting for the lock to the commit."""

    def __init__(self, store: Store, spans: Spans) -> None:
        super().__init__(store)
        self._spans = spans

    @contextmanager
    def write(self, *, patience: int | None = None) -> Iterator[Writer]:
        with self._spans.span("holdfast.store.transaction"), self._store.write(patience=patience) as tx:
            yield tx


class WatchedEmbedder:
    """An embedder with a span around each call."""

    def __init__(self, embedder: Embedder, spans: Spans) -> None:
        self._embedder = embedder
        self._spans = spans

    @property
    def model(self) -> str:
        return self._embedder.model

    @property
    def dim(self) -> int:
        return self._embedder.dim

    @property
    def local(self) -> bool:
        return self._embedder.local

    def __getattr__(self, name: str) -> Any:
        return getattr(self._embedder, name)

    def embed(
        self, texts: Sequence[str], *, query: bool = False, emphasis: Mapping[str, float] | None = None
    ) -> NDArray[np.float32]:
        attributes: dict[str, Value] = {
            "holdfast.texts": len(texts),
            "holdfast.query": query,
            "holdfast.model": self.model,
        }
        with self._spans.span("holdfast.embed", attributes):
            return self._embedder.embed(texts, query=query, emphasis=emphasis)


def watched(service: Service, provider: TracerProvider | None = None) -> Service:
    """Returns the service with spans, sent to a provider.

    The provider is the given one, the one that the program has set up, or a new one configured by the OTEL_
    variables. Without the SDK, the service is returned unchanged.
    """
    if provider is None:
        provider = trace.get_tracer_provider()
        if isinstance(provider, trace.ProxyTracerProvider):
            try:
                provider = _provider()
            except ModuleNotFoundError:
                return service
    spans = OtelSpans(provider)
    return replace(
        service,
        store=WatchedStore(service.store, spans),
        embedder=WatchedEmbedder(service.embedder, spans),
        spans=spans,
    )


def _provider() -> Any:
    """Returns a provider of the SDK, which reads the OTEL_ variables and flushes at exit.

    It is not made the provider of the whole process, because spans of other libraries may contain user
    content.
    """
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import SERVICE_NAME, Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    resource = Resource.create()
    if str(resource.attributes.get(SERVICE_NAME, "")).startswith("unknown_service"):
        resource = resource.merge(Resource({SERVICE_NAME: "holdfast"}))
    provider = TracerProvider(resource=resource)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider
