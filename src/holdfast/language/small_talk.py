"""Tells messages that state something from thanks, assent, greetings and requests, in English and German.

A sentence is small talk if phrases of small talk are all that it has, and a request if it opens like one and
gives no detail of the speaker or a time. Everything else is a statement, so that doubt keeps a message.
"""

from __future__ import annotations

import re
from functools import cache

from holdfast.language.claims.instructions import instruction_in

WORDS_MIN = 3
"""Words that a sentence needs to say anything."""
_WORD = re.compile(r"[^\W_]{2,}|[぀-ヿ一-鿿]")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
_ENDS = ("?", "？")

_VERY = (
    r"(?:(?:really|so|very|super|just|pretty|quite|all|absolutely|totally"
    r"|also|sehr|wirklich|echt|ja|ganz|total) )*+"
)
_GOOD = (
    r"(?:good|great|perfect|fine|nice|awesome|amazing|wonderful|excellent|brilliant|fantastic|lovely|cool"
    r"|helpful|useful"
    r"|interesting|funny|right|correct|true|exactly|clear|gut|super|toll|prima|perfekt|klasse|spitze|cool"
    r"|hilfreich"
    r"|interessant|lustig|richtig|klar|nett|lieb|wunderbar|großartig)"
)
_HELP = (
    r"(?:that|this|it|everything|all|now|asking|trying|(?:(?:all|your|the|this|that|such a|die|das|den"
    r"|deine?n?|ihre?n?) )*"
    r"(?:(?:quick|great|detailed|clear|kind|nice|helpful|good|schnelle|tolle|gute|nette|ausführliche) )*"
    r"(?:help|support|answers?|repl(?:y|ies)|response|explanations?|tips?|advice|info(?:rmation)?"
    r"|suggestions?|ideas?|work"
    r"|time|effort|patience|hilfe|unterstützung|antwort(?:en)?|erklärung(?:en)?|tipps?|infos?|rat|mühe"
    r"|geduld|idee)"
    r"|(?:helping|explaining|clarifying|checking|answering|letting me know)(?: (?:me|that|this|it|out"
    r"|to me))*"
    r"|alles|deine mühe)"
)
_PHRASES = (
    # thanks
    rf"(?:many |a lot of )?(?:thanks|thank you|thx|cheers)(?: (?:a lot|so much|very much|a million|a ton"
    rf"|again|anyway"
    rf"|in advance|everyone))*(?: for {_HELP})?",
    rf"(?:i )?(?:really |much )*appreciate (?:it|{_HELP})|much appreciated",
    rf"(?:(?:ich )?danke(?: (?:dir|ihnen|euch))?|(?:vielen|herzlichen|besten|tausend|lieben)(?: (?:lieben"
    rf"|herzlichen))? dank)"
    rf"(?: (?:schön|sehr|nochmals?|noch ?mal|im voraus))*(?: für {_HELP})?|dankeschön",
    # assent and praise
    r"(?:yes|yeah|yep|yup|sure|ok(?:ay)?|alright|all right|right|exactly|absolutely|definitely|certainly"
    r"|of course|agreed"
    r"|understood|got it|i see|i understand|i agree|no (?:problem|worries|thanks|thank you)(?: at all)?|no"
    r"|nope|never ?mind"
    r"|fair enough|indeed|will do|done|you(?:['’]re| are) (?:right|welcome)|that(?:['’]s| is) (?:it|all"
    r"|enough)(?: for"
    r" (?:now|today))?|(?:that |it )?(?:makes|made) (?:total |perfect )?sense|(?:that |it )?(?:works"
    r"|worked)(?: for me)?"
    r"|(?:that |this |it )?(?:really )?(?:helps|helped)(?: me)?(?: a lot| very much)?|i (?:like|love)"
    r" (?:it|that|this))",
    r"(?:ja|jo|jawohl|jep|nein|nee|klar|na klar|genau|stimmt|passt|einverstanden|verstanden|alles klar"
    r"|in ordnung|natürlich"
    r"|sicher|gerne?|sehr gern(?:e)?|kein problem|macht nichts|schon gut|alles gut|okay|(?:das )?(?:hilft"
    r"|hat geholfen|passt"
    r"|stimmt|gefällt mir)(?: mir)?(?: sehr)?|das (?:war['’]?s|reicht)(?: für heute)?)",
    rf"(?:(?:that|this|it|these|those)(?: all)?(?:['’]s|['’]d be| is| are| was| sounds?| looks?| seems?"
    rf"| would be) |(?:sounds|looks) )"
    rf"{_VERY}{_GOOD}(?: enough)?(?: to me)?",
    rf"(?:that|this|it)(?:['’]s| is| was) {_VERY}(?:exactly )?what i (?:needed|wanted|was looking for)",
    rf"(?:das |es )?(?:klingt|hört sich|sieht) {_VERY}{_GOOD}(?: an| aus)?|(?:das |es )(?:ist|war"
    rf"|wäre) {_VERY}{_GOOD}",
    rf"{_VERY}{_GOOD}(?: (?:idea|point|job|work|question|stuff|one|idee|arbeit|gemacht|frage))?|well done"
    rf"|gute (?:idee|arbeit|frage)"
    r"|weiter so|so gut",
    r"(?:please |bitte )*(?:do|go ahead|go on|continue|proceed|carry on|keep going|try|mach|machen sie|tu"
    r"|fahr|leg|weiter)"
    r"(?: (?:it|that|this|so|with (?:it|that|this)|again|das|es|weiter|fort|los|damit|bitte|please))*",
    r"let['’]?s (?:do|try|go with|start with|continue with) (?:it|that|this)|let['’]?s (?:go|start|continue)",
    # greetings
    r"(?:hi|hello|hey|howdy|yo|greetings|good (?:morning|afternoon|evening|day|night)|hallo|moin|servus"
    r"|grüezi|grüß (?:dich|gott)"
    r"|guten (?:morgen|tag|abend)|gute nacht)(?: (?:there|everyone|everybody|all|again|zusammen|nochmal))?",
    r"how(?: are|['’]re) (?:you|things)(?: (?:doing|going))?(?: today)?|how(?:['’]s| is) it going"
    r"|what['’]?s up"
    r"|wie geht(?:['’]?s| es)(?: (?:dir|ihnen|euch))?(?: heute)?|i hope you(?:['’]re| are) (?:well"
    r"|doing well|fine)",
    r"(?:it['’]s )?(?:nice|great|good) to (?:meet|see) you(?: too)?|(?:schön|freut mich),? (?:dich|sie"
    r"|euch) kennenzulernen|freut mich",
    r"(?:good ?)?bye(?: bye)?|see (?:you|ya)(?: (?:later|soon|tomorrow|around|then))?|take care"
    r"|talk to you (?:later|soon)"
    r"|(?:have|enjoy) (?:a|the|your) (?:nice|great|good|lovely|rest of the)? ?(?:day|evening|weekend|night"
    r"|one|time)"
    r"|tschüss|ciao|auf wiedersehen|bis (?:bald|später|morgen|dann|gleich|nächstes mal)"
    r"|(?:einen )?(?:schönen|guten) (?:tag|abend)(?: noch)?|schönes wochenende",
    # what stands between
    r"oh|ah+|wow|ha(?:ha)+|lol|hm+|well|so|and|but|then|now|again|please|bitte|und|aber|dann|na|ach|sorry"
    r"|entschuldigung"
    r"|you too|very much|for (?:now|today)|today|erst ?mal|für heute|auch|too|as well|dear|mate|buddy|man",
)
_REQUESTS = (
    # "can you", "please", and what is asked of an assistant with "me" behind it or alone
    r"(?:can|could|would|will) you\b|i(?:['’]d| would) like you to\b|i (?:want|need) you to\b"
    r"|(?:kannst|könntest|würdest) du\b|(?:können|könnten|würden) sie\b",
    r"(?:write|make|give|show|find|get|create|draw|draft|send|build|generate|suggest|recommend|list|help"
    r"|teach|tell|read|sing"
    r"|name|explain|describe|plan|prepare|ask|quiz) (?:to )?(?:me|us)\b",
    r"(?:explain|summari[sz]e|translate|rewrite|rephrase|paraphrase|proofread|elaborate|tell|describe"
    r"|convert|calculate|compare"
    r"|generate|analy[sz]e|define|suggest|recommend|outline|brainstorm|debug|refactor|reformat|shorten"
    r"|list|show|give)"
    r" (?:the|this|that|these|those|it|a|an|some|all|how|why|what|more|about|between|in|on|\d+|two|three"
    r"|five|ten|another)\b",
    r"(?:write|make|fix|check|review|improve|correct|edit|change|continue|try|repeat|add|remove|use"
    r"|create) (?:it|this|that|these"
    r"|those|the (?:text|code|answer|list|poem|email|function|last|above|following|second|first)|a (?:poem"
    r"|story|haiku|joke|song"
    r"|function|script|summary|table|regex|query|program))\b",
    r"(?:schreibe?|gib|geben sie|zeige?|erkläre?|nenne?|erzähle?|hilf|suche?|finde?|mache?|erstelle?"
    r"|empfiehl|sage?|schlage?)"
    r" (?:bitte )?(?:mir|uns)\b",
    r"(?:übersetze?|fasse?|korrigiere?|formuliere?|überarbeite|vergleiche?|beschreibe?|berechne|erkläre?"
    r"|erstelle?|kürze?|liste?"
    r"|nenne?) (?:mir |bitte )*(?:das|dies\w*|den|die|es|ein\w*|drei|fünf|zehn|was|wie|warum)\b",
    # questions without their mark
    r"(?:what|who|where|when|why|how|which)(?: (?:much|many|long|old|often|far|big|kind of \w+"
    r"|\w+))?(?:['’]s| (?:is|are|was|were|do"
    r"|does|did|can|could|should|would|will|has|have))\b(?! (?:that|why)\b)|how to\b|what about\b",
    r"(?:do|does|did|can|could|should|would|will) (?:you|i|we|he|she|they)\b|(?:is|are) there\b",
    r"(?:was|wer|wo|wann|warum|wieso|wie|wie ?viele?|welche[rsmn]?)(?: \w+)? (?:ist|sind|war|waren|kann"
    r"|können|macht|mache?|muss|soll"
    r"|sollte|geht|gibt|heißt|funktioniert|kostet|bedeutet|lautet)\b|(?:gibt es|kann ich|kann man|soll ich"
    r"|sollte ich)\b",
)
_TO_KEEP = (
    r"\b(?:note|notes|remember|remind|keep in mind|be aware|(?:don['’]?t|do not) forget|save|store"
    r"|write down|jot|log|book|schedule"
    r"|notier\w*|merk\w*|beachte\w*|denk\w* (?:dran|daran)|vergiss nicht|erinner\w*|speicher\w*"
    r"|halte? fest|buch\w*)\b"
)
"""A request to keep or do something that a later conversation may ask about."""
_DETAIL = (
    r"\b(?:i|i['’]\w+|my|mine|we|we['’]\w+|our|ours|ich|mein\w*|wir|unser\w*|because|since|weil|yesterday"
    r"|today|tonight"
    r"|tomorrow|gestern|heute|morgen|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners"
    r"|frei|sams|sonn)tags?"
    r"|mittwochs?|every|always|never|jede\w*|immer|nie|from now on|ab jetzt|by day|at night)\b|\d{3,}"
    r"|[:;,–—] "
)
"""A sign that a request states something of the speaker or a time, holds for good, or has another clause."""
_POLITE = r"(?:please|bitte|now|then|and|so|ok(?:ay)?|und|dann|jetzt)[,\s]+"
_BETWEEN = re.compile(r"\A\W+")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiles a pattern on first use."""
    return re.compile(pattern, re.IGNORECASE)


def says_something(text: str) -> bool:
    """Returns whether a text has a sentence of several words that is no question, request or small talk."""
    return any(_states(sentence.strip()) for sentence in _SENTENCE.split(text))


def _states(sentence: str) -> bool:
    if len(_WORD.findall(sentence)) < WORDS_MIN or sentence.endswith(_ENDS):
        return False
    rest = _without_small_talk(sentence)
    return bool(rest) and not (_is_request(sentence) or _is_request(rest))


def _without_small_talk(sentence: str) -> str:
    """Returns a sentence without the phrases of small talk that it begins with, each as long as possible."""
    phrases = [_compiled(rf"(?:{phrase})(?![\w'’])") for phrase in _PHRASES]
    rest = _BETWEEN.sub("", sentence)
    while end := max(match.end() if (match := phrase.match(rest)) else 0 for phrase in phrases):
        rest = _BETWEEN.sub("", rest[end:])
    return rest if _WORD.search(rest) else ""


def _is_request(sentence: str) -> bool:
    """Returns whether a sentence asks the assistant for something, and for that alone."""
    return (
        _compiled(rf"(?:{_POLITE})*(?:{'|'.join(_REQUESTS)})").match(sentence) is not None
        and not _compiled(f"{_TO_KEEP}|{_DETAIL}").search(sentence)
        and next(instruction_in(sentence), None) is None
    )
