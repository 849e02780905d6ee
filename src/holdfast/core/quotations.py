"""Quotations: who said something, when, in which memory and words; and what says otherwise."""

from __future__ import annotations

from dataclasses import field

from holdfast.core.value_classes import value_class
from holdfast.core.wire import Millis, Plain, wire


@value_class
class BeliefSource(Plain):
    """A memory that a belief rests on: who said it, when, and the words."""

    memory: str = field(metadata=wire(about="Id of the memory that says it."))
    quote: str = field(metadata=wire(about="The words that say it."))
    at: Millis
    said_by: str = field(metadata=wire(about="Who said it: person, agent, import, file or extraction."))
    session: str | None = None
    project: str | None = None


@value_class
class OtherBelief(Plain):
    """A statement that a belief has replaced, or that contradicts it."""

    text: str
    source: BeliefSource
    reason: str = field(metadata=wire(about="Why it gave way, or what is in conflict."))
