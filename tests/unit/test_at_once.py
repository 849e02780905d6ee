"""What the rules find among many texts is what they find in each alone (S2.16, S2.40, S4.20–S4.22)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from holdfast.core.text import byte_pattern
from holdfast.language import batch_prescan as seams
from holdfast.language import private
from holdfast.language.injection import flags_of_all, injection_flags
from holdfast.language.pii import pii_risk, risks_of_all
from holdfast.language.private import private_ranges
from holdfast.language.secrets import find as secrets
from holdfast.language.secrets.find import redact_all, redact_secrets
from tests.profiles import examples
from tests.support import gate_of
from tools.evaluation.corpora.injection import ATTACKS, ORDINARY
from tools.evaluation.corpora.ordinary import ordinary_memories
from tools.evaluation.corpora.pii import planted_pii
from tools.evaluation.corpora.secrets import DEVELOPMENT_SEED, planted_secrets

RULES: list[tuple[Callable[[Sequence[str]], list[Any]], Callable[[str], Any]]] = [
    (redact_all, redact_secrets),
    (risks_of_all, pii_risk),
    (flags_of_all, injection_flags),
]


@pytest.fixture(autouse=True)
def however_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seams, "FEW", 0)


def corpus() -> list[str]:
    seed = DEVELOPMENT_SEED
    planted = [one.text for one in (*planted_secrets(seed, 8), *planted_pii(seed, 12))]
    return [*planted, *ATTACKS, *ORDINARY, *ordinary_memories(seed, 600)]


def pieces(texts: list[str]) -> Iterator[str]:
    """The texts cut in two, so that what belongs together stands on both sides of a seam."""
    rng = random.Random(5)
    for text in texts:
        cut = rng.randrange(len(text) + 1)
        yield from (text[:cut], text[cut:])


@pytest.mark.parametrize(("many", "one"), RULES)
@pytest.mark.parametrize("cut", [False, True])
def test_s4_20_the_corpora_are_read_alike(
    many: Callable[[Sequence[str]], list[Any]],
    one: Callable[[str], Any],
    cut: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = list(pieces(corpus())) if cut else corpus()
    random.Random(3).shuffle(texts)
    each_alone = [one(text) for text in texts]
    # only rules of secrets are tried on some texts alone, and only where that takes less time
    for limit in (0, 1 << 30) if many is redact_all else (0,):
        monkeypatch.setattr(secrets, "_ALONE", limit)
        assert many(texts) == each_alone


def test_s4_20_most_ordinary_texts_need_no_closer_look() -> None:
    texts, looked = ordinary_memories(DEVELOPMENT_SEED, 600), []

    def look(text: str) -> int:
        looked.append(text)
        return pii_risk(text)

    seams.scan_batch(texts, look, lambda texts: {0}, lambda _: 0)
    assert looked == texts[:1]


FRAGMENT = st.sampled_from(
    [
        *"password api_key= : \" ' Tr0ub4dor&3 x9Kq2mLw7Zp4 https:// sk-ant- AKIA secret é \u200b".split(" "),
        *"system: SYSTEM: ＳＹＳＴＥＭ DAN <|im_start|> human: </ memory> 555-0100 call (415)".split(" "),
        *"a@b.de 2001:db8::1 8.8.8.8 +49 30 1234567 GB82 aQ7dM2xK9vaQ7dM2xK9vZf6".split(" "),
        "-----BEGIN CERTIFICATE-----", "ignore all previous", "instructions", "[REDACTED: password]", "\n",
    ]
)  # fmt: skip


@settings(max_examples=examples(300))
@given(st.lists(st.lists(FRAGMENT | st.text(max_size=4), max_size=6).map(" ".join), min_size=2, max_size=6))
@example(["password", ": Tr0ub4dor&3"])
@example(["x\n", "human: y", "\n\nhuman: z"])
@example(["ignore all previous", "instructions ignore all previous instructions"])
def test_s4_20_any_texts_are_read_alike(texts: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "_ALONE", (len(texts) % 2) << 30)
        for many, one in RULES:
            assert many(texts) == [one(text) for text in texts]


NAME = st.sampled_from(
    [
        "-----BEGIN CERTIFICATE-----", "pem -----BEGIN PUBLIC KEY-----", "aQ7dM2xK9vaQ7dM2xK9vZf6Lp3", "`",
        "`<private>`", "<private", "src/x.py", " x.py", "sha256:", "commit", "password", "hunter22xK",
        "url\n", "https://h/", "e\u0301", "\u0301",
    ]
)  # fmt: skip


@settings(max_examples=examples(100))
@given(st.lists(NAME | st.text(max_size=4), max_size=8))
@example(["-----BEGIN CERTIFICATE-----", "aQ7dM2xK9vaQ7dM2xK9vZf6Lp3"])
@example(["`", "<private>x", "`"])
def test_s4_20_a_name_of_a_file_is_cleaned_whatever_the_others_are(names: list[str]) -> None:
    gate, token = gate_of("ana"), "aQ7dM2xK9vaQ7dM2xK9vZf6Lp3"
    assert gate.clean_names(names).clean == {name: gate.clean_text(name) for name in names}
    assert token not in gate.clean_names([*names, token]).clean[token]


def disguised(char: str) -> st.SearchStrategy[str]:
    code = ord(char)
    written = [char, char.upper(), f"&#{code};", f"&#x{code:x};", f"\\u{code:04x}", f"&amp;#{code};"]
    if char == "<":
        written += ["&lt", "&LT;", "&amp;amp;lt;", "＜", "⟨", "ᐸ"]
    else:
        written += [chr(code + 0xFEE0), chr(0x1D41A - ord("a") + code), *{"p": "р", "a": "á"}.get(char, "")]
    return st.sampled_from(written)


BLANK = st.sampled_from(
    ["", "", "", " ", "\t", "\n", "&nbsp;", "&#8203;", "\\u00a0", "&shy;", "\u200b", "\ud800", "\u3000"]
)
TAG = st.tuples(*(part for char in "<private" for part in (disguised(char), BLANK))).map("".join)


@settings(max_examples=examples(300))
@given(
    TAG, st.sampled_from([">", " a='b'>", "&gt;", "", "/", "ly"]), st.text("<>&\\/p rivate#x;", max_size=8)
)
def test_s4_19_a_trace_of_a_private_tag_is_seen_in_every_disguise(tag: str, end: str, around: str) -> None:
    """A text without a trace is not read any closer; this one is, and the tag is found."""
    text = f"{around} {tag}{end} hidden {around}"
    if byte_pattern(private._BARE_TAG).search(private._plain_bytes(text)):
        data = text.encode("utf-8", "surrogatepass").translate(private._FOREIGN)
        assert byte_pattern(private._TRACE).search(data)
    assert private_ranges(f"{tag}> hidden") == [(0, len(tag) + 8, True)]
