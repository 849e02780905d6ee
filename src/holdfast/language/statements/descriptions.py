"""Comparison of a sentence about a thing with what is known of it, by rules and without a model.

What is known is a list of passages: sentences of a description, entries of its lists, statements of code. A
sentence is supported if each of its clauses says what one passage says, in its order and with its words,
names and numbers; it may leave words out and say what code does by the usual verbs. So what it adds, turns
round, denies or counts otherwise is refused. English.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from holdfast.core.python_parser import syntax_tree
from holdfast.language.code_outline import Outline, outline
from holdfast.language.statements.words import words
from holdfast.language.terms import stems_of


class Unfounded(StrEnum):
    """The reasons for which a sentence about a thing is refused."""

    NUMBER = "number"
    """A number that nothing says, or says of something else."""
    WORDS = "words"
    """Words or names that no passage says, or not in this order."""
    NEGATION = "negation"
    """It denies, supposes or asks."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One thing that is known: its stems in order, those that a sentence may say at any place, and what it
    does (`acts`)."""

    words: tuple[str, ...]
    loose: frozenset[str] = frozenset()
    acts: frozenset[str] = frozenset()
    is_list: bool = False
    """Whether its names have no order."""
    tight: int | None = None
    """The place from which on no word between two is left out, as in `(always gift, 76% empty)`."""


_FREE = words(
    """
    a an the of in on at to from by with for as into onto over and it its this that these which also is are
    was were has have had been be each per using used via their they there where s then
    about based
    """
)
_FRAME = words("contains holds includes describes consists provides covers data dataset information ranges")
_DENIES = words(
    """
    not no never none nothing neither nor without cannot only except unless if whether maybe perhaps might
    could would should t or
    """
)
_THINGS = words(
    """
    table sheet section module chart view file notebook workbook cell model codebase database function
    package library project spreadsheet code
    """
)
"""Nouns for kinds of things, which may precede or follow a name."""
_ACTS = {
    "read": words("reads loads opens"),
    "import": words("imports"),
    "use": words("uses"),
    "compute": words("computes calculates derives"),
    "add": words("adds"),
    "define": words("defines"),
    "fit": words("fits trains"),
    "write": words("writes saves exports"),
    "draw": words("draws plots"),
    "show": words("shows displays"),
}
_SATISFIED = {"use": {"use", "import", "read"}, "compute": {"compute", "add"}, "show": {"show", "draw"}}
"""The acts of a passage by which an act is supported, beside itself."""
_OUTLINED = (
    ("import", "imports"), ("define", "defines"), ("read", "reads"), ("use", "uses"),
    ("compute", "computes"), ("add", "adds"), ("fit", "fits"), ("write", "writes"), ("draw", "draws"),
)  # fmt: skip
_MEANT = {
    "groupby": "groups grouped aggregates", "group by": "groups grouped aggregates",
    "merge": "merges joins combines", "join": "joins merges combines", "concat": "concatenates combines",
    "dropna": "drops removes missing empty rows", "drop_duplicates": "drops removes duplicates",
    "fillna": "fills missing empty", "sort_values": "sorts orders", "order by": "sorts orders",
    "query": "filters selects", "where": "filters selects", "filter": "filters selects",
    "pivot_table": "pivots", "pivot": "pivots", "resample": "resamples", "rolling": "rolling window",
    "to_datetime": "converts parses dates", "parse_dates": "parses dates", "astype": "converts type",
    "mean": "averages mean", "avg": "averages mean", "median": "median", "sum": "sums totals",
    "count": "counts", "value_counts": "counts", "nunique": "counts different", "rename": "renames",
    "train_test_split": "splits training test", "predict": "predicts", "score": "scores",
    "describe": "summarises statistics", "head": "shows first rows", "print": "prints",
}  # fmt: skip
"""What calls and clauses of code do, in words."""
_NUMBERS = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
    "ten": "10", "eleven": "11", "twelve": "12",
}  # fmt: skip
_PIECE = re.compile(r"\d+(?:[.,:/-]\d+)*%?(?![^\W\d_])|[^\W\d_]+|\d+")
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+(?=[\"'(A-Z])|\n+")
_CLAUSE_END = re.compile(r"\s*[,;]\s*(?:and\s+)?(?:then\s+)?|\s+and\s+(?:then\s+)?|\s+then\s+")
_MEANS = re.compile(r"\s+(?:with|using)\s+")
"""What comes before the means by which something is done, which is elsewhere in code."""
_PARENTHESES = re.compile(r"\s*\([^()]*\)")
_ARROW = re.compile(r"→|->|\brefers?\b")
_COMMENT = re.compile(r"^\s*(?:#|//|--)\s*(.+)$", re.MULTILINE)


def sentences_of(text: str) -> list[str]:
    """Returns the sentences of a text."""
    return [sentence.strip() for sentence in _SENTENCE_END.split(text.strip()) if sentence.strip()]


def passages_of_text(text: str, name: str = "") -> Iterator[Passage]:
    """Yields what a description says, each with the name of what is described: its sentences without what is
    in brackets, and the entries of their lists with it. What denies or supposes supports nothing."""
    own = _content(name)
    for sentence in sentences_of(text):
        head, colon, rest = sentence.rstrip(".").partition(": ")
        if _denies(head):
            continue
        items = list(_items(rest)) if colon else []
        before = [] if set(own) <= set(_content(sentence)) else own
        is_list = len(items) > 1 and not _ARROW.search(sentence)
        plain = _PARENTHESES.sub("", sentence)
        if not _denies(plain):
            yield _passage([*before, *_content(plain)], is_list=is_list)
        if colon:
            yield _passage([*own, *_content(head)])
        for item in items:
            if not _denies(item):
                about = _content(_PARENTHESES.sub("", head))
                # of an entry the name of the whole may be anywhere: "the status of orders"
                before = own if _ARROW.search(item) else []
                label = [*before, *about, *_content(item.partition("(")[0])]
                details = _content(item.partition("(")[2])
                yield _passage([*label, *details], loose=[] if before else [*own, *about], tight=len(label))


def passages_of_code(code: str, language: str) -> Iterator[Passage]:
    """Yields what the statements of code, and its comments, say."""
    for statement in _statements(code, language):
        seen = outline(statement, language)
        text = " ".join(statement.lower().split())
        stems = {
            stem
            for call, meaning in _MEANT.items()
            if re.search(rf"(?<![a-z]){re.escape(call)}(?![a-z])", text)
            for stem in _stems(frozenset(meaning.split()))
        }
        acts = {act for act, part in _OUTLINED if getattr(seen, part)}
        yield _passage(_content(statement), loose=stems | _drawn(seen), acts=acts)
    for comment in _COMMENT.findall(code):
        yield from passages_of_text(comment)


def unfounded(sentence: str, passages: Sequence[Passage], subject: Collection[str]) -> Unfounded | None:
    """Returns why passages do not support a sentence; None if they do. With the words of its `subject` a
    sentence may begin."""
    if _denies(sentence) or "?" in sentence:
        return Unfounded.NEGATION
    content = _content(sentence)
    named = set(_content(" ".join(subject)))
    lead = next((at for at, stem in enumerate(content) if stem not in named), len(content))
    if not content[lead:]:
        return Unfounded.WORDS
    for number, clause in enumerate(_clauses(sentence)):
        stems = _content(clause)
        means = _content(_MEANS.split(clause)[-1]) if _MEANS.search(clause) else []
        while number == 0 and stems and stems[0] in named and stems[0] not in _verbs():
            stems = stems[1:]
        if stems and not any(_says(passage, stems) for passage in passages):
            act = stems[: len(stems) - len(means)]
            tools = [passage for passage in passages if passage.acts & {"import", "use"}]
            if means and _is_said(act, passages) and _is_said(means, tools):
                continue
            vocabulary = {stem for passage in passages for stem in (*passage.words, *passage.loose)}
            is_number = any(stem[0].isdigit() for stem in stems)
            return Unfounded.NUMBER if is_number and not vocabulary.issuperset(stems) else Unfounded.WORDS
    return None


def is_named(phrase: str, passages: Sequence[Passage]) -> bool:
    """Returns whether all words of a phrase, such as a topic, are those of passages."""
    content = _content(phrase)
    vocabulary = {stem for passage in passages for stem in (*passage.words, *passage.loose)}
    return bool(content) and vocabulary.issuperset(content) and not _denies(phrase)


def _is_said(stems: Sequence[str], passages: Sequence[Passage]) -> bool:
    return bool(stems) and any(_says(passage, stems) for passage in passages)


def _denies(text: str) -> bool:
    return bool(_DENIES.intersection(_pieces(text)))


def _says(passage: Passage, stems: Sequence[str]) -> bool:
    """Returns whether a passage says the words of a clause in their order."""
    place = 0
    for at, stem in enumerate(stems):
        act = _verbs().get(stem)
        if act is not None and passage.acts & (_SATISFIED.get(act) or {act}):
            continue
        if stem in passage.loose:
            continue
        start = 0 if passage.is_list else place
        end = place + 1 if passage.tight is not None and place > passage.tight else None
        position = next(
            (place for place in _places(passage, stem, start, end) if _fits(passage, place, stems, at)), None
        )
        if position is None:
            return False
        place = position + 1
    return True


def _places(passage: Passage, stem: str, start: int, end: int | None) -> Iterator[int]:
    last = len(passage.words) if end is None else min(end, len(passage.words))
    return (at for at in range(start, last) if passage.words[at] == stem)


def _fits(passage: Passage, place: int, stems: Sequence[str], at: int) -> bool:
    """Returns whether a number counts there what it counts in the clause: the next word is the same, or the
    one before, where one of both ends with the number."""
    if not stems[at][0].isdigit():
        return True
    after, before = passage.words[place + 1 : place + 2], passage.words[max(0, place - 1) : place]
    if at + 1 == len(stems):
        return at > 0 and stems[at - 1] in before
    return stems[at + 1] in (after or before)


def _passage(
    stems: Sequence[str], *, loose: Collection[str] = (), acts: Collection[str] = (), is_list: bool = False,
    tight: int | None = None,
) -> Passage:  # fmt: skip
    """Returns a passage of stems: what its verbs do is added to the acts, its nouns for kinds of things to
    the loose words."""
    own = {verb for stem in stems if (verb := _verbs().get(stem))}
    things = _stems(_THINGS).intersection(stems)
    return Passage(tuple(stems), things.union(loose), frozenset(own.union(acts)), is_list, tight)


def _drawn(outline: Outline) -> set[str]:
    """Returns the words for what code draws, such as `bar chart`."""
    return {stem for drawing in outline.draws for stem in _content(drawing)}


def _clauses(sentence: str) -> Iterator[str]:
    """Yields the clauses of a sentence, each of which begins with a verb, but for the first."""
    start = 0
    for end in _CLAUSE_END.finditer(sentence):
        follows = _content(sentence[end.end() :])
        if follows and (follows[0] in _verbs() or follows[0] in _operations()):
            yield sentence[start : end.start()]
            start = end.end()
    yield sentence[start:]


def _statements(code: str, language: str) -> Iterator[str]:
    """Yields the statements of code: by the syntax tree of Python, of others by lines, of SQL as a whole."""
    name = language.lower()
    if name.startswith(("python", "ipython")):
        lines = "\n".join(line for line in code.splitlines() if not re.match(r"\s*[%!?]", line))
        try:
            tree = syntax_tree(lines)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            tree = None
        if tree is not None:
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                    yield f"{'class' if isinstance(node, ast.ClassDef) else 'def'} {node.name}(): pass"
                elif isinstance(node, ast.stmt) and not hasattr(node, "body"):
                    yield ast.unparse(node)
            return
    if "sql" in name or name == "formula":
        yield from filter(str.strip, code.split(";"))
        return
    yield from (line for line in code.splitlines() if line.strip() and not _COMMENT.match(line))


def _items(text: str) -> Iterator[str]:
    """Yields the entries of a list, which commas or semicolons outside of brackets separate."""
    separator = ";" if ";" in _PARENTHESES.sub("", text) else ","
    depth, start = 0, 0
    for at, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == separator and depth == 0:
            yield text[start:at].strip()
            start = at + 1
    if rest := text[start:].strip():
        yield rest


def _pieces(text: str) -> list[str]:
    """Returns the words and numbers of a text in lower case: those of a name in camel case apart, and numbers
    without separators of thousands."""
    plain = _THOUSANDS.sub("", text.replace("’", "'"))
    return [
        part.lower()
        for piece in _PIECE.findall(plain)
        for part in (_CAMEL.findall(piece) if piece.isascii() and piece.isalpha() else [piece])
    ]


def _content(text: str) -> list[str]:
    """Returns the stems of the words of a text that say something, in order."""
    pieces = [_NUMBERS.get(piece, piece) for piece in _pieces(text)]
    stems = stems_of([piece for piece in pieces if piece not in _FREE])
    frame = _stems(_FRAME)
    return [stem for stem in stems if stem not in frame]


@cache
def _stems(of: frozenset[str]) -> frozenset[str]:
    return frozenset(stems_of(sorted(of)))


@cache
def _verbs() -> dict[str, str]:
    return {stem: act for act, verbs in _ACTS.items() for stem in _stems(verbs)}


@cache
def _operations() -> frozenset[str]:
    """Returns the stems of the verbs that say what calls do."""
    return _stems(frozenset(meaning.split()[0] for meaning in _MEANT.values()))
