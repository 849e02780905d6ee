"""Finds what a lesson is about: the files and symbols, and the words of the log that show it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from holdfast.core.shortening import shortened
from holdfast.features.learning.rules.commands import error_of, only_looks
from holdfast.features.learning.rules.log import ACCESSES, CHANGES, Act, SessionLog, Step, WorkCandidate

FILES_MAX, SYMBOLS_MAX = 8, 8
QUOTE_MAX = 300
"""Most characters of a quotation."""
TASK_WORDS, TASK_MAX = 3, 90
"""Fewest words, and most characters, of what a lesson says that was worked on."""
NEARBY = frozenset({"self_correction", "dead_end", "decision", "error_retry", "user_correction"})
"""Rules whose lessons are about what was in hand, too."""
RULES = frozenset({"user_correction", "decision"})
"""Those that may state a rule for the whole project."""
_ARTEFACT = (
    r"(?:source |sync |test |code )?(?:files?|folders?|modules?|class(?:es)?|functions?|methods?|variables?|names?|imports?"
    r"|exports?|strings?|comments?|lines?|tests?|fixtures?|errors?|exceptions?|logs?|quer(?:y|ies)|migrations?|endpoints?"
    r"|packages?|dependenc(?:y|ies)|versions?|scripts?|features?|issues?|tickets?|branch(?:es)?|code ?base)"
)
"""What all of a codebase is made of: a rule about it may hold everywhere."""
_WIDE = re.compile(
    r"(?i)(?:^|[,;:.!] ?)(?:(?:and|but|so|also|please|remember:?) )*(?:always|never) \w+"
    r"|\b(?:you|we|one) (?:\w+ )?(?:always|never)\b|\bin general\b|\bas a rule\b|\beverywhere\b|\bremember\b|\bfrom now on\b"
    r"|\b(?:whole|entire)\b"
    rf"|\b(?:each|every|any|all(?: of)?(?: the| our)?)(?: \w+)? {_ARTEFACT}\b"
    r"|\bwe (?:only |don't |do not |also )*"
    r"(?:use|keep|prefer|follow|pin|deploy|run|write|name|test|support|ship|format|indent|put|review|avoid)\b"
    r"|\b(?:immer|nie|niemals|grundsätzlich|stets|überall|künftig|ab (?:jetzt|sofort)|von nun an)\b"
    r"|\bwir (?:benutzen|nutzen|verwenden|nehmen|schreiben|testen|deployen|speichern|halten|legen|committen|formatieren)\b"
)
"""Wordings that may reach beyond what was in hand; alone, they only stress: "every 15 seconds", "never what users want"."""
_LASTING = re.compile(
    r"(?i)\b(?:from (?:now|today) on|going forward|as a rule|everywhere|ab (?:jetzt|sofort|heute)|von (?:nun|jetzt) an|überall)\b"
)
"""Wordings that say by themselves that a rule reaches beyond what was in hand."""
_NO_VERB = (
    r"(?!(?:mind|the|an?|this|that|these|those|it|he|she|they|we|you|i|in|on|at|by|for|from|of|to|with|is|are|was"
    r"|were|has|had|only|just|when|if|too|so|as|not|\w+(?:ly|ed))\b)"
)
_BOTH_WAYS = re.compile(
    rf"(?i)(?:^|[.;:!] )(?:(?:no|nope|and|but|so|please|remember)[,:]? )*(?:"
    rf"always {_NO_VERB}[a-z]+ \w[^.?!]*?(?:[,;.!] (?:and |but )?| and | but )never {_NO_VERB}[a-z]+\b"
    rf"|never {_NO_VERB}[a-z]+ \w[^.?!]*?(?:[,;.!] (?:and |but )?| and | but )always {_NO_VERB}[a-z]+\b)"
)
"""An order that says both what is always and what is never done is one for other work, too."""
_NO_ORDER = re.compile(r"(?i)\bnever mind\b|\?|\b[\w-]+\.[a-z]\w{0,4}\b|\w/\w")
"""A question, or what names a file, is no such order."""
_ABOUT_ALL = re.compile(
    rf"(?i)\b{_ARTEFACT}\b|\b(?:project|repo(?:sitory)?|product|team)\b"
    r"|\b(?:Dateien|Ordner|Module|Klassen|Funktionen|Methoden|Variablen|Namen|Importe|Kommentare|Zeilen|Tests|Fehler|Migrationen"
    r"|Endpunkte|Pakete|Abhängigkeiten|Skripte|Branches|Commits|Projekt|Geld)\b"
)
_THIS_ONE = re.compile(
    rf"(?i)(?<!all )(?<!all of )\b(?:the|this|that|its|their) (?:\w+ )?{_ARTEFACT}(?<!s)\b"
)
"""One that was in hand, and not all that there are of its kind."""
_PROJECT = re.compile(
    r"(?i)\b(?:commits?|committing|pull requests?|merge requests?|changelog|release notes?)\b"
    r"|\b(?:whole|entire) (?:project|repo(?:sitory)?|code ?base|product)\b"
    r"|\b(?:each|every|any|all) (?:changes?|features?|bug ?fix(?:es)?)\b"
    r"|\bin (?:this|our) (?:repo|repository|project|codebase|code ?base)\b"
    r"|\b(?:we|you|always|never) (?:\w+ )?(?:deploy|push|merge|release|ship)\b"
    r"|\bwe (?:\w+ )?(?:run|build|lint|format|indent)\b"
    r"|\b(?:instead of|rather than|not|never|statt|anstatt|anstelle von|nicht|nie|niemals) (?:npm|pnpm|yarn|bun|pip|poetry|pipenv|uv|pytest|unittest|nose|jest|mocha"
    r"|vitest|tox|nox|make|bazel|gradle|maven)\b"
    r"|(?:^|[.;:!] )we (?:\w+ )?(?:use|are on|run on|target|support|host on|store \w+ in) (?!the |this |that |it\b|a |an |our )"
    r"(?:[\w+#.-]+ ?){1,3}[.!]?(?=$| [A-Z])"
    r"|\b(?:single|double) quotes\b|\b(?:camel ?case|snake_case|trailing (?:commas?|whitespace)|type hints|docstrings)\b"
    r"|\blines? (?:may|must|should|can|are|of|up to|longer|have) [\w ]*?(?:wide|long|at most|\d+)"
    r"|\b(?:ruff|black|isort|flake8|pylint|prettier|eslint|biome|gofmt|rustfmt|clang-format)\b"
    r"|^Use `[^`]+`, not `[^`]+`$|\b(?:used|done|allowed|supported) here\b"
    r"|\bwe(?:'ve| have|'re| are)? (?:\w+ ){0,2}(?:switched|moved|migrated|went|going) (?:back |over )?to\b|\bno longer (?:us(?:e|ed|ing)|allow(?:ed)?|support(?:ed)?)\b"
    r"|(?i:^don'?t|^do not) (?:push|deploy|install)\b|总是|始终|一律|我们|以后|永远"
)
"""What is of the whole project: how it is committed, released and formatted."""
_TRIED = re.compile(r"(?i)\bi (?:have |'ve )?(?:measured|tried|tested|checked|saw|ran|asked)\b[^.;]*")
"""A report of what was tried or measured: the files and tools in it are not the subject of the rule."""
_SYMBOL = re.compile(
    r"`([^`\n]{2,80})`|\b([A-Za-z]\w*_\w+|[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|\w+(?=\(\)))"
)
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")


def with_subject(candidate: WorkCandidate, log: SessionLog) -> WorkCandidate:
    """Returns a candidate with its files, the first of them the main one, its symbols, and a quotation."""
    steps = log.steps
    symbols = tuple(dict.fromkeys(symbols_in(candidate.text)))[:SYMBOLS_MAX]
    files = tuple(dict.fromkeys([*candidate.files, *_files_named(candidate.text, symbols, log)]))
    if candidate.rule in NEARBY:
        nearby = tuple(_in_hand(steps, max(candidate.steps)))
        if files or _is_particular(candidate, nearby, log):
            files = tuple(dict.fromkeys([*files, *nearby]))
    is_wide = not files and candidate.kind in ("human_feedback", "convention")
    return replace(
        candidate, files=files[:FILES_MAX], symbols=symbols, quote=_quote(candidate, steps),
        task=None if is_wide else _task(steps, min(candidate.steps)),
    )  # fmt: skip


def _task(steps: Sequence[Step], number: int) -> str | None:
    """Returns what the user asked for before a step, in one short line."""
    prompts = (step.target for step in reversed(steps[: number - 1]) if step.act is Act.TOLD)
    prompt = next((text for text in prompts if len(text.split()) >= TASK_WORDS), None)
    if prompt is None:
        return None
    line = shortened(" ".join(prompt.split()), TASK_MAX)
    return re.split(r"(?<=[.!?])\s|, (?:can|could|please|find|look|fix)\b", line)[0].strip(" .!?")


def symbols_in(text: str) -> Iterator[str]:
    """Yields the names of code in a text: those in marks, and words that are written as names are."""
    for marked, bare in _SYMBOL.findall(text):
        name = (marked or bare).strip().removesuffix("()")
        if _NAME.fullmatch(name) and len(name) > 2:
            yield name


def _files_named(text: str, symbols: Sequence[str], log: SessionLog) -> Iterator[str]:
    """Yields the files of the session that a text names: by path, by file name, or by what was changed in
    them."""
    words = set(re.findall(r"[\w./-]+", text))
    words |= {word.strip("./") for word in words}
    for path in log.files:
        if path in words or path.rpartition("/")[2] in words:
            yield path
    defined = {name.rpartition(".")[2] for name in symbols}
    for step in log.steps:
        if step.act in CHANGES and defined.intersection(step.symbols):
            yield step.target


def is_of_project(text: str) -> bool:
    """Returns whether a text is about the project itself, or says that it holds from now on."""
    return _PROJECT.search(text) is not None or _LASTING.search(text) is not None


def is_general(text: str) -> bool:
    """Returns whether a text states a rule beyond what was in hand: about the project itself, or in the
    wording of a rule about what all code is made of."""
    text = _TRIED.sub("", text)
    is_of_all = bool(_WIDE.search(text) and _ABOUT_ALL.search(_THIS_ONE.sub("", text)))
    is_both_ways = _BOTH_WAYS.search(text) is not None and _NO_ORDER.search(text) is None
    return is_of_project(text) or is_of_all or is_both_ways


def _is_particular(candidate: WorkCandidate, files: Sequence[str], log: SessionLog) -> bool:
    """Returns whether a lesson is about the files in hand: it is no rule for everything, or it names them."""
    if candidate.rule not in RULES or not is_general(candidate.text):
        return True
    defined = {name for step in log.steps if step.target in files for name in step.symbols}
    names = {name.casefold() for name in (*candidate.symbols, *re.findall(r"\w+", candidate.text))}
    own = (path.rpartition("/")[2].casefold() for path in files)  # a folder that is named has other files
    parts = {part for name in own for part in re.findall(r"[a-z]{4,}", name)}
    return bool(names & (parts | {name.casefold() for name in defined}))


def _in_hand(steps: Sequence[Step], number: int) -> Iterator[str]:
    """Yields the file that was worked on at a step: the next that is changed in the same turn, else the last
    that was changed before it, else the last that was read. What a person corrects was changed before: that
    file, and where another is changed in its place after it, that one first. After a turn that only ran
    commands that do something they speak of these, unless the same file is changed before and after."""
    done = [step for step in steps if step.act in ACCESSES and not step.failed]
    end = next((step.number for step in steps[number:] if step.act is Act.TOLD), len(steps) + 1)
    after = [step.target for step in done if number < step.number < end and step.act in CHANGES]
    before = [step for step in done if step.number <= number]
    changed = [step.target for step in before if step.act in CHANGES]
    if steps[number - 1].act is Act.TOLD and _only_ran(steps[: number - 1]):
        if after[:1] == changed[-1:]:
            yield from after[:1]
        return
    if steps[number - 1].act is Act.TOLD and changed:
        yield from (*after[:1], changed[-1]) if changed[-1] not in after else (changed[-1],)
    elif after or changed:
        yield (after[:1] or changed[-1:])[0]
    elif before:
        yield before[-1].target


def _only_ran(steps: Sequence[Step]) -> bool:
    """Returns whether the last turn of some steps ran commands that do something, not only tests, checks and
    builds, and looked at no file."""
    turn = [*takewhile(lambda step: step.act is not Act.TOLD, reversed(steps))]
    acts = any(step.act is Act.COMMAND and not only_looks(step.target) for step in turn)
    return acts and ACCESSES.isdisjoint(step.act for step in turn)


def _quote(candidate: WorkCandidate, steps: Sequence[Step]) -> str:
    """Returns the words of the log that show a lesson: what was said, or the last command with its error."""
    shown = [steps[number - 1] for number in candidate.steps]
    message = next((step for step in reversed(shown) if step.act in (Act.SAID, Act.TOLD)), None)
    if message is not None:
        text = " ".join(message.target.split())
        core = " ".join(candidate.text.removeprefix("Dead end: ").split())
        at = text.casefold().find(core[:40].casefold())
        return shortened(text[max(0, at) :], QUOTE_MAX)
    failed = next((step for step in reversed(shown) if step.failed), None)
    if failed is not None:
        return shortened(f"$ {' '.join(failed.target.split())} → {error_of(failed.output)}", QUOTE_MAX)
    return shortened(f"{shown[-1].act.value} {' '.join(shown[-1].target.split())}", QUOTE_MAX)
