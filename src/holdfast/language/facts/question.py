"""Parses one question into requests for facts by the classes of its words.

A question is read as a string of word classes, each a letter (`words` lists them). Every word must belong to
a class, because an unknown word may change the meaning: another person, another subject, another task. The
classes must then show three things: that something is asked, that it concerns one's own list or a favourite,
and what is asked: ranks, a slice, a count, the favourite, or all. Word order matters only where it changes
the meaning."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from holdfast.core.facts import QuestionType, Request
from holdfast.language.facts.ranks import Ranked, Span, with_ranks
from holdfast.language.facts.words import Word

_OPENING = re.compile(r"[z&,.]*(?:o,[z&,]*|o(?=q|c)|Le,[z,]*)?")
"""Words before a question that do not change it: "and well,", "first, …", "last item: …"."""
_UNKNOWN = re.compile(r"[xyES~dhoL]")
"""Words that are not understood, things of others, and numbers that are no rank."""
_NO_QUESTION = re.compile(r"[bDuiv]|s(?![uwz])")
"""Beginnings of a statement or of a question for yes or no: "is my …", "I …"."""
_ASKS = re.compile(r"[qcH]|^(?:[z,]|su)*l")
"""A question word, a command, or the verb "list" at the beginning."""
_BARE = re.compile(r"(?:[amtnkfFlTPepzRNOivuJ,.&]|(?<=i)D)*(?:s?b)?[.,z]*")
"""A noun phrase that asks for what it names: "my second favorite color", "my top 3 movies are"."""
_TO_COME = frozenset({"will", "should", "might", "could"})
"""Verbs before "be" that ask about the future, which is not stored; "what would be" is only polite."""
_TELLING = frozenset("say mention name list share state declare tell give specify report identify".split())
_RANKING = frozenset("rank ranked place placed put rate rated order ordered list listed scored like".split())
_LIKING = frozenset("like love prefer consider hold want add added".split())
_OWN_RANK = re.compile(
    r"m[az]*(?:R[,&a]*)*R[az]*f?a*e?[az]*(?:pa*)?[TP]|m[az]*[TP][,a]*(?:R|pa*R)|m[az]*R[en]?[.z,&]*$"
    r"|iDpa*R|R[az]*[TP]m"
)
"""A rank of one's own things: "my third color", "my colors, the third", "the third color of mine"."""
_AMONG = re.compile(r"[pa]a*ma*(?:f?[TP]|F)")
"""What a rank counts among: "of my favorite colors", "among my favorites"."""
_MY_TOP = re.compile(r"[pa]a*m[az]*(N)")
"""The "top 10" of "in my top 10"."""
_ALONE = re.compile(r"bm[az]*f[en]?(?:,|[.z]*$)|(?<=[Ten])bm[az]*f[en]?p")
"""The favourite is asked for itself: "what color is my favorite?", "… my favorite, please"."""
_INSIDE = re.compile(r"(?:^|[^acqTuv])pa*ma*[ft]+T|p[.,z]*$|qa*bpa*ma*fT")
"""The favourite only says where something is: "what is on my favorite album?"."""
_AT_TOP = re.compile(r"t[pa]+m|btpa*m|pa*t(?:p|[.z,]*$)")
"""The first rank as a place: "at the top of my list"."""
_SPOT = re.compile(r"[z,&]*qb[pa]*R[.z,]*")
"""A whole question for a place: "what is in second place?"."""
_BARE_RANK = re.compile(r"[z,&]*(?:c[wz]*)?(?:q[en]?b?)?(?:pa*)?a*(?:R[,&a]*)*[RN][en]?(?:p[az]+)?[.z,]*")
"""A whole question for a rank of what was spoken of: "and the third one?", "tell me number two"."""
_ON_LIST = re.compile(r"pa*ma*l[.z,]*$")
"""The end "on my list"."""
_TOP_OF_LIST = re.compile(r"t[az]*[Ten]" + _ON_LIST.pattern)
"""The first rank: "the top color on my list"."""
_COUNTS = re.compile(r"many|number|count")
"""Words for a count; the others of their class ask for the size of a list."""
_BEST_TOO = re.compile(
    r"(?<![Ra])f(?=[az]*[TPe]?[,&]+[az]*m?[az]*R[az]*f)|(?:(?<=Rf[,&])|(?<=Rf[,&]m)"
    r"|(?<=Rf[TP][,&]m)|(?<=R[TP][,&]m))f"
)
"""The favorite asked for together with a rank: my favorite and least favorite book."""
_TOLD_OF = re.compile(r"vu[az]*(?:R[TP]|m)")
"""Mentions of a thing, not of a rank: told you about the second song."""
_IS = re.compile("b[.,z]*$")
"""The end of a question that goes on with "is": a value may follow."""
_AFTER_IS = frozenset("again please pls plz then now currently right already at the moment still".split()) | {
    "right now", "at the moment", "these days", "or something", "uh", "thanks", "thx",
}  # fmt: skip
_WHOLE = frozenset("whole full entire complete".split())
_MANY = re.compile(r"[PFl](?!.*fT)")
"""A plural or a list, so that several values are asked for, unless one favourite is named after it."""


def read(words: Sequence[Word], *, topic: str | None = None, owned: bool = False) -> list[Request]:
    """Returns the requests of a sentence, none if it is not surely a question for facts.

    `topic` and `owned` come from the preceding text: the topic it speaks of, and whether that is one's own.
    """
    opening = _OPENING.match("".join(word.kind for word in words))
    words = words[opening.end() if opening else 0 :]
    ranked = _with_lists(with_ranks(words))
    if "pml" in ranked.kinds and all(
        word.text != "for" for word in ranked.words
    ):  # the best of my list is its top
        ranked = replace(ranked, kinds=ranked.kinds.replace("S", "t"))
    kinds = ranked.kinds
    topics = {word.topic.key for word in ranked.words if word.topic is not None}
    if len(topics) > 1 or not kinds or _UNKNOWN.search(kinds) or _NO_QUESTION.match(kinds):
        return []
    is_bare = (
        _BARE.fullmatch(kinds) and not (kinds[0] == "p" and not ranked.spans) and not _may_have_value(ranked)
    )
    if not (_ASKS.search(kinds) or is_bare) or _says_otherwise(ranked):
        return []
    return _Question(ranked, next(iter(topics), None), topic, owned).requests()


def _with_lists(ranked: Ranked) -> Ranked:
    """Returns the sentence with "my top 10" read as a list if a rank of it is asked for: the last in my top
    10."""
    match = _MY_TOP.search(ranked.kinds)
    if match is None or "R" not in ranked.kinds:
        return ranked
    at = match.start(1)
    spans = {place: span for place, span in ranked.spans.items() if place != at}
    return replace(ranked, kinds=ranked.kinds[:at] + "l" + ranked.kinds[at + 1 :], spans=spans)


def _may_have_value(ranked: Ranked) -> bool:
    """Returns whether a value may follow "is", such as the song "Hello"."""
    end = _IS.search(ranked.kinds)
    after = ranked.words[end.start() + 1 :] if end else ()
    return any(word.kind == "z" and word.text not in _AFTER_IS for word in after)


def _says_otherwise(ranked: Ranked) -> bool:
    """Returns whether words of known classes say something that facts cannot answer."""
    words, kinds = ranked.words, ranked.kinds
    texts = [word.text for word in words]
    after = list(zip(texts, [*kinds[1:], ""], strict=True))
    if {("like", "m"), ("next", "f"), ("of", "u")}.intersection(after) or _TOLD_OF.search(kinds):
        return True
    if any(text == "who" and kind not in ("", "b", "D", "s", "z", ",", ".") for text, kind in after):
        return True
    if "read" in texts and "fT" in kinds and "l" not in kinds:  # to read it, not its name
        return True
    if re.match("[z,]*cu", kinds) or "k" in kinds or ("be" in texts and _TO_COME.intersection(texts)):
        return True
    if re.search("H.*Duc", kinds):  # how many did you see
        return True
    return "J" in kinds and "v" not in kinds and not _TELLING.intersection(texts)


class _Question:
    """A parsed question: what in it is one's own, and what is asked of that."""

    def __init__(self, ranked: Ranked, named_topic: str | None, prior: str | None, owned: bool) -> None:
        self.kinds, self.words, self.spans = ranked.kinds, ranked.words, ranked.spans
        self.is_named = named_topic is not None
        self.topic = named_topic or prior
        self.from_context = owned
        known_verbs = self._verbs()
        verbs = known_verbs or set()
        self.is_life = known_verbs is None
        self.is_stated = bool(verbs) and not verbs <= _LIKING
        self.ranks = bool(verbs) and bool(verbs & _RANKING)
        self.mine = "m" in self.kinds
        self.is_own = self.mine or bool(verbs) or "iD" in self.kinds or "Di" in self.kinds
        self.is_marked = any(kind in self.kinds for kind in "fFl")

    def _verbs(self) -> set[str] | None:
        """Returns the verbs after "I", or None if one of them is neither telling nor ranking nor liking."""
        verbs: set[str] = set()
        for i, kind in enumerate(self.kinds):
            if kind != "i":
                continue
            rest = [word for word in self.words[i + 1 : i + 5] if word.kind not in "zDw"]
            verb = rest[0] if rest else None
            if verb is None or verb.kind in "p.,bfq":
                continue
            if verb.kind == "v" or verb.text in _TELLING or verb.text in _RANKING:
                verbs.add(verb.text)
            elif verb.kind not in "aTPmlFRN":
                return None
        return verbs

    def requests(self) -> list[Request]:
        """Returns the requests in the order of the sentence."""
        if self.is_life:
            return []
        if "H" in self.kinds:
            is_size = any(word.kind == "H" and not _COUNTS.search(word.text) for word in self.words)
            if is_size and "l" not in self.kinds:
                return []
            counts = (
                (self.is_marked or self.is_stated) and (self.is_own or "f" in self.kinds) and not self.spans
            )
            return (
                [Request(QuestionType.COUNT, self.topic)] if counts and (self.is_named or self.mine) else []
            )
        slices = {span for span in self.spans.values() if span.is_slice}
        ordinals = [(at, span) for at, span in self.spans.items() if not span.is_slice]
        lasts = [span for _, span in ordinals if span.from_end and span.first == 1]
        if slices and len(lasts) == len(ordinals) == 1:  # which three are at the bottom of my list
            return self._slice({replace(slices.pop(), from_end=True)}) if len(slices) == 1 else []
        if ordinals:
            return self._ordinals(ordinals)
        if slices:
            return self._slice(slices)
        return self._all()

    def _ordinals(self, ordinals: list[tuple[int, Span]]) -> list[Request]:
        """Returns the requests for single ranks, and for the favourite if it is named with one."""
        if not all(self._is_own_rank(at, span) for at, span in ordinals):
            return []
        requests = {}
        for at, span in ordinals:
            kind = QuestionType.LEAST if span.least else QuestionType.ORDINAL
            requests[at] = Request(kind, self.topic, span.first, from_end=span.from_end)
        for best in _BEST_TOO.finditer(self.kinds) if self.mine else ():
            requests[best.start()] = Request(QuestionType.BEST, self.topic, 1)
        return [requests[at] for at in sorted(requests)]

    def _is_own_rank(self, at: int, span: Span) -> bool:
        """Returns whether a rank belongs to a list of one's own."""
        kinds = self.kinds
        if self.from_context and _BARE_RANK.fullmatch(kinds):
            return True
        if self.topic is None or not (self.is_named or self.is_own):
            return self._is_rank_of_nothing(at, span)
        if span.least:
            return self.is_own
        if self.words[at].text == "end" and not (self.is_marked or self.is_stated):
            return False
        if self.is_marked and (self.is_own or "f" in kinds):
            return self._stands(at)
        if self._is_recent(at, span):
            return self.ranks or ("O" in kinds and "q" in kinds)
        if self.is_stated or self.ranks:
            return True
        if _OWN_RANK.search(kinds) or _AMONG.search(kinds):
            was = any(word.text in ("was", "were") for word in self.words)
            return not was or span.is_place or _AMONG.search(kinds) is not None
        return "O" in kinds and "q" in kinds

    def _stands(self, at: int) -> bool:
        """Returns whether a rank is more than an opening word, as in "first, tell me"."""
        after = self.kinds[at + 1 : at + 2]
        return not (after in ("c", "q", "s") and at == 0)

    def _is_recent(self, at: int, span: Span) -> bool:
        """Returns whether "last" may mean the latest: my last order."""
        return (
            span.from_end
            and self.words[at].text == "last"
            and not span.is_place
            and not _AMONG.search(self.kinds)
        )

    def _is_rank_of_nothing(self, at: int, span: Span) -> bool:
        """Returns whether a rank may go without a topic: my second favorite, #4 on my list."""
        if (self.mine and self.is_marked) or "f" in self.kinds:
            return True
        if re.search("m[az]*$", self.kinds[:at]) and span.is_place:
            return True
        texts = {word.text for word in self.words}
        return bool(_SPOT.fullmatch(self.kinds)) and span.is_place and "who" not in texts

    def _slice(self, slices: set[Span]) -> list[Request]:
        """Returns the request for several ranks, such as the top three."""
        if len(slices) != 1:
            return []
        span = slices.pop()
        at = next(iter(self.spans))
        kinds = self.kinds
        was = any(word.text in ("was", "were") for word in self.words)
        if (
            was
            and self.words[at].kind == "o"
            and not (self.is_marked or self.is_stated or _AMONG.search(kinds))
        ):
            return []  # my first two cars, what were they?
        is_own = self.is_own or "f" in kinds or (self.from_context and _BARE_RANK.fullmatch(kinds))
        if not is_own or (span.from_end and not self.is_marked and self._is_recent(at, span)):
            return []
        says = (
            self.is_marked
            or self.from_context
            or "t" in kinds
            or "P" in kinds
            or self.words[at].kind in "tL"
            or self.is_stated
        )
        if not says or (
            self.topic is None and not (self.mine and (self.is_marked or self.words[at].kind in "tL"))
        ):
            return []
        rank = span.first if span.first != 1 else None
        return [Request(QuestionType.LIST, self.topic, rank, span.last, from_end=span.from_end)]

    def _all(self) -> list[Request]:
        """Returns the request of a question without a rank: the favourite, the first, or the list."""
        kinds = self.kinds
        if "t" in kinds and self.mine and _AT_TOP.search(kinds):
            return [Request(QuestionType.ORDINAL, self.topic, 1)] if self.topic or "l" in kinds else []
        if not self.is_marked and not (self.is_own and ("P" in kinds or "t" in kinds)):
            return []
        alone = _ALONE.search(kinds)
        verb = "" if alone is None else self.words[alone.start()].text
        if verb in ("is", "was") or (" i " in verb and "qP" not in kinds):
            return [Request(QuestionType.BEST, self.topic, 1)]
        if "t" in kinds and _TOP_OF_LIST.search(kinds):
            return [Request(QuestionType.ORDINAL, self.topic, 1)]
        if "fT" in kinds:
            kinds = _ON_LIST.sub("", kinds)
        if _MANY.search(kinds.lstrip("lz")):
            if self.topic is None and "F" not in kinds:
                is_whole = "ml" in re.sub("[az]", "", kinds) and any(
                    word.text in _WHOLE for word in self.words
                )
                return [Request(QuestionType.LIST, None)] if is_whole else []
            return [Request(QuestionType.LIST, self.topic)] if self.is_own or "fP" in kinds else []
        if self.topic is None and not any(word.text.startswith("fa") for word in self.words):
            return []
        if self.mine and re.search("f|t[Te]", kinds) and not _INSIDE.search(kinds):
            return [Request(QuestionType.BEST, self.topic, 1)]
        return []
