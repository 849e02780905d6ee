"""The installed command as a process: pipes, signals, encodings, and how little it loads."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.core.ids import short_id
from tests.cli.support import HOLDFAST, process, remembered, run, run_json
from tests.support import PATIENCE, awaited

PIPE_HOLDS = 65_536


def test_remember_and_recall_as_processes() -> None:
    completed = process(
        "remember", "--kind", "decision", "--project", "shop", input="Wir nehmen JWT 東京".encode()
    )
    assert (completed.returncode, completed.stderr) == (0, b"")
    found = process("recall", "JWT", "--project", "shop", "--json")
    assert json.loads(found.stdout)["hits"][0]["memory"]["text"] == "Wir nehmen JWT 東京"
    assert b"\x1b" not in process("list", "--project", "shop").stdout


def test_the_module_is_the_command() -> None:
    completed = subprocess.run(
        [sys.executable, "-m", "holdfast", "--version"], capture_output=True, check=True
    )
    assert completed.stdout == process("--version").stdout


def test_the_store_is_named_by_the_environment(tmp_path: Path) -> None:
    env = {"HOLDFAST_STORE": str(tmp_path / "env.db"), "HOLDFAST_USER": "ana"}
    process("remember", "tea", env=env)
    assert (
        run_json("list", "--store", str(tmp_path / "env.db"), "--user", "ana")["memories"][0]["owner"]
        == "ana"
    )


def test_an_argument_that_is_not_unicode_loses_nothing_else() -> None:
    completed = process("remember", b"caf\xe9 opens at nine", "--json")
    assert completed.returncode == 0, completed.stderr
    assert "opens at nine" in json.loads(completed.stdout)["memory"]["text"]


def test_ten_megabytes_are_refused_with_a_code() -> None:
    completed = process("remember", "--json", input=b"word " * 2_000_000)
    assert completed.returncode == 2
    assert json.loads(completed.stderr)["error"]["code"] == "text_too_long"


def test_an_output_without_unicode_still_gets_everything() -> None:
    remembered("Grüße aus 東京")
    env = {"PYTHONIOENCODING": "latin-1"}
    assert b"Gr\xfc\xdfe aus \\u6771\\u4eac" in process("list", env=env).stdout
    assert json.loads(process("list", "--json", env=env).stdout)["memories"][0]["text"] == "Grüße aus 東京"


def test_no_standard_input_is_told() -> None:
    completed = subprocess.run(
        ["sh", "-c", f"'{HOLDFAST}' remember <&-"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert completed.returncode == 2
    assert "no text given" in completed.stderr


def test_a_reader_that_leaves_early_is_no_error() -> None:
    run("remember", "--lines", input="".join(f"Lighthouse {n} is kept by person {n}\n" for n in range(300)))
    script = f"'{HOLDFAST}' list --limit 300 --json; echo $? >&2"
    first = subprocess.Popen(["sh", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert first.stdout is not None
    assert first.stderr is not None
    first.stdout.close()
    with first.stderr:
        assert first.stderr.read().split() == [b"141"]
    assert first.wait(PATIENCE) == 0


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks the system whether a process waits")
def test_an_interrupt_ends_quietly() -> None:
    # a test run in the background of a script ignores interrupts, and what it starts would too
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        waiting = subprocess.Popen(
            [HOLDFAST, "remember", "-"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
    finally:
        signal.signal(signal.SIGINT, before)
    assert waiting.stdin is not None
    assert waiting.stderr is not None
    with waiting.stdin, waiting.stderr:
        # more than a pipe holds: once it is written, the command is reading
        waiting.stdin.write(b"x" * (2 * PIPE_HOLDS))
        waiting.stdin.flush()
        state = Path(f"/proc/{waiting.pid}/stat")
        # a signal between two reads would be heard with the next bytes only
        awaited(lambda: state.read_text().rpartition(")")[2].split()[0] == "S")
        waiting.send_signal(signal.SIGINT)
        assert b"Traceback" not in waiting.stderr.read()
    assert waiting.wait(PATIENCE) == 130


def on_terminal(*args: str, typed: str = "", env: dict[str, str] | None = None) -> tuple[int, str]:
    """Runs a command with a terminal for its input and output."""
    leader, follower = pty.openpty()
    settings = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "40", **(env or {})}
    running = subprocess.Popen(
        [HOLDFAST, *args], stdin=follower, stdout=follower, stderr=follower, env=settings
    )
    os.close(follower)
    os.write(leader, typed.encode())
    shown = b""
    while True:
        try:
            part = os.read(leader, 65_536)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(leader)
    return running.wait(PATIENCE), shown.decode(errors="replace")


def test_a_terminal_gets_colours_and_a_table_unless_told_otherwise() -> None:
    id = remembered("Grüße aus 東京 [bold]not markup[/bold]")
    status, shown = on_terminal("list")
    assert status == 0
    assert "\x1b[" in shown
    assert short_id(id) in shown
    assert "[bold]not markup[/bold]" in " ".join(shown.split())
    plain = on_terminal("recall", "Grüße", env={"NO_COLOR": "1"})[1]
    assert "\x1b[" not in plain
    assert short_id(id) in plain
    assert "\x1b[" not in on_terminal("show", "zzz", env={"NO_COLOR": "1"})[1]


def test_a_terminal_is_asked_before_something_is_erased() -> None:
    id = remembered("The kettle is broken")
    status, shown = on_terminal("forget", id, "--hard", typed="n\n")
    assert status == 1
    assert "The kettle is broken" in shown
    assert "Nothing was changed." in shown
    run("show", id)
    assert on_terminal("forget", id, "--hard", typed="y\n")[0] == 0
    run("show", id, status=3)


def test_progress_is_shown_on_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "chat.txt").write_text("user: The ferry leaves at nine\nassistant: Noted.\n")
    status, shown = on_terminal("import", str(tmp_path / "chat.txt"))
    assert status == 0
    assert "keeping items" in shown
    assert "3 items accounted for" in shown


RARE = ("metrics", "facts", "history", "module_map", "members", "review", "sharing", "sources")
"""Parts of the core that a recall, as a hook asks for with every prompt, does not wait for."""


@pytest.mark.parametrize(
    ("args", "unneeded"),
    [
        (["recall", "tea"], RARE),
        (["recall", "tea", "--json"], RARE),
        (["remember", "more tea"], ("metrics", "module_map", "members", "sources")),
    ],
)
def test_a_command_loads_only_what_it_needs(args: list[str], unneeded: tuple[str, ...]) -> None:
    remembered("tea at four")
    rare = [f"holdfast.core.{name}" for name in unneeded]
    code = (
        "import sys\nfrom holdfast.cli.main import cli\n"
        f"try:\n    cli.main({args!r})\nexcept SystemExit as end:\n    assert end.code == 0, end.code\n"
        f"heavy = ('rich', 'dateutil', 'holdfast.features.transfer.formats', 'tomllib', 'asyncio', *{rare})\n"
        "print([name for name in heavy if name in sys.modules], file=sys.stderr)"
    )
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert completed.returncode == 0, completed.stderr
    assert completed.stderr.splitlines()[-1] == "[]"
