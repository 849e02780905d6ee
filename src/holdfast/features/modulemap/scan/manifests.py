"""Reads manifests: services, frameworks, and commands to build, test and lint."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from holdfast.core.module_map import BuildSystem, Service, TestFramework
from holdfast.features.modulemap.scan.commands import Commands, commands_of
from holdfast.features.modulemap.scan.files import Reader
from holdfast.features.modulemap.scan.frameworks import framework_of
from holdfast.features.modulemap.scan.manifest import Manifest
from holdfast.features.modulemap.scan.resolving import Names
from holdfast.features.modulemap.scan.toml import Budget, toml_of

SERVICES_MAX = 60
"""Most services of a repository."""
DEPENDENCIES_MAX, DEV_MAX = 20, 10
"""Most dependencies of a service that are listed (S4.6)."""
_READ = 256 * 1024
_MANIFESTS = {
    "package.json": "npm", "pyproject.toml": "python", "setup.py": "python", "setup.cfg": "python",
    "requirements.txt": "python", "Pipfile": "python", "Cargo.toml": "cargo", "go.mod": "go",
    "pom.xml": "maven",    "build.gradle": "gradle", "build.gradle.kts": "gradle", "Gemfile": "bundler",
    "composer.json": "composer",
}  # fmt: skip
_MONOREPO_FILES = (
    "pnpm-workspace.yaml",
    "turbo.json",
    "nx.json",
    "lerna.json",
    "rush.json",
    "go.work",
    "Cargo.toml",
)
_NODE = (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".vue", ".svelte")
_SOURCES = {"python": (".py",), "maven": (".java", ".kt", ".scala"), "gradle": (".java", ".kt", ".scala")}
"""Endings of the source files of ecosystems whose manifests come after package.json by name."""
_REQUIREMENT = re.compile(r"^[ \t]*([A-Za-z0-9][\w.-]{0,80})")
_GO_MODULE = re.compile(r"^module[ \t]+(\S{1,200})", re.MULTILINE)
_GO_REQUIRE = re.compile(
    r"^[ \t]*(?:require[ \t]+)?([\w.-]{1,60}\.[a-z]{2,10}/\S{1,150})[ \t]+v[0-9]", re.MULTILINE
)
_MAVEN = re.compile(r"<dependency>(.{0,600}?)</dependency>", re.DOTALL)
_MAVEN_ID = re.compile(r"<artifactId>\s{0,20}([\w.-]{1,100})")
_GRADLE = re.compile(
    r"(implementation|api|compileOnly|runtimeOnly|test\w{0,20})[ \t(]+['\"]([\w.-]{1,100}):([\w.-]{1,100})"
)
_GEM = re.compile(r"^[ \t]*gem[ \t]+['\"]([\w.-]{1,100})['\"]", re.MULTILINE)
_SETUP = re.compile(r"['\"]([A-Za-z][\w.-]{1,60})[ \t]{0,2}(?:[<>=~!\[;][^'\"]{0,100})?['\"]")
_INSTALL_REQUIRES = re.compile(r"install_requires\s{0,4}=\s{0,4}\[([^\]]{0,4000})\]")


@dataclass(frozen=True, slots=True)
class Project:
    """The combined content of all manifests."""

    services: tuple[Service, ...]
    build_system: BuildSystem | None
    test_framework: TestFramework | None
    conventions: tuple[str, ...]
    monorepo: str | None
    names: Names
    entry_points: frozenset[str]
    descriptions: Mapping[str, str]
    """What the manifest of a folder says that the folder is."""
    notes: tuple[str, ...]


def project_of(reader: Reader, paths: Iterable[str], name: str) -> Project:
    """Reads the manifests among the paths of a repository; a broken one is noted."""
    all_paths = frozenset(paths)
    notes: list[str] = []
    by_folder: dict[str, Manifest] = {}
    budget = Budget()
    last = _beside_more_sources(all_paths)
    for path in sorted(all_paths, key=lambda item: (item.count("/"), item in last, item)):
        folder, _, file = path.rpartition("/")
        tool = _MANIFESTS.get(file)
        if tool is None or len(by_folder) >= SERVICES_MAX * 2 or _is_auxiliary(folder):
            continue
        if file == "setup.py" and f"{folder}/__init__.py" in all_paths:
            continue  # a module of a package, which is only called so
        known_here = by_folder.get(folder)
        if known_here is not None and known_here.tool != tool and {known_here.tool, tool} != {"python"}:
            # two ecosystems in one folder: the first by name stays, the other only adds its scripts
            _add_scripts(known_here, budget.within(reader.text(path, _READ), file), file)
            continue
        manifest = by_folder.setdefault(folder, Manifest(folder, tool))
        problem = _read(manifest, budget.within(reader.text(path, _READ), file), file)
        if problem is not None:
            notes.append(f"{path}: {problem}")
    if budget.left_out:
        notes.insert(0, f"TOML manifests skipped, because earlier ones are large: {budget.left_out}")
    services = tuple(
        _service(item, all_paths, name, by_folder) for item in list(by_folder.values())[:SERVICES_MAX]
    )
    root = by_folder.get("")
    main = root or next(iter(by_folder.values()), None)
    commands = Commands() if main is None else commands_of(main, all_paths, reader)
    return Project(
        services=services,
        build_system=commands.build_system,
        test_framework=commands.test_framework,
        conventions=commands.conventions,
        monorepo=_monorepo(root, all_paths, by_folder),
        names=_names(by_folder),
        entry_points=frozenset(
            posixpath.normpath(posixpath.join(item.folder, entry))
            for item in by_folder.values()
            for entry in item.entry_points
        )
        & all_paths,
        descriptions={item.folder: item.description for item in by_folder.values() if item.description},
        notes=tuple(notes[:20]),
    )


def _beside_more_sources(paths: frozenset[str]) -> frozenset[str]:
    """Returns each package.json beside the manifest of another ecosystem with more source files below: it
    has what formats or bundles something."""
    last = set()
    for path in paths:
        folder, _, file = path.rpartition("/")
        if file != "package.json":
            continue
        prefix = f"{folder}/" if folder else ""
        others = {
            tool for name, tool in _MANIFESTS.items() if tool in _SOURCES and f"{prefix}{name}" in paths
        }
        if others:
            below = [other for other in paths if other.startswith(prefix)]
            scripts = sum(other.endswith(_NODE) for other in below)
            if any(sum(other.endswith(_SOURCES[tool]) for other in below) > scripts for tool in others):
                last.add(path)
    return frozenset(last)


def _is_auxiliary(folder: str) -> bool:
    """Returns whether a manifest belongs to a test or an example, which is not a service of the
    repository."""
    auxiliary = {
        "test",
        "tests",
        "__tests__",
        "fixtures",
        "testdata",
        "example",
        "examples",
        "templates",
        "docs",
        "doc",
    }
    return bool({part.lower() for part in folder.split("/")} & auxiliary)


def _read(manifest: Manifest, text: str, file: str) -> str | None:
    """Adds the content of one manifest. Returns the problem, or None."""
    try:
        if file == "package.json":
            _read_npm(manifest, _object(json.loads(text)))
        elif file == "composer.json":
            data = _object(json.loads(text))
            manifest.name = manifest.name or _text(data.get("name"))
            manifest.dependencies += [name for name in _keys(data.get("require")) if "/" in name]
            manifest.dev_dependencies += _keys(data.get("require-dev"))
            manifest.scripts |= _texts(data.get("scripts"))
        elif file == "pyproject.toml":
            _read_pyproject(manifest, toml_of(text))
        elif file == "Cargo.toml":
            _read_cargo(manifest, toml_of(text))
        elif file == "Pipfile":
            data = toml_of(text)
            manifest.dependencies += _keys(data.get("packages"))
            manifest.dev_dependencies += _keys(data.get("dev-packages"))
        else:
            _read_plain(manifest, text, file)
    except (ValueError, RecursionError):  # the content is not of the type that its name says
        return "cannot be parsed as the type that its name says"
    return None


def _read_npm(manifest: Manifest, data: Mapping[str, Any]) -> None:
    """Reads a package.json into the manifest."""
    manifest.raw["npm"] = data
    manifest.name = _text(data.get("name"))
    manifest.description = _text(data.get("description"))
    manifest.dependencies += _keys(data.get("dependencies")) + _keys(data.get("peerDependencies"))
    manifest.dev_dependencies += _keys(data.get("devDependencies"))
    manifest.scripts |= _texts(data.get("scripts"))
    manifest.workspaces = bool(data.get("workspaces"))
    binaries = data.get("bin")
    entries = [
        data.get("main"),
        data.get("module"),
        binaries,
        *(binaries.values() if isinstance(binaries, dict) else ()),
    ]
    manifest.entry_points += [entry for entry in entries if isinstance(entry, str)]


def _read_pyproject(manifest: Manifest, data: Mapping[str, Any]) -> None:
    """Reads a pyproject.toml into the manifest."""
    manifest.raw["pyproject"] = data
    project, tool = _object(data.get("project", {})), _object(data.get("tool", {}))
    poetry = _object(tool.get("poetry", {}))
    manifest.name = manifest.name or _text(project.get("name")) or _text(poetry.get("name"))
    manifest.description = _text(project.get("description")) or _text(poetry.get("description"))
    manifest.dependencies += _requirements(project.get("dependencies"))
    manifest.dependencies += [name for name in _keys(poetry.get("dependencies")) if name != "python"]
    groups = {
        **_object(project.get("optional-dependencies", {})),
        **_object(data.get("dependency-groups", {})),
    }
    for listed in groups.values():
        manifest.dev_dependencies += _requirements(listed)
    for group in _object(poetry.get("group", {})).values():
        manifest.dev_dependencies += _keys(_object(group).get("dependencies"))
    scripts = {**_texts(project.get("scripts")), **_texts(poetry.get("scripts"))}
    for target in scripts.values():
        base = target.partition(":")[0].replace(".", "/")
        manifest.entry_points += [
            f"{top}{base}{end}" for top in ("", "src/") for end in (".py", "/__init__.py")
        ]
    manifest.workspaces = manifest.workspaces or "workspace" in _object(tool.get("uv", {}))


def _read_cargo(manifest: Manifest, data: Mapping[str, Any]) -> None:
    """Reads a Cargo.toml into the manifest."""
    manifest.raw["cargo"] = data
    manifest.name = _text(_object(data.get("package", {})).get("name"))
    manifest.description = _text(_object(data.get("package", {})).get("description"))
    manifest.dependencies += _keys(data.get("dependencies"))
    manifest.dev_dependencies += _keys(data.get("dev-dependencies"))
    manifest.workspaces = "workspace" in data
    manifest.entry_points += ["src/main.rs", "src/lib.rs"]


def _read_plain(manifest: Manifest, text: str, file: str) -> None:
    """Reads a manifest that is no JSON or TOML, such as go.mod or pom.xml."""
    if file == "go.mod":
        module = _GO_MODULE.search(text)
        manifest.name = module[1] if module else ""
        manifest.dependencies += _GO_REQUIRE.findall(text)
    elif file == "pom.xml":
        for block in _MAVEN.findall(text):
            name = _MAVEN_ID.search(block)
            if name is not None:
                (manifest.dev_dependencies if "<scope>test" in block else manifest.dependencies).append(
                    name[1]
                )
        own = _MAVEN_ID.search(re.sub(r"(?s)<parent>.{0,2000}?</parent>", "", text[:20_000]))
        manifest.name = own[1] if own else ""
    elif file.startswith("build.gradle"):
        for use, _, name in _GRADLE.findall(text):
            (manifest.dev_dependencies if use.startswith("test") else manifest.dependencies).append(name)
    elif file == "Gemfile":
        manifest.dependencies += _GEM.findall(text)
    elif file == "requirements.txt":
        manifest.dependencies += _requirements(text.split("\n"))
    elif file == "setup.py":
        listed = _INSTALL_REQUIRES.search(text)
        manifest.dependencies += _SETUP.findall(listed[1]) if listed else []
        manifest.raw["setup.py"] = {}
    elif file == "setup.cfg":
        _, _, rest = text.partition("install_requires")
        manifest.dependencies += _requirements(
            line for line in rest.partition("\n\n")[0].split("\n")[1:] if line[:1] in (" ", "\t")
        )
        manifest.raw["setup.cfg"] = text


def _add_scripts(manifest: Manifest, text: str, file: str) -> None:
    """Adds the scripts and development dependencies of a second ecosystem in the same folder."""
    other = Manifest(manifest.folder, _MANIFESTS[file])
    _read(other, text, file)
    manifest.raw |= {name: value for name, value in other.raw.items() if name not in manifest.raw}
    manifest.scripts |= {name: line for name, line in other.scripts.items() if name not in manifest.scripts}
    manifest.dev_dependencies += [*other.dependencies, *other.dev_dependencies]
    manifest.entry_points += other.entry_points
    manifest.workspaces = manifest.workspaces or other.workspaces


def _service(
    manifest: Manifest, paths: frozenset[str], fallback: str, folders_of_services: Collection[str]
) -> Service:
    """Returns the service of a manifest: its language, framework, folders, entry point and tests."""
    prefix = f"{manifest.folder}/" if manifest.folder else ""
    inside = [path[len(prefix) :] for path in paths if path.startswith(prefix)]
    below = tuple(
        f"{folder[len(prefix) :]}/"
        for folder in folders_of_services
        if folder.startswith(prefix) and folder != manifest.folder
    )
    own = [path for path in inside if not path.startswith(below)]
    language = _language(manifest, own if any(path.endswith(_NODE) for path in own) else inside)
    framework, type = framework_of(
        frozenset(item.lower() for item in manifest.dependencies),
        inside,
        manifest.folder,
        bool(manifest.raw.get("npm", {}).get("bin")),
    )
    folders = sorted({path.partition("/")[0] for path in inside if "/" in path and not path.startswith(".")})
    tests = next(
        (
            item
            for item in ("tests", "test", "spec", "__tests__", "src/test", "src/__tests__")
            if any(p.startswith(item + "/") for p in inside)
        ),
        None,
    )
    images = [
        path
        for path in inside
        if path.rpartition("/")[2].lower().startswith("dockerfile") and not path.startswith(below)
    ]
    docker = min(images, key=lambda path: (path.count("/"), path), default=None)
    entry = next((item for item in manifest.entry_points if prefix + posixpath.normpath(item) in paths), None)
    return Service(
        name=(manifest.name or manifest.folder.rpartition("/")[2] or fallback)[:200],
        path=manifest.folder or ".",
        language=language,
        framework=framework,
        type=type,
        package_manager=manifest.package_manager(paths),
        entry_point=entry if entry is None else prefix + posixpath.normpath(entry),
        key_directories=tuple(folders[:12]),
        dependencies=tuple(dict.fromkeys(manifest.dependencies))[:DEPENDENCIES_MAX],
        dev_dependencies=tuple(dict.fromkeys(manifest.dev_dependencies))[:DEV_MAX],
        test_directory=None if tests is None else prefix + tests,
        dockerfile=None if docker is None else prefix + docker,
    )


def _language(manifest: Manifest, inside: list[str]) -> str:
    """Returns the programming language of a manifest's folder."""
    if manifest.tool == "npm":
        return (
            "typescript"
            if any(path.endswith((".ts", ".tsx")) and not path.endswith(".d.ts") for path in inside)
            else "javascript"
        )
    if manifest.tool in ("maven", "gradle"):
        return "kotlin" if any(path.endswith(".kt") for path in inside) else "java"
    return {"cargo": "rust", "bundler": "ruby", "composer": "php"}.get(manifest.tool, manifest.tool)


def _monorepo(root: Manifest | None, paths: frozenset[str], by_folder: Mapping[str, Manifest]) -> str | None:
    """Returns the evidence for a monorepo, or None (S4.6)."""
    for file in _MONOREPO_FILES[:-1]:
        if file in paths:
            return file
    if root is not None and root.workspaces:
        return "workspaces"
    for folder in ("packages", "apps", "services", "crates"):
        if sum(path.startswith(f"{folder}/") for path in by_folder) >= 2:
            return f"{folder}/"
    below = [folder for folder in by_folder if folder]
    return f"{len(below)} services" if len(below) >= 2 else None


def _names(by_folder: Mapping[str, Manifest]) -> Names:
    """Returns the folders of packages by their names, for each tool."""
    by_tool: dict[str, dict[str, str]] = {"go": {}, "npm": {}, "cargo": {}}
    for manifest in by_folder.values():
        if manifest.name and manifest.tool in by_tool:
            by_tool[manifest.tool].setdefault(manifest.name, manifest.folder)
        crate = _text(_object(_object(manifest.raw.get("cargo", {})).get("package", {})).get("name"))
        if crate:
            by_tool["cargo"].setdefault(crate, manifest.folder)
    return Names(by_tool["go"], by_tool["npm"], by_tool["cargo"])


# reading untrusted values


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value.strip()[:200] if isinstance(value, str) else ""


def _keys(value: object) -> list[str]:
    return [key[:200] for key in value] if isinstance(value, dict) else []


def _texts(value: object) -> dict[str, str]:
    pairs = value.items() if isinstance(value, dict) else ()
    return {key[:100]: line[:300] for key, line in pairs if isinstance(line, str)}


def _requirements(value: object) -> list[str]:
    listed = value if isinstance(value, Iterable) and not isinstance(value, str | Mapping) else ()
    matches = (_REQUIREMENT.match(line) for line in listed if isinstance(line, str))
    return [match[1] for match in matches if match is not None]
