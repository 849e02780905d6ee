"""Values of claims: where a clause ends, and what of it counts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from holdfast.core.claims import Claim
from holdfast.language.claims import english as en
from holdfast.language.claims.attributes import TYPE_OF
from holdfast.language.claims.clauses import COVER

WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*|'[a-z]+")
NOW = frozenset("now recently finally currently".split())
_CLAUSE_END = re.compile(
    r"(?:[.!?;()\n–—]|:(?!\d))|["
    + COVER
    + r"]|\s-\s|,(?!\d)|\s(?:and|but|because|since|so|though|although|while|whereas|which|who|when|where|if|unless|until I|after I|before I|plus|then|or)\s"
    r"(?=(?:i|i'm|i've|i'll|i'd|we|we're|we've|my|our|he|she|it|they|you|this|that|there|so|the|what|how|can|could|do|please|don't|would|is|am|are)\b)"
    r"|\s(?:because|although|whereas|which|unless|even though|so that|but)\s",
    re.IGNORECASE,
)
END_WORDS = re.compile(
    r"(?:[\s,]+(?:now|too|as well|a lot|so much|very much|these days|nowadays|at the moment|right now|currently|anymore|any more|again|at present|lately|already|most of all|more than anything|of course|though|actually|today|lol|haha|btw|by the way|you know|please|thanks|also|instead|really|for now|still|at all|by far|and|but|or|so|inzwischen|mittlerweile|jetzt|auch|schon|noch|gerade|zurzeit|derzeit|momentan|im moment|übrigens|sehr|nicht mehr|mehr|wieder|eigentlich|einfach|halt|ja|leider|endlich|total|immer|nie|nicht|gern|gerne))+[\s,]*$",
    re.IGNORECASE,
)
NO_NOUN = re.compile(
    r"\b(?:bit|little|lot|more|better|other|another|matter|idiot|mess|wonder|man|woman|person|number|beginner|newcomer|human|tester of|computer|answer|order|monitor|error|color|colour|mirror|paper|letter|water|dinner|winter|summer|factor|patient|sucker|firm believer|want|giant|constant|ant)$",
    re.IGNORECASE,
)


@dataclass(slots=True)
class VerbPhrase:
    """The state of a verb phrase while its words are read."""

    negative: bool = False
    ended: bool = False
    past: bool = False
    done: bool = False
    planned: bool = False
    going: bool = False
    """Whether it is in the progressive form."""
    can: bool = False
    changed: bool = False
    begun: bool = False
    frequent: bool = False


def end_of(text: str, after: int) -> int:
    """Returns where a clause ends: at the next boundary, or before a further verb of the same subject."""
    place = after
    while True:
        gap = _CLAUSE_END.search(text, place)
        end = gap.start() if gap else len(text)
        if (
            gap is not None
            and gap[0] == ","
            and re.match(
                r",? (?:and )?(?:[\w'-]+ ){0,2}[\w'-]+,? (?:and|or|und|oder) [\w'-]+(?: [\w'-]+)?[.!,;]?(?: |$)",
                text[end:],
            )
            and not re.match(
                r", (?:and|but|so|i|we|my|which|who|because|though|aber|und)\b", text[end:], re.IGNORECASE
            )
        ):
            place = gap.end()
            continue
        break
    joint = re.search(r" (?:and|but) (?=(?P<w>[a-z']+))", text[after:end])
    while joint is not None:
        verb = forms().get(joint["w"])
        is_verb = verb is not None and verb[1] in ("present", "past") and verb[0] in en.LEMMAS
        if is_verb or joint["w"] in (
            "have",
            "am",
            "don't",
            "never",
            "used",
            "can't",
            "also",
            "now",
            "recently",
            "currently",
        ):
            return after + joint.start()
        joint = re.compile(r" (?:and|but) (?=(?P<w>[a-z']+))").search(text, after + joint.end(), end)
        if joint is not None:
            verb = forms().get(joint["w"])
            if verb is not None and verb[1] in ("present", "past") and verb[0] in en.LEMMAS:
                return joint.start()
            break
    return end


@cache
def forms() -> dict[str, tuple[str, str]]:
    return en.forms()


def cut(value: str) -> str:
    """Returns a value without what follows its clause and without words that change nothing."""
    value = re.split(
        r"[.!?;()\n"
        + COVER
        + r"]|\s[-–—]\s|,\s(?=(?:so|but|and|which|who|because|though|i|we|my|where|aber|und|weil|da|also|ich|wir|was|die|der|das)\b)",
        value.strip(),
        maxsplit=1,
        flags=re.IGNORECASE,
    )[0]
    value = END_WORDS.sub("", value)
    return value.strip(" ,:'\"*_")[:200]


def trimmed_end(text: str, start: int, end: int) -> int:
    return start + len(text[start:end].rstrip(" ,"))


def claim_at(attribute: str, value: str, start: int, end: int, **options: object) -> Claim:
    return Claim(TYPE_OF.get(attribute, "other"), attribute, value, start=start, end=end, **options)  # type: ignore[arg-type]
