"""Members over HTTP: a valid credential comes in as far as the membership of its user lets it, at once."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holdfast import AccessDenied
from holdfast.api.catalogue import permissions
from holdfast.core.places import Role
from holdfast.features.access.access import ALLOWED
from holdfast.features.access.keys import grant_of, service_for
from holdfast.features.access.members import add_member, bound_grant
from tests.http.support import Site, site
from tests.http.test_tokens import Signer, tokens_of
from tests.support import PATIENCE

PAGE = (Path(__file__).parents[2] / "docs" / "access.md").read_text("utf-8")
NOTE = {"text": "The merger is called Bluebird"}


@pytest.fixture
def signer(tmp_path: Path) -> Signer:
    signer = Signer(tmp_path / "jwks.json")
    signer.rotate("a")
    return signer


@pytest.fixture
def team(tmp_path: Path, signer: Signer, backend: str | None) -> Iterator[Site]:
    """A service for ana, an owner, with keys and tokens; nobody comes in without one."""
    with site(tmp_path, local=False, tokens=tokens_of(signer), store=backend) as opened:
        yield opened


def test_s4_53_a_membership_counts_from_the_next_request_on(team: Site, signer: Signer) -> None:
    """Added, given another role, removed and added again, with one key and one token that stay valid."""
    owner, key, token = team.key("ana", role="owner"), team.key("ben", role="admin"), signer.token("a")
    for credential in (key, token):
        assert team.call("GET", "/v1/memories", key=credential).status_code == 200
    add = team.call("POST", "/v1/members", {"user": "ana", "role": "owner"}, key=owner)
    assert (add.status_code, add.json()["role"], add.json()["added_by"]) == (200, "owner", "user:ana")
    for credential in (key, token):
        refused = team.call("GET", "/v1/memories", key=credential)
        assert (refused.status_code, refused.json()["code"]) == (403, "not_a_member")
        for path in ("/v1/recall", "/v1/import", "/v1/memories", "/mcp"):
            assert team.call("POST", path, {"anything": 1}, key=credential).json()["code"] == "not_a_member"

    team.call("POST", "/v1/members", {"user": "ben"}, key=owner)
    for credential in (key, token):
        assert team.call("POST", "/v1/recall", {"query": "x"}, key=credential).status_code == 200
        audit = team.call("GET", "/v1/audit/events", key=credential)
        assert (audit.status_code, audit.json()["code"]) == (403, "not_permitted")
    team.call("PATCH", "/v1/members/ben", {"role": "admin"}, key=owner)
    for credential in (key, token):  # the token names no role: it has that of the membership
        assert team.call("GET", "/v1/audit/events", key=credential).status_code == 200
    named = signer.token("a", holdfast_role="member")
    assert team.call("GET", "/v1/audit/events", key=named).status_code == 403

    response = team.call("DELETE", "/v1/members/ben", key=owner)
    assert (response.status_code, response.json()["removed_at"] is None) == (200, False)
    for credential in (key, token, named):
        assert team.call("GET", "/v1/memories", key=credential).json()["code"] == "not_a_member"
    last = team.call("DELETE", "/v1/members/ana", key=owner)
    assert (last.status_code, last.json()["code"]) == (409, "owner_needed")
    listed = team.call("GET", "/v1/members", key=owner).json()["members"]
    assert [(one["user"], one["role"]) for one in listed] == [("ana", "owner")]


def test_s4_53_every_role_may_do_over_http_what_its_row_says(team: Site) -> None:
    """The role of the membership decides for each operation, whatever the key would allow by itself."""
    team.call("POST", "/v1/members", {"user": "ana", "role": "owner"}, key=team.key("ana", role="owner"))
    names = {name.replace(".", "_"): name for name in permissions()}
    for role in Role:
        user, key = f"user-{role.value}", team.key(f"user-{role.value}", role="admin")
        team.call(
            "POST", "/v1/members", {"user": user, "role": role.value}, key=team.key("ana", role="owner")
        )
        rows = 0
        for method, path, told in team.operations():
            name = names.get(told["operationId"])
            if name is None or "{" in path or method != "GET":
                continue
            allowed = permissions()[name].need in ALLOWED[role]
            answer = team.call(method, path, key=key)
            assert (answer.status_code == 403) is not allowed, f"{role.value} {method} {path}"
            rows += 1
        assert rows > 10


def test_s4_53_what_a_member_asks_to_share_waits_for_a_named_approver(team: Site) -> None:
    owner, ben, cleo = (team.key(name, role="owner") for name in ("ana", "ben", "cleo"))
    team.call("POST", "/v1/members", {"user": "ana", "role": "owner"}, key=owner)
    for user in ("ben", "cleo"):
        team.call("POST", "/v1/members", {"user": user}, key=owner)
    id = team.call("POST", "/v1/memories", NOTE, key=ben).json()["memory"]["id"]
    move = {"ids": [id], "visibility": "team"}
    (result,) = team.call("POST", "/v1/review/move", move, key=ben).json()["results"]
    assert (result["result"], result["memory"]["visibility"]) == ("asked", "private")
    for key in (owner, cleo):
        assert team.call("GET", f"/v1/memories/{id}", key=key).status_code == 404
    assert team.call("GET", "/v1/review", key=cleo).json()["items"] == []
    agent = team.key("ana", role="owner", agent="coder")
    assert team.call("GET", "/v1/review", key=agent).json()["items"] == []
    assert team.call("POST", f"/v1/review/{id}/approve", {}, key=agent).status_code == 404
    client = team.client(owner)
    (item,) = client.review.inbox().items
    assert (item.memory.text, item.asks) == (NOTE["text"], "team")
    assert client.review.approve(id).memory.visibility == "team"  # type: ignore[union-attr]
    events = [(one.actor, one.action) for one in client.audit.list() if one.subject == id]
    assert events == [("user:ben", "remember"), ("user:ben", "ask_to_share"), ("user:ana", "promote")]
    assert team.call("GET", f"/v1/memories/{id}", key=cleo).json()["owner"] == "ben"
    with pytest.raises(AccessDenied):
        team.client(ben).members.list()


def test_s4_53_only_an_owner_by_key_and_by_membership_makes_or_unmakes_an_owner(team: Site) -> None:
    """An admin's key of an owner does less than the owner, and an owner's key of an admin no more."""
    admins = team.key("ana", role="admin")
    first = team.call("POST", "/v1/members", {"user": "ana", "role": "owner"}, key=admins)
    assert (first.status_code, first.json()["code"]) == (403, "not_permitted")
    owner = team.key("ana", role="owner")
    for user, role in (("ana", "owner"), ("ada", "admin"), ("eve", "owner"), ("ben", "member")):
        response = team.call("POST", "/v1/members", {"user": user, "role": role}, key=owner)
        assert response.status_code == 200, user
    for key in (admins, team.key("ada", role="owner")):
        for method, path, body in (
            ("POST", "/v1/members", {"user": "mallory", "role": "owner"}),
            ("PATCH", "/v1/members/ben", {"role": "owner"}),
            ("PATCH", "/v1/members/eve", {"role": "member"}),
            ("DELETE", "/v1/members/eve", None),
        ):
            refused = team.call(method, path, body, key=key)
            assert (refused.status_code, refused.json()["code"]) == (403, "not_permitted"), (method, path)
        assert team.call("PATCH", "/v1/members/ben", {"role": "admin"}, key=key).status_code == 200
        assert team.call("PATCH", "/v1/members/ben", {"role": "member"}, key=key).status_code == 200
    assert team.call("DELETE", "/v1/members/eve", key=owner).status_code == 200


def test_s4_53_who_was_removed_meanwhile_makes_no_owner(team: Site) -> None:
    """The credential was looked at before the owner was removed; the transaction looks again."""
    owner = team.key("ana", role="owner")
    for user in ("ana", "eve"):
        team.call("POST", "/v1/members", {"user": user, "role": "owner"}, key=owner)
    grant = bound_grant(team.service, grant_of(team.service.keys, team.key("eve", role="owner"), 0))
    late = service_for(team.service, grant)
    team.call("DELETE", "/v1/members/eve", key=owner)
    with pytest.raises(AccessDenied):
        add_member(late, "mallory", "owner")
    assert add_member(team.service, "zoe", "owner").role is Role.OWNER  # who opened the store is trusted


def test_the_client_changes_members(team: Site) -> None:
    client = team.client(team.key("ana", role="owner"))
    assert client.members.add("ana", "owner").role is Role.OWNER
    added = client.members.add("team/ben", "service")
    assert (added.user, added.added_by, added.removed_at) == ("team/ben", "user:ana", None)
    changed = client.members.set_role("team/ben", "member")
    assert changed.role is Role.MEMBER
    assert client.members.list() == [client.members.add("ana", "owner"), changed]
    assert client.members.remove("team/ben").removed_at is not None
    assert [member.user for member in client.members.list()] == ["ana"]


@pytest.mark.process
def test_the_commands_of_the_page_set_a_team_up(tmp_path: Path) -> None:
    """Those of the first block, in one shell, as a reader types them; then the page's second block."""
    blocks = re.findall(r"^```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    store = tmp_path / "team.db"
    environment = {
        **os.environ,
        "HOLDFAST_STORE": str(store),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    completed = subprocess.run(
        ["bash", "-c", "set -euo pipefail\n" + "\n".join(blocks)],
        capture_output=True, text=True, env=environment, cwd=tmp_path, check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert completed.returncode == 0, completed.stdout + completed.stderr
    listed = subprocess.run(
        ["holdfast", "members", "--json"], capture_output=True, text=True, env=environment, check=True
    )
    members: list[dict[str, Any]] = json.loads(listed.stdout)["members"]
    named = dict.fromkeys(("ben", "cleo", "dan", "eve"), "member")
    assert {member["user"]: member["role"] for member in members} == {
        "ana": "owner",
        **named,
        "ci": "service",
    }


def test_the_page_tells_every_role() -> None:
    for role in Role:
        assert f"| `{role.value}` |" in PAGE
