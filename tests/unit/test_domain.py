"""The small rules of the domain: times, ids, kinds, passages, places, ranking, the event chain."""

from __future__ import annotations

import itertools
import re
import uuid
from datetime import UTC, datetime
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from holdfast import HoldfastError, InvalidInput
from holdfast.core.errors import CODES
from holdfast.core.events import Event, Head, chained, verify
from holdfast.core.ids import uuid7
from holdfast.core.kinds import KINDS, kind_named
from holdfast.core.places import (
    Pool,
    Principal,
    Reach,
    Visibility,
    default_visibility,
    scope_of,
    usable_name,
    visibility_of,
)
from holdfast.core.record import origin_of, status_of
from holdfast.core.times import DAY, EARLIEST, LATEST, to_iso, to_millis
from holdfast.core.views import Context, compile_view
from holdfast.features.admission.draft import Draft
from holdfast.features.recall.ranking import NOTHING, SHARES, freshness, rank
from holdfast.language.dates.points import Period
from holdfast.language.manner import Manner, Wanted
from holdfast.language.passages import OVERLAP, WINDOW, passages_of
from holdfast.stores.base.admitted import Admitted
from holdfast.stores.base.signals import KIND_NUMBERS, Signals
from tests.support import gate_of


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
        ("7.3.2026", "2026-03-07T00:00:00Z"),  # with points the day comes first
        ("31. 12. 1969 23:30", "1969-12-31T23:30:00Z"),
        ("Sat, 28 Nov 2026 18:08:34 +0000 (UTC)", "2026-11-28T18:08:34Z"),
        ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
    ],
)
def test_times_are_read_in_many_forms(value: Any, iso: str) -> None:
    assert to_iso(to_millis(value)) == iso


@pytest.mark.parametrize(
    "value",
    [
        "", "soon", "8 May", "12:30", "x" * 200, None, True, float("inf"), [], "2023-13-45", 10**18, "5",
        "2026-02-30", "7.13.2026", "-0001-01-01", "2026-05-07'; --", "\x002026", "2016-12-31T23:59:60Z",
        "2026-03-29T02:30 CEST", "2026-03-29T02:30[Europe/Berlin]", "9999-12-31T23:59:59-01:00",
        "10000-01-01",
    ],
)  # fmt: skip
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
    assert all(end - start <= WINDOW for start, end in spans)


def test_s4_17_m_1_default_visibility() -> None:
    def default(agent: str | None, kind: str = "note", of_project: Visibility | None = None) -> Visibility:
        return default_visibility(Principal("ana", agent=agent), kind, in_project=True, of_project=of_project)

    assert (default(None), default("coder")) == (Visibility.PRIVATE, Visibility.PROJECT)
    for visibility in Visibility:
        assert default(None, of_project=visibility) is default("coder", of_project=visibility) is visibility
    for agent in (None, "coder"):
        for kind in ("message", "episode", "passage", "statement"):
            assert default(agent, kind) is Visibility.PRIVATE, "a conversation stays its user's"
            assert default(agent, kind, Visibility.TEAM) is Visibility.PRIVATE
    outside = default_visibility(Principal("ana", agent="coder"), "note", in_project=False, of_project=None)
    assert outside is Visibility.PRIVATE


@pytest.mark.parametrize(
    "hidden",
    [
        "\u200b", "\u2060", "\ufeff", "\u00ad", "\u202e", "\u2066", "\u200f", "\u200d", "\ufe0f", "\u3164",
        "\U000e0041", "\x00", "\x1b", "\x7f", "\x80", "\x85", "\x9b", "\n", "\t", "\u2028", "\ud800",
        "\ufff9",
    ],
)  # fmt: skip
def test_s4_19_a_name_with_something_invisible_in_it_is_refused(hidden: str) -> None:
    """Two names that look the same would be two places; and a key would not be seen as one."""
    for name in (f"sh{hidden}op", f"sk-ant-api1{hidden}23", f"{hidden}shop", f"shop{hidden}", hidden):
        with pytest.raises(InvalidInput) as error:
            usable_name(name, "project")
        assert error.value.code == "place_invalid"
        assert str(error.value).isprintable()
    with pytest.raises(InvalidInput):
        scope_of(("file", f"a{hidden}b"))
    with pytest.raises(InvalidInput):
        gate_of("ana").admit(Draft("x", project=f"sh{hidden}op"), id="m", now=0)


@pytest.mark.parametrize("name", ["", " ", "\u2800", "\u00a0\u3000", "\u0301", "*", "x" * 201])
def test_a_name_that_cannot_be_seen_or_is_too_long_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput) as error:
        usable_name(name, "project")
    assert error.value.code == "place_invalid"
    assert len(str(error.value)) < 200


@pytest.mark.parametrize(
    "name", ["Shop 2", "Zürich", "e\u0301te\u0301", "👩\u200d💻 work", "می\u200cخواهم", "東京", "❤\ufe0f", "ﾞ"]
)
def test_names_of_all_scripts_are_kept_as_given(name: str) -> None:
    assert usable_name(name, "project") == name


class _Speechless:
    def __repr__(self) -> str:
        raise RuntimeError("no words")

    __str__ = __repr__


_UNSPEAKABLE = {
    "huge": 10**5000,
    "hugely negative": -(10**5000),
    "long": "x" * 100_000,
    "hidden": "\u202e\x1b\ud800",
    "speechless": _Speechless(),
    "list": ["x" * 100_000],
    "bytes": b"x",
    "none": None,
}


@pytest.mark.parametrize("value", _UNSPEAKABLE.values(), ids=_UNSPEAKABLE)
@pytest.mark.parametrize("read", [kind_named, status_of, origin_of, visibility_of, to_millis])
def test_an_error_about_any_value_is_short_and_told_as_invalid_input(read: Any, value: Any) -> None:
    with pytest.raises(InvalidInput) as error:
        read(value)
    assert len(str(error.value)) < 300
    assert str(error.value).isprintable()


def test_what_people_are_told_of_a_kind_names_no_requirement() -> None:
    assert [kind.name for kind in KINDS.values() if re.search(r"\b[SM]\d*\.\d", kind.meaning)] == []


POOLS = st.builds(
    lambda v, o, w, p, e: Pool(
        v, o if v is Visibility.PRIVATE else None, w,
        Reach.PROJECT if p else (Reach.EVERYWHERE if e else Reach.SHARED), p,
    ),
    st.sampled_from(Visibility), st.sampled_from(["ana", "ben"]), st.sampled_from([None, "lab"]),
    st.sampled_from([None, 1, 2]), st.booleans(),
)  # fmt: skip


@given(
    POOLS, st.sampled_from([None, 1, 2]), st.sampled_from([None, "lab"]), st.booleans(), st.booleans(),
    st.booleans(),
)  # fmt: skip
def test_m_8_a_view_never_opens_what_is_private_to_another_or_of_another_place(
    pool: Pool,
    project: int | None,
    workspace: str | None,
    strict: bool,
    any_project: bool,
    any_workspace: bool,
) -> None:
    """Each of the two that open everything leaves the other boundary standing."""
    context = Context(workspace, strict, project, False, any_project, any_workspace)
    reached = compile_view(Principal("ana"), context).allows(pool)
    mine = pool.owner in (None, "ana")
    inside = pool.project == project or (pool.reach is Reach.EVERYWHERE)
    here = pool.workspace == workspace or (pool.workspace is None and not strict)
    assert reached == (mine and (any_project or inside) and (any_workspace or here))


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
        refined=np.array(columns.get("refined", columns.get("cosine", [0.0] * count)), np.float32),
        passage=np.zeros((count, 2), np.int64),
        kind=np.array([KIND_NUMBERS[k] for k in columns.get("kind", ["decision"] * count)], np.int16),
        at=np.array(columns.get("at", [0] * count), np.int64),
        last_used=np.zeros(count, np.int64),
        uses=np.array(columns.get("uses", [0] * count), np.int64),
        pinned=np.zeros(count, np.bool_),
        session=np.array(columns.get("session", [0] * count), np.int64),
        previous=np.array(columns.get("previous", [-1] * count), np.int64),
        following=np.array(columns.get("following", [-1] * count), np.int64),
        opening=np.array(columns.get("opening", [False] * count), np.bool_),
        assistant=np.array(columns.get("assistant", [False] * count), np.bool_),
        manner=np.array(columns.get("manner", [0] * count), np.uint16),
        named=np.array(columns.get("named", [False] * count), np.bool_),
        user_wide=np.array(columns.get("user_wide", [False] * count), np.bool_),
        boost=np.array(columns.get("boost", [1.0] * count), np.float32),
        total=count,
    )


def test_s4_33_old_favourites_do_not_dominate() -> None:
    ranked = rank(signals(words=[10.0, 1.0], uses=[0, 10_000]), now=0, limit=2)
    assert [one.number for one in ranked] == [1, 2]


def test_equal_memories_stand_newest_first() -> None:
    ranked = rank(signals(words=[2.0, 3.0, 3.0, 3.0]), now=0, limit=3)
    assert [one.number for one in ranked] == [4, 3, 2]


def test_a_standing_preference_of_the_user_goes_first_where_a_suggestion_is_wanted() -> None:
    """Not what the assistant said, nor what prefers nothing."""
    said = signals(
        words=[3.0] * 3, assistant=[True, False, False], manner=[Manner.PREFERS, 0, Manner.PREFERS]
    )
    for wanted, best in ((NOTHING, {2, 3}), (Wanted.SUGGESTION, {3})):
        ranked = rank(said, now=0, limit=3, wanted=wanted)
        assert {one.number for one in ranked if one.score == ranked[0].score} == best


def test_s2_29_m_7_the_scorers_are_chosen_by_kind() -> None:
    ranked = rank(signals(kind=["note", "gotcha", "message"]), now=30 * DAY, limit=3)
    shares = {one.number: one.why["recency"] / (one.why["words"] + one.why["session"]) for one in ranked}
    assert shares[1] == pytest.approx(0.2 / 0.7 * 0.5)
    assert shares[2] == pytest.approx(0.25 / 0.6 * 0.5**0.5)
    assert shares[3] == pytest.approx(0.05 / 0.75 * 0.5)


def test_what_stands_beside_an_answer_and_its_conversation_count() -> None:
    talk = signals(
        words=[5.0, 0.0, 0.0, 0.0, 2.0], session=[7, 7, 8, 0, 7], previous=[-1, 0, -1, -1, 1],
        following=[1, 4, -1, -1, -1],
    )  # fmt: skip
    ranked = rank(talk, now=0, limit=9)
    assert [one.number for one in ranked] == [1, 5, 2]
    why = ranked[2].why
    assert why["words"] == 0
    assert min(why["neighbours"], why["session"]) > 0


def test_a_conversation_counts_by_its_two_best() -> None:
    """Unless a candidate is better itself; and no conversation by what another holds."""
    ranked = rank(signals(words=[4.0, 2.0, 1.0, 1.0], session=[7, 7, 7, 8]), now=0, limit=4)
    share = {one.number: one.why["session"] for one in ranked}
    assert [share[number] / share[1] for number in (1, 2, 3, 4)] == pytest.approx([1, 0.75, 0.75, 0.25])


@pytest.mark.parametrize(
    ("columns", "better"),
    [
        ({"assistant": [True, False]}, 2),
        ({"manner": [0, Manner.ASKS]}, 1),
        ({"named": [True, False]}, 1),
        ({"boost": [1.5, 1.0]}, 1),
    ],
)
def test_who_said_it_and_whether_it_asks_count_and_s3_31_a_boost(
    columns: dict[str, Any], better: int
) -> None:
    first, second = rank(signals(words=[3.0, 3.0], **columns), now=0, limit=2)
    assert (first.number, first.score > second.score) == (better, True)


@pytest.mark.parametrize(("manner", "better"), [(0, 1), (Manner.CODE, 2)])
def test_code_is_found_by_meaning_more_than_by_words(manner: int, better: int) -> None:
    found = signals(words=[1.0, 0.3], cosine=[0.6, 1.0], manner=[manner] * 2, kind=["passage"] * 2)
    assert rank(found, now=0, limit=1)[0].number == better


def test_a_time_in_the_question_draws_what_was_said_then() -> None:
    may = [Period(100 * DAY, 131 * DAY)]
    said = signals(words=[3.0, 3.0, 3.0], at=[90 * DAY, 110 * DAY, 400 * DAY], kind=["decision"] * 3)
    ranked = rank(said, now=401 * DAY, limit=3, periods=may)
    assert ranked[0].number == 2
    by_number = {one.number: one.why["time"] for one in ranked}
    assert by_number[2] > by_number[1] > by_number[3]


def test_every_share_is_told_and_they_add_up_to_the_score() -> None:
    for one in rank(signals(words=[3.0, 1.0], cosine=[0.2, 0.9], manner=[Manner.ASKS, 0]), now=DAY, limit=2):
        assert set(one.why) == set(SHARES)
        assert sum(one.why.values()) == pytest.approx(one.score)


def test_s4_18_human_feedback_weighs_most() -> None:
    ranked = rank(signals(kind=["decision", "human_feedback"]), now=0, limit=2)
    assert ranked[0].number == 2


def test_only_the_gate_makes_admitted_texts() -> None:
    with pytest.raises(TypeError, match="Admission"):
        Admitted(None, (), (), None, None, (), object())  # type: ignore[arg-type]


def test_errors_must_be_in_the_catalogue() -> None:
    with pytest.raises(ValueError, match="catalogue"):
        InvalidInput("x", code="made_up")
    assert all(text.endswith(".") for text in CODES.values())
