"""Writes the recipes of a release for conda and Homebrew.

`python -m tools.recipes dist` makes them of pyproject.toml and uv.lock, and writes them beside the source
package, whose hash they name.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tomllib
from pathlib import Path
from typing import Any

from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PYPI = "https://pypi.org/packages/source"
BREW_EXTRAS = ("client", "mcp", "server")
BREW_PYTHON = "3.13"
BREWED = {
    "certifi": ("certifi",),
    "cffi": ("cffi", "pycparser"),
    "cryptography": ("cryptography",),
    "numpy": ("numpy",),
    "pydantic": ("pydantic", "pydantic-core", "annotated-types", "typing-extensions", "typing-inspection"),
    "rpds-py": ("rpds-py",),
}
"""Formulae of Homebrew with the Python packages that each of them brings."""
NATIVE = {"google-re2": ("abseil", "re2")}
"""Formulae that a package is compiled against."""


def recipes(source: Path) -> dict[str, str]:
    """Returns the recipes by the names of their files, for a source package `holdfast-VERSION.tar.gz`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    locked = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))["package"]
    version = source.name.removeprefix("holdfast-").removesuffix(".tar.gz")
    digest = hashlib.sha256(source.read_bytes()).hexdigest()
    return {
        "recipe.yaml": _conda(project["project"], version, digest),
        "recipe-apsw-sqlite3mc.yaml": _conda_of_sqlite(locked),
        "holdfast.rb": _homebrew(project["project"], locked, version, digest),
    }


def _conda(project: dict[str, Any], version: str, digest: str) -> str:
    python = project["requires-python"]
    needed = "\n".join(f"    - {_conda_spec(text)}" for text in project["dependencies"])
    return f"""\
schema_version: 1

context:
  version: "{version}"

package:
  name: holdfast
  version: ${{{{ version }}}}

source:
  url: {PYPI}/h/holdfast/holdfast-${{{{ version }}}}.tar.gz
  sha256: {digest}

build:
  number: 0
  noarch: python
  script: ${{{{ PYTHON }}}} -m pip install . --no-deps --no-build-isolation -vv
  python:
    entry_points:
      - holdfast = {project["scripts"]["holdfast"]}

requirements:
  host:
    - python {python}
    - pip
    - hatchling
  run:
    - python {python}
{needed}

tests:
  - python:
      imports:
        - holdfast
      pip_check: true
  - script:
      - holdfast --version
      - holdfast self check

about:
  summary: {json.dumps(project["description"])}
  license: {project["license"]}
  license_file: LICENSE
"""


def _conda_of_sqlite(packages: list[dict[str, Any]]) -> str:
    """Returns the recipe of the one dependency that conda-forge does not have."""
    (package,) = (one for one in packages if one["name"] == "apsw-sqlite3mc")
    return f"""\
schema_version: 1

context:
  version: "{package["version"]}"

package:
  name: apsw-sqlite3mc
  version: ${{{{ version }}}}

source:
  url: {package["sdist"]["url"]}
  sha256: {package["sdist"]["hash"].removeprefix("sha256:")}

build:
  number: 0
  script: ${{{{ PYTHON }}}} -m pip install . --no-deps --no-build-isolation -vv

requirements:
  build:
    - ${{{{ compiler("c") }}}}
    - ${{{{ stdlib("c") }}}}
  host:
    - python
    - pip
    - setuptools
  run:
    - python

tests:
  - python:
      imports:
        - apsw

about:
  summary: APSW with SQLite3 Multiple Ciphers, a SQLite that encrypts its files
  license: LicenseRef-any-OSI
  license_file: LICENSE
"""


def _homebrew(project: dict[str, Any], packages: list[dict[str, Any]], version: str, digest: str) -> str:
    brewed = {name for names in BREWED.values() for name in names}
    needed = closure(packages, BREW_EXTRAS, BREW_PYTHON)
    formulae = {f"python@{BREW_PYTHON}": ""}
    formulae |= {one: " => :no_linkage" for one, names in BREWED.items() if needed.keys() & set(names)}
    formulae |= {one: "" for package, names in NATIVE.items() if package in needed for one in names}
    depends = "\n".join(f'  depends_on "{name}"{how}' for name, how in sorted(formulae.items()))
    resources = "\n\n".join(
        f'  resource "{name}" do\n    url "{one["sdist"]["url"]}"\n'
        f'    sha256 "{one["sdist"]["hash"].removeprefix("sha256:")}"\n  end'
        for name, one in sorted(needed.items())
        if name not in brewed
    )
    return f"""\
class Holdfast < Formula
  include Language::Python::Virtualenv

  desc "Memory for AI assistants, coding agents and teams"
  homepage "https://pypi.org/project/holdfast/"
  url "https://files.pythonhosted.org/packages/source/h/holdfast/holdfast-{version}.tar.gz"
  sha256 "{digest}"
  license "{project["license"]}"

{depends}

{resources}

  def install
    virtualenv_install_with_resources
  end

  test do
    ENV["HOLDFAST_STORE"] = testpath/"memory.db"
    system bin/"holdfast", "remember", "The ferry leaves at nine"
    assert_match "ferry", shell_output("#{{bin}}/holdfast recall 'when does the ferry leave?'")
  end
end
"""


def closure(
    packages: list[dict[str, Any]], extras: tuple[str, ...], python: str
) -> dict[str, dict[str, Any]]:
    """Returns the locked packages that Holdfast with some extras needs on Linux and macOS, by name."""
    (ours,) = (one for one in packages if one["name"] == "holdfast")
    waiting = [
        *ours["dependencies"],
        *(one for name in extras for one in ours["optional-dependencies"][name]),
    ]
    found: dict[str, dict[str, Any]] = {}
    seen: set[str] = set()
    while waiting:
        wanted = waiting.pop()
        key = json.dumps(wanted, sort_keys=True)
        if key in seen or not _applies(wanted.get("marker"), python):
            continue
        seen.add(key)
        (package,) = (
            one
            for one in packages
            if one["name"] == wanted["name"] and one["version"] == wanted.get("version", one["version"])
        )
        if package is not ours:
            found[package["name"]] = package
        waiting += package.get("dependencies", [])
        for name in wanted.get("extra", ()):
            waiting += package.get("optional-dependencies", {}).get(name, [])
    return found


def _applies(marker: str | None, python: str) -> bool:
    if marker is None:
        return True
    systems = ({"sys_platform": "linux", "platform_system": "Linux"},
               {"sys_platform": "darwin", "platform_system": "Darwin"})  # fmt: skip
    versions = {"python_full_version": f"{python}.0", "python_version": python, "os_name": "posix",
                "platform_python_implementation": "CPython", "implementation_name": "cpython"}  # fmt: skip
    return any(Marker(marker).evaluate({**system, **versions, "extra": ""}) for system in systems)


def _conda_spec(text: str) -> str:
    requirement = Requirement(text)
    return f"{canonicalize_name(requirement.name)} {requirement.specifier}"


def main() -> None:
    folder = Path(sys.argv[1])
    (source,) = folder.glob("holdfast-*.tar.gz")
    for name, text in recipes(source).items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
