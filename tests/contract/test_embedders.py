"""The store contract, other embedders: two generations side by side, disclosure, dimensions, the cache."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from holdfast.api.memory import Memory
from holdfast.core.errors import Conflict, InvalidInput
from holdfast.features.memories import embed
from holdfast.features.models.embedding import CACHED_FOR, RemoteEmbedder
from holdfast.features.service import Service
from holdfast.stores.base.ports import Store
from holdfast.workers import worker_for
from tests.fakes import HashEmbedder, ManualClock
from tests.models.providers import Provider, provider
from tests.support import memory_on, service_on, texts

TEXTS = ["The harbour opens at six", "Anna mends the sails", "The crane lifts nine tons"]


def with_model(service: Service, server: Provider, dim: int = 48) -> Memory:
    memory = Memory.over(service)
    memory.models.add("emb", "some-embedder", url=server.url, dimensions=dim)
    return memory


def sent(server: Provider) -> list[str]:
    """The texts that were sent to be embedded."""
    return [text for request in server.requests for text in request["body"]["input"]]


def test_m_5_a_switch_prepares_the_next_generation_while_the_old_one_answers(store: Store) -> None:
    """And back again: each generation is whole whenever it is asked, whatever was written meanwhile."""
    old, new = HashEmbedder(), HashEmbedder(64, "hash-next")
    service = service_on(store, embedder=old)
    memory = Memory.over(service)
    for text in TEXTS:
        memory.remember(text)

    def finds(service: Service, *more: str) -> bool:
        """Whether every text is found by its vector, and nothing is missing."""
        asker = Memory.over(service)
        found = {text: asker.recall(text, mode="vectors", limit=1) for text in (*TEXTS, *more)}
        return all(not hits.degraded and texts(hits) == [text] for text, hits in found.items())

    both = replace(service, next_embedder=new)
    assert finds(both)
    assert not finds(replace(service, embedder=new))
    during = Memory.over(both).remember("The ferry leaves at noon").memory
    assert during is not None
    Memory.over(both).revise(during.id, text="The ferry leaves at one")
    assert finds(both, "The ferry leaves at one")
    assert embed.repair(both, limit=2) == (2, 0)
    assert finds(both, "The ferry leaves at one")
    assert Memory.over(both).maintain() == (2, 0)
    swapped = replace(service, embedder=new, next_embedder=old)
    assert finds(swapped, "The ferry leaves at one")
    Memory.over(swapped).remember("The lamp is green")
    worker_for(swapped, threads=1).run_due()
    for known in (swapped, service):
        assert finds(known, "The ferry leaves at one", "The lamp is green")
        assert Memory.over(known).doctor().waiting == 0


def test_a_model_that_embeds_is_asked_by_jobs_only_after_its_disclosure(
    store: Store, clock: ManualClock
) -> None:
    service = service_on(store, clock=clock)
    with provider("openai") as server:
        memory = with_model(service, server)
        service.embedder = RemoteEmbedder(service, "emb")
        for text in TEXTS:
            memory.remember(text)
        assert server.requests == []
        worker_for(service, threads=1).run_due()
        assert sorted(sent(server)) == sorted(TEXTS)
        hits = memory.recall("Anna mends sails", mode="vectors")
        assert hits[0].memory.text == TEXTS[1]
        assert "Anna mends sails" in sent(server)
        usage = [(one.operation, one.outcome) for one in memory.models.usage()]
        assert usage == [("embed", "success")]
    with provider("openai") as far:
        file_url = far.url.replace("127.0.0.1", "example.invalid").replace("http", "https")
        memory.models.add("far", "some-embedder", url=file_url, dimensions=48)
        service.embedder = RemoteEmbedder(service, "far")
        hits = memory.recall("Anna mends the sails")
        assert "Conflict" in str(hits.degraded)
        assert texts(hits)[0] == TEXTS[1]
        with pytest.raises(Conflict, match="nobody has accepted"):
            service.embedder.embed(["a"])
        assert far.requests == []


def test_s4_47_vectors_are_cached_by_content_until_something_is_erased(
    store: Store, clock: ManualClock
) -> None:
    service = service_on(store, clock=clock)
    with provider("openai") as server:
        memory = with_model(service, server)
        service.embedder = RemoteEmbedder(service, "emb")
        for _ in range(3):
            memory.recall("Anna mends sails")
        assert sent(server) == ["Anna mends sails"]
        stored = memory.remember("The lamp is green").memory
        assert stored is not None
        memory.forget(stored.id, hard=True)
        memory.recall("Anna mends sails")
        assert sent(server).count("Anna mends sails") == 2
        clock.forward(millis=CACHED_FOR)
        memory.recall("Anna mends sails")
        assert sent(server).count("Anna mends sails") == 3
        memory.recall("the password is hunter2hunter2 of Anna")
        assert "hunter2" not in json.dumps(sent(server))


def test_s4_46_other_dimensions_than_stated_are_refused(store: Store, clock: ManualClock) -> None:
    service = service_on(store, clock=clock)
    with provider("openai", dim=32) as server:
        memory = with_model(service, server, dim=48)
        service.embedder = RemoteEmbedder(service, "emb")
        memory.remember(TEXTS[0])
        worker_for(service, threads=1).run_due()
        assert memory.jobs.list()[0].error == "model_answer_invalid"
        hits = memory.recall("harbour opens")
        assert hits.degraded
        assert texts(hits) == [TEXTS[0]]
        memory.models.add("writer", "some-model", url=server.url)
        with pytest.raises(InvalidInput, match="is not an embedding model"):
            RemoteEmbedder(service, "writer")


def test_settings_name_the_embedder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with provider("openai") as server:
        with Memory(tmp_path / "notes.db") as memory:
            memory.models.add("emb", "some-embedder", url=server.url, dimensions=48)
        monkeypatch.setenv("HOLDFAST_EMBEDDER_NEXT", "model:emb")
        with Memory(tmp_path / "notes.db") as memory:
            memory.remember(TEXTS[0])
            assert memory.maintain() == (1, 0)
        monkeypatch.delenv("HOLDFAST_EMBEDDER_NEXT")
        monkeypatch.setenv("HOLDFAST_EMBEDDER", "model:emb")
        with Memory(tmp_path / "notes.db") as memory:
            assert texts(memory.recall("harbour opens", mode="vectors")) == [TEXTS[0]]
    monkeypatch.setenv("HOLDFAST_EMBEDDER", "magic")
    with pytest.raises(InvalidInput, match="no embedder"):
        Memory(tmp_path / "notes.db")


def test_s4_68_the_catalogue_says_what_the_page_says_and_calls_are_batches_of_its_size(
    store: Store,
) -> None:
    service = service_on(store)
    memory = Memory.over(service)
    found = memory.models.catalogue()
    page = (Path(__file__).parents[2] / "docs/models.md").read_text("utf-8")
    for one in found:
        assert f"| `{one.model}` | {one.dimensions:,} | {one.advice}" in page
    assert [one.model for one in found if one.advice == "recommended"] == ["nomic-embed-text"]
    assert {one.model: one.dimensions for one in found if one.advice == "large"} == {
        "qwen3-embedding:4b": 2_560
    }
    (batch,) = {one.batch for one in found}
    with provider("openai") as server:
        with_model(service, server)
        RemoteEmbedder(service, "emb").embed([f"text {n}" for n in range(batch + 1)])
    assert [len(request["body"]["input"]) for request in server.requests] == [batch, 1]


def test_the_cache_has_keyed_digests(store: Store) -> None:
    with provider("openai") as server:
        service = service_on(store)
        with_model(service, server)
        first, second = RemoteEmbedder(service, "emb"), RemoteEmbedder(service, "emb")
        first.embed(["a"])
        second.embed(["a"])
        assert first.cache._rows.keys().isdisjoint(second.cache._rows.keys())
        assert memory_on(store).models.list()[0].dimensions == 48
