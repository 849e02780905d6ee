"""Compares what people do again and again, in whichever words: "run twice a week", "no more running"."""

from __future__ import annotations

import re
from functools import lru_cache

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


def is_given_up(activity: str, ended: str) -> bool:
    """Returns whether what has ended is an activity, or all of it: who cycles to work no longer may still
    cycle."""
    words = _words(ended)
    return bool(words) and words <= _words(activity)


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
