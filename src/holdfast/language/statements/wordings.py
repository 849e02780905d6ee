"""Words and phrases of English and German that say the same wherever they stand."""

from __future__ import annotations

from holdfast.language.statements.verbs import verb_forms
from holdfast.language.statements.words import SHORT, SYNONYMS, words


def _groups(text: str) -> dict[str, str]:
    """Parses lines of `word=other=third` into {other: word, third: word}; a line may hold several groups."""
    result: dict[str, str] = {}
    for group in text.split():
        first, *others = group.split("=")
        result.update(dict.fromkeys(others, first))
    return result


def _phrases(text: str) -> dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]]:
    """Parses lines of `phrase | another = what they become` into the phrases by their first word, the longest
    first."""
    result: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
    for line in text.strip().splitlines():
        left, right = line.split("=")
        for phrase in left.split("|"):
            parts = tuple(phrase.split())
            result.setdefault(parts[0], []).append((parts, tuple(right.split())))
    for pairs in result.values():
        pairs.sort(key=lambda pair: -len(pair[0]))
    return result


VERBS = """
    start begin commence/select choose pick/buy purchase/allow permit/forbid prohibit ban/show display/
    repair mend fix/tell inform notify/use utilise/help assist/delete erase remove/happen occur/live reside/
    gather collect/shut close/finish complete/get receive obtain/ask request/require need/reply answer/
    try attempt/raise increase/reduce decrease lower/change modify alter/enable activate/disable deactivate/
    perform conduct/throw dump/want wish/own possess/check verify/stop cease
"""
"""English verbs that say the same, in each line the first stands for the others."""

ENGLISH = (
    SYNONYMS
    | _groups(
        """
        management=mgmt environment=env environments=envs performance=perf implementation=impl
        specification=spec specifications=specs message=msg messages=msgs package=pkg packages=pkgs
        library=lib
        libraries=libs average=avg account=acct miscellaneous=misc headquarters=hq building=bldg
        quantity=qty asap=ASAP
        numerous=many extra=additional previous=former smart=clever quiet=silent expensive=costly
        afraid=scared rich=wealthy rubbish=garbage=trash truck=lorry trucks=lorries staff=personnel
        colleague=coworker=co-worker colleagues=coworkers=co-workers
        timetable=schedule defective=faulty regarding=concerning so=therefore=thus=hence
        holiday=vacation holidays=vacations noon=midday website=web-site
        photo=photograph photos=photographs phone=telephone phones=telephones bicycle=bike bicycles=bikes
        doctor=physician doctors=physicians refrigerator=fridge laboratory=lab laboratories=labs
        examination=exam examinations=exams advertisement=advert advertisements=adverts lawyer=attorney
        lift=elevator lifts=elevators children=kids television=tv email=e-mail emails=e-mails film=movie
        films=movies sofa=couch big=large bigger=larger biggest=largest quick=fast=rapid quicker=faster
        quickest=fastest entire=whole ill=sick wrong=incorrect sufficient=enough
        obligatory=mandatory=compulsory
        annually=yearly brief=short often=frequently seldom=rarely almost=nearly maybe=perhaps
        everybody=everyone nobody=no-one anybody=anyone somebody=someone every=each until=till while=whilst
        among=amongst although=though theatre=theater theatres=theaters neighbourhood=neighborhood
        neighbourhoods=neighborhoods neighbours=neighbors metre=meter metres=meters litre=liter litres=liters
        fibre=fiber aluminium=aluminum plough=plow jewellery=jewelry
        favour=favor honours=honors labour=labor flavour=flavor flavours=flavors harbour=harbor
        harbours=harbors rumour=rumor odour=odor vapour=vapor humour=humor analysed=analyzed
        analysing=analyzing catalogues=catalogs dialogue=dialog enrol=enroll skilful=skillful
        cancelling=canceling labelling=labeling modelled=modeled travelled=traveled
        traveller=traveler signalled=signaled mould=mold moustache=mustache pyjamas=pajamas
        sceptical=skeptical
        offence=offense pretence=pretense maths=math mom=mum aeroplane=airplane=plane department=dept
        because=cuz government=govt approximately=approx including=incl appointment=appt
        minimum=min maximum=max reference=ref
        prioritise=prioritize prioritised=prioritized
        synchronised=synchronized synchronises=synchronizes kubernetes=k8s=Kubernetes
        receive=recieve receives=recieves received=recieved separate=seperate separately=seperately
        occurred=occured definitely=definately accommodate=accomodate accommodation=accomodation
        address=adress addresses=adresses calendar=calender environment=enviroment=enviornment
        government=goverment necessary=neccessary=necesary occurrence=occurence publicly=publically
        recommend=recomend recommended=recomended referred=refered successful=succesful=sucessful
        successfully=succesfully tomorrow=tommorow=tommorrow until=untill which=wich the=teh their=thier
        believe=beleive achieve=acheive beginning=begining business=buisness committee=commitee
        completely=completly dependent=dependant immediately=immediatly independent=independant
        maintenance=maintainance=maintenence parameter=paramter parameters=paramters
        privilege=priviledge really=realy relevant=relevent schedule=schedual similar=similiar
        surprise=suprise usually=usualy weird=wierd writing=writting deploy=depoly default=defualt
        function=funciton length=lenght height=heigth response=reponse request=reqeust value=vlaue
        commit=comit committed=commited available=availible=avaliable appointment=apointment
        February=Febuary Wednesday=Wensday=Wednsday restaurant=restaraunt knowledge=knowlege library=libary
        medicine=medecine message=mesage access=acess across=accross actually=acutally always=allways
        because=becuase=becasue before=befor between=betwen different=diffrent every=evry
        existence=existance finally=finaly foreign=foriegn guarantee=garantee interrupt=interupt
        minute=minuite neighbour=nieghbour original=orginal possible=posible
        preferred=prefered principle=priciple probably=probaly process=proccess questionnaire=questionaire
        reference=referance repository=respository=repositroy service=serivce system=sytem
        together=togehter transferred=transfered truly=truely update=udpate
        """
    )
    | {
        form: main
        for line in VERBS.replace("\n", "").split("/")
        for first, *others in [line.split()]
        for other in others
        for form, main in zip(verb_forms(other), verb_forms(first), strict=True)
    }
)
"""English words by the one that stands for them, spellings and forms of verbs included."""

for _stem in words("organ prior categor emphas apolog critic memor stabil neutral mobil sterilis material"):
    for _end in ("e", "es", "ed", "ing", "ation", "er", "ers"):
        ENGLISH[f"{_stem}iz{_end}"] = f"{_stem}is{_end}"

ENGLISH_PHRASES = _phrases(
    """
    has to | have to | needs to | need to | is required to | is obliged to = must
    is not allowed to | is not permitted to | is forbidden to = must not
    is allowed to | is permitted to = may
    require to | requires to = must
    ought to = should
    is able to = can
    no fewer than | not less than | no less than | not fewer than | a minimum of = at least
    no more than | not more than | a maximum of = at most
    prior to = before
    in order to = to
    due to | owing to | on account of = because of
    as well as = and
    at the moment | at present | right now = currently
    provided that | in the event that | on condition that = if
    for instance = for example
    no one = nobody
    every other = every 2nd
    all of the = all the
    both of the = both the
    half of the | half the = 50·percent of the
    until such time as = until
    with the exception of | apart from | except for = except
    a dozen = 12
    at all times = always
    takes place = happens
    take place = happen
    took place = happened
    on Mondays = every Monday
    on Tuesdays = every Tuesday
    on Wednesdays = every Wednesday
    on Thursdays = every Thursday
    on Fridays = every Friday
    on Saturdays = every Saturday
    on Sundays = every Sunday
    1st quarter of = Q1
    2nd quarter of = Q2
    3rd quarter of = Q3
    4th quarter of = Q4
    a hour and a half = 5400·second
    half a hour = 1800·second
    with out = without
    make sure that | make sure | ensure that = ensure
    relies on = depends on
    rely on = depend on
    's name is = is called
    once a day | once per day | once every day = every day
    once a week | once per week | once every week = every week
    once a month | once per month | once every month = every month
    once a year | once per year | once every year = every year
    you may not = you must not
    you will find = you can find
    , not = instead of
    let us = let's
    w/ = with
    w/o = without
    b/c = because
    as soon as possible = asap
    which is why = so
    turn on | switch on = enable
    turns on | switches on = enables
    turned on | switched on = enabled
    turning on | switching on = enabling
    turn off | switch off = disable
    turns off | switches off = disables
    turned off | switched off = disabled
    turning off | switching off = disabling
    carry out = perform
    carries out = performs
    carried out = performed
    call off = cancel
    called off = cancelled
    put off = postpone
    puts off = postpones
    is located | can be found | is found | is situated = is
    must not exceed | may not exceed | can not exceed = must be at most
    in spite of = despite
    next to | close by = beside
    across from = opposite
    a lot of | lots of | plenty of | a great many = many
    a number of = several
    free of charge = free
    all day long = all day
    a quarter of a hour | quarter of a hour = 900·second
    3 quarters of a hour = 2700·second
    a fortnight = 1209600·second
    two dozen | 2 dozen = 24
    not any more | not any longer | no more = no longer
    car park = parking lot
    rather than = instead of
    out of order = broken
    and also = and
    for the purpose of = for
    that is why = so
    """
)
GERMAN = _groups(
    """
    immer=stets nie=niemals etwa=ungefähr=circa=ca bevor=ehe obwohl=obgleich nur=lediglich
    braucht=benötigt brauchen=benötigen brauchte=benötigte gebraucht=benötigt bekommt=erhält
    bekommen=erhalten bekam=erhielt Auto=PKW=Pkw Samstag=Sonnabend samstags=sonnabends E-Mail=Email=email=Mail
    E-Mails=Emails=Mails Foto=Photo Fotos=Photos Handy=Mobiltelefon verboten=untersagt erlaubt=gestattet
    sofort=unverzüglich=umgehend derzeit=zurzeit=momentan=gegenwärtig mittlerweile=inzwischen außerdem=zudem
    trotzdem=dennoch mindestens=wenigstens höchstens=maximal Nutzer=Benutzer Nutzers=Benutzers
    Nutzern=Benutzern Nutzerin=Benutzerin kaputt=defekt kostenlos=gratis=kostenfrei vorher=zuvor
    Nummer=Nr Straße=Str inklusive=inkl Telefon=Tel beziehungsweise=bzw gegebenenfalls=ggf eventuell=evtl
    maximal=max dass=daß muss=muß beginnt=startet beginnen=starten vielleicht=möglicherweise
    nutzen=benutzen=verwenden=benützen nutzt=benutzt=verwendet nutzte=benutzte=verwendete
    kauft=erwirbt kaufen=erwerben kaufte=erwarb gekauft=erworben prüft=überprüft
    prüfen=überprüfen prüfte=überprüfte geprüft=überprüft informiert=benachrichtigt
    informieren=benachrichtigen wohnt=lebt wohnen=leben wohne=lebe deshalb=deswegen=daher=darum
    Rechner=Computer Fehler=Bug Besprechung=Meeting
    Lift=Aufzug=Fahrstuhl Lkw=LKW=Lastwagen Müll=Abfall Passwort=Kennwort Anschrift=Adresse Oma=Großmutter
    Opa=Großvater Metzger=Fleischer Tischler=Schreiner schnell=rasch
    """
)
GERMAN_PHRASES = _phrases(
    """
    montags = jeden Montag
    dienstags = jeden Dienstag
    mittwochs = jeden Mittwoch
    donnerstags = jeden Donnerstag
    freitags = jeden Freitag
    samstags = jeden Samstag
    sonntags = jeden Sonntag
    täglich = jeden Tag
    wöchentlich = jede Woche
    monatlich = jeden Monat
    jährlich = jedes Jahr
    nicht mehr als = höchstens
    nicht weniger als = mindestens
    befindet sich = ist
    befinden sich = sind
    im Augenblick | im Moment | zur Zeit = derzeit
    die Hälfte der = 50·percent der
    """
)

SHORT_FORMS = SHORT | words(
    "mgmt env envs perf impl spec specs msg msgs pkg pkgs lib libs avg acct misc ref dept lab labs exam exams"
)
"""Short forms that are a name before "folder" or "branch"."""
SHORTENED = {
    "z.b.": "zum Beispiel",
    "d.h.": "das heißt",
    "u.a.": "unter anderem",
    "i.d.r.": "in der Regel",
    "mio.": "Mio",
    "mrd.": "Milliarden",
    "e.g.": "for example",
    "i.e.": "that is",
    "etc.": "etc",
    "vs.": "versus",
    "&": "&",
    "bzw.": "beziehungsweise",
    "ca.": "etwa",
    "approx.": "approximately",
    "inkl.": "inklusive",
    "incl.": "including",
    "nr.": "Nummer",
    "max.": "maximum",
    "evtl.": "eventuell",
    "ggf.": "gegebenenfalls",
    "usw.": "usw",
    "dept.": "department",
    "tel.": "Telefon",
    "std.": "Stunden",
    "mins.": "minutes",
    "hrs.": "hours",
    "secs.": "seconds",
}
"""Short forms with a stop, and what they stand for."""
SEPARABLE = {
    ("fängt", "an"): "beginnt",
    ("fangen", "an"): "beginnen",
    ("fing", "an"): "begann",
    ("hört", "auf"): "endet",
    ("hören", "auf"): "enden",
    ("findet", "statt"): "ist",
    ("finden", "statt"): "sind",
    ("fand", "statt"): "war",
}
"""German verbs with a prefix at the end of the sentence, and a verb that stands for both."""
DAYS = dict(
    zip(
        "Mon Tue Tues Wed Weds Thu Thur Thurs Fri".split(),
        "Monday Tuesday Tuesday Wednesday Wednesday Thursday Thursday Thursday Friday".split(),
        strict=True,
    )
)
GERMAN_DAYS = dict(
    zip(
        "Mo Di Mi Do Fr Sa So".split(),
        "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag".split(),
        strict=True,
    )
)
"""Weekdays by their short forms."""
STREETS = {"St": "Street", "Ave": "Avenue", "Rd": "Road", "Blvd": "Boulevard"}
REPEATED = {
    "daily": ("every", "day"),
    "weekly": ("every", "week"),
    "monthly": ("every", "month"),
    "yearly": ("every", "year"),
    "annually": ("every", "year"),
    "hourly": ("every", "hour"),
}
"""Adverbs of how often, and the phrases for which they stand at the end of a clause."""
TITLES = {
    "dr.": "Dr", "dr": "Dr", "doktor": "Dr", "doctor": "Dr", "prof.": "Prof", "professor": "Prof",
    "mr.": "Mr", "mister": "Mr", "mrs.": "Mrs", "ms.": "Ms", "st.": "St", "hr.": "Herr", "fr.": "Frau",
}  # fmt: skip
"""Titles before a name."""
