"""JSON responses, also of text that UTF-8 cannot encode."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from fastapi import responses


class JSONResponse(responses.JSONResponse):
    """A JSON response in UTF-8; characters that UTF-8 cannot encode are escaped."""

    def render(self, content: Any) -> bytes:
        try:  # a fifth of the time that `json` takes, which is a tenth of a millisecond for ten hits
            return msgspec.json.encode(content)
        except UnicodeEncodeError:
            return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()
