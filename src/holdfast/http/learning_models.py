"""The shapes of requests and answers about learning from work, as the OpenAPI document shows them."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from holdfast.http.answers import Outcome, Told
from holdfast.http.models import Given

_TYPES = "build, pr_review, insights, roadmap, ideation, terminal, spec or changelog."


class LearnIn(Given):
    """The log of a session with a codebase."""

    log: str | list[dict[str, Any]] = Field(
        description="JSON Lines of events, a transcript of Claude Code, or the entries of either as objects.",
        examples=[[{"type": "command", "command": "pytest", "exit": 1, "error": "Connection refused"}]],
    )
    project: str = Field(examples=["shop"])
    session_type: str = Field("build", description=_TYPES)
    failed: bool = Field(False, description="The session did not reach its end: only dead ends are kept.")
    dry_run: bool = Field(False, description="Keep nothing.")


class LessonOut(Told):
    """One candidate: what it says, by which rule and why, and what became of it."""

    kind: str
    text: str
    confidence: float
    rule: str
    reason: str
    steps: list[int] = Field(description="The steps of the session that show it, from 1.")
    files: list[str]
    dead_end: bool = Field(description="It tells what does not work.")
    after_web: bool = Field(description="Web content came before it in the session.")
    outcome: Outcome
    told: str = Field(description="Why that became of it.")
    memory: str | None


class LearnedOut(Told):
    """What a session taught."""

    session: str
    session_type: str
    failed: bool
    steps: int
    files: int
    skipped: int = Field(description="Entries of the log that could not be used.")
    lessons: list[LessonOut]
    left_out: int = Field(description="Candidates beyond what this type of session may leave.")
    bullets: list[str] = Field(description="What was learned, in three to five lines.")
    mapped: list[str] = Field(description="Modules of the map that are surer now.")
    dry_run: bool
