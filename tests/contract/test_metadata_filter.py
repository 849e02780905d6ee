"""Filters by metadata: typed, bound, and the same in lists, recall and counts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from holdfast import InvalidInput, Memory

NOTES: list[dict[str, Any]] = [
    {"lang": "de", "year": 2019, "done": True},
    {"lang": "en", "year": 2020.5},
    {"lang": "en", "year": "2020"},
    {"year": 1, "done": False},
    {"done": 1, "lang": None},
]
FOUND: list[tuple[Any, set[int]]] = [
    ({"lang": "en"}, {1, 2}),
    ({"lang": {"eq": "de"}}, {0}),
    ({"lang": ["de", "en"]}, {0, 1, 2}),
    ({"lang": {"in": []}}, set()),
    ({"done": True}, {0}),
    ({"done": 1}, {4}),
    ({"year": {"gte": 2019}}, {0, 1}),
    ({"year": {"gt": 1, "lt": 2020}}, {0}),
    ({"year": {"lte": "2020"}}, {2}),
    ({"lang": {"exists": False}}, {3, 4}),
    ({"year": {"exists": True}, "lang": "en"}, {1, 2}),
    ({"lang' OR 1=1 --": "de"}, set()),
    ({'a"b': {"exists": False}}, {0, 1, 2, 3, 4}),
    ('{"lang": "de"}', {0}),
    ({}, {0, 1, 2, 3, 4}),
]


@pytest.fixture
def notes(memory: Memory) -> Memory:
    for number, metadata in enumerate(NOTES):
        memory.remember(f"Boat {number} is painted", metadata=metadata, external_id=str(number))
    return memory


@pytest.mark.parametrize(("wanted", "expected"), FOUND)
def test_the_same_is_found_everywhere(notes: Memory, wanted: Any, expected: set[int]) -> None:
    listed = {int(memory.external_id or -1) for memory in notes.list(metadata=wanted).memories}
    recalled = {int(hit.memory.external_id or -1) for hit in notes.recall("boat painted", metadata=wanted)}
    assert listed == recalled == expected
    assert notes.count(metadata=wanted) == len(expected)


@pytest.mark.on_a_file
@pytest.mark.parametrize(
    "wanted",
    [
        7, [], "no json", "[]", {"lang": {}}, {"lang": {"like": "d%"}}, {"lang": {"in": "de"}}, {"": 1},
        {"lang": {"exists": 1}}, {"lang": [["de"]]}, {"lang": None}, {"lang": {"gt": True}},
        {"x": float("nan")}, {"lang": {"gt": ["a"]}}, {str(number): 1 for number in range(50)},
    ],
)  # fmt: skip
def test_what_is_no_filter_is_refused(memory: Memory, wanted: Any) -> None:
    for call in (memory.list, memory.count, lambda metadata: memory.recall("boat", metadata=metadata)):
        with pytest.raises(InvalidInput) as error:
            call(metadata=wanted)
        assert error.value.code == "metadata_invalid"


def test_workspaces_are_read_by_the_beginning_of_their_names(memory: Memory) -> None:
    for name in ("acme/web", "acme/api", "other", None):
        memory.remember(f"The server of {name} is old", workspace=name)
    memories = memory.list(workspace="acme/*", strict_workspace=True).memories
    assert {record.place.workspace for record in memories} == {"acme/web", "acme/api"}
    assert len(memory.list(workspace="acme/*").memories) == 3
    assert len(memory.recall("server", workspace="acme/*", strict_workspace=True)) == 2


def test_a_context_holds_only_what_has_the_metadata(memory: Memory) -> None:
    for customer in ("acme", "globex"):
        memory.remember(
            f"Invoices of {customer} are sent as PDF", kind="convention", project="shop",
            metadata={"customer": customer},
        )  # fmt: skip
    task = "send the invoices as PDF"
    both = memory.context(task, project="shop", repeat=True).text
    assert "acme" in both
    assert "globex" in both
    text = memory.context(task, project="shop", metadata={"customer": "acme"}, repeat=True).text
    assert "acme" in text
    assert "globex" not in text
    with pytest.raises(InvalidInput):
        memory.context(task, project="shop", metadata={"customer": {"like": "a"}})


def test_an_export_holds_what_has_the_metadata_and_its_places(memory: Memory) -> None:
    source = memory.sources.add("notes", "0" * 64)
    memory.remember("The rent of acme is paid", project="shop", session="s1", metadata={"customer": "acme"})
    memory.remember("The boat is red", project="barn", session="s2", metadata={"customer": "globex"})
    memory.add_messages([{"role": "user", "content": "globex called"}], session="s2", project="barn")
    lines = [json.loads(line) for line in memory.export(metadata={"customer": "acme"})]
    named = [(one["type"], one.get("name") or one.get("id") or one.get("text")) for one in lines[1:-1]]
    texts = [one["text"] for one in lines if one["type"] == "memory"]
    assert texts == ["The rent of acme is paid"]
    assert [one for one in named if one[0] != "memory"] == [("project", "shop"), ("session", "s1")]
    assert lines[-1]["records"] == {"project": 1, "session": 1, "memory": 1}
    assert source.id in "".join(memory.export())
    whole = [json.loads(line) for line in memory.export()]
    assert sum(one["type"] == "memory" for one in whole) == 3
    with pytest.raises(InvalidInput):
        memory.export(metadata=[])  # type: ignore[arg-type]
