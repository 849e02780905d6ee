"""Claims that words such as "my garden", "my wife" or "as a nurse I" imply."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from holdfast.core.claims import CURRENT, PAST, Claim
from holdfast.language.claims import english as en
from holdfast.language.claims import german as de
from holdfast.language.claims import german_frames as de_frames
from holdfast.language.claims.attributes import CONDITIONS, JOBS, KIN_NOUN, KIN_OF, NO_JOBS
from holdfast.language.claims.values import NO_NOUN, claim_at, cut

_BELONGINGS = r"(?:car|van|motorbike|motorcycle|bike|bicycle|e-bike|boat|caravan|camper(?:van)?|house|flat|apartment|cottage|garden|allotment|balcony|greenhouse|piano|guitar|violin|cello|sewing machine|air fryer|espresso machine|telescope|kayak|wohnung|auto|motorrad|fahrrad|lastenrad|boot|wohnmobil|wohnwagen|haus|garten|schrebergarten|balkon|gewächshaus|klavier|gitarre|geige|nähmaschine|thermomix|bulli)"
_KIN = re.compile(
    rf"\b(?P<my>my|our|mein(?:e[rmns]?)?|unser(?:e[rmns]?)?) (?P<adj>(?:(?:little|big|older|younger|old|new|eldest|oldest|youngest|twin|late|ex-?|half|step|elder|first|second|middle|dear|two|three|four|both|\d+|\w+-year-old|kleine[rsnm]?|große[rsnm]?|ältere[rsnm]?|jüngere[rsnm]?|älteste[rsnm]?|jüngste[rsnm]?|neue[rsnm]?|alte[rsnm]?|beiden|zwei|drei|verstorbene[rsnm]?) )*)"
    rf"(?P<kin>{KIN_NOUN})(?:s|n)?\b(?!'s? (?:day|name|book|song))(?P<name>,? (?:(?:called|named|namens) )?(?-i:[A-ZÄÖÜ][a-zäöüß'-]+)(?=[ ,.!?;]|$))?",
    re.IGNORECASE,
)
_EX = re.compile(r"\b(?:ex-?|late|former|verstorbene\w*)\s*$", re.IGNORECASE)
SINCE = re.compile(r"\b(?:since|because|as|now that|given that|seeing as|considering) (?P<i>I|i|we)(?=[ '])")
_OWN = re.compile(
    rf"\b(?:my|our|mein(?:e[rmns]?)?|unser(?:e[rmns]?)?) (?P<v>(?:(?:old|new|little|trusty|beloved|electric|second-hand|used|first|own|red|blue|black|white|green|alte[rsnm]?|neue[rsnm]?|kleine[rsnm]?|gebrauchte[rsnm]?|eigene[rsnm]?) )*(?:\d{{4}} )?(?:(?-i:[A-ZÄÖÜ])[\w-]+ )?{_BELONGINGS})(?:s|n)?\b(?! (?:insurance|dealer|rental|keys|park|shop|app))",
    re.IGNORECASE,
)
_ILL = re.compile(
    rf"\b(?:my|mein(?:e[rmns]?)?) (?:(?:severe|mild|chronic|starke[snr]?|leichte[snr]?|chronische[snr]?) )?(?P<v>(?:{CONDITIONS}|(?:\w+[- ]){{0,1}}allerg(?:y|ies|ie|ien)|\w+allergie|(?:knee|hip|back|shoulder|heart) (?:surgery|operation|replacement|problems?|injury)|(?:lactose|gluten) intolerance))\b",
    re.IGNORECASE,
)
_POST = re.compile(
    r"\b(?:my|our) (?:new |current |day |old |first |last )*(?:job|work|position|role|shift) (?P<how>as|at|with|in) (?P<v>[^,.;!?()]+?)(?= (?:is|was|and|but|so|has|which|starts|because|i)\b|[,.;!?()]|$)"
    r"|\b[Aa]s (?P<as>an? (?:(?:self-employed|retired|trained|full-time|part-time|freelance|junior|senior|qualified|newly \w+|former) )*[\w-]+(?: [\w-]+)?),? (?:I|i|my|we)\b|\bals (?P<als>[A-ZÄÖÜ][\w-]+) (?:habe|bin|arbeite|muss|weiß|kenne|verdiene|darf|kann|sehe|hab) ich\b",
)
_HERE = re.compile(
    r"\b(?:here|over here|back home|up here|down here|bei uns|bei mir|hier(?: bei uns)?) (?:in|im|auf|an der) (?P<v>(?:der |den |the )?(?-i:[A-ZÄÖÜ])[\w-]+(?: (?-i:[A-ZÄÖÜ])[\w-]+)?)(?=[ ,.!?;]|$)",
    re.IGNORECASE,
)
_FRIEND = re.compile(
    r"\b(?:my|mein[e]?) (?P<v>(?:best |good |old |close |oldest |childhood |beste[r]? |gute[r]? |alte[r]? )+(?:friend|mate|freund(?:in)?),? (?-i:[A-ZÄÖÜ])[\w-]+|ex(?:-?(?:husband|wife|boyfriend|girlfriend|mann|frau|freund(?:in)?|partner(?:in)?))?)\b",
    re.IGNORECASE,
)
_NO_POST = re.compile(
    r"(?i:january|february|march|april|may|june|july|august|september|october|november|december|\d)|(?:the moment|a (?:whole|result)|it|this|that|progress|general)\b"
)
_ONLY_OPINION = re.compile(
    r"\b(?:right|wrong|great|annoying|funny|sweet|amazing|coming|calling|waiting|asking|telling|saying|here|there|late|sure|angry|mad|happy|worried|sick of|going to|gonna|okay|fine)\b",
    re.IGNORECASE,
)


def of_things(text: str) -> Iterator[Claim]:
    """Yields what words such as "my garden", "my asthma" or "as a nurse I" imply."""
    for attribute, pattern in (("owns", _OWN), ("condition", _ILL), ("lives_in", _HERE)):
        for match in pattern.finditer(text):
            kind = "allergy" if attribute == "condition" and "allerg" in match["v"].lower() else attribute
            yield claim_at(kind, match["v"], match.start(), match.end(), certainty=0.75)
    for match in _FRIEND.finditer(text):
        is_ex = match["v"].lower().startswith("ex")
        yield claim_at(
            "partner" if is_ex else "friend",
            match["v"],
            match.start(),
            match.end(),
            status=PAST if is_ex else CURRENT,
        )
    for match in _POST.finditer(text):
        if match["v"] and not _NO_POST.match(match["v"]):
            yield claim_at(
                "works_as" if match["how"] == "as" else "employer",
                match["v"].strip(),
                match.start(),
                match.end(),
            )
        noun = (match["as"] or match["als"] or "").removeprefix("an ").removeprefix("a ")
        if (
            noun
            and (
                match["als"] or (JOBS.search(noun) and not NO_JOBS.search(noun) and not NO_NOUN.search(noun))
            )
            and noun not in ("Kind", "Beispiel", "Nächstes", "Erstes")
        ):
            yield claim_at("works_as", noun, match.start(), match.end() - 2)


def of_relatives(text: str, *, bare: bool = False) -> list[Claim]:
    found = []
    german = de.is_german(text)
    for match in _KIN.finditer(text):
        kin, name = match["kin"], (match["name"] or "").strip(" ,")
        name = re.sub(r"^(?:called|named|namens) ", "", name)
        if german and name and not match["name"].startswith(",") and not name[0].isupper():
            name = ""
        attribute = KIN_OF[kin.lower()]
        adjective = match["adj"].strip()
        status = PAST if _EX.search(match["adj"]) else CURRENT
        value = " ".join(filter(None, (adjective, kin, name)))
        found.append(claim_at(attribute, value, match.start(), match.end(), status=status, certainty=0.85))
        subject = " ".join(filter(None, (kin, name)))
        said = (de_frames.KIN_PREDICATE if german else en.KIN_PREDICATE).match(
            text,
            match.end("kin") + (1 if text[match.end("kin") : match.end("kin") + 1] == "s" else 0)
            if not name
            else match.end(),
        )
        if said is not None and not bare:
            own_name, predicate = said.groupdict().get("name"), cut(said["p"])
            if predicate and not _ONLY_OPINION.search(predicate):
                if own_name:
                    subject = f"{subject} {own_name}"
                type = "pets" if attribute == "pet" else "family"
                end = said.start("p") + len(predicate)
                is_over = bool(
                    re.match(
                        r"(?:died|passed away|was\b(?! born)|used to|starb|ist (?:\w+ )*gestorben)",
                        predicate,
                        re.IGNORECASE,
                    )
                )
                claim = claim_at("kin_fact", predicate, match.start(), end, status=CURRENT, certainty=0.75)
                found.append(replace(claim, type=type, subject=subject, changes=is_over))
    return found
