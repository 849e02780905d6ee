"""The areas of `AsyncMemory`: the operations of each as coroutines."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from holdfast.api.agents import Agents
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
from holdfast.api.operation import Operation
from holdfast.api.projects import Projects
from holdfast.api.remote import Remote
from holdfast.api.retention import Retention
from holdfast.api.review import Review
from holdfast.api.sessions import Sessions
from holdfast.api.sources import Sources

P = ParamSpec("P")
R = TypeVar("R")


def awaitable(
    method: Callable[Concatenate[Any, P], R],
) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, R]]:
    """Returns a method as a coroutine function with the same arguments and result: an asynchronous request if
    the memory is a service, else a call in a thread.
    """
    declared: Operation | None = getattr(method, "operation", None)

    @functools.wraps(method)
    async def call(self: Any, /, *args: P.args, **options: P.kwargs) -> R:
        backend = self._target._backend
        if declared is not None and isinstance(backend, Remote):
            return cast(R, await backend.run_async(declared, args, options))
        return await asyncio.to_thread(method, self._target, *args, **options)

    return call


class Mirror:
    """The base of classes with the methods of another as coroutines. Each is named, so that type checkers and
    editors know it."""

    _target: Any


class AsyncProjects(Mirror):
    """`Projects` with awaitable methods."""

    create = awaitable(Projects.create)
    get = awaitable(Projects.get)
    summary = awaitable(Projects.summary)
    list = awaitable(Projects.list)
    update = awaitable(Projects.update)
    delete = awaitable(Projects.delete)
    restore = awaitable(Projects.restore)
    contents = awaitable(Projects.contents)
    archive = awaitable(Projects.archive)
    unarchive = awaitable(Projects.unarchive)
    switch = awaitable(Projects.switch)
    rename = awaitable(Projects.rename)
    purge = awaitable(Projects.purge)
    move = awaitable(Projects.move)
    retag = awaitable(Projects.retag)


class AsyncSessions(Mirror):
    """`Sessions` with awaitable methods."""

    create = awaitable(Sessions.create)
    get = awaitable(Sessions.get)
    list = awaitable(Sessions.list)
    messages = awaitable(Sessions.messages)
    memories = awaitable(Sessions.memories)
    summary = awaitable(Sessions.summary)
    episodes = awaitable(Sessions.episodes)
    update = awaitable(Sessions.update)
    move = awaitable(Sessions.move)
    delete = awaitable(Sessions.delete)


class AsyncSources(Mirror):
    """`Sources` with awaitable methods."""

    add = awaitable(Sources.add)
    list = awaitable(Sources.list)
    move = awaitable(Sources.move)
    delete = awaitable(Sources.delete)


class AsyncFolders(Mirror):
    """`Folders` with awaitable methods."""

    add = awaitable(Folders.add)
    list = awaitable(Folders.list)
    get = awaitable(Folders.get)
    index = awaitable(Folders.index)
    queue = awaitable(Folders.queue)
    jobs = awaitable(Folders.jobs)
    files = awaitable(Folders.files)
    connect = awaitable(Folders.connect)
    disconnect = awaitable(Folders.disconnect)
    delete = awaitable(Folders.delete)
    chunk_stats = awaitable(Folders.chunk_stats)
    tree = awaitable(Folders.tree)
    read = awaitable(Folders.read)


class AsyncDescribed(Mirror):
    """`Described` with awaitable methods."""

    scan = awaitable(Described.scan)
    scan_all = awaitable(Described.scan_all)
    refresh = awaitable(Described.refresh)
    roots = awaitable(Described.roots)
    read = awaitable(Described.read)
    regenerate = awaitable(Described.regenerate)
    apply = awaitable(Described.apply)
    queue = awaitable(Described.queue)
    describe = awaitable(Described.describe)
    list = awaitable(Described.list)
    get = awaitable(Described.get)
    related = awaitable(Described.related)
    update = awaitable(Described.update)
    delete = awaitable(Described.delete)


class AsyncEntities(Mirror):
    """`Entities` with awaitable methods."""

    create = awaitable(Entities.create)
    get = awaitable(Entities.get)
    list = awaitable(Entities.list)
    search = awaitable(Entities.search)
    observe = awaitable(Entities.observe)
    unobserve = awaitable(Entities.unobserve)
    relate = awaitable(Entities.relate)
    unrelate = awaitable(Entities.unrelate)
    neighbourhood = awaitable(Entities.neighbourhood)
    drawing = awaitable(Entities.drawing)
    delete = awaitable(Entities.delete)


class AsyncJobs(Mirror):
    """`Jobs` with awaitable methods."""

    list = awaitable(Jobs.list)
    get = awaitable(Jobs.get)
    retry = awaitable(Jobs.retry)
    cancel = awaitable(Jobs.cancel)


class AsyncFacts(Mirror):
    """`Facts` with awaitable methods."""

    list = awaitable(Facts.list)
    get = awaitable(Facts.get)
    set = awaitable(Facts.set)
    replace = awaitable(Facts.replace)
    add = awaitable(Facts.add)
    move = awaitable(Facts.move)
    remove = awaitable(Facts.remove)
    clear = awaitable(Facts.clear)
    history = awaitable(Facts.history)
    topics = awaitable(Facts.topics)


class AsyncMaps(Mirror):
    """`Maps` with awaitable methods."""

    scan = awaitable(Maps.scan)
    merge = awaitable(Maps.merge)
    get = awaitable(Maps.get)
    match = awaitable(Maps.match)
    update = awaitable(Maps.update)
    opened = awaitable(Maps.opened)
    delete = awaitable(Maps.delete)


class AsyncMembers(Mirror):
    """`Members` with awaitable methods."""

    add = awaitable(Members.add)
    list = awaitable(Members.list)
    set_role = awaitable(Members.set_role)
    remove = awaitable(Members.remove)


class AsyncKeys(Mirror):
    """`Keys` with awaitable methods."""

    create = awaitable(Keys.create)
    list = awaitable(Keys.list)
    revoke = awaitable(Keys.revoke)


class AsyncModels(Mirror):
    """`Models` with awaitable methods."""

    add = awaitable(Models.add)
    list = awaitable(Models.list)
    catalogue = awaitable(Models.catalogue)
    accept = awaitable(Models.accept)
    test = awaitable(Models.test)
    propose = awaitable(Models.propose)
    summarise = awaitable(Models.summarise)
    remove = awaitable(Models.remove)
    usage = awaitable(Models.usage)


class AsyncReview(Mirror):
    """`Review` with awaitable methods."""

    inbox = awaitable(Review.inbox)
    tidy = awaitable(Review.tidy)
    approve = awaitable(Review.approve)
    reject = awaitable(Review.reject)
    edit = awaitable(Review.edit)
    decide = awaitable(Review.decide)
    rights = awaitable(Review.rights)
    undo = awaitable(Review.undo)
    move = awaitable(Review.move)
    separate = awaitable(Review.separate)
    confirm = awaitable(Review.confirm)
    feedback = awaitable(Review.feedback)
    wrong = awaitable(Review.wrong)
    clear = awaitable(Review.clear)
    revert = awaitable(Review.revert)


class AsyncConsents(Mirror):
    """`Consents` with awaitable methods."""

    give = awaitable(Consents.give)
    withdraw = awaitable(Consents.withdraw)
    list = awaitable(Consents.list)


class AsyncRetention(Mirror):
    """`Retention` with awaitable methods."""

    set = awaitable(Retention.set)
    remove = awaitable(Retention.remove)
    list = awaitable(Retention.list)
    preview = awaitable(Retention.preview)
    hold = awaitable(Retention.hold)
    holds = awaitable(Retention.holds)
    lift = awaitable(Retention.lift)


class AsyncAudit(Mirror):
    """`Audit` with awaitable methods."""

    verify = awaitable(Audit.verify)
    check = awaitable(Audit.check)
    certificate = awaitable(Audit.certificate)
    list = awaitable(Audit.list)


class AsyncAgents(Mirror):
    """`Agents` with awaitable methods."""

    event = awaitable(Agents.event)


class AsyncBackups(Mirror):
    """`Backups` with awaitable methods."""

    list = awaitable(Backups.list)
    create = awaitable(Backups.create)
    drill = awaitable(Backups.drill)


AREAS: dict[str, type[Mirror]] = {
    "projects": AsyncProjects,
    "sessions": AsyncSessions,
    "sources": AsyncSources,
    "folders": AsyncFolders,
    "described": AsyncDescribed,
    "entities": AsyncEntities,
    "jobs": AsyncJobs,
    "facts": AsyncFacts,
    "maps": AsyncMaps,
    "members": AsyncMembers,
    "keys": AsyncKeys,
    "models": AsyncModels,
    "review": AsyncReview,
    "consents": AsyncConsents,
    "retention": AsyncRetention,
    "audit": AsyncAudit,
    "agents": AsyncAgents,
    "backups": AsyncBackups,
}
