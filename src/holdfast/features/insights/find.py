"""Finds the statements of a conversation that are worth keeping by topic, by rules without a model (S3.28).

What a person says counts. What the assistant says counts if the person's next message agrees with it, and
waits for review otherwise. Questions, suppositions, plans, quotations and what names no topic are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from holdfast.core.insights import InsightStatement, Knowledge
from holdfast.core.record import Memory, Origin
from holdfast.features.extraction.candidates import MESSAGE_MAX, is_web, redacted
from holdfast.features.learning.rules.phrases import sentences_of
from holdfast.language.topic_phrases import concepts_of, topic_asked, topic_of

SPOKEN = ("user", "assistant")

_QUOTED_LINE = re.compile(r"(?m)^\s*>.*$")
_OPEN = re.compile(
    r"(?i)[?？]\W*$|\b(?:if|unless|whether|would|could|might|may|maybe|perhaps|possibly|probably|suppose|assum\w*|imagine"
    r"|let me|let's see|i'll|i will|i'm going to|i think|i guess|i wonder|not sure|unclear|unknown"
    r"|seems?|apparently|joking|kidding"
    r"|said|says|told|heard|wish|someone|somebody|for example|e\.g\.)\b|[\"“”„«»]"
)
"""Sentences that leave it open, or repeat what others say."""
_DECISION = re.compile(
    r"(?i)\b(?:we|i|the team)(?:'ve| have| had)? (?:just |all |both )?(?:decided|agreed|chose|chosen|picked"
    r"|settled on|opted|went with|go with|stay with|stick (?:to|with)|switched to)\b"
)
_PATTERN = re.compile(
    r"(?i)\b(?:always|never|from now on|as a rule|in all|every time|we (?:only|do not|don't) \w+"
    r"|must(?: not)?)\b|^(?:please )?(?:do not|don't) \w+"
)
_SOLUTION = re.compile(
    r"(?i)\b(?:the (?:fix|solution|workaround)(?: (?:for|to) .+?)? (?:is|was)|to (?:fix|solve|avoid"
    r"|prevent) \w+.+,"
    r"|(?:was|is|were|are) (?:fixed|solved|resolved) by)\b"
)
_FINDING = re.compile(
    r"(?i)\b(?:turns out|(?:found(?: out)?|noticed|learned|established) that|(?:shows|means) that"
    r"|(?:cause|reason|culprit|explanation) (?:of|for|behind) .+? (?:is|was)|because|due to|caused by"
    r"|comes? from"
    r"|(?:is|are|was|were) (?:not )?(?:only )?(?:calculated|computed|stored|measured|counted|rounded|kept"
    r"|written|reported|converted|derived|sorted|grouped|generated|duplicated|updated|refreshed|exported"
    r"|imported)"
    r"|(?:includes?|excludes?|contains?|counts?|ignores?|covers?|means?|requires?|needs?|depends? on"
    r"|defaults? to|expires?|listens? on|holds?))\b"
)
_CORRECTS = re.compile(
    r"(?i)^(?:no+|nope|actually|correction|wait|sorry|in fact)\b[,:.!— -]+|^(?:that|this) (?:was"
    r"|is) (?:wrong|incorrect)[,:.;—-]+\s*"
)
_LEAD = re.compile(
    r"(?i)^(?:(?:no+|nope|yes|ok(?:ay)?|actually|correction|wait|sorry|so|and|but|well|also|right"
    r"|exactly|in fact|as it turns out"
    r"|(?:it )?turns out(?: that)?|(?:we|i)(?:'ve| have)? (?:just )?(?:found(?: out)?|noticed|learned"
    r"|established) that"
    r"|(?:that|this) (?:was|is) (?:wrong|incorrect)|note that|remember(?: that)?"
    r"|please note(?: that)?)(?:[,:.;!—-]+\s*|\s+))+"
)
_AGREES = re.compile(
    r"(?i)^\W*(?:yes|yep|yeah|exactly|right|correct|agreed|that'?s (?:it|right|correct)|true|indeed"
    r"|perfect|great|confirmed|makes sense"
    r"|ok(?:ay)?,? (?:let'?s|do|please)|go ahead|do (?:it|that|so))\b(?!.*\b(?:but|except|not|no|wrong)\b)",
    re.DOTALL,
)
_TEAM = re.compile(
    r"(?i)\b(?:(?:in|for|across) (?:all|every|each|any) (?:our |the |other )?(?:files?|workbooks?"
    r"|sheets?|projects?|notebooks?|reports?"
    r"|teams?)|team-?wide|company-?wide|everywhere|as a team|the (?:whole|entire) team)\b"
)


@dataclass(frozen=True, slots=True)
class StatementCandidate:
    """A statement that is worth keeping: whether a person stands behind it, and whether it holds beyond the
    file that the conversation is about."""

    statement: InsightStatement
    sure: bool
    team: bool
    corrects: bool = False


def statements_of(messages: Sequence[Memory]) -> Iterator[StatementCandidate]:
    """Yields the statements of a conversation's messages, in their order."""
    current_topic: str | None = None
    after_web = False
    for number, message in enumerate(messages):
        after_web = after_web or is_web(message.role, message.name, message.origin)
        text = _QUOTED_LINE.sub("", message.text)
        if not is_read(message) or len(text) > MESSAGE_MAX:
            continue
        is_user = message.role == "user"
        follows = next(
            (message for message in messages[number + 1 :] if is_read(message) and message.role == "user"),
            None,
        )
        person = message if is_user else follows
        sure = not after_web and person is not None and person.origin is not Origin.AGENT
        sure = sure and (is_user or _AGREES.match(person.text if person else "") is not None)
        before = current_topic
        for sentence in sentences_of(text):
            if is_user and (question := topic_asked(sentence)) is not None:
                current_topic = before = question
            result = _statement_in(sentence, before)
            if result is not None:
                statement, corrects = result
                before = statement.topic
                statement = _with_source(statement, message)
                yield StatementCandidate(statement, sure, _TEAM.search(sentence) is not None, corrects)


def is_read(message: Memory) -> bool:
    """Returns whether statements of a message count: somebody said it, and it gives no model instructions."""
    return message.role in SPOKEN and message.origin.is_trusted and not message.flags


def _statement_in(sentence: str, before: str | None) -> tuple[InsightStatement, bool] | None:
    """Returns what a sentence states, under its own topic or else the one before, and whether it corrects."""
    corrects = _CORRECTS.match(sentence) is not None
    type = _type_of(sentence)
    if _OPEN.search(sentence) or (type is None and not corrects):
        return None
    text = _LEAD.sub("", sentence).strip().rstrip(".!;,")
    topic = topic_of(sentence) or before
    if topic is None or len(text.split()) < 3:
        return None
    text = redacted(text)
    statement = InsightStatement(f"{text[:1].upper()}{text[1:]}.", topic, (type or Knowledge.INSIGHT).value)
    return replace(statement, concepts=concepts_of(text, topic)), corrects


def _with_source(statement: InsightStatement, message: Memory) -> InsightStatement:
    return replace(
        statement, message=message.id, version=message.version, by=message.place.owner, at=message.at
    )


def _type_of(sentence: str) -> Knowledge | None:
    """Returns the type of knowledge that a sentence states, None if none."""
    if _DECISION.search(sentence):
        return Knowledge.DECISION
    if _SOLUTION.search(sentence):
        return Knowledge.SOLUTION
    if _PATTERN.search(sentence):
        return Knowledge.PATTERN
    return Knowledge.INSIGHT if _FINDING.search(sentence) else None
