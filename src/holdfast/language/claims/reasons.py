"""Statements in questions and tasks, beside what is asked: reasons, asides and set phrases after them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from holdfast.core.claims import Claim
from holdfast.language.claims.clause import SUPPOSING, pieces
from holdfast.language.claims.fragments import fragment
from holdfast.language.claims.phrases import phrases_in
from holdfast.language.claims.say import claims_of_clause
from holdfast.language.claims.syntax import clause_of

_REASONS = frozenset(
    "since because as cause cuz weil da although though obwohl denn seit ( – — - , ; :".split()
)
"""Words and marks after which a clause of a question or a task may tell of its author."""


_GIVEN = frozenset("given considering now seeing vorausgesetzt gegeben".split())


def of_reasons(text: str, language: str) -> Iterator[Claim]:
    """Yields what clauses of a question or a task state: "… because I'm diabetic?", "…, I live in Lyon"."""
    parts = pieces(text, language)
    is_open = False
    for number, (joint, tokens) in enumerate(parts):
        before = parts[number - 1][1][-1].low if number else ""
        is_given = joint in ("that", "dass") and before in _GIVEN
        if joint in SUPPOSING and joint not in ("als", "as"):
            is_open = False
            continue
        if (
            joint in _REASONS
            or is_given
            or (is_open and joint in ("and", "und", "but", "aber"))
            or before in ("given", "considering")
        ):
            clause = clause_of(text, joint, tokens, language, inherits=is_open)
            is_open = (
                clause.subject == "self" and clause.planned not in ("need", "could") and bool(clause.verb)
            )
            if is_open:
                yield from claims_of_clause(clause, text)
            elif joint in ("(", "–", "—", "-") and not clause.verb:
                yield from fragment(text, tokens[0].start, tokens[-1].end, language, is_listed=joint == "(")
        elif number:
            is_open = False


_TAIL = re.compile(r"(?:[,;:–—]\s|\s-\s|\b(?=(?:but|aber)\s))(?P<tail>[^?]+)$")
"""Matches what follows a request after its first mark, and asks nothing."""


def of_tails(text: str) -> Iterator[Claim]:
    """Yields what set phrases say after a request: "suggest a film, but musicals are not for me"."""
    tail = _TAIL.search(text)
    if tail is not None:
        for reason in phrases_in(tail["tail"]):
            yield replace(
                reason, start=reason.start + tail.start("tail"), end=reason.end + tail.start("tail")
            )
