"""German clauses: subject, verb wherever it stands, and what belongs to it."""

from __future__ import annotations

import re

from holdfast.language.claims.attributes import TIME
from holdfast.language.claims.clause import ADVERBS, CHANGED, OPENERS, THIRD, Clause, Token, take_times
from holdfast.language.claims.lexicon import MARKERS
from holdfast.language.claims.verbs import BASE, DONE, PAST_TENSE, german

_DE_MODAL = {"want": "will", "would like": "wish", "plan": "plan", "must": "need", "should": "need"}

_NEG_DE = frozenset("nicht nie niemals weder nix nichts kaum".split())

_DE_SKIP = frozenset("mich mir uns dich dir sich".split())

_PREFIX = {
    ("stehe", "auf"): "stand",
    ("höre", "auf"): "quit",
    ("breche", "ab"): "drop out",
    ("steige", "um"): "switch",
    ("wache", "auf"): "wake",
}

_RELATIVE = [
    [*([prep] if prep else []), word]
    for prep in ("", "in", "bei", "mit", "für", "an", "auf", "von")
    for word in ("der", "die", "das", "dem", "den", "denen")
]


def german_clause(text: str, joint: str, tokens: list[Token], *, inherits: bool) -> Clause:
    """Returns what a German clause says, wherever its verb is; `inherits` if it continues about the subject
    of the clause before it."""
    clause = Clause(tokens[0].start, tokens[-1].end, joint=joint, tokens=tokens, language="de")
    clause.whole = text[clause.start : clause.end]
    begin = _after_openers(tokens)
    subject = next((k for k in range(begin, len(tokens)) if tokens[k].low in ("ich", "wir")), None)
    finite = [k for k in range(begin, len(tokens)) if _may_be_verb(tokens, k, begin)]
    if subject is None:
        if not _drops_subject(tokens, finite, begin, inherits=inherits):
            return clause
        clause.subject = "self" if inherits else "dropped"
        lemma, form = german()[tokens[finite[0]].low]
        if form == DONE:
            clause.verb, clause.done = lemma, True
            _rest_de(text, clause, tokens, finite[:1], begin)
            return clause
    else:
        is_asked = _is_question(text, joint, tokens, subject, begin)
        clause.subject = "asked" if is_asked else "self"
        if is_asked or not finite:
            return clause
        if [token.low for token in tokens[begin:subject]] in _RELATIVE:
            clause.subject = "other"
            return clause
    clause.start = tokens[begin].start
    used = _take_verb(clause, tokens, finite, is_plural=subject is not None and tokens[subject].low == "wir")
    clause.negative = any(token.low in _NEG_DE or token.low.startswith("kein") for token in tokens)
    clause.changed = any(token.low in CHANGED for token in tokens)
    clause.used = any(token.low in ("früher", "damals", "ehemals") for token in tokens)
    _rest_de(text, clause, tokens, used, begin, subject)
    return clause


def _after_openers(tokens: list[Token]) -> int:
    """Returns the position of the first word after those that only open a sentence: "ja also"."""
    position = 0
    while (
        position < len(tokens) - 1
        and tokens[position].low in OPENERS
        and tokens[position].low not in ("morgen", "abend", "tag")
    ):
        position += 1
    return position


def _may_be_verb(tokens: list[Token], k: int, begin: int) -> bool:
    """Returns whether a word has the form of a verb, and is no noun by its capital."""
    is_capital = tokens[k].text[:1].isupper()
    return (
        tokens[k].low in german()
        and (tokens[k].text[:1].islower() or k == begin)
        and not (k > 0 and is_capital)
    )


def _drops_subject(tokens: list[Token], finite: list[int], begin: int, *, inherits: bool) -> bool:
    """Returns whether a clause without "ich" or "wir" is about the speaker: "wohne in Kiel"."""
    if not finite:
        return False
    first = finite[0]
    between = tokens[begin + 1 : first]
    if first > begin + 3 or any(token.low in THIRD for token in tokens[begin:first]):
        return False
    _, form = german()[tokens[first].low]
    if (form == BASE and not inherits) or (form == DONE and first > begin + 2):
        return False
    if any(token.text[:1].isupper() and token.low not in MARKERS for token in between):
        return False
    opener = tokens[begin]
    names_another = (
        opener.text[:1].isupper()
        and opener.low not in ADVERBS
        and opener.low not in ("seit", "vor", "im", "in")
    )
    return inherits or first == begin or not names_another


def _is_question(text: str, joint: str, tokens: list[Token], subject: int, begin: int) -> bool:
    """Returns whether a sentence asks about the speaker: its verb is before the subject, at the begin."""
    return (
        subject + 1 < len(tokens)
        and tokens[subject - 1].low in german()
        and subject - 1 == begin
        and joint in ("", ".", "!", "?", "\n")
        and text.rstrip().endswith("?")
    )


def _take_verb(clause: Clause, tokens: list[Token], finite: list[int], *, is_plural: bool) -> list[int]:
    """Sets the verb of a clause with its tense and mode. Returns the positions of the words of the verb."""
    forms = [(k, *german()[tokens[k].low]) for k in finite]
    main, lemma, tense = next(
        (verb for verb in forms if verb[2] in ("present", PAST_TENSE) or (is_plural and verb[2] == BASE)),
        forms[0],
    )
    clause.past = tense == PAST_TENSE
    used = [main]
    infinite = [verb for verb in forms if verb[2] in (DONE, BASE)]
    is_final = main == len(tokens) - 1  # a subordinate clause ends in its finite verb
    others = [verb for verb in infinite if verb[0] > main or (is_final and verb[0] < main)]
    other = others[-1] if others else None
    if lemma in _DE_MODAL:
        clause.planned, clause.verb = _DE_MODAL[lemma], "to"
    elif lemma in ("can", "may"):
        clause.can = True
        clause.verb = "can" if other is None else other[1]
        used += [] if other is None else [other[0]]
    elif lemma == "become" and other is not None:
        clause.planned, clause.verb = "will", "to"
    elif lemma in ("have", "be") and other is not None and other[2] == DONE:
        clause.verb, clause.done = other[1], not clause.past
        used.append(other[0])
    else:
        clause.verb = lemma
    if tense == BASE and main > 0 and tokens[main - 1].low == "zu":  # "Cello zu spielen"
        used.append(main - 1)
    clause.word = tokens[used[-1]].text
    compound = _PREFIX.get((tokens[main].low, tokens[-1].low))
    if compound is not None and not (compound == "stand" and len(tokens) < 4):
        clause.verb = compound
        used += [] if compound == "stand" else [len(tokens) - 1]
    if clause.verb == "move" and not clause.past and not clause.done:
        clause.planned = "will"
    return used


_OBJECT_FIRST = frozenset("can like eat drink have hate tolerate endure speak play own".split())


def _rest_de(
    text: str, clause: Clause, tokens: list[Token], used: list[int], i: int, subject: int | None = None
) -> None:
    """Takes verb, subject and words of little weight away, before and after the verb."""
    first = min(used)
    is_final = first == len(tokens) - 1 and subject is not None and subject < first
    consumed = {*used, *([] if subject is None else [subject])}
    anchor = subject if is_final and subject is not None else first
    before = [
        k
        for k in range(i, anchor)
        if k not in consumed and not (subject is not None and k > subject and _is_adverb(tokens, k))
    ]
    after = [k for k in range(anchor, len(tokens)) if k not in consumed]
    clause.front = _join(text, tokens, before)
    while after and (
        _is_adverb(tokens, after[0])
        or (tokens[after[0]].low in _DE_SKIP and clause.verb not in ("nourish", "volunteer", "fear"))
    ):
        after.pop(0)
    clause.whole = text[clause.start : clause.end]
    clause.rest = _NEGATION.sub(" ", _join(text, tokens, after)).strip(" ,")
    take_times(clause)
    clause.rest = _LEAD_DE.sub("", clause.rest).strip()
    if clause.planned or not clause.front:
        return
    front = TIME.sub("", f" {clause.front} ").strip(" ,")
    front = _LEAD_DE.sub("", front)
    if (
        front
        and not _EMPTY.fullmatch(front)
        and not all(map(_may_be_adverb, front.lower().replace("ehrlich gesagt", "ehrlich").split()))
        and (
            not clause.rest
            or _EMPTY.fullmatch(clause.rest)
            or (
                tokens[i].text[:1].isupper()
                and front.split()[0].lower() not in _PREPS
                and clause.verb in _OBJECT_FIRST
            )
        )
    ):
        clause.rest = front if _EMPTY.fullmatch(clause.rest or "gern") else f"{front} {clause.rest}"


_DOUBTFUL = frozenset(
    "wohl grundsätzlich absolut generell tatsächlich prinzipiell zumindest wenigstens allgemein ehrlich schlicht offenbar"
    " anscheinend scheinbar".split()
)
"""Adverbs that may as well belong to the object: "schlicht eingerichtete Wohnungen"."""
_BEFORE_OBJECT = re.compile(r"kein\w*|nicht|nie|niemals|nichts|nix|weder|eine?[nmr]?|der|die|das|den|dem")
"""Matches words with which an object, or what is denied, begins."""


def _may_be_adverb(word: str) -> bool:
    """Returns whether a word may say nothing of the object beside it: "leider", "dummerweise"."""
    return word.lower() in ADVERBS or word.lower() in _DOUBTFUL or word.endswith("erweise")


def _is_adverb(tokens: list[Token], k: int) -> bool:
    """Returns whether a word says nothing of the object beside it; a doubtful one only where adverbs alone
    stand between it and a denial or an article."""
    pairs = {" ".join(token.low for token in tokens[at : at + 2]) for at in (k, max(k - 1, 0))}
    if "ehrlich gesagt" in pairs:
        return True
    if tokens[k].low not in _DOUBTFUL:
        return _may_be_adverb(tokens[k].text)
    following = next((token.low for token in tokens[k + 1 :] if not _may_be_adverb(token.text)), "")
    return _BEFORE_OBJECT.fullmatch(following) is not None


_PREPS = frozenset(
    "in im am an auf bei beim mit von zu zur zum seit nach vor für aus um durch wegen trotz als neben ab".split()
)

_NEGATION = re.compile(
    r"\b(?:(?:gar |überhaupt |leider |absolut )?(?:nicht mehr|nimmer|nicht|niemals|nie)(?= |$))",
    re.IGNORECASE,
)

_LEAD_DE = re.compile(
    r"^(?:(?:früher|damals|jetzt|nun|inzwischen|mittlerweile|auch|schon|noch|immer noch|gerade|derzeit|zurzeit|aktuell|momentan|im moment|übrigens|ja|wirklich|total|echt|leider|eigentlich|selbst|seit kurzem|wieder|nur|halt|doch|mir|uns"
    r"|nämlich|hauptberuflich|neben dem (?:studium|job)|heute|demnächst|meistens|meist|ab und zu|zum glück|von beruf|beruflich|mal|immer|dann|da|ziemlich|seitdem)(?: |$))+",
    re.IGNORECASE,
)

_EMPTY = re.compile(
    r"(?:(?:gern|gerne|oft|ganz|gut|viel|sehr|ziemlich|nicht|besonders|schlecht|auch|nie|wieder|mittlerweile|überhaupt|gar|am liebsten|lieber|fließend|ab|leiden|ausstehen|super|halbwegs|regelmäßig|immer|jetzt|inzwischen|"
    r"hauptberuflich|nebenbei|früher|heute|morgens|abends|sonntags|drei stück|kein|bei mir|privat|beruflich|von beruf)\s*)*",
    re.IGNORECASE,
)


def _join(text: str, tokens: list[Token], indexes: list[int]) -> str:
    """Returns the text of the words at these positions; neighbours keep what is between them."""
    parts: list[str] = []
    previous, start = -2, 0
    for k in indexes:
        if k == previous + 1 and parts:
            parts[-1] = text[start : tokens[k].end]
        else:
            start = tokens[k].start
            parts.append(text[start : tokens[k].end])
        previous = k
    return " ".join(parts)
