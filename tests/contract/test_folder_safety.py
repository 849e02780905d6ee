"""The store contract, folders that somebody prepared or that change: nothing leaks, and nothing is lost."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from holdfast import InvalidInput, Memory, NotFound
from holdfast.api.importing import import_bytes
from holdfast.core.errors import Refusal
from holdfast.core.folders import Folder
from holdfast.core.places import Role
from holdfast.stores.base.ports import Store
from tests.support import memory_on

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
UNREADABLE = "The walrus sings in hall"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An empty folder."""
    made = tmp_path / "shop"
    made.mkdir()
    return made


def indexed(memory: Memory, root: Path, **options: object) -> Folder:
    """The folder, added and indexed."""
    folder = memory.folders.add(root, project="shop", **options)  # type: ignore[arg-type]
    memory.folders.index(folder.id)
    return folder


def passages(memory: Memory) -> list[str]:
    return [record.text for record in memory.list(project="shop", kinds="passage", limit=1000).memories]


def token(numbers: random.Random) -> str:
    return "ghp_" + "".join(numbers.choices(LETTERS, k=36))


def key_block(numbers: random.Random) -> str:
    lines = ["".join(numbers.choices(LETTERS + "+/", k=64)) for _ in range(50)]
    return "\n".join(("-----BEGIN RSA PRIVATE KEY-----", *lines, "-----END RSA PRIVATE KEY-----", ""))


def test_s4_19_a_private_block_longer_than_a_passage_is_nowhere(memory: Memory, root: Path) -> None:
    days = [f"## Day {n}\n\nThe mauve house of day {n} is nobody's business." * 3 for n in range(60)]
    diary = "<private>\n" + "\n\n".join(days) + "\n</private>"
    (root / "diary.md").write_text(f"# Diary\n\n{diary}\n\n# After\n\nBoats are red.\n")
    code = "".join(f"def mauve_{n}(x):\n    return x + {n} * 7\n\n\n" for n in range(120))
    (root / "code.py").write_text(f'"""Colours."""\n\n# <private>\n{code}# </private>\n\nOPEN = 1\n')
    indexed(memory, root)
    text = repr(memory.list(project="shop", kinds="passage", limit=1000).memories)
    assert "mauve" not in text
    assert "Day 7" not in text
    assert "Boats are red." in text
    assert "OPEN = 1" in text


def test_s4_22_a_secret_that_a_cut_divides_is_taken_out(memory: Memory, root: Path) -> None:
    numbers = random.Random(1)
    secrets = [token(numbers) for _ in range(20)]
    for at, secret in enumerate(secrets):
        (root / f"line{at}.txt").write_text(
            ("word " * 1000)[: 2_380 + 7 * at] + f" {secret} " + "more " * 800
        )
    block = key_block(numbers)
    (root / "deploy.py").write_text(
        f'def f():\n    return 1\n\n\nKEY = """{block}"""\n\n\ndef g():\n    return KEY\n'
    )
    (root / "notes.md").write_text(f"# Deploy\n\nThe key is\n\n{block}\nUse it.\n")
    folder = indexed(memory, root)
    text = repr(memory.list(project="shop", kinds="passage", limit=1000).memories)
    for secret in (*secrets, *block.splitlines()[1:-1]):
        assert not any(secret[at : at + 10] in text for at in range(len(secret) - 9))
    assert text.count("[REDACTED: private_key]") == 2
    assert set(memory.folders.index(folder.id, anew=True).redactions) == {"github_token", "private_key"}


def test_s1_70_a_file_that_is_shown_in_part_shows_no_part_of_a_secret(memory: Memory, root: Path) -> None:
    secret = token(random.Random(2))
    text = f"token: {secret}\npassword = 'correct-horse-battery9!'\n<private>my diary</private> end\n"
    (root / "a.txt").write_text(text)
    folder = memory.folders.add(root)
    for most in range(1, len(text) + 2):
        shown = memory.folders.read(folder.id, "a.txt", max_bytes=most).text
        assert secret[:6] not in shown
        assert "correct" not in shown
        assert "my d" not in shown
    assert (
        shown == "token: [REDACTED: github_token]\npassword = '[REDACTED: password]'\n" + " " * 27 + " end\n"
    )


def test_s1_71_a_folder_that_became_a_link_is_neither_indexed_nor_shown(memory: Memory, root: Path) -> None:
    (root / "sub").mkdir()
    (root / "sub" / "a.md").write_text("Boats are red.\n")
    outside = root.parent / "outside"
    outside.mkdir()
    (outside / "a.md").write_text("The wage of the boss is five.\n")
    (outside / "wages.md").write_text("The wage of the boss is five.\n")
    for link in (root / "sub", root):  # the folder itself, or one above it
        folder = indexed(memory, root / "sub")
        link.rename(root.parent / "moved")
        link.symlink_to(outside if link == root / "sub" else root.parent / "moved")
        with pytest.raises(InvalidInput) as error:
            memory.folders.index(folder.id)
        assert error.value.code in ("not_a_file", "file_not_found")
        for name in ("a.md", "wages.md"):
            with pytest.raises(NotFound):
                memory.folders.read(folder.id, name)
        with pytest.raises(NotFound):
            memory.folders.tree(folder.id)
        assert passages(memory) == ["Boats are red."], "what was known stays"
        link.unlink()
        (root.parent / "moved").rename(link)


def test_s1_62_what_is_left_out_is_not_shown_either(memory: Memory, root: Path) -> None:
    for name in (
        ".git/config",
        "node_modules/a.js",
        "own/plan.md",
        "own/deep/plan.md",
        "old.bak",
        "team.db-wal",
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("held back\n")
    (root / "open.md").write_text("Boats are red.\n")
    (root / "way.md").symlink_to(".git/config")
    folder = indexed(memory, root, exclude=["own/", "*.bak"])
    assert [entry.name for entry in memory.folders.tree(folder.id, max_depth=5).entries] == [
        "open.md",
        "way.md",
    ]
    for name in (".git/config", "own/plan.md", "./own//deep/plan.md", "old.bak", "way.md", "team.db-wal"):
        with pytest.raises(NotFound) as error:
            memory.folders.read(folder.id, name)
        assert error.value.code == "path_not_found"
    for name in (".git", "own", "own/deep", "node_modules"):
        with pytest.raises(NotFound):
            memory.folders.tree(folder.id, name)


@pytest.mark.parametrize("name", ["team.db", "memories", "notes.txt"])
def test_s1_62_the_store_is_neither_indexed_nor_shown(root: Path, name: str) -> None:
    with Memory(str(root / name), user="ana") as memory:
        (root / "open.md").write_text("Boats are red.\n")
        (root / f"{name}ish.md").write_text("Boats are old.\n")
        for ending in (".keys", ".spool/1", "-wal", ".head", ".bak.md", " copy.md"):
            (root / f"{name}{ending}").parent.mkdir(exist_ok=True)
            (root / f"{name}{ending}").touch()
        folder = indexed(memory, root)
        assert sorted(passages(memory)) == ["Boats are old.", "Boats are red."]
        shown = [entry.name for entry in memory.folders.tree(folder.id).entries]
        assert sorted(shown) == sorted(["open.md", f"{name}ish.md"])
        for path in (name, f"{name}.spool/1", f"{name}.bak.md", f"./{name}.keys"):
            with pytest.raises(NotFound):
                memory.folders.read(folder.id, path)
        spool = memory.folders.add(root / f"{name}.spool", project="spool")
        memory.folders.index(spool.id)
        assert memory.count(project="spool") == 0
        with pytest.raises(NotFound):
            memory.folders.tree(spool.id)


def test_s1_66_what_cannot_be_read_for_once_is_not_gone(
    memory: Memory, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "sub").mkdir()
    for number in range(3):
        (root / "sub" / f"{number}.md").write_text(f"{UNREADABLE} {number}.\n")
    (root / "top.md").write_text("Boats are red.\n")
    folder = indexed(memory, root)
    result = memory.remember("hall 1 is closed", project="shop", metadata={"file": "sub/1.md"}, kind="gotcha")
    before = sorted(passages(memory))
    real, fails = os.open, {"sub", "top.md"}

    def refused(path: object, *arguments: object, **options: object) -> int:
        if path in fails and options.get("dir_fd") is not None:
            raise PermissionError(13, "Permission denied")
        return real(path, *arguments, **options)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(os, "open", refused)  # a test that runs as root can read everything
        os.utime(root / "top.md", ns=(1, 1))
        report = memory.folders.index(folder.id)
    assert (report.removed, report.left) == (0, {"unreadable": 2})
    assert sorted(passages(memory)) == before
    assert result.memory is not None
    assert memory.get(result.memory.id).stale is None
    states = {file.path: (file.state.value, file.reason) for file in memory.folders.files(folder.id)}
    assert (states["sub/"], states["top.md"]) == (("error", "unreadable"), ("error", "unreadable"))
    assert states["sub/1.md"] == ("indexed", None)
    again = memory.folders.index(folder.id)
    assert (again.touched, again.unchanged, again.changed) == (1, 3, 0)
    assert {file.state.value for file in memory.folders.files(folder.id)} == {"indexed"}
    (root / "top.md").unlink()
    assert memory.folders.index(folder.id).removed == 1


def test_s1_64_what_is_set_while_a_folder_is_indexed_stays_set(memory: Memory, root: Path) -> None:
    (root / "a.md").write_text("Boats are red.\n")
    folder = memory.folders.add(root, project="shop")

    def set_anew(_done: int, _total: int) -> None:
        memory.folders.add(root, name="The shop", exclude=["own/"], watch=False)

    memory.folders.index(folder.id, progress=set_anew)
    after = memory.folders.get(folder.id).folder
    assert (after.exclude, after.watched, after.name, after.state.value) == (
        ("own/",),
        False,
        "The shop",
        "idle",
    )

    def delete(_done: int, _total: int) -> None:
        memory.folders.delete(folder.id)

    with pytest.raises(NotFound) as error:
        memory.folders.index(folder.id, anew=True, progress=delete)
    assert error.value.code == "source_not_found"
    assert (memory.folders.list(), memory.count(project="shop")) == ([], 0)


@pytest.mark.parametrize("machine", [{"agent": "bot"}, {"role": Role.SERVICE}], ids=["agent", "service"])
def test_s4_53_a_machine_lets_nobody_see_files_and_removes_nothing_that_a_person_keeps(
    store: Store, root: Path, machine: dict[str, Any]
) -> None:
    ana, bot = memory_on(store, user="ana"), memory_on(store, user="ana", **machine)
    (root / "a.md").write_text("Boats are red.\n")
    for seen_by in ("team", "project"):
        with pytest.raises(Refusal) as error:
            bot.folders.add(root, project="shop", visibility=seen_by)
        assert error.value.code == "person_needed"
    shared = indexed(ana, root, visibility="team")
    with pytest.raises(Refusal):
        bot.folders.connect(shared.id, "office")
    (memory,) = ana.list(project="shop", kinds="passage").memories
    ana.pin(memory.id)
    with pytest.raises(Refusal) as error:
        bot.folders.delete(shared.id)
    assert error.value.code == "person_needed"
    assert ana.get(memory.id).pinned
    assert ana.folders.delete(shared.id) == 1
    own = bot.folders.add(root, project="shop")
    with pytest.raises(Refusal):
        bot.folders.delete(own.id)
    assert ana.folders.delete(own.id) == 0


@pytest.mark.parametrize("hard", [False, True])
def test_s2_36_a_forgotten_passage_does_not_come_back_with_its_file(
    memory: Memory, root: Path, hard: bool
) -> None:
    text = "The hint is blue.\n"
    (root / "a.md").write_text(text)
    folder = indexed(memory, root)
    (record,) = memory.list(project="shop", kinds="passage").memories
    memory.forget(record.id, hard=hard)
    memory.folders.index(folder.id, anew=True)
    assert passages(memory) == []
    (root / "a.md").write_text("Boats are red.\n")
    memory.folders.index(folder.id)
    assert passages(memory) == ["Boats are red."]
    for name in ("a.md", "b.md"):
        (root / name).write_text(text)
        memory.folders.index(folder.id)
        (root / name).unlink()
        memory.folders.index(folder.id)
        (root / name).write_text(text)
        memory.folders.index(folder.id, anew=True)
        assert passages(memory) == []
    memory.folders.delete(folder.id)
    indexed(memory, root)
    assert passages(memory) == [text.strip()] * 2, "a folder that is added anew is read anew"


def test_s2_36_a_passage_that_was_restored_stays(memory: Memory, root: Path) -> None:
    (root / "a.md").write_text("The hint is blue.\n")
    folder = indexed(memory, root)
    (record,) = memory.list(project="shop", kinds="passage").memories
    memory.forget(record.id)
    memory.restore(record.id)
    (root / "a.md").unlink()
    memory.folders.index(folder.id)
    (root / "a.md").write_text("The hint is blue.\n")
    memory.folders.index(folder.id)
    assert passages(memory) == ["The hint is blue."]


def test_m_8_who_does_not_see_a_folder_is_not_told_hashes_of_its_files(store: Store, root: Path) -> None:
    ana, ben = memory_on(store, user="ana"), memory_on(store, user="ben")
    (root / "a.py").write_text("def f():\n    return 1\n")
    indexed(ana, root)
    about = {"file": "a.py", "symbol": "f"}
    result = ana.remember(
        "f returns an odd number", kind="gotcha", project="shop", visibility="team", metadata=about
    )
    assert result.memory is not None
    assert {"file_source", "file_sha256", "symbol_sha256"} <= set(ana.get(result.memory.id).evidence)
    (hit,) = ben.recall("f odd number", project="shop")
    listed = ben.list(project="shop").memories
    assert [one.evidence for one in (ben.get(result.memory.id), hit.memory, *listed)] == [{}] * 3


def test_s1_67_a_passage_that_outlives_its_text_says_so(memory: Memory, root: Path) -> None:
    for name in ("a", "b", "c"):
        (root / f"{name}.md").write_text(f"Boat {name} is red.\n")
    folder = indexed(memory, root)
    ids = {record.text[5]: record.id for record in memory.list(project="shop", kinds="passage").memories}
    for id in ids.values():
        memory.pin(id)
    assert {memory.get(id).stale for id in ids.values()} == {None}
    (root / "a.md").write_text("Boat a is green.\n")
    (root / "b.md").unlink()
    (root / "c.md").rename(root / "d.md")
    memory.folders.index(folder.id)
    told = {name: memory.get(id) for name, id in ids.items()}
    assert told["a"].stale == "a.md changed after this was kept"
    assert told["b"].stale == "b.md was removed"
    assert (told["c"].stale, told["c"].metadata["path"]) == (None, "d.md")
    assert {"Boat a is red.", "Boat a is green."} <= set(passages(memory))


def test_nothing_of_a_file_can_be_guessed_from_the_store_once_it_was_erased(tmp_path: Path) -> None:
    """Digests of files, of their parts and of imports are keyed: a PIN has only ten thousand values."""
    import hashlib

    root, path = tmp_path / "notes", tmp_path / "store" / "team.db"
    root.mkdir()
    path.parent.mkdir()
    text = "The PIN of the safe is 4711"
    (root / "pin.md").write_text(text)
    (root / "pin.py").write_text("def pin():\n    return 4711\n")
    export = json.dumps([{"role": "user", "content": text}]).encode()
    with Memory(path, user="ana") as memory:
        folder = memory.folders.add(root, project="shop")
        memory.folders.index(folder.id)
        memory.remember(
            "Opens the safe", kind="gotcha", metadata={"file": "pin.py", "symbol": "pin"}, project="shop"
        )
        import_bytes(memory, export, filename="chat.json", project="shop")
        for record in memory.list(project="shop", limit=100).memories:
            memory.forget(record.id, hard=True)
    content = b"".join(file.read_bytes() for file in path.parent.iterdir() if file.suffix != ".secret")
    codes = (text, "def pin():\n    return 4711\n", "def pin(): return 4711", "return 4711", export.decode())
    for guess in (*codes, f"pin\0{text}", f"pin.md\0{text}", f"\0{text}"):
        digest = hashlib.sha256(guess.encode()).hexdigest()
        assert digest[:16].encode() not in content
        assert bytes.fromhex(digest) not in content
