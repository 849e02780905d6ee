"""Reads what lasts of what is said of a relative or pet, with clauses that go on about one: "my mum, she's 70"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from holdfast.core.claims import Claim
from holdfast.language.claims.clause import END_WORDS
from holdfast.language.claims.making import claim_at
from holdfast.language.claims.voice import COVER

_PASSING = re.compile(
    r"(?:(?:is|are|'s|was|were|has been|have been) (?:(?:very |so |really |quite |pretty )*(?:surprised|shocked|amazed|excited|thrilled|upset|annoyed|furious|confused|worried|scared of the|impressed|disappointed)\b|(?:\w+ ){0,2}?(?!(?:studying|working|living|teaching|learning|training|expecting|marrying|turning|retraining|recovering|raising|nothing|amazing)\b)\w{2,}ing\b)|(?:has|have|had) (?:it|that|this|them)\b"
    r"|(?:just|had|got|gets|took|gave|went|came|sent|made|saw|found|broke|left|lost|told|needs|need|wants?|keeps?|comes?|goes (?:home|back|out|away|on)|makes?|looks?|seems?|says?) "
    r"(?!(?:a (?:stroke|heart attack|baby|transplant|bypass)|(?:three|four|two|five|six|\d) |cancer|surgery|polio|dementia|married|divorced|engaged|diagnosed|a (?:\w+ )?(?:job|degree|dog|cat|puppy)|a wheelchair|from [A-Z]|into (?:uni|college|med)|glasses|his (?:own|phd)|her (?:own|phd))\b)"
    r"|(?:has|have) (?:just|to|an? (?:\w+ ){0,2}(?:appointment|meeting|game|match|practice|test|exam|interview|fever|cold|accident|recital|party|question|look|point|go|trip|temperature)\b)"
    r"|(?:hat|haben) (?:gerade|eben|heute|gestern|morgen|(?:einen |eine )?(?:termin|fieber|prüfung|frage|recht|gesagt|keine lust|lust|zeit|keine zeit|hunger|ferien|schnupfen|husten|erkältung)\b)"
    r"|(?:is|are|'s|ist|sind|war|waren|was|were) (?:(?:very|so|really|also|still|just|all|not|sehr|noch|auch|wieder|gerade) )?(?:keen|ready|here|home|back|away|out|gone|asleep|late|sick|ill|off|up|over|at|on (?:the|his|her|board)|in (?:the (?:car|bath|garden|shower)|town|bed)|our|future|krank|erkältet|da|weg|zuhause|zu hause|gerade|unterwegs|dran|dabei|im urlaub|a (?:bit|baby about)|doing|eating|also|so (?!far)|that\b|this\b|too|busy|tired|bored|excited|not (?:happy|here|sure|well|feeling|amused)|obviously|why|who|what)\b"
    r"|(?:loves?|likes?|hates?|liebt|mag|hasst) (?:it|them|that|this|him|her|me|you|es|sie|ihn|das|mich|the (?:idea|show|one))\b|loved\b|(?:doesn'?t|don'?t|won'?t|can'?t) (?:want|know|like (?:it|that|them|this)|mind|care|wait|find|see|understand|get|stop|believe|come|decide|help|remember|do it|sleep)\b"
    r"|(?:kommt|kommen) (?!aus\b)|(?:geht|gehen) (?:es|gerade|heute|jetzt|morgen|gut|nicht)\b|(?:macht|machen) (?:mir|mich|sich|gerade|heute|mit|das|es)\b|(?:wird|wurde) (?!\d|bald \d|\w+ (?:jahre|alt)|\w{3,} jahre|\w+lich\b|eingeschult|neun|zehn|elf|zwölf|\w+zig\b)|(?:nimmt|zieht|kriegt|bekommt) (?:gerade|heute|morgen|das|es|mich|mir)\b|will be (?!\d)|.*\b(?:today|tonight|yesterday|tomorrow|heute|gestern|morgen|gerade|last (?:night|week|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|this (?:morning|afternoon|evening|week|weekend)|at the moment|right now|gestern)\b)",
    re.IGNORECASE,
)
"""What is said of somebody and does not last."""
FULL_STOP = r"\.(?!(?<=\d\.)\s(?:jan|feb|m[aä]r|apr|mai|may|jun|jul|aug|sep|o[ck]t|nov|de[cz])\w*\b)(?:\s|$)"
"""Matches a point that ends a sentence, and not a number in a date: "am 12. Mai"."""
_ENDS = re.compile(
    FULL_STOP
    + r"|[!?;:](?:\s|$)|\n|\s[–—-]\s|\)|,\s(?!\d)|\s(?:lol|haha+|lmao)\b|\s(?:but|so|because|aber|weil|also|which|if|wenn|when)\s"
    r"|\s(?:and|und)\s(?=(?:(?:this|next|last) \w+,? )?(?:i|we|ich|wir|my|our|mein\w*|unser\w*|how|what|can|he|she|they|it|he's|she's|they're|er|sie|es|you)\b)|"
    + COVER,
    re.IGNORECASE,
)
"""What ends that which is said of somebody."""
_CUT = re.compile(r"\s(?:am|vom|zum|on|on the)\s\d{1,2}$", re.IGNORECASE)
"""Matches a day of which the month is cut off."""
_FEMALE = re.compile(
    r"(?:.*(?:wife|girlfriend|mother|mum|mom|mam|mama|mommy|mummy|nan|gran|granny|nana|grandma|daughter|sister|aunt|auntie|niece|fiancée|missus|frau|freundin|mutter|mutti|oma|tochter|schwester|tante|nichte|cousine|schwägerin|katze|hündin|stute|partnerin|verlobte|kleine|jüngste|älteste|große|girl|mädchen|cat|mare|enkelin))$",
    re.IGNORECASE,
)
_MALE = re.compile(
    r"(?:.*(?:husband|hubby|boyfriend|father|dad|daddy|papa|vati|grandpa|grandad|grandfather|son|brother|bro|uncle|nephew|mann|freund|vater|opa|sohn|bruder|onkel|neffe|schwager|hund|kater|partner|kleiner|jüngster|ältester|boy|hengst|welpe|enkel|verlobter))$",
    re.IGNORECASE,
)
_PLURAL = re.compile(
    r"(?:.*(?:parents|kids|children|twins|boys|girls|sons|daughters|sisters|brothers|grandparents|in-laws|folks|cats|dogs|eltern|kinder|zwillinge|jungs|söhne|töchter|schwestern|brüder|großeltern|geschwister|katzen|hunde))$",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"(?P<who>he's|she's|they're|he|she|they|er|sie)\s(?P<p>"
    r"(?:is|are|has|have|works|lives|live|work|loves|love|likes|hates|hate|speaks|plays|eats|drinks|teaches|studies|goes to|can't|cannot|can not|doesn't|don't|never|only|already|was born|died|turns|turned|collects|owns|runs|wears|takes|carries|suffers|uses|needs|knows"
    r"|ist|hat|arbeitet|wohnt|lebt|studiert|geht in|geht auf|spielt|spricht|wird|heißt|isst|trinkt|mag|liebt|hasst|verträgt|sammelt|besucht|leidet|fährt|kann nicht|kann kein\w*|darf nicht|darf kein\w*|sind|haben|wohnen|leben)\b.+|(?:\d{1,2}|allergic|diabetic|vegan|vegetarian|an? \w+|from [A-Z]\w+|into \w+|in (?:year|grade|kindergarten)|almost \d+|nearly \d+|turning \d+|scared of|afraid of|terrified of|obsessed with|hopeless|called)\b.*)",
    re.IGNORECASE,
)
_NEXT_CLAUSE = re.compile(
    r"\s?[,;(–—-]\s*(?:(?:and|und|but|aber)\s)?|[.!]\s+|\s(?:and|und|but|aber)\s", re.IGNORECASE
)
_BARE_PREDICATE = re.compile(
    r"(?P<p>(?:hates|loves|likes|lives|works|plays|speaks|collects|never|doesn't|can't|gardens|knits|bakes|cooks|paints|swims|reads|drinks|eats|wears|uses|is (?:allergic|diabetic|vegan|vegetarian|retired|deaf|blind|terrified|scared|obsessed|coeliac|celiac)|has (?:two|three|four|an?|no|his|her)|hasst|liebt|mag|wohnt|arbeitet|spielt|sammelt|isst|trinkt)\b[^,.;!?\n]*)",
    re.IGNORECASE,
)
_CALLED = re.compile(r"(?i:(?:heißt|(?:is|'s) (?:called|named)|called)) (?P<n>[A-ZÄÖÜ][\w'-]+)")
"""Matches what names somebody: "he is called Balu"."""
_OWN_VERB = re.compile(r"\b(?:i|we|ich|wir|i'm|i've|we're)\b", re.IGNORECASE)


def is_passing(predicate: str) -> bool:
    """Returns whether what is said of somebody is only so at the moment."""
    return _PASSING.match(predicate) is not None


def trimmed(predicate: str) -> str:
    """Returns what is said of somebody without the next clause."""
    stop = _ENDS.search(predicate)
    clause = END_WORDS.sub("", predicate[: stop.start()] if stop else predicate).rstrip(" ,")
    return _CUT.sub("", clause)


@dataclass(frozen=True, slots=True)
class Relative:
    """Somebody whom a sentence is about: the claim that names them, and where it ends."""

    claim: Claim
    noun: str
    end: int


def fits(noun: str, pronoun: str) -> bool:
    """Returns whether a pronoun may stand for a relative."""
    head = re.sub(r"[^\w-]+$", "", noun.split()[-1] if noun.split() else "")
    low = pronoun.lower()
    is_many = _PLURAL.match(head) is not None
    if low.startswith("the") or is_many:
        return is_many and low.startswith(("the", "sie"))
    if low.startswith(("she", "sie")):
        return _MALE.match(head) is None or _FEMALE.match(head) is not None
    return _FEMALE.match(head) is None


def further(text: str, at: int, relative: Relative) -> Iterator[Claim]:
    """Yields what clauses from a place on say of somebody who was named before it, by a pronoun or, right
    after what was said of them, without a subject."""
    is_next = True
    separator = _NEXT_CLAUSE.match(text, at) if at else re.compile(r"\W*").match(text)
    while separator is not None:
        start = separator.end()
        match = _GOES_ON.match(text, start)
        if match is not None and not fits(relative.noun, match["who"]):
            return
        if match is None and is_next and at:
            match = _BARE_PREDICATE.match(text, start)
        if match is not None:
            words = trimmed(match["p"])
            yield from _of(relative, words, match.start("p"))
            stop = _ENDS.search(match["p"])
            start = match.start("p") + max(1, stop.start() if stop else len(match["p"]))
        elif _OWN_VERB.match(text, start):
            return
        is_next = match is not None
        at = max(at, 1)
        separator = (_NEXT_CLAUSE.match if is_next else _NEXT_CLAUSE.search)(text, start)


def _of(relative: Relative, words: str, start: int) -> Iterator[Claim]:
    """Yields what a clause after a relative says of them: "my sister, who lives in Kiel"."""
    if len(words) < 2 or is_passing(words) or is_passing(f"is {words}"):
        return
    claim = claim_at("kin_fact", words, start, start + len(words), certainty=0.7)
    if (called := _CALLED.fullmatch(words)) is not None and called["n"] not in relative.noun:
        yield replace(
            claim,
            type=relative.claim.type,
            attribute=relative.claim.attribute,
            value=f"{relative.noun} {called['n']}",
        )
    else:
        yield replace(claim, type=relative.claim.type, subject=relative.noun)
