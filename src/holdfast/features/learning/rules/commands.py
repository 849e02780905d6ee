"""Parses shell commands of a session: the tool, the kind of work, and the error line."""

from __future__ import annotations

import re
from dataclasses import dataclass

from holdfast.core.shortening import shortened
from holdfast.core.text import byte_pattern

LINE_MAX = 2_000
"""Most characters of a shell line that are parsed."""
SHOWN_MAX = 160
"""Most characters of a command in a memory."""
ERROR_MAX = 200
"""Most characters of an error in a memory: one line, never a whole stack trace."""

_SET = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,80}=\S*")
_MOVES = frozenset({"cd", "pushd", "popd"})
"""Programs that change the folder."""
_QUIET = _MOVES | {"set", "echo", "sleep", "true", "printf", "wait", "clear", "pwd"}
"""Programs that only change the folder or print."""
_WRAPPERS = (
    ("sudo",), ("time",), ("nice",), ("env",), ("nohup",), ("command",), ("exec",), ("npx",), ("bunx",),
    ("uvx",), ("pipx", "run"), ("uv", "tool", "run"),
    ("uv", "run"), ("poetry", "run"), ("pipenv", "run"), ("hatch", "run"), ("pdm", "run"), ("rye", "run"),
    ("bundle", "exec"), ("pnpm", "exec"), ("yarn", "exec"), ("npm", "exec"), ("python", "-m"),
    ("python3", "-m"), ("py", "-m"),
)  # fmt: skip
"""Words before the tool that does the work."""
_RUNNERS = r"(?:npm|pnpm|yarn|bun|deno task|make|just|task|rake|composer|gradle|\./gradlew|mvn|\./mvnw)"

_MANY = frozenset(
    {"npm", "pnpm", "yarn", "bun", "make", "just", "task", "rake", "cargo", "go", "docker", "gradle",
     "./gradlew", "mvn", "./mvnw", "git", "composer", "ruff", "biome"}
)  # fmt: skip
"""Tools with subcommands."""
_BY_OPTION = {"tox": ("-e",), "nox": ("-s", "--session", "-e")}
"""Tools whose subcommand is what an option names."""
_VERBOSITY = re.compile(r"--(?:quiet|verbose|silent)")
_SHORT_VERBOSITY = re.compile(r"-(?:q+|v+)")
"""Not of tools with subcommands, where these mean other things: `make -q`, `npm -v`."""
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_BACKGROUND = re.compile(r"(?<![&>])&(?![&>\d])")
_SHELL_STATE = frozenset({"set", "eval", "alias", "conda", "mamba", "pyenv", "nvm", "asdf", "mise", "workon"})
"""Programs that may change what later commands of the shell find."""
_OPTION = re.compile(r"-.*|\d+")
"""An option, or the number that belongs to one."""

CLASSES: dict[str, str] = {
    "test": rf"(?:pytest|py\.test|tox|nox|unittest|jest|vitest|mocha|ava|rspec|phpunit|ctest|go test"
    rf"|cargo (?:test|nextest)|playwright test|cypress run|(?:\S*/)?manage\.py test"
    rf"|{_RUNNERS}(?: run)?(?: -\S+)* (?:test|check|verify)\S*)(?: .*)?",
    "format": r"(?:ruff format|black|prettier|gofmt|cargo fmt"
    rf"|{_RUNNERS}(?: run)? (?:format|fmt)\S*)(?: .*)?",
    "lint": r"(?:ruff(?: check)?|eslint|flake8|pylint|golangci-lint|cargo clippy|biome (?:check|lint)"
    rf"|rubocop|stylelint|go vet|{_RUNNERS}(?: run)? lint\S*)(?: .*)?",
    "typecheck": r"(?:mypy|pyright|tsc|vue-tsc"
    rf"|{_RUNNERS}(?: run)? (?:typecheck|type-check|types)\S*)(?: .*)?",
    "build": r"(?:(?:cargo build|go build|docker build|build"
    rf"|{_RUNNERS}(?: run)? (?:build|package|compile|assemble)\S*)(?: .*)?|make(?: -\S+)*)",
    "install": r"(?:npm (?:ci|install|i)|pnpm (?:install|i|add)|yarn(?: install| add)?|bun (?:install|add)"
    r"|pip3? install|uv (?:sync|pip install|add)|poetry (?:install|add)|pdm install|bundle install"
    r"|cargo (?:fetch|add)|go (?:mod download|get)|composer install|apt(?:-get)? install"
    r"|brew install)(?: .*)?",
    "python": r"(?:python3?|py)(?: .*)?",
    "pip": r"pip3?(?: .*)?",
    "compose": r"(?:docker-compose|docker compose)(?: .*)?",
}
"""Kinds of work by the commands that do it, as patterns (RE2) over a whole command without what wraps it."""
PURPOSES = {
    "test": "The tests run with",
    "lint": "The linter runs with",
    "typecheck": "Types are checked with",
    "format": "Code is formatted with",
    "build": "It is built with",
}
"""Openings of conventions by kind of work; other lessons are quirks of the environment."""

_PREPARES = (
    r"(?:docker(?:-compose| compose)? (?:up|start|run)|docker compose .*\bup\b|systemctl (?:re)?start"
    r"|service \S+ start|brew services start|redis-server|pg_ctl|createdb|initdb|alembic upgrade"
    r"|prisma (?:generate|migrate)"
    r"|(?:\S*/)?manage\.py migrate|npm run (?:generate|codegen|db|migrate|setup)\S*"
    r"|make (?:setup|deps|generate|db|migrate)\S*"
    r"|source|\.|export|corepack enable|nvm use|git submodule|chmod|mkdir|cp|ln"
    r"|rm -rf? \S*(?:cache|node_modules|dist|build|target)\S*"
    r"|playwright install|pre-commit install|direnv allow|unset)(?: .*)?"
)
_LOOKS = (
    r"(?:ls|find|tree|stat|file|which|type|whoami|env|printenv|date|df|du|ps|top|diff|wc|sort|jq"
    r"|git (?:status|diff|log|show|branch|blame|remote))(?: .*)?"
)
"""Commands that only show something."""
_SEARCHES = re.compile(r"(?:git\s+grep|grep|egrep|rg|ag|ack)\s")
_LINES = re.compile(r"\d+(?:,\d+|,\$)?p")
_READS = frozenset({"cat", "head", "tail", "less", "bat", "nl", "more"})
_FETCHES = r"\b(?:curl|wget|httpie|lynx|w3m)\b.*https?://"
_LOCAL = r"https?://(?:localhost|127\.|0\.0\.0\.0|\[::1\]|host\.docker\.internal)"

_NOT_STARTED = (
    r"(?i)command not found|not recognized as|no such file or directory|no module named|cannot find module"
    r"|missing script|unknown (?:option|command|argument|subcommand)|unrecognized (?:option|argument)"
    r"|no such (?:option|command)|could not determine executable|is not a (?:docker|git|npm) command"
    r"|invalid (?:option|choice)"
    r"|executable not found|no rule to make target|couldn't find (?:a )?script|permission denied"
    r"|externally-managed-environment|unsupported engine"
    r"|requires? (?:a |an )?(?:newer|older|different|node|python)"
)
"""Errors of a wrong command, as opposed to failed work."""
_OWN_FAULT = (
    r"(?i)assert|expected .* (?:to|but|received|got|found)|\d+ failed"
    r"|\bto (?:equal|be (?:equal|null|true|false|truthy|falsy))\b"
    r"|tests? failed|mismatch|syntaxerror|indentationerror|unexpected token|undefined name"
    r"|unused|is not defined"
)
"""Errors of the current work, which do not recur once it is done."""

_TELLING = (
    r"^\s*(?:E\s+)?(?:[\w.]+\.)?[A-Za-z]*(?:Error|Exception|Panic|Warning)\b(?:\[[^\]]*\])?: .+",
    r"(?i)command not found|not recognized as|no such file|missing script|cannot find|permission denied"
    r"|could not|connection refused|econnrefused|timed out|already in use|no rule to make target|unable to",
    r"(?i)\b(?:error|fatal|failed|panic|abort(?:ed)?)\b",
)
"""Patterns of lines that describe an error, the most specific first."""
_PLACE = (
    r"^(?:\.?[\w./\\@-]+[:(]\d+(?:[:,]\d+)?\)?:?\s*(?:-\s*)?"
    r"|(?:E|npm (?:ERR!|error)|\S*sh:(?: line \d+:)?|\S*/bin/\S+:)\s+)+"
)
"""Matches the location and the program before an error message."""
_REDIRECTIONS = r"(?:^|\s)(?:\d?>{1,2}\s?&?\s?\S+|&>\s?\S+|&$)"
_VARIES = re.compile(r"0x[0-9a-fA-F]+|\d+")
_EXIT = re.compile(
    r"(?i)(?:error: )?(?:exit code|exited with(?: code)?|command failed with exit code) -?\d+\.?$"
)
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Run:
    """The command that one shell line runs.

    `line` is the command that does the work, for display, `tool` the same without variables and wrappers,
    `before` the commands that prepare it in the same line, `work` its class or None.
    """

    line: str
    tool: str
    before: tuple[str, ...]
    work: str | None

    @property
    def key(self) -> str:
        """Returns the key of attempts at the same thing: the kind of work, else the tool and its argument."""
        if self.work in PURPOSES or self.work == "install":
            return str(self.work)
        words = [word for word in self.tool.split() if not word.startswith("-")]
        return " ".join([self.work or words[0], *words[1:2]]) if words else self.tool

    @property
    def variables(self) -> frozenset[str]:
        """Returns the variables that are set for the program, with their values."""
        words = self.line.split()
        return frozenset(filter(_SET.fullmatch, words[: max(0, len(words) - len(self.tool.split()))]))

    @property
    def program(self) -> str:
        """Returns the words that start the program, without variables and arguments."""
        words = [word for word in self.line.split() if not _SET.fullmatch(word)]
        tool = self.tool.split()
        own = 1
        if tool[0] in _BY_OPTION and tool[1:2] and tool[1] in _BY_OPTION[tool[0]]:
            own = 3
        elif tool[0] in _MANY:
            named = (place for place, word in enumerate(tool[1:], 1) if not _OPTION.fullmatch(word))
            at = next(named, 0)
            own = at + 1 + (tool[at] in ("run", "compose") and len(tool) > at + 1)
        return " ".join(words[: max(0, len(words) - len(tool)) + own])


def run_of(command: str) -> Run | None:
    """Parses the run of a shell line; None if it only moves, prints or looks around."""
    parts = [part for part in _parts(command[:LINE_MAX]) if part.split()[0] not in _QUIET]
    if not parts:
        return None
    *before, line = parts
    words = line.split()
    while words and _SET.fullmatch(words[0]):
        words = words[1:]
    changed = True
    while changed:
        changed = False
        for wrapper in _WRAPPERS:
            if tuple(words[: len(wrapper)]) == wrapper and len(words) > len(wrapper):
                words = words[len(wrapper) :]
                while len(words) > 1 and words[0].startswith("-") and wrapper != ("python", "-m"):
                    words = words[1:]  # options of the wrapper
                changed = True
    if not words:
        return None
    tool = " ".join(words)
    return Run(
        _short(line, SHOWN_MAX),
        tool,
        tuple(_short(command_part, SHOWN_MAX) for command_part in before),
        _work(tool),
    )


def prepares(line: str) -> bool:
    """Returns whether a command prepares others: installs, starts a service, migrates, sets a variable."""
    run = run_of(line)
    if run is None:
        return False
    return run.work == "install" or _matches(_PREPARES, run.tool)


def only_looks(line: str) -> bool:
    """Returns whether a command changes nothing: it shows files, searches, or asks for a state."""
    run = run_of(line)
    looks = searched(line) is not None or read_file(line) is not None
    return run is None or looks or run.work in PURPOSES or _matches(_LOOKS, run.tool)


def searched(command: str) -> str | None:
    """Returns what a shell line searches the code for, or None."""
    part = (_parts(command[:LINE_MAX]) or [""])[-1]
    if not _SEARCHES.match(part):
        return None
    words = [word for word in part.split() if not word.startswith("-")]
    rest = words[2:] if words[0] == "git" else words[1:]
    return rest[0].strip("'\"") if rest else None


def read_file(command: str) -> str | None:
    """Returns the file that a shell line shows, or None."""
    program, *words = (_parts(command[:LINE_MAX]) or ["-"])[-1].split()
    names = [word for word in words if not word.startswith("-") and not word.isdigit()]
    if program == "sed" and "-n" in words and "-i" not in words:  # sed -n '1,200p' FILE
        names = [name for name in names if not _LINES.fullmatch(name.strip("'\""))]
    elif program not in _READS:
        return None
    is_one = len(names) == 1 and "*" not in names[0]
    return names[0].strip("'\"") if is_one else None


def fetches(command: str) -> bool:
    """Returns whether a shell line fetches something from the web."""
    return _contains(_FETCHES, command) and not _contains(_LOCAL, command)


def not_started(error: str) -> bool:
    """Returns whether an error shows that the command itself was wrong."""
    return _contains(_NOT_STARTED, error)


def is_of_cd(error: str) -> bool:
    """Returns whether an error is that of changing the folder, before the command of the line."""
    return _contains(r"^(?:\S+: )?cd(?::\d+)?: ", error)


def is_elsewhere(command: str, other: str) -> bool:
    """Returns whether two shell lines may run in different folders: only one names a folder, or another."""
    folders = [
        [part for part in _parts(line[:LINE_MAX]) if part.split()[0] in _MOVES] for line in (command, other)
    ]
    return folders[0] != folders[1]


def without_verbosity(run: Run) -> str:
    """Returns the command of a run, for tests, checks and builds without the options that only change how
    much it prints."""
    if run.work not in PURPOSES:
        return run.line
    is_short = run.tool.split()[0] not in _MANY
    return " ".join(
        word for word in run.line.split()
        if not (_VERBOSITY.fullmatch(word) or (is_short and _SHORT_VERBOSITY.fullmatch(word)))
    )  # fmt: skip


def has_own_status(command: str) -> bool:
    """Returns whether the exit status of a shell line is that of its run: no pipe, alternative, background
    job or later command hides it."""
    bare = _QUOTED.sub("_", command).rstrip("; \n")
    hides = "|" in bare or _BACKGROUND.search(bare) is not None
    return not hides and run_of(re.split(r"[;\n]", bare)[-1]) is not None


def changes_shell(command: str) -> bool:
    """Returns whether a shell line may change how later ones run: it moves to another folder, sets
    variables or prepares something."""
    return any(
        part.split()[0] in _MOVES | _SHELL_STATE or _SET.match(part.split()[-1]) or prepares(part)
        for part in _parts(command[:LINE_MAX])
    )


def own_fault(error: str) -> bool:
    """Returns whether an error belongs to the current work, such as a failed assertion."""
    return _contains(_OWN_FAULT, error)


def error_of(output: str) -> str:
    """Returns the line of an output that describes the error, short and without its location; empty without
    one.

    Of a stack trace only the last line remains (S4.26 bounds a memory).
    """
    lines = [_ESCAPES.sub("", line).strip() for line in output.splitlines()]
    lines = [line for line in lines if line and not _EXIT.match(line)]
    for pattern in _TELLING:
        telling = [line for line in lines if byte_pattern(pattern).search(_bytes(line))]
        if telling:
            return _shortened(telling[-1])
    return _shortened(lines[-1]) if lines else ""


def error_lines(output: str) -> str:
    """Returns the lines of an output that describe errors, in order."""
    lines = [_ESCAPES.sub("", line).strip() for line in output.splitlines()]
    return "\n".join(line for line in lines if any(_contains(pattern, line) for pattern in _TELLING))


def signature(error: str) -> str:
    """Returns the signature of equal errors: their words without numbers."""
    return " ".join(_VARIES.sub("#", error).casefold().split())


def _shortened(line: str) -> str:
    rest = byte_pattern(_PLACE).sub(b"", _bytes(line)).decode("utf-8", "replace")
    return _short(rest or line, ERROR_MAX)


def _work(tool: str) -> str | None:
    return next((name for name, pattern in CLASSES.items() if _matches(pattern, tool)), None)


def _parts(command: str) -> list[str]:
    """Returns the commands of a shell line in order, without redirections, and the first of each pipe.

    Quotations stay whole; text that is not shell is returned as words.
    """
    parts: list[str] = []
    part: list[str] = []
    quote = ""
    piped = False
    at = 0
    while at < len(command):
        sign = command[at]
        two = command[at : at + 2]
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        elif two in ("&&", "||") or sign in ";\n":
            parts.append("".join(part))
            part, piped = [], False
            at += 2 if two in ("&&", "||") else 1
            continue
        elif sign == "|":
            piped = True
            at += 1
            continue
        if not piped:
            part.append(sign)
        at += 1
    parts.append("".join(part))
    redirected = byte_pattern(_REDIRECTIONS)
    bare = (
        redirected.sub(b" ", _bytes(command_part)).decode("utf-8", "surrogatepass") for command_part in parts
    )
    clean = (" ".join(command_part.split()).strip("() ") for command_part in bare)
    return [command_part for command_part in clean if command_part]


def _short(text: str, limit: int) -> str:
    return shortened(" ".join(text.split()), limit)


def _matches(pattern: str, text: str) -> bool:
    return byte_pattern(pattern).fullmatch(_bytes(text)) is not None


def _contains(pattern: str, text: str) -> bool:
    return byte_pattern(pattern).search(_bytes(text)) is not None


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
