"""What the page about a person shows of their sentences: no less, no more, and nothing but what they said."""

from __future__ import annotations

import pytest

from holdfast.core.claims import Claim
from holdfast.features.beliefs.phrases import in_words
from holdfast.language.claims.read import claims_in
from tests.cases import each


@each(
    "said, shown",
    [
        ("I'm teetotal.", "Does not drink alcohol"),
        ("Ich habe eine Katzenallergie.", "Has eine Katzenallergie"),
        ("I have a nut allergy.", "Has a nut allergy"),
        ("I'm allergic to nuts.", "Is allergic to nuts"),
        ("My left knee hurts.", "Left knee hurts"),
        ("My knee is worse.", "Knee is worse"),
        ("I'm asthmatic too, in case that matters.", "Is asthmatic"),
        ("Wir haben übrigens geheiratet.", "Has geheiratet"),
        ("Wir sind verheiratet.", "Is verheiratet"),
        ("Wir haben uns getrennt.", "Is getrennt"),
        ("Ich bin geschieden.", "Is geschieden"),
        ("Tobias und ich heiraten am 12. September in Aachen.", "Plans: heiraten am 12. September"),
        ("I'm a non-smoker.", "Does not smoke"),
        ("I have a fear of needles.", "Is afraid of needles"),
        ("Ich hab Höhenangst.", "Has Höhenangst"),
        ("I'm lactose intolerant.", "Does not tolerate lactose"),
        ("My favourite tree is the larch.", "Favourite tree: the larch"),
        ("Meine Lieblingsfarbe ist Türkis.", "Lieblingsfarbe: Türkis"),
        ("I'm blind.", "Is blind"),
        ("I'm deaf in one ear.", "Is deaf in one ear"),
        ("I was diagnosed with celiac disease.", "Has celiac disease"),
        ("I was diagnosed with a bipolar disorder.", "Has a bipolar disorder"),
        ("I am a diabetic customer.", "Is a diabetic customer"),
        ("I'm deaf like a post.", "Is deaf like a post"),
        ("I'm bipolar I.", "Is bipolar I"),
        ("I was diagnosed with diabetic kidney disease.", "Has diabetic kidney disease"),
        ("The battery of our scooter is flat.", "Has scooter"),
        ("The make of our scooter is Vespa.", "Has scooter Vespa"),
        ("The dealer of our scooter is Vespa.", "Has scooter"),
        ("One of our cars is a 1998 Volvo.", "Has cars a 1998 Volvo"),
        ("The previous owner of my car lives next door.", "Has car"),
        ("I have asthma.", "Has asthma"),
        ("I had asthma as a kid.", "Had asthma"),
        ("I've had asthma since 2019.", "Has asthma"),
        ("I've never had a credit card.", "Has no credit card"),
        ("I teach chemistry.", "Teach chemistry"),
        ("I took up the viola.", "Took up the viola"),
        ("Ich leite den Kirchenchor in Bad Urach.", "Leite den Kirchenchor in Bad Urach"),
        ("I look after my sister.", "Look after my sister"),
        ("We're not religious.", "Is not religious"),
        ("I play bowls three times a week.", "Plays bowls"),
        ("I've run my own salon since the nineties.", "Run my own salon"),
        ("I drink about four coffees a day.", "Drinks about four coffees a day"),
        ("Eier ess ich ja jeden Morgen.", "Eats Eier jeden Morgen"),
        ("We moved to Aberdeen in January for my partner's job.", "Lives in Aberdeen"),
        ("Wir wohnen im selben Haus in Gera.", "Lives in selben Haus in Gera"),
        ("I sold my car in spring to pay off the debts.", "Had my car"),
        ("I've been doing muay thai for years and my shins r killing me", "Doing muay thai"),
        ("my cat has eaten a rubber band what do i do", "Cat: has eaten a rubber band"),
        ("Ich hab eh schon Tinnitus.", "Has Tinnitus"),
        ("I married my best friend.", "Is married to my best friend"),
        ("I married Jonas in 2019.", "Is married to Jonas"),
        ("I divorced my high school sweetheart.", "Is divorced from my high school sweetheart"),
        ("Ich habe meine beste Freundin geheiratet.", "Has meine beste Freundin geheiratet"),
        ("Ich habe Jonas geheiratet.", "Has Jonas geheiratet"),
    ],
)
def test_a_belief_is_shown_whole_and_as_it_was_meant(said: str, shown: str) -> None:
    assert shown in {in_words(claim, claim.status) for claim in claims_in(said)}


@pytest.mark.parametrize(
    "said",
    [
        "sorry my english is not so good",
        "I got the job!!",
        "The lease of our car ends in May.",
        "Die Leasingrate meines Autos ist hoch.",
    ],
)
def test_what_names_nothing_is_not_shown(said: str) -> None:
    assert [in_words(claim) for claim in claims_in(said)] == []


@each(
    "value, shown",
    [
        ("kirchlich geheiratet", "Has kirchlich geheiratet"),
        ("im Mai in Köln geheiratet", "Has im Mai in Köln geheiratet"),
        ("frisch getrennt", "Is frisch getrennt"),
        ("frisch verheiratet", "Is frisch verheiratet"),
    ],
)
def test_a_participle_of_what_somebody_did_is_shown_with_have(value: str, shown: str) -> None:
    assert in_words(Claim("relationship", "marital_status", value)) == shown
