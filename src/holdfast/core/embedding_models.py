"""The catalogue of embedding models that providers serve: dimensions and advice (S4.68)."""

from __future__ import annotations

from dataclasses import dataclass, field

from holdfast.core.wire import Plain, wire

BATCH = 64
"""Maximum number of texts that one call embeds."""
RECOMMENDED, ALLOWED, LARGE = "recommended", "allowed", "large"


@dataclass(frozen=True, slots=True)
class EmbeddingModel(Plain):
    """A known embedding model, by the name that its provider gives it."""

    model: str
    dimensions: int
    advice: str = field(
        metadata=wire(
            about="recommended, allowed, or large: ten times the space and time of the built-in one."
        )
    )
    served_by: str
    batch: int = field(default=BATCH, metadata=wire(about="Texts that are embedded in one call, at most."))


CATALOGUE = (
    EmbeddingModel("nomic-embed-text", 768, RECOMMENDED, "Ollama"),
    EmbeddingModel("embeddinggemma", 768, ALLOWED, "Ollama"),
    EmbeddingModel("all-minilm", 384, ALLOWED, "Ollama"),
    EmbeddingModel("qwen3-embedding:0.6b", 1_024, ALLOWED, "Ollama"),
    EmbeddingModel("qwen3-embedding:4b", 2_560, LARGE, "Ollama"),
    EmbeddingModel("text-embedding-3-small", 1_536, ALLOWED, "OpenAI"),
)
"""The models that are often used. Any other with `/v1/embeddings` can be added as well."""
