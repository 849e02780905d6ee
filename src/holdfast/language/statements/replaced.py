"""Replacements that a statement names: "We switched from JWT" or "We no longer use JWT" ends "We use JWT"."""

from __future__ import annotations

import re
from functools import cache, lru_cache

STATEMENT_MAX = 300
"""Characters of a statement that is looked at: a longer one says many things."""
_NAME = (
    r"(?:(?:the|our|an?|den|die|das|unsere[nmrs]?) )?"
    r"([\w+#/-]+(?:\.[\w+#/-]+)*(?: [\w+#/-]+(?:\.[\w+#/-]+)*)?)"
)
_AFTER = (
    r"(?=\s*[,.;:!)(]|\s*$"
    r"| (?:because|since|for|in|on|last|this|as|so|and|after|to|with|weil|für|im|in|seit)\b)"
)
_FORMS = (
    rf"(^|.*?\b)(?:switched|moved|migrated|changed)(?: over)? from {_NAME} to {_NAME}{_AFTER}(.*)",
    rf"(^|.*?\b)(?:replaced|swapped) {_NAME} (?:with|by|for) {_NAME}{_AFTER}(.*)",
    rf"(^|.*?\b)(?:dropped|retired|abandoned) {_NAME} in favou?r of {_NAME}{_AFTER}(.*)",
    rf"(^|.*?\b)von {_NAME} (?:auf|zu) {_NAME} (?:umgestiegen|gewechselt|umgestellt|migriert)(.*)",
    rf"(^|.*?\b){_NAME} durch {_NAME} ersetzt(.*)",
    rf"(^|.*?\b)changed our minds? (?:about|on) {_NAME}(){_AFTER}(.*)",
)
_ENDS = (
    r"(?:gone|history|dead|deprecated|retired|removed|dropped|banned|no longer \w+|off the table"
    r"|ruled out|out(?= ?[,.;:]|$))"
)
_ENDED = (
    r"(^|.*?\b)no longer (?:us(?:e|es|ing)|run|support|need|write|deploy (?:to|with)|depend on)"
    rf" {_NAME}{_AFTER}(.*)",
    rf"(^|.*?)\b(?:not|don't|do not|doesn't|does not|aren't) us(?:e|ing) {_NAME} any ?(?:more|longer)(.*)",
    rf"(^|.*?\b)(?:stopped using|got rid of|decided against|dropped(?: support for)?) {_NAME}{_AFTER}(.*)",
    rf"(^|.*?\b){_NAME} (?:is|are|was|were|has been|have been) (?:now )?{_ENDS}(.*)",
    rf"(^|.*?\b)(?:nutzen|benutzen|verwenden|nehmen|setzen) {_NAME} nicht mehr(.*)",
    rf"(^|.*?\b)(?:nutzen|benutzen|verwenden|nehmen|setzen) kein\w* {_NAME} mehr(.*)",
    rf"(^|.*?\b)(?:uns )?von {_NAME} verabschiedet(.*)",
    rf"(^|.*?\b){_NAME} ist (?:jetzt )?(?:rausgeflogen|raus|weg|abgeschafft|geschichte|veraltet)(.*)",
)
"""Forms that name what has ended, and not by what it is replaced."""
_SUCCEEDED = (
    rf"(^|.*?\b){_NAME} (?:is|are|was|were|has been|have been|got) replaced (?:by|with) {_NAME}{_AFTER}(.*)"
)
_SUCCEEDS = rf"(^|.*?\b){_NAME} (?:replaces|replaced|supersedes) {_NAME}{_AFTER}(.*)"
_PREFERRED = (
    rf"(^|.*?\b)(?:use|go with|prefer|switch to) {_NAME},? (?:instead of|rather than) {_NAME}{_AFTER}(.*)"
)
"""The form that names what is used now before what it replaces."""
_NEWS = re.compile(
    r"(?i)switched|moved|migrated|changed|replace|swapped|dropped|retired|abandoned|deprecated|supersedes"
    r"|no longer"
    r"|any ?(?:more|longer)|stopped|got rid|decided against|\b(?:gone|history|dead|banned|removed|out)\b"
    r"|off the table|ruled out|instead of|rather than"
    r"|umgest|gewechselt|migriert|ersetzt|mehr\b|verabschiedet|rausgeflogen|\bist\b"
)
"""Words of which each form has one: most statements have none, and the forms take long to compile."""


@cache
def _compiled() -> tuple[tuple[re.Pattern[str], ...], ...]:
    """Returns the forms that name the old thing first, the new one first, and the old one alone."""
    forms = ((_SUCCEEDED, *_FORMS), (_PREFERRED, _SUCCEEDS), _ENDED)
    return tuple(tuple(re.compile(form, re.IGNORECASE | re.DOTALL) for form in group) for group in forms)


_FROM_NOW = re.compile(
    r"(?i)\bfrom (?:now|today) on\b,?|\b(?:ab (?:jetzt|sofort|heute)|von (?:nun|jetzt) an)\b,?"
)
"""Words that say when a rule begins, and nothing about what was before."""
_CONTRAST = re.compile(rf"(?i),? \b(?:instead of|rather than|not|no|never|statt) {_NAME}")
"""What a statement about what is in use sets against it."""
_USES = (
    r"\b(?:us(?:e|es|ing)|supports?|(?:[a-z]+ ){1,3}(?:with|via|through|in|mit|über)(?= )"
    r"|(?:is|are|ist|sind)(?= )|runs? on|rel(?:y|ies) on|depends? on|stores? \w+ in|(?:is|are) based on"
    r"|built (?:on|with)"
    r"|authenticates? (?:with|by|via)|talks? to|deploys? (?:to|on)"
    r"|go(?:es)? with|went with|chose|prefers?|stick(?:s)? (?:to|with)"
    r"|nutz(?:t|en)|benutz(?:t|en)|verwende(?:t|n)|läuft auf)"
    r" (?:(?:the|our|an?|only|die|den|das) )*"
)
_PAST = re.compile(
    r"(?i)\b(?:not|never|no longer|instead|rather|until|used to|was|were|before|formerly|from|replac\w+"
    r"|switch\w*|migrat\w+|mov(?:e|ed|ing)|legacy|old|except|unless|if|when|\w+n't"
    r"|nicht|kein\w*|früher|statt|durch|ersetzt|bis|falls|wenn)\b"
)
"""Words that no plain statement about what is in use has."""
_UNSURE = re.compile(
    r"(?i)\?|\b(?:if|unless|when|whether|would|should|could|might|may|never|not|plan(?:s|ned|ning to)?"
    r"|going to|will|want\w*|consider\w*|propos\w*|suggest\w*|back (?:to|from)|again|almost|nearly|before we"
    r"|revert\w*|und(?:o|id|one)|rolled back|only|locally|nur(?! noch)|lokal"
    r"|wenn|falls|sollte\w*|würde\w*|könnte\w*|nicht|nie|zurück|wieder|wollen|planen|fast|ob)\b|n't\b"
)
"""Words with which news says no replacement that has taken place and still holds."""
_SCOPE = re.compile(r"(?i)\b(?:for|in|on|für|im) (?:the |our |der |die |das )?([\w-]{3,})")
_WITHIN = re.compile(r"(?i)\b(?:in|on|inside|within|im|auf) (?:the |our |der |die |das |dem )?([\w-]{3,})")
_PART_USES = re.compile(
    r"(?i)^(?:the |our |die |der |das |unsere? )([\w-]+(?: [\w-]+)?) (?:uses?|runs? on|nutzt|verwendet)\b"
)
_WORD = re.compile(r"[^\W\d_]+")
_EVERYBODY = frozenset(
    "in on at for im bei für sind we ve re s a an so have has had just finally recently now is are it t don"
    " do does doesn aren actually btw heads up they gestern heute seit"
    " the our team project company everyone all"
    " let please always use decided agreed planning meeting standup review retro"
    " since last week month year this that today yesterday and also then remember note"
    " haben sind hat wir jetzt nun endlich das projekt von alles".split()
)
"""Words before a replacement that name no part of the project that it is limited to."""
_GONE = re.compile(r"(?i)\b(?:\w+n't|not)\b[^,;.]*\bany ?(?:more|longer)\b")
"""Matches words by which news confirms that what was before has ended."""
_STAYS = re.compile(r"\b(?:stay\w*|remain\w*|are|is|go\w*|runs?) (?:on|in) \S+")
"""Matches what is in use, which is no part of the project."""
_PLANNED = re.compile(r"(?i)\b(?:will|is going to|are going to) (?:move|switch|migrate)(?: over)? to\b")
"""Matches a plan to use something, which ends when it is decided against."""
_TIMES = frozenset(
    "last this january february march april may june july august september october november december".split()
)


@lru_cache(4_096)
def is_replaced(statement: str, news: str) -> bool:
    """Returns whether `news` says that what a plain statement says is in use was replaced by something else.

    News of a part of the project end only statements that name the part.
    """
    if max(len(statement), len(news)) > STATEMENT_MAX:
        return False
    news, statement = _FROM_NOW.sub("", news), _PLANNED.sub("uses", _FROM_NOW.sub("", statement))
    plain = _CONTRAST.sub("", statement)
    if (replacement := _replacement(news)) is None or _PAST.search(plain) is not None:
        return False
    subject, old, new, rest = replacement
    if _UNSURE.search(f"{subject} {_GONE.sub('', rest)}") is not None:
        return False
    named, instead = old.strip().casefold(), new.strip().casefold()
    text = statement.casefold()
    if named == instead or named.isdigit() or len(named) < 2 or (instead and instead in text):
        return False
    earlier, _, own = subject.casefold().rpartition(", ")  # what is said of it, and where
    parts = {*_WORD.findall(own), *_SCOPE.findall(_STAYS.sub("", earlier))} - _EVERYBODY
    parts |= {word.casefold() for word in _SCOPE.findall(rest or "")} - _TIMES
    return parts <= {*_WORD.findall(text)} and uses(plain, named)


def uses(statement: str, name: str) -> bool:
    """Returns whether a statement says that a thing is in use, with its name in lower case."""
    return re.search(rf"(?i){_USES}(?:[\w.-]+/)*{re.escape(name)}(?![\w-])", statement) is not None


def parts_of(statement: str) -> frozenset[str]:
    """Returns the words for the part of the project that a rule is limited to: "in the worker", "the docs
    use"."""
    words = {word.casefold() for word in _WITHIN.findall(statement)}
    if (match := _PART_USES.match(statement)) is not None:
        words |= {*_WORD.findall(match[1].casefold())}
    return frozenset(words) - _EVERYBODY - _TIMES


def _replacement(news: str) -> tuple[str, str, str, str] | None:
    """Returns what news says before a replacement, what it replaces, by what, if it says so, and the rest."""
    if _NEWS.search(news) is None:
        return None
    named_first, preferred, ended = _compiled()
    for pattern in named_first:
        if (match := pattern.match(news)) is not None:
            subject, old, new, rest = match.groups()
            return subject, old, new, rest or ""
    for pattern in preferred:
        if (match := pattern.match(news)) is not None:
            subject, new, old, rest = match.groups()
            return subject, old, new, rest or ""
    for pattern in ended:
        if (match := pattern.match(news)) is not None:
            subject, old, rest = match.groups()
            return subject, old, "", rest or ""
    return None
