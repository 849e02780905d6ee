"""The store contract: the audit log is read from either end, page by page."""

from __future__ import annotations

import pytest

from holdfast import HoldfastError, Memory


def test_s2_6_the_audit_log_is_read_newest_first(memory: Memory) -> None:
    for n in range(5):
        memory.remember(f"Note {n}")
    everything = list(memory.audit.list())
    assert [event.sequence for event in everything] == list(range(1, len(everything) + 1))
    assert memory.audit.list(newest_first=True) == everything[::-1]
    page = memory.audit.list(newest_first=True, limit=2)
    assert page == everything[:-3:-1]
    assert memory.audit.list(newest_first=True, before=page[-1].sequence, limit=2) == everything[-3:-5:-1]
    assert memory.audit.list(newest_first=True, before=2) == everything[:1]
    assert memory.audit.list(newest_first=True, before=1) == []
    assert memory.audit.list(newest_first=True, after=2, before=4) == everything[2:3]
    assert memory.audit.list(before=3) == everything[:2]
    for wrong in (-1, "x"):
        with pytest.raises(HoldfastError) as caught:
            memory.audit.list(before=wrong)  # type: ignore[arg-type]
        assert caught.value.code == "argument_invalid"
