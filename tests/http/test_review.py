"""The review over HTTP: the same as in Python, and what each credential may do of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from holdfast import HoldfastError, Memory
from holdfast.core.times import DAY
from tests.fakes import ManualClock
from tests.http.support import Site, site
from tests.support import texts


def program(memory: Memory) -> list[Any]:
    """What a program does with a review, and what it gets, without ids and times that differ each time."""
    told: list[Any] = []
    for n in range(5):
        memory.remember(f"Sensor {n} may be in room {n + 100}", confidence=0.3, project="shop")
    tabs = memory.remember("Use tabs for indentation", kind="convention").memory
    spaces = memory.remember("Use spaces for indentation", kind="convention", confidence=0.3).memory
    assert tabs is not None
    assert spaces is not None
    page = memory.review.inbox(project="shop", kinds=["note"], limit=3)
    told.append([(item.memory.text, item.why, item.contradicts) for item in page.items])
    told.append(len(memory.review.inbox(limit=3, cursor=page.cursor).items))
    ids = [item.memory.id for item in memory.review.inbox(kinds="note").items]
    (other,) = memory.review.inbox(kinds="convention").items
    told.append(None if other.contradicts is None else other.contradicts.text)
    told.append(memory.review.approve(spaces.id).related == tabs.id)
    told.append(memory.review.reject(ids[0], reason="no such room").result)
    told.append(memory.review.edit(ids[1], text="Sensor 1 is in room 101", tags=["sensor"]).result)
    wanted = [{"id": ids[2], "decision": "approve"}, {"id": ids[0], "decision": "reject"}]
    results = memory.review.decide(wanted)
    told.append([(result.result, result.code) for result in results])
    moved = memory.review.move(ids[1:3], project="yard", scope=("paper", "1"))
    told.append([(one.result, one.memory.project if one.memory else None) for one in moved])
    told.append([one.result for one in memory.review.move(ids[2], project=None)])
    told.append(memory.review.feedback(ids[2], "outdated", note="moved").status)
    flagged = memory.review.wrong(spaces.id, note="never")
    told.append((flagged.memory.status_reason, [(one.tie, one.memory.text) for one in flagged.related]))
    cleared = memory.review.clear(("paper", "1"))
    told.append((cleared.memories, cleared.stays, cleared.proof))
    source = memory.sources.add("chatgpt", "1" * 64)
    memory.add_messages([{"role": "user", "content": "hello"}], session="s", source=source.id)
    reverted = memory.review.revert(source.id, hard=True)
    told.append((reverted.memories, reverted.hard, reverted.proof.holds))
    told.append(texts(memory.list(project="*")))
    return told


def test_s2_35_a_program_reviews_over_http_as_in_a_file(here: Site, tmp_path: Path) -> None:
    with Memory(tmp_path / "own.db", user="ana") as memory:
        assert program(here.client()) == program(memory)


def test_s2_35_a_body_is_left_out_where_it_need_not_say_anything(here: Site) -> None:
    """Where something has to be said, its lack is told as ever."""
    sensor = {"text": "The sensor may be in room 7", "confidence": 0.1}
    id = here.call("POST", "/v1/memories", sensor).json()["memory"]["id"]
    for action in ("approve", "wrong", "reject", "confirm"):
        answer = here.call("POST", f"/v1/review/{id}/{action}")
        assert answer.status_code != 422 or answer.json()["code"] != "body_invalid", (action, answer.text)
    assert here.call("POST", "/v1/memories").status_code == 422
    approve = here.call("GET", "/openapi.json").json()["paths"]["/v1/review/{id}/approve"]["post"]
    assert not approve["requestBody"].get("required", False)


def test_s2_35_a_failing_item_of_many_is_told_with_status_200(here: Site) -> None:
    waits = here.call("POST", "/v1/memories", {"text": "perhaps", "confidence": 0.1}).json()["memory"]["id"]
    body = {"decisions": [{"id": "0" * 36, "decision": "approve"}, {"id": waits, "decision": "approve"}, 7]}
    answer = here.call("POST", "/v1/review/decide", body)
    assert answer.status_code == 200
    told = [(result["result"], result["code"]) for result in answer.json()["results"]]
    assert told == [("refused", "memory_not_found"), ("approved", None), ("refused", "argument_invalid")]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"agent": "coder"}, "memory_not_found"),
        ({"role": "service"}, "not_permitted"),
        ({"write": False}, "not_permitted"),
        ({"projects": ["yard"]}, "memory_not_found"),
    ],
)
def test_s4_45_what_a_credential_may_decide(team: Site, options: dict[str, Any], code: str) -> None:
    ana = team.client(team.key("ana"))
    waits = ana.remember("perhaps", confidence=0.1, project="shop").memory
    assert waits is not None
    limited = team.client(team.key("ana", **options))
    seen = [item.memory.id for item in limited.review.inbox().items]
    assert seen == ([] if code == "memory_not_found" else [waits.id])
    with pytest.raises(HoldfastError) as error:
        limited.review.approve(waits.id)
    assert error.value.code == code
    assert ana.get(waits.id) == waits


def test_s4_45_an_agent_sees_what_it_proposed_and_decides_nothing(team: Site) -> None:
    coder = team.client(team.key("ana", agent="coder"))
    waits = coder.remember("perhaps", confidence=0.1, project="shop").memory
    assert waits is not None
    assert [item.memory.id for item in coder.review.inbox().items] == [waits.id]
    with pytest.raises(HoldfastError) as error:
        coder.review.approve(waits.id)
    assert error.value.code == "review_by_person"


def test_a_key_limited_to_a_project_reviews_and_moves_inside_it_only(team: Site) -> None:
    ana = team.client(team.key("ana"))
    waits = ana.remember("perhaps", confidence=0.1, project="shop").memory
    assert waits is not None
    limited = team.client(team.key("ana", projects=["shop"]))
    assert [item.memory.id for item in limited.review.inbox().items] == [waits.id]
    assert limited.review.approve(waits.id).result == "approved"
    for project in ("yard", None):
        (told,) = limited.review.move(waits.id, project=project)
        assert (told.result, told.code) == ("refused", "not_permitted")
    assert limited.review.move(waits.id, scope=("paper", "1"))[0].result == "moved"
    assert limited.review.clear(("paper", "1")).memories == 1
    with pytest.raises(HoldfastError) as error:
        limited.review.revert("0" * 36)
    assert error.value.code == "not_permitted"


def test_s3_36_what_tidying_did_is_undone_a_month_later_by_one_request_each(tmp_path: Path) -> None:
    clock = ManualClock()
    with site(tmp_path, clock=clock) as here:
        memory = here.client()
        for number in range(2):
            memory.remember("The mole is lit at night", kind="convention", external_id=str(number))
        memory.reconcile("old.db", {"entities": [{"type": "T", "id": "t", "data": {"summary": "Old table"}}]})
        clock.now += 100 * DAY
        merge, prune = memory.review.tidy(dry_run=False).acts
        clock.now += 30 * DAY
        assert here.call("POST", f"/v1/review/{merge.memory}/approve").status_code == 200
        assert here.call("POST", f"/v1/memories/{prune.memory}/restore").status_code == 200
        assert len(memory.list().memories) == 3
        assert memory.review.tidy().acts == ()
