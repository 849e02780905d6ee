"""Two worlds that differ only elsewhere answer alike, byte for byte: every operation, every credential."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from holdfast.core.places import Role
from holdfast.features.access.keys import create_key
from holdfast.http.app import create_app
from holdfast.http.signin import Entrance
from holdfast.mcp.endpoints import Endpoints
from tests.http.calls import Call, Ids, calls, is_last
from tests.http.direct import DirectClient, in_one_thread
from tests.http.support import URL, Site
from tests.worlds import FACTS, WAITING, World, two_worlds


@dataclass(frozen=True, slots=True)
class Observer:
    """Who calls: a user of the team with a key."""

    user: str
    role: Role = Role.OWNER
    agent: str | None = None
    write: bool = True
    projects: tuple[str, ...] | None = None
    header: str | None = None
    bound: bool = False
    """Whether its key is not limited, but its MCP client is bound to the project."""

    @property
    def inside(self) -> tuple[str, ...] | None:
        """The projects that are not elsewhere, None for all."""
        return ("shop",) if self.bound else self.projects


PEOPLE = {
    "owner who reads": Observer("ana", write=False),
    "agent by header": Observer("ana", header="coder"),
    "member": Observer("cleo", Role.MEMBER),
    "service": Observer("ci", Role.SERVICE),
}
OWNER = {"owner": Observer("ana")}
LIMITED = {
    "limited agent": Observer("ana", agent="coder", projects=("shop",)),
    "limited member": Observer("cleo", Role.MEMBER, projects=("shop",)),
    "limited owner": Observer("ana", projects=("shop",)),
}
ADMIN = {"admin": Observer("root", Role.ADMIN)}
GROUPS = {"people": PEOPLE, "owner": OWNER, "limited": LIMITED, "admin": ADMIN}
"""Observers for whom the same things are elsewhere: they call one after the other in one pair of worlds."""
EVERY = {"owner": 1, "limited owner": 3}
"""Who makes each call, where the others make the plain ones and a share of those with further arguments."""
Place = Mapping[str, str]
INSIDE: Place = {"project": "shop"}
PLACES: tuple[Place, ...] = (INSIDE, {"project": "barn", "workspace": "lab"}, {})
"""Where something is elsewhere: once all of them are furnished, it goes on in one after the other."""
CURSOR = re.compile(r'"cursor":"([^"]+)"')
SEALED = re.compile(
    r'"(?:mac|hash|digest)":"[0-9a-f]+"|"digests":\[[^]]*\]|"external_id":"[0-9a-f]{12}/[0-9a-f]{16}/\d+"'
)
"""Keyed digests, in an export, a certificate and the ids of passages."""
CERTIFIED = re.compile(r'"(?:head|signature)":"[0-9a-f]{64}"')
"""What ties a certificate to the chain of events: hashes, which tell nothing of it."""
CERTIFYING = {"delete_all", "projects_purge", "review_clear", "review_revert"}
NEVER_DONE = {
    "described_describe", "described_read", "described_regenerate",
    "entities_neighbourhood", "jobs_cancel", "jobs_retry", "projects_rename",
    "review_approve", "review_confirm", "review_separate",
    "answer", "audit_certificate", "audit_check", "keys_revoke",
    "models_accept", "models_add", "models_propose", "models_remove",
    "models_summarise", "models_test",
}  # fmt: skip
"""Operations that may find nothing to be done to, such as a job that has failed, or a described file on this
machine. Neither world has a language model."""
BACKUPS = {"backups_create", "backups_drill", "backups_list"}
"""What is refused on PostgreSQL, in both worlds: no folder for backups is set."""
OF_THE_TENANT = {
    "backups_list",
    "audit_certificate",
    "audit_list",
    "audit_verify",
    "doctor",
    "metrics",
    "quality",
    "projects_contents",
    "projects_purge",
    "retention_preview",
}
"""What concerns the whole tenant by its meaning: its backups, its chain of events, its state, what a project
holds of everybody, for who may purge it, and what policies would erase."""


@asynccontextmanager
async def sites(worlds: list[World]) -> AsyncIterator[list[Site]]:
    """Gives the service of each world, to be asked in this event loop."""
    async with AsyncExitStack() as opened:
        opened.enter_context(in_one_thread())
        found = []
        for world in worlds:
            entrance = Entrance(world.service, world.service.keys)
            app = create_app(entrance, mcp_app=Endpoints(), roots=[str(world.root)])
            await opened.enter_async_context(app.router.lifespan_context(app))
            found.append(Site(app, DirectClient(app, base_url=URL), world.service))
        yield found


def happen(world: World, observer: Observer, name: str, places: Sequence[Place] = PLACES) -> None:
    """Does what must not matter to an observer in some places: all that Ben has for himself, and for a
    limited credential all that is outside of its projects."""
    if not world.busy:
        return
    ben = world.memory("ben")
    for number, place in enumerate(places):
        world.furnish(ben, dict(place), f"ben-{name}-{number}")
    world.connect(ben, "barn", f"ben-{name}")
    if observer.role is not Role.ADMIN:  # an admin decides about what waits, whoever wrote it
        for text in (WAITING, FACTS[1]):
            ben.remember(f"{text}, he says", visibility="team", status="pending", kind="fact")
            stored = ben.remember(f"{text}, he said", visibility="team", status="pending", kind="fact").memory
            if stored is not None:
                ben.forget(stored.id)
    if observer.inside is not None:
        own = world.memory(observer.user)
        for number, place in enumerate(places):
            outside = {"project": "barn"} if place == INSIDE else dict(place)
            world.furnish(own, outside, f"own-{name}-{number}")
        world.connect(own, "barn", f"own-{name}")
        world.memory("root").projects.create(f"attic-{name}")


def _one_of(turn: int) -> Sequence[Place]:
    return (PLACES[turn % len(PLACES)],)


@pytest.mark.parametrize("group", GROUPS)
def test_what_is_elsewhere_has_no_influence_over_http(group: str, tmp_path: Path) -> None:
    with two_worlds(tmp_path) as worlds:
        asyncio.run(_compare(worlds, group))


@pytest.mark.postgres
@pytest.mark.parametrize("name", ["limited agent"])
def test_nor_on_postgres(name: str, tmp_path: Path) -> None:
    from tests.postgres.server import fresh_url

    async def compare(worlds: list[World]) -> Comparison:
        async with sites(worlds) as services:
            found = Comparison(worlds, services, LIMITED[name], name, SEALED)
            await found.run(24, turn=0)
            return found

    with two_worlds(tmp_path, fresh_url(), fresh_url()) as worlds:
        found = asyncio.run(compare(worlds))
    assert not found.leaks, "\n".join(found.leaks[:20])


@pytest.mark.postgres
@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_nor_for_any_observer_on_postgres(group: str, tmp_path: Path) -> None:
    from tests.postgres.server import fresh_url

    with two_worlds(tmp_path, fresh_url(), fresh_url()) as worlds:
        asyncio.run(_compare(worlds, group, SEALED))


async def _compare(worlds: list[World], group: str, unlike: re.Pattern[str] | None = None) -> None:
    """Lets the observers of a group call one after the other, and compares what they are answered."""
    async with sites(worlds) as services:
        for turn, (name, observer) in enumerate(GROUPS[group].items()):
            found = Comparison(worlds, services, observer, name, unlike)
            await found.run(EVERY.get(name, 16), turn=turn)
            assert not found.leaks, f"{name}\n" + "\n".join(found.leaks[:20])
            if name == "owner":
                assert found.failing() <= NEVER_DONE | (BACKUPS if unlike else set())


class Comparison:
    """What an observer is answered in two worlds. `unlike` is what differs in stores that are no copies."""

    def __init__(
        self,
        worlds: list[World],
        services: list[Site],
        observer: Observer,
        name: str,
        unlike: re.Pattern[str] | None = None,
    ) -> None:
        self.worlds, self.services, self.unlike = worlds, services, unlike
        self.observer, self.name = observer, name
        self.leaks: list[str] = []
        self.statuses: dict[str, set[int]] = {}
        self._cursors: dict[str, str] = {}
        self._keys: list[str] = []

    async def run(self, every: int, *, turn: int) -> None:
        """Makes all plain calls, and of the others each `every`th, while things happen elsewhere."""
        calls = enumerate(self._calls(turn))
        made = [call for number, call in calls if call.is_plain or (number + turn) % every == 0]
        looks = [call for call in made if call.is_plain and call.reads]
        last = [call for call in made if is_last(call.operation)]
        parts = [call for call in made if not is_last(call.operation)], looks, last, looks
        for number, part in enumerate(parts):
            for call in part:
                await self._compare(call)
            for world in self.worlds:
                world.step(number)
                world.have_projects()
                if number == 0:
                    happen(world, self.observer, f"{self.name}-later", _one_of(turn + 1))
                world.work()

    def failing(self) -> set[str]:
        """Returns the operations that were refused whenever they were called."""
        return {name for name, statuses in self.statuses.items() if min(statuses) >= 400}

    def _calls(self, turn: int) -> Iterator[Call]:
        """Furnishes both worlds, makes the keys, and yields the calls. From the second turn on all places are
        furnished already."""
        observer, name, (busy, quiet) = self.observer, self.name, self.worlds
        for world in self.worlds:
            world.ids = {}
            world.step(f"elsewhere of {name}")
            happen(world, observer, name, _one_of(turn) if turn else PLACES)
        elsewhere = dict(busy.ids)
        for world, service in zip(self.worlds, self.services, strict=True):
            world.ids = {}
            world.step(f"own of {name}")
            world.furnish(world.memory(observer.user, projects=observer.inside), {"project": "shop"}, name)
            if observer.inside is None:
                world.furnish(world.memory(observer.user), {}, f"{name}-free")
            world.close(observer.user)
            for part in ("one", "two"):
                world.connect(world.memory(observer.user), "shop", f"{name}-{part}")
            world.share(observer.user, name)
            world.step(f"key of {name}")
            self._keys.append(
                create_key(
                    service.service, user=observer.user, role=observer.role, agent=observer.agent,
                    write=observer.write, projects=observer.projects,
                )[1]
            )  # fmt: skip
            world.work()
        assert busy.ids == quiet.ids
        own = {
            **quiet.ids,
            "session": ["talk"],
            "project": ["shop", "loft"],
            "member": [observer.user],
            "hold": ["case"],
        }
        elsewhere |= {"session": ["harbour"], "project": ["barn"], "member": ["ben"], "hold": ["no case"]}
        elsewhere["export"] = ["".join(busy.memory("ben").export())]
        elsewhere["root"] = [str(busy.root / f"{name}-one")]
        return self.calls(own, elsewhere)

    def calls(self, own: Ids, elsewhere: Ids) -> Iterator[Call]:
        """Yields the calls, made of ids that are the observer's and of such that are elsewhere."""
        return calls(self.services[0], own, elsewhere, self.observer.user)

    async def _compare(self, call: Call) -> None:
        if call.query.get("cursor") == "CURSOR":
            if call.operation not in self._cursors:
                return
            call = replace(call, query={**call.query, "cursor": self._cursors[call.operation]})
        answers = [await self.answer(place, call) for place in range(2)]
        self.statuses.setdefault(call.operation, set()).add(answers[1][0])
        if answers[0] != answers[1] and call.operation not in OF_THE_TENANT:
            busy, quiet = ("\n    ".join(map(str, answer)) for answer in answers)
            self.leaks.append(f"{call}\n    {busy}\n  but where nothing is elsewhere\n    {quiet}")
        cursor = CURSOR.search(answers[1][2])
        if cursor is not None:
            self._cursors[call.operation] = cursor[1]

    async def answer(self, place: int, call: Call) -> tuple[int, list[tuple[str, str]], str]:
        """Returns the status, headers and body of an answer in a world."""
        self.worlds[place].step(str(call))
        headers = {"X-Request-ID": "r", **call.headers}
        if self.observer.header is not None:
            headers["Holdfast-Agent"] = self.observer.header
        answer = await self.services[place].ask(
            call.method, call.path, call.body, key=self._keys[place], query=call.query, headers=headers
        )
        text = answer.text if self.unlike is None else self.unlike.sub("…", answer.text)
        if call.operation in CERTIFYING:
            text = CERTIFIED.sub("…", text)
        return answer.status_code, sorted(answer.headers.items()), text
