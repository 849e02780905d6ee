"""The patterns of edits by speech: what is named, where it goes, and the verbs that move it."""

from __future__ import annotations

import re

from holdfast.language.facts.lexicon import COUNT, ORDINAL, POSITION, rank_named

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
SOFT = re.compile(r"(?<=\w),? (?:bitte|mal|doch|einfach|mir|please|kindly|just|actually|rather)(?= \w)")
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
    r"\b(?:should|must|goes|belongs|moves|soll|gehört|muss|kommt|kann weg|kannst|raus|rein|weg|dazu|out"
    r"|can go|zuerst|first|drauf|then|dann"
    r"|heißt|called|ist (?:jetzt|nun)|is now|before|after|vor|nach|hinter|places|plätze|auf platz|tauschen"
    r"|ditch|lose|trade|anfang|instead of|statt"
    r"|anstelle|anstatt|no"
    r" longer|mehr|any ?more"
    r"|(?:to|at) the (?:very )?(?:top|end|bottom|front)|(?:zum|ans) (?:anfang|ende|schluss)"
    r"|nach (?:ganz )?(?:oben|unten|vorne?|hinten))\b"
)
"""Words of an edit without a verb of its own: "Assam should be second", "Mate nach oben"."""
LEAD = re.compile(
    r"^\W*(?:(?:please|pls|kindly|bitte|lieber|nee|nö|ok|okay|now|then|actually|so|and|also|hey|hm+|oh|wait"
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
    r" well|jetzt|stattdessen|noch|auch|wieder|mal|ok|okay|mehr|actually|rather|lieber|doch))*[\s.!?,]*$",
    re.IGNORECASE,
)
DRIVES = (
    "put", "move", "place", "rank", "set", "shift", "bump", "push", "promote", "demote", "bring", "slide",
    "swap", "switch", "exchange", "replace", "substitute", "rename", "change", "make", "update", "remove",
    "delete", "drop", "take", "strike", "cross", "kick", "scratch", "erase", "get rid", "add", "append",
    "include", "insert", "squeeze", "clear", "forget", "wipe", "reset", "empty", "i no longer",
    "i don't have", "i do not have", "call", "correct", "turn", "setz", "stell", "pack", "schieb",
    "verschieb", "rück", "bewege", "ordne", "tausch", "vertausch", "ersetz", "wechs", "benenn", "nenn",
    "änder", "mach", "entfern", "lösch", "streich", "nimm", "wirf", "schmeiß", "füg", "ergänz", "häng",
    "leer", "vergiss", "ich habe kein", "ich hab kein", "hab kein", "nimm", "trag", "stick", "slot", "throw",
    "rutsch", "schreib", "use ", "häng", "dreh", "ditch ", "lose ", "trade ", "korrigier", "quetsch",
    "sortier", "tu ",
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


_X = r"(?P<x>[^?\n,]{1,80}?)"
_Y = r"(?P<y>[^?\n,]{1,80}?)"
_Z = r"(?P<z>[^?\n,]{1,80}?)"
_NAME = (
    r"(?:noch |auch |also )?(?P<x>(?-i:[A-ZÄÖÜ\d])(?:(?! (?:to|in|into|from|zu|aus|auf|von|on|at|after"
    r"|before|nach|vor|for|für|mit|with) )"
    r"[^?\n,]){0,50}?)"
)
"""A value with a capital letter, which an edit may bring in."""
_RANK = (
    rf"(?P<rank>(?:(?:my|the|mein\w*|die|der|das|den|dem) )?{POSITION}"
    r"(?: (?:one|place|spot|item|entry|stelle|platz|eintrag))?)"
)
_SHOULD = (
    r"(?: (?:should|must|has to|needs to|soll|sollte|muss|kommt|gehört|goes|belongs|comes|come|go|be|rather"
    r"|lieber|dann))*"
)
_OUT = r"(?:streichen|löschen|entfernen|rausnehmen|weglassen|rauswerfen|rausschmeißen)"
_SWAPS = r"(?:tausche?|vertausche?|swap|switch|exchange)"
_PLACES = r"(?: (?:their )?places| (?:die )?plätze)?"
_WITH_VERB = (
    (r"(?:take|throw|kick) (?:out )?{x}(?: out)? and put {y} in(?: its place)?", "replace {x} with {y}"),
    (r"(?:nimm|take|use|put) (?:statt|anstelle von|anstatt|instead of) {x},? (?:(?:lieber|bitte|jetzt"
     r"|doch) )*{y}",
     "replace {x} with {y}"),
    (r"(?:nimm|make it|use|take|put) {y} (?:statt|anstelle von|anstatt"
     r"|instead of) {x}", "replace {x} with {y}"),
    (r"mache? aus (?:dem |der )?{x} (?P<y>(?-i:[A-ZÄÖÜ])[^?\n,]{1,60})", "replace {x} with {y}"),
    (r"(?:swap|trade) {x} for {y}", "replace {x} with {y}"),
    (r"(?:wechsle?|wechsel) {x} gegen {y}(?: aus)?", "replace {x} with {y}"),
    (r"(?:ändere?|verändere?|korrigiere?|mache?) (?!my |mein){x} (?:in|zu|auf) (?!(?:nummer"
     r"|platz)\b){y}(?: um| ab)?", "replace {x} with {y}"),
    (r"call {x} (?P<y>Hq0\d+q)", "rename {x} to {y}"),
    (r"nenne? {x} (?:jetzt|nun|ab jetzt|lieber) {y}", "rename {x} to {y}"),
    (rf"(?P<verb>{REMOVE}|lose|{_SWAPS}) (?:the|die|den) (?P<end>first|last|ersten|letzten) (?:two|beiden"
     rf"|zwei)"
     r"(?: around| ones| raus| items| entries)?(?: from (?:my|the) list| von der liste)?", "two"),
    (rf"{_SWAPS} (?:them|the two|both|sie|die beiden|die zwei)(?: around| um)?", "swap #1 and #2"),
    (r"(?:lose|ditch|axe) {x}", "remove {x}"),
    (r"(?:trade|switch|swap) places (?:between|of) {x} and {y}", "swap {x} and {y}"),
    (r"drehe? {x} und {y} um", "swap {x} and {y}"),
    (rf"(?:{PUT}|squeeze|quetsche?|sortiere?)(?: in)? {{z}}(?: in| rein)? (?:between|zwischen) {{x}} (?:and"
     rf"|und) {{y}}(?: ein)?",
     "put {z} after {x}"),
    (rf"mache? {{x}} zu[rm]? (?:nummer|platz) (?P<rank>{COUNT})", "put {x} to #{n}"),
    (r"(?:nimm|nehme?|schreibe?|packe?|tue?|setze?|trage?|füge?) {name}(?: noch| auch| mit)*(?: (?:in"
     r"|auf) (?:die|meine) liste)?"
     r" (?:dazu|(?<=mit )auf|rein|hinzu|drauf)|(?:nimm|nehme?) {name3}(?: noch| auch)*(?: in (?:die"
     r"|meine) liste)? auf|(?:füge?"
     r"|trage?|setze?) {name4}(?: noch| auch)* ein|(?:nimm|nehme?|packe?|setze?|schreibe?) {name2}(?: noch"
     r"| auch"
     r"| mit)+ (?:in|auf) (?:die|meine) liste",
     "add also {x}"),
    (r"(?:add|append|include|ergänze?) {name}(?: too| as well| noch| auch)*", "add also {x}"),
    (r"(?:hänge?|packe?|setze?|add|append|put|füge?|tue?) (?P<x>(?-i:[A-ZÄÖÜ\d])[^?\n,]{0,50}?) (?:noch"
     r" )?(?:hinten an|hinten dran"
     r"|at the end|ans ende(?: dran)?|to the end)(?: (?:of|von) (?:the|der|my"
     r"|meiner) list(?:e)?)?", "add or end {x}"),
)  # fmt: skip
_WITHOUT_VERB = (
    (r"{x} (?:raus|out|weg),? (?:and |und |dafür )?{y} (?:rein|in|dafür|dazu)", "replace {x} with {y}"),
    (r"(?:statt|anstelle von|anstatt|instead of) (?:(?:the|der|des|dem|den|die) )?{x},? (?:(?:lieber|bitte"
     r"|jetzt|nimm|nehme ich|möchte ich"
     r"|hätte ich gern|will ich|doch"
     r"|use|put|take|i'd|i would|have|rather|like|want|i) )*{y}(?: nehmen| haben"
     r"| auf die liste)?", "replace {x} with {y}"),
    (r"(?:(?:lieber|nehmen wir|rather|have|ich meinte|ich meine|i meant|i mean) )*{y} (?:statt|anstelle von"
     r"|anstatt|instead of) {x}", "replace {x} with {y}"),
    (r"(?!my |mein){x} (?:heißt(?: jetzt| nun| eigentlich)?|is(?: now| actually)? called)"
     r" {y}", "rename {x} to {y}"),
    (rf"{_RANK} (?:should be|soll|ist jetzt|ist nun|is now|wird|becomes) {{y}}(?: sein"
     rf"| werden)?", "replace {rank} with {y}"),
    (r"{x} (?:raus|weg|fliegt raus|(?:kann|muss|soll|darf|kommt|can|must|has to|needs to) (?:weg|raus"
     r"|go)(?: from the list| von der liste)?"
     r"|gehört nicht(?: mehr)? dazu|out)", "remove {x}"),
    (rf"{{x}} (?:kannst|könntest|darfst) du {_OUT}|(?:du kannst|du darfst|du sollst) {{x2}} {_OUT}"
     rf"|{{x3}} {_OUT}", "remove {x}"),
    (r"(?:i (?:don't|do not) like|i'm done with) {x},? (?:any ?more),? (?:so )?(?:take|strike|cross|remove"
     r"|delete) it(?: off| from)?(?:"
     r" (?:the|my) list)?", "remove {x}"),
    (rf"{{x}} (?:and|und) {{y}}(?: should| sollen| können)?(?: bitte)? (?:swap|trade|switch|change|tauschen"
     rf"|vertauschen){_PLACES}",
     "swap {x} and {y}"),
    (rf"{{x}}{_SHOULD} (?P<side>before|above|after|behind|below|vor|hinter|über|nach) (?!(?:ganz )?(?:oben"
     rf"|unten|vorne?|hinten)\b){{y}}"
     r"(?: stehen| kommen| sein| einsortieren| setzen| stellen)?", "put {x} {side} {y}"),
    (rf"{{x}}{_SHOULD} (?:zuerst|als erstes|first|an den anfang|an die spitze)(?: haben| stehen| sein"
     rf"| kommen)?(?: der liste)?", "put {x} to the top"),
    (rf"{{x}}{_SHOULD} (?:zuletzt|als letztes|ans ende|an den schluss|zum schluss)(?: stehen| sein"
     rf"| kommen)?(?: der liste)?",
     "put {x} to the end"),
    (r"{x} (?:is|ist) (?:my|mein\w*) (?:number one|number 1|no\. ?1|#1|nummer eins"
     r"|nummer 1)", "put {x} to the top"),
    (rf"auf (?:den )?(?:platz|rang|nummer) (?P<rank>{COUNT}) (?:kommt|steht|soll|gehört)(?: jetzt| nun"
     rf"| dann)? {{x}}", "put {x} at number {n}"),
    (rf"{{x}} auf (?:platz|rang|nummer) (?P<rank>{COUNT}) (?:haben|sehen)", "put {x} to #{n}"),
    (rf"{{x}} (?:is|comes in at|ist) (?:my|mein\w*) (?P<rank>{ORDINAL}) fav\w*", "put {x} at number {n}"),
    (rf"{{name}}(?: (?:is|ist|in|at|an|auf|on|should|soll|sollte|muss|kommt|comes|goes|gehört|be|go"
     rf"|dann|lieber|doch|bitte|besser))+ (?P<rank>{ORDINAL}(?= place| stelle| platz)|(?:platz|number|nummer"
     rf"|#) ?{COUNT})"
     r"(?: place| stelle| platz)?(?: haben| stehen| sein)?", "put {x} at number {n}"),
    (r"{name}(?: bitte)?(?: noch| auch)*(?: (?:kommt|gehört|soll))?(?: noch| auch)* (?:dazu|rein|ergänzen"
     r"|hinzufügen|aufnehmen|auf die liste"
     r"|mit auf die liste|drauf|mit drauf|mit rein)", "add also {x}"),
    (r"{x} (?:gehört|zählt|belongs)(?: auch| noch| also)? (?:zu|to|in) (?P<y>(?:my"
     r"|mein\w*) .+)", "add {x} to {y}"),
)  # fmt: skip


def _compiled(forms: tuple[tuple[str, str], ...]) -> list[tuple[re.Pattern[str], str]]:
    parts = {
        "{x}": _X,
        "{y}": _Y,
        "{z}": _Z,
        "{name}": _NAME,
        "{name2}": _NAME.replace("<x>", "<x2>"),
        "{name3}": _NAME.replace("<x>", "<x3>"),
        "{name4}": _NAME.replace("<x>", "<x4>"),
        "{x2}": _X.replace("<x>", "<x2>"),
        "{x3}": _X.replace("<x>", "<x3>"),
    }
    compiled = []
    for pattern, form in forms:
        for name, part in parts.items():
            pattern = pattern.replace(name, part)
        compiled.append((re.compile(rf"^(?:{pattern})$", re.IGNORECASE), form))
    return compiled


_REWRITES = _compiled(_WITH_VERB), _compiled(_WITHOUT_VERB)
"""Other ways to say an edit, with a verb in front and without one."""


EDIT_MAX = 100
"""Characters of an edit that is said in another way."""


def rewritten(plain: str) -> str:
    """Returns an edit that is said in another way in the form that the rules of edits read."""
    if len(plain) > EDIT_MAX:
        return plain
    for pattern, form in _REWRITES[0 if TRIGGER.match(plain) else 1]:
        match = pattern.match(plain)
        if match is None:
            continue
        groups = {key.rstrip("234"): value for key, value in match.groupdict().items() if value}
        if form == "two":
            pair = ("#1", "#2") if groups["end"].lower() in ("first", "ersten") else ("#-2", "#-1")
            is_swap = groups["verb"].lower().startswith(("tausch", "vertausch", "sw", "exchange"))
            return f"{'swap' if is_swap else 'remove'} {pair[0]} and {pair[1]}"
        if "{n}" in form:
            groups["n"] = str(rank_named(groups["rank"]) or groups["rank"])
        return form.format(**groups)
    return plain
