"""Attributes of claims with their types, and lists of nouns that tell which is meant."""

from __future__ import annotations

import re

TYPES = {
    "who": "name called age birthday gender height weight pronouns religion nationality size handed",
    "origin_and_home": "lives_in from born_in moved housing rents",
    "work": "employer job works_in works_as work_hours retired unemployed self_employed salary",
    "education": "studies school degree training",
    "family": "child parent sibling grandchild relative kin_fact expecting",
    "relationship": "spouse partner marital_status friend",
    "pets": "pet",
    "health": "allergy intolerance condition takes_medicine injury disability pregnant glasses",
    "diet": "diet eats drinks alcohol",
    "preference": "likes prefers favourite fan_of",
    "aversion": "dislikes fears avoids",
    "habit": "does_regularly sport hobby sleep smokes routine member_of volunteers",
    "skill": "speaks learning plays can experience licence",
    "possession": "owns drives uses devices",
    "plan": "plan_travel plan_move plan_job plan_purchase plan_family plan_study plan_event plan",
    "instruction": "instruction",
    "other": "goal belief event lost other",
}
"""Types of claims, with the attributes of each."""
TYPE_OF = {attribute: type for type, names in TYPES.items() for attribute in names.split()}

KIN = {
    "spouse": "wife husband spouse frau ehefrau mann ehemann gattin gatte",
    "partner": "partner girlfriend boyfriend fiancé fiancée fiance fiancee partnerin freundin freund verlobte"
    " verlobter lebensgefährte lebensgefährtin",
    "child": "daughter daughters son sons kid kids child children toddler baby twins stepson stepdaughter tochter"
    " töchter sohn söhne kind kinder zwillinge stiefsohn stieftochter kleine kleiner",
    "parent": "mother father mom mum dad parents mama papa stepmother stepfather mutter vater eltern mutti vati"
    " stiefmutter stiefvater",
    "sibling": "brother brothers sister sisters sibling siblings stepbrother stepsister bruder brüder schwester"
    " schwestern geschwister zwillingsbruder zwillingsschwester",
    "grandchild": "grandson granddaughter grandchild grandchildren grandkids enkel enkelin enkelkind enkelkinder"
    " enkeltochter enkelsohn",
    "relative": "grandmother grandfather grandma grandpa grandparents granny nan uncle aunt cousin cousins niece"
    " nephew nephews nieces mother-in-law father-in-law brother-in-law sister-in-law in-laws oma opa großmutter"
    " großvater großeltern onkel tante cousine nichte neffe schwiegermutter schwiegervater schwiegereltern"
    " schwager schwägerin godson goddaughter patenkind patentante",
    "pet": "dog dogs cat cats puppy kitten rabbit rabbits hamster parrot budgie horse pony tortoise turtle hound"
    " labrador poodle terrier dachshund goldfish guinea-pig ferret lizard snake hund hunde hündin katze katzen kater"
    " welpe kaninchen hase papagei wellensittich pferd pony schildkröte dackel pudel labrador meerschweinchen kätzchen",
}
KIN_OF = {noun: attribute for attribute, nouns in KIN.items() for noun in nouns.split()}
KIN_NOUN = "|".join(sorted((re.escape(noun) for noun in KIN_OF), key=len, reverse=True))

DIETS = (
    r"(?:vegetarian|vegan|pescatarian|pescetarian|flexitarian|carnivore|keto|paleo|gluten[- ]free|dairy[- ]free|halal"
    r"|kosher|teetotal|plant[- ]based|vegetarisch|veganer?(?:in)?|vegetarier(?:in)?|pescetarisch|pescetarier(?:in)?"
    r"|flexitarier(?:in)?|glutenfrei|laktosefrei|rohköstler(?:in)?|frutarier(?:in)?)"
)
MARITAL = (
    r"(?:(?:happily |newly |recently )?(?:married|divorced|single|engaged|widowed|separated)|a (?:widow|widower|bachelor)"
    r"|(?:glücklich |frisch |seit kurzem )?(?:verheiratet|geschieden|ledig|single|verlobt|verwitwet|getrennt)|witwer?|alleinstehend)"
)
CONDITIONS = (
    r"(?:asthma|(?:type (?:1|2|one|two) )?diabetes|adhd|add|autism|asperger'?s|migraines?|celiac(?: disease)?|coeliac(?: disease)?|epilepsy"
    r"|arthritis|eczema|psoriasis|anxiety|depression|insomnia|hay ?fever|high blood pressure|hypertension|hypothyroidism"
    r"|hyperthyroidism|tinnitus|dyslexia|ibs|pcos|endometriosis|crohn'?s(?: disease)?|ulcerative colitis|lupus|ms\b|multiple sclerosis|cancer|anemia|anaemia"
    r"|sleep apn(?:o?)ea|a (?:bad|sore|weak|herniated|slipped) \w+|(?:chronic|lower) back pain|chronic \w+(?: \w+)?|osteoporosis|scoliosis|gout|vertigo|glaucoma"
    r"|a (?:heart|thyroid|kidney|stomach|skin|back|knee|blood|lung) (?:condition|problem|disease|disorder|murmur|issue)|rosacea|bipolar(?: disorder)?|ocd|ptsd|reflux|gerd"
    r"|a pacemaker|hearing loss|an underactive thyroid|an overactive thyroid|fibromyalgia|sciatica|raynaud'?s|narcolepsy|hashimoto'?s?"
    r"|zöliakie|migräne|heuschnupfen|bluthochdruck|neurodermitis|schuppenflechte|rheuma|arthrose|epilepsie|depressionen|angststörung|schlafapnoe"
    r"|schlafstörungen|rücken(?:probleme|schmerzen)|rücken|knieprobleme|reizdarm|gicht|skoliose|ads|adhs|hashimoto|multiple sklerose|einen bandscheibenvorfall"
    r"|(?:eine )?schilddrüsen\w+|(?:einen )?herzfehler|diabetes(?: typ [12])?|tinnitus|legasthenie|lrs|laktoseintoleranz|glutenunverträglichkeit)"
)
ADJECTIVES_OF_HEALTH = (
    r"(?:(?:type (?:1|2|one|two) )?diabetic|asthmatic|dyslexic|colou?r[- ]?blind|deaf|hard of hearing|autistic|epileptic|an(?:a)?emic"
    r"|blind|short-?sighted|near-?sighted|far-?sighted|visually impaired|bipolar|disabled|wheelchair-bound|celiac|coeliac|neurodivergent|hypothyroid"
    r"|diabetiker(?:in)?|asthmatiker(?:in)?|farbenblind|schwerhörig|gehörlos|kurzsichtig|weitsichtig|epileptiker(?:in)?|legastheniker(?:in)?"
    r"|autistisch|autist(?:in)?|schwerbehindert|allergiker(?:in)?)"
)
JOBS = re.compile(
    r"\b(?:[\w-]*(?:er|or|ist|ian|man|woman|ant|eer|wright|smith|ess|keeper|maker|driver|pilot|nurse|chef|cook|doctor|vet|student|apprentice|trainee"
    r"|intern|teacher|judge|clerk|guard|coach|aide|assistant|agent|analyst|consultant|architect|au pair|barista|priest|monk|nun|lawyer|attorney"
    r"|medic|temp|freelancer|founder|ceo|cto|cfo|postdoc|phd student|head of \w+|lead|dev|tutor|nanny|carer|midwife|detective|surgeon|dj|mechanic))$",
    re.IGNORECASE,
)
NO_JOBS = re.compile(
    r"\b(?:lover|hater|beginner|newcomer|believer|fan|owner|user|member|reader|listener|learner|eater|drinker|smoker|sleeper|riser|person|loner|foreigner"
    r"|stranger|customer|subscriber|mother|father|brother|sister|daughter|grandmother|grandfather|parent|vegetarian|vegan|pescatarian|christian|optimist|pessimist"
    r"|perfectionist|introvert|extrovert|winner|loser|monster|disaster|number|supporter|follower|volunteer|runner|swimmer|hiker|cyclist|gamer|teetotaler|teetotaller"
    r"|gluten|owl|lark|minimalist|feminist|atheist|traveller|traveler|voter|outsider|insider|procrastinator|worrier|planner|thinker|talker|sucker|passenger|visitor)\b",
    re.IGNORECASE,
)
NATIONALITIES = re.compile(
    r"(?:half[- ])?(?:american|british|english|scottish|welsh|irish|german|austrian|swiss|french|dutch|belgian|spanish|portuguese|italian|greek|polish|czech"
    r"|slovak|hungarian|romanian|bulgarian|serbian|croatian|slovenian|bosnian|albanian|turkish|russian|ukrainian|swedish|norwegian|danish|finnish|icelandic"
    r"|estonian|latvian|lithuanian|canadian|mexican|brazilian|argentinian|chilean|colombian|peruvian|indian|pakistani|bangladeshi|chinese|japanese|korean"
    r"|vietnamese|thai|indonesian|malaysian|filipino|australian|egyptian|moroccan|tunisian|algerian|nigerian|kenyan|ghanaian|ethiopian|israeli|iranian"
    r"|iraqi|syrian|lebanese|(?:deutsche?r?|österreicher(?:in)?|schweizer(?:in)?|türke|türkin|pole|polin|italiener(?:in)?|franzose|französin|spanier(?:in)?))",
    re.IGNORECASE,
)
LANGUAGES = (
    r"(?:English|German|French|Spanish|Italian|Portuguese|Dutch|Polish|Czech|Russian|Ukrainian|Swedish|Norwegian|Danish|Finnish|Greek|Turkish|Arabic|Hebrew"
    r"|Hindi|Urdu|Bengali|Chinese|Mandarin|Cantonese|Japanese|Korean|Vietnamese|Thai|Indonesian|Swahili|Hungarian|Romanian|Bulgarian|Croatian|Serbian|Catalan"
    r"|Basque|Welsh|Irish|Gaelic|Latin|Esperanto|Farsi|Persian|Tamil|Icelandic|sign language|Englisch|Deutsch|Französisch|Spanisch|Italienisch|Portugiesisch"
    r"|Niederländisch|Polnisch|Tschechisch|Russisch|Ukrainisch|Schwedisch|Norwegisch|Dänisch|Finnisch|Griechisch|Türkisch|Arabisch|Hebräisch|Chinesisch"
    r"|Japanisch|Koreanisch|Ungarisch|Rumänisch|Kroatisch|Serbisch|Latein|Gebärdensprache|Plattdeutsch|Platt|Isländisch|Katalanisch|Persisch)"
)
THINGS = (
    r"(?:car|van|motorbike|motorcycle|scooter|bike|bicycle|e-bike|truck|boat|kayak|canoe|caravan|camper(?:van)?|house|flat|apartment|cottage|cabin|garden|allotment"
    r"|balcony|greenhouse|piano|guitar|violin|cello|drum kit|keyboard|saxophone|trumpet|laptop|macbook|pc|desktop|computer|phone|iphone|android|pixel|tablet|ipad|kindle"
    r"|camera|telescope|printer|3d printer|sewing machine|air fryer|espresso machine|coffee machine|bread machine|oven|wood stove|fireplace|vinyl|record player|drone|console"
    r"|playstation|xbox|switch|workshop|garage|shed|tent|surfboard|skis|snowboard|treadmill|rowing machine|smartwatch|watch|heat pump|solar panels|electric car|tesla|suv|tv|projector"
    r"|server|nas|raspberry pi|loom|kiln|pool|sauna|hot tub|trailer|tractor|vineyard|farm|shop|company|business|website|blog|podcast"
    r"|auto|wagen|motorrad|fahrrad|rad|e-bike|lastenrad|roller|boot|wohnmobil|wohnwagen|haus|wohnung|garten|schrebergarten|balkon|gewächshaus|klavier|gitarre|geige"
    r"|rechner|computer|handy|telefon|drucker|kamera|nähmaschine|kaffeemaschine|backofen|kamin|werkstatt|schuppen|zelt|wärmepumpe|solaranlage|sauna|fernseher|thermomix|bulli|kombi|campingbus)"
)
MEDICINE = (
    r"(?:\d+ ?(?:mg|µg|mcg|ml|units|milligrams?|tabletten?)\b|pills?|tablets?|insulin|antibiotics|antidepressants|beta[- ]?blockers?|blood thinners?|statins?|painkillers|the pill|iron|magnesium|zinc|melatonin|vitamin\w*"
    r"|supplements?|ibuprofen|aspirin|paracetamol|antihistamines?|inhaler|cortisone|creatine|probiotics|ritalin|xanax|prozac|zoloft|ventolin|eliquis|ozempic"
    r"|\w{3,}(?:pril|sartan|statin|olol|zole|mab|ine|xetine|pram|azepam|formin|thyroxine?|mycin|cillin|oxin|amol|idone|azole|tidine|parin|dipine|profen|lukast|traline)\b"
    r"|eisen\w*|blutdruck\w*|schilddrüsen\w*|antibiotik\w+|betablocker|blutverdünner|l-thyroxin|pille|medikamente?|tabletten|tropfen|nahrungsergänzung\w*)"
)
SPORTS = re.compile(
    r"\b(?:football|soccer|tennis|badminton|squash|basketball|volleyball|handball|hockey|golf|rugby|cricket|table tennis|ping pong|baseball|softball|chess|darts|pool|poker|padel"
    r"|bridge|dungeons|d&d|video ?games?|board ?games?|fußball|tischtennis|schach|skat|doppelkopf|eishockey|boule|minecraft|zelda)\b",
    re.IGNORECASE,
)
FREQUENT = re.compile(
    r"\b(?:every|each|daily|weekly|monthly|usually|often|regularly|always|mostly|normally|typically|generally|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|once|twice|(?:\w+|\d+) times|most (?:days|mornings|evenings|weekends|nights|weeks)|in the (?:mornings?|evenings?|afternoons?|summer|winter)|at weekends|on (?:the )?weekends?|weeknights|a lot|"
    r"all the time|in my (?:free|spare) time|for fun|as a hobby|for years|before (?:work|breakfast|bed)|after work|a week|a day|at night|religiously|never|rarely|seldom|hardly ever"
    r"|jede[nrs]?|täglich|wöchentlich|immer|oft|regelmäßig|meistens?|normalerweise|gewöhnlich|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|morgen|abend|nachmittag|vormittag)s"
    r"|einmal|zweimal|dreimal|viermal|mal (?:die|pro|in der) (?:woche|monat|tag)|am wochenende|in meiner freizeit|nie|selten|kaum|gerne?|abends|morgens|nachts|mittags|sonntags|leidenschaftlich)\b",
    re.IGNORECASE,
)
TIME = re.compile(
    r"[ ,]*\b(?:(?P<since>(?:ever )?since (?!(?:I|we|my)\b)[^,.;]{2,40}?|(?:for|over) (?:about |almost |nearly |over |the (?:last|past) |more than |around )*(?:\d+|a|an|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen"
    r"|twenty|thirty|many|several|a few|a couple of|some|most of my) ?(?:years?|months?|weeks?|days?|decades?|ages)(?: now)?|(?:for (?:years|ages|a while|decades))(?: now)?"
    r"|seit (?:(?:[\w.]+ ){0,2}(?:\d{4}|jahren|monaten|wochen|tagen|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|kurzem|langem|gestern|heute|montag|dem \w+|der \w+|sommer|herbst|winter|frühling|frühjahr|letzte[mrn] \w+|diesem \w+|anfang \w+|ende \w+|mitte \w+)|\w+)"
    r"|schon (?:lange|immer|ewig))"
    r"|(?P<until>(?:until|till|up to) [^,.;]{2,30}?|bis (?:\w+ )?(?:\d{4}|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|gestern|vor \w+ \w+|letzte[nsm] \w+|ende \w+|anfang \w+))"
    r"|(?P<when>(?:(?:\d+|a|an|one|two|three|four|five|six|ten|a few|a couple of|several|some|many) (?:years?|months?|weeks?|days?) ago)|last (?:year|month|week|summer|winter|spring|autumn|fall|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|night)|yesterday|recently|in (?:early |late |mid-?|the (?:spring|summer|autumn|fall|winter) of )?(?:\d{4}|january|february|march|april|may|june|july|august|september|october|november|december)(?: \d{4})?|(?:next|this|coming) (?:year|month|week|summer|winter|spring|autumn|fall|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend)|tomorrow|tonight|soon|today|in (?:\d+|a few|two|three|four|six) (?:days|weeks|months|years)|on (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
    r"|vor (?:\w+ ){1,2}(?:jahr(?:en)?|monat(?:en)?|wochen?|tagen)|letzte[nsmr]? (?:jahr|monat|woche|sommer|winter|herbst|frühling|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|montag|wochenende)|gestern|neulich|kürzlich|im (?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|sommer|herbst|winter|frühling|frühjahr|nächsten jahr|kommenden \w+|nächsten \w+)(?: \d{4})?|nächste[nsmr]? (?:jahr|monat|woche|sommer|winter|herbst|frühling|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|wochenende)|morgen(?! \w+s\b)|übermorgen|bald|heute|in (?:\w+ )(?:tagen|wochen|monaten|jahren)|dieses (?:jahr|wochenende)|diese[ns]? (?:sommer|winter|herbst|woche|monat))"
    r")(?=[,.;!?) ]|$)",
    re.IGNORECASE,
)
FUTURE = re.compile(
    r"\b(?:next|tomorrow|tonight|soon|this (?:weekend|summer|winter|autumn|fall|spring|year)|in (?:\d+|a few|two|three|four|six) (?:days|weeks|months|years)|in (?:january|february|march|april|may|june|july|august|september|october|november|december)|on (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
    r"|nächste[nsmr]?|morgen|übermorgen|bald|im (?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|sommer|herbst|winter|frühling|frühjahr)|in (?:zwei|drei|vier|sechs|ein paar|\d+) (?:tagen|wochen|monaten|jahren)|am (?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|wochenende)|dieses jahr|kommende[nsmr]?|ab \w+)\b",
    re.IGNORECASE,
)
