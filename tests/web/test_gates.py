"""What each page of the web interface keeps to.

It runs no text, loads nothing from elsewhere, shows nothing of others, is reached without a pointer, has no
serious fault of accessibility, loads little, and follows changes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from holdfast import Memory
from tests.web.conftest import FOREIGN, link_of
from tests.web.pages import Traffic, came_true, linger, new_page, settled

pytestmark = [pytest.mark.process, pytest.mark.filterwarnings("ignore")]
AXE = Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = (
    "/", "/?q=note", "/conversations", "/about", "/timeline", "/map", "/modules?project=shop", "/inbox",
    "/timeline?by=held", "/context", "/context?role=chat&task=note", "/projects", "/sources", "/members",
    "/statistics", "/audit", "/settings",
)  # fmt: skip
FOCUSABLE = """() => [...document.querySelectorAll("a[href], button, input, select, textarea")]
    .filter((one) => !one.disabled && one.tabIndex >= 0 && one.checkVisibility()
        && !one.closest("[inert], [aria-hidden=true]") && one.getClientRects().length)
    .map((one, n) => { one.dataset.gate = n; return n; })"""
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
COLOURS = ("color-contrast", "link-in-text-block")
"""The rules among them that look at colours, which are all that the light scheme has otherwise."""
FAULTS = """async (tags) => (await axe.run({runOnly: tags})).violations
    .map((one) => [one.impact, one.id, one.nodes[0].html])"""
FOCUSED = "() => document.activeElement?.dataset?.gate ?? null"


class Watched:
    """One page of a browser of its own, with what it did that it must not do."""

    def __init__(self, page: Any, home: str) -> None:
        self.page, self.home = page, home
        self.dialogs: list[str] = []
        self.outside: list[str] = []
        self.refused: list[str] = []
        self._traffic = Traffic(page)
        page.on("dialog", self._dialog)
        page.on("request", self._request)
        page.on("console", self._console)

    def _dialog(self, dialog: Any) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def _request(self, request: Any) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.netloc != self.home:
            self.outside.append(request.url)

    def _console(self, message: Any) -> None:
        if "Content Security Policy" in message.text or "TrustedHTML" in message.text:
            self.refused.append(message.text)

    def open(self, path: str) -> None:
        self._traffic.begin()
        self.page.goto(f"http://{self.home}{path}")
        settled(self.page)
        linger(self.page)

    def faults(self) -> dict[str, list[str]]:
        """Returns what the page did since it was opened, what it got of others included."""
        foreign = [url for url, text in self._traffic.bodies() if FOREIGN in text]
        found = {name: getattr(self, name) for name in ("dialogs", "outside", "refused")}
        found["foreign"] = foreign
        return {name: faults for name, faults in found.items() if faults}


@contextmanager
def watched(chromium: Any, link: str) -> Iterator[Watched]:
    """A browser of its own, signed in by a link."""
    with new_page(chromium, viewport={"width": 1280, "height": 900}) as page:
        browser = Watched(page, urlsplit(link).netloc)
        page.goto(link)
        page.get_by_role("searchbox").first.wait_for()
        yield browser


@pytest.fixture(scope="module")
def ana(chromium: Any, filled: tuple[str, Path]) -> Iterator[Watched]:
    """Ana's browser, signed in."""
    with watched(chromium, link_of(*filled)) as browser:
        yield browser


def test_the_code_leaves_the_address_and_no_script_reads_the_session(ana: Watched) -> None:
    assert "open=" not in ana.page.url
    assert ana.page.evaluate("() => document.cookie") == ""
    stored = ana.page.evaluate("() => JSON.stringify([{...localStorage}, {...sessionStorage}])")
    assert "holdfast_" not in stored


def test_little_is_loaded_before_the_first_page_shows(chromium: Any, link: str) -> None:
    """Counted as it comes over the wire."""
    sizes = "() => performance.getEntriesByType('resource').map((one) => [one.name, one.encodedBodySize])"
    with watched(chromium, link) as first:
        loaded = sum(size for name, size in first.page.evaluate(sizes) if "/v1/" not in name)
    assert 0 < loaded <= 200_000


@pytest.mark.parametrize("path", PAGES)
def test_a_page_keeps_to_the_rules(ana: Watched, path: str) -> None:
    ana.open(path)
    assert ana.faults() == {}
    assert ana.page.evaluate("() => document.querySelectorAll('iframe, base, img[src^=http]').length") == 0
    wanted = set(map(str, ana.page.evaluate(FOCUSABLE)))
    ana.page.evaluate("() => { document.activeElement?.blur(); window.scrollTo(0, 0); }")
    reached: set[str] = set()
    for _ in range(2 * len(wanted) + 20):
        ana.page.keyboard.press("Tab")
        found = ana.page.evaluate(FOCUSED)
        reached |= {found} if found is not None else set()
        if wanted <= reached:
            break
    labels = [
        ana.page.locator(f"[data-gate='{one}']").first.evaluate("e => e.outerHTML.slice(0, 120)")
        for one in sorted(wanted - reached)
    ]
    assert labels == [], "not reached by Tab"
    if AXE.is_file():
        ana.page.evaluate(AXE.read_text("utf-8"))
        for scheme, rules in (("dark", TAGS), ("light", COLOURS)):
            ana.page.emulate_media(color_scheme=scheme)
            found = ana.page.evaluate(FAULTS, rules)
            assert found == [], json.dumps(found, indent=1)
    assert ana.faults() == {}


def test_two_browsers_see_what_another_process_changes(
    ana: Watched, chromium: Any, filled: tuple[str, Path], link: str
) -> None:
    ana.open("/")
    with watched(chromium, link) as other:
        with Memory(filled[1], user="ana") as memory:
            memory.remember("A fresh lighthouse on the cape", project="shop")
        for browser in (ana, other):
            browser.page.get_by_text("A fresh lighthouse on the cape").first.wait_for()


def test_what_changes_between_the_first_page_and_its_stream_is_shown(
    ana: Watched, filled: tuple[str, Path]
) -> None:
    ana.page.goto("about:blank")  # the tab that has a stream has it for the others
    tab, held = ana.page.context.new_page(), list[Any]()
    tab.route("**/v1/stream*", lambda route: held.append(route))
    with tab.expect_request("**/v1/stream*"):
        tab.goto(f"http://{ana.home}/")
    tab.get_by_role("article").first.wait_for()
    with Memory(filled[1], user="ana") as memory:
        memory.remember("A lighthouse before the stream", project="shop")
    held[0].continue_()
    tab.get_by_text("A lighthouse before the stream").first.wait_for()
    tab.close()


def test_what_changes_while_a_list_is_loaded_first_is_shown(ana: Watched, filled: tuple[str, Path]) -> None:
    tab, held = ana.page.context.new_page(), list[Any]()
    tab.route("**/v1/memories?*", lambda route: held.append((route, route.fetch())), times=1)
    with tab.expect_response("**/v1/stats/facets*"):
        tab.goto(f"http://{ana.home}/")
    assert came_true(tab, lambda: held)
    with tab.expect_request("**/v1/stats/facets*"), Memory(filled[1], user="ana") as memory:
        memory.remember("A lighthouse during the first list", project="shop")
    route, response = held[0]
    route.fulfill(response=response)
    tab.get_by_text("A lighthouse during the first list").first.wait_for()
    tab.close()


def test_tabs_of_a_browser_share_one_stream_and_pass_it_on(ana: Watched, filled: tuple[str, Path]) -> None:
    """A browser opens six connections to a service: with a stream for each tab the seventh would wait."""
    ana.open("/")
    tab, streams = ana.page.context.new_page(), list[str]()
    tab.on("request", lambda request: streams.append(request.url) if "/v1/stream" in request.url else None)
    tab.goto(f"http://{ana.home}/")
    tab.get_by_role("article").first.wait_for()
    with Memory(filled[1], user="ana") as memory:
        memory.remember("A second lighthouse", project="shop")
        tab.get_by_text("A second lighthouse").first.wait_for()
        assert streams == []
        with tab.expect_request("**/v1/stream"):
            ana.page.goto("about:blank")
        memory.remember("A third lighthouse", project="shop")
        tab.get_by_text("A third lighthouse").first.wait_for()
    tab.close()
