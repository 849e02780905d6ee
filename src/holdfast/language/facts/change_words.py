"""The words of sentences that change a list, by the class of what they do."""

from __future__ import annotations

import re

from holdfast.language.facts.lexicon import COUNT as NUMBER
from holdfast.language.facts.lexicon import END, ORDINAL

OPERATIONS = {
    "S": (
        "swap switch exchange trade flip tausche tausch tauschen vertausche vertausch vertauschen drehe dreh"
    ),
    "X": (
        "remove delete drop strike cross kick scratch erase ditch lose axe toss throw scrap wipe"
        " clear forget empty reset discard gone out off away entferne entfern entfernen lösche lösch"
        " löschen streiche streich streichen wirf werfen schmeiß schmeiße raus heraus weg rausnehmen"
        " rauswerfen weglassen vergiss vergessen leere leer leeren"
        " gestrichen rausgeflogen fliegt runter verwerfe verwirf"
    ),
    "A": (
        "add append include insert squeeze füge füg hinzufügen hinzu dazu ergänze ergänz ergänzen"
        " aufnehmen rein trage trag häng hänge"
    ),
    "a": ("too also noch auch drauf"),
    "M": (
        "moves takes climbs jumps steigt "
        "put move place rank set shift bump push promote demote bring slide stick slot goes go come"
        " comes belongs should deserves must becomes setze setz setzen stelle stell stellen packe pack"
        " schiebe schieb schieben verschiebe verschieb verschieben rücke rück bewege beweg ordne"
        " gehört kommt soll sollte sollen muss rutscht wandert have"
    ),
    "P": (
        "replaces ersetzt "
        "replace substitute ersetze ersetz ersetzen rename change update correct make turn use call"
        " ändere änder ändern benenne benenn nenne nenn mach mache korrigiere korrigier called heißt"
        " meant meinte wechsle wechsel"
    ),
    "B": ("before above ahead vor über oberhalb overtaken overtakes überholt beats"),
    "F": ("after below behind under beneath nach hinter unter unterhalb"),
    "=": ("between zwischen"),
    "W": ("with by for into to durch gegen mit zu in as als"),
    "I": ("instead statt anstelle anstatt sondern"),
    "!": ("not never nicht kein keine keinen keiner isn't aren't don't doesn't none no"),
    "G": ("more mehr"),
    "E": ("all everything whole entire alle alles ganze ganzen completely komplett entirely both beide"),
    "&": ("and then und dann plus sowie , ; : but aber"),
    "J": ("it them him ihn sie es"),
    "T": ("take took nimm nehme nehmen get"),
    "?": (
        "reverse prefer bevorzuge loses drops falls fällt "
        "wrong falsch incorrect changed updated geändert overrated hate hates hasse dislike if wenn"
        " falls or oder"
    ),
}

"""The words of operations by the letter of their class; `?` marks a change that is not known."""
CLASS = {word: letter for letter, words in OPERATIONS.items() for word in words.split()}
FILLERS = frozenset(
    (
        "lieber rather besser"
        " the a an that this these those of on at from my mine me please pls i i'd i'm you can could"
        " would will is are be been was have has had now just actually really so well oh ok okay and"
        " right sorry hey hm up down back around place places spot position rank slot list lists"
        " ranking one ones item items favorite favorites favourite favourites fav favs number let's"
        " let want like love still again instead thanks thank very that's it's simply there here do"
        " does need needs to order also tbh honestly by way inside onto within among count counts any"
        " rid der die das den dem des ein eine einen einem einer mein meine meiner meinen meinem meins"
        " auf am ans zum zur im bei von vom aus für bitte mal doch jetzt nun ja nein ach nee"
        " eigentlich übrigens du kannst könntest würdest darfst ist sind war wird werden hat haben"
        " habe ich mir mich dir sein platz stelle rang nummer liste rangliste reihenfolge favoriten"
        " lieblings um ab bin danke inzwischen mittlerweile wieder einfach steht stehen kommen sollen"
        " gehören plätze nochmal mag magst möchte ganz sehr her hin da correction korrektur wait"
        " moment halt"
    ).split()
)
"""Words that change nothing of an operation."""
PHRASES = (
    (r"get rid of|take (?=(?:\S+ ){1,5}(?:off|out)\b)", "drop"),
    (r"(?:switch|swap|trade|change) places(?: with)?|(?:die |ihre )?plätze (?:zu )?tauschen", "swap"),
    (r"instead of|in place of|an stelle von", "anstelle"),
    (r"ahead of|in front of|right above", "above"),
    (r"right (?:after|behind|below)", "after"),
    (r"no longer|nicht mehr", "not more"),
    (r"any ?more|any longer", "more"),
    (r"(?:can|must|should|has to|needs to) go(?! (?:to|in|at|first|on|up|down|before|after|above))", "gone"),
    (r"(?:i|ich) (?:mean|meine)", "meant"),
    (r"everything else|all others|alle anderen|allen anderen", "everything"),
    (r"that much|so (?:gern|sehr)|at all|as well", ""),
)
"""Phrases that are read as one word."""
TOP = r"(?:very )?(?:top|front|start|beginning|head|spitze|anfang)|(?:nach )?(?:ganz )?(?:oben|vorne?)"
BOTTOM = r"(?:very )?(?:end|bottom|back|ende|schluss)|(?:nach )?(?:ganz )?(?:unten|hinten)"
POSITION = re.compile(
    r"(?P<to>(?:in )?(?:to|at|in|into|on|onto|as|auf|an|ans|zum|zur|zu|als|nach|be|am|up to|ganz) )?"
    r"(?:(?:my|the|die|den|das|der|dem|mein\w*|its) )?"
    r"(?:(?P<pair>(?:first|last|ersten|letzten) (?:two|zwei|beiden)|beiden (?:ersten|letzten))"
    r"|(?P<rank>#\s?\d{1,3}|(?:number|no\.?|nr\.?|nummer|platz|rang|rank|position|spot|place|slot|stelle)"
    rf" #?{NUMBER}|{ORDINAL}|{END})(?: (?:place|spot|position|rank|slot|one|item|entry|stelle|platz|rang"
    rf"|eintrag))?|(?P<top>{TOP})|(?P<end>{BOTTOM}))(?!\w)",
    re.IGNORECASE,
)
COUNT = re.compile(rf"#?{NUMBER}(?!\w)", re.IGNORECASE)
PRONOUNS = frozenset("i i'm i'd i've he she we they you ich er wir ihr man who what wer was there".split())
