"""Rules of what is never to be remembered, kept as memories of the kind `exclusion`."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from holdfast.core.errors import InvalidInput
from holdfast.core.kinds import EXCLUSION
from holdfast.core.text import normalise
from holdfast.features.service import Service
from holdfast.language.exclusion import exclusion_of

if TYPE_CHECKING:
    from holdfast.core.record import Kept

TEXT_MAX = 300
"""Most characters of an example."""


def never(service: Service, text: str | None, id: str | None) -> Kept:
    """Keeps a rule that nothing like a text, or like a memory of the caller, is remembered from now on. What
    an agent asks for waits for review. Raises InvalidInput, NotFound."""
    from holdfast.features.admission.draft import Draft
    from holdfast.features.memories.browse import get
    from holdfast.features.memories.remember import remember

    if (text is None) == (id is None):
        raise InvalidInput("name a text or a memory", code="argument_invalid", hint='such as "my salary"')
    example = get(service, id).text if id is not None else text
    example = " ".join(normalise(example).text.split()) if isinstance(example, str) else ""
    if not 0 < len(example) <= TEXT_MAX or not exclusion_of(example).is_usable:
        raise InvalidInput(
            "this is not a usable example", code="argument_invalid",
            hint='say it in a few words ("my salary"), or name a group of `about` ("health")',
        )  # fmt: skip
    digest = hashlib.sha256(example.casefold().encode()).hexdigest()[:16]
    draft = Draft(
        example, kind=EXCLUSION, external_id=EXCLUSION, scope=(EXCLUSION, digest), visibility="private"
    )
    return remember(service, draft)
