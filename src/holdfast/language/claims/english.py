"""English clauses: subject, verb with its auxiliaries, and what follows."""

from __future__ import annotations

from holdfast.language.claims.clause import (
    ADVERBS,
    AUX,
    CHANGED,
    FINITE,
    OPENERS,
    SELF,
    THIRD,
    Clause,
    Token,
)
from holdfast.language.claims.verb_reader import VerbReader
from holdfast.language.claims.verbs import BASE, ING, PAST_TENSE, english

_OPENING = frozenset(
    "gave giving been was have had am used ca do don can planning hoping thinking about going want looking trying".split()
)


def english_clause(text: str, joint: str, tokens: list[Token], *, inherits: bool) -> Clause:
    """Returns what an English clause says; `inherits` if it continues about the subject of the clause before
    it."""
    clause = Clause(tokens[0].start, tokens[-1].end, joint=joint, tokens=tokens, language="en")
    clause.whole = text[clause.start : clause.end]
    if joint in ("who", "which"):
        clause.subject = "other"
        return clause
    begin = _after_openers(tokens)
    subject = next((k for k, token in enumerate(tokens) if _is_speaker(token)), None)
    verb = _verb_between(tokens, begin, len(tokens) if subject is None else subject)
    if subject is not None and (verb is None or verb > subject):
        rest = _take_subject(text, clause, tokens, begin, subject)
    elif (
        subject is not None
        and subject > begin
        and (tokens[begin].low in AUX or tokens[subject - 1].low in AUX)
    ):
        clause.subject = "asked"
        return clause
    else:
        rest = _take_missing_subject(clause, tokens, begin, inherits=inherits)
    if rest is not None:
        VerbReader(text, clause, tokens, rest).read()
    return clause


def _after_openers(tokens: list[Token]) -> int:
    """Returns the position of the first word after those that only open a sentence: "well, it turns out"."""
    position = 0
    while (
        position < len(tokens) - 1
        and tokens[position].low in OPENERS
        and not (tokens[position].low in ("so", "for", "no", "well") and tokens[position + 1].low not in SELF)
    ):
        position += 1
    turns_out = [token.low for token in tokens[position : position + 2]] == ["turns", "out"]
    return position + 2 if turns_out and position + 2 < len(tokens) else position


def _is_speaker(token: Token) -> bool:
    """Returns whether a word is "I" or "we"; "im" and "ive" are written without an apostrophe."""
    return token.low in SELF and (
        token.text in ("I", "i", "im", "ive", "Im", "Ive", "I'm") or token.low == "we"
    )


def _verb_between(tokens: list[Token], begin: int, end: int) -> int | None:
    """Returns the position of the first verb with a subject of its own; None if there is none."""
    verbs = english()
    for position in range(begin, end):
        low = tokens[position].low
        is_finite = low in verbs and verbs[low][1] in (PAST_TENSE, "third")
        if is_finite or low in _SAYS or (low in AUX and tokens[position].text != "May"):
            return position
    return None


def _take_subject(text: str, clause: Clause, tokens: list[Token], begin: int, subject: int) -> int | None:
    """Sets the subject of a clause that says "I" or "we", and what is in front of it. Returns where its verb
    may begin; None if the clause is not read further."""
    if subject > begin and tokens[subject - 1].low == "nor":
        clause.subject = "other"
        return None
    clause.subject = "self"
    clause.front = text[tokens[begin].start : tokens[subject].start].strip() if subject > begin else ""
    clause.start = tokens[begin if clause.front and _is_fronted(clause.front) else subject].start
    return subject + 1


def _take_missing_subject(clause: Clause, tokens: list[Token], begin: int, *, inherits: bool) -> int | None:
    """Sets the subject of a clause that names none: the speaker, or somebody else. Returns where its verb
    begins; None if the clause is not read further."""
    while (
        begin < len(tokens) - 1
        and (tokens[begin].low in ADVERBS or tokens[begin].low in OPENERS)
        and tokens[begin].low not in ("so", "pretty", "no", "kind", "first", "second")
    ):
        clause.changed |= tokens[begin].low in CHANGED
        begin += 1
    clause.start = tokens[begin].start
    low = tokens[begin].low
    if low in THIRD or (not inherits and _is_of_another(tokens, begin)):
        clause.subject = "other"
        return None
    if not _begins_with_verb(tokens, begin, inherits=inherits):
        return None
    clause.is_base = _is_base(low) or (low in ("do", "don") and not inherits)
    clause.subject = "self" if inherits else "dropped"
    return begin


def _begins_with_verb(tokens: list[Token], begin: int, *, inherits: bool) -> bool:
    """Returns whether a clause without a subject begins with its verb, and not with a noun of that form:
    "work is hard"."""
    verbs, low = english(), tokens[begin].low
    after = tokens[begin + 1].low if begin + 1 < len(tokens) else ""
    is_negated = low in ("never", "not", "no") and (after in verbs or after in ("longer", "been", "had"))
    if not (low in verbs or is_negated or low in _OPENING):
        return False
    if low in _ONLY_PARTICIPLES and not inherits:
        return False
    if not _is_base(low):
        return True
    return after not in FINITE and (
        inherits
        or not any(
            verbs.get(token.low, ("", ""))[1] in (BASE, "third")
            for token in tokens[begin + 1 : begin + 3]
            if token.low != "like"
        )
    )


def _is_base(low: str) -> bool:
    """Returns whether a word is the bare form of a verb."""
    verbs = english()
    return low in verbs and verbs[low][1] == BASE


_SAYS = frozenset("says said claims claimed thinks thought reckons insists tells told wrote texted".split())
_ONLY_PARTICIPLES = frozenset(
    "sung driven ridden spoken taken worn eaten woken grown broken torn known written drawn swum".split()
)
_OF_ANOTHER = frozenset("is 's isn has hasn does doesn".split())


def _is_of_another(tokens: list[Token], i: int) -> bool:
    """Returns whether a clause without a subject is about somebody else, or about what its gerund names:
    "hates gadgets", "joining a club can help"."""
    low, verbs = tokens[i].low, english()
    form = verbs.get(low)
    if low in _OF_ANOTHER or (form is not None and form[1] == "third"):
        return True
    if form is None or form[1] != ING or low == "being":
        return False
    return any(
        token.low in _GERUND_DOES or verbs.get(token.low, ("", ""))[1] == "third" for token in tokens[i + 1 :]
    )


_GERUND_DOES = frozenset(
    "is are was were has have can could will would may might should does did gave made helped takes requires makes gives helps".split()
)


def _is_fronted(front: str) -> bool:
    """Returns whether what is in front of the subject is short enough to belong to the clause."""
    return len(front) < 50
