"""Ranking: what each signal is worth, by examples and by the definition of the score."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from holdfast.core.kinds import KINDS, Scorer
from holdfast.core.times import DAY
from holdfast.features.recall.confidence import STATIC, WORDS, confidences
from holdfast.features.recall.ranking import NOTHING, SHARES, WEIGHTS, rank, scaled
from holdfast.language.dates.points import Period
from holdfast.language.manner import Manner, QuestionAim
from holdfast.stores.base.signals import KIND_NUMBERS, Signals
from tests.profiles import examples

USUAL = {"words": 1.0, "kind": "decision", "previous": -1, "following": -1, "boost": 1.0}


def signals(*, most: float = 0.0, **columns: list[Any]) -> Signals:
    """Signals of candidates numbered from 1; what is not given is usual, or nothing."""
    count = len(next(iter(columns.values())))

    def column(name: str, kind: type) -> Any:
        return np.array(columns.get(name, [USUAL.get(name, 0)] * count), kind)

    return Signals(
        number=np.arange(1, count + 1),
        words=column("words", np.float32),
        cosine=column("cosine", np.float32),
        refined=column("refined" if "refined" in columns else "cosine", np.float32),
        passage=np.array([(number, 2 * number) for number in range(count)], np.int64),
        kind=np.array(
            [KIND_NUMBERS[name] for name in columns.get("kind", [USUAL["kind"]] * count)], np.int16
        ),
        at=column("at", np.int64),
        last_used=column("last_used", np.int64),
        uses=column("uses", np.int64),
        pinned=column("pinned", np.bool_),
        session=column("session", np.int64),
        previous=column("previous", np.int64),
        following=column("following", np.int64),
        opening=column("opening", np.bool_),
        assistant=column("assistant", np.bool_),
        manner=column("manner", np.uint16),
        named=column("named", np.bool_),
        user_wide=column("user_wide", np.bool_),
        boost=column("boost", np.float32),
        total=count,
        most=most,
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
    for wanted, best in ((NOTHING, {2, 3}), (QuestionAim.SUGGESTION, {3})):
        ranked = rank(said, now=0, limit=3, intent=wanted)
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


def test_a_score_that_is_scaled_says_why() -> None:
    (one,) = rank(signals(words=[3.0]), now=0, limit=1)
    for why, less in (("stale", scaled(one, 0.25)), ("elsewhere", scaled(one, 0.25, "elsewhere"))):
        assert less.score == pytest.approx(0.25 * one.score)
        assert less.why == {**one.why, why: pytest.approx(-0.75 * one.score)}


def test_s4_18_human_feedback_weighs_most() -> None:
    ranked = rank(signals(kind=["decision", "human_feedback"]), now=0, limit=2)
    assert ranked[0].number == 2


NOW = 1_000 * DAY
CANDIDATES: dict[str, list[Any]] = {
    "words": [0.0, 0.0, 0.25, 0.5, 2.0, 4.0],
    "cosine": [-1.0, 0.0, 0.125, 0.25, 0.5, 1.0],
    "refined": [-1.0, 0.0, 0.25, 0.5, 1.0],
    "kind": ["note", "preference", "decision", "gotcha", "message", "passage", "human_feedback"],
    "at": [day * DAY for day in (900, 980, 990, 991, 1_000, 1_010)],
    "last_used": [0, 0, 995 * DAY],
    "uses": [0, 3, 10, 15, 20, 30],
    "pinned": [False, True],
    "session": [0, 1, 1, 2],
    "previous": [-1, 0, 1, 2, 3, 4, 5],
    "following": [-1, 0, 1, 2, 3, 4, 5],
    "opening": [False, True],
    "assistant": [False, True],
    "manner": [
        0, Manner.ASKS, Manner.PREFERS, Manner.AFFIRMS, Manner.CODE, Manner.AMOUNT,
        Manner.AMOUNT | Manner.TIME, Manner.REASON | Manner.AFFIRMS, Manner.AMOUNT | Manner.CODE,
    ],
    "named": [False, True],
    "user_wide": [False, True],
    "boost": [0.0, 0.5, 1.0, 1.0, 1.5],
}  # fmt: skip
WANTED = [
    NOTHING, QuestionAim.SUGGESTION, QuestionAim.DENIAL, QuestionAim.AMOUNT,
    QuestionAim.AMOUNT | QuestionAim.TIME, QuestionAim.REASON,
]  # fmt: skip
PERIODS = [Period(start * DAY, (start + days) * DAY) for start in (960, 985, 990) for days in (1, 5, 31, 32)]


def score_of(
    rows: list[dict[str, Any]], periods: list[Period], length: int, wanted: QuestionAim, represented: float
) -> list[dict[str, float]]:
    """Returns the shares of candidates as docs/retrieval.md defines them, one by one."""
    w = WEIGHTS
    vector = w.vector * min(1.0, w.long / length) * (w.suiting if QuestionAim.SUGGESTION in wanted else 1.0)
    vector *= 1.0 if represented >= 0.5 else max(w.spelling, 2 * represented)
    top_words, top_cosine = (max(0.0, *(row[name] for row in rows), 0.0) for name in ("words", "refined"))
    own: list[tuple[float, float]] = []
    for row in rows:
        by = vector * (w.code if row["manner"] & Manner.CODE else 1.0)
        scale = (w.words if top_words else 0.0) + (by if top_cosine else 0.0) or 1.0
        by_words = w.words * row["words"] / scale / (top_words or 1.0)
        own.append((by_words, by * max(row["refined"], 0.0) / scale / (top_cosine or 1.0)))
    fit = [sum(parts) for parts in own]
    pairs = {
        session: sorted((one for one, row in zip(fit, rows, strict=True) if row["session"] == session))[-2:]
        for session in {row["session"] for row in rows}
    }
    return [
        _shares_of(i, rows, own, fit, pairs[rows[i]["session"]], periods, wanted) for i in range(len(rows))
    ]


def _shares_of(
    i: int, rows: list[dict[str, Any]], own: list[tuple[float, float]], fit: list[float], pair: list[float],
    periods: list[Period], wanted: QuestionAim,
) -> dict[str, float]:  # fmt: skip
    w, row = WEIGHTS, rows[i]
    beside = sum(
        weight * fit[row[name]] for name, weight in (("previous", w.previous), ("following", w.following))
        if row[name] >= 0
    )  # fmt: skip
    together = fit[i] + beside
    session = w.session * max(fit[i], sum(pair) / len(pair) if row["session"] else 0.0)
    together += session
    asked = [trait for want, trait in (
        (QuestionAim.AMOUNT, Manner.AMOUNT), (QuestionAim.TIME, Manner.TIME),
        (QuestionAim.REASON, Manner.REASON),
    ) if want in wanted]  # fmt: skip
    manner = Manner(row["manner"])
    speaker = (
        (w.assistant, row["assistant"]),
        (w.asking, Manner.ASKS in manner),
        (w.named, row["named"]),
        (
            w.preferring,
            QuestionAim.SUGGESTION in wanted and Manner.PREFERS in manner and not row["assistant"],
        ),
        (w.affirming, QuestionAim.DENIAL in wanted and Manner.AFFIRMS in manner and row["kind"] != "passage"),
    )
    by_speaker = sum(weight for weight, counts in speaker if counts)
    if asked:  # code that has it answers no question of a person for it
        by_speaker += w.stating * (all(one in manner for one in asked) and Manner.CODE not in manner)
    else:
        is_answered = row["following"] >= 0 and rows[row["following"]]["assistant"]
        by_speaker += w.opening * (row["opening"] and not row["assistant"] and is_answered)
    near = max((float(period.nearness(np.array([row["at"]]))[0]) for period in periods), default=0.0)
    time = w.then * (near == 1) + w.time * near * together
    own_share = 1.0 if row["session"] else 1.0 + w.session
    parts = [
        own[i][0] * own_share, own[i][1] * own_share, beside, session if row["session"] else 0.0,
        by_speaker * together, time,
    ]  # fmt: skip
    parts = [part / (1 + w.previous + w.following + w.session) for part in parts]
    kind = KINDS[row["kind"]]
    is_agent = kind.scorer is Scorer.AGENT
    relevance, recency, use = {
        Scorer.ASSISTANT: (0.7, 0.2, 0.1), Scorer.AGENT: (0.6, 0.25, 0.15),
        Scorer.EVIDENCE: (0.75, 0.05, 0.0),
    }[kind.scorer]  # fmt: skip
    age = NOW - (max(row["at"], row["last_used"]) if is_agent else row["at"])
    lasts = row["pinned"] or (row["user_wide"] and kind.personal) or kind.half_life is None
    fresh = 1.0 if lasts else math.exp2(-max(age, 0) / DAY / (kind.half_life or 1))
    total = sum(parts)
    parts = [relevance * part for part in parts]
    parts += [recency * fresh * total, use * min(row["uses"] / (20 if is_agent else 10), 1.0) * total]
    return {name: part * kind.weight * row["boost"] for name, part in zip(SHARES, parts, strict=True)}


@settings(max_examples=examples(150))
@given(st.integers(0, 2**32))
def test_a_score_is_what_its_definition_says(seed: int) -> None:
    """So is which candidates count at all, in which order, and how sure each is."""
    draw = Random(seed)
    rows = [
        {name: draw.choice(values) for name, values in CANDIDATES.items()} for _ in range(draw.randint(1, 6))
    ]
    periods = draw.sample(PERIODS, draw.randint(0, 2))
    length, represented = draw.choice([1, 16, 32]), draw.choice([1.0, 0.5, 0.375, 0.0])
    wanted, limit = draw.choice(WANTED), draw.randint(1, 6)
    for row in rows:
        for name in ("previous", "following"):
            row[name] = row[name] if row[name] < len(rows) else -1
    whole = signals(most=4.0, **{name: [row[name] for row in rows] for name in rows[0]})
    for row in rows:
        if row["boost"] == 0:  # left out, as a yardstick too
            row.update(words=0.0, cosine=0.0, refined=0.0)
    shares = score_of(rows, periods, length, wanted, represented)
    scores = [sum(share.values()) for share in shares]
    short = [period for period in periods if period.end - period.start <= 31 * DAY]
    matches = [
        row["words"] > 0 or row["cosine"] >= 0.25 or any(one.start <= row["at"] < one.end for one in short)
        for row in rows
    ]
    found = sorted(
        (
            i for i, row in enumerate(rows) if row["boost"] > 0
            and any(matches[at] for at in (i, row["previous"], row["following"]) if at >= 0)
        ),
        key=lambda i: (round(scores[i], 9), i), reverse=True,
    )  # fmt: skip
    counted = signals(most=4.0, **{name: [row[name] for row in rows] for name in rows[0]})
    sure = confidences(counted, STATIC if represented >= 0.5 else WORDS)

    def ranked(**options: Any) -> list[Any]:
        return rank(
            whole, now=NOW, periods=periods, length=length, intent=wanted, represented=represented, **options
        )

    every = ranked(limit=9, threshold=-9.0)
    assert [one.number - 1 for one in every] == found
    for one in every:
        at = one.number - 1
        assert one.why == pytest.approx(shares[at])
        assert one.score == pytest.approx(scores[at])
        assert (one.passage, one.cosine) == ((at, 2 * at), rows[at]["cosine"])
        assert one.confidence == sure[at]
    assert ranked(limit=limit) == [one for one in every if one.score >= 0][:limit]
    for one in every:
        assert ranked(limit=9, threshold=one.score) == [two for two in every if two.score >= one.score]
