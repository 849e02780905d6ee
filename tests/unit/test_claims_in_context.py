"""What a short sentence says of its author is read in whatever way people put it into a message."""

from __future__ import annotations

from holdfast.core.claims import Claim
from holdfast.language.claims.read import claims_in
from tests.cases import each

ENGLISH = (
    "I'm a nurse",
    "I live in York",
    "I'm vegan",
    "I have two kids",
    "I'm allergic to peanuts",
    "I play the cello",
    "I speak Dutch",
    "I hate coriander",
    "I work at Bosch",
    "we have a dog called Bruno",
    "I drive a Corolla",
    "I'm 34",
    "I run three times a week",
    "I have type 2 diabetes",
    "I moved to Hamburg last year",
    "I was born in Izmir",
    "I don't eat pork",
    "I'm divorced",
    "I work nights",
    "I used to smoke",
    "I rent a flat in Ghent",
)
GERMAN = (
    "ich bin Krankenschwester",
    "ich wohne in Köln",
    "ich bin Veganerin",
    "ich habe zwei Kinder",
    "ich spiele Cello",
    "ich bin gegen Erdnüsse allergisch",
    "ich hasse Koriander",
    "ich arbeite bei Bosch",
    "ich fahre einen Golf",
    "wir haben einen Hund namens Bruno",
    "ich bin 34",
    "ich nehme Metformin",
    "ich bin letztes Jahr nach Hamburg gezogen",
    "ich bin in Izmir geboren",
    "ich esse kein Schweinefleisch",
    "ich bin geschieden",
    "ich habe früher geraucht",
)
AROUND_ENGLISH = (
    "Hi, {}.",
    "hey {}",
    "{}, can you help me with a letter?",
    "{} can you help me with a letter",
    "{} any tips",
    "{} what should i do",
    "{} how do i plan my week",
    "{} please suggest a recipe",
    "Can you help me? {}.",
    "Could you plan a trip ({})?",
    "I need advice because {}.",
    "Since {}, what would you cook?",
    "Context: {}.",
    "Quick question - {} - is that a problem?",
    "{} and I like rain.",
    "I like rain and {}.",
    "I'm not sure, but {}.",
    "{}, and I think that matters.",
    "{}, I suppose it helps.",
    "{}. What am I supposed to do?",
    "{} 😅",
    "Personally, {}.",
    "The thing is, {}.",
    "You should know {}.",
    "I forgot to mention that {}.",
    "Hello\n{}\nThanks",
    "{} and I was wondering if that's a problem.",
    "Some facts:\n- {}\n- I like rain",
    "Please remember that {}.",
)
AROUND_GERMAN = (
    "Hallo, {}.",
    "{}, kannst du mir bei einem Brief helfen?",
    "{} kannst du mir bei einem Brief helfen",
    "{} wie plane ich meine Woche",
    "{} bitte schlag was vor",
    "Übrigens, {}.",
    "Zur Info: {}.",
    "{} und ich mag Regen.",
    "Ich weiß nicht, aber {}.",
    "Ich brauche Rat, denn {}.",
    "{}, und ich glaube, das ist wichtig.",
    "{} 😅",
    "Kannst du eine Reise planen ({})?",
    "Über mich:\n- {}\n- ich mag Regen",
    "{}. Was soll ich machen?",
)
WAYS = [
    *((said, around) for said in ENGLISH for around in AROUND_ENGLISH),
    *((said, around) for said in GERMAN for around in AROUND_GERMAN),
]


def test_a_statement_is_read_in_each_way_that_a_message_has_it() -> None:
    lost = []
    for said, around in WAYS:
        text = around.format(said[0].upper() + said[1:] if around.startswith("{}") else said)
        found = claims_in(text)
        if not all(any(_is_same(one, other) for other in found) for one in claims_in(f"{said}.")):
            lost.append((text, [(one.attribute, one.value) for one in found]))
    assert lost == []


def test_each_statement_says_something() -> None:
    assert [said for said in (*ENGLISH, *GERMAN) if not claims_in(f"{said}.")] == []


def _is_same(one: Claim, other: Claim) -> bool:
    mine, theirs = one.value.lower(), other.value.lower()
    return one.attribute == other.attribute and theirs in (mine, f"a {mine}", mine.removeprefix("a "))


@each(
    "text, expected",
    [
        ("I'm 34 and live in York.", {("age", "34"), ("lives_in", "York")}),
        ("Hello, I am Oluwaseun, studying surveying.", {("name", "Oluwaseun"), ("studies", "surveying")}),
        ("i'm vegan i live in leeds", {("diet", "vegan"), ("lives_in", "leeds")}),
        ("ich bin 34 ich wohne in Köln", {("age", "34"), ("lives_in", "Köln")}),
        ("I work at Bosch also I play the cello", {("employer", "Bosch"), ("plays", "the cello")}),
        ("my wife anna is a teacher", {("spouse", "wife anna"), ("kin_fact", "is a teacher")}),
        ("ich trinke nachmittags immer Kakao", {("drinks", "Kakao")}),
        ("I'm a wheelchair user so that is out no?", {("condition", "a wheelchair user")}),
        ("kurze frage bin lkw fahrer darf ich das?", {("works_as", "lkw fahrer")}),
        ("I live in York which apparently is cold", {("lives_in", "York")}),
        (
            "working full time as a paralegal",
            {("work_hours", "working full time"), ("works_as", "paralegal")},
        ),
        ("hallo, ich bin verwitwet und weiß nicht wie das geht", {("marital_status", "verwitwet")}),
        ("Opera bores me.", {("dislikes", "Opera")}),
        ("I've been self employed for years.", {("self_employed", "self employed")}),
        ("I moved to Lyon and spent most of a year there.", {("lives_in", "Lyon")}),
        ("I'm 34f, type 1 diabetic", {("age", "34"), ("condition", "type 1 diabetic")}),
        ("My doctor switched me to lisinopril.", {("takes_medicine", "lisinopril")}),
        ("Ich wurde auf Rizatriptan umgestellt.", {("takes_medicine", "Rizatriptan")}),
        ("As a teacher I have little time.", {("works_as", "teacher")}),
        ("Ich als Lehrerin habe da wenig Zeit.", {("works_as", "Lehrerin")}),
        ("I'd rather have short answers.", {("instruction", "short answers")}),
        ("I work at Bosch and Nina won't move.", {("employer", "Bosch")}),
        ("My niece Romy has coeliac disease but Till eats bread.", {("kin_fact", "has coeliac disease")}),
        ("Ich arbeite bei Bosch und Kurt wohnt in Jena.", {("employer", "Bosch")}),
        ("Unser Enkel Piet spielt Geige und Wanda reitet Ponys.", {("kin_fact", "spielt Geige")}),
        ("I love Laurel and Hardy films.", {("likes", "Laurel and Hardy films")}),
        ("I love Rodgers and Hammerstein shows.", {("likes", "Rodgers and Hammerstein shows")}),
        ("I like cooking and Saturday runs.", {("likes", "cooking and Saturday runs")}),
        ("I like cider and Thai eats in Leeds.", {("likes", "cider and Thai eats in Leeds")}),
        ("Ich spreche Türkisch und Kurdisch fließend.", {("speaks", "Türkisch und Kurdisch fließend")}),
        ("Ich mag Kakao und Milch unverdünnt.", {("likes", "Kakao und Milch unverdünnt")}),
        ("I love my job and our quiet lives here.", {("likes", "my job and our quiet lives here")}),
        ("I work at Bosch and my cousin lives here.", {("employer", "Bosch")}),
        (
            "Ich habe einen Sohn, der Harfe und Flöte spielt.",
            {("child", "einen Sohn, der Harfe und Flöte spielt")},
        ),
        (
            "We have three boys: Ole (12), Per (9) and Lars (4).",
            {("child", "three boys: Ole (12), Per (9) and Lars (4)")},
        ),
        (
            "Ich habe zwei Brüder, Emil (31) und Paul (28).",
            {("sibling", "zwei Brüder, Emil (31) und Paul (28)")},
        ),
        ("I have two daughters (7 and 3).", {("child", "two daughters (7 and 3)")}),
        ("Ich selbst mag leider überhaupt keinen Rosenkohl.", {("dislikes", "Rosenkohl")}),
        ("Wir persönlich essen ebenfalls keine Pilze.", {("eats", "Pilze")}),
        ("Dummerweise vertrage ich selber keine Tomaten.", {("intolerance", "Tomaten")}),
        ("Ich mag absolut leere Strände.", {("likes", "absolut leere Strände")}),
        ("Ich mag schlicht gehaltene Möbel.", {("likes", "schlicht gehaltene Möbel")}),
        ("Ich esse ehrlich gesagt gar keinen Spinat.", {("eats", "Spinat")}),
        ("Ehrlich gesagt trinke ich generell keinen Schnaps.", {("drinks", "Schnaps")}),
    ],
)
def test_more_ways_of_saying_it(text: str, expected: set[tuple[str, str]]) -> None:
    assert {(one.attribute, one.value) for one in claims_in(text)} == expected


@each(
    "text",
    [
        "I know what is good can you believe it.",
        "I wonder how do people live in York.",
        "I'm vegan, I wish.",
        "und Ich heiße Ana und ich liebe Fußball ist richtig?",
        "The people I am with in this film are actors.",
        "I'm a nurse, I suppose.",
        "As a user I want to log in.",
        "I switched from one lane to another.",
        "In this story I live in York.",
        "Suppose I live in York.",
        "Act as a nurse. I live in York.",
    ],
)
def test_what_is_only_supposed_or_asked_stays_no_statement(text: str) -> None:
    assert claims_in(text) == ()
