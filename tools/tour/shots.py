"""Takes the screenshots of `docs/tour.md` from the demo data, in Chromium: `make tour`."""

from __future__ import annotations

import base64
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.web import chromium, served
from holdfast import Memory
from holdfast.features.access.browser_sessions import one_time_code
from tools.tour.demo import OWNER, PROJECT, ROOT, TODAY, fill

PICTURES = ROOT / "docs" / "tour"
SIZE = {"width": 1280, "height": 800}
BYTES_MAX = 64_000


@dataclass(frozen=True, slots=True)
class Picture:
    """One screenshot: the page, what is clicked there first, and the theme."""

    name: str
    path: str
    clicks: tuple[str, ...] = ()
    theme: str = "light"


LISTED = (
    Picture("search", "/?q=why+jwt+instead+of+sessions", ("text=found by >> nth=0",)),
    Picture("memory", f"/?project={PROJECT}&q=logged+out", ("text=is relative in our >> nth=0",), "dark"),
    Picture("context", f"/context?project={PROJECT}&budget=500&task=customers+are+logged+out"),
    Picture("inbox", "/inbox", theme="dark"),
    Picture("about", "/about"),
    Picture("map", "/map"),
    Picture("graph", f"/map?view=graph&project={PROJECT}", theme="dark"),
    Picture("conversation", "/conversations/about-0"),
)  # fmt: skip


def main() -> None:
    """Fills a store, serves it, and takes all pictures."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="holdfast-tour-") as place:
        store = Path(place) / "tour.db"
        fill(store, Path(place) / "shop")
        with served(store) as url, chromium() as browser:
            for theme in ("light", "dark"):
                context = browser.new_context(viewport=SIZE, color_scheme=theme, reduced_motion="reduce")
                page = context.new_page()
                page.clock.set_fixed_time(TODAY)
                with Memory(store, user=OWNER) as memory:
                    page.goto(f"{url}/#open={one_time_code(memory._service)}")
                page.get_by_role("searchbox").first.wait_for()
                for picture in LISTED:
                    if picture.theme == theme:
                        _take(page, url, picture)
                context.close()


def _take(page: Any, url: str, picture: Picture) -> None:
    page.goto(url + picture.path)
    page.get_by_role("heading", level=1).first.wait_for()
    page.wait_for_function("() => !document.querySelector('#page .loading')")
    page.wait_for_timeout(800)
    for selector in picture.clicks:
        page.locator(selector).click()
        page.wait_for_timeout(400)
    page.mouse.move(0, 0)
    session = page.context.new_cdp_session(page)
    taken = session.send("Page.captureScreenshot", {"format": "webp", "quality": 55})
    content = base64.b64decode(taken["data"])
    (PICTURES / f"{picture.name}.webp").write_bytes(content)
    sys.stdout.write(f"{picture.name:<14}{len(content) / 1_000:>6.1f} kB\n")
    if len(content) > BYTES_MAX:
        sys.exit(f"{picture.name} has more than {BYTES_MAX / 1_000:.0f} kB")


if __name__ == "__main__":
    main()
