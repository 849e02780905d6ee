"""Today's rules over texts that were admitted before: what they find, and each part without it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from holdfast.core.errors import InvalidInput
from holdfast.core.record import PERSONAL_RISK, SHORT_TEXTS, Memory
from holdfast.core.text import Finding, replace_spans
from holdfast.features.admission.admission import Admission
from holdfast.features.admission.sanitizer import Cleaned, Cleaner, clean_all
from holdfast.language.pii import TYPES, find_pii, risks_of_all

PERSONAL = TYPES - {"ip"}
"""The types of personal data that are looked for when asked."""
_TEXTS = ("text", *SHORT_TEXTS, "status_reason", "deleted_reason")
_JSON = ("metadata", "evidence")


@dataclass(slots=True)
class Rechecked:
    """The findings in one version: their number by type, and the `values` of the parts that hold them,
    without them."""

    types: Counter[str] = field(default_factory=Counter)
    values: dict[str, Any] = field(default_factory=dict)


class Recheck:
    """Looks for secrets, private blocks and the personal data that the settings describe, with `personal`
    also for the kinds of personal data that are known without a setting."""

    def __init__(self, admission: Admission, *, personal: bool) -> None:
        self._entropy = admission.entropy
        self._patterns = dict(admission.pii_patterns)
        self._types = frozenset(self._patterns) | (PERSONAL if personal else frozenset())

    def find(self, memories: Sequence[Memory]) -> list[Rechecked]:
        """Returns what is found in each version; many at once take less time."""
        ready = clean_all(chain.from_iterable(map(_strings_of, memories)), self._entropy)
        results = [self._without_secrets(memory, ready) for memory in memories]
        if self._types:
            pairs = list(zip(memories, results, strict=True))
            masks = self._masks(chain.from_iterable(_strings_of(*pair) for pair in pairs))
            for memory, result in pairs if masks else ():
                _mask(memory, result, masks)
        return results

    def find_in(self, parts: Mapping[str, str | None]) -> Rechecked:
        """Returns what is found in some named texts, such as a name and a description."""
        texts = {name: text for name, text in parts.items() if text}
        ready = clean_all(texts.values(), self._entropy)
        result = Rechecked()
        for name, text in texts.items():
            cleaned = ready[text]
            if cleaned.redactions and cleaned.text != text:
                result.types.update(cleaned.redactions)
                result.values[name] = cleaned.text
        masks = self._masks({**texts, **result.values}.values()) if self._types else {}
        for name, text in {**texts, **result.values}.items():
            if text in masks:
                result.values[name], types = masks[text]
                result.types.update(types)
        return result

    def _without_secrets(self, memory: Memory, ready: Mapping[str, Cleaned]) -> Rechecked:
        """Returns what the present rules would remove from a memory, by part and type."""
        result = Rechecked()
        for part in _TEXTS:
            value = getattr(memory, part)
            if value and (cleaned := ready[value]).redactions and cleaned.text != value:
                result.types.update(cleaned.redactions)
                result.values[part] = cleaned.text
        tags = [ready[tag] for tag in memory.tags]
        if any(tag.redactions for tag in tags):
            result.types.update(chain.from_iterable(tag.redactions for tag in tags))
            result.values["tags"] = tuple(tag.text for tag in tags)
        for part in _JSON:
            value = getattr(memory, part)
            if not value:
                continue
            cleaner = Cleaner(self._entropy, ready)
            try:
                clean = cleaner.json(value, part)
            except InvalidInput:  # the marks have made it too long
                clean = {}
            if cleaner.redactions and clean != value:
                result.types.update(cleaner.redactions)
                result.values[part] = clean
        return result

    def _masks(self, texts: Iterable[str]) -> dict[str, tuple[str, tuple[str, ...]]]:
        """Returns the texts that hold personal data, each with its form without it and the types."""
        distinct = list(dict.fromkeys(texts))
        masks = {}
        for text, risk in zip(distinct, risks_of_all(distinct, extra=self._patterns), strict=True):
            if risk < PERSONAL_RISK:
                continue
            findings = [
                finding for finding in find_pii(text, extra=self._patterns) if finding.type in self._types
            ]
            if findings:
                marks = [Finding(finding.type.upper(), finding.start, finding.end) for finding in findings]
                masked = replace_spans(text, marks, "[REDACTED_{}]")
                masks[text] = (masked, tuple(finding.type for finding in findings))
        return masks


def _strings_of(memory: Memory, result: Rechecked | None = None) -> Iterator[str]:
    """Yields all strings of a version, as far as they were cleaned already in their clean form."""
    values = {} if result is None else result.values
    for part in (*_TEXTS, "tags", *_JSON):
        yield from _strings_in(values.get(part, getattr(memory, part)), numbers=result is not None)


def _strings_in(value: Any, *, numbers: bool) -> Iterator[str]:
    """Yields all texts inside a value, keys included; numbers as text if asked for."""
    if isinstance(value, str):
        if value:
            yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield key
            yield from _strings_in(item, numbers=numbers)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _strings_in(item, numbers=numbers)
    elif numbers and isinstance(value, int) and not isinstance(value, bool):
        yield str(value)  # a card or an identity number may be a JSON number, too


def _mask(memory: Memory, result: Rechecked, masks: Mapping[str, tuple[str, tuple[str, ...]]]) -> None:
    """Replaces personal data in the parts of a version."""

    def masked(value: Any) -> Any:
        if isinstance(value, str | int) and not isinstance(value, bool):
            if (mask := masks.get(str(value))) is None:
                return value
            result.types.update(mask[1])
            return mask[0]
        if isinstance(value, Mapping):
            return {masked(key): masked(item) for key, item in value.items()}
        return [masked(item) for item in value] if isinstance(value, list | tuple) else value

    for part in (*_TEXTS, "tags", *_JSON):
        before = result.values.get(part, getattr(memory, part))
        after = masked(before)
        after = tuple(after) if part == "tags" else after
        if after != before:
            result.values[part] = after
