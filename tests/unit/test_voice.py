"""Whose text a passage is: the author's own words are read, material that they hand over is not."""

from __future__ import annotations

import pytest

from holdfast.language.claims.read import claims_in
from holdfast.language.claims.voice import COVER, own_text
from holdfast.language.entities.read import mentions_in

MATERIAL = [
    "In Spanish please: I'm a vegetarian and I live in Rome.",
    "Wie sage ich auf Englisch: Ich bin Bäcker und wohne in Trier.",
    "Is this right: I live in Rome since five years",
    "I am living in Rome since 2010. Is this sentence correct?",
    "Grammar check: I was born in Rome and has two dogs.",
    "Asking for a friend: I have diabetes, can I eat honey?",
    "Reply to this: I live in Rome and hate dogs.",
    "Got this message today: I live in Rome and I love your dog.",
    "Continue this: I live in Rome. I have two dogs.",
    "Write a diary entry of a soldier. I have a girl in Arras.",
    "I'll be the patient: I have diabetes and I live in Rome.",
    "I live in Rome. I have a horse. Who am I?",
    "*walks in* I'm a detective and I hate coffee.",
    "please fix grammar: I has two dogs and we was living in Rome",
    "Could you smooth the style: I have been a baker since 2001.",
    "kannst du das glattziehen: Ich wohne in Trier und habe zwei Hunde.",
    "Here's the paragraph: I am a widow and I live in Leeds.",
    "Hier der Absatz: Ich bin seit 1999 Schatzmeister und liebe Zahlen.",
    "Does it sound rude? I don't work weekends.",
    "Is my email too long? I have been a tenant since 2009.",
    "Klingt das seltsam? Ich wohne in Trier.",
    "Six lines, start with: I have lived in Cork for forty years.",
    "Weiter mit: Ich arbeite seit zwanzig Jahren als Nachtwächter.",
    "and for the second one: I love hiking and I hate rain.",
    "Homework: I have two sisters. I live in Bath. Who am I?",
    "The inspector says: I don't drink. I live alone in Kiel.",
    "Chapter 3, first draft. Is it too slow?\n\nI was born in Rome. I don't like dogs.\n\nToo much?",
    "Ich schreib einen Kurzkrimi. Ich-Erzählerin. Anfang:\nIch bin Ärztin und wohne in Jena.",
    "A friend needs a second verse. The first: I come from a city of stone / I have one suitcase of leather"
    " / I left my good heart in Boston",
    "You be the waiter, I'm a tourist from Norway, I'm lactose intolerant.",
    "You're a strict coach and I'm the new boy. Coach, I have asthma.",
    "Answer as a strict governess: I hate geography.",
    "I am a lighthouse, I hate fog. Keep going, two sentences.",
    "Ich bin Vater von zwei Kindern. Mach daraus bitte Passiv.",
    "I am a mother of twins. For class, we had to write as someone else.",
    "Draft a cover letter for my neighbour. Facts: I have worked as a plasterer for 20 years.",
    "Imagine that I'm a nurse. I live in York.",
    "To: all\nSubject: kitchen\nI am allergic to cats and I live in York.",
    'Is it good? "I was a baker.\n\nI lived in Rome."',
]
OWN = [
    ('Proofread this? "I like tea." It is for my sister, I live in York.', ("lives_in", "York")),
    ("Translate to Dutch: «I own a bakery.» I live in Ghent.", ("lives_in", "Ghent")),
    ("Write a cover letter for me. Facts: I have a diploma, I live in York.", ("lives_in", "York")),
    ("Danke. Schreib noch: Ich wohne in Kassel.", ("lives_in", "Kassel")),
    ("Add a sentence: I worked as a cook.", ("works_as", "a cook")),
    ("Dear assistant,\nI live in York.\nWith thanks", ("lives_in", "York")),
    ("Re: my visa. I live in Leeds.", ("lives_in", "Leeds")),
    ("Betreff: Kündigung. Ich wohne in Kassel.", ("lives_in", "Kassel")),
    ("I live in York, and suppose a rival calls tomorrow.", ("lives_in", "York")),
    (
        "Ich unterrichte Deutsch und Geschichte, und die Schule ist klein. Ich wohne in Kassel.",
        ("lives_in", "Kassel"),
    ),
    ("My doctor says I'm fine. I live in York.", ("lives_in", "York")),
    ("First, facts: I live in York.", ("lives_in", "York")),
]


@pytest.mark.parametrize("text", MATERIAL)
def test_what_is_handed_over_says_nothing_of_who_hands_it_over(text: str) -> None:
    assert claims_in(text) == ()


@pytest.mark.parametrize(("text", "expected"), OWN)
def test_the_author_speaks_for_themself_around_material(text: str, expected: tuple[str, str]) -> None:
    assert expected in {(one.attribute, one.value) for one in claims_in(text)}


@pytest.mark.parametrize("text", [*MATERIAL, *(text for text, _ in OWN), "", "\n"])
def test_a_covered_text_keeps_its_length_and_places(text: str) -> None:
    read = own_text(text)
    assert len(read) == len(text)
    assert all(ours in (COVER, theirs, "'", ".") for ours, theirs in zip(read, text, strict=True))


def test_a_signature_names_the_author_only_below_their_own_words() -> None:
    assert [one.value for one in claims_in("How do I renew a passport?\nThanks, Imke")] == ["Imke"]
    assert claims_in("Please correct this:\nI come late tomorrow.\nRegards, Imke") == ()


def test_names_in_material_are_no_entities() -> None:
    assert mentions_in("please fix grammar: my sister Tamsin Reed has came") == ()
    assert [one.name for one in mentions_in("my sister Tamsin Reed came")] == ["Tamsin Reed"]


def test_what_is_taken_back_in_its_sentence_is_not_read() -> None:
    found = claims_in("I keep bees, or rather I kept a dog.")
    assert not any("bees" in one.value for one in found)
