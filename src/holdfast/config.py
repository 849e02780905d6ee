"""Settings: the only reader of the environment and of the configuration file."""

from __future__ import annotations

import getpass
import os
import re
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from holdfast.core.arguments import shown
from holdfast.core.errors import InvalidInput
from holdfast.language.facts.topics import BUILT_IN, Topics, with_custom
from holdfast.language.secrets.entropy import ENTROPY_THRESHOLD
from holdfast.language.secrets.identifiers import holds_secret

WORKERS_MAX = 64
DAYS_MAX = 36_500
PATTERNS_MAX = 50
"""Maximum number of patterns of personal data."""
PATTERN_MAX = 1_000
"""Maximum length of one of them."""
BITS_MAX = 8.0
"""Highest entropy of a text, in bits per character."""
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*)://")
TRUST = ("standard", "review", "all")
"""What may be trusted of what a working session taught."""
DIMENSIONS = (64, 128, 256)
"""Supported dimensions of the built-in embedder."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings.

    Environment variables (HOLDFAST_ and the name in capitals) take precedence over the file
    `$XDG_CONFIG_HOME/holdfast/config.toml`, arguments over both.
    """

    store: str
    """Path of the store, or a tenant of a PostgreSQL database: `postgresql://user@host/database?tenant=name`.
    Default: that of `holdfast login`, else `$XDG_DATA_HOME/holdfast/<tenant>.db`, the tenant being the
    system user."""
    user: str
    """The acting user, who owns new memories. Default: the system user."""
    agent: str | None = None
    """Name of the agent that acts for the user, such as `coder`. Default: none, a person acts."""
    cache_mb: int = 512
    """Megabytes of memory for the index of one process."""
    secret_entropy: float = ENTROPY_THRESHOLD
    """Bits per character from which a long random word counts as a secret; a lower value finds more."""
    topics: Topics = BUILT_IN
    """Topics of facts in addition to the built-in ones, each with further nouns: in the file a table such as
    `topics = {"board games" = ["tabletop games"]}`, in the environment the same as JSON. Default: none."""
    expiry_days: int = 0
    """Days after which new memories of kinds such as `note` and `fact` leave recall, unless an expiry is
    stated; 0 keeps them. [Kinds](kinds.md) that say what is going on at the moment have a lifetime of their
    own."""
    pii_patterns: tuple[tuple[str, str], ...] = ()
    """Personal data of your own kinds: names with RE2 patterns, in the file a table such as
    `pii_patterns = {staff = "E-[0-9]{6}"}`, in the environment the same as JSON. A text that matches is rated
    like one with a phone number. Default: none."""
    learning_trust: str = "standard"
    """What enters without review when a working session is learned from: `standard` for corrections by a
    person and what commands proved, `review` for nothing, `all` for everything but what follows web content,
    for a pipeline that nobody watches."""
    index_workers: int = 2
    """Background jobs that a service runs concurrently; 0 leaves them to `holdfast worker`."""
    dimensions: int = DIMENSIONS[-1]
    """Dimensions of the built-in embedder's vectors: 64, 128 or 256. Fewer need less space and time and
    recall slightly less. After a change, `holdfast maintain` recomputes the vectors."""
    roots: tuple[str, ...] = ()
    """Folders of this machine below which users of a service may index folders: in the file a list, in the
    environment separated by colons. Default: none; the command line needs none."""
    key_file: str | None = None
    """File with the key of the store, readable by its owner only. With it new stores are encrypted, and
    unencrypted ones are refused. Default: none; a key in the system keychain needs no setting."""
    api_key: str | None = field(default=None, repr=False)
    """API key for a service such as `https://memory.example`; only in the environment. Default: none; the
    one that `holdfast login` put into the keychain of the system is found without a setting."""
    api_key_file: str | None = None
    """File that holds the API key. Default: none."""
    key: str | None = field(default=None, repr=False)
    """The key itself as 64 hexadecimal digits, instead of a file; only in the environment. Default: none."""


def load(*, store: str | os.PathLike[str] | None = None, user: str | None = None,
         agent: str | None = None, key_file: str | os.PathLike[str] | None = None,
         api_key: str | None = None) -> Settings:  # fmt: skip
    """Returns the effective settings. Raises InvalidInput `config_invalid`."""
    arguments: dict[str, Any] = {
        "store": os.fspath(store) if isinstance(store, os.PathLike) else store,
        "user": user,
        "agent": agent,
        "key_file": os.fspath(key_file) if isinstance(key_file, os.PathLike) else key_file,
        "api_key": api_key,
    }
    file = _file()
    address, login_key_file = _login()
    if address:
        file["store"] = address
    values: dict[str, Any] = {}
    for setting in fields(Settings):
        name = setting.name
        for source in (
            arguments.get(name),
            os.environ.get(f"HOLDFAST_{name.upper()}") or None,
            file.get(name),
        ):
            if source is not None:
                values[name] = source
                break
    if "cache_mb" in values:
        values["cache_mb"] = _megabytes(values["cache_mb"])
    if "secret_entropy" in values:
        values["secret_entropy"] = _bits(values["secret_entropy"])
    if "topics" in values:
        values["topics"] = _topics(values["topics"])
    if "pii_patterns" in values:
        values["pii_patterns"] = _pii_patterns(values["pii_patterns"])
    if "index_workers" in values:
        values["index_workers"] = _whole("index_workers", values["index_workers"], WORKERS_MAX)
    if "expiry_days" in values:
        values["expiry_days"] = _whole("expiry_days", values["expiry_days"], DAYS_MAX)
    if values.get("learning_trust", TRUST[0]) not in TRUST:
        raise InvalidInput(
            f"learning_trust {shown(values['learning_trust'])} is not {', '.join(TRUST)}",
            code="config_invalid",
        )
    if "dimensions" in values:
        values["dimensions"] = _dimensions(values["dimensions"])
    if "roots" in values:
        values["roots"] = _roots(values["roots"])
    values.setdefault("user", system_user())
    for name in ("user", "agent", "store", "key_file", "key", "api_key", "api_key_file"):
        if name in values and (not isinstance(values[name], str) or not values[name].strip()):
            raise InvalidInput(f"{name} is empty or not text", code="config_invalid")
    for name in ("user", "agent"):
        if name in values and holds_secret(values[name]):
            raise InvalidInput(f"the {name} contains what looks like a secret", code="secret_in_name")
    if "store" not in values:
        path = default_store()
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        values["store"] = str(path)
    elif values["store"] == address and login_key_file:  # no other service gets this key
        values.setdefault("api_key_file", login_key_file)
    elif not scheme_of(values["store"]):
        values["store"] = str(_path(values["store"]))
    for name in ("key_file", "api_key_file"):
        if name in values:
            values[name] = str(_path(values[name], name))
    return Settings(**values)


def is_service(store: str) -> bool:
    """Returns whether a store is the address of a service, reached over HTTP."""
    return scheme_of(store) in ("http", "https")


def scheme_of(store: str) -> str:
    """Returns the scheme of the address that names a store, such as `postgresql`; of a path, nothing."""
    scheme = _SCHEME.match(store)
    return "" if scheme is None else scheme[1]


def default_store() -> Path:
    """Returns the store of the system user, which may not exist."""
    return data_folder() / f"{_file_name(system_user())}.db"


def store_of_shell() -> str | None:
    """Returns the store in the environment variable, unchanged."""
    return os.environ.get("HOLDFAST_STORE") or None


def system_user() -> str:
    """Returns the name of the operating system's user."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"uid-{os.getuid()}"


def data_folder() -> Path:
    """Returns the default folder of stores."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "holdfast"


def state_folder() -> Path:
    """Returns the folder of what commands note for the next one."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "holdfast"


def config_file() -> Path:
    """Returns the configuration file, which may not exist."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "holdfast" / "config.toml"


def logged_in() -> str | None:
    """Returns the address of the store that `holdfast login` chose, or None.

    If it cannot be reached, that is an error: no other store replaces it. Raises InvalidInput
    `config_invalid`.
    """
    return _login()[0]


def _login() -> tuple[str | None, str | None]:
    """Returns the chosen address, and the file with the API key of that service."""
    path = _login_file()
    try:
        address, _, key_file = path.read_text(encoding="utf-8").strip().partition("\n")
    except (FileNotFoundError, NotADirectoryError):
        return None, None
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{path} cannot be read: {error}", code="config_invalid") from error
    if not scheme_of(address):
        raise InvalidInput(
            f"{path} contains no address",
            code="config_invalid",
            hint="`holdfast logout`, then `holdfast login`",
        )
    return address, key_file or None


def log_in(address: str, *, api_key_file: Path | None = None) -> None:
    """Chooses a store for all processes from now on, of a service with the file that holds its API key.
    Raises InvalidInput."""
    path = _login_file()
    part = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(f"{address}\n" + (f"{api_key_file}\n" if api_key_file else ""))
        part.replace(path)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written: {error.strerror}", code="config_invalid") from error


def log_out() -> bool:
    """Returns to one's own store; returns whether another one had been chosen. Raises InvalidInput."""
    path = _login_file()
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise InvalidInput(f"{path} cannot be removed: {error.strerror}", code="config_invalid") from error
    return True


def _login_file() -> Path:
    return config_file().with_name("login")


def wants_traces() -> bool:
    """Checks whether the standard variables of OpenTelemetry configure an exporter of spans."""
    if (os.environ.get("OTEL_SDK_DISABLED") or "").lower() == "true":
        return False
    if os.environ.get("OTEL_TRACES_EXPORTER") not in (None, "", "otlp"):
        return False
    return bool(
        os.environ.get("OTEL_TRACES_EXPORTER")
        or os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT")
        or os.environ.get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    )


def home_folder() -> Path | None:
    """Returns the home of the system user; None without one."""
    try:
        return Path.home().resolve()
    except RuntimeError:
        return None


def at_home(path: str) -> Path:
    """Expands `~` in a path. Raises RuntimeError for a user without a home."""
    return Path(path).expanduser()


def settings_folder(variable: str, below_home: str) -> Path:
    """Returns the settings folder of another program: from its variable, else in the home."""
    return Path(os.environ.get(variable) or Path.home() / below_home)


def _file() -> dict[str, Any]:
    path = config_file()
    try:
        if not path.is_file():
            return {}
    except OSError:  # no settings in a home that this user may not read
        return {}
    import tomllib

    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{path} cannot be read: {error}", code="config_invalid") from error
    if "key" in values or "api_key" in values:
        raise InvalidInput(
            f"{path} contains a key, which belongs in a file of its own",
            code="config_invalid",
            hint='key_file = "PATH"' if "key" in values else 'api_key_file = "PATH"',
        )
    unknown = values.keys() - {setting.name for setting in fields(Settings)}
    if unknown:
        raise InvalidInput(
            f"{path} has an unknown setting {sorted(unknown)[0]!r}",
            code="config_invalid",
            hint="docs/reference/settings.md lists them",
        )
    return values


def _megabytes(value: object) -> int:
    try:
        number = int(str(value))
    except ValueError:
        number = 0
    if number < 1:
        raise InvalidInput(f"cache_mb {shown(value)} is not a whole number from 1", code="config_invalid")
    return number


def _whole(name: str, value: object, highest: int) -> int:
    try:
        number = int(str(value))
    except ValueError:
        number = -1
    if not 0 <= number <= highest:
        raise InvalidInput(
            f"{name} {shown(value)} is not a whole number from 0 to {highest}", code="config_invalid"
        )
    return number


def _dimensions(value: object) -> int:
    dimensions = {str(number): number for number in DIMENSIONS}.get(str(value))
    if dimensions is None:
        raise InvalidInput(
            f"dimensions {shown(value)} is not {', '.join(map(str, DIMENSIONS))}", code="config_invalid"
        )
    return dimensions


def _roots(value: object) -> tuple[str, ...]:
    folders = [folder for folder in value.split(os.pathsep) if folder] if isinstance(value, str) else value
    if not isinstance(folders, list) or not all(isinstance(folder, str) for folder in folders):
        raise InvalidInput("roots is not a list of folders", code="config_invalid", hint='["/srv/code"]')
    return tuple(os.path.realpath(_path(folder, "roots")) for folder in folders)


def _topics(value: object) -> Topics:
    if isinstance(value, str):
        import json

        try:
            value = json.loads(value)
        except ValueError:
            value = None
    if not isinstance(value, dict) or not all(isinstance(nouns, list | str) for nouns in value.values()):
        raise InvalidInput(
            "topics is not a table of lists of nouns",
            code="config_invalid",
            hint='{"board games" = ["games"]}',
        )
    return with_custom(value)


def _pii_patterns(value: object) -> tuple[tuple[str, str], ...]:
    """Returns patterns of personal data by name. Raises InvalidInput `config_invalid` unless each is a
    pattern that RE2 can match in linear time, and matches no empty text."""
    if isinstance(value, str):
        import json

        try:
            value = json.loads(value)
        except ValueError:
            value = None
    hint = 'a table such as {staff = "E-[0-9]{6}"}'
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise InvalidInput("pii_patterns is not a table of patterns", code="config_invalid", hint=hint)
    if len(value) > PATTERNS_MAX:
        raise InvalidInput(f"there may be at most {PATTERNS_MAX} pii_patterns", code="config_invalid")
    return tuple((_pii_name(name), _pii_pattern(name, text)) for name, text in value.items())


def _pii_name(name: object) -> str:
    from holdfast.language.pii import TYPES

    if not isinstance(name, str) or not re.fullmatch("[a-z][a-z0-9_]{0,30}", name) or name in TYPES:
        raise InvalidInput(
            "a name in pii_patterns is not usable", code="config_invalid",
            hint=f"small letters, digits and _, none of {', '.join(sorted(TYPES))}",
        )  # fmt: skip
    return name


def _pii_pattern(name: object, pattern: str) -> str:
    import re2

    from holdfast.core.text import byte_pattern

    try:
        compiled = byte_pattern(pattern) if len(pattern) <= PATTERN_MAX else None
    except re2.error:
        compiled = None
    if compiled is None or compiled.search(b"") is not None:
        raise InvalidInput(
            f"the pattern {name} in pii_patterns cannot be used", code="config_invalid",
            hint=f"RE2 syntax (no look-around, no back-references), at most {PATTERN_MAX} characters,"
            " and no match of an empty text",
        )  # fmt: skip
    return pattern


def _bits(value: object) -> float:
    try:
        number = float(str(value))
    except ValueError:
        number = -1.0
    if not 0 <= number <= BITS_MAX:
        raise InvalidInput(
            f"secret_entropy {shown(value)} is not a number from 0 to {BITS_MAX:g}", code="config_invalid"
        )
    return number


def _path(name: str, setting: str = "store") -> Path:
    try:
        os.fsencode(name)
        usable = "\0" not in name
    except UnicodeEncodeError:
        usable = False
    if not usable:
        raise InvalidInput(f"{setting} {shown(name)} is not a path", code="config_invalid")
    try:
        return at_home(name)
    except RuntimeError as error:  # ~ of a user without a home
        raise InvalidInput(f"{setting} {shown(name)}: {error}", code="config_invalid") from error


def _file_name(user: str) -> str:
    return re.sub(r"[^\w.@-]", "_", user) or "default"
