"""Importers of any other JSON and of text; roles, repeats, ids and times (S2.21, S2.22)."""

import json
import re
from pathlib import Path

import pytest

from holdfast.core.times import to_iso
from holdfast.features.transfer.formats import generic
from holdfast.features.transfer.formats.assemble import PART_MAX
from tests.cases import each
from tests.growth import grows_at_most
from tests.unit.chat_samples import fails, messages_by_conversation, read, read_chat_text, reasons, record

# Any other JSON


@pytest.mark.parametrize("name", ["messages", "contents", "chat_history", "history", "turns"])
def test_s2_21_generic_lists_of_messages(name):
    turns = [{"role": "user", "content": "Q"}, {"role": "bot", "content": [{"type": "text", "text": "A"}]}, 5]
    export = read({"id": 12, "title": " A\n talk ", "created_at": 1_770_000_000, name: turns})
    assert export.platform == "messages"
    assert messages_by_conversation(export) == [[("user", "Q"), ("assistant", "A")]]
    (conversation,) = export.conversations
    assert (conversation.id, conversation.title, conversation.created_at) == (
        "12",
        "A talk",
        1_770_000_000_000,
    )
    assert reasons(export) == {"not a message": 1}


def test_s2_21_generic_several_conversations_bare_lists_and_pairs():
    message = {"sender": {"role": "human"}, "text": "Q"}
    assert messages_by_conversation(
        read([{"messages": [message]}, [message, {"from": "gpt", "value": "A"}]])
    ) == [
        [("user", "Q")],
        [("user", "Q"), ("assistant", "A")],
    ]
    assert messages_by_conversation(read([message, {"from": "gpt", "value": "A"}])) == [
        [("user", "Q"), ("assistant", "A")]
    ]
    pairs = [{"prompt": "P1", "response": "R1", "time": "2026-01-01"}, {"question": "P2", "answer": "R2"}]
    assert messages_by_conversation(read(pairs)) == [
        [("user", "P1"), ("assistant", "R1"), ("user", "P2"), ("assistant", "R2")]
    ]
    assert messages_by_conversation(read({"history": pairs})) == messages_by_conversation(read(pairs))


def test_s2_21_generic_scan_finds_messages_anywhere():
    def message(text: str) -> dict[str, str]:
        return {"role": "user", "content": text}

    export = read(
        {
            "data": {
                "rooms": [
                    {"title": "One", "log": [message("a")]},
                    {"log": [message("b")], "x": [message("c")]},
                ]
            },
            "one": {"message": message("d")},
            "two": [[{"wrapped": message("e")}], 1, "text"],
        }
    )
    assert messages_by_conversation(export) == [
        [("user", "a")],
        [("user", "b")],
        [("user", "c")],
        [("user", "d"), ("user", "e")],
    ]
    assert export.conversations[0].title == "One"


def test_s2_21_generic_scan_stops_at_depth_10_and_50000_nodes(monkeypatch):
    def nested(depth: int) -> object:
        document: object = {"role": "user", "content": "deep"}
        for _ in range(depth):
            document = {"x": document}
        return document

    assert generic.MAX_DEPTH == 10
    assert generic.MAX_NODES == 50_000
    assert messages_by_conversation(read([nested(10)])) == [[("user", "deep")]]
    fails("format_unknown", json.dumps([nested(11)]))

    wide: list[object] = [{"x": {"y": []}} for _ in range(40_000)]
    export = read(
        [*wide, {"role": "user", "content": "still read"}, {"x": {"role": "user", "content": "too far"}}]
    )
    assert messages_by_conversation(export) == [[("user", "still read")]]
    assert reasons(export)["beyond the first 50000 nodes"] == 40_000 + 1 - 25_000


def test_s2_21_long_lists_of_messages_are_not_a_scan():
    export = read([{"role": "user", "content": str(n)} for n in range(60_000)])
    assert export.message_count == 60_000


def test_s2_21_jsonl_by_line_or_without_the_suffix():
    lines = [
        '{"messages": [{"role": "user", "content": "a"}]}',
        "",
        "{broken",
        "[" * 100_000,
        '{"messages": [{"role": "user", "content": "b"}]}',
    ]
    export = read_chat_text("\n".join(lines), filename="x/chat.jsonl")
    assert messages_by_conversation(export) == [[("user", "a")], [("user", "b")]]
    assert [(s.where, s.reason) for s in export.skipped] == [
        ("line 3 of chat.jsonl", "not JSON"),
        ("line 4 of chat.jsonl", "not JSON"),
    ]
    assert messages_by_conversation(
        read_chat_text("\n".join([lines[0], lines[-1]]))
    ) == messages_by_conversation(export)
    fails("format_unknown", "{broken\nagain", filename="chat.jsonl")


# Plain text


@each(
    "label, role",
    [(x, "user") for x in ("user", "human", "me", "我", "用户")]
    + [(x, "assistant") for x in ("assistant", "ai", "bot", "助手", "模型")]
    + [(x, "system") for x in ("system", "系统")],
)
@each("form", ["{}: hi there", "{}：hi there", "**{}:** hi there", "**{}**: hi there", "> {} : hi there"])
def test_s2_21_plain_text_role_prefixes(label, role, form):
    export = read_chat_text("user: first\n" + form.format(label.upper()) + "\nsecond line\n")
    assert export.platform == "text"
    assert messages_by_conversation(export)[0][-1] == (role, "hi there\nsecond line")


_GERMAN = (
    "12.11.25, 19:02 - Nachrichten sind verschlüsselt.\n"
    "12.11.25, 19:03 - Nadja: Ich wohne jetzt in der Kaiserstraße 5\nund du?\n"
    "13.11.25, 07:05 - Katrin: In Ulm: seit 2020\n"
    "13.11.25, 07:05 - Katrin: Ok\n13.11.25, 07:05 - Katrin: Ok\n"
    "13.11.25, 07:06 - Nadja: <Medien ausgeschlossen>\n"
    "13.11.25, 07:07 - Nadja: Diese Nachricht wurde gelöscht\n"
)


def test_s2_21_messenger_chats_say_who_said_what_and_when():
    export = read_chat_text(_GERMAN, filename="WhatsApp Chat mit Nadja.txt")
    (conversation,) = export.conversations
    assert (export.platform, conversation.title) == ("text", "WhatsApp Chat mit Nadja")
    assert [(m.role, m.name, m.content) for m in conversation.messages] == [
        ("unknown", "Nadja", "Ich wohne jetzt in der Kaiserstraße 5\nund du?"),
        ("user", "Katrin", "In Ulm: seit 2020"),
        ("user", "Katrin", "Ok"),
        ("user", "Katrin", "Ok"),
    ]
    assert [m.at for m in conversation.messages[:2]] == [1762974180000, 1763017500000]
    assert reasons(export) == {
        "a notice of the program": 1,
        "a file without its text": 1,
        "no text": 1,
        "deleted in the chat": 1,
    }
    assert read_chat_text(_GERMAN, filename="WhatsApp Chat mit Nadja.txt") == export


@pytest.mark.parametrize("name", ["chat.txt", "WhatsApp Chat mit Familie.txt", "WhatsApp Chat with Nadj.txt"])
def test_s2_22_nobody_is_taken_for_the_user_of_a_messenger_chat_that_does_not_say_so(name):
    export = read_chat_text(_GERMAN, filename=name)
    assert {m.role for m in export.conversations[0].messages} == {"unknown"}


@pytest.mark.parametrize(
    ("line", "at"),
    [
        ("[12.11.25, 19:03:11] {}: hi", "2025-11-12T19:03:11Z"),
        ("11/12/25, 7:03\u202fPM - {}: hi", "2025-11-12T19:03:00Z"),
        ("25/11/2025, 19:03 - {}: hi", "2025-11-25T19:03:00Z"),
        ("2025-11-12, 19:03 - {}: hi", "2025-11-12T19:03:00Z"),
        ("\u200e[12.11.25, 19:03:11] ~{}: hi", "2025-11-12T19:03:11Z"),
    ],
)
def test_s2_21_messenger_chats_of_other_phones(line, at):
    export = read_chat_text("\n".join(line.format(name) for name in ("Ana", "Ben C")), filename="_chat.txt")
    messages = export.conversations[0].messages
    assert [(m.name, m.content) for m in messages] == [("Ana", "hi"), ("Ben C", "hi")]
    assert {to_iso(m.at or 0) for m in messages} == {at}


def test_s2_21_a_text_with_messages_further_down_is_no_chat_of_a_messenger():
    text = f"My blood group is A positive.\n\n{_GERMAN}"
    assert messages_by_conversation(read_chat_text(text, filename="diary.txt")) == [[("user", text.strip())]]


def test_s2_21_a_messenger_chat_that_grew_has_the_same_messages_whichever_way_its_dates_are_read():
    chat = "3/1/24, 10:01 am - Ana: hi\n3/2/24, 10:01 am - Ben: hello\n"
    early, later = (
        read_chat_text(text, filename="chat.txt").conversations[0].messages
        for text in (chat, f"{chat}13/2/24, 10:01 am - Ana: bye\n")
    )
    assert early[1].at != later[1].at
    assert [message.id for message in early] == [message.id for message in later[:2]]


def test_a_message_of_white_space_is_read_in_time_that_grows_with_it():
    def read(size: int) -> object:
        text = f"12.11.25, 19:03 - Ana: a{' ' * size}b\n12.11.25, 19:04 - Ben: c"
        return read_chat_text(text, filename="chat.txt")

    assert grows_at_most(read, 10_000, 40_000, factor=8, floor=0.005)


def test_s2_21_plain_text_preamble_code_and_emphasis():
    text = "Chat of 3 May\n\nMe: *look*\n```yaml\nuser: root\n```\nMedium: no role\nAI: **fine**\n\nMe:\nbye"
    assert messages_by_conversation(read_chat_text(text)) == [
        [
            ("unknown", "Chat of 3 May"),
            ("user", "*look*\n```yaml\nuser: root\n```\nMedium: no role"),
            ("assistant", "**fine**"),
            ("user", "bye"),
        ]
    ]
    assert len(messages_by_conversation(read_chat_text("Me: a\n```\nAI: the fence never closes"))[0]) == 2


@pytest.mark.parametrize(
    "text", ["Just a note.\nTwo lines.", "[10:32] me: hello", "{me}: hello", '["quoted" word', "  ünïcode  "]
)
def test_s2_22_unrecognised_text_is_one_user_message(text):
    export = read_chat_text(text, filename="note.txt")
    assert (export.platform, messages_by_conversation(export)) == ("text", [[("user", text.strip())]])


def test_json_in_a_text_file_is_read_as_json_where_it_is_a_chat():
    chat_json = json.dumps({"messages": [{"role": "user", "content": "hi"}]})
    assert messages_by_conversation(read_chat_text(chat_json, filename="pasted.md")) == [[("user", "hi")]]
    assert messages_by_conversation(read_chat_text('{"a": 1}', filename="pasted.md")) == [
        [("user", '{"a": 1}')]
    ]


def test_utf16_and_byte_order_marks():
    for data in ("Me: grüße\nAI: 你好".encode(e) for e in ("utf-8", "utf-8-sig", "utf-16")):
        assert messages_by_conversation(read_chat_text(data)) == [[("user", "grüße"), ("assistant", "你好")]]


@pytest.mark.parametrize("words", ["password: hunter2Zq81xvLp", "my password is\nhunter2Zq81xvLp"])
def test_a_long_message_is_not_divided_between_a_secret_and_its_words(words):
    before = "word " * (PART_MAX // 5)
    for end in range(PART_MAX - len(words), PART_MAX, 4):
        text = f"{before[:end]} {words} more {'word ' * 20}"
        ((_, first), (_, second)) = messages_by_conversation(read([{"role": "user", "content": text}]))[0]
        assert any(words in part for part in (first, second))
        assert f"{first} {second}".split() == text.split()


# Roles, repeats, ids, times


@each(
    "label, role, name",
    [
        ("model", "assistant", None),
        ("BOT", "assistant", None),
        ("ai", "assistant", None),
        ("human", "user", None),
        ("user", "user", None),
        ("system", "system", None),
        ("Lena", "unknown", "Lena"),
        ("tool", "unknown", "tool"),
        ("", "unknown", None),
    ],
)
def test_s2_22_role_mapping(label, role, name):
    (message,) = read([{"role": label, "content": "x"}]).conversations[0].messages
    assert (message.role, message.name) == (role, name)


def test_s2_22_repeats_are_dropped_only_where_the_format_gives_no_ids():
    twice = [{"role": "user", "content": "yes"}, {"role": "user", "content": " yes "}]
    export = read([*twice, {"role": "assistant", "content": "yes"}])
    assert messages_by_conversation(export) == [[("user", "yes"), ("assistant", "yes")]]
    assert reasons(export) == {"the same message came before": 1}
    with_ids = [message | {"id": n} for n, message in enumerate(twice)]
    assert messages_by_conversation(read(with_ids)) == [[("user", "yes"), ("user", "yes")]]
    with_times = [message | {"timestamp": 1_770_000_000 + n} for n, message in enumerate(twice)]
    assert messages_by_conversation(read(with_times)) == [[("user", "yes"), ("user", "yes")]]
    same_id = [{"id": 1, "role": "user", "content": "a"}, {"id": 1, "role": "user", "content": "b"}]
    assert messages_by_conversation(read(same_id)) == [[("user", "a")]]
    # a repeat in another conversation is another message
    other = read([{"messages": twice[:1]}, {"messages": twice[:1]}])
    ids = [m.id for c in other.conversations for m in c.messages] + [c.id for c in other.conversations]
    assert len(set(ids)) == 4


def test_s2_21_ids_stay_the_same_when_an_export_has_grown():
    first = [{"role": "user", "content": "a"}, {"role": "bot", "content": "b"}]
    old, new = read(first), read([*first, {"role": "user", "content": "c"}])
    assert old.conversations[0].id == new.conversations[0].id
    assert old.conversations[0].messages == new.conversations[0].messages[:2]

    day = [record("Prompted b", "2026-03-01T10:10:00Z"), record("Prompted a", "2026-03-01T10:00:00Z")]
    old, new = read(day), read([record("Prompted c", "2026-03-01T10:20:00Z"), *day])
    assert old.conversations[0].id == new.conversations[0].id
    assert old.conversations[0].messages == new.conversations[0].messages[:2]


@each(
    "value, at",
    [
        (1_770_000_000, 1_770_000_000_000),
        (1_770_000_000.5, 1_770_000_000_500),
        (1_770_000_000_123, 1_770_000_000_123),
        ("1770000000", 1_770_000_000_000),
        ("2026-02-02T02:40:00Z", 1_770_000_000_000),
        ("2026-02-02 03:40:00+01:00", 1_770_000_000_000),
        ("2026-02-02 02:40:00 UTC", 1_770_000_000_000),
        ("3/4/2026", None),
        ("1970-01-01T00:00:00Z", None),
        ("1970-01-01T01:00:00+01:00", None),
        ("soon", None),
        ("", None),
        ("1" * 39, None),
        (0, None),
        (-5, None),
        (True, None),
        (1e300, None),
        ([1], None),
        (10**400, None),
        (float("nan"), None),
        ("9999-12-31T23:59:59-12:00", None),
    ],
)
def test_times_are_read_or_left_open_never_guessed(value, at):
    (message,) = read([{"role": "user", "content": "x", "timestamp": value}]).conversations[0].messages
    assert message.at == at


def test_halves_of_surrogate_pairs_and_long_ids_do_not_reach_the_store():
    export = read_chat_text(
        '[{"role": "user", "content": "a\\ud800b", "id": "' + "x" * 5000 + '", "name": "\\udfff"}]'
    )
    (message,) = export.conversations[0].messages
    assert message.content == "a\ufffdb"
    assert message.name == "\ufffd"
    assert re.fullmatch(r"[0-9a-f]{32}", message.id)
    assert messages_by_conversation(read_chat_text("a\ud800b")) == [[("user", "a?b")]]


@pytest.mark.parametrize("key", ["at", "create_time", "created_at", "createdAt", "timestamp", "time", "date"])
def test_s2_21_a_time_is_read_under_each_of_its_names(key):
    """`at` is what `add_messages` takes, and the README writes."""
    export = read([{"role": "user", "content": "Q", key: "2026-05-07T13:56:00Z"}])
    assert export.conversations[0].messages[0].at == 1_778_162_160_000


def test_s2_21_a_time_that_cannot_be_read_does_not_hide_one_that_can():
    export = read([{"role": "user", "content": "Q", "at": "last week", "date": "2026-05-07T13:56:00Z"}])
    assert export.conversations[0].messages[0].at == 1_778_162_160_000


def test_every_key_that_is_read_is_documented():
    page = (Path(__file__).parents[2] / "docs" / "importing.md").read_text(encoding="utf-8")
    keys = {
        *generic._ROLES,
        *generic._TEXTS,
        *generic._IDS,
        *generic._TITLES,
        *generic._TIMES,
        *generic._LISTS,
    }
    keys |= {key for pair in generic._PAIRS for key in pair}
    assert [key for key in sorted(keys) if f"`{key}`" not in page] == []


def test_s2_21_a_message_that_is_too_long_for_one_is_taken_in_parts():
    paragraph = "word " * 99_000 + "\n\n"
    key = "-----BEGIN PRIVATE KEY-----\n" + "QUJD\n" * 4_000 + "-----END PRIVATE KEY-----\n"
    text = (paragraph + key) * 3
    export = read([{"role": "user", "content": text, "id": "m1"}, {"role": "assistant", "content": "ok"}])
    (*parts, last) = export.conversations[0].messages
    assert (last.content, parts[0].id) == ("ok", "m1")
    assert [part.index for part in parts] == list(range(len(parts)))
    assert len({part.id for part in parts}) == len(parts) > 2
    assert max(len(part.content) for part in parts) <= 500_000
    assert "".join("".join(part.content for part in parts).split()) == "".join(text.split())
    assert all(part.content.count("BEGIN") == part.content.count("END") for part in parts)


def test_s2_21_a_long_message_with_a_private_block_stays_whole():
    text = "<private>" + "word " * 120_000 + "</private>"
    export = read([{"role": "user", "content": text}])
    assert messages_by_conversation(export) == [[("user", text)]]
