"""The patterns of edits by speech: what is named, where it goes, and the verbs that move it."""

from __future__ import annotations

import re

from holdfast.language.facts.lexicon import POSITION

VALUE = r"(?P<value>[^?\n]{1,200}?)"
OTHER = r"(?P<other>[^?\n]{1,200}?)"
TARGET = (
    r"(?P<target>(?:,? (?:in|of|on|from|off|out of|to|into|onto|among|within|for|at|von|aus|in|zu"
    r"|auf|unter|bei|im|vom|zur|zum|an)) [^?\n]{1,120}?| meiner [^?\n]{1,80}?)?"
)
NTH = (
    rf"(?P<position>(?:(?:my|the|mein\w*|die|der|das|den|dem) )?{POSITION}(?: (?:one|place|spot"
    r"|position|item|entry|stelle|platz|position|eintrag|rang))?)"
)
TO = (
    r"(?:(?:to|at|in|into|on|as|auf|an|ans|zum|zur|zu|als|nach) )?(?:(?:my|the|die|den|das|der|mein\w*)"
    rf" )?(?:(?P<position>{POSITION})(?: (?:place|spot|position|rank|slot|one|stelle|platz|rang"
    r"|position))?|(?P<top>(?:very )?(?:top|front|start|beginning|head|anfang|spitze"
    r"|(?:ganz )?(?:nach )?(?:ganz )?(?:oben|vorne?)))|(?P<end>(?:very )?(?:end|bottom|back|ende|schluss"
    r"|(?:ganz )?(?:nach )?(?:ganz )?(?:unten|hinten))))"
)
BESIDE = (
    r"(?:(?P<before>before|above|ahead of|in front of|over|vor|über|oberhalb von)|(?P<after>after"
    r"|below|behind|under|underneath|following|nach|hinter|unter|unterhalb von)) "
    r"(?!(?:ganz )?(?:oben|unten|vorne?|hinten)\b)"
)
OFF = r"(?: (?:off|out|away|raus|heraus|runter|weg|wieder))?"
SOFT = re.compile(r"(?<=\w) (?:bitte|mal|doch|einfach|please|kindly|just)(?= \w)", re.IGNORECASE)
"""Words within an edit that change nothing of it."""
INFINITIVE = re.compile(
    r"(?P<rest>.+?) (?P<prefix>hinzu|dazu|ein|auf|um|aus|raus|heraus|weg|ab)?(?P<verb>fügen|nehmen|werfen"
    r"|benennen|tauschen|vertauschen|setzen|stellen|packen|schieben|verschieben|entfernen|löschen|streichen"
    r"|ersetzen|ändern|leeren|vergessen|ergänzen)$",
    re.IGNORECASE,
)
"""A German edit with its verb at the end: "Assam durch Mate ersetzen"."""
DENIED = re.compile(
    r"^(?:[\w']+ )?(?:not|never|nie)\b|\bnicht[\s.!]*$|\b(?:lieber|doch|noch) nicht\b", re.IGNORECASE
)
IMPERATIVES = {"nehmen": "nimm", "werfen": "wirf", "vergessen": "vergiss"}
STATED = re.compile(
    r"\b(?:should|must|goes|belongs|moves|soll|gehört|muss|kommt|instead of|statt|anstelle|no"
    r" longer|mehr|any ?more"
    r"|(?:to|at) the (?:very )?(?:top|end|bottom|front)|(?:zum|ans) (?:anfang|ende|schluss)"
    r"|nach (?:ganz )?(?:oben|unten|vorne?|hinten))\b"
)
"""Words of an edit without a verb of its own: "Assam should be second", "Mate nach oben"."""
LEAD = re.compile(
    r"^\W*(?:(?:please|pls|kindly|bitte|ok|okay|now|then|actually|so|and|also|hey|hm+|oh|wait"
    r"|well|alright|great|thanks|no|yes|and then|und|dann|jetzt|nun|also|doch|ach|nein|ja|danke"
    r"|sorry|on second thought|on second thoughts|by the way|btw|oh wait|no wait|moment"
    r"|übrigens)[,:;.!]* +"
    r"|(?:can|could|would|will) you (?:please |kindly |just |also )*|(?:i'd like (?:you )?to|i"
    r" want (?:you )?to|i would like (?:you )?to|let's|let me|you can|you may|you should|i'd|we"
    r" should|make sure to|be so kind and) (?:please )?"
    r"|(?:kannst|könntest|würdest) du (?:bitte |mal |mir |noch )*|(?:ich möchte|ich will|lass"
    r" uns|ich würde gern(?:e)?) )*",
    re.IGNORECASE,
)
TAIL = re.compile(
    r"(?:[,.]? (?:please|pls|bitte|thanks|thank you|danke|instead|now|again|for me|then|too|as"
    r" well|jetzt|stattdessen|noch|auch|wieder|mal|ok|okay|mehr))*[\s.!?,]*$",
    re.IGNORECASE,
)
DRIVES = (
    "put", "move", "place", "rank", "set", "shift", "bump", "push", "promote", "demote", "bring", "slide",
    "swap", "switch", "exchange", "replace", "substitute", "rename", "change", "make", "update", "remove",
    "delete", "drop", "take", "strike", "cross", "kick", "scratch", "erase", "get rid", "add", "append",
    "include", "insert", "squeeze", "clear", "forget", "wipe", "reset", "empty", "i no longer",
    "i don't have", "i do not have", "call", "correct", "turn", "setz", "stell", "pack", "schieb",
    "verschieb", "rück", "bewege", "ordne", "tausch", "vertausch", "ersetz", "wechsel", "benenn", "nenn",
    "änder", "mach", "entfern", "lösch", "streich", "nimm", "wirf", "schmeiß", "füg", "ergänz", "häng",
    "leer", "vergiss", "ich habe kein", "ich hab kein", "hab kein", "nimm", "trag", "stick", "slot", "throw",
    "rutsch", "schreib", "use ",
)  # fmt: skip
TRIGGER = re.compile(rf"(?:^|[\s,.])(?:{'|'.join(re.escape(verb) for verb in DRIVES)})", re.IGNORECASE)


OUTER = re.compile(
    r"(?P<target>(?:in|from|on|of|bei|aus|von|auf) (?:my|mein\w*) [^,?]{1,60}?),?"
    r" (?P<rest>(?:please |bitte )?[a-zäöü]+ .+)$",
    re.IGNORECASE,
)
INNER = re.compile(
    r"(?P<verb>[^\W\d]+) (?P<target>(?:in|from|aus|von|bei|zu) mein\w* [\w-]+) (?P<rest>.+)$", re.IGNORECASE
)
"""The list that is named before the edit: "In meinen Lieblingsfarben …"."""


def whole(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"^{pattern}$", re.IGNORECASE)


PUT = (
    r"(?:put|move|place|rank|set|shift|bump|push|promote|demote|bring|slide|insert|add|stick|slot|make|setze?"
    r"|stelle?|packe?|schiebe?|verschiebe?|rücke?|bewege?|füge?|nimm|trage?|ordne)(?: up| down|"
    r" back)?"
)
REMOVE = (
    r"(?:remove|delete|drop|take|strike|cross|kick|scratch|erase|get rid of|throw|entferne?|lösche?"
    r"|streiche?|nimm|wirf|schmeiße?)"
)
FROM = r"(?: (?:ein|hinzu|dazu|rein|auf|um|ab|zurück))?"
MANY = r"(?:my|the|mein\w*|die|der|das|all(?: of)? my|alle? meine|all)"
