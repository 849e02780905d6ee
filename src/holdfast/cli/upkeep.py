"""`holdfast doctor`, `maintain` and `audit`: is everything in order, and who did what."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TextIO

import click

from holdfast.cli import output
from holdfast.cli.face import Face, command, group, pass_face
from holdfast.core.errors import Damaged, InvalidInput

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.features.maintenance.doctor import Report


@command()
@click.option(
    "--accept-loss", is_flag=True, help="Accept the store as it is, after you rolled it back on purpose."
)
@pass_face
def doctor(face: Face, accept_loss: bool) -> int:
    """Check the store, its index and its audit log."""
    if accept_loss:
        with face.open() as memory:
            memory.accept_loss()
    with face.open() as memory:
        report = _examined(memory)
    if face.json:
        output.json(report.as_dict() | ({} if report.stored is None else {"stored": report.stored}))
        return 0 if report.healthy else Damaged.exit_status
    output.say(report.location, bold=True)
    rows = (
        ("memories", _of_all(report)),
        ("events", f"{report.events:,}"),
        ("model", report.model),
        ("vectors", f"{report.waiting:,} missing"),
        ("jobs", f"{report.jobs_waiting:,} pending, {report.jobs_buried:,} failed"),
        ("encryption", report.encryption),
    )
    for name, value in rows:
        click.echo(click.style(f"{name:<12}", dim=True) + value)
    for problem in report.problems:
        output.say(f"problem: {problem}", fg="red")
    if report.healthy:
        output.done("No problems found.")
    if report.jobs_buried:
        output.note("List failed jobs: holdfast jobs list --state error (and --state timeout)")
    if report.waiting:
        output.note("Compute the missing vectors: holdfast maintain")
    return 0 if report.healthy else Damaged.exit_status


def _of_all(report: Report) -> str:
    own = f"{report.memories:,} that you see"
    return own if report.stored is None else f"{report.stored:,}, {own}"


def _examined(memory: Memory) -> Report:
    """Returns the report of `doctor`, with progress for a local store."""
    if memory.is_remote:
        return memory.doctor()
    from holdfast.cli.progress import progress
    from holdfast.features.maintenance.doctor import examine

    with progress("memories checked") as advance:
        return examine(memory._service, advance=advance)


@command()
@pass_face
def maintain(face: Face) -> int:
    """Compute missing vectors and rebuild the index."""
    from holdfast.cli.progress import progress

    made = failed = 0
    with face.open() as memory, progress("making vectors") as advance:
        while True:
            done, failed = memory.maintain()
            made += done
            advance(done)
            if not done:
                break
    if face.json:
        output.json({"made": made, "failed": failed})
    elif failed:
        output.say(f"{output.pluralize(made, 'vector')} made, {failed:,} failed.", fg="yellow")
        output.note("Until then these texts are found by their words. Run it again later.")
    else:
        output.done(f"{output.pluralize(made, 'vector')} made." if made else "No vectors are missing.")
    return 1 if failed else 0


@group(invoke_without_command=True)
@click.pass_context
def audit(ctx: click.Context) -> None:
    """Verify or list the audit log."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(verify)


@audit.command()
@click.option("--certificate", metavar="FILE", type=click.File(), help="Also check this certificate.")
@pass_face
def verify(face: Face, certificate: TextIO | None) -> int:
    """Verify that no event was changed, removed or reordered."""
    with face.open() as memory:
        if certificate is not None:
            return _check(face, memory, certificate.read())
        events = memory.audit.verify()
    if face.json:
        output.json({"events": events, "verified": True})
    else:
        output.done(f"The chain of {output.pluralize(events, 'event')} verifies.")
    return 0


def _check(face: Face, memory: Memory, text: str) -> int:
    """Checks a certificate, by itself or in what `delete-all --json` printed."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"the certificate is not JSON: {error}", code="argument_invalid") from error
    inner = content.get("certificate") if isinstance(content, dict) else None
    result = memory.audit.check(inner or content)
    if face.json:
        output.json(result.as_dict())
        return 0 if result.holds else Damaged.exit_status
    if result.holds:
        output.done("The certificate holds: signed by this store, in its chain, and nothing came back.")
        return 0
    if not result.signed:
        output.say("problem: this store did not sign it, or it was changed", fg="red")
    if not result.in_chain:
        output.say("problem: the chain of events does not hold that event", fg="red")
    if result.back and content.get("member"):
        output.say(f"problem: {content['member']} is a member again", fg="red")
    elif result.back:
        output.say(
            f"problem: {output.pluralize(result.back, 'memory', 'memories')} of it came back", fg="red"
        )
    return Damaged.exit_status


@audit.command("certificate")
@click.argument("event", type=click.IntRange(min=1))
@pass_face
def certificate_of(face: Face, event: int) -> None:
    """Issue the certificate of an erasure or of a removed member.

    EVENT is its number in `holdfast audit list`. Check it later with `holdfast audit verify --certificate`.
    """
    with face.open() as memory:
        output.json(memory.audit.certificate(event).as_dict())


@audit.command("list")
@click.option(
    "--after", type=click.IntRange(min=0), default=0, metavar="N", help="Only events after event N."
)
@click.option("--before", type=click.IntRange(min=0), metavar="N", help="Only events before event N.")
@click.option("--newest-first", is_flag=True, help="The last events first.")
@click.option("--limit", "-n", type=click.IntRange(min=1), default=100, metavar="N", help="Default 100.")
@pass_face
def list_(face: Face, after: int, before: int | None, newest_first: bool, limit: int) -> None:
    """List events, oldest first."""
    with face.open() as memory:
        page = memory.audit.list(after=after, before=before, newest_first=newest_first, limit=limit)
        events = [event.as_dict() for event in page]
    if face.json:
        output.json({"events": events})
        return
    rows = [
        (
            str(event["sequence"]),
            output.minute(event["at"]),
            event["actor"],
            event["action"],
            event["subject"]
            or ", ".join(f"{name} {_plain(value)}" for name, value in event["detail"].items()),
        )
        for event in events
    ]
    output.table(("event", "at", "who", "what", "about"), rows)
    if len(events) == limit:
        end = "--newest-first --before" if newest_first else "--after"
        output.note(f"More: holdfast audit list {end} {events[-1]['sequence']}")


def _plain(value: object) -> str:
    """Returns a detail of an event in words; of a collection only its size, since --json has all of it."""
    if isinstance(value, dict | list):
        return f"of {output.pluralize(len(value), 'memory', 'memories')}" if value else "none"
    return "-" if value is None else str(value)
