"""Attributes of claims with their types, and words for times."""

from __future__ import annotations

from holdfast.language.claims.verbs import pattern

TYPES = {
    "who": "name called age birthday gender height weight pronouns religion nationality size handed",
    "origin_and_home": "lives_in from born_in moved moved_out housing rents",
    "work": "employer job works_in works_as work_hours retired unemployed self_employed salary left",
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

FREQUENT = pattern(
    r"\b(?:(?:every|each) (?:single |other |second )?(?:day|morning|evening|night|week|weekend|month|year|summer|winter|spring|autumn|mon|tues|wednes|thurs|fri|satur|sun)\w*|daily|weekly|monthly|usually|often|regularly|always|mostly|normally|typically|generally|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|(?:once|twice|(?:\w+|\d+) times) (?:a|per|every|each)|most (?:days|mornings|evenings|weekends|nights|weeks)|in the (?:mornings?|evenings?|afternoons?|summer|winter)|at weekends|on (?:the )?weekends?|weeknights|a lot|"
    r"all the time|in my (?:free|spare) time|for fun|as a hobby|for years|before (?:work|breakfast|bed)|after work|a week|a day|at night|religiously|never|rarely|seldom|hardly ever"
    r"|jede[nrs]?|täglich|wöchentlich|immer|oft|regelmäßig|meistens?|normalerweise|gewöhnlich|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|morgen|abend|nachmittag|vormittag)s"
    r"|einmal|zweimal|dreimal|viermal|mal (?:die|pro|in der) (?:woche|monat|tag)|am wochenende|in meiner freizeit|nie|selten|kaum|gerne?|abends|morgens|nachts|mittags|sonntags|leidenschaftlich)\b"
)
TIME = pattern(
    r"[ ,]*\b(?:(?P<since>(?:ever )?since (?!(?:I|we|my|he|she|they|it|you|there|his|her)\b)(?:(?:the|an?|last|early|late|mid|about|around|at least|before|after|just|\d{1,2}(?:st|nd|rd|th)?|\w+uary|march|april|may|june|july|august|\w+ember|october) (?:of )?)*[^,.;\s]+|(?:for|over|about) (?:about |almost |nearly |over |like |the (?:last|past) |more than |around )*(?:\d+|a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen"
    r"|(?:twenty|thirty|forty|fifty)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?|(?:thir|four|six|seven|eigh|nine)teen|many|several|a few|a couple of|some|most of my) ?(?:years?|months?|weeks?|days?|decades?|ages)(?: now)?(?! ago)|(?:for (?:years|ages|a while|decades))(?: now)?|all (?:my|me) life"
    r"|seit (?:(?:[\w.]+ ){0,2}(?:\d{4}|jahren|monaten|wochen|tagen|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|kurzem|langem|gestern|heute|montag|dem \w+|der \w+|sommer|herbst|winter|frühling|frühjahr|letzte[mrn] \w+|diesem \w+|anfang \w+|ende \w+|mitte \w+)|(?:meine[rmn]|der|dem|unsere[rm]) \w+|\w+)"
    r"|schon (?:lange|immer|ewig))"
    r"|(?P<until>(?:until|till|up to) [^,.;]{2,30}?|bis (?:\w+ )?(?:\d{4}|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|gestern|vor \w+ \w+|letzte[nsm] \w+|ende \w+|anfang \w+))"
    r"|(?P<when>(?:(?:\d+|a|an|one|two|three|four|five|six|ten|a few|a couple of|several|some|many) (?:years?|months?|weeks?|days?) ago)|last (?:year|month|week|summer|winter|spring|autumn|fall|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|night)|yesterday|recently|in (?:early |late |mid-?|the (?:spring|summer|autumn|fall|winter) of )?(?:\d{4}|january|february|march|april|may|june|july|august|september|october|november|december)(?: \d{4})?|(?:next|this|coming) (?:year|month|week|summer|winter|spring|autumn|fall|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend)|tomorrow|tonight|soon|today|in (?:\d+|a few|two|three|four|six) (?:days|weeks|months|years)|on (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
    r"|vor (?:\w+ ){1,2}(?:jahr(?:en)?|monat(?:en)?|wochen?|tagen)|letzte[nsmr]? (?:jahr|monat|woche|sommer|winter|herbst|frühling|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|montag|wochenende)|gestern|neulich|kürzlich|im (?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|sommer|herbst|winter|frühling|frühjahr|nächsten jahr|kommenden \w+|nächsten \w+)(?: \d{4})?|nächste[nsmr]? (?:jahr|monat|woche|sommer|winter|herbst|frühling|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|wochenende)|(?<!jeden )morgen(?! \w+s\b)|übermorgen|bald|heute|in (?:\w+ )(?:tagen|wochen|monaten|jahren)|dieses (?:jahr|wochenende)|diese[ns]? (?:sommer|winter|herbst|woche|monat))"
    r")(?=[,.;!?) ]|$)"
)
FUTURE = pattern(
    r"\b(?:next(?! (?:door|to)\b)|tomorrow|tonight|soon|this (?:weekend|summer|winter|autumn|fall|spring|year)|in (?:\d+|a few|two|three|four|six) (?:days|weeks|months|years)|in (?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|aug|sept?|oct|nov|dec)|on (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
    r"|nächste[nsmr]?|morgen|übermorgen|bald|im (?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|sommer|herbst|winter|frühling|frühjahr)|in (?:zwei|drei|vier|sechs|ein paar|\d+) (?:tagen|wochen|monaten|jahren)|am (?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|wochenende)|dieses jahr|kommende[nsmr]?|ab \w+)\b"
)
TODAY = pattern(
    r"\b(?:gleich|nachher|später|heute(?! noch)|eben|gerade|(?:geh\w*|gehen wir|geh ich) jetzt (?=[\w ]*\w+(?:en|eln|ern)\b)|(?<!am )(?<!jeden )morgen|demnächst"
    r"|in (?:einer|zwei|drei|\d+) (?:minuten?|stunden?)|in (?:an?|half an|two|three|\d+) (?:minutes?|mins?|hours?)"
    r"|in a (?:bit|minute|moment|sec|second|while)|later|tonight|today|tomorrow|right now|just now|this (?:morning|afternoon|evening)"
    r"|at (?:\d{1,2}(?::\d\d)?(?: ?[ap]m)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) (?:today|tonight))\b"
)
"""Matches times of one day, at which somebody does something once."""
