"""Reads edits of lists that are told: put first, move, swap, replace, rename, change, remove, add, clear."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from holdfast.core.facts import IF_KNOWN, LAST, RANK_MAX, RANKED_MAX, Act, Statement
from holdfast.language.facts.heads import heads_in, topic_named
from holdfast.language.facts.lexicon import POSITION, rank_named
from holdfast.language.facts.topics import Topics
from holdfast.language.facts.values import clean_value, items_of

TEXT_MAX = 400
"""Characters; a longer text is no edit without the words of a topic."""
_V = r"(?P<value>[^?\n]{1,200}?)"
_O = r"(?P<other>[^?\n]{1,200}?)"
_T = (
    r"(?P<target>(?:,? (?:in|of|on|from|off|out of|to|into|onto|among|within|for|at|von|aus|in|zu"
    r"|auf|unter|bei|im|vom|zur|zum|an)) [^?\n]{1,120}?| meiner [^?\n]{1,80}?)?"
)
_NTH = (
    rf"(?P<position>(?:(?:my|the|mein\w*|die|der|das|den|dem) )?{POSITION}(?: (?:one|place|spot"
    r"|position|item|entry|stelle|platz|position|eintrag|rang))?)"
)
_TO = (
    r"(?:(?:to|at|in|into|on|as|auf|an|ans|zum|zur|zu|als|nach) )?(?:(?:my|the|die|den|das|der|mein\w*)"
    rf" )?(?:(?P<position>{POSITION})(?: (?:place|spot|position|rank|slot|one|stelle|platz|rang"
    r"|position))?|(?P<top>(?:very )?(?:top|front|start|beginning|head|anfang|spitze"
    r"|(?:ganz )?(?:nach )?(?:ganz )?(?:oben|vorne?)))|(?P<end>(?:very )?(?:end|bottom|back|ende|schluss"
    r"|(?:ganz )?(?:nach )?(?:ganz )?(?:unten|hinten))))"
)
_BESIDE = (
    r"(?:(?P<before>before|above|ahead of|in front of|over|vor|über|oberhalb von)|(?P<after>after"
    r"|below|behind|under|underneath|following|nach|hinter|unter|unterhalb von)) "
    r"(?!(?:ganz )?(?:oben|unten|vorne?|hinten)\b)"
)
_OFF = r"(?: (?:off|out|away|raus|heraus|runter|weg|wieder))?"
_SOFT = re.compile(r"(?<=\w) (?:bitte|mal|doch|einfach|please|kindly|just)(?= \w)", re.IGNORECASE)
"""Words within an edit that change nothing of it."""
_INFINITIVE = re.compile(
    r"(?P<rest>.+?) (?P<prefix>hinzu|dazu|ein|auf|um|aus|raus|heraus|weg|ab)?(?P<verb>fügen|nehmen|werfen"
    r"|benennen|tauschen|vertauschen|setzen|stellen|packen|schieben|verschieben|entfernen|löschen|streichen"
    r"|ersetzen|ändern|leeren|vergessen|ergänzen)$",
    re.IGNORECASE,
)
"""A German edit with its verb at the end: "Assam durch Mate ersetzen"."""
_DENIED = re.compile(
    r"^(?:[\w']+ )?(?:not|never|nie)\b|\bnicht[\s.!]*$|\b(?:lieber|doch|noch) nicht\b", re.IGNORECASE
)
_IMPERATIVES = {"nehmen": "nimm", "werfen": "wirf", "vergessen": "vergiss"}
_STATED = re.compile(
    r"\b(?:should|must|goes|belongs|moves|soll|gehört|muss|kommt|instead of|statt|anstelle|no"
    r" longer|mehr|any ?more"
    r"|(?:to|at) the (?:very )?(?:top|end|bottom|front)|(?:zum|ans) (?:anfang|ende|schluss)"
    r"|nach (?:ganz )?(?:oben|unten|vorne?|hinten))\b"
)
"""Words of an edit without a verb of its own: "Assam should be second", "Mate nach oben"."""
_LEAD = re.compile(
    r"^\W*(?:(?:please|pls|kindly|bitte|ok|okay|now|then|actually|so|and|also|hey|hm+|oh|wait"
    r"|well|alright|great|thanks|no|yes|and then|und|dann|jetzt|nun|also|doch|ach|nein|ja|danke"
    r"|sorry|on second thought|on second thoughts|by the way|btw|oh wait|no wait|moment"
    r"|übrigens)[,:;.!]* +"
    r"|(?:can|could|would|will) you (?:please |kindly |just |also )*|(?:i'd like (?:you )?to|i"
    r" want (?:you )?to|i would like (?:you )?to|let's|let me|you can|you may|you should|i'd|we"
    r" should|make sure to|be so kind and) (?:please )?"
    r"|(?:kannst|könntest|würdest) du (?:bitte |mal |mir |noch )*|(?:ich möchte|ich will|lass"
    r" uns|ich würde gern(?:e)?) )*",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:[,.]? (?:please|pls|bitte|thanks|thank you|danke|instead|now|again|for me|then|too|as"
    r" well|jetzt|stattdessen|noch|auch|wieder|mal|ok|okay|mehr))*[\s.!?,]*$",
    re.IGNORECASE,
)
_DRIVES = (
    "put", "move", "place", "rank", "set", "shift", "bump", "push", "promote", "demote", "bring", "slide",
    "swap", "switch", "exchange", "replace", "substitute", "rename", "change", "make", "update", "remove",
    "delete", "drop", "take", "strike", "cross", "kick", "scratch", "erase", "get rid", "add", "append",
    "include", "insert", "squeeze", "clear", "forget", "wipe", "reset", "empty", "i no longer",
    "i don't have", "i do not have", "call", "correct", "turn", "setz", "stell", "pack", "schieb",
    "verschieb", "rück", "bewege", "ordne", "tausch", "vertausch", "ersetz", "wechsel", "benenn", "nenn",
    "änder", "mach", "entfern", "lösch", "streich", "nimm", "wirf", "schmeiß", "füg", "ergänz", "häng",
    "leer", "vergiss", "ich habe kein", "ich hab kein", "hab kein", "nimm", "trag", "stick", "slot", "throw",
    "rutsch", "schreib", "use ",
)  # fmt: skip
_TRIGGER = re.compile(rf"(?:^|[\s,.])(?:{'|'.join(re.escape(verb) for verb in _DRIVES)})", re.IGNORECASE)


_OUTER = re.compile(
    r"(?P<target>(?:in|from|on|of|bei|aus|von|auf) (?:my|mein\w*) [^,?]{1,60}?),?"
    r" (?P<rest>(?:please |bitte )?[a-zäöü]+ .+)$",
    re.IGNORECASE,
)
_INNER = re.compile(
    r"(?P<verb>[^\W\d]+) (?P<target>(?:in|from|aus|von|bei|zu) mein\w* [\w-]+) (?P<rest>.+)$", re.IGNORECASE
)
"""The list that is named before the edit: "In meinen Lieblingsfarben …"."""


def _rule(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"^{pattern}$", re.IGNORECASE)


_PUT = (
    r"(?:put|move|place|rank|set|shift|bump|push|promote|demote|bring|slide|insert|add|stick|slot|make|setze?"
    r"|stelle?|packe?|schiebe?|verschiebe?|rücke?|bewege?|füge?|nimm|trage?|ordne)(?: up| down|"
    r" back)?"
)
_REMOVE = (
    r"(?:remove|delete|drop|take|strike|cross|kick|scratch|erase|get rid of|throw|entferne?|lösche?"
    r"|streiche?|nimm|wirf|schmeiße?)"
)
_FROM = r"(?: (?:ein|hinzu|dazu|rein|auf|um|ab|zurück))?"
_MANY = r"(?:my|the|mein\w*|die|der|das|all(?: of)? my|alle? meine|all)"


def may_edit(low: str) -> bool:
    """Checks whether a text in lower case may be an edit."""
    return bool(_TRIGGER.search(low) or _STATED.search(low) or _INFINITIVE.match(low.rstrip(" .!")))


def edits_in(text: str, topics: Topics) -> list[Statement] | None:
    """Returns the statements of a sentence that edits a list; None if it is no edit."""
    if len(text) > TEXT_MAX:
        return None
    lead = _LEAD.match(text)
    plain = text[lead.end() if lead else 0 :]
    polite = bool(re.search(r"\b(?:you|du)\b", text[: lead.end() if lead else 0], re.IGNORECASE))
    if (plain.rstrip().endswith("?") and not polite) or _DENIED.search(plain):
        return None
    moved = _OUTER.match(plain)
    if moved is not None:
        plain = f"{moved['rest'].rstrip(' .!')} {moved['target']}"
    plain = _SOFT.sub("", plain[: _TAIL.search(plain).start()])  # type: ignore[union-attr]
    last = _INFINITIVE.fullmatch(plain)
    if last is not None and not _TRIGGER.match(plain.lower()):
        verb = last["verb"].lower()
        plain = (
            f"{_IMPERATIVES.get(verb, verb.removesuffix('n'))} {last['rest']} {last['prefix'] or ''}".strip()
        )
    if not _TRIGGER.match(plain.lower()):
        return _built(_STATED_RULES, plain, topics) if _STATED.search(plain.lower()) else None
    inner = _INNER.match(plain)
    if inner is not None:
        plain = f"{inner['verb']} {inner['rest']} {inner['target']}"
    return _built(_RULES, plain, topics)


def _built(rules: list[tuple[re.Pattern[str], _Build]], plain: str, topics: Topics) -> list[Statement] | None:
    for pattern, build in rules:
        match = pattern.match(plain)
        if match is not None:
            found = list(build(match, topics))
            if found:
                return found
    return None


def corrected(text: str) -> str | None:
    """Returns a list that is corrected while it is told: "A, B... no wait, C comes before B"; None if it is
    not."""
    match = re.match(
        r"(?P<list>.+?)(?:\.\.\.|…|[,;–—-])\s*(?:no,? wait|wait|no|actually|sorry|nein|halt"
        r"|quatsch|moment)[,:]?\s+(?P<value>[^,]+?) (?:comes|goes|is|ranks|belongs|should be"
        r"|kommt|gehört|ist|steht) (?:(?P<before>before|above|ahead of|vor|über)|after|below"
        r"|behind|nach|hinter|unter) (?P<other>[^,]+)$",
        text.rstrip(" .!"),
        re.IGNORECASE,
    )
    if match is None:
        return None
    values = [item for item in items_of(match["list"]) if item.lower() != match["value"].strip().lower()]
    beside = match["other"].strip(" .!").lower()
    at = next((i for i, item in enumerate(values) if item.lower() == beside), None)
    if at is None:
        return None
    values.insert(at if match["before"] else at + 1, match["value"].strip())
    return ", ".join(values)


# what an edit concerns


def _key(target: str | None, topics: Topics, *, adds: bool = False) -> str | None:
    """Returns the key of the list that an edit names: empty if it names none, with a question mark if the
    list must exist already, None if it names something else."""
    if target is None:
        return ""
    plain = re.sub(
        r"^,? ?(?:one of|in|of|on|from|off|out of|to|into|onto|among|within|for|at|von|aus|zu|auf"
        r"|unter|bei|im|vom|zur|zum|an)\s+",
        "",
        target.strip(),
        flags=re.IGNORECASE,
    ).strip(" .!,:")
    plain = re.sub(
        r"^(?:(?:the|my|meine[rnms]?|mein|die|der|den|dem) )?(?:list|ranking|liste"
        r"|rangliste)(?: (?:of|with|für|mit|von|for|der)(?: the)?)? (?=(?:my|mein\w*|favou?rite"
        r"|lieblings)\b|lieblings)",
        "",
        plain,
        flags=re.IGNORECASE,
    )
    if re.fullmatch(
        r"(?:(?:my|the|this|that|meine[rnms]?|die|der|den|dieser?) )?(?:list|favou?rites|favs"
        r"|faves|ranking|liste|rangliste|favoriten|it|there|order|reihenfolge|lieblingsliste)",
        plain,
        re.IGNORECASE,
    ):
        return ""
    found = heads_in(plain)
    if found and found[0].start == 0:
        head = found[0]
        topic = topic_named(
            re.sub(r"\s*(?:list|ranking|liste)$", "", plain[head.end :], flags=re.IGNORECASE),
            topics,
            disliked=head.disliked,
        )
        return topic.key if topic is not None and head.rank is None else None
    hated = re.match(
        r"(?:the )?(?P<noun>[\w' -]{1,50}?) (?:that )?I (?:hate|dislike|avoid|can't stand|don't like)$",
        plain,
        re.IGNORECASE,
    )
    if hated is not None:
        topic = topic_named(hated["noun"], topics, disliked=True)
        return None if topic is None else topic.key
    own = (
        None
        if adds and not re.search(r"list|ranking|liste|favorit|s$", plain, re.IGNORECASE)
        else re.match(
            r"(?:my|meine[rnms]?|mein|the|der|die|den) (?P<noun>[\w' -]{1,50}?)(?: list| ranking|liste)?$",
            plain,
            re.IGNORECASE,
        )
    )
    topic = topic_named(own["noun"], topics) if own is not None else None
    return None if topic is None else f"?{topic.key}"


def _reference(text: str) -> str:
    """Returns a value as it is named, or a position as `#2`."""
    plain = text.strip(" ,:")
    match = re.fullmatch(
        rf"(?:(?:my|the|mein\w*|die|der|das|den|dem) )?(?P<position>{POSITION})(?: (?:one|place"
        r"|spot|position|item|entry|stelle|platz|eintrag|rang))?",
        plain,
        re.IGNORECASE,
    )
    rank = (
        rank_named(
            re.sub(r"^(?:my|the|mein\w*|die|der|das|den|dem) ", "", match["position"], flags=re.IGNORECASE)
        )
        if match
        else None
    )
    if rank is not None and (rank == LAST or 1 <= rank <= RANK_MAX):
        return f"#{rank}"
    return clean_value(
        re.sub(r"^(?:(?:the|die|der|das|den) (?=[A-Z])|noch |also |auch |doch )", "", plain), RANKED_MAX
    )


def _rank(match: re.Match[str]) -> int | None:
    groups = match.groupdict()
    if groups.get("top"):
        return 1
    if groups.get("end"):
        return LAST
    rank = rank_named(groups["position"]) if groups.get("position") else None
    return rank if rank is not None and (rank == LAST or 1 <= rank <= RANK_MAX) else None


_VAGUE = re.compile(
    r"(?:it|them|that|this|these|those|things?|everything|something|anything|nothing|you|me|us"
    r"|up|some|more|another|a|an|my [\w ]+|your .+|all|sie|es|das|ihn|mich|alles|etwas|was)$",
    re.IGNORECASE,
)


def _is_value(value: str) -> bool:
    return bool(value) and not _VAGUE.match(value) and len(value.split()) <= 12


def _placed(match: re.Match[str], topics: Topics) -> Iterator[Statement]:
    key, value, rank = _key(match["target"], topics), _reference(match["value"]), _rank(match)
    if key is not None and rank is not None and _is_value(value):
        if key == "" and not value.startswith("#") and _NAME.fullmatch(match["value"].strip()):
            if match["target"]:
                yield Statement("", Act.ADD, value)
            elif _PLACE.search(match[0][match.end("value") :]):
                yield Statement(IF_KNOWN, Act.ADD, value)
        yield Statement(key, Act.PLACE, value, rank)


_NAME = re.compile(
    r"(?!(?:the|my|a|an|this|that|all|die|der|das|den|dem|ein\w*|diese\w*|alle) )\S+(?: \S+){0,4}"
)
"""A value said without an article. With one ("the summary") it is something else than a new value."""
_PLACE = re.compile(
    r"#\d|\b(?:number|no\.|nr\.|nummer|platz|place|spot|position|rang|rank|slot|stelle|list|liste)\b",
    re.IGNORECASE,
)
"""Words by which an edit that names no list is about one."""


def _moved(match: re.Match[str], topics: Topics) -> Iterator[Statement]:
    yield from (statement for statement in _placed(match, topics) if statement.act is Act.PLACE)


def _beside(match: re.Match[str], topics: Topics) -> Iterator[Statement]:
    key, value, other = _key(match["target"], topics), _reference(match["value"]), _reference(match["other"])
    if key is not None and _is_value(value) and _is_value(other):
        yield Statement(key, Act.BEFORE if match["before"] else Act.AFTER, value, None, other)


def _swapped(match: re.Match[str], topics: Topics) -> Iterator[Statement]:
    key, value, other = _key(match["target"], topics), _reference(match["value"]), _reference(match["other"])
    if key is not None and _is_value(value) and _is_value(other):
        yield Statement(key, Act.SWAP, value, None, other)


def _replaced(match: re.Match[str], topics: Topics) -> Iterator[Statement]:
    """Yields a replacement: `value` is what stands there, `other` what takes its place."""
    key, old, new = (
        _key(match["target"], topics),
        _reference(match["value"]),
        clean_value(match["other"].strip(" ,:"), RANKED_MAX),
    )
    if key is not None and _is_value(old) and _is_value(new) and not new.startswith("#"):
        yield Statement(key, Act.REPLACE, new, None, old)


def _changed(match: re.Match[str], topics: Topics) -> Iterator[Statement]:
    """Yields what "change my second favourite colour to teal" states."""
    found = heads_in(match["head"])
    head = found[0] if found and found[0].start == 0 else None
    new = clean_value(match["other"].strip(" ,:"), RANKED_MAX)
    if head is None or not _is_value(new):
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
    head, value = found[0], _reference(match["value"])
    topic = topic_named(match["head"][head.end :], topics, disliked=head.disliked)
    if topic is not None and _is_value(value):
        yield (
            Statement(topic.key, Act.PLACE, value, head.rank)
            if head.rank
            else Statement(topic.key, Act.SINGLE, value)
        )


def _removed(match: re.Match[str], topics: Topics) -> Iterator[Statement]:
    key = _key(match["target"], topics)
    if key is None:
        return
    reference = _reference(match["value"])
    named = [reference] if reference.startswith("#") else items_of(match["value"])
    if not match["target"] and not reference.startswith("#") and len(named) == 1 and not _is_value(named[0]):
        return
    positions = [_reference(name) for name in named]
    for value in sorted(positions, key=lambda value: -int(value[1:]) if re.fullmatch(r"#\d+", value) else 0):
        if _is_value(value):
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
    key = _key(match["target"], topics, adds=True) if match["target"] else IF_KNOWN
    if key is None or (key == IF_KNOWN and not _NAME.fullmatch(match["value"])):
        return
    for value in items_of(re.sub(r"^(?:noch|also|auch) ", "", match["value"], flags=re.IGNORECASE)):
        if _is_value(value) and (
            key[:1] not in ("", IF_KNOWN) or not re.match(r"(?:an?|ein\w*|some) ", value)
        ):
            yield Statement(key, Act.ADD, value)


def _cleared(match: re.Match[str], topics: Topics) -> Iterator[Statement]:
    head = _WHOLE.sub("", match["head"])
    key = _key(head if re.match(r"(?:my|mein)", head, re.IGNORECASE) else f"my {head}", topics)
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
    (_rule(
        r"(?:swap|switch|exchange|tausche?|vertausche?) (?:the )?(?:order of |positions of |places"
        rf" of |die plätze von )?{_V} (?:and|with|und|mit) {_O}{_T}(?: around| out| aus)?"
    ), _swapped),
    (_rule(rf"{_PUT} {_V},? {_BESIDE}{_O}{_T}{_FROM}"), _beside),
    (_rule(
        r"(?:füge?|setze?|stelle?|packe?|schiebe?) (?P<before>vor)?(?P<after>nach|hinter)?"
        r" ?(?P<other>[^?\n]{1,100}?) (?:noch |auch )(?P<value>[^?\n]{1,100}?)(?P<target>"
        r" (?:in|zu|auf) (?:die|meine\w*|mein) [^?\n]{1,80})? ?(?:ein|hinzu|dazu)"
    ), _beside),
    (_rule(
        rf"(?:replace|substitute|exchange|swap out|ersetze?|tausche?|change|turn) {_V} (?:with|by"
        rf"|for|durch|gegen|mit|to|into) {_O}{_T}(?: aus)?"
    ), _replaced),
    (_rule(rf"use {_O} (?:instead of|in place of) {_V}{_T}"), _replaced),
    (_rule(rf"(?:rename|change|correct|update) {_V} (?:to|as|into) {_O}{_T}"), _replaced),
    (_rule(rf"(?:benenne?|nenne?) {_V}{_T} (?:in|jetzt|nun|zu) {_O}(?: um)?"), _replaced),
    (_rule(
        r"(?:change|set|update|make|correct|ändere?|setze?|mache?|korrigiere?) (?P<head>(?:my"
        rf"|mein\w*) [^?\n]{{1,100}}?) (?:to|into|be|as|zu|auf|in|=) {_O}(?P<target>(?!))?(?: um|"
        r" ab)?"
    ), _changed),
    (_rule(
        rf"(?:change|set|update|make|ändere?|setze?|mache?) {_NTH.replace('position', 'value')}(?:"
        rf" one)?{_T} (?:to|into|be|zu|auf|in|aus|=) {_O}"
    ), _replaced),
    (_rule(
        r"(?:make|rank|call|set|mache?) (?P<value>[^?\n]{1,100}?) (?:as |to |zu |als"
        r" )?(?P<head>(?:my|mein\w*) [^?\n]{1,100}?)"
    ), _promoted),
    (_rule(rf"{_PUT} {_V}(?: in| up| down| back)? {_TO}{_T}{_FROM}"), _placed),
    (_rule(rf"{_PUT} {_V}(?P<target> (?:in|to|on|into|auf|zu) [^?\n]{{1,100}}?),? {_TO}{_FROM}"), _placed),
    (_rule(
        r"(?:add|append|include|insert|put|füge?|ergänze?|setze?|packe?|nimm|trage?|schreibe?)"
        rf" {_V} (?:as |als )(?:my |the |mein\w*"
        rf" )?(?P<position>{POSITION})(?P<top>(?!))?(?P<end>(?!))?{_T}{_FROM}"
    ), _placed),
    (_rule(rf"{_REMOVE}{_OFF} (?P<head>(?:{_MANY} )[^?\n]{{1,100}}?){_OFF}"), _taken),
    (_rule(
        rf"{_REMOVE}{_OFF} {_V}{_OFF}(?P<target>(?: (?:from|off|out of|in|on|of|aus|von|vom|in))"
        rf" [^?\n]{{1,100}}?)?{_OFF}"
    ), _removed),
    (_rule(
        r"(?:add|append|include|insert|put|füge?|ergänze?|setze?|packe?|nimm|trage?|schreibe?)"
        rf" {_V}(?P<target> (?:to|in|into|on|onto|zu|auf|in|an) [^?\n]{{1,100}}?){_FROM}(?: hinzu|"
        r" auf| ein)?"
    ), _added),
    (_rule(
        r"(?:füge?|nimm|ergänze?) (?P<target>(?!))?(?:noch |auch )?(?P<value>[^?\n]{1,80}?)(?:"
        r" noch| auch)? (?:hinzu|dazu)"
    ), _added),
    (_rule(r"(?:ergänze?|add|append) (?P<target>(?!))?(?:noch |also )(?P<value>[^?\n]{1,80}?)"), _added),
    (_rule(
        r"(?:ergänze?|erweitere?) (?P<target>(?:meine?\w*) [^?\n]{1,100}?) (?:um|mit)"
        r" (?P<value>[^?\n]{1,200}?)"
    ), _added),
    (_rule(
        r"(?:clear|forget|delete|erase|wipe|reset|empty|remove|drop|vergiss|lösche?|leere?"
        r"|entferne?)(?: out| about)? (?P<head>(?:(?:all|of|alle|the|die|ganze|whole|entire|list"
        r"|liste) )*(?:my|mein\w*)"
        r" [^?\n]{1,100}?)(?: list| completely| entirely| komplett| ganz)?(?: out)?"
    ), _cleared),
    (_rule(
        r"i (?:no longer|don't|do not) have (?P<head>(?:any |a |an )?(?:favou?rite|fav|least)"
        r" ?[^?\n]{1,80}?)(?: any ?more| any longer)?"
    ), _cleared),
    (_rule(r"ich hab(?:e)? keine?n? (?P<head>lieblings[^?\n]{1,80}?)(?: mehr)"), _cleared),
]  # fmt: skip
_STATED_RULES: list[tuple[re.Pattern[str], _Build]] = [
    (_rule(
        rf"(?:instead of|statt|anstelle von) {_V}(?:,| lieber| bitte| jetzt| nehme ich| nimm| use|"
        rf" put)+ {_O}{_T}"
    ), _replaced),
    (_rule(rf"(?:lieber )?{_O} (?:instead of|statt|anstelle von) {_V}{_T}"), _replaced),
    (_rule(
        rf"{_V} (?:is no longer|(?:is|are)(?:n't| not)|no longer belongs|(?:gehört|zählt|ist|sind)"
        r" nicht mehr|(?:ist|sind) keine?[rs]?"
        r")(?: mehr)? (?P<target>(?:one of|among|on|in|to|zu|auf|unter|bei|von)? ?(?:my|mein\w*)"
        r" [^?\n]{1,80}?)(?: any ?more| any longer)?"
    ), _removed),
    (_rule(
        rf"{_V} (?:(?:should|must|has to|needs to|soll|muss|gehört|kommt) )?(?:(?:be|go|come|goes"
        r"|moves|belongs|now|jetzt|rather|lieber) )*"
        rf"{_TO}{_T}(?: stehen| sein| kommen| rutschen| hin)?"
    ), _moved),
]  # fmt: skip
"""Edits without a verb of their own: what they name must be in the list."""
