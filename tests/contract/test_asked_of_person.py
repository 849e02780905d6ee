"""Questions about oneself, which `ask` answers from what `about` shows."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast import Memory
from holdfast.features.facts import talk
from holdfast.language.claims.asking import asked_of_person
from holdfast.stores.sql import reader
from holdfast.stores.sql.columns import memory_of


@pytest.fixture
def told(memory: Memory) -> Memory:
    """A memory of two conversations, one of them in a project."""
    memory.projects.create("shop")
    first = "Hi! I live in Leipzig and I'm allergic to peanuts. We have a dog named Bello."
    memory.add_messages([{"role": "user", "content": first, "at": "2025-01-07"}], session="one")
    later = [
        {"role": "user", "content": "Actually, I moved to Braga.", "at": "2025-03-02"},
        {"role": "assistant", "content": "You work at Initech."},
    ]
    memory.add_messages(later, session="two", project="shop")
    return memory


def test_what_somebody_asks_of_themself_is_answered_by_what_about_shows(told: Memory) -> None:
    answer = told.ask("Do you know where I live?")
    assert answer.used_facts
    assert answer.text.startswith(
        "Lives in Braga (before: Lives in Leipzig (person, 2025-01-07)). [M1] (person, "
    )
    (hit,) = answer.hits
    (belief,) = told.about().group("places")
    assert (hit.citation, hit.memory.id) == ("[M1]", belief.id)
    assert told.ask("Wo wohne ich gerade?").text == answer.text
    assert told.ask("What am I allergic to?").text.startswith("Is allergic to peanuts. [M1]")
    assert told.ask("Am I allergic to peanuts?").text.startswith("Yes. Is allergic to peanuts. [M1]")
    assert told.ask("What is my dog's name?").text.startswith("Pet: a dog named Bello.")
    told.forget(hit.memory.id)
    assert told.ask("Where do I live?").text.startswith("Lives in Leipzig. [M1]")


@pytest.mark.parametrize(
    "question",
    [
        "Where do I work?",
        "Am I allergic to cats?",
        "What's my cat's name?",
        "Where did I live before?",
        "Where do we live?",
    ],
)
def test_what_no_statement_answers_is_left_to_recall(told: Memory, question: str) -> None:
    answer = told.ask(question)
    assert not answer.used_facts
    assert answer.label is None


def test_without_personal_notes_only_what_was_said_in_projects_answers(told: Memory) -> None:
    assert told.ask("where do I live?", personal=False).text.startswith("Lives in Braga. [M1]")
    assert not told.ask("what am I allergic to?", personal=False).used_facts


@pytest.mark.parametrize(
    ("question", "attribute"),
    [
        ("where do i live now?", "lives_in"),
        ("In which city do I live?", "lives_in"),
        ("Sag mal, wo wohne ich?", "lives_in"),
        ("Who do I work for?", "employer"),
        ("what’s my job?", "works_as"),
        ("what do I do for a living", "works_as"),
        ("Wie heiße ich?", "name"),
        ("how old am I", "age"),
        ("Who is my wife?", "spouse"),
        ("Wie heißt meine Frau?", "spouse"),
        ("how many kids do I have?", "child"),
        ("habe ich eine Allergie?", "allergy"),
        ("Do I smoke?", "smokes"),
        ("what car do I drive?", "drives"),
        ("which languages do I speak?", "speaks"),
        ("what are my plans?", "plan"),
        ("where does my brother live?", None),
        ("where do I live in the novel?", None),
        ("where do we live?", None),
        ("where do I live? And what is the rent there?", None),
        ("what is my name badge number?", None),
        ("how do I work with git?", None),
        ("what do I do?", None),
        ("who is my wife's doctor?", None),
        ("where did I live in 2019?", None),
        ("what should I eat?", None),
    ],
)
def test_a_question_is_read_as_a_whole(question: str, attribute: str | None) -> None:
    asked = asked_of_person(question)
    assert (asked.attributes[0] if asked else None) == attribute


@pytest.mark.parametrize(
    ("said", "answers"),
    [
        ("I'm vegan", {"am I vegan?": "Yes", "am I vegetarian?": "Yes", "do I eat meat?": "No",
                       "do I eat pasta?": ""}),
        ("I don't eat meat", {"am I vegan?": "", "do I eat meat?": "No", "am I vegetarian?": ""}),
        ("I eat fish", {"am I vegan?": "No", "do I eat meat?": "", "do I eat fish?": "Yes"}),
        ("I'm not vegetarian anymore", {"am I vegetarian?": "No"}),
        ("Ich bin Vegetarier", {"bin ich Vegetarier?": "Yes", "esse ich Fleisch?": "No"}),
        ("Ich bin kein Vegetarier", {"Bin ich Vegetarier?": "No"}),
        ("I'm a non-smoker", {"do I smoke?": "No", "am I a smoker?": "No", "am I a non-smoker?": "Yes"}),
        ("I quit smoking in 2020", {"do I smoke?": "No"}),
        ("I'm married to Lena", {"am I married?": "Yes", "am I single?": "No", "do I have a wife?": ""}),
        ("I got divorced last year", {"am I married?": "No", "am I divorced?": "Yes"}),
        ("I have a dog named Bello", {"have I got a dog?": "Yes", "do I have a cat?": "",
                                      "do I have any pets?": "Yes", "habe ich einen Hund?": "Yes"}),
        ("I don't have any pets", {"have I got a dog?": "No"}),
        ("I don't have a dog", {"do I have a dog?": "No", "do I have pets?": ""}),
        ("I have no allergies", {"am I allergic to nuts?": "No", "do I have any allergies?": "No"}),
        ("I don't eat raw fish", {"do I eat fish?": "", "do I eat raw fish?": "No"}),
        ("I'm an only child", {"do I have a brother?": "No"}),
        ("I don't drink", {"do I drink alcohol?": "No"}),
        ("I don't like olives", {"do I like olives?": "No", "do I like it?": ""}),
    ],
)  # fmt: skip
def test_a_question_of_yes_or_no_is_answered_by_what_was_said_of_that(
    memory: Memory, said: str, answers: dict[str, str]
) -> None:
    """Where nothing was said of it, recall answers."""
    memory.add_messages([{"role": "user", "content": said}], session="one")
    told = {question: memory.ask(question) for question in answers}
    assert {
        question: answer.text.partition(".")[0] if answer.used_facts else ""
        for question, answer in told.items()
    } == answers


@pytest.mark.parametrize(
    ("said", "question", "answer"),
    [
        ("I can't stand coriander", "What foods do I hate?", "Does not like coriander."),
        ("Ich hasse Koriander", "Was mag ich nicht?", "Does not like Koriander."),
        ("I love jazz", "What do I like?", "Likes jazz."),
        ("I have type 2 diabetes", "What conditions do I have?", "Has type 2 diabetes."),
        ("Ich bin Jana Berg und wohne in Köln", "Wie heiße ich?", "Name: Jana Berg."),
        ("My name is Jana", "Do you know my name?", "Name: Jana."),
        ("My favourite film is Alien", "What's my favourite movie?", "Your favourite movie is **Alien**."),
    ],
)
def test_more_is_asked_of_oneself(memory: Memory, said: str, question: str, answer: str) -> None:
    memory.add_messages([{"role": "user", "content": said}], session="one")
    assert memory.ask(question, session="one").text.startswith(answer)


def test_what_was_said_both_ways_is_not_decided(memory: Memory) -> None:
    memory.add_messages([{"role": "user", "content": "I'm vegan. I eat fish."}], session="one")
    answer = memory.ask("am I vegan?")
    assert (answer.clarification, answer.used_facts) == (True, False)
    assert answer.text.startswith("That is not clear:\nDiet: vegan. [M1]")
    assert "Eats fish." in answer.text


def test_a_belief_that_only_repeats_the_question_is_no_answer(memory: Memory) -> None:
    memory.add_messages([{"role": "user", "content": "I take care of my kids. I have a dog."}], session="one")
    assert not memory.ask("What are my kids called?").used_facts
    assert not memory.ask("What is my dog's name?").used_facts
    assert memory.ask("Which pets do I have?").used_facts
    assert memory.ask("Do I have kids?").text.startswith("Yes.")


def test_work_is_answered_from_all_that_is_said_of_it_the_newest_first(memory: Memory) -> None:
    said = {
        "2025-02-03": "I've been working as a baker at Brotzeit for three years.",
        "2025-05-04": "I got the job at Kornblume!",
    }
    for day, text in said.items():
        memory.add_messages([{"role": "user", "content": text, "at": day}], session="one")
    for question in ("What's my job?", "where do I work?", "Wo arbeite ich?"):
        newest, before = memory.ask(question).text.splitlines()
        assert newest.startswith("Got the job at Kornblume. [M1]")
        assert newest.endswith("2025-05-04)")
        assert before.startswith("Works as a baker at Brotzeit (since 2022). [M2]")
    got = next(belief for belief in memory.about().beliefs if "Kornblume" in belief.text)
    memory.correct(got.id, "Works as a pastry chef at Kornblume")
    for question in ("what do I do for a living?", "who do I work for?"):
        first, *others = memory.ask(question).text.splitlines()
        assert first.startswith("Works as a pastry chef at Kornblume (before: ")
        assert not any("Got the job" in other for other in others)


def test_a_place_of_work_is_no_profession(memory: Memory) -> None:
    memory.add_messages([{"role": "user", "content": "I work as a nurse."}], session="one")
    assert not memory.ask("where do I work?").used_facts
    assert memory.ask("what is my profession?").text.startswith("Works as a nurse.")


@pytest.mark.parametrize(
    ("said", "answers"),
    [
        ("I paint every weekend.", {"which sports do I play?": "", "do I paint?": "Yes. Paint every"}),
        ("I play badminton every Friday.", {"what sport do I do?": "Play badminton",
                                            "Welchen Sport treibe ich?": "Play badminton",
                                            "which instruments do I play?": ""}),
        ("I play the theorbo.", {"which instrument do I play?": "Plays the theorbo",
                                 "what sports do I do?": ""}),
        ("I'm learning Swedish.", {"which languages am I learning?": "Is learning Swedish",
                                   "welche Sprache lerne ich?": "Is learning Swedish",
                                   "what instrument am I learning?": ""}),
        ("I don't have a bike.", {"have I got a bike?": "No. Has no bike", "do I have a car?": ""}),
        ("Ich habe kein Auto.", {"Habe ich ein Auto?": "No. Has no Auto"}),
        ("I have a bike lock.", {"do I have a bike?": "", "do I have a bike lock?": "Yes. Has a bike lock"}),
        ("I have a cottage without a cellar.", {"do I have a cellar?": "", "do I have a cottage?": "Yes"}),
        ("Ich habe ein Ferienhaus ohne Keller.", {"habe ich einen Keller?": "",
                                                 "habe ich ein Ferienhaus?": "Yes"}),
        ("I have a bike with no bell.", {"do I have a bell?": "", "do I have a bike?": "Yes"}),
        ("I have a rack for a canoe.", {"do I have a canoe?": ""}),
        ("I have a tent and a red canoe.", {"do I have a canoe?": "Yes", "do I have a tent?": "Yes"}),
        ("I drive my uncle's van.", {"do I have a van?": ""}),
        ("I have my uncle's van.", {"do I have a van?": ""}),
        ("I sprained my ankle in May.", {"do I have an ankle?": ""}),
        ("I have psoriasis.", {"do I have psoriasis?": "Yes. Has psoriasis"}),
        ("I switched from Emacs to Helix.", {"what text editor do I use?": "Uses Helix",
                                             "Welchen Editor benutze ich?": "Uses Helix",
                                             "which browser do I use?": ""}),
        ("I'm planning a trip to Norway in August.", {
            "what plans do I have for August?": "Plans: a trip to Norway in August",
            "Was habe ich im August vor?": "Plans: a trip to Norway in August",
            "do I have any plans for August?": "Plans: a trip to Norway in August",
            "what plans do I have?": "Plans: a trip to Norway in August",
            "what are my plans for May?": ""}),
        ("I don't use Firefox.", {"which browser do I use?": ""}),
        ("I use Emacs for Rust.", {"which rust do I use?": "", "which editor do I use?": "Uses Emacs"}),
        ("I play tennis and the piano.", {"which instruments do I play?": "Play tennis and the piano",
                                          "what sports do I do?": "Play tennis and the piano"}),
        ("My hobby is reading about rugby.", {"what sports do I do?": ""}),
        ("My hobby is watching tennis.", {"what sports do I do?": ""}),
        ("I swim twice a week.", {"do I swim?": "Yes. Swim twice a week", "do I ski?": ""}),
        ("I don't jog in winter.", {"do I jog?": ""}),
        ("I never cook on weekdays.", {"do I cook?": ""}),
        ("Ich schwimme nie im Meer.", {"schwimme ich?": ""}),
        ("On Mondays I don't cook.", {"do I cook?": ""}),
        ("Ich jogge jeden Morgen.", {"jogge ich noch?": "Yes. Jogge", "schwimme ich?": ""}),
    ],
)  # fmt: skip
def test_an_answer_has_what_was_asked_for_as_its_subject(
    memory: Memory, said: str, answers: dict[str, str]
) -> None:
    memory.add_messages([{"role": "user", "content": said}], session="one")
    for question, answer in answers.items():
        given = memory.ask(question)
        assert given.used_facts is bool(answer), (question, given.text)
        assert not answer or given.text.startswith(answer), (question, given.text)


def test_what_somebody_does_no_longer_is_not_affirmed(memory: Memory) -> None:
    messages = [
        {"role": "user", "content": "I run three times a week.", "at": "2025-01-07"},
        {"role": "user", "content": "I don't run anymore.", "at": "2025-03-02"},
    ]
    memory.add_messages(messages[:1], session="one")
    assert memory.ask("Do I run?").text.startswith("Yes. Run three times a week.")
    memory.add_messages(messages[1:], session="two")
    assert memory.ask("Do I run?").text.startswith("No. Formerly: run (before: Run three times a week")


@pytest.fixture
def summer(memory: Memory) -> Memory:
    """A memory of three conversations in three months."""
    for at, text in (
        ("2024-05-20", "The reseller signs on Friday."),
        ("2024-07-03", "Help me plan the wedding in Aachen."),
        ("2024-07-18", "Any campsites near Bled?"),
        ("2024-08-02", "How do I clean the tent?"),
    ):
        messages = [
            {"role": "user", "content": text, "at": at},
            {"role": "assistant", "content": "Gladly.", "at": at},
        ]
        memory.add_messages(messages, session=at)
    return memory


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What did we talk about in July?", ["2024-07-18", "2024-07-03"]),
        ("Worüber haben wir im Juli gesprochen?", ["2024-07-18", "2024-07-03"]),
        ("In July 2024, what did I tell you?", ["2024-07-18", "2024-07-03"]),
        (
            "Can you tell me what we discussed in the summer of 2024?",
            ["2024-08-02", "2024-07-18", "2024-07-03"],
        ),
        ("Was habe ich am 3. Juli 2024 gesagt?", ["2024-07-03"]),
        ("What topics did we discuss in August 2024?", ["2024-08-02"]),
        ("What did I say about the wedding in July 2024?", ["2024-07-03"]),
        ("Was habe ich im Juli 2024 über die Hochzeit in Aachen gesagt?", ["2024-07-03"]),
    ],
)
def test_what_was_said_at_a_time_is_answered_from_that_time_alone(
    summer: Memory, question: str, said: list[str]
) -> None:
    answer = summer.ask(question)
    days = [hit.memory.as_dict()["at"][:10] for hit in answer.hits if hit.memory.role == "user"]
    assert days[: len(said)] == said
    assert {day[:7] for day in days} <= {day[:7] for day in said}
    assert f"[M1] (person, {said[0]})" in answer.text


def test_that_nothing_was_said_at_a_time_is_said_plainly(summer: Memory) -> None:
    answer = summer.ask("What did we talk about in 2019?")
    assert (answer.fact_not_found, list(answer.hits)) == (True, [])
    assert answer.text == "Nothing is stored that was said from 2019-01-01 to 2019-12-31."


@pytest.mark.parametrize(
    "question",
    [
        "What happened in July?",
        "What did my sister say in July?",
        "Was habe ich im Juli gekauft?",
        "How do I say July in German?",
    ],
)
def test_a_question_about_what_was_so_is_not_one_about_what_was_said(summer: Memory, question: str) -> None:
    assert not summer.ask(question).text.startswith(("Said", "Nothing is stored", "Nothing about it"))


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("What did I say about my holiday in August?", "For my holiday in Crete I need a ferry."),
        ("Was habe ich über den Urlaub im August gesagt?", "Den Urlaub plane ich noch."),
        ("What did I write about the 2024 budget?", "The 2024 budget stays under 90,000."),
        ("What did we discuss about the May release in June?", "The release slips by a week."),
    ],
)
def test_a_time_that_belongs_to_the_matter_hides_nothing_said_at_another(
    summer: Memory, question: str, best: str
) -> None:
    for at, text in (
        ("2023-11-12", "The 2024 budget stays under 90,000."),
        ("2025-05-06", "The parser is too slow."),
        ("2025-06-03", "For my holiday in Crete I need a ferry."),
        ("2025-06-05", "Den Urlaub plane ich noch."),
        ("2025-06-09", "The release slips by a week."),
        ("2025-08-12", "Mend my bike."),
    ):
        summer.add_messages([{"role": "user", "content": text, "at": at}], session=at)
    assert best in [hit.memory.text for hit in summer.ask(question).hits]


@pytest.mark.parametrize("page", [2, 5, 1_000])
def test_of_many_conversations_the_latest_are_read_from_the_end(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, page: int
) -> None:
    for month in range(1, 13):
        at = [f"2024-{month:02}-{day:02}" for day in (3, 9)]
        texts = [("assistant", "Welcome."), ("user", f"Start {month}."), ("user", f"End {month}.")]
        messages = [{"role": role, "content": text, "at": at[text.startswith("End")]} for role, text in texts]
        memory.add_messages(messages, session=str(13 - month))
    read: list[object] = []

    def counted(row: tuple[Any, ...]) -> object:
        read.append(row)
        return memory_of(row)

    monkeypatch.setattr(reader, "memory_of", counted)
    monkeypatch.setattr(talk, "PAGE", page)
    answer = memory.ask("What did we talk about in 2024?", limit=2)
    assert [hit.memory.text for hit in answer.hits] == ["Start 12.", "Start 11."]
    assert answer.text.endswith("\n… and more before")
    assert page == 1_000 or len(read) < 36
    whole = memory.ask("What did we talk about in 2024?", limit=20)
    assert [hit.memory.text for hit in whole.hits] == [f"Start {month}." for month in range(12, 0, -1)]
    assert "more before" not in whole.text


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What are my cats called?", {"Miso"}),
        ("What are the names of my cats?", {"Miso"}),
        ("Wie heißen meine Katzen?", {"Miso"}),
        ("What is my dog's name?", {"Bello"}),
        ("Wie heißt mein Hund?", {"Bello"}),
        ("What are my pets called?", {"Miso", "Bello"}),
        ("Wie heißen meine Haustiere?", {"Miso", "Bello"}),
        ("What are my horses called?", set()),
    ],
)
def test_pets_are_named_by_their_species_in_either_language(
    memory: Memory, question: str, named: set[str]
) -> None:
    said = ["We have two cats (Miso and Pixel).", "Ich habe einen Hund (Bello)."]
    memory.add_messages([{"role": "user", "content": text} for text in said], session="one")
    answer = memory.ask(question)
    assert answer.used_facts == bool(named)
    if named:
        assert {name for name in ("Miso", "Bello") if name in answer.text} == named


@pytest.fixture
def of_others(memory: Memory) -> Memory:
    """A memory of what somebody said of people by name, and an assistant of one more."""
    said = (
        "My friend Tobias is allergic to nuts.",
        "I told Tobias that I work at night.",
        "My sister Lise lives in Bruges.",
        "My brother Jonas works at Siemens in Munich.",
        "Jonas is 34 and likes tea.",
        "Klara ist Krankenschwester in Ulm.",
        "I talked to Bruno yesterday. Bruno, could you call me?",
        "Does Emil live in Bonn?",
    )
    messages = [
        {"role": "user", "content": text, "at": f"2025-01-{day:02}"} for day, text in enumerate(said, 1)
    ]
    memory.add_messages([*messages, {"role": "assistant", "content": "Zoe is a pilot."}], session="one")
    return memory


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("who is Tobias?", "My friend Tobias is allergic to nuts. [M1] (person, 2025-01-01)"),
        ("Wer ist Lise?", "Sister Lise: lives in Bruges. [M1] (person, 2025-01-03)"),
        ("where does Lise live?", "Sister Lise: lives in Bruges. [M1] (person, 2025-01-03)"),
        ("Where does Jonas work?", "Brother Jonas: works at Siemens in Munich. [M1] (person, 2025-01-04)"),
        ("how old is Jonas?", "Jonas is 34 and likes tea. [M1] (person, 2025-01-05)"),
        ("Was macht Klara beruflich?", "Klara ist Krankenschwester in Ulm. [M1] (person, 2025-01-06)"),
    ],
)
def test_what_is_asked_of_somebody_with_a_name_is_answered_by_what_is_known_of_them(
    of_others: Memory, question: str, answer: str
) -> None:
    result = of_others.ask(question)
    assert result.used_facts
    assert result.text.splitlines()[0] == answer
    assert result.hits[0].citation == "[M1]"


@pytest.mark.parametrize(
    "question",
    [
        "where does Tobias work?",
        "where does Jonas live?",
        "where does Emil live?",
        "who is Tobias's boss?",
        "who is responsible for Lise?",
        "who is Bruno?",
        "who is Zoe?",
        "who is Barbara?",
    ],
)
def test_of_somebody_with_a_name_nothing_else_answers(of_others: Memory, question: str) -> None:
    assert of_others.ask(question).label is None


def test_somebody_of_personal_notes_is_not_known_without_them(of_others: Memory) -> None:
    assert not of_others.ask("who is Tobias?", personal=False).used_facts
    (hit,) = of_others.ask("who is Tobias?").hits
    of_others.forget(hit.memory.id)
    assert not of_others.ask("who is Tobias?").used_facts
