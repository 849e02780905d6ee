"""The store contract, learning from work: candidates in review, once, without secrets, and past no person."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from holdfast import InvalidInput, Memory, Outcome
from holdfast.api.memory import Memory as Face
from holdfast.core.errors import AccessDenied
from holdfast.core.module_map import Confidence, Module, ModuleMap
from holdfast.core.places import Principal
from holdfast.core.record import Origin, Status
from holdfast.features.access.access import Grant
from holdfast.features.access.keys import service_for
from holdfast.features.learning.rules.log import SESSION_TYPES
from holdfast.features.modulemap.findings import Scan
from holdfast.features.modulemap.module_maps import get_map, put_scan
from holdfast.stores.base.ports import Store
from tests.support import memory_on
from tests.unit.work_samples import EVENTS, TRANSCRIPT, as_lines

RULE = "Don't edit the generated files in src/gen"


def corrected(*texts: str, **start: Any) -> list[dict[str, Any]]:
    """A short session in which the user says something about the work."""
    head = [{"type": "session", "id": "s-9", **start}, {"type": "read", "path": "a.py"}]
    return [*head, *({"type": "user", "text": text} for text in texts)]


def learned_texts(memory: Memory, **where: Any) -> list[str]:
    """The texts of what was learned, in any state."""
    page = memory.list(project="shop", tags=["learned"], include=["pending", "rejected"], limit=200, **where)
    return [record.text for record in page.memories]


def test_s4_42_a_session_becomes_candidates_with_their_evidence(memory: Memory) -> None:
    """What a person said to correct the work is known at once, all else waits."""
    learned = memory.learn(EVENTS, project="shop")
    assert (learned.session, learned.steps, learned.files, learned.left_out) == ("s-1", 23, 3, 0)
    assert len(learned.lessons) == 9
    assert [lesson.outcome for lesson in learned.lessons] == [Outcome.CREATED, *[Outcome.PENDING] * 8]
    first = learned.lessons[0]
    assert first.memory is not None
    record = memory.get(first.memory)
    assert (record.kind, record.project) == ("human_feedback", "shop")
    assert record.text == "Use the settings object instead of reading os.environ."
    assert (record.origin, record.confidence, record.tags) == (Origin.EXTRACTION, 0.85, ("learned",))
    assert (record.created_by, record.visibility) == ("agent:learning@ana", "project")
    assert record.place.branch is None, "what holds on the main branch holds on all"
    assert record.evidence == {
        "rule": "user_correction", "reason": "the user corrected the assistant", "session": "s-1",
        "session_type": "build", "steps": [15],
        "quote": "use the settings object instead of reading os.environ. Thanks!",
        **({"worked_on": record.evidence["worked_on"]} if "worked_on" in record.evidence else {}),
    }  # fmt: skip
    assert record.title is None
    assert [hit.memory.id for hit in memory.recall("settings object", project="shop")] == [first.memory]


def test_a_lesson_is_said_in_its_own_words_and_about_no_file_it_has_nothing_to_do_with(
    memory: Memory,
) -> None:
    log = [
        {"type": "session", "id": "s-8"},
        {"type": "user", "text": "Please fix the failing billing test"},
        {"type": "edit", "path": "src/billing.py"},
        {"type": "user", "text": "Never use floats for money"},
        {"type": "edit", "path": "src/billing.py"},
        {"type": "user", "text": "The sidebar looks fine on my own phone now. We use Postgres 16."},
        {"type": "edit", "path": "src/web/sidebar.ts"},
        {"type": "user", "text": "benutze immer pnpm statt npm"},
    ]
    memory.learn(log, project="shop")
    records = {
        record.text.rstrip("."): record for record in memory.list(project="shop", tags=["learned"]).memories
    }
    assert records.keys() == {
        "Never use floats for money",
        "We use Postgres 16",
        "Benutze immer pnpm statt npm",
    }
    assert [record.title for record in records.values()] == [None] * 3
    assert records["We use Postgres 16"].about_files == ()
    assert records["Benutze immer pnpm statt npm"].about_files == ()
    text = memory.context("store money as floats or integers?", project="shop").text
    assert "Please fix" not in text
    assert "Never use floats for money" in text


def rules_after(memory: Memory, *texts: str, **start: Any) -> list[str]:
    """Returns the approved rules after a session for each text, in which nothing else happens."""
    for number, text in enumerate(texts):
        log = [{"type": "session", "id": f"s-{number}", **start}, {"type": "user", "text": text}]
        memory.learn(log, project="shop")
    return [record.text for record in memory.list(project="shop", tags=["learned"], limit=50).memories]


@pytest.mark.parametrize(
    "text",
    [
        "Also from now on we use pathlib everywhere in packages/api, no os.path any more",
        "We have changed our mind about tabs in packages/api: from now on we indent by four spaces there",
        "Wir haben es uns anders überlegt: ab jetzt nehmen wir msgspec statt pydantic",
        "We switched from JWT to server sessions",
    ],
)
def test_a_rule_that_is_announced_enters_even_in_the_first_message(memory: Memory, text: str) -> None:
    assert [one.casefold() for one in rules_after(memory, text)] == [text.removeprefix("Also ").casefold()]


def test_the_first_message_is_a_task_and_what_it_says_of_it_no_rule(memory: Memory) -> None:
    assert rules_after(memory, "Add a flag for colours. Don't touch the parser. We use argparse here.") == []


def test_what_a_person_decides_on_in_a_conversation_enters_at_once(memory: Memory) -> None:
    choice = "Let's go with msgspec instead of pydantic for the config, it starts four times faster"
    place = "In the web package we write tests with vitest, not with node:test"
    memory.learn(corrected(choice, place), project="shop")
    found = {record.text: record for record in memory.list(project="shop", tags=["learned"]).memories}
    assert found.keys() == {choice, place}
    assert found[choice].kind == "decision"


def test_a_rule_that_is_changed_is_given_no_longer(memory: Memory) -> None:
    """In another session, and however the change is worded."""
    old = "From now on we use pathlib everywhere in packages/api, no os.path any more"
    new = "We have changed our mind about pathlib in packages/api: from now on we use anyio.Path there"
    edit = {"type": "edit", "path": "packages/api/src/formatting.py"}
    for number, text in enumerate((old, new)):
        log = [{"type": "session", "id": f"s-{number}"}, edit, {"type": "user", "text": text}]
        memory.learn(log, project="shop")
    context = memory.agents.event("start", project="shop", session="next")
    lines = [entry.line for entry in context.entries]
    assert len(lines) == 1
    assert new in lines[0]
    assert [one.reason for one in context.left_out] == ["contradicted"]


def short_reply(memory: Memory, reply: str, before: str, after: str | None) -> list[str]:
    """Returns what a reply to a command teaches, with the command that follows."""
    log: list[dict[str, Any]] = [
        {"type": "session", "id": f"s-{reply}"}, {"type": "user", "text": "add a mock"},
        {"type": "command", "command": before, "exit": 0}, {"type": "user", "text": reply},
        *([{"type": "command", "command": after, "exit": 0}] if after else []),
    ]  # fmt: skip
    return [lesson.candidate.text for lesson in memory.learn(log, project="shop").lessons]


def test_a_short_reply_that_names_another_command_is_a_rule(memory: Memory) -> None:
    """The commands of the turns before and after it show that it is one."""
    install = "npm install sinon"
    assert short_reply(memory, "nope, pnpm", install, "pnpm add -D sinon") == ["Use `pnpm`, not `npm`"]
    assert short_reply(memory, "no, yarn!", install, None) == ["Use `yarn`, not `npm`"]
    assert short_reply(memory, "no, uv", "pip install rich", "uv pip install rich") == ["Use `uv`, not `pip`"]
    text = "Tests run with `make quick`, not pytest directly"
    assert short_reply(memory, text, "python -m pytest tests", None) == [text]
    assert short_reply(memory, "nein, ruff", "black .", "ruff format .") == ["Use `ruff`, not `black`"]
    assert short_reply(memory, "borp, not jest", "npx jest a.js", None) == ["Use `borp`, not `jest`"]
    assert short_reply(memory, "no, make check", "pytest", "make check") == ["Use `make check`, not `pytest`"]
    others = {
        "no thanks": "npm test", "nope, lodash": "npm install lodash", "stop": None,
        "wait, git status": "git status", "no, docker": "docker run node npm install sinon",
    }  # fmt: skip
    for reply, after in others.items():
        assert short_reply(memory, reply, install, after) == []
    rules = memory.list(project="shop", tags=["learned"]).memories
    assert {(rule.status, rule.about_file) for rule in rules} == {("approved", None)}


@pytest.mark.parametrize(
    ("first", "then", "asked"),
    [
        ("no, use yarn here, not npm", "we moved to pnpm last night", "which yarn command adds a package?"),
        ("we log with winston", "Use pino from now on, not winston", "write a winston transport for errors"),
        (
            "Wir testen mit jest",
            "wir nutzen jest nicht mehr, nur noch vitest",
            "jest findet meinen Test nicht",
        ),
    ],
)
def test_who_asks_in_the_words_of_an_old_rule_gets_the_new_one(
    memory: Memory, first: str, then: str, asked: str
) -> None:
    """At a prompt as well, where the new one alone would not fit the words."""
    for number, text in enumerate((first, then)):
        log = [
            {"type": "session", "id": f"s-{number}"}, {"type": "edit", "path": "lib/a.js"},
            {"type": "user", "text": text, "at": f"2025-01-0{number + 1}T09:00:00Z"},
        ]  # fmt: skip
        memory.learn(log, project="shop")
    assert len(memory.list(project="shop", tags=["learned"]).memories) == 2
    for name, prompt in (("prompt", asked), ("start", None)):
        context = memory.agents.event(name, prompt=prompt, project="shop", session=f"at-{name}")
        lines = [entry.line.casefold() for entry in context.entries]
        assert len(lines) == 1 or (not lines and name == "prompt")
        assert all(line.startswith(then.casefold()) for line in lines)


def test_a_session_is_not_given_what_it_taught_until_it_starts_anew(memory: Memory) -> None:
    """It has it in its own words, and another one has not; what it ended is not given instead."""
    for session, text in (("s-1", "no, use yarn here, not npm"), ("s-2", "we moved to pnpm last night")):
        edit = {"type": "edit", "path": "lib/a.js", "at": f"2025-01-0{session[-1]}T09:00:00Z"}
        log = [{"type": "session", "id": session}, edit, {"type": "user", "text": text, "at": edit["at"]}]
        memory.learn(log, project="shop")
    ask = "do we use pnpm or yarn or npm here?"
    here: dict[str, Any] = {"project": "shop", "session": "s-2"}
    assert not memory.agents.event("prompt", prompt=ask, **here).entries
    assert not memory.agents.event("file", files=["lib/a.js"], **here).entries
    for session in ("s-2", "s-3"):
        (entry,) = memory.agents.event("start", project="shop", session=session).entries
        assert entry.line.startswith("We moved to pnpm")


def test_a_message_that_hands_over_a_secret_teaches_nothing(memory: Memory) -> None:
    said = "my staging key is sk-ant-api03-" + "Zm9vYmFy" * 10 + "-AbCdEfGhAA, never commit it"
    log = [{"type": "session", "id": "s-1"}, {"type": "edit", "path": "a.py"}, {"type": "user", "text": said}]
    learned = memory.learn(log, project="shop")
    assert learned.lessons == ()


def test_what_prepares_a_command_is_not_taken_for_another_way_to_call_it(memory: Memory) -> None:
    error = "ConnectionRefusedError: [Errno 111] connect call failed"
    log: list[dict[str, Any]] = [
        {"type": "session", "id": "s-1"},
        {"type": "command", "command": "make check", "exit": 1, "error": error},
        {"type": "command", "command": "make db", "exit": 0},
        {"type": "command", "command": "make check", "exit": 0},
    ]
    (lesson,) = memory.learn(log, project="shop").lessons
    assert lesson.candidate.text == f"`make check` fails with “{error}” until `make db` has run"


def test_a_folder_that_is_not_there_is_no_error_of_the_command(memory: Memory) -> None:
    error = "/bin/bash: line 1: cd: packages/api: No such file or directory"
    log: list[dict[str, Any]] = [
        {"type": "session", "id": "s-1"},
        *[{"type": "command", "command": "cd packages/api && make check", "exit": 1, "error": error}] * 2,
        {"type": "edit", "path": "a.py"},
        {"type": "command", "command": "make check", "exit": 0},
    ]
    assert memory.learn(log, project="shop").lessons == ()


def test_s4_32_a_lesson_about_files_names_them(memory: Memory) -> None:
    learned = memory.learn(EVENTS, project="shop")
    one = next(lesson for lesson in learned.lessons if lesson.candidate.rule == "co_access")
    assert one.memory is not None
    assert memory.get(one.memory).metadata == {
        "file": "src/auth/config.py",
        "files": ["src/auth/config.py", "src/auth/middleware.py"],
    }


def test_s4_73_the_same_log_again_adds_nothing(memory: Memory) -> None:
    first = memory.learn(EVENTS, project="shop")
    before = learned_texts(memory)
    again = memory.learn(as_lines(EVENTS), project="shop")
    assert {lesson.outcome for lesson in again.lessons} == {Outcome.DUPLICATE}
    assert [lesson.memory for lesson in again.lessons] == [lesson.memory for lesson in first.lessons]
    assert again.bullets == first.bullets
    longer = [*EVENTS[:-1], {"type": "user", "text": RULE}, EVENTS[-1]]
    news = memory.learn(longer, project="shop")
    assert [lesson.candidate.text for lesson in news.lessons if lesson.outcome is Outcome.PENDING] == [RULE]
    assert sorted(learned_texts(memory)) == sorted([*before, RULE])


def test_what_a_person_decided_stands_when_the_log_is_read_again(memory: Memory) -> None:
    texts = [f"Always run step_{name} before you commit" for name in ("one", "two", "three", "four")]
    ids = [lesson.memory for lesson in memory.learn(corrected(*texts), project="shop").lessons]
    assert all(ids)
    memory.forget(str(ids[0]))
    memory.review.reject(str(ids[1]))
    memory.review.edit(str(ids[3]), text="Always run step_four before a commit")
    again = memory.learn(corrected(*texts), project="shop")
    assert [lesson.candidate.text for lesson in again.lessons] == texts[1:]
    assert {lesson.outcome for lesson in again.lessons} <= {Outcome.DUPLICATE, Outcome.REFUSED}
    assert sorted(learned_texts(memory)) == sorted([*texts[1:3], "Always run step_four before a commit"])
    assert memory.get(str(ids[1])).status is Status.REJECTED
    assert memory.get(str(ids[2])).status is Status.APPROVED


def test_s4_45_what_follows_web_content_is_trusted_less(memory: Memory) -> None:
    learned = memory.learn(EVENTS, project="shop")
    after = {lesson.candidate.rule: lesson for lesson in learned.lessons}["co_access"]
    assert after.after_web
    record = memory.get(str(after.memory))
    assert (record.origin, record.status) == (Origin.WEB, Status.PENDING)
    assert record.confidence == pytest.approx(0.5 * 0.7)
    quiet = [one for one in EVENTS if one["type"] != "web_search"]
    assert not any(lesson.after_web for lesson in memory.learn(quiet, project="barn").lessons)


def test_s4_73_a_failed_session_keeps_dead_ends_only(memory: Memory) -> None:
    learned = memory.learn(EVENTS, project="shop", failed=True)
    assert learned.failed
    assert [lesson.candidate.text for lesson in learned.lessons] == [
        "Dead end: I patched the proxy. This approach doesn't work because nginx strips the header."
    ]
    ended = [*EVENTS[:-1], {"type": "end", "outcome": "failed"}]
    assert len(memory.learn(ended, project="barn").lessons) == 1


@pytest.mark.parametrize("name", SESSION_TYPES)
def test_s4_73_a_session_type_bounds_what_is_kept(memory: Memory, name: str) -> None:
    texts = [f"Always run step_{n} before you commit" for n in range(22)]
    learned = memory.learn(corrected(*texts), project="shop", session_type=name)
    cap = SESSION_TYPES[name].cap
    assert (len(learned.lessons), learned.left_out) == (cap, 22 - cap)
    assert len(learned_texts(memory)) == cap


@pytest.mark.parametrize("name", ["insights", "roadmap", "pr_review", "ideation"])
def test_s4_44_a_runner_writes_in_its_own_name(memory: Memory, store: Store, name: str) -> None:
    learned = memory.learn(corrected(RULE), project="shop", session_type=name)
    assert memory.get(str(learned.lessons[0].memory)).created_by == f"runner:{name}@ana"
    runner = memory_on(store, agent=f"runner:{name}")
    stored = runner.remember("The queue grows on Mondays", kind="session_insight", project="shop").memory
    assert stored is not None
    assert stored.created_by == f"runner:{name}@ana"
    coder = memory_on(store, agent="coder").learn(corrected("Always pin `numpy` in CI"), project="shop")
    assert memory.get(str(coder.lessons[0].memory)).created_by == "agent:coder@ana"


def test_s4_43_the_session_is_told_in_bullets(memory: Memory) -> None:
    assert len(memory.learn(EVENTS, project="shop").bullets) == 5
    assert memory.learn(TRANSCRIPT, project="shop", dry_run=True).bullets == (
        f"You said: {RULE}",
        'Convention: The tests run with `npm run test:unit`; `npm test` fails: Missing script: "test"',
        "Worked with 2 files",
    )


def test_s4_20_secrets_of_a_log_reach_nothing(memory: Memory) -> None:
    secret = "sk_live_" + "a1B2" * 8
    fails = {"type": "command", "command": "make dev", "exit": 1, "error": f"Error: bad key {secret} given"}
    log: list[dict[str, Any]] = [
        {"type": "session", "id": f"s-{secret}"},
        {"type": "read", "path": "a.py"},
        fails,
        fails,
        {"type": "command", "command": f"export STRIPE_KEY={secret}", "exit": 0},
        {"type": "command", "command": "make dev", "exit": 0},
        {
            "type": "user",
            "text": f"Always use the key {secret} in tests. <private>Never tell Bob about it</private>",
        },
    ]
    learned = memory.learn(log, project="shop")
    told = str(learned.as_dict()) + "".join(str(memory.get(str(lesson.memory))) for lesson in learned.lessons)
    told += str([event.as_dict() for event in memory.audit.list(limit=None)])
    assert len(learned.lessons) == 2
    assert "REDACTED" in told
    assert secret not in told
    assert "Bob" not in told


def test_a_rehearsal_keeps_nothing(memory: Memory) -> None:
    learned = memory.learn(EVENTS, project="shop", dry_run=True)
    assert len(learned.lessons) == 9
    assert {lesson.memory for lesson in learned.lessons} == {None}
    assert learned_texts(memory) == []
    assert memory.audit.list(limit=None) == []


def test_the_chain_tells_counts_and_no_words(memory: Memory) -> None:
    memory.learn(EVENTS, project="shop")
    event = next(one for one in memory.audit.list(limit=None) if one.action == "learn")
    assert event.detail == {"steps": 23, "files": 3, "candidates": 9, "failed": False}
    assert (event.actor, event.subject) == ("agent:learning@ana", None)


def test_s4_31_a_lesson_of_a_branch_is_not_seen_from_another(memory: Memory) -> None:
    learned = memory.learn(corrected(RULE, branch="fix/a"), project="shop")
    assert learned.lessons[0].outcome is Outcome.CREATED
    assert memory.recall("generated files", project="shop", branch="fix/a")
    assert not memory.recall("generated files", project="shop", branch="fix/b")


def test_a_key_of_one_project_learns_there_and_nowhere_else(memory: Memory, store: Store) -> None:
    memory.projects.create("shop")
    memory.projects.create("barn")
    grant = Grant(Principal("ana"), projects=frozenset({"shop"}))
    scoped = Face.over(service_for(memory._service, grant))
    assert scoped.learn(corrected(RULE), project="shop").lessons[0].outcome is Outcome.CREATED
    with pytest.raises(AccessDenied):
        scoped.learn(corrected(RULE), project="barn")


def test_a_log_that_teaches_nothing_tells_a_limited_key_nothing_of_other_projects(memory: Memory) -> None:
    """A project elsewhere and a missing one answer alike; nothing is kept but an event with counts."""
    put_scan(memory._service, "barn", Scan(ModuleMap("barn", {"a": Module("a", core_files=("a.py",))})))
    memory.projects.create("shop")
    before, events = (get_map(memory._service, "barn"), memory.count(project="barn")), memory.audit.list()
    grant = Grant(Principal("ana"), projects=frozenset({"shop"}))
    scoped = Face.over(service_for(memory._service, grant))
    log = '{"type": "user", "text": "Look at it"}\n{"type": "edit", "path": "a.py"}\n'
    answers = [scoped.learn(log, project=name).as_dict() for name in ("barn", "nowhere")]
    assert answers[0] == answers[1]
    assert (answers[0]["lessons"], answers[0]["mapped"]) == ([], [])
    assert (get_map(memory._service, "barn"), memory.count(project="barn")) == before
    new = [one for one in memory.audit.list() if one not in events]
    assert [(one.action, one.subject) for one in new] == [("learn", None)] * 2
    assert all(not isinstance(value, str) for one in new for value in one.detail.values())
    assert "nowhere" not in [project.name for project in memory.projects.list()]


def test_what_cannot_be_used_is_refused_before_anything_is_kept(memory: Memory, tmp_path: Path) -> None:
    wrong: list[dict[str, Any]] = [
        {"session_type": "weekend"}, {"failed": "yes"}, {"dry_run": 1}, {"project": "*"}, {"project": ""},
        {"project": None}, {"log": "no log"}, {"log": tmp_path / "none"},
    ]  # fmt: skip
    for given in wrong:
        with pytest.raises(InvalidInput):
            memory.learn(**{"log": corrected(RULE), "project": "shop", **given})
    assert learned_texts(memory) == []


def test_s4_8_the_files_of_a_session_reach_the_module_map_once(memory: Memory) -> None:
    auth = Module("auth", core_files=("src/auth/config.py",), folders=("src/auth",))
    api = Module("api", core_files=("web/api.py",), folders=("web",))
    put_scan(memory._service, "shop", Scan(ModuleMap("shop", {"auth": auth, "api": api})))
    assert memory.learn(EVENTS, project="shop", dry_run=True).mapped == ()
    assert memory.learn(EVENTS, project="shop").mapped == ("auth",)
    whole = get_map(memory._service, "shop")
    assert whole.modules["auth"].confidence is Confidence.PARTIAL
    assert whole.modules["api"].confidence is Confidence.SHALLOW
    assert "src/auth/middleware.py" in whole.modules["auth"].files  # newly seen, beside what was there
    assert memory.learn(EVENTS, project="shop").mapped == ()
    assert get_map(memory._service, "shop") == whole  # the same session tells nothing twice


def test_s4_9_several_sessions_make_a_module_mapped(memory: Memory) -> None:
    auth = Module("auth", core_files=("src/auth/config.py",), folders=("src/auth",))
    put_scan(memory._service, "shop", Scan(ModuleMap("shop", {"auth": auth})))
    surer = []
    for number in range(4):
        log = [{"type": "session", "id": f"s-{number}"}, {"type": "edit", "path": "src/auth/config.py"}]
        surer.append(memory.learn(log, project="shop").mapped)
    assert surer == [("auth",), (), ("auth",), ()]
    assert get_map(memory._service, "shop").modules["auth"].confidence is Confidence.MAPPED


def worked(name: str, *, reads: list[tuple[str, int]], changes: str | None) -> list[dict[str, Any]]:
    """The log of a session that searches, reads files of so many tokens, and changes one."""
    looks = [{"type": "read", "path": path, "tokens": size} for path, size in reads]
    change = [] if changes is None else [{"type": "edit", "path": changes}]
    head = {"type": "session", "id": name, "cwd": "/work/shop"}
    return [head, {"type": "search", "query": "cart", "tokens": 50}, *looks, *change]


def read_on(memory: Memory, path: Path, events: list[dict[str, Any]]) -> None:
    """A log that is read as it grows, after each of its events."""
    for number in range(1, len(events) + 1):
        path.write_text(as_lines(events[:number]), "utf-8")
        memory.learn(path, project="shop", resume=True)


def test_s4_60_tokens_before_the_first_right_file_are_counted_from_logs(
    memory: Memory, tmp_path: Path
) -> None:
    memory.remember("The cart is in src/cart.py", project="shop", visibility="project")
    assert memory.context("fix the cart", project="shop", session="helped").entries
    logs = {
        "alone": worked("alone", reads=[("a.py", 400), ("b.py", 300), ("c.py", 9)], changes="b.py"),
        "unread": worked("unread", reads=[("a.py", 70)], changes="new.py"),
        "helped": worked("helped", reads=[("src/cart.py", 900)], changes="src/cart.py"),
        "asked": worked("asked", reads=[("a.py", 5_000)], changes=None),
    }
    for name, events in logs.items():
        path = tmp_path / f"{name}.jsonl"
        path.write_text(as_lines(events) + "\n", "utf-8")
        memory.learn(path, project="shop", resume=True)
    found = memory.stats(project="shop").discovery
    assert found is not None
    assert (found.sessions_with, found.tokens_with) == (1, 50)
    assert (found.sessions_without, found.tokens_without) == (2, (50 + 400 + 120) / 2)
    assert memory.stats().discovery == found
    assert memory.stats(session="helped", project="shop").discovery is None
    memory.projects.create("other")
    other = memory.stats(project="other").discovery
    assert other is not None
    assert (other.sessions_with, other.sessions_without) == (0, 0)


def test_a_log_that_grows_counts_each_look_once(memory: Memory, tmp_path: Path) -> None:
    events = worked("s", reads=[("a.py", 400), ("b.py", 300)], changes="b.py")
    read_on(memory, tmp_path / "s.jsonl", [*events, *worked("s", reads=[("c.py", 9)], changes="c.py")[1:]])
    found = memory.stats(project="shop").discovery
    assert found is not None
    assert (found.sessions_without, found.tokens_without) == (1, 450)
    sources = memory.sources.list()
    assert not any("a.py" in str(source) for source in sources)


def test_discovery_is_seen_by_the_user_whose_logs_they_are(store: Store, tmp_path: Path) -> None:
    ana, ben = memory_on(store, user="ana"), memory_on(store, user="ben")
    path = tmp_path / "s.jsonl"
    path.write_text(as_lines(worked("s", reads=[("a.py", 400)], changes="a.py")) + "\n", "utf-8")
    ana.learn(path, project="shop", resume=True)
    assert ana.stats().discovery.sessions_without == 1  # type: ignore[union-attr]
    assert ben.stats().discovery.sessions_without == 0  # type: ignore[union-attr]


def test_what_a_user_takes_back_is_no_lesson_also_where_it_was_learned_before(
    memory: Memory, tmp_path: Path
) -> None:
    head = {"type": "session", "id": "s", "cwd": "/work/shop"}
    said = ["from now on use tabs in the python files", "hm wait, scratch that, leave it as it is"]
    path = tmp_path / "s.jsonl"
    read_on(memory, path, [head, *({"type": "user", "text": text} for text in said)])
    assert not memory.list(project="shop").memories
    again = [{**head, "id": "t"}, {"type": "user", "text": said[0]}]
    memory.learn(as_lines(again), project="shop")
    assert [record.text for record in memory.list(project="shop").memories] == [
        "From now on use tabs in the python files"
    ], "it was said again"
    whole = [{**head, "id": "u"}, *({"type": "user", "text": text} for text in said)]
    assert memory.learn(as_lines(whole), project="other").lessons == ()


def test_what_took_the_place_of_a_statement_by_a_person_stays_when_an_agent_learns_that_it_is_taken_back(
    store: Store, tmp_path: Path
) -> None:
    person, agent = memory_on(store), memory_on(store, agent="coder")
    place: dict[str, Any] = {"kind": "human_feedback", "project": "shop", "visibility": "project"}
    person.remember("From now on use spaces in the python files", **place)
    agent._service.learning_trust = "all"
    said = ["from now on use tabs in the python files", "hm wait, scratch that, leave it as it is"]
    head = {"type": "session", "id": "s", "cwd": "/work/shop"}
    read_on(agent, tmp_path / "s.jsonl", [head, *({"type": "user", "text": text} for text in said)])
    assert learned_texts(person) == ["From now on use tabs in the python files"]


def test_a_trap_is_forgotten_once_its_command_works(memory: Memory, tmp_path: Path) -> None:
    head: dict[str, Any] = {"type": "session", "id": "s", "cwd": "/work/shop"}
    fails: dict[str, Any] = {
        "command": "cargo test",
        "exit": 101,
        "error": "error: linker `mold` could not be found",
    }
    runs = [fails, {"command": "RUSTFLAGS= cargo test", "exit": 0}]
    trap = "`cargo test` fails with “error: linker `mold` could not be found”; `RUSTFLAGS= cargo test` works"
    events: list[dict[str, Any]] = [head, *({"type": "command", **run} for run in runs)]
    path = tmp_path / "s.jsonl"
    read_on(memory, path, events)
    assert learned_texts(memory) == [trap]
    fixed: list[dict[str, Any]] = [
        {"type": "edit", "path": ".cargo/config.toml"},
        {"type": "command", "command": "cargo test", "exit": 0},
    ]
    read_on(memory, path, [*events, *fixed])
    assert learned_texts(memory) == []
    memory.learn(as_lines([{**head, "id": "t"}, *events[1:]]), project="shop")
    assert learned_texts(memory) == [trap], "it fails again"


def test_a_trap_that_a_person_approved_is_not_forgotten(memory: Memory, tmp_path: Path) -> None:
    runs: list[dict[str, Any]] = [
        {"command": "go test ./...", "exit": 1, "error": "error: cgo is unable to find gcc"},
        {"command": "CGO_ENABLED=0 go test ./...", "exit": 0},
    ]
    events = [
        {"type": "session", "id": "s", "cwd": "/work/shop"},
        *({"type": "command", **run} for run in runs),
    ]
    path = tmp_path / "s.jsonl"
    read_on(memory, path, events)
    (trap,) = memory.list(project="shop", tags=["learned"], include=["pending"]).memories
    memory.review.approve(trap.id)
    works = {"type": "command", "command": "go test ./...", "exit": 0}
    read_on(memory, path, [*events, {"type": "edit", "path": "go.mod"}, works])
    assert learned_texts(memory) == [trap.text]


def test_a_rule_said_after_a_command_comes_with_every_task_of_the_project(memory: Memory) -> None:
    log: list[dict[str, Any]] = [
        {"type": "session", "id": "s-7"},
        {"type": "edit", "path": "src/rates.py"},
        {"type": "user", "text": "now fill the database"},
        {"type": "command", "command": "make seed", "exit": 0},
        {
            "type": "user",
            "text": "No, don't seed from production. Always round half even, never half up.",
        },
        {"type": "edit", "path": "Makefile"},
    ]
    memory.learn(log, project="shop")
    text = memory.context("the sidebar flickers on small screens", project="shop").text
    assert "seed from production" in text
    assert "round half even" in text
