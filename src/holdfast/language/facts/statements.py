"""Parses a text into statements: ranked lists, single preferences, aversions and edits of lists.

A text is divided into sentences. Each is tried as an edit, else for the topics that it names; a topic counts
if what surrounds it leaves it a statement of the speaker (`scope`). What joins it to its values, and the form
of these, decide whether a list, a rank or a single preference is stated. What is doubtful is left out: recall
still finds the text, while a wrong fact would be cited as true.
"""

from __future__ import annotations

import re
from dataclasses import replace

from holdfast.core.facts import RANKED_MAX, SINGLE_MAX, Act, Statement
from holdfast.language.facts import edits, likings, scope
from holdfast.language.facts.heads import heads_in, topic_named
from holdfast.language.facts.lists import folded
from holdfast.language.facts.own import LEAD, statements_of_own, topic_of_all
from holdfast.language.facts.sentences import Quotations, Sentence, pre_clean, sentences
from holdfast.language.facts.topics import Topic, Topics
from holdfast.language.facts.values import LIST_MAX, clean_value

TEXT_MAX = 20_000
"""Characters; longer texts are pasted documents and are not parsed."""
SENTENCE_MAX = 4_000
"""Characters of a sentence that is parsed."""
AFTER_MAX = 5
"""Sentences behind a statement that may take it back."""

_HINTS = (
    "favo", "fave", "fav ", "liebst", "liebling", "loved", "preferred", "my top", "top ", "hate",
    "dislik", "stand", "avoid", "meide", "hass", "wenigsten", "i like", "i love", "i don't", " mag",
    "ich ", "numbe", "nummer", "#1", "detest", "despise", "loath", "prefer", "gefäll", "gefall",
    "bevorzug", "user", "my ranking", "i never", "i refuse", "to avoid", " list",
)  # fmt: skip
_ASKS_ON = re.compile(
    r"(?:\s+[–—-]+\s+|[;,.]\s+|\s+(?:and|but|so|und|aber|also)\s+)(?=(?:so |and |but |und |aber"
    r" |also )?(?:can|could|would|will|do|does|did|what|which|who|how|why|where|when|should|any"
    r"|is|are|may|shall|got|have you|kannst|könntest|kennst|hast|weißt|was|welche\w*|wer|wie|wo"
    r"|gibt|magst|sollte|soll|ist|sind)\b[^?]*\?\W*$)",
    re.IGNORECASE,
)
"""Where a question begins behind a statement: "… - can you suggest another?"."""
_ASKS_TO_KEEP = re.compile(
    r"\W*(?:please |bitte )?(?:can|could|would|will|kannst|könntest|würdest) (?:you|du) (?:dir"
    r" )?(?:please |also |bitte |auch )*(?:remember|save|store|note|keep in mind"
    r"|write down|record|memorize|memorise|merken|notieren|speichern)\b|\W*(?:kannst|könntest"
    r"|würdest) du (?:dir )?(?:bitte )?(?:merken|notieren|speichern)",
    re.IGNORECASE,
)
"""A request to keep something, which states it in the form of a question."""
_USER = re.compile(r"\b(?:the |this |our )?user(?:'s|’s|s')(?= |$)", re.IGNORECASE)
_USER_LIKES = re.compile(
    r"\b(?:the |this )?user (really |absolutely )?(likes|loves|hates|dislikes|prefers|avoids"
    r"|enjoys|detests|can't stand|cannot stand|does not like|doesn't like)\b",
    re.IGNORECASE,
)


def may_state(text: str, topics: Topics) -> bool:
    """Checks in about a microsecond whether a text could state a fact, before any parsing."""
    if len(text) > TEXT_MAX:
        return False
    low = text.lower()
    for hint in _HINTS:  # a loop costs a third of any() here, and this meets every message
        if hint in low:
            return True
    if len(text) <= edits.TEXT_MAX and edits.may_edit(low):
        return True
    return any(f"my {stem}" in low for stem in topics.stems)


def statements_of(text: str, topics: Topics, *, of_user: bool = False) -> tuple[Statement, ...]:
    """Returns the statements in a text, in order. With `of_user`, "the user" is the speaker as well."""
    if not may_state(text, topics):
        return ()
    if of_user:
        text = _USER.sub("my", text)
        text = _USER_LIKES.sub(lambda match: f"I {match[1] or ''}{_first_person(match[2])}", text)
    quotations = Quotations()
    clean = quotations.hidden(pre_clean(text))
    found: list[Statement] = []
    spoken: Topic | None = None
    whole = sentences(clean)
    for i, sentence in enumerate(whole):
        if len(sentence.text) <= SENTENCE_MAX:
            stated = _stated(sentence, topics, spoken)
            after = [other.text for other in whole[i + 1 : i + 1 + AFTER_MAX]]
            if not stated or not scope.is_retracted("\n".join([*_last_words(sentence), *after])):
                found += stated
            spoken = topic_of_all(stated, topics) if stated else _mentioned(sentence.text, topics)
        if scope.is_task(sentence.text):
            break
    once: dict[tuple[object, ...], Statement] = {}
    for statement in found:
        shown = _shown(statement, quotations)
        if shown is not None:
            once.setdefault((shown.topic, shown.act, shown.rank, folded(shown.value), shown.other), shown)
    return tuple(once.values())[:LIST_MAX]


def _first_person(verb: str) -> str:
    plain = verb.lower()
    if plain.startswith(("does", "can")):
        return plain.replace("does not", "do not").replace("doesn't", "don't")
    return plain.removesuffix("s")


def _mentioned(text: str, topics: Topics) -> Topic | None:
    """Returns the topic of one's own that a sentence ends with: "I have updated my favourite colours."."""
    heads = [] if text.rstrip().endswith("?") else heads_in(text)
    return (
        topic_named(text[heads[-1].end :].rstrip(" .!:"), topics, disliked=heads[-1].disliked)
        if heads
        else None
    )


def _last_words(sentence: Sentence) -> list[str]:
    return [re.sub(r"^\W*\d{0,3}[.):]?\s*\S+", "", line) for line in sentence.lines[-1:]]


def _shown(statement: Statement, quotations: Quotations) -> Statement | None:
    """Returns a statement with its quotations; None if nothing is left of its value."""
    limit = SINGLE_MAX if statement.act is Act.SINGLE else RANKED_MAX
    value, other = statement.value, statement.other
    if value:
        value = clean_value(quotations.shown(value), limit) if not value.startswith("#") else value
        if not value:
            return None
    if other:
        other = clean_value(quotations.shown(other), RANKED_MAX) if not other.startswith("#") else other
        if not other:
            return None
    return replace(statement, value=value, other=other)


def _stated(sentence: Sentence, topics: Topics, spoken: Topic | None) -> list[Statement]:
    """Returns the statements of one sentence."""
    text = " ".join(sentence.text.replace("’", "'").split())
    lead = LEAD.match(text)
    if not sentence.lines:
        edited = edits.edits_in(text[lead.end() if lead else 0 :].strip(), topics)
        if edited is not None:
            return edited
    if _ASKS_TO_KEEP.match(text):
        text = text.rstrip(" ?") + "."
    asked = _ASKS_ON.search(text)
    if asked:
        text = text[: asked.start()].rstrip()
    if text.rstrip(" \"')*").endswith("?") or (not sentence.lines and scope.is_tagged(text)):
        return []
    return list(statements_of_own(text, sentence, topics, spoken)) or likings.statements(
        text, sentence.lines, topics
    )
