"""Finds the phrase that names the topic of a sentence: the thing that it states something of, or asks about.

The subject of a statement, the object of a rule or decision ("we round prices"), what a cause or solution
is of. English; a phrase that is vague, too long or a pronoun names nothing: no topic is better than a wrong
one.
"""

from __future__ import annotations

import re

from holdfast.language.topics import FUNCTION, OF, PARTICIPLES, normal_word, read_topic

TOPIC_MAX = 80
"""Most characters of a topic."""
WORDS_MAX = 7
"""Most words of a topic."""

_LEAD = re.compile(
    r"(?i)(?:(?:actually|no+|nope|yes|ok(?:ay)?|so|and|but|well|also|right|wait|sorry|correction|update"
    r"|please|note(?: that)?|in fact|as it turns out|(?:it )?turns out(?: that)?|(?:we|i)(?:'ve"
    r"| have)? (?:just )?(?:found(?: out)?|noticed|learned|saw|established) that|this (?:shows|means) that"
    r"|remember(?: that)?|from now on|as a rule|in general|in this (?:file|workbook|sheet|notebook|project)"
    r"|(?:in|for|across) (?:all|every|each|any) (?:of )?(?:our |the |other )*(?:files?|workbooks?|sheets?"
    r"|projects?|notebooks?|reports?|teams?))"
    r"(?:[,:.!—-]+\s*|\s+))+"
)
_DECIDED = re.compile(
    r"(?i)(?:we|i|the team)(?:'ve| have| had)? (?:just |all |both )?(?:decided|agreed|chose|chosen|picked"
    r"|settled|opted|went|go|stay|stick|switched)(?: (?:that|to|on|for|with))? "
)
_ABOUT_CAUSE = re.compile(
    r"(?i)(?:the )?(?:(?:real|actual|root|underlying|main) )?(?:cause|reason|culprit|fix|solution|workaround"
    r"|explanation) (?:of|for|behind|to) "
)
_TO_FIX = re.compile(r"(?i)to (?:fix|solve|avoid|prevent|get rid of|repair) ")
_ACTOR = re.compile(
    r"(?i)(?:we|i|you|they|everybody|everyone)(?: (?:must|should|have to|need to|will|can|cannot|can't|do not"
    r"|don't|always|never|only|now|already|usually))* "
)
_MANNER = re.compile(r"(?i)(?:(?:always|never|only|do not|don't|must|please|not|to)\s+)+")
_QUESTION = re.compile(
    r"(?i)(?:(?:can|could) you (?:tell me|explain|check|see|look)(?: at| into)?\s+)?(?:why|how|what"
    r"|where|when|which|who)\b"
    r"(?:'s| is| are| was| were| does| do| did| has| have| can| should| would| will| happened (?:to"
    r"|with)| about| causes| caused)* "
)
_PRONOUN = re.compile(
    r"(?i)(?:it|this|that|they|these|those|he|she|there|which|what|who|here|i|we|you|one|nothing|everything|something)\b"
    r"(?! (?:[a-z]+ ){0,3}(?:column|table|rate|sheet|service)\b)"
)
_VERBS = frozenset(
    """is are was were be has have had does do did can cannot can't could should must may might will won't
    would
    isn't aren't wasn't doesn't don't didn't needs need uses use used runs run listens contains contain holds
    hold includes include excludes exclude counts count means mean shows show takes take starts start stops
    stop fails fail crashes crash breaks break works work depends depend comes come goes go stays stay keeps
    keep requires require returns return refers refer equals equal expects expect accepts accept allows allow
    stores store writes write reads read sends send belongs belong lives live lies lie happens happen leads
    lead causes cause changes change drops drop grew grows grow fell falls fall rose rises rise doubled double
    expires expire defaults default ignores ignore covers cover supports support applies apply ends end begins
    begin follows follow gets get got makes make leaked leaks leak says say looks look exceeds exceed varies
    vary comprises leaves leave skips skip omits omit misses loses lose adds add multiplies divides treats
    treat converts convert overwrites truncates assumes assume produces produce creates create generates
    generate deletes removes parses receives hides hide replaces rejects refuses
    only always never now still also already""".split()
)
_DOES = frozenset(
    """use keep store round report format name convert write put call run import export measure
    compute calculate
    count treat filter remove drop exclude include add set prefer pick choose deploy test check validate send
    read load save cache log group sort join split merge migrate move replace avoid trim strip clean normalise
    normalize fill pin lock index archive back delete edit commit push release ship monitor track
    restart""".split()
)
"""Verbs whose object is the topic: "round prices", "store dates in UTC"."""
_ENDS = frozenset(
    """because since so which that when while if unless until although though but and or than
    instead rather not to as
    per via through, after before due where whose who then too again""".split()
)
_VAGUE = frozenset(
    normal_word(word)
    for word in """thing file code data value result error problem issue table column row sheet cell number
    name one line way work part case time day step point bit lot kind sort type user team people change fix
    reason cause idea answer question version test project script function output input stuff rest all
    everything approach formula total sum last first next new old same other""".split()
)
"""Words that name no topic alone."""

CONCEPTS_MAX = 5
"""Most concepts of a sentence besides its topic."""
_RELATES = re.compile(r"(?i)\b(?:of|per|by|for|in|from|with|on|at|into|across|between)\s+")
_CODE_NAME = re.compile(
    r"`([^`\n]{2,40})`|\b(\w+\.(?:\w+\.)*[a-z]{2,8})\b|\b([A-Za-z]\w*_\w+|[a-z]+[A-Z]\w+|[A-Z]{2,8})\b"
)
"""Names of files, columns and functions, and abbreviations."""


def topic_of(sentence: str) -> str | None:
    """Returns the phrase that names what a sentence speaks of; None if it names nothing, as "it" does."""
    text = " ".join(sentence.split())
    text = text[lead.end() :] if (lead := _LEAD.match(text)) else text
    if decided := _DECIDED.match(text):
        return _object(text[decided.end() :]) or _subject(text[decided.end() :])
    if about := _ABOUT_CAUSE.match(text) or _TO_FIX.match(text):
        return phrase_of(text[about.end() :])
    if actor := _ACTOR.match(text):
        return _object(text[actor.end() :])
    rest = text[manner.end() :] if (manner := _MANNER.match(text)) else text
    return _object(rest) or _subject(text)


def topic_asked(question: str) -> str | None:
    """Returns the phrase that names what a question asks about; None if it names nothing."""
    text = " ".join(question.split())
    text = text[lead.end() :] if (lead := _LEAD.match(text)) else text
    opening = _QUESTION.match(text)
    return None if opening is None else phrase_of(text[opening.end() :])


def concepts_of(sentence: str, topic: str) -> tuple[str, ...]:
    """Returns what a sentence relates its topic to, and the names of code that it has, in their order."""
    starts = [match.end() for match in _RELATES.finditer(sentence)]
    ends = [*(match.start() for match in _RELATES.finditer(sentence)), len(sentence)][1:]
    names = [(start, phrase_of(sentence[start:end])) for start, end in zip(starts, ends, strict=True)]
    names += [(match.start(), match[1] or match[2] or match[3]) for match in _CODE_NAME.finditer(sentence)]
    concepts: list[str] = []
    for _, name in sorted((at, name) for at, name in names if name is not None):
        mentioned = " ".join((topic, *concepts)).lower()
        if name.lower() not in mentioned and len(name) <= TOPIC_MAX and "REDACTED" not in name:
            concepts.append(name)
    return tuple(concepts[:CONCEPTS_MAX])


def _object(text: str) -> str | None:
    """Returns the object of a verb at the beginning of a text."""
    verb, _, rest = text.partition(" ")
    return phrase_of(rest) if verb.lower() in _DOES else None


def _subject(text: str) -> str | None:
    """Returns the subject of a sentence: what precedes its first verb."""
    words = text.split()
    end = next((n for n, word in enumerate(words) if word.lower().strip(",;:") in _VERBS), 0)
    return phrase_of(" ".join(words[:end])) if end else None


def phrase_of(text: str) -> str | None:
    """Returns the noun phrase at the beginning of a text, without its articles; None if it is too long or
    names nothing."""
    if not text or _PRONOUN.match(text):
        return None
    words: list[str] = []
    for word in text.split():
        bare = word.strip("\"'“”‘’()[]{}*_`").rstrip(",;:.!?")
        low = bare.lower()
        if low in _ENDS or (low in _VERBS and words) or not bare:
            break
        if not (low in FUNCTION and not words):
            words.append(bare)
        if word[-1] in ",;:.!?)" or len(words) > WORDS_MAX:
            break
    while words and ((last := words[-1].lower()) in FUNCTION or last in OF or last in PARTICIPLES):
        words.pop()
    phrase = " ".join(words)
    if not words or len(words) > WORDS_MAX or len(phrase) > TOPIC_MAX:
        return None
    topic = read_topic(phrase)
    says = [
        word for word in (topic.head, *topic.other_words) if len(word) > 1 and any(map(str.isalpha, word))
    ]
    if not says or all(word in _VAGUE for word in says):
        return None
    return phrase
