"""Deleting everything of a user, with proof."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holdfast import HoldfastError
from holdfast.api.memory import Memory
from holdfast.core.certificates import Certificate, Checked
from holdfast.core.errors import InvalidInput
from holdfast.core.places import Role
from holdfast.core.views import GONE, personal_view
from holdfast.features.access.keys import create_key
from holdfast.stores.base.ports import Store
from tests.support import memory_on


def test_what_was_forgotten_before_may_be_sent_again_after_everything_was_deleted(store: Store) -> None:
    """There is nothing left to restore; it is a fresh start."""
    memory = memory_on(store)
    messages: list[dict[str, Any]] = [{"role": "user", "content": "My safe is blue", "id": "m1"}]
    (message,) = memory.add_messages(messages, session="s")
    assert message.memory is not None
    memory.forget(message.memory.id)
    assert memory.add_messages(messages, session="s")[0].outcome == "forgotten"
    memory.delete_all("ana")
    again = memory.add_messages(messages, session="s")[0]
    assert again.outcome == "created"
    assert again.memory is not None
    memory.forget(again.memory.id, hard=True)
    memory.delete_all("ana")
    assert memory.add_messages(messages, session="s")[0].outcome == "created"


def test_everything_of_a_user_is_erased_with_proof_and_nothing_of_others(
    store: Store, tmp_path: Path
) -> None:
    ana, ben = memory_on(store), memory_on(store, user="ben")
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "a.md").write_text("The safe is behind the painting")
    for memory in (ana, ben):
        memory.remember("The till is stuck", project="shop", visibility="team")
        memory.add_messages([{"role": "user", "content": "My safe is blue"}], session="s")
        memory.sources.add("chatgpt", "0" * 64)
        stored = memory.remember("The boat is red").memory
        assert stored is not None
        memory.forget(stored.id)
    ana.folders.index(ana.folders.add(tmp_path / "code", project="shop").id)
    counted = ana.delete_all(dry_run=True)
    assert (counted.memories, counted.sessions, counted.imports, counted.folders) == (4, 1, 1, 1)
    assert counted.proof is None
    for wrong in ("", "ben"):
        with pytest.raises(HoldfastError) as error:
            ana.delete_all(wrong)
        assert error.value.code == "argument_invalid"
    assert ana.count(project="*") == 4  # one is ben's
    deleted = ana.delete_all("ana")
    assert deleted.proof is not None
    assert deleted.proof.holds
    assert (deleted.memories, list(ana.sessions.list()), ana.sources.list(), ana.folders.list()) == (
        4,
        [],
        [],
        [],
    )
    certificate = deleted.certificate
    assert certificate is not None
    written = json.loads(json.dumps(certificate.as_dict()))
    event = next(one for one in ana.audit.list(limit=None) if one.action == "delete_all")
    assert (certificate.head, len(certificate.digests)) == (event.hash, 4)
    assert ana.audit.check(written) == Checked(signed=True, in_chain=True, back=0)
    assert ana.audit.check(written).holds
    assert not ana.audit.check({**written, "memories": 5}).signed
    assert ana.audit.check({**written, "head": "0" * 64}) == Checked(False, False, 0)
    first = {name: value for name, value in written.items() if name not in ("owners", "project")}
    assert ana.audit.check(first).holds  # the form before there were others than of a user
    wrong_ones: list[Any] = [{}, {**written, "more": 1}, {**written, "digests": 3}, []]
    for none in wrong_ones:
        with pytest.raises(HoldfastError):
            ana.audit.check(none)
    with store.read() as snap:
        rest = snap.page(personal_view(ana._service.principal, GONE), limit=9, cursor=None, now=0).memories
    assert {one.place.owner for one in rest} == {"ben"}
    assert ben.count(project="*") == 2
    assert ana.doctor().problems == ()


def test_projects_of_a_user_are_erased_and_their_settings_in_those_of_others(store: Store) -> None:
    ana, ben = memory_on(store), memory_on(store, user="ben")
    for name in ("divorce", "shop", "empty"):
        ana.projects.create(name, notes="from Tom", description="secret", system_prompt="Be kind")
    ana.add_messages([{"role": "user", "content": "My safe is blue"}], session="s", project="divorce")
    ben.remember("The till is stuck", project="shop")
    ben.projects.create("boat", notes="red")
    deleted = ana.delete_all("ana")
    assert deleted.proof is not None
    assert deleted.proof.holds
    assert list(ana.jobs.list()) == []
    kept = {
        project.name: (project.owner, project.notes, project.description, project.system_prompt)
        for project in ben.projects.list()
    }
    assert kept == {"boat": ("ben", "red", None, None), "shop": (None, None, None, None)}
    assert ben.count(project="shop") == 1
    assert ana.projects.create("divorce").notes is None
    assert ana.doctor().problems == ()


def test_a_project_that_others_mapped_stays_and_keys_limited_to_an_erased_one_end(store: Store) -> None:
    ana, ben = memory_on(store), memory_on(store, user="ben")
    for name in ("shop", "yard", "boat"):
        ana.projects.create(name, notes="from Tom")
    ana.maps.update("till", project="yard", description="Ana's")
    ben.maps.update("till", project="shop", description="Ben's")
    key, _ = create_key(ana._service, user="ben", projects=["boat"])
    assert ana.delete_all("ana").proof
    assert [(project.name, project.owner, project.notes) for project in ben.projects.list()] == [
        ("shop", None, None)
    ]
    assert ben.maps.get("shop").modules
    assert next(one for one in ana._service.keys.all() if one.id == key.id).revoked_at


def test_what_has_a_redacted_version_can_be_erased(store: Store) -> None:
    """The row that takes the place of a redacted version has its number."""
    memory = memory_on(store)
    for erase in (lambda id: memory.forget(id, hard=True), lambda _: memory.delete_all("ana")):
        stored = memory.remember("The till is in the cellar").memory
        assert stored is not None
        memory.revise(stored.id, text="The till is in the attic")
        memory.redact(stored.id, 1)
        erase(stored.id)
        assert memory.count(project="*") == 0
    assert memory.doctor().problems == ()


def checked(memory: Memory, certificate: Certificate | None) -> Checked:
    """What the store says about a certificate that was written and read again."""
    assert certificate is not None
    return memory.audit.check(json.loads(json.dumps(certificate.as_dict())))


def test_a_purged_project_has_a_certificate_for_all_who_kept_something_in_it(store: Store) -> None:
    ana, ben = memory_on(store), memory_on(store, user="ben")
    for memory in (ana, ben):
        memory.remember("The till is stuck", project="shop")
        memory.remember("The boat is red")
    ana.add_messages([{"role": "user", "content": "My safe is blue"}], session="s", project="shop")
    certificate = ana.projects.purge("shop").certificate
    assert certificate is not None
    assert (certificate.user, certificate.owners, certificate.project) == ("ana", ("ana", "ben"), "shop")
    assert (certificate.memories, certificate.sessions) == (3, 1)
    assert "till" not in repr(certificate)
    assert checked(ana, certificate) == Checked(signed=True, in_chain=True, back=0)
    for changed in ({"owners": ("ana",)}, {"project": "barn"}):
        assert not checked(ana, replace(certificate, **changed)).signed


def test_what_was_cleared_or_reverted_for_good_has_a_certificate(store: Store) -> None:
    ana = memory_on(store)
    stored = ana.remember("The till is stuck", scope=("paper", "1")).memory
    assert stored is not None
    assert ana.review.clear(("paper", "1")).certificate is None  # it is only forgotten
    ana.restore(stored.id)
    cleared = ana.review.clear(("paper", "1"), hard=True)
    assert checked(ana, cleared.certificate).holds
    assert cleared.certificate is not None
    assert (cleared.certificate.user, cleared.certificate.memories, cleared.certificate.owners) == (
        "ana", 1, (),
    )  # fmt: skip
    source = ana.sources.add("chatgpt", "0" * 64)
    ana.add_messages([{"role": "user", "content": "My safe is blue"}], session="s", source=source.id)
    reverted = ana.review.revert(source.id, hard=True)
    assert (reverted.memories, checked(ana, reverted.certificate).holds) == (1, True)


def test_every_erasure_and_every_removed_member_has_a_certificate_afterwards(store: Store) -> None:
    """By the number of its event: of one memory with its digest, elsewhere with the counts of the event."""
    ana = memory_on(store)
    stored = ana.remember("The till is stuck").memory
    assert stored is not None
    ana.forget(stored.id, hard=True)
    ana.add_messages([{"role": "user", "content": "My safe is blue"}], session="s")
    ana.sessions.delete("s")
    ana.members.add("ana", role="owner")
    ana.members.add("ben")
    ana.keys.create("ben")
    ben = memory_on(store, user="ben")
    ben.remember("The boat is red")  # in private: not counted
    ben.remember("The pier is shut", visibility="team")
    ana.members.remove("ben")
    numbers = {one.action: one.sequence for one in ana.audit.list(limit=None)}
    erased, session, member = (
        ana.audit.certificate(numbers[action]) for action in ("erase", "delete_session", "remove_member")
    )
    assert (erased.user, erased.memories, len(erased.digests)) == ("ana", 1, 1)
    assert (session.memories, session.sessions, session.digests) == (1, 1, ())
    assert (member.member, member.keys, member.stay, member.memories) == ("ben", 1, 1, 0)
    for certificate in (erased, session, member):
        assert checked(ana, certificate).holds
        assert "till" not in repr(certificate)
    assert not checked(ana, replace(member, stay=0)).signed
    ana.members.add("ben")
    assert checked(ana, member) == Checked(signed=True, in_chain=True, back=1)
    for number in (0, numbers["remember"], 10_000):
        with pytest.raises(InvalidInput):
            ana.audit.certificate(number)


def test_what_an_admin_erases_of_others_is_looked_for_where_it_was(store: Store) -> None:
    ben, admin = memory_on(store, user="ben"), memory_on(store, user="ana", role=Role.ADMIN)
    stored = ben.remember("The boat is red", project="shop", visibility="project").memory
    assert stored is not None
    admin.forget(stored.id, hard=True)
    (event,) = [one for one in admin.audit.list(limit=None) if one.action == "erase"]
    certificate = admin.audit.certificate(event.sequence)
    assert (certificate.user, certificate.owners) == ("ana", ("ben",))
    assert checked(admin, certificate).holds


@pytest.mark.parametrize("state", ["archived", "off"])
def test_what_is_in_a_closed_project_goes_too(store: Store, state: str) -> None:
    ana = memory_on(store)
    ana.remember("The till is stuck", project="shop")
    ana.add_messages([{"role": "user", "content": "My safe is blue"}], session="s", project="shop")
    if state == "archived":
        ana.projects.archive("shop")
    else:
        ana.projects.switch("shop", on=False)
    deleted = ana.delete_all("ana")
    assert (deleted.memories, deleted.sessions) == (2, 1)
    with store.read() as snap:
        view = personal_view(ana._service.principal, GONE, closed=True)
        assert snap.page(view, limit=9, cursor=None, now=0).memories == []


def test_no_machine_deletes_everything(store: Store) -> None:
    with pytest.raises(HoldfastError) as error:
        memory_on(store, agent="coder").delete_all("ana")
    assert error.value.code == "person_needed"


def test_a_member_does_not_delete_the_backups_of_all(store: Store) -> None:
    member = memory_on(store, user="ben", role=Role.MEMBER)
    with pytest.raises(HoldfastError) as refused:
        member.delete_all("ben", with_backups=True)
    assert refused.value.code == "not_permitted"
    assert member.delete_all("ben").backups is None, "no folder for backups is named"


def test_names_of_projects_that_were_the_users_alone_leave_the_file(tmp_path: Path) -> None:
    """Deleted projects too: where users share, names belong to all of them and stay."""
    path = tmp_path / "chat.db"
    with Memory(path, user="op") as opened:
        opened._service.share("off")
        bob = opened.as_user("bob")
        for name in ("kidney clinic", "debt advice"):
            bob.remember(f"The boat of the {name} is red", project=name)
        bob.projects.delete("debt advice")
        bob.delete_all("bob")
        assert bob.projects.list() == []
        assert bob.remember("The boat is blue", project="debt advice").outcome == "created"
        bob.delete_all("bob")
    left = [name for name in (b"kidney", b"debt") for file in tmp_path.iterdir() if name in file.read_bytes()]
    assert left == []
