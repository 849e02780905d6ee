"""Resolves imports to files of the repository, or to external packages."""

from __future__ import annotations

import posixpath
import re
import sys
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from holdfast.features.modulemap.scan.code import family_of

_JS_ENDINGS = ("", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".d.ts", ".vue", ".svelte",
               "/index.ts", "/index.tsx", "/index.js", "/index.jsx", "/index.mjs")  # fmt: skip
_NODE = frozenset(
    """assert async_hooks buffer child_process cluster console constants crypto dgram
    diagnostics_channel dns domain events fs http http2 https inspector module net os path
    perf_hooks process punycode querystring readline repl stream string_decoder sys timers tls
    trace_events tty url util v8 vm wasi worker_threads zlib""".split()
)
_RUST_OWN = frozenset("std core alloc proc_macro test Self".split())
_JVM_OWN = ("java.", "javax.", "kotlin.", "scala.", "jdk.", "sun.")
_PACKAGE_NAME = re.compile(r"[\w@./+-]{1,200}")
DEPTH_MAX = 12
"""Most folders of a path that are used to find a module by its dotted name."""


@dataclass(frozen=True, slots=True)
class Names:
    """The names in manifests: the path of a Go module, and the folders of packages and crates by name."""

    go_modules: Mapping[str, str] = field(default_factory=dict)
    packages: Mapping[str, str] = field(default_factory=dict)
    crates: Mapping[str, str] = field(default_factory=dict)


class Resolver:
    """A resolver of imports for one set of paths."""

    def __init__(self, paths: Collection[str], names: Names) -> None:
        self._paths = frozenset(paths)
        self._names = names
        self._python = _dotted(paths)
        self._folders: dict[str, list[str]] = {}
        self._jvm: dict[str, str] = {}
        for path in sorted(paths):
            self._folders.setdefault(posixpath.dirname(path), []).append(path)
            if path.endswith((".java", ".kt", ".scala", ".groovy")):
                parts = path.rpartition(".")[0].split("/")[-DEPTH_MAX:]
                for start in range(len(parts)):
                    self._jvm.setdefault(".".join(parts[start:]), path)

    def resolved(
        self, path: str, language: str | None, imports: Iterable[str]
    ) -> tuple[list[str], list[str]]:
        """Returns the files of the repository that a file imports, and its external packages."""
        family = family_of(language)
        resolve = {
            "python": self._from_python, "javascript": self._from_javascript, "go": self._from_go,
            "rust": self._from_rust, "java": self._from_java, "c": self._from_path, "ruby": self._from_path,
        }.get(family)  # fmt: skip
        if resolve is None:
            return [], []
        inside: dict[str, None] = {}
        outside: dict[str, None] = {}
        for name in imports:
            files, package = resolve(path, name)
            inside.update(dict.fromkeys(file for file in files if file != path))
            if package and _PACKAGE_NAME.fullmatch(package):
                outside.setdefault(package)
        return list(inside), list(outside)

    def _from_python(self, path: str, name: str) -> tuple[list[str], str | None]:
        """Returns the files that a Python import means, and the package if it is an external one."""
        if name.startswith("."):
            up = len(name) - len(name.lstrip("."))
            folder = posixpath.dirname(path)
            for _ in range(up - 1):
                folder = posixpath.dirname(folder)
            base = "/".join(filter(None, [folder, *name.lstrip(".").split(".")]))
            for candidate in (base, posixpath.dirname(base)):
                for ending in (".py", "/__init__.py", ".pyi"):
                    if candidate + ending in self._paths:
                        return [candidate + ending], None
            return [], None
        parts = name.split(".")
        for count in range(len(parts), 0, -1):
            module_path = self._python.get(".".join(parts[:count]))
            if module_path is not None:
                return [module_path], None
        top = parts[0]
        sibling = posixpath.join(posixpath.dirname(path), f"{top}.py")
        if sibling in self._paths:
            return [sibling], None
        is_package = top.isidentifier() and top not in sys.stdlib_module_names and not top.startswith("_")
        return [], top if is_package else None

    def _from_javascript(self, path: str, name: str) -> tuple[list[str], str | None]:
        """Returns the files that a JavaScript import means, and the package if it is an external one."""
        name = name.partition("?")[0]
        if name.startswith("."):
            module_path = self._javascript_file(posixpath.join(posixpath.dirname(path), name))
            return ([module_path] if module_path else []), None
        for alias in ("@/", "~/", "src/"):
            if name.startswith(alias):
                root = path.partition("src/")[0] + "src/" if "src/" in path else ""
                module_path = self._javascript_file(root + name[len(alias) :])
                if module_path:
                    return [module_path], None
        parts = name.split("/")
        package = "/".join(parts[:2]) if name.startswith("@") else parts[0]
        home = self._names.packages.get(package)
        if home is not None:
            rest = name[len(package) + 1 :]
            for place in (rest or "index", f"src/{rest or 'index'}", "src/main", "lib/index"):
                module_path = self._javascript_file(posixpath.join(home, place))
                if module_path:
                    return [module_path], None
            return [], None
        if package.startswith(("node:", "bun:", "virtual:", "@/", "~", "#", "/")) or package in _NODE:
            return [], None
        return [], package

    def _javascript_file(self, base: str) -> str | None:
        """Returns the file that an import without ending means, None if there is none."""
        base = posixpath.normpath(base)
        stem = base.removesuffix(".js").removesuffix(".jsx")  # TypeScript imports name the compiled file
        for candidate in (base, stem):
            for ending in _JS_ENDINGS:
                if candidate + ending in self._paths:
                    return candidate + ending
        return None

    def _from_go(self, path: str, name: str) -> tuple[list[str], str | None]:
        """Returns the files that a Go import means, and the package if it is an external one."""
        for module, home in self._names.go_modules.items():
            if name == module or name.startswith(module + "/"):
                folder = posixpath.normpath(posixpath.join(home, name[len(module) + 1 :] or "."))
                files = self._folders.get("" if folder == "." else folder, [])
                return [
                    file for file in files if file.endswith(".go") and not file.endswith("_test.go")
                ], None
        first = name.partition("/")[0]
        return [], "/".join(name.split("/")[:3]) if "." in first else None

    def _from_rust(self, path: str, name: str) -> tuple[list[str], str | None]:
        """Returns the files that a Rust path means, and the crate if it is an external one."""
        parts = [part for part in name.split("::") if part]
        if not parts:
            return [], None
        folder = posixpath.dirname(path)
        stem = posixpath.basename(path).removesuffix(".rs")
        own = folder if stem in ("mod", "lib", "main") else f"{folder}/{stem}".lstrip("/")
        first = parts[0]
        if first == "self":
            return self._rust_file(own, parts[1:], folder), None
        if first == "super":
            return self._rust_file(posixpath.dirname(own), parts[1:], posixpath.dirname(own)), None
        if first == "crate":
            before, inside, _ = path.rpartition("/src/")
            root = f"{before}/src" if inside else "src"
            return self._rust_file(root, parts[1:], root), None
        home = self._names.crates.get(first.replace("_", "-")) or self._names.crates.get(first)
        if home is not None:
            root = posixpath.join(home, "src")
            return self._rust_file(root, parts[1:], root), None
        if first in _RUST_OWN or not first[:1].islower():
            return [], None
        return [], first

    def _rust_file(self, root: str, parts: list[str], top: str) -> list[str]:
        """Returns the file that a Rust path leads to."""
        for count in range(len(parts), 0, -1):
            base = "/".join(filter(None, [root, *parts[:count]]))
            for ending in (".rs", "/mod.rs"):
                if base + ending in self._paths:
                    return [base + ending]
        for name in ("lib.rs", "mod.rs", "main.rs"):
            place = f"{top}/{name}".lstrip("/")
            if place in self._paths:
                return [place]
        return []

    def _from_java(self, path: str, name: str) -> tuple[list[str], str | None]:
        """Returns the files that a Java import means, and the package if it is an external one."""
        parts = name.rstrip(".").split(".")
        for count in (len(parts), len(parts) - 1):  # the last may be a member
            module_path = self._jvm.get(".".join(parts[:count])) if count > 1 else None
            if module_path is not None:
                return [module_path], None
        if name.startswith(_JVM_OWN):
            return [], None
        if name.endswith(".") or name == ".".join(
            part.lower() for part in parts
        ):  # a whole package of the repository
            folder = [package for package in self._folders if package.endswith("/" + "/".join(parts))]
            if folder:
                return self._folders[folder[0]], None
        return [], ".".join(parts[:3])

    def _from_path(self, path: str, name: str) -> tuple[list[str], str | None]:
        """Returns the file that an include or require means."""
        for base in (posixpath.join(posixpath.dirname(path), name), name, f"include/{name}", f"src/{name}"):
            for ending in ("", ".rb"):
                place = posixpath.normpath(base) + ending
                if place in self._paths:
                    return [place], None
        return [], None


def _dotted(paths: Collection[str]) -> dict[str, str]:
    """Returns Python files by the dotted names under which they can be imported; of several, the one nearest
    to the root."""
    all_paths = frozenset(paths)
    by_name: dict[str, str] = {}

    @cache
    def outermost(folder: str) -> int:
        """Returns the number of folders above the outermost package of a folder."""
        start = folder.count("/") + 1 if folder else 0
        while start > 0 and f"{folder}/__init__.py" in all_paths:
            folder = posixpath.dirname(folder)
            start -= 1
        return start

    for path in sorted(
        (path_item for path_item in paths if path_item.endswith((".py", ".pyi", ".pyx"))),
        key=lambda p: (p.count("/"), p),
    ):
        parts = path.rpartition(".")[0].split("/")
        if parts[-1] == "__init__":
            parts = parts[:-1]
        start = outermost(posixpath.dirname(path))
        # from its outermost package, from the root, or from any folder with that folder as prefix
        for first in sorted({start, 0, *range(len(parts) - 1)}):
            name = ".".join(parts[first:])
            # a single name of a nested file would shadow imports of external packages
            is_top = first == 0 or parts[first - 1] in ("src", "lib", "python")
            if name and ("." in name or is_top or path.endswith("/__init__.py")):
                by_name.setdefault(name, path)
    return by_name
