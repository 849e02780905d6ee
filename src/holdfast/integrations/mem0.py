"""`Memory` and `AsyncMemory` with the calls and results of mem0, for programs that were written for it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from functools import partial, wraps
from itertools import islice
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from holdfast.api.memory import Memory as Holdfast
from holdfast.core.arguments import LIMIT_MAX
from holdfast.core.errors import HoldfastError, InvalidInput, NotFound
from holdfast.core.pages import each
from holdfast.core.record import Memory as Record
from holdfast.core.record import Outcome
from holdfast.features.recall.recall import QUERY_MAX
from holdfast.features.transfer.formats.mem0 import IDS, SCOPE, scope_of
from holdfast.integrations.mem0_forms import (
    Json,
    change_of,
    count_of,
    deletion_of,
    events_of,
    expiry_of,
    filters_of,
    ids_of,
    item_of,
    meets,
    messages_of,
    native_filter,
    not_stored,
    options_in,
    payload_of,
)
from holdfast.language.small_talk import says_something

_UNSET: Any = object()
_ASKS = "it only asks, requests, thanks, agrees or greets; infer=False stores messages as they are"

P = ParamSpec("P")
R = TypeVar("R")


class Memory:
    """A memory with the methods of mem0's `Memory` over a Holdfast store; mem0 is not needed.

    Pass an opened `holdfast.Memory`, or what one is opened with. `user_id`, `agent_id` and `run_id` tell
    memories apart, as in mem0; all of them belong to the user who opened the store. Search and listing take
    ids in `filters`, as mem0 2 does, or as arguments of their own, as before.
    """

    def __init__(self, memory: Holdfast | str | os.PathLike[str] | None = None, **options: Any) -> None:
        if isinstance(memory, Holdfast):
            self.memory = memory
        else:  # a path in the options, as of a configuration, beside a store is a TypeError
            self.memory = Holdfast(**options) if memory is None else Holdfast(memory, **options)

    @classmethod
    def from_config(cls, config_dict: Mapping[str, Any]) -> Self:
        """Opens the store that `holdfast` of a configuration names, such as `{"holdfast": {"path": "m.db"}}`.
        Language models and embedders that it names are not used, which a warning says. Raises ValueError if
        it names a vector store and no store of Holdfast: memories are never expected where none are."""
        return cls(**options_in(config_dict))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the store."""
        self.memory.close()

    # writing

    def add(
        self,
        messages: str | Mapping[str, Any] | Sequence[Mapping[str, Any]],
        *,
        user_id: Any = None,
        agent_id: Any = None,
        run_id: Any = None,
        metadata: Mapping[str, Any] | None = None,
        expiration_date: Any = None,
        infer: bool = True,
        memory_type: str | None = None,
        prompt: str | None = None,
        timestamp: Any = None,
    ) -> Json:
        """Stores messages and returns what was added.

        With `infer`, what a user's messages state about the user is stored, found by rules without a model. A
        message in which they find nothing is stored as it is, unless it is a question, a request, thanks,
        assent or a greeting and nothing else, in English or German; in doubt it is stored. So are messages of
        the assistant if `agent_id` is given and no `user_id`. Without `infer`, each message is stored as it
        is. `prompt` is ignored. What waits for review, such as what reads like an instruction, and a message
        of the user that is not stored have the event `NONE` and a reason.
        """
        ids = ids_of(user_id=user_id, agent_id=agent_id, run_id=run_id)
        if not ids:
            raise ValueError("At least one of 'user_id', 'agent_id', or 'run_id' must be provided.")
        if memory_type is not None:
            raise ValueError("Procedural memories are written by a language model, which is not used here.")
        if timestamp is not None:
            raise ValueError("timestamp is not supported: memories have the time of their messages")
        own = {key: value for key, value in (metadata or {}).items() if key not in (*IDS, "actor_id")}
        expiry = expiry_of(expiration_date) if expiration_date is not None else {}
        is_single = isinstance(messages, str | Mapping)
        is_of_agent = "agent_id" in ids and "user_id" not in ids
        items: list[Json] = []
        left_out: list[Json] = []
        for message in messages_of(messages):
            role, text, name = message
            if role == "system" or not text.strip():
                continue
            payload = own | ids | ({"actor_id": name} if name else {})
            payload |= {"expiration_date": expiry["expiration_date"]} if expiry else {}
            place = {
                "scope": (SCOPE, scope_of(ids)), "metadata": payload, "expires_at": expiry.get("expires_at"),
            }  # fmt: skip
            if not infer:
                items.append({"text": text, "kind": "message", "role": role, "name": name, **place})
            elif is_of_agent and role == "assistant":
                items.append({"text": text, "kind": "fact", "role": role, "origin": "agent", **place})
            elif role == "user":
                try:
                    found = self.memory.extract(text=text, dry_run=True).found
                except InvalidInput as error:
                    if error.code != "text_too_long":
                        raise
                    left_out.append(not_stored(text, error.in_full))
                    continue
                claims = [result.candidate for result in found]
                items += [
                    {
                        "text": candidate.text,
                        "kind": candidate.kind,
                        "confidence": candidate.confidence,
                        **place,
                    }
                    for candidate in claims
                ]
                if not claims and (is_single or says_something(text)):
                    items.append({"text": text, "kind": "fact", **place})
                elif not claims:
                    left_out.append(not_stored(text, _ASKS))
        results = self.memory.remember_many(items) if items else []
        events = [result for item in zip(items, results, strict=True) for result in events_of(*item)]
        return {"results": events + left_out}

    def update(
        self,
        memory_id: str,
        text: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        expiration_date: Any = _UNSET,
        data: str | None = None,
    ) -> Json:
        """Changes text, metadata or expiration date of a memory; ids stay."""
        text = text if text is not None else data
        if text is None and metadata is None and expiration_date is _UNSET:
            raise ValueError("At least one of text, metadata, or expiration_date must be provided.")
        record = self._required(memory_id)
        payload = dict(record.metadata)
        payload |= {k: v for k, v in (metadata or {}).items() if k not in (*IDS, "actor_id")}
        changes: Json = {}
        if expiration_date is None:
            payload.pop("expiration_date", None)
            changes["expires_at"] = "never"
        elif expiration_date is not _UNSET:
            changes = expiry_of(expiration_date)
            payload["expiration_date"] = changes.pop("expiration_date")
        try:
            result = self.memory.revise(memory_id, text=text, metadata=payload, **changes)
        except InvalidInput as error:
            if error.code != "nothing_to_change":
                raise
        else:
            if result.outcome is Outcome.REFUSED:
                raise ValueError(result.reason)
        return {"message": "Memory updated successfully!"}

    def delete(self, memory_id: str) -> Json:
        """Deletes a memory; `holdfast restore` brings it back."""
        self._required(memory_id)
        self.memory.forget(memory_id)
        return {"message": "Memory deleted successfully!"}

    def delete_all(self, user_id: Any = None, agent_id: Any = None, run_id: Any = None) -> Json:
        """Deletes the memories with all of the given ids."""
        ids = ids_of(user_id=user_id, agent_id=agent_id, run_id=run_id)
        if not ids:
            raise ValueError(
                "At least one filter is required to delete all memories. If you want to delete all memories, "
                "use the `reset()` method."
            )
        for record in list(self._records(ids, include=("expired", "pending"))):
            self.memory.forget(record.id)
        return {"message": "Memories deleted successfully!"}

    def reset(self) -> None:
        """Deletes all memories that were added here, and nothing else in the store."""
        for record in list(self._records({}, include=("expired", "pending"))):
            self.memory.forget(record.id)

    # reading

    def get(self, memory_id: str) -> Json | None:
        """Returns a memory, or None if there is none."""
        try:
            return item_of(self._required(memory_id))
        except ValueError:
            return None

    def get_all(
        self,
        /,
        *,
        filters: Mapping[str, Any] | None = None,
        top_k: int = 20,
        show_expired: bool = False,
        limit: int | None = None,
        **ids: Any,
    ) -> Json:
        """Returns the memories that meet the filters, newest first."""
        criteria, most = filters_of(filters, ids), count_of(limit if limit is not None else top_k)
        results: list[Json] = []
        for record in self._records(criteria, include=("expired",) if show_expired else ()):
            if len(results) == most:
                break
            results.append(item_of(record))
        return {"results": results}

    def search(
        self,
        /,
        query: str,
        *,
        top_k: int = 20,
        filters: Mapping[str, Any] | None = None,
        threshold: float | None = None,
        rerank: bool = False,
        explain: bool = False,
        limit: int | None = None,
        show_expired: bool = False,
        **ids: Any,
    ) -> Json:
        """Returns the memories that share something with a query and meet the filters, best first. `score` is
        how surely a memory answers, from 0 to 1; with `explain` the parts of its rank are in `score_details`.
        With a `threshold`, only those that reach it; with 0, the newest others follow with the score 0, up to
        `top_k`. `rerank` changes nothing: results are in the best order known."""
        if show_expired:
            raise ValueError("search finds no expired memories; get_all(show_expired=True) lists them")
        if not isinstance(query, str) or not query.strip():
            raise ValueError("Invalid query: must be a non-empty string.")
        least = 0.0 if threshold is None else threshold
        if not isinstance(least, int | float) or not 0 <= least <= 1:
            raise ValueError(f"Invalid threshold: {threshold}. Must be between 0 and 1 (inclusive).")
        criteria, most = filters_of(filters, ids), count_of(limit if limit is not None else top_k)
        if not most:
            return {"results": []}
        native = native_filter(criteria)
        hits = self.memory.recall(
            query[:QUERY_MAX], metadata=native, min_confidence=float(least),
            limit=min(most, LIMIT_MAX) if native == criteria else LIMIT_MAX,
        )  # fmt: skip
        results = []
        for hit in hits:
            if hit.memory.scope.type == SCOPE and meets(payload_of(hit.memory), criteria):
                details = {"score_details": dict(hit.why)} if explain else {}
                results.append(item_of(hit.memory) | {"score": hit.confidence} | details)
        if threshold == 0 and len(results) < most:
            answering = {result["id"] for result in results}
            others = (record for record in self._records(criteria) if record.id not in answering)
            rest = [item_of(other) | {"score": 0.0} for other in islice(others, most - len(results))]
            results += [item | {"score_details": {}} for item in rest] if explain else rest
        return {"results": results[:most]}

    def history(self, memory_id: str) -> list[Json]:
        """Returns the changes of a memory, oldest first; of one that was deleted, only its deletion."""
        try:
            changes = self.memory.history(memory_id)
        except NotFound:
            deleted = self._records({}, include=("deleted",))
            return [deletion_of(record) for record in deleted if record.id == memory_id and record.deleted_at]
        entries: list[Json] = []
        for change in changes:
            if change.text is None:
                continue
            old = entries[-1]["new_memory"] if entries else None
            entries.append(change_of(memory_id, change.sequence, old, change.text, changes[0].at, change.at))
        return entries

    def _required(self, memory_id: str) -> Record:
        """Returns a memory. Raises ValueError as mem0 does if there is none."""
        try:
            record = self.memory.get(str(memory_id))
        except HoldfastError:
            record = None
        if record is None or record.scope.type != SCOPE:
            raise ValueError(f"Memory with id {memory_id} not found. Please provide a valid 'memory_id'")
        return record

    def _records(self, filters: Mapping[str, Any], include: Sequence[str] = ()) -> Iterator[Record]:
        """Yields the memories that were added here and meet filters, newest first."""
        listed = partial(self.memory.list, metadata=native_filter(filters), include=include, limit=LIMIT_MAX)
        for record in each(lambda cursor: listed(cursor=cursor)):
            if record.scope.type == SCOPE and meets(payload_of(record), filters):
                yield record


def _awaitable(
    method: Callable[Concatenate[Memory, P], R],
) -> Callable[Concatenate[AsyncMemory, P], Coroutine[Any, Any, R]]:
    @wraps(method)
    async def call(self: AsyncMemory, /, *args: P.args, **options: P.kwargs) -> R:
        return await asyncio.to_thread(method, self.sync, *args, **options)

    return call


class AsyncMemory:
    """A `Memory` whose methods are awaited, as those of mem0's `AsyncMemory`; each runs in a thread.

    `sync` is the `Memory`.
    """

    def __init__(self, memory: Holdfast | str | os.PathLike[str] | None = None, **options: Any) -> None:
        self.sync = Memory(memory, **options)

    @classmethod
    def from_config(cls, config_dict: Mapping[str, Any]) -> Self:
        """Opens the store that a configuration names; see `Memory.from_config`."""
        return cls(**options_in(config_dict))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    add = _awaitable(Memory.add)
    update = _awaitable(Memory.update)
    delete = _awaitable(Memory.delete)
    delete_all = _awaitable(Memory.delete_all)
    reset = _awaitable(Memory.reset)
    get = _awaitable(Memory.get)
    get_all = _awaitable(Memory.get_all)
    search = _awaitable(Memory.search)
    history = _awaitable(Memory.history)
    close = _awaitable(Memory.close)
