"""The mutants that mutmut makes: which there are, where each differs from the code, and what became of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import chdir
from fnmatch import fnmatch
from pathlib import Path

from mutmut.__main__ import create_mutants
from mutmut.configuration import config
from mutmut.mutation.data import SourceFileMutationData
from mutmut.type_checking import run_type_checker
from mutmut.utils.file_utils import copy_also_copy_files, copy_src_dir, walk_mutatable_files

from tools.mutation.places import altered, mutated
from tools.mutation.trial import BROKEN, KILLED, SURVIVED, TIMEOUT, UNREACHED, Mutant

BY_TYPES = 37
LEFT = {SURVIVED: "survived", UNREACHED: "no test", BROKEN: "broken"}
NAMES = {BY_TYPES: "types", KILLED: "tests", TIMEOUT: "too long", **LEFT}


def make() -> None:
    """Makes the mutants of what [tool.mutmut] names, and notes of which mypy says that they are wrong."""
    copy_src_dir()
    copy_also_copy_files()
    create_mutants(2)
    with chdir("mutants"):
        found = run_type_checker(config().type_check_command)
    errors: defaultdict[Path, dict[int, str]] = defaultdict(dict)
    for error in found:
        errors[error.file_path.resolve()][error.line_number] = error.error_description
    for data in _read():
        path = Path("mutants", data.path).resolve()
        names = {name.rpartition(".")[2]: name for name in data.exit_code_by_key}
        for function, lines in mutated(path.read_text("utf-8")).items():
            for line in errors[path].keys() & set(lines):
                data.exit_code_by_key[names[function]] = BY_TYPES
                data.type_check_error_by_key[names[function]] = errors[path][line]
        data.save()


def untried(patterns: list[str], *, again: bool = False) -> list[Mutant]:
    """Returns the mutants of these names of which nothing is known yet, or `again` those that are left."""
    found, wanted = [], {None, *LEFT} if again else {None}
    for data in _read():
        path = Path("mutants", data.path)
        places = altered(path.read_text("utf-8"))
        for name, code in data.exit_code_by_key.items():
            if code in wanted and any(fnmatch(name, pattern) for pattern in patterns or "*"):
                found.append(Mutant(name, path.resolve(), places[name.rpartition(".")[2]]))
    return found


def note(results: dict[str, int]) -> None:
    """Keeps what became of mutants where mutmut keeps it."""
    for data in _read():
        if both := data.exit_code_by_key.keys() & results.keys():
            data.exit_code_by_key.update({name: results[name] for name in both})
            data.save()


def summary() -> Iterator[str]:
    """Says for each file what became of its mutants, and names those that no test noticed."""
    codes_of = {str(data.path).removeprefix("src/holdfast/"): data.exit_code_by_key for data in _read()}
    every = {name: code for codes in codes_of.values() for name, code in codes.items()}
    yield f"{'':40} {'all':>8} " + " ".join(f"{name:>8}" for name in NAMES.values())
    for file, codes in (*codes_of.items(), ("all", every)):
        count = Counter(codes.values())
        yield f"{file:40} {len(codes):8} " + " ".join(f"{count[code]:8}" for code in NAMES)
    left = [name for name, code in every.items() if code in LEFT]
    tried = sum(code is not None for code in every.values())
    for what, number in (
        ("all that were tried", tried),
        ("what the types let through", tried - count[BY_TYPES]),
    ):
        yield f"{number - len(left)} of {number} of {what} were noticed: {1 - len(left) / max(number, 1):.1%}"
    yield from left


def _read() -> Iterator[SourceFileMutationData]:
    for path in walk_mutatable_files():
        data = SourceFileMutationData(path=path)
        data.load()
        if data.exit_code_by_key:
            yield data
