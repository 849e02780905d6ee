"""The directory of tenants: a file with the addresses of servers, and the server of each tenant."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import InvalidInput, NotFound
from holdfast.core.places import usable_name
from holdfast.stores.base.registry import backend_of
from holdfast.stores.base.whole_file import write_whole


@dataclass(slots=True)
class Directory:
    """`servers` are addresses of databases by name; `tenants` the names of the servers of tenants, and `old`
    of those that still hold a copy of one that was moved."""

    servers: dict[str, str] = field(default_factory=dict)
    tenants: dict[str, str] = field(default_factory=dict)
    old: dict[str, str] = field(default_factory=dict)

    def server_of(self, tenant: str) -> str:
        """Returns the name of the server of a tenant. Raises NotFound."""
        if tenant not in self.tenants:
            raise NotFound(
                f"the directory has no tenant {safe_repr(tenant)}", code="tenant_unknown",
                hint="holdfast tenants add FILE TENANT SERVER",
            )  # fmt: skip
        return self.tenants[tenant]

    def address(self, server: str, tenant: str) -> str:
        """Returns the address of a tenant at a server. Raises NotFound."""
        if server not in self.servers:
            raise NotFound(
                f"the directory has no server {safe_repr(server)}", code="tenant_unknown",
                hint="holdfast tenants server FILE SERVER ADDRESS",
            )  # fmt: skip
        base = self.servers[server]
        return f"{base}{'&' if '?' in base else '?'}tenant={quote(tenant, safe='')}"

    def add_tenant(self, name: str, server: str) -> None:
        """Notes at which server a tenant is, of which the directory has none yet. Raises InvalidInput,
        NotFound."""
        self.address(server, name)
        if name in self.tenants and self.tenants[name] != server:
            raise InvalidInput(
                f"{name} is at {self.tenants[name]}", code="argument_invalid",
                hint="holdfast tenants move FILE TENANT SERVER",
            )  # fmt: skip
        self.tenants[usable_name(name, "tenant")] = server

    def add_server(self, name: str, address: str) -> None:
        """Adds a server, or changes its address. Raises InvalidInput."""
        if backend_of(address).moves is None:
            raise InvalidInput(
                f"{safe_repr(address)} is not the address of a database", code="argument_invalid",
                hint="postgresql://role@host/database",
            )  # fmt: skip
        if backend_of(address).without_password(address) != address or "tenant=" in address:
            raise InvalidInput(
                "the address of a server has no password and no tenant", code="argument_invalid",
                hint="keep passwords in the file that PGPASSFILE names",
            )  # fmt: skip
        self.servers[usable_name(name, "server")] = address


def read_directory(path: Path) -> Directory:
    """Returns what a directory holds. Raises InvalidInput `config_invalid`."""
    try:
        content = json.loads(path.read_text("utf-8"))
        directory = Directory(**content)
        parts: tuple[Any, ...] = (directory.servers, directory.tenants, directory.old)
        if not all(isinstance(text, str) for part in parts for pair in part.items() for text in pair):
            raise TypeError("a name is not text")
    except FileNotFoundError as error:
        raise InvalidInput(
            f"there is no directory of tenants {path}", code="config_invalid",
            hint="holdfast tenants server FILE SERVER ADDRESS makes one",
        ) from error  # fmt: skip
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise InvalidInput(f"{path} is not a directory of tenants: {error}", code="config_invalid") from error
    return directory


@contextmanager
def changing(path: Path) -> Iterator[Directory]:
    """Opens a directory, or a new one, and writes it on exit, as a whole; one process after the other. Raises
    InvalidInput."""
    try:
        lock = open(path.with_name(f"{path.name}.lock"), "w", encoding="utf-8")  # noqa: SIM115
    except OSError as error:
        raise _unwritable(path, error) from error
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        directory = read_directory(path) if path.exists() else Directory()
        yield directory
        content = {"servers": directory.servers, "tenants": directory.tenants, "old": directory.old}
        text = json.dumps(content, indent=1, sort_keys=True) + "\n"
        try:
            # services of other users read it
            write_whole(path, text.encode(), synced=True, mode=0o666)
        except OSError as error:
            raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> InvalidInput:
    return InvalidInput(
        f"{path} cannot be written: {error.strerror}", code="config_invalid",
        hint="check the folder, its owner and the space on its disk",
    )  # fmt: skip


def parsed(location: str) -> tuple[Path, str]:
    """Returns the file and the tenant of `tenants:///etc/holdfast/tenants.json?tenant=name`. Raises
    InvalidInput `config_invalid`."""
    parts = urlsplit(location)
    names = [value for name, value in parse_qsl(parts.query, keep_blank_values=True) if name == "tenant"]
    if parts.netloc or not parts.path or len(names) != 1:
        raise InvalidInput(
            "the address names a file and one tenant of it", code="config_invalid",
            hint="tenants:///etc/holdfast/tenants.json?tenant=name",
        )  # fmt: skip
    return Path(parts.path), usable_name(names[0], "tenant")
