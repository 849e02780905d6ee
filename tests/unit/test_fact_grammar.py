"""The grammar of facts: what texts in English and German state of any topic, and what states nothing."""

from __future__ import annotations

from collections.abc import Callable

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from holdfast.core.facts import Stated
from holdfast.language.facts.asking import requests_in
from holdfast.language.facts.boards import boards
from holdfast.language.facts.lists import Board, folded
from holdfast.language.facts.statements import statements_of
from holdfast.language.facts.topics import BUILT_IN, stem_of
from tests.cases import each
from tests.profiles import examples


def values_by_topic(*texts: str, of_user: bool = False) -> dict[str, list[str]]:
    """The values of each topic after some messages of one conversation."""
    said = [
        Stated(one, str(n), n)
        for n, text in enumerate(texts)
        for one in statements_of(text, BUILT_IN, of_user=of_user)
    ]
    found = {key: [fact.value for fact in board.facts] for key, board in boards(said).items()}
    return {key: values for key, values in found.items() if values}


LISTS = [
    ("My favourite hiking boots: 1) Lowa 2) Hanwag", {"favorite_hiking_boots": ["Lowa", "Hanwag"]}),
    ("The restaurants I like best in Leipzig are Pilot and Stelzenhaus.",
     {"favorite_restaurants_in_leipzig": ["Pilot", "Stelzenhaus"]}),
    ("The restaurants in Leipzig I like best are:\n- Pilot\n- Stelzenhaus",
     {"favorite_restaurants_in_leipzig": ["Pilot", "Stelzenhaus"]}),
    ("My favourite boots are Lowa, Diesel and Meindl.", {"favorite_boots": ["Lowa", "Diesel", "Meindl"]}),
    ("my top 3 films:\n1. Heat\n2. Ronin\n3. Alien", {"favorite_films": ["Heat", "Ronin", "Alien"]}),
    ("My favorite colors are: (1) Blue (2) Red", {"favorite_colors": ["Blue", "Red"]}),
    ("**My favorite colors:**\n**1) Blue**\n**2) Red**", {"favorite_colors": ["Blue", "Red"]}),
    ("My favorite hotels are a) Ritz b) Savoy", {"favorite_hotels": ["Ritz", "Savoy"]}),
    ("My favourite fruits:\n🍎 apple\n🍐 pear", {"favorite_fruits": ["apple", "pear"]}),
    ("My favourite board games:\nAzul\nRoot\nBrass", {"favorite_board_games": ["Azul", "Root", "Brass"]}),
    ("My favorite colors are Blue and Green and my favorite tv shows are 1) The Wire 2) Lost",
     {"favorite_colors": ["Blue", "Green"], "favorite_tv": ["The Wire", "Lost"]}),
    ("My favourite TV shows are 1) Lost. Also, my favourite band is Can.",
     {"favorite_tv": ["Lost"], "favorite_band": ["Can"]}),
    ("Favourite authors:\n* Le Guin\n* Banks\n\nFavourite composers:\n* Bach\n* Ravel",
     {"favorite_authors": ["Le Guin", "Banks"], "favorite_composers": ["Bach", "Ravel"]}),
    ("I ranked my favourite apples: Elstar first, Gala second.", {"favorite_apples": ["Elstar", "Gala"]}),
    ("Number one on my list of favourite cities is Rome, followed by Lisbon and then Oslo.",
     {"favorite_cities": ["Rome", "Lisbon", "Oslo"]}),
    ("Of the cheeses, Brie is my favourite.", {"favorite_cheeses": ["Brie"]}),
    ("Among dogs, beagles are my least favourite", {"disliked_dogs": ["beagles"]}),
    ("My fave ice creams, best first: lemon, hazelnut", {"favorite_ice_creams": ["lemon", "hazelnut"]}),
    ("I like jazz best of all music genres.", {"favorite_music_genres": ["jazz"]}),
    ("My favourite actors are Tom Hanks (Big, Cast Away), Al Pacino and Uma Thurman.",
     {"favorite_actors": ["Tom Hanks", "Al Pacino", "Uma Thurman"]}),
    ("Can you remember that my favourite band is Can?", {"favorite_band": ["Can"]}),
    ("My wife's favourite colour is green and mine is blue", {"favorite_colors": ["blue"]}),
    ("My favourite colour isn't teal, it's ochre.", {"favorite_colors": ["ochre"]}),
    ("My favorite city in Italy is Bologna, and my favorite city in Spain is Cádiz.",
     {"favorite_city_in_italy": ["Bologna"], "favorite_city_in_spain": ["Cádiz"]}),
    ("I hate these colors: 1) Brown 2) Beige", {"disliked_colors": ["Brown", "Beige"]}),
    ("Cryptos to avoid: 1) DOGE 2) SHIB", {"disliked_cryptos": ["DOGE", "SHIB"]}),
    ("Foods I never eat are liver and tripe", {"disliked_foods": ["liver", "tripe"]}),
    ("My favourite teas are Assam and Sencha. Teas I can't stand: Rooibos, Mate.",
     {"favorite_teas": ["Assam", "Sencha"], "disliked_teas": ["Rooibos", "Mate"]}),
    ("Meine drei Lieblingsbücher: 1. Der Prozess, 2. Momo, 3. Tschick",
     {"favorite_bücher": ["Der Prozess", "Momo", "Tschick"]}),
    ("Meine liebsten Serien sind Dark, Babylon Berlin und 4 Blocks.",
     {"favorite_serien": ["Dark", "Babylon Berlin", "4 Blocks"]}),
    ("Ich habe dir gesagt, dass meine Lieblingsfarbe Blau ist.", {"favorite_colors": ["Blau"]}),
    ("Meine Lieblingsfarbe ist nicht Blau, sondern Rot.", {"favorite_colors": ["Rot"]}),
    ("Mein Lieblingsautor ist Kafka, danach kommt Mann, dann Zeh.",
     {"favorite_autor": ["Kafka", "Mann", "Zeh"]}),
    ("Getränke, die ich nicht mag, sind Bier und Tonic.", {"disliked_getränke": ["Bier", "Tonic"]}),
    ("Ich hasse diese Farben: 1) Braun 2) Beige", {"disliked_colors": ["Braun", "Beige"]}),
]  # fmt: skip


@each("text, topics", LISTS)
def test_s1_19_lists_of_any_topic_in_any_form(text: str, topics: dict[str, list[str]]) -> None:
    assert values_by_topic(text) == topics


SILENT = [
    "The favourite restaurants of my boss are Noma and Alinea.",
    "What if my favourite colour is red?",
    "She asked whether my favourite food is pizza.",
    "My favourite restaurant is too expensive.",
    "My favourite mug is on the table.",
    "My favourite show is on tonight.",
    "my favorite part is when he laughs",
    "Which of my favourite films should I watch: Alien, Heat or Ronin?",
    "Suggest gifts for someone whose favourite colours are red and green.",
    "Her favorite bands: 1. Queen 2. ABBA",
    "Customer feedback: my favourite feature is the dark mode",
    "From the interview: My favorite tools are vim and tmux.",
    '"My favourite animal is the axolotl", he said.',
    "My daughter says my favourite colour is pink",
    'def favourite(): return "my favorite color is red"',
    "```\nmy favorite colors are red and blue\n```",
    "> my favorite color is red\nWho wrote that?",
    "In my test data, my favourite colour is red.",
    "My favourite colours are not red and green.",
    "I am not sure if my favourite colour is red.",
    "When I was ten, my favorite color was red.",
    "My top priorities are: 1) shipping 2) testing",
    "The things I hate about my job are meetings and mails.",
    "Translate this into French. My favourite sports are judo and golf.",
    "My favourite sports are judo and golf. Translate that into French.",
    "Put the milk first.",
    "Clear my cache",
    "Change my second appointment to Friday",
    "Meine Lieblingshose ist kaputt.",
    "Mein Lieblingslokal ist heute geschlossen.",
    "Meine Schwester hat gesagt: Meine Lieblingsfarbe ist Rot.",
    "Mein Lieblingsfilm wäre Alien, wenn er nicht so gruselig wäre.",
    "Die Lieblingsfarbe meines Bruders ist Grün.",
    "Ist meine Lieblingsfarbe Blau?",
    "Streiche den zweiten Absatz.",
]


@each("text", SILENT)
def test_s1_18_what_is_asked_supposed_reported_quoted_or_others_states_nothing(text: str) -> None:
    assert values_by_topic(text) == {}


TEAS = "My favourite teas are Sencha, Assam and Mate"


@each(
    "edit, teas",
    [
        ("put Mate first", ["Mate", "Sencha", "Assam"]),
        ("Please move Sencha to the end.", ["Assam", "Mate", "Sencha"]),
        ("Move Mate above Assam", ["Sencha", "Mate", "Assam"]),
        ("Swap Sencha and Mate in my favourite teas", ["Mate", "Assam", "Sencha"]),
        ("swap #1 and #2", ["Assam", "Sencha", "Mate"]),
        ("Replace Assam with Darjeeling", ["Sencha", "Darjeeling", "Mate"]),
        ("rename Mate to Mate cocido", ["Sencha", "Assam", "Mate cocido"]),
        ("Change my second favourite tea to Rooibos", ["Sencha", "Rooibos", "Mate"]),
        ("Remove #2 from my favourite teas", ["Sencha", "Mate"]),
        ("take Assam off my list", ["Sencha", "Mate"]),
        ("drop the last one", ["Sencha", "Assam"]),
        ("Add Rooibos after Sencha", ["Sencha", "Rooibos", "Assam", "Mate"]),
        ("Could you add Rooibos to my favourite teas?", ["Sencha", "Assam", "Mate", "Rooibos"]),
        ("In my favourite teas, put Mate first", ["Mate", "Sencha", "Assam"]),
        ("Delete my favourite teas", []),
        ("I no longer have a favourite tea.", []),
        ("Setz Mate an die erste Stelle", ["Mate", "Sencha", "Assam"]),
        ("Tausche 1 und 3.", ["Mate", "Assam", "Sencha"]),
        ("Ersetze Assam durch Rooibos", ["Sencha", "Rooibos", "Mate"]),
        ("Streich die zweite", ["Sencha", "Mate"]),
        ("Verschiebe Sencha ans Ende", ["Assam", "Mate", "Sencha"]),
        ("Füge nach Sencha noch Rooibos ein", ["Sencha", "Rooibos", "Assam", "Mate"]),
        ("Nimm Assam aus meiner Liste raus", ["Sencha", "Mate"]),
        ("Setz bitte Rooibos auf Platz 2", ["Sencha", "Rooibos", "Assam", "Mate"]),
        ("Stick Rooibos in at number 1", ["Rooibos", "Sencha", "Assam", "Mate"]),
        ("Put Rooibos at the end of the list", ["Sencha", "Assam", "Mate", "Rooibos"]),
        ("Füge noch Rooibos hinzu.", ["Sencha", "Assam", "Mate", "Rooibos"]),
        ("Füg bitte Rooibos zu meiner Liste hinzu", ["Sencha", "Assam", "Mate", "Rooibos"]),
        ("Lösch bitte mal Nummer 2", ["Sencha", "Mate"]),
        ("Assam streichen", ["Sencha", "Mate"]),
        ("Kannst du Assam durch Rooibos ersetzen?", ["Sencha", "Rooibos", "Mate"]),
        ("Schieb Mate ganz nach oben.", ["Mate", "Sencha", "Assam"]),
        ("Mate nach ganz oben", ["Mate", "Sencha", "Assam"]),
        ("Mate soll auf Platz 1 stehen", ["Mate", "Sencha", "Assam"]),
        ("Assam should be last", ["Sencha", "Mate", "Assam"]),
        ("use Rooibos instead of Assam", ["Sencha", "Rooibos", "Mate"]),
        ("Statt Assam lieber Rooibos", ["Sencha", "Rooibos", "Mate"]),
        ("Assam isn't one of my favourite teas any more", ["Sencha", "Mate"]),
        ("Delete all my favourite teas", []),
        ("Clear the whole list of my favourite teas", []),
        ("Entferne Assam lieber nicht", ["Sencha", "Assam", "Mate"]),
        ("Put the agenda at number 2", ["Sencha", "Assam", "Mate"]),
        ("The build should be first", ["Sencha", "Assam", "Mate"]),
        # what is not in the list is something else
        ("put the summary first", ["Sencha", "Assam", "Mate"]),
        ("replace foo with bar", ["Sencha", "Assam", "Mate"]),
        ("remove Tonic", ["Sencha", "Assam", "Mate"]),
    ],
)
def test_s1_35_lists_are_edited_in_words(edit: str, teas: list[str]) -> None:
    assert values_by_topic(TEAS, edit).get("favorite_teas", []) == teas
    assert values_by_topic(edit).get("favorite_teas", []) in ([], ["Rooibos"], ["Mate"]), (
        "nothing but what it names"
    )


@each(
    "edit, teas",
    [
        ("Forget my favourite teas, all of them", []),
        ("You can wipe the whole tea list.", []),
        ("Die Tees kannst du alle wieder vergessen", []),
        ("Take Assam off that list, it's too strong", ["Sencha", "Mate"]),
        ("I don't like Assam that much any longer, kick it out", ["Sencha", "Mate"]),
        ("Mate has overtaken Assam, by the way", ["Sencha", "Mate", "Assam"]),
        ("Drop Assam and add Rooibos.", ["Sencha", "Mate", "Rooibos"]),
        ("Delete number 3 and put the Rooibos in second place.", ["Sencha", "Rooibos", "Assam"]),
        ("Number 2 should be Rooibos instead of Assam.", ["Sencha", "Rooibos", "Mate"]),
        ("Correction: not Assam, I meant Rooibos.", ["Sencha", "Rooibos", "Mate"]),
        ("Let's have Mate ahead of everything else", ["Mate", "Sencha", "Assam"]),
        ("flip the first two", ["Assam", "Sencha", "Mate"]),
        ("the last one can go", ["Sencha", "Assam"]),
        ("Ach nee, ich meinte Rooibos, nicht Sencha", ["Rooibos", "Assam", "Mate"]),
        ("Nimm noch Rooibos dazu, ganz am Ende", ["Sencha", "Assam", "Mate", "Rooibos"]),
        ("Entferne die zweite und setze Mate auf Platz 1.", ["Mate", "Sencha"]),
        # these change nothing
        ("I drank a cup of Assam this morning, lovely.", ["Sencha", "Assam", "Mate"]),
        ("Ich fahre morgen nach Assam.", ["Sencha", "Assam", "Mate"]),
        ("My sister's favourite tea changed to Rooibos", ["Sencha", "Assam", "Mate"]),
        ("Remove the unused imports from main.py please", ["Sencha", "Assam", "Mate"]),
        ("Add a unit test for the parser", ["Sencha", "Assam", "Mate"]),
    ],
)
def test_s1_35_changes_are_read_beside_the_list(edit: str, teas: list[str]) -> None:
    said = TEAS if "Tees" not in edit else "Meine Lieblingstees sind Sencha, Assam und Mate"
    found = board_after(said, edit)
    assert [fact.value for fact in found.facts] == teas
    assert found.doubt is None


@each(
    "sentence, teas",
    [
        ("My second one is now Rooibos", ["Sencha", "Rooibos", "Mate"]),
        ("the last one is Earl Grey now.", ["Sencha", "Assam", "Earl Grey"]),
        ("Number two is now Rooibos", ["Sencha", "Rooibos", "Mate"]),
        ("Nein, mein zweiter ist jetzt Rooibos!", ["Sencha", "Rooibos", "Mate"]),
        ("Nummer drei ist jetzt Rooibos", ["Sencha", "Assam", "Rooibos"]),
        ("Rooibos is now my first one", ["Rooibos", "Assam", "Mate"]),
        ("My third one is now Sencha", ["Assam", "Mate", "Sencha"]),
        # of what holds a rank much else is said
        ("My second one is now in school", ["Sencha", "Assam", "Mate"]),
        ("My second one is now teal", ["Sencha", "Assam", "Mate"]),
        ("My second one is now two years old", ["Sencha", "Assam", "Mate"]),
        ("#2 is now Done", ["Sencha", "Assam", "Mate"]),
        ("The second one is now Ann's", ["Sencha", "Assam", "Mate"]),
        ("My fifth one is now Rooibos", ["Sencha", "Assam", "Mate"]),
        ("My wife's second one is now Rooibos", ["Sencha", "Assam", "Mate"]),
        ("If my second one is now Rooibos, tell me", ["Sencha", "Assam", "Mate"]),
        ("Is my second one now Rooibos?", ["Sencha", "Assam", "Mate"]),
        ("Mein zweites ist jetzt drei Jahre alt", ["Sencha", "Assam", "Mate"]),
    ],
)
def test_what_holds_a_rank_may_be_something_else_now(sentence: str, teas: list[str]) -> None:
    assert values_by_topic(TEAS, sentence).get("favorite_teas", []) == teas
    assert values_by_topic(sentence) == {}, "no list is spoken of"


@pytest.mark.parametrize(
    ("sentence", "colours"),
    [
        ("My second one is now teal", ["Red", "teal", "Blue"]),
        ("the last one is dark green now", ["Red", "Green", "dark green"]),
        ("Mein erstes ist jetzt türkis", ["türkis", "Green", "Blue"]),
        ("The second one is now broken", ["Red", "Green", "Blue"]),
    ],
)
def test_a_colour_is_a_value_of_a_list_of_colours(sentence: str, colours: list[str]) -> None:
    assert (
        values_by_topic("My favorite colors are 1) Red, 2) Green, 3) Blue", sentence)["favorite_colors"]
        == colours
    )


@pytest.mark.parametrize(
    "sentence",
    [
        "I've changed my mind about my favourite teas, none of them count any more.",
        "Assam is out, I'm more of a coffee person these days",
        "Turns out I was wrong about Assam. I actually hate it.",
        "Number 2 is wrong, it's something from Nepal",
        "Scrap Assam for whatever my brother drinks",
        "Assam ist rausgeflogen, dafür nehme ich den aus Nepal",
    ],
)
def test_a_change_that_is_not_understood_leaves_its_list_in_doubt(sentence: str) -> None:
    found = board_after(TEAS, sentence)
    assert [fact.value for fact in found.facts] == ["Sencha", "Assam", "Mate"]
    assert {fact.doubted_by for fact in found.facts} == {"1"}
    anew = board_after(TEAS, sentence, "My favourite teas are Gyokuro and Mate")
    assert {fact.doubted_by for fact in anew.facts} == {None}


def board_after(*texts: str) -> Board:
    """The only list after some messages of one conversation."""
    said = [Stated(one, str(n), n) for n, text in enumerate(texts) for one in statements_of(text, BUILT_IN)]
    (found,) = boards(said).values()
    return found


def test_s1_35_lists_are_forgotten_in_german() -> None:
    assert values_by_topic("Meine Lieblingstees sind Sencha und Assam.", "Vergiss meine Lieblingstees") == {}


def test_s1_35_what_is_added_to_no_list_means_the_one_spoken_of_just_now() -> None:
    for minutes, values in ((1, ["Sencha", "Mate"]), (60, ["Sencha"])):
        said = [
            Stated(one, str(at), at * 60_000)
            for at, text in ((0, "My favourite teas: 1) Sencha"), (minutes, "Füge Mate hinzu"))
            for one in statements_of(text, BUILT_IN)
        ]
        (board,) = boards(said).values()
        assert [fact.value for fact in board.facts] == values


@pytest.mark.parametrize(
    ("text", "topics"),
    [
        ("The user's favorite color is blue", {"favorite_colors": ["blue"]}),
        ("User's favorite bands: Can, Low", {"favorite_bands": ["Can", "Low"]}),
        ("The user hates these colors: brown, beige", {"disliked_colors": ["brown", "beige"]}),
    ],
)
def test_knowledge_speaks_of_the_user(text: str, topics: dict[str, list[str]]) -> None:
    assert values_by_topic(text, of_user=True) == topics
    assert values_by_topic(text) == {}


def in_marks(form: str) -> Callable[[list[str]], str]:
    return lambda values: " ".join(form.format(n, value) for n, value in enumerate(values, 1))


def in_lines(form: str) -> Callable[[list[str]], str]:
    return lambda values: "\n" + "\n".join(form.format(n, value) for n, value in enumerate(values, 1))


FORMS: dict[str, Callable[[list[str]], str]] = {
    **{
        form: in_marks(form)
        for form in ("{0}) {1}", "{0}. {1}", "({0}) {1}", "#{0} {1}", "{0}) **{1}**", '{0}) "{1}",')
    },
    **{
        f"lines {form}": in_lines(form)
        for form in (
            "{0}) {1}", "{0}. {1}", "- {1}", "* {1}", "• {1}", "**{0})** {1}", "{0}. **{1}**", "👉 {1}", "{1}"
        )
    },
    "commas": ", ".join,
    "and": lambda values: ", ".join(values[:-1]) + " and " + values[-1],
    "und": lambda values: ", ".join(values[:-1]) + " und " + values[-1],
}  # fmt: skip
_NAMES = st.from_regex(r"[A-Z][a-zäöüé]{3,9}( [A-Z][a-z]{3,9})?", fullmatch=True)


@given(
    st.sampled_from(sorted(FORMS)),
    st.lists(_NAMES, min_size=2, max_size=6, unique_by=lambda name: folded(name).split()[0]),
    st.sampled_from(
        [
            "My favourite bands:",
            "Meine Lieblingsbands:",
            "Bands I can't stand:",
            "These are my favourite bands:",
        ]
    ),
)
@settings(max_examples=examples(150))
def test_s1_12_a_list_of_any_names_in_any_form_comes_back_in_order(
    form: str, values: list[str], header: str
) -> None:
    assert list(values_by_topic(f"{header} {FORMS[form](values)}").values()) == [values]


@each(
    "question, stored, topic",
    [
        ("what is my second favourite sandwich?", (), "favorite_sandwich"),
        ("list my favorite board games", ("favorite_board_games",), "favorite_board_games"),
        ("my second favourite café in Graz?", ("favorite_cafés_in_graz",), "favorite_cafés_in_graz"),
        ("which airport do I dislike most?", ("disliked_airports",), "disliked_airports"),
        ("what's my least favourite vegetable?", ("disliked_vegetables",), "disliked_vegetables"),
        ("Was ist meine zweitliebste Stadt?", ("favorite_städte",), "favorite_städte"),
        ("Welche Sportart mag ich am wenigsten?", ("disliked_sportarten",), "disliked_sportarten"),
        ("Welche Stadt steht bei mir auf Platz 3?", ("favorite_städte",), "favorite_städte"),
        ("Welche Gemüsesorten mag ich nicht?", ("disliked_gemüsesorten",), "disliked_gemüsesorten"),
        ("Zähl meine liebsten Wanderwege auf", ("favorite_wanderwege",), "favorite_wanderwege"),
    ],
)  # fmt: skip
def test_s1_26_questions_name_any_topic(question: str, stored: tuple[str, ...], topic: str) -> None:
    (request,) = requests_in(question, BUILT_IN, stored).requests
    assert stem_of(request.topic or "_") == stem_of(topic)


@pytest.mark.parametrize(
    "question",
    [
        "show me the code of the second favourite button in the toolbar",
        "what are the top 3 endpoints by latency?",
        "what is my mother's favourite dish?",
        "what did Ana say about her favourite band?",
        "where is my favourite mug?",
        "Wann kommt die zweite Staffel?",
    ],
)
def test_s1_26_other_questions_go_to_recall(question: str) -> None:
    assert requests_in(question, BUILT_IN, ("favorite_bands",)).requests == ()
