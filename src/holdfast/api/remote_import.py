"""Importing through a service: sends a file, follows the job that keeps its items, and returns the report."""

from __future__ import annotations

import io
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from holdfast.api.import_report import Report
from holdfast.api.remote import Remote
from holdfast.core.errors import CODES, HoldfastError, only_local
from holdfast.core.jobs import Job
from holdfast.core.times import to_millis
from holdfast.features.transfer.formats import files, folder
from holdfast.features.transfer.formats.assemble import Assembler
from holdfast.features.transfer.formats.containers import unpacked_export
from holdfast.features.transfer.formats.model import PLATFORMS, REST, Skipped

if TYPE_CHECKING:
    from holdfast.api.import_target import ImportOptions
    from holdfast.api.memory import Memory

AT_ONCE_MAX = 256 << 10
"""Bytes of a file whose items are kept while the caller waits; a larger one becomes a job."""
LOOK_SECONDS = 0.5
"""Between two looks at how far a job is."""


def upload(
    memory: Memory,
    path: Path,
    *,
    format: str | None = None,
    dry_run: bool = False,
    advance: Callable[[int], None] = lambda _: None,
    expect: Callable[[int | None], None] = lambda _: None,
    **options: Unpack[ImportOptions],
) -> Report:
    """Imports a file or a folder into the memory of a service and returns the report; of a folder the files
    that are read are sent as an archive. Of a large file it says of refused and skipped items only how many
    there are. `expect` is called with the number of items of a job, None while it is unknown. Raises
    InvalidInput; HoldfastError with the code of a job that failed, or `only_local`: only beside the store a
    person can vouch for an export."""
    backend = memory._backend
    if options.pop("vouched", False) or not isinstance(backend, Remote):
        raise only_local()
    if path.is_dir():
        content, name, skipped = packed(path, format)
    else:
        name, skipped = path.name, ()
        with files.open_file(path) as stream:
            content = stream.read()
    sent = {"filename": name, "format": format, "dry_run": dry_run, **options}
    response = backend.upload(content, sent, as_job=len(content) > AT_ONCE_MAX)
    if "outcomes" in response:
        report = _report(response)
        advance(report.total)
    else:
        job = _followed(memory, Job.from_dict(response), advance, expect)
        report = _report({**job.result, "name": name})
    report.project = options.get("project")
    report.leave_out(skipped)
    return report


def packed(path: Path, format: str | None) -> tuple[bytes, str, tuple[Skipped, ...]]:
    """Returns an archive of the files of a folder that an import reads, its name, and the files left out."""
    notice, archive = Assembler(), io.BytesIO()
    export = unpacked_export(path) if format is None or format in PLATFORMS else None
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        if export is not None:
            for document in export.documents(notice.skip):
                target.writestr(_entry(document.name), document.stream.read())
        else:
            for file in folder.below(path, notice.skip):
                with files.open_file(path / file.name) as stream:
                    target.writestr(_entry(file.name), stream.read())
    return archive.getvalue(), f"{path.resolve().name}.zip", notice.skipped


def _entry(name: str) -> zipfile.ZipInfo:
    """Returns an entry of an archive without a time, so that the same files are the same bytes."""
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def _followed(
    memory: Memory, job: Job, advance: Callable[[int], None], expect: Callable[[int | None], None]
) -> Job:
    """Waits for the end of a job and returns it as it is then."""
    done = 0
    while job.is_open:
        time.sleep(LOOK_SECONDS)
        job = memory.jobs.get(job.id)
        expect(job.total)
        advance(max(0, job.done - done))
        done = max(done, job.done)
    if "outcomes" not in job.result:
        code = job.error if job.error in CODES else "internal_error"
        raise HoldfastError(
            f"the import was not finished: {job.error or job.state.value}", code=code,
            hint=f"holdfast jobs show {job.id}",
        )  # fmt: skip
    return job


def _report(value: Mapping[str, Any]) -> Report:
    """Returns the report of a response, or of the result of a job, whose skipped items are a number."""
    expiring, skipped = value["expiring"], value["skipped"]
    if isinstance(skipped, int):
        rest = [Skipped("", f"{REST} that is not known here", 1)] if value["breaks_off"] else []
        others = skipped - len(rest)
        skipped = (*rest, *([Skipped("", "the job names no reasons", others)] if others > 0 else ()))
    else:
        skipped = tuple(
            Skipped(entry["where"], entry["reason"], entry["count"], entry["what"]) for entry in skipped
        )
    first, last = expiring["first"], expiring["last"]
    return Report(
        value["format"], value["name"], value["sha256"], value["dry_run"],
        elsewhere=Counter({entry["project"]: entry["count"] for entry in value["elsewhere"]}),
        moved=Counter(value["moved"]),
        items=Counter(value["items"]), outcomes=Counter(value["outcomes"]),
        redactions=Counter(value["redactions"]), reasons=Counter(value["reasons"]),
        refused=list(value.get("refused", ())), skipped=skipped, expiring=expiring["count"],
        expires_first=None if first is None else to_millis(first),
        expires_last=None if last is None else to_millis(last), untimed=value["untimed"],
        personal=value["personal"],
        foreign=value["foreign"], counted=value["account"],
        missing=list(value["missing"]["conversations"]), missing_count=value["missing"]["count"],
    )  # fmt: skip
