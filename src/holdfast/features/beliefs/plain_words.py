"""Words that name nothing of what is believed: of leaving, of time, and little ones; and words for meat."""

from __future__ import annotations

LEAVING = frozenset(
    "quit quitting left leaving leave gave given up handed put turned in notice resignation resigned from"
    " job position post work role company employer new old current gekündigt verlassen kündigung eingereicht"
    " habe hab abgegeben arbeit stelle arbeitgeber firma moved move moving out away ausgezogen weggezogen"
    " aus".split()
)
"""Words with which somebody says that they left, and which name nothing."""
WHEN = frozenset(
    "next this coming soon some day tomorrow later before after until by year month week weekend summer"
    " winter spring autumn fall january february march april may june july august september october"
    " november december now finally nächste nächster nächstes nächsten bald jahr monat woche sommer winter"
    " frühling herbst januar februar märz mai juni juli oktober dezember irgendwann endlich dieses diesen"
    " diese".split()
)
"""Words that say for when something is planned."""
MEAT = frozenset(
    "meat chicken fish beef pork steak burger fleisch fisch huhn hähnchen wurst schinken".split()
)
STOP = frozenset(
    "a an the my our your to of in on at for with and or as very really some any much many more too i me it"
    " is am ein eine einen einem einer der die das den dem im in am an auf bei mit und oder als zu von mein"
    " meine sehr ich es".split()
)
