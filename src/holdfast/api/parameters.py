"""Descriptions of the arguments of operations, shared by all of them, for schemas and help texts."""

from __future__ import annotations

from collections.abc import Mapping

from holdfast.api.operation import Operation, Parameter
from holdfast.core.record import Memory
from holdfast.core.wire import keys_of

_ID = "0198f0c2-7c1a-7b6e-9d55-5f0f3a1c2b4d"
_PAGE = {"minimum": 1, "maximum": 1_000}
_MESSAGE = {
    "type": "object",
    "properties": {
        "role": {"type": "string"},
        "content": {"type": "string"},
        "name": {"type": ["string", "null"]},
        "at": {"type": ["string", "number", "null"]},
        "id": {"type": ["string", "null"]},
    },
    "required": ["role", "content"],
}
_DECISION = {
    "type": "object",
    "properties": {"id": {"type": "string"}, "decision": {"enum": ["approve", "reject", "edit"]}},
    "required": ["id", "decision"],
}

PARAMETERS: Mapping[str, Parameter] = {
    "about.name": Parameter("A person, place or thing; without it, you."),
    "entities.list.name": Parameter("Only those with this name."),
    "context.role": Parameter("coder, planner, qa, or chat for a conversation."),
    "context.parts": Parameter(
        "Tokens for parts of a conversation's context: instructions, about, facts, entities, summary,"
        " memories and recent.",
        {"about": 300, "recent": 0},
    ),
    "disputes": Parameter("Name what contradicts each hit."),
    "personal": Parameter(
        "Include what the user noted outside of projects. Preferences about work are always included."
    ),
    "context.window": Parameter(
        "The number of latest messages of the session that the prompt has already (default 20)."
    ),
    "list.status": Parameter("Only pending, approved, rejected, superseded or deleted ones."),
    "recall.status": Parameter("Only pending, approved, rejected or superseded ones."),
    "list.owner": Parameter("Only what belongs to this user."),
    "recall.owner": Parameter("Only what belongs to this user."),
    "sessions.messages.around": Parameter("The id of a message: it and its neighbours are returned."),
    "near": Parameter("Near misses to add, with the reason of each.", minimum=0, maximum=50),
    "around": Parameter("Messages to add on both sides of a hit.", minimum=0, maximum=10),
    "origins": Parameter("Only from these: user, agent, tool, web, import, file, extraction, model."),
    "never.id": Parameter("A memory that is an example.", _ID),
    "never.text": Parameter("An example in a few words, or a group of `about`.", "my salary"),
    "list.tags": Parameter("Only with all of these tags."),
    "members.add.role": Parameter("member, admin, owner or service.", "member"),
    "members.set_role.role": Parameter("member, admin, owner or service.", "member"),
    "models.add.model": Parameter("What its provider calls it.", "gemma3"),
    "models.add.name": Parameter("A name of your own.", "local"),
    "models.usage.since": Parameter("Calls since then (default: the last 30 days)."),
    "recall.tags": Parameter("Only with all of these tags."),
    "remember.name": Parameter("The name of who spoke."),
    "remember.role": Parameter("Who spoke: user, assistant, system or tool."),
    "review.inbox.tags": Parameter("Only with all of these tags."),
    "after": Parameter("Only entries after this one."),
    "agent": Parameter("The label of an agent."),
    "ai_response": Parameter("What was answered.", "Yes, since Tuesday."),
    "as_of": Parameter("Only what was valid at that time."),
    "at": Parameter("When it happened."),
    "beside": Parameter("Also keep what it contradicts."),
    "boost": Parameter("Factors for the scores of types of scope."),
    "branch": Parameter("A branch of a repository."),
    "budget": Parameter("Tokens that the context may take."),
    "confidence": Parameter("From 0 to 1; below 0.6 waits for review."),
    "cursor": Parameter("From the page before."),
    "cost_per_day": Parameter("Dollars that it may cost in a day."),
    "cost_per_month": Parameter("Dollars that it may cost in a calendar month."),
    "decisions": Parameter(
        "Objects with an `id`, a `decision` (approve, reject or edit) and the arguments of that decision."
        " What cannot be done is refused and stops none of the others.",
        [{"id": _ID, "decision": "approve"}],
        items=_DECISION,
    ),
    "confirm": Parameter("The name of the user whose memories are erased.", "ana"),
    "delete_all.dry_run": Parameter("Erase nothing; count what would be erased."),
    "dry_run": Parameter("Store nothing; return the outcomes."),
    "entity": Parameter("The id of an entity, or its name in a place.", "Ada"),
    "entities": Parameter("Entities by id or name.", "Ada"),
    "evidence": Parameter("Why it is believed."),
    "exclude": Parameter("Ids that must not come back."),
    "exclude_sessions": Parameter("Conversations that are left out."),
    "expires_at": Parameter("When it leaves recall, or `never`."),
    "external_id": Parameter("Your own id: given again, it updates."),
    "extract": Parameter("Also keep what the user states in them about themselves."),
    "failed": Parameter("The session did not reach its end: only dead ends are kept."),
    "hard": Parameter("Erase every byte; this cannot be undone."),
    "id": Parameter("An id.", _ID),
    "ids": Parameter("Ids of memories.", [_ID]),
    "include": Parameter("Also pending, rejected, superseded, expired or deleted ones."),
    "items": Parameter(
        "Each a text, or an object as for one memory. A bad one is refused, the others are kept.",
        [["We use tabs in Go", {"text": "Deploy on Tuesdays", "kind": "convention"}]][0],
        items={"anyOf": [{"type": "string"}, {"type": "object"}]},
    ),
    "kind": Parameter("The kind of memory; `holdfast kinds` and `GET /v1/kinds` list them."),
    "kinds": Parameter("Only these kinds."),
    "limit": Parameter("The maximum number.", **_PAGE),  # type: ignore[arg-type]
    "price_in": Parameter("Dollars for a million tokens that it reads."),
    "price_out": Parameter("Dollars for a million tokens that it writes."),
    "provider": Parameter("openai (and all that speak like it), anthropic or gemini.", "openai"),
    "timeout": Parameter("Seconds that a call may take (default 120)."),
    "tokens_per_day": Parameter("Tokens that it may take in a day."),
    "tokens_per_month": Parameter("Tokens that it may take in a calendar month."),
    "log": Parameter(
        "JSON Lines of events, a transcript of Claude Code, or the entries of either as objects.",
        [{"type": "command", "command": "pytest", "exit": 1, "error": "Connection refused"}],
    ),
    "dimensions": Parameter("Of the vectors of a model that embeds."),
    "model": Parameter("A language model by its name; without it, the first one."),
    "measure": Parameter("Time an embedding, a search and a durable write."),
    "messages": Parameter(
        "Objects with role and content and optionally name, at, id, metadata, position. The same id again is"
        " kept once; a bad one is refused, the others are kept.",
        [{"role": "user", "content": "Is the cart done?", "id": "m1"}],
        items=_MESSAGE,
    ),
    "metadata": Parameter("An object of your own, up to 16 KiB."),
    "mmr": Parameter("Below 1 prefers what is new over what is most relevant."),
    "mode": Parameter("hybrid, words or vectors."),
    "module": Parameter("The name of a module.", "authentication"),
    "name": Parameter("A name.", "shop"),
    "note": Parameter("Why; kept with the memory."),
    "notes": Parameter("Notes; they replace those that are known."),
    "offset": Parameter("Entries to skip.", minimum=0),
    "origin": Parameter("user, agent, tool, web, import, file or extraction."),
    "described.apply.dry_run": Parameter("Change nothing; return what would change."),
    "file": Parameter("What a source is called: its path, or an id of your own.", "finance/sales.xlsx"),
    "members": Parameter("Users who may read what it holds, besides its owner."),
    "payload": Parameter(
        "What a source holds: its `name` and its `entities`, each with `type`, `id` and `data`; one with an"
        " `error` could not be read and stays as known. Or a grid: `sheets`, `codeCells`, `sheetTables`.",
        {
            "name": "sales.xlsx",
            "entities": [
                {"type": "DATA_TABLE", "id": "orders", "data": {"name": "orders", "columns": ["id", "total"]}}
            ],
        },
    ),
    "sequence": Parameter(
        "The number of the payload, such as a time in milliseconds: an older one than the last is left out.",
        minimum=0,
    ),
    "older_than": Parameter("Days without a reconciliation or a use.", minimum=1),
    "review.tidy.dry_run": Parameter("Only return what would be done."),
    "open_to_all": Parameter("Everybody whom its visibility includes may read it."),
    "paths": Parameter("Paths of files that were read or changed.", ["src/auth/tokens.py"]),
    "pinned": Parameter("Whether it is pinned."),
    "platform": Parameter("The program that it came from.", "chatgpt"),
    "project": Parameter("A project.", "shop"),
    "query": Parameter("A question.", "why not sessions?"),
    "rank": Parameter("Without it the single preference.", minimum=1, maximum=100),
    "reason": Parameter("Why; kept with the memory."),
    "redact": Parameter("Leave out e-mail addresses and telephone numbers."),
    "remove": Parameter("Entries to take out of all lists."),
    "flagged": Parameter(
        "Include texts that read like instructions to a model and that no person confirmed."
    ),
    "repeat": Parameter("Include what the session was given before; without, note what it gets now."),
    "role": Parameter("A role."),
    "scope": Parameter("A narrower scope: its type and id.", {"type": "paper", "id": "2301.1"}),
    "scopes": Parameter(
        "Scopes of which a memory has one: `paper:2301.1`, `paper` for all of that type, `global` for none.",
        ["file:src/a.py", "global"],
        items={"type": "string"},
    ),
    "session": Parameter("A conversation.", "chat-1"),
    "session_type": Parameter("The type of the session, which bounds what is kept."),
    "sha256": Parameter("The SHA-256 of the file.", "0" * 64),
    "since": Parameter("From this time on."),
    "source": Parameter("The id of the import it came from."),
    "stale": Parameter("Only what is about a file that has changed since."),
    "state": Parameter("Only those in this state."),
    "status": Parameter("pending, approved or rejected."),
    "strict_workspace": Parameter("Only memories that belong to a workspace."),
    "subject": Parameter("The first entity.", "Ada"),
    "summary": Parameter("A summary; made from a long text if left out."),
    "supersedes": Parameter("The id of the memory that it replaces."),
    "if_absent": Parameter("Store it only if no memory in its place has this external id."),
    "tags": Parameter("Tags, short words of your own."),
    "target": Parameter("The second entity, or the project that receives.", "Acme"),
    "task": Parameter("A task in words.", "users are logged out after 5 minutes"),
    "text": Parameter("The text itself.", "We chose JWT over sessions: the API is public"),
    "texts": Parameter("Texts, one for each observation.", ["likes tea"], items={"type": "string"}),
    "threshold": Parameter("Weaker hits are left out."),
    "min_confidence": Parameter("Hits that are less likely to answer are left out, from 0 to 1."),
    "title": Parameter("A title."),
    "topic": Parameter("A key, category or noun of a topic.", "colors"),
    "type": Parameter("A type.", "person"),
    "until": Parameter("Up to this time."),
    "url": Parameter("Its address (default: the provider's own).", "http://localhost:11434/v1"),
    "user": Parameter("The name of a user.", "ben"),
    "user_message": Parameter("What the user said.", "Is the cart done?"),
    "valid_from": Parameter("From when it holds, or `unstated`."),
    "valid_until": Parameter("Until when it holds, or `never`."),
    "value": Parameter("A value.", "green"),
    "values": Parameter("Values in their order.", ["green", "blue"]),
    "verdict": Parameter("helpful, outdated or wrong.", "helpful"),
    "visibility": Parameter("private, team or project."),
    "workspace": Parameter("A workspace."),
    "revise.external_id": Parameter("A new id of your own, by which it is found from now on."),
    "history.deleted": Parameter("Also of a memory that was forgotten."),
    "redact.version": Parameter("The number of the version, as the history has it.", 1),
    **dict.fromkeys(
        ("recall.metadata", "list.metadata", "count.metadata", "context.metadata", "export.metadata"),
        Parameter(
            "Only with this metadata: values, lists, or operators (eq, in, gt, gte, lt, lte, exists).",
            {"lang": "de", "year": {"gte": 2020}},
        ),
    ),
}
"""By the name of the argument, or of the operation and the argument where one means something else there."""


def parameter_of(operation: Operation, name: str) -> Parameter:
    """Returns the description of an argument of an operation."""
    own = PARAMETERS.get(f"{operation.name}.{name}")
    return operation.params.get(name) or own or PARAMETERS.get(name) or Parameter(_about_field(name))


def _about_field(name: str) -> str | None:
    """Returns the description of the record field with this name, if it has one."""
    return next((key.wire.about for key in keys_of(Memory) if key.attribute == name), None)
