"""Readings of "my wife", "our son Emil (9)" and "my dog": the relation, and what is said of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from holdfast.core.claims import CURRENT, PAST, Claim
from holdfast.language.claims.clause import ADVERBS, AUX
from holdfast.language.claims.lexicon import KIN, class_of_word
from holdfast.language.claims.making import claim_at
from holdfast.language.claims.relatives import FULL_STOP, is_passing, trimmed
from holdfast.language.claims.verbs import english, german
from holdfast.language.claims.voice import COVER

STOP = frozenset(
    "is are was were has have had and or but in on at for with from to of that which who i we he she they it keeps says said thinks wants can will would does did got gets 's ist sind war hat haben und oder aber in im am auf für mit von zu bei"
    " als dass die der das den dem ich wir er sie es wird kann will macht geht not also just as so about when where how why if than because since while after before by into now then still always never under over hatte gerade noch schon".split()
)
_ONLY_OPINION = re.compile(
    r"(?:(?:is|are|'s|ist|sind|was|war) )?(?:\w+ )?(?:right|wrong|great|annoying|funny|sweet|amazing|coming|calling|waiting|asking|telling|saying|here|there|late|sure|angry|mad|happy|worried|sick of|going to|gonna|okay|fine|cute|not happy|upset|super|toll|süß|sauer|nett|lieb)\b",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"(?:,? (?:called|named|namens) |,? |\s?\()(?P<n>(?-i:[A-ZÄÖÜ])[a-zäöüßéíóúãçñ'-]+)(?=[\s,.!?;:)]|'s|$)"
)
_AGE = re.compile(
    r"\s?,?\s?(?:\(|is |sind |ist |are |, )(?P<n>\d{1,2}(?:(?: and | und |, )\d{1,2})*)\)?(?=[,.!?;:)]|$|\s(?:and|und|now|jetzt|years?|yrs?|yo|y/o|months?|weeks?|jahre?n?|monate|who|but|so|geworden|in|next|this|on|nächste\w*|im)\b)"
    r"(?! ?(?:(?:to|till?|until|bis|am|pm|o'clock|uhr|euros?|dollars?|percent|prozent|[kcm]?m|kg|miles?|met(?:re|er)s?"
    r"|minute[ns]?|hours?|stunden?|days?|tage?|weeks?|wochen?|months?|monate?|nights?)\b|[-–%€]|\d))"
    r"(?!\.? (?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|o[ck]t|nov|de[cz])\w*\b)"
)
_SAYS = re.compile(
    r"(?:just |always |often |also |then |auch |immer |mal |keeps? |is )?(?:say(?:s|ing)?|said|tells?|told|ask(?:s|ed|ing)?|think(?:s|ing)?|thought|claims?|claimed|insists?|wants?|wanted|would like|hopes?|needs? (?:me|you|to know)|suggests?|suggested|recommends?|recommended|swears?|reckons?|believes?|meint|meinte|sagt|sagte|glaubt|findet|denkt|will|möchte|fragt|behauptet|hat gesagt|hat gemeint|sent|wrote|writes|texted|asked|gave|wonders|keeps asking|complains?|complained)\b",
    re.IGNORECASE,
)
_PREDICATE = re.compile(
    r"(?:,? )?(?P<p>(?:is|'s(?= (?:an?|the|in|at|on|from|got|been|not|now|also|just|still|very|allergic|vegan|diabetic|\w+ing|\d+|[\w-]+(?:ed|ian|ish|ese|an|ic|etic|tic))\b)|are|was|were|has|have|had|got|gets|works?|worked|lives?|lived|studies|study|speaks?|goes|go|attends?|turned|turns|was born|died|passed away|plays?|loves?|likes?|hates?|suffers|needs|takes?|started|starts|moved|moves|teaches|runs|comes|owns|graduated|became|passed|collects|fixes|can'?t|cannot|doesn'?t|don'?t|won'?t|will be|eats?|drinks?|wears?|barks?|stutters|just|bakes|drives|rides|cooks|has been|smokes|weighs"
    r"|ist|sind|hat|haben|hatte|arbeitet|wohnt|lebt|wohnen|leben|studiert|lernt|geht|gehen|spielt|spricht|kommt|kommen|wird|wurde|heißt|heißen|leidet|war|macht|besucht|unterrichtet|liebt|hasst|mag|zog|starb|fährt|isst|trinkt|sammelt|bellt|verträgt|zieht|kriegt|bekommt|bekommen|nimmt|raucht) .+)",
    re.IGNORECASE,
)
_PAST_PREDICATE = re.compile(
    r"(?:died|passed(?: away)?\b(?! (?:his|her|their|the|an?|me|it)\b)|was\b(?! (?:born|diagnosed))|used to|starb|ist (?:.+ )?(?:gestorben|verstorben)|war\b|had to be put down|got run over|ran away)",
    re.IGNORECASE,
)
_IN_LAW = re.compile(r"s? in[- ]laws?\b", re.IGNORECASE)
_ANY_PREDICATE = re.compile(
    r"(?P<p>(?:(?:also|always|usually|only|never|still|sometimes|often) )?(?!(?:this|first|plus|less|always|sometimes|yes|us|thus|across|does|says|wants|needs|gets|was|has|is|as)\b)[a-z]{3,}(?<!')(?<!s)s\s+(?!(?:or|and)\b)\S.+)"
)
_ANY_PREDICATE_DE = re.compile(
    r"(?P<p>(?:(?:auch|immer|nie|nur) )?(?!(?:nicht|mit|seit|ist|hat|jetzt|dort|fast|nicht|statt|sonst|selbst)\b)[a-zäöüß]{3,}t\s+(?!(?:und|oder)\b)(?!(?:mich|mir|sich|uns|gerade|heute|ihr\w*|sein\w*)\b)\S.+)"
)
"""What somebody does, by a verb that no table has."""
_NO_PET = re.compile(
    r"[ -](?:hates?|peeves?|projects?|theor\w+|names?|foods?|sitters?|shops?|breasts?|thighs?|legs?|wings?|soup|curry|stock|recipe|dish|salad|stew|painting|photos?|pictures?|video|drawing|costume|stuff|theme|meme)\b",
    re.IGNORECASE,
)
"""What follows an animal that is food or a picture."""
_CALLED_ON = re.compile(r"(?:^|[,.!?:])\s*$")
"""What stands before somebody who is spoken to: "Yes, my friend, …"."""
_NO_NAMES = frozenset("ich und monday tuesday sunday i'm i'll i've i'd".split())
_LOW_NAME = re.compile(
    r"(?P<s> )(?P<n>[a-zäöüéèß-]{3,})(?= (?:is|has|hates|loves|likes|lives|works|turns|plays|speaks|ist|hat|liebt|mag|hasst|wohnt|lebt"
    r"|arbeitet|spielt|spricht|wird)\b)"
)
"""Matches a name in a message without capitals: "my wife anna is a teacher"."""
_OF_US = re.compile(r"(?:our|unser\w*)\b", re.IGNORECASE)
_OF_BUSINESS = frozenset("partner partners partnerin partnern partnerinnen".split())
"""Words for somebody with whom a firm works, where more than one person says so: "our partner sent the invoice"."""
_ONLY_AGE = re.compile(r"(?:is|are|ist|sind) \d{1,2}(?: years? old| jahre? alt)?", re.IGNORECASE)
_GONE = re.compile(
    r"\b(?:said goodbye|goodbye to|put (?:\w+ ){0,4}(?:down|to sleep)|lost our|lost my|died|passed away|ran away|rehomed|entflogen|gestorben|weggelaufen|eingeschläfert|entlaufen|crossed the rainbow)\b",
    re.IGNORECASE,
)


def _low_name(text: str, end: int) -> re.Match[str] | None:
    """Returns the name after a relative where a text has no capitals: a word that no table knows."""
    match = None if any(letter.isupper() for letter in text) else _LOW_NAME.match(text, end)
    if match is None:
        return None
    word = match["n"]
    is_known = word in english() or word in german() or word in ADVERBS or word in AUX
    return None if is_known or class_of_word(word) is not None else match


_CALLED = re.compile(r"(?:brother|friend|freund|dear|love|sister|mate|bro|son)", re.IGNORECASE)
_OCCASION = re.compile(r"'s? (?:day|book|song|wedding anniversary)\b|s day")
_IMAGINED = re.compile(r"\b(?:dream|future|next|imaginary|fictional)\b")
_FORMER = re.compile(r"\b(?:ex|late|former|verstorbene\w*)\b", re.IGNORECASE)
_DEATH = re.compile(r"\b(?:put down|einschläfern|gestorben|died|passed away|death)\b")
_POSSESSED = re.compile(r"'s (?=(?:name|birthday|wedding|job|car|house)\b)")
_AGE_BRACKET = re.compile(r"(?:\s?\(\d+\))?,? ?")
_SAID_UNTIL = re.compile(
    FULL_STOP
    + r"|[!?;:](?:\s|$)|\n|\s[–—-]\s|\)|,\s(?!\d)|\s(?:but|so|because|aber|weil)\s"
    + r"|\s(?:and|und)\s(?=(?:i|we|ich|wir|my|how|what|can)\b)|"
    + COVER,
    re.IGNORECASE,
)
_RELATIVE_CLAUSE = re.compile(
    r",? (?:who|der|die) (?P<p>(?:has|is|lives|works|speaks|loves|suffers|studies"
    r"|hat|ist|lebt|arbeitet|wohnt)\b[^,.;!?]+)"
)
TYPE_OF_KIN = {"pet": "pets", "spouse": "relationship", "partner": "relationship", "friend": "relationship"}
"""Types of what is said of somebody, where it is not `family`."""


_AGES = r"\s?\(\d{1,2}(?:(?:,|,?\s(?:and|und|&))\s?\d{1,2})*\)"
_CALLED_SO = r"[A-ZÄÖÜ][\w'’-]+"
_WITH_AGES = re.compile(rf"(?:[,:]?\s{_CALLED_SO})?{_AGES}(?:(?:,|,?\s(?:and|und|&))\s{_CALLED_SO}{_AGES})*")
"""Matches ages in brackets behind a relation, alone or each behind a name: ", Anna (9) and Ben (6)"."""
_GIVEN_NAME = r"[A-ZÄÖÜ][a-zäöüßéíóúãçñ'’-]+"
_AND_NAME = rf"(?:\s?(?:,|,?\s(?:and|und|&|\+))\s?{_GIVEN_NAME}(?:,? \d{{1,2}}(?!\d))?)"
_MORE_NAMES = re.compile(rf"(?:,? \d{{1,2}}(?!\d))?{_AND_NAME}+(?=[\s.!?;:)]|'s|$)")
"""Matches the names behind the first one of several: " and Pixel", ", Ben 4 and Mia 2"."""
_ENDS_NAME = re.compile(
    rf"(?: {_GIVEN_NAME}){{0,2}}(?:,? \d{{1,2}})?(?:\s?[),;:.!?]|'s?\b|\s(?:and|und|&|\+|who|is|ist|born|geb)\b|\s[–—-]\s|$)"
)
"""Matches what goes on behind a name in brackets or behind a comma: "(Type 1 diabetic)" is none."""
_IN_BRACKETS = re.compile(rf"\s?\((?P<names>{_GIVEN_NAME}(?:,? \d{{1,2}})?{_AND_NAME}*)\)")
_ALSO_NAMES = ("thing", "instrument", "body", "home", "study")
"""Classes of words that animals are called by as well: "Pixel"."""
_SEVERAL = re.compile(
    r"\b(?:\w+[^\Wius]s|children|kids|mice|geese|katzen|hunde|pferde|hühner|kinder|söhne|töchter|jungs|mädels"
    r"|schwestern|brüder|geschwister|zwillinge|neffen|nichten|cousinen|freunde|freundinnen)$",
    re.IGNORECASE,
)
"""Matches a noun for more than one, behind which there may be several names."""


def with_ages(claim: Claim, text: str) -> Claim:
    """Returns the relation to relatives or animals with all the names in brackets behind it, with all those
    that follow it, each with an age in brackets, or with the ages alone."""
    if claim.attribute not in KIN or not claim.positive:
        return claim
    names = _IN_BRACKETS.match(text, claim.end)
    if names is not None and "(" not in claim.value and _are_names(names["names"]):
        return replace(claim, value=f"{claim.value}{names[0]}", end=names.end())
    noun = re.split(r"[,:(]", claim.value)[0].strip()
    for phrase in (noun, noun.rpartition(" ")[0]):
        at = text.find(phrase, claim.start) if phrase else -1
        ages = _WITH_AGES.match(text, at + len(phrase)) if at >= 0 else None
        if at < claim.end and ages is not None and ages.end() - at > len(claim.value):
            return replace(claim, value=text[at : ages.end()], end=max(claim.end, ages.end()))
    return claim


def with_brackets(text: str, claims: list[Claim]) -> list[Claim]:
    """Returns the claims of a sentence, with what stands in brackets right behind a relative or pet as said of
    them and not of the author: "my son (allergic to nuts)"."""
    results = claims
    for relative in claims:
        aside = _ASIDE.match(text, relative.end)
        if (
            relative.attribute not in KIN
            or not relative.positive
            or aside is None
            or _OWN.search(aside["said"])
        ):
            continue
        if not (aside["open"] or "(" in text[relative.start : relative.end]):
            continue
        inside = [
            claim
            for claim in results
            if aside.start("said") <= claim.start < claim.end <= aside.end() and not claim.subject
        ]
        if inside:
            results = [claim for claim in results if claim not in inside]
            results.append(_aside_of(relative, aside))
    return results


def _aside_of(relative: Claim, aside: re.Match[str]) -> Claim:
    """Returns what an aside says of a relative or pet."""
    claim = claim_at("kin_fact", aside["said"], aside.start("said"), aside.end("said"), certainty=0.75)
    noun = re.sub(r"^(?:an?|one|eine?n?) | \(.*$", "", relative.value)
    return replace(claim, type=TYPE_OF_KIN.get(relative.attribute, "family"), subject=noun)


_ASIDE = re.compile(r"(?:,?\s?(?P<open>\()|[,;]\s)(?P<said>[^()]{3,80})\)")
"""Matches what is in brackets right behind a noun, or goes on in them."""
_OWN = re.compile(
    r"\b(?:i|i'm|i've|me|we|we're|us|both|all|ich|mich|mir|wir|uns|beide|alle)\b", re.IGNORECASE
)
"""Matches words for the author, who speaks of themself there."""


def of_kin(text: str, start: int, first: int, end: int, is_bare: bool, kind: str) -> Iterator[Claim]:
    """Yields the relation to a relative, friend or pet, and what is said of them."""
    if (law := _IN_LAW.match(text, end)) is not None:
        end, kind = law.end(), "relative"
    noun = text[first:end]
    if _names_nobody(text, start, end, noun, kind):
        return
    name = _name_behind(text, end)
    more = _names_after(text, end, noun, name)
    after = (name.end() + len(more)) if name else end
    age = None if more else _AGE.match(text, after)
    value = noun + (f" {name['n']}{more}" if name else "") + (f" ({age['n']})" if age else "")
    if name and "(" in text[end : name.start("n")] and text[after : after + 1] == ")":
        after += 1
    is_ex = kind == "ex" or _FORMER.search(noun) is not None
    if kind == "ex" and value == noun and " " not in noun:
        return
    if kind == "pet" and _GONE.search(text):
        is_ex = True
    relation = claim_at(
        "partner" if kind == "ex" else kind, value, start, max(age.end() if age else after, end),
        status=PAST if is_ex else CURRENT, certainty=0.85,
    )  # fmt: skip
    statement = None if is_bare else said_of(text, start, after)
    if statement is None:
        yield relation
        return
    words, begin, is_predicate = statement
    if is_predicate and kind == "pet" and _PAST_PREDICATE.match(words):
        yield replace(relation, status=PAST, changes=True, end=begin + len(words.rstrip(" ,")))
        return
    yield relation
    words = trimmed(words)
    if age is not None and _ONLY_AGE.fullmatch(words):
        return  # the relation says it
    is_over = _PAST_PREDICATE.match(words) is not None or _DEATH.search(words) is not None
    bare_noun = re.sub(r"^(?:the|die|der) ", "", noun)
    yield replace(
        claim_at("kin_fact", words, start, begin + len(words), certainty=0.75),
        type=TYPE_OF_KIN.get(kind, "family"),
        subject=f"{bare_noun} {name['n']}{more}" if name else bare_noun,
        changes=is_over,
        status=PAST if is_over and kind == "pet" else CURRENT,
    )


def _names_nobody(text: str, start: int, end: int, noun: str, kind: str) -> bool:
    """Returns whether a word for a relative, friend or pet names none of the speaker's."""
    if kind == "partner" and _OF_US.match(text, start) and noun.casefold() in _OF_BUSINESS:
        return True
    behind = text[end:]
    is_called_on = _CALLED_ON.search(text[:start]) is not None and re.match(r"\s*(?:[,.!?]|$)", behind)
    if is_called_on and _CALLED.fullmatch(noun):
        return True
    if _OCCASION.match(behind) or _IMAGINED.search(noun):
        return True
    if kind == "pet" and _NO_PET.match(behind):
        return True
    if re.match(r" (?:of|von)\b", behind) and (kind != "child" or text[start : start + 3].lower() == "the"):
        return True
    return re.match(r" of\b", behind) is not None and noun.lower().endswith("kind")


def _name_behind(text: str, end: int) -> re.Match[str] | None:
    """Returns the name that follows a word for a relative, friend or pet."""
    name = _NAME.match(text, end) or _low_name(text, end)
    if name is None or name["n"].lower() in STOP | _NO_NAMES:
        return None
    lead = text[end : name.start("n")].strip()
    if lead in ("(", ",") and _ENDS_NAME.match(text, name.end()) is None:
        return None
    # German nouns are written as names are
    kind = class_of_word(name["n"])
    is_noun = kind is not None and (not lead.strip("(,") and (lead != "," or kind not in _ALSO_NAMES))
    return None if is_noun else name


def _names_after(text: str, end: int, noun: str, name: re.Match[str] | None) -> str:
    """Returns the text of the names behind the first one, where several are named: in brackets, or behind a
    noun for more than one. "My brother Jonas and Hanna" has one brother."""
    more = None if name is None else _MORE_NAMES.match(text, name.end())
    if name is None or more is None or not _are_names(more[0]):
        return ""
    is_bracketed = "(" in text[end : name.start("n")]
    if is_bracketed:
        return more[0] if text[more.end() : more.end() + 1] == ")" else ""
    return more[0] if _SEVERAL.search(noun) else ""


def _are_names(text: str) -> bool:
    """Returns whether words with a capital are names, as far as is known: "Labrador" says which dog it is."""
    words = [word for word in re.findall(r"[^\W\d_][\w'’-]*", text) if word[0].isupper()]
    return not any(
        word.lower() in STOP | _NO_NAMES or class_of_word(word) not in (None, *_ALSO_NAMES) for word in words
    )


def said_of(text: str, start: int, after: int) -> tuple[str, int, bool] | None:
    """Returns what is said of a relative, friend or pet, where it begins, and whether it is the predicate of a
    sentence rather than a relative clause; None if nothing is said."""
    place = _AGE_BRACKET.match(text, after)
    at = place.end() if place else after
    stop_at = _SAID_UNTIL.search(text, at)
    spoken = text[at : stop_at.start() if stop_at else len(text)]
    is_german = text[start : start + 1].lower() in ("m", "u") and text[start : start + 2].lower() != "my"
    predicate = _PREDICATE.match(spoken) or (_ANY_PREDICATE_DE if is_german else _ANY_PREDICATE).match(spoken)
    if predicate is not None and _POSSESSED.match(text[after:]) is None:
        words = predicate["p"]
        is_opinion = _SAYS.match(words) or _ONLY_OPINION.match(words)
        if not is_opinion and (not is_passing(words) or _PAST_PREDICATE.match(words) is not None):
            return words, at + predicate.start("p"), True
    who = _RELATIVE_CLAUSE.match(text[after:])
    return None if who is None else (who["p"], after + who.start("p"), False)
