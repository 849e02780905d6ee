"""Reads what a sentence states of the topics that it names as one's own: "my second favourite NOUN is …"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from holdfast.core.facts import IF_KNOWN, Statement
from holdfast.language.facts import likings, scope
from holdfast.language.facts.heads import LINK, NOUN_MAX, Head, heads_in, topic_named
from holdfast.language.facts.predicates import ONE_OF, cut, in_lines, instead, listed, ranked, single, valued
from holdfast.language.facts.sentences import Sentence
from holdfast.language.facts.topics import Topic, Topics
from holdfast.language.facts.values import items_of, marked_values, marks

LEAD = re.compile(
    r"(?:(?:well|ok|okay|so|actually|hey|hi|hello|btw|by the way|fyi|yes|yeah|yep|no|and|but"
    r"|also|oh|sure|now|please"
    r"|remember(?: that)?|note(?: that)?|for the record|just so you know|i think|i guess|i'd"
    r" say|honestly|currently|right now"
    r"|these days|today|correction|update|save this|store this|wait|to be clear|in fact|keep in"
    r" mind(?: that)?|don't forget(?: that)?"
    r"|let me tell you|you should know(?: that)?|anyway|ps|p\.s\.|haha|lol|hmm|um|uh|ah|also"
    r" gut|also|ja|nein|na|tja|übrigens|bitte|hallo|und|aber|ok also|korrektur|nachtrag|merk"
    r" dir|merke dir|notiere?|zur info|ach)[,:!.]?\s+){0,4}",
    re.IGNORECASE,
)
"""Words before a statement that change nothing of it."""
_NEGATED = re.compile(r"\s*(?:not|n't|n’t|nicht|kein\w*|no longer|nicht mehr)\b", re.IGNORECASE)
_MINE = re.compile(r"(?<![\w'’])(?:mine|meine[rs]?)\s+(?:is|are|'s|ist|sind)\s+", re.IGNORECASE)
_OTHERS = re.compile(
    r"(?:favou?rite|lieblings)[ -]?(?P<noun>[^\W\d]+(?: [^\W\d]+)??)(?: (?:of|meine[rsn]?|von"
    r"|der|des|deine[rsn]?|seine[rsn]?|ihre[rsn]?) [\w' ]{1,40}?)? (?:is|are|ist|sind)\b",
    re.IGNORECASE,
)
_REVERSE = re.compile(
    r"^(?P<value>[^?]{1,200}?)[,]? (?:(?:is|are|has been|have been|has become|became|ist|sind"
    r"|bleibt|wurde|war schon immer)(?: (?:definitely|still|now|currently|always|by far|easily"
    r"|also|probably|hands down|and remains|immer noch|noch immer|definitiv|eindeutig|jetzt"
    r"|auch|schon immer|nach wie vor|ganz klar|mein)){0,2}"
    r"|has always been|have always been|[–—-] (?:those are|these are|that's|das sind|das ist))[,]?\s*$",
    re.IGNORECASE,
)
_INVERTED = re.compile(
    r"(?:^|[,;:.–—-]\s*)(?:(?:und|aber|also|ja|nein|nee|doch),? )?(?:inzwischen|mittlerweile"
    r"|aktuell|derzeit|momentan|im moment|zurzeit|zur zeit|heute|jetzt|nun|seit [\w .]{2,30}"
    r"|neuerdings|eigentlich"
    r"|übrigens|natürlich|außerdem|dann|damit|dabei|ehrlich gesagt|in letzter zeit|heutzutage"
    r"|immer noch|nach wie vor|seitdem|dagegen|hingegen|bei mir|für mich) (?:ist|sind) (?:jetzt"
    r" |nun |inzwischen |immer noch |also )?$",
    re.IGNORECASE,
)
"""The opening of a German sentence whose verb stands before its subject."""
_PRONOUN = re.compile(
    r"(?:it|this|that|these|those|there|here|which|what|who|one|they|he|she|you|we|i|where|das"
    r"|dies|diese|es|hier|wer|was|welche\w*|er|sie|die|der|da|dort|so|such|all (?:of )?(?:these"
    r"|those|this|that|them))(?: \w+)?$",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"(?:these|those|that|this|they|das|dies|diese|all (?:of )?(?:these|those))$", re.IGNORECASE
)


def statements_of_own(
    text: str, sentence: Sentence, topics: Topics, spoken: Topic | None
) -> Iterator[Statement]:
    """Yields what a sentence states of the topics that it names as one's own."""
    text = text.lstrip("-*•_> \t")
    lead = LEAD.match(text)
    skipped = lead.end() if lead else 0
    heads = heads_in(text)
    if not heads and skipped:  # a bare topic behind "ok, "
        heads = [
            replace(head, start=head.start + skipped, end=head.end + skipped)
            for head in heads_in(text[skipped:])
        ]
    claimed = 0
    found: list[Statement] = []
    for i, head in enumerate(heads):
        if head.start < claimed:
            continue
        nearest = heads[i + 1].start if i + 1 < len(heads) else len(text)
        before, after = text[claimed : head.start], text[head.end : nearest]
        is_last = i + 1 == len(heads)
        if not (
            scope.is_transparent(before)
            and not (claimed == 0 and scope.QUESTION.match(text) and not _is_polite(text))
        ):
            framed = LINK.match(after) is not None and likings.topic_framed(before, topics) is not None
            if not _reverses(before) and not framed:
                continue
        found += _of_head(head, before, after, sentence if is_last else None, topics, spoken)
        if found:
            spoken = topic_of_all(found, topics)
        claimed = head.end
    found += _of_mine(text, topics)
    found = found or _of_registered(text, sentence.lines, topics) or _of_them(text, sentence.lines, spoken)
    yield from found


def topic_of_all(stated: list[Statement], topics: Topics) -> Topic | None:
    """Returns the topic of the last of several statements, None if it has none."""
    key = stated[-1].topic if stated else ""
    return topics[key] if key and not key.startswith(IF_KNOWN) else None


def _of_them(text: str, lines: list[str], spoken: Topic | None) -> list[Statement]:
    """Returns the list of the topic that was mentioned before: "They are now: 1) …"."""
    match = _THEM.match(text)
    if match is None or spoken is None:
        return []
    head = Head(0, 0, None, False, False, False, False, False)
    return valued(head, spoken, "are", text[match.end() :], lines, "")


_THEM = re.compile(
    r"(?:(?:here )?they are|here you go|these are|here are they|here is the list|here's the"
    r" list|the list is|sie sind|es sind|hier sind sie|das sind|die liste ist)(?: now| jetzt|"
    r" nun)?\s*:",
    re.IGNORECASE,
)


def _of_registered(text: str, lines: list[str], topics: Topics) -> list[Statement]:
    """Returns the ranked list of a registered topic that is only called one's own: "My cryptos: 1) XMR"."""
    match = _REGISTERED.search(text)
    topic = None
    if match is not None and match["ranking"]:
        topic = topic_named(match["noun"], topics)
    elif match is not None:
        disliked = match["avoided"] is not None
        known = topics.registered(match["avoided"] or match["noun"])
        topic = known and topics.about(known.nouns[0], disliked=disliked)
    if match is None or topic is None or not scope.is_transparent(text[: match.start()]):
        return []
    head = Head(0, 0, None, False, False, False, False, False)
    pairs = marked_values(text[match.end() :], in_lines=False)
    if pairs:
        return ranked(topic, pairs)
    return in_lines(head, topic, lines) if any(marks(line) for line in lines) else []


_REGISTERED = re.compile(
    r"(?:\b(?:my|meine) (?P<ranking>(?:personal )?(?:rankings?|rangliste) (?:of|der|von) (?:the )?)?"
    r"(?P<noun>[^\W\d][\w ]{1,40}?)|^(?:my )?(?P<avoided>[^\W\d][\w ]{1,40}?) to avoid)"
    r"(?: are| sind)?\s*[:–-]?\s*(?=[(\[*#\d]|$)",
    re.IGNORECASE,
)


def _is_polite(text: str) -> bool:
    return bool(re.match(r"\W*(?:can|could|would|will|kannst|könntest) (?:you|du)\b", text, re.IGNORECASE))


def _reverses(before: str) -> bool:
    return _REVERSE.match(ONE_OF.sub("", before).strip()) is not None


def _of_head(
    head: Head, before: str, after: str, sentence: Sentence | None, topics: Topics, spoken: Topic | None
) -> list[Statement]:
    """Returns what is stated of one topic: in the values behind it, in the lines below, or before it."""
    lines = sentence.lines if sentence is not None else []
    stated = _of_subordinate(head, before, after, topics)
    if stated:
        return stated
    link = _link(after)
    if link is not None:
        noun = after[: link.start()]
        topic = _topic_at(noun, before, head, topics, spoken)
        if topic is None:
            return []
        verb = (link["verb"] or "").strip().lower()
        if head.bare and verb:
            return []
        region = after[link.start() if link["mark"] or link["ordinal"] else link.end() :]
        if re.search(r"n't|n’t", verb) or _NEGATED.match(region):
            return instead(head, topic, region)
        if verb == "was":
            return []
        return valued(head, topic, verb, region, lines, before)
    if lines and not _REVERSE.match(before.strip()):
        topic = _topic_at(after, before, head, topics, spoken)
        return [] if topic is None else in_lines(head, topic, lines)
    inverted = _INVERTED.search(before)
    if inverted:
        return _inverted(head, after, topics)
    is_one_of = bool(ONE_OF.search(before))
    reverse = _REVERSE.match(ONE_OF.sub("", before).strip())
    frame, comma, value = reverse["value"].partition(", ") if reverse else ("", "", "")
    if comma and not after.strip(" .!"):  # Of the cheeses, Brie is my favourite
        framed = likings.topic_framed(frame, topics, disliked=head.disliked)
        return [] if framed is None else single(head, framed, value)
    if reverse and not _PRONOUN.fullmatch(reverse["value"].strip()) and scope.is_transparent(""):
        topic = _topic_at(after.rstrip(" .!"), "", head, topics, spoken)
        if topic is not None:
            return _reversed(head, topic, reverse["value"], before, adds=is_one_of)
    if reverse and sentence is not None and sentence.above and _POINTING.fullmatch(reverse["value"].strip()):
        topic = _topic_at(after.rstrip(" .!"), "", head, topics, spoken)
        return [] if topic is None else in_lines(head, topic, sentence.above)
    return []


def _of_subordinate(head: Head, before: str, after: str, topics: Topics) -> list[Statement]:
    """Returns the statement of a German clause whose verb is its last word: "dass meine Lieblingsfarbe Blau
    ist"."""
    match = (
        _VERB_LAST.match(after)
        if re.search(r"(?:^|[\s,])(?:dass|weil|da)\s*$", before, re.IGNORECASE)
        else None
    )
    topic = topic_named(match["noun"], topics, disliked=head.disliked) if match else None
    if match is None or topic is None:
        return []
    return valued(head, topic, match["verb"].lower(), match["value"], [], before)


_VERB_LAST = re.compile(
    r"\s*(?P<noun>[\w-]+(?: in [\w-]+)?) (?P<value>.{1,200}?) (?P<verb>ist|sind)[\s.!,]*$", re.IGNORECASE
)


def _link(after: str) -> re.Match[str] | None:
    """Returns what joins a topic to its values, if it stands near enough."""
    for link in LINK.finditer(after, 0, NOUN_MAX + 60):
        if link.end() == link.start():
            continue
        return link
    return None


def _topic_at(noun: str, before: str, head: Head, topics: Topics, spoken: Topic | None) -> Topic | None:
    """Returns the topic of a noun phrase, or the one spoken of if there is none: "For tea my favourite
    is"."""
    plain = noun.strip(" ,:*_")
    plain = re.sub(r"^(?:ones?|choice|pick|is)$", "", plain, flags=re.IGNORECASE)
    if not plain:
        framed = likings.topic_framed(before, topics, disliked=head.disliked)
        return framed or (spoken if head.rank or not head.compound else None)
    if (head.is_top or head.is_one) and _NOT_LIKED.search(plain):
        return None
    of = re.match(
        r"(?:of|among(?:st)?|from|out of|von|unter) (?:all )?(?:the |my |den |allen |meinen )?(?P<noun>.+)$",
        plain,
        re.IGNORECASE,
    )
    return topic_named(of["noun"] if of else plain, topics, disliked=head.disliked)


_NOT_LIKED = re.compile(
    r"\b(?:priorit\w+|goals?|concerns?|issues?|problems?|questions?|rules?|reasons?|tips?"
    r"|tasks?|todos?|requirements?|features?|bugs?"
    r"|mistakes?|errors?|complaints?|findings?|endpoints?|keywords?|search\w*|results?|hits?"
    r"|steps?|options?|scores?|skills?|strengths?)$",
    re.IGNORECASE,
)
"""Nouns of which a top list says nothing about liking."""


def _inverted(head: Head, after: str, topics: Topics) -> list[Statement]:
    """Returns the statement of a German sentence whose verb stands before its topic."""
    match = re.match(
        r"(?P<noun>[\w-]+(?: (?:in|aus|für|im|am|an|auf|von) [\w-]+)?) (?P<value>.+)$",
        after.strip(),
        re.IGNORECASE,
    )
    topic = topic_named(match["noun"], topics, disliked=head.disliked) if match else None
    if match is None or topic is None:
        return []
    plural = len(items_of(cut(match["value"]))) > 1
    return valued(head, topic, "sind" if plural else "ist", match["value"], [], "")


def _reversed(head: Head, topic: Topic, value: str, before: str, *, adds: bool) -> list[Statement]:
    """Returns the statement of "Blue is my favourite colour"."""
    plain = (
        re.sub(r"^.*(?:[,;:] | [–—-] )(?=\S+(?: \S+){0,5}$)", "", value)
        if head.rank or not head.is_top
        else value
    )
    pairs = marked_values(value, in_lines=False)
    if pairs:
        return ranked(topic, pairs)
    is_plural = bool(re.search(r"\b(?:are|sind|have been)\b[\w ,]*$", before.strip(), re.IGNORECASE))
    lead = LEAD.match(value)
    value = value[lead.end() if lead else 0 :]
    if scope.QUESTION.match(value):
        return []
    if not scope.is_transparent(re.sub(r"[^,;:–—]*$", "", value)) or scope.is_reported(value):
        return []
    if re.search(
        r"\b(?:that|which|who|dass|if|whether|say|think|hope|wish|if|wenn|ob|not|n't|nicht|said)\b",
        value,
        re.IGNORECASE,
    ):
        return []
    if is_plural or adds:
        return listed(topic, items_of(value), anew=head.rank is None and not adds)
    return single(head, topic, plain if len(plain) < len(value) else value)


def _of_mine(text: str, topics: Topics) -> list[Statement]:
    """Returns what "mine is …" states of a topic that is named as somebody else's before."""
    match = _MINE.search(text)
    named = list(_OTHERS.finditer(text, 0, match.start())) if match else []
    if match is None or not named or not scope.is_transparent(text[named[-1].end() : match.start()]):
        return []
    if scope.is_reported(text[: match.start()]) or scope.QUESTION.match(text):
        return []
    topic = topic_named(named[-1]["noun"], topics)
    head = Head(0, 0, None, False, False, False, False, False)
    return (
        []
        if topic is None
        else valued(head, topic, match[0].strip().split()[-1], text[match.end() :], [], "")
    )
