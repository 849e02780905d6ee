"""Folders over HTTP: only where it is allowed, only for whom they are, and the disk only inside the root."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holdfast import NotFound
from holdfast.workers import worker_for
from tests.http.support import Site, site


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """What the service may index, with a file outside it."""
    root = tmp_path / "code"
    (root / "shop" / "src").mkdir(parents=True)
    (root / "shop" / "src" / "till.py").write_text("def total(cart):\n    return sum(cart)\n")
    (root / "shop" / "guide.md").write_text("# Guide\n\nThe till is counted at nine in the evening.\n")
    (root / "barn").mkdir()
    (root / "barn" / "guide.md").write_text("# Barn\n\nThe hay is counted at noon.\n")
    (tmp_path / "secret.txt").write_text("not for the service")
    return root


@pytest.fixture
def here(tmp_path: Path, code: Path) -> Iterator[Site]:
    with site(tmp_path) as opened:
        opened.app.state.roots = (str(code),)
        yield opened


def added(here: Site, root: Path, *, key: str | None = None, **more: Any) -> Any:
    answer = here.call("POST", "/v1/folders", {"root": str(root), **more}, key=key)
    assert answer.status_code == 201, answer.text
    worker_for(here.service, threads=1).run_due()
    return answer.json()


def test_s1_63_a_folder_is_added_and_indexed_in_the_background(here: Site, code: Path) -> None:
    told = added(here, code / "shop", project=["shop", "office"])
    assert (told["slug"], told["projects"], told["job"]["state"]) == (
        "shop-dir",
        ["office", "shop"],
        "queued",
    )
    status = here.call("GET", "/v1/folders/shop-dir").json()
    assert (status["state"], status["files"]["indexed"], status["job"]["state"]) == ("idle", 2, "success")
    body = {"query": "when is the till counted", "project": "office"}
    (hit, *_) = here.call("POST", "/v1/recall", body).json()["hits"]
    assert hit["memory"]["metadata"]["path"] == "guide.md"
    assert [folder["id"] for folder in here.call("GET", "/v1/folders").json()["folders"]] == [told["id"]]
    files = here.call("GET", "/v1/folders/shop-dir/files", params={"limit": 1}).json()["files"]
    assert [file["path"] for file in files] == ["guide.md"]
    assert here.call("GET", "/v1/folders/shop-dir/chunk-stats").json()["total"] == 2


def test_s1_63_only_folders_that_the_settings_name(here: Site, code: Path, tmp_path: Path) -> None:
    (code / "way-out").symlink_to(tmp_path)
    (tmp_path / "code-evil").mkdir()
    for root in (
        tmp_path, tmp_path / "code-evil", code / "way-out", code / ".." , code / "shop" / ".." / "..", "/etc",
        "relative", "", f"{code}/shop/./", f"{code}//shop",
    ):  # fmt: skip
        answer = here.call("POST", "/v1/folders", {"root": str(root)})
        assert (answer.status_code, answer.json()["code"]) == (403, "root_not_allowed"), root
    for root, problem in ((code / "missing", "file_not_found"), (code / "shop" / "guide.md", "not_a_file")):
        answer = here.call("POST", "/v1/folders", {"root": str(root)})
        assert (answer.status_code, answer.json()["code"]) == (400, problem)
    here.app.state.roots = ()
    assert here.call("POST", "/v1/folders", {"root": str(code / "shop")}).status_code == 403
    assert here.call("GET", "/v1/folders").json()["folders"] == []


def test_s1_70_s1_71_the_tree_stays_inside(here: Site, code: Path, tmp_path: Path) -> None:
    added(here, code / "shop")
    (code / "shop" / "out.txt").symlink_to(tmp_path / "secret.txt")
    tree = here.call("GET", "/v1/folders/shop-dir/tree", params={"max_depth": 0}).json()
    assert [entry["name"] for entry in tree["entries"]] == ["src", "guide.md", "out.txt"]
    read = here.call(
        "GET", "/v1/folders/shop-dir/file", params={"path": "src/till.py", "max_bytes": 9}
    ).json()
    assert (read["text"], read["truncated"]) == ("def total", True)
    for path, status, code_ in (
        ("../secret.txt", 400, "path_outside"), ("%2e%2e/secret.txt", 400, "path_outside"),
        ("/etc/passwd", 400, "path_outside"), ("out.txt", 400, "path_outside"),
        ("src", 400, "path_is_directory"), ("missing.py", 404, "path_not_found"),
    ):  # fmt: skip
        answer = here.call("GET", "/v1/folders/shop-dir/file", params={"path": path})
        assert (answer.status_code, answer.json()["code"]) == (status, code_), path
    for bad in ({"max_depth": 11}, {"max_entries": 0}, {"max_depth": -1}):
        assert here.call("GET", "/v1/folders/shop-dir/tree", params=bad).status_code == 422


def test_s1_64_unknown_folders_are_not_found(here: Site) -> None:
    for method, path in (
        ("GET", ""), ("DELETE", ""), ("POST", "/index"), ("GET", "/jobs"), ("GET", "/files"),
        ("GET", "/tree"), ("GET", "/chunk-stats"),
    ):  # fmt: skip
        answer = here.call(method, f"/v1/folders/nothing{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "source_not_found")


def test_s1_50_the_client_does_the_same(here: Site, code: Path) -> None:
    client = here.client()
    folder = client.folders.add(code / "shop", project="shop")
    worker_for(here.service, threads=1).run_due()
    status = client.folders.get(folder.slug)
    assert (status.counts.indexed, status.folder.projects) == (2, ("shop",))
    assert [one.folder.id for one in client.folders.list()] == [folder.id]
    assert client.folders.connect(folder.slug, "barn").projects == ("barn", "shop")
    assert client.folders.disconnect(folder.slug, "shop").projects == ("barn",)
    assert [file.path for file in client.folders.files(folder.slug)] == ["guide.md", "src/till.py"]
    assert client.folders.read(folder.slug, "guide.md").text.startswith("# Guide")
    assert [entry.name for entry in client.folders.tree(folder.slug).entries] == ["src", "guide.md"]
    assert client.folders.queue(folder.slug).kind == "index"
    assert len(client.folders.jobs(folder.slug)) == 2
    assert client.folders.chunk_stats(folder.slug)["total"] == 2
    assert client.folders.delete(folder.slug) == 2
    with pytest.raises(NotFound):
        client.folders.get(folder.slug)


def test_s1_64_a_folder_is_rebuilt_on_request(here: Site, code: Path) -> None:
    added(here, code / "shop", project="shop")
    for body, expected in ((None, 0), ({}, 0), ({"anew": False}, 0), ({"anew": True}, 2)):
        job = here.call("POST", "/v1/folders/shop-dir/index", body).json()
        worker_for(here.service, threads=1).run_due()
        response = here.call("GET", f"/v1/jobs/{job['id']}").json()
        assert (response["state"], response["result"]["changed"]) == ("success", expected), body
    assert here.call("POST", "/v1/folders/shop-dir/index", {"anew": "yes"}).status_code == 422


def test_s4_53_a_key_limited_to_projects_sees_folders_only_through_them(here: Site, code: Path) -> None:
    shop = added(here, code / "shop", project=["shop", "office"])
    barn = added(here, code / "barn", project="barn")
    key = here.key("ana", projects=["shop"], role="owner")
    ask = {"query": "what is counted", "project": "*"}
    response = here.call("POST", "/v1/recall", ask, key=key).json()
    assert {hit["memory"]["source"] for hit in response["hits"]} == {shop["id"]}
    (folder,) = here.call("GET", "/v1/folders", key=key).json()["folders"]
    assert (folder["id"], folder["projects"], folder["job"]) == (shop["id"], ["shop"], None)
    assert here.call("GET", "/v1/folders/shop-dir/files", key=key).status_code == 200
    for path in ("", "/files", "/tree", "/chunk-stats"):
        for id in (barn["id"], "barn-dir"):
            assert here.call("GET", f"/v1/folders/{id}{path}", key=key).status_code == 404
    for method, path, body in (
        ("POST", "", {"root": str(code / "barn")}), ("DELETE", "/shop-dir", None),
        ("POST", "/shop-dir/index", None), ("POST", "/shop-dir/connect", {"project": "barn"}),
        ("POST", "/shop-dir/disconnect", {"project": "shop"}), ("GET", "/shop-dir/jobs", None),
    ):  # fmt: skip
        assert here.call(method, f"/v1/folders{path}", body, key=key).status_code == 403
    here.call("POST", "/v1/folders/shop-dir/disconnect", {"project": "shop"})
    assert here.call("POST", "/v1/recall", ask, key=key).json()["hits"] == []
    assert here.call("GET", "/v1/folders/shop-dir", key=key).status_code == 404


def test_s1_63_a_folder_that_became_a_link_shows_nothing_from_elsewhere(here: Site, code: Path) -> None:
    """What `roots` does not name is not reached by exchanging a folder that was added."""
    added(here, code / "shop", project="shop")
    (code / "shop").rename(code / "moved")
    outside = code.parent / "outside"
    outside.mkdir()
    (outside / "wages.md").write_text("The wage of the boss is five.\n")
    (code / "shop").symlink_to(outside)
    assert here.call("GET", "/v1/folders/shop-dir/tree").status_code == 404
    answer = here.call("GET", "/v1/folders/shop-dir/file", params={"path": "wages.md"})
    assert (answer.status_code, answer.json()["code"]) == (404, "path_not_found")
    here.call("POST", "/v1/folders/shop-dir/index")
    worker_for(here.service, threads=1).run_due()
    status = here.call("GET", "/v1/folders/shop-dir").json()
    assert (status["state"], status["error"]) == ("error", "not_a_file")
    assert [file["path"] for file in here.call("GET", "/v1/folders/shop-dir/files").json()["files"]] == [
        "guide.md", "src/till.py",
    ]  # fmt: skip


def test_s1_63_a_folder_that_was_added_stays_when_the_setting_is_narrowed(here: Site, code: Path) -> None:
    """The setting says what may be added; nothing that is known goes away because it changes."""
    added(here, code / "shop", project="shop")
    worker_for(here.service, threads=1).run_due()
    here.app.state.roots = ()
    assert here.call("POST", "/v1/folders", {"root": str(code / "shop")}).status_code == 403
    (code / "shop" / "guide.md").write_text("# Guide\n\nThe till is emptied at ten.\n")
    assert here.call("POST", "/v1/folders/shop-dir/index").status_code == 202
    worker_for(here.service, threads=1).run_due()
    status = here.call("GET", "/v1/folders/shop-dir").json()
    assert (status["state"], status["error"]) == ("idle", None)
    hits = here.call("POST", "/v1/recall", {"query": "when is the till emptied?", "project": "shop"}).json()[
        "hits"
    ]
    assert "emptied at ten" in hits[0]["memory"]["text"]
    assert here.call("GET", "/v1/folders/shop-dir/file", params={"path": "guide.md"}).status_code == 200
    assert here.call("DELETE", "/v1/folders/shop-dir").status_code == 200


def test_s1_70_the_store_is_not_shown_to_who_adds_the_folder_it_is_in(here: Site, code: Path) -> None:
    here.app.state.roots = (str(code.parent),)
    added(here, code.parent, project="shop", name="all")
    store = Path(here.service.store.location)
    assert store.parent == code.parent
    names = [entry["name"] for entry in here.call("GET", "/v1/folders/all-dir/tree").json()["entries"]]
    assert "code" in names
    assert not [name for name in names if name.startswith(store.name)]
    (code.parent / f"{store.name}.spool").mkdir(exist_ok=True)
    (code.parent / f"{store.name}.spool" / "1").write_text("what another member imports")
    for name in (store.name, f"{store.name}-wal", f"{store.name}.head", f"{store.name}.spool/1"):
        answer = here.call("GET", "/v1/folders/all-dir/file", params={"path": name})
        assert (answer.status_code, answer.json()["code"]) == (404, "path_not_found"), name
