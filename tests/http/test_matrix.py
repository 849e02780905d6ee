"""Every route as every role on foreign and missing ids: generated from the app, so that none is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import apsw
import pytest

from holdfast import Memory
from holdfast.api.catalogue import permissions
from holdfast.core.places import Role
from holdfast.features.access.access import ALLOWED
from tests.http.support import Site, message, site

BODIES: dict[str, Any] = {
    "remember": {"text": "Ben was here"},
    "never": {"text": "the shoes of Ben"},
    "remember_many": {"items": ["Ben was here too"]},
    "recall": {"query": "safe painting", "project": "*"},
    "recall_scopes": {"query": "safe painting", "project": "villa", "scopes": ["global", "paper:1"]},
    "context": {"task": "safe painting", "project": "villa"},
    "revise": {"title": "Mine"},
    "redact": {"version": 1},
    "scan_queue": {},
    "scan_decide": {"accept": ["0" * 36]},
    "record_quality": {"name": "cross_user_leak_rate", "value": 1, "sample_size": 1, "evaluator": "ben"},
    "add_messages": {"messages": [message()]},
    "add_episode": {"user_message": "Is it done?", "ai_response": "It is."},
    "extract": {"text": "I love tea"},
    "learn": {"log": "", "project": "shop"},
    "log_positions": {"keys": ["0" * 64]},
    "agents_event": {"event": "prompt", "prompt": "safe painting", "project": "villa"},
    "projects_create": {"name": "bens"},
    "projects_update": {"icon": "x"},
    "projects_archive": {"purge_after": 30},
    "projects_switch": {"on": True},
    "projects_rename": {"to": "villa"},
    "projects_move": {"target": "bens"},
    "projects_retag": {"target": "bens", "kinds": ["fact"]},
    "maps_scan": {"map": {"project": "bens"}},
    "maps_update": {"module": "auth", "keywords": ["ben"]},
    "maps_match": {"task": "the safe painting"},
    "maps_opened": {"paths": ["a.py"], "session": "bens"},
    "sessions_create": {"id": "bens"},
    "sessions_update": {"name": "Mine"},
    "entities_create": {"name": "Ben", "type": "person"},
    "entities_search": {"query": "safe painting", "project": "*"},
    "entities_observe": {"texts": ["Ben saw it"]},
    "entities_unobserve": {"texts": ["stands behind the painting"], "hard": True},
    "entities_relate": {"subject": "Safe", "type": "near", "target": "Villa", "project": "villa"},
    "entities_unrelate": {
        "subject": "Safe",
        "type": "in",
        "target": "Villa",
        "project": "villa",
        "hard": True,
    },
    "ask": {"text": "what is my favorite color?", "project": "villa"},
    "facts_set": {"topic": "colors", "value": "Ben's blue", "rank": 1},
    "facts_replace": {"topic": "colors", "values": ["Ben's blue"]},
    "facts_add": {"topic": "colors", "values": ["Ben's red"]},
    "facts_move": {"topic": "colors", "value": "Ben's red", "rank": 1},
    "facts_remove": {"topic": "colors", "value": "Ben's red"},
    "facts_clear": {"topic": "colors"},
    "entities_neighbourhood": {"entities": ["Safe", "Villa"], "project": "villa"},
    "review_tidy": {"dry_run": True},
    "audit_check": {"certificate": {}},
    "review_approve": {"beside": True},
    "review_reject": {"reason": "no"},
    "review_edit": {"text": "Ben was here"},
    "review_decide": {"decisions": [{"id": "0" * 36, "decision": "approve"}]},
    "correct": {"id": "0" * 36, "text": "Lives in Braga"},
    "review_undo": {"ids": ["0" * 36]},
    "review_move": {"ids": ["0" * 36], "project": "bens"},
    "review_rights": {"ids": ["0" * 36]},
    "review_feedback": {"verdict": "wrong"},
    "review_wrong": {"note": "no"},
    "insights": {"session": "talk", "visibility": "team"},
    "queue_insights": {"session": "talk", "visibility": "team"},
    "review_clear": {"scope": {"type": "paper", "id": "1"}, "hard": True},
    "review_revert": {"hard": True},
    "sources_add": {"platform": "chatgpt", "sha256": "1" * 64},
    "sources_move": {"project": "bens"},
    "restore": {},
    "dismiss": {"id": "0" * 36},
    "delete_all": {"confirm": "ben", "dry_run": True},
    "keys_create": {"name": "bens"},
    "consents_give": {"purpose": "models"},
    "consents_withdraw": {"purpose": "newsletter"},
    "retention_set": {"days": 30, "project": "villa"},
    "retention_remove": {"project": "villa"},
    "retention_hold": {"name": "case", "user": "ben"},
    "members_add": {"user": "ben"},
    "members_set_role": {"role": "member"},
    "described_apply": {"file": "x", "payload": {"entities": []}},
    "described_queue": {"file": "x", "payload": {"entities": []}},
    "described_update": {"name": "x"},
    "described_read": {"path": "/etc/passwd"},
    "described_describe": {"payload": {"entities": []}},
    "models_add": {"name": "m", "model": "some-model", "url": "https://10.0.0.8"},
    "models_propose": {"session": "talk"},
    "models_summarise": {"session": "talk"},
    "answer": {"text": "Where is the safe?"},
    "folders_add": {"root": "/etc"},
    "folders_queue": {"anew": True},
    "folders_connect": {"project": "bens"},
    "folders_disconnect": {"project": "villa"},
    "import": {"content": '[{"role": "user", "content": "Hello there"}]', "format": "messages"},
}
"""What each operation with a body is sent; one that is missing here fails the test of the whole matrix."""

MISSING = {
    "memories": "0" * 36,
    "contexts": "0" * 36,
    "sessions": "no-such",
    "sources": "0" * 36,
    "projects": "no-such",
    "entities": "0" * 36,
    "jobs": "0" * 36,
    "review": "0" * 36,
    "members": "no-such",
    "retention": "no-such",
    "models": "no-such",
    "keys": "no-such",
    "folders": "0" * 36,
    "described": "0" * 36,
}
STREAMS = {"jobs_events"}
"""What does not end before the job that waits."""
OF_THE_TENANT = {"projects", "models", "keys", "retention"}
OF_OWNERS = {"models_accept"}
"""What an owner alone does, beyond what the need of the operation says."""
OF_EVERYBODY = {f"projects_{act}" for act in ("archive", "unarchive", "switch", "rename", "purge")}
OF_EVERYBODY |= {"models_remove", "models_test", "keys_revoke", "retention_lift"}
"""What an owner or admin does to a project with all that others keep in it, to a model, a key or a
legal hold: tried on none."""
"""Things that the whole tenant knows by name; what is in them is not known."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, dict[str, str]]]:
    """A service with things of ana, all her own."""
    code = tmp_path_factory.mktemp("code")
    (code / "safe.md").write_text("The safe is behind the painting")
    with site(tmp_path_factory.mktemp("matrix"), local=False) as team:
        key = team.key("ana", role="owner")
        body = {"text": "The safe is behind the painting", "kind": "fact", "project": "villa"}
        memory = team.call("POST", "/v1/memories", body, key=key).json()["memory"]["id"]
        talk = {"messages": [message()], "project": "villa"}
        team.call("POST", "/v1/sessions/talk/messages", talk, key=key)
        source = team.call("POST", "/v1/sources", {"platform": "x", "sha256": "0" * 64}, key=key).json()["id"]
        place = {"project": "villa"}
        safe, _ = (
            team.call("POST", "/v1/entities", {"name": name, **place}, key=key).json()["memory"]["id"]
            for name in ("Safe", "Villa")
        )
        texts = {"texts": ["stands behind the painting"]}
        team.call("POST", f"/v1/entities/{safe}/observe", texts, key=key)
        relation = {"subject": "Safe", "type": "in", "target": "Villa", **place}
        assert team.call("POST", "/v1/entities/relate", relation, key=key).status_code == 201
        hers = {"memories": memory, "sessions": "talk", "sources": source, "projects": "villa"}
        job = team.call("POST", "/v1/maintain", key=key, headers={"Prefer": "respond-async"}).json()["id"]
        folders = Memory.over(team.service).folders
        folder = folders.add(code, project="villa")
        folders.index(folder.id)
        cell = {"type": "WIDGET", "id": "safe", "data": {"summary": "The safe is behind the painting"}}
        payload = {"file": "safe.db", "payload": {"name": "safe.db", "entities": [cell]}, **place}
        hers["described"] = team.call("POST", "/v1/described", payload, key=key).json()["source"]
        hers |= {"entities": safe, "jobs": job, "review": memory, "members": "ana", "folders": folder.id}
        hers["models"] = Memory.over(team.service).models.add("m", "x", url="http://127.0.0.1:9").name
        hers["retention"] = Memory.over(team.service).retention.hold("hers", user="nobody").name
        response = team.call(
            "POST", "/v1/context", {"session": "talk", "role": "chat", "window": 0}, key=key
        ).json()
        hers["contexts"] = response["id"]
        hers["keys"] = Memory.over(team.service).keys.list()[0].id
        yield team, hers


def names() -> dict[str, str]:
    return {name.replace(".", "_"): name for name in permissions()}


def test_every_body_is_of_an_operation_and_every_operation_with_a_body_has_one(
    world: tuple[Site, dict[str, str]],
) -> None:
    team, _ = world
    needed = {told["operationId"] for _, _, told in team.operations() if "requestBody" in told}
    assert needed == set(BODIES)
    kinds = {path.split("/")[2] for _, path, _ in team.operations() if "{" in path}
    assert kinds == set(MISSING)


@pytest.mark.parametrize("role", Role)
def test_every_route_as_a_stranger_of_every_role(world: tuple[Site, dict[str, str]], role: Role) -> None:
    """Ben has no right to anything of ana: what he is answered about hers is what he is answered about
    nothing, byte for byte but for the id; and nothing of hers is in any answer. The admin is no exception,
    for private things are private."""
    team, hers = world
    key = team.key("ben", role=role)
    rows = 0
    for method, path, told in team.operations():
        if not told["security"]:
            continue
        operation = told["operationId"]
        body = BODIES.get(operation)
        for id in _ids(path, hers)[operation in OF_EVERYBODY :]:
            answer = team.call(method, _at(path, id), body, key=key)
            rows += 1
            where = f"{method} {path} as {role.value} on {id}: {answer.text[:200]}"
            assert str(answer.status_code) in told["responses"], where
            assert answer.status_code < 500, where
            assert "painting" not in answer.text, where
            allowed = permissions()[names()[operation]].need in ALLOWED[role]
            allowed = allowed and (role is Role.OWNER or operation not in OF_OWNERS)
            refused = answer.status_code == 403 and answer.json()["code"] == "not_permitted"
            assert refused is not allowed, where
        if "{" in path and path.split("/")[2] not in OF_THE_TENANT:
            foreign, missing = (team.call(method, _at(path, id), body, key=key) for id in _ids(path, hers))
            assert _alike(foreign, hers) == _alike(missing, hers), f"{method} {path}"
    assert rows > 40
    _ana_has_everything(team, hers)


def _at(path: str, id: str) -> str:
    return re.sub(r"\{\w+\}", lambda _: id, path)


def _ids(path: str, hers: dict[str, str]) -> list[str]:
    if "{" not in path:
        return [""]
    kind = path.split("/")[2]
    return [hers[kind], MISSING[kind]]


def _alike(answer: Any, hers: dict[str, str]) -> tuple[int, str]:
    """An answer without the id that was asked for and the times and ids that every answer has anew."""
    text = answer.text
    for kind, missing in MISSING.items():
        text = text.replace(hers[kind], "ID").replace(missing, "ID")
    told = answer.json() if answer.content else {}
    if answer.status_code >= 400:
        return answer.status_code, text.replace(told["request_id"], "")
    return answer.status_code, str(sorted(told))


def _ana_has_everything(team: Site, hers: dict[str, str]) -> None:
    key = team.key("ana", role="owner")
    memory = team.call("GET", f"/v1/memories/{hers['memories']}", key=key).json()
    assert (memory["title"], memory["project"], memory["version"]) == (None, "villa", 1)
    assert team.call("GET", "/v1/sessions/talk", key=key).json()["name"] is None
    assert [source["id"] for source in team.call("GET", "/v1/sources", key=key).json()["sources"]] == [
        hers["sources"]
    ]
    assert team.call("GET", f"/v1/jobs/{hers['jobs']}", key=key).json()["state"] == "queued"
    folder = team.call("GET", f"/v1/folders/{hers['folders']}", key=key).json()
    assert (folder["projects"], folder["files"]["indexed"]) == (["villa"], 1)
    safe = team.call("GET", f"/v1/entities/{hers['entities']}", key=key).json()
    assert ([observation["text"] for observation in safe["observations"]], safe["mentions"]) == (
        ["stands behind the painting"], 2,
    )  # fmt: skip


@pytest.mark.parametrize("role", Role)
def test_every_route_with_a_credential_that_only_reads(
    world: tuple[Site, dict[str, str]], role: Role
) -> None:
    """Whatever its role, and also about what is its own user's: every table stands as it stood, and with it
    the chain of events."""
    team, hers = world
    keys = [team.key(user, role=role, write=False) for user in ("ben", "ana")]
    before = _tables(team)
    assert len(before) > 20
    assert before["events"]
    for method, path, told in team.operations():
        if told["security"] and told["operationId"] not in STREAMS:
            for id, key in product(_ids(path, hers), keys):
                team.call(method, _at(path, id), BODIES.get(told["operationId"]), key=key)
    after = _tables(team)
    assert [name for name in before if after[name] != before[name]] == []


def _tables(team: Site) -> dict[str, list[Any]]:
    """Every row of every table of the store."""
    file = apsw.Connection(team.service.store.location, flags=apsw.SQLITE_OPEN_READONLY)
    names = [name for (name,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    tables = {name: sorted(file.execute(f'SELECT * FROM "{name}"'), key=repr) for name in names}  # noqa: S608
    file.close()
    return tables


def test_the_folder_of_the_service_holds_no_key(world: tuple[Site, dict[str, str]]) -> None:
    team, _ = world
    text = team.key("ben")
    folder = Path(team.service.store.location).parent
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    assert [path.name for path in files if text[20:].encode() in path.read_bytes()] == []
