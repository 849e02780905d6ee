"""Pages of the web interface: files, caching, compression, headers, and who may come from where."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from holdfast.http.pages import NOT_BUILT, Pages
from tests.http.support import Site, site

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
INDEX = "<!doctype html><title>Holdfast</title><script type=module src=/assets/app-1a2b.js></script>"


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A folder with what a build leaves."""
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(INDEX)
    (folder / ".built").write_text("digest")
    script = folder / "assets" / "app-1a2b.js"
    script.write_text("console.log(1)")
    script.with_name("app-1a2b.js.gz").write_bytes(gzip.compress(b"console.log(1)"))
    return folder


def serving(here: Site, folder: Path) -> Site:
    here.app.router.default = Pages(folder)
    return here


@pytest.mark.parametrize("path", ["/", "/review", "/memories/0193", "/projects/a.b"])
def test_every_path_that_is_nothing_else_is_the_page(here: Site, built: Path, path: str) -> None:
    response = serving(here, built).call("GET", path, headers=BROWSER)
    assert (response.status_code, response.text) == (200, INDEX)
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    again = here.call("GET", path, headers={**BROWSER, "If-None-Match": response.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_new_build_is_served_at_once(here: Site, built: Path) -> None:
    before = serving(here, built).call("GET", "/", headers=BROWSER)
    (built / "index.html").write_text(INDEX + "<p>new")
    after = here.call("GET", "/", headers={**BROWSER, "If-None-Match": before.headers["etag"]})
    assert (after.status_code, after.text) == (200, INDEX + "<p>new")


def test_hashed_files_are_kept_by_browsers_and_come_compressed(here: Site, built: Path) -> None:
    response = serving(here, built).call("GET", "/assets/app-1a2b.js", headers={"Accept-Encoding": "gzip"})
    assert response.headers["content-encoding"] == "gzip"
    assert response.text == "console.log(1)"
    assert "immutable" in response.headers["cache-control"]
    assert response.headers["content-type"].startswith("text/javascript")
    plain = here.call("GET", "/assets/app-1a2b.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers


def test_a_page_may_run_nothing_but_its_own_files(here: Site, built: Path) -> None:
    headers = serving(here, built).call("GET", "/", headers=BROWSER).headers
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["require-trusted-types-for"] == "'script'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"


@pytest.mark.parametrize(
    ("method", "path", "accept"),
    [
        ("GET", "/v1/nothing", "text/html"),
        ("GET", "/auth/nothing", "text/html"),
        ("GET", "/assets/gone.js", "*/*"),
        ("GET", "/.built", "*/*"),
        ("GET", "/../pages.py", "*/*"),
        ("GET", "/%2e%2e/pages.py", "*/*"),
        ("POST", "/review", "text/html"),
    ],
)
def test_what_is_no_page_is_an_error(here: Site, built: Path, method: str, path: str, accept: str) -> None:
    response = serving(here, built).call(method, path, headers={"Accept": accept})
    assert (response.status_code, response.json()["code"]) == (404, "route_not_found")


def test_a_link_elsewhere_may_open_a_page_but_read_nothing(here: Site, built: Path) -> None:
    link = {
        **BROWSER,
        "Sec-Fetch-Site": "cross-site",
        "Sec-Fetch-Mode": "navigate",
        "Sec-Fetch-Dest": "document",
    }
    assert serving(here, built).call("GET", "/review", headers=link).status_code == 200
    assert here.call("GET", "/v1/memories", headers=link).status_code == 403
    for other in ({"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script"}, {"Sec-Fetch-Dest": "iframe"}):
        assert here.call("GET", "/assets/app-1a2b.js", headers={**link, **other}).status_code == 403


def test_where_nothing_was_built_the_page_says_how(here: Site, tmp_path: Path) -> None:
    response = serving(here, tmp_path / "none").call("GET", "/", headers=BROWSER)
    assert (response.status_code, response.text) == (200, NOT_BUILT)
    assert "make web" in response.text


def test_the_page_needs_no_credential_and_the_rest_does(tmp_path: Path, built: Path) -> None:
    with site(tmp_path, local=False) as team:
        assert serving(team, built).call("GET", "/", headers=BROWSER).status_code == 200
        assert team.call("GET", "/v1/memories", headers=BROWSER).status_code == 401
