"""What each page of the web interface keeps to.

It runs no text, loads nothing from elsewhere, shows nothing of others, is reached without a pointer, has no
serious fault of accessibility, loads little, and follows changes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from holdfast import Memory
from tests.support import PATIENCE
from tests.web.conftest import FOREIGN

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
FAULTS = """async (tags) => (await axe.run({runOnly: tags})).violations
    .map((one) => [one.impact, one.id, one.nodes[0].html])"""
FOCUSED = "() => document.activeElement?.dataset?.gate ?? null"


class Watched:
    """One page of a browser of its own, with what it did that it must not do."""

    def __init__(self, chromium: Any, link: str) -> None:
        self.dialogs: list[str] = []
        self.outside: list[str] = []
        self.refused: list[str] = []
        self.foreign: list[str] = []
        self.home = urlsplit(link).netloc
        self.context = chromium.new_context(viewport={"width": 1280, "height": 900})
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE * 1_000)
        self.page.on("dialog", self._dialog)
        self.page.on("request", self._request)
        self.page.on("response", self._response)
        self.page.on("console", self._console)
        self.page.goto(link)
        self.page.get_by_role("searchbox").first.wait_for()

    def _dialog(self, dialog: Any) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def _request(self, request: Any) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.netloc != self.home:
            self.outside.append(request.url)

    def _response(self, response: Any) -> None:
        if (
            response.request.resource_type not in ("eventsource", "document")
            and "/v1/stream" not in response.url
        ):
            try:
                text = response.text()
            except Exception:  # the page was left meanwhile
                return
            if FOREIGN in text:
                self.foreign.append(response.url)

    def _console(self, message: Any) -> None:
        if "Content Security Policy" in message.text or "TrustedHTML" in message.text:
            self.refused.append(message.text)

    def open(self, path: str) -> None:
        self.page.goto(f"http://{self.home}{path}")
        self.page.get_by_role("heading", level=1).first.wait_for()
        self.page.wait_for_timeout(300)

    def faults(self) -> dict[str, list[str]]:
        names = ("dialogs", "outside", "refused", "foreign")
        return {name: getattr(self, name) for name in names if getattr(self, name)}


@pytest.fixture(scope="module")
def ana(chromium: Any, filled: tuple[str, Path]) -> Any:
    """Ana's browser, signed in."""
    from holdfast.features.access.browser_sessions import one_time_code

    url, store = filled
    with Memory(store, user="ana") as memory:
        watched = Watched(chromium, f"{url}/#open={one_time_code(memory._service)}")
    yield watched
    watched.context.close()


def test_the_code_leaves_the_address_and_no_script_reads_the_session(ana: Watched) -> None:
    assert "open=" not in ana.page.url
    assert ana.page.evaluate("() => document.cookie") == ""
    stored = ana.page.evaluate("() => JSON.stringify([{...localStorage}, {...sessionStorage}])")
    assert "holdfast_" not in stored


def test_little_is_loaded_before_the_first_page_shows(chromium: Any, link: str) -> None:
    """Counted as it comes over the wire."""
    first = Watched(chromium, link)
    sizes = "() => performance.getEntriesByType('resource').map((one) => [one.name, one.encodedBodySize])"
    loaded = sum(size for name, size in first.page.evaluate(sizes) if "/v1/" not in name)
    assert 0 < loaded <= 200_000
    first.context.close()


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
        for scheme in ("dark", "light"):
            ana.page.emulate_media(color_scheme=scheme)
            found = ana.page.evaluate(FAULTS, TAGS)
            assert found == [], json.dumps(found, indent=1)
    assert ana.faults() == {}


def test_two_browsers_see_what_another_process_changes(
    ana: Watched, chromium: Any, filled: tuple[str, Path], link: str
) -> None:
    other = Watched(chromium, link)
    ana.open("/")
    with Memory(filled[1], user="ana") as memory:
        memory.remember("A fresh lighthouse on the cape", project="shop")
    for browser in (ana, other):
        browser.page.get_by_text("A fresh lighthouse on the cape").first.wait_for()
    other.context.close()


def test_tabs_of_a_browser_share_one_stream_and_pass_it_on(ana: Watched, filled: tuple[str, Path]) -> None:
    """A browser opens six connections to a service: with a stream for each tab the seventh would wait."""
    ana.open("/")
    tab, streams = ana.context.new_page(), list[str]()
    tab.set_default_timeout(PATIENCE * 1_000)
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
