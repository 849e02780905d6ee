"""English frames: what follows a verb of the first person, and what it says."""

from __future__ import annotations

import re
from dataclasses import dataclass

from holdfast.language.claims.attributes import (
    ADJECTIVES_OF_HEALTH,
    CONDITIONS,
    DIETS,
    KIN_NOUN,
    LANGUAGES,
    MARITAL,
    MEDICINE,
    THINGS,
)

V = r"(?P<v>[^\W_].*)"


@dataclass(frozen=True, slots=True)
class Frame:
    """One way of saying something: the rest of a clause behind its verb, and the attribute that it states.

    An `event` in the past tense holds now and says that it was otherwise before; any other past is over.
    `ends` is true for what is over by being said. With `frequent` the clause has to say how often. `positive`
    is false for what is denied by its very words.
    """

    attribute: str
    tail: re.Pattern[str]
    event: bool = False
    ends: bool = False
    frequent: bool = False
    positive: bool = True
    denied: bool = True
    """Whether it may be denied."""


def frame(attribute: str, tail: str = V, **options: bool) -> Frame:
    """Returns a frame from its pattern."""
    return Frame(attribute, re.compile(tail, re.IGNORECASE), **options)


_NOT_IT = r"(?!(?:it|that|this|these|those|them|him|her|you|how|what|when|where|why|which|who|your|the (?:idea|way|fact|look|sound|first|second|last|one|new (?:version|design|layout))|if|all of|both|seeing|hearing|being (?:able|here)|talking to you)\b)"
_OBJECT = rf"{_NOT_IT}{V}"
_TRIP = r"(?:bus|train|tram|metro|subway|tube|ferry|bike|car|underground|u-bahn)"

BE = (
    frame("studies", r"in (?P<v>my (?:first|second|third|fourth|fifth|final|last) (?:year|semester|term)\b.*)"),
    frame("partner", r"(?:together )?with (?P<v>my (?:girlfriend|boyfriend|partner|husband|wife|fianc\w+)\b.*)"),
    frame("does_regularly", r"(?P<v>(?:playing|doing|practi[sc]ing|running|swimming|climbing|singing) (?:the |in )?.+)", frequent=True),
    frame("plan_purchase", r"saving (?:up )?for (?P<v>.+)"),
    frame("can", r"(?:no good|rubbish|not (?:very |that |really )?good) (?:at|with) (?P<v>.+)", positive=False),
    frame("eats", r"off (?P<v>(?:dairy|meat|sugar|gluten|alcohol|coffee|caffeine|carbs|bread|wheat|milk|nicotine)\b.*)", positive=False),
    frame("likes", r"a (?:bit of a |real |huge |total |complete |big |massive )?(?:sucker for (?P<v>.+))"),
    frame("likes", r"a (?:bit of a |real |huge |total |complete |big |massive )(?P<v>[\w -]+ (?:snob|person|nerd|geek|nut|buff|freak|addict))"),
    frame("dislikes", r"(?:not (?:big|keen) on|not much of a|no fan of|sick of) (?P<v>.+)", positive=False),
    frame("expecting", r"(?P<v>due (?:in|on|next) .+)"),
    frame("member_of", r"in (?P<v>(?:a|an|the|our|my) (?:[\w'-]+ ){0,3}(?:choir|band|club|orchestra|team|union|book club|football team|amateur \w+|theatre group|drama group|reserves|army|navy))\b.*"),
    frame("work_hours", r"(?P<v>(?:signed )?off (?:work|sick)\b.*|on (?:flexi-?time|call)\b.*)"),
    frame("lives_in", r"(?:now |currently |back )?in (?P<v>(?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)?)(?: (?:now|these days|at the moment|currently))"),
    frame("age", r"(?P<v>\d{1,2})(?: (?:years?[- ]old|yrs?\b.*|now|today)\b.*|$)"),
    frame("age", r"(?P<v>in my (?:early |mid |late |mid-)?(?:twenties|thirties|forties|fifties|sixties|seventies|eighties|teens|\d0s))"),
    frame("height", r"(?P<v>(?:about )?\d[\d.,']*\s?(?:m|cm|meters?|metres?|feet|foot|ft|'|\")\b.*?)(?: tall)?$"),
    frame("allergy", rf"(?:\w+ly )?allergic to {V}"),
    frame("intolerance", r"(?P<v>(?:lactose|gluten|fructose|histamine)[- ]intolerant|intolerant to .+)"),
    frame("diet", rf"(?:an? )?(?:\w+ly )?(?P<v>{DIETS}.*)"),
    frame("condition", rf"(?:an? )?(?P<v>{ADJECTIVES_OF_HEALTH}\b.*)"),
    frame("condition", rf"diagnosed with {V}", event=True),
    frame("pregnant", r"(?P<v>(?:\w+ (?:weeks|months) )?pregnant.*)"),
    frame("expecting", r"expecting (?P<v>(?:a |our |my |an? \w+ )?(?:baby|twins|child|first|second|third|girl|boy).*)"),
    frame("marital_status", rf"(?P<v>{MARITAL})\b.*"),
    frame("spouse", rf"married to {V}"),
    frame("retired", r"(?:now |semi-)?(?P<v>retired)\b.*"),
    frame("unemployed", r"(?P<v>unemployed|out of work|between jobs|(?:laid off|made redundant|fired|let go)).*"),
    frame("self_employed", r"(?P<v>self[- ]employed|(?:a )?freelanc(?:er|ing|e)|my own boss)\b.*"),
    frame("handed", r"(?P<v>(?:left|right)[- ]handed|ambidextrous).*"),
    frame("born_in", r"born (?:and raised |and bred )?in (?P<v>(?!(?:19|20)\d\d|(?:january|february|march|april|may|june|july|august|september|october|november|december)).*)"),
    frame("birthday", r"born (?:on|in) (?P<v>(?:the )?(?:\d|january|february|march|april|may|june|july|august|september|october|november|december).*)"),
    frame("from", rf"(?:originally |actually )?from {V}"),
    frame("lives_in", rf"(?:based|living|located|staying|settled) (?:in|near|on|at) {V}"),
    frame("fears", rf"(?:afraid|scared|terrified|frightened) of {_OBJECT}", positive=False),
    frame("fan_of", rf"(?:a )?(?:(?:big|huge|massive|lifelong|great) )?fan of {_OBJECT}"),
    frame("likes", rf"(?:really |very |totally |big )?(?:into|fond of|keen on|crazy about|mad about|obsessed with|passionate about|partial to) {_OBJECT}"),
    frame("likes", r"(?:a|an) (?P<v>(?!huge|big)[\w -]{2,30} (?:lover|enthusiast|addict|fanatic|nerd|geek|buff|junkie))"),
    frame("eats", r"(?P<v>(?:a )?(?:meat eater|picky eater|fussy eater).*)"),
    frame("does_regularly", r"(?P<v>(?:an? )?(?:early riser|night owl|morning person|early bird|light sleeper|heavy sleeper|(?:keen |avid |passionate )?(?:runner|hiker|cyclist|swimmer|gamer|reader|gardener|climber|birdwatcher|birder|knitter|baker|home brewer|photographer|beekeeper)))$"),
    frame("smokes", r"(?P<v>(?:a |an ex-|a former )?(?:heavy |non-?)?smoker)"),
    frame("alcohol", r"(?P<v>sober|teetotal|a teetotal\w+|a recovering alcoholic)\b.*"),
    frame("member_of", r"(?:an? )?(?:active |long-time )?(?P<v>member of .*|on the board of .*|part of (?:a|an|the|our) (?:\w+ )?(?:choir|band|club|team|group|orchestra|union).*)"),
    frame("volunteers", r"(?P<v>a volunteer\b.*|volunteering .*)"),
    frame("child", r"(?P<v>(?:a |the )?(?:proud |single |new |first-time )*(?:mother|father|mom|mum|dad|parent)(?: of .*)?)$"),
    frame("sibling", r"(?P<v>an only child|the (?:eldest|oldest|youngest|middle)(?: child)?(?: of .*)?|a twin)\b.*"),
    frame("religion", r"(?:an? )?(?P<v>(?:practising |practicing |devout |lapsed )?(?:catholic|protestant|christian|muslim|jewish|hindu|buddhist|sikh|atheist|agnostic|quaker|lutheran|orthodox)\b.*)"),
    frame("gender", r"(?:an? )?(?:trans )?(?P<v>(?:\d\d[- ]year[- ]old )?(?:trans )?(?:woman|man|non-?binary|guy|girl|male|female))$"),
    frame("speaks", rf"(?:fluent|native|bilingual|conversational) (?:in |speaker of )?(?P<v>.*{LANGUAGES}.*)"),
    frame("can", rf"(?:good|great|quite good|pretty good|decent|skilled|terrible|bad|awful|hopeless|useless) (?:at|with) {_OBJECT}"),
    frame("learning", r"(?:currently |slowly )?learning (?P<v>(?!(?:about|that|a lot|so much|more)\b).+)"),
    frame("studies", r"(?:currently )?studying (?!for\b)(?:for (?:a|an|my) )?(?P<v>(?!(?:it|this|that)\b).+)"),
    frame("studies", r"(?:in|doing) (?P<v>(?:my|the) (?:first|second|third|fourth|final|last|\w+) (?:year|semester|term)(?: of .*)?|(?:a|my) (?:phd|master'?s?|bachelor'?s?|degree|apprenticeship|mba|ma|msc|bsc)\b.*|(?:high school|college|university|med(?:ical)? school|law school|grad school|year \d+|\d+(?:st|nd|rd|th) grade)\b.*)"),
    frame("takes_medicine", rf"(?:on|taking) (?P<v>.*\b{MEDICINE}.*)"),
    frame("diet", r"on (?P<v>(?:a|an|the) .{0,30}diet\b.*)"),
    frame("works_as", r"(?:working|training|employed) (?:as|to (?:be|become)) (?P<v>.+)"),
    frame("employer", r"(?:working|employed|interning) (?:at|for|by|with) (?P<v>(?!(?:it|this|that|the moment|home|now)\b).+)"),
    frame("works_in", r"working in (?P<v>(?!(?:it|this|that|a (?:file|document|notebook|group))\b).+)"),
    frame("work_hours", r"(?:on|working) (?P<v>(?:parental|maternity|paternity|sick) leave|part[- ]time|full[- ]time|nights|shifts?|night shifts|from home|remotely|a sabbatical)\b.*"),
    frame("does_regularly", r"(?P<v>(?:training|practi[sc]ing) (?:for|at|in) .+)"),
    frame("job", r"(?P<v>(?:in charge of|responsible for|head of|promoted to|the (?:head|manager|director|owner|founder|lead\w*|principal|chair\w*) (?:of|at)) .+)"),
    frame("uses", rf"using (?P<v>(?:a|an|my) .*{THINGS}.*)"),
    frame("injury", r"(?P<v>(?:recovering from|on crutches|in a wheelchair).*)"),
    frame("weight", r"(?P<v>\d+ ?(?:kg|kilos?|pounds|lbs|stone)\b.*)"),
)  # fmt: skip
"""What follows a form of "be"."""

HAVE = (
    frame("condition", r"(?:had )?(?P<v>(?:(?:\w+|\d+) )?(?:knee|hip|back|heart|eye|hand|foot|shoulder|stomach|gallbladder|appendix|c-?section|wisdom) ?\w* ?(?:operations?|surger(?:y|ies)|replacements?|removed|out|section)\b.*)", event=True),
    frame("owns", r"(?P<v>(?:an?|my|our) (?:(?:old|new|little|second-hand|used|electric|\d{4}|battered|red|blue) )*(?-i:[A-Z])[\w-]+ (?-i:[A-Z0-9])[\w-]+\b.*)"),
    frame("eats", r"gone off (?P<v>.+)", positive=False),
    frame("child", r"(?P<v>(?:(?:\d+|an?|no|any|one|two|three|four|five|six|\w+) )?(?:(?:little|small|young|grown(?:-up)?|adult|adopted|teenage|older|younger|beautiful|\w+-(?:year|month)-old|step) )*(?:kids?|child(?:ren)?|sons?|daughters?|twins?|boys|girls|toddlers?|baby|teenagers?|newborn|\w+-(?:year|month)-old)\b.*)"),
    frame("sibling", r"(?P<v>(?:(?:\d+|an?|no|any|one|two|three|four|five|six) )?(?:(?:little|big|older|younger|twin|half|elder|identical) )*(?:brothers?|sisters?|siblings?)\b.*)"),
    frame("grandchild", r"(?P<v>.{0,20}\b(?:grandchild(?:ren)?|grandkids?|grandsons?|granddaughters?)\b.*)"),
    frame("partner", r"(?P<v>(?:a|no|any) (?:new |long-distance |serious )?(?:girlfriend|boyfriend|partner|fiancée?|husband|wife))\b.*"),
    frame("pet", r"(?P<v>(?:(?:\d+|an?|no|any|one|two|three|four|five|six|some) )?(?:(?:little|big|old|young|new|rescue|black|white|small|ginger|tabby|\w+-year-old) )*(?:\w+ )?(?:dogs?|cats?|pupp(?:y|ies)|kittens?|rabbits?|hamsters?|parrots?|budgies?|horses?|pon(?:y|ies)|tortoises?|turtles?|guinea pigs?|goldfish|fish|chickens|hens|goats|sheep|bees|ferrets?|lizards?|snakes?|geckos?|axolotls?|labradors?|poodles?|terriers?|dachshunds?|beagles?|corgis?|collies?|retrievers?|greyhounds?|pets?|alpacas?|donkeys?|ducks|canar(?:y|ies)|rats?)\b.*)"),
    frame("allergy", r"(?:a |an )?(?:(?:severe|bad|serious|mild|slight|nasty|strong) )?(?P<v>(?:\w+[- ]){0,2}allerg(?:y|ies)(?: to .*)?)"),
    frame("intolerance", r"(?:an? )?(?P<v>(?:lactose|gluten|fructose|histamine|food)[- ]intolerance.*|trouble digesting .*)"),
    frame("condition", rf"(?:(?:mild|severe|bad|chronic|really bad|terrible|undiagnosed|a mild form of|a bit of|some|an?) )*(?P<v>{CONDITIONS}\b.*)"),
    frame("degree", r"(?P<v>(?:an?|my|two|no) (?:\w+ ){0,3}(?:degree|phd|doctorate|master'?s?|bachelor'?s?|mba|diploma|certificate|background|qualification|licen[cs]e|apprenticeship)\b.*)"),
    frame("experience", r"(?P<v>(?:(?:\w+|\d+\+?) years(?:'| of)? (?:of )?experience|(?:a lot of|no|little|some) experience)\b.*)"),
    frame("owns", rf"(?P<v>(?:(?:an?|no|two|three|my own|our own|some|any) )(?:[\w'-]+ ){{0,4}}{THINGS}s?\b.*)"),
    frame("takes_medicine", r"(?P<v>a prescription for .*)"),
    frame("injury", r"(?P<v>(?:a |an )?(?:broken|sprained|torn|fractured|artificial|prosthetic|replaced) (?:\w+ )?(?:arm|leg|wrist|ankle|foot|toe|finger|rib|collarbone|knee|hip|shoulder|hand|ligament|meniscus|acl)\b.*)"),
    frame("fears", r"(?:a |an )?(?:(?:terrible|huge|irrational|big) )?(?P<v>(?:fear|phobia) of .*|arachnophobia|claustrophobia|vertigo)", positive=False),
    frame("glasses", r"(?P<v>(?:blue|brown|green|grey|gray|hazel|red|blond\w*|curly|long|short|dark|black) (?:eyes|hair)\b.*|a (?:tattoo|beard)\b.*)"),
    frame("friend", r"(?P<v>(?:a|an old|a good|a close) friend (?:called|named) .*)"),
    frame("relative", r"(?P<v>(?:an?|two|three|no|\d+) (?:\w+ )?(?:nieces?|nephews?|cousins?|aunts?|uncles?|godson|goddaughter)\b.*)"),
    frame("condition", r"(?:had|got)? ?(?P<v>(?:a |an )?(?:knee|hip|back|heart|shoulder|eye|appendix|bypass|thyroid|\w+) (?:surgery|operation|replacement|transplant|bypass)\b.*)", event=True),
)  # fmt: skip
"""What follows a form of "have"."""

LEMMAS: dict[str, tuple[Frame, ...]] = {
    "live": (
        frame("housing", r"(?P<v>(?:with|alone|by myself|on my own|together with|in (?:a|an|the|my) .{0,30}?(?:flat|apartment|house|cottage|studio|dorm|village|farm\w*|commune|houseboat|van|bungalow|loft|shared flat|terraced house|tower)\b).*)"),
        frame("lives_in", r"(?:right |just |here |over |now )*(?:in|at|near|on|by|outside|close to|around) (?P<v>(?!(?:the moment|peace|fear|my head|a (?:world|time|bubble))\b).+)"),
    ),
    "reside": (frame("lives_in", rf"(?:in|at|near) {V}"),),
    "rent": (frame("housing", r"(?P<v>(?:a|an|my|our|the) .+)"),),
    "own": (frame("owns", rf"{_OBJECT}"),),
    "drive": (
        frame("does_regularly", r"(?P<v>to (?:work|school|the office)\b.*)"),
        frame("drives", r"(?P<v>(?:an?|my|our) (?!(?:point|message)\b).+|(?-i:[A-Z])\w+.*)"),
    ),
    "ride": (frame("does_regularly", r"(?P<v>(?:my|a|the) (?:bike|bicycle|motorbike|motorcycle|horse)\b.*|horses.*)"),),
    "work": (
        frame("does_regularly", r"(?P<v>out\b.*)", frequent=True),
        frame("work_hours", r"(?P<v>(?:mostly |mainly |only )?(?:from home|remotely|part[- ]time|full[- ]time|nights?|(?:night |early |late )?shifts|weekends|freelance|in shifts|on (?:a )?shift\w*|(?:three|four|five|two|\d) days a week|\d+ hours).*)"),
        frame("employer", r"(?:over )?(?:at|for|with) (?P<v>(?!(?:me|you|us|the moment|least|home|now|it|both|all|everyone|most|free)\b).+)"),
        frame("works_as", r"as (?P<v>(?!(?:expected|intended|well|follows|described|usual|it)\b).+)"),
        frame("works_in", r"(?:mostly )?in (?P<v>(?!(?:this|that|my (?:case|code)|the (?:background|end|browser|code)|a (?:file|loop))\b).+)"),
    ),
    "teach": (frame("job", r"(?P<v>(?!(?:me|you|myself|him|her|them|it)\b).+)"),),
    "manage": (frame("job", r"(?P<v>(?:an?|the|my|our) (?:\w+ ){0,3}(?:team|bakery|shop|store|company|business|café|cafe|restaurant|studio|farm|department|practice|agency|firm|clinic|hotel|warehouse|branch|project\w*)\b.*)"),),
    "run": (
        frame("job", r"(?P<v>(?:an?|the|my|our|my own) (?:\w+ ){0,3}(?:bakery|shop|store|company|business|café|cafe|restaurant|studio|farm|practice|agency|firm|clinic|startup|start-up|blog|podcast|channel|hotel|b&b|bar|pub|kiosk|nursery|gallery|workshop|school|salon|bookshop|bookstore|vineyard|brewery|guesthouse|consultancy|newsletter|food truck|market stall)\b.*)"),
        frame("sport", r"(?P<v>(?:(?:about |around )?\d+ ?(?:k|km|miles)?\b|marathons?|half[- ]marathons?|every|on|in the|before|after|most|three|twice|once|a lot|regularly).*|)", frequent=True),
    ),
    "study": (frame("studies", r"(?P<v>(?!(?:for|it|this|that|hard|a lot|more|the (?:docs|code|data|problem))\b).+)"),),
    "attend": (frame("school", r"(?P<v>.*\b(?:school|college|university|academy|uni|kindergarten)\b.*|(?-i:[A-Z])\w+ (?-i:[A-Z])\w+.*)"),),
    "speak": (frame("speaks", rf"(?P<v>.*\b{LANGUAGES}\b.*)"),),
    "learn": (frame("learning", rf"(?P<v>(?:how )?to .+|(?:to )?.*\b{LANGUAGES}\b.*|(?:the )?(?:piano|guitar|violin|drums|cello|flute|ukulele|saxophone)\b.*)", event=True),),
    "play": (frame("plays", r"(?P<v>(?!(?:a (?:role|part|game|trick)|around|it|with|music|the (?:video|song|role)|along|by)\b).+)"),),
    "take": (
        frame("takes_medicine", rf"(?P<v>.*\b{MEDICINE}.*)"),
        frame("takes_medicine", r"(?P<v>(?!(?:the|a|an|my|it|this|that|part|care|place|time|notes?|pictures?|photos?|breaks?|turns?|naps?|showers?|walks?)\b)[\w-]+ (?:every (?:day|morning|evening|night)|daily|twice a day|once a day|for (?:my|the) .*|before .*|each morning)\b.*)"),
        frame("does_regularly", rf"(?P<v>the {_TRIP} (?:to|in|into)\b.*|(?:piano|guitar|violin|swimming|dance|dancing|singing|riding|tennis|driving|cello|drum|spanish|french|german|italian|english|japanese|pottery|yoga|evening|cooking|language) (?:lessons|classes|courses?)\b.*)"),
    ),
    "need": (frame("condition", r"(?P<v>(?:reading )?glasses|a (?:hearing aid|wheelchair|cane|walking stick|new (?:hip|knee|kidney))\b.*|insulin.*)"),),
    "wear": (frame("glasses", r"(?P<v>.*\b(?:glasses|contacts|contact lenses|hearing aids?|braces|a (?:hijab|kippah|turban|prosthesis|brace))\b.*|(?:a )?(?:shoe )?size .*)"),),
    "eat": (
        frame("eats", r"(?P<v>(?!(?:it|that|this|out|lunch|dinner|breakfast|there|here|something|anything|at|in|with|too|so|them)\b).+)"),
        frame("does_regularly", r"(?P<v>(?:out|lunch|dinner|breakfast).*)", frequent=True),
    ),
    "drink": (frame("drinks", r"(?P<v>(?!(?:it|that|this|something)\b).*)"),),
    "smoke": (frame("smokes", r"(?P<v>.*)"),),
    "vape": (frame("smokes", r"(?P<v>.*)"),),
    "like": (frame("likes", rf"{_OBJECT}"),),
    "love": (frame("likes", rf"{_OBJECT}"),),
    "enjoy": (frame("likes", rf"{_OBJECT}"),),
    "adore": (frame("likes", rf"{_OBJECT}"),),
    "prefer": (frame("prefers", rf"{_OBJECT}"),),
    "hate": (frame("dislikes", rf"{_OBJECT}", positive=False),),
    "dislike": (frame("dislikes", rf"{_OBJECT}", positive=False),),
    "detest": (frame("dislikes", rf"{_OBJECT}", positive=False),),
    "despise": (frame("dislikes", rf"{_OBJECT}", positive=False),),
    "loathe": (frame("dislikes", rf"{_OBJECT}", positive=False),),
    "avoid": (frame("avoids", rf"{_OBJECT}", positive=False, denied=False),),
    "fear": (frame("fears", rf"{_OBJECT}", positive=False, denied=False),),
    "use": (
        frame("uses", r"(?P<v>(?:an?|my|our) (?!(?:lot|few|bit|function|method|loop|library|variable|class|script|query|formula)\b).+|(?:(?-i:[A-Z])[\w.+#-]*(?: (?-i:[A-Z])[\w.+#-]*){0,2})(?: (?:for|as|at|on|daily|every)\b.*|$))"),
    ),
    "collect": (frame("hobby", r"(?P<v>(?!(?:it|them|data|the|this|that|my)\b).+)"),),
    "volunteer": (frame("volunteers", rf"(?:as|at|with|for|in) {V}"), frame("volunteers", r"(?P<v>(?:every|on|once|twice).*)")),
    "coach": (frame("does_regularly", r"(?P<v>(?!(?:me|you)\b).+)"),),
    "practise": (frame("does_regularly", r"(?P<v>(?!(?:it|this|that)\b).+)"),),
    "train": (frame("does_regularly", r"(?P<v>(?:for|at|in|with|three|twice|every|\d).*)"), frame("training", r"(?P<v>(?:as|to be(?:come)?) .*)")),
    "sleep": (frame("sleep", r"(?P<v>.*)", frequent=True), frame("sleep", r"(?P<v>(?:badly|poorly|only|about|around|\d|like a log|on my).*)")),
    "wake": (frame("sleep", r"(?P<v>up (?:at|around|before|every|early).*)"),),
    "get up": (frame("sleep", r"(?P<v>(?:at|around|before|every|early).*)"),),
    "go": (
        frame("does_regularly", r"(?P<v>(?!(?:crazy|wrong|ahead|back|through|on with|over|out of my way)\b)(?:\w+ing|to|for|out|on)\b.*)", frequent=True),
    ),
    "carry": (frame("condition", r"(?P<v>(?:an? )?(?:epi-?pen|inhaler|insulin|adrenaline)\w*\b.*)"),),
    "have been": (),
    "do": (frame("work_hours", r"(?P<v>(?:night |early |late |twelve-hour |12-hour |rotating |long )*shifts?\b.*)"), frame("degree", r"(?P<v>(?:my|a) (?:degree|phd|master'?s?|bachelor'?s?|apprenticeship|training|a-levels|mba|doctorate|course|diploma)\b.*)", event=True), frame("does_regularly", r"(?P<v>(?:(?:a lot of|some|hot|weekly|regular) )?(?:yoga|pilates|karate|judo|crossfit|aikido|taekwondo|ballet|zumba|gymnastics|pottery|ceramics|calligraphy|weights|weightlifting|bouldering|sports?|woodworking|improv|tai chi|martial arts|volunteer work|crosswords|puzzles|photography|the (?:shopping|cooking)|intermittent fasting)\b.*)"),),
    "keep": (frame("pet", r"(?P<v>(?:(?:\w+|\d+) )?(?:bees|chickens|hens|rabbits|goats|sheep|pigeons|horses|ducks|geese|quails?|fish|bonsai\w*)\b.*)"), frame("hobby", r"(?P<v>a (?:diary|journal|sourdough starter)\b.*)")),
    "weigh": (frame("weight", r"(?P<v>(?:about |around )?\d+.*)"),),
    "come": (frame("from", r"(?:originally )?from (?P<v>(?!(?:the (?:fact|file|idea|data)|a (?:place|csv|file|background))\b).+)"),),
    "grow": (frame("from", rf"up (?:in|on|near|around) {V}"), frame("hobby", r"(?P<v>(?:my own )?(?:tomatoes|vegetables|herbs|roses|orchids|chillies|potatoes|fruit|dahlias|mushrooms|pumpkins|beans|strawberries|\w+ in (?:my|our) garden)\b.*)")),
    "support": (frame("fan_of", r"(?P<v>(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+)*)(?: .*)?$"),),
    "suffer": (frame("condition", rf"from {V}"),),
    "identify": (frame("gender", rf"as {V}"),),
    "care": (frame("kin_fact", r"(?P<v>for (?:my|our) .+)"),),
    "sing": (frame("hobby", r"(?P<v>(?:in|with) (?:a|an|the|my|our) .*|)"),),
    "belong": (frame("member_of", rf"to {V}"),),
    "commute": (frame("does_regularly", r"(?P<v>.*)"),),
    # events
    "move": (
        frame("housing", r"(?P<v>back in with .*)", event=True),
        frame("housing", r"(?P<v>in (?:with|together)\b.*)", event=True),
        frame("lives_in", r"(?:back |over |out |away |house |here )*(?:to|into) (?P<v>(?!(?:the (?:next|other|end|left|right|top|cloud)|it|this|that|a (?:new )?(?:file|folder|line|function|module|branch))\b).+?)(?: from .*)?$", event=True),
    ),
    "relocate": (frame("lives_in", r"(?:back )?to (?P<v>.+?)(?: from .*)?$", event=True),),
    "become": (
        frame("diet", rf"(?:an? )?(?P<v>{DIETS}.*)", event=True),
        frame("child", r"(?P<v>(?:an? )?(?:mother|father|mom|mum|dad|parent)\b.*)", event=True),
        frame("grandchild", r"(?P<v>(?:an? )?(?:grandmother|grandfather|grandma|grandpa|grandparents?|aunt|uncle)\b.*)", event=True),
        frame("works_as", r"(?P<v>(?:an?|the|head|chief|team|managing) ?.+)", event=True),
    ),
    "turn": (frame("age", r"(?P<v>\d{1,2})\b.*", event=True), frame("diet", rf"(?P<v>{DIETS}.*)", event=True)),
    "go diet": (frame("diet", rf"(?:fully |completely )?(?P<v>{DIETS}.*)", event=True),),
    "start": (
        frame("employer", r"(?:(?:a|my) new job )?(?:at|with) (?P<v>.+)", event=True),
        frame("job", r"(?P<v>(?:a|my) new (?:job|position|role)\b.*)", event=True),
        frame("works_as", r"(?:(?:a|my) new job )?as (?P<v>.+)", event=True),
        frame("studies", r"(?P<v>(?:(?:at )?(?:university|uni|college|school|kindergarten|medical school|law school)|my (?:phd|master'?s?|bachelor'?s?|apprenticeship|degree|studies|training)|(?:a|an) (?:phd|master'?s?|apprenticeship|degree|course|evening class|language course))\b.*)", event=True),
        frame("takes_medicine", rf"(?:on )?(?P<v>.*\b{MEDICINE}.*)", event=True),
        frame("does_regularly", r"(?P<v>(?:yoga|pilates|karate|judo|crossfit|therapy|physio\w*|chemo\w*|(?:piano|guitar|violin|swimming|dance|singing|riding|driving|spanish|french|german|italian|japanese) (?:lessons|classes)|a (?:diet|blog|podcast|company|business|band|book club|garden|vegetable garden))\b.*)", event=True),
    ),
    "quit": (
        frame("employer", r"(?:up )?(?:my|the) (?:job|position|post|work)(?: (?:at|with|as|in) (?P<v>.+))?", ends=True),
        frame("employer", r"(?:at )?(?P<v>(?-i:[A-Z]).+)", ends=True),
        frame("smokes", r"(?P<v>smoking|cigarettes|vaping)\b.*", positive=False),
        frame("alcohol", r"(?P<v>drinking|alcohol|beer|wine)\b.*", positive=False),
        frame("eats", r"(?:eating )?(?P<v>(?:meat|sugar|dairy|gluten|bread|sweets|fish|pork|chocolate|caffeine|coffee|carbs|fast food|cheese|milk|junk food)\b.*)", positive=False),
        frame("member_of", r"(?P<v>(?:the|my) (?:gym|choir|club|band|team).*)", ends=True),
    ),
    "leave": (
        frame("employer", r"(?:my (?:job|position|post|role|company|employer)|the company)(?: (?:at|with|as) (?P<v>.+))?", ends=True),
        frame("partner", r"(?P<v>my (?:husband|wife|boyfriend|girlfriend|partner)\b.*)", ends=True),
        frame("school", r"(?P<v>(?:school|university|uni|college)\b.*)", ends=True),
    ),
    "get": (
        frame("marital_status", r"(?P<v>(?:married|divorced|engaged|separated)\b.*)", event=True),
        frame("job", r"(?P<v>promoted\b.*|(?:a|the|my|that) (?:new )?(?:\w+ )?(?:job|promotion|position|internship)\b.*)", event=True),
        frame("unemployed", r"(?P<v>fired|laid off|made redundant|let go)\b.*", event=True),
        frame("pet", r"(?P<v>(?:an?|our|my|two|another) (?:\w+ ){0,3}(?:dog|cat|puppy|kitten|rabbit|hamster|parrot|horse|pony|tortoise|guinea pigs?|chickens|hens|labrador|poodle|terrier|dachshund|beagle|kittens|puppies)\b.*)", event=True),
        frame("condition", rf"diagnosed with {V}", event=True),
        frame("pregnant", r"(?P<v>pregnant\b.*)", event=True),
        frame("degree", r"(?P<v>my (?:degree|phd|master'?s|bachelor'?s|diploma|certificate|driver'?s licen[cs]e|driving licen[cs]e|licen[cs]e|green card|citizenship)\b.*)", event=True),
        frame("owns", rf"(?P<v>(?:an?|our first|my first|my own) (?:[\w'-]+ ){{0,3}}{THINGS}\b.*)", event=True),
        frame("licence", r"(?P<v>a (?:tattoo|driving licen[cs]e|driver'?s licen[cs]e|pilot'?s licen[cs]e))\b.*", event=True),
    ),
    "buy": (frame("owns", rf"(?:myself |ourselves )?(?P<v>(?:an?|our|my) (?:[\w'-]+ ){{0,4}}{THINGS}\b.*)", event=True),),
    "sell": (frame("owns", r"(?:my|our|the) (?P<v>.+)", ends=True),),
    "lose": (
        frame("unemployed", r"(?P<v>my job)\b.*", event=True),
        frame("lost", rf"my (?P<v>(?:{KIN_NOUN})\b.*)", event=True),
    ),
    "adopt": (frame("pet", r"(?P<v>(?:an?|two|another|our|my) (?:[\w-]+ ){0,3}(?:dog|cat|puppy|kitten|greyhound|rabbit|parrot|horse|kittens|dogs|cats|hens|chickens|donkey)\w*\b.*)", event=True), frame("child", r"(?P<v>(?:an?|two|our|my) (?:\w+ ){0,2}(?:boy|girl|child|son|daughter|baby|kids|children)\b.*)", event=True)),
    "retire": (frame("retired", r"(?P<v>.*)", event=True),),
    "graduate": (frame("degree", r"(?P<v>(?:from|in|with|as)\b.*|)", event=True),),
    "finish": (frame("degree", r"(?P<v>(?:my|the) (?:degree|phd|doctorate|master'?s?|studies|training|apprenticeship|bachelor'?s?|dissertation|thesis|residency|high school|school)\b.*|(?:high school|school|university|college|uni)\b.*)", event=True),),
    "pass": (frame("licence", r"(?P<v>my (?:driving|driver'?s|bar|final|\w+) (?:test|exam|exams|licen[cs]e)\b.*)", event=True),),
    "marry": (frame("spouse", r"(?P<v>(?!(?:the)\b).+)", event=True),),
    "divorce": (frame("marital_status", r"(?P<v>.*)", event=True),),
    "separate": (frame("marital_status", r"(?P<v>.*)", event=True),),
    "split up": (frame("partner", r"(?P<v>.*)", ends=True),),
    "break up": (frame("partner", r"(?P<v>.*)", ends=True),),
    "break": (frame("injury", r"(?P<v>my (?:left |right )?(?:arm|leg|wrist|ankle|foot|toe|finger|rib|collarbone|nose|hand|hip|shoulder|elbow)\b.*)", event=True),),
    "sprain": (frame("injury", r"(?P<v>my .+)", event=True),),
    "tear": (frame("injury", r"(?P<v>my (?:left |right )?(?:acl|meniscus|ligament|calf|hamstring|achilles)\b.*|a (?:ligament|muscle)\b.*)", event=True),),
    "injure": (frame("injury", r"(?P<v>my .+)", event=True),),
    "join": (
        frame("member_of", r"(?P<v>(?:an?|the|my|our) (?:[\w'-]+ ){0,4}(?:gym|club|choir|band|team|group|orchestra|society|party|union|class|league|association|co-op|church)\b.*)", event=True),
        frame("employer", r"(?P<v>(?-i:[A-Z])[\w&.-]+(?: (?-i:[A-Z])[\w&.-]+)*)(?: as (?P<job>.+)| .*)?$", event=True),
    ),
    "switch": (
        frame("diet", rf"to (?:an? )?(?P<v>.*{DIETS}.*)", event=True),
        frame("uses", r"(?:over )?(?:from .{2,30} )?to (?P<v>(?:an? )?(?:(?-i:[A-Z])|decaf|oat|tea|linux|an? ).*)", event=True),
        frame("job", r"(?P<v>(?:jobs|careers|teams|companies)\b.*)", event=True),
    ),
    "found": (frame("job", r"(?P<v>(?:an?|my|our|my own) (?:[\w'-]+ ){0,4}(?:company|startup|start-up|business|studio|agency|firm|choir|band|club|charity|practice|cooperative)\b.*)", event=True),),
    "develop": (frame("condition", rf"(?P<v>(?:an? )?.*(?:{CONDITIONS}|allergy)\b.*)", event=True),),
    "qualify": (frame("degree", r"(?P<v>as .*)", event=True),),
    "expect": (frame("expecting", r"(?P<v>(?:a|our|my|twins).{0,10}(?:baby|child|twins|first|second|third|girl|boy).*|twins.*)"),),
    "stand": (frame("dislikes", rf"{_OBJECT}"),),
    "bear": (frame("dislikes", rf"{_OBJECT}"),),
    "tolerate": (frame("intolerance", r"(?P<v>(?:dairy|lactose|milk|gluten|alcohol|caffeine|penicillin|fructose|histamine|nuts|eggs|spicy).*)"),),
    "mind": (),
}  # fmt: skip
"""What follows a verb of the first person."""
HOBBIES = frozenset(
    "knit sew sing surf ski snowboard meditate sail brew climb hike cycle garden jog swim paint draw sketch bake dance"
    " row fish kayak crochet weave juggle bike skate fence boulder box".split()
)
"""Verbs that tell a hobby by themselves."""
SOMETIMES = frozenset(
    "read write cook walk travel camp photograph code program blog stream cook exercise nap journal fast pray babysit tutor".split()
)
"""Verbs that tell a habit where the clause says how often."""

_IRREGULAR = {
    "live": "", "drive": "drove driven", "ride": "rode ridden", "teach": "taught", "run": "ran running", "study": "",
    "speak": "spoke spoken", "learn": "learnt", "take": "took taken taking", "wear": "wore worn", "eat": "ate eaten",
    "drink": "drank drunk", "sleep": "slept", "wake": "woke woken waking", "go": "went gone", "do": "did done does",
    "keep": "kept", "come": "came coming", "grow": "grew grown", "sing": "sang sung", "become": "became becoming",
    "quit": "quit quitting", "leave": "left leaving", "get": "got gotten getting", "buy": "bought", "sell": "sold",
    "lose": "lost losing", "break": "broke broken", "tear": "tore torn", "found": "founded", "stand": "stood",
    "bear": "bore", "swim": "swam swum swimming", "read": "", "write": "wrote written", "make": "made", "fly": "flew flown",
    "have": "had has having", "begin": "began begun beginning", "stop": "stopped stopping", "give": "gave given giving",
    "know": "knew known", "practise": "practice practiced practicing", "jog": "jogged jogging", "knit": "knitting knitted",
    "cut": "cutting", "meet": "met", "spend": "spent", "see": "saw seen", "draw": "drew drawn", "shop": "shopping",
    "split": "splitting", "plan": "planned planning", "travel": "travelled travelling", "box": "boxes", "prefer": "preferred preferring",
    "program": "programming", "fulfil": "", "forget": "forgot", "win": "won", "put": "putting", "set": "setting",
}  # fmt: skip
_OTHERS = "begin stop give make fly visit plan hope want intend decide book apply stay meet spend build open open-source renovate propose enrol enroll train host celebrate walk finish launch emigrate cut retire see attend write try set need wish think".split()


def forms() -> dict[str, tuple[str, str]]:
    """Returns the verb and the tense ("present", "past", "done", "ing") of each form of a verb."""
    found: dict[str, tuple[str, str]] = {}
    verbs = {verb for verb in LEMMAS if " " not in verb} | HOBBIES | SOMETIMES | {*_OTHERS, "have"}
    for verb in sorted(verbs):
        stem = verb[:-1] if verb.endswith("e") else verb
        past = f"{verb[:-1]}ied" if verb.endswith("y") and verb[-2] not in "aeou" else f"{stem}ed"
        irregular = _IRREGULAR.get(verb, "").split()
        regular_past = not any(not form.endswith(("ing", "s")) for form in irregular) or verb in (
            "travel",
            "plan",
            "prefer",
            "practise",
        )
        found.setdefault(f"{stem}ing", (verb, "ing"))
        if regular_past:
            found.setdefault(past, (verb, "past"))
        for form in irregular:
            tense = (
                "ing"
                if form.endswith("ing")
                else "present"
                if form in ("practice", "does", "has")
                else "past"
            )
            found[form] = (verb, tense)
        found[verb] = (verb, "present") if verb not in ("found", "quit", "cut") else (verb, "past")
    return found


PLAN_OF = (
    ("plan_move", r"(?:mov|relocat|emigrat)\w*"),
    ("plan_travel", r"(?:travel\w*|visit\w*|fly\w*|go(?:ing)? (?:to|on|hik|ski|camp|sail|back to)|hik\w+|trip|vacation|tour\w*|cycl\w+ (?:to|from|along|through)|spend\w* (?:a|the|two|three|our|my)|driv\w+ to|see(?:ing)? the|interrail\w*|backpack\w*|walk\w* (?:the|from))"),
    ("plan_job", r"(?:(?:start|apply|quit|chang|look|leav|find|switch|retir|open|found|launch)\w* (?:\w+ ){0,3}(?:job|company|business|position|career|work|shop|caf|practice|bakery|studio|startup)\w*|retir\w*|freelanc\w*|becom\w+ (?:a|an|self)\b)"),
    ("plan_purchase", r"(?:buy\w*|get\w* (?:a|an|our|my) (?:new |first |second |electric |used )?\w*|purchas\w*|order\w* (?:a|an))"),
    ("plan_family", r"(?:get\w* married|marry\w*|hav\w+ (?:a|another|kids|children)|propos\w+|adopt\w*|wedding)"),
    ("plan_study", r"(?:learn\w*|study\w*|enrol\w*|(?:tak|do|start|finish)\w* (?:a|an|my|the) (?:\w+ )?(?:course|degree|class|exam|phd|master)\w*|go(?:ing)? back to (?:school|uni))"),
    ("plan_event", r"(?:run\w*|celebrat\w+|host\w*|attend\w*|throw\w*|perform\w*|compet\w+)"),
    ("plan", r"(?:renovat|build|writ|finish|quit|stop|start|paint|train|los|give up|sell|plant|record|publish|cut|sav|grow|sign|join|read|convert|switch|stay|take|have|try for|meet|organis|organiz|do|make)\w*"),
)  # fmt: skip
"""Attributes of plans by the first words of what is intended."""
NO_PLAN = re.compile(
    r"(?:know|ask|understand|see (?!the|a|my)|make sure|say|add|use|be able|hear|thank|check|find out|talk|discuss|clarify|share|point|figure|create|implement"
    r"|show|tell|let|give you|send|try (?:this|that|it)|think|need|get (?:this|it|that|some|started|rid|back|the|help|better|more|your|into detail)|do (?:this|that|it|something|so)"
    r"|have (?:this|it|that|the|some|more|to)|take (?:a look|this|that|it)|start (?:by|with|over)|read (?:it|this|that|your)|write (?:a (?:function|script|test|query|program|letter|mail|email|message|poem|story|text|post|response|reply|regex|class|paragraph|cover)|some|the|this|it|code|an? e?-?mail)"
    r"|make (?:it|this|that|the|a (?:list|plan|point|decision))|stay (?:on|with)|build (?:a (?:function|script|table|regex|model|app|website|dashboard|list)|it|this)|go (?:with|through|ahead|over|for|to bed|into|to sleep)|do\b(?! (?:a|my|the|an) )|paste|need|meet (?:your|the)|cut (?:it|this))\b",
    re.IGNORECASE,
)
INSTRUCT = (
    re.compile(
        r"(?P<lead>(?:from (?:now|here|today|this point|this day)(?: on(?:wards?)?| forward)?|going forward|moving forward|in (?:the )?future|henceforth|as a (?:general )?rule|whenever you (?:answer|reply|respond|write|explain|give|suggest|recommend)\b[^,]*|when (?:you (?:answer|reply|respond|write|explain|talk|speak|give|suggest|recommend)|answering|replying|writing|explaining|talking|speaking)\b[^,]*|for (?:all|every|any) (?:future )?(?:answers?|repl(?:y|ies)|responses?|messages?|conversations?)|in (?:all|every|each|any) (?:of )?(?:your |future )*(?:answers?|repl(?:y|ies)|responses?|messages?))),? (?:please |i(?:'d| would) (?:like|prefer|want) (?:you )?(?:to )?|i want (?:you to )?|i need you to |can you |could you )?(?P<v>\w.*)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:please |and |also |but |just |so )*(?P<v>(?:always|never|don't ever|do not ever) (?!(?:had|been|was|knew|thought|heard|saw|mind|again|ever|wanted|liked|a|the|have i|would|could)\b)(?:address|answer|reply|respond|use|write|call|give|include|keep|start|begin|end|put|add|explain|ask|tell|show|suggest|recommend|assume|apologi[sz]e|mention|say|speak|talk|translate|format|round|convert|cite|quote|remind|offer|make|send|skip|refer|praise|flatter|repeat|summari[sz]e|list|be|provide|check|warn|lecture|default)\b.*)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:please |and |also |but |just |so )*(?P<v>(?:stop (?:calling|using|apologi[sz]ing|adding|starting|ending|asking|giving|telling|suggesting|recommending|saying|praising|flattering|repeating)|don't (?:call me|use (?:emoji|emojis|bullet|markdown|jargon|exclamation|headings|tables)|apologi[sz]e|sugar-?coat|suggest|recommend|remind me|ask me (?:if|whether)|lecture|flatter|start your|end your|give me)|(?:keep|make) (?:your|all) (?:answers|replies|responses|explanations)|(?:answer|reply|respond|talk|speak|write)(?: to)?(?: me)? (?:only |always |in )?(?:in (?:German|English|French|Spanish|Italian|Portuguese|Dutch|Polish|plain|simple|bullet|metric|British|American|full|short)|briefly|concisely))\b.*)",
        re.IGNORECASE,
    ),
    re.compile(
        r"i (?:(?:would|'d) )?(?:prefer|like|want|need|expect)(?: you)? (?:to )?(?P<v>(?:your )?(?:short|brief|concise|long|detailed|direct|honest|blunt|step-by-step|informal|formal|metric|simple|plain)\w*(?: and \w+)?,? (?:answers?|repl(?:y|ies)|responses?|explanations?|units|language|feedback|examples).*)",
        re.IGNORECASE,
    ),
)  # fmt: skip
"""Lasting wishes for how an assistant should behave; each matches from the beginning of a sentence."""
CALLED = re.compile(
    r"\b(?:call me|(?:my friends|people|everyone|everybody|friends|they|most people) (?:all |just |usually |always )?call me|(?:i )?go by|(?:you can|just) call me|known as) (?P<v>(?-i:[A-ZÄÖÜ])[\w'-]+(?: (?-i:[A-ZÄÖÜ])[\w'-]+)?)",
    re.IGNORECASE,
)
NAME = re.compile(
    r"\b(?:my (?:full |first |last |real |middle |given )?name(?:'s| is|:)|i(?:'m| am) (?:called|named)|(?:hi|hello|hey)[,!]? (?:there[,!]? )?(?:i'm|i am|this is|it's)|this is) (?P<v>(?-i:[A-ZÄÖÜ])[\w'’-]+(?: (?:(?-i:[A-ZÄÖÜ])[\w'’.-]+|de|da|von|van|der|di|el))*)(?! (?:from (?:the )?\w+ (?:team|support)))",
    re.IGNORECASE,
)
MY = (
    ("birthday", r"my birthday(?:'s| is) (?:on |in )?(?P<v>.+)"),
    ("birthday", r"my date of birth is (?P<v>.+)"),
    ("age", r"my age is (?P<v>\d+)"),
    ("pronouns", r"my pronouns are (?P<v>.+)"),
    ("job", r"my (?:day )?job (?:is|involves) (?P<v>(?!(?:boring|great|hard|stressful|fine|killing|driving|safe)\b).+)"),
    ("employer", r"my employer is (?P<v>.+)"),
    ("hobby", r"my (?:main |biggest |new )?(?:hobby|hobbies|passion) (?:is|are) (?P<v>.+)"),
    ("goal", r"my (?:biggest |main |life )?(?:goal|dream|aim|resolution)(?: for \w+)? is (?:to )?(?P<v>.+)"),
    ("plan", r"(?:my|our) plan is to (?P<v>.+)"),
    ("speaks", rf"my (?:native|first|mother) (?:language|tongue) is (?P<v>{LANGUAGES}.*)"),
    ("from", r"my (?:home ?town|home country) is (?P<v>.+)"),
    ("condition", r"my (?:blood type|diagnosis) is (?P<v>.+)"),
    ("favourite", r"my (?:absolute |all-time )?favou?rite (?P<v>[\w' -]{2,40} (?:is|are) (?!(?:in|on|at|not|when|from)\b|\d).+)"),
    ("size", r"my (?:shoe size|dress size|ring size) is (?P<v>.+)"),
    ("height", r"my height is (?P<v>.+)"),
    ("weight", r"my weight is (?P<v>.+)"),
    ("degree", r"my (?:degree|major|background|thesis) (?:is|was) (?:in |about |on )(?P<v>.+)"),
    ("marital_status", r"my (?P<v>divorce) (?:is|was|went|came) (?:through|final).*"),
    ("condition", r"my doctor (?:diagnosed me with|says i have) (?P<v>.+)"),
    ("drives", r"my car is (?P<v>(?:a|an) .+)"),
)  # fmt: skip
KIN_PREDICATE = re.compile(
    r"(?:,? (?P<name>(?-i:[A-ZÄÖÜ])[\w'-]+),?)?(?: |(?='s ))(?P<p>(?:is|'s|are|was|has|have|had|got|works?|worked|lives?|lived|studies|study|speaks?|goes|go|attends?|turned|turns|was born|died|passed away|plays?|loves?|likes?|hates?|suffers|needs|takes|started|moved|teaches|runs|comes|owns|graduated|became|just (?:turned|started|moved|got|had|graduated|became)|can't eat|doesn't eat|teaches|will be|is getting) (?:an? |the |in |at |to |from |as |for |on |allergic |called |named |pregnant|vegetarian|vegan|married|divorced|retired|deaf|blind|autistic|diabetic|dyslexic|expecting|eight|nine|ten|two|three|four|five|six|seven|eleven|twelve|thirteen|\d|(?-i:[A-ZÄÖÜ])|his |her |their |football|tennis|guitar|piano|violin|asthma|diabetes|adhd|dementia|alzheimer|parkinson|cancer|twins|two |three |kindergarten|school|university|medicine|law|turning |\w+ing |\w+ years|already \w+|almost \w+|now \w+).*|(?:died|passed away|is pregnant|was born|retired)\b.*)",
    re.IGNORECASE,
)
"""What a clause says of a relative or pet."""
