"""The recipes for conda and Homebrew: they name what the package needs, by the hashes of the lock file."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from hashlib import sha256
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from tools.recipes import BREWED, recipes

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    source = tmp_path_factory.mktemp("dist") / "holdfast-1.2.3.tar.gz"
    source.write_bytes(b"source")
    return recipes(source)


def test_conda_needs_what_pip_needs(written: dict[str, str]) -> None:
    recipe = yaml.safe_load(written["recipe.yaml"])
    python, *run = recipe["requirements"]["run"]
    assert python == f"python {PROJECT['requires-python']}"
    wanted = {(one.name.lower(), str(one.specifier)) for one in map(Requirement, PROJECT["dependencies"])}
    assert {tuple(one.split(" ")) for one in run} == wanted
    assert recipe["context"]["version"] == "1.2.3"
    assert recipe["source"]["sha256"] == sha256(b"source").hexdigest()
    (script,) = recipe["build"]["python"]["entry_points"]
    assert script == f"holdfast = {PROJECT['scripts']['holdfast']}"
    own = yaml.safe_load(written["recipe-apsw-sqlite3mc.yaml"])
    assert own["package"]["name"] in {name for name, _ in wanted}


def test_homebrew_has_every_package_that_the_command_needs(written: dict[str, str]) -> None:
    """Each resource has an address and a hash of the lock file, and no dependency of one is missing."""
    formula = written["holdfast.rb"]
    found = re.findall(r'resource "(.+)" do\n    url "(.+)"\n    sha256 "(.+)"\n  end', formula)
    packages = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))["package"]
    locked = {
        (package["name"], package["sdist"]["url"], package["sdist"]["hash"])
        for package in packages
        if "sdist" in package
    }
    assert {(name, url, f"sha256:{digest}") for name, url, digest in found} <= locked
    brewed = {
        name for formula_name, names in BREWED.items() if f'"{formula_name}"' in formula for name in names
    }
    there = {name for name, _, _ in found} | brewed
    texts = [*PROJECT["dependencies"]]
    for extra in ("client", "mcp", "server"):
        texts += PROJECT["optional-dependencies"][extra]
    wanted = {Requirement(text).name.lower() for text in texts}
    addresses = {url for _, url, _ in found}
    for one in packages:
        if one.get("sdist", {}).get("url") in addresses:
            wanted |= {need["name"] for need in one.get("dependencies", ()) if "marker" not in need}
    assert wanted - there == set()
    assert formula.count(" do\n") == len(found) + 1  # `test do`
    assert f'sha256 "{sha256(b"source").hexdigest()}"' in formula


@pytest.mark.skipif(shutil.which("ruby") is None, reason="Ruby is not installed")
def test_homebrew_is_ruby(written: dict[str, str]) -> None:
    subprocess.run(["ruby", "-c"], input=written["holdfast.rb"], text=True, check=True, capture_output=True)
