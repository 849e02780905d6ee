"""Exporting over HTTP: streamed, one's own only, and not for credentials limited to projects (S4.54)."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import anyio
import pytest

from holdfast import HoldfastError, InvalidInput
from holdfast.api.importing import import_bytes
from holdfast.features.access.keys import create_key, revoke_key
from tests.http.direct import answered
from tests.http.support import Site
from tests.oracle import OracleStore
from tests.support import memory_on


def test_s4_54_everything_of_ones_own_is_streamed(here: Site) -> None:
    here.call("POST", "/v1/memories", {"text": "The boat is red", "project": "shop"})
    said = [{"role": "user", "content": f"line {n}\u2028 and on", "id": str(n)} for n in range(450)]
    here.call("POST", "/v1/sessions/s/messages", {"messages": said})
    answer = here.call("GET", "/v1/export?user_data=true")
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    records = [json.loads(line) for line in answer.text.split("\n") if line]
    assert (records[0]["type"], records[-1]["type"]) == ("header", "end")
    assert records[-1]["records"]["memory"] == 451
    assert records[-1]["records"]["event"] > 0
    drawn = here.call("GET", "/v1/export?format=markdown")
    assert drawn.headers["content-type"].startswith("text/markdown")
    assert here.call("GET", "/v1/export?format=xml").status_code == 422


def test_s4_54_the_client_gives_the_lines_of_memory(here: Site) -> None:
    client = here.client()
    client.remember("The boat is red\nand has\u2028two masts")
    for format, name in (("jsonl", "x.jsonl"), ("markdown", "x.md")):
        lines = list(client.export(format=format))
        assert all(line.endswith("\n") for line in lines)
        other = memory_on(OracleStore(), user=here.service.principal.user)
        assert import_bytes(other, "".join(lines).encode(), filename=name).outcomes == {"created": 1}
        assert other.list().memories[0].text == client.list().memories[0].text
    with pytest.raises(InvalidInput):
        list(client.export(format="xml"))


@pytest.mark.parametrize(
    ("options", "status"), [({}, 200), ({"write": False}, 200), ({"projects": ["a"]}, 403)]
)
def test_s4_53_who_may_export(here: Site, options: dict[str, Any], status: int) -> None:
    """Reading suffices; a credential that sees only some projects has no whole to export."""
    here.call("POST", "/v1/memories", {"text": "The owner's boat", "visibility": "team"})
    key = here.key("ben", **options)
    answer = here.call("GET", "/v1/export?user_data=true", key=key)
    assert answer.status_code == status
    assert "boat" not in answer.text
    if status == 403:
        with pytest.raises(HoldfastError, match="limited to projects"):
            list(here.client(key).export())


def test_an_export_ends_with_its_key(here: Site) -> None:
    """What is not on its way when the key is revoked is not sent, nor the line of the end."""
    key, secret = create_key(here.service, user="ben")
    messages = [{"role": "user", "content": f"line {n}"} for n in range(450)]
    here.call("POST", "/v1/sessions/s/messages", {"messages": messages}, key=secret)

    async def revoking(scope: Any, receive: Any, send: Any) -> None:
        async def sent(message: Any) -> None:
            await send(message)
            if message.get("more_body"):
                revoke_key(here.service, key.id)

        await here.app(scope, receive, sent)

    headers = {"Authorization": f"Bearer {secret}"}
    response = anyio.run(
        partial(answered, revoking, "GET", "/v1/export", query={}, headers=headers, body=None)  # type: ignore[arg-type]
    )
    types = [json.loads(line)["type"] for line in response.text.splitlines()]
    assert types[0] == "header"
    assert len(types) == 200
