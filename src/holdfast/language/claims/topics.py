"""Sentences of a person about their life in words that no grammar has: told by a topic and by who speaks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.core.claims import CURRENT, PAST, PLAN, Claim
from holdfast.language.claims.attributes import FREQUENT, FUTURE
from holdfast.language.claims.clauses import COVER
from holdfast.language.claims.lexicon import CLASS_OF, WORDS, class_of_word
from holdfast.language.claims.making import claim_at
from holdfast.language.claims.verbs import german, pattern

_TOPICS: dict[str, str] = {
    "condition": "ankle knee knees hip shoulder wrist neck spine stent stents blood-sugar blood-pressure hearing eyesight glasses lenses diagnosis surgery mri chemo flare flare-up migraine migraines allergic allergy epipen inhaler"
    " insulin beta-blockers antidepressants meds medication pills dose cholesterol ticker heartburn seizure seizures wheelchair crutches prosthesis rehab therapist therapy physio a&e gp surgeon biopsy tumour tumor relapse remission sober disability chronic pain"
    " diagnosed faint fainted sprained twisted rolled tore sick-leave hormone hormones menopause pregnancy pregnant ivf miscarriage c-section contractions trimester midwife kidney liver thyroid lung lungs asthma diabetes arthritis cane hayfever panic anxiety depression"
    " bandscheibe schilddrüse brille hörgerät spritze spritzen tabletten blutdruck blutzucker zucker lebensgefährlich allergisch rücken knie hüfte reha kur krankenhaus op operation diagnose krankschreibung rollstuhl prothese migräne rheuma herz herzschrittmacher krücken hausarzt"
    " schwanger schwangerschaft wehen physio kopfschmerzen asthma chemo therapie allergie gelenke depressionen burnout",
    "housing": "flat apartment house cottage bungalow narrowboat houseboat attic basement terrace storey floor stairs lift balcony garden landlord landlady tenant mortgage rent roommates flatmates flatmate housemates roommate home hometown village town suburb suburbs countryside farm relocated emigrated immigrated moved"
    " wohnung haus dachgeschoss keller altbau neubau stock aufzug vermieter vermieterin miete hypothek wg mitbewohner zuhause daheim heimat dorf stadt stadtrand insel küste bauwagen hof eigenheim reihenhaus umgezogen ausgewandert zugezogen",
    "job": "job career employer boss shift shifts payroll salary promotion promoted redundancy fired sacked resigned resignation notice severance retirement pension freelance freelancing clients customers patients pupils colleagues coworkers factory warehouse salon clinic ward kitchen classroom courtroom "
    " firm startup union apprentice boardroom internship desk commute trade reception counter teach nursing accounting bookkeeping farming"
    " job beruf arbeit arbeitgeber chef chefin schicht schichten gehalt beförderung befördert gekündigt kündigung abfindung rente pension freiberuflich kunden patienten schüler kollegen kolleginnen büro werkstatt fabrik lager salon klinik station küche kanzlei praxis betrieb baustelle bau außendienst innendienst"
    " homeoffice azubi lehre gewerkschaft laden geschäft theke firma buchhaltung selbstständig selbständig minijob nebenjob werk",
    "studies": "degree mba thesis dissertation semester lecture lectures campus uni university college school scholarship phd master's masters bachelor's diploma gcse a-levels graduation professor tuition apprenticeship coursework placement residency evening-classes night-classes"
    " studium semester uni universität hochschule schule hauptschule realschule gymnasium abendschule abitur abi masterarbeit bachelorarbeit doktorarbeit diplom lehre ausbildung stipendium promotion vorlesung prüfungsphase fernuni",
    "marital_status": "wedding married marriage divorce divorced engaged engagement fiancé fiancée fiance spouse husband hubby wife boyfriend girlfriend partner anniversary honeymoon widow widower widowed single dating tinder long-distance knot soulmate missus ex custody"
    " hochzeit verheiratet ehe scheidung geschieden verlobt verlobung mann frau freund freundin schatz schatzi hochzeitstag witwe witwer single getrennt fernbeziehung exmann exfrau liebste liebster lebensgefährte lebensgefährtin",
    "kin_fact": "son daughter kid kids child children baby toddler twins newborn teenager teenagers stepson stepdaughter grandkids grandson granddaughter mum mom mother dad father parents brother sister siblings aunt uncle cousin nephew niece grandma grandpa grandmother grandfather nan in-laws youngest eldest little-one boys girls family household old-man"
    " sohn tochter kind kinder baby zwillinge enkel enkelin mutter mama vater papa eltern bruder schwester geschwister tante onkel cousin cousine neffe nichte oma opa großeltern schwiegermutter schwiegervater schwiegereltern familie jüngste ältester älteste nachwuchs große kleine großer kleiner jungs mädels",
    "pet": "dog cat puppy kitten rabbit hamster parrot budgie horse pony tortoise turtle retriever corgi labrador beagle poodle terrier dachshund hens chickens goats guinea-pigs ferret snake gecko aquarium bees hives vet litter-tray hund hündin katze kater welpe kaninchen papagei wellensittich pferd schildkröte dackel hühner bienen tierarzt meerschweinchen",
    "eats": "meat pork beef chicken fish dairy gluten sugar alcohol booze wine beer coffee caffeine vegan vegetarian halal kosher keto carbs bread eggs nuts shellfish soy lactose fleisch schwein rind fisch milch gluten zucker alkohol wein bier kaffee vegan vegetarisch bio tropfen brot eier nüsse",
    "owns": "car van motorbike scooter bike bicycle e-bike boat caravan camper motorhome piano guitar violin drums camera laptop desktop phone smartphone tablet console boiler heat-pump solar fireplace oven dishwasher washing-machine telly tv fridge freezer greenhouse shed sewing-machine"
    " auto wagen motorrad roller fahrrad rad lastenrad boot wohnmobil klavier gitarre geige kamera rechner laptop handy fernseher heizung wärmepumpe kamin spülmaschine waschmaschine gewächshaus nähmaschine"
    " subaru toyota honda ford vw volkswagen bmw audi skoda dacia renault peugeot citroen fiat opel volvo mazda kia hyundai tesla nissan suzuki mercedes polo golf passat corsa fiesta yaris corolla civic leica nikon canon fujifilm sony thinkpad macbook ipad iphone pixel kindle garmin brompton yamaha fender gibson vespa thermomix roomba playstation xbox nintendo synology kitchenaid",
    "does_regularly": "allotment choir quiz gym yoga pilates run running parkrun parkruns marathon swim swimming climbing bouldering hiking cycling football tennis rowing knitting crochet sewing painting pottery crossword chess orchestra band volunteering church mosque temple mass darts poker gardening baking fishing sauna meditation"
    " chor quiz fitnessstudio laufrunde runde joggen schwimmen klettern wandern radfahren fußball tennis stricken häkeln nähen malen töpfern kreuzworträtsel schach orchester band ehrenamt kirche skat schrebergarten angeln sauna stammtisch verein probe turnverein feuerwehr zigaretten fags smoking cigarettes",
    "can": "spanish french german italian portuguese dutch polish russian turkish arabic chinese mandarin japanese korean hindi greek latin swedish danish norwegian english spreadsheets excel python javascript rust sql coding code judo karate parking driving cooking singing maths math calculus spanisch französisch englisch italienisch polnisch russisch türkisch"
    " arabisch japanisch programmieren excel mathe kochen singen tanzen einparken autofahren",
    "plan": "flight flights tickets trip holiday vacation move moving honeymoon cruise safari pilgrimage interrail relocation enrolment surgery-date umzug flug flüge urlaub reise kreuzfahrt tickets auswanderung",
    "likes": "obsessed addicted beats comfort-watch guilty-pleasure soft-spot happy-place süchtig schwäche",
    "dislikes": "needles spiders heights crowds small-spaces clowns flying nightmare phobia panic spinnen höhe menschenmengen blut fliegen albtraum ekel",
}  # fmt: skip
_TOPIC_OF: dict[str, str] = {}
for _topic, _words in _TOPICS.items():
    for _one in _words.split():
        _TOPIC_OF.setdefault(
            _one.replace("-", " ") if _one.count("-") and _one not in ("e-bike",) else _one, _topic
        )
_MAKES = (
    frozenset(_TOPICS["owns"].split("subaru")[1].split())
    | {"subaru"}
    | frozenset(word for word in _TOPICS["can"].split())
)
_BUSY = pattern(
    r"\b(?:i'm|im|i am|we're|we are|been|kinda|feeling)\s+(?:\w+ly |also |just |really |currently |still )?(?!(?:living|dating|expecting|going|moving|raising|renting|working|training|getting|having|being|nursing|teaching|studying|cutting|coming)\b)\w{3,}ing\b|\b(?:review|commit|explore|integrat|implement|research|analy[sz]|project|gallery|feature|policy|strategy|budget|schedule|draft|exchange|client|portfolio|feedback|session|proposal|application|interview|agenda|probability|triangle|equation|formula)\w*"
)
_SELF = re.compile(
    r"\b(?:i|i'm|i've|i'd|im|ive|me|my|mine|myself|we|we're|we've|us|our|ours|ich|mich|mir|mein\w*|wir|uns|unser\w*|this house|in this house)\b",
    re.IGNORECASE,
)
_NOT_OWN = pattern(
    r"\b(?:you|your|yours|you're|u|ur|dich|dir|dein\w*|euch|ihnen|bitte|please|could|would|should|might|maybe|perhaps|need|needs|want|wanted|wants|wanna|trying|try|tried|wondering|wonder|looking|help|how|what|which|why|where|whether|if|let's|vielleicht|könnte|würde|sollte|brauche|möchte|will|versuche|suche|frage|wie|was|warum|wieso|ob|wenn|falls|hilf\w*"
    r"|code|function|script|file|files|error|bug|server|api|database|dataset|column|table|app|website|page|essay|email|e-mail|letter|report|draft|text|paragraph|slide|slides|presentation|question|questions|answer|answers|example|prompt|recipe|list|story|poem|character|protagonist|client's|user's|users|homework|assignment|exercise|article|deadline|meeting|spec|repo|commit|branch|tests?|query"
    r"|funktion|skript|datei|fehler|tabelle|text|mail|brief|aufsatz|liste|rezept|geschichte|antwort|beispiel|aufgabe|hausaufgabe|präsentation|they|he|she|er|sie|people|someone|friend|friends|neighbours?|neighbors?|colleague|roommate|nachbar\w*|kolleg\w*|bekannte\w*|must|reminds|going to|gonna|thinking (?:about|of)|considering|toying|dream\w*|prevent|avoid|daydream\w*|prevent|avoid|decided against|after all|doch nicht|überlege\w*|überlegt|like to|someone|everybody|everyone|man|leute|think|guess|suppose|feel|felt|glaube|denke|finde|today|tonight|tomorrow|yesterday|right now|at the moment|heute|morgen|gestern|gerade|gleich|this morning|this week|later|later on|thanks|thank|danke|love it|great|sorry)\b"
)
_OF_OTHERS = pattern(
    r"\b(?:know|knew|heard|hear|hears|see|saw|found|read that|remember|notice\w*|look(?:ed)? up|told|prefer|i'd like|i'll (?:have|take)|choose|chose|chosen|reserv\w*|requir\w*|recommend\w*|select\w*|confirm\w*|available|called|their|its|his|her|these|those|there (?:is|are|was|were)|there's|that's|it's|it is|(?:have|haben) \d+|they're|he's|she's|movies?|films?|songs?|teams?|players?|nfl|numbers?|hotels?|restaurants?|enough|yes|projects?|using|git|version|deploy\w*|install\w*|pipeline|folder|process|memory|transaction|tenants?|services?|scans?|operations?|command|ihre[nsmr]?|deren|dessen|weiß|wusste|gehört|gelesen|gesehen|gefunden)\b"
    r"|\b(?:this|that|which|the same|such an?|any|each|one) (?!house\b|is\b|since\b)[\w-]+"
)
"""Words of sentences that speak of something else than the author."""
_FIRM = pattern(
    r"\b(?:my|our|mein\w*|unser\w*|since|seit|for (?:\d+|a|an|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|many|years|ages)|years|jahre\w*|every|each (?:day|week|month)|jede\w*|daily|weekly|always|immer|never|nie|without|ohne|no longer|not|n't|used to|booked|gebucht|i'm|i am|we're|ich bin|bin|me|mir|mich|uns|us|live|lebe|lebt|have|habe|hab|haben|got|carry|share|quit|gave up|bought|gekauft|moved|gezogen|sold|verkauft|last (?:week|month|year|spring|summer|autumn|fall|winter))\b"
)
"""Words that bind what is said to the author, for good or for some time."""
_OWN_PAST = pattern(
    r"\b(?:since|ago|last (?:year|winter|spring|summer|autumn|fall|month|week)|in (?:19|20)\d\d|after \d+|years|jahre\w*|seit|letzte[nsr]?|\d{4}|finally|just|for good|endlich)\b"
)
_NEGATIVE = pattern(
    r"\b(?:not|n't|no|never|none|without|hardly|gave up|given up|quit|stopped|off the menu|wouldn't|can't|won't|doesn't|don't|isn't|aren't|hate|hates|kein\w*|nicht|nie|ohne|niemals|tabu|greek to me|no longer|parted with|got rid of|nix|schluss|hasse)\b"
)
_GIVEN_UP = re.compile(r"\b(?:gave up|given up|quit|stopped|no longer|aufgehört|nicht mehr)\b", re.IGNORECASE)
_NOT_ILL = re.compile(r"\b(?:no longer|not allergic|don't have|nicht mehr|keine allergie)\b", re.IGNORECASE)
_OVER = pattern(
    r"\b(?:used to|no longer|any ?more|spent my|hung up|said goodbye|put down|passed away|died|sold|parted with|got rid of|handed in|quit|left|früher|war|waren|gestorben|verkauft|abgegeben|bis (?:juni|mai|\d{4}|letzte\w*)|nicht mehr|after \d+ years|nach \d+ jahren)\b"
)
_BOOKED = pattern(
    r"\b(?:booked|gebucht|set for (?=\w+ \d|next|june|july)|due in|coming up|steht an|in \w+ weeks|in \w+ wochen|starting (?:monday|next|in)|ab (?:montag|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|herbst|sommer)|come (?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter)|zum jahresende|on the \d+(?:st|nd|rd|th)|kicks? in|next (?:month|year|spring|summer|autumn|fall|winter|march|april|may|june|july)|nächste[nsmr]? (?:monat|jahr|sommer|herbst)|im (?:mai|juni|juli|august|herbst|sommer) (?:wird|geht)|this (?:autumn|fall|winter|summer|spring)|moving day|closing date)\b"
)
WORDS_MAX, WORDS_MIN = 24, 2


_DROPPED_DE = re.compile(
    r"(?:hab|habe|bin|sitze|stehe|hänge|komme|lebe|wohne|arbeite|spritze|[a-zäöüß]{3,}e)\b(?= (?:\w+ )*)",
    re.IGNORECASE,
)


def spotted(text: str, start: int, end: int, language: str, *, is_first: bool) -> Iterator[Claim]:
    """Yields the claim that a part of a sentence makes by its topic, in its own words; `is_first` where the part
    opens a sentence, so that it may go without a subject."""
    raw = text[start:end]
    part = raw.strip(" ,;:-–—.!")
    words = WORDS.findall(part)
    low = [word.lower() for word in words]
    if not WORDS_MIN <= len(words) <= WORDS_MAX or COVER in part or _NOT_OWN.search(part):
        return
    has_self = _SELF.search(part) is not None or (
        (is_first and language == "de" and german().get(low[0], ("", ""))[1] == "present")
        or (is_first and low[0] in ("hab", "bin", "stehe", "sitze", "hänge", "spritze"))
    )
    if not has_self and not (is_first and len(words) <= 9):
        return
    if _OF_OTHERS.search(part):
        return
    if _BUSY.search(part) and not _OWN_PAST.search(part) and not _BOOKED.search(part):
        return
    topic = _topic_of(
        [
            word if word[:1].islower() or i == 0 or language == "de" or word.lower() in _MAKES else ""
            for i, word in enumerate(words)
        ]
    )
    if topic != "plan" and not _FIRM.search(part) and not (language == "de" and low[0] in german()):
        return
    planned = _BOOKED.search(part) is not None or (
        has_self and FUTURE.search(part) is not None and not _OVER.search(part)
    )
    if topic is None and not (planned and has_self):
        return
    is_past = (
        re.search(r"\b(?:was|were|did|had|went|got|made|took|came|\w{3,}ed)\b", part, re.IGNORECASE)
        is not None
    )
    if topic == "plan" and not planned:
        return
    if (
        topic == "plan"
        or (not has_self and topic == "studies" and len(words) <= 7 and low[0] not in _ORDERS and not is_past)
        or (
            not has_self
            and is_past
            and re.match(
                r"(?:gave up|quit|stopped|finally|rolled|twisted|sprained|broke|tore|moved|swapped|left)\b",
                part,
                re.IGNORECASE,
            )
        )
    ):
        pass
    elif not has_self and (
        is_past
        or len(words) < 3
        or low[0] in _ORDERS
        or (
            topic in ("can", "likes", "dislikes", "eats", "studies", "job", "owns")
            and not _OWN_PAST.search(part)
            and not _NEGATIVE.search(part)
        )
    ):
        return
    if (
        is_past
        and topic in ("eats", "likes", "can", "does_regularly", "owns", "job")
        and not _OWN_PAST.search(part)
        and not _OVER.search(part)
    ):
        return
    if topic == "does_regularly" and not (
        FREQUENT.search(part) or _NEGATIVE.search(part) or _OWN_PAST.search(part)
    ):
        return
    if (
        topic in ("eats", "can")
        and not (
            has_self
            and (
                _NEGATIVE.search(part)
                or FREQUENT.search(part)
                or re.search(
                    r"\b(?:we don't|ich|since|seit|off|under my belt|easily|bread and butter|fluent|fit in|years)\b",
                    part,
                    re.IGNORECASE,
                )
            )
        )
        and not _OWN_PAST.search(part)
    ):
        return
    status = (
        PLAN
        if (planned and not is_past) or (planned and "booked" in low)
        else PAST
        if _OVER.search(part)
        else CURRENT
    )
    attribute = "plan" if status == PLAN else topic or "other"
    denied = (
        _NEGATIVE
        if attribute in ("eats", "can", "owns", "likes")
        else _GIVEN_UP
        if attribute == "does_regularly"
        else _NOT_ILL
    )
    positive = not (denied.search(part) and status != PLAN) and attribute != "dislikes"
    at = start + raw.index(part)
    yield claim_at(attribute, part, at, at + len(part), positive=positive, status=status, certainty=0.55)


_ORDERS = frozenset(
    "write make give add keep put use take check find plan list tell show explain create draft fix set get run start stop buy sell compare work play cook bake read learn teach drive move call send open close turn bring try build book order schreib mach gib nimm such".split()
)


def _topic_of(words: list[str]) -> str | None:
    low = [word.lower() for word in words]
    for i, word in enumerate(low):
        found = _TOPIC_OF.get(f"{word} {low[i + 1]}") if i + 1 < len(low) else None
        found = (
            found
            or _TOPIC_OF.get(word)
            or _TOPIC_OF.get(word.removesuffix("s"))
            or _TOPIC_OF.get(word.removesuffix("'s"))
        )
        if found is not None:
            return found
    known = next(
        (
            kind
            for word in low
            if (kind := class_of_word(word)) in _BY_CLASS
            and (kind != "job" or word in CLASS_OF or word.removesuffix("s") in CLASS_OF)
        ),
        None,
    )
    return None if known is None else _BY_CLASS[known]


_BY_CLASS = {
    "ill": "condition",
    "allergy": "condition",
    "med": "condition",
    "healthadj": "condition",
    "job": "job",
    "degree": "studies",
    "pet": "pet",
    "spouse": "marital_status",
    "partner": "marital_status",
    "child": "kin_fact",
    "marital": "marital_status",
    "diet": "eats",
    "workstate": "job",
    "licence": "can",
}
