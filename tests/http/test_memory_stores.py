"""Anthropic's memory stores API, driven by the official SDK."""

from __future__ import annotations

import base64
import hashlib
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute

from holdfast import Memory
from holdfast.http import memory_stores
from holdfast.http.serve import PORT
from tests.http.support import URL, Site
from tests.http.test_process import served
from tests.support import PATIENCE

MISSING = "01a20b51-0000-7000-8000-000000000000"
DEEP = base64.urlsafe_b64encode(b"[" * 3_000).decode()
"""A cursor that is too deep to be parsed."""


def sdk() -> Any:
    """Returns the official SDK, which takes a second to load: only where it is used."""
    import anthropic

    return anthropic


def stores_of(site: Site, key: str = "none", **options: Any) -> Any:
    """The memory stores of the official SDK, as whoever has a key."""
    client = sdk().Anthropic(base_url=URL, api_key=key, http_client=site.http, max_retries=0, **options)
    return client.beta.memory_stores


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def refused(kind: Any, *calls: Callable[[], Any]) -> set[str | None]:
    """Makes calls that each are refused, and returns the types of their errors."""
    types: set[str | None] = set()
    for call in calls:
        with pytest.raises(kind) as caught:
            call()
        types.add(caught.value.type)
    return types


@pytest.fixture
def ana(team: Site) -> Any:
    return stores_of(team, team.key("ana"))


def test_a_store_is_made_changed_archived_and_deleted(ana: Any) -> None:
    store = ana.create(name="Notes", description="of the shop", metadata={"user": "u1", "a": "b"})
    assert ana.retrieve(store.id) == store
    assert (store.type, store.name, store.description) == ("memory_store", "Notes", "of the shop")
    changed = ana.update(store.id, description="", metadata={"a": None, "c": "d"})
    assert (changed.name, changed.description) == ("Notes", "")
    assert changed.metadata == {"user": "u1", "c": "d"}
    second = ana.create(name="Notes")
    assert [one.id for one in ana.list()] == [second.id, store.id]
    result = ana.memories.create(store.id, path="/a.md", content="A")
    assert ana.archive(store.id).archived_at is not None
    assert [one.id for one in ana.list()] == [second.id]
    assert [one.id for one in ana.list(include_archived=True, limit=1)] == [second.id, store.id]
    assert list(ana.list(created_at_lte="2020-01-01T00:00:00Z")) == []
    assert refused(
        sdk().BadRequestError,
        lambda: ana.update(store.id, name="N"),
        lambda: ana.memories.create(store.id, path="/b.md", content="B"),
        lambda: ana.memories.update(result.id, memory_store_id=store.id, content="B"),
    ) == {"invalid_request_error"}
    assert ana.memories.retrieve(result.id, memory_store_id=store.id).content == "A"
    assert ana.delete(store.id).type == "memory_store_deleted"
    error = refused(sdk().NotFoundError, lambda: ana.retrieve(store.id), lambda: ana.memories.list(store.id))
    assert error == {"not_found_error"}


def test_a_content_comes_back_to_the_byte_with_its_digest(ana: Any) -> None:
    store = ana.create(name="Notes")
    for number, content in enumerate(["", " \n padded\t\n\n", "ﬁ ligature", "line\r\nline", "- likes pizza"]):
        result = ana.memories.create(store.id, path=f"/{number}.md", content=content)
        assert result.content is None
        assert (result.content_sha256, result.content_size_bytes) == (sha(content), len(content.encode()))
        read = ana.memories.retrieve(result.id, memory_store_id=store.id)
        assert (read.content, read.path, read.memory_store_id) == (content, f"/{number}.md", store.id)
        assert ana.memory_versions.retrieve(
            read.memory_version_id, memory_store_id=store.id
        ).content == content  # fmt: skip


def test_two_writers_do_not_overwrite_each_other(ana: Any) -> None:
    store = ana.create(name="Notes")
    result = ana.memories.create(store.id, path="/a.md", content="one")
    there = {"memory_store_id": store.id}
    read = {"type": "content_sha256", "content_sha256": sha("one")}
    changed = ana.memories.update(result.id, **there, content="two", precondition=read, view="full")
    assert (changed.id, changed.content, changed.path) == (result.id, "two", "/a.md")
    assert changed.memory_version_id != result.memory_version_id
    assert refused(
        sdk().ConflictError,
        lambda: ana.memories.update(result.id, **there, content="three", precondition=read),
        lambda: ana.memories.delete(result.id, **there, expected_content_sha256=sha("one")),
    ) == {"memory_precondition_failed_error"}
    assert ana.memories.retrieve(result.id, **there).content == "two"
    assert (
        ana.memories.update(result.id, **there, content="two").memory_version_id == changed.memory_version_id
    )
    assert (
        ana.memories.delete(result.id, **there, expected_content_sha256=sha("two")).type == "memory_deleted"
    )


def test_a_path_is_that_of_one_memory_and_can_be_changed(ana: Any) -> None:
    store = ana.create(name="Notes")
    result = ana.memories.create(store.id, path="/a.md", content="one")
    other = ana.memories.create(store.id, path="/b.md", content="one")
    there = {"memory_store_id": store.id}
    assert refused(
        sdk().ConflictError,
        lambda: ana.memories.create(store.id, path="/a.md", content="new"),
        lambda: ana.memories.update(other.id, **there, path="/a.md"),
    ) == {"memory_path_conflict_error"}
    moved = ana.memories.update(result.id, **there, path="/notes/a.md")
    assert (moved.id, moved.path, moved.content_sha256) == (result.id, "/notes/a.md", sha("one"))
    again = ana.memories.create(store.id, path="/a.md", content="new")
    assert again.id != result.id
    paths = [
        memory_version.path for memory_version in ana.memory_versions.list(store.id, memory_id=result.id)
    ]
    assert paths == ["/notes/a.md", "/a.md"]
    elsewhere = ana.create(name="Other")
    assert ana.memories.create(elsewhere.id, path="/a.md", content="new").id != again.id
    with pytest.raises(sdk().NotFoundError):
        ana.memories.retrieve(result.id, memory_store_id=elsewhere.id)
    for path in (
        "a.md",
        "/",
        "/a//b",
        "/../a",
        "/a\n",
        "/a\u200b",
        "/" + "e\u0301",
        "/a" * 21,
        "/" + "a" * 1_024,
    ):
        with pytest.raises(sdk().BadRequestError):
            ana.memories.create(store.id, path=path, content="x")
    with pytest.raises(sdk().BadRequestError):
        ana.memories.create(store.id, path="/large.md", content="x" * 102_401)


def test_memories_are_listed_by_path_page_by_page(ana: Any) -> None:
    store = ana.create(name="Notes")
    for path in ("/b.md", "/a/1.md", "/a/2.md", "/a-b/3.md", "/a/c/4.md"):
        ana.memories.create(store.id, path=path, content=path)
    listed = list(ana.memories.list(store.id, limit=2))
    assert [one.path for one in listed] == ["/a-b/3.md", "/a/1.md", "/a/2.md", "/a/c/4.md", "/b.md"]
    assert {one.content for one in listed} == {None}
    below = list(ana.memories.list(store.id, path_prefix="/a/", depth=1, view="full"))
    assert [(one.type, one.path) for one in below] == [
        ("memory", "/a/1.md"), ("memory", "/a/2.md"), ("memory_prefix", "/a/c/"),
    ]  # fmt: skip
    assert below[0].content == "/a/1.md"
    top = [memory.path for memory in ana.memories.list(store.id, depth=1, limit=1)]
    assert top == ["/a-b/", "/a/", "/b.md"]
    wrong_order = {"extra_query": {"order": "asc"}}
    for wrong in ({"path_prefix": "/a"}, {"page": "x"}, {"page": DEEP}, {"limit": 0}, wrong_order):
        with pytest.raises(sdk().BadRequestError):
            ana.memories.list(store.id, **wrong)


def test_every_change_is_a_version_and_stays_after_deletion(ana: Any) -> None:
    store = ana.create(name="Notes")
    result = ana.memories.create(store.id, path="/a.md", content="one")
    there = {"memory_store_id": store.id}
    ana.memories.update(result.id, **there, content="two")
    ana.memories.create(store.id, path="/b.md", content="other")
    ana.memories.delete(result.id, **there)
    versions = list(ana.memory_versions.list(store.id, memory_id=result.id, view="full", limit=1))
    assert [(version.operation, version.path, version.content) for version in versions] == [
        ("deleted", "/a.md", None), ("modified", "/a.md", "two"), ("created", "/a.md", "one"),
    ]  # fmt: skip
    assert {version.created_by.user_id for version in versions} == {"user:ana"}
    assert len(list(ana.memory_versions.list(store.id))) == 4
    assert [
        memory_version.content_sha256
        for memory_version in ana.memory_versions.list(store.id, operation="modified")
    ] == [sha("two")]
    assert list(ana.memory_versions.list(store.id, api_key_id="apikey_1")) == []
    assert list(ana.memory_versions.list(store.id, memory_id=f"mem_{MISSING}")) == []
    with pytest.raises(sdk().NotFoundError):
        ana.memories.retrieve(result.id, **there)


def test_a_version_is_redacted_and_says_by_whom(team: Site, ana: Any, tmp_path: Path) -> None:
    store = ana.create(name="Notes")
    result = ana.memories.create(store.id, path="/zanzibar.md", content="The boat sails to Zanzibar")
    there = {"memory_store_id": store.id}
    error = refused(
        sdk().ConflictError, lambda: ana.memory_versions.redact(result.memory_version_id, **there)
    )
    assert error == {"conflict_error"}
    ana.memories.update(result.id, **there, content="The boat sails", path="/boat.md")
    redacted = ana.memory_versions.redact(result.memory_version_id, **there)
    for one in (redacted, ana.memory_versions.retrieve(result.memory_version_id, **there)):
        assert (one.id, one.operation, one.redacted_by.user_id) == (
                result.memory_version_id, "created", "user:ana",
            )  # fmt: skip
        assert one.redacted_at is not None
        assert (one.content, one.path, one.content_sha256, one.content_size_bytes) == (None,) * 4
    assert ana.memory_versions.redact(result.memory_version_id, **there) == redacted
    files = [path.read_bytes().lower() for path in tmp_path.rglob("*") if path.is_file()]
    assert not any(b"zanzibar" in content for content in files)
    assert ana.memories.retrieve(result.id, **there).content == "The boat sails"


def test_a_key_sees_the_stores_of_its_user_and_projects_alone(team: Site, ana: Any) -> None:
    store = ana.create(name="Private")
    result = ana.memories.create(store.id, path="/a.md", content="one")
    team.client(team.key("ana")).projects.create("shop", visibility="project")
    shared = ana.create(name="Shared", workspace_id="shop")
    of_shop = ana.memories.create(shared.id, path="/a.md", content="shared")
    ben = stores_of(team, team.key("ben"))
    assert [one.name for one in ben.list()] == ["Shared"]
    assert [one.name for one in ana.list(workspace_id="shop")] == ["Shared"]
    refused(
        sdk().NotFoundError,
        lambda: ben.retrieve(store.id), lambda: ben.memories.list(store.id), lambda: ben.delete(store.id),
        lambda: ben.memories.retrieve(result.id, memory_store_id=shared.id),
        lambda: ben.memory_versions.retrieve(result.memory_version_id, memory_store_id=shared.id),
        lambda: ana.retrieve(store.id, workspace_id="shop"), lambda: ana.retrieve(f"memstore_{MISSING}"),
        lambda: ana.retrieve(result.id), lambda: ana.retrieve("memstore_shop"),
    )  # fmt: skip
    assert ben.memories.retrieve(of_shop.id, memory_store_id=shared.id).content == "shared"
    with pytest.raises(sdk().ConflictError):
        ben.memories.create(shared.id, path="/a.md", content="his")
    with pytest.raises(sdk().PermissionDeniedError):
        ben.memories.update(of_shop.id, memory_store_id=shared.id, content="his")
    limited = stores_of(team, team.key("ana", projects=["shop"]))
    assert [one.name for one in limited.list()] == ["Shared"]
    with pytest.raises(sdk().PermissionDeniedError):
        limited.create(name="Outside")
    reader = stores_of(team, team.key("ana", write=False))
    assert len(list(reader.list())) == 2
    assert refused(
        sdk().PermissionDeniedError, lambda: reader.memories.delete(result.id, memory_store_id=store.id)
    ) == {"permission_error"}
    assert refused(sdk().AuthenticationError, lambda: stores_of(team).list()) == {"authentication_error"}


def test_what_is_kept_in_a_store_is_a_memory_like_any_other(team: Site, ana: Any) -> None:
    store = ana.create(name="Notes")
    ana.memories.create(store.id, path="/food.md", content="Alex is allergic to nuts")
    memory = team.client(team.key("ana"))
    assert memory.recall("what is Alex allergic to?")[0].memory.metadata["path"] == "/food.md"


@pytest.mark.process
def test_the_program_of_the_page_runs(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "memory-stores.md").read_text("utf-8")
    (program,) = re.findall(r"^```py\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    with served(tmp_path / "home.db") as (_, url):
        with Memory(tmp_path / "home.db", user="ana") as memory:
            environment = {**os.environ, "HOLDFAST_API_KEY": memory.keys.create(name="cook").text}
        there = program.replace(f"http://127.0.0.1:{PORT}", url)
        completed = subprocess.run(
            [sys.executable, "-c", there], env=environment, capture_output=True, text=True, check=False,
            timeout=PATIENCE,
        )  # fmt: skip
    assert completed.returncode == 0, completed.stderr
    assert completed.stdout.splitlines()[:3] == [
        "memory_precondition_failed_error",
        r"modified /people/alex.md '- likes pizza\n- is allergic to nuts\n'",
        r"created /people/alex.md '- likes pizza\n'",
    ]


def test_every_route_is_authorised_as_an_operation() -> None:
    for route in memory_stores.router.routes:
        assert isinstance(route, APIRoute)
        assert "stores" in inspect.signature(route.endpoint).parameters
        assert [
            dependency.call.__name__ for dependency in route.dependant.dependencies if dependency.call
        ] == ["authorised_stores"]
