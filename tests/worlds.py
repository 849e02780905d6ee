"""Two worlds that are equal but for what is elsewhere: a store in each, with a clock and ids that repeat."""

from __future__ import annotations

import hashlib
import os
import random
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from holdfast import HoldfastError, Memory, config
from holdfast.bootstrap import open_service
from holdfast.core.jobs import Job
from holdfast.core.places import Principal, Role
from holdfast.core.usage import DeliveredContext
from holdfast.core.views import personal_view
from holdfast.features.access.access import Grant
from holdfast.features.access.keys import service_for
from holdfast.features.jobs.worker import Handler, Progress, Worker
from holdfast.features.learning.positions import pass_over
from holdfast.features.learning.rules.log import Position
from holdfast.features.modulemap.findings import Scan
from holdfast.features.service import Service
from holdfast.workers import HANDLERS
from tests.fakes import HashEmbedder, ManualClock

ROLES = {"ana": Role.OWNER, "root": Role.ADMIN, "ben": Role.MEMBER, "cleo": Role.MEMBER, "ci": Role.SERVICE}
"""The members of the team, in both worlds; what Ben does is elsewhere."""

PROJECTS = ("shop", "barn", "loft")
FACTS = (
    "The pump of the harbour listens on port 8080",
    "The boat of the keeper is painted red",
    "We indent the code of the boat with tabs",
    "The keeper of the harbour is called Ada",
    "The lamp of the harbour burns until six",
    "The red boat needs new paint in May",
)
CONTRADICTIONS = (
    "The pump of the harbour listens on port 9090",
    "The boat of the keeper is painted blue",
    "We indent the code of the boat with spaces",
)
SECOND = tuple(f"{text}, said the keeper" for text in FACTS)
WAITING, REJECTED, FORGOTTEN, ERASED = (
    f"The {word} of the harbour is for the boat" for word in ("anchor", "buoy", "chain", "dock")
)
STATED = "Lives in Porto"
"""What somebody says of themselves, and corrects."""
NOTED = "The oars of the boat are in the shed"
"""A note of an agent, which it may forget without a question."""
SAID = "I am allergic to nuts"
"""A message with a statement that is dismissed."""
TALK = (
    {"role": "user", "content": "My favorite colors are 1) Blue 2) Red", "id": "m1"},
    {"role": "assistant", "content": "Blue suits the boat of the keeper", "id": "m2"},
    {"role": "user", "content": "Which port does the pump of the harbour use?", "id": "m3"},
)
FINDINGS = (
    {
        "role": "user",
        "content": "It turns out that the fee of the harbour is computed per night.",
        "id": "f1",
    },
    {
        "role": "assistant",
        "content": "I looked at the sheets of the harbour master, and at what the boats have paid since May. "
        "The pump log includes the boats of the keeper.",
        "id": "f2",
    },
    {"role": "user", "content": "No, the fee of the harbour is computed per day.", "id": "f3"},
)
FILES = {
    "boat.md": "# The boat\n\nThe red boat of the keeper in a file\n",
    "pump.md": "# The pump\n\nThe pump listens on port 8080\n",
}
DESCRIBED = {
    "name": "sales.db",
    "platform": "database",
    "entities": [
        {"type": "DATA_TABLE", "id": name, "data": {"name": name, "rows": 9, "columns": ["boat", "port"]}}
        for name in ("boats", "pumps")
    ],
}
BEGIN = 1_767_225_600_000
CHAT_EXPORT = '[{"role": "user", "content": "The crane of the harbour is yellow", "id": "x1"}]'


class Dice:
    """Random bytes that repeat: what is drawn after `roll(n)` does not depend on what was drawn before."""

    def __init__(self) -> None:
        self._source = random.Random(0)

    def roll(self, seed: object) -> None:
        """Begins the bytes of a step."""
        self._source = random.Random(repr(seed))

    def __call__(self, number: int) -> bytes:
        return self._source.randbytes(number)


@dataclass(slots=True)
class World:
    """One store with its team. In the `busy` one something happens elsewhere, in the other nothing does."""

    service: Service
    clock: ManualClock
    dice: Dice
    root: Path
    busy: bool = False
    ids: dict[str, list[str]] = field(default_factory=dict)
    steps: int = 0

    def begin(self) -> None:
        """Makes the team and its projects, and the key of digests, which a copy shall have too."""
        assert self.service.store.digest_key
        self.step("team")
        memory = self.memory("ana")
        for user, role in ROLES.items():
            memory.members.add(user, role.value)
        self.have_projects()

    def have_projects(self) -> None:
        """Makes the projects that are not there."""
        memory = self.memory("root")
        there = {one.name for one in memory.projects.list()}
        for project in PROJECTS:
            if project not in there:
                memory.projects.create(project)

    def step(self, name: object = None) -> None:
        """Begins a step: the time and the ids that it makes are the same in both worlds."""
        self.steps += 1
        self.clock.now = BEGIN + self.steps * 1_000
        self.dice.roll(("step", self.steps, name))

    def memory(self, user: str, agent: str | None = None, projects: Sequence[str] | None = None) -> Memory:
        """Returns what a member of the team does, by a credential that may be limited to projects."""
        names = None if projects is None else frozenset(projects)
        grant = Grant(Principal(user, ROLES[user], agent), projects=names, credential=f"test:{user}")
        return Memory.over(service_for(self.service, grant))

    def furnish(self, memory: Memory, place: dict[str, Any], name: str) -> None:
        """Keeps something of every kind in a place, with the same texts, names and external ids as in every
        other place, and notes the ids of what there is, by what it is. What cannot be is left out."""
        number, user = 0, memory._service.principal.user

        def new(kind: str, id: str | None) -> None:
            self.ids.setdefault(kind, []).extend([id] if id else [])

        def kept(text: str, **more: Any) -> str | None:
            nonlocal number
            number += 1
            self.dice.roll((user, name, number))
            with suppress(HoldfastError):
                stored = memory.remember(text, **{"visibility": "private", **place, **more}).memory
                return stored.id if stored else None
            return None

        for one, text in enumerate(FACTS):
            keys = {"external_id": f"k{one}", "metadata": {"berth": one}}
            new("memory", kept(text, kind="fact", tags=["boat"], **keys))
        for text in CONTRADICTIONS[:1] + SECOND:
            new("memory", kept(text, kind="note"))
        for word in ("", " today", " in May", " at noon"):
            new("waiting", kept(WAITING + word, status="pending"))
        new("of an agent", kept(NOTED, kind="note", origin="agent"))
        new("stated", kept(STATED, kind="profile"))
        new("said", kept(SAID, kind="message", role="user"))
        if (id := kept(REJECTED, status="pending")) is not None:
            with suppress(HoldfastError):
                memory.review.reject(id)
        for text, hard in ((FORGOTTEN, False), (ERASED, True)):
            if (id := kept(text, kind="fact")) is not None:
                with suppress(HoldfastError):
                    memory.forget(id, hard=hard)
                    new("forgotten", None if hard else id)
        self.dice.roll((user, name, "more"))
        here = {key: value for key, value in place.items() if key == "project"}
        place = {"visibility": "private", **place}
        with suppress(HoldfastError):
            memory.add_messages(TALK, session="talk", visibility="private", **here)
            memory.add_episode("Is the boat dry?", "The boat dries until May.", session="talk", **here)
        with suppress(HoldfastError):
            memory.add_messages(FINDINGS[:2], session=f"findings-{name}", visibility="private", **here)
            result = memory.insights(f"findings-{name}", scope=("file", "fees.xlsx"))
            memory.add_messages(FINDINGS[2:], session=f"findings-{name}", visibility="private", **here)
            memory.insights(f"findings-{name}", scope=("file", "fees.xlsx"))
            new("insight", result.changes[0].memory if result.changes else None)
        memory.facts.set("boats", "Heron", **place)
        with suppress(HoldfastError):
            memory.facts.add("boats", ["Gull"], **place)
        thing = memory.entities.create("Boat", "thing", **place).memory
        other = memory.entities.create("Keeper", "person", **place).memory
        assert thing is not None
        assert other is not None
        memory.entities.observe(thing.id, ["is painted red"], **place)
        memory.entities.relate(other.id, "owns", thing.id, **place)
        for id in (thing.id, other.id):
            new("entity", id)
        if (project := place.get("project")) is not None and user != "ben":
            # a map is seen by all who may open its project
            code = {"hull": {"name": "hull", "description": "the boat of the keeper", "core_files": ["b.py"]}}
            scan = Scan.from_dict({"map": {"project": project, "modules": code}, "files": ["b.py"]})
            memory.maps.merge(scan, project=project)
        new("context", self.cited(user, here.get("project"), thing.id))
        for query in ("which port does the pump use?", "red boat"):
            memory.recall(query, strict_workspace=True, **place)

    def cited(self, user: str, project: str | None, id: str) -> str:
        """Records a context that cited a memory, without any use of it; returns its id."""
        now = self.clock()
        context, view = self.service.new_id(now), personal_view(Principal(user))
        with self.service.store.write() as tx:
            known = None if project is None else tx.project(view, project)
            tx.cite(view, DeliveredContext(context, known.number if known else 0, "", {1: id}, now))
        return context

    def connect(self, memory: Memory, project: str, name: str) -> None:
        """Brings in what belongs to no project: an import, a folder, jobs."""
        user = memory._service.principal.user
        self.dice.roll((user, name, "connect"))
        sha256 = "1" * 64 if user == "ben" else hashlib.sha256(name.encode()).hexdigest()
        source = memory.sources.add("chatgpt", sha256, filename="chat.json")
        self.ids.setdefault("source", []).append(source.id)
        memory.remember("The mast came by sea", source=source.id, project=project, visibility="private")
        described = memory.reconcile(
            "sales.db", DESCRIBED, project=project, visibility="project", members=[user]
        )
        self.ids.setdefault("described", []).append(described.source or "")
        folder = memory.folders.add(self._folder(name), name=f"{user}-{name}", project=project)
        memory.folders.index(folder.id)
        job = memory.folders.queue(folder.id)
        pass_over(memory._service, Position("2" * 64, len(user + name), name))
        self.ids.setdefault("folder", []).extend([folder.id, folder.slug])
        self.ids.setdefault("job", []).append(job.id)

    def close(self, user: str) -> None:
        """Closes the files that an earlier observer opened to all, which nobody else may bring in again."""
        for one in self.memory(user).described.list(file="sales.db"):
            if one.owner != user:
                self.memory(one.owner).described.update(one.id, members=[one.owner])

    def share(self, user: str, name: str) -> None:
        """Ben lets a user read one of two files of a project that both of them open, in the busy world he has
        another one that somebody else may read."""
        ben = self.memory("ben")
        self.dice.roll((user, name, "share"))
        files = {f"harbour-{name}.xlsx": [user]} | ({f"pumps-{name}.xlsx": ["dora"]} if self.busy else {})
        for file, members in files.items():
            payload = {**DESCRIBED, "name": file}
            result = ben.reconcile(file, payload, project="shop", visibility="project", members=members)
            if user in members:
                self.ids["described of others"] = [result.source or ""]

    def _folder(self, place: str) -> Path:
        """Returns a folder of files, the same one in both worlds."""
        root = self.root / place
        root.mkdir(parents=True, exist_ok=True)
        for name, text in FILES.items():
            (root / name).write_text(text)
            os.utime(root / name, ns=(0, BEGIN * 1_000_000))
        return root

    def work(self) -> None:
        """Does the jobs that are due. What one draws does not depend on those before it."""

        def drawn(handler: Handler) -> Handler:
            def handle(service: Service, job: Job, progress: Progress) -> Mapping[str, Any]:
                self.dice.roll(("work", job.id))
                return handler(service, job, progress)

            return handle

        Worker(self.service, {kind: drawn(one) for kind, one in HANDLERS.items()}, threads=1).run_due()


@contextmanager
def two_worlds(folder: Path, *addresses: str) -> Iterator[list[World]]:
    """Gives the busy world and the quiet one, each with the team, its projects and nothing else. Files are
    copies of one, with the same secrets; of databases the key of digests is the same."""
    names = addresses or [str(folder / one / "team.db") for one in ("busy", "quiet")]
    if not addresses:
        (folder / "both").mkdir()
        with _opened(str(folder / "both" / "team.db"), folder) as world:
            world.begin()
        for name in ("busy", "quiet"):
            shutil.copytree(folder / "both", folder / name)
    with _opened(names[0], folder) as busy, _opened(names[1], folder) as quiet:
        if addresses:  # what one exports and both import has digests
            vars(quiet.service.store)["digest_key"] = busy.service.store.digest_key
        for world in (busy, quiet):
            if addresses:
                world.begin()
            world.steps = 1
        busy.busy = True
        yield [busy, quiet]


@contextmanager
def _opened(address: str, folder: Path) -> Iterator[World]:
    clock, dice = ManualClock(), Dice()
    settings = config.load(store=address, user="ana")
    service = open_service(settings, embedder=HashEmbedder(), clock=clock)
    yield World(replace(service, randomness=dice), clock, dice, folder / "files")
    service.store.close()
