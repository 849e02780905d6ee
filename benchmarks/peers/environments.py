"""A virtual environment for each peer: made once, kept in the folder, measured."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.peers.catalogue import HERE, Peer

ROOT = Path(__file__).resolve().parents[2]

_CAN_EXTEND = "import sqlite3, sys; sys.exit(not hasattr(sqlite3.Connection, 'enable_load_extension'))"
_TOOLS = ("pip", "setuptools", "_distutils_hack", "pkg_resources", "distutils-precedence")
_VERSION = "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))"


class NotInstalled(Exception):
    """Why a peer cannot be measured here."""


@cache
def interpreter() -> str:
    """The Python of every environment: this one, or else the system's, if its SQLite can load extensions."""
    for python in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3", shutil.which("python3")):
        if python and Path(python).exists():
            asked = subprocess.run([python, "-c", _CAN_EXTEND], capture_output=True, check=False)
            if asked.returncode == 0:
                return python
    return sys.executable


def install(peer: Peer, folder: Path, python: str, seconds: float) -> Path:
    """The interpreter of the peer's environment, which is made when it is not there.

    Holdfast is installed again every time, because it is what changes. Raises NotInstalled.
    """
    mine = any(name.startswith(HERE) for name in peer.requirements)
    recipe = "\n".join((python, *peer.requirements))
    if mine:
        # What this repository depends on may change; its environment is then a new one.
        recipe += (ROOT / "pyproject.toml").read_text("utf-8")
    place = folder / f"{peer.distribution}-{hashlib.sha256(recipe.encode()).hexdigest()[:8]}"
    own = place / "bin" / "python"
    done = place / "installed"
    if done.exists() and not mine:
        return own
    requirements = [
        f"{ROOT}{name.removeprefix(HERE)}" if name.startswith(HERE) else name for name in peer.requirements
    ]
    pip = [str(own), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--compile"]
    if not done.exists():
        shutil.rmtree(place, ignore_errors=True)
        _run([python, "-m", "venv", str(place)], seconds)
        _run([*pip, *requirements], seconds)
    elif mine:
        _run([*pip, "--force-reinstall", "--no-deps", *requirements], seconds)
    done.touch()
    return own


def footprint(python: Path, distribution: str) -> dict[str, Any]:
    """Version, megabytes and number of packages of an environment, without pip and setuptools."""
    version = subprocess.run(
        [str(python), "-c", _VERSION, distribution], capture_output=True, check=True, text=True
    ).stdout.strip()
    site = next(python.parent.parent.glob("lib/python3*/site-packages"))
    tops = [top for top in site.iterdir() if not top.name.startswith(_TOOLS)]
    size = sum(file.lstat().st_size for top in tops for file in _files(top))
    packages = sum(top.name.endswith(".dist-info") for top in tops)
    return {"version": version, "mb": size / 1e6, "packages": packages}


def sandbox(home: Path) -> dict[str, str]:
    """The environment variables of every worker: no one's settings, nothing sent home, nothing fetched."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    return kept | {
        "HOME": str(home),
        "PYTHONPATH": str(ROOT),
        "HF_HUB_OFFLINE": "1",
        "TRANSFORMERS_OFFLINE": "1",
        "TOKENIZERS_PARALLELISM": "false",
        "ANONYMIZED_TELEMETRY": "False",
        "MEM0_TELEMETRY": "False",
        "MCP_SEMANTIC_DEDUP_ENABLED": "false",
        "MCP_MEMORY_BASE_DIR": str(home / "service"),
        "ALLOW_RESOLVE_TRANSFORM": "True",  # txtai opens an index that names its embedder only with this
    }


def _run(command: list[str], seconds: float) -> None:
    try:
        done = subprocess.run(command, capture_output=True, check=False, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise NotInstalled(f"not installed within {seconds:.0f} s") from None
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.strip()] or ["no reason given"]
        raise NotInstalled(f"not installed: {said[-1].strip()[:200]}")


def _files(top: Path) -> Iterator[Path]:
    if not top.is_dir():
        yield top
        return
    for folder, _, names in os.walk(top):
        yield from (Path(folder, name) for name in names)
