"""Reads what a sentence states of the topics that it names as one's own: "my second favourite NOUN is …"."""

from __future__ import annotations

import re
from dataclasses import replace

from holdfast.core.facts import Statement
from holdfast.language.facts import likings, scope
from holdfast.language.facts.corrections import corrected, corrected_value
from holdfast.language.facts.heads import HEAD, LINK, NOUN_MAX, Head, heads_in, topic_named
from holdfast.language.facts.lexicon import COUNT, rank_named
from holdfast.language.facts.regions import in_lines, read, takes_back, without_article
from holdfast.language.facts.sentences import Sentence
from holdfast.language.facts.stating import PLAIN, list_statements, single, topic_of_all
from holdfast.language.facts.topics import DISLIKED, Topic, Topics
from holdfast.language.facts.values import marks

_ONE_OF = re.compile(
    r"\b(?:one of|some of|(?:a few|several|many|two|three) of|among(?:st)?|einer? (?:von|(?=meiner))"
    r"|ein(?:e[rs]?|s) (?:von |(?=meiner))?|unter"
    r"|zu)\s*$",
    re.IGNORECASE,
)
_INCLUDES = re.compile(
    r"\b(?:also|too|includes?|gehör(?:en|t)|zähl(?:en|t)|auch|ebenfalls|außerdem)\b", re.IGNORECASE
)
_SINGULAR = re.compile(
    r"(?:^|\b|')(?:is|s|ist|has|remains|bleibt|lautet|heißt|goes to|became|gotta|wird)\b", re.IGNORECASE
)
_BE = (
    r"(?:is|are|has been|have been|has become|became|ist|sind|bleibt|has always been|have always been"
    r"|will always be|war schon immer)(?: (?:definitely|still|now|currently|always|by far|easily|also"
    r"|hands down|and remains|immer noch|noch immer|definitiv|eindeutig|jetzt|auch|schon immer|nach wie vor"
    r"|ganz klar|und bleibt)){0,2}"
)
_REVERSE = re.compile(
    rf"^(?P<value>[^?]{{1,200}}?)[,]? (?:(?P<verb>{_BE})|[–—-] (?:those are|these are|that's|das sind"
    rf"|das ist))[,]?\s*$",
    re.IGNORECASE,
)
_LABEL = re.compile(r"\W*(?P<noun>[^\W\d][\w -]{1,40}):\s*")
"""A topic as a label: "Tea: my favourite is …"."""
_POINTING = re.compile(
    r"(?:these|those|that|this|they|das|dies|diese|all (?:of )?(?:these|those))$", re.IGNORECASE
)
_INVERTED = re.compile(
    r"^(?P<opens>.*?)\b(?:ist|sind)(?: (?:jetzt|nun|inzwischen|immer noch|also|auch|aber))? $", re.IGNORECASE
)
"""The opening of a German sentence whose verb stands before its subject."""
_VERB_LAST = re.compile(
    r"\s*(?P<noun>[\w-]+(?: (?:in|von) [\w-]+)?) (?P<value>.{1,200}?) (?P<verb>ist|sind)[\s.!,]*$",
    re.IGNORECASE,
)
_GERMAN_NOUN = re.compile(r"\s*(?P<noun>[\w-]+(?: (?:in|aus|für|im|am|an|auf|von) [\w-]+)?) (?P<value>.+)$")
_CONNECTED = re.compile(
    r"(?:[,;.:–—-]|\s(?:and|but|while|whereas|und|aber|während|sowie|&)(?!\w))\s*(?:(?:and|but|while|und|aber"
    r"|also|then|auch|dann|the|zu)\b\s*)*$",
    re.IGNORECASE,
)
"""What is between the values of one topic and the next topic."""
_DENIED = re.compile(r"(?:n't|n’t|^\W*(?:not|nicht|no longer|nicht mehr|kein\w*)\b)", re.IGNORECASE)
_INSTEAD = re.compile(
    r"(?:[,;.–—-]\s*|\s(?=but|sondern))(?:but(?: rather)?|it's|it is|its|they're|they are|rather|instead"
    r"|sondern|es ist|es sind|stattdessen|vielmehr|now it's)\s+(?P<value>[^,;]+)",
    re.IGNORECASE,
)
_RANK_BEFORE = re.compile(
    rf"(?:^|[\s,:])(?P<rank>(?:number|no\.?|nr\.?|nummer|platz|#) ?{COUNT}|first(?: place)?|an erster stelle"
    rf"|ganz oben|(?:at )?the"
    r" top)(?: (?:place|spot))?(?: (?:on|in|of|among|auf|bei|unter|von))?\s*$",
    re.IGNORECASE,
)
_MINE = re.compile(r"(?<![\w'’])(?:mine|meine[rs]?|meins)\s+(?:is|are|'s|ist|sind)\s+", re.IGNORECASE)
_MINE_BARE = re.compile(r"\b(?:and|und)\s+(?:mine|meins|meine[rs]?)\s+(?=[^\W\d])", re.IGNORECASE)
_OTHERS = re.compile(
    r"(?:favou?rite|lieblings)[ -]?(?P<noun>[^\W\d]+(?: [^\W\d]+)??)(?: (?:of|meine[rsn]?|von"
    r"|der|des|deine[rsn]?|seine[rsn]?|ihre[rsn]?) [\w' ]{1,40}?)? (?:is|are|ist|sind)\b",
    re.IGNORECASE,
)
_PAREN = re.compile(
    r",? ?(?:as you (?:may )?know|by the way|of course|obviously|wie du weißt|übrigens|natürlich"
    r"|in (?:descending )?(?:order|reihenfolge"
    r")|ranked|best first|\(in order\)|[–—-] in order [–—-]),?\s*$",
    re.IGNORECASE,
)
_FOLLOWED = re.compile(
    r",? (?:(?:dicht )?gefolgt von|(?:closely )?followed by|then|dann|danach)"
    r" (?P<next>[^,;.]+)",
    re.IGNORECASE,
)
_NOT_LIKED = re.compile(
    r"\b(?:priorit\w+|goals?|concerns?|issues?|problems?|questions?|rules?|reasons?|tips?"
    r"|tasks?|todos?|requirements?|features?|bugs?"
    r"|mistakes?|errors?|complaints?|findings?|endpoints?|keywords?|search\w*|results?|hits?"
    r"|steps?|options?|scores?|skills?|strengths?)(?:$| (?:for|in|of) )",
    re.IGNORECASE,
)
"""Nouns of which a top list says nothing about liking."""
_NEXT = re.compile(
    rf"^\W*(?:(?:number|no\.?|nr\.?|nummer|platz|#) ?(?P<rank>{COUNT})(?: (?:is|ist)|:)) (?P<value>.+)$",
    re.IGNORECASE,
)
_THEM = re.compile(
    r"(?:(?:here )?they are|here you go|these are|here are they|here is the list|here's the"
    r" list|the list is|sie sind|es sind|hier sind sie|das sind|die liste ist)(?: now| jetzt|"
    r" nun)?\s*:",
    re.IGNORECASE,
)
_REGISTERED = re.compile(
    r"(?:\b(?:my|meine) (?P<ranking>(?:personal )?(?:rankings?|rangliste) (?:of|der|von) (?:the )?)?"
    r"(?P<noun>[^\W\d][\w ]{1,40}?)|^(?:my )?(?P<avoided>[^\W\d][\w ]{1,40}?) to avoid)"
    r"(?: are| sind)?\s*[:–-]?\s*(?=[(\[*#\d]|$)",
    re.IGNORECASE,
)


def statements_of_own(text: str, sentence: Sentence, topics: Topics, prior: Topic | None) -> list[Statement]:
    """Returns what a sentence states of the topics that it names as one's own."""
    text = re.sub(r"^\W*\d{1,2}[.)] (?=[Mm](?:y|ein\w*) )", "", text.lstrip("-*•_> \t"))
    heads = heads_in(text) or _after_openers(text)
    results: list[Statement] = []
    claimed = 0
    for i, head in enumerate(heads):
        nearest = heads[i + 1].start if i + 1 < len(heads) else len(text)
        before, after = text[claimed : head.start], text[head.end : nearest]
        match = _BESIDE.match(after) if i + 1 < len(heads) and _is_elliptic(heads[i + 1], text) else None
        if match is not None:
            after = match["after"]
        elif i + 1 < len(heads):
            joined = _CONNECTED.search(after)
            after = (
                after[: joined.start()]
                if joined and not re.search(r"\b(?:is|are|ist|sind)$", after.strip())
                else after
            )
        if results and prior and head.rank and _is_elliptic(head, text):
            items = read(before.strip(" ,;"), prior.category, is_single=True, rank=head.rank)
            results += single(head, prior, items)
            claimed = head.end
            continue
        before = "" if claimed and _CONNECTED.fullmatch(before.strip()[-40:] or ",") else before
        lines = sentence.lines if i + 1 == len(heads) else []
        stated = _of_head(head, before, after, lines, sentence.above, topics, prior)
        if stated:
            prior = topic_of_all(stated, topics)
            results += stated
        claimed = head.end + len(after) if stated else head.end
        if stated and i + 1 < len(heads):
            claimed = _clause_end(text, claimed, heads[i + 1].start)
    results += _of_mine(text, topics)
    return results or _of_registered(text, sentence.lines, topics) or _of_them(text, sentence.lines, prior)


def _is_elliptic(head: Head, text: str) -> bool:
    """Returns whether a topic is without noun and verb: "…, Ventoux my second favourite"."""
    return head.rank is not None and re.match(r"\W*$|\s*[,;.]", text[head.end :]) is not None


_BESIDE = re.compile(r"(?P<after>[^,;]+)(?:[,;] (?:(?:and|und) )?| (?:and|und) )[^,;]+(?: is| ist)? $")


def _after_openers(text: str) -> list[Head]:
    """Returns a bare topic after words that change nothing: "ok, favourite teas: …"."""
    for match in re.finditer(r"[\s,:]", text[:60]):
        rest = text[match.end() :]
        if HEAD.match(rest) and scope.opens(text[: match.end()].strip()):
            return [
                replace(head, start=head.start + match.end(), end=head.end + match.end())
                for head in heads_in(rest)
            ]
    return []


def _clause_end(text: str, start: int, end: int) -> int:
    """Returns where the clause before the next topic ends: what joins both belongs to neither."""
    joined = re.match(
        r"[\s,;.:–—-]*(?:(?:and|but|while|whereas|und|aber|während|also|then|auch|dann|sowie|&)(?!\w)\s*)*",
        text[start:end],
        re.IGNORECASE,
    )
    return start + (joined.end() if joined else 0)


def _of_head(
    head: Head,
    before: str,
    after: str,
    lines: list[str],
    above: list[str],
    topics: Topics,
    prior: Topic | None,
) -> list[Statement]:
    """Returns what is stated of one topic: in the values after it, in the lines below, or before it."""
    rank = _RANK_BEFORE.search(before)
    if rank is not None:
        named = rank_named(rank["rank"])
        head, before = replace(head, rank=named if named and named > 0 else 1), before[: rank.start()]
    adds = bool(_ONE_OF.search(before))
    before = _ONE_OF.sub("", before)
    clear = scope.is_transparent(before)
    if clear and re.search(r"\bdass\s*$", before, re.IGNORECASE) and (match := _VERB_LAST.match(after)):
        topic = topic_named(match["noun"], topics, disliked=head.disliked)
        if topic is not None:
            return _valued(head, topic, match["verb"], match["value"], [], adds=False)
    frame = likings.topic_framed(before, topics, disliked=head.disliked)
    inverted = _INVERTED.match(before)
    if (
        inverted
        and (scope.opens(inverted["opens"].strip(" ,")) or frame)
        and (match := _GERMAN_NOUN.match(after))
    ):
        topic = (
            frame if head.is_noun and frame else topic_named(match["noun"], topics, disliked=head.disliked)
        )
        region = after if head.is_noun and frame else match["value"]
        return (
            []
            if topic is None
            else _valued(
                head, topic, "sind" if before.rstrip().endswith("sind") else "ist", region, [], adds=False
            )
        )
    link = _link(after)
    if link is not None and (
        clear or (not after[: link.start()].strip(" ,") and (frame or _LABEL.fullmatch(before)))
    ):
        return _linked(head, before, after, link, lines, topics, prior, adds=adds)
    if link is None and lines and clear:
        topic = _topic_at(after, before, head, topics, prior)
        return [] if topic is None else list_statements(topic, in_lines(lines, after), head)
    return _reversed(head, before, after, above, topics, prior, adds=adds)


def _linked(
    head: Head, before: str, after: str, link: re.Match[str], lines: list[str], topics: Topics,
    prior: Topic | None, *, adds: bool
) -> list[Statement]:  # fmt: skip
    """Returns what is stated by "my favourite NOUN is …" and "my favourite NOUN: …"."""
    noun = _PAREN.sub("", after[: link.start()])
    topic = _topic_at(noun, before, head, topics, prior)
    if topic is None:
        return []
    verb = (link["verb"] or "").strip().lower()
    if head.is_bare and verb and not re.search(r" (?:of mine|von mir)$", noun, re.IGNORECASE):
        return []
    region = after[link.start() if link["mark"] or link["ordinal"] else link.end() :]
    if (verb and _DENIED.search(verb)) or _DENIED.match(region.strip()):
        match = _INSTEAD.search(region)
        return [] if match is None else single(head, topic, read(match["value"], noun, is_single=True))
    return _valued(head, topic, verb, region, lines, adds=adds or bool(_INCLUDES.search(verb)))


def _valued(
    head: Head, topic: Topic, verb: str, region: str, lines: list[str], *, adds: bool
) -> list[Statement]:
    """Returns the statements about a topic from what follows it."""
    noun = topic.category
    if lines and marks(region):
        region, lines = "\n".join([region, *lines]), []
    if lines and not re.sub(_FOLLOWS, "", region).strip(" :*_-–—.>\t"):
        return list_statements(topic, in_lines(lines, noun), head)
    if not verb and not marks(region) and re.match(r"\W*\d+\s*$", region):
        return []
    is_single = (bool(_SINGULAR.search(verb)) or head.rank is not None) and not adds
    if head.is_one and re.match(r"\W*(?:to|that|not|getting|making)\b", region, re.IGNORECASE):
        return []
    moved = corrected_value(region) if is_single else corrected(region)
    items = read(
        moved or region,
        noun,
        is_single=is_single or (adds and bool(_SINGULAR.search(verb))),
        lenient=not verb,
        rank=head.rank,
    )
    if verb and not is_single and len(items) == 1 and items[0][0] is None and not adds:
        return list_statements(topic, items, head)
    if not verb and len(items) == 1 and items[0][0] is None and topic.is_single and not head.is_top:
        return single(head, topic, items)
    if is_single and len(items) == 1:
        is_said_of = head.is_cased and verb and re.fullmatch(r"[a-zäöüß]+", items[0][1])
        return [] if is_said_of and topic.category != "colors" else single(head, topic, items)
    only = bool(re.search(r"\b(?:only|nur(?: noch)?)\b", verb + region[:20], re.IGNORECASE))
    return list_statements(topic, items, head, adds=adds, only=only, placed=is_single)


_FOLLOWS = re.compile(
    r"\b(?:as follows|the following(?: ones)?|these|diese|folgende|now|currently|only|jetzt|in (?:that "
    r"|this )?order|in order|ranked|so far|\(?(?:best|worst) first\)?)\b",
    re.IGNORECASE,
)


def _link(after: str) -> re.Match[str] | None:
    """Returns what joins a topic to its values, if it is near enough."""
    return next((link for link in LINK.finditer(after, 0, NOUN_MAX + 60) if link.end() > link.start()), None)


def _topic_at(noun: str, before: str, head: Head, topics: Topics, prior: Topic | None) -> Topic | None:
    """Returns the topic of a noun phrase, or the one spoken of if there is none: "For tea my favourite
    is"."""
    plain = re.sub(
        r" \((?:in|with|mit|von|from|best|worst|most|least|ranked|nach|ohne|no|not)[^()]{0,40}\)$"
        r"| nach Punkten$",
        "",
        noun.strip(" ,:*_"),
    )
    plain = re.sub(r"^(?:ones?|choice|pick|is)$", "", plain, flags=re.IGNORECASE)
    if not plain:
        label = _LABEL.fullmatch(before)
        if label is not None:
            return topic_named(label["noun"], topics, disliked=head.disliked)
        framed = likings.topic_framed(before, topics, disliked=head.disliked)
        if framed or prior is None or not (head.rank or not head.compound):
            return framed
        if prior.key.startswith(DISLIKED) == head.disliked:
            return prior
        return topics.about(prior.category, disliked=head.disliked)
    if (head.is_top or head.is_one) and _NOT_LIKED.search(plain):
        return None
    of = re.match(
        r"(?:of|among(?:st)?|from|out of|von|unter|bei|beim) (?:all )?(?:the |my |den |der |allen "
        r"|meinen )?(?P<noun>.+)$",
        plain,
        re.IGNORECASE,
    )
    return topic_named(of["noun"] if of else plain, topics, disliked=head.disliked)


def _reversed(
    head: Head, before: str, after: str, above: list[str], topics: Topics, prior: Topic | None, *, adds: bool
) -> list[Statement]:
    """Returns the statement of "Blue is my favourite colour"."""
    reverse = _REVERSE.match(before.strip())
    if reverse is None:
        late = re.match(r"(?P<frame>.+?),? (?P<verb>ist|sind) (?P<value>.+)$", before.strip())
        topic = (
            likings.topic_framed(late["frame"], topics, disliked=head.disliked)
            if late and head.is_noun
            else None
        )
        return (
            []
            if late is None or topic is None
            else _valued(head, topic, late["verb"], late["value"], [], adds=False)
        )
    reason = re.search(
        r",? (?:because|since|cause|weil|denn|da|as)\b|,? (?:but|though|aber|obwohl) |;| [–—-]+ |, ", after
    )
    follows = _FOLLOWED.match(after, reason.start()) if reason else None
    if reason is not None:
        if takes_back(after[reason.start() :]):
            return []
        after = after[: reason.start()]
    noun = re.sub(r"[\s!.]*(?:ever|of all time|by far|now|hands down|:\)|too|as well)?[\s!.]*$", "", after)
    value = reverse["value"].strip()
    frame, comma, rest = value.partition(", ")
    framed = likings.topic_framed(frame, topics, disliked=head.disliked) if comma else None
    if (not (framed and not noun.strip()) and scope.begins_part(value)) or (
        head.compound and re.match(r"\s*[\w-]+ (?!(?:in|aus|für|im|am|an|auf|von|bei)\b)\w", noun)
    ):
        return []
    topic = framed if framed and not noun.strip() else _topic_at(noun, "", head, topics, prior)
    if topic is None:
        return []
    if _POINTING.fullmatch(value):
        return list_statements(topic, in_lines(above, topic.category), head) if above else []
    if framed is not None and not noun.strip():
        value = rest
    opened = _without_opening(value)
    if opened is None:
        return []
    is_single = bool(_SINGULAR.search(reverse["verb"] or "sind")) and not adds
    opened = without_article(opened, topic.category) + (f", then {follows['next']}" if follows else "")
    items = read(
        opened, topic.category, is_single=bool(_SINGULAR.search(reverse["verb"] or "sind")), rank=head.rank
    )
    if marks(opened):
        return list_statements(topic, items, head)
    if is_single and follows is None:
        return single(head, topic, items)
    if follows is not None:
        return list_statements(topic, items, head, placed=is_single)
    return list_statements(
        topic, [(None, item) for _, item in items], head, adds=adds or head.rank is not None
    )


def _without_opening(value: str) -> str | None:
    """Returns the values of a reversed clause without what opens it; None if that is not understood."""
    for cut in [0, *(match.end() for match in re.finditer(r"(?:[,;:] | [–—-] |\s)", value))]:
        if cut and scope.opens(value[:cut].strip()):
            rest = value[cut:]
            if not any(scope.opens(rest[: match.end()].strip()) for match in re.finditer(r"\s", rest)):
                return rest
    clause = re.match(r"(?P<before>.+[;:] |.+ [–—-] )(?P<value>.+)$", value)
    if clause is not None:
        return clause["value"] if scope.is_transparent(clause["before"]) else None
    return value


def _of_them(text: str, lines: list[str], prior: Topic | None) -> list[Statement]:
    """Returns the list of the topic that was mentioned before: "They are now: 1) …"."""
    match = _THEM.match(text)
    if match is not None and prior is not None:
        return _valued(PLAIN, prior, "are", text[match.end() :], lines, adds=False)
    after = _NEXT.match(text)
    if after is not None and prior is not None and not lines:
        head = replace(PLAIN, rank=rank_named(after["rank"]))
        return single(head, prior, read(after["value"], prior.category, is_single=True, rank=head.rank))
    return []


def _of_registered(text: str, lines: list[str], topics: Topics) -> list[Statement]:
    """Returns the ranked list of a registered topic that is only called one's own: "My cryptos: 1) XMR"."""
    match = _REGISTERED.search(text)
    if match is None or not scope.is_transparent(text[: match.start()]):
        return []
    if match["ranking"]:
        topic = topic_named(match["noun"], topics)
    else:
        registered = topics.registered(match["avoided"] or match["noun"])
        topic = registered and topics.about(registered.nouns[0], disliked=match["avoided"] is not None)
    if topic is None:
        return []
    region = text[match.end() :]
    if marks(region):
        return list_statements(topic, read(region, topic.category), PLAIN)
    return (
        list_statements(topic, in_lines(lines, topic.category), PLAIN)
        if any(marks(line) for line in lines)
        else []
    )


def _of_mine(text: str, topics: Topics) -> list[Statement]:
    """Returns what "mine is …" states of a topic that is named as somebody else's before."""
    match = _MINE.search(text) or _MINE_BARE.search(text)
    named = list(_OTHERS.finditer(text, 0, match.start())) if match else []
    if (
        match is None
        or not named
        or not scope.is_aside(text[: match.start()] + ("," * ("and" in match[0] or "und" in match[0])))
    ):
        return []
    topic = topic_named(named[-1]["noun"], topics)
    if topic is None:
        return []
    verb = match[0].split()[-1] if match.re is _MINE else "ist"
    return _valued(PLAIN, topic, verb, text[match.end() :], [], adds=False)
