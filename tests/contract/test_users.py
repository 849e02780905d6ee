"""Many users of one opened store in one process: each as isolated as with a store opened for that user."""

from __future__ import annotations

import asyncio
import json
import os
from inspect import signature
from pathlib import Path
from time import monotonic

import pytest

from holdfast import AsyncMemory, Memory
from holdfast.api import users
from holdfast.api.catalogue import operations
from holdfast.api.importing import import_bytes
from holdfast.core.errors import AccessDenied, InvalidInput, StoreBusy
from holdfast.features.access.access import Grant, Need
from holdfast.features.access.keys import service_for
from holdfast.features.recall import uses
from holdfast.features.transfer.migrating import Migration
from holdfast.stores.base.ports import Store
from holdfast.stores.sqlite.connection import BUSY_TIMEOUT
from tests.support import memory_on, service_on, texts


def test_users_see_their_own_memories_and_what_is_shared(memory: Memory) -> None:
    memory.remember("Ana parks in the blue garage")
    memory.remember("The office closes at six", visibility="team")
    ben = memory.as_user("ben")
    ben.remember("Ben parks in the red garage")
    assert sorted(texts(ben.list())) == ["Ben parks in the red garage", "The office closes at six"]
    assert "Ben parks in the red garage" not in texts(memory.recall("garage"))
    assert "Ana parks in the blue garage" not in texts(ben.recall("garage"))


def test_a_user_is_the_same_whoever_opened_the_store(memory: Memory) -> None:
    stored = memory.as_user("ben").remember("Ben parks in the red garage").memory
    assert stored is not None
    assert memory.as_user("cleo").as_user("ben").get(stored.id).text == stored.text


def test_an_agent_acts_for_the_user(memory: Memory) -> None:
    stored = memory.as_user("ben", agent="coder").remember("The build needs Node 22").memory
    assert stored is not None
    assert memory.as_user("ben").get(stored.id).created_by == "agent:coder@ben"


@pytest.mark.parametrize("project", [None, "health"])
def test_what_is_said_stays_its_users_when_an_agent_writes_it(memory: Memory, project: str | None) -> None:
    ann = memory.as_user("ann", agent="assistant")
    ann.add_messages([{"role": "user", "content": "My therapist is Dr. Moor"}], session="s", project=project)
    result = ann.add_episode(
        "Who is my therapist?", "Dr. Moor is your therapist", session="s", project=project
    )
    assert result.visible_to == "only ann"
    document = ann.remember("Therapist: Dr. Moor", kind="passage", project=project)  # what adapters keep
    assert document.memory is not None
    assert document.memory.visibility == "private"
    ben = memory.as_user("ben", agent="assistant")
    assert "Moor" not in ben.context("what is my therapist's name", role="chat", project=project).text
    assert texts(ben.recall("therapist Dr. Moor", project="*")) == []
    assert "Moor" in memory.as_user("ann").context("my therapist", role="chat", project=project).text


def test_closing_leaves_the_store_open_for_others(memory: Memory) -> None:
    ben = memory.as_user("ben")
    with ben:
        ben.remember("Ben parks in the red garage")
    assert texts(ben.recall("garage")) == ["Ben parks in the red garage"]
    assert memory.remember("Ana parks in the blue garage").outcome == "created"


def test_uses_of_all_users_are_written_when_the_store_is_closed(tmp_path: Path) -> None:
    with Memory(tmp_path / "notes.db", user="ana") as memory:
        ben = memory.as_user("ben")
        ben.remember("Ben parks in the red garage")
        memory.as_user("ben").recall("garage")
    with Memory(tmp_path / "notes.db", user="ben") as memory:
        assert memory.list().memories[0].use_count == 1


def test_who_closes_does_not_wait_for_long_until_others_have_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uses, "PATIENCE", 0)
    memory = Memory(tmp_path / "a.db")
    memory.remember("The van is red")
    memory.recall("van")
    with Memory(tmp_path / "a.db") as other, other._service.store.write():
        begun = monotonic()
        with pytest.raises(StoreBusy), memory._service.store.write(patience=0):
            pass
        memory.close()
        assert monotonic() - begun < BUSY_TIMEOUT / 1000


def test_uses_are_written_when_there_are_more_users_than_are_retained(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(users, "USERS_MAX", 2)
    memory = memory_on(store)
    for name in ("ben", "cleo", "dan"):
        memory.as_user(name).remember(f"{name} parks in the red garage")
        memory.as_user(name).recall("garage")
    assert memory.as_user("ben").list().memories[0].use_count == 1


@pytest.mark.parametrize("name", ["", "a\nb", "x" * 10_000])
def test_a_name_that_cannot_be_used_is_refused(memory: Memory, name: str) -> None:
    with pytest.raises(InvalidInput):
        memory.as_user(name)


def test_a_credential_acts_only_as_its_own_user(store: Store) -> None:
    service = service_on(store)
    limited = service_for(service, Grant(service.principal, credential="key:k1"))
    with pytest.raises(AccessDenied, match="own user"):
        Memory.over(limited).as_user("ben")


@pytest.mark.parametrize(
    "name",
    sorted(name for name, operation in operations().items() if operation.need in (Need.MANAGE, Need.AUDIT)),
)
def test_where_users_share_nothing_none_of_them_acts_on_the_tenant(store: Store, name: str) -> None:
    """Keys, members, models, backups, holds, the chain: whoever opened the store looks after it."""
    opened = service_on(store)
    opened.share("off")
    area, _, method = name.rpartition(".")
    for user in (Memory.over(opened).as_user("ben"), Memory.over(opened).as_user("ben", agent="bot")):
        call = getattr(getattr(user, area) if area else user, method)
        given = [
            parameter
            for parameter in signature(call).parameters.values()
            if parameter.default is parameter.empty
        ]
        with pytest.raises(AccessDenied, match=name):
            call(**{one.name: "ben" for one in given if one.kind is not one.VAR_KEYWORD})


def test_where_users_share_nothing_none_of_them_reaches_what_is_kept_of_others(store: Store) -> None:
    opened = service_on(store)
    opened.share("off")
    ben = Memory.over(opened).as_user("ben")
    with pytest.raises(AccessDenied):
        ben.delete_all("ben", with_backups=True)
    with pytest.raises(AccessDenied):
        ben.scan_queue(everyone=True)
    ben.projects.create("shop")
    ben.projects.archive("shop")
    assert ben.projects.list(archived=True)[0].name == "shop"
    assert Memory.over(opened).members.add("ana", "owner").role == "owner"


def test_no_user_gets_events_of_another_whose_name_ends_like_theirs(store: Store) -> None:
    """Users are often named by their e-mail address, and anybody may be called like the end of one."""
    opened = Memory.over(service_on(store))
    names = ("lena@gmail.com", "gmail.com", "com")
    for name in names:
        opened.as_user(name).remember(f"{name} parks in the red garage")
        opened.as_user(name, agent="coder@1.2").remember(f"{name} builds with Node 22")
    for name in names:
        exported = [json.loads(line) for line in opened.as_user(name).export(user_data=True)]
        actors = {one["actor"] for one in exported if one["type"] == "event"}
        assert actors == {f"user:{name}", f"agent:coder%401.2@{name}"}


def test_nothing_stays_of_a_user_with_an_address_whose_agent_described_a_module(store: Store) -> None:
    opened = Memory.over(service_on(store))
    lena = opened.as_user("lena@gmail.com")
    lena.projects.create("zanzibar")
    lena.maps.update("src", description="The till", project="zanzibar")
    lena_agent = opened.as_user("lena@gmail.com", agent="coder")
    lena_agent.maps.update("web", description="The shop", project="zanzibar")
    assert lena.delete_all("lena@gmail.com").proof is not None
    assert [project.name for project in opened.projects.list()] == []


def test_a_service_knows_who_acts() -> None:
    with (
        Memory("https://memory.example", api_key="hf_x") as memory,
        pytest.raises(InvalidInput, match="API key"),
    ):
        memory.as_user("ben")


def test_asynchronous_users(tmp_path: Path) -> None:
    async def run() -> list[str]:
        async with AsyncMemory(tmp_path / "notes.db", user="ana") as memory:
            ben = memory.as_user("ben")
            await ben.remember("Ben parks in the red garage")
            await memory.remember("Ana parks in the blue garage")
            await ben.projects.create("shop")
            return texts(await memory.recall("garage")) + texts(await ben.recall("garage"))

    assert asyncio.run(run()) == ["Ana parks in the blue garage", "Ben parks in the red garage"]


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="counts descriptors in /proc")
@pytest.mark.parametrize("users", [200, pytest.param(1_000, marks=pytest.mark.slow)])
def test_a_thousand_users_cost_little_more_than_one(tmp_path: Path, users: int) -> None:
    """A user costs at most 150 kB, and all together at most 64 descriptors."""
    with Memory(tmp_path / "notes.db", user="ana") as memory:
        memory.remember("Ana parks in the blue garage")
        memory.recall("garage")
        descriptors, resident = _descriptors(), _resident()
        others = [memory.as_user(f"u{number}") for number in range(users)]
        for number, other in enumerate(others):
            other.remember(f"Locker {number} is mine")
            assert texts(other.recall("locker")) == [f"Locker {number} is mine"]
        assert _descriptors() - descriptors <= 64
        assert _resident() - resident <= 150_000 * users


def _descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


def test_projects_of_users_who_share_nothing_stay_apart_when_they_move(tmp_path: Path) -> None:
    """A project that comes in from elsewhere hides none of the team, unless its own store vouches for it."""
    with Memory(tmp_path / "chat.db", user="op") as chat, Memory(tmp_path / "team.db", user="op") as team:
        chat._service.share("off")
        for name in ("ana", "bob"):
            chat.as_user(name).projects.create("health", description=f"of {name}")
            chat.as_user(name).remember(f"The boat of {name} is red", project="health")
            chat.as_user(name).remember(f"The car of {name} is red", project="left")
        exported = "".join(chat.as_user("ana").export()).encode()
        team.projects.create("health", description="of the team")
        moving = Migration(chat._service, team._service, ("ana", "bob"), exclude=("left",))
        assert moving.run().differing == []
        for name in ("ana", "bob"):
            there = team.as_user(name)
            assert there.projects.get("health").description == f"of {name}"
            assert texts(there.list(project="*")) == [f"The boat of {name} is red"]
        assert "boat" not in str(team.list(project="*").memories)
        cleo = team.as_user("cleo")
        import_bytes(cleo, exported, filename="ana.jsonl")
        assert [project.description for project in cleo.projects.list() if project.name == "health"] == [
            "of the team"
        ]
