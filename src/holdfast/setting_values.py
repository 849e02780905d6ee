"""Fields of settings, which say how their values are read: numbers, choices, tables, paths, text."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import Field, field
from functools import partial
from pathlib import Path
from typing import Any

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import InvalidInput
from holdfast.language.facts.topics import Topics, with_custom

_LIKE_ADDRESS = re.compile(r"""[\s"']*(?:s3:|[a-z][a-z0-9+.-]+:/)""", re.ASCII | re.IGNORECASE)
_MADE = ("store", "backup_folder", "backup_key_file")
"""Settings whose file or folder is made if it is missing."""
BITS_MAX = 8.0
"""Highest entropy of a text, in bits per character."""


def read_by(parser: Callable[[str, object], Any], default: Any) -> Any:
    """Returns the field of a setting that is not plain text: `parser` makes its value of its name and what
    the environment, the file or an argument says."""
    return field(default=default, metadata={"parser": parser})


def integer(default: int, least: int = 0, most: int | None = None) -> Any:
    """Returns the field of a setting that is a whole number from `least`, at most `most`."""
    return read_by(partial(_integer, least, most), default)


def choice(default: Any, choices: Sequence[Any]) -> Any:
    """Returns the field of a setting that is one of several values."""
    return read_by(partial(_choice, choices), default)


def path() -> Any:
    """Returns the field of an optional setting that names a file or folder."""
    return field(default=None, metadata={"is_path": True})


def path_or_bucket() -> Any:
    """Returns the field of an optional setting that names a folder, or a bucket by its address."""
    return field(default=None, metadata={"is_path": True, "scheme": "s3"})


def value_of(setting: Field[Any], value: object) -> Any:
    """Returns the value of a setting; without a parser it is a text that is not empty. Raises InvalidInput
    `config_invalid`."""
    if parser := setting.metadata.get("parser"):
        return parser(setting.name, value)
    if not isinstance(value, str) or not value.strip() or not _is_encodable(value):
        raise InvalidInput(f"{setting.name} is empty or not text", code="config_invalid")
    return value


def _is_encodable(text: str) -> bool:
    """Returns whether a text has characters alone, no bytes of another encoding."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_path(setting: Field[Any], value: str) -> bool:
    """Returns whether the value of a setting names a file or folder."""
    scheme = setting.metadata.get("scheme")
    return bool(setting.metadata.get("is_path")) and not (scheme and looks_like_address(value))


def looks_like_address(text: str) -> bool:
    """Returns whether a text is an address or meant as one, such as `S3:/bucket`, and no path of a file."""
    return _LIKE_ADDRESS.match(text) is not None


def relative_to_file(file: Path, name: str, value: Any) -> Any:
    """Returns a path, or a list or table of paths, that the configuration file has for a setting; relative
    ones start at its folder, wherever a program runs. Raises InvalidInput for one that a program would make
    anew there although the current folder has it."""
    if name == "roots":
        value = listed_folders(value)
    elif name == "model_key_files":
        value = parsed_table(value)
    elif name in ("embedder", "embedder_next"):
        kind, _, folder = value.partition(":") if isinstance(value, str) else ("", "", "")
        return f"{kind}:{_joined(file, folder)}" if kind == "onnx" else value
    if isinstance(value, list):
        return [_joined(file, one) for one in value]
    if isinstance(value, dict):
        return {key: _joined(file, one) for key, one in value.items()}
    place = _joined(file, value)
    if name in _MADE and place != value and not os.path.lexists(place) and os.path.lexists(value):
        here = os.path.abspath(value)
        raise InvalidInput(
            f"{name} {safe_repr(value)} in {file} is now {place}, which does not exist; {here} does",
            code="config_invalid",
            hint=f'write an absolute path: {name} = "{here}" for that one, {name} = "{place}" for a new one',
        )
    return place


def _joined(file: Path, value: Any) -> Any:
    """Returns a path that starts at the folder of a file if it is relative; addresses and what is no text
    unchanged."""
    if not isinstance(value, str) or not value.strip() or value[0] == "~" or looks_like_address(value):
        return value
    return str(file.parent.absolute() / value)


def listed_folders(value: object) -> object:
    """Returns the list of folders that a text separates by colons; another value unchanged."""
    return [folder for folder in value.split(os.pathsep) if folder] if isinstance(value, str) else value


def _integer(least: int, most: int | None, name: str, value: object) -> int:
    """Returns the whole number in a value; `most` None sets no upper limit. Raises InvalidInput."""
    try:
        number = int(str(value))
    except ValueError:
        number = -1
    if number < least or (most is not None and number > most):
        to = "" if most is None else f" to {most}"
        raise InvalidInput(
            f"{name} {safe_repr(value)} is not a whole number from {least}{to}", code="config_invalid"
        )
    return number


def _choice(choices: Sequence[Any], name: str, value: object) -> Any:
    """Returns the choice that a value spells, so a number may be given as text. Raises InvalidInput."""
    for choice in choices:
        if str(choice) == str(value):
            return choice
    listed = ", ".join(map(str, choices))
    raise InvalidInput(f"{name} {safe_repr(value)} is not {listed}", code="config_invalid")


def parsed_table(value: object) -> object:
    """Returns a table that the environment holds as JSON; None for what is no JSON."""
    if not isinstance(value, str):
        return value
    import json

    try:
        parsed: object = json.loads(value)
        json.dumps(parsed, ensure_ascii=False).encode()  # "\\ud800" is no text
    except (ValueError, RecursionError):
        return None
    return parsed


def topics(name: str, value: object) -> Topics:
    """Returns the built-in topics of facts with those of a table. Raises InvalidInput, as the others do."""
    value = parsed_table(value)
    if not isinstance(value, dict) or not all(isinstance(nouns, list | str) for nouns in value.values()):
        raise InvalidInput(
            f"{name} is not a table of lists of nouns",
            code="config_invalid",
            hint='{"board games" = ["games"]}',
        )
    return with_custom(value)


def pii_patterns(_: str, value: object) -> tuple[tuple[str, str], ...]:
    """Returns the patterns of a table by name."""
    from holdfast.language.pii_patterns import checked_patterns  # compiles them, with RE2

    return checked_patterns(parsed_table(value))


def bits(name: str, value: object) -> float:
    """Returns an entropy in bits per character."""
    try:
        number = float(str(value))
    except ValueError:
        number = -1.0
    if not 0 <= number <= BITS_MAX:
        raise InvalidInput(
            f"{name} {safe_repr(value)} is not a number from 0 to {BITS_MAX:g}", code="config_invalid"
        )
    return number
