"""Lists the files and folders excluded by default: output, caches, copies, lock files, stores (S1.62)."""

from __future__ import annotations

import re

FOLDERS = frozenset(
    ".git .hg .svn .jj node_modules bower_components vendor dist build target .next .nuxt .turbo .cache"
    " .parcel-cache .svelte-kit .venv venv .tox .nox .eggs __pycache__ .mypy_cache .pytest_cache"
    " .ruff_cache .hypothesis .gradle .terraform .direnv .idea .nyc_output site-packages pods deriveddata"
    " .holdfast".split()
)
"""Names of folders, in lower case: generated ones, and `vendor`, which contains third-party code."""

LOCK_FILES = frozenset(
    "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock"
    " poetry.lock uv.lock pdm.lock pipfile.lock cargo.lock gemfile.lock composer.lock go.sum go.work.sum"
    " flake.lock mix.lock podfile.lock pubspec.lock packages.lock.json gradle.lockfile"
    " .terraform.lock.hcl .ds_store thumbs.db .git".split()
)
"""Names of lock files and of what programs note for themselves (`.git` of a worktree), in lower case."""

_STORES = re.compile(
    r".*\.sqlite.*|.*-(?:wal|shm|journal)|.*\.db3?(?:-.*|\.(?:head|keys|jobs|spool)(?:\..*)?)?",
    re.DOTALL,
)
"""Databases and their side files, including Holdfast's own store, whose indexing would never end."""


def is_excluded_folder(name: str) -> bool:
    """Returns whether folders of this name are excluded with their contents."""
    lower = name.lower()
    return lower in FOLDERS or lower.endswith((".egg-info", ".dist-info"))


def is_excluded_file(name: str) -> bool:
    """Returns whether files of this name are excluded."""
    lower = name.lower()
    return lower in LOCK_FILES or _STORES.fullmatch(lower) is not None


def is_excluded(path: str) -> bool:
    """Returns whether a relative path is in an excluded folder, or is an excluded file or folder."""
    *folders, name = path.split("/")
    return any(map(is_excluded_folder, folders)) or is_excluded_folder(name) or is_excluded_file(name)
