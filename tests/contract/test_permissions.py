"""The store contract, permissions: what a repeat, a move, a removal and a return may change, and what not."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from holdfast import Conflict, HoldfastError, Memory, NotFound, Outcome, Record, Refusal
from holdfast.core.kinds import AGENT_MAX_CHARS, AGENT_SESSION_LIMIT
from holdfast.core.places import Role
from holdfast.core.times import DAY, to_millis
from holdfast.stores.base.ports import Store
from tests.fakes import HashEmbedder, ManualClock
from tests.support import memory_on, texts

SHA = hashlib.sha256(b"export").hexdigest()
ALL = ("pending", "rejected", "superseded", "deleted")


def remembered(memory: Memory, text: str, **options: Any) -> Record:
    """What was remembered."""
    stored = memory.remember(text, **options).memory
    assert stored is not None
    return stored


def code_of(call: Any) -> str:
    """The code of the error that a call ends in."""
    with pytest.raises(HoldfastError) as error:
        call()
    return error.value.code


# asking first


def test_rights_say_before_an_act_what_would_be_refused(store: Store) -> None:
    ana, ben = memory_on(store), memory_on(store, user="ben")
    admin, agent = memory_on(store, user="cleo", role=Role.ADMIN), memory_on(store, agent="coder")
    shared = remembered(ana, "Deploys run on Tuesdays", visibility="team")
    pinned = remembered(ana, "Ask before you delete data", visibility="team")
    ana.pin(pinned.id)
    hidden = remembered(ana, "Ana's own")
    waits = remembered(ana, "Never on Fridays", visibility="team", status="pending")
    ids = [one.id for one in (shared, pinned, hidden, waits)]

    def rights(memory: Memory) -> dict[str, tuple[bool, bool, str | None]]:
        return {right.id: (right.change, right.review, right.why) for right in memory.review.rights(ids)}

    assert rights(ana) == dict.fromkeys(ids, (True, True, None))
    assert {right.text for right in ben.review.rights(ids)} == {shared.text, pinned.text}
    assert rights(ben) == dict.fromkeys((shared.id, pinned.id), (False, False, "not_yours"))
    assert rights(admin) == dict.fromkeys((shared.id, pinned.id, waits.id), (True, True, None))
    assert rights(agent)[shared.id] == (False, False, "person_needed")
    assert rights(agent.with_consent())[shared.id] == (True, False, None)
    assert rights(agent)[pinned.id] == (False, False, "edited_by_person")
    assert code_of(lambda: ben.forget(shared.id)) == "not_yours"
    assert code_of(lambda: agent.forget(pinned.id)) == "edited_by_person"
    ana.forget(hidden.id)
    assert rights(ana)[hidden.id] == (True, True, None)
    assert code_of(lambda: ana.review.rights([str(n) for n in range(1_001)])) == "argument_invalid"


# revising


def test_s2_35_a_revision_of_an_outdated_version_loses_nothing(store: Store) -> None:
    """Somebody else's revision comes between reading and writing: the later one is refused."""
    ana, other = memory_on(store), memory_on(store)
    known = remembered(ana, "The boat is red")
    revised: list[Any] = []

    class Between(HashEmbedder):
        """Embeds; and meanwhile the other one is faster."""

        def embed(self, *args: Any, **options: Any) -> Any:
            if not revised:
                revised.append(other.revise(known.id, text="The boat is blue"))
            return super().embed(*args, **options)

    ana._service.embedder = Between()
    events = len(list(other.audit))
    assert code_of(lambda: ana.revise(known.id, text="The boat is green")) == "changed_meanwhile"
    assert (ana.get(known.id).text, ana.get(known.id).version) == ("The boat is blue", 2)
    assert [step.text for step in ana.history(known.id)] == ["The boat is red", "The boat is blue"]
    assert len(list(other.audit)) == events + 1
    assert ana.revise(known.id, text="The boat is green").memory.version == 3  # type: ignore[union-attr]


@pytest.mark.parametrize("mode", ["vectors", "words", "hybrid"])
def test_s2_17_the_old_text_of_a_revised_memory_finds_it_no_more(memory: Memory, mode: str) -> None:
    known = remembered(memory, "zebra quagga okapi")
    near = remembered(memory, "zebra quagga paint")
    assert memory.recall("zebra quagga okapi", mode=mode)[0].memory.id == known.id
    memory.revise(known.id, text="violin cello trumpet")
    for _ in range(2):
        hits = memory.recall("zebra quagga okapi", mode=mode)
        assert hits[0].memory.id == near.id
        assert "zebra quagga okapi" not in texts(hits)
        assert memory.recall("violin cello trumpet", mode=mode)[0].memory.id == known.id
        memory.maintain()


def test_s2_37_a_superseded_memory_is_corrected_without_coming_back(
    memory: Memory, clock: ManualClock
) -> None:
    old = remembered(memory, "Use tabs for indentation", kind="convention")
    clock.forward(days=1)
    new = remembered(memory, "Use spaces for indentation", kind="convention")
    clock.forward(days=1)
    corrected = memory.revise(old.id, text="Use two tabs for indentation").memory
    assert corrected is not None
    assert (corrected.status, corrected.superseded_by, corrected.version) == ("superseded", new.id, 2)
    assert texts(memory.recall("indentation")) == ["Use spaces for indentation"]
    assert memory.get(new.id) == new
    assert [step.text for step in memory.history(old.id) if step.text] == [
        "Use tabs for indentation",
        "Use two tabs for indentation",
    ]


def test_s2_5_a_revision_keeps_where_the_memory_came_from(memory: Memory) -> None:
    source = memory.sources.add("chatgpt", SHA)
    message = {"role": "user", "content": "the boat is red"}
    stored = memory.add_messages([message], session="s", source=source.id)[0].memory
    assert stored is not None
    assert memory.revise(stored.id, text="the boat is blue").memory.source == source.id  # type: ignore[union-attr]


def test_s2_18_a_changed_kind_has_its_own_life(store: Store, clock: ManualClock) -> None:
    """With the setting, a note leaves recall after a year, a decision never does; what becomes the other
    lives as that does."""
    memory = memory_on(store, clock=clock, expiry_days=365)
    chosen = remembered(memory, "We chose JWT over sessions", kind="note")
    loose = remembered(memory, "The till prints twice", kind="decision")
    clock.forward(days=100)
    memory.revise(chosen.id, title="Sessions")  # the same kind: the same life
    assert memory.get(chosen.id).expires_at == chosen.expires_at
    memory.revise(chosen.id, kind="fact")  # which lasts as long
    assert memory.get(chosen.id).expires_at == chosen.expires_at
    memory.revise(chosen.id, kind="decision")
    memory.revise(loose.id, kind="note")
    assert memory.get(chosen.id).expires_at is None
    assert memory.get(loose.id).expires_at == clock.now + 365 * DAY
    clock.forward(days=364)
    assert len(memory.recall("JWT till prints sessions")) == 2
    clock.forward(days=2)
    assert texts(memory.recall("JWT till prints sessions")) == ["We chose JWT over sessions"]
    memory.revise(loose.id, kind="gotcha")  # and back, also where it is a life from a revision on
    assert memory.get(loose.id).expires_at is None


def test_s2_18_a_life_that_somebody_stated_stays_with_a_new_kind(store: Store) -> None:
    memory = memory_on(store, expiry_days=365)
    demo = remembered(memory, "The demo runs on staging", kind="note", expires_at="2026-02-01")
    rule = remembered(memory, "We deploy from main", kind="convention", expires_at="2026-02-01")
    lasting = remembered(memory, "The boat is red", kind="note", expires_at="never")
    for one, kind in ((demo, "decision"), (rule, "note"), (lasting, "decision")):
        memory.revise(one.id, kind=kind)
        assert memory.get(one.id).expires_at == one.expires_at
    until = memory.revise(demo.id, kind="note", expires_at="2026-03-01").memory
    assert until is not None
    assert until.expires_at == to_millis("2026-03-01")


def test_s2_18_a_life_that_began_anew_is_not_taken_for_a_stated_one(store: Store, clock: ManualClock) -> None:
    memory = memory_on(store, clock=clock, expiry_days=365)
    note = remembered(memory, "The demo runs on staging", kind="note")
    clock.forward(days=400)
    assert memory.remember("The demo runs on staging", kind="note").outcome == "created"  # live again
    clock.forward(days=10)
    memory.pin(note.id)
    memory.revise(note.id, kind="decision")
    assert memory.get(note.id).expires_at is None


def test_every_part_that_a_revision_states_can_be_taken_back(memory: Memory) -> None:
    known = remembered(
        memory, "The demo runs on staging", title="Demo", summary="staging", tags=["demo"],
        metadata={"by": "me"}, valid_from="2025-01-01", valid_until="2027-01-01", expires_at="2028-01-01",
    )  # fmt: skip
    emptied = memory.revise(
        known.id, title="", summary="", tags=(), metadata={}, valid_from="unstated", valid_until="never",
        expires_at="never",
    ).memory  # fmt: skip
    assert emptied is not None
    assert (emptied.title, emptied.summary, emptied.tags, emptied.metadata) == (None, None, (), {})
    assert (emptied.valid_from, emptied.valid_until, emptied.expires_at) == (None, None, None)
    assert emptied.text == known.text
    assert emptied.holds_from == emptied.updated_at
    for nothing in ({"valid_from": "unstated"}, {"valid_until": "never"}, {"title": ""}):
        assert code_of(lambda nothing=nothing: memory.revise(known.id, **nothing)) == "nothing_to_change"
    for wrong in ({"valid_from": "never"}, {"valid_until": "unstated"}, {"valid_until": ""}):
        assert code_of(lambda wrong=wrong: memory.revise(known.id, **wrong)) == "time_invalid"


# restoring


def test_s2_12_what_was_remembered_anew_keeps_the_place(memory: Memory) -> None:
    old = remembered(memory, "Standup is at nine", kind="fact")
    memory.forget(old.id)
    twin = remembered(memory, "Standup is at  nine", kind="fact")
    assert code_of(lambda: memory.restore(old.id)) == "restore_expired"
    assert memory.list(include="deleted", project="*", limit=10).memories
    assert [m.id for m in memory.list(project="*").memories] == [twin.id]
    memory.forget(twin.id)
    assert memory.restore(old.id).deleted_at is None
    assert texts(memory.recall("standup")) == ["Standup is at nine"]


def test_a_forgotten_message_that_is_sent_again_with_its_id_stays_forgotten(memory: Memory) -> None:
    messages = [{"role": "user", "content": "hello", "id": "m1"}]
    message = memory.add_messages(messages, session="s")[0].memory
    assert message is not None
    memory.forget(message.id)
    assert memory.add_messages(messages, session="s")[0].outcome is Outcome.FORGOTTEN
    (other,) = memory.add_messages([{**messages[0], "id": "m2"}], session="s")
    assert other.memory is not None
    assert memory.restore(message.id).deleted_at is None


def test_a_memory_comes_back_into_its_deleted_project(memory: Memory) -> None:
    note = remembered(memory, "Boats need paint", project="shop")
    memory.projects.create("shop", description="a web shop")
    memory.projects.delete("shop")
    assert memory.projects.list() == []
    assert memory.list(project="shop").memories == []
    restored = memory.restore(note.id)
    assert restored.project == "shop"
    assert [(p.name, p.description) for p in memory.projects.list()] == [("shop", None)]
    assert texts(memory.recall("boats paint", project="shop")) == ["Boats need paint"]
    assert memory.recall("boats paint").items == ()


# repeating what somebody else wrote


@pytest.mark.parametrize("repeat", ["Use tabs for indentation", "Use tabs for indentation."])
def test_s4_53_a_repeat_by_another_changes_nothing_of_it(store: Store, repeat: str) -> None:
    ana, ben = memory_on(store), memory_on(store, user="ben")
    options: dict[str, Any] = {"kind": "convention", "visibility": "team"}
    pending = remembered(ana, "Use tabs for indentation", confidence=0.3, **options)
    assert pending.status == "pending"
    result = ben.remember(repeat, confidence=1.0, **options)
    assert result.outcome == "created"  # what waits for ana's review never stands in for what ben keeps
    assert ana.get(pending.id) == pending
    assert [hit.memory for hit in ben.recall("tabs").items] == [result.memory]


def test_s4_53_nor_does_a_machine_change_what_a_person_edited(store: Store) -> None:
    person, agent = memory_on(store), memory_on(store, agent="coder")
    edited = person.revise(remembered(person, "Use tabs").id, text="Use tabs for indentation").memory
    assert edited is not None
    for repeat in ("Use tabs for indentation", "Use tabs for indentation."):
        agent.remember(repeat, confidence=1.0)
        assert person.get(edited.id) == edited
    entity = remembered(person, "A chat app", kind="entity", title="Nexus", project="p", visibility="project")
    person.pin(entity.id)
    other = agent.remember("A network", kind="entity", title="Nexus", project="p")
    assert (other.outcome, other.code) == ("refused", "edited_by_person")
    assert person.get(entity.id).text == "A chat app"


def test_what_somebody_else_keeps_never_stands_in_for_what_one_keeps(
    store: Store, clock: ManualClock
) -> None:
    """They may change, forget or let expire what they keep."""
    ana, ben = memory_on(store, clock=clock), memory_on(store, user="ben", clock=clock)
    known = remembered(ana, "Standup is at nine", visibility="team", expires_at="2026-02-01")
    own = remembered(ben, "Standup is at nine", visibility="team")
    assert ben.remember("Standup is at nine", visibility="team").outcome == "duplicate"
    clock.forward(days=60)
    assert ben.remember("Standup is at nine", visibility="team").outcome == "duplicate"
    assert ana.get(known.id) == known
    ana.forget(known.id, hard=True)
    assert [hit.memory.id for hit in ben.recall("standup").items] == [own.id]
    assert ana.remember("Standup is at nine", visibility="team").outcome == "created"


@pytest.mark.parametrize("how", ["pin", "edit"])
def test_s4_53_a_service_is_a_machine_as_an_agent_is(store: Store, how: str) -> None:
    """It acts for nobody in person: what a person pinned or edited stays, whatever they agreed to."""
    person, service = memory_on(store), memory_on(store, role=Role.SERVICE).with_consent()
    entity = remembered(person, "the boat", kind="entity", title="Boat", project="shop")
    link = person.entities.observe("Boat", ["is red"], project="shop")[0].memory
    fact = person.add_messages([{"role": "user", "content": "My favorite colors are 1) Teal"}], session="s")
    stored = fact[0].memory
    note = remembered(person, "Boats need paint", project="shop")
    assert link is not None
    assert stored is not None
    for one in (note, link, stored):
        if how == "pin":
            person.pin(one.id)
        else:
            person.revise(one.id, text=f"{one.text} indeed")
    before = [person.get(one.id) for one in (entity, note, link, stored)]
    for call in (
        lambda: service.revise(note.id, text="Boats need tar"),
        lambda: service.forget(note.id),
        lambda: service.review.wrong(note.id),
        lambda: service.forget(entity.id),
        lambda: service.projects.delete("shop"),
        lambda: service.facts.set("colors", "Mud", 1, session="s"),
    ):
        assert code_of(call) == "edited_by_person"
    assert code_of(lambda: service.pin(note.id, how != "pin")) == "person_needed"
    assert code_of(lambda: service.sessions.delete("s")) == "person_needed"
    assert [person.get(one.id) for one in (entity, note, link, stored)] == before


def test_s4_53_what_a_service_writes_is_no_persons_word(store: Store) -> None:
    person, service = memory_on(store), memory_on(store, role=Role.SERVICE)
    note = remembered(person, "Boats need paint")
    revised = service.with_consent().revise(note.id, text="Boats need tar").memory
    assert revised is not None
    assert not revised.edited
    assert memory_on(store, agent="coder").revise(note.id, text="Boats need oil").outcome == "superseded"
    assert service.review.wrong(note.id).memory.status_reason == "agent_flagged"


def test_s4_26_the_limits_of_agents_do_not_bind_a_service(store: Store) -> None:
    """How much one agent may keep is no question of who decides; a service brings in what others wrote."""
    service = memory_on(store, role=Role.SERVICE)
    for number in range(AGENT_SESSION_LIMIT + 1):
        assert remembered(service, f"Port {number} is open", session="s").status == "approved"
    long = remembered(service, "x " * AGENT_MAX_CHARS, kind="note")
    assert (long.origin, long.visibility) == ("agent", "private")


# what many memories share: retagging, and removing projects, sessions and sources


def test_s0_19_only_ones_own_memories_are_retagged(store: Store) -> None:
    ana, ben = memory_on(store), memory_on(store, user="ben")
    theirs = remembered(ana, "the boat", kind="entity", title="Boat", project="one", visibility="team")
    own = remembered(ben, "the quay", kind="entity", title="Quay", project="one", visibility="team")
    assert ben.projects.retag("one", "two") == 1
    assert ana.get(theirs.id) == theirs
    assert ben.get(own.id).project == "two"


@pytest.mark.parametrize("how", ["pin", "edit"])
def test_no_machine_moves_or_removes_with_others_what_a_person_pinned_or_edited(
    store: Store, how: str
) -> None:
    person, agent = memory_on(store), memory_on(store, agent="coder")
    source = person.sources.add("chatgpt", SHA)
    note = remembered(person, "Boats need paint", project="shop")
    entity = remembered(person, "the boat", kind="entity", title="Boat", project="shop")
    message = [{"role": "user", "content": "hello there"}]
    stored = person.add_messages(message, session="s", source=source.id)[0].memory
    assert stored is not None
    for one in (note, entity, stored):
        if how == "pin":
            person.pin(one.id)
        else:
            person.revise(one.id, text=f"{one.text} indeed")
    before = [person.get(one.id) for one in (note, entity, stored)]
    events = len(list(person.audit))
    for call in (
        lambda: agent.projects.delete("shop"),
        lambda: agent.projects.retag("shop", "elsewhere"),
        lambda: agent.sources.delete(source.id),
    ):
        with pytest.raises(Refusal) as error:
            call()
        assert error.value.code == "edited_by_person"
    assert code_of(lambda: agent.sessions.delete("s")) == "person_needed"
    assert code_of(lambda: agent.sources.delete(source.id, hard=True)) == "person_needed"
    assert [person.get(one.id) for one in (note, entity, stored)] == before
    assert len(list(person.audit)) == events
    assert [project.name for project in person.projects.list()] == ["shop"]
    person.sessions.update("s", project="shop")
    person.forget(note.id)
    person.forget(entity.id)
    assert agent.projects.delete("shop").name == "shop"  # what was said leaves with its session, unharmed
    assert person.get(stored.id).project is None


def test_an_agent_removes_what_it_wrote(store: Store) -> None:
    person, agent = memory_on(store), memory_on(store, agent="coder")
    remembered(agent, "Retries are capped at three", kind="gotcha", project="shop")
    stored = agent.add_messages([{"role": "user", "content": "hello"}], session="s")[0].memory
    assert stored is not None
    agent.forget(stored.id)
    agent.projects.delete("shop")
    assert person.projects.list() == []


@pytest.mark.parametrize("theirs", ["nothing", "note", "session", "forgotten"])
def test_s2_7_deleting_a_project_tells_nothing_of_what_others_keep_in_it(store: Store, theirs: str) -> None:
    """Not by its answer, and not by what is seen, made, named or revived afterwards."""
    clock = ManualClock()
    ana = memory_on(store, clock=clock, seed=1)
    ben = memory_on(store, user="ben", clock=clock, seed=2)
    ana.projects.create("shop", description="a web shop", notes="ask Ben")
    note = None
    if theirs in ("note", "forgotten"):
        note = remembered(ben, "Ben's own", project="shop")
    elif theirs == "session":
        ben.add_messages([{"role": "user", "content": "Ben's own"}], session="b", project="shop")
    if theirs == "forgotten" and note is not None:
        ben.forget(note.id)
    remembered(ana, "Ana's own", project="shop")

    result = ana.projects.delete("shop")
    assert (result.name, result.description, result.notes) == ("shop", "a web shop", "ask Ben")
    assert ana.projects.list() == []
    assert ana.count(project="shop") == 0
    for call in (
        lambda: ana.projects.get("shop"),
        lambda: ana.projects.delete("shop"),
        lambda: ana.projects.update("shop", notes="x"),
        lambda: ana.sessions.list(project="shop"),
        lambda: ana.projects.retag("shop", "yard"),
    ):
        assert code_of(call) == "project_not_found"

    # what is theirs is theirs
    inside = {"nothing": [], "note": ["Ben's own"], "session": ["Ben's own"], "forgotten": []}[theirs]
    assert texts(ben.list(project="shop")) == inside
    assert texts(ben.recall("Ben's own", project="shop")) == inside
    assert [project.name for project in ben.projects.list()] == (["shop"] if inside else [])

    # whoever keeps something in it puts it back on the list, in the same way whatever stood there
    before = len(list(ana.audit))
    remembered(ben, "something new", project="shop")
    again = ana.projects.get("shop")
    assert (again.description, again.notes, again.id) == (None, None, result.id)
    assert [event.action for event in ana.audit.list(after=before)][:2] == ["create_project", "remember"]
    assert ana.list(project="shop").memories == []


def test_a_deleted_project_stays_in_sight_where_something_in_it_is_shared(store: Store) -> None:
    ana, ben = memory_on(store), memory_on(store, user="ben")
    shared = remembered(ben, "A project note on paint", project="shop", visibility="project")
    remembered(ana, "Ana's own", project="shop")
    ana.projects.delete("shop")
    assert texts(ana.list(project="shop")) == ["A project note on paint"]
    assert [project.name for project in ana.projects.list()] == ["shop"]
    ben.forget(shared.id)
    assert ana.projects.list() == ben.projects.list() == []
    ben.restore(shared.id)
    assert [project.name for project in ana.projects.list()] == ["shop"]


def test_a_project_that_others_took_off_the_list_can_be_changed_by_those_who_see_it(store: Store) -> None:
    ana, ben = memory_on(store), memory_on(store, user="ben")
    remembered(ben, "Ben's own", project="shop")
    ana.projects.delete("shop")
    assert ben.projects.update("shop", notes="still here").notes == "still here"
    assert ana.projects.get("shop").notes == "still here"
    ben.projects.delete("shop")
    assert ben.projects.list() == []
    assert texts(ben.list(include="deleted", project="*")) == ["Ben's own"]


# sources


def imported(memory: Memory, *said: str, session: str = "s", sha: str = SHA) -> str:
    """A source from which messages came."""
    source = memory.sources.add("chatgpt", sha, filename="export.json", metadata={"by": "me"})
    messages = [{"role": "user", "content": text, "id": text} for text in said]
    memory.add_messages(messages, session=session, source=source.id)
    return source.id


def test_s1_68_a_deleted_source_takes_its_evidence_along(memory: Memory) -> None:
    source = imported(memory, "the boat is red", "the quay is long")
    other = imported(memory, "the boat is blue", sha=SHA[::-1])
    learned = remembered(memory, "Boats have colours", kind="fact", source=source)
    assert memory.sources.delete(source) == 2
    assert [one.id for one in memory.sources.list()] == [other]
    assert texts(memory.recall("boat quay", session="s", kinds="message")) == ["the boat is blue"]
    assert memory.get(learned.id).text == "Boats have colours"
    assert code_of(lambda: memory.sources.delete(source)) == "source_not_found"
    event = list(memory.audit)[-1]
    assert (event.action, event.subject, event.detail) == ("delete_source", source, {"count": 2})
    forgotten = memory.list(session="s", kinds="message", include="deleted").memories
    back = memory.restore(next(m.id for m in forgotten if m.text == "the boat is red"))
    assert back.deleted_reason is None
    assert sorted(texts(memory.recall("boat", session="s", kinds="message"))) == [
        "the boat is blue",
        "the boat is red",
    ]
    refused = memory.add_messages([{"role": "user", "content": "x"}], session="s", source=source)
    assert refused[0].code == "source_not_found"


def test_s2_4_the_same_content_brings_a_deleted_source_back(memory: Memory) -> None:
    source = imported(memory, "the boat is red")
    memory.sources.delete(source)
    assert imported(memory, "the boat is red") == source
    assert texts(memory.recall("boat", session="s")) == ["the boat is red"]
    assert len(memory.list(session="s", include="deleted").memories) == 2
    assert memory.sources.delete(source, hard=True) == 2
    assert memory.list(session="s", include="deleted").memories == []


@pytest.mark.parametrize("first", [True, False])
def test_s2_36_a_source_can_be_erased_even_when_it_was_deleted_before(memory: Memory, first: bool) -> None:
    source = imported(memory, "the boat is red", "the quay is long")
    learned = remembered(memory, "Boats have colours", kind="fact", source=source)
    if first:
        memory.sources.delete(source)
    assert memory.sources.delete(source, hard=True) == 2
    assert memory.sources.list() == []
    assert memory.list(project="*", include=ALL, kinds="message").memories == []
    assert memory.get(learned.id).source is None
    assert code_of(lambda: memory.sources.delete(source, hard=True)) == "source_not_found"
    assert memory.doctor().problems == ()
    assert imported(memory, "the boat is red") != source


@pytest.mark.parametrize("said", [(), ("the kumquat is ripe", "the quay is long")], ids=["empty", "full"])
def test_s2_36_no_byte_of_an_erased_source_is_left(tmp_path: Path, said: tuple[str, ...]) -> None:
    with Memory(tmp_path / "a.db", user="ana") as memory:
        remembered(memory, "something that stays")
        source = memory.sources.add(
            "chatgpt", SHA, filename="kumquat-export.json", metadata={"by": "kumquat"}
        )
        messages = [{"role": "user", "content": text} for text in said]
        memory.add_messages(messages, session="s", source=source.id)
        memory.sources.delete(source.id)
        assert any(b"kumquat" in file.read_bytes() for file in tmp_path.iterdir())
        assert memory.sources.delete(source.id, hard=True) == len(said)
        assert [file.name for file in tmp_path.iterdir() if b"kumquat" in file.read_bytes()] == []
        assert memory.count() == 1


def test_s2_7_another_users_source_does_not_exist(store: Store) -> None:
    ana, ben = memory_on(store), memory_on(store, user="ben")
    source = imported(ana, "the boat is red")
    messages = []
    for id in (source, "01890000-0000-7000-8000-000000000000"):
        for hard in (False, True):
            with pytest.raises(NotFound) as error:
                ben.sources.delete(id, hard=hard)
            messages.append(error.value.message.replace(id, "ID"))
    assert len(set(messages)) == 1
    assert texts(ana.recall("boat", session="s")) == ["the boat is red"]


def test_a_message_that_came_again_from_elsewhere_stays_with_its_last_source(memory: Memory) -> None:
    first = imported(memory, "the boat is red")
    second = memory.sources.add("claude", SHA[::-1])
    changed = [{"role": "user", "content": "the boat is blue", "id": "the boat is red"}]
    assert memory.add_messages(changed, session="s", source=second.id)[0].outcome == "superseded"
    assert memory.sources.delete(first, hard=True) == 0
    assert texts(memory.recall("boat", session="s")) == ["the boat is blue"]
    assert memory.sources.delete(second.id) == 1
    assert memory.recall("boat", session="s").items == ()


# what held at another time


def test_s2_18_what_had_expired_by_then_is_not_recalled_as_of_then(
    memory: Memory, clock: ManualClock
) -> None:
    remembered(memory, "The demo runs on staging", expires_at="2026-02-01")
    pinned = remembered(memory, "The backup runs at night", expires_at="2026-02-01")
    memory.pin(pinned.id)
    clock.forward(days=100)
    remembered(memory, "The demo runs on production")

    def as_of(moment: str) -> set[str]:
        hits = memory.recall("demo backup runs", as_of=moment)
        assert hits.searched == len(hits)  # what is not returned does not count among what was searched
        return set(texts(hits))

    before = {"The demo runs on staging", "The backup runs at night"}
    assert as_of("2026-01-15") == before
    assert as_of("2026-01-31T23:59:59Z") == before
    assert as_of("2026-02-01") == {"The backup runs at night"}
    assert as_of("2026-03-01") == {"The backup runs at night"}
    assert as_of("2026-05-01") == {"The backup runs at night", "The demo runs on production"}


def test_a_session_of_one_owner_is_none_of_anothers(store: Store) -> None:
    ana, ben = memory_on(store), memory_on(store, user="ben")
    ana.sessions.create("s")
    for call in (
        lambda: ben.sessions.update("s", project="shop"),
        lambda: ben.sessions.delete("s"),
        lambda: ben.sessions.update("s", name="mine"),
    ):
        assert code_of(call) == "session_not_found"
    assert ben.projects.list() == []
    with pytest.raises(Conflict):
        ana.add_episode("a", "b", session="s", project="shop")
    assert ana.projects.list() == []
