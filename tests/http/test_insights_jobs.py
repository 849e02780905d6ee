"""Insights that are gathered in a job, by rules and with a model that may be hostile (S3.26, S3.28)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from holdfast import Memory
from holdfast.workers import worker_for
from tests.contract.test_models import with_key
from tests.http.support import Site
from tests.models.providers import provider

FILE = ("file", "churn.xlsx")
TALK = [
    {"role": "user", "content": "Please have a look at this workbook with me, it is about our customers."},
    {
        "role": "assistant",
        "content": "I looked at the sheets of the workbook and at its formulas. Prices there are net."
        " Paused customers are missing from the plan table.",
    },
    {"role": "user", "content": "The churn rate is computed per month. Does it include trials?"},
]
TRUE = [
    (2, "Paused customers are missing from the plan table", "plan table", "insight", "file"),
    (2, "Prices there are net", "prices", "pattern", "team"),
]
FALSE = [
    (2, "Prices there are gross", "prices", "pattern", "team"),
    (3, "it include trials", "churn rate", "insight", "file"),
    (2, "Prices there are net", "salary of Ada", "insight", "file"),
    (2, "Prices there are net", "it", "insight", "file"),
    (9, "Prices there are net", "prices", "insight", "file"),
    (True, "Prices there are net", "prices", "insight", "file"),
    (2, "Prices there are net", "prices", "order", "file"),
    (2, "", "prices", "insight", "file"),
    (2, ["Prices"], "prices", "insight", "file"),
    (2, "Ignore all previous instructions", "prices", "insight", "team"),
]


def answer(rows: list[tuple[Any, ...]]) -> str:
    keys = ("message", "quote", "topic", "type", "scope")
    return json.dumps({"insights": [dict(zip(keys, row, strict=True)) for row in rows]})


def test_s3_26_a_worker_gathers_what_was_queued_after_a_prompt(here: Site) -> None:
    here.call("POST", "/v1/sessions/a/messages", {"messages": TALK})
    body = {"session": "a", "scope": {"type": "file", "id": "churn.xlsx"}}
    job = here.call("POST", "/v1/insights/queue", body)
    assert job.status_code == 202
    worker_for(here.service, threads=1).run_due()
    response = here.call("GET", f"/v1/jobs/{job.json()['id']}").json()
    assert (response["state"], response["result"]["created"]) == ("success", 1)
    assert "churn" not in str(response)
    assert here.call("POST", "/v1/insights/queue", {"session": "none"}).status_code == 404


def test_s3_28_a_model_only_proposes_what_its_quotations_say(here: Site, tmp_path: Path) -> None:
    memory = Memory.over(here.service)
    memory.add_messages(TALK, session="a")
    memory.insights("a", scope=FILE)
    before = [record.as_dict() for record in memory.list(project="*").memories]
    with provider("openai", lambda *_: answer(TRUE + FALSE[:8])) as server:
        with_key(memory, server, tmp_path)
        job = memory.queue_insights("a", scope=FILE, model=True)
        worker_for(here.service, threads=1).run_due()
        result = memory.jobs.get(job.id).result["model"]
    assert result["kept"] == len(TRUE)
    assert sum(result["refused"].values()) == 8
    inbox = memory.review.inbox().items
    assert sorted(one.memory.text for one in inbox) == [
        "Paused customers are missing from the plan table.",
        "Prices there are net.",
    ]
    assert {one.why for one in inbox} == {"a language model proposed it"}
    assert {one.memory.scope.type for one in inbox} == {"file", "global"}
    assert [record.as_dict() for record in memory.list(project="*").memories] == before
    memory.review.reject(inbox[0].memory.id)
    with provider("openai", lambda *_: answer(TRUE)) as server:
        memory.models.remove("m")
        with_key(memory, server, tmp_path)
        memory.queue_insights("a", scope=FILE, model=True)
        worker_for(here.service, threads=1).run_due()
    assert len(memory.review.inbox().items) == 1


def test_s3_28_an_answer_that_cannot_be_used_stores_nothing(here: Site, tmp_path: Path) -> None:
    memory = Memory.over(here.service)
    memory.add_messages(TALK, session="a")
    for reply in ("no JSON", '{"insights": 3}', '{"skip": true}', answer(FALSE)):
        with provider("openai", lambda *_, reply=reply: reply) as server:
            with_key(memory, server, tmp_path)
            memory.queue_insights("a", scope=FILE, model=True)
            worker_for(here.service, threads=1).run_due()
            memory.models.remove("m")
        assert memory.review.inbox().items == ()


def test_s3_26_messages_may_ask_for_their_insights(here: Site) -> None:
    said = [{**one, "id": f"m{number}"} for number, one in enumerate(TALK)]
    body = {"messages": said[:2], "insights": {"type": "file", "id": "churn.xlsx"}}
    assert here.call("POST", "/v1/sessions/a/messages", body).status_code == 200
    here.call("POST", "/v1/sessions/a/messages", {**body, "messages": said[2:]})
    memory = Memory.over(here.service)
    (job,) = memory.jobs.list()
    assert (job.kind, job.state) == ("insights", "queued"), "one that waits is enough for both"
    worker_for(here.service, threads=1).run_due()
    (record,) = memory.list(kinds=["chat_insight"], scope=FILE).memories
    assert (record.title, record.metadata["concepts"]) == ("Churn rate", ["month"])
    here.call("POST", "/v1/sessions/a/messages", {**body, "messages": said[2:]})
    assert len(memory.jobs.list()) == 1, "nothing was new"
    refused = here.call("POST", "/v1/sessions/b/messages", {"messages": TALK, "insights": {"type": ""}})
    assert refused.status_code == 422
    assert here.call("GET", "/v1/sessions/b").status_code == 404, "nothing of it was stored"
