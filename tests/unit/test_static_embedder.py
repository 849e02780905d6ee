"""The embedder inside the package: exact, local, robust, and of use for words it has never seen."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import holdfast.embeddings.static as static
from holdfast import HoldfastError
from holdfast.embeddings.static import DIMS, StaticEmbedder, Vocabulary, fold, words
from tests.growth import grows_at_most
from tests.profiles import examples


@pytest.fixture(scope="module")
def embedder() -> StaticEmbedder:
    return StaticEmbedder()


def cosine(embedder: StaticEmbedder, a: str, b: str) -> float:
    left, right = embedder.embed([a, b])
    return float(left @ right)


def test_s4_46_it_is_local_named_and_has_256_dimensions(embedder: StaticEmbedder) -> None:
    """S4.46, S1.47: a deterministic local provider whose model name and dimension go with every vector."""
    rows = embedder.embed(["first", "second one"])
    assert embedder.local
    assert embedder.dim == DIMS[-1] == 256
    assert rows.shape == (2, 256)
    assert rows.dtype == np.float32
    assert embedder.model.startswith("holdfast-static-")
    assert embedder.embed([]).shape == (0, 256)


def test_the_name_stands_for_these_exact_vectors(embedder: StaticEmbedder) -> None:
    """M.5: stored vectors carry the model's name, so new weights or new tokens need a new name."""
    rows = embedder.embed(["The quick brown fox", "getUserName(file_path)", "東京で寿司", "zzyqx 12345 🎉"])
    assert embedder.model == "holdfast-static-3"
    digest = hashlib.sha256(rows.astype("<f4").tobytes()).hexdigest()
    assert digest == "a9de29242b3ce171f5cc72d0b806f095be0ff37f9e5a7846914fdef5181a9808"


@pytest.mark.parametrize("dim", DIMS)
def test_fewer_dimensions_are_the_first_of_all(embedder: StaticEmbedder, dim: int) -> None:
    """S4.46: fewer dimensions are a model of their own name, and their vectors the beginning of the whole."""
    texts = ["Open a pull request for the unit tests", "getUserName", "東京で寿司", "zzyqx 12345 🎉", ""]
    cut = StaticEmbedder(dim)
    rows = cut.embed(texts)
    assert rows.shape == (len(texts), dim)
    assert (cut.dim, cut.model) == (dim, embedder.model if dim == 256 else f"{embedder.model}-{dim}")
    for row, whole in zip(rows, embedder.embed(texts)[:, :dim].astype(np.float64), strict=True):
        length = np.linalg.norm(whole)
        np.testing.assert_allclose(row, whole / length if length else whole, atol=2e-6)
    for i, text in enumerate(texts):
        assert cut.embed([text])[0].tobytes() == rows[i].tobytes()


@pytest.mark.parametrize("dim", [0, 100, 257, "many"])
def test_other_numbers_of_dimensions_are_refused(dim: object) -> None:
    with pytest.raises(HoldfastError, match="64, 128, 256") as error:
        StaticEmbedder(dim)  # type: ignore[arg-type]
    assert error.value.code == "argument_invalid"


@pytest.mark.parametrize("dim", DIMS)
def test_the_first_dimensions_tell_meanings_apart(dim: int) -> None:
    embedder = StaticEmbedder(dim)
    for a, near, far in [
        ("my dog is sick", "the puppy has been ill", "the bank raised its rates"),
        ("book a flight to Paris", "reserve airline tickets", "the recipe needs two eggs"),
        ("open a database connection", "connect to SQL server", "paint the bedroom walls"),
    ]:
        assert cosine(embedder, a, near) > cosine(embedder, a, far) + 0.1


def test_weights_fit_the_wheel() -> None:
    folder = Path(static.__file__).parent / "data"
    assert sum(p.stat().st_size for p in folder.iterdir()) <= 20_000_000


@settings(max_examples=examples(150))
@given(st.lists(st.text(max_size=200), max_size=12), st.randoms(use_true_random=False))
def test_s3_13_bits_do_not_depend_on_the_batch(texts: list[str], rng: object) -> None:
    """S3.13: the offline default is deterministic: alone, in any batch, before or after other texts."""
    embedder = StaticEmbedder()
    together = embedder.embed(texts)
    alone = [StaticEmbedder().embed([t])[0] for t in texts[:2]]
    reverse = embedder.embed(texts[::-1])[::-1]
    as_query = embedder.embed(texts, query=True)
    assert together.tobytes() == np.ascontiguousarray(reverse).tobytes() == as_query.tobytes()
    for i, row in enumerate(alone):
        assert row.tobytes() == together[i].tobytes()


CODE = st.text("aAbBtheHTTP09_.-/' \n(é中🎉", max_size=60) | st.sampled_from(
    ["pull request", "newYork", "!?", ""]
)


@settings(max_examples=examples(200))
@given(st.lists(CODE | st.text(max_size=60), max_size=8), st.sampled_from([1, 7, 512]))
def test_s3_13_bits_are_the_same_when_texts_are_read_together(texts: list[str], rows: int) -> None:
    alone = [_shared().embed([text]).tobytes() for text in texts]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(static, "_LITTLE", 0)
        patch.setattr(static, "_AT_ONCE", 100)
        patch.setattr(static, "_ROWS_AT_ONCE", rows)
        assert _shared().embed(texts).tobytes() == b"".join(alone)


@settings(max_examples=examples(200))
@given(st.text(alphabet=st.characters(), max_size=300))
def test_every_text_has_a_unit_row_unless_it_is_blank(text: str) -> None:
    row = _shared().embed([text])[0]
    assert np.isfinite(row).all()
    if text.strip():
        assert abs(float(np.linalg.norm(row.astype(np.float64))) - 1) < 1e-5
    else:
        assert not row.any()


_SHARED: list[StaticEmbedder] = []


def _shared() -> StaticEmbedder:
    if not _SHARED:
        _SHARED.append(StaticEmbedder())
    return _SHARED[0]


def test_lone_surrogates_symbols_and_blanks(embedder: StaticEmbedder) -> None:
    rows = embedder.embed(["\ud800 x\udfff", "🎉🎉", "!!!", "", " \n\t"])
    assert [bool(r.any()) for r in rows] == [True, True, True, False, False]
    assert float(rows[1] @ embedder.embed(["🎉"])[0]) == pytest.approx(1.0)


def test_the_cache_never_changes_a_result(monkeypatch: pytest.MonkeyPatch, embedder: StaticEmbedder) -> None:
    texts = [f"note{i} about getUserName{i} and file_{i}.py" for i in range(60)]
    expected = embedder.embed(texts)
    monkeypatch.setattr(static, "_CACHED_TOKENS", 3)
    assert StaticEmbedder().embed(texts).tobytes() == expected.tobytes()


def test_long_texts_are_pooled_in_slices_with_the_same_bits(
    monkeypatch: pytest.MonkeyPatch, embedder: StaticEmbedder
) -> None:
    text = " ".join(f"word{i} the meeting about invoice {i}" for i in range(500))
    expected = embedder.embed([text])
    monkeypatch.setattr(static, "_ROWS_AT_ONCE", 7)
    assert embedder.embed([text]).tobytes() == expected.tobytes()


@pytest.mark.parametrize(
    "text",
    [
        "a" * 1_000_000,
        "ab1 " * 250_000,
        "日本語" * 333_333,
        "a\u0301\u0316" * 333_333,
        "Xy9_" * 250_000,
        "🎉" * 1_000_000,
    ],
    ids=["letters", "words", "unspaced", "marks", "identifiers", "symbols"],
)
def test_a_megabyte_takes_linear_time(text: str) -> None:
    """Eight times the text: 8 when linear, 64 when quadratic."""

    def read(size: int) -> None:
        StaticEmbedder().embed([text[:size]])  # a new one remembers no words of the last

    assert grows_at_most(read, len(text) // 8, len(text), factor=32, floor=0.01)


def test_meaning_beats_letters(embedder: StaticEmbedder) -> None:
    """Related texts without a common word are nearer than unrelated ones."""
    for a, near, far in [
        ("my dog is sick", "the puppy has been ill", "the bank raised its rates"),
        ("book a flight to Paris", "reserve airline tickets", "the recipe needs two eggs"),
        ("open a database connection", "connect to SQL server", "paint the bedroom walls"),
        (
            "she enjoys hiking in the mountains",
            "he loves walking outdoors on trails",
            "compile error in parser",
        ),
    ]:
        assert cosine(embedder, a, near) > cosine(embedder, a, far) + 0.1


def test_emphasis_weighs_the_words_of_a_query(embedder: StaticEmbedder) -> None:
    text = "When did Caroline paint a sunrise?"
    plain, quiet = embedder.embed([text])[0], embedder.embed([text], emphasis={"caroline": 0.0})[0]
    assert embedder.embed([text], emphasis={"other": 0.5, "sunrise": 1.0})[0].tobytes() == plain.tobytes()
    without = embedder.embed(["When did paint a sunrise?"])[0]
    assert quiet.tobytes() == without.tobytes()
    sunrise = embedder.embed(["sunrise"])[0]
    louder = embedder.embed([text], emphasis={"sunrise": 3.0})[0]
    assert float(louder @ sunrise) > float(plain @ sunrise) + 0.05
    assert not embedder.embed(["sunrise"], emphasis={"sunrise": 0.0}).any()


def test_identifiers_are_split(embedder: StaticEmbedder) -> None:
    """snake_case, camelCase, paths and digits inside names meet the plain words."""
    for name in (
        "get_user_name",
        "getUserName",
        "GetUserName",
        "get-user-name",
        "get/user.name",
        "getUserName2",
    ):
        assert cosine(embedder, name, "get user name") > 0.75, name
    assert cosine(embedder, "HTTPServerError", "http server error") > 0.9


@pytest.mark.parametrize(
    "said",
    [
        "The dog sleeps in the garden.|Der Hund schläft im Garten.|Le chien dort dans le jardin.|"
        "El perro duerme en el jardín.|狗在花园里睡觉。",
        "I am looking for a cheap hotel near the station.|Ich suche ein günstiges Hotel am Bahnhof.|"
        "Je cherche un hôtel pas cher près de la gare.|Busco un hotel barato cerca de la estación.|"
        "我在找车站附近的便宜酒店。",
        "My sister studies medicine.|Meine Schwester studiert Medizin.|Ma sœur étudie la médecine.|"
        "Mi hermana estudia medicina.|我姐姐学医。",
        "How do I delete a file?|Wie lösche ich eine Datei?|Comment supprimer un fichier ?|"
        "¿Cómo borro un archivo?|怎么删除文件？",
    ],
)
def test_five_languages_share_one_space(embedder: StaticEmbedder, said: str) -> None:
    """S2.28: what says the same in another language is nearer than what says something else."""
    other = embedder.embed(
        [
            "The parliament voted on the new tax law.",
            "Das Parlament hat das Steuergesetz beschlossen.",
            "Le parlement a voté la loi fiscale.",
            "El parlamento votó la ley de impuestos.",
            "议会表决了新的税法。",
        ]
    )
    rows = embedder.embed(said.split("|"))
    same = rows @ rows.T
    assert same.min() > (rows @ other.T).max() + 0.1


def test_it_says_what_it_cannot_represent(embedder: StaticEmbedder) -> None:
    for text in (
        "Where did we park the car?",
        "Wo haben wir geparkt?",
        "¿Dónde está el coche?",
        "我们把车停在哪里？",
    ):
        assert embedder.represented(text) > 0.9, text
    assert embedder.represented("Где мы припарковались?") < 0.1
    assert embedder.represented("qzxvkorp zzyqx") == embedder.represented("") == 0.0


def test_chinese_is_read_by_characters_and_words(embedder: StaticEmbedder) -> None:
    vocabulary = embedder._vocabulary
    rows = vocabulary.rows("中国人民")
    assert {vocabulary.find(word) for word in ("中", "国", "人", "民", "中国", "人民")} <= set(rows)
    assert min(rows) >= 0
    assert len(set(vocabulary.rows("東京")) - set(vocabulary.rows("東北"))) > 0


def test_words_outside_the_table_have_useful_rows(embedder: StaticEmbedder) -> None:
    vocabulary: Vocabulary = embedder._vocabulary
    assert vocabulary.find("qzxvkorp") == -1
    assert cosine(embedder, "qzxvkorp", "Qzxvkorp") == pytest.approx(1.0)
    assert cosine(embedder, "qzxvkorp", "qzxvkorps") > 0.7
    assert cosine(embedder, "qzxvkorp", "qzxvkorb") > cosine(embedder, "qzxvkorp", "mulberry") + 0.2
    assert (
        cosine(embedder, "we met Qzxvkorp today", "Qzxvkorp")
        > cosine(embedder, "we met Anna today", "Qzxvkorp") + 0.1
    )


def test_numbers_are_told_apart(embedder: StaticEmbedder) -> None:
    assert cosine(embedder, "order 884213", "order 884213") == pytest.approx(1.0)
    assert cosine(embedder, "order 884213", "order 190557") < 0.95
    assert cosine(embedder, "invoice 00884213", "invoice 884213") == pytest.approx(1.0)


def test_accents_width_and_case_do_not_matter(embedder: StaticEmbedder) -> None:
    assert fold("Ｃafé") == "Cafe"
    assert cosine(embedder, "Café Ｚürich", "cafe zurich") == pytest.approx(1.0)
    assert cosine(embedder, "cafe\u0301", "café") == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("text", "same", "other"),
    [
        ("東京で寿司を食べた", "寿司を食べたい", "明日は雨です"),
        ("Москва большой город", "город Москва", "она любит кошек"),
        ("مدينة القاهرة", "القاهرة", "كتاب جديد"),
        ("मुंबई शहर", "मुंबई", "नई किताब"),
        ("서울에서 만났다", "서울에서", "고양이를 좋아해"),
    ],
)
def test_other_scripts_meet_their_own_words(
    embedder: StaticEmbedder, text: str, same: str, other: str
) -> None:
    """S2.28: text that is not English degrades to its words and characters instead of vanishing."""
    assert cosine(embedder, text, same) > cosine(embedder, text, other) + 0.1


def test_tokens() -> None:
    assert words("it's file_name.py, v2!") == ["it", "s", "file", "name", "py", "v2"]
    assert words("naïve — 東京") == ["naïve", "東京"]


def test_vocabulary_needs_no_text() -> None:
    keys = np.sort(np.array([crc32(w) for w in (b"file", b"path", b"walk")], np.uint32))
    vocabulary = Vocabulary(keys, 8, 16)
    assert sorted(vocabulary.find(w) for w in ("file", "path", "walk")) == [0, 1, 2]
    assert vocabulary.rows("FILE") == vocabulary.rows("files") == (vocabulary.find("file"),)
    assert vocabulary.rows("walking") == (vocabulary.find("walk"),)
    assert vocabulary.rows("filepath")[:2] == (vocabulary.find("file"), vocabulary.find("path"))
    assert vocabulary.rows("filePath") == (vocabulary.find("file"), vocabulary.find("path"))
    assert all(3 <= row < 11 + 16 for row in vocabulary.rows("zebra"))


def test_no_torch_and_no_tokenizers_are_imported() -> None:
    code = (
        "import sys; from holdfast.embeddings.static import StaticEmbedder; StaticEmbedder().embed(['a']);"
        "bad = {'torch', 'tokenizers', 'transformers', 'scipy'} & set(sys.modules); assert not bad, bad"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
