"""Kinds of memory: one policy table for everything that depends on the kind."""

from __future__ import annotations

from dataclasses import field
from difflib import get_close_matches
from enum import StrEnum

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import InvalidInput
from holdfast.core.value_classes import value_class
from holdfast.core.wire import Plain, wire


class Nature(StrEnum):
    """The nature of a kind: decides where its memories are visible and how repeats are treated."""

    EVIDENCE = "evidence"
    """Something that was said or written: stored verbatim, never merged, idempotent by external id only."""
    KNOWLEDGE = "knowledge"
    """A statement held to be true: exact repeats are merged, contradictions supersede."""
    ENTITY = "entity"
    """A person or thing: one per name and type in its project (S0.26), visible only there."""
    DERIVED = "derived"
    """The description of a thing, computed from it again whenever it changes: the same by what it describes,
    never by its text."""


class Scorer(StrEnum):
    """The named decay formulas."""

    ASSISTANT = "assistant"
    """Age counts from the time the memory speaks of (S2.29)."""
    AGENT = "agent"
    """Age counts from the last use, with a half-life by kind (S4.28)."""
    EVIDENCE = "evidence"
    """Relevance almost alone, since old messages are as true a record as new ones."""


@value_class
class Kind(Plain):
    """The policy of one kind.

    `half_life` is in days (None: no decay). `ttl` is the default lifetime in days after which the memory is
    no longer recalled (None: no expiry; S2.18). `max_chars` is the maximum length of the text. `weight`
    multiplies the score. `ends` is the number of entities that a memory refers to by id. What is not
    `recalled` is a record of an act, which no search finds and no conversation shows.
    """

    name: str
    label: str
    nature: Nature
    meaning: str
    half_life: float | None
    scorer: Scorer = Scorer.AGENT
    ttl: int | None = None
    max_chars: int = 16_384
    weight: float = 1.0
    personal: bool = False
    expires: bool = False
    ends: int = field(default=0, metadata=wire(hidden=True))
    recalled: bool = field(default=True, metadata=wire(hidden=True))

    @property
    def is_evidence(self) -> bool:
        return self.nature is Nature.EVIDENCE

    @property
    def is_derived(self) -> bool:
        return self.nature is Nature.DERIVED

    def lifetime(self, expiry_days: int) -> int | None:
        """Returns the default lifetime in days under the setting `expiry_days`; None for no expiry."""
        return expiry_days if self.expires and expiry_days else self.ttl


def _about_person(name: str, label: str, meaning: str) -> Kind:
    """Returns a kind of knowledge about a person that ages (S2.2)."""
    return Kind(name, label, Nature.KNOWLEDGE, meaning, 30, Scorer.ASSISTANT, personal=True, expires=True)


_E, _K, _N, _D = Nature.EVIDENCE, Nature.KNOWLEDGE, Nature.ENTITY, Nature.DERIVED
_LONG = 1_000_000

_TABLE = (
    # evidence: what was said and read; an episode is S0.3
    Kind("message", "Message", _E, "One message of a conversation.", 30, Scorer.EVIDENCE, max_chars=_LONG),
    Kind(
        "episode",
        "Episode",
        _E,
        "One exchange: what the person said and the answer.",
        30,
        Scorer.EVIDENCE,
        max_chars=_LONG,
    ),
    Kind("passage", "Passage", _E, "A part of a file or document.", None, Scorer.EVIDENCE, max_chars=_LONG),
    Kind(
        "statement",
        "Statement",
        _E,
        "A record that a list or preference was set by a call; recall does not find it.",
        None,
        Scorer.EVIDENCE,
        max_chars=_LONG,
        recalled=False,
    ),
    Kind(
        "exclusion",
        "Exclusion",
        _K,
        "What a person wants never to be remembered; recall does not find it.",
        None,
        personal=True,
        recalled=False,
    ),
    # things (S0.4)
    Kind("entity", "Entity", _N, "A person, place, project, technology, concept or organisation.", None),
    Kind("observation", "Observation", _N, "Something that is known of an entity.", None, ends=1),
    Kind("relation", "Relation", _N, "A relation between two entities.", None, ends=2),
    # knowledge about a person (S2.2)
    Kind("profile", "Profile", _K, "Who somebody is.", None, Scorer.ASSISTANT, personal=True),
    Kind("preference", "Preference", _K, "What somebody likes or wants.", 180, personal=True),
    _about_person("goal", "Goal", "What somebody is working towards."),
    _about_person("project", "Project note", "What a project is about."),
    _about_person("constraint", "Constraint", "What must or must not be done."),
    _about_person("todo", "To do", "Something to be done."),
    _about_person("fact", "Fact", "A statement held to be true."),
    _about_person("note", "Note", "Anything worth keeping that has no kind of its own."),
    _about_person("hypothesis", "Hypothesis", "Something supposed, not yet known."),
    _about_person("keyword_set", "Keyword set", "Search words that belong together."),
    # experience with a codebase (S4.14, S4.15, S4.18)
    Kind("gotcha", "Gotcha", _K, "A trap and how to avoid it.", 60),
    Kind("decision", "Decision", _K, "What was decided, and why.", None),
    Kind("convention", "Convention", _K, "How things are done here.", None),
    Kind("context", "Context", _K, "What is going on at the moment.", 7, ttl=30),
    Kind("error_pattern", "Error pattern", _K, "An error that comes back, and its cause.", 60),
    Kind("dependency_relation", "Dependency", _K, "What depends on what.", None),
    Kind("environment_quirk", "Environment quirk", _K, "An oddity of a machine or tool.", 7),
    Kind(
        "human_feedback",
        "Human feedback",
        _K,
        "A correction by a person; weighs most.",
        None,
        weight=1.3,
    ),
    Kind("pr_review", "PR review", _K, "The outcome of a review.", 90),
    Kind("pr_finding", "PR finding", _K, "Something a review found.", 90),
    Kind("pr_pattern", "PR pattern", _K, "What reviews keep finding.", 90),
    Kind("pr_gotcha", "PR gotcha", _K, "A trap that a review found.", 90),
    Kind("session_insight", "Session insight", _K, "What a working session taught.", 30),
    Kind("codebase_discovery", "Codebase discovery", _K, "Something learned about the code.", None),
    Kind("codebase_map", "Codebase map", _K, "Where things are in the code.", None),
    Kind("task_outcome", "Task outcome", _K, "How a task ended.", 30),
    # reconciled summaries (S3.1, S3.4), of conversations (S0.38) and of projects (S0.5)
    Kind("file_summary", "File summary", _D, "What a file holds (entity type FILE).", None),
    Kind("code_cell_summary", "Code cell summary", _D, "What a code cell does (CODE_CELL).", None),
    Kind("data_table_summary", "Data table summary", _D, "What a data table holds (DATA_TABLE).", None),
    Kind(
        "sheet_table_summary",
        "Sheet table summary",
        _D,
        "What a table in a sheet holds (SHEET_TABLE).",
        None,
    ),
    Kind("connection_summary", "Connection summary", _D, "What a data connection offers (CONNECTION).", None),
    Kind("part_summary", "Part summary", _D, "What a chart, module or other part of a file does.", None),
    Kind(
        "chat_insight",
        "Chat insight",
        _D,
        "What conversations on one topic have established (CHAT_INSIGHT).",
        None,
    ),
    Kind(
        "session_summary",
        "Session summary",
        _D,
        "What a conversation was about.",
        30,
        Scorer.ASSISTANT,
    ),
    Kind("project_overview", "Project overview", _D, "What a project's conversations add up to.", None),
)

KINDS: dict[str, Kind] = {kind.name: kind for kind in _TABLE}
"""Every kind by name; `docs/reference/kinds.md` shows the table and a test keeps both equal."""

STATEMENT = "statement"
EXCLUSION = "exclusion"
NOT_KEPT = "[not kept]"
"""The text in place of a statement that is never to be remembered."""
EVIDENCE = frozenset(k.name for k in _TABLE if k.is_evidence)
SAID = frozenset(k.name for k in _TABLE if k.is_evidence and k.recalled)
"""The kinds that are part of a conversation."""
ENTITIES = frozenset(k.name for k in _TABLE if k.nature is Nature.ENTITY)
DERIVED = frozenset(k.name for k in _TABLE if k.is_derived)

DESCRIPTIONS = frozenset({
    "file_summary", "code_cell_summary", "data_table_summary", "sheet_table_summary", "connection_summary",
    "part_summary",
})  # fmt: skip
"""The kinds that describe what files and databases hold."""

UNASKED = tuple(name for name in KINDS if name not in ("passage", STATEMENT, EXCLUSION))
"""The kinds that a list of memories shows by default: without passages, of which a folder holds thousands,
and without records of acts and rules."""

ALWAYS_ABOUT_WORK = frozenset({
    "convention", "human_feedback", "environment_quirk", "gotcha", "error_pattern",
})  # fmt: skip
"""Kinds that say how somebody works, and so reach the agents in a project from outside of projects."""
ABOUT_WORK = ALWAYS_ABOUT_WORK | {"preference", "constraint"}
"""These, and the kinds of which some memories do: which, says `language/work`."""

AGENT_MAX_CHARS = 2_048
"""Maximum number of characters of knowledge that an agent writes (S4.26)."""
AGENT_SESSION_LIMIT = 50
"""Maximum number of knowledge memories that an agent may create in one session (S4.26)."""


def kind_named(name: object) -> Kind:
    """Returns the policy of a kind. Raises InvalidInput `kind_unknown` with the nearest names (S4.14)."""
    kind = KINDS.get(name) if isinstance(name, str) else None
    if kind is not None:
        return kind
    similar = get_close_matches(name[:40], KINDS, 3, 0.6) if isinstance(name, str) else []
    everything = "`holdfast kinds` and docs/reference/kinds.md list all kinds"
    hint = f"did you mean {' or '.join(similar)}?" if similar else everything
    raise InvalidInput(f"there is no kind {safe_repr(name)}", code="kind_unknown", hint=hint)
