"""Lines that are cut end between words."""

from __future__ import annotations

from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given

from holdfast import Memory
from holdfast.core.shortening import shortened
from holdfast.language.passages import summary_of


@given(st.lists(st.text("abcä-'", min_size=1, max_size=9), min_size=1, max_size=40), st.integers(20, 120))
def test_a_line_is_cut_between_words(words: list[str], limit: int) -> None:
    line = " ".join(words)
    cut = shortened(line, limit)
    assert len(cut) <= limit
    if cut != line:
        assert cut.endswith("…")
        assert cut[:-1].split() == words[: len(cut[:-1].split())]


def test_a_line_without_spaces_is_cut_anywhere() -> None:
    assert shortened("記憶" * 50, 21) == "記憶" * 10 + "…"
    assert shortened(f"see {'x' * 90}", 20) == f"see {'x' * 15}…"
    assert shortened("short", 5) == "short"


@pytest.mark.parametrize("length", range(120, 260, 7))
def test_s4_13_no_summary_ends_in_the_middle_of_a_word(tmp_path: Path, length: int) -> None:
    words = (
        "the deployment pipeline always requires authentication before publishing the release notes".split()
    )
    text = " ".join(words * 12)[:length].rsplit(" ", 1)[0]
    with Memory(tmp_path / "a.db", user="ana") as memory:
        result = memory.remember(
            f"{text} because the auditors demanded it {'again and ' * 30}", kind="gotcha"
        )
        assert result.memory is not None
        summary = result.memory.summary
    assert summary is not None
    assert summary.endswith("…")
    assert set(summary[:-1].split()) <= {*words, "because", "auditors", "demanded", "it", "again", "and"}


LONG = (
    "The nightly job of the warehouse has failed since the move to the new cluster in Jena, with no trace. "
)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        (LONG + "Nobody saw it. Always renew the token before a deploy.", "Always renew the token"),
        (LONG + "It took two days to find. The lock must be released by hand.", "must be released by hand"),
        (LONG + "Run `make clean` first, then start it again.", "Run `make clean` first"),
        (LONG + "The log was empty. Avoid the default pool and set its size to 4.", "Avoid the default pool"),
        (LONG + "We looked at the disk.\nUse the second queue instead of the first.", "Use the second queue"),
        (
            LONG + "Das fiel lange nicht auf. Der Cache darf nie vor dem Index geleert werden.",
            "darf nie vor dem",
        ),
        (LONG + "Am Ende lag es am Dienst: der Dienst muss vorher gestoppt werden.", "muss vorher gestoppt"),
        ("Never start it twice. " + LONG * 2, "Never start it twice."),
        (
            LONG + "It was the disk, as the log of the first node said on the third day.",
            "The nightly job of the",
        ),
    ],
)
def test_s4_13_a_summary_keeps_the_advice(text: str, advice: str, tmp_path: Path) -> None:
    with Memory(tmp_path / "a.db", user="ana") as memory:
        note = memory.remember(text, kind="gotcha").memory
    assert note is not None
    assert note.summary is not None
    assert advice in note.summary
    assert len(note.summary) <= 140


def test_s4_13_a_word_of_advice_counts_in_any_spelling() -> None:
    before = (
        "The build of the second service stopped without a message on Monday, and nobody knew why at first."
    )
    for advice in (
        "ALWAYS pin it.", "You muſt pin it.", "İnstead pin it.", "Maıntain it, but avoıd it.", "Éviter ça.",
        "Il faut éviter ça.", "Man dÜrfen es.", "Don’t pin it.", "Ma\u212ae sure of it.", "«Never» pin it.",
    ):  # fmt: skip
        assert advice in summary_of(f"{before} {before} {advice} It went on.", 140), advice
    for other in ("The mustard is old.", "Reuse is rare.", "Œnever it.", "It was prefixed."):
        assert other not in summary_of(f"{before} {before} {other} It went on.", 140), other
