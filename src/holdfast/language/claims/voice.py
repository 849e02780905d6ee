"""Decides whose text each part of a message is, so that only its author's own words are read.

Somebody speaks to an assistant in their own voice until they hand over material: a text to correct or to judge,
a quotation, a pasted mail or chat, a story, a role. The rules, in this order:

1. What is in quotation marks, code and quoted lines is material, wherever it stands.
2. A message that assigns roles, or asks to work on itself ("make that passive"), is material as a whole.
3. Words that announce material (`_ANNOUNCED`) make what follows them material, to the end of the message. Where
   a quotation follows, only this is meant, and the author speaks on behind it.
4. What has the form of a mail, a chat or a verse is material by its form.

A text that the author wants written for themself ("a cover letter for me: I have …") stays their own, so writing
announces material only where it is fiction, an exercise, or the text of somebody else (`_OF_ANOTHER`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.language.claims.verbs import pattern
from holdfast.language.facts.scope import is_played

COVER = "\ue000"
"""Stands for each character of what is not read."""
MESSAGE_MAX = 6_000
"""Characters; longer messages are pasted documents."""

_FENCED = re.compile(r"(?ms)^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)")
_LINES = re.compile(
    r"(?m)^(?:[ \t]*>|\t| {4,}(?![-*•])|[ \t]*(?://|#!|\$ |<[a-zA-Z/!]|\||(?:import|from|def|class|return|const"
    r"|let|var|SELECT|INSERT)\b(?=.*[(=;{.]))).*$"
)
_QUOTED = re.compile(
    r"`[^`\n]{1,400}`|\"[^\"\n]{1,400}\"|“[^“”]{1,2000}”|„[^„“”]{1,2000}[“”]|„[^„“”\"\n]{1,400}\"|«[^«»]{1,2000}»"
    r"|»[^«»\n]{1,400}«|(?<![^\s(:])\"(?=[^\s\"])[^\"]{1,2000}(?<=\S)\"(?=[\s.,;:!?)]|$)"
    r"|(?<![\w])'[^'\n]{3,200}'(?![\w])|(?<!\w)‘[^‘’\n]{3,200}’(?!\w)|<<[^\n]{1,400}>>"
)
_SENTENCE_BEGINS = re.compile(r"\s+[A-ZÄÖÜ]")
_APOSTROPHES = str.maketrans("’‘ʼ＇\u00a0", "'''' ")
_PICTURES = re.compile(
    "[\u200d\u2600-\u27bf\u2b00-\u2bff\ufe0f\U0001f000-\U0001f60e\U0001f610-\U0001f642\U0001f645-\U0001faff]"
)
"""Matches pictures, but for those that say that something is not meant: each is one character, as what stands for it."""

_TEXT = (
    r"(?:text|e-?mail|mail|letter|post|review|article|paragraph|excerpt|quote|draft|bio|passage|transcript|message"
    r"|note|essay|intro|caption|tweet|speech|profile|cover letter|cv|resume|abstract|statement|diary|brief|nachricht"
    r"|artikel|absatz|auszug|entwurf|beitrag|bewertung|anzeige|profil|anschreiben|lebenslauf|bewerbung|satz|sentence"
    r"|rede|vorstellung|aufsatz|tagebuch|zeugnis|testimonial|advert|ad copy|product text|produkttext)\w*"
)
"""Words for a text."""
_FICTION = (
    r"(?:story|poem|haiku|limerick|song|lyrics|script|dialogue|scene|monologue|novel|fanfic|fan fiction|backstory"
    r"|persona|character (?:sheet|description)|gedicht|roman|drehbuch|dialog|szene|monolog|märchen|songtext"
    r"|kurzgeschichte|(?:kurz)?krimi|steckbrief|sketch|(?:eine[r]?|die|der|meine[r]?|kurze|ne) geschichte)"
)
"""Words for an invented text; the German one for a story is a subject at school where it has no article."""
_PERSON = (
    r"(?:neighbou?r|friend|mate|colleague|coworker|co-worker|boss|manager|client|customer|mum|mom|mother|dad|father"
    r"|sister|brother|son|daughter|cousin|uncle|aunt|gran\w*|nephew|niece|flatmate|roommate|patient|pupil|student"
    r"|lady|old man|guy|nachbar\w*|freund\w*|kumpel|kolleg\w*|chef\w*|kund\w*|klient\w*|mutter|mama|vater|papa"
    r"|schwester|bruder|sohn|tochter|oma|opa|onkel|tante|mitbewohner\w*|schüler\w*)"
)
_WRITES = r"(?:write|compose|draft|create|make|generate|need|want|do|tidy|polish|fix|check|schreib\w*|verfass\w*|entwirf|erstell\w*|mach\w*|brauch\w*|formulier\w*)"

_LANGUAGE = (
    r"(?:german|english|french|spanish|italian|dutch|portuguese|polish|turkish|latin|russian|chinese|japanese|welsh"
    r"|swedish|danish|greek|arabic|deutsch\w*|englisch\w*|französisch\w*|spanisch\w*|italienisch\w*|polnisch\w*"
    r"|türkisch\w*|niederländisch\w*|russisch\w*)"
)

_ANNOUNCED = tuple(
    map(
        pattern,
        (
            # a task on a text
            r"\b(?:translate|rewrite|rephrase|reword|paraphrase|summari[sz]e|proof-?read|copy-?edit|edit|shorten"
            r"|(?:correct|fix|improve|polish|check|tidy|clean|smooth) (?:up )?(?:this|the|my)? ?(?:text|grammar|spelling"
            r"|english|german|sentences?|paragraph|essay|letter|e?-?mail|translation|typos|style)?|grammatically"
            r"|übersetz\w*|korrigier\w*|formulier\w* (?:das|den|diesen|um)|fass\w* .{0,30}zusammen|umformulier\w*"
            r"|lektorier\w*|glattzieh\w*|umschreib\w*|überarbeite\w*|gegenlesen|korrekturlesen)\b[^.!?]{0,80}?[:\n]",
            r"\b(?:translate|rewrite|rephrase|reword|paraphrase|proof-?read|copy-?edit|übersetz\w*|korrigier\w*)\b"
            r"[^.!?\n]{0,40}\b(?:this|the following|these|das|dies\w*|folgende\w*)\b[^.!?\n]{0,40}[.:!?\n]",
            r"\b(?:rate|judge|check|correct|fix|improve|punctuate|bewerte\w*|prüf\w*) (?:my|this|the|mein\w*|dies\w*"
            r"|den|die|das)\b[^.!?\n]{0,60}:(?=\s)",
            r"\b(?:remove|delete|cut|streich\w*) [^.!?\n]{1,30} (?:from|aus) (?:this|here|hier|dies\w*):(?=\s)",
            r"\b(?:turn (?:this|it) into|make this|explain|analy[sz]e|which (?:one )?is (?:right|correct|better)"
            r"|what does|was bedeutet|was heißt)\b[^.!?\n]{0,80}:(?=\s)",
            r"\b(?:translate|übersetz\w*)\b[^.!?\n:]{0,40} [-–—] ",
            rf"\b(?:in|to|into|auf|ins) {_LANGUAGE}(?: please| bitte)?:(?=\s)|\bwie (?:sagt|sage|schreibt|schreibe) (?:man|ich)\b[^.!?\n:]{{0,40}}:(?=\s)",
            r"\b(?:grammar|spelling|grammatik|rechtschreib\w*)\b[^.!?\n:]{0,30}:(?=\s)",
            r"(?:^|[.!?\n] ?)(?:check|test|quiz|roles?|rollen?|diktat|dictation)\b[^.!?\n:]{0,20}:(?=\s)",
            r"\b(?:is (?:this|that|it)|ist das(?: so)?) (?:right|correct|natural|ok|richtig|korrekt)\b[^.!?\n:]{0,30}:(?=\s)",
            r"\b(?:make|mach) (?:it|this|that|das|es) [^.!?\n:]{1,40}:(?=\s)",
            r"\b(?:continue|finish|complete|vervollständig\w*|ergänz\w*|setz\w*) (?:this|the|my|den|die|das|diese\w*)\b[^.!?\n]{0,30}?[.:\n]",
            r"\b(?:reply|respond|answer|antworte?) (?:to|auf) (?:this|that|the|his|her|their|him|diese\w*|die|das|den|seine?|ihre?)\b[^.!?\n]{0,40}[:\n]",
            # a question of how a text reads
            r"\b(?:do|does|did|would|will) (?:i|it|this|that|my \w+) (?:\w+ )?(?:sound|read|come (?:across|off))\b"
            r"[^.?!\n]{0,40}[?:](?=\s)",
            r"\b(?:klingt|liest sich|wirkt) (?:das|der|die|mein\w*|dies\w*|es)\b[^.?!\n]{0,40}[?:](?=\s)",
            rf"\b(?:is|are|ist) (?:my|this|the|mein\w*|dies\w*|der|die|das) (?:[\w-]+ )?{_TEXT} (?:too|ok|okay|good|clear"
            r"|alright|fine|any good|zu|so|gut|verständlich)\b[^.?!\n]{0,40}[?:](?=\s)",
            # words or a text of others that are shown
            r"\b(?<!i )(?<!we )(?<!ich )(?<!wir )(?:says?|said|wrote|writes|posted|texted|sagte?|schreibt|schrieb|meinte?)(?: [\w']+){0,3}:(?=\s)",
            r"\b(?:here(?:'s| is| are)|below is|this is|i (?:found|read|saw|received|got)|hier (?:ist|sind|kommt)"
            r"|folgende[rs]?|das ist|hier|here) (?:the|a|an|my|our|some|what|their|his|her|this|der|die|das|ein|eine|mein"
            rf"|meine|ein paar)?\b[^.!?\n]{{0,70}}(?:{_TEXT}|{_FICTION}\w*)[^.!?\n]{{0,40}}[:\n]",
            rf"\b(?:asking for|question from|frage (?:von|für)|{_TEXT} (?:from|by|of|von)) (?:[\w']+ ){{0,2}}{_PERSON}\b[^.!?\n:]{{0,30}}:(?=\s)",
            rf"\b{_PERSON} (?:wants to know|asks?|fragt|will wissen|möchte wissen|hat [^.!?\n:]{{0,20}}geschrieben)[^.!?\n:]{{0,20}}:(?=\s)",
            rf"\b(?:this|diese[rs]?) {_TEXT}[^.!?\n:]{{0,40}}:(?=\s)",
            r"\b(?:diary|tagebuch|transcript|testimonial|lyrics|songtext|rezension|kundenmeinung|kundenstimme)\b[^.!?\n:]{0,40}:(?=\s)",
            r"\b(?:who sings|what song|which song|welches lied|wer singt)\b",
            r"\b(?:start|begin|end|open|goe)s? (?:with|like)(?: this)?:?\s(?=(?:i|i'm|my|ich|mein\w*)\b)",
            # a part of a text, an exercise
            r"\b(?:anfang|beginn|(?:erste|letzte)[rs]? (?:satz|zeile|absatz)|(?:first|second|third|last|next|opening)"
            r" (?:line|sentence|verse|paragraph|one|stanza|draft)|for the (?:first|second|third|next|last)(?: one)?"
            r"|(?:die|der|das) (?:erste|zweite|dritte|nächste|letzte)(?: strophe| zeile)?"
            r"|(?:start|begin|end|open)s? (?:it )?with|(?:weiter|beginnt?|endet?) mit|fängt an mit|i'll (?:go first|start)"
            r"|ich fang an|(?:should|must|will|can|soll|muss) (?:say|sagen|lauten)"
            r"|example|beispiel(?:satz|sätze)?|vocabulary sentence|ideas like|textaufgabe|\w*hausaufgabe|homework|exercise|übung|aufgabe"
            r"|rätsel|rollenspiel|seed data|zitat|quote|on (?:the|my) (?:grave|stone|wall|shirt)|auf dem \w+)"
            r"\s?(?:\([^)\n]*\))?:(?=\s)",
            r"\b(?:riddle|joke|witz|word problem|exam question|prüfungsfrage)\b[^.!?:\n]{0,40}:(?=\s)",
            r"\b(?:first|opening|last) (?:line|sentence|paragraph|verse|chapter) of\b[^.!?\n]{0,60}[?:](?=\s)",
            # fiction and roles
            r"\b(?:my|mein\w*|d&d) (?:\w+ )?(?:character|protagonist\w*|figur|hauptfigur|held(?:in)?)\b[^.!?\n:]{0,20}:(?=\s)",
            r"\b(?:i'll be|i will be|i'll play|i play|i'm|i am|ich bin|ich spiele) (?:the|den|die|der|das) [\w-]+:(?=\s)",
            rf"\b{_WRITES}\b[^.!?\n]{{0,40}}\b(?:diary entry|first[- ]person|tagebucheintrag|ich-perspektive)\b[^.!?\n]{{0,60}}[.:\n]",
            r"\b(?:chapter|kapitel) \d+\b[^\n]{0,160}\n|\b(?:ich-erzähler\w*|first[- ]person narrator)\b[^\n]{0,80}[:\n]",
            rf"\b(?:write|tell|schreib\w*|erzähl\w*)\b[^.!?\n]{{0,25}}\b{_FICTION}\b[^!?\n.]{{0,60}}[.:!\n]",
            rf"\b{_WRITES}\b[^.!?\n]{{0,60}}\b(?:in the (?:style|voice) of|as if you were|im stil)\b[^.!?:\n]{{0,60}}[.:\n]",
        ),
    )
)
"""What announces material, up to where it begins."""
_OF_ANOTHER = pattern(
    rf"\b(?:{_TEXT}|letters?|complaint|appeal|application|antrag|widerspruch)\b[^.!?\n:]{{0,40}}"
    rf"\b(?:for|on behalf of|für|im namen) (?:my|our|a|an|the|mein\w*|unser\w*|eine?[nr]?|den|die)? ?(?:\w+ ){{0,2}}{_PERSON}\b"
    r"[\s\S]{0,160}?:(?=\s)"
)
"""Matches a text that is written for somebody else, up to where it, or what belongs in it, begins."""
_STORY = pattern(
    rf"\b{_FICTION}\b(?![^.!?]{{0,20}}\b(?:i love|i like|i read|lese ich)\b)[^.!?]{{0,80}}(?::|\n|\ue000|\b(?:first person"
    r"|ich-form|ich-perspektive|narrator|protagonist\w*|hero|held|heldin|perspective|opening|opens|begins|starts|beginnt"
    r"|fängt an|who|in which|der|die|das)\b)"
)
"""Matches a story that is told in the words themselves: they are invented as well."""
_ON_ITSELF = pattern(
    r"\b(?:mach|mache|machen sie) (?:mir )?d(?:a)?raus\b"
    r"|\b(?:turn|put|change|convert) (?:it|that|this|these|them) (?:in)?to (?:the )?(?:passive|past|present|future|reported"
    r"|indirect|third person|first person)\b"
    r"|(?:^|[.!?\n] ?)(?:keep going|continue the story|schreib weiter|erzähl weiter)\b"
    r"|\b(?:is|are) (?:this|that|the|my) sentences? (?:correct|right|ok)\b|\bist (?:der|mein) satz (?:so )?(?:richtig|korrekt)\b"
    r"|\b(?:correct|fix) my (?:grammar|mistakes|english|german|spelling|sentences?)(?: please)?[.! ]*$|[.!?] bitte korrigieren[.! ]*$"
    r"|\b(?:who|what) am i\?|\bw(?:er|as) bin ich\?|^\W*knock,? knock\b|^\s*\*[a-z][^*\n]{3,60}\*"
    r"|\bis what (?:\w+ ){1,2}(?:posted|wrote|said|sent)\b|\bwr(?:ite|ote) (?:it |this )?as (?:someone|somebody) else\b|\b(?:answer|reply|respond|stay|remain|antworte|bleib\w*) in (?:character|der rolle|deiner rolle)\b"
)
"""Matches a task on the words of the message itself."""
_SUPPOSED = pattern(
    r"(?:^|(?<=[.!?:\n]) ?)(?:(?:ok|so|now|please|bitte|also|and),? )*(?:suppose\b|supposing\b|let's say|imagine,? (?:that|if|you|an?|being|we|i)\b"
    r"|stell dir vor|angenommen|nehmen wir (?:mal )?an|nimm an|gesetzt den fall)"
)
"""Matches a sentence that begins by supposing something: what follows supposes it as well."""

_HEADER = r"(?:from|to|subject|betreff|von|an|re|fwd|aw|wg|cc|date|datum|gesendet|sent):"
_MAIL = re.compile(
    rf"(?im)^{_HEADER}.*\n(?:.*\n)?{_HEADER}|^{_HEADER}.*\n\s*(?:dear|hello|hi|sehr geehrte|liebe|guten tag|hallo)\b"
    r"|^(?:dear|sehr geehrte\w*|liebe[rs]?) (?!(?:\w+ )?(?:assistant|assistent\w*|a\.?i|ki|chat\w*|bot|claude|gemini"
    r"|computer|helper|helfer\w*|all|team|community)\b).*,\s*$"
    r"|\b(?:forwarded message|weitergeleitete nachricht)\b"
    r"|^(?:user|assistant|human|ai|system|customer|agent|q|a|patient|interviewer|kunde|kundin|moderator)\s*:"
)
"""Matches the begin of a pasted mail or dialogue; a letter to the assistant itself is none."""
_TURN = re.compile(
    r"(?m)^[-*• \t]{0,4}(?:[\[(]?\d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp][Mm])?[\])]?[ ,–-]{0,3})?\**[A-ZÄÖÜ]\w{1,15}"
    r"(?: (?:[A-ZÄÖÜ]\w{1,15}|\d{1,2}))?(?: ?[\[(]\d{1,2}:\d\d[\])])?(?:\*\*: |:\*\* |: )"
)
"""What begins a line of a speaker, or of a form: `Anna: `, `[10:02] Anna Keller: `, `**Agenda:** `."""
_VERSE = re.compile(r"(?<=[:\n.!?])\s[^/:\n.?!]{10,90}(?: / [^/\n]{10,90}){2,}")
"""Matches lines of a verse, with strokes between them."""


def own_text(text: str) -> str:
    """Returns a text of the same length, with plain apostrophes, in which everything that is not said in its
    author's own voice is covered."""
    plain = covered(text)
    if is_played(plain) or _ON_ITSELF.search(plain):
        return COVER * len(plain)
    begin = min(_begins(plain), default=len(plain))
    return _VERSE.sub(_cover, plain[:begin]) + COVER * (len(plain) - begin)


def covered(text: str) -> str:
    """Returns a text of the same length without quotations and code, with plain apostrophes."""
    plain = _PICTURES.sub(" ", text.translate(_APOSTROPHES))
    return _QUOTED.sub(_cover_quotation, _LINES.sub(_cover, _FENCED.sub(_cover, plain)))


def _cover(match: re.Match[str]) -> str:
    return "".join("\n" if c == "\n" else COVER for c in match[0])


def _cover_quotation(match: re.Match[str]) -> str:
    """Covers a quotation. Where it ends a sentence, its mark becomes the end of the sentence around it."""
    is_end = match[0][-2:-1] in tuple(".!?") and _SENTENCE_BEGINS.match(match.string, match.end())
    return f"{_cover(match)[:-1]}." if is_end else _cover(match)


def _begins(plain: str) -> Iterator[int]:
    """Yields where material begins in a covered text that goes on to its end."""
    for announced in (*_ANNOUNCED, _OF_ANOTHER):
        for match in announced.finditer(plain):
            if not plain[match.end() :].lstrip().startswith(COVER):
                yield match.end()
                break
    if len(turns := list(_TURN.finditer(plain))) > 1:
        yield turns[0].start()
    yield from (form.start() for each in (_STORY, _MAIL, _SUPPOSED) if (form := each.search(plain)))
