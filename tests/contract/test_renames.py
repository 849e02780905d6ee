"""The store contract, renames: a file that is renamed and changed at once goes on as the file that it was."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from holdfast import Memory
from holdfast.core.folders import File
from holdfast.features.files import folders as engine_folders
from holdfast.features.files.indexing import index_folder
from tests.unit.test_scanning import folder_with

LICENCE = "".join(
    f"# Line {n} of the licence under which all of this may be used by anybody.\n" for n in range(20)
)
AUTH = '''def refresh(token):
    """Makes a token last longer."""
    return token + 3600


def revoke(token):
    """Ends a token."""
    return None


def issue(user, scope):
    """Gives a user a token for what they may do."""
    return f"{user}/{scope}"
'''
CHANGED = AUTH.replace("3600", "7200")
WORDS = (
    "harbour boat keeper paint spring tide rope anchor lamp chart engine sail deck crew port signal".split()
)


def code(seed: int, lines: int = 30) -> str:
    """A file of functions that no other seed gives."""
    said = random.Random(seed)
    return "".join(
        f"def {said.choice(WORDS)}_{said.choice(WORDS)}_{said.randrange(10**6)}({said.choice(WORDS)}):\n"
        f"    return {said.choice(WORDS)} * {said.randrange(10**6)}\n\n\n"
        for _ in range(lines // 4)
    )


def git(root: Path, *arguments: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=Ada", "-c", "user.email=ada@shop.example", "-c", "commit.gpgsign=false",
         *arguments],
        cwd=root, check=True, capture_output=True,
    )  # fmt: skip


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository with one file, committed."""
    root = folder_with(tmp_path / "shop", {"src/auth.py": AUTH})
    git(root, "init")
    git(root, "add", "-A")
    git(root, "commit", "-m", "one")
    return root


def indexed(memory: Memory, root: Path) -> str:
    folder = memory.folders.add(root, project="shop").id
    memory.folders.index(folder)
    return folder


def noted(memory: Memory, text: str, **metadata: Any) -> str:
    result = memory.remember(
        text, kind="gotcha", project="shop", metadata={"file": "src/auth.py", **metadata}
    )
    assert result.memory is not None
    return result.memory.id


def files(memory: Memory, folder: str) -> dict[str, File]:
    return {file.path: file for file in memory.folders.files(folder, limit=1000)}


def file_counts(memory: Memory, folder: str) -> tuple[int, int, int]:
    """How many files were renamed, are new, were removed."""
    report = memory.folders.index(folder)
    return report.renamed, report.new, report.removed


def test_s1_67_a_file_renamed_and_changed_in_one_commit_goes_on(memory: Memory, tree: Path) -> None:
    folder = indexed(memory, tree)
    whole = noted(memory, "Tokens last an hour only")
    refresh = noted(memory, "Refreshing twice breaks the token", symbol="refresh")
    revoke = noted(memory, "Revoking gives nothing back", symbol="revoke()")
    git(tree, "mv", "src/auth.py", "src/login.py")
    (tree / "src" / "login.py").write_text(CHANGED)
    git(tree, "commit", "-am", "two")
    assert file_counts(memory, folder) == (1, 0, 0)
    assert files(memory, folder)["src/login.py"].renamed_from == "src/auth.py"
    renamed = "src/auth.py was renamed to src/login.py"
    assert memory.get(whole).stale == f"{renamed}; src/login.py changed after this was written"
    assert memory.get(refresh).stale == f"{renamed}; refresh in src/login.py changed after this was written"
    assert (memory.get(revoke).stale, memory.get(revoke).about_file) == (None, "src/login.py")
    assert memory.get(whole).about_file == "src/login.py"
    listed = memory.list(project="shop", stale=True).memories
    assert {one.id for one in listed} == {whole, refresh}  # a rename alone leaves nothing to look at
    assert {record.id for record in memory.list(project="shop").memories if record.stale} == {whole, refresh}
    hits = {hit.memory.id: hit for hit in memory.recall("tokens", project="shop", kinds="gotcha")}
    lost = {id: hits[id].why["stale"] / (hits[id].score - hits[id].why["stale"]) for id in (whole, refresh)}
    assert lost == pytest.approx({whole: -0.15, refresh: -0.4})
    assert memory.review.confirm(whole).stale is None
    assert memory.list(project="shop", stale=True).memories[0].id == refresh


def test_what_stays_of_a_file_that_is_renamed_and_changed_keeps_its_id(
    memory: Memory, tmp_path: Path
) -> None:
    parts = [f"## Part {n}\n\n" + f"What part {n} says of the harbour at night. " * 40 for n in range(6)]
    root = folder_with(tmp_path / "shop", {"guide.md": "\n\n".join(parts)})
    folder = indexed(memory, root)
    before = {record.title: record.id for record in memory.list(project="shop", kinds="passage").memories}
    memory.pin(before["Part 1"])
    memory.forget(before["Part 2"])
    (root / "guide.md").unlink()
    folder_with(root, {"docs/harbour.md": "\n\n".join([*parts[:5], "## Part 5\n\nNothing of it."])})
    assert file_counts(memory, folder) == (1, 0, 0)
    after = {record.title: record for record in memory.list(project="shop", kinds="passage").memories}
    assert {title for title, one in after.items() if one.id == before[title]} == {
        "Part 0", "Part 1", "Part 3", "Part 4"
    }  # fmt: skip
    assert after["Part 1"].pinned
    assert "Part 2" not in after  # what was forgotten does not come back


def test_s1_67_a_job_of_the_watcher_sees_it_too(memory: Memory, tree: Path) -> None:
    """It looks at the paths that it heard of only."""
    folder_with(tree, {f"src/part_{n}.py": code(n) for n in range(5)})
    folder = indexed(memory, tree)
    id = noted(memory, "Tokens last an hour only")
    git(tree, "mv", "src/auth.py", "src/login.py")
    (tree / "src" / "login.py").write_text(CHANGED)
    service = memory._service
    job = engine_folders.queue_for_owner(
        service, memory.folders.get(folder).folder, ["src/auth.py", "src/login.py"]
    )
    report = index_folder(service, folder, job=job.id)
    assert (report.renamed, report.new, report.removed) == (1, 0, 0)
    assert (memory.get(id).stale or "").startswith("src/auth.py was renamed to src/login.py; ")


def test_a_folder_that_is_renamed_with_changes_in_every_file(memory: Memory, tmp_path: Path) -> None:
    texts = {f"part_{n}.py": LICENCE + code(n) for n in range(120)}
    root = folder_with(tmp_path / "shop", {f"old/{name}": text for name, text in texts.items()})
    folder = indexed(memory, root)
    (root / "old").rename(root / "new")
    folder_with(root, {f"new/{name}": f"{text}\nADDED = {name!r}\n" for name, text in texts.items()})
    assert file_counts(memory, folder) == (120, 0, 0)
    found = files(memory, folder)
    assert {path: one.renamed_from for path, one in found.items()} == {
        f"new/{name}": f"old/{name}" for name in texts
    }


def test_files_that_swap_folders_and_names_are_told_apart(memory: Memory, tmp_path: Path) -> None:
    """The best first: each file once, and the text has more say than the name."""
    texts = {"one.py": code(1, 60), "two.py": code(2, 60), "three.py": code(3, 60)}
    root = folder_with(tmp_path / "shop", {f"old/{name}": text for name, text in texts.items()})
    folder = indexed(memory, root)
    (root / "old").rename(root / "gone")
    for path in (root / "gone").iterdir():
        path.unlink()
    (root / "gone").rmdir()
    folder_with(root, {
        "new/two.py": texts["one.py"] + "\n# x\n",
        "new/three.py": texts["two.py"].replace("return", "yield", 1),
        "new/copy.py": "\n".join(texts["two.py"].split("\n")[:45]),
        "new/same.py": texts["three.py"],
    })  # fmt: skip
    assert file_counts(memory, folder) == (3, 1, 0)
    assert {path: file.renamed_from for path, file in files(memory, folder).items()} == {
        "new/two.py": "old/one.py", "new/three.py": "old/two.py", "new/same.py": "old/three.py",
        "new/copy.py": None,
    }  # fmt: skip


IMPORTS = "from __future__ import annotations\n\nimport os\nimport sys\nfrom pathlib import Path\n\n"
MAIN = '\n\nif __name__ == "__main__":\n    sys.exit(main())\n'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (LICENCE + code(1, 8), LICENCE + code(2, 8)),
        ("/*\n" + LICENCE.replace("#", "") + "*/\n" + code(1, 8), "/*\n" + LICENCE.replace("#", "") + "*/\n"),
        (IMPORTS + code(1, 4), IMPORTS + code(2, 4)),
        (LICENCE, LICENCE + "# and this\n"),
        ("x = 1\n", "x = 1\ny = 2\n"),
        (code(1), code(2)),
        (AUTH, AUTH + code(3, 200)),
    ],
    ids=["licence", "block", "imports", "nothing but a licence", "tiny", "other", "mostly new"],
)
def test_files_that_only_share_what_strangers_share_are_not_taken_for_one(
    memory: Memory, tmp_path: Path, old: str, new: str
) -> None:
    root = folder_with(tmp_path / "shop", {"src/auth.py": old})
    folder = indexed(memory, root)
    id = noted(memory, "Tokens last an hour only")
    (root / "src" / "auth.py").unlink()
    folder_with(root, {"src/other.py": new})
    assert file_counts(memory, folder) == (0, 1, 1)
    assert memory.get(id).stale == "src/auth.py was removed"


def test_what_other_files_of_the_folder_hold_as_well_is_no_sign(memory: Memory, tmp_path: Path) -> None:
    """A skeleton that every file has, with little of its own in each."""
    skeleton = "".join(f"    client.configure(step={n}, name='the same everywhere')\n" for n in range(15))
    texts = {f"src/client_{n}.py": f"def make_{n}(client):\n{skeleton}{code(n, 8)}" for n in range(6)}
    root = folder_with(
        tmp_path / "shop", {**texts, "src/auth.py": f"def auth(client):\n{skeleton}{code(9, 8)}"}
    )
    folder = indexed(memory, root)
    (root / "src" / "auth.py").unlink()
    folder_with(root, {"src/other.py": f"def other(client):\n{skeleton}{code(10, 8)}"})
    assert file_counts(memory, folder) == (0, 1, 1)


def test_a_copy_of_a_file_that_is_left_out_now_is_no_rename(memory: Memory, tree: Path) -> None:
    folder = indexed(memory, tree)
    memory.folders.add(tree, project="shop", include=["login.py"])
    folder_with(tree, {"src/login.py": CHANGED})
    report = memory.folders.index(folder)
    assert (report.renamed, report.removed) == (0, 1)


def test_a_file_that_moves_to_the_top_is_told_as_renamed(memory: Memory, tree: Path) -> None:
    folder = indexed(memory, tree)
    id = noted(memory, "Tokens last an hour only")
    git(tree, "mv", "src/auth.py", "auth.py")
    memory.folders.index(folder)
    assert (memory.get(id).stale, memory.get(id).about_file) == (None, "auth.py")


def test_the_language_of_a_file_may_change_with_its_name(memory: Memory, tmp_path: Path) -> None:
    text = "".join(
        f"export const part{n} = (boat) => boat.sail({n} * 17, 'harbour {n}')\n" for n in range(12)
    )
    root = folder_with(tmp_path / "shop", {"src/boats.js": text})
    folder = indexed(memory, root)
    (root / "src" / "boats.js").unlink()
    folder_with(root, {"src/boats.ts": text.replace("(boat)", "(boat: Boat)", 3)})
    assert file_counts(memory, folder) == (1, 0, 0)


# module maps


def repository(root: Path) -> Path:
    """Two modules, committed."""
    texts = {f"src/{name}/{part}.py": code(hash_of(name + part)) for name in ("billing", "shipping")
             for part in ("reading", "writing")}  # fmt: skip
    folder_with(root, texts)
    git(root, "init")
    git(root, "add", "-A")
    git(root, "commit", "-m", "one")
    return root


def hash_of(text: str) -> int:
    return sum(ord(sign) * 31**at for at, sign in enumerate(text))


def renamed_with_changes(root: Path) -> dict[str, str]:
    """Every file of a module goes elsewhere and is changed."""
    (root / "src" / "payments").mkdir()
    moved = {}
    for part, new in (("reading", "incoming"), ("writing", "outgoing")):
        moved[f"src/billing/{part}.py"] = f"src/payments/{new}.py"
        git(root, "mv", f"src/billing/{part}.py", f"src/payments/{new}.py")
        path = root / f"src/payments/{new}.py"
        path.write_text(path.read_text() + f"\n\nLIMIT = {len(new)}\n")
    return moved


@pytest.mark.parametrize("by", ["index", "scan", "scan of what is staged"])
def test_s4_53_a_module_follows_files_that_are_renamed_and_changed(
    memory: Memory, tmp_path: Path, by: str
) -> None:
    """By the index where the folder is one, else by what git says."""
    root = repository(tmp_path / "repo")
    memory.maps.scan(root, project="shop", seed=False)
    before = memory.maps.get("shop")
    (name,) = [module.name for module in before.modules.values() if "src/billing/reading.py" in module.files]
    memory.maps.update(
        name, project="shop", description="Ada's bills", entry_points=["src/billing/reading.py"]
    )
    memory.maps.opened(["src/billing/writing.py"], project="shop", session="s")
    if by == "index":
        folder = indexed(memory, root)
    renamed_with_changes(root)
    if by == "scan of what is staged":
        git(root, "add", "-A")
    else:
        git(root, "commit", "-am", "two")
    if by == "index":
        report = memory.folders.index(folder)
        assert (report.renamed, report.new, report.removed, report.modules) == (2, 0, 0, {})
    memory.maps.scan(root, project="shop", seed=False)
    after = memory.maps.get("shop")
    assert after.modules.keys() == before.modules.keys()
    one = after.modules[name]
    assert (one.description, one.is_gone) == ("Ada's bills", False)
    assert {*one.files} == {"src/payments/incoming.py", "src/payments/outgoing.py"}
    assert one.entry_points == ("src/payments/incoming.py",)
    assert (one.by_person, one.opened) == (("src/payments/incoming.py",), ("src/payments/outgoing.py",))


def test_a_module_that_leaves_the_map_is_told(memory: Memory, tmp_path: Path) -> None:
    root = repository(tmp_path / "repo")
    memory.maps.scan(root, project="shop", seed=False)
    folder = indexed(memory, root)
    before = memory.maps.get("shop").modules
    (gone,) = [one.name for one in before.values() if "src/billing/reading.py" in one.files]
    for path in (root / "src" / "billing").iterdir():
        path.unlink()
    report = memory.folders.index(folder)
    assert report.modules == {"shop": (gone,)}
    assert report.as_dict()["modules_gone"] == 1
    assert memory.maps.get("shop").modules[gone].is_gone
    assert gone not in [one.module.name for one in memory.maps.match("billing", project="shop")]
    git(root, "checkout", "src/billing")
    assert memory.folders.index(folder).modules == {}
    assert memory.maps.get("shop").modules == before
    for path in (root / "src" / "billing").iterdir():
        path.unlink()
    memory.folders.index(folder)
    memory.maps.scan(root, project="shop", seed=False)
    assert gone not in memory.maps.get("shop").modules


def test_a_module_stays_while_its_manifest_does(memory: Memory, tmp_path: Path) -> None:
    texts = {"web/package.json": '{"name": "web"}', "web/page.js": "export const page = 1\n"}
    root = folder_with(tmp_path / "repo", {**texts, "api/serve.py": code(1)})
    memory.maps.scan(root, project="shop", seed=False)
    folder = indexed(memory, root)
    (root / "web" / "page.js").unlink()
    assert memory.folders.index(folder).modules == {}
    assert memory.maps.get("shop").modules["web"].config_files == ("web/package.json",)
