"""Histories of processes on one file that are killed, and a defect on purpose that has to be found.

`make histories` is the long form, also over HTTP and on PostgreSQL, with servers killed and connections cut.
"""

from __future__ import annotations

from pathlib import Path

from tests.reliability.histories.rounds import files, run


def test_gates_histories_under_kills_have_no_anomaly(tmp_path: Path) -> None:
    with files(tmp_path) as scene:
        tally = run(scene, seconds=3, clients=3, seed=1, folder=tmp_path)
    assert tally.anomalies == []
    assert tally.acts["client killed"]
    assert tally.operations["read ok"]


def test_an_acknowledged_append_that_is_not_sent_is_found(tmp_path: Path) -> None:
    """A defect of the clients on purpose: without it nothing shows that the checkers see the store at all."""
    with files(tmp_path) as scene:
        tally = run(scene, seconds=2, clients=3, seed=1, folder=tmp_path, fault="drop")
    assert any("realtime" in anomaly or "session" in anomaly for anomaly in tally.anomalies)
