"""Readings of words such as "my wife", "our garden" and "my asthma", wherever they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.core.claims import CURRENT, PAST, PLAN, Claim
from holdfast.language.claims.clause import ADVERBS, AUX, END_WORDS
from holdfast.language.claims.clauses import COVER
from holdfast.language.claims.kin import STOP, of_kin
from holdfast.language.claims.lexicon import KIN, class_of_word, head_of
from holdfast.language.claims.making import claim_at, tidy
from holdfast.language.claims.prefilter import Prefilter
from holdfast.language.claims.verbs import english, pattern

_MY = r"(?:my|our|mein(?:e[rmns]?)?|unser(?:e[rmns]?)?|unsre[rmn]?)"
_NOUN = re.compile(
    rf"(?<![\w'])(?P<my>{_MY}|(?<![\w'] )(?:the|die|der) (?=(?:wife|missus|kids|hubby|husband|kinder)\b))\s(?P<np>(?:(?:[\w'&-]|(?<=\d)\.(?=\d))+ ){{0,4}}?)(?P<head>[^\W\d_][\w&-]*)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_][\w&'-]*")
_ATTRIBUTES: tuple[tuple[str, str], ...] = (
    ("name", r"(?:full |first |last |real |middle |given |voller )?(?:name|vorname|nachname) ?(?:is spelled|is|'s|ist|:) ?(?P<v>(?-i:[A-ZÄÖÜ])[\w'’-]+(?: (?-i:[A-ZÄÖÜ])[\w'’.-]+)*)"),
    ("called", r"(?:friends|mates|family|freunde|familie|colleagues|kollegen)(?: all| alle)? (?:call|calls|nennen|nennt) (?:me|mich) (?P<v>(?-i:[A-ZÄÖÜ])[\w'-]+)"), ("birthday", r"(?:date of birth|birthday|geburtstag|geburtsdatum)(?: is|'s| ist| falls)? (?:on |in |am |im )?(?P<v>.*\d.*|.*(?:january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember).*)"),
    ("age", r"(?:age|alter) (?:is|ist) (?P<v>\d+)"), ("pronouns", r"pronouns (?:are|:) ?(?P<v>.+)"), ("size", r"(?:shoe|dress|ring|schuh|kleider)[ -]?(?:size|größe) (?:is|ist) (?P<v>.+)"), ("height", r"(?:height|größe) (?:is|ist) (?P<v>.+)"), ("weight", r"(?:weight|gewicht) (?:is|ist) (?P<v>.+)"),
    ("speaks", r"(?:native|first|mother|second|mutter)[ -]?(?:language|tongue|sprache) (?:is|'s|ist) (?P<v>.+)"), ("from", r"(?:home ?town|home country|home village|heimatstadt|heimat)(?: is| ist)? (?P<v>(?-i:[A-ZÄÖÜ]).+)"),
    ("hobby", r"(?:main |biggest |new |größtes |neues )?(?:hobby|hobbies|hobbys|passion|leidenschaft) (?:is|are|ist|sind) (?P<v>.+)"), ("goal", r"(?:biggest |main |life |new year's |big |großes |größter )?(?:goal|dream|aim|resolution|ziel|traum|vorsatz)(?: for \w+)? (?:is|ist) (?:to )?(?P<v>.+)"),
    ("plan", r"plan (?:is|ist)(?: es)? to (?P<v>.+)"), ("favourite", r"(?:absolute |all-time |new )?favou?rite (?P<v>[\w' -]{2,40}? (?:is|are|has to be|will always be) (?!(?:in|on|at|not|when|from)\b|\d).+)"), ("favourite", r"(?P<v>lieblings\w+ (?:ist|sind|war) .+)"),
    ("favourite", r"(?:absolute |all-time |personal )?favou?rites? (?:is|are|has to be|will always be) (?P<v>(?!(?:in|on|at|not|when|from|the one|how|that)\b|\d).+)"),
    ("favourite", r"(?:go-to|comfort|usual) (?P<v>\w+ (?:is|are) .+)"), ("job", r"(?:day |new |current |main |side )*(?:job|role|position|beruf|work) (?:is|'s|involves|ist) (?P<v>(?:in |as |an? |to |teaching |at |in der |im |bei ).+)"),
    ("employer", r"(?:employer|arbeitgeber|company|firma) (?:is|ist|heißt) (?P<v>(?-i:[A-ZÄÖÜ]).+)"), ("works_as", r"(?:new |current |old |first |last )*(?:job|position|role|stelle) (?:as|als) (?P<v>[^,.;!?]+?)(?= (?:is|was|and|but|so|has|at|bei|ist)\b|[,.;!?]|$)"),
    ("employer", r"(?:new |current |old |day |neuer |alter )*(?:job|position|role|boss|manager|chef|chefin|colleagues|team|shift|internship|stelle|praktikum) (?:at|with|bei|beim|bei der)(?: der)? (?P<v>(?-i:[A-ZÄÖÜ])[\w&.-]+(?: (?-i:[A-ZÄÖÜ])[\w&.-]+)*)"),
    ("degree", r"(?:degree|major|background|thesis|dissertation|abschluss|phd|master'?s|studium)(?: is| was| ist)? (?:in|about|on|über) (?P<v>[^,.;!?]+)"), ("marital_status", r"(?P<v>divorce|scheidung|separation)\b"),
    ("speaks", r"(?P<v>\w+ (?:is|ist) (?:about |around |at |auf )?(?:level |niveau )?[abc][12])\b"),
    ("speaks", r"(?P<v>\w+) (?:is|'s|ist) (?:\w+ ){0,3}(?:ok|okay|good|bad|rusty|terrible|fluent|basic|decent|gut|schlecht|fließend|eingerostet|around|about|at|getting|auf|not great|limited|non-existent|intermediate|[abc][12])\b.*"),
    ("commute", r"(?P<v>commute is .+)"), ("salary", r"(?:salary|income|gehalt|pension|wage) (?:is|ist|of) (?P<v>.+)"), ("condition", r"(?:blood type|diagnosis|diagnose|blutgruppe) (?:is|ist|:) ?(?P<v>.+)"),
    ("condition", r"(?P<v>(?:knee|hip|back|shoulder|heart|eye|\w+-)(?: ?op\b| ?operation| ?surgery| ?replacement)|op\b|operation|surgery|chemo\w*|physiotherapy|dialysis|pregnancy|schwangerschaft)\b"), ("diet", r"(?:diet|ernährung) (?:is|ist) (?P<v>.+)"),
    ("likes", r"(?:spotify|playlist|kindle|bookshelf|record collection) (?:is|'s|ist) (?P<v>.+)"), ("likes", r"(?P<v>.+?) (?:obsession|addiction)\b"), ("plan_family", r"(?P<v>wedding|hochzeit)(?= (?:is|ist) (?:in|on|next|im|am|nächste))"),
    ("studies", r"(?P<v>(?:[\w-]+ ){0,2}(?:apprenticeship|ausbildung|studium|phd|master'?s|bachelor'?s|a-levels|degree course|referendariat|doktorarbeit|dissertation|thesis|masterarbeit|bachelorarbeit)(?: (?:as|in|on|zum|zur|als) [^,.;!?]+?)?)(?= (?:ends|is|starts|finishes|in|ist|endet|beginnt|geht|fertig|this|next)\b|[,.;!?]|$)"),
    ("fears", r"(?P<v>(?:fear|phobia) of [^,.;!?]+|flugangst|höhenangst|arachnophobia)"), ("takes_medicine", r"(?:meds|medication|pills|medikamente) (?:are|is|sind) (?P<v>.+)"),
    ("does_regularly", r"(?P<v>(?:weekly |daily |morning |evening |sunday |saturday )+(?:run|swim|ride|walk|class|game|match|yoga|training|practice|choir|hike)\b)"),
)  # fmt: skip
_BODY_BAD = re.compile(
    r"(?: (?:is|are|'s|has been|have been|was|ist|sind|war))?(?: \w+){0,2}? ?(?:shot|bad|hurt\w*|aching|aches?|sore|killing|acting up|playing up|broken|gone|fucked|knackered|dodgy|weak|terrible|worse|swollen|numb|stiff|kaputt|hin|schlecht|macht nicht|machen nicht|tut weh|tun weh|schmerz\w*|zu hoch|high|low|schwach|steif|going|failing|not what|damaged|pretty bad)\b",
    re.IGNORECASE,
)
_APPOSED = re.compile(
    r"\b(?P<lead>[Aa]s|[Bb]eing|[Ss]peaking as|[Aa]ls|[Tt]hanks to being|because of being) (?P<v>(?:(?:an?|the) )?(?:[\w-]+ ){0,4}[\w-]+)(?P<tail>(?: (?:in|with|from|at|on|of|who) [^,.;!?]{2,50})?)(?=,? (?:I|i|my|we|ist|bin|habe|hab|muss|weiß|darf|kann|arbeite|kenne|sehe|möchte|brauche|würde)\b|[,.;!?]|$)"
)
_SOMEONE = pattern(
    r"\b(?:as|being|for|(?<!sound )(?<!look )(?<!seem )like) (?:some(?:one|body)|a person|jemand\w*) (?P<w>who|with|in|on|der|die|mit) (?P<v>[^,;!?]+?)(?=[,.;!?]|$)"
)
_HERE = pattern(
    r"\b(?:here|over here|back home|up here|down here|bei uns|bei mir|hier(?: bei uns)?|in my (?:village|town|flat|house)) (?:in|near|on|im|auf|an der|am) (?P<v>(?:der |den |the )?(?-i:[A-ZÄÖÜ])[\w-]+(?: (?-i:[A-ZÄÖÜ])[\w-]+)?)(?=[ ,.!?;]|$)"
)
_BARE_KIN = re.compile(
    r"(?:^|[.!?;:,(–—\n]|\b(?:and|but|so|und|aber|because|weil))\s*(?P<kin>[Mm]um|[Mm]om|[Dd]ad|[Mm]ama|[Pp]apa|[Gg]ran|[Nn]an|[Oo]ma|[Oo]pa|[Hh]ubby|[Hh]usband|[Ww]ife|[Bb]oyfriend|[Gg]irlfriend|[Dd]aughter|[Ss]on|[Ss]ister|[Bb]rother|[Gg]randma|[Gg]randad|[Mm]other-in-law|[Ff]ather-in-law|(?:[Tt]he|[Dd]ie|[Dd]er) (?:kids|wife|missus|hubby|boys|girls|twins|kinder|kleine|große|in-laws|Kinder|Kleine|Große|Zwillinge|Jungs))\b(?=\s|'s)"
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


def of_possessives(text: str, *, bare: bool = False) -> Iterator[Claim]:
    """Yields what possessives say; `bare` of sentences that ask or report, where only the bare relation counts."""
    for match in _NOUN.finditer(text):
        if (
            match["my"].istitle()
            and text[: match.start()].rstrip()[-1:].isalnum()
            and match["head"].istitle()
        ):
            continue  # a title
        yield from _of_noun(text, match.start(), match.end("my") + 1, bare)
    for match in _BARE_KIN.finditer(text):
        kin = match["kin"]
        said = list(
            of_kin(
                text,
                match.start("kin"),
                match.start("kin"),
                match.end("kin"),
                bare,
                class_of_word(kin.split()[-1]) or "parent",
            )
        )
        yield from (
            said
            if len(said) > 1 or kin.lower().startswith(("the", "husband", "hubby", "wife", "boyf", "girlf"))
            else []
        )


def _of_noun(text: str, start: int, at: int, bare: bool) -> Iterator[Claim]:
    """Yields what the noun phrase behind a possessive says."""
    words: list[re.Match[str]] = []
    for word in _WORD.finditer(text, at):
        if (
            word[0].lower() in STOP
            or (words and not text[words[-1].end() : word.start()].isspace())
            or len(words) > 6
            or (not words and word.start() > at + 1)
            or (
                words and word[0] == "Frau" and words[-1][0][:1].isupper()
            )  # a title: "meine Klientin Frau Albrecht"
        ):
            break
        words.append(word)
        if word[0].endswith("'s") and word[0].lower() not in ("master's", "bachelor's"):
            break
    if not words:
        return
    rest = text[words[0].start() :].split("\n", 1)[0]
    clause = re.split(
        r"[.!?;:](?:\s|$)|\s[–—-]\s|"
        + COVER
        + r"|,\s(?=(?:so|but|and|which|who|because|though|i|we|my|what|how|can|do|aber|und|weil|da|also|ich|wir|was)\b)",
        rest,
        maxsplit=1,
    )[0]
    for attribute, expression in _ATTRIBUTES:
        match = pattern(expression).match(clause)
        if match is None or (
            bare
            and attribute
            not in ("marital_status", "condition", "studies", "degree", "employer", "works_as", "fears")
        ):
            continue
        if (
            attribute == "speaks"
            and _TONGUE.search(match[0]) is None
            and class_of_word(match["v"].split()[0]) != "lang"
        ):
            continue
        value = tidy(END_WORDS.sub("", match["v"]))
        if value and not (attribute == "favourite" and len(value) > 90):
            yield claim_at(
                attribute,
                value,
                start,
                words[0].start() + match.end("v"),
                status=PLAN if attribute.startswith("plan") else CURRENT,
            )
            return
    best = None
    for k in range(len(words)):
        for width in (2, 1):
            if k + 1 >= width:
                phrase = text[words[k + 1 - width].start() : words[k].end()].removesuffix("'s")
                found = head_of(phrase)
                if found is not None and found[1].lower() == phrase.split()[-1].lower():
                    best = (k, found[0])
                    break
        if best is not None and best[1] in KIN and best[0] == k:
            behind = class_of_word(words[k + 1][0]) if k + 1 < len(words) else None
            if behind not in KIN and _WHICH.match(text, words[k].start()):
                return
            if behind in KIN and (_TALL.match(words[k][0]) or best[1] == "child"):
                continue
            break
        if best is not None and best[0] == k and k + 1 < len(words):
            following = head_of(words[k + 1][0])
            if following is None:
                break
    if best is None:
        yield from _of_brand(text, start, words, clause)
        return
    k, kind = best
    if k and words[k - 1][0].lower() in _STATIVE:
        return
    end = words[k].end() - (2 if words[k][0].endswith("'s") else 0)
    phrase = text[words[0].start() : end]
    if kind in KIN:
        yield from of_kin(text, start, words[0].start(), end, bare, kind)
    elif (
        kind == "thing"
        and not re.match(
            r"(?:'s)? (?:insurance|dealer|rental|keys|park|shop|app|company|file|code|number|screen)\b",
            text[end:],
        )
        and not re.search(r"\b(?:dream|next|future)\b", phrase)
    ):
        if _WHERE.search(text[:start]) or _is_part(text, start, end):
            return
        said = re.match(
            r"(?:'s| is| ist)(?: just| nur)? (?P<v>an? .+|eine? .+|(?-i:[A-Z0-9])[\w-]+.*|from \d{4}.*|von \d{4}.*)",
            clause[end - words[0].start() :],
            re.IGNORECASE,
        )
        value = phrase if said is None else f"{phrase} {said['v']}"
        status = (
            PAST
            if re.match(
                r"(?: \w+)? (?:got|was|were|wurde) (?:stolen|sold|totalled|wrecked|scrapped|geklaut|gestohlen)",
                text[end:],
            )
            or _GIVEN_AWAY.search(text[:start])
            else CURRENT
        )
        yield claim_at(
            "owns",
            value,
            start,
            end if said is None else words[0].start() + len(clause.rstrip()),
            status=status,
            certainty=0.75,
        )
    elif kind in ("ill", "allergy", "intolerance", "med", "healthadj"):
        against = _AGAINST.match(text, end) if kind in ("allergy", "intolerance") else None
        if against is not None:
            phrase, end = against["v"], against.end("v")
        yield claim_at(
            {"allergy": "allergy", "intolerance": "intolerance", "med": "takes_medicine"}.get(
                kind, "condition"
            ),
            phrase,
            start,
            end,
            certainty=0.75,
        )
    elif kind == "body" and (trouble := _BODY_BAD.match(text[end:])):
        yield claim_at("condition", text[words[0].start() : end + trouble.end()], start, end + trouble.end())
    elif (
        kind == "business"
        and " " in phrase
        and not re.search(r"\b(?:hotel|restaurant|bar|pub|clinic|kiosk)$", phrase, re.IGNORECASE)
        and not _TOWARDS.search(text[:start])
        and not _is_part(text, start, end)
        and not re.match(
            r"(?:'s)? (?:plan|card|partner|logo|model|idea|process|website|culture|policy|name|account)",
            text[end:],
        )
    ):
        yield claim_at("job", phrase, start, end, certainty=0.7)
    elif kind == "home" and (
        place := re.match(r"(?: (?:is|near|in|bei))* (?P<v>[A-ZÄÖÜ][\w-]+)", text[end:])
    ):
        yield claim_at("lives_in", place["v"], start, end + place.end())


def _of_brand(text: str, start: int, words: list[re.Match[str]], clause: str) -> Iterator[Claim]:
    """Yields things that are named by their make: "my 2012 Yaris"."""
    phrase = text[words[0].start() : words[-1].end()]
    if re.match(r"(?:old |trusty |new )?(?:(?:19|20)\d\d )[A-Z]", phrase):
        value = re.match(r"(?:\w+ )?\d{4} [A-Z][\w-]+(?: [A-Z0-9][\w-]*)*", phrase)
        if value:
            yield claim_at("owns", value[0], start, words[0].start() + value.end(), certainty=0.75)
    match = re.match(
        r"(?:handy|phone|laptop|car|bike|auto|rechner|camera) (?:is|ist|'s) (?P<v>.+)", clause, re.IGNORECASE
    )
    if match:
        yield claim_at("owns", match["v"], start, words[0].start() + match.end())


_TALL = re.compile(r"(?:große|kleine)[nrms]?$", re.IGNORECASE)
"""Words that are a child alone and otherwise say which: "meine Kleine", "meinen großen Bruder"."""
_WHICH = re.compile(
    r"(?:oldest|eldest|youngest) (?:mates?|friends?|colleagues?|memor\w+|pal|client|customer|student|patient|team)\b",
    re.IGNORECASE,
)
"""Words that are a child alone and otherwise say which: "my oldest mate"."""
_GIVEN_AWAY = re.compile(r"\b(?:rid of|gave away|given away|donated|scrapped|traded in)\s+$", re.IGNORECASE)
_TOWARDS = re.compile(r"\b(?:in|into|on|at|over|to|from|near|behind|outside)\s+$", re.IGNORECASE)
_BEHIND = re.compile(r" (?P<v>[a-z][a-z-]+)\b")


def _is_part(text: str, start: int, end: int) -> bool:
    """Checks whether an English noun is only the first part of another, or is wanted: "my car keys", "my flat must"."""
    behind = _BEHIND.match(text, end) if text[start : start + 2].lower() in ("my", "ou") else None
    if behind is None:
        return False
    low = behind["v"]
    is_other = low in STOP or low in AUX or low in ADVERBS or low in english() or low.endswith(("ed", "ing"))
    return low in ("must", "should") or not is_other


_TONGUE = re.compile(r"language|tongue|sprache", re.IGNORECASE)
_WHERE = re.compile(
    r"\b(?:in|into|onto|on|at|im|am|auf|aus|from|inside|outside|near|behind)\s+$", re.IGNORECASE
)
"""Matches a preposition before a thing: the thing then only says where, as in "no oven in my flat"."""
_AGAINST = re.compile(
    r" (?:to|gegen|of|von) (?P<v>(?:[\w-]+ ){0,3}?[\w-]+)(?=[,.;!?\n]|$| (?:is|makes?|means|and|ist|macht|und|wird|so)\b)"
)
"""What an allergy is to."""
_STATIVE = frozenset(
    "stay stays go goes fall falls get gets lie lies turn turns look looks feel feels run runs".split()
)
"""Verbs behind which a noun is no part of the phrase before: "my bread stays flat"."""
_DENIED = re.compile(r"(?:n't|\bnot|\bnever|\bkein\w*|\bnicht)\b[^,.;]{0,25}$", re.IGNORECASE)
_PERSONS = frozenset("you me mich ich the that it this everything anything nothing".split())
_NOBODY = frozenset(
    "same everyone anyone nobody nothing up right over all done new first non-native me yes no".split()
)
_POINTING = frozenset("this that it which he she what das es there here".split())


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
        how = match["how"].lower()
        attribute = (
            "allergy"
            if "kill" in how
            or "sneeze" in how
            or "hives" in how
            or "send" in how
            or "rash" in how
            or "break out" in how
            else "intolerance"
            if "migraine" in how
            or "agree" in how
            or "heartburn" in how
            or "vertrage" in how
            or "bekommt" in how
            else "likes"
            if how.startswith(("calm", "relax", "makes me happy", "make me happy"))
            else "dislikes"
        )
        if attribute in ("dislikes", "likes") or re.search(r"\b(?:could|me|mir|ich)\b", match[0]):
            yield claim_at(
                attribute, match["v"], match.start("v"), match.end(), positive=attribute != "dislikes"
            )
    for number in _SAID.candidates(text):
        attribute, positive, expression = _SAYINGS[number]
        found = pattern(expression).search(text)
        if (
            found is not None
            and not (
                attribute in ("name", "called")
                and (class_of_word(found["v"]) is not None or found["v"].lower() in _NOBODY)
            )
            and not (
                attribute == "speaks"
                and _TONGUE.search(found[0]) is None
                and class_of_word((found["v"] or "").split()[-1]) != "lang"
            )
            and (found["v"] or "").lower() not in _PERSONS
            and not (positive and attribute == "likes" and _DENIED.search(text[: found.start()]))
        ):
            value = END_WORDS.sub("", found["v"] or found.groupdict().get("w") or found[0])
            yield claim_at(
                attribute,
                value,
                found.start(),
                found.end(),
                positive=positive and attribute != "diet",
                status=PLAN
                if attribute.startswith("plan")
                else PAST
                if expression.startswith(r"\bafter")
                else CURRENT,
            )
    for here in _HERE.finditer(text):
        yield claim_at("lives_in", here["v"], here.start(), here.end(), certainty=0.75)
