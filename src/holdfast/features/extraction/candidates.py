"""Finds what a user's message states about the user, by rules and without a model (S2.23)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from holdfast.core.record import Origin, Outcome
from holdfast.core.text import Finding, byte_pattern, replace_spans
from holdfast.core.wire import Plain, computed, read_record, wire
from holdfast.features.extraction.quality import Quality
from holdfast.features.extraction.rules import BARS, RULES, Rule
from holdfast.language.pii import find_pii

MESSAGE_MAX = 4_000
"""Characters; longer messages are pasted documents and are ignored."""
CLAUSE_MAX = 300
FOUND_MAX = 20
"""Most statements of one message."""

_COVER = "\ue000"
"""Replaces each character of a quotation or of code, so that it is ignored and offsets stay the same."""
_FENCED = re.compile(r"(?ms)^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)")
_LINES = re.compile(r"(?m)^(?:[ \t]*>|\t| {4,}|[ \t]*(?://|#!|\$ |<[a-zA-Z/!])).*$")
_QUOTED = re.compile(
    r"`[^`\n]{1,400}`|\"[^\"\n]{1,400}\"|“[^“”\n]{1,400}”|「[^「」\n]{1,400}」|『[^『』\n]{1,400}』"
    r"|(?<![\w])'[^'\n]{3,200}'(?![\w])|(?<!\w)‘[^‘’\n]{3,200}’(?!\w)|<<[^\n]{1,400}>>"
)
_SENTENCE = re.compile(
    r"(?:[^.!?。！？;；…\n]|[.](?=[^\s])|(?<=\b[A-Z])\.|(?<=\bDr)\.|(?<=\bSt)\.|(?<=\bMr)\."
    r"|(?<=\bMs)\.)+[.!?。！？]*"
)
_PARTS = re.compile(
    r",? (?:and|but|so|though|although|because|since|plus|yet)(?: also)?"
    r" (?=(?:i|i'm|i've|i'll|my|we|please|remind|call me|don't)\b)"
    r"|, (?=(?:i|i'm|i've|my|but|please|so|and|because|though|which|since|what|how|can|could|do|any|is|are"
    r"|nice|everyone|everybody|just|especially|mostly|mainly)\b)| [–—-]{1,2} | \(|\) ?"
    r"|,? (?:because|but|although|though|since|so that|which is why)\b ?|[，]|(?:但是?|不过|因为|所以"
    r"|而且)(?=我)",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"(?:[-*•·]\s+|\d{1,2}[.)]\s+|(?:hi|hello|hey|hiya|yo|well|ok|okay|so|actually|btw|by the way|fyi|yes"
    r"|yeah|yep|no|nope|and|but|also|oh|sure|now|plus|thanks|thank you|great|cool|please remember(?: that)?"
    r"|please note(?: that)?|remember(?: that)?|note(?: that)?|for the record|just so you know|i think"
    r"|i guess|honestly|to be honest|tbh|right now|these days|correction|update|to be clear|in fact"
    r"|keep in mind(?: that)?|don't forget(?: that)?|let me tell you|you should know(?: that)?|one more thing"
    r"|first of all|first|second|personally|in general|generally|as a rule|hi there|hello there"
    r"|good (?:morning|evening|afternoon)|for context|some context|about me|a bit about me|that said|anyway"
    r"|hey there|i should (?:mention|add)(?: that)?|since you ask|this year|for reference|lol|haha|hmm|um|see"
    r"|look|listen|as you know"
    r"|for your information|sorry|quick note)(?:[,:!.…]+\s*|\s+)"
    r"|(?:你好|您好|嗨|哈喽|顺便说一?下?|顺便|对了|另外|其实|请?记住|记一下|说实话|嗯+|那个|哦|哈哈|还有"
    r"|首先|其次|补充一下|告诉你|是的|好的?"
    r"|老实说|总之|而且|但是?|不过|所以|因为|同时|跟你说|早上好|晚上好|大家好|早"
    r"|谢谢)(?:[，,：:、！!~\s]+|(?=我)))",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:,? (?:by the way|btw|lol|haha|tbh|you know|though|fyi|thanks|thank you|please|for now|too|as well|ok"
    r"|okay|right))+$|(?:哈哈+|啦|哦|呀|啊|嘛|呢|哈|谢谢)+$",
    re.IGNORECASE,
)
_WEB = re.compile(
    r"web|fetch|search|browse|crawl|scrape|http|url|google|bing|duckduckgo|tavily|wikipedia", re.IGNORECASE
)
_APOSTROPHES = str.maketrans("’‘ʼ＇", "''''")


@dataclass(frozen=True, slots=True)
class Candidate(Plain):
    """A statement in a message: the rule that matched, and its position in the message, [start, end)."""

    kind: str
    text: str
    confidence: float
    rule: str
    start: int = field(metadata=wire(hidden=True, absent=0))
    end: int = field(metadata=wire(hidden=True, absent=0))

    @property
    @computed
    def span(self) -> tuple[int, int]:
        """Returns its position in the message, [start, end)."""
        return self.start, self.end

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Candidate:
        """Reads a candidate from JSON."""
        start, end = value["span"]
        return replace(read_record(cls, value), start=start, end=end)

    @property
    def key(self) -> tuple[str, str]:
        """Returns the key of equal candidates: kind and text, whatever the white space."""
        return self.kind, " ".join(self.text.split())


@dataclass(frozen=True, slots=True)
class Extracted(Plain):
    """A candidate, its message (None for a plain text) and its outcome; `memory` is the id of the stored or
    already known memory."""

    candidate: Candidate = field(metadata=wire(flat=True))
    message: str | None
    outcome: Outcome
    reason: str
    memory: str | None


@dataclass(frozen=True, slots=True)
class Extraction(Plain):
    """The result of an extraction.

    `messages` is the number of user messages read, `read_before` how many of them had given candidates
    before; with `dry_run` nothing was stored. `quality` is that of the session.
    """

    messages: int
    found: tuple[Extracted, ...]
    read_before: int = 0
    dry_run: bool = False
    quality: Quality | None = None


def statements_in(text: str) -> tuple[Candidate, ...]:
    """Returns what a message states about its author, in order, each only once.

    Questions, suppositions, quotations, code, reported speech and texts to work on are ignored: precision
    counts for more than recall.
    """
    if not text.strip() or len(text) > MESSAGE_MAX:
        return ()
    plain = _covered(text).translate(_APOSTROPHES)
    if _is_barred(plain, "message"):
        return ()
    candidates: dict[tuple[str, str], Candidate] = {}
    for start, end in _clauses(plain):
        rule = _rule_for(plain[start:end])
        if rule is not None:
            candidate = Candidate(rule.kind, text[start:end], rule.confidence, rule.name, start, end)
            candidates.setdefault(candidate.key, candidate)
            if len(candidates) == FOUND_MAX:
                break
    return tuple(candidates.values())


def is_web(role: str | None, name: str | None, origin: Origin) -> bool:
    """Returns whether a message contains the content of a web page or a search, which later ones may repeat
    (S4.45)."""
    return origin is Origin.WEB or (role in ("tool", "function") and _WEB.search(name or "") is not None)


def redacted(text: str) -> str:
    """Returns a statement without e-mail addresses and telephone numbers (S2.19)."""
    findings = [
        Finding(finding.type.upper(), finding.start, finding.end)
        for finding in find_pii(text)
        if finding.type in ("email", "phone")
    ]
    return replace_spans(text, findings, "[REDACTED_{}]")


def _covered(text: str) -> str:
    def cover(match: re.Match[str]) -> str:
        return "".join("\n" if c == "\n" else _COVER for c in match[0])

    return _QUOTED.sub(cover, _LINES.sub(cover, _FENCED.sub(cover, text)))


def _clauses(plain: str) -> Iterator[tuple[int, int]]:
    """Yields the ranges of clauses that might state something, without their openings."""
    for sentence in _SENTENCE.finditer(plain):
        if _is_barred(sentence[0].strip(), "sentence"):
            continue
        start = sentence.start()
        for gap in (*_PARTS.finditer(plain, sentence.start(), sentence.end()), None):
            end = gap.start() if gap is not None else sentence.end()
            trimmed = _trimmed(plain, start, end)
            if trimmed is not None:
                yield trimmed
            if gap is not None:
                start = gap.end()


def _trimmed(plain: str, start: int, end: int) -> tuple[int, int] | None:
    """Returns a span without the words and marks around its statement, None if nothing is left."""
    while start < end and plain[start].isspace():
        start += 1
    for _ in range(4):
        lead = _LEAD.match(plain, start, end)
        if lead is None:
            break
        start = lead.end()
    for _ in range(2):
        while start < end and not (plain[end - 1].isalnum() or plain[end - 1] in _COVER + "%)]»》€$£+#"):
            end -= 1
        tail = _TAIL.search(plain, start, end)
        end = tail.start() if tail is not None else end
    return (start, end) if 3 <= end - start <= CLAUSE_MAX else None


def _is_barred(plain: str, reach: str) -> bool:
    return _bars(reach).search(plain.encode("utf-8", "surrogatepass")) is not None


@cache
def _bars(reach: str) -> Any:
    return byte_pattern("|".join(f"(?:{bar.pattern})" for bar in BARS if bar.reach == reach))


def _rule_for(clause: str) -> Rule | None:
    """Returns the rule that fits a clause, None if none does."""
    data = clause.encode("utf-8", "surrogatepass")
    for rule in RULES:
        if byte_pattern(f"(?i:{rule.pattern})").fullmatch(data) is None:
            continue
        if byte_pattern(rule.unless).search(data) is None:
            return rule
    return None
