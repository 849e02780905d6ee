"""Signing in at an identity provider, in a real browser, across sites."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from benchmarks.web import served
from holdfast import Memory
from holdfast.http.oidc import CALLBACK
from tests.http.identity_provider import CLIENT, SECRET, identity_provider
from tests.support import free_port
from tests.web.pages import expect, new_page

pytestmark = [pytest.mark.process, pytest.mark.filterwarnings("ignore")]


def test_a_person_comes_back_from_the_provider_signed_in(chromium: Any, tmp_path: Path) -> None:
    port = free_port()
    home = f"http://localhost:{port}"  # another site than that of the provider, which is 127.0.0.1
    (tmp_path / "secret").write_text(f"{SECRET}\n", "utf-8")
    with Memory(tmp_path / "team.db", user="ana") as memory:
        memory.members.add("ana", "owner")
        memory.members.add("ben")
    with identity_provider(home + CALLBACK) as provider:
        provider.user = None
        options = {
            "--port": str(port), "--oidc-issuer": provider.issuer, "--oidc-client": CLIENT,
            "--oidc-secret-file": str(tmp_path / "secret"), "--public-url": home,
        }  # fmt: skip
        words = [word for option in options.items() for word in option]
        with served(tmp_path / "team.db", "--require-credential", *words), new_page(chromium) as page:
            page.goto(home)
            page.get_by_role("link", name="Sign in with your provider").click()
            page.get_by_role("alert").get_by_text("Signing in did not work").wait_for()

            provider.user = "ben"
            page.get_by_role("link", name="Sign in with your provider").click()
            page.get_by_role("navigation").first.wait_for()
            expect(page).to_have_url(re.compile(rf"^{re.escape(home)}(?!.*code=)"))
            (cookie,) = page.context.cookies()
            assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
            assert page.evaluate("fetch('/auth/session').then(r => r.json()).then(s => s.user)") == "ben"
            assert page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])").find("eyJ") < 0
    assert provider.refused == []
