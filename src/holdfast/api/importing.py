"""Import of exports from other programs and from Holdfast itself, with a report on every item."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from holdfast.api.import_report import Report
from holdfast.core.errors import InvalidInput

if TYPE_CHECKING:
    from holdfast.api.import_target import ImportOptions
    from holdfast.api.memory import Memory
    from holdfast.features.transfer.formats.opening import OpenedImport


class ImportInterrupted(KeyboardInterrupt):
    """An interrupt of an import by the user; `report` says what was stored before it."""

    def __init__(self, report: Report) -> None:
        super().__init__("the import was interrupted")
        self.report = report


def import_path(
    memory: Memory,
    path: Path | str,
    *,
    format: str | None = None,
    dry_run: bool = False,
    advance: Callable[[int], None] = lambda _: None,
    **options: Unpack[ImportOptions],
) -> Report:
    """Imports a file of any supported format, an unpacked export or a folder of notes, and reports the
    outcome of every item.

    Items go to a `project`, a `workspace` and with a `visibility`; a conversation that is already in another
    project stays there, gets its new messages there, and is counted as `elsewhere`. What was forgotten in
    its place is not stored again, and reported as `forgotten`; `with_forgotten`, which takes a person, stores
    it. Reads and stores in batches, so memory use does not grow with the file. Repeating or resuming an
    import stores nothing twice. With `moves`, what an import brought into another project before is moved to
    `project`. With `dry_run` nothing is stored, and the report says what would be. `advance` is called with
    each number of items done. An export of Holdfast that this store has not signed is an import like any
    other, unless `vouched`: a person in person says that it is their own, which takes the store itself.
    Raises InvalidInput for a file that cannot be read, AccessDenied for a Holdfast export imported by an
    agent.
    """
    from holdfast.features.transfer.formats.opening import open_import

    if memory.is_remote:
        from holdfast.api.remote_import import upload

        return upload(memory, Path(path), format=format, dry_run=dry_run, advance=advance, **options)
    with open_import(path, format) as file:
        return keep(memory, file, dry_run=dry_run, advance=advance, **options)


def import_bytes(
    memory: Memory,
    data: bytes,
    *,
    filename: str = "",
    format: str | None = None,
    dry_run: bool = False,
    advance: Callable[[int], None] = lambda _: None,
    **options: Unpack[ImportOptions],
) -> Report:
    """Imports bytes in memory, such as an upload, as `import_path` does; `filename` only helps to detect
    the format.
    """
    from holdfast.features.transfer.formats.opening import opened_bytes

    with opened_bytes(data, filename, format) as file:
        return keep(memory, file, dry_run=dry_run, advance=advance, **options)


def keep(
    memory: Memory,
    export: OpenedImport,
    *,
    dry_run: bool = False,
    advance: Callable[[int], None] = lambda _: None,
    gives_way: bool = False,
    **options: Unpack[ImportOptions],
) -> Report:
    """Stores an opened export in batches of about a thousand items. A conversation that is already in
    another project stays there and gets its new messages there; with `moves` it is moved, and so is the
    knowledge of an earlier import of the same export. With `gives_way`, what belongs to a project of the
    export goes there. Raises ImportInterrupted, with the report so far, if the user stops it; InvalidInput
    for a move to no project.
    """
    from holdfast.api.import_session import Intake
    from holdfast.api.import_target import Target

    target = Target(gives_way=gives_way, **options)
    if target.moves and target.project is None:
        raise InvalidInput("moving needs a target project: give one", code="argument_invalid")
    report = Report(export.format, export.name, export.sha256, dry_run, target.project)
    intake = Intake(memory, export, target, report, advance)
    try:
        intake.run()
    except KeyboardInterrupt as error:
        report.interrupted = True
        raise ImportInterrupted(report) from error
    finally:
        report.skipped = (*export.skipped(), *intake.skipped)
    if not report.breaks_off:
        intake.find_missing()
    return report
