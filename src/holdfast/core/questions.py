"""Questions: texts that only ask tell less than an answer, and rank lower (docs/retrieval.md)."""

from __future__ import annotations

import re

from holdfast.core.text import count_words

WORDS_MAX = 20
"""Maximum number of words of a text that only asks. Who writes more has said something, question mark or not:
"I signed up on 12 January with the wrong address, can you help?" """
TELLING_MAX = 7
"""Maximum number of words beside its questions. Both were chosen on BEAM, RealMem and LoCoMo together."""
CHARS_MAX = 400
"""Maximum number of characters that are looked at: 20 words have fewer."""

_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")
_ENDS = ("?", "？")


def only_asks(text: str) -> bool:
    """Returns whether a text is a short question and hardly anything else."""
    if not text.endswith(_ENDS) or len(text) > CHARS_MAX or count_words(text) > WORDS_MAX:
        return False
    sentences = _SENTENCE.findall(text)
    return sum(count_words(one) for one in sentences if not one.endswith(_ENDS)) <= TELLING_MAX
