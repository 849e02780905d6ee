"""Clauses of a sentence as words, with what all languages share in reading them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache

from holdfast.language.claims.attributes import FREQUENT, TIME
from holdfast.language.claims.clauses import EMBEDDING
from holdfast.language.claims.verbs import DONE, ING, english, german
from holdfast.language.claims.voice import COVER

_TOKEN = re.compile(
    r"\d[\d.,:/']*\d(?:[^\W\d_]+)?|\d+[^\W\d_]*|n't\b|'(?:m|re|ve|ll|d|s)\b|[^\W\d_]+(?:[-&/][^\W_]+)*?(?=n't\b)|[^\W\d_]+(?:[-&/][^\W_]+|'(?!(?:m|re|ve|ll|d|s)\b)\w+)*|[^\s]"
)

_CHAT = {
    "im": ("i", "'m"), "ive": ("i", "'ve"), "dont": ("do", "n't"), "doesnt": ("does", "n't"), "didnt": ("did", "n't"), "cant": ("ca", "n't"), "cannot": ("can", "not"),
    "wont": ("wo", "n't"), "havent": ("have", "n't"), "isnt": ("is", "n't"), "arent": ("are", "n't"), "wasnt": ("was", "n't"), "weve": ("we", "'ve"), "gonna": ("going", "to"),
    "wanna": ("want", "to"), "u": ("you",), "ya": ("you",), "ihr": ("ihr",), "gotta": ("got", "to"),
}  # fmt: skip

SELF = frozenset({"i", "we", "ich", "wir"})

THIRD = frozenset(
    "he she it they you someone somebody everyone everybody nobody this that these those there who which er sie es man wer jemand du ihr alle jeder niemand dies das what".split()
)

_JOINTS = {
    "en": frozenset("and but so because since as that though although while whereas which who where when if unless until before after plus then or except once cause cuz bc whether than like".split()),
    "de": frozenset("und aber weil denn da obwohl während sondern oder damit dass wenn falls ob als bevor nachdem seit seitdem sobald solange sowie bzw wo wie".split()),
}  # fmt: skip

SUPPOSING = frozenset(
    "if unless whether when until before wenn falls ob bevor als than like wo wie where once solange sobald".split()
)
"""Words that open a clause of what is not said to be so, or of another time."""

_ALWAYS = frozenset(
    "but because though although whereas unless because cause cuz bc whether aber weil denn obwohl sondern damit dass falls".split()
)

_STOPS = frozenset(",;:()–—?!.\n|" + COVER)

ADVERBS = frozenset(
    "also still actually really just currently now recently usually always mostly only already absolutely genuinely truly honestly definitely personally finally even"
    " mainly often normally generally typically regularly sometimes occasionally both all simply completely totally quite rather very officially proudly happily sadly unfortunately"
    " luckily then too basically largely primarily presently lately nowadays soon probably kind sort of fully secretly especially particularly deeply kinda newly once twice myself ourselves"
    " deliberately religiously initially originally pretty super so well literally never-ever sorta currently semi slowly formally thoroughly ever long more hardly"
    " auch schon noch gerade eben jetzt nun inzwischen mittlerweile eigentlich übrigens ja wirklich sehr total echt leider selbst wieder nur halt nämlich doch immer ursprünglich meistens meist"
    " aktuell derzeit momentan zurzeit normalerweise einfach ziemlich ganz gar überhaupt endlich oft häufig regelmäßig gern gerne hauptberuflich nebenbei beruflich privat persönlich vorher"
    " voll mega richtig besonders vor-allem hauptsächlich manchmal ab-und-zu seitdem trotzdem deshalb daher außerdem zum-glück heute nebenberuflich so erst bloß"
    " selber ebenfalls allerdings jedenfalls zwar ohnehin sowieso freilich bekanntlich".split()
)  # fmt: skip

CHANGED = frozenset(
    "now recently finally currently jetzt nun inzwischen mittlerweile endlich neuerdings anymore lately wieder again".split()
)

OPENERS = frozenset(
    "so well ok okay hey hi hello yo yeah yes yep no nope nah right alright anyway btw fyi ps background context also and but plus then oh ah um uh lol haha sorry thanks cheers sure actually update"
    " basically honestly tbh note reminder for hm hmm first second look listen quick news"
    " ja nein nee hallo moin servus na tja ach also übrigens und aber doch denn naja ok okay kurz zu mir info vorab hintergrund danke bitte guten tag morgen abend stimmt genau nur".split()
)


@dataclass(slots=True)
class Token:
    """A word with its position."""

    low: str
    start: int
    end: int
    text: str


@dataclass(slots=True)
class Clause:
    """A clause of somebody who speaks: what is said of them."""

    start: int
    end: int
    verb: str = ""
    rest: str = ""
    joint: str = ""
    """The word or mark before it."""
    subject: str = ""
    """`self`, `other`, or empty where there is none."""
    front: str = ""
    negative: bool = False
    past: bool = False
    done: bool = False
    going: bool = False
    ended: bool = False
    begun: bool = False
    planned: str = ""
    """The word that makes it a plan or a wish."""
    can: bool = False
    used: bool = False
    changed: bool = False
    frequent: bool = False
    is_base: bool = False
    """Whether the verb could be an order: no subject, and the bare form."""
    since: str | None = None
    until: str | None = None
    when: str | None = None
    language: str = "en"
    tokens: list[Token] = field(default_factory=list)
    whole: str = ""
    """All words of it."""
    at: int = 0
    """Where the rest begins."""
    word: str = ""
    """The verb as it was written."""


def tokens_of(text: str, *, is_german: bool) -> list[Token]:
    """Returns the words and marks of a text."""
    tokens = []
    for match in _TOKEN.finditer(text):
        low = match[0].lower()
        parts = None if is_german else _CHAT.get(low)
        if parts is None:
            tokens.append(Token(low, match.start(), match.end(), match[0]))
        else:
            tokens += [Token(part, match.start(), match.end(), match[0]) for part in parts]
    return tokens


_PREPOSITIONS = frozenset("as since like than als seit wie so that da before after".split())


@lru_cache(8)
def pieces(text: str, language: str) -> list[tuple[str, list[Token]]]:
    """Returns the clauses of a sentence as words, each with the mark or word that joins it."""
    clauses: list[tuple[str, list[Token]]] = []
    tokens = tokens_of(text, is_german=language == "de")
    current: list[Token] = []
    joint = ""
    for i, token in enumerate(tokens):
        following = tokens[i + 1].low if i + 1 < len(tokens) else ""
        is_dash = token.low == "-" and text[token.start - 1 : token.start] == " "
        if token.low in _STOPS or is_dash:
            if current:
                clauses.append((joint, current))
            current, joint = [], token.low
        elif current and (next_joint := _joint_of_next(tokens, i, current, language)):
            clauses.append((joint, current))
            current, joint = [], next_joint
        elif _begins_without_mark(token, following, current):
            clauses.append((joint, current))
            current, joint = [token], ","
        elif not current and token.low in ("und", "and", "or", "oder"):
            joint = token.low if joint in ("", ",") else joint
        elif not current and _joins_first(token.low, following, joint, language):
            joint = token.low
        else:
            current.append(token)
    if current:
        clauses.append((joint, current))
    return clauses


def _joint_of_next(tokens: list[Token], i: int, current: list[Token], language: str) -> str:
    """Returns the word that joins the next clause if the word at `i` ends the current one, else an empty
    string."""
    low = tokens[i].low
    following = tokens[i + 1].low if i + 1 < len(tokens) else ""
    if language == "de" and low == "also" and _FOLLOWS.match(following):
        return "aber"
    if low in _BESIDES and _begins(following, tokens, i + 1):
        return "and" if language == "en" else "und"
    if low in ("and", "but", "so", "und", "aber") and _has_finite(tokens, i + 1):
        return low
    return low if low in _JOINTS[language] and _separates(low, following, current, language) else ""


def _separates(low: str, following: str, current: list[Token], language: str) -> bool:
    """Returns whether a conjunction begins a clause, and does not join words or begin a phrase: "after
    work"."""
    verbs = english() if language == "en" else german()
    if low == "aber" and len(current) == 1 and current[0].low in verbs:
        return False
    is_mine = following in ("my", "our") and low in ("as", "that", "so")
    if low in _PREPOSITIONS and following not in SELF and not is_mine:
        return False
    return (
        low in _ALWAYS
        or low in ("who", "which")
        or following in SELF
        or following in THIRD
        or following in ("my", "our", "the", "not", "no")
        or following.startswith(("mein", "unser", "der", "die"))
        or (following.startswith("kein") and any(token.low == "bin" for token in current))
        or (following in verbs and verbs[following][1] not in (ING, "third", DONE))
        or following in AUX
        or following in ADVERBS
    )


def _joins_first(low: str, following: str, joint: str, language: str) -> bool:
    """Returns whether a conjunction before any word of a clause takes the place of the mark or word that
    joins it."""
    return (
        low in _JOINTS[language]
        and joint in ("", ",", "und", "and", ";", ":", "–", "-", "(", ".")
        and (
            following in SELF
            or low in _ALWAYS
            or low in ("wenn", "if", "when", "who", "which", "ob", "falls", "dass", "where")
        )
    )


_BESIDES = frozenset({"also", "plus"})


def _begins(word: str, tokens: list[Token], i: int) -> bool:
    """Returns whether a clause with its own subject begins: "I", or "my wife is"."""
    if word in SELF:
        return True
    is_mine = word in ("my", "our") or word.startswith(("mein", "unser"))
    return is_mine and any(token.low in FINITE for token in tokens[i + 2 : i + 4])


def _begins_without_mark(token: Token, following: str, before: list[Token]) -> bool:
    """Returns whether another statement begins without a mark, as in "i'm vegan i live in leeds"."""
    return (
        token.low in SELF
        and following in _SAID_OF_SELF
        and len(before) >= _WORDS_BEFORE_MIN
        and any(each.low in SELF for each in before[:2])
        and before[-1].low not in EMBEDDING
        and before[-1].low not in english()
        and (before[-1].low in _PERIODS or not any(each.low in _DETERMINERS for each in before[-2:]))
    )


_WORDS_BEFORE_MIN = 3
"""Words of a statement after which another may follow without a mark."""
_SAID_OF_SELF = frozenset(
    "'m am 've have live work hate own drive play speak take study studied moved was don do used bin habe hab wohne arbeite"
    " hasse spiele spreche fahre nehme lerne mag esse war liebe studiere ziehe".split()
)
"""Verbs after "I" with which people say something of themselves."""
_PERIODS = frozenset("day week month year tag woche monat jahr".split())
_DETERMINERS = frozenset(
    "the a an this that these those every each all any some no my our your his her their der die das den dem ein eine einen"
    " einem einer jede jeder jedes alle kein keine mein meine meinen".split()
)
_FOLLOWS = re.compile(r"(?:kein\w*|ich|wir|bitte|ist|das|nix|nur|ohne|lieber)$")
"""What follows a German "also" that draws a conclusion."""
FINITE = frozenset("is are was were has isn aren does doesn 's ist sind hat war wird hatte".split())


def _has_finite(tokens: list[Token], i: int) -> bool:
    """Returns whether a clause with a subject of its own begins: "and every coat drowns me"."""
    for token in tokens[i : i + 6]:
        if token.low in _STOPS or (
            token.low in ("and", "but", "so", "who", "which", "that", "und", "die", "der", "das")
            and token is not tokens[i]
        ):
            return False
        if token.low in SELF and token is not tokens[i]:
            return token.low == "i" and (tokens[i].low in _TIMES)
        if (
            token.low in FINITE
            or token.low in FINITE_DE
            or (
                token.low in english()
                and english()[token.low][1] == "third"
                and token is not tokens[i]
                and not token.low.endswith(("ings", "classes"))
            )
        ):
            return token is not tokens[i]
    return False


ACHES = frozenset("hurts hurt aches ache itches tut tun schmerzt schmerzen".split())
"""Verbs of parts of the body, which have a subject of their own: "and my knee hurts"."""
FINITE_DE = frozenset("gibt geht kommt steht liegt macht lacht kann muss soll darf".split())
"""German verbs, beside those of FINITE, that show that a clause goes on: "und im Haus gibt es …"."""
_TIMES = frozenset("this next last since now today then once sometimes every".split())
"""Words of time with which a clause begins: "and this year I would like …"."""
BE_FORMS = frozenset("'m am are 're is 's was were be been being isn aren wasn weren".split())

HAVE_FORMS = frozenset("'ve have has had 'd haven hasn hadn".split())

AUX = (
    BE_FORMS
    | HAVE_FORMS
    | frozenset(
        "do does did don doesn didn ca can could wo will 'll would might may must should used gonna going".split()
    )
)

_NOW = re.compile(
    r"\b(?:now|these days|nowadays|currently|recently|again|jetzt|nun|inzwischen|mittlerweile|neuerdings|endlich|wieder|seit kurzem)\b",
    re.IGNORECASE,
)

ENDED = re.compile(r"\b(?:any ?more|no longer|nicht mehr|nimmer|keine?[nsmr]?\b.*\bmehr)\b", re.IGNORECASE)


def take_times(clause: Clause) -> None:
    """Takes words of time out of what follows the verb, and notes whether it is over or often so."""
    whole = clause.whole
    clause.frequent |= FREQUENT.search(whole) is not None
    if ENDED.search(whole):
        clause.ended = True
    clause.changed |= _NOW.search(whole) is not None
    for match in TIME.finditer(f"{clause.front}, {clause.rest}" if clause.front else clause.rest):
        clause.since = clause.since or match["since"]
        clause.until = clause.until or match["until"]
        clause.when = clause.when or match["when"]
    bare = TIME.sub("", clause.rest)
    clause.rest = END_WORDS.sub("", bare.strip(" ,"))
    if clause.ended and ENDED.fullmatch(clause.rest):  # "I don't run anymore" has no object
        clause.rest = ""


END_WORDS = re.compile(
    r"(?:[\s,]+(?:now|too|as well|a lot|so much|very much|these days|nowadays|at the moment|right now|currently|anymore|any more|again|at present|lately|already|most of all|of course|though|actually"
    r"|today|lol|haha|btw|by the way|fyi|you know|please|thanks|also|instead|really|for now|still|at all|by far|and|but|or|so|ugh|tbh|inzwischen|mittlerweile|jetzt|auch|schon|noch|gerade|zurzeit|derzeit|momentan|im moment"
    r"|übrigens|sehr|nicht mehr|mehr|wieder|eigentlich|einfach|halt|ja|leider|endlich|total|immer|nie|nicht|gern|gerne|und|haha|bitte|überhaupt|gar|heute|tatsächlich|anyway|(?:in case|if) (?:that|it)(?: matters|'s relevant| helps)|falls das (?:hilft|wichtig ist)))+[\s,]*$",
    re.IGNORECASE,
)
"""Words at the end of a value that change nothing."""

_GERMAN = re.compile(
    r"\b(?:ich|mein\w*|wir|und|nicht|bin|habe|hab|ist|der|die|das|mit|seit|auf|für|von|unser\w*|mir|mich|bitte|auch|ein|eine|einen|im|wohne|arbeite|zum|zur|beim|am|noch|jetzt|bei|nach|kein\w*|sind|zu|den|dem|aus|wie|welche\w*|gibt|es|was|als|oder|meist|gern|über|darf|kann|mag|hab|wird)\b",
    re.IGNORECASE,
)

_ENGLISH_WORD = re.compile(
    r"\b(?:i|i'm|im|i've|my|and|the|with|for|is|we|our|of|to|a|have|from|not|it|on|at|what|how|you|this|that|but|been|are|or|can|do|they|any)\b",
    re.IGNORECASE,
)

_UMLAUT = re.compile(r"[äöüß]")


@lru_cache(256)
def language_of(text: str, otherwise: str = "en") -> str:
    """Returns the language of a sentence, `de` or `en`; `otherwise` where it does not tell."""
    german_words = len(_GERMAN.findall(text)) + len(_UMLAUT.findall(text))
    english_words = len(_ENGLISH_WORD.findall(text))
    return otherwise if german_words == english_words else "de" if german_words > english_words else "en"


def extended(clause: Clause, text: str, end: int) -> Clause:
    """Returns a clause with what goes on from it up to another end."""
    added = text[clause.end : end]
    return replace(
        clause,
        end=end,
        rest=(clause.rest + END_WORDS.sub("", TIME.sub("", added))).strip(" ,"),
        whole=text[clause.start : end],
    )
