"""The providers' forms of request and response: OpenAI-compatible, Anthropic, Gemini.

Each returns an answer in JSON that keeps to a schema by its own way: `response_format`, `output_config`,
`responseJsonSchema`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import quote, urlsplit

from holdfast.models.base import Message

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """A request to the model at an address for an answer of at most `limit` tokens, whole or streamed: JSON
    that keeps to a schema, if there is one."""

    url: str
    model: str
    messages: Sequence[Message]
    schema: Json | None
    limit: int
    stream: bool

    def system(self) -> str:
        """Returns the instructions to the model."""
        return "\n\n".join(message.text for message in self.messages if message.role == "system")

    def talk(self) -> list[Message]:
        """Returns the messages that are no instructions."""
        return [message for message in self.messages if message.role != "system"]


@dataclass(frozen=True, slots=True)
class Piece:
    """The content of a response, or of one part of a streamed one. Tokens are None where it does not say."""

    text: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    truncated: bool = False


class Provider(Protocol):
    """One form of request and response. Parsing raises KeyError, TypeError or ValueError for any other."""

    def path(self, request: Request) -> str:
        """Returns the address of a request."""

    def headers(self, key: str | None) -> dict[str, str]:
        """Returns the headers, with the key."""

    def body(self, request: Request) -> dict[str, Any]:
        """Returns the body of a request."""

    def parse(self, response: Json) -> Piece:
        """Returns the content of a whole response."""

    def parse_part(self, event: Json) -> Piece:
        """Returns the content of one event of a stream."""


class OpenAI:
    """The form of OpenAI, spoken by Ollama, vLLM, llama.cpp, LM Studio, OpenRouter and many more."""

    def path(self, request: Request) -> str:
        return f"{request.url if urlsplit(request.url).path else f'{request.url}/v1'}/chat/completions"

    def headers(self, key: str | None) -> dict[str, str]:
        return {} if key is None else {"Authorization": f"Bearer {key}"}

    def body(self, request: Request) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": request.model,
            "messages": [{"role": message.role, "content": message.text} for message in request.messages],
        }
        if urlsplit(request.url).hostname == "api.openai.com":  # its newer models take neither of the others
            body["max_completion_tokens"] = request.limit
        else:
            body |= {"max_tokens": request.limit, "temperature": 0.1}
        if request.schema is not None:
            described = {"name": "answer", "schema": request.schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": described}
        if request.stream:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        return body

    def parse(self, response: Json) -> Piece:
        (choice, *_) = response["choices"]
        return self._piece(response, choice["message"].get("content"), choice)

    def parse_part(self, event: Json) -> Piece:
        choices = event.get("choices") or [{}]  # the last event holds the usage alone
        return self._piece(event, choices[0].get("delta", {}).get("content"), choices[0])

    def _piece(self, response: Json, text: Any, choice: Json) -> Piece:
        """Returns a part of an answer with its tokens."""
        usage = response.get("usage") or {}
        return Piece(
            _text(text), _count(usage, "prompt_tokens"), _count(usage, "completion_tokens"),
            choice.get("finish_reason") == "length",
        )  # fmt: skip


class Anthropic:
    """The form of Anthropic: `/v1/messages`."""

    def path(self, request: Request) -> str:
        return f"{request.url.removesuffix('/v1')}/v1/messages"

    def headers(self, key: str | None) -> dict[str, str]:
        return {"anthropic-version": "2023-06-01", **({} if key is None else {"x-api-key": key})}

    def body(self, request: Request) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": request.model,
            "max_tokens": request.limit,
            "messages": [{"role": message.role, "content": message.text} for message in request.talk()],
        }
        if system := request.system():
            body["system"] = system
        if request.schema is not None:
            body["output_config"] = {"format": {"type": "json_schema", "schema": request.schema}}
        if request.stream:
            body["stream"] = True
        return body

    def parse(self, response: Json) -> Piece:
        text = "".join(_text(block["text"]) for block in response["content"] if block["type"] == "text")
        usage = response.get("usage") or {}
        return Piece(
            text, _count(usage, "input_tokens"), _count(usage, "output_tokens"),
            response.get("stop_reason") == "max_tokens",
        )  # fmt: skip

    def parse_part(self, event: Json) -> Piece:
        if event["type"] == "error":
            raise ValueError("error")
        if event["type"] == "message_start":
            return Piece(tokens_in=_count(event["message"].get("usage") or {}, "input_tokens"))
        if event["type"] == "message_delta":
            ended = event["delta"].get("stop_reason") == "max_tokens"
            return Piece(tokens_out=_count(event.get("usage") or {}, "output_tokens"), truncated=ended)
        if event["type"] == "content_block_delta" and event["delta"]["type"] == "text_delta":
            return Piece(_text(event["delta"]["text"]))
        return Piece()


class Gemini:
    """The form of Google Gemini: `models/NAME:generateContent`."""

    def path(self, request: Request) -> str:
        act = "streamGenerateContent?alt=sse" if request.stream else "generateContent"
        base = request.url if urlsplit(request.url).path else f"{request.url}/v1beta"
        return f"{base}/models/{quote(request.model.removeprefix('models/'), safe='')}:{act}"

    def headers(self, key: str | None) -> dict[str, str]:
        return {} if key is None else {"x-goog-api-key": key}

    def body(self, request: Request) -> dict[str, Any]:
        options: dict[str, Any] = {"maxOutputTokens": request.limit, "temperature": 0.1}
        if request.schema is not None:
            options |= {"responseMimeType": "application/json", "responseJsonSchema": request.schema}
        body: dict[str, Any] = {
            "contents": [
                {
                    "role": "model" if message.role == "assistant" else "user",
                    "parts": [{"text": message.text}],
                }
                for message in request.talk()
            ],
            "generationConfig": options,
        }
        if system := request.system():
            body["systemInstruction"] = {"parts": [{"text": system}]}
        return body

    def parse(self, response: Json) -> Piece:
        (candidate, *_) = response["candidates"]
        return self._piece(response, candidate)

    def parse_part(self, event: Json) -> Piece:
        return self._piece(event, (event.get("candidates") or [{}])[0])

    def _piece(self, response: Json, candidate: Json) -> Piece:
        """Returns a part of an answer with its tokens, those of thoughts included."""
        parts = (candidate.get("content") or {}).get("parts") or ()
        usage = response.get("usageMetadata") or {}
        answered = _count(usage, "candidatesTokenCount")
        thought = _count(usage, "thoughtsTokenCount") or 0
        return Piece(
            "".join(_text(part.get("text")) for part in parts if not part.get("thought")),
            _count(usage, "promptTokenCount"), None if answered is None else answered + thought,
            candidate.get("finishReason") == "MAX_TOKENS",
        )  # fmt: skip


FORMS: Mapping[str, Provider] = {"openai": OpenAI(), "anthropic": Anthropic(), "gemini": Gemini()}
"""The form of each provider, by the names of `PROVIDERS`."""


def _text(value: Any) -> str:
    """Returns a text, empty for null. Raises TypeError."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError("text")
    return value


def _count(usage: Json, name: str) -> int | None:
    value = usage.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
