"""Pages of a service in a browser, whose waits end soon enough that a red test tells why.

What a page shows is asked for with `expect`, which asks again until it is so. What a page sends and receives
is only noted as it comes, and read by the test: a listener that reads more would be overtaken by the test.
`tests/test_races.py` holds the tests to both.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from holdfast import Memory
from holdfast.features.access.browser_sessions import one_time_code
from tests.support import PATIENCE

SECONDS = 20.0
"""That a page may take for what is waited for, where it has a processor to itself. It needs less than two."""


def patience() -> float:
    """Returns the milliseconds that a page may take now, when as many processes wait for each processor as
    do: a minute while `make test` has two to itself."""
    waiting = max(os.getloadavg()[:2]) / (os.cpu_count() or 1)
    return 1_000 * min(PATIENCE, SECONDS * max(1.0, waiting))


def expect(what: Any) -> Any:
    """Returns Playwright's assertions about a page or a part of it, which ask again until they hold."""
    from playwright.sync_api import expect as asked

    asked.set_options(timeout=patience())
    return asked(what)


@contextmanager
def new_page(chromium: Any, **options: Any) -> Iterator[Any]:
    """A page in a browser context of its own, with Playwright's options for that."""
    context = chromium.new_context(**options)
    context.set_default_timeout(patience())
    try:
        yield context.new_page()
    finally:
        context.close()


def sign_in(page: Any, memory: Memory, url: str) -> None:
    """Signs the user of a memory in at its service, by the one-time link."""
    page.goto(f"{url}/#open={one_time_code(memory._service)}")
    page.get_by_role("searchbox").first.wait_for()


@contextmanager
def signed_in(chromium: Any, memory: Memory, url: str, path: str) -> Iterator[Any]:
    """A page of the service of a memory, as its user sees it."""
    with new_page(chromium) as page:
        sign_in(page, memory, url)
        page.goto(f"{url}{path}")
        yield page


def came_true(page: Any, holds: Callable[[], object]) -> bool:
    """Lets a page go on until something holds that is not on it, and returns whether it did in time."""
    end = time.monotonic() + patience() / 1_000
    while not holds():
        if time.monotonic() > end:
            return False
        page.wait_for_timeout(50)
    return True


def settled(page: Any) -> None:
    """Waits until a page has its heading, and nothing in the place of what is on its way."""
    page.get_by_role("heading", level=1).first.wait_for()
    expect(page.locator("#page .loading")).to_have_count(0)


def linger(page: Any) -> None:
    """Gives a page time for what must not happen."""
    page.wait_for_timeout(300)


class Traffic:
    """What a page has asked its service for since `begin`: not what it is built of, and not the stream of
    changes, which never ends."""

    def __init__(self, page: Any) -> None:
        self._requests: list[Any] = []
        page.on("request", lambda request: self._requests.append(request))

    def begin(self) -> None:
        """Forgets what was before."""
        self._requests.clear()

    def bodies(self, part: str = "") -> list[tuple[str, str]]:
        """Returns the addresses of requests that have `part`, and what was answered, once all of them are
        answered. The page is still the one that asked."""
        found: list[tuple[str, str]] = []
        read = 0
        while read < len(self._requests):  # others may come while an answer is waited for
            request = self._requests[read]
            read += 1
            if part in request.url and _is_of_service(request) and (response := request.response()):
                found.append((request.url, response.body().decode("utf-8", "replace")))
        return found


def _is_of_service(request: Any) -> bool:
    return request.resource_type in ("fetch", "xhr") and "/v1/stream" not in request.url
