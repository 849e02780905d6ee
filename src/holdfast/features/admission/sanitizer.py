"""Cleaning of strings: normalises them, redacts secrets, takes out private blocks and what is excluded."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from holdfast.core.arguments import checked_field, json_size, safe_repr
from holdfast.core.errors import InvalidInput, Refusal
from holdfast.core.kinds import NOT_KEPT
from holdfast.core.text import normalise
from holdfast.language.private import strip_private
from holdfast.language.secrets.find import redact_all, redact_secrets

if TYPE_CHECKING:
    from holdfast.language.exclusion import Exclusion

METADATA_MAX = 16_384
"""Maximum size of a JSON object in bytes."""
DEPTH_MAX = 20
"""Maximum depth of a JSON object."""
SHORT = 64
"""Maximum number of characters of a text whose clean form is cached: names of keys, speakers and files
recur."""
EXCLUDED = "excluded"
"""The redaction of what is never to be remembered."""
_WORD_JOINTS = re.compile(r"[_\-.]+|(?<=[a-z])(?=[A-Z])")
"""What joins the words of a key: `my_salary`, `mySalary`."""
_LABELS = ("name", "key", "variable", "field", "label", "header")
"""Keys that name the value in an object such as `{"name": "PASSWORD", "value": "…"}`."""


class Cleaned(NamedTuple):
    """A clean text, with the codes of removed characters and the types of redactions."""

    text: str
    flags: tuple[str, ...]
    redactions: tuple[str, ...]


def clean_all(texts: Iterable[str], entropy: float) -> dict[str, Cleaned]:
    """Returns the clean form of each text, as if cleaned alone; many at once take less time. `entropy` is
    that of `find_secrets`."""
    distinct = list(dict.fromkeys(texts))
    normalised = list(map(normalise, distinct))
    stripped = [strip_private(form.text) for form in normalised]
    redacted = redact_all([text.strip() for text, _ in stripped], entropy=entropy)
    return {
        text: Cleaned(clean, form.removed, ("private",) * blocks + types)
        for text, form, (_, blocks), (clean, types) in zip(
            distinct, normalised, stripped, redacted, strict=True
        )
    }


def _clean(text: str, entropy: float) -> Cleaned:
    return clean_all([text], entropy)[text]


_clean_cached = lru_cache(4_096)(_clean)


class Cleaner:
    """Cleans every string of one draft and collects the redactions. `ready` are strings that are already
    clean, `exclusions` what is never to be remembered."""

    def __init__(
        self, entropy: float, ready: Mapping[str, Cleaned] | None = None, exclusions: Sequence[Exclusion] = ()
    ) -> None:
        self._entropy = entropy
        self._ready = ready or {}
        self._exclusions = exclusions
        self.excluded: list[str] = []
        """The examples of what was taken out since it is never to be remembered."""
        self.redactions: list[str] = []
        """What was taken out, of all strings."""
        self.flags: list[str] = []
        """What was noticed in any of them, each once."""
        self.texts: list[str] = []
        """The clean strings and the numbers inside JSON."""

    def clean(self, text: str) -> str:
        """Returns the clean form of a text, which may be empty."""
        return self._cleaned(text)[0]

    def _cleaned(self, text: str) -> tuple[str, bool]:
        """Returns the clean form of a text, and whether something was taken out that is never to be
        remembered."""
        cleaned = self._ready.get(text)
        if cleaned is None:
            cleaned = (_clean_cached if len(text) <= SHORT else _clean)(text, self._entropy)
        for reason in cleaned.flags:
            if reason not in self.flags:
                self.flags.append(reason)
        self.redactions.extend(cleaned.redactions)
        return self._permitted(cleaned.text) if self._exclusions else (cleaned.text, False)

    def _permitted(self, text: str) -> tuple[str, bool]:
        """Returns a clean text without the sentences that are never to be remembered, empty if all of it is
        such, and whether there were any."""
        from holdfast.language.exclusion import taken_out

        left, applied = taken_out(text, self._exclusions)
        new = [example for example in applied if example not in self.excluded]
        self.excluded += new
        self.redactions += [EXCLUDED] * len(new)
        return left, bool(applied)

    def check_rest(self, remainder: object) -> None:
        """Raises Refusal `excluded` if nothing is left of a text since it is never to be remembered."""
        if self.excluded and not remainder:
            like = f"like “{self.excluded[0]}”" if self.excluded[0] else "like this"
            raise Refusal(
                f"nothing {like} is to be remembered", code="excluded",
                hint="`holdfast never` lists what is excluded; `holdfast forget ID` lifts it",
            )  # fmt: skip

    def short(self, value: object, label: str, limit: int) -> str | None:
        """Returns the clean form of a short text, None if it is empty or something in it is never to
        be remembered. Raises InvalidInput."""
        if value is None:
            return None
        value = checked_field(value, label, "text_not_string")
        if len(value) > limit:
            raise InvalidInput(f"{label} may have at most {limit} characters", code="text_too_long")
        clean, is_cut = self._cleaned(value)
        return None if is_cut else clean or None

    def json(self, value: object, label: str) -> dict[str, Any]:
        """Returns a JSON object with every string in it cleaned, keys as well as values. Raises InvalidInput
        `metadata_invalid`."""
        if value is None:
            return {}
        if json_size(value, label) > 2 * METADATA_MAX:
            raise _too_large(label)
        clean: dict[str, Any] = self._clean_value(value, 0)
        if len(json.dumps(clean, ensure_ascii=False).encode()) > METADATA_MAX:
            raise _too_large(label)
        return clean

    def _clean_value(self, value: Any, depth: int) -> Any:
        """Returns a value of metadata with its texts cleaned. Raises InvalidInput `metadata_invalid`."""
        if depth > DEPTH_MAX:
            raise InvalidInput(f"metadata may have at most {DEPTH_MAX} levels", code="metadata_invalid")
        if isinstance(value, str):
            clean = self._clean_or_mark(value)
            self.texts.append(clean)
            return clean
        if isinstance(value, Mapping):
            return self._clean_mapping(value, depth)
        if isinstance(value, list | tuple):
            items = [self._clean_value(item, depth + 1) for item in value]
            if len(items) == 2 and isinstance(items[0], str):
                items[1] = self._redact_by_name(items[0], items[1])
            return items
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
            # a card or an identity number may be a JSON number, too
            self.texts.append(str(int(value) if value == int(value) else value))
            return value
        raise InvalidInput(
            f"metadata cannot hold {type(value).__name__} {safe_repr(value)}", code="metadata_invalid"
        )

    def _clean_or_mark(self, text: str) -> str:
        """Returns the clean form of a string inside JSON: a mark if all of it is taken out as never to be
        remembered."""
        clean, is_cut = self._cleaned(text)
        return clean or (NOT_KEPT if is_cut else "")

    def _clean_key(self, key: str) -> str:
        """Returns the clean form of a key, whose words may be joined: `my_salary`."""
        clean = self._clean_or_mark(key)
        return NOT_KEPT if self._exclusions and self._permitted(_WORD_JOINTS.sub(" ", clean))[1] else clean

    def _clean_mapping(self, value: Mapping[Any, Any], depth: int) -> dict[str, Any]:
        """Returns a mapping with cleaned keys and values."""
        clean: dict[str, Any] = {}
        for key, item in value.items():
            name = self._clean_key(_checked_key(key))
            while name in clean:
                name += "′"  # two keys that are the same once cleaned: neither value is lost
            self.texts.append(name)
            clean[name] = self._redact_by_name(name, self._clean_value(item, depth + 1))
        places = {name.lower(): name for name in clean}
        label = next((clean[places[name]] for name in _LABELS if name in places), None)
        if isinstance(label, str) and "value" in places:
            clean[places["value"]] = self._redact_by_name(label, clean[places["value"]])
        return clean

    def _redact_by_name(self, name: str, value: Any) -> Any:
        """Redacts a clean value that is recognised only together with its name, as a secret or as what is
        never to be remembered."""
        if self._exclusions and value != NOT_KEPT:
            is_pair = isinstance(value, str | int | float) and NOT_KEPT not in str(value)
            if NOT_KEPT in name or (
                is_pair and self._permitted(_WORD_JOINTS.sub(" ", f"{name}: {value}"))[1]
            ):
                return NOT_KEPT
        if isinstance(value, list):
            for key in dict.fromkeys((name, name.removesuffix("s"))):  # "passwords": ["…"]
                value = self._redact_items(key, value)
            return value
        if not isinstance(value, str | int | float):
            return value
        types = redact_secrets(f"{name}: {json.dumps(value, ensure_ascii=False)}", entropy=self._entropy)[1]
        if not types or redact_secrets(str(value), entropy=self._entropy)[1]:
            return value
        self.redactions.extend(types)
        return f"[REDACTED: {types[0]}]"

    def _redact_items(self, name: str, items: list[Any]) -> list[Any]:
        """Redacts the values in a list, and in lists in it, that are recognised only together with its
        name."""
        return [
            self._redact_items(name, item) if isinstance(item, list) else self._redact_by_name(name, item)
            for item in items
        ]


def _checked_key(key: object) -> str:
    if not isinstance(key, str):
        raise InvalidInput(f"metadata keys must be text, not {type(key).__name__}", code="metadata_invalid")
    return key


def _too_large(what: str) -> InvalidInput:
    return InvalidInput(f"{what} may have at most {METADATA_MAX // 1024} KiB", code="metadata_invalid")
