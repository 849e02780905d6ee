"""Reads edits of lists that are told: put first, move, swap, replace, rename, change, remove, add, clear."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from holdfast.core.facts import IF_KNOWN, LAST, RANKED_MAX, Act, Statement
from holdfast.core.text import byte_pattern
from holdfast.language.facts.edit_patterns import (
    BESIDE,
    DENIED,
    FROM,
    IMPERATIVES,
    INFINITIVE,
    INNER,
    LEAD,
    MANY,
    NTH,
    OFF,
    OTHER,
    OUTER,
    PUT,
    REMOVE,
    SOFT,
    STATED,
    TAIL,
    TARGET,
    TO,
    TRIGGER,
    VALUE,
    rewritten,
    whole,
)
from holdfast.language.facts.edit_targets import (
    NAME,
    PLACE,
    is_value,
    key_of,
    rank_of,
    reference_of,
    without_article,
)
from holdfast.language.facts.heads import heads_in, topic_named
from holdfast.language.facts.lexicon import END, ORDINAL, POSITION, rank_named
from holdfast.language.facts.topics import Topics
from holdfast.language.facts.values import clean_value, items_of

TEXT_MAX = 400
"""Characters; a longer text is no edit without the words of a topic."""


def may_edit(low: str) -> bool:
    """Checks whether a text in lower case may be an edit."""
    data = low.encode("utf-8", "surrogatepass")  # for RE2, which takes a tenth of the time
    if byte_pattern(TRIGGER.pattern).search(data) or byte_pattern(STATED.pattern).search(data):
        return True
    return INFINITIVE.match(low.rstrip(" .!")) is not None


def edits_in(text: str, topics: Topics) -> list[Statement] | None:
    """Returns the statements of a sentence that edits a list; None if it is no edit."""
    if len(text) > TEXT_MAX:
        return None
    lead = LEAD.match(text)
    plain = text[lead.end() if lead else 0 :]
    if _ELSEWHERE.match(plain):
        return None
    polite = bool(re.search(r"\b(?:you|du)\b", text[: lead.end() if lead else 0], re.IGNORECASE))
    if (plain.rstrip().endswith("?") and not polite) or DENIED.search(plain):
        return None
    moved = OUTER.match(plain)
    if moved is not None:
        plain = f"{moved['rest'].rstrip(' .!')} {moved['target']}"
    plain = SOFT.sub("", plain[: TAIL.search(plain).start()])  # type: ignore[union-attr]
    last = INFINITIVE.fullmatch(plain)
    if last is not None and not TRIGGER.match(plain.lower()):
        verb = last["verb"].lower()
        rest = re.sub(
            r"^(?:du kannst|du darfst|du sollst) | (?:kannst|könntest|darfst|sollst) du$",
            "",
            last["rest"],
            flags=re.IGNORECASE,
        )
        plain = f"{IMPERATIVES.get(verb, verb.removesuffix('n'))} {rest} {last['prefix'] or ''}".strip()
    plain = rewritten(plain)
    ordered = _IN_ORDER.fullmatch(plain)
    if ordered is not None:
        values = [reference_of(value) for value in (ordered["first"], *re.split(_THEN, ordered["rest"]))]
        return [
            Statement("", Act.PLACE, value, rank) for rank, value in enumerate(values, 1) if is_value(value)
        ]
    if plain.startswith("add or end "):
        value = reference_of(plain.removeprefix("add or end "))
        return (
            [Statement(IF_KNOWN, Act.ADD, value), Statement("", Act.PLACE, value, LAST)]
            if is_value(value)
            else None
        )
    if not TRIGGER.match(plain.lower()):
        return _built(_STATED_RULES, plain, topics) if STATED.search(plain.lower()) else None
    inner = INNER.match(plain)
    if inner is not None:
        plain = f"{inner['verb']} {inner['rest']} {inner['target']}"
    return _built(_RULES, plain, topics)


_THEN = r",? (?:and |und )?(?:then|dann|danach) "
_IN_ORDER = re.compile(rf"(?P<first>[^,]{{1,60}}?) (?:first|zuerst){_THEN}(?P<rest>[^?]{{1,200}})")
"""A new order in words: "A first, then B, then C"."""
_ELSEWHERE = re.compile(
    r"(?:if|when|why|how|what|she|he|they|wenn|falls|warum|wieso|er|sie|ich \w+ gerade"
    r"|i(?:'ve)? (?:just )?\w+ed)\b",
    re.IGNORECASE,
)
"""Words that begin no edit."""


def _built(rules: list[tuple[re.Pattern[str], _Build]], plain: str, topics: Topics) -> list[Statement] | None:
    for pattern, build in rules:
        match = pattern.match(plain)
        if match is not None:
            found = list(build(match, topics))
            if found:
                return found
    return None


def _placed(match: re.Match[str], topics: Topics) -> Iterator[Statement]:
    key, value, rank = key_of(match["target"], topics), reference_of(match["value"]), rank_of(match)
    if key is not None and rank is not None and is_value(value):
        if key == "" and not value.startswith("#") and NAME.fullmatch(match["value"].strip()):
            if match["target"]:
                yield Statement("", Act.ADD, value)
            elif PLACE.search(match[0][match.end("value") :]):
                yield Statement(IF_KNOWN, Act.ADD, value)
        yield Statement(key, Act.PLACE, value, rank)


def _moved(match: re.Match[str], topics: Topics) -> Iterator[Statement]:
    yield from (statement for statement in _placed(match, topics) if statement.act is Act.PLACE)


def _beside(match: re.Match[str], topics: Topics) -> Iterator[Statement]:
    key, value, other = (
        key_of(match["target"], topics),
        reference_of(match["value"]),
        reference_of(match["other"]),
    )
    if key is not None and is_value(value) and is_value(other):
        yield Statement(key, Act.BEFORE if match["before"] else Act.AFTER, value, None, other)


def _swapped(match: re.Match[str], topics: Topics) -> Iterator[Statement]:
    key, value, other = (
        key_of(match["target"], topics),
        reference_of(match["value"]),
        reference_of(match["other"]),
    )
    if key is not None and is_value(value) and is_value(other):
        yield Statement(key, Act.SWAP, value, None, other)


def _replaced(match: re.Match[str], topics: Topics) -> Iterator[Statement]:
    """Yields a replacement: `value` is what stands there, `other` what takes its place."""
    key, old, new = (
        key_of(match["target"], topics),
        reference_of(match["value"]),
        without_article(clean_value(match["other"].strip(" ,:"), RANKED_MAX)),
    )
    if key is not None and is_value(old) and is_value(new) and not new.startswith("#"):
        yield Statement(key, Act.REPLACE, new, None, old)


def _changed(match: re.Match[str], topics: Topics) -> Iterator[Statement]:
    """Yields what "change my second favourite colour to teal" states."""
    found = heads_in(match["head"])
    head = found[0] if found and found[0].start == 0 else None
    new = without_article(clean_value(match["other"].strip(" ,:"), RANKED_MAX))
    if head is None or not is_value(new):
        return
    noun = match["head"][head.end :].strip()
    topic = topic_named(noun, topics, disliked=head.disliked) if noun else None
    if topic is None and noun:
        return
    key = topic.key if topic is not None else ""
    if head.rank is not None:
        yield (
            Statement(key, Act.REPLACE, new, None, f"#{head.rank}")
            if head.rank
            else Statement(key, Act.SINGLE, new)
        )
    elif topic is not None:
        yield Statement(key, Act.SINGLE, new)


def _promoted(match: re.Match[str], topics: Topics) -> Iterator[Statement]:
    """Yields what "make teal my second favourite colour" states."""
    found = heads_in(match["head"])
    if not found or found[0].start:
        return
    head, value = found[0], reference_of(match["value"])
    topic = topic_named(match["head"][head.end :], topics, disliked=head.disliked)
    if topic is not None and is_value(value):
        yield (
            Statement(topic.key, Act.PLACE, value, head.rank)
            if head.rank
            else Statement(topic.key, Act.SINGLE, value)
        )


_COUNTED = re.compile(
    rf"(?:the|my|den|die|das) (?P<rank>{ORDINAL}|{END}) (?!one\b|place\b|stelle\b|platz\b)(?P<noun>[\w-]+)",
    re.IGNORECASE,
)
"""The second tea: of a list, if there is one of teas."""


def _removed(match: re.Match[str], topics: Topics) -> Iterator[Statement]:
    key = key_of(match["target"], topics)
    counted = _COUNTED.fullmatch(match["value"].strip())
    if counted is not None and not match["target"]:
        topic, rank = topic_named(counted["noun"], topics), rank_named(counted["rank"])
        if topic is not None and rank is not None:
            yield Statement(f"{IF_KNOWN}{topic.key}", Act.REMOVE, f"#{rank}")
            return
    if key is None:
        return
    reference = reference_of(match["value"])
    named = [reference] if re.fullmatch(r"#-?\d+", reference) else items_of(match["value"])
    if not match["target"] and not reference.startswith("#") and len(named) == 1 and not is_value(named[0]):
        return
    positions = [reference_of(name) for name in named]
    for value in sorted(positions, key=lambda value: -int(value[1:]) if re.fullmatch(r"#\d+", value) else 0):
        if is_value(value):
            yield Statement(key, Act.REMOVE, value)


def _taken(match: re.Match[str], topics: Topics) -> Iterator[Statement]:
    """Yields what "remove my second favourite colour" states."""
    named = _WHOLE.sub("", match["head"])
    found = heads_in(named)
    if not found or found[0].start:
        return
    head = found[0]
    topic = topic_named(
        re.sub(r"\s*(?:list|ranking|liste)$", "", named[head.end :], flags=re.IGNORECASE),
        topics,
        disliked=head.disliked,
    )
    if topic is not None:
        yield (
            Statement(topic.key, Act.REMOVE, f"#{head.rank}")
            if head.rank
            else Statement(topic.key, Act.CLEAR)
        )


def _added(match: re.Match[str], topics: Topics) -> Iterator[Statement]:
    key = key_of(match["target"], topics, adds=True) if match["target"] else IF_KNOWN
    if key is None or (key == IF_KNOWN and not NAME.fullmatch(match["value"])):
        return
    for value in items_of(re.sub(r"^(?:noch|also|auch) ", "", match["value"], flags=re.IGNORECASE)):
        if is_value(value) and (
            key[:1] not in ("", IF_KNOWN) or not re.match(r"(?:an?|ein\w*|some) ", value)
        ):
            yield Statement(key, Act.ADD, value)


def _cleared(match: re.Match[str], topics: Topics) -> Iterator[Statement]:
    head = _WHOLE.sub("", match["head"])
    key = key_of(head if re.match(r"(?:my|mein)", head, re.IGNORECASE) else f"my {head}", topics)
    if key and not key.startswith("?"):
        yield Statement(key, Act.CLEAR)


_WHOLE = re.compile(
    r"^(?:(?:any|a|an|keine?n?|alle?|of|the|die|meine|ganze|whole|entire|list|liste) )+(?=my|mein"
    r"|lieblings|fav|least)",
    re.IGNORECASE,
)
"""Words before a list that is meant as a whole."""


_Build = Callable[[re.Match[str], Topics], Iterator[Statement]]
_RULES: list[tuple[re.Pattern[str], _Build]] = [
    (whole(
        r"(?:swap|switch|exchange|tausche?|vertausche?) (?:the )?(?:order of |positions of |places"
        rf" of |die plätze von )?{VALUE} (?:and|with|und|mit) {OTHER}{TARGET}(?: around| out| aus)?"
    ), _swapped),
    (whole(rf"{PUT} {VALUE},? {BESIDE}{OTHER}{TARGET}{FROM}"), _beside),
    (whole(
        r"(?:füge?|setze?|stelle?|packe?|schiebe?) (?P<before>vor)?(?P<after>nach|hinter)?"
        r" ?(?P<other>[^?\n]{1,100}?) (?:noch |auch )(?P<value>[^?\n]{1,100}?)(?P<target>"
        r" (?:in|zu|auf) (?:die|meine\w*|mein) [^?\n]{1,80})? ?(?:ein|hinzu|dazu)"
    ), _beside),
    (whole(
        rf"(?:replace|substitute|exchange|swap out|ersetze?|tausche?|change|turn) {VALUE} (?:with|by"
        rf"|for|durch|gegen|mit|to|into) {OTHER}{TARGET}(?: aus)?"
    ), _replaced),
    (whole(rf"use {OTHER} (?:instead of|in place of) {VALUE}{TARGET}"), _replaced),
    (whole(rf"(?:rename|change|correct|update) {VALUE} (?:to|as|into) {OTHER}{TARGET}"), _replaced),
    (whole(rf"(?:benenne?|nenne?) {VALUE}{TARGET} (?:in|jetzt|nun|zu) {OTHER}(?: um)?"), _replaced),
    (whole(
        r"(?:change|set|update|make|correct|ändere?|setze?|mache?|korrigiere?) (?P<head>(?:my"
        rf"|mein\w*) [^?\n]{{1,100}}?) (?:to|into|be|as|zu|auf|in|=) {OTHER}(?P<target>(?!))?(?: um|"
        r" ab)?"
    ), _changed),
    (whole(
        rf"(?:change|set|update|make|ändere?|setze?|mache?) {NTH.replace('position', 'value')}(?:"
        rf" one)?{TARGET} (?:to|into|be|zu|auf|in|aus|=) {OTHER}"
    ), _replaced),
    (whole(
        r"(?:make|rank|call|set|mache?) (?P<value>[^?\n]{1,100}?) (?:as |to |zu |als"
        r" )?(?P<head>(?:my|mein\w*) [^?\n]{1,100}?)"
    ), _promoted),
    (whole(rf"{PUT} {VALUE}(?: in| up| down| back)? {TO}{TARGET}{FROM}"), _placed),
    (whole(rf"{PUT} {VALUE}(?P<target> (?:in|to|on|into|auf|zu) [^?\n]{{1,100}}?),? {TO}{FROM}"), _placed),
    (whole(
        r"(?:add|append|include|insert|put|füge?|ergänze?|setze?|packe?|nimm|trage?|schreibe?)"
        rf" {VALUE} (?:as |als )(?:my |the |mein\w*"
        rf" )?(?P<position>{POSITION})(?P<top>(?!))?(?P<end>(?!))?{TARGET}{FROM}"
    ), _placed),
    (whole(rf"{REMOVE}{OFF} (?P<head>(?:{MANY} )[^?\n]{{1,100}}?){OFF}"), _taken),
    (whole(
        rf"{REMOVE}{OFF} {VALUE}{OFF}(?P<target>(?: (?:from|off|out of|in|on|of|aus|von|vom|bei|in))"
        rf" [^?\n]{{1,100}}?)?{OFF}"
    ), _removed),
    (whole(
        r"(?:add|append|include|insert|put|füge?|ergänze?|setze?|packe?|nimm|trage?|schreibe?)"
        rf" {VALUE}(?P<target> (?:to|in|into|on|onto|zu|auf|in|an) [^?\n]{{1,100}}?){FROM}(?: hinzu|"
        r" auf| ein)?"
    ), _added),
    (whole(
        r"(?:füge?|nimm|ergänze?) (?P<target>(?!))?(?:noch |auch )?(?P<value>[^?\n]{1,80}?)(?:"
        r" noch| auch)? (?:hinzu|dazu)"
    ), _added),
    (whole(r"(?:ergänze?|add|append) (?P<target>(?!))?(?:noch |also )(?P<value>[^?\n]{1,80}?)"), _added),
    (whole(
        r"(?:ergänze?|erweitere?) (?P<target>(?:meine?\w*) [^?\n]{1,100}?) (?:um|mit)"
        r" (?P<value>[^?\n]{1,200}?)"
    ), _added),
    (whole(
        r"(?:clear|forget|delete|erase|wipe|reset|empty|remove|drop|vergiss|lösche?|leere?"
        r"|entferne?)(?: out| about)? (?P<head>(?:(?:all|of|alle|the|die|ganze|whole|entire|list"
        r"|liste) )*(?:my|mein\w*)"
        r" [^?\n]{1,100}?)(?: list| completely| entirely| komplett| ganz)?(?: out)?"
    ), _cleared),
    (whole(
        r"i (?:no longer|don't|do not) have (?P<head>(?:any |a |an )?(?:favou?rite|fav|least)"
        r" ?[^?\n]{1,80}?)(?: any ?more| any longer)?"
    ), _cleared),
    (whole(r"ich hab(?:e)? keine?n? (?P<head>lieblings[^?\n]{1,80}?)(?: mehr)?"), _cleared),
]  # fmt: skip
_STATED_RULES: list[tuple[re.Pattern[str], _Build]] = [
    (whole(
        rf"(?:instead of|statt|anstelle von) {VALUE}(?:,| lieber| bitte| jetzt| nehme ich| nimm| use|"
        rf" put)+ {OTHER}{TARGET}"
    ), _replaced),
    (whole(rf"(?:lieber )?{OTHER} (?:instead of|statt|anstelle von) {VALUE}{TARGET}"), _replaced),
    (whole(
        rf"{VALUE} (?:is no longer|(?:is|are)(?:n't| not)|no longer belongs|(?:gehört|zählt|ist|sind)"
        r" nicht mehr|(?:ist|sind) keine?[rs]?"
        r")(?: mehr)? (?P<target>(?:one of|among|on|in|to|zu|auf|unter|bei|von)? ?(?:my|mein\w*)"
        r" [^?\n]{1,80}?)(?: any ?more| any longer)?"
    ), _removed),
    (whole(
        rf"{VALUE} (?:(?:should|must|has to|needs to|soll|muss|gehört|kommt) )?(?:(?:be|go|come|goes"
        r"|moves|belongs|now|jetzt|rather|lieber) )*"
        rf"{TO}{TARGET}(?: stehen| sein| kommen| rutschen| hin)?"
    ), _moved),
]  # fmt: skip
"""Edits without a verb of their own: what they name must be in the list."""
