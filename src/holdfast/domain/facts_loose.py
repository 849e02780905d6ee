"""The loose reading: what a sentence asks by the words in it, where no form of the router fits.

It speaks of one topic as one's own or as a favourite, asks or commands, and holds no word outside the
classes: each word that is left says nothing else, so their order matters little.
"""

from __future__ import annotations

import re
from itertools import pairwise

from holdfast.domain.facts_words import Word, rank_of

_OPENING = re.compile(r"[z&]*(?:o,)?[z&,]*")
_NO_QUESTION = frozenset("bDui")
_ASKS = re.compile(r"[qcl]")
_BARE = re.compile(r"[amotdnhkfFlTPepz,.&]*")
_TO_COME = frozenset({"will", "should", "might"})
"""With "be": what is to become a favourite is not stored; "what would be" is only polite."""
_ONE = re.compile(r"[^&]*|[^&]*(?:o|h|k[dn])(?:[,&]+(?:o|h|k[dn]))+[^&]*")
_SLICE = re.compile(r"t(?P<a>[dn])|(?P<b>[dn])t|m(?P<c>d)a*f|(?P<first>o)(?P<d>[dn])")
_RANK = re.compile(
    r"k(?P<k>[dn])|(?P<h>h)|(?P<f>o)(?=k?a*e?[fTPenlp]|[,&]+(?:o|h))|(?<=[bvkp])a*(?P<b>o)(?=[enz.,]*$|p)"
)
_ALONE = re.compile(r"(?<=[TPen])bm[az]*f[en]?[.z,]*$")
_INSIDE = re.compile(r"(?:^|[^acqT])pa*ma*[ft]+T|p[.,z]*$|qa*bpa*ma*fT")


def read_loosely(words: list[Word]) -> tuple[str, str | None, list[int]] | None:
    """What a sentence asks, "ordinal", "slice", "best" or "list", with its topic and numbers; None if it
    asks for nothing, or not surely."""
    kinds = "".join(word.kind for word in words)
    opening = _OPENING.match(kinds)
    start = opening.end() if opening else 0
    kinds, words = kinds[start:], words[start:]
    topics = {word.topic.key for word in words if word.topic is not None}
    owned = "m" in kinds or "iD" in kinds
    own = owned and re.search("[fFlt]|o|h|k[dn]|P", kinds)
    if (
        len(topics) != 1
        or not (own or "f" in kinds)
        or "x" in kinds
        or any(word.text == "like" and after.kind == "m" for word, after in pairwise(words))
        or any(word.text == "be" for word in words) & any(word.text in _TO_COME for word in words)
        or "y" in kinds
        or not _ONE.fullmatch(kinds)
    ):
        return None
    if not kinds or kinds[0] in _NO_QUESTION or not (_ASKS.search(kinds) or _BARE.fullmatch(kinds)):
        return None
    topic = topics.pop()
    part = _SLICE.search(kinds)
    if part is not None:
        name = next(name for name, at in part.groupdict().items() if at and name != "first")
        if part["first"] and words[part.start("first")].text not in ("first", "1st"):
            return None
        return "slice", topic, _numbers(words, [part.start(name)])
    ranks = [found.start(found.lastgroup or 0) for found in _RANK.finditer(kinds)]
    if ranks:
        return "ordinal", topic, _numbers(words, ranks)
    if "o" in kinds or "d" in kinds or "h" in kinds:
        return None
    alone = _ALONE.search(kinds)
    if alone is not None and words[alone.start()].text in ("is", "was"):
        return "best", topic, []
    if re.search("[PFl](?!.*fT)", kinds.lstrip("lz")):
        return ("list", topic, []) if owned or "fP" in kinds else None
    if "m" in kinds and re.search("f|tT", kinds) and "T" in kinds and not _INSIDE.search(kinds):
        return "best", topic, []
    return None


def _numbers(words: list[Word], places: list[int]) -> list[int]:
    return [rank for place in places if (rank := rank_of(words[place].text)) is not None]
