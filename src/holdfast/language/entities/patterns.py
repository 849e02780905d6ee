"""Ways in which messages introduce a name: each pattern with the type of what it names. Rules as data."""

from __future__ import annotations

import re

PERSON, PLACE, ORGANIZATION = "person", "place", "organization"
PROJECT, TECHNOLOGY, THING = "project", "technology", "thing"

_UP, _LOW = r"[A-ZÀ-ÖØ-ÞĆČĐŁŃŘŚŠŹŻŽİĞ]", r"[^\W\d_A-ZÀ-ÖØ-Þ]"
CAP = rf"{_UP}(?=(?:[^\W\d_]|['’\-](?=\w)){{0,30}}{_LOW})(?:[^\W\d_]|['’\-](?=[^\W\d_])){{1,40}}(?!\w)"
"""A word with a capital letter that is no acronym."""
NAME = rf"{CAP}(?: (?:(?:de|van|von|der|la|bin|di|da|del) ){{0,2}}{CAP}){{0,2}}"
TITLE = r"(?:Mr|Mrs|Ms|Dr|Prof|Professor|Herr|Herrn|Frau|Doktor)\.?(?: Dr\.| Prof\.)*"
_FULL = rf"{CAP}(?: (?:(?:de|van|von|der|la|bin|di|da|del) ){{0,2}}{CAP}){{1,2}}"
_WIDE_WORD = r"[A-ZÄÖÜ][\w&'’\-]{0,40}"
_WIDE = rf"{_WIDE_WORD}(?: (?:(?:of|und|and|&|\+) )?{_WIDE_WORD}){{0,3}}"
KIN = (
    r"(?:step|half-|god|grand|Stief|Halb|Paten)?(?:sister|brother|daughter|son|mother|father"
    r"|child)(?:[ -]in[ -]law)?|wife|husband|mom|mum|dad|aunt|uncle|cousin|niece|nephew|grandma|grandpa"
    r"|girlfriend|boyfriend|partner|fiancée?|friend|neighbou?r|landlord|landlady|boss|manager|colleague"
    r"|coworker|co-worker|teammate|roommate|flatmate|housemate|teacher|tutor|trainer|therapist|physio|doctor"
    r"|dentist|vet|midwife|nurse|coach|team lead|mentor|supervisor|twin|ex|accountant|lawyer|solicitor"
    r"|co-chair|co-founder|cofounder|desk mate|bandmate|editor|agent|advisor|adviser|Schwester|Bruder|Frau"
    r"|Mann|Tochter|Sohn|Mutter|Vater|Tante|Onkel|Cousine?|Nichte|Neffe|Oma|Opa|Freundin|Freund|Nachbarin"
    r"|Nachbar|Vermieterin|Vermieter|Chefin|Chef|Kollegin|Kollege|Lehrerin|Lehrer|Therapeutin|Therapeut"
    r"|Partnerin|Partner|(?:Haus|Zahn|Tier|Kinder)?(?:ärztin|arzt|Ärztin|Arzt)|Schwager|Schwägerin"
    r"|Schwiegermutter|Schwiegervater|Mitbewohnerin|Mitbewohner|Direktorin|Direktor|Anwältin|Anwalt"
    r"|Steuerberaterin|Steuerberater|Hebamme|Trainerin|Trainer|Lektorin|Lektor|Betreuerin|Betreuer|Enkelin"
    r"|Enkel"
)
"""Words for somebody by what they are to another."""
_KINS = (
    r"sisters|brothers|daughters|sons|children|kids|twins|friends|colleagues|cousins|parents|grandparents"
    r"|neighbou?rs|flatmates|roommates|nieces|nephews|Töchter|Söhne|Kinder|Zwillinge|Freunde|Freundinnen"
    r"|Kollegen|Kolleginnen|Eltern|Geschwister|Schwestern|Brüder|Nachbarn"
)
_MINE = (
    r"(?:[Mm]y|[Oo]ur|[Yy]our|[Hh]is|[Hh]er|[Tt]heir|[Mm]eine?[nmr]?|[Uu]nsere?[nmr]?|[Ss]eine?[nmr]?"
    r"|[Ii]hre?[nmr]?)"
)
_ROLE = (
    r"president|chair|chairman|chairwoman|treasurer|boss|manager|contact|director|CEO|CTO|CFO|COO|DM|vet"
    r"|architect|captain|principal|head(?: of [a-z]+)?|coach|conductor|host|organiser|organizer|landlord"
    r"|landlady|solicitor|lawyer|accountant|Direktorin|Direktor|Chefin|Chef|Architektin|Architekt|Vorsitzende"
    r"|Vorsitzender|Trainerin|Trainer|Leiterin|Leiter"
)
_WORKS = (
    r"a(?:n)? (?:retired |former |young |local |old |junior |senior )?(?:postman|teacher|nurse|librarian"
    r"|doctor|engineer|developer|designer|student|lawyer|journalist|chef|baker|farmer|plumber|electrician"
    r"|carpenter|painter|writer|friend|colleague|neighbou?r|consultant|scientist|translator|photographer"
    r"|musician|gardener|dentist|vet|architect)\b"
)
_SAYS = (
    r"(?:hates|loves|told (?:me|us)|texted|laughed|cried|married|grew up|lives|teaches|hasst|liebt|wohnt"
    r"|heiratet|unterrichtet"
    r"|(?:just |has )?joined us|is married|is pregnant|hat mir)"
)
_ORG_END = (
    r"University|College|(?:High |Primary |Grammar |Middle )?School|Hospital|Institute|Foundation|Bank"
    r"|Airlines|Labs|Society|Council|Library|Club|Association|Committee|Ministry|Analytics|Capital|Partners"
    r"|Logistics|Freight|Shipping|Bakery|Brewery|Dairy|Optics|Marine|Motors|Pharma|Pharmacy|Clinic|Theatre"
    r"|Estates|Holdings|Ventures|Studios?|Consulting|Solutions|Software|Technologies|Insurance|Academy|Trust"
    r"|Orchestra|Choir|Press|Publishing|Group|Agency|Seeds|Growers|Foods|Energy|Robotics|Biotech|Therapeutics"
    r"|Media|Records|Industries|Electronics|Engineering|Construction|Plumbing|Catering|Cycles|Books|Coffee"
    r"|Roasters|Brewing|Dental|Gymnasium|Verlag|Camera|Shipbuilding|Shipyard|Tenants|Bistro|Brasserie"
    r"|Apotheke|Optik|Kanzlei|Immobilien|Autohaus"
)
ORG_END = re.compile(_ORG_END)
"""Words with which names of organisations end: no name alone."""
_ORG_HEAD = (
    r"Verlag|Klinikum|Stadtwerke|Büro|Bäckerei|Stiftung|Universität|Hochschule|Stadtbücherei"
    r"|Sparkasse|Volksbank"
)
_DINING = r"Café|Cafe|Restaurant|Gasthof|Gasthaus|Autohaus|Bistro|Brasserie"
"""Words that begin names of places to eat and shop, and belong to them."""
_MEETING = (
    r"(?:[Ll]unch|[Dd]inner|[Cc]offee|[Bb]reakfast|[Bb]runch|[Dd]rinks|[Cc]all|[Mm]eeting|[Cc]hat|[Dd]ate"
    r"|[Ww]alk|[Ii]nterview|[Aa]ppointment|hiking|shopping|swimming|Treffen|Termin|Telefonat|Gespräch|Essen"
    r"|Mittagessen|verabredet|getroffen)"
)
"""What people do with each other."""
_HUMAN = (
    r"(?:thinks|suggested|recommended|texted|laughed|is worried|is upset|is ill|is pregnant|turns \d\d|plays"
    r"|studies|brought|cooked|baked|moved (?:to|in|out)|grew up|lives (?:in|near|with|alone)|works (?:at|for"
    r"|as)|has a (?:son|daughter|baby)|meint|findet|wohnt|lebt in|arbeitet (?:bei|als)|studiert"
    r"|bringt (?:seine|ihre)|übernimmt"
    r"|heiratet|kocht|zieht (?:nach|um))"
)
"""What only people do."""
_PLACED = (
    r"(?:live|lives|living|lived|stay|stays|stayed|staying|based|located|born|raised|grew up|arrived|office"
    r"|branch|depot|market|café|cafe|restaurant|pub|hotel|beach|farm|practice|Markt|Laden|Praxis|Strand"
    r"|school|conference|flat|house|apartment|home|summer|winter|holiday|holidays|weekend|warehouse|shop"
    r"|store|bakery|museum|hospital|studied|opened|opening|meeting|wedding|here|venue|place|headquarters"
    r"|factory|clinic|cottage|cabin|wohn(?:e|t|en)|lebe?[tn]?|Sitz|Büro|geboren|Haus|Wohnung|Urlaub|Filiale"
    r"|Werk|Niederlassung)"
)
PLACE_BEFORE = (
    r"(?:in|from|to|near|of|through|around|via|visit|visited|visiting|nach|aus|von|bei|durch"
    r"|über|ab|is in|liegt in)"
)
"""Words after which a name that has several senses is that of a place."""
TECHNOLOGY_BEFORE = (
    r"(?:use[sd]?|using|written in|code in|learn|learning|nutze[nt]?|lerne(?: gerade)?"
    r"|frontend is|backend is|prefer|built with)"
)
"""Words after which a name that has several senses is that of a technology."""

RULES: tuple[tuple[str, str], ...] = (
    (
        ORGANIZATION,
        rf"\b(?P<v>{_WIDE} (?:GmbH|AG|SE|KG|OHG|Inc\b\.?|Ltd\b\.?|LLC|LLP|Corp\b\.?|plc|e\.V\."
        rf"|S\.A\.))(?!\w)",
    ),
    (ORGANIZATION, rf"\b(?P<v>{CAP} (?:&|\+) (?:Co\b\.?|{CAP}))(?! (?:{CAP}))"),
    (ORGANIZATION, rf"\b(?P<v>(?:Technical )?Universit(?:y of|ät|é de) {CAP}|(?:TU|FU|ETH|FH|LMU) {CAP})"),
    (
        ORGANIZATION,
        rf"\b(?P<v>(?:{CAP} ){{1,3}}(?:{_ORG_END}))\b(?! {_UP})"
        rf"|\b(?P<w>{CAP}-(?:Schule|Gymnasium|Universität|Institut|Stiftung|Klinik|Werke|Verlag))\b",
    ),
    (
        ORGANIZATION,
        rf"\b(?P<v>(?:Klinikum|Stadtwerke|Sparkasse|Volksbank|Universität|Hochschule|Stadtbücherei) {CAP})",
    ),
    (ORGANIZATION, rf"\b(?:{_ORG_HEAD}) (?P<v>{CAP}(?: \+ {CAP})?)"),
    (
        ORGANIZATION,
        r"\b(?:works?|worked|working|employed|job|intern|started|arbeitete?[tn]?"
        r"|arbeite)\b(?: [a-zäöü]+){0,3}?"
        rf" (?:at|for|bei(?: der| dem)?|für) (?P<v>{CAP}(?: {CAP})?)",
    ),
    (
        ORGANIZATION,
        r"\b(?:company|firm|startup|client|employer|supplier|customer|bank|band|charity|landlord|Firma"
        r"|Kunde|Startup|Verein)"
        rf"(?: is)?(?: called| named|,|:| heißt| namens) (?P<v>{NAME})(?! {_UP})",
    ),
    (
        ORGANIZATION,
        rf"\b(?:co-)?founded (?P<v>{CAP})(?= with\b| in \d| together\b)|\b(?:invest(?:ors?"
        rf"|ed) in) (?P<w>{CAP})",
    ),
    (ORGANIZATION, rf"\b{CAP} (?:has )?joined (?P<v>{CAP}(?: {CAP})?)(?= as\b|[.,])"),
    (
        ORGANIZATION,
        r"\b(?:hired by|signed (?:up )?with|interview(?:ed)? (?:at|with)|onboarding at|contract with"
        r"|offer from|internship at"
        r"|invoice from|shoot at|client of|subsidiary of|rep (?:of|from)|(?:CEO|CTO|CFO|COO|head"
        r"|director|founder|co-founder) of"
        r"|angestellt bei|bestellt bei|gekauft bei|Vertrag (?:mit|bei)|Angebot von|Rechnung von"
        r"|Techniker von)"
        rf" (?P<v>{CAP}(?: {CAP})?)(?: and (?:at )?(?P<w>{CAP}))?(?! {_UP})",
    ),
    (ORGANIZATION, rf"\b(?P<v>{CAP}(?: {CAP})?) (?:has |have )?(?:hired|offered) me\b"),
    (
        ORGANIZATION,
        rf"\b{_FULL} from (?P<v>{CAP} {CAP})(?= (?:wants|wanted|sent|called|said|asked|wrote|told)\b)",
    ),
    (ORGANIZATION, rf"\b(?P<v>(?:{_DINING}) {CAP})(?! {_UP})"),
    (
        PROJECT,
        rf"\b(?:[Pp]rojects?|Projekts?)(?: called| named| namens)? (?P<v>{CAP}(?: \d)?)(?! (?:GmbH|AG"
        rf"|Inc))",
    ),
    (PROJECT, rf"\b[Tt]he (?P<v>{CAP}) (?:project|repo|repository|initiative)\b"),
    (
        PROJECT,
        rf"\b(?P<v>{CAP}) is (?:our|my) (?:new |latest |next )?(?:\w+ )?(?:project|app|product|repo)\b",
    ),
    (PROJECT, rf"\bProjekt (?P<v>{CAP}) genannt\b"),
    (
        THING,
        rf"\b{_MINE} (?:[a-zäöüß]+ )?(?:dog|puppy|cat|kitten|parrot|horse|pony|rabbit|hamster|boat|car|van"
        rf"|bike|canoe|Hund|Hündin"
        rf"|Katze|Kater|Pferd|Hamster|Boot|Auto)(?:,| is| heißt| ist)?(?: called| named"
        rf"| namens)? (?P<v>{CAP})",
    ),
    (
        THING,
        r"\b(?:tool|app|product|sensor|game|boat|dog|cat|horse|parrot|puppy|novel|album|song|device|ship"
        r"|Produkt|Boot|Gerät)"
        rf"(?: [a-z]+){{0,4}} (?:is |was )?(?:called|named|namens|heißt|genannt) (?P<v>{CAP}(?: {CAP})?)",
    ),
    (PERSON, rf"\b{TITLE} (?P<v>{CAP}(?: [A-Z]\.)+ {CAP}|{_FULL})"),
    (
        PERSON,
        rf"\b{_MINE} (?:[a-zäöüß]+ ){{0,2}}?(?:{KIN})(?:,| is| heißt| ist| named"
        rf"| called)?,? (?:{TITLE} )?(?P<v>{NAME})",
    ),
    (
        PERSON,
        rf"\b{_MINE} (?:[a-zäöüß]+ )?(?:{_KINS})(?:,| are| heißen| sind| named"
        rf"| called)?,? (?P<v>{NAME}) (?:and|und) (?P<w>{NAME})",
    ),
    (PERSON, rf"\b(?P<v>{TITLE} {CAP})(?! {CAP}| [A-Z]\.)"),
    (
        PERSON,
        rf"\bfull name is (?P<v>{NAME})|\breally called (?P<w>{NAME})|\b(?:nicknamed"
        rf"|genannt) (?P<x>{NAME})",
    ),
    (PERSON, rf"\b(?:{CAP})(?:'s|’s|s) (?:{KIN}),? (?P<v>{NAME})"),
    (PERSON, rf"\b(?:Onkel|Tante|[Uu]ncle|[Aa]unt) (?P<v>{CAP})"),
    (PERSON, rf"^(?P<v>{CAP}) is (?:my|our|his|her) (?:{KIN})\b"),
    (
        PERSON,
        rf"\b(?P<v>{NAME}), (?:my|our|his|her|mein|meine|unsere?r?) (?:{KIN}|CEO|CTO|CFO|COO|lead"
        rf"|designer)(?=[,.!]| (?:from|at|who|and)\b)",
    ),
    (PERSON, rf"\b(?P<v>{_FULL}), {_WORKS}|\b(?P<w>{_FULL}) is {_WORKS}"),
    (PERSON, rf"\b(?:{_ROLE})(?: is| ist| heißt|:) (?:{TITLE} )?(?P<v>{_FULL})"),
    (PERSON, rf"\b(?:run|led|headed|chaired|organi[sz]ed|geleitet) (?:by|von) (?P<v>{NAME})"),
    (PERSON, rf"\b{_MEETING} (?:with|mit) (?P<v>{NAME})(?: (?:and|und) (?P<w>{NAME}))?(?! {_UP})"),
    (PERSON, rf"(?:^|[.!?] |\b(?:and|but|because|that|und|aber|dass) )(?P<v>{NAME}) {_HUMAN}(?!\w)"),
    (
        PERSON,
        rf"\b(?:[Mm]et|[Tt]old|[Ww]rite to|[Ww]rote to|[Rr]eply to|[Bb]irthday card for"
        rf"|[Ss]peech for) (?P<v>{NAME})(?= (?:for|that|yesterday|today|at|in|about|to|and)\b|[,.?!]|$)",
    ),
    (PERSON, rf"\b(?P<v>{_FULL}) from {CAP} {CAP} (?:wants|wanted|sent|called|said|asked|wrote|told)\b"),
    (
        PERSON,
        rf"\b(?P<v>{_FULL}),? (?:is (?:my|our|the) (?:new )?(?:\w+ )?(?:lead|manager|head|boss|designer"
        rf"|developer|contact|rep)\b|(?:CFO|CEO|CTO|COO|head|founder|director) (?:of|at|bei) )",
    ),
    (
        PERSON,
        rf"\b(?:rep|contact|head|lead|assistant|Ansprechpartner(?:in)?|Leitung) (?:is|ist) (?P<v>{NAME})",
    ),
    (PERSON, rf"\breports? to (?P<v>{NAME})"),
    (PERSON, rf"(?:^|[.!?] |\b(?:and|but|because|that|und|aber) )(?P<v>{_FULL}),? (?:{_SAYS})\b"),
    (PERSON, rf"\b(?P<v>{_FULL}), (?:she|he)(?:['’]s)? "),
    (
        PERSON,
        r"^(?P<v>Will|Mark|Rose|Grace|Paris|Austin|Sydney|Victoria|Hope|Faith|Joy|May|Jordan|Drew|Pat|Bill"
        r"|Frank)"
        r" (?:called|said|told|asked|says|texted|wrote|thinks|wants|came|lives|works|hat|sagt|sagte)\b",
    ),
    (
        PERSON,
        rf"\b(?:founded|led|written|painted|directed|composed) by (?P<v>{NAME})|\b(?:book|film|song"
        rf"|novel) is by (?P<w>{NAME})",
    ),
    (PLACE, rf"\b(?:{_ORG_END}) (?:in (?P<v>{CAP}(?: {CAP})?)|\((?P<w>{CAP})\))(?! {_UP})"),
    (PLACE, rf"\b{_PLACED}(?: [a-zäöü]+)? in (?P<v>(?:St\. )?{CAP}(?: {CAP})?)(?! {_UP})"),
    (
        PLACE,
        rf"\b(?:moved|moving|zog|gezogen|trip|flight|train|flew|drive|drove|travel(?:led|ing)?|relocat\w+)"
        rf" (?:from {CAP} )?(?:is )?(?:to|nach) (?P<v>{CAP}(?: {CAP})?)(?! {_UP})"
        rf"|\bmoved from (?P<w>{CAP}) to\b",
    ),
    (
        PLACE,
        r"\b(?:am from|komme aus|kommt aus|stamme aus|fahren? (?:\w+ ){0,2}nach|fly to|flying to"
        r"|fliegen? (?:\w+ ){0,2}nach)"
        rf" (?P<v>{CAP}(?: {CAP})?)(?! {_UP})",
    ),
    (
        PLACE,
        r"\b(?:train|bus|ferry|tram|coach|Zug|Fähre|Wochenende|Urlaub|Ausflug|Reise|Fahrt"
        r"|gefahren) (?:from|to|nach|aus)"
        rf" (?P<v>{CAP}(?: {CAP})?)(?! {_UP})",
    ),
    (
        PLACE,
        r"\b(?:lives?|living|stay(?:s|ing)?|hiking|walking|cycling|cottage|cabin|house|village"
        r"|farm) (?:near|around|outside)"
        rf" (?P<v>{CAP}(?: {CAP})?)(?! {_UP})",
    ),
    (PLACE, rf"\b(?:[Tt]he|[Dd]ie|[Dd]er) (?P<v>{CAP}) (?:flows|fließt|is in {CAP})\b"),
    (PLACE, rf"\b(?:flows? through|fließt durch) (?P<v>{CAP})"),
)
