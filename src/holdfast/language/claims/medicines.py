"""Readings of prescriptions and changes of medicine: "I was switched to X", "Y no longer helped"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.core.claims import PAST, Claim
from holdfast.language.claims.lexicon import class_of_word
from holdfast.language.claims.making import claim_at

_OPENS = re.compile(
    r"prescrib|switched|changed (?:to|from)|put (?:me )?on|taken off|took me off|weaned|came off|stopped (?:taking|working)"
    r"|no longer (?:works|helps)|stopped|verschrieb|verordnet|umgestellt|eingestellt auf|auf \S+ eingestellt|gewechselt"
    r"|abgesetzt|gegeben|nicht mehr (?:gewirkt|geholfen)|nicht (?:gewirkt|geholfen|vertragen)",
    re.IGNORECASE,
)
"""Matches a word without which no form below fits."""
_MARK = "\N{LATIN LETTER ALVEOLAR CLICK}"
"""Stands for each letter of the medicine that a form is about; a letter itself, which nobody writes."""
_WORD = re.compile(r"[^\W\d_][\w-]{3,}")
_DOSE = re.compile(r",? ?\(?\d+(?:[.,]\d+)? ?(?:mg|µg|mcg|g|ml|units?|einheiten)\b\)?", re.IGNORECASE)
_GETS = tuple(
    re.compile(form.replace("DRUG", f"{_MARK}+").replace("OLD", r"(?P<old>\w+)"), re.IGNORECASE)
    for form in (
        r"\b(?:prescribed|put|started) (?:me|us) (?:on )?(?:some |a (?:low |high )?dose of )?DRUG",
        r"\bI(?: was|'ve been| have been|'m being| got|'m)(?: \w+)? (?:prescribed|put on|started on) (?:some )?DRUG",
        r"\b(?:I(?: was|'ve been| have been| got|'ve|'m)?|(?:has|have)? ?me)(?: \w+)? (?:switched|changed|moved)(?: me)?(?: over)?"
        r"(?: from OLD)? (?:to|onto) DRUG",
        r"\b(?:switched|changed|moved) me(?: over)?(?: from OLD)? (?:to|onto) DRUG",
        r"\b(?:mir|uns)(?: [\w.]+){0,4} DRUG(?: [\w.,]+){0,7} (?:verschrieben|verordnet|gegeben|empfohlen)\b",
        r"\b(?:verschrieb|verschreibt|verordnete|gab) mir(?: [\w.]+){0,2} DRUG",
        r"\bich (?:habe|hab|bekam|bekomme)(?: [\w.]+){0,3} DRUG(?: [\w.]+){0,3} (?:verschrieben|verordnet)\b",
        r"\b(?:ich|mich)(?: [\w.]+){0,3}(?: von OLD)? auf DRUG(?: [\w.]+){0,2} (?:um|ein)gestellt\b",
        r"\bich(?: [\w.]+){0,3}(?: von OLD)? (?:auf|zu) DRUG(?: [\w.]+){0,2} gewechselt\b",
    )
)
"""Matches what somebody takes from then on, and what it replaces."""
_ENDS = tuple(
    re.compile(form.replace("DRUG", f"{_MARK}+"), re.IGNORECASE)
    for form in (
        r"\b(?:I(?:'ve| have)? (?:stopped(?: taking)?|came off|weaned off|quit)|(?:took|taken) (?:me )?off) DRUG",
        r"\bDRUG (?:has )?(?:stopped (?:working|helping)|no longer (?:works|helps|worked|helped)|didn't (?:work|help))\b",
        r"\bDRUG (?:hat|haben)(?: [\w.]+){0,3} nicht (?:mehr )?(?:gewirkt|geholfen)\b",
        r"\bDRUG (?:habe|hab) ich(?: [\w.]+){0,3} (?:abgesetzt|nicht vertragen)\b",
        r"\b(?:ich (?:habe|hab)|wurde|haben wir)(?: [\w.]+){0,3} DRUG(?: [\w.]+){0,3} abgesetzt\b",
    )
)
"""Matches what somebody takes no longer."""

_DENIES = re.compile(
    r"\b(?:not|never|nobody|no one|hardly|almost|nearly|if|unless|without|kein\w*|nie|niemals|niemand|nicht|fast|beinahe|wenn|falls"
    r"|ohne)\b|n't\b",
    re.IGNORECASE,
)
_FAILED = re.compile(
    r"\bno longer\b|\b(?:didn't|did not|doesn't|does not) (?:work|help)\b|\bnicht (?:mehr|gewirkt|geholfen|vertragen)\b",
    re.IGNORECASE,
)
"""Matches what is said of a medicine that is given up; it denies no change."""
_BEGINS = re.compile(
    r"[,.;:!?()–—\n]|\b(?:and|but|so|because|since|und|aber|weil|denn|also)\b", re.IGNORECASE
)


_OWN = re.compile(r"\b(?:i|we|me|us|ich|wir|mir|mich|uns)\b", re.IGNORECASE)
_ANOTHER = re.compile(
    r"\b(?:he|she|they|er|sie|(?:my|our|his|her|their|the|mein\w*|unser\w*|sein\w*|ihr\w*|der|die) \w+)\b",
    re.IGNORECASE,
)
_NO_SUBJECT = frozenset(
    "was were been being got am have had has just now then later also recently finally since the a an my our some to on from over"
    " off taking hat haben bin wurde wurden habe hab jetzt dann nun seit neulich endlich auch das die den der ein eine einen von auf zu".split()
)
"""Words before a change that name nobody: "recently got switched to …"."""


def is_no_change(text: str, claim: Claim) -> bool:
    """Returns whether the clause of a claim denies or supposes that somebody got or gave up a medicine, or
    says it of another than the author."""
    if claim.attribute != "takes_medicine":
        return False
    start = max((match.end() for match in _BEGINS.finditer(text, 0, claim.start)), default=0)
    clause = text[start : claim.end]
    opening = _OPENS.search(clause)
    if opening is None or _DENIES.search(_FAILED.sub(" ", clause)):
        return opening is not None
    if _OWN.search(clause):
        return False
    words = {word.lower() for word in re.findall(r"\w+", clause[: opening.start()])}
    if words - _NO_SUBJECT - {word.lower() for word in re.findall(r"\w+", str(claim.value))}:
        return True
    return _OWN.search(text[:start]) is None and _ANOTHER.search(text[:start]) is not None


def of_medicines(text: str) -> Iterator[Claim]:
    """Yields which medicine somebody got or gave up, where the word or a dose says that it is one."""
    if _OPENS.search(text) is None:
        return
    read_to = 0
    for word in _WORD.finditer(text):
        dose = _DOSE.match(text, word.end())
        if dose is None and class_of_word(word[0]) != "med":
            continue
        start, end = word.start(), word.end() if dose is None else dose.end()
        marked = f"{text[:start]}{_MARK * (end - start)}{text[end:]}"
        started = next((match for form in _GETS if (match := form.search(marked))), None)
        ended = next((match for form in _ENDS if (match := form.search(marked))), None)
        if started is not None and word.start() >= read_to:
            read_to = started.end()  # what follows is how it is taken: "as an injection"
            yield claim_at("takes_medicine", text[start:end], started.start(), started.end(), changes=True)
            if (old := started.groupdict().get("old")) and class_of_word(old) == "med":
                yield _over(old, started)
        elif ended is not None:
            yield _over(text[start:end], ended)


def _over(value: str, match: re.Match[str]) -> Claim:
    return claim_at(
        "takes_medicine", value, match.start(), match.end(), positive=False, status=PAST, changes=True
    )
