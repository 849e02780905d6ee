"""Runs an evaluation: fills a temporary store, asks every question, and counts what came back."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from holdfast.api.memory import Memory
from holdfast.bootstrap import STATIC, open_service
from holdfast.config import Settings
from holdfast.core.errors import InvalidInput
from holdfast.features.memories.embed import repair
from holdfast.features.service import Service
from tools.evaluation.bm25 import Bm25
from tools.evaluation.corpus import Corpus, Question
from tools.evaluation.metrics import CHARS_PER_TOKEN, Answer, Figures, figures

MODES = ("hybrid", "words", "vectors")
"""Ways of recall that can be compared."""
BM25 = "bm25"
"""A baseline that can be compared with them."""
LIMIT = 10
"""Hits that a caller gets; everything but the reciprocal rank is counted in these."""
DEPTH = 50
"""How far down the first answer is looked for when it is not among the hits."""


@dataclass(frozen=True, slots=True)
class Report:
    """What an evaluation found. `answers` holds those of each mode in the order of the questions,
    `outcomes` counts what became of the texts, `refusals` those that were refused, by the code of why.
    `unanswerable` counts questions of which no answer could be kept: they are asked, and count as missed."""

    name: str
    corpora: int
    outcomes: dict[str, int]
    fill_seconds: float
    model: str
    answers: dict[str, tuple[Answer, ...]]
    refusals: dict[str, int] = field(default_factory=dict)
    unanswerable: int = 0

    @property
    def texts(self) -> int:
        """How many texts were given to be remembered."""
        return sum(self.outcomes.values())

    def overall(self, mode: str) -> Figures:
        """Over all questions of all corpora, each counting the same."""
        return figures(self.answers[mode])

    def by_category(self, mode: str) -> dict[str, Figures]:
        """For each category, in the order in which they first come up."""
        groups: dict[str, list[Answer]] = {}
        for one in self.answers[mode]:
            groups.setdefault(one.category, []).append(one)
        return {category: figures(group) for category, group in groups.items()}

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON for `--json`."""
        return {
            "name": self.name,
            "corpora": self.corpora,
            "texts": self.texts,
            "outcomes": self.outcomes,
            "refusals": self.refusals,
            "unanswerable": self.unanswerable,
            "fill_seconds": round(self.fill_seconds, 3),
            "model": self.model,
            "limit": LIMIT,
            "modes": {
                mode: {
                    "overall": self.overall(mode).as_dict(),
                    "categories": {
                        category: one.as_dict() for category, one in self.by_category(mode).items()
                    },
                }
                for mode in self.answers
            },
        }


def evaluate(
    corpora: Iterable[Corpus],
    *,
    name: str,
    modes: Sequence[str] = MODES[:1],
    embedder: str = STATIC,
    advance: Callable[[int], None] = lambda _: None,
) -> Report:
    """Fills a temporary store with each corpus and asks its questions in each mode.

    `embedder` is a value of the setting of this name. `advance` is called with the number of questions that
    were asked. Nothing outside the temporary store is read or
    written, settings of the user included. Raises InvalidInput `dataset_invalid` when no question is
    asked or all of a corpus is refused, and what `recall` raises.
    """
    number, seconds, model = 0, 0.0, ""
    outcomes: Counter[str] = Counter()
    refusals: Counter[str] = Counter()
    unanswerable = 0
    answers: dict[str, list[Answer]] = {mode: [] for mode in modes}
    with ExitStack() as opened:
        for corpus in corpora:
            if not corpus.continues:
                number += 1
                opened.close()  # the store of the corpus before
                service, memory = opened.enter_context(_opened(corpus.now, embedder))
                baseline = Bm25()
                model = service.embedder.model
                known: set[str | None] = set()
            began = time.perf_counter()
            kept = corpus.fill(memory)
            while repair(service)[0]:  # vectors that a job would make
                pass
            seconds += time.perf_counter() - began
            refused = [one for one in kept if one.memory is None]
            if kept and len(refused) == len(kept):
                raise InvalidInput(
                    f"{name}: nothing of {corpus.name!r:.100} can be kept: {refused[0].reason}",
                    code="dataset_invalid",
                )
            outcomes.update(one.outcome.value for one in kept)
            refusals.update(one.code or "refused" for one in refused)
            for one in kept:
                if one.memory is not None:
                    known.add(one.memory.external_id)
                    if BM25 in modes:
                        baseline.add(str(one.memory.external_id), one.memory.text)
            unanswerable += sum(known.isdisjoint(one.gold) for one in corpus.questions)
            for mode in modes:
                answers[mode] += (
                    [_ask_baseline(baseline, question) for question in corpus.questions]
                    if mode == BM25
                    else _ask_all(service, memory, corpus, mode, advance)
                )
    if not any(answers.values()):
        raise InvalidInput(f"{name} holds no question with a known answer", code="dataset_invalid")
    return Report(
        name, number, dict(outcomes), seconds, model,
        {mode: tuple(all_) for mode, all_ in answers.items()}, dict(refusals), unanswerable,
    )  # fmt: skip


@contextmanager
def _opened(now: int, embedder: str = STATIC) -> Iterator[tuple[Service, Memory]]:
    """Opens a temporary store whose clock stands still."""
    with TemporaryDirectory(prefix="holdfast-eval-") as folder:
        settings = Settings(store=str(Path(folder) / "eval.db"), user="evaluation", embedder=embedder)
        service = open_service(settings, clock=partial(int, now))
        with Memory.over(service) as memory:
            yield service, memory


def _ask_all(
    service: Service, memory: Memory, corpus: Corpus, mode: str, advance: Callable[[int], None]
) -> list[Answer]:
    answers = []
    for number, question in enumerate(corpus.questions):
        if number == 0 and not corpus.continues:
            # the first recall of a process loads the index, which is no answer time
            memory.recall(question.text, limit=LIMIT, mode=mode, **corpus.where)
        answers.append(_ask(memory, corpus, question, mode))
        # what was given out for one question must not count as used when the next is ranked:
        # figures would depend on the order of the questions
        service.pending.drop()
        advance(1)
    return answers


def _ask(memory: Memory, corpus: Corpus, question: Question, mode: str) -> Answer:
    began = time.perf_counter()
    hits = memory.recall(question.text, limit=LIMIT, mode=mode, **corpus.where)
    milliseconds = (time.perf_counter() - began) * 1000
    ids = [hit.memory.external_id for hit in hits]
    ranks = _ranks(ids, question.gold)
    first = ranks[0] if ranks else None
    if first is None:
        deeper = memory.recall(question.text, limit=DEPTH, mode=mode, **corpus.where)
        below = _ranks([hit.memory.external_id for hit in deeper], question.gold)
        first = max(below[0], LIMIT + 1) if below else None
    return Answer(
        category=question.category,
        gold=len(question.gold),
        ranks=ranks,
        first=first,
        tokens=sum(len(hit.memory.text) for hit in hits) / CHARS_PER_TOKEN,
        passage_tokens=sum(len(hit.passage) for hit in hits) / CHARS_PER_TOKEN,
        milliseconds=milliseconds,
        ahead=_is_ahead(ids, question),
    )


def _ask_baseline(baseline: Bm25, question: Question) -> Answer:
    ids = baseline.ranked(question.text, DEPTH)
    ranks = _ranks(ids, question.gold)
    shown = tuple(rank for rank in ranks if rank <= LIMIT)
    first = ranks[0] if ranks else None
    ahead = _is_ahead(ids[:LIMIT], question)
    return Answer(question.category, len(question.gold), shown, first, 0.0, 0.0, 0.0, ahead)


def _is_ahead(ids: Sequence[str | None], question: Question) -> bool | None:
    """Returns whether an answer is among some hits and before every rival; None without rivals."""
    if not question.rivals:
        return None
    best = next((id for id in ids if id in question.gold | question.rivals), None)
    return best in question.gold


def _ranks(ids: Sequence[str | None], gold: frozenset[str]) -> tuple[int, ...]:
    return tuple(rank for rank, id in enumerate(ids, 1) if id in gold)
