"""The form of Anthropic's memory stores API: paths, contents, digests and versions, taken and returned."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import Conflict, InvalidInput, NotFound, Refusal
from holdfast.core.record import Change, Kept
from holdfast.core.record import Memory as Record
from holdfast.core.times import to_iso
from holdfast.integrations.documents import packed, text_of, unpacked

NAME_MAX, DESCRIPTION_MAX, PAIRS_MAX, KEY_MAX, VALUE_MAX = 255, 1_024, 16, 64, 512
CONTENT_MAX, PATH_MAX, SEGMENTS_MAX = 102_400, 1_024, 20
"""Bytes of a content and of a path, and segments of a path."""
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})

Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a memory: a text of it, by its `number`, or that it was deleted, without one."""

    id: str
    memory: str
    step: Change
    operation: str
    path: str
    text: str | None = None
    number: int | None = None
    redacted: Change | None = None

    @property
    def place(self) -> list[Any]:
        """Returns what versions are sorted by: the newest first."""
        return [-self.step.at, self.memory, -self.step.sequence]

    def answer(self, store_id: str, *, full: bool) -> Answer:
        """Returns the version as the API shows it."""
        gone = self.redacted
        return {
            "id": self.id, "type": "memory_version", "memory_store_id": store_id,
            "memory_id": f"mem_{self.memory}", "operation": self.operation,
            "created_at": to_iso(self.step.at), "created_by": _actor(self.step),
            "path": None if gone else self.path, **_content(None if gone else self.text, full=full),
            "redacted_at": to_iso(gone.at) if gone else None, "redacted_by": _actor(gone) if gone else None,
        }  # fmt: skip


def versions_in(id: str, history: Sequence[Change]) -> list[Version]:
    """Returns the versions in the history of a memory, oldest first."""
    redacted = {step.detail["version"]: step for step in history if step.action == "redact"}
    versions: list[Version] = []
    for step in history:
        metadata = step.metadata or {}
        if step.version is not None and step.text is not None:
            version = Version(
                f"memver_{id}.{step.version}", id, step, "modified" if versions else "created", ""
            )
            redaction = redacted.get(step.version)
            if redaction is None:
                path, text = str(metadata.get("path", "")), unpacked(step.text, metadata)
                version = replace(version, path=path, text=text)
            versions.append(replace(version, number=step.version, redacted=redaction))
        elif step.action == "forget":
            path = versions[-1].path if versions else ""
            versions.append(Version(f"memver_{id}.deleted-{step.sequence}", id, step, "deleted", path))
    return versions


def memory_answer(record: Record, *, full: bool) -> Answer:
    """Returns a memory as the API shows it, with its content if `full`."""
    return {
        "id": f"mem_{record.id}", "type": "memory", "memory_store_id": f"memstore_{record.scope.id}",
        "memory_version_id": f"memver_{record.id}.{record.version}", "path": record.metadata["path"],
        "created_at": to_iso(record.recorded_at), "updated_at": to_iso(record.updated_at),
        **_content(text_of(record), full=full),
    }  # fmt: skip


def store_answer(record: Record) -> Answer:
    """Returns a store as the API shows it."""
    name, _, description = text_of(record).partition("\n")
    archived = "archived" in record.metadata
    return {
        "id": f"memstore_{record.id}", "type": "memory_store", "name": name, "description": description,
        "metadata": json.loads(record.metadata["pairs"]), "created_at": to_iso(record.recorded_at),
        "updated_at": to_iso(record.updated_at),
        "archived_at": to_iso(record.updated_at) if archived else None,  # what is archived changes no more
    }  # fmt: skip


def described(name: str, description: str, pairs: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    """Returns the text and the metadata that a store is kept as. Raises InvalidInput."""
    if not 1 <= len(name) <= NAME_MAX or _has_unseen(name, "Cc"):
        raise _invalid(f"a name has 1 to {NAME_MAX} characters and no control characters")
    if len(description) > DESCRIPTION_MAX:
        raise _invalid(f"a description has at most {DESCRIPTION_MAX} characters")
    sizes = [1 <= len(key) <= KEY_MAX and len(value) <= VALUE_MAX for key, value in pairs.items()]
    if len(sizes) > PAIRS_MAX or not all(sizes):
        raise _invalid(
            f"metadata has at most {PAIRS_MAX} pairs, keys 1 to {KEY_MAX} and values at most {VALUE_MAX} "
            "characters"
        )
    text, form = packed(f"{name}\n{description}")
    return text, {**form, "pairs": json.dumps(dict(pairs))}


def text_at(path: str, content: str) -> tuple[str, dict[str, Any]]:
    """Returns the text and the metadata that a content at a path is kept as. Raises InvalidInput."""
    segments = path.split("/")[1:]
    if (
        not path.startswith("/")
        or not 1 <= len(segments) <= SEGMENTS_MAX
        or {"", ".", ".."} & set(segments)
        or _has_unseen(path, *_UNSEEN)
        or unicodedata.normalize("NFC", path) != path
        or len(path.encode()) > PATH_MAX
    ):
        raise _invalid(
            f"{safe_repr(path)} is not a path: a path begins with /, has 1 to {SEGMENTS_MAX} segments that"
            " are neither empty nor . or .., no control or format characters, and at most"
            f" {PATH_MAX} bytes, in NFC"
        )
    if len(content.encode("utf-8", "surrogatepass")) > CONTENT_MAX:
        raise _invalid(f"a content has at most {CONTENT_MAX:,} bytes")
    text, form = packed(content)
    return text, {**form, "path": path}


def check_digest(record: Record, digest: str | None) -> None:
    """Raises Conflict `version_mismatch` if the content of a memory has another digest than is expected."""
    if digest is not None and _content(text_of(record), full=False)["content_sha256"] != digest:
        raise Conflict(
            "the content of the memory has changed", code="version_mismatch", hint="read it again first"
        )


def stored_record(result: Kept) -> Record:
    """Returns the memory of an outcome. Raises Refusal if nothing was stored."""
    if result.memory is None:
        raise Refusal(result.reason, code=result.code or "not_permitted")
    return result.memory


def not_found(id: str) -> NotFound:
    """Returns the error for an id of nothing that is there to be seen."""
    return NotFound(f"there is no {safe_repr(id)}", code="memory_not_found")


def _content(text: str | None, *, full: bool) -> Answer:
    """Returns the fields of a version's content; null if it was erased."""
    if text is None:
        return dict.fromkeys(("content", "content_sha256", "content_size_bytes"))
    raw = text.encode("utf-8", "surrogatepass")
    return {
        "content": text if full else None, "content_sha256": hashlib.sha256(raw).hexdigest(),
        "content_size_bytes": len(raw),
    }  # fmt: skip


def _actor(step: Change) -> Answer:
    return {"type": "user_actor", "user_id": step.actor}


def _has_unseen(text: str, *categories: str) -> bool:
    return any(unicodedata.category(character) in categories for character in text)


def _invalid(message: str) -> InvalidInput:
    return InvalidInput(message, code="argument_invalid")
