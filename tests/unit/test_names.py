"""Names in messages: what is read as a person, place, organisation, project or thing, and how they relate."""

from __future__ import annotations

import pytest

from holdfast.language.entities.read import known_in, mentions_in
from holdfast.language.entities.relations import relations_in
from tests.cases import each


def named(text: str) -> str:
    return "; ".join(f"{one.type} {one.name}" for one in mentions_in(text))


@each(
    "text, found",
    [
        ("My sister Lena works at Siemens in Munich.", "person Lena; organization Siemens; place Munich"),
        ("Meine Freundin Aylin wohnt in Köln.", "person Aylin; place Köln"),
        ("Mr. Hughes called about the invoice.", "person Mr. Hughes"),
        ("My landlord Mr. Patel raised the rent.", "person Mr. Patel"),
        ("References: Prof. Dr. Karin Vogel, Dr. James E. Hunt", "person Karin Vogel; person James E. Hunt"),
        ("Meine Kollegin Aylin-Sophie wohnt in Baden-Baden.", "person Aylin-Sophie; place Baden-Baden"),
        ("We named it Project Falcon.", "project Falcon"),
        ("Lunch with Ottilde and Ferrick was great", "person Ottilde; person Ferrick"),
        ("We signed with Brandora last week.", "organization Brandora"),
        ("Treffen mit Hinnerk im Café Sonnendeck", "person Hinnerk; organization Café Sonnendeck"),
        ("The train from Elmsworth is late again.", "place Elmsworth"),
        ("Wiebkea wohnt jetzt allein.", "person Wiebkea"),
        ("The service runs on PostgreSQL.", "technology PostgreSQL"),
        ("Hope Adeyemi, she grows dahlias.", "person Hope Adeyemi"),
        (
            "I flew from Paris to New York with Lufthansa.",
            "place Paris; place New York; organization Lufthansa",
        ),
    ],
)
def test_who_and_what_is_named(text: str, found: str) -> None:
    assert named(text) == found


@each(
    "text",
    [
        "Can you help me with this?", "Will this work?", "Mark the first one as done.", "I hope so.",
        "Thankfully, my son is fine.", "Am Wochenende waren wir in den Bergen.", "Let it go.",
        "We met on Alexandra Palace Way.", 'The sign says "Anna Smith lives in Rome".', "`import Anna`",
        "The report is due on Monday, English only.", "John: Let's ship.\nMaria: I agree.",
        "[10:02] Anna Keller: Moin\n[10:03] Tom Brandt: Hi", "**Attendees:** Sarah Chen\n**Agenda:** Lunch",
        "Write a story about a dragon named Zephyr who lives in Rome with his friend Bilbo.",
        "Translate: 'My brother Karl lives in Wien.' into English", "Please play the role of Dr. Sharma.",
        "I'd like to work from home. I'll aim for it.", "We stayed at the Buried Treasure Inn, it was nice.",
        "I am from Generation Z.", "I took leadership as the Project Lead.", "I flew with American Airlines.",
        "Is a Tesla reliable?", "Das Amt meint, ich soll warten.", "Mein Hausarzt findet das gut.",
    ],
)  # fmt: skip
def test_what_names_nobody(text: str) -> None:
    assert named(text) == ""


def test_what_a_project_knows_needs_no_introduction() -> None:
    known = known_in(mentions_in("My boss Priya Raman is here. My parrot Churchill too."))
    assert known == {"Priya Raman": "person", "Priya": "person", "Churchill": "thing"}
    found = mentions_in("Priya fed Churchill.", known)
    assert [(one.name, one.type) for one in found] == [("Priya", "person"), ("Churchill", "thing")]


def test_a_name_of_two_things_is_no_hint() -> None:
    mentions = [*mentions_in("My friend Paris Duvall is here."), *mentions_in("I moved to Paris.")]
    assert "Paris" not in known_in(mentions)


@each(
    "text, stated",
    [
        ("My friend Emma Whitlock works at Calder Library.", "Emma Whitlock works_at Calder Library"),
        ("Sven ist mit Bettina verheiratet.", "Sven partner_of Bettina"),
        ("Basil Rosewood and his son Rowan came.", ""),
        ("Tamsin and her wife Jude Farrow came.", "Jude Farrow partner_of Tamsin"),
        ("Walter's full name is Walter Ignatius Pell.", "Walter also_called Walter Ignatius Pell"),
        ("Walter called Delphine.", ""),
        ("Sven (Bettina) came, and Anna answers to Tom.", ""),
        ("The World Health Organization (WHO) said so.", ""),
        ("Does Sven live with Bettina at Siemens?", ""),
        ("Sven does not work at Siemens.", ""),
        ("Sven used to work at Siemens.", ""),
        ("If Sven joined Siemens, he would be rich.", ""),
        ("Hannah Frey and Johanna Frei are not the same.", ""),
    ],
)
def test_how_they_relate(text: str, stated: str) -> None:
    found = relations_in(text, mentions_in(text))
    assert "; ".join(f"{one.subject.name} {one.label} {one.target.name}" for one in found) == stated


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I took a class at Saint Osyth Culinary School in May.", {"Saint Osyth Culinary School"}),
        ("I'm planning a family trip to St. Brelade's from 10 August.", {"St. Brelade's"}),
        ("We moved to St. Gallen.", {"St. Gallen"}),
        ("The shop on Main St. is closed.", set()),
    ],
)
def test_a_name_begins_with_its_saint(text: str, expected: set[str]) -> None:
    assert {one.name for one in mentions_in(text)} == expected
