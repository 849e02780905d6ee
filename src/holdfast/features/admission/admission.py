"""The one entry for text: validates and cleans drafts, and seals the result for the store."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeVar

from holdfast.core.arguments import checked_count, checked_tags, checked_text
from holdfast.core.episodes import said_in, user_part
from holdfast.core.errors import HoldfastError, InvalidInput, Refusal
from holdfast.core.facts import UNREAD, Act, Statement
from holdfast.core.insights import INSIGHT
from holdfast.core.kinds import AGENT_MAX_CHARS, EXCLUSION, KINDS, STATEMENT, Kind, Nature, kind_named
from holdfast.core.places import Place, Principal, Scope, Visibility, scope_of, visibility_of
from holdfast.core.record import (
    NUMBERS,
    SHORT_TEXTS,
    TAG_MAX,
    TAGS_MAX,
    Memory,
    Origin,
    verbatim_hash,
)
from holdfast.core.speakers import speaker_role
from holdfast.core.values import changed
from holdfast.features.admission.draft import Draft
from holdfast.features.admission.initial_values import (
    UNTRUSTED_FACTOR,
    confidence_at_start,
    origin_at_start,
    status_at_start,
    times_at_start,
)
from holdfast.features.admission.names import optional_name
from holdfast.features.admission.sanitizer import Cleaned, Cleaner, clean_all
from holdfast.language.facts import notation
from holdfast.language.facts.topics import Topics
from holdfast.language.injection import flags_of_all
from holdfast.language.passages import brief_of, passages_of, summary_of
from holdfast.language.pii import risks_of_all
from holdfast.language.term_counts import rounds
from holdfast.language.terms import Fields, Terms, terms_of_all
from holdfast.stores.base.admitted import SEAL, Admitted, CleanNames

if TYPE_CHECKING:
    from holdfast.language.exclusion import Exclusion

AT_ONCE = 1 << 20
"""Maximum number of characters processed in one batch, which bounds the memory in use."""
BRIEF = 140
"""Maximum number of characters of a generated summary, about 30 tokens (S4.13)."""

_LOW_VALUE = re.compile(
    r"(?:all )?tests? (?:have |are )?pass(?:ed|ing)?|(?:task |build |it )?(?:was )?completed? successfully"
    r"|done|ok(?:ay)?|success(?:ful)?|no (?:issues|errors|problems)(?: found)?"
)


@dataclass(frozen=True, slots=True)
class Admission:
    """The validation and cleaning of everything that a user stores, under one set of settings (S4.19-S4.21).

    `entropy` is the setting `secret_entropy`: the bits per character from which a word that no rule knows
    counts as a secret. `topics` are the registered topics of facts. `expiry_days` and
    `pii_patterns` are the settings of these names. It needs no store, so another process can use it.
    """

    principal: Principal
    entropy: float
    topics: Topics
    expiry_days: int = 0
    pii_patterns: tuple[tuple[str, str], ...] = ()
    exclusions: tuple[Exclusion, ...] = ()
    """What the user wants never to be remembered."""

    def admit(self, draft: Draft, *, id: str, now: int) -> Admitted:
        """Validates and cleans one draft. Raises InvalidInput, or Refusal if a policy rejects it."""
        (result,) = self.admit_all([draft], ids=[id], now=now)
        if isinstance(result, HoldfastError):
            raise result
        return result

    def admit_all(
        self, drafts: Sequence[Draft], *, ids: Sequence[str], now: int
    ) -> list[Admitted | HoldfastError]:
        """Validates and cleans drafts; returns for each the admitted text or the error (S4.19, S4.20).

        Title, summary, tags, metadata and evidence are cleaned like the text; ids and names with a secret are
        refused. Facts are read from the clean text, so no secret becomes one (S1.23).
        Rare patterns are searched for in all texts of a batch at once, in a third of the time.
        """
        results: list[Admitted | HoldfastError] = []
        sizes = [len(draft.text) if isinstance(draft.text, str) else 0 for draft in drafts]
        for first, last in rounds(sizes, AT_ONCE):
            results += self._admit_batch(drafts[first:last], ids[first:last], now)
        return results

    def retitled(self, memory: Memory, title: str | None) -> Admitted:
        """Returns a stored memory under another title, which is cleaned; words, flags and risk follow from
        it. The text was validated when it was stored, and stays as it is.
        """
        limit = SHORT_TEXTS["title"]
        clean = Cleaner(self.entropy).short(None if title is None else title[:limit], "title", limit)
        texts = [_everything_under(title, memory) for title in (memory.title, clean)]
        (old_risk, risk), (old_flags, flags) = self.risks(texts), flags_of_all(texts)
        stays = tuple(flag for flag in memory.flags if flag not in old_flags)
        titled = changed(
            memory,
            title=clean,
            flags=tuple(dict.fromkeys((*stays, *flags))),
            pii_risk=max(risk, memory.pii_risk if memory.pii_risk > old_risk else 0),
        )
        spans = spans_of(titled)
        terms = tuple(terms_of_all(indexed_fields(titled, spans)))
        return Admitted(titled, terms, spans, memory.visibility, memory.scope, (), SEAL)

    def risks(self, texts: Sequence[str]) -> list[int]:
        """Returns the risk of personal data in each text (S2.16)."""
        return risks_of_all(texts, extra=dict(self.pii_patterns))

    def clean_text(self, text: str) -> str:
        """Returns the clean form of a text outside of memories, such as a reason or a project setting. Raises
        Refusal `excluded`."""
        cleaner = Cleaner(self.entropy, exclusions=self.exclusions)
        clean = cleaner.clean(text)
        cleaner.check_rest(clean)
        return clean

    def clean_texts(self, texts: Iterable[str]) -> dict[str, str]:
        """Returns the clean form of each text, as `clean_text` does."""
        return {text: cleaned.text for text, cleaned in clean_all(texts, self.entropy).items()}

    def clean_json(self, value: Mapping[str, Any] | None) -> dict[str, Any]:
        """Returns the clean form of metadata outside of memories. Raises InvalidInput `metadata_invalid`."""
        return Cleaner(self.entropy, exclusions=self.exclusions).json(value, "metadata")

    def clean_names(self, names: Iterable[str]) -> CleanNames:
        """Cleans the names in files, each on its own: no file name hides a secret of another."""
        return CleanNames(self.clean_texts(names), SEAL)

    def storable(self, paths: Iterable[str]) -> set[str]:
        """Returns the paths from which cleaning removes nothing; one that is blank or a secret is not stored.

        Letters with separate accents, as macOS writes them, and spaces around a name stay in its path.
        """
        return {
            path
            for path, cleaned in clean_all(paths, self.entropy).items()
            if path.strip() and not (cleaned.redactions or cleaned.flags)
        }

    def _admit_batch(
        self, drafts: Sequence[Draft], ids: Sequence[str], now: int
    ) -> list[Admitted | HoldfastError]:
        """Cleans the drafts, checks their texts for risks, builds the memories, and extracts their terms."""
        ready = _clean_texts_of(drafts, self.entropy) if len(drafts) > 1 else {}
        cleaned = [_result_or_error(_clean_permitted, draft, self, ready) for draft in drafts]
        texts = [draft.everything for draft in cleaned if not isinstance(draft, HoldfastError)]
        warnings = zip(self.risks(texts), flags_of_all(texts), strict=True)
        built = [
            draft
            if isinstance(draft, HoldfastError)
            else _result_or_error(_build_memory, draft, self, id, now, *next(warnings))
            for draft, id in zip(cleaned, ids, strict=True)
        ]
        fields = [entry.fields for entry in built if not isinstance(entry, HoldfastError)]
        terms = iter(terms_of_all(list(chain.from_iterable(fields))))
        return [entry if isinstance(entry, HoldfastError) else entry.admitted(terms) for entry in built]


_Result = TypeVar("_Result")


def _result_or_error(make: Callable[..., _Result], *arguments: Any) -> _Result | HoldfastError:
    try:
        return make(*arguments)
    except HoldfastError as error:
        return error


def _clean_texts_of(drafts: Sequence[Draft], entropy: float) -> dict[str, Cleaned]:
    """Cleans the texts of several drafts together; the longest are left to be cleaned alone."""
    return clean_all(
        (
            value
            for draft in drafts
            for value in (draft.text, *(getattr(draft, name) for name in SHORT_TEXTS))
            if isinstance(value, str) and len(value) <= AT_ONCE
        ),
        entropy,
    )


@dataclass(slots=True)
class _CleanDraft:
    """A draft with clean texts."""

    draft: Draft
    kind: Kind
    origin: Origin
    cleaner: Cleaner
    text: str
    short: dict[str, Any]
    """The optional texts beside it (`SHORT_TEXTS`)."""
    tags: tuple[str, ...]
    metadata: dict[str, Any]
    evidence: dict[str, Any]
    scope: Scope

    @property
    def everything(self) -> str:
        """Returns all clean texts as one, to be checked for risks."""
        text = said_in(self.text) if self.kind.name == "episode" else self.text
        texts = [text, *(value or "" for value in self.short.values()), *self.tags]
        return "\n".join([*texts, *self.cleaner.texts])


def _everything_under(title: str | None, memory: Memory) -> str:
    """Returns the texts of a stored memory as one, with another title, to be checked for risks."""
    text = said_in(memory.text) if memory.kind == "episode" else memory.text
    return "\n".join([text, *filter(None, (title, memory.summary, memory.name)), *memory.tags])


def _clean_draft(draft: Draft, principal: Principal, cleaner: Cleaner) -> _CleanDraft:
    """Validates the arguments of a draft and cleans its texts. Raises InvalidInput or Refusal."""
    kind = kind_named(draft.kind)
    origin = origin_at_start(draft, principal)
    text = _clean_text(draft.text, kind, principal, cleaner)
    short = {name: cleaner.short(getattr(draft, name), name, limit) for name, limit in SHORT_TEXTS.items()}
    tags = _clean_tags(draft.tags, cleaner)
    metadata = cleaner.json(draft.metadata, "metadata")
    evidence = cleaner.json(draft.evidence, "evidence")
    for name, most in NUMBERS.items():
        if (number := getattr(draft, name)) is not None:
            checked_count(number, name, most)
    for name in ("project", "session", "workspace", "branch", "external_id", "role", "source"):
        optional_name(getattr(draft, name), name)
    scope = scope_of(draft.scope)
    if scope.type != "global" and scope.id is None:
        raise InvalidInput(
            "a scope other than global needs an id", code="place_invalid", hint='("paper", "2301.1")'
        )
    for part in (scope.type, scope.id):
        optional_name(part, "scope")
    return _CleanDraft(draft, kind, origin, cleaner, text, short, tags, metadata, evidence, scope)


def _clean_permitted(draft: Draft, admission: Admission, ready: Mapping[str, Cleaned]) -> _CleanDraft:
    """Cleans a draft without what is never to be remembered. Raises InvalidInput or Refusal."""
    cleaner = Cleaner(admission.entropy, ready, admission.exclusions if _is_open(draft) else ())
    return _clean_draft(draft, admission.principal, cleaner)


def _is_open(draft: Draft) -> bool:
    """Returns whether exclusions apply to a draft: to all but themselves, and what is read from files."""
    kind = KINDS.get(draft.kind) if isinstance(draft.kind, str) else None
    is_read = kind is not None and kind.is_derived and kind.name != INSIGHT
    return kind is not None and kind.name not in (EXCLUSION, "passage") and not is_read


def _clean_text(value: object, kind: Kind, principal: Principal, cleaner: Cleaner) -> str:
    """Returns the cleaned text of a memory. Raises InvalidInput for one that its kind does not take."""
    value = checked_text(value)
    is_of_agent = principal.agent is not None and not (kind.is_evidence or kind.is_derived)
    limit = min(kind.max_chars, AGENT_MAX_CHARS) if is_of_agent else kind.max_chars
    if len(value) > limit:
        raise InvalidInput(
            f"the text has {len(value):,} characters; a {kind.name} may have at most {limit:,}",
            code="text_too_long",
            hint="split it, or store long material as messages or passages",
        )
    text = cleaner.clean(value)
    cleaner.check_rest(text)
    if not text:
        if cleaner.redactions:
            raise Refusal("the text is empty after its private parts are removed", code="text_empty")
        raise InvalidInput("the text is empty", code="text_empty")
    if is_of_agent and _LOW_VALUE.fullmatch(text.lower().rstrip(".! ")):
        raise Refusal("the text carries no knowledge worth storing", code="text_low_value")
    return text


def _clean_tags(values: object, cleaner: Cleaner) -> tuple[str, ...]:
    """Returns cleaned tags. Raises InvalidInput."""
    values = checked_tags(values)
    if len(values) > TAGS_MAX or any(not isinstance(tag, str) or len(tag) > TAG_MAX for tag in values):
        raise InvalidInput(
            f"there may be at most {TAGS_MAX} tags, of at most {TAG_MAX} characters each", code="tags_invalid"
        )
    return tuple(dict.fromkeys(filter(None, (cleaner.clean(tag) for tag in values))))


@dataclass(slots=True)
class _BuiltMemory:
    """A memory without a place, with the fields of its passages; it is admitted with their terms."""

    memory: Memory
    spans: tuple[tuple[int, int], ...]
    fields: list[Fields]
    visibility: Visibility | None
    facts: tuple[Statement, ...]

    def admitted(self, terms: Iterator[Terms]) -> Admitted:
        """Returns the admitted text with the next `terms`, those of its passages."""
        own_terms = tuple(islice(terms, len(self.spans)))
        return Admitted(
            self.memory, own_terms, self.spans, self.visibility, self.memory.place.scope, self.facts, SEAL
        )


@lru_cache(256)
def _unplaced(owner: str, workspace: str | None, scope: Scope, branch: str | None) -> Place:
    """Returns the place of memories that have none yet: one object for many, so that it is pickled once."""
    return Place(owner, Visibility.PRIVATE, workspace, scope=scope, branch=branch)


def indexed_fields(memory: Memory, spans: Iterable[tuple[int, int]]) -> list[Fields]:
    """Returns the fields of each passage of a memory that its terms are made from: entities are also found by
    type, messages by speaker, files by path.
    """
    type = str(memory.metadata.get("type", "")) if memory.kind == "entity" else ""
    others, heading = (*memory.tags, memory.name or "", type), memory.heading
    return [(memory.text[start:end], heading, others) for start, end in spans]


def _build_memory(
    clean: _CleanDraft,
    admission: Admission,
    id: str,
    now: int,
    risk: int,
    flags: tuple[str, ...],
) -> _BuiltMemory:
    """Builds the memory of a clean draft with its initial status, times and facts. Raises InvalidInput."""
    draft, kind, origin, text = clean.draft, clean.kind, clean.origin, clean.text
    short = clean.short
    stated = confidence_at_start(draft.confidence, admission.principal)
    confidence = stated * (1.0 if origin.is_trusted else UNTRUSTED_FACTOR)
    status, status_reason = status_at_start(draft, kind, origin, confidence, flags)
    times = times_at_start(draft, kind.lifetime(admission.expiry_days), now)
    if kind.nature in (Nature.KNOWLEDGE, Nature.DERIVED) and short["summary"] is None and len(text) > BRIEF:
        short = {**short, "summary": summary_of(text, BRIEF)}
    if kind.nature is Nature.ENTITY and short["title"] is None:
        short = {**short, "title": brief_of(text, BRIEF)}

    memory = Memory(
        id=id,
        kind=kind.name,
        text=text,
        place=_unplaced(admission.principal.user, draft.workspace, clean.scope, draft.branch),
        status=status,
        status_reason=status_reason,
        recorded_at=now,
        updated_at=now,
        created_by=admission.principal.label,
        external_id=draft.external_id,
        role=speaker_role(draft.role),
        origin=origin,
        source=draft.source,
        confidence=confidence,
        tags=clean.tags,
        metadata=clean.metadata,
        evidence=clean.evidence,
        flags=(*clean.cleaner.flags, *flags),
        redactions=tuple(clean.cleaner.redactions),
        pii_risk=risk,
        content_hash=verbatim_hash(kind.name, text) if kind.is_evidence else "",
        **short,
        **{name: getattr(draft, name) for name in NUMBERS},
        **times,
    )
    spans = spans_of(memory)
    return _BuiltMemory(
        memory,
        spans,
        indexed_fields(memory, spans),
        None if draft.visibility is None else visibility_of(draft.visibility),
        () if flags else _facts_of(memory, admission.topics),
    )


def spans_of(memory: Memory) -> tuple[tuple[int, int], ...]:
    """Returns the passages of a memory that are indexed; none if recall is not to find it."""
    return tuple(passages_of(memory.text)) if KINDS[memory.kind].recalled else ()


def _facts_of(memory: Memory, topics: Topics) -> tuple[Statement, ...]:
    """Returns what a memory states of the user: lists and preferences, and a note where claims are to be read
    when somebody asks for them (`features/beliefs`). Raises InvalidInput `fact_unclear`.

    A user's message and the user's part of an episode state facts, and knowledge too, where "the user" is the
    one whom it is about. What came from a tool, the web or a file, or is flagged, states
    none.
    """
    if memory.kind == STATEMENT:
        statements = notation.read(memory.text)
        if not statements:
            raise InvalidInput(
                "a statement is in a notation of its own",
                code="fact_unclear",
                hint="use `facts.set` or the like",
            )
        return statements if memory.origin.is_trusted else ()
    if not memory.origin.is_trusted or memory.origin is Origin.FILE or memory.kind == EXCLUSION:
        return ()
    is_knowledge = KINDS[memory.kind].nature is Nature.KNOWLEDGE
    if memory.kind == "episode":
        text = user_part(memory.text)
    elif is_knowledge or (memory.kind == "message" and memory.role == "user"):
        text = memory.text
    else:
        return ()
    from holdfast.language.facts.statements import statements_of  # its rules take long to load

    facts = statements_of(text, topics, of_user=is_knowledge)
    if text and (not is_knowledge or KINDS[memory.kind].personal):
        facts = (*facts, Statement("", Act.READING, UNREAD))
    return facts
