"""Places of agents: the folder, checkout and project, and files as the project names them."""

from __future__ import annotations

import os.path
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdfast.api.checkout import is_home, project_at, same_places, trusted_at
from holdfast.api.git_files import checkout_at
from holdfast.config import scheme_of
from holdfast.core.arguments import FOLDERS_MAX, is_whole
from holdfast.core.value_classes import value_class

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.integrations.agents.clients import Happening


@value_class
class Request:
    """A question at an event: `whereabouts` say where, `about` what about. `base` is the checkout, else the
    folder; None for the home folder."""

    whereabouts: dict[str, Any]
    about: dict[str, Any]
    base: Path | None

    @property
    def may_be_of_a_project(self) -> bool:
        """Returns whether it is in a checkout that was given to no project."""
        return self.whereabouts["project"] is None and self.base is not None and (self.base / ".git").exists()

    def project_in(self, memory: Memory) -> str | None:
        """Returns the project that is named, else that of the checkout or folder, if it has one."""
        named: str | None = self.whereabouts["project"]
        return named if named or self.base is None else project_at(memory, self.base)

    def hint(self, memory: Memory) -> str:
        """Returns a text for the user about the project that the checkout seems to belong to; empty if it has
        one. It is not for the model: whoever made the folder chose its name and remotes."""
        from holdfast.api.checkout import project_like

        if self.base is None or project_at(memory, self.base) is not None:
            return ""
        if (suggestion := project_like(memory, self.base)) is None:
            return ""
        return (
            f"Holdfast remembers nothing here, since the folder belongs to no project. {suggestion.reason} "
            "`holdfast projects here`, in a terminal, shows how to use that project here."
        )

    def project_to_learn_in(self, memory: Memory) -> str | None:
        """Returns the project that lessons of the session belong to: its own, else a new one that the
        repository of the checkout is given to by its path; None if another project has its name or remote,
        and outside of checkouts."""
        from holdfast.api.checkout import new_project

        existing, base = self.project_in(memory), self.base
        if existing is not None or base is None:
            return existing
        return new_project(memory, base) if (base / ".git").exists() else None


def place_of(
    payload: Mapping[str, Any], happening: Happening, project: str | None, session: str | None
) -> Request:
    """Returns what is asked at an event: in the named project, or in that of the client's working folder."""
    named = payload.get("cwd")
    folder = Path(os.path.realpath(named if isinstance(named, str) and named else os.getcwd()))
    checkout = checkout_at(folder)
    base = checkout.folder if checkout is not None and not is_home(checkout.folder) else folder
    names = (name for place in same_places(folder) if is_whole(name := place.as_posix()))
    whereabouts = {
        "session": session,
        "project": project or trusted_at(folder),
        "folder": list(islice(names, FOLDERS_MAX)),
        "branch": None if checkout is None else checkout.branch,
    }
    files = [path for name in happening.files if (path := _inside(name, folder, base)) is not None]
    about = {"prompt": happening.prompt, "files": files}
    return Request(whereabouts, about, None if is_home(folder) else base)


def _inside(name: str, folder: Path, base: Path) -> str | None:
    """Returns the path of a file relative to the root of its project; None for one outside."""
    path = Path(os.path.normpath(folder / name))
    for root in (base, Path(os.path.realpath(base))):
        if path.is_relative_to(root):
            return path.relative_to(root).as_posix()
    return None


def is_local(store: str) -> bool:
    """Returns whether a store is on this machine: a file, or an address of the loopback or of a socket."""
    if not scheme_of(store):
        return True
    from ipaddress import ip_address
    from urllib.parse import parse_qs, urlsplit

    try:
        parts = urlsplit(store)
        hosts = {parts.hostname or "", *parse_qs(parts.query).get("host", [])} - {""}
        return all(
            host == "localhost" or host.startswith("/") or ip_address(host).is_loopback for host in hosts
        )
    except ValueError:
        return False
