"""The review inbox and feedback: the operations of `Memory.review`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypedDict, Unpack

from holdfast.api.operation import Area, operation
from holdfast.core.places import ANYWHERE
from holdfast.core.record import Memory
from holdfast.core.review import Cleared, Decision, Flagged, Inbox
from holdfast.core.tidying import Tidied
from holdfast.features.access.access import Need
from holdfast.features.access.places import Selection
from holdfast.features.access.rights import Rights, rights_on
from holdfast.features.projects import relocate
from holdfast.features.review import clear, review
from holdfast.features.review import confirm as confirming


class Target(TypedDict, total=False):
    """The target of a move; omitted fields stay unchanged, None clears."""

    project: str | None
    workspace: str | None
    scope: str | tuple[str, str | None] | None
    branch: str | None
    visibility: str


class Review(Area):
    """Memories that wait for a person, and decisions and feedback on memories.

    Only a person decides what is recalled. An agent may read, give feedback, and move and clear memories
    that no person pinned or edited.
    """

    @operation("GET /review", Need.READ, command="review list", errors=(409,))
    def inbox(
        self,
        *,
        project: str | None = None,
        session: str | None = None,
        workspace: str | None = None,
        scope: str | tuple[str, str | None] | None = None,
        kinds: Collection[str] | str | None = None,
        tags: Collection[str] | str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Inbox:
        """Returns memories that wait for review, oldest first, page by page, each with its reason. Without
        a project, session or workspace, returns those of every place. Owners and admins get requests of
        members to share memories first.
        """
        everywhere = project in (None, ANYWHERE) and session is workspace is None
        if everywhere:
            project = workspace = ANYWHERE
        where = Selection(project, session, workspace, scope=scope, kinds=kinds, tags=tags)
        return review.inbox(self._service, where, limit=limit, cursor=cursor)

    @operation("POST /review/tidy", Need.WRITE, command="review tidy")
    def tidy(self, *, dry_run: bool = True, older_than: int = 90, limit: int = 200) -> Tidied:
        """Merges your memories that say the same in one place, and puts away descriptions that nobody used
        of sources that were not reconciled for `older_than` days; by default it only returns what it would
        do. Every act names its evidence and what undoes it; what a person pinned or edited is left alone.
        """
        from holdfast.features.review.tidy import tidy

        return tidy(self._service, dry_run=dry_run, older_than=older_than, limit=limit)

    @operation(
        "POST /review/{id}/approve", Need.REVIEW, command="review approve",
        headers={"if_version": "If-Match"}, errors=(400, 412),
    )  # fmt: skip
    def approve(self, id: str, *, beside: bool = False, if_version: int | None = None) -> Decision:
        """Approves a pending, rejected or superseded memory, so that it is recalled. Memories that it
        contradicts are superseded, or with `beside` stay. If a member asked to share the memory, it is
        shared. With `if_version`, only if it is still at the version that was looked at: whoever wrote it,
        an agent too, may change it while it waits. Raises NotFound, Refusal, Conflict, InvalidInput.
        """
        return review.approve(self._service, id, beside=beside, if_version=if_version)

    @operation("POST /review/{id}/reject", Need.REVIEW, command="review reject")
    def reject(self, id: str, *, reason: str | None = None) -> Decision:
        """Rejects a memory: it keeps all versions and is not recalled; `approve` undoes it. If a member
        asked to share the memory, it stays private.
        """
        return review.reject(self._service, id, reason=reason)

    @operation("POST /review/{id}/edit", Need.REVIEW, command="review edit")
    def edit(
        self,
        id: str,
        *,
        text: str | None = None,
        title: str | None = None,
        summary: str | None = None,
        kind: str | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        beside: bool = False,
    ) -> Decision:
        """Changes a memory and approves it. The new text is redacted, hashed and embedded again; if it
        contains personal data, the memory stays pending.
        """
        return review.edit(
            self._service, id, text=text, title=title, summary=summary, kind=kind, tags=tags,
            metadata=metadata, beside=beside,
        )  # fmt: skip

    @operation("POST /review/decide", Need.REVIEW, command="review approve", key="results")
    def decide(self, decisions: Sequence[Mapping[str, Any]]) -> Sequence[Decision]:
        """Makes many review decisions and returns one result each, in order. A decision is an object with
        an `id`, a `decision` (approve, reject or edit) and the arguments of that method. One that fails
        does not stop the others.
        """
        return review.decide(self._service, decisions)

    @operation("POST /review/rights", Need.READ, why="for pages: which acts to offer", key="rights")
    def rights(self, ids: Collection[str] | str) -> Sequence[Rights]:
        """Returns for each of at most 1,000 memories whether the caller may change it and decide about it,
        and if not, the code of the refusal, with its title or the beginning of its text. Those that are not
        the caller's to see are left out; forgotten ones are included. Raises InvalidInput.
        """
        return rights_on(self._service, ids)

    @operation("POST /review/undo", Need.REVIEW, command="review undo", key="results")
    def undo(self, ids: Collection[str] | str) -> Sequence[Decision]:
        """Takes back what was decided about memories that waited, requests to share that were granted or
        declined, and news that became a version: everything is as it was before, and waits again. Returns
        one result each; one that was changed since is refused and does not stop the others.
        """
        from holdfast.features.review.undo import undo

        return undo(self._service, ids)

    @operation("POST /review/move", Need.WRITE, command="review move", key="results", patch=True)
    def move(self, ids: Collection[str] | str, **to: Unpack[Target]) -> Sequence[Decision]:
        """Moves memories to another `project`, `workspace`, `scope` or `branch`; None clears it. Returns
        one result each: a memory whose text is already stored at the target is refused, the others move.

        `visibility` ("private", "team" or "project") determines who sees them. Only an owner or admin in
        person extends it; for a member this is a request to do so, which "private" withdraws.
        """
        return relocate.move(self._service, ids, {**to})

    @operation("POST /review/{id}/separate", Need.WRITE, command="review separate")
    def separate(self, id: str) -> Decision:
        """Undoes the last merge into an insight of conversations: what came with it is an insight of its own
        again and stays so, and what it corrected holds again. Raises NotFound, Refusal, InvalidInput
        `nothing_to_change`.
        """
        from holdfast.features.insights.separate import separate

        return separate(self._service, id)

    @operation("POST /review/{id}/confirm", Need.WRITE, command="review confirm", tools=("confirm",))
    def confirm(self, id: str) -> Memory:
        """Confirms that a stale memory still holds for the present version of its file. Raises NotFound,
        Refusal; InvalidInput `nothing_to_change` if the memory is not about an indexed file.
        """
        return confirming.confirm(self._service, id)

    @operation("POST /review/{id}/feedback", Need.WRITE, command="review feedback")
    def feedback(self, id: str, verdict: str, *, note: str | None = None) -> Memory:
        """Records feedback on a delivered memory: `helpful` raises its confidence, `outdated` and `wrong`
        lower it. Knowledge whose confidence falls below the threshold for review becomes pending.
        """
        return review.feedback(self._service, id, verdict, note=note)

    @operation("POST /review/{id}/wrong", Need.WRITE, command="review wrong")
    def wrong(self, id: str, *, note: str | None = None) -> Flagged:
        """Marks a memory as wrong, so that it is not recalled, and returns the memories to check: those
        that superseded it, that it superseded, or that derive from it. `approve` brings it back.
        """
        return review.wrong(self._service, id, note=note)

    @operation("POST /review/clear", Need.WRITE, command="review clear", erases="hard")
    def clear(
        self,
        scope: tuple[str, str | None],
        *,
        project: str | None = None,
        workspace: str | None = None,
        hard: bool = False,
    ) -> Cleared:
        """Forgets, or with `hard` erases, all memories of the user in a scope, and checks by recall and
        list, in every mode, that none is left.
        """
        return clear.clear(self._service, scope, project=project, workspace=workspace, hard=hard)

    @operation("POST /review/{source}/revert", Need.IMPORTS, command="review revert", erases="hard")
    def revert(self, source: str, *, hard: bool = False) -> Cleared:
        """Reverts an import: removes everything that came from it, including knowledge, except what a
        person pinned or edited. Memories derived from it wait for review. Raises NotFound.
        """
        return clear.revert(self._service, source, hard=hard)
