"""The vector of a query, and its words that an embedder does not know."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.features.service import Service
from holdfast.language.spelling import plain_words
from holdfast.language.terms import emphasis
from holdfast.stores.base.ports import Embedder, has_lexicon

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

log = logging.getLogger("holdfast")


class Mode(StrEnum):
    """The signals that a recall uses."""

    HYBRID = "hybrid"
    WORDS = "words"
    VECTORS = "vectors"


def unknown_words(embedder: Embedder, text: str) -> Mapping[int, str]:
    """Returns the words of a query, by their term, that the embedder does not know, if it has a list of
    words."""
    words = plain_words(text)
    if has_lexicon(embedder):
        return {term: word for term, word in words.items() if not embedder.knows(word)}
    return words


class QueryVector:
    """The vector of a query. An embedder with a list of words waits until the weights of the words in the
    view are known, any other is called before the store is read."""

    def __init__(self, service: Service, text: str, terms: Sequence[int], mode: Mode) -> None:
        self._service = service
        self._text = text
        self._terms = terms
        self.degraded: str | None = None
        # in other modes no word weights are needed
        self.is_weighted = has_lexicon(service.embedder) and mode is Mode.HYBRID
        self.vector = None if self.is_weighted or mode is Mode.WORDS else self._embed()

    def embed_weighted(
        self, weights: Sequence[float], respelt: Mapping[str, str]
    ) -> NDArray[np.float32] | None:
        """Returns the vector in which each word counts by the weight of its terms, with words of the view in
        place of misspelt ones; None if the embedder fails."""
        by_word = emphasis(self._text, self._terms, weights)
        if not respelt:
            return self._embed(emphasis=by_word)
        text = re.sub(r"[^\W\d_]+", lambda word: respelt.get(word[0].lower(), word[0]), self._text)
        by_word |= {respelt[word]: weight for word, weight in by_word.items() if word in respelt}
        return self._embed(text, emphasis=by_word)

    def _embed(self, text: str | None = None, **options: Mapping[str, float]) -> NDArray[np.float32] | None:
        """Returns the vector of the query."""
        texts = [self._text if text is None else text]
        try:
            vector: NDArray[np.float32] = self._service.embedder.embed(texts, query=True, **options)[0]
        except Exception as error:
            error_name = type(error).__name__
            log.warning("the embedder failed, recall uses words only: %s", error_name)
            self.degraded = f"the embedder failed ({error_name}): searched by words only"
            return None
        return vector
