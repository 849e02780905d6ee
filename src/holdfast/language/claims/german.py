"""German clauses: the verb of the first person, before or behind its subject, and what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from holdfast.core.claims import CURRENT, PAST, PLAN, Claim
from holdfast.language.claims.attributes import (
    FREQUENT,
    FUTURE,
    NATIONALITIES,
    SPORTS,
    TIME,
    TYPE_OF,
)
from holdfast.language.claims.german_frames import FRAMES, MY, NO_PLAN, PAST_FORMS, PLANS, PLURAL, SAYINGS

_GERMAN = re.compile(
    r"\b(?:ich|mein\w*|wir|und|nicht|bin|habe|hab|ist|der|die|das|mit|seit|auf|für|von|unser\w*|mir|mich|bitte|auch|ein|eine|im|wohne|arbeite|zum|zur|beim|am|noch|jetzt)\b",
    re.IGNORECASE,
)
_ENGLISH = re.compile(
    r"\b(?:i|i'm|i've|my|and|the|with|for|is|we|our|of|to|a|have|am|now|not|from|please|it)\b", re.IGNORECASE
)


@lru_cache(64)
def is_german(text: str) -> bool:
    """Checks whether a sentence is German rather than English."""
    return len(_GERMAN.findall(text)) > len(_ENGLISH.findall(text))


_ICH = re.compile(r"(?<![\w'])(?:[Ii]ch|[Ww]ir)\b")
_WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")
_END = re.compile(
    r"[.!?;:()\n–—\ue000]|\s-\s|,(?!\d)|\s(?:aber|denn|sondern|weil|obwohl|während|doch)\s|\s(?:und|oder)\s(?=(?:ich|wir|mein|meine|unser|unsere|der|die|das|es|er|sie|kannst|könntest|bitte|du)\b)",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"^(?:(?:jetzt|nun|inzwischen|mittlerweile|auch|schon|noch|immer noch|gerade|derzeit|zurzeit|aktuell|momentan|im moment|übrigens|ja|wirklich|sehr|total|echt|leider|eigentlich|selbst|seit kurzem|wieder|nur|halt|nämlich|bereits|zum glück|beruflich|privat|hauptsächlich|meistens|ganz|einfach|absolut|besonders|natürlich|zusammen|ehrlich gesagt|seitdem|endlich|frisch|überhaupt|am liebsten|außerdem|neuerdings|letztlich|nicht mehr|nicht|nie|keinesfalls|früher|damals|mal|fast|so|als kind|dann|daher|deshalb|ab und zu|vor allem|bald|für mein leben)(?: |$))+",
    re.IGNORECASE,
)
_OPENERS = re.compile(
    r"(?:^|[,.;:!?()\n–—]|\b(?:und|aber|denn|weil|da|dass|obwohl|seit|nachdem|also|übrigens|hallo|hi|moin|ja|nein|ach|oh|jetzt|nun|inzwischen|mittlerweile|heute|gestern|morgen|leider|seitdem|deshalb|daher|außerdem|früher|damals|nämlich|zwar|ehrlich gesagt|eigentlich|aktuell|zurzeit|derzeit|momentan|gerade|hier|dort|seit .{2,25}|vor .{2,20}|im .{2,20}|am .{2,20}|in .{2,25}|letzte\w* \w+|nächste\w* \w+|jede\w* \w+|ab .{2,20}|als .{2,25}|bei .{2,25}|nach .{2,20}|von beruf|beruflich|kaffee|fleisch|\w+s|meistens|immer|oft|dann|endlich|wenn|bis .{2,20}|mit .{2,20}|auch|neuerdings|privat|nebenbei|ursprünglich|bitte|kurz|insgesamt))\s*$",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"\b\w*(?:ge\w+(?:t|en)|\w{3,}iert|begonnen|bekommen|verkauft|verloren|beendet|verlobt|erkrankt|übernommen|entschieden)\b$",
    re.IGNORECASE,
)
_EVENTS = frozenset(
    "age diet lives_in housing child grandchild works_as retired employer marital_status owns injury smokes degree job member_of studies".split()
)
_CLEAN = re.compile(
    r"(?:\s+(?:geworden|gekauft|gemacht|bekommen|geholt|zugelegt|angeschafft|habe|bin|wohne|arbeite|esse|trinke|lebe|mag))+$",
    re.IGNORECASE,
)
_LIKED = re.compile(r"\bgern(?:e)?\b", re.IGNORECASE)


def claims(text: str) -> list[Claim]:
    """Returns what a German sentence says of its author."""
    found = [*_of_my(text), *_of_sayings(text)]
    for match in _ICH.finditer(text):
        found += _clause(text, match)
    return found + list(_without_subject(text))


_DROPPED = re.compile(
    r"(?:^|[.;:!?(\n–—,]|\s-|\bund\b|\baber\b)\s*(?:(?:und|aber|also|ja|nein|hallo|hi|moin|ach|übrigens|ps|kurz zu mir|zu mir|hey|na ja|naja|nur|genau|stimmt|nee)[,:!]* )*(?P<verb>wohne|arbeite|bin|habe?|mag|esse|trinke|rauche|vertrage|komme(?= (?:aus|ursprünglich|eigentlich))|stamme|spreche|studiere|lebe|liebe|hasse|war(?= (?:früher|jahrelang|\w+ jahre))|hatte(?= (?:früher|mal|eine|einen))|wiege|leide|besitze|bevorzuge|nehme(?= (?:täglich|morgens|jeden|seit|abends))|kann(?= (?:kein|nicht|gut|weder))|jobbe|wohn|arbeit(?= (?:als|bei|in))|fahre(?= (?:einen|eine|mit dem|jeden))|spiele(?= (?:seit|in|im|klavier|gitarre|fußball|geige|schlagzeug|handball))|gehe(?= (?:jeden|regelmäßig|gern|oft|seit|einmal|zweimal)))\b(?! (?:du|sie|ihr|er|es)\b)",
    re.IGNORECASE,
)
_COMPLEMENT = re.compile(
    r"(?:^|[.;:!?(\n–—,]|\s-)\s*(?:(?:und|aber|ja|übrigens|selbst|seit \S+(?: \S+)?|inzwischen|mittlerweile|frisch|glücklich|ich) )*(?P<v>(?:allergisch (?:gegen|auf) [^,.;!?]+|(?:vegetarier|veganer|pescetarier)(?:in)?|vegan|vegetarisch|verheiratet|geschieden|verwitwet|alleinerziehend|schwanger|laktoseintolerant|(?:links|rechts)händer(?:in)?|diabetiker(?:in)?|asthmatiker(?:in)?|rentner(?:in)?|in rente|selbst(?:st)?ändig|geboren in [^,.;!?]+|nichtraucher(?:in)?))(?= seit\b|[,.;!?()–—]|\s-|$| und\b)",
    re.IGNORECASE,
)


def _without_subject(text: str) -> Iterator[Claim]:
    """Yields what clauses without a subject say: "Wohne in Kassel, verheiratet."."""
    if text.rstrip().endswith("?"):
        return
    for match in _DROPPED.finditer(text):
        before = text[: match.start()]
        if (
            re.search(r"\b(?:er|sie|es|wer|der|die|das|\w+in) (?:\w+ ){0,4}$", before, re.IGNORECASE)
            and match[0].strip()[:1] not in ".!?;"
        ):
            continue
        stop = _END.search(text, match.end())
        end = stop.start() if stop else len(text)
        if _ICH.match(text, match.end() + 1):
            continue
        yield from _frames(text, match.start("verb"), end, match["verb"], text[match.end() : end], "")
    for match in _COMPLEMENT.finditer(text):
        since = next((m["since"] for m in TIME.finditer(text) if m["since"]), None)
        for attribute, pattern in FRAMES["bin"]:
            found = re.compile(pattern, re.IGNORECASE).fullmatch(match["v"])
            if found is not None:
                value = _cut(found.groupdict().get("v") or match["v"])
                yield _claim(attribute, value, match.start("v"), match.end("v"), since=since)
                break


def _of_my(text: str) -> Iterator[Claim]:
    for attribute, pattern in MY:
        match = pattern.search(text)
        if match is not None:
            value = _cut(match["v"] or match.groupdict().get("w") or "")
            if value:
                yield _claim(attribute, value, match.start(), match.start() + len(match[0].rstrip(" .,!")))


def _of_sayings(text: str) -> Iterator[Claim]:
    for attribute, positive, pattern in SAYINGS:
        match = pattern.search(text)
        if match is not None:
            yield _claim(attribute, _cut(match["v"]), match.start(), match.end(), positive=positive)


def _clause(text: str, subject: re.Match[str]) -> Iterator[Claim]:
    before, after = list(_WORD.finditer(text, 0, subject.start())), list(_WORD.finditer(text, subject.end()))
    gap = _END.search(text, subject.end())
    end = gap.start() if gap else len(text)
    inside = [word for word in after if word.end() <= end]
    start, form, front = subject.start(), "", ""
    previous = before[-1] if before else None
    skip = 0
    while skip < len(inside) and inside[skip][0].lower() in (
        "selbst",
        "auch",
        "persönlich",
        "übrigens",
        "ja",
        "beide",
        "jetzt",
        "aber",
        "und",
    ):
        skip += 1
    if inside and _verb(inside[skip][0] if skip < len(inside) else "") is not None:
        form, tail_at = inside[skip][0].lower(), inside[skip].end()
        if not _OPENERS.search(text[: subject.start()]):
            return
    elif (
        previous is not None
        and _verb(previous[0]) is not None
        and not re.search(r"[,.;:!?]", text[previous.end() : subject.start()])
    ):
        form, tail_at = previous[0].lower(), subject.end()
        opening = text[: previous.start()]
        cut = max((m.end() for m in re.finditer(r"[,.;:!?()\n–—]|\b(?:und|aber|denn)\b", opening)), default=0)
        front = opening[cut:].strip()
        start = cut + (len(opening[cut:]) - len(opening[cut:].lstrip())) if front else previous.start()
        if not front and not re.search(r"(?:und|aber|denn|,)\s*$", opening):
            return  # a question
        if re.match(r"(?:ob|wenn|falls|warum|wie|was|wo|wer|welche\w*|wann)\b", front, re.IGNORECASE):
            return
    elif (
        inside
        and _verb(inside[-1][0]) is not None
        and re.search(
            r"\b(?:weil|dass|da|obwohl|seit|seitdem|nachdem|bevor|wo|die|den|das|der|als)\s*$",
            text[: subject.start()],
            re.IGNORECASE,
        )
    ):
        if re.search(r"\b(?:bevor|wo|die|den|das|der|ob)\s*$", text[: subject.start()], re.IGNORECASE):
            return
        form = inside[-1][0].lower()
        yield from _frames(text, start, end, form, text[subject.end() : inside[-1].start()], "")
        return
    else:
        return
    yield from _frames(text, start, end, form, text[tail_at:end], front)
    for joint in re.finditer(r"(?:,| und|, und) (?=(?P<w>[a-zäöüß]+)\b)", text[tail_at:]):
        place = tail_at + joint.end()
        if (
            _verb(joint["w"]) is not None and joint["w"] not in ("sind", "haben", "werden", "war", "waren")
        ) or joint["w"] in ("habe", "bin"):
            stop = _END.search(text, place)
            finish = stop.start() if stop else len(text)
            if _ICH.search(text, place, finish):
                continue
            yield from _frames(text, place, finish, joint["w"], text[place + len(joint["w"]) : finish], "")


def _verb(word: str) -> str | None:
    low = word.lower()
    low = PLURAL.get(low, low)
    return low if low in FRAMES or low == "zog" else None


def _frames(text: str, start: int, end: int, form: str, tail: str, front: str) -> Iterator[Claim]:
    verb = _verb(form)
    if verb is None:
        return
    joint = re.search(r" und (?=(?P<w>[a-zäöüß]+) )", tail)
    if joint is not None and _verb(joint["w"]) is not None:
        tail = tail[: joint.start()]
    last = start + len(text[start:end].rstrip(" ,"))
    whole = f"{front} {tail}"
    since = next((m["since"] for m in TIME.finditer(whole) if m["since"]), None)
    until = next((m["until"] for m in TIME.finditer(whole) if m["until"]), None)
    when = next((m["when"] for m in TIME.finditer(whole) if m["when"]), None)
    ended = bool(re.search(r"\bnicht mehr\b|\bkeine?[nsmr]?\b.*\bmehr\b", whole, re.IGNORECASE))
    past = form in PAST_FORMS or bool(
        re.search(r"\b(?:früher|damals|als kind|ehemals)\b", whole, re.IGNORECASE)
    )
    negative = (
        bool(re.search(r"\b(?:nicht|nie|niemals|kein\w*|ungern|weder)\b", whole, re.IGNORECASE)) and not ended
    )
    bare = TIME.sub("", f" {tail} ").strip(" ,")
    bare = _OPEN.sub("", bare).strip()
    bare = TIME.sub("", bare).strip(" ,")
    bare = (
        re.sub(
            r"\b(?:gar |überhaupt |leider |auch |absolut )?(?:nicht mehr|nicht|niemals|nie(?! \w+ing))\b\s*|\bmehr$",
            "",
            bare,
            flags=re.IGNORECASE,
        ).strip(" ,")
        if verb != "kann"
        else bare
    )
    changes = ended or bool(
        re.search(
            r"\b(?:jetzt|nun|inzwischen|mittlerweile|neuerdings|seit kurzem|endlich)\b", whole, re.IGNORECASE
        )
    )
    if verb in (
        "will",
        "möchte",
        "plane",
        "werde",
        "beginne",
        "fliege",
        "reise",
        "fange",
        "heirate",
        "ziehe",
    ):
        yield from _planned(text, start, last, verb, whole, form, negative or ended, when)
        return
    if form in ("habe", "hab", "haben") and re.search(r"\b(?:vor|geplant)$", bare) and not negative:
        yield from _claims_plan(start, last, re.sub(r"\s*\b(?:vor|geplant)$", "", bare), when)
        return
    if verb == "zog":
        match = re.match(r"(?:.* )?nach (?P<v>.+)", bare)
        if match:
            yield _claim("lives_in", _cut(match["v"]), start, last, changes=True, since=when)
        return
    done = _DONE.search(bare)
    if verb == "habe" and done is not None and form not in ("hatte", "hatten"):
        lived = re.match(r"(?:.* )?(?:in|bei|auf|im) (?P<v>.+?) (?P<p>gewohnt|gelebt|gearbeitet)$", bare)
        worked = re.match(r"(?:.* )?als (?P<v>.+?) gearbeitet$", bare)
        if worked or lived:
            hit = worked or lived
            assert hit is not None
            attribute = "works_as" if worked else "employer" if hit["p"] == "gearbeitet" else "lives_in"
            yield _claim(attribute, _cut(hit["v"]), start, last, status=PAST, until=until)
            return
        gone = re.match(r"(?:mit (?:dem|der) )?(?P<v>\w+) aufgehört$", bare)
        if gone:
            yield _claim(
                "smokes" if "rauch" in gone["v"].lower() else "does_regularly",
                gone["v"],
                start,
                last,
                positive=False,
                changes=True,
            )
            return
        if (
            past
            and not negative
            and re.search(r"\b(?:früher|damals|jahrelang|als kind)\b", whole, re.IGNORECASE)
        ):
            attribute = "smokes" if "geraucht" in bare.lower() else "does_regularly"
            yield _claim(attribute, _cut(bare), start, last, status=PAST)
            return
        sold = re.match(r"(?:mein\w*|unser\w*) (?P<v>.+) verkauft$", bare)
        if sold:
            yield _claim("owns", sold["v"], start, last, status=PAST, changes=True)
            return
        begun = re.match(r"(?:mit )?(?P<v>.+?) (?:angefangen|begonnen)$", bare)
        if begun and not bare.startswith("bei"):
            yield _claim("does_regularly", _cut(begun["v"]), start, last, changes=True, since=when)
            return
    for attribute, pattern in FRAMES[verb]:
        match = re.compile(pattern, re.IGNORECASE).fullmatch(bare.strip(" ,"))
        if match is None:
            continue
        value = _cut(match.groupdict().get("v") or match.groupdict().get("w") or "")
        if attribute in ("eats", "drinks", "plays") and _LIKED.search(whole) and not negative:
            attribute = "likes"
        if verb == "fahre" and FUTURE.search(whole):
            yield from _claims_plan(start, last, f"{value} fahren", when)
            return
        if attribute == "likes" and (negative or ended):
            attribute = "dislikes"
        if attribute == "plays" and SPORTS.search(value):
            attribute = "sport"
        is_event = done is not None and attribute in _EVENTS
        if (
            done is not None
            and not is_event
            and verb in ("habe", "bin")
            and attribute not in ("condition", "born_in", "birthday", "fears", "allergy")
        ):
            continue
        if (
            verb in ("esse", "trinke")
            and attribute in ("eats", "drinks")
            and not (
                negative
                or ended
                or FREQUENT.search(whole)
                or re.match(
                    r"(?:nur|kaum|viel|kein\w*|meist\w*|vegan|vegetarisch|fleisch|fisch|halal|koscher|glutenfrei|wenig|alles)\b",
                    bare,
                    re.IGNORECASE,
                )
            )
        ):
            continue
        positive = attribute not in ("dislikes", "avoids", "fears")
        if negative:
            if attribute in ("avoids", "fears"):
                return
            positive = attribute in ("intolerance",)
            if attribute == "dislikes":
                positive = False
        elif attribute == "intolerance" and verb == "vertrage":
            return
        if attribute in ("smokes",) and not value:
            value = "rauche"
        value = re.sub(r"^(?:keine?[nsmr]?) ", "", value) if negative else value
        if not value:
            return
        status = PAST if ended or (past and not is_event) else CURRENT
        if attribute == "employer" and re.search(r"(?:gekündigt|aufgehört)$", bare):
            status = PAST
        yield _claim(
            attribute, value, start, last, positive=positive if not (ended and attribute == "dislikes") else True, status=status,
            since=since or (when if is_event else None), until=until or (when if ended else None), changes=changes or is_event,
        )  # fmt: skip
        return
    if verb == "bin" and NATIONALITIES.fullmatch(bare):
        yield _claim("nationality", bare, start, last, positive=not negative)


def _planned(
    text: str, start: int, end: int, verb: str, whole: str, form: str, negative: bool, when: str | None
) -> Iterator[Claim]:
    del text
    value = whole.strip(" ,")
    if negative or NO_PLAN.search(value):
        return
    if verb in ("werde", "fliege", "beginne", "fange", "heirate", "reise", "ziehe"):
        if not FUTURE.search(value):
            return
        if verb == "fange" and re.search(r"\bbei\b.*\ban$", value):
            yield _claim("plan_job", _cut(value), start, end, status=PLAN, since=when)
            return
        value = f"{value} {form}" if verb != "werde" else value
        if verb == "werde" and re.fullmatch(r".*\b\d+", value):
            return
    yield from _claims_plan(start, end, value, when)


def _claims_plan(start: int, end: int, value: str, when: str | None) -> Iterator[Claim]:
    kind = next((name for name, pattern in PLANS if re.match(pattern, value, re.IGNORECASE)), None)
    if kind is not None:
        yield _claim(kind, _cut(value), start, end, status=PLAN, since=when)


def _cut(value: str) -> str:
    value = re.split(
        r"[.!?;()\n\ue000]|,\s(?=(?:so|aber|und|weil|da|also|ich|wir|was|die|der|das|wo)\b)",
        value.strip(),
        maxsplit=1,
    )[0]
    value = _CLEAN.sub("", value)
    value = re.sub(
        r"(?:\s+(?:auch|jetzt|mehr|nicht|leider|übrigens|gern|gerne|sehr|schon|noch|wieder|aktuell|gerade))+$",
        "",
        value,
    )
    return value.strip(" ,:'\"*_")[:200]


def _claim(attribute: str, value: str, start: int, end: int, **options: object) -> Claim:
    return Claim(TYPE_OF.get(attribute, "other"), attribute, value, start=start, end=end, **options)  # type: ignore[arg-type]
