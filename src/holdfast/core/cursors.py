"""Page cursors: what came last on a page, in names that its reader saw, so nothing of other places."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import InvalidInput
from holdfast.core.projects import Session
from holdfast.core.record import Memory
from holdfast.core.value_classes import value_class


def cursor_after(memories: Sequence[Memory], limit: int) -> str | None:
    """Returns the cursor that follows the first `limit` memories, or None if there are no more."""
    return f"{memories[limit - 1].id}.{memories[limit - 1].version}" if len(memories) > limit else None


def cursor_parts(cursor: object) -> tuple[str, int]:
    """Returns id and version of a cursor. Raises InvalidInput `cursor_invalid`."""
    if not isinstance(cursor, str) or not cursor.isprintable():
        raise bad_cursor(cursor)
    id, _, version = cursor.rpartition(".")
    if not (version.isascii() and version.isdigit() and len(version) < 10):
        raise bad_cursor(cursor)
    return id, int(version)


@value_class
class SessionMark:
    """The last session of a page: when it was changed, its id, and the name of its project."""

    updated_at: int
    id: str
    project: str | None


def session_cursor(session: Session) -> str:
    """Returns the cursor that follows a session in a list of sessions."""
    mark = [session.updated_at, session.external_id, session.project]
    return base64.urlsafe_b64encode(json.dumps(mark).encode()).decode().rstrip("=")


def session_mark(cursor: object) -> SessionMark | None:
    """Returns the session that a cursor follows; None for no cursor. Raises InvalidInput `cursor_invalid`."""
    if cursor is None:
        return None
    try:
        if not isinstance(cursor, str) or len(cursor) > 10_000:
            raise ValueError
        content = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        updated_at, id, project = json.loads(content)
        if type(updated_at) is not int or abs(updated_at) >= 1 << 63 or not isinstance(id, str):
            raise ValueError
        if not isinstance(project, str | None) or not (id + (project or "")).isprintable():
            raise ValueError
        return SessionMark(updated_at, id, project)
    except (ValueError, TypeError, RecursionError):
        raise bad_cursor(cursor) from None


def bad_cursor(cursor: object) -> InvalidInput:
    """Builds the error for a malformed cursor, or one whose memory was erased."""
    return InvalidInput(
        f"{safe_repr(cursor, 60)} is not a page cursor", code="cursor_invalid", hint="start again"
    )
