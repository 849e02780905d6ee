"""Backups in Settings, in a real browser: made, tried, restored by the command shown, and what went wrong."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from benchmarks.web import served
from holdfast import Memory
from holdfast.cli.main import cli
from tests.web.pages import expect, new_page, settled, signed_in

pytestmark = [pytest.mark.process, pytest.mark.filterwarnings("ignore")]
LAMP = "The lamp room is locked at night"


@contextmanager
def settings_page(chromium: Any, store: Path) -> Iterator[Any]:
    """The settings of a new store, as its owner sees them."""
    with Memory(store, user="ana") as memory, served(store) as url:
        memory.remember(LAMP)
        with signed_in(chromium, memory, url, "/settings") as page:
            yield page


def test_s4_56_a_backup_is_made_tried_and_restored(chromium: Any, tmp_path: Path) -> None:
    store = tmp_path / "new.db"
    with settings_page(chromium, store) as page:
        page.get_by_text("There is no backup yet.").wait_for()
        expect(page.get_by_role("button", name="Try the newest")).to_have_count(0)
        page.get_by_role("button", name="Make one now").click()
        backup = page.get_by_role("list", name="Backups").get_by_role("listitem")
        backup.get_by_text("Sound", exact=True).wait_for()
        page.get_by_role("button", name="Try the newest").click()
        backup.get_by_text("Sound, tried").wait_for()
        backup.get_by_text("1 memory", exact=True).click()
        command = backup.locator(".copy-line code").inner_text()
        backup.get_by_text("1 memory of the service").wait_for()
    program, *args = shlex.split(command)
    assert program == "holdfast"
    with Memory(store, user="ana") as memory:
        memory.remember("The boat is blue")
    assert CliRunner().invoke(cli, [*args, "--yes"]).exit_code == 0
    with Memory(store, user="ana") as memory:
        assert [record.text for record in memory.list().memories] == [LAMP]


def test_a_backup_that_fails_says_what_to_do(
    chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "taken").write_text("not a folder")
    monkeypatch.setenv("HOLDFAST_BACKUP_FOLDER", str(tmp_path / "taken"))
    with settings_page(chromium, tmp_path / "new.db") as page:
        page.get_by_role("button", name="Make one now").click()
        work = page.get_by_role("list", name="Work on backups")
        work.get_by_text("whether the folder is one and may be written").wait_for()
        page.get_by_role("button", name="Make one now").wait_for()  # it may be asked for again


def test_who_may_not_look_after_backups_is_not_offered_them(chromium: Any, tmp_path: Path) -> None:
    store = tmp_path / "new.db"
    with Memory(store, user="ana") as memory:
        keys = [
            memory.keys.create("ben", role="member").text,
            memory.keys.create("ana", role="owner", agent="coder").text,
        ]
    with served(store, "--require-credential") as url:
        for key in keys:
            with new_page(chromium) as page:
                page.goto(url)
                page.get_by_label("API key").fill(key)
                page.get_by_role("button", name="Sign in", exact=True).click()
                page.get_by_role("searchbox").first.wait_for()
                page.goto(f"{url}/settings")
                page.get_by_role("heading", name="Signed-in browsers").wait_for()
                settled(page)
                expect(page.get_by_role("heading", name="Backups")).to_have_count(0)
