"""Routes of places: projects, sessions with their messages, and imports."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated

from fastapi import APIRouter, Path, Query

from holdfast.background import queue_import
from holdfast.domain.errors import InvalidInput
from holdfast.http import answers, extraction_models, models
from holdfast.http.jobs import Prefer, accepted, wants_job
from holdfast.http.memories import told
from holdfast.http.operations import Below, Call, operation
from holdfast.http.response import JSONResponse
from holdfast.importing import import_bytes

AT_ONCE_MAX = 8 << 20
"""Characters or bytes of an export that is imported while its sender waits."""

projects = APIRouter(prefix="/v1", tags=["projects"])
sessions = APIRouter(prefix="/v1", tags=["sessions"])
sources = APIRouter(prefix="/v1", tags=["imports"])

Name = Annotated[str, Path(description="The name of a project.", examples=["shop"])]
SessionId = Annotated[str, Path(description="Your id of a conversation.", examples=["chat-1"])]
SourceId = Annotated[str, Path(description="The id of an import.")]


# projects; names may hold slashes, hence the path converter


@operation(projects, "GET", "/projects", "projects.list", answers.Projects)
def list_projects(call: Call) -> JSONResponse:
    """List all projects by name."""
    return JSONResponse({"projects": [one.as_dict() for one in call.memory.projects.list()]})


@operation(projects, "POST", "/projects", "projects.create", answers.ProjectOut)
def create_project(call: Call, body: models.ProjectIn) -> JSONResponse:
    """Make a project, or change the settings of the one with this name."""
    settings = body.given()
    return JSONResponse(call.memory.projects.create(settings.pop("name"), **settings).as_dict())


@operation(projects, "GET", "/projects/{name:path}", "projects.get", answers.ProjectOut, also=(404,))
def get_project(call: Call, name: Name) -> JSONResponse:
    """Look at one project."""
    return JSONResponse(call.memory.projects.get(name).as_dict())


@operation(projects, "PATCH", "/projects/{name:path}", "projects.update", answers.ProjectOut, also=(404,))
def update_project(call: Call, name: Name, body: models.ProjectChange) -> JSONResponse:
    """Change settings of a project; what is left out stays."""
    return JSONResponse(call.memory.projects.update(name, **body.given()).as_dict())


@operation(projects, "DELETE", "/projects/{name:path}", "projects.delete", answers.ProjectGone, also=(404,))
def delete_project(call: Call, name: Name) -> JSONResponse:
    """Remove a project from the list.

    Your sessions in it live on in the shared pool, your other memories in it are forgotten; what others keep
    in it stays theirs.
    """
    return JSONResponse(call.memory.projects.delete(name).as_dict())


@operation(projects, "POST", "/projects/{name:path}/retag", "projects.retag", answers.Moved, also=(404,))
def retag(call: Call, name: Name, body: models.RetagIn) -> JSONResponse:
    """Move entities, or other kinds of knowledge, to another project."""
    return JSONResponse({"moved": call.memory.projects.retag(name, **body.given())})


# sessions


@operation(sessions, "GET", "/sessions", "sessions.list", answers.Sessions, also=(404,))
def list_sessions(
    call: Call,
    project: str | None = None,
    limit: Annotated[int, Query(json_schema_extra={"minimum": 1, "maximum": 1000})] = 20,
    offset: Annotated[int, Query(json_schema_extra={"minimum": 0})] = 0,
) -> JSONResponse:
    """List conversations, last changed first."""
    found = call.memory.sessions.list(project=project, limit=limit, offset=offset)
    return JSONResponse({"sessions": [one.as_dict() for one in found]})


@operation(sessions, "POST", "/sessions", "sessions.create", answers.SessionOut)
def create_session(call: Call, body: models.SessionIn) -> JSONResponse:
    """Make a conversation, or return the one with this id.

    Not needed before the first message: a conversation that is named is made.
    """
    given = body.given()
    return JSONResponse(call.memory.sessions.create(given.pop("id"), **given).as_dict())


@operation(
    sessions, "GET", "/sessions/{id:path}/messages", "sessions.messages", answers.ConversationOut,
    also=(404,), route=Below,
)  # fmt: skip
def session_messages(
    call: Call,
    id: SessionId,
    limit: Annotated[int, Query(json_schema_extra={"minimum": 1, "maximum": 1000})] = 50,
    cursor: Annotated[str | None, Query(description="From the page before.")] = None,
) -> JSONResponse:
    """Read what was said in a conversation, in its order.

    Messages, episodes and passages, oldest first by the time they speak of. A text that was changed stays at
    its place.
    """
    page = call.memory.sessions.messages(id, limit=limit, cursor=cursor)
    return JSONResponse({"memories": [one.as_dict() for one in page.memories], "cursor": page.cursor})


@operation(sessions, "GET", "/sessions/{id:path}", "sessions.get", answers.SessionOut, also=(404,))
def get_session(call: Call, id: SessionId) -> JSONResponse:
    """Look at one conversation."""
    return JSONResponse(call.memory.sessions.get(id).as_dict())


@operation(sessions, "PATCH", "/sessions/{id:path}", "sessions.move", answers.SessionOut, also=(404,))
def change_session(call: Call, id: SessionId, body: models.SessionChange) -> JSONResponse:
    """Rename a conversation or move it into another project (null: into none).

    Its messages and episodes move with it at once; knowledge stays where it was made.
    """
    given = body.given()
    if not given:
        raise InvalidInput("give a name, a project or both", code="body_invalid")
    session = call.memory.sessions.get(id)
    if "name" in given:
        session = call.memory.sessions.rename(id, given["name"])
    if "project" in given:
        session = call.memory.sessions.move(id, project=given["project"])
    return JSONResponse(session.as_dict())


@operation(sessions, "DELETE", "/sessions/{id:path}", "sessions.delete", answers.Erased, also=(404,))
def delete_session(call: Call, id: SessionId) -> JSONResponse:
    """Erase a conversation with its messages and episodes; knowledge stays."""
    gone = call.memory.sessions.delete(id)
    call.erased()
    return JSONResponse({"memories": gone})


@operation(sessions, "POST", "/sessions/{id:path}/messages", "add_messages", answers.KeptMany, also=(404,))
def add_messages(call: Call, id: SessionId, body: models.MessagesIn) -> JSONResponse:
    """Keep messages of a conversation.

    One outcome each, in order. The same id again is kept once; a changed text becomes a new version.
    """
    kept = call.memory.add_messages(**body.given(), session=id)
    call.count(kept)
    return JSONResponse({"results": [one.as_dict() for one in kept]})


@operation(sessions, "POST", "/extract", "extract", extraction_models.ExtractionOut, also=(404,))
def extract(call: Call, body: extraction_models.ExtractIn) -> JSONResponse:
    """Find what the user said of themselves.

    Rules for English and Chinese read the user's messages of a session or an import, each once, or a text.
    What is uncertain, holds personal data or follows a web search waits for review, as all does that comes
    from a text.
    """
    return JSONResponse(call.memory.extract(**body.given()).as_dict())


@operation(
    sessions, "POST", "/sessions/{id:path}/episodes", "add_episode", answers.KeptOut, status=201,
    also=(404,), others={200: answers.KeptOut},
)  # fmt: skip
def add_episode(call: Call, id: SessionId, body: models.EpisodeIn) -> JSONResponse:
    """Keep one exchange of a conversation as one memory."""
    return told(call, call.memory.add_episode(**body.given(), session=id))


# imports


@operation(sources, "GET", "/sources", "sources.list", answers.Sources)
def list_sources(call: Call) -> JSONResponse:
    """List imports, oldest first."""
    return JSONResponse({"sources": [one.as_dict() for one in call.memory.sources.list()]})


@operation(sources, "POST", "/sources", "sources.add", answers.SourceOut)
def add_source(call: Call, body: models.SourceIn) -> JSONResponse:
    """Register an import, or return the one with the same content."""
    given = body.given()
    platform, sha256 = given.pop("platform"), given.pop("sha256")
    return JSONResponse(call.memory.sources.add(platform, sha256, **given).as_dict())


@operation(sources, "DELETE", "/sources/{id}", "sources.delete", answers.Erased, also=(404,))
def delete_source(call: Call, id: SourceId, hard: bool = False) -> JSONResponse:
    """Remove an import with the messages, episodes and passages that came from it.

    They are forgotten, or with `hard` erased; what was learned from them stays.
    """
    gone = call.memory.sources.delete(id, hard=hard)
    if hard:
        call.erased()
    return JSONResponse({"memories": gone})


@operation(sources, "POST", "/import", "import", answers.ImportOut, others={202: answers.JobOut})
def import_(call: Call, body: models.ImportIn, prefer: Prefer = None) -> JSONResponse:
    """Keep what another program exported and account for every item.

    Reads exports of ChatGPT, Claude and Gemini, lists of messages, text with roles, notes, the memories of
    other programs and Holdfast's own export. Importing again keeps nothing twice. With
    `Prefer: respond-async`, and above 8 MiB in any case, it is a job, and the answer 202.
    """
    content = _content(body)
    asked = wants_job(prefer)
    if asked or len(content) > AT_ONCE_MAX:
        options = body.model_dump(exclude={"content", "content_base64"})
        return accepted(queue_import(call.memory._service, content, **options), asked=asked)
    report = import_bytes(
        call.memory, content, filename=body.filename, format=body.format, project=body.project,
        visibility=body.visibility, workspace=body.workspace,
    )  # fmt: skip
    return JSONResponse(report.as_dict())


def _content(body: models.ImportIn) -> bytes:
    if (body.content is None) == (body.content_base64 is None):
        raise InvalidInput("give either content or content_base64", code="body_invalid")
    if body.content is not None:
        return body.content.encode("utf-8", "replace")
    try:
        return base64.b64decode(body.content_base64 or "", validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidInput("content_base64 is not base64", code="body_invalid") from error
