"""Divides a message into sentences and clauses with their positions, without what nobody means of themself.

Quotations, code, quoted lines and pasted documents are covered by a character of the same number, so that
positions stay. Sentences that ask, suppose, report or joke are left out as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

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
    r"\b(?:suppose|supposing|assume|assuming|let's say|what if|as though|as if|(?:i|we) wish|imagine|pretend"
    r"|hypothetical\w*|in theory|would have|could have|should have"
    r"|wondering if|wonder if|wenn ich .{0,60}(?:wäre|hätte|würde|könnte)|angenommen|stell dir vor|als ob"
    r"|hypothetisch|theoretisch|(?:wäre|hätte|würde|könnte) ich (?!gern)|ich (?:wäre|hätte|würde|könnte) (?!gern)|ob ich|träumte|dreamt"
    r"|dream(?:ed)? (?:that|about|i)|in (?:my|a|the) dream|fast (?:hätte|wäre)|beinahe)\b",
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
_SAYING = re.compile(
    r"\b(?:[Ss]a[iygd]|[Tt]ell|[Tt]old|[Aa]sk|[Tt]h(?:ink|ought)|[Ww]r[io]t|[Cc]laim|[Rr]ead|[Ss]tate|[Rr]epl|[Ii]nsist|[Ss]w[eo]|[Tt]ext|[Mm]ention|[Aa]nnounc|goes|[Rr]eckon|[Kk]eeps|[Bb]eliev|[Mm]ein|[Ss]chr|[Bb]ehaup|[Ee]rzähl|[Gg]laub|[Dd]enkt|[Ff]rag|[Ff]indet|[Aa]ccord|[Qq]uot|[Aa]ppar|[Ss]uppos|[Aa]lleg|[Rr]umo|[Ll]aut|[Aa]ngeb|[Ww]ört|[Zz]itat)"
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
    """A sentence: its position and its text, with quotations covered. Of one that asks or reports, only what
    it implies is meant."""

    start: int
    end: int
    text: str
    implied: bool = False


def covered(text: str) -> str:
    """Returns a text of the same length without quotations and code, with plain apostrophes."""

    def cover(match: re.Match[str]) -> str:
        return "".join("\n" if c == "\n" else COVER for c in match[0])

    plain = text.translate(_APOSTROPHES)
    return _QUOTED.sub(cover, _LINES.sub(cover, _FENCED.sub(cover, plain)))


def sentences(plain: str) -> list[Span]:
    """Returns the sentences of a covered text."""
    return [Span(match.start(), match.end(), match[0]) for match in _SENTENCE.finditer(plain)]


def is_of_others(plain: str) -> bool:
    """Checks whether a message is a part that is played, a text to work on, or a document."""
    return bool(
        scope.is_played(plain)
        or _WORK.search(plain)
        or _DOCUMENT.search(plain)
        or _TEXT_OF_OTHERS.search(plain)
    )


def meant(found: Sequence[Span], i: int) -> list[Span]:
    """Returns what the author means of a sentence: all of it, nothing, or of one that asks or reports what it
    implies."""
    span = found[i]
    stripped = span.text.strip()
    after = "\n".join(other.text.strip() for other in found[i + 1 : i + 1 + AFTER_MAX])
    if (after and _TAKEN_BACK.search(after)) or _IRONIC.search(stripped) or _SUPPOSED.search(stripped):
        return []
    if not (_ASKS.search(stripped) or _TASK.match(stripped)):
        return [replace(span, implied=bool(_SAYING.search(stripped) and _REPORTED.search(stripped)))]
    asked = _ASKS_ON.search(span.text)
    if asked is None or _ASKS.search(span.text[: asked.start()].strip()):
        return [replace(span, implied=True)]
    middle = span.start + asked.start()
    return [
        Span(span.start, middle, span.text[: asked.start()]),
        Span(middle, span.end, span.text[asked.start() :], implied=True),
    ]


_TAKEN_BACK = re.compile(
    r"(?im)^\W*(?:(?:just|only|i'm|was|nur|war) )*(?:kidding|joking|jk\b|j/k|scherz|spaß|ein witz|nicht ernst gemeint"
    r"|as if\b|not!|of course not|natürlich nicht|quatsch)"
)
_IRONIC = re.compile(
    r"[\U0001f644\U0001f643\U0001f60f]|(?:^|\s)/s\b|\b(?:yeah,? right|as if\b|von wegen|just kidding|only joking|sarcas\w+|sarkas\w+|said no one|nur spaß|kleiner scherz)\b"
    r"|^\W*(?:oh (?:sure|yeah|ja|great|toll)|great,|ha(?:ha)+\W+klar|klar,|sure,|na klar)|\b(?:obviously|clearly)[.!]*$",
    re.IGNORECASE,
)
_WORK = re.compile(
    r"\b(?:translate|rewrite|rephrase|reword|paraphrase|summari[sz]e|proofread|(?:correct|fix|improve|polish|check) (?:this|the|my (?:text|grammar|spelling|english|german|sentence|paragraph|essay|letter|email|translation))|grammatically|übersetz\w*|korrigier\w*|formulier\w* (?:das|den|diesen|um)|fass\w* .{0,30}zusammen|umformulier\w*|lektorier\w*)\b[^.!?]{0,80}[:\n\ue000]"
    r"|\b(?:how (?:do|would|can) (?:you|i|we) say|wie sagt man|was heißt)\b"
    r"|\b(?:story|poem|haiku|limerick|song|lyrics|script|dialogue|scene|monologue|novel|fanfic|fan fiction|backstory|persona|character (?:sheet|description)|geschichte|gedicht|roman|drehbuch|dialog|szene|monolog|märchen|songtext|kurzgeschichte|steckbrief)\b(?![^.!?]{0,20}\b(?:i love|i like|i read|lese ich)\b)[^.!?]{0,80}(?::|\n|\ue000|\b(?:first person|ich-form|ich-perspektive|narrator|protagonist\w*|hero|held|heldin|perspective|opening|opens|begins|starts|beginnt|fängt an|who|in which|der|die|das)\b)",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"\W*(?:(?:please|bitte|hey|hi|ok|so|now|then|and|und) )*(?:(?:can|could|would|will) you\b|(?:write|draft|compose|generate|create|give|make|suggest|explain|help|show|tell|list|find|plan|recommend|describe|compare|calculate|schreib\w*|gib|mach|erklär\w*|hilf|zeig|erstell\w*|nenn(?! mich)|plan\w*|empfiehl|vergleich\w*|kannst du|könntest du|entwirf|verfass\w*)\b)",
    re.IGNORECASE,
)
_ASKS_ON = re.compile(
    r"(?:\s+[–—-]+\s+|[;,:.]\s+|\s+(?:and|but|so|und|aber|also)\s+)(?=(?:so |and |but |und |aber |also |any )?(?:can|could|would|will|do|does|did|what|which|who|how|why|where|when|should|any|is|are|may|shall|got|have you|help|kannst|könntest|kennst|hast|weißt|was|welche\w*|wer|wie|wo|gibt|magst|sollte|soll|ist|sind|darf|hilf|schreib\w*|write|give|suggest|please|bitte)\b[^?]*[?.!]?\W*$)",
    re.IGNORECASE,
)
