"""Calls of every documented operation, made from the OpenAPI document and values for each argument."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from tests.http.support import Site
from tests.worlds import (
    CHAT_EXPORT,
    CONTRADICTIONS,
    DESCRIBED,
    ERASED,
    FACTS,
    FORGOTTEN,
    REJECTED,
    SECOND,
    STATED,
    TALK,
    WAITING,
)  # fmt: skip

NEW = "The ferry of the harbour leaves at noon"
SAME_TIME = "2026-01-01T10:00:00Z"

VALUES: Mapping[str, Sequence[Any]] = {
    "after": [0, 3],
    "agent": ["coder"],
    "around": [1],
    "ai_response": ["The boat dries until May."],
    "anew": [True],
    "archived": [True],
    "as_of": [SAME_TIME, "2025-01-01"],
    "at": [SAME_TIME],
    "before": [9],
    "beside": [True],
    "boost": [{"fact": 2.0}],
    "branch": ["feature"],
    "budget": [300],
    "colour": ["red"],
    "confidence": [0.4],
    "config_files": [["a.toml"]],
    "confirm": ["USER"],
    "content": [CHAT_EXPORT, "EXPORT"],
    "content_base64": ["W10="],
    "conversation_count": [1],
    "core_files": [["b.py"]],
    "cursor": ["CURSOR", "no cursor"],
    "days": [30],
    "code_only": [True],
    "decisions": [[{"id": "ID", "decision": "reject"}]],
    "dependencies": [["sea"]],
    "deleted": [True],
    "description": ["the harbour"],
    "doc_files": [["b.md"]],
    "resume": [False, True],
    "dry_run": [True],
    "folder": ["/srv/shop"],
    "insights": [{"type": "file", "id": "fees.xlsx"}],
    "history": [True],
    "purpose": ["newsletter"],
    "everyone": [True],
    "entities": [["Boat", "Keeper"], ["Gull"]],
    "entry_points": [["b.py"]],
    "evidence": [{"files": ["boat.py"]}],
    "evaluator": ["nightly"],
    "exclude": [["*.log"]],
    "exclude_sessions": [["talk"], ["cabin"]],
    "expires_at": ["2027-01-01"],
    "external_id": ["k1", "k99"],
    "extract": [True],
    "failed": [True],
    "formerly": [["DESCRIBED"]],
    "file": ["sales.db", "no.db", "harbour-owner.xlsx", "pumps-owner.xlsx"],
    "filename": ["chat.json"],
    "flagged": [False],
    "format": ["jsonl", "markdown", "messages"],
    "frontend_files": [["b.ts"]],
    "files": [["b.py"]],
    "hard": [True],
    "icon": ["boat"],
    "if_absent": [True],
    "if_version": [1],
    "include": [["pending"], ["rejected"], ["forgotten"], ["superseded"], ["expired"]],
    "items": [[{"text": text, "project": "shop"} for text in (NEW + " or later", FACTS[2], FORGOTTEN)]],
    "keys": [["2" * 64]],
    "keywords": [["oar"]],
    "kind": ["fact", "message", "preference"],
    "kinds": [["fact"], ["entity"]],
    "limit": [1, 3],
    "language": [["python"], ["make"]],
    "log": ['{"type": "read", "path": "boat.py"}'],
    "map": [{"project": "shop", "modules": {}}],
    "max_bytes": [20],
    "max_depth": [1],
    "max_entries": [1],
    "message_count": [3],
    "members": [["dora"], ["ana"]],
    "messages": [list(TALK), [{"role": "user", "content": FACTS[0], "id": "m4"}]],
    "metadata": [{"berth": 1}],
    "min_confidence": [0.5],
    "personal": [False],
    "disputes": [True],
    "mmr": [0.5],
    "mode": ["words", "vectors", "hybrid"],
    "module": ["hull", "no such module"],
    "name": ["Deck"],
    "newest_first": [True],
    "near": [5],
    "note": ["it is so"],
    "notes": ["of the harbour"],
    "moves": [True],
    "offset": [1],
    "on": [True],
    "open_to_all": [True],
    "older_than": [1],
    "origin": ["tool"],
    "origins": [["user"], ["agent", "web"]],
    "owner": ["ana", "dora"],
    "payload": [DESCRIBED, {"name": "sales.db", "entities": []}],
    "paths": [["b.py"]],
    "pinned": [True, False],
    "platform": ["chatgpt"],
    "projects": [["shop"], ["barn"]],
    "path": [["boat.md"], ["*.py"]],
    "project": ["shop", "barn", "attic", "*"],
    "purge_after": [30],
    "query": ["which port does the pump use?", "the red boat of the keeper"],
    "rank": [1],
    "provider": ["openai", "gemini"],
    "url": ["http://127.0.0.1:9"],
    "model": ["tiny"],
    "dimensions": [3],
    "timeout": [5],
    "price_in": [1.0],
    "price_out": [2.0],
    "cost_per_day": [1.0],
    "cost_per_month": [9.0],
    "tokens_per_day": [1_000],
    "tokens_per_month": [9_000],
    "reason": ["it is over"],
    "record": [False],
    "redact": [True],
    "related_modules": [["hull"]],
    "remove": [True],
    "renamed": [{"a.py": "b.py"}],
    "repeat": [True],
    "role": ["user"],
    "root": ["ROOT", "/etc"],
    "scope": [{"type": "paper", "id": "1"}],
    "scopes": [["paper:1", "global"], ["paper"]],
    "seed": [False],
    "seeds": [[{"text": "Ropes are coiled by the keeper", "file": "AGENTS.md", "key": "r"}]],
    "sample_size": [5],
    "sequence": [9],
    "session": ["talk", "cabin"],
    "session_type": ["build"],
    "sha256": ["1" * 64, "2" * 64],
    "since": [SAME_TIME],
    "source": ["SOURCE"],
    "stale": [True],
    "status": ["pending"],
    "strict_workspace": [True],
    "subject": ["Boat"],
    "summary": ["About the boat"],
    "supersedes": ["ID"],
    "symbols": [["row"]],
    "system_prompt": ["Speak of boats"],
    "tags": [["boat"]],
    "target": ["Keeper", "Gull"],
    "task": ["paint the red boat of the keeper"],
    "test_files": [["b_test.py"]],
    "text": [NEW, FACTS[0], CONTRADICTIONS[1], SECOND[2], WAITING, REJECTED, FORGOTTEN, ERASED],
    "texts": [["is painted red"], ["has two oars"]],
    "threshold": [0.3],
    "title": ["The boat"],
    "to": ["wharf"],
    "topic": ["boats", "colors", "songs"],
    "type": ["thing", "bird"],
    "until": [SAME_TIME],
    "user": ["dora"],
    "user_data": [True],
    "user_message": ["Is the boat dry?"],
    "valid_from": [SAME_TIME],
    "valid_until": ["2027-01-01"],
    "sources": [["ID"]],
    "value": ["Heron", "Tern"],
    "values": [["Heron", "Tern"]],
    "verdict": ["wrong", "helpful"],
    "version": [1, 2],
    "visibility": ["private", "team", "project"],
    "watch": [False],
    "with_backups": [True],
    "with_forgotten": [True],
    "workspace": ["lab", "*"],
    "write": [False],
    "Idempotency-Key": ["same"],
    "if-match": ['"1"'],
    "prefer": ["respond-async"],
}
"""What each argument is given, the first where it is required; one that is missing fails the test."""

OF_OPERATION: Mapping[str, Mapping[str, Sequence[Any]]] = {
    "correct": {"id": ["STATED", "OWN STATED"], "text": ["Lives in Braga"], "was": [STATED]},
    "dismiss": {"id": ["SAID", "OWN SAID"], "was": ["Is allergic to nuts"]},
    "review_undo": {"ids": [["ID"]]},
    "about": {"name": ["keeper"]},
    "ask": {"text": ["list my favorite boats", "which port has the pump?", "what is my favorite color?"]},
    "extract": {"text": ["I love the boat of the keeper. I prefer tabs."]},
    "entities_create": {"name": ["Boat", "Gull"], "type": ["thing"]},
    "entities_relate": {"type": ["owns", "near"], "subject": ["Keeper"], "target": ["Boat", "Gull"]},
    "entities_unrelate": {"type": ["owns"], "subject": ["Keeper"], "target": ["Boat", "Gull"]},
    "entities_list": {"name": ["Boat", "Bo"]},
    "context": {
        "role": ["chat", "planner", "qa"], "window": [0, 2], "parts": [{"about": 60, "recent": 0}],
        "task": ["where is the red boat of the keeper?", "who am I?"],
    },
    "agents_event": {
        "event": ["prompt", "start", "file", "failure", "compact"], "files": [["b.py", "boat.md"]],
        "prompt": ["where is the red boat of the keeper?"], "folder": ["/srv/shop", "/srv/barn"],
    },
    "described_read": {"path": ["ROOT", "/etc"]},
    "folders_files": {"after": ["boat.md"], "state": ["indexed"]},
    "folders_read": {"path": ["boat.md", "no.md"]},
    "folders_tree": {"path": ["."]},
    "insights": {"session": ["findings-owner", "talk"], "scope": [{"type": "file", "id": "fees.xlsx"}]},
    "audit_certificate": {"event": [2, 1]},
    "audit_check": {"certificate": [{"user": "ana"}]},
    "queue_insights": {
        "session": ["findings-owner", "talk"], "scope": [{"type": "file", "id": "fees.xlsx"}],
        "model": [True],
    },
    "jobs_list": {"state": ["queued"]},
    "keys_create": {"name": ["laptop"], "role": ["member"]},
    "learn": {"project": ["shop", "barn"]},
    "list": {
        "include": ["pending", "rejected", "forgotten", "superseded", "expired"],
        "status": ["pending", "deleted"],
    },
    "sessions_messages": {"around": ["ID"]},
    "models_add": {"name": ["tiny"]},
    "scan_decide": {"accept": [["ID"]], "refuse": [["ID"]], "reopen": [["ID"]]},
    "never": {"text": ["the rudder of nobody"], "id": ["ID"]},
    "members_add": {"role": ["member"]},
    "members_set_role": {"role": ["member"]},
    "projects_create": {"name": ["mole", "barn", "attic"]},
    "projects_rename": {"to": ["wharf", "barn"]},
    "projects_move": {"target": ["loft", "barn"]},
    "projects_retag": {"target": ["loft", "barn"], "kinds": [["fact"]]},
    "quality": {"name": ["boats"]},
    "record_quality": {"name": ["deletion_compliance"], "value": [1]},
    "remember": {"name": ["Ada"], "role": ["user"]},
    "retention_hold": {"name": ["case"], "user": ["nobody"], "project": ["shop"]},
    "review_move": {"ids": [["ID"]], "project": ["loft", "barn"]},
    "review_rights": {"ids": [["ID"]]},
    "review_clear": {"scope": [{"type": "paper", "id": "1"}], "project": ["shop", "barn"]},
    "review_edit": {"text": [NEW + " indeed"]},
    "revise": {"text": [NEW + " today", SECOND[4]]},
    "sessions_create": {"id": ["cabin", "talk", "deck"], "name": ["Deck"], "project": ["shop", "barn"]},
    "sessions_update": {"name": ["Deck"], "project": ["loft"]},
    "sources_move": {"project": ["loft"]},
    "maps_scan": {},
}  # fmt: skip
"""Values for one operation instead of those by name alone."""

PATHS: Mapping[str, str] = {
    "memories": "memory", "sessions": "session", "sources": "source", "projects": "project",
    "entities": "entity", "jobs": "job", "review": "waiting", "members": "member", "folders": "folder",
    "described": "described",
    "models": "model", "keys": "key", "retention": "hold", "contexts": "context",
}  # fmt: skip
"""What the argument in a path below each name is the id of."""

OF_TARGET = {
    "restore": "forgotten", "redact": "forgotten", "review_revert": "source", "review_feedback": "memory",
    "review_wrong": "memory",
    "review_confirm": "memory", "review_separate": "insight",
}  # fmt: skip
"""What the argument in the path of an operation is the id of, instead of that by its path."""

REMOVES = (
    "delete", "forget", "clear", "revert", "purge", "archive", "rename", "switch", "move", "retag",
    "unobserve", "unrelate", "remove", "disconnect", "cancel", "redact",
    "restore", "lift",
)  # fmt: skip
"""Words in the names of operations that come last, since they take away what others read."""


LOOKS = (
    "recall",
    "recall_scopes",
    "log_positions",
    "ask",
    "context",
    "entities_search",
    "entities_neighbourhood",
    "maps_match",
)
"""Operations that only look although they are sent a body."""
LEFT_OUT = {"measure", "user_data"}
"""Arguments that ask how long something takes, and for the chain of events."""
NEEDED = {"import": {"content"}, "context": {"task", "role"}, "retention_hold": {"user"}}
"""Arguments without which a call does nothing, though the document does not say so."""
STREAMS = ("jobs_events", "stream")
"""What does not end before the job that waits, and what has ids that nobody can guess."""
MISSING = "01900000-0000-7000-8000-000000000000"
NAMED = {
    "ID": "memory",
    "STATED": "stated",
    "SAID": "said",
    "SOURCE": "source",
    "DESCRIBED": "described",
    "EXPORT": "export",
    "ROOT": "root",
}
Ids = Mapping[str, Sequence[str]]
"""Ids by what they are the ids of."""


LATEST = (
    "sources_move", "review_revert", "sources_delete", "folders_delete", "projects_move", "projects_retag",
    "projects_delete", "projects_restore", "projects_archive", "projects_unarchive", "projects_switch",
    "projects_purge", "projects_rename", "delete_all",
)  # fmt: skip
"""What takes much along, in the order in which it is done."""


@dataclass(frozen=True, slots=True)
class Call:
    """One request."""

    operation: str
    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    is_plain: bool = True
    reads: bool = False

    def __str__(self) -> str:
        return f"{self.operation}: {self.method} {self.path} {dict(self.query) or ''} {self.body or ''}"


def calls(site: Site, own: Ids, elsewhere: Ids, user: str) -> Iterator[Call]:
    """Yields calls of every operation: on each kind of id, and with each value of each argument; what removes
    something at the end."""
    schemas = site.app.openapi()["components"]["schemas"]
    routes = []
    for method, path, told in site.operations():
        if told["security"] and told["operationId"] not in STREAMS:
            body, needed = _body(told, schemas)
            params = {one["name"]: one["in"] for one in told.get("parameters", ()) if one["in"] != "path"}
            needed |= {one["name"] for one in told.get("parameters", ()) if one["required"]} & params.keys()
            name = told["operationId"]
            routes.append(_Route(name, method, path, params, body, needed | NEEDED.get(name, set())))
    rank = {name: number for number, name in enumerate(LATEST, 1)}
    routes.sort(key=lambda one: (is_last(one.name), rank.get(one.name, 0), not one.reads))
    for turn, route in enumerate(routes):
        yield from route.calls(Filler(own, elsewhere, user, turn))


@dataclass(frozen=True, slots=True)
class _Route:
    """A documented route: where its arguments go, and which it needs."""

    name: str
    method: str
    path: str
    params: Mapping[str, str]
    body: Sequence[str]
    needed: set[str]

    @property
    def reads(self) -> bool:
        """Returns whether it only looks."""
        return self.method == "GET" or self.name in LOOKS

    def calls(self, fill: Filler) -> Iterator[Call]:
        """Yields its calls: on each kind of id, then with each value of each argument."""
        targets = [""]
        if "{" in self.path:
            targets = fill.targets(OF_TARGET.get(self.name) or PATHS[self.path.split("/")[2]])
        for target in targets:
            yield self._call(fill, target)
        free = (name for name in (*self.params, *self.body) if name not in self.needed | LEFT_OUT)
        for name in (*sorted(self.needed), *free):
            for value in self._values(name)[name in self.needed :]:
                yield self._call(fill, targets[0], name, value)

    def _call(self, fill: Filler, target: str, name: str = "", value: Any = None) -> Call:
        given = {one: self._values(one)[0] for one in self.needed} | ({name: value} if name else {})
        given |= {"limit": 1} if value == "CURSOR" else {}
        given = {key: fill(one) for key, one in given.items()}
        query, headers = (
            {key: one for key, one in given.items() if self.params.get(key) == place}
            for place in ("query", "header")
        )
        body = {key: one for key, one in given.items() if key in self.body} if self.body else None
        path = _at(self.path, target)
        return Call(self.name, self.method, path, query, body, headers, not name, self.reads)

    def _values(self, name: str) -> Sequence[Any]:
        return OF_OPERATION.get(self.name, {}).get(name) or VALUES[name]


@dataclass(frozen=True, slots=True)
class Filler:
    """Puts ids into values that name one: by turns the caller's and those of elsewhere."""

    own: Ids
    elsewhere: Ids
    user: str
    turn: int

    def targets(self, kind: str) -> list[str]:
        """Returns one id of the caller's, one that is elsewhere, one that is shared with the caller, if any,
        and one that is nowhere."""
        both = [ids[kind] for ids in (self.own, self.elsewhere) if ids.get(kind)]
        shared = self.own.get(f"{kind} of others", ())
        return [*(ids[self.turn % len(ids)] for ids in both), *shared, MISSING]

    def __call__(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self(one) for key, one in value.items()}
        if isinstance(value, list):
            return [self(one) for one in value]
        if value == "USER":
            return self.user
        if value in ("OWN STATED", "OWN SAID"):
            return self.own.get(NAMED[value.removeprefix("OWN ")], [MISSING])[0]
        kind = NAMED.get(value) if isinstance(value, str) else None
        if kind in ("export", "root"):
            return self.elsewhere[kind][0]
        return value if kind is None else self.targets(kind)[self.turn % 2]


def is_last(operation: str) -> bool:
    return any(word in operation.split("_") for word in REMOVES) or operation == "delete_all"


def _body(told: Mapping[str, Any], schemas: Mapping[str, Any]) -> tuple[list[str], set[str]]:
    """Returns the fields of a body, and which are required."""
    content = told.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    for one in (content, *content.get("anyOf", ()), *content.get("allOf", ())):
        if "$ref" in one:
            schema = schemas[one["$ref"].rpartition("/")[2]]
            return list(schema.get("properties", {})), set(schema.get("required", ()))
    return [], set()


def _at(path: str, id: str) -> str:
    head, brace, rest = path.partition("{")
    return f"{head}{quote(id, safe='')}{rest.partition('}')[2]}" if brace else path
