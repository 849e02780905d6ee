"""Finds the commands that build, test and lint a repository, and the tools that define its code style."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from holdfast.core.module_map import BuildSystem, TestFramework

if TYPE_CHECKING:
    from holdfast.features.modulemap.scan.files import Reader
    from holdfast.features.modulemap.scan.manifest import Manifest

_GOALS = {
    "build": ("build", "compile", "dist", "bundle"), "test": ("test", "tests", "check", "unit"),
    "lint": ("lint", "format", "fmt", "style"), "dev": ("dev", "start", "serve", "run"),
    "typecheck": ("typecheck", "type-check", "types", "mypy"),
}  # fmt: skip
_MAKE_TARGET = re.compile(r"^([A-Za-z][\w \t='\"-]{0,120}):(?!=)", re.MULTILINE)
_JS_TESTS = (
    ("vitest", "npx vitest run"), ("jest", "npx jest"), ("mocha", "npx mocha"), ("ava", "npx ava"),
    ("@playwright/test", "npx playwright test"), ("cypress", "npx cypress run"), ("tap", "npx tap"),
    ("borp", "npx borp"), ("node:test", "node --test"),
)  # fmt: skip
_NO_TEST = "no test specified"
"""The text in the test script that `npm init` writes."""
_SCRIPT_FILES = ("scripts/{}", "script/{}", "bin/{}", "scripts/{}.sh", "script/{}.sh", "bin/{}.sh")
"""Folders in which repositories keep scripts that are named after their purpose."""
_SCRIPT = re.compile(r"\b(?:npm|pnpm|yarn|bun)(?: run)? ([\w:.-]{1,60})")
_STYLE_FILES = {
    ".editorconfig": "EditorConfig", "biome.json": "Biome", "biome.jsonc": "Biome", "ruff.toml": "Ruff",
    ".ruff.toml": "Ruff", ".flake8": "Flake8", ".pylintrc": "Pylint", "mypy.ini": "mypy",
    ".pre-commit-config.yaml": "pre-commit", "rustfmt.toml": "rustfmt", ".rustfmt.toml": "rustfmt",
    "clippy.toml": "Clippy", ".golangci.yml": "golangci-lint", ".golangci.yaml": "golangci-lint",
    "checkstyle.xml": "Checkstyle", ".rubocop.yml": "RuboCop", "phpcs.xml": "PHP_CodeSniffer",
    ".clang-format": "clang-format", "tsconfig.json": "TypeScript", ".stylelintrc": "Stylelint",
}  # fmt: skip
_STYLE_STARTS = (("eslint.config.", "ESLint"), (".eslintrc", "ESLint"), (".prettierrc", "Prettier"),
                 ("prettier.config.", "Prettier"))  # fmt: skip
_STYLE_TOOLS = {"ruff": "Ruff", "black": "Black", "isort": "isort", "mypy": "mypy", "pyright": "Pyright",
                "pylint": "Pylint", "flake8": "Flake8"}  # fmt: skip


_WITH_ENVIRONMENT = frozenset({"uv", "poetry", "pdm", "pipenv", "hatch"})
"""Package managers of Python that run commands in an environment of theirs."""
_PYTHON_SCRIPTS = {
    "pdm": ("tool", "pdm", "scripts"),
    "hatch": ("tool", "hatch", "envs", "default", "scripts"),
}
"""The tables of pyproject.toml in which Python package managers that run scripts by name keep them."""


@dataclass(frozen=True, slots=True)
class Commands:
    """The build and test commands of a repository, and its code style tools."""

    build_system: BuildSystem | None = None
    test_framework: TestFramework | None = None
    conventions: tuple[str, ...] = ()


def commands_of(manifest: Manifest, paths: frozenset[str], reader: Reader) -> Commands:
    """Returns the commands of the main manifest of a repository and of its task runners."""
    runners = dict(_runners(manifest, paths, reader))
    own = _commands_by_tool(manifest, paths)
    tool = next(iter(own), None) or next(iter(runners), manifest.tool)
    commands: dict[str, str] = {}
    for lines in (*own.values(), *runners.values()):
        for goal, line in lines.items():
            commands.setdefault(goal, line)
    return Commands(
        BuildSystem(tool, commands), _tests(manifest, paths, commands), tuple(_conventions(manifest, paths))
    )


def _commands_by_tool(manifest: Manifest, paths: frozenset[str]) -> dict[str, dict[str, str]]:
    """Returns commands by the tool of the manifest itself."""
    if manifest.tool == "npm":
        runner = _script_runner(manifest, paths)
        lines = {}
        for goal, names in _GOALS.items():
            name = next(
                (
                    name
                    for name in names
                    if name in manifest.scripts and _NO_TEST not in manifest.scripts[name]
                ),
                None,
            )
            if name is not None:
                lines[goal] = f"{runner} {name}"
        if lines.get("test") == "npm run test":
            lines["test"] = "npm test"
        return {"turbo" if "turbo.json" in paths else runner.split()[0]: lines}
    if manifest.tool == "cargo":
        return {"cargo": {"build": "cargo build", "test": "cargo test", "lint": "cargo clippy"}}
    if manifest.tool == "go":
        return {"go": {"build": "go build ./...", "test": "go test ./...", "lint": "go vet ./..."}}
    if manifest.tool == "maven":
        tool = "./mvnw" if "mvnw" in paths else "mvn"
        return {"maven": {"build": f"{tool} package", "test": f"{tool} test"}}
    if manifest.tool == "gradle":
        tool = "./gradlew" if "gradlew" in paths else "gradle"
        return {"gradle": {"build": f"{tool} build", "test": f"{tool} test"}}
    if manifest.tool == "bundler":
        tested = (
            "bundle exec rspec"
            if any(path.startswith("spec/") for path in paths)
            else "bundle exec rake test"
        )
        return {"bundler": {"build": "bundle install", "test": tested}}
    if manifest.tool == "composer":
        return {
            "composer": {
                goal: f"composer {name}"
                for goal, names in _GOALS.items()
                for name in reversed(names)
                if name in manifest.scripts
            }
        }
    return {_python_tool(manifest): _python(manifest, paths)}


def _python(manifest: Manifest, paths: frozenset[str]) -> dict[str, str]:
    """Returns the command to build a package of Python, and the scripts of its package manager."""
    manager = manifest.package_manager(paths)
    scripts = _PYTHON_SCRIPTS.get(manager)
    named = _object_at(manifest, *scripts) if scripts else {}
    lines = {
        goal: f"{manager} run {name}"
        for goal, names in _GOALS.items()
        for name in reversed(names)
        if name in named
    }
    return {"build": f"{manager} build" if manager in ("uv", "poetry", "pdm") else "python -m build", **lines}


def _in_environment(manifest: Manifest, paths: frozenset[str], line: str) -> str:
    """Returns a command as it is run in the environment that the package manager keeps."""
    manager = manifest.package_manager(paths)
    return f"{manager} run {line}" if manager in _WITH_ENVIRONMENT else f"python -m {line}"


def _object_at(manifest: Manifest, *path: str) -> Mapping[str, Any]:
    value: Any = manifest.raw.get("pyproject", {})
    for name in path:
        value = value.get(name, {}) if isinstance(value, Mapping) else {}
    return value if isinstance(value, Mapping) else {}


def _script_runner(manifest: Manifest, paths: frozenset[str]) -> str:
    manager = manifest.package_manager(paths)
    return manager if manager in ("pnpm", "yarn") else "bun run" if manager == "bun" else "npm run"


def _python_tool(manifest: Manifest) -> str:
    backend = _object_at(manifest, "build-system").get("build-backend")
    name = str(backend or "setuptools").partition(".")[0].partition("_core")[0]
    return name.partition(":")[0].replace("hatchling", "hatch")[:60] or "setuptools"


def _runners(
    manifest: Manifest, paths: frozenset[str], reader: Reader
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yields Make, just, tox, nox and files of scripts, with their known targets."""
    for file, tool in (("Makefile", "make"), ("justfile", "just"), ("Justfile", "just")):
        if file in paths:
            lines = _MAKE_TARGET.findall(reader.text(file))
            # make allows several targets before the colon; just has one target and its parameters
            targets = {name for line in lines for name in line.split()[: None if tool == "make" else 1]}
            yield (
                tool,
                {
                    goal: f"{tool} {name}"
                    for goal, names in _GOALS.items()
                    for name in reversed(names)  # the first one counts
                    if name in targets
                },
            )
    if not paths.isdisjoint(("tox.ini", "tox.toml")) or _object_at(manifest, "tool", "tox"):
        yield "tox", {"test": "tox"}
    if "noxfile.py" in paths:
        yield "nox", {"test": "nox"}
    files = {
        goal: next((path for form in _SCRIPT_FILES if (path := form.format(goal)) in paths), None)
        for goal in ("build", "test", "lint")
    }
    started = {goal: f"bash {path}" if path.endswith(".sh") else path for goal, path in files.items() if path}
    if started:
        yield "scripts", started


def _tests(manifest: Manifest, paths: frozenset[str], commands: Mapping[str, str]) -> TestFramework | None:
    """Returns the test framework of a project, None if none is found."""
    stated = commands.get("test")
    if manifest.tool == "npm":
        script = _script(manifest.scripts, "test") + _script(manifest.scripts, "unit")
        # what the script runs most, before what is only installed
        for name, line in sorted(_JS_TESTS, key=lambda tool: -_runs(tool[0], script)):
            if name in manifest.everything or _runs(name, script):
                config = next(
                    (path for path in sorted(paths) if path.startswith((f"{name}.config.", f".{name}rc"))),
                    None,
                )
                return TestFramework(name, config, stated or line)
        return TestFramework("npm script", "package.json", stated) if stated else None
    if manifest.tool == "python":
        return _python_tests(manifest, paths, stated)
    if manifest.tool == "bundler":
        name = "rspec" if any(path.startswith("spec/") for path in paths) else "minitest"
        return TestFramework(name, ".rspec" if ".rspec" in paths else None, stated)
    if manifest.tool == "composer":
        config = next(
            (config_file for config_file in ("phpunit.xml", "phpunit.xml.dist") if config_file in paths), None
        )
        return TestFramework("phpunit", config, stated or "vendor/bin/phpunit")
    names = {"cargo": "cargo test", "go": "go test", "maven": "junit", "gradle": "junit"}
    name = names.get(manifest.tool, "")
    return TestFramework(name, None, stated) if name else None


def _runs(tool: str, script: str) -> int:
    """Returns how often a script runs a test tool."""
    called = r"node --test" if tool == "node:test" else rf"(?<![\w:@/.-]){re.escape(tool)}(?![\w:/.-])"
    return len(re.findall(called, script))


def _script(scripts: Mapping[str, str], name: str, depth: int = 3) -> str:
    """Returns a script with those that it runs."""
    line = scripts.get(name, "")
    called = _SCRIPT.findall(line) if depth else ()
    return " ; ".join([line, *(_script(scripts, other, depth - 1) for other in called if other != name)])


def _python_tests(
    manifest: Manifest, paths: frozenset[str], test_command: str | None
) -> TestFramework | None:
    """Returns the test framework of a Python project, None if none is found."""
    tool = _object_at(manifest, "tool")
    config = (
        "pytest.ini" if "pytest.ini" in paths
        else "pyproject.toml" if "pytest" in tool
        else "setup.cfg" if "[tool:pytest]" in str(manifest.raw.get("setup.cfg", ""))
        else "tox.ini" if "tox.ini" in paths else None
    )  # fmt: skip
    uses_pytest = "pytest" in tool or "pytest" in manifest.everything or "pytest.ini" in paths
    if uses_pytest or any(path.rpartition("/")[2] == "conftest.py" for path in paths):
        return TestFramework("pytest", config, test_command or _in_environment(manifest, paths, "pytest"))
    if any(path.rpartition("/")[2].startswith("test_") and path.endswith(".py") for path in paths):
        command = _in_environment(manifest, paths, "unittest").replace(" run ", " run python -m ")
        return TestFramework("unittest", None, test_command or command)
    return None


def _conventions(manifest: Manifest, paths: frozenset[str]) -> Iterator[str]:
    """Yields code style tools, each with the file that configures it."""
    for path in sorted(path for path in paths if "/" not in path):
        name = _STYLE_FILES.get(path) or next(
            (tool for start, tool in _STYLE_STARTS if path.startswith(start)), None
        )
        if name is not None:
            yield f"{name} ({path})"
    for tool in _object_at(manifest, "tool"):
        if tool in _STYLE_TOOLS:
            yield f"{_STYLE_TOOLS[tool]} (pyproject.toml)"
