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
    """Returns what a German clause says, wherever its verb stands."""
    clause = Clause(tokens[0].start, tokens[-1].end, joint=joint, tokens=tokens, language="de")
    clause.whole = text[clause.start : clause.end]
    verbs = german()
    i = 0
    while (
        i < len(tokens) - 1 and tokens[i].low in OPENERS and tokens[i].low not in ("morgen", "abend", "tag")
    ):
        i += 1
    subject = next((k for k in range(i, len(tokens)) if tokens[k].low in ("ich", "wir")), None)
    finite = [
        k
        for k in range(i, len(tokens))
        if tokens[k].low in verbs
        and (tokens[k].text[:1].islower() or k == i)
        and not (k and tokens[k].text[:1].isupper())
    ]
    plural = subject is not None and tokens[subject].low == "wir"
    if subject is None:
        if not finite or finite[0] > i + 3 or any(token.low in THIRD for token in tokens[i : finite[0]]):
            return clause
        first = finite[0]
        form = verbs[tokens[first].low]
        if (form[1] == BASE and not inherits) or (form[1] == DONE and first > i + 2):
            return clause
        if any(token.text[:1].isupper() and token.low not in MARKERS for token in tokens[i + 1 : first]) or (
            first > i
            and not inherits
            and tokens[i].text[:1].isupper()
            and tokens[i].low not in ADVERBS
            and tokens[i].low not in ("seit", "vor", "im", "in")
        ):
            return clause
        clause.subject = "self" if inherits else "dropped"
        if form[1] == DONE:
            clause.verb, clause.done = form[0], True
            _rest_de(text, clause, tokens, [first], i)
            return clause
    else:
        clause.subject = "self"
        if (
            subject + 1 < len(tokens)
            and tokens[subject - 1].low in verbs
            and subject - 1 == i
            and joint in ("", ".", "!", "?", "\n")
            and text.rstrip().endswith("?")
        ):
            clause.subject = "asked"
            return clause
    if not finite or (subject is not None and [token.low for token in tokens[i:subject]] in _RELATIVE):
        clause.subject = "other" if finite else clause.subject
        return clause
    clause.start = tokens[i].start
    lemmas = [(k, *verbs[tokens[k].low]) for k in finite]
    main = (
        next(
            (
                (k, lemma, form)
                for k, lemma, form in lemmas
                if form in ("present", PAST_TENSE) or (plural and form == BASE)
            ),
            None,
        )
        or lemmas[0]
    )
    used = [main[0]]
    _, verb, tense = main
    clause.past = tense == PAST_TENSE
    final = [one for one in lemmas if one[0] > main[0] and one[2] in (DONE, BASE)] or [
        one for one in lemmas if one[0] < main[0] and one[2] in (DONE, BASE) and main[0] == len(tokens) - 1
    ]
    if verb in ("want", "would like", "must", "should", "plan"):
        clause.planned = _DE_MODAL[verb]
        clause.verb = "to"
    elif verb in ("can", "may"):
        clause.can = True
        clause.verb = final[-1][1] if final else "can"
        used += [final[-1][0]] if final else []
    elif verb == "become" and final:
        clause.planned, clause.verb = "will", "to"
    elif verb in ("have", "be") and final and final[-1][2] == DONE:
        clause.verb, clause.done, clause.past = final[-1][1], not clause.past, clause.past
        used.append(final[-1][0])
    else:
        clause.verb = verb
    clause.word = tokens[used[-1]].text
    last = tokens[-1]
    prefix = _PREFIX.get((tokens[main[0]].low, last.low))
    if prefix is not None and not (prefix == "stand" and len(tokens) < 4):
        clause.verb = prefix
        if prefix != "stand":
            used.append(len(tokens) - 1)
    if clause.verb == "move" and not clause.past and not clause.done:
        clause.planned = "will"
    for _k, token in enumerate(tokens):
        if token.low in _NEG_DE or token.low.startswith("kein"):
            clause.negative = True
        clause.changed |= token.low in CHANGED
    clause.used = any(token.low in ("früher", "damals", "ehemals") for token in tokens)
    _rest_de(text, clause, tokens, used, i, subject)
    return clause


_OBJECT_FIRST = frozenset("can like eat drink have hate tolerate endure speak play own".split())


def _rest_de(
    text: str, clause: Clause, tokens: list[Token], used: list[int], i: int, subject: int | None = None
) -> None:
    """Takes verb, subject and words of little weight away, before and after the verb."""
    first = min(used)
    is_final = first == len(tokens) - 1 and subject is not None and subject < first
    gone = {*used, *([] if subject is None else [subject])}
    anchor = subject if is_final and subject is not None else first
    before = [k for k in range(i, anchor) if k not in gone]
    after = [k for k in range(anchor, len(tokens)) if k not in gone]
    clause.front = _join(text, tokens, before)
    while after and (
        tokens[after[0]].low in ADVERBS
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
