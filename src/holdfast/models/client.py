"""Calls of a language model over HTTP: one address, limits on time and size, retries, no redirects."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import itemgetter
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from holdfast.core.errors import HoldfastError
from holdfast.core.extras import how_to_install
from holdfast.core.text import count_tokens
from holdfast.models.addresses import resolved
from holdfast.models.authorities import authorities
from holdfast.models.base import Completion, Message, Tokens
from holdfast.models.providers import FORMS, Piece, Request

if TYPE_CHECKING:
    import httpx

    from holdfast.core.language_models import LanguageModel

TRIES = 3
"""Attempts at a call while the provider is busy or cannot be reached."""
BUSY = frozenset({408, 429, 500, 502, 503, 504, 529})
"""Statuses after which the same request is sent again."""
WAIT_MAX = 20.0
"""Most seconds between two attempts, whatever the provider asks for."""
ANSWER_MAX = 1_000_000
"""Bytes of an answer; a longer one is not read to its end."""
VECTOR_MAX = 250_000
"""Bytes of one vector in an answer, besides."""
SILENCE = 60.0
"""Seconds without a byte after which a call is given up."""
CONNECTING = 10.0


class ModelClient:
    """The client of one model. `key` is sent to its address only."""

    def __init__(
        self, model: LanguageModel, key: str | None, *, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        try:
            import httpx
        except ModuleNotFoundError as error:
            raise HoldfastError(
                "a language model needs the package httpx", code="extra_missing",
                hint=how_to_install("client"),
            ) from error  # fmt: skip
        self._httpx = httpx
        self._model = model
        self._key = key
        self._form = FORMS[model.provider]
        self._sleep = sleep

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None, *, limit: int, tokens: Tokens
    ) -> Completion:
        """Returns the answer to messages, with a `schema` as JSON; counts what it took in `tokens`. Raises
        HoldfastError with a code that starts with `model_`."""
        model, form = self._model, self._form
        model_request = Request(model.url, model.model, messages, schema, limit, stream=False)
        url, request = form.path(model_request), form.body(model_request)
        with self._response(url, request, tokens, stream=False) as response:
            body = b"".join(self._limited(response))
        try:
            piece = self._form.parse(_object(body))
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError):
            raise self._invalid("is not in the provider's form") from None
        _count(tokens, piece, messages, piece.text)
        if schema is None:
            return Completion(piece.text, None, piece.truncated)
        if piece.truncated:
            raise self._invalid("ends before its JSON does")
        try:
            return Completion(piece.text, _object(_unfenced(piece.text).encode()), False)
        except (ValueError, RecursionError):
            raise self._invalid("is no JSON object") from None

    def stream(self, messages: Sequence[Message], *, limit: int, tokens: Tokens) -> Iterator[str]:
        """Yields the text of an answer as it arrives; counts what it took in `tokens`. Raises
        HoldfastError."""
        read: int | None = None
        written: int | None = None
        texts: list[str] = []
        model, form = self._model, self._form
        model_request = Request(model.url, model.model, messages, None, limit, stream=True)
        url, request = form.path(model_request), form.body(model_request)
        try:
            with self._response(url, request, tokens, stream=True) as response:
                for event in _events(self._limited(response)):
                    try:
                        piece = self._form.parse_part(_object(event))
                    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError):
                        raise self._invalid("is not in the provider's form") from None
                    read = read if piece.tokens_in is None else piece.tokens_in
                    written = written if piece.tokens_out is None else piece.tokens_out
                    if piece.text:
                        texts.append(piece.text)
                        yield piece.text
            if not texts:
                raise self._invalid("is empty")
        finally:
            if tokens.sent:
                _count(tokens, Piece("", read, written), messages, "".join(texts))

    def embed(self, texts: Sequence[str], *, tokens: Tokens) -> list[list[float]]:
        """Returns a vector for each text, in their order; counts what it took in `tokens`. Raises
        HoldfastError."""
        base = self._model.url
        address = f"{base if urlsplit(base).path else f'{base}/v1'}/embeddings"
        request = {"model": self._model.model, "input": list(texts), "encoding_format": "float"}
        with self._response(address, request, tokens, stream=False) as response:
            body = b"".join(self._limited(response, ANSWER_MAX + len(texts) * VECTOR_MAX))
        try:
            value = _object(body)
            rows = sorted(value["data"], key=itemgetter("index"))
            vectors = [[float(number) for number in row["embedding"]] for row in rows]
            read = (value.get("usage") or {}).get("prompt_tokens")
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
            raise self._invalid("is not in the provider's form") from None
        if len(vectors) != len(texts) or any(len(vector) != self._model.dimensions for vector in vectors):
            raise self._invalid(f"is not {len(texts)} vectors of {self._model.dimensions} dimensions")
        if not all(math.isfinite(number) for vector in vectors for number in vector):
            raise self._invalid("holds numbers that are none")
        counted = read if isinstance(read, int) and read >= 0 else sum(map(count_tokens, texts))
        tokens.read += counted
        return vectors

    @contextmanager
    def _response(
        self, address: str, body: Mapping[str, Any], tokens: Tokens, *, stream: bool
    ) -> Iterator[httpx.Response]:
        """Sends a request, again where the provider is busy, and yields the response to read."""
        model = self._model
        url = self._httpx.URL(address)
        content = json.dumps(body, allow_nan=False)
        headers = {
            "Content-Type": "application/json", "User-Agent": "holdfast", "Accept-Encoding": "identity",
            **self._form.headers(self._key),
        }  # fmt: skip
        port = url.port or {"http": 80, "https": 443}[url.scheme]
        silence = min(SILENCE, float(model.timeout))
        timeout = self._httpx.Timeout(silence, connect=min(CONNECTING, silence))
        options: dict[str, Any] = {
            "timeout": timeout, "follow_redirects": False, "trust_env": False, "verify": authorities(),
        }  # fmt: skip
        for attempt in range(1, TRIES + 1):
            # called by an IP address that was checked, while names and certificates stay those of the host
            ips = resolved(url.host, port)
            request_url = url.copy_with(host=ips[(attempt - 1) % len(ips)])
            own = {**headers, "Host": url.netloc.decode("ascii")}
            try:
                with self._httpx.Client(**options) as http:
                    request = http.build_request(
                        "POST", request_url, content=content, headers=own,
                        extensions={"sni_hostname": url.host},
                    )  # fmt: skip
                    tokens.sent = True
                    response = http.send(request, stream=True)
                    try:
                        if response.status_code in BUSY and attempt < TRIES:
                            wait = _wait(response, attempt)
                        else:
                            tokens.sent = response.status_code == 200
                            self._check(response, stream=stream)
                            yield response
                            return
                    finally:
                        response.close()
            except self._httpx.TimeoutException as error:
                tokens.sent = not isinstance(error, self._httpx.ConnectTimeout)
                raise self._slow() from None
            except self._httpx.TransportError as error:
                tokens.sent = not isinstance(error, self._httpx.ConnectError)
                if attempt == TRIES or tokens.sent:
                    raise self._unreachable(error) from None
                wait = 0.0 if attempt < len(ips) else float(2 ** (attempt - 1))
            self._sleep(wait)

    def _limited(self, response: httpx.Response, most: int = ANSWER_MAX) -> Iterator[bytes]:
        """Yields a body within the limits on size and time, however slowly it arrives."""
        until = time.monotonic() + self._model.timeout
        size = 0
        for piece in response.iter_bytes():
            size += len(piece)
            if size > most:
                raise self._invalid("is too long")
            if time.monotonic() > until:
                raise self._slow()
            yield piece

    def _check(self, response: httpx.Response, *, stream: bool) -> None:
        """Raises the error of an HTTP status."""
        status = response.status_code
        if status in BUSY:
            raise HoldfastError(
                f"{self._model.host} is busy or refuses further requests: status {status}", code="model_busy",
                hint="wait, or check the limits of your account there",
            )  # fmt: skip
        if 300 <= status < 400:
            raise HoldfastError(
                f"{self._model.host} answers with a redirect, which is not followed", code="model_refused",
                hint="add the model under the address that it is really at",
            )  # fmt: skip
        if status in (401, 403):
            raise HoldfastError(
                f"{self._model.host} refuses the key: status {status}" if self._key
                else f"{self._model.host} needs a key",
                code="model_refused", hint=f"holdfast models key {self._model.name}",
            )  # fmt: skip
        if status != 200:
            raise HoldfastError(
                f"{self._model.host} refuses the request: status {status}", code="model_refused",
                hint="check address, provider and name of the model: `holdfast models list`",
            )  # fmt: skip
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if "content-encoding" in response.headers:  # a little of it may become very much
            raise self._invalid("is compressed, which was not asked for")
        if kind != ("text/event-stream" if stream else "application/json"):
            raise self._invalid("has another media type than the provider's")

    def _invalid(self, problem: str) -> HoldfastError:
        """Returns the error for an answer that does not have the form asked for."""
        return HoldfastError(
            f"the answer of {self._model.host} {problem}", code="model_answer_invalid",
            hint="nothing was changed; another model may answer in the requested form",
        )  # fmt: skip

    def _slow(self) -> HoldfastError:
        """Returns the error for a model that did not answer in time."""
        return HoldfastError(
            f"{self._model.host} did not answer in time", code="model_unreachable",
            hint=f"it has {self._model.timeout} s; add the model again with a longer --timeout",
        )  # fmt: skip

    def _unreachable(self, error: Exception) -> HoldfastError:
        """Returns the error for a model that cannot be reached."""
        return HoldfastError(
            f"{self._model.host} cannot be reached: {type(error).__name__}", code="model_unreachable",
            hint=f"does it run at {self._model.url}?",
        )  # fmt: skip


def _events(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yields the data of server-sent events."""
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            name, _, value = line.strip().partition(b":")
            if name == b"data" and (data := value.strip()) != b"[DONE]":
                yield data


def _object(body: bytes) -> Any:
    """Returns a JSON object. Raises ValueError."""
    value = json.loads(body.decode("utf-8", "replace"))
    if not isinstance(value, dict):
        raise ValueError("no object")
    return value


def _unfenced(text: str) -> str:
    """Returns a text without the fence that some models put around JSON."""
    text = text.strip()
    if text.startswith("```") and text.endswith("```") and "\n" in text:
        return text[text.index("\n") : -3]
    return text


def _wait(response: httpx.Response, attempt: int) -> float:
    """Returns the seconds until the next attempt: what the provider asks for, else 1 s, doubled."""
    try:
        delay = float(response.headers.get("retry-after", ""))
    except ValueError:
        delay = float(2 ** (attempt - 1))
    return min(max(delay, 0.0), WAIT_MAX) if delay == delay else WAIT_MAX


def _count(tokens: Tokens, piece: Piece, messages: Sequence[Message], text: str) -> None:
    """Adds the tokens of an answer; they are estimated if the provider does not say them."""
    read = (
        sum(count_tokens(message.text) for message in messages)
        if piece.tokens_in is None
        else piece.tokens_in
    )
    tokens.read += read
    tokens.written += count_tokens(text) if piece.tokens_out is None else piece.tokens_out
