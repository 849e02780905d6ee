"""`holdfast member` makes a memory a team's; `holdfast review` shares and tells who asks for it."""

from __future__ import annotations

from holdfast import Memory, config
from holdfast.bootstrap import open_service
from holdfast.core.places import Principal, Role
from tests.cli.support import error_of, remembered, run, run_json
from tests.cli.terminal import Terminal


def as_member(user: str) -> Memory:
    """The face of a member over the store of the commands, as the service would open it."""
    service = open_service(config.load(user=user))
    service.principal = Principal(user, Role.MEMBER)
    return Memory.over(service)


def test_s4_53_members_are_added_listed_changed_and_removed() -> None:
    assert "There are no members" in run("members").stdout
    assert error_of("members", "add", "ben", status=4)["code"] == "owner_needed"
    assert "Added: ana (owner)" in run("members", "add", "ana", "--role", "owner").stdout
    assert "holdfast keys create --for ben --role member" in run("members", "add", "ben").stderr
    assert "A member already: ben (member)" in run("members", "add", "ben").stdout
    assert "holdfast keys create --for ben --role admin" in run("members", "role", "ben", "admin").stderr
    shown = run("members", "list").stdout
    assert all(part in shown for part in ("ana", "owner", "ben", "admin"))
    assert error_of("members", "remove", "ana", "--yes", status=4)["code"] == "owner_needed"
    assert error_of("members", "role", "cleo", "member", status=3)["code"] == "member_not_found"
    assert error_of("members", "add", "cleo", "--role", "boss", status=2)["code"] == "argument_invalid"
    revoked, kept_key = (run_json("keys", "create", "--for", "ben")["id"] for _ in range(2))
    run("keys", "revoke", revoked, "--yes")
    removed = run("members", "remove", "ben", "--yes")
    assert "Removed: ben (admin)" in removed.stdout
    assert f"work again if they are added again: {kept_key}\n" in removed.stderr
    assert [member["user"] for member in run_json("members")["members"]] == ["ana"]


def test_a_key_for_somebody_else_is_made_by_whoever_makes_it() -> None:
    """The names of an option and of a global one are kept apart: the event names who ran the command."""
    key = run_json("keys", "create", "--for", "ben", "--for-agent", "coder", "--user", "ana")
    assert (key["user"], key["agent"]) == ("ben", "coder")
    (event,) = run_json("audit", "list")["events"]
    assert (event["actor"], event["action"]) == ("user:ana", "create_key")


def test_an_agent_changes_no_members() -> None:
    run("members", "add", "ana", "--role", "owner")
    assert error_of("--agent", "coder", "members", "add", "eve", status=4)["code"] == "person_needed"


def test_s4_53_a_memory_is_shared_and_taken_back() -> None:
    id = remembered("The merger is called Bluebird")
    assert "Moved" in run("review", "move", id, "--visibility", "team").stdout
    assert run_json("show", id)["visibility"] == "team"
    run("review", "move", id, "--visibility", "private")
    refused = run_json("--agent", "coder", "review", "move", id, "--visibility", "team", status=4)
    assert refused["results"][0]["code"] == "person_needed"
    assert run_json("show", id)["visibility"] == "private"


def test_s4_53_what_a_member_asks_to_share_is_listed_and_approved() -> None:
    run("members", "add", "ana", "--role", "owner")
    with as_member("ben") as ben:
        memory = ben.remember("The merger is called Bluebird").memory
        assert memory is not None
        assert ben.review.move(memory.id, visibility="team")[0].result == "asked"
    terminal = Terminal("review")
    screen = terminal.until("[q] quit")
    assert "user:ben asks to share it with the team" in " ".join(screen.split())
    assert "[a] let the team see it" in screen
    assert "[e]" not in screen  # it is somebody else's text
    terminal.press("s")
    assert terminal.end() == 0
    page = run_json("review", "list")
    assert [(item["memory"]["id"], item["asks"]) for item in page["items"]] == [(memory.id, "team")]
    shown = " ".join(run("review", "list").stdout.split())
    assert all(part in shown for part in ("user:ben", "Bluebird"))
    assert error_of("show", memory.id, status=3)["code"] == "memory_not_found"
    run("review", "approve", memory.id)
    assert run_json("show", memory.id)["owner"] == "ben"


def test_s4_53_a_key_of_a_member_acts_as_one_and_that_is_said() -> None:
    run("members", "add", "ana", "--role", "owner")
    run("members", "add", "ben")
    errors = run("keys", "create", "--for", "ben", "--role", "owner").stderr
    assert "ben is a member of this team: this key acts as one." in errors
    assert "holdfast members role ben owner" in errors
    assert "acts as" not in run("keys", "create", "--for", "ben").stderr
    assert "acts as" not in run("keys", "create", "--for", "ana", "--role", "member").stderr


def test_d_4_a_team_of_five_takes_two_commands() -> None:
    owner = run_json("members", "add", "ana", "--role", "owner", "--with-key")
    others = run_json("members", "add", "ben", "cleo", "dan", "eve", "--with-key")["members"]
    roles = {key["id"]: (key["user"], key["role"]) for key in run_json("keys", "list")["keys"]}
    for one in (owner, *others):
        assert roles[one["key"].split("_")[1]] == (one["user"], one["role"])
    assert [other["role"] for other in others] == ["member"] * 4
    shown = run("members", "add", "fay", "--with-key")
    assert shown.stdout.splitlines()[0].startswith("Added: fay (member)")
    assert shown.stdout.splitlines()[1].startswith("holdfast_")
    assert "not shown again" in shown.stderr


def test_d_4_a_key_has_the_role_of_its_member() -> None:
    run("members", "add", "ana", "--role", "owner")
    run("members", "add", "cleo", "--role", "admin")
    made = {name: run_json("keys", "create", "--for", name)["role"] for name in ("ana", "cleo", "stranger")}
    assert made == {"ana": "owner", "cleo": "admin", "stranger": "member"}
    assert run_json("keys", "create", "--for", "ana", "--role", "member")["role"] == "member"


def test_d_4_who_sees_a_memory_is_told() -> None:
    assert "visible to: only you" in run("remember", "The tea is cold").stdout
    run("projects", "create", "shop", "--visibility", "project")
    output = run("remember", "The till is new", "--project", "shop").stdout
    assert "visible to: everybody who uses this store, in project shop" in output
    assert run_json("remember", "The cup is red")["visible_to"] == "only you"
