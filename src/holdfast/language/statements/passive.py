"""Turns passive sentences of English into active ones, and compares the forms of their verbs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.language.statements.verbs import IRREGULAR
from holdfast.language.statements.words import words

_BASE_OF_PAST = {past: base for base, (past, _) in IRREGULAR.items()}
_BASE_OF_DONE = {done: base for base, (_, done) in IRREGULAR.items()}
_MODALS = words("must should can may will could would might")
_STOPS = words(", . ? : not never no only who which that")
_ENDS = words(
    "in on at by for during after before until since within from to with every because if when while as"
)
_FILE = re.compile(r"[\w.-]*(?:/[\w.-]+)+|[\w-]+\.[a-z]{1,4}")
_HELD = words(
    "defined implemented contained declared described documented configured tested listed stored kept"
)
"""Participles before "in" and a file, whose active subject is the file: "defined in app.py"."""
_LONGEST = 8
"""Words between a verb and the one who does it, and words of whom."""

Verb = tuple[str, frozenset[str]]
"""The auxiliary of a verb in the passive voice, and the bases it may have."""


def active(tokens: list[str]) -> Iterator[tuple[list[str], Verb, list[str]]]:
    """Yields the subject, verb and rest of the active sentences that a passive one may stand for: who does it
    may end anywhere."""
    for n in range(1, len(tokens) - 3):
        if tokens[n] in ("is", "was"):
            tense, at = tokens[n], n + 1
        elif (tokens[n] in _MODALS and tokens[n + 1] == "be") or tokens[n : n + 2] in (
            ["have", "been"],
            ["had", "been"],
        ):
            tense, at = tokens[n], n + 2
        else:
            continue
        bases = _bases_of_participle(tokens[at]) if at < len(tokens) else frozenset()
        if not bases or not _STOPS.isdisjoint(tokens[:n]):
            continue
        for by in range(at + 1, min(at + _LONGEST, len(tokens) - 1)):
            is_file = (
                tokens[by] == "in" and tokens[at] in _HELD and _FILE.fullmatch(tokens[by + 1].lstrip("`"))
            )
            if tokens[by] != "by" and not is_file:
                continue
            between = tokens[at + 1 : by]
            for end in range(by + 2, min(by + _LONGEST, len(tokens)) + 1):
                if end < len(tokens) and tokens[end] not in _ENDS:
                    continue
                yield tokens[by + 1 : end], (tense, bases), [*tokens[:n], *between, *tokens[end:]]
            break
        return


def verb_size(tokens: list[str], verb: Verb) -> int:
    """Returns how many words the verb in the active voice has with which a sentence goes on, in the same
    tense as one in the passive voice; 0 if it is another verb or tense."""
    tense, bases = verb
    if not tokens:
        return 0
    if tense in ("is", "was"):
        return int(
            not bases.isdisjoint(
                _bases_of_past(tokens[0]) if tense == "was" else _bases_of_present(tokens[0])
            )
        )
    if tokens[0] != tense or len(tokens) < 2:
        return 0
    active_bases = _bases_of_participle(tokens[1]) if tense in ("have", "had") else frozenset({tokens[1]})
    return 0 if bases.isdisjoint(active_bases) else 2


def _bases_of_participle(token: str) -> frozenset[str]:
    if token in _BASE_OF_DONE:
        return frozenset({_BASE_OF_DONE[token]})
    return _without_ed(token)


def _bases_of_past(token: str) -> frozenset[str]:
    if token in _BASE_OF_PAST:
        return frozenset({_BASE_OF_PAST[token]})
    return _without_ed(token)


def _without_ed(token: str) -> frozenset[str]:
    """Returns the bases that a regular past form may have, as "stop", "stopp" and "stoppe" for "stopped";
    none for any other word."""
    if not token.islower() or not token.endswith("ed") or (len(token) < 5 and token != "used"):
        return frozenset()
    stem = token[:-2]
    bases = {stem, stem + "e"}
    if stem[-1] == stem[-2]:
        bases.add(stem[:-1])
    if stem[-1] == "i":
        bases = {stem[:-1] + "y"}
    return frozenset(bases)


def _bases_of_present(token: str) -> frozenset[str]:
    """Returns the bases that a word, as a present form, may have; none for an irregular past form."""
    if token in _BASE_OF_PAST and token not in IRREGULAR:
        return frozenset()
    bases = {token}
    if token.endswith("s"):
        bases.add(token[:-1])
        if token.endswith("es"):
            bases.add(token[:-2])
        if token.endswith("ies"):
            bases.add(token[:-3] + "y")
    return frozenset(bases)
