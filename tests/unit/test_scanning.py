"""Scanning repositories: modules, tests, dependencies, manifests, history, and what hostile ones may hold."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from holdfast.core.errors import InvalidInput
from holdfast.core.module_map import Module, ModuleMap
from holdfast.features.modulemap.match import match
from holdfast.features.modulemap.scan.code import read_code, summary_of
from holdfast.features.modulemap.scan.history import history_of
from holdfast.features.modulemap.scan.infrastructure import compose_services
from holdfast.features.modulemap.scan.scan import scan
from holdfast.features.modulemap.scan.toml import TOML_TOTAL, toml_of


def folder_with(root: Path, files: Mapping[str, str]) -> Path:
    """A folder with these files."""
    for path, text in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return root


def scanned(root: Path, files: Mapping[str, str]) -> ModuleMap:
    return scan(folder_with(root, files), "p").module_map


def holder(whole: ModuleMap, path: str) -> Module:
    (name,) = whole.holders(path)
    return whole.modules[name]


def long(name: str, lines: int = 200) -> str:
    """Python code that is long enough for a module of its own."""
    return f'"""The {name} of things."""\n' + "".join(
        f"def {name}_{n}():\n    return {n}\n" for n in range(lines)
    )


PACKAGE = {
    "pyproject.toml": '[build-system]\nbuild-backend = "hatchling.build"\n[project]\nname = "shop"\n'
    'dependencies = ["fastapi>=0.1", "pyjwt"]\n[project.scripts]\nshop = "shop.cli:main"\n'
    "[dependency-groups]\ndev = ['pytest']\n[tool.ruff]\nline-length = 99\n[tool.mypy]\nstrict = true\n",
    "README.md": "# Shop\n\n## Contributing\n\n- Always write a test before you fix a bug.\n"
    "- See the site.\n",
    "src/shop/__init__.py": '"""A shop."""\n',
    "src/shop/cli.py": long("cli") + "from shop import billing\nimport click\n",
    "src/shop/billing.py": long("billing") + "from shop.tokens import tokens_1\nimport stripe, os\n",
    "src/shop/tokens.py": long("tokens") + "import jwt\n",
    "src/shop/search/__init__.py": "",
    "src/shop/search/index.py": long("index", 20),
    "tests/conftest.py": "",
    "tests/helpers.py": "X = 1\n",
    "tests/test_billing.py": "from shop.billing import billing_1\n",
    "tests/search/test_ranking.py": "from shop.search import index\n",
    "docs/guide.md": "Guide.\n",
    "Makefile": "build:\n\tpython -m build\nlint check: build\n\truff check\n.PHONY: build\nX := 1\n",
    ".github/workflows/ci.yml": "on: push\n",
    "Dockerfile": "FROM scratch\n",
}


def test_s4_4_a_package_becomes_modules_with_files_tests_and_relations(tmp_path: Path) -> None:
    whole = scanned(tmp_path, PACKAGE)
    assert {"billing", "tokens", "cli", "search"} <= {*whole.modules}
    billing = whole.modules["billing"]
    assert billing.core_files == ("src/shop/billing.py",)
    assert billing.test_files == ("tests/test_billing.py",)
    assert billing.dependencies == ("stripe",)
    assert {*billing.related_modules} == {"cli", "tokens"}
    assert billing.description == "The billing of things."
    assert "billing_1" in billing.symbols
    assert whole.modules["cli"].entry_points == ("src/shop/cli.py",)
    assert holder(whole, "tests/search/test_ranking.py").name == "search"
    assert holder(whole, "tests/helpers.py").name == "tests"
    assert "docs/guide.md" in whole.modules["docs"].doc_files
    assert {"pyproject.toml", "Makefile", "Dockerfile"} <= {*whole.modules["project"].config_files}
    assert all(module.confidence.value == "shallow" for module in whole.modules.values())


def test_s4_4_build_test_and_lint_are_found(tmp_path: Path) -> None:
    whole = scanned(tmp_path, PACKAGE)
    assert whole.build_system is not None
    assert whole.build_system.tool == "hatch"
    assert whole.build_system.commands["lint"] == "make lint"
    assert whole.build_system.commands["test"] == "make check"
    assert whole.test_framework is not None
    assert (whole.test_framework.tool, whole.test_framework.run_command) == ("pytest", "make check")


def test_s4_6_services_and_infrastructure_are_found(tmp_path: Path) -> None:
    (service,) = scanned(tmp_path, PACKAGE).services
    assert (service.name, service.language, service.framework, service.type) == (
        "shop",
        "python",
        "FastAPI",
        "backend",
    )
    assert service.entry_point == "src/shop/cli.py"
    assert service.dependencies == ("fastapi", "pyjwt")
    assert service.dev_dependencies == ("pytest",)
    assert (service.test_directory, service.dockerfile) == ("tests", "Dockerfile")
    ships = scan(tmp_path, "p").module_map.infrastructure
    assert (ships.ci, ships.deployment) == (("GitHub Actions",), ("Docker",))


def test_s4_4_the_same_files_give_the_same_map(tmp_path: Path) -> None:
    one = scan(folder_with(tmp_path / "a", PACKAGE), "p")
    other = scan(folder_with(tmp_path / "b", dict(reversed([*PACKAGE.items()]))), "p")
    assert one == other
    assert len(one.files) == len(PACKAGE)


FULL_STACK = {
    "backend/pyproject.toml": "[project]\nname='api'\ndependencies=['flask']\n",
    "backend/app/routes/auth.py": "from app.services import auth_service\n",
    "backend/app/routes/orders.py": "from app.services import order_service\n",
    "backend/app/services/auth_service.py": "import jwt\ndef refresh(): ...\n",
    "backend/app/services/order_service.py": "def place(): ...\n",
    "backend/app/middleware/jwt.py": "def check(): ...\n",
    "backend/app/models/order.py": "class Order: ...\n",
    "backend/tests/test_auth.py": "from app.services import auth_service\n",
    "frontend/package.json": json.dumps({"name": "web", "dependencies": {"react": "18", "next": "14"}}),
    "frontend/src/components/LoginForm.tsx": "export function LoginForm() {}\n",
    "frontend/src/components/OrderList.tsx": "export function OrderList() {}\n",
    "frontend/src/hooks/useAuth.ts": "export function useAuth() {}\n",
    "docker-compose.yml": "services:\n  db:\n    image: postgres\n  cache:\n    image: redis\n"
    "volumes:\n  x:\n",
}


def test_s4_71_a_feature_that_crosses_layers_and_services_is_one_module(tmp_path: Path) -> None:
    whole = scanned(tmp_path, FULL_STACK)
    auth = whole.modules["authentication"]
    assert {"backend/app/services/auth_service.py", "backend/app/middleware/jwt.py"} <= {*auth.core_files}
    assert auth.entry_points == ("backend/app/routes/auth.py",)
    assert "frontend/src/components/LoginForm.tsx" in auth.frontend_files
    assert auth.test_files == ("backend/tests/test_auth.py",)
    assert auth.dependencies == ("jwt",)
    found = match(whole, "bug in the auth system - logged out after 5 minutes")
    assert found[0].module.name == "authentication"
    orders = holder(whole, "backend/app/services/order_service.py")
    assert {"backend/app/routes/orders.py", "backend/app/models/order.py"} <= {*orders.files}


def test_s4_6_a_monorepo_is_seen_with_its_services(tmp_path: Path) -> None:
    whole = scanned(tmp_path, FULL_STACK)
    assert whole.monorepo == "2 services"
    assert {(service.name, service.type, service.framework) for service in whole.services} == {
        ("api", "backend", "Flask"),
        ("web", "frontend", "Next.js"),
    }
    assert whole.infrastructure.compose_services == ("db", "cache")


def test_a_wrapper_with_one_part_has_its_name(tmp_path: Path) -> None:
    whole = scanned(tmp_path, {"apps/api/main.py": "x = 1\n", "packages/billing/invoice.py": "y = 1\n"})
    assert whole.modules.keys() == {"api", "billing"}


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"pnpm-workspace.yaml": "packages: []\n"}, "pnpm-workspace.yaml"),
        ({"turbo.json": "{}"}, "turbo.json"),
        ({"package.json": '{"workspaces": ["x/*"]}'}, "workspaces"),
        ({"packages/a/package.json": "{}", "packages/b/package.json": "{}"}, "packages/"),
        ({"package.json": "{}"}, None),
    ],
)
def test_s4_6_what_makes_a_monorepo(tmp_path: Path, files: dict[str, str], why: str | None) -> None:
    assert scanned(tmp_path, {**files, "a.js": "x\n"}).monorepo == why


@pytest.mark.parametrize(
    ("files", "tool", "goal", "line", "tests"),
    [
        (
            {"package.json": '{"scripts": {"build": "x", "test": "y"}, "devDependencies": {"jest": "1"}}'},
            "npm",
            "test",
            "npm test",
            "jest",
        ),
        (
            {
                "package.json": '{"packageManager": "pnpm@9", "scripts": {"lint": "x"}, '
                '"devDependencies": {"vitest": "1"}}'
            },
            "pnpm",
            "lint",
            "pnpm lint",
            "vitest",
        ),
        (
            {"package.json": '{"scripts": {"build": "x"}}', ".yarnrc.yml": "a: b\n"},
            "yarn",
            "build",
            "yarn build",
            None,
        ),
        (
            {"package.json": '{"scripts": {"build": "x"}}', "turbo.json": "{}"},
            "turbo",
            "build",
            "npm run build",
            None,
        ),
        ({"Cargo.toml": '[package]\nname = "x"\n'}, "cargo", "lint", "cargo clippy", "cargo test"),
        ({"go.mod": "module example.com/x\n"}, "go", "test", "go test ./...", "go test"),
        (
            {"pom.xml": "<project><artifactId>x</artifactId></project>"},
            "maven",
            "build",
            "mvn package",
            "junit",
        ),
        (
            {"build.gradle.kts": "plugins {}\n", "gradlew": "#!/bin/sh\n"},
            "gradle",
            "test",
            "./gradlew test",
            "junit",
        ),
        (
            {"Gemfile": "gem 'rails'\n", "spec/a_spec.rb": "x\n"},
            "bundler",
            "test",
            "bundle exec rspec",
            "rspec",
        ),
        (
            {"composer.json": '{"scripts": {"test": "phpunit"}}'},
            "composer",
            "test",
            "composer test",
            "phpunit",
        ),
        (
            {"setup.py": "x\n", "noxfile.py": "x\n", "tests/test_a.py": "x\n"},
            "setuptools",
            "test",
            "nox",
            "unittest",
        ),
        (
            {"pyproject.toml": "", "tox.ini": "[tox]\n", "conftest.py": "x\n"},
            "setuptools",
            "test",
            "tox",
            "pytest",
        ),
        ({"pyproject.toml": "", "justfile": "lint:\n  ruff\n"}, "setuptools", "lint", "just lint", None),
    ],
)
def test_s4_4_the_commands_of_every_tool(
    tmp_path: Path, files: dict[str, str], tool: str, goal: str, line: str, tests: str | None
) -> None:
    whole = scanned(tmp_path, files)
    assert whole.build_system is not None
    assert whole.build_system.tool == tool
    assert whole.build_system.commands[goal] == line
    assert (whole.test_framework and whole.test_framework.tool) == tests


def test_s4_6_dependencies_of_every_ecosystem(tmp_path: Path) -> None:
    whole = scanned(
        tmp_path,
        {
            "go/go.mod": "module x.dev/y\nrequire (\n\tgithub.com/gin-gonic/gin v1.2.3\n)\n",
            "java/pom.xml": "<project><artifactId>j</artifactId><dependency><groupId>a</groupId>"
            "<artifactId>spring-boot-starter-web</artifactId></dependency></project>",
            "gradle/build.gradle": "implementation 'io.x:quarkus-core:1'\n"
            'testImplementation "junit:junit:4"\n',
            "ruby/Gemfile": "gem 'rails'\ngem \"sidekiq\"\n",
            "php/composer.json": '{"require": {"php": ">=8", "laravel/framework": "*"}}',
            "rust/Cargo.toml": '[package]\nname="r"\n[dependencies]\naxum = "1"\n[dev-dependencies]\n'
            'tokio-test = "1"\n',
            "old/requirements.txt": "Django>=4\n# no\n-r other.txt\n",
            "older/setup.cfg": "[options]\ninstall_requires =\n    scrapy\n    x>=1\n\n[other]\n    y\n",
            "oldest/setup.py": "setup(install_requires=['celery>=5', 'kombu'])\n",
        },
    )
    assert {
        service.path: (service.framework, service.type, service.dependencies) for service in whole.services
    } == {
        "go": ("Gin", "backend", ("github.com/gin-gonic/gin",)),
        "java": ("Spring Boot", "backend", ("spring-boot-starter-web",)),
        "gradle": ("Quarkus", "backend", ("quarkus-core",)),
        "ruby": ("Rails", "backend", ("rails", "sidekiq")),
        "php": ("Laravel", "backend", ("laravel/framework",)),
        "rust": ("axum", "backend", ("axum",)),
        "old": ("Django", "backend", ("Django",)),
        "older": ("Scrapy", "scraper", ("scrapy", "x")),
        "oldest": ("Celery", "worker", ("celery", "kombu")),
    }


@pytest.mark.parametrize(
    ("files", "user", "used", "outside"),
    [
        (
            {
                "a/__init__.py": "",
                "a/one.py": "from . import two\nfrom requests import get\n",
                "a/two.py": "x=1\n",
            },
            "a/one.py",
            "a/two.py",
            "requests",
        ),
        (
            {
                "src/one.ts": "import {a} from './lib/two'\nimport x from 'lodash/fp'\n"
                "import fs from 'node:fs'\n",
                "src/lib/two.ts": "export const a = 1\n",
            },
            "src/one.ts",
            "src/lib/two.ts",
            "lodash",
        ),
        (
            {
                "src/one.ts": "export * from '@/lib/two'\nimport '@scope/pkg/deep'\n",
                "src/lib/two/index.ts": "1\n",
            },
            "src/one.ts",
            "src/lib/two/index.ts",
            "@scope/pkg",
        ),
        (
            {
                "go.mod": "module x.dev/y\n",
                "main.go": 'package main\nimport (\n\t"fmt"\n\t"x.dev/y/two"\n\tz "github.com/a/b/c"\n)\n',
                "two/two.go": "package two\n",
            },
            "main.go",
            "two/two.go",
            "github.com/a/b",
        ),
        (
            {
                "Cargo.toml": "[package]\nname='x'\n",
                "src/lib.rs": "mod two;\nuse serde::Deserialize;\nuse std::io;\n",
                "src/two.rs": "use crate::lib;\n",
            },
            "src/lib.rs",
            "src/two.rs",
            "serde",
        ),
        (
            {
                "Cargo.toml": "[workspace]\n",
                "a/Cargo.toml": "[package]\nname='my-a'\n",
                "a/src/lib.rs": "pub fn x() {}\n",
                "b/Cargo.toml": "[package]\nname='b'\n",
                "b/src/main.rs": "use my_a::x;\nuse tokio::{spawn, time};\n",
            },
            "b/src/main.rs",
            "a/src/lib.rs",
            "tokio",
        ),
        (
            {
                "src/main/java/x/y/One.java": "import x.y.two.Two;\nimport java.util.List;\n"
                "import com.google.common.Z;\n",
                "src/main/java/x/y/two/Two.java": "class Two {}\n",
            },
            "src/main/java/x/y/One.java",
            "src/main/java/x/y/two/Two.java",
            "com.google.common",
        ),
    ],
)
def test_s4_4_imports_of_every_language_are_followed(
    tmp_path: Path, files: dict[str, str], user: str, used: str, outside: str
) -> None:
    from holdfast.features.modulemap.scan.files import Reader, list_files
    from holdfast.features.modulemap.scan.manifests import project_of
    from holdfast.features.modulemap.scan.resolving import Resolver

    listing = list_files(folder_with(tmp_path, files))
    names = project_of(Reader(tmp_path), listing.paths, "x").names
    source = next(one for one in listing.sources if one.path == user)
    code = read_code(files[user], source.language)
    inside, packages = Resolver(listing.paths, names).resolved(user, source.language, code.imports)
    assert used in inside
    assert packages == [outside]


def test_s4_4_docstrings_are_no_imports_and_licences_no_descriptions() -> None:
    code = read_code('"""Use it so:\n\nimport yourapp\n"""\nimport os\n', "python")
    assert code.imports == ("os",)
    assert (
        summary_of("// Copyright 2020 Somebody\n\n// Parses things.\nfn x() {}\n", "rust") == "Parses things."
    )
    assert summary_of("# Copyright\n'''Title\n=====\n\nWhat it does, e.g. that. More.\n'''\n", "python") == (
        "What it does, e.g. that."
    )


# hostile repositories


def test_s4_4_broken_manifests_are_noted_and_nothing_more(tmp_path: Path) -> None:
    deep = "[" * 100_000
    whole = scanned(
        tmp_path,
        {
            "package.json": '{"scripts": [1, 2], "dependencies": "x", "workspaces": 3, "bin": ["a"], '
            '"name": 4}',
            "a/package.json": deep,
            "b/pyproject.toml": "= = =",
            "c/pyproject.toml": "[project]\nname = 3\ndependencies = 'x'\n[tool]\npoetry = 4\n",
            "d/Cargo.toml": "package = 1\n",
            "e/composer.json": "[]",
            "f/pom.xml": "<dependency>" * 20_000,
            "g/go.mod": "module",
            "compose.yaml": "services: &a [*a, *a]\n" + "x" * 100_000,
            "tsconfig.json": "// a comment\n{}",
            ".editorconfig": "[*\nindent_style",
        },
    )
    assert [note.split(":")[0] for note in whole.notes] == ["a/package.json", "b/pyproject.toml"]
    assert ModuleMap.from_dict(whole.as_dict()) == whole


KEY = ".".join("a" * 5_000)


@pytest.mark.parametrize(
    "text",
    [
        f"{KEY} = 1\n",
        f"[{KEY}]\n",
        f"[[{KEY}]]\n",
        f"x = {{{KEY} = 1}}\n",
        f'x = "\\""\n{KEY} = 1 # "\n',
        f'x = """\n" """\n{KEY} = "\n"\n',
        f"x = '''\n' ''''\n{KEY} = ''\n",
        "\n".join(f"[b.{'.'.join('a' * 30)}.t{n}]" for n in range(800)),
        f"x = {'[' * 20_000}\n",
        "x = 1\n" * 20_000,
    ],
)
def test_s4_4_toml_that_would_take_minutes_is_not_read(tmp_path: Path, text: str) -> None:
    """Keys of thousands of parts, wherever they stand and whatever stands before them."""
    with pytest.raises((ValueError, RecursionError)):
        toml_of(text)
    whole = scanned(tmp_path, {"Cargo.toml": text, "one/pyproject.toml": text, "a.py": "x = 1\n"})
    assert {note.partition(":")[0] for note in whole.notes} == {"Cargo.toml", "one/pyproject.toml"}


def test_s4_4_toml_as_people_write_it_is_read() -> None:
    pins = ", ".join(f'"package-{n} >= {n}.2.3"' for n in range(400))
    text = f"""
        [tool.a.b.c] # one. two. three. {"." * 100}
        "x.y".z = '{"." * 100}'
        pins = [{pins}]
        told = \"\"\"{"so. " * 100}""quoted"" {"." * 100}\"\"\"\"
        path = 'C:\\' # {"." * 100}
    """
    assert toml_of(text) == tomllib.loads(text)


def test_s4_4_what_a_scan_reads_of_toml_is_bounded(tmp_path: Path) -> None:
    """By size, whatever the machine: the same files give the same map."""
    text = "[project]\nname = 'x'\n" + "# a comment\n" * 4_500
    files = {f"s{n:02}/pyproject.toml": text for n in range(30)} | {"a.py": "x = 1\n"}
    whole = scanned(tmp_path, files)
    named = [service.path for service in whole.services if service.name == "x"]
    assert named == [f"s{n:02}" for n in range(TOML_TOTAL // len(text))]
    assert whole.notes == (f"TOML manifests skipped, because earlier ones are large: {30 - len(named)}",)


def test_s4_4_links_pipes_and_unreadable_files_do_no_harm(tmp_path: Path) -> None:
    outside = folder_with(tmp_path / "outside", {"secret.py": "TOKEN = 1\n"})
    root = folder_with(tmp_path / "repo", {"a.py": long("a"), "b/c.py": "import a\n"})
    os.mkfifo(root / "pipe.py")
    (root / "link.py").symlink_to(outside / "secret.py")
    (root / "loop").symlink_to(root)
    (root / "package.json").symlink_to(outside / "secret.py")
    (root / "binary.py").write_bytes(b"\0\1\2" * 1000)
    whole = scan(root, "p").module_map
    files = {path for module in whole.modules.values() for path in module.files}
    assert files == {"a.py", "b/c.py", "binary.py"}
    assert not any("secret" in path for path in scan(root, "p").files)


def test_s4_4_code_that_is_made_to_take_long_does_not(tmp_path: Path) -> None:
    # patterns that look back would take minutes for these
    texts = {
        "a.py": "from a import (" + "x, " * 40_000,
        "b.py": '"""' + "a " * 60_000,
        "c.js": "import " * 20_000,
        "d.rs": "pub(" * 30_000 + "use ",
        "e.go": 'import (\n"' * 12_000,
        "f.java": "public static " * 9_000,
        "g.ts": "export default async abstract " * 4_000,
        "h.py": " " * 120_000 + "x",
        "i.md": "-" * 120_000,
    }
    whole = scanned(tmp_path, texts)
    assert {path for module in whole.modules.values() for path in module.files} == {*texts}


def test_s4_4_a_root_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    for root in (tmp_path / "nowhere", folder_with(tmp_path, {"file": "x"}) / "file"):
        with pytest.raises(InvalidInput):
            scan(root, "p")
    (tmp_path / "empty").mkdir()
    assert scan(tmp_path / "empty", "p").module_map.modules == {}


def test_s4_4_compose_files_are_read_line_by_line() -> None:
    text = "version: '3'\nservices:\n  web:\n    ports: [1]\n  'db':\n    image: x\nnetworks:\n  n:\n"
    assert compose_services(text) == ["web", "db"]
    assert compose_services("services:\n\tweb:\n") == ["web"]


# history


def git(root: Path, *arguments: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main",
         "-c", "commit.gpgsign=false", *arguments],
        cwd=root, check=True, capture_output=True,
    )  # fmt: skip


def test_s4_4_what_is_changed_together_is_related(tmp_path: Path) -> None:
    files = {"one/a.py": long("a"), "two/b.py": long("b"), "three/c.py": long("c")}
    root = folder_with(tmp_path, files)
    git(root, "init")
    for turn in range(3):
        folder_with(root, {"one/a.py": long("a") + f"# {turn}\n", "two/b.py": long("b") + f"# {turn}\n"})
        git(root, "add", "-A")
        git(root, "commit", "-m", f"change {turn}")
    history = history_of(root, [*files])
    assert history.together == {
        ("one/a.py", "two/b.py"): 3,
        ("one/a.py", "three/c.py"): 1,
        ("three/c.py", "two/b.py"): 1,
    }
    assert history.changes["one/a.py"] == 3
    whole = scan(root, "p").module_map
    assert whole.modules["one"].related_modules == ("two",)
    assert history_of(root / "one", ["a.py"]).changes == {"a.py": 3}


def test_s4_4_the_configuration_of_a_strange_repository_runs_nothing(tmp_path: Path) -> None:
    root = folder_with(tmp_path / "repo", {"a.py": "x = 1\n"})
    mark = tmp_path / "ran"
    git(root, "init")
    git(root, "add", "-A")
    git(root, "commit", "-m", "one")
    script = folder_with(tmp_path, {"evil.sh": f"#!/bin/sh\ntouch {mark}\ncat\n"}) / "evil.sh"
    script.chmod(0o755)
    (root / ".gitattributes").write_text("*.py diff=evil filter=evil\n")
    for name in ("core.fsmonitor", "core.pager", "diff.external", "diff.evil.textconv", "diff.evil.command",
                 "filter.evil.smudge", "gpg.program", "core.sshCommand"):  # fmt: skip
        git(root, "config", name, str(script))
    git(root, "config", "log.showSignature", "true")
    assert history_of(root, ["a.py"]).changes == {"a.py": 1}
    assert not mark.exists()


@pytest.mark.parametrize("setting", ["extensions.partialClone", "remote.origin.promisor"])
def test_s4_4_what_is_missing_from_a_strange_repository_is_not_fetched(tmp_path: Path, setting: str) -> None:
    """Git would fetch it by what the repository says, running a program that the repository names."""
    root = folder_with(tmp_path / "repo", {"s/a.py": "x = 1\n"})
    mark = tmp_path / "ran"
    git(root, "init")
    for turn in range(2):
        folder_with(root, {"s/a.py": f"x = {turn}\n"})
        git(root, "add", "-A")
        git(root, "commit", "-m", "one")
    shutil.copytree(root, tmp_path / "whole")
    tree = subprocess.run(
        ["git", "-C", str(root), "rev-parse", "HEAD~1:s"], check=True, capture_output=True, text=True
    ).stdout.strip()
    (root / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    for name, value in {
        "core.repositoryformatversion": "1",
        setting: "origin" if setting == "extensions.partialClone" else "true",
        "remote.origin.url": str(tmp_path / "whole"),
        "remote.origin.partialclonefilter": "tree:0",
        "protocol.file.allow": "always",
        "remote.origin.uploadpack": f"touch {mark}; git-upload-pack",
    }.items():
        git(root, "config", name, value)
    assert not history_of(root, ["s/a.py"]).changes
    assert not mark.exists()
    whole = tmp_path / "whole"
    assert history_of(whole, ["s/a.py"]).changes == {"s/a.py": 2}
    git(whole, "config", setting, "true")
    assert not history_of(whole, ["s/a.py"]).changes


def test_s4_4_a_folder_without_history_has_none(tmp_path: Path) -> None:
    assert not history_of(folder_with(tmp_path, {"a.py": "x\n"}), ["a.py"]).changes
    folder_with(tmp_path, {".git": "gitdir: /nowhere\n"})
    assert not history_of(tmp_path, ["a.py"]).changes


# conventions


def test_s4_7_conventions_are_found_in_manifests_linters_and_rules(tmp_path: Path) -> None:
    files = {
        **PACKAGE,
        ".editorconfig": "root = true\n[*]\nindent_style = space\nindent_size = 4\nend_of_line = lf\n"
        "[*.md]\nx = 1\n",
        ".prettierrc": '{"semi": false, "singleQuote": true, "printWidth": 90}',
        ".eslintrc.json": '{"extends": "airbnb", "rules": {"no-var": "error", "x": "off", "y": [2, {}]}}',
        "biome.json": '{"formatter": {"indentStyle": "tab"}}',
        "tsconfig.json": '{"compilerOptions": {"strict": true}}',
        "CLAUDE.md": "# Rules\n\n- Never commit directly to the main branch.\n- ok\n```\n"
        "- do not read this line here\n```\n",
        "AGENTS.md": "1. Use `uv` for all Python commands here.\n",
        ".cursorrules": "* Prefer composition over inheritance in services.\n",
    }
    seeds = scan(folder_with(tmp_path, files), "p").seeds
    told = {(seed.file, seed.text) for seed in seeds}
    assert told == {
        ("pyproject.toml", "Commands of this project: build with `python -m build`, lint with `make lint`,"
         " test with `make check`."),
        (".editorconfig", "Indent with 4 spaces (.editorconfig)"),
        (".editorconfig", "Line ends are LF (.editorconfig)"),
        ("pyproject.toml", "Python code is checked with Ruff, line length 99 (pyproject.toml)"),
        ("pyproject.toml", "Types are checked with mypy in strict mode (pyproject.toml)"),
        (".prettierrc", "Prettier formats with no semicolons, single quotes, lines of at most 90 characters"
         " (.prettierrc)"),
        (".eslintrc.json", "ESLint holds the code to airbnb (.eslintrc.json)"),
        (".eslintrc.json", "ESLint refuses what breaks no-var, y (.eslintrc.json)"),
        ("biome.json", "Biome formats with tabs (biome.json)"),
        ("tsconfig.json", "TypeScript is compiled in strict mode (tsconfig.json)"),
        ("CLAUDE.md", "Never commit directly to the main branch."),
        ("AGENTS.md", "Use `uv` for all Python commands here."),
        (".cursorrules", "Prefer composition over inheritance in services."),
        ("README.md", "Always write a test before you fix a bug."),
    }  # fmt: skip
    assert len({seed.key for seed in seeds}) == len(seeds)


@pytest.mark.parametrize(
    ("file", "text", "rule"),
    [
        (".github/copilot-instructions.md", "# Rules\n\nWe use pnpm, not npm.\n", "We use pnpm, not npm."),
        ("CONTRIBUTING.md", "# Hello\n\nThis is fine. Please squash commits before merging.\n",
         "Please squash commits before merging."),
        ("CONTRIBUTING.md", "Branches are named feature/NAME.\n", "Branches are named feature/NAME."),
        ("MEMORY.md", "- Never reset the staging database on Mondays\n",
         "Never reset the staging database on Mondays"),
        ("CLAUDE.md", "* Keep functions short\n", "Keep functions short"),
        ("AGENTS.md", "1. Branch from main\n2. Run these tests:\n", "Branch from main"),
        ("CONTRIBUTING.md", "- Open an issue before a large change\n", "Open an issue before a large change"),
    ],
)  # fmt: skip
def test_s4_7_plain_rules_of_files_for_agents_are_proposed(
    tmp_path: Path, file: str, text: str, rule: str
) -> None:
    seeds = scan(folder_with(tmp_path, {file: text, "a.py": ""}), "p").seeds
    assert [(seed.file, seed.text) for seed in seeds] == [(file, rule)]


@pytest.mark.parametrize(
    ("files", "folder", "manager"),
    [
        ({"package.json": "{}", "pnpm-lock.yaml": "lockfileVersion: 9\n"}, ".", "pnpm"),
        ({"package.json": "{}", "yarn.lock": "# yarn\n"}, ".", "yarn"),
        ({"package.json": "{}", "bun.lock": "{}"}, ".", "bun"),
        ({"package.json": "{}", "bun.lock": "{}", "w/package.json": "{}", "w/yarn.lock": ""}, "w", "yarn"),
        ({"package.json": "{}", "pnpm-lock.yaml": "x: 1\n", "web/package.json": "{}"}, "web", "pnpm"),
        ({"package.json": '{"packageManager": "yarn@4.1.0"}', "pnpm-lock.yaml": "x: 1\n"}, ".", "yarn"),
        ({"package.json": "{}"}, ".", "npm"),
        ({"pyproject.toml": "", "uv.lock": "version = 1\n"}, ".", "uv"),
        ({"pyproject.toml": "", "poetry.lock": "#\n"}, ".", "poetry"),
        ({"pyproject.toml": "[tool.hatch]\n"}, ".", "hatch"),
    ],
)  # fmt: skip
def test_s4_6_the_package_manager_is_the_one_of_the_nearest_lock_file(
    tmp_path: Path, files: Mapping[str, str], folder: str, manager: str
) -> None:
    services = scanned(tmp_path / "r", {**files, "src/a.py": "x = 1\n"}).services
    assert {service.path: service.package_manager for service in services}[folder] == manager


def test_s4_4_commands_are_those_of_the_package_manager(tmp_path: Path) -> None:
    files = {
        "package.json": '{"scripts": {"test": "vitest", "build": "vite build"}}',
        "pnpm-lock.yaml": "x: 1\n",
    }
    build = scanned(tmp_path / "r", files).build_system
    assert build is not None
    assert (build.tool, build.commands["test"], build.commands["build"]) == (
        "pnpm",
        "pnpm test",
        "pnpm build",
    )


def test_s4_6_the_image_of_a_service_is_not_that_of_the_services_around_it(tmp_path: Path) -> None:
    files = {
        "package.json": "{}", "api/package.json": "{}", "api/Dockerfile": "FROM node\n",
        "web/package.json": "{}", "web/deploy/Dockerfile.prod": "FROM nginx\n",
    }  # fmt: skip
    services = {service.path: service.dockerfile for service in scanned(tmp_path / "r", files).services}
    assert services == {".": None, "api": "api/Dockerfile", "web": "web/deploy/Dockerfile.prod"}


def test_s4_4_a_module_of_tasks_is_code(tmp_path: Path) -> None:
    files = {**PACKAGE, "src/shop/tasks.py": long("tasks") + "import celery\n"}
    assert "src/shop/tasks.py" in holder(scanned(tmp_path / "r", files), "src/shop/tasks.py").core_files


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("#!/usr/bin/env node\n// Sends the invoices of a month.\nx()\n", "Sends the invoices of a month."),
        ("#!/usr/bin/env node\nx()\n", ""),
        ("#!/bin/sh\n# Restores a backup.\nset -e\n", "Restores a backup."),
        (
            "// Copyright A\n// Licensed so.\n//\n// Unless required by law.\n\n// Package x adds.\nx\n",
            "Package x adds.",
        ),
        (
            "/*\n * Copyright A\n *\n * No warranty of any kind.\n */\n/* Sorts rows. */\nint x;\n",
            "Sorts rows.",
        ),
        ("# frozen_string_literal: true\n\n# Mails letters.\nclass A\n", "Mails letters."),
        ("// Code generated by x. DO NOT EDIT.\npackage x\n", ""),
    ],
)
def test_s4_4_what_a_tool_or_the_law_wants_describes_nothing(text: str, summary: str) -> None:
    assert summary_of(text, "other") == summary


def test_s4_4_a_module_without_a_comment_is_described_by_its_manifest_or_definitions(tmp_path: Path) -> None:
    files = {
        "package.json": '{"name": "shop", "workspaces": ["packages/*"]}',
        "packages/mail/package.json": '{"name": "mail", "description": "Sends mail in batches"}',
        "packages/mail/index.js": "exports.send = 1\n",
        "packages/tax/package.json": '{"name": "tax"}',
        "packages/tax/index.js": "function rateOf(country) {}\nfunction roundUp(sum) {}\n",
    }
    found = scanned(tmp_path / "r", files)
    assert holder(found, "packages/mail/index.js").description == "Sends mail in batches"
    assert holder(found, "packages/tax/index.js").description == "Defines rateOf, roundUp."


def test_s4_7_rules_written_as_sentences_are_proposed(tmp_path: Path) -> None:
    text = (
        "---\ndescription: Always here\n---\n# Working here\n\nThis service takes orders. Use `ruff` and\n"
        "never black for the formatting of code. The shop began in 2019.\n\nMigrations must be reversible.\n"
        "Thanks for reading!\n\n```\nalways run this example of code\n```\n"
    )
    seeds = scan(folder_with(tmp_path / "r", {"AGENTS.md": text}), "p").seeds
    assert [seed.text for seed in seeds] == [
        "Use `ruff` and never black for the formatting of code.", "Migrations must be reversible.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("language", "text", "symbols"),
    [
        (
            "javascript",
            "const fs = require('fs')\nconst sum = 1\nfunction add () {\n  const own = 2\n}\n",
            ("sum", "add"),
        ),
        ("typescript", "export const a1 = 1\ndeclare namespace X {\n  interface Inner {}\n}\n", ("Inner",)),
        ("svelte", "<script>\n  function load() {\n    function no() {}\n  }\n</script>\n", ("load",)),
        (
            "python",
            "def main():\n    def inner():\n        pass\n\nclass Till:\n    def pay(self): ...\n",
            ("main", "Till", "pay"),
        ),
        (
            "c",
            "#define MAXED(a) a\nstruct till { int x; };\nint *pay_all(int a)\n{\n  return sum(a);\n}\n",
            ("MAXED", "till", "pay_all"),
        ),
        ("php", "abstract class Till\n{\n    final public function payAll() {}\n}\n", ("Till", "payAll")),
    ],
)
def test_s4_4_symbols_are_what_a_file_defines_for_others(
    language: str, text: str, symbols: tuple[str, ...]
) -> None:
    assert {*read_code(text, language).symbols} >= {*symbols}
    assert not {"fs", "own", "no", "inner", "sum" if language == "c" else ""} & {
        *read_code(text, language).symbols
    }


@pytest.mark.parametrize(
    ("files", "build", "tests"),
    [
        ({"pyproject.toml": "", "uv.lock": "x", "conftest.py": "x\n"}, "uv build", "uv run pytest"),
        ({"pyproject.toml": "[tool.poetry]\n", "conftest.py": "x\n"}, "poetry build", "poetry run pytest"),
        (
            {"pyproject.toml": "[tool.pdm.scripts]\ntest = 'pytest'\n", "conftest.py": "x\n"},
            "pdm build",
            "pdm run test",
        ),
    ],
)
def test_s4_4_python_is_built_and_tested_by_its_package_manager(
    tmp_path: Path, files: dict[str, str], build: str, tests: str
) -> None:
    found = scanned(tmp_path / "r", files)
    assert found.build_system is not None
    assert found.test_framework is not None
    assert (found.build_system.commands["build"], found.test_framework.run_command) == (build, tests)


BACKEND = '[build-system]\nbuild-backend = "{}"\n'


@pytest.mark.parametrize(
    ("files", "build", "tests"),
    [
        # the section of a build backend names no package manager
        (
            {"pyproject.toml": BACKEND.format("hatchling.build") + '[tool.hatch.version]\npath = "a.py"\n'},
            "python -m build",
            "python -m pytest",
        ),
        (
            {"pyproject.toml": BACKEND.format("pdm.backend") + "[tool.pdm.build]\nincludes = []\n"},
            "python -m build",
            "python -m pytest",
        ),
        (
            {"pyproject.toml": "[tool.hatch.envs.default.scripts]\ntest = 'pytest'\n"},
            "python -m build",
            "hatch run test",
        ),
        ({"pyproject.toml": "", "tox.toml": "requires = []\n"}, "python -m build", "tox"),
        ({"pyproject.toml": "[tool.tox]\nenv_list = ['py']\n"}, "python -m build", "tox"),
        ({"pyproject.toml": "", "scripts/test": "#!/bin/sh\npytest\n"}, "python -m build", "scripts/test"),
        ({"pyproject.toml": "", "scripts/test.sh": "pytest\n"}, "python -m build", "bash scripts/test.sh"),
        # what formats or bundles beside Python is not how the project is built
        (
            {"pyproject.toml": "", "package.json": '{"scripts": {"test": "grunt test", "build": "x"}}'},
            "python -m build",
            "python -m pytest",
        ),
    ],
)
def test_s4_4_python_is_tested_as_its_files_say(
    tmp_path: Path, files: dict[str, str], build: str, tests: str
) -> None:
    found = scanned(tmp_path / "r", {**files, "shop/till.py": "x = 1\n", "conftest.py": "x = 1\n"})
    assert found.build_system is not None
    assert found.test_framework is not None
    assert (found.build_system.commands["build"], found.test_framework.run_command) == (build, tests)


def test_s4_4_the_script_that_npm_writes_for_no_tests_is_no_test(tmp_path: Path) -> None:
    script = 'echo "Error: no test specified" && exit 1'
    files = {"package.json": json.dumps({"scripts": {"test": script, "build": "tsc"}}), "a.ts": "export {}\n"}
    found = scanned(tmp_path / "r", files)
    assert found.build_system is not None
    assert found.build_system.commands == {"build": "npm run build"}
    assert found.test_framework is None


def test_s4_4_the_test_tool_is_the_one_that_the_script_runs(tmp_path: Path) -> None:
    scripts = {"test": "npm run all", "all": "borp a && borp b && npm run old", "old": "jest"}
    files = {"package.json": json.dumps({"scripts": scripts, "devDependencies": {"jest": "1", "borp": "1"}})}
    tests = scanned(tmp_path / "r", files).test_framework
    assert tests is not None
    assert tests.tool == "borp"


def test_s4_6_files_that_are_only_called_like_manifests_or_were_bundled_are_neither(tmp_path: Path) -> None:
    files = {
        "package.json": '{"name": "make"}', "index.js": "exports.a = 1\n",
        "pkg/__init__.py": "", "pkg/setup.py": "class Setup: ...\n",
        "template/package.json": "{}", "template/a.ts": "let a = 1\n", "static/12.5e1f0a9b7c3d.js": "x\n",
    }  # fmt: skip
    found = scanned(tmp_path / "r", files)
    assert {service.path: service.language for service in found.services} == {
        ".": "javascript",
        "template": "typescript",
    }
    assert not any("static/12.5e1f0a9b7c3d.js" in module.files for module in found.modules.values())


def test_s4_4_a_test_is_not_that_of_an_example_or_of_types_by_their_names(tmp_path: Path) -> None:
    files = {
        **PACKAGE, "examples/reply.py": long("reply"), "types/reply.d.ts": "export interface Reply {}\n",
        "tests/test_reply.py": "def test_a(): ...\n", "examples/test_reply.py": "import reply\n",
    }  # fmt: skip
    found = scanned(tmp_path / "r", files)
    assert holder(found, "tests/test_reply.py").name not in ("examples", "types")
    assert holder(found, "examples/test_reply.py").name == "examples"
