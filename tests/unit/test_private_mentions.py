"""A private tag that is only spoken of hides nothing; every other one that is not closed hides the rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.private import PRIVATE_TAG, emptied, strip_private, unclosed

_PARTS = st.sampled_from(
    [PRIVATE_TAG, "`<private>`", '"<private>"', "</private>", "`</private>`", "secret", " ", "\n", "`", '"']
)


@pytest.mark.parametrize("quote", ["`", '"', "'"])
def test_a_tag_between_quotation_marks_is_only_spoken_of(quote: str) -> None:
    text = f"Use {quote}<private>{quote} to mark a block. The rest is worth keeping."
    assert strip_private(text) == (text, 0)
    assert unclosed(text) == 0


@pytest.mark.parametrize(
    "text",
    [
        "`<private>` the code is 1234",
        "`<private>` the code is 1234 `</private>`",
        "`<private> the code is 1234",
        "` <private> ` the code is 1234",
        "`<private >` the code is 1234",
        "`<private>' the code is 1234",
        "`&lt;private&gt;` the code is 1234",
        "`<private>` and <private> the code is 1234",
        "<private> and `<private>` the code is 1234",
    ],
)
def test_all_other_tags_hide_what_follows(text: str) -> None:
    """Also one in quotation marks that a closing tag follows: that is how blocks are written in a hurry."""
    is_mention = text == "`<private>` the code is 1234"
    assert ("1234" in strip_private(text)[0]) == is_mention


@given(st.lists(_PARTS, max_size=6).map("".join), st.sampled_from(["`", '"', "'"]))
def test_with_a_closing_tag_behind_it_it_is_a_tag(before: str, quote: str) -> None:
    """Whatever stands before it: what it hides cannot be brought out by quotation marks."""
    hidden = f"{quote}<private>{quote} the code is 1234 {quote}</private>{quote}"
    assert "1234" not in strip_private(f"{before}{hidden} end")[0]


@given(st.lists(_PARTS, max_size=12).map("".join))
def test_what_was_emptied_hides_the_same_and_says_how_much_went(text: str) -> None:
    kept, lost = emptied(text)
    assert strip_private(kept)[0].split() == strip_private(text)[0].split()
    assert lost == unclosed(text)
    if lost:
        assert strip_private(text[: len(text) - lost])[0].strip() == strip_private(text)[0].strip()
