"""Quotes what messages and notes say of somebody or something by name, whether or not it is an entity."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from holdfast.core.claims import Belief
from holdfast.core.record import Memory
from holdfast.core.views import View
from holdfast.features.graph.mentions import Quote
from holdfast.features.service import Service
from holdfast.language.entities.relations import sentences
from holdfast.language.terms import query_terms
from holdfast.stores.base.ports import Question, Reader

_TITLES = frozenset("herr herrn frau hr fr mr mrs ms miss dr prof professor doktor doctor".split())
_KINDS = frozenset({"message", "note", "fact", "project"})
_FETCHED = 200
"""Most texts with the words of a name that are looked at."""
_GOES_ON = re.compile(r"\s*(?:er|sie|he|she|they|ihre?|seine?|his|her|their)\s", re.IGNORECASE)
"""Matches the beginning of a sentence that goes on about the one whom the sentence before it names."""


def quotes_by_name(snap: Reader, service: Service, view: View, name: str, *, limit: int) -> list[Quote]:
    """Returns the sentences that name somebody or something, newest first, with those right behind that go on
    about them: what people said and wrote, not what an assistant answered."""
    words = [word for word in re.findall(r"[^\W_]+(?:[-'’][^\W_]+)*", name) if word.casefold() not in _TITLES]
    if not words:
        return []
    spelled = r"\W+".join(map(re.escape, words))
    pattern = re.compile(rf"(?<!\w){spelled}(?:['’]?s)?(?!\w)", re.IGNORECASE)
    now = service.clock()
    inside = view.narrowed(replace(view.filter, kinds=_KINDS))
    question = Question(
        query_terms(" ".join(words)), None, service.embedder.model, dim=0, fetch=_FETCHED, now=now
    )
    numbers = snap.candidates(inside, question).number.tolist()
    texts = [memory for _, memory in snap.numbered(inside, numbers, now=now) if _is_said(memory)]
    texts.sort(key=lambda text: (text.at, text.id), reverse=True)
    quotes = [(memory, *place) for memory in texts for place in _places(memory.text, pattern)]
    return quotes[:limit]


def unsaid(quotes: Sequence[Belief], existing: Sequence[Belief]) -> list[Belief]:
    """Returns the quotations that are not, for the most part, the source of a statement already."""
    sources = [(source.memory, source.quote) for belief in existing for source in belief.sources]
    return [
        text
        for text in quotes
        if not any(
            memory == text.id and 2 * len(quote) > len(text.value) and quote in text.value
            for memory, quote in sources
        )
    ]


def _is_said(memory: Memory) -> bool:
    return memory.role not in ("assistant", "system") and not memory.is_kept_from_prompts


def _places(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Yields where the sentences begin and end that name somebody, each with those that go on about them."""
    until = 0
    named: int | None = None
    for start, end in sentences(text, ()):
        sentence = text[start:end]
        if pattern.search(sentence) is not None:
            named = start if named is None else named
        elif named is None or _GOES_ON.match(sentence) is None:
            if named is not None:
                yield _stripped(text, named, until)
            named = None
        until = end
    if named is not None:
        yield _stripped(text, named, until)


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    passage = text[start:end]
    return start + len(passage) - len(passage.lstrip()), end - len(passage) + len(passage.rstrip())
