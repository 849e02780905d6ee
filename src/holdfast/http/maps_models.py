"""The shapes of requests and answers about module maps, as the OpenAPI document shows them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from holdfast.http.answers import Json, Told
from holdfast.http.models import Given


class SeedIn(Given):
    """A convention that a file of the repository states."""

    text: str
    file: str
    key: str = Field(description="The same on every scan, so that it is proposed once.")


class ScanIn(Given):
    """What a scan found: a map as `GET` tells it, every path that was there, conventions, renames."""

    map: Json
    files: list[str] = Field(default_factory=list, max_length=40_000)
    seeds: list[SeedIn] = Field(default_factory=list, max_length=40)
    renamed: dict[str, str] = Field(
        default_factory=dict, max_length=5_000, description="What files that are gone are called now."
    )
    seed: bool = Field(True, description="Propose the conventions for review.")


class UpdateIn(Given):
    """What is told of one module. Lists are added to what is there."""

    module: str = Field(examples=["authentication"])
    description: str | None = None
    core_files: list[str] = Field(default_factory=list, examples=[["src/auth/tokens.py"]])
    entry_points: list[str] = Field(default_factory=list)
    frontend_files: list[str] = Field(default_factory=list)
    test_files: list[str] = Field(default_factory=list)
    config_files: list[str] = Field(default_factory=list)
    doc_files: list[str] = Field(default_factory=list)
    dependencies: list[str] = Field(default_factory=list)
    related_modules: list[str] = Field(default_factory=list)
    symbols: list[str] = Field(default_factory=list)
    keywords: list[str] = Field(default_factory=list)
    remove: list[str] = Field(default_factory=list, description="Entries to take out of all lists.")


class MatchIn(Given):
    """A task in words."""

    task: str = Field(examples=["bug in the auth system"])
    limit: int = Field(3, description="From 1 to 50.", json_schema_extra={"minimum": 1, "maximum": 50})


class OpenedIn(Given):
    """Files that a session read or changed."""

    paths: list[str] = Field(max_length=2_000)
    session: str = Field(examples=["task-17"])


class ModuleOut(Told):
    """One part of a codebase. Paths are relative to its root; no path stands in two lists."""

    name: str
    description: str
    core_files: list[str]
    entry_points: list[str]
    frontend_files: list[str]
    test_files: list[str]
    config_files: list[str]
    doc_files: list[str]
    folders: list[str]
    dependencies: list[str]
    related_modules: list[str]
    symbols: list[str]
    keywords: list[str]
    confidence: Literal["shallow", "partial", "mapped"]
    told: list[str] = Field(description="Entries that an agent or a person gave.")
    dropped: list[str] = Field(description="Entries that were taken out; no scan brings them back.")
    by_person: list[str] = Field(
        description="Entries that a person gave or took out; no machine changes that."
    )
    is_described: bool = Field(description="An agent or a person gave the description.")
    is_described_by_person: bool = Field(description="A person did; no machine changes it.")
    is_gone: bool = Field(description="All files that did its work are gone; what was told of it stays.")
    opened: list[str] = Field(description="Files that sessions worked with.")
    sessions: list[str] = Field(description="Digests of the sessions that did.")


class BuildSystemOut(Told):
    """What builds the codebase, and its commands."""

    tool: str
    commands: dict[str, str]


class TestFrameworkOut(Told):
    """What runs the tests."""

    __test__ = False

    tool: str
    config_file: str | None
    run_command: str | None


class ServiceOut(Told):
    """One deployable or publishable part."""

    name: str
    path: str
    language: str
    framework: str | None
    type: str
    package_manager: str | None
    entry_point: str | None
    key_directories: list[str]
    dependencies: list[str]
    dev_dependencies: list[str]
    test_directory: str | None
    dockerfile: str | None


class InfrastructureOut(Told):
    """What runs and ships the codebase."""

    compose_services: list[str]
    ci: list[str]
    deployment: list[str]


class MapOut(Told):
    """The map of one project."""

    project: str
    version: int
    updated_at: str
    coverage: float = Field(description="The share of modules that are mapped.")
    monorepo: str | None
    build_system: BuildSystemOut | None
    test_framework: TestFrameworkOut | None
    services: list[ServiceOut]
    infrastructure: InfrastructureOut
    conventions: list[str]
    notes: list[str]
    modules: dict[str, ModuleOut]


class ScannedOut(Told):
    """What became of a scan."""

    map: MapOut
    added: list[str]
    removed: list[str]
    proposed: int = Field(description="Conventions that now wait for review.")
    known: int = Field(description="Conventions that were known, or could not be kept.")
    prompt: str | None


class MatchOut(Told):
    """A module that a task is about."""

    module: ModuleOut
    score: float
    why: list[str]


class MatchesOut(Told):
    """Modules, best first."""

    matches: list[MatchOut]
