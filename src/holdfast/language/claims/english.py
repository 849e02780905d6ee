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
    """Returns what an English clause says; `inherits` tells whether it goes on about the same subject."""
    clause = Clause(tokens[0].start, tokens[-1].end, joint=joint, tokens=tokens, language="en")
    clause.whole = text[clause.start : clause.end]
    if joint in ("who", "which"):
        clause.subject = "other"
        return clause
    verbs = english()
    i = 0
    while (
        i < len(tokens) - 1
        and tokens[i].low in OPENERS
        and not (tokens[i].low in ("so", "for", "no", "well") and tokens[i + 1].low not in SELF)
    ):
        i += 1
    if [token.low for token in tokens[i : i + 2]] == ["turns", "out"]:
        i += 2
    subject = next(
        (
            k
            for k, token in enumerate(tokens)
            if token.low in SELF
            and (token.text in ("I", "i", "im", "ive", "Im", "Ive", "I'm") or token.low == "we")
        ),
        None,
    )
    front_verb = next(
        (
            k
            for k in range(i, subject if subject is not None else len(tokens))
            if (tokens[k].low in verbs and verbs[tokens[k].low][1] in (PAST_TENSE, "third"))
            or tokens[k].low in _SAYS
            or (tokens[k].low in AUX and tokens[k].text != "May")
        ),
        None,
    )
    if subject is not None and (front_verb is None or front_verb > subject):
        clause.subject = "self"
        if subject > i and tokens[subject - 1].low == "nor":
            clause.subject = "other"
            return clause
        clause.front = text[tokens[i].start : tokens[subject].start].strip() if subject > i else ""
        clause.start = tokens[i if clause.front and _is_fronted(clause.front) else subject].start
        i = subject + 1
    elif subject is not None and subject > i and (tokens[i].low in AUX or tokens[subject - 1].low in AUX):
        clause.subject = "asked"
        return clause
    else:
        while (
            i < len(tokens) - 1
            and (tokens[i].low in ADVERBS or tokens[i].low in OPENERS)
            and tokens[i].low not in ("so", "pretty", "no", "kind", "first", "second")
        ):
            clause.changed |= tokens[i].low in CHANGED
            i += 1
        clause.start = tokens[i].start
        low = tokens[i].low
        if low in THIRD or (not inherits and _is_of_another(tokens, i)):
            clause.subject = "other"
            return clause
        after = tokens[i + 1].low if i + 1 < len(tokens) else ""
        is_verb = (
            low in verbs
            or (
                low in ("never", "not", "no")
                and (after in verbs or after == "longer" or after in ("been", "had"))
            )
            or low in _OPENING
        )
        if not is_verb or (low in _ONLY_PARTICIPLES and not inherits):
            return clause
        if (
            low in verbs
            and verbs[low][1] == BASE
            and (
                after in FINITE
                or any(
                    verbs.get(token.low, ("", ""))[1] in (BASE, "third")
                    for token in tokens[i + 1 : i + 3]
                    if not inherits and token.low != "like"
                )
            )
        ):
            return clause
        if (low in verbs and verbs[low][1] == BASE) or (low in ("do", "don") and not inherits):
            clause.is_base = True
        clause.subject = "self" if inherits else "dropped"
    VerbReader(text, clause, tokens, i).read()
    return clause


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
    return len(front) < 50
