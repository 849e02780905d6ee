"""`Memory`, the main class of the public API: each method is one operation, on a store or on a service."""

from __future__ import annotations

import os
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, Unpack

from holdfast import config
from holdfast.api.areas import Areas
from holdfast.api.operation import Area, Backend, Local, operation
from holdfast.api.places import Whereabouts
from holdfast.core.errors import InvalidInput
from holdfast.features.access.access import Need
from holdfast.features.access.places import Selection
from holdfast.features.memories import browse
from holdfast.features.recall import recall as recalling
from holdfast.features.service import Service
from holdfast.stores.base.clock import wall_clock

# What writes is imported by the methods that write: a recall on every prompt should not pay for it.
if TYPE_CHECKING:
    from holdfast.core.claims import About
    from holdfast.core.facets import Facets
    from holdfast.core.facts import Answer
    from holdfast.core.hits import Citation, Hits
    from holdfast.core.insights import Insights
    from holdfast.core.jobs import Job
    from holdfast.core.kinds import Kind
    from holdfast.core.metrics import Metric
    from holdfast.core.reconciled import Reconciled
    from holdfast.core.record import Change, Kept
    from holdfast.core.record import Memory as Record
    from holdfast.core.review import Decision, Deleted, Relations
    from holdfast.core.scanning import Scanned
    from holdfast.core.times import When
    from holdfast.core.usage_results import Delivered, Stats
    from holdfast.features.context.packing import Context
    from holdfast.features.extraction.candidates import Extraction
    from holdfast.features.learning.rules.log import Learned
    from holdfast.features.maintenance.doctor import Report
    from holdfast.stores.base.ports import Clock, Embedder, Page


def _remote(settings: config.Settings, timeout: float) -> Backend:
    """Returns the backend for the service that the settings name."""
    from holdfast.api.credentials import api_key_of
    from holdfast.api.remote import Remote
    from holdfast.api.transport import Transport

    return Remote(Transport(settings.store, api_key_of(settings), timeout, agent=settings.agent))


def _with_log(params: dict[str, Any]) -> dict[str, Any]:
    """Reads the log if it is a file on this machine, which the service cannot read."""
    log = params["log"]
    if not isinstance(log, os.PathLike):
        return params
    from holdfast.features.transfer.formats.worklog import events_of, read

    return {**params, "log": events_of(read(log))}


def _in_default_session(params: dict[str, Any]) -> dict[str, Any]:
    """Adds the session that messages without one belong to."""
    from holdfast.features.sessions.conversations import default_session

    named = default_session(params.get("session"), params.get("project"), params.get("workspace"))
    return {**params, "session": named}


class Memory(Areas):
    """An opened memory: `Memory("notes.db")`, `Memory("postgresql://…")`, or a service,
    `Memory("https://…")`.

    `path` names the store (default: the system user's own, or HOLDFAST_STORE). For a store, `user` is the
    acting user, `agent` the label of an agent that acts for that user, and `key_file` the file with the key
    of an encrypted store. For a service, `api_key` is an API key or a token of its identity provider
    (default: HOLDFAST_API_KEY), which determines the user; `timeout` is in seconds. Use it as a context
    manager, or call `close`. Thread-safe; several processes may open the same store.

    Raises InvalidInput for settings that cannot be used, StoreError if the store cannot be opened.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        user: str | None = None,
        agent: str | None = None,
        key_file: str | os.PathLike[str] | None = None,
        api_key: str | None = None,
        timeout: float = 30.0,
        embedder: Embedder | None = None,
        clock: Clock = wall_clock,
    ) -> None:
        settings = config.load(store=path, user=user, agent=agent, key_file=key_file, api_key=api_key)
        if config.is_service(settings.store):
            if user is not None:
                from holdfast.api.remote import user_from_credential

                raise user_from_credential()
            if embedder is not None:
                raise InvalidInput(
                    "a service has its own embedder", code="argument_invalid", hint="leave out embedder"
                )
            super().__init__(_remote(settings, timeout))
            return
        from holdfast.bootstrap import open_service

        super().__init__(Local(open_service(settings, embedder=embedder, clock=clock)))
        if self.lost:
            warnings.warn(f"{self.lost}; answers may lack what was kept", RuntimeWarning, stacklevel=2)

    @classmethod
    def over(cls, service: Service) -> Self:
        """Returns a memory over a service of this process that was created elsewhere."""
        return cls.on(Local(service))

    @classmethod
    def on(cls, backend: Backend) -> Self:
        """Returns a memory over a backend."""
        memory = cls.__new__(cls)
        Area.__init__(memory, backend)
        return memory

    def as_user(self, user: str, *, agent: str | None = None) -> Self:
        """Returns a memory that acts as another user of the same store, or as an agent for that user.

        It shares store, embedder and caches with this one, so that one process can serve any number of
        users; closing it leaves the store open. Nothing else is shared: each user has the isolation of a
        memory that was opened with `user`. Raises InvalidInput for a name that cannot be used, and
        `argument_invalid` for a service, which knows who acts from the API key.
        """
        return self.on(self._backend.as_user(user, agent))

    def with_consent(self) -> Self:
        """Returns a memory with which an agent does what its user was asked about and has agreed to: it may
        also forget, change and move what a person wrote, unless they pinned or edited it. Closing it leaves
        the store open. Of a service it acts for the user of the API key in person, and an agent's key permits
        no more than without it.
        """
        return self.on(self._backend.with_consent())

    @property
    def is_remote(self) -> bool:
        """Returns whether a service runs the operations, rather than this process."""
        return not isinstance(self._backend, Local)

    @property
    def path(self) -> str:
        """Returns the path or address of the store, or the address of the service."""
        return self._backend.location

    @property
    def lost(self) -> str | None:
        """Returns what acknowledged history is missing from the store, so that its answers may lack what was
        kept; None if it is whole. Of a service, as of its last response.
        """
        return self._backend.lost

    def is_available(self, *, timeout: float = 1.0) -> bool:
        """Returns whether the store can be read, or the service answers within `timeout` seconds that it can.
        It asks once, raises nothing and needs no credential, so that a program can go on without memory.
        """
        return self._backend.is_available(timeout)

    def __enter__(self) -> Memory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Writes pending data and closes the store or the connections. May be called more than once."""
        self._backend.close()

    # writing

    @operation(
        "POST /memories",
        Need.WRITE,
        command="remember",
        tools=("remember", "record_gotcha"),
        keeps=True,
        errors=(404,),
    )
    def remember(
        self,
        text: str,
        *,
        kind: str = "note",
        title: str | None = None,
        summary: str | None = None,
        project: str | None = None,
        session: str | None = None,
        workspace: str | None = None,
        scope: str | tuple[str, str | None] | None = None,
        branch: str | None = None,
        visibility: str | None = None,
        external_id: str | None = None,
        role: str | None = None,
        name: str | None = None,
        origin: str | None = None,
        confidence: float | None = None,
        status: str | None = None,
        tags: Sequence[str] = (),
        metadata: Mapping[str, Any] | None = None,
        evidence: Mapping[str, Any] | None = None,
        at: When | None = None,
        valid_from: When | None = None,
        valid_until: When | None = None,
        expires_at: When | None = None,
        supersedes: str | None = None,
        source: str | None = None,
        if_absent: bool = False,
    ) -> Kept:
        """Stores one text and returns its outcome; durable on return.

        A text that is not stored, because it is a duplicate or refused, is an outcome and no error: see
        `outcome` and `reason` of the result; its `memory` is the stored one, or None.

        - Content: its `kind` (how long it stays and how it ranks), a `title` and `summary`, `tags`,
          `metadata` of your own, `evidence` for what it claims, `confidence` from 0 to 1.
        - Place: a `project`, without which it is about the user and visible everywhere; a `session`; a
          `workspace`; a Git `branch`; a `scope`, that is the type and id of its subject, such as
          `("paper", "2301.1")`. `visibility` is private, team or project.
        - Author: for a message its `role` (user, assistant, ...) and the speaker's `name`; the `origin`
          (user, agent, tool, web, import, file), where knowledge from tools or the web waits for review;
          the id of its import, `source`.
        - Time: `at` is when it happened, `valid_from` to `valid_until` when it holds, `expires_at` when it
          expires (or "never").
        - Versions: the same `external_id` again makes a new version of the same memory, or with
          `if_absent` raises Conflict; `supersedes` is the id of the memory that it replaces; with `status`
          "pending" it waits for review.

        Raises InvalidInput, Conflict; NotFound for a `source` or a superseded memory that does not exist.
        """
        from holdfast.core.arguments import checked_flag
        from holdfast.features.admission.draft import Draft
        from holdfast.features.memories.remember import remember

        return remember(
            self._service,
            Draft(
                text=text, kind=kind, title=title, summary=summary, project=project, session=session,
                workspace=workspace, scope=scope, branch=branch, visibility=visibility,
                external_id=external_id, role=role, name=name, origin=origin, confidence=confidence,
                status=status, tags=tags, metadata=metadata, evidence=evidence, at=at,
                valid_from=valid_from, valid_until=valid_until, expires_at=expires_at,
                supersedes=supersedes, source=source, if_absent=checked_flag(if_absent, "if_absent"),
            ),
        )  # fmt: skip

    @operation(
        "POST /exclusions", Need.WRITE, command="never", why="a person decides", keeps=True, errors=(404,)
    )
    def never(self, text: str | None = None, *, id: str | None = None) -> Kept:
        """Keeps a rule that nothing like a `text`, or like the memory with an `id`, is remembered from now
        on.

        `text` is an example in a sentence or a few words ("my salary"), or a group of `about` such as
        "health". Like an example of who one is, one's home, work, health or diet is every statement about
        the same, whatever its value; like any other are statements with its words. What is kept, imported or
        extracted later is stored without such sentences, or refused with the code `excluded`; passages and
        descriptions of files are not concerned, and what is stored already stays. The rule is a memory of
        the kind `exclusion`: `list(kinds="exclusion")` shows all, `forget` lifts one. What an agent asks for
        waits for review. Raises InvalidInput, NotFound.
        """
        from holdfast.features.memories.never import never
        from holdfast.features.review.in_force import in_force

        return in_force(self._service, never(self._service, text, id))

    @operation("POST /memories/batch", Need.WRITE, command="remember", key="results")
    def remember_many(self, items: Sequence[str | Mapping[str, Any]]) -> list[Kept]:
        """Stores many texts in one transaction and returns one outcome each, in order. An item is a text or
        the arguments of `remember`. An invalid item is refused and does not stop the others.
        """
        from holdfast.features.memories.batch import remember_items

        return remember_items(self._service, items)

    @operation(
        "POST /sessions/{session}/messages",
        Need.WRITE,
        why="for programs",
        key="results",
        tail=True,
        tag="sessions",
        prepare=_in_default_session,
    )
    def add_messages(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        session: str | None = None,
        project: str | None = None,
        visibility: str | None = None,
        workspace: str | None = None,
        source: str | None = None,
        extract: bool = False,
        insights: str | tuple[str, str | None] | None = None,
    ) -> list[Kept]:
        """Stores messages of a conversation: objects with role, content and optionally name, at, id,
        metadata, position. Messages with the same `id` are stored once; another text with it replaces the
        first. Calls and results of tools may be in messages, in the forms of OpenAI and Anthropic; results
        are never taken for said by the user. With `extract`, statements of the user about themselves are
        stored as well (see `extract`). With `insights`, the scope of the file that the conversation is about
        or `global`, a worker then gathers what it found out (see `insights`).

        Unlike `remember`, a message that cannot be stored raises no error: its outcome, at its index in the
        result, is `refused`, with `code` and `reason`. A chat loop has to check it.
        """
        options: dict[str, Any] = {
            "session": session, "project": project, "visibility": visibility, "workspace": workspace,
            "source": source, "extract": extract,
        }  # fmt: skip
        if insights is not None:
            from holdfast.features.insights.queueing import add_messages

            return add_messages(self._service, messages, scope=insights, **options)
        from holdfast.features.sessions import conversations

        return conversations.add_messages(self._service, messages, **options)  # fmt: skip

    @operation("POST /extract", Need.WRITE, command="extract", errors=(404,), tag="sessions")
    def extract(
        self,
        *,
        session: str | None = None,
        source: str | None = None,
        text: str | None = None,
        project: str | None = None,
        workspace: str | None = None,
        redact: bool = True,
        dry_run: bool = False,
    ) -> Extraction:
        """Extracts candidate memories from user messages of a session or an import, or from a text, by
        rules for English and Chinese. Each message is processed once. Memories that a person pinned or
        edited stay.

        Candidates that are uncertain, contain personal data or follow a web search wait for review, as do
        all candidates from a `text`, for which `project` and `workspace` name the target. With `redact`
        e-mail addresses and telephone numbers are left out; with `dry_run` nothing is stored. Raises
        InvalidInput, NotFound.
        """
        from holdfast.features.extraction import extract

        return extract.extract(
            self._service, session=session, source=source, text=text, project=project, workspace=workspace,
            redact=redact, dry_run=dry_run,
        )  # fmt: skip

    @operation("POST /insights", Need.WRITE, command="insights", errors=(404, 409), tag="sessions")
    def insights(
        self,
        session: str,
        *,
        scope: str | tuple[str, str | None] | None = None,
        visibility: str | None = None,
        dry_run: bool = False,
    ) -> Insights:
        """Gathers what was found out, decided or corrected in a conversation, by rules for English: one
        memory for each topic of a place, which later conversations add to.

        They are private unless `visibility` shares them, and of the `scope` of the file that the conversation
        is about, but for what is said of all files. What only the assistant said, or would change what a
        person pinned or edited, waits for review. With `dry_run` nothing is stored. Raises InvalidInput,
        NotFound, Conflict.
        """
        from holdfast.features.insights.gather import gather

        return gather(self._service, session, scope=scope, visibility=visibility, dry_run=dry_run)

    @operation(
        "POST /insights/queue", Need.JOBS, command="insights", status=202, errors=(404, 409), tag="sessions"
    )
    def queue_insights(
        self,
        session: str,
        *,
        scope: str | tuple[str, str | None] | None = None,
        visibility: str | None = None,
        model: bool = False,
    ) -> Job:
        """Leaves gathering the insights of a conversation to a worker: a call for after each prompt, which
        costs nothing if there is nothing new.

        With `model`, the first language model proposes insights as well: each quotes a clause of one of the
        latest 20 messages, what its quotation does not say is refused, and the rest waits for review. Raises
        InvalidInput, NotFound, Conflict `model_not_accepted`.
        """
        from holdfast.features.insights.queueing import queue

        return queue(self._service, session, scope=scope, visibility=visibility, model=model)

    @operation("POST /learn", Need.WRITE, command="learn", prepare=_with_log)
    def learn(
        self,
        log: str | os.PathLike[str] | Sequence[Mapping[str, Any]],
        *,
        project: str,
        session_type: str = "build",
        failed: bool = False,
        resume: bool = False,
        dry_run: bool = False,
    ) -> Learned:
        """Extracts lessons of a working session from its log, without a model, and a summary of three to five
        lines. The setting `learning_trust` says which lessons wait for review.

        `log` is a `Path`, the text of a log (a string is never taken for a path) or its entries: JSON Lines
        of events, or a transcript of Claude Code, Codex, Gemini or Copilot CLI. `session_type` limits the
        kinds that are stored; of a session that `failed`, only dead ends are. With `resume` only what a file
        has gained since it was last learned from is read, at most 2 MiB; `more` says that there is more. The
        same log again adds nothing; with `dry_run` nothing is stored. Raises InvalidInput.
        """
        from holdfast.core.arguments import checked_flag
        from holdfast.features.learning import learn, positions
        from holdfast.features.transfer.formats import worklog

        if checked_flag(resume, "resume") and isinstance(log, os.PathLike):
            entries = worklog.read_new(Path(log), partial(positions.offset_of, self._service))
        else:
            entries = worklog.read(log)
        return learn.learn(
            self._service, entries, project=project, session_type=session_type, failed=failed,
            dry_run=dry_run,
        )  # fmt: skip

    @operation("POST /learn/positions", Need.READ, why="for hooks of agents", key="positions")
    def log_positions(self, keys: Collection[str]) -> Mapping[str, int]:
        """Returns how far logs were learned from, in bytes, by their keys; 0 for one that was not.

        The key of a log is a digest of its path and beginning, as events of a log name it that `learn` is
        given (`position` of the event `session`). Raises InvalidInput.
        """
        from holdfast.features.learning import positions

        return positions.offsets_of(self._service, keys)

    @operation(
        "POST /sessions/{session}/episodes",
        Need.WRITE,
        why="for programs",
        keeps=True,
        tail=True,
        tag="sessions",
    )
    def add_episode(
        self,
        user_message: str,
        ai_response: str,
        *,
        session: str,
        project: str | None = None,
        external_id: str | None = None,
        at: When | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Kept:
        """Stores one exchange of a conversation as one memory."""
        from holdfast.features.sessions import conversations

        return conversations.add_episode(
            self._service, user_message, ai_response, session=session, project=project,
            external_id=external_id, at=at, metadata=metadata,
        )  # fmt: skip

    @operation(
        "PATCH /memories/{id}",
        Need.WRITE,
        command="revise",
        headers={"if_version": "If-Match"},
        errors=(400, 412),
    )
    def revise(
        self,
        id: str,
        *,
        text: str | None = None,
        title: str | None = None,
        summary: str | None = None,
        kind: str | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        confidence: float | None = None,
        status: str | None = None,
        valid_from: When | None = None,
        valid_until: When | None = None,
        expires_at: When | None = None,
        external_id: str | None = None,
        if_version: int | None = None,
        **place: Unpack[Whereabouts],
    ) -> Kept:
        """Changes the given fields of a memory and leaves the others; the old text stays in the history.

        `title=""`, `summary=""`, `tags=()` and `metadata={}` clear a field; `valid_until="never"`,
        `expires_at="never"` and `valid_from="unstated"` clear a time. When a person rewrites a text that
        came from a tool or the web, its origin becomes "user"; otherwise the origin stays. By a new
        `external_id` the memory is found from now on. With `if_version`, changes the memory only if it is
        still at that version; otherwise raises Conflict.
        """
        from holdfast.features.memories import revise as revising
        from holdfast.features.memories.revision import Revision

        revision = Revision(
            text=text, title=title, summary=summary, kind=kind, tags=tags, metadata=metadata,
            confidence=confidence, status=status, valid_from=valid_from, valid_until=valid_until,
            expires_at=expires_at, if_version=if_version, external_id=external_id,
        )  # fmt: skip
        return revising.revise(self._service, id, revision, **place)

    @operation(
        "PUT /memories/{id}/pin", Need.WRITE, command="pin", query=("pinned",),
        headers={"if_version": "If-Match"}, errors=(400, 412),
    )  # fmt: skip
    def pin(self, id: str, pinned: bool = True, *, if_version: int | None = None) -> Record:
        """Pins or unpins a memory. A pinned memory never decays or expires, and only a person can supersede
        it. With `if_version`, only if it is still at that version; otherwise raises Conflict.
        """
        from holdfast.features.memories import revise as revising

        return revising.pin(self._service, id, pinned, if_version=if_version)

    @operation(
        "DELETE /memories/{id}", Need.WRITE, command="forget", tools=("forget",), status=204, erases="hard",
        headers={"if_version": "If-Match"}, errors=(400, 412),
    )  # fmt: skip
    def forget(
        self,
        id: str,
        *,
        hard: bool = False,
        reason: str | None = None,
        if_version: int | None = None,
        **place: Unpack[Whereabouts],
    ) -> None:
        """Forgets a memory; `restore` brings it back. With `hard` every byte is erased. With `if_version`,
        only if it is still at that version; otherwise raises Conflict.
        """
        from holdfast.core.arguments import checked_flag
        from holdfast.features.memories import forget

        if checked_flag(hard, "hard"):
            forget.erase(self._service, id, if_version=if_version, **place)
        else:
            forget.forget(self._service, id, reason=reason, if_version=if_version, **place)

    @operation(
        "POST /memories/{id}/redact", Need.WRITE, command="redact", status=204, erases=True, errors=(409,)
    )
    def redact(self, id: str, version: int, **place: Unpack[Whereabouts]) -> None:
        """Erases what one version of a memory said from its history, every byte of it: text, title, tags,
        metadata, words, vectors, facts. That there was this version, by whom and when, stays. The present
        version can be redacted once the memory is forgotten. Raises NotFound, Conflict `version_current`.
        """
        from holdfast.features.memories.redact import redact

        redact(self._service, id, version, **place)

    @operation("GET /scan", Need.READ, command="scan", tag="review")
    def scan(
        self, *, personal: bool = False, limit: int = 1_000, cursor: str | None = None
    ) -> Scanned:  # fmt: skip
        """Looks with today's rules at what you have stored: secrets, private blocks, and personal data that
        the settings describe; with `personal` also e-mail addresses, telephone and card numbers and the like.
        Returns a redaction to decide on for each memory that holds any, page by page, and changes nothing.
        Every version counts, with its title, tags, metadata and evidence, forgotten memories included. What
        was found is never shown.
        """
        from holdfast.features.review.scan import scan

        return scan(self._service, personal=personal, limit=limit, cursor=cursor)

    @operation("POST /scan", Need.JOBS, command="scan", status=202, tag="review", errors=(409,))
    def scan_queue(self, *, personal: bool = False, everyone: bool = False, dry_run: bool = False) -> Job:
        """Queues a scan of all that you have stored and returns the job. What it finds waits in the inbox, as
        proposals that `scan_decide` decides on; with `dry_run` it only counts. With `everyone`, for an owner
        or admin in person, it goes through the memories of the whole tenant: proposals wait in the inbox of
        whose memories they are, and the job shows counts only. Raises AccessDenied, Conflict `jobs_too_many`.
        """
        from holdfast.features.review.scan_job import queue

        return queue(self._service, personal=personal, everyone=everyone, dry_run=dry_run)

    @operation("POST /scan/decide", Need.REVIEW, command="scan", tag="review", key="results", erases=True)
    def scan_decide(
        self, accept: Collection[str] | str = (), refuse: Collection[str] | str = (), *,
        reopen: Collection[str] | str = (), personal: bool = False,
    ) -> Sequence[Decision]:  # fmt: skip
        """Decides on what a scan proposes, by the ids of memories: of those to `accept`, what was found is
        erased from every version, every byte of it, and the rest stays; those to `refuse` are not proposed
        again, and those to `reopen`, which were refused, wait again. Returns one result each. What a legal
        hold keeps is refused. Raises InvalidInput.
        """
        from holdfast.features.review.scan import decide

        return decide(self._service, accept, refuse, reopen=reopen, personal=personal)

    @operation("POST /delete-all", Need.IMPORTS, command="delete-all", erases=True)
    def delete_all(self, confirm: str = "", *, dry_run: bool = False, with_backups: bool = False) -> Deleted:
        """Erases everything that the user keeps: memories in every place, sessions, imports, folders. Counts
        it, and checks that nothing is found. `confirm` is the name of the user; `dry_run` only counts.
        Backups still hold it until they go, as the result and the certificate say; `with_backups`
        deletes all of them first, which owners and admins may.
        """
        from holdfast.features.review.delete_all import delete_all

        return delete_all(self._service, confirm, dry_run=dry_run, with_backups=with_backups)

    @operation("POST /memories/{id}/restore", Need.WRITE, command="restore")
    def restore(self, id: str, **place: Unpack[Whereabouts]) -> Record:
        """Restores a forgotten memory, or makes a superseded one current again; what replaced it stays as it
        is. Raises NotFound, Refusal, Conflict `not_deleted`, `restore_expired`, `duplicate_text`.
        """
        from holdfast.features.memories import forget

        return forget.restore(self._service, id, **place)

    def reconcile(
        self,
        source: str | os.PathLike[str],
        payload: Mapping[str, Any] | None = None,
        *,
        project: str | None = None,
        visibility: str | None = None,
        members: Collection[str] | None = None,
        sequence: int | None = None,
        dry_run: bool = False,
    ) -> Reconciled:
        """Describes what a file, folder or database holds, and keeps the descriptions current: what is new
        is described, what has changed gets a new version, what is gone is removed.

        `source` is a path on this machine; or any name, with a `payload` that a program has read of it. What
        a person pinned or edited stays, and news waits beside it for review. Raises NotFound, InvalidInput,
        Refusal, Conflict.
        """
        place: dict[str, Any] = {"project": project, "visibility": visibility, "members": members}
        if payload is None:
            return self.described.scan(source, **place, dry_run=dry_run)
        return self.described.apply(str(source), payload, **place, sequence=sequence, dry_run=dry_run)

    # reading

    @operation("POST /recall", Need.READ, command="recall", tools=("recall",))
    def recall(
        self,
        query: str,
        *,
        project: str | None = None,
        session: str | None = None,
        workspace: str | None = None,
        strict_workspace: bool = False,
        scope: str | tuple[str, str | None] | None = None,
        visibility: Collection[str] | str | None = None,
        branch: str | None = None,
        kinds: Collection[str] | str | None = None,
        tags: Collection[str] | str | None = None,
        metadata: Mapping[str, Any] | str | None = None,
        since: When | None = None,
        until: When | None = None,
        as_of: When | None = None,
        limit: int = 10,
        mode: str = "hybrid",
        threshold: float = 0.0,
        exclude: Collection[str] = (),
        exclude_sessions: Collection[str] | str = (),
        sources: Collection[str] | str | None = None,
        scopes: Collection[str] | str = (),
        boost: Mapping[str, float] | None = None,
        mmr: float = 1.0,
        repeat: bool = True,
        flagged: bool = True,
        min_confidence: float = 0.0,
        origins: Collection[str] | str | None = None,
        owner: str | None = None,
        status: Collection[str] | str | None = None,
        near: int = 0,
        around: int = 0,
        personal: bool = True,
        disputes: bool = False,
        path: Collection[str] | str | None = None,
        language: Collection[str] | str | None = None,
        code_only: bool = False,
        folder: str | None = None,
        record: bool = True,
    ) -> Hits:
        """Returns the memories that match a query best, best first, each with an explanation of its score.

        With a `session`, recalls as that conversation does: from its project, or if it has none from the
        shared pool of sessions without a project; with neither, from the user's shared pool and user-wide
        memories. Project `"*"` searches every project that the user may read, and workspace `"*"` every
        workspace; neither lifts any other restriction. `as_of` returns memories that were valid at that
        time. `exclude_sessions` leaves out conversations of the user, such as the one that asks; `sources`
        narrows to what came from some imports or folders, by their ids. `scopes` unites scopes: a memory has
        one of `["file:a.py", "team", "global"]`, where `global` means those without a scope. `boost`
        multiplies the scores of scope types, as in `{"file": 1.5}`. `mmr` below 1 prefers diversity over
        relevance (maximal marginal relevance); of repetitions one is given, last. With `repeat=False`,
        memories that were delivered to the `session` before, for instance by `context`, are left out; with
        `flagged=False`, for a prompt, texts that read like instructions to a model. `min_confidence` leaves
        out hits that hardly answer: 0.6 suits prompts of agents. `near` adds what was found and just missed,
        each with the reason; `around` adds to each hit so many messages of its conversation on both sides.
        With `personal=False`, notes from outside of projects are left out, except preferences about work.
        With `disputes`, each hit names what contradicts it, which takes several times as long. With
        `record=False`, for somebody who only looks, hits do not count as used.

        `path`, `language` and `code_only` select passages of indexed files and nothing else: of files with
        one of these paths, below one of these folders or that a pattern as in .gitignore matches, such as
        `src/auth` or `src/**/*.py`; in one of these languages, such as `python`; and source code, no prose,
        data or configuration. What several folders have at the same path, as checkouts of a repository do, is
        given once where it is the same; with the id of a `folder`, such as the one that somebody works in,
        from that one, which also goes before what others have at that path.
        """
        from holdfast.core.arguments import checked_flag

        where = Selection(
            project, session, workspace, strict_workspace=strict_workspace, scope=scope,
            visibility=visibility, branch=branch, kinds=kinds, tags=tags, since=since, until=until,
            as_of=as_of, metadata=metadata, exclude_sessions=exclude_sessions, sources=sources,
            origins=origins, owner=owner, status=status, scopes=scopes, personal=personal, path=path,
            language=language, code_only=code_only,
        )  # fmt: skip
        hits = recalling.recall(
            self._service, query, where, limit=limit, mode=mode, threshold=threshold, exclude=exclude,
            boost=boost, mmr=mmr, repeat=repeat, flagged=flagged, min_confidence=min_confidence,
            near=near, around=around, folder=folder, record=record,
        )  # fmt: skip
        if not checked_flag(disputes, "disputes"):
            return hits
        from holdfast.features.beliefs.disputes import with_disputes

        return with_disputes(self._service, hits, where, flagged=flagged)

    @operation("POST /recall/scopes", Need.READ, command="recall", why="an agent searches one", key="scopes")
    def recall_scopes(
        self,
        query: str,
        scopes: Collection[str],
        *,
        project: str | None = None,
        session: str | None = None,
        workspace: str | None = None,
        kinds: Collection[str] | str | None = None,
        limit: int = 4,
        min_confidence: float = 0.0,
    ) -> Mapping[str, Hits]:
        """Searches several scopes at once and returns the hits in each, at most `limit`, by the scope: what
        is in one neither ranks nor crowds out what is in another. A scope that holds nothing has no hits.
        Raises InvalidInput.
        """
        where = Selection(project, session, workspace, kinds=kinds)
        return recalling.recall_scopes(
            self._service, query, where, scopes, limit=limit, min_confidence=min_confidence
        )

    @operation("POST /ask", Need.READ, command="ask", tools=("ask",), tag="facts")
    def ask(
        self,
        text: str,
        *,
        project: str | None = None,
        session: str | None = None,
        workspace: str | None = None,
        limit: int = 10,
        personal: bool = True,
    ) -> Answer:
        """Answers a question: about ranks, lists and counts ("my second favorite color?") from facts, about
        the user ("where do I live?") from what `about` shows, all others by recall. No model is used. If no
        fact is stored, the answer says so.

        With a `session`, the facts of this conversation answer; without one, those of the whole project, and
        what is known of the user, without a place, from everywhere. With `personal=False`, notes from outside
        of projects are left out, except preferences about work.
        """
        from holdfast.features.beliefs.answers import ask
        from holdfast.features.beliefs.disputes import with_disputes

        selection = Selection(project, session, workspace, personal=personal)
        answer = ask(self._service, text, selection, limit=limit)
        if answer.used_facts:  # lists say themselves what holds
            return answer
        return replace(answer, hits=with_disputes(self._service, answer.hits, selection, flagged=False))

    @operation("GET /about", Need.READ, command="about", tools=("about",), tag="facts", errors=(404, 409))
    def about(
        self,
        name: str | None = None,
        *,
        project: str | None = None,
        session: str | None = None,
        workspace: str | None = None,
        as_of: When | None = None,
        personal: bool = True,
    ) -> About:
        """Returns what is believed of the user, or of the person, place or thing with a `name`: grouped, each
        belief with who said it and when, how sure it is, what it replaced and what contradicts it. No model
        is used. `as_of` returns what was believed at that time. Without a project, session or workspace it
        covers every place of the user; with `personal=False` it covers projects and preferences about work.
        Raises NotFound `entity_not_found`.
        """
        from holdfast.features.beliefs.about import about

        where = Selection(project, session, workspace, as_of=as_of)
        return about(self._service, name, where, personal=personal)

    @operation(
        "POST /about/correct", Need.WRITE, command="correct", tag="facts", keeps=True, errors=(404, 409)
    )
    def correct(
        self,
        id: str,
        text: str,
        *,
        was: str | None = None,
        name: str | None = None,
        project: str | None = None,
        session: str | None = None,
        workspace: str | None = None,
    ) -> Kept:
        """Says what is true in the place of a belief that rests on the memory `id`; `was` is the belief as
        `about` words it, needed if the memory says several things, and `name` that of whom or what it is
        about, if not of the user. A message that said otherwise stays as evidence, and `about` shows it as
        what was believed before. `text` may be in the words of `about` ("Lives in Braga") or in one's own.
        Raises NotFound, InvalidInput, Refusal; Conflict `changed_meanwhile` if it is no longer believed.
        """
        from holdfast.features.beliefs.correct import correct

        where = Selection(project, session, workspace)
        return correct(self._service, id, text, where, was=was, name=name)

    @operation(
        "POST /about/dismiss", Need.WRITE, command="dismiss", why="a person decides", tag="facts", keeps=True,
        errors=(404, 409),
    )  # fmt: skip
    def dismiss(
        self,
        id: str,
        *,
        was: str | None = None,
        name: str | None = None,
        project: str | None = None,
        session: str | None = None,
        workspace: str | None = None,
    ) -> Kept:
        """Says that a belief read from the memory `id` is not true; `was` is the belief as `about` words it,
        needed if the memory says several things, and `name` that of whom or what it is about (None: you).
        The memory stays, and all else that it says; `forget` forgets all of it. The belief comes back
        neither when the memory is read or imported again, nor when another one says the same.

        It is kept as a memory of the kind `exclusion`, and forgetting that undoes it. What an agent asks for
        waits for review. Raises NotFound, Refusal; InvalidInput for a memory that is the statement itself;
        Conflict `changed_meanwhile` if it is no longer believed.
        """
        from holdfast.features.beliefs.dismiss import dismiss
        from holdfast.features.review.in_force import in_force

        where = Selection(project, session, workspace)
        return in_force(self._service, dismiss(self._service, id, where, was=was, name=name))

    @operation(
        "POST /answer", Need.WRITE, command="ask", why="an agent is a model itself: it has ask and recall",
        stream="application/x-ndjson", errors=(404, 409), tag="facts",
    )  # fmt: skip
    def answer(
        self,
        text: str,
        *,
        project: str | None = None,
        session: str | None = None,
        workspace: str | None = None,
        limit: int = 10,
        personal: bool = True,
        model: str | None = None,
    ) -> Iterator[str]:
        """Answers a question in words, by a language model that is shown what `ask` finds.

        Yields lines of JSON as they arrive: `{"text": …}` for each piece of the answer, and at the end the
        `citations` in it with the ids of their memories, or an `error` that came in between. What facts
        answer, and what nothing is remembered about, is not sent to the model. Without `model` the first one
        is used; `personal` is that of `ask`.
        Raises NotFound `model_not_found`, Conflict `model_not_accepted` and `model_budget`.
        """
        from holdfast.features.models.answer import answer

        selection = Selection(project, session, workspace, personal=personal)
        return answer(self._service, text, selection, limit=limit, model=model)

    @operation("POST /context", Need.READ, command="context", tools=("context",), errors=(409,))
    def context(
        self,
        task: str | None = None,
        *,
        files: Collection[str] = (),
        project: str | None = None,
        session: str | None = None,
        workspace: str | None = None,
        branch: str | None = None,
        metadata: Mapping[str, Any] | str | None = None,
        scopes: Collection[str] | str = (),
        boost: Mapping[str, float] | None = None,
        role: str = "coder",
        budget: int = 1_800,
        repeat: bool | None = None,
        min_confidence: float | None = None,
        limit: int | None = None,
        window: int | None = None,
        parts: Mapping[str, int] | None = None,
        personal: bool = True,
        record: bool = True,
    ) -> Context:
        """Returns the context that an agent needs for a task, packed into `budget` tokens as text for a
        prompt: the modules that the task concerns, the rules of the project, and lessons about these
        modules and similar tasks.

        Without a task, what is known about `files`, whose paths are relative to the project; without these,
        what is going on in the project: open work, decisions, conventions, and what is pinned. With
        `min_confidence`, only what answers the task at least so surely: 0.6 suits prompts that may be about
        anything. `role` is coder, planner, qa or chat; `limit` is the most memories. With a `branch`,
        memories of other branches except main are left out, with `metadata` those without it, with `scopes`
        those of other scopes; `boost` multiplies the scores of what answers by type of scope, such as
        `{"file": 1.5, "team": 1.3}`; with `personal=False` it leaves out notes from outside of projects,
        except preferences about work. Memories that were delivered to the `session` before are left out
        unless `repeat` is set; the delivery is recorded, but not with `record=False`, to see what an agent
        would get.

        The role `chat` is for a conversation, `task` its latest message: the instructions of the project, who
        the user is, lists, the people and things that the message names, what answers it with the turns
        around, each with its source, and rules for citations. The session's latest messages (`window`, 20 by
        default) are taken to be in the caller's prompt already and are not repeated; those before them are
        included. `parts` gives parts (instructions, about, facts, entities, summary, memories, recent)
        budgets of their own in tokens, 0 for none; a conversation repeats what it was given unless
        `repeat` is False. `limit` (8 by default) and `min_confidence` (0.35 by default) are those of the
        memories that answer: the other parts are there whether anything answers or not. Raises InvalidInput,
        Conflict.
        """
        from holdfast.features.context import context

        where = Selection(project, session, workspace, branch=branch, metadata=metadata, scopes=scopes)
        return context.context(
            self._service, task, where, role=role, budget=budget, repeat=repeat, files=files, boost=boost,
            min_confidence=min_confidence, limit=limit, window=window, parts=parts, personal=personal,
            record=record,
        )  # fmt: skip

    @operation("GET /stats/usage", Need.READ, command="stats", errors=(409,))
    def stats(
        self, *, project: str | None = None, session: str | None = None, measure: bool = False
    ) -> Stats:
        """Returns statistics on recall and delivered context for a session, a project, or everything that
        the caller may read. With `measure`, also the duration of an embedding, a search and a durable write
        on this machine.
        """
        from holdfast.features.context import usage as stats

        return stats.stats(self._service, project, session, measure=measure)

    @operation("GET /memories/{id}", Need.READ, command="show", tools=("get_memory",))
    def get(self, id: str, **place: Unpack[Whereabouts]) -> Record:
        """Returns the memory with this id, or with this external id in a place, in any status, unless it was
        forgotten. Raises NotFound, InvalidInput `id_ambiguous`.
        """
        return browse.get(self._service, id, **place)

    @operation("GET /memories/{id}/id", Need.READ, why="commands complete ids themselves", key="id")
    def resolve_id(self, id: str, **place: Unpack[Whereabouts]) -> str:
        """Returns the whole id of the memory, forgotten or not, that a short id or an external id names;
        what names none is returned as it is. Raises InvalidInput `id_ambiguous`."""
        return browse.id_of(self._service, id, **place)

    @operation("GET /memories", Need.READ, command="list", tools=("list_memories",), errors=(404, 409))
    def list(
        self,
        *,
        project: str | None = None,
        session: str | None = None,
        workspace: str | None = None,
        strict_workspace: bool = False,
        scope: str | tuple[str, str | None] | None = None,
        visibility: Collection[str] | str | None = None,
        branch: str | None = None,
        kinds: Collection[str] | str | None = None,
        tags: Collection[str] | str | None = None,
        metadata: Mapping[str, Any] | str | None = None,
        since: When | None = None,
        until: When | None = None,
        as_of: When | None = None,
        include: Collection[str] | str = (),
        pinned: bool | None = None,
        scopes: Collection[str] | str = (),
        stale: bool = False,
        origins: Collection[str] | str | None = None,
        owner: str | None = None,
        status: Collection[str] | str | None = None,
        limit: int = 50,
        cursor: str | None = None,
        personal: bool = True,
    ) -> Page:
        """Returns memories of a place, or of what was said in a `session`, last stored first, without rules
        of what is never to be remembered unless `kinds` names "exclusion". `include` adds "pending",
        "rejected", "superseded", "expired" or "deleted" ones; any of these also includes expired ones.
        `status` returns only those with one of some statuses. `as_of` returns what held at that time
        instead, earlier versions and superseded memories included. `stale` returns only memories whose file
        has changed since. With `personal=False`, notes from outside of projects are left out, except
        preferences about work.
        """
        where = Selection(
            project, session, workspace, strict_workspace=strict_workspace, scope=scope,
            visibility=visibility, branch=branch, kinds=kinds, tags=tags, since=since, until=until,
            as_of=as_of, include=include, pinned=pinned, metadata=metadata, origins=origins, owner=owner,
            status=status, scopes=scopes, personal=personal,
        )  # fmt: skip
        return browse.page(self._service, where, stale=stale, limit=limit, cursor=cursor)

    @operation("GET /kinds", Need.READ, command="kinds", key="kinds", tag="upkeep")
    def kinds(self) -> Sequence[Kind]:
        """Returns the kinds of memory with their policies."""
        from holdfast.core.kinds import KINDS

        return list(KINDS.values())

    @operation("GET /stats", Need.READ, why="`holdfast list` counts", key="memories", errors=(404, 409))
    def count(
        self,
        *,
        project: str | None = None,
        session: str | None = None,
        metadata: Mapping[str, Any] | str | None = None,
    ) -> int:
        """Returns the number of memories in a place."""
        return browse.count(self._service, Selection(project, session, metadata=metadata))

    @operation(
        "GET /stats/facets", Need.READ, why="the numbers beside filters, for programs", errors=(404, 409)
    )
    def facets(
        self,
        *,
        project: str | None = None,
        session: str | None = None,
        workspace: str | None = None,
        kinds: Collection[str] | str | None = None,
        since: When | None = None,
        until: When | None = None,
        include: Collection[str] | str = (),
        origins: Collection[str] | str | None = None,
        owner: str | None = None,
        status: Collection[str] | str | None = None,
    ) -> Facets:
        """Returns the numbers of memories in a place by kind, project, origin, owner and status. Filters
        narrow them as those of `list` do, but numbers by kind, origin and owner say what another choice of
        these would give.
        """
        where = Selection(
            project, session, workspace, kinds=kinds, since=since, until=until, include=include,
            origins=origins, owner=owner, status=status,
        )  # fmt: skip
        return browse.facets(self._service, where)

    @operation("GET /memories/{id}/related", Need.READ, why="`holdfast review wrong` shows them")
    def related(self, id: str) -> Relations:
        """Returns the memories that one rests on, and those that depend on it: what replaced it or was
        replaced by it, what speaks of it, rests on it or came from it. `evidence` of `{"depends_on": [ID]}`,
        `caused_by` or `related_to` states the kind of link. Raises NotFound.
        """
        from holdfast.features.review.review import relations

        return relations(self._service, id)

    @operation(
        "GET /memories/{id}/deliveries", Need.READ, why="for programs: who was given a memory",
        key="deliveries",
    )  # fmt: skip
    def deliveries(self, id: str) -> Sequence[Delivered]:
        """Returns to which working sessions of the user a memory was given, by whom it was asked for and
        when, the last first. Deliveries are kept for 90 days. Raises NotFound.
        """
        from holdfast.features.memories.deliveries import deliveries_of

        return deliveries_of(self._service, id)

    @operation("GET /contexts/{context}/citations", Need.READ, command="citations", key="citations")
    def citations(self, context: str) -> Sequence[Citation]:
        """Returns the memories that the citations of an earlier context stand for, by the context's `id`, as
        they are now. What is gone or out of sight is left out. Contexts are known for 90 days. Raises
        NotFound `context_not_found`.
        """
        from holdfast.features.context.citations import citations_of

        return citations_of(self._service, context)

    @operation("GET /memories/{id}/history", Need.READ, command="history", tools=("history",), key="changes")
    def history(self, id: str, *, deleted: bool = False, **place: Unpack[Whereabouts]) -> Sequence[Change]:
        """Returns every change of a memory, oldest first, with text and metadata of each version; with
        `deleted` also of one that was forgotten. Raises NotFound.
        """
        return browse.history(self._service, id, deleted=deleted, **place)

    # export

    @operation(
        "GET /export",
        Need.IMPORTS,
        command="export",
        changes=False,
        stream="application/x-ndjson",
        tag="imports",
        handler="transfer:export",
    )
    def export(
        self,
        *,
        format: str = "jsonl",
        user_data: bool = False,
        metadata: Mapping[str, Any] | str | None = None,
    ) -> Iterator[str]:
        """Exports everything that the user owns as lines of text, generated while they are read. `format`
        is `jsonl`, or `markdown` for people; `holdfast.api.importing.import_path` imports both. With
        `user_data` the audit events about the user are included. With `metadata` only memories that have it
        are exported, with the projects, sessions and sources that they name. Raises InvalidInput
        `format_unknown`.
        """
        from holdfast.features.transfer import exporting

        return exporting.lines(self._service, format=format, user_data=user_data, metadata=metadata)

    # maintenance

    @operation(
        "POST /maintain",
        Need.MANAGE,
        command="maintain",
        key=("made", "failed"),
        tag="upkeep",
        handler="upkeep:maintain",
    )
    def maintain(self) -> tuple[int, int]:
        """Computes missing vectors and writes the index of the store anew. Returns how many were computed and
        how many failed."""
        from holdfast.features.memories import embed

        computed = embed.repair(self._service)
        self._service.store.reindex()
        return computed

    @operation("GET /doctor", Need.MANAGE, command="doctor", changes=False, tag="upkeep")
    def doctor(self) -> Report:
        """Checks the store, its index and the audit chain."""
        from holdfast.features.maintenance import doctor

        return doctor.examine(self._service)

    @operation(
        "GET /metrics/quality",
        Need.MANAGE,
        command="quality",
        changes=False,
        key="metrics",
        tag="upkeep",
    )
    def quality(self, name: str | None = None, *, limit: int = 30) -> Sequence[Metric]:
        """Returns quality metrics that were recorded in the store, newest first, all or those with one
        name. Raises InvalidInput.
        """
        from holdfast.features.maintenance import metrics as acceptance

        return acceptance.list_metrics(self._service, name, limit=limit)

    @operation("POST /metrics/quality", Need.MANAGE, command="quality", tag="upkeep")
    def record_quality(
        self, name: str, value: float, *, sample_size: int, evaluator: str, at: When | None = None
    ) -> Metric:
        """Records a quality metric that was measured elsewhere, in an evaluation of one's own: a share from
        0 to 1 of `sample_size` cases. The same metric, evaluator and time again replaces it. Raises
        InvalidInput.
        """
        from holdfast.features.maintenance import metrics as acceptance

        return acceptance.record_metric(self._service, name, value, sample_size, evaluator, at)

    @operation("", Need.MANAGE, command="doctor", why="only beside the file that lost something")
    def accept_loss(self) -> None:
        """Accepts the loss of acknowledged events that a damaged store lacks, so that the store can be
        written again. Raises Refusal `person_needed` for an agent or a service.
        """
        from holdfast.features.maintenance import doctor

        doctor.accept_loss(self._service)
