"""Two real clients from npm are told what helps, and no damage to the store blocks a prompt.

`make agents` runs all five, longer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.agents.bench import CLIENTS, TOLD, Bench, installed
from tests.agents.faults import FAULTS
from tests.agents.sessions import blocked, reaches

pytestmark = pytest.mark.process


@pytest.mark.parametrize("client", ["claude-code", "gemini"])
def test_what_each_event_is_answered_with_reaches_the_model(client: str, tmp_path: Path) -> None:
    result = reaches(client, Bench(tmp_path / "bench", installed(CLIENTS, client)))

    assert result == dict.fromkeys(TOLD, True)


def test_no_damage_to_the_store_blocks_a_prompt(tmp_path: Path) -> None:
    counts = blocked(
        "claude-code", Bench(tmp_path / "bench", installed(CLIENTS, "claude-code")), prompts=len(FAULTS)
    )

    sent = {fault: (prompts, missed) for fault, (prompts, missed, _) in counts.items()}
    assert sent == dict.fromkeys(FAULTS, (1, 0))
