"""Facts under several processes, and erased without a byte left (S1.35, S1.69)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from holdfast.api.memory import Memory
from tests.support import PATIENCE

WRITER = """
import sys
from holdfast.api.memory import Memory
path, number = sys.argv[1], int(sys.argv[2])
with Memory(path, user="ana") as memory:
    for i in range(15):
        facts = memory.facts.add("colors", [f"shade {number} of {i}"], session="chat").facts
        assert [fact.rank for fact in facts] == list(range(1, len(facts) + 1)), facts
        if i % 3 == 0:
            memory.facts.move("colors", f"shade {number} of {i}", 1, session="chat")
"""


def test_s1_35_ranks_stay_contiguous_while_processes_write(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with Memory(path, user="ana") as memory:
        memory.facts.replace("colors", ["Blue", "Green"], session="chat")
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(number)], stderr=subprocess.PIPE)
        for number in range(4)
    ]
    told = [writer.communicate(timeout=PATIENCE)[1].decode() for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * 4, told
    with Memory(path, user="ana") as memory:
        facts = memory.facts.list("colors", session="chat")
        assert [fact.rank for fact in facts] == list(range(1, 63))
        assert len({fact.value for fact in facts}) == 62
        assert memory.doctor().healthy


def test_s1_69_no_byte_of_a_fact_outlives_its_message_or_session(tmp_path: Path) -> None:
    birds = [b"zirkonblau", b"malvenrot", b"lindgruen", b"karamellxyz"]

    def found() -> list[bytes]:
        content = b"".join(file.read_bytes().lower() for file in tmp_path.rglob("*") if file.is_file())
        return [bird for bird in birds if bird in content]

    with Memory(tmp_path / "store.db", user="ana") as memory:
        text = "My favorite colors are 1) Zirkonblau, 2) Malvenrot"
        stored = memory.add_messages([{"role": "user", "content": text}], session="chat", project="p")[
            0
        ].memory
        assert stored is not None
        memory.revise(stored.id, text="My favorite colors are 1) Lindgruen, 2) Red")
        memory.facts.set("candies", "Karamellxyz", session="side")
        assert memory.ask("my favorite color?", session="chat").used_facts
        assert found() == birds
        memory.forget(stored.id, hard=True)
        assert found() == birds[3:], "while the store is open"
        memory.sessions.delete("side")
        assert found() == []
    assert found() == []
