"""Recognises phrases and corrects misspellings in questions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from holdfast.language.facts.lexicon import NUMBERS, ORDINALS
from holdfast.language.facts.topics import Topics
from holdfast.language.facts.words import CLASSES, Token, Word, classed, tokens_of

CLASSES_OF_QUESTIONS = {
    "q": "who whos",
    "L": "last bottom lowest final worst lowest-ranked bottom-ranked lowest-rated",
    "t": "topmost uppermost highest-ranked top-ranked top-rated highest-rated",
    "f": "preferred go-to goto beloved best-loved most-loved best-liked favoured favored fav's",
    "l": "leaderboard rundown",
    "e": "everything places spots slots entries items picks thing things option options numbers ranks"
    " positions choices",
    "i": "i've i'd",
    "u": "you've ya",
    "p": "off",
    "&": "/",
    ",": "comma colon",
    "b": "sit stand fall contain contains include includes"
    " came takes took holds held occupies sitting landed lands finishes finished",
    "D": "got",
    "v": "rate given note noted jotted pick scored voted chosen choose select selected",
    "~": "through thru until till",
    "E": "end",
    "S": "best",
    "J": "yesterday",
    "H": "count",
    "z": "dead currently pretty down whole mind quickly whats-it alright either real quick fast gonna"
    " reminder dear all else aloud loud atm rn altogether total anyhow cheers ta ty thanx appreciated urgent"
    " uh huh erm unrelated",
}
"""Words with a meaning only in questions, by class; the classes of `words.CLASSES` take precedence."""

_PHRASES = """
z: (wait|hold on|hang on|just|give me|one|half|) (a|one|1) (second|sec|minute|moment|min)
z: (one|just a|quick|a quick|half) (second|sec|minute|moment)
z: (please|pls|plz) (and|n|&) (thanks|thank you|thx|ty)
z: (n|and) (thanks|thx|thank you|ty)
z: (new paragraph|new line|next line|next paragraph|out loud|in total|all in all|all told)
x: (show|showing|shows) off
x: (thanks|thank you|thx) for
z: (excuse me|pardon me|for now|by now|till now|until now|to date|up to now|at this point|at present|if so)
z: as of (today|this week|this month|this year|yet|this morning|last week)
.: (full stop|question mark|exclamation mark|exclamation point)
z: for a (second|sec|minute|moment)
z: (one more time|once again|real quick|one by one|in full|as a list|again and again|this time|right now)
z: if (you can|you could|you remember|you know|possible|you don't mind|you would|i remember right|i recall)
z: if (i remember|i recall) (correctly|rightly|well)
z: (of all time|at the moment|as of now|as of today|these days|by the way|for the record|just curious)
z: (quick question|quick one|i think|i believe|i guess|i mean|out of curiosity|just wondering|i'd say)
z: (so|as) far as you (know|remember|recall|can tell)
z: (you know of|i have to ask|sorry to ask|to be exact|my friend|or something|or not)
z: (in|by) (order|rank|rank order|ranked order|the right order|order of rank|order of preference|preference)
z: (from|) (best|first|top|highest|start|number one) (to|through|till) (worst|last|bottom|lowest|finish|end)
z: (from|) (worst|last|bottom|lowest) to (best|first|top|highest)
z: (from memory|best first|off the top of your head|on file|on record|in memory|in your memory|in your notes)
z: (from|in|of) (this|our|the) (chat|conversation|thread|session|project)
z: (according to|from|in|off|on) (me|you|your notes|your records|my notes|my profile|my history)
pml: (according to|per|by|based on) my list
z: (from|based on|given|by|according to) what (i told you|i said|i gave you|i've told you|you know)
z: (do me a favor|do me a favour|be so kind|be a dear) and
z: (would|will) you be so kind as to
z: (i would|i'd|i) (like|love|want|need|have) (you |)to
z: (i wanna|let me|lemme|let's|let us|go ahead and|would you mind|do you mind|will you|are you able to)
z: (is it possible to|would you be able to|would it be possible to|is there a way to)
z: (that |which |)(you|you've) (have|had|got|keep) (on file|on record|in memory|in your memory|stored|saved)
z: (that |which |)(you|you've) (have |had |)(stored|saved|remembered|recorded|noted|written down)(| for me)
z: (that|which) you (have|know)(| of| about)
z: (that |)we (talked about|discussed|spoke about|spoke of)
z: (kind|kinds|sort|sorts|type|types) of
zJ: when we (last |)(talked|spoke|chatted|met)
zJ: (the |)last (week|time|month|night|year)
zJ: (the other day|a while ago|a while back|some time ago|earlier today|this morning|ages ago|a few days ago)
x: (i |)(forgot|forget|remembered) to
c: (i |i'm |i am )(just |)(forgot|forget|keep forgetting|always forget|have forgotten|can't think of)
c: (forgot|keep forgetting)
c: (list|tell me|name|give me|show me) them
z: (first things first|last but not least)
z: (a|my|one|first|second|third|next|last|another|one more|final) question
c: (i've|i have) (forgotten|lost track of)
c: (i |)(can't|cannot|can not|don't|do not|couldn't|never) (remember|recall|quite remember)
c: (i'm|i am|) (just |)(trying|struggling) to (remember|recall)
c: (i'm|i am|) (just |)(blanking on|drawing a blank on|wondering|curious|unsure|not sure)
c: i (wonder|was wondering|am wondering|need to know|want to know|'d like to know)
c: (do|can|would|could) (you|u|ya) (still |also |even |) (happen to |)(remember|recall|know|have)
c: (can|could|may|might) i (please |)(know|ask|ask you|hear|get|have|see)
c: (help me (remember|recall)|refresh my memory|jog my memory|refresh my memory on|refresh my memory about)
c: (refresh my memory of|remind me again of|remind me of|remind me about|get me|fill me in on|catch me up on)
c: (look|dig|pull|bring|call) up
c: (write|type|lay|read|list|spell|print) (out|down)
c: (read|read me|give me) back
c: (run|runs|go|goes|walk me|talk me|run me|take me) (through|down|over)
c: (run me by|rattle off|any idea|any clue|any chance you know|any chance you remember|tell me once more)
cm: (how|what) about my
cm: what of my
cml: (i'd like|i would like|i want|i need) my list
cmt: (i'd like|i would like|i want|i need) my top
cal: (i'd like|i would like|i want|i need) (a|the) list
bmf: (do|did) i (like|love|enjoy|rate|rank|value) (the |)(best|most|highest)
bmLf: (do|did) i (like|love|enjoy) (the |)least
bmf: (do|did) i (like|love|enjoy|prefer) (using|to use|working with|to work with)(| the) (best|most)
bmf: (do|did) i (like|love|enjoy) (more than anything|above all|more than any other|more than all others)
bmf: do i (most |)(prefer|favour|favor)(| to use| using| to work with| the most| most| above all)
bmf: do i prefer over (all others|the others|the rest|everything else)
bmf: do i most (like|love|enjoy)
bmf: did i (say|tell you|mention)(| that) i (prefer|like best|like most|like the best|like the most|love most)
mf: (that |which |)i prefer(| most| the most)
mf: (that |)i (like|love|enjoy|rank|ranked|rate|rated) (the |)(best|most|highest)
L: (next to last|last but one|second to bottom|one before last|one before the last)
z: (all of them|each of them|every one of them|every single one)
am: the (order|ordering) of my
H: the total
b: (goes to|belongs to|go to|belong to)
z: would be (great|nice|lovely|good|helpful|perfect|cool|awesome)
z: the title of
z: (in advance|in other words|in one word|in a word|asap|help me out)
z: (no rush|no hurry|off topic|different question|new question|on another note)
bLp: (closes|rounds out|rounds off|brings up the rear on|brings up the rear in|brings up the rear of)
bmt: made my top
c: (need|want) to know
z: (in line|in a row)
lz: list out loud
~: (up to|all the way to|all the way through)
bp: made it (on|onto|in|into|to)
Lf: least (liked|loved)
c: look (it|that|this|them) up
c: (hit me with|jog my memory on|jog my memory about)
o: (runner-up|runner up)
f: (best|most) (liked|loved|preferred|favored|favoured|beloved)
f: (go to|number one go-to|all time favorite|all time favourite)
b: (came out|comes out|come out|came in|comes in|to be|turns out to be)
c: what (do|did|have) you (have |got |)(stored|saved|listed|down|noted|recorded|noted down|) (as|for|under)
c: what(| have| do) i (have |got |have got |)(down|listed|saved|stored) (as|for|under)
c: what (is|have you) (stored|saved|listed|down|noted|recorded) (as|for|under)
vu: (told|tell) you (about|of)
c: (in |)(what|which) order
cDiv: (how|in what order|in which order) (did|have) i (rank|ranked|order|ordered|list|listed)
btp: (tops|leads|heads|is topping|is leading|is heading)
qbml: (how|what) (does|did) my (list|ranking)
z: (look like|with me)
Hbm: how (long|big|large) is my
H: (the |)(size|length) of
c: (you|u|ya) (still |also |)(remember|recall)
H: (how many|what number of|how many of)
H: (the |)(total |)(number|count) of
O: (for|to) me
O: in my (book|opinion|eyes|view)
m: of (mine|my own|me)
k: (no|nr|num) .
d: (half a dozen|half dozen|a half dozen|a dozen|dozen|a couple of|couple of|a couple|a pair of|pair of)
qb: (what'd|whatd)
"""
"""Phrases, with alternatives in brackets, each after the classes of words that it counts as: "do I like the
best" is read as `bmf`, like "is my favorite"."""

QUANTITIES = {"half": 6, "dozen": 12, "couple": 2, "pair": 2, "runner": 2, "runner-up": 2}

_MEANT = (
    "favorite favourite favorites favourites second third fourth fifth sixth seventh eighth tenth first list"
    " ranking ranked number bottom last what which remember show least the please"
).split()
"""Words whose misspellings are corrected."""
_REAL = frozenset(
    "fist fit firs lit lis ist lat las ast lest hat hate sith six tent teeth how sow hows thee"
    " seconds numbers bottoms thirds ranging banking ranting raking tanking yanking seventy eighty sixty"
    " banked tanked yanked ranged rankled numbed lumber umber number's reckoned beckon pleas lease pleased"
    " fourths botton".split()
)
"""Words similar to one of those that are never corrected."""
_LONG = 6
"""Fewest letters of a word that may have a letter too many or a wrong one; shorter words are too similar."""


@cache
def _phrases() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """Returns the phrases by their first word, the longest first."""
    by_first_word: dict[str, dict[tuple[str, ...], str]] = {}
    for line in _PHRASES.strip().split("\n"):
        kinds, _, form = line.partition(": ")
        for text in _expanded(form):
            words = tuple(text.split())
            by_first_word.setdefault(words[0], {}).setdefault(words, kinds)
    return {
        word: sorted(forms.items(), key=lambda item: -len(item[0])) for word, forms in by_first_word.items()
    }


def _expanded(form: str) -> Iterator[str]:
    """Yields each variant of a form with alternatives; brackets nest once at most."""
    inner = re.search(r"\([^()]*\)", form)
    if inner is None:
        yield form
        return
    for choice in inner[0][1:-1].split("|"):
        yield from _expanded(form[: inner.start()] + choice + form[inner.end() :])


def read_words(text: str, topics: Topics) -> list[Word]:
    """Returns the words of a question with their classes, misspellings corrected and phrases joined."""
    tokens: list[Token] = []
    for token, start, end in tokens_of(text):
        if token not in topics.words:
            token = _plain(token)
        head, mark, tail = token.rpartition("'")
        if mark and tail == "s" and head in topics.words and tokens and tokens[-1][0] in ("what", "which"):
            tokens += [(head, start, end - 2), ("is", end - 1, end)]  # which book's third
            continue
        if mark and tail == "s" and (mended := _mended(head)) is not None and mended[0] == "w":
            tokens += [(mended, start, end - 2), ("is", end - 1, end)]
        else:
            is_known = token in topics.words or token in _known_words()
            tokens.append((token if is_known else _mended(token) or token, start, end))
    words = classed(tokens, topics, _phrase)
    own = _kinds()
    words = [
        replace(word, kind=own[word.text]) if word.kind in "xkapz" and word.text in own else word
        for word in words
    ]
    for i, word in enumerate(words[1:], 1):
        if word.kind in "ke" and word.text in ("rank", "place", "pick") and words[i - 1].kind == "i":
            words[i] = replace(word, kind="v")
        elif word.text == "from" and words[i - 1].kind == "l" and _texts(words[i : i + 3]) == "from the top":
            words[i : i + 3] = [replace(span_word, kind="z") for span_word in words[i : i + 3]]
        elif word.text == "ranks" and i + 1 < len(words) and words[i + 1].kind in "dh":
            words[i] = replace(word, kind="e")
        elif word.text in ("need", "want", "like") and words[i - 1].kind == "i" and _is_of_list(words, i + 1):
            words[i - 1 : i + 1] = [replace(words[i - 1], kind="z"), replace(word, kind="c")]
    return words


def _plain(token: str) -> str:
    """Returns a hastily typed word in its plain form: "cant", "sooo", "uhhh"."""
    if token in _SHORTENED:
        return _SHORTENED[token]
    if _FILLER.fullmatch(token):
        return "uh"
    return (
        short
        if _STRETCHED.search(token) and (short := _STRETCHED.sub(r"\1", token)) in _known_words()
        else token
    )


_SHORTENED = {
    "im": "i'm", "ive": "i've", "cant": "can't", "dont": "don't", "couldnt": "couldn't", "didnt": "didn't",
    "havent": "haven't", "youve": "you've", "isnt": "isn't", "wasnt": "wasn't", "wont": "won't",
}  # fmt: skip
_FILLER = re.compile("u+h+m*|u+m+|h+m+|e+r+m*|a+h+|o+h+|m+h+m+|u+g+h+|a+r+g+h+|o+o+ps")
_STRETCHED = re.compile(r"([^\W\d_])\1{2,}")


def _texts(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words)


def _is_of_list(words: Sequence[Word], i: int) -> bool:
    """Returns whether ranks of one's own list follow, as in "I need my top three"."""
    kinds = "".join(word.kind for word in words[i:])
    if words[i:] and words[i].text in ("a", "another"):
        return False
    return re.match("a?[oktLhdn].*p[az]*m.*l|m[az]*t[dn]", kinds) is not None


@cache
def _kinds() -> dict[str, str]:
    return {word: kind for kind, words in CLASSES_OF_QUESTIONS.items() for word in words.split()}


@cache
def _known_words() -> frozenset[str]:
    """Returns the words that are never taken for misspellings."""
    listed = (word for words in CLASSES.values() for word in words.split())
    return frozenset((*listed, *_kinds(), *ORDINALS, *NUMBERS, *_phrases(), *_REAL))


def _phrase(plain: Sequence[str], i: int) -> tuple[str, int] | None:
    for words, kinds in _phrases().get(plain[i], ()):
        if tuple(plain[i : i + len(words)]) == words:
            return kinds, len(words)
    return None


def _mended(token: str) -> str | None:
    """Returns the intended word, or None.

    Mistakes understood: two letters swapped, one missing and, in a long word, one too many or wrong.
    """
    if not token.isalpha():
        return None
    for shorter in (token, *_without_one(token)):
        for word in _corrections().get(shorter, ()):
            if _is_misspelt(token, word):
                return word
    return None


@cache
def _corrections() -> dict[str, list[str]]:
    """Returns the correctable words by each form that lacks at most one letter."""
    by_form: dict[str, list[str]] = {}
    for word in _MEANT:
        for part in {word, *_without_one(word)}:
            by_form.setdefault(part, []).append(word)
    return by_form


def _without_one(word: str) -> list[str]:
    return [word[:i] + word[i + 1 :] for i in range(len(word))] if 2 < len(word) < 15 else []


def _is_misspelt(token: str, word: str) -> bool:
    """Returns whether a token is a word with exactly one such mistake."""
    if len(token) == len(word):
        wrong = [i for i, (a, b) in enumerate(zip(token, word, strict=True)) if a != b]
        swapped = len(wrong) == 2 and wrong[1] == wrong[0] + 1 and sorted(token) == sorted(word)
        return swapped or (len(wrong) == 1 and len(word) >= _LONG)
    if len(token) < len(word):
        return len(word) > 3 and token in _without_one(word)
    return len(word) >= _LONG and word in _without_one(token)
