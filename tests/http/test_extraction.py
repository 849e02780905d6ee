"""Extraction and its figures over HTTP, as the client and as plain requests (S2.23, S2.34, S2.35)."""

from __future__ import annotations

from holdfast.core.metrics import Metric
from holdfast.features.maintenance.metrics import store_metrics
from tests.http.support import Site


def test_s2_23_the_client_extracts_as_memory_does(here: Site) -> None:
    with here.client() as client:
        talk = [{"role": "user", "content": "I love hiking. Remind me to water the plants."}]
        client.add_messages(talk, session="chat", project="p")
        looked = client.extract(session="chat", dry_run=True)
        result = client.extract(session="chat")
        assert [one.candidate for one in result.found] == [one.candidate for one in looked.found]
        assert [(one.candidate.text, one.outcome.value) for one in result.found] == [
            ("I love hiking", "created"),
            ("Remind me to water the plants", "pending"),
        ]
        assert client.extract(session="chat").read_before == 1
        client.add_messages([{"role": "user", "content": "I love rowing"}], session="chat", extract=True)
        memories = client.list(project="p", kinds="preference").memories
        assert [memory.text for memory in memories] == ["I love rowing", "I love hiking"]


def test_s2_35_what_is_suggested_from_a_text_waits(here: Site) -> None:
    response = here.call("POST", "/v1/extract", {"text": "I love hiking"}).json()
    assert [one["outcome"] for one in response["found"]] == ["pending"]
    assert here.call("POST", "/v1/extract", {}).status_code == 422
    assert here.call("POST", "/v1/extract", {"session": "none"}).status_code == 404


def test_a_read_only_key_does_not_extract(here: Site) -> None:
    key = here.key("ana", write=False)
    assert here.call("POST", "/v1/extract", {"text": "I love hiking"}, key=key).status_code == 403


def test_s2_34_the_figures_are_read(here: Site) -> None:
    metric = Metric("retrieval_hit_rate", 0.82, 222, "user:ana", 1_772_452_800_000)
    store_metrics(here.service, [metric])
    client = here.client()
    assert list(client.quality()) == [metric]
    assert list(client.quality("deletion_compliance")) == []
    assert here.call("GET", "/v1/metrics/quality?name=charm").status_code == 422
