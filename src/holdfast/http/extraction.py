"""Routes of extraction: what the user said of themselves, found by rules."""

from __future__ import annotations

from fastapi import APIRouter

from holdfast.http import extraction_models
from holdfast.http.operations import Call, operation
from holdfast.http.response import JSONResponse

router = APIRouter(prefix="/v1", tags=["sessions"])


@operation(router, "POST", "/extract", "extract", extraction_models.ExtractionOut, also=(404,))
def extract(call: Call, body: extraction_models.ExtractIn) -> JSONResponse:
    """Find what the user said of themselves.

    Rules for English and Chinese read the user's messages of a session or an import, each once, or a text.
    What is uncertain, holds personal data or follows a web search waits for review, as all does that comes
    from a text.
    """
    return JSONResponse(call.memory.extract(**body.given()).as_dict())
