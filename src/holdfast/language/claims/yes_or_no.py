"""Reads questions that somebody asks about themself with yes or no for an answer: "am I vegan?", "rauche ich?".

Each has rows of evidence: what a claim of an attribute says to it if it holds, and if it is denied. A claim that is in
no row says nothing, since nothing is guessed: who has a cat may have a dog as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from holdfast.language.claims.subjects import heads_of

ASKED = "="
"""In a row of evidence: a value that names what was asked for."""
THING, DONE = "=thing", "=done"
"""In a row of evidence: a value that is the thing which was asked for, and no part of it; one that begins with the
verb which was asked for."""

Row = tuple[str, str, bool | None, bool | None]
"""An attribute, a pattern of its value (or `ASKED`), the answer if it holds, and the answer if it is denied."""

Names = Callable[[str, str], bool]
"""Returns whether the second of two values has all words of the first."""

_ANIMALS = (
    r"\b(?:meat|beef|pork|chicken|turkey|lamb|steaks?|bacon|ham|sausages?|burgers?|fleisch|rind\w*|schwein\w*"
    r"|hähnchen|huhn|wurst|schinken)\b"
)
_FISH = r"\b(?:fish|salmon|tuna|seafood|shrimps?|sushi|fisch|lachs|thunfisch)\b"
_OF_ANIMALS = r"\b(?:eggs?|cheese|milk|dairy|yogh?urt|butter|honey|eier|käse|milch|joghurt|honig)\b"
_DRINKS = r"\b(?:alcohol|alkohol|wine|beer|whisky|whiskey|gin|rum|vodka|cocktails?|wein|bier|schnaps)\b"
_ANY_PET = r"\b(?:pets?|animals?|haustiere?|tiere?)\b"
_ANY_CHILD = r"\b(?:kids?|child|children|kind|kinder)\b"
_ANY_SIBLING = r"\b(?:siblings?|geschwister)\b"
_ANY_ALLERGY = r"\b(?:allerg\w+|anything|food|irgend\w*)\b"
_MARRIED, _SINGLE = r"\b(?:married|verheiratet|geheiratet)\b", r"\b(?:single|unmarried|ledig)\b"
_ENGAGED, _DIVORCED = r"\b(?:engaged|verlobt)\b", r"\b(?:divorced|geschieden)\b"
_ENDED = r"\b(?:divorced|geschieden|widow\w*|verwitwet|separated)\b"

_KINDS: dict[str, dict[str, str]] = {
    "pet": {
        "dog": r"\b(?:dogs?|pupp(?:y|ies)|hund\w*|welpe\w*)\b", "cat": r"\b(?:cats?|kittens?|katzen?|kater)\b",
        "horse": r"\b(?:horses?|pon(?:y|ies)|pferde?)\b", "rabbit": r"\b(?:rabbits?|bunn(?:y|ies)|kaninchen)\b",
        "hamster": r"\bhamsters?\b",
    },
    "child": {
        "son": r"\b(?:sons?|boys?|sohn|söhne)\b", "daughter": r"\b(?:daughters?|girls?|töchter|tochter)\b",
    },
    "sibling": {
        "brother": r"\b(?:brothers?|bruder|brüder)\b", "sister": r"\b(?:sisters?|schwestern?)\b",
    },
    "kin": {
        "wife": r"\b(?:wife|ehefrau|frau)\b", "husband": r"\b(?:husband|ehemann|mann)\b",
        "girlfriend": r"\b(?:girlfriend|freundin)\b", "boyfriend": r"\b(?:boyfriend|freund)\b",
    },
}  # fmt: skip
"""What is asked for by a noun: the words for each kind."""

_QUESTIONS: dict[str, str] = {
    "vegan": r"am i (?:a )?vegan|bin ich (?:vegan|veganer(?:in)?)|lebe ich vegan|do i eat vegan",
    "vegetarian": r"am i (?:a )?vegetarian|bin ich (?:vegetarisch|vegetarier(?:in)?)|do i eat vegetarian",
    "pescatarian": r"am i (?:a )?pescatarian|bin ich pescetarier(?:in)?",
    "meat": r"do i (?:still )?eat meat|esse ich (?:noch )?fleisch",
    "eats": r"do i (?:still )?eat (?P<value>[\w' -]{2,40})|esse ich (?:noch )?(?P<value>[\w -]{2,40})",
    "smoker": r"do i (?:still )?smoke|am i a smoker|rauche ich(?: noch)?|bin ich raucher(?:in)?",
    "non-smoker": r"am i a non-?smoker|bin ich nichtraucher(?:in)?",
    "alcohol": r"do i (?:still )?drink(?: alcohol)?|trinke ich (?:noch )?alkohol",
    "drinks": r"do i (?:still )?drink (?P<value>[\w' -]{2,40})|trinke ich (?:noch )?(?P<value>[\w -]{2,40})",
    "married": r"am i (?:still )?married|bin ich (?:noch )?verheiratet",
    "single": r"am i (?:still )?(?:single|unmarried)|bin ich (?:noch )?(?:single|ledig|unverheiratet)",
    "engaged": r"am i (?:still )?engaged|bin ich (?:noch )?verlobt",
    "divorced": r"am i divorced|bin ich geschieden",
    "kin": r"<have>(?P<value>wife|husband|girlfriend|boyfriend)|<habe>(?P<value>frau|mann|freundin|freund)",
    "spouse": r"<have>spouse",
    "partner": r"<have>partner|<habe>partner(?:in)?",
    "children": r"<have>(?:kids?|child|children)|<habe>(?:kinder|kind)",
    "child": r"<have>(?P<value>sons?|daughters?)|<habe>(?P<value>sohn|söhne|tochter|töchter)",
    "siblings": r"<have>(?:siblings?|brothers? or sisters?)|<habe>geschwister",
    "sibling": r"<have>(?P<value>brothers?|sisters?)|<habe>(?P<value>bruder|brüder|schwestern?)",
    "pets": r"<have>(?:pets?|animals?)|<habe>(?:haustiere?|tiere?)",
    "pet": r"<have>(?P<value>dogs?|cats?|horses?|rabbits?|hamsters?)"
    r"|<habe>(?P<value>hund|hunde|katzen?|kater|pferde?|kaninchen|hamster)",
    "allergies": r"<have>(?:food )?allerg(?:y|ies)|am i allergic(?: to anything)?|<habe>allergien?"
    r"|bin ich allergisch",
    "allergic": r"am i allergic to (?P<value>.{2,40}?)|bin ich allergisch (?:gegen|auf) (?P<value>.{2,40}?)"
    r"|<have>(?P<value>[\w-]{3,20}) allergy",
    "speaks": r"(?:do|can) i speak (?P<value>[\w -]{2,30})|(?:spreche|kann) ich (?P<value>[\w-]{2,30})",
    "plays": r"(?:do|can) i play (?:the )?(?P<value>[\w -]{2,30})|spiele ich (?P<value>[\w -]{2,30})",
    "likes": r"do i (?:still )?(?:like|love) (?P<value>[\w' -]{2,40})|mag ich (?P<value>[\w -]{2,40})",
    "lives": r"do i (?:still )?live in (?P<value>[\w' -]{2,40})|(?:wohne|lebe) ich (?:noch )?in (?P<value>[\w -]{2,40})",
    "works": r"do i (?:still )?work (?:at|for) (?P<value>[\w' .-]{2,40})|arbeite ich (?:noch )?(?:bei|für) (?P<value>.{2,40}?)",
    "has": r"<have>(?!(?:any )?plans\b)(?P<value>[\w' -]{2,40})|<habe>(?!pläne\b)(?P<value>[\w -]{2,40})",
    "does": r"do i (?:still )?(?P<value>[a-z]{2,20})(?: regularly| often)?"
    r"|(?P<value>\w{2,20}e) ich(?: noch)?(?: regelmässig| oft)?",
    "afraid": r"am i (?:afraid|scared) of (?P<value>[\w' -]{2,40})|habe ich angst vor (?P<value>[\w -]{2,40})",
}
"""The questions of each name, the more special one first."""

_EVIDENCE: dict[str, tuple[Row, ...]] = {
    "vegan": (
        ("diet", r"\bvegan", True, False), ("diet", r"\b(?:pescatarian|pescetarier)", False, None),
        ("eats", f"{_ANIMALS}|{_FISH}|{_OF_ANIMALS}", False, None),
    ),
    "vegetarian": (
        ("diet", r"\bvegetari", True, False), ("diet", r"\bvegan", True, None),
        ("diet", r"\b(?:pescatarian|pescetarier)", False, None), ("eats", f"{_ANIMALS}|{_FISH}", False, None),
    ),
    "pescatarian": (
        ("diet", r"\b(?:pescatarian|pescetarier)", True, False), ("diet", r"\b(?:vegan|vegetari)", False, None),
        ("eats", _ANIMALS, False, None),
    ),
    "meat": (
        ("eats", r"\b(?:meat|fleisch)\b", True, False), ("eats", _ANIMALS, True, None),
        ("diet", r"\b(?:vegan|vegetari|pescatarian|pescetarier)", False, None),
    ),
    "eats": (("eats", ASKED, True, False),),
    "smoker": (("smokes", ".", True, False),),
    "non-smoker": (("smokes", ".", False, True),),
    "alcohol": (
        ("alcohol", ".", True, False), ("drinks", r"\b(?:alcohol|alkohol)\b", True, False),
        ("drinks", _DRINKS, True, None),
    ),
    "drinks": (("drinks", ASKED, True, False),),
    "married": (
        ("marital_status", _MARRIED, True, False),
        ("marital_status", f"{_SINGLE}|{_ENGAGED}|{_ENDED}", False, None), ("spouse", ".", True, None),
    ),
    "single": (
        ("marital_status", _SINGLE, True, False), ("marital_status", f"{_MARRIED}|{_ENGAGED}", False, None),
        ("spouse", ".", False, None), ("partner", ".", False, None),
    ),
    "engaged": (
        ("marital_status", _ENGAGED, True, False), ("marital_status", f"{_MARRIED}|{_SINGLE}", False, None),
    ),
    "divorced": (
        ("marital_status", _DIVORCED, True, False), ("marital_status", f"{_SINGLE}|{_ENGAGED}", False, None),
    ),
    "kin": (("spouse", ASKED, True, False), ("partner", ASKED, True, False),
            ("marital_status", _SINGLE, False, None)),
    "spouse": (
        ("spouse", ".", True, None), ("marital_status", _MARRIED, True, False),
        ("marital_status", f"{_SINGLE}|{_ENGAGED}|{_ENDED}", False, None),
    ),
    "partner": (
        ("partner", r"\bpartner", True, False), ("partner", ".", True, None), ("spouse", ".", True, None),
        ("marital_status", f"{_MARRIED}|{_ENGAGED}", True, None), ("marital_status", _SINGLE, False, None),
    ),
    "children": (("child", _ANY_CHILD, True, False), ("child", ".", True, None)),
    "child": (("child", ASKED, True, False), ("child", _ANY_CHILD, None, False)),
    "siblings": (
        ("sibling", r"\b(?:only child|einzelkind)\b", False, True), ("sibling", _ANY_SIBLING, True, False),
        ("sibling", ".", True, None),
    ),
    "sibling": (
        ("sibling", r"\b(?:only child|einzelkind)\b", False, None), ("sibling", ASKED, True, False),
        ("sibling", _ANY_SIBLING, None, False),
    ),
    "pets": (("pet", _ANY_PET, True, False), ("pet", ".", True, None)),
    "pet": (("pet", ASKED, True, False), ("pet", _ANY_PET, None, False)),
    "allergies": (("allergy", _ANY_ALLERGY, True, False), ("allergy", ".", True, None)),
    "allergic": (("allergy", ASKED, True, False), ("allergy", _ANY_ALLERGY, None, False)),
    "speaks": (("speaks", ASKED, True, False),),
    "plays": (("plays", ASKED, True, False),),
    "likes": (("likes", ASKED, True, False), ("dislikes", ASKED, True, False)),
    "lives": (("lives_in", ASKED, True, False),),
    "works": (("employer", ASKED, True, False),),
    "has": tuple(
        (attribute, THING, True, False) for attribute in ("owns", "pet", "condition", "disability")
    ),
    # a denial often holds of a day or a place only, which its value does not tell
    "does": (("sport", DONE, True, None), ("does_regularly", DONE, True, None), ("hobby", DONE, True, None)),
    "afraid": (("fears", ASKED, False, True),),
}  # fmt: skip
"""What claims say to each question; the first row that a claim fits counts."""
_ENDS = frozenset(
    "vegan vegetarian pescatarian meat eats smoker non-smoker alcohol drinks married engaged lives works plays likes"
    " single".split()
)
"""Questions about what has an end: a claim that it did so answers with no. Who lost a dog may have another one."""


@dataclass(frozen=True, slots=True)
class YesOrNo:
    """A question with yes or no for an answer. `value` is what was asked for, such as the nuts of "am I allergic to
    nuts?", if the question has one."""

    name: str
    value: str | None = None

    @property
    def attributes(self) -> tuple[str, ...]:
        """Returns the attributes whose claims may answer it, those that do so best first."""
        return tuple(dict.fromkeys(attribute for attribute, *_ in _EVIDENCE[self.name]))

    def answer(
        self, attribute: str, value: str, *, positive: bool, has_ended: bool, names: Names
    ) -> bool | None:
        """Returns what a claim says to the question: yes, no, or None for nothing. One that has `has_ended` says what
        its denial would, or nothing."""
        folded = value.casefold()
        for of, pattern, holds, denied in _EVIDENCE[self.name]:
            if of != attribute:
                continue
            if has_ended and pattern == DONE:
                if self._fits(pattern, folded, names, is_denied=False):
                    return False
            elif has_ended:
                is_known = self.name in _ENDS and None not in (holds, denied)
                if is_known and self._fits(pattern, folded, names, is_denied=False):
                    return denied
            elif self._fits(pattern, folded, names, is_denied=not positive):
                return holds if positive else denied
        return None

    def _fits(self, pattern: str, value: str, names: Names, *, is_denied: bool) -> bool:
        """Returns whether a value answers the question."""
        requested = self.value or ""
        if pattern == DONE:
            return _is_done(requested, value)
        if pattern == THING and not is_denied:
            return _is_thing(requested, value)
        if pattern not in (ASKED, THING):
            return re.search(pattern, value) is not None
        for kind in _KINDS.get(self.name, {}).values():
            if re.search(kind, requested):
                return re.search(kind, value) is not None
        # who eats raw fish eats fish, and who eats no fish eats no raw fish
        return names(value, requested) if is_denied else names(requested, value)


def species_of(noun: str) -> str | None:
    """Returns the species that a noun names, such as the cat of "Katzen"; None for one that is not known."""
    return next((name for name, words in _KINDS["pet"].items() if re.fullmatch(words, noun)), None)


def is_species(species: str, value: str) -> bool:
    """Returns whether a pet is of a species, in whichever language it is named."""
    return re.search(_KINDS["pet"][species], value.casefold()) is not None


def _is_thing(requested: str, value: str) -> bool:
    """Returns whether a value is a thing that was asked for, or has it beside others: who has a car key, a house
    without a car or the car of somebody else has no car by that."""
    if _NOT_OWN.search(value):
        return False
    noun = re.compile(
        rf"(?!(?:no|not|kein\w*|nicht)\b).*(?<![\w-]){re.escape(requested.removesuffix('s'))}s?"
    )
    return any(noun.fullmatch(head) for head in heads_of(value))


def _is_done(verb: str, value: str) -> bool:
    """Returns whether a value begins with a verb that was asked for, without an object, which makes it another."""
    stem = re.escape(verb.removesuffix("e"))
    forms = rf"{_BEFORE_VERB}(?:{stem}(?:e|en|s|es|ing)?|{stem}{stem[-1]}ing)\b"
    return re.match(rf"{forms}(?! (?:an?|the|my|our|de[nr]|die|das|(?:m?ein|unser)\w*) )", value) is not None


_NOT_OWN = re.compile(
    r"(?<=\w)['’]s?(?!\w)|\b(?:his|her|their|your|or|oder|belongs?|borrowed|rented|geliehen\w*|gemietet\w*)\b"
    r"|\b(?:mein|dein|sein|ihr|unser|eur)e[rs]\b",
    re.IGNORECASE,
)
_BEFORE_VERB = r"(?:(?:i|we|ich|wir) )?(?:(?:started|took up|go|going|love) (?:to )?)?"


@cache
def _patterns(opening: str, closing: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Returns the attributes that questions ask for, each with its pattern."""
    patterns = []
    for name, questions in _QUESTIONS.items():
        text = questions.replace("<have>", "(?:do i (?:still )?have|have i got) (?:any |an |a )?")
        text = text.replace("<habe>", "habe ich (?:noch )?(?:eine |einen |ein )?")
        parts = text.split("(?P<value>")
        numbered = parts[0] + "".join(f"(?P<value{i}>{part}" for i, part in enumerate(parts[1:]))
        patterns.append((name, re.compile(f"{opening}(?:{numbered}){closing}")))
    return tuple(patterns)


def yes_or_no(folded: str, opening: str, closing: str) -> YesOrNo | None:
    """Returns the question that a folded text asks between what may open and close one; None if it asks for
    anything else."""
    for name, pattern in _patterns(opening, closing):
        if match := pattern.fullmatch(folded):
            return YesOrNo(name, next((group for group in match.groupdict().values() if group), None))
    return None
