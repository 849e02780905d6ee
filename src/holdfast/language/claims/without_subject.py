"""Claims of clauses without a subject: "Moved to Leeds last year. Two kids."."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.core.claims import Claim
from holdfast.language.claims import english as en
from holdfast.language.claims.attributes import FUTURE, TIME
from holdfast.language.claims.values import (
    END_WORDS,
    WORD,
    VerbPhrase,
    claim_at,
    cut,
    end_of,
    forms,
    trimmed_end,
)
from holdfast.language.claims.verb_phrases import phrase, planned

_DROPPED = re.compile(
    r"(?:^|[.;:!?(\n–—]|\s-|,)\s*(?:(?:and|but|so|also|well|yeah|yes|no|yep|nope|ok|hi|hey|hello|oh|btw|by the way|fyi|plus|then|background|context|about me|tbh|sure|anyway|ah|update|me|quick update|news|und|aber|also|ja|nein|hallo|hi|moin|ach|übrigens|ps|nur zur info|kurz zu mir|zu mir|ich)[,:!]* )*"
    r"(?P<verb>(?:(?:just|recently|finally|still|currently|now|originally|also|actually|only|already|never|always|usually|mostly|officially|only just) )*"
    r"(?:live|lived|living|work(?= (?:at|as|in|for|from|nights|part|full|shifts))|worked|working(?= (?:at|as|in|for|from|nights|part|full))|moved|moving|grew(?= up)|been|got|gotten|have(?= (?:two|three|a|an|no|four|one|been|to live|adhd|asthma|diabetes|celiac))|had(?= (?:a|an|two|my|to))|used(?= to)|don't(?= (?:eat|drink|smoke|like|have|own|drive|speak|do|really|even|work|live|want))|can't(?= (?:stand|eat|swim|drive|drink|cook|stomach|ride|sing|dance|have|bear))|no(?= longer)|hate|love(?!ly)|enjoy|prefer|speak|studied|studying|started|quit|stopped|gave(?= up)|bought|sold|broke|lost(?= my)|turned|turning|adopted|became|joined|retired|switched|graduated|finished|passed(?= my)|married(?= (?!with|for|and|,))|drive(?= (?:a|an|my))|own(?= (?:a|an|two|my))|play(?= (?:the|in|football|tennis|guitar|piano|chess|bass|drums|violin))|learning|learnt|taking|training|expecting|planning(?= to)|hoping(?= to)|thinking(?= of moving)|suffer(?= from)|allergic|vegetarian|vegan|diabetic|divorced|widowed|single(?= (?:mum|mom|dad|mother|father|parent))|left-handed|self-employed|lactose|terrified|scared(?= of)|born|based(?= in)|pregnant|coeliac|celiac|asthmatic|dyslexic|colou?r-?blind|teetotal|going(?= to)|flying|collect|volunteer|sleep(?= (?:badly|poorly|terribly))|swim|run(?= (?:every|\d|twice|three))|cycle(?= (?:to|every))|knit|identify(?= as)|raised(?= in)))\b",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"(?:^|[.;:!?(\n–—,]|\s-|\b(?:and|with|und|mit))\s*(?P<v>(?:no|two|three|four|five|one|a couple of|\d|keine?n?|zwei|drei|vier|fünf|eine?n?) (?:(?:little|small|young|old|grown|teenage|rescue|black|kleine|erwachsene|alte|große) )*(?:(?P<child>kids?|children|sons?|daughters?|girls|boys|kinder?|töchter|söhne|sohn|tochter|jungs|mädchen)|(?P<pet>cats?|dogs?|kittens|rabbits|hens|chickens|horses|katzen?|hunde?|kater|kaninchen|hühner|pferde?)|(?P<sibling>brothers?|sisters?|siblings|geschwister|brüder|schwestern|bruder|schwester)))(?= (?:at home|here|in the house|zu hause|daheim|myself|now|too|and|und|aged|im alter)\b|[,.;!?()–—]|\s-|$)",
    re.IGNORECASE,
)
_NOT_DROPPED = re.compile(
    r"\b(?:he|she|they|it|you|er|sie|who|which|friend|colleague|neighbour|neighbor|boss|people)\b[^,.;]{0,30}$",
    re.IGNORECASE,
)
_TRAILING_SELF = frozenset(
    "allergic vegetarian vegan diabetic divorced widowed single left-handed self-employed lactose terrified scared born based pregnant coeliac celiac asthmatic dyslexic teetotal married retired going flying planning hoping moving turning raised".split()
)
_SELF_BEFORE = re.compile(r"\b(?:i|i'm|i've|we|we're|we've|me|my|our)\b", re.IGNORECASE)


def without_subject(text: str) -> Iterator[Claim]:
    """Yields what clauses without a subject say: "Moved to Leeds last year. Two kids, no car."."""
    for match in _DROPPED.finditer(text):
        start = match.start("verb")
        if _NOT_DROPPED.search(text[: match.start()]) or (
            match[0][:1] == ","
            and not _SELF_BEFORE.search(text[: match.start()] or "")
            and not _DROPPED.match(text)
        ):
            continue
        if text.rstrip().endswith("?"):
            continue
        end = end_of(text, match.end())
        words = list(WORD.finditer(text, start, end))
        if not words:
            continue
        last = match["verb"].split()[-1].lower()
        state = VerbPhrase()
        form = forms().get(last)
        if last.replace("colour", "color") in _TRAILING_SELF or last in ("color-blind", "colorblind"):
            if last in ("going", "planning", "hoping", "flying", "moving", "turning") and not FUTURE.search(
                text[start:end]
            ):
                continue
            if last in ("going", "planning", "hoping", "flying", "moving"):
                pattern = re.compile(r"(?:going|planning|hoping) to |(?=flying|moving)", re.IGNORECASE)
                yield from planned(text, start, pattern, start, end, state)
            elif last == "retired" or last == "married":
                yield from _as_be(text, start, end, state)
            else:
                yield from _as_be(text, start, end, state)
            continue
        if form is not None and form[1] == "ing":
            state.going = True
        yield from phrase(text, start, words, 0, end, state)
    for match in _BARE.finditer(text):
        kind = next(name for name in ("child", "pet", "sibling") if match[name])
        value = match["v"]
        positive = not re.match(r"(?:no|kein)", value, re.IGNORECASE)
        yield claim_at(kind, value, match.start("v"), match.end("v"), positive=positive, certainty=0.7)


def _as_be(text: str, start: int, end: int, state: VerbPhrase) -> Iterator[Claim]:
    tail = text[start:end]
    since = next((m["since"] or m["when"] for m in TIME.finditer(tail) if m["since"] or m["when"]), None)
    bare = END_WORDS.sub("", TIME.sub("", tail)).strip(" ,")
    bare = re.sub(
        r"^(?:(?:just|recently|finally|still|currently|now|originally|also|actually|only|already|officially) )+",
        "",
        bare,
        flags=re.IGNORECASE,
    )
    del state
    for one in en.BE:
        match = one.tail.fullmatch(bare)
        if match is not None and (value := cut(match["v"])):
            yield claim_at(
                one.attribute, value, start, trimmed_end(text, start, end), positive=one.positive, since=since
            )
            return
