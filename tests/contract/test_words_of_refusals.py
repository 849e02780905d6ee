"""The words of refusals: what is wrong with which argument, and what to do about it, as users read it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holdfast import HoldfastError, Memory
from holdfast.core.places import Principal, Role, Visibility
from holdfast.features.access import browser_sessions as browsers
from holdfast.features.access import keys, members
from holdfast.features.access.access import Grant, Need, Permission, authorise
from holdfast.features.access.permission import check_in_person, check_may_lift, check_shares
from holdfast.features.access.places import Selection, listed_view
from holdfast.features.admission.draft import Draft
from holdfast.features.service import Service
from holdfast.stores.base.ports import Store
from tests.fakes import ManualClock
from tests.support import gate_of, service_on

Calls = dict[str, Callable[[], object]]
WORDS = Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines()
"""What is said of each call below: its name, the code, the message, and the hint in parentheses."""
KEY = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"


def check(about: str, calls: Calls) -> None:
    """Makes calls that are refused; compares what is said of them with `WORDS`."""
    said = []
    for name, call in calls.items():
        try:
            call()
        except HoldfastError as error:
            said.append(f"{about}, {name}: {error.code}: {error.in_full}")
        else:
            said.append(f"{about}, {name}: done")
    assert said == [line for line in WORDS if line.startswith(f"{about}, ")]


def test_what_is_wrong_with_a_draft() -> None:
    def admit(agent: str | None = None, **options: Any) -> Callable[[], object]:
        admission = replace(gate_of("ana"), principal=Principal("ana", agent=agent))
        return lambda: admission.admit(Draft(**{"text": "The boat is red", **options}), id="m", now=1_000)

    deep: Any = "x"
    for _ in range(21):
        deep = [deep]
    check("a draft", {
        "text": admit(text=7),
        "long": admit(text="x" * 16_385),
        "long of an agent": admit(text="x" * 2_049, agent="coder"),
        "empty": admit(text=" \u200b "),
        "private": admit(text="<private>the boat</private>"),
        "low value": admit(text="All tests passed!", agent="coder"),
        "title": admit(title=7),
        "long title": admit(title="x" * 10_000),
        "tags": admit(tags="red"),
        "long tag": admit(tags=["x" * 1_000]),
        "metadata": admit(metadata=[1]),
        "evidence": admit(evidence=[1]),
        "deep": admit(metadata={"a": deep}),
        "large": admit(evidence={"a": "x" * 40_000}),
        "a bit too large": admit(metadata={"a": "x" * 16_400}),
        "not JSON": admit(metadata={"a": {1}}),
        "key": admit(metadata={7: "x"}),
        "position": admit(position=-1),
        "project": admit(project=7),
        "external id": admit(external_id=7),
        "star": admit(project="*"),
        "scope": admit(scope=7),
        "scope without an id": admit(scope=("paper", None)),
        "scope type": admit(scope=(7, "x")),
        "scope id": admit(scope=("paper", 7)),
        "scope by name": admit(scope="paper:"),
        "secret in a name": admit(project=KEY),
        "secret in a scope": admit(scope=("key", KEY)),
        "visibility": admit(visibility="all"),
        "confidence": admit(confidence=1.5),
        "origin": admit(origin="user", agent="coder"),
        "status": admit(status="rejected"),
        "validity": admit(valid_from="2026-02-02", valid_until="2026-02-02"),
        "valid_from": admit(valid_from="soon"),
        "valid_until": admit(valid_until="soon"),
        "at": admit(at="soon"),
        "expiry": admit(expires_at=1_000),
        "expires_at": admit(expires_at="soon"),
        "statement": admit(kind="statement"),
    })  # fmt: skip


@pytest.mark.on_a_file
def test_what_is_wrong_with_a_place_or_a_selection(store: Store) -> None:
    service = service_on(store, seed=7)
    memory = Memory.over(service)
    for project in ("shop", "old", "off"):
        memory.projects.create(project)
    memory.projects.archive("old")
    memory.projects.switch("off", on=False)
    memory.sessions.create("s", project="shop")
    memory.sessions.create("alone")
    memory.sessions.create("past")
    memory.sessions.update("past", archived=True)
    memory.remember("The boat is red", external_id="boat")

    def keep(**options: Any) -> Callable[[], object]:
        return lambda: memory.remember("The till is blue", **options)

    def select(**options: Any) -> Callable[[], object]:
        def call() -> None:
            with store.read() as snap:
                listed_view(snap, service.principal, Selection(**options))

        return call

    check("a place", {
        "other project": keep(session="s", project="old"),
        "no project": keep(session="alone", project="shop"),
        "archived session": keep(session="past"),
        "archived project": keep(project="old"),
        "switched off": keep(project="off"),
        "visibility without a project": keep(visibility="project"),
        "taken": keep(external_id="boat", if_absent=True),
        "secret": keep(session=KEY),
        "secret in a project": keep(project=KEY, session="s2"),
    })  # fmt: skip
    check("a selection", {
        "excluded": select(exclude_sessions=["x"] * 1_001),
        "excluded name": select(exclude_sessions=["*"]),
        "excluded kind": select(exclude_sessions=7),
        "session": select(session="*"),
        "project": select(project=""),
        "workspace": select(workspace=""),
        "unknown session": select(session="none"),
        "session elsewhere": select(session="s", project="old"),
        "strict": select(strict_workspace="yes"),
        "order": select(since="2026-02-03", until="2026-02-02T12:00"),
        "day": select(since="2026-02-03", until="2026-02-02"),
        "since": select(since="soon"),
        "until": select(until="soon"),
        "as_of": select(as_of="soon"),
        "scopes": select(scopes=7),
        "many scopes": select(scopes=[f"paper:{n}" for n in range(101)]),
        "branch": select(branch=""),
        "kinds": select(kinds=7),
        "tags": select(tags=7),
        "many tags": select(tags=[str(n) for n in range(100)]),
        "visibility": select(visibility="all"),
        "origins": select(origins=7),
        "sources": select(sources=7),
        "owner": select(owner=""),
        "pinned": select(pinned="yes"),
        "personal": select(personal="yes"),
        "include": select(include=7),
        "status": select(status=7),
        "both": select(include="deleted", status="approved"),
        "no status": select(status=[]),
        "path": select(path=7),
        "empty path": select(path="!/"),
        "no path": select(path=[]),
        "many languages": select(language=["python"] * 101),
        "language": select(language=7),
        "code_only": select(code_only="yes"),
    })  # fmt: skip


@pytest.mark.on_a_file
def test_what_somebody_may_not_do(store: Store, clock: ManualClock) -> None:
    service = service_on(store, clock=clock, seed=7)

    def by(user: str, role: Role = Role.OWNER, agent: str | None = None, **more: Any) -> Service:
        return replace(service, principal=Principal(user, role, agent), **more)

    ana, ben, coder = (
        Memory.over(one) for one in (service, by("ben", Role.MEMBER), by("ana", agent="coder"))
    )
    kept, pinned, rejected, rule = (
        answer.memory.id
        for answer in (
            ana.remember("The till is blue", visibility="team"),
            ana.remember("The boat is red", visibility="team"),
            coder.remember("The sail is white", confidence=0.1),
            ana.never("the colour of the car"),
        )
        if answer.memory is not None
    )
    ana.pin(pinned)
    check("an act", {
        "in person": lambda: check_in_person(Principal("ana", agent="coder"), "does this"),
        "to bring back": lambda: check_may_lift(Principal("ana", agent="coder")),
        "to share": lambda: check_shares(by("ana", sharing="off"), Visibility.TEAM),
        "on another's": lambda: ben.forget(kept),
        "on what is pinned": lambda: coder.forget(pinned),
        "on a rule": lambda: coder.forget(rule),
        "to approve": lambda: coder.review.approve(rejected),
        "on what is rejected": lambda: (ana.review.reject(rejected), coder.forget(rejected)),
        "to read consents": lambda: ben.consents.list(user="ana"),
        "to consent": lambda: coder.consents.give("research"),
        "to consent to nothing": lambda: ana.consents.give(""),
        "to consent for nobody": lambda: ana.consents.give("research", user=""),
        "on many rights": lambda: ana.review.rights([str(number) for number in range(1_001)]),
        "on no rights": lambda: ana.review.rights(7),  # type: ignore[arg-type]
    })  # fmt: skip

    def may(need: Need, role: Role = Role.OWNER, **limits: Any) -> Callable[[], object]:
        return lambda: authorise(Grant(Principal("ana", role), **limits), Permission("this", need), 1)

    check("a credential", {
        "of a role": may(Need.AUDIT, Role.MEMBER),
        "of one of many": may(Need.MANAGE, is_apart=True),
        "that reads": may(Need.WRITE, write=False),
        "of projects": may(Need.JOBS, projects=frozenset({"shop"})),
        "that has expired": may(Need.READ, expires_at=1),
    })  # fmt: skip


@pytest.mark.on_a_file
def test_what_is_wrong_with_keys_and_members(store: Store, clock: ManualClock) -> None:
    service = service_on(store, clock=clock, seed=7)
    ana, ring, now = service.principal, service.keys, clock.now
    limited = keys.service_for(service, Grant(ana, projects=frozenset({"shop"})))
    key, text = keys.create_key(service, user="ana", expires_at=now + 1)
    by_key = replace(service, by_credential=True, principal=Principal("ana", Role.ADMIN))
    as_member = replace(by_key, principal=Principal("ana", Role.MEMBER))
    machine = replace(service, principal=Principal("ana", agent="coder"))
    session, _ = browsers.open_with_grant(service, Grant(ana), None)
    code = browsers.one_time_code(service)
    browsers.open_with_code(service, code, None)

    def create(**options: Any) -> Callable[[], object]:
        return lambda: keys.create(service, options.pop("user", None), **{"role": None, **options})

    check("a key", {
        "of another": lambda: keys.create(by_key, "ben", role=None),
        "of more": lambda: keys.create(as_member, None, role="admin"),
        "of nobody": create(user=""),
        "of no role": create(role="root"),
        "without a name": create(name=""),
        "of an agent": create(agent=""),
        "that writes": create(write="no"),
        "too late": create(expires_at=now),
        "some time": create(expires_at="soon"),
        "of no projects": create(projects=[]),
        "of one project": create(projects=7),
        "of a project": create(projects=[""]),
        "by a machine": lambda: keys.create(machine, None, role=None),
        "that is none": lambda: keys.revoke(service, "none"),
        "ended by nobody": lambda: keys.revoke_key(service, "none"),
        "ended by a machine": lambda: keys.revoke(machine, key.id),
        "that is wrong": lambda: keys.grant_of(ring, "holdfast_x", now),
        "that has expired": lambda: keys.grant_of(ring, text, now + 1),
        "beyond its projects": lambda: Memory.over(limited).remember("The barn is red", project="barn"),
    })  # fmt: skip
    check("a session", {
        "by a used code": lambda: browsers.open_with_code(service, code, None),
        "by no code": lambda: browsers.open_with_code(service, "ä", None),
        "that is none": lambda: browsers.end_session(service, session, "none"),
        "without a credential": lambda: browsers.session_grant(service, text, None),
    })  # fmt: skip

    def add(name: str, role: str, by: Service = service) -> Callable[[], object]:
        return lambda: members.add_member(by, name, role)

    admin = replace(service, principal=Principal("ada", Role.ADMIN))
    ben = replace(service, principal=Principal("ben", Role.MEMBER))
    check("a team", {
        "without an owner": add("ada", "admin"), "of nobody": add("", "owner"), "of no role": add("a", ""),
    })  # fmt: skip
    for user, role in (("ana", "owner"), ("ada", "admin"), ("ben", "member")):
        members.add_member(service, user, role)
    check("a member", {
        "who is one": add("ben", "admin"),
        "by an agent": add("eve", "member", machine),
        "by a member": add("eve", "member", ben),
        "above": add("eve", "owner", admin),
        "who is none": lambda: members.set_role(service, "eve", "admin"),
        "of no name": lambda: members.set_role(service, "", "admin"),
        "of no role": lambda: members.set_role(service, "ben", "root"),
        "set by an agent": lambda: members.set_role(machine, "ben", "admin"),
        "set by a member": lambda: members.set_role(ben, "ben", "admin"),
        "made an owner": lambda: members.set_role(admin, "ada", "owner"),
        "the last owner": lambda: members.set_role(service, "ana", "member"),
        "removed by a member": lambda: members.remove_member(ben, "ada"),
        "removed, of none": lambda: members.remove_member(service, "eve"),
        "removed, the last owner": lambda: members.remove_member(service, "ana"),
        "removed above": lambda: members.remove_member(admin, "ana"),
        "a credential of nobody": lambda: members.bound_grant(service, Grant(Principal("eve"))),
    })  # fmt: skip
