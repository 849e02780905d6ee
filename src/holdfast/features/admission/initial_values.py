"""Initial origin, confidence, status and times of a new memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from holdfast.core.arguments import checked_confidence
from holdfast.core.errors import InvalidInput, Refusal
from holdfast.core.kinds import EXCLUSION, Kind
from holdfast.core.places import Principal, Visibility
from holdfast.core.record import PERSONAL_RISK, Origin, Status, origin_of, status_of
from holdfast.core.times import DAY, NEVER, UNSTATED, When, to_millis

if TYPE_CHECKING:
    from holdfast.features.admission.draft import Draft

APPROVED_FROM = 0.60
"""Minimum confidence of knowledge that needs no review (S2.14)."""
DEFAULT_CONFIDENCE = 0.6
PII_WAITS = PERSONAL_RISK
"""Minimum risk of personal data at which a text that others would see has to be reviewed (S2.15)."""
PERSONAL = "holds personal data such as an e-mail address or phone number, and others would see it"
BY_PERSON = "only a person decides what is never remembered"
_UNTRUSTED = {Origin.WEB: "the web", Origin.TOOL: "a tool", Origin.MODEL: "a language model"}
_STATED_BY_MACHINES = (None, Origin.AGENT, Origin.TOOL, Origin.WEB)
UNTRUSTED_FACTOR = 0.7
"""Factor of the confidence of text from a tool or the web (S4.45)."""


def confidence_at_start(value: object, principal: Principal) -> float:
    """Returns the confidence, by default 0.6; of a machine at most what it may state. Raises InvalidInput
    `confidence_invalid`."""
    if value is None:
        return DEFAULT_CONFIDENCE
    value = checked_confidence(value)
    if not principal.is_machine:
        return float(value)
    from holdfast.core.review import MACHINE_CONFIDENCE_MAX

    return min(float(value), MACHINE_CONFIDENCE_MAX)


def origin_at_start(draft: Draft, principal: Principal) -> Origin:
    """Returns the origin of a draft, by default the agent or the person who acts. What a machine imports is
    its own word. Raises Refusal `person_needed` for a machine that states another origin than its own, unless
    it makes the text wait for review."""
    stated = None if draft.origin is None else origin_of(draft.origin)
    origin = draft.taken_from or stated
    if not principal.is_machine:
        return origin or Origin.USER
    if origin is Origin.USER or (draft.taken_from is None and stated not in _STATED_BY_MACHINES):
        as_whom = "as a person" if origin is Origin.USER else f"with the origin {stated}"
        raise Refusal(
            f"only a person states something {as_whom}",
            code="person_needed",
            hint="leave the origin out: what an agent writes is marked as said by an agent",
        )
    return Origin.AGENT if origin in (None, Origin.IMPORT) else origin


def status_at_start(
    draft: Draft, kind: Kind, origin: Origin, confidence: float, flags: Sequence[str]
) -> tuple[Status, str | None]:
    """Returns the initial status and, if the memory has to be reviewed, the reason (S2.14, S2.15, S2.40,
    S4.45).

    Evidence is always approved: only its flags are recorded. Whether personal data waits depends on the place
    (`status_in_place`).
    """
    if kind.name == EXCLUSION and origin is not Origin.USER:
        return Status.PENDING, BY_PERSON
    if draft.status is not None:
        status = status_of(draft.status)
        if status not in (Status.APPROVED, Status.PENDING):
            raise InvalidInput("a new memory must be approved or pending", code="status_unknown")
        if status is Status.PENDING:
            from holdfast.core.review import AS_ASKED

            return status, AS_ASKED
    if kind.is_evidence:
        return Status.APPROVED, None
    reason = why_untrusted(origin, flags)
    if reason is None and draft.status is None:
        reason = why_unsure(confidence)
    return (Status.APPROVED, None) if reason is None else (Status.PENDING, reason)


def why_untrusted(origin: Origin, flags: Sequence[str]) -> str | None:
    """Returns why knowledge of this origin and with these flags waits for review; None if it does not."""
    if flags:
        return f"reads like an instruction to a model ({', '.join(flags)})"
    return None if origin.is_trusted else f"came from {_UNTRUSTED[origin]}"


def why_unsure(confidence: float) -> str | None:
    """Returns why knowledge of this confidence waits for review; None if it does not."""
    if confidence >= APPROVED_FROM:
        return None
    return f"confidence {confidence:.2f} is below {APPROVED_FROM:.2f}"


def flagged_as(verdict: str, confidence: float) -> str:
    """Returns why knowledge waits that feedback has left with this confidence."""
    return f"flagged as {verdict}; {why_unsure(confidence)}"


def waits_in_place(risk: int, visibility: Visibility) -> bool:
    """Returns whether text with this risk waits for review: personal data that others would see does, whoever
    wrote it; what only its owner sees does not."""
    return risk >= PII_WAITS and visibility is not Visibility.PRIVATE


def status_in_place(
    status: Status, reason: str | None, risk: int, visibility: Visibility
) -> tuple[Status, str | None]:
    """Returns the status and reason of text with this risk where users of this visibility see it (S2.15)."""
    if status is Status.APPROVED and waits_in_place(risk, visibility):
        return Status.PENDING, PERSONAL
    return status, reason


def times_at_start(draft: Draft, lifetime: int | None, now: int) -> dict[str, Any]:
    """Returns the times of event, validity and expiry. `UNSTATED` means no stated begin, `NEVER` no end;
    `lifetime` in days is that of a memory without a stated expiry. Raises InvalidInput `time_invalid`."""

    def optional_millis(value: When | None, name: str, none: str | None = None) -> int | None:
        return None if value is None or value == none else to_millis(value, name=name)

    valid_from = optional_millis(draft.valid_from, "valid_from", UNSTATED)
    valid_until = optional_millis(draft.valid_until, "valid_until", NEVER)
    if valid_from is not None and valid_until is not None and valid_until <= valid_from:
        raise InvalidInput("valid_until must be later than valid_from", code="time_invalid")
    at = optional_millis(draft.at, "at")
    return {
        "at": now if at is None else at,
        "valid_from": valid_from,
        "valid_until": valid_until,
        "expires_at": _expires_at(draft.expires_at, lifetime, now),
    }


def _expires_at(value: When | None, lifetime: int | None, now: int) -> int | None:
    """Returns the expiry time: by default after the lifetime, None for `NEVER` (S2.18)."""
    if value is None:
        return None if lifetime is None else now + lifetime * DAY
    if value == NEVER:
        return None
    expires = to_millis(value, name="expires_at")
    if expires <= now:
        raise InvalidInput(
            "expires_at is in the past", code="time_invalid", hint="use a later time, or never"
        )  # fmt: skip
    return expires
