"""Finds messages of a session that correct, abandon or redirect the work (S4.73)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.core.text import byte_pattern
from holdfast.features.learning.rules.assistant_rules import ASSISTANT
from holdfast.features.learning.rules.log import Act, Step, WorkCandidate
from holdfast.features.learning.rules.rules import DEAD_END, FEEDBACK, MOMENTARY, Phrase
from holdfast.features.learning.rules.subjects import is_general, is_of_project
from holdfast.features.learning.rules.user_rules import USER

SAID_MAX = 4_000
"""Most characters of a message that are read; longer ones are pasted by users."""
SENTENCE_MAX = 300
UNANNOUNCED = 0.65
"""Most confidence of a rule that the message that opens a session states without announcing it."""
SENTENCE_MIN = 8

_FENCED = re.compile(r"(?ms)^[ \t]*(?:```|~~~).*?(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)")
LASTING = tuple(phrase for phrase in USER if phrase.lasting)
OPENING = tuple(phrase for phrase in USER if phrase.lasting or phrase.standing)
"""Phrases that count in the message that opens a session, some only in a rule for the whole project."""
_QUOTED = re.compile(r"\"[^\"\n]{15,}\"|“[^”\n]{15,}”|„[^“”\n]{15,}[“”]|«[^»\n]{15,}»")
"""Matches a quotation: what others say is material of the task."""
_REPORTED = re.compile(
    r"(?i)\b(?:says?|said|claims?|writes?|wrote|recommends?|suggests?|according to|they|he|she|his|her|their"
    r"|sagt\w*|schreibt|laut|dice|selon)\b"
)
"""Words of what others say or do, which the message that opens a session passes on."""
_COMPLAINT = re.compile(
    r"(?i)\b(?:(?:second|third|fourth|fifth|tenth|hundredth|\d+(?:nd|rd|th)) time (?:you|i|that)"
    r"|how (?:often|many times) (?:do|must) i (?:have to |need to )?(?:say|tell|repeat|explain)"
    r"|you (?:keep|always|still) (?:\w+ing|forget\w*)"
    r"|(?:zum )?(?:zweiten|dritten|vierten|hundertsten)\s?mal|wie oft (?:soll|muss) ich|siempre te olvidas"
    r"|tu oublies toujours)\b"
)
_SENTENCE = re.compile(r"(?:[^.!?。！？\n]|[.!?](?=[^\s]))+[.!?。！？]*")
_LEAD = re.compile(r"^(?:[-*•>#]+|\d{1,2}[.)])\s+")
_CODE = (
    r"`[^`]+`|[\w-]+/[\w./-]+|\b\w+\.(?:\w{1,5})\b|\b[a-z0-9]+_\w+|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*|\b[A-Z]{2,}(?:_[A-Z0-9]+)*\b"
    r"|--?[a-z][\w-]+|\w+\(\)|\d"
)
_LIMITS = re.compile(
    r"(?i)^(?:please )?(?:don'?t|do not|avoid|no|bitte nicht|bitte keine?n?)\b(?!.*\b(?:ever|again|always)\b)"
)
"""Matches what may be a limit of the task alone: "don't commit anything"."""
_STOP = re.compile(r"(?i)^(?:please )?stop \w+ing\b")
_ANSWERS = re.compile(r"(?i)^(?:no|nope|nein|yes|ja)\b")
"""Matches the beginning of an answer to a question that the same message asks."""
_WHY = r"(?i)\b(?:because|since|as|due to|which)\b|: |[：，]|因为|由于"
_WORDS_MIN = 7
"""Fewest words of an informative sentence without any code."""


def phrases_in(steps: tuple[Step, ...]) -> Iterator[WorkCandidate]:
    """Yields lessons from the messages of the assistant and the user, in the order of the steps.

    The first message of the user is the task and not a correction, unless it announces a lasting rule.
    Questions, code and long texts are ignored.
    """
    started = False
    for step in steps:
        started = started or step.act is not Act.TOLD or is_complaint(step.target)
        if step.act is Act.SAID:
            yield from _lessons_of(step, step.target, ASSISTANT)
        elif step.act is Act.TOLD and len(step.target) <= SAID_MAX:
            if started:
                yield from _lessons_of(step, step.target, USER)
            else:
                yield from _lessons_of(step, _QUOTED.sub(" ", step.target), OPENING)


def is_complaint(message: str) -> bool:
    """Returns whether a message complains about what was done again, so that it is about earlier work."""
    return _COMPLAINT.search(message) is not None


def _holds(text: str) -> bool:
    """Returns whether what opens a session is a rule for the whole project, and no limit of its task."""
    return _LIMITS.search(text) is None and (
        is_of_project(text) or (_STOP.search(text) is not None and is_general(text))
    )


def _lessons_of(step: Step, text: str, phrases: tuple[Phrase, ...]) -> Iterator[WorkCandidate]:
    """Returns the lessons of one message. Of several dead ends, the first with a reason represents all."""
    candidates = list(_candidates(step, text, phrases))
    ends = [candidate for candidate in candidates if candidate.dead_end]
    best = min(
        ends, key=lambda candidate: (not _has(_WHY, candidate.text), -candidate.confidence), default=None
    )
    return (candidate for candidate in candidates if not candidate.dead_end or candidate is best)


def _candidates(step: Step, message: str, phrases: tuple[Phrase, ...]) -> Iterator[WorkCandidate]:
    """Yields the lessons that a message states with one of the phrases."""
    sentences = sentences_of(message[:SAID_MAX])
    for place, sentence in enumerate(sentences):
        phrase_match = phrase_in(sentence, phrases)
        if phrase_match is None:
            continue
        if phrases is OPENING and _REPORTED.search(sentence):
            continue
        phrase, statement = phrase_match
        text = _informative_text(phrase, statement, sentences, place)
        if text is None or (phrases is OPENING and not (phrase.lasting or _holds(text))):
            continue
        is_dead_end = phrase.family == DEAD_END
        is_sure = phrases is not OPENING or phrase.lasting
        confidence = phrase.confidence if is_sure else min(phrase.confidence, UNANNOUNCED)
        shown = f"Dead end: {text}" if is_dead_end else text
        yield WorkCandidate(
            phrase.kind, shown, confidence, phrase.family, _REASONS[phrase.family], (step.number,),
            dead_end=is_dead_end,
        )  # fmt: skip


_REASONS = {
    "self_correction": "the assistant corrected itself",
    "dead_end": "the assistant gave a way up",
    "user_correction": "the user corrected the assistant",
}


def phrase_in(sentence: str, phrases: tuple[Phrase, ...]) -> tuple[Phrase, str] | None:
    """Returns the first phrase that matches a sentence, and the part to store."""
    data = sentence.encode("utf-8", "surrogatepass")
    for phrase in phrases:
        hit = byte_pattern(phrase.pattern).search(data)
        if hit is None or byte_pattern(phrase.unless).search(data) is not None:
            continue
        statement = next((group for group in hit.groups() if group is not None), data)
        return phrase, statement.decode("utf-8", "replace")
    return None


def is_momentary(sentence: str) -> bool:
    """Returns whether a sentence is a wish of the moment, which is no rule for later."""
    return _has(MOMENTARY, sentence)


def sentences_of(text: str) -> list[str]:
    """Returns the sentences of a text without code blocks, list marks and emphasis; too long ones are
    omitted."""
    plain = _FENCED.sub("\n", text)
    sentences = []
    for match in _SENTENCE.finditer(plain):
        sentence = _LEAD.sub("", match[0].strip()).replace("**", "").strip()
        if len(sentence.encode("utf-8", "surrogatepass")) >= SENTENCE_MIN and len(sentence) <= SENTENCE_MAX:
            sentences.append(sentence)
    return sentences


def _informative_text(phrase: Phrase, statement: str, sentences: list[str], place: int) -> str | None:
    """Returns the text to store from a sentence, with a neighbour if needed; None if it teaches nothing."""
    text = statement.strip()
    if (
        phrase.family == FEEDBACK
        and place
        and _ANSWERS.match(sentences[place])
        and sentences[place - 1].endswith("?")
    ):
        text = f"{sentences[place - 1]} {text}"
    if phrase.family != DEAD_END and phrase.needs_neighbour and not _tells(text, beyond=phrase):
        text = f"{_with_full_stop(text)} {sentences[place + 1]}" if place + 1 < len(sentences) else ""
    elif phrase.family == DEAD_END and not (_has(_WHY, text) and _tells(text)):
        # the reason is in the sentence before, or else after it
        neighbour = sentences[place - 1] if place else sentences[place + 1] if len(sentences) > 1 else ""
        text = f"{_with_full_stop(neighbour)} {text}" if neighbour else "" if phrase.needs_neighbour else text
    # feedback by a person always counts
    if not (phrase.family == FEEDBACK or _tells(text)) or len(text) > 2 * SENTENCE_MAX:
        return None
    return text[:1].upper() + text[1:]


def _tells(text: str, beyond: Phrase | None = None) -> bool:
    """Returns whether a sentence is informative: it names code, or has enough words (CJK: characters)."""
    if beyond is not None:
        text = (
            byte_pattern(beyond.pattern)
            .sub(b"", text.encode("utf-8", "surrogatepass"))
            .decode("utf-8", "replace")
        )
    if beyond is None and len(text) < 2 * SENTENCE_MIN and text.isascii():
        return False
    if _has(_CODE, text):
        return True
    words = len(text.split()) + sum("\u4e00" <= char <= "\u9fff" for char in text) // 2
    return words >= _WORDS_MIN


def _with_full_stop(text: str) -> str:
    return text if text[-1:] in ".!?。！？:：" else f"{text}."


def _has(pattern: str, text: str) -> bool:
    return byte_pattern(pattern).search(text.encode("utf-8", "surrogatepass")) is not None
