"""Topics: the thing that a sentence speaks of, and whether two phrases name the same topic.

Two phrases name one topic if they have the same head and the same other words, in any order: "customers'
churn rate", "churn rate of the customers". A number, a negation, a direction or any other word makes
another topic. Synonyms are a table, so similar words never merge what differs.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache

from holdfast.language.terms import stems_of

_SAME = {
    "db": "database", "auth": "authentication", "config": "configuration", "configs": "configuration",
    "env": "environment", "vars": "variable", "var": "variable", "repo": "repository", "repos": "repository",
    "app": "application", "apps": "application", "prod": "production", "docs": "documentation",
    "doc": "documentation", "colour": "color", "colours": "color", "colors": "color", "mail": "email",
    "mails": "email", "e-mail": "email", "e-mails": "email", "behaviour": "behavior", "centre": "center",
    "dev": "development", "param": "parameter", "params": "parameter", "spec": "specification",
    "admin": "administrator", "admins": "administrator", "indexes": "index", "indices": "index",
    "schemata": "schema", "criteria": "criterion", "analyses": "analysis", "id": "identifier",
    "ids": "identifier", "k8s": "kubernetes", "postgres": "postgresql", "js": "javascript",
}  # fmt: skip
"""Abbreviations, spellings and irregular plurals of one word."""
_JOINED = {
    ("time", "zone"): "timezone", ("data", "base"): "database", ("data", "set"): "dataset",
    ("file", "name"): "filename", ("back", "end"): "backend", ("front", "end"): "frontend",
    ("sign", "in"): "login", ("log", "in"): "login", ("log", "on"): "login", ("sign", "on"): "login",
    ("sign", "up"): "signup", ("log", "out"): "logout", ("sign", "out"): "logout",
    ("check", "out"): "checkout", ("set", "up"): "setup", ("roll", "back"): "rollback",
    ("white", "space"): "whitespace", ("time", "out"): "timeout", ("work", "flow"): "workflow",
    ("time", "stamp"): "timestamp", ("road", "map"): "roadmap", ("web", "hook"): "webhook",
}  # fmt: skip
"""Words that are written apart or together."""
_NOUNS = {
    "conversion": "convert", "conversions": "convert", "decision": "decid", "decisions": "decid",
    "compression": "compress", "removal": "remov", "retries": "retri", "expiry": "expir",
    "expiration": "expir", "retention": "retain", "deletion": "delet", "pricing": "price",
    "analyses": "analysi",
}  # fmt: skip
"""Nouns whose stem is not that of their verb."""
_GENERIC = frozenset(
    """problem issue question topic matter thing handling treatment management calculation calculated
    computation computed definition defined process way case usage use used detail policy convention
    rule column""".split()
)
"""Heads that say nothing of their own: "churn rate calculation" is about the churn rate."""
PARTICIPLES = frozenset({"calculated", "computed", "defined", "used"})
_NOT_GENERIC_BEFORE = frozenset({"password", "code", "review", "use", "business", "test", "security"})
"""Words that make a name together with a generic head: a password policy, a use case, a business rule."""
FUNCTION = frozenset(
    """the a an this that these those our my your its their his her some any all of in on at for with by to as
    about regarding concerning and or is are was were be been being der die das des dem den ein eine einer
    eines einem einen und""".split()
)
OF = frozenset("of in on at for with by about regarding concerning within per".split())
"""Words after which comes what describes the head before them."""
_MARKS = {"without": "not", "not": "not", "no": "not", "non": "not", "from": "from", "to": "to",
          "into": "to", "before": "before", "after": "after", "between": "between", "versus": "versus",
          "vs": "versus"}  # fmt: skip
"""Words that give what follows another role, so that it is no plain modifier."""
_TOKEN = re.compile(r"[^\W_]+(?:[.][^\W_]+)+|[^\W_]+(?:['’-][^\W_]+)*")
_HYPHENS = re.compile(r"-|(?<=[a-z0-9])(?=[A-Z])")
_POSSESSIVE = re.compile(r"['’]s?$")
_HOW = re.compile(
    r"(?i)^how (.+?) (?:is|are|was|were|gets?) (\w+?(?:ed|t|n))$|^how (?:we|to|i"
    r"|you) (?P<verb>\w+) (?P<object>.+)$"
)
_DOING = re.compile(r"(?i)^([a-z]+ing) ((?:the|a|an|all|our|your|my) .+|(?:[\w-]+ )*[\w-]+[^s\W]s)$")
"""What is done to something: "rounding prices", "deploying the service"."""
_MODIFYING = frozenset(
    """billing shipping training testing opening closing landing missing existing incoming outgoing pending
    working operating building marketing planning engineering rating setting string spring
    remaining""".split()
)
"""Words in -ing that describe what follows: a shipping address is no act."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic in a comparable form: its head, and the other words in no order."""

    head: str
    other_words: frozenset[str]

    @property
    def key(self) -> str:
        """Returns the name of the topic, the same however it was phrased."""
        return " ".join([*sorted(self.other_words), self.head])


def topic_id(phrase: str) -> str:
    """Returns the identity of a topic: the same for each phrase that names it (S3.7)."""
    return "topic:" + hashlib.sha256(read_topic(phrase).key.encode()).hexdigest()[:16]


def same_topic(first: str, second: str) -> bool:
    """Returns whether two phrases name the same topic."""
    return read_topic(first) == read_topic(second)


@lru_cache(4_096)
def read_topic(phrase: str) -> Topic:
    """Returns a topic in a comparable form. A phrase without any word is a topic of its own."""
    plain = _turned(phrase.strip().strip("`\"'“”.!?"))
    parts = _parts(_words(plain))
    words = [word for part in reversed(parts) for word in part]
    while len(words) > 1 and words[-1] in _GENERIC_STEMS and words[-2] not in _NOT_GENERIC_BEFORE:
        words.pop()
    if not words:
        return Topic(plain.casefold(), frozenset())
    head, others = words[-1], words[:-1]
    return Topic(head, frozenset(others) - {head})


def _turned(phrase: str) -> str:
    """Returns "the churn rate calculated" for "how the churn rate is calculated", which reads like its
    calculation, and "prices rounding" for "rounding prices"."""
    if match := _HOW.match(phrase):
        return f"{match[1]} {match[2]}" if match[1] else f"{match['object']} {match['verb']}"
    match = _DOING.match(phrase)
    if match is None or match[1].lower() in _MODIFYING:
        return phrase
    return f"{match[2]} {match[1]}"


def _words(phrase: str) -> list[str]:
    """Returns the words of a phrase in lower case, identifiers in their parts, and spellings as one."""
    words: list[str] = []
    for token in _TOKEN.findall(phrase):
        token = _POSSESSIVE.sub("", token)
        low = token.casefold()
        # the name of a file, a number and a version are one word
        is_whole = low in _SAME or "." in token or any(char.isdigit() for char in token)
        words += [low] if is_whole else [piece.casefold() for piece in _HYPHENS.split(token) if piece]
    joined: list[str] = []
    for word in words:
        if joined and (pair := _JOINED.get((joined[-1], word))) is not None:
            joined[-1] = pair
        elif joined and (pair := _JOINED.get((joined[-1], word.removesuffix("s")))) is not None:
            joined[-1] = pair + "s"
        else:
            joined.append(word)
    return joined


def _parts(words: list[str]) -> list[list[str]]:
    """Returns the phrase in parts, each of which describes the one before: "rounding" and "price"."""
    parts: list[list[str]] = [[]]
    mark = ""
    for word in words:
        if word in _MARKS:
            mark = _MARKS[word]
        elif word in OF:
            mark = ""
        if word in _MARKS or word in OF:
            if parts[-1]:
                parts.append([])
        elif word not in FUNCTION:
            stem = normal_word(word)
            parts[-1].append(f"{mark}:{stem}" if mark else stem)
    return [part for part in parts if part]


@lru_cache(16_384)
def normal_word(word: str) -> str:
    """Returns a word in a form that its inflections share, and the noun made of a verb with that verb."""
    low = _SAME.get(word, word)
    if not low.isalpha() or not low.isascii() or len(low) < 4:
        return low[:-1] if len(low) == 4 and low.endswith("s") and low.isalpha() else low
    return _NOUNS.get(low) or stems_of([low])[0]


_GENERIC_STEMS = frozenset(normal_word(word) for word in _GENERIC)
