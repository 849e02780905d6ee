"""Exceptions of Holdfast: one hierarchy, with a stable code and a hint for each error."""

from __future__ import annotations

from holdfast.core.masking import masked


class HoldfastError(Exception):
    """Base class of all errors. `code` is stable and documented; `hint` says what to do next. `str(error)` is
    the `message` alone; the hint is a note of the exception, which a traceback shows below it.

    `CODES` is the catalogue of codes; `docs/reference/errors.md` lists them and a test keeps both equal.
    """

    exit_status = 1

    def __init__(self, message: str, *, code: str, hint: str | None = None) -> None:
        if code not in CODES:
            raise ValueError(f"error code {code!r} is not in the catalogue")
        super().__init__(code)
        self._message = message
        self.code = code
        self._hint = hint
        self._notes: list[str] = []

    @property
    def message(self) -> str:
        """Returns what went wrong. A secret that it would repeat, as a part of what was given, is masked."""
        return masked(self._message)

    @property
    def hint(self) -> str | None:
        """Returns what to do next, with secrets masked."""
        return None if self._hint is None else masked(self._hint)

    @hint.setter
    def hint(self, value: str | None) -> None:
        self._hint = value

    @property
    def in_full(self) -> str:
        """Returns the message with the hint in parentheses, for a sentence that passes both on."""
        return f"{self.message} ({self.hint})" if self.hint else self.message

    @property
    def __notes__(self) -> list[str]:  # type: ignore[override]
        """Returns the hint and the notes that were added, which a traceback shows below the message."""
        return [*([f"hint: {self.hint}"] if self.hint else []), *self._notes]

    def add_note(self, note: str) -> None:
        """Adds a note that a traceback shows."""
        self._notes.append(note)

    def __str__(self) -> str:
        return self.message

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.message!r}, code={self.code!r})"

    def as_dict(self) -> dict[str, str | None]:
        """Returns code, message and hint as plain JSON types, as `--json` and the HTTP service show them."""
        return {"code": self.code, "message": self.message, "hint": self.hint}

    def __reduce__(self) -> tuple[object, ...]:
        return _error_of, (type(self), self.message, self.code, self.hint)


def _error_of(kind: type[HoldfastError], message: str, code: str, hint: str | None) -> HoldfastError:
    """Rebuilds an error that another process of ours raised."""
    return kind(message, code=code, hint=hint)


class InvalidInput(HoldfastError):
    """Input that cannot be used; nothing was changed."""

    exit_status = 2


class NotFound(HoldfastError):
    """A missing object, or one that the caller may not see: the two look the same."""

    exit_status = 3


class Conflict(HoldfastError):
    """A request that contradicts what is stored."""

    exit_status = 4


class Refusal(HoldfastError):
    """Well-formed input that a policy rejects; reported as the outcome `refused`."""

    exit_status = 4


class AccessDenied(HoldfastError):
    """A credential that is missing, not valid or not sufficient for the request; nothing was read or
    changed."""

    exit_status = 8


class StoreError(HoldfastError):
    """A store that cannot be opened, read or written; acknowledged memories are not affected."""

    exit_status = 5


class StoreBusy(StoreError):
    """A write lock that another process held longer than the time-out. Safe to try again."""

    exit_status = 6


class StoreMoved(StoreError):
    """A tenant that was moved to another server, or a copy of one that is not used yet. `to` is the name of
    that server, if it is known."""

    to: str | None = None


class Damaged(StoreError):
    """A file that differs from what was last acknowledged: corruption, truncation or tampering."""

    exit_status = 7


CODES: dict[str, str] = {
    # input
    "text_empty": "The text is empty after white space, hidden characters and private blocks are removed.",
    "text_too_long": "The text is longer than its kind allows.",
    "text_not_string": "The text is not a string.",
    "text_low_value": "An agent's text without knowledge ('all tests passed') is not stored.",
    "excluded": "A person wants nothing like it to be remembered; `holdfast never` lists such rules.",
    "tenant_unknown": "The directory of tenants has no such tenant or server.",
    "topic_unknown": "There is no such fact topic; `holdfast facts topics` lists them.",
    "fact_unclear": "The value does not fit in one line of text.",
    "fact_not_found": "Nothing is stored under this topic and rank.",
    "language_unknown": "There is no such language of code; the error lists them.",
    "kind_unknown": "There is no such kind of memory; `holdfast kinds` lists them.",
    "confidence_invalid": "Confidence is a number from 0 to 1.",
    "metadata_invalid": "Metadata is a JSON object of at most 16 KiB, without NaN.",
    "tags_invalid": "Tags are at most 12 short strings.",
    "time_invalid": "The time cannot be parsed, or an interval ends before it starts.",
    "place_invalid": "Project, session, workspace, scope or branch is not a valid name.",
    "visibility_unknown": "Visibility is private, team or project.",
    "status_unknown": "Status is pending, approved, rejected or superseded.",
    "origin_unknown": "Origin is user, agent, tool, web, import, file, extraction or model.",
    "query_empty": "The query is empty.",
    "mode_unknown": "Recall mode is hybrid, words or vectors.",
    "limit_invalid": "A limit is a whole number from 1 to 1000.",
    "cursor_invalid": "The page cursor was not made by this list.",
    "only_local": "The operation works only beside the store, not through a service.",
    "argument_invalid": "An argument has a value of the wrong type or outside its range.",
    "map_invalid": "A module map, or a change to one, does not match the format.",
    "secret_in_name": "An id or a name contains what looks like a secret; names are never redacted.",
    "session_limit": "An agent may store at most 50 memories per session.",
    "message_invalid": "A message is an object with a role and content.",
    "id_ambiguous": "The abbreviated id matches several ids.",
    "entities_apart": "A link must be in its entities' project and workspace, and no more visible.",
    # files to read
    "file_not_found": "The file to read does not exist.",
    "not_a_file": "The path is not a regular file.",
    "file_unreadable": "The file cannot be read or decoded.",
    "file_too_large": "The file is larger than the limit, or takes more memory or time to read than it may.",
    "format_unknown": "The file is not in a format that Holdfast reads.",
    "archive_unsafe": "The unpacked archive exceeds the limits.",
    "payload_invalid": "A payload of a source has neither entities nor sheets, or data of another form.",
    "record_invalid": "A record of an export does not match the format, or has a newer format.",
    "dataset_invalid": "The path does not contain the data set of the evaluation.",
    "path_outside": "The path is outside of the source's folder, or follows a link out of it.",
    "path_is_directory": "The path is a folder; a file is required.",
    # lookups
    "path_not_found": "There is no such file or folder in the source.",
    "memory_not_found": "There is no such memory, or you may not see it.",
    "context_not_found": "No such context was given to you in the last 90 days.",
    "session_not_found": "There is no such session, or you may not see it.",
    "source_not_found": "There is no such source, or you may not see it.",
    "root_not_allowed": "The service reads only files and folders below the roots in its settings.",
    "project_not_found": "There is no such project.",
    "map_not_found": "The project has no module map; `holdfast map scan` makes one.",
    "module_not_found": "The map has no such module.",
    "entity_not_found": "There is no such entity, or you may not see it.",
    "relation_not_found": "There is no such relation, or you may not see it.",
    "key_not_found": "There is no such key.",
    "backup_not_found": "There is no such backup of the store.",
    "backup_folder_missing": "The folder for backups of a database is not configured.",
    "bucket_not_found": "There is no such bucket in the object store that keeps backups.",
    "bucket_credentials": "No credentials for the bucket of backups were found, or they are not accepted.",
    "bucket_not_permitted": "The credentials for the bucket of backups do not allow what is needed there.",
    "bucket_unreachable": "The object store that keeps backups cannot be reached, or did not answer in time.",
    "bucket_failed": "The object store that keeps backups answered with another error.",
    "clock_unusable": "The clock of this machine shows a time that cannot be read.",
    "clock_skewed": "The clocks of this machine and of the object store differ too much.",
    "backup_failed": "No backup could be made before a change of the whole store, so nothing was changed.",
    "member_not_found": "There is no such member of the team.",
    "hold_not_found": "There is no such legal hold.",
    "policy_not_found": "There is no such retention policy.",
    "job_not_found": "There is no such job, or you may not see it.",
    "job_payload_gone": "The input of the job no longer exists.",
    # access
    "credential_missing": "The service requires a credential: an API key or a bearer token.",
    "credential_invalid": "The credential is unknown, revoked or not issued for this service.",
    "credential_expired": "The credential has expired.",
    "code_invalid": "The one-time code of a link was used or is too old.",
    "provider_unavailable": "The identity provider does not answer, or not as it should.",
    "csrf_missing": "A page has to send the token of its session with each change.",
    "not_permitted": "The credential does not allow this operation or this place.",
    "not_a_member": "The credential is valid, but its user is not, or no longer, a member of the team.",
    "person_needed": "Only a person may share private memories, manage members or projects, or delete a map;"
    " and no agent takes away or changes what a person wrote without asking them.",
    "quota_exceeded": "The user, or the store, would keep more than the settings `quota_…` allow.",
    "rate_limited": "The caller has sent too many requests in this period, or has too many in progress.",
    "host_refused": "The Host header is not an allowed host of the service.",
    "origin_refused": "The request comes from a web page that is not an allowed origin.",
    # language models
    "model_not_found": "There is no such language model; `holdfast models` lists them.",
    "model_exists": "There is a language model with this name already.",
    "model_address_invalid": "A model is reached by https, or by http on this machine or a private network.",
    "model_address_refused": "The address is not one that this service may call, or that any model has.",
    "model_not_accepted": "Nobody has accepted yet that content is sent to this model.",
    "model_budget": "The call could exceed the budget of the model; it was not made.",
    "model_refused": "The provider refuses the request: key, address, name of the model, or a redirect.",
    "model_busy": "The provider is busy, or refuses further requests for now.",
    "model_unreachable": "The provider cannot be reached, or did not answer in time.",
    "model_answer_invalid": "The answer of the model cannot be used; nothing was changed.",
    # conflicts
    "session_in_other_project": "The session belongs to another project.",
    "project_exists": "There is a project with this name already.",
    "project_archived": "The project is archived: nothing is kept in it until it is unarchived.",
    "session_archived": "The session is archived: nothing is kept in it until it is unarchived.",
    "project_off": "Memory is switched off in the project.",
    "duplicate_text": "The same text is already stored in the same place.",
    "entity_ambiguous": "Entities of several types have this name.",
    "not_deleted": "Only a forgotten or superseded memory can be restored.",
    "restore_expired": "The place of the forgotten memory has been taken by the same text or id.",
    "edited_by_person": "A person pinned, edited or wrote it; an agent or a service may not overwrite it.",
    "consent_withdrawn": "The user has withdrawn consent that content is sent to language models of others.",
    "legal_hold": "A legal hold keeps the memory: nothing erases it until the hold is lifted.",
    "hold_exists": "There is a legal hold with this name already.",
    "review_by_person": "Only a person may decide on memories in review, not an agent or a service.",
    "sharing_off": "Users share nothing here: what they keep is private (setting `sharing`).",
    "not_yours": "It belongs to another user; only its owner or an admin may change it.",
    "already_member": "The user is already a member, with another role.",
    "owner_needed": "A team always has an owner: its first member is one, and its last owner stays.",
    "changed_meanwhile": "The memory was changed by somebody else between reading and writing.",
    "nothing_to_change": "The revision changes nothing.",
    "external_id_taken": "Another memory in this place has this external id.",
    "version_current": "The present version of a memory cannot be redacted unless the memory is forgotten.",
    "version_mismatch": "The memory is no longer at the version that the caller named.",
    "idempotency_gone": "The request was done; its answer was dropped, since something in it was forgotten.",
    "idempotency_reused": "The idempotency key was used for another request.",
    "idempotency_running": "The request with this idempotency key is still in progress.",
    "job_state": "The job is not in a state that allows this operation.",
    "jobs_too_many": "The user has reached the limit of waiting jobs of this kind.",
    # requests to the service
    "body_invalid": "The body is not JSON, or does not match the schema of the operation.",
    "body_too_large": "The body is larger than the limit of the service.",
    "body_too_slow": "The body did not arrive in time.",
    "media_type_unsupported": "A request that changes something must have a JSON body.",
    "route_not_found": "The service has no such path.",
    "method_not_allowed": "The path does not support this method.",
    "precondition_invalid": "If-Match must be one version as returned by the service.",
    "service_unreachable": "The service does not respond.",
    "service_answer_invalid": "The response is not a valid response of the service.",
    # store
    "store_unavailable": "The store cannot be opened.",
    "store_not_a_database": "The file is not a Holdfast store.",
    "store_moved": "The tenant was moved to another server.",
    "store_newer": "The file was written by a newer Holdfast; nothing was touched.",
    "store_unreleased": "The file was made by a development version whose schema was never released.",
    "store_read_only": "The file or its directory cannot be written.",
    "store_full": "The disk is full; the write was not acknowledged.",
    "store_linked": "The file of the store has a second name (a hard link), by which changes would be lost.",
    "store_busy": "Another process kept the store locked longer than the time-out.",
    "store_io": "The disk failed to read or write.",
    "store_connection_lost": "The database connection was lost; retry unless the hint says otherwise.",
    "store_unsafe": "The database does not isolate tenants; no request is served.",
    "store_closed": "The memory was already closed.",
    "store_not_encrypted": "A key is set, but the store is not encrypted.",
    "key_missing": "The store is encrypted, or is to be encrypted, and its key is missing.",
    "key_wrong": "The key does not match the store.",
    "key_unusable": "The key of the store is malformed, or readable by others.",
    "store_damaged": "The database is corrupt.",
    "history_lost": "Acknowledged events are missing from the file.",
    "audit_broken": "The hash chain of events is not valid.",
    "keys_unusable": "The file with the digests of keys cannot be read or written.",
    # configuration
    "extra_missing": "An optional part of Holdfast that is required is not installed.",
    "config_invalid": "The configuration file or an environment variable cannot be used.",
    "embedder_failed": "The embedder failed; the vectors are computed later.",
    # of ours
    "internal_error": "Something unexpected went wrong inside Holdfast; please report it.",
}
"""Every code with its meaning; the catalogue that documentation and interfaces use."""


def only_local() -> InvalidInput:
    """Returns the error for what works beside the store alone."""
    return InvalidInput(
        "this works only beside the store, not through a service", code="only_local",
        hint="run it on the machine of the service, or with --store naming a file or database",
    )  # fmt: skip


HINTS_FOR_CALLERS = frozenset(
    {"store_busy", "store_connection_lost", "store_closed", "store_full", "store_io", "store_read_only"}
)
"""Codes of a store whose hints tell a caller of a service what to do, and name no place."""


def for_callers(error: HoldfastError) -> HoldfastError:
    """Returns an error as callers of a service see it. An error of the store says only what its code means:
    where the store is, and what its server said, is for the operator, who has the log.
    """
    if not isinstance(error, StoreError) or not error.code.startswith(
        ("store_", "key", "history_", "audit_")
    ):
        return error
    hint = error.hint if error.code in HINTS_FOR_CALLERS else "the log of the service says more"
    message = CODES[error.code].removesuffix(".")
    message = "memory unavailable: " * (error.code == "store_unavailable") + message[0].lower() + message[1:]
    return type(error)(message, code=error.code, hint=hint)
