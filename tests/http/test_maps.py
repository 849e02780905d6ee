"""Module maps over HTTP and through the client: scanned where the files are, merged by the service."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import InvalidInput, NotFound
from tests.http.support import Site


def repo(root: Path) -> Path:
    for path, text in {
        "package.json": '{"name": "shop", "scripts": {"test": "vitest"}}',
        "src/auth/tokens.ts": "export function issueToken() {}\n",
        "src/billing/invoice.ts": "import '../auth/tokens'\n",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root


def test_s4_4_the_client_scans_here_and_the_service_keeps_the_map(here: Site, tmp_path: Path) -> None:
    client = here.client()
    result = client.maps.scan(repo(tmp_path / "repo"), project="a/map")
    assert (result.proposed, result.prompt) == (1, "I found 1 convention. Review?")
    assert {"authentication", "billing"} <= {*result.added}
    whole = client.maps.get("a/map")
    assert whole == result.map
    assert whole.as_dict() == here.call("GET", "/v1/projects/a%2Fmap/map").json()
    found = client.maps.match("bug in the auth system", project="a/map")
    assert found[0].module == whole.modules["authentication"]
    told = client.maps.update("authentication", project="a/map", core_files=["src/auth/otp.ts"])
    assert told.core_files == ("src/auth/tokens.ts", "src/auth/otp.ts")
    for number in range(3):
        after = client.maps.opened(["src/auth/tokens.ts"], project="a/map", session=f"s{number}")
    assert after.modules["authentication"].confidence.value == "mapped"
    assert client.projects.get("a/map").name == "a/map"
    client.maps.delete("a/map")
    with pytest.raises(NotFound) as caught:
        client.maps.get("a/map")
    assert caught.value.code == "map_not_found"
    with pytest.raises(InvalidInput):
        client.maps.scan(tmp_path / "nowhere", project="shop")


def test_s4_1_what_is_no_map_is_refused(here: Site) -> None:
    bodies: list[dict[str, object]] = [
        {"map": {}},
        {"map": {"project": "p", "modules": {"x": 1}}},
        {"map": {"project": "p", "notes": 1}},
    ]
    for body in bodies:
        answer = here.call("PUT", "/v1/projects/p/map", body)
        assert (answer.status_code, answer.json()["code"]) == (422, "map_invalid")
    assert here.call("GET", "/v1/projects/p/map").status_code == 404


def test_s4_53_a_key_of_other_projects_neither_reads_nor_writes_a_map(here: Site) -> None:
    here.client().maps.update("auth", project="shop", description="x")
    here.client().projects.create("lab")
    key = here.key("ben", projects=["lab"])
    assert here.call("GET", "/v1/projects/shop/map", key=key).status_code == 404
    answer = here.call("PATCH", "/v1/projects/shop/map", {"module": "a", "description": "y"}, key=key)
    assert answer.status_code in (403, 404)
    reading = here.key("cid", write=False)
    assert here.call("GET", "/v1/projects/shop/map", key=reading).status_code == 200
    assert here.call("DELETE", "/v1/projects/shop/map", key=reading).status_code == 403
