"""The header `Holdfast-Agent`: an agent acts for the person of a credential, and may do less."""

from __future__ import annotations

from pathlib import Path

from holdfast import Memory
from holdfast.api.remote import Remote
from holdfast.api.transport import Transport
from holdfast.core.errors import Refusal
from holdfast.http.rates import Rates
from tests.http.support import URL, Site, site


def _actor(team: Site, key: str, agent: str) -> str:
    """Returns who keeps a memory in a request that names this agent."""
    headers = {"Holdfast-Agent": agent}
    response = team.call("POST", "/v1/memories", {"text": "The shop opens at nine"}, key=key, headers=headers)
    history = team.call("GET", f"/v1/memories/{response.json()['memory']['id']}/history", key=key)
    return str(history.json()["changes"][0]["actor"])


def test_a_request_names_the_agent_of_a_person_and_no_other(team: Site) -> None:
    assert _actor(team, team.key("ben"), "coder") == "agent:coder@ben"
    assert _actor(team, team.key("eve", agent="planner"), "coder") == "agent:planner@eve"
    refused = team.call("GET", "/v1/projects", key=team.key("ben"), headers={"Holdfast-Agent": "a%00b"})
    assert refused.json()["code"] == "place_invalid"


def test_a_named_agent_may_not_decide_what_a_person_decides(team: Site) -> None:
    """What it proposed itself it sees and may not decide; what its user has waiting it does not see."""
    key, coder = team.key("ben"), {"Holdfast-Agent": "coder"}
    for text, headers, refusal in (
        ("Doors stay open", coder, (403, "review_by_person")),
        ("Windows stay shut", {}, (404, "memory_not_found")),
    ):
        response = team.call(
            "POST", "/v1/memories", {"text": text, "status": "pending"}, key=key, headers=headers
        ).json()
        path = f"/v1/review/{response['memory']['id']}/approve"
        refused = team.call("POST", path, {}, key=key, headers=coder)
        assert (refused.status_code, refused.json()["code"]) == refusal
        assert team.call("POST", path, {}, key=key).status_code == 200


def test_other_names_of_agents_give_no_further_requests(tmp_path: Path) -> None:
    with site(tmp_path, local=False, rates=Rates(3, seconds=lambda: 0.0)) as team:
        key = team.key("ben")
        statuses = [
            team.call("GET", "/v1/projects", key=key, headers={"Holdfast-Agent": f"a{n}"}).status_code
            for n in range(4)
        ]
    assert statuses == [200, 200, 200, 429]


def test_no_agent_takes_away_what_a_person_wrote_over_http(team: Site) -> None:
    """Whichever way it is named."""
    person = team.key("ben")
    agents: list[tuple[str, dict[str, str]]] = [
        (person, {"Holdfast-Agent": "coder"}), (team.key("ben", agent="planner"), {}),
    ]  # fmt: skip
    note = {"text": "The shop opens at nine", "external_id": "hours"}
    id = team.call("POST", "/v1/memories", note, key=person).json()["memory"]["id"]
    for key, headers in agents:
        for method, path, body in (
            ("DELETE", f"/v1/memories/{id}", None),
            ("PATCH", f"/v1/memories/{id}", {"text": "The shop never opens"}),
            ("PATCH", f"/v1/memories/{id}", {"tags": ["for-agents"]}),
            ("POST", f"/v1/review/{id}/wrong", {}),
            ("POST", "/v1/memories", {**note, "text": "The shop never opens"}),
        ):
            refused = team.call(method, path, body, key=key, headers=headers)
            assert (refused.status_code, refused.json()["code"]) == (403, "person_needed"), (method, body)
    stored = team.call("GET", f"/v1/memories/{id}", key=person).json()
    assert (stored["text"], stored["version"]) == (note["text"], 1)


def test_what_the_user_of_an_agent_agreed_to_is_done_in_person(team: Site) -> None:
    """With the key of the person. Of a key that was issued to an agent nobody takes a word for it."""
    person = team.client(team.key("ben"))
    ids = [kept.memory.id for kept in person.remember_many(["The shop opens at nine", "It sells tea"])]  # type: ignore[union-attr]
    for key, code in ((team.key("ben", agent="planner"), "person_needed"), (team.key("ben"), None)):
        agent = Memory.on(Remote(Transport(URL, key, 30.0, agent="coder", http=team.http)))  # type: ignore[arg-type]
        for memory, refusal in ((agent, "person_needed"), (agent.with_consent(), code)):
            try:
                memory.forget(ids[0])
                refused = None
            except Refusal as error:
                refused = error.code
            assert refused == refusal
    assert [record.id for record in person.list().memories] == ids[1:]
