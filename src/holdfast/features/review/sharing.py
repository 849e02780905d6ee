"""Sharing: an approver in person widens the visibility of a memory; a member requests it."""

from __future__ import annotations

from dataclasses import replace

from holdfast.core.cursors import bad_cursor
from holdfast.core.errors import Conflict, InvalidInput, Refusal
from holdfast.core.ids import ID_LENGTH, is_short_for
from holdfast.core.places import Principal, Visibility
from holdfast.core.record import Memory, Status
from holdfast.core.review import Decision, Result, Waiting
from holdfast.core.sharing import Request, approves
from holdfast.core.views import ANY_STATE, View, personal_view
from holdfast.features.access.places import Selection, view_of
from holdfast.features.memories.naming import checked_id
from holdfast.features.service import Service
from holdfast.features.staleness import staleness
from holdfast.stores.base.ports import Patch, Reader, Writer

CURSOR_PREFIX = "asked."
"""Prefix of a cursor of the inbox that points to a request to share."""
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
            memory = staleness.marked(reader, personal_view(service.principal), [memory])[0]
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
    add_promotion_event(service, tx, memory, stored, now, asked_by=request.asked_by)
    stored = staleness.marked(tx, personal_view(service.principal), [stored])[0]
    return Decision(stored.id, Result.APPROVED, stored, f"now visible to {_SEEN_BY[request.visibility]}")


def decline(service: Service, tx: Writer, request: Request, now: int) -> Decision:
    """Declines a request; the visibility stays."""
    tx.drop_request(request.id)
    _add_event(service, tx, "decline_sharing", request, now)
    return Decision(request.id, Result.REJECTED, None, "its visibility stays the same")


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
    project: str | None = None,
) -> None:
    """Writes the event of a promotion: its actor is the approver, `asked_by` the requester."""
    detail = {
        "was": before.visibility.value, "visibility": after.visibility.value, "asked_by": asked_by,
        "project": project,
    }  # fmt: skip
    tx.add_event(at=now, actor=service.principal.label, action="promote", subject=after.id, detail=detail)


def _describe_request(request: Request) -> str:
    return f"asks to share it with {_SEEN_BY[request.visibility]}"


def _position_after(cursor: str | None) -> tuple[int, str]:
    if cursor is None:
        return -1, ""
    at, _, id = cursor.removeprefix(CURSOR_PREFIX).partition(".")
    if not at.isdecimal() or len(at) > 16 or not id:
        raise bad_cursor(cursor)
    return int(at), id


def _add_event(service: Service, tx: Writer, action: str, request: Request, now: int) -> None:
    detail = {"visibility": request.visibility.value}
    tx.add_event(at=now, actor=service.principal.label, action=action, subject=request.id, detail=detail)
