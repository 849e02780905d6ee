"""Reads a clause in its language."""

from __future__ import annotations

from holdfast.language.claims.clause import Clause, Token
from holdfast.language.claims.english import english_clause
from holdfast.language.claims.german import german_clause


def clause_of(text: str, joint: str, tokens: list[Token], language: str, *, inherits: bool) -> Clause:
    """Returns what a clause says."""
    read = german_clause if language == "de" else english_clause
    return read(text, joint, tokens, inherits=inherits)
