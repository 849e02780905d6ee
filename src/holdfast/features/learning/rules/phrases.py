"""Finds messages of a session that correct, abandon or redirect the work (S4.73)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.core.text import byte_pattern
from holdfast.features.learning.rules.assistant_rules import ASSISTANT
from holdfast.features.learning.rules.log import Act, Step, WorkCandidate
from holdfast.features.learning.rules.rules import DEAD_END, FEEDBACK, MOMENTARY, USER, Phrase

SAID_MAX = 4_000
"""Most characters of a message that are read; longer ones are pasted by users."""
SENTENCE_MAX = 300
SENTENCE_MIN = 8

_FENCED = re.compile(r"(?ms)^[ \t]*(?:```|~~~).*?(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)")
LASTING = tuple(phrase for phrase in USER if phrase.lasting)
_SENTENCE = re.compile(r"(?:[^.!?。！？\n]|[.!?](?=[^\s]))+[.!?。！？]*")
_LEAD = re.compile(r"^(?:[-*•>#]+|\d{1,2}[.)])\s+")
_CODE = (
    r"`[^`]+`|[\w-]+/[\w./-]+|\b\w+\.(?:\w{1,5})\b|\b[a-z0-9]+_\w+|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*|\b[A-Z]{2,}(?:_[A-Z0-9]+)*\b"
    r"|--?[a-z][\w-]+|\w+\(\)|\d"
)
_WHY = r"(?i)\b(?:because|since|as|due to|which)\b|: |[：，]|因为|由于"
_WORDS_MIN = 7
"""Fewest words of an informative sentence without any code."""


def phrases_in(steps: tuple[Step, ...]) -> Iterator[WorkCandidate]:
    """Yields lessons from the messages of the assistant and the user, in the order of the steps.

    The first message of the user is the task and not a correction, unless it announces a lasting rule.
    Questions, code and long texts are ignored.
    """
    begun = False
    for step in steps:
        begun = begun or step.act not in (Act.TOLD,)
        if step.act is Act.SAID:
            yield from _lessons_of(step, ASSISTANT)
        elif step.act is Act.TOLD and len(step.target) <= SAID_MAX:
            yield from _lessons_of(step, USER if begun else LASTING)


def _lessons_of(step: Step, phrases: tuple[Phrase, ...]) -> Iterator[WorkCandidate]:
    """Returns the lessons of one message. Of several dead ends, the first with a reason represents all."""
    candidates = list(_candidates(step, phrases))
    ends = [candidate for candidate in candidates if candidate.dead_end]
    best = min(
        ends, key=lambda candidate: (not _has(_WHY, candidate.text), -candidate.confidence), default=None
    )
    return (candidate for candidate in candidates if not candidate.dead_end or candidate is best)


def _candidates(step: Step, phrases: tuple[Phrase, ...]) -> Iterator[WorkCandidate]:
    sentences = sentences_of(step.target[:SAID_MAX])
    for place, sentence in enumerate(sentences):
        phrase_match = phrase_in(sentence, phrases)
        if phrase_match is None:
            continue
        phrase, statement = phrase_match
        text = _whole(phrase, statement, sentences, place)
        if text is None:
            continue
        is_dead_end = phrase.family == DEAD_END
        shown = f"Dead end: {text}" if is_dead_end else text
        yield WorkCandidate(
            phrase.kind, shown, phrase.confidence, phrase.family, _REASONS[phrase.family], (step.number,),
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


def _whole(phrase: Phrase, statement: str, sentences: list[str], place: int) -> str | None:
    """Returns the text to store from a sentence, with a neighbour if needed; None if it teaches nothing."""
    text = statement.strip()
    if phrase.family != DEAD_END and phrase.bare and not _tells(text, beyond=phrase):
        text = f"{_ended(text)} {sentences[place + 1]}" if place + 1 < len(sentences) else ""
    elif phrase.family == DEAD_END and not (_has(_WHY, text) and _tells(text)):
        # the reason is in the sentence before, or else after it
        near = sentences[place - 1] if place else sentences[place + 1] if len(sentences) > 1 else ""
        text = f"{_ended(near)} {text}" if near else "" if phrase.bare else text
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


def _ended(text: str) -> str:
    return text if text[-1:] in ".!?。！？:：" else f"{text}."


def _has(pattern: str, text: str) -> bool:
    return byte_pattern(pattern).search(text.encode("utf-8", "surrogatepass")) is not None
