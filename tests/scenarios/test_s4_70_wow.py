"""S4.70: what one session learned stands in the prompt of another, two weeks later, without any search."""

from __future__ import annotations

from pathlib import Path

from holdfast import Memory
from tests.fakes import ManualClock
from tests.scenarios.repository import checked_out

GOTCHA = (
    "Access tokens end after ACCESS_SECONDS of the server's clock, in UTC: a JWT that was issued with local"
    " time has expired before it is used. Take the time from the clock of the request."
)


def test_s4_70_two_weeks_later_the_trap_is_known(tmp_path: Path) -> None:
    """Session 1 records a JWT-expiry gotcha; a new auth task gets the auth module's files plus that gotcha in
    its prompt, within 1,800 tokens, and nothing was searched for."""
    repository, clock, store = checked_out(tmp_path), ManualClock(), tmp_path / "team.db"
    with Memory(store, user="ana", agent="coder", clock=clock) as first:
        first.maps.scan(repository, project="shop")
        result = first.remember(
            GOTCHA, kind="gotcha", metadata={"file": "shop/authentication/tokens.py"}, project="shop",
            session="session-1",
        )  # fmt: skip
        assert result.memory is not None
        for text, file in (
            ("Webhooks arrive twice: compare the event's id first", "shop/payments/webhooks.py"),
            ("Templates are cached until the process restarts", "shop/mail/templates.py"),
        ):
            first.remember(text, kind="gotcha", metadata={"file": file}, project="shop", session="session-1")

    clock.forward(days=14)
    with Memory(store, user="ana", agent="coder", clock=clock) as second:
        made = second.context(
            "Let customers stay logged in for a month (remember me)", project="shop", session="session-2"
        )
        assert made.tokens <= 1_800
        assert made.modules[0] == "authentication"
        for name in ("config", "middleware", "tokens"):
            assert name in made.text
        assert "tests/authentication/test_tokens.py" in made.text
        assert made.ids == (result.memory.id,)
        assert "[GOTCHA] shop/authentication/tokens.py [M1] (agent)\n  ! Access tokens end after" in made.text
        work = second.stats(project="shop", session="session-2").work
        assert (work.contexts, work.memories_injected, work.search_memory_calls) == (1, 1, 0)
        assert work.tokens_with > 0


def test_s4_70_the_clock_alone_does_not_make_it_forget(tmp_path: Path) -> None:
    """A year of other work later it is still told: a trap does not end, it only weighs less."""
    repository, clock, store = checked_out(tmp_path), ManualClock(), tmp_path / "team.db"
    with Memory(store, user="ana", clock=clock) as memory:
        memory.maps.scan(repository, project="shop")
        stored = memory.remember(
            GOTCHA, kind="gotcha", metadata={"file": "shop/authentication/tokens.py"}, project="shop"
        ).memory
        assert stored is not None
        clock.forward(days=365)
        for n in range(20):
            memory.remember(f"Outcome of task {n}: done by hand", kind="task_outcome", project="shop")
        made = memory.context("the login forgets people", project="shop")
        assert stored.id in made.ids
