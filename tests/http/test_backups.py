"""Backups over HTTP: made, listed and tried by owners and admins in person, in the configured folder."""

from __future__ import annotations

import json
import shlex
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from holdfast import Memory, config
from holdfast.cli.main import cli
from holdfast.config import Settings
from holdfast.core.jobs import BACKUP, Job, failed
from holdfast.core.views import personal_view
from holdfast.features.jobs.schedule import plan, run_now
from holdfast.workers import worker_for
from tests.http.support import Site, site
from tests.http.test_process import served
from tests.support import awaited

LAMP = "The lamp room is locked at night"
ROUTES = [("GET", "/v1/backups"), ("POST", "/v1/backups"), ("POST", "/v1/backups/drill")]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOLDFAST_BACKUP_FOLDER", str(tmp_path / "safe"))
    return tmp_path / "safe"


@pytest.fixture
def own(tmp_path: Path, backend: str | None) -> Settings:
    """The settings of the store of the service."""
    return config.load(store=backend or tmp_path / "team.db", user="ana")


def work(here: Site, own: Settings) -> None:
    worker_for(here.service, own, threads=1).run_due()


def test_s4_56_a_backup_is_made_listed_and_tried(here: Site, own: Settings, folder: Path) -> None:
    here.call("POST", "/v1/memories", {"text": LAMP})
    empty = here.call("GET", "/v1/backups").json()
    assert (empty["folder"], empty["every_days"], empty["backups"]) == (str(folder), 1, [])
    response = here.call("POST", "/v1/backups")
    assert (response.status_code, response.json()["kind"], response.json()["state"]) == (
        202,
        "backup",
        "queued",
    )
    work(here, own)
    job = here.call("GET", f"/v1/jobs/{response.json()['id']}").json()
    assert (job["state"], job["result"]["memories"]) == ("success", 1)
    (backup,) = here.call("GET", "/v1/backups").json()["backups"]
    assert (backup["problems"], backup["memories"], backup["tried_at"]) == ([], 1, None)
    assert backup["size"] == Path(backup["path"]).stat().st_size > 100_000
    assert backup["expires_at"] > backup["made_at"]
    assert here.call("POST", "/v1/backups/drill").status_code == 202
    work(here, own)
    (tried,) = here.call("GET", "/v1/backups").json()["backups"]
    assert tried["tried_at"] > backup["made_at"]
    assert {name: one for name, one in tried.items() if name != "tried_at"} == {
        name: one for name, one in backup.items() if name != "tried_at"
    }
    with Memory(backup["path"], user="ana") as memory:
        assert [record.text for record in memory.list().memories] == [LAMP]


def test_the_command_that_is_shown_restores_it(here: Site, own: Settings, backend: str | None) -> None:
    here.call("POST", "/v1/memories", {"text": LAMP})
    here.call("POST", "/v1/backups")
    work(here, own)
    (backup,) = here.call("GET", "/v1/backups").json()["backups"]
    program, *rest = shlex.split(backup["restore"])
    assert program == "holdfast"
    assert rest[-2:] == ["restore", backup["path"]]
    if backend is not None:  # it needs the owner of the tables
        assert "tenant=" in rest[1]
        assert "@" not in rest[1], "no credentials"
        return
    here.call("POST", "/v1/memories", {"text": "The boat is blue"})
    here.service.store.close()
    result = CliRunner().invoke(cli, [*rest, "--yes"])
    assert result.exit_code == 0, result.output
    with Memory(own.store, user="ana") as memory:
        assert [record.text for record in memory.list().memories] == [LAMP]


def test_only_owners_and_admins_in_person_look_after_backups(team: Site, own: Settings) -> None:
    keys: dict[str, tuple[str, tuple[int, int]]] = {
        "owner": (team.key("ana", role="owner"), (200, 202)),
        "admin": (team.key("ben", role="admin"), (200, 202)),
        "read only": (team.key("ana", role="owner", write=False), (200, 403)),
        "member": (team.key("cleo", role="member"), (403, 403)),
        "service": (team.key("bot", role="service"), (403, 403)),
        "agent": (team.key("ana", role="owner", agent="coder"), (403, 403)),
        "in projects": (team.key("ana", role="owner", projects=frozenset({"shop"})), (403, 403)),
    }
    for who, (key, (reads, writes)) in keys.items():
        for method, path in ROUTES:
            answer = team.call(method, path, key=key)
            assert answer.status_code == (reads if method == "GET" else writes), (who, method, path)
    for method, path in ROUTES:
        answer = team.call(method, path, key=keys["owner"][0], headers={"Holdfast-Agent": "coder"})
        assert (answer.status_code, answer.json()["code"]) == (403, "person_needed")
        assert team.call(method, path).status_code == 401
    work(team, own)
    backups = team.call("GET", "/v1/backups", key=keys["admin"][0]).json()["backups"]
    assert backups
    assert not any(backup["problems"] for backup in backups)


def test_no_request_names_a_folder(here: Site, own: Settings, tmp_path: Path) -> None:
    for path in ("/v1/backups", "/v1/backups/drill"):
        assert here.call("POST", path, {"folder": str(tmp_path / "elsewhere")}).status_code == 422
        assert here.call("POST", f"{path}?to=/tmp").status_code == 422
    assert here.call("GET", f"/v1/backups?folder={tmp_path}").status_code == 422
    assert here.call("GET", "/v1/jobs").json() == {"jobs": []}


def test_a_planned_backup_comes_forward_and_a_failed_one_is_tried_again(here: Site, own: Settings) -> None:
    service, view = here.service, personal_view(here.service.principal)
    with service.store.write() as tx:
        plan(service, tx, BACKUP, due=service.clock() + 86_400_000)
    planned = here.call("GET", "/v1/jobs").json()["jobs"][0]["id"]
    assert [here.call("POST", "/v1/backups").json()["id"] for _ in range(2)] == [planned] * 2
    with service.store.write() as tx:
        now = service.clock()
        running = tx.claim_job(kinds={BACKUP}, now=now, until=now + 60_000, token="t")
        assert running is not None
        assert run_now(service, tx, BACKUP) == running, "one that runs is left alone"
        tx.put_job(view, failed(running, "store_full", now, final=True))
    again = here.call("POST", "/v1/backups").json()
    assert (again["id"], again["state"], again["error"]) == (planned, "queued", None)
    work(here, own)
    assert here.call("GET", f"/v1/jobs/{planned}").json()["state"] == "success"


def test_a_backup_is_made_where_none_is_scheduled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: str | None
) -> None:
    monkeypatch.setenv("HOLDFAST_BACKUP_DAYS", "0")
    with site(tmp_path, store=backend) as here:
        here.call("POST", "/v1/backups")
        work(here, config.load(store=backend or tmp_path / "team.db", user="ana"))
        response = here.call("GET", "/v1/backups").json()
    assert response["every_days"] == 0
    assert [backup["expires_at"] for backup in response["backups"]] == [None]


def test_a_database_without_a_folder_says_which_setting_to_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: str | None
) -> None:
    monkeypatch.delenv("HOLDFAST_BACKUP_FOLDER")
    with site(tmp_path, store=backend) as here:
        answers = [here.call(method, path) for method, path in ROUTES]
    if backend is None:
        assert answers[0].json()["folder"] == str(tmp_path / "backups")
        return
    for answer in answers:
        assert (answer.status_code, answer.json()["code"]) == (422, "backup_folder_missing")
        assert "HOLDFAST_BACKUP_FOLDER" in answer.json()["hint"]


@pytest.mark.process
def test_the_commands_ask_a_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The service makes it with the settings that it was started with."""

    def run(*args: str) -> Any:
        return json.loads(CliRunner().invoke(cli, [*args, "--json"]).stdout)

    def is_over(memory: Memory, id: str) -> bool:
        return not memory.jobs.get(id).is_open

    with served(tmp_path / "team.db") as (_, url):
        monkeypatch.setenv("HOLDFAST_STORE", url)
        assert run("backup", "--list") == {"backups": []}
        with Memory(url) as memory:
            for command, kind in (("backup", "backup"), ("drill", "drill")):
                job = Job.from_dict(run(command))
                assert job.kind == kind
                awaited(partial(is_over, memory, job.id))
                assert memory.jobs.get(job.id).state == "success"
            (backup,) = memory.backups.list().backups
        assert run("backup", "--list")["backups"] == [backup.as_dict()]
        refused = CliRunner().invoke(cli, ["backup", "--to", str(tmp_path)])
        assert refused.exit_code == 2
        assert "configured" in refused.output
