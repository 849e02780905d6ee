"""Import of exports from other programs and from Holdfast itself, with a report on every item."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.api.import_report import Report
from holdfast.core.errors import only_local

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.features.transfer.formats.opening import OpenedImport


def import_path(
    memory: Memory,
    path: Path | str,
    *,
    format: str | None = None,
    project: str | None = None,
    workspace: str | None = None,
    visibility: str | None = None,
    with_forgotten: bool = False,
    dry_run: bool = False,
    advance: Callable[[int], None] = lambda _: None,
) -> Report:
    """Imports a file of any supported format, or a folder of notes, and reports the outcome of every item.

    What was forgotten in its place is not stored again, and reported as `forgotten`; `with_forgotten`, which
    takes a person, stores it. Reads and stores in batches, so memory use does not grow with the file.
    Repeating or resuming an import stores nothing twice. With `dry_run` nothing is stored, and the report
    says what would be. `advance` is called with each number of items done. Through a service only files can
    be imported, and not with `dry_run`. Raises InvalidInput for a file that cannot be read, AccessDenied for
    a Holdfast export imported by an agent.
    """
    from holdfast.features.transfer.formats.opening import opened

    if memory.is_remote:
        from holdfast.api.remote_import import upload

        if dry_run:
            raise only_local()
        return upload(
            memory, Path(path), format=format, project=project, workspace=workspace, visibility=visibility,
            with_forgotten=with_forgotten, advance=advance,
        )  # fmt: skip
    with opened(path, format) as found:
        return keep(
            memory, found, project, workspace, visibility, with_forgotten=with_forgotten, dry_run=dry_run,
            advance=advance,
        )  # fmt: skip


def import_bytes(
    memory: Memory,
    data: bytes,
    *,
    filename: str = "",
    format: str | None = None,
    project: str | None = None,
    workspace: str | None = None,
    visibility: str | None = None,
    with_forgotten: bool = False,
    dry_run: bool = False,
    advance: Callable[[int], None] = lambda _: None,
) -> Report:
    """Imports bytes in memory, such as an upload, as `import_path` does; `filename` only helps to detect
    the format.
    """
    from holdfast.features.transfer.formats.opening import opened_bytes

    with opened_bytes(data, filename, format) as found:
        return keep(
            memory, found, project, workspace, visibility, with_forgotten=with_forgotten, dry_run=dry_run,
            advance=advance,
        )  # fmt: skip


def keep(
    memory: Memory,
    found: OpenedImport,
    project: str | None,
    workspace: str | None,
    visibility: str | None,
    *,
    dry_run: bool,
    advance: Callable[[int], None],
    gives_way: bool = False,
    with_forgotten: bool = False,
) -> Report:
    """Stores an opened export in batches of about a thousand items. With `gives_way`, a conversation that
    is already in another project stays there and gets its new messages there; otherwise that is a conflict.
    """
    from holdfast.api.import_session import Intake, Target

    report = Report(found.format, found.name, found.sha256, dry_run, project)
    intake = Intake(
        memory, found, Target(project, workspace, visibility, gives_way, with_forgotten), report, advance
    )
    try:
        intake.run()
    finally:
        report.skipped = (*found.skipped(), *intake.skipped)
    return report
