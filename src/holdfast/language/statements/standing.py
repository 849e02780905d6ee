"""Contradictions of rules of a project: other tools, values or numbers for the same thing (S4.25)."""

from __future__ import annotations

import re
from functools import lru_cache

from holdfast.language.statements.changed import is_changed
from holdfast.language.statements.compare import Verdict, compare
from holdfast.language.statements.replaced import is_replaced, parts_of, uses
from holdfast.language.statements.rivals import OBJECTS
from holdfast.language.statements.words import words

TOOLS = words(
    """
    pytest unittest nose tox nox jest vitest mocha jasmine rspec junit black ruff yapf autopep8 isort flake8
    pylint prettier biome eslint standard tslint mypy pyright pyre npm pnpm yarn bun pip pipenv poetry uv pdm
    conda make just webpack vite parcel rollup esbuild axios fetch requests httpx docker podman tabs spaces
    """
)
"""Names of which a rule recommends one or forbids it."""
_DENIED = re.compile(
    r"(?i)\b(?:never|not|no|don'?t|do not|instead of|rather than|avoid|without|stop)\b"
    r"(?:\W+(?:use|using|run|running|call|the|a|any|to))*"
    r"\W+([\w-]+)(?:(?:,| or| and| nor)\s+([\w-]+))?"
)
_DENIED_AFTER = re.compile(r"(?i)([\w-]+) (?:is|are|was|must) (?:never|not|no longer)\b")
_MOVED = re.compile(
    r"(?i)\b(?:(?:moved|moving|switched|migrated|going|went|changed)(?: (?:back|over))?|back|are|on)"
    r" (?:to|on|zu|bei|auf) (?:the )?([\w-]+)"
    r"|\b(?:zurück zu|auf|wieder bei) ([\w-]+)"
)
"""News of what is used from now on: another tool beside it is that of before."""
_AGAINST = re.compile(
    r"(?i)(?:,\W*(?:and )?(?:not|no longer|nicht(?: mehr)?)"
    r"|\b(?:instead of|rather than|(?:an)?statt|anstelle von))\b"
    r"(?:\W+(?:in|on|with|by|mit|auf|use|using|the|a|an|der|die|das|den))*\W+([\w-]+(?:\.\w+)*)"
)
"""What a rule sets against what it wants: the other side of a contrast."""
_NEGATED = re.compile(r"(?i)\b(?:never|not|no|nie|nicht|keine?\w*|\w+n't)\b")
_WORD = re.compile(r"[\w-]+")
_NUMBER = re.compile(
    r"\b\d[\d.,_]*\b|\b(?:one|two|three|four|five|six|eight|ten|twelve|single|double)\b", re.IGNORECASE
)


@lru_cache(4_096)
def rules_contradict(old: str, new: str) -> bool:
    """Returns whether two rules of a project cannot both be followed: one forbids the tool that the other
    wants, they want two that exclude each other, one says that what the other uses was replaced, or they say
    the same with another number."""
    if compare(old, new).verdict is Verdict.CONTRADICTS:
        return True
    if is_replaced(old, new) or is_replaced(new, old) or _is_set_against(old, new) or is_changed(old, new):
        return True
    if not parts_of(new) <= {word.casefold() for word in _WORD.findall(old)}:
        return False
    wanted_old, denied_old = _tools_of_rule(old)
    wanted_new, denied_new = _tools_of_rule(new)
    if wanted_old & denied_new or wanted_new & denied_old:
        return True
    poles_old, poles_new = _poles(wanted_old), _poles(wanted_new)
    if any(poles_old[line].isdisjoint(poles_new[line]) for line in poles_old.keys() & poles_new.keys()):
        return True
    return _other_number(old, new)


def _is_set_against(old: str, new: str) -> bool:
    """Returns whether a rule says "X, not Y" about the same thing for which another has Y."""
    words = {word.casefold() for word in _WORD.findall(old)}
    for name in (name.casefold() for name in _AGAINST.findall(new)):
        if name not in words or len(name) < 2 or not parts_of(new) <= words:
            continue
        plain = _AGAINST.sub("", old)
        if _NEGATED.search(plain) or not re.search(rf"(?i)(?<![\w-]){re.escape(name)}(?![\w-])", plain):
            continue
        if uses(plain, name) or _topics(plain, name) & _topics(new, name):
            return True
    return False


def _topics(text: str, name: str) -> frozenset[str]:
    """Returns the beginnings of the words of a rule that say what it is about, without a name."""
    words = (word.casefold() for word in _WORD.findall(text))
    return frozenset(word[:6] for word in words if len(word) > 3 and word != name and word not in _SMALL)


def _tools_of_rule(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Returns the tools that a rule wants, and those that it forbids."""
    matches = [*_DENIED.findall(text), *((name,) for name in _DENIED_AFTER.findall(text))]
    denied = {name.casefold() for match in matches for name in match if name}
    named = {word.casefold() for word in _WORD.findall(text)} & (TOOLS | OBJECTS.keys())
    moved = {name.casefold() for match in _MOVED.findall(text) for name in match} & named
    if moved:
        denied |= named - moved
    return frozenset(named - denied), frozenset(named & denied)


def _poles(names: frozenset[str]) -> dict[int, set[int]]:
    """Returns which poles names have, by the number of the line of rivals; names in no line are left out."""
    lines: dict[int, set[int]] = {}
    for name in names & OBJECTS.keys():
        line, pole = OBJECTS[name]
        lines.setdefault(line, set()).add(pole)
    return lines


def _other_number(old: str, new: str) -> bool:
    """Returns whether two rules differ in a number alone, small words aside."""
    numbers = [frozenset(map(str.casefold, _NUMBER.findall(text))) for text in (old, new)]
    rests = [
        frozenset(map(str.casefold, _WORD.findall(_NUMBER.sub(" ", text)))) - _SMALL for text in (old, new)
    ]
    same = len(rests[0] & rests[1])
    return bool(
        numbers[0] and numbers[1] and numbers[0].isdisjoint(numbers[1]) and same >= MIN_SHARED
        and same >= SHARED * max(map(len, rests))
    )  # fmt: skip


MIN_SHARED, SHARED = 2, 0.66
"""Words, and share of the words, that two rules have in common which differ in a number."""
_SMALL = words("please always use the a an we in of to for is are be may must should with here only and")
