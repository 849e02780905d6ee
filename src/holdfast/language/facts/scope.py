"""Decides whether a clause is stated as true now: not asked, denied, supposed, quoted, reported or past."""

from __future__ import annotations

import re

QUESTION = re.compile(
    r"^\W*(?:(?:so|and|but|ok|okay|wait|hey|hi|well|und|aber|also|na|du|bitte|please)[,:]? ){0,2}"
    r"(?:am|are|is|were|was|aren't|isn't|weren't|wasn't|do|does|did|don't you|doesn't|didn't|have|has|had"
    r"|haven't|hasn't|which|who|whose|why|how|what|what's|where|when|should|could|would|can"
    r"|will|shall|may|might"
    r"|sind|ist|war|waren|wäre|wären|soll|sollte|sollten|könnte|könnten|kann|kannst|hast|habe"
    r" ich|hab ich|was|wer"
    r"|welche[rsnm]?|wie|warum|wieso|weshalb|wo|wann|weißt|weisst|meinst|glaubst|findest|magst|stimmt)\b",
    re.IGNORECASE,
)
"""The opening of a question."""
_SUPPOSED = re.compile(
    r"\b(?:imagine|imagining|suppose|supposing|pretend|pretending|assume|assuming|say that"
    r" (?=my)|let's say|what if"
    r"|even if|if|unless|whether|in case|(?:verify|check|confirm)(?: (?:that|whether))?$|right"
    r" that|true that|correct that"
    r"|sure that|guess(?:ing)? (?:that|what)|for example|for instance|e\.g|i\.e|such as|example"
    r"|examples|sample|template|placeholder"
    r"|hypothetically|theoretically|wish|wished|never (?:said|told|claimed|mentioned)|not true"
    r"|untrue|not say|not said|didn't say"
    r"|false that|wrong that|a lie that|in (?:my|the|this|our|some) (?:test|example|sample|code"
    r"|demo|fixture|mock|dummy)(?: \w+)?|as if|doubt|used to|wonder(?:ing)?|pick|help me|how"
    r" (?:do|can|to)"
    r"|nimm an|angenommen|stell dir vor|gesetzt den fall|falls|wenn|ob|sofern|zum beispiel"
    r"|beispielsweise|z\.\s?b"
    r"|nie gesagt|nicht wahr|stimmt nicht|stimmt es|nicht gesagt|behaupte(?:t|n)? nicht"
    r"|hypothetisch|wünschte|als ob|tu so|tun wir so)(?!\w)",
    re.IGNORECASE,
)
_TASK = (
    r"translate|translating|spell|rewrite|rephrase|reword|paraphrase|summari[sz]e|proofread"
    r"|improve|shorten|edit|correct"
    r"|fix the|parse|classify|regex|grammar|sentence|sentences|phrase|unit test|test case"
    r"|fixture|assert|prompt"
    r"|übersetze?n?|korrigiere?n?|formuliere?n?|umformulieren|verbessere?n?|kürze?n?|fasse?"
    r" .{0,30}zusammen|satz|sätze|grammatik"
)
_TASKS = re.compile(rf"\b(?:{_TASK})\b", re.IGNORECASE)
_ON_TEXT = re.compile(
    rf"\b(?:{_TASK})\b.{{0,30}}\b(?:this|that|it|the (?:above|sentence|text|following|paragraph"
    r"|line)|following|above|dies(?:en|es)?|das|den (?:satz|text)|folgende[nsr]?)\b"
    r"|^\W*(?:translate|übersetze?)\b",
    re.IGNORECASE,
)
_PLAYED = re.compile(
    r"\b(?:act(?:ing)? (?:as|like)|role-?play(?:ing)?|you are now|you're now|persona"
    r"|character(?: says| named| called)?|villain|hero says|protagonist|narrator"
    r"|in (?:the|this|that|a|my|our) (?:story|tale|novel|book|game|film|movie|play|dream|scene"
    r"|poem|song|lyrics|script|dialogue)"
    r"|(?:write|compose|draft|make up|invent|tell|generate|create)(?: me| us)? (?:an?|the|some)"
    r" (?:[\w-]+ ){0,3}"
    r"(?:poem|story|song|letter|essay|e-?mail|dialogue|scene|script|limerick|haiku|sketch|post"
    r"|bio|profile|tweet|caption|slogan|ad|speech|joke|monologue|review|questionnaire|survey"
    r"|quiz)"
    r"|spiel(?:e)? (?:die|eine) rolle|rollenspiel|figur|im (?:roman|buch|film|spiel|traum|lied"
    r"|gedicht|stück)|in (?:der|einer|dieser|meiner) (?:geschichte|szene|serie|erzählung)"
    r"|(?:schreib|verfass|erfinde?|dichte?|entwirf|erzähl)\w* (?:mir |uns )?(?:ein|eine|einen"
    r"|das|die|den) (?:[\wäöüß-]+ ){0,3}"
    r"(?:gedicht|geschichte|lied|brief|aufsatz|e-?mail|dialog|szene|slogan|rede|witz|text"
    r"|beitrag|profil|satz))\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:when (?:i|we) w(?:as|ere)|years ago|back then|back in|in those days|growing up|once upon"
    r"|as an? (?:child|kid|boy|girl|teen(?:ager)?|student|baby|toddler)|in my (?:childhood"
    r"|youth|twenties|teens)|before i (?:was|moved|had|met)"
    r"|als ich (?:\w+ ){0,4}war|als (?:kind|jugendliche[rn]?|student(?:in)?|teenager|bub"
    r"|mädchen|junge)|früher|damals|vor (?:\w+ )?jahren|in meiner (?:kindheit|jugend))\b"
    r"|^\W*(?:last (?:year|month|week|summer|winter|spring|autumn|fall|time)|in (?:19|20)\d\d"
    r"|letzte[sn]? (?:jahr|monat|woche|sommer|winter))\W*$",
    re.IGNORECASE,
)
_SAY = (
    r"(?:says?|said|saying|claim(?:s|ed)?|tells?|told|thinks?|thought|believe[sd]?|wr(?:ites?"
    r"|ote|itten)|insist(?:s|ed)?"
    r"|repl(?:y|ies|ied)|answer(?:s|ed)?|shout(?:s|ed)?|whisper(?:s|ed)?|quote[sd]?|lie[sd]?"
    r"|texted|mentions?|mentioned"
    r"|reads?|goes|announce[sd]?|declare[sd]?|swears?|swore|assume[sd]|reckons?|argues?|posted"
    r"|tweeted|asked|asks"
    r"|sagt(?:e|en)?|meint(?:e|en)?|behauptet(?:e|en)?|schrieb(?:en)?|schreibt|erzählt(?:e|en)?"
    r"|glaubt(?:e|en)?|denkt|dachte|antwortet(?:e)?|fragt(?:e)?|gesagt|geschrieben|erzählt)"
)
_REPORTED = re.compile(
    r"(?<![\w'])(?P<who>[\w']+)(?: (?:has|have|had|will|would|always|once|just|also|then|still"
    rf"|hat|haben|hatte)){{0,2}} {_SAY}\b"
    rf"|\b(?:hat|haben|hatte|hatten)\b.{{0,40}}\b(?:gesagt|geschrieben|erzählt|behauptet|gemeint)\b"
    r"|\b(?:according to|rumou?r|allegedly|supposedly|reportedly|apparently|they say|people"
    r" say|laut|angeblich|es heißt|man sagt|gerüchte?)\b"
    rf"|(?<![\w'])(?:{_SAY}) (?:he|she|they|er|sie)\b",
    re.IGNORECASE,
)
_SPEAKERS = frozenset(
    "dir euch ihnen doch i we i've i'd i'll we've don't didn't haven't already and to me let"
    " that as ich wir habe"
    " hab schon you du just"
    " you've also always still once you'd".split()
)
"""Words before a verb of saying that make the user, or nobody, the speaker."""
_OF_OTHERS = re.compile(r"\b(?:hat|haben|hatte|hatten)\b", re.IGNORECASE)
_UNKEPT = re.compile(
    r"\b(?:(?:don't|do not|never|please don't) (?:save|store|keep|remember|record|note|write)"
    r"|forget (?:that|it|about|when)|ignore (?:that|it|what)|disregard|i lied|i was lying|off the record"
    r"|nicht (?:speichern|merken|notieren)|(?:speichere?|merke?) (?:dir )?(?:das )?nicht"
    r"|vergiss,? dass|ignoriere?)\b",
    re.IGNORECASE,
)
_RETRACTED = re.compile(
    r"\b(?:(?:just |only )?(?:kidding|joking)|jk|not any ?more|no longer"
    r"|(?:is|are|was|were) (?:false|wrong|untrue|a lie|a joke|made up)|never ?mind|scratch that"
    r"|or are they|or is it"
    r"|forget (?:that|it)|i lied|is (?:that|this|it) (?:right|correct|true|so)|(?:said|says"
    r"|wrote|claimed) \w+"
    r"|nur spaß|war (?:nur )?(?:ein )?(?:witz|scherz)|nur ein (?:witz|scherz)|spaß beiseite"
    r"|stimmt das|vergiss (?:das|es)|nicht mehr|sagt[e]? \w+)(?!\w)",
    re.IGNORECASE,
)
_TAGGED = re.compile(
    r"\?$|[,;–—-] ?(?:right|correct|yes|no|not|ok|okay|true|is(?:n't| not) (?:it"
    r"|that)[a-z ]{0,12}|aren't they|lol not"
    r"|is that (?:right|so)|don't you think|or not|oder|oder nicht|richtig|stimmt's|nicht wahr"
    r"|ne|nicht|gell|haha nicht)[.!]?$"
    r"|\bif (?:i|you|we|it|they|he|she|that)\b|\b(?:would|could|might) be\b|\bin (?:this|that"
    r"|the) (?:scenario|example|story|case|hypothetical|game|test)\b|\bpretend\b|\bnot!$",
    re.IGNORECASE,
)
_SELF = re.compile(
    r"\b(?:i|i'm|i've|i'd|i'll|me|my|myself|we|you|your|fyi|note|record|update|updated"
    r"|correction|info|information|list|here|hier|remember|save|store|memo"
    r"|memory|preferences?|favou?rites?|profile|ranking|answer|confess|fact|facts|ich|mich|mir"
    r"|mein\w*|du|dir|merke?|notier\w*|notiz|speicher\w*|liste|rangliste|antwort"
    r"|korrektur|nachtrag|vorlieben|favoriten|ps|p\.s|edit|btw|reminder|about|now|today|anyway"
    r"|ok|okay|well|also|so)\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"(?:^|[\s,;:.!?—–-])(?:that|these are|those are|this is|here are|here's|here is|here|there"
    r" are|are|is|that's|it's|remember|note|save|store|know|update|updated|about"
    r"|list|listing|ranking|rank|of|for|think|thinking|say|said|believe|because|since|as|so"
    r"|well|actually|and|but|or rather|also|record|now|then|meaning|with|share|sharing"
    r"|tell you|told you|give you|gave you|sure|honestly|definitely|currently|today|lately"
    r"|though|anyway|by the way|btw|changed|change|add|adding|yes|yeah|no|yep|hey|hi|hello"
    r"|guess|mean|meant"
    r"|ranked|zu|among|amongst|unter|auf platz (?:eins|1)|an erster stelle|(?:number one|number"
    r" 1|no\. ?1|#1|first|first place|top|the top|nummer eins|platz"
    r" eins|platz 1|ganz oben) (?:on|in|of|among|auf|bei|unter)|dass|das sind|dies sind|dies"
    r" ist|das ist|hier sind|hier|hier ist|hier kommen|sind|ist"
    r"|merk dir|merke dir|notiere|notier|speichere|speicher|weißt|denn|weil|und|aber|also|nun"
    r"|jetzt|übrigens|tja|ja|nein"
    r"|inzwischen|mittlerweile|aktuell|derzeit|momentan|zurzeit|heute|seit kurzem|neuerdings"
    r"|eigentlich|ehrlich gesagt|außerdem|auch|für|von|über|liste|na)$",
    re.IGNORECASE,
)
"""Words right before a topic after which it is still stated by the speaker."""
_BOUNDARY = re.compile(
    r"[,;.!?—–)…&-]\s*$|(?:^|[,;\s])(?:and|but|while|whereas|though|although|und|aber|während|wobei|doch)$",
    re.IGNORECASE,
)


def is_transparent(before: str) -> bool:
    """Checks whether the text before a topic in its sentence leaves it a statement of the speaker."""
    plain = before.replace("\u2019", "'").strip(" \t\"'*_>(")
    if not plain:
        return True
    if _SUPPOSED.search(plain) or _PAST.search(plain) or _PLAYED.search(plain) or _UNKEPT.search(plain):
        return False
    if is_reported(plain):
        return False
    last = re.split(r"[.!?,;]\s+|\s[–—-]\s", plain)[-1]
    if QUESTION.match(last) and not re.match(
        r"(?:can|could|would|will|kannst|könntest) (?:you|du)\b|\W*(?:is|are|ist|sind)$", last, re.IGNORECASE
    ):
        return bool(_BOUNDARY.search(plain)) and not QUESTION.match(plain)
    if re.search(r"\b(?:not|n't|never|nicht|kein\w*|nie|niemals)$", plain, re.IGNORECASE):
        return False
    if plain.endswith(":"):
        return bool(_SELF.search(last)) and not _TASKS.search(plain)
    return bool(_BOUNDARY.search(plain) or _OPEN.search(plain))


def is_reported(before: str) -> bool:
    """Checks whether the text attributes what follows to another speaker."""
    return any((match["who"] or "").lower() not in _SPEAKERS for match in _REPORTED.finditer(before))


def is_tagged(sentence: str) -> bool:
    """Checks whether the end of a sentence asks for agreement or takes the sentence back."""
    return bool(_TAGGED.search(sentence.replace("\u2019", "'").strip(" \t\"'")))


def is_retracted(after: str) -> bool:
    """Checks whether the text after a statement takes it back, or is a task on it."""
    plain = after.replace("\u2019", "'")
    return bool(_RETRACTED.search(plain) or _ON_TEXT.search(plain))


def is_task(before: str) -> bool:
    """Checks whether earlier sentences of a message make what follows a text to work on."""
    plain = before.replace("\u2019", "'")
    return bool(
        _ON_TEXT.search(plain)
        or re.search(
            r"\b(?:act as|role-?play|pretend|imagine|suppose|stell dir vor|angenommen|tu so|rollenspiel)\b",
            plain,
            re.IGNORECASE,
        )
    )
