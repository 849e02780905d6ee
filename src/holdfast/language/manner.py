"""The manner of a text (it only asks, prefers, denies) and what a question wants, by rules over words.

Which words count was chosen by reading, how much they count by measuring (docs/measured/ranking.md).
English and German; a text in another language is a plain statement.
"""

from __future__ import annotations

import re
from enum import IntFlag
from functools import cache

from holdfast.core.text import count_words, matching

QUESTION_WORDS_MAX = 20
"""Maximum number of words of a text that only asks. Who writes more has said something, question mark or not:
"I signed up on 12 January with the wrong address, can you help?" """
TELLING_WORDS_MAX = 7
"""Maximum number of words that such a text has beside its questions. Both were chosen on LoCoMo, BEAM and
RealMem together."""
STATEMENT_MAX = 300
"""Maximum number of characters of a statement: a longer text prefers and denies many things."""
PROSE_MIN = 100
"""Minimum number of characters of running text."""
SIGNS_MAX = 0.03
"""Largest share of characters that code and markup are full of, in running text."""
WANTED_WORDS_MAX = 30
"""Maximum number of words of a question that wants something of this kind: a longer one wants many things."""

_ENDS = ("?", "？")
_SIGNS = str.maketrans("", "", "[]{}()<>;=_|/\\*#&$@~^+`")
_SENTENCE = r"[^.!?。！？\n]+[.!?。！？]*"
_SPEAKER = r"(?i)\b(?:i|my|me|we|our|us|ich|mein\w*|mir|mich|wir|uns\w*)\b"
_ATTITUDE = (
    r"(?i)\b(?:prefer\w*|preference|aversion|(?:dis)?lik(?:e|ed|ing)|lov(?:e|ed|ing)|enjoy\w*|hat(?:e|ed|ing)"
    r"|avoid\w*|detest\w*|loath\w*|refus\w+|(?:can(?:no|['’])t|cannot) stand|fan of|allerg\w+|vegan"
    r"|vegetarian|intoleran\w+|fond of|keen on|opposed|advocate|steer clear|afraid|fear of|appeal\w*|my taste"
    r"|interested|priorit\w+|committed|always|never|strict(?:ly)?|bevorzug\w+|mag|liebe|hasse|vermeide\w*"
    r"|vegetarisch|allergisch|immer|nie(?:mals)?|lieber|am liebsten|abneigung|vorliebe)\b"
    # one thing chosen and others turned down
    r"|\b(?:go (?:with|for)|choose|pick|sounds?)\b[^\n]*(?:n['’]t|\bnot)\b"
)
_DENIAL = (
    r"(?i)n['’]t\b|\b(?:not|no|never|without|lack(?:s|ed|ing)?|nobody|nothing|none|neither|nor|nowhere|cannot"
    r"|refus\w+|reject\w*|declin\w+|den(?:y|ies|ied)|stop(?:s|ped)|quit|gave up|fail\w*|skip\w*|except"
    r"|missing|absent|dis(?:like|agree|trust|allow|able|approve|continue)\w*|un(?:able|available|willing"
    r"|supported|used|paid|finished|known)|nicht|kein\w*|nie|niemals|ohne|niemand|nirgends|weder|fehl(?:t|en)"
    r"|verweiger\w*|abgelehnt|lehn(?:t|te)|weiger\w*)\b"
)
_SUGGESTION = (
    r"(?i)\b(?:recommend\w*|suggest\w*|advice|advise|tips?|ideas?|should (?:i|we)|(?:what|which|where) (?:are"
    r"|is|would be) (?:some|my best|the best|a good|good)|(?:what|where)['’]s (?:the best|a good)"
    r"|(?:i['’]?m|i am|we['’]?re|we are) looking for|^looking for|help me"
    r" (?:choose|find|pick|plan|decide)|(?:any|some) (?:good|new|fun)|where can (?:i|we)|empfehl\w*"
    r"|empfiehl\w*|vorschl[aä]g\w*|schlag\w*\b.{0,60}\bvor|tipps?|ideen?|(?:soll|sollte|könnte) (?:ich|man)"
    r"|sollten wir|ratschl[aä]g\w*)\b"
)
_SUGGESTED = (
    r"(?i)\b(?:did|does|had|gave|hat|hatte)\b|\b(?:has|have)\b(?: [\w'’-]+){0,2}? (?:been|\w+ed|\w+en)\b"
)
"""A question about what somebody did or does, such as what was suggested."""
_NEGATED = (
    r"(?i)n['’]t\b|\b(?:not|no|never|without|lacks?|lacking|nobody|none|neither|cannot|nicht|kein\w*|nie"
    r"|niemals|ohne|niemand|nirgends)\b"
)
_PRESENT = (
    r"(?i)\b(?:now|nowadays|current(?:ly)?|at (?:the moment|present)|these days|today|presently|latest|newest"
    r"|as of now|so far|up to date|jetzt|derzeit\w*|aktuell\w*|momentan|heute|inzwischen|zurzeit|mittlerweile"
    r"|neueste\w*)\b|现在|目前|当前|今の|現在"
)
_FORMER = (
    r"(?i)\b(?:did|was|were|had|used? to|before|original(?:ly)?|first|initial(?:ly)?|previous\w*"
    r"|former\w*|earlier|old|until|ever|between|passed|in total"
    r"|ago|last|back then|war|waren|hatte\w*|früher\w*|vorher\w*|damals|zuerst|ursprünglich\w*)\b"
    # the present perfect asks what has happened
    r"|\b(?:have|has)\b(?: [\w'’-]+){0,3}? (?:been|gone|done|made|taken|had|seen|said|told|given|got|met|won"
    r"|read|written|\w+ed)\b|\bwhen (?:i|we|he|she|they)\b"
)
_ASKING = (
    r"(?i)\W*(?:(?:so|and|but|then|hey|ok|well),? )?(?:who(?:m|se)?|what|which|where|when|how|do|does|am|is"
    r"|are|can|must|at|in|on|with|for|from|to|wo|wer|was|wie|wann|welche\w*|bei)\b"
)
_AND = r"(?i)\W*(?:(?:so|and|but|then|hey|ok|well|und|also|y|et),? )?"
_HOW_MUCH = (
    _AND + r"(?:(?:for |since )?how (?:much|many|long|old|often|far|big|tall)"
    r"|what (?:do|does|did|will|would)\b.{1,60}? cost|what (?:is|was) the (?:price|cost)"
    r"|(?:seit |für )?wie (?:viele?|lange|alt|oft|weit|gross|groß|teuer)|was kostet\w*"
    r"|cuánt[oa]s?|combien)\b|.*(?:多少|多久|几(?!乎))"
)
_WHEN = (
    _AND + r"(?:(?:since |until )?when|(?:at |on |in )?(?:what|which) (?:time|day|date|year|month)|at what"
    r"|(?:seit |bis )?wann|(?:um |an |in )?(?:wie viel uhr|welche[mnrs]? (?:tag|datum|jahr|monat))"
    r"|cuándo|quand)\b|.*(?:什么时候|何时|几点)"
)
_WHY = (
    _AND
    + r"(?:why|what (?:made|makes|inspired|motivated|led)|(?:for )?what (?:(?:is|was) )?(?:the |my )?reason"
    r"|warum|weshalb|wieso|por qué|pourquoi)\b|.*为什么"
)
_AMOUNT = (
    r"(?i)\d|[一二三四五六七八九十百千万两]"
    r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|hundreds?|thousands?|million"
    r"|couple|twice|half|once|several|few|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf"
    r"|dutzende?|hunderte?|tausende?|paar|halb\w*|einmal|zweimal|dreimal|mehrere\w*|dos|tres|cuatro|cinco"
    r"|seis|siete|ocho|nueve|diez|mil|medi[oa]|vari[oa]s|deux|trois|quatre|cinq|sept|huit|neuf|dix|cent"
    r"|mille|plusieurs)\b"
)
_TIME = (
    r"(?i)\d|[月日年点时]"
    r"|\b(?:jan(?:uary)?|feb(?:ruary)?|march|april|may|june|july|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|yesterday|today|tonight"
    r"|tomorrow|(?:last|next|this|past) (?:\w+ )?(?:week|weekend|month|year|night|summer|winter|spring|fall"
    r"|autumn)s?|ago|since|recently|januar|februar|märz|mai|juni|juli|oktober|dezember|(?:mon|diens|donners"
    r"|frei|sams|sonn)tags?|mittwochs?|gestern|heute|morgen|(?:letzte|nächste|diese|vorige)[mnrs]?"
    r" (?:woche|wochenende|monat|jahr|nacht|sommer|winter|frühling|herbst)s?|seit|kürzlich|neulich"
    r"|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|lunes"
    r"|martes|miércoles|jueves|viernes|sábado|domingo|ayer|hoy|mañana|janvier|février|mars|avril|juin"
    r"|juillet|août|septembre|octobre|novembre|décembre|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche"
    r"|hier|aujourd['’]hui|demain)\b"
)
_REASON = (
    r"(?i)因为|\b(?:because|['’]?cause|so that|reasons?|that['’]?s why|wanted|due to|weil|damit|wegen|deshalb"
    r"|deswegen|darum|gr[uü]nde?n?|wollten?|porque|por eso|parce que|c['’]est pourquoi)\b"
)
_OF_LONG = (_AMOUNT, _TIME, _REASON)
_OF_STATEMENTS = (*_OF_LONG, _DENIAL, _SPEAKER, _ATTITUDE)
"""Patterns of traits for long texts, and for statements; each tuple is matched in one scan."""
PRESENT_WORDS_MAX = 20
"""Maximum number of words of a question about the present."""


class Manner(IntFlag):
    """Traits of a text besides what it tells; stored with every text."""

    ASKS = 1
    """It is a short question and hardly anything else."""
    PREFERS = 2
    """It is a statement of a preference by who speaks."""
    AFFIRMS = 4
    """It is a statement that denies nothing."""
    WORK = 8
    """It is about work (`language/work`), by its kind and tags as well."""
    PROSE = 16
    """It is running text of a document, not code, a table or markup."""
    CODE = 32
    """It is code, a table or markup, read from a document."""
    AMOUNT = 64
    """It has a number or a word for an amount."""
    TIME = 128
    """It has a number or a word for a day or time."""
    REASON = 256
    """It has a word that gives a reason."""


class QuestionAim(IntFlag):
    """Aims of a question besides what its words say."""

    SUGGESTION = 1
    """A suggestion, for which standing preferences matter."""
    DENIAL = 2
    """What is not so."""
    PRESENT = 4
    """What is so, whatever was before."""
    NOW = 8
    """What is so, and the question says "now": something may have changed."""
    AMOUNT = 16
    """An amount: how many, how long, what it costs."""
    TIME = 32
    """A time."""
    REASON = 64
    """A reason."""


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiles a pattern on first use: a command that asks nothing needs none."""
    return re.compile(pattern)


def manner_of(text: str) -> Manner:
    """Returns the manner of a text: of a long one only whether it has amounts, times and reasons."""
    if len(text) <= STATEMENT_MAX and text.endswith(_ENDS) and _only_asks(text):
        return Manner.ASKS
    is_long = len(text) > STATEMENT_MAX
    # for RE2: every text that is kept comes here
    matched = matching(text.encode("utf-8", "surrogatepass"), _OF_LONG if is_long else _OF_STATEMENTS)
    manner = Manner(0)
    for trait, pattern in ((Manner.AMOUNT, _AMOUNT), (Manner.TIME, _TIME), (Manner.REASON, _REASON)):
        if pattern in matched:
            manner |= trait
    if is_long or text.endswith(_ENDS):
        return manner
    if _DENIAL not in matched:
        manner |= Manner.AFFIRMS
    if _SPEAKER in matched and _ATTITUDE in matched:
        manner |= Manner.PREFERS
    return manner


def is_prose(text: str) -> bool:
    """Returns whether a text is running text rather than code, a table or markup."""
    return len(text) >= PROSE_MIN and not is_code(text)


def is_code(text: str) -> bool:
    """Returns whether a text has as many signs as code, a table or markup."""
    return len(text) - len(text.translate(_SIGNS)) > SIGNS_MAX * len(text)


def _only_asks(text: str) -> bool:
    """Returns whether a text is short and has hardly any words outside of its questions."""
    if count_words(text) > QUESTION_WORDS_MAX:
        return False
    sentences = _compiled(_SENTENCE).findall(text)
    return (
        sum(count_words(sentence) for sentence in sentences if not sentence.endswith(_ENDS))
        <= TELLING_WORDS_MAX
    )


def wanted_by(question: str) -> QuestionAim:
    """Returns what a question wants; nothing of a long one."""
    if count_words(question) > WANTED_WORDS_MAX:
        return QuestionAim(0)
    wanted = QuestionAim(0)
    if _compiled(_SUGGESTION).search(question) and not _compiled(_SUGGESTED).search(question):
        wanted |= QuestionAim.SUGGESTION
    if _compiled(_NEGATED).search(question):
        wanted |= QuestionAim.DENIAL
    if _compiled(_WHEN).match(question):
        wanted |= QuestionAim.TIME
    elif _compiled(_HOW_MUCH).match(question):
        wanted |= QuestionAim.AMOUNT
    elif _compiled(_WHY).match(question):
        wanted |= QuestionAim.REASON
    if _is_about_present(question):
        wanted |= QuestionAim.PRESENT
        if _compiled(_PRESENT).search(question):
            wanted |= QuestionAim.NOW
    return wanted


def _is_about_present(question: str) -> bool:
    """Returns whether a short question asks how something is, without a word that points to the past."""
    return (
        count_words(question) <= PRESENT_WORDS_MAX
        and _compiled(_ASKING).match(question) is not None
        and not _compiled(_FORMER).search(question)
    )
