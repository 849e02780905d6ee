"""The web interface: the built application's files, and its one page for every path that is nothing else."""

from __future__ import annotations

import hashlib
import mimetypes
from dataclasses import dataclass, field
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from holdfast.core.errors import NotFound
from holdfast.http.gate import READING, is_page

BUILT = Path(__file__).with_name("static")
"""Where a build puts the application. It is in the wheel; a checkout has it after `make web`."""
INDEX = "index.html"
HASHED = "assets/"
"""Files whose names change with their content."""
ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
"""How files are compressed when they are built, the best first."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types 'none'"
)
"""Content of this service alone, no script or style in the page itself, and no HTML from plain strings."""
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
NOT_BUILT = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Holdfast</title></head>
<body>
<h1>Holdfast is running</h1>
<p>The service works, but the web interface was not built in this installation.</p>
<p>In a checkout of the sources <code>make web</code> builds it; it needs Node.js 20 or newer, or fetches one.
<code>pip install '.[server]'</code> builds it, too, where there is Node.js.</p>
<p>The API is described at <a href="/openapi.json">/openapi.json</a>.</p>
</body>
</html>
"""

mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("font/woff2", ".woff2")
mimetypes.add_type("application/manifest+json", ".webmanifest")


@dataclass(frozen=True, slots=True)
class _File:
    """A built file: its media type, and its content by encoding, plain under the empty name."""

    media_type: str
    etag: str
    content: dict[str, bytes]
    cache: str


@dataclass(slots=True)
class Pages:
    """Serves the built application. It holds the files in memory, and reads them again after a new build."""

    folder: Path = BUILT
    _files: dict[str, _File] = field(default_factory=dict)
    _stamp: tuple[int, int] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers with a file, or with the page that finds out by itself what its path means. Raises NotFound
        for other requests."""
        headers, path = Headers(scope=scope), scope["path"]
        files = self._current()
        is_asked_by_a_browser = path == "/" or "text/html" in headers.get("accept", "")
        file = files.get(path.lstrip("/")) or (files.get(INDEX) if is_asked_by_a_browser else None)
        if scope["method"] not in READING or not is_page(path) or not (file or is_asked_by_a_browser):
            raise NotFound("no route has this path", code="route_not_found", hint="see /openapi.json")
        scope["operation"] = "page"
        response = _not_built() if file is None else _response(file, headers)
        await response(scope, receive, send)

    def _current(self) -> dict[str, _File]:
        """Returns the files of the latest build, none if there is no build."""
        try:
            state = (self.folder / INDEX).stat()
        except OSError:
            return {}
        seen = state.st_mtime_ns, state.st_size
        if seen != self._stamp:
            self._files, self._stamp = _read(self.folder), seen
        return self._files


def _read(folder: Path) -> dict[str, _File]:
    """Reads the files of the web interface with their compressed forms, by path."""
    files = {}
    endings = tuple(ending for _, ending in ENCODINGS)
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.name.startswith(".") or path.name.endswith(endings):
            continue
        name, plain = path.relative_to(folder).as_posix(), path.read_bytes()
        packed = {
            encoding: sibling.read_bytes()
            for encoding, ending in ENCODINGS
            if (sibling := path.with_name(path.name + ending)).is_file()
        }
        media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        cache = "public, max-age=31536000, immutable" if name.startswith(HASHED) else "no-cache"
        files[name] = _File(
            media_type, f'"{hashlib.sha256(plain).hexdigest()[:20]}"', {**packed, "": plain}, cache,
        )  # fmt: skip
    return files


def _response(file: _File, headers: Headers) -> Response:
    """Returns a file in an encoding that the browser accepts; 304 if it has it already."""
    fields = {**HEADERS, "Cache-Control": file.cache, "ETag": file.etag, "Vary": "Accept-Encoding"}
    etags = {tag.strip().removeprefix("W/") for tag in headers.get("if-none-match", "").split(",")}
    if file.etag in etags:
        return Response(status_code=304, headers=fields)
    accepted = {part.split(";")[0].strip() for part in headers.get("accept-encoding", "").split(",")}
    encoding = next((name for name, _ in ENCODINGS if name in accepted and name in file.content), "")
    if encoding:
        fields["Content-Encoding"] = encoding
    return Response(file.content[encoding], headers=fields, media_type=file.media_type)


def _not_built() -> Response:
    return Response(NOT_BUILT, 200, {**HEADERS, "Cache-Control": "no-store"}, "text/html")
