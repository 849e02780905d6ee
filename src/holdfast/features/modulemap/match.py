"""Matches the modules of a map with a task, by words, paths, symbols and meaning (S4.11)."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from holdfast.core.module_map import Module, ModuleMap
from holdfast.core.wire import Plain, wire
from holdfast.features.modulemap.words import concerns_of, empty_words, other_forms
from holdfast.language.terms import stop_stems, words_of

Similar = Callable[[str, Sequence[str]], Sequence[float]]
"""A function that returns the cosines of a text with others, in their order."""

NAME, PATH, SYMBOL, TEXT, WORD = 8.0, 4.0, 3.0, 3.0, 1.5
"""Weights of a word in a module's name, paths, symbols, description, and keywords."""
ENOUGH = 3.0
"""The weight at which a word contributes half of its maximum."""
FILLER_WEIGHT = 0.2
"""The weight of a task word such as "fix"."""
CONCERN = 0.6
"""The weight of a shared concern relative to a shared word."""
MEANING, FAR = 3.0, 0.3
"""The highest bonus of a cosine, and its distance above the mean of all modules that gives it."""
ALONE = 0.25
"""The share of the bonus for a module without a word of the task if others have one."""
FILE_NAMED = 12.0
"""The bonus if a task names one of a module's files."""
LEAST = 0.25
"""The share of the best score below which a module does not match."""

_WORD = re.compile(r"\w+(?:['’-]\w+)*")
_SIGN_IN = re.compile(r"\b(?:sign|log)(?:ed|ged|s|ing|ging)?[ -](?:in|out|on|up)\b", re.IGNORECASE)
# the characters and the end of a path: two patterns, since a single one takes quadratic time
_PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)*")
_ENDING = re.compile(r"(?<=[\w.-])\.\w{1,8}\b")


@dataclass(frozen=True, slots=True)
class Match(Plain):
    """A module that matches a task.

    It has a score and the reasons: shared words, files and concerns, and `meaning` if that counted. Scores
    compare within one result only.
    """

    module: Module
    score: float = field(metadata=wire(digits=4))
    why: tuple[str, ...]


def match(module_map: ModuleMap, task: str, *, limit: int = 3, similar: Similar | None = None) -> list[Match]:
    """Returns the modules that match a task, best first; none without any evidence.

    Deterministic for the same map, task and cosines. `similar` compares the task with the description of each
    module; it only adjusts the word scores or, without any, decides alone.
    """
    modules = [item for item in module_map.modules.values() if (item.files or item.told) and not item.is_gone]
    task_words = _task_words(task)
    if not modules or not task_words:
        return []
    profiles, concerns = zip(*(_profile(module) for module in modules), strict=True)
    query = _TaskQuery(task_words, profiles, concerns)
    originals = _original_words(task)
    files = _named_files(task, modules)
    scored = [
        _scored(query, profile, own, files.get(module.name, []), originals)
        for module, profile, own in zip(modules, profiles, concerns, strict=True)
    ]
    if similar is not None:
        scored = _moved(scored, similar(task, [about(item) for item in modules]))
    top = max(score for score, _ in scored)
    matches = [
        Match(module, score, tuple(why))
        for module, (score, why) in zip(modules, scored, strict=True)
        if score > 0 and score >= LEAST * top
    ]
    return sorted(matches, key=lambda item: (-item.score, item.module.name))[:limit]


class _TaskQuery:
    """The words of a task with their weights, and its concerns with their shares; rare ones among the modules
    count more."""

    def __init__(
        self, words: Mapping[str, float], profiles: Sequence[Mapping[str, float]],
        concerns: Sequence[Mapping[str, float]],
    ) -> None:  # fmt: skip
        # a word in a module's name counts more than one in its description
        frequency: dict[str, float] = {}
        for profile in profiles:
            for word in words.keys() & profile.keys():
                frequency[word] = frequency.get(word, 0.0) + _saturated(profile[word]) / 2
        self.words = {
            word: share * _rarity(frequency[word], len(profiles))
            for word, share in words.items()
            if word in frequency
        }
        self.concerns: dict[str, float] = {}
        for word, share in words.items():
            for concern in concerns_of(word):
                self.concerns[concern] = max(self.concerns.get(concern, 0.0), share)
        counts = Counter(concern for own in concerns for concern in own)
        self.rarity = {concern: _rarity(counts[concern], len(profiles)) for concern in self.concerns}


def _scored(
    query: _TaskQuery, profile: Mapping[str, float], concerns: Mapping[str, float], files: Sequence[str],
    originals: Mapping[str, str],
) -> tuple[float, list[str]]:  # fmt: skip
    """Returns the score of a module, and the reasons: its files that the task names, shared words as the task
    has them, and a shared concern."""
    shared = {
        word: weight * _saturated(profile[word]) for word, weight in query.words.items() if word in profile
    }
    concern_scores = {
        concern: CONCERN * share * concerns[concern] * query.rarity[concern]
        for concern, share in query.concerns.items()
        if concern in concerns
    }
    score = sum(shared.values()) + max(concern_scores.values(), default=0.0) + FILE_NAMED * bool(files)
    best = sorted(shared, key=lambda word: (-shared[word], word))[:4]
    shared_concerns = sorted(concern_scores, key=lambda concern: (-concern_scores[concern], concern))[:1]
    words = dict.fromkeys(originals.get(word, word) for word in best)
    reasons = (f"concern {concern}" for concern in shared_concerns if concern not in best)
    return score, [*files[:3], *words, *reasons]


def _task_words(task: str) -> dict[str, float]:
    """Returns the words of a task with their weights."""
    words = dict.fromkeys(words_of(_SIGN_IN.sub("login", task)))
    telling = [word for word in words if word not in stop_stems()]
    empty = empty_words()
    return {word: FILLER_WEIGHT if word in empty else 1.0 for word in telling}


def _original_words(task: str) -> dict[str, str]:
    """Returns the words of a task as written, by their stems; the first of several."""
    by_stem: dict[str, str] = {}
    for word in _WORD.findall(task):
        for stem in words_of(word):
            by_stem.setdefault(stem, word)
    return by_stem


@lru_cache(maxsize=1_024)
def _profile(module: Module) -> tuple[Mapping[str, float], Mapping[str, float]]:
    """Returns the weight of each word for a module, and its concerns. Cached, since this dominates the time
    of a match."""
    profile: dict[str, float] = {}

    def note(entries: Iterable[str], weight: float) -> None:
        words = {word for entry in entries for word in words_of(entry)}
        for word in words.union(*map(other_forms, words)):
            profile[word] = profile.get(word, 0.0) + weight

    note([module.name], NAME)
    # folders and stems once each: thousands of files share a few hundred
    note({part for path in module.files for part in _stemmed(path)}, PATH)
    note(module.symbols, SYMBOL)
    note([module.description], TEXT)
    note([*module.keywords, *module.dependencies], WORD)
    return profile, _concerns(profile)


def _stemmed(path: str) -> list[str]:
    *folders, name = path.split("/")
    return [*folders, name.rpartition(".")[0] or name]


def _rarity(frequency: float, total: int) -> float:
    return math.log(1.0 + (total - frequency + 0.5) / (frequency + 0.5))


def _saturated(weight: float) -> float:
    return 2.0 * weight / (weight + ENOUGH)


def _concerns(profile: Mapping[str, float]) -> dict[str, float]:
    """Returns the concerns of a module, 0 to 1 by the weight of their words."""
    own: dict[str, float] = {}
    for word, weight in profile.items():
        for concern in concerns_of(word):
            own[concern] = max(own.get(concern, 0.0), min(1.0, weight / NAME))
    return own


def _named_files(task: str, modules: Sequence[Module]) -> dict[str, list[str]]:
    """Returns the files that a task names, by module: by the whole path, its end, or the file's name."""
    named: set[str] = set()
    for path_text in _PATH.findall(task.replace("\\", "/")):
        ends = [ending.end() for ending in _ENDING.finditer(path_text)]
        if ends:
            named.add(path_text[: ends[-1]].strip("./").lower())
    by_module: dict[str, list[str]] = {}
    for module in modules if named else ():
        for path in module.files:
            if not named.isdisjoint(_ends(path.lower())):
                by_module.setdefault(module.name, []).append(path)
    return by_module


def _ends(path: str) -> Iterator[str]:
    """Yields a path and its endings below each of its folders."""
    yield path
    while "/" in path:
        path = path.partition("/")[2]
        yield path


def about(module: Module) -> str:
    """Returns the description of a module for comparison by meaning."""
    stems = [path.rpartition("/")[2].partition(".")[0] for path in module.core_files[:12]]
    return f"{module.name}. {module.description} {' '.join(stems)} {' '.join(module.symbols[:12])}".strip()


def _moved(scored: list[tuple[float, list[str]]], cosines: Sequence[float]) -> list[tuple[float, list[str]]]:
    """Returns the scores with the bonus for meaning: how far a module is above the mean of all."""
    mean = sum(cosines) / len(cosines)
    top = max(score for score, _ in scored)
    adjusted = []
    for (score, why), cosine in zip(scored, cosines, strict=True):
        gain = MEANING * min(1.0, max(0.0, cosine - mean) / FAR) * (1.0 if score or not top else ALONE)
        adjusted.append((score + gain, [*why, "meaning"] if gain >= 0.5 else why))
    return adjusted
