"""Entities, relations and names of one, read from labelled messages of projects: precision and recall.

A folder holds files `*.jsonl` of messages, one a line: `project`, `speaker`, `text`, `entities` (`name`
and `type`) and `relations` (`from`, `relation`, `to`); and `merges.jsonl` with pairs of names: `project`,
`a`, `b`, `same`. Projects are divided in halves by a digest of their names: rules may be made with the
first, the second is only counted. Relations of the speaker are left out: they are claims (`about`).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from holdfast.features.graph.gathering import is_kept
from holdfast.language.entities.read import Mention, known_in, mentions_in
from holdfast.language.entities.relations import ALSO_CALLED, relations_in

PAIRS = "merges.jsonl"
HALVES = ("tuned", "held out")
_TYPES = {"organization": "organisation", "technology": "thing", "concept": "thing"}
_TITLES = re.compile(r"(?i)^(?:(?:mr|mrs|ms|dr|prof|professor|herr|herrn|frau)\b\.? )+")
_MUTUAL = frozenset({"partner_of", "sibling_of", "friend_of", "colleague_of"})
_Relation = tuple[str, str, str]


@dataclass(slots=True)
class Score:
    """Counts by type: labelled, read, and right of those read."""

    labelled: Counter[str] = field(default_factory=Counter)
    read: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)

    def count(self, labels: set[tuple[str, ...]], findings: set[tuple[str, ...]]) -> None:
        """Adds the labels and the findings of a message or a project; the first value of each is its type."""
        for counter, values in (
            (self.labelled, labels),
            (self.read, findings),
            (self.right, labels & findings),
        ):
            counter.update(value[0] for value in values)

    def rows(self) -> list[tuple[str, int, int, int]]:
        """Returns type, labelled, read and right, and their sums."""
        types = sorted(self.labelled | self.read)
        rows = [(type, self.labelled[type], self.read[type], self.right[type]) for type in types]
        return [*rows, ("all", self.labelled.total(), self.read.total(), self.right.total())]


@dataclass(slots=True)
class Half:
    """What was read of one half of the projects: names in each message, entities that are kept of a project
    and do not wait for review, relations of two of them, and pairs of names."""

    messages: int = 0
    mentions: Score = field(default_factory=Score)
    kept: Score = field(default_factory=Score)
    relations: Score = field(default_factory=Score)
    same: int = 0
    merged: int = 0
    other: int = 0
    falsely_merged: int = 0


def half_of(project: str) -> str:
    """Returns the half that a project belongs to."""
    return HALVES[hashlib.sha256(project.encode()).digest()[0] % 2]


def measure(folder: Path) -> dict[str, Half]:
    """Reads the labelled messages of a folder as background work does, and counts by half."""
    projects: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for path in sorted(folder.glob("*.jsonl")):
        if path.name != PAIRS:
            for line in path.read_text("utf-8").splitlines():
                message = json.loads(line)
                projects[message["project"]].append(message)
    halves = {name: Half() for name in HALVES}
    said: dict[str, set[frozenset[str]]] = {}
    for project, messages in projects.items():
        said[project] = _read(halves[half_of(project)], messages)
    for line in (folder / PAIRS).read_text("utf-8").splitlines():
        pair = json.loads(line)
        names = frozenset(_plain(pair[side]).casefold() for side in ("a", "b"))
        is_merged = len(names) == 1 or names in said.get(pair["project"], ())
        half = halves[half_of(pair["project"])]
        half.same += pair["same"]
        half.other += not pair["same"]
        half.merged += pair["same"] and is_merged
        half.falsely_merged += is_merged and not pair["same"]
    return halves


def _read(half: Half, messages: list[dict[str, Any]]) -> set[frozenset[str]]:
    """Counts what is read of a project, and returns the pairs of names that are said to be one's."""
    own = [one for one in messages if one["speaker"] == "user"]
    known = known_in(mention for one in own for mention in mentions_in(one["text"]))
    labelled: set[tuple[str, ...]] = set()
    named: defaultdict[tuple[str, ...], list[Mention]] = defaultdict(list)
    same: set[frozenset[str]] = set()
    for one in messages:
        half.messages += 1
        labels = {(entity["type"], _plain(entity["name"])) for entity in one["entities"]}
        mentions = mentions_in(one["text"], known) if one["speaker"] == "user" else ()
        for mention in mentions:
            named[_TYPES.get(mention.type, mention.type), _plain(mention.name)].append(mention)
        labelled |= labels
        half.mentions.count(set(labels), {(_TYPES.get(m.type, m.type), _plain(m.name)) for m in mentions})
        related = relations_in(one["text"], mentions)
        same |= {
            frozenset(_plain(end.name).casefold() for end in (two.subject, two.target))
            for two in related if two.label == ALSO_CALLED
        }  # fmt: skip
        stated = [(r["from"], r["relation"], r["to"]) for r in one["relations"]]
        half.relations.count(
            {_relation(*ends) for ends in stated if "user" not in ends},
            {_relation(r.subject.name, r.label, r.target.name) for r in related if r.label != ALSO_CALLED},
        )  # fmt: skip
    kept = {
        name for name, of in named.items()
        if is_kept(of[0].type, len(of), is_introduced=any(one.is_introduced for one in of))
    }  # fmt: skip
    half.kept.count(labelled, kept)
    return same


def _plain(name: str) -> str:
    """Returns a name without titles."""
    return _TITLES.sub("", name)


def _relation(subject: str, label: str, target: str) -> _Relation:
    ends = _plain(subject), _plain(target)
    first, second = sorted(ends) if label in _MUTUAL else ends
    return label, first, second
