"""What is admitted and stored together is what is admitted and stored one by one."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from holdfast import HoldfastError, Memory
from holdfast.core.places import Place, Principal, Visibility
from holdfast.core.record import Kept
from holdfast.core.views import ANY_STATE, personal_view, place_view
from holdfast.features.admission.draft import Draft
from holdfast.language import batch_prescan as seams
from holdfast.language import terms as words_module
from holdfast.stores.base.admitted import Admitted
from holdfast.stores.base.ports import Store, Writer
from tests.support import gate_of, memory_on
from tools.evaluation.corpora.injection import ATTACKS
from tools.evaluation.corpora.ordinary import ordinary_memories
from tools.evaluation.corpora.pii import planted_pii
from tools.evaluation.corpora.secrets import DEVELOPMENT_SEED, planted_secrets

ANA = Principal("ana")
GATE = gate_of("ana")
TOGETHER = {"together": [0, 0], "as usual": [seams.FEW, words_module.LITTLE]}


def drafts() -> list[Draft]:
    seed = DEVELOPMENT_SEED
    texts = [one.text for one in (*planted_secrets(seed, 3), *planted_pii(seed, 3))]
    texts += [*ATTACKS[:60], *ordinary_memories(seed, 300), "", " \n", "<private>x</private>", "a" * 16_385]
    texts += ["My favourite colours are red and blue.", "long " * 700, "caf\u00e9 \u6771\u4eac \ud83c\udf89"]
    rng = random.Random(2)
    made = [
        Draft(
            text, kind=rng.choice(["note", "message", "fact", "entity"]), title=rng.choice([None, "A title"]),
            role=rng.choice([None, "user"]), name=rng.choice([None, "Ada"]),
            tags=rng.choice([(), ("x", "y")]),
            metadata=rng.choice([None, {"type": "person", "n": [1, "Ada"]}]),
        )
        for text in texts
    ]  # fmt: skip
    return [
        *made,
        Draft("x", kind="unknown"),
        Draft("x", status="rejected"),
        Draft("x", external_id="sk-ant-" + "a1B2" * 8),
        Draft("x", tags="no list"),
        Draft("a whole one", visibility="nobody"),
        Draft(5),  # type: ignore[arg-type]
    ]


@pytest.mark.parametrize("how", list(TOGETHER))
def test_s2_20_many_drafts_are_admitted_as_each_alone(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """S2.20, S4.20: with the same errors, too, and a bad one does not stop the others."""
    given = drafts()
    ids = [f"id-{number}" for number in range(len(given))]
    alone: list[Admitted | str] = []
    for draft, id in zip(given, ids, strict=True):
        try:
            alone.append(GATE.admit(draft, id=id, now=7))
        except HoldfastError as error:
            alone.append(error.code)
    monkeypatch.setattr(seams, "FEW", TOGETHER[how][0])
    monkeypatch.setattr(words_module, "LITTLE", TOGETHER[how][1])
    found = GATE.admit_all(given, ids=ids, now=7)
    assert [one.code if isinstance(one, HoldfastError) else one for one in found] == alone
    assert sum(isinstance(one, str) for one in alone) >= 10


def test_many_memories_are_inserted_as_each_alone(store: Store) -> None:
    place = Place("ana", Visibility.PRIVATE)
    given = [Draft(f"The {word} gateway times out. " * 40, kind="passage") for word in ("first", "second")]
    made = GATE.admit_all(given, ids=["a", "b"], now=7)
    new = [one.in_place(place, project=None, session=None) for one in made if isinstance(one, Admitted)]
    rng = np.random.default_rng(1)
    vectors = [rng.random((len(one.spans), 8), np.float32) for one in new]
    view = personal_view(ANA)
    with store.write() as tx:
        tx.insert_all([(new[0], vectors[0]), (new[1], None)], "model-of-eight")
    with store.read() as snap:
        assert [snap.get(view, one.memory.id) for one in new] == [one.memory for one in new]
        assert not snap.lacks_vectors(view, "a", "model-of-eight")
        assert snap.lacks_vectors(view, "b", "model-of-eight")
    with pytest.raises(HoldfastError) as error, store.write() as tx:
        tx.insert_all([(new[1], None)], "model-of-eight")
    assert error.value.code == "duplicate_text"


STATEMENTS = (
    "Ada prefers tea", "Ada prefers coffee", "ada prefers tea.", "Ada lives in Berlin", "Ada lives in Paris",
    "Grace deploys on Monday", "Grace deploys on Friday", "The API port is 8080", "The API port is 9090",
    "We use PostgreSQL 16", "The key is sk-ant-" + "a1B2" * 8, " ",
)  # fmt: skip


def items(seed: int, count: int) -> list[dict[str, Any]]:
    """Statements that repeat, refine and contradict each other, in several places."""
    rng = random.Random(seed)

    def one() -> dict[str, Any]:
        more: dict[str, Any] = {
            "project": rng.choice([None, "till", "shop"]),
            "kind": rng.choice(["note", "note", "fact", "message"]),
            "visibility": rng.choice([None, None, "private", "team", "nobody"]),
            "external_id": rng.choice([None, None, None, "a", "b"]),
            "scope": rng.choice([None, None, ("track", "x")]),
            "branch": rng.choice([None, None, "main"]),
            "status": rng.choice([None, None, None, "pending"]),
        }
        return {"text": rng.choice(STATEMENTS)} | {k: v for k, v in more.items() if v is not None}

    return [one() for _ in range(count)]


def outcome_of(kept: Kept) -> list[Any]:
    """Returns what became of one text, without ids."""
    reason = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "an id", kept.reason)
    memory = kept.memory
    if memory is None:
        return [kept.outcome, reason, kept.code]
    shown = (memory.text, memory.kind, memory.status, memory.version, memory.confidence, memory.project)
    return [kept.outcome, reason, kept.code, *shown]


def test_s2_20_a_batch_becomes_what_its_texts_become_one_by_one(store: Store, tmp_path_factory: Any) -> None:
    """S2.20, S4.24: what is looked up ahead, and what the batch itself has stored, count alike."""
    given = items(4, 120)
    together = memory_on(store)
    with Memory(tmp_path_factory.mktemp("alone") / "a.db", user="ana") as alone:
        kept: list[list[Any]] = []
        for first, last in ((0, 1), (1, 40), (40, len(given))):
            kept += map(outcome_of, together.remember_many(given[first:last]))
        expected = [outcome_of(alone.remember_many([one])[0]) for one in given]
    assert kept == expected
    assert len({tuple(map(str, one)) for one in kept}) > 20
    assert not together.doctor().problems
    together.audit.verify()


def fact_of_ana(id: str) -> Admitted:
    """Returns a fact of ana that says its id."""
    one = GATE.admit(Draft(f"The {id} gateway", kind="fact"), id=id, now=7)
    return one.in_place(Place("ana", Visibility.PRIVATE), project=None, session=None)


def add(tx: Writer, id: str, vector: np.ndarray[Any, Any] | None = None) -> None:
    """Stores `made` with its event."""
    rows = np.ones((1, 8), np.float32) if vector is None else vector[np.newaxis]
    tx.insert_all([(fact_of_ana(id), rows)], "model-of-eight")
    tx.add_event(at=7, actor="user:ana", action="remember", subject=id, detail={})


def test_an_attempt_that_fails_leaves_what_waited_before_it(store: Store) -> None:
    """Whether it was written meanwhile or not; numbers, events and seals are as if it had not been."""
    view = personal_view(ANA)

    def fail(tx: Writer, known: str, *, is_read: bool) -> None:
        with tx.attempt():
            add(tx, "gone")
            with pytest.raises(HoldfastError), tx.attempt():
                tx.insert(fact_of_ana(known), None, "none")  # it is there already
            assert not is_read or tx.get(view, "gone") is not None
            raise ZeroDivisionError

    with store.write() as tx:
        for id in ("kept", "also"):
            add(tx, id)
            for is_read in (False, True):
                with pytest.raises(ZeroDivisionError):
                    fail(tx, id, is_read=is_read)
            with tx.attempt():
                assert tx.get(view, "gone") is None
    with store.read() as snap:
        assert [memory.id for memory in snap.page(view, limit=10, cursor=None, now=7).memories] == [
            "also",
            "kept",
        ]
        assert [event.subject for event in snap.events(view)] == ["kept", "also"]
    assert store.check(thorough=True) == []


@pytest.mark.parametrize("is_searched", [False, True])
def test_a_transaction_that_fails_leaves_nothing(store: Store, is_searched: bool) -> None:
    """Rows, events, seals and the index are as if it had not been, also if it searched what it wrote."""
    view, vectors = personal_view(ANA), np.eye(3, 8, dtype=np.float32)

    def fail(tx: Writer) -> None:
        add(tx, "gone", vectors[1])
        assert tx.get(view, "gone") is not None
        if is_searched:
            tx.nearest(view, vectors, "model-of-eight", limit=5, least=0.5, now=7)
        raise ZeroDivisionError

    with store.write() as tx:
        add(tx, "kept", vectors[0])
    with pytest.raises(ZeroDivisionError), store.write() as tx:
        fail(tx)
    with store.write() as tx:
        add(tx, "after", vectors[2])
    with store.read() as snap:
        assert [memory.id for memory in snap.page(view, limit=10, cursor=None, now=7).memories] == [
            "after",
            "kept",
        ]
        assert [event.subject for event in snap.events(view)] == ["kept", "after"]
        found = snap.nearest(view, vectors, "model-of-eight", limit=5, least=0.5, now=7)
        near = [[one.id for _, one in snap.numbered(view, [n for n, _ in each], now=7)] for each in found]
        assert near == [["kept"], [], ["after"]]
    assert store.check(thorough=True) == []


def test_the_nearest_to_many_vectors_are_those_to_each(store: Store) -> None:
    """Exact scores, the passages of a memory as one, other places and kinds left out."""
    rng = np.random.default_rng(3)
    place = Place("ana", Visibility.PRIVATE)
    held: dict[str, np.ndarray[Any, Any]] = {}
    with store.write() as tx:
        for number in range(60):
            text = f"The {number} gateway times out. " * rng.choice([1, 80])
            one = GATE.admit(Draft(text, kind=rng.choice(["note", "fact"])), id=f"m{number:02}", now=7)
            there = Place("ana", Visibility.TEAM) if number % 5 == 0 else place
            rows = rng.standard_normal((len(one.spans), 8)).astype(np.float32)
            rows = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float16).astype(np.float32)
            tx.insert_all([(one.in_place(there, project=None, session=None), rows)], "model-of-eight")
            if there is place:
                held[one.memory.id] = rows
    asked = rng.standard_normal((40, 8)).astype(np.float32)
    asked /= np.linalg.norm(asked, axis=1, keepdims=True)
    view = place_view(place, "note", ANY_STATE)
    with store.read() as snap:
        found = snap.nearest(view, asked, "model-of-eight", limit=3, least=0.5, now=7)
        names: Mapping[int, Any] = dict(snap.numbered(view, range(200), now=7))
    for vector, near in zip(asked, found, strict=True):
        fit = {id: float((rows * vector).sum(axis=1).max()) for id, rows in held.items()}
        best = sorted((id for id in fit if fit[id] >= 0.5), key=lambda id: -fit[id])[:3]
        assert [names[number].id for number, _ in near] == best
        assert [cosine for _, cosine in near] == pytest.approx([fit[id] for id in best], abs=1e-5)
