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
    "about.name": Parameter("A person, place or thing (default: you)."),
    "entities.list.name": Parameter("Only those with this name."),
    "scan.personal": Parameter("Also look for personal data that no setting describes."),
    "scan.limit": Parameter("Maximum number of memories to look at.", **_PAGE),  # type: ignore[arg-type]
    "scan_queue.personal": Parameter("Also look for personal data that no setting describes."),
    "scan_queue.everyone": Parameter("Scan what everybody in the tenant keeps, and show only counts."),
    "scan_queue.dry_run": Parameter("Only count; propose nothing."),
    "scan_decide.reopen": Parameter("Ids of memories that were refused and wait again.", [_ID]),
    "scan_decide.personal": Parameter("As it was scanned: also personal data that no setting describes."),
    "scan_decide.accept": Parameter("Ids of memories from which what was found is erased.", [_ID]),
    "scan_decide.refuse": Parameter("Ids of memories that stay as they are.", [_ID]),
    "context.role": Parameter("coder, planner, qa, or chat for a conversation."),
    "context.parts": Parameter(
        "Token budgets of parts of a conversation's context: instructions, about, facts, entities,"
        " summary, memories and recent.",
        {"about": 300, "recent": 0},
    ),
    "disputes": Parameter("List what contradicts each hit."),
    "personal": Parameter(
        "Include the user's memories without a project. What is about work is always included."
    ),
    "context.window": Parameter(
        "Number of the latest messages of the session that the prompt already has (default 20)."
    ),
    "list.status": Parameter("Only pending, approved, rejected, superseded or deleted ones."),
    "recall.status": Parameter("Only pending, approved, rejected or superseded ones."),
    "list.owner": Parameter("Only memories of this user."),
    "recall.owner": Parameter("Only memories of this user."),
    "sessions.messages.around": Parameter("The id of a message: it and its neighbours are returned."),
    "near": Parameter("Number of near misses to add, each with the reason.", minimum=0, maximum=50),
    "around": Parameter("Number of messages to add before and after a hit.", minimum=0, maximum=10),
    "origins": Parameter("Only with these origins: user, agent, tool, web, import, file, extraction, model."),
    "never.id": Parameter("A memory to use as the example.", _ID),
    "never.text": Parameter("An example in a few words, or a group of `about`.", "my salary"),
    "list.tags": Parameter("Only with all of these tags."),
    "members.add.role": Parameter("member, admin, owner or service.", "member"),
    "members.set_role.role": Parameter("member, admin, owner or service.", "member"),
    "models.add.model": Parameter("The provider's name of the model.", "gemma3"),
    "models.add.name": Parameter("A name of your own.", "local"),
    "models.usage.since": Parameter("Only calls since this time (default: the last 30 days)."),
    "recall.tags": Parameter("Only with all of these tags."),
    "remember.name": Parameter("The name of the speaker."),
    "remember.role": Parameter("The role of the speaker: user, assistant, system or tool."),
    "review.inbox.tags": Parameter("Only with all of these tags."),
    "after": Parameter("Only entries after this one."),
    "agent": Parameter("The label of an agent."),
    "ai_response": Parameter("The assistant's answer.", "Yes, since Tuesday."),
    "as_of": Parameter("Only memories that were valid at this time."),
    "at": Parameter("When it happened."),
    "before": Parameter("Only entries before this one."),
    "beside": Parameter("Keep what it contradicts as well."),
    "boost": Parameter("Factors for the scores of memories, by their type of scope."),
    "branch": Parameter("A branch of a repository."),
    "correct.text": Parameter("What is true, in the words of `about` or in your own.", "Lives in Braga"),
    "was": Parameter("The belief as `about` words it, if the memory says several.", "Lives in Porto"),
    "correct.name": Parameter("Whom or what it is about, if not you."),
    "dismiss.name": Parameter("Whom or what it is about, if not you."),
    "budget": Parameter("Maximum number of tokens of the context."),
    "confidence": Parameter("From 0 to 1; below 0.6 it waits for review."),
    "code_only": Parameter("Only source code, of indexed files."),
    "recall.language": Parameter("Only indexed files in these languages.", "python"),
    "recall.path": Parameter(
        "Only indexed files with this path, below this folder, or that match this pattern.", "src/auth"
    ),
    "cursor": Parameter("The cursor of the page before."),
    "cost_per_day": Parameter("Maximum cost per day in dollars."),
    "cost_per_month": Parameter("Maximum cost per calendar month in dollars."),
    "decisions": Parameter(
        "Objects with an `id`, a `decision` (approve, reject or edit) and the arguments of that decision."
        " One that fails does not stop the others.",
        [{"id": _ID, "decision": "approve"}],
        items=_DECISION,
    ),
    "confirm": Parameter("The name of the user whose memories are erased.", "ana"),
    "delete_all.dry_run": Parameter("Erase nothing; count what would be erased."),
    "delete_all.with_backups": Parameter("Delete all backups of the store, too."),
    "dry_run": Parameter("Store nothing; return the outcomes."),
    "entity": Parameter("The id of an entity, or its name in a place.", "Ada"),
    "entities": Parameter("Entities by id or name.", "Ada"),
    "evidence": Parameter("The evidence for it."),
    "exclude": Parameter("Ids of memories to leave out."),
    "exclude_sessions": Parameter("Conversations to leave out."),
    "expires_at": Parameter("When it expires, or `never`."),
    "external_id": Parameter("An id of your own; using it again updates the memory."),
    "extract": Parameter("Also store what the user says about themselves in them."),
    "folder": Parameter("The id of a folder whose passages precede those of others at the same path."),
    "insights": Parameter(
        "Then gather what the conversation found out, in the scope of its file or `global`.",
        {"type": "file", "id": "churn.xlsx"},
    ),
    "failed": Parameter("The session failed: store dead ends only."),
    "hard": Parameter("Erase every byte; this cannot be undone."),
    "id": Parameter("An id.", _ID),
    "ids": Parameter("Ids of memories.", [_ID]),
    "include": Parameter("Also pending, rejected, superseded, expired or deleted ones."),
    "items": Parameter(
        "A list of texts, or of objects with the arguments for one memory. An invalid item is refused; the"
        " others are stored.",
        [["We use tabs in Go", {"text": "Deploy on Tuesdays", "kind": "convention"}]][0],
        items={"anyOf": [{"type": "string"}, {"type": "object"}]},
    ),
    "kind": Parameter("The kind of memory; `holdfast kinds` and `GET /v1/kinds` list them."),
    "kinds": Parameter("Only these kinds."),
    "limit": Parameter("Maximum number of results.", **_PAGE),  # type: ignore[arg-type]
    "price_in": Parameter("Dollars per million input tokens."),
    "price_out": Parameter("Dollars per million output tokens."),
    "provider": Parameter("openai (and compatible services), anthropic or gemini.", "openai"),
    "timeout": Parameter("Time limit of a call in seconds (default 120)."),
    "tokens_per_day": Parameter("Maximum number of tokens per day."),
    "tokens_per_month": Parameter("Maximum number of tokens per calendar month."),
    "log": Parameter(
        "JSON Lines of events, a transcript of Claude Code, or the entries of either as objects.",
        [{"type": "command", "command": "pytest", "exit": 1, "error": "Connection refused"}],
    ),
    "dimensions": Parameter("The dimensions of the vectors of an embedding model."),
    "model": Parameter("The name of a language model (default: the first one)."),
    "measure": Parameter("Measure the time of an embedding, a search and a durable write."),
    "messages": Parameter(
        "Objects with role and content and optionally name, at, id, metadata, position. A message with a"
        " known id is stored once; an invalid message is refused, and the others are stored.",
        [{"role": "user", "content": "Is the cart done?", "id": "m1"}],
        items=_MESSAGE,
    ),
    "metadata": Parameter("Metadata of your own, up to 16 KiB."),
    "mmr": Parameter("Diversity of the hits by maximal marginal relevance: 1 ranks by relevance alone."),
    "mode": Parameter("hybrid, words or vectors."),
    "module": Parameter("The name of a module.", "authentication"),
    "name": Parameter("A name.", "shop"),
    "note": Parameter("The reason, which is stored with the memory."),
    "notes": Parameter("Notes, which replace the current ones."),
    "offset": Parameter("Entries to skip.", minimum=0),
    "origin": Parameter("user, agent, tool, web, import, file or extraction."),
    "described.apply.dry_run": Parameter("Change nothing; return what would change."),
    "file": Parameter("The name of a source: its path, or an id of your own.", "finance/sales.xlsx"),
    "members": Parameter("Users other than the owner who may read its descriptions."),
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
    "older_than": Parameter(
        "Only descriptions that were not reconciled or used for this many days.", minimum=1
    ),
    "review.tidy.dry_run": Parameter("Return what would be done, and change nothing."),
    "open_to_all": Parameter("Let everybody read it whom its visibility includes."),
    "paths": Parameter("Paths of files that were read or changed.", ["src/auth/tokens.py"]),
    "pinned": Parameter("Whether it is pinned."),
    "platform": Parameter("The program that it came from.", "chatgpt"),
    "project": Parameter("A project.", "shop"),
    "query": Parameter("A question.", "why not sessions?"),
    "rank": Parameter("The rank; without it, the single preference.", minimum=1, maximum=100),
    "reason": Parameter("The reason, which is stored with the memory."),
    "redact": Parameter("Leave out e-mail addresses and telephone numbers."),
    "remove": Parameter("Entries to remove from all lists."),
    "flagged": Parameter(
        "Include texts that read like instructions to a model and were not confirmed by a person."
    ),
    "record": Parameter(
        "Count what is returned as used, and note for the session that it was delivered. Without it, somebody"
        " only looks."
    ),
    "repeat": Parameter(
        "Include memories that the session received before. Otherwise they are left out, and the new ones"
        " are recorded."
    ),
    "role": Parameter("A role."),
    "scope": Parameter("A scope within the place: its type and id.", {"type": "paper", "id": "2301.1"}),
    "scopes": Parameter(
        "Only memories with one of these scopes: `paper:2301.1`, `paper` for any of that type, `global`"
        " for none.",
        ["file:src/a.py", "global"],
        items={"type": "string"},
    ),
    "session": Parameter("A conversation.", "chat-1"),
    **{
        f"{name}.session": Parameter("Only what was said in this conversation.", "chat-1")
        for name in ("list", "count", "facets")
    },
    "session_type": Parameter("The type of the session, which limits what is stored."),
    "sha256": Parameter("The SHA-256 of the file.", "0" * 64),
    "since": Parameter("Only from this time on."),
    "source": Parameter("The id of the import that it came from."),
    "stale": Parameter("Only memories about a file that has changed since."),
    "state": Parameter("Only those in this state."),
    "status": Parameter("pending, approved or rejected."),
    "strict_workspace": Parameter("Only memories that belong to a workspace."),
    "subject": Parameter("The first entity.", "Ada"),
    "summary": Parameter("A summary; generated for a long text if omitted."),
    "supersedes": Parameter("The id of the memory that it replaces."),
    "if_absent": Parameter("Store it only if no memory in its place has this external id."),
    "tags": Parameter("Tags: short words of your own."),
    "target": Parameter("The second entity, or the project that receives.", "Acme"),
    "task": Parameter("A task in words.", "users are logged out after 5 minutes"),
    "text": Parameter("The text itself.", "We chose JWT over sessions: the API is public"),
    "texts": Parameter("Texts, one for each observation.", ["likes tea"], items={"type": "string"}),
    "threshold": Parameter("Minimum score of a hit."),
    "min_confidence": Parameter("Minimum confidence that a hit answers the query, from 0 to 1."),
    "title": Parameter("A title."),
    "topic": Parameter("The key, category or noun of a topic.", "colors"),
    "type": Parameter("A type.", "person"),
    "until": Parameter("Only up to this time; a day means its end."),
    "url": Parameter("Its address (default: the provider's own).", "http://localhost:11434/v1"),
    "user": Parameter("The name of a user.", "ben"),
    "user_message": Parameter("What the user said.", "Is the cart done?"),
    "valid_from": Parameter("When it starts to be valid, or `unstated`."),
    "valid_until": Parameter("When it stops being valid, or `never`."),
    "value": Parameter("A value.", "green"),
    "values": Parameter("Values in their order.", ["green", "blue"]),
    "verdict": Parameter("helpful, outdated or wrong.", "helpful"),
    "visibility": Parameter("private, team or project."),
    "workspace": Parameter("A workspace."),
    "revise.external_id": Parameter("A new id of your own."),
    "history.deleted": Parameter("Include a memory that was forgotten."),
    "redact.version": Parameter("The number of the version, as in the history.", 1),
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
