"""Divides a message into sentences and clauses with their positions, without what nobody means of themself.

It reads what `voice.own_text` leaves. Sentences that ask, suppose, report or joke are left out as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from holdfast.language.claims.verbs import pattern

_SENTENCE = re.compile(
    r"(?:[^.!?…;\n]|\.(?=[^\s.])|(?<=\b[A-ZÄÖÜ])\.|(?<=\d)\.(?= (?:\d|Januar|Februar|März|April|Mai|Juni|Juli|August"
    r"|September|Oktober|November|Dezember|Klasse|Stock|Semester|Geburtstag|Monat)))+[.!?…;]*"
)

_ASKS = re.compile(
    r"\?|^\W*(?:shall|should|can|could|may|do|did) (?:i|we)\b|^\W*(?:(?:so|and|but|well|ok|okay|hey|hi|also|now|then|und|aber|also|na),? )?(?:what|why|how|when(?! i)"
    r"|where|who|whom|whose|which|is|are|am|was|were|do|does|did|can|could|should|shall|will|would|may|might|has"
    r"|have|had|was|wie|warum|wieso|weshalb|wer|wen|wem|welche[rsnm]?|wo|woher|wohin|kannst|könntest|könnten|soll"
    r"|sollte|darf|hast|bist|ist|sind|gibt|weißt|würdest|magst|wirst) (?!to\b|i (?:was|grew|lived|moved|turned"
    r"|started)|ich\b)[^,]*[^.,!]$",
    re.IGNORECASE,
)
_SUPPOSED = pattern(
    r"\b(?:say,? (?:i(?:'m| am|'ve| have)?|im|we(?:'re|'ve)?) (?!(?:that|this|it|to)\b)|suppose|supposing|assume|assuming|let's say|what if|as though|as if|(?:i|we) wish|imagine|pretend|sagen wir(?:,| mal)|nehmen wir (?:mal )?an"
    r"|hypothetical\w*|in theory|would have|could have|should have"
    r"|wondering if|wonder if|(?:i|we) (?:almost|nearly) (?!(?:always|never|every|all|only|exclusively)\b)\w+(?:ed|ought|ent|ook|ame|ot|old|eft|ied)|wenn ich .{0,60}(?:wäre|hätte|würde|könnte)|angenommen|stell dir vor|als ob"
    r"|hypothetisch|theoretisch|(?:wäre|hätte?|würde|könnte) ich (?!gern)|ich (?:wäre|hätte|würde|könnte) (?!gern)|ob ich|träumte|dreamt"
    r"|dream(?:ed)? (?:that|about|i)|in (?:my|a|the) dream|fast (?:hätte|wäre)|beinahe)\b"
)
_THIRD = (
    r"(?:he|she|they|who|everyone|everybody|people|someone|somebody|(?:my|our|the|a|his|her|their) (?:(?!(?:and|but|so|because|i|we)\b)[\w-]+ ){1,3}?"
    r"|er|sie|wer|jeder|alle|jemand|(?:mein|unser|der|die|das|ein|sein|ihr)\w* (?:\w+ ){1,2}?|(?-i:[A-ZÄÖÜ])\w+)"
)
_REPORTED = pattern(
    rf"\b(?!you (?:asked?|said|told|wrote)\b){_THIRD}\s?(?:just |always |often |once |also |then |auch |immer |mal )?(?:says?|said|tells?|told|asks?"
    r"|asked|thinks?|thought|writes?|wrote|claims?|claimed|reads?|states?|stated|replied|replies|insists?|insisted"
    r"|swears?|swore|texted|mentioned|announced|goes|reckons?|keeps saying|believes?|sagte?|sagten|sagt|meinte?"
    r"|meint|schreibt|schrieb|behauptete?t?|erzählte?t?|glaubt|denkt|fragte?t?|findet)\b"
    r"|(?P<all>\b(?:according to|quote|quoting|in the words of|apparently|supposedly|allegedly|rumou?r has it|laut|angeblich"
    r"|wörtlich|zitat)\b)"
)
_SAYING = re.compile(
    r"\b(?:[Ss]a[iygd]|[Tt]ell|[Tt]old|[Aa]sk|[Tt]h(?:ink|ought)|[Ww]r[io]t|[Cc]laim|[Rr]ead|[Ss]tate|[Rr]epl|[Ii]nsist|[Ss]w[eo]|[Tt]ext|[Mm]ention|[Aa]nnounc|goes|[Rr]eckon|[Kk]eeps|[Bb]eliev|[Mm]ein|[Ss]chr|[Bb]ehaup|[Ee]rzähl|[Gg]laub|[Dd]enkt|[Ff]rag|[Ff]indet|[Aa]ccord|[Qq]uot|[Aa]ppar|[Ss]uppos|[Aa]lleg|[Rr]umo|[Ll]aut|[Aa]ngeb|[Ww]ört|[Zz]itat)"
)
AFTER_MAX = 2
"""Sentences after one that may take it back."""


@dataclass(frozen=True, slots=True)
class Span:
    """A sentence: its position and its text, with quotations covered. Of one that asks or reports, only what
    it implies is meant."""

    start: int
    end: int
    text: str
    implied: bool = False
    reported: bool = False


def sentences(plain: str) -> list[Span]:
    """Returns the sentences of a covered text."""
    return [Span(match.start(), match.end(), match[0]) for match in _SENTENCE.finditer(plain)]


def asserted_spans(sentences: Sequence[Span], i: int) -> list[Span]:
    """Returns what the author means of a sentence: all of it, nothing, or of a part that asks or reports what it
    implies."""
    span = sentences[i]
    if lead := _LEAD.match(span.text):
        span = _part(span, lead.end(), len(span.text))
    if corrected := _CORRECTED.search(span.text):
        span = _part(span, corrected.end(), len(span.text))
    text, stripped = span.text, span.text.strip()
    after = "\n".join(other.text.strip() for other in sentences[i + 1 : i + 1 + AFTER_MAX])
    if (after and _TAKEN_BACK.search(after)) or _IRONIC.search(stripped):
        return []
    if supposed := _SUPPOSED.search(text):
        before = _end_of_declaration(text, supposed.start())
        return [_part(span, 0, before)] if before and supposed.end() < len(text.rstrip(" .!…")) else []
    at, is_reported = len(text), False
    if question_start := _question_without_mark(text):
        at = question_start
    elif _ASKS.search(stripped) or _TASK.match(stripped):
        question = _ASKS_ON.search(text)
        if question is not None and not _ASKS.search(text[: question.start()].strip()):
            at = question.start()
        elif _OF_WORDING.search(stripped) or _BEGINS_ASKING.match(stripped):
            at = 0
        elif joint := _end_of_declaration(text, len(text)):
            at = joint
        else:
            at = 0
    elif _SAYING.search(stripped) and (reported := _REPORTED.search(text)):
        is_reported = True
        at = _end_of_declaration(text, reported.start()) if reported["all"] else reported.start()
    spans = [_part(span, 0, at)] if at else []
    if at < len(text):
        back = _BACK.search(text, at) if is_reported else None
        spans.append(
            replace(_part(span, at, back.start() if back else len(text)), implied=True, reported=is_reported)
        )
        spans += [_part(span, back.end(), len(text))] if back else []
    return spans


def _end_of_declaration(text: str, until: int) -> int:
    """Returns where the last clause before a place ends, if the sentence begins by declaring something; else 0."""
    if _DECLARES.match(text) is None:
        return 0
    joints = [match.start() for match in _JOINT.finditer(text, 0, until + 1)]
    return joints[-1] if joints else 0


def _question_without_mark(text: str) -> int:
    """Returns where a question or a request begins after a statement without a mark between the two, as in "i
    live in leeds can you find me a dentist"; 0 where none does."""
    for match in _ASKS_WITHOUT_MARK.finditer(text):
        clause = _MARK.split(text[: match.start()])[-1]
        words = _WORD.findall(clause)
        if (
            len(words) >= _WORDS_BEFORE_MIN
            and words[-1].lower() not in EMBEDDING
            and _DECLARES.match(clause)
            and not _BEGINS_ASKING.match(text.lstrip())
        ):
            return match.start()
    return 0


_WORDS_BEFORE_MIN = 2
"""Words of a statement in front of a question without a mark between the two: "i'm vegan what can i cook"."""
_WORD = re.compile(r"[\w']+")
_MARK = re.compile(r"[,;:–—(]")
_JOINT = re.compile(r"[,;:–—(]|\s(?=(?:and|but|so|because|which|und|aber|also|weil)\b)", re.IGNORECASE)
_ASKS_WITHOUT_MARK = re.compile(
    r"\s(?=(?:(?:can|could|would|will) (?:you|u|we|i)|(?:should|shall|may|do|did|am) i|do you|(?:what|how|which|where|when|who|why)(?: (?!(?:i|we|you|he|she|it|they|the|my|our|that|this)\b)\w+)?"
    r" (?:can|could|should|do|does|did|is|are|would|will)|(?:what|how|where|who)'?s|how (?:much|many|long|often|far)|what kind"
    r"|any (?:ideas?|tips?|advice|suggestions?|recommendations?|recs?)|(?:is|are) there|please|pls|plz|help me"
    r"|kannst (?:du|mir)|könntest du|können sie|hast du|soll(?:te)? ich|darf ich|gibt es|gibts|bitte (?=\w)"
    r"|(?:was|wie|wo|wann|womit|wieso|warum|woher|wohin) \w+ (?:ich|wir|man)"
    r"|(?:was|wie|welche\w*|wo|wann|warum)(?: (?!(?:ich|wir|du|er|sie|es|man|das|die|der|mein\w*)\b)\w+)? (?:kann|könnte|soll|sollte|mach|mache|koche?|ist|sind|gibt|gibts|darf|muss|nehme?)"
    r"|was für|wie (?:viel|lange|oft|teuer))\b)",
    re.IGNORECASE,
)
"""Matches what begins a question or a request where chats leave marks out."""
EMBEDDING = frozenset(
    "and or but so that if to not of about on for with from by at in as than like because when while the a an my your this what how i we you"
    " know knew knows wonder wondering see tell told say said ask asked asking understand learn learned learnt remember forget forgot forgotten"
    " show idea clue sure matter decide decided explain guess care think thought figure find hear heard love loved is was s m 're are be"
    " und oder aber dass ob zu nicht von über auf für mit weiß weiss frage fragen sag sagen sehen verstehe versteh verstehen wissen ahnung"
    " möchte hätte gern gerne will würde immer nie künftig egal schau sehe ich wir du sie mir mich uns weil wenn als denn die der das ein eine was wie also bin habe hab everything anything nothing something all alles etwas nichts".split()
)
"""Words after which a question belongs to what is said: "I know what is good", "I wonder how it is"."""


def _part(span: Span, start: int, end: int) -> Span:
    return Span(span.start + start, span.start + end, span.text[start:end])


_LEAD = re.compile(
    r"\W*(?:(?:so|and|but|well|ok|okay|hi|hey|yeah|sorry|look|see|btw|honestly|actually),? )*(?:(?:the|my|our|an?|one|only|main|honest"
    r"|short|simple|sad|plain|background)\s)*(?:thing|truth|fact|answer|point|problem|issue|trouble|reason|catch|situation|difficulty|background)"
    r"(?:(?:'s| is|s)(?: that)?,? |: )(?=(?:i|i'm|im|i've|ive|we|we're|we've|my|our)\b)"
    r"|\W*(?:(?:so|and|but|well|ok|okay|also|ah|oh),? )*(?:(?:you|u) (?:should|must|need to|have to|might want to) know|(?:i|let me) (?:should |must |have to |need to "
    r"|want to |forgot to |ought to )?(?:mention|say|add|admit|confess|tell you|note))(?: that)?[,:]? (?=(?:i|i'm|im|i've|ive|we|we're|we've|my|our)\b)",
    re.IGNORECASE,
)
"""Matches what leads to a statement and says nothing itself: "the thing is, I'm left-handed"."""
_BACK = re.compile(r",? (?:but|aber) (?=(?:i|i'm|i've|we|ich|wir|my|mein\w*)\b)", re.IGNORECASE)
"""Words after which somebody speaks of themself again."""
_DECLARES = re.compile(
    r"\W*(?:(?:so|and|well|hi|hey|hello|ok|btw|actually|hallo|moin|servus|also|und|ja|no|yes|as you know|oh|quick question|kurze frage|frage|sag mal)[,:]? )*(?:(?:i|we|my|our|ich|wir|bin(?! ich)|hab|mein\w*|unser\w*|since|as|da|weil|the kids|mum|dad|mom)\b|i'm|we're|i've|we've)",
    re.IGNORECASE,
)
_BEGINS_ASKING = re.compile(
    r"(?:(?:so|and|but|ok|hey|hi|und|aber|also|now),? )*(?:what|why|how|when|where|who|which|whose|is|are|am|was|were|do|does|did|can|could|should|shall|will|would|may|might|has|have (?:i|we|you)|any|wie|warum|wieso|was|wer|wo|wann|welche\w*|kann|kannst|soll|darf|ist|sind|hast|gibt|muss|bin ich|habe ich)\b",
    re.IGNORECASE,
)
_OF_WORDING = re.compile(
    r"\b(?:ist|is|sounds?|klingt) (?:das |that |this )?(?:richtig|korrekt|correct|right|natural)\W*$",
    re.IGNORECASE,
)
"""Matches a question about the words before it: "I am called Ana, is that right?"."""
_TAKEN_BACK = re.compile(
    r"(?im)^\W*(?:(?:just|only|i'm|was|nur|war) )*(?:kidding|joking|jk\b|j/k|scherz|spaß|ein witz|nicht ernst gemeint"
    r"|as if\b|not!|of course not|natürlich nicht|quatsch)"
)
_CORRECTED = pattern(
    r"[,;.–—-] ?(?:no,? |nein,? )?(?:scratch that|or rather|i mean,|quatsch,|besser gesagt|vielmehr),? "
)
"""Matches what takes back the words before it in a sentence: "I keep bees, or rather I kept some"."""
_IRONIC = pattern(
    r"[\U0001f644\U0001f643\U0001f60f]|(?:^|\s)/s\b|\b(?:yeah,? right|as if\b|von wegen|just kidding|only joking|sarcas\w+|sarkas\w+|said no one|nur spaß|kleiner scherz)\b"
    r"|^\W*(?:oh (?:sure|yeah|ja|great|toll),|great, (?:just|another|now|so|more)|ha(?:ha)+\W+klar|na klar,|na toll)|\b(?:obviously|clearly)[.!]*$"
    r"|\b(?:basically|practically|pretty much|praktisch|quasi|gefühlt) (?:live|married|wohne|lebe|verheiratet)\b"
    r"|\b(?:live|wohne|lebe) (?:basically|practically|praktisch|quasi|gefühlt)\b|\blive in [^,.;]+ at this point\b"
)
_TASK = re.compile(
    r"\W*(?:(?:please|bitte|hey|hi|ok|so|now|then|and|und) )*(?:(?:can|could|would|will) you\b|(?:write|draft|compose|generate|create|translate|rewrite|rephrase|summari[sz]e|proofread|give|make|suggest|explain|help|show|tell|list|find|plan|recommend|describe|compare|calculate|schreib\w*|gib|mach|erklär\w*|hilf|zeig|erstell\w*|nenn(?! mich)|plane? (?:me|us|mir|uns|a|an|eine?n?)|empfiehl|vergleich\w*|kannst du|könntest du|entwirf|verfass\w*|übersetz\w*|korrigier\w*)\b)",
    re.IGNORECASE,
)
_ASKS_ON = pattern(
    r"(?:\s+[–—-]+\s+|[;,:.]\s+|\s+(?:and|but|so|und|aber|also)\s+)(?=(?:so |and |but |und |aber |also |any )?(?:can|could|would|will|do|does|did|what|which|who|how|why|where|when|should|any|is|are|may|shall|got|have you|help|kannst|könntest|kennst|hast|weißt|was|welche\w*|wer|wie|wo|gibt|magst|sollte|soll|ist|sind|darf|hilf|schreib\w*|write|give|suggest|please|bitte)\b[^?]*[?.!]?\W*$)"
)
