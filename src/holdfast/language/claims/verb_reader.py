"""Reader of the verb of an English clause, after its auxiliaries and adverbs."""

from __future__ import annotations

from holdfast.language.claims.clause import (
    ADVERBS,
    BE_FORMS,
    CHANGED,
    ENDED,
    HAVE_FORMS,
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

_ARRANGED = frozenset(
    "booked signed enrolled applied registered entered hired scheduled ordered tried wanted considered thought".split()
)

_DO = frozenset("do does did don doesn didn".split())

_MODALS = dict.fromkeys("will 'll shall wo".split(), "will") | dict.fromkeys(
    "would can ca could might may must should".split(), "could"
)

_WISHED = frozenset("like love prefer rather hate".split())

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


class VerbReader:
    """Reads auxiliaries and adverbs of a clause, from its token `i` on, up to the verb that says something."""

    def __init__(self, text: str, clause: Clause, tokens: list[Token], i: int) -> None:
        self._text, self._clause, self._tokens, self._i = text, clause, tokens, i
        self._verbs = english()
        self._last_aux = ""

    def read(self) -> None:
        """Fills in the clause."""
        while self._i < len(self._tokens) and not self._is_read():
            self._i += 1

    def _is_read(self) -> bool:
        """Takes one token, with what belongs to it; returns whether it was the verb."""
        low, following = self._tokens[self._i].low, _low_at(self._tokens, self._i + 1)
        if self._is_passed(low, following):
            return False
        if low in BE_FORMS and low != "being":
            return self._be(low)
        if low in HAVE_FORMS or (low == "'s" and following == "got"):
            return self._have(low)
        if low in _DO and (
            following in ("n't", "not", "have") or following in self._verbs or following in ADVERBS
        ):
            self._clause.past |= low in ("did", "didn")
            self._last_aux = "did" if low in ("did", "didn") else "do"
            return False
        if low in _MODALS:
            self._modal(low)
            return False
        if low == "rather" and self._clause.planned == "wish":
            self._clause.planned = "need"
            return True
        if low in _ENDING and _gerund(self._tokens, self._i, ("up", "with")):
            self._clause.ended = self._clause.going = True
            self._i += 1 if following in ("up", "with") else 0
            return False
        is_begun = low in _BEGINNING and _gerund(self._tokens, self._i, ("up", "back", "to"))
        if is_begun and (low != "gone" or following == "back"):
            self._begin(low)
            return False
        if low in _TO and _has_to(self._tokens, self._i, low) and not self._is_stopped(low):
            return self._intention(low)
        self._verb(low, following)
        return True

    def _is_stopped(self, low: str) -> bool:
        """Returns whether a word is the gerund of what has ended, and no plan: "I stopped going to yoga"."""
        before = self._tokens[self._i - 1].low if self._i else ""
        return low == "going" and self._clause.ended and before in _ENDING | {"up", "with"}

    def _is_passed(self, low: str, following: str) -> bool:
        """Takes a denial or an adverb; returns whether the token is one."""
        clause = self._clause
        if low in ("n't", "not", "never", "hardly", "rarely", "seldom"):
            clause.negative = True
        elif low == "no" and following == "longer":
            clause.ended = True
            self._i += 1
        elif (
            (low in ADVERBS or _is_adverb(low, following))
            and not (low == "all" and following in ("my", "the"))
            and not (low == "so" and following == "that")
        ):
            clause.changed |= low in CHANGED
        else:
            return False
        return True

    def _rest_from(self, i: int) -> bool:
        _rest(self._text, self._clause, self._tokens, i)
        return True

    def _be(self, low: str) -> bool:
        """Reads a form of "be". Returns whether it is the main verb."""
        clause, tokens, i = self._clause, self._tokens, self._i
        clause.past |= low in ("was", "were", "wasn", "weren")
        clause.done |= low == "been" and self._last_aux in HAVE_FORMS
        self._last_aux = low
        following = _next(tokens, i + 1)
        form = self._verbs.get(following)
        if following in _INTENDING and _has_to(tokens, i, following):
            return False
        if form is not None and form[1] == ING and following != "interesting":
            clause.going = True
            return False
        if following in ("been", "being"):
            return False
        clause.verb = "be"
        return self._rest_from(i + 1)

    def _have(self, low: str) -> bool:
        """Reads a form of "have". Returns whether the verb is complete."""
        clause, tokens, i = self._clause, self._tokens, self._i
        following = _next(tokens, i + 1)
        if low == "'d" and following == "be":
            clause.planned = "could"
        elif low == "'d" and (following in _WISHED or self._form_of(following) == BASE):
            clause.planned = "wish"
        elif following == "to" or (following == "got" and _after(tokens, "got", i) == "to"):
            clause.planned = "need"
            return True
        elif following == "got" and _after(tokens, "got", i) not in _BECOMES:
            got_at = _index(tokens, "got", i)
            clause.verb = "have"
            clause.negative |= any(token.low in ("n't", "not", "never") for token in tokens[i + 1 : got_at])
            return self._rest_from(got_at + 1)
        elif self._is_participle(following):
            clause.done = low not in ("had", "'d", "hadn")
            clause.past |= low in ("had", "'d", "hadn")
        else:
            clause.verb = "have"
            clause.past |= low in ("had", "hadn") or self._last_aux == "did"
            return self._rest_from(i + 1)
        self._last_aux = low
        return False

    def _form_of(self, low: str) -> str:
        return self._verbs.get(low, ("", ""))[1]

    def _is_participle(self, low: str) -> bool:
        """Returns whether a word can be a past participle."""
        return (
            low == "been"
            or self._form_of(low) in (PAST_TENSE, DONE)
            or low in _LIKE_PRESENT
            or low in _PARTICIPLES
            or (low.endswith("ed") and len(low) > 4 and low not in _ADJECTIVES)
        )

    def _modal(self, low: str) -> None:
        """Reads a modal verb: an ability, a wish or a plan."""
        clause = self._clause
        if low in ("can", "ca"):
            clause.can = True
        elif low == "would":
            wishes = _next(self._tokens, self._i + 1) in ("like", "love", "prefer", "rather")
            clause.planned = "wish" if wishes else "could"
        else:
            clause.planned = _MODALS[low]

    def _begin(self, low: str) -> None:
        """Reads a verb such as "start" or "keep", after which a gerund follows."""
        clause = self._clause
        clause.begun = low not in ("keep", "kept")
        clause.frequent |= low in ("keep", "kept")
        clause.going = True
        while _low_at(self._tokens, self._i + 1) in ("up", "back", "to"):
            self._i += 1
        clause.past = False

    def _intention(self, low: str) -> bool:
        """Takes a verb such as "plan" that says how another is meant; returns whether nothing follows it that
        is to be read."""
        clause, tokens, kind = self._clause, self._tokens, _TO[low]
        k = self._i + 1
        while _low_at(tokens, k) in _BETWEEN:
            k += 1
        if kind == "used":
            clause.used = clause.past = True
        elif kind in ("like", "hate", "prefer") and clause.planned != "wish":
            clause.verb = kind
            return self._rest_from(self._i + 1)
        elif kind == "learn":
            clause.verb, clause.done = "learn", clause.done or low in ("learned", "learnt")
            return self._rest_from(self._i + 1)
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
            self._plan(low, kind, k)
            return True
        self._i = k - 1
        return False

    def _plan(self, low: str, kind: str, k: int) -> None:
        """Settles what is planned, which begins at the token `k`."""
        clause, tokens = self._clause, self._tokens
        if clause.planned != "could":
            holds = kind in ("need", "muse", "try") or not clause.past or low == "decided"
            clause.planned = kind if holds else "gone"
        if low == "about" and clause.past:
            clause.planned = "gone"
        clause.past = False
        self._take_plan(tokens[k].start if k < len(tokens) else clause.end)

    def _take_plan(self, at: int) -> None:
        clause = self._clause
        clause.verb, clause.at, clause.rest = "to", at, self._text[at : clause.end]
        take_times(clause)

    def _verb(self, low: str, following: str) -> None:
        """Settles the verb itself."""
        clause, token, i = self._clause, self._tokens[self._i], self._i
        pair = f"{low} {following}"
        if pair in _PHRASAL:
            clause.verb, clause.word = _PHRASAL[pair], f"{token.text} {self._tokens[i + 1].text}"
            clause.past |= low in ("grew", "broke", "dropped", "split")
            self._rest_from(i + 2)
            return
        if pair in ("gave up", "given up", "cut out", "giving up", "give up"):
            clause.verb, clause.past = "quit", True
            self._rest_from(i + 2)
            return
        is_ended = clause.ended or ENDED.search(self._text, clause.start, clause.end) is not None
        form = ("do", BASE) if low == "do" and is_ended else self._verbs.get(low)
        if form is None or (form[1] == "third" and clause.subject == "self"):
            clause.verb = low if low in _ARRANGED and not clause.going else f"?{low}"
            self._rest_from(i + 1)
            return
        lemma, tense = form
        clause.verb, clause.word = lemma, token.text
        clause.past |= tense == PAST_TENSE and not clause.done and not clause.ended
        clause.going |= tense == ING
        if clause.planned in ("will", "wish", "want"):
            self._take_plan(token.start)
            return
        self._rest_from(i + 1)


def _low_at(tokens: list[Token], i: int) -> str:
    """Returns a token in lower case; nothing after the last one."""
    return tokens[i].low if i < len(tokens) else ""


def _after(tokens: list[Token], low: str, i: int) -> str:
    """Returns the next word that counts after a word."""
    return _next(tokens, _index(tokens, low, i) + 1)


def _is_adverb(low: str, following: str) -> bool:
    """Returns whether a word before a verb only says how it is done: "strongly dislike", "much prefer"."""
    return following in english() and (
        low == "much" or (low.endswith("ly") and len(low) > 5 and low not in english())
    )


def _next(tokens: list[Token], i: int) -> str:
    """Returns the next word that is no adverb or negation, empty at the end."""
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
    """Returns whether a gerund follows, after words that may be skipped."""
    k = i + 1
    while k < len(tokens) and tokens[k].low in skipped:
        k += 1
    return k < len(tokens) and (
        tokens[k].low.endswith("ing") and len(tokens[k].low) > 4 and tokens[k].low in english()
    )


_PLANNING = frozenset("planning thinking considering looking saving hoping aiming about trying plan".split())
_NO_VERB = frozenset("the a an my our school church bed work college university uni therapy see".split())


def _has_to(tokens: list[Token], i: int, word: str) -> bool:
    """Returns whether "to" and a verb follow a word: "going to move"."""
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
    """Sets what follows the verb, without adverbs of little weight."""
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
