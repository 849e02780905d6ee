"""Reads the values that a topic is joined to: marks of ranks, an order in words, a list, or a single value.

A region is understood as a whole or not at all. What may be beside the values is listed here: words that
change nothing, a remark in brackets, a rating, a reason. A value is a name or a plain noun phrase; words that
make a clause of it ("what I wear today", "in the wash") show that something else is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from holdfast.core.facts import RANKED_MAX, SINGLE_MAX
from holdfast.language.facts import scope
from holdfast.language.facts.lexicon import ORDINAL, rank_named
from holdfast.language.facts.sequences import parted
from holdfast.language.facts.values import clean_value, is_emoji, items_of, lines_of, marked_values, marks

Item = tuple[int | None, str]
"""A value with its rank, if it has one."""

_ADVERBS = re.compile(
    r"(?:(?:now|still|definitely|probably|actually|currently|called|always|certainly|undoubtedly|clearly"
    r"|easily|hands down|by far|of course|obviously|without (?:a|any) doubt|no doubt|right now|these days"
    r"|at the moment|simply|just|nur noch|only|jetzt|nun|nur|inzwischen|mittlerweile|immer noch|noch immer"
    r"|nach wie vor|eindeutig|definitiv|natürlich|wohl|zurzeit|derzeit|aktuell|momentan|seit kurzem"
    r"|schon immer|immer|auf jeden fall|ganz klar|klar|aber|übrigens|also|auch|ja|und bleibt"
    r"|and always will be|has to be|as follows|the following|(?:in|nach) (?:that|this|dieser|der"
    r"|no particular|keiner bestimmten) (?:order|reihenfolge)|in (?:order|reihenfolge)|ranked|sorted"
    r"|from best to worst|best first|best to worst|uh+|um+|hm+|äh+|(?:in )?order of preference"
    r"|seit (?:\w+ )?(?:jahren|langem|ewigkeiten)|for (?:years|ages)|folgende|die folgenden|these|diese"
    r"|\((?:in|with|mit|von|from|best|ranked)[^()]{0,40}\))"
    r"(?:[,:.]+ *| +|$))+",
    re.IGNORECASE,
)
"""Words before values that change nothing of them."""
_TAIL = re.compile(
    r"(?:[\s,;.!–—-]|\b(?:please|pls|by far|hands down|right now|ever|for sure|of course|of all time"
    r"|obviously|too|as well|instead|now|again|any ?more|actually|lol|atm|these days|at the moment|at present"
    r"|nowadays|bitte|auch|jetzt|nun|stattdessen|natürlich|geworden|momentan|zurzeit|derzeit|aktuell|übrigens"
    r"|jedenfalls|eindeutig|definitely|honestly|tbh|in (?:that|this|dieser|der) (?:order|reihenfolge)|etc|usw"
    r"|and so on|und so weiter|respectively|thanks|thank you|danke)\b|\((?:in (?:that|this|dieser"
    r"|der) (?:order|reihenfolge)|obviously|of course|natürlich|for now)\)|[:;]-?[)D]|\bxD\b|<3|:3)+$",
    re.IGNORECASE,
)
"""What may follow values."""
_REASON = re.compile(
    r",? (?:because|cause|'?cuz|coz|since|weil|denn|da (?=ich|es|er|sie|man|die|der|das)|as (?=it|they|he|she"
    r"|i\b|we))\b|,? (?:though|although|while|whereas|but|obwohl|aber|während|wobei|sondern|so (?=i |that"
    r"|when))(?!\w)| [–—-]+ |, (?:which|who|where|whose|welche\w*|die ich|das ich|den ich|der mich|und zwar"
    r"|can you|could you|kannst du|not|nicht|also|it|it's|they|they're|i|i'm|i've|he|she|we|es|er|sie|ich"
    r"|wir) (?=\S)|, (?:(?:definitely|certainly|absolutely|but|just|ganz sicher|aber) (?:not|never|nicht)"
    r"|auf keinen fall|no way) (?=\S)"
    r"| (?:and|und) (?:i|i'm|it|it's|it is|they|that's|we|ich|es|das ist|die mag|und yours|and yours|yours"
    r"|deine?)\b|, (?:thank\w*|danke)\b|; (?=(?:every\w+|most|my|all|alle|jeder|meine?"
    r"|it|they|i|he|she|we|es|sie|ich|er|mit|but|no|not|please|use|so|thanks"
    r"|can|could|bitte) )",
    re.IGNORECASE,
)
"""Where something else is said: a reason, a contrast, a remark after a dash."""
_TAKES_BACK = re.compile(
    r"\b(?:ha(?:ha)+|lol|jk|kidding|joking|scherz|spaß|as if|or|oder|if|wenn|falls|unless|until|used to|maybe"
    r"|perhaps|vielleicht|would|could|might|said|says|sagte?|idk|no idea|not sure|unsure|i guess|i suppose"
    r"|glaube? ich|denke ich|no one|nobody|keine ahnung|who"
    r" knows|wer weiß|was|were|war)\b"
    r"|^\W*(?:not|no|nope|nein|nicht|nee|ne|right|correct|isn't it|gell|oder)\W*$"
    r"|^\W*(?:but|though|aber|doch)\b.*(?:\b(?:not|only|nur|nicht|never|nie)\b|n't)",
    re.IGNORECASE,
)
"""Words of a remark that leave open whether the values hold."""
_ASIDE = re.compile(r" ?\((?!\d{4}\))[^()]{1,80}\)")
_SQUARE_ASIDE = re.compile(r"(?<=[\w)\"'*]) \[(?!redacted)[^\[\]]{1,80}\]\s*$", re.IGNORECASE)
_RATING = re.compile(
    r"\s*(?:[–—:-]\s*)?(?:[(\[]\s*)?(?:\d{1,3}(?:[.,]\d+)?\s?/\s?\d{1,3}|\d{1,3}(?:[.,]\d+)?\s?(?:points?|pts"
    r"|stars?|punkte?n?|sterne?n?|%)|[★⭐☆]{1,5}\ufe0f?|(?<=[(\[])\d{1,3}(?=[)\]]))(?:\s*[)\]])?$",
    re.IGNORECASE,
)
_BLANK = re.compile(
    r"_{2,}|\.{3,}|…|\?|[\[<{][^\]>}]*[\]>}]|^(?:tbd|tba|tbc|todo|n/?a|x{2,}|y|z|xyz|foo|bar|baz|none|nothing"
    r"|null|undefined|noch offen|keine?r?|\W*(?:fill|insert|enter|choose|name|your|hier)\b.*|blank"
    r"|placeholder|k\.? ?a\.?)$|^idk\b",
    re.IGNORECASE,
)
"""A blank to be filled in, and what stands for no value."""
_LETTERS = re.compile(r"[A-ZÄÖÜ]{1}")
_CLAUSE = frozenset(
    "i you he she it we they me him them us my your his their our is are was were be been being am has have"
    " had will would can could may might shall should must do does did not no never nothing none nobody or if"
    " whether when while because that which who whom whose what why how where than these those this there"
    " here it's i'm i've they're don't doesn't isn't aren't can't yet somewhere everyone everything anything"
    " something anyone someone tbd etc one ones few others yours mine ours both neither either nor but"
    " although though"
    " ich du er es wir ihr mich mir dich dir uns ihn ihm sein ist sind war waren wäre wird werden hat habe"
    " haben hatte kann können soll sollte muss nicht kein keine keinen keiner nie nichts niemand oder ob wenn"
    " als weil dass was wer wie wo warum wann welche welcher welches dieser diese dieses hier dort mein meine"
    " meiner meinen meinem dein deine unser unsere euer doch schon noch jemand etwas alles deiner beides"
    " weder".split()
)
"""Words that make a clause, in lower case: "Be Thou My Vision" is a name."""
_FINITE = frozenset("it's he's she's that's i'm is are was ist sind war not nicht if wenn that which".split())
"""Those of them that no name contains in lower case."""
_NOT_FIRST = frozenset(
    "in on at from for with without by to of about near like under over up down out off as so too very quite"
    " really pretty rather almost just only already all some any many several most more less much as between"
    " behind below above around through during after before since until depending on hopefully hardly barely"
    " always never often sometimes and & then now still"
    " im am an auf aus bei mit ohne von vom zu zum zur für über unter vor nach hinter neben zwischen durch"
    " gegen seit bis sehr so ziemlich immer alle viele einige manche mehr weniger fast auch nur leider heute"
    " gestern morgen und gerade geheim".split()
)
"""Words that begin no value in lower case."""
_PREDICATES = frozenset(
    "changing hard tough tricky difficult impossible easy same different unknown undecided secret sold"
    " missing gone great coming closed closing open opening opened broken ruined lost dead dying empty full"
    " expensive cheap cheaper free available unavailable known famous popular back ending cancelled canceled"
    " good better best bad worse worst boring mess wrong stored saved listed nice amazing awesome fine ok"
    " okay important old older new newer ready due late early away overpriced overrated underrated perfect"
    " beautiful lovely delicious fantastic wonderful terrible horrible awful silly stupid weird strange funny"
    " sad happy annoying fun cool pretty ugly dirty clean wet dry big small little long short tall huge tiny"
    " close far near busy quiet loud safe dangerous rare common obvious evident clear true false real fake"
    " hidden private personal likely subject located based made tied getting going playing moving sleeping"
    " running waiting working retired injured sick ill married hungry tired asleep alive worth torn washed"
    " stained out-of-stock discontinued banned renovated nonexistent irrelevant private confidential"
    " up-to-date starting finished over obsolete deprecated slow fast faster slower"
    " schwer schwierig leicht gleich dieselbe dieselben dasselbe weg kaputt geschlossen zu offen teuer billig"
    " gut besser schlecht schlechter langweilig toll super schön anders unbekannt ausverkauft leer voll"
    " bekannt wichtig alt neu fertig müde krank lecker köstlich wunderbar klasse traurig lustig komisch"
    " seltsam falsch richtig klar hässlich schmutzig groß klein lang kurz teurer billiger egal vorbei unklar"
    " selten eingelaufen abgestiegen aufgestiegen gestorben umgezogen verloren gerissen verschwunden"
    " vergriffen gelöscht abgelaufen abgesagt".split()
)
"""What is said of a thing rather than names it."""
_ADVERBIAL = frozenset(
    "online offline next last today tomorrow yesterday tonight soon again anyway lately recently forever"
    " together enough gerade wieder heute morgen gestern bald geworden worden".split()
)
"""Words after a predicate that name nothing."""
_NO_VERBS = frozenset(
    "sparkling spring king ring string wing swing thing morning evening pudding lightning herring icing"
    " frosting stuffing dressing duckling darling earring clothing building painting wedding ceiling viking"
    " sibling sterling starling pudding".split()
)
"""Words in -ing that do not say what a thing does."""
_DOING = re.compile(
    r"(?:hobb|activit|pastime|chore|thing|sport|exercise|workout|task|way|beschäftigung|aufgabe|tätigkeit"
    r"|subject|skill|discipline|method|class|event|dance|technique|game|part)"
)
_ARTICLE = re.compile(r"^(?:the|an?|der|die|das|den|dem|eine?|einen|einer) (?=\S)")
_WORKS = re.compile(
    r"(?:films?|movies?|books?|novels?|songs?|tracks?|bands?|albums?|series|shows?|podcasts?|poems?|plays?"
    r"|operas?|musicals?|games?|comics?|anime|filme?|buch|bücher|romane?|lied(?:er)?|serien?|alben|spiele?"
    r"|opern?|gedichte?)(?!\w)",
    re.IGNORECASE,
)
"""Nouns whose values have titles, to which an article belongs."""
_NO_END = re.compile(r"(?<![,;]) (?:and|und) [^,;]+, (?!(?:and|und|then|dann|&) )(?!.* (?:and|und) )[^,;]+$")
"""What goes on after the last "and" of a list: "Dark and Lost, recommend more"."""
_CODE = re.compile(r"\w[(=]")
_GOES_ON = re.compile(r"(?<=\w) und [a-zäöü].*$")
_WORD = re.compile(r"[\w'’.&/+-]+")


def read(
    text: str, noun: str, *, is_single: bool = False, lenient: bool = False, rank: int | None = None
) -> list[Item]:
    """Returns the values of a region, empty if it is not understood.

    `noun` is what the values are, `one` tells that the verb is singular, `lenient` that they are given as a
    list (after a colon), `rank` the rank of the first.
    """
    text = text.rstrip(" \t").lstrip(" \t:=*_→")
    if "?" in text:
        return []
    markers = marks(text)
    pairs = marked_values(text, in_lines=False) if markers else []
    if pairs:
        opening = text[: markers[0][1]].strip(" (*_:,-–—[")
        if not opening or _ADVERBS.fullmatch(opening + " ") or re.fullmatch(r"\W*0[).:].*", opening):
            rest = text[markers[-1][2] :]
            if _remarks(rest) is None or scope.is_retracted(rest) or scope.is_tagged(rest):
                return []
            return list(cleaned([(rank, value) for rank, value in pairs], noun))
    plain = _remarks(_leading(text))
    if plain is None:
        return []
    plain = _untailed(plain).strip()
    parts = parted(plain, rank or 1)
    if len(parts) > 1:
        return _parts(parts, noun, rank, lenient=lenient)
    if is_single or rank is not None:
        if any(not part[:1].isupper() for part in re.sub("(?<=, )the ", "", plain).split(", ")[1:]):
            return []
        if plain[:1].isupper():
            plain = _GOES_ON.sub("", plain)
        value = _value(plain, noun, lenient=lenient, alone=True)
        return [(rank, value)] if value else []
    values = _split(plain)
    if not lenient and _NO_END.search(plain):
        return []
    items = [_value(item, noun, lenient=lenient, alone=len(values) == 1) for item in values]
    if len(items) == 1 and not lenient and items[0][-1:] != "s" and not _is_name(items[0]):
        return []
    ranks = [_TOLD_RANK.fullmatch(item) for item in items]
    if len(items) > 1 and all(ranks):
        return [(rank_named(match["rank"]), match["value"]) for match in ranks if match]
    if not items or not all(items) or (len(items) > 1 and all(_LETTERS.fullmatch(item) for item in items)):
        return []
    return [(None, item) for item in items]


def _parts(parts: list[tuple[int | None, str]], noun: str, rank: int | None, *, lenient: bool) -> list[Item]:
    """Returns the values of an order in words: "A, then B"; the first part may be several."""
    items: list[Item] = []
    parts[0] = (
        parts[0][0],
        re.sub(
            r"^(?:1st|first(?:ly)?|erstens|an erster stelle)[,:]? (?:is |comes )?",
            "",
            parts[0][1],
            flags=re.IGNORECASE,
        ),
    )
    for number, (own_rank, part) in enumerate(parts):
        values = (
            _split(_untailed(_leading(part))) if number == 0 and rank is None else [_untailed(_leading(part))]
        )
        for value in values:
            plain = _value(value, noun, lenient=lenient, alone=False)
            if not plain:
                return []
            items.append((own_rank if len(values) == 1 and len(items) == number else None, plain))
    if any(rank is None for rank, _ in items):
        items = [(place, value) for place, (_, value) in enumerate(items, 1)]
    return items


def cleaned(items: Sequence[Item], noun: str) -> Iterator[Item]:
    """Yields the values that are in marks or lines, without remarks and ratings; junk is left out."""
    rated = sum(bool(re.search(r"\(\d{1,3}\)$", value)) for _, value in items) > 1
    for rank, value in items:
        plain = _value(_first_part(value), noun, lenient=True, alone=False, rated=rated)
        if plain:
            yield rank, plain


def in_lines(lines: list[str], noun: str) -> list[Item]:
    """Returns the values of a list with one item in each line."""
    if len(lines) == 1 and len(pairs := marked_values(lines[0], in_lines=False)) > 1:
        return list(cleaned(pairs, noun))
    items = list(cleaned(list(lines_of(lines)), noun))
    if len(items) > 1 and all(rank is None for rank, _ in items):
        return [(rank, value) for rank, (_, value) in enumerate(items, 1)]
    return items


def without_article(text: str, noun: str) -> str:
    """Returns values that begin a sentence without the article of the first."""
    return (
        text
        if _WORKS.search(noun)
        else _ARTICLE.sub("", text[:1].lower() + text[1:])
        if _OPENS.match(text)
        else text
    )


_OPENS = re.compile(r"(?:The|An?|Der|Die|Das|Eine?) ")


def _untailed(text: str) -> str:
    return text[:-TAIL_MAX] + _TAIL.sub("", text[-TAIL_MAX:])


TAIL_MAX = 80
"""Characters of what follows values."""


def _leading(text: str) -> str:
    match = _ADVERBS.match(text)
    return text[match.end() :] if match and match.end() < len(text) else text


def _remarks(text: str) -> str | None:
    """Returns a region up to where something else is said, None if that leaves open whether it holds."""
    for match in _ASIDE.finditer(text):
        if _TAKES_BACK.search(match[0].strip(" ()")):
            return None
    stop = _REASON.search(text)
    while stop is not None and stop.start() == 0:
        stop = _REASON.search(text, stop.end())
    if stop is None:
        return text
    if stop[0].strip() in ("-", "–", "—") and _each_with_remark(text):
        return ", ".join(re.split(r" [–—-]+ ", part)[0] for part in text.split(","))
    if takes_back(text[stop.start() :]):
        return None
    return text[: stop.start()]


def takes_back(remark: str) -> bool:
    """Returns whether a remark leaves open whether what it follows holds."""
    return _TAKES_BACK.search(remark.strip(" ,;–—-.!")) is not None


def _each_with_remark(text: str) -> bool:
    parts = text.split(",")
    return len(parts) > 1 and all(re.search(r" [–—-]+ ", part) for part in parts)


def _first_part(value: str) -> str:
    """Returns a value of a list without the reason given for it."""
    reason = re.search(
        r"(?<=\w[\w\"')’.!]) [–—-]+ (?=\S)|,? (?:because|since|weil|denn|as it|cause)\b", value
    )
    return value if reason is None else value[: reason.start()]


def _split(text: str) -> list[str]:
    """Returns the items of a list; a repeated emoji separates them, too."""
    first = text[:1]
    if first and is_emoji(first) and text.count(first) > 1:
        return [part.strip(" ,\ufe0f") for part in text.split(first) if part.strip(" ,\ufe0f")]
    return items_of(
        _ASIDE.sub(lambda match: "" if "," in match[0] or not match[0][2:3].isupper() else match[0], text)
    )


def _value(text: str, noun: str, *, lenient: bool, alone: bool, rated: bool = True) -> str:
    """Returns a value in its plain form, empty if the text is none."""
    if not alone and (bracketed := _SQUARE_ASIDE.search(text)):  # by itself it would be a blank to fill in
        text = text[: bracketed.start()]
    plain = _RATING.sub("", text.strip()) if rated or not text.endswith(")") else text
    aside = re.search(r" ?\((?!\d{4}\))([^()]{1,80})\)$", plain)
    if aside and aside.start() and (not alone or not aside[1][:1].isupper()):
        plain = plain[: aside.start()]
    plain = clean_value(_untailed(_leading(plain.strip())) or plain, SINGLE_MAX if alone else RANKED_MAX)
    bare = _ARTICLE.sub("", plain)
    if not _WORKS.search(noun) or bare[:1].isupper():
        plain = bare
    if not plain or _CODE.search(plain) or _BLANK.search(plain) or _BLANK.search(text.strip()):
        return ""
    return plain if is_value(plain, noun, lenient=lenient) else ""


_NO_VALUE = re.compile(
    r"\b(?:and|und|or|oder|&|then|dann)$|^(?:platz|rang|nummer|number|no\.|place|spot) #?\d"
    r"|^(?:a )?(?:kind|sort|bit|type|art) of\b|\b(?:least )?(?:fav\w{3,9}|lieblings)[\w -]*(?::|$)",
    re.IGNORECASE,
)
"""What is no value: the rest of a list, a rank, something vague, or another list."""


def is_value(plain: str, noun: str, *, lenient: bool) -> bool:
    """Returns whether a text is a name or a plain noun phrase."""
    words = _WORD.findall(plain)
    if _NO_VALUE.search(plain):
        return False
    if not words:
        return any(ord(char) > 0x2000 for char in plain)
    if plain.startswith("Hq0") and len(words) == 1:
        return True
    if words[0].islower() and (words[0] in _NOT_FIRST or words[0] in ("my", "mein", "meine", "meinen")):
        return False
    small = [word.strip(".'’") for word in words if word[:1].islower()]
    titled = len(small) * 2 <= len(words) + (0 if len(words) < 5 else 1)
    if len(words) > (14 if titled or lenient else 12):
        return False
    if "or" in small or "oder" in small:
        return False
    if lenient:
        return not (small and words[0] == small[0] and len(words) > 8 and not _CLAUSE.isdisjoint(small))
    if titled:
        return _FINITE.isdisjoint(small) and not re.search(r"^[A-ZÄÖÜ].* and [a-z]+ [a-z]+ [a-z]", plain)
    if not _CLAUSE.isdisjoint(small):
        return False
    first, second = words[0], words[1] if len(words) > 1 else ""
    if first in _PREDICATES and (not second or second in _NOT_FIRST or second in _ADVERBIAL):
        return False
    if first.islower() and first.endswith("ing") and first not in _NO_VERBS and not _DOING.search(noun):
        return "-" in first
    if (
        second
        and first.islower()
        and first.endswith("ly")
        and first not in ("family", "jelly", "holy", "early", "daily", "belly")
    ):
        return False
    if (
        first.islower()
        and len(first) > 5
        and first.endswith("ed")
        and not first.endswith("eed")
        and not second
    ):
        return False
    return not (second in ("in", "on", "at") and first.endswith(("ed", "en")))


def _is_name(value: str) -> bool:
    """Returns whether a single value after a plural is surely one: it is quoted, a name or has a number."""
    return value[:1].isupper() or any(c.isdigit() for c in value) or value.startswith("Hq0")


_TOLD_RANK = re.compile(
    rf"(?P<value>.+?) (?:is |comes |ist |kommt )?(?:in |at |on |an |auf )?(?P<rank>{ORDINAL})(?: place"
    rf"| stelle)?",
    re.IGNORECASE,
)
