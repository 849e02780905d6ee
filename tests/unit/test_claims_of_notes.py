"""Memories that another assistant wrote of its user: in the third person, and often without a subject."""

from __future__ import annotations

import pytest

from holdfast.language.claims.notes import claims_of_notes, first_person


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Is allergic to shellfish", {("allergy", "shellfish")}),
        ("Works at Lidl", {("employer", "Lidl")}),
        ("Name is Imke", {("name", "Imke")}),
        ("User's name is Imke.", {("name", "Imke")}),
        ("User lives in Ghent with his wife", {("lives_in", "Ghent"), ("spouse", "wife")}),
        ("The user is a vegetarian and plays the harp", {("diet", "a vegetarian"), ("plays", "the harp")}),
        ("Doesn't eat pork", {("eats", "pork")}),
        ("Allergic to bees", {("allergy", "bees")}),
        ("Moved to Ghent in May", {("lives_in", "Ghent")}),
        ("Wohnt in Kassel", {("lives_in", "Kassel")}),
        ("Nutzerin arbeitet bei Lidl", {("employer", "Lidl")}),
        ("Ist allergisch gegen Nüsse", {("allergy", "Nüsse")}),
        ("I live in Ghent. I like tea.", {("lives_in", "Ghent"), ("likes", "tea")}),
        ("- Lives in Ghent\n- Hates fog", {("lives_in", "Ghent"), ("dislikes", "fog")}),
    ],
)
def test_notes_are_read_as_said_by_their_user(text: str, expected: set[tuple[str, str]]) -> None:
    assert {
        (claims_of_note.attribute, claims_of_note.value) for claims_of_note in claims_of_notes(text)
    } == expected


def test_each_claim_quotes_its_line() -> None:
    text = "- Lives in Ghent\n- Hates fog"
    assert [
        text[claims_of_note.start : claims_of_note.end] for claims_of_note in claims_of_notes(text)
    ] == text.split("\n")


@pytest.mark.parametrize("text", ["Ana is a nurse", "Allergic to nuts", "My job is fine", "", "..."])
def test_other_lines_stay_as_they_are(text: str) -> None:
    assert first_person(text) is None
