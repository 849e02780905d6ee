"""Forms of English verbs, and words with which the same is said from the other side."""

from __future__ import annotations

from holdfast.language.statements.words import words

IRREGULAR: dict[str, tuple[str, str]] = {
    base: (past, done)
    for base, past, done in (
        line.split()
        for line in """
    begin began begun/break broke broken/bring brought brought/build built built/buy bought bought
    catch caught caught/choose chose chosen/cut cut cut/do did done/draw drew drawn/drive drove driven
    eat ate eaten/feed fed fed/find found found/fly flew flown/forget forgot forgotten
    forbid forbade forbidden
    freeze froze frozen/get got got/give gave given/grow grew grown/hide hid hidden/hit hit hit/hold held held
    keep kept kept/know knew known/lay laid laid/lead led led/leave left left/lend lent lent/lose lost lost
    make made made/mean meant meant/meet met met/pay paid paid/put put put/read read read/ride rode ridden
    run ran run/say said said/see saw seen/sell sold sold/send sent sent/set set set/shake shook shaken
    show showed shown/shut shut shut/speak spoke spoken/spend spent spent/split split split/steal stole stolen
    take took taken/teach taught taught/tell told told/think thought thought/throw threw thrown
    understand understood understood/wear wore worn/win won won/write wrote written
    """.replace("\n", "/").split("/")
        if line.strip()
    )
}
"""Past and participle of English verbs."""


def regular(verb: str, ending: str) -> str:
    """Returns an English verb with `ed`, `ing` or `s`."""
    if ending == "s":
        if verb.endswith(("s", "x", "z", "ch", "sh")):
            return verb + "es"
        return verb[:-1] + "ies" if verb[-1] == "y" and verb[-2] not in "aeou" else verb + "s"
    if verb.endswith("e"):
        return verb[:-1] + ending
    if ending == "ed" and verb[-1] == "y" and verb[-2] not in "aeou":
        return verb[:-1] + "ied"
    doubles = verb in ("begin", "run", "permit", "get", "put", "set", "cut", "shut", "hit", "win", "forget")
    return verb + (verb[-1] if doubles else "") + ending


def verb_forms(verb: str) -> tuple[str, ...]:
    past, done = IRREGULAR.get(verb, (regular(verb, "ed"),) * 2)
    return verb, regular(verb, "s"), regular(verb, "ing"), past, done


OPPOSITES = (
    "faster slower",
    "older newer",
    "older younger",
    "bigger smaller",
    "longer shorter",
    "higher lower",
    "taller shorter",
    "heavier lighter",
    "louder quieter",
    "warmer colder",
    "hotter colder",
    "cheaper dearer",
    "better worse",
    "stronger weaker",
    "wider narrower",
    "thicker thinner",
    "earlier later",
    "brighter darker",
    "richer poorer",
    "harder softer",
    "deeper shallower",
    "more less",
    "quicker slower",
    "schneller langsamer",
    "älter neuer",
    "älter jünger",
    "größer kleiner",
    "länger kürzer",
    "höher niedriger",
    "schwerer leichter",
    "lauter leiser",
    "wärmer kälter",
    "teurer billiger",
    "teurer günstiger",
    "besser schlechter",
    "stärker schwächer",
    "breiter schmaler",
    "dicker dünner",
    "früher später",
    "heller dunkler",
    "reicher ärmer",
    "härter weicher",
    "tiefer höher",
)
"""Comparatives: what is X-er than the other is that than which the other is Y-er."""
REVERSED: dict[str, frozenset[str]] = {}
for _pair in OPPOSITES:
    for _one, _other in (_pair.split(), _pair.split()[::-1]):
        REVERSED[_one] = REVERSED.get(_one, frozenset()) | {_other}
PLACED: dict[tuple[str, ...], tuple[str, ...]] = {}
for _line in (
    "before/after",
    "above/below",
    "north of/south of",
    "east of/west of",
    "in front of/behind",
    "to the left of/to the right of",
    "beside/beside",
    "opposite/opposite",
    "married to/married to",
    "identical to/identical to",
    "equal to/equal to",
    "adjacent to/adjacent to",
    "incompatible with/incompatible with",
):
    _left, _right = (tuple(side.split()) for side in _line.split("/"))
    PLACED |= {_left: _right, _right: _left}
"""Places and times: what is X the other is that of which the other is Y."""
GIVING = words("give send show tell pay lend offer hand bring email write teach sell owe grant")
CONVERSE = (
    ("sell", "to", "buy", "from"),
    ("lend", "to", "borrow", "from"),
    ("give", "to", "get", "from"),
    ("send", "to", "get", "from"),
)
"""Pairs of verbs for one act seen from both sides, each with its preposition."""
SIDES = (
    ("own", "belong", ("to",)),
    ("employ", "work", ("for",)),
    ("precede", "follow", ()),
)
"""Pairs of verbs for one relation seen from both sides, the second with its prepositions."""
CONVERSE_VERBS = frozenset(
    form
    for verb in (
        *(verb_form for row in CONVERSE for verb_form in row[::2]),
        *(verb_form for row in SIDES for verb_form in row[:2]),
    )
    for form in verb_forms(verb)
)
