"""Compares what people do again and again, in whichever words: "run twice a week", "no more running"."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import takewhile

from holdfast.features.beliefs.plain_words import WHEN
from holdfast.language.claims.attributes import FREQUENT
from holdfast.language.claims.clause import ADVERBS
from holdfast.language.claims.lexicon import MARKERS, class_of_word
from holdfast.language.claims.verbs import english, german

ACTIVITIES = frozenset({"sport", "does_regularly", "hobby", "plays"})
"""Attributes of what somebody does."""
_GENERAL = frozenset({"go", "do", "play", "practise", "train", "start", "take", "quit"})
"""Verbs that say nothing of an activity which a noun beside them names: "play tennis"."""
_SAME = {"jog": "run"}
"""Verbs of one activity, beside those that the tables of verbs treat as one."""
_LITTLE = frozenset(
    "a an the to in on at for with my our some any more longer anymore ein eine einen der die das den dem im"
    " am an auf bei mit zu zum zur ins mein meine meinen kein keine keinen mehr nicht".split()
)


_PREPOSITIONS = frozenset(
    "in on at to for with from into by along around through across over up down near like as before after"
    " during because im am an auf bei beim mit zu zum zur ins nach vor um durch für gegen über".split()
)
"""Words behind which there is no object of the verb before them."""
_MEASURE = re.compile(
    r"\d.*|(?:mon|tues|wednes|thurs|fri|satur|sun|week)?days?|weekends?|weeks?|months?|years?|mornings?|evenings?|nights?"
    r"|summers?|winters?|hours?|minutes?|times?|miles?|km|kilomet\w+|laps?|lots?|bit|every|each|per|pro|regularly|alone"
    r"|early|late|outside|together|\w{3,}ly|\w+mal|mal|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|wochen?\w*"
    r"|tage?|monate?|jahre?|morgens?|abends?|stunden?|minuten?|meilen?|jede[nrs]?|eight|nine|ten|eleven|twelve|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|viel|gerne?|oft|allein\w*|draußen",
    re.IGNORECASE,
)
"""Matches words for when, how often, how far and how something is done."""


def is_given_up(activity: str, ended: str) -> bool:
    """Returns whether what has ended is an activity, or all of it: who cycles to work no longer may still
    cycle, and who rides no longer may still ride a bike."""
    words = _words(ended)
    if not words or not words <= _words(activity):
        return False
    is_bare = all(word in english() or word in german() for word in _tokens(ended))
    return not (is_bare and _has_object(activity, words))


def _has_object(activity: str, verbs: frozenset[str]) -> bool:
    """Returns whether the verbs of an activity have an object, or follow one: "walk the dog", "take the kids
    swimming". A sport is none: "run marathons"."""
    tokens = _tokens(FREQUENT.sub(" ", activity))
    at = [number for number, word in enumerate(tokens) if _stem(word) in verbs]
    if not at:
        return False
    before, behind = _until_preposition(tokens[: at[0]]), _until_preposition(tokens[at[-1] + 1 :])
    return not all(_says_how(word) for word in [*before, *behind])


def _until_preposition(words: list[str]) -> list[str]:
    return list(takewhile(lambda word: word not in _PREPOSITIONS, words))


def _says_how(word: str) -> bool:
    """Returns whether a word beside a verb is no object: an article, a measure, an adverb or a sport."""
    return (
        word in MARKERS | ADVERBS | WHEN
        or _stem(word) in _GENERAL
        or _MEASURE.fullmatch(word) is not None
        or class_of_word(word) == "sport"
    )


def _tokens(value: str) -> list[str]:
    """Returns the words of a value, in order, without articles and the like but with prepositions."""
    return [word for word in re.findall(r"[^\W_]+", value.casefold()) if word not in MARKERS]


@lru_cache(4_096)
def _words(value: str) -> frozenset[str]:
    """Returns the words that name an activity: verbs as their stem, in either language."""
    words = [word for word in re.findall(r"[^\W_]+", value.casefold()) if word not in _LITTLE]
    stems = [_stem(word) for word in words]
    return frozenset([stem for stem in stems if stem not in _GENERAL] or stems)


def _stem(word: str) -> str:
    form = english().get(word) or german().get(word)
    stem = word if form is None else form[0]
    return _SAME.get(stem, stem)
