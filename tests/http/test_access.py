"""Who may do what: keys, roles, read-only credentials, and credentials limited to projects."""

from __future__ import annotations

import inspect
import json
import re
import stat
import threading
from pathlib import Path
from typing import Any

import pytest

from holdfast import AccessDenied, InvalidInput, NotFound
from holdfast.api.catalogue import permissions
from holdfast.api.memory import Memory
from holdfast.core.errors import StoreError
from holdfast.core.places import Principal, Role
from holdfast.features.access.access import ALLOWED, Grant, Need, authorise
from holdfast.features.access.keys import create_key, grant_of, revoke_key
from holdfast.features.access.scoped_store import OVERRIDDEN, PASSED_THROUGH, REFUSED, methods_with_view
from holdfast.features.service import Service
from holdfast.http.signin import AT_ONCE
from holdfast.stores.base import ports
from holdfast.stores.sqlite.keyfile import KeyFile
from tests.fakes import ManualClock
from tests.http.support import Site, message
from tests.support import PATIENCE, open_store, service_on

NOTE = {"text": "The shop opens at nine", "project": "shop"}


# authorise


def refusal(grant: Grant, operation: str) -> str | None:
    """Returns the code by which an operation is refused."""
    try:
        authorise(grant, permissions()[operation], 0)
    except AccessDenied as error:
        return error.code
    return None


@pytest.mark.parametrize("role", Role)
def test_s4_53_a_role_may_do_what_its_row_says(role: Role) -> None:
    found = {operation: refusal(Grant(Principal("ana", role)), operation) for operation in permissions()}
    assert found == {
        operation: None if permission.need in ALLOWED[role] else "not_permitted"
        for operation, permission in permissions().items()
    }


def test_a_read_only_credential_changes_nothing() -> None:
    grant = Grant(Principal("ana"), write=False)
    reads = {
        "log_positions",
        "recall", "recall_scopes", "get", "list", "count", "history", "kinds", "projects.get",
        "projects.list",
        "sessions.get", "sessions.list", "sessions.messages", "sources.list", "entities.get",
        "entities.list", "entities.search", "entities.neighbourhood", "audit.list", "audit.verify",
        "audit.certificate", "audit.check",
        "doctor", "keys.list", "metrics", "jobs.list", "jobs.get", "jobs.events", "review.inbox", "quality",
        "review.rights",
        "about", "ask", "context", "stats", "facts.list", "facts.get", "facts.history", "facts.topics",
        "export",
        "folders.list", "folders.get", "folders.jobs", "folders.files", "folders.chunk_stats",
        "folders.tree", "folders.read", "projects.contents", "stream",
        "sessions.episodes", "resolve_id", "maps.get", "maps.match", "members.list",
        "models.list", "models.usage", "described.list", "described.get", "described.related",
        "described.roots", "scan",
        "facets", "related", "deliveries", "sessions.memories", "entities.drawing", "sessions.summary",
        "models.catalogue", "citations", "consents.list", "retention.list", "retention.preview",
        "retention.holds",
        "projects.summary", "backups.list",
    }  # fmt: skip
    assert {operation for operation in permissions() if refusal(grant, operation) is None} == reads


def test_s4_53_a_member_sees_no_audit_and_an_admin_does() -> None:
    for role, allowed in ((Role.MEMBER, False), (Role.SERVICE, False), (Role.ADMIN, True)):
        assert (Need.AUDIT in ALLOWED[role]) is allowed


def test_a_credential_ends_at_its_time() -> None:
    grant = Grant(Principal("ana"), expires_at=100)
    authorise(grant, permissions()["recall"], 99)
    with pytest.raises(AccessDenied) as caught:
        authorise(grant, permissions()["recall"], 100)
    assert caught.value.code == "credential_expired"


# keys


def ring_in(folder: Path) -> KeyFile:
    return KeyFile(folder / "store.db.keys")


def service_in(folder: Path, **options: Any) -> tuple[Service, KeyFile]:
    """A service whose keys are in a file, and the ring of that file."""
    service, ring = service_on(open_store("sqlite", folder), **options), ring_in(folder)
    service.keys = ring
    return service, ring


def test_a_key_is_kept_as_a_digest_only(tmp_path: Path) -> None:
    service, ring = service_in(tmp_path)
    key, text = create_key(service, user="ben", name="laptop", projects=["shop"], write=False)
    assert text.startswith(f"holdfast_{key.id}_")
    assert len(text.split("_", 2)[2]) >= 40
    secret = text.split("_", 2)[2].encode()
    assert [path.name for path in tmp_path.iterdir() if secret in path.read_bytes()] == []
    assert stat.S_IMODE(ring.path.stat().st_mode) == 0o600
    assert key.digest not in json.dumps(key.as_dict())
    assert grant_of(ring, text, 0) == Grant(
        Principal("ben", Role.MEMBER), False, frozenset({"shop"}), None, f"key:{key.id}"
    )


def test_making_and_revoking_a_key_are_events(tmp_path: Path) -> None:
    service, _ = service_in(tmp_path)
    key, text = create_key(service, user="ben")
    for _ in range(2):
        revoke_key(service, key.id)
    events = Memory.over(service).audit.list()
    assert [(event.actor, event.action, event.subject) for event in events] == [
        ("user:ana", "create_key", key.id), ("user:ana", "revoke_key", key.id),
    ]  # fmt: skip
    assert events[0].detail == {"user": "ben", "role": "member", "write": True, "expires_at": None}
    assert key.created_at == service.clock()
    assert text.split("_", 2)[2] not in json.dumps([event.as_dict() for event in events])


def test_a_revoked_key_ends_in_every_process(tmp_path: Path) -> None:
    """Another process has its own ring on the same file."""
    (service, ring), other = service_in(tmp_path), ring_in(tmp_path)
    key, text = create_key(service, user="ben")
    assert grant_of(other, text, 0).principal.user == "ben"
    revoke_key(service, key.id)
    for one in (ring, other):
        with pytest.raises(AccessDenied) as caught:
            grant_of(one, text, 0)
        assert caught.value.code == "credential_invalid"


def test_a_key_expires(tmp_path: Path) -> None:
    clock = ManualClock()
    service, ring = service_in(tmp_path, clock=clock)
    _, text = create_key(service, user="ben", expires_at=clock.now + 1)
    assert grant_of(ring, text, clock.now).expires_at == clock.now + 1
    with pytest.raises(AccessDenied) as caught:
        grant_of(ring, text, clock.now + 1)
    assert caught.value.code == "credential_expired"
    with pytest.raises(InvalidInput):
        create_key(service, user="ben", expires_at=clock.now)


@pytest.mark.parametrize("options", [{"role": "root"}, {"projects": []}, {"projects": ["*"]}, {"agent": ""}])
def test_a_key_that_makes_no_sense_is_not_made(tmp_path: Path, options: dict[str, Any]) -> None:
    service, ring = service_in(tmp_path)
    with pytest.raises(InvalidInput):
        create_key(service, user="ben", **options)
    assert ring.all() == ()


def test_an_unknown_key_cannot_be_revoked(tmp_path: Path) -> None:
    service, _ = service_in(tmp_path)
    with pytest.raises(NotFound):
        revoke_key(service, "none")


@pytest.mark.parametrize("content", ["", "[]", '{"version": 2, "keys": []}', '{"version": 1, "keys": [{}]}'])
def test_a_key_file_that_is_not_understood_lets_nobody_in(tmp_path: Path, content: str) -> None:
    ring = ring_in(tmp_path)
    ring.path.write_text(content)
    with pytest.raises(StoreError) as caught:
        grant_of(ring, "holdfast_a_b", 0)
    assert caught.value.code == "keys_unusable"


# over HTTP


def test_without_a_credential_nothing_of_the_tenant_is_told(team: Site) -> None:
    for method, path, told in team.operations():
        answer = team.call(method, re.sub(r"\{\w+\}", "x", path), {} if method != "GET" else None)
        if told["security"]:
            assert (answer.status_code, answer.json()["code"]) == (401, "credential_missing"), path
            assert answer.headers["www-authenticate"].startswith("Bearer")
        else:
            assert answer.status_code == 200, path


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Bearer holdfast_0_0"},
        {"Authorization": "Bearer nonsense"},
        {"Authorization": "Bearer "},
        {"Authorization": "Basic YW5hOmFuYQ=="},
        {"X-API-Key": "holdfast_0_0"},
        {"X-API-Key": "x" * 20_000},
        {"X-API-Key": ""},
    ],
)
@pytest.mark.parametrize("place", ["here", "team"])
def test_a_wrong_credential_is_worse_than_none(
    request: pytest.FixtureRequest, place: str, headers: dict[str, str]
) -> None:
    """Even where none is asked for: who shows one means to be somebody else than the local user."""
    answer = request.getfixturevalue(place).call("GET", "/v1/memories", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (401, "credential_invalid")


def test_two_credentials_are_none(team: Site) -> None:
    ana, ben = team.key("ana"), team.key("ben")
    assert team.call("GET", "/v1/kinds", key=ana, headers={"X-API-Key": ana}).status_code == 200
    assert team.call("GET", "/v1/kinds", key=ana, headers={"X-API-Key": ben}).status_code == 401


def test_s4_52_who_acts_comes_from_the_credential(team: Site) -> None:
    memory = team.call("POST", "/v1/memories", NOTE, key=team.key("ben", agent="coder")).json()["memory"]
    assert (memory["owner"], memory["created_by"]) == ("ben", "agent:coder@ben")
    for field in ("user", "owner", "tenant", "created_by", "agent"):
        answer = team.call("POST", "/v1/memories", {**NOTE, field: "ana"}, key=team.key("ben"))
        assert answer.status_code == 422


def test_s4_53_a_team_memory_is_read_by_all_and_changed_by_its_owner_or_an_admin(team: Site) -> None:
    ana, ben, root = team.key("ana"), team.key("ben"), team.key("cyd", role="admin")
    id = team.call("POST", "/v1/memories", {**NOTE, "visibility": "team"}, key=ana).json()["memory"]["id"]
    path = f"/v1/memories/{id}"
    assert team.call("GET", path, key=ben).status_code == 200
    for method, body in (("PATCH", {"text": "It opens at ten"}), ("DELETE", None), ("PUT", None)):
        answer = team.call(method, path + ("/pin" if method == "PUT" else ""), body, key=ben)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_yours")
        assert "--role admin" in answer.json()["hint"]
    assert team.call("DELETE", path, key=root).status_code == 204
    assert team.call("GET", "/v1/audit/events", key=root).status_code == 200
    assert team.call("GET", "/v1/audit/events", key=ben).status_code == 403


# limited to projects


@pytest.fixture
def fenced(team: Site) -> tuple[Site, str, dict[str, str]]:
    """Ana's memories in two projects and in none, and her key for one of the two."""
    whole = team.key("ana", role="owner")
    ids = {}
    for project in ("shop", "barn", None):
        text = f"The door of {project} is green"
        body = {"text": text, "project": project, "kind": "fact"}
        ids[str(project)] = team.call("POST", "/v1/memories", body, key=whole).json()["memory"]["id"]
        messages = {"messages": [message()], "project": project}
        assert (
            team.call("POST", f"/v1/sessions/in-{project}/messages", messages, key=whole).status_code == 200
        )
    return team, team.key("ana", projects=["shop"], role="owner"), ids


def test_a_fenced_key_finds_what_is_in_its_project_only(fenced: tuple[Site, str, dict[str, str]]) -> None:
    team, key, ids = fenced
    for where in ({"project": "shop"}, {"project": "*"}):
        hits = team.call("POST", "/v1/recall", {"query": "green door", **where}, key=key).json()["hits"]
        assert ids["shop"] in {hit["memory"]["id"] for hit in hits}
        assert {hit["memory"]["project"] for hit in hits} == {"shop"}
    for where in ({}, {"project": "barn"}, {"session": "in-barn"}, {"session": "in-None"}):
        response = team.call("POST", "/v1/recall", {"query": "green door", **where}, key=key).json()
        assert (response["hits"], response["searched"]) == ([], 0)
    for project in ("*", "barn"):
        page = team.call("GET", f"/v1/memories?project={project}", key=key).json()
        assert {memory["project"] for memory in page["memories"]} == ({"shop"} if project == "*" else set())


def test_a_fenced_key_pages_through_the_sessions_of_its_projects(team: Site) -> None:
    whole = team.key("ana", role="owner")
    for n in range(6):
        project = ("shop", "barn", "yard")[n % 3]
        body = {"messages": [message()], "project": project}
        team.call("POST", f"/v1/sessions/talk-{n}/messages", body, key=whole)
    key = team.key("ana", projects=["shop", "barn"], role="owner")

    def all_of(query: str) -> list[str]:
        names: list[str] = []
        cursor = ""
        while len(names) < 9:
            page = team.call("GET", f"/v1/sessions?limit=1{query}{cursor}", key=key).json()
            names += [session["id"] for session in page["sessions"]]
            if not page.get("cursor"):
                break
            cursor = f"&cursor={page['cursor']}"
        return sorted(names)

    assert all_of("") == ["talk-0", "talk-1", "talk-3", "talk-4"]
    assert all_of("&project=barn") == ["talk-1", "talk-4"]
    yard = team.call("GET", "/v1/sessions?project=yard", key=key)
    assert (yard.status_code, yard.json()["code"]) == (404, "project_not_found")


def test_a_fenced_key_settles_its_projects_and_goes_on_in_all_of_them(team: Site) -> None:
    whole, key = team.key("ana", role="owner"), team.key("ana", projects=["shop", "barn"], role="owner")
    for project in ("shop", "barn"):
        team.call("POST", "/v1/memories", {"text": f"The {project} is red", "project": project}, key=whole)
    changed = team.call("PATCH", "/v1/projects/shop", {"icon": "star"}, key=key).json()
    assert (changed["name"], changed["icon"]) == ("shop", "star")
    memories = team.call("GET", "/v1/memories?project=*", key=key).json()["memories"]
    assert {memory["project"] for memory in memories} == {"shop", "barn"}


def test_a_fenced_key_is_given_once_a_session_what_is_of_its_project(team: Site) -> None:
    """And its figures are those of its projects."""
    whole, key = team.key("ana", role="owner"), team.key("ana", projects=["shop"], role="owner")
    for project in ("shop", "barn"):
        rule = {"text": f"Always sweep the floor of the {project}", "kind": "convention", "project": project}
        team.call("POST", "/v1/memories", rule, key=whole)
        task = {"task": "sweep the floor", "project": project, "session": "agent-1"}
        team.call("POST", "/v1/context", task, key=whole)
    task = {"task": "sweep the floor", "project": "shop", "session": "agent-2"}
    contexts = [team.call("POST", "/v1/context", task, key=key).json() for _ in range(2)]
    assert [bool(context["memories"]) for context in contexts] == [True, False]
    seen = [team.call("GET", "/v1/stats/usage", key=one).json()["contexts"] for one in (key, whole)]
    assert 0 < seen[0] < seen[1]


def test_a_fenced_key_cannot_tell_what_is_elsewhere_from_what_is_not(
    fenced: tuple[Site, str, dict[str, str]],
) -> None:
    team, key, ids = fenced
    assert team.call("GET", f"/v1/memories/{ids['shop']}", key=key).status_code == 200
    for foreign in (ids["barn"], ids["None"]):
        for method, tail, body in (
            ("GET", "", None), ("PATCH", "", {"title": "x"}), ("DELETE", "", None),
            ("DELETE", "?hard=true", None), ("POST", "/restore", None), ("PUT", "/pin", None),
            ("GET", "/history", None),
        ):  # fmt: skip
            there = team.call(method, f"/v1/memories/{foreign}{tail}", body, key=key)
            nowhere = team.call(method, f"/v1/memories/{'0' * len(foreign)}{tail}", body, key=key)
            assert (there.status_code, there.json()["code"]) == (404, "memory_not_found")
            assert there.json()["detail"].replace(foreign, "0" * len(foreign)) == nowhere.json()["detail"]
    assert [project["name"] for project in team.call("GET", "/v1/projects", key=key).json()["projects"]] == [
        "shop"
    ]
    assert [session["id"] for session in team.call("GET", "/v1/sessions", key=key).json()["sessions"]] == [
        "in-shop"
    ]
    for path in ("/v1/projects/barn", "/v1/sessions/in-barn", "/v1/sessions/in-None"):
        assert team.call("GET", path, key=key).status_code == 404
        assert (
            team.call("PATCH", path, {"name": "x"} if "sess" in path else {"icon": "x"}, key=key).status_code
            == 404
        )


def test_a_fenced_key_writes_in_its_project_only(fenced: tuple[Site, str, dict[str, str]]) -> None:
    team, key, _ = fenced
    text = {"text": "The window of the shop is round"}
    assert team.call("POST", "/v1/memories", {**text, "project": "shop"}, key=key).status_code == 201
    talk = {"messages": [message(9)]}
    assert team.call("POST", "/v1/sessions/in-shop/messages", talk, key=key).status_code == 200
    new = team.call("POST", "/v1/sessions/new/messages", {**talk, "project": "shop"}, key=key)
    assert new.status_code == 200
    for method, path, body in (
        ("POST", "/v1/memories", text),
        ("POST", "/v1/memories", {**text, "project": "barn"}),
        ("POST", "/v1/memories", {**text, "project": "new"}),
        ("POST", "/v1/projects", {"name": "new"}),
        ("POST", "/v1/sessions", {"id": "new-2"}),
        ("PATCH", "/v1/sessions/in-shop", {"project": None}),
        ("PATCH", "/v1/sessions/in-shop", {"project": "barn"}),
        ("POST", "/v1/projects/shop/retag", {"target": "barn", "kinds": ["fact"]}),
    ):
        answer = team.call(method, path, body, key=key)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_permitted"), (path, body)
    batch = team.call("POST", "/v1/memories/batch", {"items": [{**text, "project": "barn"}]}, key=key)
    assert (batch.status_code, batch.json()["code"]) == (403, "not_permitted")


def test_a_fenced_key_names_a_session_as_one_outside_and_touches_nothing_of_it(
    fenced: tuple[Site, str, dict[str, str]],
) -> None:
    """The other session does not exist for the key, so the name is free in its project."""
    team, key, _ = fenced
    whole = team.key("ana", role="owner")

    def texts(who: str) -> list[str]:
        memories = team.call("GET", "/v1/sessions/in-barn/messages", key=who).json()["memories"]
        return [memory["text"] for memory in memories]

    before = texts(whole)
    body = {"messages": [message(9)], "project": "shop"}
    added = team.call("POST", "/v1/sessions/in-barn/messages", body, key=key)
    assert [result["code"] for result in added.json()["results"]] == [None]
    assert (texts(whole), len(before), texts(key)) == (before, 1, [message(9)["content"]])


def test_a_fenced_key_is_told_the_same_whatever_stands_outside(
    fenced: tuple[Site, str, dict[str, str]],
) -> None:
    """No repeat, no external id and no statement outside its projects answers it, and nothing is changed."""
    team, key, _ = fenced
    whole = team.key("ana", role="owner")
    known = {"text": "My plan is to quit in May", "kind": "note", "external_id": "plan-1"}
    assert team.call("POST", "/v1/memories", known, key=whole).status_code == 201
    shared = {"text": "We meet on Mondays", "visibility": "team"}
    assert team.call("POST", "/v1/memories", shared, key=whole).status_code == 201
    for body in (
        known,
        {**known, "text": "overwritten"},
        {"text": known["text"]},
        shared,
        {"text": "anything"},
    ):
        answer = team.call("POST", "/v1/memories", body, key=key)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_permitted"), body
    texts = {memory["text"] for memory in team.call("GET", "/v1/memories", key=whole).json()["memories"]}
    assert {known["text"], shared["text"]} <= texts
    assert "overwritten" not in texts


def test_an_import_is_refused_before_its_body_is_read(fenced: tuple[Site, str, dict[str, str]]) -> None:
    team, key, _ = fenced
    answer = team.call("POST", "/v1/import", {"content": 5}, key=key)
    assert (answer.status_code, answer.json()["code"]) == (403, "not_permitted")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/v1/audit/events", None),
        ("GET", "/v1/audit/verify", None),
        ("GET", "/v1/sources", None),
        ("POST", "/v1/sources", {"platform": "chatgpt", "sha256": "0" * 64}),
        ("POST", "/v1/import", {"content": "x"}),
        ("DELETE", "/v1/projects/shop", None),
        ("GET", "/v1/doctor", None),
        ("POST", "/v1/maintain", None),
        ("GET", "/metrics", None),
    ],
)
def test_a_fenced_key_has_no_say_beyond_projects(
    fenced: tuple[Site, str, dict[str, str]], method: str, path: str, body: Any
) -> None:
    team, key, _ = fenced
    answer = team.call(method, path, body, key=key)
    assert (answer.status_code, answer.json()["code"]) == (403, "not_permitted")


def test_a_fenced_answer_does_not_depend_on_what_is_outside(tmp_path: Path) -> None:
    """Not even by word statistics: the rule of isolation, for credentials too."""
    from holdfast.features.access.keys import service_for

    answers = []
    for n in range(2):
        folder = tmp_path / str(n)
        folder.mkdir()
        service = service_on(open_store("sqlite", folder), seed=1)
        whole = Memory.over(service)
        whole.remember("The door is green and the gate is red", project="shop", kind="fact")
        whole.remember("The gate is in the yard", project="shop", kind="fact")
        if n:
            whole.remember_many(
                [{"text": f"The gate number {i} is far", "project": "barn"} for i in range(9)]
            )
            whole.remember("The gate is mine", kind="fact")
        fenced = Memory.over(service_for(service, Grant(service.principal, projects=frozenset({"shop"}))))
        hits = fenced.recall("which gate is red?", project="*")
        answers.append([(hit.memory.text, hit.score, hit.why) for hit in hits] + [hits.searched])
    assert answers[0] == answers[1]
    assert len(answers[0]) == 3


def test_every_method_of_the_store_is_fenced() -> None:
    """A method that is new in the protocol is either narrowed by its view or has to be decided on here."""
    parts = [part for part in ports.Writer.__mro__ if part.__module__.startswith("holdfast.")]
    members = [(name, var) for part in parts for name, var in vars(part).items()]
    methods = {name for name, one in members if name[0] != "_" and inspect.isfunction(one)}
    assert methods == methods_with_view() | PASSED_THROUGH | REFUSED | OVERRIDDEN
    assert not methods_with_view() & (PASSED_THROUGH | REFUSED | OVERRIDDEN)


def test_one_principal_leaves_room_for_others(team: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ana sends more than is worked on at once, and none comes to an end; ben is answered all the same."""
    ana, ben = team.key("ana"), team.key("ben")
    stuck, go_on = threading.Semaphore(0), threading.Event()
    get = Memory.get

    def slow(self: Memory, id: str, **place: Any) -> Any:
        stuck.release()
        assert go_on.wait(PATIENCE)
        return get(self, id, **place)

    monkeypatch.setattr(Memory, "get", slow)
    callers = [
        threading.Thread(target=lambda: team.call("GET", "/v1/memories/x", key=ana))
        for _ in range(AT_ONCE + 20)
    ]
    for caller in callers:
        caller.start()
    for _ in range(AT_ONCE):
        assert stuck.acquire(timeout=PATIENCE)
    assert team.call("GET", "/v1/stats", key=ben).json() == {"memories": 0}
    assert not stuck.acquire(blocking=False)
    go_on.set()
    for caller in callers:
        caller.join(PATIENCE)


def test_a_read_only_key_writes_through_no_route(team: Site) -> None:
    key = team.key("ana", role="owner", write=False)
    tried = 0
    for method, path, told in team.operations():
        if method == "GET" or path in ("/v1/recall", "/v1/context"):  # which only read
            continue
        body: dict[str, Any] | None = {} if "requestBody" in told else None
        answer = team.call(method, re.sub(r"\{\w+\}", "x", path), body, key=key)
        assert answer.status_code in (403, 422), (method, path)
        tried += 1
        valid = team.call("POST", "/v1/memories", NOTE, key=key)
        assert (valid.status_code, valid.json()["code"]) == (403, "not_permitted")
    assert tried > 15
