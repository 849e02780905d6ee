"""Routes of places: projects, and sessions with their messages."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from holdfast.http import answers, models
from holdfast.http.memories import told
from holdfast.http.operations import Below, Call, operation
from holdfast.http.response import JSONResponse

projects = APIRouter(prefix="/v1", tags=["projects"])
sessions = APIRouter(prefix="/v1", tags=["sessions"])

Name = Annotated[str, Path(description="The name of a project.", examples=["shop"])]
SessionId = Annotated[str, Path(description="Your id of a conversation.", examples=["chat-1"])]


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


@operation(sessions, "PATCH", "/sessions/{id:path}", "sessions.update", answers.SessionOut, also=(404,))
def update_session(call: Call, id: SessionId, body: models.SessionChange) -> JSONResponse:
    """Rename a conversation, move it into another project (null: into none), or both at once.

    Its messages and episodes move with it at once; knowledge stays where it was made.
    """
    return JSONResponse(call.memory.sessions.update(id, **body.given()).as_dict())


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


@operation(
    sessions, "POST", "/sessions/{id:path}/episodes", "add_episode", answers.KeptOut, status=201,
    also=(404,), others={200: answers.KeptOut},
)  # fmt: skip
def add_episode(call: Call, id: SessionId, body: models.EpisodeIn) -> JSONResponse:
    """Keep one exchange of a conversation as one memory."""
    return told(call, call.memory.add_episode(**body.given(), session=id))
