"""Decides whether a topic in a sentence is stated by the speaker, as true now.

What stands before it must be understood: words that change nothing (`opens`), or a clause of the speaker's
own that is complete in itself (`is_aside`). A text to work on, a part to play, irony and a blank make nothing
of a message a statement (`is_unmeant`), and what follows may take a statement back (`is_retracted`).
"""

from __future__ import annotations

import re

_OPENER = (
    # words that open a sentence in speech
    r"hands down|no contest|(?:das )?stimmt (?:so )?nicht(?: mehr)?|that's no longer true"
    r"|well|nah|nee|nö|quatsch|unsinn|halt|stopp|still|same here|me too|glaub mir|zugegeben"
    r"|ich gebe (?:ja )?zu"
    r"|kurz notiert|zum vergleich|so+|nee"
    r"|nö|here goes|fun fact|hot take|after (?:much|some) thought|it may surprise you"
    r"|don't laugh|i've decided|scratch that|that's (?:wrong|not right|not true)|autocorrect|i meant|ok|okay"
    r"|so|u+m+|u+h+|h+m+|a+h+|o+h+|hey|hi|hello|yo|bruh|omg|dude|man|dear|folks|guys|there|again|sure"
    r"|yes|yeah|yep|no|nope|right|alright|and|but|also|plus|then|anyway|btw|by the way|fyi|ps|p\.s\.|lol"
    r"|sorry|wait"
    r"|oops|thanks|thank you|please|pls|just|too|good (?:morning|evening|afternoon|day)"
    r"|hope you are well"
    # how it is meant
    r"|honestly|frankly|tbh|to be (?:honest|clear|precise)|personally|actually|basically|clearly|of course"
    r"|obviously"
    r"|in fact|without (?:a )?doubt|for me|as for me|these days|nowadays|lately|currently|at the moment"
    r"|right now|now"
    r"|all in all|overall|in general|in short|in case you (?:wonder|wondered|care)|if you(?: must|'d like to"
    r"| want to)?"
    r" (?:know|ask|wonder)(?: me)?|if you're (?:wondering|curious)"
    # that it is to be kept
    r"|update|quick (?:update|note|fact)|correction|edit|note(?: to self)?|memo|reminder|remember|save|store"
    r"|record"
    r"|keep in mind|don't forget|my answer|answer|fact|facts?(?: about me)?|about me|for (?:the|your"
    r"|my) (?:record|records"
    r"|information|memory|profile)|just so you know|so you know|(?:as )?you(?: should| may| might)? know"
    r"|as i (?:said"
    r"|told you|mentioned)|let me tell you|let the record show|since you (?:asked|ask)|(?:to answer"
    r"|answering) your"
    r" question|you asked(?: me)?(?: for| about)?|it's true|it is true|that|this|these|those|here|here are"
    r"|here is"
    r"|here's|these are|this is|those are|they are|everyone knows|the (?:list|order|ranking) of|list of|list"
    r"|ranking"
    r"|rank|a list of|i rank(?:ed)?|i(?:'ve| have) (?:updated|changed|ranked)"
    r"|(?:i|we)(?:'ve| have)?(?: already| just)? (?:told|tell) you(?: already| before)?|i(?:'ve"
    r"| have) been meaning"
    r" to (?:tell you|say)(?: this)?(?: for ages)?|i(?: must| have to| want to| wanted to| would like to"
    r"| should| can"
    r"|'d like to|'ll| will) (?:say|tell you|add|mention|note|admit|confess|share)|i(?:'d| would)? (?:say"
    r"|think|believe"
    r"|guess|admit|confess|mean|meant)|(?:can|could|would|will) you(?: please)?|(?:i'd"
    r"|i would) like (?:you )?to"
    r"|i want (?:you )?to|you should|(?:please |also )?(?:remember|note|know|memori[sz]e|write down"
    r"|put down)(?: for me)?"
    # German
    r"|ja|nein|nee|na|tja|ach|aha|ähm?|öhm?|also gut|also|nun|und|aber|doch|denn|ey|hallo|moin|servus|du"
    r"|guten"
    r" (?:morgen|tag|abend)|übrigens|bitte|ehrlich|ehrlich gesagt|außerdem|zur info|info|fürs protokoll"
    r"|(?:nur )?damit"
    r" du(?:'s| es)? weißt|wie (?:du weißt|gesagt)|notiere?(?: dir)?|merke? dir|speichere?|korrektur"
    r"|nachtrag|notiz"
    r"|mal|hier|hier sind|hier ist|hier kommen|das sind|dies sind|das ist|ich (?:glaube|denke|finde|meine"
    r"|muss sagen"
    r"|würde sagen)|ich habe? dir (?:schon |ja )?(?:gesagt|erzählt)|dass|weil|du weißt(?: ja)?|(?:kannst"
    r"|könntest|würdest)"
    r" du(?: dir)?|merken|speichern|danke|aktuell|derzeit|momentan|zurzeit|inzwischen|mittlerweile|jetzt"
    r"|neuerdings|eigentlich"
    r"|für mich|bei mir|seit kurzem|auch|von|die liste|liste|meine rangliste"
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
    r"|suppose|say"
    r"|maybe|perhaps|assuming|given|subject|back|according|today|tonight|yesterday|tomorrow|last|next|until"
    r"|till|like"
    r"|with|without|among|of|from|to|whatever|whenever|because|until|neither|not|never|imagine|pretend"
    r"|google|there"
    r"|im|in|am|an|auf|bei|mit|als|wenn|falls|während|nach|vor|seit|seitdem|bis|ob|obwohl|sobald|laut"
    r"|angenommen"
    r"|vielleicht|vllt|womöglich|heute|gestern|morgen|damals|früher|angeblich|unter|trotz|ohne|was|wer|wie"
    r"|warum|wo"
    r"|what|who|which|why|how|where|do|does|did|is|are|can|could|would|should|will|am)\b",
    re.IGNORECASE,
)
"""Words that begin a part of another clause and no clause of its own."""
_OPEN_CLAUSE = re.compile(
    r"\b(?:if|unless|whether|suppose|supposing|imagine|imagining|pretend|assum\w+|what if|say that|let's say"
    r"|example|e\.g"
    r"|i\.e|such as|sample|template|placeholder|hypothetical\w*|theoretical\w*|wish\w*|doubt\w*|wonder\w*"
    r"|lied"
    r"|lying|not true|untrue|false|wrong|forget|ignore|disregard|pick|choose|guess|help me|prompt|worksheet"
    r"|lyrics?"
    r"|draft|essay|goes|horoscope|angenommen|stell dir|falls|wenn|ob|sofern|zum beispiel|beispielsweise"
    r"|z\.\s?b"
    r"|hypothetisch|wünschte|als ob|tu so|behaupt\w+|formular|lückentext|beispielsatz|aufsatz)\b"
    r"|\b(?:don't|do not|never|nicht|didn't) (?:save|store|keep|remember|record|note|write|speichern"
    r"|merken)\b"
    r"|\b(?:says?|said|saying|claim\w*|swears?|swore|thinks|(?<!i )(?<!don't )think|thought|believe[sd]"
    r"|wrote|writes|insist\w*|repl(?:y|ies|ied)"
    r"|answer(?:s|ed)|shout\w*|whisper\w*|quote[sd]?|texted|mentions|reads|announce[sd]?|declare[sd]?"
    r"|reckons?|argues?"
    r"|posted|tweeted|asks|asked (?!for\b)|voted|states?|stated|keeps? telling|tells|told (?:me|us|him|her"
    r"|them)|sagt\w*"
    r"|meint\w*|schrieb\w*|schreibt|erzählt\w*|glaubt\w*|denkt|dachte|antwortet\w*|fragt\w*|steht|gesagt"
    r"|geschrieben)\b",
    re.IGNORECASE,
)
"""What makes a clause lead over to words that are supposed, reported or denied."""
_FINITE = re.compile(
    r"\b(?:am|i'm|is|it's|are|we're|have|has|had|i've|do|don't|like|likes|love|loves|hate|hates|need|want"
    r"|wants|live|lives"
    r"|work|works|went|saw|wrote|made|got|know|asked|enjoy|play|plays|prefer|can|will|eat|drink|\w{2,}ed|bin"
    r"|ist|sind"
    r"|habe|hab|hat|mag|mögen|liebe|liebt|hasse|wohne|arbeite|war|waren|ging|gehe|esse|trinke|spiele|kann)\b",
    re.IGNORECASE,
)
_SELF = re.compile(r"\b(?:i|i'm|i've|i'd|me|my|you|your|we|ich|mir|mich|mein\w*|du|dir)\b", re.IGNORECASE)
_PLAY = re.compile(
    r"^\W*act (?:as|like)\b|\b(?:role-?play\w*|rollenspiel\w*|pretend\w*|(?<=[.!?:,;] )act (?:as|like)"
    r"|(?:please|you|to|and|should|now) act (?:as|like)"
    r"|imagine,? (?:that|my|if|you|an?|being|we|i)|(?<!i )(?<!we )suppose\b|supposing\b|let's say|personas?\b"
    r"|(?:you are|you're|du bist)(?: now| jetzt)? (?:an? (?:pirate|bot|\w+ named)|(?-i:[A-ZÄÖÜ])\w+)"
    r"|spiele? (?:mit|die rolle)|play (?:the (?:role|part) of|a role as)"
    r"|stell dir vor|tu so|tun wir so|angenommen|nehmen wir an|nimm an|gesetzt den fall"
    r"|in (?:this|the|my|our|a) (?:story|scene|dream|novel|script|play|game,? (?:i|you|we|my))\b"
    r"|in (?:dieser|der"
    r"|meiner) (?:geschichte|szene)"
    r"|in meinem (?:aufsatz|text|roman|traum)|i'm a (?:pirate|knight|king|wizard|robot|dragon|vampire)"
    r"|\b(?:i am|i'm|im|tis i,?|ich bin(?: die| der)?|mein name ist|my name is)"
    r" (?-i:Detective|Inspector|Captain|Lord|Count|Baron|Duke|King|Queen|Prince|Princess|Sir|Agent"
    r"|Kommissar(?:in)?|Inspektor|Kapitän|Graf|Gräfin|König|Königin|Prinz|Prinzessin|Ritter) (?-i:[A-ZÄÖÜ]))",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"(?:^|[.!?:\n]\s*|\b(?:please|bitte|can you|could you|help me(?: to)?|kannst du|könntest du"
    r"|du sollst) )(?:me |mir |mal"
    r" )?(?:translate|rewrite|rephrase|reword|paraphrase|summari[sz]e|proofread|improve|shorten"
    r"|correct (?!my|to)|spell"
    r"|continue|complete|fill in|read aloud|repeat|mark this|analy[sz]e|parse|classify|act as|write|compose"
    r"|draft|make"
    r" up|invent|generate|übersetze?|korrigiere?|formuliere?|verbessere?|kürze|fasse|vervollständige?"
    r"|ergänze den"
    r"|schreibe? (?:mir |uns )?(?:das|die|den|eine?n?)|verfasse?|dichte|erfinde?|entwirf)\b(?! down"
    r"| that down)"
    r"|\b(?:translate|rewrite|rephrase|summari[sz]e|proofread|correct|improve|fix|spell|übersetze?"
    r"|korrigiere?|verbessere?)"
    r"\b.{0,30}\b(?:this|that|it|the (?:above|sentence|text|following|paragraph|line)|grammar|spelling"
    r"|dies\w*|das"
    r"|den (?:satz|text)|folgende\w*)\b"
    r"|\b(?:worksheet|fill in the blanks?|lückentext|beispiels(?:atz|ätze)|example (?:sentence|answer)s?"
    r"|unit test|fixture"
    r"|seed data|test data|the prompt|template|vorlage|is it correct to say|heißt es)\b|\blesson \d",
    re.IGNORECASE,
)
_IRONY = re.compile(
    r"[\U0001f644\U0001f643\U0001f60f]|(?:^|\s)/s\b|\b(?:yeah,? right|as if|von wegen|iron(?:y|ie|ic\w*"
    r"|isch\w*)|sarcas\w+|sarkas\w+)\b"
    r"|\bsaid (?:no one|nobody)\b|\b(?:ha(?:ha)+|lol|hehe)\W+(?:no|not|nope|nein|nicht|nee)\b|[,.…] ?(?:not"
    r"|nicht)[.!]*$"
    r"|^\W*(?:oh (?:sure|yeah|ja|great)|great,|ha(?:ha)+\W+klar|klar,)",
    re.IGNORECASE,
)
_RETRACTED = re.compile(
    r"\b(?:(?:just |only )?(?:kidding|joking)|jk|j/k|not any ?more|no longer|not really|doch nicht|scherz"
    r"|spaß"
    r"|(?:is|are|was|were) (?:false|wrong|untrue|a lie|a joke|made up)|that's (?:a lie|a joke|not true"
    r"|wrong)|never ?mind|scratch that"
    r"|or are they|or is it|forget (?:that|it)|i lied|is (?:that|this|it) (?:right|correct|true|so)|(?:said"
    r"|says"
    r"|wrote|claimed) \w+|war (?:nur )?(?:ein )?witz|nur ein witz|stimmt das|vergiss (?:das|es)|nicht mehr"
    r"|sagte? \w+)(?!\w)"
    r"|^\W*(?:no|nein|nee|nope), [^\s,]+(?: \S+){0,3}$|^\W*(?:not|nope|nicht|nein|nee|haha\W+(?:no"
    r"|nein))[\s.!]*$",
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
    """Checks whether the text before a topic in its sentence leaves it a statement of the speaker."""
    plain = before.replace("’", "'").strip(" \t\"'*_>(•·")
    return opens(plain) or is_aside(plain)


def opens(plain: str) -> bool:
    """Checks whether a text consists of words that change nothing of what they open."""
    return len(plain) <= OPENING_MAX and _OPENERS.fullmatch(plain) is not None


def is_aside(plain: str) -> bool:
    """Checks whether a text is a clause of its own, stated by the speaker, beside the one that follows it."""
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
    """Checks whether a text begins as a part of another clause: "Heute", "Vielleicht", "If"."""
    return _NO_ASIDE.match(text) is not None


def is_unmeant(text: str) -> bool:
    """Checks whether a message is a part that is played, a text to work on, or irony."""
    plain = text.replace("’", "'")
    return bool(_PLAY.search(plain) or _TASK.search(plain) or _IRONY.search(plain))


def is_played(text: str) -> bool:
    """Checks whether a message is a part that is played, or supposes something as a whole."""
    return bool(_PLAY.search(text))


def is_tagged(sentence: str) -> bool:
    """Checks whether the end of a sentence asks for agreement or takes the sentence back."""
    return bool(_TAGGED.search(sentence.replace("’", "'").strip(" \t\"'")))


def is_retracted(after: str) -> bool:
    """Checks whether the text after a statement takes it back."""
    return bool(_RETRACTED.search(after.replace("’", "'")))
