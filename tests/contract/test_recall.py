"""The store contract, recall: modes, explanations, citations, time, languages (S0.31, S1.42–S1.47)."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast import Hits, HoldfastError, InvalidInput, Memory
from holdfast.core.ids import short_id
from holdfast.embeddings.static import StaticEmbedder
from holdfast.features.recall.ranking import SHARES
from holdfast.features.recall.uses import BATCH
from holdfast.stores.base.ports import Store
from tests.fakes import BrokenEmbedder, HashEmbedder, ManualClock
from tests.support import memory_on, texts


@pytest.mark.parametrize("mode", ["hybrid", "words", "vectors"])
@pytest.mark.parametrize(
    "text",
    [
        "The lighthouse keeper is Ada Winters",
        "我们在周五发布新版本",
        "東京オフィスは三階です",
        "getUserById in src/auth/session_store.py raises KeyError",
        "Zürich – Straße 7, naïve café",
        "port 8080, version 3.12.1, 2026-01-05",
        "🚀🚀",
        "of the and",
    ],
)
def test_s1_43_an_acknowledged_text_is_found_by_itself_in_every_mode(
    memory: Memory, mode: str, text: str
) -> None:
    memory.remember("something else entirely about gardens")
    memory.remember(text)
    hits = memory.recall(text, mode=mode)
    if mode == "words" and text == "🚀🚀":
        assert hits.items == ()  # a text without words is found by its vector
    else:
        assert texts(hits)[0] == text


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("def getUserById(): pass", "user by id"),
        ("src/auth/session_store.py", "session store"),
        ("我们在周五发布新版本", "发布"),
        ("我们在周五发布新版本", "周五"),
        ("The keepers were painting boats", "keeper paint boat"),
        ("Ada's boat", "ada"),
        ("C++ and C# are in use", "c++"),
        ("HTTPServer restarts nightly", "http server"),
    ],
)
def test_s2_28_words_are_found_inside_identifiers_paths_and_scripts(
    memory: Memory, text: str, query: str
) -> None:
    memory.remember("nothing of interest stands here")
    memory.remember(text, kind="message")
    assert texts(memory.recall(query, mode="words"))[0] == text


def test_hits_explain_themselves_and_carry_citations(memory: Memory) -> None:
    memory.remember("The boat is red", kind="fact")
    memory.remember("The boat house is old", kind="fact")
    hits = memory.recall("red boat")
    assert [h.citation for h in hits] == ["[M1]", "[M2]"]
    assert hits[0].score > hits[1].score > 0
    for hit in hits:
        assert hit.score == pytest.approx(sum(hit.why.values()))
        assert set(hit.why) == set(SHARES)
    assert hits[0].passage == "The boat is red"


def test_s2_32_no_match_is_no_hit(memory: Memory) -> None:
    memory.remember("The boat is red")
    assert memory.recall("quantum chromodynamics", mode="words").items == ()


def test_s0_31_threshold_limit_and_defaults(memory: Memory) -> None:
    memory.remember_many([{"text": f"boat {i}", "kind": "message", "session": "s"} for i in range(30)])
    assert len(memory.recall("boat")) == 10
    assert len(memory.recall("boat", limit=3)) == 3
    assert memory.recall("boat", threshold=5.0).items == ()


def test_s1_48_a_similarity_is_that_of_the_vectors_whatever_else_is_found(store: Store) -> None:
    embedder = StaticEmbedder()
    memory = memory_on(store, embedder=embedder)
    notes = ["The lighthouse keeper paints boats", "Ein Leuchtturm steht am Hafen", "Invoices are due in May"]
    question = "lighthouse"

    def expected(text: str) -> float:
        vectors = embedder.embed([text, question])
        return (float(vectors[0] @ vectors[1]) + 1) / 2

    memory.remember(notes[0])
    (alone,) = memory.recall(question)
    for note in notes[1:]:
        memory.remember(note)
    hits = memory.recall(question)
    assert {hit.memory.text: hit.similarity for hit in hits}[notes[0]] == alone.similarity
    for hit in hits:
        assert hit.similarity == pytest.approx(expected(hit.memory.text), abs=0.01)
    assert [hit.similarity for hit in memory.recall(question, mode="words")] == [None]


def test_s1_45_the_asking_message_can_be_left_out(memory: Memory) -> None:
    for i, text in enumerate(["the boat is red", "what colour is the boat"]):
        memory.add_messages([{"role": "user", "content": text, "id": f"m{i}"}], session="s")
    assert texts(memory.recall("what colour is the boat", session="s", exclude=["m1"])) == ["the boat is red"]


def test_s1_42_a_long_message_is_recalled_by_its_best_passage(memory: Memory) -> None:
    filler = "The weather was mild and nothing happened on the pier. " * 120
    long = filler + "The treasure lies under the third stone. " + filler
    memory.add_messages([{"role": "user", "content": long}], session="s")
    memory.remember("stones are heavy", kind="message")
    hits = memory.recall("treasure under the third stone", mode="words")
    assert "treasure lies" in hits[0].passage
    assert len(hits[0].passage) < 2_100
    assert hits[0].memory.text == long.strip()
    assert len([h for h in hits if h.memory.id == hits[0].memory.id]) == 1


def test_recall_says_when_it_is_degraded(store: Store) -> None:
    memory = memory_on(store)
    memory.remember("The boat is red")
    broken = memory_on(store, embedder=BrokenEmbedder())
    hits = broken.recall("red boat")
    assert texts(hits) == ["The boat is red"]
    assert hits.degraded is not None
    assert texts(broken.recall("red boat", mode="vectors")) == ["The boat is red"]


def test_s1_47_only_the_active_models_vectors_are_searched(store: Store) -> None:
    old, new = memory_on(store), memory_on(store, embedder=HashEmbedder(16, "other-model"))
    old.remember("The boat is red")
    assert new.recall("red boat", mode="vectors").items == ()
    assert texts(new.recall("red boat")) == ["The boat is red"]
    assert new.maintain() == (1, 0)
    assert texts(new.recall("red boat", mode="vectors")) == ["The boat is red"]
    assert texts(old.recall("red boat", mode="vectors")) == ["The boat is red"]


def test_s3_14_the_title_is_embedded_before_the_text(memory: Memory) -> None:
    for title in ("Anchors", "Lighthouse keepers", "Tax returns"):
        memory.remember("Ask Ada first", title=title, kind="note", scope=("topic", title))
    hits = memory.recall("lighthouse keepers", mode="vectors")
    assert hits[0].memory.title == "Lighthouse keepers"
    assert all(hit.score < hits[0].score for hit in hits.items[1:])


def test_two_kinds_of_time(memory: Memory, clock: ManualClock) -> None:
    memory.remember("The office is in Bonn", kind="fact", valid_from="2020-01-01", valid_until="2022-01-01")
    assert memory.recall("office").items == ()
    assert texts(memory.recall("office", as_of="2021-06-01")) == ["The office is in Bonn"]
    assert memory.recall("office", as_of="2019-06-01").items == ()
    stored = memory.remember("The canteen opens at noon", kind="fact").memory
    assert stored is not None
    clock.forward(days=10)
    memory.revise(stored.id, text="The canteen opens at eleven")
    clock.forward(days=10)
    assert texts(memory.recall("canteen")) == ["The canteen opens at eleven"]
    assert texts(memory.recall("canteen noon", as_of=clock.now - 15 * 86_400_000)) == [
        "The canteen opens at noon"
    ]
    assert texts(memory.recall("canteen", as_of=clock.now - 1)) == ["The canteen opens at eleven"]
    then = memory.list(kinds="fact", as_of=clock.now - 15 * 86_400_000).memories
    assert [(one.text, one.version) for one in then] == [("The canteen opens at noon", 1)]


def test_s3_15_history_tells_every_change_in_order(memory: Memory, clock: ManualClock) -> None:
    stored = memory.remember("v1 of the plan", kind="note").memory
    assert stored is not None
    for version in (2, 3):
        clock.forward(millis=1)
        memory.revise(stored.id, text=f"v{version} of the plan")
    clock.forward(millis=1)
    memory.pin(stored.id)
    clock.forward(millis=1)
    memory.forget(stored.id)
    clock.forward(millis=1)
    memory.restore(stored.id)
    history = memory.history(stored.id)
    assert [c.action for c in history] == ["remember", "revise", "revise", "pin", "forget", "restore"]
    assert [c.text for c in history[:3]] == ["v1 of the plan", "v2 of the plan", "v3 of the plan"]
    assert history[0].valid_until == history[1].valid_from
    assert [c.sequence for c in history] == [1, 2, 3, 4, 5, 6]


def test_s2_36_forgetting_restoring_and_erasing(memory: Memory) -> None:
    stored = memory.remember("The boat is red", external_id="b1").memory
    assert stored is not None
    memory.forget(stored.id, reason="sold")
    assert memory.recall("boat").items == ()
    assert memory.list().memories == []
    memories = memory.list(include="deleted").memories
    assert (memories[0].id, memories[0].deleted_reason) == (stored.id, "sold")
    with pytest.raises(HoldfastError) as error:
        memory.get(stored.id)
    assert error.value.code == "memory_not_found"
    memory.restore(stored.id)
    assert texts(memory.recall("boat")) == ["The boat is red"]
    with pytest.raises(HoldfastError) as error:
        memory.restore(stored.id)
    assert error.value.code == "not_deleted"
    memory.revise(stored.id, text="The boat is blue")
    memory.forget(stored.id, hard=True)
    with pytest.raises(HoldfastError):
        memory.restore(stored.id)
    assert memory.list(include="deleted").memories == []
    assert memory.recall("boat", as_of="2026-01-01").items == ()
    assert "erase" in [event.action for event in memory.audit]
    assert memory.audit.verify() > 0


def test_s2_33_s2_41_uses_are_counted_once_per_request(memory: Memory, clock: ManualClock) -> None:
    stored = memory.remember("The boat is red").memory
    assert stored is not None
    for _ in range(BATCH):
        memory.recall("boat")
    used = memory.get(stored.id)
    assert (used.use_count, used.last_used_at) == (BATCH, clock.now)
    event = next(e for e in memory.audit if e.action == "use")
    assert event.detail == {"requests": BATCH, "uses": {stored.id: BATCH}}


def test_s4_28_pins_and_evergreen_kinds_do_not_decay(memory: Memory, clock: ManualClock) -> None:
    quirk = memory.remember("the boat engine stutters", kind="environment_quirk").memory
    memory.remember("the boat engine is diesel", kind="decision")
    assert quirk is not None
    clock.forward(days=70)
    hits = {h.memory.kind: h for h in memory.recall("boat engine")}
    assert hits["environment_quirk"].why["recency"] < 0.01 < hits["decision"].why["recency"]
    memory.pin(quirk.id)
    assert {h.memory.kind: h for h in memory.recall("boat engine")}["environment_quirk"].why["recency"] > 0.1


def test_pages_follow_one_another_without_gaps(memory: Memory) -> None:
    memory.remember_many([{"text": f"boat number {i}", "kind": "message"} for i in range(25)])
    seen: list[str] = []
    cursor = None
    while True:
        page = memory.list(limit=7, cursor=cursor)
        seen += texts(page)
        cursor = page.cursor
        if cursor is None:
            break
    assert seen == [f"boat number {i}" for i in reversed(range(25))]
    for bad in ("x", "-1", "９"):
        with pytest.raises(HoldfastError) as error:
            memory.list(cursor=bad)
        assert error.value.code == "cursor_invalid"


@pytest.mark.on_a_file
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"query": ""}, "query_empty"),
        ({"query": "\u200b"}, "query_empty"),
        ({"query": None}, "text_not_string"),
        ({"query": "x" * 20_001}, "text_too_long"),
        ({"query": "x", "limit": 0}, "limit_invalid"),
        ({"query": "x", "limit": 1_001}, "limit_invalid"),
        ({"query": "x", "limit": True}, "limit_invalid"),
        ({"query": "x", "mode": "magic"}, "mode_unknown"),
        ({"query": "x", "kinds": "nonsense"}, "kind_unknown"),
        ({"query": "x", "kinds": 7}, "argument_invalid"),
        ({"query": "x", "since": "whenever"}, "time_invalid"),
        ({"query": "x", "since": "2026-05-02", "until": "2026-05-01"}, "time_invalid"),
        ({"query": "x", "project": ""}, "place_invalid"),
        ({"query": "x", "visibility": "world"}, "visibility_unknown"),
    ],
)
def test_bad_questions_have_a_code(memory: Memory, arguments: dict, code: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(HoldfastError) as error:
        memory.recall(**arguments)
    assert error.value.code == code


@pytest.mark.parametrize(
    "query", ['"', "'; DROP TABLE memories;--", "a AND b OR NOT c*", "NEAR(x y)", "{", "\\", "%_"]
)
def test_query_syntax_is_just_text(memory: Memory, query: str) -> None:
    memory.remember("a and b or not c near x y drop table memories")
    memory.recall(query)
    assert memory.count() == 1


def test_s3_31_a_type_of_scope_can_be_boosted(memory: Memory) -> None:
    memory.remember("Deploys run on Friday", kind="fact", scope=("file", "deploy.md"))
    memory.remember("Deploys run on Monday evenings", kind="fact", scope=("team", "core"))
    plain = {hit.memory.scope.type: hit.score for hit in memory.recall("deploys")}
    boosted = {hit.memory.scope.type: hit.score for hit in memory.recall("deploys", boost={"team": 1.5})}
    assert boosted["team"] == pytest.approx(1.5 * plain["team"])
    assert boosted["file"] == pytest.approx(plain["file"])
    for wrong in ({"file": -1}, {"file": "much"}, {1: 1.0}, [("file", 2)]):
        with pytest.raises(HoldfastError) as error:
            memory.recall("deploys", boost=wrong)  # type: ignore[arg-type]
        assert error.value.code == "argument_invalid"


@pytest.mark.on_a_file
def test_s2_30_s4_29_mmr_prefers_what_is_new(memory: Memory) -> None:
    for text in (
        "the boat engine needs oil every month in the old harbour",
        "the boat engine needs oil every week in the old harbour",
        "our boat was painted blue",
    ):
        memory.add_messages([{"role": "user", "content": text}], session="s")
    query = "the boat engine needs oil every month"
    assert "painted" in memory.recall(query)[2].memory.text
    assert "painted" in memory.recall(query, mmr=0.3)[1].memory.text
    assert len(memory.recall(query, mmr=0.0)) == 3
    with pytest.raises(HoldfastError, match="mmr"):
        memory.recall(query, mmr=1.1)


@pytest.mark.on_a_file
def test_s2_30_what_repeats_a_better_hit_stands_last(memory: Memory) -> None:
    for session in ("a", "b", "c"):
        memory.add_messages([{"role": "user", "content": "The boat is red and fast"}], session=session)
    memory.add_messages([{"role": "user", "content": "A boat may be slow"}], session="d")
    hits = memory.recall("is the boat red and fast", project="*", limit=2)
    assert [hit.memory.text for hit in hits] == ["The boat is red and fast", "A boat may be slow"]


@pytest.mark.on_a_file
def test_two_hits_at_most_say_the_same(memory: Memory) -> None:
    for number in range(40):
        memory.add_messages([{"role": "user", "content": "The garage is green."}], session=f"s{number}")
    for colour in ("red", "blue", "white", "black"):
        memory.add_messages(
            [{"role": "user", "content": f"Is a garage {colour}, or a shed?"}], session="other"
        )
    found = texts(memory.recall("green garage"))
    assert found.count("The garage is green.") == 2
    assert len(found) == 6


def test_answers_are_found_beside_what_was_asked(memory: Memory) -> None:
    memory.add_messages(
        [
            {"role": "user", "content": "Where shall we hold the annual gathering?"},
            {"role": "assistant", "content": "Lisbon."},
            {"role": "user", "content": "Something else: the printer is broken."},
        ],
        session="s",
    )
    memory.add_messages([{"role": "user", "content": "Lunch was good."}], session="t")
    texts = [hit.memory.text for hit in memory.recall("annual gathering", project="*")]
    assert "Lisbon." in texts
    assert "Lunch was good." not in texts
    why = next(hit.why for hit in memory.recall("annual gathering") if hit.memory.text == "Lisbon.")
    assert why["neighbours"] > 0


@pytest.mark.on_a_file
def test_the_best_passage_of_a_long_text_stands_for_it(memory: Memory) -> None:
    filler = "The river flows past the mill and the meadow. " * 60
    text = f"{filler}\nThe vault opens with the amber key.\n{filler}"
    memory.add_messages([{"role": "user", "content": text}], session="s")
    hits = memory.recall("which key opens the vault")
    assert len(hits) == 1
    assert "amber key" in hits[0].passage
    assert len(hits[0].passage) < 1_000


@pytest.mark.on_a_file
@pytest.mark.parametrize(
    ("message", "asks"),
    [
        ("Which plan does the gym offer?", True),
        ("Hi there! Which plan does the gym offer, please?", True),
        ("体育館のプランはどれですか？", True),
        ("I joined the gym on 12 January and took the yearly plan. Which shoes do I need?", False),
        ("I am on the yearly plan at the gym near the station where my sister works and where they also have"
         " a pool, can you help?", False),
        ("The gym offers a yearly plan", False),
    ],
)  # fmt: skip
def test_what_only_asks_ranks_below_what_tells(memory: Memory, message: str, asks: bool) -> None:
    memory.add_messages([{"role": "user", "content": message}], session="s")
    hits = memory.recall(message, project="*", limit=1)
    assert (hits[0].why["speaker"] < 0) == asks


@pytest.mark.parametrize(("other", "first"), [("assistant", "opens"), ("Bob", "goes on")])
def test_who_begins_a_talk_with_an_assistant_says_what_it_is_about(
    memory: Memory, other: str, first: str
) -> None:
    wish = [("user", "I want to paint the boat"), (other, "Go ahead.")]
    greeting = [("user", "Hello there"), (other, "Good morning.")]
    for session, talk in (("opens", [*wish, *greeting]), ("goes on", [*greeting, *wish])):
        messages = [{"role": role, "content": text} for role, text in talk]
        memory.add_messages(messages, session=session, project="p")
    hits = memory.recall("paint the boat", project="p", limit=2)
    assert hits[0].memory.session == first


@pytest.mark.on_a_file
@pytest.mark.parametrize(
    ("first", "question", "preferred"),
    [
        ("I want to paint the boat", "Which boat do I want to paint?", True),
        ("I want to paint the boat", "What does the paint of the boat cost?", False),
        ("I want to paint the boat", "Why do I want to paint the boat?", False),
        ("I want to paint the boat", "How often do I paint the boat?", False),
        ("Ich will das Boot streichen", "Welches Boot will ich streichen?", True),
        ("Ich will das Boot streichen", "Was kostet es, das Boot zu streichen?", False),
        ("Ich will das Boot streichen", "Warum will ich das Boot streichen?", False),
    ],
)
def test_who_begins_a_talk_states_no_detail_of_it(
    memory: Memory, first: str, question: str, preferred: bool
) -> None:
    talk = [("user", first), ("assistant", "Go ahead."), ("user", "Fine.")]
    messages = [{"role": role, "content": text} for role, text in talk]
    memory.add_messages(messages, session="s", project="p")
    (hit, *_) = memory.recall(question, project="p")
    assert (hit.why["speaker"] > 0) == preferred


@pytest.mark.parametrize(
    ("question", "vague", "answer"),
    [
        ("How many hens do we keep?", "We keep hens, all brown.", "We keep nine hens, all brown."),
        ("What does the hen house cost?", "The hen house was cheap.", "The hen house was 400 euros."),
        ("When did the hens come?", "The hens came by lorry.", "The hens came on Tuesday."),
        ("Why did we buy hens?", "We bought hens, five euros each.", "We bought hens because of the eggs."),
        ("Warum haben wir Hühner?", "Wir haben neun Hühner.", "Wir haben Hühner, weil die Eier gut sind."),
        ("Wie viele Hühner haben wir?", "Wir haben braune Hühner.", "Wir haben neun Hühner."),
        ("Wann kamen die Hühner?", "Die Hühner kamen gut an.", "Die Hühner kamen gestern an."),
        ("¿Cuántas gallinas tenemos?", "Tenemos gallinas marrones.", "Tenemos nueve gallinas."),
        ("Quand les poules sont arrivées ?", "Les poules sont arrivées.", "Les poules sont arrivées lundi."),
    ],
)
def test_a_text_that_has_the_detail_that_is_asked_for_goes_first(
    memory: Memory, question: str, vague: str, answer: str
) -> None:
    memory.remember_many([{"text": text, "project": "p"} for text in (vague, answer)])
    why = {hit.memory.text: hit.why["speaker"] for hit in memory.recall(question, project="p")}
    assert why[answer] > 0 == why[vague]


@pytest.mark.on_a_file
@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Can you list the order in which I mentioned the boat in our conversation?", "The boat got a sail."),
        ("How do I say it in order?", "You can say it, list it and mention it in order in a conversation."),
    ],
)
def test_a_question_about_what_was_said_is_asked_for_its_matter(
    memory: Memory, question: str, first: str
) -> None:
    said = ["You can say it, list it and mention it in order in a conversation.", "The boat got a sail."]
    memory.remember_many([{"text": text, "project": "p"} for text in said])
    assert texts(memory.recall(question, project="p"))[0] == first


@pytest.mark.on_a_file
def test_the_best_answer_of_a_long_talk_needs_no_support_by_the_rest_of_it(memory: Memory) -> None:
    chatter = ["Lunch was good.", "The printer hums.", "Rain again.", "Trains were late."]
    talk = [*chatter[:2], "The amber key opens the vault.", *chatter[2:]]
    memory.add_messages([{"role": "user", "content": text} for text in talk], session="a")
    pair = ["Somebody asked about a key.", "A key is a small thing."]
    memory.add_messages([{"role": "user", "content": text} for text in pair], session="b")
    hits = memory.recall("which key opens the vault", project="*")
    assert texts(hits)[0] == "The amber key opens the vault."
    why = hits[0].why
    assert why["session"] == pytest.approx(why["words"] + why["vector"])


@pytest.mark.on_a_file
def test_words_of_a_passage_weigh_as_those_of_a_note(memory: Memory) -> None:
    memory.remember("The amber key opens the vault.", kind="passage", project="p")
    (passage,) = memory.recall("which key opens the vault", project="p")
    memory.remember("The amber key opens the vault.", kind="message", project="q")
    (message,) = memory.recall("which key opens the vault", project="q")
    assert {part: passage.why[part] for part in ("words", "vector")} == pytest.approx(
        {part: message.why[part] for part in ("words", "vector")}
    )


@pytest.mark.on_a_file
def test_in_a_long_question_the_vector_weighs_less_than_the_words(memory: Memory) -> None:
    memory.remember("The amber key opens the vault.")
    short = memory.recall("which key opens the vault")[0].why
    chatter = "Hello again, I had a long day with many things to do and hardly any time to sit down. "
    long = memory.recall(chatter + "Tell me please, which key opens the vault")[0].why
    assert long["vector"] / long["words"] < 0.8 * short["vector"] / short["words"]


@pytest.mark.parametrize("mode", ["hybrid", "words"])
@pytest.mark.parametrize("word", ["vualt", "valt", "vaault", "vaulr", "Vaukt"])
def test_a_misspelt_word_finds_words_one_edit_away(memory: Memory, word: str, mode: str) -> None:
    memory.remember("The vault is behind the kitchen.")
    memory.remember("The garden has a gate.")
    assert texts(memory.recall(f"where is the {word}?", mode=mode))[0] == "The vault is behind the kitchen."


def test_a_word_that_is_there_stands_for_itself_alone(memory: Memory) -> None:
    memory.remember("The boats are in the shed.")
    memory.remember("The goats are in the shed.")
    why = {hit.memory.text: hit.why["words"] for hit in memory.recall("which boats?", mode="words")}
    assert list(why) == ["The boats are in the shed."]


def test_parts_of_identifiers_and_numbers_are_not_respelt(memory: Memory) -> None:
    memory.remember("port 8081 of load_items")
    assert memory.recall("8082 loadx_itens", mode="words").items == ()


def test_words_outside_the_view_correct_nothing(memory: Memory) -> None:
    for text in ("The kitchen door is green.", "The colt is in the yard."):
        memory.remember(text, project="here")
    question = "green colr of the vualt"
    before = [(hit.memory.id, hit.why["words"]) for hit in memory.recall(question, project="here")]
    for _ in range(3):
        memory.remember("The vault, the color and the vault.", project="elsewhere", kind="passage")
    after = memory.recall(question, project="here")
    assert [(hit.memory.id, hit.why["words"]) for hit in after] == before


def test_a_real_word_that_is_not_there_is_not_respelt(store: Store) -> None:
    memory = memory_on(store, embedder=StaticEmbedder())
    memory.remember("The colt is in the yard.")
    assert memory.recall("which coat?", mode="words").items == ()
    assert texts(memory.recall("which coltt?", mode="words")) == ["The colt is in the yard."]


GYM = "My gym is the Ironworks on Mill Lane.", "I quit the Ironworks and joined the climbing hall."


@pytest.mark.on_a_file
@pytest.mark.parametrize(
    ("earlier", "later", "question", "newer"),
    [
        (*GYM, "Which gym do I go to?", True),
        (*GYM, "Which gym do I go to now?", True),
        (*GYM, "Which gym did I go to before?", False),
        (
            "We keep the logs for 30 days.",
            "Logs are now kept for 90 days.",
            "How long do we keep logs?",
            True,
        ),
        ("The vet is Dr. Marlow.", "The vet is Dr. Singh.", "Who is the vet?", True),
        ("Ich arbeite bei Siemens.", "Ich habe gekündigt und bin bei Bosch.", "Wo arbeite ich jetzt?", True),
        ("I live in Ghent.", "My cousin moved to Rotterdam last week.", "Where do I live?", False),
        (
            "The port of staging is 8080.",
            "The port of production is 9090.",
            "What is the port of staging?",
            False,
        ),
        ("My manager is Deborah.", "I had a new salad for lunch.", "Who is my manager?", False),
    ],
)
def test_a_question_about_the_present_has_the_update_of_a_statement_first(
    store: Store, earlier: str, later: str, question: str, newer: bool
) -> None:
    memory = memory_on(store, embedder=StaticEmbedder())
    for text in (earlier, later):
        memory.add_messages([{"role": "user", "content": text}], session="talk")
    hits = memory.recall(question)
    assert texts(hits)[0] == (later if newer else earlier)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(hit.score == pytest.approx(sum(hit.why.values())) for hit in hits)


@pytest.mark.on_a_file
def test_the_last_of_several_updates_stands_first(store: Store) -> None:
    memory = memory_on(store, embedder=StaticEmbedder())
    said = (
        "My bank is Barclays.",
        "I moved to Monzo as my bank.",
        "I have left Monzo, my bank is Starling now.",
    )
    memory.add_messages([{"role": "user", "content": text} for text in said], session="talk")
    assert texts(memory.recall("Which bank am I with?")) == [said[2], said[1], said[0]]


@pytest.mark.on_a_file
def test_nobody_updates_what_somebody_else_said(store: Store) -> None:
    memory = memory_on(store, embedder=StaticEmbedder())
    for name, text in (("Ana", GYM[0]), ("Ben", GYM[1])):
        memory.add_messages([{"role": "user", "name": name, "content": text}], session="talk")
    assert texts(memory.recall("Which gym do I go to?"))[0] == GYM[0]


@pytest.mark.on_a_file
@pytest.mark.parametrize(
    "statement",
    [
        "Ben does not like coffee at all, he says.",
        "Ben has never liked coffee.",
        "Coffee is nothing that Ben likes.",
    ],
)
def test_a_question_about_what_is_not_so_has_the_denial_first(store: Store, statement: str) -> None:
    memory = memory_on(store, embedder=StaticEmbedder())
    memory.remember("Anna likes coffee.")
    memory.remember(statement)
    assert texts(memory.recall("Who doesn't like coffee?"))[0] == statement


@pytest.mark.on_a_file
def test_a_suggestion_has_to_suit_what_somebody_prefers(memory: Memory) -> None:
    memory.add_messages(
        [
            {"role": "user", "content": "The train to the coast leaves at nine."},
            {"role": "user", "content": "I strictly avoid any train."},
        ],
        session="s",
    )
    matches = memory.recall("Can you recommend a train to the coast?")
    told = memory.recall("When does the train to the coast leave?")

    def gap(hits: Hits) -> float:
        by_text = {hit.memory.text: hit.score for hit in hits}
        return by_text["I strictly avoid any train."] / by_text["The train to the coast leaves at nine."]

    assert gap(matches) > 1.1 * gap(told)


def test_a_preference_is_found_behind_many_texts_that_fit_better(store: Store) -> None:
    memory = memory_on(store, embedder=StaticEmbedder())
    preference = "I never like it when a restaurant is loud."
    said = [f"The restaurant would have number {number}." for number in range(60)]
    memory.add_messages([{"role": "user", "content": text} for text in (preference, *said)], session="talk")
    assert preference in texts(memory.recall("Which restaurant would you recommend?"))
    for question in ("Which restaurant was it?", "Which restaurant did Kim recommend?"):
        assert preference not in texts(memory.recall(question))


FILES = {
    "src/client.py": ("Client.send", "def send(self): here redirects are followed"),
    "src/pool.py": ("Pool.limit", "def limit(self): as many connections as the client may send"),
    "tests/test_client.py": (
        "test_redirects",
        "def test_redirects(): where redirects are followed",
    ),
    "docs/redirects.md": ("Redirects", "Where redirects are followed, by default."),
}


@pytest.mark.on_a_file
@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("where are redirects followed?", "src/client.py"),
        ("which test shows where redirects are followed?", "tests/test_client.py"),
        ("what do the docs say of where redirects are followed", "docs/redirects.md"),
        ("Redirects", "docs/redirects.md"),
        ("connections in pool.py", "src/pool.py"),
        ("where is Pool.limit used by what redirects are followed", "src/pool.py"),
        ("limit", "src/pool.py"),
    ],
)
def test_sources_come_first_and_what_is_named_before_all(store: Store, question: str, first: str) -> None:
    memory = memory_on(store, embedder=StaticEmbedder())
    for path, (symbol, text) in FILES.items():
        title = symbol if path.endswith(".md") else None
        memory.remember(text, kind="passage", title=title, metadata={"path": path, "symbols": [symbol]})
    hits = memory.recall(question)
    assert hits[0].memory.metadata["path"] == first
    assert all(hit.score == pytest.approx(sum(hit.why.values())) for hit in hits)


@pytest.mark.on_a_file
def test_data_files_come_last_and_no_file_gives_all_hits(store: Store) -> None:
    memory = memory_on(store, embedder=StaticEmbedder())
    kept = {"src/find.py": "def redact_secrets(text): the secrets in a text are replaced"}
    kept |= {f"data/{n % 2}.jsonl#{n}": f"where are secrets redacted? line {n}" for n in range(60)}
    kept |= {f"src/notes.py#{n}": f"secrets are redacted in step {n}" for n in range(12)}
    for path, text in kept.items():
        memory.remember(text, kind="passage", metadata={"path": path.partition("#")[0]})

    def paths(question: str) -> list[str]:
        return [str(hit.memory.metadata["path"]) for hit in memory.recall(question)]

    found = paths("where are secrets redacted?")
    assert sorted(found[:5]) == ["src/find.py", *["src/notes.py"] * 4]
    assert sorted(found[5:9]) == ["data/0.jsonl", "data/0.jsonl", "data/1.jsonl", "data/1.jsonl"]
    assert {*paths("which jsonl has where secrets are redacted")[:2]} <= {"data/0.jsonl", "data/1.jsonl"}
    assert paths("secrets redacted in data/1.jsonl")[0] == "data/1.jsonl"


@pytest.mark.on_a_file
def test_documents_alone_lose_nothing_for_being_documents(store: Store) -> None:
    memory = memory_on(store, embedder=StaticEmbedder())
    text = FILES["docs/redirects.md"][1]
    memory.remember(text, kind="passage", metadata={"path": "docs/redirects.md"})
    (hit,) = memory.recall("where are redirects followed?")
    assert "kind" not in hit.why


NOTES = {
    "data/costs.csv": "15/07/2024;Hire of the delivery van;1.234,50;Castle Motors",
    "notes/vans.md": "Vans and trucks are hired for delivery as late as possible.",
    "mail/vans.eml": "Please look for vans and trucks that are for hire.",
    "papers/vans.pdf": "Hire of vans and trucks in the delivery business.",
}


@pytest.mark.on_a_file
def test_documents_and_tables_are_equal_where_there_is_no_source_code(store: Store) -> None:
    memory = memory_on(store, embedder=StaticEmbedder())
    for path, text in NOTES.items():
        memory.remember(text, kind="passage", metadata={"path": path})
    hits = memory.recall("hire of the delivery van Castle Motors")
    assert len(hits) == len(NOTES)
    assert hits[0].memory.metadata["path"] == "data/costs.csv"
    assert not any("kind" in hit.why for hit in hits)


@pytest.mark.on_a_file
@pytest.mark.parametrize("question", ["GROU-0597", "what was said in grou-0597?"])
def test_the_passage_with_the_number_that_is_asked_for_comes_first(store: Store, question: str) -> None:
    memory = memory_on(store, embedder=StaticEmbedder())
    for number in (661, 597, 5970, 821):
        text = f"aliases: [GROU-{number:04}]\n# Groundwater\nGroundwater sampling, {number} readings [[log]]"
        memory.remember(text, kind="passage", metadata={"path": f"notes/{number}.md"})
    (first, *others) = memory.recall(question)
    assert first.memory.metadata["path"] == "notes/597.md"
    assert "identifier" in first.why
    assert not any("identifier" in hit.why for hit in others)


@pytest.mark.on_a_file
def test_confidence_tells_whether_anything_answers(store: Store) -> None:
    memory = memory_on(store, embedder=StaticEmbedder())
    memory.remember("The amber key opens the vault.")
    memory.remember("The trains to the coast leave at nine.")
    answered = memory.recall("Which key opens the vault?")
    foreign = memory.recall("How do I bake sourdough bread in the oven?")
    assert answered.confidence == answered[0].confidence > 0.9
    assert foreign.confidence < 0.3
    assert texts(memory.recall("Which key opens the vault?", min_confidence=0.6)) == [
        "The amber key opens the vault."
    ]
    nothing = memory.recall("How do I bake sourdough bread in the oven?", min_confidence=0.6)
    assert nothing.items == ()
    assert nothing.confidence == foreign.confidence
    known = answered[0].memory.id
    for name in (known, short_id(known)):
        assert memory.recall("Which key opens the vault?", exclude=[name]).confidence < 0.5


@pytest.mark.on_a_file
def test_a_vector_counts_less_for_a_language_that_the_embedder_does_not_know(store: Store) -> None:
    memory = memory_on(store, embedder=StaticEmbedder())
    for text in ("Кот спит на диване.", "Поезд уходит в девять.", "The cat sleeps on the sofa."):
        memory.remember(text)
    foreign = memory.recall("Где спит кот?")
    assert texts(foreign)[0] == "Кот спит на диване."
    assert foreign[0].why["vector"] < foreign[0].why["words"]
    german = memory.recall("Wo schläft die Katze?")
    assert texts(german)[0] == "The cat sleeps on the sofa."
    assert german[0].why["vector"] > 0


@pytest.mark.parametrize("mode", ["words", "vectors", "hybrid"])
def test_confidence_depends_on_nothing_outside_the_view(store: Store, mode: str) -> None:
    memory = memory_on(store, embedder=StaticEmbedder())
    for text in ("The amber key opens the vault.", "The vault is behind the kitchen."):
        memory.remember(text, kind="passage", project="here")
    before = memory.recall("Which key opens the vault?", project="here", mode=mode)
    for number in range(5):
        memory.remember(f"A key, a vault, and {number} keys.", kind="passage", project="elsewhere")
    after = memory.recall("Which key opens the vault?", project="here", mode=mode)
    assert [hit.confidence for hit in after] == [hit.confidence for hit in before]
    assert after.confidence == before.confidence > 0


@pytest.mark.on_a_file
def test_the_answer_beside_its_question_is_as_sure_as_that(store: Store) -> None:
    memory = memory_on(store, embedder=StaticEmbedder())
    talk = ["Where shall we hold the annual gathering?", "Lisbon.", "The printer is broken again."]
    memory.add_messages([{"role": "user", "content": text} for text in talk], session="s")
    hits = memory.recall("where is the annual gathering held", project="*", min_confidence=0.6)
    assert set(texts(hits)) == set(talk[:2])


NOTE = (
    "The {what} gateway of the payment team listens on port {port} and is reached through the proxy in Kiel"
    " by everybody who asked for a key in the last quarter and is {allowed} a contractor of ours"
)


@pytest.mark.on_a_file
def test_what_differs_in_a_number_or_a_not_is_no_repetition(memory: Memory) -> None:
    for what, port, allowed in [("staging", 8080, ""), ("staging", 8081, ""), ("staging", 8080, "not")]:
        memory.remember(NOTE.format(what=what, port=port, allowed=allowed), kind="message")
    memory.remember_many(
        [{"text": f"The gateway of shop {i} is asleep", "kind": "message"} for i in range(20)]
    )
    matches = memory.recall("is port 8080 or 8081 used by the staging gateway", limit=3)
    assert all("staging" in text for text in texts(matches))


@pytest.mark.on_a_file
def test_two_people_who_say_the_same_are_two_hits(memory: Memory) -> None:
    messages = [
        {"role": "user", "name": name, "content": "I am a vegetarian", "id": name}
        for name in ("Ann", "Bob", "Ann again")
    ]
    memory.add_messages(
        [*messages, {"role": "user", "name": "Bob", "content": "My dog is no vegetarian"}], session="s"
    )
    matches = memory.recall("who is a vegetarian?", limit=3)
    assert texts(matches) == ["I am a vegetarian"] * 3


@pytest.mark.on_a_file
def test_novelty_is_weighed_for_those_that_are_told_only(memory: Memory) -> None:
    memory.remember_many([{"text": f"boat {i} lies at pier {i % 7}", "kind": "message"} for i in range(60)])
    first = texts(memory.recall("boat at the pier", limit=1, mmr=0.5))
    assert first == texts(memory.recall("boat at the pier", limit=1))
    many = texts(memory.recall("boat at the pier", limit=9, mmr=0.1))
    assert len(set(many)) == 9
    assert many[0] == first[0]


@pytest.mark.on_a_file
def test_too_many_to_leave_out_is_said(memory: Memory) -> None:
    memory.remember("The boat is red")
    with pytest.raises(HoldfastError) as error:
        memory.recall("boat", exclude=[str(i) for i in range(1_001)])
    assert error.value.code == "limit_invalid"


def test_what_was_said_late_or_again_stands_where_it_was_said(memory: Memory, clock: ManualClock) -> None:
    day = "2026-05-02T10:0{}:00Z"
    talk = [
        ("q", "Where is the spare zebra key?", 0),
        ("a", "Under the mat by the door.", 1),
        *[(f"c{i}", f"We spoke of football, part {i}", 2 + i) for i in range(6)],
    ]
    for id, text, minute in [*talk[1:], talk[0]]:
        memory.add_messages(
            [{"role": "user", "content": text, "id": id, "at": day.format(minute)}], session="s"
        )
    assert "Under the mat by the door." in texts(memory.recall("the spare zebra key", limit=2))
    again = {"role": "user", "content": "Where is the spare zebra key, Tom?", "id": "q", "at": day.format(0)}
    memory.add_messages([again], session="s")
    assert "Under the mat by the door." in texts(memory.recall("the spare zebra key", limit=2))


def test_a_day_that_is_named_brings_what_was_said_on_it(memory: Memory) -> None:
    days = [f"2025-{month:02}-{day:02}" for month in range(1, 13) for day in range(1, 29)]
    memory.add_messages(
        [
            {"role": "user", "content": f"Standup: worked on ticket {i}", "at": f"{day}T09:00:00Z"}
            for i, day in enumerate(days)
        ],
        session="s",
    )
    at = days.index("2025-05-07")
    for question in ("standup on 2025-05-07", "what happened on 7 May 2025?"):
        assert texts(memory.recall(question, limit=3))[0] == f"Standup: worked on ticket {at}"


def test_s3_31_a_boosted_scope_is_found_at_every_limit(memory: Memory) -> None:
    memory.remember("a boat", kind="message", scope=("file", "pier.md"))
    memory.remember_many([{"text": f"boat boat boat {i}", "kind": "message"} for i in range(300)])
    for limit in (1, 10, 100):
        assert texts(memory.recall("boat boat", limit=limit, boost={"file": 50.0}))[0] == "a boat"


def test_a_store_without_vectors_of_the_model_says_so(store: Store) -> None:
    memory_on(store).remember("The boat is red")
    other = memory_on(store, embedder=HashEmbedder(model="another"))
    assert "maintain" in (other.recall("red boat").degraded or "")
    assert other.recall("red boat", mode="words").degraded is None
    other.maintain()
    assert other.recall("red boat").degraded is None


def test_a_scope_with_the_factor_0_is_no_hit_and_no_yardstick(memory: Memory) -> None:
    memory.remember("boat boat boat", kind="message", scope=("file", "pier.md"))
    memory.remember("the boat is red", kind="message")
    alone = memory.recall("boat", boost={"file": 0})
    assert texts(alone) == ["the boat is red"]
    assert alone[0].score > memory.recall("boat")[1].score


def test_what_stands_beside_is_found_past_many_that_are_left_out(memory: Memory) -> None:
    said = ["Where is the spare zebra key?", *["We spoke of football"] * 90, "Under the mat by the door."]
    memory.add_messages(
        [{"role": "user", "content": text, "id": str(i)} for i, text in enumerate(said)], session="s"
    )
    talk = memory.sessions.messages("s", limit=100).memories
    for one in (talk[0], talk[-1]):
        memory.revise(one.id, tags=["kept"])
    matches = memory.recall("spare zebra key", tags=["kept"])
    assert {hit.memory.text: hit.why["neighbours"] > 0 for hit in matches}[said[-1]]


def test_what_is_revised_keeps_its_place_among_what_was_said_at_once(memory: Memory) -> None:
    said = ["Where is the spare zebra key?", "Under the mat by the door.", *["We spoke of football"] * 20]
    memory.add_messages(
        [{"role": "user", "content": text, "id": str(i)} for i, text in enumerate(said)], session="s"
    )
    first = memory.sessions.messages("s", limit=1).memories[0]
    memory.revise(first.id, text="Where is the spare zebra key, Tom?")
    matches = memory.recall("spare zebra key", limit=30)
    assert {hit.memory.text: hit.why["neighbours"] > 0.01 for hit in matches}[said[1]]


def test_what_is_left_out_takes_no_place_of_what_was_said_then(memory: Memory) -> None:
    then: dict[str, Any] = {"kind": "message", "at": "2025-05-08T09:00:00Z"}
    memory.remember_many([{"text": f"deploy {i}", "scope": ("file", "a.md"), **then} for i in range(60)])
    memory.remember("Oslo was cold", **then)
    matches = memory.recall("What happened on 8 May 2025?", boost={"file": 0})
    assert texts(matches) == ["Oslo was cold"]


@pytest.mark.on_a_file
def test_many_that_differ_in_a_number_are_told_without_comparing_each_with_each(memory: Memory) -> None:
    memory.remember_many([{"text": f"Alert {i}: " + NOTE, "kind": "message"} for i in range(300)])
    assert len(set(texts(memory.recall(NOTE, limit=300)))) == 300


def test_s1_46_a_recall_leaves_out_chats_and_narrows_to_sources(memory: Memory) -> None:
    sources = [memory.sources.add("notes", str(n) * 64).id for n in range(2)]
    for n, session in enumerate(("one", "two")):
        messages = [{"role": "user", "content": f"The harbour gate {n} opens at {n + 5}"}]
        memory.add_messages(messages, session=session, source=sources[n])
    memory.add_messages([{"role": "user", "content": "The harbour gate is green"}], session="three")
    memory.remember("The harbour gate is old")

    def found(**options: Any) -> set[str]:
        hits = memory.recall("harbour gate", limit=10, **options)
        assert len(hits) <= hits.searched <= 4
        return {hit.memory.session or "none" for hit in hits}

    everything = {"one", "two", "three", "none"}
    assert found() == everything
    assert found(exclude_sessions=["one"]) == everything - {"one"}
    assert found(exclude_sessions=["one", "two", "unknown"]) == {"three", "none"}
    assert found(sources=[sources[0]]) == {"one"}
    assert found(sources=sources, exclude_sessions="one") == {"two"}
    assert found(sources=[]) == found(sources=["unknown"]) == set()
    for options in ({"sources": [1]}, {"exclude_sessions": [""]}, {"exclude_sessions": ["a"] * 1_001}):
        with pytest.raises(InvalidInput):
            memory.recall("harbour", **options)


ON_SOURDOUGH = (
    "Sourdough bread rises slowly since the wild yeast of the starter works at a low temperature overnight.",
    "For a good sourdough bread the starter is fed twice, so that yeast is awake when the dough is mixed.",
    "Why does sourdough bread taste sour? Bacteria in the starter make acid while the dough rests in a bowl.",
)
ON_YEAST = (
    "Bread rises when yeast is mixed into its dough, which is left in a bowl until it is as large as two."
)
ON_FACES = (
    "Sour faces were seen all over the office when the winner of the raffle for a week off was read out."
)
ON_PRICES = "A loaf of bread on the scales of the chemist weighs less each year, while its price has gone up."
ON_TYRES = "Tyres are changed in October, when the nights get cold and the first ice is seen on the roads."


@pytest.mark.on_a_file
def test_documents_on_one_matter_move_the_question(store: Store) -> None:
    """Texts that answer a question at first sight bring others on their matter nearer."""
    memory = memory_on(store, embedder=StaticEmbedder())

    def lead() -> float:
        share = {hit.memory.text: hit.why["vector"] for hit in memory.recall("sour bread from a starter")}
        return share[ON_YEAST] - share[ON_FACES]

    first = (*ON_SOURDOUGH[:2], ON_YEAST, ON_FACES, ON_PRICES, ON_TYRES)
    memory.remember_many([{"text": text, "kind": "passage"} for text in first])
    before = lead()
    memory.remember(ON_SOURDOUGH[2], kind="passage")
    assert lead() > before + 0.01


@pytest.mark.on_a_file
@pytest.mark.parametrize(
    ("question", "earlier", "later", "is_update"),
    [
        (
            "How many books are in my collection of atlases?",
            "My collection of atlases: I own 40 books, and I look for a shelf for all of these books.",
            "With the atlases from Uncle Leo, which I like, the collection has increased to 52, where to?",
            True,
        ),
        (
            "When is the deadline of the harbour sprint?",
            "The deadline of the harbour sprint is 3 May, so the harbour team has to hurry.",
            "Please plan again, since the harbour sprint was moved to 9 May by the office.",
            True,
        ),
        (
            "How many books were in my collection of atlases at first?",
            "My collection of atlases: I own 40 books, and I look for a shelf for all of these books.",
            "With the atlases from Uncle Leo, which I like, the collection has increased to 52, where to?",
            False,
        ),
        (
            "How many books are in my collection of atlases?",
            "My collection of atlases: I own 40 books, and I look for a shelf for all of these books.",
            "For the atlases in the collection, the humidity of the room has increased to 52%, is that bad?",
            False,
        ),
    ],
)
def test_a_value_that_was_said_to_have_changed_comes_first(
    memory: Memory, question: str, earlier: str, later: str, *, is_update: bool
) -> None:
    memory.add_messages(
        [
            {"role": "user", "content": earlier, "at": "2025-01-07"},
            {"role": "user", "content": "The kettle is broken again.", "at": "2025-02-01"},
            {"role": "user", "content": later, "at": "2025-03-02"},
        ],
        session="talk",
    )
    first = memory.recall(question).items[0].memory.text
    assert first == (later if is_update else earlier)
