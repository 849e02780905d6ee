"""Decides whether a topic in a sentence is stated by the speaker, as true now.

What precedes it must be understood: words that change nothing (`opens`), or a clause of the speaker's
own that is complete in itself (`is_aside`). A text to work on, a part to play, irony and a blank make nothing
of a message a statement (`is_unmeant`), and what follows may take a statement back (`is_retracted`).
"""

from __future__ import annotations

import re

_OPENER = (
    # words that open a sentence in speech
    r"hands down|no contest|(?:das )?stimmt (?:so )?nicht(?: mehr)?|that's no longer true"
    r"|well|nah|nee|nö|quatsch|unsinn|halt|stopp|still|same here|me too|glaub mir|zugegeben"
    r"|ich gebe (?:ja )?zu|kurz notiert|zum vergleich|so+|nee"
    r"|nö|here goes|fun fact|hot take|after (?:much|some) thought|it may surprise you"
    r"|don't laugh|i've decided|scratch that|that's (?:wrong|not right|not true)|autocorrect|i meant|ok|okay"
    r"|so|u+m+|u+h+|h+m+|a+h+|o+h+|hey|hi|hello|yo|bruh|omg|dude|man|dear|folks|guys|there|again|sure|yes"
    r"|yeah|yep|no|nope|right|alright|and|but|also|plus|then|anyway|btw|by the way|fyi|ps|p\.s\.|lol|sorry"
    r"|wait|oops|thanks|thank you|please|pls|just|too|good (?:morning|evening|afternoon|day)"
    r"|hope you are well"
    # how it is meant
    r"|honestly|frankly|tbh|to be (?:honest|clear|precise)|personally|actually|basically|clearly|of course"
    r"|obviously|in fact|without (?:a )?doubt|for me|as for me|these days|nowadays|lately|currently"
    r"|at the moment|right now|now|all in all|overall|in general|in short|in case you (?:wonder|wondered"
    r"|care)|if you(?: must|'d like to| want to)? (?:know|ask|wonder)(?: me)?|if you're (?:wondering|curious)"
    # that it is to be kept
    r"|update|quick (?:update|note|fact)|correction|edit|note(?: to self)?|memo|reminder|remember|save|store"
    r"|record|keep in mind|don't forget|my answer|answer|fact|facts?(?: about me)?|about me|for (?:the|your"
    r"|my) (?:record|records|information|memory|profile)|just so you know|so you know|(?:as )?you(?: should"
    r"| may| might)? know|as i (?:said|told you|mentioned)|let me tell you|let the record show"
    r"|since you (?:asked|ask)|(?:to answer|answering) your question|you asked(?: me)?(?: for| about)?"
    r"|it's true|it is true|that|this|these|those|here|here are|here is|here's|these are|this is|those are"
    r"|they are|everyone knows|the (?:list|order|ranking) of|list of|list|ranking|rank|a list of"
    r"|i rank(?:ed)?|i(?:'ve| have) (?:updated|changed|ranked)"
    r"|(?:i|we)(?:'ve| have)?(?: already| just)? (?:told|tell) you(?: already| before)?|i(?:'ve"
    r"| have) been meaning to (?:tell you|say)(?: this)?(?: for ages)?|i(?: must| have to| want to| wanted to"
    r"| would like to| should| can|'d like to|'ll| will) (?:say|tell you|add|mention|note|admit|confess"
    r"|share)|i(?:'d| would)? (?:say|think|believe|guess|admit|confess|mean|meant)|(?:can|could|would"
    r"|will) you(?: please)?|(?:i'd"
    r"|i would) like (?:you )?to"
    r"|i want (?:you )?to|you should|(?:please |also )?(?:remember|note|know|memori[sz]e|write down"
    r"|put down)(?: for me)?"
    # German
    r"|ja|nein|nee|na|tja|ach|aha|ähm?|öhm?|also gut|also|nun|und|aber|doch|denn|ey|hallo|moin|servus|du"
    r"|guten"
    r" (?:morgen|tag|abend)|übrigens|bitte|ehrlich|ehrlich gesagt|außerdem|zur info|info|fürs protokoll"
    r"|(?:nur )?damit du(?:'s| es)? weißt|wie (?:du weißt|gesagt)|notiere?(?: dir)?|merke? dir|speichere?"
    r"|korrektur|nachtrag|notiz|mal|hier|hier sind|hier ist|hier kommen|das sind|dies sind|das ist"
    r"|ich (?:glaube|denke|finde|meine|muss sagen|würde sagen)|ich habe? dir (?:schon |ja )?(?:gesagt"
    r"|erzählt)|dass|weil|du weißt(?: ja)?|(?:kannst|könntest|würdest) du(?: dir)?|merken|speichern|danke"
    r"|aktuell|derzeit|momentan|zurzeit|inzwischen|mittlerweile|jetzt|neuerdings|eigentlich|für mich|bei mir"
    r"|seit kurzem|auch|von|die liste|liste|meine rangliste"
)
_OPENERS = re.compile(rf"(?:(?:{_OPENER})(?:[\s,:;.!–—-]+|$))*", re.IGNORECASE)
_BOUNDARY = re.compile(
    rf"(?:[,;!.)]|\s[–—-]|:\)|\.{{2,}})\s*(?:(?:{_OPENER})(?:[\s,:]+|$))*$|\s(?:and|but|so|while|whereas"
    rf"|though|und|aber"
    r"|während|doch)\s*$",
    re.IGNORECASE,
)
_NO_ASIDE = re.compile(
    r"^\W*(?:in|on|at|for|during|after|before|since|once|when|while|if|unless|whether|as|though|although"
    r"|suppose|say|maybe|perhaps|assuming|given|subject|back|according|today|tonight|yesterday|tomorrow|last"
    r"|next|until|till|like|with|without|among|of|from|to|whatever|whenever|because|until|neither|not|never"
    r"|imagine|pretend|google|there|im|in|am|an|auf|bei|mit|als|wenn|falls|während|nach|vor|seit|seitdem|bis"
    r"|ob|obwohl|sobald|laut|angenommen|vielleicht|vllt|womöglich|heute|gestern|morgen|damals|früher"
    r"|angeblich|unter|trotz|ohne|was|wer|wie|warum|wo|what|who|which|why|how|where|do|does|did|is|are|can"
    r"|could|would|should|will|am)\b",
    re.IGNORECASE,
)
"""Words that begin a part of another clause and no clause of its own."""
_OPEN_CLAUSE = re.compile(
    r"\b(?:if|unless|whether|suppose|supposing|imagine|imagining|pretend|assum\w+|what if|say that|let's say"
    r"|example|e\.g|i\.e|such as|sample|template|placeholder|hypothetical\w*|theoretical\w*|wish\w*|doubt\w*"
    r"|wonder\w*|lied|lying|not true|untrue|false|wrong|forget|ignore|disregard|pick|choose|guess|help me"
    r"|prompt|worksheet|lyrics?|draft|essay|goes|horoscope|angenommen|stell dir|falls|wenn|ob|sofern"
    r"|zum beispiel|beispielsweise|z\.\s?b|hypothetisch|wünschte|als ob|tu so|behaupt\w+|formular|lückentext"
    r"|beispielsatz|aufsatz)\b"
    r"|\b(?:don't|do not|never|nicht|didn't) (?:save|store|keep|remember|record|note|write|speichern"
    r"|merken)\b|\b(?:says?|said|saying|claim\w*|swears?|swore|thinks|(?<!i )(?<!don't )think|thought"
    r"|believe[sd]|wrote|writes|insist\w*|repl(?:y|ies|ied)|answer(?:s|ed)|shout\w*|whisper\w*|quote[sd]?"
    r"|texted|mentions|reads|announce[sd]?|declare[sd]?|reckons?|argues?|posted|tweeted|asks|asked (?!for\b)"
    r"|voted|states?|stated|keeps? telling|tells|told (?:me|us|him|her|them)|sagt\w*|meint\w*|schrieb\w*"
    r"|schreibt|erzählt\w*|glaubt\w*|denkt|dachte|antwortet\w*|fragt\w*|steht|gesagt|geschrieben)\b",
    re.IGNORECASE,
)
"""What makes a clause lead over to words that are supposed, reported or denied."""
_FINITE = re.compile(
    r"\b(?:am|i'm|is|it's|are|we're|have|has|had|i've|do|don't|like|likes|love|loves|hate|hates|need|want"
    r"|wants|live|lives|work|works|went|saw|wrote|made|got|know|asked|enjoy|play|plays|prefer|can|will|eat"
    r"|drink|\w{2,}ed|bin|ist|sind|habe|hab|hat|mag|mögen|liebe|liebt|hasse|wohne|arbeite|war|waren|ging|gehe"
    r"|esse|trinke|spiele|kann)\b",
    re.IGNORECASE,
)
_SELF = re.compile(r"\b(?:i|i'm|i've|i'd|me|my|you|your|we|ich|mir|mich|mein\w*|du|dir)\b", re.IGNORECASE)
_ROLE = re.compile(
    r"^\W*act (?:as|like)\b|\b(?:role-?play\w*|rollenspiel\w*|pretend\w*|(?<=[.!?:,;] )act (?:as|like)"
    r"|(?:please|you|to|and|should|now) act (?:as|like)|personas?\b"
    r"|(?:you are|you're|du bist)(?: now| jetzt)? (?:an? (?:pirate|bot|\w+ named)|(?-i:[A-ZÄÖÜ])\w+)"
    # both sides of a play: "you be the waiter, I'm a tourist"
    r"|(?:you(?:'re| are| be| play)|ur|u r|u be|du (?:bist|spielst)|sie sind)(?: now| jetzt)?"
    r" (?:an?|the|my|mein\w*|eine?|der|die|das)"
    r" (?!great|big|huge|real|true|star|legend|gem|treasure|life|schatz|engel)[^.!?\n]{1,60}?(?:,| and| und)+"
    r" (?:i(?:'m| am|'ll be|'ll play)|im|ich (?:bin|spiele))\b"
    r"|(?:answer|respond|reply|antworte\w*) (?:me |mir )?(?:as|als) (?:an?|the|my|eine?|der|die|mein\w*)\b"
    r"|spiele? (?:mit|die rolle)|play (?:the (?:role|part) of|a role as)"
    r"|tu so|tun wir so|so tun,? als"
    r"|in (?:this|the|my) (?:story|scene|dream|novel|script|play|game,? (?:i|you|we|my))\b"
    r"|in (?:dieser|der"
    r"|meiner) (?:geschichte|szene)"
    r"|in meinem (?:aufsatz|text|roman|traum)|i'm a (?:pirate|knight|king|wizard|robot|dragon|vampire)"
    r"|\b(?:i am|i'm|im|tis i,?|ich bin(?: die| der)?|mein name ist|my name is)"
    r" (?-i:Detective|Inspector|Captain|Lord|Count|Baron|Duke|King|Queen|Prince|Princess|Sir|Agent"
    r"|Kommissar(?:in)?|Inspektor|Kapitän|Graf|Gräfin|König|Königin|Prinz|Prinzessin|Ritter) (?-i:[A-ZÄÖÜ]))",
    re.IGNORECASE,
)
"""What assigns a role, or names a world that is invented."""
_SUPPOSED = re.compile(
    r"\b(?:imagine,? (?:that|my|if|you|an?|being|we|i)|(?<!i )(?<!we )suppose\b|supposing\b|let's say"
    r"|stell dir vor|angenommen|nehmen wir an|nimm an|gesetzt den fall)",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"(?:^|[.!?:\n]\s*|\b(?:please|bitte|can you|could you|help me(?: to)?|kannst du|könntest du"
    r"|du sollst) )(?:me |mir |mal )?(?:translate|rewrite|rephrase|reword|paraphrase|summari[sz]e|proofread"
    r"|improve|shorten|correct (?!my|to)|spell|continue|complete|fill in|read aloud|repeat|mark this"
    r"|analy[sz]e|parse|classify|act as|write|compose|draft|make up|invent|generate|übersetze?|korrigiere?"
    r"|formuliere?|verbessere?|kürze|fasse|vervollständige?|ergänze den|schreibe? (?:mir |uns )?(?:das|die"
    r"|den|eine?n?)|verfasse?|dichte|erfinde?|entwirf)\b(?! down| that down)|\b(?:translate|rewrite|rephrase"
    r"|summari[sz]e|proofread|correct|improve|fix|spell|übersetze?|korrigiere?|verbessere?)\b.{0,30}\b(?:this"
    r"|that|it|the (?:above|sentence|text|following|paragraph|line)|grammar|spelling|dies\w*|das|den (?:satz"
    r"|text)|folgende\w*)\b"
    r"|\b(?:worksheet|fill in the blanks?|lückentext|beispiels(?:atz|ätze)|example (?:sentence|answer)s?"
    r"|unit test|fixture|seed data|test data|the prompt|template|vorlage|is it correct to say|heißt es)\b"
    r"|\blesson \d",
    re.IGNORECASE,
)
_IRONY = re.compile(
    r"[\U0001f644\U0001f643\U0001f60f]|(?:^|\s)/s\b|\b(?:yeah,? right|as if|von wegen|iron(?:y|ie|ic\w*"
    r"|isch\w*)|sarcas\w+|sarkas\w+)\b|\bsaid (?:no one|nobody)\b|\b(?:ha(?:ha)+|lol|hehe)\W+(?:no|not|nope"
    r"|nein|nicht|nee)\b|[,.…] ?(?:not|nicht)[.!]*$|^\W*(?:oh (?:sure|yeah|ja|great)|great,|ha(?:ha)+\W+klar"
    r"|klar,)",
    re.IGNORECASE,
)
_RETRACTED = re.compile(
    r"\b(?:(?:just |only )?(?:kidding|joking)|jk|j/k|not any ?more|no longer|not really|doch nicht|scherz"
    r"|spaß|(?:is|are|was|were) (?:false|wrong|untrue|a lie|a joke|made up)|that's (?:a lie|a joke|not true"
    r"|wrong)|never ?mind|scratch that|or are they|or is it|forget (?:that|it)|i lied|is (?:that|this"
    r"|it) (?:right|correct|true|so)|(?:said|says|wrote|claimed) \w+|war (?:nur )?(?:ein )?witz|nur ein witz"
    r"|stimmt das|vergiss (?:das|es)|nicht mehr|sagte? \w+)(?!\w)|^\W*(?:no|nein|nee"
    r"|nope), [^\s,]+(?: \S+){0,3}$|^\W*(?:not|nope|nicht|nein|nee|haha\W+(?:no|nein))[\s.!]*$",
    re.IGNORECASE | re.MULTILINE,
)
_TAGGED = re.compile(
    r"\?$|[,;–—-] ?(?:right|correct|no|not|ok|okay|true|is(?:n't| not) (?:it|that)[a-z ]{0,12}|aren't they"
    r"|lol not"
    r"|don't you think|or not|oder|oder nicht|richtig|stimmt's|nicht wahr|ne|nicht|gell|haha nicht)[.!]?$"
    r"|\bif (?:i|you|we|it|they|he|she|that)\b|\b(?:would|could|might) be\b|\bin (?:this|that"
    r"|the) (?:scenario|example|story|case|hypothetical|game|test)\b|\bpretend\b|\bnot!$",
    re.IGNORECASE,
)


OPENING_MAX = 160
"""Characters of words that open a sentence."""


def is_transparent(before: str) -> bool:
    """Returns whether the text before a topic in its sentence leaves it a statement of the speaker."""
    plain = before.replace("’", "'").strip(" \t\"'*_>(•·")
    return opens(plain) or is_aside(plain)


def opens(plain: str) -> bool:
    """Returns whether a text consists of words that change nothing of what they open."""
    return len(plain) <= OPENING_MAX and _OPENERS.fullmatch(plain) is not None


def is_aside(plain: str) -> bool:
    """Returns whether a text is a clause of its own, stated by the speaker, beside the one that follows
    it."""
    if plain.endswith(":"):
        return bool(_SELF.search(plain)) and not _OPEN_CLAUSE.search(plain) and not _NO_ASIDE.match(plain)
    boundary = _BOUNDARY.search(plain, max(len(plain) - OPENING_MAX, 0))
    if boundary is None:
        return False
    clause = plain[: boundary.start()]
    match = _OPENERS.match(clause)
    clause = clause[match.end() :] if match else clause
    return bool(_FINITE.search(clause)) and not _NO_ASIDE.match(clause) and not _OPEN_CLAUSE.search(clause)


def begins_part(text: str) -> bool:
    """Returns whether a text begins as a part of another clause: "Heute", "Vielleicht", "If"."""
    return _NO_ASIDE.match(text) is not None


def is_unmeant(text: str) -> bool:
    """Returns whether a message is a part that is played, a text to work on, or irony."""
    plain = text.replace("’", "'")
    return bool(_ROLE.search(plain) or _SUPPOSED.search(plain) or _TASK.search(plain) or _IRONY.search(plain))


def is_played(text: str) -> bool:
    """Returns whether a message is a part that is played."""
    return bool(_ROLE.search(text))


def is_tagged(sentence: str) -> bool:
    """Returns whether the end of a sentence asks for agreement or takes the sentence back."""
    return bool(_TAGGED.search(sentence.replace("’", "'").strip(" \t\"'")))


def is_retracted(after: str) -> bool:
    """Returns whether the text after a statement takes it back."""
    return bool(_RETRACTED.search(after.replace("’", "'")))
