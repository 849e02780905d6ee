"""Chunks: bounds, order, nothing lost, titles; of code, prose and what is neither; and hostile texts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.features.reading.chunk_packing import DROPPED, MAX_CHARS, OVERLAP
from holdfast.features.reading.chunking import Chunk, cut
from holdfast.features.reading.grammars import GRAMMARS
from tests.cases import each
from tests.growth import grows_at_most
from tests.profiles import examples

KINDS = [
    *((language, language) for language in GRAMMARS),
    ("markdown", None), ("rst", None), ("asciidoc", None), ("org", None), ("text", None), ("pdf", None),
    ("yaml", None), ("ruby", "ruby"), ("json", None),
]  # fmt: skip


def check(text: str, chunks: list[Chunk]) -> None:
    """What holds for the chunks of any text."""
    covered = [False] * len(text)
    before: Chunk | None = None
    for chunk in chunks:
        assert 0 <= chunk.start < chunk.end <= len(text)
        assert chunk.end - chunk.start <= MAX_CHARS
        piece = text[chunk.start : chunk.end]
        assert piece.strip()
        assert piece == piece.rstrip()
        assert text.count("\n", 0, chunk.start) + 1 == chunk.first_line
        assert text.count("\n", 0, chunk.end) + 1 == chunk.last_line
        if before is not None:
            assert chunk.start > before.start
            assert chunk.end > before.end
            assert before.end - chunk.start <= OVERLAP
        covered[chunk.start : chunk.end] = [True] * (chunk.end - chunk.start)
        before = chunk
    missing = sum(not seen and not char.isspace() for char, seen in zip(text, covered, strict=True))
    assert missing == 0 or (not chunks and missing <= DROPPED)


_lines = st.sampled_from(
    ["", "", "x = 1", "def f():", "    return 1", "class A:", "    def g(self):", "        pass", "# note",
     "@wrap", "# Title", "Title", "=====", "-----", "```", "* item", "func F() {", "}", "fn a() {",
     "impl X {", "export class B {", "  m() {}", "public class J {", "\f", "word " * 30, '"""', "(((",
     "é世🎉", "*/", "/*", "`", "'", '"', "y" * 700]
)  # fmt: skip


@settings(max_examples=examples(150))
@given(lines=st.lists(_lines, max_size=60), kind=st.sampled_from(KINDS))
def test_s1_59_every_visible_character_is_in_a_chunk(lines: list[str], kind: tuple[str, str | None]) -> None:
    text = "\n".join(lines)
    chunks, symbols = cut(text, *kind)
    check(text, chunks)
    assert cut(text, *kind) == (chunks, symbols)
    for symbol in symbols:
        assert 1 <= symbol.first_line <= symbol.last_line <= text.count("\n") + 1


@settings(max_examples=examples(100))
@given(text=st.text(max_size=400), repeated=st.integers(1, 40), kind=st.sampled_from(KINDS))
def test_s1_59_any_text_at_all(text: str, repeated: int, kind: tuple[str, str | None]) -> None:
    check(text * repeated, cut(text * repeated, *kind)[0])


@pytest.mark.parametrize("text", ["", "   \n ", "x", "ten chars."])
def test_s1_58_ten_characters_or_fewer_are_no_chunk(text: str) -> None:
    assert cut(text, "text", None)[0] == []
    assert cut(text, "python", "python")[0] == []


def test_s1_59_the_last_chunk_ends_the_loop() -> None:
    """The original went on with chunks that were shifted by one character each."""
    text = "word " * 2_000
    chunks = cut(text, "text", None)[0]
    assert len(chunks) == 5
    assert chunks[-1].end == len(text) - 1
    check(text, chunks)


def test_s1_58_long_text_is_cut_at_blank_lines_then_lines_then_sentences() -> None:
    blocks = "\n\n".join(["line of words\n" * 80] * 5)
    assert all(blocks[chunk.end :].startswith(("\n\n", "")) for chunk in cut(blocks, "text", None)[0])
    lines = "a line of words\n" * 500
    assert all(lines[chunk.end : chunk.end + 1] in ("\n", "") for chunk in cut(lines, "text", None)[0])
    sentences = "This is a sentence. " * 500
    assert all(sentences[chunk.end - 1] == "." for chunk in cut(sentences, "text", None)[0])


LONG = {
    "one line": "x" * 80_000,
    "blanks": " " * 80_000,
    "lines": "\n" * 80_000,
    "paragraphs": "a\n\n" * 15_000,
    "headings": "# a\n" * 10_000,
    "underlines": "- a\n=\n" * 5_000,
    "one underline": "=" * 80_000,
    "fences": "```\n" * 4_000,
    "statements": "if x:\n" * 2_500,
    "strings": 'f"{\n' * 2_500,
}
DEEP = {
    "brackets": "(" * 100_000,
    "mixed brackets": "{[(" * 30_000,
    "deeper and deeper": "\n".join(" " * depth + "if x:" for depth in range(700)),
    "classes in classes": "\n".join(" " * depth + "class A:" for depth in range(700)),
    "braces in braces": "class A { " * 20_000,
}


@each("kind", KINDS)
@each("text", LONG.values())
def test_time_grows_with_the_length_of_hostile_texts(text: str, kind: tuple[str, str | None]) -> None:
    """Eight times the text takes eight times as long, and not 64 times."""
    large = len(text)
    assert grows_at_most(lambda size: check_size(text[:size], kind), large // 8, large, factor=24, floor=1e-3)


@each("kind", KINDS)
@each("text", DEEP.values())
def test_deep_nesting_does_not_exhaust_the_stack(text: str, kind: tuple[str, str | None]) -> None:
    """A time-out of the test is a failure as well."""
    check_size(text, kind)


def check_size(text: str, kind: tuple[str, str | None]) -> None:
    """That chunks of a text without sentences are few and small."""
    chunks = cut(text, *kind)[0]
    assert len(chunks) <= len(text) // 500 + 2
    assert all(chunk.end - chunk.start <= MAX_CHARS for chunk in chunks)


PROSE = """\
Before any heading there is an introduction.

# Set-up

{filler}

## Linux

Install it with apt.

```sh
# not a heading
make
```

{filler}

Windows
-------

Use the installer. {filler}

# Use

{filler}
"""


def test_s1_58_markdown_is_cut_at_headings_with_their_path_as_title() -> None:
    text = PROSE.format(filler="Words that fill the section with something. " * 30)
    chunks = cut(text, "markdown", None)[0]
    check(text, chunks)
    assert [chunk.title for chunk in chunks] == [
        "Set-up",
        "Set-up > Linux",
        "Set-up > Windows",
        "Use",
    ]
    assert text[chunks[1].start :].startswith("## Linux")


def test_front_matter_and_fences_are_no_headings() -> None:
    text = "---\ntitle: x\ntags: y\n---\n\n# Real\n\nSome text that is long enough.\n\n~~~\n# no\n~~~\n"
    assert [chunk.title for chunk in cut(text, "markdown", None)[0]] == ["Real"]


def test_s1_58_rst_levels_come_from_the_order_of_styles() -> None:
    filler = "Words that fill the section with something.\n" * 30
    text = (
        f"=====\nGuide\n=====\n\n{filler}\nInstall\n-------\n\n{filler}\nLinux\n~~~~~\n\n{filler}\n"
        f"Use\n---\n\n{filler}"
    )
    chunks = cut(text, "rst", None)[0]
    check(text, chunks)
    assert [chunk.title for chunk in chunks] == [
        "Guide",
        "Guide > Install",
        "Guide > Install > Linux",
        "Guide > Use",
    ]


def test_pages_and_slides_are_titles() -> None:
    pages = "\f".join(f"Page of words. {'More of them. ' * 100}" for _ in range(3))
    assert [chunk.title for chunk in cut(pages, "pdf", None)[0]] == ["page 1", "page 2", "page 3"]
    slides = "".join(f"# Slide {number}: Plan\n\n{'Words. ' * 200}\n\n" for number in (1, 2))
    assert [chunk.title for chunk in cut(slides, "pptx", None)[0]] == ["Slide 1: Plan", "Slide 2: Plan"]


def test_other_code_is_cut_at_blank_lines_and_named_by_what_it_defines() -> None:
    body = "".join(f"    line_{number} = compute({number})\n" for number in range(60))
    text = f"class Session\n{body}end\n\nclass Harbour\n{body}end\n"
    chunks = cut(text, "ruby", "ruby")[0]
    check(text, chunks)
    assert [(chunk.title, chunk.symbols) for chunk in chunks] == [
        ("class Session", ("Session",)),
        ("class Harbour", ("Harbour",)),
    ]


def test_parts_of_a_pdf_are_titled_by_their_pages() -> None:
    pages = "\f".join(f"Page {number}. Replace the seal." for number in range(1, 61))
    for chunk in cut(pages, "pdf", None)[0]:
        numbers = re.findall(r"Page (\d+)", pages[chunk.start : chunk.end])
        first, last = numbers[0], numbers[-1]
        assert chunk.title == (f"page {first}" if first == last else f"pages {first}-{last}")


def test_parts_of_a_sheet_are_titled_by_their_rows_and_columns() -> None:
    rows = "".join(f"2024-{number:04} | {number * 7} | ok\n" for number in range(5, 400))
    text = f"# Costs\n\nAll costs\n\nMonth | Net | Remark\n\n{rows}\n# Crew\n\nName | Ship\nAna | Sea\n\n"
    chunks = cut(text, "sheet", None)[0]
    assert chunks[-1].title is not None
    for chunk in chunks[1:-1]:
        numbers = re.findall(r"^2024-(\d+)", text[chunk.start : chunk.end], re.MULTILINE)
        first, last = int(numbers[0]), int(numbers[-1])
        assert chunk.title == f"Costs, rows {first}-{last}: Month | Net | Remark"
    whole = "# Crew\n\nName | Ship\nAna | Sea\n\n"
    assert [chunk.title for chunk in cut(whole, "sheet", None)[0]] == ["Crew"]


def test_parts_of_a_table_are_titled_by_the_columns_that_they_do_not_show() -> None:
    text = "fecha;importe;proveedor\n" + "".join(f"{n}/07/2024;{n},50;Peña\n" for n in range(400))
    first, *others = cut(text, "table", None)[0]
    assert first.title is None
    assert {chunk.title for chunk in others} == {"fecha | importe | proveedor"}
    numbers = "".join(f"{n};{n * 3}\n" for n in range(900))
    assert {chunk.title for chunk in cut(numbers, "table", None)[0]} == {None}
