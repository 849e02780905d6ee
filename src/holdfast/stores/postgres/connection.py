"""Connections to one PostgreSQL database: addresses, settings, and translated errors."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

import numpy as np
import psycopg
from psycopg import errors
from psycopg.adapt import Buffer, Dumper
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import Format
from psycopg.types.numeric import Int8BinaryDumper
from psycopg_pool import PoolClosed, PoolTimeout

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import Conflict, Damaged, HoldfastError, InvalidInput, StoreBusy, StoreError
from holdfast.core.places import usable_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

BUSY_TIMEOUT = 30_000
"""Milliseconds to wait for another writer of the tenant."""
CONNECT_TIMEOUT = 10
"""Seconds to wait for the server, or for a connection that is free."""
IMPATIENCE = 1.0
"""Seconds without a connection after which the server is asked whether it is there at all."""
IDLE_TIMEOUT = 300_000
"""Milliseconds that a writer may do nothing before the server takes the tenant's row from it: one whose
machine stopped would otherwise keep all others waiting."""
SILENCE = {
    "keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "3",
    "tcp_user_timeout": "60000",
}  # fmt: skip
"""After a minute of it a server is taken for gone, unless the address says otherwise."""

REPLICAS = "read_from"
"""The option of an address that names the servers to read from."""
REPLICA_TIMEOUT = 2
"""Seconds to wait for a replica to let a connection in, or to acknowledge what was sent."""

REAL, REALS = 700, 1021
"""The numbers of the types `real` and `real[]` in every server."""

Connection = psycopg.Connection[tuple[Any, ...]]
ENDED = (errors.IdleInTransactionSessionTimeout, errors.TransactionTimeout)
"""What a server says that has ended the session, and with it the transaction."""


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a tenant in a database, with those of the same at each replica that it names.
    `conninfo` may contain a password; `location` never does."""

    conninfo: str
    tenant: str
    location: str
    replicas: tuple[Address, ...] = ()


def address(url: str) -> Address:
    """Parses `postgresql://user@host/database?tenant=name&read_from=host:port,host:port`. Raises InvalidInput
    `config_invalid`."""
    conninfo, where, tenants = _parts(url)
    if len(tenants) != 1 or not tenants[0].strip():
        raise InvalidInput(
            "the address of the database does not say which tenant of it is meant",
            code="config_invalid",
            hint="add ?tenant=name to it, such as the name of the team",
        )
    tenant = usable_name(tenants[0], "tenant")
    location = f"{where}?tenant={quote(tenant, safe='')}"
    params = parse_qsl(urlsplit(url).query, keep_blank_values=True)
    servers = [server for key, value in params if key == REPLICAS for server in value.split(",") if server]
    return Address(
        conninfo, tenant, location, tuple(_replica(conninfo, server, tenant) for server in servers)
    )


def _replica(conninfo: str, server: str, tenant: str) -> Address:
    """Returns the address of the same role, database and tenant at another server: `host`, `host:port`, or
    the folder of a socket."""
    options = conninfo_to_dict(conninfo)
    for name in ("host", "hostaddr", "port", "target_session_attrs"):
        options.pop(name, None)
    host, colon, port = server.rpartition(":")
    options |= {"host": host, "port": port} if colon and port.isdecimal() else {"host": server}
    silence = {"connect_timeout": REPLICA_TIMEOUT, "tcp_user_timeout": 1000 * REPLICA_TIMEOUT}
    where = f"postgresql://{quote(server, safe=':')}/{quote(str(options.get('dbname') or ''), safe='')}"
    return Address(make_conninfo("", **{**options, **silence}), tenant, where)


def database(url: str) -> Address:
    """Parses the address of a whole database; a tenant in it is ignored."""
    conninfo, where, _ = _parts(url)
    return Address(conninfo, "", where)


def address_of(url: str, options: Mapping[str, str]) -> str:
    """Returns the address of a database with these options in place of those that it has of these names."""
    parts = urlsplit(url)
    rest = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair[0] not in options]
    return urlunsplit(parts._replace(query=urlencode([*rest, *options.items()], quote_via=quote)))


def _parts(url: str) -> tuple[str, str, list[str]]:
    """Returns the conninfo, the database without credentials, and the tenants that the address names."""
    try:
        parts = urlsplit(url)
        params = parse_qsl(parts.query, keep_blank_values=True)
        rest = urlencode([pair for pair in params if pair[0] not in ("tenant", REPLICAS)], quote_via=quote)
        options = conninfo_to_dict(urlunsplit(parts._replace(query=rest)))
    except (ValueError, psycopg.Error) as error:
        raise InvalidInput(
            "the address of the database cannot be read",
            code="config_invalid",
            hint="postgresql://user@host:5432/database?tenant=name",
        ) from error
    conninfo = make_conninfo("", **{**SILENCE, **options, "client_encoding": "utf8"})  # any text can be sent
    host, port = (quote(str(options.get(name) or ""), safe="") for name in ("host", "port"))
    where = f"{host}:{port}" if port else host
    name = quote(str(options.get("dbname") or ""), safe="")
    return conninfo, f"postgresql://{where}/{name}", [value for key, value in params if key == "tenant"]


class Halves(bytes):
    """A vector in the wire format of pgvector's `halfvec`: two lengths, then float16, big-endian."""

    @classmethod
    def of(cls, vector: NDArray[Any]) -> Halves:
        """Returns a vector in this format."""
        return cls(struct.pack(">HH", len(vector), 0) + vector.astype(">f2").tobytes())


class Reals(bytes):
    """Numbers in the wire format of `real[]`: its head, then each with its length, big-endian."""

    @classmethod
    def of(cls, numbers: NDArray[Any]) -> Reals:
        """Returns numbers in this format."""
        each = np.empty(len(numbers), [("length", ">i4"), ("number", ">f4")])
        each["length"], each["number"] = 4, numbers
        return cls(struct.pack(">5i", 1, 0, REAL, len(numbers), 1) + each.tobytes())


class _WireDumper(Dumper):
    format = Format.BINARY

    def dump(self, obj: Halves | Reals) -> Buffer | None:
        return obj


class _RealsDumper(_WireDumper):
    oid = REALS


def configure(connection: Connection) -> None:
    """Sends all integers as bigint, so that each statement is prepared once."""
    connection.adapters.register_dumper(int, Int8BinaryDumper)
    connection.adapters.register_dumper(Halves, _WireDumper)
    connection.adapters.register_dumper(Reals, _RealsDumper)


@contextmanager
def translated(location: str) -> Iterator[None]:
    """Translates PostgreSQL's errors into Holdfast's, each with a hint."""
    try:
        yield
    except HoldfastError:
        raise
    except errors.LockNotAvailable as error:
        raise busy() from error
    except (errors.DeadlockDetected, errors.SerializationFailure, errors.QueryCanceled) as error:
        raise StoreBusy(
            f"{location} stopped this request: {safe_repr(_first_line(error), 200)}; nothing of it was kept",
            code="store_busy",
            hint="try again",
        ) from error
    except (errors.DiskFull, errors.OutOfMemory) as error:
        raise StoreError(
            f"the disk or the memory of {location} is full; the write was not kept",
            code="store_full",
            hint="make room on the server and try again; everything acknowledged is safe",
        ) from error
    except errors.ReadOnlySqlTransaction as error:
        raise read_only(location) from error
    except (errors.DataCorrupted, errors.IndexCorrupted, JSONDecodeError) as error:
        raise Damaged(
            f"{location} is corrupt: {error}",
            code="store_damaged",
            hint="stop writing and restore a backup, or ask whoever runs the server",
        ) from error
    except errors.IntegrityError as error:
        raise Conflict(
            "something with the same identity is stored there already", code="duplicate_text"
        ) from error
    except errors.InsufficientPrivilege as error:
        raise StoreError(
            f"{location} refuses the role: {_first_line(error)}",
            code="store_unsafe",
            hint="migrate again with the name of this role",
        ) from error
    except (errors.DataError, errors.ProgramLimitExceeded) as error:
        raise InvalidInput(
            f"the database cannot hold this text: {_first_line(error)}", code="argument_invalid"
        ) from error
    except PoolTimeout as error:
        raise StoreBusy(
            f"no connection to {location} was free in {CONNECT_TIMEOUT} s",
            code="store_busy",
            hint="try again; the server may have too few connections",
        ) from error
    except (psycopg.OperationalError, psycopg.InterfaceError, PoolClosed, *ENDED) as error:
        raise connection_lost(location) from error
    except psycopg.Error as error:
        raise StoreError(
            f"{location} failed: {safe_repr(_first_line(error), 200)}; nothing of this request was kept",
            code="store_io",
            hint="try again; see the log of the server",
        ) from error


def busy() -> StoreBusy:
    """Returns the error for a tenant whose write lock was not free in time."""
    return StoreBusy(
        "another writer keeps the tenant locked",
        code="store_busy",
        hint="try again",
    )


def read_only(location: str) -> StoreError:
    """Returns the error for a server that is read-only."""
    return StoreError(
        f"{location} cannot be written: the server is a standby or was set read-only",
        code="store_read_only",
        hint="try again once another server has taken over, or name it; reading still works",
    )


def connection_lost(location: str, *, committing: bool = False) -> StoreError:
    """Returns the error for a lost connection: before a commit nothing was stored, during one the outcome
    is unknown.
    """
    outcome = (
        "it is not known whether the write was kept" if committing else "nothing of this request was kept"
    )
    return StoreError(
        f"the connection to {location} broke; {outcome}",
        code="store_connection_lost",
        hint="look whether it is there, then try again" if committing else "try again",
    )


def cannot_open(location: str, error: Exception) -> StoreError:
    """Returns the error for a server that cannot be reached or refuses the login (S4.50)."""
    return StoreError(
        f"memory unavailable: {location} cannot be opened: {safe_repr(_first_line(error), 200)}",
        code="store_unavailable",
        hint="check the address, the password and that the server runs; no other store is used instead",
    )


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
