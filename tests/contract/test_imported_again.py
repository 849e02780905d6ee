"""A later and an older export of the same: the conversation is what the newest one shows."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast import Memory
from holdfast.api.import_report import Report
from holdfast.api.importing import import_bytes, import_path
from tests.fakes import ManualClock

BEGAN = 1_760_000_000.0
QUESTION, FIRST, SECOND = "q", "first", "second"
TEXTS = {
    QUESTION: "Which glue holds walnut veneer?",
    FIRST: "Use hide glue for walnut veneer.",
    SECOND: "Use epoxy glue for walnut veneer.",
    "thanks": "I bought the epoxy glue today.",
}
PARENTS = {QUESTION: None, FIRST: QUESTION, SECOND: QUESTION, "thanks": SECOND}


def chatgpt(ids: list[str], shown: str, changed: float, texts: dict[str, str] = TEXTS) -> bytes:
    mapping = {
        id: {
            "id": id,
            "parent": PARENTS[id],
            "message": {
                "id": f"m-{id}",
                "author": {"role": "user" if id in (QUESTION, "thanks") else "assistant"},
                "create_time": BEGAN + place,
                "content": {"content_type": "text", "parts": [texts[id]]},
            },
        }
        for place, id in enumerate(ids)
    }
    chat = {"conversation_id": "c1", "title": "Veneer", "create_time": BEGAN, "mapping": mapping}
    return json.dumps([chat | {"update_time": BEGAN + changed, "current_node": shown}]).encode()


def claude(ids: list[str], shown: str, changed: float, texts: dict[str, str] = TEXTS) -> bytes:
    messages = [
        {
            "uuid": f"m-{id}",
            "parent_message_uuid": f"m-{PARENTS[id]}"
            if PARENTS[id]
            else "00000000-0000-4000-8000-000000000000",
            "sender": "human" if id in (QUESTION, "thanks") else "assistant",
            "text": texts[id],
            "created_at": BEGAN + place,
        }
        for place, id in enumerate(ids)
    ]
    chat = {"uuid": "c1", "name": "Veneer", "created_at": BEGAN, "chat_messages": messages}
    told = {"updated_at": BEGAN + changed, "current_leaf_message_uuid": f"m-{shown}"}
    return json.dumps([chat | told]).encode()


FORMATS = pytest.mark.parametrize("export", [chatgpt, claude])
OLD = ([QUESTION, FIRST], FIRST, 10)
NEW = ([QUESTION, FIRST, SECOND, "thanks"], "thanks", 20)


def taken(memory: Memory, data: bytes, **options: Any) -> dict[str, int]:
    report = import_bytes(memory, data, filename="conversations.json", **options)
    balanced(report)
    return {name: count for name, count in report.outcomes.items() if count}


def balanced(report: Report) -> None:
    for row in report.account().values():
        assert row["seen"] == sum(count for fate, count in row.items() if fate not in ("seen", "reasons"))


def listed_texts(memory: Memory) -> set[str]:
    hits = memory.recall("which glue for walnut veneer?", session="c1", limit=10)
    listed = {record.text for record in memory.list(limit=50).memories}
    assert {hit.memory.text for hit in hits} <= listed
    return listed


def read(memory: Memory) -> list[str]:
    return [record.text for record in memory.sessions.messages("c1").memories]


@FORMATS
def test_an_answer_that_was_replaced_since_is_recalled_no_more(memory: Memory, export: Any) -> None:
    taken(memory, export(*OLD))
    assert taken(memory, export(*NEW)) == {"duplicate": 1, "created": 2}
    kept = [TEXTS[QUESTION], TEXTS[SECOND], TEXTS["thanks"]]
    assert listed_texts(memory) == set(kept)
    assert read(memory) == kept
    (aside,) = [
        record for record in memory.list(include=["superseded"]).memories if record.status == "superseded"
    ]
    assert (aside.text, aside.status_reason) == (
        TEXTS[FIRST],
        "replaced by a later version in its conversation",
    )
    assert memory.audit.verify()


@FORMATS
def test_an_older_export_changes_nothing_and_says_so(memory: Memory, export: Any) -> None:
    taken(memory, export(*NEW))
    report = import_bytes(memory, export(*OLD), filename="conversations.json")
    balanced(report)
    assert report.outcomes == {"outdated": 2}
    assert report.account()["message"]["reasons"] == {"older than what is here": 2}
    assert listed_texts(memory) == {TEXTS[QUESTION], TEXTS[SECOND], TEXTS["thanks"]}


@FORMATS
def test_a_person_who_goes_back_to_the_first_answer_has_it_again(memory: Memory, export: Any) -> None:
    taken(memory, export(*OLD))
    taken(memory, export(*NEW))
    taken(memory, export(NEW[0], FIRST, 30))
    assert listed_texts(memory) == {TEXTS[QUESTION], TEXTS[FIRST]}
    assert read(memory) == [TEXTS[QUESTION], TEXTS[FIRST]]
    assert taken(memory, export(*NEW)) == {"outdated": 3}


@FORMATS
def test_what_a_person_pinned_stays_though_it_was_replaced(memory: Memory, export: Any) -> None:
    taken(memory, export(*OLD))
    (answer,) = [record for record in memory.list().memories if record.text == TEXTS[FIRST]]
    memory.pin(answer.id)
    taken(memory, export(*NEW))
    assert TEXTS[FIRST] in listed_texts(memory)


@FORMATS
def test_a_dry_run_of_a_newer_export_changes_nothing(memory: Memory, export: Any) -> None:
    taken(memory, export(*OLD))
    assert taken(memory, export(*NEW), dry_run=True) == {"duplicate": 1, "created": 2}
    assert listed_texts(memory) == {TEXTS[QUESTION], TEXTS[FIRST]}


@FORMATS
def test_an_export_of_the_same_age_mends_a_text(memory: Memory, export: Any) -> None:
    taken(memory, export(*OLD))
    assert taken(memory, export(*OLD, {**TEXTS, FIRST: "Use fish glue."})) == {
        "duplicate": 1,
        "superseded": 1,
    }
    assert taken(memory, export(*OLD)) == {"duplicate": 1, "outdated": 1}
    assert listed_texts(memory) == {TEXTS[QUESTION], "Use fish glue."}


def test_an_edited_question_takes_its_fact_with_it(memory: Memory) -> None:
    texts = {
        QUESTION: "My favorite color is green.",
        SECOND: "My favorite color is blue.",
        FIRST: "",
        "thanks": "",
    }
    parents = {QUESTION: None, SECOND: None}

    def export(ids: list[str], changed: float) -> bytes:
        root = "00000000-0000-4000-8000-000000000000"
        messages = [
            {
                "uuid": id,
                "parent_message_uuid": root,
                "sender": "human",
                "text": texts[id],
                "created_at": BEGAN + place,
            }
            for place, id in enumerate(ids)
            if id in parents
        ]
        chat = {"uuid": "c1", "name": "x", "created_at": BEGAN, "updated_at": BEGAN + changed}
        return json.dumps([chat | {"chat_messages": messages}]).encode()

    taken(memory, export([QUESTION], 1))
    taken(memory, export([QUESTION, SECOND], 2))
    assert {record.text for record in memory.list().memories} == {texts[SECOND]}
    (fact,) = memory.facts.list()
    assert "blue" in str(fact.as_dict())
    assert "green" not in str(fact.as_dict())


def note(folder: Path, text: str, at: int) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "paint.md").write_text(text, encoding="utf-8")
    os.utime(folder / "paint.md", (at, at))


def test_an_older_folder_of_notes_overwrites_no_newer_text(
    memory: Memory, clock: ManualClock, tmp_path: Path
) -> None:
    seconds, folder = clock() // 1_000, tmp_path / "notes"

    def kept(text: str, at: int) -> tuple[dict[str, int], list[str]]:
        note(folder, text, at)
        report = import_path(memory, folder)
        balanced(report)
        return dict(+report.outcomes), [record.text for record in memory.list().memories]

    assert kept("The fence is painted green.", seconds - 500) == (
        {"created": 1},
        ["The fence is painted green."],
    )
    assert kept("The fence is painted grey.", seconds - 100)[0] == {"superseded": 1}
    assert kept("The fence is painted green.", seconds - 500) == (
        {"outdated": 1},
        ["The fence is painted grey."],
    )
    # changed back after the grey one came in
    assert kept("The fence is painted green.", seconds + 50) == (
        {"superseded": 1},
        ["The fence is painted green."],
    )


def test_an_import_keeps_what_a_person_edited_here(
    memory: Memory, clock: ManualClock, tmp_path: Path
) -> None:
    seconds, folder = clock() // 1_000, tmp_path / "notes"
    note(folder, "The fence is painted green.", seconds - 500)
    import_path(memory, folder)
    (record,) = memory.list().memories
    memory.revise(record.id, text="The fence is painted blue.")
    report = import_path(memory, folder)
    assert report.outcomes == {"outdated": 1}
    assert report.account()["note"]["reasons"] == {"edited here since": 1}
    assert [one.text for one in memory.list().memories] == ["The fence is painted blue."]
    note(folder, "The fence is gone.", seconds + 5_000)
    assert import_path(memory, folder).outcomes == {"superseded": 1}


def test_of_two_dated_notes_the_later_one_counts(memory: Memory, tmp_path: Path) -> None:
    def kept(text: str, date: str) -> dict[str, int]:
        (tmp_path / "plan.md").write_text(f"---\ndate: {date}\n---\n{text}\n", encoding="utf-8")
        return dict(+import_path(memory, tmp_path / "plan.md").outcomes)

    assert kept("We meet on Tuesdays.", "2025-02-01") == {"created": 1}
    assert kept("We meet on Mondays.", "2025-01-01") == {"outdated": 1}
    assert kept("We meet on Fridays.", "2025-03-01") == {"superseded": 1}


@FORMATS
def test_an_unchanged_conversation_is_known_as_a_whole_until_something_changes(
    memory: Memory, export: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken(memory, export(*NEW))
    digest = memory.sessions.get("c1").metadata["digest"]
    with monkeypatch.context() as patched:  # nothing is checked, cleaned or embedded again
        patched.setattr("holdfast.features.memories.prefetch.prepare", lambda *_: pytest.fail("read again"))
        assert taken(memory, export(*NEW)) == {"duplicate": 3}
        assert memory.sessions.get("c1").metadata["digest"] == digest
    (last,) = [record for record in memory.list(session="c1").memories if "bought" in record.text]
    memory.forget(last.id)
    assert taken(memory, export(*NEW)) == {"duplicate": 2, "forgotten": 1}
    assert not [record for record in memory.list(session="c1").memories if "bought" in record.text]
    edited = {**TEXTS, SECOND: "Use fish glue for walnut veneer."}
    assert taken(memory, export(*NEW, edited)).get("duplicate") == 1


def test_other_settings_read_a_conversation_again(memory: Memory) -> None:
    taken(memory, chatgpt(*NEW))
    digest = memory.sessions.get("c1").metadata["digest"]
    memory.never("my health")
    taken(memory, chatgpt(*NEW))
    assert memory.sessions.get("c1").metadata["digest"] != digest


_IMPORTED = """
import sys
from holdfast import Memory
from holdfast.api.importing import import_bytes
with Memory(sys.argv[1]) as memory:
    import_bytes(memory, sys.stdin.buffer.read(), project=None)
    print(memory.sessions.get("c1").metadata["digest"])
"""


@pytest.mark.on_a_file
def test_an_upgrade_of_any_part_that_may_decide_reads_a_conversation_again(tmp_path: Path) -> None:
    package = tmp_path / "holdfast"
    without = shutil.ignore_patterns("static")
    shutil.copytree(Path(holdfast.__file__).parent, package, ignore=without)  # with what is compiled

    def digest_after(changed: str) -> str:
        with (package / changed).open("a") as file:
            file.write("\n# upgraded\n")
        return subprocess.run(
            [sys.executable, "-B", "-c", _IMPORTED, str(tmp_path / "a.db")],
            input=chatgpt(*NEW), capture_output=True, check=True,
            env=os.environ | {"PYTHONPATH": str(tmp_path)},
        ).stdout.decode()  # fmt: skip

    first = digest_after("cli/main.py")
    assert digest_after("cli/main.py") == first
    assert len({first, digest_after("core/text.py"), digest_after("api/import_target.py")}) == 3


@FORMATS
def test_what_a_newer_export_no_longer_has_is_reported_and_stays(memory: Memory, export: Any) -> None:
    """Of the same account alone: exports of another one, and older ones, have other conversations."""

    def chat(id: str, began: int, last: int) -> dict[str, Any]:
        (one,) = json.loads(export([QUESTION, FIRST], FIRST, last))
        one |= {"conversation_id": id, "uuid": id, "title": f"About {id}", "name": f"About {id}"}
        times = {"create_time": BEGAN + began, "created_at": BEGAN + began}
        return {**one, **{name: time for name, time in times.items() if name in one}}

    def missing(*chats: dict[str, Any]) -> list[str | None]:
        told = import_bytes(memory, json.dumps(chats).encode(), filename="conversations.json")
        value = told.as_dict()["missing"]
        assert value["count"] == len(value["conversations"])
        return [conversation["title"] for conversation in value["conversations"]]

    first, second, third = chat("c1", 0, 10), chat("c2", 50, 60), chat("c3", 80, 90)
    assert missing(chat("x1", 0, 200)) == []
    assert missing(first, second) == []
    assert missing(first, third) == ["About c2"]
    assert missing(first) == [], "an export from before the others began says nothing of them"
    assert {session.external_id for session in memory.sessions.list()} == {"x1", "c1", "c2", "c3"}
