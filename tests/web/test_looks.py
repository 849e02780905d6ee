"""What pages say and how they are laid out, compared with stored outlines of the demo data.

An outline is the accessibility tree: what is shown, in which order and role. It does not depend on the fonts
of a machine, as pictures do; widths are checked beside it. `HOLDFAST_LOOKS=write` stores the present ones.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.web import served
from holdfast import Memory
from tests.web.pages import came_true, linger, new_page, settled, sign_in
from tools.tour.demo import OWNER, PROJECT, TODAY, fill

pytestmark = [pytest.mark.process, pytest.mark.filterwarnings("ignore")]
LOOKS = Path(__file__).parent / "looks"
PAGES = {"inbox": "/inbox", "map": f"/map?project={PROJECT}", "projects": "/projects", "members": "/members"}
PHONE = ("/", "/conversations", "/about", "/timeline", "/map", "/inbox", "/context", "/members", "/settings")
TOO_WIDE = """() => [...document.querySelectorAll("#page *")].filter((one) => one.checkVisibility()
    && one.getBoundingClientRect().right > innerWidth + 1 && !one.closest(".table-scroll, .sorts, .filters"))
    .slice(0, 3).map((one) => one.outerHTML.slice(0, 120))"""


@pytest.fixture(scope="module")
def shown(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, str]]:
    """A page over the demo data, on its day, and the address of the service."""
    folder = tmp_path_factory.mktemp("looks")
    store = folder / "tour.db"
    fill(store, folder / "shop")
    size = {"width": 1360, "height": 2_000}
    with served(store) as url, new_page(chromium, viewport=size, timezone_id="UTC") as page:
        page.clock.set_fixed_time(TODAY)
        with Memory(store, user=OWNER) as memory:
            sign_in(page, memory, url)
        yield page, url


def outline_of(page: Any) -> str:
    """Returns the outline of the page shown, without addresses."""
    return re.sub(r"/url: .*", "/url", page.locator("#page").aria_snapshot()) + "\n"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_looks_as_before(shown: tuple[Any, str], name: str) -> None:
    page, url = shown
    page.set_viewport_size({"width": 1360, "height": 2_000})
    page.goto(url + PAGES[name])
    settled(page)
    stored = LOOKS / f"{name}.yml"
    if os.environ.get("HOLDFAST_LOOKS") == "write":
        linger(page)
        LOOKS.mkdir(exist_ok=True)
        stored.write_text(outline_of(page), encoding="utf-8")
    expected = stored.read_text("utf-8")
    came_true(page, lambda: outline_of(page) == expected)
    assert outline_of(page) == expected, "if this is meant: HOLDFAST_LOOKS=write"


@pytest.mark.parametrize("path", PHONE)
def test_nothing_is_wider_than_a_phone(shown: tuple[Any, str], path: str) -> None:
    page, url = shown
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(url + path)
    settled(page)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(TOO_WIDE) == []
