"""`make frameworks`: upstream's own tests of each interface on ours, our own tests, and the page's programs.

Upstream's tests come from the source distributions of the versions that are installed. A plugin of pytest
puts our class in the place of the one that they were written for, and says of each skipped test why.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLUGINS = Path(__file__).with_name("plugins")
ADAPTERS = Path(__file__).with_name("adapters")
PAGE = ROOT / "docs" / "frameworks.md"


@dataclass(frozen=True)
class Suite:
    """Upstream's tests of an interface: the package, its test files, and the plugin that puts ours there."""

    package: str
    files: tuple[str, ...]
    plugin: str
    options: tuple[str, ...] = ()


ALONE = {"crewai": "CrewAI"}
"""Frameworks that need an environment without the others, with their titles on the page."""
QUIET = {"OTEL_SDK_DISABLED": "true", "CREWAI_DISABLE_TELEMETRY": "true", "CREWAI_TRACING_ENABLED": "false"}
CREWAI = (
    "unified_memory",
    "lancedb_update",
    "lancedb_filter_escaping",
    "storage_factory",
    "memory_root_scope",
)
SUITES = {
    "anthropic": Suite(
        "anthropic",
        ("tests/lib/tools/memory_tools",),
        "anthropic_memory",
        ("-o", "addopts=", "--noconftest"),
    ),
    "crewai": Suite(
        "crewai",
        tuple(f"tests/memory/test_{name}.py" for name in CREWAI),
        "crewai_storage",
        ("-o", "asyncio_mode=auto"),
    ),
    "langgraph": Suite(
        "langgraph-checkpoint-sqlite",
        ("tests/test_store.py", "tests/test_async_store.py", "tests/test_ttl.py"),
        "langgraph_store",
        ("-o", "asyncio_mode=auto"),
    ),
    "openai-agents": Suite("openai-agents", ("tests/memory/test_session.py",), "openai_session"),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.frameworks")
    every = [*(name for name in SUITES if name not in ALONE), "adapters", "programs"]
    parser.add_argument("names", nargs="*", help=f"of {', '.join([*every, *ALONE])}; default: the first")
    names = parser.parse_args().names or every
    failed = []
    for name in names:
        print(f"== {name}", flush=True)
        if not _holds(name):
            failed.append(name)
    print(f"failed: {', '.join(failed)}" if failed else "all passed")
    return len(failed)


def _holds(name: str) -> bool:
    """Returns whether what a name stands for passes."""
    if name == "adapters":
        return _adapters()
    if name == "programs":
        return _programs(set(ALONE.values()), chosen=False)
    if name in ALONE:
        own = _adapters(f"test_{name}.py") & _programs({ALONE[name]}, chosen=True)
        return _passes(SUITES[name]) and own
    return _passes(SUITES[name])


def _passes(suite: Suite) -> bool:
    """Returns whether upstream's tests pass."""
    try:
        release = version(suite.package)
    except PackageNotFoundError:
        print(f"{suite.package} is not installed")
        return False
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", suite.package]
        subprocess.run([*pip, "--dest", folder, f"{suite.package}=={release}"], check=True)
        with tarfile.open(next(Path(folder).glob("*.tar.gz"))) as archive:
            archive.extractall(folder, filter="data")
        tests = next(path for path in Path(folder).iterdir() if path.is_dir())
        run = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", suite.plugin, *suite.options, *suite.files]
        environment = os.environ | {"PYTHONPATH": str(PLUGINS)} | QUIET
        return subprocess.run(run, cwd=tests, env=environment).returncode == 0


def _adapters(file: str = "") -> bool:
    """Returns whether our own tests pass, of which there are most where upstream publishes none."""
    run = [sys.executable, "-m", "pytest", "-rs", "-c", str(ADAPTERS / "pytest.ini"), "--rootdir", str(ROOT)]
    return subprocess.run([*run, str(ADAPTERS / file)], cwd=ROOT).returncode == 0


def _programs(titles: set[str], *, chosen: bool) -> bool:
    """Returns whether the programs of the page end well: those with these titles, or all others."""
    programs = re.findall(r"^## (.+?)$.*?^```py\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    passed = True
    for title, program in programs:
        if (title in titles) != chosen:
            continue
        with tempfile.TemporaryDirectory() as folder:
            environment = os.environ | {"HOME": folder, "OPENAI_AGENTS_DISABLE_TRACING": "1"} | QUIET
            completed = subprocess.run([sys.executable, "-c", program], cwd=folder, env=environment)
        print(f"{title}: {'ran' if completed.returncode == 0 else 'failed'}", flush=True)
        passed &= completed.returncode == 0
    return passed and bool(programs)


if __name__ == "__main__":
    sys.exit(main())
