"""Chat exports as files: errors, limits, archives, broken data (S2.20, S2.21)."""

import hashlib
import json
import os
import zipfile
from pathlib import Path

import pytest

from holdfast.core.errors import InvalidInput
from holdfast.features.transfer.formats import assemble, chat, containers, files, jsonstream
from holdfast.features.transfer.formats.model import PLATFORMS
from tests.cases import each
from tests.unit.chat_samples import (
    archive,
    chatgpt,
    claude,
    fails,
    messages_by_conversation,
    node,
    read_chat,
    read_chat_text,
    reasons,
    record,
    turn,
)

# Files and errors


def test_a_file_is_read_like_its_text_and_hashed(tmp_path):
    data = json.dumps([{"role": "user", "content": "hi"}]).encode()
    path = tmp_path / "chat.json"
    path.write_bytes(data)
    export = read_chat(path)
    assert export == read_chat(str(path)) == read_chat_text(data, filename="chat.json")
    assert export.sha256 == hashlib.sha256(data).hexdigest()


def test_paths_that_are_no_readable_file(tmp_path):
    def code(path: Path | str) -> str:
        with pytest.raises(InvalidInput) as caught:
            read_chat(path)
        return caught.value.code

    assert code(tmp_path / "missing.json") == "file_not_found"
    (tmp_path / "file").write_text("x")
    assert code(tmp_path / "file" / "below.json") == "file_not_found"
    assert code(tmp_path) == "not_a_file"
    assert code("") == "not_a_file"
    os.mkfifo(tmp_path / "pipe")
    assert code(tmp_path / "pipe") == "not_a_file"
    assert code("nul\0byte") == "file_unreadable"
    assert code("x" * 5000) == "file_unreadable"


@pytest.mark.parametrize("data", ["", " \n\t ", b"", b"\xef\xbb\xbf"])
def test_an_empty_file_says_so(data):
    assert "empty" in fails("format_unknown", data).message


@pytest.mark.parametrize("data", ["[]", "{}", "7", '{"a": [1, 2, {"b": "c"}]}', "[[[]]]", '["a", "b"]'])
def test_s2_22_json_without_messages_is_an_error(data):
    fails("format_unknown", data, filename="x.json")


def test_broken_utf8_names_the_encoding():
    assert (
        "UTF-8"
        in fails("file_unreadable", '[{"role": "user", "content": "Müller"}]'.encode("latin-1")).message
    )
    fails("file_unreadable", "Me: hello ü".encode()[:-1])


def test_binary_and_web_pages_are_named():
    assert "binary" in fails("format_unknown", b"abc\0\0\0").message
    assert "web page" in fails("format_unknown", "<!DOCTYPE html><html></html>", filename="chat.html").message


def test_truncated_json_keeps_what_is_whole_and_says_where_it_breaks_off():
    whole = json.dumps(
        [{"id": n, "messages": [{"role": "user", "content": f"message {n}"}]} for n in range(3)]
    )
    export = read_chat_text(whole[:-10], filename="chat.json")
    assert [c.id for c in export.conversations] == ["0", "1"]
    (skipped,) = export.skipped
    assert skipped.where == "chat.json"
    assert "the rest after item 2" in skipped.reason
    assert read_chat_text(whole + "trailing").message_count == 3
    for end in range(1, whole.index("}") + 1):
        with pytest.raises(InvalidInput):
            read_chat_text(whole[:end], filename="chat.json")
    fails("file_unreadable", '{"messages": [{"role": "us')
    fails("file_unreadable", "this is not JSON", filename="chat.json")


@each("opening", ["[", '{"a":', '[{"messages":[', '{"messages":[{"role":"user","content":['])
@each("filename", ["chat.json", "chat.jsonl", ""])
def test_ten_megabytes_of_nesting_are_an_error(opening, filename):
    with pytest.raises(InvalidInput):
        read_chat_text(opening * (10_000_000 // len(opening)), filename=filename)


def test_deep_nesting_that_json_takes_is_read_five_levels_down():
    def nested(depth: int) -> str:
        return '[{"role":"user","content":' + "[" * depth + '"x"' + "]" * depth + "}]"

    assert messages_by_conversation(read_chat_text(nested(5))) == [[("user", "x")]]
    for depth in (6, 500):
        export = read_chat_text(nested(depth))
        assert (export.conversations, reasons(export)["no text"]) == ((), 1)


def test_numbers_too_long_for_python_are_an_error():
    fails("file_unreadable", "[[" + "9" * 5000 + "]]")


def test_limits_on_files_values_and_items(monkeypatch, tmp_path):
    messages = json.dumps([{"role": "user", "content": "x" * 1000, "id": n} for n in range(50)])
    monkeypatch.setattr(chat, "MAX_ITEMS", 10)
    export = read_chat_text(messages)
    assert export.message_count == 10
    assert "too many items" in export.skipped[0].reason
    monkeypatch.setattr(assemble, "MAX_PLACES", 2)
    lines = "\n".join(["broken"] * 5 + ['{"role": "user", "content": "x"}'])
    places = [(s.where, s.count) for s in read_chat_text(lines, filename="x.jsonl").skipped]
    assert places == [("line 1 of x.jsonl", 1), ("line 2 of x.jsonl", 1), ("elsewhere", 3)]
    monkeypatch.setattr(files, "_CHUNK", 500)
    monkeypatch.setattr(jsonstream, "MAX_VALUE", 3000)
    assert read_chat_text(messages).message_count == 10
    fails("file_too_large", json.dumps({"messages": json.loads(messages)}))
    fails("file_too_large", "Me: " + "x" * 5000)
    fails("file_too_large", '{"role": "user", "content": "' + "x" * 5000 + '"}', filename="x.jsonl")
    monkeypatch.setattr(files, "MAX_BYTES", 2000)
    fails("file_too_large", messages)


@pytest.mark.parametrize("filename", ["x.json", "x.jsonl"])
def test_a_value_of_too_many_parts_is_not_parsed(monkeypatch, filename):
    """A compressed megabyte of `[],` would take gigabytes; signs in texts are no parts."""
    monkeypatch.setattr(files, "_CHUNK", 500)
    monkeypatch.setattr(jsonstream, "MAX_PARTS", 100)
    spoken = json.dumps({"role": "user", "content": '[{,"\\\\' * 300})
    assert read_chat_text(spoken, filename=filename).message_count == 1
    nested = '{"role": "user", "content": "x", "more": [' + "[]," * 300 + "1]}"
    if filename == "x.jsonl":
        assert read_chat_text(f"{nested}\n{spoken}", filename=filename).message_count == 1
    else:
        fails("file_too_large", nested, filename=filename)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
def test_pieces_of_any_size_give_the_same_export(monkeypatch, size):
    documents = {
        "a.json": '[ {"history": [{"role": "me", "text": "😀\\u00e9"}]} ,\n 123, {"from":"ai","text":"2"} ] ',
        "b.json": '{"role": "user", "content": "one"}\n{"role": "user", "content": "two"}\n123',
        "c.jsonl": '{"role": "user", "content": "one"}\n\n{"role": "user", "content": "zwei ü"}',
        "d.txt": "Me: grüße\nAI: 你好",
    }
    expected = {name: read_chat_text(text, filename=name) for name, text in documents.items()}
    monkeypatch.setattr(files, "_CHUNK", size)
    assert {name: read_chat_text(text, filename=name) for name, text in documents.items()} == expected


@each("size", range(1, 9))
def test_numbers_cut_by_the_edge_of_a_piece_are_read_whole(size: int) -> None:
    text = "[1.5, -2e3, 4E-5, 6e+7, 1e2, 10]"
    pieces = iter([text[at : at + size] for at in range(0, len(text), size)])
    assert list(jsonstream.items(pieces, "numbers")) == json.loads(text)


def test_platform_can_be_forced_and_is_checked():
    assert set(PLATFORMS) == {"chatgpt", "claude", "gemini", "messages", "text"}
    document = json.dumps([claude(turn("1", "human", "hi"))])
    assert read_chat_text(document, platform="claude").platform == "claude"
    assert read_chat_text(document, platform="text").conversations[0].messages[0].content == document
    assert read_chat_text(document, platform="messages").platform == "messages"
    fails("format_unknown", document, platform="chatgpt")
    fails("format_unknown", document, platform="myspace")
    fails("file_unreadable", "Me: hi", platform="messages")


# Archives


def test_s2_21_archives_of_chatgpt_claude_and_takeout(tmp_path):
    def conversation(key: str) -> str:
        return json.dumps([chatgpt(node(key, None)) | {"id": key}])

    path = tmp_path / "export.zip"
    path.write_bytes(
        archive(
            {
                "conversations-001.json": conversation("b"),
                "conversations-000.json": conversation("a"),
                "user.json": "{}",
            }
        )
    )
    export = read_chat(path)
    assert [c.id for c in export.conversations] == ["a", "b"]
    assert export.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    claude_zip = archive(
        {"data/conversations.json": json.dumps([claude(turn("1", "human", "hi"))]), "users.json": "[]"}
    )
    assert read_chat_text(claude_zip, filename="data.zip").platform == "claude"
    takeout = archive(
        {
            "Takeout/My Activity/Gemini Apps/MyActivity.json": json.dumps(
                [record("Prompted hi", "2026-01-01")]
            ),
            "Takeout/My Activity/Search/MyActivity.json": "[]",
        }
    )
    assert messages_by_conversation(read_chat_text(takeout)) == [[("user", "hi")]]


def test_s2_20_a_broken_part_of_an_archive_is_skipped():
    good = json.dumps([chatgpt(node("a", None))])
    export = read_chat_text(archive({"conversations-000.json": "{", "conversations-001.json": good}))
    assert export.message_count == 1
    assert export.skipped[0].where == "conversations-000.json"
    fails("file_unreadable", archive({"conversations.json": "{"}))


def test_archives_without_chats_or_damaged():
    assert "conversations.json" in fails("format_unknown", archive({"user.json": "{}"})).message
    fails("format_unknown", archive({}))
    data = archive({"conversations.json": json.dumps([chatgpt(node("a", None))])})
    fails("file_unreadable", data[: len(data) // 2])
    fails("file_unreadable", b"PK\x03\x04")
    body = data.index(b"conversations.json") + len("conversations.json")
    fails(
        "file_unreadable",
        data[:body] + bytes(byte ^ 0x55 for byte in data[body : body + 40]) + data[body + 40 :],
    )
    encrypted = bytearray(data)
    encrypted[6] |= 1
    encrypted[data.rindex(b"PK\x01\x02") + 8] |= 1
    fails("file_unreadable", bytes(encrypted))


def test_archive_bombs_are_refused(monkeypatch):
    fails("archive_unsafe", archive({"conversations.json": b" " * (8 << 20)}))
    fails("archive_unsafe", archive({"conversations.json": b"[]"}, zipfile.ZIP_LZMA))
    many = archive({f"conversations-{n}.json": os.urandom(4096) for n in range(4)})
    monkeypatch.setattr(files, "MAX_BYTES", 10_000)
    fails("archive_unsafe", many)
    monkeypatch.setattr(containers, "MAX_DIRECTORY", 100)
    assert "too many files" in fails("archive_unsafe", many).message


def test_an_archive_that_lies_about_its_size_yields_no_more_than_it_says():
    data = bytearray(
        archive({"conversations.json": b'[{"role":"user","content":"' + b"x" * 100_000 + b'"}]'})
    )
    entry = data.rindex(b"PK\x01\x02")
    data[entry + 24 : entry + 28] = (500).to_bytes(4, "little")
    fails("file_unreadable", bytes(data))


@pytest.mark.parametrize("wide", [b"", b"PK\x06\x06" + bytes(72)])
def test_a_directory_is_measured_whatever_stands_beside_its_record(monkeypatch, wide):
    data = bytearray(archive({f"conversations-{n}.json": b"[]" for n in range(4)}))
    end = data.rindex(b"PK\x05\x06")
    data[end + 6 : end + 8] = b"\0\0" if wide else b"PK"
    data[end + 8 : end + 10] = b"\x05\x06"  # looks like the beginning of another record
    monkeypatch.setattr(containers, "MAX_DIRECTORY", 100)
    assert "too many files" in fails("archive_unsafe", bytes(data[:end] + wide + data[end:])).message


def test_a_64_bit_directory_is_measured_too(monkeypatch):
    data = archive({"conversations.json": "[]"})
    end = data.rindex(b"PK\x05\x06")
    wide = bytearray(b"PK\x06\x06" + bytes(52) + b"PK\x06\x07" + bytes(16))
    wide[40:48] = (1 << 40).to_bytes(8, "little")
    assert "too many files" in fails("archive_unsafe", data[:end] + bytes(wide) + data[end:]).message


def test_a_file_in_which_nobody_speaks_is_no_chat(tmp_path: Path) -> None:
    path = tmp_path / "project.toml"
    path.write_text('[project]\nname = "shop"\n')
    with pytest.raises(InvalidInput) as error:
        list(read_chat(path).conversations)
    assert error.value.code == "format_unknown"
    assert len(read_chat(path, platform="text").conversations) == 1
    path.write_text("User: hello\nAI: hi\n")
    assert len(read_chat(path).conversations[0].messages) == 2
