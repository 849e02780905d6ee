"""Imports that are no chats: notes, mem0, the MCP memory server, basic-memory (S2.21)."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.core.errors import InvalidInput
from holdfast.features.transfer.formats import frontmatter
from holdfast.features.transfer.formats.model import (
    NOT_TEXT,
    Conversation,
    ImportedEntity,
    Item,
    Link,
    Note,
    Observed,
)
from holdfast.features.transfer.formats.opening import FORMATS, open_import, opened_bytes
from tests.cases import each
from tests.profiles import examples


def read(data: str | bytes, filename: str, format: str | None = None) -> tuple[str, list[Item], list[str]]:
    given = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    with opened_bytes(given, filename, format) as found:
        items = list(found.items)
        return found.format, items, [one.reason for one in found.skipped()]


def notes_of(items: list[Item]) -> list[tuple[str | None, str]]:
    return [(item.title, item.text) for item in items if isinstance(item, Note)]


def test_s2_21_a_note_is_one_memory_and_a_long_one_one_for_each_section() -> None:
    format, items, _ = read("# Trip\n\nTo Lisbon in May. #travel\n\n## Costs\n\n90 a night.\n", "trip.md")
    assert format == "notes"
    assert notes_of(items) == [("Trip", "# Trip\n\nTo Lisbon in May. #travel\n\n## Costs\n\n90 a night.")]
    assert isinstance(items[0], Note)
    assert items[0].tags == ("travel",)
    long = "words " * 400
    text = (
        f"intro {long}\n# One\n{long}\n```\n# no heading\n```\n## Two ##\nlast\n### deep\nin two\n# Three\n"
    )
    _, items, _ = read(text, "book.md")
    assert [title for title, _ in notes_of(items)] == ["One", "One", "One › Two"]
    assert "### deep" in notes_of(items)[-1][1]
    assert len({item.id for item in items if isinstance(item, Note)}) == 3


def test_s2_21_a_section_longer_than_a_memory_is_divided_and_nothing_is_lost() -> None:
    text = "\n\n".join(f"Paragraph {n} " + "x " * 300 for n in range(100))
    _, items, _ = read(text, "long.md")
    assert len(items) > 3
    assert "".join(text.split()) == "".join("".join(t.split()) for _, t in notes_of(items))
    assert all(len(t) <= 12_000 for _, t in notes_of(items))


def test_s2_21_the_head_of_a_note_gives_title_tags_and_time() -> None:
    head = "---\ntitle: 'An idea'\ntags: [a, \"b\"]\ndate: 2024-05-01\n---\nBuild a boat.\n"
    _, items, _ = read(head, "x.md")
    note = items[0]
    assert isinstance(note, Note)
    assert (note.title, note.tags, note.text) == ("An idea", ("a", "b"), "Build a boat.")
    assert note.at == 1_714_521_600_000
    assert notes_of(read("---\nno head\n", "x.md")[1]) == [("x", "---\nno head")]


@each(
    "line, value",
    [
        ("Meeting: the plan for May", "Meeting: the plan for May"),
        ("@docker", "@docker"),
        ("yes", "yes"),
        ("007", "007"),
        ("12:30", "12:30"),
        ("Notes #1", "Notes #1"),
        ("'It''s'", "It's"),
        (r'"She said \"no\" to C:\\x"', r'She said "no" to C:\x'),
        ("'", "'"),
        ("[a, b]", ["a", "b"]),
        ("['a, b', \"c, \\\"d\\\"\",e , ,'f' g]", ["a, b", 'c, "d"', "e", "'f' g"]),
    ],
)
def test_a_value_of_a_head_is_what_its_author_wrote(line: str, value: str | list[str]) -> None:
    """Also where YAML would read another type, or refuse the whole head."""
    assert frontmatter.split(f"---\ntitle: {line}\n---\nBody") == ({"title": value}, "Body")


def test_a_list_of_a_head_takes_linear_time_whatever_quotes_stand_open() -> None:
    for piece in ('"', "'", '"\\",', "',", '" ,', " "):
        line = piece * (200_000 // len(piece))
        assert frontmatter.split(f"---\na: [{line}]\n---\nBody")[1] == "Body"


def test_s2_21_a_folder_of_notes_in_order_without_links_and_hidden_files(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / ".git").mkdir()
    (tmp_path / "b" / "two.md").write_text("Two", encoding="utf-8")
    (tmp_path / "one.txt").write_text("One", encoding="utf-8")
    (tmp_path / ".git" / "x.md").write_text("hidden", encoding="utf-8")
    (tmp_path / "empty.md").write_text("  ", encoding="utf-8")
    (tmp_path / "bad.md").write_bytes(b"\xff\xfe\xff")
    (tmp_path / "image.png").write_bytes(b"\0")
    os.symlink("/etc/hostname", tmp_path / "link.md")
    with open_import(tmp_path) as found:
        items = list(found.items)
        assert notes_of(items) == [("one", "One"), ("two", "Two")]
        reasons = {one.where: one.reason for one in found.skipped()}
        assert set(reasons) == {"empty.md", "bad.md", ".git", "image.png", "link.md"}
        assert (reasons[".git"], reasons["link.md"]) == ("a hidden folder", "a link")
        assert reasons["image.png"] == NOT_TEXT
        first = found.sha256
    (tmp_path / "one.txt").write_text("Other", encoding="utf-8")
    with open_import(tmp_path) as found:
        assert found.sha256 != first
        again = [item for item in found.items if isinstance(item, Note)]
    assert [one.id for one in again] == [item.id for item in items if isinstance(item, Note)]


def test_s2_20_a_memory_of_mem0_that_comes_twice_is_read_once() -> None:
    """Found by fuzzing: two texts under one id took turns with every import."""
    given = [{"id": "m-1", "memory": text} for text in ("Likes tea", "Likes coffee")]
    _, items, skipped = read(json.dumps({"results": given}), "mem0.json")
    assert [item.text for item in items if isinstance(item, Note)] == ["Likes tea"]
    assert skipped == ["the same memory came before"]


def test_rows_and_points_of_the_stores_of_mem0_are_read() -> None:
    """Rows of pgvector, also with the payload as text, and what a server of Qdrant answers."""
    payload = {
        "data": "Likes olives", "hash": "h", "user_id": "alex", "created_at": "2025-03-01T10:00:00-08:00",
        "text_lemmatized": "like olive", "channel": "web", "expiration_date": "2030-01-31",
    }  # fmt: skip
    row = {"id": "a1", "vector": [0.1], "payload": payload}
    as_text = {"id": "a1", "payload": json.dumps(payload)}
    nested = {"id": "a2", "payload": "[" * 50_000}
    scrolled = {"result": {"points": [row], "next_page_offset": None}, "status": "ok"}
    for name, data in (
        ("rows.jsonl", json.dumps(row) + "\n" + json.dumps({**row, "id": "a2"})),
        ("rows.json", json.dumps([as_text, nested])), ("scroll.json", json.dumps(scrolled)),
    ):  # fmt: skip
        format, items, _ = read(data, name)
        assert format == "mem0"
        note = next(item for item in items if isinstance(item, Note))
        assert (note.text, note.user, note.scope) == ("Likes olives", "alex", ("mem0", "user_id=alex"))
        assert note.metadata == {"user_id": "alex", "channel": "web", "expiration_date": "2030-01-31"}
        assert note.expires_at == 1_896_134_400_000


def test_s2_21_mem0() -> None:
    given = {
        "results": [
            {"id": "1", "memory": "Likes red wine", "hash": "h", "user_id": "ana", "metadata": {"k": 1},
             "created_at": "2024-07-01T10:00:00-07:00", "updated_at": None, "categories": ["food"]},
            {"id": "2", "memory": "  "},
            5,
        ],
        "relations": [{"source": "ana", "relationship": "likes", "target": "wine"}, {}],
    }  # fmt: skip
    format, items, skipped = read(json.dumps(given), "mem0.json")
    assert format == "mem0"
    note, *graph = items
    assert isinstance(note, Note)
    assert (note.text, note.kind, note.tags) == ("Likes red wine", "fact", ("food",))
    assert (note.metadata, note.at) == ({"user_id": "ana", "k": 1}, 1_719_853_200_000)
    assert graph == [
        ImportedEntity("ana", "concept"),
        ImportedEntity("wine", "concept"),
        Link("ana", "likes", "wine"),
    ]
    assert len(skipped) == 3
    bare = json.dumps([{"id": "7", "memory": "Plain list"}])
    assert notes_of(read(bare, "x.json")[1]) == [(None, "Plain list")]


def test_s2_21_the_mcp_memory_server() -> None:
    lines = [
        {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["likes tea", 5]},
        {"type": "relation", "from": "Ada", "to": "Acme", "relationType": "works_at"},
        {"type": "entity", "name": "Acme", "entityType": "organization", "observations": []},
        {"type": "other"},
    ]
    text = "\n".join(map(json.dumps, lines)) + "\n{broken\n"
    format, items, skipped = read(text, "memory.jsonl")
    assert format == "mcp-memory"
    assert items == [
        ImportedEntity("Ada", "person", (Observed("likes tea"),)),
        ImportedEntity("Acme", "organization"),
        Link("Ada", "works_at", "Acme"),
    ]
    assert len(skipped) == 3
    assert read(text, "memory.json")[0] == "mcp-memory"


BASIC = """---
title: Coffee
type: drink
permalink: notes/coffee
tags:
- hot
---
# Coffee

I like it, see [[Water|tap water]].

## Observations
- [method] Pour over is best #brewing (mornings)
- [x] buy beans

## Relations
- pairs_with [[Chocolate]] (dark)
- [[folder/Cup]]
- "made of" [[Beans]]
"""


def test_s2_21_basic_memory(tmp_path: Path) -> None:
    (tmp_path / "coffee.md").write_text(BASIC, encoding="utf-8")
    with open_import(tmp_path) as found:
        assert found.format == "basic-memory"
        thing, note, *links = found.items
    observed = Observed("Pour over is best #brewing (mornings)", ("brewing",), "method")
    assert thing == ImportedEntity("Coffee", "drink", (observed,))
    assert isinstance(note, Note)
    assert (note.title, note.tags) == ("Coffee", ("hot",))
    assert note.text == "# Coffee\n\nI like it, see [[Water|tap water]].\n\n- [x] buy beans"
    assert note.metadata["permalink"] == "notes/coffee"
    assert links == [
        Link("Coffee", "links_to", "Water", make=True),
        Link("Coffee", "pairs_with", "Chocolate", make=True),
        Link("Coffee", "relates_to", "Cup", make=True),
        Link("Coffee", "made of", "Beans", make=True),
    ]


def test_s2_21_chats_are_found_as_before_and_formats_can_be_named() -> None:
    chat = '[{"role": "user", "content": "hello"}]'
    assert read(chat, "x.json")[0] == "messages"
    assert read("user: hello\nassistant: hi\n", "x.md")[0] == "text"
    assert read("plain words", "x.md", "text")[0] == "text"
    for format, data in (("mem0", chat), ("mcp-memory", chat), ("holdfast", chat), ("chatgpt", chat)):
        with pytest.raises(InvalidInput) as error:
            read(data, "x.json", format)
        assert error.value.code == "format_unknown"
    with pytest.raises(InvalidInput, match="no format"):
        read(chat, "x.json", "icq")


def test_s2_20_a_json_file_that_breaks_off_says_so() -> None:
    given = json.dumps([{"id": str(n), "memory": f"Fact {n}"} for n in range(50)])
    _, items, skipped = read(given[:-40], "mem0.json")
    assert 40 < len(items) < 50
    assert skipped[0].startswith("the rest after item")


def test_s2_20_what_is_not_there_or_too_large_is_refused(tmp_path: Path) -> None:
    sparse = tmp_path / "big.jsonl"
    with sparse.open("wb") as stream:
        stream.write(b'{"type":"header","format":"holdfast","version":1,"user":"ana"}\n')
        stream.truncate(1 << 31)
    with pytest.raises(InvalidInput) as error, open_import(sparse, "holdfast") as found:
        list(found.items)
    assert error.value.code == "file_too_large"
    note = tmp_path / "big.md"
    with note.open("wb") as stream:
        stream.truncate(1 << 31)
    with pytest.raises(InvalidInput), open_import(note, "notes") as found:
        list(found.items)
    deep = tmp_path / "deep.json"
    deep.write_text('{"results":' + "[" * 100_000)
    with pytest.raises(InvalidInput), open_import(deep) as found:
        list(found.items)
    with pytest.raises(InvalidInput, match="not exist"), open_import(tmp_path / "none") as found:
        list(found.items)


# Whatever comes in

WORDS = """
type entity relation name entityType observations from to relationType results memory id metadata created_at
relations source relationship target categories header format holdfast version user text earlier steps
role content
""".split()
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.sampled_from(
    [*WORDS, "\ud800", "2024-01-01", "1"]
)  # fmt: skip
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=6),
    max_leaves=25,
)
PIECES = st.sampled_from(
    ["---\n", "title: a\n", "permalink: b\n", "tags: [x, y]\n", "- z\n", "# h\n", "## h2 ##\n", "```\n",
     "~~~~\n", "- [a] b #c\n", "- r [[T]]\n", "[[A|b#c]]\n", "- [ ] todo\n",
     "text\n", "\n", "\r\n", "\t \n", "\0",
     "\ud800",
     '<!-- holdfast {"type":"header","format":"holdfast","version":1,"user":"a"} -->\n',
     '<!-- holdfast {"type":"memory","lines":2} -->\n', '<!-- holdfast {"lines":true} -->\n', "#" * 50,
     "[" * 50]
)  # fmt: skip
NAMES = st.sampled_from(["x.json", "x.jsonl", "x.md", "x.txt", "memory.jsonl", "", "x.zip"])
NAMED = st.none() | st.sampled_from(FORMATS)


def only_items_or_invalid_input(data: str | bytes, filename: str, format: str | None) -> None:
    try:
        found, items, _ = read(data, filename, format)
    except InvalidInput:
        return
    assert found in FORMATS
    for item in items:
        assert isinstance(item, Conversation | Note | ImportedEntity | Link | dict)
        if isinstance(item, Note):
            assert item.text.strip() == item.text != ""
            item.text.encode()
        if isinstance(item, ImportedEntity):
            assert item.name
            assert item.type
        if isinstance(item, Link):
            assert all((item.subject, item.type, item.target))


@settings(max_examples=examples(150))
@given(st.lists(JSON, max_size=4), st.booleans(), NAMES, NAMED)
def test_s2_20_any_json_gives_items_or_a_clear_error(
    values: list[Any], by_line: bool, filename: str, format: str | None
) -> None:
    data = "\n".join(map(json.dumps, values)) if by_line else json.dumps(values)
    only_items_or_invalid_input(data, filename, format)
    only_items_or_invalid_input(data[: len(data) // 2], filename, format)


@settings(max_examples=examples(150))
@given(st.lists(PIECES, max_size=14).map("".join), NAMES, NAMED)
def test_s2_20_any_text_gives_items_or_a_clear_error(text: str, filename: str, format: str | None) -> None:
    only_items_or_invalid_input(text, filename, format)


@settings(max_examples=examples(100))
@given(st.binary(max_size=200), NAMES, NAMED)
def test_s2_20_any_bytes_give_items_or_a_clear_error(data: bytes, filename: str, format: str | None) -> None:
    only_items_or_invalid_input(data, filename, format)


@pytest.mark.parametrize(
    "text",
    ["# " + " " * 200_000 + "x", "x" * 200_000, "`" * 100_001, "[[" * 100_000, "- [" * 50_000,
     "---\n" + "a: b\n" * 50_000, "#a" * 100_000, " " * 200_000 + "x", "- " + "a" * 200_000 + "[[b]]"],
    ids=range(9),
)  # fmt: skip
@pytest.mark.timeout(200)
def test_s2_20_no_text_makes_a_reader_hang(text: str) -> None:
    for format in ("notes", "basic-memory"):
        only_items_or_invalid_input(text, "x.md", format)
