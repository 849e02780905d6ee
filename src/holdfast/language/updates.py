"""Traits of two statements that say whether the later one updates the earlier.

"I live in Hamburg", "We moved to Munich last week": rules over words, English and German; another language
shows hardly any trait.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from holdfast.language.terms import STOP_WORDS, stems_of, words_of

STATEMENT_MAX = 200
"""Maximum number of characters of a statement that is compared: a longer text says many things."""

_ENDED = frozenset(
    """
    move moved moving switch switched switching change changed changing replace replaced replacing renamed
    renaming migrated migrating ported upgrade upgraded downgraded raise raised lowered reduced increased
    cut extended shortened tightened relaxed push pushed postponed rebooked rescheduled relocated
    relocating converted rewritten rewrote redone sold canceled cancelled closed quit resigned dropped
    retired handed named appointed elected hired fired left stopped gone anymore instead since effective
    now nowadays currently became become becomes divorced engaged married finished ended expired died
    decommissioned prescribed admitted promoted transferred agreed settled decided hardly gekündigt
    gezogen gewechselt umgezogen geändert verschoben erhöht gesenkt ersetzt jetzt nun inzwischen
    mittlerweile neuerdings seit statt umgestellt verkauft aufgehört aufgegeben
    """.split()
)
"""Words of a statement that what was is no more."""
_BEGUN = frozenset(
    """
    new start started starting began joined bought got adopted after finally another again already only
    today yesterday neu neue neuen neuer neues neuem angefangen begonnen gekauft bekommen wieder endlich
    gestern heute
    """.split()
)
"""Words of a statement that something has begun."""
_ENDED_PHRASES = (
    r"no (?:longer|more)|any more|(?:gave|given|giving) up|took (?:up|over)|taken over"
    r"|went (?:up|down|over|live)"
    r"|put (?:\w+ ){0,2}(?:up|down|aside|back)|stepped down|as of|from (?:now|this|next|\w+ on)|these days"
    r"|turned (?:out|off)|broke up|called off|passed away|switched off|shut down|got rid of|came back"
    r"|nicht mehr|kein\w* (?:\w+ ){0,3}mehr|ab sofort"
)
_BEGUN_PHRASES = (
    r"signed up|this (?:morning|week|month|spring|summer|autumn|fall|winter|year)"
    r"|last (?:night|week|month|year|summer|winter)"
)
_RELATIONS = frozenset(
    """
    husband wife brother sister mother father mum mom dad parent parents son daughter cousin aunt uncle
    nephew niece friend colleague flatmate roommate boss neighbor neighbors neighbour neighbours partner
    competitor girlfriend boyfriend kid kids child children grandmother grandfather grandma grandpa
    grandson granddaughter tante onkel bruder schwester mutter vater cousine nachbar nachbarn freund
    freundin kollege kollegin
    """.split()
)
_WHOSE = frozenset("my our his her their the mein meine unser unsere".split())
_SPEAKER = frozenset(
    """
    i my me mine we our us ours ich mein meine meinen meiner meinem mir mich wir uns unser unsere
    """.split()
)
_DETERMINERS = _WHOSE | frozenset("a an der die das".split())
_FRONTS = frozenset("on in at since after with as from".split())
_VERBS = frozenset(
    """
    is are am was were be has have had does did do will can must should want wants says said went sit sits
    come comes came take takes took go goes run runs live lives play plays use uses left got put bought
    sold stay stays close closes open opens listen listens answer answers return returns need needs ask
    asks leave leaves start starts end ends died broke read reads work works belong belongs maintain
    maintains rehearse rehearses report reports expire expires weigh weighs saw met built became quit gave
    keep keeps ist sind hat haben wohnt wohnen arbeite arbeitet spielt
    """.split()
)
_TIMES = (
    r"\d[\d.,:]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen|twenty|thirty|once|twice"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s?"
)
_DAY = (
    r"(?i)(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)"
)
_PLACE = r"(?i)\b(?:in|at|to|from|on|nach)\s+\w"
_WHO, _WHERE = r"(?i)who|wer\b", r"(?i)where|wo\b|which (?:city|town|country)"
_QUANTITY = (
    r"(?i)^(?:how (?:much|many|long|old|often)|when|at what|what time|wann)\b|\b(?:deadline|number|port)\b"
)
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_SENTENCE = re.compile(r"[.!?;:]\s+")
_GENERAL = (
    "go have use take run get live work make name call time day number many much long often "
    "kind sort thing one way come keep people year week month"
)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@cache
def _small() -> frozenset[str]:
    """Returns the stems of words that say nothing of what a statement is about."""
    return (
        frozenset(stems_of(sorted(STOP_WORDS)))
        | STOP_WORDS
        | {*"ich mein wir wo ist der die das bei in".split()}
    )


@cache
def _general() -> frozenset[str]:
    return frozenset(stems_of(_GENERAL.split()))


class Statement(NamedTuple):
    """Traits of one text, for a comparison with another."""

    words: tuple[str, ...]
    """In lower case, in order."""
    topics: frozenset[str]
    """The stems of its content words."""
    names: frozenset[str]
    """Words with a capital within a sentence, other than days."""
    quantities: frozenset[str]
    """Numbers and days of the week."""
    persons: frozenset[str]
    """Other people it speaks of: "my cousin", "their"."""
    has_ended: bool
    """It says that what was is no more."""
    has_begun: bool
    """It says that something has begun."""


@lru_cache(1_024)
def read(text: str) -> Statement:
    """Reads the traits of one text."""
    words = tuple(_WORD.findall(text.lower()))
    spoken = " ".join(words)
    days = _compiled(_DAY)
    inner = [word for part in _SENTENCE.split(text) for word in _WORD.findall(part)[1:]]
    persons = {
        word for place, word in enumerate(words)
        if word in _RELATIONS and not _WHOSE.isdisjoint(words[max(place - 2, 0) : place])
    }  # fmt: skip
    return Statement(
        words,
        frozenset(word for word in words_of(text) if len(word) > 1 and word not in _small()),
        frozenset(
            word.lower() for word in inner if word[0].isupper() and word != "I" and not days.match(word)
        ),
        frozenset(_compiled(rf"(?<![\w#])(?:{_TIMES})\b").findall(text.lower())),
        frozenset(persons | ({"their"} & {*words})),
        not _ENDED.isdisjoint(words) or bool(_compiled(rf"\b(?:{_ENDED_PHRASES})\b").search(spoken)),
        not _BEGUN.isdisjoint(words) or bool(_compiled(rf"\b(?:{_BEGUN_PHRASES})\b").search(spoken)),
    )  # fmt: skip


class Traits(NamedTuple):
    """Traits of a sentence of a later statement that speak for an update of an earlier one that answers a
    question."""

    ended: float
    """It says that what was is no more."""
    begun: float
    """It says that something has begun, but not that anything has ended."""
    former: float
    """It names something of the earlier one that the question does not: what was given up."""
    subject: float
    """Its subject is a thing of the earlier one or of the question; by half if it is who speaks in both."""
    person: float
    """It is about another person, such as "my cousin"."""
    answer: float
    """1 if it has another name, place or quantity where the question wants one, -1 if it has none, 0 if the
    question wants nothing of the sort."""


def update_traits(question: str, earlier: str, later: str, *, urgent: bool) -> list[Traits]:
    """Returns the traits of the sentences of a later statement that may update an earlier one; none if it
    leaves out a name that the question has. A sentence may if it speaks of a change or of all that the
    question asks, and any may if the question says "now" (`urgent`)."""
    query, old, whole = read(question), read(earlier), read(later)
    numbers = {quantity for quantity in query.quantities if quantity[0].isdigit()}
    if ((query.names | numbers) & {*old.words}) - {*whole.words}:
        return []
    shared = (query.topics & old.topics) - _general()
    traits = []
    for sentence in _SENTENCE.split(later):
        new = read(sentence)
        covers = bool(shared) and shared <= new.topics
        if new.has_ended or new.has_begun or urgent or covers:
            traits.append(
                Traits(
                    float(new.has_ended),
                    float(new.has_begun and not new.has_ended),
                    float(bool(((old.topics - query.topics) & new.topics) - _general())),
                    _subject(sentence, old, query),
                    float(bool(new.persons - old.persons - query.persons)),
                    _answers(question, old, new, sentence),
                )
            )
    return traits


def _subject(text: str, old: Statement, question: Statement) -> float:
    """Returns how surely the subject of a text is what an earlier statement and the question are about."""
    words = _WORD.findall(text)
    if words and words[0].lower() in _FRONTS and "," in text[:60]:
        words = _WORD.findall(text.partition(",")[2])
    if words and words[0].lower() in _DETERMINERS:
        words = words[1:]
    subject: list[str] = []
    for word in words[:6]:
        lower = word.lower()
        if lower in _VERBS or (lower.endswith("ed") and len(lower) > 3):
            break
        subject.append(word)
    else:
        return 0.0
    if [word.lower() for word in subject] in (["i"], ["we"], ["ich"], ["wir"]):
        return 0.0 if _SPEAKER.isdisjoint(old.words) else 0.5
    topics = read(" ".join(subject)).topics if subject else frozenset()
    return float(bool(topics) and topics <= old.topics | question.topics)


def _answers(question: str, old: Statement, new: Statement, text: str) -> float:
    """Returns whether a statement has another value of the sort that a question wants."""
    if _compiled(_WHO).match(question):
        return 1.0 if new.names - old.names else -1.0
    if _compiled(_QUANTITY).search(question):
        return 1.0 if new.quantities - old.quantities else -1.0
    if _compiled(_WHERE).match(question):
        return 1.0 if new.names - old.names or _compiled(_PLACE).search(text) else -1.0
    return 0.0
