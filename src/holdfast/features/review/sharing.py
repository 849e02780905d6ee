"""Sharing: an approver in person widens the visibility of a memory; a member requests it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.cursors import bad_cursor
from holdfast.core.errors import Conflict, InvalidInput, Refusal
from holdfast.core.ids import ID_LENGTH, is_short_for
from holdfast.core.places import Principal, Visibility, approves
from holdfast.core.record import Memory, Status
from holdfast.core.review import Decision, Result, Waiting
from holdfast.core.sharing import Request
from holdfast.core.views import ANY_STATE, View, personal_view
from holdfast.features.access.places import Selection, view_of
from holdfast.features.memories.naming import checked_id
from holdfast.features.service import Service
from holdfast.features.staleness import staleness
from holdfast.stores.base.ports import Patch, Reader, Writer

if TYPE_CHECKING:
    from holdfast.core.events import Event

CURSOR_PREFIX = "asked."
"""Prefix of a cursor of the inbox that points to a request to share."""
_RECENT = 1_000
"""Newest events among which a decision about a request is found to be taken back."""
_SMALL = frozenset({"pin", "unpin", "confirm", "feedback", "extract"})
"""Events after a decision that do not prevent its undo."""
_PERSON = "user:"
_SEEN_BY = {Visibility.TEAM: "the team", Visibility.PROJECT: "all who may open its project"}


def check_is_person(principal: Principal) -> None:
    """Raises Refusal `person_needed` for an agent or a service: they neither share nor request it."""
    if principal.is_machine:
        raise Refusal(
            "only a person may share memories that others cannot see",
            code="person_needed",
            hint="`holdfast review move ID --visibility team`, without an agent",
        )


def ask(service: Service, tx: Writer, memory: Memory, visibility: Visibility, now: int) -> Decision:
    """Stores a member's request that more people may see a memory. Only approvers see its text meanwhile, and
    only in the inbox. Raises InvalidInput for a memory that is not recalled itself."""
    principal = service.principal
    if memory.status is not Status.APPROVED:
        raise InvalidInput(f"memory {memory.id} is {memory.status.value}", code="argument_invalid")
    request = Request(
        memory.id, memory.version, memory.content_hash, memory.place.owner, visibility, principal.label, now
    )
    tx.put_request(request)
    _add_event(service, tx, "ask_to_share", request, now)
    return Decision(
        memory.id, Result.ASKED, memory, f"{_describe_request(request)}; an owner or admin decides"
    )


def withdraw(service: Service, tx: Writer, memory: Memory, now: int) -> Decision | None:
    """Withdraws the request about a memory; returns None if there is none."""
    open_ = tx.requests(personal_view(service.principal), memory.id)
    if not open_:
        return None
    tx.drop_request(memory.id)
    _add_event(service, tx, "withdraw_sharing", open_[0], now)
    return Decision(memory.id, Result.WITHDRAWN, memory, "the request to share it is withdrawn")


def request_about(reader: Reader, service: Service, id: object) -> tuple[Request, Memory] | None:
    """Returns the request about a memory, for an approver; None for everybody else, and if there is none.
    Raises NotFound for an invalid id."""
    if not approves(service.principal):
        return None
    name = checked_id(id)
    whole = name if len(name) == ID_LENGTH else None
    for request in reader.requests(personal_view(service.principal), whole):
        if whole is None and not is_short_for(name, request.id):
            continue
        memory = reader.get(personal_view(Principal(request.owner), ANY_STATE), request.id)
        if memory is not None and request.is_about(memory):
            return request, memory
    return None


def waiting(
    reader: Reader, service: Service, selection: Selection, cursor: str | None
) -> list[tuple[str, Waiting]]:
    """Returns the requests to share, oldest first, for an approver in person; each with the cursor that
    follows it. Place and filters are those that its owner would read with."""
    if not approves(service.principal):
        return []
    after = _position_after(cursor)
    items = []
    for request in reader.requests(personal_view(service.principal)):
        if (request.asked_at, request.id) <= after:
            continue
        memory = reader.get(view_of(reader, Principal(request.owner), selection), request.id)
        if memory is not None and request.is_about(memory):
            memory = staleness.with_staleness(reader, personal_view(service.principal), [memory])[0]
            item = Waiting(
                memory, f"{request.asked_by} {_describe_request(request)}", asks=request.visibility.value
            )
            items.append((f"{CURSOR_PREFIX}{request.asked_at}.{request.id}", item))
    return items


def grant(service: Service, tx: Writer, request: Request, memory: Memory, now: int) -> Decision:
    """Widens the visibility of a memory as requested; the event names the approver. Raises Conflict
    `duplicate_text`."""
    view = personal_view(Principal(request.owner), ANY_STATE)
    try:
        stored = tx.move(view, memory.id, replace(memory.place, visibility=request.visibility))
    except Conflict as error:
        raise Conflict("the same text is already stored there", code="duplicate_text") from error
    tx.drop_request(memory.id)
    stored = without_reason(tx, view, stored, now)
    add_promotion_event(
        service, tx, memory, stored, now, asked_by=request.asked_by, asked_at=request.asked_at
    )
    stored = staleness.with_staleness(tx, personal_view(service.principal), [stored])[0]
    return Decision(stored.id, Result.APPROVED, stored, f"now visible to {_SEEN_BY[request.visibility]}")


def decline(service: Service, tx: Writer, request: Request, now: int) -> Decision:
    """Declines a request; the visibility stays."""
    tx.drop_request(request.id)
    detail = {"asked_by": request.asked_by, "asked_at": request.asked_at}
    _add_event(service, tx, "decline_sharing", request, now, **detail)
    return Decision(request.id, Result.REJECTED, None, "its visibility stays the same")


def recent_events(reader: Reader, service: Service) -> Sequence[Event]:
    """Returns the newest events, among which an approver finds what was decided about requests to share;
    nothing for everybody else."""
    if not approves(service.principal):
        return ()
    view = personal_view(service.principal)
    return list(reader.events(view, after=max(0, reader.head(view).sequence - _RECENT)))


def decision_about(reader: Reader, id: str, recent: Iterable[Event]) -> tuple[Event, Memory] | None:
    """Returns the event in which a request about a memory was decided, if nothing was done to it since, and
    the memory, which an approver need not see otherwise."""
    about = [
        event
        for event in recent
        if event.subject is not None and (event.subject == id or is_short_for(id, event.subject))
    ]
    last = next((event for event in reversed(about) if event.action not in _SMALL), None)
    if last is None or last.subject is None or "asked_at" not in last.detail:
        return None
    owner = Principal(str(last.detail["asked_by"]).removeprefix(_PERSON))
    memory = reader.get(personal_view(owner, ANY_STATE), last.subject)
    return None if memory is None else (last, memory)


def take_back(service: Service, tx: Writer, decision: Event, memory: Memory, now: int) -> Decision:
    """Lets a request wait again that was granted or declined: what was shared is seen by those who saw it
    before. Raises Conflict `duplicate_text`."""
    detail, owner = decision.detail, Principal(memory.place.owner)
    view = personal_view(owner, ANY_STATE)
    if decision.action == "promote":
        place = replace(memory.place, visibility=Visibility(detail["was"]))
        try:
            memory = tx.move(view, memory.id, place)
        except Conflict as error:
            raise Conflict("the same text is already stored there", code="duplicate_text") from error
        narrowed = {"project": None, "was": detail["visibility"], "visibility": detail["was"]}
        tx.add_event(at=now, actor=service.principal.label, action="move", subject=memory.id, detail=narrowed)
    request = Request(
        memory.id, memory.version, memory.content_hash, owner.user, Visibility(detail["visibility"]),
        detail["asked_by"], detail["asked_at"],
    )  # fmt: skip
    tx.put_request(request)
    _add_event(service, tx, "hold", request, now)
    return Decision(memory.id, Result.PENDING, memory, "the request to share it waits again")


def without_reason(tx: Writer, view: View, shared: Memory, now: int) -> Memory:
    """Clears the reason of an approved state, such as a note of feedback, which fewer readers were to see."""
    if shared.status is not Status.APPROVED or shared.status_reason is None:
        return shared
    return tx.patch(view, shared.id, Patch(clear=frozenset({"status_reason"})), now=now)


def add_promotion_event(
    service: Service,
    tx: Writer,
    before: Memory,
    after: Memory,
    now: int,
    *,
    asked_by: str,
    asked_at: int | None = None,
    project: str | None = None,
) -> None:
    """Writes the event of a promotion: its actor is the approver, `asked_by` the requester, and `asked_at`
    the time of the request that was granted, if there was one."""
    detail: dict[str, object] = {
        "was": before.visibility.value, "visibility": after.visibility.value, "asked_by": asked_by,
        "project": project,
    }  # fmt: skip
    detail |= {} if asked_at is None else {"asked_at": asked_at}
    tx.add_event(at=now, actor=service.principal.label, action="promote", subject=after.id, detail=detail)


def _describe_request(request: Request) -> str:
    return f"asks to share it with {_SEEN_BY[request.visibility]}"


def _position_after(cursor: str | None) -> tuple[int, str]:
    """Returns the time and memory id after which a page begins; without a cursor, a position before all.
    Raises InvalidInput."""
    if cursor is None:
        return -1, ""
    at, _, id = cursor.removeprefix(CURSOR_PREFIX).partition(".")
    if not at.isdecimal() or len(at) > 16 or not id:
        raise bad_cursor(cursor)
    return int(at), id


def _add_event(service: Service, tx: Writer, action: str, request: Request, now: int, **more: object) -> None:
    detail = {"visibility": request.visibility.value, **more}
    tx.add_event(at=now, actor=service.principal.label, action=action, subject=request.id, detail=detail)
