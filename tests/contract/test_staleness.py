"""The store contract, staleness: what is said of code is marked when the code moves on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from holdfast import InvalidInput, Memory, Outcome, Refusal
from holdfast.stores.base.ports import Store
from tests.fakes import ManualClock
from tests.support import memory_on

AUTH = '''def refresh(token):
    """Makes a token last longer."""
    return token + 3600


def revoke(token):
    """Ends a token."""
    return None
'''


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    (root / "src").mkdir(parents=True)
    (root / "src" / "auth.py").write_text(AUTH)
    return root


def write(root: Path, text: str, name: str = "auth.py") -> None:
    (root / "src" / name).write_text(text)


def noted(memory: Memory, text: str = "Tokens last an hour only", **metadata: Any) -> str:
    result = memory.remember(
        text, kind="gotcha", project="shop", metadata={"file": "src/auth.py", **metadata}
    )
    assert result.memory is not None
    return result.memory.id


def test_a_memory_carries_the_hash_of_its_file(memory: Memory, tree: Path) -> None:
    folder = memory.folders.add(tree, project="shop")
    memory.folders.index(folder.id)
    file = memory.folders.files(folder.id)[0]
    about = memory.get(noted(memory, symbol="refresh()"))
    assert about.evidence["file_sha256"] == file.digest
    assert about.evidence["file_source"] == folder.id
    assert len(about.evidence["symbol_sha256"]) == 16
    elsewhere = memory.remember(
        "Tokens end", kind="gotcha", project="other", metadata={"file": "src/auth.py"}
    )
    assert elsewhere.memory is not None
    assert elsewhere.memory.evidence == {}


def test_the_hashes_are_the_engines_and_no_callers(memory: Memory) -> None:
    result = memory.remember(
        "Tokens last an hour", kind="gotcha", project="shop", metadata={"file": "src/auth.py"},
        evidence={"file_sha256": "0" * 64, "file_source": "x", "commit": "abc"},
    )  # fmt: skip
    assert result.memory is not None
    assert result.memory.evidence == {"commit": "abc"}


def test_a_changed_file_marks_what_was_said_of_it(memory: Memory, tree: Path) -> None:
    folder = memory.folders.add(tree, project="shop")
    memory.folders.index(folder.id)
    id = noted(memory)
    assert memory.get(id).stale is None
    write(tree, AUTH.replace("3600", "7200"))
    assert memory.get(id).stale is None  # nothing looks at the disk on reading
    memory.folders.index(folder.id)
    assert memory.get(id).stale == "src/auth.py changed after this was written"
    write(tree, AUTH)
    memory.folders.index(folder.id)
    assert memory.get(id).stale is None
    (tree / "src" / "auth.py").unlink()
    memory.folders.index(folder.id)
    assert memory.get(id).stale == "src/auth.py was removed"


def test_a_changed_file_does_not_mark_what_speaks_of_a_definition_that_did_not_change(
    memory: Memory, tree: Path
) -> None:
    folder = memory.folders.add(tree, project="shop")
    memory.folders.index(folder.id)
    refresh = noted(memory, symbol="refresh")
    revoke = noted(memory, "Revoking gives nothing back", symbol="revoke()")
    write(tree, "import time\n\n" + AUTH.replace("3600", "7200"))
    memory.folders.index(folder.id)
    assert memory.get(refresh).stale == "refresh in src/auth.py changed after this was written"
    assert memory.get(revoke).stale is None
    write(tree, AUTH.split("\n\n\n")[0] + "\n")
    memory.folders.index(folder.id)
    assert memory.get(refresh).stale is None
    assert memory.get(revoke).stale == "revoke was removed from src/auth.py"


def test_a_renamed_file_keeps_what_was_said_of_it(memory: Memory, tree: Path) -> None:
    folder = memory.folders.add(tree, project="shop")
    memory.folders.index(folder.id)
    id = noted(memory)
    for before, after in (("auth.py", "session.py"), ("session.py", "login.py")):
        (tree / "src" / before).rename(tree / "src" / after)
        memory.folders.index(folder.id)
    assert (memory.get(id).stale, memory.get(id).about_file) == (None, "src/login.py")
    assert "stale" not in memory.recall("how long do tokens last", project="shop", kinds="gotcha")[0].why
    write(tree, AUTH.replace("3600", "7200"), "login.py")
    memory.folders.index(folder.id)
    assert memory.get(id).stale == (
        "src/auth.py was renamed to src/login.py; src/login.py changed after this was written"
    )
    write(tree, "def other():\n    return 1\n")  # another file takes the old place
    memory.folders.index(folder.id)
    assert memory.get(id).stale == "src/auth.py changed after this was written"


def test_stale_memories_rank_lower_and_say_why(memory: Memory, tree: Path) -> None:
    write(tree, "LIMIT = 1\n", "till.py")
    folder = memory.folders.add(tree, project="shop")
    memory.folders.index(folder.id)
    fresh = memory.remember(
        "The token of a session is kept in a cookie", kind="gotcha", project="shop",
        metadata={"file": "src/till.py"},
    ).memory  # fmt: skip
    assert fresh is not None
    stale = noted(memory, "The token of a session lasts an hour")
    question = "the token of a session"
    before = memory.recall(question, project="shop", kinds="gotcha", mode="words")
    assert [hit.memory.id for hit in before] == [stale, fresh.id]
    write(tree, AUTH.replace("3600", "7200"))
    memory.folders.index(folder.id)
    after = memory.recall(question, project="shop", kinds="gotcha", mode="words")
    assert [hit.memory.id for hit in after] == [fresh.id, stale]
    assert after[1].stale == "src/auth.py changed after this was written"
    assert after[1].why["stale"] < 0
    assert sum(after[1].why.values()) == pytest.approx(after[1].score)
    assert after[0].stale is None


def test_what_is_written_anew_speaks_of_the_file_as_it_is(memory: Memory, tree: Path) -> None:
    folder = memory.folders.add(tree, project="shop")
    memory.folders.index(folder.id)
    id = noted(memory)
    write(tree, AUTH.replace("3600", "7200"))
    memory.folders.index(folder.id)
    memory.revise(id, tags=["auth"])
    assert memory.get(id).stale is not None
    memory.revise(id, text="Tokens last two hours")
    assert memory.get(id).stale is None


def test_m_8_a_folder_out_of_sight_marks_nothing(store: Store, tree: Path) -> None:
    ana, ben = memory_on(store, user="ana"), memory_on(store, user="ben")
    folder = ana.folders.add(tree, project="shop")
    ana.folders.index(folder.id)
    result = ana.remember(
        "Tokens last an hour", kind="gotcha", project="shop", visibility="project",
        metadata={"file": "src/auth.py"},
    )  # fmt: skip
    assert result.memory is not None
    write(tree, "x = 1\n")
    ana.folders.index(folder.id)
    assert ana.get(result.memory.id).stale is not None
    assert ben.get(result.memory.id).stale is None
    assert ben.recall("tokens", project="shop")[0].stale is None
    ana.folders.disconnect(folder.id, "shop")
    assert ana.recall("tokens", project="shop", kinds="gotcha")[0].stale is None


def stale(memory: Memory) -> list[str]:
    """What is listed as stale."""
    return [record.id for record in memory.list(project="shop", stale=True).memories]


def test_what_still_holds_is_confirmed(memory: Memory, clock: ManualClock, tree: Path) -> None:
    folder = memory.folders.add(tree, project="shop")
    memory.folders.index(folder.id)
    id = noted(memory)
    noted(memory, "Revoking gives nothing back", symbol="revoke")
    assert stale(memory) == []
    write(tree, AUTH.replace("3600", "7200"))
    memory.folders.index(folder.id)
    assert stale(memory) == [id]
    before = memory.get(id)
    clock.forward(millis=1_000)
    result = memory.review.confirm(id)
    assert (result.id, result.version, result.text, result.stale) == (id, 1, before.text, None)
    assert result.updated_at > before.updated_at
    assert memory.get(id).stale is None
    assert stale(memory) == []
    assert [one.action for one in memory.history(id)] == ["remember", "confirm"]
    assert memory.review.confirm(id).updated_at == result.updated_at  # there is nothing to do
    (tree / "src" / "auth.py").unlink()
    memory.folders.index(folder.id)
    with pytest.raises(InvalidInput, match="was removed") as caught:
        memory.review.confirm(id)
    assert caught.value.code == "nothing_to_change"


@pytest.mark.parametrize("name", ["what was renamed to what.md", "x; it was removed.md", "plain.md"])
def test_what_a_file_is_called_says_nothing_of_what_became_of_it(
    memory: Memory, tree: Path, name: str
) -> None:
    """Its name may read like a sentence about a change: the score and the list go by the change itself."""
    (tree / name).write_text("One\n")
    folder = memory.folders.add(tree, project="shop")
    memory.folders.index(folder.id)
    id = noted(memory, "The token of a session lasts an hour", file=name)
    (tree / name).write_text("Two\n")
    memory.folders.index(folder.id)
    assert memory.get(id).stale == f"{name} changed after this was written"
    assert stale(memory) == [id]
    hit = memory.recall("the token of a session", project="shop", kinds="gotcha")[0]
    assert hit.why["stale"] / (hit.score - hit.why["stale"]) == pytest.approx(-0.15)
    assert memory.review.confirm(id).stale is None


def test_what_is_about_no_file_cannot_be_confirmed(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="refers to no file"):
        memory.review.confirm(noted(memory, file=None))


def test_what_is_said_again_is_said_of_the_file_as_it_is_now(memory: Memory, tree: Path) -> None:
    folder = memory.folders.add(tree, project="shop")
    memory.folders.index(folder.id)
    id = noted(memory)
    write(tree, AUTH.replace("3600", "7200"))
    memory.folders.index(folder.id)
    again = memory.remember("Tokens last an hour only", kind="gotcha", project="shop")
    assert (again.outcome, again.related) == (Outcome.MERGED, id)
    assert again.reason == "exactly this text is already stored; confirmed for src/auth.py as it is now"
    assert memory.get(id).stale is None
    assert memory.remember("Tokens last an hour only", kind="gotcha", project="shop").outcome is (
        Outcome.DUPLICATE
    )
    write(tree, AUTH)
    memory.folders.index(folder.id)
    nearly = memory.remember("tokens last an hour only!", kind="gotcha", project="shop")
    assert (nearly.outcome, nearly.related) == (Outcome.MERGED, id)
    assert memory.get(id).stale is None


def test_no_machine_confirms_what_a_person_settled(store: Store, tree: Path) -> None:
    memory, agent = memory_on(store), memory_on(store, agent="coder")
    folder = memory.folders.add(tree, project="shop")
    memory.folders.index(folder.id)
    id = noted(memory)
    memory.pin(id)
    write(tree, AUTH.replace("3600", "7200"))
    memory.folders.index(folder.id)
    with pytest.raises(Refusal):
        agent.review.confirm(id)
    result = agent.remember(
        "Tokens last an hour only", kind="gotcha", project="shop", visibility=memory.get(id).visibility
    )
    assert result.outcome is Outcome.DUPLICATE
    assert memory.get(id).stale is not None


def test_a_change_elsewhere_in_the_file_weighs_less_than_one_of_the_definition(
    memory: Memory, tree: Path
) -> None:
    """It takes little from what names a file only, since it may have nothing to do with it."""
    folder = memory.folders.add(tree, project="shop")
    memory.folders.index(folder.id)
    noted(memory, "The hour of a token is counted in seconds")
    noted(memory, "The hour of a token is a whole one", symbol="refresh")
    write(tree, AUTH.replace("3600", "7200"))
    memory.folders.index(folder.id)
    hits = memory.recall("the hour of a token", project="shop", kinds="gotcha")
    lost = {hit.memory.text: hit.why["stale"] / (hit.score - hit.why["stale"]) for hit in hits}
    assert lost == pytest.approx(
        {"The hour of a token is counted in seconds": -0.15, "The hour of a token is a whole one": -0.4}
    )


def test_what_is_read_of_a_renamed_file_names_it_as_it_is_called_now(memory: Memory, tree: Path) -> None:
    folder = memory.folders.add(tree, project="shop")
    memory.folders.index(folder.id)
    id = noted(memory)
    (tree / "src" / "auth.py").rename(tree / "src" / "login.py")
    memory.folders.index(folder.id)
    assert memory.get(id).metadata == {"file": "src/login.py"}
    assert memory.recall("how long do tokens last", project="shop")[0].memory.about_file == "src/login.py"
    made = memory.context("how long do tokens last", project="shop")
    assert "[GOTCHA] src/login.py [M1]" in made.text
    assert stale(memory) == []
    assert memory.review.confirm(id).stale is None


def test_what_is_stale_gives_way_to_better_ones_at_every_limit(memory: Memory, tree: Path) -> None:
    for i in range(12):
        write(tree, AUTH, f"auth{i}.py")
    folder = memory.folders.add(tree, project="shop")
    memory.folders.index(folder.id)
    for i in range(12):
        text = f"Tokens of tenant {i} last an hour" + (" and are kept in the token table" if i > 9 else "")
        memory.remember(text, kind="gotcha", project="shop", metadata={"file": f"src/auth{i}.py"})
    for i in range(10):
        (tree / "src" / f"auth{i}.py").unlink()
    memory.folders.index(folder.id)
    best = memory.recall("how long do tokens last", project="shop", limit=12, kinds=["gotcha"])
    for limit in (1, 2, 3):
        matches = memory.recall("how long do tokens last", project="shop", limit=limit, kinds=["gotcha"])
        assert matches[0].score == pytest.approx(best[0].score)
        assert all(hit.memory.stale is None for hit in matches[:2])
    between = (best[1].score + best[2].score) / 2
    matches = memory.recall(
        "how long do tokens last", project="shop", limit=12, kinds=["gotcha"], threshold=between
    )
    assert len(matches) == 2


def test_a_fresh_memory_is_found_behind_many_stale_ones(memory: Memory, tree: Path) -> None:
    folder = memory.folders.add(tree, project="shop")
    memory.folders.index(folder.id)
    for i in range(70):
        noted(memory, f"Tokens of a tenant last an hour, says line {i}")
    memory.remember(
        "Tokens of a tenant with a contract last how long they want", kind="gotcha", project="shop"
    )
    write(tree, AUTH.replace("def refresh", "def renew"))
    (tree / "src" / "auth.py").unlink()
    memory.folders.index(folder.id)
    matches = memory.recall("how long do tokens of a tenant last", project="shop", limit=3, kinds=["gotcha"])
    whole = memory.recall("how long do tokens of a tenant last", project="shop", limit=80, kinds=["gotcha"])
    assert matches[0].memory.id == whole[0].memory.id
    assert matches[0].stale is None
