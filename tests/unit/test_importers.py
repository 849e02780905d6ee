"""Importers of ChatGPT, Claude and Gemini exports (S2.20, S2.21)."""

import pytest

from tests.unit.chat_samples import (
    Json,
    chatgpt,
    claude,
    content,
    messages_by_conversation,
    node,
    read,
    reasons,
    record,
    turn,
)

# ChatGPT


def test_s2_21_chatgpt_follows_the_branch_that_was_on_the_screen():
    root: Json = {"id": "root", "parent": None, "children": [], "message": None}
    conversation = chatgpt(
        root,
        node("porto", "root", at=10.0),
        node("porto-answer", "porto", "assistant", at=11.0),
        node("lisbon", "root", at=12.5),
        # no time: the chain, not the clock, says where it belongs
        node("lisbon-answer", "lisbon", "assistant"),
        node("thanks", "lisbon-answer", at=14.0),
        current="thanks",
    )
    export = read([conversation])
    assert export.platform == "chatgpt"
    assert messages_by_conversation(export) == [
        [("user", "lisbon"), ("assistant", "lisbon-answer"), ("user", "thanks")]
    ]
    (result,) = export.conversations
    assert (result.id, result.title, result.created_at) == ("c-1", "A chat", 1_770_000_000_250)
    assert [m.id for m in result.messages] == ["m-lisbon", "m-lisbon-answer", "m-thanks"]
    assert [m.at for m in result.messages] == [12_500, None, 14_000]
    assert [m.index for m in result.messages] == [0, 1, 2]
    assert reasons(export) == {"replaced by a later version": 2}


@pytest.mark.parametrize("current", [None, "gone", "loop-a", "orphan"])
def test_s2_21_chatgpt_without_a_whole_branch_sorts_by_create_time_missing_last(current):
    nodes = [
        node("untimed", None),
        node("second", None, at=20.0),
        node("first", None, at=10.0),
        node("loop-a", "loop-b", at=30.0),
        node("loop-b", "loop-a", at=40.0),
        node("orphan", "not in the file", at=50.0),
    ]
    export = read([chatgpt(*nodes, current=current)])
    assert [m.content for m in export.conversations[0].messages] == [
        "first",
        "second",
        "loop-a",
        "loop-b",
        "orphan",
        "untimed",
    ]


def test_s2_21_chatgpt_reads_text_and_the_words_among_parts():
    parts = ["look", {"content_type": "image_asset_pointer", "asset_pointer": "x"}, {"text": "spoken words"}]
    conversation = chatgpt(
        node("a", None, at=1.0, content={"content_type": "multimodal_text", "parts": parts}),
        node("b", "a", at=2.0, content={"content_type": "code", "text": "print(1)"}),
        node(
            "c", "b", at=3.0, content={"content_type": "multimodal_text", "parts": [{"asset_pointer": "y"}]}
        ),
    )
    export = read([conversation])
    assert messages_by_conversation(export) == [[("user", "look\nspoken words"), ("user", "print(1)")]]
    assert reasons(export) == {"no text": 1, "a picture": 1, "a file without its text": 1}


def test_s2_21_chatgpt_leaves_out_what_nobody_saw():
    hidden = {"is_visually_hidden_from_conversation": True}
    thoughts = {"content_type": "thoughts", "thoughts": [{"content": "hm"}]}
    conversation = chatgpt(
        node("placeholder", None, "system", ""),
        node("profile", "placeholder", at=1.0, metadata=hidden),
        node("question", "profile", at=2.0),
        node("call", "question", "assistant", at=3.0, recipient="web.run"),
        node("page", "call", "tool", at=4.0),
        node("thinking", "page", "assistant", at=5.0, content=thoughts),
        node("draft", "thinking", "assistant", at=5.5, weight=0.0),
        node("answer", "draft", "assistant", at=6.0, recipient="all"),
        {"id": "bad", "parent": None, "message": "not an object"},
        current="answer",
    )
    export = read([conversation])
    assert messages_by_conversation(export) == [[("user", "question"), ("assistant", "answer")]]
    assert reasons(export) == {
        "hidden in the chat": 2,
        "call of a tool": 1,
        "output of a tool": 1,
        "internal to the model": 1,
        "not a message": 1,
        "an empty system message": 1,
    }


def test_chatgpt_marks_become_the_words_they_stand_for():
    text = (
        'In \ue200entity\ue202["city","Lisbon"]\ue201 see \ue200url\ue202the page\ue202https://x\ue201.'
        "\ue200cite\ue202turn0search1\ue201\ue200entity\ue202broken\ue201"
    )
    export = read([chatgpt(node("a", None, text=text))])
    assert messages_by_conversation(export) == [[("user", "In Lisbon see the page.")]]


def test_chatgpt_conversations_inside_an_object_are_found():
    export = read({"conversations": [chatgpt(node("a", None))], "account": {"id": 7}})
    assert (export.platform, export.message_count) == ("chatgpt", 1)


def test_s2_20_one_bad_conversation_never_aborts_the_batch():
    good = chatgpt(node("a", None))
    empty = chatgpt(node("s", None, "system", "")) | {"id": "c-2"}
    strange = {"mapping": {"x": 3, "y": {"message": {"author": 7, "content": [[["deep"]]]}}}, "id": ["c"]}
    export = read([7, None, empty, {"foo": "bar"}, strange, good, good], filename="conversations.json")
    assert messages_by_conversation(export) == [[("unknown", "deep")], [("user", "a")]]
    assert reasons(export) == {
        "not a ChatGPT conversation": 3,
        "no messages": 1,
        "an empty system message": 1,
        "the same conversation came before": 2,
    }
    assert [(one.item_type, one.count) for one in export.skipped if "before" in one.reason] == [
        ("conversation", 1), ("message", 1),
    ]  # fmt: skip


# Claude


def test_s2_21_claude_reads_blocks_or_text():
    blocks = [
        {"type": "thinking", "thinking": "hm", "text": "hm"},
        {"type": "text", "text": "The answer."},
        {"type": "tool_use", "name": "search", "input": {}},
        {"type": "tool_result", "content": [{"type": "text", "text": "page"}]},
        {"type": "text", "text": "Done."},
    ]
    export = read(
        [
            claude(
                turn("1", "human", "Question?", content=[]),
                turn("2", "assistant", "a block is not supported", content=blocks),
                turn("3", "human", "", attachments=[{"extracted_content": "x"}]),
                "nonsense",
            ),
            {"uuid": "no chat"},
        ]
    )
    assert export.platform == "claude"
    assert messages_by_conversation(export) == [
        [("user", "Question?"), ("assistant", "The answer.\nDone."), ("unknown", "x")],
    ]  # fmt: skip
    (conversation,) = export.conversations
    assert (conversation.id, conversation.title, conversation.created_at) == (
        "k-1",
        "Talk",
        1_770_109_200_500,
    )
    assert [m.id for m in conversation.messages][:2] == ["1", "2"]
    assert [m.item_type for m in conversation.messages] == ["message", "message", "attachment"]
    assert conversation.messages[0].at == 1_770_109_201_000
    assert reasons(export) == {
        "no text": 1, "not a message": 1, "not a Claude conversation": 1, "thoughts of the model": 1,
        "call of a tool": 1, "output of a tool": 1,
    }  # fmt: skip


@pytest.mark.parametrize("leaf", ["4", None])
def test_s2_21_claude_leaves_out_the_branch_that_an_edit_left_behind(leaf):
    messages = [
        turn("1", "human", "Hello", "00000000-0000-4000-8000-000000000000", "2026-01-01T10:00:00Z"),
        turn("2", "assistant", "old answer", "1", "2026-01-01T10:01:00Z"),
        turn("3", "assistant", "new answer", "1", "2026-01-01T10:02:00Z"),
        turn("4", "human", "thanks", "3", "2026-01-01T10:03:00Z"),
    ]
    export = read([claude(*messages, current_leaf_message_uuid=leaf)])
    assert [m.content for m in export.conversations[0].messages] == ["Hello", "new answer", "thanks"]
    assert reasons(export) == {"replaced by a later version": 1}


def test_s2_21_claude_keeps_every_message_where_the_chain_of_parents_is_broken():
    export = read(
        [claude(turn("1", "human", "a", None), turn("3", "human", "b", "2"), turn("4", "human", "c", "3"))]
    )
    assert [m.content for m in export.conversations[0].messages] == ["a", "b", "c"]


def test_claude_without_times_takes_the_last_message_as_the_end():
    export = read([claude(turn("1", "human", "a", at=None), turn("2", "assistant", "b", "1", at=None))])
    assert [m.content for m in export.conversations[0].messages] == ["a", "b"]


# Gemini


def test_s2_21_gemini_request_contents_and_response_candidates():
    call = {
        "request": {"contents": [{"parts": [{"text": "One"}, {"inlineData": {}}]}]},
        "response": {
            "candidates": [
                {"content": {"parts": [{"text": "thought", "thought": True}, {"text": "Two"}]}},
                {"content": content("model", "another candidate")},
            ]
        },
    }
    later = {
        "request": {"contents": [content("user", "One"), content("model", "Two"), content("user", "Three")]},
        "response": {"candidates": [{"content": content("model", "Four")}]},
    }
    other = {"request": {"contents": [content("user", "Elsewhere")]}}
    export = read([call, later, other, {"request": {}}])
    assert export.platform == "gemini"
    assert messages_by_conversation(export) == [
        [("user", "One"), ("assistant", "Two"), ("user", "Three"), ("assistant", "Four")],
        [("user", "Elsewhere")],
    ]
    assert reasons(export) == {
        "not a Gemini conversation": 1, "an answer that was not chosen": 1, "thoughts of the model": 1,
        "a part without text": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    "document",
    [
        {"contents": [content("user", "Q"), content("model", "A")]},
        {"chunkedPrompt": {"chunks": [{"role": "user", "text": "Q"}, {"role": "model", "text": "A"}]}},
    ],
)
def test_s2_21_gemini_single_prompts(document):
    assert (read(document).platform, messages_by_conversation(read(document))) == (
        "gemini",
        [[("user", "Q"), ("assistant", "A")]],
    )


def test_s2_21_gemini_takeout_is_put_back_into_conversations():
    link = {"details": [{"url": "https://gemini.google.com/app/abc123?hl=en"}]}
    records = [  # newest first, as Takeout writes them
        record("Prompted and then?", "2026-03-01T12:00:00Z", "<p>Later</p>", **link),
        record("Prompted unrelated", "2026-03-01T11:00:00Z"),
        record("Gave feedback: Good response", "2026-03-01T10:21:00Z"),
        record(
            "Prompted with: which island?",
            "2026-03-01T10:20:00Z",
            "<ul><li>Naxos &amp; <b>Crete</b></li></ul>",
        ),
        record(
            "Asked Gemini: where to?",
            "2026-03-01T10:00:00Z",
            "<p>Greece,<br>  of course</p>",
            "<p>Or Malta</p>",
        ),
        record(
            "Prompted start",
            "2026-03-01T09:00:00Z",
            "<p>Ok</p>",
            titleUrl="https://gemini.google.com/app/abc123",
        ),
        {"header": "YouTube", "title": "Watched a film", "time": "2026-03-01T08:00:00Z"},
    ]
    export = read(records)
    assert export.platform == "gemini"
    assert messages_by_conversation(export) == [
        [("user", "start"), ("assistant", "Ok"), ("user", "and then?"), ("assistant", "Later")],
        [
            ("user", "where to?"),
            ("assistant", "Greece,\nof course\nOr Malta"),
            ("user", "which island?"),
            ("assistant", "Naxos & Crete"),
        ],
        [("user", "unrelated")],
    ]
    assert export.conversations[0].id == "abc123"
    assert export.conversations[1].messages[0].at == 1_772_359_200_000
    assert reasons(export) == {"not a prompt": 1, "not a Gemini conversation": 1}


def test_gemini_takeout_in_another_language_and_without_times():
    export = read(
        [record("다음 프롬프트: 안녕", "soon", "<p>네&#" + "9" * 5000 + ";</p>"), record("뭔가", None)]
    )
    (conversation,) = export.conversations
    assert conversation.messages[0].content == "다음 프롬프트: 안녕"
    assert conversation.messages[0].at is None
    assert reasons(export) == {"not a prompt": 1}
