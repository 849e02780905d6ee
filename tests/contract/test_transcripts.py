"""The store contract, transcripts of real clients: learned from as they grow, told to the next session."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast import Memory, Outcome
from holdfast.core.record import Origin, Status
from holdfast.embeddings.static import StaticEmbedder
from holdfast.features.transfer.formats import worklog
from holdfast.stores.base.ports import Store
from tests.scenarios.repository import checked_out
from tests.support import memory_on

TRANSCRIPTS = Path(__file__).parents[1] / "transcripts"
"""Written by the clients themselves, with a scripted model behind them; long texts of the clients are cut."""
CLIENTS = ("claude-code", "codex", "gemini")
RULE = "We always run python3 -m unittest discover here, never pytest."
CLOCK = "The time comes from a clock module in shop/authentication instead of the callers."
CAUSE = (
    "Real problem is that `exp` is relative: `issue` adds ACCESS_SECONDS to a clock that counts milliseconds."
)
TOKENS = "shop/authentication/tokens.py"


@pytest.fixture(params=CLIENTS)
def transcript(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The transcript of a session of one client, where that client keeps it."""
    chats = tmp_path / ".gemini" / "tmp" / "shop" / "chats"
    chats.mkdir(parents=True)
    (chats.parent / ".project_root").write_text("/home/ana/shop", "utf-8")
    path = (chats if request.param == "gemini" else tmp_path) / f"{request.param}.jsonl"
    path.write_bytes((TRANSCRIPTS / f"{request.param}.jsonl").read_bytes())
    return path


def test_the_clients_tell_the_same_session(transcript: Path) -> None:
    log = worklog.read(transcript)
    acts = [(step.act.value, step.target, step.failed) for step in log.steps if step.act.value != "assistant"]
    assert acts[0] == ("user", "Customers are logged out after 5 minutes, please fix it", False)
    assert ("search", "ACCESS_SECONDS", False) in acts
    assert ("command", "python3 -m shoptests -q", True) in acts
    assert ("command", "python3 -m unittest discover -q", False) in acts
    assert ("edit", TOKENS, False) in acts
    assert ("write", "shop/authentication/clock.py", False) in acts
    assert log.files[:2] == ("shop/mail/templates.py", TOKENS)
    assert log.skipped == 0
    wrong = next(step for step in log.steps if step.target == "python3 -m shoptests -q")
    assert "No module named shoptests" in wrong.output


def test_a_transcript_teaches_with_files_symbols_and_a_quotation(memory: Memory, transcript: Path) -> None:
    learned = {lesson.candidate.text: lesson for lesson in memory.learn(transcript, project="shop").lessons}
    assert learned[RULE].outcome is Outcome.CREATED
    assert learned[CAUSE].outcome is Outcome.PENDING
    cause = memory.get(str(learned[CAUSE].memory))
    assert cause.metadata["file"] == TOKENS
    assert {"exp", "ACCESS_SECONDS"} <= set(cause.metadata["symbols"])
    assert "`exp` is relative" in cause.evidence["quote"]
    rule = memory.get(str(learned[RULE].memory))
    assert (rule.kind, rule.status, rule.origin) == ("human_feedback", Status.APPROVED, Origin.EXTRACTION)
    assert (rule.said_by, rule.created_by, rule.about_file) == ("extraction", "agent:learning@ana", None)


def test_a_growing_transcript_is_read_from_where_it_was_left(memory: Memory, transcript: Path) -> None:
    whole = transcript.read_bytes()
    for _ in range(2):  # nothing is new the second time
        lines = whole.splitlines(keepends=True)
        place = next(number for number, line in enumerate(lines) if b"We always run" in line)
        transcript.write_bytes(b"".join(lines[:place]) + lines[place][:40])
        memory.learn(transcript, project="shop", resume=True)
        assert RULE not in texts(memory)
    transcript.write_bytes(whole)
    learned = memory.learn(transcript, project="shop", resume=True)
    assert RULE in [lesson.candidate.text for lesson in learned.lessons]
    assert CAUSE not in [lesson.candidate.text for lesson in learned.lessons], "it was read before"
    assert {RULE, CAUSE} <= set(texts(memory))
    before = memory.audit.list(limit=None)
    again = memory.learn(transcript, project="shop", resume=True)
    assert (again.steps, again.lessons, again.more) == (0, (), False)
    assert memory.audit.list(limit=None) == before
    full = memory.learn(transcript, project="shop")
    assert {lesson.outcome for lesson in full.lessons} == {Outcome.DUPLICATE}


def test_a_long_transcript_is_read_in_portions(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worklog, "NEW_MAX", 8_000)
    monkeypatch.setattr(worklog, "CONTEXT_MAX", 4_000)
    path = tmp_path / "claude-code.jsonl"
    path.write_bytes((TRANSCRIPTS / path.name).read_bytes())
    portions = 0
    while memory.learn(path, project="shop", resume=True).more:
        portions += 1
    assert portions >= 3
    assert {RULE, CAUSE} <= set(texts(memory))
    path.write_text("", "utf-8")  # a file that is shorter than what was read is another one
    assert memory.learn(path, project="shop", resume=True).steps == 0


@pytest.mark.parametrize(
    ("trust", "agent", "approved"),
    [
        ("standard", None, {RULE, CLOCK}),
        ("standard", "coder", set()),
        ("review", None, set()),
        ("all", "coder", {RULE, CLOCK, CAUSE}),
    ],
)
def test_the_setting_says_what_enters_at_once(
    store: Store, trust: str, agent: str | None, approved: set[str]
) -> None:
    """An agent that hands over a log could have written it: what it says a person said waits."""
    memory = memory_on(store, agent=agent)
    memory._service.learning_trust = trust
    learned = memory.learn(TRANSCRIPTS / "codex.jsonl", project="shop")
    entered = {lesson.candidate.text for lesson in learned.lessons if lesson.outcome is Outcome.CREATED}
    assert entered >= approved
    assert entered == approved or trust == "all"


@pytest.fixture
def told(store: Store, tmp_path: Path) -> Callable[[str], str]:
    """What the next session is told after one of Claude Code in the shop whose lessons were approved, by the
    embedder that knows what other words mean."""
    memory = memory_on(store, embedder=StaticEmbedder())
    memory.maps.scan(checked_out(tmp_path), project="shop")
    learned = memory.learn(TRANSCRIPTS / "claude-code.jsonl", project="shop")
    for lesson in learned.lessons:
        if lesson.outcome is Outcome.PENDING:
            memory.review.approve(str(lesson.memory))
    return lambda task: memory.context(task, project="shop").text


def test_the_next_session_is_told_in_other_words(told: Callable[[str], str]) -> None:
    for task in ("Why does everybody get logged out after an hour?", "Tokens expire far in the future"):
        assert "`exp` is relative" in told(task)
    assert "`exp` is relative" not in told("The newsletter shows the wrong price of an article")
    assert "unittest" in told("The newsletter shows the wrong price of an article"), "a rule of the project"


def texts(memory: Memory) -> list[str]:
    """The texts of what was learned, in any state."""
    page = memory.list(project="shop", tags=["learned"], include=["pending"], limit=200)
    return [record.text for record in page.memories]
