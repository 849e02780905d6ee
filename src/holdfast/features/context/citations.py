"""Citations of earlier contexts: which memories `[M1]`, `[M2]` … of one stand for."""

from __future__ import annotations

from holdfast.core.errors import NotFound
from holdfast.core.hits import Citation
from holdfast.core.places import usable_name
from holdfast.core.views import ANY_STATE, personal_view
from holdfast.features.recall import uses
from holdfast.features.service import Service


def citations_of(service: Service, context: str) -> list[Citation]:
    """Returns what the citations of a context stand for that the caller was given, as it is now; what is gone
    or out of sight is left out. Raises NotFound `context_not_found`."""
    name = usable_name(context, "context")
    view = personal_view(service.principal, ANY_STATE)
    ids = uses.unwritten_citations(service, name)
    with service.store.read() as snap:
        ids = ids or {cited.citation: cited.id for cited in snap.citations(view, name)}
        memories = {memory.id: memory for memory in snap.several(view, list(ids.values()), now=0)}
    if not ids:
        raise NotFound("no context with this id is known", code="context_not_found")
    return [Citation(f"[M{number}]", memories[id]) for number, id in ids.items() if id in memories]
