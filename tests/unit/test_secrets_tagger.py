"""The tagger finds what people hand over in ordinary language, and leaves what speaks of it (S4.20-22)."""

from __future__ import annotations

from zlib import crc32

import numpy as np
import pytest

from holdfast.language.secrets.find import find_secrets, redact_all, redact_secrets
from holdfast.language.secrets.tagger.network import Piece, network
from holdfast.language.secrets.tagger.tokens import tokens_of
from holdfast.language.vocabulary import vocabulary
from tests.growth import grows_at_most
from tests.reliability.workload import text_of
from tools.evaluation.corpora.ordinary import ordinary_memories
from tools.evaluation.corpora.passwords import half_survives
from tools.evaluation.corpora.references import references
from tools.secret_tagger.labelled import texts_of

_OWN = texts_of("own")[::3]
_GIVEN = "my old laptop still unlocks with schnitzel, don't laugh"


def test_s4_20_the_weights_belong_to_the_properties() -> None:
    given = [(redact_secrets(text.text)[0], secret) for text in _OWN for secret in text.secrets]
    assert sum(half_survives(secret, redacted) for redacted, secret in given) <= 0.6 * len(given)


def test_s4_21_texts_that_only_speak_of_secrets_are_left() -> None:
    harmless = [text.text for text in _OWN if not text.secrets]
    assert sum(bool(find_secrets(text)) for text in harmless) <= 0.02 * len(harmless)


def test_s4_21_ordinary_memories_are_left() -> None:
    assert sum(redact_secrets(text)[0] != text for text in ordinary_memories(11, 300)) <= 1


def test_s4_22_texts_together_are_judged_as_each_by_itself_and_twice_as_once() -> None:
    texts = [text.text for text in _OWN[::3]]
    redacted = redact_all(texts)
    assert redacted == [redact_secrets(text) for text in texts]
    assert [text for text, _ in redacted] == [redact_secrets(text)[0] for text, _ in redacted]


def test_s4_21_notes_with_ids_names_and_random_words_are_left() -> None:
    notes = [*references(3, 600), *(text_of(slot) for slot in range(100))]
    assert sum(kinds != () for _, kinds in redact_all(notes)) <= 2


@pytest.mark.parametrize("before", ["", "Grüße!\n\n", "日本語のメモ 🙂\n\n"])
def test_s4_20_places_count_characters(before: str) -> None:
    findings = find_secrets(before + _GIVEN)
    assert [(before + _GIVEN)[finding.start : finding.end] for finding in findings] == ["schnitzel"]


def test_s4_20_a_secret_is_found_in_a_long_text_and_in_a_long_line() -> None:
    filler = "We walked along the river and talked about the garden."
    given = _GIVEN.replace("schnitzel", "schnitzel77")
    for between in ("\n", " "):
        text = between.join([filler] * 400 + [given] + [filler] * 400)
        assert "schnitzel77" not in redact_secrets(text)[0]


def test_s4_20_a_text_is_passed_over_only_if_the_network_is_not_sure_of_a_secret() -> None:
    pieces = [Piece(text.text, tokens_of(text.text), ()) for text in _OWN]
    surest = [chances.max() for chances in network().chances(pieces)]
    may_find = network().may_find([piece.tokens for piece in pieces])
    passed_over = [chance for chance, may in zip(surest, may_find, strict=True) if not may]
    assert len(passed_over) > len(pieces) / 4
    assert max(passed_over) < 0.92


def test_s4_20_texts_are_glanced_at_together_as_each_alone() -> None:
    texts = [tokens_of(text.text) for text in _OWN]
    texts += [tokens_of("1234"), *reversed(texts)]
    assert network().may_find(texts) == [network().may_find([tokens])[0] for tokens in texts]


def test_s4_22_how_long_a_hidden_secret_is_changes_nothing() -> None:
    decided = []
    for hidden in ("\0", "\0" * 30):
        text = f"{_GIVEN}\nand the wifi is {hidden}, all small"
        decided += network().chances([Piece(text, tokens_of(text), ())])
    assert np.array_equal(decided[0], decided[1])


def test_s4_20_meanings_are_those_of_the_words_that_the_embedder_knows() -> None:
    assert network().vocabulary == crc32(vocabulary())


@pytest.mark.parametrize(
    "unit",
    ["what is the code? 4711\n", "password marmalade, ", "wifi\n\n"],
)
def test_s4_20_time_grows_with_the_length_of_what_is_given(unit: str) -> None:
    text = unit * 240
    assert grows_at_most(
        lambda count: redact_secrets(text[: len(unit) * count]), 30, 240, factor=32, floor=5e-4
    )  # 8 is linear, 64 quadratic
