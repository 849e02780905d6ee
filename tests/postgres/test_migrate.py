"""`holdfast migrate`: from a file to the team's database and back; previewed, resumed, verified (S4.51)."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holdfast import HoldfastError, Memory
from holdfast.core.errors import AccessDenied, InvalidInput, NotFound
from holdfast.core.places import Principal, Role
from holdfast.features.transfer.migrating import Migration, owners
from holdfast.stores.sqlite.store import SqliteStore
from tests.cli.support import error_of, run, run_json
from tests.contract.test_transfer import History, exported
from tests.fakes import HashEmbedder, ManualClock
from tests.postgres.conftest import Open
from tests.postgres.server import as_superuser, fresh_tenant, fresh_url
from tests.support import memory_on, service_on, texts

KEY = "AKIAIOSFODNN7EXAMPLE"


def moved(source: Memory, target: Memory, *users: str, **options: Any) -> Any:
    report = Migration(source._service, target._service, users or ("ana",), **options).run()
    assert report.differing == []
    return report


def without_marks(memory: Memory) -> tuple[list[Any], set[str]]:
    """What a store exports but for marks of what was forgotten, and these marks."""
    records = exported(memory)
    marks = {mark for record in records if record["type"] == "marks" for mark in record["by_person"]}
    return [record for record in records if record["type"] != "marks"], marks


@pytest.mark.parametrize("seed", range(4))
def test_s4_51_any_history_reaches_the_team_and_comes_back_as_it_was(
    seed: int, opened: Open, tmp_path: Path
) -> None:
    """File to PostgreSQL to file: what is exported of the first and the last is the same, byte for byte."""
    clock = ManualClock()
    first = memory_on(SqliteStore(tmp_path / "first.db"), clock=clock, seed=seed)
    history = History(first, clock, seed)
    for _ in range(60):
        history.step()
    team = memory_on(opened(), clock=clock)
    last = memory_on(SqliteStore(tmp_path / "last.db"), clock=clock)
    there = moved(first, team)
    assert there.refused == []
    assert there.verified == there.memories
    back = moved(team, last)
    assert (back.verified, back.digest) == (there.verified, there.digest)
    (before, marks), (after, marks_after) = without_marks(first), without_marks(last)
    assert before == after
    assert marks <= marks_after  # each store adds its own
    assert moved(first, team).projects.keys() == there.projects.keys()  # again: all is there
    between, marks_between = without_marks(team)
    assert between == before
    assert marks <= marks_between
    for memory in (first, team, last):
        assert memory.doctor().problems == ()


def test_s4_51_a_preview_tells_by_project_and_keeps_nothing(opened: Open) -> None:
    source, target = memory_on(opened()), memory_on(opened())
    source.remember("We chose JWT", kind="decision", project="works")
    source.remember(f"The key is {KEY}", project="works")
    source.remember("I like tea", kind="preference")
    report = Migration(source._service, target._service, ("ana",)).preview()
    assert {name: dict(project) for name, project in report.projects.items()} == {
        "works": {"created": 2}, None: {"created": 1},
    }  # fmt: skip
    assert (report.dry_run, report.verified, target.count()) == (True, 0, 0)
    assert target.projects.list() == []


def test_s4_51_every_text_is_scanned_again_and_what_is_taken_out_is_no_difference(opened: Open) -> None:
    """Kept by a version that did not know the secret, as by whoever writes into the table."""
    tenant = fresh_tenant()
    source, target = memory_on(opened(tenant)), memory_on(opened())
    source.remember("The key is kept elsewhere", project="works")
    with as_superuser("holdfast") as connection:
        connection.execute(
            "UPDATE holdfast.memories SET text = %s WHERE tenant_id = %s", [f"The key is {KEY}", tenant]
        )
    preview = Migration(source._service, target._service, ("ana",)).preview()
    assert (preview.count("redacted"), sum(preview.redactions.values())) == (1, 1)
    report = moved(source, target)
    assert (report.verified, report.count("redacted")) == (1, 1)
    assert KEY not in json.dumps(exported(target))
    assert moved(source, target).verified == 1


def test_s4_51_an_excluded_project_stays_behind_with_all_that_speaks_of_it(opened: Open) -> None:
    source, target = memory_on(opened()), memory_on(opened())
    files = [source.sources.add("chatgpt", f"{n:064x}", filename=f"{n}.json").id for n in range(2)]
    for project, file in (("works", files[0]), ("diary", files[1])):
        source.remember(f"The plan of {project}", project=project, source=file)
        source.add_messages(
            [{"role": "user", "content": project}], session=f"chat {project}", project=project
        )
        source.entities.create("Ada", "person", project=project)
        source.entities.observe("Ada", ["likes tea"], project=project)
    source.remember("I like tea", kind="preference")
    report = moved(source, target, exclude=("diary",))
    assert dict(report.left_out) == {"diary": 4}
    assert "diary" not in json.dumps(exported(target))
    assert [one.filename for one in target.sources.list()] == ["0.json"]
    assert [one.name for one in target.projects.list()] == ["works"]
    assert report.verified == target.count(project="*") == 5
    with pytest.raises(NotFound):
        moved(source, target, exclude=("no such project",))


def test_s4_51_vectors_are_made_anew_by_the_model_of_the_target(opened: Open) -> None:
    source, target = memory_on(opened()), memory_on(opened(), embedder=HashEmbedder(64, "other"))
    source.remember("The lighthouse is white")
    moved(source, target)
    hits = target.recall("the lighthouse is white", mode="vectors")
    assert texts(hits) == ["The lighthouse is white"]
    assert (target.doctor().model, target.doctor().waiting) == ("other", 0)


def test_s4_51_all_users_move_and_only_with_their_own(opened: Open) -> None:
    """Also what speaks of an entity of somebody whose turn comes later."""
    store, there = opened(), opened()
    ana, ben, zoe = (memory_on(store, user=user) for user in ("ana", "ben@example.com", "zoe"))
    zoe.entities.create("Acme", "company", visibility="team")
    ben.entities.observe("Acme", ["makes anvils"])
    ana.remember("Ana's own")
    agent = memory_on(store, user="ben@example.com", agent="coder")
    agent.remember("Ben's agent was here", kind="fact")
    assert owners(ana._service) == ["ana", "ben@example.com", "zoe"]
    target = memory_on(there, user="ana")
    alone = Migration(ana._service, target._service, ("ana",)).preview()
    assert alone.others == ("ben@example.com", "zoe")
    report = moved(ana, target, *owners(ana._service))
    assert (report.refused, report.verified, report.others) == ([], 4, ())
    for one in (ana, ben, zoe):
        user = one._service.principal.user
        assert sorted(map(str, exported(memory_on(there, user=user)))) == sorted(map(str, exported(one)))


def test_s4_51_a_user_may_have_another_name_in_the_team(opened: Open) -> None:
    source, target = memory_on(opened(), user="ana"), memory_on(opened(), user="ana.m@example.com")
    stored = source.remember("We chose JWT", project="works").memory
    assert stored is not None
    report = moved(source, target, named="ana.m@example.com")
    (there,) = target.list(project="works").memories
    assert (there.place.owner, there.text, report.verified) == ("ana.m@example.com", "We chose JWT", 1)
    assert there.id != stored.id  # nobody learns from an import which ids exist
    with pytest.raises(InvalidInput):
        moved(source, target, "ana", "ben", named="x")


def test_s4_51_what_was_changed_there_is_told(opened: Open) -> None:
    source, target = memory_on(opened()), memory_on(opened())
    stored = source.remember("The boat is red", kind="fact").memory
    assert stored is not None
    moved(source, target)
    target.revise(stored.id, text="The boat is green")
    report = Migration(source._service, target._service, ("ana",)).run()
    assert report.differing == [{"id": stored.id, "why": "it is different there"}]
    target.forget(stored.id, hard=True)
    assert Migration(source._service, target._service, ("ana",)).run().differing == []


def test_a_store_is_not_migrated_to_itself_and_no_agent_speaks_for_a_person(opened: Open) -> None:
    tenant = fresh_tenant()
    one, same = memory_on(opened(tenant)), memory_on(opened(tenant))
    with pytest.raises(InvalidInput):
        moved(one, same)
    one.remember("Here")
    agent = memory_on(opened(), agent="coder")
    with pytest.raises(HoldfastError) as raised:
        Migration(memory_on(opened(tenant), agent="coder")._service, agent._service, ("ana",)).run()
    assert raised.value.code == "not_permitted"


CHILD = """
import sys
from holdfast import config
from holdfast.bootstrap import open_service
from holdfast.features.transfer.migrating import Migration
import holdfast.features.transfer.migrating
holdfast.features.transfer.migrating.BATCH = 20
source, target = (open_service(config.load(store=at, user="ana")) for at in sys.argv[1:3])
done = 0
def advance(count):
    global done
    done += count
    print(done, flush=True)
Migration(source, target, ["ana"], advance=advance).run()
"""


def test_s4_51_killed_it_goes_on_without_loss_or_repetition(tmp_path: Path) -> None:
    path, address = tmp_path / "own.db", fresh_url()
    with Memory(path, user="ana") as memory:
        for talk in range(10):
            messages = [{"role": "user", "content": f"Talk {talk} line {n}"} for n in range(20)]
            memory.add_messages(messages, session=f"talk-{talk}", project="works")
        memory.entities.create("Ada", "person")
        memory.entities.observe("Ada", ["likes tea"])
    for wanted in (1, 60, 130):
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(path), address], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        for line in child.stdout:
            if int(line) >= wanted:
                break
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
    output = run_json("migrate", "--to", address, "--store", str(path), "--user", "ana", "--yes")
    assert (output["verified"], output["differing"], output["refused"]) == (202, [], [])
    assert sum(project.get("duplicate", 0) for project in output["projects"]) >= 100  # were there already
    with Memory(path, user="ana") as memory, Memory(address, user="ana") as team:
        assert exported(team) == exported(memory)
        assert team.doctor().problems == ()


def test_s4_51_the_command_asks_moves_and_marks_the_file(tmp_path: Path) -> None:
    """Opening the file tells where its memories are; it can be used on, and nothing in it has changed."""
    path, address = str(tmp_path / "own.db"), fresh_url()
    own = ("--store", path, "--user", "ana")
    run("remember", "We chose JWT over sessions", "--project", "works", *own)
    run("remember", "My diary", "--project", "diary", *own)
    assert error_of("migrate", "--to", address, *own, status=2)["hint"] == "run it again with --yes"
    dry = run("migrate", "--to", address, "--dry-run", *own)
    assert "Nothing was moved" in dry.stderr
    assert run_json("list", "--store", address, "--user", "ana", "--project", "*")["memories"] == []
    completed = run("migrate", "--to", address, "--exclude", "diary", "--yes", *own)
    assert "1 memory verified by hash" in completed.stdout
    assert "left behind: 1 memory of diary" in completed.stdout
    output = run_json("recall", "why JWT?", "--store", address, "--user", "ana", "--project", "works")
    assert [hit["memory"]["text"] for hit in output["hits"]] == ["We chose JWT over sessions"]
    later = run("list", "--project", "*", *own)
    assert "migrated on" in later.stderr
    assert "geheim" not in later.stderr
    assert len(later.stdout.splitlines()) == 3
    actions = [event["action"] for event in run_json("audit", "list", *own)["events"]]
    assert actions[-1] == "migrate"
    assert "verifies" in run("audit", *own).stdout


def test_s4_51_a_tenant_is_taken_home_into_a_file(tmp_path: Path) -> None:
    path, address = tmp_path / "home.db", fresh_url()
    run("remember", "We chose JWT", "--store", address, "--user", "ana")
    run("remember", "Ben was here", "--store", address, "--user", "ben")
    arguments = ("migrate", "--to", str(path), "--store", address, "--user", "ana")
    run_json(*arguments, "--dry-run")
    assert not path.exists()
    output = run_json(*arguments, "--all-users", "--yes")
    assert (output["users"], output["verified"]) == (["ana", "ben"], 2)
    with Memory(path, user="ben") as memory:
        assert texts(memory.list()) == ["Ben was here"]


def test_s4_53_members_come_along_where_an_owner_lets_them_in(opened: Open, tmp_path: Path) -> None:
    """A team to a file and back has the members it had; who was removed there meanwhile stays out, and
    whoever may not make an owner there moves nothing."""
    team, file = memory_on(opened()), memory_on(SqliteStore(tmp_path / "team.db"))
    team.remember("We chose JWT")
    for user, role in (("ana", "owner"), ("ben", "member"), ("cy", "admin")):
        team.members.add(user, role=role)
    assert moved(team, file).let_in == ()
    assert file.members.list() == []
    roles = [("ana", "owner"), ("ben", "member"), ("cy", "admin")]
    assert [(one.user, one.role) for one in moved(team, file, members=True).let_in] == roles
    file.members.remove("ben")
    back = memory_on(opened())
    assert [one.user for one in moved(file, back, members=True).let_in] == ["ana", "cy"]
    again = moved(team, file, members=True)
    assert (again.let_in, again.members) == ((), ())
    foreign = opened()
    memory_on(foreign, user="zoe").members.add("zoe", role="owner")
    with pytest.raises(HoldfastError) as raised:
        moved(team, memory_on(foreign, agent="coder"), members=True)
    assert raised.value.code == "person_needed"
    memory_on(foreign, user="zoe").members.add("ana")
    file.members.add("dora", role="owner")
    with pytest.raises(HoldfastError) as raised:
        moved(file, memory_on(foreign), members=True)
    assert raised.value.code == "not_permitted"
    assert memory_on(foreign).count(project="*") == 0


def test_s4_53_who_is_removed_while_a_migration_is_looked_at_stays_out(opened: Open, tmp_path: Path) -> None:
    """Between the preview and the run the target removes one member and gives another a role of its own."""
    team, target = memory_on(SqliteStore(tmp_path / "team.db")), memory_on(opened())
    team.remember("We chose JWT")
    for user, role in (("ana", "owner"), ("mal", "admin"), ("ben", "admin"), ("cy", "member")):
        team.members.add(user, role=role)
    target.members.add("ana", role="owner")
    migration = Migration(team._service, target._service, ["ana"], members=True)
    assert [member.user for member in migration.preview().members] == ["ben", "cy", "mal"]
    target.members.add("mal")
    target.members.remove("mal")
    target.members.add("ben")
    report = migration.run()
    assert ([one.user for one in report.let_in], report.members) == (["cy"], ())
    assert {member.user: member.role for member in target.members.list()} == {
        "ana": "owner", "ben": "member", "cy": "member",
    }  # fmt: skip


def test_s4_53_nobody_comes_in_with_the_role_of_another(opened: Open, tmp_path: Path) -> None:
    """Under the name of another member nobody is let in; without members, the name may be taken."""
    team, file = memory_on(opened()), memory_on(SqliteStore(tmp_path / "team.db"))
    team.remember("We chose JWT")
    for user, role in (("ana", "owner"), ("ben", "member")):
        team.members.add(user, role=role)
    with pytest.raises(InvalidInput, match="ben is another member"):
        moved(team, file, members=True, named="ben")
    assert file.members.list() == []
    assert owners(file._service) == []
    assert moved(team, file, members=True, named="anna").let_in[0].user == "anna"
    other = memory_on(SqliteStore(tmp_path / "other.db"))
    assert moved(team, other, named="ben").verified == 1
    assert other.members.list() == []


@pytest.mark.parametrize("role", [Role.MEMBER, Role.ADMIN])
def test_s4_53_a_migration_lets_in_whom_its_person_may_let_in_or_nobody(
    role: Role, opened: Open, tmp_path: Path
) -> None:
    """An admin lets in others, and where one of them is an owner, none; a member nobody at all."""
    source, target = memory_on(SqliteStore(tmp_path / "team.db"), user="mal"), opened()
    boss = memory_on(target, user="boss")
    for user, one in (("boss", "owner"), ("mal", role)):
        boss.members.add(user, role=one)
    source.remember("We chose JWT")
    for user, one in (("mal", "owner"), ("eve", "admin"), ("ben", "member")):
        source.members.add(user, role=one)
    acting = replace(service_on(target), principal=Principal("mal", role=role), by_credential=True)
    before = boss.members.list()

    def let_in() -> list[str]:
        report = Migration(source._service, acting, ["mal"], members=True).run()
        return [one.user for one in report.let_in]

    if role is Role.ADMIN:
        assert let_in() == ["ben", "eve"]
        before = boss.members.list()
        source.members.add("adam", role="admin")
        source.members.add("zoe", role="owner")
    with pytest.raises(AccessDenied) as raised:
        let_in()
    assert raised.value.code == "not_permitted"
    assert boss.members.list() == before
    if role is Role.MEMBER:
        assert memory_on(target, user="mal").count(project="*") == 0


def test_s4_53_the_command_lets_members_in_and_tells(tmp_path: Path) -> None:
    run("remember", "We chose JWT")
    run("members", "add", "ana", "--role", "owner")
    run("members", "add", "ben")
    to = ("migrate", "--to", str(tmp_path / "other.db"), "--yes", "--members")
    assert "would be let in: ana as owner, ben as member" in run(*to, "--dry-run").stdout
    for last in ((), ("--dry-run",)):  # told before anything is asked for
        refused = error_of(*to, *last, "--as", "ben", "--user", "ana", status=2)
        assert refused["message"].startswith("ben is another member")
    assert not (tmp_path / "other.db").exists()
    output = run(*to).stdout
    assert "2 members let in" in output
    assert "stay behind" not in output
    listed = run_json("members", "list", "--store", str(tmp_path / "other.db"))
    assert [member["user"] for member in listed["members"]] == ["ana", "ben"]
