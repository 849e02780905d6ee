"""Reads which attributes of the person a question asks for: "where do I live?" asks for `lives_in`.

A question is read as a whole, in English and German: one word more than the table has leaves it to recall, for it
may be about another time, another person or another matter.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import count

from holdfast.language.claims.subjects import sort_of
from holdfast.language.claims.yes_or_no import YesOrNo, species_of, yes_or_no

QUESTION_MAX = 120
"""Most characters of a question that is read."""

OPENING = (
    r"(?:(?:hey|hi|ok|so|and|well|sorry|wait|und|also|sag mal)[, ]+)*"
    r"(?:(?:do you (?:still )?(?:know|remember)|(?:can|could) you (?:tell|remind) me|(?:please )?(?:tell|remind) me"
    r"|remember|weisst du(?: noch)?|(?:kannst du mir )?sag(?:en|st du)?(?: mir)?)[,:]? )?"
)
CLOSING = (
    r"(?:,? (?:now|again|currently|at the moment|at present|these days|right now|please|then|jetzt|noch ?mal"
    r"|derzeit|zurzeit|gerade|eigentlich|bitte))*[?.! ]*"
)
_WORDS = {
    "kin": "wife|husband|spouse|partner|girlfriend|boyfriend|fiancée?",
    "kin_de": "meine (?:frau|partnerin|freundin)|mein (?:mann|partner|freund)",
    "children": "kids|children|child|sons?|daughters?",
    "pets": "pets?|dogs?|cats?|horses?|rabbits?|hamsters?",
    "pets_de": "haustiere?|hunde?|katzen?",
    "plans": "plan+plan_travel+plan_move+plan_job+plan_purchase+plan_family+plan_study+plan_event",
    "for": r" (?:for|in|on|during) (?:the |my )?(?!next|this|coming)(?P<value>[\w ]{3,30}?)",
    "for_de": r" (?:für|im|in|am)(?: de[nmr]| das| die)? (?!nächst|dies|komm)(?P<value>[\w ]{3,30}?)",
    "thing": r"[\w-]+(?: [\w-]+)?",
}
_QUESTIONS = r"""
lives_in:
    where (?:do |am )?i (?:live|living|based)
    where i(?:'m| am) (?:living|based)
    (?:in )?(?:what|which) (?:city|town|country|place|village) (?:do |am )?i (?:live|living)(?: in)?
    (?:where|what)(?: is|'s) my home(?:town| town| city)?
    wo (?:wohn|leb)e? ich
    wo ich (?:wohn|leb)e
    in welche[rm] (?:stadt|ort|land) (?:wohn|leb)e? ich
workplace=employer+works_in+job+works_as+self_employed+retired+unemployed+corrected.work:
    where (?:do )?i work
    (?:where|what)(?: is|'s) my (?:work ?place|place of work)
    who(?:m)? (?:do )?i work for
    (?:who|what)(?: is|'s) my (?:employer|company)
    (?:at |for )?(?:what|which) company do i work(?: for| at)?
    (?:bei wem|wo|für wen) arbeite ich
    wo ich arbeite
    wer ist mein arbeitgeber
    was ist mein arbeitsplatz
works_as+job+employer+works_in+self_employed+retired+unemployed+corrected.work:
    what (?:do )?i do (?:for a living|for work|professionally)
    what do i work as
    as what do i work
    what(?: is|'s) my (?:job|profession|occupation|job title|trade|work)
    what job do i have
    was (?:arbeite ich|bin ich von beruf|mache ich beruflich)
    was ist mein (?:beruf|job)
name called:
    what(?: is|'s) my (?:full |first |last )?name
    what am i called
    my (?:full |first |last )?name
    who am i
    what (?:do|should) you call me
    wie heisse ich
    wer bin ich
    wie ist mein name
age birthday:
    how old (?:am i|i am)
    what(?: is|'s) my age
    wie alt (?:bin ich|ich bin)
birthday:
    when(?: is|'s) my birthday
    when was i born
    what(?: is|'s) my (?:birthday|birth date|date of birth)
    wann (?:habe ich geburtstag|bin ich geboren|wurde ich geboren|ist mein geburtstag)
from born_in nationality:
    where (?:am i|do i come) from
    where was i born
    what(?: is|'s) my nationality
    where i(?:'m| am) from
    woher (?:komme|stamme) ich
    wo (?:bin|wurde) ich geboren
allergy intolerance:
    (?:do i have|have i got) (?:any |an |a )?(?:food )?intolerances?
    what (?:am i|i am|i'm) (?:allergic to|intolerant of|intolerant to)
    what can(?:'t|not) i eat
    (?:what|which) (?:food )?(?:allergies|intolerances) do i have
    what are my (?:food )?(?:allergies|intolerances)
    wogegen bin ich allergisch
    welche allergien habe ich
diet eats:
    what(?: is|'s) my diet
    how do i eat
    wie ernähre ich mich
spouse partner marital_status:
    who(?: is|'s) my (?:<kin>)
    what(?: is|'s) my (?:<kin>)(?:'s name| called)
    what(?: is|'s) the name of my (?:<kin>)
    (?:wer ist|wie heisst) (?:<kin_de>)
child:
    how many (?:<children>) (?:do i have|have i got)
    what are my (?:<children>)(?:'s names|'s? called|s' names| called)
    who are my (?:<children>)
    what(?: is|'s) my (?:<children>)(?:'s name| called)
    what are the names of my (?:<children>)
    wie viele kinder habe ich
    wie heiss(?:en|t) meine? (?:kinder|kind|sohn|tochter)
sibling:
    how many (?:siblings|brothers|sisters) (?:do i have|have i got)
    who(?: is|'s) my (?:brother|sister)
    what(?: is|'s) my (?:brother|sister)(?:'s name| called)
    wie heisst meine? (?:bruder|schwester)
pet:
    what(?: is|'s) my (?P<value><pets>)(?:'s name| called)
    what(?: is|'s) the name of my (?P<value><pets>)
    what are my (?P<value><pets>)(?:'s names|s' names|'? names| called)
    what are the names of my (?P<value><pets>)
    (?:what|which) pets (?:do i have|have i got)
    welche haustiere habe ich
    wie heiss(?:t|en) meine? (?P<value><pets_de>)
speaks:
    (?:what|which) languages? (?:do|can) i speak
    what(?: is|'s) my (?:mother tongue|native language)
    welche sprachen? (?:spreche|kann) ich
    was ist meine muttersprache
learning:
    what am i learning
    (?:what|which) (?P<noun>languages?|instruments?) am i learning
    was lerne ich
    welche[ns]? (?P<noun>sprachen?|instrumente?) lerne ich
drives:
    what (?:do i drive|(?:kind of )?car (?:do i (?:have|drive|own)|have i got))
    which car do i (?:have|drive|own)
    what(?: is|'s) my car
    welches auto (?:fahre|habe) ich
    was für ein auto (?:fahre|habe) ich
plays sport:
    (?:what|which) (?P<noun>instruments?) (?:do|can) i play
    welches? (?P<noun>instrumente?) spiele ich
studies degree school:
    what (?:do|did) i study
    where (?:do|did) i study
    what(?: is|'s) my (?:degree|major)
    was studiere ich
    was habe ich studiert
    wo studiere ich
height:
    how tall (?:am i|i am)
    what(?: is|'s) my height
    wie gross bin ich
weight:
    (?:how much|what) do i weigh
    what(?: is|'s) my weight
    wie viel wiege ich
takes_medicine:
    (?:what|which) (?:medication|medications|medicine|medicines|pills|meds|drugs) (?:do i take|am i (?:on|taking))
    welche (?:medikamente|tabletten) nehme ich
condition injury disability:
    (?:what|which) (?:health |medical |chronic )?(?:conditions?|illness(?:es)?|diseases?|diagnos[ie]s|health problems|health issues) (?:do i have|have i got)
    what(?: is|'s) my (?:diagnosis|condition|illness)
    (?:welche|was für) (?:krankheit(?:en)?|diagnosen?|beschwerden|erkrankung(?:en)?) habe ich
dislikes avoids:
    what (?:don't|do not|can't|cannot) i (?:like|stand|bear)
    what do i (?:hate|dislike|detest|loathe)
    (?:what|which) (?:foods?|dishes|things) (?:do i (?:hate|dislike|not like|avoid)|don't i (?:like|eat))
    was (?:mag|hasse|esse) ich (?:nicht|gar nicht|überhaupt nicht)
    was (?:hasse ich|kann ich nicht (?:leiden|ausstehen))
likes fan_of hobby prefers:
    what do i (?:like|love|enjoy)
    was (?:mag|liebe) ich
hobby sport plays does_regularly:
    what are my hobbies
    (?:what|which) hobbies do i have
    was sind meine hobbys
    welche hobbys habe ich
sport=sport+plays+hobby+does_regularly:
    (?:what|which) sports? do i (?:do|play|have|practi[sc]e)
    welche[n]? sport(?:arten)? (?:mache|treibe|betreibe|spiele) ich
fears:
    what am i (?:afraid|scared) of
    wovor habe ich angst
<plans>:
    what are my plans
    (?:what|which) plans do i have
    welche pläne habe ich
    what am i planning
    what do i plan(?: to do)?
    was habe ich vor
    was plane ich
<plans>+statement.plan:
    (?:what are my plans|(?:what|which) plans do i have)<for>
    (?:do i have|have i got) (?:any )?plans<for>
    what am i planning<for>
    was (?:habe ich<for_de> (?:vor|geplant)|sind meine pläne<for_de>|plane ich<for_de>)
    (?:welche pläne habe ich|habe ich pläne)<for_de>
uses owns:
    (?:what|which) (?P<noun><thing>) do i use
    welche[nsr]? (?P<noun><thing>) (?:benutze|verwende|nutze) ich
"""
"""Attributes, and below them the questions that ask for them. Those joined by "+" answer together, others as far as
the ones before do not; `statement.plan` are statements of type plan, and `corrected.work` a person's corrections of
statements of type work. An answer has to name `value`, and to be of the sort before "=" or of what `noun` names."""
_ANY_PET = frozenset("pet pets haustier haustiere".split())


@dataclass(frozen=True, slots=True)
class AskedOfPerson:
    """The attributes that a question asks for, those that answer it best first, or `together`. `value` is what an
    answer has to name, `species` the species that a pet has to be of ("what is my dog's name?"), `noun` the
    thing that the answer has to be, and `sort` the sort of thing, such as a sport. `closed` is set if the
    answer is yes or no."""

    attributes: tuple[str, ...]
    value: str | None = None
    noun: str | None = None
    sort: str | None = None
    species: str | None = None
    together: bool = False
    closed: YesOrNo | None = None


@cache
def _patterns() -> tuple[tuple[AskedOfPerson, re.Pattern[str]], ...]:
    """Returns what each group of questions asks for, with its pattern."""
    table = _QUESTIONS.strip()
    for name, words in _WORDS.items():
        table = table.replace(f"<{name}>", words)
    number = count()
    # a name stands once in a pattern
    table = re.sub("<(value|noun)>", lambda name: f"<{name[1]}{next(number)}>", table)
    patterns = []
    for group in re.split(r"\n(?=\S)", table):
        header, questions = group.split(":\n", 1)
        sort, _, names = header.rpartition("=")
        asked = AskedOfPerson(tuple(re.split(r"[ +]", names)), sort=sort or None, together="+" in names)
        pattern = f"{OPENING}(?:{'|'.join(map(str.strip, questions.splitlines()))}){CLOSING}"
        patterns.append((asked, re.compile(pattern)))
    return tuple(patterns)


def asked_of_person(text: str) -> AskedOfPerson | None:
    """Returns what a question asks of its author; None if it asks for anything else."""
    if len(text) > QUESTION_MAX:
        return None
    folded = " ".join(text.casefold().replace("ß", "ss").replace("’", "'").split())
    if (closed := yes_or_no(folded, OPENING, CLOSING)) is not None:
        return AskedOfPerson(closed.attributes, closed=closed)
    for asked, pattern in _patterns():
        if match := pattern.fullmatch(folded):
            return _with_words(asked, match.groupdict())
    return None


def _with_words(question: AskedOfPerson, words: Mapping[str, str | None]) -> AskedOfPerson:
    """Returns a question with what an answer has to name or to be."""
    noun = next((word for name, word in words.items() if word and name.startswith("noun")), None)
    value = next((word for name, word in words.items() if word and name.startswith("value")), None)
    if noun is not None:
        sort = sort_of(noun)
        return replace(question, sort=sort, noun=None if sort else noun)
    if question.attributes == ("pet",) and value is not None:
        return replace(question, value=None if value in _ANY_PET else value, species=species_of(value))
    return replace(question, value=value)


_OWN = r"(?:my|our|meine?[rsmn]?|unse?re?[rsmn]?)(?: [\w-]+){1,3}?"
_OF_OWN = re.compile(
    OPENING
    + r"(?:(?:what|who|when|where|which|how old)(?:'s| is| are| was| were| do| does| did)? "
    + rf"(?:the (?:name|birthday|age|job|address)s? of )?{_OWN}(?:'s?)?(?: (?:name|birthday|age|job|address|called|work|live|do|born))?s?"
    + rf"|(?:what|how old) {_OWN}(?:'s?)?(?: (?:name|birthday|age|job))? (?:is|was|are)"
    + rf"|(?:of )?(?:the (?:name|birthday|age) of {_OWN}|{_OWN}(?:'s?)? (?:name|birthday|age))"
    + rf"|(?:wie (?:heisst|heissen|hiess|alt (?:ist|sind))|wer (?:ist|sind|war)|wann (?:hat|ist)|wo (?:wohnt|arbeitet|lebt)|was macht) {_OWN}"
    + r"(?: (?:geburtstag|geboren|beruflich))?"
    + rf"|(?:wie|wer|wo|wann|was) {_OWN} (?:heisst|heissen|ist|sind|wohnt|arbeitet|hat|geburtstag hat|macht)"
    + rf"|(?:wie (?:ist|war|lautet)|den|an den|de[rn]) (?:der )?namen? (?:von )?{_OWN})"
    + CLOSING
)


def asks_of_own(text: str) -> bool:
    """Returns whether a text only asks for something of somebody of the author's, and so states nothing of them:
    "what is my sister's name?"."""
    if len(text) > QUESTION_MAX:
        return False
    folded = " ".join(text.casefold().replace("ß", "ss").replace("’", "'").split()).strip()
    return _OF_OWN.fullmatch(folded) is not None
