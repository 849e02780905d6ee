"""The tool for programs that run agents: they pass the log of a finished session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.core.errors import InvalidInput
from holdfast.features.learning.rules.log import SESSION_TYPES
from holdfast.mcp.tools import ClientContext, Tool, flag, list_of, record, text, texts

if TYPE_CHECKING:
    from holdfast.api.memory import Memory

INSTRUCTIONS = (
    "When a session with a codebase has ended, call learn with its log. Its lessons await review by a person;"
    " show the user the bullets."
)
LOG_MAX = 4_000_000
"""Most characters of a log in one call."""


def _learn(memory: Memory, client: ClientContext, arguments: dict[str, Any]) -> dict[str, Any]:
    """Learns from a log and returns the lessons. Raises InvalidInput without a project."""
    project = arguments.get("project", client.project)
    if project is None:
        raise InvalidInput("there is no current project", code="argument_invalid", hint="give project")
    options = {name: arguments[name] for name in ("session_type", "failed", "dry_run") if name in arguments}
    learned = memory.learn(arguments["log"], project=project, **options)
    shown = ("kind", "text", "rule", "outcome", "told", "memory")
    lessons = [
        {name: value for name, value in lesson.as_dict().items() if name in shown and value is not None}
        for lesson in learned.lessons
    ]
    return {
        "bullets": list(learned.bullets),
        "lessons": lessons,
        "steps": learned.steps,
        "skipped": learned.skipped,
        "left_out": learned.left_out,
        "mapped": list(learned.mapped),
    }


_COUNT = {"type": "integer"}

TOOLS = (
    Tool(
        "learn",
        "Learn from a session",
        "Hand in the log of a session with a codebase once it has ended. Rules find what it taught: errors"
        " that were overcome, commands found by trial, repeated searches, files that go together, dead ends,"
        " corrections. Everything waits for a person's review. The same log again adds nothing.",
        record(
            "log",
            log=text(
                "The log: JSON Lines of events (read, edit, write, search, command, web_fetch, web_search,"
                " assistant, user), or a transcript of Claude Code.",
                minLength=1,
                maxLength=LOG_MAX,
            ),
            project=text("Project of the codebase. Default: the current one.", maxLength=200),
            session_type={
                "type": "string",
                "enum": list(SESSION_TYPES),
                "default": "build",
                "description": "Purpose of the session, which limits the number of lessons.",
            },
            failed=flag("The session failed: only dead ends are stored. Default false."),
            dry_run=flag("Store nothing; return the outcome that each candidate would have. Default false."),
        ),
        record(
            "bullets lessons steps skipped left_out mapped",
            bullets=texts("What was learned, in three to five lines, for the user."),
            lessons=list_of(
                record(
                    "kind text rule outcome told",
                    kind=text("Its kind."),
                    text=text("Its text."),
                    rule=text("The rule that found it."),
                    outcome=text("Outcome: pending (awaits review), duplicate (already known), refused."),
                    told=text("Why."),
                    memory=text("Id of the memory."),
                )
            ),
            steps=_COUNT | {"description": "Steps in the log."},
            skipped=_COUNT | {"description": "Unusable entries of the log."},
            left_out=_COUNT | {"description": "Candidates beyond the limit of the session type."},
            mapped=texts("Modules of the map whose confidence rose."),
        ),
        _learn,
        ("learn",),
        repeatable=True,
    ),
)
