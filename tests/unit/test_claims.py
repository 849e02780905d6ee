"""The grammar of what people say about themselves: what is read, and what is no statement."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.claims import PLAN
from holdfast.language.claims.lexicon import KIN
from holdfast.language.claims.read import claims_in
from tests.cases import each

READ = [
    ("Mein Arzt hat mir Sumatriptan 50 mg verschrieben.", {("takes_medicine", "Sumatriptan 50 mg")}),
    ("Ich wurde auf Rizatriptan umgestellt, 10 mg.", {("takes_medicine", "Rizatriptan")}),
    ("Dr. Fink hat mir jetzt Erenumab als Spritze gegeben.", {("takes_medicine", "Erenumab")}),
    ("Ich habe am 17. November Geburtstag.", {("birthday", "17. November")}),
    ("My doctor put me on ramipril.", {("takes_medicine", "ramipril")}),
    ("Ich fahre einen gebrauchten VW ID.3.", {("drives", "einen gebrauchten VW ID.3")}),
    ("Ich trinke morgens zwei Espresso und finde Filter furchtbar.", {("drinks", "zwei Espresso")}),
    (
        "Meine Tochter Mia ist 9 und mein Sohn Jo ist 6.",
        {("child", "Tochter Mia (9)"), ("child", "Sohn Jo (6)")},
    ),
    ("Wir ziehen im Mai nach Ulm um, in ein Reihenhaus.", {("plan_move", "nach Ulm")}),
    ("I moved to Tartu in 2021 and work as a nurse.", {("lives_in", "Tartu"), ("works_as", "a nurse")}),
    ('Never use the word "holistic".', {("instruction", 'Never use the word "holistic"')}),
    ("I tore my meniscus skiing in Oberstdorf.", {("injury", "meniscus")}),
    ("Recently divorced, two kids.", {("marital_status", "divorced"), ("child", "two kids")}),
    ("Bin seit drei Jahren single.", {("marital_status", "single")}),
    ("Meine Mutter bekommt am 12. Mai ein Knie.", {("kin_fact", "bekommt am 12. Mai ein Knie")}),
    ("We have two kids and a dog.", {("child", "two kids"), ("pet", "a dog")}),
    ("I take sertraline every morning.", {("takes_medicine", "sertraline every morning")}),
    ("I'd like to visit Japan next spring.", {("plan_travel", "visit Japan next spring")}),
    ("We live on the fifth floor.", {("housing", "on the fifth floor")}),
    ("I'm up in Aberdeen.", {("lives_in", "Aberdeen")}),
    ("I've been their bookkeeper for ten years.", {("works_as", "bookkeeper")}),
    ("I take the C1 exam in June.", {("plan_study", "the C1 exam in June")}),
    ("Ich ziehe zum 1. März nach Ulm.", {("plan_move", "nach Ulm")}),
    ("Wir sind seit drei Jahren zusammen.", {("partner", "seit drei Jahren zusammen")}),
    ("Ich bin 34, zwei Kinder, Sport.", {("age", "34"), ("child", "zwei Kinder")}),
    ("Please never use emojis.", {("instruction", "never use emojis")}),
    ("I'm vegan, any ideas for dinner?", {("diet", "vegan")}),
    ("Seit März bin ich Vegetarierin.", {("diet", "Vegetarierin")}),
    ("Ich kann Koriander nicht ausstehen.", {("dislikes", "Koriander")}),
    (
        "Nurse, 34, two kids, Leeds.",
        {("works_as", "Nurse"), ("age", "34"), ("child", "two kids"), ("lives_in", "Leeds")},
    ),
    ("Tja, verwitwet seit zwei Jahren.", {("marital_status", "verwitwet")}),
    ("34, zwei Kinder, Kassel.", {("age", "34"), ("child", "zwei Kinder"), ("lives_in", "Kassel")}),
    ("My aunts live in Bari and I miss them.", {("kin_fact", "live in Bari")}),
    ("I live with my girlfriend in Utrecht.", {("lives_in", "Utrecht"), ("partner", "girlfriend")}),
    ("Wir ernähren uns vegan.", {("diet", "vegan")}),
    ("Ich spiele seit meiner Kindheit Geige.", {("plays", "Geige")}),
    ("I'm Turkish.", {("nationality", "Turkish")}),
    ("Crowds stress me out.", {("dislikes", "Crowds")}),
    ("In May I started a new job at Bosch.", {("employer", "Bosch")}),
    ("Turns out I like olives now.", {("likes", "olives")}),
    ("We're off to Madeira in May, packing list?", {("plan_travel", "Madeira")}),
    ("I want to go to Iceland next summer.", {("plan_travel", "go to Iceland next summer")}),
    ("I'm thinking of moving to Berlin.", {("plan_move", "moving to Berlin")}),
    (
        "Whenever I paste code, review it for security first.",
        {("instruction", "review it for security first")},
    ),
    ("Ausrufezeichen kannst du dir sparen.", {("instruction", "Ausrufezeichen kannst du dir sparen")}),
    ("I live in St. Gallen. It rains.", {("lives_in", "St. Gallen")}),
    ("I work for Dr. Brandt in Kent.", {("employer", "Dr. Brandt in Kent")}),
    ("My partner Ola, 3 to 9 May in Riga?", {("partner", "partner Ola")}),
    ("Meine Tochter Ida, 12, reitet.", {("child", "Tochter Ida (12)")}),
    ("Seville has been home since May.", {("lives_in", "Seville")}),
    ("Nordwerk hat mich eingestellt.", {("employer", "Nordwerk")}),
    ("Tilly is our hamster, and she bites.", {("pet", "hamster Tilly")}),
    ("my sister fenna is visiting", {("sibling", "sister fenna")}),
    ("Suggest a play, but opera is not for me.", {("dislikes", "opera")}),
    ("Durian? No thanks.", {("dislikes", "Durian")}),
    ("My pet hate is jargon.", {("dislikes", "jargon")}),
    ("I want to write a novel next year.", {("plan", "write a novel next year")}),
    ("Ich habe vor, ein Kajak zu bauen.", {("plan", "ein Kajak zu bauen")}),
    ("Meine Allergie gegen Pollen macht mir zu schaffen.", {("allergy", "Pollen")}),
    ("We rented a narrow house in Ghent.", {("housing", "a narrow house in Ghent")}),
    ("I strongly dislike olives.", {("dislikes", "olives")}),
    ("I'm a dog person.", {("likes", "dog")}),
    ("I like pop music, try the new album.", {("likes", "pop music")}),
    ("I love it really hot.", {("likes", "really hot")}),
    ("I sold my car, I live in Bath so why bother.", {("owns", "my car"), ("lives_in", "Bath")}),
    ("My mum, she's 70, hates gadgets.", {("kin_fact", "70"), ("kin_fact", "hates gadgets")}),
    (
        "My sister in law is vegan. She speaks Dutch.",
        {("kin_fact", "is vegan"), ("kin_fact", "speaks Dutch")},
    ),
    ("Ich kann gut Noten lesen.", {("can", "gut Noten lesen")}),
    ("I am sixty-two years of age.", {("age", "sixty-two")}),
    ("Ich bin neunundfünfzig.", {("age", "neunundfünfzig")}),
    ("Latvian is my first language.", {("speaks", "Latvian")}),
    ("I was a cooper for twelve years.", {("works_as", "cooper")}),
    ("We fly to Oslo on the 3rd.", {("plan_travel", "fly to Oslo on the 3rd")}),
    ("Capers I can't stand.", {("dislikes", "Capers")}),
    ("I find karaoke unbearable.", {("dislikes", "karaoke")}),
    ("My absolute favourite is Catan.", {("favourite", "Catan")}),
    ("been a Genoa fan since i was six", {("fan_of", "Genoa")}),
    ("Ich bin Maurer und kein Redner.", {("works_as", "Maurer")}),
    ("Ich habe Gicht und im Haus gibt es keinen Lift.", {("condition", "Gicht")}),
    ("my son cant have nuts", {("kin_fact", "cant have nuts")}),
    ("My allergies: 1) peanuts 2) eggs", {("allergy", "peanuts, eggs")}),
    ("Allergies:\n- peanuts\n- eggs", {("allergy", "peanuts, eggs")}),
    ("I'm living in Leeds with my husband Tom lol", {("lives_in", "Leeds"), ("spouse", "husband Tom")}),
    ("My birthday is on 3 March, I'm turning 40 🎉", {("birthday", "3 March"), ("age", "turning 40")}),
    ("I like the director Brad Bird he does a good job", {("likes", "the director Brad Bird")}),
    ("I enjoy poetry and walking is one of my hobbies.", {("likes", "poetry")}),
    ("Ich bin Erzieher und hänge es in der Gruppe auf.", {("works_as", "Erzieher")}),
    ("I'm no longer a nurse.", {("works_as", "nurse")}),
    ("I quit my job last week.", {("left", "quit my job")}),
    ("Wir sind aus Trier weggezogen.", {("moved_out", "aus Trier weggezogen")}),
    ("Mir wurde gekündigt.", {("unemployed", "gekündigt")}),
    ("Ich habe mich von Ines getrennt.", {("marital_status", "von Ines getrennt")}),
    ("Wohne in Kassel, verheiratet.", {("lives_in", "Kassel"), ("marital_status", "verheiratet")}),
]


@each("text, expected", READ)
def test_everyday_words_are_read_with_their_quotation(text: str, expected: set[tuple[str, str]]) -> None:
    claims = claims_in(text)
    assert {(claim.attribute, claim.value) for claim in claims} == expected
    assert all(claim.value.split()[0].rstrip(",") in text[claim.start : claim.end] for claim in claims)


def test_the_next_sentence_names_a_pet() -> None:
    for text, pets in (
        ("Wir haben einen Hund! Er heißt Balu.", ["einen Hund", "Hund Balu"]),
        ("We have a cat. She is called Mog.", ["a cat", "cat Mog"]),
        ("We have a cat. Who is called Mog?", ["a cat"]),
    ):
        assert [one.value for one in claims_in(text) if one.attribute == "pet"] == pets


@each(
    "text, status, positive",
    [
        ("I used to live in Porto.", "past", True),
        ("I no longer eat meat.", "current", False),
        ("I don't own a car.", "current", False),
        ("I got rid of my car.", "past", True),
        ("We haven't got a car.", "current", False),
        ("I was a cooper for twelve years.", "past", True),
        ("We fly to Oslo on the 3rd.", "plan", True),
        ("Ich esse kein Fleisch mehr.", "current", False),
        ("We're moving to Antwerp in June.", "plan", True),
        ("Sumatriptan hat nicht mehr gewirkt.", "past", False),
        ("I stopped taking sertraline.", "past", False),
        ("We called off our plan to buy a boat.", "past", False),
        ("Ich will doch nicht mehr auswandern.", "past", False),
        ("It's over between Ada and me.", "past", False),
    ],
)
def test_endings_denials_and_plans_are_told_apart(text: str, status: str, positive: bool) -> None:
    assert [(one.status, one.positive) for one in claims_in(text)] == [(status, positive)]


@each(
    "text",
    [
        "Do I live in Rome?",
        "Meine Klientin Frau Albrecht hat ein neues Kniegelenk.",
        "Herr Öztürk, 58, Bandscheibenvorfall, konservativ.",
        "Mr Hill, 58, diabetic, two kids.",
        "Patientin, 63, Bluthochdruck, zwei Kinder.",
        "Ich habe einen Termin bei Dr. Weinreich, Zahnarzt in Ulm.",
        "Wir haben auf LED umgestellt.",
        "We rented two kayaks and a van for the weekend.",
        "Can the peel go in? I hate wasting it.",
        "I concentrate better on days when it rains.",
        "Friday is our first evening there.",
        "I work for myself.",
        "I quit.",
        "Ich bin aus der Kirche ausgetreten.",
        "I live in denial.",
        "I left Netflix on all night.",
        "I am 250 years old.",
        "I like something around there.",
        "Have a great evening.",
        "Thursday is too soon for me.",
        "I'll have a latte.",
        "I grew up with comics.",
        "I prefer another event.",
        "I want to move two hundred dollars.",
        "Sure. I prefer Wolves vs Bears on March 12th.",
        "I've moved onto chapter two.",
        "I possess 4 vehicles that may fit.",
        "Team so far: me, Bo on sound, Ines half-time on lights.",
        "Maybe I live in Rome next year.",
        "Wir ziehen womöglich nach Rom.",
        "My teacher is strict, I have a job and a plant to water.",
        "If I had a dog, I would call him Biscuit.",
        "Write a short story in first person: I live on a lighthouse.",
        'He said "I work for NASA" and left.',
        "Translate: I have been living in Rome for two years.",
        "I'm a billionaire with six yachts. Just kidding!",
        "I need a recipe for tonight. I have a question about decorators.",
        "I love it, thanks! I will try it tomorrow.",
        "Schreib eine Geschichte: Ich bin ein Ritter und wohne in einer Burg.",
        "Ich will wissen, wie das geht.",
        "Work in the project folder, use ruff, and don't touch main.",
        "Keep the cold path fast; run my code through the linter.",
        "I have three files and I'm trying to get my code to compile.",
        "Read the names of the package once.",
        "I'd like to order a mocha and two tickets, please.",
        "We moved to Postgres last year.",
        "I moved the parser to its own module.",
        "I almost bought a Tesla.",
        "The customer wrote: I live in Graz and my dog is ill.",
        "Wir sind letzten Monat auf Postgres umgezogen.",
        "He works at Siemens.",
        "I want to go to Fresno on the 10th, please.",
        "I would like to travel Premium Economy.",
        "I like to check in on 2nd of March.",
        "I want you to find me a hotel that I can cancel when I like.",
        "I have a Delta Airlines flight that leaves at 10:05 pm.",
        "I respect his talent.",
        "My hands hurt.",
        "I'm thinking of moving the file to src.",
        "There are 32 of them to choose from.",
        "No single transaction covers both.",
        "Anna Schmidt, known as Anni, lives in Graz.",
        "Bob, married to Eve, works at a bank.",
        "Peter Berg, geboren in Graz, arbeitet als Pfleger.",
        "Translate: 'My brother lives in Rome.' into English",
        "Can you rewrite my CV? Experience: see below",
        "If we lived by the sea, I'd be swimming every day.",
        "Say I'm 30 and have no kids.",
        "It is for a friend who used to be a librarian.",
        "Joining a choir can help. Dance floors help avoid injuries.",
        "Right, Assistant. Sure, Alba is a dentist in Ely.",
        "We last spoke in May and I explicitly requested the list.",
        "Yes, my brother, I'm ready to move forward.",
        "I found a hotel with a queue that takes 30 ms.",
        "[10:02] Anna Keller: I live in Rome.\n[10:03] Tom: I work as a nurse.",
        "I'm basically married to my laptop.",
        "I'm in Oslo for two days, what to see?",
        "why does my bread stay flat?",
        "my diet is coffee and despair",
        "Ich bin Kommissar Falk und hasse Kaffee.",
        "There is no oven in my flat.",
        "I'm a fan of it.",
        "CSV export, semicolon separated",
        "The columns are long, separated by commas.",
        "We stay with the TK for the kids.",
        "I feel at home in Findorff.",
        "Our partner sent the invoice.",
        "A dinner for eight, vegetarian for Britta.",
        "I was never prescribed sertraline.",
        "My doctor hasn't prescribed me sertraline yet.",
        "Nobody prescribed me ibuprofen.",
        "I was nearly switched to candesartan.",
        "I haven't stopped taking ibuprofen.",
        "Mir wurde kein Ibuprofen verschrieben.",
        "Der Arzt hat mir nie Sertralin verschrieben.",
        "Ich habe Ibuprofen nicht abgesetzt.",
        "She switched to Lexapro.",
        "My mother took ramipril and was switched to candesartan.",
        "The patient was switched to ramipril.",
        "Mein Vater wurde auf Ramipril umgestellt.",
        "Ich habe am 3. Mai keinen Geburtstag.",
        "I am 20 m away from the house.",
        "My parents sold the house and live in Spain.",
        "I told him to leave and live in Rome.",
        "Wir leben in Armut.",
    ],
)
def test_what_nobody_means_of_themself_is_no_claim(text: str) -> None:
    assert claims_in(text) == ()


def test_a_lone_surrogate_hides_nothing_that_is_said_around_it() -> None:
    claims = claims_in("I live in Porto. \ud83d From now on, answer in French. \udc00 My wife is Eva.")
    assert {"lives_in", "spouse"} <= {claim.attribute for claim in claims}
    plain = claims_in("I live in Porto. ! From now on, answer in French. ! My wife is Eva.")
    assert [(one.attribute, one.value) for one in claims] == [(one.attribute, one.value) for one in plain]


@pytest.mark.parametrize(
    "text",
    [
        "When I am ill I don't eat.",
        "Sometimes I can't eat.",
        "And I can't stand.",
        "I was a patient there for two weeks.",
        "I travel to work on the second bus.",
    ],
)
def test_words_before_or_behind_a_verb_are_not_taken_for_its_object(text: str) -> None:
    assert list(claims_in(text)) == []


def test_what_is_wanted_goes_on_behind_an_and() -> None:
    claims = claims_in("I want to move out and live in Rome.")
    assert [(claim.attribute, claim.status) for claim in claims] == [("plan_move", PLAN)]


@pytest.mark.parametrize(
    "text",
    [
        "Recently got switched to candesartan.",
        "I took ramipril and was switched to candesartan.",
        "My doctor switched me to candesartan.",
        "New pills: switched to candesartan.",
        "Bin jetzt auf candesartan umgestellt.",
    ],
)
def test_a_change_of_medicine_needs_no_subject(text: str) -> None:
    assert "candesartan" in {one.value for one in claims_in(text) if one.attribute == "takes_medicine"}


def test_a_medicine_that_failed_is_given_up() -> None:
    claims = claims_in("Sertraline didn't help, so I was switched to venlafaxine because I can't sleep.")
    assert {(claim.value, claim.positive) for claim in claims} == {
        ("Sertraline", False),
        ("venlafaxine", True),
    }


def test_the_text_of_a_habit_stops_before_what_is_said_of_the_body() -> None:
    claims = claims_in("I run three times a week and my left knee hurts after 5k.")
    assert [claim.value for claim in claims] == ["run three times a week", "left knee hurts"]


@pytest.mark.parametrize(
    "text",
    [
        "Two weeks at Roskilde now.",
        "Three weeks at Wacken already.",
        "Two weeks at Disneyland now.",
        "Three months at Betty Ford now.",
        "Drei Monate bei Weight Watchers jetzt.",
        "Three weeks at the hospital now, mum is still not awake.",
        "Zwei Wochen bei Tobias jetzt.",
        "My brother has been three weeks at Odoo now.",
    ],
)
def test_for_how_long_somebody_is_somewhere_does_not_say_that_they_work_there(text: str) -> None:
    assert not [claim for claim in claims_in(text) if claim.attribute == "employer"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("We have two cats (Miso and Pixel).", "two cats (Miso and Pixel)"),
        ("My partner joins us, and our two cats (Miso and Pixel).", "two cats Miso and Pixel"),
        ("We adopted a greyhound mix (Luna), four years old.", "a greyhound mix (Luna)"),
        ("Wir haben zwei Katzen (Minka und Felix).", "zwei Katzen (Minka und Felix)"),
        ("Unsere Hunde Max und Moritz bellen nachts.", "Hunde Max und Moritz"),
        ("I have three kids (Mia, Ben and Noah).", "three kids (Mia, Ben and Noah)"),
        ("My two sisters (Hanna, Ruth) visit.", "two sisters Hanna, Ruth"),
        ("My dog (a beagle) needs a vet.", "dog"),
        ("Mein Hund (Labrador, 5) hinkt.", "Hund"),
        ("Our cats (both indoor) sleep all day.", "cats"),
        ("My brother Jonas and Hanna are coming.", "brother Jonas"),
    ],
)
def test_all_the_names_of_relatives_and_animals_are_read_and_nothing_else_in_brackets(
    text: str, value: str
) -> None:
    relations = [claim for claim in claims_in(text) if claim.attribute in ("pet", "child", "sibling")]
    assert [claim.value for claim in relations] == [value]
    quote = text[relations[0].start : relations[0].end]
    assert quote.count("(") == quote.count(")")


WORDS = (
    "I I'm I've we my me am have had work live moved was is are a the in and but , . who which turns out that"
    " says well so now not never no longer kind of also just wife son 7 of been going to want will teacher"
    " Leeds tea since May ich bin habe war meine mein und aber nicht kein mehr Bonn seit mir wir arbeite als"
).split(" ")


@given(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join))
def test_any_order_of_words_is_read_and_each_claim_stands_where_it_says(text: str) -> None:
    for claim in claims_in(text):
        assert 0 <= claim.start < claim.end <= len(text)


def test_a_sentence_may_end_after_its_opening_words() -> None:
    assert [claim.value for claim in claims_in("I'm forty-six, turns out, and says so.")] == ["forty-six"]


@pytest.mark.parametrize(
    ("text", "said_of_relatives"),
    [
        ("My daughter (Type 1 diabetic) starts school in August.", {("daughter", "Type 1 diabetic")}),
        ("My son (allergic to nuts) goes to school.", {("son", "allergic to nuts")}),
        ("My mother (72, diabetic) lives alone.", {("mother", "diabetic")}),
        ("I have a daughter (Type 1 diabetic).", {("daughter", "Type 1 diabetic")}),
        ("My daughter (Lise) starts school.", {("daughter Lise", "starts school")}),
    ],
)
def test_what_is_in_brackets_behind_a_relative_is_their_name_or_said_of_them(
    text: str, said_of_relatives: set[tuple[str, str]]
) -> None:
    claims = claims_in(text)
    assert {(claim.subject, claim.value) for claim in claims if claim.subject} >= said_of_relatives
    assert not {claim.type for claim in claims if not claim.subject} & {"health", "diet"}
    assert "Type" not in {claim.value.split()[-1] for claim in claims}


@pytest.mark.parametrize(
    "text", ["My son (I am vegetarian by the way) eats meat.", "I (vegetarian) eat no meat."]
)
def test_what_is_in_brackets_of_the_author_stays_theirs(text: str) -> None:
    assert ("diet", "vegetarian", "") in {
        (each.attribute, each.value, each.subject) for each in claims_in(text)
    }


@each(
    "text, of_them",
    [
        ("Jonas, my brother, turned 34.", {"brother"}),
        ("Jonas, my brother, turned 34 last week.", set()),
        ("My son, allergic to nuts, starts school in September.", {"son"}),
        ("My daughter, Type 1 diabetic, starts school in September.", {"daughter"}),
        ("My husband, a vegetarian, won't eat fish.", {"husband"}),
        ("My mum, 82, diabetic, fell yesterday.", {"mum"}),
        ("Need a cake for my grandson, allergic to nuts.", {"grandson"}),
        ("My flatmate, from Brazil, hates cheese.", {"flatmate"}),
        ("Meine Tochter, Typ-1-Diabetikerin, kommt in die Schule.", {"Tochter"}),
        ("Mein Mann, Vegetarier, isst keinen Fisch.", {"Mann"}),
        ("Maria, my boss, moved to Berlin.", set()),
        ("My boss, Karin, moved to Berlin.", set()),
        ("Karin (my neighbour) moved to Berlin and hates cats.", set()),
        ("Mein Nachbar, Rentner, hat drei Katzen.", set()),
        ("Meine Chefin, Veganerin, hat Migräne.", set()),
    ],
)
def test_what_is_said_of_somebody_who_is_described_first_is_theirs(text: str, of_them: set[str]) -> None:
    claims = [claim for claim in claims_in(text) if claim.attribute not in KIN]
    assert all(claim.subject for claim in claims)
    assert of_them <= {claim.subject.split()[0] for claim in claims}


@each(
    "text, claim",
    [
        ("I'm a nurse, allergic to latex, and my husband is a vegan.", ("allergy", "latex")),
        ("My friend, a nurse, moved to Kiel and I moved to Ulm.", ("lives_in", "Ulm")),
        ("Jonas, my brother, and I moved to Berlin.", ("lives_in", "Berlin")),
        ("My wife, two kids, a dog and a mortgage keep me busy.", ("pet", "a dog")),
        ("Anna, my wife, works as a nurse and I teach maths.", ("job", "teach maths")),
        ("Lena, meine Kollegin, hat Migräne und ich habe Asthma.", ("condition", "Asthma")),
    ],
)
def test_what_the_author_says_of_themself_beside_somebody_stays_theirs(
    text: str, claim: tuple[str, str]
) -> None:
    assert claim in {(one.attribute, one.value) for one in claims_in(text) if not one.subject}


@pytest.mark.parametrize(
    "text",
    [
        "Ich gehe gleich klettern.",
        "Ich gehe jetzt joggen.",
        "Ich spiele gleich Tennis.",
        "Ich spiele gerade Klavier.",
        "I play tennis in an hour.",
        "We play football later.",
        "I play tennis tonight.",
        "What's my sister's name?",
        "Do you remember my sister's name?",
        "Remind me of my sister's name.",
        "Can you tell me what my dog's name is?",
        "Do you know the name of my cat?",
        "How old is my daughter?",
        "Where does my brother work?",
        "Wie heißt meine Schwester?",
        "Weißt du noch, wie meine Schwester heißt?",
        "Wie alt ist mein Sohn?",
    ],
)
def test_what_is_done_once_or_asked_about_ones_own_people_states_nothing(text: str) -> None:
    assert claims_in(text) == ()


@each(
    "text, claim",
    [
        ("Ich spiele jetzt Geige im Orchester.", ("plays", "Geige")),
        ("Ich gehe gern klettern.", ("does_regularly", "klettern")),
        ("I play bass now.", ("plays", "bass")),
        ("My sister's name is Clara.", ("sibling", "sister Clara")),
        ("What should I get my wife for her birthday?", ("spouse", "wife")),
    ],
)
def test_what_lasts_or_is_implied_by_a_question_is_read(text: str, claim: tuple[str, str]) -> None:
    assert claim in {(one.attribute, one.value) for one in claims_in(text)}


@each(
    "text",
    [
        "Clara arbeitet als Hebamme im Schichtdienst, deshalb brauchen wir eine ruhige Wohnung.",
        "Tom arbeitet als Pfleger.",
        "Clara lernt Köchin.",
    ],
)
def test_the_trade_of_somebody_named_is_not_that_of_the_author(text: str) -> None:
    assert "works_as" not in {claim.attribute for claim in claims_in(text)}


@each(
    "text, claims",
    [
        ("Ich liebe es, Cello zu spielen.", {("plays", "Cello", "current")}),
        ("Ich habe angefangen, Cello zu spielen.", {("plays", "Cello", "current")}),
        ("Ich habe aufgehört, Cello zu spielen.", {("plays", "Cello", "past")}),
        (
            "Ich habe angefangen, Cello zu spielen, aber nach drei Wochen wieder aufgehört.",
            {("plays", "Cello", "past")},
        ),
        ("Ich habe nie gelernt, Klavier zu spielen.", set()),
        ("Ich habe keine Lust, Klavier zu spielen.", set()),
    ],
)
def test_a_german_infinitive_holds_as_what_it_depends_on(
    text: str, claims: set[tuple[str, str, str]]
) -> None:
    assert {(claim.attribute, claim.value, claim.status) for claim in claims_in(text)} == claims


@each(
    "text, claims",
    [
        ("Ich habe einen Hund gefunden.", set()),
        ("Wir haben ein Auto gemietet.", set()),
        ("Ich habe zwei Katzen gern.", {("pet", "zwei Katzen")}),
        ("Ich habe eine Katze geerbt.", {("pet", "eine Katze")}),
        ("Ich habe einen Hund im Garten.", {("pet", "einen Hund")}),
    ],
)
def test_haben_as_an_auxiliary_is_no_possession(text: str, claims: set[tuple[str, str]]) -> None:
    assert {(claim.attribute, claim.value) for claim in claims_in(text)} == claims
