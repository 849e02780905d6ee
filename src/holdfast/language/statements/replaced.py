"""Replacements that a statement names: "We switched from JWT to sessions" ends "The API uses JWT"."""

from __future__ import annotations

import re
from functools import lru_cache

STATEMENT_MAX = 300
"""Characters of a statement that is looked at: a longer one says many things."""
_NAME = (
    r"(?:(?:the|our|an?|den|die|das|unsere[nmrs]?) )?"
    r"([\w+#/-]+(?:\.[\w+#/-]+)*(?: [\w+#/-]+)?)"
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
_PREFERRED = (
    rf"(^|.*?\b)(?:use|go with|prefer|switch to) {_NAME},? (?:instead of|rather than) {_NAME}{_AFTER}(.*)"
)
"""The form that names what is used now before what it replaces."""
_PATTERNS = tuple(re.compile(form, re.IGNORECASE | re.DOTALL) for form in _FORMS)
_PREFERS = re.compile(_PREFERRED, re.IGNORECASE | re.DOTALL)
_FROM_NOW = re.compile(
    r"(?i)\bfrom (?:now|today) on\b,?|\b(?:ab (?:jetzt|sofort|heute)|von (?:nun|jetzt) an)\b,?"
)
"""Words that say when a rule begins, and nothing about what was before."""
_CONTRAST = re.compile(rf"(?i),? \b(?:instead of|rather than|not|no|never|statt) {_NAME}")
"""What a statement about what is in use sets against it."""
_USES = (
    r"\b(?:us(?:e|es|ing)|runs? on|rel(?:y|ies) on|depends? on|stores? \w+ in|(?:is|are) based on"
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
    r"(?i)\?|\b(?:if|unless|when|whether|would|should|could|might|may|never|not|plan\w*|going to|will"
    r"|want\w*|consider\w*|propos\w*|suggest\w*|back (?:to|from)|again|almost|nearly|before we"
    r"|revert\w*|und(?:o|id|one)|rolled back|only|locally|nur|lokal"
    r"|wenn|falls|sollte\w*|würde\w*|könnte\w*|nicht|nie|zurück|wieder|wollen|planen|fast|ob)\b|n't\b"
)
"""Words with which news says no replacement that has taken place and still holds."""
_SCOPE = re.compile(r"(?i)\b(?:for|in|on|für|im) (?:the |our |der |die |das )?([\w-]{3,})")
_WORD = re.compile(r"[^\W\d_]+")
_EVERYBODY = frozenset(
    "in on at for im bei für sind we ve re s a an so have has had just finally recently now"
    " the our team project company everyone all"
    " let please always use"
    " since last week month year this that today yesterday and also then remember note"
    " haben sind hat wir jetzt nun endlich das projekt von alles".split()
)
"""Words before a replacement that name no part of the project that it is limited to."""
_TIMES = frozenset(
    "last this january february march april may june july august september october november december".split()
)


@lru_cache(4_096)
def is_replaced(statement: str, news: str) -> bool:
    """Checks whether `news` says that what a plain statement says is in use was replaced by something else.

    News of a part of the project end only statements that name the part.
    """
    if max(len(statement), len(news)) > STATEMENT_MAX:
        return False
    news, statement = _FROM_NOW.sub("", news), _FROM_NOW.sub("", statement)
    if (found := _replacement(news)) is None or _PAST.search(_CONTRAST.sub("", statement)) is not None:
        return False
    subject, old, new, rest = found
    if _UNSURE.search(f"{subject} {rest}") is not None:
        return False
    named, instead = old.strip().casefold(), new.strip().casefold()
    text = statement.casefold()
    if named == instead or named.isdigit() or len(named) < 2 or (instead and instead in text):
        return False
    parts = {*_WORD.findall(subject.casefold())} - _EVERYBODY
    parts |= {word.casefold() for word in _SCOPE.findall(rest or "")} - _TIMES
    if not parts <= {*_WORD.findall(text)}:
        return False
    return re.search(rf"(?i){_USES}{re.escape(named)}(?![\w-])", statement) is not None


def _replacement(news: str) -> tuple[str, str, str, str] | None:
    """Returns what news says before a replacement, what it replaces, by what, if it says so, and the rest."""
    for pattern in _PATTERNS:
        if (match := pattern.match(news)) is not None:
            subject, old, new, rest = match.groups()
            return subject, old, new, rest or ""
    if (match := _PREFERS.match(news)) is not None:
        subject, new, old, rest = match.groups()
        return subject, old, new, rest or ""
    return None
