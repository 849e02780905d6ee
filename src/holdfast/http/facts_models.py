"""The shapes of requests and answers about facts, as the OpenAPI document shows them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from holdfast.http.answers import HitsOut, Told
from holdfast.http.models import Given, Time


class AskIn(Given):
    """A question for facts or for recall."""

    text: str = Field(examples=["what is my second favorite color?"])
    project: str | None = Field(None, examples=["shop"])
    session: str | None = Field(None, description="A conversation, whose own facts answer.")
    workspace: str | None = None
    limit: int = Field(10, description="From 1 to 1000.", json_schema_extra={"minimum": 1, "maximum": 1000})


class FactIn(Given):
    """Where and when a fact is stated."""

    topic: str = Field(examples=["colors"], description="A key, category or noun of a topic.")
    project: str | None = Field(None, description="Made if there is none of this name.")
    session: str | None = Field(None, description="A conversation; made if there is none.")
    workspace: str | None = None
    visibility: str | None = Field(None, description="private, team or project.")
    external_id: str | None = Field(None, description="Your own id of the message that states it.")
    at: Time | None = Field(None, description="When it was said; the later one counts.")


class FactSetIn(FactIn):
    """The value of a rank, or the single preference."""

    value: str = Field(examples=["Blue"])
    rank: int | None = Field(None, json_schema_extra={"minimum": 1, "maximum": 100})


class FactValuesIn(FactIn):
    """Values of a list."""

    values: list[str] = Field(max_length=100, examples=[["Blue", "Green"]])


class FactMoveIn(FactIn):
    """A value and the rank where it goes."""

    value: str = Field(examples=["Blue"])
    rank: int = Field(json_schema_extra={"minimum": 1, "maximum": 100})


class FactRemoveIn(FactIn):
    """A value that is to leave its list."""

    value: str = Field(examples=["Blue"])


class AnswerOut(Told):
    """The answer to a question: from facts, that nothing is stored, which topic is meant, or from recall."""

    text: str
    used_facts: bool = Field(description="The text comes from what the user stated.")
    fact_not_found: bool = Field(description="Nothing is stored under what was asked.")
    clarification: bool = Field(description="The text asks which topic is meant.")
    label: str | None = Field(description="`Memory` where facts or their absence answered.")
    hits: HitsOut


class FactOut(Told):
    """A value that the user stated, with the message that states it."""

    topic: str
    kind: Literal["ranked", "single"]
    rank: int | None
    value: str
    message: str
    at: str
    project: str | None
    session: str | None


class FactsOut(Told):
    """Facts, by topic and rank."""

    facts: list[FactOut]


class FactEditOut(Told):
    """What holds after an edit, and what needed none."""

    facts: list[FactOut]
    notes: list[str]


class FactChangeOut(Told):
    """One step in the history of a topic."""

    topic: str
    act: str
    value: str
    before: int | None = Field(description="Its rank before.")
    after: int | None = Field(description="Its rank after.")
    replaced: str | None = Field(description="The value that gave way.")
    message: str
    at: str


class FactChangesOut(Told):
    """The history of a topic, oldest first."""

    changes: list[FactChangeOut]


class TopicOut(Told):
    """A topic of facts. `weak` nouns count only where a noun has to stand."""

    key: str
    category: str
    label: str
    nouns: list[str]
    weak: list[str]


class TopicsOut(Told):
    """The registry of topics."""

    topics: list[TopicOut]
