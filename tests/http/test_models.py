"""Language models over HTTP: who manages them, which addresses a service calls, and streamed answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from holdfast.core.errors import AccessDenied, NotFound
from tests.http.support import site
from tests.models.providers import provider


def test_a_service_streams_an_answer_and_keeps_none(tmp_path: Path) -> None:
    with provider("openai", lambda *_: "It opens at six [M1].") as server, site(tmp_path) as team:
        key_file = tmp_path / "model.key"
        key_file.write_text("sk-1")
        team.service.model_key_files = ((server.url, str(key_file)),)
        team.service.model_addresses = (server.url,)
        owner, member = team.key("ana", role="owner"), team.key("ben", role="member")
        client = team.client(owner)
        with pytest.raises(AccessDenied) as refused:
            client.models.add("m", "some-model", url="http://10.0.0.8/v1")
        assert refused.value.code == "model_address_refused"
        with pytest.raises(NotFound, match="no language model"):
            list(client.answer("When does the harbour open?"))
        client.models.add("m", "some-model", url=server.url)
        client.remember("The harbour opens at six")
        lines = [json.loads(line) for line in client.answer("When does the harbour open?")]
        assert "".join(line.get("text", "") for line in lines) == "It opens at six [M1]."
        assert [citation["citation"] for citation in lines[-1]["citations"]] == ["[M1]"]
        asked = {"text": "When does the harbour open?"}
        for number in (1, 2):
            again = team.call("POST", "/v1/answer", asked, key=owner, headers={"Idempotency-Key": "same"})
            assert again.headers["content-type"].startswith("application/x-ndjson")
            assert "idempotent-replayed" not in again.headers
            assert len(server.requests) == 1 + number
        assert team.call("GET", "/v1/models", key=member).status_code == 403
        reader = team.key("ana", role="owner", write=False)
        assert team.call("POST", "/v1/answer", asked, key=reader).status_code == 403
        usage = client.models.usage()
        assert [(one.operation, one.outcome, one.calls) for one in usage] == [("answer", "success", 3)]
        assert "sk-1" not in team.call("GET", "/v1/models", key=owner).text
    assert server.wrong == []
