"""Openings and closings that say nothing, and words that mark a language or open a phrase."""

from __future__ import annotations

import re

from holdfast.language.statements.words import words

ENGLISH_MARKS = words(
    """
    the and is are of to with for not does do doesn't don't has have must should from by this that these it
    we they you i he she our my your at on when if be can every all who which never always would could has
    will them their there than then but also into only no new it's use how what where don't i'm he's she's
    """
)
"""Frequent English words that are no German ones."""
GERMAN_MARKS = words(
    """
    der die das und ist nicht ein eine einen einem einer mit den dem des von zu auf für fuer im am zum zur
    wird werden wurde wurden hat haben sind bei nach aus wir er sie es kein keine keinen muss darf dürfen soll
    kann jede jeder jeden jedes alle nur vor ab um ich mein meine unser unsere sein ihr sich nie immer wenn
    weil dass als auch noch über bis ohne bitte danke uhr beim vom ans ins keiner niemand man diese dieser
    unter anderem seit gibt beträgt liegt heißt mag müssen können darf dürfen unsere unser euro
    """
)
"""Frequent German words that are no English ones."""

LEAD = re.compile(
    r"""(?ix)
    (?:(?:just\ )?(?:please\ )?(?:quick\ )?(?:note|reminder|remember|fyi|btw|nb|n\.b\.|heads[ -]?up
        |(?:one\ more|one|another)\ thing|(?:side|small)\ note|info|tip|important
        |for\ your\ information|note\ to\ self|just\ so\ you\ know|for\ the\ record|worth\ noting
        |hinweis|achtung|wichtig|notiz|merke|info|zur\ (?:info|erinnerung|kenntnis)
        |nur\ zur\ info|zur\ information
        |(?:bitte\ )?(?:beachten|beachte)|übrigens|p\.?\ ?s\.?)\s*[:!]
    |(?:fyi|btw|by\ the\ way|quick\ one|the\ thing\ is|(?:ok\ )?so\ the\ thing\ is
        |as\ i\ said|you\ know|just\ so\ you\ know|for\ the\ record|for\ your\ information
        |as\ a\ reminder|anyway
        |hey|hi|hello|hallo|oh|well|so|ok(?:ay)?(?:\ so)?|right|also|ach\ ja|na\ ja|übrigens
        |nebenbei(?:\ bemerkt)?|heads\ up)\s?,
    |(?:please\ )?note\ that\b|(?:please\ )?remember\ that\b|(?:please\ )?keep\ in\ mind\ that\b
    |(?:it\ is|it's)\ worth\ noting\ that\b|(?:please\ )?be\ aware\ that\b
    |just\ a\ (?:quick\ )?(?:note|reminder)[:,]
    |please\b|kindly\b|bitte\b,?(?!\s+beacht)
    )\s*"""
)
"""Openings that say nothing."""
TURNED = re.compile(r"(?i)(?:übrigens|nebenbei bemerkt)\s+(?=\w)")
"""German openings after which the verb comes before its subject."""
TRAIL = re.compile(
    r"(?i),? (?:please|thanks|thank you|many thanks|by the way|fyi|btw|bitte|danke|vielen dank)\s*[.!]*$"
)
FILLERS = words("please kindly actually bitte übrigens")
"""Words within a sentence that say nothing."""

OPENS = words(
    """
    and or but because if when unless until while whereas since before after i we you he she it they there
    always never not und oder aber denn sondern weil wenn dass da bevor nachdem während obwohl sobald bis
    falls
    """
)
"""Words before which a comma is insignificant."""
FRONTS = words(
    """
    on in at by for during after before until since within from under above every last next this because if
    when while once although without tomorrow yesterday today currently with unless
    """
)
"""English words that open a phrase or clause that may be first or last."""
GERMAN_FRONTS = words(
    """
    in im an am auf bei beim mit nach vor seit ab bis zu zum zur ohne unter über während jeden jede jedes
    jedem
    heute morgen gestern derzeit stets manchmal morgens mittags abends nachts vormittags nachmittags dort hier
    wenn weil falls sobald solange bevor nachdem obwohl da
    """
)
"""German words that open a phrase or clause that may be first."""
