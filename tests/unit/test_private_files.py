"""What is private in files stays out whatever is around the tags, and a file that fails harms no other."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.core.folders import FileState
from holdfast.features.reading import chunking
from holdfast.features.reading.pages import page_of
from holdfast.language.masking import masked
from tests.cases import each

_FILLER = "<p>Boats leave the northern pier at seven, and the café there opens in time for the first. " * 3
_AROUND = st.lists(
    st.sampled_from(
        ["<p>", "</p>", "\n", "\n\n", "```\n", "\n~~~\n", "`", '"', "'", "<!-- ", " -->",
         "<script>", "</script>", "<nav>", "</nav>", "<pre>", "</pre>", "<title>", '<a title="', "&#10;",
         "<", ">", "word", "'<private>'", "`</private>`"]
    ),
    max_size=6,
).map("".join)  # fmt: skip


def kept_of_page(source: str) -> str:
    """Returns what would be stored of a page, or of its code where it is none."""
    page = page_of(source)
    return masked(source if page is None or not page.text else page.text, is_page=True).text


@settings(max_examples=60)
@given(st.lists(_AROUND, min_size=4, max_size=4))
def test_no_text_between_tags_survives(parts: list[str]) -> None:
    """In a page and in a document, also where one of the tags is in a comment, a script or the navigation."""
    before, first, second, after = parts
    text = f"{before} <private> {first}SECRET{second} </private> {after}"
    assert "SECRET" not in masked(text).text
    assert "SECRET" not in kept_of_page(text)
    assert "SECRET" not in kept_of_page(f"{_FILLER}{text}{_FILLER}")


@settings(max_examples=40)
@given(_AROUND, _AROUND)
def test_nothing_of_a_page_survives_behind_an_open_tag(before: str, inside: str) -> None:
    text = f"{_FILLER}{before} <private> {inside}\n\n<p>SECRET</p>"
    assert "SECRET" not in kept_of_page(text)


@pytest.mark.parametrize(
    "block",
    [
        "<!-- <private> --><p>salary 1234</p><!-- </private> -->",
        "<script>/* <private> */</script><p>salary 1234</p></private>",
        "<nav><private></nav><p>salary 1234</p></private>",
        "<private><p>salary</p><script>// </private></script>",
        "<private><p>A</p>\n\n<p>salary 1234</p>",
    ],
)
def test_private_parts_of_a_page_are_left_out_and_said(tmp_path: Path, block: str) -> None:
    root = tmp_path / "site"
    root.mkdir()
    (root / "a.html").write_text(f"<h1>Pier</h1>{_FILLER}\n{block}")
    with Memory(str(tmp_path / "m.db")) as memory:
        memory.projects.create("site")
        folder = memory.folders.add(root, project="site")
        report = memory.folders.index(folder.id)
        assert [file.reason for file in memory.folders.files(folder.id)] == ["private_part"]
        assert report.redactions["private"] == 1
        assert bool(report.unclosed) == ("</private>" not in block)
        texts = "".join(record.text for record in memory.list(project="site", kinds="passage").memories)
    assert "northern pier" in texts
    assert "salary" not in texts


@pytest.mark.parametrize(
    "text",
    [
        "~~~\n```\n~~~\n\n<private>secret and more",
        "```\nnever closed\n\n<private>secret and more",
        "````\n```\n````\n\n<private>secret and more",
        "```\n``` python\n```\n\n<private>secret and more",
        "x = '<private>'\nsecret\n</private>",
        "x = '<private>'\nsecret\n# </private>\nsee '<private>'",
    ],
)
def test_a_tag_outside_of_code_hides_what_follows(text: str) -> None:
    shown = masked(text)
    assert "secret" not in shown.text
    assert shown.private
    assert bool(shown.unclosed) == ("</private>" not in text)


def test_a_tag_in_longer_or_other_fences_is_only_spoken_of() -> None:
    for text in (
        "~~~\n```\n<private> kept\n~~~\n",
        "````\n```\n<private> kept\n````\n",
        "```\n<private> kept\n````\n",
    ):
        assert "kept" in masked(text).text


def test_a_mention_that_is_divided_keeps_its_lines() -> None:
    assert masked("a `<private\n>` b\n").text.count("\n") == 2


@each("mark", ["&#10;", "&#13;", "&NewLine;", "&#x2028;", "&#12;", "\f", "\u2028", "&#10"])
def test_a_line_break_within_a_row_is_a_blank(mark: str) -> None:
    page = page_of(f"<p>Boats</p>\n<pre>a{mark}b{mark}c\nd{mark}</pre>\n<p>Pier</p>")
    assert page is not None
    assert page.text.splitlines() == ["Boats", "", "```", "a b c", "d", "```", "", "Pier"]
    assert page.lines == [(1, 1), (1, 1), (2, 2), (2, 2), (3, 3), (3, 3), (3, 3), (4, 4)]


def test_an_unexpected_error_harms_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = chunking.cut

    def fails(text: str, *others: object) -> object:
        return real(text, *others) if "odd" not in text else [][0]  # type: ignore[arg-type]

    root = tmp_path / "site"
    root.mkdir()
    for name, text in (
        ("a.md", "Boats leave at seven."),
        ("b.md", "An odd one."),
        ("c.md", "The pier is long."),
    ):
        (root / name).write_text(text)
    with Memory(str(tmp_path / "m.db")) as memory:
        memory.projects.create("site")
        folder = memory.folders.add(root, project="site")
        monkeypatch.setattr(chunking, "cut", fails)
        report = memory.folders.index(folder.id)
        assert (report.new, report.left["failed"]) == (2, 1)
        states = [(file.path, file.state, file.reason) for file in memory.folders.files(folder.id)]
        assert states[1] == ("b.md", FileState.ERROR, "failed")
        monkeypatch.undo()
        assert memory.folders.index(folder.id).new == 1
