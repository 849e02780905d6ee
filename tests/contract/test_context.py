"""The store contract: what an agent is told before a task, once for each session, and what that did."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from holdfast import HoldfastError, Memory
from holdfast.core.module_map import Confidence, Module, ModuleMap, TestFramework
from holdfast.core.usage import FILE_TOKENS, KEPT_DAYS, SEARCH_TOKENS
from holdfast.core.views import personal_view
from holdfast.stores.base.ports import Store
from tests.fakes import BrokenEmbedder, ManualClock
from tests.support import memory_on, texts

TASK = "users are logged out after five minutes: fix the auth token refresh"
AUTH = Module(
    "auth",
    "Login, tokens and sessions",
    core_files=("auth/tokens.py", "auth/login.py"),
    test_files=("tests/test_auth.py",),
    confidence=Confidence.MAPPED,
)
TILL = Module("till", "Prices and receipts", core_files=("till/prices.py", "till/receipts.py"))


def mapped(memory: Memory, *modules: Module, project: str = "shop") -> None:
    """Gives a project a map of these modules."""
    service = memory._service
    home = memory.projects.create(project)
    whole = ModuleMap(
        project,
        {module.name: module for module in modules},
        test_framework=TestFramework("pytest"),
        version=1,
    )
    with service.store.write() as tx:
        tx.put_module_map(personal_view(service.principal), home.number, whole)


def remembered(
    memory: Memory, text: str, file: str | None = None, *, kind: str = "gotcha", **more: object
) -> str:
    metadata = None if file is None else {"file": file}
    result = memory.remember(text, kind=kind, metadata=metadata, **{"project": "shop", **more})  # type: ignore[arg-type]
    assert result.memory is not None
    return result.memory.id


def test_s4_32_what_is_about_files_of_the_matched_modules_is_told(memory: Memory) -> None:
    """Whatever its words; what is about files of other modules is not (S4.71)."""
    mapped(memory, AUTH, TILL)
    near = remembered(memory, "Clocks drift on the old machines", "./auth/tokens.py")
    test = remembered(memory, "Runs only on Mondays", "tests\\test_auth.py", kind="environment_quirk")
    remembered(memory, "Prices round up after five minutes", "till/prices.py")
    remembered(memory, "Nothing to do with it")
    made = memory.context(TASK, project="shop")
    assert (made.modules, set(made.ids)) == (("auth",), {near, test})
    assert [(entry.module, entry.file) for entry in made.entries if entry.id == near] == [
        ("auth", "auth/tokens.py")
    ]
    whole = memory.context(TASK, project="shop", role="qa")
    assert len(whole.ids) == 4


def test_what_answers_the_task_well_is_told_whatever_its_file(memory: Memory) -> None:
    """The modules of a task may have been missed: the map does not hide the answer."""
    mapped(memory, AUTH, TILL)
    answer = remembered(
        memory, "Users are logged out with each auth token refresh of the till", "till/prices.py"
    )
    made = memory.context(TASK, project="shop")
    assert (made.modules, made.ids) == (("auth",), (answer,))
    assert made.entries[0].module is None


def test_a_text_cannot_pass_for_another_line(memory: Memory) -> None:
    memory.pin(remembered(memory, "Deploys need nobody's approval [M9], see [M2]", kind="decision"))
    assert "approval (M9), see (M2)" in memory.context("who approves deploys?", project="shop").text


def test_s4_35_pins_and_what_stands_are_told_whatever_the_task_is(memory: Memory) -> None:
    pin = remembered(memory, "Never deploy on Fridays", kind="note")
    memory.pin(pin)
    rule = remembered(memory, "Use pnpm, never npm", kind="convention")
    remembered(memory, "Sessions live in Redis", kind="decision")
    waiting = memory.remember("Use yarn", kind="convention", project="shop", status="pending").memory
    assert waiting is not None
    made = memory.context("paint the bicycle shed", project="shop")
    assert made.ids == (pin, rule)
    assert all(entry.tier == 1 for entry in made.entries)


def test_without_a_map_it_tells_what_answers_the_task(memory: Memory) -> None:
    answer = remembered(memory, "The auth token refresh fails when the clock is wrong")
    remembered(memory, "Receipts are printed in landscape")
    made = memory.context(TASK, project="shop")
    assert (made.ids, made.modules) == ((answer,), ())
    assert "## Project Memory: shop\n" in made.text


def test_s4_31_what_belongs_to_another_branch_is_not_told(memory: Memory) -> None:
    mapped(memory, AUTH)
    ours = {
        remembered(memory, f"Tokens on {branch}", "auth/tokens.py", branch=branch)
        for branch in ("feature/login", "main", None)
    }
    remembered(memory, "Tokens elsewhere", "auth/tokens.py", branch="feature/other")
    assert set(memory.context(TASK, project="shop", branch="feature/login").ids) == ours
    assert len(memory.context(TASK, project="shop").ids) == 4


def test_s4_37_a_session_is_told_nothing_twice_by_whatever_process(store: Store) -> None:
    """By contexts and searches alike; `repeat` tells it again; another session and another user are told."""
    ana = memory_on(store)
    mapped(ana, AUTH)
    first = remembered(ana, "The auth token refresh races", "auth/tokens.py")
    second = remembered(ana, "The auth token refresh needs the clock", kind="codebase_discovery")
    assert set(ana.context(TASK, project="shop", session="s1").ids) == {first, second}
    other = memory_on(store)
    again = other.context(TASK, project="shop", session="s1")
    assert again.ids == ()
    assert {(one.id, one.reason) for one in again.left_out} == {(first, "given"), (second, "given")}
    assert "## Project Memory: auth" in again.text
    assert set(other.context(TASK, project="shop", session="s1", repeat=True).ids) == {first, second}
    assert set(other.context(TASK, project="shop", session="s2").ids) == {first, second}
    assert set(other.context(TASK, project="shop").ids) == {first, second}

    hits = other.recall("auth token refresh", project="shop", session="s1", repeat=False)
    assert (texts(hits), set(hits.withheld)) == ([], {first, second})
    third = remembered(ana, "An auth token refresh takes a second")
    hits = other.recall("auth token refresh", project="shop", session="s1", repeat=False)
    assert ([hit.memory.id for hit in hits], set(hits.withheld)) == ([third], {first, second})
    assert ana.recall("auth token refresh", project="shop", session="s1", repeat=False).items == ()
    assert ana.context(TASK, project="shop", session="s1").ids == ()
    assert len(ana.recall("auth token refresh", project="shop", session="s1")) == 3
    ben = memory_on(store, user="ben")
    with store.read() as snap:
        assert snap.tallies(personal_view(ben._service.principal), None, None) == []


def test_s4_37_without_a_session_there_is_nobody_to_repeat_to(memory: Memory) -> None:
    with pytest.raises(HoldfastError) as caught:
        memory.recall("tokens", project="shop", repeat=False)
    assert caught.value.code == "argument_invalid"


def test_s4_37_what_was_given_goes_with_the_memory_the_session_the_project_and_time(
    store: Store, clock: ManualClock
) -> None:
    """An erased memory leaves no row; a deleted session, a deleted project and 90 days forget all of it."""
    memory = memory_on(store, clock=clock)
    view = personal_view(memory._service.principal)

    def known() -> int:
        with store.read() as snap:
            number = memory.projects.get("shop").number
            return sum(len(snap.delivered(view, number, key)) for key in keys)

    from holdfast.core.usage import session_key

    keys = [session_key(name) for name in ("s1", "s2", "s3")]
    first, _ = (
        remembered(memory, "Auth token refresh races"),
        remembered(memory, "Auth token refresh is slow"),
    )
    for session in ("s1", "s2"):
        assert len(memory.context(TASK, project="shop", session=session).ids) == 2
    assert known() == 4
    memory.forget(first, hard=True)
    assert known() == 2
    memory.sessions.create("s1", project="shop")
    memory.sessions.delete("s1")
    assert known() == 1
    clock.forward(days=KEPT_DAYS + 1)
    memory.context(TASK, project="shop", session="s3")
    assert known() == 1
    assert memory.stats(project="shop").sessions == 1
    memory.projects.delete("shop")
    with store.read() as snap:
        assert snap.tallies(view, None, None) == []


def test_s4_33_only_what_the_task_brought_up_counts_as_used(memory: Memory) -> None:
    """What is told with every task would otherwise be the most popular of all."""
    rule = remembered(memory, "Use pnpm, never npm", kind="convention")
    trap = remembered(memory, "The auth token refresh races")
    for _ in range(3):
        assert set(memory.context(TASK, project="shop").ids) == {rule, trap}
    memory.remember("whatever", project="shop")
    assert (memory.get(rule).use_count, memory.get(trap).use_count) == (0, 3)


def test_s4_33_knowledge_that_is_used_becomes_surer_up_to_a_limit(
    store: Store,
) -> None:
    memory = memory_on(store)
    sure = {"auth": 0.6, "tokens": 0.95, "login": 0.5, "logout": 0.4}
    ids = {}
    for word, confidence in sure.items():
        note = memory.remember(f"The {word} refresh races", confidence=confidence, status="approved").memory
        assert note is not None
        ids[word] = note.id
    memory.add_messages([{"role": "user", "content": "Why does the refresh race?"}], session="talk")

    def confidences(rounds: int) -> dict[str, float]:
        for _ in range(rounds):
            assert len(memory.recall("refresh races", limit=5)) == 5
        memory.remember("whatever")  # what is counted is written with the next write
        assert {record.confidence for record in memory.sessions.messages("talk").memories} == {0.6}
        return {word: memory.get(id).confidence for word, id in ids.items()}

    once = confidences(1)
    assert once["auth"] == pytest.approx(0.605)
    assert once["login"] == pytest.approx(0.507)
    later = confidences(60)
    assert 0.6 < later["auth"] <= 0.85
    assert later["tokens"] == 0.95
    assert later["logout"] == 0.4
    assert max(later.values()) == 0.95


def test_a_context_is_the_same_under_one_clock(memory: Memory) -> None:
    mapped(memory, AUTH, TILL)
    for n in range(30):
        remembered(memory, f"The auth token refresh number {n} races", "auth/tokens.py" if n % 2 else None)
    first = memory.context(TASK, project="shop", budget=400)
    assert first.tokens <= 400
    assert first.left_out
    assert memory.context(TASK, project="shop", budget=400) == first


def test_a_place_that_is_not_there_is_told_nothing_of(memory: Memory) -> None:
    """Missing and foreign look the same; a context is of one project."""
    remembered(memory, "The auth token refresh races")
    missing = memory.context(TASK, project="elsewhere", session="s")
    assert (missing.text, missing.ids) == ("", ())


@pytest.mark.parametrize(
    ("task", "given", "code"),
    [
        (TASK, {"project": "*"}, "argument_invalid"),
        (TASK, {"workspace": "*"}, "argument_invalid"),
        (TASK, {"project": ""}, "place_invalid"),
        (TASK, {"role": "boss"}, "argument_invalid"),
        (TASK, {"budget": 3}, "argument_invalid"),
        ("", {}, "query_empty"),
        ("  ", {}, "query_empty"),
        ("x" * 30_000, {}, "text_too_long"),
    ],
)
def test_what_no_context_can_be_made_of_is_told(
    memory: Memory, task: str, given: dict[str, Any], code: str
) -> None:
    with pytest.raises(HoldfastError) as caught:
        memory.context(task, **given)
    assert caught.value.code == code


def test_what_others_keep_for_themselves_changes_nothing(store: Store) -> None:
    """Not the text, nor what is left out, nor the figures."""
    ana, ben = memory_on(store), memory_on(store, user="ben")
    mapped(ana, AUTH)
    remembered(ana, "The auth token refresh races", "auth/tokens.py", visibility="project", confidence=0.9)
    before = ben.context(TASK, project="shop", session="s"), ben.stats(project="shop")
    for n in range(5):
        memory_id = remembered(ana, f"Auth token refresh secret {n}", "auth/tokens.py", visibility="private")
        ana.pin(memory_id)
        ana.context(TASK, project="shop", session="s", repeat=True)
    after = ben.context(TASK, project="shop", session="s", repeat=True)
    assert after.text == before[0].text
    assert len(after.ids) == 1
    stats = ben.stats(project="shop")
    assert (stats.memories, stats.confidence) == (before[1].memories, before[1].confidence)
    assert stats.work.contexts == 2


def test_s4_41_a_broken_embedder_leaves_words(store: Store) -> None:
    memory = memory_on(store, embedder=BrokenEmbedder())
    mapped(memory, AUTH, TILL)
    near = remembered(memory, "Clocks drift", "auth/tokens.py")
    made = memory.context(TASK, project="shop")
    assert made.ids == (near,)
    assert made.modules == ("auth",)
    assert made.degraded is not None


def test_s4_60_what_memory_did_is_counted(memory: Memory) -> None:
    """For a session and for its project; a module that was shown twice saved its search once."""
    mapped(memory, AUTH, TILL)
    remembered(memory, "The auth token refresh races", "auth/tokens.py", confidence=0.95)
    remembered(memory, "Prices are in cents", "till/prices.py", confidence=0.85)
    memory.add_messages([{"role": "user", "content": "hello"}], session="chat", project="shop")
    first = memory.context(TASK, project="shop", session="s1")
    second = memory.context(TASK, project="shop", session="s1")
    hits = memory.recall("prices in cents", project="shop", session="s1", repeat=False)
    memory.recall("prices in cents", project="shop", session="s1", repeat=False)
    memory.context("receipts of the till", project="shop", session="s2")
    one = memory.stats(project="shop", session="s1")
    size = sum(-(-len(hit.passage) // 4) for hit in hits)
    assert one.work.as_dict() == {
        "contexts": 2,
        "memories_injected": 1,
        "search_memory_calls": 2,
        "memory_hits": 1,
        "discovery_tokens_with_memory": first.tokens + second.tokens + size,
        "discovery_tokens_without_memory": 0,  # no file of the module is indexed: nothing is known of it
        "discovery_tokens_saved": 0,
    }
    assert (one.sessions, one.session) == (1, "s1")
    whole = memory.stats(project="shop")
    assert (whole.memories, whole.sessions, whole.work.contexts) == (3, 2, 3)
    assert whole.confidence == pytest.approx(0.9)
    assert whole.coverage == 0.5
    everything = memory.stats()
    assert (everything.project, everything.coverage, everything.work) == (None, None, whole.work)
    assert memory.stats(project="elsewhere").as_dict()["total_memories"] == 0


@pytest.mark.parametrize(
    ("size", "reading"), [(8_000, SEARCH_TOKENS + 3 * FILE_TOKENS), (800, 600), (40, 30)]
)
def test_s4_60_no_more_is_saved_than_reading_costs(
    memory: Memory, tmp_path: Path, size: int, reading: int
) -> None:
    mapped(memory, AUTH, TILL)
    for path in AUTH.files:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("token = 1\n" * (size // 10))
    memory.folders.index(memory.folders.add(tmp_path, project="shop", watch=False).id)
    made = memory.context(TASK, project="shop", session="s1")
    memory.context(TASK, project="shop", session="s1")
    work = memory.stats(project="shop", session="s1").work
    assert made.modules == ("auth",)
    assert work.tokens_without == reading


@pytest.mark.on_a_file
def test_what_was_replaced_gives_way_to_the_news_of_it(memory: Memory) -> None:
    gives_way = (
        ("The API uses JWT", "We switched from JWT to server sessions"),
        ("We use Jenkins for CI", "We replaced Jenkins with GitHub Actions"),
        ("The billing service uses Stripe", "In billing we switched from Stripe to Adyen"),
        ("Wir verwenden MySQL", "Wir sind von MySQL auf Postgres umgestiegen"),
    )
    stays = (
        ("The mobile app uses JWT", "The billing service switched from JWT to sessions"),
        ("We use JWT for mobile", "We switched from JWT to sessions for the web"),
        ("The worker uses Redis-Streams", "We moved from Redis to Postgres"),
        ("The web app uses React", "We switched from React Router to TanStack Router"),
        ("JWT was used before sessions", "We switched from JWT to sessions"),
        ("The API uses JWT", "If we switched from JWT to sessions, logins would break"),
        ("We use npm", "We moved from npm to pnpm, then back to npm"),
        ("The frontend uses npm", "I switched from npm to deno last week"),
        ("The API uses Java", "He moved from Java to Bali last year"),
    )
    for number, (old, new) in enumerate((*gives_way, *stays)):
        project = f"p{number}"
        for text in (old, new):
            memory.remember(text, kind="convention", project=project)
        left_out = memory.context("how is it done", project=project).left_out
        assert [one.reason for one in left_out] == ["contradicted"] * (number < len(gives_way)), (old, new)


def test_s4_60_what_is_recalled_outside_of_sessions_counts_too(store: Store) -> None:
    """In each project and without one, for its user alone, in the next process as well."""
    memory, ben = memory_on(store), memory_on(store, user="ben")
    for text in ("The kettle is old", "The kettle is new"):
        memory.remember(text, project="shop", visibility="project")
    for _ in range(30):
        assert len(memory.recall("kettle", project="shop")) == 2
    memory.recall("kettle")
    memory.recall("kettle", project="shop", session="s", repeat=False)
    memory.recall("kettle", project="nowhere")
    work = memory.stats(project="shop").work
    assert (work.search_memory_calls, work.memory_hits) == (31, 62)
    assert work.tokens_with > 0
    assert memory.stats(project="shop").sessions == 1
    assert memory.stats().work.search_memory_calls == 32
    assert memory_on(store).stats(project="shop").work == work
    assert ben.stats(project="shop").work.search_memory_calls == 0
    memory.context("repair the kettle", project="shop")
    assert memory.stats(project="shop").work.contexts == 1


def test_s4_60_latencies_are_measured_where_they_are_asked_for(memory: Memory) -> None:
    remembered(memory, "The auth token refresh races")
    assert memory.stats(project="shop").latencies is None
    events = len(memory.audit.list(limit=1000))
    took = memory.stats(project="shop", measure=True).latencies
    assert took is not None
    assert None not in (took.embedding, took.search, took.write)
    assert len(memory.audit.list(limit=1000)) == events
    assert memory.stats(project="shop").sessions == 0


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Format the code with black", "We use ruff and pyright here, never black"),
        ("Indent with tabs", "Always indent with four spaces"),
        ("Run the tests with python -m pytest", "Don't run pytest directly, use make check"),
        ("Lines may be 120 wide", "Lines may be 100 wide here"),
    ],
)
def test_contradicting_rules_are_not_told_as_equals(
    store: Store, clock: ManualClock, older: str, newer: str
) -> None:
    """Of different kinds or words: the newer one is told with its date, and names the older."""
    memory = memory_on(store, clock=clock)
    memory.remember(older, kind="convention", project="shop")
    clock.forward(days=40)
    stored = memory.remember(newer, kind="human_feedback", project="shop").memory
    memory.remember("Keep SQL in .sql files", kind="convention", project="shop")
    assert stored is not None
    made = memory.context("write a module for invoices", project="shop")
    lines = [entry.line for entry in made.entries]
    (told,) = (line for line in lines if line.startswith(newer[:20]))
    assert f"before: {older}" in told
    assert "(since 20" in told
    assert not any(line.startswith(older) for line in lines)
    assert "Keep SQL in .sql files" in lines
    assert [(one.line, one.reason) for one in made.left_out] == [(older, "contradicted")]


def test_s4_60_looking_at_a_context_or_a_search_counts_as_no_use(memory: Memory) -> None:
    """A person who asks what an agent would get, or types a question, changes neither ranks nor figures."""
    mapped(memory, AUTH)
    near = remembered(memory, "The auth token refresh reads exp as seconds from now", "auth/tokens.py")
    here: dict[str, Any] = {"project": "shop", "session": "s1"}
    looked = memory.context(TASK, record=False, **here)
    assert near in looked.ids
    assert near in {hit.memory.id for hit in memory.recall("auth token refresh", record=False, **here)}
    assert list(memory.recall("auth token refresh", record=False, repeat=False, **here))
    chat = memory.context("what does exp mean?", role="chat", record=False, **here)
    assert chat.id is None
    assert (memory.get(near).use_count, memory.deliveries(near)) == (0, [])
    work = memory.stats().work
    assert (work.contexts, work.search_memory_calls, work.tokens_with) == (0, 0, 0)
    assert memory.context(TASK, **here).ids == looked.ids, "the session was given nothing before"
    assert memory.stats().work.contexts == 1


def learned(memory: Memory, text: str, task: str, file: str) -> str:
    """Keeps a memory as `learn` does: with what was worked on in its evidence."""
    result = memory.remember(
        text, kind="session_insight", project="shop", tags=["learned"], metadata={"file": file},
        evidence={"worked_on": task},
    )  # fmt: skip
    assert result.memory is not None
    return result.memory.id


def test_a_lesson_is_found_by_what_was_worked_on_when_it_was_learned(memory: Memory) -> None:
    """The task is compared with the task of then: the lesson itself has none of its words and little of its
    meaning."""
    lesson = "`renew` gives up where the broker keeps only one slot"
    id = learned(memory, lesson, "customers are logged out during a long upload", "auth/tokens.py")
    learned(memory, "`frame` pads with blanks", "the table is one column too wide", "till/prices.py")
    made = memory.context("people must sign in again while they send a big file", project="shop")
    assert list(made.ids) == [id]


def test_a_task_that_is_about_nothing_gets_no_lesson(tmp_path: Path) -> None:
    """With the model of the package, even where all other modules are farther from it than the lesson is."""
    lesson = "Good find. Keep it in mind for the next ones, I don't have time to look at each"
    with Memory(tmp_path / "memory.db", user="ana") as memory:
        learned(memory, lesson, "receipts show the wrong sum", "till/receipts.py")
        mapped(memory, Module("shapes", "Polygon triangulation", core_files=("shapes/tri.py",)), TILL)
        for task in ("was gibt es noch zu tun?", "mach bitte weiter", "is there anything else?"):
            assert memory.context(task, project="shop").ids == ()
        assert memory.context("the sum on the receipts is wrong", project="shop").ids


def test_a_lesson_is_left_out_of_a_task_that_is_nearer_to_another_module(memory: Memory) -> None:
    learned(memory, "The pool closes idle connections", "connections fail at night", "db/pool.py")
    task = "connections of the pool are few in the bar of the workers"
    assert memory.context(task, project="shop").ids
    mapped(
        memory, Module("pool", "Connections of the database", core_files=("db/pool.py",)),
        Module("workers", "The bar of the workers: few connections of the pool", core_files=("ui/bar.py",)),
    )  # fmt: skip
    assert memory.context(task, project="shop").ids == ()
