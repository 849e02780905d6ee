"""Claims: whether a list is told as true, or asked, denied, supposed, or told of the past (S1.19)."""

from __future__ import annotations

import re

SENTENCE = re.compile(r"(?<=[.!?])[\"')]?\s+|\n+")
"""What stands between two sentences."""
_MY = re.compile(r"\bmy\b", re.IGNORECASE)
_ASKING = re.compile(
    r"(?:(?:so|and|but|ok|okay|wait|hey|hi|well)[,:]? ){0,2}(?:am|are|is|were|was|aren't|isn't|weren't|wasn't"
    r"|do|does|did|don't you|doesn't|didn't|have you|has|had|haven't|which|who|why|how|what)\b",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"\b(?:imagine|imagining|suppose|supposing|pretend|assume|assuming|say that|let's say|what if|if|unless"
    r"|whether|(?:verify|check|confirm)(?: that)? $|right that|true that|correct that|sure that"
    r"|for example|for instance|e\.g"
    r"|example|sample|translate|spell|rewrite|rephrase|paraphrase|summari[sz]e|proofread|hypothetically"
    r"|wish|never (?:said|told)|not true|not say|didn't say)(?!\w)",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not|no longer|never|neither|were|was|used to|weren't|wasn't|aren't|isn't|ain't|cannot|would"
    r"|should|might|could|may)\b|n[’']t\b",
    re.IGNORECASE,
)
_TAGGED = re.compile(
    r"\?$|[,;] ?(?:right|correct|yes|no|ok|okay|true|is(?:n't| not) (?:it|that)[a-z ]{0,12}|aren't they"
    r"|is that (?:right|so)|don't you think|or not)$|\bif (?:i|you|we|it|they|he|she|that)\b",
    re.IGNORECASE,
)


def is_claimed(header: str, last: str, *, in_lines: bool) -> bool:
    """Whether a person tells a list as what holds now. `header` is what stands before it and `last` its last
    item, with which its sentence ends unless each item has its line (`in_lines`).

    What is not surely told is not taken: recall still finds it, and a fact that nobody told would be cited.
    """
    opening = SENTENCE.split(header.replace("’", "'").strip())[-1]
    if opening.endswith("?") or _ASKING.match(opening) or (not in_lines and _TAGGED.search(last)):
        return False
    own = _MY.search(opening)
    before, after = (opening[: own.start()], opening[own.end() :]) if own else (opening, "")
    return _SUPPOSED.search(before) is None and _DENIED.search(after) is None
