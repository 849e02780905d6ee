"""English clauses: subject, verb with its auxiliaries, and what follows."""

from __future__ import annotations

from holdfast.language.claims.clause import (
    ADVERBS,
    AUX,
    BE_FORMS,
    CHANGED,
    FINITE,
    HAVE_FORMS,
    OPENERS,
    SELF,
    THIRD,
    Clause,
    Token,
    take_times,
)
from holdfast.language.claims.verbs import BASE, DONE, ING, PAST_TENSE, english

_TO = {
    "want": "want", "plan": "plan", "hope": "hope", "intend": "plan", "decided": "plan", "aim": "plan", "planning": "plan", "hoping": "plan", "intending": "plan", "going": "will",
    "looking": "plan", "about": "will", "wanting": "want", "aiming": "plan", "saving": "plan", "agreed": "plan", "wish": "want", "set": "plan", "ready": "plan", "due": "will", "trying": "try", "keen": "want",
    "used": "used", "learned": "learn", "learnt": "learn", "learning": "learn", "like": "like", "love": "like", "hate": "hate", "prefer": "prefer", "tend": "habit", "need": "need",
    "have": "need", "got": "need", "has": "need", "had": "need", "started": "begin", "began": "begin", "starting": "begin", "able": "can", "try": "need", "tried": "need", "get": "need", "dying": "want", "supposed": "need", "happy": "need", "allowed": "may", "thinking": "muse", "considering": "muse", "refuse": "refuse",
    "dreading": "need", "excited": "will", "continuing": "habit", "scheduled": "will",
}  # fmt: skip

_PHRASAL = {
    "grow up": "grow up", "grew up": "grow up", "growing up": "grow up", "split up": "split up", "break up": "break up",
    "broke up": "break up", "breaking up": "break up", "drop out": "drop out", "dropped out": "drop out",
    "look after": "look after", "looking after": "look after", "get up": "get up",
}  # fmt: skip

_OPENING = frozenset(
    "gave giving been was have had am used ca do don can planning hoping thinking about going want looking trying".split()
)


def english_clause(text: str, joint: str, tokens: list[Token], *, inherits: bool) -> Clause:
    """Returns what an English clause says; `inherits` tells whether it goes on about the same subject."""
    clause = Clause(tokens[0].start, tokens[-1].end, joint=joint, tokens=tokens, language="en")
    clause.whole = text[clause.start : clause.end]
    if joint in ("who", "which"):
        clause.subject = "other"
        return clause
    verbs = english()
    i = 0
    while (
        i < len(tokens) - 1
        and tokens[i].low in OPENERS
        and not (tokens[i].low in ("so", "for", "no", "well") and tokens[i + 1].low not in SELF)
    ):
        i += 1
    if [token.low for token in tokens[i : i + 2]] == ["turns", "out"]:
        i += 2
    subject = next(
        (
            k
            for k, token in enumerate(tokens)
            if token.low in SELF
            and (token.text in ("I", "i", "im", "ive", "Im", "Ive", "I'm") or token.low == "we")
        ),
        None,
    )
    front_verb = next(
        (
            k
            for k in range(i, subject if subject is not None else len(tokens))
            if (tokens[k].low in verbs and verbs[tokens[k].low][1] in (PAST_TENSE, "third"))
            or tokens[k].low in _SAYS
            or (tokens[k].low in AUX and tokens[k].text != "May")
        ),
        None,
    )
    if subject is not None and (front_verb is None or front_verb > subject):
        clause.subject = "self"
        if subject > i and tokens[subject - 1].low == "nor":
            clause.subject = "other"
            return clause
        clause.front = text[tokens[i].start : tokens[subject].start].strip() if subject > i else ""
        clause.start = tokens[i if clause.front and _is_fronted(clause.front) else subject].start
        i = subject + 1
    elif subject is not None and subject > i and (tokens[i].low in AUX or tokens[subject - 1].low in AUX):
        clause.subject = "asked"
        return clause
    else:
        while (
            i < len(tokens) - 1
            and (tokens[i].low in ADVERBS or tokens[i].low in OPENERS)
            and tokens[i].low not in ("so", "pretty", "no", "kind", "first", "second")
        ):
            clause.changed |= tokens[i].low in CHANGED
            i += 1
        clause.start = tokens[i].start
        low = tokens[i].low
        if low in THIRD or (not inherits and _is_of_another(tokens, i)):
            clause.subject = "other"
            return clause
        after = tokens[i + 1].low if i + 1 < len(tokens) else ""
        is_verb = (
            low in verbs
            or (
                low in ("never", "not", "no")
                and (after in verbs or after == "longer" or after in ("been", "had"))
            )
            or low in _OPENING
        )
        if not is_verb or (low in _ONLY_PARTICIPLES and not inherits):
            return clause
        if (
            low in verbs
            and verbs[low][1] == BASE
            and (
                after in FINITE
                or any(
                    verbs.get(token.low, ("", ""))[1] in (BASE, "third")
                    for token in tokens[i + 1 : i + 3]
                    if not inherits and token.low != "like"
                )
            )
        ):
            return clause
        if (low in verbs and verbs[low][1] == BASE) or (low in ("do", "don") and not inherits):
            clause.is_base = True
        clause.subject = "self" if inherits else "dropped"
    _verb_of(text, clause, tokens, i)
    return clause


_SAYS = frozenset("says said claims claimed thinks thought reckons insists tells told wrote texted".split())
_ONLY_PARTICIPLES = frozenset(
    "sung driven ridden spoken taken worn eaten woken grown broken torn known written drawn swum".split()
)
_OF_ANOTHER = frozenset("is 's isn has hasn does doesn".split())


def _is_of_another(tokens: list[Token], i: int) -> bool:
    """Checks whether a clause without a subject is about somebody else, or about what its gerund names: "hates
    gadgets", "joining a club can help"."""
    low, verbs = tokens[i].low, english()
    form = verbs.get(low)
    if low in _OF_ANOTHER or (form is not None and form[1] == "third"):
        return True
    if form is None or form[1] != ING or low == "being":
        return False
    return any(
        token.low in _GERUND_DOES or verbs.get(token.low, ("", ""))[1] == "third" for token in tokens[i + 1 :]
    )


_GERUND_DOES = frozenset(
    "is are was were has have can could will would may might should does did gave made helped takes requires makes gives helps".split()
)


def _is_fronted(front: str) -> bool:
    return len(front) < 50


_ARRANGED = frozenset(
    "booked signed enrolled applied registered entered hired scheduled ordered tried wanted considered thought".split()
)

_BETWEEN = frozenset("to on of for about up really forward definitely eventually also out finally".split())

_BEGINNING = frozenset("started start starting began begun taken took keep kept resumed gone".split())

_ENDING = frozenset("stopped quit quitting gave given giving stop stopping done finished".split())

_LIKE_PRESENT = frozenset(
    "run come become quit split read had decided started begun given stopped booked signed".split()
)

_PARTICIPLES = frozenset(
    "seen made written heard found met spent told given put set let won paid said shown thought brought sent fallen chosen felt gone got tried".split()
)

_ADJECTIVES = frozenset(
    "mixed limited used tired wooded naked raised rented furnished shared aged skilled".split()
)

_BECOMES = frozenset("married divorced engaged promoted diagnosed into pregnant used fired laid".split())

_INTENDING = frozenset(
    "going about planning hoping looking intending aiming trying thinking considering supposed able learning happy due wanting ready allowed excited scheduled".split()
)


def _verb_of(text: str, clause: Clause, tokens: list[Token], i: int) -> None:
    """Reads auxiliaries and adverbs up to the verb that says something."""
    verbs = english()
    last_aux = ""
    while i < len(tokens):
        low, following = tokens[i].low, tokens[i + 1].low if i + 1 < len(tokens) else ""
        if low in ("n't", "not", "never", "hardly", "rarely", "seldom"):
            clause.negative = True
        elif low == "no" and following == "longer":
            clause.ended = True
            i += 1
        elif (
            (low in ADVERBS or _is_adverb(low, following))
            and not (low == "all" and following in ("my", "the"))
            and not (low == "so" and following == "that")
        ):
            clause.changed |= low in CHANGED
        elif low in BE_FORMS and low != "being":
            clause.past |= low in ("was", "were", "wasn", "weren")
            clause.done |= low == "been" and last_aux in HAVE_FORMS
            last_aux = low
            nxt = _next(tokens, i + 1)
            form = verbs.get(nxt)
            if nxt in _INTENDING and _has_to(tokens, i, nxt):
                pass
            elif form is not None and form[1] == ING and nxt not in ("interesting",):
                clause.going = True
            elif nxt in ("been", "being"):
                pass
            else:
                clause.verb = "be"
                _rest(text, clause, tokens, i + 1)
                return
        elif low in HAVE_FORMS or (low == "'s" and following == "got"):
            nxt = _next(tokens, i + 1)
            if low == "'d" and nxt == "be":
                clause.planned = "could"
            elif low == "'d" and (
                nxt in ("like", "love", "prefer", "rather", "hate")
                or (nxt in verbs and verbs[nxt][1] == BASE)
            ):
                clause.planned = "wish"
            elif nxt == "to" or (nxt == "got" and _next(tokens, _index(tokens, "got", i) + 1) == "to"):
                clause.planned = "need"
                return
            elif nxt == "got" and _next(tokens, (got := _index(tokens, "got", i)) + 1) not in _BECOMES:
                clause.verb = "have"
                clause.negative |= any(token.low in ("n't", "not", "never") for token in tokens[i + 1 : got])
                _rest(text, clause, tokens, got + 1)
                return
            elif (
                nxt in ("been",)
                or (nxt in verbs and verbs[nxt][1] in (PAST_TENSE, DONE))
                or nxt in _LIKE_PRESENT
                or nxt in _PARTICIPLES
                or (nxt.endswith("ed") and len(nxt) > 4 and nxt not in _ADJECTIVES)
            ):
                clause.done = low not in ("had", "'d", "hadn")
                clause.past |= low in ("had", "'d", "hadn")
            else:
                clause.verb = "have"
                clause.past |= low in ("had", "hadn")
                if last_aux == "did":
                    clause.past = True
                _rest(text, clause, tokens, i + 1)
                return
            last_aux = low
        elif low in ("do", "does", "did", "don", "doesn", "didn") and (
            following in ("n't", "not") or following in verbs or following in ADVERBS or following == "have"
        ):
            clause.past |= low in ("did", "didn")
            last_aux = "did" if low in ("did", "didn") else "do"
            if following == "have":
                pass
        elif low in ("will", "'ll", "shall", "wo"):
            clause.planned = "will"
        elif low in ("would",):
            clause.planned = (
                "wish" if _next(tokens, i + 1) in ("like", "love", "prefer", "rather") else "could"
            )
        elif low in ("could", "might", "may", "must", "should"):
            clause.planned = "could"
        elif low in ("can", "ca"):
            clause.can = True
        elif low == "rather" and clause.planned == "wish":
            clause.planned = "need"
            return
        elif low in _ENDING and _gerund(tokens, i, ("up", "with")):
            clause.ended = True
            i += 1 if following in ("up", "with") else 0
            clause.going = True
        elif (
            low in _BEGINNING
            and _gerund(tokens, i, ("up", "back", "to"))
            and not (low == "gone" and following not in ("back",))
        ):
            clause.begun = low not in ("keep", "kept")
            clause.frequent |= low in ("keep", "kept")
            clause.going = True
            while i + 1 < len(tokens) and tokens[i + 1].low in ("up", "back", "to"):
                i += 1
            clause.past = False
        elif low in _TO and _has_to(tokens, i, low):
            kind = _TO[low]
            k = i + 1
            while k < len(tokens) and tokens[k].low in _BETWEEN:
                k += 1
            if kind == "used":
                clause.used = clause.past = True
            elif kind in ("like", "hate", "prefer") and clause.planned != "wish":
                clause.verb = {"like": "like", "hate": "hate", "prefer": "prefer"}[kind]
                _rest(text, clause, tokens, i + 1)
                return
            elif kind == "learn":
                clause.verb, clause.done = "learn", clause.done or low in ("learned", "learnt")
                _rest(text, clause, tokens, i + 1)
                return
            elif kind == "begin":
                clause.begun = True
            elif kind == "habit":
                clause.frequent = True
            elif kind == "can":
                clause.can = True
            elif kind in ("may", "refuse"):
                clause.negative |= kind == "refuse"
                clause.can |= kind == "may"
            else:
                clause.planned = (
                    "could"
                    if clause.planned == "could"
                    else (
                        kind
                        if kind in ("need", "muse", "try") or not clause.past or low == "decided"
                        else "gone"
                    )
                )
                if low == "about" and clause.past:
                    clause.planned = "gone"
                clause.past = False
                clause.verb = "to"
                clause.rest = text[tokens[k].start : clause.end] if k < len(tokens) else ""
                clause.at = tokens[k].start if k < len(tokens) else clause.end
                take_times(clause)
                return
            i = k - 1
        else:
            pair = f"{low} {following}"
            if pair in _PHRASAL:
                clause.verb, clause.word = _PHRASAL[pair], f"{tokens[i].text} {tokens[i + 1].text}"
                clause.past |= low in ("grew", "broke", "dropped", "split")
                _rest(text, clause, tokens, i + 2)
                return
            if pair in ("gave up", "given up", "cut out", "giving up", "give up"):
                clause.verb, clause.past = "quit", True
                _rest(text, clause, tokens, i + 2)
                return
            form = verbs.get(low)
            if form is None or (form[1] == "third" and clause.subject == "self"):
                if low in _ARRANGED and not clause.going:
                    clause.verb = low
                    _rest(text, clause, tokens, i + 1)
                    return
                clause.verb = f"?{low}"
                _rest(text, clause, tokens, i + 1)
                return
            lemma, tense = form
            clause.verb, clause.word = lemma, tokens[i].text
            clause.past |= tense == PAST_TENSE and not clause.done and not clause.ended
            if tense == ING:
                clause.going = True
            if clause.planned in ("will", "wish", "want"):
                clause.rest, clause.at = text[tokens[i].start : clause.end], tokens[i].start
                clause.verb = "to"
                take_times(clause)
                return
            _rest(text, clause, tokens, i + 1)
            return
        i += 1


def _is_adverb(low: str, following: str) -> bool:
    """Checks whether a word before a verb only says how it is done: "strongly dislike", "much prefer"."""
    return following in english() and (
        low == "much" or (low.endswith("ly") and len(low) > 5 and low not in english())
    )


def _next(tokens: list[Token], i: int) -> str:
    return next(
        (
            token.low
            for token in tokens[i:]
            if (token.low not in ADVERBS and token.low not in ("n't", "not", "never", "no", "longer"))
            or token.low in ("about",)
        ),
        "",
    )


def _index(tokens: list[Token], low: str, i: int) -> int:
    return next(k for k in range(i, len(tokens)) if tokens[k].low == low)


def _gerund(tokens: list[Token], i: int, skipped: tuple[str, ...]) -> bool:
    k = i + 1
    while k < len(tokens) and tokens[k].low in skipped:
        k += 1
    return k < len(tokens) and (
        tokens[k].low.endswith("ing") and len(tokens[k].low) > 4 and tokens[k].low in english()
    )


_PLANNING = frozenset("planning thinking considering looking saving hoping aiming about trying plan".split())
_NO_VERB = frozenset("the a an my our school church bed work college university uni therapy see".split())


def _has_to(tokens: list[Token], i: int, word: str) -> bool:
    k = next((k for k in range(i, len(tokens)) if tokens[k].low == word), None)
    if k is None:
        return False
    following = [token.low for token in tokens[k + 1 : k + 4]]
    if not following:
        return False
    if word == "going":
        return (
            following[0] == "to"
            and len(following) > 1
            and following[1] not in _NO_VERB
            and tokens[k + 2].text[:1].islower()
        )
    if word == "used":
        return following[0] == "to"
    if word in _PLANNING:
        return following[0] in ("to", "on", "of", "for", "forward", "about", "a", "my", "our", "up") or (
            following[0].endswith("ing") and word == "considering"
        )
    return following[0] == "to" or (following[0] in ADVERBS and len(following) > 1 and following[1] == "to")


_WEIGHTY = frozenset("all once twice so only more of both very well then pretty hardly".split())


def _rest(text: str, clause: Clause, tokens: list[Token], i: int) -> None:
    while i < len(tokens) and (
        (tokens[i].low in ADVERBS and tokens[i].low not in _WEIGHTY and not tokens[i].text.istitle())
        or tokens[i].low in ("n't", "not")
    ):
        clause.negative |= tokens[i].low in ("n't", "not")
        clause.changed |= tokens[i].low in CHANGED
        i += 1
    clause.at = tokens[i].start if i < len(tokens) else clause.end
    clause.rest = text[clause.at : clause.end]
    take_times(clause)
