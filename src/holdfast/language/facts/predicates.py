"""Turns what stands behind a topic into statements: a value, a list in running text, marks or lines."""

from __future__ import annotations

import re
from dataclasses import replace

from holdfast.core.facts import RANK_MAX, RANKED_MAX, SINGLE_MAX, Act, Statement
from holdfast.language.facts import edits, scope
from holdfast.language.facts.heads import Head
from holdfast.language.facts.lexicon import ORDINAL, rank_named
from holdfast.language.facts.lists import folded
from holdfast.language.facts.sequences import parted
from holdfast.language.facts.topics import Topic
from holdfast.language.facts.values import clean_value, items_of, lines_of, marked_values, marks

_NO_VALUE = re.compile(
    r"(?:not|no longer|never|no|none|nothing|anything|something|someone|everything|anyone|what"
    r"|which|who|why|how|when|where|whether|if|that|because"
    r"|changing|hard|tough|tricky|difficult|impossible|easy|the same|up to|one of|also|always"
    r"|unknown|undecided|in|on|at|about|like|with|without|under|near|for|by|from|to|of|than"
    r"|here|there|below"
    r"|above|as follows|the following|these|those|this|that|it|its|they|them|he|she|you|we|i"
    r"|i'm|me|a secret|my|your|his|her|our|their|yet|still|now|on sale|sold|missing|gone|great"
    r"|coming|closed|closing|open|opening|opened|broken|ruined|lost|dead|dying|empty|full"
    r"|expensive|cheap|free|available|unavailable|known|famous|popular"
    r"|over|back|ending|cancell?ed|good|better|best|bad|worse|boring|a mess|wrong|different"
    r"|stored|saved|listed|nice|amazing|awesome|fine|ok|okay|important|old|new|ready|due|late"
    r"|early|down|up|out|off|so|very|too|quite|really|pretty|more|less|rather|almost|just|only"
    r"|already|all|both|some|any|many|being|getting|going|playing|moving|based|made|called upon"
    r"|located"
    r"|ranked|the one|the ones|the reason|the fact|the best|the worst|between|either|a tie|tied"
    r"|a toss|probably (?:not|none)|hidden|private|personal|none of|subject to|likely"
    r"|heute|gestern|morgen|leider|geschlossen|nicht|kein(?:e[rsnm]?)?|nie|niemand|nichts|was|welche[rsnm]?"
    r"|wer|warum|wie|wo|wann|ob|dass|weil|schwer"
    r"|schwierig|gleich|dieselben?|in|im|am|an|auf|aus|bei|mit|ohne|von|vom|zu|zum|zur|für"
    r"|über|unter|hier|dort|da|diese[rsnm]?|jene[rsnm]?|das hier|folgende[rsn]?|es|er|sie|ich|du|wir|ihr"
    r"|mein(?:e[rsnm]?)?|dein(?:e[rsnm]?)?|geheim|weg|kaputt|geschlossen|zu|offen|teuer|billig"
    r"|gut|besser|schlecht"
    r"|langweilig|toll|super|schön|anders|unbekannt|ausverkauft|leer|voll|sehr|so|zu|ziemlich"
    r"|immer|schon|noch|bekannt|wichtig|alle|beide|einige|viele)(?![\w-])|n't\b",
)
"""Openings of a predicate that is no value."""
_ADVERB = re.compile(
    r"^(?:(?:now|still|definitely|probably|actually|currently|called|named|always|certainly"
    r"|undoubtedly|clearly|easily|hands down|by far|of course|obviously|without a doubt|no"
    r" doubt|right now|these days|at the moment|today|simply|just|only|jetzt|nun|nur"
    r" noch|nur|inzwischen|mittlerweile|immer noch|noch immer|eindeutig|definitiv|natürlich"
    r"|wohl|zurzeit|derzeit|aktuell|momentan|seit kurzem|schon immer|auf jeden fall|ganz klar"
    r"|klar|wahrscheinlich|the|die|der|das)(?:[,:]| +)\s*)+(?=\S)",
    re.IGNORECASE,
)
_ADVERB_ONLY = re.compile(_ADVERB.pattern.replace("|the|die|der|das)", ")"), re.IGNORECASE)
_STOPS = re.compile(
    r",? (?:because|since|though|although|but|while|whereas|so|for now|these days|right now|at"
    r" the moment|at present|if|unless|when|until|whereby|by the way|btw|by far|hands down|and"
    r" i|and it|and they|and that's|as well|anyway|of course|nowadays|lately|today"
    r"|weil|denn|obwohl|aber|während|wobei|sondern|zurzeit|derzeit|momentan|im moment|seit|bis"
    r"|falls|wenn|und ich|und das|und die mag|übrigens|jedenfalls|in dieser reihenfolge|in der"
    r" reihenfolge|in (?:that|this) order|respectively)(?![\w'-])"
    r"| [–—-] | ?\((?!\d)|;|:(?= )|, (?:and |so |und )?(?:it's|they're|they|it|i|i'm|i've|he"
    r"|she|you|ich|es|du|wir|we|mag ich) (?=\w)"
    r"|, (?:which|because|though|who|where|since|weil|obwohl|wobei|welche[rsnm]?|can you|could you"
    r"|what|kannst du|do you|but|aber|not|nicht|so|also wenn|thank\w*|danke)(?!\w)",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"[,;.–—-]\s*(?:but(?: rather)?|it's|it is|its|they're|they are|rather|instead|sondern|es"
    r" ist|es sind|stattdessen|vielmehr|now it's)\s+(?P<value>[^,;]+)",
    re.IGNORECASE,
)
ONE_OF = re.compile(
    r"\b(?:one of|some of|among(?:st)?|einer? meiner|eins meiner|eine[rs]? von|unter)\s*$", re.IGNORECASE
)
_ALSO = re.compile(
    r"\b(?:also|too|as well|include|includes|gehör(?:en|t)|zähl(?:en|t)|auch|ebenfalls|außerdem)\b",
    re.IGNORECASE,
)


def instead(head: Head, topic: Topic, region: str) -> list[Statement]:
    """Returns the value that is given in place of a denied one: "isn't teal, it's ochre"."""
    match = _INSTEAD.search(region)
    return [] if match is None else single(head, topic, match["value"])


def valued(
    head: Head, topic: Topic, verb: str, region: str, lines: list[str], before: str
) -> list[Statement]:
    """Returns the statements about a topic from what stands behind it."""
    adds = bool(ONE_OF.search(before) or _ALSO.search(verb))
    found = marks(region)
    pairs = marked_values("\n".join([region, *lines]), in_lines=False) if found else []
    opening = _NOUGHT.sub("", region[: found[0][1]]).strip(" (*_:,-–—[") if pairs else ""
    if pairs and len(opening) < 40 and not _has_value(opening):
        if scope.is_retracted(region[found[0][1] :]) or (len(pairs) == 1 and not _has_value(pairs[0][1])):
            return []
        return ranked(
            topic, pairs, only=bool(re.search(r"\b(?:only|nur(?: noch)?)\b", opening + verb, re.IGNORECASE))
        )
    if (lines and not region.strip(" :*_-–—.>").strip()) or (
        lines
        and re.fullmatch(
            r"\W*(?:as follows|the following|these|diese|folgende|the following ones|now"
            r"|currently|only|jetzt|in (?:that |this )?order|in order)?\W*",
            region,
            re.IGNORECASE,
        )
    ):
        return in_lines(head, topic, lines)
    if lines and head.bare:
        return []
    region = _ASIDE.sub("", region)
    value = cut(region)
    plural = (
        verb.split(" ")[-1]
        in (
            "are",
            "r",
            "sind",
            "gehören",
            "zählen",
            "stehen",
            "'re",
            "include",
            "lauten",
            "heißen",
            "includes",
        )
        or "have" in verb
    )
    if not verb:
        plural = (
            topic.category != topic.label.removeprefix("least ").removeprefix("favorite ")
            or len(items_of(value)) > 1
            or head.is_top
        )
        if head.rank is not None:
            plural = False
    if head.rank is not None or not plural:
        if head.is_one and re.match(r"(?:to|that|not|getting|making)\b", value.strip(), re.IGNORECASE):
            return []
        parts = parted(region.strip(), head.rank)
        if len(parts) > 1:
            return [s for rank, part in parts for s in single(replace(head, rank=rank), topic, part)]
        if adds:
            return listed(topic, items_of(value)[:1], anew=False)
        return single(head, topic, value)
    ordered = parted(region.strip(), 1)
    if len(ordered) > 1 and len(items_of(ordered[0][1])) == 1:
        values = [clean_value(_ADVERB_ONLY.sub("", cut(part)), RANKED_MAX) for _, part in ordered]
        return ranked(topic, [(rank, v) for rank, v in enumerate(values, 1) if _has_value(v)])
    value = _ADVERB_ONLY.sub("", value.strip(" :*_"))
    moved = edits.corrected(value)
    values = items_of(moved or value)
    told = [_TOLD_RANK.fullmatch(item) for item in values]
    if len(values) > 1 and all(told):
        pairs = [(rank_named(match["rank"]) or 0, match["value"]) for match in told if match]
        return ranked(topic, [pair for pair in pairs if pair[0] > 0])
    if len(values) == 1 and verb and not _is_name(values[0]):
        return []
    return listed(topic, values, anew=not adds)


_ASIDE = re.compile(r"\s*\([^()]{1,80}\)(?=\s*(?:[,;]|(?:and|und)\b))")
_NOUGHT = re.compile(r"^\W*0[).:].*")


_TOLD_RANK = re.compile(
    (
        rf"(?P<value>.+?) (?:is |comes |ist |kommt )?(?:in |at |on |an |auf )?(?P<rank>{ORDINAL})(?:"
        r" place| stelle)?"
    ),
    re.IGNORECASE,
)


def _has_value(text: str) -> bool:
    """Checks whether a text may be a value. A predicate in lower case is none, while "Lost" may be a name."""
    plain = text.strip()
    none = _NO_VALUE if plain[:1].islower() else _NOTHING
    return bool(re.search(r"\w", plain)) and not none.match(plain)


_NOTHING = re.compile(
    r"(?:not|none|nothing|no|what|which|who|why|how|it|that|these|those|this|they|you|my|nicht"
    r"|kein(?:e[rsnm]?)?|nichts|was|wer|welche[rsnm]?|dass|das hier|diese[rsnm]?|mein(?:e[rsnm]?)?)(?![\w-])",
    re.IGNORECASE,
)


def _is_name(value: str) -> bool:
    """Checks whether a single value behind a plural is surely one: it is quoted, a name or has a number."""
    return value[:1].isupper() or any(c.isdigit() for c in value) or value.startswith("Hq0")


def cut(region: str) -> str:
    """Returns a region of values up to where something else is said."""
    value = region.strip(" :=*_→")
    value = re.sub(r"^[-–—>]+\s+", "", value)
    value = _first_clause(value)
    return value.rstrip(" .!,;")


def _first_clause(value: str) -> str:
    stop = _STOPS.search(value)
    while stop is not None and stop.start() == 0:
        stop = _STOPS.search(value, stop.end())
    value = value if stop is None else value[: stop.start()]
    return re.sub(
        r"[,;]?\s*(?:and|but|und|aber|while|whereas|während|wobei|&)\s*$", "", value, flags=re.IGNORECASE
    )


def single(head: Head, topic: Topic, text: str) -> list[Statement]:
    value = clean_value(_ADVERB_ONLY.sub("", cut(text)), SINGLE_MAX if head.rank is None else RANKED_MAX)
    value = re.sub(
        r",? (?:too|as well|instead|now|again|anymore|actually|though|auch|jetzt|stattdessen|nun|geworden)$",
        "",
        value,
        flags=re.IGNORECASE,
    )
    if (
        not _has_value(value)
        or scope.is_tagged(value)
        or (re.fullmatch(r"\w+ing [a-z ]+", value) and not head.rank and value.split()[0].lower() in _GOING)
    ):
        return []
    if head.rank is None:
        return [Statement(topic.key, Act.SINGLE, value)]
    if 1 <= head.rank <= RANK_MAX:
        return [Statement(topic.key, Act.PLACE, value, head.rank)]
    return []


_GOING = frozenset(
    "closing opening playing moving going coming getting becoming changing ending leaving"
    " making doing having".split()
)


def ranked(topic: Topic, pairs: list[tuple[int, str]], *, only: bool = False) -> list[Statement]:
    """Returns statements of a whole list if its ranks are 1 to n, else of single ranks; each value once."""
    once: dict[str, tuple[int, str]] = {}
    for rank, value in sorted(pairs):
        once.setdefault(folded(value), (rank, value))
    whole = (len(pairs) > 1 or only) and sorted(rank for rank, _ in pairs) == list(range(1, len(pairs) + 1))
    if whole:
        return [
            Statement(topic.key, Act.LIST, value, rank) for rank, (_, value) in enumerate(once.values(), 1)
        ]
    return [Statement(topic.key, Act.SET, value, rank) for rank, value in once.values()]


def listed(topic: Topic, values: list[str], *, anew: bool) -> list[Statement]:
    """Returns statements of values without ranks: in place of what was there, or behind it."""
    values = [value for value in values if _has_value(value)]
    if not values:
        return []
    added = [Statement(topic.key, Act.ADD, value) for value in values]
    return [Statement(topic.key, Act.CLEAR), *added] if anew else added


def in_lines(head: Head, topic: Topic, lines: list[str]) -> list[Statement]:
    """Returns statements of a list with one item in each line."""
    if len(lines) == 1 and len(pairs := marked_values(lines[0], in_lines=False)) > 1:
        return ranked(topic, pairs)
    items = list(lines_of(lines))
    marked = [(rank, value) for rank, value in items if rank is not None]
    if marked:
        first: dict[int, str] = {}
        for rank, value in marked:
            first.setdefault(rank, value)
        return ranked(topic, list(first.items()))
    if head.rank is not None and len(items) == 1:
        return single(head, topic, items[0][1])
    return (
        ranked(topic, [(rank, value) for rank, (_, value) in enumerate(items, 1)])
        if len(items) > 1
        else listed(topic, [value for _, value in items], anew=True)
    )
