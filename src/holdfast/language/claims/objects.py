"""Objects of claims: what does not belong to one is cut off, and what is none for its kind is refused.

All rules share this. An employer is a name or a noun phrase, a place is no time or state of mind, a relative is called
by a noun and a name, an age is a number of years. Clauses, times, company ("with my husband") and words of talk that a rule took
along are cut off.
"""

from __future__ import annotations

import re
from dataclasses import replace

from holdfast.core.claims import PAST, Claim
from holdfast.language.claims.attributes import FREQUENT, TIME
from holdfast.language.claims.clause import ADVERBS, AUX, SELF, THIRD
from holdfast.language.claims.cuts import cut
from holdfast.language.claims.kin import STOP
from holdfast.language.claims.lexicon import CLASS_OF, KIN, class_of_word
from holdfast.language.claims.making import NO_VALUE
from holdfast.language.claims.verbs import BASE, DONE, ING, english, german

_PLACES = frozenset({"lives_in", "from", "born_in"})
_RELATIVES = KIN | {"pet", "friend"}
_WORDS_OF_THEIR_OWN = frozenset({"instruction", "kin_fact", "goal", "left", "moved_out"})
"""Attributes whose values are clauses, or are cut where they are read."""
_NOUNS_ONLY = frozenset(
    {"likes", "dislikes", "prefers", "fan_of", "plays", "owns", "uses", "drives", "sport", "hobby"}
)
_SPANS_TIME = frozenset({
    "age", "birthday", "does_regularly", "sport", "sleep", "routine", "work_hours", "takes_medicine", "alcohol",
    "smokes", "experience", "degree", "condition", "retired", "unemployed", "training", "studies", "expecting",
})  # fmt: skip
"""Attributes whose values may hold a time or say how often."""

_PRONOUN = (
    r"(?:i|i'm|i've|i'd|i'll|im|ive|we|we're|we've|he|he's|she|she's|they|they're|it's|there's|there (?:is|are)|that's"
    r"|ich|wir|er|es (?=[a-zäöü]+t\b))"
)
_CLAUSE = re.compile(
    rf"(?:[\s,;(–—-]+(?:and|but|so|or|as|since|while|when|whenever|if|although|though|because|then|cause|where|until|till"
    rf"|und|aber|oder|da|weil|wenn|obwohl|denn|bis|sodass|damit)\b)?[\s,;(–—-]+{_PRONOUN}(?=\s).*"
    r"|\s(?:lol|lmao|haha+)\s.*"
    r"|[\s,;]+(?:although|obwohl|because|weil|cause|until|till|whenever|which|dass)\s.*"
    r"|[,;]\s*(?:but|so|since|aber|also|denn|dann|then|and so|no,? (?:wait|scratch)|scratch that|thanks?|danke|give me|please|can you|could you|what|how|any)\b.*"
    r"|\s(?:just|but|aber|und|and) (?:not|nicht|kein\w*|never)\b.*"
    r"|,\s(?:nur|nur noch|sondern|only|just)\s.*"
    r"|,\s(?:try|check out|his an?|even)\b.*|\sand (?:want to|made|paying|paid)\b.*",
    re.IGNORECASE | re.DOTALL,
)
"""Matches the clause that follows an object."""
_GOES_ON = re.compile(
    r",?\s(?:and|und)\s(?=(?P<verb>[a-zäöüß]+)\s(?:(?P<object>the|an?|my|our|it|them|me|you|some|most|half|this|that|es|das|den|die|der"
    r"|dem|ihn|sie|mich|mir|uns|eine?n?|kein\w*|mein\w*)|to|in|on|at|for|with|auf|bei|mit|zu|nicht|jetzt|da|dann)\b)"
)
"""Matches an "and" after which another predicate may begin."""
_GOES_ON_DE = re.compile(
    r",?\sund\s(?=(?:finde|mag|habe?|hasse|liebe|brauche?|nehme?|gehe?|mache?|kann|will|muss|bin|weiß|weiss|suche?|frage?|stehe?|möchte|würde)\s\S).*"
)
_AS_WHAT = re.compile(r"\s(?:as an?|als)\s.*", re.IGNORECASE)
"""Matches the trade after when somebody works: "full time as a paralegal"."""
_PREFIX_DE = re.compile(r"\sum(?:,.*)?$", re.DOTALL)
"""Matches the rest of "umziehen" after where somebody moves: "nach Ulm um"."""
_SOMETIMES = re.compile(
    r"\b(?:(?:morgens|vormittags|mittags|nachmittags|abends|nachts|täglich|immer|meistens|meist|oft|gern|gerne|manchmal|usually|always|mostly|often)\s)+(?=\S)",
    re.IGNORECASE,
)
"""Matches how often something is eaten or drunk, before what it is."""
_FINITE = re.compile(
    r"\b(?:is|are|was|were|isn't|aren't|wasn't|has|does|doesn't|didn't|did|will|would|could|should|won't|can|can't|cannot"
    r"|ist|sind|war|waren|hat|hatte|haben|wird|wurde|kann|muss|soll|darf)\b(?!['-])",
    re.IGNORECASE,
)
_RELATIVE_CLAUSE = re.compile(
    r"\b(?:who|which|that|what|where|whose|when|how|,\s?(?:der|die|das|dem|den)|wo|was|wie|wer)\b",
    re.IGNORECASE,
)
_AND = re.compile(r",?\s(?:and|und|,)\s", re.IGNORECASE)
_COMPANY = re.compile(
    r"\s(?:together |along |zusammen )?(?:with|mit) (?:my|our|the|his|her|their|an?|two|three|four|some|mein\w*|unser\w*|der|dem|den|eine[mrn]?|zwei|drei)\b.*"
    r"|\s(?:alone|by myself|on my own|allein|alleine)$",
    re.IGNORECASE | re.DOTALL,
)
"""Matches with whom somebody does it, which is no part of a place or an employer."""
_LASTED = re.compile(
    r"\s(?:(?:for|about|nearly|almost|over|since|seit|schon|now) )*(?:\d+|(?<=[roty] )an?|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|forty|fifty"
    r"|zwei|drei|vier|fünf|zehn|zwanzig) (?:years?|yrs?|months?|weeks?|days?|jahren?|jahre|monaten?|wochen?|tagen?)(?: now| ago)?$"
    r"|\s(?:as a (?:kid|child|teen|teenager|boy|girl|student)|als (?:kind|jugendliche[rn]?)|all (?:my|me) life\b.*|ago|either way|by birth|these days|wherever .*|on the commute)$",
    re.IGNORECASE,
)
_TALK = re.compile(
    r"(?:[\s,.!;:(–—-]+(?:lo+l+|lmao|ha(?:ha+h?)|hahah|haha+|xd|please|pls|plz|thanks|thank you|though|tho|honestly|tbh|btw|i think|i guess|i suppose"
    r"|i believe|the most|the best|best of all|so much|so far|that much|very much|too much|as well|personally|in general|right now|for now|anyway|anyways|either"
    r"|later|per se|generally|for sure|by any stretch|by any means|with me|with us|back|obviously|myself|ourselves|at all|too|also|actually|really|also|echt|halt|eh|irgendwie|glaub ich|denk ich|danke|bitte|selber|oder so|or so"
    r"|or something|and stuff|and such|und so|usw|etc|no joke|of all things|i must say|to be honest|even|though|right|yes|yeah|ok|okay|ja|nein|nicht wahr|hm+))+[\s.!,]*$",
    re.IGNORECASE,
)
"""Matches words of talk at the end of an object."""
_AROUND = " ,:;'\"*_-–—.!"
_DENIAL = re.compile(r"(?:kein(?:e[nsmr]?)?|no|not an?|not any|any)\s+(?=\w)", re.IGNORECASE)
_NO_OBJECT = re.compile(
    r"(?:(?:all|every|most|some|any|the|both|of|a|whole|my|it|this|that|time|day|bit|lot|lots|much|more|most|few|ones?|quite|very|good|well|so|too|viel|ganz"
    r"|etwas|mehr|alles|das|da|hier|gleich|immer|oft|gern|gerne|tu|auch|favou?rites?|preference|idea|clue|nothing|yourself|himself|herself|myself|themselves"
    r"|yourselves|ourselves|everyone|everybody|someone|somebody|anyone|anybody|people|something|anything|his|hers|theirs|mine|regular|him|her|them|us|me|you)\b\W*)+",
    re.IGNORECASE,
)
"""Matches a value of words that name nothing."""
_NO_BEGINNING = re.compile(
    r"(?:since|because|when|if|while|but|and|or|weil|wenn|aber|und|oder)\b", re.IGNORECASE
)
_SOME = re.compile(
    r"(?:something|someone|somebody|anything|somewhere|anywhere|neither|either|one of|some of|all of|none of|etwas|irgendwas|jemand\w*)\b",
    re.IGNORECASE,
)
_NO_EMPLOYER = re.compile(
    r"(?:(?:my|him|her|them|our|your|it)sel\w+|nights?|days?|(?:the )?(?:mornings?|evenings?|afternoons?|nights?|weekends?|moment|time|summer|winter|same|back|top|end|side|future|past|kitchen table|desk|computer|garden|house)"
    r"|(?:a |the )?(?:living|change|bit|while|reason|fee|client|boss|friend|man|woman|guy|lady|raise|promotion)s?|home|once|last|first|least|most|all|free|food|money|cash|peanuts|fun|charity|pleasure|hire|minimum wage|nothing|hours|years|months|weeks|ages|now|then|dir|mir|uns|euch)\b[\s.!]*$",
    re.IGNORECASE,
)
_ABSTRACT = frozenset(
    "fear denial peace hope silence doubt pain sin luxury poverty debt harmony retirement chaos limbo hell heaven hiding love comfort style shame bliss ignorance"
    " squalor isolation solitude constant terms reality shorts pyjamas pajamas clover quarantine lockdown interesting mind bed sync prinzip versehen spaß liebe"
    " protest neugier langeweile angst frieden tag traum ruhe hoffnung fairness case general particular person full total time love short english german"
    " work stock progress game games movie films music theory practice person".split()
)
"""What somebody may live in, or be from, and is no place."""
_NO_PLACE_DE = re.compile(
    r"(?:\w*(?:vertrag|geschoss|stock|zimmer|raum|balkon|küche|keller|bad|flur|treppenhaus|garten|tag|kopf|herz|ehe|beziehung|ungewissheit|\w+heit|\w+keit|\w+schaft|\w+ung))\b(?! (?:in|bei) )",
    re.IGNORECASE,
)
_PARTICIPLE_DE = re.compile(r"(?:aus|weg|ein|ab|an|um|zurück)ge\w+(?:t|en)")
_TIMES = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december montag"
    " dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz april mai juni juli oktober dezember today tomorrow yesterday heute morgen gestern".split()
)
_NO_NAMES = (
    frozenset(
        "i'm i'll i've name names hahah haha hah lol client yes no ok okay tonight thanks please hi hey hello sorry beigebracht lady gras der die das und"
        " ich wir er sie es hat ist mr mrs ms dr".split()
    )
    | _TIMES
)
_NOUNS = _RELATIVES | {"ex"}
_OWN = re.compile(r"^(?:my|our|mein\w*|unser\w*)\s+(?!own\b)", re.IGNORECASE)
_AND_I = re.compile(r"\s(?:and|und) (?:i|me|ich|mich)$", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_ONLY_ALLERGY = re.compile(r"(?:my |meine? |any |eine |an )*(?:food )?allerg(?:y|ies|ie|ien)", re.IGNORECASE)
_AGE = re.compile(r"\d+")
_AGE_MAX = 120
_MEDICINE_UNITS = re.compile(r"\d+ ?(?:mg|ml|g)\b", re.IGNORECASE)
_OFTEN = re.compile(
    rf"\s(?:(?:once|twice|\w+ times) (?:a|per|every|each) \w+|{FREQUENT.pattern})$", re.IGNORECASE
)
_TRADE_LEAD = re.compile(
    r"(?:even|now|heute|jetzt|sie|er|he|she|they|beim|bei|seeing|watching|going|looking|my|our|mein\w*|not|also)\s",
    re.IGNORECASE,
)
_NO_JOB = re.compile(
    r"(?:the|an?|my|this|that|den|die|einen?) (?:new |neuen? )?(?:job|position|role|offer|stelle)",
    re.IGNORECASE,
)
_OLDER = re.compile(r"\b(?:years?|jahre?) (?:older|younger|älter|jünger)\b", re.IGNORECASE)
_SENTENCES = frozenset({"favourite", "speaks", "commute", "condition"})
"""Attributes whose values may be a clause: "my right ear is gone"."""
_HABITS = frozenset({"does_regularly", "sport", "routine"})
_ON_DAYS = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun|diens|donners|frei|sams|sonn|mittwo|montag)\w*\b", re.IGNORECASE
)
_QUALIFIED = frozenset(
    "retired trained qualified certified registered self-employed licensed skilled experienced chartered accredited".split()
)
_DEGREE = re.compile(
    r"(?:(?:an? )?(?:huge|big|massive|absolute|total|real|true|complete|avid|die-?hard) )+", re.IGNORECASE
)
"""Matches words before what somebody is a fan of."""
_LIKED = frozenset({"likes", "dislikes", "prefers", "fan_of", "avoids", "fears", "hobby"})
_IT = re.compile(r"\b(?:it|them|him|her|those|these|this|that)\b(?! \w*(?:ing|ed)\b)", re.IGNORECASE)


def with_object_only(claim: Claim) -> Claim | None:
    """Returns a claim with nothing but its object as the value, or None where the object is none for its kind."""
    value = _object(claim)
    if value is None:
        return None
    return _plainly(replace(claim, value=value) if value != claim.value else claim)


def _plainly(claim: Claim) -> Claim:
    """Returns a claim whose value denies or names by itself what the attribute asks, so that it says so: who is sober
    drinks no alcohol, a "fear of needles" is one of needles, and vertigo is a condition."""
    if claim.attribute in _ABSTAINED and _ABSTAINS.search(claim.value):
        return replace(claim, positive=not claim.positive)
    if claim.attribute == "intolerance" and (match := _INTOLERANT.fullmatch(claim.value)):
        return replace(claim, value=match["v"])
    if claim.attribute == "eats" and class_of_word(claim.value.lower()) == "lang":
        return replace(claim, type="skill", attribute="speaks")  # "ich kann kein Italienisch"
    if claim.attribute == "likes" and claim.value.endswith(" person"):
        return replace(claim, type="other", attribute="other")
    if claim.attribute != "fears":
        return claim
    if match := _FEAR_OF.match(claim.value):
        return replace(claim, value=claim.value[match.end() :], positive=False)
    return (
        replace(claim, type="health", attribute="condition", positive=True)
        if _NAMED_FEAR.search(claim.value)
        else claim
    )


_ABSTAINED = frozenset({"alcohol", "smokes"})
_ABSTAINS = re.compile(
    r"\b(?:sober|teetotal\w*|abstinent|trocken|off the booze|non-?drinker|recovering alcoholic|(?:non|nicht)-?(?:smok|rauch)\w*)\b",
    re.IGNORECASE,
)
"""Matches words for one who does not drink or smoke."""
_INTOLERANT = re.compile(r"(?:an? |eine )?(?P<v>\w{3,})[ -]?intoleran(?:t|ce|ces|z|zen)", re.IGNORECASE)
_FEAR_OF = re.compile(r"(?:\w+ ){0,2}(?:fear|phobia|angst) (?:of|vor) (?=\w)", re.IGNORECASE)
_NAMED_FEAR = re.compile(r"(?:\w+angst|\w*phobi[ae]|vertigo|stage fright)$", re.IGNORECASE)


def _object(claim: Claim) -> str | None:
    """Returns the value of a claim without the words around it, None if nothing usable is left."""
    attribute, value = claim.attribute, " ".join(claim.value.split()).replace(" ,", ",")
    if attribute == "kin_fact" and not claim.verbatim:
        return cut(attribute, value)
    if attribute in _WORDS_OF_THEIR_OWN or claim.verbatim:
        return value
    value = value.strip(_AROUND if attribute != "height" else " ,.")
    if not attribute.startswith("plan"):
        is_sentence = attribute in _SENTENCES or (attribute in _HABITS and _ON_DAYS.match(value) is not None)
        value = cut(attribute, _without_clauses(value, is_sentence=is_sentence))
    value = _TALK.sub("", value).strip(" ,:;.!–—-")
    if attribute == "plays":
        value = _OFTEN.sub("", value)
    if attribute in ("drinks", "eats"):
        value = _SOMETIMES.sub("", value, count=1)
    if attribute == "work_hours":
        value = _AS_WHAT.sub("", value)
    if attribute == "plan_move":
        value = _PREFIX_DE.sub("", value)
    if attribute == "condition":
        value = _LASTED.sub("", value)
    if attribute not in _SPANS_TIME and not attribute.startswith("plan"):
        value = _without_times(value)
    if attribute in _RELATIVES:
        value = _relative(value)
    if attribute in _PLACES or attribute in ("employer", "works_as", "works_in", "school"):
        value = _COMPANY.sub("", value).strip(" ,")
    if not claim.positive or claim.status == PAST:
        value = _DENIAL.sub("", value, count=1) if _DENIAL.match(value) else value
    if attribute in _LIKED:
        value = _liked(value)
    if (
        not value
        or (attribute in _NOUNS_ONLY and _NO_BEGINNING.match(value))
        or NO_VALUE.match(value)
        or (attribute != "age" and _NO_OBJECT.fullmatch(value))
    ):
        return None
    return value if _is_well_formed(attribute, value, claim) else None


def _without_clauses(value: str, *, is_sentence: bool) -> str:
    """Returns a value up to where another clause begins; nothing where it is a clause itself."""
    value = _GOES_ON_DE.sub("", _CLAUSE.sub("", value))
    for match in _GOES_ON.finditer(value):
        verb = match["verb"]
        form = english().get(verb) or german().get(verb)
        is_past = match["object"] is not None and _PAST.fullmatch(verb) is not None
        is_finite = is_past or (form is not None and form[1] not in (ING, DONE))
        if is_finite or verb in AUX or _FIRST_PERSON_DE.match(value, match.start("verb")):
            value = value[: match.start()]
            break
    if is_sentence:
        return value
    finite = _FINITE.search(value)
    if finite is None or _RELATIVE_CLAUSE.search(value[: finite.start()]):
        return value
    joints = [match.start() for match in _AND.finditer(value, 0, finite.start())]
    return value[: joints[-1]] if joints else ""


_PAST = re.compile(
    r"\w+ed|spent|took|went|got|made|came|bought|lost|left|felt|kept|told|found|gave|saw|said|put|ran|did|wrote|broke"
)
_FIRST_PERSON_DE = re.compile(
    r"(?:hänge|mache|gehe|habe|suche|arbeite|lege|stehe|komme|finde|kenne|wohne|lebe|brauche|muss|will|kann)\b"
    r"|[a-zäöüß]{3,}e (?:den|die|das|dem|mich|mir|es|ihn|uns|eine?n?|keine?n?|meine?n?)\b"
)


def _without_times(value: str) -> str:
    """Returns a value up to the time at its end."""
    for pattern in (TIME, _LASTED):
        match = next(
            (match for match in pattern.finditer(value) if match.start() and match.end() >= len(value) - 1),
            None,
        )
        if match is not None:
            value = value[: match.start()]
    return value.strip(" ,")


def _is_well_formed(attribute: str, value: str, claim: Claim) -> bool:
    """Returns whether a value can be one of its attribute."""
    words = _WORD.findall(value)
    if attribute == "age":
        number = _AGE.search(value)
        return number is None or 0 < int(number[0]) <= _AGE_MAX
    if not words:
        return attribute in (
            "birthday",
            "height",
            "weight",
            "size",
            "salary",
            "condition",
            "studies",
            "experience",
        )
    if attribute in ("name", "called"):
        return words[0].lower() not in _NO_NAMES | THIRD and not words[0].lower().endswith("ing")
    if attribute in _PLACES:
        return _is_place(words)
    if attribute in ("employer", "works_in"):
        return _is_employer(value, words)
    if attribute == "allergy":
        return not claim.positive or _ONLY_ALLERGY.fullmatch(value) is None
    if attribute == "job":
        return _NO_JOB.fullmatch(value) is None
    if attribute == "works_as":
        return _is_trade(value, words, claim)
    if attribute in _LIKED:
        return (
            not _SOME.match(value)
            and not (words[0].lower() == "to" and _IT.search(value))
            and words[0].lower() not in SELF
        )
    if attribute in ("plays", "does_regularly", "owns", "drives", "sport"):
        return FREQUENT.fullmatch(value) is None and words[0].lower() not in THIRD
    if attribute == "takes_medicine":
        return len(words) < 9 or _MEDICINE_UNITS.search(value) is not None
    return True


def _liked(value: str) -> str:
    """Returns what somebody is a fan of, or "a dog person" likes."""
    core, _, last = value.rpartition(" ")
    if last in ("fan", "fans"):
        return _DEGREE.sub("", core)
    if last == "person" and class_of_word((core.split() or [""])[-1].lower()) in (
        "pet",
        "sport",
        "instrument",
    ):
        return _DEGREE.sub("", core)
    return value


def _relative(value: str) -> str:
    """Returns the noun for a relative or animal with the words before it and a name after it."""
    value = _AND_I.sub("", _OWN.sub("", value, count=1))
    words = list(_WORD.finditer(value))
    nouns = [position for position, word in enumerate(words) if class_of_word(word[0].lower()) in _NOUNS]
    if not nouns:
        return value
    last = nouns[-1]
    behind = words[last + 1 :]
    if behind and len(behind) <= 2 and any(word[0].lower() in _NO_NAMES for word in behind):
        return value[: words[nouns[0] if "," in value[: words[last].start()] else last].end()]
    return value


def _is_place(words: list[str]) -> bool:
    """Returns whether words can name a place."""
    core = [
        word for word in words if word.lower() not in ("the", "a", "an", "der", "die", "das", "dem", "den")
    ]
    if not core or core[0].lower() in _ABSTRACT | _TIMES or core[-1].lower() in AUX:
        return False
    if core[-1].islower() and _PARTICIPLE_DE.fullmatch(core[-1]) and len(core) > 1:
        return False
    if len(core) == 1 and (_NO_PLACE_DE.match(core[0]) or _is_verb(core[0])):
        return False
    return len(core) > 1 or CLASS_OF.get(core[0].lower()) not in {
        "job",
        "child",
        "parent",
        "pet",
        "med",
        "ill",
    }


def _is_employer(value: str, words: list[str]) -> bool:
    """Returns whether words can name an employer."""
    if _NO_EMPLOYER.match(value):
        return False
    low = [word.lower() for word in words if word.lower() not in STOP]
    if not low:
        return False
    return not (len(words) == 1 and words[0].islower() and (_is_verb(words[0]) or words[0] in ADVERBS))


def _is_trade(value: str, words: list[str], claim: Claim) -> bool:
    """Returns whether words can name a job."""
    if words[0].endswith("ed") and words[0].islower() and words[0] not in _QUALIFIED:
        return False
    if _OLDER.search(value):
        return False
    if _TRADE_LEAD.match(value) and not re.match(r"(?:my|our) own\b", value):
        return False
    if not claim.positive and claim.status != PAST and not claim.changes:
        return False  # what somebody is not says little, and is mostly said in passing: "I'm not the judge"
    return not (len(words) == 1 and _is_verb(words[0]) and class_of_word(words[0].lower()) is None)


def _is_verb(word: str) -> bool:
    """Returns whether a word in small letters is a form of a verb and no known noun."""
    low = word.lower()
    if word != low or low in CLASS_OF:
        return False
    form = english().get(low) or german().get(low)
    return (form is not None and form[1] != BASE) or low in AUX
