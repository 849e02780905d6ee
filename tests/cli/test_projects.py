"""Projects on the command line: what archive, delete and purge ask, and what they do."""

from __future__ import annotations

from holdfast import Memory
from tests.cli.support import error_of, run, run_json


def filled() -> None:
    with Memory() as memory:
        memory.remember("The kettle is broken", project="shop")
        memory.add_messages([{"role": "user", "content": "the kettle?"}], session="talk", project="shop")
        memory.entities.create("Ada", project="shop")
        memory.as_user("ben").remember("The lamp is on", project="shop")


def test_s0_30_the_question_says_what_each_way_does_and_to_whom() -> None:
    filled()
    with Memory() as memory:
        me = memory.projects.contents("shop").user
    for way in ("archive", "delete", "purge"):
        message = error_of("projects", way, "shop", status=2)["message"]
        for told in (
            f"{way.capitalize()} project 'shop'",
            "archive  hides 4 memories (1 entity among them), 1 session of ",
            f"delete   forgets 3 memories (1 entity among them) of {me}",
            "what is of ben stays",
            "purge    erases 4 memories (1 entity among them), 1 session of ",
            "ben",
            "for good",
        ):
            assert told in message, (way, told, message)
    assert len(run_json("recall", "kettle", "--project", "shop")["hits"]) >= 1, "nothing was done"


def test_the_question_says_how_much_of_others_is_erased_and_that_a_file_knows_no_roles() -> None:
    filled()
    with Memory() as memory:
        memory.as_user("cleo").remember("The till is red", project="shop", visibility="project")
    for asked in (("purge", "shop"), ("archive", "shop", "--purge-after", "3")):
        message = error_of("projects", *asked, status=2)["message"]
        assert "Of 2 other people: 2 memories, 1 of them private." in message
        assert "Roles are enforced by a service only" in message
    for asked in (("delete", "shop"), ("archive", "shop")):
        assert "other people" not in error_of("projects", *asked, status=2)["message"]


def test_s1_51_archived_and_back() -> None:
    filled()
    assert run_json("projects", "archive", "shop", "--yes")["state"] == "archived"
    assert run_json("projects")["projects"] == []
    (project,) = run_json("projects", "list", "--archived")["projects"]
    assert project["name"] == "shop"
    assert error_of("remember", "more", "--project", "shop", status=4)["code"] == "project_archived"
    assert run_json("projects", "unarchive", "shop")["state"] == "active"
    assert run_json("recall", "kettle", "--project", "shop")["hits"]


def test_s4_57_the_question_names_a_planned_purge() -> None:
    filled()
    assert (
        error_of("projects", "archive", "shop", "--purge-after", "0", status=2)["code"] == "argument_invalid"
    )
    message = error_of("projects", "archive", "shop", "--purge-after", "3", status=2)["message"]
    first, last = message.splitlines()[0], message.splitlines()[-1]
    for line in (first, last):
        assert "ERASE it after 3 days" in line, message
    assert "everybody" in first
    assert "ERASE" not in error_of("projects", "archive", "shop", status=2)["message"]
    planned = run_json("projects", "archive", "shop", "--purge-after", "3", "--yes")["purge_at"]
    assert planned is not None
    again = run("projects", "archive", "shop", "--yes")
    assert "Will be purged on" in again.stdout + again.stderr
    assert run_json("projects", "archive", "shop", "--yes")["purge_at"] == planned
    assert run_json("projects", "unarchive", "shop")["purge_at"] is None


def test_s4_63_off_and_on() -> None:
    filled()
    assert run_json("projects", "off", "shop")["state"] == "off"
    assert error_of("recall", "kettle", "--project", "shop", status=4)["code"] == "project_off"
    assert run_json("recall", "kettle", "--project", "*")["hits"] == []
    assert "off" in run("projects").stdout
    assert run_json("projects", "on", "shop")["state"] == "active"
    assert run_json("recall", "kettle", "--project", "shop")["hits"]


def test_s0_40_renamed_moved_and_purged() -> None:
    filled()
    assert run_json("projects", "rename", "shop", "store")["name"] == "store"
    assert (
        "Moved 2 memories and 1 session to project yard"
        in run("projects", "move", "store", "yard", "--yes").stdout
    )
    shown = run_json("projects", "show", "yard")
    assert [
        (content["memories"], content["entities"], content["sessions"]) for content in shown["contents"]
    ] == [(3, 1, 1)]
    output = run_json("projects", "purge", "yard", "--yes")
    assert (output["memories"], output["sessions"]) == (3, 1)
    assert error_of("projects", "show", "yard", status=3)["code"] == "project_not_found"
    assert [project["name"] for project in run_json("projects")["projects"]] == ["store"]
