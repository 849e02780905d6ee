"""Insights of conversations over HTTP, as the client and as plain requests (S3.26-S3.30)."""

from __future__ import annotations

from tests.http.support import Site

FILE = {"type": "file", "id": "churn.xlsx"}
ANSWER = (
    "I looked at the sheets of the workbook and all the formulas, and here is what I can say of all of it."
)


def conversation(text: str) -> list[dict[str, str]]:
    ask = "Please have a look at this workbook with me, it is about our customers."
    return [
        {"role": "user", "content": ask},
        {"role": "assistant", "content": ANSWER},
        {"role": "user", "content": text},
    ]


def test_s3_26_the_client_gathers_as_memory_does(here: Site) -> None:
    with here.client() as client:
        client.add_messages(conversation("The churn rate is computed per month."), session="a")
        looked = client.insights("a", scope=("file", "churn.xlsx"), dry_run=True)
        result = client.insights("a", scope=("file", "churn.xlsx"))
        assert (
            [one.topic for one in result.changes] == [one.topic for one in looked.changes] == ["churn rate"]
        )
        client.add_messages(conversation("No, the churn rate is computed per week."), session="b")
        (change,) = client.insights("b", scope=("file", "churn.xlsx")).changes
        assert change.action == "corrected"
        apart = client.review.separate(change.memory or "")
        assert apart.memory is not None
        assert apart.memory.text == "The churn rate is computed per week."


def test_insights_are_listed_by_scope(here: Site) -> None:
    here.call(
        "POST", "/v1/sessions/a/messages", {"messages": conversation("The churn rate is computed per month.")}
    )
    response = here.call("POST", "/v1/insights", {"session": "a", "scope": FILE}).json()
    assert [change["action"] for change in response["changes"]] == ["created"]
    listed = here.call("GET", "/v1/memories?kinds=chat_insight&scope=file:churn.xlsx").json()["memories"]
    assert [one["title"] for one in listed] == ["Churn rate"]
    id = listed[0]["id"]
    answer = here.call("POST", f"/v1/review/{id}/separate")
    assert (answer.status_code, answer.json()["code"]) == (422, "nothing_to_change")
    assert here.call("POST", "/v1/insights", {"session": "none"}).status_code == 404


def test_a_read_only_key_gathers_nothing(here: Site) -> None:
    key = here.key("ana", write=False)
    assert here.call("POST", "/v1/insights", {"session": "a"}, key=key).status_code == 403
