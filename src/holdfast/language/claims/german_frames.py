"""German frames: what follows a verb of the first person, by its form."""

from __future__ import annotations

import re

from holdfast.language.claims.attributes import (
    ADJECTIVES_OF_HEALTH,
    CONDITIONS,
    DIETS,
    LANGUAGES,
    MARITAL,
    MEDICINE,
    THINGS,
)

_X = r"(?!(?:es|das|dies\w*|dass|dich|dir|deine?n?|wenn|wie|was|daran|davon|sie|ihn|auch|nicht|so)\b)"
_GER = rf"(?:{_X}(?P<v>.+))"
FRAMES: dict[str, tuple[tuple[str, str], ...]] = {
    "bin": (
        ("age", r"(?:vor kurzem |gerade |schon )?(?P<v>\d{1,2})(?: jahre (?:alt|jung)| geworden)?(?:,.*)?"),
        ("works_as", r"\d+ jahre(?: lang)? (?P<v>[A-ZÄÖÜ][a-zäöüß-]+(?: (?:bei|in|im|an) .*)?)"),
        ("marital_status", r"(?P<v>(?:\w+ )?(?:verlobt|geschieden|getrennt)\b.*)"),
        ("age", r"(?P<v>(?:Anfang|Mitte|Ende) (?:zwanzig|dreißig|vierzig|fünfzig|sechzig|siebzig|\d0))"),
        ("age", r"(?P<v>\d{1,2}) geworden"),
        ("height", r"(?P<v>\d[,.]?\d* ?(?:m|cm|meter)\b.*?)(?: groß)?"),
        ("allergy", r"(?:\w+ )?allergisch (?:gegen|auf) (?P<v>.+)"),
        ("allergy", r"gegen (?P<v>.+) allergisch"),
        ("intolerance", r"(?P<v>(?:laktose|gluten|fruktose|histamin)-?intolerant.*)"),
        ("diet", rf"(?P<v>(?:\w+ )?{DIETS}\b.*?)(?: geworden)?"),
        ("condition", rf"(?P<v>{ADJECTIVES_OF_HEALTH}\b.*)"),
        ("pregnant", r"(?P<v>(?:im \w+ monat )?schwanger.*)"),
        ("marital_status", rf"(?:mit .+ )?(?P<v>{MARITAL}\b.*)"),
        ("spouse", r"mit (?P<v>.+) verheiratet"),
        ("retired", r"(?P<v>(?:in (?:rente|pension)|im ruhestand|rentner\w*|pensionär\w*|pensioniert|berentet|in (?:rente|pension) gegangen).*)"),
        ("unemployed", r"(?P<v>(?:arbeitslos|arbeitssuchend|gekündigt worden).*)"),
        ("self_employed", r"(?P<v>(?:selbst(?:st)?ändig|freiberufl\w+|freelancer\w*).*)"),
        ("born_in", r"in (?P<v>.+) (?:geboren|aufgewachsen|groß geworden).*"),
        ("birthday", r"am (?P<v>.+) geboren"),
        ("lives_in", r"(?:vor \w+ \w+ |\w+ )?(?:nach|in die|in den|ins|aufs|an die|an den) (?P<v>.+?) (?:um)?gezogen"),
        ("housing", r"(?P<v>(?:mit .+ )?(?:zusammengezogen|umgezogen))"),
        ("from", r"(?:ursprünglich |eigentlich |gebürtig |eine? )?(?:aus (?P<v>.+)|gebürtige[rs]? (?P<w>.+))"),
        ("fears", r"(?P<v>höhenängstlich|klaustrophobisch)"),
        ("fan_of", r"(?:ein |eine )?(?:\w+er |\w+e )?(?:fan von (?P<v>.+)|(?P<w>[\w-]+-?fan))"),
        ("member_of", r"(?:\w+ )?(?P<v>(?:mitglied|im (?:\w+)?(?:verein|chor|orchester)|im vorstand|in der (?:feuerwehr|gewerkschaft)|bei der (?:freiwilligen )?feuerwehr|im elternbeirat)\b.*)"),
        ("handed", r"(?P<v>(?:links|rechts)händer(?:in)?)"),
        ("work_hours", r"(?P<v>(?:in|im) (?:elternzeit|mutterschutz|teilzeit|homeoffice|schichtdienst|außendienst)\b.*|krankgeschrieben.*)"),
        ("child", r"(?P<v>(?:\w+ )?(?:mutter|vater|papa|mama|alleinerziehend\w*|elternteil)\b.*?)(?: geworden)?"),
        ("grandchild", r"(?P<v>(?:oma|opa|großmutter|großvater)\b.*?)(?: geworden)?"),
        ("sibling", r"(?:ein )?(?P<v>(?:einzelkind|(?:der|die) (?:älteste|jüngste|mittlere))\b.*)"),
        ("religion", r"(?P<v>(?:katholisch|evangelisch|muslim\w*|jüdisch|jüdin|jude|atheist\w*|buddhist\w*|konfessionslos)\b.*)"),
        ("does_regularly", r"(?:ein |eine )?(?P<v>(?:frühaufsteher|nachteule|morgenmensch|langschläfer|morgenmuffel|frühaufsteherin|langschläferin)(?:in)?)"),
        ("smokes", r"(?P<v>(?:starker )?(?:nicht|ex-?)?raucher(?:in)?)"),
        ("studies", r"(?P<v>(?:im|in der) (?:\w+ |\d+\. )?(?:semester|studium|ausbildung|lehre|klasse|referendariat|promotion)\b.*)"),
        ("works_as", r"(?:gelernte[rs]? |von beruf |ausgebildete[rs]? |beruflich |(?:jetzt|inzwischen) )*(?P<v>(?:[A-Za-zÄÖÜäöüß-]+(?:er|erin|ist|istin|eur|eurin|or|orin|ant|antin|ent|entin|wirt|wirtin|mann|frau|kraft|arzt|ärztin|koch|köchin|anwalt|anwältin|loge|login|hebamme|pilot|pilotin|meister|meisterin|leiter|leiterin|beamte[rn]?|azubi|chef|chefin|graf|grafin|graph\w*))(?: (?:bei|in|im|an|für|am|auf|mit|aus|von)\b.*?)?)(?: geworden)?"),
    ),
    "habe": (
        ("allergy", r"(?:eine |keine )?(?P<v>(?:\w+-?)?allergie(?:n)?\b.*)"),
        ("intolerance", r"(?:eine |keine )?(?P<v>(?:\w+-?)?(?:intoleranz|unverträglichkeit)\b.*)"),
        ("condition", rf"(?:seit .{{3,25}} )?(?:(?:leichtes?|schweres?|chronische\w*|starke[sn]?|einen?|eine) )*(?P<v>{CONDITIONS}\b.*)"),
        ("child", r"(?P<v>(?:(?:\d+|eine?n?|keine|zwei|drei|vier|fünf) )?(?:(?:kleine\w*|erwachsene\w*|\w+jährige\w*|große\w*) )*(?:kinder?|söhne?|sohn|töchter|tochter|zwillinge|baby|mädchen|jungs)\b.*)"),
        ("sibling", r"(?P<v>(?:(?:\d+|eine?n?|keine|zwei|drei|vier) )?(?:(?:kleine\w*|große\w*|ältere\w*|jüngere\w*) )*(?:bruder|brüder|schwester|schwestern|geschwister|zwillingsbruder|zwillingsschwester|halb\w+)\b.*)"),
        ("grandchild", r"(?P<v>.{0,15}enkel\w*\b.*)"),
        ("partner", r"(?P<v>(?:eine?n?|keine?n?) (?:neue?n? |feste?n? )?(?:freund|freundin|partner|partnerin|verlobte\w*)\b.*)"),
        ("pet", r"(?P<v>(?:(?:\d+|eine?n?|keine?n?|zwei|drei|vier) )?(?:(?:\w+e[nrs]?) )?(?:hund|hunde|hündin|katzen?|kater|kaninchen|hamster|meerschweinchen|wellensittich\w*|pferde?|pony|schildkröten?|hühner|bienen|aquarium|fische|papagei\w*|dackel|labrador|pudel|ziegen|schafe|haustiere?|welpen?|\w+hund)\b.*)"),
        ("degree", r"(?P<v>.*\b(?:abitur|abi|bachelor|master|doktor\w*|promotion|diplom|gesellenbrief|meisterbrief|ausbildung (?:als|zum|zur) .+|führerschein|staatsexamen|realschulabschluss)\b.*)"),
        ("fears", r"(?:\w+ )?(?P<v>(?:höhenangst|flugangst|platzangst|spinnenphobie|(?:große |panische |furchtbare |total )*angst vor .+))"),
        ("studies", r"(?P<v>.+?) studiert"),
        ("job", r"(?P<v>(?:einen|den) neuen job\b.*|(?:eine|die) neue stelle\b.*|.*\bbefördert worden.*)"),
        ("employer", r"(?:bei (?P<v>.+?)|meinen job(?: bei (?P<w>.+?))?) (?:angefangen|gekündigt|aufgehört)"),
        ("marital_status", r"(?P<v>.*\b(?:geheiratet|getrennt|scheiden lassen|verlobt))"),
        ("owns", rf"(?:mir |uns )?(?P<v>(?:eine?n?|keine?n?|zwei|unser|unseren|mein|meinen) (?:[\w-]+ ){{0,3}}{THINGS}\b.*?)(?: gekauft| zugelegt| angeschafft)?"),
        ("injury", r"mir (?P<v>.*\b(?:gebrochen|verstaucht|gerissen|gezerrt))"),
        ("experience", r"(?P<v>.*(?:jahre|viel|keine) (?:berufs)?erfahrung\b.*)"),
        ("smokes", r"(?P<v>mit dem rauchen) aufgehört"),
        ("birthday", r"am (?P<v>.+) geburtstag"),
        ("member_of", r"mich (?P<v>(?:beim|im|bei der) .+) angemeldet"),
    ),
    "lese": (("hobby", r"(?P<v>(?:gern|gerne|viel|jeden|oft|am liebsten)\b.*)"),),
    "koche": (("does_regularly", r"(?P<v>(?:gern|gerne|viel|jeden|oft|am liebsten|fast immer)\b.*)"),),
    "backe": (("does_regularly", r"(?P<v>(?:gern|gerne|viel|jeden|oft|am liebsten)\b.*)"),),
    "ernähre": (("diet", r"mich (?:\w+ )?(?P<v>(?:vegan|vegetarisch|glutenfrei|pflanzlich|low carb|keto)\b.*)"),),
    "verzichte": (("avoids", r"(?:\w+ )?auf (?P<v>.+)"),),
    "wohne": (("housing", r"(?P<v>zu (?:zweit|dritt|viert|fünft)\b.*)"), ("housing", r"(?P<v>(?:zur miete|allein|alleine|mit .+ zusammen|bei meinen eltern|in einer wg|in einem \w+haus|mit .+)\b.*)"), ("lives_in", r"(?:zusammen mit .+? |mit .+? )?(?:in|im|bei|nahe|am|an der|auf|außerhalb von|gegenüber|neben) (?P<v>(?!einer WG).+)")),
    "lebe": (("housing", r"(?P<v>(?:allein|alleine|mit .+|getrennt|in einer wg)\b.*)"), ("diet", rf"(?P<v>{DIETS}.*)"), ("lives_in", r"(?:in|im|bei|nahe|am|an der|auf) (?P<v>(?!frieden\b|angst\b).+)")),
    "ziehe": (("plan_move", r"(?P<v>(?:.* )?(?:nach|in|aufs|um|zu|zurück)\b.*)"),),
    "arbeite": (("work_hours", r"(?P<v>.*\b(?:teilzeit|vollzeit|nachts|schicht\w*|homeoffice|von zu hause|nachtschicht|(?:\d+|dreißig|zwanzig) stunden|freiberuflich|vier tage\b.*)\b.*)"), ("works_as", r"(?:\w+ )?als (?P<v>.+)"), ("employer", r"(?:\w+ )?(?:bei|für|beim|bei der) (?P<v>(?!mir\b).+)"), ("works_in", r"(?:in|im|an der|am|auf) (?P<v>.+)")),
    "jobbe": (("employer", r"(?:bei|in|im|als) (?P<v>.+)"),),
    "heiße": (),
    "unterrichte": (("job", _GER),),
    "leite": (("job", r"(?P<v>(?:eine?n?|die|den|das|unser\w*) .+)"),),
    "studiere": (("studies", _GER),),
    "komme": (("from", r"(?:ursprünglich |eigentlich |gebürtig )?aus (?P<v>(?!dem (?:lachen|staunen)\b).+)"),),
    "stamme": (("from", r"(?:ursprünglich )?aus (?P<v>.+)"),),
    "spreche": (("speaks", rf"(?P<v>.*\b{LANGUAGES}\b.*)"),),
    "lerne": (("learning", rf"(?P<v>.*\b(?:{LANGUAGES}|klavier|gitarre|geige|schlagzeug|cello|ukulele|nähen|segeln|reiten|schwimmen|programmieren|saxophon|stricken)\b.*)"),),
    "spiele": (("plays", rf"{_X}(?P<v>(?!mit dem gedanken).+)"),),
    "nehme": (("takes_medicine", rf"(?P<v>.*\b{MEDICINE}.*)"), ("does_regularly", r"(?P<v>(?:den|die|das) (?:bus|bahn|zug|rad|u-bahn|s-bahn|tram|fahrrad)\b.*)")),
    "trage": (("glasses", r"(?P<v>.*\b(?:brille|kontaktlinsen|hörgerät\w*|zahnspange|linsen|kopftuch|größe .+)\b.*)"),),
    "esse": (("eats", _GER),),
    "trinke": (("drinks", _GER),),
    "rauche": (("smokes", r"(?P<v>.*)"),),
    "vertrage": (("intolerance", _GER),),
    "mag": (("likes", _GER),),
    "liebe": (("likes", _GER),),
    "hasse": (("dislikes", _GER),),
    "verabscheue": (("dislikes", _GER),),
    "bevorzuge": (("prefers", _GER),),
    "meide": (("avoids", _GER),),
    "vermeide": (("avoids", _GER),),
    "fürchte": (("fears", r"mich vor (?P<v>.+)"),),
    "besitze": (("owns", _GER),),
    "fahre": (("does_regularly", r"(?P<v>.*\b(?:mit dem (?:rad|fahrrad|zug|bus|auto)|mit der (?:bahn|straßenbahn|s-bahn)) (?:zur|zum|in die) .+|(?:\w+ )?(?:rad|fahrrad|rennrad|ski|snowboard|skateboard|kajak|inliner|mountainbike)\b.*)"), ("drives", r"(?P<v>eine?n? .+)")),
    "benutze": (("uses", r"(?P<v>(?:eine?n?|mein\w*|(?-i:[A-ZÄÖÜ])).*)"),),
    "nutze": (("uses", r"(?P<v>(?:eine?n?|mein\w*|(?-i:[A-ZÄÖÜ])).*)"),),
    "sammle": (("hobby", _GER),),
    "gehe": (("does_regularly", r"(?P<v>(?!davon|der|kurz).*\b(?:joggen|laufen|schwimmen|wandern|klettern|bouldern|reiten|tanzen|turnen|angeln|ins (?:fitnessstudio|gym|kino|theater)|zum (?:yoga|sport|training|chor|fußball|stammtisch|schwimmen)|in die (?:kirche|sauna|moschee)|spazieren|früh (?:ins bett|schlafen))\b.*)"), ("school", r"(?P<v>(?:in|auf) (?:die|das|eine?) .*(?:klasse|schule|gymnasium|uni)\b.*)")),
    "mache": (("does_regularly", r"(?P<v>.*\b(?:yoga|pilates|sport|musik|karate|judo|krafttraining|gymnastik|homeoffice)\b.*)"), ("studies", r"(?P<v>.*\b(?:ausbildung|lehre|studium|abitur|abi|master|bachelor|doktor|referendariat|fsj|praktikum|umschulung|weiterbildung)\b.*)")),
    "singe": (("hobby", r"(?P<v>(?:in|im|bei)\b.*)"),),
    "engagiere": (("volunteers", r"mich (?P<v>.+)"),),
    "wiege": (("weight", r"(?P<v>.*\d+.*)"),),
    "leide": (("condition", r"(?:\w+ )?an (?P<v>.+)|unter (?P<w>.+)"),),
    "schlafe": (("sleep", r"(?P<v>(?:schlecht|nur|meist|kaum|gut|immer|wenig|etwa)\b.*)"),),
    "stehe": (("sleep", r"(?P<v>.*\bauf)"), ("likes", r"(?:total |sehr |voll )?auf (?P<v>(?!dem|der|einer|einem)\w+.*)")),
    "pendle": (("does_regularly", _GER),),
    "trainiere": (("does_regularly", r"(?P<v>(?:für|im|beim|mehrmals|\w+mal|regelmäßig|jeden)\b.*)"),),
    "halte": (("pet", r"(?P<v>(?:\w+ )?(?:hühner|bienen|schafe|ziegen|kaninchen|pferde|tauben|enten|fische)\b.*)"),),
    "züchte": (("hobby", _GER),),
    "betreibe": (("job", r"(?P<v>(?:eine?n?|mein\w*) .+)"),),
    "pflege": (("kin_fact", r"(?P<v>mein\w* .+)"),),
    "kann": (("dislikes", r"(?P<v>.+?) (?:nicht|überhaupt nicht|gar nicht) (?:leiden|ausstehen|ab)"), ("can", r"(?P<v>.*\b(?:schwimmen|autofahren|kochen|tanzen|singen|nähen|programmieren|radfahren|ski ?fahren|reiten|stricken|segeln|klavier spielen|gitarre spielen|noten lesen|backen)\b.*)"), ("speaks", rf"(?P<v>.*\b{LANGUAGES}\b.*)")),
    "wurde": (("born_in", r"in (?P<v>\D.+) geboren.*"), ("birthday", r"(?:am|im) (?P<v>.+) geboren"), ("condition", r"mit (?P<v>.+) diagnostiziert"), ("job", r"(?P<v>.*befördert)"), ("unemployed", r"(?P<v>.*(?:gekündigt|entlassen))")),
    "will": (("plan", _GER),), "möchte": (("plan", _GER),), "plane": (("plan", _GER),), "werde": (("plan", _GER),),
    "beginne": (("plan", _GER),), "fliege": (("plan", _GER),), "reise": (("plan", _GER),), "fange": (("plan", _GER),), "heirate": (("plan", _GER),),
}  # fmt: skip
"""What follows a verb of the first person, by its form: attribute and the rest of the clause."""

INSTRUCT = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?:ab (?:jetzt|sofort|heute)|von (?:jetzt|nun|heute) an|in zukunft|künftig|zukünftig|grundsätzlich|generell)[ ,:]+(?:bitte )?(?P<v>(?!(?:wohne|arbeite|lebe|bin|esse|trinke|habe|werde|gehe|fahre|mache|will|möchte|ich|wir)\b)\w.*)",
        r"(?:bitte )?(?P<v>(?:antworte?|antworten sie|sprich|schreib\w*|erklär\w*|nutze|benutze|verwende|nenn\w*|gib|halte?|fass|formulier\w*|rechne|stell|rede|frag|übersetze|sag|begründe|beginne|bleib)\b(?: \S+){0,6}? (?:immer|nie|niemals|grundsätzlich|stets|auf (?:deutsch|englisch|französisch)|kurz|knapp|in kurzen|keine? emojis?|per du|mit sie)\b.*)",
        r"(?:bitte )?(?P<v>(?:immer|nie|niemals|stets|grundsätzlich) (?:\S+ ){0,8}\w+(?:en|ern|eln))[.!]*$",
        r"(?:bitte )?(?P<v>(?:keine (?:emojis?|floskeln|fremdwörter|aufzählungen|ausrufezeichen|smileys|anglizismen|rückfragen|tabellen)|(?:duz|siez)e? mich|(?:duzen|siezen) sie mich|sprich mich (?:immer |bitte )?mit .+ an|du (?:kannst|darfst|sollst) mich (?:gern |ruhig |gerne )?(?:duzen|siezen))\b.*)",
        r"(?:bitte )?(?P<v>(?:verzichte|hör auf|lass)\b.*\b(?:emojis?|floskeln|entschuldig\w+|immer|lob\w*|anrede|smileys)\b.*)",
        r"(?:mir sind|ich (?:bevorzuge|mag|möchte|will|hätte gern|wünsche mir)) (?P<v>(?:lieber |bitte |immer |nur )*(?:kurze|knappe|ausführliche|direkte|ehrliche|lange|einfache|detaillierte)\w* (?:\w+ )?(?:antworten|erklärungen|sätze|texte|rückmeldungen).*)",
    )
)

NAME = re.compile(
    r"\b(?:ich heiß[e']?|mein (?:voller )?name ist|(?:hallo|hi|moin|servus|hey)[,!]? ich bin (?:der |die )?|ich bin (?:der|die)(?= (?-i:[A-ZÄÖÜ])\w+(?:[ ,.!]|$)(?!\w*in\b))) ?(?P<v>(?-i:[A-ZÄÖÜ])[a-zäöüß'-]+(?: (?-i:[A-ZÄÖÜ])[a-zäöüß'-]+)*)(?=[ ,.!]|$)",
    re.IGNORECASE,
)

CALLED = re.compile(
    r"\b(?:nenn(?:t|en sie)? mich|(?:alle|freunde|meine freunde|die meisten|kollegen) (?:nennen|rufen) mich|(?:du kannst|ihr könnt|sie können) mich) (?:bitte |einfach |ruhig |gern |gerne |nur |alle )*(?P<v>(?-i:[A-ZÄÖÜ])[\w'-]+)(?= nennen|[,.! ]|$)",
    re.IGNORECASE,
)

KIN_PREDICATE = re.compile(
    r"(?:,? (?P<name>(?-i:[A-ZÄÖÜ])[a-zäöüß'-]+),?)? (?P<p>(?:ist|sind|hat|haben|hatte|arbeitet|wohnt|lebt|wohnen|leben|studiert|lernt|geht|gehen|spielt|spricht|kommt|wird|wurde|heißt|heißen|leidet|war|macht|besucht|unterrichtet|liebt|hasst|mag|zog|starb) (?:jetzt |gerade |schon |seit \w+ |auch |inzwischen |mittlerweile |leider |bald |am \w+ |im \w+ |vor \w+ \w+ )*(?:an?\b|als|bei|in\b|im\b|aus|auf|ein\w*|kein\w*|\d+|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|allergisch|vegetari\w+|vegan\w*|schwanger|verheiratet|geschieden|rentner\w*|lehrer\w*|arzt|ärztin|\w+(?:erin|er|istin|ist|eur|in|pfleger|mann|frau)\b|gestorben|verstorben|geboren|dement|autistisch|asthma|diabetes|klavier|fußball|geige|gitarre|handball|tennis|(?-i:[A-ZÄÖÜ])\w+).*)",
    re.IGNORECASE,
)

PLURAL = {
    "sind": "bin",
    "haben": "habe",
    "wohnen": "wohne",
    "leben": "lebe",
    "ziehen": "ziehe",
    "arbeiten": "arbeite",
    "essen": "esse",
    "wollen": "will",
    "möchten": "möchte",
    "planen": "plane",
    "werden": "werde",
    "fahren": "fahre",
    "fliegen": "fliege",
    "mögen": "mag",
    "heiraten": "heirate",
    "hab": "habe",
    "hab'": "habe",
    "war": "bin",
    "waren": "bin",
    "hatte": "habe",
    "hatten": "habe",
    "wohnte": "wohne",
    "wohnten": "wohne",
    "lebte": "lebe",
    "lebten": "lebe",
    "arbeitete": "arbeite",
    "studierte": "studiere",
    "spielte": "spiele",
    "rauchte": "rauche",
    "ess": "esse",
    "trink": "trinke",
    "wohn": "wohne",
    "arbeit": "arbeite",
    "spiel": "spiele",
    "geh": "gehe",
    "komm": "komme",
    "lern": "lerne",
    "nehm": "nehme",
    "fahr": "fahre",
    "liebte": "liebe",
    "besaß": "besitze",
    "zog": "zog",
    "zogen": "zog",
    "mach": "mache",
    "mache": "mache",
    "kündigte": "habe",
    "leb": "lebe",
    "sprech": "spreche",
    "reisen": "reise",
    "halten": "halte",
    "gehen": "gehe",
    "ernähren": "ernähre",
    "kochen": "koche",
    "machen": "mache",
    "unterrichtete": "unterrichte",
}

PAST_FORMS = frozenset(
    "war waren hatte hatten wohnte wohnten lebte lebten arbeitete studierte spielte rauchte liebte besaß unterrichtete".split()
)

PLANS = (
    ("plan_move", r".*\b(?:umziehen|ziehe?n?|umzug|auswandern)\b.*"),
    (
        "plan_travel",
        r".*\b(?:reisen|reise|fliegen|fliege|urlaub|nach .+ fahren|besuchen|wandern|radtour|jakobsweg|interrail|fahren wir|fahre)\b.*",
    ),
    (
        "plan_job",
        r".*\b(?:job|stelle|kündigen|selbst(?:st)?ändig|bewerben|in rente|firma gründen|arbeitgeber|café eröffnen|eröffnen|anfangen bei|referendariat)\b.*",
    ),
    ("plan_purchase", r".*\b(?:kaufen|anschaffen|zulegen|holen)\b.*"),
    ("plan_family", r".*\b(?:heiraten|heirate|hochzeit|kinder bekommen|adoptieren|verloben)\b.*"),
    (
        "plan_study",
        r".*\b(?:lernen|studieren|studium|kurs|ausbildung|meister machen|prüfung|abitur|führerschein|promovieren|master)\b.*",
    ),
    (
        "plan",
        r".*\b(?:aufhören|anfangen|laufen|marathon|renovieren|bauen|abnehmen|schreiben|gründen|verkaufen|pflanzen|feiern|sparen|umschulen|machen|umsteigen|schaffen|spenden|teilnehmen|beginnen|beginne|zusammenziehen)\b.*",
    ),
)

NO_PLAN = re.compile(
    r"\b(?:wissen|fragen|verstehen|sagen|haben dass|dass du|sicherstellen|danken|erklärt|kurz|nur|ausprobieren|sehen|nachdenken|versuchen|schauen|überlegen|dir|dich|nicht|nie|kein\w*|niemals|text|mail|brief|funktion|skript|tabelle|vielleicht|zeigen|code|hören|wohl|verrückt|krank|müde|irre)\b",
    re.IGNORECASE,
)

MY = tuple(
    (attribute, re.compile(pattern, re.IGNORECASE))
    for attribute, pattern in (
        ("birthday", r"\bmein geburtstag ist (?:am |im )?(?P<v>.+)|\bich habe am (?P<w>.+?) geburtstag"),
        ("favourite", r"\bmeine? (?P<v>(?-i:L)ieblings\w+ (?:ist|sind) (?!\d).+)"),
        (
            "hobby",
            r"\bmeine? (?:größtes |neues |liebstes )?(?:hobbys?|hobbies|leidenschaft) (?:ist|sind) (?P<v>.+)",
        ),
        ("goal", r"\bmein (?:großes |größtes )?(?:ziel|traum|vorsatz)(?: für \w+)? ist(?: es)?,? (?P<v>.+)"),
        ("speaks", rf"\bmeine muttersprache ist (?P<v>{LANGUAGES}.*)"),
        ("job", r"\b(?:von beruf|beruflich) bin ich (?P<v>.+)"),
        ("size", r"\bmeine (?:schuh|kleider)größe ist (?P<v>.+)"),
        ("drives", r"\bmein auto ist (?P<v>ein .+)"),
        ("child", r"\bwir erwarten (?P<v>.+)"),
    )
)

SAYINGS = tuple(
    (attribute, positive, re.compile(pattern, re.IGNORECASE))
    for attribute, positive, pattern in (
        (
            "dislikes",
            False,
            r"\bmir (?:\w+ )?(?:schmeckt|schmecken|gefällt|gefallen|liegt|liegen) (?P<v>(?!(?:das|es|dein\w*|die idee|der text)\b).+?) (?:gar |überhaupt )?nicht\b",
        ),
        (
            "likes",
            True,
            r"\bmir (?:schmeckt|schmecken) (?P<v>(?!(?:das|es)\b)[^,.]+?) (?:sehr|am besten|gut)\b",
        ),
        (
            "intolerance",
            True,
            r"\b(?:von|bei) (?P<v>\w+) (?:wird mir schlecht|bekomme ich (?:ausschlag|bauchschmerzen|migräne))",
        ),
        (
            "dislikes",
            False,
            r"\bich (?:finde|find) (?P<v>(?!(?:das|es|dein\w*|die (?:idee|antwort)|den (?:text|vorschlag))\b)[^,.]+?) (?:furchtbar|schrecklich|eklig|widerlich|ätzend|grässlich|scheußlich)\b",
        ),
        ("partner", True, r"\b(?P<v>(?:meine freundin|mein freund|meine frau|mein mann) und ich)\b"),
    )
)
