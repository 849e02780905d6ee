"""Reading files: decoding, limits, and what is refused, whatever stands at the path."""

from __future__ import annotations

import hashlib
import os
import socket
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.features.reading.decoding import Undecodable, decoded
from holdfast.features.reading.file_reader import Extracted, read_file
from holdfast.features.reading.skip_reasons import Skipped
from holdfast.features.reading.types import MAX_TEXT
from tests.cases import each


def read(root: Path, path: str) -> Extracted:
    one = read_file(root, path)
    assert isinstance(one, Extracted), one
    return one


def why(root: Path, path: str) -> str:
    one = read_file(root, path)
    assert isinstance(one, Skipped), one
    assert one.path
    return one.reason_code


def test_s1_57_a_file_is_read_with_its_type_hash_size_and_time(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.py").write_bytes(b"x = 1\r\ny = 2\r")
    os.utime(tmp_path / "sub" / "a.py", ns=(5, 1_700_000_000_000_000_007))
    one = read(tmp_path, "sub/a.py")
    assert one == Extracted(
        text="x = 1\ny = 2\n",
        filetype="python",
        language="python",
        sha256=hashlib.sha256(b"x = 1\ny = 2\n").hexdigest(),
        size=13,
        modified_at=1_700_000_000_000_000_007,
    )


def test_s1_67_a_file_written_just_now_is_read_when_a_later_change_gives_it_another_time(
    tmp_path: Path,
) -> None:
    """Else two writes within a tick of the clock, one of them after the reading, could look like one."""
    for number in range(5):
        (tmp_path / "a.py").write_text(f"{number}\n")
        one = read(tmp_path, "a.py")
        assert time.time_ns() - one.modified_at >= 20_000_000
        (tmp_path / "a.py").write_text(f"{number + 1}\n")
        assert (tmp_path / "a.py").stat().st_mtime_ns != one.modified_at


@each(
    "data, text, note",
    [
        ("Grüße, 世界 🎉".encode(), "Grüße, 世界 🎉", None),
        (b"\xef\xbb\xbfplain", "plain", None),
        ("breit ü".encode("utf-16"), "breit ü", "utf-16-le"),
        (b"\xfe\xff" + "breit ü".encode("utf-16-be"), "breit ü", "utf-16-be"),
        (b"\xff\xfe\0\0" + "w".encode("utf-32-le"), "w", "utf-32-le"),
        ("no mark, but wide".encode("utf-16-le"), "no mark, but wide", "utf-16-le"),
        ("no mark, but wide".encode("utf-16-be"), "no mark, but wide", "utf-16-be"),
        ("a long line with one é".encode("cp1252"), "a long line with one é", "Windows-1252"),
        (b"a long line with one \x81", "a long line with one \x81", "Latin-1"),
        ("# coding: koi8-r\n# Привет".encode("koi8-r"), "# coding: koi8-r\n# Привет", "koi8-r"),
        ('<?xml version="1.0" encoding="shift_jis"?>日本語'.encode("shift_jis"),
         '<?xml version="1.0" encoding="shift_jis"?>日本語', "shift_jis"),
    ],
)  # fmt: skip
def test_s1_60_encodings(data: bytes, text: str, note: str | None) -> None:
    said, notes = decoded(data)
    assert said == text
    assert (note is None) == (notes == ())
    assert note is None or note in notes[0]


@pytest.mark.parametrize("name", "zip rot13 unicode_escape utf-7 idna hex no-such".split())
def test_a_declared_encoding_that_is_no_text_is_not_used(name: str) -> None:
    """Some of Python's codecs unpack, run long or hide what they say."""
    text, _ = decoded(f"# coding: {name}\n# and a line with one é".encode("latin-1"))
    assert text.endswith("one é")


def test_s1_60_binary_and_unknown_encodings_are_told_apart() -> None:
    with pytest.raises(Undecodable) as error:
        decoded(b"\x7fELF\x01\x01\0\0" + bytes(range(256)))
    assert error.value.code == "binary"
    with pytest.raises(Undecodable) as error:
        decoded(bytes(range(1, 32)) * 10)
    assert error.value.code == "binary"
    with pytest.raises(Undecodable) as error:
        decoded("только кириллица".encode("cp1251"))
    assert error.value.code == "encoding_unknown"
    with pytest.raises(Undecodable) as error:
        decoded(b"\xef\xbb\xbf\xff\xff")
    assert error.value.code == "encoding_unknown"


@given(st.binary(max_size=300))
def test_any_bytes_become_text_without_nul_or_are_refused(data: bytes) -> None:
    try:
        text, _ = decoded(data)
    except Undecodable:
        return
    assert "\r" not in text
    assert "\0" not in text or data.startswith((b"\xff\xfe", b"\xfe\xff"))


@given(st.text(st.characters(exclude_characters="\r\0", exclude_categories=("Cs", "Cc")), min_size=1))
def test_utf_8_comes_back_as_it_was(text: str) -> None:
    if not text.startswith("\ufeff"):
        assert decoded(text.encode()) == (text, ())


def test_s1_61_empty_binary_and_blank_files_are_left(tmp_path: Path) -> None:
    (tmp_path / "none.txt").write_bytes(b"")
    (tmp_path / "blank.py").write_bytes(b" \n\t\n")
    (tmp_path / "noise").write_bytes(bytes(range(256)))
    assert [why(tmp_path, name) for name in ("none.txt", "blank.py", "noise")] == ["empty", "empty", "binary"]


def test_s1_61_what_is_too_large_is_left(tmp_path: Path) -> None:
    with (tmp_path / "sparse.txt").open("wb") as file:
        file.truncate(100_000_001)
    (tmp_path / "long.log").write_bytes(b"x" * (MAX_TEXT + 1))
    assert why(tmp_path, "sparse.txt") == "too_large"
    assert why(tmp_path, "long.log") == "too_large"


def test_what_is_never_read_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "film.mp4")
    (tmp_path / ".env").write_text("KEY=1")
    assert why(tmp_path, "film.mp4") == "never_read"
    assert why(tmp_path, ".env") == "holds_secrets"


def test_special_files_are_refused_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "folder.txt").mkdir()
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("sock.txt")
        assert [why(tmp_path, f"{name}.txt") for name in ("pipe", "folder", "sock")] == ["not_a_file"] * 3


@pytest.mark.parametrize(
    "path", ["../secret.txt", "/etc/passwd", "a/../../secret.txt", "./a.txt", "a//b.txt", "", "a\0.txt"]
)
def test_s1_71_paths_that_lead_out_are_refused(tmp_path: Path, path: str) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    one = read_file(tmp_path / "root", path)
    assert isinstance(one, Skipped)
    assert one.reason_code in ("link_outside", "not_a_file")


def test_s1_71_nothing_is_read_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.txt").write_text("secret")
    root = tmp_path / "root"
    root.mkdir()
    (root / "folder").symlink_to(tmp_path / "outside")
    (root / "a.txt").symlink_to(tmp_path / "outside" / "a.txt")
    (root / "dangling.txt").symlink_to("nowhere")
    assert [why(root, path) for path in ("folder/a.txt", "a.txt", "dangling.txt")] == ["link_outside"] * 3


def test_a_file_that_vanished_is_left(tmp_path: Path) -> None:
    (tmp_path / "file.txt").write_text("x")
    assert why(tmp_path, "gone.txt") == "vanished"
    assert why(tmp_path, "no/such/folder.txt") == "vanished"
    assert why(tmp_path, "file.txt/below.txt") == "vanished"
    assert why(tmp_path / "no-root", "a.txt") == "vanished"


def test_many_files_leave_no_descriptor_open(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x" * 20)
    os.mkfifo(tmp_path / "pipe.txt")
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(50):
        read(tmp_path, "a.txt")
        why(tmp_path, "pipe.txt")
        why(tmp_path, "gone/a.txt")
    assert len(os.listdir("/proc/self/fd")) == before
