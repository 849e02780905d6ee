"""Reads the clauses of a sentence in order, each with what it takes over from those before it."""

from __future__ import annotations

import re
from dataclasses import replace

from holdfast.core.claims import Claim
from holdfast.language.claims.being import complement
from holdfast.language.claims.clause import (
    ACHES,
    AUX,
    FINITE,
    FINITE_DE,
    SUPPOSING,
    Clause,
    Token,
    extended,
    pieces,
)
from holdfast.language.claims.fragments import fragment, is_bare_name
from holdfast.language.claims.say import claims_of_clause
from holdfast.language.claims.syntax import clause_of

_TITLE = r"(?:Herrn?|Frau|Hr|Fr|Mr|Mrs|Ms|Miss|Dr|Prof)[.\N{ONE DOT LEADER}]?"
_NAMES_ANOTHER = re.compile(rf"\b{_TITLE}(?: {_TITLE})*(?: [A-ZÄÖÜ][\w'-]+){{1,3}}$")
"""Matches what ends with somebody by title and name: what follows with a comma describes them."""
_IS_ANOTHER = re.compile(
    r"(?:(?:an?|my|our|eine?n?|mein\w*|unser\w*) )?(?:\w+ )?(?:patient|client|customer|klient|kund|pflegefall)(?:in|e|en)?$",
    re.IGNORECASE,
)
"""Matches a part that names somebody whom the author treats or serves."""
_AND = frozenset("and but or und aber oder".split())
_ARTICLES = frozenset("a an the one ein eine einer der die das".split())
"""Words with which a part after a comma describes the noun before it: "I met Ida, a nurse"."""
_ALONE = frozenset(
    "works_as from lives_in employer age studies works_in job marital_status retired goal housing born_in name injury degree".split()
)
"""Attributes of which nothing is listed: what follows with a comma is something else."""
_TELLS_OF_OTHERS = re.compile(
    r"^(?!.*\b(?:i|we|ich|wir) (?:say|said|think|thought|told|sagte|denke|glaube)\b).*\b(?:says?|said|thinks?|claims?|claimed|insists?|tells me|told me|wrote|writes|meint|meinte|sagt|sagte|glaubt|behauptet|schreibt|schrieb|fragt|asks?|wants to know)$",
    re.IGNORECASE,
)
_INFINITIVE = re.compile(r" zu [a-zäöüß]+n$")
"""Matches an infinitive that depends on the part before: "Cello zu spielen"."""
_GIVEN_UP = frozenset("aufgehört aufgegeben".split())
_COMPARES = ("als", "as", "wie")
_THAT = ("that", "dass", "", ",")
_LIST = (",", "und", "and", "or", "oder")
_GOING_ON = (",", "und", "and", "but", "aber", "or", "oder", "then")
LISTED_MAX = 7
"""Number of words from which a part is no further item of a list."""


def of_clauses(text: str, language: str, follows_claim: bool) -> list[Claim]:
    """Returns what the clauses of a sentence say of its author; `follows_claim` if something before it does."""
    sentence = _Sentence(text, language, follows_claim)
    for number in range(len(sentence.parts)):
        sentence.take(number)
    return [claim for _, claims in sentence.clauses for claim in claims]


class _Sentence:
    """A sentence that is read part by part."""

    def __init__(self, text: str, language: str, follows_claim: bool) -> None:
        self._text, self._language, self._follows_claim = text, language, follows_claim
        self.parts = pieces(text, language)
        self.clauses: list[tuple[Clause, list[Claim]]] = []
        self._read = [
            clause_of(text, joint, tokens, language, inherits=False) for joint, tokens in self.parts
        ]
        telling = sum(1 for clause in self._read if not clause.verb and _tells(text, clause, language))
        own = sum(1 for clause in self._read if clause.verb and clause.subject == "self")
        names = sum(
            1
            for clause in self._read
            if not clause.verb and not clause.subject and is_bare_name(clause.whole)
        )
        self._is_list = len(self.parts) > 1 and telling + own > 1
        self._has_place = 0 < names < 2 <= telling + names
        self._inherits = False
        """The next part may have the author as its subject without saying so."""
        self._quiet = False
        """What comes next may be said by somebody else, or only be supposed."""
        self._supposed = False
        """It is supposed: "if …"."""
        self._of_another = False
        """Somebody else is described."""

    def take(self, number: int) -> None:
        """Reads one part, after those before it."""
        joint, tokens = self.parts[number]
        clause = self._read[number]
        if self._describes_another(clause) or self._is_aside(joint, clause):
            return
        is_open = not clause.verb or (clause.subject == "dropped" and clause.verb != "like")
        if is_open and self._inherits and joint in _GOING_ON:
            clause = clause_of(self._text, joint, tokens, self._language, inherits=True)
        self._quiet = self._supposed = False
        after_another = number > 0 and self._read[number - 1].subject == "other"
        if clause.subject == "dropped" and joint in _AND and after_another:
            return
        if clause.subject == "other":
            self._inherits = False
        elif clause.verb:
            self._take_clause(number, clause)
        else:
            self._take_fragment(number, clause)

    def _describes_another(self, clause: Clause) -> bool:
        """Returns whether a part is about somebody whom it or a part before it names."""
        if clause.subject == "self":
            self._of_another = False
        elif self._of_another or _is_another(clause):
            self._of_another = True
            return True
        if _NAMES_ANOTHER.search(clause.whole):
            self._of_another = True
        return False

    def _is_aside(self, joint: str, clause: Clause) -> bool:
        """Returns whether a part is supposed, asked, or what somebody else says."""
        if joint in SUPPOSING and not (joint in _COMPARES and clause.subject != "self"):
            self._supposed = self._quiet = True
            return True
        is_of_others = _TELLS_OF_OTHERS.search(clause.whole) is not None
        if clause.subject == "asked" or is_of_others:
            self._quiet = clause.subject == "other" or is_of_others
            self._inherits = False
            return True
        return self._quiet and joint in _THAT and clause.subject == "self" and not self._supposed

    def _take_clause(self, number: int, clause: Clause) -> None:
        """Reads the claims of a clause with a verb."""
        is_plan = clause.language == "de" and clause.verb == "have" and clause.rest in ("vor", "geplant")
        if is_plan and number + 1 < len(self.parts):
            following = self.parts[number + 1][1]
            clause = replace(
                clause,
                verb="to",
                planned="plan",
                rest=self._text[following[0].start : following[-1].end],
                end=following[-1].end,
            )
        is_denied = False
        if number > 0 and clause.language == "de" and _INFINITIVE.search(clause.whole):
            before = self._read[number - 1]
            is_denied = before.negative
            clause.ended = clause.ended or self._is_given_up(number)
            if before.verb == "quit" and self.clauses:
                self.clauses[-1] = (self.clauses[-1][0], [])  # the infinitive is what was left
        claims = [] if is_denied else list(claims_of_clause(clause, self._text))
        self._inherits = clause.subject == "self" or (clause.subject == "dropped" and bool(claims))
        self._follows_claim = self._follows_claim or bool(claims)
        self.clauses.append((clause, claims))

    def _is_given_up(self, number: int) -> bool:
        """Returns whether the part before an infinitive, or one after it, says that this has ended."""
        later = (token.low for _, tokens in self.parts[number + 1 :] for token in tokens)
        return self._read[number - 1].verb == "quit" or not _GIVEN_UP.isdisjoint(later)

    def _take_fragment(self, number: int, clause: Clause) -> None:
        """Reads the claims of words without a verb, which may continue the clause before them."""
        joint, tokens = self.parts[number]
        claims = [] if self._describes_noun(number) else self._fragment(tokens)
        before = self.clauses[-1] if self.clauses else None
        goes_on = (
            before is not None
            and before[0].verb == "be"
            and self._inherits
            and joint in (",", "and", "und", "but")
        )
        if before is not None:
            if goes_on and not claims:
                claims = self._complement(before[0], tokens)
            longer = self._as_item(before, joint, tokens, claims)
            if longer is not None:
                self.clauses[-1] = longer
                return
            if goes_on:
                clause = replace(before[0], end=clause.end)
        self.clauses.append((clause, claims))
        self._follows_claim = self._follows_claim or bool(claims)

    def _describes_noun(self, number: int) -> bool:
        """Returns whether a part is about the noun before it: "I met Ida, a nurse"."""
        if number == 0:
            return False
        joint, tokens = self.parts[number]
        before = self._read[number - 1]
        if joint == "," and tokens[0].low in _ARTICLES and before.verb not in ("", "be"):
            return True
        return joint in _AND and before.subject == "other"

    def _fragment(self, tokens: list[Token]) -> list[Claim]:
        """Returns the claims of words without a verb."""
        return list(
            fragment(
                self._text,
                tokens[0].start,
                tokens[-1].end,
                self._language,
                is_listed=self._is_list or self._follows_claim,
                places=self._has_place,
            )
        )

    def _complement(self, before: Clause, tokens: list[Token]) -> list[Claim]:
        """Returns what a part says as a further complement of "I am"."""
        start, end = tokens[0].start, tokens[-1].end
        piece = self._text[start:end]
        clause = replace(before, start=start, end=end, tokens=tokens, whole=piece, negative=False)
        return list(complement(clause, piece, strict=True))

    def _as_item(
        self, before: tuple[Clause, list[Claim]], joint: str, tokens: list[Token], claims: list[Claim]
    ) -> tuple[Clause, list[Claim]] | None:
        """Returns the clause before with a part as a further item of what it lists, and its claims; None if the
        part is none."""
        clause, listed = before
        if not clause.verb or joint not in _LIST or not listed or len(tokens) >= LISTED_MAX:
            return None
        if claims and not {claim.type for claim in claims} & {claim.type for claim in listed}:
            return None
        if listed[0].attribute in _ALONE or any(
            token.low in FINITE or token.low in FINITE_DE or token.low in AUX or token.low in ACHES
            for token in tokens
        ):
            return None
        longer = extended(clause, self._text, tokens[-1].end)
        again = list(claims_of_clause(replace(longer, at=clause.at), self._text))
        return (longer, again) if again and again[0].attribute == listed[0].attribute else None


def _is_another(clause: Clause) -> bool:
    """Returns whether a part of a sentence is somebody else: the words beside it describe them."""
    return _IS_ANOTHER.match(clause.whole) is not None or (
        not clause.verb and _NAMES_ANOTHER.search(clause.whole) is not None
    )


def _tells(text: str, clause: Clause, language: str) -> bool:
    """Returns whether a part without a verb tells of a person by itself: numbers and places do not."""
    if not clause.tokens or clause.subject:
        return False
    start, end = clause.tokens[0].start, clause.tokens[-1].end
    return any(True for _ in fragment(text, start, end, language, is_listed=True))
