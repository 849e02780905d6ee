"""The header `Holdfast-Agent`: an agent acts for the person of a credential, and may do less."""

from __future__ import annotations

from pathlib import Path

from holdfast.http.rates import Rates
from tests.http.support import Site, site


def _actor(team: Site, key: str, agent: str) -> str:
    """Returns who keeps a memory in a request that names this agent."""
    headers = {"Holdfast-Agent": agent}
    kept = team.call("POST", "/v1/memories", {"text": "The shop opens at nine"}, key=key, headers=headers)
    history = team.call("GET", f"/v1/memories/{kept.json()['memory']['id']}/history", key=key)
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
        kept = team.call(
            "POST", "/v1/memories", {"text": text, "status": "pending"}, key=key, headers=headers
        ).json()
        path = f"/v1/review/{kept['memory']['id']}/approve"
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
