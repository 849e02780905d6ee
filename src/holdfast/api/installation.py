"""Checks of an installation: whether all of it is there, unchanged, and works on this machine."""

from __future__ import annotations

import base64
import csv
import hashlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import import_module
from importlib.metadata import Distribution, PackageNotFoundError, distribution, packages_distributions
from pathlib import Path
from typing import Final

import holdfast
from holdfast import config
from holdfast._version import __version__
from holdfast.api.memory import Memory
from holdfast.bootstrap import open_service
from holdfast.config import Settings
from holdfast.core.errors import HoldfastError
from holdfast.core.extras import how_to_install
from holdfast.core.wire import Plain, computed, wire
from holdfast.embeddings.static import StaticEmbedder
from holdfast.stores.base.registry import backend_of

PROGRAM: Final = "holdfast"
PYTHON_MIN = (3, 11)
REINSTALL = "pip install --force-reinstall holdfast"
SHOWN = 3
"""File names that one line names."""
TIMEOUT = 5.0
"""Seconds in which a configured service has to answer."""
TEXT = "The lamp of the harbour is red"


class State(StrEnum):
    """The outcome of one check."""

    OK = "ok"
    NOTE = "note"
    """It works, and there is something to know."""
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Check(Plain):
    """One check: what was found, and what to do about it."""

    name: str
    state: State
    found: str
    advice: str = field(default="", metadata=wire(about="What to do; empty if there is nothing to do."))


@dataclass(frozen=True, slots=True)
class Installation(Plain):
    """The checks of an installation, in their order."""

    version: str
    checks: tuple[Check, ...]

    @property
    @computed
    def whole(self) -> bool:
        """Returns whether there is no problem."""
        return all(check.state is not State.PROBLEM for check in self.checks)


def examined(load: Callable[[], Settings]) -> Installation:
    """Looks at this installation, and at the store that the settings name, which `load` reads. Connects to
    nothing but that store, and changes nothing: what is tried is tried in a temporary folder."""
    checks = (
        _program, _python, _files, _web, _shadows, _database, _embedder, _extras, _works, _keychain,
        lambda: _configured(load),
    )  # fmt: skip
    return Installation(__version__, tuple(result for check in checks for result in _tried(check)))


def _tried(check: Callable[[], Iterator[Check]]) -> Iterator[Check]:
    """Yields the outcomes of a check; one that breaks off is a problem itself."""
    try:
        yield from check()
    except Exception as error:  # whatever is broken here is what is looked for
        name = check.__name__.strip("_<>")
        yield Check(name, State.PROBLEM, f"the check broke off: {_described(error)}", REINSTALL)


def _described(error: BaseException) -> str:
    if isinstance(error, HoldfastError):
        return error.message
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _program() -> Iterator[Check]:
    yield Check("version", State.OK, f"{__version__} in {Path(holdfast.__file__).parent}")


def _python() -> Iterator[Check]:
    """Checks the version of Python."""
    interpreter = f"{sys.implementation.name} {'.'.join(map(str, sys.version_info[:3]))} at {sys.executable}"
    if sys.version_info < PYTHON_MIN:
        lowest = ".".join(map(str, PYTHON_MIN))
        yield Check(
            "python", State.PROBLEM, interpreter, f"install Python {lowest} or newer, then Holdfast with it"
        )
    else:
        yield Check("python", State.OK, interpreter)


def _files() -> Iterator[Check]:
    """Compares the files with the hashes that the wheel noted of them."""
    try:
        dist = distribution(PROGRAM)
    except PackageNotFoundError:
        yield Check("files", State.NOTE, "not installed as a package: nothing to compare with", REINSTALL)
        return
    if '"editable": true' in (dist.read_text("direct_url.json") or ""):
        yield Check("files", State.NOTE, "an editable installation of a checkout: nothing to compare with")
        return
    missing, changed, count = [], [], 0
    for name, method, value in _recorded(dist):
        count += 1
        try:
            content = Path(str(dist.locate_file(name))).read_bytes()
        except OSError:
            missing.append(name)
            continue
        digest = base64.urlsafe_b64encode(hashlib.new(method, content).digest()).decode()
        if digest.rstrip("=") != value:
            changed.append(name)
    for paths, what in ((missing, "missing"), (changed, "not as they were installed")):
        if paths:
            names = ", ".join(paths[:SHOWN]) + (" …" if len(paths) > SHOWN else "")
            yield Check("files", State.PROBLEM, f"{len(paths):,} of {count:,} {what}: {names}", REINSTALL)
    if not (missing or changed):
        yield Check("files", State.OK, f"all {count:,} are as they were installed")


def _recorded(dist: Distribution) -> Iterator[tuple[str, str, str]]:
    """Yields the name, the method and the hash of each file of which the wheel noted one. `dist.files` would
    leave out those that are missing, from Python 3.12 on."""
    for name, noted, _ in csv.reader((dist.read_text("RECORD") or "").splitlines()):
        method, _, value = noted.partition("=")
        if value:
            yield name, method, value


def _web() -> Iterator[Check]:
    """Checks that the files of the web interface are there."""
    built = Path(holdfast.__file__).parent / "http" / "static"
    try:
        page = (built / "index.html").read_text("utf-8")
    except OSError:
        yield Check(
            "web", State.NOTE, "the web interface was not built in", f"{REINSTALL}; in a checkout: make web"
        )
        return
    named = re.findall(r'(?:src|href)="/?((?:assets/|theme|favicon)[^"]+)"', page)
    missing = [name for name in named if not (built / name).is_file()]
    if missing:
        yield Check(
            "web", State.PROBLEM, f"files of the web interface are missing: {', '.join(missing)}", REINSTALL
        )
    else:
        yield Check(
            "web", State.OK, f"the web interface is there, with {len(named):,} files that its page names"
        )


def _shadows() -> Iterator[Check]:
    """Looks for other installations: those that come first on the path are what a shell starts."""
    own = Path(sys.executable).parent
    paths: list[Path] = []
    for folder in os.get_exec_path():
        program = shutil.which(PROGRAM, path=folder) if folder else None
        if program is not None and Path(program).resolve() not in [path.resolve() for path in paths]:
            paths.append(Path(program))
    if not paths:
        yield Check(
            "path", State.NOTE, f"no `{PROGRAM}` is on the PATH", f"add {own} to PATH, or call it by its path"
        )
    elif paths[0].parent.resolve() not in (own.resolve(), own):
        yield Check(
            "path", State.PROBLEM, f"a shell starts {paths[0]}, not the one in {own}",
            f"remove that one, or put {own} before it in PATH",
        )  # fmt: skip
    elif len(paths) > 1:
        others = ", ".join(map(str, paths[1:]))
        yield Check("path", State.NOTE, f"{paths[0]} comes first; there are others: {others}", "remove those")
    else:
        yield Check("path", State.OK, str(paths[0]))


def _database() -> Iterator[Check]:
    """Checks the database engine for known problems."""
    engine = backend_of("").engine()
    for problem in engine.problems:
        yield Check(
            "database",
            State.PROBLEM,
            f"{engine.versions}: {problem}",
            engine.repair,
        )
    if not engine.problems:
        yield Check("database", State.OK, engine.versions)


def _embedder() -> Iterator[Check]:
    """Checks that the built-in model gives similar texts similar vectors."""
    vectors = StaticEmbedder(256).embed([TEXT, "red harbour lamp", "a recipe for bread"])
    near, far = float(vectors[0] @ vectors[1]), float(vectors[0] @ vectors[2])
    if not near > far:
        yield Check("embedder", State.PROBLEM, "the model inside gives wrong vectors", REINSTALL)
    else:
        yield Check("embedder", State.OK, f"the model inside gives vectors of {vectors.shape[1]} dimensions")


def _extras() -> Iterator[Check]:
    """Looks at the packages of each extra: whether they are there, new enough, and can be imported."""
    try:
        dist = distribution(PROGRAM)
    except PackageNotFoundError:
        return
    modules: dict[str, list[str]] = {}
    for module, names in packages_distributions().items():
        for name in names:
            modules.setdefault(_plain_name(name), []).append(module)
    present, absent = [], []
    for extra, needed in sorted(_needs(dist).items()):
        there = {name: _installed(name) for name, _ in needed}
        if not any(there.values()):
            absent.append(extra)
            continue
        lacking = [name for name, actual in there.items() if actual is None]
        lacking += [
            f"{name} {lowest} (there is {actual.version})"
            for name, lowest in needed
            if lowest and (actual := there[name]) is not None and _numbers(actual.version) < _numbers(lowest)
        ]
        broken = [why for name in there if there[name] for why in _unusable(modules.get(name, ()))]
        if broken:
            yield Check(
                "extra", State.PROBLEM, f"{extra}: {'; '.join(broken)}",
                f"pip install --force-reinstall 'holdfast[{extra}]'",
            )  # fmt: skip
        elif lacking:
            yield Check(
                "extra", State.NOTE, f"{extra} is not complete: {', '.join(lacking)}",
                f"if you use it: {how_to_install(extra)}",
            )  # fmt: skip
        else:
            present.append(extra)
    yield Check(
        "extras", State.OK, f"{', '.join(present) or 'none'}; not installed: {', '.join(absent) or 'none'}"
    )


def _needs(dist: Distribution) -> dict[str, list[tuple[str, str]]]:
    """Returns the packages of each extra, by their plain names, with the lowest versions."""
    needs: dict[str, list[tuple[str, str]]] = {}
    for line in dist.requires or ():
        requirement, _, condition = line.partition(";")
        extra = re.search(r"extra == [\"']([^\"']+)", condition)
        name = _plain_name(re.split(r"[^\w.-]", requirement.strip())[0])
        if extra is not None and name != PROGRAM:
            lowest = re.search(r">=\s*([0-9.]+)", requirement)
            needs.setdefault(extra[1], []).append((name, lowest[1] if lowest else ""))
    return needs


def _plain_name(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def _installed(name: str) -> Distribution | None:
    """Returns an installed distribution; None if it is not installed."""
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def _unusable(modules: list[str] | tuple[str, ...]) -> Iterator[str]:
    """Yields which modules of a package cannot be imported, and why."""
    for module in modules:
        if module.startswith("_") or not module.isidentifier():
            continue
        try:
            import_module(module)
        except Exception as error:  # a library that does not fit this machine fails in its own way
            yield f"{module} cannot be imported ({_described(error)})"


def _works() -> Iterator[Check]:
    """Writes, reads and recalls in temporary stores, plain and encrypted."""
    for name, key in (("store", None), ("encryption", os.urandom(32).hex())):
        with tempfile.TemporaryDirectory(prefix="holdfast-check-") as folder:
            settings = Settings(str(Path(folder) / "store.db"), "check", key=key)
            for step in (_write, _read):
                with Memory.over(open_service(settings)) as memory:
                    step(memory)
        yield Check(name, State.OK, "a temporary store was written, opened again, searched and checked")


def _write(memory: Memory) -> None:
    """Stores a text in a store for the check."""
    memory.remember_many([{"text": text} for text in (TEXT, "Bread is baked at five", "The boat is blue")])


def _read(memory: Memory) -> None:
    """Finds the text again. Raises RuntimeError if it is not found or the store has problems."""
    hits = memory.recall("What colour is the lamp at the harbour?")
    if not hits or hits[0].memory.text != TEXT:
        raise RuntimeError("what was written was not found")
    if problems := memory.doctor().problems:
        raise RuntimeError(problems[0])


def _keychain() -> Iterator[Check]:
    """Checks whether keys can be kept in the keychain of the system."""
    if _installed("keyring") is None:
        yield Check("keychain", State.NOTE, "not used", f"to keep keys in it: {how_to_install('keychain')}")
        return
    backend = import_module("keyring").get_keyring()
    name = f"{type(backend).__module__}.{type(backend).__name__}"
    if float(getattr(backend, "priority", 1)) <= 0:
        yield Check(
            "keychain", State.NOTE, f"none on this machine ({name})", "keep keys in files: --key-file PATH"
        )
    else:
        yield Check("keychain", State.OK, name)


def _configured(load: Callable[[], Settings]) -> Iterator[Check]:
    """Looks at the store that is configured: it is read, and neither created nor migrated."""
    try:
        settings = load()
    except HoldfastError as error:
        yield Check("settings", State.PROBLEM, error.message, error.hint or f"see {config.config_file()}")
        return
    yield Check("settings", State.OK, f"user {settings.user}, file {config.config_file()}")
    try:
        yield _reached(settings)
    except HoldfastError as error:
        where = settings.store if not config.scheme_of(settings.store) else "the configured store"
        yield Check("configured store", State.PROBLEM, f"{where}: {error.message}", error.hint or "")


def _reached(settings: Settings) -> Check:
    """Checks that the configured store or service can be reached and has a schema of this version."""
    name = "configured store"
    if config.is_service(settings.store):
        with Memory(settings.store, timeout=TIMEOUT) as memory:
            if memory.is_available(timeout=TIMEOUT):
                return Check(name, State.OK, f"the service {memory.path} answers")
            return Check(name, State.PROBLEM, f"{memory.path} does not answer", "start it, or holdfast login")
    backend = backend_of(settings.store)
    where = backend.without_password(settings.store)
    schema = backend.schema(settings)
    if schema is None and config.scheme_of(settings.store):
        return Check(name, State.PROBLEM, f"{where} has no tables of Holdfast", "holdfast store prepare")
    if schema is None:
        folder = Path(settings.store).absolute().parent
        existing = next(parent for parent in (folder, *folder.parents) if parent.exists())
        if not os.access(existing, os.W_OK):
            return Check(
                name, State.PROBLEM, f"{where} cannot be made: {existing} is not writable", "--store PATH"
            )
        return Check(name, State.OK, f"{where} does not exist yet; the first `holdfast remember` creates it")
    if schema.found < schema.known:
        advice = "it is backed up and migrated when it is opened"
        if config.scheme_of(settings.store):
            advice = "holdfast store prepare, as the owner of the tables"
        return Check(name, State.NOTE, f"{where} has schema {schema.found}, this is {schema.known}", advice)
    return Check(name, State.OK, f"{where}, schema {schema.found}")
