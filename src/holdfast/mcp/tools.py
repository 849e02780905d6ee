"""Tools: their schemas and hints, and calls in which every error becomes a result."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from holdfast.core.arguments import LIMIT_MAX, safe_repr
from holdfast.core.errors import AccessDenied, HoldfastError, InvalidInput, NotFound

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.core.record import Change
    from holdfast.core.record import Memory as Record

Schema = dict[str, Any]
Returned = TypeVar("Returned")
log = logging.getLogger("holdfast.mcp")

TEXT_MAX = 20_000
"""Most characters of an argument whose schema states no limit of its own. Stating it would cost every session
context."""
ITEMS_MAX = 500
"""Most items of a list without a limit of its own."""
NO_PROJECT = "no project: give one in the call, or ask the user to start the server with --project NAME"


@dataclass(frozen=True, slots=True)
class ClientContext:
    """The place of a client: its project and session.

    A client with a project is bound to it: it can name another only with `all_projects`, and from outside of
    projects it reads preferences about work only, unless it is allowed what is `personal`. `folder` is the
    real path in which the client works, if that is on this machine.
    """

    project: str | None = None
    session: str | None = None
    all_projects: bool = False
    personal: bool = False
    folder: str | None = None

    @property
    def is_bound(self) -> bool:
        """Returns whether it may name no project but its own."""
        return self.project is not None and not self.all_projects

    @property
    def has_personal(self) -> bool:
        """Returns whether its view includes what belongs to no project and says nothing of work."""
        return self.project is None or self.personal or self.all_projects

    def check(self, arguments: Mapping[str, Any]) -> None:
        """Raises AccessDenied `not_permitted` for a call that names another project."""
        if self.is_bound and arguments.get("project", self.project) != self.project:
            raise AccessDenied(
                f"this server is bound to project {safe_repr(self.project)}",
                code="not_permitted",
                hint="leave project out; the user can start the server with --all-projects",
            )

    def reaches_out(self, arguments: Mapping[str, Any]) -> bool:
        """Returns whether a call writes what agents of other projects would read; a person approves that."""
        return bool(arguments.get("personal")) and not self.has_personal

    def target(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the place to write to: the user's own, a named project, or the client's. Raises
        InvalidInput."""
        if not arguments.get("personal"):
            return self._named_place(arguments)
        if "project" in arguments:
            raise InvalidInput(
                "a memory is personal or belongs to a project, not both", code="argument_invalid"
            )
        return {}

    def source(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the place to read from, and whether personal notes are part of it."""
        return {**self._named_place(arguments), "personal": self.has_personal}

    def _named_place(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        if "project" in arguments:
            return {"project": arguments["project"]}
        return {"project": self.project, "session": self.session}

    def place_to_list(self, memory: Memory, place: dict[str, Any]) -> dict[str, Any]:
        """Returns a place to list: the project of a client that has one, else the one of its session."""
        session, project = place.get("session"), place["project"]
        if session is not None and project is None:
            with suppress(NotFound):
                project = memory.sessions.get(session).project
        return {**place, "session": None, "project": project}

    def own(self, memory: Memory, id: str) -> Record:
        """Returns a memory that the client may have. Raises NotFound for any other."""
        record = memory.get(id)
        if not self.sees(record) or not self._is_connected(memory, record):
            raise NotFound(f"there is no memory {safe_repr(id, 60)}", code="memory_not_found")
        return record

    def _is_connected(self, memory: Memory, record: Record) -> bool:
        """Returns whether a passage is of a folder that the client's project is connected to."""
        if not self.is_bound or record.kind != "passage":
            return True
        folders = (status.folder for status in memory.folders.list())
        return any(folder.id == record.source and self.project in folder.projects for folder in folders)

    def changes(self, memory: Memory, id: str) -> list[Change]:
        """Returns the history of a memory that the client may have, since it was last moved: what was before
        may have been written in another project. Of what it has from outside of projects, for being about
        work, it begins with the present version: what was before may be personal. Raises NotFound."""
        record = self.own(memory, id)
        changes = list(memory.history(id))
        if not self.is_bound:
            return changes
        if record.project is None and not self.has_personal:
            now = (i for i, change in enumerate(changes) if change.version == record.version)
            return changes[next(now, len(changes)) :]
        moves = (i for i, change in enumerate(changes) if "project" in change.detail)
        return changes[max(moves, default=0) :]

    def sees(self, memory: Record) -> bool:
        """Returns whether a memory that was found by its id is one that the client may have."""
        from holdfast.language.work import is_for_work

        if self.project is None or memory.project == self.project or memory.kind == "passage":
            return True
        if memory.project is not None:
            return self.all_projects
        return self.has_personal or is_for_work(memory)

    def describe(self, arguments: Mapping[str, Any]) -> str:
        """Describes the place of a call with these arguments, since an agent cannot know its client's
        place."""
        project = arguments.get("project", self.project)
        if project is not None:
            return "all projects" if project == "*" else f"project {project}"
        if self.session is not None:
            return f"session {self.session}"
        return NO_PROJECT


@dataclass(frozen=True, slots=True)
class Question:
    """A question that a user answers before a call: what exactly it is about, and its words."""

    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool. `call` gets validated arguments, calls `Memory` once and formats the result.

    `operations` are their names in `access.access`, which the caller must be allowed to use. `reads` marks
    tools that change nothing, `destroys` those that remove something, `repeatable` those for which a second
    call with the same arguments has no further effect. `question` returns what the user has to agree to
    before a call, None if nothing.
    """

    name: str
    title: str
    description: str
    input: Schema
    output: Schema
    call: Callable[[Memory, ClientContext, dict[str, Any]], dict[str, Any]]
    operations: tuple[str, ...]
    reads: bool = False
    destroys: bool = False
    repeatable: bool = False
    question: Callable[[Memory, ClientContext, dict[str, Any]], Question | None] | None = None


def needing_consent(memory: Memory, records: Sequence[Record]) -> list[Record]:
    """Returns those of some memories that an agent takes away only if its user agrees; none if it may not
    take away one of them in any case, since whoever agrees in person for a remote store might."""
    ids, why = [record.id for record in records], dict[str, str | None]()
    for start in range(0, len(ids), LIMIT_MAX):
        rights = memory.review.rights(ids[start : start + LIMIT_MAX])
        why |= {right.id: right.why for right in rights}
    if not {"edited_by_person", "review_by_person"}.isdisjoint(why.values()):
        return []
    return [record for record in records if why.get(record.id) == "person_needed"]


def text(description: str, **limits: Any) -> Schema:
    """Returns the schema of a string."""
    return {"type": "string", "description": description, **limits}


PLACE = text("Place of the call: a project, a session, all projects or none.")
"""The schema of the place in each result."""


def flag(description: str) -> Schema:
    """Returns the schema of a boolean."""
    return {"type": "boolean", "description": description}


def number(description: str, low: int, high: int, default: int) -> Schema:
    """Returns the schema of an integer within limits."""
    return {
        "type": "integer", "description": description, "minimum": low, "maximum": high, "default": default,
    }  # fmt: skip


def texts(description: str, **limits: Any) -> Schema:
    """Returns the schema of a list of strings."""
    return {"type": "array", "items": {"type": "string", **limits}, "description": description}


def record(required: str = "", **properties: Schema) -> Schema:
    """Returns the schema of an object with exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": required.split(),
        "additionalProperties": False,
    }


def list_of(item: Schema) -> Schema:
    """Returns the schema of a list."""
    return {"type": "array", "items": item}


def without_descriptions(schema: Schema) -> Schema:
    """Returns the schema without descriptions.

    Results explain themselves, and every word of a tool costs context in every session, whether it is called
    or not.
    """
    plain = {
        name: value for name, value in schema.items() if name not in ("description", "properties", "items")
    }
    if "properties" in schema:
        plain["properties"] = {
            name: without_descriptions(property_schema)
            for name, property_schema in schema["properties"].items()
        }
    if "items" in schema:
        plain["items"] = without_descriptions(schema["items"])
    return plain


def bounded(schema: Schema) -> Schema:
    """Returns the schema with a limit for each text and list that states none."""
    limits = {"string": {"maxLength": TEXT_MAX}, "array": {"maxItems": ITEMS_MAX}}
    result = {**limits.get(schema.get("type", ""), {}), **schema}
    if "properties" in schema:
        result["properties"] = {name: bounded(parameter) for name, parameter in schema["properties"].items()}
    if "items" in schema:
        result["items"] = bounded(schema["items"])
    return result


def run_tool(
    tool: Tool, memory: Callable[[], Memory], client: ClientContext, arguments: Mapping[str, Any]
) -> dict[str, Any]:
    """Returns the result of a tool. Raises HoldfastError and nothing else."""
    return _run(tool, tool.call, memory, client, arguments)


def question_of(
    tool: Tool, memory: Callable[[], Memory], client: ClientContext, arguments: Mapping[str, Any]
) -> Question | None:
    """Returns what the user has to agree to before a call, None if nothing. Raises HoldfastError and nothing
    else."""
    return None if tool.question is None else _run(tool, tool.question, memory, client, arguments)


def _run(
    tool: Tool, function: Callable[[Memory, ClientContext, dict[str, Any]], Returned],
    memory: Callable[[], Memory], client: ClientContext, arguments: Mapping[str, Any],
) -> Returned:  # fmt: skip
    """Calls a function of a tool with checked arguments. Raises HoldfastError and nothing else."""
    try:
        check(tool, arguments)
        client.check(arguments)
        return function(memory(), client, dict(arguments))
    except HoldfastError as error:
        if error.code == "memory_not_found":  # its hint names commands, which an agent does not have
            error.hint = "recall and list_memories return ids; the user can restore forgotten memories"
        raise
    except Exception as error:
        # the message may quote a memory, so only the type is logged; --debug shows the rest
        log.error("tool %s: unexpected %s", tool.name, type(error).__name__)
        log.debug("tool %s", tool.name, exc_info=True)
        raise HoldfastError(
            f"unexpected {type(error).__name__}", code="internal_error", hint="please report it"
        ) from None


def check(tool: Tool, arguments: Mapping[str, Any]) -> None:
    """Checks arguments against the schema of a tool. Raises InvalidInput `argument_invalid`.

    The message names arguments and never repeats a value, which may be long, or a secret.
    """
    from jsonschema import Draft202012Validator

    for error in Draft202012Validator(bounded(tool.input)).iter_errors(dict(arguments)):
        if error.validator in ("required", "additionalProperties"):
            message = safe_repr(error.message, 200)[1:-1]
        else:
            message = f"{error.json_path[2:]}: {error.validator} is {safe_repr(error.validator_value, 400)}"
        raise InvalidInput(message, code="argument_invalid", hint=f"see the input schema of {tool.name}")
