"""Walking a folder: order, patterns, what is left out and why, and nothing that can hang or lead out."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdfast.core.errors import InvalidInput
from holdfast.features.reading import ignore_rules
from holdfast.features.reading.defaults import is_excluded
from holdfast.features.reading.skip_reasons import REASONS, Skipped
from holdfast.features.reading.walking import MAX_DEPTH, FoundFile, walk
from tests.profiles import PATIENT, examples
from tests.support import without_privileges


def put(root: Path, path: str, text: str = "some text\n") -> Path:
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    return target


def found_paths(root: Path, **options: object) -> list[str]:
    return [one.path for one in walk(root, **options) if isinstance(one, FoundFile)]  # type: ignore[arg-type]


def skipped_paths(root: Path, **options: object) -> dict[str, str]:
    return {
        one.path: one.reason_code
        for one in walk(root, **options)  # type: ignore[arg-type]
        if isinstance(one, Skipped)
    }


def test_s1_57_files_come_in_a_fixed_order_with_size_and_time(tmp_path: Path) -> None:
    for path in ("b.py", "a.py", "z/x.py", "m/deep/y.md", "m/a.txt"):
        put(tmp_path, path)
    os.utime(tmp_path / "a.py", ns=(1, 1_700_000_000_123_456_789))
    met = [one for one in walk(tmp_path) if isinstance(one, FoundFile)]
    assert [one.path for one in met] == ["a.py", "b.py", "m/a.txt", "m/deep/y.md", "z/x.py"]
    assert (met[0].size, met[0].modified_at) == (10, 1_700_000_000_123_456_789)


def test_s1_62_default_excludes_name_each_folder_once(tmp_path: Path) -> None:
    folders = (
        ".git node_modules dist build .next .turbo .cache .venv venv target __pycache__ vendor"
    ).split()
    for name in folders:
        put(tmp_path, f"pkg/{name}/inner/a.py")
    files = (
        "app.sqlite app.sqlite3-wal memory.db memory.db-wal memory.db.head memory.db.keys yarn.lock"
        " package-lock.json Cargo.lock go.sum"
    ).split()
    for name in files:
        put(tmp_path, name)
    put(tmp_path, "src/builder.py")
    put(tmp_path, "src/database.md")
    assert found_paths(tmp_path) == ["src/builder.py", "src/database.md"]
    assert skipped_paths(tmp_path) == {
        f"pkg/{name}/": "excluded_by_default" for name in folders
    } | dict.fromkeys(files, "excluded_by_default")
    assert "pkg/vendor/inner/a.py" in found_paths(tmp_path, default_excludes=False)
    assert is_excluded("a/node_modules/b.js")
    assert is_excluded("x.sqlite-journal")
    assert not is_excluded("a/b.js")


def test_s1_62_a_virtual_environment_is_left_out_whatever_its_name(tmp_path: Path) -> None:
    """Also if only a file in it has changed; the root itself is read, whatever it is."""
    for path in ("env311/pyvenv.cfg", "env311/lib/site-packages/a.py", "apps/py/pyvenv.cfg", "apps/py/b.py",
                 "apps/c.py", "docs/pyvenv.cfg.md"):  # fmt: skip
        put(tmp_path, path)
    assert found_paths(tmp_path) == ["apps/c.py", "docs/pyvenv.cfg.md"]
    folders = {"env311/": "excluded_by_default", "apps/py/": "excluded_by_default"}
    assert skipped_paths(tmp_path) == folders
    assert skipped_paths(tmp_path, only=["env311/lib/site-packages/a.py"]) == {
        "env311/": "excluded_by_default"
    }
    assert "apps/py/b.py" in found_paths(tmp_path, default_excludes=False)
    put(tmp_path, "not/pyvenv.cfg/d.py")
    assert "not/pyvenv.cfg/d.py" in found_paths(tmp_path)
    assert found_paths(tmp_path / "apps" / "py") == ["b.py", "pyvenv.cfg"]


def test_s1_57_globs_include_and_exclude(tmp_path: Path) -> None:
    for path in ("a.py", "a.md", "docs/a.py", "docs/b.md", "src/deep/c.py"):
        put(tmp_path, path)
    assert found_paths(tmp_path, include=["*.py"]) == ["a.py", "docs/a.py", "src/deep/c.py"]
    assert found_paths(tmp_path, include=["/src/**", "*.md"], exclude=["/a.md"]) == [
        "docs/b.md",
        "src/deep/c.py",
    ]
    assert skipped_paths(tmp_path, include=["*.py"], exclude=["docs"]) == {
        "docs/": "excluded",
        "a.md": "not_included",
    }
    with pytest.raises(InvalidInput) as error:
        list(walk(tmp_path, include=["\\"]))
    assert error.value.code == "argument_invalid"


def test_s1_57_gitignore_nested_negated_and_info_exclude(tmp_path: Path) -> None:
    put(tmp_path, ".gitignore", "*.log\n/out/\nsecret/*\n!secret/keep.txt\n# comment\n\n\\\n[z-a]\n")
    put(tmp_path, ".git/info/exclude", "mine.txt\nkept.log\n")
    put(tmp_path, "sub/.gitignore", "!kept.log\nlocal.py\n")
    for path in ("a.log", "out/x.py", "sub/out/x.py", "sub/kept.log", "sub/other.log", "sub/local.py",
                 "local.py", "secret/a.txt", "secret/keep.txt", "mine.txt"):  # fmt: skip
        put(tmp_path, path)
    names = [path for path in found_paths(tmp_path) if not path.endswith(".gitignore")]
    assert names == ["local.py", "secret/keep.txt", "sub/kept.log", "sub/out/x.py"]
    assert skipped_paths(tmp_path)["out/"] == "ignored"
    assert "a.log" in found_paths(tmp_path, gitignore=False)


def test_s1_57_gitignore_says_what_git_says(tmp_path: Path) -> None:
    """The same tree, asked of git itself."""
    import subprocess

    put(tmp_path, ".gitignore", "*.tmp.py\nbin/\n/only-root.py\na/**/z.py\ndoc/*.md\n!doc/keep.md\n")
    put(tmp_path, "a/.gitignore", "inner.py\n!special.tmp.py\n")
    for path in ("x.tmp.py", "bin/a.py", "lib/bin/a.py", "only-root.py", "lib/only-root.py", "a/z.py",
                 "a/b/c/z.py", "doc/a.md", "doc/keep.md", "doc/more/a.md", "a/inner.py", "inner.py",
                 "a/special.tmp.py", "a/other.tmp.py"):  # fmt: skip
        put(tmp_path, path)
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True, env=environment)
    listed = subprocess.run(
        ["git", "-C", str(tmp_path), "ls-files", "--others", "--exclude-standard"],
        check=True, capture_output=True, text=True, env=environment,
    )  # fmt: skip
    assert sorted(found_paths(tmp_path)) == sorted(listed.stdout.split())


def test_s1_57_a_hostile_gitignore_costs_nothing(tmp_path: Path) -> None:
    """A pattern that takes a backtracking matcher for ever, and lines of no use."""
    put(tmp_path, ".gitignore", "*a" * 60 + "b\n" + "x" * 5_000 + "\n" + "**/" * 300 + "q\n")
    put(tmp_path, "a" * 250)
    assert found_paths(tmp_path) == [".gitignore", "a" * 250]


def test_links_are_never_followed(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "root-evil"
    put(root, "real/a.py")
    put(outside, "secret.py")
    (root / "inside").symlink_to(root / "real")
    (root / "inside.py").symlink_to(root / "real" / "a.py")
    (root / "evil").symlink_to(outside)
    (root / "evil.py").symlink_to(outside / "secret.py")
    (root / "loop").symlink_to(root / "loop")
    (root / "up").symlink_to("..")
    assert found_paths(root) == ["real/a.py"]
    assert skipped_paths(root) == {
        "evil": "link_outside",
        "evil.py": "link_outside",
        "inside": "link",
        "inside.py": "link",
        "loop": "link",
        "up": "link_outside",
    }


def test_s1_71_a_root_that_became_a_link_is_not_walked_and_a_gitignore_that_is_one_is_not_read(
    tmp_path: Path,
) -> None:
    put(tmp_path, "there/a.py")
    put(tmp_path, "rules", "*.py\n")
    (tmp_path / "there" / ".gitignore").symlink_to(tmp_path / "rules")
    assert found_paths(tmp_path / "there") == ["a.py"]
    (tmp_path / "here").symlink_to(tmp_path / "there")
    put(tmp_path, "there/below/a.py")
    for root in (tmp_path / "here", tmp_path / "here" / "below"):
        with pytest.raises(InvalidInput) as error:
            found_paths(root)
        assert error.value.code == "not_a_file"


def test_what_is_no_file_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    os.mkfifo(tmp_path / ".gitignore")
    monkeypatch.chdir(tmp_path)  # a socket's path has to be short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("sock.py")
        assert skipped_paths(tmp_path) == {
            ".gitignore": "not_a_file",
            "pipe.py": "not_a_file",
            "sock.py": "not_a_file",
        }


def test_names_that_are_not_utf_8_are_left_and_can_be_stored(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.py")).write_text("x")
    (tmp_path / os.fsdecode(b"d\xff")).mkdir()
    put(tmp_path, "café.py")
    assert found_paths(tmp_path) == ["café.py"]
    said = skipped_paths(tmp_path)
    assert said == {"caf\\xe9.py": "name_unreadable", "d\\xff/": "name_unreadable"}
    assert [path.encode() for path in said]


def test_files_and_folders_that_cannot_be_read_are_left(tmp_path_factory: pytest.TempPathFactory) -> None:
    import shutil
    import tempfile

    root = Path(tempfile.mkdtemp())
    try:
        put(root, "a.py")
        put(root, "locked/b.py")
        found_paths(root)  # what is imported on first use is imported
        root.chmod(0o755)
        (root / "locked").chmod(0)
        with without_privileges():
            assert found_paths(root) == ["a.py"]
            assert skipped_paths(root) == {"locked/": "unreadable"}
    finally:
        (root / "locked").chmod(0o755)
        shutil.rmtree(root)


def test_too_deep_too_large_and_empty(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["d"] * (MAX_DEPTH + 3))
    put(deep, "a.py")
    put(tmp_path, "none.py", "")
    with (tmp_path / "big.txt").open("wb") as file:
        file.truncate(100_000_001)
    with (tmp_path / "big.pdf").open("wb") as file:
        file.truncate(100_000_001)
    assert found_paths(tmp_path) == ["big.pdf"]
    said = skipped_paths(tmp_path)
    assert said.pop("d/" * (MAX_DEPTH + 1)) == "too_deep"
    assert said == {"none.py": "empty", "big.txt": "too_large"}


def test_s1_61_the_limit_is_in_the_reason(tmp_path: Path) -> None:
    with (tmp_path / "big.txt").open("wb") as file:
        file.truncate(100_000_001)
    (one,) = walk(tmp_path)
    assert isinstance(one, Skipped)
    assert one.reason == "100,000,001 bytes; the limit is 100,000,000"


def test_s1_57_patterns_that_take_too_long_have_no_say_and_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two"):
        put(tmp_path, f"{name}/.gitignore", "*.log\n")
        put(tmp_path, f"{name}/a.log")
        put(tmp_path, f"{name}/b.py")
    put(tmp_path, ".gitignore", "\n".join(f"**/{'*a' * 400}{n}" for n in range(60)) + "\nc.md\n")
    put(tmp_path, "c.md")
    assert skipped_paths(tmp_path) == {"one/a.log": "ignored", "two/a.log": "ignored", "c.md": "ignored"}
    monkeypatch.setattr(ignore_rules, "SECONDS", -1.0)
    monkeypatch.setattr(ignore_rules, "PER_PATH", 0.0)
    told = skipped_paths(tmp_path)
    assert set(told) == {".gitignore", "one/.gitignore", "two/.gitignore"}
    assert set(told.values()) == {"rules_too_costly"}
    assert "c.md" in found_paths(tmp_path)
    assert capfd.readouterr().err == "", "RE2 says nothing"


def test_a_root_that_goes_away_is_an_error_and_not_an_empty_folder(tmp_path: Path) -> None:
    root = tmp_path / "root"
    for number in range(3):
        put(root, f"{number}/a.py")
    walking = walk(root)
    assert isinstance(next(walking), FoundFile)
    root.rename(tmp_path / "elsewhere")
    with pytest.raises(InvalidInput) as error:
        list(walking)
    assert error.value.code == "file_not_found"
    with pytest.raises(InvalidInput) as error:
        list(walk(root))
    assert error.value.code == "file_not_found"
    with pytest.raises(InvalidInput) as error:
        list(walk(put(tmp_path, "file")))
    assert error.value.code == "not_a_file"


def test_a_folder_that_vanishes_on_the_way_is_left(tmp_path: Path) -> None:
    put(tmp_path, "a.py")
    put(tmp_path, "gone/b.py")
    put(tmp_path, "stays/c.py")
    walking = walk(tmp_path)
    met: list[FoundFile | Skipped] = [next(walking)]
    (tmp_path / "gone" / "b.py").unlink()
    (tmp_path / "gone").rmdir()
    met += walking
    assert [(one.path, getattr(one, "reason_code", "found")) for one in met] == [
        ("a.py", "found"),
        ("gone/", "vanished"),
        ("stays/c.py", "found"),
    ]


def test_a_folder_exchanged_for_a_link_on_the_way_is_not_entered(tmp_path: Path) -> None:
    put(tmp_path, "root/a.py")
    put(tmp_path, "root/sub/b.py")
    put(tmp_path, "outside/secret.py")
    walking = walk(tmp_path / "root")
    next(walking)
    (tmp_path / "root" / "sub").rename(tmp_path / "old")
    (tmp_path / "root" / "sub").symlink_to(tmp_path / "outside")
    assert [(one.path, getattr(one, "reason_code", "")) for one in walking] == [("sub/", "link")]


_names = st.text("ab.cé -_", min_size=1, max_size=4).filter(lambda name: name.strip(".") != "")


@settings(max_examples=examples(40), suppress_health_check=[*PATIENT, HealthCheck.function_scoped_fixture])
@given(paths=st.sets(st.lists(_names, min_size=1, max_size=3).map("/".join), max_size=12))
def test_every_file_is_met_exactly_once(paths: set[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    root = tmp_path_factory.mktemp("tree")
    for path in sorted(paths):
        target = root / path
        if not any(parent.is_file() for parent in (target, *target.parents)) and not target.is_dir():
            put(root, path)
    files = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    met = [one.path for one in walk(root, default_excludes=False, gitignore=False)]
    assert len(met) == len(set(met))
    assert set(met) == files
    assert met == [one.path for one in walk(root, default_excludes=False, gitignore=False)]


def test_every_reason_is_a_sentence_without_a_full_stop() -> None:
    assert all(text and not text.endswith(".") for text in REASONS.values())
