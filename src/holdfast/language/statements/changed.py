"""News of another value for the same thing: "Variable names are in English now" after "… are in German"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache

from holdfast.language.statements.replaced import parts_of
from holdfast.language.statements.rivals import VERSIONED
from holdfast.language.statements.words import words

STATEMENT_MAX = 300
"""Characters of a statement that is looked at: a longer one says many things."""
_NEWS = re.compile(
    r"(?i)\b(?:now|no longer|any ?more|from (?:now|today) on|as of|nowadays|since (?:last|this) \w+"
    r"|has changed|moved|stays? (?:on|in|with|at)"
    r"|jetzt|inzwischen|mittlerweile|nicht mehr|ab (?:sofort|heute)"
    r"|künftig|ahora|ya no|désormais|maintenant)\b"
)
"""Words by which a statement says that something is no longer as it was."""
_UNSURE = re.compile(
    r"(?i)\?|\b(?:if|unless|when|whether|would|should|could|might|may|maybe|plan\w*|want\w*|consider\w*|until"
    r"|temporarily|for now|right now|locally|also|additionally|wenn|falls|vielleicht|auch|zusätzlich)\b"
)
"""Words with which both may be true, or nothing has changed yet."""
_SLOT = re.compile(
    r"(?i)\b(in|with|on|to|via|through|by|at|under|against|over|mit|auf|im|über|unter|nach|gegen|en|con|avec|dans"
    r"|is|are|ist|sind)"
    r"(?= (?:(?:the|our|an?|now|jetzt|der|die|das|den|el|la|le|les) )*([\w@#./:-]*\w))"
)
"""A word that opens a slot, and the value in it."""
_ASKED = re.compile(r"^[^?]*\?\s")
"""A question that a statement answers itself."""
_BEING = words("is are ist sind")
_VERSION = re.compile(r"\b\d+(?:\.\d+)*\b")
_LIMIT = re.compile(r"(?i)\b(?:minimum|lowest|oldest|support\w*|requir\w+|mindestens)\b")
_DENIED = re.compile(r"(?i)\b(?:no longer|not|nicht(?: mehr)?|ya no|never)\b[^,;.]*")
"""Matches what a statement says is no longer so."""
_WORD = re.compile(r"[^\W\d_][\w-]*")
_SMALL = words(
    """
    the our an now from this that these those and not never always only must with for we are is in on to at
    use uses used using run runs go goes all every each new old last week month year jetzt
    die der das den wir und nicht immer
    """
)
STEM = 6
"""Letters by which words of the two statements are compared."""


@lru_cache(4_096)
def is_changed(old: str, new: str) -> bool:
    """Returns whether `new` says, as news, that what `old` is about has another value: after the same word
    for the same thing, or another lowest version."""
    is_news = _NEWS.search(new) and not _NEWS.search(old)
    if not is_news or max(len(old), len(new)) > STATEMENT_MAX:
        return False
    if _UNSURE.search(_ASKED.sub("", new)) or not parts_of(new) <= _words(old) | _values(new):
        return False
    return _has_other_value(old, new) or _has_other_version(old, new)


def _has_other_value(old: str, new: str) -> bool:
    """Returns whether both have a value after the same word, another one, and most other words in common."""
    plain = _DENIED.sub("", new)
    before, after = _slots(old), _slots(plain)
    for opener in before.keys() & after.keys():
        values = before[opener]
        if values & after[opener] or values & _words(plain):
            continue
        topic = _topic(old, values)
        shared = topic & _topic(new, after[opener])
        if len(shared) >= (2 if opener == "be" else 1) and len(shared) * 2 > len(topic):
            return True
    return False


def _has_other_version(old: str, new: str) -> bool:
    """Returns whether both state the lowest version of the same software, with another number."""
    if not (_words(old) & _words(new) & VERSIONED and _LIMIT.search(new) and _LIMIT.search(old)):
        return False
    versions = set(_VERSION.findall(old))
    return bool(versions) and bool(set(_VERSION.findall(new)) - versions)


def _slots(text: str) -> Mapping[str, set[str]]:
    """Returns the values in a statement by the word before them, with all forms of "be" as one and without
    small words, in lower case."""
    slots: dict[str, set[str]] = defaultdict(set)
    for opener, value in _SLOT.findall(text):
        name = opener.casefold()
        slots["be" if name in _BEING else name].add(value.casefold())
    for values in slots.values():
        values -= _SMALL
    return {name: values for name, values in slots.items() if values}


def _values(text: str) -> frozenset[str]:
    return frozenset(value for values in _slots(text).values() for value in values)


def _topic(text: str, values: set[str]) -> frozenset[str]:
    """Returns the beginnings of the words that say what a statement is about."""
    return frozenset(word[:STEM] for word in _words(text) - _SMALL - values if len(word) > 2)


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(text))
