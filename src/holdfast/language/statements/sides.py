"""Rewrites English sentences from the other side: who sells and who buys, what is where, two for one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from holdfast.language.statements.openings import FRONTS
from holdfast.language.statements.verbs import CONVERSE, GIVING, SIDES, verb_forms
from holdfast.language.statements.words import words

_BLOCKED = words("not never no nobody only , . : ? that who which because if when and or but")
"""Words with which a sentence is not rewritten: what they cover could change."""
_PLACES = words("in on at under behind beside above below")
_CONVERSE_FORMS = {
    form: (how, n, there, back)
    for verb, there, other, back in CONVERSE
    for n, form in enumerate(verb_forms(verb))
    for how in [verb_forms(other)]
}
_SIDE_FORMS = {
    form: (verb_forms(other), n, link)
    for verb, other, link in SIDES
    for n, form in enumerate(verb_forms(verb))
}
_GIVING_FORMS = {form for verb in GIVING for form in verb_forms(verb)}
_ORDERED = words(
    "order first then sequence sequences steps step stages phases priority rank ranked sorted by from"
)
"""Words with which the order of a list counts."""
_BEING = words("is was has had have")
_REFERRING = words("it its they their he she his her this that these those then so but also")
"""Words that take up what was said in the sentence before."""


def other_sides(tokens: list[str]) -> Iterator[list[str]]:
    """Yields sentences that say the same as one, seen from another side."""
    yield from _forbidden(tokens)
    if tokens.count(":") == 1 and tokens[0] != ":":  # a list that follows stays where it is
        at = tokens.index(":")
        yield from ([*made, *tokens[at:]] for made in other_sides(tokens[:at]))
    if _BLOCKED.isdisjoint(tokens):
        yield from _converse(tokens)
        yield from _owned(tokens)
        yield from _placed(tokens)
        for made in _equated(tokens):
            yield made
            yield from _owned(made)


def _ends(tokens: list[str], start: int) -> Iterator[int]:
    """Yields the positions at which a phrase that begins somewhere may end, the furthest first."""
    yield len(tokens)
    for n in range(min(len(tokens) - 1, start + 8), start, -1):
        if tokens[n] in FRONTS:
            yield n


def _converse(tokens: list[str]) -> Iterator[list[str]]:
    """Yields "Anton bought the boat from Vera" for "Vera sold the boat to Anton", and "sent Ada the key" for
    "sent the key to Ada"."""
    for n, token in enumerate(tokens[1:], 1):
        if token in _SIDE_FORMS:
            forms, form, link = _SIDE_FORMS[token]
            for end in _ends(tokens, n + 2):
                for verb in _agreeing(forms, form):
                    yield [*tokens[n + 1 : end], verb, *link, *tokens[:n], *tokens[end:]]
        if token not in _GIVING_FORMS or "to" not in tokens[n + 2 :]:
            continue
        to = tokens.index("to", n + 2)
        thing = tokens[n + 1 : to]
        for end in _ends(tokens, to + 2):
            other = tokens[to + 1 : end]
            if other:
                yield [*tokens[: n + 1], *other, *thing, *tokens[end:]]
                if token in _CONVERSE_FORMS:
                    forms, form, _, back = _CONVERSE_FORMS[token]
                    for verb in _agreeing(forms, form):
                        yield [*other, verb, *thing, back, *tokens[:n], *tokens[end:]]
        return


def _agreeing(forms: tuple[str, ...], form: int) -> tuple[str, ...]:
    """Returns the form of a verb in the same tense, for one and for several."""
    return forms[:2] if form < 2 else (forms[form],)


def _owned(tokens: list[str]) -> Iterator[list[str]]:
    """Yields "Ferris 's birthday" for "the birthday of Ferris"."""
    for n, token in enumerate(tokens):
        if token == "of" and n > 1:
            for start in (n - 2, n - 3):
                if start >= 0 and tokens[start] == "the":
                    for end in range(n + 2, min(n + 5, len(tokens)) + 1):
                        owner = tokens[n + 1 : end]
                        yield [*tokens[:start], *owner, "'s", *tokens[start + 1 : n], *tokens[end:]]
    if tokens[-1] == "'s" and tokens.count("is") == 1:
        n = tokens.index("is")
        yield [*tokens[:n], "belongs", "to", *tokens[n + 1 : -1]]


def _placed(tokens: list[str]) -> Iterator[list[str]]:
    """Yields "The house has 3 rooms" for "There are 3 rooms in the house", "The key is in the box" for "In
    the box is the key", "You can find the key in the box" and "The box contains the key"."""
    if tokens[0] == "there" and tokens[1:2] in (["is"], ["was"]):
        for n in range(3, len(tokens) - 1):
            if tokens[n] in ("in", "on", "at"):
                yield [*tokens[n + 1 :], "have" if tokens[1] == "is" else "had", *tokens[2:n]]
    verbs = [n for n, token in enumerate(tokens) if token in ("is", "was")]
    if tokens[0] in _PLACES and len(verbs) == 1 and 1 < verbs[0] < len(tokens) - 1:
        n = verbs[0]
        yield [*tokens[n + 1 :], tokens[n], *tokens[:n]]
    if tokens[:3] == ["you", "can", "find"] or tokens[:2] == ["you", "find"]:
        start = tokens.index("find") + 1
        for n in range(start + 1, len(tokens) - 1):
            if tokens[n] in _PLACES:
                yield [*tokens[start:n], "is", *tokens[n:]]
    if "contains" in tokens[1:-1]:
        n = tokens.index("contains")
        yield [*tokens[n + 1 :], "is", "in", *tokens[:n]]
        yield ["there", "is", *tokens[n + 1 :], "in", *tokens[:n]]
    if tokens[0] in _PLACES and "there" in tokens[2:-2]:
        n = tokens.index("there")
        yield [*tokens[n:], *tokens[:n]]


def _equated(tokens: list[str]) -> Iterator[list[str]]:
    """Yields "The lead is Ada" for "Ada is the lead": one is a name, the other the only one of a sort."""
    verbs = [n for n, token in enumerate(tokens) if token in ("is", "was")]
    if len(verbs) == 1 and 0 < verbs[0] < len(tokens) - 1:
        n = verbs[0]
        left, right = tokens[:n], tokens[n + 1 :]
        named = [all(token[0].isupper() for token in part) for part in (left, right)]
        if named.count(True) == 1 and (right if named[0] else left)[0] == "the":
            yield [*right, tokens[n], *left]


def _forbidden(tokens: list[str]) -> Iterator[list[str]]:
    """Yields "Nobody may smoke here" for "Smoking is forbidden here"."""
    gerund = tokens[0].lower()
    if not gerund.endswith("ing") or len(gerund) < 6:
        return
    for size, phrase in ((2, ["is", "forbidden"]), (3, ["is", "not", "allowed"])):
        for n in range(1, len(tokens) - size + 1):
            if tokens[n : n + size] == phrase:
                stem, rest = gerund[:-3], [*tokens[1:n], *tokens[n + size :]]
                yield ["no", gerund, *rest]
                for verb in (stem, stem + "e", stem[:-1]):
                    yield ["nobody", "may", verb, *rest]
                    yield ["you", "must", "not", verb, *rest]
                    yield ["it", "is", "forbidden", "to", verb, *rest]
                return


# lists and sentences


def in_order(tokens: list[str]) -> list[str]:
    """Returns a sentence with its counted list in the order of the alphabet: "has 3 indexes: batch and
    shelf"."""
    if tokens.count(":") != 1 or not _ORDERED.isdisjoint(tokens):
        return tokens
    at = tokens.index(":")
    items: list[list[str]] = [[]]
    for token in tokens[at + 1 :]:
        if token in (",", "and"):
            if items[-1]:
                items.append([])
        else:
            items[-1].append(token)
    if str(len(items)) not in tokens[:at] or not all(0 < len(item) < 4 for item in items):
        return tokens
    return [*tokens[: at + 1], *(token for item in sorted(items) for token in (*item, ","))][:-1]


def sentences_agree(a: list[str], b: list[str]) -> bool:
    """Returns whether several sentences of `a` are those of `b` in another order, or one sentence of it: "The
    room has a board. It has no windows.", "The room has no windows and has a board."."""
    parts = _sentences(a)
    if len(parts) < 2 or len(parts) > 4 or "?" in a:
        return False
    others = _sentences(b)
    if len(others) == len(parts):
        loose = all(_REFERRING.isdisjoint(part) for part in parts)
        return loose and sorted(parts) == sorted(others)
    if len(others) != 1:
        return False
    joined = [token for n, part in enumerate(parts) for token in (*(["and"] if n else []), *part)]
    if joined == [token for token in b if token != ","] and "or" not in b:
        return True
    first = parts[0]
    size = next((n for n, token in enumerate(first) if token in _BEING), 0)
    if not 0 < size < 7 or b[:size] != first[:size]:
        return False
    predicates = [first[size:]]
    for part in parts[1:]:
        if part[0] not in ("it", "they", "he", "she"):
            return False
        predicates.append(part[1:])
    rest = [token for token in b[size:] if token != ","]
    return any(
        rest
        == [
            token
            for n, side in enumerate(order)
            for token in (*(["and"] if n == len(order) - 1 else []), *side)
        ]
        for order in permutations(predicates)
    )


def _sentences(tokens: list[str]) -> list[list[str]]:
    """Returns the sentences of a text, each as it would be written alone."""
    sentences: list[list[str]] = [[]]
    for token in tokens:
        if token == ".":
            sentences.append([])
        else:
            sentences[-1].append(token)
    return [sentence for sentence in sentences if sentence]
