"""A memory behind a service gives the same answers as one over a store."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from holdfast import Conflict, HoldfastError, InvalidInput, Memory, NotFound, Outcome, StoreError
from holdfast.api.remote import Remote
from holdfast.api.transport import Transport
from holdfast.core.kinds import KINDS
from tests.http.support import Site, message


def program(memory: Memory) -> list[Any]:
    """What a program does with a memory, and what it gets, without ids and times that differ each time."""
    out: list[Any] = []
    when = datetime(2026, 5, 7, 13, 56, tzinfo=UTC)
    result = memory.remember(
        "We chose JWT over sessions: the API is public", kind="decision", project="shop", tags=("auth",),
        scope=("paper", "2301.1"), metadata={"file": "auth.py", "n": 1}, at=when, valid_from=when,
        external_id="adr/7", confidence=0.9,
    )  # fmt: skip
    assert result.memory is not None
    id = result.memory.id
    out.append((result.outcome, result.reason, shown(result.memory.as_dict())))
    many = memory.remember_many(
        ["We use tabs in Go", {"text": "Deploy on Tuesdays", "at": when}, {"text": ""}]
    )
    out.append([(one.outcome, one.code, one.reason) for one in many])
    said = [message(n) for n in range(3)]
    out.append([one.outcome for one in memory.add_messages(said, session="talk/1", project="shop")])
    out.append(memory.add_episode("Is it done?", "Since Tuesday.", session="talk/1", at=when).outcome)
    hits = memory.recall("why JWT?", project="shop", kinds={"decision"}, boost={"paper": 1.5}, mmr=0.8)
    out.append([(hit.citation, round(hit.score, 5), set(hit.why), hit.passage) for hit in hits])
    out.append((hits.searched, hits.degraded, shown(hits[0].memory.as_dict())))
    page = memory.list(project="*", limit=2)
    rest = memory.list(project="*", limit=50, cursor=page.cursor)
    out.append([(one.text, one.kind) for one in [*page.memories, *rest.memories]])
    out.append(
        [
            record.text
            for record in memory.list(project="shop", scope=("paper", "2301.1"), pinned=False).memories
        ]
    )
    out.append((memory.count(project="shop"), memory.count()))
    revised = memory.revise(id, text="We chose JWT: clients are many", if_version=1)
    out.append((revised.outcome, revised.reason))
    memory.revise(id, valid_from="2025-01-01", valid_until="2030-01-01", summary="JWT")
    back = memory.revise(id, valid_from="unstated", valid_until="never", summary="").memory
    assert back is not None
    out.append((back.valid_from, back.valid_until, back.summary))
    out.append([(one.sequence, one.action, one.version, one.text) for one in memory.history(id)])
    out.append((memory.pin(id).pinned, memory.pin(id, False).pinned))
    memory.forget(id, reason="stale")
    out.append(memory.restore(id).deleted_at)
    out.append(shown(memory.projects.create("shop", description="A shop").as_dict()))
    out.append((memory.projects.get("shop").description, memory.projects.update("shop", icon="x").icon))
    out.append((memory.projects.retag("shop", "barn", kinds=("decision",)), memory.get(id).project))
    out.append([project.name for project in memory.projects.list()])
    session = memory.sessions.create("s-2", project="barn", name="Two", metadata={"a": 1})
    out.append((shown(session.as_dict()), memory.sessions.update("s-2", name="Three").name))
    out.append((memory.sessions.update("s-2", project=None).project, memory.sessions.get("s-2").name))
    out.append([talk.external_id for talk in memory.sessions.list()])
    memory.sessions.update("talk/1", name="Zebra crossing")
    first = memory.recall("zebra crossing", session="talk/1")[0]
    out.append((first.memory.title, first.memory.text, first.why["words"] > 0))
    begun = memory.sessions.messages("talk/1", limit=2)
    then = memory.sessions.messages("talk/1", limit=50, cursor=begun.cursor)
    out.append([(one.text, one.role) for one in [*begun.memories, *then.memories]])
    out.append([talk.external_id for talk in memory.sessions.list(project="shop", limit=1)])
    out.append(memory.sessions.delete("talk/1"))
    out += favourites(memory)
    source = memory.sources.add("chatgpt", "0" * 64, filename="a.json", message_count=3)
    out.append((shown(source.as_dict()), len(memory.sources.list()), memory.sources.delete(source.id)))
    memory.forget(id, hard=True)
    out.append(memory.projects.delete("barn").name)
    out.append(memory.maintain())
    out.append({job.kind for job in memory.jobs.list(limit=5)})
    report = memory.doctor()
    out.append((report.healthy, report.memories, report.waiting, report.problems))
    events = memory.audit.list(limit=None)
    actions = [event.action for event in events]
    out.append((memory.audit.verify() == len(events) == len(list(memory.audit)), "use" in actions))
    # what was recalled is noted with the next write, which may be that of a worker of the service
    out.append([action for action in actions if action != "use"])
    for call in (
        lambda: memory.get(id),
        lambda: memory.recall("x", limit=0),
        lambda: memory.remember("x", kind="gotchas"),
        lambda: memory.remember(""),
        lambda: memory.sessions.get("none"),
        lambda: memory.projects.get("none/of/these"),
        lambda: memory.projects.get(".."),
        lambda: memory.revise(many[0].memory.id, text="Other", if_version=7),  # type: ignore[union-attr]
        lambda: memory.list(cursor="x"),
    ):
        with pytest.raises(HoldfastError) as caught:
            call()
        error = caught.value
        out.append((type(error), error.code, error.message.replace(id, "ID"), error.hint))
    return out


def favourites(memory: Any) -> list[Any]:
    """What a program says and asks of facts."""
    facts = memory.facts
    out: list[Any] = []
    place = {"session": "likes", "project": "shop"}
    edits = (
        facts.replace("colors", ["Blue", "Green"], **place, external_id="l1", at="2026-05-01"),
        facts.add("colors", ["Red", "blue"], **place),
        facts.move("colors", "Red", 1, **place),
        facts.set("colors", "Teal", 2, **place),
        facts.set("candies", "Twix", **place),
        facts.remove("colors", "Green", **place),
        facts.replace("teas", ["Assam"], **place),
        facts.clear("teas", **place),
    )
    for edit in edits:
        out += [[(f.topic, f.rank, f.value, f.project, f.session) for f in edit.facts], edit.notes]
    out.append([f.value for f in facts.list("colors", session="likes", limit=1)])
    out.append([f.value for f in facts.list(project="shop", as_of="2026-05-02")])
    out.append((facts.get("colors", 1, session="likes").value, facts.get("candy", project="shop").value))
    out.append([(c.act, c.value, c.before, c.after, c.replaced) for c in facts.history("color", **place)])
    out.append(facts.topics())
    for question in ("my second favorite color?", "my favorite show?", "my third favorite", "boats"):
        answer = memory.ask(question, **place, limit=1)
        flags = (answer.used_facts, answer.fact_not_found, answer.clarification, answer.label)
        out += [(answer.text, flags), [shown(hit.memory.as_dict() | {"metadata": {}}) for hit in answer.hits]]
    with pytest.raises(HoldfastError) as caught:
        facts.get("colors", 9, **place)
    out.append((type(caught.value), caught.value.code))
    return out


FRESH = {"id", "recorded_at", "updated_at", "created_at", "ingested_at", "content_hash", "at", "valid_from",
         "last_used_at"}  # fmt: skip


def shown(record: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name not in FRESH}


def test_a_program_gets_the_same_from_a_service_as_from_a_file(here: Site, tmp_path: Path) -> None:
    with Memory(tmp_path / "file.db", user="ana") as memory:
        from_file = program(memory)
    from_service = program(here.client())
    for ours, theirs in zip(from_service, from_file, strict=True):
        assert bare(ours) == bare(theirs)


def bare(value: Any) -> Any:
    """Messages without the id of the one memory that they name, and without digests, keyed by the store."""
    import re

    return re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{64}", "ID", repr(value))


def test_a_record_comes_back_as_it_was(here: Site) -> None:
    client, when = here.client(), 1_700_000_000_001
    result = client.remember("The shop opens at nine", project="shop", scope=("paper", "7"), at=when)
    assert result.memory is not None
    assert result.memory.as_dict() == here.call("GET", f"/v1/memories/{result.memory.id}").json()
    assert result.memory.at == when


def test_a_refusal_is_an_outcome_as_in_memory(here: Site) -> None:
    result = here.client(here.key("ana", agent="coder")).remember("All tests passed", kind="gotcha")
    assert (result.outcome, result.memory, result.code) == (Outcome.REFUSED, None, "text_low_value")


def test_all_pages_are_fetched_where_all_are_asked_for(here: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdfast.api.remote.PAGE", 3)
    client = here.client()
    for n in range(7):
        client.sessions.create(f"s-{n}")
    assert len(client.sessions.list()) == 7
    assert [one.sequence for one in client.audit] == list(range(1, 8))


def test_naming_another_user_to_a_service_tells_how_to_act_for_them(here: Site) -> None:
    with pytest.raises(InvalidInput) as first:
        here.client(here.key("ana")).as_user("lena")
    with pytest.raises(InvalidInput) as second:
        Memory("http://127.0.0.1:9", user="lena", api_key="k")
    assert ["token (JWT)" in str(caught.value.hint) for caught in (first, second)] == [True, True]


def test_what_is_no_json_is_told_before_it_is_sent(here: Site) -> None:
    with pytest.raises(InvalidInput) as caught:
        here.client().recall("x", boost={"a": object()})  # type: ignore[dict-item]
    assert caught.value.code == "argument_invalid"
    with pytest.raises(InvalidInput):
        here.client().remember("x", confidence=float("nan"))


WRONG_TYPES: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("remember", (None,), {}),
    ("remember", (5,), {}),
    ("remember", ("x",), {"kind": "nope"}),
    ("remember", ("x",), {"kind": 5}),
    ("remember", ("x",), {"origin": ["user"]}),
    ("remember", ("x",), {"project": 5}),
    ("remember", ("x",), {"external_id": ["a"]}),
    ("remember", ("x",), {"title": 5}),
    ("remember", ("x",), {"metadata": [1]}),
    ("remember", ("x",), {"metadata": {"at": datetime(2026, 5, 7, tzinfo=UTC)}}),
    ("remember", ("x",), {"metadata": {"share": float("nan")}}),
    ("remember", ("x",), {"evidence": "a.py"}),
    ("remember", ("x",), {"tags": "auth"}),
    ("remember", ("x",), {"confidence": 2.5}),
    ("remember", ("x",), {"confidence": "high"}),
    ("remember", ("x",), {"at": [1]}),
    ("remember", ("x",), {"expires_at": "soon"}),
    ("remember", ("x",), {"if_absent": "yes"}),
    ("remember_many", ("one text",), {}),
    ("add_messages", ("one text",), {"session": "s"}),
    ("add_messages", ({"role": "user", "content": "x"},), {"session": "s"}),
    ("recall", ("x",), {"limit": "5"}),
    ("recall", ("x",), {"limit": None}),
    ("recall", ("x",), {"workspace": 5}),
    ("recall", ("x",), {"since": [1]}),
    ("recall", ("x",), {"repeat": 1}),
    ("recall", ("x",), {"kinds": 5}),
    ("recall", ("x",), {"owner": 5}),
    ("recall", ("x",), {"exclude": 5}),
    ("recall", ("x",), {"exclude_sessions": [5]}),
    ("list", (), {"branch": 5}),
    ("list", (), {"limit": 2.5}),
    ("list", (), {"pinned": "yes"}),
    ("list", (), {"since": object}),
    ("count", (), {"project": 5}),
    ("projects.list", (), {"archived": None}),
    ("about", (), {"as_of": [1]}),
]


def test_a_wrong_argument_is_the_same_error_as_in_memory(here: Site, tmp_path: Path) -> None:
    """The same class, code, message and hint, whether a store or a service is asked."""
    with Memory(tmp_path / "file.db", user="ana") as file:
        told = [[refusal_of(memory, *call) for call in WRONG_TYPES] for memory in (here.client(), file)]
    assert [(call, *pair) for call, *pair in zip(WRONG_TYPES, *told, strict=True) if pair[0] != pair[1]] == []


def refusal_of(memory: Memory, name: str, args: tuple[Any, ...], options: dict[str, Any]) -> tuple[Any, ...]:
    method: Any = memory
    for part in name.split("."):
        method = getattr(method, part)
    with pytest.raises(HoldfastError) as caught:
        method(*args, **options)
    error = caught.value
    return type(error), error.code, error.message, error.hint, str(error), error.in_full


def test_a_number_is_a_time_in_every_operation(here: Site) -> None:
    client = here.client()
    client.remember("The shop opens at nine", at=5_000)
    assert [record.at for record in client.list(since=1_000, until=9_000).memories] == [5_000]


def test_a_client_that_was_closed_says_so_as_a_store_does(here: Site) -> None:
    client = here.client()
    client.close()
    for call in (lambda: client.recall("x"), lambda: list(client.export())):
        with pytest.raises(StoreError) as caught:
            call()
        assert (caught.value.code, caught.value.hint) == ("store_closed", "open it again")
    assert not client.is_available()


def test_too_many_arguments_are_told_with_the_name_of_the_method(here: Site) -> None:
    with pytest.raises(TypeError, match=r"members\.add\(\): too many positional arguments"):
        here.client().members.add("ana", "owner", True)  # type: ignore[call-arg]


def wired(answer: Any) -> Memory:
    """A client whose requests are answered by a function."""
    http = httpx.Client(transport=httpx.MockTransport(answer))
    return Memory.on(Remote(Transport("http://memory.example/", "k-1", 30.0, http=http)))


def test_a_request_that_was_not_answered_is_sent_again_with_the_same_key() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        if len(seen) < 3:
            raise httpx.ReadError("gone")
        return httpx.Response(204)

    with wired(answer) as client:
        client.forget("a/b")
        assert client.path == "http://memory.example"
    assert len({one.headers["idempotency-key"] for one in seen}) == 1
    assert seen[0].headers["authorization"] == "Bearer k-1"
    assert seen[0].url.raw_path.startswith(b"/v1/memories/a%2Fb")


def test_s1_56_a_service_that_is_away_is_told_as_such() -> None:
    def answer(_: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    with pytest.raises(StoreError) as caught:
        wired(answer).recall("x")
    assert caught.value.code == "service_unreachable"
    assert not wired(answer).is_available()


@pytest.mark.parametrize(("status", "expected"), [(200, True), (503, False), (404, False)])
def test_s1_56_whether_a_service_is_there_is_asked_once(status: int, expected: bool) -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(status, json={"status": "ok"})

    assert wired(answer).is_available(timeout=0.5) is expected
    assert [(one.method, one.url.path) for one in seen] == [("GET", "/health/ready")]


def test_s1_56_a_memory_says_whether_it_is_available(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "a.db", user="ana")
    assert memory.is_available()
    memory.close()
    assert not memory.is_available()


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(200, text="<html>"),
        httpx.Response(502, text="Bad gateway"),
        httpx.Response(404, json={"detail": "Not Found"}),
        httpx.Response(500, json=["x"]),
        httpx.Response(418, json={"code": "teapot"}),
    ],
)
def test_an_answer_of_something_else_is_told_as_such(response: httpx.Response) -> None:
    with pytest.raises(StoreError) as caught:
        wired(lambda _: response).get("x")
    assert caught.value.code == "service_answer_invalid"


def test_an_error_has_its_own_class() -> None:
    for kind in (NotFound, Conflict):
        told = {"code": "not_deleted", "error": kind.__name__, "detail": "d", "hint": "h"}
        with pytest.raises(kind) as caught:
            wired(lambda _, told=told: httpx.Response(409, json=told)).get("x")
        assert (caught.value.message, caught.value.hint) == ("d", "h")
    told = {"code": "not_deleted", "error": "KINDS", "detail": "d"}
    with pytest.raises(HoldfastError):
        wired(lambda _: httpx.Response(409, json=told)).get("x")
    assert KINDS
