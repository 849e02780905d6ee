"""Spelling: the words that one typing error turns into a given word."""

from __future__ import annotations

import re
from functools import lru_cache
from string import ascii_lowercase

from holdfast.language.terms import STOP_WORDS, stems_of, term_of

LENGTH_MIN = 4
"""Minimum number of letters of a word that counts as misspelt: shorter ones are near to too many others."""
LENGTH_MAX = 24
"""Maximum number of letters: what is longer is no word, and would have too many neighbours."""
WORDS_MAX = 8
"""Maximum number of words of one question that are tried, which bounds the cost."""

_WORD = re.compile(r"(?<![^\s(\[\"'“‘,;:])[^\W\d_]+(?![^\s)\]\"'”’,;:.!?])")


def plain_words(text: str) -> dict[int, str]:
    """Returns the words of a question that may be misspelt, in lower case, by their term: letters alone, and
    no part of an identifier."""
    words = {}
    for word in _WORD.findall(text):
        low = word.lower()
        if (
            LENGTH_MIN <= len(low) <= LENGTH_MAX
            and (word.islower() or word.istitle())
            and low not in STOP_WORDS
        ):
            words[term_of(stems_of([low])[0])] = low
    return words


@lru_cache(64)
def near_terms(word: str) -> dict[int, str]:
    """Returns the terms of the words one edit away, each with the first of these words by the alphabet: a
    letter left out, added, another, or two that changed places."""
    cuts = [(word[:i], word[i:]) for i in range(len(word) + 1)]
    variants = {head + tail[1:] for head, tail in cuts if tail}
    variants.update(head + tail[1] + tail[0] + tail[2:] for head, tail in cuts if len(tail) > 1)
    variants.update(head + letter + tail for head, tail in cuts for letter in ascii_lowercase)
    variants.update(head + letter + tail[1:] for head, tail in cuts if tail for letter in ascii_lowercase)
    words = sorted(variants - STOP_WORDS - {word}, reverse=True)
    terms = {term_of(stem): variant for variant, stem in zip(words, stems_of(words), strict=True)}
    terms.pop(term_of(stems_of([word])[0]), None)
    return terms
