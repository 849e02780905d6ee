"""Places of agents: the folder, checkout and project, and files as the project names them."""

from __future__ import annotations

import os.path
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdfast.api.checkout import checkout_at, is_home, project_at, trusted_at
from holdfast.config import scheme_of

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.integrations.agents.clients import Happening


@dataclass(frozen=True, slots=True)
class Request:
    """A question at an event: `whereabouts` say where, `about` what about. `base` is the checkout, else the
    folder; None for the home folder."""

    whereabouts: dict[str, Any]
    about: dict[str, Any]
    base: Path | None

    @property
    def arguments(self) -> dict[str, Any]:
        """Returns the arguments of `Memory.agents.event`."""
        return {**self.whereabouts, **self.about}

    def project_to_learn_in(self, memory: Memory) -> str | None:
        """Returns the project that lessons of the session belong to: its own, else a new one that the
        checkout is given to by its path; None if there is another project of its name, and outside of
        checkouts."""
        from holdfast.api.folder_trust import trust_folder
        from holdfast.core.errors import InvalidInput
        from holdfast.core.places import usable_name

        named, base = self.whereabouts["project"], self.base
        if named is not None or base is None:
            return named  # type: ignore[no-any-return]
        if (found := project_at(memory, base)) is not None:
            return found
        if not (base / ".git").exists():
            return None
        try:
            new = usable_name(base.name, "project")
        except InvalidInput:
            return None
        if new in {one.name for one in memory.projects.list()}:
            return None
        trust_folder(base, new)
        return new


def place_of(
    payload: Mapping[str, Any], happening: Happening, project: str | None, session: str | None
) -> Request:
    """Returns what is asked at an event: in the named project, or in that of the client's working folder."""
    named = payload.get("cwd")
    folder = Path(os.path.realpath(named if isinstance(named, str) and named else os.getcwd()))
    checkout = checkout_at(folder)
    base = checkout.folder if checkout is not None and not is_home(checkout.folder) else folder
    at_home = is_home(folder)
    whereabouts = {
        "session": session,
        "project": project or (None if at_home else next(iter(trusted_at(folder)), None)),
        "folder": None if at_home else folder.as_posix(),
        "branch": None if checkout is None else checkout.branch,
    }
    files = [path for name in happening.files if (path := _inside(name, folder, base)) is not None]
    return Request(whereabouts, {"prompt": happening.prompt, "files": files}, None if at_home else base)


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
