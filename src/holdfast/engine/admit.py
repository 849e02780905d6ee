"""Admission: the one gate that every text passes before it can be stored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from typing import Any, Final

from holdfast.domain.arguments import checked_count, shown
from holdfast.domain.errors import InvalidInput, Refusal
from holdfast.domain.facts import Statement
from holdfast.domain.facts_text import statements_of
from holdfast.domain.facts_topics import BUILT_IN, Topics
from holdfast.domain.folders import with_anchors
from holdfast.domain.injection import injection_flags
from holdfast.domain.kinds import AGENT_MAX_CHARS, KINDS, Kind, Nature, kind_named
from holdfast.domain.memories import (
    Memory,
    Origin,
    Status,
    content_hash,
    identity,
    origin_of,
    status_of,
    verbatim_hash,
)
from holdfast.domain.passages import brief_of, passages_of
from holdfast.domain.pii import pii_risk
from holdfast.domain.places import Place, Principal, Scope, Visibility, scope_of, usable_name, visibility_of
from holdfast.domain.records import changed
from holdfast.domain.review import AS_ASKED
from holdfast.domain.secrets import ENTROPY_THRESHOLD, redact_secrets
from holdfast.domain.times import DAY, NEVER, When, to_millis
from holdfast.domain.words import Terms, terms_of
from holdfast.engine.cleaning import Cleaner, clean_object

APPROVED_FROM = 0.60
"""Confidence from which knowledge needs no review (S2.14)."""
DEFAULT_CONFIDENCE = 0.6
UNTRUSTED_FACTOR = 0.7
"""What confidence is multiplied by when a text came from a tool or the web (S4.45)."""
TAGS_MAX = 12
TAG_MAX = 64
TITLE_MAX = 300
SUMMARY_MAX = 2_000
BRIEF = 140
"""Characters of the summary made at write time, about 30 tokens (S4.13)."""

_LOW_VALUE = re.compile(
    r"(?:all )?tests? (?:have |are )?pass(?:ed|ing)?|(?:task |build |it )?(?:was )?completed? successfully"
    r"|done|ok(?:ay)?|success(?:ful)?|no (?:issues|errors|problems)(?: found)?"
)
_PLAIN_ID = re.compile(r"[0-9a-f-]{1,64}")
"""Numbers, hashes and UUIDs: by themselves they are no secret, and most ids of messages are such."""


class _Seal(Enum):
    """What only this module puts on a text; it stays the same from process to process."""

    PASSED = "passed"


_SEAL: Final = _Seal.PASSED


@dataclass(frozen=True, slots=True)
class Draft:
    """What a caller wants remembered, as given. Names are not resolved and nothing is checked yet."""

    text: str
    kind: str = "note"
    title: str | None = None
    summary: str | None = None
    project: str | None = None
    session: str | None = None
    workspace: str | None = None
    scope: object = None
    branch: str | None = None
    visibility: str | None = None
    external_id: str | None = None
    role: str | None = None
    name: str | None = None
    position: int | None = None
    origin: str | None = None
    confidence: float | None = None
    status: str | None = None
    tags: Sequence[str] = ()
    metadata: Mapping[str, Any] | None = None
    evidence: Mapping[str, Any] | None = None
    at: When | None = None
    valid_from: When | None = None
    valid_until: When | None = None
    expires_at: When | None = None
    supersedes: str | None = None
    source: str | None = None
    about: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Admitted:
    """A text that passed the gate, ready for the store. Only `admit` can make one.

    `memory` is complete but for its place, which `placed` fills in. `terms` and `spans` are its passages
    as words and as (start, end); `facts` is what it states about lists and preferences.
    """

    memory: Memory
    terms: tuple[Terms, ...]
    spans: tuple[tuple[int, int], ...]
    visibility: Visibility | None
    scope: Scope
    facts: tuple[Statement, ...]
    seal: object = field(repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.seal is not _SEAL:
            raise TypeError("Admitted is made by admit() only: every text passes the gate")

    def placed(self, place: Place, *, project: str | None, session: str | None) -> Admitted:
        """The same in its place: with the content hash over the whole place (S2.11)."""
        known = self.memory
        digest = known.content_hash  # that of evidence does not depend on its place
        if known.about or not KINDS[known.kind].is_evidence:
            digest = content_hash(place, known.kind, identity(known))
        memory = changed(known, place=place, project=project, session=session, content_hash=digest)
        # the constructor, for `replace` takes five times as long, and every message passes here
        return Admitted(memory, self.terms, self.spans, self.visibility, self.scope, self.facts, self.seal)

    def with_memory(self, **changes: Any) -> Admitted:
        """The same with other bookkeeping (version, supersession, expiry); the text cannot be changed."""
        if changes.keys() & {"text", "title", "summary", "tags", "metadata", "evidence"}:
            raise TypeError("text is changed by admitting it again")
        return replace(self, memory=changed(self.memory, **changes))

    def with_anchor(self, hashes: Mapping[str, str]) -> Admitted:
        """The same with these hashes as the only anchors of its evidence (`domain/folders.ANCHORS`)."""
        evidence = with_anchors(self.memory.evidence, hashes)
        return replace(self, memory=changed(self.memory, evidence=evidence))

    def in_file(
        self,
        names: CleanNames,
        path: str,
        language: str | None,
        symbols: Sequence[str],
        *,
        external_id: str,
        lines: tuple[int, int],
        **numbers: int,
    ) -> Admitted:
        """The same with where it stands in a file as its metadata (S1.5, S1.46). `external_id` is made of
        hashes, so it needs no cleaning."""
        metadata: dict[str, Any] = {
            "path": names.clean[path],
            "language": language,
            "lines": list(lines),
            "symbols": [names.clean[name] for name in symbols],
            **numbers,
        }
        memory = changed(self.memory, metadata=metadata, external_id=external_id)
        return Admitted(memory, self.terms, self.spans, self.visibility, self.scope, self.facts, self.seal)

    @property
    def texts(self) -> list[str]:
        """What is embedded, one text for each passage."""
        lead = self.memory.lead
        return [lead + self.memory.text[start:end] for start, end in self.spans]


def admit(
    draft: Draft, principal: Principal, *, id: str, now: int, entropy: float = ENTROPY_THRESHOLD,
    topics: Topics = BUILT_IN,
) -> Admitted:  # fmt: skip
    """Checks and cleans one draft: normalise, length, secrets, PII, injection flags, status (S4.19, S4.20).

    Raises InvalidInput with the code of what is wrong; nothing is stored then. Title, summary, tags,
    metadata and evidence are cleaned like the text; ids and names are refused if they hold a secret.
    `entropy` is the randomness from which a word is taken for a secret (S4.21). Facts are taken from the
    clean text of a user's message, so no secret becomes one (S1.23).
    """
    kind = kind_named(draft.kind)
    origin = _origin(draft, principal)
    cleaner = Cleaner(entropy)
    text = _text(draft.text, kind, principal, cleaner)
    title = cleaner.short(draft.title, "title", TITLE_MAX)
    summary = cleaner.short(draft.summary, "summary", SUMMARY_MAX)
    tags = _tags(draft.tags, cleaner)
    metadata = clean_object(draft.metadata, "metadata", cleaner)
    evidence = clean_object(draft.evidence, "evidence", cleaner)
    speaker = cleaner.short(draft.name, "name", TAG_MAX * 2)
    if draft.position is not None:
        checked_count(draft.position, "position")
    for what in ("project", "session", "workspace", "branch", "external_id", "role", "source"):
        _optional_name(getattr(draft, what), what.replace("_", " "))
    scope = scope_of(draft.scope)
    if scope.type != "global" and scope.id is None:
        raise InvalidInput(
            "a scope other than global needs an id", code="place_invalid", hint='("paper", "2301.1")'
        )
    for part in (scope.type, scope.id):
        _optional_name(part, "scope")

    everything = "\n".join([text, title or "", summary or "", speaker or "", *tags, *cleaner.seen])
    risk = pii_risk(everything)
    flags = injection_flags(everything)
    confidence = _confidence(draft.confidence) * (1.0 if origin.is_trusted else UNTRUSTED_FACTOR)
    status, status_reason = _status(draft, kind, origin, confidence, risk, flags)
    times = _times(draft, kind, now)
    if kind.nature is Nature.KNOWLEDGE and summary is None and len(text) > BRIEF:
        summary = brief_of(text, BRIEF)
    if kind.nature is Nature.ENTITY and title is None:
        title = brief_of(text, BRIEF)

    memory = Memory(
        id=id,
        kind=kind.name,
        text=text,
        title=title,
        summary=summary,
        place=Place(principal.user, Visibility.PRIVATE, draft.workspace, None, None, scope, draft.branch),
        status=status,
        status_reason=status_reason,
        recorded_at=now,
        updated_at=now,
        created_by=principal.label,
        external_id=draft.external_id,
        role=draft.role,
        name=speaker,
        position=draft.position,
        origin=origin,
        source=draft.source,
        confidence=confidence,
        tags=tags,
        metadata=metadata,
        evidence=evidence,
        flags=(*cleaner.flags, *flags),
        redactions=tuple(cleaner.redactions),
        pii_risk=risk,
        content_hash=verbatim_hash(kind.name, text) if kind.is_evidence else "",
        **times,
    )
    spans = tuple(passages_of(text))
    # an entity is found by its type, too, and who speaks by their name, as a file by its path
    others = [*tags, speaker or "", str(metadata.get("type", "")) if kind.name == "entity" else ""]
    heading = memory.heading
    states_facts = (draft.kind, draft.role) == ("message", "user")  # not what a tool put into their mouth
    return Admitted(
        memory=memory,
        terms=tuple(terms_of(text[start:end], heading, others) for start, end in spans),
        spans=spans,
        visibility=None if draft.visibility is None else visibility_of(draft.visibility),
        scope=scope,
        facts=statements_of(text, topics) if states_facts and origin.is_trusted else (),
        seal=_SEAL,
    )


@dataclass(frozen=True, slots=True)
class CleanNames:
    """Names that passed the gate together, each with what was left of it; made by `clean_names` only."""

    clean: Mapping[str, str]
    seal: object = field(repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.seal is not _SEAL:
            raise TypeError("CleanNames is made by clean_names() only: every text passes the gate")


def clean_names(names: Iterable[str], *, entropy: float = ENTROPY_THRESHOLD) -> CleanNames:
    """Cleans the names that a file holds in one go: of a thousand, hardly one is a secret."""
    every = list(dict.fromkeys(names))
    together = "\n".join(every)
    if Cleaner(entropy).clean(together) == together:
        return CleanNames(dict(zip(every, every, strict=True)), _SEAL)
    return CleanNames({name: Cleaner(entropy).clean(name) for name in every}, _SEAL)


def clean_json(value: Mapping[str, Any] | None) -> dict[str, Any]:
    """Metadata of something other than a memory, cleaned in the same way. Raises `metadata_invalid`."""
    return clean_object(value, "metadata", Cleaner())


def clean_text(text: str) -> str:
    """A name or setting of something other than a memory, cleaned in the same way."""
    return Cleaner().clean(text)


def _text(value: object, kind: Kind, principal: Principal, cleaner: Cleaner) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"text is a string, not {type(value).__name__}", code="text_not_string")
    limit = (
        min(kind.max_chars, AGENT_MAX_CHARS) if principal.agent and not kind.is_evidence else kind.max_chars
    )
    if len(value) > limit:
        raise InvalidInput(
            f"the text has {len(value):,} characters; a {kind.name} takes at most {limit:,}",
            code="text_too_long",
            hint="split it, or keep long material as messages or passages",
        )
    text = cleaner.clean(value)
    if not text:
        if cleaner.redactions:
            raise Refusal("nothing is left once the private parts are taken out", code="text_empty")
        raise InvalidInput("there is no text to remember", code="text_empty")
    if principal.agent and not kind.is_evidence and _LOW_VALUE.fullmatch(text.lower().rstrip(".! ")):
        raise Refusal("the text carries no knowledge worth keeping", code="text_low_value")
    return text


def _origin(draft: Draft, principal: Principal) -> Origin:
    if draft.origin is not None:
        return origin_of(draft.origin)
    return Origin.AGENT if principal.agent else Origin.USER


def _confidence(value: object) -> float:
    if value is None:
        return DEFAULT_CONFIDENCE
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidInput(
            f"confidence {shown(value)} is not a number from 0 to 1", code="confidence_invalid"
        )
    return float(value)


def _tags(values: object, cleaner: Cleaner) -> tuple[str, ...]:
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise InvalidInput("tags are a list of strings", code="tags_invalid")
    if len(values) > TAGS_MAX or any(not isinstance(t, str) or len(t) > TAG_MAX for t in values):
        raise InvalidInput(
            f"tags are at most {TAGS_MAX} strings of at most {TAG_MAX} characters", code="tags_invalid"
        )
    return tuple(dict.fromkeys(filter(None, (cleaner.clean(tag) for tag in values))))


@lru_cache(4_096)
def _names_a_secret(name: str) -> bool:
    return not _PLAIN_ID.fullmatch(name) and bool(redact_secrets(name, entropy=None)[1])


def checked_name(value: object, what: str) -> str:
    """A usable name without a secret in it. Raises InvalidInput `place_invalid` or `secret_in_name`."""
    name = usable_name(value, what)
    if _names_a_secret(name):
        raise InvalidInput(f"the {what} holds what looks like a secret", code="secret_in_name")
    return name


def _optional_name(value: object, what: str) -> None:
    if value is not None:
        checked_name(value, what)


def _status(
    draft: Draft, kind: Kind, origin: Origin, confidence: float, risk: int, flags: Sequence[str]
) -> tuple[Status, str | None]:
    """The status a memory starts with and, if it has to wait, why (S2.14, S2.15, S2.40, S4.45).

    Evidence is what was said, whoever doubts it: only its risk and flags are noted.
    """
    if draft.status is not None:
        wanted = status_of(draft.status)
        if wanted not in (Status.APPROVED, Status.PENDING):
            raise InvalidInput("a new memory is approved or pending", code="status_unknown")
        if wanted is Status.PENDING:
            return wanted, AS_ASKED
    if kind.is_evidence:
        return Status.APPROVED, None
    if risk >= 2:
        return Status.PENDING, "holds personal data such as an e-mail address or phone number"
    if flags:
        return Status.PENDING, f"reads like an instruction to a model ({', '.join(flags)})"
    if not origin.is_trusted:
        return Status.PENDING, f"came from {'the web' if origin is Origin.WEB else 'a tool'}"
    if draft.status is None and confidence < APPROVED_FROM:
        return Status.PENDING, f"confidence {confidence:.2f} is below {APPROVED_FROM:.2f}"
    return Status.APPROVED, None


def _times(draft: Draft, kind: Kind, now: int) -> dict[str, Any]:
    def read(value: When | None, name: str) -> int | None:
        return None if value is None else to_millis(value, name=name)

    valid_from, valid_until = read(draft.valid_from, "valid_from"), read(draft.valid_until, "valid_until")
    if valid_from is not None and valid_until is not None and valid_until <= valid_from:
        raise InvalidInput("valid_until lies before valid_from", code="time_invalid")
    at = read(draft.at, "at")
    return {
        "at": now if at is None else at,
        "valid_from": valid_from,
        "valid_until": valid_until,
        "expires_at": _expiry(draft.expires_at, kind, now),
    }


def _expiry(given: When | None, kind: Kind, now: int) -> int | None:
    """When a memory leaves recall: as its kind says unless a time, or `NEVER`, is given (S2.18)."""
    if given is None:
        return None if kind.ttl is None else now + kind.ttl * DAY
    if given == NEVER:
        return None
    expires = to_millis(given, name="expires_at")
    if expires <= now:
        raise InvalidInput(
            "expires_at lies in the past: nobody would find it", code="time_invalid",
            hint="give a later time, or never",
        )  # fmt: skip
    return expires
