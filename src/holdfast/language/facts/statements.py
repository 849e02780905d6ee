"""Parses a text into statements: ranked lists, single preferences, aversions and edits of lists.

A text is divided into sentences. Each is tried as an edit, else for the topics that it names; a topic counts
if what surrounds it leaves it a statement of the speaker (`scope`). What joins it to its values, and the form
of these, decide whether a list, a rank or a single preference is stated. What is doubtful is left out: recall
still finds the text, while a wrong fact would be cited as true.
"""

from __future__ import annotations

import re
from dataclasses import replace

from holdfast.core.facts import RANKED_MAX, SINGLE_MAX, Act, Statement
from holdfast.language.facts import changes, likings, scope
from holdfast.language.facts.heads import heads_in, topic_named
from holdfast.language.facts.lists import folded
from holdfast.language.facts.own import statements_of_own
from holdfast.language.facts.regions import in_lines, read, without_article
from holdfast.language.facts.sentences import Quotations, Sentence, pre_clean, sentences
from holdfast.language.facts.stating import PLAIN, list_statements, single, topic_of_all
from holdfast.language.facts.topics import Topic, Topics
from holdfast.language.facts.values import LIST_MAX, clean_value

TEXT_MAX = 20_000
"""Characters; longer texts are pasted documents and are not parsed."""
SENTENCE_MAX = 4_000
"""Characters of a sentence that is parsed."""
AFTER_MAX = 5
"""Sentences after a statement that may take it back."""

_HINTS = (
    "fav", "liebst", "liebling", "loved", "preferred", "my top", "top ", "hate",
    "dislik", "stand", "avoid", "meide", "hass", "wenigsten", "i like", "i love", "i don't", " mag",
    "ich ", "numbe", "nummer", "#1", "detest", "despise", "loath", "prefer", "gefäll", "gefall",
    "bevorzug", "user", "my ranking", "adore", "i never", "i refuse", "to avoid", " list",
)  # fmt: skip
_ASKS_ON = re.compile(
    r"(?:\s+[–—-]+\s+|[;,.]\s+|\s+(?:and|but|so|und|aber|also)\s+)(?=(?:so |and |but |und |aber"
    r" |also )?(?:can|could|would|will|do|does|did|what|which|who|how|why|where|when|should|any"
    r"|is|are|may|shall|got|have you|kannst|könntest|kennst|hast|weißt|was|welche\w*|wer|wie|wo"
    r"|gibt|magst|sollte|soll|ist|sind)\b[^?]*\?\W*$)",
    re.IGNORECASE,
)
"""Where a question begins after a statement: "… - can you suggest another?"."""
_ASKS_TO_KEEP = re.compile(
    r"\W*(?:please |bitte )?(?:can|could|would|will|kannst|könntest|würdest) (?:you|du) (?:dir"
    r" )?(?:please |also |bitte |auch )*(?:remember|save|store|note|keep in mind"
    r"|write down|record|memorize|memorise|merken|notieren|speichern)\b|\W*(?:kannst|könntest"
    r"|würdest) du (?:dir )?(?:bitte )?(?:merken|notieren|speichern)",
    re.IGNORECASE,
)
"""A request to keep something, which states it in the form of a question."""
_USER = re.compile(r"\b(?:the |this |our )?user(?:'s|’s|s')(?= |$)", re.IGNORECASE)
_USER_LIKES = re.compile(
    r"\b(?:the |this )?user (really |absolutely )?(likes|loves|hates|dislikes|prefers|avoids"
    r"|enjoys|detests|can't stand|cannot stand|does not like|doesn't like)\b",
    re.IGNORECASE,
)


def may_state(text: str, topics: Topics) -> bool:
    """Returns whether a text may state a fact; fast, since it runs on every text before parsing."""
    if len(text) > TEXT_MAX:
        return False
    low = text.lower()
    return _may_name(low, topics) or changes.may_change(low)


def _may_name(low: str, topics: Topics) -> bool:
    """Returns whether a text in lower case may name what somebody likes or ranks."""
    for hint in _HINTS:  # a loop costs a third of any() here, and this meets every message
        if hint in low:
            return True
    return "my " in low and any(f"my {stem}" in low for stem in topics.stems)


def statements_of(text: str, topics: Topics, *, of_user: bool = False) -> tuple[Statement, ...]:
    """Returns the statements in a text, in order. With `of_user`, "the user" is the speaker as well."""
    if not may_state(text, topics):
        return ()
    names = _may_name(text.lower(), topics)
    if of_user:
        text = _USER.sub("my", text)
        text = _USER_LIKES.sub(lambda match: f"I {match[1] or ''}{_first_person(match[2])}", text)
    quotations = Quotations()
    clean = quotations.hidden(pre_clean(text))
    statements: list[Statement] = []
    spoken: Topic | None = None
    whole = sentences(clean)
    sections = False
    for i, sentence in enumerate(whole):
        if len(sentence.text) > SENTENCE_MAX:
            continue
        stated = _of_section(sentence, topics) if sections else []
        stated = stated or _statements_in(sentence, topics, spoken, names)
        if not stated and names and i + 1 < len(whole):
            stated = _answered(sentence.text, whole[i + 1].text, topics)
        if not stated and not sentence.lines and len(text) <= changes.TEXT_MAX:
            change = changes.change_in(quotations.restored(sentence.text), topics)
            statements += [] if change is None else [change]
        sections = bool(_SECTIONS.fullmatch(sentence.text.strip())) or (sections and bool(stated))
        after = [other.text for other in whole[i + 1 : i + 1 + AFTER_MAX]]
        if not stated or not scope.is_retracted("\n".join([*_last_words(sentence), *after])):
            statements += stated
        if stated:
            spoken = topic_of_all(stated, topics)
        else:
            spoken = _mentioned(sentence.text, topics) if names else None
    if not statements or scope.is_unmeant(clean):
        return ()
    once: dict[tuple[object, ...], Statement] = {}
    for statement in statements:
        shown = _with_quotations(statement, quotations)
        if shown is not None:
            once.setdefault((shown.topic, shown.act, shown.rank, folded(shown.value), shown.other), shown)
    return tuple(once.values())[:LIST_MAX]


_SECTIONS = re.compile(
    r"\W*(?:[\w' ,-]{0,40} (?:of|about) )?(?:(?:my|all my|some of my|meine) )?(?:fav(?:ou?rite)?s|favoriten"
    r"|lieblings(?:dinge|sachen))(?: (?:by category|list|lists|overview|nach kategorie))?[:.!]?",
    re.IGNORECASE,
)
"""The heading of several lists: "Favourites by category."."""
_SECTION = re.compile(r"[-*•\s]*(?P<noun>[^\W\d][\w' -]{1,40}?):(?P<region>\s.+|$)")
_ASKED = re.compile(r"(?P<before>.*?)(?P<head>(?:my|mein\w*|lieblings)\b.*|lieblings\w+)\?$", re.IGNORECASE)


def _of_section(sentence: Sentence, topics: Topics) -> list[Statement]:
    """Returns the list below a heading: "Teas: oolong, matcha"; a single value is no list."""
    match = _SECTION.match(sentence.text)
    topic = topic_named(match["noun"], topics) if match else None
    if match is None or topic is None:
        return []
    items = in_lines(sentence.lines, topic.category) or read(match["region"], topic.category, lenient=True)
    if len(items) < 2:
        return []
    return [Statement(topic.key, Act.LIST, value, rank) for rank, (_, value) in enumerate(items, 1)]


def _answered(question: str, answer: str, topics: Topics) -> list[Statement]:
    """Returns the preference that one asks for and tells oneself: "My favourite flower? The peony."."""
    match = _ASKED.fullmatch(question.strip())
    if match is None or len(answer) > ANSWER_MAX or not scope.opens(match["before"].strip()):
        return []
    heads = heads_in(match["head"])
    if len(heads) != 1 or heads[0].start or heads[0].rank is not None:
        return []
    topic = topic_named(match["head"][heads[0].end :], topics, disliked=heads[0].disliked)
    if topic is None:
        return []
    region = without_article(answer, topic.category)
    items = read(region, topic.category) or read(region, topic.category, is_single=True)
    return list_statements(topic, items, PLAIN) if len(items) > 1 else single(PLAIN, topic, items)


ANSWER_MAX = 60
"""Characters of an answer to one's own question."""


def _first_person(verb: str) -> str:
    plain = verb.lower()
    if plain.startswith(("does", "can")):
        return plain.replace("does not", "do not").replace("doesn't", "don't")
    return plain.removesuffix("s")


def _mentioned(text: str, topics: Topics) -> Topic | None:
    """Returns the topic of one's own that a sentence ends with: "I have updated my favourite colours."."""
    heads = [] if text.rstrip().endswith("?") else heads_in(text)
    return (
        topic_named(text[heads[-1].end :].rstrip(" .!:"), topics, disliked=heads[-1].disliked)
        if heads
        else None
    )


def _last_words(sentence: Sentence) -> list[str]:
    return [re.sub(r"^\W*\d{0,3}[.):]?\s*\S+", "", line) for line in sentence.lines[-1:]]


def _with_quotations(statement: Statement, quotations: Quotations) -> Statement | None:
    """Returns a statement with its quotations; None if nothing is left of its value."""
    if statement.act is Act.CHANGE:
        return statement
    limit = SINGLE_MAX if statement.act is Act.SINGLE else RANKED_MAX
    value, other = statement.value, statement.other
    if value:
        value = clean_value(quotations.restored(value), limit) if not value.startswith("#") else value
        if not value:
            return None
    if other:
        other = clean_value(quotations.restored(other), RANKED_MAX) if not other.startswith("#") else other
        if not other:
            return None
    return replace(statement, value=value, other=other)


_IN_ORDER = re.compile(
    r"(?:,| [–—-]|,? \() ?(?:in (?:that |this |no particular |descending )?order(?: of preference)?|ranked"
    r"|(?:from )?(?:best|worst|most|least)(?: loved| liked)? (?:first|to (?:worst|best|least|most))"
    r"|(?:das |der |die )?(?:beste|liebste|schlimmste)[nrs]? zuerst|der reihe nach"
    r"|in (?:dieser )?reihenfolge)"
    r"(?:,| [–—-]|\))?(?=\s*:|\s|$)",
    re.IGNORECASE,
)
"""Words about the order of a list, which is the order in which it is told."""


def _statements_in(sentence: Sentence, topics: Topics, prior: Topic | None, names: bool) -> list[Statement]:
    """Returns the statements of one sentence; without `names`, only those that edit a list."""
    if not names:
        return []
    text = _IN_ORDER.sub("", " ".join(sentence.text.replace("’", "'").split()))
    if _ASKS_TO_KEEP.match(text):
        text = text.rstrip(" ?") + "."
    question = _ASKS_ON.search(text)
    if question:
        text = text[: question.start()].rstrip()
    if text.rstrip(" \"')*").endswith("?") or (not sentence.lines and scope.is_tagged(text)):
        return []
    return statements_of_own(text, sentence, topics, prior) or likings.statements(
        text, sentence.lines, topics
    )
