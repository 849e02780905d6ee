"""What is believed of a person: read from what they said, with sources, changes and contradictions."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast import Memory
from holdfast.core.claims import Belief, Claim
from holdfast.core.errors import NotFound
from holdfast.features.beliefs import about, reading
from holdfast.features.beliefs.phrases import time_in_words
from holdfast.language.claims.read import claims_in
from tests.support import memory_on


def say(memory: Memory, *texts: str, session: str = "chat", day: int = 1, **options: Any) -> list[str]:
    """Stores what the user says, a message a day, and returns the ids."""
    messages = [
        {"role": "user", "content": text, "at": f"2025-03-{n:02d}T10:00:00Z"}
        for n, text in enumerate(texts, day)
    ]
    result = memory.add_messages(messages, session=session, **options)
    return [one.memory.id for one in result if one.memory]


def by_attribute(memory: Memory, attribute: str, **place: Any) -> list[Belief]:
    return [belief for belief in memory.about(**place).beliefs if belief.attribute == attribute]


def test_a_belief_says_who_said_it_when_and_in_which_words(memory: Memory) -> None:
    (id,) = say(memory, "Good morning! I'm allergic to peanuts, so no satay for me.")
    (allergy,) = by_attribute(memory, "allergy")
    assert (allergy.id, allergy.value, allergy.positive) == (id, "peanuts", True)
    (source,) = allergy.sources
    assert source.memory == id
    assert source.quote in memory.get(id).text
    assert (source.said_by, source.session) == ("person", "chat")
    assert "peanuts" in allergy.text


def test_a_belief_does_not_repeat_the_word_that_it_begins_with(memory: Memory) -> None:
    say(memory, "My partner Jana is a nurse.")
    (partner,) = by_attribute(memory, "partner")
    assert partner.text == "Partner: Jana"


def test_what_is_said_again_makes_it_surer_and_is_listed_once(memory: Memory) -> None:
    first = say(memory, "I live in Porto.")
    once = by_attribute(memory, "lives_in")[0]
    again = say(memory, "We live in Porto, near the river.", session="other", day=5)
    (twice,) = by_attribute(memory, "lives_in")
    assert twice.confidence > once.confidence
    assert [source.memory for source in twice.sources] == again + first


def test_what_was_believed_on_a_day_is_asked_for_by_that_day(memory: Memory) -> None:
    say(memory, "I live in Porto.", "I like tea.", "I moved to Braga.")
    days = {
        day: {belief.value for belief in memory.about(as_of=f"2025-03-{day:02d}T23:00:00Z").beliefs}
        for day in (1, 3)
    }
    assert {"Porto", "Braga"} & days[1] == {"Porto"}
    assert {"Porto", "Braga"} & days[3] == {"Braga"}
    assert not memory.about(as_of="2025-02-28").beliefs


def test_what_a_memory_states_is_as_sure_as_the_memory(memory: Memory) -> None:
    liked = memory.remember("I prefer tea to coffee", kind="preference").memory
    assert liked is not None
    (belief,) = memory.about().beliefs
    assert (belief.id, belief.confidence) == (liked.id, liked.confidence)
    memory.review.feedback(liked.id, "helpful")
    assert memory.about().beliefs[0].confidence == memory.get(liked.id).confidence > liked.confidence
    say(memory, "I live in Porto.")
    (home,) = [one for one in memory.about().beliefs if one.value == "Porto"]
    right = memory.correct(home.id, "Lives in Braga").memory
    assert right is not None
    assert {one.confidence for one in memory.about().beliefs if one.value == "Braga"} == {right.confidence}


def test_a_plan_that_is_dropped_in_other_words_is_planned_no_longer(memory: Memory) -> None:
    say(memory, "I want to run a marathon next year.", "I've given up on my plan to run a marathon.")
    assert not [belief for belief in memory.about().beliefs if belief.status == "plan"]


def test_a_later_statement_replaces_an_earlier_one_whichever_came_in_first(memory: Memory) -> None:
    say(memory, "I moved to Braga.", day=9)
    say(memory, "I live in Porto.", session="before", day=2)
    (home,) = by_attribute(memory, "lives_in")
    assert home.value == "Braga"
    (old,) = home.replaced
    assert "Porto" in old.text
    assert old.source.session == "before"


def test_forgetting_takes_a_belief_back_and_what_it_replaced_holds_again(memory: Memory) -> None:
    porto, braga = say(memory, "I live in Porto.", "I moved to Braga.")
    memory.forget(braga)
    assert [one.value for one in by_attribute(memory, "lives_in")] == ["Porto"]
    memory.restore(braga)
    assert [one.value for one in by_attribute(memory, "lives_in")] == ["Braga"]
    memory.forget(porto, hard=True)
    (home,) = by_attribute(memory, "lives_in")
    assert not home.replaced


def test_a_correction_of_the_words_corrects_the_belief_and_a_pin_shows(memory: Memory) -> None:
    (id,) = say(memory, "I work at Nordwind.")
    memory.revise(id, text="I work at Südwind.")
    memory.pin(id)
    (work,) = by_attribute(memory, "employer")
    assert (work.value, work.pinned) == ("Südwind", True)


def test_what_is_planned_is_shown_with_its_time_and_what_holds_with_its_begin(memory: Memory) -> None:
    say(memory, "I've booked a trip to Ghent in May 2031.", "I've lived in Porto since 2019.")
    assert {time_in_words(belief) for belief in memory.about().beliefs} == {"May 2031", "since 2019"}


def test_knowledge_lists_and_episodes_are_beliefs_as_well(memory: Memory) -> None:
    memory.remember("My name is Ada Moreau", kind="profile")
    memory.remember("Never deploys on a Friday", kind="constraint")
    say(memory, "My favorite teas are 1) Assam, 2) Sencha")
    memory.add_episode("I'm allergic to penicillin, by the way.", "Noted.", session="e")
    about = memory.about()
    assert {group.name for group in about.groups} >= {"who", "instructions", "preferences", "health"}
    assert "Assam, Sencha" in about.group("preferences")[0].text
    (allergy,) = about.group("health")
    assert allergy.sources[0].quote.startswith("I'm allergic to penicillin")


def test_nobody_learns_of_others_and_a_project_has_its_own(memory: Memory) -> None:
    say(memory, "I live in Porto.")
    say(memory, "I'm allergic to wasps.", session="work", project="shop")
    ben = memory_on(memory._service.store, user="ben")
    assert not ben.about().groups
    assert [belief.attribute for belief in memory.about(project="shop").beliefs] == ["allergy"]
    assert not memory.about(project="nowhere").groups


@pytest.mark.parametrize("role", ["assistant", "system", "tool"])
def test_what_others_say_in_a_conversation_is_no_belief(memory: Memory, role: str) -> None:
    memory.add_messages([{"role": role, "content": "I live in Porto."}], session="c")
    assert not memory.about().groups


def test_what_an_agent_writes_is_marked_and_does_not_replace_what_a_person_said(memory: Memory) -> None:
    say(memory, "I live in Porto.")
    agent = memory_on(memory._service.store, agent="coder")
    say(agent, "I live in Madrid.", session="agent", day=8)
    (home,) = by_attribute(memory, "lives_in")
    assert home.value == "Porto"
    (other,) = home.contradicts
    assert ("Madrid" in other.text, other.source.said_by) == (True, "agent")


def test_about_a_name_tells_what_speaks_of_it(memory: Memory) -> None:
    say(memory, "I work at Nordwind.")
    memory.entities.create("Nordwind", "organization", notes="Makes sails in Kiel")
    texts = [belief.text for belief in memory.about("nordwind", project=None).beliefs]
    assert any("Works at" in text for text in texts)
    assert any("sails" in text for text in texts)
    with pytest.raises(NotFound):
        memory.about("Westwind")


def test_about_a_name_quotes_what_was_said_of_people_outside_of_projects(memory: Memory) -> None:
    say(
        memory,
        "Herr Öztürk, 58, Bandscheibenvorfall, OP am 12. Mai. Er fährt Bus. Welche Übungen passen?",
        "Das Öztürkhaus ist ein Museum.",
        "Heute hat Herr Öztürk abgesagt.",
    )
    memory.add_messages([{"role": "assistant", "content": "Ein Plan für Herrn Öztürk."}], session="chat")
    about = memory.about("Herr Öztürk")
    assert [belief.text for belief in about.beliefs] == [
        "Heute hat Herr Öztürk abgesagt.",
        "Herr Öztürk, 58, Bandscheibenvorfall, OP am 12. Mai. Er fährt Bus.",
    ]
    assert [group.title for group in about.groups] == ["Said and noted"]
    assert memory.about("öztürk").beliefs == about.beliefs
    for name in ("Frau", "Öztür"):
        with pytest.raises(NotFound):
            memory.about(name)
    with pytest.raises(NotFound):
        memory.as_user("ben").about("Öztürk")


def test_about_a_name_in_a_conversation_quotes_that_conversation(memory: Memory) -> None:
    say(memory, "Anna paints boats.", session="work")
    say(memory, "Anna is ill.", session="doctor", day=2)
    assert [belief.text for belief in memory.about("Anna", session="work").beliefs] == ["Anna paints boats."]


def test_what_a_statement_says_of_a_name_is_not_quoted_once_more(memory: Memory) -> None:
    say(memory, "My sister Rita lives in Porto.", "Rita called.")
    texts = [belief.text for belief in memory.about("Rita").beliefs]
    assert len(texts) == len(set(texts)) == 2
    assert "Rita called." in texts


def test_a_pet_that_is_named_later_is_one_and_answers_its_name(memory: Memory) -> None:
    say(memory, "Wir haben seit gestern einen Hund! Er heißt Balu, ein Mischling.")
    (pet,) = by_attribute(memory, "pet")
    assert pet.value == "Hund Balu"
    assert "Balu" in memory.ask("Wie heißt mein Hund?", session="chat").text


@pytest.mark.parametrize(
    ("plan", "news", "shown"),
    [
        ("We're flying to Lisbon in May.", "We're not going to Lisbon after all.", "No longer plans: Lisbon"),
        ("We're flying to Lisbon in May.", "The trip to Lisbon is cancelled.", "No longer plans: Lisbon"),
        ("We're flying to Lisbon in May.", "We had to cancel Lisbon.", "No longer plans: Lisbon"),
        (
            "I'm thinking of moving to Rome.",
            "I'm not moving to Rome after all.",
            "No longer plans: Rome",
        ),
        (
            "I want to buy a van next month.",
            "I'm not buying the van after all.",
            "No longer plans: the van",
        ),
        (
            "Wir fliegen im Mai nach Lissabon.",
            "Wir fliegen doch nicht nach Lissabon.",
            "No longer plans: Lissabon",
        ),
        ("Wir fliegen im Mai nach Lissabon.", "Lissabon fällt aus.", "No longer plans: Lissabon"),
        ("We're flying to Lisbon in May.", "back from Lisbon, was great", "Back from Lisbon"),
        ("We're flying to Lisbon in May.", "Lisbon was wonderful!", "Lisbon was wonderful"),
        ("Wir fliegen im Mai nach Lissabon.", "Zurück aus Lissabon, war toll.", "Zurück aus Lissabon"),
        ("We're getting married in June.", "We got married yesterday!", "Is married"),
        ("I'm going to learn Greek next year.", "I'm learning Greek now.", "Is learning Greek"),
    ],
)
def test_a_plan_that_was_dropped_or_came_true_is_planned_no_longer(
    memory: Memory, plan: str, news: str, shown: str
) -> None:
    say(memory, plan, news)
    beliefs = memory.about().beliefs
    assert not [belief for belief in beliefs if belief.status == "plan"]
    assert [len(belief.replaced) for belief in beliefs if belief.text == shown] == [1]


def test_what_was_done_once_is_not_shown_unless_it_was_planned(memory: Memory) -> None:
    say(memory, "Back from Lisbon, it rained.")
    assert memory.about().beliefs == ()


def test_a_move_that_came_true_is_planned_no_longer(memory: Memory) -> None:
    say(memory, "Wir ziehen im Oktober nach Ulm um.", "Wir wohnen jetzt in Ulm.")
    assert [belief.status for belief in memory.about().beliefs] == ["current"]


def test_a_medicine_that_no_longer_helped_is_taken_no_longer(memory: Memory) -> None:
    say(
        memory,
        "Mein Arzt hat mir Sumatriptan verschrieben.",
        "Sumatriptan hat nicht mehr gewirkt, ich wurde auf Rizatriptan umgestellt.",
    )
    taken = by_attribute(memory, "takes_medicine")
    assert [(one.value, one.status) for one in taken] == [("Rizatriptan", "current"), ("Sumatriptan", "past")]


def test_what_was_read_goes_with_its_text(memory: Memory) -> None:
    (id,) = say(memory, "I'm allergic to peanuts.")
    assert by_attribute(memory, "allergy")
    memory.revise(id, text="I'm allergic to celery.")
    (allergy,) = by_attribute(memory, "allergy")
    assert allergy.value == "celery"
    memory.forget(id)
    assert by_attribute(memory, "allergy") == []
    memory.restore(id)
    assert by_attribute(memory, "allergy")[0].value == "celery"
    memory.forget(id, hard=True)
    assert by_attribute(memory, "allergy") == []


def test_every_text_is_read_once_by_each_version_of_the_rules(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def noted(text: str) -> tuple[Claim, ...]:
        read.append(text)
        return claims_in(text)

    monkeypatch.setattr(reading, "claims_of_message", noted)
    say(memory, "I live in Porto.", "What is a mutex?")
    assert read == []
    first = memory.about()
    assert sorted(read) == ["I live in Porto.", "What is a mutex?"]
    assert memory.about() == first
    assert len(read) == 2
    for module in (about, reading):
        monkeypatch.setattr(module, "RULES", "newer")
    assert memory.about() == first
    assert memory.about() == first
    assert len(read) == 4


def test_an_answer_reads_so_many_texts_the_newest_first(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an import nobody waits for all of them."""
    monkeypatch.setattr(about, "READ_AT_ONCE", 2)
    say(memory, "I live in Porto.", "I work as a nurse.", "I have two cats.", "I drive a Golf.", "I smoke.")
    known, left = [], []
    for _ in range(4):
        found = memory.about()
        known.append(len(found.beliefs))
        left.append(found.unread)
    assert left == [3, 1, 0, 0]
    assert known == sorted(known)
    assert known[0] < known[2] == known[3]
    assert "Porto" in str(memory.about().beliefs)
    assert "Porto" not in str(memory.as_user("ben").about().beliefs)


def test_a_name_is_unknown_only_when_all_was_read(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(about, "READ_AT_ONCE", 1)
    say(memory, "My sister Rita lives in Porto.", "I work as a nurse.", "I drive a Golf.")
    while memory.about("Rita").unread:
        pass
    assert memory.about("Rita").beliefs
    with pytest.raises(NotFound):
        memory.about("Otto")


@pytest.mark.parametrize(
    ("before", "after", "ended"),
    [
        ("I drive a Golf.", "I sold the Golf in spring.", "Drives a Golf"),
        ("I smoke about ten a day.", "I quit smoking in May.", "Smokes"),
        ("I hate olives.", "Turns out I like olives now.", "Does not like olives"),
        ("Ich arbeite bei Bosch.", "Habe bei Bosch gekündigt.", "Works at Bosch"),
        ("I work as a nurse.", "I quit my job last week.", "Works as a nurse"),
        ("I live in Trier.", "We moved out of Trier.", "Lives in Trier"),
    ],
)
def test_what_a_later_message_ends_is_listed_as_replaced(
    memory: Memory, before: str, after: str, ended: str
) -> None:
    say(memory, before, after)
    replaced = [other.text for belief in memory.about().beliefs for other in belief.replaced]
    assert replaced == [ended]
    assert ended not in [belief.text for belief in memory.about().beliefs]


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("I moved to Porto yesterday.", "2025-02-28"),
        ("I moved to Porto two years ago.", "2023"),
        ("I have lived in Porto for three years.", "2022"),
        ("I have lived in Porto since 2019.", "2019"),
    ],
)
def test_a_time_that_was_said_is_shown_as_its_date(memory: Memory, text: str, since: str) -> None:
    say(memory, text)
    (home,) = by_attribute(memory, "lives_in")
    assert home.since == since


def test_what_another_assistant_wrote_without_a_subject_is_believed_and_may_be_contradicted(
    memory: Memory,
) -> None:
    memory.remember("Is allergic to shellfish", kind="fact", origin="import")
    memory.remember("Is a tool for tests", kind="fact")
    (first,) = memory.about().beliefs
    assert (first.attribute, first.value, first.positive) == ("allergy", "shellfish", True)
    say(memory, "I'm not allergic to shellfish.")
    (denied,) = by_attribute(memory, "allergy")
    assert not denied.positive
    assert [(contradict.text, contradict.reason) for contradict in denied.contradicts] == [
        ("Is allergic to shellfish", "somebody else says otherwise")
    ]


@pytest.mark.parametrize(
    ("habit", "end"),
    [
        ("I run three times a week.", "I don't run anymore, the knee got worse."),
        ("I run three times a week.", "I stopped running last month."),
        ("I run three times a week.", "I gave up running because of my knee."),
        ("I go jogging every morning.", "I'm not running anymore."),
        ("I run three times a week.", "Ich laufe nicht mehr."),
        ("Ich jogge jeden Morgen.", "Ich jogge nicht mehr, das Knie macht nicht mit."),
        ("Ich gehe zweimal die Woche schwimmen.", "Mit dem Schwimmen hab ich aufgehört."),
        ("I do yoga on Mondays.", "I don't do yoga anymore."),
        ("I play tennis on Tuesdays.", "Ich spiele kein Tennis mehr."),
        ("I play volleyball on Tuesdays.", "Ich habe mit Volleyball aufgehört."),
        ("I go jogging every morning.", "Ich habe mit dem Rennen aufgehört."),
        ("I sail every weekend.", "Ich habe mit dem Segeln aufgehört."),
    ],
)
def test_what_somebody_has_given_up_is_no_habit_in_whichever_words(
    memory: Memory, habit: str, end: str
) -> None:
    say(memory, habit)
    assert [belief.status for belief in memory.about().group("preferences")] == ["current"]
    say(memory, end, day=2)
    (belief,) = memory.about().group("preferences")
    assert belief.status == "past"
    assert [other.source.quote in habit for other in belief.replaced] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "I don't run anymore if it rains.",
        "My sister doesn't run anymore.",
        "Should I stop running?",
        "My doctor says I shouldn't run anymore.",
        "I can't run anymore today, too tired.",
        "The script I wrote doesn't run anymore.",
        "I don't run marathons anymore.",
    ],
)
def test_a_habit_goes_on_unless_its_author_says_that_it_is_over(memory: Memory, text: str) -> None:
    say(memory, "I run three times a week.", text)
    assert "Run three times a week" in [b.text for b in memory.about().beliefs if b.status == "current"]


@pytest.mark.parametrize(
    ("habit", "end"),
    [
        ("I ride my bike every day.", "I don't ride anymore."),
        ("I bake bread every Sunday.", "I don't bake anymore."),
    ],
)
def test_a_bare_verb_ends_no_habit_that_has_an_object(memory: Memory, habit: str, end: str) -> None:
    say(memory, habit)
    (before,) = memory.about().group("preferences")
    say(memory, end, day=2)
    assert (before.text, "current") in [(b.text, b.status) for b in memory.about().beliefs]
