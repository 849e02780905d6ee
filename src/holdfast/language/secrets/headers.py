"""Finds credentials in HTTP headers: `Authorization: Bearer …`."""

from __future__ import annotations

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.harmless import Form, is_harmless
from holdfast.language.secrets.part import QUOTES, Part, Spans, is_pair
from holdfast.language.secrets.values import is_distinctive

_HEADER = (
    r"(?i)authorization(?:[\"']?[ \t]*\]?[ \t]*(?:[:=,]|=>)[ \t]*(?:[fFbBrR]?[\"'`])?"
    r"|([ \t]+[\"']))[ \t]*((?:basic|bearer|token|apikey|api-key|digest|negotiate|key|jwt|sso-key|bot|oauth"
    r"|splunk|genie_?key|aws)[ \t]+)?([^\s\"'`\0]+)"
)
_CUSTOM = (
    r"(?i)\bx-(?:[\w-]*-)?(?:key|auth|token|secret|zugang|schl(?:\x{fc}|ue)ssel"
    r"|credential)[\"']?[ \t]*[:=][ \t]*[\"']?([^\s\"'`\0]{4,})"
)
"""A header of one's own: `X-Weather-Key: …`."""
_BEARER = r"(?i)\bbearer[ \t]+([^\s\"'`\0<>]+)"


def in_headers(text: Part) -> Spans:
    """Yields the credentials of HTTP headers: keys of known headers, `Authorization`, and bearer tokens."""
    data = text.data
    for match in text.matches(byte_pattern(_CUSTOM)):
        value = _without_closing(match.group(1))
        if not is_harmless(value.decode("utf-8", "replace"), Form.BARE, is_password=False):
            yield match.start(1), match.start(1) + len(value), "api_key"
    if not text.has(byte_pattern("(?i)authorization|bearer")):
        return
    for match in text.matches(byte_pattern(_HEADER)):
        start = match.start(3)
        if match.start(1) >= 0 and match.start(2) < 0:
            continue  # `Authorization "…"` of a proxy names the scheme
        if b"," in data[match.start() : start] and not is_pair(data, match.start(), start):
            continue
        value = _without_closing(match.group(3))
        before = data[match.start() : start]
        quoted = before.rstrip()[-1:] in QUOTES or match.start(2) >= 0
        form = Form.LITERAL if quoted else Form.CODE if b"=" in before or text.is_code else Form.BARE
        if len(value) >= 4 and not is_harmless(value.decode("utf-8", "replace"), form, is_password=False):
            is_basic = (match.group(2) or b"").strip().lower() == b"basic"
            yield start, start + len(value), "basic_auth" if is_basic else "authorization"
    for match in text.matches(byte_pattern(_BEARER)):
        start = match.start(1)
        value = _without_closing(match.group(1))
        spelled = value.decode("utf-8", "replace")
        if (
            len(value) < 6
            or not is_distinctive(spelled)
            or (spelled.partition("=")[0].isidentifier() and spelled.endswith("="))
        ):
            continue
        if not is_harmless(spelled, Form.LOOSE, is_password=False):
            yield start, start + len(value), "bearer_token"


def _without_closing(value: bytes) -> bytes:
    """Returns a value without the signs of the text around it; a bracket that was opened inside stays."""
    trimmed = value.rstrip(b".,;)}]\\")
    return value.rstrip(b".,;\\") if b"{" in trimmed or b"(" in trimmed else trimmed
