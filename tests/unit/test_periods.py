"""The times that questions name: calendar words, digits, parts and ranges, in several languages."""

from __future__ import annotations

from calendar import monthrange
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.times import DAY
from holdfast.language.dates import words
from holdfast.language.dates.read import periods_in
from tests.cases import each

WEDNESDAY = date(2025, 3, 19)


def _noon(day: date) -> int:
    return round(datetime(day.year, day.month, day.day, 12, tzinfo=UTC).timestamp() * 1000)


def _period_days(question: str, today: date = WEDNESDAY) -> list[str]:
    """Each period's first and last day: "2024-05-01 2024-05-31"."""
    found = periods_in(question, _noon(today))
    return [" ".join(_day(ms) for ms in (period.start, period.end - 1)) for period in found]


def _day(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).date().isoformat()


@each(
    "question, first, last",
    [
        ("last month", "2025-02-01", "2025-02-28"),
        ("this month", "2025-03-01", "2025-03-31"),
        ("last year", "2024-01-01", "2024-12-31"),
        ("the year before last", "2023-01-01", "2023-12-31"),
        ("the week before last", "2025-03-03", "2025-03-09"),
        ("last quarter", "2024-10-01", "2024-12-31"),
        ("last May", "2024-05-01", "2024-05-31"),
        ("what did we do last may?", "2024-05-01", "2024-05-31"),
        ("last March", "2025-03-01", "2025-03-31"),
        ("this March", "2025-03-01", "2025-03-31"),
        ("last December", "2024-12-01", "2024-12-31"),
        ("last May 10th", "2024-05-10", "2024-05-10"),
        ("May last year", "2024-05-01", "2024-05-31"),
        ("In 2023, what did I do in May?", "2023-05-01", "2023-05-31"),
        ("last weekend", "2025-03-15", "2025-03-16"),
        ("three weekends ago", "2025-03-01", "2025-03-02"),
        ("the day before yesterday", "2025-03-17", "2025-03-17"),
        ("last night", "2025-03-18", "2025-03-19"),
        ("the night before last", "2025-03-17", "2025-03-18"),
        ("tonight", "2025-03-19", "2025-03-19"),
        ("this Monday", "2025-03-17", "2025-03-17"),
        ("fiscal year 2023-24", "2023-01-01", "2024-12-31"),
        ("fiscal year 2011-12", "2011-01-01", "2012-12-31"),
        ("in 2023/24", "2023-01-01", "2024-12-31"),
        ("FY24", "2024-01-01", "2024-12-31"),
        ("FY 2024", "2024-01-01", "2024-12-31"),
        ("2023-13-45", "2023-01-01", "2023-12-31"),
        ("2023-45", "2023-01-01", "2023-12-31"),
        ("15.03.2024", "2024-03-15", "2024-03-15"),
        ("05.07.2023", "2023-07-05", "2023-07-05"),
        ("13/7/2023", "2023-07-13", "2023-07-13"),
        ("7/13/23", "2023-07-13", "2023-07-13"),
        ("05/2023", "2023-05-01", "2023-05-31"),
        ("2024-05-08T10:00:00Z", "2024-05-08", "2024-05-08"),
        ("in may 2023", "2023-05-01", "2023-05-31"),
        ("10 may 2023", "2023-05-10", "2023-05-10"),
        ("22 May 2024", "2024-05-22", "2024-05-22"),
        ("22-May-2024", "2024-05-22", "2024-05-22"),
        ("Dec. 3, 2024", "2024-12-03", "2024-12-03"),
        ("in May '24", "2024-05-01", "2024-05-31"),
        ("between March and May 2024", "2024-03-01", "2024-05-31"),
        ("between march and may 2024", "2024-03-01", "2024-05-31"),
        ("November to February 2024", "2023-11-01", "2024-02-29"),
        ("from November 2023 to February", "2023-11-01", "2024-02-29"),
        ("from 2019 to 2021", "2019-01-01", "2021-12-31"),
        ("2019-2021", "2019-01-01", "2021-12-31"),
        ("2019–2021", "2019-01-01", "2021-12-31"),
        ("May 3 to 10, 2024", "2024-05-03", "2024-05-10"),
        ("3-10 May 2024", "2024-05-03", "2024-05-10"),
        ("May 3 to 10 June 2024", "2024-05-03", "2024-06-10"),
        ("from May 3, 2024 until now", "2024-05-03", "2025-03-19"),
        ("the last week of May (2024)", "2024-05-25", "2024-05-31"),
        ("the first week of June 2024", "2024-06-01", "2024-06-07"),
        ("the first ten days of June 2024", "2024-06-01", "2024-06-10"),
        ("the first Monday of May 2024", "2024-05-06", "2024-05-06"),
        ("the last weekend of May 2024", "2024-05-25", "2024-05-26"),
        ("the last week of last month", "2025-02-22", "2025-02-28"),
        ("early May 2024", "2024-05-01", "2024-05-10"),
        ("mid-May 2024", "2024-05-11", "2024-05-20"),
        ("at the end of May 2024", "2024-05-21", "2024-05-31"),
        ("Q3 2024", "2024-07-01", "2024-09-30"),
        ("2024-Q3", "2024-07-01", "2024-09-30"),
        ("in Q3", "2024-07-01", "2024-09-30"),
        ("H1 2024", "2024-01-01", "2024-06-30"),
        ("the last month of 2024", "2024-12-01", "2024-12-31"),
        ("the second half of 2024", "2024-07-01", "2024-12-31"),
        ("in the summer of 2024", "2024-06-01", "2024-08-31"),
        ("last summer", "2024-06-01", "2024-08-31"),
        ("winter 2023-24", "2023-12-01", "2024-02-29"),
        ("twenty days ago", "2025-02-27", "2025-02-27"),
        ("twenty-one days ago", "2025-02-26", "2025-02-26"),
        ("a couple of weeks ago", "2025-03-02", "2025-03-08"),
        ("over the past few weeks", "2025-02-26", "2025-03-19"),
        ("in the last 10 days", "2025-03-09", "2025-03-19"),
        ("30 minutes ago", "2025-03-19", "2025-03-19"),
        ("recently", "2025-03-05", "2025-03-19"),
        ("上个星期说了什么", "2025-03-10", "2025-03-16"),
        ("前年", "2023-01-01", "2023-12-31"),
        ("去年", "2024-01-01", "2024-12-31"),
        ("去年5月", "2024-05-01", "2024-05-31"),
        ("昨天", "2025-03-18", "2025-03-18"),
        ("前天", "2025-03-17", "2025-03-17"),
        ("2023年5月", "2023-05-01", "2023-05-31"),
        ("２０２３年５月", "2023-05-01", "2023-05-31"),
        ("2023 年 5 月 8 日", "2023-05-08", "2023-05-08"),
        ("2019年到2021年", "2019-01-01", "2021-12-31"),
        ("三周前", "2025-02-23", "2025-03-01"),
        ("3か月前", "2024-12-04", "2025-01-02"),
        ("先週", "2025-03-10", "2025-03-16"),
        ("昨日", "2025-03-18", "2025-03-18"),
        ("im Mai 2024", "2024-05-01", "2024-05-31"),
        ("im März 2024", "2024-03-01", "2024-03-31"),
        ("am 22. Mai 2024", "2024-05-22", "2024-05-22"),
        ("en mayo de 2023", "2023-05-01", "2023-05-31"),
        ("le 3 août 2024", "2024-08-03", "2024-08-03"),
        ("le 3 aou\u0302t 2024", "2024-08-03", "2024-08-03"),
        ("le 3 aout 2024", "2024-08-03", "2024-08-03"),
        ("en mars 2024", "2024-03-01", "2024-03-31"),
        ("gestern", "2025-03-18", "2025-03-18"),
        ("letzte Woche", "2025-03-10", "2025-03-16"),
        ("letzten Monat", "2025-02-01", "2025-02-28"),
        ("vor zwei Wochen", "2025-03-02", "2025-03-08"),
        ("qu'est-ce que j'ai dit hier ?", "2025-03-18", "2025-03-18"),
        ("avant-hier", "2025-03-17", "2025-03-17"),
        ("l'année dernière", "2024-01-01", "2024-12-31"),
        ("ayer", "2025-03-18", "2025-03-18"),
        ("la semana pasada", "2025-03-10", "2025-03-16"),
        ("hace diez días", "2025-03-09", "2025-03-09"),
    ],
)
def test_a_question_names_one_period(question: str, first: str, last: str) -> None:
    assert _period_days(question) == [f"{first} {last}"]


@each(
    "question, first, last",
    [
        ("What did we decide yesterday?", "2025-03-18", "2025-03-18"),
        ("Which bugs came up today?", "2025-03-19", "2025-03-19"),
        ("what happened last Friday", "2025-03-14", "2025-03-14"),
        ("notes of 12 January 2025", "2025-01-12", "2025-01-12"),
        ("notes of January 12, 2025", "2025-01-12", "2025-01-12"),
        ("the meeting on 2024-11-05", "2024-11-05", "2024-11-05"),
        ("what did Ana say on March 3rd, 2025?", "2025-03-03", "2025-03-03"),
        ("the 4th of July 2024", "2024-07-04", "2024-07-04"),
        ("releases in 2023", "2023-01-01", "2023-12-31"),
        ("releases in June 2024", "2024-06-01", "2024-06-30"),
        ("what did we ship last month?", "2025-02-01", "2025-02-28"),
        ("plans of last week", "2025-03-10", "2025-03-16"),
        ("plans of this week", "2025-03-17", "2025-03-23"),
        ("two days ago", "2025-03-17", "2025-03-17"),
        ("3 days ago", "2025-03-16", "2025-03-16"),
        ("what did I do a week ago", "2025-03-09", "2025-03-15"),
        ("between 1 and 15 February 2025", "2025-02-01", "2025-02-15"),
        ("from January to March 2024", "2024-01-01", "2024-03-31"),
        ("in the first quarter of 2024", "2024-01-01", "2024-03-31"),
        ("in spring 2024", "2024-03-01", "2024-05-31"),
        ("the invoice of 28.02.2025", "2025-02-28", "2025-02-28"),
        ("Sept 2024", "2024-09-01", "2024-09-30"),
        ("late October 2024", "2024-10-21", "2024-10-31"),
        ("the second week of January 2025", "2025-01-08", "2025-01-14"),
        ("since 1 March 2025", "2025-03-01", "2025-03-19"),
        ("the day before yesterday", "2025-03-17", "2025-03-17"),
        ("was haben wir gestern besprochen?", "2025-03-18", "2025-03-18"),
        ("Termine am 5. Februar 2025", "2025-02-05", "2025-02-05"),
        ("vor drei Tagen", "2025-03-16", "2025-03-16"),
        ("letztes Jahr", "2024-01-01", "2024-12-31"),
        ("im Juni 2024", "2024-06-01", "2024-06-30"),
        ("vorgestern", "2025-03-17", "2025-03-17"),
        ("Ende Oktober 2024", "2024-10-21", "2024-10-31"),
        ("qu'avons-nous décidé hier ?", "2025-03-18", "2025-03-18"),
        ("le 14 juillet 2024", "2024-07-14", "2024-07-14"),
        ("il y a trois jours", "2025-03-16", "2025-03-16"),
        ("la semaine dernière", "2025-03-10", "2025-03-16"),
        ("en février 2025", "2025-02-01", "2025-02-28"),
        ("le mois dernier", "2025-02-01", "2025-02-28"),
        ("¿qué dijimos ayer?", "2025-03-18", "2025-03-18"),
        ("el 5 de mayo de 2024", "2024-05-05", "2024-05-05"),
        ("hace tres días", "2025-03-16", "2025-03-16"),
        ("el año pasado", "2024-01-01", "2024-12-31"),
        ("el mes pasado", "2025-02-01", "2025-02-28"),
        ("en junio de 2024", "2024-06-01", "2024-06-30"),
        ("昨天我们说了什么", "2025-03-18", "2025-03-18"),
        ("2024年6月", "2024-06-01", "2024-06-30"),
        ("去年", "2024-01-01", "2024-12-31"),
        ("上周", "2025-03-10", "2025-03-16"),
        ("昨日の会議", "2025-03-18", "2025-03-18"),
        ("先月", "2025-02-01", "2025-02-28"),
        ("2024年11月5日", "2024-11-05", "2024-11-05"),
    ],
)
def test_a_question_that_was_written_without_a_look_at_the_rules_names_one_period(
    question: str, first: str, last: str
) -> None:
    """52 of 61 such questions; docs/decisions/0108-dates-in-questions.md says which are not read."""
    assert _period_days(question) == [f"{first} {last}"]


@each(
    "question, today, told",
    [
        ("this year", date(2024, 6, 1), ["2024-01-01 2024-12-31"]),
        ("last month", date(2024, 3, 31), ["2024-02-01 2024-02-29"]),
        ("last month", date(2024, 1, 1), ["2023-12-01 2023-12-31"]),
        ("last May", date(2025, 5, 2), ["2025-05-01 2025-05-31"]),
        ("this weekend", date(2025, 3, 22), ["2025-03-22 2025-03-23"]),
        ("last weekend", date(2025, 3, 23), ["2025-03-15 2025-03-16"]),
        ("this winter", date(2024, 1, 5), ["2023-12-01 2024-02-29"]),
        ("last summer", date(2024, 7, 5), ["2023-06-01 2023-08-31"]),
        ("three months ago", date(2024, 5, 31), ["2024-02-14 2024-03-14"]),
        ("05/07/2023", WEDNESDAY, ["2023-07-05 2023-07-05", "2023-05-07 2023-05-07"]),
        ("5-7-2023", WEDNESDAY, ["2023-07-05 2023-07-05", "2023-05-07 2023-05-07"]),
        ("07/07/2023", WEDNESDAY, ["2023-07-07 2023-07-07"]),
        ("in March and May 2024", WEDNESDAY, ["2024-03-01 2024-03-31", "2024-05-01 2024-05-31"]),
        ("in the winter of 2023", WEDNESDAY, ["2022-12-01 2023-02-28", "2023-12-01 2024-02-29"]),
        ("in 2021 and 2023", WEDNESDAY, ["2021-01-01 2021-12-31", "2023-01-01 2023-12-31"]),
    ],
)  # fmt: skip
def test_what_it_names_hangs_on_the_day_of_asking(question: str, today: date, told: list[str]) -> None:
    assert _period_days(question, today) == told


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("in May", "2024-05-01", "2024-05-31"),
        ("March to May", "2025-03-01", "2025-05-31"),
        ("in May 20233", "2024-05-01", "2024-05-31"),
        ("the last week of May", "2024-05-25", "2024-05-31"),
        ("the first week of June", "2024-06-01", "2024-06-07"),
        ("3. Mai", "2024-05-03", "2024-05-03"),
    ],
)
def test_without_a_year_every_recent_one_is_meant(question: str, first: str, last: str) -> None:
    told = _period_days(question)
    assert told[-1] == f"{first} {last}"
    assert 10 <= len(told) <= 11
    assert all(one[4:10] == first[4:] for one in told)


@each(
    "question",
    [
        "which model may I use?",
        "he may have 10 cats",
        "how do I march on",
        "set the timeout to 30 seconds",
        "the second attempt failed",
        "port 8080 is taken",
        "version 3.11.7 of Python",
        "issue 2041",
        "what is the monday.com token",
        "Do you remember April's phone number?",
        "the sun is hot",
        "who is August Strindberg",
        "in 5 of 20 cases",
        "a decade of experience",
        "the now operator",
        "x = 12/24",
        "10.0.0.1 answers",
        "dec converts to decimal",
        "sat solver",
        "Wed like to know",
        "open at 3",
        "chapter 12",
        "$ 500 per month",
        "mar is a prefix",
        "the may flag",
    ],
)
def test_a_question_that_was_written_without_a_look_at_the_rules_names_none(question: str) -> None:
    assert periods_in(question, _noon(WEDNESDAY)) == ()


@each(
    "question",
    [
        "the top 10 may fail", "it may 10 times", "Can this may be?", "he who wrote of may know", "March!",
        "the client MAY retry", "next May", "next week", "this weekend", "22 May 2026",
        "30 February 2023", "the last week of the trip", "the last tag", "the last day", "this day",
        "issue #2023", "$2000", "version 3.12.2024.1", "port 20233", "Was ist hier los?", "以前年轻的时候",
        "他目前年龄多大", "基本周期", "Q3", "the h1 heading", "Spring Boot", "in the end", "20²³",
        "2023年0月", "il a été 20 fois",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_time_names_none(question: str) -> None:
    assert _period_days(question) == []


@given(st.dates(date(1960, 1, 1), date(2090, 12, 31)))
def test_months_and_years_are_those_of_the_calendar(today: date) -> None:
    before = today.replace(day=1) - timedelta(1)
    length = monthrange(before.year, before.month)[1]
    assert _period_days("last month", today) == [f"{before.replace(day=1)} {before.replace(day=length)}"]
    assert _period_days("last year", today) == [f"{today.year - 1}-01-01 {today.year - 1}-12-31"]
    (weekend,) = _period_days("last weekend", today)
    saturday, sunday = map(date.fromisoformat, weekend.split())
    assert (saturday.weekday(), sunday.weekday()) == (5, 6)
    assert 0 < (today - saturday).days < 9


@given(st.dates(date(1960, 1, 1), date(2025, 3, 19)))
def test_a_day_is_the_same_however_it_is_written(day: date) -> None:
    for written in ("%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%d.%m.%Y", "%Y年%m月%d日", "on the %dth of %b, %Y"):
        assert _period_days(day.strftime(written)) == [f"{day} {day}"]
    assert f"{day} {day}" in _period_days(day.strftime("%d/%m/%Y"))
    assert f"{day} {day}" in _period_days(day.strftime("%m/%d/%Y"))


@given(st.integers(1, 12), st.integers(2000, 2024), st.sampled_from(["first", "second", "last"]))
def test_a_part_of_a_month_lies_in_it(month: int, year: int, which: str) -> None:
    whole = f"{date(year, month, 1):%B %Y}"
    (all_of_it,) = periods_in(f"in {whole}", _noon(WEDNESDAY))
    for part in ("week", "weekend", "day", "Monday", "half"):
        (period,) = periods_in(f"the {which} {part} of {whole}", _noon(WEDNESDAY))
        assert all_of_it.start <= period.start < period.end <= all_of_it.end
    thirds = [periods_in(f"{third} {whole}", _noon(WEDNESDAY))[0] for third in ("early", "mid", "late")]
    assert [third.start for third in thirds[1:]] == [third.end for third in thirds[:2]]
    assert (thirds[0].start, thirds[2].end) == all_of_it


_LISTS = [words for words in vars(words).values() if isinstance(words, frozenset | dict)]
_SHOWN = "May Q3 10 2023 2023-24 05/07/2023 2023年5月8日 0月 三周前 before ( ) # ²".split()
_WORDS = sorted({word for words in _LISTS for word in words if isinstance(word, str)} | set(_SHOWN))


@given(
    st.lists(st.sampled_from(_WORDS), max_size=12),
    st.sampled_from([" ", "", "-"]),
    st.integers(-62_135_596_800_000, 253_402_300_799_999),
)
def test_any_words_of_time_are_read_at_any_time(words: list[str], between: str, now: int) -> None:
    found = periods_in(between.join(words), now)
    assert all(period.start < period.end and period.start <= now for period in found)


def test_a_question_of_a_thousand_times_costs_ranking_no_more_than_a_hundred() -> None:
    question = " ".join(f"{date(2020, 1, 1) + timedelta(n)}" for n in range(1000))
    found = periods_in(question, _noon(WEDNESDAY))
    assert len(found) == 100
    assert found[0].end - found[0].start == DAY
