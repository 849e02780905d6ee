"""Generated lives: the same from the same seed, labelled where the words stand, halves that share nothing."""

from __future__ import annotations

import pytest

from tools.evaluation.life import read
from tools.evaluation.lives.generate import CONVERSATIONS, life
from tools.evaluation.lives.templates import templates
from tools.evaluation.lives.values import HALVES

OTHER_TALK = {"trap", "noise", "reply"}


@pytest.fixture(scope="module")
def lived():
    return life("dev", 7)


def test_a_seed_gives_the_same_life(lived):
    assert life("dev", 7) == lived
    assert life("dev", 8) != lived


def test_a_life_has_its_conversations_and_labels_are_words_of_messages(lived):
    assert len(lived.conversations) == CONVERSATIONS
    for row in lived.conversations:
        for label in (*row["statements"], *row["traps"]):
            message = row["messages"][label["message"]]
            assert message["role"] == "user"
            assert label["quote"] in message["content"]


def test_what_ended_is_not_told_as_holding(lived):
    for fact in lived.facts:
        if fact.ends is not None and fact.slot == "employer":
            told = [
                number / CONVERSATIONS
                for number, row in enumerate(lived.conversations)
                for statement in row["statements"]
                if statement.get("event") == "job"
                and fact.value.casefold() in statement["value"][0].casefold()
            ]
            assert all(at < fact.ends for at in told)


def test_halves_share_no_template_and_events_have_many_forms():
    dev, held_out = ({line.text for lines in templates(half).values() for line in lines} for half in HALVES)
    assert not dev & held_out
    for key in templates("dev").keys() | templates("held_out").keys():
        if key[1] not in OTHER_TALK:
            assert sum(len(templates(half)[key]) for half in HALVES) >= 12, key


def test_reading_counts_every_label(lived):
    score = read("dev", lives=1, seed=7)
    labels = [
        statement
        for row in lived.conversations
        for statement in row["statements"]
        if not statement.get("also")
    ]
    assert score.labelled.total() == len(labels)
    assert 0 < score.matched.total() <= score.labelled.total()
