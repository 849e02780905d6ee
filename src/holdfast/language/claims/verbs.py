"""Verbs of everyday life in both languages: their forms, and what each says with what follows it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

_NOT_IT = (
    r"(?!(?:it|that|this|these|those|them|him|her|you|your|how|what|when|where|why|which|who|the (?:idea|way|fact|look|sound|first|second|third|last|one|answer|option|version|tone|plan"
    r"|text|new (?:version|design|layout))|if|all of|both|seeing|hearing|being (?:able|here)|talking to you|so|es|das(?! \w+n\b)|dies\w*|dass|dich|dir|deine?\w*|wenn|wie|was|daran|davon|sie|ihn"
    r"|die (?:idee|antwort|version|erste|zweite|variante|lösung)|den (?:text|vorschlag|ton))\b)"
)
_TRANSIT = r"(?:bus|train|tram|metro|subway|tube|ferry|bike|car|underground)"


@dataclass(frozen=True, slots=True)
class Reading:
    """One way of understanding what follows a verb: the pattern of its beginning, the classes that its head may
    have, and the attribute that it states.

    An `event` in the past tense holds now and says that it was otherwise before; other pasts are over. `ends`
    is true for what is over by being said, `frequent` needs words for how often, and `positive` is false for
    what is denied by its very words.
    """

    attribute: str
    start: str = ""
    classes: str = ""
    event: bool = False
    ends: bool = False
    frequent: bool = False
    positive: bool = True
    deny: bool = True
    """Whether it may be denied."""


_R = Reading
READINGS: dict[str, tuple[Reading, ...]] = {
    "live": (
        _R("diet", "", "diet"),
        _R("housing", r"(?P<v>(?:with(?! (?:the |our |my |der )?(?-i:[A-Z]{2,}\b))|alone|allein|alleine|by myself|on my own|together|getrennt|zusammen|zu (?:zweit|dritt|viert|fünft)|zur (?:unter)?miete|mit|bei (?:mein|unser)\w+|in (?:a|an|the|my|our|one of|einem|einer|meinem|meiner|unserem)\b.{0,40}?(?:flat|apartment|house|cottage|studio|dorm|village|farm\w*|commune|houseboat|van|bungalow|loft|tower|wg|altbau|\w*haus|\w*wohnung|dorf|hof|wohngemeinschaft))\b.*)"),
        _R("lives_in", r"(?:right|just|here|over|now|back|wieder|hier|jetzt|zurzeit|mitten|direkt|etwas)? ?(?:in|at|near|on|by|outside|close to|around|im|bei|nahe|am|an|auf|nähe|nähe von|außerhalb von|gegenüber|neben) (?P<v>(?!(?:the moment|peace|fear|my head|a (?:world|time|bubble|dream|society|democracy)|frieden|angst|jeans|constant)\b).+)"),
        _R("housing", r"(?P<v>on the (?:\w+ )?floor\b.*)"),
        _R("lives_in", r"(?P<v>(?:\w+ ){1,3}(?:away|from (?:here|there|the \w+|work))\b.*)"),
        _R("lives_in", r"(?P<v>(?:down|up|out|over) (?:south|north|west|east|in)\b.*|abroad\b.*|(?-i:[A-Z])\w+.*)"),
    ),
    "reside": (_R("lives_in", r"(?:in|at|near)"),),
    "settle": (_R("lives_in", r"(?:down )?(?:in|near)", event=True),),
    "rent": (_R("housing", r"(?P<v>(?:an?|my|our|the|eine?n?) (?:[\w'-]+ ){0,4}?(?:(?:flat|apartment|\w*house|room|studio|place|home|cottage|loft|bedsit|basement|bungalow|condo|duplex|attic|farm|houseboat|wg|bude|hof)\b|\w*(?:wohnung|haus|häuschen|zimmer)\b).*)"),),
    "own": (_R("owns", rf"{_NOT_IT}(?=.)"),),
    "drive": (
        _R("does_regularly", r"(?P<v>to (?:work|school|the office)\b.*|(?:mit dem|rad|fahrrad|rennrad|ski|snowboard|skateboard|kajak|inliner|mountainbike).*)", frequent=False),
        _R("works_as", r"(?P<v>(?:a |the )?(?:tram|bus|lorr(?:y|ies)|trucks?|taxi|cab|vans? for|forklift|lkw|uber)\b.*)"),
        _R("drives", r"(?P<v>(?:an?|my|our|eine?n?|meine?n?|unsere?n?) (?!(?:point|message)\b).+|(?-i:[A-Z])\w+.*)"),
    ),
    "ride": (_R("does_regularly", r"(?P<v>(?:my|a|the) (?:bike|bicycle|motorbike|motorcycle|horse)\b.*|horses.*|to work.*)"), _R("drives", r"(?P<v>(?:an?|my) .+)"), _R("hobby", r"(?=$|gern)")),
    "work": (
        _R("does_regularly", r"(?P<v>out\b.*)", frequent=True),
        _R("work_hours", r"(?P<v>.{0,30}?\b(?:from home|remotely|part[- ]time|full[- ]time|nights?|(?:night |early |late |rotating )?shifts|weekends|freelance|in shifts|on (?:a )?shift\w*|(?:three|four|five|two|\d) days a week|\d+ (?:hours|stunden)|teilzeit|vollzeit|nachts|\w*schicht\w*|homeoffice|von zu hause|freiberuflich|vier tage|offshore|abroad)\b.*)"),
        _R("works_as", r"(?:mostly |nebenbei |freelance |now |part-time |.{0,20}?\b)?(?:as|als) (?P<v>(?!(?:expected|intended|well|follows|described|usual|it|much|hard)\b).+)"),
        _R("employer", r"(?:over |now |remotely |mainly )?(?:at|for|with(?= (?:children|kids|people|clients|patients|horses|animals|an? |refugees|wood|metal|teens|adults|(?-i:[A-Z])))|bei|beim|für|in der|im) (?P<v>(?!(?:me|you|us|the moment|least|home|now|it|this|both|all|everyone|most|free|mir|uns|das|es|years|moment|this one)\b).+)"),
        _R("works_in", r"(?:mostly |mainly )?(?:in|im|an) (?P<v>(?!(?:this|that|my (?:case|code)|the (?:background|end|browser|code|project|folder|same)|a (?:file|loop|folder|branch)|pairs?)\b).+)"),
        _R("works_in", r"on (?P<v>(?:an? |the |my |our )?(?:[\w-]+ )?(?:farm|oil rig|rig|ship|building site|ward|boat|railway|railways|buses)\b.*)"),
    ),
    "teach": (_R("job", r"(?P<v>(?!(?:me|you|myself|him|her|them|it|us|others|people)\b).+)"), _R("job", r"(?=$)")),
    "manage": (_R("job", r"(?P<v>(?:an?|the|my|our|eine?n?|die|das|den|unser\w*) (?:[\w'-]+ ){0,3}(?!time|stress)\w+.*)"),),
    "run": (
        _R("job", r"(?=(?:an?|the|my|our|this|einen?|eine|ein|einen kleinen)\b)", "business"),
        _R("job", r"(?P<v>(?:an?|the|my|our|my own|this|eine?n?) (?:[\w'&-]+ ){0,3}(?:channel|school|b&b|daycare|charity|newsletter|team|department|place|site)\b.*)"),
        _R("sport", r"(?P<v>(?:(?:about |around )?\d+ ?(?:k|km|miles)?\b|marathons?|half[- ]marathons?|ultras?|every|in the|before|after|most|three|twice|once|a lot|regularly|gern|gerne|regelmäßig|jeden|jede|mehrmals|viel).*)"),
        _R("sport", r"(?=$)", frequent=True),
    ),
    "study": (_R("studies", r"(?P<v>(?!(?:up|for|it|this|that|hard|a lot|more|the (?:docs|code|data|problem)|diese\w*)\b).+)"),),
    "attend": (_R("school", r"(?P<v>.*\b(?:school|college|university|academy|uni|kindergarten|schule|kolleg|\w*kurs|course|class|classes)\b.*|(?-i:[A-Z])\w+ (?-i:[A-Z])\w+.*)"),),
    "speak": (_R("speaks", r"(?:a (?:single )?word of|any|much) (?P<v>.*)", "lang"), _R("speaks", r"(?P<v>.*)", "lang"), _R("speaks", r"(?P<v>(?-i:[A-ZÄÖÜ])\w+(?:,? (?:and |und |& )?(?-i:[A-ZÄÖÜ])\w+)*)$"), _R("speaks", r"(?=(?:\w+ ){0,3}(?:fluent|native|some|a bit of|a little|basic|fließend|gut|kein|ein bisschen|etwas))")),
    "understand": (_R("speaks", "", "lang"),),
    "learn": (
        _R("nothing", r"(?=about\b|from\b|more\b|that\b|how to (?:use|do|fix|solve))"),
        _R("learning", r"(?P<v>(?:how )?to (?!(?:use|do|code this|make this|fix|solve|deal|understand|avoid)\b)\w+.*)", event=True),
        _R("learning", r"(?P<v>.*)", "lang instrument sport", event=True),
        _R("learning", r"(?P<v>(?:the |gerade |das |.*\b)?(?:cooking|sewing|knitting|driving|coding|programming|python|rust|javascript|java|sql|blender|photoshop|calligraphy|nähen|segeln|reiten|schwimmen|programmieren|stricken|kochen|zeichnen|autofahren|singen|tanzen)\b.*)", event=True),
    ),
    "play": (_R("plays", r"(?P<v>(?!(?:a (?:role|part|game|trick)|around|it|with|music|the (?:video|song|role|game)|along|by|mit|das|eine rolle)\b).+)"),),
    "take": (
        _R("takes_medicine", r"(?P<v>.*)", "med"),
        _R("takes_medicine", r"(?P<v>.*\b\d+ ?(?:mg|µg|mcg|ml|units)\b.*)"),
        _R("takes_medicine", r"(?P<v>(?!(?:the|a|an|my|it|this|that|part|care|place|time|notes?|pictures?|photos?|breaks?|turns?|naps?|showers?|walks?|him|her|them)\b)[\w-]+ (?:every (?:day|morning|evening|night)|daily|twice a day|once a day|for (?:my|the)|gegen|wegen)\b.*|.*\b(?:meds|medication|pills?|tablets?|medikament\w*|\w*tabletten|something for (?:my|the) \w+|etwas gegen .+)\b.*)"),
        _R("does_regularly", rf"(?P<v>(?:the {_TRANSIT} (?:to|in|into)\b.*|(?:den|die|das) (?:bus|bahn|zug|rad|u-bahn|s-bahn|tram|fahrrad)\b.*))"),
        _R("does_regularly", r"(?P<v>(?:[\w-]+ )?(?:lessons|classes|unterricht|stunden)\b.*)"),
        _R("works_as", r"over (?P<v>(?:my|our|the) (?:family|father's|mother's|parents'|dad's|mum's) .+)", event=True),
        _R("hobby", r"up (?P<v>.+)", event=True),
    ),
    "need": (_R("condition", r"(?P<v>(?:reading )?glasses|a (?:hearing aid|wheelchair|cane|walking stick|new (?:hip|knee|kidney))\b.*|insulin.*|dialysis.*)"),),
    "wear": (_R("glasses", r"(?P<v>.*\b(?:glasses|contacts|contact lenses|hearing aids?|braces|hijab|kippah|turban|prosthesis|brace|brille|kontaktlinsen|hörgeräte?|zahnspange|linsen|kopftuch|headscarf|orthotics|wig|insulin pump)\b.*|(?:an? )?(?:shoe )?size .*|(?:shirt|dress|schuh|kleider)?größe .*)"),),
    "eat": (
        _R("diet", r"(?:nur |only |strictly |mostly |meist |überwiegend |fully )?(?=.)", "diet"),
        _R("eats", r"(?P<v>(?!(?:it|that|this|out|lunch|dinner|breakfast|there|here|something|anything|at|in|with|too|so|them|das|es|hier|heute|gerade|zu|gleich)\b).+)"),
        _R("does_regularly", r"(?P<v>(?:out|lunch|dinner|breakfast).*)", frequent=True),
    ),
    "drink": (_R("drinks", r"(?P<v>(?!(?:it|that|this|something|das|es)\b).+)"), _R("alcohol", r"(?=$)")),
    "smoke": (_R("smokes", r"(?P<v>.*)"),),
    "like": (_R("likes", r"(?:it|them|my \w+) (?P<v>(?:(?:really|very|super|extra|quite|nice and|a bit|well|extra) )*(?:hot|spicy|sour|sweet|salty|strong|crunchy|mild|rare|cold|dark|quiet|loud|well done|crispy|creamy|black|milky|bitter|bland|scharf|süß|sauer))\b.*"), _R("likes", rf"{_NOT_IT}(?=.)")),
    "prefer": (_R("prefers", rf"{_NOT_IT}(?:eher |lieber )?(?=.)"),),
    "hate": (_R("dislikes", rf"{_NOT_IT}(?=.)", positive=False),),
    "avoid": (_R("avoids", rf"{_NOT_IT}(?:auf )?(?=.)", positive=False, deny=False),),
    "fear": (_R("fears", rf"(?:mich vor )?{_NOT_IT}(?=.)", positive=False, deny=False),),
    "endure": (_R("dislikes", rf"{_NOT_IT}(?=.)"),),
    "tolerate": (_R("intolerance", r"(?P<v>(?!(?:es|das|it|that|this)\b).+)"),),
    "use": (
        _R("uses", r"(?P<v>(?:an?|my|our|eine?n?|meine?n?) (?!(?:lot|few|bit|function|method|loop|library|variable|class|script|query|formula|template|framework|api|tool|table|list)\b).+)"),
        _R("uses", r"(?P<v>(?:(?-i:[A-Z])[\w.+#-]*(?: (?-i:[A-Z])[\w.+#-]*){0,2})(?: (?:for|as|at|on|daily|every|btw|für|am|zum)\b.*|$))"),
        _R("uses", "", "thing instrument"),
    ),
    "collect": (_R("hobby", r"(?P<v>(?!(?:it|them|data|the|this|that|my|daten|info\w*)\b).+)"),),
    "volunteer": (_R("volunteers", r"(?:mich )?(?P<v>(?:as|at|with|for|in|every|on|once|twice|bei|beim|im|für|ehrenamtlich)\b.+)"), _R("volunteers", r"(?=$)", frequent=True)),
    "coach": (_R("does_regularly", r"(?P<v>(?!(?:me|you)\b).+)"),),
    "practise": (_R("does_regularly", r"(?P<v>(?!(?:it|this|that)\b).+)"),),
    "train": (_R("training", r"(?:as|to be(?:come)?|to be|zur|zum)(?= )", event=True), _R("does_regularly", r"(?P<v>(?:for|at|in|with|three|twice|every|\d|für|im|beim|mehrmals|\w+mal|regelmäßig|jeden).*)")),
    "retrain": (_R("works_as", r"(?:as|to be(?:come)?|zum|zur)(?= )", event=True),),
    "sleep": (_R("sleep", r"(?P<v>.+)"),),
    "wake": (_R("sleep", r"(?P<v>up (?:at|around|before|every|early|in).*|(?:gegen|um|immer|jeden) .*)"),),
    "get up": (_R("sleep", r"(?P<v>(?:at|around|before|every|early|um|gegen|immer|jeden).*)"),),
    "go": (
        _R("diet", r"(?:fully |completely |back to being )?(?=.)", "diet", event=True),
        _R("eats", r"back to (?:eating )?(?P<v>meat|fish|dairy|gluten|eggs|sugar)\b.*", event=True),
        _R("school", r"to (?P<v>(?:[\w'-]+ ){0,3}(?:school|college|university|uni|kindergarten|academy)\b.*|(?:die |ein |das |eine |in die |aufs |auf \w+ )?\w*(?:schule|gymnasium|uni|kolleg)\b.*)", event=False),
        _R("does_regularly", r"(?P<v>(?:gern|gerne|oft|regelmäßig|viel|mittwochs|\w+mal|zum|ins|in die|in den|joggen|laufen|schwimmen|wandern|klettern|bouldern|reiten|tanzen|turnen|angeln|spazieren|früh|zur)\b.*)", frequent=True),
        _R("does_regularly", r"(?P<v>(?!(?:crazy|wrong|ahead|back|through|on with|over|out of my way)\b)(?:\w+ing|to|for|out|on|for a run)\b.*)", frequent=True),
        _R("does_regularly", r"(?P<v>(?:joggen|laufen|schwimmen|wandern|klettern|bouldern|reiten|tanzen|turnen|angeln|ins (?:fitnessstudio|gym)|zum (?:yoga|sport|training|chor|fußball|stammtisch)|to the (?:gym|pool|mosque|church|synagogue)|to church|to therapy)\b.*)"),
        _R("uses", r"by (?P<v>(?:they|she|he)/\w+.*)"), _R("called", r"by (?P<v>(?-i:[A-Z])\w+).*"),
    ),
    "carry": (_R("condition", r"(?P<v>(?:an? |my )?(?:epi-?pen|inhaler|insulin|adrenaline|notfallset)\w*\b.*)"),),
    "do": (
        _R("work_hours", r"(?P<v>(?:night |early |late |twelve-hour |12-hour |rotating |long )*shifts?\b.*|nights\b.*)"),
        _R("studies", r"(?:gerade |derzeit |aktuell )?(?P<v>(?:an?|my|the|eine?n?|mein\w*|the first year of my|two|den|das) (?:[\w-]+ ){0,3}(?:degree|phd|master'?s?|bachelor'?s?|apprenticeship|training|a-levels|mba|doctorate|course|pgce|ausbildung|lehre|studium|abitur|abi|master|bachelor|doktor|referendariat|fsj|praktikum|umschulung|weiterbildung|meister|promotion|fernstudium|traineeship|residency|internship|bootcamp|diploma|(?:night|evening) class\w*|certificate|foundation year|gcses?)\b.*|a-levels\b.*|abi(?:tur)?\b.*)"),
        _R("dislikes", r"(?P<v>(?:horror|small talk|mornings|heights|spicy|drama|early mornings|camping|crowds|seafood|spiders|phone calls|social media)\b.*)", positive=True),
        _R("does_regularly", r"(?P<v>.*\b(?:yoga|pilates|sport|music|musik|karate|judo|krafttraining|gymnastik|homeoffice|crossfit|ballet|stand-up|pottery|improv|gardening|woodwork|martial arts|parkrun|aikido|crosswords|sudoku|triathlons?|weights|cross-stitch|calligraphy|photography|puzzles|ceramics)\b.*)"),
        _R("does_regularly", r"(?P<v>(?!(?:it|this|that|these|those|them|so|not|my best|something|everything|anything|nothing|all|what)\b)[a-z].*)", frequent=True),
        _R("job", r"(?P<v>(?:the )?(?:[\w-]+ ){0,2}(?:editing|design|tutoring|consulting|landscaping|translation|translating|copywriting|childcare|carpentry|plumbing|catering|upholstery)\b(?! (?:the|my|this|a|it|on)\b).*)"),
        _R("job", r"(?P<v>(?:the )?(?:accounts|bookkeeping|payroll|marketing|sales|hair|nails|pr|admin|it|tech support|customer service|the books) (?:for|at|in)\b.*)"),
    ),
    "keep": (_R("pet", r"(?P<v>(?:(?:\w+|\d+) )?(?:bees|chickens|hens|rabbits|goats|sheep|pigeons|horses|ducks|geese|quails?|fish|bonsai\w*|hühner|bienen|schafe|ziegen|kaninchen|pferde|tauben|enten|fische|wachteln)\b.*)"), _R("hobby", r"(?P<v>a (?:diary|journal|sourdough starter)\b.*)"), _R("diet", "", "diet"), _R("diet", r"(?P<v>shabbat|sabbath)")),
    "weigh": (_R("weight", r"(?P<v>.*\d+.*)"),),
    "come": (_R("from", r"(?:ursprünglich |eigentlich |gebürtig |originally )?(?:from|aus) (?P<v>(?!(?:the (?:fact|file|idea|data)|a (?:place|csv|file|background)|dem (?:lachen|staunen)|an? [\w-]+ (?:background|place)|work|home|school)\b).+)"),),
    "grow up": (_R("from", r"(?:in|on|near|around|as|speaking|with|auf|bei|im|am) (?P<v>.+)", event=True), _R("from", r"(?P<v>.*\b(?:in|bei|auf|im|am) .+)", event=True), _R("from", r"(?P<v>[\w-]+)", event=True)),
    "grow": (_R("hobby", r"(?P<v>(?:my own |our own )?(?:tomatoes|vegetables|veg|herbs|roses|orchids|chillies|potatoes|fruit|dahlias|mushrooms|pumpkins|beans|strawberries|\w+ in (?:my|our) garden)\b.*)"),),
    "support": (_R("fan_of", r"(?P<v>(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+)*)(?: .*)?$"),),
    "suffer": (_R("condition", r"(?:from|an|unter|seit \w+ an|badly from)(?= )"),),
    "struggle": (_R("condition", r"with (?P<v>.+)", "ill"),),
    "identify": (_R("gender", r"as(?= )"),),
    "care": (_R("kin_fact", r"(?:for )?(?P<v>(?:my|our|meine?n?|unsere?n?) .+)"),),
    "look after": (_R("kin_fact", r"(?P<v>(?:my|our) .+)"),),
    "sing": (_R("hobby", r"(?P<v>(?!(?:dort|there|here|hier|it|this|that|along|mit)\b).+)"), _R("hobby", r"(?=$)")),
    "belong": (_R("member_of", r"to(?= )"),),
    "commute": (_R("does_regularly", r"(?P<v>.*)"),),
    "homeschool": (_R("kin_fact", r"(?P<v>.*)"),),
    "co-found": (_R("job", r"(?P<v>.+)", event=True),),
    "specialise": (_R("works_in", r"in(?= )"),),
    "breed": (_R("hobby", r"(?P<v>.+)"),),
    # events
    "move": (
        _R("housing", r"(?P<v>(?:back )?in with .*|in together\b.*|mit .+ zusammen.*|zu (?:mein|unser)\w+ .*|zusammen)", event=True),
        _R("lives_in", r"(?:back |over |out |away |house |here |down |up |.{0,12}?)(?:to|into|nach|in die|in den|ins|aufs|an die|an den|auf) (?P<v>(?!(?:the (?:next|other|end|left|right|top|cloud)|it|this|that|a (?:new )?(?:file|folder|line|function|module|branch))\b).+?)(?: (?:from|aus|von) .*)?$", event=True),
        _R("moved_out", r"(?P<v>(?:out|away)\b.*)", ends=True),
        _R("housing", r"(?P<v>(?:house|home|flat|um)\b.*)", event=True),
        _R("employer", r"over to (?P<v>(?-i:[A-Z]).+)", event=True),
    ),
    "move out": (_R("moved_out", r"(?P<v>.*)", ends=True),),
    "become": (
        _R("diet", "", "diet", event=True), _R("child", r"(?=(?:an? )?(?:mother|father|mom|mum|dad|parent|mama|papa|vater|mutter|eltern)\b)", event=True),
        _R("grandchild", r"(?=(?:an? )?(?:grand\w+|oma|opa|großmutter|großvater)\b)", event=True), _R("relative", r"(?=(?:an? )?(?:aunt|uncle|tante|onkel)\b)", event=True),
        _R("citizen", r"(?P<v>an? (?:\w+ )?citizen.*)", event=True), _R("works_as", "", "job", event=True), _R("works_as", r"(?P<v>(?:head|chief|team|managing|a partner|director) ?.+)", event=True),
    ),
    "turn": (_R("age", r"(?P<v>\d{1,2})\b.*", event=True), _R("diet", "", "diet", event=True)),
    "start": (
        _R("employer", r"(?:(?:an?|my|meine?n?|eine?n?) (?:neuen? |new )?(?:job|role|position|stelle) )?(?:at|with|bei|beim|bei der) (?P<v>(?-i:[A-ZÄÖÜ]).+?|(?:an?|eine[rm]?) .+?)(?: an)?$", event=True),
        _R("job", r"(?P<v>(?:an?|my|einen|meinen) (?:new |neuen )(?:job|position|role)\b.*|(?:eine|meine) neue (?:stelle|arbeit)\b.*)", event=True),
        _R("works_as", r"(?:(?:an?|my) (?:new )?job )?(?:as|als) (?P<v>.+?)(?: an)?$", event=True),
        _R("job", r"(?=(?:an?|my|our|my own|eine?n?|meine?n?)\b)", "business", event=True),
        _R("studies", r"(?P<v>(?:(?:at )?(?:university|uni|college|school|medical school|law school)|(?:my|an?|eine?|mein) (?:[\w-]+ ){0,2}(?:phd|master'?s?|bachelor'?s?|apprenticeship|degree|studies|training|studium|ausbildung|lehre|umschulung))\b.*)", event=True),
        _R("takes_medicine", r"(?:on )?(?P<v>.*)", "med", event=True),
        _R("does_regularly", r"(?:with |mit )?(?P<v>(?:yoga|pilates|karate|judo|crossfit|therapy|physio\w*|chemo\w*|(?:[\w-]+ )(?:lessons|classes|unterricht)|a (?:diet|blog|podcast|book club)|bouldern|klettern|joggen|laufen|krafttraining|gitarre|klavier)\b.*)", event=True),
    ),
    "open": (_R("job", r"(?=(?:an?|my|our|my own|eine?n?|meine?n?|unsere?n?)\b)", "business", event=True),),
    "quit": (
        _R("left", r"(?P<v>(?:(?:up )?(?:my|the|this|that|mein\w*|den|die|bei meiner) )?(?:\w+ )?(?:job|position|post|work|arbeit|stelle)(?: (?:at|with|as|in|bei|als|beim) .+)?)$", ends=True),
        _R("left", r"(?P<v>)$", ends=True),
        _R("works_as", r"(?:being |als )(?P<v>.+)", "job study", ends=True),
        _R("smokes", r"(?:mit dem )?(?P<v>smoking|cigarettes|vaping|rauchen|qualmen)\b.*", ends=True),
        _R("alcohol", r"(?:mit dem )?(?P<v>drinking|alcohol|beer|wine|booze|trinken)\b.*", ends=True),
        _R("eats", r"(?:eating |on )?(?P<v>(?:meat|sugar|dairy|gluten|bread|sweets|fish|pork|chocolate|caffeine|coffee|carbs|fast food|cheese|milk|junk food|eggs|beef|red meat|zucker|fleisch)\b.*)", ends=True),
        _R("member_of", r"(?P<v>(?:the|my) (?:gym|choir|club|band|team).*)", ends=True),
        _R("school", r"(?P<v>(?:school|uni|university|college|my (?:phd|degree|course|master'?s|apprenticeship)|mein studium|meine ausbildung)\b.*)", ends=True),
        _R("left", r"(?P<v>(?:at |bei (?:der |dem )?|beim )?(?-i:[A-ZÄÖÜ])[\w&.-]*(?: (?-i:[A-ZÄÖÜ])[\w&.-]*)*)(?: (?:to|in|last|after|um|und|because|for|weil) .*)?$", ends=True),
        _R("does_regularly", r"(?:mit dem |mit )?(?P<v>(?:(?:playing|doing) )?[\w-]+(?: (?:in|at|on|with|after|before|because|due|since|last|this|im|am|bei|beim|mit|nach|wegen|seit|vor)\b.*?)?)(?: aufgehört)?$", "sport", ends=True),
        _R("does_regularly", r"(?:mit dem |mit )?(?P<v>(?:playing|spielen|going|the gym|sport|krafttraining)\b.*?)(?: aufgehört)?$", ends=True),
    ),
    "leave": (
        _R("left", r"(?P<v>(?:my (?:\w+ )?(?:job|position|post|role|company|employer)|the company)(?: (?:at|with|as) .+)?)$", ends=True),
        _R("left", r"(?P<v>(?:the|my|our) (?:[\w-]+ ){0,2}(?:bakery|company|firm|agency|start-?up|clinic|practice|army|navy|military|police|civil service|church|bank|university|choir|band|union|party|club))$", ends=True),
        _R("partner", r"(?P<v>my (?:husband|wife|boyfriend|girlfriend|partner)\b.*)", ends=True),
        _R("school", r"(?P<v>(?:school|university|uni|college)\b.*)", ends=True),
        _R("left", r"(?P<v>(?-i:[A-Z])[\w&.-]*(?: (?-i:[A-Z])[\w&.-]*)*)(?: (?:to|for|after|because|in|when|as|and) .*)?$", ends=True),
    ),
    "drop out": (_R("school", r"(?:of )?(?P<v>.+)", ends=True),),
    "get": (
        _R("marital_status", r"(?P<v>(?:married|divorced|engaged|separated|hitched|remarried|back together)\b.*)", event=True),
        _R("job", r"(?P<v>promoted\b.*|(?:an?|the|my|that) (?:new )?(?:[\w-]+ ){0,2}(?:job|promotion|position|internship|contract|apprenticeship|offer|role|place) .*|(?:an?|the|my) (?:new )?(?:job|promotion|internship)\b.*|into .* school\b.*)", event=True),
        _R("unemployed", r"(?P<v>fired|laid off|made redundant|let go|the sack|sacked)\b.*", event=True),
        _R("condition", r"diagnosed (?:with|as)(?= )", event=True), _R("pregnant", r"(?P<v>pregnant\b.*)", event=True),
        _R("condition", r"(?:really |very )?(?:bad |terrible |frequent |chronic |seasonal )?(?=\w)", "ill allergy"), _R("condition", r"(?P<v>(?:hives|heartburn|seasick|carsick|motion sick|travel sick|nosebleeds|panic attacks|cluster headaches|car ?sick\w*).*)"),
        _R("owns", r"(?:myself |ourselves )?(?P<v>(?:an?|our first|my first|my own|two) (?:[\w'-]+ ){0,3}\w+.*)", "thing instrument", event=True), _R("pet", r"(?P<v>(?:an?|our|my|two|another) .*)", "pet", event=True),
        _R("licence", r"(?P<v>(?:an?|my) .*)", "licence degree", event=True), _R("eats", r"off (?P<v>(?:dairy|meat|sugar|gluten|alcohol|coffee)\b.*)", ends=True), _R("likes", r"into (?P<v>(?!(?:it|this|that|trouble|a (?:fight|car))\b).+)", event=True),
    ),
    "buy": (_R("owns", r"(?:myself |ourselves |mir |uns )?(?:gerade |.{0,20}?\b)?(?P<v>(?:an?|our|my|eine?n?|mein\w*|unser\w*|two|zwei) .*)", "thing business", event=True), _R("pet", r"(?P<v>(?:an?|our|my|two|eine?n?) .*)", "pet", event=True), _R("owns", r"(?:myself |mir )?(?P<v>(?:an?|eine?n?) (?:[\w-]+ ){0,2}(?-i:[A-Z])[\w-]+.*)", event=True)),
    "sell": (_R("owns", r"(?P<v>(?:my|our|the|mein\w*|unser\w*|das|den|die) .+)", ends=True), _R("job", r"(?P<v>.+ (?:at|on|for|to|auf) .*(?:market|fair|shop|store|etsy|ebay|online|living|markt)\b.*)")),
    "lose": (_R("unemployed", r"(?P<v>(?:my|meinen) (?:job|arbeit)|meine (?:arbeit|stelle))\b.*", event=True), _R("lost", r"(?:my|our|meine?n?) (?P<v>.+)", "spouse partner child parent sibling relative pet friend", event=True), _R("weight", r"(?P<v>\d+ ?(?:kg|kilos?|pounds|lbs|stone)\b.*)", event=True)),
    "adopt": (_R("pet", "", "pet", event=True), _R("child", "", "child", event=True), _R("pet", r"(?P<v>(?:an?|two|eine?n?|zwei) (?:rescue )?\w+.*)", event=True)),
    "retire": (_R("retired", r"(?P<v>)(?!to |zurück)", event=True),),
    "graduate": (_R("degree", r"(?P<v>.*)", event=True),),
    "finish": (_R("degree", r"(?=(?:my|the|a|meine?n?|mit meiner?|an?)\b|mit )", "degree study", event=True), _R("degree", r"(?P<v>(?:high school|school|university|college|uni|med school|law school|die schule)\b.*)", event=True), _R("degree", r"(?P<v>my .*\b(?:residency|training|exams?)\b.*)", event=True)),
    "pass": (_R("licence", r"(?P<v>(?:my|den|die|meine) (?:driving|driver'?s|bar|final|\w+)? ?(?:test|exams?|licen[cs]e|\w*führerschein|\w*prüfung)\b.*)", event=True),),
    "marry": (_R("marital_status", r"(?P<v>.*)", event=True),),
    "divorce": (_R("marital_status", r"(?P<v>.*)", event=True),),
    "split up": (_R("marital_status", r"(?P<v>.*)", ends=True),),
    "break": (_R("injury", r"(?:my|mir|den|das|die) (?P<v>.+?)(?=$|,| (?:while|when|during|beim|im|am|in|on|at|(?:ski|play|climb|runn|cycl|jogg|danc|fall|work|hik|skat|rid|box|lift|train|mov|do|gett|try|jump|surf|swimm|snowboard)ing)\b)", event=True),),
    "injure": (_R("injury", r"(?:my|mir|an?|the) (?P<v>.+?)(?=$|,| (?:while|when|during|beim|im|am|in|on|at|(?:ski|play|climb|runn|cycl|jogg|danc|fall|work|hik|skat|rid|box|lift|train|mov|do|gett|try|jump|surf|swimm|snowboard)ing)\b)", event=True),),
    "join": (_R("member_of", r"(?P<v>(?:an?|the|my|our|local)\b.*)", "club", event=True), _R("member_of", r"(?P<v>(?:an?|the|my|our) .*\b(?:gym|group|class|association|co-op|church|team)\b.*)", event=True), _R("employer", r"(?P<v>(?-i:[A-Z])[\w&.-]+(?: (?-i:[A-Z])[\w&.-]+)*).*", event=True)),
    "switch": (
        _R("diet", r"(?:over )?(?:to|auf) ", "diet", event=True), _R("uses", r"(?:over )?(?:(?:from|von) .{2,30} )?(?:to|auf) (?P<v>(?:an? |decaf|oat|tea|linux|mac|android|(?-i:[A-ZÄÖÜ])).*)", event=True), _R("job", r"(?P<v>(?:jobs|careers|teams|companies)\b.*)", event=True)),
    "found": (_R("job", r"(?=(?:an?|my|our|my own|eine?n?)\b)", "business club", event=True),),
    "develop": (_R("condition", "", "ill allergy intolerance", event=True),),
    "qualify": (_R("degree", r"(?P<v>as .*)", event=True),),
    "expect": (_R("expecting", r"(?P<v>(?:an?|our|my|twins|unser|ein|\w+ling\w*).{0,15}(?:baby|child|twins|first|second|third|girl|boy|kind|erstes|zweites|drittes|nachwuchs)?\b.*)", "child"), _R("expecting", r"(?P<v>(?:our|my) (?:first|second|third|fourth).*)"), _R("expecting", r"(?P<v>(?:in|nachwuchs|zwillinge|unser)\b.*)")),
    "study at": (_R("school", ""),),
    "call": (_R("name", r"(?P<v>(?-i:[A-ZÄÖÜ])[\w'-]+(?: (?-i:[A-ZÄÖÜ])[\w'-]+)?)"),),
    "nourish": (_R("diet", r"(?:(?:mich|uns) )?(?:überwiegend |meist |rein |komplett )?(?=.)", "diet"), _R("diet", r"(?:mich|uns)(?= )")),
    "get (de)": (_R("expecting", r"(?P<v>.*)", "child"), _R("retired", r"(?P<v>.*\brente\b.*)"), _R("takes_medicine", "", "med")),
    "stand": (_R("likes", r"(?:total |sehr |voll )?auf (?P<v>(?!(?:dem|der|einer|einem|jeden)\b)\w+.*)"), _R("sleep", r"(?P<v>.*\b(?:um|gegen|früh|vor)\b.*auf\b.*)")),
    "hear": (_R("likes", r"(?P<v>(?:viel|gern|gerne|meist|am liebsten|fast nur|nur)\b.*|mostly .*)"),),
    "listen": (_R("likes", r"(?:mostly |only |mainly |a lot )?to (?P<v>(?!(?:you|me|it|this|that|him|her)\b).+)"),),
    "watch": (_R("likes", r"(?P<v>(?:a lot of|mostly|only|too much|too many|loads of) .+)"),),
    "sit": (_R("condition", r"(?P<v>(?:im|in a|in the) (?:rollstuhl|wheelchair)\b.*)"), _R("member_of", r"(?P<v>(?:on the|im) (?:board|council|committee|vorstand|gemeinderat|elternbeirat)\b.*)")),
    "break up": (_R("marital_status", r"(?P<v>.*)", ends=True),),
    "find": (
        _R("dislikes", r"(?P<v>(?!(?:it|this|that|them|these|those|myself|him|her|you|the (?:code|answer|text|output))\b)[\w' -]{3,50}?) (?:so |really |very |quite |utterly |absolutely |completely )*(?:excruciating|unbearable|insufferable|tedious|boring|exhausting|stressful|overwhelming|disgusting|revolting|creepy|depressing|tiresome|draining|terrifying|dull|off-putting)$", positive=False),
    ),
    "know": (_R("speaks", "", "lang"), _R("can", r"(?P<v>(?:some|a bit of|a little|basic|only|enough|no|zero) [\w-]+$|my way around .*)"), _R("can", r"(?P<v>how to (?:swim|drive|cook|sew|knit|ski|ride|code|weld|read music|dance|sail)\b.*)")),
    "touch": (_R("eats", r"(?P<v>(?!(?:it|that|this|base|the (?:code|file|rest))\b).+)"),),
    "serve": (_R("job", r"(?P<v>(?:in|on|as|with) .+)"),),
    "walk": (_R("condition", r"(?P<v>with a (?:cane|stick|limp|walker|frame|rollator)\b.*)"), _R("does_regularly", r"(?P<v>.+)", frequent=True)),
    "hold": (_R("degree", "", "degree licence study"),),
    "help": (_R("does_regularly", r"(?P<v>(?:out )?(?:at|with|in) .+)", frequent=True),),
    "babysit": (_R("does_regularly", r"(?P<v>.+)"),), "deliver": (_R("job", r"(?P<v>(?:parcels|packages|mail|post|food|pizzas?|papers|newspapers|groceries|babies|for)\b.*)"),), "repair": (_R("does_regularly", r"(?P<v>(?:old |vintage |antique |bikes|clocks|watches).*)"),),
    "meet": (), "split": (_R("marital_status", r"(?P<v>(?:in|last|with|from|years?|a|two|three|\d|$).*)", ends=True), _R("marital_status", r"(?=$)", ends=True)),
    "can": (_R("can", r"(?P<v>.+)"),),
    "separate": (_R("marital_status", r"(?P<v>(?!(?:by|into|with|using|out|them|it|each|all|the|every|these|durch)\b).*)", event=True),),
    "have": (), "be": (),
}  # fmt: skip
"""Meanings of a verb with what follows it, in order; each verb includes its synonyms in both languages."""

_ENGLISH = (
    "live stay:live reside settle relocate:move emigrate:move rent own possess:own drive ride work intern:work teach tutor:teach manage lead:manage run study major:study attend speak understand learn play"
    " take need wear eat drink smoke vape:smoke like love:like enjoy:like adore:like dig:like prefer hate dislike:hate detest:hate despise:hate loathe:hate avoid shun:avoid fear stand:endure bear:endure stomach:endure"
    " abide:endure tolerate use collect volunteer coach practise practice:practise train retrain sleep wake go carry do keep weigh come hail:come grow support suffer struggle identify care sing belong commute homeschool"
    " co-found specialise specialize:specialise breed move become turn start begin:start join quit leave drop get buy purchase:buy sell lose adopt retire graduate finish complete:finish pass marry wed:marry"
    " divorce separate split break fracture:break sprain:injure tear:injure injure twist:injure dislocate:injure switch found develop qualify expect open launch:open be have listen watch sit raise:keep rear:keep"
    " foster:adopt inherit:buy build:found know touch serve walk hold help babysit deliver repair find"
).split()
"""Verbs and the verb that each is treated as."""
_IRREGULAR = {
    "drive": "drove driven", "ride": "rode ridden", "teach": "taught", "run": "ran running", "speak": "spoke spoken", "understand": "understood", "lead": "led",
    "learn": "learnt learned", "take": "took taken", "wear": "wore worn", "eat": "ate eaten", "drink": "drank drunk", "sleep": "slept", "wake": "woke woken", "go": "went gone",
    "do": "did done", "keep": "kept", "come": "came", "grow": "grew grown", "sing": "sang sung", "become": "became", "begin": "began begun beginning", "quit": "quit quitting",
    "leave": "left", "find": "found finding", "get": "got gotten getting", "buy": "bought", "sell": "sold", "lose": "lost", "break": "broke broken", "tear": "tore torn", "found": "founded", "stand": "stood",
    "bear": "bore borne", "have": "had", "be": "was been being", "wed": "wed", "split": "split splitting", "drop": "dropped dropping", "sit": "sat sitting", "prefer": "preferred preferring",
    "dig": "dug digging", "know": "knew known", "hold": "held", "breed": "bred", "build": "built", "rent": "", "swim": "swam swum swimming", "read": "read", "write": "wrote written", "knit": "knitted knit knitting", "jog": "jogged jogging",
    "draw": "drew drawn", "fly": "flew flown", "meet": "met", "travel": "travelled travelling", "shop": "shopped shopping", "hike": "", "throw": "threw thrown", "wean": "", "sew": "sewed sewn", "plan": "planned planning", "row": "", "commit": "", "bet": "", "scuba-dive": "", "dive": "dove",
}  # fmt: skip
HOBBIES = frozenset(
    "knit sew surf ski snowboard meditate sail brew climb hike cycle garden jog swim paint draw sketch bake dance fish kayak crochet weave juggle skate fence boulder"
    " box paddle birdwatch woodwork quilt embroider blog stargaze forage homebrew stricken nähen malen zeichnen backen wandern klettern schwimmen segeln angeln tanzen joggen bouldern reiten"
    " töpfern imkern gärtnern häkeln musizieren fotografieren radeln meditieren paddeln surfen turnen scuba-dive dive kochen".split()
)
"""Verbs that tell a hobby by themselves."""
FREQUENT_ONLY = frozenset(
    "read write cook walk travel camp program code stream exercise nap journal fast pray babysit shop visit call bike lift putzen lesen schreiben besuchen reisen spazieren telefonieren helfen treffen feiern"
    " schauen trinken garden clean iron volunteer".split()
)
"""Verbs that tell a habit where the clause says how often."""
DULL = frozenset(
    "get try see need make know think say find look feel ask hope give tell show mean keep want send add put let guess wonder thank end create update fix check click open test change happen appreciate use set install"
    " agree bet doubt suppose wish expect remember forget understand talk imagine believe notice receive include follow seem hear lose miss run worry love like assume realise realize consider struggle confuse mess regret laugh cry sit disagree told said thought felt heard paid chose won lent sent spent met made caught brought forgot again fancy envy admire accept sure shoudl smell sound taste sense force lke liek dont't fell hit shot shut spoke stuck wrote took gave saw knew ate drank left lost broke woke grew drew flew threw became began ran swam sang sat stood understood built dealt meant slept kept swore wore stole sold rode rose hid bit fed led read love enjoy recommend suspect mind care matter wait stay stop start begin finish continue keep save copy paste print type hit run load import export deploy commit push pull merge build compile debug refactor handle pass return define declare implement generate compare calculate count sort filter parse store fetch serve connect log post submit upload download attach share email message text reply respond answer explain describe mention discuss review edit rewrite translate summarize format convert replace remove delete move pick choose decide figure manage miss lack deserve owe prefer cannot last found anticipate recall place request acknowledge admit trust rely prioritize prioritise envision propose devote achieve offer confirm insist demand observe investigate wouldnt couldnt shouldnt thik possess implement ignore must should could would might may will shall gotta wanna plan intend aim fear dread apologize apologise apologies refer quote cite assume presume estimate reckon picture imagine quickly accidentally followed fall sound stand gain reach hold bring leave cover spot enter order pay cost budget spend use switch turn got came went".split()
)
"""Verbs that tell no habit, whatever they stand with."""
_GERMAN = """
live wohne wohnen gewohnt wohnte wohn|live lebe leben gelebt lebte leb|move ziehe ziehen gezogen zog zieh|move - umziehen umgezogen -|move - - hingezogen -|move_out - wegziehen weggezogen -|move_out - ausziehen ausgezogen -|move - auswandern ausgewandert -
move - übersiedeln übersiedelt -|rent miete mieten gemietet mietete|own besitze besitzen besessen besaß|drive fahre fahren gefahren fuhr fahr|work arbeite arbeiten gearbeitet arbeitete arbeit|work jobbe jobben gejobbt jobbte
work schaffe schaffen - -|teach unterrichte unterrichten unterrichtet unterrichtete|teach lehre - gelehrt lehrte|manage leite leiten geleitet leitete|run betreibe betreiben betrieben betrieb|run laufe laufen gelaufen lief lauf
run jogge joggen gejoggt joggte jogg|run renne rennen gerannt rannte renn|cycle - radfahren radgefahren -|study studiere studieren studiert studierte|attend besuche - - besuchte|speak spreche sprechen gesprochen sprach sprech|understand verstehe verstehen verstanden verstand
learn lerne lernen gelernt lernte lern|play spiele spielen gespielt spielte spiel|take nehme nehmen genommen nahm nehm|need brauche brauchen gebraucht brauchte|wear trage tragen getragen trug trag
eat esse essen gegessen aß ess|drink trinke trinken getrunken trank trink|smoke rauche rauchen geraucht rauchte rauch|like mag mögen gemocht mochte|like liebe lieben geliebt liebte lieb|prefer bevorzuge bevorzugen bevorzugt bevorzugte
hate hasse hassen gehasst hasste hass|hate verabscheue verabscheuen - -|avoid meide meiden gemieden mied|avoid vermeide vermeiden vermieden vermied|avoid verzichte verzichten verzichtet verzichtete
fear fürchte fürchten gefürchtet fürchtete|tolerate vertrage vertragen - vertrug vertrag|use nutze nutzen genutzt nutzte|use benutze benutzen benutzt benutzte|use verwende verwenden - -|collect sammle sammeln gesammelt sammelte sammel
volunteer engagiere engagieren engagiert engagierte|coach trainiere trainieren trainiert trainierte|train übe üben geübt übte|retrain - umschulen umgeschult -|sleep schlafe schlafen geschlafen schlief schlaf
wake - aufwachen - -|go gehe gehen gegangen ging geh|do mache machen gemacht machte mach|keep halte halten gehalten hielt|keep züchte züchten - -|weigh wiege wiegen - wog wieg|come komme kommen - kam komm
come stamme stammen - stammte|grow_up - aufwachsen aufgewachsen -|suffer leide leiden gelitten litt leid|care pflege pflegen gepflegt pflegte|sing singe singen gesungen sang sing|commute pendle pendeln gependelt pendelte pendel
become werde werden geworden wurde|start beginne beginnen begonnen begann|start fange - - fing fang|start - anfangen angefangen -|open eröffne eröffnen eröffnet eröffnete|quit kündige kündigen gekündigt kündigte
quit - aufhören aufgehört -|drop_out breche - - brach|drop_out - abbrechen abgebrochen -|quit höre - - hörte|buy kaufe kaufen gekauft kaufte|buy - zulegen zugelegt -|buy - anschaffen angeschafft -|buy hole holen geholt holte|sell verkaufe verkaufen verkauft verkaufte
lose verliere verlieren verloren verlor|adopt adoptiere adoptieren adoptiert adoptierte|finish - abschließen abgeschlossen -|finish schließe - beendet -|pass - bestehen bestanden -|marry heirate heiraten geheiratet heiratete
separate trenne trennen getrennt trennte|divorce - scheiden geschieden -|break breche - gebrochen -|injure - - verstaucht -|injure - - gezerrt -|injure - - gerissen -|found gründe gründen gegründet gründete
join - beitreten beigetreten -|switch steige - - -|switch - umsteigen umgestiegen -|switch wechsle wechseln gewechselt wechselte|expect erwarte erwarten - -|nourish ernähre ernähren ernährt -|get_(de) kriege kriegen gekriegt -|get_(de) bekomme bekommen - bekam bekomm
stand stehe stehen gestanden stand steh|hear höre hören gehört hörte hör|be bin sind gewesen war|have habe haben gehabt hatte hab|call heiße heißen geheißen hieß|sit sitze sitzen gesessen saß|retire - pensionieren pensioniert -|belong gehöre gehören - gehörte
knit stricke stricken gestrickt strickte|sew nähe nähen genäht nähte|paint male malen gemalt malte|draw zeichne zeichnen gezeichnet zeichnete|bake backe backen gebacken backte|hike wandere wandern gewandert wanderte
climb klettere klettern geklettert kletterte|swim schwimme schwimmen geschwommen schwamm|sail segle segeln gesegelt segelte|fish angle angeln geangelt -|dance tanze tanzen getanzt tanzte|ride reite reiten geritten ritt|cook koche kochen gekocht kochte
read lese lesen gelesen las|write schreibe - geschrieben schrieb|crochet häkle häkeln gehäkelt -|boulder bouldere bouldern gebouldert -|surf surfe surfen - -|cycle radle radeln geradelt -|meditate meditiere meditieren meditiert -|visit besuche besuchen besucht besuchte|clean putze putzen geputzt -|garden gärtnere gärtnern - -
want will wollen gewollt wollte|would_like möchte möchten - -|can kann können - konnte|may darf dürfen - durfte|must muss müssen - musste|should soll sollen - sollte|plan plane planen geplant plante|fly fliege fliegen geflogen flog flieg|travel reise reisen gereist reiste|spend verbringe verbringen - -|save spare sparen gespart sparte
apply bewerbe - - -|photograph fotografiere fotografieren fotografiert -
"""
PRESENT, PAST_TENSE, DONE, ING, BASE = "present", "past", "done", "ing", "base"


def _lemma(word: str) -> str:
    return word.replace("_", " ")


@cache
def english() -> dict[str, tuple[str, str]]:
    """Returns the verb and the tense of each English form."""
    forms: dict[str, tuple[str, str]] = {}
    for entry in [
        *_ENGLISH,
        *(v for v in HOBBIES | FREQUENT_ONLY if not v.endswith(("en", "ln", "rn")) or v in ("garden",)),
    ]:
        word, _, lemma = entry.partition(":")
        lemma = _lemma(lemma or word)
        stem = word[:-1] if word.endswith("e") and word != "be" else word
        regular = f"{word[:-1]}ied" if word.endswith("y") and word[-2] not in "aeou" else f"{stem}ed"
        pasts = [f for f in _IRREGULAR.get(word, "").split() if not f.endswith("ing")] or [regular]
        ings = [f for f in _IRREGULAR.get(word, "").split() if f.endswith("ing")] or [f"{stem}ing"]
        third = (
            f"{word[:-1]}ies"
            if word.endswith("y") and word[-2] not in "aeou"
            else f"{word}es"
            if word.endswith(("o", "s", "x", "ch", "sh"))
            else f"{word}s"
        )
        for form in pasts:
            forms.setdefault(form, (lemma, PAST_TENSE))
        for form in ings:
            forms.setdefault(form, (lemma, ING))
        if word not in ("quit", "split", "wed"):
            forms[word] = (lemma, BASE)
        forms.setdefault(third, (lemma, "third"))
        forms.setdefault(word, (lemma, PAST_TENSE))
    forms |= {
        "left": ("leave", PAST_TENSE),
        "started": ("start", PAST_TENSE),
        "read": ("read", BASE),
        "been": ("be", DONE),
    }
    for form in ("be", "being", "was", "were", "have", "has", "had", "having", "do", "does", "did", "founds"):
        forms.pop(form, None)
    return forms


@cache
def german() -> dict[str, tuple[str, str]]:
    """Returns the verb and the form (present, past, done, or base for infinitive and plural) of each German form."""
    forms: dict[str, tuple[str, str]] = {}
    for entry in _GERMAN.replace("\n", "|").split("|"):
        if not entry.strip():
            continue
        lemma, first, plural, done, past, *short = entry.split()
        for form, tense in (
            (first, PRESENT),
            (plural, BASE),
            (done, DONE),
            (past, PAST_TENSE),
            *((s, PRESENT) for s in short),
        ):
            if form != "-":
                forms.setdefault(form, (_lemma(lemma), tense))
        if past != "-":
            forms.setdefault(f"{past}n" if past.endswith("e") else f"{past}en", (_lemma(lemma), PAST_TENSE))
    return forms


@cache
def _gerunds() -> dict[str, str]:
    """Returns the English form in -ing of each verb."""
    return {verb: form for form, (verb, tense) in reversed(english().items()) if tense == ING}


def gerund_of(infinitive: str) -> str | None:
    """Returns the English form in -ing of a German infinitive: what "Schwimmen" is called, "swimming"."""
    verb, form = german().get(infinitive.casefold(), ("", ""))
    return _gerunds().get(verb) if form == BASE else None


@lru_cache(1024)
def pattern(text: str) -> re.Pattern[str]:
    """Returns a compiled pattern that ignores case."""
    return re.compile(text, re.IGNORECASE)
