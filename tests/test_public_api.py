"""The Python face is kept stable: its names, its signatures, and their asynchronous mirror."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any, assert_type

import pytest

import holdfast
from holdfast import AsyncMemory, Hits, Memory
from holdfast.api.agents import Agents
from holdfast.api.asynchronous_areas import (
    AsyncAgents,
    AsyncAudit,
    AsyncBackups,
    AsyncConsents,
    AsyncDescribed,
    AsyncEntities,
    AsyncFacts,
    AsyncFolders,
    AsyncJobs,
    AsyncKeys,
    AsyncMaps,
    AsyncMembers,
    AsyncModels,
    AsyncProjects,
    AsyncRetention,
    AsyncReview,
    AsyncSessions,
    AsyncSources,
)
from holdfast.api.audit import Audit
from holdfast.api.backups import Backups
from holdfast.api.consents import Consents
from holdfast.api.described import Described
from holdfast.api.entities import Entities
from holdfast.api.facts import Facts
from holdfast.api.folders import Folders
from holdfast.api.jobs import Jobs
from holdfast.api.keys import Keys
from holdfast.api.maps import Maps
from holdfast.api.members import Members
from holdfast.api.models import Models
from holdfast.api.projects import Projects
from holdfast.api.retention import Retention
from holdfast.api.review import Review
from holdfast.api.sessions import Sessions
from holdfast.api.sources import Sources

NAMES = [
    "AccessDenied", "AsyncMemory", "Change", "Conflict", "Damaged", "Hit", "Hits", "HoldfastError",
    "InvalidInput", "Kept", "Memory", "NotFound", "Outcome", "Record", "Refusal", "Status", "StoreBusy",
    "StoreError", "__version__",
]  # fmt: skip

SIGNATURES = """
Memory(path=None, *, user=None, agent=None, key_file=None, api_key=None, timeout=30.0, embedder=None,
    clock=wall_clock)
Memory.over(service)
Memory.on(backend)
Memory.as_user(user, *, agent=None)
Memory.with_consent()
Memory.is_available(*, timeout=1.0)
Memory.close()
Memory.remember(text, *, kind='note', title=None, summary=None, project=None, session=None, workspace=None,
    scope=None, branch=None, visibility=None, external_id=None, role=None, name=None, origin=None,
    confidence=None, status=None, tags=(), metadata=None, evidence=None, at=None, valid_from=None,
    valid_until=None, expires_at=None, supersedes=None, source=None, if_absent=False)
Memory.never(text=None, *, id=None)
Memory.remember_many(items)
Memory.add_messages(messages, *, session=None, project=None, visibility=None, workspace=None,
    source=None, extract=False, insights=None)
Memory.extract(*, session=None, source=None, text=None, project=None, workspace=None, redact=True,
    dry_run=False)
Memory.insights(session, *, scope=None, visibility=None, dry_run=False)
Memory.queue_insights(session, *, scope=None, visibility=None, model=False)
Memory.learn(log, *, project, session_type='build', failed=False, resume=False, dry_run=False)
Memory.log_positions(keys)
Memory.add_episode(user_message, ai_response, *, session, project=None, external_id=None, at=None,
    metadata=None)
Memory.revise(id, *, text=None, title=None, summary=None, kind=None, tags=None, metadata=None,
    confidence=None, status=None, valid_from=None, valid_until=None, expires_at=None, external_id=None,
    if_version=None,
    project=None, session=None, workspace=None, scope=None, branch=None, visibility=None, kinds=None)
Memory.pin(id, pinned=True, *, if_version=None)
Memory.forget(id, *, hard=False, reason=None, if_version=None,
    project=None, session=None, workspace=None, scope=None, branch=None, visibility=None, kinds=None)
Memory.redact(id, version, *,
    project=None, session=None, workspace=None, scope=None, branch=None, visibility=None, kinds=None)
Memory.scan(*, personal=False, limit=1000, cursor=None)
Memory.scan_queue(*, personal=False, everyone=False, dry_run=False)
Memory.scan_decide(accept=(), refuse=(), *, reopen=(), personal=False)
Memory.delete_all(confirm='', *, dry_run=False, with_backups=False)
Memory.restore(id, *,
    project=None, session=None, workspace=None, scope=None, branch=None, visibility=None, kinds=None)
Memory.reconcile(source, payload=None, *,
    project=None, visibility=None, members=None, sequence=None, dry_run=False)
Memory.recall(query, *, project=None, session=None, workspace=None, strict_workspace=False, scope=None,
    visibility=None, branch=None, kinds=None, tags=None, metadata=None, since=None, until=None, as_of=None,
    limit=10, mode='hybrid', threshold=0.0, exclude=(), exclude_sessions=(), sources=None, scopes=(),
    boost=None, mmr=1.0, repeat=True, flagged=True, min_confidence=0.0, origins=None, owner=None,
    status=None, near=0, around=0, personal=True, disputes=False, path=None, language=None, code_only=False,
    folder=None, record=True)
Memory.recall_scopes(query, scopes, *,
    project=None, session=None, workspace=None, kinds=None, limit=4, min_confidence=0.0)
Memory.ask(text, *, project=None, session=None, workspace=None, limit=10, personal=True)
Memory.about(name=None, *, project=None, session=None, workspace=None, as_of=None, personal=True)
Memory.correct(id, text, *, was=None, name=None, project=None, session=None, workspace=None)
Memory.dismiss(id, *, was=None, name=None, project=None, session=None, workspace=None)
Memory.answer(text, *, project=None, session=None, workspace=None, limit=10, personal=True, model=None)
Memory.context(task=None, *, files=(), project=None, session=None, workspace=None, branch=None,
    metadata=None, scopes=(), boost=None, role='coder', budget=1800, repeat=None, min_confidence=None,
    limit=None, window=None, parts=None, personal=True, record=True)
Memory.stats(*, project=None, session=None, measure=False)
Memory.get(id, *,
    project=None, session=None, workspace=None, scope=None, branch=None, visibility=None, kinds=None)
Memory.resolve_id(id, *,
    project=None, session=None, workspace=None, scope=None, branch=None, visibility=None, kinds=None)
Memory.list(*, project=None, session=None, workspace=None, strict_workspace=False, scope=None,
    visibility=None, branch=None, kinds=None, tags=None, metadata=None, since=None, until=None, as_of=None,
    include=(), pinned=None, scopes=(), stale=False, origins=None, owner=None, status=None, limit=50,
    cursor=None, personal=True)
Memory.kinds()
Memory.count(*, project=None, session=None, metadata=None)
Memory.facets(*,
    project=None, session=None, workspace=None, kinds=None, since=None, until=None, include=(), origins=None,
    owner=None, status=None)
Memory.related(id)
Memory.deliveries(id)
Memory.citations(context)
Memory.history(id, *, deleted=False,
    project=None, session=None, workspace=None, scope=None, branch=None, visibility=None, kinds=None)
Memory.export(*, format='jsonl', user_data=False, metadata=None)
Memory.maintain()
Memory.doctor()
Memory.quality(name=None, *, limit=30)
Memory.record_quality(name, value, *, sample_size, evaluator, at=None)
Memory.accept_loss()
Projects.create(name, *, description=UNSET, colour=UNSET, icon=UNSET, notes=UNSET, system_prompt=UNSET,
 visibility=UNSET)
Projects.get(name)
Projects.summary(name, *, limit=10)
Projects.list(*, archived=False)
Projects.update(name, *, description=UNSET, colour=UNSET, icon=UNSET, notes=UNSET, system_prompt=UNSET,
 visibility=UNSET)
Projects.delete(name)
Projects.restore(name) Projects.contents(name)
Projects.archive(name, *, purge_after=None)
Projects.unarchive(name)
Projects.switch(name, on)
Projects.rename(name, to)
Projects.purge(name)
Projects.move(source, target)
Projects.retag(source, target, *, kinds=('entity',))
Sessions.create(id, *, project=None, name=None, metadata=None)
Sessions.get(id)
Sessions.list(*, project=None, limit=None, cursor=None, archived=False)
Sessions.messages(id, *, limit=50, cursor=None, around=None)
Sessions.memories(id)
Sessions.summary(id)
Sessions.episodes(session, *, limit=50, cursor=None)
Sessions.update(id, *, name=UNSET, project=UNSET, archived=UNSET)
Sessions.move(id, *, project)
Sessions.delete(id)
Sources.add(platform, sha256, *, filename=None, message_count=0, conversation_count=0, metadata=None)
Sources.list(*, sha256=None)
Sources.move(id, *, project)
Sources.delete(id, *, hard=False)
Entities.create(name, type='concept', *, notes=None, project=None, session=None, workspace=None,
    visibility=None, origin=None, confidence=None, evidence=None, source=None)
Entities.get(entity, *, type=None, project=None, session=None, workspace=None)
Entities.list(*, name=None, type=None, limit=50, cursor=None, project=None, session=None, workspace=None)
Entities.search(query, *, type=None, limit=10, project=None, session=None, workspace=None)
Entities.observe(entity, texts, *, type=None, project=None, session=None, workspace=None, visibility=None,
    origin=None, confidence=None, evidence=None, source=None, at=None)
Entities.unobserve(entity, texts, *, type=None, hard=False, project=None, session=None, workspace=None)
Entities.relate(subject, type, target, *, project=None, session=None, workspace=None, visibility=None,
    origin=None, confidence=None, evidence=None, source=None, at=None)
Entities.unrelate(subject, type, target, *, hard=False, project=None, session=None, workspace=None)
Entities.neighbourhood(entities, *, limit=50, project=None, session=None, workspace=None)
Entities.drawing(*, limit=5000, project=None, session=None, workspace=None)
Entities.delete(entity, *, type=None, hard=False, reason=None, project=None, session=None, workspace=None)
Facts.list(topic=None, *, as_of=None, limit=None, project=None, session=None, workspace=None)
Facts.get(topic, rank=None, *, as_of=None, project=None, session=None, workspace=None)
Facts.set(topic, value, rank=None, *, project=None, session=None, workspace=None, visibility=None,
    external_id=None, at=None)
Facts.replace(topic, values, *, project=None, session=None, workspace=None, visibility=None,
    external_id=None, at=None)
Facts.add(topic, values, *, project=None, session=None, workspace=None, visibility=None,
    external_id=None, at=None)
Facts.move(topic, value, rank, *, project=None, session=None, workspace=None, visibility=None,
    external_id=None, at=None)
Facts.remove(topic, value, *, project=None, session=None, workspace=None, visibility=None,
    external_id=None, at=None)
Facts.clear(topic, *, project=None, session=None, workspace=None, visibility=None, external_id=None, at=None)
Facts.history(topic, *, project=None, session=None, workspace=None)
Facts.topics()
Described.scan(path, *, project=None, visibility=None, members=None, dry_run=False)
Described.scan_all(path, *, only=(), changed_only=False, dry_run=False, progress=None, **readers)
Described.refresh(*, dry_run=False)
Described.roots()
Described.read(path, *, project=None, visibility=None, members=None)
Described.regenerate(id)
Described.apply(file, payload, *,
    sequence=None, formerly=(), dry_run=False, project=None, visibility=None,
    members=None)
Described.queue(file, payload, *,
    sequence=None, project=None, visibility=None, members=None)
Described.describe(id, payload=None)
Described.list(*, file=None)
Described.get(id)
Described.related(id, *, limit=5) Described.update(id, *, name=None, members=None, open_to_all=False)
Described.delete(id, *, hard=False)
Folders.add(root, *, name=None, project=None, include=(), exclude=(), visibility='private', watch=True)
Folders.list()
Folders.get(id)
Folders.index(id, *, anew=False, progress=None)
Folders.queue(id, *, anew=False)
Folders.jobs(id, *, limit=10)
Folders.files(id, *, state=None, after='', limit=100)
Folders.connect(id, project)
Folders.disconnect(id, project)
Folders.delete(id)
Folders.chunk_stats(id)
Folders.tree(id, path='', *, max_depth=2, max_entries=500)
Folders.read(id, path, *, max_bytes=65536)
Jobs.list(*, state=None, limit=50)
Jobs.get(id)
Jobs.retry(id)
Jobs.cancel(id)
Maps.scan(path, *, project, seed=True, progress=None)
Maps.merge(findings, *, project, seed=True)
Maps.get(project)
Maps.match(task, *, project, limit=3)
Maps.update(module, *, project, description=None, core_files=(), entry_points=(), frontend_files=(),
    test_files=(), config_files=(), doc_files=(), dependencies=(), related_modules=(), symbols=(),
    keywords=(), remove=())
Maps.opened(paths, *, project, session)
Maps.delete(project)
Members.add(user, role='member')
Members.list()
Members.set_role(user, role)
Members.remove(user)
Keys.create(user=None, *, role=None, name=None, agent=None, projects=None, write=True, expires_at=None)
Keys.list()
Keys.revoke(id)
Models.add(name, model, *, provider='openai', url=None, price_in=None, price_out=None, tokens_per_day=None,
    tokens_per_month=None, cost_per_day=None, cost_per_month=None, timeout=None, dimensions=None)
Models.list()
Models.catalogue()
Models.accept(name)
Models.test(name)
Models.propose(session)
Models.summarise(session)
Models.remove(name)
Models.usage(*, since=None)
Consents.give(purpose, *, user=None)
Consents.withdraw(purpose, *, user=None)
Consents.list(*, user=None, history=False)
Retention.set(days, *, kind=None, project=None)
Retention.remove(*, kind=None, project=None)
Retention.list()
Retention.preview(days=None, *, kind=None, project=None, limit=10)
Retention.hold(name, *, user=None, project=None)
Retention.holds()
Retention.lift(name)
Review.inbox(*, project=None, session=None, workspace=None, scope=None, kinds=None, tags=None, limit=50,
    cursor=None)
Review.tidy(*, dry_run=True, older_than=90, limit=200)
Review.approve(id, *, beside=False, if_version=None)
Review.reject(id, *, reason=None)
Review.edit(id, *, text=None, title=None, summary=None, kind=None, tags=None, metadata=None, beside=False)
Review.decide(decisions)
Review.rights(ids)
Review.undo(ids)
Review.move(ids, *, project=UNSET, workspace=UNSET, scope=UNSET, branch=UNSET, visibility=UNSET)
Review.separate(id)
Review.confirm(id)
Review.feedback(id, verdict, *, note=None)
Review.wrong(id, *, note=None)
Review.clear(scope, *, project=None, workspace=None, hard=False)
Review.revert(source, *, hard=False)
Audit.verify()
Audit.check(certificate)
Audit.certificate(event)
Audit.list(*, after=0, before=None, newest_first=False, limit=100)
Agents.event(event, *, session=None, project=None, folder=None, branch=None, prompt=None, files=(),
    budget=2000)
Backups.list()
Backups.create()
Backups.drill()
"""
"""What callers rely on. A change here is a change of the public interface: it needs an entry in CHANGELOG.md,
and after 1.0 a new major version unless it only adds."""

FACES = (
    Memory, Projects, Sessions, Sources, Entities, Facts, Described, Folders, Jobs, Maps, Members, Keys,
    Models, Consents, Retention, Review, Audit, Agents, Backups,
)  # fmt: skip
MIRRORS = [
    (AsyncMemory, Memory),
    (AsyncProjects, Projects),
    (AsyncSessions, Sessions),
    (AsyncSources, Sources),
    (AsyncEntities, Entities),
    (AsyncFacts, Facts),
    (AsyncDescribed, Described),
    (AsyncFolders, Folders),
    (AsyncJobs, Jobs),
    (AsyncMaps, Maps),
    (AsyncMembers, Members),
    (AsyncKeys, Keys),
    (AsyncModels, Models),
    (AsyncReview, Review),
    (AsyncConsents, Consents),
    (AsyncRetention, Retention),
    (AsyncAudit, Audit),
    (AsyncAgents, Agents),
    (AsyncBackups, Backups),
]


def methods(face: type[Any]) -> Iterator[tuple[str, Any]]:
    """The public methods of a class, in the order of the source."""
    for name, member in vars(face).items():
        if not name.startswith("_") and inspect.isfunction(member):
            yield name, member


def makers(face: type[Any]) -> Iterator[tuple[str, Any]]:
    """The public class methods of a class: other ways to make one."""
    for name, member in vars(face).items():
        if not name.startswith("_") and isinstance(member, classmethod):
            yield name, member.__func__


def written(function: Any) -> str:
    """A signature without annotations, as in `SIGNATURES`."""
    words: list[str] = []
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in words:
            words.append("*")
        default = parameter.default
        shown = default.__name__ if inspect.isfunction(default) else repr(default)
        stars = "**" if parameter.kind is parameter.VAR_KEYWORD else ""
        words.append(stars + parameter.name + ("" if default is parameter.empty else f"={shown}"))
    return f"({', '.join(words)})"


async def _typed(memory: AsyncMemory) -> None:
    """Is checked by the type checker alone: results and arguments of coroutines are those of the methods."""
    assert_type(await memory.recall("x", limit=3), Hits)
    assert_type(await memory.as_user("ana").count(project="shop"), int)
    assert_type((await memory.remember("x")).redactions, tuple[str, ...])
    await memory.recall("x", limt=3)  # type: ignore[call-arg]
    await memory.recal("x")  # type: ignore[attr-defined]


def test_the_names_of_the_package_are_stable() -> None:
    assert holdfast.__all__ == NAMES
    assert dir(holdfast) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_name_can_be_imported(name: str) -> None:
    assert getattr(holdfast, name) is not None


def test_a_name_that_is_not_there_is_told_as_usual() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Memoir'"):
        _ = holdfast.Memoir


def test_the_signatures_are_stable() -> None:
    lines = ["Memory" + written(Memory.__init__)]
    lines += [f"Memory.{name}{written(maker)}" for name, maker in makers(Memory)]
    for face in FACES:
        lines += [f"{face.__name__}.{name}{written(method)}" for name, method in methods(face)]
    stated = " ".join(SIGNATURES.split()).replace(") ", ")\n").splitlines()
    new, gone = set(lines) - set(stated), set(stated) - set(lines)
    assert not new | gone, "\n".join(["write in SIGNATURES:", *new, "in place of:", *gone])
    assert lines == stated


def test_every_public_method_says_what_it_does_and_is_annotated() -> None:
    for face in FACES:
        for name, method in methods(face):
            assert inspect.getdoc(method), f"{face.__name__}.{name} has no docstring"
            given = inspect.signature(method)
            bare = [p.name for p in list(given.parameters.values())[1:] if p.annotation is p.empty]
            assert bare == [], f"{face.__name__}.{name}"
            assert given.return_annotation is not given.empty


# the asynchronous mirror


@pytest.mark.parametrize(("mirror", "face"), MIRRORS, ids=lambda kind: kind.__name__)
def test_the_asynchronous_face_has_the_same_signatures(mirror: type[Any], face: type[Any]) -> None:
    """Nothing more, nothing less, and every one that reads or writes is a coroutine. The lines of an export
    are generated asynchronously."""
    ours, theirs = dict(methods(mirror)), dict(methods(face))
    assert ours.keys() == theirs.keys()
    for name, method in theirs.items():
        assert inspect.signature(ours[name]).parameters == inspect.signature(method).parameters, name
        if name not in ("as_user", "with_consent"):
            assert inspect.iscoroutinefunction(ours[name]), name
        if name not in ("as_user", "with_consent", "export"):
            assert inspect.signature(ours[name]) == inspect.signature(method), name
            assert inspect.getdoc(ours[name]) == inspect.getdoc(method)


def test_an_asynchronous_program_remembers_and_recalls(tmp_path: Path) -> None:
    async def program() -> list[str]:
        async with AsyncMemory(tmp_path / "team.db", user="ana") as memory:
            assert memory.path == str(tmp_path / "team.db")
            result = await memory.remember("We chose JWT over sessions", kind="decision", project="shop")
            assert result.memory is not None
            await memory.projects.update("shop", description="A shop")
            await memory.sessions.create("chat-1", project="shop")
            await memory.pin(result.memory.id)
            hits = await memory.recall("why JWT?", session="chat-1")
            assert await memory.audit.verify() == len(await memory.audit.list())
            return [hit.memory.text for hit in hits]

    assert asyncio.run(program()) == ["We chose JWT over sessions"]
    with Memory(tmp_path / "team.db", user="ana") as memory:
        assert memory.projects.get("shop").description == "A shop"
        assert memory.count(project="shop") == 1


def test_many_tasks_of_one_program_share_one_memory(tmp_path: Path) -> None:
    async def program() -> int:
        async with AsyncMemory(tmp_path / "team.db", user="ana") as memory:
            kept = await asyncio.gather(
                *(memory.remember(f"Sensor {n} is in room {n + 100}") for n in range(20))
            )
            found = await asyncio.gather(*(memory.recall(f"sensor {n}", limit=1) for n in range(20)))
            ids = [one.memory.id for one in kept if one.memory]
            assert [hits[0].memory.id for hits in found] == ids
            return await memory.count()

    assert asyncio.run(program()) == 20


def test_a_call_does_not_hold_up_the_event_loop(tmp_path: Path) -> None:
    """Something else is done while a call is under way: it runs in a thread."""

    async def program() -> bool:
        async with AsyncMemory(tmp_path / "team.db", user="ana") as memory:
            call = asyncio.create_task(memory.remember("Slow things happen elsewhere"))
            await asyncio.sleep(0)
            went_on = not call.done()
            await call
            return went_on

    assert asyncio.run(program())


def test_an_error_reaches_the_one_who_awaits(tmp_path: Path) -> None:
    async def program() -> None:
        async with AsyncMemory(tmp_path / "team.db", user="ana") as memory:
            with pytest.raises(holdfast.NotFound) as caught:
                await memory.get("nothing")
            assert caught.value.code == "memory_not_found"
            with pytest.raises(AttributeError):
                await memory.forsake("nothing")  # type: ignore[attr-defined]
            with pytest.raises(TypeError):
                await memory.remember("text", colour="red")  # type: ignore[call-arg]

    asyncio.run(program())


@pytest.mark.parametrize("address", ["team.db", "http://127.0.0.1:9"])
def test_an_argument_that_no_operation_has_is_a_mistake_of_the_program(tmp_path: Path, address: str) -> None:
    """Also where the arguments of places stand behind `**`, and of a service before it is asked."""
    is_service = "://" in address
    where = address if is_service else tmp_path / address
    with Memory(where, api_key="k" if is_service else None) as memory:
        for call in (
            lambda: memory.get("k1", kind="note"),  # type: ignore[call-arg]
            lambda: memory.sessions.update("s1", title="A title"),  # type: ignore[call-arg]
            lambda: memory.facts.list("colours", rank=1),  # type: ignore[call-arg]
        ):
            with pytest.raises(TypeError, match=r"unexpected keyword argument '(kind|title|rank)'"):
                call()


def test_leaving_the_asynchronous_memory_closes_it(tmp_path: Path) -> None:
    async def program() -> None:
        async with AsyncMemory(tmp_path / "team.db", user="ana") as memory:
            await memory.remember("Something")
        with pytest.raises(holdfast.StoreError) as caught:
            await memory.recall("something")
        assert caught.value.code == "store_closed"

    asyncio.run(program())
