"""Topics of facts: the registered ones with their nouns, and any other noun phrase."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import InvalidInput
from holdfast.core.value_classes import value_class
from holdfast.core.wire import Plain

KEY_MAX = 200
"""Most characters of a topic's key (S1.39)."""

_SYNONYMS = {
    "cryptocurrency": "crypto",
    "cryptocurrencies": "crypto",
    "digital currency": "crypto",
    "digital currencies": "crypto",
    "virtual currency": "crypto",
    "virtual currencies": "crypto",
    "colour": "color",
    "colours": "color",
}
_DROPPED = re.compile(r"\b(?:(?:my|favou?rites?|faves?)\b|lieblings-?)")
_GAPS = re.compile(r"[\s_-]+")
_SAME = frozenset({"series", "species", "news", "tennis", "chess", "swiss", "gas", "bus", "lens", "is", "us"})
"""Words that end like a plural but are not one."""
_IRREGULAR = {
    "movies": "movie", "cookies": "cookie", "pies": "pie", "ties": "tie", "shoes": "shoe", "people": "person",
    "brownies": "brownie", "smoothies": "smoothie", "selfies": "selfie", "zombies": "zombie",
    "caches": "cache",
    "heroes": "hero", "potatoes": "potato", "tomatoes": "tomato", "echoes": "echo", "knives": "knife",
    "wolves": "wolf", "buses": "bus", "gases": "gas", "lenses": "lens", "quizzes": "quiz",
    "children": "child",
    "axes": "axe", "indies": "indie", "hobbies": "hobby", "hoodies": "hoodie", "foodies": "foodie",
    "genies": "genie", "rookies": "rookie", "calories": "calorie", "prairies": "prairie", "mice": "mouse",
}  # fmt: skip
_BELONGS = re.compile(r" (?:of|to|for|in|with|on|from) ")
_ES = ("ches", "shes", "xes", "sses", "zzes")


@value_class
class Topic(Plain):
    """A canonical topic.

    `key` names it (`favorite_colors`), `category` is used when asking which topic is meant (`colors`),
    `label` in answers (`favorite color`). `nouns` are its names in lower case. `weak` nouns count only where
    the grammar needs a noun, as in "favorite show".
    """

    key: str
    category: str
    label: str
    nouns: tuple[str, ...]
    weak: tuple[str, ...] = ()

    @property
    def is_single(self) -> bool:
        """Returns whether it was named in the singular."""
        return self.category == self.label.removeprefix("least ").removeprefix("favorite ")

    @property
    def plural(self) -> str:
        """Returns the label in the plural: `favorite colors`."""
        return plural(self.label)


def singular(word: str) -> str:
    """Returns the singular of an English noun in lower case, as far as its ending shows."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word in _SAME or len(word) < 3 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(_ES) else word[:-1]


def parted(noun: str) -> tuple[str, str]:
    """Splits a noun from its complement: "day" and " of the week"."""
    match = _BELONGS.search(noun)
    return (noun, "") if match is None else (noun[: match.start()], noun[match.start() :])


def plural(word: str) -> str:
    """Returns the plural of an English noun in lower case; a plural is returned unchanged."""
    plurals = {single: several for several, single in _IRREGULAR.items()}
    word, belonging = parted(word)
    head, _, last = word.rpartition(" ")
    if last in plurals:
        several = plurals[last]
    elif _GERMAN_PLURAL.search(last) or last in _SAME or (last.endswith("s") and singular(last) != last):
        several = last
    elif last.endswith("y") and last[-2:-1] not in "aeiou":
        several = last[:-1] + "ies"
    else:
        several = last + ("es" if last.endswith(("s", "x", "z", "ch", "sh")) else "s")
    return f"{head} {several}".strip() + belonging


_GERMAN_PLURAL = re.compile(
    r"eln$|(?:ung|heit|keit|schaft|ion|inn)en$|[äöü]\w*(?:e|er|n)$|(?:bild|kind|kleid|lied|feld|seri|farb"
    r"|blum|art)(?:er|en)$"
)
"""The ending of a German plural, to which no s is added."""


def canonical(name: str) -> str:
    """Returns the canonical form of a topic's name, empty if nothing is left.

    Lower case, without "my favorite", synonyms replaced, the last word in the singular, underscores between
    words.
    """
    words = " ".join(_DROPPED.sub(" ", _GAPS.sub(" ", name[:KEY_MAX].lower())).split())
    if words in _SYNONYMS:
        return _SYNONYMS[words]
    words, belonging = parted(words)
    head, _, last = words.rpartition(" ")
    last = singular(last)
    last = _SYNONYMS.get(last, last)
    return (f"{head} {last}".strip() + belonging).replace(" ", "_")


def alike(key: str) -> Iterable[str]:
    """Yields keys of topics that mean the same as one: of "favorite_movie" also "favorite_film"."""
    prefix, _, noun = key.rpartition("_")
    for one, other in _ALIKE:
        if singular(noun) in (one, other):
            yield f"{prefix}_{other if singular(noun) == one else one}".removeprefix("_")


_ALIKE = (("movie", "film"), ("author", "writer"), ("drink", "beverage"), ("show", "series"))
LIKED, DISLIKED = "favorite_", "disliked_"
"""Prefixes of keys: what is liked best, and what is not liked. The two are never one list."""
_ES_OR_UMLAUT = re.compile(r"(?:ä|ö|ü)\w{0,9}er$|(?:bild|kind|kleid|lied|feld)er$")
_DATIVE = re.compile(r"(?<=e[lr])n$")
_ENDING = re.compile(r"(?:um|en|e)$")


_KIND_OF = re.compile(r"^(?:(?:kind|type|sort|variety)s?_of|(?:art|sorte)(?:en|n)?_(?:von|an))_(?=\w)")
"""Favourite kinds of tea are favourite teas."""


@lru_cache(maxsize=10_000)
def stem_of(key: str) -> str:
    """Returns the form of a key in which the singular and the plural of a topic are the same, in English and
    German."""
    prefix, _, name = key.partition("_")
    words = _KIND_OF.sub("", name).split("_")
    at = next((i for i, word in enumerate(words) if i and word in _PREPOSITIONS), len(words)) - 1
    words[at] = _stem(words[at])
    plain = unicodedata.normalize("NFKD", "_".join(words))
    return prefix + "_" + "".join(c for c in plain if not unicodedata.combining(c))


def _stem(noun: str) -> str:
    """Returns the stem of a German noun."""
    noun = singular(noun)
    noun = _DATIVE.sub("", noun)
    if _ES_OR_UMLAUT.search(noun):
        return noun[:-2]
    stem = _ENDING.sub("", noun)
    return stem if len(stem) > 2 else noun


def topic_of(name: str, *, disliked: bool = False) -> Topic | None:
    """Returns the topic that a noun phrase names, None if it is none."""
    phrase = " ".join(_DROPPED.sub(" ", name.lower().replace("_", " ")).split())
    if not phrase or len(phrase) > TOPIC_MAX or not _PHRASE.fullmatch(phrase):
        return None
    prefix = DISLIKED if disliked else LIKED
    single = singular_of(phrase)
    several = phrase if phrase != single else plural(phrase)
    key = prefix + re.sub(r"[\s-]+", "_", phrase)
    label = f"{'least ' * disliked}favorite {single}"
    return Topic(key, phrase, label, tuple(dict.fromkeys((phrase, single, several))))


TOPIC_MAX = 80
"""Most characters of a noun phrase that is a topic."""
_PHRASE = re.compile(r"[^\W_](?:[\w'’&+/. -]{0,78}[^\s._])?")
_PREPOSITIONS = frozenset("in of for from at on to with im am aus von für zum zur bei".split())


_BUILT_IN = (
    Topic(
        "favorite_colors",
        "colors",
        "favorite color",
        ("color", "colors", "colour", "colours"),
    ),
    Topic(
        "favorite_cryptos",
        "cryptos",
        "favorite crypto",
        (
            "crypto",
            "cryptos",
            "cryptocurrency",
            "cryptocurrencies",
            "digital currency",
            "digital currencies",
        ),
    ),
    Topic(
        "favorite_tv",
        "tv",
        "favorite TV show",
        ("tv show", "tv shows", "television show", "television shows"),
        ("show", "shows"),
    ),
    Topic(
        "favorite_candies",
        "candies",
        "favorite candy",
        ("candy", "candies", "chocolate", "chocolates"),
    ),
)


_GERMAN = {
    "farbe": "color", "farben": "color", "kryptowährung": "crypto", "kryptowährungen": "crypto",
    "fernsehserie": "tv show", "fernsehserien": "tv show", "süßigkeit": "candy", "süßigkeiten": "candy",
}  # fmt: skip
"""German nouns of the built-in topics."""


class Topics:
    """The registry of topics, fixed when a memory is opened: built-in ones and those of the settings."""

    def __init__(self, topics: Sequence[Topic] = _BUILT_IN) -> None:
        self.all = tuple(topics)
        self._by_key = {topic.key: topic for topic in self.all}
        self._by_noun = {noun: topic for topic in self.all for noun in (*topic.nouns, *topic.weak)}
        self._weak = frozenset(noun for topic in self.all for noun in topic.weak)
        self._longest = max((noun.count(" ") + 1 for noun in self._by_noun), default=1)

    def __getitem__(self, key: str) -> Topic:
        """Returns the topic with this key; one that is not registered is named by its key."""
        topic = self._by_key.get(key)
        if topic is None:
            prefix, _, name = key.partition("_")
            topic = topic_of(name, disliked=f"{prefix}_" == DISLIKED)
        if topic is None:
            raise KeyError(key)
        return topic if topic.key == key else replace(topic, key=key)

    def __contains__(self, key: object) -> bool:
        return key in self._by_key

    def about(self, phrase: str, *, disliked: bool = False) -> Topic | None:
        """Returns the topic that a noun phrase names: a registered one if the phrase is one of its nouns."""
        plain = " ".join(phrase.lower().split())
        plain = _GERMAN.get(plain, plain)
        topic = self._by_noun.get(plain) or self._longest_in(plain)
        if topic is None:
            return topic_of(plain, disliked=disliked)
        return _aversion(topic) if disliked else topic

    def _longest_in(self, phrase: str) -> Topic | None:
        """Returns the topic with the longest noun of a phrase that consists of nouns only (S1.18)."""
        words, nouns, i = phrase.split(), [], 0
        while i < len(words):
            match = self.at(words, i)
            if match is None:
                return None
            nouns.append((match[1], match[0]))
            i += match[1]
        return max(nouns, key=lambda noun: noun[0])[1] if len(nouns) > 1 else None

    def registered(self, noun: str) -> Topic | None:
        """Returns the registered topic with this noun."""
        return self._by_noun.get(" ".join(noun.lower().split()))

    def known_with(self, topics: Iterable[Topic]) -> Topics:
        """Returns a registry with further topics, by nouns that it does not have already."""
        existing = set(self._by_noun)
        added = []
        for topic in topics:
            nouns = tuple(noun for noun in topic.nouns if noun not in existing)
            if topic.key.startswith(LIKED) and nouns:
                existing |= set(nouns)
                added.append(replace(topic, nouns=nouns))
        return Topics((*self.all, *added)) if added else self

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """Returns strings of which every text that names a topic contains at least one, for a cheap first
        check."""
        nouns = sorted(self._by_noun, key=len)
        return tuple(n for i, n in enumerate(nouns) if not any(short in n for short in nouns[:i]))

    @cached_property
    def words(self) -> frozenset[str]:
        """Returns the single words of all nouns."""
        return frozenset(word for noun in self._by_noun for word in noun.split())

    def resolve(self, name: object) -> Topic:
        """Returns the topic with this key, category or noun, with or without "my favorite"; "disliked" before
        the noun names what is not liked. Raises InvalidInput `topic_unknown` for what cannot be a topic.
        """
        if isinstance(name, str):
            plain = " ".join(name[:KEY_MAX].lower().split())
            if plain in self._by_key:
                return self._by_key[plain]
            disliked = plain.startswith(("disliked", "least fav"))
            plain = re.sub(r"^(?:disliked|least)[ _]", "", plain)
            key = canonical(plain)
            for topic in self.all:
                if key and key in map(canonical, (topic.category, topic.key, *topic.nouns, *topic.weak)):
                    return _aversion(topic) if disliked else topic
            if key and (new_topic := topic_of(plain, disliked=disliked)) is not None:
                return new_topic
        raise InvalidInput(
            f"there is no topic {safe_repr(name, 60)}",
            code="topic_unknown",
            hint="a topic is a noun phrase such as hiking boots",
        )

    def at(self, words: Sequence[str], i: int) -> tuple[Topic, int, bool] | None:
        """Returns the topic whose noun begins at word `i`, the number of words, and whether the noun is weak.

        The longest noun wins.
        """
        for count in range(min(self._longest, len(words) - i), 0, -1):
            noun = " ".join(words[i : i + count])
            topic = self._by_noun.get(noun)
            if topic is not None:
                return topic, count, noun in self._weak
        return None


BUILT_IN = Topics()


def with_custom(custom: Mapping[str, Iterable[str]]) -> Topics:
    """Returns the built-in topics and those of the settings.

    Each custom topic is a plural name, such as `board games`, with further nouns. Raises InvalidInput
    `config_invalid`.
    """
    topics = list(_BUILT_IN)
    existing = {noun for topic in topics for noun in (*topic.nouns, *topic.weak)}
    for name, nouns in custom.items():
        if isinstance(nouns, str) or not all(isinstance(noun_text, str) for noun_text in (name, *nouns)):
            raise _unusable(name, "it is a list of nouns")
        stem = canonical(name).replace("_", " ")
        words = [
            noun_text
            for noun in (stem, *nouns)
            if (noun_text := " ".join(noun.lower().replace("_", " ").split()))
        ]
        forms = tuple(
            dict.fromkeys(
                form for noun_text in words for form in (noun_text, singular_of(noun_text), plural(noun_text))
            )
        )
        if not stem or any(len(form) > KEY_MAX or not _NOUN.fullmatch(form) for form in forms):
            raise _unusable(name, "nouns are words, such as board game")
        both = sorted(existing & set(forms))
        if both:
            raise _unusable(name, f"{both[0]!r} names another topic already")
        existing |= set(forms)
        key = f"favorite_{plural(stem).replace(' ', '_')}"
        topics.append(Topic(key, plural(stem), f"favorite {stem}", forms))
    return Topics(topics)


def _aversion(topic: Topic) -> Topic:
    """Returns the topic of what is not liked among the same things."""
    name = topic.key.removeprefix(LIKED)
    return replace(topic, key=DISLIKED + name, label=f"least {topic.label}")


_NOUN = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*(?: [^\W\d_]+(?:['-][^\W\d_]+)*)*")


def singular_of(noun: str) -> str:
    """Returns a noun of several words with the last in the singular."""
    noun, belonging = parted(noun)
    head, _, last = noun.rpartition(" ")
    return f"{head} {singular(last)}".strip() + belonging


def _unusable(name: object, why: str) -> InvalidInput:
    return InvalidInput(f"the topic {safe_repr(name, 60)} is invalid: {why}", code="config_invalid")
