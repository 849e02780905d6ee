"""Divides sentences that change a list into parts: its values, ranks, words of operations, new names.

A message notes a sentence that may change a list (`change_in`). When the lists of its conversation are known,
`parse` gives each word its part: a value of the list, a rank, the name of the list, a word for an operation,
one that adds nothing, or a name that is new. `change_forms` reads the parts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from holdfast.core.facts import LAST, RANK_MAX, Act, Statement
from holdfast.core.text import byte_pattern
from holdfast.language.facts.becoming import become, may_become
from holdfast.language.facts.change_words import CLASS, COUNT, FILLERS, PHRASES, POSITION
from holdfast.language.facts.heads import heads_in, topic_named
from holdfast.language.facts.lexicon import rank_named
from holdfast.language.facts.lists import folded
from holdfast.language.facts.topics import DISLIKED, Topics, stem_of

TEXT_MAX = 400
"""Characters; a longer message changes no list in passing."""
SENTENCE_MAX = 200
"""Characters of a sentence that is read as a change."""

_WORD = re.compile(r"\"[^\"]+\"|#\d{1,3}|\d{1,3}\.(?= )|[\w'&/+-]+(?:\.\w+)*|[,;:–—.!]")
_DISLIKED = re.compile(
    r",? (?:(?:that|which|die|den|das) )?(?:I|ich) (?:don't like|do not like|hate|dislike|can't stand|avoid"
    r"|nicht mag|nicht leiden kann|hasse)",
    re.IGNORECASE,
)
DISLIKES = re.compile(
    r"\b(?:hate|dislike|avoid|can't stand|don't like|least|hasse|nicht mag|nicht leiden)\b", re.IGNORECASE
)
"""Words by which a list of what is disliked is meant."""
_INSIDE = frozenset("of the de la le du des der von the & del di da".split())
"""Words inside a name."""


def _word_pattern(word: str) -> str:
    """Returns a pattern of a word for RE2, to which only ASCII letters are parts of words."""
    return rf"{chr(92) + 'b' if word[0].isascii() else ''}{word}{chr(92) + 'b' if word[-1].isascii() else ''}"


_HINT = (
    "|".join(
        _word_pattern(word) for word, letter in CLASS.items() if letter in "SXP?AaMTIG" and word.isalpha()
    )
    + "|überholt|"
    + r"\b(?:over(?:taken|takes)|beats|above|below|before|after|hinter|top|end|front|bottom|oben|unten|vorne?"
    r"|hinten|anfang|ende|spitze|schluss|first|last|longer|anymore)\b|#\d"
)
"""Words of which a change has one."""


def may_change(low: str) -> bool:
    """Returns whether a text in lower case may state a change; fast, since it runs on every text before
    parsing."""
    return len(low) <= TEXT_MAX and (
        byte_pattern(_HINT).search(low.encode("utf-8", "surrogatepass")) is not None or may_become(low)
    )


def change_in(sentence: str, topics: Topics) -> Statement | None:
    """Returns the note of a sentence that may change a list; None for one that asks, supposes or denies."""
    text = " ".join(sentence.replace("’", "'").split())
    lead = _LEAD.match(text)
    plain = text[lead.end() if lead else 0 :].rstrip(" .!")
    polite = lead is not None and re.search(r"\b(?:you|du)\b", lead[0], re.IGNORECASE) is not None
    if (plain.endswith("?") and not polite) or _ELSEWHERE.search(plain) or _DENIED.search(plain):
        return None
    plain = plain.rstrip(" ?")
    reason = _REASON.search(plain)
    denied = re.search(r"\b(?:not|nicht)\b", plain[: reason.start()]) if reason else None
    if reason is not None and denied is None and not _OWN_LIST.search(plain, reason.start()):
        plain = plain[: reason.start()].rstrip(" ,;.!")
    if become(plain) is not None:
        return Statement("", Act.CHANGE, plain)
    if not plain or len(plain) > SENTENCE_MAX or not _speaks_of_change(plain):
        return None
    return Statement(_own_topic(plain, topics), Act.CHANGE, plain)


def _speaks_of_change(sentence: str) -> bool:
    """Returns whether a sentence speaks of a list, or a clause of it is a command or so short that a change
    is all it is about."""
    plain = _plain(sentence)
    if _RANKED.search(plain) and len(plain.split()) <= SHORT_MAX:
        return True
    if _OWN_LIST.search(plain):
        return not set("SXPBI?AaMTG").isdisjoint(CLASS.get(word, "") for word in _WORD.findall(plain.lower()))
    return any(_is_change(clause) for clause in _CLAUSES.split(plain))


def _is_change(clause: str) -> bool:
    """Returns whether a clause can change a list."""
    words = _WORD.findall(_INTRODUCED.sub("", clause).lower())
    letters = [CLASS.get(word, "") for word in words]
    if words and words[0] not in _VERSATILE and letters[0] and letters[0] in "SXAMPT":
        return True
    if len(words) > SHORT_MAX:
        return False
    if not set("SXPBI?=").isdisjoint(letters) or {"!", "G"} <= set(letters) or letters[-1:] in (["A"], ["a"]):
        return True
    if "M" in letters and "F" in letters:
        return True
    return byte_pattern(_PLACE).search(clause.lower().encode("utf-8", "surrogatepass")) is not None


_PLACE = (
    r"\b(?:to|at|in|into|on|as|be|auf|an|ans|am|zum|zur|als|nach) (?:(?:the|my|die|den|der) )?(?:very )?"
    r"(?:top|front|end"
    r"|bottom|beginning|first|second|third|fourth|fifth|last|spitze|anfang|ende|schluss"
    r"|(?:number|nummer|platz|rang|place|spot|position) |\d)"
    r"|\b(?:ganz (?:oben|unten|vorne?|hinten)|(?:erst|zweit|dritt|letzt)e[rn]? (?:stelle|platz))"
    r"|\b(?:first|last|zuerst|zuletzt)$"
)
"""Where a value may go."""
_CLAUSES = re.compile(r"[,;:] |(?:^| )(?:and|und) ", re.IGNORECASE)
_VERSATILE = frozenset("have make get take use turn call go come must should in".split())
"""Verbs that begin many sentences of other things."""
SHORT_MAX = 8
"""Words of a sentence that speaks of a change and of nothing else."""
_INTRODUCED = re.compile(
    r"^(?:(?:i (?:want|would like|need|have|'d like)(?: you)? to|i'd like(?: you)? to|i'd"
    r"|you (?:can|may|should)|let's|let me|we should|du (?:kannst|darfst|sollst)|ich (?:möchte|will|würde)"
    r"|lass uns|please|just|bitte|mal|also|and|und) )*",
    re.IGNORECASE,
)
_OWN_LIST = re.compile(
    r"\b(?:lists?|rankings?|liste|rangliste|fav\w*|lieblings\w*|number \w+|nummer \w+|platz \w+)\b|#\d",
    re.IGNORECASE,
)
_RANKED = re.compile(
    r"\b(?:my|mein\w*) #\d"
    r"|\b(?:number|nummer|platz|place|spot) (?:\d|one|two|three|four|five|eins|zwei|drei|vier|fünf)"
    r"|\b(?:first|second|third|fourth|fifth|last|erste[rn]?|zweite[rn]?|dritte[rn]?|letzte[rn]?)"
    r" (?:place|platz)",
    re.IGNORECASE,
)
"""A rank that is named as one."""
_REASON = re.compile(
    r",? (?:because|since|weil|denn) (?=\w+)|[,;] (?=(?:it|it's|they|they're|es|sie) )",
    re.IGNORECASE,
)
"""Where a reason begins."""
_LEAD = re.compile(
    r"^\W*(?:(?:please|bitte|ok|okay|now|then|actually|so|and|also|hey|hm+|oh|wait|well|alright|great|right|thanks"
    r"|no|yes|und|dann|jetzt|nun|doch|ach|nein|nee|ja|danke|sorry|on second thoughts?|by the way|btw|moment"
    r"|übrigens|halt)[,:;.!]* +|(?:can|could|would|will) you |(?:kannst|könntest|würdest) du )*",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"^(?:if|when|why|how|what|who|she|he|they|wenn|falls|warum|wieso|er|was|wer|wie)\b"
    r"|(?:'s|s'|\b(?:his|her|their|your|deine?|seine?|ihre?)) (?:\w+ )?(?:least )?(?:fav|lieblings)",
    re.IGNORECASE,
)
"""What begins no change, and the lists of others."""
_DENIED = re.compile(
    r"^(?:[\w']+ )?(?:not|never|nie)\b(?! (?:\S+ ){0,3}(?:but|i|sondern|any|more))|\bnicht[\s.!]*$"
    r"|\b(?:lieber|doch|noch) nicht\b(?! mehr)",
    re.IGNORECASE,
)


def _own_topic(sentence: str, topics: Topics) -> str:
    """Returns the key of the topic that a sentence names as one's own, empty if it names none."""
    for head in heads_in(sentence):
        words = []
        for word in _WORD.findall(sentence[head.end :])[:4]:
            if word.lower() in FILLERS or word.lower() in CLASS or not word[0].isalpha():
                break
            words.append(word)
        topic = topic_named(" ".join(words), topics, disliked=head.disliked) if words else None
        if topic is not None:
            return topic.key
    return ""


_PHRASE = re.compile(
    "|".join(rf"(?P<p{i}>(?<!\w)(?:{pattern})(?!\w))" for i, (pattern, _) in enumerate(PHRASES)),
    re.IGNORECASE,
)


_AHEAD = re.compile(r"\(\?[=!](?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")
_MAY_BE_PHRASE = f"(?i){'|'.join(_AHEAD.sub('', pattern) for pattern, _ in PHRASES)}|İ|ı"
"""For RE2, so without what is to follow: it matches wherever `_PHRASE` does, to which İ and ı are i."""


def _plain(sentence: str) -> str:
    """Returns a sentence with each phrase as one word."""
    text = sentence.replace("’", "'")
    if byte_pattern(_MAY_BE_PHRASE).search(text.encode("utf-8", "surrogatepass")) is not None:
        text = _PHRASE.sub(lambda match: PHRASES[int((match.lastgroup or "p0")[1:])][1], text)
    return " ".join(text.split())


@dataclass(slots=True)
class Change:
    """A sentence as one letter for each of its parts, with what the parts name."""

    letters: str = ""
    names: list[str] = field(default_factory=list)
    """What each letter names: a value, a position such as `#2`, or nothing."""
    names_list: bool = False
    names_value: bool = False

    def put(self, letter: str, name: str = "") -> None:
        self.letters += letter
        self.names.append(name)

    @property
    def refers(self) -> bool:
        """Returns whether it speaks of ranks, of all or of a list without naming which."""
        return bool(re.search("[VDEL]", self.letters))


def parse(sentence: str, values: Sequence[str], topic: str, topics: Topics) -> Change:
    """Divides a sentence into its parts, beside the values of a list and its topic."""
    text = _plain(_DISLIKED.sub("", sentence) if topic.startswith(DISLIKED) else sentence)
    words = [(match[0], match.start(), match.end()) for match in _WORD.finditer(text)]
    candidates = sorted(((_folded(value), value) for value in values), key=lambda pair: -len(pair[0]))
    stem = stem_of(topic)
    change = Change()
    run: list[int] = []

    def end_run() -> None:
        if run:
            name, before = text[words[run[0]][1] : words[run[-1]][2]], words[run[0] - 1][0] if run[0] else ""
            change.put("n" if before.lower() in _ARTICLES and name[:1].islower() else "N", name)
            run.clear()

    at = 0
    swaps = any(CLASS.get(word.lower()) == "S" for word, _, _ in words)
    while at < len(words):
        word, start, _ = words[at]
        low = word.lower()
        length, value = _value_at(words, at, candidates)
        if length and not run and _goes_on(words, at + length, is_renamed=change.letters[-1:] in ("P", "W")):
            run += range(at, at + length)
            at += length
            continue
        if length:
            end_run()
            change.put("V", value)
            change.names_value = True
            at += length
            continue
        length = _topic_at(words, at, stem, topics)
        if length:
            end_run()
            change.names_list = True
            change.put("L")
            at += length
            continue
        position = POSITION.match(text, start) or (COUNT.match(text, start) if swaps else None)
        if position is not None:
            end_run()
            _place(change, position)
            at = next((i for i in range(at, len(words)) if words[i][1] >= position.end()), len(words))
            continue
        if run and low in _INSIDE and at + 1 < len(words) and words[at + 1][0][:1].isupper():
            run += [at, at + 1]
            at += 2
            continue
        letter = (
            "L" if low in _LISTS else CLASS.get(low, "" if low in FILLERS or not low[0].isalnum() else "N")
        )
        if word[0] == '"' or (word[:1].isupper() and run):
            letter = "N"
        if letter == "N":
            run.append(at)
        else:
            end_run()
            if letter:
                change.put(letter)
        at += 1
    end_run()
    return change


_ARTICLES = frozenset(
    "the a an this that my das ein eine einen mein meine meinen dieses diese diesen".split()
)
"""Before a word in lower case they show that it is no name: "put the agenda first"."""
_LISTS = frozenset("list ranking liste rangliste favorites favourites favoriten order reihenfolge".split())


def _goes_on(words: Sequence[tuple[str, int, int]], at: int, *, is_renamed: bool) -> bool:
    """Returns whether a name goes on after a value of the list: "Mate cocido", "rename it to Assam Gold"."""
    word = words[at][0] if at < len(words) else ""
    if not word[:1].isalpha() or (word[:1].isupper() and not is_renamed):
        return False
    return not (POSITION.match(word) or word.lower() in CLASS or word.lower() in FILLERS | _LISTS)


def _folded(text: str) -> list[str]:
    return re.findall(r"\w+", folded(text))


def _value_at(
    words: Sequence[tuple[str, int, int]], at: int, values: Sequence[tuple[list[str], str]]
) -> tuple[int, str]:
    """Returns how many words from a place on are a value of the list, and the value."""
    for parts, value in values:
        length = 0
        folded: list[str] = []
        while len(folded) < len(parts) and at + length < len(words):
            folded += _folded(words[at + length][0])
            length += 1
        if parts and folded == parts:
            return length, value
    return 0, ""


def _topic_at(words: Sequence[tuple[str, int, int]], at: int, stem: str, topics: Topics) -> int:
    """Returns how many words from a place on name the topic of the list."""
    prefix = stem.partition("_")[0]
    for length in range(min(stem.count("_") + 1, len(words) - at), 0, -1):
        phrase = " ".join(word for word, _, _ in words[at : at + length])
        noun = re.sub(r"^lieblings-?", "", phrase.lower())
        topic = topics.about(noun, disliked=prefix == "disliked") if len(noun) > 2 else None
        if topic is not None and stem_of(topic.key) == stem:
            return length
    return 0


def _place(change: Change, position: re.Match[str]) -> None:
    """Adds a position to the words of a change."""
    if position.re is COUNT:
        change.put("V", f"#{rank_named(position[0])}")
    elif position["pair"]:
        is_first = (
            position["pair"].lower().rpartition(" ")[0] in ("first", "ersten")
            or "erst" in position["pair"].lower()
        )
        for name in ("#1", "#2") if is_first else ("#-2", "#-1"):
            change.put("V", name)
    elif position["top"] or position["end"]:
        change.put("D", "#1" if position["top"] else f"#{LAST}")
    else:
        rank = rank_named(position["rank"]) or 0
        is_rank = rank == LAST or 1 <= rank <= RANK_MAX
        change.put(("D" if position["to"] else "V") if is_rank else "?", f"#{rank}")
