"""Claims that an English verb makes with the rest of its clause."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.core.claims import CURRENT, PAST, Claim
from holdfast.language.claims import english as en
from holdfast.language.claims.attributes import JOBS, NATIONALITIES, NO_JOBS, SPORTS, TIME
from holdfast.language.claims.values import END_WORDS, NO_NOUN, NOW, VerbPhrase, claim_at, cut, trimmed_end


def said(
    text: str, start: int, words: list[re.Match[str]], i: int, end: int, lemma: str, state: VerbPhrase
) -> Iterator[Claim]:
    """Yields what a verb says with the rest of its clause."""
    i = min(i, len(words) - 1)
    tail = text[words[i].end() : end]
    offset = words[i].end()
    negative = state.negative
    while True:
        opening = re.match(
            r"\s*(?:not|no longer|also|still|now|actually|really|currently|just|already|only|a bit|very|always|never|usually|officially|both|recently|finally|proud to be|what you'd call|technically|basically|mostly|happily(?= (?:single|vegan))|absolutely|myself|quite|deeply|totally|of course|often|mainly|regularly)\b\s*(?=\S)",
            tail,
            re.IGNORECASE,
        )
        if opening is None:
            break
        word = opening[0].strip().lower()
        if word in ("not", "never"):
            negative = True
        elif word == "no longer":
            state.ended = True
        elif word in NOW:
            state.changed = True
        offset += opening.end()
        tail = tail[opening.end() :]
    stripped = tail.lstrip()
    offset += len(tail) - len(stripped)
    tail = stripped
    if re.search(r"\bany ?more\b|\bno longer\b", tail, re.IGNORECASE):
        state.ended = True
    since = until = None
    bare = tail.rstrip(" ,")
    times = list(TIME.finditer(bare))
    for time in times:
        since = since or time["since"]
        until = until or time["until"]
        if time["when"] and not since:
            since = time["when"]
    if times:
        bare = TIME.sub("", bare).strip(" ,")
    frames = en.BE if lemma == "be" else en.HAVE if lemma == "have" else en.LEMMAS.get(lemma, ())
    if not (lemma == "be" and state.going):
        bare = END_WORDS.sub("", bare)
    if state.can and lemma not in (
        "stand",
        "bear",
        "tolerate",
        "eat",
        "drink",
        "speak",
        "drive",
        "play",
        "swim",
        "ride",
        "cook",
        "see",
        "ski",
        "sing",
        "dance",
        "knit",
        "sew",
        "cycle",
        "wear",
        "read",
        "write",
    ):
        return
    if state.can and lemma in ("stand", "bear", "tolerate"):
        if not negative:
            return
    elif lemma in ("stand", "bear", "tolerate"):
        return
    is_no = re.match(r"(?:no|not any|zero)\b", bare, re.IGNORECASE) is not None or (
        negative and re.match(r"any\b", bare, re.IGNORECASE) is not None
    )
    for one in frames:
        match = one.tail.fullmatch(bare) or one.tail.fullmatch(tail.rstrip(" ,."))
        if match is None:
            continue
        value = cut(match.groupdict().get("v") or "")
        if one.frequent and not state.frequent:
            continue
        if negative and not one.denied:
            return
        if (
            state.going
            and lemma
            in (
                "eat",
                "drink",
                "have",
                "play",
                "take",
                "love",
                "hate",
                "enjoy",
                "like",
                "drive",
                "use",
                "run",
                "move",
                "buy",
                "sell",
                "get",
                "leave",
                "go",
                "do",
                "wear",
            )
            and not (since or "these days" in tail or lemma in ("take",))
        ):
            return
        status = CURRENT
        changes = state.changed or one.event or state.ended or one.ends
        if state.ended or one.ends:
            status = PAST
        elif state.past and not one.event:
            status = PAST
            if lemma in (
                "like",
                "love",
                "enjoy",
                "hate",
                "eat",
                "drink",
                "use",
                "take",
                "see",
                "go",
                "do",
                "prefer",
                "keep",
                "wear",
                "need",
                "play",
                "adore",
                "have",
            ) and not (until or (since and since.startswith(("for", "For")))):
                if not (
                    lemma == "have"
                    and one.attribute in ("pet", "condition", "injury", "owns")
                    and not negative
                ):
                    return
                if one.attribute == "condition":
                    status = CURRENT
            if lemma == "be" and one.attribute in ("born_in", "birthday"):
                status = CURRENT
            if lemma in ("grow", "come"):
                status = CURRENT
        if status == PAST and state.past and lemma in ("run", "work", "live", "be", "study") and negative:
            return
        if one.event and negative:
            return
        attribute = one.attribute
        if attribute == "plays" and SPORTS.search(value):
            attribute = "sport"
        positive = one.positive and not is_no
        if negative and lemma not in ("stand", "bear") and not is_no:
            positive = not one.positive
        elif lemma in ("stand", "bear"):
            positive = False
        if lemma == "tolerate":
            positive = True
        if attribute == "likes" and not positive:
            attribute = "dislikes"
        elif attribute == "dislikes" and positive:
            return
        if state.can and lemma in ("eat", "drink"):
            positive = not negative
        elif state.can and lemma not in ("stand", "bear", "tolerate"):
            attribute, value = ("speaks" if lemma == "speak" else "can"), f"{lemma} {value}".strip()
        if attribute in ("smokes", "retired", "alcohol") and not value:
            value = {"smokes": "smoke", "retired": "retired", "alcohol": "alcohol"}[attribute]
        if lemma in ("smoke", "vape"):
            value = lemma
        if attribute == "drinks" and not value:
            attribute, value = "alcohol", "drink"
        if not value:
            value = bare or lemma
        if attribute in ("eats", "drinks") and not (
            negative
            or state.can
            or state.frequent
            or state.ended
            or re.match(
                r"(?:meat|fish|pork|mostly|mainly|a lot|lots|only|plenty|halal|kosher|vegetarian|vegan|everything|gluten|dairy|too much|black|decaf|tea|coffee|alcohol|milk|oat|beer|wine)\b",
                value,
                re.IGNORECASE,
            )
        ):
            return
        yield claim_at(
            attribute, value, start, trimmed_end(text, start, end), positive=positive, status=status,
            since=since if status != PAST or (since or "").lower().startswith("for") else None,
            until=until if until else (since if status == PAST else None), changes=changes,
        )  # fmt: skip
        return
    if lemma == "be" and not state.going:
        yield from _complement(text, start, bare, end, negative, state, since)
    elif lemma in en.HOBBIES or lemma in en.SOMETIMES:
        if (
            (lemma in en.SOMETIMES and not state.frequent)
            or (state.past and not state.ended)
            or (state.going and not (state.done or state.frequent or state.begun))
        ):
            return
        if state.can:
            yield claim_at(
                "can", f"{lemma} {bare}".strip(), start, trimmed_end(text, start, end), positive=not negative
            )
        elif len(bare) < 90 and not re.match(
            r"(?:this|that|it|your|up\b|the (?:code|text|article|docs|following))\b", bare, re.IGNORECASE
        ):
            status = PAST if state.ended else CURRENT
            value = f"{words[i][0]} {bare}".strip()
            yield claim_at(
                "does_regularly",
                value,
                start,
                trimmed_end(text, start, end),
                positive=not negative,
                status=status,
                since=since,
                changes=state.changed or state.ended,
            )


def _complement(
    text: str, start: int, bare: str, end: int, negative: bool, state: VerbPhrase, since: str | None
) -> Iterator[Claim]:
    """Yields what a noun or adjective behind "be" says: a job or a nationality."""
    status = PAST if state.past or state.ended else CURRENT
    last = trimmed_end(text, start, end)
    if NATIONALITIES.fullmatch(bare):
        yield claim_at("nationality", bare, start, last, positive=not negative, status=status)
        return
    match = re.match(
        r"(?:an?|the|now an?|also an?) (?P<v>[\w' -]+?)(?= (?:in|at|for|with|from|by|on|who|and|of|near|here|to|specializ\w+|working|but|since|based|living|doing|turned)\b|$)",
        bare,
        re.IGNORECASE,
    )
    if match is None:
        return
    noun = match["v"].strip()
    if len(noun.split()) <= 5 and JOBS.search(noun) and not NO_JOBS.search(noun) and not NO_NOUN.search(noun):
        value = cut(re.sub(r"^(?:an?|the|now an?|also an?) ", "", bare, flags=re.IGNORECASE))
        yield claim_at(
            "works_as",
            value,
            start,
            last,
            positive=not negative,
            status=status,
            since=since if status == CURRENT else None,
            until=since if status == PAST else None,
            changes=state.changed or state.ended,
        )
