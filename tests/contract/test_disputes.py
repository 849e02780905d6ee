"""Hits name what contradicts them: rules, what was said later, what waits; never what is hidden."""

from __future__ import annotations

from typing import Any

from holdfast import Memory
from holdfast.core.hits import Hits
from holdfast.core.places import Role
from holdfast.core.quotations import OtherBelief
from holdfast.stores.base.ports import Store
from tests.support import memory_on


def sides(hits: Hits) -> dict[str, list[OtherBelief]]:
    """Returns what contradicts each hit, by its text."""
    return {hit.memory.text: list(hit.contradicted_by) for hit in hits}


def say(memory: Memory, *texts: str, **options: Any) -> list[str]:
    messages = [
        {"role": "user", "content": text, "at": f"2025-03-{n:02d}T10:00:00Z"}
        for n, text in enumerate(texts, 1)
    ]
    return [message.memory.id for message in memory.add_messages(messages, **options) if message.memory]


PNPM, NPM = "Install packages with pnpm, never npm", "Run npm to install the packages of the web client"


def test_two_rules_name_each_other_with_source_and_time(memory: Memory) -> None:
    old = memory.remember(PNPM, kind="convention", project="shop", at="2025-03-01").memory
    new = memory.remember(NPM, kind="decision", project="shop", at="2025-04-01").memory
    assert old is not None
    assert new is not None
    memory.remember("The web client is written in TypeScript", kind="decision", project="shop")
    found = sides(memory.recall("how to install packages of the web client", project="shop", disputes=True))
    assert [(one.source.memory, one.text, one.reason) for one in found[PNPM]] == [(new.id, NPM, "said later")]
    assert [(one.source.memory, one.text, one.reason) for one in found[NPM]] == [
        (old.id, PNPM, "said before")
    ]
    assert (found[NPM][0].source.at, found[NPM][0].source.said_by) == (old.at, "person")
    assert found["The web client is written in TypeScript"] == []


def test_the_other_side_is_named_though_it_is_no_hit_and_outside_the_other_conditions(memory: Memory) -> None:
    memory.remember(PNPM, kind="convention", project="shop")
    memory.remember(NPM, kind="decision", project="shop")
    (hit,) = memory.recall(
        "how to install packages", project="shop", kinds="convention", limit=1, disputes=True
    )
    assert [one.text for one in hit.contradicted_by] == [NPM]


def test_rules_elsewhere_contradict_nothing(memory: Memory) -> None:
    memory.remember(PNPM, kind="convention", project="shop")
    memory.remember(NPM, kind="decision", project="barn")
    memory.remember(NPM, kind="decision", project="shop", scope=("file", "web.py"))
    memory.remember(NPM, kind="decision", project="shop", branch="next")
    (hit,) = memory.recall("how to install packages", project="shop", kinds="convention", disputes=True)
    assert hit.contradicted_by == ()


def test_what_was_said_before_names_what_was_said_later(memory: Memory) -> None:
    _, braga = say(memory, "I live in Porto, by the river.", "I moved to Braga.", session="chat")
    memory.about()
    found = sides(memory.recall("where do I live", session="chat", disputes=True))
    (later,) = found["I live in Porto, by the river."]
    assert (later.source.memory, later.source.session, later.reason) == (braga, "chat", "said later")
    assert "Braga" in later.text
    assert found["I moved to Braga."] == []  # it is settled
    memory.forget(braga)
    assert all(
        not one for one in sides(memory.recall("where do I live", session="chat", disputes=True)).values()
    )


def test_two_names_that_cannot_both_hold_name_each_other(memory: Memory) -> None:
    first, second = say(memory, "My name is Ada Byron.", "My name is Eva Keller.", session="chat")
    memory.about()
    found = sides(memory.recall("what is my name", session="chat", disputes=True))
    assert [one.source.memory for one in found["My name is Ada Byron."]] == [second]
    assert [one.source.memory for one in found["My name is Eva Keller."]] == [first]


def test_what_waits_to_replace_a_hit_is_named_unless_its_origin_is_doubtful(store: Store) -> None:
    ana, agent = memory_on(store), memory_on(store, agent="coder")
    tabs = ana.remember("Use tabs for indentation", kind="convention").memory
    assert tabs is not None
    ana.pin(tabs.id)
    agent.remember("Use spaces for indentation", kind="convention")
    (hit,) = ana.recall("indentation", disputes=True)
    (side,) = hit.contradicted_by
    assert (side.text, side.reason) == ("Use spaces for indentation", "waits for review")
    assert side.source.said_by == "agent"
    ana.review.reject(side.source.memory)
    agent.remember("Use two spaces for indentation", kind="convention", origin="web")
    assert ana.recall("indentation", disputes=True)[0].contradicted_by == ()


def test_nobody_is_told_of_what_they_may_not_read(store: Store) -> None:
    ana, ben = memory_on(store, user="ana"), memory_on(store, user="ben", role=Role.MEMBER)
    ana.remember(PNPM, kind="convention", project="shop", visibility="team")
    ben.remember(NPM, kind="decision", project="shop", visibility="private")
    ben.remember("Install packages with pnpm only from the mirror", kind="note", project="shop")
    (hit,) = ana.recall("how to install packages", project="shop", kinds="convention", disputes=True)
    assert hit.contradicted_by == ()
    (hit,) = ben.recall("how to install packages", project="shop", kinds="convention", disputes=True)
    assert [one.text for one in hit.contradicted_by] == [NPM]


def test_an_agent_of_a_project_is_not_told_what_was_said_outside(memory: Memory) -> None:
    say(memory, "I work at Nordwind.", session="shop-chat", project="shop")
    say(memory, "I work at Südwind now.", session="private")
    memory.about()
    within = memory.recall("where do I work", project="shop", personal=False, disputes=True)
    assert [one for hit in within for one in hit.contradicted_by] == []
    everywhere = memory.recall("where do I work", project="*", workspace="*", disputes=True)
    assert any(hit.contradicted_by for hit in everywhere)
