"""Names that a shell completes: projects, folders, clients, memories that wait for review."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem

    from holdfast.api.memory import Memory


def project_names(memory: Memory, incomplete: str) -> list[str]:
    """Returns the names of projects that begin with what was typed."""
    return [project.name for project in memory.projects.list() if project.name.startswith(incomplete)]


def folder_names(memory: Memory, incomplete: str) -> list[str]:
    """Returns the names of folders that begin with what was typed."""
    slugs = [folder.folder.slug for folder in memory.folders.list()]
    return [slug for slug in slugs if slug.startswith(incomplete)]


def pending_ids(memory: Memory, incomplete: str) -> list[CompletionItem]:
    """Returns the ids that begin with what was typed of memories that wait for review, each with its text."""
    from click.shell_completion import CompletionItem

    from holdfast.cli.output import one_line
    from holdfast.core.ids import short_id

    waiting = [item.memory for item in memory.review.inbox().items]
    items = [(short_id(memory.id), one_line(memory.text, 60)) for memory in waiting]
    return [CompletionItem(id, help=text) for id, text in items if id.startswith(incomplete)]


def complete_clients(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """Returns the clients whose names begin with what was typed."""
    from holdfast.integrations.agents.clients import CLIENTS

    return [name for name in CLIENTS if name.startswith(incomplete)]
