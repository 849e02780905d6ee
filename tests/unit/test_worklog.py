"""Reading the log of a session: both forms, what is left out, and that nothing in one can do harm."""

from __future__ import annotations

import io
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import example, given

from holdfast.core.errors import InvalidInput
from holdfast.features.learning.rules.lessons import candidates_in
from holdfast.features.learning.rules.log import SESSION_TYPES, Act
from holdfast.features.transfer.formats import worklog, worklog_steps
from tests.unit.work_samples import EVENTS, ROOT, TRANSCRIPT, as_lines


def steps_of(log: Any) -> list[tuple[str, str, bool]]:
    """Act, target and failure of each step."""
    return [(step.act.value, step.target, step.failed) for step in worklog.read(log).steps]


def test_s4_8_a_transcript_of_claude_code_is_read() -> None:
    log = worklog.read(as_lines(TRANSCRIPT))
    assert (log.id, log.branch, log.failed, log.is_complete) == ("0b1c", "fix/timeout", False, False)
    assert [(step.act.value, step.target, step.failed) for step in log.steps] == [
        ("user", "Fix the session timeout in the shop.", False),
        ("assistant", "I'll look.", False),
        ("search", "session_timeout", False),
        ("read", "src/auth/config.py", False),
        ("search", "TIMEOUT", True),
        ("read", "README.md", False),
        ("command", "npm test", True),
        ("command", "npm run test:unit", False),
        ("user", "Don't edit the generated files in src/gen", False),
        ("edit", "a.ts", True),
        ("web", "mcp__browser__fetch_page", False),
    ]
    assert log.files == ("src/auth/config.py", "README.md")
    assert log.steps[6].output == 'Exit code 1\nnpm ERR! Missing script: "test"'
    assert log.steps[0].at == 1_777_626_000_000


def test_s4_8_events_are_read_from_a_file_a_text_or_objects(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(as_lines(EVENTS), "utf-8")
    log = worklog.read(EVENTS)
    assert worklog.read(path) == worklog.read(as_lines(EVENTS)) == log
    assert (log.id, log.branch, log.is_complete, log.skipped, len(log.steps)) == ("s-1", "main", True, 0, 23)
    assert log.files == ("src/app.py", "src/auth/config.py", "src/auth/middleware.py")


def test_a_log_without_an_id_is_known_by_its_digest() -> None:
    log = [{"type": "read", "path": "a.py"}]
    assert worklog.read(log).id == worklog.read(list(log)).id
    assert worklog.read(log).id.startswith("log-")
    assert worklog.read(log).id != worklog.read([{"type": "read", "path": "b.py"}]).id


def test_paths_are_those_of_the_repository() -> None:
    start = {"type": "session", "cwd": ROOT}
    paths = {
        f"{ROOT}/src/a.py": "src/a.py", "./src//b.py": "src/b.py", "src/../c.py": "c.py", "/etc/passwd": None,
        "../other/d.py": None, f"{ROOT}-old/e.py": None, f"{ROOT}/../f.py": None, "~/.ssh/id_rsa": None,
        "": None, ".": None, "x" * 500: None, "a\nb": None, "src\\win.py": "src/win.py",
    }  # fmt: skip
    for given_, path in paths.items():
        steps = steps_of([start, {"type": "read", "path": given_}])
        assert steps == ([] if path is None else [("read", path, False)]), given_
    windows = [{"type": "session", "cwd": "C:\\repo"}, {"type": "edit", "path": "C:\\repo\\src\\a.py"}]
    assert steps_of(windows) == [("edit", "src/a.py", False)]
    assert steps_of([{"type": "read", "path": "/repo/a.py"}]) == []  # without a root it cannot be told


def test_texts_name_neither_the_root_nor_the_home() -> None:
    command = f"python {ROOT}/tools/x.py --cache /Users/ben/cache {ROOT}; ls {ROOT}-old"
    (step,) = worklog.read([{"type": "session", "cwd": ROOT}, {"type": "command", "command": command}]).steps
    assert step.target == "python tools/x.py --cache ~/cache .; ls ~/shop-old"


def test_s2_20_what_cannot_be_used_is_counted_and_passed_over() -> None:
    lines = [
        "{", "[]", "1", "null", '"x"', '{"type": "read"}', '{"type": 3}', '{"type": "read", "path": 4}',
        "[" * 100_000, '{"a":' * 100_000, "9" * 10_000, '{"type": "dance", "step": "tango"}',
    ]  # fmt: skip
    log = worklog.read("\n".join([*lines, '{"type": "read", "path": "a.py"}', "", "  "]))
    assert ([step.target for step in log.steps], log.skipped) == (["a.py"], len(lines))
    assert worklog.read([{"type": "read", "path": "a.py"}, {1, 2}, object()]).skipped == 2  # type: ignore[list-item]


@pytest.mark.parametrize("log", ["", "\n\n", "hello", "[]", '{"type": "note"}', [], [{}]])
def test_what_is_no_log_is_said_to_be_none(log: Any) -> None:
    with pytest.raises(InvalidInput, match="this is not the log of a session") as caught:
        worklog.read(log)
    assert caught.value.code == "format_unknown"


def test_what_is_not_there_or_no_file_is_said_to_be_so(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, code in {"none.jsonl": "file_not_found", ".": "not_a_file", "pipe": "not_a_file"}.items():
        with pytest.raises(InvalidInput) as caught:
            worklog.read(tmp_path / path)
        assert caught.value.code == code
    for wrong in (b"{}", 3, {"type": "read"}):
        with pytest.raises(InvalidInput, match="a log must be a path"):
            worklog.read(wrong)  # type: ignore[arg-type]


def test_long_lines_texts_and_sessions_are_bounded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(worklog, "LINE_MAX", 10_000)
    monkeypatch.setattr(worklog, "_CHUNK", 1_000)
    monkeypatch.setattr(worklog_steps, "STEPS_MAX", 3)
    secret = "sk_live_" + "a1B2" * 8
    events = [
        {"type": "assistant", "text": "word " * 795 + secret},
        {"type": "assistant", "text": "x" * 20_000},
        {"type": "command", "command": "make", "error": "first\n" + "line\n" * 1_500 + "last"},
        *[{"type": "read", "path": f"{n}.py"} for n in range(4)],
    ]
    log = worklog.read(as_lines(events))
    assert (len(log.steps), log.skipped) == (3, 1 + 3)
    # a text is cut between words: half a secret would be known by nobody as one
    assert secret[:8] not in log.steps[0].target
    assert len(log.steps[1].output) <= 4_001
    assert log.steps[1].output.startswith("first")
    assert log.steps[1].output.endswith("last")
    monkeypatch.setattr(worklog, "BYTES_MAX", 100)
    with pytest.raises(InvalidInput, match="larger than"):
        worklog.read(as_lines(events))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = ("id", "cwd", "branch", "path", "query", "command", "exit", "error", "url", "text", "at", "outcome",
          "sessionId", "message", "gitBranch", "timestamp", "isMeta", "isSidechain")  # fmt: skip
TYPES = ("session", "read", "edit", "write", "search", "command", "web_fetch", "assistant", "user", "end")
BLOCKS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(("text", "tool_use", "tool_result")) | JSON,
        "text": JSON,
        "id": st.sampled_from(("1", "2")) | JSON,
        "tool_use_id": st.sampled_from(("1", "2")) | JSON,
        "name": st.sampled_from(("Read", "Bash", "Edit", "WebFetch", "mcp__x__fetch")) | JSON,
        "input": st.fixed_dictionaries({}, optional={"file_path": JSON, "command": JSON, "url": JSON}) | JSON,
        "content": JSON,
        "is_error": JSON,
    },
)
MESSAGES = st.fixed_dictionaries({"content": st.lists(BLOCKS, max_size=4) | JSON})
ENTRIES = st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES) | JSON},
    optional={name: MESSAGES | JSON if name == "message" else JSON for name in FIELDS},
)


@given(st.lists(ENTRIES | JSON, max_size=12))
@example([{"type": "user", "sessionId": "", "message": {"content": [{"type": "text", "text": "\ud800"}]}}])
@example([{"type": "command", "command": "'" * 3_000}, {"type": "command", "command": "((((" * 500}])
def test_any_entries_give_a_session_or_say_that_they_are_none(entries: list[Any]) -> None:
    """Objects and lines alike: no crash, steps numbered without a gap, nothing that cannot be stored."""
    refusal = "format_unknown"
    for log in (entries, "\n".join(json.dumps(entry) for entry in entries)):
        try:
            read = worklog.read(log)
        except InvalidInput as error:
            refusal = error.code
            continue
        assert [one.number for one in read.steps] == list(range(1, len(read.steps) + 1))
        assert all(isinstance(one.act, Act) and one.target for one in read.steps)
        assert all(not one.output or one.failed for one in read.steps)
        read.id.encode()
        for step in read.steps:
            (step.target + step.output).encode()
        candidates_in(read, SESSION_TYPES["build"])
        assert worklog.read(worklog.events_of(read)) == replace(read, skipped=0)
    assert refusal == "format_unknown"


@given(
    st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass"))
)
@example(b'{"type":"read","path":"\xff.py"}\n{"type":"read","path":"a.py"}')
def test_any_bytes_give_a_session_or_say_that_they_are_none(data: bytes) -> None:
    reading = worklog._LogReader()
    reading.lines(io.BytesIO(data), "log")
    refusal = "format_unknown"
    try:
        reading.session()
    except InvalidInput as error:
        refusal = error.code
    assert refusal == "format_unknown"
