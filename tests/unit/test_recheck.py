"""Today's rules over what was admitted before: what is found in each part, and what stands there then."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from holdfast.core.places import Place, Visibility
from holdfast.core.record import Memory, Status
from holdfast.features.admission.recheck import Recheck
from tests.cases import each
from tests.support import gate_of

KEY = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
GONE = "[REDACTED: github_token]"
MAIL, NO_MAIL = "Mail ann.smith@example.com now", "Mail [REDACTED_EMAIL] now"
CARD = 4111111111111111
PLAIN = Memory(
    "m", "note", "The boat is red", Place("ana", Visibility.PRIVATE), Status.APPROVED, 0, 0, 0, "user:ana"
)


def findings(personal: bool, patterns: tuple[tuple[str, str], ...] = (), **parts: Any) -> tuple[Any, Any]:
    """Returns what is found in a memory beside another, and the parts without it."""
    recheck = Recheck(replace(gate_of("ana"), pii_patterns=patterns), personal=personal)
    plain, result = recheck.find([PLAIN, replace(PLAIN, **parts)])
    assert (plain.types, plain.values) == ({}, {})
    return dict(result.types), result.values


@each(
    "parts, types, values",
    [
        ({"text": f"It is {KEY}"}, {"github_token": 1}, {"text": f"It is {GONE}"}),
        ({"text": " hidden\u200b "}, {}, {}),
        ({"title": f"{KEY}\u200b", "summary": "S"}, {"github_token": 1}, {"title": GONE}),
        ({"text": f"As {GONE}"}, {}, {}),
        ({"status_reason": KEY, "deleted_reason": KEY, "name": KEY, "summary": KEY}, {"github_token": 4},
         {"status_reason": GONE, "deleted_reason": GONE, "name": GONE, "summary": GONE}),
        ({"tags": ("a", KEY)}, {"github_token": 1}, {"tags": ("a", GONE)}),
        ({"metadata": {}, "evidence": {"a": [KEY]}}, {"github_token": 1}, {"evidence": {"a": [GONE]}}),
        ({"metadata": {KEY: 1, "password": "hunter2horse"}}, {"github_token": 1, "password": 1},
         {"metadata": {GONE: 1, "password": "[REDACTED: password]"}}),
        ({"metadata": {"a": "x" * 16_340, "password": "hunter21"}}, {"password": 1}, {"metadata": {}}),
        ({"text": "<private>x</private> y"}, {"private": 1}, {"text": "y"}),
    ],
)  # fmt: skip
def test_secrets_in_every_part(parts: dict[str, Any], types: dict[str, int], values: dict[str, Any]) -> None:
    for personal in (False, True):
        assert findings(personal, **parts) == (types, values)


@pytest.mark.parametrize(
    ("parts", "types", "values"),
    [
        ({"text": MAIL}, {"email": 1}, {"text": NO_MAIL}),
        ({"text": f"{MAIL} {KEY}"}, {"github_token": 1, "email": 1}, {"text": f"{NO_MAIL} {GONE}"}),
        ({"tags": ("a", MAIL)}, {"email": 1}, {"tags": ("a", NO_MAIL)}),
        ({"title": MAIL, "name": MAIL, "status_reason": MAIL}, {"email": 3},
         {"title": NO_MAIL, "name": NO_MAIL, "status_reason": NO_MAIL}),
        ({"metadata": {MAIL: [MAIL, {"b": True, "n": None}], "card": CARD, "t": (1, MAIL)}},
         {"email": 3, "card": 1},
         {"metadata": {NO_MAIL: [NO_MAIL, {"b": True, "n": None}], "card": "[REDACTED_CARD]",
                       "t": [1, NO_MAIL]}}),
        ({"evidence": {"a": [1, 2.5], "b": True}}, {}, {}),
    ],
)  # fmt: skip
def test_personal_data_in_every_part_where_asked(
    parts: dict[str, Any], types: dict[str, int], values: dict[str, Any]
) -> None:
    assert findings(True, **parts) == (types, values)
    secrets = {name: number for name, number in types.items() if name == "github_token"}
    assert findings(False, **parts)[0] == secrets


def test_the_patterns_of_the_settings_are_looked_for_unasked() -> None:
    patterns = (("badge", r"B-\d{4}"),)
    for personal in (False, True):
        assert findings(personal, patterns, text="Badge B-1234") == (
            {"badge": 1},
            {"text": "Badge [REDACTED_BADGE]"},
        )
    recheck = Recheck(replace(gate_of("ana"), pii_patterns=patterns), personal=False)
    result = recheck.find_in(
        {"name": "B-1234", "description": f"{KEY} B-1234", "icon": None, "plain": "x\u200b"}
    )
    assert (dict(result.types), result.values) == (
        {"badge": 2, "github_token": 1},
        {"name": "[REDACTED_BADGE]", "description": f"{GONE} [REDACTED_BADGE]"},
    )  # fmt: skip
    result = Recheck(gate_of("ana"), personal=False).find_in({"name": MAIL, "key": KEY})
    assert (dict(result.types), result.values) == ({"github_token": 1}, {"key": GONE})
