"""Recall in files: by path, by language, and in code alone (S1.46)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from holdfast import InvalidInput, Memory
from holdfast.features.access.access import Grant
from holdfast.features.access.keys import service_for
from holdfast.features.reading.types import languages
from holdfast.stores.base.ports import Store
from tests.fakes import ManualClock
from tests.support import memory_on, open_store, service_on

FILES = {
    "src/auth/token.py": "def refresh(token):\n    return 'the harbour token of the session'\n",
    "src/auth/deep/keys.py": "KEYS = 'harbour keys by name'\n",
    "src/web/view.tsx": "export const View = () => 'harbour view';\n",
    "src/web/api.ts": "export const api = 'harbour api';\n",
    "tests/auth/test_token.py": "def test_token():\n    assert 'harbour token'\n",
    "docs/auth.md": "# Tokens\n\nHow the harbour token is refreshed.\n",
    "settings.toml": "harbour = 'on'\n",
    "Makefile": "harbour:\n\techo harbour\n",
}


def indexed(memory: Memory, root: Path, files: dict[str, str], project: str = "shop") -> Any:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    folder = memory.folders.add(root, project=project)
    memory.folders.index(folder.id)
    return folder


def recalled(memory: Memory, query: str = "harbour", project: str = "shop", **options: Any) -> set[str]:
    """The paths of what is found, or the texts of what is of no file."""
    hits = memory.recall(query, project=project, limit=50, **options)
    memories = [hit.memory for hit in hits]
    return {record.metadata["path"] if record.kind == "passage" else record.text for record in memories}


@pytest.fixture
def shop(memory: Memory, tmp_path: Path) -> Memory:
    """A folder, and memories beside it."""
    indexed(memory, tmp_path / "shop", FILES)
    memory.remember("The harbour token is refreshed hourly", kind="decision", project="shop")
    memory.remember("harbour src/auth", kind="note", project="shop", metadata={"path": "src/auth/token.py"})
    memory.add_messages([{"role": "user", "content": "harbour?"}], session="talk", project="shop")
    return memory


PY = {"src/auth/token.py", "src/auth/deep/keys.py", "tests/auth/test_token.py"}
WEB = {"src/web/view.tsx", "src/web/api.ts"}
CASES: list[tuple[dict[str, Any], set[str]]] = [
    ({"path": "src/auth"}, {"src/auth/token.py", "src/auth/deep/keys.py"}),
    ({"path": "./src/auth/"}, {"src/auth/token.py", "src/auth/deep/keys.py"}),
    ({"path": "src\\auth\\deep"}, {"src/auth/deep/keys.py"}),
    ({"path": "src/auth/token.py"}, {"src/auth/token.py"}),
    ({"path": "src/au"}, set()),
    ({"path": "auth"}, {"src/auth/token.py", "src/auth/deep/keys.py", "tests/auth/test_token.py"}),
    ({"path": "/auth"}, set()),
    ({"path": "auth.md"}, {"docs/auth.md"}),
    ({"path": "*.py"}, PY),
    ({"path": "src/*.py"}, set()),
    ({"path": "src/**/*.py"}, {"src/auth/token.py", "src/auth/deep/keys.py"}),
    ({"path": ["docs", "src/web/*.ts"]}, {"docs/auth.md", "src/web/api.ts"}),
    ({"path": ["*.py", "!tests"]}, PY - {"tests/auth/test_token.py"}),
    (
        {"path": ["!tests", "!src/web", "!*.md"]},
        {*PY, "settings.toml", "Makefile"} - {"tests/auth/test_token.py"},
    ),
    ({"path": "SRC/auth"}, set()),
    ({"language": "python"}, PY),
    ({"language": "Python"}, PY),
    ({"language": "py"}, PY),
    ({"language": "typescript"}, WEB),
    ({"language": ["tsx", "make"]}, {"src/web/view.tsx", "Makefile"}),
    ({"language": "go"}, set()),
    ({"code_only": True}, {*PY, *WEB, "Makefile"}),
    (
        {"code_only": True, "path": "src/auth", "language": "python"},
        {"src/auth/token.py", "src/auth/deep/keys.py"},
    ),
    ({"code_only": True, "path": "docs"}, set()),
    ({"path": "src/auth", "kinds": "passage"}, {"src/auth/token.py", "src/auth/deep/keys.py"}),
    ({"path": "src/auth", "kinds": "decision"}, set()),
]


def test_s1_46_only_passages_of_these_files_are_found(shop: Memory) -> None:
    assert recalled(shop) >= {"The harbour token is refreshed hourly", "harbour?", *FILES}
    for asked, expected in CASES:
        for mode in ("hybrid", "words"):
            assert recalled(shop, **asked, mode=mode) == expected, asked


def test_s1_46_words_count_in_these_files_alone(shop: Memory) -> None:
    """As if nothing else was there: the number of memories, and a word that is rare among them."""
    whole = shop.recall("harbour token", project="shop")
    narrow = shop.recall("harbour token", project="shop", path="src/auth")
    assert (narrow.searched, whole.searched > narrow.searched) == (2, True)
    assert narrow[0].memory.metadata["path"] == "src/auth/token.py"


def test_s1_46_a_path_of_the_disk_is_one_in_its_folder(memory: Memory, tmp_path: Path) -> None:
    for name in ("shop", "barn"):
        indexed(
            memory, tmp_path / name, {"src/a.py": f"NAME = 'harbour {name}'\n", "b.md": f"harbour {name}\n"}
        )
    root = (tmp_path / "barn").resolve()
    texts = [hit.memory.text for hit in memory.recall("harbour", project="shop", path=str(root / "src"))]
    assert texts == ["NAME = 'harbour barn'"]
    hits = memory.recall("harbour", project="shop", path=[str(root), "src/a.py"])
    assert {hit.memory.text for hit in hits} == {
        "NAME = 'harbour barn'",
        "harbour barn",
        "NAME = 'harbour shop'",
    }
    assert len(memory.recall("harbour", project="shop", path=str(root) + "/**/*.py")) == 1


def test_s1_46_a_file_that_was_renamed_is_found_by_its_present_path(memory: Memory, tmp_path: Path) -> None:
    folder = indexed(memory, tmp_path / "shop", FILES)
    (tmp_path / "shop/src/auth/token.py").rename(tmp_path / "shop/src/web/token.py")
    memory.folders.index(folder.id)
    assert recalled(memory, path="src/web", language="python") == {"src/web/token.py"}
    assert recalled(memory, path="src/auth") == {"src/auth/deep/keys.py"}


def test_s1_46_what_is_pending_or_was_forgotten_stays_out_of_sight(shop: Memory) -> None:
    (hit,) = list(shop.recall("harbour", project="shop", path="src/auth/token.py"))
    shop.forget(hit.memory.id)
    assert recalled(shop, path="src/auth") == {"src/auth/deep/keys.py"}


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"language": "klingon"}, "language_unknown"),
        ({"language": ["python", ""]}, "language_unknown"),
        ({"language": "markdown"}, "language_unknown"),
        ({"language": 7}, "argument_invalid"),
        ({"language": []}, "argument_invalid"),
        ({"path": ""}, "argument_invalid"),
        ({"path": " / "}, "argument_invalid"),
        ({"path": []}, "argument_invalid"),
        ({"path": "x" * 1_001}, "argument_invalid"),
        ({"path": "*a" * 40}, "argument_invalid"),
        ({"path": ["a"] * 101}, "argument_invalid"),
        ({"code_only": "yes"}, "argument_invalid"),
    ],
)
def test_s1_46_what_names_no_file_is_refused(memory: Memory, asked: dict[str, Any], code: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        memory.recall("harbour", **asked)
    assert refused.value.code == code
    if code == "language_unknown":
        assert all(name in str(refused.value.hint) for name in languages())


def test_s1_46_others_files_are_not_found_by_their_paths(store: Store, tmp_path: Path) -> None:
    clock = ManualClock()
    service = service_on(store, clock=clock)
    ana, ben = Memory.over(service), memory_on(store, user="ben", clock=clock, seed=2)
    indexed(ana, tmp_path / "shop", FILES)
    indexed(ana, tmp_path / "barn", {"src/auth/barn.py": "BARN = 'harbour'\n"}, "barn")
    assert recalled(ben, path="src/auth") == set()
    assert recalled(ana, path="src/auth") == {"src/auth/token.py", "src/auth/deep/keys.py"}
    assert recalled(ana, path="src/auth", project="barn") == {"src/auth/barn.py"}
    limited = Memory.over(service_for(service, Grant(service.principal, projects=frozenset({"barn"}))))
    assert recalled(limited, path="src/auth", project="*") == {"src/auth/barn.py"}


def test_s1_46_files_elsewhere_make_no_difference(tmp_path: Path) -> None:
    answers = []
    for world, elsewhere in enumerate(({}, {"src/auth/a.py": "A = 'harbour token harbour'\n"})):
        (tmp_path / f"store-{world}").mkdir()
        store = open_store("sqlite", tmp_path / f"store-{world}")
        clock = ManualClock()
        ana, ben = (memory_on(store, user=n, clock=clock, seed=s) for n, s in (("ana", 1), ("ben", 2)))
        if elsewhere:
            indexed(ben, tmp_path / f"ben-{world}", elsewhere)
            indexed(ana, tmp_path / f"other-{world}", elsewhere, "other")
        indexed(ana, tmp_path / f"shop-{world}", FILES)
        hits = ana.recall("the harbour token", project="shop", path="*.py", code_only=True)
        answers.append([(hit.memory.text, hit.score.hex(), hit.why) for hit in hits] + [hits.searched])
        store.close()
    assert answers[0] == answers[1]


def test_copies_of_checkouts_take_no_room_and_are_copies_in_one_project_only(
    memory: Memory, tmp_path: Path
) -> None:
    files = {f"src/part{i}.py": f"HARBOUR = 'harbour part {i}{' and pier' * i}'\n" for i in range(15)}
    for name in ("one", "two", "three", "four"):
        indexed(memory, tmp_path / name, files)
    indexed(memory, tmp_path / "other", {"src/part0.py": files["src/part0.py"]}, "yard")
    hits = memory.recall("harbour", project="shop", limit=12)
    assert len({hit.memory.metadata["path"] for hit in hits}) == 12
    alike = memory.recall("harbour part 0", project="*", path="src/part0.py")
    assert len({hit.memory.source for hit in alike}) == len(alike) == 2
