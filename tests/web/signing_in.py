"""Opens a page of a service in a browser by the one-time link."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from holdfast import Memory
from holdfast.features.access.browser_sessions import one_time_code
from tests.support import PATIENCE


@contextmanager
def signed_in(chromium: Any, memory: Memory, url: str, path: str) -> Iterator[Any]:
    """A page of the service of a memory, as its user sees it."""
    context = chromium.new_context()
    page = context.new_page()
    page.set_default_timeout(PATIENCE * 1_000)
    page.goto(f"{url}/#open={one_time_code(memory._service)}")
    page.get_by_role("searchbox").first.wait_for()
    page.goto(f"{url}{path}")
    yield page
    context.close()
