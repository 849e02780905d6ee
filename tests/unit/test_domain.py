"""The small rules of the domain: times, ids, kinds, passages, places, the event chain."""

from __future__ import annotations

import itertools
import re
import traceback
import uuid
from datetime import UTC, datetime
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

from holdfast import HoldfastError, InvalidInput, NotFound
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
from holdfast.features.recall.ranking import freshness
from holdfast.language.passages import OVERLAP, WINDOW, passages_of
from holdfast.stores.base.admitted import Admitted
from tests.cases import each
from tests.support import gate_of


@each(
    "value, iso",
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


@each(
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


@each(
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


@each(
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


@each("value", _UNSPEAKABLE.values())
@each("read", [kind_named, status_of, origin_of, visibility_of, to_millis])
def test_an_error_about_any_value_is_short_and_told_as_invalid_input(read: Any, value: Any) -> None:
    with pytest.raises(InvalidInput) as error:
        read(value)
    assert len(str(error.value)) < 300
    assert str(error.value).isprintable()


def test_an_error_as_text_is_its_message_and_a_traceback_shows_the_hint() -> None:
    error = NotFound("there is no memory 'x'", code="memory_not_found", hint="look at the list")
    error.add_note("in the third call")
    assert str(error) == error.message == "there is no memory 'x'"
    assert repr(error) == """NotFound("there is no memory 'x'", code='memory_not_found')"""
    assert error.in_full == "there is no memory 'x' (look at the list)"
    assert [line.rstrip() for line in traceback.format_exception_only(error)] == [
        "holdfast.core.errors.NotFound: there is no memory 'x'",
        "hint: look at the list",
        "in the third call",
    ]
    unhinted = NotFound("there is no memory 'y'", code="memory_not_found")
    assert (unhinted.in_full, unhinted.__notes__) == (str(unhinted), [])


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


def test_only_the_gate_makes_admitted_texts() -> None:
    with pytest.raises(TypeError, match="Admission"):
        Admitted(None, (), (), None, None, (), object())  # type: ignore[arg-type]


def test_errors_must_be_in_the_catalogue() -> None:
    with pytest.raises(ValueError, match="catalogue"):
        InvalidInput("x", code="made_up")
    assert all(text.endswith(".") for text in CODES.values())
