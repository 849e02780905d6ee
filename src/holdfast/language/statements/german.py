"""Recognises German sentences that say the same in another order or voice."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.language.statements.openings import GERMAN_FRONTS
from holdfast.language.statements.words import words

_CLAUSES = words("wenn weil falls sobald solange bevor nachdem obwohl da")
_MARKS = words(
    ". ? : ( ) – nur auch sogar nicht kein keine keinen erst dann und oder aber dass ob der, die, das,"
)
"""Words that make the place of a phrase significant."""
_OBLIQUE = words(
    "den dem einen einem keinen keinem jeden jedem meinen meinem unseren unserem ihren ihrem seinen seinem "
    "diesen diesem"
)
"""Words that open what is no subject."""
_ENDING = re.compile(r"(?<=\w{3})(?:e|en|er|es|em)$")
_DETERMINER = re.compile(r"(d)(?:er|ie|as|en|em|es)|((?:k|m|d|s)?ein|unser|ihr|jed|dies)(?:e|en|er|es|em)?")
_LONGEST = 7
"""Words of a subject."""
STRONG = {
    done: (now, past)
    for now, past, done in (
        line.split()
        for line in """
    liest las gelesen/gibt gab gegeben/nimmt nahm genommen/schreibt schrieb geschrieben/hält hielt gehalten
    spricht sprach gesprochen/trägt trug getragen/findet fand gefunden/sieht sah gesehen/trifft traf getroffen
    wirft warf geworfen/zieht zog gezogen/schließt schloss geschlossen/schneidet schnitt geschnitten
    bringt brachte gebracht/denkt dachte gedacht/kennt kannte gekannt/lässt ließ gelassen/leiht lieh geliehen
    bietet bot geboten/wäscht wusch gewaschen/fährt fuhr gefahren/holt holte geholt/hilft half geholfen
    fängt fing gefangen/schlägt schlug geschlagen/stellt stellte gestellt/vergisst vergaß vergessen
    gießt goss gegossen/misst maß gemessen/isst aß gegessen/trinkt trank getrunken/singt sang gesungen
    """.replace("\n", "/").split("/")
        if line.strip()
    )
}
"""Present and past of German verbs by their participle."""
_PREFIXES = (
    "ab",
    "an",
    "auf",
    "aus",
    "bei",
    "durch",
    "ein",
    "los",
    "mit",
    "nach",
    "vor",
    "weg",
    "weiter",
    "zu",
    "zurück",
    "zusammen",
    "um",
)


def german_rewordings(a: list[str], b: list[str]) -> bool:
    """Returns whether a phrase that is first in `a` is further back in `b`, or whether `a` is the passive
    voice of `b`."""
    return _phrase_moved(a, b) or _is_passive_of(a, b) or _caused(a, b) or b in [*_owned(a), *_forbidden(a)]


def _caused(a: list[str], b: list[str]) -> bool:
    """Returns whether the texts are "X, deshalb Y" and "Y, weil X", in which the verb of X goes last."""
    if "deshalb" not in a or b.count("weil") != 1 or "dass" in a:
        return False
    n = a.index("deshalb")
    if n < 3 or a[n - 1] not in (",", "."):
        return False
    cause, effect = a[: n - 1], a[n + 1 :]
    at = b.index("weil")
    if at == 0:
        end = b.index(",") if b.count(",") == 1 else 0
        subordinate, main = b[1:end], b[end + 1 :]
        same = main == effect
    else:
        subordinate, main = b[at + 1 :], [token for token in b[:at] if token != ","]
        same = any(_turned(effect, main, size) for size in range(1, _LONGEST))
    return same and any(
        subordinate == [*cause[:k], *cause[k + 1 :], cause[k]] for k in range(1, min(_LONGEST, len(cause)))
    )


def _owned(tokens: list[str]) -> Iterator[list[str]]:
    """Yields "Annas Bruder" for "der Bruder von Anna"."""
    for n in range(2, len(tokens) - 1):
        if tokens[n] == "von" and tokens[n - 2] in ("der", "die", "das") and tokens[n + 1][0].isupper():
            following = tokens[n + 2] if n + 2 < len(tokens) else ""
            if tokens[n - 1][0].isupper() and not following[:1].isupper():
                name = tokens[n + 1]
                yield [
                    *tokens[: n - 2],
                    name + ("'" if name[-1] in "sßxz" else "s"),
                    tokens[n - 1],
                    *tokens[n + 2 :],
                ]


def _forbidden(tokens: list[str]) -> Iterator[list[str]]:
    """Yields "Man darf hier nicht parken" for "Parken ist hier verboten"."""
    if len(tokens) > 2 and tokens[1] == "ist" and tokens[0].endswith("n"):
        verb = tokens[0].lower()
        for ending in (["verboten"], ["nicht", "erlaubt"], ["nicht", "gestattet"]):
            if tokens[-len(ending) :] == ending:
                rest = tokens[2 : -len(ending)]
                yield ["man", "darf", *rest, "nicht", verb]
                yield ["man", "darf", "nicht", *rest, verb]
                yield [*rest, "darf", "man", "nicht", verb]


def _phrase_moved(a: list[str], b: list[str]) -> bool:
    """Returns whether only a phrase has moved: "Mittwochs holt Oma die Zwillinge" and "Oma holt die Zwillinge
    mittwochs". The verb stays second, so the subject changes sides with the phrase."""
    if a[0] in ("Übrigens", "Uebrigens", "es"):
        return any(_turned(a[1:], b, size) for size in range(1, _LONGEST))
    if a[0] not in GERMAN_FRONTS or b[0] in _OBLIQUE:
        return False
    is_clause = a[0] in _CLAUSES
    if not _MARKS.isdisjoint(a[1:] if not is_clause else a[a.index(",") :] if "," in a else ["."]):
        return False
    ends = [a.index(",")] if "," in a else [] if is_clause else range(1, min(_LONGEST, len(a) - 2))
    if a.count(",") > 1 or b.count(",") > 1:
        return False
    for end in ends:
        rest = a[end + 1 :] if a[end] == "," else a[end:]
        for at in range(2, len(b) - end + 1):
            if b[at : at + end] == a[:end]:
                own = [token for token in (*b[:at], *b[at + end :]) if token != ","]
                if any(_turned(rest, own, size) for size in range(1, _LONGEST)):
                    return True
    return False


def _turned(a: list[str], b: list[str], size: int) -> bool:
    """Returns whether the verb precedes its subject of so many words in `a` and follows it in `b`."""
    return (
        len(a) == len(b) > size
        and b[size] == a[0]
        and b[:size] == a[1 : size + 1]
        and b[size + 1 :] == a[size + 1 :]
    )


def _is_passive_of(a: list[str], b: list[str]) -> bool:
    """Returns whether `a` is the passive voice of `b`, with the one who does it after "von", "vom" or
    "durch"; "wurde" may also stand for the perfect tense."""
    tense = {"wird": 0, "werden": 0, "wurde": 1, "wurden": 1}
    at = next((n for n, token in enumerate(a) if token in tense), 0)
    if not at or not _MARKS.isdisjoint(set(a) - {"und"}) or "," in a or b[0] in _OBLIQUE:
        return False
    agents = [n for n in range(at + 1, len(a) - 2) if a[n] in ("von", "vom", "durch")]
    thing, participle = a[:at], a[-1]
    for agent in agents:
        for end in range(agent + 2, len(a)):
            who = (["dem"] if a[agent] == "vom" else []) + a[agent + 1 : end]
            rest = [*a[at + 1 : agent], *a[end:-1]]
            if tense[a[at]] and any(
                same_with_endings([*who, have, *thing, *rest, participle], b) for have in ("hat", "haben")
            ):
                return True
            for verb, prefix in _verbs(participle, tense[a[at]]):
                made = [*who, verb, *thing, *rest, *prefix]
                if same_with_endings(made, b) or same_with_endings([*who, verb, *rest, *thing, *prefix], b):
                    return True
    return False


def _verbs(participle: str, tense: int) -> Iterator[tuple[str, list[str]]]:
    """Yields the forms of the active voice that a participle may have, with the prefix that goes last."""
    for prefix in ("", *_PREFIXES):
        stem = participle.removeprefix(prefix)
        if prefix and (stem == participle or not stem.startswith("ge")):
            continue
        last = [prefix] if prefix else []
        if stem in STRONG:
            yield STRONG[stem][tense], last
        elif stem.endswith("t"):
            base = stem[2:-1] if stem.startswith("ge") else stem[:-1]
            yield base + ("te" if tense else "t"), last


def same_with_endings(a: list[str], b: list[str]) -> bool:
    """Returns whether the words are the same but for the endings of articles and adjectives, which the case
    changes."""
    return len(a) == len(b) and all(x == y or _stem(x) == _stem(y) for x, y in zip(a, b, strict=True))


def _stem(token: str) -> str:
    if match := _DETERMINER.fullmatch(token):
        return match[1] or match[2]
    return _ENDING.sub("", token) if token.islower() else token
