"""The store contract: several scopes in one search, united or each on its own."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast import HoldfastError, InvalidInput, Memory
from tests.support import texts

TEXTS = {
    ("file", "a.py"): "The harbour light of file a",
    ("file", "b.py"): "The harbour light of file b",
    ("team", None): "The harbour light of the team",
    ("track", "1"): "The harbour light of track one",
    None: "The harbour light of everybody",
}


@pytest.fixture
def scoped(memory: Memory) -> Memory:
    for scope, text in TEXTS.items():
        if scope != ("team", None):
            memory.remember(text, kind="fact", project="sea", scope=scope)
    memory.remember(TEXTS["team", None], kind="fact", project="sea", scope=("team", "core"))
    return memory


def recalled(memory: Memory, *scopes: str) -> set[str]:
    return {text.removeprefix("The harbour light of ") for text in
            texts(memory.recall("harbour light", project="sea", scopes=scopes))}  # fmt: skip


def test_s3_31_s2_10_scopes_are_united(scoped: Memory) -> None:
    """This file or the team; this track or what has no scope."""
    assert recalled(scoped, "file:a.py", "team") == {"file a", "the team"}
    assert recalled(scoped, "track:1", "global") == {"track one", "everybody"}
    assert recalled(scoped, "file") == {"file a", "file b"}
    assert recalled(scoped, "file:absent", "absent") == set()
    assert len(recalled(scoped)) == len(TEXTS)
    listed = scoped.list(project="sea", scopes=["file:b.py", "global"])
    assert len(listed.memories) == 2
    boosted = scoped.recall("harbour light", project="sea", scopes=["file", "team"], boost={"team": 3.0})
    assert boosted[0].memory.scope.type == "team"


def test_a_context_is_of_scopes_as_well(scoped: Memory) -> None:
    for role in ("coder", "chat"):
        made = scoped.context("harbour light", project="sea", scopes=["file:a.py", "team"], role=role)
        assert {entry.line for entry in made.entries} == {TEXTS["file", "a.py"], TEXTS["team", None]}
        assert "file:a.py" in made.text
        assert "team:core" in made.text


@pytest.mark.parametrize("role", ["coder", "chat"])
def test_s3_31_a_context_weighs_types_of_scope(scoped: Memory, role: str) -> None:
    scope_of = {TEXTS["file", "a.py"]: "file", TEXTS["team", None]: "team"}
    options: dict[str, Any] = {"project": "sea", "scopes": ["file:a.py", "team"], "role": role}
    for first, last in (("file", "team"), ("team", "file")):
        made = scoped.context("harbour light", boost={first: 1.5, last: 0.5}, **options)
        assert [scope_of[entry.line] for entry in made.entries] == [first, last]
    only = scoped.context("harbour light", boost={"file": 0}, **options)
    assert [scope_of[entry.line] for entry in only.entries] == ["team"]
    with pytest.raises(InvalidInput):
        scoped.context("harbour light", boost={"file": -1}, **options)


def test_s2_31_each_scope_has_hits_of_its_own(scoped: Memory) -> None:
    for number in range(6):
        scoped.remember(
            f"The harbour light number {number}", kind="fact", project="sea", scope=("file", "c.py")
        )
    hits = scoped.recall_scopes("harbour light", ["file:c.py", "global", "file:absent"], project="sea")
    assert {scope: len(found) for scope, found in hits.items()} == {
        "file:c.py": 4, "global": 1, "file:absent": 0,
    }  # fmt: skip
    alone = scoped.recall("harbour light", project="sea", scopes=["global"])
    assert [hit.score for hit in hits["global"]] == [hit.score for hit in alone]
    assert len(scoped.recall_scopes("harbour", ["file"], project="sea", limit=2)["file"]) == 2


def test_scopes_that_cannot_be_are_refused(memory: Memory) -> None:
    for scopes in (["a\nb"], [f"file:{n}" for n in range(101)], [":x"]):
        with pytest.raises(HoldfastError) as refused:
            memory.recall("harbour", scopes=scopes)
        assert refused.value.code in ("place_invalid", "argument_invalid")
    for scopes in ([""], ["team:"], ["global", "file:"], []):
        with pytest.raises(HoldfastError) as refused:
            memory.recall_scopes("harbour", scopes)
        assert refused.value.code in ("place_invalid", "argument_invalid")
        if scopes:
            with pytest.raises(HoldfastError):
                memory.recall("harbour", scopes=scopes)


def test_a_scope_is_named_by_a_text_or_a_pair(memory: Memory) -> None:
    """The text of the command line means the same in Python, also as a part of the key of an own id."""
    for name in ("a", "b"):
        memory.remember(f"cell of {name}", scope=f"file:{name}.xlsx", external_id="A1")
    assert memory.get("A1", scope=("file", "b.xlsx")).text == "cell of b"
    assert memory.get("A1", scope="file:a.xlsx").text == "cell of a"
    assert len(memory.list(scope="file").memories) == 2
    with pytest.raises(InvalidInput) as caught:
        memory.remember("no file", scope="file:")
    assert caught.value.code == "place_invalid"
