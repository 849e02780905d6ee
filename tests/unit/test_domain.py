"""The small rules of the domain: times, ids, kinds, passages, places, ranking, the event chain."""

from __future__ import annotations

import itertools
import uuid
from datetime import UTC, datetime
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from holdfast import HoldfastError, InvalidInput
from holdfast.domain.errors import CODES
from holdfast.domain.events import Event, Head, chained, verify
from holdfast.domain.ids import uuid7
from holdfast.domain.kinds import KINDS, kind_named
from holdfast.domain.passages import OVERLAP, WHOLE, WINDOW, passages_of
from holdfast.domain.places import Pool, Principal, Reach, Visibility, default_visibility
from holdfast.domain.ranking import KIND_NUMBERS, Signals, freshness, rank
from holdfast.domain.times import DAY, EARLIEST, LATEST, to_iso, to_millis
from holdfast.domain.views import Context, compile_view
from holdfast.engine.admit import Admitted


@pytest.mark.parametrize(
    ("value", "iso"),
    [
        ("2023-05-07T13:56:00Z", "2023-05-07T13:56:00Z"),
        ("2023-05-07T13:56:00.250+02:00", "2023-05-07T11:56:00.250Z"),
        ("1:56 pm on 8 May, 2023", "2023-05-08T13:56:00Z"),
        ("May 2023", "2023-05-01T00:00:00Z"),
        (1_683_467_760_000, "2023-05-07T13:56:00Z"),
        ("1683467760000", "2023-05-07T13:56:00Z"),
        (datetime(2023, 5, 7, tzinfo=UTC), "2023-05-07T00:00:00Z"),
        (datetime(2023, 5, 7), "2023-05-07T00:00:00Z"),  # noqa: DTZ001
        (-1, "1969-12-31T23:59:59.999Z"),
    ],
)
def test_times_are_read_in_many_forms(value: Any, iso: str) -> None:
    assert to_iso(to_millis(value)) == iso


@pytest.mark.parametrize(
    "value",
    ["", "soon", "8 May", "12:30", "x" * 200, None, True, float("inf"), [], "2023-13-45", 10**18, "5"],
)
def test_times_that_leave_the_year_open_or_cannot_be_read_are_refused(value: Any) -> None:
    with pytest.raises(InvalidInput) as error:
        to_millis(value)
    assert error.value.code == "time_invalid"


def test_an_unknown_time_zone_is_refused_not_guessed() -> None:
    with pytest.raises(InvalidInput):
        to_millis("8 May 2023 10:00 XYZT")


@given(st.integers(EARLIEST, LATEST))
def test_times_round_trip(millis: int) -> None:
    assert to_millis(to_iso(millis)) == millis


@given(st.integers(0, LATEST), st.binary(min_size=10, max_size=10))
def test_ids_are_uuid7_and_sort_by_time(millis: int, noise: bytes) -> None:
    made = uuid.UUID(uuid7(millis, noise))
    assert made.version == 7
    assert made.variant == uuid.RFC_4122
    assert made.int >> 80 == millis
    assert uuid7(millis + 1, noise) > str(made)


def test_s2_2_s4_14_s0_3_s0_4_every_kind_has_a_policy() -> None:
    assert set(KINDS) >= {
        "profile", "preference", "goal", "project", "constraint", "todo", "fact", "note", "decision",
        "hypothesis", "keyword_set", "gotcha", "convention", "context", "error_pattern",
        "dependency_relation", "environment_quirk", "human_feedback", "pr_review", "pr_finding",
        "pr_pattern", "pr_gotcha", "session_insight", "codebase_discovery", "codebase_map", "task_outcome",
        "episode", "entity", "message", "passage",
    }  # fmt: skip
    with pytest.raises(InvalidInput, match="did you mean"):
        kind_named("decison")


def test_s4_15_half_lives() -> None:
    lives = {name: kind.half_life for name, kind in KINDS.items()}
    for name in ("convention", "decision", "dependency_relation", "human_feedback", "codebase_map"):
        assert lives[name] is None
    assert [lives[n] for n in ("gotcha", "error_pattern", "preference", "context")] == [60, 60, 180, 7]
    assert [lives[n] for n in ("environment_quirk", "session_insight", "pr_review")] == [7, 30, 90]
    assert max(KINDS.values(), key=lambda kind: kind.weight).name == "human_feedback"  # S4.18
    assert freshness(60 * DAY, 60) == pytest.approx(0.5)


@given(st.text(alphabet="ab. \n", max_size=20_000))
def test_s1_59_passages_cover_the_text_and_the_last_one_ends_it(text: str) -> None:
    spans = passages_of(text)
    assert spans[0][0] == 0
    assert spans[-1][1] == len(text)
    for (_, end), (start, following) in itertools.pairwise(spans):
        assert start == end - OVERLAP
        assert following > end
    assert all(end - start <= WINDOW for start, end in spans) or len(text) <= WHOLE


def test_s4_17_m_1_default_visibility() -> None:
    assert default_visibility(Principal("ana"), "shop") is Visibility.PRIVATE
    assert default_visibility(Principal("ana", agent="coder"), "shop") is Visibility.PROJECT
    assert default_visibility(Principal("ana", agent="coder"), None) is Visibility.PRIVATE


POOLS = st.builds(
    lambda v, o, w, p, e: Pool(
        v, o if v is Visibility.PRIVATE else None, w,
        Reach.PROJECT if p else (Reach.EVERYWHERE if e else Reach.SHARED), p,
    ),
    st.sampled_from(Visibility), st.sampled_from(["ana", "ben"]), st.sampled_from([None, "lab"]),
    st.sampled_from([None, 1, 2]), st.booleans(),
)  # fmt: skip


@given(POOLS, st.sampled_from([None, 1, 2]), st.sampled_from([None, "lab"]), st.booleans(), st.booleans())
def test_m_8_a_view_never_opens_what_is_private_to_another_or_of_another_project(
    pool: Pool, project: int | None, workspace: str | None, strict: bool, everywhere: bool
) -> None:
    view = compile_view(Principal("ana"), Context(workspace, strict, project, False, everywhere))
    if view.allows(pool):
        assert pool.owner in (None, "ana")
        if not everywhere:
            assert pool.project in (None, project)
            assert pool.workspace in (None, workspace)
            assert project is None or pool.project == project or pool.reach is Reach.EVERYWHERE
            assert not strict or pool.workspace == workspace


@given(st.lists(st.sampled_from(["remember", "pin", "erase"]), min_size=2, max_size=8), st.data())
def test_s2_6_any_change_removal_or_reorder_of_events_is_found(
    actions: list[str], data: st.DataObject
) -> None:
    head, chain = Head(), []
    for i, action in enumerate(actions):
        event = chained(head, 1_000 + i, "user:ana", action, f"id-{i}", {"n": i})
        chain.append(event)
        head = Head(event.sequence, event.hash)
    assert verify(chain, head) == len(actions)
    at = data.draw(st.integers(0, len(chain) - 1))
    harm = data.draw(st.sampled_from(["edit", "remove", "swap", "rewrite"]))
    broken = list(chain)
    if harm == "edit":
        e = chain[at]
        broken[at] = Event(e.sequence, e.at, "user:eve", e.action, e.subject, e.detail, e.hash)
    elif harm == "remove":
        del broken[at]
    elif harm == "swap":
        broken[at - 1], broken[at] = broken[at], broken[at - 1]
    else:
        last, broken = Head(), []
        for e in chain:
            made = chained(last, e.at, "user:eve", e.action, e.subject, e.detail)
            broken.append(made)
            last = Head(made.sequence, made.hash)
    with pytest.raises(HoldfastError) as error:
        verify(broken, head)
    assert error.value.code in ("audit_broken", "history_lost")


def signals(**columns: list[Any]) -> Signals:
    count = len(next(iter(columns.values())))
    return Signals(
        number=np.arange(1, count + 1),
        words=np.array(columns.get("words", [1.0] * count), np.float32),
        cosine=np.array(columns.get("cosine", [0.0] * count), np.float32),
        passage=np.zeros((count, 2), np.int64),
        kind=np.array([KIND_NUMBERS[k] for k in columns.get("kind", ["decision"] * count)], np.int16),
        at=np.array(columns.get("at", [0] * count), np.int64),
        last_used=np.zeros(count, np.int64),
        uses=np.array(columns.get("uses", [0] * count), np.int64),
        pinned=np.zeros(count, np.bool_),
        total=count,
    )


def test_s4_33_old_favourites_do_not_dominate() -> None:
    ranked = rank(signals(words=[10.0, 1.0], uses=[0, 10_000]), now=0, limit=2)
    assert [one.number for one in ranked] == [1, 2]


def test_s2_29_m_7_the_scorers_are_chosen_by_kind() -> None:
    ranked = rank(signals(kind=["message", "gotcha"]), now=30 * DAY, limit=2)
    by_number = {one.number: one.why for one in ranked}
    assert by_number[1]["recency"] == pytest.approx(0.2 * 0.5)
    assert by_number[2]["recency"] == pytest.approx(0.25 * 0.5**0.5)


def test_s4_18_human_feedback_weighs_most() -> None:
    ranked = rank(signals(kind=["decision", "human_feedback"]), now=0, limit=2)
    assert ranked[0].number == 2


def test_only_the_gate_makes_admitted_texts() -> None:
    with pytest.raises(TypeError, match="admit"):
        Admitted(None, (), (), None, None, object())  # type: ignore[arg-type]


def test_errors_must_be_in_the_catalogue() -> None:
    with pytest.raises(ValueError, match="catalogue"):
        InvalidInput("x", code="made_up")
    assert all(text.endswith(".") for text in CODES.values())
