"""Settings: the only reader of the environment and of the configuration file."""

from __future__ import annotations

import getpass
import os
import re
from contextlib import suppress
from dataclasses import field, fields
from pathlib import Path
from typing import Any

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import InvalidInput
from holdfast.core.value_classes import value_class
from holdfast.language.facts.topics import BUILT_IN, Topics
from holdfast.language.secrets.entropy import ENTROPY_THRESHOLD
from holdfast.language.secrets.identifiers import holds_secret
from holdfast.setting_values import (
    bits,
    choice,
    integer,
    is_path,
    listed_folders,
    parsed_table,
    path,
    path_or_bucket,
    pii_patterns,
    read_by,
    relative_to_file,
    topics,
    value_of,
)

WORKERS_MAX = 64
DAYS_MAX = 36_500
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*)://")
TIDY = ("show", "apply", "off")
"""Values of `tidy`: what background work does with duplicate memories and unused descriptions."""
SWITCH = ("on", "off")
SHARING = ("auto", "on", "off")
TRUST = ("standard", "review", "all")
"""What may be trusted of what a working session taught."""
KEY_FILES = ("backup_key_file", "key_file", "api_key_file", "model_key_files")
"""Settings that name files with keys: in the environment by absolute paths alone."""
_PLACES = ("store", "backup_folder", "roots", "embedder", "embedder_next", *KEY_FILES)
DIMENSIONS = (64, 128, 256)
"""Supported dimensions of the built-in embedder."""


@value_class
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
    cache_mb: int = integer(512, 1)
    """Megabytes of memory for the index of one process."""
    secret_entropy: float = read_by(bits, ENTROPY_THRESHOLD)
    """Bits per character from which a long random word counts as a secret; a lower value finds more."""
    topics: Topics = read_by(topics, BUILT_IN)
    """Topics of facts in addition to the built-in ones, each with further nouns: in the file a table such as
    `topics = {"board games" = ["tabletop games"]}`, in the environment the same as JSON. Default: none."""
    expiry_days: int = integer(0, most=DAYS_MAX)
    """Days after which new memories of kinds such as `note` and `fact` leave recall, unless an expiry is
    stated; 0 keeps them. [Kinds](kinds.md) that say what is going on at the moment have a lifetime of their
    own."""
    pii_patterns: tuple[tuple[str, str], ...] = read_by(pii_patterns, ())
    """Personal data of your own kinds: names with RE2 patterns, in the file a table such as
    `pii_patterns = {staff = "E-[0-9]{6}"}`, in the environment the same as JSON. A text that matches is rated
    like one with a phone number. Default: none."""
    learning_trust: str = choice("standard", TRUST)
    """What enters without review when a working session is learned from: `standard` for corrections by a
    person and what commands proved, `review` for nothing, `all` for everything but what follows web content,
    for a pipeline that nobody watches."""
    sharing: str = choice("auto", SHARING)
    """Sharing between users: with `on`, they may make memories visible to others; with `off`, everything is
    private to its user, and nobody gets another user's project instructions. `auto` is `off` for users with
    a token in a tenant without members, except owners and admins, and `on` for everybody else."""
    system_prompt: str | None = None
    """Instructions of conversations in projects that have none of their own, in the context of the role
    `chat`. Default: one sentence."""
    tidy: str = choice("show", TIDY)
    """What background work does daily with what `holdfast review tidy` finds: `show` only counts it in the
    result of its job, `apply` does it, `off` looks for nothing. What is done can be undone."""
    names: str = choice("on", SWITCH)
    """Whether background work keeps the people, places and things that the user's messages in projects name:
    `on` or `off`."""
    hook_network: str = choice("off", SWITCH)
    """`on` lets hooks of coding agents use a service or database on another machine, such as a team's:
    prompts, names of files, errors of commands and what sessions taught go there."""
    index_workers: int = integer(2, most=WORKERS_MAX)
    """Background jobs that a service runs concurrently; 0 leaves them to `holdfast worker`."""
    backup_days: int = integer(1, most=DAYS_MAX)
    """Days from one backup to the next that a service or worker makes by itself, and tries out each week;
    0 for none. A tenant of a database is backed up where `backup_folder` names a folder."""
    backup_on_exit: str = choice("off", SWITCH)
    """`on` to make a backup when a service or worker is asked to end. Allow it the time that takes, such as
    by systemd's `TimeoutStopSec`."""
    backup_before_changes: str = choice("on", SWITCH)
    """Whether a store in a file is backed up before its schema is migrated and before it is encrypted,
    decrypted or given another key: `on` or `off`. A backup that fails stops the change."""
    backup_folder: str | None = path_or_bucket()
    """Folder of backups, or a bucket of an object store: `s3://BUCKET/PREFIX`, with the extra `s3`. Default:
    `backups` beside a store in a file."""
    backup_key_file: str | None = path()
    """File with the key of backups, made by the first one if it is missing: with it they are encrypted also
    if the store is not, and with another key than the store if it is. Keep a copy of it elsewhere. Default:
    none; backups are encrypted as their store is."""
    purge_days: int = integer(30, most=DAYS_MAX)
    """Days after which a service or worker erases for good what was forgotten with a deleted project; until
    then `holdfast projects restore` brings it back. 0 keeps it."""
    quota_memories: int = integer(0)
    """The most versions of memories that a user may keep, those of forgotten memories and parts of indexed
    files included, until they are erased; 0 for any number. What would exceed it is refused, and nothing
    else: reading, forgetting and erasing go on."""
    quota_mb: int = integer(0)
    """The most megabytes of texts and metadata that a user may keep, counted in the same way; 0 for any."""
    quota_store_memories: int = integer(0)
    """The most versions that all users of the store may keep together; 0 for any number."""
    quota_store_mb: int = integer(0)
    """The most megabytes that all users of the store may keep together; 0 for any."""
    quota_writes: int = integer(0)
    """Maximum number of requests per minute in which a user adds memories through a service, however many
    each request adds; 0 for no limit. Each process of the service counts separately."""
    dimensions: int = choice(DIMENSIONS[-1], DIMENSIONS)
    """Dimensions of the built-in embedder's vectors: 64, 128 or 256. Fewer need less space and time and
    recall slightly less. After a change, `holdfast maintain` recomputes the vectors."""
    embedder: str = "static"
    """The model that turns texts into vectors: `static`, the built-in one; `neural`, that one with MiniLM
    beside it; `onnx:FOLDER`; `sentence-transformers:NAME`; `model:NAME`, added by
    `holdfast models add --dimensions`. After a change, `holdfast maintain` computes the vectors, better
    before it: see `embedder_next`."""
    embedder_next: str | None = None
    """Another embedder, whose vectors are made beside those of `embedder`, which goes on answering. Once
    `holdfast maintain` has made all of them, swap the two settings. Default: none."""
    roots: tuple[str, ...] = read_by(lambda name, value: _roots(name, value), ())
    """Folders of this machine below which users of a service may index folders: in the file a list, in the
    environment separated by colons. Default: none; the command line needs none."""
    key_file: str | None = path()
    """File with the key of the store, readable by its owner only. With it new stores are encrypted, and
    unencrypted ones are refused. Default: none; a key in the system keychain needs no setting."""
    model_addresses: tuple[str, ...] = read_by(lambda name, value: _addresses(name, value), ())
    """Addresses at which users of a service may add language models, such as `https://llm.example`: in the
    file a list, in the environment separated by spaces. Default: none; beside the store none is needed."""
    model_key_files: tuple[tuple[str, str], ...] = read_by(lambda name, value: _key_files(name, value), ())
    """Files with the keys of language models by address: in the file a table such as
    `model_key_files = {"https://llm.example" = "/etc/llm.key"}`, in the environment the same as JSON.
    Default: none; `holdfast models key` keeps keys in the keychain."""
    api_key: str | None = field(default=None, repr=False)
    """API key for a service such as `https://memory.example`; only in the environment. Default: none; the
    one that `holdfast login` put into the keychain of the system is found without a setting."""
    api_key_file: str | None = path()
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
        environment = os.environ.get(f"HOLDFAST_{name.upper()}") or None
        if (source := arguments.get(name)) is not None:
            values[name] = value_of(setting, source)
        elif environment is not None:
            values[name] = value_of(setting, environment)
            if name in KEY_FILES or (name == "backup_folder" and is_path(setting, values[name])):
                _check_absolute(name, values[name])
        elif name in file:
            source = relative_to_file(config_file(), name, file[name]) if name in _PLACES else file[name]
            values[name] = value_of(setting, source)
    values.setdefault("user", system_user())
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
        values["store"] = str(path_of(values["store"]))
    for setting in fields(Settings):
        if setting.name in values and is_path(setting, values[setting.name]):
            values[setting.name] = str(path_of(values[setting.name], setting.name))
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


def provider_key(variable: str) -> str | None:
    """Returns the key in a variable that a provider of models has for its own programs."""
    return os.environ.get(variable) or None


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
        with suppress(OSError):
            part.unlink(missing_ok=True)  # half-written on a full disk
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
    """Returns whether the standard variables of OpenTelemetry configure an exporter of spans."""
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
    """Returns the values of the configuration file, empty without a file. Raises InvalidInput if it is
    invalid."""
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


def _check_absolute(name: str, value: str | tuple[tuple[str, str], ...]) -> None:
    """Raises InvalidInput for the relative path of a key or of backups: in each folder it would be another
    one."""
    for file in [value] if isinstance(value, str) else [file for _, file in value]:
        if not path_of(file, name).is_absolute():
            raise InvalidInput(
                f"HOLDFAST_{name.upper()} has the relative path {safe_repr(file)}, which is another place in"
                " each folder", code="config_invalid", hint="begin it with / or ~/",
            )  # fmt: skip


def _roots(name: str, value: object) -> tuple[str, ...]:
    """Returns a setting that lists folders, as absolute paths. Raises InvalidInput."""
    folders = listed_folders(value)
    if not isinstance(folders, list) or not all(isinstance(folder, str) for folder in folders):
        raise InvalidInput(f"{name} is not a list of folders", code="config_invalid", hint='["/srv/code"]')
    return tuple(os.path.realpath(path_of(folder, name)) for folder in folders)


def _addresses(name: str, value: object) -> tuple[str, ...]:
    """Returns a setting that lists URLs. Raises InvalidInput."""
    addresses = value.split() if isinstance(value, str) else value
    if not isinstance(addresses, list) or not all(
        isinstance(address, str) and scheme_of(address) for address in addresses
    ):
        raise InvalidInput(
            f"{name} is not a list of addresses",
            code="config_invalid",
            hint='["https://llm.example"]',
        )
    return tuple(addresses)


def _key_files(name: str, value: object) -> tuple[tuple[str, str], ...]:
    """Returns a setting that maps URLs to files, as pairs. Raises InvalidInput."""
    value = parsed_table(value)
    if not isinstance(value, dict) or not all(
        scheme_of(url) and isinstance(f, str) for url, f in value.items()
    ):
        raise InvalidInput(
            f"{name} is not a table of files by address", code="config_invalid",
            hint='{"https://llm.example" = "/etc/holdfast/llm.key"}',
        )  # fmt: skip
    return tuple((url, str(path_of(file, name))) for url, file in value.items())


def path_of(name: str, setting: str = "store", code: str = "config_invalid") -> Path:
    """Returns a setting as a path, with `~` expanded. Raises InvalidInput."""
    try:
        name.encode()
        usable = "\0" not in name
    except UnicodeEncodeError:
        usable = False
    if not usable:
        raise InvalidInput(f"{setting} {safe_repr(name)} is not a path", code=code)
    try:
        return at_home(name)
    except RuntimeError as error:  # ~ of a user without a home
        raise InvalidInput(f"{setting} {safe_repr(name)}: {error}", code=code) from error


def _file_name(user: str) -> str:
    return re.sub(r"[^\w.@-]", "_", user) or "default"
