"""Sessions of browsers: how they open, what they may do, and when they end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from holdfast.features.access.browser_sessions import CODE_MS, SESSION_MS, one_time_code
from holdfast.features.access.keys import revoke_key
from holdfast.features.access.members import add_member, remove_member
from holdfast.http.gate import Limits
from tests.fakes import ManualClock
from tests.http.support import URL, Site, site

NOTE = {"text": "The shop opens at nine", "visibility": "team"}
PAGE = {"Origin": URL, "Sec-Fetch-Site": "same-origin", "User-Agent": "Mozilla (X11; Linux) Firefox/140"}


class Browser:
    """A browser with its cookies, which sends the headers of a page of the service."""

    def __init__(self, site: Site) -> None:
        self.http = site.browser()
        self.csrf: str | None = None

    def get(self, path: str) -> Any:
        return self.http.get(path, headers={"Sec-Fetch-Site": "same-origin"})

    def post(self, path: str, body: Any, *, csrf: str | None = None, **headers: str) -> Any:
        token = csrf if csrf is not None else self.csrf
        headers = {**PAGE, **headers, **({"Holdfast-CSRF": token} if token else {})}
        return self.http.post(path, json=body, headers=headers)

    def sign_in(self, way: str, *, origin: str = URL, **body: str) -> Any:
        response = self.post(f"/auth/{way}", body, Origin=origin)
        if response.status_code == 200:
            self.csrf = response.json()["csrf"]
        return response

    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = self.get("/auth/session").json()
        return state


def code_of(response: Any) -> tuple[int, str]:
    return response.status_code, response.json()["code"]


@contextmanager
def at(folder: Path, clock: ManualClock, **options: Any) -> Iterator[Site]:
    with site(folder, clock=clock, **options) as opened:
        yield opened


def test_a_link_signs_in_once(here: Site) -> None:
    code = one_time_code(here.service)
    ana, other = Browser(here), Browser(here)
    assert ana.state()["signed_in"] is False
    assert code_of(ana.post("/v1/memories", NOTE)) == (401, "credential_missing")

    response = ana.sign_in("open", code=code)
    assert (response.json()["user"], response.json()["role"]) == ("ana", "owner")
    cookie = response.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert ana.post("/v1/memories", NOTE).status_code == 201
    assert ana.state()["signed_in"] is True

    assert code_of(other.sign_in("open", code=code)) == (401, "code_invalid")
    ana.post("/auth/leave", {})
    assert code_of(other.sign_in("open", code=code)) == (401, "code_invalid")


def test_a_link_is_of_one_store_and_of_five_minutes(tmp_path: Path) -> None:
    clock = ManualClock()
    (tmp_path / "b").mkdir()
    with at(tmp_path, clock) as here, at(tmp_path / "b", clock) as there:
        code = one_time_code(here.service)
        for wrong in (one_time_code(there.service), code[:-2] + "AA", "ä", "A" * 48, "-" * 4_000):
            assert code_of(Browser(here).sign_in("open", code=wrong)) == (401, "code_invalid")
        clock.now += CODE_MS
        assert code_of(Browser(here).sign_in("open", code=code)) == (401, "code_invalid")


def test_only_programs_of_this_machine_get_a_link(here: Site, team: Site) -> None:
    assert Browser(here).sign_in("open", code=here.call("POST", "/auth/link", {}).json()["code"]).is_success
    assert code_of(here.call("POST", "/auth/link", {}, headers=PAGE)) == (401, "credential_missing")
    assert code_of(team.call("POST", "/auth/link", {})) == (401, "credential_missing")
    assert code_of(team.call("POST", "/auth/link", {}, key=team.key("ben"))) == (403, "not_permitted")
    assert code_of(Browser(team).sign_in("open", code=one_time_code(team.service))) == (401, "code_invalid")


@pytest.mark.parametrize("headers", [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}])
def test_other_pages_use_no_session(here: Site, headers: dict[str, str]) -> None:
    ana = Browser(here)
    ana.sign_in("open", code=one_time_code(here.service))
    assert code_of(ana.post("/v1/memories", NOTE, **headers)) == (403, "origin_refused")
    for csrf in ("", "0" * 64):
        ana.csrf = None
        assert code_of(ana.post("/v1/memories", NOTE, csrf=csrf)) == (403, "csrf_missing")
    assert ana.get("/v1/memories").json()["memories"] == []


def test_another_host_of_the_domain_signs_nobody_in(tmp_path: Path) -> None:
    """A page of evil.example.org may set cookies for example.org: a session of its own, under which what
    others then write would be its own."""
    url = "https://memory.example.org"
    with site(tmp_path, local=False, limits=Limits(hosts=frozenset({"memory.example.org"}))) as opened:
        ana, eve = Browser(opened), Browser(opened)
        sessions = {}
        for browser, user in ((ana, "ana"), (eve, "eve")):
            browser.http.base_url = url
            response = browser.sign_in("key", key=opened.key(user), origin=url)
            cookie = response.headers["set-cookie"]
            assert cookie.startswith("__Host-holdfast_session=")
            assert all(word in cookie for word in ("Secure", "Path=/"))
            assert "Domain" not in cookie
            sessions[user] = cookie.partition("=")[2].partition(";")[0]
        planted = f"holdfast_session={sessions['eve']}"
        headers = {"Sec-Fetch-Site": "same-origin"}
        for cookies, expected in (
            (planted, None),
            (f"{planted}; __Host-holdfast_session={sessions['ana']}", "ana"),
            (f"__Host-holdfast_session={sessions['ana']}; {planted}", "ana"),
        ):
            stranger = opened.browser(url)
            state = stranger.get("/auth/session", headers={**headers, "Cookie": cookies}).json()
            assert state["user"] == expected
        left = ana.post("/auth/leave", {}, Origin=url).headers["set-cookie"]
        assert all(word in left for word in ("__Host-holdfast_session=", "Max-Age=0", "Secure"))
        assert ana.state()["signed_in"] is False


def test_of_two_sessions_of_one_name_neither_counts(team: Site) -> None:
    texts = []
    for user in ("ben", "eve"):
        browser = Browser(team)
        browser.sign_in("key", key=team.key(user))
        ((name, text),) = browser.http.cookies.items()
        texts.append(f"{name}={text}")
    for cookies in ("; ".join(texts), "; ".join(reversed(texts))):
        headers = {"Sec-Fetch-Site": "same-origin", "Cookie": cookies}
        assert code_of(team.http.get("/v1/memories", headers=headers)) == (401, "credential_missing")


def test_the_token_of_one_session_is_none_of_another(here: Site) -> None:
    ana, again = Browser(here), Browser(here)
    for browser in (ana, again):
        browser.sign_in("open", code=one_time_code(here.service))
    assert code_of(ana.post("/v1/memories", NOTE, csrf=again.csrf or "")) == (403, "csrf_missing")


def test_a_session_may_do_what_its_key_may(team: Site) -> None:
    team.call("POST", "/v1/memories", {"text": "Ana's own", "project": "home"}, key=team.key("ana"))
    for options in ({}, {"write": False}, {"projects": ["shop"]}, {"agent": "coder"}, {"role": "service"}):
        key = team.key("ben", **options)
        ben = Browser(team)
        assert ben.sign_in("key", key=key).status_code == 200
        offered = ben.state()["may"]
        for need, method, path, body in (
            ("read", "GET", "/v1/memories?project=*", None), ("audit", "GET", "/v1/audit/events", None),
            ("write", "POST", "/v1/memories", {"text": "Ben's own", "project": "shop", "origin": "user"}),
            ("imports", "POST", "/v1/sources", {"format": "messages", "name": "chat"}),
            ("review", "POST", "/v1/review/decide", {"decisions": []}),
        ):  # fmt: skip
            by_key = team.call(method, path, body, key=key)
            by_session = ben.get(path) if method == "GET" else ben.post(path, body)
            assert by_session.status_code in (by_key.status_code, 200), (options, path)
            is_denied = not by_key.is_success and code_of(by_key) == (403, "not_permitted")
            assert is_denied is (need not in offered), (options, path)
            if not by_key.is_success:
                assert code_of(by_session) == code_of(by_key)
        assert "Ana" not in ben.get("/v1/memories?project=*").text


def test_a_session_ends_with_its_key(team: Site) -> None:
    key = team.key("ben")
    ben = Browser(team)
    ben.sign_in("key", key=key)
    assert ben.get("/v1/memories").status_code == 200
    revoke_key(team.service, key.split("_")[1])
    assert code_of(ben.get("/v1/memories")) == (401, "credential_invalid")
    assert ben.state()["signed_in"] is False
    assert code_of(Browser(team).sign_in("key", key=key)) == (401, "credential_invalid")


def test_a_session_ends_with_the_membership(team: Site) -> None:
    ben = Browser(team)
    ben.sign_in("key", key=team.key("ben"))
    add_member(team.service, "ana", "owner")
    assert code_of(ben.get("/v1/memories")) == (403, "not_a_member")
    add_member(team.service, "ben", "member")
    assert ben.get("/v1/memories").status_code == 200
    remove_member(team.service, "ben")
    assert code_of(ben.get("/v1/memories")) == (403, "not_a_member")
    assert (ben.state()["signed_in"], ben.state()["code"]) == (False, "not_a_member"), "the page says why"


def test_a_session_expires_and_no_sooner(tmp_path: Path) -> None:
    clock = ManualClock()
    with at(tmp_path, clock) as here:
        ana = Browser(here)
        ana.sign_in("open", code=one_time_code(here.service))
        clock.now += SESSION_MS - 1
        assert ana.get("/v1/memories").status_code == 200
        clock.now += 1
        assert code_of(ana.get("/v1/memories")) == (401, "credential_expired")
        for _ in range(2):
            Browser(here).sign_in("open", code=one_time_code(here.service))
            clock.now += SESSION_MS * 2
        assert len(here.service.keys.all()) <= 2  # what has ended does not pile up


def test_a_session_survives_a_restart_and_not_a_change_to_credentials(tmp_path: Path) -> None:
    with site(tmp_path) as before:
        ana = Browser(before)
        ana.sign_in("open", code=one_time_code(before.service))
        cookies = dict(ana.http.cookies)
    for local, status in ((True, 200), (False, 401)):
        with site(tmp_path, local=local) as after:
            again = Browser(after)
            again.http.cookies.update(cookies)
            assert again.get("/v1/memories").status_code == status


def test_who_is_signed_in_sees_and_ends_own_sessions_only(team: Site) -> None:
    key = team.key("ben")
    here, phone, eve = Browser(team), Browser(team), Browser(team)
    for browser, credential in ((here, key), (phone, key), (eve, team.key("eve"))):
        browser.sign_in("key", key=credential)
    listed = here.get("/auth/sessions").json()["sessions"]
    assert [one["current"] for one in listed].count(True) == 1
    assert {one["name"] for one in listed} == {"Firefox on Linux"}
    assert len(listed) == 2
    (other,) = (one["id"] for one in listed if not one["current"])
    assert code_of(eve.post(f"/auth/sessions/{other}/end", {})) == (404, "key_not_found")
    assert here.post(f"/auth/sessions/{other}/end", {}).status_code == 200
    assert code_of(phone.get("/v1/memories")) == (401, "credential_invalid")
    assert here.get("/v1/memories").status_code == 200
    assert code_of(Browser(team).get("/auth/sessions")) == (401, "credential_missing")


def test_a_cookie_is_no_api_key_and_a_key_is_no_cookie(team: Site) -> None:
    key = team.key("ben")
    ben = Browser(team)
    ben.sign_in("key", key=key)
    (name, text), *_ = ben.http.cookies.items()
    assert code_of(team.call("GET", "/v1/memories", key=text)) == (401, "credential_invalid")
    forged = Browser(team)
    forged.http.cookies.set(name, key)
    assert code_of(forged.get("/v1/memories")) == (401, "credential_invalid")


def test_signing_in_and_out_are_events_without_secrets(here: Site) -> None:
    ana = Browser(here)
    ana.sign_in("open", code=one_time_code(here.service))
    ana.post("/auth/leave", {})
    events = here.client().audit.list()
    assert [event.action for event in events] == ["sign_in", "sign_out"]
    assert str(ana.csrf) not in str(events)
