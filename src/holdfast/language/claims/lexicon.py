"""Nouns and adjectives of everyday life by class in two languages, and the class of a phrase by its head."""

from __future__ import annotations

import re
from functools import lru_cache

_CLASSES: dict[str, str] = {
    "spouse": "wife husband hubby spouse missus frau ehefrau mann ehemann gattin gatte göttergatte",
    "partner": "partner girlfriend boyfriend fiancé fiancée fiance fiancee gf bf partnerin freundin freund verlobte verlobter"
    " lebensgefährte lebensgefährtin other-half better-half bessere-hälfte significant-other lebenspartner lebenspartnerin",
    "ex": "ex ex-wife ex-husband ex-boyfriend ex-girlfriend ex-partner ex-mann ex-frau exmann exfrau exfreund exfreundin",
    "child": "daughter son kid child children toddler baby newborn infant twin stepson stepdaughter teenager teen stepkid eldest"
    " triplet girl boy tochter töchter sohn söhne kind kinder zwilling stiefsohn stieftochter kleine kleiner große großer älteste"
    " ältester jüngste jüngster säugling jungs jung mädchen teenie nachwuchs youngest oldest little-one kids kiddo bub mädels"
    " sprössling stiefkind pflegekind adoptivkind foster-kid foster-child kleinkind",
    "parent": "mother father mom mum dad mam mommy mummy daddy parent mama papa stepmother stepfather stepmum stepdad mutter vater"
    " eltern mutti vati stiefmutter stiefvater folks",
    "sibling": "brother sister sibling stepbrother stepsister half-brother half-sister bruder brüder schwester geschwister bro sis"
    " zwillingsbruder zwillingsschwester halbbruder halbschwester",
    "grandchild": "grandson granddaughter grandchild grandchildren grandkid grandbaby enkel enkelin enkelkind enkelkinder enkeltochter",
    "relative": "grandmother grandfather grandma grandpa grandparent granny nan gran nana grandad uncle aunt auntie cousin niece nephew"
    " mother-in-law father-in-law brother-in-law sister-in-law in-law  oma opa großmutter großvater großeltern onkel tante"
    " cousine nichte neffe schwiegermutter schwiegervater schwiegereltern schwager schwägerin schwiegersohn schwiegertochter godson"
    " goddaughter patenkind patentante patensohn son-in-law daughter-in-law mother-in-law's omi opi",
    "friend": "best-friend bestie oldest-friend best-mate beste-freundin bester-freund best-freund roommate flatmate housemate mitbewohner mitbewohnerin",
    "pet": "dog cat puppy kitten rabbit hamster parrot budgie horse pony tortoise turtle hound labrador lab poodle terrier dachshund"
    " goldfish guinea-pig ferret lizard snake gecko axolotl canary hen chicken goat sheep cow donkey beagle collie retriever greyhound"
    " spaniel husky pug corgi whippet siamese tabby tomcat bunny gerbil rat cockatiel alpaca llama duck geese pet labradoodle cockapoo"
    " doggo pup kitty rottweiler mutt chihuahua bulldog mare gelding hund hündin katze kater welpe kaninchen hase papagei wellensittich"
    " pferd schildkröte dackel pudel meerschweinchen kätzchen huhn hühner ziege schaf schafe haustier mops schäferhund bartagame aquarium"
    " stute wallach esel ente golden-retriever border-collie jack-russell german-shepherd vierbeiner",
    "allergy": "allergy allergie allergic-reaction",
    "intolerance": "intolerance intoleranz unverträglichkeit lactose-intolerance laktoseintoleranz",
    "ill": "asthma diabetes adhd autism asperger migraine celiac coeliac epilepsy arthritis eczema psoriasis anxiety depression insomnia"
    " hay-fever high-blood-pressure hypertension hypothyroidism hyperthyroidism tinnitus dyslexia dyspraxia dyscalculia ibs pcos endometriosis crohn"
    " crohns colitis lupus ms multiple-sclerosis cancer anemia anaemia apnea apnoea osteoporosis scoliosis gout vertigo glaucoma rosacea"
    " bipolar ocd ptsd reflux gerd pacemaker fibromyalgia sciatica raynaud narcolepsy hashimoto hashimotos stroke parkinson parkinsons"
    " alzheimer alzheimers dementia cholesterol stammer stutter prosthesis stoma hernia slipped-disc herniated-disc back-pain chronic-pain"
    " long-covid heart-condition heart-attack heart-murmur hearing-loss hearing-aid hearing-aids thyroid colour-blindness sleep-apnea cataract"
    " tendinitis bursitis carpal-tunnel plantar-fasciitis concussion miscarriage hysterectomy transplant arrhythmia afib angina copd emphysema"
    " kidney-stones acne alopecia burnout disability iud coil braces zöliakie migräne heuschnupfen bluthochdruck neurodermitis schuppenflechte"
    " rheuma arthrose epilepsie depressionen angststörung schlafapnoe schlafstörungen reizdarm gicht skoliose ads adhs multiple-sklerose"
    " bandscheibenvorfall schilddrüsenunterfunktion herzfehler legasthenie lrs schlaganfall herzinfarkt demenz krebs brustkrebs hörgerät"
    " herzschrittmacher behinderung autismus sodbrennen endometriose morbus-crohn depression panikattacken panic-attacks schwerbehinderung"
    " unterfunktion überfunktion krampfadern lipödem hexenschuss tennisarm fersensporn pollenallergie borreliose long-covid",
    "body": "back knee hip shoulder wrist ankle foot feet neck elbow heart stomach skin eye eyes ear ears hearing eyesight hand hands finger leg legs"
    " arm spine lung lungs bladder rücken knie knien hüfte schulter handgelenk knöchel fuß füße nacken hals herz magen haut auge augen ohr ohren"
    " hand bein beine lunge blase wirbelsäule bandscheibe gelenke joints achilles hamstring blutdruck blood-pressure",
    "med": "insulin citalopram escitalopram antibiotic antidepressant beta-blocker blood-thinner statin painkiller pill iron magnesium zinc melatonin vitamin supplement"
    " ibuprofen aspirin paracetamol antihistamine inhaler cortisone creatine probiotic ritalin xanax prozac zoloft ventolin eliquis ozempic"
    " lithium hrt levothyroxine methotrexate warfarin steroid ssri medication meds concerta adderall vyvanse elvanse lexapro wegovy mounjaro"
    " gabapentin tramadol eisen eisentabletten blutdrucktabletten antibiotikum betablocker blutverdünner l-thyroxin pille medikament tablette"
    " tabletten tropfen nahrungsergänzung antidepressiva kortison spritze asthmaspray cortison marcumar metformin bisoprolol birth-control",
    "instrument": "piano guitar violin cello flute ukulele saxophone trumpet drums bass accordion banjo harp clarinet oboe trombone tuba organ viola bagpipes keyboard"
    " harmonica klavier gitarre geige schlagzeug querflöte flöte blockflöte saxophon trompete klarinette posaune akkordeon orgel harfe bratsche horn kontrabass",
    "thing": "car van motorbike motorcycle scooter bike bicycle e-bike truck boat kayak canoe caravan campervan camper house flat apartment"
    " cottage cabin garden yard backyard allotment balcony greenhouse piano guitar violin cello laptop macbook pc desktop computer iphone ipad"
    " kindle camera telescope printer sewing-machine air-fryer espresso-machine coffee-machine bread-machine oven microwave dishwasher fireplace"
    " record-player drone console playstation ps5 ps4 xbox switch workshop garage shed tent surfboard snowboard treadmill smartwatch heat-pump"
    " solar-panels tv television server nas raspberry-pi loom kiln pool sauna hot-tub trailer tractor vineyard farm"
    " thinkpad chromebook android pixel samsung hatchback minivan estate suv sedan cargo-bike wood-stove stand-mixer slow-cooker"
    " instant-pot thermomix drum-kit keyboard synth smartphone dehumidifier freezer tumble-dryer dryer washing-machine houseboat"
    " apple-watch garmin fitbit headphones monitor rower rowing-machine turntable bungalow condo motorhome rv wood-burner orchard"
    " auto wagen motorrad fahrrad rad lastenrad roller boot wohnmobil wohnwagen haus wohnung garten schrebergarten balkon gewächshaus klavier"
    " gitarre geige rechner handy telefon drucker kamera nähmaschine kaffeemaschine backofen mikrowelle spülmaschine kamin werkstatt schuppen zelt"
    " wärmepumpe solaranlage fernseher bulli kombi campingbus eigentumswohnung reihenhaus bauernhof hof acker ferienhaus hochbeet fotovoltaik"
    " photovoltaik waschmaschine trockner kleinwagen diesel elektroauto e-auto hybrid pkw grill heimserver dachterrasse heißluftfritteuse"
    " blender food-processor moka-pot cafetiere french-press rice-cooker pressure-cooker dutch-oven cast-iron-pan wok toaster-oven pizza-oven smart-speaker speaker-system soundbar projector tripod gaming-pc"
    " gaming-laptop vr-headset e-reader rollator mobility-scooter pram pushchair stroller beehive hive polytunnel conservatory loft cellar basement-flat narrowboat dinghy yacht telescope microscope 3d-printer"
    " accordion ukulele banjo saxophone trumpet clarinet flute harmonica harp bass-guitar euphonium mixer küchenmaschine herd gasherd gefrierschrank tiefkühler kinderwagen laufrad teleskop beamer"
    " credit-card driving-licence passport savings-account mobile-home electric-car bassgitarre flügel",
    "home": "hometown home-town village town neighbourhood neighborhood dorf heimatstadt heimat wohnort",
    "job": "nurse chef cook doctor vet teacher judge clerk guard coach aide assistant agent analyst consultant architect au-pair barista priest monk"
    " nun lawyer attorney solicitor medic temp freelancer founder co-founder ceo cto cfo postdoc lead dev tutor nanny carer midwife detective surgeon dj mechanic"
    " paramedic pilot electrician plumber carpenter welder bricklayer joiner roofer painter farmer baker butcher florist gardener postman"
    " translator interpreter journalist copywriter illustrator photographer designer ux-designer programmer coder engineer developer tester data-scientist"
    " scientist researcher physicist chemist biologist pharmacist physio physiotherapist therapist psychologist psychiatrist dentist optician gp"
    " radiographer accountant bookkeeper auditor banker broker trader realtor estate-agent salesperson cashier waiter waitress bartender"
    " receptionist secretary project-manager product-manager manager supervisor director foreman civil-servant librarian archivist curator"
    " professor lecturer headteacher social-worker youth-worker firefighter police-officer cop soldier sailor driver bus-driver"
    " truck-driver trucker courier tram-driver train-driver seamstress tailor hairdresser barber beautician makeup-artist personal-trainer"
    " yoga-teacher musician actor dancer composer author writer novelist poet potter blacksmith goldsmith watchmaker beekeeper fisherman"
    " forester ranger zookeeper groom jockey diplomat politician mayor economist statistician mathematician actuary recruiter hr-manager"
    " sysadmin devops sre admin it-support cleaner caretaker janitor housekeeper lifeguard flight-attendant air-traffic-controller steward stewardess"
    " housewife househusband stay-at-home-mum stay-at-home-mom stay-at-home-dad hausfrau hausmann sole-trader handyman landscaper surveyor"
    " paralegal notary pastor vicar imam rabbi undertaker bouncer streamer youtuber influencer hausarzt arzt ärztin tierarzt tierärztin"
    " koch köchin anwalt anwältin hebamme pilotin krankenschwester pflegekraft altenpfleger erzieher lehrer bauer bäuerin landwirt winzer"
    " bäcker metzger schreiner tischler zimmermann maurer dachdecker elektriker klempner installateur maler schlosser mechatroniker friseur friseurin"
    " verkäufer kassierer kellner koch buchhalter steuerberater bankkaufmann bürokauffrau sachbearbeiter beamter beamtin polizist feuerwehrmann"
    " soldat richter staatsanwalt notar ingenieur entwickler informatiker programmierer grafiker grafikdesigner fotograf journalist redakteur"
    " übersetzer dolmetscher architekt apotheker apothekerin physiotherapeut ergotherapeut logopäde logopädin psychologe psychologin therapeut"
    " zahnarzt zahnärztin mfa pfleger sanitäter notfallsanitäter busfahrer lkw-fahrer fernfahrer lokführer zugbegleiter taxifahrer kurier postbote"
    " briefträger gärtner gärtnerin förster floristin jäger imker schneider schneiderin töpfer musiker schauspieler sänger autor schriftsteller"
    " wissenschaftler physiker chemiker biologe biologin mathematiker professor dozent doktorand doktorandin pfarrer pfarrerin pastorin teamleiter"
    " abteilungsleiter projektleiter geschäftsführer chef selbstständige freiberufler freiberuflerin optiker hausmeister putzkraft reinigungskraft"
    " sozialarbeiter sozialpädagoge sozialpädagogin sekretärin rezeptionist makler vertreter kaufmann kauffrau bürokaufmann pflegefachfrau",
    "study": "student undergrad undergraduate grad-student phd-student freshman sophomore apprentice trainee intern azubi schüler schülerin studentin"
    " auszubildende auszubildender referendar referendarin lehrling praktikant praktikantin werkstudent werkstudentin phd-candidate ersti",
    "degree": "degree phd doctorate master masters master's bachelor bachelor's mba diploma certificate qualification apprenticeship ba ma bsc msc a-levels"
    " a-level gcse gcses abitur abi diplom doktor doktortitel promotion gesellenbrief meisterbrief staatsexamen realschulabschluss ausbildung studium"
    " hauptschulabschluss lehre umschulung weiterbildung referendariat dissertation doktorarbeit thesis masterarbeit bachelorarbeit fachabi abschluss"
    " meister fachabitur degrees uni-degree law-degree",
    "licence": "driving-licence driver's-license driver's-licence licence license pilot's-licence führerschein jagdschein segelschein motorradführerschein bootsführerschein angelschein",
    "club": "choir band club orchestra team union book-club reserves league society quartet theatre-group drama-group council board chor verein orchester"
    " musikverein sportverein feuerwehr gewerkschaft elternbeirat vorstand kapelle kirchenchor schützenverein mannschaft partei gemeinderat",
    "business": "bakery shop company business café cafe restaurant studio farm agency firm clinic startup start-up hotel b&b"
    " bar pub kiosk nursery food-truck salon brewery winery laden hofladen firma unternehmen praxis betrieb agentur kanzlei gasthof"
    " pension bäckerei werkstatt onlineshop etsy-shop online-shop charity non-profit cooperative label publishing-house law-firm garage",
    "lang": "english german french spanish italian portuguese dutch polish czech russian ukrainian swedish norwegian danish finnish greek turkish arabic"
    " hebrew hindi urdu bengali chinese mandarin cantonese japanese korean vietnamese thai indonesian swahili hungarian romanian bulgarian croatian serbian"
    " catalan basque welsh irish gaelic latin esperanto farsi persian tamil icelandic sign-language asl bsl yoruba tagalog punjabi afrikaans albanian slovak slovene"
    " englisch deutsch französisch spanisch italienisch portugiesisch niederländisch polnisch tschechisch russisch ukrainisch schwedisch norwegisch dänisch"
    " finnisch griechisch türkisch arabisch hebräisch chinesisch japanisch koreanisch ungarisch rumänisch kroatisch serbisch latein gebärdensprache plattdeutsch"
    " platt isländisch katalanisch persisch kurdisch vietnamesisch schwyzerdütsch",
    "sport": "football soccer tennis badminton squash basketball volleyball handball hockey golf rugby cricket table-tennis baseball softball chess darts"
    " pool poker padel bridge dnd d&d videogames boardgames fußball tischtennis schach skat doppelkopf eishockey boule minecraft yoga pilates karate judo"
    " aikido crossfit taekwondo boxing fencing archery rowing sailing skiing snowboarding swimming cycling running jogging riding dancing climbing bouldering hiking surfing ballet"
    " salsa tango zumba volleyball parkour triathlon triathlons marathons gymnastics netball lacrosse curling warhammer turnen leichtathletik tanzen klettern",
    "diet": "vegetarian vegan pescatarian pescetarian flexitarian carnivore keto paleo gluten-free dairy-free halal kosher plant-based veggie low-carb low-fodmap"
    " vegetarisch veganer veganerin vegetarier vegetarierin pescetarisch pescetarier flexitarier glutenfrei laktosefrei koscher pflanzlich omnivore meat-eater zuckerfrei",
    "drinkless": "teetotal teetotaler teetotaller sober nondrinker non-drinker abstinent trocken",
    "marital": "married divorced single engaged widowed separated widow widower bachelor verheiratet geschieden ledig verlobt verwitwet getrennt witwe witwer"
    " alleinstehend vergeben unmarried liiert polyamorous newlywed newlyweds",
    "loneparent": "single-dad single-mum single-mom single-mother single-father single-parent alleinerziehend alleinerziehende alleinerziehender"
    " stay-at-home-parent working-mum working-mom foster-parent",
    "healthadj": "diabetic asthmatic dyslexic colourblind colorblind colour-blind color-blind deaf autistic epileptic anaemic anemic blind short-sighted"
    " shortsighted near-sighted nearsighted bipolar disabled celiac coeliac neurodivergent diabetiker diabetikerin asthmatiker asthmatikerin farbenblind"
    " schwerhörig gehörlos kurzsichtig weitsichtig epileptiker epileptikerin legastheniker legasthenikerin autistisch autist autistin schwerbehindert allergiker"
    " allergikerin pregnant schwanger hard-of-hearing wheelchair-user wheelchair visually-impaired amputee cancer-survivor insulin-dependent rollstuhlfahrer"
    " rollstuhlfahrerin rollstuhl immunocompromised lactose-intolerant gluten-intolerant hypothyroid anorexic stutterer chronically-ill dialysis hypermobile"
    " laktoseintolerant nussallergiker highly-sensitive hochsensibel depressed depressiv herzkrank sehbehindert blutarm",
    "workstate": "retired unemployed self-employed freelance redundant part-time full-time retiree pensioner arbeitslos arbeitssuchend selbstständig selbständig"
    " freiberuflich rentner rentnerin pensionär pensionärin pensioniert teilzeit vollzeit ruhestand elternzeit between-jobs jobless stay-at-home night-shift"
    " maternity-leave paternity-leave parental-leave night-shifts shift-work schichtdienst nachtschicht minijob parental-leave furloughed signed-off"
    " krankgeschrieben mutterschutz verbeamtet festangestellt kurzarbeit homeoffice out-of-work semi-retired sabbatical frührentner altersteilzeit",
    "handed": "left-handed right-handed ambidextrous lefty linkshänder rechtshänder linkshänderin rechtshänderin left-hander leftie",
    "faith": "catholic protestant christian muslim jewish jew hindu buddhist sikh anglican orthodox atheist agnostic quaker lutheran mormon methodist baptist"
    " katholisch evangelisch muslimisch muslim muslima jüdisch jüdin atheist atheistin konfessionslos buddhist christ christin",
    "gender": "woman man non-binary nonbinary guy trans female male enby trans-man trans-woman transgender",
    "sleeper": "early-riser night-owl morning-person early-bird light-sleeper frühaufsteher nachteule morgenmensch langschläfer morgenmuffel frühaufsteherin lerche"
    " langschläferin eule",
    "smoker": "smoker non-smoker nonsmoker ex-smoker raucher raucherin nichtraucher nichtraucherin ex-raucher exraucher",
    "hobbyist": "runner hiker cyclist swimmer gamer reader gardener climber birdwatcher birder knitter home-baker home-brewer homebrewer surfer skier sailor"
    " vegetable-gardener bookworm film-buff coffee-snob coffee-drinker tea-drinker beer-drinker cat-person dog-person beach-person people-person foodie"
    " homebody introvert extrovert leseratte couchpotato naturmensch hobbygärtner hobbyfotograf hobbyläufer hobbykoch hobbybäcker wine-lover"
    " hundemensch katzenmensch teetrinker kaffeetrinker biertrinker",
    "only": "only-child einzelkind sandwich-child",
    "size": "foot cm meter metre centimetres tall kg stone pounds lbs groß",
    "nation": "american british english scottish welsh irish german austrian swiss french dutch belgian spanish portuguese italian greek polish czech slovak"
    " hungarian romanian bulgarian serbian croatian slovenian bosnian albanian turkish russian ukrainian swedish norwegian danish finnish icelandic estonian"
    " latvian lithuanian canadian mexican brazilian argentinian chilean colombian peruvian indian pakistani bangladeshi chinese japanese korean vietnamese thai"
    " indonesian malaysian filipino australian kiwi aussie egyptian moroccan tunisian algerian nigerian kenyan ghanaian ethiopian israeli iranian iraqi syrian"
    " lebanese afghan scot brit texan glaswegian londoner new-yorker geordie scouser deutsche deutscher österreicher österreicherin schweizer schweizerin türke türkin"
    " pole polin italiener italienerin franzose französin spanier spanierin hamburger berliner münchner schwabe schwäbin bayer kölner wiener kurde kurdin"
    " syrer syrerin ukrainer ukrainerin sachse rheinländer franke ostfriese",
}  # fmt: skip
CLASS_OF: dict[str, str] = {}
for _name, _words in _CLASSES.items():
    for _word in _words.split():
        CLASS_OF.setdefault(_word, _name)
KIN = frozenset(
    {"spouse", "partner", "ex", "child", "parent", "sibling", "grandchild", "relative", "friend", "pet"}
)
_SUFFIX = re.compile(
    r"(?P<ill>\w{3,}(?:itis|osis|[brkl]ose|phobia|phobie|aemia|emia|algia|schmerzen|probleme|erkrankung|krankheit|störung|schwäche|syndrom)$)"
    r"|(?P<allergy>\w+allergi(?:e|en)$)|(?P<intolerance>\w+(?:intoleranz|unverträglichkeit)$)"
    r"|(?P<med>\w{3,}(?:pril|sartan|statin|olol|prazole|mab|oxetine|aline|pram|azepam|formin|thyroxine?|mycin|cillin|oxin|idone|tidine|parin|dipine|profen|lukast|traline|codone|zolam|triptans?|prazol|opram|formin|gliptin|gliflozin|glutide?|oxaban|dronate|phenidate?|amfetamin\w?|zepam|sone|solon|setron|thiazide?|tabletten)$)"
    r"|(?P<job>\w{3,}(?:ologist|ologe|ologin|ographer|keeper|wright|smith|monger|meister|meisterin|leiter|leiterin|fahrer|fahrerin|pfleger|pflegerin|lehrer|lehrerin|therapeut|therapeutin"
    r"|arzt|ärztin|anwalt|anwältin|macher|händler|händlerin|verkäuferin|berater|beraterin|techniker|technikerin|arbeiterin|arbeiter|assistentin|assistent|ingenieurin|kraft|wirtin|wirt"
    r"|referentin|referent|fachfrau|fachmann|kauffrau|kaufmann|frau(?<!jungfrau)|führerin|bäckerin|erin|istin|eurin|eur|antin|torin|binder|bauer|putzer|setzer|schneider))$",
    re.IGNORECASE,
)
_JOB_END = re.compile(r"\w{2,}(?:er|or|ist|ian|ant|eer|yst)$")
_NO_JOB = frozenset(
    "prefer remember consider refer offer suffer deliver discover recover cover order answer enter differ infer monitor favor error keyerror valueerror typeerror lover hater beginner newcomer believer owner user member listener learner eater drinker sleeper person loner foreigner stranger customer subscriber"
    " optimist pessimist perfectionist winner loser monster disaster number supporter follower volunteer minimalist feminist traveller traveler voter outsider"
    " insider worrier planner thinker talker sucker passenger visitor together later better after over never ever water dinner winter summer letter paper order"
    " computer answer monitor error color colour mirror factor patient want giant constant ant other another however power matter either neither under cover whether"
    " weather december october november september flower number corner super easier harder faster slower older younger bigger smaller larger longer shorter"
    " distant important relevant instant significant elegant vegetarian italian canadian brazilian australian asian median plant restaurant parent grant current"
    " career cheer beer deer exist list twist resist assist exact owner buyer tenant leader-board meter liter filter layer folder header footer server router printer"
    " scanner charger speaker freezer mixer cooler heater trailer sweater jumper poster sticker burger butter pepper ginger cucumber october parser compiler docker"
    " handler helper wrapper container controller linter tester-suite per her for sober nor door floor flavor flavour favor favour interior behavior behaviour rather"
    " fighter hamster oyster lobster rooster spider tiger panther singular sugar popular regular similar minor major senior junior prior superior tumor humor humour"
    " wonder proper silver gender offer buffer enter center quarter chapter character master cluster register semester trimester theater peter walter oliver alexander"
    " jennifer heather christopher roger hunter tyler der wer er hier aber oder wieder immer mehr meiner unser leider keiner einer dieser jeder welcher guter neuer"
    " kleiner großer alter zimmer sommer winter messer wasser fenster muster koffer ordner drucker rechner computer becher teller keller ecker zucker butter körper finger"
    " schulter fehler schalter müller vier bier tier für sehr gar jahr uhr nur vor ohr haar klar wunderbar motor sensor faktor autor-zeile pro-tester under-taker sister"
    " finder reminder starter newsletter spreadsheet-er twitter helicopter fever kicker liver river laser toaster thermometer barometer ladder shower tower transfer".split()
)
"""Words that end like the name of a profession."""
_OF = re.compile(
    r"\s(?:in|at|for|with|from|by|on|of|who|near|and|or|to|wegen|gegen|because|due|since|from|as|about|called|named|but|which|und|in|im|bei|beim|aus|mit|von|vom|für|an|am|auf|seit|namens|oder|zum|zur|der|des|die|das)\s.*$|[,(].*$",
    re.IGNORECASE,
)
WORDS = re.compile(r"[^\W_]+(?:['&-][^\W_]+)*")
MARKERS = frozenset(
    "a an the my our some any no two three four five six seven one another this ein eine einen einem einer eines kein keine keinen keiner der die das den dem mein meine meinen"
    " meinem meiner unser unsere unseren unserem unserer zwei drei vier fünf sechs both beide beiden very such zu".split()
)


@lru_cache(4096)
def class_of_word(word: str) -> str | None:
    """Returns the class of a word, by its singular, its last part or its ending."""
    low = word.lower()
    if _AGED.fullmatch(low):
        return "child"
    for form in _forms(low):
        if form in CLASS_OF:
            return CLASS_OF[form]
    if len(low) > 7 and not low.endswith(("purchase", "teen", "phase", "phrase")):
        for i in range(3, len(low) - 3):  # German compounds have their head at the end
            if (word_class := CLASS_OF.get(low[i:])) and len(low[i:]) >= 4 and word_class in _COMPOUNDS:
                return word_class
    if _DRUG.fullmatch(low) is not None:
        return "med"
    match = _SUFFIX.match(low)
    if match is not None and low not in _NO_JOB:
        return match.lastgroup
    singular = low[:-1] if low.endswith("s") and not low.endswith("ss") else low
    if len(singular) > 4 and _JOB_END.match(singular) and low not in _NO_JOB and singular not in _NO_JOB:
        return "job"
    return None


_AGED = re.compile(
    r"\d{1,2}-?(?:years?-?olds?|yos?|y/o|months?-old|jährige[rsnm]?)|\w+-(?:year|month)s?-olds?|\w+jährige[rsnm]?"
)
"""Children by their age."""
_DRUG = re.compile(
    r"[a-zäöüß]{3,}(?:(?<=\w\w\w)pril|triptan|sartan|olol|(?:va)?statin|prazole?|(?:u|i|o)mab|gliptin|gliflozin|glutide?"
    r"|formin|oxetine?|traline?|talopram|afaxine?|tiapine?|zapine?|azepine?|peridone?|azepam|zolam|zopiclone?|cillin|floxacin"
    r"|mycine?|dipine?|xaban|lukast|profen|fenac|oxicam|coxib|tidine?|tadine?|tirizine?|setron|semide?|thiazide?|zosine?|gepant"
    r"|tinib|ciclib|(?:clo|na|gra|ami)vir|conazole?|glitazone?|dronate?|dronsäure|racetam|gabalin|thyroxine?|nisolone?|nisone?"
    r"|metasone?|tropium|meterol|buterol|butamol|codone?)"
)
"""Names of medicines by the stems that international names share: "rizatriptan", "candesartan", "ramipril"."""
_COMPOUNDS = frozenset(
    "child pet allergy intolerance ill med thing job study degree licence club business sibling healthadj workstate".split()
)


def _forms(low: str) -> tuple[str, ...]:
    """Returns a word and what it could be a plural or case of."""
    forms = [low]
    if low.endswith("ies"):
        forms.append(low[:-3] + "y")
    ends = ("s", "es", "n", "en", "e", "in", "innen", "er", "'s")
    forms += [
        low[: -len(end)] for end in ends if low.endswith(end) and len(low) - len(end) > 2 + (end == "e")
    ]
    return tuple(forms)


@lru_cache(2048)
def head_of(phrase: str) -> tuple[str, str] | None:
    """Returns the class of a noun phrase and the word that decides it: the last known word before what follows
    the noun."""
    core = _OF.sub("", f" {phrase} ").strip() or phrase
    words = WORDS.findall(core)
    for i in range(len(words) - 1, -1, -1):
        if i and (
            word_class := CLASS_OF.get(f"{words[i - 1]}-{words[i]}".lower())
            or CLASS_OF.get(f"{words[i - 1]}-{words[i]}".lower().rstrip("s"))
        ):
            return word_class, words[i]
        if i > 1 and (word_class := CLASS_OF.get("-".join(words[i - 2 : i + 1]).lower())):
            return word_class, words[i]
        word_class = class_of_word(words[i])
        if word_class is not None and (word_class not in _LAST_ONLY or i == len(words) - 1):
            return word_class, words[i]
    return None


_LAST_ONLY = frozenset({"job", "size", "gender", "nation", "lang"})
"""Classes that count only at the end of a phrase."""
