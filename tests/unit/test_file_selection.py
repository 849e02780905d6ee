"""Which files a recall in files selects: by paths, patterns and languages."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from holdfast import InvalidInput
from holdfast.core.views import Context, Filter, View
from holdfast.features.access.in_files import FileSelection
from tests.cases import each

FILES = [
    "a.py",
    "src/a.py",
    "src/auth/b.ts",
    "src/auth/x/c.md",
    "src2/a.py",
    "caf\u00e9/d.py",
    "!/e.py",
    "X/X",
]


def selected(path: Any, root: str = "/home/ana/shop") -> set[str]:
    selection = FileSelection.checked(path, None, False)
    assert selection is not None
    folder = SimpleNamespace(id="f", root=root)
    rows = [(number, "f", name, None) for number, name in enumerate(FILES)]
    reader: Any = SimpleNamespace(folders=lambda _: [folder], file_paths=lambda _: rows)
    return {
        FILES[number]
        for number in selection.within(reader, View("ana", Context(), Filter())).filter.files or ()
    }


SOURCES = {"src/a.py", "src/auth/b.ts", "src/auth/x/c.md"}
AUTH = {"src/auth/b.ts", "src/auth/x/c.md"}
NAMED_A = {"a.py", "src/a.py", "src2/a.py"}


@each(
    "path, found",
    [
        ("a.py", NAMED_A), ("src", SOURCES), ("src/", SOURCES), ("/src/", SOURCES), ("./src", SOURCES),
        (" src/auth ", AUTH), ("src\\auth", AUTH), ("auth", AUTH), ("auth/x", set()), ("/a.py", {"a.py"}),
        ("src/a.py", {"src/a.py"}), ("src/a", set()), ("X", {"X/X"}), ("X/X", {"X/X"}),
        ("cafe\u0301", {"caf\u00e9/d.py"}), ("*.md", {"src/auth/x/c.md"}),
        ("src/**/*.md", {"src/auth/x/c.md"}),
        (["src", "!auth"], {"src/a.py"}), (["!src", "!a.py"], {"caf\u00e9/d.py", "!/e.py", "X/X"}),
        (["*.py", "!src"], {"a.py", "src2/a.py", "caf\u00e9/d.py", "!/e.py"}),
        (["src/auth", "a.py"], AUTH | NAMED_A),
        ("/home/ana/shop/src", SOURCES), ("/home/ana/shop/src/a.py", {"src/a.py"}),
        ("/home/ana/shop", set(FILES)), ("/home/ana/shop/", set(FILES)), ("/home/ana/shop2", set()),
        (["/home/ana/shop", "!/home/ana/shop/src"], set(FILES) - SOURCES),
    ],
)  # fmt: skip
def test_s1_46_the_paths_of_a_folder(path: Any, found: set[str]) -> None:
    assert selected(path) == found
    assert selected(path, "/home/ana/shop/") == found


def test_s1_46_a_folder_of_windows() -> None:
    for path in ("C:\\shop\\src\\auth", "C:/shop/src/auth"):
        assert selected(path, "C:\\shop") == selected(path, "C:\\shop\\") == AUTH


def test_s1_46_languages_and_what_else_narrows() -> None:
    rows = [
        (0, "f", "a.py", "python"),
        (1, "f", "b.ts", "typescript"),
        (2, "f", "c.md", None),
        (3, "g", "a.py", "python"),
    ]
    folders = [SimpleNamespace(id=id, root=f"/{id}") for id in "fg"]
    reader: Any = SimpleNamespace(folders=lambda _: folders, file_paths=lambda _: rows)
    notes = Filter(kinds=frozenset({"note", "passage"}), branches=frozenset({"dev"}))
    for arguments, narrow, kinds, numbers in (
        ((None, "python", False), Filter(), {"passage"}, {0, 3}),
        ((None, ["python", "typescript"], False), Filter(), {"passage"}, {0, 1, 3}),
        ((None, None, True), notes, {"passage"}, {0, 1, 3}),
        (("/f", "python", True), Filter(kinds=frozenset({"note"})), set(), {0}),
        (("*.md", None, False), Filter(), {"passage"}, {2}),
        (("*.md", None, True), Filter(), {"passage"}, set()),
    ):  # fmt: skip
        view = View("ana", Context(), narrow)
        selection = FileSelection.checked(*arguments)
        assert selection is not None
        found = selection.within(reader, view).filter
        assert (found.kinds, found.files, found.branches) == (
            frozenset(kinds),
            frozenset(numbers),
            narrow.branches,
        )
    assert FileSelection.checked(None, None, False) is None
    most = FileSelection.checked([f"{'x' * 996}/{n:03}" for n in range(100)], ["python"] * 100, False)
    assert most is not None
    assert len(most.paths) == 100
    for wrong in ("", "/", "!", "!/", " ", "x" * 1_001, [], ["a"] * 101):
        with pytest.raises(InvalidInput) as error:
            FileSelection.checked(wrong, None, False)
        assert error.value.code == "argument_invalid"
