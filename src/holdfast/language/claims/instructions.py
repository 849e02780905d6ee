"""Lasting wishes of a person for how an assistant should behave."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.core.claims import Claim
from holdfast.language.claims.clause import OPENERS
from holdfast.language.claims.making import claim_at, tidy
from holdfast.language.claims.prefilter import Prefilter
from holdfast.language.claims.verbs import pattern

_VERB = (
    r"(?:address|answer|reply|respond|use|write|call|give|include|keep|start|begin|end|put|add|explain|ask|tell|show|suggest|recommend|assume|apologi[sz]e|mention|say|speak|talk|translate|format|round|convert|cite|quote|remind"
    r"|offer|make|send|skip|refer|praise|flatter|repeat|summari[sz]e|list|be|provide|check|warn|stick|sign|treat|avoid|bother|lead|stay|leave|spell|sugar-?coat|lecture|switch|correct|stop|limit|prefer|default|output|finish|point|drop|cut"
    r"|antworte?|antworten sie|sprich|sprechen sie|schreibe?|erkläre?|nutze?|benutze?|verwende|nenne?|gib|geben sie|halte?|fasse?|formulier\w*|rechne|stelle?|rede|frage?|übersetze?|sage?|begründe|beginne|bleib|lass|verzichte|hör auf|kommentiere|denk|merk|zeig|mach|vermeide|spar|siez|duz|behandle|sieh|erinnere)"
)
_LASTING = (
    r"(?:from (?:now|here|today|this point|this day|then)(?: on(?:wards?)?| forward)|from here on(?: out)?|going forward|moving forward|in future|in the future(?=[,:])|henceforth|as a (?:general )?rule|by default|for (?:all|every|any) (?:future )?(?:answers?|repl(?:y|ies)|responses?|messages?|conversations?|chats?)"
    r"|ab (?:jetzt|sofort|heute|nun)|von (?:jetzt|nun|heute) an|in zukunft|künftig|zukünftig|grundsätzlich|generell|standardmäßig|für die zukunft)"
)
_STYLE = (
    r"(?:emojis?|smileys?|bullet[- ]?points?|bullets|lists|markdown|jargon|exclamation (?:marks?|points?)|headings|headers|tables?|small ?talk|filler\w*|disclaimers?|apologies|waffle|fluff|pleasantries|hedging|abbreviations|acronyms|slang|sugar-?coating|preamble\w*|intros?|summaries|summary"
    r"|metric|imperial|celsius|fahrenheit|(?:british|american|us|uk) (?:english|spelling)|24[- ]hour|short (?:answers|sentences|replies)|plain (?:english|text)|first names?|formal\w*|informal\w*|answers|replies|responses|explanations|sentences|compliments|flattery|em[- ]dashes|code comments|comments in code|units|simple words|simple language"
    r"|floskeln|fremdwörter|aufzählungen|ausrufezeichen|anglizismen|rückfragen|tabellen|stichpunkte|listen|entschuldigungen|antworten|sätze|sätzen|schritten|metrisch|duzen|siezen|einfache sprache|überschriften|füllwörter|kurz und knapp|gendern)"
)
_RULES = tuple(
    pattern(text)
    for text in (
        rf"(?:please |so |also )*{_LASTING}[ ,:–-]+(?:please |bitte |i(?:'d| would) like (?:you )?to |i want (?:you )?to |i need you to |can you |could you |kannst du |könntest du |just |only )*(?P<v>(?!(?:i|we|my|our|ich|wir|mein\w*|the|wohne|arbeite|lebe|bin|esse|trinke|habe|werde|gehe|fahre|mache|will|möchte|study\w*|it)\b)\w.*)",
        rf"(?:please |bitte |just |i want you to |i'd like you to |i need you to |can you |could you )*(?P<v>(?!call me back|give me a call){_VERB}\b(?!:).*\b(?:{_LASTING}|(?<!i )(?<!we )(?<!it )always|every time|each time|whenever|at all times|in general|generally|ever again|any ?more(?! (?:question|info|detail|idea|suggest))|(?<!if )you (?:answer|reply|respond|write|explain)|immer|stets|nie|niemals|jedes ?mal|nicht mehr|mehr mit|wenn (?:du|ich)|when (?:i|you) (?:ask|paste|send|say|write|request|mention|share|post|answer|reply|explain|give|suggest)\w*|unless i (?:ask|say|tell)|at a time|without being asked)\b.*)",
        r"(?:please |bitte |just |also |you can |feel free to |so )*(?P<v>(?:be|sei(?:en sie)?|stay|bleib) (?:ruhig |gern |gerne |bitte |a bit |more |less |as |completely |really |totally |super )*(?:blunt|direct|honest|brief|concise|gentle|patient|formal|informal|strict|critical|kind|specific|precise|casual|friendly|straight|direkt|ehrlich|kritisch|streng|kurz|knapp|locker|förmlich|geduldig|konkret)\b(?! (?:to|of|that)\b).*)",
        r"(?:please |bitte |a bit |ein bisschen |etwas )*(?P<v>(?:less|fewer|more|shorter|longer|simpler|weniger|kürzere?|längere|einfachere|mehr) (?:\w+ )?(?:waffle|fluff|jargon|text|detail|details|emojis?|answers?|replies|responses|explanations?|sentences|apologi\w+|hedging|formal\w*|floskeln|antworten|erklärungen|sätze|struktur|fachbegriffe|fremdwörter|bullet points)\b.{0,40})$",
        r"(?:please |bitte |just )*(?P<v>(?:treat|talk to|speak to|explain (?:things|it|everything|stuff) to|address|behandle?|erklär\w*) (?:me|mir|mich|us) (?:like|as|as if|wie|als)\b.*)",
        r"(?:please |bitte |just |you can |you may )*(?P<v>(?:assume|you can assume|geh davon aus,?(?: dass)?) (?:that )?(?:i|we|ich|wir) (?!was|were|would|had)\w+.*)",
        r"(?:you (?:can|may|don't (?:need|have) to|needn't)|du (?:brauchst|musst|kannst|darfst)|sie (?:brauchen|müssen|können)) (?P<v>(?:skip|drop|leave out|stop|nicht|keine?|mir|ruhig|immer|always|apologi\w+|explain|be|mich)\b.{4,})",
        rf"(?:please |bitte |just |also )*(?P<v>(?:always|never|don'?t ever|do not ever) {_VERB}\b.*)",
        r"(?:please |bitte |just |also )*(?P<v>(?:stop|quit) (?:calling|using|apologi[sz]ing|adding|starting|ending|asking|giving|telling|suggesting|recommending|saying|praising|flattering|repeating|lecturing|hedging|sugar-?coating|explaining|being|summari[sz]ing|writing)\b.*)",
        rf"(?:please |bitte |just |also )*(?P<v>(?:don'?t|do not|dont|i'd rather you (?:didn't|did not|don't)|i(?:'d| would) prefer (?:it )?if you (?:didn't|did not|don't)|please avoid|avoid|skip|no need (?:for|to)|you don't (?:need|have) to|lass(?:e| sie)?|verzichte(?:n sie)? (?:bitte )?auf|spar dir) (?:.{{0,40}}?\b)?(?:{_STYLE}|call(?:ing)? me|apologi[sz]\w+|sugar-?coat\w*|remind(?:ing)? me|ask(?:ing)? me (?:if|whether)|lectur\w+ me|flatter\w*|start your|end your|preach\w*|patroni[sz]e)\b.*)",
        rf"(?:please |bitte |and |aber )*(?P<v>(?:no|keine?n?|bitte keine?n?|nur|only) (?:\w+ ){{0,2}}{_STYLE}(?: mehr| ever| please| bitte|,? (?:ever|please|bitte|ever again)| in (?:your|my) .*| with me| at the end.*|,? .{{0,60}})?)[.!]*$",
        rf"(?:please |bitte )*(?P<v>(?:\w+ ){{0,2}}{_STYLE} (?:only|always|please|nur|immer|is (?:fine|better|best)|ist (?:okay|ok|in ordnung|besser)|sind (?:okay|ok))\b.*)",
        r"(?:please |bitte )*(?P<v>(?:(?:keep|make) (?:your|all|the) (?:answers|replies|responses|explanations)|(?:answer|reply|respond|write)(?: to)? (?:me )?(?:in (?:short|simple|plain|full|complete|one|two|three|british|american|at most)|briefly and|like i'm|as if i|honestly)|correct (?:me|my \w+) (?:when|if|whenever)|correct my \w+ as)\b.*)",
        r"(?:i|we) (?:(?:would|'d) )?(?:prefer|like|want|need|expect|appreciate)(?: you)? (?:to )?(?P<v>(?:your )?(?:short|brief|concise|long|detailed|direct|honest|blunt|step-by-step|informal|formal|metric|simple|plain|straight|quick)\w*(?: and \w+)?,? (?:answers?|repl(?:y|ies)|responses?|explanations?|units|language|feedback|examples|steps|sentences).*)",
        r"(?P<v>i(?:'d| would) (?:rather|prefer (?:it )?if) you .{5,}|i (?:prefer|want|like) (?:you to (?=(?:keep|be (?:more|less|very|honest|direct|brief|blunt|short|concise|gentle|strict|kind)|stop|avoid|use|answer|reply|respond|call|speak|always|never|not|only)\b)|it when you|when you) .{5,}|i hate (?:it )?when you .{5,})",
        rf"(?:please |and |last thing: |one (?:more )?thing: )*(?P<v>(?:when(?:ever)?|if|every time|each time|any time|wenn|falls|jedes mal,? wenn|sobald) (?:i|we|you(?! (?:need|want|have|are|get|make|use|share|talk|give|send|say))|ich|wir|du) (?:(?:am|are|ask|send|paste|post|say|mention|write|give|share|talk|want|need|upload|get|make|use|frage?|schicke?|sage?|schreibe?|poste|brauche|dir|dich|nach|answer|reply|respond|explain|suggest|recommend|antworte\w*|erkläre?\w*)\b)[^,.;!?]*, (?:then |please |bitte |just |always |dann |never |don't )*{_VERB}\b.*)",
        r"(?:bitte )?(?P<v>(?:(?:immer|nie|niemals|stets|grundsätzlich) (?:\S+ ){0,8}\w+(?:en|ern|eln)))[.!]*$",
        r"(?:bitte )?(?P<v>(?:(?:duz|siez)e? mich|(?:duzen|siezen) sie mich|sprich mich (?:immer |bitte )?mit .+ an|(?:wir können|du (?:kannst|darfst|sollst)|sie (?:können|dürfen)) (?:mich |uns )?(?:gern |ruhig |gerne |auch )*(?:duzen|siezen)|duzen ist (?:okay|ok|in ordnung|fein|gut)|per du|gerne? per du|du ist okay)\b.*)",
        r"(?:mir sind|ich (?:bevorzuge|mag|möchte|will|hätte gern|wünsche mir)) (?P<v>(?:lieber |bitte |immer |nur )*(?:kurze|knappe|ausführliche|direkte|ehrliche|lange|einfache|detaillierte)\w* (?:\w+ )?(?:antworten|erklärungen|sätze|texte|rückmeldungen).*)",
        r"(?:merk(?:e)? dir|note to self|remember|bitte merken|merke)(?: bitte| that| dass)?[:,]? (?P<v>(?!(?:i|we|my|our|ich|wir|mein\w*|that|to|when|how|me|the|what)\b)\w.*\b(?:immer|always|never|nie|only|nur|keine?|no|statt|instead)\b.*)",
        r"(?:bitte )?(?P<v>(?:antworte?|antworten sie|schreib\w*|sprich|rede)\b(?: \S+){0,4}? (?:auf (?:deutsch|englisch|französisch)|in kurzen|in ganzen|in einfach\w*|kurz und knapp|so knapp wie|ohne (?:floskeln|umschweife|einleitung))\b.*)",
        r"(?:please )?(?P<v>(?:give|show|tell) (?:me )?(?:just |only )?(?:one (?:step|thing|question) at a time|the short (?:answer|version) first|things straight|it (?:to me )?straight)\b.*)",
        rf"(?P<v>(?!(?:i|we|my|our|ich|wir|mein\w*|the|you)\b)[^.!?;]{{3,80}}?),? (?:{_LASTING}|always|immer)[.!]*$",
        r"(?P<v>(?:spare me|save|schluss mit|enough with|enough of|genug|weg mit|skip|drop|ditch|lose|cut|no need to|kein\w*) (?:the |your |all |den |dem |der |die |das )?(?:say\w*|apologi\w+|explain\w*|repeat\w*|greet\w*|thank\w*|disclaimers?|pep talks?|lectur\w*|small talk|gelobe|lob\w*|floskeln|intro\w*|pleasantries|niceties|waffle|fluff|flattery|sorry|romane?|ausschweif\w*|drumherum|preamble|corporate speak|moralis\w*|caveats?)\b.*)",
        r"(?:i(?:'d| would) like|i want|i need|i expect) you to (?P<v>.*\b(?:when(?:ever)?|always|generally|in general|more|less|never|only|not)\b.*)",
        r"(?P<v>(?:one|two|three|eine?|zwei) (?:question|thing|step|option|idea|answer|frage|schritt|sache)s? (?:at a time|max\w*|at most|auf einmal|nach der ander\w*)\b.*)",
        r"(?:whatever|egal was|when(?:ever)?|wenn) (?:i|ich|was|etwas) [^,]+, (?P<v>(?:\w+ ){0,5}(?:max|at most|tops|maximal|frag|ask|nachfragen|tell me|sag)\b.*)",
        r"(?:keine? \w+ bitte, )?(?P<v>immer (?:knapp|kurz|sachlich|direkt|ehrlich|ausführlich|auf \w+).*)",
        r"(?:please |bitte )*(?P<v>(?:don'?t|do not|never|avoid|stop) (?:use|using|say|saying|write|writing)? ?(?:the )?(?:words?|phrases?|terms?|expressions?)\b.*)",
        r"(?:i(?:'d| would) like|i want|i need|i expect) you to (?P<v>(?:keep|make) (?:your |the |all )?(?:answers|replies|responses|explanations)\b.*)",
        rf"(?:whenever|every time|each time|jedes mal,? wenn) (?:i|ich) [^,]{{3,60}}, (?:please |bitte |just )*(?P<v>(?:{_VERB}|review|describe)\b.*)",
        r"(?:bitte |please )*(?:merk dir|remember|note)\b[^:,]{0,30}: (?P<v>.{4,}\b(?:always|never|immer|nie|bitte|please)\b.*)",
        r"(?P<v>[^,]{3,40} kannst du dir (?:bei mir )?(?:gerne? )?sparen\b.*)",
        rf"(?P<v>keine? {_STYLE} mehr\b.*)",
        rf"(?:bitte )?(?P<v>(?:du sollst|du solltest|sie sollen|sie sollten) (?:bitte |mir |mich |mit mir )*(?:nie|nicht|immer|keine?n?|nur) .*\b(?:{_STYLE}|benutzen|verwenden|schreiben|antworten|sagen|duzen|siezen)\b.*)",
        r"(?:please |bitte )?(?P<v>use (?:metric|imperial|celsius|fahrenheit|british|american|us|uk|euros?|dollars?|pounds|plain|simple) (?:\w+ ){0,3}(?:for (?:everything|all)|throughout|everywhere|please)\b.*)",
        r"(?:please |bitte )?(?P<v>never .{0,60}\b(?:me|mich|i|my|emojis?|answers?|repl(?:y|ies))\b.*)",
    )
)
_WISHED = Prefilter([rule.pattern for rule in _RULES])
_NOT = re.compile(
    r"(?:i'd rather you|i(?:'d| would) prefer|i (?:prefer|want|hate)|please |bitte )?.{0,25}?\b(?:never|don'?t|do not|dont|didn't|stop|quit|no|nie|niemals|kein\w*|nicht|without|ohne|avoid|skip|verzichte\w*|lass|hör auf|spar dir|hate)\b",
    re.IGNORECASE,
)
_ONE_OFF = re.compile(
    r"\b(?:this (?:text|email|letter|file|code|function|time|list|paragraph|sentence|one)|these|the (?:file|code|function|email|letter|text|list|table|essay|parser|tests?|commit|branch|following|above|below|recipe|second|first (?:one|part|draft)|attached)|diese[nsm]? (?:text|mail|brief|satz)|today|tonight|tomorrow|heute)\b",
    re.IGNORECASE,
)


_STARTS = re.compile(
    r"(?:^|[,:;–—(]\s+|\s-\s|\b(?:and|but|so|und|aber|also)\s+(?=(?:please|bitte|from|always|never|don't|ab|stop|keep|no|keine)\b))",
    re.IGNORECASE,
)


_GOING_ON = re.compile(
    r"(?:^|[.!?,;] ?)\W*(?:they|it|he|she|this|that|these|those|\w+ing|the \w+|my \w+|our \w+) \w+[^,.;]*$",
    re.IGNORECASE,
)
"""Matches a clause about something else that a verb without a subject goes on from."""


def instruction_in(text: str) -> Iterator[Claim]:
    """Yields the lasting wish in a sentence, if there is one: at its beginning or that of a clause."""
    rules = [_RULES[number] for number in _WISHED.candidates(text)]
    for start in _STARTS.finditer(text) if rules else ():
        if start[0].strip().lower() in ("and", "but", "und", "aber") and _GOING_ON.search(
            text[: start.start()]
        ):
            continue
        wish = _wish(text, start.end(), rules)
        if wish is not None:
            yield wish
            return


def _wish(text: str, at: int, rules: list[re.Pattern[str]]) -> Claim | None:
    """Returns the instruction that a rule finds at a position, None without."""
    while (
        (word := re.compile(r"\W*([\w']+)[,:!]?\s+").match(text, at))
        and word[1].lower() in OPENERS
        and word[1].lower() not in ("so", "for", "no", "bitte", "nur")
    ):
        at = word.end()
    lead = re.compile(r"\W*").match(text, at)
    at = lead.end() if lead else at
    for rule in rules:
        match = rule.match(text, at)
        if match is None:
            continue
        value = tidy(match["v"].rstrip(" .!,?"))
        is_lasting = _ALWAYS.search(match[0]) is not None
        if (
            len(value) < 4
            or (text.rstrip().endswith("?") and not is_lasting)
            or (_ONE_OFF.search(value) and not is_lasting)
        ):
            return None
        end = match.start() + len(match[0].rstrip())
        return claim_at("instruction", value, match.start(), end, positive=_NOT.match(match[0]) is None)
    return None


_ALWAYS = re.compile(
    rf"\b(?:{_LASTING}|always|whenever|every time|each time|immer|nie|niemals|never|stets|jedes mal)\b",
    re.IGNORECASE,
)
