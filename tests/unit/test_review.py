"""The rules of the review: confidence after a verdict, and how memories hang together."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast import InvalidInput
from holdfast.core.places import Principal
from holdfast.core.review import MACHINE_CONFIDENCE_MAX, STEPS, Verdict, moved_by, texts_in, verdict_of

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(st.floats(0, 1), st.lists(st.sampled_from(Verdict)), st.sampled_from([None, "coder"]))
def test_s4_72_confidence_stays_a_share_and_goes_where_the_verdict_says(
    confidence: float, verdicts: list[Verdict], agent: str | None
) -> None:
    """Of an agent, never above what it may state itself."""
    for verdict in verdicts:
        after = moved_by(confidence, STEPS[verdict], Principal("ana", agent=agent))
        assert 0.0 <= after <= (max(confidence, MACHINE_CONFIDENCE_MAX) if agent else 1.0) + 1e-4
        if verdict is Verdict.HELPFUL:
            assert after >= min(1.0, confidence - 1e-4)
        else:
            assert after <= confidence
        confidence = after


@given(VALUES, st.text(min_size=1))
def test_a_text_in_evidence_is_found_however_deep_it_lies(value: Any, text: str) -> None:
    assert text in texts_in([{"a": {"b": [value, {"c": text}]}}])
    assert texts_in({text: 1}) == []  # a key says nothing


def test_s2_35_a_verdict_is_one_of_three() -> None:
    assert [verdict_of(one.value) for one in Verdict] == list(Verdict)
    wrong: list[object] = ["great", None, 7, []]
    for bad in wrong:
        with pytest.raises(InvalidInput):
            verdict_of(bad)
