"""Conversations of a generated life: what the person tells, and much that tells nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from tools.evaluation.labelled_chats import add_turn
from tools.evaluation.lives.story import Fact, Mention, facts, mentions
from tools.evaluation.lives.templates import Template, templates
from tools.evaluation.lives.values import elsewhere, month, role

CONVERSATIONS = 300
STARTS = datetime(2023, 1, 2, 9, tzinfo=UTC)
EVERY = timedelta(days=3, hours=14)
GERMAN, TRAPS, LOWER, UNENDED, MISTYPED = 0.4, 0.3, 0.25, 0.15, 0.06
"""Shares: German conversations, conversations with a trap; messages in lower case, without their last full
stop, and with two letters swapped."""
MENTIONS_MAX = 2
_OLD = {"city": "oldcity", "employer": "oldemployer"}
_SLOT = re.compile(r"\{(\w+)\}")
_WORD = re.compile(r"(?:\[\[[\w ]+\||\(\(\w+\||\*[^*]*\*)|(\b[a-zäöü]{5,}\b)")


@dataclass(frozen=True, slots=True)
class Life:
    """A generated person: what is true of them, and their conversations as rows with labels."""

    facts: tuple[Fact, ...]
    conversations: tuple[dict[str, Any], ...]


def _also(row: dict[str, Any], words: str, value: str, **changed: str) -> None:
    """Adds what the last message says besides, so that reading it is not wrong, if the words are there."""
    number = len(row["messages"]) - 1
    found = re.search(rf"\b{re.escape(words)}\b", row["messages"][number]["content"], re.IGNORECASE)
    if found:
        statement = {"message": number, "quote": found[0], "value": [value], "also": True}
        row["statements"].append(
            {"type": "other", "polarity": "positive", "status": "current", **statement, **changed}
        )


class _Writer:
    """Writes the messages of one life."""

    def __init__(self, half: str, facts: list[Fact], rng: Random) -> None:
        self._half = half
        self._role = next(fact.value for fact in facts if fact.event == "role")
        self._rng = rng
        self._left: dict[tuple[str, str], list[Template]] = {}

    def conversation(self, language: str, at: datetime, mentions: list[Mention]) -> dict[str, Any]:
        """Returns one conversation that tells the mentions among other talk."""
        rng = self._rng
        row: dict[str, Any] = {
            "language": language, "at": at.isoformat(), "of_others": True,
            "messages": [], "statements": [], "traps": [],
        }  # fmt: skip
        turns: list[Mention | str] = ["noise"] * rng.randint(0 if mentions else 1, 3)
        if rng.random() < TRAPS:
            turns.append("trap")
        turns += mentions
        rng.shuffle(turns)
        for turn in turns:
            self._turn(row, turn, at)
            reply = self._next(language, "reply").text
            add_turn(row, "assistant", self._filled(reply, language, at, None))
        return row

    def _turn(self, row: dict[str, Any], turn: Mention | str, at: datetime) -> None:
        language, event = row["language"], turn if isinstance(turn, str) else turn.event
        template = self._next(language, event)
        marked = self._filled(template.text, language, at, None if isinstance(turn, str) else turn.fact)
        if not isinstance(turn, str):
            marked = self._amid(marked, self._filled(self._next(language, "noise").text, language, at, None))
        marked, typed = self._typed(marked)
        add_turn(row, "user", marked)
        for statement in row["statements"]:
            if "form" not in statement:
                statement |= {"form": template.form, "typed": typed, "event": event}
        if isinstance(turn, Mention):
            self._add_besides(row, template.text, turn, at)

    def _add_besides(self, row: dict[str, Any], text: str, mention: Mention, at: datetime) -> None:
        """Adds what a message says besides its statement: the occupation, the year of birth, the old home,
        and relatives, animals and things by what they are, without their names."""
        if mention.event == "job":
            occupation = role(self._half, row["language"], self._role)
            _also(row, occupation, occupation)
        if mention.fact is not None and "{byear}" in text:
            year = str(at.year - int(mention.fact.value))
            _also(row, year, year)
        if mention.fact is not None and "{oldcity}" in text:
            _also(row, mention.fact.before, mention.fact.before, status="past", polarity="negative")
        for noun in _NOUNS.get(mention.event, ()):
            _also(row, noun, noun)

    def _amid(self, statement: str, noise: str) -> str:
        """Puts a statement alone, before or after something else; never after what may quote a text."""
        where = self._rng.choice(("alone", "before", "before", "after", "after"))
        if where == "alone" or (where == "after" and ":" in noise):
            return statement
        first, second = (statement, noise) if where == "before" else (noise, statement)
        gap = self._rng.choice((" ", " ", "\n")) if first[-1] in ".?!" else self._rng.choice((". ", "\n"))
        return f"{first}{gap}{second}"

    def _typed(self, labelled_text: str) -> tuple[str, str]:
        rng = self._rng
        if rng.random() < UNENDED:
            labelled_text = re.sub(r"\.(\]*)$", r"\1", labelled_text)
        words = [found for found in _WORD.finditer(labelled_text) if found[1]]
        if rng.random() < MISTYPED and words:
            word = rng.choice(words)
            at = word.start(1) + rng.randint(1, len(word[1]) - 3)
            return (
                f"{labelled_text[:at]}{labelled_text[at + 1]}{labelled_text[at]}{labelled_text[at + 2 :]}",
                "letters swapped",
            )
        if rng.random() < LOWER:
            return labelled_text.lower(), "lower case"
        return labelled_text, "as written"

    def _next(self, language: str, event: str) -> Template:
        left = self._left.setdefault((language, event), [])
        if not left:
            left += templates(self._half)[language, event]
            self._rng.shuffle(left)
        return left.pop()

    def _filled(self, text: str, language: str, at: datetime, fact: Fact | None) -> str:
        role_of = role(self._half, language, self._role)
        words = {"role": role_of, "month": month(language, at.month), "year": str(at.year)}
        if fact is not None:
            plain, _, longer = fact.value.partition("/")
            words |= {fact.slot: plain, "planzu": longer}
            if fact.slot in _OLD:
                words[_OLD[fact.slot]] = fact.before if fact.slot == "city" else plain
            if fact.slot == "age":
                words["byear"] = str(at.year - int(plain))
        return _SLOT.sub(lambda slot: words.get(slot[1]) or self._other(language, slot[1]), text)

    def _other(self, language: str, slot: str) -> str:
        if slot.endswith("2") or slot == "friend":
            return self._rng.choice(elsewhere(language, slot))
        return self._rng.choice(_OTHERS[language][slot])


_OTHERS: dict[str, dict[str, tuple[str, ...]]] = {
    "en": {
        "allergen": ("latex", "celery"), "condition": ("gout", "anaemia"), "diet": ("paleo", "kosher"),
        "plan": ("climb Kilimanjaro",), "language": ("Finnish", "Korean"), "dislike": ("tuna", "golf"),
        "field": ("dentistry", "geology"), "car": ("Tesla", "minivan"), "hobby": ("juggling", "archery"),
    },
    "de": {
        "allergen": ("Sellerie", "Latex"), "condition": ("Gicht", "Rheuma"), "diet": ("koscher", "roh"),
        "plan": ("den Mont Blanc besteigen",), "language": ("Finnisch", "Koreanisch"),
        "dislike": ("Thunfisch", "Golf spielen"), "field": ("Geologie", "Theologie"),
        "car": ("Tesla", "Transporter"), "hobby": ("Jonglieren",),
    },
}  # fmt: skip
"""Words of slots where nothing is said of the person: in questions, of others, in fiction."""

_NOUNS = {
    "home": "flat house garden wohnung haus".split(),
    "homecorr": "flat house wohnung haus".split(),
    "partner": "girlfriend partner wife husband spouse gf freundin partnerin frau".split(),
    "expartner": "ex".split(),
    "child": "daughter son kid boy baby eldest youngest tochter sohn kind kleine kleiner jüngste".split(),
    "sibling": "sister brother twin bro sis schwester bruder zwilling".split(),
    "pet": "dog cat puppy parrot kitten doggo tomcat hamster rabbit hund katze kater welpe papagei"
    " kätzchen kaninchen".split(),
    "petgone": "dog cat hund katze".split(),
    "allergy": "allergy allergies allergic allergie allergien intolerance unverträglichkeit epipen".split(),
    "possession": "garage".split(),
}
"""What a relative, an animal or a thing is, by event: true of the person without the name too."""


def life(half: str, seed: int) -> Life:
    """Returns the life of a half and a seed: always the same one."""
    rng = Random(f"{half} {seed}")
    known = facts(half, rng)
    languages = ["de" if rng.random() < GERMAN else "en" for _ in range(CONVERSATIONS)]
    placed = _placed(mentions(known, rng), languages)
    writer = _Writer(half, known, rng)
    rows = tuple(
        writer.conversation(language, STARTS + number * EVERY, placed[number])
        for number, language in enumerate(languages)
    )
    told = {id(one.fact) for row in placed for one in row}
    return Life(tuple(fact for fact in known if id(fact) in told), rows)


def _placed(mentions: list[Mention], languages: list[str]) -> list[list[Mention]]:
    """Puts each mention into the next conversation of its language that tells little yet."""
    placed: list[list[Mention]] = [[] for _ in languages]
    for one in mentions:
        language = one.fact.language if one.fact is not None else None
        for number in _from(int(one.at * len(languages)), len(languages)):
            if not _still(one, number / len(languages)):
                break
            if language in (None, languages[number]) and len(placed[number]) < MENTIONS_MAX:
                placed[number].append(one)
                break
    return placed


def _still(mention: Mention, at: float) -> bool:
    """Whether a fact can be told at a point of the life: not once it has ended, but that it did."""
    fact = mention.fact
    return fact is None or fact.ends is None or mention.event == fact.ending or at < fact.ends


def _from(start: int, count: int) -> Iterator[int]:
    yield from range(max(0, start), count)
