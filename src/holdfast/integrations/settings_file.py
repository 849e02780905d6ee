"""Settings files of other programs: read, changed without a loss, shown as a diff, and written at once."""

from __future__ import annotations

import json
import os
import shlex
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdfast.core.errors import InvalidInput
from holdfast.features.reading.safe_open import is_special, link_on_the_way
from holdfast.integrations import json_text


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one settings file: its text before and after, None for no file."""

    path: Path
    old: str | None
    new: str | None

    @property
    def diff(self) -> str:
        """Returns the change as a unified diff, empty if there is none."""
        from difflib import unified_diff

        name = str(self.path)
        before, after = (text.splitlines(keepends=True) if text else [] for text in (self.old, self.new))
        lines = unified_diff(
            before, after, os.devnull if self.old is None else name, os.devnull if self.new is None else name
        )
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)

    def check(self) -> None:
        """Raises InvalidInput `config_invalid` if the file is no longer what was read: since then its own
        program may have written what this change does not have."""
        try:
            is_same = _text_of(self.path) == self.old
        except (OSError, UnicodeError) as error:
            raise _unchangeable(self.path, error) from error
        if not is_same:
            raise InvalidInput(
                f"{self.path} was changed meanwhile, and stays as it is", code="config_invalid",
                hint="run the command again",
            )  # fmt: skip

    def apply(self) -> bool:
        """Writes the file, or removes it. Returns whether it changed. Raises InvalidInput, also for a file
        that was changed meanwhile."""
        if self.new == self.old:
            return False
        self.check()
        try:
            if self.new is None:
                self.path.unlink(missing_ok=True)
            else:
                _replace(self.path, self.new)
        except OSError as error:
            raise _unchangeable(self.path, error) from error
        return True


@dataclass(frozen=True, slots=True)
class Edit:
    """An edit of one settings file: from its text to the new one, and what to add by hand if that fails."""

    path: Path
    merge: Callable[[str], str]
    by_hand: str | None = None


def plan(edits: Sequence[Edit], *, root: Path | None = None) -> list[Change]:
    """Returns the changes that edits make, one for each file. See `change_of`."""
    together: dict[Path, Edit] = {}
    for edit in edits:
        first = together.get(edit.path)
        together[edit.path] = edit if first is None else _both(first, edit)
    return [change_of(edit, root=root) for edit in together.values()]


def _both(first: Edit, second: Edit) -> Edit:
    return Edit(first.path, lambda old: second.merge(first.merge(old)), first.by_hand)


def change_of(edit: Edit, *, root: Path | None = None) -> Change:
    """Returns the change that an edit makes; a file of which nothing is left goes.

    A file below `root`, the folder of a project, is written through no link, since whoever made the project
    decides where links lead. Raises InvalidInput `config_invalid` if the change would lose something.
    """
    path = edit.path
    if root is not None and (link := link_on_the_way(root, path)):
        raise InvalidInput(
            f"{link} is a link, and nothing is written through it", code="config_invalid",
            hint="replace it by what it leads to, or use `--scope user`",
        )  # fmt: skip
    path = path.resolve()  # settings are often links into a dotfiles repository: the link stays
    try:
        if is_special(path):
            raise InvalidInput(
                f"{path} is not a regular file, and stays as it is", code="config_invalid",
                hint="find out what it is, and remove it",
            )  # fmt: skip
        old = _text_of(path)
        new = edit.merge(old or "")
    except CannotMerge as error:
        raise InvalidInput(
            f"{path} was not changed: {error}",
            code="config_invalid",
            hint=_by_hand(edit) or "change it yourself",
        ) from error
    except (OSError, UnicodeError) as error:
        raise _unchangeable(path, error) from error
    if not new and old and edit.path.is_symlink():
        new = "{}\n" if path.suffix == ".json" else new  # a link to nothing would be left
    change = Change(path, old, new if new or (old is not None and not old) else None)
    if change.new != old and old is not None and not path.stat().st_mode & 0o222:
        raise InvalidInput(
            f"{path} is read-only, and stays as it is", code="config_invalid",
            hint="; or ".join(filter(None, [f"chmod u+w {shlex.quote(str(path))}", _by_hand(edit)])),
        )  # fmt: skip
    return change


def apply_all(changes: Sequence[Change]) -> None:
    """Writes all of some changes, or none: what was written before one failed is undone. Raises
    InvalidInput."""
    for change in changes:
        change.check()
    done: list[Change] = []
    try:
        for change in changes:
            change.apply()
            done.append(change)
    except InvalidInput:
        for change in reversed(done):
            with suppress(InvalidInput):  # what its program has written since stays
                Change(change.path, change.new, change.old).apply()
        raise


def _text_of(path: Path) -> str | None:
    """Returns the text of a file with its ends of lines, None for no file."""
    return path.read_bytes().decode("utf-8") if path.exists() else None


def _by_hand(edit: Edit) -> str:
    return "" if edit.by_hand is None else f"add this yourself:\n{edit.by_hand}"


def _unchangeable(path: Path, error: Exception) -> InvalidInput:
    return InvalidInput(
        f"{path} cannot be changed: {error}", code="config_invalid",
        hint="nothing was changed; see who owns the file and its folder, and try again",
    )  # fmt: skip


class CannotMerge(Exception):
    """An error for a file into which the entry cannot be merged without a loss."""


def read_json(old: str, *, comments: bool = False) -> dict[str, Any]:
    """Returns the object in a settings file, which may have comments if its program accepts them. Raises
    CannotMerge for what is not JSON."""
    try:
        text = json_text.plain(old) if comments else json_text.unmarked(old)
        document = json.loads(text, object_pairs_hook=_pairs) if text.strip() else {}
    except ValueError as error:
        raise CannotMerge(f"it is not {'' if comments else 'plain '}JSON ({error})") from error
    except RecursionError as error:
        raise CannotMerge("it is nested too deeply") from error
    if not isinstance(document, dict):
        raise CannotMerge("it is not an object")
    return document


def written_json(document: dict[str, Any], old: str) -> str:
    """Returns the text of a file with an object in place of the old one: what has not changed keeps its form.
    Nothing for an empty object without a comment."""
    if not document and json_text.plain(old) == old:
        return ""
    if not old.strip():
        return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    return json_text.changed(old, document)


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        raise ValueError("a key occurs twice in one object")
    return result


def _replace(path: Path, text: str) -> None:
    """Writes a file atomically, with its existing permissions, or for its owner only."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(text.encode("utf-8"))
            stream.flush()
            os.fsync(stream.fileno())
        if path.exists():
            os.chmod(draft, path.stat().st_mode & 0o7777)
        os.replace(draft, path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
