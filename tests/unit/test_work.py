"""What the log of a session teaches, by rules: signals, phrases, caps, what follows the web, bullets."""

from __future__ import annotations

from collections import Counter
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

from holdfast.core.errors import InvalidInput
from holdfast.core.kinds import KINDS
from holdfast.features.learning.rules.assistant_rules import ASSISTANT
from holdfast.features.learning.rules.commands import (
    ERROR_MAX,
    error_of,
    fetches,
    not_started,
    own_fault,
    prepares,
    read_file,
    run_of,
    searched,
)
from holdfast.features.learning.rules.lessons import (
    BULLETS_MAX,
    BULLETS_MIN,
    bullets_of,
    candidates_in,
    is_after_web,
    web_from,
)
from holdfast.features.learning.rules.log import (
    SESSION_TYPES,
    Act,
    SessionLog,
    Step,
    WorkCandidate,
    session_type_named,
)
from holdfast.features.learning.rules.phrases import phrase_in
from holdfast.features.learning.rules.rules import Phrase
from holdfast.features.learning.rules.subjects import is_general
from holdfast.features.learning.rules.user_rules import USER
from holdfast.features.transfer.formats import worklog
from tests.cases import each
from tests.unit import work_sentences
from tests.unit.work_samples import EVENTS, REFUSED

BUILD = SESSION_TYPES["build"]
BOTH = [(phrase, table) for table in (ASSISTANT, USER) for phrase in table]


def session(*steps: tuple[str, str] | tuple[str, str, str], **more: Any) -> SessionLog:
    """A session of steps, each an act, a target and, if it failed, the output."""
    numbered = enumerate(steps, 1)
    made = (Step(n, Act(one[0]), one[1], len(one) > 2, "".join(one[2:])) for n, one in numbered)
    return SessionLog("s", tuple(made), **more)


def lessons_in(log: SessionLog, rule: str | None = None) -> list[tuple[str, str]]:
    """Kind and text of what a session teaches, by one rule or by all."""
    return [(one.kind, one.text) for one in candidates_in(log, BUILD)[0] if rule in (None, one.rule)]


# phrases: the examples of the table are its tests


@each("phrase, table", BOTH)
def test_s4_73_a_phrase_finds_its_examples_and_none_finds_its_counterexamples(
    phrase: Phrase, table: tuple[Phrase, ...]
) -> None:
    assert phrase.kind in KINDS
    assert len(phrase.yes) >= 3
    assert len(phrase.no) >= 3
    for text in phrase.yes:
        hit = phrase_in(text, table)
        assert hit is not None, text
        assert (hit[0].name, hit[0].family) == (phrase.name, phrase.family), text
    for text in phrase.no:
        assert phrase_in(text, table) is None, text


SENTENCES = [
    (act, text, taught)
    for act, taught, texts in (
        ("user", False, work_sentences.USER_ORDINARY),
        ("user", True, work_sentences.USER_CORRECTS),
        ("assistant", False, work_sentences.ASSISTANT_ORDINARY),
        ("assistant", True, work_sentences.ASSISTANT_LEARNS),
    )
    for text in texts
]


@each("act, text, taught", SENTENCES)
def test_s4_73_talk_teaches_only_where_something_is_corrected(act: str, text: str, taught: bool) -> None:
    assert len(lessons_in(session(("read", "a.py"), (act, text)))) == int(taught)


SAID = {
    "no default exports please": "No default exports please",
    "no console.log, use the logger": "No console.log, use the logger",
    "I told you: no semicolons": "No semicolons",
    "no calls to the clock, not even in tests": "No calls to the clock, not even in tests",
    "no, prices are in cents": "Prices are in cents",
    "no it's called order_items": "It's called order_items",
    "wrong folder, utils go to src/shared": "Wrong folder, utils go to src/shared",
    "no, use pnpm here": "Use pnpm here",
    "use pnpm here, since npm breaks on workspace URLs": "Use pnpm here, since npm breaks on workspace URLs",
    "why npm again? it's pnpm in this repo": "It's pnpm in this repo",
    **dict.fromkeys((
        "don't commit yet", "no, show me the diff first", "don't explain, just fix it", "no, too big now",
        "no, I meant the second test", "not that file, the other one", "no tests failed, great",
        "no more errors, thanks", "no, use that", "no, try without the flag", "no luck, same error",
    )),
}  # fmt: skip


def test_s4_73_a_ban_keeps_its_no_and_what_is_wanted_for_a_moment_is_no_rule() -> None:
    """A "no" before a noun is part of the rule: the rest alone says the opposite."""
    assert {
        said: next((text for _, text in lessons_in(session(("edit", "a.py"), ("user", said)))), None)
        for said in SAID
    } == SAID


def test_s4_73_what_the_assistant_corrects_is_kept_with_what_it_says() -> None:
    log = session(
        ("assistant", "I was wrong. The cache in `cache.py` is keyed by tenant. Now the tests."),
        ("assistant", "Actually, `make check` builds the wheel first."),
        ("assistant", "```\nActually, this is code in a block\n```"),
        ("assistant", "Actually, yes."),
    )
    assert lessons_in(log, "self_correction") == [
        ("gotcha", "I was wrong. The cache in `cache.py` is keyed by tenant."),
        ("session_insight", "`make check` builds the wheel first."),
    ]


def test_s4_73_a_dead_end_is_kept_with_its_reason() -> None:
    log = session(
        ("assistant", "The loader in `load.py` is synchronous. Let me try a different approach."),
        ("assistant", "回滚这个改动，因为它破坏了 `mypy` 的检查。"),
        ("assistant", "Let me try a different approach."),
    )
    assert lessons_in(log) == [
        ("gotcha", "Dead end: 回滚这个改动，因为它破坏了 `mypy` 的检查。"),
        ("gotcha", "Dead end: The loader in `load.py` is synchronous. Let me try a different approach."),
    ]


def test_s4_73_a_correction_by_the_user_is_feedback_and_the_task_is_not() -> None:
    rule = "Don't edit the generated files in src/gen"
    assert lessons_in(session(("user", rule), ("read", "a.py"))) == []
    log = session(
        ("user", "Add a field"), ("read", "a.py"), ("user", f"{rule}. Is that clear?"), ("user", "ok")
    )
    assert lessons_in(log) == [("human_feedback", f"{rule}.")]
    assert lessons_in(session(("read", "a.py"), ("user", "x " * 3_000 + f". {rule}"))) == []


def test_what_is_explained_after_a_phrase_or_before_it_is_kept_with_it() -> None:
    log = session(
        ("edit", "a.py"),
        (
            "assistant",
            "Actually, the key of the cache holds the price. So each discount makes a key of its own. Done.",
        ),
        ("edit", "b.py"),
        ("assistant", "I compared the rows by name. That did not work because two shops share a name."),
    )
    assert [text for _, text in lessons_in(log)] == [
        "Dead end: I compared the rows by name. That did not work because two shops share a name.",
        "The key of the cache holds the price. So each discount makes a key of its own.",
    ]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Found the cause: rows are sorted before the filter, hence the last page is short.", True),
        ("The parcel is weighed twice on purpose, the second time with its label.", True),
        ("A guard around closeall was my first try; it cannot work as the socket is gone by then.", True),
        ("The list is longer than the page, but only on Mondays.", False),
    ],
)
def test_a_reason_beside_a_change_is_learned_in_plain_words_too(said: str, kept: bool) -> None:
    assert bool(lessons_in(session(("read", "a.py"), ("assistant", said), ("edit", "a.py")))) is kept
    assert not lessons_in(session(("read", "a.py"), ("assistant", said)), "self_correction")


@pytest.mark.parametrize(
    ("said", "begins"),
    [
        ("no need to lock the row, the queue has one reader only", "No need to lock"),
        ("stop the clock in `tick` before the rows are written, never after", "Stop the clock"),
        ("good names in `rows.py` say the unit, they must not say the type", "Good names"),
        ("no, rows in `rows.py` have no order, that is on purpose", "Rows in"),
    ],
)
def test_how_a_correction_begins_is_kept_where_it_means_something(said: str, begins: str) -> None:
    (text,) = [text for _, text in lessons_in(session(("edit", "rows.py"), ("user", said)))]
    assert text.startswith(begins)


GENERAL = (
    "Always write the tests first", "We never deploy on Mondays",
    "From now on put the ticket into each commit",
    "Names of columns are in snake_case", "We only support versions that have security updates",
    "Lines may be 100 wide", "Never change a generated file by hand", "The whole code base has double quotes",
    "Always close the cursor, never leave it to the collector",
    "In this repo we keep SQL in .sql files", "Each change needs a line for the users", "总是先写测试",
)  # fmt: skip
PARTICULAR = (
    "Send a line every 15 seconds, the gateway cuts what is idle", "The oldest row is never what users want",
    "Don't compress it at each start", "We keep the failures in an artifact, as merges hurt everybody",
    "The whole content is needed at once", "Never read the folder a second time: it is slow",
    "We always turn the picture before it is stored",
    "I always mix up the two ids, never mind", "Why is it always slow on Mondays but never at night?",
    "The menu is always open, never closed", "Der Dialog kommt immer oben, nie unten",
    "Always flush the buffer in spool.rs, never drop it", "In the grid always sort by date, never by id",
    "Always the first row, never the last one",
)  # fmt: skip


@each("text", GENERAL)
def test_a_rule_about_the_project_is_of_no_file(text: str) -> None:
    assert is_general(text)


@pytest.mark.parametrize("text", PARTICULAR)
def test_a_stressed_word_makes_no_rule_about_the_project(text: str) -> None:
    assert not is_general(text)


def test_the_only_command_between_a_repeated_error_and_success_is_what_helped() -> None:
    fails = ("command", "pytest tests", "ImportError: cannot import name 'fast' from 'shop'")
    log = session(
        fails,
        fails,
        ("command", "git status"),
        ("command", "python tools/make_fast.py"),
        ("command", "pytest"),
    )
    assert (
        "gotcha",
        f"`pytest tests` fails with “{fails[2]}” until `python tools/make_fast.py` has run",
    ) in lessons_in(log)
    once = session(fails, ("command", "python tools/make_fast.py"), ("command", "pytest tests"))
    assert not lessons_in(once, "error_retry")


def test_what_has_to_be_installed_is_no_fault_of_the_work() -> None:
    assert not own_fault('RuntimeError: forms require "multipart" to be installed')
    assert own_fault("expected 3 to equal 4")


@pytest.mark.parametrize(
    ("line", "program"),
    [
        ("tox -e py311 -- tests/unit", "tox -e py311"), ("uvx nox -s tests", "uvx nox -s tests"),
        ("pipx run ruff check .", "pipx run ruff check"), ("tox", "tox"),
    ],
)  # fmt: skip
def test_an_option_that_names_the_environment_belongs_to_the_program(line: str, program: str) -> None:
    run = run_of(line)
    assert run is not None
    assert run.program == program


# commands


RUNS = {
    "cd app && npm test 2>&1 | tail -20": ("npm test", "npm test", "test"),
    "REDIS_URL=redis://x uv run pytest -q tests": ("uv run pytest", "pytest -q tests", "test"),
    "python -m pytest tests > log.txt": ("python -m pytest", "pytest tests", "test"),
    "npx tsc --noEmit": ("npx tsc", "tsc --noEmit", "typecheck"),
    "ruff format src": ("ruff format", "ruff format src", "format"),
    "ruff check src": ("ruff check", "ruff check src", "lint"),
    "make": ("make", "make", "build"),
    "make deploy": ("make deploy", "make deploy", None),
    "echo 'a && b | c'; (cargo build --release)": ("cargo build", "cargo build --release", "build"),
    "pip install -e '.[dev]'": ("pip", "pip install -e '.[dev]'", "install"),
    "docker compose up -d": ("docker compose up", "docker compose up -d", "compose"),
}  # fmt: skip


@each("line", RUNS)
def test_a_shell_line_is_known_by_the_tool_that_does_the_work(line: str) -> None:
    run = run_of(line)
    assert run is not None
    assert (run.program, run.tool, run.work) == RUNS[line]


def test_what_only_moves_or_looks_runs_nothing() -> None:
    assert [run_of(line) for line in ("cd src", "", "   ", "echo hi; pwd", "&& ||")] == [None] * 5
    assert searched("cd src && grep -rn 'session_timeout' . | head -3") == "session_timeout"
    assert searched("git grep -n foo src") == "foo"
    assert searched("pytest | grep FAILED") is None
    assert (read_file("cat src/a.py | head"), read_file("head -20 'b.py'")) == ("src/a.py", "b.py")
    assert [read_file(line) for line in ("cat a b", "cat *.py", "ls a.py")] == [None] * 3
    assert prepares("docker compose up -d redis")
    assert prepares("npm ci")
    assert not prepares("git status")
    assert fetches("curl -s https://docs.example.com/api | head")
    assert not fetches("curl http://localhost:8000/health")


ERRORS = {
    "Exit code 127\n/bin/bash: line 1: pytest: command not found": "pytest: command not found",
    "Traceback (most recent call last):\n  File \"a.py\", line 3\nKeyError: 'x'\n": "KeyError: 'x'",
    "src/a.ts(3,5): error TS2345: Argument of type": "error TS2345: Argument of type",
    'npm ERR! Missing script: "test"': 'Missing script: "test"',
    "\x1b[31merror\x1b[0m: linking failed\nnote: see above": "error: linking failed",
    "nothing that is known": "nothing that is known",
    "Exit code 1": "",
    "": "",
}


@each("output", ERRORS)
def test_s4_26_of_an_output_only_its_telling_line_remains(output: str) -> None:
    assert error_of(output) == ERRORS[output]
    assert len(error_of(f"ValueError: {'long ' * 500}")) <= ERROR_MAX


def test_errors_of_the_command_and_of_the_work_are_told_apart() -> None:
    assert not_started("pytest: command not found")
    assert not not_started(REFUSED)
    assert own_fault("AssertionError: assert 3 == 4")
    assert not own_fault(REFUSED)


# passive signals


def test_s4_73_an_error_that_was_retried_is_kept_with_what_helped() -> None:
    fails = ("command", "npm run dev", "Error: listen EADDRINUSE: address already in use :::3000")
    ok = ("command", "npm run dev")
    start = "`npm run dev` fails with “Error: listen EADDRINUSE: address already in use :::3000”"
    assert lessons_in(session(fails, fails, ("command", "rm -rf .cache"), ok)) == [
        ("gotcha", f"{start} until `rm -rf .cache` has run")
    ]
    assert lessons_in(session(fails, fails, ("command", "PORT=3001 npm run dev"))) == [
        ("gotcha", f"{start}; `PORT=3001 npm run dev` works")
    ]
    assert lessons_in(session(fails, fails, ("edit", "vite.config.ts"), ok)) == [
        ("error_pattern", f"{start}; a change in vite.config.ts solved it")
    ]
    assert lessons_in(session(fails, fails, ok)) == [
        ("environment_quirk", f"{start} at times and passes when it is run again unchanged")
    ]
    assert lessons_in(session(fails, ("edit", "a.ts"), ok)) == []  # one retry is the way work goes
    other = ("command", "npm run dev", "Error: Cannot find module 'vite'")
    assert lessons_in(session(fails, other, ("edit", "a.ts"), ok)) == []  # two errors, each once


def test_s4_73_a_test_that_is_made_to_pass_teaches_nothing() -> None:
    fails = ("command", "pytest -q", "E   AssertionError: assert 3 == 4\n1 failed in 0.1s")
    assert (
        lessons_in(session(fails, ("edit", "a.py"), fails, ("edit", "a.py"), ("command", "pytest -q"))) == []
    )


def test_s4_73_what_never_worked_is_a_dead_end() -> None:
    fails = ("command", "make wheel", "fatal error: Python.h: No such file or directory")
    assert lessons_in(session(fails, fails)) == []
    text = "fatal error: Python.h: No such file or directory"
    assert lessons_in(session(fails, fails, fails, failed=True)) == [
        ("gotcha", f"Dead end: `make wheel` kept failing with “{text}” and was not solved in that session")
    ]


def test_a_command_that_was_found_by_trial_is_a_convention() -> None:
    log = session(
        ("command", "pytest", "bash: pytest: command not found"),
        ("command", "python -m pytest", "/usr/bin/python: No module named pytest"),
        ("command", "uv run pytest -q"),
        ("command", "python x.py", "bash: python: command not found"),
        ("command", "python3 x.py"),
    )
    assert lessons_in(log) == [
        (
            "convention",
            "The tests run with `uv run pytest`; `python -m pytest` fails: No module named pytest",
        ),
        ("environment_quirk", "Here it is `python3`; `python` fails: command not found"),
    ]


NO_BROWSER = ("command", "npm test", "Error: cannot find module 'dom'")
OTHER_CALL = ("command", "NODE_PATH=lib npm test")


@each(
    "steps, is_kept",
    [
        ([], True),
        ([("edit", "package.json"), ("command", "npm test")], False),
        ([("edit", "package.json"), ("command", "npm test --silent")], False),
        ([("command", "NODE_PATH=lib npm test")], True),
        ([("command", "npm run lint")], True),
        ([("command", "export NODE_PATH=lib && npm test")], True),
        ([("edit", "package.json"), ("command", "npm test"), NO_BROWSER, OTHER_CALL], True),
    ],
)
def test_what_fails_only_until_it_is_fixed_is_no_trap(steps: list[Any], is_kept: bool) -> None:
    trap = "`npm test` fails with “Error: cannot find module 'dom'”; `NODE_PATH=lib npm test` works"
    kept = [text for _, text in lessons_in(session(NO_BROWSER, OTHER_CALL, *steps), "error_retry")]
    assert (trap in kept) is is_kept


@each(
    "steps",
    [
        [("command", "npm test 2>&1 | head -20")],
        [("command", "npm test || echo broken")],
        [("command", "npm test; true")],
        [("command", "npm test &")],
        [("command", "export NODE_PATH=lib"), ("command", "npm test")],
        [("command", "NODE_PATH=lib"), ("command", "npm test")],
        [("command", "source ./dev.env"), ("edit", "package.json"), ("command", "npm test")],
        [("command", "cd ../api"), ("command", "npm test")],
        [("command", "cd web && npm test")],
    ],
)
def test_a_run_that_proves_nothing_refutes_no_trap(steps: list[Any]) -> None:
    trap = "`npm test` fails with “Error: cannot find module 'dom'”; `NODE_PATH=lib npm test` works"
    log = session(NO_BROWSER, OTHER_CALL, OTHER_CALL, *steps)
    assert trap in [text for _, text in lessons_in(log, "error_retry")]


def test_an_error_of_a_run_that_says_to_have_worked_refutes_no_trap() -> None:
    def is_kept(error: str) -> bool:
        runs = [
            {"command": "make check", "exit": 2, "error": "Error: no port for the broker"},
            {"command": "PORT=1 make check", "exit": 0},
            {"command": "make check", "exit": 0, "error": error},
        ]
        events: list[dict[str, Any]] = [
            {"type": "session", "id": "s"},
            *({"type": "command", **run} for run in runs),
        ]
        log = worklog.read(events)
        assert worklog.read(worklog.events_of(log)).steps == log.steps
        return lessons_in(log, "error_retry") != []

    assert is_kept("3 targets\nError: no port for the broker")
    assert not is_kept("3 targets")


def test_v_is_an_option_of_its_own_for_most_programs() -> None:
    steps: list[Any] = [
        ("command", "docker run img", "Error: no such option of the volume"),
        ("command", "A=1 docker run img"), ("command", "docker run -v img"),
    ]  # fmt: skip
    assert lessons_in(session(*steps), "error_retry") != []


def test_a_command_that_could_not_start_and_does_later_is_no_convention() -> None:
    tried: list[tuple[str, str] | tuple[str, str, str]] = [
        ("command", "cd api && tox", "bash: tox: command not found"),
        ("command", "uvx tox"),
    ]
    assert lessons_in(session(*tried, ("edit", "flake.nix"), ("command", "cd api && tox --parallel"))) == []
    assert lessons_in(session(*tried, ("command", "cd web && tox"))) != []


def test_another_call_is_proved_by_runs_of_the_same_call() -> None:
    def is_proved(*steps: tuple[str, str]) -> bool:
        (one,) = candidates_in(session(NO_BROWSER, OTHER_CALL, *steps), BUILD)[0]
        return one.is_proved

    assert not is_proved(("command", "CI=1 npm test"))
    assert is_proved(OTHER_CALL)


def test_s4_73_the_same_search_three_times_is_a_discovery() -> None:
    ask = ("search", "session_timeout")
    read = ("read", "src/auth/config.py")
    log = session(ask, ("read", "src/app.py"), ("search", "'SESSION_TIMEOUT'"), read, ask, read)
    (one,) = candidates_in(log, BUILD)[0]
    assert (one.kind, one.text) == (
        "codebase_discovery",
        "Searches for `session_timeout` led to src/auth/config.py",
    )
    assert (one.steps, one.files) == ((1, 3, 5), ("src/auth/config.py",))
    assert lessons_in(session(ask, read, ask, read)) == []
    assert lessons_in(session(ask, ask, ask)) == []


def test_s4_73_files_that_are_used_together_at_three_places_are_related() -> None:
    pair = [("edit", "api.py"), ("edit", "schema.py")]
    gap = [("command", "git status")] * 6
    assert lessons_in(session(*pair, *gap, *pair, *gap, *pair)) == [
        ("dependency_relation", "api.py and schema.py are changed together")
    ]
    reads = [("edit", "api.py"), ("read", "schema.py")]
    assert lessons_in(session(*reads, *gap, *reads, *gap, *reads)) == [
        ("codebase_discovery", "api.py and schema.py are used together")
    ]
    assert lessons_in(session(*pair, *gap, *pair)) == []
    assert lessons_in(session(*[(act, path) for act, path in reads if act == "read"] * 9)) == []
    apart = [("edit", "api.py"), *gap, ("edit", "schema.py"), *gap]
    assert lessons_in(session(*apart * 4)) == []


def test_a_task_that_was_done_is_an_outcome() -> None:
    log = session(("user", "Add a field"), ("edit", "a.py"), ("edit", "b.py"), is_complete=True)
    assert lessons_in(log) == [("task_outcome", "Done: Add a field (changed a.py, b.py)")]
    assert lessons_in(session(("user", "Add a field"), ("edit", "a.py"))) == []


# a whole session


def test_s4_73_a_session_type_bounds_what_is_left_best_first() -> None:
    caps = {name: one.cap for name, one in SESSION_TYPES.items()}
    assert caps == {
        "build": 20, "pr_review": 8, "insights": 5, "roadmap": 3, "ideation": 3, "terminal": 3, "spec": 3,
        "changelog": 0,
    }  # fmt: skip
    told = [("user", f"Always run step_{n} before you commit") for n in range(25)]
    log = session(("read", "a.py"), ("assistant", "Actually, `x.py` is not used any more."), *told)
    for name, cap in caps.items():
        kept, left_out = candidates_in(log, session_type_named(name))
        assert (len(kept), left_out) == (cap, 26 - cap)
        assert all(one.kind == "human_feedback" for one in kept)
    with pytest.raises(InvalidInput, match="no session type 'weekend'"):
        session_type_named("weekend")


def test_s4_73_a_failed_session_keeps_dead_ends_only() -> None:
    whole = worklog.read(EVENTS)
    assert len({one.rule for one in candidates_in(whole, BUILD)[0]}) == 8
    failed = SessionLog(whole.id, whole.steps, failed=True)
    assert lessons_in(failed) == [
        (
            "gotcha",
            "Dead end: I patched the proxy. This approach doesn't work because nginx strips the header.",
        )
    ]


def test_s4_45_what_web_content_came_before_is_known() -> None:
    log = worklog.read(EVENTS)
    web = web_from(log)
    after = {one.rule: is_after_web(one, web) for one in candidates_in(log, BUILD)[0]}
    assert after["user_correction"] is False
    assert after["co_access"] is True
    assert web_from(session(("command", "curl https://example.com"))) == 1
    assert web_from(session(("command", "curl http://localhost:80"), ("read", "a"))) is None


def test_s4_43_a_session_is_told_in_three_to_five_bullets() -> None:
    log = worklog.read(EVENTS)
    lessons = [(one.kind, one.text) for one in candidates_in(log, BUILD)[0]]
    told = bullets_of(log, lessons)
    assert len(told) == BULLETS_MAX
    assert told[:2] == (
        "You said: Use the settings object instead of reading os.environ.",
        "Convention: The tests run with `uv run pytest`; `pytest` fails: command not found",
    )
    assert bullets_of(log, []) == (
        "Worked with 3 files, most of all in src/auth",
        "Ran 5 commands, 3 of them failed",
        "Searched the code 3 times",
    )
    assert bullets_of(SessionLog("s", ()), []) == ()


TEXTS = st.text(max_size=60) | st.sampled_from(
    [text for phrase, _ in BOTH for text in (*phrase.yes, *phrase.no)] + list(RUNS) + list(ERRORS)
)
STEPS = st.lists(st.tuples(st.sampled_from(Act), TEXTS, st.booleans(), TEXTS), max_size=40)


@given(STEPS, st.booleans(), st.sampled_from(sorted(SESSION_TYPES)))
def test_s4_73_whatever_happened_gives_a_bounded_list_with_evidence(
    given_: list[tuple[Act, str, bool, str]], failed: bool, name: str
) -> None:
    """Candidates have kinds that exist, steps that exist, texts that fit, and no two say the same; the same
    log gives the same again, and a longer cap only adds."""
    log = SessionLog("s", tuple(Step(n, *one) for n, one in enumerate(given_, 1)), failed=failed)
    type_ = session_type_named(name)
    kept, left_out = candidates_in(log, type_)
    everything, _ = candidates_in(log, BUILD)
    assert candidates_in(log, type_) == (kept, left_out)
    assert len(kept) <= type_.cap
    assert kept == everything[: len(kept)]
    assert max(Counter((one.kind, one.text) for one in kept).values(), default=1) == 1
    for one in kept:
        assert one.kind in KINDS
        assert 0 < len(one.text) <= 2_048
        assert 0 < one.confidence <= 0.9
        assert set(one.steps) <= {step.number for step in log.steps}
        assert not failed or one.dead_end
    told = bullets_of(log, [(one.kind, one.text) for one in kept])
    assert min(len(kept), BULLETS_MIN) <= len(told) <= BULLETS_MAX


def test_a_candidate_is_surer_where_the_session_shows_it_again() -> None:
    log = session(("read", "a"), *[("user", "Always run `make lint` before you commit")] * 3)
    (one,) = candidates_in(log, BUILD)[0]
    assert isinstance(one, WorkCandidate)
    assert (one.confidence, one.steps) == (0.9, (2, 3, 4))


OPENING = {
    "Add refunds. Two things you need to know: money is always integer cents, times are UTC": (
        "Money is always integer cents, times are UTC"
    ),
    "In this codebase flags are checked in the route, never in a service. So move that call up.": (
        "In this codebase flags are checked in the route, never in a service."
    ),
    "stop explaining every line to me": "Stop explaining every line to me",
    "Keep support for 3.9? no, 3.11 is the minimum now": "Keep support for 3.9? 3.11 is the minimum now",
    "Third time you edited src/gen! It is generated, change `api.yaml` and run make gen": (
        "Third time you edited src/gen! It is generated, change `api.yaml` and run make gen."
    ),
    "los textos no van en el código, van en locales/es.json": (
        "Los textos no van en el código, van en locales/es.json"
    ),
    **dict.fromkeys((
        'Support says: "You should always set the timeout to 60 seconds." Is that so?',
        "At my last company we never wrote tests in the same package",
        "Write a function that always returns null and never throws",
        "In this repo, find all callers of parse and rename them",
        "just this one time you can push to main directly", "for this demo we only use fixed colours",
        "Their guide says: always use a controller for pods in the whole project",
        "Make the rows clickable. They should never open in a new tab.",
    )),
}  # fmt: skip


def test_the_message_that_opens_a_session_teaches_only_rules_beyond_its_task() -> None:
    """A quotation, another project, a property of what is to be written, and an exception are none."""
    assert {
        said: next((text for _, text in lessons_in(session(("user", said)))), None) for said in OPENING
    } == OPENING


def test_the_answer_to_a_question_is_kept_with_what_it_chose() -> None:
    log = session(
        ("edit", "a.ts"), ("assistant", "Both zod and yup are there. Which one should I use?"),
        ("user", "zod. yup is only still there for the old admin forms"),
    )  # fmt: skip
    assert lessons_in(log) == [("human_feedback", "Zod. yup is only still there for the old admin forms.")]


def test_a_slip_of_the_fingers_teaches_nothing() -> None:
    log = session(("command", "git psuh", "git: 'psuh' is not a git command."), ("command", "git push"))
    assert lessons_in(log) == []


def test_what_is_corrected_is_about_the_file_that_is_changed_in_place_of_the_one_before() -> None:
    rule = ("user", "no, prices are in cents")
    for changes, files in (
        (("a.py",), ("a.py",)),
        (("b.py",), ("b.py", "a.py")),
        (("b.py", "a.py"), ("a.py",)),
    ):
        log = session(("edit", "a.py"), rule, *(("edit", path) for path in changes))
        assert candidates_in(log, BUILD)[0][0].files == files


def test_what_is_corrected_after_a_turn_of_commands_is_about_no_file() -> None:
    rule, ask = ("user", "no, don't seed it from production"), ("user", "fill the database please")
    for before, files in (
        ([("command", "make seed")], ()),
        ([("edit", "b.py"), ask, ("command", "make seed")], ()),
        ([("read", "a.py"), ("command", "make seed")], ("a.py",)),
        ([("edit", "a.py"), ask, ("command", "make lint"), ("command", "git diff")], ("a.py",)),
        ([("edit", "a.py"), ask, ("command", "make seed")], ("a.py",)),
        ([("edit", "b.py"), ask, ("command", "cargo test --all")], ("a.py", "b.py")),
    ):
        log = session(*before, rule, ("edit", "a.py"))
        (one,) = [one for one in candidates_in(log, BUILD)[0] if one.rule == "user_correction"]
        assert one.files == files
