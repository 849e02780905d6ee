"""The shapes of requests and answers about extraction and its figures, as the OpenAPI document shows them."""

from __future__ import annotations

from pydantic import Field

from holdfast.http.answers import Outcome, Told
from holdfast.http.models import Given


class ExtractIn(Given):
    """What is to be read: a session, an import or a text, one of them."""

    session: str | None = Field(None, examples=["chat-1"])
    source: str | None = Field(None, description="The id of an import.")
    text: str | None = Field(None, description="All that is found in it waits for review.")
    project: str | None = Field(None, description="Where what is found in a text goes.")
    workspace: str | None = None
    redact: bool = Field(True, description="Leave e-mail addresses and telephone numbers out.")
    dry_run: bool = Field(False, description="Keep nothing.")


class MetricOut(Told):
    """One acceptance metric: a share from 0 to 1 over a sample, and its target."""

    name: str
    value: float
    sample_size: int
    evaluator: str
    at: str
    target: float
    at_most: bool
    passed: bool


class QualityOut(Told):
    """Acceptance metrics, newest first."""

    metrics: list[MetricOut]


class ExtractedOut(Told):
    """One candidate: what states it, by which rule, and what became of it."""

    kind: str
    text: str
    confidence: float
    rule: str
    span: list[int]
    message: str | None
    outcome: Outcome
    reason: str
    memory: str | None


class ExtractionOut(Told):
    """What was found in messages of the user, or in a text."""

    messages: int
    read_before: int
    dry_run: bool
    quality: str | None
    found: list[ExtractedOut]
