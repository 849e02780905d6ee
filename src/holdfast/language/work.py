"""Checks whether knowledge from outside of projects is about work, so that agents in projects get it.

Some kinds are by definition. Other knowledge is if a tag says so; preferences and constraints also if
their words do: they name software, its tools or how code is written, or how an assistant shall answer. What
is unclear is personal, unless a person tags it. English and German.
"""

from __future__ import annotations

import re
from functools import cache

from holdfast.core.kinds import ABOUT_WORK, ALWAYS_ABOUT_WORK, KINDS, Nature
from holdfast.core.record import Memory, Origin
from holdfast.language.manner import Manner, is_code, is_prose, manner_of

FOR_AGENTS = "for-agents"
"""The tag with which a person gives knowledge from outside of projects to the agents in projects. In an
import, or from an agent, it has no effect."""
PERSONAL = "personal"
"""The tag with which a person keeps it from them, whatever its words and other tags."""
TEXT_MAX = 2_000
"""Characters of a text that are read."""


def traits_of(memory: Memory) -> Manner:
    """Returns the manner of a memory's text, whether it is about work, and whether it is running text or
    code of a document: stored with every version."""
    manner = manner_of(memory.text)
    if is_about_work(memory):
        manner |= Manner.WORK
    if memory.kind == "passage":
        if is_code(memory.text):
            manner |= Manner.CODE
        elif is_prose(memory.text):
            manner |= Manner.PROSE
    return manner


def is_about_work(memory: Memory) -> bool:
    """Returns whether a memory, wherever it is, is about work by its kind, its tags or its words."""
    if memory.kind in ALWAYS_ABOUT_WORK:
        return True
    if KINDS[memory.kind].nature is not Nature.KNOWLEDGE or PERSONAL in memory.tags:
        return False
    if FOR_AGENTS in memory.tags and (memory.origin is Origin.USER or memory.edited):
        return True
    return memory.kind in ABOUT_WORK and speaks_of_work(memory.embedding_text)


def is_for_work(memory: Memory) -> bool:
    """Returns whether agents in projects may have a memory: it belongs to a project or is about work."""
    return memory.project is not None or memory.kind == "passage" or is_about_work(memory)


def speaks_of_work(text: str) -> bool:
    """Returns whether a preference names software, its tools or how code is written, or how to be
    answered."""
    text = text[:TEXT_MAX]
    written = set(_words().findall(text))
    words = {word.casefold() for word in written}
    if words & _SOFTWARE or len(words & _SOMETIMES) + len(written & _NAMES) > 1 or _notation().search(text):
        return True
    return bool((words & _ANSWERS and words & _FORMS) or _request().match(text))


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SOFTWARE = _set("""
    ansible api apis argparse asserts async asyncio aws azure backend backends backlog bazel bugfix
    bugfixes c# c++ changelog changelogs ci cmake codebase codebases coder coders codestyle codezeilen
    coding command-line commandline commit commit-nachricht commit-nachrichten commits compiler
    compilers conda config configs coroutines cpp css database databases dataclass dataclasses datenbank
    datenbanken debug debugger debugging dependabot deploy deployed deploying deployment deployments
    deploys devops diff diffs django docker dockerfile docstring docstrings einrückung einrückungen
    emacs endpoint endpoints entwicklungsumgebung env erlang eslint fastapi force-push frontend
    frontends functions git github gitlab golang gradle graphql haskell html http ide ides javascript
    jira json junit jupyter jwt kommandozeile komponententests kotlin kubernetes lambdas linter linters
    linting linux localhost lockfile makefile markdown microservice microservices middleware mypy neovim
    nginx nodejs npm numpy oauth ocaml open-source orm php pip playwright pnpm postgres postgresql
    pre-commit programmcode programmer programmers programmiere programmieren programmiersprache
    programmiersprachen programming pull-request pull-requests pyproject pyright pytest python quellcode
    quelltext quelltexte rebase rebased rebasing refactor refactoring refactorings refactors regex
    regexes repo repos repositories repository rubocop ruff sdk semver shellcheck software
    softwareentwicklung sql sqlalchemy sqlite stacktrace stacktraces stylesheet stylesheets subprocess
    swiftui tabs tailwind tdd terraform testabdeckung tmux toml traceback tracebacks tsx typannotationen
    typescript typings ubuntu unit-test unit-testing unit-tests unittest unittests uuid uuids
    variablennamen versionsverwaltung vim virtualenv vite vitest vscode webpack whitespace xml yaml zsh
""")
"""Words that hardly anybody uses of anything but software."""
_SOMETIMES = _set("""
    abstraction abstractions annotation annotations ausnahmen bash bibliotheken branch branches builds
    classes comment comments committing component components constants containers dateien dependencies
    docs documentation editor editors error errors exception exceptions fehler fehlermeldungen file
    files formatter framework frameworks function funktion funktionen generics ifs imports indent
    indentation inheritance integration interface interfaces klassen kommentar kommentare konstanten
    leerzeichen line lines lint logs loops main merge merges method methoden methods migrations mocks
    module modules names naming nested package packages pakete patches pipeline pipelines prs queries
    query release releases returns schema schemas schnittstellen script scripts server servers shell
    skripte spaces squash terminal test testing tests threads trailing type typed typen types unit uv
    variable variables version versions warnings zeilen
""")
"""Words that are used of software and of much else: two of them count."""
_NAMES = _set("""
    Angular Bash C Clojure Dart Elixir Fish Flask Flutter Go Helix Java Jest Maven Node Pandas Perl
    Poetry Prettier R Rails React Redis Ruby Rust Scala Selenium Spring Svelte Swift Vue Xcode Yarn Zed
    Zig
""")
"""Names, written so, that are ordinary words or other names as well: two of them count, or one with one of
`_SOMETIMES`."""
_ANSWERS = _set("""
    answer answering answers antwort antworte antworten antwortest beantworte docstring erklär erkläre
    erklären erklärung erklärungen explain explained explaining explanation explanations fasse replies
    reply replying respond responding response responses summaries summarise summarize summary
    zusammenfassung zusammenfassungen
""")
_FORMS = _set("""
    absätze ausführlich ausführliche ausführlichen beispiel beispiele beispielen brief briefly bullet
    bullets casual concise concisely detail detailed details deutsch dutch emoji emojis englisch english
    example examples formal französisch french förmlich german headings informal italian knapp knappe
    knappen kurz kurze kurzen kürzer links long me mir paragraphs point points portuguese quelle quellen
    sachlich schritt schritte schritten sentences short shorter shortly simple simply source sources
    spanisch spanish step steps stichpunkte stichpunkten straight sätze sätzen terse tersely thorough
    words überschriften
""")
"""How something is answered: with a word of answering, it says how an assistant shall answer."""


@cache
def _words() -> re.Pattern[str]:
    """Returns what counts as a word: `C++`, `C#` and `pull-request` as well."""
    return re.compile(r"[^\W_]+(?:-[^\W_]+)*(?:\+\+|#)?")


@cache
def _notation() -> re.Pattern[str]:
    """Returns what speaks of code, other than that of a door, or is written as code is: in backticks,
    `snake_case`, `camelCase`, `--option`, `file.py`."""
    return re.compile(
        r"(?i:\b(?:add|mock|run|skip|write) (?:all |more |the |your )?tests?\b)"
        r"|(?i:(?<!door )(?<!dress )(?<!gate )(?<!pin )(?<!zip )(?<!area )(?<!qr )(?<!the )\bcode\b)"
        r"|`[^`\n]+`|\b[a-z]+_[a-z]+\b|\b[a-z]{2,}[A-Z][a-z]+\b|(?<!\S)--[a-z]{2}"
        r"|\b\w+\.(?:py|js|ts|go|rs|java|rb|cs|sh|sql|md|json|ya?ml|toml|html|css)\b"
    )


@cache
def _request() -> re.Pattern[str]:
    """Returns how a text begins that asks for a way to be spoken to."""
    return re.compile(
        r"(?i)\s*(?:(?:please|always|never|do not|don['’]t|bitte|immer|nie)\s+)*"
        r"(?:call me|address me|talk to me|speak \w+ (?:to|with) me|ask me|tell me|nenn\w* mich|duz\w* mich"
        r"|siez\w* mich|sprich \w+ mit mir|frag\w* mich|fass\w* dich kurz"
        r"|(?:(?:i (?:like|need|prefer|want)|i'd like) you to )?be (?:more |very )?(?:blunt|brief|concise"
        r"|direct|formal|informal|precise|short|terse)|sei \w* ?(?:direkt|ehrlich|knapp|kurz|präzise))\b"
    )
