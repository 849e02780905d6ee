"""False claims that the rules find, by attribute and wording: nobody meant them about themselves."""

from __future__ import annotations

import re

from holdfast.core.claims import Claim
from holdfast.language.claims.lexicon import CLASS_OF, head_of
from holdfast.language.claims.verbs import DONE, PAST_TENSE, english, pattern

_MOMENT = r"(?:it|that|this|these|those|them|you|your|yours|the ones?|option|version|variante?) ?(?:\b.{0,12})?$|(?:this|these|your|dies\w*|dein\w*) |the (?:[\w-]+ )?(?:one|ones|chapter|option|version|part|line|paragraph|approach|answer|design|draft|example|file|code|tests?|script|output|layout|wording|tone|show|game|movie|film|song|sound|idea)\b|to bother|it (?:if|when|how)\b"
_TASK = r".*\b(?:you|this|link|page|website|site|error|bug|it|that|code|file|essay|email|dich|dir|diese\w*)$|.*\b(?:problems?|questions?|exercises|phrases|strateg\w+|feedback|meetings|communication|this|your|you|the (?:error|bug|code|file|link)|link|diese\w*)\b"
_VALUES: tuple[tuple[str, str], ...] = (
    ("", _MOMENT),
    ("", r".*\b(?:oder nicht|or not)$"),
    ("nationality", r"(?:in |plain |simple )"),
    ("plan other habit", _TASK),
    ("favourite", r".*\b(?:is|are) (?:closed|open|gone|broken|down|over|back|dead|missing|out|shut)\b|part\b"),
    ("plan_purchase", r".*\b(?:tickets?|seats?|cab|taxi|ride|drink|coffee|latte|mocha|espresso|americano|please|for (?:tonight|dinner|lunch)|groceries|milk|bread)\b"),
    ("plan_travel", r".*\b(?:restaurants?|events?|concerts?|games?|shows?|movies?|hotel|clubs?|bar|appointment|airlines?|the car|one way)\b|(?:go|travel|visit|leave|return)(?:ing)? on \b|the \w+$"),
    ("plan_event", r".*\bevents?\b|(?:start|begin)\w* (?:with|by|from)\b|trip$"),
    ("plan_study", r".*\b(?:payment|card)\b"),
    ("plan", r".*\b(?:all set|for now|next draft|thursday|wednesday|tuesday|monday|friday|departing|leaving)\b"),
    ("from", r".*\d|(?:.* )?to\b|with\b|\w+ing\b|(?!(?:the |a |an |der |dem |den |einem |einer |near |nahe )?(?-i:[A-ZÄÖÜ]))"),
    ("lives_in from", r"(?:(?:unter|zur )?miete|armut|haushalt|hause|wohlstand|eigentum|handwerk|\w{2,}(?:ung|heit|keit|schaft|zeit|pacht|dienst|nähe))$"),
    ("lives_in", r"(?:neither|both|either|which|abroad)\b|(?:the|a|my|our|this|dem|der|im)? ?(?:store|memory|file|folder|database|app|code|house|haus|office|middle|loop|server)\b|(?-i:[A-Z]{2,}$)|(?:Check|Without|With|Add|Use|Read|Write|Fix|Make|Keep|Let|See|Note|Thanks|Also|Then|Now)\b"),
    ("employer", r"(?:an? |the )?(?:\w+ ){0,3}(?:triangle|project|problem|data\w*|file|code|version|system|team|client|group|partner)\b"),
    ("works_as", r"(?:an? )?(?:no|one|every|each|top|bad|made|probably|named|rules|bisectors?|on|perhaps|offer|market|applications?|shows?)\b|.*\b(?:players?|agents?|workers?)$"),
    ("gender", r".*\bbad\b"),
    ("likes prefers plan_travel", r".*\b(?:economy|tickets?|seats?|one[- ]way|round trip|non-?stop|layover|(?:shared|luxury|regular|pool) ride|check[- ]?in|hotel|single room)\b|(?:a |the )?(?:small|compact|full-size|larger?|cheaper|nearby|earlier|later) \w+$|aroun\w+ |in \w+,"),
    ("likes prefers dislikes fan_of", r"(?:the|this|that|these|those) (?:music|movies?|films?|songs?|games?|books?|albums?|product|league|originals?|sounds?\b.*|looks? of\b.*|idea of that\b.*|combat system|trailer|plot|story|acting|team|show|shows|player|players|way\b.*)$|(?:that|this|these|those) \w|(?:one|a lot|lots|many|some|several|most|all) (?:from|of (?:albums?|songs?|movies|characters|things|it|them))\b|many \w+$|to (?:go around|search|find|see (?:some|a|the)|attend|pick|get|know|hear (?:some|that|it)|visit|stay|be|do|have)\b|get\b|(?:match |sports? |music |games? )?events?\b"),
    ("plan_move", r"(?:to )?(?:move|moving(?: out)?|relocat\w+)$"),
    ("likes prefers", r"an? (?!(?:good|nice|bit|proper|decent|cold|hot|strong|quiet|challenge)\b)|to (?:rent|leave|depart|return|fly|take|watched|buy|order|use|try|start)\b"),
    ("likes dislikes prefers fan_of", r"(?:in|on|at|from|with|when|how|that|if|as|than|of|about|for|there|all|yeah|no|yes)\b"),
    ("dislikes", r"(?:a lot of|much|too much|many|any)\b"),
    ("housing", r".* than\b"),
    ("can", r"(?:an?|the|this|either|any|whatever|some about) "),
    ("plan_travel", r"visit(?:ing)? (?:an? |the |some )?(?:\w+ )?(?:doctor|dentist|psychologist|therapist|salon|museum|attraction|park|place|gynecologist|physiotherapist)\b"),
    ("experience", r"(?:no |any )?experience$|(?:the |this |your )?(?:area|here|this|town|city|site|app)$"),
    ("likes dislikes prefers", r"(?:yea|the others?|watching|reading)$|yea |\w+ing (?:him|her|us)$|(?:the )?\d+(?:st|nd|rd|th)\b"),
    ("does_regularly", r"\S+ (?:them|it|this|that)$"),
    ("plan_travel", r".*\b(?:that|this|those|these|it|there)\b"),
    ("plan", r"(?:like|love|prefer)\b"),
    ("plan_job plan_travel plan_move plan_event", r"(?:like|love|prefer)\b"),
    ("can", r"shared\b"),
    ("plan", r"leave \S+$"),
    ("plan_move", r"move from\b|.* then$"),
    ("plan_purchase", r".*\b(?:car at|at \w+ \d)"),
    ("works_as", r"(?:poor|sign|hey|thanks?|good|great|nice|many|most|all)\b|\w+s in (?-i:[A-Z])"),
    ("partner", r"going out with (?:an? |my |some )?(?:friends?|colleagues?|co-?workers?|mates?|family|kids?)\b"),
    ("lives_in", r"(?-i:[A-Z])\w*\d\w*$"),
    ("diet", r"in the mood\b"),
    ("smokes", r".*\b(?:former|ex|ehemalig\w*)\b"),
    ("condition", r"only \w+ fears"),
    ("gender", r".*\d(?! ?-?year)|(?:\S+ ){4}"),
    ("relative sibling parent", r"(?:\S+ ){7}"),
    ("kin_fact", r"s \w+ed \w+ \S+ (?:has|is|was)\b"),
    ("condition", r"(?:any )?nostalgia\b"),
    ("plan_travel", r"(?:go|travel|get|drive)(?:ing)? (?:to \d|from\b)|be (?:flying|leaving|traveling|travelling|visiting)\b|visit(?:ing)? some\b"),
    ("studies degree", r"(?:only |just |about )?(?:\d+|two|three|four|five|one) (?:years?|months?)\b"),
    ("learning", r"(?:in|at|on|from|up)\b"),
    ("member_of", r"in a group of \w+\b"),
    ("partner", r"(?:\w+ )?(?:travel|running|training|dance|debate|writing|project|gaming|sparring|crime|chat|conversation|discussion|exchange|life insurance) partner"),
    ("owns drives pet plays can", r".*\b(?:for|with|to) you\b|(?:\d+ )?(?:options?|results?|cars? available|choices?|matches)\b"),
    ("can plays", r"(?:a (?:little|bit|lot)|some|it|that|both|either|well|too)$|.*\b(?:on (?:the )?tv|for you|this song|that song|the song)\b|some of\b|a (?:little|bit|lot) about\b"),
    ("diet", r"(?:something|anything|a|an)\b(?! .*\b(?:free|carb|vegan|vegetarian|keto|fodmap)\b)"),
    ("marital_status", r"an? (?:single|double)$"),
    ("fears", r"horror$"),
    ("owns", r".*\b(?:account|number|speaker|answer|files?|restaurants?|hotels?|apartments|on the menu|pipeline|rental|that you|that fit)\b|(?:phone|laptop|computer|passport|card|garden|phone is|speaker|screen|keyboard|mouse|desktop|server|website|blog|rechner|handy|drucker|monitor|bildschirm|tastatur|pc)$"),
    ("does_regularly", r"(?:reader|writer|member|user)s?$|.*\b(?:hear|heard|require|certainly|see most|something|read any)\b|for the (?:interview|exam|test)"),
    ("studies", r"(?:my |the )?(?:partner|group|guide|plan|session)\b"),
    ("partner", r"(?:\w+ )?(?:study|business|trading|gym|lab|romantic|sparring) partner|(?:study|business|trading|gym|lab) "),
    ("eats drinks", r"(?:voluntary|another|more)\b"),
    ("speaks can", r".*\b(?:some stuff|stuff about|how|females|people)\b|that\b"),
    ("likes prefers", r"(?:the radio|probably|clear|simple|to (?:use|play the|share)|at \w+|is )\b"),
    ("member_of", r"in a group of one"),
    ("sport plays", r"(?:every|the movie|the song|the video|it)\b"),
    ("avoids", r"(?:burnout|mistakes|errors|problems|issues|confusion|misunder\w+|conflicts?)\b"),
    ("marital_status", r".*\bsingle (?!mum|mom|dad|father|mother|parent|again|and|since|for|woman|man|life|now)\w+"),
    ("job", r"(?:company|firm|team|firma|boss|manager|supervisor|chef|chefin)$"),
    ("called name", r"(?:he|she|it|they|we|you|this|that|which|who|what|nothing|everything|er|sie|es|das|wer|wir|ihr)$"),
    ("lives_in", r"(?:by )?(?:its|their|your|his|her|the (?:rules?|book|motto|idea|cloud|repo\w*|browser|terminal|backend|frontend)|a (?:different|new|separate) (?:branch|file|folder|module|server|repo\w*))\b"),
    ("lives_in plan_move", r"(?:move |moving )?(?:to |auf |zu )?(?:postgres\w*|mysql|sqlite|mongo\w*|redis|kubernetes|docker|git\w*|aws|azure|gcp|slack|teams|linux|ubuntu|debian|windows|mac\w*|python|rust|typescript|javascript|react|vue|node|java|kotlin|go|terraform|jira|notion|figma|excel|vs ?code|vim|emacs|jest|pytest|v?\d[\w.]*|production|staging|phase \w+|step \w+|part \w+|chapter \w+|section \w+)\b"),
    ("works_in employer", r"(?:an? |einem |einer |einen |the |dem |der )?(?:[\w-]+ ){0,2}(?:skript|script|projekt|project|pipeline|feature|bug|paper|thesis|essay|report|story|novel|game|website|app|prototype|code|datei|file|text|bericht|aufgabe|task|module?|parser|dashboard)\b"),
    ("unemployed", r"sounds\b"),
    ("condition", r"of an?\b|.*\d ms\b"),
    ("child", r"(?:favou?rite |problem )child|teens$"),
    ("child", r"(?:inner|wild|poster) child"),
    ("likes dislikes prefers avoids", r"\w+ing (?:it|them|this|that|these|those)\b(?! (?:when|if|that|how|because)\b)"),
    ("habit", r".*\b(?:on|an) (?:the |den )?(?:days|tagen)$"),
    ("does_regularly", r"\w+ (?:is|ist) (?:my|our|mein|unser)\w* (?:very )?(?:last|first|second|third|final|next|letzte|erste|zweite|dritte|nächste)\w*\b"),
    ("work_hours", r"(?-i:[A-ZÄÖÜ])\w+ (?:part|full|half|teil|voll|halb)[\w-]*\b"),
    ("likes", r"to (?:travel|check in|book|reserve|eat (?:at|in)|watch (?:an?|the|it)|listen (?:to )?(?:some|nice|the)|list)\b|(?:some|one|both|all|none) of (?:it|them|these|those)\b|(?:mine|his|hers|theirs|yours)$|(?:an? |the )?(?:\w+ )?ride$|(?:the|that) (?:bit|restaurant|place|hotel|idea)\b"),
    ("likes dislikes prefers", r".*\byou(?:r|rs)?\b|(?:their|his|her|its) \w|(?:the|all the) (?:\w+ )*(?:idea|one|same|sport|vibe|photo|pic|picture|colou?rs?|tattoo|pose|poses)\b|(?:the )?\w+ (?:much )?(?:better|more|best)$|(?:a (?:great|good) deal|a lot|far|way|much) (?:better|more)$|(?:him|her|a couple of them|a lot of it|a few of \w+|want to)\b|.*\bon the \d|each other|(?:to be|to come) (?:back|on|there|here)\b"),
    ("child parent pet", r"as an?\b|.*\b(?:kinds?|worth it|is awesome)\b|(?:.* )?(?:purchase|phase|one-time)\b"),
    ("plan", r"(?:rent|book|reserve)\b|.*\bas soon$|(?:come|be) back\b"),
    ("plan_travel", r"tourist\b"),
    ("does_regularly", r"to (?:the|a|an|your|this) (?:\w+ )?(?:website|site|page|link|url|store)\b"),
    ("marital_status", r"engaged (?:in|with)\b"),
    ("can", r"(?:good|great) with\b|(?:shared|the) ride\b"),
    ("instruction", r"(?:stop|quit|do not|don't) \w+.*\b(?:and (?:just |start |present|provide|send|show|give)|now|if (?:i|i'm|it's|we|they)\b|what you)"),
    ("lives_in", r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|caffeine|coffee)\b"),
    ("owns", r"(?:an? |the |my )?(?:\S+ ){0,4}(?:events?|flights?|airlines?|appointments?|reservations?|venue|clue|idea|question|interest|feeling|Erkältung|Ahnung|Lust|Zeit)\b"),
    ("does_regularly", r"(?:respect|suggest|supervise|loop|had|did|war|the(?! \w+ (?:every|each|most|on)\b)|call (?:him|her|it|them)|much (?:thanks|dislike))\b"),
    ("works_as", r"(?:an? )?(?:owner|reader|row|another one|joiners?|admin)\b"),
    ("works_as", r"(?:sure|drin|deshalb|das|dass|all|robuster|(?:a )?(?:highly |very )?motivated)\b|.*\bpassion for\b"),
    ("spouse partner marital_status", r".*\b(?:my|the|mein\w*|dem|der) (?:laptop|computer|job|work|phone|desk|career|couch|sofa|bed|code|keyboard|arbeit|handy|rechner|schreibtisch|bett|beruf)\b"),
    ("diet eats drinks", r".*\b(?:despair|hope|tears|spite|memes|anxiety|stress|rage|verzweiflung|hoffnung|tränen|luft und liebe|wut)\b"),
    ("allergy", r"(?:(?:to|gegen) )?(?:mondays?|montage?|work|meetings?|nonsense|stupid\w*|bullshit|people|arbeit|dummheit|menschen|bürokratie)\b"),
    ("degree studies", r".*\b(?:procrastinat\w+|overthinking|sarcasm|aufschieben|prokrastinieren|nichtstun|googl\w+)\b"),
    ("diet", r".*\bzu$"),
    ("does_regularly", r"(?:wold|wo?uldve|would've|couldve|shouldve|havn?t|havent|dont|better|pictures)\b|.*\b(?:is|are) (?:too \w+|open|closed|free|busy|full|fine|good|ok|okay|for other things)\b|head$|prefet\b|to (?-i:[A-Z])\w+$|(?:read|seen|heard) (?:a lot|much|some) .*\b(?:them|it|that|this)$|\d{3}"),
    ("works_as", r"(?:name|call) (?:it|the|this)\b|specifically\b|featuring\b|(?:search|find|book) (?:an?|the)\b|.*(?:\b(?:term|project|ticket holder)\b|\bat \d)"),
    ("likes dislikes prefers fan_of", r"(?:they|we|he|she|some|it|there) ?(?:$|(?:even|are|is|was|were|do|did)\b)|(?:still|just|only) it$|our (?:\w+ )?(?:chat|games?|talk|conversation)\b|(?:the )?(?:guy|house|name|comments?|technology|(?:little |fun )?facts?)$|(?:some|lots? of) (?:stuff|those|these|them)$|yourself\b|.*\bon \d+(?:st|nd|rd|th)\b|to (?:ride|reserve|go (?:see|with|to|and)|check|hear)\b|.*\b(?:like|that|with|by|than|from|of|in|at|for)$"),
    ("fan_of", r"(?:pretty|very|really|quite) \w+$"),
    ("fears", r"(?:them|him|her|it)\b"),
    ("employer", r"(?:a few|a couple of|some|many|lots of|several) (?:people|guys|men|women|folks|others)\b"),
    ("expecting", r"in \d+ (?:minutes?|hours?)\b"),
    ("degree", r"from the same\b"),
    ("prefers", r"(?:another|a different|the (?:other|next|first|second|last)) \w+$|(?:two|three|four|five|six|seven|eight|regular|\d+)\b|.*\bon (?:the )?(?:\d|(?:january|february|march|april|may|june|july|august|september|october|november|december) \d)|(?:movie|film|song|album|restaurant|hotel) \w"),
    ("likes", r"(?:movie|film|song|album) (?:with|by|directed|called|from|named|(?-i:[A-Z]))"),
    ("plan plan_event plan_travel plan_move", r"(?:attend|go|visit|see|come|join)(?:ing)?$|visit(?:ing)? (?:her|him|them)\b|events?\b|be (?:going|visiting|attending)\b|have my (?:hair|nails)\b|.*\b(?:on|making|doing|see) (?:that|it|this|the) next(?: one)?\b|(?:\w+ on|working on) (?:that|it|this)\b|go to is\b"),
    ("plan_move", r"move (?:[$€£\d]|(?:one|two|three|four|five|six|seven|eight|nine|ten|some|all|my) (?:\w+ )*(?:dollars?|bucks?|money|thousand|hundred|files?|data)\b)"),
    ("studies degree", r"not\b|much about\b|.*\bnever knew\b"),
    ("school", r"school (?:way|after|before|and|but|so)\b"),
    ("member_of", r"(?:realize|know|think|believe|mean)\b|in the team\b"),
    ("hobby", r"(?:at|in|on|with) \w"),
    ("condition", r"(?:interesting|weird|funny|strange|hard|tough|odd) being\b"),
    ("plays", r"any ?more$|against\b|[\d.]+ (?:billion|million|hours|minutes)\b"),
    ("owns", r"(?:a )?(?:couple|few|pair)$|\d+ (?:\w+ )?(?:vehicles|cars|options|movies|songs|events)\b|.*\b(?:available|rating)\b|(?:a |an )?(?:\w+ )?(?:latte|coffee|tea|espresso|mocha|americano|cappuccino|pizza|burger)$"),
    ("plan_move", r"(?:move |moving )(?:to )?(?:the )?(?:next|last|other|another) \w+$"),
    ("lives_in", r"from\b"),
    ("pet", r".*\bat \d"),
    ("work_hours", r"\d+ songs\b"),
    ("plan", r"their\b"),
    ("plan_purchase", r".*\brental\b"),
    ("plan", r"(?:an? )?(?:\w+ )?(?:restaurant|hotel|movie|concert|event|salon)s?\b|\w+ing by$"),
    ("can", r"play (?:her|his|their|the|it|you)\b"),
    ("job", r"search\b"),
    ("kin_fact", r"hat (?:mir|mich|uns) (?:\w+ )?(?:erzählt|gezeigt|gesagt|geschrieben|geschickt|gefragt|empfohlen|geraten|gebeten)\b|(?:war|ist|is|was|has been)\b.*\b(?:vorgestern|gestern|yesterday|this morning|heute (?:morgen|früh))\b|is on my \w+$"),
    ("kin_fact", r"(?:knows|likes|loves|love|is addicted to) (?:it|that|this|them)\b"),
    ("goal", r"(?:to )?(?:have|get|improve|create|reach|finish|complete|meet|make sure|ensure|implement)\b"),
)  # fmt: skip
_QUOTES: tuple[tuple[str, str], ...] = (
    ("works_as", r"(?:as (?:the|an? (?:bad|good)|\w+ers)|job (?!is\b|:|as\b))\b"),
    ("owns", r"(?:book|reserve|find|rent|get) me\b|(?:i|we) (?:have|found|also have) \d+ "),
    ("lives_in plan_move", r".*\bmov(?:e|ed|ing) (?:the|a|an|all|it|them|this|that|everything|some|my (?!famil|stuff|life)|our (?!famil|stuff|life))"),
    ("likes", r"enjoy (?:the|your|it|an?)\b|love (?:and|in|is|of|from|for|at|everywhere|you|it|all|the|this|that|to (?:have|see|hear|know))\b"),
    ("lives_in", r"(?:i'm|im|i am|we're|we are|ich bin|wir sind|bin) (?:\w+ )?(?:.*\bfor (?:(?:an?|one|two|three|four|five|six|\d+|the|a few|a couple of) )?(?:days?|nights?|weeks?|weekend|hours?|conference)\b|(?:\w+ ){1,2}(?:tage|nächte|wochen|wochenende|stunden) |(?:at|on|in) the (?:airport|station|train|plane|hotel)|am (?:flughafen|bahnhof))"),
    ("smokes", r"smoking (?!(?:\d|since|for|a|like|weed|too|about)\b)\w"),
    ("does_regularly works_as", r".*\b(?:hob|ned|oba|koa|wia|nia|sog|sogt|trau mi|schimpf|les i)\b"),
    ("condition", r"(?:der|die|das|eine?) \w+ (?:ist|hat|war)\b|(?:ist|hat) |(?:my|mein\w*) \w+ (?:hurts?|aches?|tut weh|tun weh)\b"),
    ("work_hours", r"work from home are"),
    ("instruction", r"(?:i want|i need|i'd like|i would like|i like) you to (?:book|find|locate|play|have|reserve|search|get|buy|order|check|transfer|share)\b(?!.*\b(?:always|whenever|every time|from now)\b)"),
    ("instruction", r"be interested\b|never (?:mind|been|had|have|did|do i|seen|heard|tried|in my|in meinem|got|thought|knew|felt|was|will|would|played|saw|read|watched|went|even|really|minded|said|met|used to|could|can|again will)\b|for your\b|wie immer|as always"),
    ("alcohol", r"(?:or )?drink$"),
    ("instruction", r"correct me if i\b"),
    ("owns", r"have an? (?:great|good|nice|lovely|wonderful|pleasant|blessed|safe|fun|awesome|amazing|beautiful|fantastic|super|happy|enjoyable) \w+$|(?:i|we)(?:'ll| will) have\b"),
    ("likes", r"enjoy (?:watching|listening to|reading|playing) (?-i:[A-Z])|nothing like\b"),
    ("instruction", r"you may be\b|never miss\b|i(?:'d| would) rather you (?:book|find|search|play|get)\b"),
    ("instruction", r"always (?:makes?|keeps?|gets?|gives?) me\b"),
    ("works_as", r"the author of\b"),
    ("name", r"called (?-i:[A-Z])"),
    ("from", r"(?:(?:i|we) )?gr[eo]w(?:ing)? up (?:with|on|watching|reading|playing|listening)\b"),
    ("intolerance", r"react to an? (?:woman|man|person|player|girl|boy|fan)\b"),
    ("lives_in", r"(?:(?:i|we) )?moved? (?:on|onto)\b"),
    ("plays", r"(?-i:Playing [A-Z])"),
    ("works_as", r"(?:it )?started (?:out )?as an? (?:\w+ ){0,3}(?:term|word|project|joke|idea|hobby|game|sport|company|firm|brand)\b|.*\brather be\b"),
    ("instruction", r"can you (?:please )?(?:explain|show|tell|help|give|write|provide|make)\b|(?:below|above|no language|it answers|add yourself|keep what)\b"),
)  # fmt: skip
"""What the value, or the whole quotation, of claims of an attribute or type begins with where it is no claim."""
_BARE_VERB = pattern(
    r"(?:live|stay|read|clean|call|walk|name|count|write|cook|run|every \w+ \w+s)\b(?! )|(?:live|stay|read|clean|call|walk|name|write|run|runs|reads|ends|readers) (?!(?:alone|abroad|nights)\b)"
)
"""Matches a verb that begins a heading or an order rather than what somebody does, unless it goes on from a clause about them."""
_SPEAKS_OF_TALK = pattern(
    r"\b(?:i|me|my|us|our|you|your|answers?|answering|repl\w+|respon\w+|explan\w+|explain\w*|emojis?|language|english|german|tone|sentences?|bullet\w*|lists?|code|examples?|words?|units?|metric|formal\w*|short|brief|concise|jargon|disclaimers?|style|format\w*|summar\w+|markdown|tables?|sources?|links?|steps?|ich|mir|mich|uns|mein\w*|du|dein\w*|antwort\w*|erkl\w+|deutsch|englisch|satz|sätze\w*|kurz\w*|knapp\w*|floskel\w*|duz\w*|siez\w*|sie|tabelle\w*|stichpunkt\w*|liste\w*|beispiel\w*|begriffe?|temperatur\w*|celsius|fahrenheit|gramm?|spelling|preise|einheiten|metrisch\w*|fachbegriffe\w*)\b"
)
_LASTS = pattern(
    r"\b(?:from (?:now|here|today)|going forward|in future|in the future|henceforth|ab (?:jetzt|sofort|heute|nun)|künftig|zukünftig|in zukunft|von (?:nun|jetzt) an|whenever|when i|every time|wenn ich|never (?:suggest|recommend|offer|mention))\b"
)
_FAR = pattern(
    r"\b(?:next (?:year|summer|winter|spring|autumn|fall|month)|this (?:year|summer|winter|spring|autumn|fall)|one day|some ?day|eventually|always wanted|dream\w*|bucket list|ever|for (?:a|two|three|several|\d+) (?:years?|months?|weeks?)|for good|(?:in|over|at|around|before|after) (?:january|february|march|april|may|june|july|august|september|october|november|december|easter|christmas|summer|winter|spring|autumn|the (?:summer|winter|spring|autumn|fall|holidays))(?! \d)|20[2-9]\d|nächste[nsm]? (?:jahr|sommer|winter|frühling|herbst|monat)|dieses jahr|diesen (?:sommer|winter|herbst)|irgendwann|eines tages|für immer|(?:im|über|an|zu) (?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|sommer|winter|herbst|frühling|ostern|weihnachten|silvester)|wochen|monate|urlaub|holiday|vacation|retire\w*|honeymoon)\b"
)
_TO_BOOK = pattern(
    r"(?:i|we)(?:'ll| will| want| need|(?:'d| would| wd)? (?:like|love)|(?:'m| am|'re| are) (?:planning|about)| have)\b"
)
"""Requests to book a journey, and plans of one; a plan also says when (`_FAR`)."""
_ARTICLE = pattern(r"(?:the|an?|its|one|der|die|das|dem|den|einem|einer)\b")
_CAPITAL = re.compile(r"[A-ZÄÖÜ]")
_DWELLING = pattern(
    r"(?:village|town|city|country\w*|suburb\w*|farm\w*|house\w*|flat|apartment|cottage|attic|basement|coast|sea|seaside|island|mountains?|woods|forest|outskirts|north|south|east|west|middle of nowhere|dorf|stadt|land|küste|berg\w*|insel|wald|vorort|altbau|wg|\w*haus|\w*wohnung)\b"
)
"""Places to live in without a name."""
_HABITS_AND_PLACES = frozenset({"lives_in", "from", "does_regularly"})
_BARE = frozenset({"parent", "relative", "friend", "grandparent"})


_NEVER = re.compile(r"(?:never|nie) (?P<v>\w+)", re.IGNORECASE)


def _is_participle(word: str) -> bool:
    """Returns whether a verb after "never" says what was not done, "never worn", and gives no order."""
    if word in ("worn", "driven", "ridden", "eaten", "flown", "swum", "sung", "slept", "ran"):
        return True
    form = english().get(word)
    return form is not None and form[1] in (DONE, PAST_TENSE) and word != "read"


def is_doubtful(claim: Claim, quote: str, *, goes_on: bool = False) -> bool:
    """Returns whether a claim with its quotation says nothing that lasts of the one who wrote it; `goes_on`
    where it follows an "and" in its sentence."""
    names = {claim.attribute, claim.type, ""}
    if any(names & set(of.split(" ")) and pattern(words).match(claim.value) for of, words in _VALUES):
        return True
    if any(names & set(of.split(" ")) and pattern(words).match(quote) for of, words in _QUOTES):
        return True
    if not goes_on and claim.attribute in _HABITS_AND_PLACES and _BARE_VERB.match(quote):
        return True
    if claim.attribute in _BARE and len(claim.value.split()) == 1 and not claim.since:
        return True
    if claim.attribute == "lives_in" and _ARTICLE.match(claim.value):
        return not (_CAPITAL.search(claim.value) or _DWELLING.search(claim.value))
    if (
        claim.attribute == "instruction"
        and (done := _NEVER.match(quote))
        and _is_participle(done["v"].lower())
    ):
        return True
    if claim.attribute == "instruction":
        return not (_SPEAKS_OF_TALK.search(quote) or _LASTS.search(quote))
    if claim.attribute == "plan_travel" or (
        claim.attribute == "plan_event" and claim.value.startswith("attend")
    ):
        return _TO_BOOK.match(quote) is not None and _FAR.search(quote) is None
    if claim.attribute == "plan_purchase":
        head = head_of(re.sub(r"^\w+ (?:myself |ourselves )?", "", claim.value))
        return head is None or head[0] not in ("thing", "business", "pet", "instrument", "home")
    return (
        claim.attribute == "works_as"
        and quote == claim.value
        and (head := head_of(claim.value)) is not None
        and head[1].lower() not in CLASS_OF
        and len(claim.value.split()) < 2
        and not claim.value[:1].isupper()
    )
