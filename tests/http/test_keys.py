"""Keys over the service: whom they are made for, with which role, and who sees and ends them."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.core.errors import AccessDenied, NotFound, Refusal
from tests.http.support import Site, site


@pytest.fixture
def team(tmp_path: Path) -> object:
    with site(tmp_path, local=False) as made:
        yield made


def test_an_admin_makes_keys_for_themselves_with_no_more_than_their_role(team: Site) -> None:
    admin = team.client(team.key("ana", role="admin"))
    new = admin.keys.create(name="laptop", write=False, projects=["shop"])
    assert (new.created.user, new.created.role.value, new.created.write) == ("ana", "admin", False)
    assert team.call("GET", "/v1/memories", key=new.text, params={"project": "shop"}).status_code == 200
    listed = {key.id: key for key in admin.keys.list()}
    assert listed[new.created.id].projects == ("shop",)
    secret = new.text.partition(f"_{new.created.id}_")[2]  # which may hold "_" itself
    assert len(secret) > 40
    assert secret not in str([key.as_dict() for key in listed.values()])
    with pytest.raises(AccessDenied):
        admin.keys.create("ben")  # would read what is private to ben
    limited = team.client(team.key("cat", role="owner"))
    assert limited.keys.create(role="service").created.role.value == "service"
    revoked = admin.keys.revoke(new.created.id)
    assert revoked.revoked_at is not None
    assert team.call("GET", "/v1/memories", key=new.text).status_code == 401
    with pytest.raises(NotFound):
        admin.keys.revoke("0" * 12)


def test_a_key_has_the_role_of_its_users_membership_unless_it_names_another(tmp_path: Path) -> None:
    with Memory(tmp_path / "a.db", user="ana") as memory:
        memory.members.add("ana", role="owner")
        memory.members.add("ben", role="admin")
        given = [("ben", None), ("ben", "service"), ("cat", None)]
        made = [memory.keys.create(user, role=role).created.role.value for user, role in given]
        assert made == ["admin", "service", "member"]


def test_nobody_else_manages_keys(team: Site) -> None:
    own = team.key("ana", role="owner")
    for options in ({"role": "member"}, {"role": "service"}, {"role": "owner", "projects": ["shop"]}):
        for method, path in (("GET", "/v1/keys"), ("POST", "/v1/keys"), ("DELETE", "/v1/keys/abc")):
            answer = team.call(method, path, {} if method == "POST" else None, key=team.key("ben", **options))
            assert (answer.status_code, answer.json()["code"]) == (403, "not_permitted")
    agent = team.client(team.key("ana", role="owner", agent="coder"))
    with pytest.raises(Refusal) as refused:
        agent.keys.create()
    assert refused.value.code == "person_needed"
    with pytest.raises(Refusal):
        agent.keys.revoke(team.client(own).keys.list()[0].id)
    reader = team.key("ana", role="owner", write=False)
    assert team.call("GET", "/v1/keys", key=reader).status_code == 200
    assert team.call("POST", "/v1/keys", {}, key=reader).status_code == 403


def test_a_key_of_ours_is_a_secret_like_any_other(team: Site) -> None:
    """Also one whose random part happens to look like words."""
    key = "holdfast_1e9f3be6084e_aRsj1g0JSnVRENQPUSM6IVQmakidVCaNIvA495R7Z4s"
    ana = team.client(team.key("ana", role="admin"))
    stored = ana.remember(f"The build uses {key} for now").memory
    assert stored is not None
    assert stored.text == "The build uses [REDACTED: holdfast_key] for now"
    refused = team.call("POST", "/v1/members", {"user": key}, key=team.key("ana", role="owner"))
    assert (refused.status_code, refused.json()["code"]) == (422, "secret_in_name")
    assert key not in refused.text
