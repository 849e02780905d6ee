"""The JSON of every answer, also where a text that is told holds what UTF-8 cannot."""

from __future__ import annotations

import json
from typing import Any

from fastapi import responses


class JSONResponse(responses.JSONResponse):
    """JSON in UTF-8; what UTF-8 cannot hold is escaped."""

    def render(self, content: Any) -> bytes:
        try:
            return super().render(content)
        except UnicodeEncodeError:
            return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()
