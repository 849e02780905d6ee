"""A private tag that is only spoken of hides nothing; every other one that is not closed hides the rest, in a
file that of its paragraph."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.api.importing import import_path
from holdfast.api.memory import Memory
from holdfast.language.masking import masked
from holdfast.language.private import PRIVATE_TAG, emptied, private_ranges, strip_private, unclosed
from tests.cases import each

ROOT = Path(__file__).resolve().parents[2]

_PARTS = st.sampled_from(
    [PRIVATE_TAG, "`<private>`", '"<private>"', "</private>", "`</private>`", "secret", " ", "\n", "`", '"']
)


@pytest.mark.parametrize("quote", ["`", '"', "'"])
def test_a_tag_between_quotation_marks_is_only_spoken_of(quote: str) -> None:
    text = f"Use {quote}<private>{quote} to mark a block. The rest is worth keeping."
    assert strip_private(text) == (text, 0)
    assert unclosed(text) == 0


@each(
    "text",
    [
        "`<private>` the code is 1234",
        "`<private>` the code is 1234 `</private>`",
        "`<private> the code is 1234",
        "` <private> ` the code is 1234",
        "`<private >` the code is 1234",
        "`<private>' the code is 1234",
        "`&lt;private&gt;` the code is 1234",
        "`<private>` and <private> the code is 1234",
        "<private> and `<private>` the code is 1234",
    ],
)
def test_all_other_tags_hide_what_follows(text: str) -> None:
    """Also one in quotation marks that a closing tag follows: that is how blocks are written in a hurry."""
    is_mention = text == "`<private>` the code is 1234"
    assert ("1234" in strip_private(text)[0]) == is_mention


@given(st.lists(_PARTS, max_size=6).map("".join), st.sampled_from(["`", '"', "'"]))
def test_with_a_closing_tag_behind_it_it_is_a_tag(before: str, quote: str) -> None:
    """Whatever stands before it: what it hides cannot be brought out by quotation marks."""
    hidden = f"{quote}<private>{quote} the code is 1234 {quote}</private>{quote}"
    assert "1234" not in strip_private(f"{before}{hidden} end")[0]


@given(st.lists(_PARTS, max_size=12).map("".join))
def test_what_was_emptied_hides_the_same_and_says_how_much_went(text: str) -> None:
    kept, lost = emptied(text)
    assert strip_private(kept)[0].split() == strip_private(text)[0].split()
    assert lost == unclosed(text)
    if lost:
        assert strip_private(text[: len(text) - lost])[0].strip() == strip_private(text)[0].strip()


@pytest.mark.parametrize(
    "text",
    [
        "Write `<private>` before it and `</private>` behind it.\n\nMore 1234.",
        "Write `<private>…` before it. More 1234.",
        "    TAG = '<private>'\n    text = 1234\n    END = '</private>'\n",
        "An escape is `&lt;private&gt;`, too. More 1234.",
        "```\n<private> 1234\n```\n",
        "Whatever is behind <private> goes.\n\nMore 1234.",
        "See `<private> …`, then <private>secret</private>. More 1234.",
    ],
)
def test_in_a_file_a_mention_leaves_the_rest(text: str) -> None:
    shown = masked(text)
    assert "1234" in strip_private(shown.text)[0]
    assert len(shown.text) == len(text)
    assert "secret" not in shown.text


@pytest.mark.parametrize(
    "text",
    [
        "before <private>the code\n\nis 1234</private> after",
        "before <private>the code is 1234\nand more\n\nafter",
        "&lt;private&gt;the code is 1234&lt;/private&gt;",
        "before <private>a <private>b</private> the code is 1234</private> after",
        "`<private>` <private>the code is 1234</private> `</private>`",
    ],
)
def test_in_a_file_a_block_is_private(text: str) -> None:
    assert "1234" not in masked(text).text


def test_what_is_left_out_of_a_file_is_said(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "a.db", user="ana")
    (tmp_path / "docs").mkdir()
    guide = "# Guide\n\nMark it by <private> here: lost.\n\n" + "The second half stays. " * 200
    (tmp_path / "docs" / "guide.md").write_text(guide)
    (tmp_path / "docs" / "plain.md").write_text("Nothing is private in `<private>`.")
    folder = memory.folders.add(tmp_path / "docs", project="docs", watch=False)
    report = memory.folders.index(folder.id)
    assert report.unclosed == {"guide.md": len("<private> here: lost.")}
    for _ in range(2):
        assert [file.reason for file in memory.folders.files(folder.id)] == ["private_part", None]
        assert not memory.folders.index(folder.id).left
        os.utime(tmp_path / "docs" / "guide.md")
    texts = [record.text for record in memory.list(project="docs", kinds="passage").memories]
    assert sum(map(len, texts)) > 4_000
    assert "lost" not in "".join(texts)
    memory.close()


PAGES = [
    path for folder in (ROOT, ROOT / "docs", ROOT / "docs" / "reference") for path in folder.glob("*.md")
]


@each("page", PAGES)
def test_no_page_of_the_documents_loses_anything(page: Path) -> None:
    """Read as a folder, all of a page is kept, but for closed mentions of the tag with nothing in them."""
    text = page.read_text(encoding="utf-8")
    assert unclosed(text) == 0
    cut = [text[start:end] for start, end, _ in private_ranges(text)]
    assert [one for one in cut if "…" not in one or len(one) > 50] == []


def test_the_documents_are_admitted_whole(tmp_path: Path) -> None:
    """Admits the pages that speak of the tag, as a folder and as notes: no other page can hide anything."""
    docs = tmp_path / "docs"
    docs.mkdir()
    for page in PAGES:
        if "private>" in page.read_text("utf-8"):
            shutil.copy(page, docs)
    with Memory(tmp_path / "a.db", user="ana") as memory:
        folder = memory.folders.add(docs, project="docs", watch=False)
        report = memory.folders.index(folder.id)
        assert report.unclosed == {}
        assert report.new == len(list(docs.iterdir())) > 4
        assert import_path(memory, docs, dry_run=True).unclosed == ()


@each(
    "text",
    [
        "‹PRİVATE>the code is 1234",
        "<private›the code is 1234",
        "\\x3cprivate\\x3ethe code is 1234\\x3c/private\\x3e",
        "\\u{3c}private\\u{3e}the code is 1234",
        "\\U0000003cprivate\\U0000003ethe code is 1234",
        "\\\\u003cprivate\\\\u003ethe code is 1234",
        "\\74private\\76the code is 1234",
        "%3Cprivate%3Ethe code is 1234%3C%2Fprivate%3E",
        "%253Cprivate%253Ethe code is 1234",
        "=3Cprivate=3Ethe code is 1234",
        "+ADw-private+AD4-the code is 1234",
        "＆lt;private＆gt;the code is 1234",
        "<priv\\x61te>the code is 1234",
        "⟪private⟫the code is 1234",
        "<ꓑꓣꓲꓦꓮꓔꓰ>the code is 1234",
    ],
)
def test_a_tag_in_disguise_is_a_tag(text: str) -> None:
    assert "1234" not in strip_private(text)[0]


@pytest.mark.parametrize(
    "text", ["50%private", "a = b + c \\ private", "«private» is a word", "if a < b: \\x3d", "[private]"]
)
def test_ordinary_escapes_and_quotation_marks_hide_nothing(text: str) -> None:
    assert strip_private(text) == (text, 0)
