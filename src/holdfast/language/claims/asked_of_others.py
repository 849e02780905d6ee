"""Reads questions about somebody with a name: "who is Tobias?", "wo arbeitet Jonas?".

A question is read as a whole, and a name is written with capitals: "who is responsible?" is left to recall.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from holdfast.language.claims.asking import CLOSING, OPENING, QUESTION_MAX
from holdfast.language.claims.lexicon import class_of_word

_WORD = r"(?-i:[A-ZÄÖÜ])[\w-]*\w"
_NAME = rf"(?P<name>{_WORD}(?: (?:(?:van|von|de|der|den|da|di|la) )*{_WORD}){{0,2}})"
_QUESTIONS = (
    ("", r"(?:who(?: is|'s)|wer ist) <name>"),
    ("work", r"where does <name> work"),
    ("work", r"what does <name> do(?: for (?:a living|work))?"),
    ("work", r"(?:who|what company) does <name> work for"),
    ("work", r"what(?: is|'s) <name>'s (?:job|profession|occupation|employer)"),
    ("work", r"(?:wo|bei wem|für wen|als was) arbeitet <name>"),
    ("work", r"was macht <name> beruflich"),
    ("work", r"was ist <name> von beruf"),
    ("home", r"where does <name> live"),
    ("home", r"(?:wo|in welcher stadt) (?:wohnt|lebt) <name>"),
    ("age", r"how old is <name>"),
    ("age", r"wie alt ist <name>"),
)
"""What is asked of somebody, and how; an empty text is everything."""
_ANSWERS = {
    "": r"",
    "work": r"\b(?:works?|worked|working|jobs?|employ\w+|teaches|runs|founded|manages|retired|self-employed|freelanc\w+"
    r"|arbeite\w*|angestellt|selbst(?:st)?ändig|unterrichtet|leitet)\b",
    "home": r"\b(?:lives?|lived|living|moved|based|wohnt|lebt|zog|gezogen|umgezogen)\b",
    "age": r"\(\d{1,2}\)|\b(?:is|turns|turned|aged|ist|wird|wurde) \d{1,3}\b(?! ?(?:%|€|km|cm|min))|\b(?:born|geboren)\b"
    r"|\b\d{1,3} (?:years? old|jahre alt)",
}
"""What a statement that answers has in it."""


@dataclass(frozen=True, slots=True)
class AskedOfNamed:
    """The name of somebody, and what a question asks of them."""

    name: str
    aspect: str

    def is_answered_by(self, statement: str) -> bool:
        """Returns whether a statement about them says what is asked."""
        if re.search(_ANSWERS[self.aspect], statement, re.IGNORECASE) is not None:
            return True
        words = re.findall(r"[\w-]+", statement)
        return self.aspect == "work" and any(class_of_word(word) == "job" for word in words)

    def is_subject_of(self, sentence: str) -> bool:
        """Returns whether a sentence speaks of them first: "My friend Tobias is …"."""
        name = re.escape(self.name)
        subject = rf"\W*(?:(?:my|our|mein\w*|unser\w*) (?:[\w-]+ ){{1,3}})?{name}"
        subject += r"(?! (?:and|und|or|oder)\b)(?=(?:,? (?:an?|my|our|who|eine?|mein\w*|unser\w*|der|die|\d+) | [\w(]|:))"
        is_asked = sentence.rstrip().endswith("?")
        return not is_asked and re.match(subject, sentence, re.IGNORECASE) is not None


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (aspect, re.compile(OPENING + form.replace("<name>", _NAME) + CLOSING, re.IGNORECASE))
        for aspect, form in _QUESTIONS
    )


def asked_of_named(text: str) -> AskedOfNamed | None:
    """Returns what a question asks of somebody with a name; None if it asks for anything else."""
    if len(text) > QUESTION_MAX:
        return None
    line = " ".join(text.replace("’", "'").split())
    for aspect, pattern in _patterns():
        if match := pattern.fullmatch(line):
            return AskedOfNamed(match["name"], aspect)
    return None
