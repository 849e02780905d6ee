"""Finds what a user takes back later in a session: "scratch that, leave it as it is"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from holdfast.features.learning.rules.log import Act, Step

MESSAGE_MAX = 300
"""Most characters of a message that may take back the one before."""
_TAKES_BACK = re.compile(
    r"(?i)\b(?:scratch that|strike that|forget (?:that|what i (?:just )?said)|take (?:that|it) back"
    r"|on second thoughts?"
    r"|i changed my mind|vergiss (?:das|es|was ich gesagt habe)|kommando zurück|nehme? (?:das|es) zurück"
    r"|olvídalo|olvida lo que dije|oublie (?:ça|ce que j'ai dit))\b"
)


def taken_back(steps: Sequence[Step]) -> Mapping[int, int]:
    """Returns the numbers of the messages that the user takes back in the next one, with that one's."""
    withdrawn, before = {}, None
    for step in steps:
        if step.act is not Act.TOLD:
            continue
        if before is not None and len(step.target) <= MESSAGE_MAX and _TAKES_BACK.search(step.target):
            withdrawn[before] = step.number
        before = step.number
    return withdrawn
