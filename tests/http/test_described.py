"""Descriptions over HTTP: reading a source of the service's machine again, only where it is allowed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from holdfast import Memory
from holdfast.workers import worker_for
from tests.http.support import site


def test_s3_17_a_source_is_read_again_where_the_settings_allow_it(tmp_path: Path) -> None:
    allowed, other = tmp_path / "allowed", tmp_path / "other"
    for folder in (allowed, other):
        folder.mkdir()
        (folder / "fees.csv").write_text("boat,fee\na,1\nb,2\n")
    (allowed / "link.csv").symlink_to(other / "fees.csv")
    with site(tmp_path) as here:
        memory = Memory.over(here.service)
        ids = [str(memory.reconcile(folder / "fees.csv").source) for folder in (allowed, other)]
        stamp = memory.described.get(ids[0]).stamp
        assert memory.described.regenerate(ids[0]).unchanged == 1

        def again(id: str) -> tuple[int, str]:
            response = here.call("POST", f"/v1/described/{id}/regenerate")
            found = response.json()
            return response.status_code, found["code"] if response.status_code != 200 else found["name"]

        assert again(ids[0]) == (403, "root_not_allowed"), "by default the service reads no file"
        here.app.state.roots = (os.path.realpath(allowed),)
        (allowed / "fees.csv").write_text("boat,fee,season\na,1,summer\nb,2,winter\nc,3,winter\n")
        response = here.call("POST", f"/v1/described/{ids[0]}/regenerate").json()
        assert [(change["action"], change["entity"]) for change in response["changes"]] == [
            ("updated", "fees.csv")
        ]
        (found,) = memory.list(kinds=["data_table_summary"], scope=("file", "fees.csv"), limit=1).memories
        assert "season" in found.text
        assert again(ids[1]) == (403, "root_not_allowed")
        assert again("0" * 36) == (404, "source_not_found")
        # what a client says of a path, or of this machine, opens nothing
        for name, said in (
            (str(allowed / "link.csv"), stamp),
            ("postgresql://db/shop", stamp),
            ("fees", stamp),
        ):
            named: dict[str, Any] = {"name": "x", "entities": [], "stamp": said}
            source = str(memory.described.apply(name, named).source)
            assert again(source) == (403, "root_not_allowed"), name
        elsewhere: dict[str, Any] = {"name": "x.csv", "entities": [], "stamp": "another:1"}
        source = str(memory.described.apply(str(allowed / "x.csv"), elsewhere).source)
        assert again(source) == (400, "file_not_found"), "it was read on another machine"
        (allowed / "fees.csv").unlink()
        assert again(ids[0]) == (400, "file_not_found")
        assert memory.described.get(ids[0]).memories == 1, "what is known of it stays"


def test_s3_16_a_file_of_the_service_is_described_where_the_settings_allow_it(tmp_path: Path) -> None:
    allowed, other = tmp_path / "allowed", tmp_path / "other"
    for folder in (allowed, other):
        folder.mkdir()
        (folder / "fees.csv").write_text("boat,fee\na,1\nb,2\n")
    (allowed / "link.csv").symlink_to(other / "fees.csv")
    (allowed / "away").symlink_to(other)
    (allowed / "dbt").mkdir()
    (allowed / "dbt" / "dbt_project.yml").write_text(f"name: x\nseed-paths: [{other}, ../../other]\n")
    os.mkfifo(allowed / "pipe.csv")
    with site(tmp_path) as here:
        memory = Memory.over(here.service)

        def read(path: Any, **more: Any) -> tuple[int, Any]:
            response = here.call("POST", "/v1/described/read", {"path": str(path), **more})
            return response.status_code, response.json()

        status, problem = read(allowed / "fees.csv")
        assert (status, problem["code"]) == (403, "root_not_allowed"), "by default the service reads no file"
        assert "setting `roots`" in problem["hint"]
        assert here.call("GET", "/v1/described/roots").json() == {"roots": []}
        root = os.path.realpath(allowed)
        here.app.state.roots = (root,)
        assert here.call("GET", "/v1/described/roots").json() == {"roots": [root]}
        status, result = read(allowed / "fees.csv", project="shop")
        assert (status, result["created"], result["name"]) == (200, 1, "fees.csv")
        (record,) = memory.list(kinds=["data_table_summary"], project="shop", limit=5).memories
        assert "boat (" in record.text
        assert read(allowed / "fees.csv", project="shop")[1]["unchanged"] == 1
        for path in (
            other / "fees.csv", allowed / "link.csv", allowed / "away" / "fees.csv",
            f"{allowed}/../other/fees.csv", "postgresql://db/shop", "fees.csv", "",
        ):  # fmt: skip
            status, problem = read(path)
            assert (status, problem["code"]) == (403, "root_not_allowed"), path
            assert root in problem["hint"], "it says what it may read"
        assert read(allowed / "no.csv")[1]["code"] == "file_not_found"
        assert read(allowed / "pipe.csv")[1]["code"] == "file_unreadable", (
            "nobody waits for what writes into it"
        )
        status, result = read(allowed / "dbt")
        assert (status, [change["entity"] for change in result["changes"]]) == (200, ["file"])
        assert read(allowed / "fees.csv", sequence=1)[0] == 422


def test_s3_12_the_first_model_describes_what_a_client_sends_or_the_service_may_read(tmp_path: Path) -> None:
    (tmp_path / "fees.csv").write_text("boat,fee\na,1\nb,2\n")
    cell = {"type": "CODE_CELL", "id": "c", "data": {"language": "python", "code": "import pandas"}}
    sent: dict[str, Any] = {"name": "x", "entities": [cell]}
    with site(tmp_path) as here:
        memory = Memory.over(here.service)
        ids = [
            str(memory.reconcile(tmp_path / "fees.csv").source),
            str(memory.described.apply("x", sent).source),
        ]

        def describe(id: str, **body: Any) -> tuple[int, Any]:
            response = here.call("POST", f"/v1/described/{id}/describe", body)
            return response.status_code, response.json()

        assert describe(ids[1], payload=sent)[1]["code"] == "model_not_found"
        memory.models.add("near", "some-model", url="http://localhost:9/v1")
        status, job = describe(ids[1], payload=sent)
        assert (status, job["kind"]) == (202, "describe")
        assert describe(ids[0])[1]["code"] == "root_not_allowed"
        here.app.state.roots = (os.path.realpath(tmp_path),)
        assert describe(ids[0])[0] == 202
        assert describe(ids[1])[1]["code"] == "root_not_allowed", "it was not read on this machine"
        assert describe("0" * 36)[1]["code"] == "source_not_found"


def test_s3_16_s3_22_a_machine_hands_a_payload_in_and_is_answered_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_SHARING", "on")  # there are no members
    entity = {"type": "DATA_TABLE", "id": "fees", "data": {"name": "fees", "rows": 3}}
    body = {"file": "crm", "payload": {"name": "crm", "entities": [entity]}, "project": "shop"}
    with site(tmp_path, local=False) as here:
        Memory.over(here.service).projects.create("shop")
        machine = here.key("cron", role="service")
        ana = here.key("ana")
        assert here.call("POST", "/v1/described/queue", body).status_code == 401
        reader = here.key("cron", role="service", write=False)
        assert here.call("POST", "/v1/described/queue", body, key=reader).status_code == 403
        accepted = here.call("POST", "/v1/described/queue", body, key=machine)
        assert accepted.status_code == 202
        assert here.call("GET", "/v1/described", key=ana).json()["sources"] == [], "it waits for a worker"
        worker_for(here.service, threads=1).run_due()
        (source,) = here.call("GET", "/v1/described", key=ana).json()["sources"]
        assert (source["name"], source["memories"], source["project"]) == ("crm", 1, "shop")
        assert here.call("GET", "/v1/described/none", key=ana).status_code == 404


def test_s3_41_who_may_read_a_source_is_seen_and_set_over_http(tmp_path: Path) -> None:
    with site(tmp_path, local=False) as here:
        ana, ben, cy = (here.key(name) for name in ("ana", "ben", "cy"))
        body = {
            "file": "pay.xlsx", "visibility": "team", "members": ["ben"],
            "payload": {"entities": [{"type": "X", "id": "1", "data": {"summary": "pay"}}]},
        }  # fmt: skip
        id = here.call("POST", "/v1/described", body, key=ana).json()["source"]

        def seen_by(key: str) -> list[list[str] | None]:
            return [
                source["members"] for source in here.call("GET", "/v1/described", key=key).json()["sources"]
            ]

        assert [seen_by(key) for key in (ana, ben, cy)] == [[["ben"]], [["ben"]], []]
        path = f"/v1/described/{id}"
        assert here.call("PATCH", path, {"members": ["cy"]}, key=ben).json()["code"] == "not_yours"
        assert here.call("PATCH", path, {"members": ["ben"]}, key=cy).status_code == 404
        assert here.call("PATCH", path, {"members": ["cy"]}, key=ana).json()["members"] == ["cy"]
        assert [seen_by(key) for key in (ana, ben, cy)] == [[["cy"]], [], [["cy"]]]
        assert here.call("PATCH", path, {"open_to_all": True}, key=ana).json()["members"] is None
        assert [seen_by(key) for key in (ana, ben, cy)] == [[None], [None], [None]]
