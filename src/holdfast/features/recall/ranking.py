"""Ranking: computes ordered, explained scores from the raw signals of one view. Nothing else scores."""

from __future__ import annotations

from dataclasses import field, replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from holdfast.core.kinds import KINDS, Scorer
from holdfast.core.times import DAY
from holdfast.core.value_classes import value_class
from holdfast.core.values import changed
from holdfast.features.recall.confidence import STATIC, WORDS, Curve, confidences
from holdfast.language.manner import Manner, QuestionAim
from holdfast.stores.base.signals import KIND_NAMES, KIND_NUMBERS, Signals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from holdfast.language.dates.points import Period

_PASSAGE = KIND_NUMBERS["passage"]
SHARES = ("words", "vector", "neighbours", "session", "speaker", "time", "recency", "use")
"""The parts of a score, in `Ranked.why`."""


@value_class
class Weights:
    """The weights of the signals, chosen on public sets by `benchmarks/tune.py` (docs/measured/ranking.md).

    `vector` is relative to words at 1; the next three are relative to both together; the last four are a part
    of the sum of all of these.
    """

    words: float = 1.0
    vector: float = 1.6
    previous: float = 0.2
    following: float = 0.2
    session: float = 1.0
    assistant: float = -0.25
    """A person's statement is better evidence than a statement to them."""
    asking: float = -0.3
    """A text that only asks is worth less than an answer."""
    opening: float = 0.2
    """The first message of a conversation with an assistant says what it is about, seldom a detail of it."""
    stating: float = 0.2
    """A text that has an amount, a time or a reason can answer a question for one."""
    preferring: float = 0.45
    """A suggestion has to suit who asks for it: what they prefer counts, whatever words it uses."""
    suiting: float = 1.5
    """Factor of `vector` where a suggestion is asked for: preferences share few words with that."""
    code: float = 2.0
    """Factor of `vector` for code, which has few words of the questions that it answers."""
    affirming: float = -0.4
    """A question about what is not so: a statement that denies nothing is no answer."""
    named: float = 0.1
    """The query names the speaker."""
    time: float = 0.4
    """The query names the time."""
    then: float = 0.5
    """The memory is of exactly that time, whatever else it says."""
    spelling: float = 0.3
    """Smallest share of `vector` for a query of words that the embedder knows only by their spelling."""
    long: float = 16.0
    """Words of a query above which `vector` falls: by half for twice as many. The vector of a long message is
    the mean of much that it says, while its rare words still tell what it is about."""
    cosine_floor: float = 0.25
    """Minimum cosine at which a text that shares no word with the query is a hit (S2.32)."""


WEIGHTS = Weights()
NOTHING = QuestionAim(0)
_ASKS, _PREFERS, _AFFIRMS = int(Manner.ASKS), int(Manner.PREFERS), int(Manner.AFFIRMS)
_CODE = int(Manner.CODE)
_DETAILS = {
    QuestionAim.AMOUNT: Manner.AMOUNT,
    QuestionAim.TIME: Manner.TIME,
    QuestionAim.REASON: Manner.REASON,
}
"""Traits of a text that can answer a question for an amount, a time or a reason."""
THEN_MAX = 31 * DAY
"""Maximum length, in milliseconds, of a time in a query at which every memory of that time is a hit."""
HALF = 0.5
"""Share of a query's words with a meaning to the embedder below which the vector counts less."""


@value_class
class Ranked:
    """One candidate with its score and each signal's share of it; the shares add up to the score.
    `confidence` is the chance that it answers, whatever else there is; `cosine` that of its vector and the
    query's, -1 without a vector."""

    number: int
    score: float
    passage: tuple[int, int]
    why: dict[str, float] = field(default_factory=dict)
    confidence: float = 0.0
    cosine: float = -1.0


NAMED = 0.3
"""Factor of the score of an entity of which nothing is known but that messages name it."""


def scaled(ranked: Ranked, share: float, why: str = "stale") -> Ranked:
    """Returns the candidate with its score multiplied by a factor, because its file has changed, or `why`."""
    lost = ranked.score * (1 - share)
    return replace(ranked, score=ranked.score - lost, why={**ranked.why, why: -lost})


def rank(
    signals: Signals,
    *,
    now: int,
    limit: int,
    threshold: float = 0.0,
    periods: Sequence[Period] = (),
    length: int = 1,
    intent: QuestionAim = NOTHING,
    curve: Curve = STATIC,
    represented: float = 1.0,
    weights: Weights = WEIGHTS,
) -> list[Ranked]:
    """Returns the best `limit` candidates, best first; ties go to the newer memory.

    A candidate counts if it shares a word with the query, is near enough in meaning, is of the day or month
    in the query, or is next to one that is; a view without any has no hits (S2.32). Scores are between 0 and
    about 1.5; `threshold` drops weaker ones (S0.31). `periods` are the times in the query, `length` counts
    its words, and `intent` is what it wants besides; `curve` is that of confidence for
    these cosines, and `represented` the share of the query's words that have a meaning to the embedder: if
    less than half, the vector counts the less, and confidence comes from words alone.
    """
    if not signals.boost.all():  # a factor of 0 leaves out, as a yardstick too
        included = signals.boost > 0
        signals = changed(
            signals, words=signals.words * included, cosine=signals.cosine * included,
            refined=signals.refined * included,
        )  # fmt: skip
    matches = (signals.words > 0) | (signals.cosine >= weights.cosine_floor)
    for period in periods:
        if period.end - period.start <= THEN_MAX:
            matches |= period.nearness(signals.at) == 1
    if not matches.any():
        return []
    if length > weights.long:
        weights = replace(weights, vector=weights.vector * weights.long / length)
    if QuestionAim.SUGGESTION in intent:
        weights = replace(weights, vector=weights.vector * weights.suiting)
    if represented < HALF:
        weights = replace(weights, vector=weights.vector * max(weights.spelling, represented / HALF))
    shares = _shares(signals, periods, intent, now, weights)
    scores = shares.sum(axis=0)
    matches |= _values_at(matches, signals.previous) | _values_at(matches, signals.following)
    matches &= signals.boost > 0
    # rounded, so that equal candidates tie whatever the last bit says
    order = np.lexsort((-signals.number, -np.round(scores, 9)))
    best = order[matches[order] & (scores[order] >= threshold)][:limit]
    return [
        Ranked(number, score, (start, end), dict(zip(SHARES, parts, strict=True)), sure, cosine)
        for number, score, (start, end), parts, sure, cosine in zip(
            signals.number[best].tolist(),
            scores[best].tolist(),
            signals.passage[best].tolist(),
            shares[:, best].T.tolist(),
            confidences(signals, curve if represented >= HALF else WORDS)[best].tolist(),
            signals.cosine[best].tolist(),
            strict=True,
        )
    ]


def _values_at(values: NDArray[Any], places: NDArray[np.int64]) -> NDArray[Any]:
    """Returns the values at these positions, 0 where the position is negative."""
    return np.where(places >= 0, values[places], values.dtype.type(0))


def _shares(
    signals: Signals, periods: Sequence[Period], intent: QuestionAim, now: int, weights: Weights
) -> NDArray[np.float64]:
    """Returns the contribution of each signal to each candidate's score; shape (signals, candidates), rows as
    in `SHARES`."""
    shares = np.zeros((len(SHARES), len(signals.number)))
    relevance, recency, usage = shares[:-2], shares[-2], shares[-1]
    _relevance(relevance, signals, periods, intent, weights)
    policy = _policies()
    by_agent = policy.agent[signals.kind]
    for_relevance, for_recency, for_usage = policy.scorer[:, signals.kind]
    since = np.where(by_agent, np.maximum(signals.last_used, signals.at), signals.at)
    lasting = signals.pinned | (signals.user_wide & policy.personal[signals.kind])
    half_life = np.where(lasting, np.inf, policy.half_life[signals.kind])
    popular = np.minimum(signals.uses / np.where(by_agent, 20, 10), 1.0)
    # age and use speak only in proportion to relevance, or old favourites would answer every question (S4.33)
    fit = relevance.sum(axis=0)
    recency[:] = for_recency * freshness(now - since, half_life) * fit
    usage[:] = for_usage * popular * fit
    relevance *= for_relevance
    shares *= policy.weight[signals.kind] * signals.boost
    return shares


def _relevance(
    parts: NDArray[np.float64],
    signals: Signals,
    periods: Sequence[Period],
    intent: QuestionAim,
    weights: Weights,
) -> None:
    """Writes how well each candidate answers, from 0 to about 1, into `parts`: the first six of `SHARES`."""
    words, vector, neighbours, session, speaker, time = parts
    top_words = float(signals.words.max(initial=0.0))
    top_cosine = float(signals.refined.max(initial=0.0))
    by_vector = weights.vector * np.where(signals.manner & _CODE > 0, weights.code, 1.0)
    scale = (weights.words if top_words > 0 else 0.0) + (by_vector if top_cosine > 0 else 0.0)
    # a signal that nobody has adds nothing; dividing by one leaves it at that
    scale = np.where(scale == 0, 1.0, scale)
    words[:] = signals.words
    words *= weights.words / scale / (top_words or 1.0)
    vector[:] = np.maximum(signals.refined, 0.0)
    vector *= by_vector / scale / (top_cosine or 1.0)
    fit = words + vector
    neighbours[:] = weights.previous * _values_at(fit, signals.previous)
    neighbours += weights.following * _values_at(fit, signals.following)
    # what answers best by itself need not wait for the rest of its session
    session[:] = weights.session * np.maximum(fit, _session_relevance(fit, signals.session))
    together = fit + neighbours + session
    is_answered = _values_at(signals.assistant, signals.following)
    by_speaker = (
        weights.assistant * signals.assistant
        + weights.asking * (signals.manner & _ASKS > 0)
        + weights.named * signals.named
    )
    if stated := sum(int(trait) for want, trait in _DETAILS.items() if want in intent):
        by_speaker += weights.stating * (signals.manner & (stated | _CODE) == stated)
    else:
        by_speaker += weights.opening * (signals.opening & ~signals.assistant & is_answered)
    if QuestionAim.SUGGESTION in intent:
        by_speaker += weights.preferring * (~signals.assistant & (signals.manner & _PREFERS > 0))
    if QuestionAim.DENIAL in intent:
        is_statement = signals.kind != _PASSAGE  # code and documents are statements of nobody
        by_speaker += weights.affirming * (is_statement & (signals.manner & _AFFIRMS > 0))
    speaker[:] = by_speaker * together
    if periods:
        proximity = np.max([period.nearness(signals.at) for period in periods], axis=0)
        time[:] = weights.then * (proximity == 1) + weights.time * proximity * together
    # what is in no session stands for its own: that share is reported as the words' and the vector's
    alone = signals.session == 0
    parts[:2] *= 1 + weights.session * alone
    session[alone] = 0.0
    parts /= 1.0 + weights.previous + weights.following + weights.session


def _session_relevance(fit: NDArray[np.float64], session: NDArray[np.int64]) -> NDArray[np.float64]:
    """Returns the mean of the two best of each candidate's session; a candidate without a session has its own
    value."""
    if not session.any():
        return fit
    keys = np.where(session > 0, session, -1 - np.arange(len(fit)))
    order = np.lexsort((-fit, keys))
    keys, ordered = keys[order], fit[order]
    begins = np.ones(len(fit) + 1, np.bool_)
    begins[1:-1] = keys[1:] != keys[:-1]
    first = np.flatnonzero(begins[:-1])
    second = np.where(begins[first + 1], first, first + 1)
    means = (ordered[first] + ordered[second]) / 2
    result = np.empty(len(fit))
    result[order] = means[np.cumsum(begins[:-1]) - 1]
    return result


_SCORERS = {
    Scorer.ASSISTANT: (0.7, 0.2, 0.1),
    Scorer.AGENT: (0.6, 0.25, 0.15),
    Scorer.EVIDENCE: (0.75, 0.05, 0.0),
}
"""Weights of relevance, recency and use (S2.29, S4.28). Old evidence weighs a little more than old knowledge
and less than fresh."""


class _Policies(NamedTuple):
    """The ranking policy of each kind, by kind number; an infinite half-life means no decay."""

    scorer: NDArray[np.float64]
    """Weights of relevance, recency and use; shape (3, kinds)."""
    agent: NDArray[np.bool_]
    personal: NDArray[np.bool_]
    half_life: NDArray[np.float64]
    weight: NDArray[np.float64]


@cache
def _policies() -> _Policies:
    """Returns how each kind is ranked, as arrays."""
    kinds = [KINDS[name] for name in KIND_NAMES]
    return _Policies(
        np.array([_SCORERS[kind.scorer] for kind in kinds]).T,
        np.array([kind.scorer is Scorer.AGENT for kind in kinds]),
        np.array([kind.personal for kind in kinds]),
        np.array([np.inf if kind.half_life is None else kind.half_life for kind in kinds]),
        np.array([kind.weight for kind in kinds]),
    )


def freshness(age: ArrayLike, half_life: ArrayLike) -> NDArray[np.float64]:
    """Returns 1 for a new memory, halved after every half-life. `age` in ms, `half_life` in days, infinite
    for no decay."""
    return np.asarray(np.exp2(-np.maximum(age, 0) / DAY / np.asarray(half_life, np.float64)), np.float64)
