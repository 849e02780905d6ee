"""The filter rule: what each store derives from its declaration is what a plain reading of the rule says."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

from holdfast.core.filter_rule import NARROWING, RULE
from holdfast.core.folders import File, FileState, Folder
from holdfast.core.kinds import ALWAYS_ABOUT_WORK
from holdfast.core.metadata_filter import metadata_conditions
from holdfast.core.places import Place, Principal, Scope, Visibility, scope_list
from holdfast.core.predicates import All, Comparison, Either, Flag, IfSet, Is, Rule
from holdfast.core.projects import Project, Session
from holdfast.core.record import Memory, Origin, Status
from holdfast.core.sources import Source
from holdfast.core.views import Context, Filter, View, compile_view, personal_view
from holdfast.features.admission.draft import Draft
from holdfast.language.terms import query_terms
from holdfast.stores.base.ports import Question, Store
from holdfast.stores.postgres.sql import Statement
from holdfast.stores.postgres.sql import statements as postgres_statements
from holdfast.stores.sqlite.sql import statements as sqlite_statements
from tests.support import STORES, gate_of, open_store

ROWS = 240
TIMES = range(8)
KINDS = ("note", "fact", "decision", "message", "entity", "convention", "preference")
SCOPES = (Scope(), Scope("paper", "a"), Scope("paper", "b"), Scope("file", "a"))
BRANCHES = (None, "main", "topic")
TAGS = ("red", "blue", "green", "for-agents", "personal")
VALUES = ("de", "en", "", 1, 1.0, 0, 2.5, -3, True, False)
ORDERED = ("de", "dE", "", 1, 1.5, -3, 10**12)
METADATA = (None, *VALUES, "éa", 10**12, ["de"], {"lang": "de"})
SOURCES = ("s1", "s2")
ANA = Principal("ana")

ENDS = st.none() | st.sampled_from(TIMES)
FILTERS = st.builds(
    Filter,
    kinds=st.none() | st.frozensets(st.sampled_from(KINDS)),
    scopes=st.none()
    | st.sets(st.sampled_from([*SCOPES, Scope("paper"), Scope("paper", "absent"), Scope("absent")])).map(
        scope_list
    ),
    branches=st.none() | st.frozensets(st.sampled_from(BRANCHES)),
    tags=st.none() | st.frozensets(st.sampled_from(TAGS), min_size=1),
    session=st.sampled_from([None, None, None, 1, 2]),
    outside=st.none() | st.frozensets(st.sampled_from([1, 2, 3])),
    sources=st.sampled_from([None, None, None, frozenset(SOURCES), frozenset(SOURCES[:1]), frozenset()]),
    since=ENDS,
    until=ENDS,
    as_of=st.none() | ENDS,
    statuses=st.none() | st.frozensets(st.sampled_from(list(Status))),
    deleted=st.sampled_from([None, False, True]),
    pinned=st.sampled_from([None, None, False, True]),
    owner=st.sampled_from([None, None, "ana", "ben"]),
    origins=st.sampled_from(
        [None, None, None, frozenset({"user"}), frozenset({"agent", "web"}), frozenset()]
    ),
    described=st.none()
    | st.dictionaries(
        st.sampled_from(["lang", 'a "key".*', "absent"]),
        st.one_of(
            st.sampled_from(VALUES),
            st.lists(st.sampled_from(VALUES), max_size=3),
            st.dictionaries(
                st.sampled_from(["gt", "gte", "lt", "lte"]), st.sampled_from(ORDERED), min_size=1
            ),
            st.builds(lambda is_there: {"exists": is_there}, st.booleans()),
        ),
        min_size=1,
    ).map(metadata_conditions),
    files=st.sampled_from([None, None, None, frozenset({1}), frozenset({1, 2, 3}), frozenset()]),
    for_work=st.sampled_from([None, None, True]),
)


def is_seen(memory: Memory, current: bool, view: View, now: int) -> bool:
    """The rule in plain words, written without the declaration that the stores derive theirs from."""
    f = view.filter
    is_open = memory.deleted_at is None and memory.status in (Status.APPROVED, Status.SUPERSEDED)
    if memory.place.owner != view.user and not is_open:
        return False
    if f.for_work and memory.place.project is None and memory.kind != "convention":
        is_knowledge = memory.kind not in ("message", "entity")
        is_given = "for-agents" in memory.tags and memory.origin is Origin.USER
        if not is_knowledge or not is_given or "personal" in memory.tags:
            return False
    if memory.place.project is not None and not view.context.any_project:
        return False
    if memory.kind in view.hidden_kinds or (f.kinds is not None and memory.kind not in f.kinds):
        return False
    wanted = None if f.scopes is None else [Scope(*load) for load in json.loads(f.scopes)]
    if wanted is not None and not {memory.scope, Scope(memory.scope.type)} & {*wanted}:
        return False
    if f.branches is not None and memory.place.branch not in f.branches:
        return False
    if f.tags is not None and not f.tags <= set(memory.tags):
        return False
    if f.session is not None and memory.place.session != f.session:
        return False
    if f.outside is not None and memory.place.session in f.outside:
        return False
    if f.sources is not None and memory.source not in f.sources:
        return False
    if f.since is not None and memory.at < f.since:
        return False
    if f.until is not None and memory.at >= f.until:
        return False
    if f.pinned is not None and memory.pinned != f.pinned:
        return False
    if f.described is not None and not all(
        meets(memory.metadata.get(load["key"]), load["op"], load["values"])
        for load in json.loads(f.described)
    ):
        return False
    if f.files is not None and memory.place.file not in f.files:
        return False
    if f.owner is not None and memory.place.owner != f.owner:
        return False
    if f.origins is not None and memory.origin.value not in f.origins:
        return False
    if f.deleted is not None and (memory.deleted_at is not None) != f.deleted:
        return False
    if f.as_of is not None:
        held = memory.holds_from <= f.as_of and (memory.valid_until is None or memory.valid_until > f.as_of)
        lived = memory.pinned or memory.expires_at is None or memory.expires_at > f.as_of
        return held and lived and memory.status in (Status.APPROVED, Status.SUPERSEDED)
    if f.statuses is not None:
        return current and memory.status in f.statuses
    lives = memory.pinned or memory.expires_at is None or memory.expires_at > now
    valid = memory.valid_until is None or memory.valid_until > now
    return current and memory.status is Status.APPROVED and lives and valid


def meets(known: object, op: str, values: list[Any]) -> bool:
    """A condition on metadata in plain words."""
    if op == "exists":
        return bool(values[0] == (known is not None))
    for value in values:
        if isinstance(known, bool) or isinstance(value, bool):
            if op == "in" and known is value:
                return True
        elif (isinstance(known, str) and isinstance(value, str)) or (
            isinstance(known, int | float) and isinstance(value, int | float)
        ):
            ordered = (known > value) - (known < value)  # type: ignore[operator]
            if ordered in {"in": (0,), "gt": (1,), "gte": (0, 1), "lt": (-1,), "lte": (-1, 0)}[op]:
                return True
    return False


Rows = list[tuple[Memory, bool]]


def fill(store: Store) -> Rows:
    """Keeps random memories of ana, some of them earlier versions; returns them in the order of storing, each
    with whether it is the current version."""
    rng = random.Random(7)

    def end() -> int | None:
        when: int | None = rng.choice((None, None, *TIMES))
        return when

    stored: Rows = []
    with store.write() as tx:
        numbers = [tx.put_session(Session(name, "ana", 0, 0)).number for name in ("s", "t")]
        assert numbers == [1, 2]
        project = tx.put_project(Project("shop", 0, 0)).number
        for number, name in enumerate(SOURCES):
            tx.put_source(Source(name, "ana", "notes", f"{number:064x}", 0))
        tx.put_folder(Folder(SOURCES[0], "ana", "code", "code", "/code", 0))
        for name in ("a.py", "b.md"):
            tx.put_file(personal_view(ANA), File(SOURCES[0], name, FileState.INDEXED, 1, 0, 0))
        files = [number for number, *_ in tx.file_paths(personal_view(ANA))]
        assert files == [1, 2]
        for i in range(ROWS):
            draft = Draft(f"harbour {i}", kind=rng.choice(KINDS), title=f"Harbour {i}", at="2026-01-01",
                          tags=rng.sample(TAGS, rng.randrange(3)),
                          metadata={key: rng.choice(METADATA) for key in ("lang", 'a "key".*')
                                    if rng.random() < 0.7})  # fmt: skip
            (admitted,) = gate_of("ana").admit_all([draft], ids=[f"{i:032x}"], now=0)
            assert not isinstance(admitted, Exception)
            current = rng.random() < 0.8
            admitted = admitted.with_memory(
                version=rng.choice([1, 2]), status=rng.choice(list(Status)), at=rng.choice(TIMES),
                updated_at=rng.choice(TIMES), pinned=rng.random() < 0.3, valid_from=end(), valid_until=end(),
                expires_at=end(), deleted_at=rng.choice([None, None, 1]), source=rng.choice([None, *SOURCES]),
                origin=rng.choice((Origin.USER, Origin.AGENT, Origin.WEB)),
            )  # fmt: skip
            place = Place(
                rng.choice(("ana", "ben")), Visibility.TEAM, project=rng.choice((None, project)),
                session=rng.choice([None, 1, 2]), scope=rng.choice(SCOPES), branch=rng.choice(BRANCHES),
            )  # fmt: skip
            if place.session is None:
                place = replace(place, file=rng.choice([None, *files]))
            session = None if place.session is None else "st"[place.session - 1]
            placed = admitted.in_place(place, project="shop" if place.project else None, session=session)
            stored.append((tx.insert(placed, None, "none", home=None if current else place), current))
    return stored


@pytest.fixture(scope="module", params=STORES)
def filled(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Store, Rows]]:
    store = open_store(request.param, tmp_path_factory.mktemp("rule"))
    yield store, fill(store)
    store.close()


@given(narrowing=FILTERS, now=st.sampled_from(TIMES), outside=st.booleans())
def test_every_derivation_is_what_the_rule_says(
    filled: tuple[Store, Rows], narrowing: Filter, now: int, outside: bool
) -> None:
    """By SQL, or the test of the oracle, for pages; by the rows of the index, or the same, for candidates."""
    store, stored = filled
    context = Context(any_project=not outside, any_workspace=True, in_session=outside)
    view = compile_view(ANA, context, narrowing)
    assert bool(view.hidden_kinds) is outside
    expected = [memory.id for memory, current in stored if is_seen(memory, current, view, now)]
    question = Question(query_terms("harbour"), None, "none", 0, 2 * ROWS, now)
    with store.read() as snap:
        page = snap.page(view, limit=2 * ROWS, cursor=None, now=now)
        signals = snap.candidates(view, question)
        found = snap.numbered(view, sorted(signals.number.tolist()), now=now)
        assert snap.count(view, now=now) == len(expected)
    assert [memory.id for memory in page.memories] == expected[::-1]
    assert signals.total == len(expected) == len(signals.number)
    assert [memory.id for _, memory in found] == expected


def test_the_records_pass_and_fail_every_part_of_the_rule(filled: tuple[Store, Rows]) -> None:
    """Else the comparison above would prove nothing of that part."""
    _, stored = filled
    base = Filter(statuses=frozenset(Status), deleted=None)
    whole = sum(is_seen(*one, compile_view(ANA, Context(any_project=True), base), 4) for one in stored)
    parts: list[dict[str, object]] = [
        {"kinds": frozenset({"note"})}, {"scopes": scope_list([Scope("paper")])}, {"since": 4},
        {"until": 4}, {"branches": frozenset({None})}, {"tags": frozenset({"red"})}, {"session": 1},
        {"owner": "ben"}, {"origins": frozenset({"web"})}, {"outside": frozenset({1})},
        {"sources": frozenset({"s1"})}, {"described": metadata_conditions({"lang": "de"})},
        {"files": frozenset({2})}, {"pinned": True}, {"deleted": True}, {"as_of": 4}, {"statuses": None},
        {"for_work": True},
    ]  # fmt: skip
    assert {name for part in parts for name in part} >= {one.parameter for one in NARROWING}
    for part in parts:
        view = compile_view(ANA, Context(any_project=True), replace(base, **part))  # type: ignore[arg-type]
        assert 0 < sum(is_seen(*one, view, 4) for one in stored) < whole, part


def parts_of(rule: Rule | None) -> Iterator[Comparison | Is | Flag]:
    match rule:
        case Comparison() | Is() | Flag():
            yield rule
        case All(tests) | Either(tests):
            for test in tests:
                yield from parts_of(test)
        case IfSet(_, _, then, otherwise):
            yield from parts_of(then)
            yield from parts_of(otherwise)


OF_CONDITIONS = {
    "op", "key", "values", "$.values", "$.values[0]", "exists", "in", "gt", "gte", "lt", "null", "integer",
    "real", "true", "false", "text", "string", "number", "boolean", "{}",
}  # fmt: skip
"""Names of operators, types and keys of conditions on metadata, constants of the statement itself."""


def test_values_are_bound_and_never_put_into_the_text() -> None:
    """The condition of each store holds names of parameters and the constants of the rule, nothing else."""
    constants = {str(value) for one in parts_of(RULE) if isinstance(one, Is) for value in one.values}
    assert constants == {"approved", "superseded"} | ALWAYS_ABOUT_WORK
    bound = {one.parameter for one in parts_of(RULE) if isinstance(one, Comparison)}
    sqlite = sqlite_statements("reading.sql")["count"]
    postgres = postgres_statements("reading.sql")["count"]
    assert isinstance(postgres, Statement)
    for text, form in ((sqlite, ":{}"), (postgres.query.decode(), "%({})s")):
        assert {name for name in bound if form.format(name) in text} == bound
        quoted = {part for part in text.split("'")[1::2] if part}
        assert quoted == constants | {"project", "source"} | (OF_CONDITIONS & quoted)
