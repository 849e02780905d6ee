"""Finds how the entities of a message are related, where a sentence says so plainly."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from holdfast.language.entities.read import Mention


@dataclass(frozen=True, slots=True)
class Related:
    """A relation between two mentions, and the sentence that says it: [start, end)."""

    subject: Mention
    label: str
    target: Mention
    start: int
    end: int


ALSO_CALLED = "also_called"
"""The relation of two names of one: it is stated, so it can be forgotten again."""
_DOUBT = re.compile(
    r"(?i)\?|\b(?:not|never|no longer|if|maybe|perhaps|might|would|could|should|used to|said that|imagine"
    r"|suppose|wish|was|were|let's say|allegedly|apparently|rumou?r\w*|ex|former(?:ly)?|nicht|kein\w*|nie"
    r"|wenn|falls|vielleicht|würde|könnte|sollte|angeblich|angenommen|hätte|wäre|mach|früher|ehemalig\w*"
    r"|ex-\w+)\b|n['’]t\b"
)
_KIN = {
    "sibling_of": "sister brother twin Schwester Bruder",
    "partner_of": "wife husband partner girlfriend boyfriend fiancé fiancée Frau Mann Partner Partnerin",
    "child_of": "daughter son Tochter Sohn",
    "parent_of": "mother father mum mom dad Mutter Vater",
    "aunt_of": "aunt Tante",
    "uncle_of": "uncle Onkel",
    "cousin_of": "cousin Cousin Cousine",
    "niece_of": "niece Nichte",
    "nephew_of": "nephew Neffe",
    "grandparent_of": "grandmother grandfather grandma grandpa Oma Opa",
    "friend_of": "friend Freund Freundin",
    "manager_of": "boss manager Chef Chefin",
    "colleague_of": "colleague coworker co-worker teammate Kollege Kollegin",
    "neighbour_of": "neighbour neighbor Nachbar Nachbarin",
}
_LABELS = {word: label for label, kin in _KIN.items() for word in kin.split()}
_WORDS = "|".join(sorted(_LABELS, key=lambda word: (-len(word), word)))
_P, _O, _L, _J = (f"⟦(\\d+):{type}⟧" for type in ("person", "organization", "place", "project"))
_A, _SAME = (
    r"⟦(\d+):(person|organization|technology|thing|project)⟧",
    r"⟦(\d+):(?:person|organization|technology|thing|project)⟧",
)
_FEW = r"(?: [a-zäöüß]+){0,3}?"
_ROLE = r"(?:the |our |an? |der |die |unser[e]? )?[a-zäöüA-ZÄÖÜ][a-zäöüß-]*(?: [a-z]+)?"
_RULES: tuple[tuple[str, str], ...] = (
    (
        "works_at",
        rf"{_P},?(?: who| she| he)?{_FEW} (?:works|is working|does [a-zA-Z]+|teaches|arbeitet|unterrichtet)"
        rf"(?: with ⟦\d+:person⟧)?{_FEW} (?:at|for|bei|an)(?: der| dem| the)? {_O}",
    ),
    ("works_at", rf"{_P}, {_ROLE} (?:at|bei|am|beim)(?: der| dem| the)? {_O}"),
    ("works_at", rf"{_P},? (?:is |ist )?(?:she['’]s |he['’]s )?an? [a-z]+ (?:at|for) {_O}"),
    ("works_at", rf"{_P} (?:\({_O}\)|(?:at|from|vom|von|von der) (?:Verlag |Büro )?{_O})"),
    ("works_at", rf"{_P} (?:has )?joined {_O}"),
    ("works_at", rf"{_P} (?:just |has )?joined us, (?:she|he)['’]s an? [a-z]+ at {_O}"),
    (
        "lives_in",
        rf"{_P} (?:now )?(?:lives|is living|wohnt|lebt)(?: with [^⟦]*⟦\d+:person⟧"
        rf"| mit ⟦\d+:person⟧)?{_FEW} in {_L}",
    ),
    ("located_in", rf"{_L} (?:is|lies|is located|liegt) in (?:the |der |den )?{_L}"),
    (
        "located_in",
        rf"{_O},?(?: which)? (?:is|is based|is located|sits|has an office|has a [a-z ]+|sitzt"
        rf"|liegt) in (?:the |der |den )?{_L}",
    ),
    ("located_in", rf"{_O} (?:\({_L}\)|in {_L}|, Sitz {_L})"),
    (
        "studies_at",
        rf"{_P} (?:goes to|studies at|attends|geht auf die|geht auf das|studiert an der"
        rf"|studiert an) (?:the )?{_O}",
    ),
    ("partner_of", rf"{_P} (?:is married to|married|is engaged to) (?:⟦\d+:person⟧['’]s [a-z]+ )?{_P}"),
    ("partner_of", rf"{_P} ist mit {_P} verheiratet"),
    ("founded", rf"{_P}(?:,? who)? (?:founded|co-founded) (?:the )?{_O}"),
    ("founded", rf"{_P} hat (?:die )?{_O} gegründet"),
    ("leads", rf"{_P} (?:leads|heads|manages|leitet) (?:the |das )?(?:[Pp]roject |Projekt )?(?:{_J}|{_O})"),
    (
        "member_of",
        rf"{_P} (?:is in|belongs to|is a member of|sings in|is treasurer of"
        rf"|spielt [A-Z]\w+ beim) (?:the )?{_O}",
    ),
)
_ADVERB = r"(?:(?:also|better|really|properly|otherwise|auch|eigentlich|nur) )?"
_ALIASES: tuple[str, ...] = (
    rf"{_A} is {_SAME}(?=[.,;!]|$)",
    rf"{_A}(?:, who is|,| is|, die| ist| heißt) {_ADVERB}(?:known as|called|named|bekannt als|genannt)"
    rf" {_SAME}",
    rf"{_A},? (?:a\.?k\.?a\.?|goes by|nicknamed|answers only to|short for|kurz|genannt) {_SAME}",
    rf"{_A}['’]s (?:full|real|proper) name is {_SAME}",
    rf"{_A},? (?:but )?(?:everyone|everybody|we|they) (?:all )?calls? (?:him|her|them|it) {_SAME}",
    rf"{_A},? whom we (?:all )?call {_SAME}|{_A} = {_SAME}|{_A},? {_SAME},? for short",
    rf"⟦(\d+):(?:organization|technology|thing|project)⟧ \({_SAME}\)",
)
_TURNED: tuple[tuple[str, str], ...] = (
    ("founded", rf"{_O} was founded by {_P}"),
    ("leads", rf"{_J} (?:project )?is (?:led|managed|headed) by {_P}"),
    ("manager_of", rf"{_P} reports to {_P}"),
)
_KIN_OF = rf"{_P},? (?:(?:is|ist) )?(?:the |der |die |ein(?:em?)? |a )?({_WORDS}) (?:of|von) {_P}"
_KIN_HAS = rf"{_P}['’]s ({_WORDS}),? {_P}(?!['’])"
_KIN_IS = rf"{_P} is {_P}['’]s ({_WORDS})\b"
_KIN_AND = rf"{_P}(?:, [^⟦,]+,)? (?:and|und) (?:his|her|seine?|ihre?) ({_WORDS}) {_P}"


def relations_in(text: str, mentions: Sequence[Mention]) -> tuple[Related, ...]:
    """Returns the relations that the sentences of a message state; questions, suppositions, denials and what
    is past state none."""
    relations: dict[tuple[str, str, str], Related] = {}
    for start, end in sentences(text, mentions):
        inside = [mention for mention in mentions if start <= mention.start and mention.end <= end]
        if len(inside) < 2 or _DOUBT.search(text[start:end]):
            continue
        marked = _with_placeholders(text, start, end, inside)
        for subject, label, target in _relations_in(marked, inside):
            if subject.name != target.name:
                key = (subject.name, label, target.name)
                relations.setdefault(key, Related(subject, label, target, start, end))
    return tuple(relations.values())


_DAY = re.compile(r"(?<!\d)\d{1,2}$")
_GOES_ON = re.compile(
    r"\s(?:(?-i:[a-zäöüß])|jan|feb|m[aä]r|apr|mai|may|jun|jul|aug|sep|o[ck]t|nov|de[cz])", re.IGNORECASE
)
"""Matches what follows the point of a day: "am 12. Mai", "der 3. und 4."."""


def sentences(text: str, mentions: Sequence[Mention]) -> Iterator[tuple[int, int]]:
    """Yields the places of sentences; a full stop inside a name ends none."""
    start = 0
    for match in re.finditer(r"[.!?\n]+(?=\s|$)|\n", text):
        if any(mention.start < match.start() < mention.end for mention in mentions):
            continue
        if match[0] == "." and re.search(
            r"\b(?:Mr|Mrs|Ms|Dr|Prof|St|Inc|Corp|Ltd|z\.B)$", text[start : match.start()]
        ):
            continue
        if match[0] == "." and _DAY.search(text, start, match.start()) and _GOES_ON.match(text, match.end()):
            continue
        yield start, match.end()
        start = match.end()
    if start < len(text):
        yield start, len(text)


def _with_placeholders(text: str, start: int, end: int, inside: Sequence[Mention]) -> str:
    """Returns a sentence with numbers and types in the place of its names, without the titles before them."""
    parts, at = [], start
    for number, mention in enumerate(inside):
        before = re.sub(
            r"\b(?:(?:Mr|Mrs|Ms|Dr|Prof|Professor|Herr|Frau)\b\.? )+$", "", text[at : mention.start]
        )
        parts += [before, f"⟦{number}:{mention.type}⟧"]
        at = mention.end
    return "".join([*parts, text[at:end]])


def _relations_in(sentence: str, inside: Sequence[Mention]) -> Iterator[tuple[Mention, str, Mention]]:
    """Yields what the patterns find in a sentence: subject, label and target."""
    for label, pattern in _compiled(_RULES):
        for match in pattern.finditer(sentence):
            ends = [inside[int(group)] for group in match.groups() if group is not None]
            yield ends[0], label, ends[1]
    for words in _ALIASES:
        for match in re.finditer(words, sentence):
            first, second = (
                inside[int(group)] for group in match.groups() if group is not None and group.isdigit()
            )
            if first.type == second.type:
                yield first, ALSO_CALLED, second
    for label, pattern in _compiled(_TURNED):
        for match in pattern.finditer(sentence):
            yield inside[int(match[2])], label, inside[int(match[1])]
    for words, position, word, other in _KINS:
        for match in re.finditer(words, sentence):
            label, subject, target = (
                _LABELS[match[word]],
                inside[int(match[position])],
                inside[int(match[other])],
            )
            yield (target, "parent_of", subject) if label == "child_of" else (subject, label, target)


_KINS = ((_KIN_OF, 1, 2, 3), (_KIN_HAS, 3, 2, 1), (_KIN_IS, 1, 3, 2), (_KIN_AND, 3, 2, 1))
"""Patterns of kin, with the groups of who is it, of the word, and of whom they are it."""


@cache
def _compiled(rules: tuple[tuple[str, str], ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((label, re.compile(pattern)) for label, pattern in rules)
