"""Decides which paths of a folder are hidden: excluded by default or by its owner, or the store."""

from __future__ import annotations

import os
from collections.abc import Sequence

from holdfast.features.reading import defaults, ignore_rules


class Exclusions:
    """The exclusions of one folder.

    `root` is its real path, `exclude` its own patterns, `store` the location of Holdfast's own data, which
    also concerns users other than the owner of the folder.
    """

    def __init__(self, root: str, exclude: Sequence[str] = (), store: str | None = None) -> None:
        self._patterns = ignore_rules.globs(exclude)
        self._store = None if store is None else _below(os.path.realpath(store), root)

    def covers(self, path: str) -> bool:
        """Returns whether a file or folder at a path below the root is hidden."""
        if not path:
            return self.is_store(path)
        if defaults.is_excluded(path) or self.is_store(path):
            return True
        if self._patterns is None:
            return False
        ends = [at for at, char in enumerate(path) if char == "/"]
        folders = [path[: end + 1] for end in ends]
        return any(map(self._patterns.match_file, (*folders, path, path + "/")))

    def is_store(self, path: str) -> bool:
        """Returns whether a path is that of the store or of one of its files: the store's path with any
        suffix."""
        return self._store is not None and _is_with(path, self._store)


def _below(store: str, root: str) -> str | None:
    """Returns the path of the store in a folder, "" if the folder is inside the store, None if it is
    elsewhere."""
    if _is_with(root, store):
        return ""
    inside = store.removeprefix(root.rstrip("/") + "/")
    return None if inside == store else inside


def _is_with(path: str, store: str) -> bool:
    if not path.startswith(store):
        return False
    rest = path[len(store) :]
    return not store or not rest or not rest[0].isalnum()
