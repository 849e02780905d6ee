"""`holdfast.language.small_talk`: which messages of a user say nothing that is worth keeping."""

from __future__ import annotations

import pytest

from holdfast.language.small_talk import says_something

_EMPTY = """
Thanks a lot for that!
That sounds great, thank you
ok great thanks
Yes please do that
Write me a poem about cats
Good morning! How are you doing today
Can you explain to me how a diesel engine works
Vielen lieben Dank für die schnelle Hilfe!
Ja genau, das klingt wirklich gut
Schreib mir bitte ein Gedicht über Katzen
Guten Abend, schön dich kennenzulernen
No problem at all, that makes sense. Please translate this into French
what is the capital of France
"""
_TRAPS = """
The meeting with Bob is on Tuesday
Thanks to the new cleats my knee is fine
Good morning runs keep me sane
Great coffee in Porto, better than in Lisbon
Yes, the door code is 4711
Write novels in the evening, nurse by day
Please note that the invoice goes to the Graz office
Always answer in German
Please write shorter answers from now on
Write me a cover letter, I'm applying at Siemens
Thank you for reminding me that the flight leaves on Friday
Sounds from the street wake the baby
Guten Tag ist der Name der Bäckerei
Danke, der Termin ist jetzt am Donnerstag
Gut geschlafen habe ich seit Wochen nicht
Kannst du bitte notieren, dass die Miete am Ersten fällig ist
When the baby sleeps the phone is off
Help at the soup kitchen every Sunday
"""


@pytest.mark.parametrize("text", _EMPTY.strip().splitlines())
def test_thanks_assent_greetings_and_requests_say_nothing(text: str) -> None:
    assert not says_something(text)


@pytest.mark.parametrize("text", _TRAPS.strip().splitlines())
def test_what_states_something_is_no_small_talk_whatever_it_opens_with(text: str) -> None:
    assert says_something(text)


@pytest.mark.parametrize("text", _TRAPS.strip().splitlines())
def test_small_talk_beside_a_statement_takes_nothing_from_it(text: str) -> None:
    assert says_something(f"Thanks a lot! {text}. Write me a poem about cats.")


def test_phrases_that_repeat_are_read_in_linear_time() -> None:
    for phrase in ("so ", "do so ", "really very ", "thanks so much ", "the great ", "and ", "please "):
        assert says_something(phrase * 2000 + "my knee hurts again")
