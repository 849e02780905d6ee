"""Noninterference: what one view sees is the same, byte for byte, whatever happens in other places."""

from __future__ import annotations

import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import Phase, given, settings

from holdfast import HoldfastError, Memory
from holdfast.embeddings.static import StaticEmbedder
from holdfast.stores.base.ports import Store
from tests.fakes import HashEmbedder, ManualClock
from tests.profiles import examples
from tests.support import memory_on, open_store

PAIRS = {"oracle": 10, "sqlite": 15, "cold": 5, "postgres": 5}
"""Pairs of worlds per place to read from: most where they cost least of what is delivered."""

FOUND = (Phase.explicit, Phase.generate)
"""A failure is told as it was found: shrinking takes minutes."""

WORDS = ("boat", "red", "blue", "harbour", "keeper", "paint", "ada", "8080", "9090", "port", "tabs", "spaces")
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
KINDS = st.sampled_from(["note", "fact", "decision", "message", "entity"])

OWN = st.one_of(
    st.tuples(st.just("remember"), TEXTS, KINDS),
    st.tuples(st.just("chat"), TEXTS, st.sampled_from(["s", "t"])),
    st.tuples(st.just("name"), TEXTS, st.sampled_from(["s", "t"])),
    st.tuples(st.just("recall"), TEXTS, st.sampled_from(["words", "vectors", "hybrid"])),
    st.tuples(st.just("revise"), TEXTS, st.integers(0, 9)),
    st.tuples(st.just("forget"), st.just(""), st.integers(0, 9)),
    st.tuples(st.just("list"), st.just(""), st.integers(1, 5)),
    st.tuples(st.just("file"), TEXTS, st.integers(0, 2)),
    st.tuples(st.just("state"), st.sampled_from(["Blue", "Red"]), st.integers(1, 3)),
    st.tuples(st.just("ask"), st.sampled_from(["list my favorite colors", "my second color"]), st.none()),
)
BENS = ("ben-here", "ben-there", "ben-files")
SEEN: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "here": (
        {"project": "shop"},
        (*BENS, "ana-there", "ana-free", "ana-files", "ana-unplug", "ana-lab", "ana-lab-there"),
    ),
    "any-workspace-for-work": (
        {"project": "shop", "workspace": "*", "personal": False},
        (*BENS, "ana-there", "ana-free", "ana-files", "ana-unplug", "ana-lab-there", "ana-personal"),
    ),
    "any-project": ({"project": "*"}, (*BENS, "ana-lab", "ana-lab-there")),
    "any-project-strictly": (
        {"project": "*", "workspace": "home", "strict_workspace": True},
        (*BENS, "ana-there", "ana-free", "ana-files", "ana-unplug", "ana-lab", "ana-lab-there"),
    ),
}
"""From where the observer recalls and lists, and what is elsewhere then: each `*` lifts one limit only."""


def histories(seen: str) -> Any:
    """Steps of an observer who reads from one of SEEN, and of others elsewhere."""
    elsewhere = st.tuples(st.sampled_from(SEEN[seen][1]), TEXTS, KINDS, st.booleans())
    steps = st.one_of(OWN.map(lambda a: ("own", a)), elsewhere.map(lambda a: ("else", a)))
    return st.lists(steps, min_size=5, max_size=25)


class World:
    """One store with an observer, Ana in the project `shop`, and others who act elsewhere."""

    def __init__(self, store: Store, embedder: Any, root: Path, seen: str) -> None:
        clock = ManualClock()
        self.seen = SEEN[seen][0]
        self.root = root
        self.clock = clock
        self.ana = memory_on(store, clock=clock, seed=1, embedder=embedder)
        self.elsewhere = memory_on(store, clock=clock, seed=2, embedder=embedder)
        self.ben = memory_on(store, user="ben", clock=clock, seed=3, embedder=embedder)
        self.ids: list[str] = []
        self.ana.projects.create("shop")  # projects are known to the whole tenant

    def own(self, verb: str, text: str, detail: Any) -> Any:
        """What the observer sees of her own step."""
        try:
            return self._own(verb, text, detail)
        except HoldfastError as error:
            return error.as_dict()

    def _own(self, verb: str, text: str, detail: Any) -> Any:
        ana = self.ana
        if verb == "remember":
            result = ana.remember(text, kind=detail, project="shop", workspace=self._own_workspace())
            self.ids += [result.memory.id] if result.memory else []
            return result.as_dict()
        if verb == "chat":
            message = {"role": "user", "content": text, "id": text}
            return [k.as_dict() for k in ana.add_messages([message], session=detail, project="shop")]
        if verb == "name":
            return ana.sessions.create(detail, project="shop", name=text).as_dict()
        if verb == "recall":
            hits = ana.recall(text, mode=detail, **self.seen)
            return hits.as_dict(), [hit.score.hex() for hit in hits]
        if verb == "state":
            return ana.facts.set("colors", text, detail, project="shop", session="s").facts[0].rank
        if verb == "ask":
            asked: Any = ({"project": "shop"}, {"session": "s"})
            return [ana.ask(text, **place, **self._personal()).as_dict() for place in asked]
        if verb == "file":
            return self._indexed(text, detail)
        if verb == "list":
            page = ana.list(limit=detail, **self.seen)
            counted = None if self._personal() else ana.count(project="shop")
            return [m.as_dict() for m in page.memories], page.cursor, counted
        if not self.ids:
            return None
        id = self.ids[detail % len(self.ids)]
        if verb == "revise":
            return ana.revise(id, text=text).as_dict()
        ana.forget(id)
        return [step.as_dict() for step in ana.history(self.ids[0])]

    def _own_workspace(self) -> str | None:
        """That in which the observer reads strictly, if she does."""
        return self.seen["workspace"] if "strict_workspace" in self.seen else None

    def _personal(self) -> dict[str, Any]:
        """Whether she leaves out her own notes, if she says so."""
        return {name: value for name, value in self.seen.items() if name == "personal"}

    def _indexed(self, text: str, number: int) -> Any:
        """Her own folder, connected to her project; the disk says when a file was changed."""
        root = self.root / "own"
        root.mkdir(exist_ok=True)
        path = root / f"{number}.md"
        path.write_text(f"# {text}\n\n{text} in her own file\n")
        os.utime(path, ns=(0, self.clock() * 1_000_000))
        folder = self.ana.folders.add(root, project="shop")
        report = self.ana.folders.index(folder.id).as_dict()
        files = [file.as_dict() for file in self.ana.folders.files(folder.id)]
        return report, files, self.ana.folders.chunk_stats(folder.id)

    def other(self, where: str, text: str, kind: str, recall: bool) -> None:
        """Something that must not matter."""
        if where.endswith(("files", "unplug")):
            self.other_files(where, text)
            return
        places: dict[str, tuple[Memory, dict[str, Any]]] = {
            "ben-here": (self.ben, {"project": "shop"}),
            "ben-there": (self.ben, {"project": "other"}),
            "ana-there": (self.elsewhere, {"project": "other"}),
            "ana-free": (self.elsewhere, {"session": "free"}),
            "ana-personal": (self.elsewhere, {}),
            "ana-lab": (self.elsewhere, {"workspace": "lab", "project": "shop"}),
            "ana-lab-there": (self.elsewhere, {"workspace": "lab", "project": "other"}),
        }
        memory, place = places[where]
        if where == "ana-free":
            kind = "message"
        memory.remember(f"{text} {where}", kind=kind, **place)
        if kind == "message":
            session = place.get("session", where)
            memory.remember(f"{text} {where}", kind=kind, **place | {"session": session})
            memory.sessions.update(session, name=f"{text} {where}")
        if "blue" in text:
            memory.facts.add("colors", [f"Blue {where}"], **place)
        if recall:  # strictly there: giving out a memory of the observer's would rightly count as its use
            memory.recall(text, strict_workspace=True, **place)

    def other_files(self, where: str, text: str) -> None:
        """Ben's own folder is connected to the observer's project, hers to another; one that was taken off
        her project is in its place there no more."""
        memory = self.ben if where == "ben-files" else self.elsewhere
        project = {"ben-files": "shop", "ana-files": "other", "ana-unplug": "shop"}[where]
        root = self.root / where
        root.mkdir(exist_ok=True)
        (root / f"{text.split()[0]}.md").write_text(f"# {text}\n\n{text} in a file of {where}\n")
        folder = memory.folders.add(root, project=project)
        memory.folders.index(folder.id)
        if where == "ana-unplug":
            memory.folders.disconnect(folder.id, project)
            memory.folders.connect(folder.id, "other")


@pytest.mark.parametrize("seen", SEEN)
@pytest.mark.parametrize("kind", PAIRS)
def test_m_8_other_places_do_not_change_what_is_seen(kind: str, seen: str) -> None:
    @settings(max_examples=examples(PAIRS[kind]), phases=FOUND)
    @given(history=histories(seen))
    def compare(history: list[Any]) -> None:
        compare_worlds(kind, seen, history, HashEmbedder())

    compare()


@settings(max_examples=examples(20), phases=FOUND)
@given(data=st.data(), seen=st.sampled_from(sorted(SEEN)))
def test_m_8_nor_with_the_shipped_embedder(data: st.DataObject, seen: str) -> None:
    compare_worlds("sqlite", seen, data.draw(histories(seen)), EMBEDDER)


EMBEDDER = StaticEmbedder()


def numbered(seen: Any) -> str:
    """What was seen as JSON, with a number for each digest: they are keyed by the store."""
    known: dict[str, int] = {}
    text = json.dumps(seen, sort_keys=True)
    digest = r"(?<=\")[0-9a-f]{64}(?=\")|(?<=/)[0-9a-f]{16}(?=/)"
    return re.sub(digest, lambda match: str(known.setdefault(match[0], len(known))), text)


def compare_worlds(kind: str, seen: str, history: list[Any], embedder: Any) -> None:
    """Runs a history with and without what happens elsewhere and compares what the observer saw."""
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        stores = [open_store(kind, Path(one)), open_store(kind, Path(two))]
        busy, quiet = (
            World(store, embedder, Path(root), seen) for store, root in zip(stores, (one, two), strict=True)
        )
        for who, action in history:
            for world in (busy, quiet):
                world.clock.forward(millis=1)
            if who == "else":
                busy.other(*action)
                continue
            told, expected = (numbered(world.own(*action)) for world in (busy, quiet))
            assert told == expected
        for store in stores:
            store.close()
