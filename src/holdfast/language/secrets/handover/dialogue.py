"""Finds secrets that answer a question: in chats, in quoted or dashed speech, in the next sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.handover import telling
from holdfast.language.secrets.handover.lexicon import alternatives, class_pattern
from holdfast.language.secrets.handover.telling import Value
from holdfast.language.secrets.part import PROSE, Spans
from holdfast.language.secrets.values import has_number, is_distinctive

_PATIENCE = 7  # turns after a question in which it may still be answered
_MENTIONED = 4  # turns in which "which?" asks for a password that was mentioned
_SHORT = 7  # words of a question in which "the code" needs nothing that it opens
_LONGEST = 240  # bytes of a turn in which an answer is looked for

_SPEAKER = (
    r"^[ \t>*-]*(?:\[?\d{1,2}:\d\d(?::\d\d)?\]?[ \t]+)?(?:<([^<>\n\0]{1,24})>:?"
    r"|([\pL][\pL\d_.' -]{0,24}?)(?:[ \t]*[(\[][^()\[\]\n\0]{1,12}[)\]])?[:：])[ \t]*"
)
_MARKS = r"\"\x{201c}\x{201d}\x{ab}\x{bb}"
_QUOTED = rf"[{_MARKS}\x{{201e}}]([^{_MARKS}\x{{201e}}\n\0]{{2,240}})[{_MARKS}]"
_DASHED = r"(?:^|[ \t.!?])[\x{2013}\x{2014}-][ \t]+"
_TURNS = r"\?|\n|？"
_SENTENCE = r"[.!?\x{2026}。？！]+[\"'\x{201d}\x{201c}]?(?:[ \t]+|$)"

# Asks for it without a question mark.
_REQUESTS = (
    r"(?i)\b(?:confirm|your [^\n\0]{1,30} please|may i have|spell|best\x{e4}tigen|nennen|confirme[rz]?"
    r"|confirm[ae]|need(?:s|ed)?|wants?|wanted|asks?|asking|asked|give|tell|send|forgot(?:ten)?|lost"
    r"|what['\x{2019}]?s|don['\x{2019}]t (?:have|know|remember)|remind|says wrong"
    r"|brauch\w*|verlangt|will|wollen|fragt|sag|nenn|schick\w*|vergessen|donne[sz]?(?:-moi)?|me faut|envoie"
    r"|oubli\w*|demande|pide|dame|dime|necesito|olvid\w+"
    r"|chiede|dammi|dimmi|serve|mandi|wrong|falsch|incorrect|only|login prompt|告诉|多少)\b|多少|什么|告诉"
)
_OTHER = (
    r"(?i)\b(?:which|what) (?:user|account|server|machine|one|door|network|envelope|site|name)\b|\b(?:where"
    r"|when|who|whose|why|how (?:often|long|many)|since when)\b"
    r"|\b(?:wo|wann|wer|wessen|warum|wieso|wie (?:oft|lange|viele)|seit wann|welche[rs]? (?:user|benutzer"
    r"|konto|server|name)|wof\x{fc}r)\b|\b(?:o\x{f9}|quand|qui|pourquoi|quel utilisateur|d\x{f3}nde"
    r"|cu\x{e1}ndo|qui\x{e9}n|por qu\x{e9}|dove|chi|perch\x{e9})\b"
)
# Ends a question without an answer.
_REFUSALS = (
    r"(?i)\b(?:(?:no (?:idea|clue)|dunno|idk)|(?:do|did|can|will|wo|ca)n['\x{2019}]?t (?:know|remember|tell"
    r"|say|have|give)|not telling|never knew|not allowed|keine ahnung"
    r"|wei\x{df} (?:ich )?nicht|sag(?:e)? ich nicht|verrat\w* ich nicht|aucune id\x{e9}e|sais pas|ni idea"
    r"|no (?:lo )?s\x{e9}|no me acuerdo|non (?:lo )?so"
    r"|non ricordo|geen idee)\b|不知道|不能|不记得"
)
# Said before an answer, or instead of one.
_FILLER = (
    r"(?:(?:\u0434\u0430|\u0432\u043e\u0442|\u044d\u0442\u043e|\u0437\u0430\u043f\u0438\u0448\u0438"
    r"|you (?:told me|said)(?: that)?(?: (?:it(?:['\u2019]s| is| was)))?"
    r"|du hast gesagt,?(?: dass)?(?: es ist)?|ok(?:ay)?|sure|yes|yep|yeah|oh|ah|ugh|lol|well|right|fine"
    r"|here(?: it is| you go)?|it is"
    r"|it['\u2019]s|its|that['\u2019]s|that is|of course|should be|must be|i think"
    r"|try|use|type|write|enter|now|today(?: it['\u2019]s|['\u2019]s is)?|still|again|just|the usual|you go"
    r"|same|numbers only|letters only|got it|found it|moment|sec|hang on|so|then|say|she says|he says"
    r"|they said|says|answer|klar|ja|hier|es ist|es|ist|das ist|das|lautet|er lautet|gern|sicher"
    r"|nat\u00fcrlich|also|nimm|sie sagt|er sagt|tippe?|schreib|gib ein|immer noch|noch|jetzt|antwort|warte"
    r"|oui|c['\u2019]est|bien s\u00fbr|voil\u00e0|toujours|tape|note|alors|r\u00e9ponse|claro|por supuesto"
    r"|s\u00ed|apunta|es|pon|anota|aqu\u00ed|s\u00ec|certo|ecco(?:la)?|\u00e8|segna|scrivi"
    r"|tuurlijk|natuurlijk|het is|het|jasne|tak|pewnie|prosz\u0119|to|jest|then write down|write down"
    r"|promis|ancora|sempre|encore|star|stern)"
    r"(?:[ \t]*[,:;.!\u2026\u2014\u2013-]+[ \t]*|[ \t]+)|(?:no|nope|nein|na|non|nee"
    r"|nie)[ \t]*[,:;.!\u2026\u2014\u2013]+[ \t]*|[\"'\u201c\u201e\u00ab*`-]+|\.{2,}[ \t]*|是"
    r"|[^\n,，]{0,8}还是[^\n,，]{0,8}[,，])"
)
_IS = re.compile(
    r"it['\u2019]s|it is|that['\u2019]s|that is|should be|must be|es|es ist|ist|das ist|c['\u2019]est"
    r"|\u00e8|is\b",
    re.IGNORECASE,
)
_ASKS_BACK = (
    r"(?i)(?:(?:ok(?:ay)?|sure|yes|klar|gern|ja|oui|claro|certo),? )?(?:and )?(?:what(?:['\x{2019}]s| is"
    r"| was)? (?:it|that)|which(?: one| is it)?|what|und|na und|welches|welche|und welches|wie lautet (?:es"
    r"|das)|wie denn|wie hei\x{df}t (?:es|das)"
    r"|et|lequel|c['\x{2019}]est quoi|y|cu\x{e1}l|cu\x{e1}l es|e|qual \x{e8}|quale|so|go on)\s*\?"
)
_VALUE = re.compile(r"([^\s\"'`\u201c\u201d\u201e\u00ab\u00bb,;\u3002\uff0c]{3,64})")
_CLOSED = re.compile(r"[.!]*[\"'`\u201c\u201d\u00bb*]*[.!]?\s*$")
_REMARK = re.compile(
    r"[.!]?[\"'`\u201c\u201d\u00bb*]*[.!]?(?:\s*[,;(\u2013\u2014\u2026\uff0c\u3002]|\.\s|\s+(?:inklusive"
    r"|mit|with|in|and|all)\b)"
)
_ISOLATED = re.compile(r"(?:^|[\s,:(\"\u201c\u201e])([*#]?\d(?:-?\d){3,9}[*#]?)(?=[\s,.;!?)\"\u201d]|$)")


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of a conversation, or a sentence: where it is in the text, in bytes."""

    begin: int
    end: int
    speaker: str
    is_speech: bool
    """Whether it is a line of a chat or in quotation marks, not a sentence of a text."""


@dataclass(slots=True)
class _Question:
    turn: Turn
    kinds: frozenset[str]
    """What may answer it: a `word`, a `phrase`, a `name`; a number always does."""
    turns_left: int
    is_of_else: bool = False


def in_dialogue(data: bytes) -> Spans:
    """Yields (start, end, type) in bytes of each answer to a question for a secret."""
    if not may_answer(data):
        return
    question: _Question | None = None
    mentioned = 0
    turns = list(_turns(data))
    for number, turn in enumerate(turns):
        content = data[turn.begin : turn.end]
        if b"\0" in content:
            question = None  # it was answered
            continue
        mentioned = _MENTIONED if class_pattern("name").search(content) else mentioned - 1
        new_question = _question(data, turn, is_mentioned=mentioned > 0)
        if byte_pattern(_REFUSALS).search(content):
            question = None
            continue
        if question:
            if question.is_of_else:
                question.is_of_else = False
            elif answer := _answer(data, turn, question, turns[number + 1 : number + 3]):
                yield answer[0], answer[1], PROSE
                question = None
                continue
        if new_question:
            question = new_question
        elif question:
            question.turns_left -= 1
            if content.rstrip().endswith(b"?") and byte_pattern(_OTHER).search(content):
                question.is_of_else = True
            if question.turns_left <= 0:
                question = None


def may_answer(data: bytes) -> bool:
    """Returns whether one of several turns speaks of a secret."""
    return byte_pattern(_TURNS).search(data) is not None and _asking_pattern().search(data) is not None


@cache
def _asking_pattern() -> Any:
    """Returns the pattern, compiled once, of all words by which a turn speaks of a secret or asks for it."""
    return byte_pattern(
        f"(?i){alternatives('name')}|{alternatives('phrase')}|{alternatives('sure')}"
        f"|{alternatives('words_for')}|{alternatives('prompt')}|{alternatives('code')}"
        f"|{alternatives('question')}"
    )


def _turns(data: bytes) -> Iterator[Turn]:
    """Yields the turns of a conversation, or the sentences of a text."""
    begin = 0
    while begin < len(data):
        end = data.find(b"\n", begin)
        end = len(data) if end < 0 else end
        line = data[begin:end]
        head = byte_pattern(_SPEAKER).match(line)
        speaker = (head.group(1) or head.group(2)).decode("utf-8", "replace") if head else ""
        start = begin + (head.end() if head else 0)
        yield from _turns_of_line(data, start, end, speaker)
        begin = end + 1


def _turns_of_line(data: bytes, start: int, end: int, speaker: str) -> Iterator[Turn]:
    """Yields the turns of a line: quoted speech, or what is between dashes."""
    line = data[start:end]
    quoted = [] if speaker else list(byte_pattern(_QUOTED).finditer(line))
    if len(quoted) > 1:
        for match in quoted:
            yield Turn(start + match.start(1), start + match.end(1), "", True)
        return
    dashes = [] if speaker else list(byte_pattern(_DASHED).finditer(line))
    if len(dashes) > 1 or (dashes and dashes[0].start() == 0):
        at = 0
        for match in dashes:
            if line[at : match.start()].strip():
                yield from _sentences(data, start + at, start + match.start() + 1, "", len(dashes) > 1)
            at = match.end()
        yield Turn(start + at, end, "", True)
        return
    if speaker or len(line) < 80:
        yield Turn(start, end, speaker, True)
    else:
        yield from _sentences(data, start, end, speaker, False)


def _sentences(data: bytes, start: int, end: int, speaker: str, is_speech: bool) -> Iterator[Turn]:
    """Yields the sentences of a turn."""
    at = start
    for match in byte_pattern(_SENTENCE).finditer(data, start, end):
        yield Turn(at, match.end(), speaker, is_speech)
        at = match.end()
    if at < end:
        yield Turn(at, end, speaker, is_speech)


def _question(data: bytes, turn: Turn, *, is_mentioned: bool) -> _Question | None:
    """Returns what a turn asks for, if that is a secret."""
    content = data[turn.begin : turn.end]
    if len(content) > 2 * _LONGEST:
        return None
    is_question = content.rstrip(b" \t\"'\r").endswith((b"?", "\uff1f".encode()))
    if is_question and is_mentioned and byte_pattern(_ASKS_BACK).fullmatch(content.strip()):
        return _Question(turn, frozenset({"word"}), _PATIENCE)
    if not is_question and not (turn.is_speech and byte_pattern(_REQUESTS).search(content)):
        return None
    if byte_pattern(_OTHER).search(content):
        return None
    kinds = {kind for kind, name in _KINDS if class_pattern(name).search(content)}
    if class_pattern("code").search(content) and (
        class_pattern("lock").search(content) or len(content.split()) < _SHORT
    ):
        kinds.add("number")
    if kinds:
        return _Question(turn, frozenset(kinds), _PATIENCE)
    return None


_KINDS = (
    ("word", "name"), ("word", "words_for"), ("word", "prompt"), ("phrase", "phrase"),
    ("phrase", "words_for"), ("name", "question"), ("number", "sure"),
)  # fmt: skip
"""Kind of answer and the class of words that asks for it."""


def _answer(data: bytes, turn: Turn, question: _Question, next_turns: list[Turn]) -> tuple[int, int] | None:
    """Returns where a turn, or one of its sentences, says a secret and hardly anything else."""
    note = _note()
    is_own = bool(turn.speaker) and turn.speaker == question.turn.speaker
    is_noted = any(note.search(data, other.begin, other.end) for other in (turn, *next_turns))
    for part in (turn, *_sentences(data, turn.begin, turn.end, turn.speaker, turn.is_speech)):
        content = data[part.begin : part.end][:_LONGEST].decode("utf-8", "replace").rstrip("\r ")
        if content.endswith(("?", "\uff1f")):
            continue
        at, value = _secret_in_answer(content, question.kinds, is_speech=turn.is_speech, is_noted=is_noted)
        if value and (not is_own or is_distinctive(value) or has_number(value)):
            start = part.begin + len(content[:at].encode())
            return start, start + len(value.encode())
    return None


@cache
def _note() -> Any:
    return byte_pattern(rf"(?i)(?:^|[ \t,.;(]){alternatives('note')}")


@cache
def _filler() -> re.Pattern[str]:
    return re.compile(_FILLER, re.IGNORECASE)


def _secret_in_answer(
    answer: str, kinds: frozenset[str], *, is_speech: bool, is_noted: bool
) -> tuple[int, str]:
    """Returns the place and the text of the secret that an answer tells, or an empty one."""
    at, is_stated = 0, False
    while match := _filler().match(answer, at):
        is_stated = bool(_IS.match(answer, at))
        at = match.end()
    rest = answer[at:]
    phrase = rest.rstrip(" .!\"'\u201c\u201d\u00bb")
    count = len(phrase.split())
    if "number" in kinds and is_speech and count == 1 and len(phrase) > 3 and is_distinctive(phrase):
        return at, phrase  # the code of a door may be anything, if nothing else is said
    if kinds & {"word", "phrase"} and (match := _VALUE.match(rest)):
        value = match.group(1).rstrip(".!?\u2026)")
        after = rest[len(value) :]
        is_strange = is_distinctive(value) or has_number(value)
        is_whole = (is_speech or is_strange) and _CLOSED.match(after)
        is_remarked = (is_strange or is_noted or after.startswith(" (")) and _REMARK.match(after)
        is_fit = is_strange or is_noted or telling.is_noun(value, is_stated=is_stated)
        if (is_whole or is_remarked) and telling.is_answer(value) and is_fit:
            return at, value
    if (
        "name" in kinds
        and is_speech
        and 0 < count < 4
        and phrase[:1].isupper()
        and telling.is_name(Value(phrase))
    ):
        return at, phrase
    if "phrase" in kinds and 3 <= count <= 9:
        is_told = at > 0 or is_noted or telling.is_unlike_talk(phrase)
        if is_told and telling.is_phrase(Value(phrase)):
            return at, phrase
    if "word" in kinds and is_noted and count in (2, 3) and telling.is_phrase(Value(phrase)):
        return at, phrase
    for match in _ISOLATED.finditer(answer):
        if telling.is_number(Value(match.group(1), "is ", answer[match.end() :])):
            return match.start(1), match.group(1)
    return 0, ""
