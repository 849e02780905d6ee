"""Import batches of a user: the operations of `Memory.sources`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from holdfast.api.operation import Area, operation
from holdfast.core.sources import Source, SourceMoved
from holdfast.features.access.access import Need
from holdfast.features.transfer import sources


class Sources(Area):
    """Import batches of the user, to which imported memories refer."""

    @operation("POST /sources", Need.IMPORTS, why="an import registers itself", tag="imports")
    def add(
        self,
        platform: str,
        sha256: str,
        *,
        filename: str | None = None,
        message_count: int = 0,
        conversation_count: int = 0,
        metadata: Mapping[str, Any] | None = None,
    ) -> Source:
        """Registers a source, or returns the one with the same content."""
        return sources.add_source(
            self._service,
            platform,
            sha256,
            filename=filename,
            message_count=message_count,
            conversation_count=conversation_count,
            metadata=metadata,
        )

    @operation(
        "GET /sources", Need.IMPORTS, command="sources list", changes=False, key="sources", tag="imports"
    )
    def list(self, *, sha256: str | None = None) -> Sequence[Source]:
        """Returns all sources, oldest first; with the SHA-256 of a file only the one of that file."""
        return sources.list_sources(self._service, sha256)

    @operation("POST /sources/{id}/move", Need.IMPORTS, command="sources move", tag="imports")
    def move(self, id: str, *, project: str | None) -> SourceMoved:
        """Moves all that came from a source to a project, or with None out of all projects: conversations
        with their messages, and knowledge. Raises NotFound.
        """
        return sources.move_source(self._service, id, project)

    @operation(
        "DELETE /sources/{id}",
        Need.IMPORTS,
        command="sources delete",
        key="memories",
        erases="hard",
        tag="imports",
    )
    def delete(self, id: str, *, hard: bool = False) -> int:
        """Deletes a source; messages, episodes and passages that came from it are forgotten, or with `hard`
        erased. Knowledge stays. Returns the number of memories removed. Raises NotFound.
        """
        return sources.delete_source(self._service, id, hard=hard)
