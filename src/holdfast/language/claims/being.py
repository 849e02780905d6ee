"""Readings of what follows "be" or in its place: trades, states, places, traits."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.core.claims import CURRENT, PAST, PLAN, Claim
from holdfast.language.claims.clause import Clause
from holdfast.language.claims.lexicon import MARKERS, WORDS, head_of
from holdfast.language.claims.making import NO_VALUE, claim_at, make_claim, tidy
from holdfast.language.claims.verbs import Reading, pattern

_MONTHS = r"(?:january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember)"

_AGE_WORDS = (
    r"(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|(?:(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und)?(?:zwanzig|dreißig|dreissig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig)"
    r"|(?:drei|vier|fünf|sech|sieb|acht|neun)zehn)"
)
"""Numbers in words that are the age of somebody."""

_BE: tuple[Reading, ...] = (
    Reading("age", rf"(?:turning |nearly |almost |vor kurzem |gerade |jetz )?(?P<v>[1-9]\d|{_AGE_WORDS})(?:,? (?:years?[- ]old|years? of age|years young|yrs?\b.*|yo|jahre (?:alt|jung)|now|today|and|und|btw|lol|so|but|if|aber)\b.*| geworden| jahre$|$)"),
    Reading("age", r"(?P<v>(?:in my |in meinen )(?:early |mid |late |mid-)?(?:twenties|thirties|forties|fifties|sixties|seventies|eighties|teens|\d0s|zwanzigern|dreißigern)|(?:anfang|mitte|ende) (?:zwanzig|dreißig|vierzig|fünfzig|sechzig|siebzig|\d0))"),
    Reading("works_as", r"\d+ jahre(?: lang)? (?P<v>(?-i:[A-ZÄÖÜ])[a-zäöüß-]+.*)"),
    Reading("height", r"(?P<v>(?:about |nur |only )?\d[\d.,']*\s?(?:m|cm|meters?|metres?|feet|foot|ft|'|\")?\d*\b.*?) (?:tall|groß)$"), Reading("height", r"(?P<v>(?:about )?\d['.,]\d+(?:\"| ?m)?|\d'\d\d?)(?: and\b.*)?$"),
    Reading("allergy", r"(?:\w+ly |stark |leicht |hoch)?allerg(?:ic|isch) (?:to|gegen|auf) (?P<v>.+)"), Reading("allergy", r"gegen (?P<v>.+) allergisch"),
    Reading("intolerance", r"(?P<v>\w+[- ]?intoleran\w*\b.*|intolerant .+)"),
    Reading("condition", r"(?:diagnosed|living|born) (?:with|as) (?P<v>.+)"), Reading("condition", r"(?P<v>a bit (?:deaf|short-?sighted|dyslexic|anaemic|blind)\b.*|(?:(?:completely|partially|legally|almost|fast|halb) )?(?:deaf|blind|taub|colou?r-?blind)\b.*)"),
    Reading("pregnant", r"(?P<v>.{0,22}\b(?:pregnant|schwanger)\b.*)"), Reading("expecting", r"expecting(?= |$)(?! (?:a (?:call|reply|package|parcel|delivery)|an? e?-?mail|you|it|guests|visitors))"), Reading("expecting", r"(?P<v>due (?:in|on|next) .+)"),
    Reading("spouse", r"(?:\w+ly )?married to(?= )"), Reading("spouse", r"mit (?P<v>.+) verheiratet"), Reading("partner", r"(?:together )?with (?P<v>my (?:girlfriend|boyfriend|partner|husband|wife|fianc\w+)\b.*)"),
    Reading("born_in", r"born (?:and (?:raised|bred) )?(?:in|near|on) (?P<v>(?!(?:the )?(?:\d|" + _MONTHS + r"\b)).+)"), Reading("born_in", r"in (?P<v>\D+) (?:geboren|aufgewachsen|groß geworden).*"),
    Reading("birthday", r"born (?:on|in) (?P<v>.+)"), Reading("birthday", r"(?P<v>\d{4}|am .+|im .+) geboren|(?:jahrgang) (?P<w>\d{2,4})"), Reading("birthday", r"jahrgang(?= )"),
    Reading("from", r"(?:originally |actually |ursprünglich |gebürtig |eigentlich |born and bred |gebürtige[rs]? )?(?:from|aus)(?= )(?! (?:the (?:[\w-]+ )?(?:team|department|office|bank)|home))"),
    Reading("lives_in", r"(?:based|living|located|settled|wohnhaft|ansässig|staying|residing|daheim|zuhause|zu hause)(?: out)? (?:in|of|near|on|at|bei|auf|im)(?= )"),
    Reading("lives_in", r"(?:doch wieder |wieder |jetzt |now |currently |back |living )?in (?P<v>(?-i:[A-ZÄÖÜ])[\w-]+(?: (?-i:[A-ZÄÖÜ])[\w-]+)*) (?:daheim|zuhause|zu hause|ansässig|wohnhaft|based)"),
    Reading("lives_in", r"(?:back|home|over|down here|up here|out here|wieder zurück|wieder|zurück) in (?P<v>(?-i:[A-ZÄÖÜ])[\w-]+.*)"),
    Reading("fears", r"(?:afraid|scared|terrified|frightened|petrified|phobic) of(?= )(?! (?:it|that|this|how|what|losing (?:it|this|that))\b)", positive=False),
    Reading("fan_of", r"(?:an? |ein |eine )?(?:[\w-]+ )?fan (?:of|von|vom|des)(?= )(?! (?:it|this|that|these|how)\b)"),
    Reading("likes", r"(?:an? )?(?:bit of |huge |total |complete |big )*(?:into|fond of|keen on|big on|crazy about|mad about|obsessed with|passionate about|partial to|hooked on|addicted to|sucker for|mad on)(?= )(?! (?:it|that|this|these|the idea|how|what)\b)"),
    Reading("likes", r"(?:an? )(?P<v>(?:[\w -]{2,30} (?:lover|enthusiast|addict|fanatic|nerd|geek|buff|junkie|snob|nut|freak|person)))"),
    Reading("fan_of", r"(?:an? )?(?:big |huge |lifelong |massive |proud )*(?P<v>(?!(?:an?|the|not|real|true|bigg?e?s?t?|huge|ceiling|your|desk|extractor)\b)[\w'&-]+(?: [\w'&-]+)?) (?:fan|supporter)s?$"),
    Reading("likes", r"more (?:into|of an?) (?P<v>[\w -]+?) than\b.*"), Reading("likes", r"more (?:of )?(?:an? )(?P<v>[\w -]+ (?:person|guy|girl))"),
    Reading("hobbyist", r"(?:an? )?(?:big |keen |avid |passionate |regular |heavy |daily |leidenschaftliche[rs]? |begeisterte[rs]? )+(?P<v>.+)", "hobbyist smoker"),
    Reading("eats", r"off (?P<v>(?:dairy|meat|sugar|gluten|alcohol|coffee|caffeine|carbs|bread|wheat|milk|nicotine)\b.*)", positive=False),
    Reading("takes_medicine", r"(?:on|taking)(?= )", "med"), Reading("takes_medicine", r"on (?P<v>.*\b\d+ ?m?g\b.*|(?:medication|meds|the pill|chemo|dialysis|oxygen|birth control|hrt)\b.*)"),
    Reading("diet", r"on (?P<v>(?:an?|the) .{0,30}diet\b.*|keto|paleo|low carb)"),
    Reading("condition", r"(?P<v>(?:recovering from|on crutches|in a wheelchair|in chronic pain|in remission|im rollstuhl|in recovery|housebound|bedridden|auf krücken|on the (?:autism )?spectrum).*)"),
    Reading("studies", r"(?:in der |im |in )?(?P<v>(?:(?:\d+\.|erste[ns]|zweite[ns]|dritte[ns]|vierte[ns]|fünfte[ns]|sechste[ns]|letzte[ns]) (?:klasse|semester|lehrjahr|ausbildungsjahr)|\d+(?:st|nd|rd|th)? (?:grade|form)|year \d+)\b.*)"), Reading("studies", r"(?:in |im |doing |in der |halfway through |starting )(?P<v>(?:(?:my|the|a|meinem|meiner) )?(?:[\w.]+ )?(?:year|semester|term|sixth form|grade \d+|studium|ausbildung|lehre|\w*klasse|referendariat|promotion|phd|master'?s?|bachelor'?s?|degree|apprenticeship|mba|med(?:ical)? school|high school|college|uni|university|law school|grad school|sixth form)\b.*)"),
    Reading("studies", r"(?P<v>a (?:\w+ )?(?:first|second|third|final|1st|2nd|3rd|4th)[- ]year\b.*|at (?:uni|university|college|school|sixth form)\b.*|(?:mit )?mein\w* (?:doktor|master|bachelor)arbeit\b.*|mit meiner \w*arbeit\b.*)"),
    Reading("member_of", r"(?:an? |active |long-time |lifelong |ein |aktives |im |in der |in einem |in )*(?P<v>(?:member of|mitglied|on the (?:board|council|committee|parent council|pta)|part of (?:an?|the|our) [\w' -]*(?:choir|band|club|team|group|orchestra|union)|in (?:an?|the|our|my) (?:[\w'-]+ ){0,3}(?:choir|band|club|orchestra|team|union|group|quartet|reserves|army|navy)|vorstand|elternbeirat|gemeinderat|(?:freiwilligen )?feuerwehr|(?:\w*verein|\w*chor))\b.*)"),
    Reading("does_regularly", r"(?:immer )?(?P<v>(?:beim|zum|im) (?:\w*training|\w*chor|fußball|sport|yoga|schwimmen|stammtisch|tanzen|reiten|gym)\b.*|(?:in|at) (?:the )?(?:pool|gym|church|mosque|choir|yoga|garden|studio|climbing (?:gym|wall))\b.*)", frequent=True),
    Reading("work_hours", r"(?P<v>(?:in|im|on|auf) (?:parental leave|maternity leave|paternity leave|sick leave|elternzeit|mutterschutz|teilzeit|homeoffice|schichtdienst|außendienst|nights|night shifts?|call|shifts?|a sabbatical|kurzarbeit|garden leave|leave|zero hours)\b.*|(?:signed )?off (?:work|sick)\b.*)"),
    Reading("retired", r"(?P<v>(?:now |semi-|frisch )?(?:retired|in (?:rente|pension)|im ruhestand|on a pension|pensioniert|berentet)\b.*)"),
    Reading("unemployed", r"(?P<v>(?:unemployed|out of work|between jobs|laid off|made redundant|fired|let go|jobless|job[- ]hunting|looking for (?:a (?:new )?job|work)|arbeitslos|arbeitssuchend|auf jobsuche|gekündigt worden|entlassen worden|not working)\b.*)"),
    Reading("job", r"(?:an? |the )?(?P<v>(?:team lead\w*|team leader|shift lead\w*|tech lead|project lead|in probation|in der probezeit|on probation)\b.*)"), Reading("job", r"(?P<v>(?:in charge of|responsible for|head of|promoted|the (?:head|manager|director|owner|founder|lead\w*|principal|chair\w*|only (?:doctor|nurse|vet|teacher|developer|designer)|co-founder) ?(?:of|at|on|in)?|ceo of|cto of) ?.*|training to be .+|working (?:as|towards) .+)"),
    Reading("employer", r"(?:working|employed|interning|beschäftigt|angestellt|tätig)(?: \w+)? (?:at|for|by|with|bei|beim)(?= )"),
    Reading("works_as", r"(?:employed|tätig|angestellt) als? (?P<v>.+)|als (?P<w>.+) (?:tätig|angestellt|beschäftigt|unterwegs)"), Reading("employer", r"(?:bei|beim) (?P<v>(?:der |dem |den )?.+?) (?:angestellt|beschäftigt|tätig)"),
    Reading("employer", r"(?:at|with|bei|beim) (?P<v>(?-i:[A-Z])[\w&.-]+(?: (?-i:[A-Z])[\w&.-]+)*)$"),
    Reading("works_in", r"(?:mostly |now |working )?in (?P<v>(?:the )?(?:[\w-]+ )?(?:hr|it|sales|marketing|logistics|finance|healthcare|education|retail|hospitality|construction|insurance|banking|consulting|publishing|academia|research|advertising|real estate|law|tech|biotech|pharma|manufacturing|engineering|public sector|civil service|procurement|customer (?:service|support)|payroll|nursing|catering|journalism|media|accounting|der pflege|der it|der gastronomie|der logistik|im vertrieb|agriculture|farming|fashion|aerospace|automotive|energy|oil and gas|cyber ?security|data|software|film|tourism|childcare|social care|politics|transport|military|army|navy|raf|police)(?: industry| sector)?)\b"),
    Reading("works_in", r"(?:in der|im) (?P<v>(?:pflege|it|gastronomie|logistik|vertrieb|verwaltung|einzelhandel|öffentlichen dienst|marketing|personalabteilung|buchhaltung|handwerk|baubranche|automobilindustrie)\b.*)"),
    Reading("child", r"(?P<v>(?:an? |the )?(?:proud |single |new |first-time |full-time |stay-at-home |working |stolze[rs]? |alleinerziehende[rs]? )*(?:mother|father|mom|mum|dad|parents?|mama|papa|mutter|vater)\b(?! (?:figure|board)).*)"),
    Reading("grandchild", r"(?P<v>(?:an? )?(?:grand\w+|nan|oma|opa)\b.*)"), Reading("relative", r"(?P<v>(?:an? )?(?:aunt|uncle|godmother|godfather|tante|onkel|patentante|patenonkel)\b.*)"),
    Reading("child", r"(?P<v>(?:an? )?family of \w+.*|(?:zu (?:viert|fünft|sechst|dritt)|eine (?:\w+köpfige )?familie)\b.*)"),
    Reading("sibling", r"(?P<v>(?:an? )?only child\b.*|(?:the |der |die |das )?(?:eldest|oldest|youngest|middle|älteste|jüngste|mittlere)\b.*|a (?:identical )?twin\b.*|one of (?:two|three|four|five|six|seven|eight)\b.*|(?:ein )?einzelkind)"),
    Reading("speaks", r"(?:fluent|native|bilingual|conversational|a native speaker|zweisprachig)(?: in| speaker of)?(?= |$)"), Reading("speaks", r"(?P<v>(?:a |an )?(?:native|non-native) .*speaker.*|fluent .*)"),
    Reading("can", r"(?:very |pretty |quite |really )?(?:good|great|decent|skilled|terrible|bad|awful|hopeless|useless|rubbish|crap|gut|schlecht|mies) (?:at|with|in)(?= )(?! (?:it|this|that|these)\b)"),
    Reading("learning", r"(?:currently |slowly |trying to )?learning(?= )(?! (?:about|that|a lot|so much|more|how to (?:use|fix)|it)\b)"),
    Reading("plan_purchase", r"(?:saving (?:up )?for|in the market for)(?= )"), Reading("plan", r"(?:up for) (?P<v>promotion\b.*)"),
    Reading("sleep", r"(?P<v>(?:up|awake) (?:at|by|before|around) \d.*)"), Reading("alcohol", r"(?P<v>(?:\w+ (?:years?|months?) )?(?:sober|teetotal|trocken|off the booze)\b.*|a (?:teetotal\w+|recovering alcoholic))"),
    Reading("weight", r"(?P<v>\d+ ?(?:kg|kilos?|pounds|lbs|stone)\b.*)"), Reading("gender", r"(?:an? )?(?P<v>(?:cis |trans |queer )?(?:\d\d[- ]year[- ]old )?(?:trans )?(?:woman|man|non-?binary|guy|girl|male|female|frau|mann))(?= |$)(?:$| from .*)"),
    Reading("gender", r"(?P<v>(?:gay|lesbian|queer|bisexual|bi|asexual|schwul|lesbisch))$"),
    Reading("partner", r"(?P<v>(?:living )?together (?:with|for|since).*|seeing (?:someone|a \w+).*|dating .*|in a (?:\w+ )?relationship.*)"),
    Reading("uses", r"(?:on|using) (?P<v>(?:an? |my )?(?:mac\w*|windows|linux|ubuntu|android|iphone|ios|arch|fedora|debian|chromebook|ipad)\b.*)"),
    Reading("experience", r"(?:new to|a (?:complete |total )?(?:beginner|novice|newbie) (?:at|in|with)|self-taught|quite new to) (?P<v>.+)"), Reading("experience", r"(?P<v>self-taught.*)"),
    Reading("housing", r"(?P<v>(?:living|staying) (?:alone|at|in|with)(?! (?:the |our |my )?(?-i:[A-Z]{2,}\b)) .*|(?:homeless|a homeowner|renting|obdachlos))"), Reading("studies", r"(?:currently )?studying(?= )(?! (?:it|this|that)\b)"),
)  # fmt: skip
"""What follows a form of "be", in order; then the class of the head decides."""

_BE_CLASS = {
    "job": "works_as", "study": "studies", "diet": "diet", "marital": "marital_status", "healthadj": "condition", "handed": "handed", "faith": "religion", "gender": "gender",
    "sleeper": "sleep", "smoker": "smokes", "hobbyist": "does_regularly", "nation": "nationality", "loneparent": "child", "drinkless": "alcohol", "only": "sibling", "intolerance": "intolerance",
    "ill": "condition", "workstate": "retired",
}  # fmt: skip


_FILLERS = re.compile(
    r"(?:(?:no longer|now|jetzt|also|only|just|more or less|basically|still|actually|currently|nur|frisch"
    r"|glücklich|happily|newly|recently|officially) )+"
)
_DENIAL = re.compile(r"not (?:an? |much of an? |very |that |too |really )?|keine?n? ")
_PLACE = re.compile(
    r"(?:down |over |out |up )?in (?P<v>(?-i:[A-ZÄÖÜ])[\w-]+(?: (?-i:[A-ZÄÖÜ])[\w-]+)?)"
    r"(?=$| (?:and|with|und|mit|for|doch)\b)"
)
_NOT_RELIGIOUS = re.compile(r"(?:an? )?(?:religious|religiös|gläubig|believers?)\b")
_NOT_KEEN = re.compile(r"(?:big on|keen on|mad on|much of an? |into)\s*(?P<v>.+)")


def complement(clause: Clause, rest: str, *, strict: bool = False) -> Iterator[Claim]:
    """Yields what a noun or adjective after "be" says; `strict` for a part without subject and verb."""
    filler = _FILLERS.match(rest)
    rest = re.sub(r"(?: geworden| now)$", "", rest[filler.end() :] if filler else rest)
    denial = None if clause.negative else _DENIAL.match(rest)
    if denial is not None:
        if strict and rest.startswith("kein"):
            return
        clause.negative, rest = True, rest[denial.end() :]
    if clause.can or not rest:
        return
    for reading in _BE:
        if (value := _value_of(reading, clause, rest)) is not None:
            yield from _as_read(reading, clause, value, strict=strict)
            return
    if not strict and (place := _new_place(clause, rest)) is not None:
        yield from _be_claim(clause, "lives_in", place)
        return
    head = head_of(rest)
    if head is None and (trade := _lasting_trade(clause, rest)) is not None:
        yield from _be_claim(clause, "works_as", trade)
        return
    if head is not None and head[0] == "lang" and head[1] == rest.split()[-1]:
        head = ("nation", head[1])
    if head is None or head[0] not in _BE_CLASS:
        yield from _denied(clause, rest)
    else:
        yield from _by_class(clause, rest, *head)


def _value_of(reading: Reading, clause: Clause, rest: str) -> str | None:
    """Returns the value that a reading finds after "be"; None if it does not apply."""
    match = pattern(reading.start).match(rest)
    if match is None:
        return None
    groups = match.groupdict()
    behind = "" if "v" in groups else rest[match.end() :]
    value = tidy(groups.get("v") or groups.get("w") or behind) or rest
    if reading.classes and ((head := head_of(value)) is None or head[0] not in reading.classes.split()):
        return None
    return None if reading.frequent and not clause.frequent else value


def _as_read(reading: Reading, clause: Clause, value: str, *, strict: bool) -> Iterator[Claim]:
    """Yields the claim of a reading: plans only if they are made, little of a part without subject and verb."""
    if reading.attribute in ("plan_purchase", "plan"):
        if not clause.negative:
            yield claim_at(reading.attribute, value, clause.start, clause.end, status=PLAN)
    elif not (strict and reading.attribute in ("can", "age", "gender", "uses")):
        yield from _be_claim(clause, reading.attribute, value, positive=reading.positive)


def _new_place(clause: Clause, rest: str) -> str | None:
    """Returns where somebody is since a time or a change, which is where they live."""
    place = _PLACE.match(rest)
    if place is None or clause.negative or not (clause.changed or clause.since):
        return None
    is_moment = _MOMENT.search(clause.whole) or re.match(_MONTHS, place["v"], re.IGNORECASE)
    return None if is_moment else place["v"]


def _lasting_trade(clause: Clause, rest: str) -> str | None:
    """Returns the trade that somebody had for some time, by its form: no table names it."""
    lasted = (clause.since or "").lower().startswith(("for", "about", "over")) or clause.until is not None
    if not (clause.past and lasted) or clause.negative:
        return None
    trade = _LASTING_TRADE.fullmatch(rest)
    return None if trade is None else trade["v"]


def _denied(clause: Clause, rest: str) -> Iterator[Claim]:
    """Yields what says something only in the negative: "not religious", "not keen on"."""
    if not clause.negative:
        return
    if faith := _NOT_RELIGIOUS.match(rest):
        yield from _be_claim(clause, "religion", faith[0])
    elif match := _NOT_KEEN.match(rest):
        yield make_claim(clause, "dislikes", match["v"], positive=False)


def _by_class(clause: Clause, rest: str, kind: str, word: str) -> Iterator[Claim]:
    """Yields what the class of the head says, such as a trade or a diet."""
    words = [each.lower() for each in WORDS.findall(rest)]
    if kind == "marital" and clause.subject == "dropped" and not _is_of_person(rest, word):
        return
    if kind == "diet" and _FOR_ANOTHER.search(rest):
        return
    if kind in ("job", "study") and not _is_post(clause, rest, word, words):
        return
    if kind in ("nation", "gender", "faith", "only") and len(words) > 5:
        return
    value = tidy(rest)
    if kind in ("job", "study"):
        value = tidy(re.sub(r"^(?:an?|the|ein|eine|der|die|also an?) ", "", rest, flags=re.IGNORECASE))
    attribute = _BE_CLASS[kind] if kind != "workstate" else work_state(word, rest)
    if kind == "hobbyist" and re.search(r"(?:drinker|trinker|person|mensch)$", value):
        attribute = "drinks" if "rink" in value else "likes"
        if attribute == "drinks":
            value = re.sub(r"^an? ", "", re.sub(r"[- ]?(?:drinker|trinker)$", "", value))
    yield from _be_claim(clause, attribute, value)


def _is_of_person(rest: str, word: str) -> bool:
    """Returns whether a participle without a subject says how somebody lives, and not how things are:
    "recently separated", but not "semicolon separated" or "separated by commas"."""
    before, _, behind = rest.partition(word)
    return _HOW.fullmatch(before) is not None and _BY_THINGS.match(behind) is None


_HOW = re.compile(
    r"(?:(?:(?:mit|with|to|seit|since|for|vor)\W+\w+|\w+ly|\w+lich|an?|not|never|now|also|still|just|soon|long|since|twice|once|ein|eine[rnm]?|frisch|noch|nicht"
    r"|jetzt|seit|schon|zweimal|einmal|and|und|my|me|i|i'm|am|bin|ich|wir|we|we're|are|of|for|being|be|got|get|getting"
    r"|have|been|was|dad|mum|mom|mother|father|parent|man|woman|mama|papa|mutter|vater|in|zweiter|ehe|years?|jahren?"
    r"|\d+|(?:19|20)\d\d|m|f|w)\W+)*",
    re.IGNORECASE,
)
"""Matches what may stand before a participle that says how somebody lives."""
_BY_THINGS = re.compile(r"\s+(?:by|into|with|using|durch)\b", re.IGNORECASE)
_FOR_ANOTHER = re.compile(
    r"\b(?:for|für) (?:(?i:her|him|them|you|your|everyone|everybody|guests?|the|dich|euch|ihn|sie|alle)\b"
    r"|(?i:my|our|mein\w*|unser\w*) \w+"
    r"|(?!(?:Lent|Ramadan|Veganuary|Advent|Januar|Februar|March|April|May|June|July|August|September|October|November"
    r"|December|I|Jahre|Monate|Wochen|Tage)\w*\b)(?-i:[A-ZÄÖÜ])\w+)"
)
"""Matches the one whom a diet is for, where that is somebody else: "vegetarian for Britta"."""
_MOMENT = re.compile(r"\b(?:right now|at the moment|today|gerade|im moment|heute)\b", re.IGNORECASE)
_LASTING_TRADE = re.compile(
    r"an? (?P<v>(?!(?:patient|guest|customer|client|witness|visitor|tenant|passenger|prisoner|user|subscriber|smoker)\b)(?:[\w'-]+ )?(?!(?:bit|lot|mess|member|fan|kid|child|student|bachelor|beginner|wreck|fool|problem|joke)\b)[\w'-]+"
    r"(?: (?:at|in|for|on|of|with) [^,.;!?]{2,40})?)"
)
"""Matches what somebody was for years, by a name that no table of trades has."""


def work_state(word: str, words: str) -> str:
    """Returns the attribute that a word for the state of somebody's work belongs to, in the words around it."""
    if _OWN_WORK.search(words):
        return "self_employed"
    for attribute, expression in _WORK_STATES:
        if pattern(expression).search(word):
            return attribute
    return "unemployed"


_OWN_WORK = re.compile(r"\bself[ -]?employed\b", re.IGNORECASE)
_WORK_STATES = (
    ("work_hours", r"part|full|teil|voll|shift|nacht|schicht|leave|zeit|office|mini"),
    ("self_employed", r"self|free|selbst|frei"),
    ("retired", r"reti|rent|pens|ruhe"),
)


def _is_post(clause: Clause, rest: str, word: str, words: list[str]) -> bool:
    """Returns whether a complement of "be" names a job: "a nurse"."""
    has_article = (
        words[0] in MARKERS
        or clause.language == "de"
        or clause.subject != "self"
        or word.lower().endswith("s")
        or re.match(r"(?:training|working) ", rest) is not None
    )
    position = words.index(word.lower()) if word.lower() in words else 0
    return (
        has_article
        and position <= 5
        and "good" not in words[:3]
        and not re.search(
            r"\b(?:bit|lot|more|better|firm|big|huge|terrible|bad|fast|slow|quick|great)\b",
            " ".join(words[: position + 1]),
        )
    )


def _be_claim(clause: Clause, attribute: str, value: str, *, positive: bool = True) -> Iterator[Claim]:
    """Yields the claim of a clause with "be", with its status by tense, negation and words of time."""
    if NO_VALUE.match(value) and attribute not in ("retired",):
        return
    event = clause.language == "de" and " geworden" in clause.whole
    status = CURRENT
    if clause.ended:
        positive, status = False, PAST
    elif (clause.past or clause.used) and attribute not in ("born_in", "birthday", "from"):
        if (
            attribute
            in ("fears", "likes", "can", "expecting", "does_regularly", "sleep", "work_hours", "experience")
            and not clause.used
        ):
            return
        if (
            attribute in ("unemployed", "condition")
            and not clause.used
            and re.match(r"(?:laid|made|fired|let|diagnosed)", value)
        ) or (attribute == "condition" and "diagnosed" in clause.whole):
            status = CURRENT
        elif attribute in ("allergy", "intolerance", "height", "nationality", "age"):
            return
        else:
            status = PAST
    elif clause.negative:
        positive = not positive
    if attribute in ("likes", "fan_of") and not positive:
        attribute = "dislikes"
    if attribute == "fears" and positive:
        return
    if attribute == "can" and re.match(
        r".*\b(?:terrible|bad|awful|hopeless|useless|rubbish|crap|schlecht|mies|no good)\b",
        clause.whole,
        re.IGNORECASE,
    ):
        positive = False
    yield make_claim(
        clause,
        attribute,
        value,
        positive=positive,
        status=status,
        changes=clause.changed or clause.ended or event,
        event=event,
    )
