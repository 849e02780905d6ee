"""Reads the parts of a sentence that changes a list as operations. A form is a row of letters (`changes`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from holdfast.core.facts import RANKED_MAX, Act, Statement
from holdfast.language.facts.change_words import PRONOUNS
from holdfast.language.facts.changes import Change
from holdfast.language.facts.lists import position_named
from holdfast.language.facts.values import clean_value

NEW_MAX = 5
"""Words of a name that is new."""


def read(change: Change, topic: str) -> list[Statement] | None:
    """Returns what a sentence makes of the list; None if it is not understood as a whole."""
    parts = list(_resolved(zip(change.letters, change.names, strict=True)))
    remaining = [
        part
        for part, following in zip(parts, [*change.letters[1:], ""], strict=True)
        if part[0] != "L"
        and not (part[0] == "W" and (following == "L" or not {"P", "S"} & set(change.letters)))
    ]
    letters = "".join(letter for letter, _ in remaining)
    names = [name for _, name in remaining]
    return _read(letters, names, topic, is_named="L" in change.letters)


def _resolved(parts: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yields the parts, with "it" replaced by the value that was named before."""
    last: tuple[str, str] | None = None
    for letter, name in parts:
        last = (letter, name) if letter in "VN" else last
        yield last if letter == "J" and last is not None else (letter, name)


def _read(letters: str, names: list[str], topic: str, *, is_named: bool) -> list[Statement] | None:
    """Returns the statements of a change whose words are classified by letters, None if no form fits."""
    trimmed = letters.strip("&")
    offset = len(letters) - len(letters.lstrip("&"))
    names = names[offset : offset + len(trimmed)]
    if all(_is_new(names[i]) for i, letter in enumerate(trimmed) if letter == "N"):
        for pattern, act in _FORMS:
            match = pattern.fullmatch(trimmed)
            if match is None or (act is Act.CLEAR and not is_named):
                continue
            parts = {
                key.rstrip("12"): names[match.start(key)] for key, part in match.groupdict().items() if part
            }
            built = list(_built(act, topic, parts, list(dict.fromkeys(filter(None, names)))))
            if built:
                return built
    for cut in (match.start() for match in re.finditer("&", trimmed)):
        first = _read(trimmed[:cut], names[:cut], topic, is_named=is_named)
        rest = _read(trimmed[cut + 1 :], names[cut + 1 :], topic, is_named=is_named) if first else None
        if first and rest:
            return list(dict.fromkeys([*first, *rest]))
    return None


def _is_new(name: str) -> bool:
    words = name.split()
    return (0 < len(words) <= NEW_MAX or name[:1] == '"') and not any(
        word.lower() in PRONOUNS for word in words
    )


def _built(act: Act, topic: str, parts: dict[str, str], names: list[str]) -> Iterator[Statement]:
    """Yields the statements of an operation on what the parts of its form name."""
    named = {
        key: name if position_named(name) else clean_value(name, RANKED_MAX) for key, name in parts.items()
    }
    if act is Act.CLEAR:
        yield Statement(topic, act)
    elif act is Act.REMOVE:  # from the end, so that no rank shifts before it is removed
        for name in sorted(names, key=lambda name: -max(position_named(name) or 0, 0)):
            yield Statement(topic, act, name)
    elif act is Act.LIST:  # A first, then B, then C
        values = [name for name in names if position_named(name) is None]
        if names[1] == "#1" and len(values) == len(names) - 1:
            for rank, value in enumerate(values, 1):
                yield Statement(topic, Act.PLACE, value, rank)
    elif act is Act.ADD and not any(map(position_named, names)):
        for name in names:
            yield Statement(topic, act, clean_value(name, RANKED_MAX))
    elif act is Act.PLACE:
        place = position_named(named.get("to", "#1"))
        if place is not None:
            yield Statement(topic, act, named["a"], place)
    elif act is Act.REPLACE:
        if "old" in named or position_named(named["at"]) is not None:
            yield Statement(topic, act, named["new"], None, named.get("old") or named["at"])
    elif act is not Act.ADD:
        yield Statement(topic, Act.BEFORE if "before" in named else act, named["a"], None, named["b"])


_FORMS = [
    (re.compile(pattern), act)
    for pattern, act in (
        (r"S(?P<a>V)[&W]?(?P<b>V)S?", Act.SWAP),
        (r"(?P<a>V)&(?P<b>V)M?S", Act.SWAP),
        (r"[XT]+V(?:&*V)*X*", Act.REMOVE),
        (r"V(?:&*V)*M?[XT]+", Act.REMOVE),
        (r"!VG|V!G|!GV", Act.REMOVE),
        (r"X+[&EJ]*|[EJ]+&?X+|X+[EJ]*X*", Act.CLEAR),
        (r"![JE]*G[JEM]*", Act.CLEAR),
        (r"(?=.*[MATa])[MATa]*(?P<a>[VN])[MATa]*&?(?P<to>D)[Aa]*", Act.PLACE),
        (r"(?P<a>V)(?P<to>D)|(?P<to1>D)[MAa]+(?P<a1>[VN])[Aa]*|Aa*(?P<a2>n)(?P<to2>D)", Act.PLACE),
        (r"[MT](?P<a>V)(?P<to>V)|(?P<a1>V)M+(?P<to1>V)", Act.PLACE),
        (r"[MA]*(?P<a>V)M*BE+", Act.PLACE),
        (r"[MAa]*(?P<a>[VN])M*(?:(?P<before>B)|F)(?P<b>V)[MAa]*|(?P<a1>V)(?P<b1>V)(?P<before1>B)", Act.AFTER),
        (r"[MA]+(?:(?P<before>B)|F)(?P<b>V)a*(?P<a>[VN])[Aa]*", Act.AFTER),
        (r"[MA]*(?P<a>[VN])M*=(?P<b>V)&V", Act.AFTER),
        (r"VV(?:&+V)+", Act.LIST),
        (r"P(?P<old>V)W(?P<new>[NV])P?W?", Act.REPLACE),
        (r"S(?P<old>V)W(?P<new>N)|(?P<old1>V)W(?P<new1>[NV])P", Act.REPLACE),
        (r"(?P<old>V)P(?P<new>N)|(?P<new1>N)P(?P<old1>V)", Act.REPLACE),
        (r"(?P<a>N)M+(?P<to>V)", Act.PLACE),
        (r"[PMATJ]*(?P<new>N)I(?P<old>V)", Act.REPLACE),
        (r"[AMPT]*I(?P<old>V)&?[AMPTIa]*(?P<new>N)[Aa]*", Act.REPLACE),
        (r"[XT]+(?P<old>V)X?&M+J?(?P<new>N)[Aa]*W?V?", Act.REPLACE),
        (r"(?P<old>V)X+&?(?P<new>N)[AW]+", Act.REPLACE),
        (r"!(?P<old>V)(?:&+[PIMA]*|[PIMA]+)(?P<new>N)", Act.REPLACE),
        (r"P(?P<new>N)&*!(?P<old>V)", Act.REPLACE),
        (r"(?P<at>V)M+(?P<new>N)(?:IV)?", Act.REPLACE),
        (r"(?=.*A)[AaT]+[NV](?:&+[NV])*[AaW]*|N(?:&+N)*&*M?[Aa]+", Act.ADD),
    )
]
"""The forms of each operation. Groups name its parts: `a` a value, `b` the one beside it, `to` a place."""
