"""Exchanges read back in their parts (S0.3)."""

from __future__ import annotations

from holdfast import Memory
from holdfast.core.text import count_tokens
from tests.support import memory_on

EXCHANGES = [
    ("Where is the kettle?", "In the cellar."),
    ("You said:\nAssistant: in the cellar\nUser: no\nAssistant: yes", "I did.\nAssistant: so I did."),
    ("", "Nothing was asked."),
    ("Nobody answers", ""),
    ("  User: me  ", "Löffel\n\nund Gabel"),
]


def test_s0_3_an_exchange_is_read_back_in_its_parts(memory: Memory) -> None:
    kept = [
        memory.add_episode(*both, session="s", at=f"2026-01-0{day}") for day, both in enumerate(EXCHANGES, 1)
    ]
    memory.add_messages([{"role": "user", "content": "a message is none"}], session="s")
    first = memory.sessions.episodes("s", limit=3)
    rest = memory.sessions.episodes("s", limit=3, cursor=first.cursor)
    found = [*first.episodes, *rest.episodes]
    assert rest.cursor is None
    assert [one.id for one in found] == [one.memory.id for one in kept if one.memory]
    assert [(one.user_message.strip(), one.ai_response) for one in found] == [
        (said.strip(), answer) for said, answer in EXCHANGES
    ]
    for one in found:
        assert one.token_count == count_tokens(one.user_message) + count_tokens(one.ai_response)
        assert (one.session, one.as_dict()["created_at"][:8]) == ("s", "2026-01-")


def test_s0_3_a_secret_is_in_no_part_and_others_read_none(memory: Memory) -> None:
    password = "hunter2-Xk29qLm"
    memory.add_episode(f"my password = {password}", f"I will not repeat {password}", session="s")
    (episode,) = memory.sessions.episodes("s").episodes
    assert password not in episode.user_message
    ben = memory_on(memory._service.store, user="ben")
    assert not ben.sessions.list()
