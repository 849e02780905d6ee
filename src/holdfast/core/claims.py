"""Claims: statements of a person about themself, and the beliefs that `about` makes of them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields, replace
from typing import Any

from holdfast.core.facts import Act, Statement
from holdfast.core.quotations import BeliefSource, OtherBelief
from holdfast.core.wire import Millis, Plain, wire

CURRENT, PAST, PLAN = "current", "past", "plan"
"""The status of a claim: it holds, held once, or is intended."""
STATEMENT = "statement"
"""The attribute of a claim of which only the type is known."""

GROUPS: dict[str, tuple[str, tuple[str, ...]]] = {
    "who": ("Who", ("who",)),
    "places": ("Home and places", ("origin_and_home",)),
    "family": ("Family and friends", ("family", "relationship", "pets")),
    "work": ("Work and education", ("work", "education")),
    "health": ("Health and food", ("health", "diet")),
    "preferences": ("Likes, dislikes, habits", ("preference", "aversion", "habit")),
    "skills": ("Skills", ("skill",)),
    "things": ("Things", ("possession",)),
    "plans": ("Plans", ("plan",)),
    "instructions": ("Instructions for assistants", ("instruction",)),
    "other": ("Other", ("other",)),
}
"""The groups of what is believed, with their titles and the types of claims that belong to them."""
GROUP_OF = {type: name for name, (_, types) in GROUPS.items() for type in types}


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of a person about themself.

    `type` and `attribute` say what it is about, as `health` and `allergy`; `value` holds the words for it.
    `positive` is false for what the person does not have, do or like. `since` and `until` are times in the
    words of the person. `subject` is empty, or the relative or pet that it is about. `changes` marks words
    that say that it was otherwise before ("moved", "now", "no longer"). `certainty` is from 0 to 1. `start`
    and `end` are its position in the text. A `verbatim` value is the whole statement in a person's own
    words; `wording` is a statement of which the value is a part, as a person wants it shown.
    """

    type: str
    attribute: str
    value: str
    positive: bool = True
    status: str = CURRENT
    since: str | None = None
    until: str | None = None
    subject: str = ""
    changes: bool = False
    certainty: float = 0.8
    start: int = 0
    end: int = 0
    verbatim: bool = False
    wording: str = ""

    def moved(self, by: int) -> Claim:
        """Returns the same claim so many characters further on in its text."""
        return replace(self, start=self.start + by, end=self.end + by) if by else self


_DEFAULTS = {field.name: field.default for field in fields(Claim)}


def statement_of(claim: Claim) -> Statement:
    """Returns a claim as a statement, the form in which a store keeps it beside its text."""
    values = {name: getattr(claim, name) for name, default in _DEFAULTS.items() if name != "attribute"}
    changed = {name: value for name, value in values.items() if value != _DEFAULTS[name]}
    return Statement(claim.attribute, Act.CLAIM, json.dumps(changed, ensure_ascii=False))


def claim_of(statement: Statement) -> Claim:
    """Returns the claim that a statement holds."""
    return Claim(attribute=statement.topic, **json.loads(statement.value))


@dataclass(frozen=True, slots=True)
class Belief(Plain):
    """Something that is believed of a person or thing.

    `id` is that of the memory that said it last, for `show`, `revise`, `pin` and `forget`. `since` and
    `until` are times in the words of the person, `at` is when it was said last. `confidence` grows with each
    repetition.
    """

    id: str
    text: str = field(metadata=wire(about="The statement in plain words."))
    type: str
    attribute: str
    value: str
    positive: bool = field(metadata=wire(about="False for what the person does not have, do or like."))
    status: str = field(metadata=wire(about="current, past or plan."))
    since: str | None
    until: str | None
    at: Millis
    confidence: float = field(metadata=wire(digits=2))
    subject: str | None = field(metadata=wire(about="The relative, pet or thing that it is about."))
    sources: tuple[BeliefSource, ...] = field(metadata=wire(about="Who said it and when, newest first."))
    replaced: tuple[OtherBelief, ...] = field(
        default=(), metadata=wire(about="What held before, newest first.")
    )
    contradicts: tuple[OtherBelief, ...] = field(
        default=(), metadata=wire(about="What says otherwise and has not been settled.")
    )
    pinned: bool = False
    pending: str | None = field(default=None, metadata=wire(about="Why it waits for review."))


@dataclass(frozen=True, slots=True)
class BeliefGroup(Plain):
    """Beliefs of one group, such as `health`."""

    name: str
    title: str
    beliefs: tuple[Belief, ...]


@dataclass(frozen=True, slots=True)
class About(Plain):
    """All beliefs about a person or thing. `name` is None for the user. `unread` are texts that were not read
    for it yet, the oldest: the next call goes on with them."""

    name: str | None
    groups: tuple[BeliefGroup, ...]
    unread: int = 0

    def group(self, name: str) -> tuple[Belief, ...]:
        """Returns the beliefs of one group."""
        return next((group.beliefs for group in self.groups if group.name == name), ())

    @property
    def beliefs(self) -> tuple[Belief, ...]:
        """Returns all beliefs."""
        return tuple(belief for group in self.groups for belief in group.beliefs)


def plain(value: Any) -> str:
    """Returns a value folded for comparison: lower case, without articles and outer punctuation."""
    words = str(value).casefold().replace("’", "'").strip(" .,!?;:\"'()").split()
    return " ".join(words[1:] if len(words) > 1 and words[0] in _ARTICLES else words)


_ARTICLES = frozenset(
    "a an the my our some ein eine einen einem einer der die das den dem mein meine meinen".split()
)
