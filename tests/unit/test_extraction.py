"""Extraction by rules: the examples of each rule are its tests, and what states nothing gives nothing."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given

from holdfast.core.kinds import KINDS
from holdfast.core.metrics import TARGETS, Metric, all_passed, rated
from holdfast.core.record import Origin
from holdfast.features.extraction.candidates import (
    CLAUSE_MAX,
    FOUND_MAX,
    MESSAGE_MAX,
    is_web,
    redacted,
    statements_in,
)
from holdfast.features.extraction.quality import Quality, quality_of
from holdfast.features.extraction.rules import BARS, RULES, Bar, Rule
from tests.cases import each
from tests.growth import grows_at_most
from tools.evaluation.extraction import labelled, read


@each("rule", RULES)
def test_s2_23_a_rule_finds_its_examples_and_nothing_finds_its_counterexamples(rule: Rule) -> None:
    assert rule.kind in KINDS
    assert len(rule.yes) >= 3
    assert len(rule.no) >= 3
    for text in rule.yes:
        assert [(one.rule, one.text) for one in statements_in(text)] == [(rule.name, text)]
    for text in rule.no:
        assert statements_in(text) == ()


@each("bar", BARS)
def test_s2_23_what_is_barred_states_nothing(bar: Bar) -> None:
    assert bar.reach in ("message", "sentence")
    for text in bar.stops:
        assert statements_in(text) == ()


def test_s2_23_each_family_has_its_kind_and_confidence() -> None:
    assert {(rule.kind, rule.confidence) for rule in RULES} == {
        ("profile", 0.85),
        ("preference", 0.72),
        ("goal", 0.68),
        ("constraint", 0.62),
        ("todo", 0.58),
    }
    for language in ("en", "zh"):
        assert {rule.kind for rule in RULES if rule.name.startswith(language)} == {r.kind for r in RULES}


def test_s2_23_the_span_points_at_the_words() -> None:
    text = "Hi! By the way, my name is Ada Lovelace and I love tea.\n你好，我喜欢爬山。"
    found = statements_in(text)
    assert [(one.kind, one.text) for one in found] == [
        ("profile", "my name is Ada Lovelace"),
        ("preference", "I love tea"),
        ("preference", "我喜欢爬山"),
    ]
    assert [text[one.start : one.end] for one in found] == [one.text for one in found]


def test_s2_25_the_same_twice_in_a_message_counts_once() -> None:
    assert len(statements_in("I love  tea. I love tea! My name is Ada.")) == 2


@each(
    "text",
    [
        "```\nI love tea\n```",
        "~~~\nI love tea\nand no end of the block",
        "> I love tea",
        "    I love tea",
        'He wrote "I love tea. I love coffee."',
        "`I love tea`",
        "「我喜欢爬山」",
        "// I love tea",
        "I love tea?",
        "Do you think I love tea",
    ],
)
def test_quotations_code_and_questions_state_nothing(text: str) -> None:
    assert statements_in(text) == ()


def test_a_pasted_document_states_nothing() -> None:
    assert statements_in("I love tea. " + "x" * MESSAGE_MAX) == ()
    assert len(statements_in(". ".join(f"I love tea number {i}" for i in range(99)))) == FOUND_MAX


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    for one in statements_in(text):
        assert text[one.start : one.end] == one.text
        assert 0 < len(one.text) <= CLAUSE_MAX


_WORDS = st.sampled_from(
    [
        "I",
        "love",
        "tea",
        "my name is Ada",
        ". ",
        ", ",
        "and",
        "if",
        '"',
        "`",
        "我",
        "喜欢",
        "爬山",
        "，",
        "。",
        "\n",
        "> ",
        "must",
    ]
)


@given(st.lists(_WORDS, max_size=40).map(" ".join))
def test_what_is_found_is_part_of_the_text_and_in_order(text: str) -> None:
    found = statements_in(text)
    assert [one.start for one in found] == sorted(one.start for one in found)
    assert all(text[one.start : one.end] == one.text for one in found)


@pytest.mark.parametrize(
    "unit", ["I ", "my favorite ", "so, ", "I love ", "' ", "“", "我喜欢", "( ", ", I ", "hi "]
)
def test_reading_time_grows_with_the_length(unit: str) -> None:
    text = unit * MESSAGE_MAX
    assert grows_at_most(
        lambda length: statements_in(text[:length]), MESSAGE_MAX // 8, MESSAGE_MAX, factor=60, floor=0.0005
    )


def test_s2_19_addresses_and_numbers_are_left_out() -> None:
    assert redacted("Remind me to write to ada@example.com") == "Remind me to write to [REDACTED_EMAIL]"
    assert "[REDACTED_PHONE]" in redacted("Remind me to call +44 20 7946 0958 tomorrow")
    assert redacted("I love tea") == "I love tea"


def test_s4_45_what_a_search_brings_in_is_known_by_its_tool() -> None:
    assert is_web("tool", "web_search", Origin.USER)
    assert is_web("user", None, Origin.WEB)
    assert not is_web("tool", "run_tests", Origin.USER)
    assert not is_web("user", "Webster", Origin.USER)


def test_s3_27_the_quality_of_a_conversation() -> None:
    long, answer = ("user", 60), ("assistant", 120)
    assert quality_of([]) is Quality.TRIVIAL
    assert quality_of([long, ("user", 50), ("assistant", 20)]) is Quality.TRIVIAL
    assert quality_of([("tool", 500)] * 9 + [answer]) is Quality.TOOLS
    assert quality_of([("tool", 500)] * 4 + [answer]) is Quality.VALUABLE
    assert quality_of([long, long, ("assistant", 100)]) is Quality.SILENT
    assert quality_of([long, answer]) is Quality.VALUABLE


# the labelled set and its figures


def test_s2_39_the_labelled_set_is_large_and_in_both_languages() -> None:
    for part, least in (("tuned", 200), ("held_out", 200)):
        messages = list(labelled(part))
        chinese = [message for message in messages if any("一" <= c <= "鿿" for c in message.text)]
        assert len(messages) >= least
        assert len({message.text for message in messages}) == len(messages)
        assert least / 4 < len(chinese) < len(messages) - least / 4
        assert 0.25 < sum(bool(message.labels) for message in messages) / len(messages) < 0.75
        assert {kind for message in messages for kind, _, _ in message.labels} <= set(KINDS)


def test_s2_39_extraction_meets_its_targets_on_what_the_rules_were_not_written_with() -> None:
    part = read("held_out")
    assert part.right / part.found >= TARGETS["extraction_precision"].value
    assert part.polluted / part.silent <= TARGETS["false_positive_rate"].value


def test_s2_39_what_had_nothing_to_count_is_left_out() -> None:
    counts = {"deletion_compliance": (3, 3), "cross_user_leak_rate": (0, 0), "false_positive_rate": (1, 10)}
    metrics = rated(counts, "user:ana", 5)
    assert metrics == (
        Metric("deletion_compliance", 1.0, 3, "user:ana", 5),
        Metric("false_positive_rate", 0.1, 10, "user:ana", 5),
    )
    assert [metric.passed for metric in metrics] == [True, False]
    assert not all_passed(metrics)
    assert all_passed(metrics[:1])
    assert not all_passed(())


def test_s2_39_the_targets() -> None:
    assert {name: (target.value, target.at_most) for name, target in TARGETS.items()} == {
        "extraction_precision": (0.85, False),
        "false_positive_rate": (0.05, True),
        "retrieval_hit_rate": (0.80, False),
        "injection_pollution_rate": (0.02, True),
        "deletion_compliance": (1.0, False),
        "cross_user_leak_rate": (0.0, True),
        "cross_scope_leak_rate": (0.0, True),
    }
