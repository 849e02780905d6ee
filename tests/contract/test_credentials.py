"""The store contract, credentials: what keys, sessions of browsers and memberships grant, how long, and what
the chain records of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from holdfast import AccessDenied, Memory
from holdfast.core.errors import Refusal
from holdfast.core.members import Member
from holdfast.core.places import Principal, Role
from holdfast.core.projects import Project
from holdfast.core.views import personal_view
from holdfast.features.access import browser_sessions as browsers
from holdfast.features.access import keys, members, permission
from holdfast.features.access.access import LOCAL, TOKEN, Grant
from holdfast.features.audit.audit import list_events
from holdfast.features.service import Service
from holdfast.stores.base.keys import SESSION, Key
from holdfast.stores.base.ports import Store
from tests.fakes import ManualClock
from tests.support import service_on

pytestmark = pytest.mark.on_a_file
MINUTE = 60_000
WEEK = 7 * 24 * 60 * MINUTE
SHOP = frozenset({"shop"})


def recorded(service: Service, names: dict[str, str]) -> list[tuple[Any, ...]]:
    """Returns who did what, when, to which key or session by its name here, and what is noted of it."""
    return [
        (event.at, event.actor, event.action, names.get(event.subject or "", event.subject), event.detail)
        for event in list_events(service)
    ]


def by(service: Service, user: str, role: Role = Role.OWNER, agent: str | None = None) -> Service:
    return replace(service, principal=Principal(user, role, agent))


def test_what_is_recorded_of_who_comes_in(store: Store, clock: ManualClock) -> None:
    """With what each act returns. An act that changes nothing is none."""
    ana = service_on(store, clock=clock)
    start = clock.now
    owner, ben = members.add_members(ana, [("ana", "owner"), ("ben", "member")])
    assert owner == Member("ana", Role.OWNER, "user:ana", start)
    assert members.add_members(ana, [("ben", "admin"), ("eve", "service")], only_new=True) == [
        Member("eve", Role.SERVICE, "user:ana", start)
    ]
    assert members.add_member(ana, "ben", "member") == members.set_role(ana, "ben", "member") == ben
    clock.now += 1
    assert members.set_role(by(ana, "ben", Role.ADMIN), "eve", "member").role is Role.MEMBER
    assert members.remove_member(ana, "eve") == Member("eve", Role.MEMBER, "user:ana", start, start + 1)
    assert members.list_members(ana) == [owner, ben]
    clock.now += 1
    assert members.add_member(ana, "eve") == Member("eve", Role.MEMBER, "user:ana", start + 2)
    before = [owner, replace(ben, role=Role.ADMIN), Member("eve", Role.OWNER, "user:ana", start, start + 1)]
    before += [Member("cat", Role.OWNER, "user:ana", start), Member("dan", Role.OWNER, "user:ana", start, 1)]
    with store.write() as tx:
        assert members.carry_members(ana, tx, before) == 4
        assert members.carry_members(ana, tx, [replace(before[2], removed_at=None)]) == 1
    key, _ = keys.create_key(ana, user="ben", role="admin", write=False, expires_at=start + 9)
    ended = keys.revoke(ana, key.id)
    assert (ended, keys.revoke_key(ana, key.id)) == (replace(key, revoked_at=start + 2), ended)
    session, _ = browsers.open_with_grant(ana, Grant(Principal("ben", agent="x")), "Firefox")
    browsers.end_session(ana, session, session.id)
    user = {"user": "eve", "role": "member"}
    assert recorded(ana, {key.id: "key", session.id: "session"}) == [
        (start, "user:ana", "add_member", None, {"user": "ana", "role": "owner"}),
        (start, "user:ana", "add_member", None, {"user": "ben", "role": "member"}),
        (start, "user:ana", "add_member", None, {"user": "eve", "role": "service"}),
        (start + 1, "user:ben", "set_role", None, user),
        (start + 1, "user:ana", "remove_member", None, user),
        (start + 2, "user:ana", "add_member", None, user),
        (start + 2, "user:ana", "set_role", None, {"user": "ben", "role": "admin"}),
        (start + 2, "user:ana", "remove_member", None, {"user": "eve", "role": "owner"}),
        (start + 2, "user:ana", "add_member", None, {"user": "cat", "role": "owner"}),
        (start + 2, "user:ana", "remove_member", None, {"user": "dan", "role": "owner"}),
        (start + 2, "user:ana", "add_member", None, {"user": "eve", "role": "owner"}),
        (start + 2, "user:ana", "create_key", "key",
         {"user": "ben", "role": "admin", "write": False, "expires_at": start + 9}),
        (start + 2, "user:ana", "revoke_key", "key", {}),
        (start + 2, "agent:x@ben", "sign_in", "session",
         {"user": "ben", "by": LOCAL, "expires_at": start + 2 + WEEK}),
        (start + 2, "agent:x@ben", "sign_out", "session", {}),
    ]  # fmt: skip


def test_a_key_has_what_it_is_given_and_no_more_than_who_makes_it(store: Store, clock: ManualClock) -> None:
    ana = service_on(store, clock=clock)
    members.add_members(ana, [("ana", "owner"), ("ben", "admin")])
    result = keys.create(
        ana, "ben", role=None, name="laptop", agent="coder", projects=["till", "shop", "shop"], write=False,
        expires_at=clock.now + 1,
    )  # fmt: skip
    key = result.created
    assert result.text.startswith(f"holdfast_{key.id}_")
    assert keys.is_key(result.text)
    assert not keys.is_key("holdfast")
    assert replace(key, id="", digest="") == Key(
        "", "", "ben", Role.ADMIN, clock.now, "laptop", "coder", ("shop", "till"), False, clock.now + 1
    )
    assert keys.grant_of(ana.keys, result.text, clock.now) == Grant(
        Principal("ben", Role.ADMIN, "coder"),
        False,
        frozenset({"shop", "till"}),
        clock.now + 1,
        f"key:{key.id}",
    )
    assert keys.create(ana, "cat", role=None).created.role is Role.MEMBER
    assert keys.create(ana, None, role="service").created.role is Role.SERVICE
    theirs = replace(by(ana, "ben", Role.MEMBER), by_credential=True)
    assert keys.create(theirs, None, role=None).created.role is Role.MEMBER
    assert keys.create(theirs, "ben", role="service").created.role is Role.SERVICE
    for user, role in (("ben", "admin"), ("ana", "service")):
        with pytest.raises(AccessDenied):
            keys.create(theirs, user, role=role)
    browsers.open_with_grant(ana, Grant(ana.principal), None)
    assert [one.user for one in keys.list_keys(ana)].count("ben") == 3
    assert all(one.purpose == "api" for one in keys.list_keys(ana))


def test_a_key_follows_the_name_of_its_project_and_ends_with_the_last(
    store: Store, clock: ManualClock
) -> None:
    ana = service_on(store, clock=clock)
    both, shop, ended, free = (
        keys.create_key(ana, user="ben", projects=projects)[0].id
        for projects in (["shop", "till"], ["shop"], ["shop"], None)
    )
    keys.revoke_key(ana, ended)

    def found() -> dict[str, Any]:
        return {one.id: (one.projects, one.revoked_at) for one in ana.keys.all()}

    then = clock.now
    with store.read() as snap:
        keys.limit_keys(ana, snap, Project("shop", then, then), "stall", then + 5)
    assert found() == {
        both: (("stall", "till"), None), shop: (("stall",), None), ended: (("stall",), then),
        free: (None, None),
    }  # fmt: skip
    with store.read() as snap:
        keys.limit_keys(ana, snap, Project("stall", then, then), None, then + 5)
    assert found() == {
        both: (("till",), None), shop: ((), then + 5), ended: ((), then), free: (None, None),
    }  # fmt: skip


def test_a_session_grants_what_its_credential_does(store: Store, clock: ManualClock) -> None:
    ana = service_on(store, clock=clock)
    key, text = keys.create_key(
        ana,
        user="ben",
        role="admin",
        agent="x",
        projects=["shop"],
        write=False,
        expires_at=clock.now + WEEK - 1,
    )
    grants = {
        "local": Grant(ana.principal),
        "key": keys.grant_of(ana.keys, text, clock.now),
        "token": Grant(Principal("eve", Role.SERVICE, "y"), False, SHOP, clock.now + 5, TOKEN),
        "token without a role": Grant(
            Principal("eve", Role.MEMBER), True, None, clock.now + 2 * WEEK, TOKEN, names_role=False
        ),
    }
    opened = {name: browsers.open_with_grant(ana, grant, name) for name, grant in grants.items()}
    for name, grant in grants.items():
        session, secret = opened[name]
        ends = min(clock.now + WEEK, grant.expires_at or clock.now + WEEK)
        assert (session.name, session.user, session.expires_at, session.purpose) == (
            name, grant.principal.user, ends, SESSION,
        )  # fmt: skip
        found = browsers.session_grant(ana, secret, grants["local"])
        assert found == (session, replace(grant, expires_at=ends))
    local, secret = opened["local"]
    for other in (None, Grant(Principal("eve"))):
        with pytest.raises(AccessDenied):
            browsers.session_grant(ana, secret, other)
    keys.revoke_key(ana, key.id)
    with pytest.raises(AccessDenied):
        browsers.session_grant(ana, opened["key"][1], grants["local"])
    ana.keys.drop(key.id)
    with pytest.raises(AccessDenied):
        browsers.session_grant(ana, opened["key"][1], grants["local"])

    clock.now += 1
    later, _ = browsers.open_with_grant(ana, grants["local"], "later")
    browsers.open_with_grant(ana, Grant(Principal("eve")), "of another")
    assert browsers.sessions_of(ana, local) == [later, local]
    browsers.end_session(ana, local, later.id)
    assert browsers.sessions_of(ana, local) == [local]
    clock.now += WEEK - 1
    assert browsers.sessions_of(ana, local) == []
    with pytest.raises(AccessDenied):
        browsers.session_grant(ana, secret, grants["local"])
    assert local in ana.keys.all()
    browsers.open_with_grant(ana, grants["local"], None)
    assert local in ana.keys.all(), "its code must not come back while it can be used"
    clock.now += 5 * MINUTE + 1
    browsers.open_with_grant(ana, grants["local"], None)
    assert local not in ana.keys.all()
    assert browsers.csrf_token(ana, "a") != browsers.csrf_token(ana, "b")


def test_a_code_opens_one_session_within_five_minutes(store: Store, clock: ManualClock) -> None:
    ana = service_on(store, clock=clock)
    used, late = browsers.one_time_code(ana), browsers.one_time_code(ana)
    with pytest.raises(AccessDenied):
        browsers.open_with_code(by(ana, "ben"), used, None)
    clock.now += 5 * MINUTE - 1
    session, secret = browsers.open_with_code(ana, used, "Firefox")
    assert (session.user, session.name, session.parent) == ("ana", "Firefox", LOCAL)
    assert browsers.session_grant(ana, secret, Grant(ana.principal))[0] == session
    clock.now += 1
    for code in (used, late, late[:-4], ""):
        with pytest.raises(AccessDenied) as refused:
            browsers.open_with_code(ana, code, None)
        assert refused.value.code == "code_invalid"


@pytest.mark.parametrize("projects", [None, SHOP])
@pytest.mark.parametrize("credential", [LOCAL, "key:1"])
def test_a_service_has_the_limits_of_a_credential(
    store: Store, projects: frozenset[str] | None, credential: str
) -> None:
    whole = service_on(store)
    Memory.over(whole).projects.create("shop")
    Memory.over(whole).projects.create("barn")
    grant = Grant(Principal("ben", Role.SERVICE, "x"), False, projects, None, credential)
    service = keys.service_for(whole, grant)
    assert (service.principal, service.may_write, service.is_apart) == (grant.principal, False, False)
    assert keys.service_for(whole, replace(grant, is_apart=True)).is_apart
    assert service.by_credential is (credential != LOCAL)
    seen = {project.name for project in Memory.over(service).projects.list()}
    assert seen == (projects or {"shop", "barn"})


def test_membership_bounds_a_credential(store: Store, clock: ManualClock) -> None:
    ana = service_on(store, clock=clock)
    token = Grant(Principal("eve", Role.MEMBER), credential=TOKEN)
    for role, is_apart in (
        (Role.MEMBER, True), (Role.SERVICE, True), (Role.ADMIN, False), (Role.OWNER, False),
    ):  # fmt: skip
        grant = replace(token, principal=Principal("eve", role))
        assert members.bound_grant(ana, grant) == replace(grant, is_apart=is_apart)
    key = replace(token, credential="key:1")
    assert members.bound_grant(ana, key) == key
    with pytest.raises(AccessDenied):
        members.bound_grant(ana, key, only_members=True)
    members.add_members(ana, [("ana", "owner"), ("eve", "admin")])
    assert members.bound_grant(ana, token) == token
    assert members.bound_grant(ana, replace(token, names_role=False)).principal.role is Role.ADMIN
    members.remove_member(ana, "eve")
    with pytest.raises(AccessDenied):
        members.bound_grant(ana, token)


def test_no_page_hides_what_a_machine_may_not_remove(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(permission, "PAGE", 1)
    ana = Memory.over(service_on(store))
    kept = [ana.remember(f"The {thing} is red").memory for thing in ("boat", "till", "sail")]
    with store.read() as snap:
        everything, agent = personal_view(Principal("ana")), Principal("ana", agent="x", agreed=True)
        permission.check_may_take_away_all(agent, snap, everything, lambda _: True)
    for one in kept:
        assert one is not None
        ana.pin(one.id)
        with store.read() as snap, pytest.raises(Refusal):
            permission.check_may_take_away_all(agent, snap, everything, lambda _: True)
        ana.pin(one.id, False)
