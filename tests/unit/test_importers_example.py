"""The example export and its questions."""

import json
from pathlib import Path

from tests.unit.chat_samples import read_chat, reasons

EXAMPLES = Path(__file__).parents[2] / "examples"

# The example


def test_the_example_export_holds_what_its_description_says():
    export = read_chat(EXAMPLES / "chatgpt-export.json")
    assert export.platform == "chatgpt"
    assert (len(export.conversations), export.message_count) == (7, 110)
    assert reasons(export) == {
        "an empty system message": 7,
        "internal to the model": 1,
        "replaced by a later version": 3,
        "call of a tool": 1,
        "output of a tool": 1,
        "custom instructions, taken as such": 1,
    }
    messages = [m for c in export.conversations for m in c.messages]
    for conversation in export.conversations:
        times = [m.at or 0 for m in conversation.messages]
        assert times == sorted(times)
        assert [m.role for m in conversation.messages[:2]] == ["user", "assistant"]

    def holding(text: str) -> int:
        return sum(text in m.content for m in messages)

    assert holding("postgres://shop:") == holding("SHOP_DEPLOY_TOKEN=") == holding("@example.org") == 1
    assert holding("<private>") == holding("</private>") == 1
    assert holding("Porto") == 0


def test_the_example_questions_name_messages_that_hold_the_answer():
    export = read_chat(EXAMPLES / "chatgpt-export.json")
    where = {m.id: c.title for c in export.conversations for m in c.messages}
    questions = json.loads((EXAMPLES / "questions.json").read_text(encoding="utf-8"))["questions"]
    assert len(questions) == 12
    assert len({q["message_id"] for q in questions}) == 12
    for question in questions:
        assert where[question["message_id"]] == question["conversation"]
        assert question["question"].endswith("?")
        assert question["answer"]
