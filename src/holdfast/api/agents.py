"""Sessions of coding agents: the operations of `Memory.agents`."""

from __future__ import annotations

from collections.abc import Collection

from holdfast.api.operation import Area, Parameter, operation
from holdfast.core.arguments import FOLDERS_MAX, checked_names
from holdfast.core.errors import InvalidInput
from holdfast.features.access.access import Need
from holdfast.features.agents import events
from holdfast.features.context.packing import Context

_PARAMS = {
    "event": Parameter(
        about="start, prompt, file (read or changed), failure (of a command), or compact.", example="prompt"
    ),
    "folder": Parameter(
        about="The folder that the agent works in, as the service knows it; then the same one in the other "
        "working trees of its repository."
    ),
    "prompt": Parameter(about="The prompt; of a failure, the command and what it said."),
    "files": Parameter(about="The files that were read or changed."),
}


class Agents(Area):
    """Sessions of coding agents, whose clients report events and receive what helps."""

    @operation("POST /agents/events", Need.WRITE, command="hook", params=_PARAMS, errors=(409,))
    def event(
        self,
        event: str,
        *,
        session: str | None = None,
        project: str | None = None,
        folder: Collection[str] | str | None = None,
        branch: str | None = None,
        prompt: str | None = None,
        files: Collection[str] = (),
        budget: int = events.BUDGET,
    ) -> Context:
        """Returns what an agent gets at an event in its session, as text for a prompt: at the start what
        is going on in the project, at a prompt what answers it and nothing else, at a file its traps, at
        a failure what is known about it. A session gets nothing twice, unless it was compacted.

        `project` is the one that the first `folder` with one is connected to if it is not named; an agent in
        no project is given preferences about work. `files` are relative to the project. Raises InvalidInput,
        Conflict.
        """
        if project is None and folder is not None:
            from holdfast.features.files.paths import project_of_first

            if len(checked_names(folder, "folder")) > FOLDERS_MAX:
                raise InvalidInput(
                    f"at most {FOLDERS_MAX} folders in one event", code="argument_invalid",
                    hint="the folder that the agent works in comes first",
                )  # fmt: skip
            folders = [folder] if isinstance(folder, str) else list(folder)  # the first one counts
            project = project_of_first(self._service, folders)
        return events.respond(
            self._service, event, project=project, session=session, branch=branch, prompt=prompt,
            files=files, budget=budget,
        )  # fmt: skip
