"""Readings of set phrases, wherever they stand: "crowds stress me out", "here in Kassel", "by trade"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.core.claims import CURRENT, PAST, PLAN, Claim
from holdfast.language.claims.clause import END_WORDS
from holdfast.language.claims.lexicon import class_of_word
from holdfast.language.claims.making import claim_at
from holdfast.language.claims.prefilter import Prefilter
from holdfast.language.claims.verbs import pattern

_HERE = pattern(
    r"\b(?:here|over here|back home|up here|down here|bei uns|bei mir|hier(?: bei uns)?|in my (?:village|town|flat|house)) (?:in|near|on|im|auf|an der|am) (?P<v>(?:der |den |the )?(?-i:[A-ZÄÖÜ])[\w-]+(?: (?-i:[A-ZÄÖÜ])[\w-]+)?)(?=[ ,.!?;]|$)"
)
_LOVED = re.compile(
    r"^(?:\W|(?:so|but|and|oh|yes|well|aber|also)\b)*(?P<v>(?:[\w'-]+ ){0,3}[\w'-]+?)(?: is|'s| are| ist| sind) (?:really |just |definitely |total |absolut |so |such )?(?:(?P<good>(?:my|mein\w*) (?:drink|thing|jam|passion|comfort food|weakness|poison|happy place|favou?rite|kryptonite of choice|leben|leidenschaft|ding|lieblings\w+|life)|(?:life|alles für mich)$)|(?P<bad>(?:not|nicht|nichts) (?:really )?(?:my|mein\w*|für mich|my cup of tea|my thing|for me)\b|my (?:nightmare|worst nightmare|kryptonite|pet peeve|achilles)|mein\w* (?:albtraum|alptraum|endgegner|horror)|(?:bei mir )?tabu|a no-go(?: for me)?|off the menu for me|the worst|ein no-go|off limits(?: for me)?))",
    re.IGNORECASE,
)
_AFFECTS = re.compile(
    r"^(?:\W|(?:so|but|and|because|since|yes|well|weil|aber|also)\b)*(?P<v>(?!(?:it|this|that|he|she|they|you|what|which|who|these|those|everything|es|das|er|sie|der code)\b)(?:[\w'-]+ ){0,3}?[\w'-]+?) (?:could |can |would |always |really |just |completely |literally |kind of |sort of )*(?P<how>stress(?:es)? me out|freaks? me out|scares? me|creeps? me out|terrif(?:y|ies) me|gross(?:es)? me out|mak(?:e|es) me (?:sick|anxious|nauseous|queasy|ill|furious|angry|mad|miserable|uneasy|dizzy|nervous|panic|cringe|gag|sneeze|itch|break out|feel (?:sick|ill|anxious|queasy|trapped))|mak(?:e|es) my skin crawl|gives? me (?:migraines?|hives|headaches?|heartburn|anxiety|the creeps|a rash)|tastes? like \w+ to me|bores? me|drives? me (?:mad|crazy|nuts|insane|up the wall|round the bend)|send(?:s)? me to (?:a&e|the er|hospital)|mak(?:e|es) me faint|kill me|stresst mich|stressen mich|macht mir angst|machen mir angst|ekelt mich|nervt mich|nerven mich|gehen gar nicht|geht gar nicht|(?:don't|doesn't|do not) (?:agree with me|sit well with me)|(?:isn't|aren't|is not|are not) (?:my thing|for me|my cup of tea|my jam)|(?:isn't|aren't) really my (?:thing|cup of tea)|and i (?:don't|do not) (?:get along|mix|get on)|vertrage ich nicht|bekommt mir nicht|schmeck(?:t|en) mir (?:gar |überhaupt )?nicht|m(?:a|ö)g(?:en)? mich nicht|calms me(?: down)?|makes? me happy|relax(?:es)? me)\b",
    re.IGNORECASE,
)
_SAYINGS: tuple[tuple[str, bool, str], ...] = (
    ("dislikes", False, r"\bmir (?:\w+ )?(?:schmeckt|schmecken|gefällt|gefallen|liegt|liegen) (?P<v>(?!(?:das|es|dein\w*|die idee|der text)\b).+?) (?:gar |überhaupt )?nicht\b"),
    ("likes", True, r"\bmir (?:schmeckt|schmecken) (?P<v>(?!(?:das|es)\b)[^,.]+?) (?:sehr|am besten|gut)\b"),
    ("intolerance", True, r"\b(?:von|bei) (?P<v>\w+) (?:wird mir schlecht|bekomme? ich (?:ausschlag|bauchschmerzen|migräne))"),
    ("dislikes", False, r"\bich (?:finde|find) (?P<v>(?!(?:das|es|dein\w*|die (?:idee|antwort)|den (?:text|vorschlag))\b)[^,.]+?) (?:furchtbar|schrecklich|eklig|widerlich|ätzend|grässlich|scheußlich)\b"),
    ("dislikes", False, r"\bmit (?P<v>\w+) (?:kann(?:st)? (?:man|du) mich (?:jagen|verjagen)|kann ich nichts anfangen)"), ("dislikes", False, r"\b(?:can't|never|couldn't) (?:get into|see the appeal of|understand the hype (?:about|around)) (?P<v>[^,.;!?]+)"),
    ("lives_in", True, r"\b(?:my|our|meine|unsere|mein|unser) (?:\w+ )?(?:flat|apartment|house|place|home|cottage|studio|wohnung|haus|bude|hof|reihenhaus) (?:here )?(?:in|near|on|just outside|im|am|bei) (?P<v>(?:the |den |der )?(?-i:[A-ZÄÖÜ])[\w-]+(?: (?-i:[A-ZÄÖÜ])[\w-]+)?)"), ("lives_in", True, r"(?:\b(?:i'm|im|i am|we're|we are) (?:an? )?|^\W*)(?P<v>(?-i:[A-Z])\w+)[- ](?:based(?= |[,.]|$)(?! on\b| \w+s\b| [A-Z])|born and bred\b)"), ("lives_in", True, r"\bin (?P<v>(?-i:[A-ZÄÖÜ])[\w-]+),? (?:where (?:i|we) live|wo ich wohne|wo wir wohnen)"),
    ("birthday", True, r"(?:^|[,.(;] ?|\bi was |\bi'm |\bich bin |\bbin )(?:jahrgang|born in|class of|geboren) '?(?P<v>\d{2}|(?:19|20)\d\d)\b"), ("age", True, r"\b(?:as an?|i'm an?|als) (?P<v>[1-9]\d)[- ](?:year[- ]old|jährige[rn]?)\b"), ("age", True, r"\b(?:pushing|nearly|almost|just turned|about to turn|knapp|fast|bald|seit gestern|gerade) (?P<v>[2-9]\d)(?=[,.!;)]| (?:and|und|now|jahre|geworden)\b|$)"), ("age", True, r"\b(?:i|ich|me|me:),? (?P<v>\d\d)(?:[,/ ]+[mfwd])\b|\(\s?(?P<w>[1-9]\d)\s?[mfwd]\s?\)"),
    ("job", True, r"\bdo(?:ing)? (?P<v>[^,.;!?]{3,40}?) for a living\b"), ("works_as", True, r"\b(?:by (?:trade|profession|day|training),? (?:i'm |i am )?(?P<v>an? [^,.;!?]{3,40}))"), ("works_as", True, r"\b(?P<v>[\w-]+(?: [\w-]+)?) by (?:trade|profession|training|day)\b"), ("works_as", True, r"(?:^|[,.;] |\bmy |\bmein )(?:day job|beruf|job)(?: is|:| ist) (?P<v>(?!(?:in|at|the|as|done|finished|over|to|on|not|\w+ing)\b)(?:an? )?[\w-]+(?: [\w-]+)?)(?=[,.;!]|$)"),
    ("likes", True, r"\b(?:nothing beats|(?:give me|team)(?= .+ (?:any day|over|all the way))) (?P<v>[\w' -]{3,30}?)(?: any day| over .+| all the way|[,.!]|$)"), ("likes", True, r"(?:^|[,.;] )(?P<v>[\w' -]{3,30}?) (?:over [\w' -]{3,30} any day|all the way|any day)\b"), ("dislikes", False, r"\b(?:can't be doing with|could do without|had enough of|i'll pass on|never been (?:one for|into|a fan of|keen on)|can do without) (?P<v>[^,.;!?]+)"),
    ("eats", False, r"\bno (?P<v>(?:pork|meat|dairy|gluten|alcohol|fish|nuts|sugar|beef|eggs|seafood|shellfish|soy|caffeine)\b(?: \w+)?) for (?:me|us)\b"), ("eats", False, r"\b(?:i|we) (?:can't|cannot|mustn't|shouldn't|'m not allowed|am not allowed|'re not allowed)(?: to)? (?:have|eat|drink|touch|do) (?P<v>(?!(?:it|this|that|both|the|a|them|people|him|her|you|any|another|everything)\b)[^,.;!?]+)"), ("eats", False, r"\bich (?:darf|kann|soll) (?:leider |auch )?keine?n? (?P<v>[\w-]+)(?: (?:essen|trinken|mehr))?(?=[,.;!]|$| essen| trinken)"),
    ("intolerance", True, r"\b(?:i )?react (?:badly |terribly )?to (?P<v>[^,.;!?]+)"), ("condition", True, r"\b(?:since|after|because of|due to|thanks to|durch|nach|seit|wegen) (?:my|meine[rmns]?) (?P<v>(?:[\w-]+ )?(?:diagnosis|operation|surgery|accident|stroke|heart attack|concussion|burnout|transplant|chemo|(?:knee|hip|back|heart) (?:surgery|operation|replacement|op|injury)|injury|illness|op|unfall|schlaganfall|herzinfarkt|diagnose|bandscheibenvorfall))\b"),
    ("expecting", True, r"\b(?P<v>baby(?: number \w+| no\.? \d)?(?:'s| is)? (?:due|on the way|arriving|coming)|nachwuchs unterwegs|(?:kind|baby|zweites) unterwegs)\b"), ("marital_status", True, r"\b(?P<v>(?:our|my) (?:\w+ )?(?:wedding )?anniversary)\b"), ("marital_status", True, r"\b(?P<v>(?:going through|getting|after|since) (?:a|my|the) (?:\w+ )?(?:divorce|separation|break-?up))\b"),
    ("partner", True, r"\b(?:i'm|been|we're|we've been) (?P<v>(?:dating|seeing|going out with|living with) (?:an? \w+|someone|(?-i:[A-Z])\w+|my \w+)|together (?:for|since) [^,.;!?]+)"), ("child", True, r"\b(?:mum|mom|dad|mother|father|mama|papa|mutter|vater|parent) (?:of|to|von) (?P<v>(?:\w+ )?(?:\d|two|three|four|five|twins|an? |zwei|drei|vier|einem|einer)[^,.;!?]*)"),
    ("learning", True, r"\b(?:teaching myself|taking up|trying to learn) (?P<v>(?!(?:the kids|again|it|the|my|where|some|a|this|that|groceries)\b)[^,.;!?]+)"), ("can", False, r"\b(?:i've )?never (?:learned|learnt|managed|figured out how) to (?P<v>[^,.;!?]+)"), ("can", False, r"\b(?:not (?:very |that |particularly |at all )?(?:technical|musical|sporty|artistic|tech[- ]savvy|handy|good (?:at|with) (?P<v>[^,.;!?]+))\b)"), ("experience", False, r"\b(?:complete|total|absolute|blutiger|kompletter) (?P<v>(?:beginner|novice|newbie|anfänger(?:in)?)(?: (?:in|at|with|bei|im) [^,.;!?]+)?)"),
    ("uses", True, r"\b(?:typing|writing|texting) (?:this )?(?:on|from) (?P<v>(?:my|an?) [^,.;!?]+)"), ("speaks", True, r"\b(?P<v>(?:rusty|conversational|broken|schoolboy|fluent|basic|fließend|school) (?-i:[A-Z])\w+)\b"), ("plan_event", True, r"\b(?:my|our|mein\w*|unser\w*) (?P<v>(?:[\w'-]+ ){0,2}(?:trip|move|wedding|surgery|operation|holiday|vacation|retirement|flight|marathon|graduation|honeymoon|umzug|hochzeit|urlaub|op|reise|flug|abschluss)(?: to (?-i:[A-Z])\w+| nach (?-i:[A-Z])\w+)?)(?= (?:is|'s|in|on|next|starts|this|ist|im|am|nächste\w*|steht)\b)"),
    ("dislikes", False, r"\bwouldn't (?:touch|eat|go near|be seen dead in) (?P<v>[^,.;!?]+?)(?= if\b|[,.;!?]|$)"), ("can", False, r"\bnever (?:got|really got) the hang of (?P<v>[^,.;!?]+)"), ("can", False, r"(?P<v>[\w -]{2,30}) (?:is|are|ist|sind) (?:all )?(?:greek to me|double dutch to me|nicht so mein\w*|nicht meine stärke|not my strong suit|beyond me)\b"), ("can", True, r"(?P<v>[\w -]{2,30}) (?:(?:is|are) my (?:bread and butter|strong suit|forte)|comes? (?:easily|naturally) to me|liegt mir|liegen mir)\b"),
    ("can", True, r"\b(?P<v>[\w ]{2,20} years of [\w -]{2,25}) (?:under my belt|behind me)"), ("speaks", True, r"\b(?:hold a conversation|get by|read|dream|swear) in (?P<v>(?-i:[A-Z])\w+)"), ("can", True, r"\b(?:fit|sicher|firm|well versed|handy|gut) (?:in|with|mit|im) (?P<v>(?-i:[A-Z])\w+)"), ("can", True, r"\bat home in (?P<v>(?:(?-i:Excel|Word|Linux|Windows|Python|Java|JavaScript|Photoshop|SQL|Git|Excel|SAP|Rust)|C\+\+))(?!\w)"), ("likes", True, r"\b(?:nothing like|nothing beats|nichts geht über|geht nichts über|soft spot for|weakness for|thing for|schwäche für|für) (?P<v>(?!(?:mich|uns|me|us|die|das|den|dich|it|that)\b)[^,.;!?]+?)(?: lasse ich alles stehen| sterbe ich| töte ich)"),
    ("likes", True, r"\b(?:there's |there is |es gibt )?(?:nothing (?:like|beats)|nichts geht über|soft spot for|a weakness for|schwäche für) (?P<v>[^,.;!?]+)"), ("speaks", True, r"^\W*(?P<v>(?-i:[A-ZÄÖÜ])\w+) (?:is|ist) (?:my|mein\w*) (?:first|native|mother|second|mutter|erste|zweite)[ -]?(?:language|tongue|sprache)"), ("eats", False, r"^\W*(?P<v>(?!(?:and|but|so|yes|no|nope|well|then|today|tonight|now|sometimes|usually|often|when|if|while|before|after|on|in|at|because|since|until|that|which|as|for|with|during|honestly|sorry)\b)[\w -]{3,30}?),? i (?:really |simply |just )?(?:don't|do not|can't|cannot|won't) (?:eat|drink)\W*$"), ("dislikes", False, r"^\W*(?P<v>(?!(?:and|but|so|yes|no|nope|well|then|today|tonight|now|sometimes|usually|often|when|if|while|before|after|on|in|at|because|since|until|that|which|as|for|with|during|honestly|sorry)\b)[\w -]{3,30}?),? i (?:really |simply |just )?(?:don't like|do not like|can't stand|cannot stand|can't bear|can't abide)\W*$"),
    ("dislikes", False, r"^\W*(?P<v>[\w -]{3,30}) (?:ertrage|halte|packe|schaffe) ich (?:einfach |gar |überhaupt )?nicht"), ("does_regularly", True, r"\bfirst thing i do (?:every |each |in the )?\w+ is (?P<v>[^,.;!?]+)"), ("does_regularly", True, r"\byou'll find me (?P<v>(?:at|in|on) [^,.;!?]+)"),
    ("does_regularly", True, r"\b(?P<v>(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day(?:s| nights?| mornings?| evenings?)?|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?|weekends?) (?:is|are|ist|sind|means?|heißt) (?!(?:fine|good|better|ok|okay|best|bad|free|out|gut|besser|the|my|a|an|when|schlecht|frei)\b)[^,.;!?]{3,40})"),
    ("likes", True, r"\bcan(?:'t|not) (?:get enough of|live without|start (?:my|the) day without|do without|say no to) (?P<v>[^,.;!?]+)"), ("likes", True, r"\b(?:i )?could (?:live on|eat|listen to|watch|talk about) (?P<v>[^,.;!?]+?) (?:all day|every day|forever|for hours|for the rest)"),
    ("likes", True, r"\b(?:big|huge|massive|lifelong|großer|große|riesen) ?fan (?:of|von|vom) (?P<v>(?!(?:it|this|that|yours)\b)[^,.;!?]+)"), ("dislikes", False, r"\b(?:not (?:a |a big |a huge |much of a )?fan of|not (?:big|keen|hot) on|kein fan von) (?P<v>(?!(?:it|this|that)\b)[^,.;!?]+)"),
    ("condition", True, r"\b(?:bei mir wurde|man hat bei mir) (?P<v>[^,.;!?]+?) (?:festgestellt|diagnostiziert)"), ("condition", True, r"\b(?:doctor|gp|arzt|ärztin) (?:diagnosed me with|says i have|hat .{0,12}?diagnostiziert) (?P<v>[^,.;!?]+)"),
    ("condition", True, r"^\W*(?P<v>hay fever) season"), ("plan_travel", True, r"\b(?:geht'?s|geht es|fahren wir|fliegen wir) (?:dann |endlich |wieder |für .{3,15} )?(?P<v>(?:nach|in die|in den|an die|auf die|ans) (?-i:[A-ZÄÖÜ])[\w-]+)"),
    ("plan_travel", True, r"\b(?:are |we're |i'm |is )?(?:off|flying|heading) to (?P<v>(?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])\w+)?) (?:in|next|on|for|this)\b"), ("plan_move", True, r"\b(?P<v>moving (?:house|flat|to (?-i:[A-Z])\w+|in with \w+ \w+|out)) (?:in|next|this|on|at the end)\b"),
    ("partner", True, r"\b(?P<v>(?:meine freundin|mein freund|meine frau|mein mann) und ich)\b"), ("lives_in", True, r"\b(?:and )?now it'?s (?P<v>(?-i:[A-Z])\w+)"), ("owns", True, r"\b(?:there's|there is|wir haben|we've got) (?P<v>an? .+?) in (?:my|our) (?:living room|garage|garden|house|flat|kitchen|basement|backyard|yard)"),
    ("called", True, r"\b(?:call me|(?:my friends|people|everyone|everybody|friends|they|most people|mates) (?:all |just |usually |always |mostly )?call me|(?:i|i'd rather|i usually|i mostly) go by|i'm known as|nenn(?:t|en sie)? mich|(?:alle|freunde|die meisten|kollegen) (?:nennen|rufen) mich|(?:du kannst|ihr könnt|sie können) mich) (?:bitte |einfach |ruhig |gern |gerne |nur |just )*(?P<v>(?-i:[A-ZÄÖÜ])[\w'-]+(?: (?-i:[A-ZÄÖÜ])[\w'-]+)?)"),
    ("called", True, r"(?:^|[.!,;] )(?P<v>(?-i:[A-Z])[a-z]+) (?:for short|will do|reicht|genügt)\b"), ("pronouns", True, r"\b(?P<v>(?:they|she|he)/(?:them|her|him)(?:/\w+)?)\b"), ("birthday", True, r"\bmein geburtstag ist (?:am |im )?(?P<v>.+)"),
    ("name", True, r"(?:^|[.!\n] ?)\W*(?:(?:hi|hello|hey|hallo|moin)[,!]? (?:there[,!]? )?)?(?:this is |it's |hier ist |hier schreibt )(?P<v>(?-i:[A-ZÄÖÜ])[a-zäöüß'-]{2,})(?= here|[,.!]| from\b| aus\b)"), ("name", True, r"(?:^|[.!,] )(?P<v>(?-i:[A-ZÄÖÜ])[a-zäöüßé'-]{2,}) (?:here|hier)(?=[,.!:]|$| and| from| again)"),
    ("name", True, r"\b(?:i(?:'m| am) (?:called|named)|(?:ich )?heiß[e']?(?: übrigens)?) (?P<v>(?-i:[A-ZÄÖÜ])[\w'-]+(?: (?-i:[A-ZÄÖÜ])[\w'-]+)*)"), ("employer", True, r"\b(?:company|startup|start-up|firm|charity|business) i (?P<v>(?:co-?founded|run|own|started|founded|work for|work at))\b"),
    ("works_as", True, r"\b(?:trained|qualified|retrained|apprenticed|started out) (?:as|to be) an? (?P<v>[^,.;!?]+)"), ("fan_of", True, r"\bich bin (?:ein |eine )?(?:\w+ )?(?P<v>\w+-?fan)\b"), ("employer", True, r"\bafter (?:\w+ )?(?:\d+|\w+teen|\w+ty|ten|eleven|twelve|five|six|seven|eight|nine) years (?:in|as|at|of|with|on) (?P<v>(?!(?:use|trying|a row|total|london)\b)[^,.;!?]+)"), ("diet", True, r"\b(?P<v>alkohol|fleisch|milch|gluten|zucker) ist (?:bei mir |für mich )?tabu"),
)  # fmt: skip
_SAID = Prefilter([expression for _, _, expression in _SAYINGS])
_DENIED = re.compile(r"(?:n't|\bnot|\bnever|\bkein\w*|\bnicht)\b[^,.;]{0,25}$", re.IGNORECASE)
_PERSONS = frozenset("you me mich ich the that it this everything anything nothing".split())
_NOBODY = frozenset(
    "same everyone anyone nobody nothing up right over all done new first non-native me yes no".split()
)
_POINTING = frozenset("this that it which he she what das es there here".split())
TONGUE = re.compile(r"language|tongue|sprache", re.IGNORECASE)
"""Words for a language that somebody speaks."""
_EFFECTS: tuple[tuple[str, str], ...] = (
    ("allergy", r"kill|sneeze|hives|send|rash|break out"),
    ("intolerance", r"migraine|agree|heartburn|vertrage|bekommt"),
    ("likes", r"^(?:calm|relax|makes? me happy)"),
)
"""What somebody says of a thing by what it does to them; anything else is a dislike."""


def of_wordings(text: str) -> Iterator[Claim]:
    """Yields what set phrases say: "crowds stress me out", "being vegetarian", "here in Kassel"."""
    match = _LOVED.match(text)
    if match is not None and match["v"].split()[0].lower() not in _POINTING:
        is_bad = match["bad"] is not None
        yield claim_at(
            "dislikes" if is_bad else "likes", match["v"], match.start("v"), match.end(), positive=not is_bad
        )
    match = _AFFECTS.match(text)
    if match is not None:
        attribute = _effect(match["how"].lower())
        if attribute in ("dislikes", "likes") or re.search(r"\b(?:could|me|mir|ich)\b", match[0]):
            yield claim_at(
                attribute, match["v"], match.start("v"), match.end(), positive=attribute != "dislikes"
            )
    for number in _SAID.candidates(text):
        attribute, positive, expression = _SAYINGS[number]
        saying = pattern(expression).search(text)
        if saying is None or not _is_meant(text, saying, attribute, positive):
            continue
        value = END_WORDS.sub("", saying["v"] or saying.groupdict().get("w") or saying[0])
        status = PAST if expression.startswith(r"\bafter") else CURRENT
        yield claim_at(
            attribute,
            value,
            saying.start(),
            saying.end(),
            positive=positive and attribute != "diet",
            status=PLAN if attribute.startswith("plan") else status,
        )
    for here in _HERE.finditer(text):
        yield claim_at("lives_in", here["v"], here.start(), here.end(), certainty=0.75)


def _effect(manner: str) -> str:
    """Returns the attribute for what a thing does to somebody."""
    return next((attribute for attribute, words in _EFFECTS if re.search(words, manner)), "dislikes")


def _is_meant(text: str, match: re.Match[str], attribute: str, positive: bool) -> bool:
    """Returns whether a set phrase names what its attribute needs, and is not denied."""
    value = match["v"] or ""
    if attribute in ("name", "called") and (class_of_word(value) is not None or value.lower() in _NOBODY):
        return False
    if attribute == "speaks" and not (TONGUE.search(match[0]) or class_of_word(value.split()[-1]) == "lang"):
        return False
    is_denied = positive and attribute == "likes" and _DENIED.search(text[: match.start()])
    return value.lower() not in _PERSONS and not is_denied
