"""Contexts and stats over HTTP, as the client and as plain requests (S4.35, S4.37, S4.60)."""

from __future__ import annotations

from holdfast import Memory
from tests.http.support import Site

TASK = "change when the shop opens"


def remembered(memory: Memory, text: str, project: str = "shop") -> str:
    stored = memory.remember(text, kind="gotcha", project=project).memory
    assert stored is not None
    return stored.id


def test_s4_35_the_client_is_told_what_memory_is(here: Site) -> None:
    memory = Memory.over(here.service)
    remembered(memory, "The shop opens at nine")
    with here.client() as client:
        for options in ({}, {"role": "qa", "budget": 300}, {"branch": "main"}):
            told = client.context(TASK, project="shop", **options)
            assert told.ids
            assert told == memory.context(TASK, project="shop", **options)
        assert client.stats(project="shop") == memory.stats(project="shop")
        assert client.stats(project="shop", measure=True).latencies is not None


def test_s4_37_a_session_is_told_nothing_twice_over_the_wire(here: Site) -> None:
    memory = Memory.over(here.service)
    first = remembered(memory, "The shop opens at nine")
    with here.client() as client:
        assert client.context(TASK, project="shop", session="s").ids == (first,)
        hits = client.recall("when does the shop open?", project="shop", session="s", repeat=False)
        assert (hits.items, hits.withheld) == ((), (first,))
        work = client.stats(project="shop", session="s").work
        assert (work.contexts, work.memories_injected, work.search_memory_calls) == (1, 1, 1)


def test_a_key_for_other_projects_sees_and_counts_nothing(here: Site) -> None:
    """Neither memories nor what sessions were given; its own project is as always."""
    memory = Memory.over(here.service)
    remembered(memory, "The shop opens at nine")
    remembered(memory, "The barn opens at nine", "barn")
    memory.context(TASK, project="shop", session="s")
    key = here.key("ana", projects=frozenset({"barn"}))
    for place in ({"project": "shop"}, {}):
        response = here.call("POST", "/v1/context", {"task": TASK, "session": "s", **place}, key=key).json()
        assert (response["text"], response["left_out"]) == ("", [])
    assert here.call("GET", "/v1/stats/usage?project=shop", key=key).json()["contexts"] == 0
    own = {"task": "change when the barn opens", "session": "s", "project": "barn"}
    response = here.call("POST", "/v1/context", own, key=key).json()
    assert len(response["memories"]) == 1
    usage = here.call("GET", "/v1/stats/usage", key=key).json()
    assert (usage["contexts"], usage["sessions"], usage["total_memories"]) == (1, 1, 1)
    assert memory.stats(project="shop").work.contexts == 1


def test_a_reader_may_ask_for_a_context(here: Site) -> None:
    remembered(Memory.over(here.service), "The shop opens at nine")
    key = here.key("ana", write=False)
    for body, status in (
        ({"task": TASK, "project": "shop"}, 200), ({"task": ""}, 422), ({"task": TASK, "role": "boss"}, 422),
        ({"task": TASK, "budget": 3}, 422), ({"task": TASK, "user": "ben"}, 422),
        ({"task": TASK, "project": "*"}, 422),
    ):  # fmt: skip
        assert here.call("POST", "/v1/context", body, key=key).status_code == status
