"""The store contract, members: the engine asks for the right to change them where no face has (S4.53)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holdfast import AccessDenied, Conflict, HoldfastError, NotFound
from holdfast.core.places import Principal, Role
from holdfast.features.access.members import add_members, list_members, remove_member, set_role
from holdfast.features.audit.audit import list_events
from holdfast.stores.base.ports import Store
from tests.support import service_on


def test_s4_53_a_member_changes_no_members_and_an_admin_does(store: Store) -> None:
    own = service_on(store)
    add_members(own, [("ana", "owner"), ("ada", "admin"), ("ben", "member")])
    before = list_members(own)
    ben = replace(own, principal=Principal("ben", Role.MEMBER))
    for change in (
        lambda: add_members(ben, [("eve", "member")]),
        lambda: set_role(ben, "ben", "admin"),
        lambda: remove_member(ben, "ada"),
    ):
        with pytest.raises(AccessDenied) as raised:
            change()
        assert raised.value.code == "not_permitted"
    assert list_members(own) == before
    ada = replace(own, principal=Principal("ada", Role.ADMIN))
    add_members(ada, [("eve", "member")])
    set_role(ada, "eve", "admin")
    remove_member(ada, "ben")
    assert [(member.user, member.role) for member in list_members(own)] == [
        ("ada", Role.ADMIN), ("ana", Role.OWNER), ("eve", Role.ADMIN),
    ]  # fmt: skip


def test_s4_53_who_may_not_change_members_does_not_learn_who_is_one(store: Store) -> None:
    """The right is asked for before anybody is looked up: for a member and for a machine."""
    own = service_on(store)
    add_members(own, [("ana", "owner"), ("ben", "member")])
    askers = {
        Principal("ben", Role.MEMBER): "not_permitted",
        Principal("ana", Role.OWNER, agent="coder"): "person_needed",
    }
    for principal, code in askers.items():
        asker = replace(own, principal=principal)
        for name in ("ana", "ben", "nobody"):
            with pytest.raises(HoldfastError) as raised:
                set_role(asker, name, "member")
            assert raised.value.code == code
            with pytest.raises(HoldfastError) as raised:
                remove_member(asker, name)
            assert raised.value.code == code
    with pytest.raises(NotFound):
        remove_member(own, "nobody")


def test_s4_53_members_come_in_all_or_none(store: Store) -> None:
    """A refusal of the last leaves no trace of those before, as members or in the chain."""
    own = service_on(store)
    with pytest.raises(Conflict) as raised:
        add_members(own, [("ana", "owner"), ("ben", "member"), ("ben", "admin")])
    assert raised.value.code == "already_member"
    assert list_members(own) == []
    assert list(list_events(own)) == []
    with pytest.raises(Conflict) as raised:
        add_members(own, [("ben", "member"), ("ana", "owner")])
    assert raised.value.code == "owner_needed"
    added = add_members(own, [("ana", "owner"), ("ben", "member"), ("eve", "owner")])
    assert added == list_members(own)
    assert add_members(own, [("ben", "member")]) == added[1:2]
