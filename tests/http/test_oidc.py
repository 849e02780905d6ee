"""Sign-in at an identity provider: who comes in, as whom, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from holdfast import InvalidInput
from holdfast.features.access.members import add_members, remove_member
from holdfast.http.oidc import CALLBACK, SESSION_SECONDS, Client, Oidc
from holdfast.http.serve import Options, build
from tests.fakes import ManualClock
from tests.http.identity_provider import CLIENT, SECRET, IdentityProvider, identity_provider
from tests.http.support import URL, Site, site
from tests.support import PATIENCE

NAVIGATES = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
TEAM = (("ana", "owner"), ("ben", "member"), ("ben@shop.example", "member"))
FOLLOWS = NAVIGATES | {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def provider() -> Iterator[IdentityProvider]:
    with identity_provider(URL + CALLBACK) as running:
        yield running


@contextmanager
def team_at(folder: Path, provider: IdentityProvider, **changes: Any) -> Iterator[Site]:
    """A service of a team whose people sign in at a provider."""
    client = replace(Client(provider.issuer, CLIENT, URL, SECRET), **changes)
    with site(folder, local=False, client=client) as here:
        add_members(here.service, TEAM)
        yield here


@pytest.fixture
def team(tmp_path: Path, provider: IdentityProvider) -> Iterator[Site]:
    with team_at(tmp_path, provider) as here:
        yield here


class Browser:
    """A browser with its cookies at the service and at the provider."""

    def __init__(self, site: Site) -> None:
        self.http = site.browser(follow_redirects=False)

    def leaves(self) -> str:
        """Follows the link of the page; returns the address of the provider."""
        response = self.http.get("/auth/oidc", headers=FOLLOWS)
        assert response.status_code == 303
        return str(response.headers["location"])

    def comes_back(self, address: str) -> Any:
        """Returns to the service after the provider has answered."""
        response = httpx.get(address, timeout=PATIENCE)
        assert response.status_code == 302, response.text
        return self.http.get(response.headers["location"], headers=NAVIGATES)

    def sign_in(self) -> Any:
        return self.comes_back(self.leaves())

    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = self.http.get(
            "/auth/session", headers={"Sec-Fetch-Site": "same-origin"}
        ).json()
        return state


def where(response: Any) -> str:
    assert response.status_code == 303
    return str(response.headers["location"])


@pytest.mark.parametrize("ways", [["client_secret_basic", "private_key_jwt"], ["client_secret_post"]])
def test_a_person_signs_in_at_the_provider(team: Site, provider: IdentityProvider, ways: list[str]) -> None:
    provider.ways = ways
    ben = Browser(team)
    assert ben.state()["ways"] == ["oidc", "key"]
    response = ben.sign_in()
    assert (where(response), provider.refused) == ("/", [])
    session, flow = sorted(response.headers.get_list("set-cookie"))
    assert all(word in session.lower() for word in ("holdfast_session_5858=", "httponly", "samesite=strict"))
    assert flow.lower().startswith('holdfast_sign_in_5858=""')
    state = ben.state()
    assert (state["signed_in"], state["user"], state["role"]) == (True, "ben", "member")
    headers = {"Origin": URL, "Sec-Fetch-Site": "same-origin", "Holdfast-CSRF": state["csrf"]}
    note = {"text": "The shop opens at nine"}
    assert ben.http.post("/v1/memories", json=note, headers=headers).status_code == 201
    assert Browser(team).state()["signed_in"] is False


def test_nothing_of_the_provider_reaches_an_address_or_cookie(team: Site, provider: IdentityProvider) -> None:
    ben = Browser(team)
    address = ben.leaves()
    verifier = team.app.state.entrance.oidc._derived(ben.http.cookies["holdfast_sign_in_5858"], "verifier")
    response = ben.comes_back(address)
    for text in (verifier, SECRET):
        assert text not in address + str(response.headers)
    assert "code" not in where(response)
    assert re.search(r"(?<![\w-])eyJ", str(response.headers)) is None


def test_a_code_counts_once_and_in_the_browser_that_began(team: Site, provider: IdentityProvider) -> None:
    ben, eve = Browser(team), Browser(team)
    back = httpx.get(ben.leaves(), timeout=PATIENCE).headers["location"]
    eve.leaves()
    for browser, address in (
        (eve, back), (Browser(team), back), (ben, back.replace("state=", "state=0")), (ben, URL + CALLBACK),
    ):  # fmt: skip
        response = browser.http.get(address, headers=NAVIGATES)
        assert where(response) == "/#error=credential_invalid"
        assert browser.state()["signed_in"] is False
    assert provider.refused == []  # nothing was asked of the provider
    again = Browser(team)
    address = again.leaves()
    back = httpx.get(address, timeout=PATIENCE).headers["location"]
    cookies = dict(again.http.cookies)
    assert where(again.http.get(back, headers=NAVIGATES)) == "/"
    again.http.cookies.update(cookies)
    assert where(again.http.get(back, headers=NAVIGATES)) == "/#error=credential_invalid"
    assert provider.refused == ["the code is unknown"]


@pytest.mark.parametrize(
    "changes",
    [
        {"nonce": "0" * 64}, {"nonce": None}, {"aud": "another"}, {"aud": [CLIENT, "another"]},
        {"aud": [CLIENT, "another"], "azp": "another"}, {"azp": "another"}, {"iss": "https://evil.example"},
        {"exp": 1}, {"exp": None}, {"sub": None}, {"sub": 7}, {"sub": ""},
    ],
)  # fmt: skip
def test_a_token_for_something_else_signs_nobody_in(
    team: Site, provider: IdentityProvider, changes: dict[str, Any]
) -> None:
    provider.changes = changes
    browser = Browser(team)
    assert where(browser.sign_in()).startswith("/#error=credential_")
    assert browser.state()["signed_in"] is False


def test_a_token_for_several_names_this_client(team: Site, provider: IdentityProvider) -> None:
    provider.changes = {"aud": [CLIENT, "another"], "azp": CLIENT}
    assert where(Browser(team).sign_in()) == "/"


def test_who_refuses_at_the_provider_is_back_at_the_page(team: Site, provider: IdentityProvider) -> None:
    provider.user = None
    assert where(Browser(team).sign_in()) == "/#error=credential_invalid"


def test_only_members_come_in_and_only_while_they_are(team: Site, provider: IdentityProvider) -> None:
    ben = Browser(team)
    ben.sign_in()
    assert ben.state()["role"] == "member"
    remove_member(team.service, "ben")
    assert ben.state()["signed_in"] is False
    assert where(ben.sign_in()) == "/#error=not_a_member"
    provider.user = "eve"
    assert where(Browser(team).sign_in()) == "/#error=not_a_member"


@pytest.mark.parametrize("claims", [{}, {"holdfast_role": "owner"}])
def test_nobody_comes_in_where_nobody_was_named(
    tmp_path: Path, provider: IdentityProvider, claims: dict[str, str]
) -> None:
    """Many providers have accounts for everybody; a key or token was made for this service."""
    provider.changes = claims
    with site(tmp_path, local=False, client=Client(provider.issuer, CLIENT, URL, SECRET)) as here:
        eve = Browser(here)
        assert where(eve.sign_in()) == "/#error=not_a_member"
        assert eve.state()["signed_in"] is False


def test_a_claim_names_the_user_if_it_is_verified(tmp_path: Path, provider: IdentityProvider) -> None:
    with team_at(tmp_path, provider, user_claim="email") as team:
        for verified in (False, None, "true"):
            provider.changes = {"email": "ben@shop.example", "email_verified": verified}
            assert where(Browser(team).sign_in()) == "/#error=credential_invalid"
        provider.changes = {"email": "ben@shop.example", "email_verified": True}
        ben = Browser(team)
        ben.sign_in()
        assert ben.state()["user"] == "ben@shop.example"


def test_a_provider_that_fails_is_named_and_asked_again(team: Site, provider: IdentityProvider) -> None:
    provider.is_broken = True
    browser = Browser(team)
    response = browser.http.get("/auth/oidc", headers=FOLLOWS)
    assert where(response) == "/#error=provider_unavailable"
    provider.is_broken = False
    assert where(browser.sign_in()) == "/"


def test_a_document_of_another_issuer_is_refused(tmp_path: Path, provider: IdentityProvider) -> None:
    with team_at(tmp_path, provider, issuer=provider.issuer.replace("127.0.0.1", "localhost")) as team:
        response = Browser(team).http.get("/auth/oidc", headers=FOLLOWS)
        assert where(response) == "/#error=provider_unavailable"


def test_a_session_ends_after_twelve_hours(tmp_path: Path, provider: IdentityProvider) -> None:
    clock = ManualClock()
    with site(
        tmp_path, local=False, client=Client(provider.issuer, CLIENT, URL, SECRET), clock=clock
    ) as team:
        add_members(team.service, TEAM)
        ben = Browser(team)
        ben.sign_in()
        clock.now += SESSION_SECONDS * 1_000 - 1
        assert ben.state()["signed_in"] is True
        clock.now += 1
        assert ben.state()["signed_in"] is False


def test_other_sites_reach_no_other_path_of_signing_in(team: Site) -> None:
    for path in ("/auth/session", "/auth/oidc", "/auth/sessions"):
        response = team.http.get(path, headers=NAVIGATES, follow_redirects=False)
        assert (response.status_code, response.json()["code"]) == (403, "origin_refused")


def test_a_service_without_a_provider_has_no_such_path(here: Site) -> None:
    for path in ("/auth/oidc", CALLBACK):
        response = here.http.get(path, headers=FOLLOWS, follow_redirects=False)
        assert (response.status_code, response.json()["code"]) == (404, "route_not_found")


@pytest.mark.parametrize(
    "client",
    [
        Client("http://id.example", CLIENT, URL), Client("", CLIENT, URL),
        Client("https://id.example", "", URL), Client("https://id.example", CLIENT, "memory.example"),
    ],
)  # fmt: skip
def test_a_registration_that_cannot_work_is_refused_at_the_start(client: Client) -> None:
    with pytest.raises(InvalidInput) as error:
        Oidc(client, b"key")
    assert error.value.code == "config_invalid"


def test_a_service_whose_people_sign_in_at_a_provider_needs_no_key(team: Site) -> None:
    client = Client("https://id.example", CLIENT, URL)
    build(team.service, Options(require_credential=True, client=client))
    with pytest.raises(InvalidInput):
        build(team.service, Options(require_credential=True))
