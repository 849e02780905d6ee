"""Chats with labels in place, as rows of the set that `about` measures."""

from __future__ import annotations

from pathlib import Path

from tools.evaluation.about import measure
from tools.evaluation.labelled_chats import conversations

CHATS = """# en
u: Hi! [[home|I moved to *Braga*]] in March.\\n[[diet neg|I don't eat *pork*]]. ((quote|"I have a dog"))
a: Noted.
u: [[work past|I used to be *a nurse*]], [[aversion|I hate *mornings*]]

# de
u: [[plan|Wir *heiraten* im Mai]]
"""


def test_marks_become_statements_and_traps_of_plain_messages() -> None:
    english, german = conversations(CHATS)
    assert [message["role"] for message in english["messages"]] == ["user", "assistant", "user"]
    first = 'Hi! I moved to Braga in March.\nI don\'t eat pork. "I have a dog"'
    assert english["messages"][0]["content"] == first
    assert [
        (
            statement["message"],
            statement["quote"],
            statement["type"],
            statement["value"],
            statement["polarity"],
            statement["status"],
        )
        for statement in english["statements"]
    ] == [
        (0, "I moved to Braga", "origin_and_home", ["Braga"], "positive", "current"),
        (0, "I don't eat pork", "diet", ["pork"], "negative", "current"),
        (2, "I used to be a nurse", "work", ["a nurse"], "positive", "past"),
        (2, "I hate mornings", "aversion", ["mornings"], "negative", "current"),
    ]
    assert all(
        english["messages"][statement["message"]]["content"][statement["start"] :].startswith(
            statement["quote"]
        )
        for statement in english["statements"]
    )
    assert english["traps"] == [{"message": 0, "quote": '"I have a dog"', "kind": "quote"}]
    assert (german["language"], german["statements"][0]["status"]) == ("de", "plan")


def test_a_folder_of_chats_is_measured_whole(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(CHATS, encoding="utf-8")
    (tmp_path / "notes.md").write_text("# en\nu: I live in Rome.\n", encoding="utf-8")
    one, both = measure(tmp_path / "a.txt").as_dict(), measure(tmp_path).as_dict()
    assert (one["statements"], both["statements"], both["conversations"]) == (5, 10, 4)
    assert both["recall"] == one["recall"] > 0
