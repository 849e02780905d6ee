"""What is shown beside hits, and what is known of one memory: neighbours, near misses, relations,
deliveries, what came from a conversation, and the numbers beside filters."""

from __future__ import annotations

from collections import Counter

import pytest

from holdfast.api.memory import Memory
from holdfast.core.errors import InvalidInput, NotFound

TALK = [
    {"role": "user" if n % 2 == 0 else "assistant", "content": said, "at": f"2026-03-0{n + 1}"}
    for n, said in enumerate((
        "Shall we keep the harbour café?", "The rent rises in June.", "What does the harbour café earn?",
        "About four hundred a week.", "Then we keep it.", "Noted: it stays.",
    ))
]  # fmt: skip


@pytest.fixture
def talk(memory: Memory) -> Memory:
    memory.add_messages(TALK, session="chat", project="shop")
    memory.add_messages([{"role": "user", "content": "The harbour is frozen"}], session="other")
    return memory


def test_a_hit_brings_what_was_said_around_it(talk: Memory) -> None:
    hits = talk.recall("What does the harbour café earn?", project="shop", around=2, limit=1)
    (hit,) = hits
    assert [one.text for one in hit.before] == [one["content"] for one in TALK[:2]]
    assert [one.text for one in hit.after] == [one["content"] for one in TALK[3:5]]
    page = talk.sessions.messages("chat", around=hit.memory.id, limit=1)
    assert [memory.text for memory in page.memories] == [one["content"] for one in TALK[1:4]]
    first = talk.sessions.messages("chat", limit=1).memories[0]
    edge = talk.sessions.messages("chat", around=first.id, limit=2)
    assert [memory.text for memory in edge.memories] == [one["content"] for one in TALK[:3]]
    with pytest.raises(NotFound):
        talk.sessions.messages("other", around=hit.memory.id)


def test_a_near_miss_says_why_it_is_no_hit(talk: Memory) -> None:
    talk.remember("The harbour café earns most in August", project="shop")
    talk.remember("The harbour café: EARNS most in August!", project="shop", kind="fact")
    wide = talk.recall("What does the harbour café earn?", project="shop", limit=20)
    assert wide.near_misses == ()
    few = talk.recall("What does the harbour café earn?", project="shop", limit=1, near=20)
    assert {near_miss.memory.id for near_miss in few.near_misses} | {few[0].memory.id} >= {
        one.memory.id for one in wide
    }
    assert few[0].memory.id not in {near_miss.memory.id for near_miss in few.near_misses}
    scores = [near_miss.score for near_miss in few.near_misses]
    assert scores == sorted(scores, reverse=True)
    assert {near_miss.missed.value for near_miss in few.near_misses} == {"rank"}
    sure = talk.recall("What does the harbour café earn?", project="shop", min_confidence=1.0, near=20)
    assert not sure.items
    assert {near_miss.missed.value for near_miss in sure.near_misses} == {"confidence"}
    two = talk.recall("harbour café earns most in August", project="shop", limit=2, near=20)
    assert "repeated" in {near_miss.missed.value for near_miss in two.near_misses}
    talk.recall("harbour", project="shop", session="chat", repeat=False, limit=3)
    again = talk.recall("harbour", project="shop", session="chat", repeat=False, limit=3, near=20)
    assert {
        near_miss.missed.value for near_miss in again.near_misses if near_miss.memory.id in again.withheld
    } == {"delivered"}
    for near, around in ((51, 0), (-1, 0), (0, 11), (0, True)):
        with pytest.raises(InvalidInput):
            talk.recall("harbour", near=near, around=around)


def test_filters_by_origin_owner_and_status_and_the_numbers_beside_them(memory: Memory) -> None:
    ben = memory.as_user("ben")
    robot = memory.as_user("ana", agent="robot")
    memory.remember("Harbour one", kind="decision", project="shop", visibility="team")
    robot.remember("Harbour two", project="shop", visibility="team")
    memory.remember("Harbour three", project="shop", status="pending")
    ben.remember("Harbour four", project="shop", visibility="team")
    ben.remember("Harbour five", project="shop", visibility="private")
    stored = memory.remember("Harbour six", project="shop").memory
    assert stored is not None
    memory.forget(stored.id)

    def texts(**narrowed: object) -> set[str]:
        listed = {record.text for record in memory.list(project="shop", **narrowed).memories}  # type: ignore[arg-type]
        if "deleted" not in str(narrowed):
            matches = memory.recall("harbour", project="shop", limit=50, **narrowed)  # type: ignore[arg-type]
            assert {hit.memory.text for hit in matches} == listed
        return {text.removeprefix("Harbour ") for text in listed}

    assert texts() == {"one", "two", "four"}
    assert texts(origins="agent") == {"two"}
    assert texts(origins=["user", "agent"], owner="ana") == {"one", "two"}
    assert texts(owner="ben") == {"four"}
    assert texts(status="pending") == {"three"}
    assert texts(status=["approved", "pending"]) == {"one", "two", "three", "four"}
    assert texts(status="deleted") == {"six"}
    with pytest.raises(InvalidInput):
        memory.list(status="pending", include="rejected")
    with pytest.raises(InvalidInput):
        memory.list(origins="rumour")

    numbers = memory.facets(project="shop", include="pending")
    memories = memory.list(project="shop", include="pending").memories
    assert numbers.total == len(memories) == 4
    assert numbers.kinds == Counter(one.kind for one in memories)
    assert numbers.origins == Counter(one.origin.value for one in memories)
    assert numbers.owners == {"ana": 3, "ben": 1}
    assert numbers.statuses == {"approved": 3, "pending": 1}
    assert memory.facets(project="*").projects == {"shop": 3}

    chosen = memory.facets(project="shop", origins="user", owner="ana")
    assert chosen.total == len(memory.list(project="shop", origins="user", owner="ana").memories) == 1
    assert sum(chosen.kinds.values()) == 1
    assert chosen.origins == {"user": 1, "agent": 1}  # what another choice would give
    assert memory.facets(project="shop", kinds="todo").total == 0
    assert memory.facets(project="shop", until="2000-01-01").total == 0
    assert memory.facets(project="shop", status="pending").total == 1


def test_what_a_conversation_taught_and_what_a_memory_rests_on(talk: Memory) -> None:
    message = talk.sessions.messages("chat").memories[3]
    lesson = talk.remember(
        "The café earns 400 a week", evidence={"message": message.id}, project="shop"
    ).memory
    rule = talk.remember(
        "Keep the café", kind="decision", evidence={"session": "chat"}, project="shop"
    ).memory
    talk.remember("Nothing of that talk", evidence={"session": "other"}, project="shop")
    assert lesson is not None
    assert rule is not None
    assert {memory.id for memory in talk.sessions.memories("chat")} == {lesson.id, rule.id}
    later = talk.remember("The café earns 500", supersedes=lesson.id, project="shop").memory
    assert later is not None
    found = talk.related(lesson.id)
    assert [one.id for one in found.rests_on] == [message.id]
    assert [(dependent.memory.id, dependent.tie.value) for dependent in found.dependents] == [
        (later.id, "supersedes")
    ]
    assert [dependent.memory.id for dependent in talk.related(message.id).dependents] == [lesson.id]
    stranger = talk.as_user("eve")
    for call in (stranger.related, stranger.deliveries):
        with pytest.raises(NotFound):
            call(lesson.id)
    with pytest.raises(NotFound):
        stranger.sessions.memories("chat")


def test_a_memory_knows_the_sessions_that_it_was_delivered_to(talk: Memory) -> None:
    stored = talk.remember("Deploy on Tuesdays", kind="convention", project="shop", visibility="team").memory
    assert stored is not None
    assert list(talk.deliveries(stored.id)) == []
    robot = talk.as_user("ana", agent="robot")
    robot.context("deploy the shop", project="shop", session="chat")
    talk.recall("When do we deploy?", project="shop", session="unknown-run", repeat=False)
    found = talk.deliveries(stored.id)
    assert {(one.session, one.actor, one.project) for one in found} == {
        ("chat", "agent:robot@ana", "shop"), (None, "user:ana", "shop"),
    }  # fmt: skip
    assert list(talk.as_user("ben").deliveries(stored.id)) == []
    talk.forget(stored.id, hard=True)
    with pytest.raises(NotFound):
        talk.deliveries(stored.id)


def test_a_drawing_places_what_is_related_close_and_is_the_same_each_time(memory: Memory) -> None:
    for crew in range(3):
        for n in range(6):
            memory.entities.create(f"Boat {crew}{n}", "boat", project="shop")
            if n:
                memory.entities.relate(f"Boat {crew}{n}", "follows", f"Boat {crew}{n - 1}", project="shop")
    memory.entities.create("Alone", "boat", project="shop")
    drawing = memory.entities.drawing(project="shop")
    assert drawing == memory.entities.drawing(project="shop")
    assert len(drawing.entities) == 19
    assert len(drawing.relations) == 15
    assert not drawing.truncated
    assert len({(entity.x, entity.y) for entity in drawing.entities}) == 19

    def far(a: int, b: int) -> float:
        one, other = drawing.entities[a], drawing.entities[b]
        return float(((one.x - other.x) ** 2 + (one.y - other.y) ** 2) ** 0.5)

    related = [far(edge.subject, edge.target) for edge in drawing.relations]
    everything = [far(a, b) for a in range(19) for b in range(a)]
    assert sum(related) / len(related) < sum(everything) / len(everything) / 2
    part = memory.entities.drawing(project="shop", limit=4)
    assert len(part.entities) == 4
    assert part.truncated
    assert memory.as_user("eve").entities.drawing(project="shop").entities == ()
