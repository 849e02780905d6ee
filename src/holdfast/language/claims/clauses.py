"""Divides a message into sentences and clauses with their positions, without what nobody means of themself.

Quotations, code, quoted lines and pasted documents are covered by a character of the same number, so that
positions stay. Sentences that ask, suppose, report or joke are left out as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from holdfast.language.facts import scope

COVER = "\ue000"
"""Stands for each character of what is not read."""
_FENCED = re.compile(r"(?ms)^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)")
_LINES = re.compile(
    r"(?m)^(?:[ \t]*>|\t| {4,}(?![-*•])|[ \t]*(?://|#!|\$ |<[a-zA-Z/!]|\||(?:import|from|def|class|return|const"
    r"|let|var|SELECT|INSERT)\b(?=.*[(=;{.]))).*$"
)
_QUOTED = re.compile(
    r"`[^`\n]{1,400}`|\"[^\"\n]{1,400}\"|“[^“”\n]{1,400}”|„[^„“”\n]{1,400}[“”\"]|«[^«»\n]{1,400}»|»[^«»\n]{1,400}«"
    r"|(?<![\w])'[^'\n]{3,200}'(?![\w])|(?<!\w)‘[^‘’\n]{3,200}’(?!\w)|<<[^\n]{1,400}>>"
)
_APOSTROPHES = str.maketrans("’‘ʼ＇\u00a0", "'''' ")
_SENTENCE = re.compile(
    r"(?:[^.!?…;\n]|\.(?=[^\s.])|(?<=\b[A-ZÄÖÜ])\.|(?<=\bDr)\.|(?<=\bSt)\.|(?<=\bMr)\.|(?<=\bMs)\.|(?<=\bMrs)\."
    r"|(?<=\bz)\.|(?<=z\.B)\.|(?<=\be\.g)\.|(?<=\d)\.(?= (?:\d|Januar|Februar|März|April|Mai|Juni|Juli|August"
    r"|September|Oktober|November|Dezember|Klasse|Stock|Semester|Geburtstag|Monat)))+[.!?…;]*"
)

_ASKS = re.compile(
    r"\?|^\W*(?:(?:so|and|but|well|ok|okay|hey|hi|also|now|then|und|aber|also|na),? )?(?:what|why|how|when(?! i)"
    r"|where|who|whom|whose|which|is|are|am|was|were|do|does|did|can|could|should|shall|will|would|may|might|has"
    r"|have|had|was|wie|warum|wieso|weshalb|wer|wen|wem|welche[rsnm]?|wo|woher|wohin|kannst|könntest|könnten|soll"
    r"|sollte|darf|hast|bist|ist|sind|gibt|weißt|würdest|magst|wirst) (?!to\b|i (?:was|grew|lived|moved|turned"
    r"|started)|ich\b)[^,]*[^.,!]$",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"\b(?:if|unless|suppose|supposing|assume|assuming|let's say|what if|as though|as if|wish|imagine|pretend"
    r"|hypothetical\w*|in theory|would have|wouldn't|could have|should have|might|maybe|perhaps|possibly|not sure"
    r"|wonder\w*|falls|wenn ich .{0,60}(?:wäre|hätte|würde|könnte)|angenommen|stell dir vor|als ob|vielleicht"
    r"|eventuell|womöglich|hypothetisch|theoretisch|wäre|hätte|würde (?!gern)|könnte|ob ich|träum\w*|dreamt"
    r"|dream(?:ed)? (?:that|about|i)|in (?:my|a|the) dream|almost|nearly|fast (?:hätte|wäre)|beinahe)\b",
    re.IGNORECASE,
)
_THIRD = (
    r"(?:he|she|they|who|everyone|everybody|people|someone|somebody|(?:my|our|the|a|his|her|their) (?:\w+ ){1,3}?"
    r"|er|sie|wer|jeder|alle|jemand|(?:mein|unser|der|die|das|ein|sein|ihr)\w* (?:\w+ ){1,2}?|[A-ZÄÖÜ]\w+)"
)
_REPORTED = re.compile(
    rf"\b{_THIRD}\s?(?:just |always |often |once |also |then |auch |immer |mal )?(?:says?|said|tells?|told|asks?"
    r"|asked|thinks?|thought|writes?|wrote|claims?|claimed|reads?|states?|stated|replied|replies|insists?|insisted"
    r"|swears?|swore|texted|mentioned|announced|goes|reckons?|keeps saying|believes?|sagte?|sagten|sagt|meinte?"
    r"|meint|schreibt|schrieb|behauptete?t?|erzählte?t?|glaubt|denkt|fragte?t?|findet)\b"
    r"|\b(?:according to|quote|quoting|in the words of|apparently|supposedly|allegedly|rumou?r|laut|angeblich"
    r"|wörtlich|zitat)\b",
    re.IGNORECASE,
)
_DOCUMENT = re.compile(
    r"(?im)^(?:from|to|subject|betreff|von|an|re|fwd|cc|date|datum):|^(?:dear|sehr geehrte\w*|liebe[rs]?)\b.*,\s*$"
    r"|\b(?:forwarded message|weitergeleitete nachricht|lyrics|songtext)\b"
    r"|^(?:user|assistant|human|ai|system|customer|agent|q|a|patient|interviewer|kunde|kundin|moderator)\s*:"
)
_TEXT_OF_OTHERS = re.compile(
    r"\b(?:here(?:'s| is| are)|below is|this is|i (?:found|read|saw|received|got)|hier (?:ist|sind|kommt)|folgende[rs]?"
    r"|das ist) (?:the|a|an|my|our|some|what|their|his|her|this|der|die|das|ein|eine|mein|meine|ein paar)?\b"
    r"[^.!?\n]{0,70}(?:text|e-?mail|mail|letter|post|review|article|paragraph|excerpt|quote|draft|bio|passage"
    r"|transcript|message|note|story|poem|lyrics|essay|brief|nachricht|artikel|absatz|auszug|entwurf|geschichte"
    r"|gedicht|beitrag|bewertung|anzeige|profil|profile|cover letter|anschreiben)\w*[^.!?\n]{0,40}[:\n]",
    re.IGNORECASE,
)
MESSAGE_MAX = 6_000
"""Characters; longer messages are pasted documents."""
AFTER_MAX = 2
"""Sentences behind one that may take it back."""


@dataclass(frozen=True, slots=True)
class Span:
    """A sentence: its position and its text, with quotations covered."""

    start: int
    end: int
    text: str


def covered(text: str) -> str:
    """Returns a text of the same length without quotations and code, with plain apostrophes."""

    def cover(match: re.Match[str]) -> str:
        return "".join("\n" if c == "\n" else COVER for c in match[0])

    plain = text.translate(_APOSTROPHES)
    return _QUOTED.sub(cover, _LINES.sub(cover, _FENCED.sub(cover, plain)))


def sentences(text: str) -> Iterator[Span]:
    """Yields the sentences of a message that its author means of themself."""
    if len(text) > MESSAGE_MAX:
        return
    plain = covered(text)
    if scope.is_unmeant(plain) or _DOCUMENT.search(plain) or _TEXT_OF_OTHERS.search(plain):
        return
    found = [Span(match.start(), match.end(), match[0]) for match in _SENTENCE.finditer(plain)]
    for i, span in enumerate(found):
        after = "\n".join(other.text.strip() for other in found[i + 1 : i + 1 + AFTER_MAX])
        if (
            span.text.strip()
            and not is_barred(span.text.strip())
            and not (after and _TAKEN_BACK.search(after))
        ):
            yield span


_TAKEN_BACK = re.compile(
    r"(?im)^\W*(?:(?:just|only|i'm|was|nur|war) )*(?:kidding|joking|jk\b|j/k|scherz|spaß|ein witz|nicht ernst gemeint"
    r"|as if\b|not!|of course not|natürlich nicht|quatsch)"
)


def is_barred(sentence: str) -> bool:
    """Checks whether a sentence asks, supposes, or reports what others say."""
    return bool(_ASKS.search(sentence) or _SUPPOSED.search(sentence) or _REPORTED.search(sentence))
